#include "record/refusing.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numbers.hpp"
#include "check/check.hpp"
#include "check/confirmed.hpp"
#include "explain/collective_words.hpp"
#include "explain/message_words.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "machine/machine.hpp"
#include "machine/refusing_calls.hpp"
#include "record/choices.hpp"
#include "record/predicted.hpp"
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
std::optional<std::vector<Action>> pass_call(Machine& machine, std::uint32_t thread, std::uint32_t posted) {
    IndexedProgram const& code = machine.code();
    std::uint32_t const end = code.ctp().threads[thread].last - posted;
    std::vector<Action> refusing;
    std::size_t passed = 0;
    while (machine.state().ctp[thread] < end) {
        Location const rho{machine.state().ctp[thread]};
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
    if (machine.state().ctp[thread] >= end) return refusing;
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
    auto const pass = [&](std::uint32_t thread, std::uint32_t posted) {
        auto const passed = pass_call(machine, thread, posted);
        if (!passed) return;
        going_on.push_back(thread);
        for (Action const a : *passed) refusing.push_back(recorded_call(program.symbols(a)));
    };
    for (Rank const& rank : run.ranks) {
        if (rank.end == RankEnd::elsewhere) going_on.push_back(rank.number); // we ended it
        if (rank.end == RankEnd::blocked) pass(rank.number, rank.posted);
        for (FurtherThread const& f : rank.further) {
            if (rank.end == RankEnd::elsewhere) going_on.push_back(f.thread);
            if (!f.blocked_in.empty()) pass(f.thread, f.posted);
        }
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
    if (deadlock.answer != check::Reached::Answer::yes) return found;
    found.is_hidden = deadlock.refusing.empty();
    if (found.is_hidden) return found;
    Machine machine(program.code, Buffering::infinite);
    if (!check::refusing_at_end(machine, deadlock.schedule, Runs::executions))
        throw std::logic_error("a deadlock that depends on the library does not replay");
    for (Action const a : deadlock.refusing) found.refusing.push_back(recorded_call(program.program.symbols(a)));
    found.end = machine.state();
    return found;
}

namespace {

using Sndi = grammar::SndiOf<draft::Text>;

/// The messages that receives got and probes saw in a run.
class Got {
public:
    Got(draft::Draft const& program, std::vector<CallMatch> const& matches) : send_of_(matches.begin(), matches.end()) {
        for (draft::Thread const& thread : program.threads)
            for (draft::LocatedCommand const& at : thread)
                if (auto const* const s = as_sndi(at.c)) {
                    sends_.emplace(recorded_call(s->a.text), *s);
                    has_tags_ = has_tags_ || !s->tag.text.empty();
                }
    }
    /// Null if nothing is known of the receive.
    Sndi const* by(draft::Action const& receive) const {
        auto const match = send_of_.find(recorded_call(receive.text));
        auto const send = match == send_of_.end() ? sends_.end() : sends_.find(match->second);
        return send == sends_.end() ? nullptr : &send->second;
    }
    /// Whether some message has a tag.
    bool has_tags() const { return has_tags_; }

private:
    std::map<CallId, CallId> send_of_;
    std::map<CallId, Sndi> sends_;
    bool has_tags_ = false;
};

draft::Tag tag_of(Sndi const& send) { return send.tag.text.empty() ? draft::Tag("0") : send.tag; }

/// Makes a receive or a probe admit only such messages as the one that it got.
void narrow(auto& receive, Got const& got) {
    Sndi const* const send = got.by(receive.a);
    if (send == nullptr) return;
    receive.sel.from = std::vector<draft::Endpoint>{send->alpha};
    if (got.has_tags()) receive.sel.tags = {tag_of(*send)};
}

/// What says that a receive or a probe got such a message as in the run. No nodes if it can get no other.
draft::Expression as_got(auto& receive, Got const& got) {
    draft::Expression same;
    Sndi const* const send = got.by(receive.a);
    if (send == nullptr) return same;
    auto const require = [&](std::optional<draft::Variable>& x, std::string_view word, std::string const& value) {
        if (!x) x = draft::Variable(fmt::format("{}_{}", word, receive.a.text));
        draft::Expression is_same = draft::operation(grammar::Op::equal, draft::variable(*x),
                                                     draft::number(to_number<std::int64_t>(value).value_or(0)));
        same = same.nodes.empty() ? std::move(is_same)
                                  : draft::operation(grammar::Op::and_, std::move(same), std::move(is_same));
    };
    if (!receive.sel.from || receive.sel.from->size() != 1) require(receive.sel.source, "source", send->alpha.text);
    if (got.has_tags() && (!receive.sel.tags || receive.sel.tags->size() != 1))
        require(receive.sel.tagged, "tag", tag_of(*send).text);
    return same;
}

} // namespace

draft::Draft as_in_run(draft::Draft program, std::vector<CallMatch> const& matches) {
    Got const got(program, matches);
    for (draft::Thread& thread : program.threads)
        for (draft::LocatedCommand& at : thread) {
            if (auto* const r = std::get_if<grammar::RcviOf<draft::Text>>(&at.c)) narrow(*r, got);
            if (auto* const p = std::get_if<grammar::ProbeOf<draft::Text>>(&at.c)) narrow(*p, got);
        }
    return program;
}

draft::Draft only_as_in_run(draft::Draft program, std::vector<CallMatch> const& matches,
                            std::set<CallId> const& narrowed) {
    Got const got(program, matches);
    for (draft::Thread& thread : program.threads) {
        draft::Thread result;
        std::map<std::string, draft::Expression> same; // receive -> what its wait is to be followed by
        std::vector<draft::Expression> due;
        for (std::size_t i = 0; i < thread.size(); ++i) {
            draft::LocatedCommand& at = result.emplace_back(thread[i]);
            if (auto* const r = std::get_if<grammar::RcviOf<draft::Text>>(&at.c)) {
                if (narrowed.contains(recorded_call(r->a.text)))
                    narrow(*r, got);
                else
                    same[r->a.text] = as_got(*r, got);
            } else if (auto* const p = std::get_if<grammar::ProbeOf<draft::Text>>(&at.c)) {
                due.push_back(as_got(*p, got));
            } else if (auto const* const w = as_wait(at.c)) {
                if (auto const found = same.find(w->a.text); found != same.end()) due.push_back(found->second);
                // The waits of one call stay together.
                bool const goes_on =
                    i + 1 < thread.size() && as_wait(thread[i + 1].c) != nullptr && thread[i + 1].at == thread[i].at;
                if (goes_on) continue;
            }
            for (draft::Expression& e : std::exchange(due, {}))
                if (!e.nodes.empty()) result.emplace_back(draft::assume(std::move(e)));
        }
        thread = std::move(result);
    }
    return program;
}

namespace {

/// The test that succeeded, and that a wait belongs to; null if the rank really waits.
draft::LocatedCommand const* test_before(draft::Thread const& thread, std::size_t wait) {
    std::size_t i = wait;
    while (i != 0 && as_wait(thread[i].c) != nullptr) --i;
    auto const& choice = thread[i].choice;
    bool const is_test = choice && choice->is_test() && *choice->result && choice->of != ChoiceOfTime::Of::seen;
    if (!is_test) return nullptr;
    auto const& tested = choice->actions;
    bool const is_tested = std::find(tested.begin(), tested.end(), as_wait(thread[wait].c)->a.text) != tested.end();
    // What follows can be a wait of its own.
    bool const is_its = is_tested && (wait == i + 1 || choice->of == ChoiceOfTime::Of::all ||
                                      (choice->of == ChoiceOfTime::Of::some && is_same_call(thread, wait)));
    return is_its ? &thread[i] : nullptr;
}

/// Whether a request of a call is complete, or could be if the library does not let it wait.
enum class Progress : std::uint8_t { none, of_library, complete };

Progress progress_of(std::string const& action, Prepared const& prepared, State const& state,
                     std::vector<CallMatch> const& matches) {
    auto const a = prepared.code.names().actions.find(action);
    if (!a) return Progress::none;
    if (auto const* const send = prepared.code.as_sndi(Action{*a})) {
        if (send->mode == Mode::buffered || is_taken(state, prepared.code, Action{*a})) return Progress::complete;
        return machine::depends_on_library(send->mode) ? Progress::of_library : Progress::none;
    }
    CallId const id = recorded_call(action);
    bool const is_matched =
        std::any_of(matches.begin(), matches.end(), [&](CallMatch const& m) { return m.first == id; });
    return is_matched ? Progress::complete : Progress::none;
}

} // namespace

std::set<std::string> tested_sends(draft::Draft const& program) {
    std::set<std::string> result;
    for (draft::Thread const& thread : program.threads)
        for (std::size_t i = 0; i < thread.size(); ++i)
            if (auto const* const wait = as_wait(thread[i].c); wait != nullptr && test_before(thread, i) != nullptr)
                result.insert(wait->a.text);
    return result;
}

bool let_pass(draft::Draft& program, std::set<std::string> const& sends) {
    bool is_other = false;
    for (draft::Thread& thread : program.threads)
        for (draft::LocatedCommand& at : thread)
            if (auto* const s = std::get_if<grammar::SndiOf<draft::Text>>(&at.c);
                s != nullptr && machine::depends_on_library(s->mode) && sends.contains(s->a.text)) {
                s->mode = Mode::buffered;
                is_other = true;
            }
    return is_other;
}

WaitsForAny waits_for_any(draft::Draft const& program, Prepared const& prepared, State const& state) {
    WaitsForAny result;
    auto const matches = matches_in(prepared, state);
    for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
        draft::Thread const& thread = program.threads[t];
        std::size_t const at = state.ctp[t] - prepared.code.ctp().threads[t].first;
        auto const* const wait = at < thread.size() ? as_wait(thread[at].c) : nullptr;
        if (wait == nullptr) continue;
        auto const& choice = thread[at].choice;
        if (!choice || choice->is_test() || choice->of == ChoiceOfTime::Of::all) continue;
        // It returned others before.
        bool returns = is_same_call(thread, at);
        for (std::string const& action : choice->actions) {
            if (action == wait->a.text) continue;
            Progress const progress = progress_of(action, prepared, state, matches);
            returns = returns || progress == Progress::complete;
            if (progress == Progress::of_library) result.refusing.push_back(recorded_call(action));
        }
        if (!returns) continue;
        result.some_return = true;
        result.let_pass.insert(wait->a.text);
    }
    return result;
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
