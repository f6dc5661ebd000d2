#include "record/verify_path.hpp"

#include <fmt/format.h>

#include "check/confirmed.hpp"
#include "explain/blocked.hpp"
#include "explain/collective_words.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "grammar/discipline.hpp"
#include "record/predicted.hpp"
#include "record/refusing.hpp"

namespace matchpoint::record {

namespace {

/// The program as libraries run it: they take a ready send that comes before its receive, too, and none ever waits.
draft::Draft with_ready_sends_buffered(draft::Draft program) {
    for (draft::Thread& thread : program.threads)
        for (draft::LocatedCommand& c : thread)
            if (auto* const send = std::get_if<grammar::SndiOf<draft::Text>>(&c.c);
                send != nullptr && send->mode == Mode::ready)
                send->mode = Mode::buffered;
    return program;
}

} // namespace

bool Verification::Path::goes_on_differently(draft::Draft const& program, RankEnds const& ends) const {
    for (std::size_t rank = 0; rank < ends.finished.size(); ++rank) {
        std::size_t const a = program_.threads[rank].size();
        std::size_t const b = program.threads[rank].size();
        if ((a < b && ends_.finished[rank]) || (b < a && ends.finished[rank])) return true;
    }
    return false;
}

std::optional<Wanted>
Verification::Path::next_time(std::function<bool(Alternative const&, Beginning const&)> const& has_tried) {
    auto const cancelled = [this] { return options_.is_over(); };
    while (next_alternative_ < alternatives_.all.size() && !cancelled()) {
        std::size_t const n = next_alternative_++;
        Alternative const& a = alternatives_.all[n];
        WayTo way = way_to(played_, a, options_.steps, cancelled);
        if (!way.is_known) ++times_not_tried_;
        if (!way.beginning || has_tried(a, *way.beginning)) continue;
        std::sort(way.matches.begin(), way.matches.end());
        open_.push_back({n, tried_ways_[a.key]});
        open_.back().ways.insert(way.matches);
        if (tried_times_.contains(a.key)) continue;
        return wanted_time(a, std::move(way));
    }
    for (OpenAlternative& open : open_) {
        Alternative const& a = alternatives_.all[open.number];
        while (open.next_received < received_.size() && !cancelled()) {
            if (reached_times_.contains(a.key)) break;
            Matches const& run = received_[open.next_received++];
            WayTo way = way_to(as_in_run(played_, run), a, options_.steps, cancelled);
            std::sort(way.matches.begin(), way.matches.end());
            bool const is_of_run =
                way.beginning && std::includes(run.begin(), run.end(), way.matches.begin(), way.matches.end());
            if (!is_of_run || !open.ways.insert(way.matches).second) continue;
            if (has_tried(a, *way.beginning)) continue;
            return wanted_time(a, std::move(way));
        }
    }
    return std::nullopt;
}

Wanted Verification::Path::wanted_time(Alternative const& a, WayTo way) const {
    Wanted w{number_, std::move(way.matches), {}, Prediction::passes, {}};
    w.time = a.key;
    w.time_in_words = a.words;
    w.beginning = std::move(way.beginning);
    return w;
}

void Verification::Path::tried_time(Tried const& t) {
    tried_times_.insert(t.wanted->time);
    tried_ways_[t.wanted->time].insert(t.wanted->matches);
    auto const common = common_calls(program_, t.recording.program);
    auto const a = std::find_if(alternatives_.all.begin(), alternatives_.all.end(),
                                [&](Alternative const& other) { return other.key == t.wanted->time; });
    if (common.size() != program_.threads.size() || a == alternatives_.all.end()) return;
    // It is not known what the other ranks were to do in a run that was made before.
    auto const& beginning = t.wanted->beginning;
    bool reached = common[a->rank] >= a->at;
    for (std::size_t rank = 0; beginning && rank < common.size(); ++rank)
        reached = reached && common[rank] >= beginning->commands[rank];
    // Unless the call has returned something before, it has to be there.
    draft::Thread const& thread = t.recording.program.threads[a->rank];
    bool const is_begun = a->is_also || (a->returns_no_more && a->completes.empty());
    reached = reached && (is_begun || (a->at < thread.size() && thread[a->at].choice));
    if (reached) reached_times_.insert(t.wanted->time);
}

std::optional<Wanted> Verification::Path::look_for_deadlock(draft::Draft program) {
    let_pass(program, tested_sends(program));
    auto const cancelled = [this] { return options_.is_over(); };
    while (!cancelled()) {
        Prepared const prepared(Source("", ""), draft::valid_program_of(program));
        auto found = record::deadlock_of_library(prepared, ends_.cut_short, cancelled);
        is_library_open_ = is_library_open_ || !found.is_known;
        asks_about_runs_ = asks_about_runs_ || found.is_hidden;
        if (!found.end) return std::nullopt;
        WaitsForAny const any = waits_for_any(program, prepared, *found.end);
        if (!any.some_return) {
            found.refusing.insert(found.refusing.end(), any.refusing.begin(), any.refusing.end());
            return wanted(prepared.code, matches_in(prepared, *found.end), std::move(found.refusing), *found.end);
        }
        asks_about_runs_ = true;
        if (!let_pass(program, any.let_pass)) return std::nullopt;
    }
    return std::nullopt;
}

/// In which receives get what they got in a run.
std::optional<Wanted> Verification::Path::look_for_deadlock_of(Matches const& run) {
    // That program has all these deadlocks, perhaps others, and fewer executions: so it is looked at first.
    Prepared const narrow(Source("", ""), draft::valid_program_of(as_in_run(played_, run)));
    auto const some = record::deadlock_of_library(narrow, ends_.cut_short, [this] { return options_.is_over(); });
    if (some.is_known && !some.is_hidden && !some.end) return std::nullopt;
    std::set<CallId> narrowed;
    while (true) {
        auto wanted = look_for_deadlock(only_as_in_run(played_, run, narrowed));
        if (!wanted) return std::nullopt;
        // Some rank is stuck before the program could leave the path.
        bool is_of_run = true, is_narrower = false;
        for (CallMatch const& m : wanted->matches)
            if (!std::binary_search(run.begin(), run.end(), m)) {
                is_of_run = false;
                is_narrower = narrowed.insert(m.first).second || is_narrower;
            }
        if (is_of_run) return wanted;
        if (!is_narrower) return std::nullopt; // the run did not say what this receive got
    }
}

std::optional<Wanted> Verification::Path::deadlock_of_library() {
    if (!prepared_) return std::nullopt;
    if (!asked_about_libraries_) {
        asked_about_libraries_ = true;
        is_library_open_ = false;
        if (auto wanted = look_for_deadlock(played_)) return wanted;
    }
    while (asks_about_runs_ && next_received_ < received_.size() && !options_.is_over()) {
        auto wanted = look_for_deadlock_of(received_[next_received_++]);
        if (wanted && !tried_refusals_.contains({wanted->matches, wanted->refusing})) return wanted;
    }
    return std::nullopt;
}

void Verification::Path::tried_library(Tried const& t) {
    asked_about_libraries_ = tried_library_ = true;
    tried_refusals_.insert({t.wanted->matches, t.wanted->refusing});
    if (t.deadlocked())
        asks_about_runs_ = false;
    else if (!t.followed)
        asks_about_runs_ = true;
}

Wanted Verification::Path::wanted(IndexedProgram const& code, Matches matches, std::vector<CallId> refusing,
                                  State const& end) const {
    Wanted w{number_, std::move(matches), std::move(refusing), Prediction::passes, {}};
    bool const refuses = !w.refusing.empty();
    if (end.s == Status::failure) {
        w.prediction = Prediction::fails;
    } else if (refuses || check::is_deadlock(Machine(code, Buffering::infinite, end))) {
        ToldByPlaces const told(code, options_.word, !options_.word.empty());
        auto why = refuses ? blocked_by_refusals(code, end) : blocked_behind_deliveries(code, Buffering::infinite, end);
        if (!why) return w;
        end_openly(*why, code, ends_.cut_short);
        if (why->kind == Blocked::Kind::ended) return w;
        w.prediction = Prediction::gets_stuck;
        w.why_stuck = shown(code, *why);
    }
    return w;
}

std::vector<std::string> Verification::Path::faults() const {
    std::vector<std::string> result;
    if (std::string const calls = mismatch(); !calls.empty())
        result.push_back(fmt::format("collective calls do not match, a fault: {}", calls));
    if (!early_send_.empty())
        result.push_back(fmt::format("a ready send can come before its receive, a fault: {}", early_send_));
    return result;
}

std::string Verification::Path::mismatch() const {
    if (!prepared_ || !prepared_->code.has_contested_calls()) return {};
    IndexedProgram const& code = prepared_->code;
    Collectives const& all = *code.collectives();
    ToldByPlaces const told(code, options_.word, !options_.word.empty());
    for (std::uint32_t i = 0; i < code.ctp().commands.size(); ++i) {
        Location const call{i};
        if (as_collective(code.command_at(call)) == nullptr || !all.is_contested(call)) continue;
        for (Collectives::Member const& m : all.members(call))
            if (!m.rho.is_none() && all.disagree(call, m.rho)) return explain::shown_mismatch(code, call, m.rho);
    }
    return {};
}

void Verification::Path::find_early_send() {
    early_send_.clear();
    check::CheckOptions options;
    options.time = std::chrono::seconds(10);
    options.cancelled = [this] { return options_.is_over(); };
    check::Reached const fault = check::check(prepared_->messages, options).fault;
    IndexedProgram const& code = prepared_->code;
    if (fault.answer == check::Reached::Answer::unknown)
        trouble_ = "it is not known whether each ready send finds a posted receive";
    if (!fault.fault || !std::holds_alternative<machine::reason::NoReceiveForReadySend>(fault.fault->stuck.reason))
        return;
    Machine machine(code, Buffering::infinite);
    static_cast<void>(machine::run(machine, fault.schedule, Extent::prefix));
    ToldByPlaces const told(code, options_.word, !options_.word.empty());
    early_send_ = explain::in_words(code, machine.state(), fault.fault->stuck.reason);
}

void Verification::Path::prepare() {
    sets_.reset();
    prepared_.reset();
    alternatives_ = alternatives(program_, options_.rounds);
    next_alternative_ = 0;
    open_.clear();
    times_not_tried_ = alternatives_.not_modelled;
    played_ = program_;
    Program program = draft::valid_program_of(program_);
    for (Diagnostic const& d : check_discipline(program, nullptr, Severity::error))
        if (d.severity == Severity::error) {
            trouble_ = fmt::format("a recording breaks rule {}: {}", d.rule, d.message);
            return;
        }
    prepared_ = std::make_unique<Prepared>(Source("", ""), std::move(program));
    if (prepared_->messages.may_lack_receives()) {
        find_early_send();
        played_ = with_ready_sends_buffered(program_);
        prepared_ = std::make_unique<Prepared>(Source("", ""), draft::valid_program_of(played_));
    }
    sets_ = std::make_unique<MatchSets>(
        *prepared_, MatchSets::Options{options_.steps, options_.memory, [this] { return options_.is_over(); }},
        [this](Matches matches, State const& end) { return wanted(prepared_->code, std::move(matches), {}, end); });
}

} // namespace matchpoint::record
