#include "record/refusing.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/check.hpp"
#include "check/confirmed.hpp"
#include "explain/collective_words.hpp"
#include "explain/message_words.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "machine/machine.hpp"
#include "machine/refusing_calls.hpp"
#include "record/rerun.hpp"

namespace matchpoint::record {

namespace {

/// Matches what can be matched: a delivery that needs its receive under zero buffering has it.
void match_what_is_posted(Machine& machine) {
    for (std::uint32_t c = 0; c < machine.code().channels().size(); ++c)
        while (is_enabled(machine.code(), machine.state(), Buffering::zero, Deliver{{c}}))
            static_cast<void>(machine.apply(Deliver{{c}}));
}

/// Runs the commands of the call that a rank is in, as a library would in which nothing refuses. Those that it does not
/// have to pass, as it would wait for them later, are not run. The standard sends among them that are unmatched, and
/// the collectives that some member has not called; none, and nothing has been run, if some command does not return.
std::optional<std::vector<Action>> pass_call(Machine& machine, Rank const& rank) {
    IndexedProgram const& code = machine.code();
    std::uint32_t const end = code.ctp().threads[rank.number].last - rank.posted;
    std::vector<Action> refusing;
    std::size_t passed = 0;
    while (machine.state().ctp[rank.number] < end) {
        Location const rho{machine.state().ctp[rank.number]};
        if (!is_enabled(code, machine.state(), Buffering::infinite, Execute{rho})) break;
        if (is_mismatch(code, machine.state(), rho)) break;
        auto const* const wait = as_wait(code.command_at(rho));
        auto const* const send = wait == nullptr ? nullptr : code.as_sndi(wait->a);
        if (send != nullptr && machine::depends_on_library(send->mode) && !is_taken(machine.state(), code, wait->a))
            refusing.push_back(wait->a);
        if (may_refuse(code, machine.state(), rho)) refusing.push_back(awaited_at(code, rho));
        if (machine.apply(Execute{rho}).is_stuck()) break;
        ++passed;
    }
    if (machine.state().ctp[rank.number] >= end) return refusing;
    for (; passed != 0; --passed) machine.undo();
    return std::nullopt;
}

/// Whether the ranks that cannot go on wait for what the others could do.
bool could_others_end_it(Machine const& machine, std::vector<std::uint32_t> const& going_on) {
    auto why = blocked_behind_deliveries(machine.code(), Buffering::infinite, machine.state());
    if (!why) return true;
    std::erase_if(why->threads, [&](Blocked::Halted const& h) {
        return std::find(going_on.begin(), going_on.end(), h.thread) != going_on.end();
    });
    if (why->threads.empty()) return true;
    end_openly(*why, machine.code(), CutShort{.running = going_on, .dead = {}, .word = "rank"});
    return why->kind == Blocked::Kind::ended;
}

/// What calls of a program are called.
class Names {
public:
    Names(draft::Draft program, std::string_view word) : word_(word) {
        program.traces.clear();
        draft::name_locations(program);
        auto valid = draft::program_of(program);
        if (word.empty() || !valid) return;
        program_ = std::make_unique<Program>(std::move(*valid));
        code_ = std::make_unique<IndexedProgram>(*program_);
        if (!has_places(*code_)) code_.reset();
    }

    /// "at main.c:12 of rank 1", "S1_0"
    std::string operator()(CallId const& send) const {
        auto const a_s = code_ ? code_->names().actions.find(name_of(send)) : std::nullopt;
        if (!a_s) return name_of(send);
        explain::ToldByPlaces const told(*code_, word_);
        if (send.kind == CallId::Kind::send) return "at " + explain::shown_at_its_place(*code_, Action{*a_s});
        return fmt::format("at {} of {} {}", told.short_place(code_->issued_at(Action{*a_s})), word_, send.rank);
    }

private:
    std::string_view word_;
    std::unique_ptr<Program> program_;
    std::unique_ptr<IndexedProgram> code_; // null if they are called by their names
};

/// "the sends at main.c:12 of rank 1 and at main.c:12 of rank 0 wait for their receives"; nothing of no call.
std::string waiting(std::string_view what, std::string_view of_one, std::string_view of_several,
                    std::vector<std::string> shown) {
    constexpr std::size_t most = 4;
    if (shown.empty()) return {};
    if (shown.size() == 1) return fmt::format("the {} {} waits {}", what, shown.front(), of_one);
    if (shown.size() > most) {
        std::size_t const more = shown.size() - most;
        shown.resize(most);
        shown.push_back(fmt::format("{} more", more));
    }
    return fmt::format("the {}s {} and {} wait {}", what, fmt::join(shown.begin(), shown.end() - 1, ", "), shown.back(),
                       of_several);
}

} // namespace

std::vector<CallId> refusing_in(Recording const& run) {
    draft::Draft const with_run = program_with_run(run);
    if (with_run.traces.empty()) return {};
    Program const program = draft::valid_program_of(with_run);
    IndexedProgram const code(program);
    Machine machine(code, Buffering::infinite);
    if (machine::run(machine, 0, Extent::prefix).s == Status::error) return {};
    machine.keep_history();
    match_what_is_posted(machine);
    std::vector<std::uint32_t> going_on;
    std::vector<CallId> refusing;
    for (Rank const& rank : run.ranks) {
        if (rank.end == RankEnd::elsewhere) going_on.push_back(rank.number); // we ended it
        auto const passed = rank.end == RankEnd::blocked ? pass_call(machine, rank) : std::nullopt;
        if (!passed) continue;
        going_on.push_back(rank.number);
        for (Action const a : *passed) refusing.push_back(recorded_call(program.symbols(a)));
    }
    if (refusing.empty() || !could_others_end_it(machine, going_on)) return {};
    return refusing;
}

DeadlockOfLibrary deadlock_of_library(Prepared const& program, CutShort const& cut, std::function<bool()> cancelled) {
    check::CheckOptions options;
    options.refusals = check::Refusals::any;
    options.time = std::chrono::seconds(20);
    options.leaves_path = false;
    options.cancelled = std::move(cancelled);
    auto result = check::check(program.messages, options);
    end_openly(result, program.code, options.buffering, cut);
    check::Reached const& deadlock = result.deadlock;
    DeadlockOfLibrary found;
    found.is_known = deadlock.answer != check::Reached::Answer::unknown || !deadlock.why_unknown.empty();
    if (deadlock.answer != check::Reached::Answer::yes || deadlock.refusing.empty()) return found;
    Machine machine(program.code, Buffering::infinite);
    if (!check::refusing_at_end(machine, deadlock.schedule, Runs::executions))
        throw std::logic_error("a deadlock that depends on the library does not replay");
    for (Action const a : deadlock.refusing) found.refusing.push_back(recorded_call(program.program.symbols(a)));
    found.end = machine.state();
    return found;
}

std::optional<Blocked> blocked_by_refusals(IndexedProgram const& code, State const& state) {
    // No match is possible, so the same threads are stuck there under zero buffering.
    auto blocked = explain::blocked_behind_deliveries(code, Buffering::zero, state);
    if (!blocked) return std::nullopt;
    constexpr std::string_view zero = "with zero buffering "; // in front of what such a send waits for
    for (Blocked::Halted& h : blocked->threads) {
        if (h.why.starts_with(zero)) h.why.erase(0, zero.size());
        if (may_refuse(code, state, h.at)) h.why = explain::may_wait(code, state, h.call);
    }
    return blocked;
}

std::string waiting_in_words(draft::Draft const& program, std::span<CallId const> sends, std::string_view word) {
    Names const names(program, word);
    std::vector<std::string> alone;
    std::vector<std::string> collective;
    for (CallId const& send : sends) {
        (send.kind == CallId::Kind::collective ? collective : alone).push_back(names(send));
    }
    std::string const text = waiting("send", "for its receive", "for their receives", alone);
    return fmt::format("{}{}{}", text, alone.empty() || collective.empty() ? "" : ", and ",
                       waiting("collective call", "for other ranks", "for other ranks", collective));
}

} // namespace matchpoint::record
