#include "record/threads/search.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "check/bound.hpp"
#include "executions/shared/raced_variables.hpp"
#include "machine/machine.hpp"
#include "record/predicted.hpp"
#include "record/threads/deadlock.hpp"

namespace matchpoint::record::threads {

using check::Reached;
using check::Verdict;

struct PathSearch::Known {
    RecordedPath path;
    bool is_part = false;            // of another one
    bool is_judged = false;          // failures, deadlocks and races were looked for
    bool is_closed = false;          // nothing leads from it to a path that is not known
    bool is_bounded = false;         // with as few context switches as are looked at
    std::set<Leaving> left_out = {}; // of questions: they are open
    std::map<Leaving, unsigned> tries = {};
};

/// What a replay is to show.
struct PathSearch::Prediction {
    enum class Kind : std::uint8_t { fails, gets_stuck, leaves } kind = Kind::leaves;
    Leaving where = {}; // leaves
    std::string words;
};

PathSearch::PathSearch(SearchOptions options, std::function<void(ProgramRun const&)> report)
    : options_(std::move(options)), report_(std::move(report)) {}
PathSearch::~PathSearch() = default;

RecordedPath const& PathSearch::path(std::size_t number) const { return known_[number - 1]->path; }

void PathSearch::open(std::string what) {
    if (std::find(result_.open.begin(), result_.open.end(), what) == result_.open.end())
        result_.open.push_back(std::move(what));
}

bool PathSearch::may_go_on() {
    if (!result_.stopped.empty()) return false;
    if (options_.interrupted && options_.interrupted()) {
        result_.is_interrupted = true;
        result_.stopped = "it was interrupted";
    } else if (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline) {
        result_.stopped = "the time is up";
    } else if (options_.first && has_failed_) {
        result_.stopped = "a run went wrong";
    }
    return result_.stopped.empty();
}

void PathSearch::not_run() {
    result_.could_not_run = may_go_on(); // otherwise it was interrupted
    if (result_.could_not_run) result_.stopped = "the program could not be run";
}

check::CheckOptions PathSearch::limits() const {
    check::CheckOptions o = options_.check;
    o.cancelled = options_.interrupted;
    if (!options_.deadline) return o;
    auto const left =
        std::chrono::duration_cast<std::chrono::milliseconds>(*options_.deadline - std::chrono::steady_clock::now());
    o.time = std::max(std::min(o.time.value_or(left), left), std::chrono::milliseconds(1));
    return o;
}

// ---- runs ----------------------------------------------------------------------------------------------------------

void PathSearch::take(ProgramRun run) {
    auto const& paths = run.recording.paths;
    for (auto const& k : known_) {
        if (run.path != 0 || k->is_part || !is_part(paths, k->path.threads())) continue;
        run.path = k->path.number();
        // The same run, but more is known of what threads wait for that were ended.
        if (!is_part(k->path.threads(), paths)) continue;
        std::size_t const known = k->path.known_ends();
        RecordedPath again(run.path, run.recording);
        again.learn_ends(k->path.threads());
        if (again.known_ends() > known)
            k->path = std::move(again);
        else
            k->path.learn_ends(paths);
        if (k->path.known_ends() == known) continue;
        k->is_judged = k->is_closed = false;
        k->left_out.clear();
        ++replaced_;
    }
    if (run.path == 0) {
        run.is_new_path = true;
        run.path = known_.size() + 1;
        for (auto const& k : known_) k->is_part = k->is_part || is_part(k->path.threads(), paths);
        known_.push_back(std::make_unique<Known>(Known{RecordedPath(run.path, run.recording)}));
    }
    if (run.end == RunEnd::failed) note_failed_assertion(run.recording.program);
    if (run.end == RunEnd::deadlocked) deadlocks_.insert(waits_of(run.recording));
    has_failed_ = has_failed_ || run.end == RunEnd::failed || run.end == RunEnd::deadlocked;
    report_(run);
}

void PathSearch::note_failed_assertion(draft::Draft const& program) {
    if (program.traces.empty() || program.traces[0].empty()) return;
    for (draft::Thread const& thread : program.threads)
        for (draft::LocatedCommand const& c : thread) {
            bool const is_last = c.rho == program.traces[0].back().rho;
            if (is_last && c.at && std::holds_alternative<grammar::AssertOf<draft::Text>>(c.c))
                failed_at_.emplace(c.at->file, c.at->line);
        }
}

void PathSearch::end_by_leaving(Known const& k, Leaving const& at, matching::Prepared const& prepared,
                                ThreadSchedule& schedule) {
    draft::Thread const& thread = k.path.program().threads[at.thread];
    auto const m = at.command < thread.size() ? k.path.mark_of(at.thread, at.command) : std::nullopt;
    auto const* const guarded = m ? std::get_if<grammar::GuardedOf<draft::Text>>(&thread[at.command].c) : nullptr;
    auto const* const assumes = m ? std::get_if<grammar::AssumeOf<draft::Text>>(&thread[at.command].c) : nullptr;
    bool sees_others = false;
    auto const look = [&](draft::Expression const& e) {
        draft::for_each_variable(e, [&](draft::Variable const& x) {
            auto const& shared = k.path.program().shared;
            sees_others = sees_others || std::any_of(shared.begin(), shared.end(),
                                                     [&](draft::SharedVariable const& s) { return s.x == x; });
        });
    };
    if (assumes != nullptr) look(assumes->e);
    if (guarded != nullptr) {
        look(guarded->e);
        for (draft::Assignment const& a : guarded->assigned) look(a.e);
    }
    // An event that has more commands is named after the others.
    bool const is_event = m && std::isdigit(static_cast<unsigned char>(thread[at.command].rho.back())) != 0;
    auto const go_first = [&] { schedule.let_go_first(at.thread, k.path.events_before(at.thread, at.command)); };
    if (!sees_others || !is_event) return go_first();

    PathMark const& mark = k.path.threads()[at.thread].marks[*m];
    std::optional<bool> without_signal;
    if (mark.kind == PathMark::Kind::object && mark.value / 2 == matchpoint_wait_ends) {
        without_signal = mark.value % 2 == 0;
        auto const* const lock = at.command + 1 < thread.size()
                                     ? std::get_if<grammar::GuardedOf<draft::Text>>(&thread[at.command + 1].c)
                                     : nullptr;
        Machine machine(prepared.code, Buffering::infinite);
        static_cast<void>(machine::run(machine, 1, Extent::prefix));
        bool is_free = lock != nullptr && lock->blocks;
        if (is_free)
            draft::for_each_variable(lock->e, [&](draft::Variable const& x) {
                auto const mutex = prepared.code.names().variables.find(x.text);
                is_free = is_free && mutex && machine.state().h[*mutex] == Value::integer(1);
            });
        if (!is_free) return go_first();
    }
    schedule.end_with(at.thread, static_cast<std::uint32_t>(mark.event), without_signal);
}

std::optional<ProgramRun> PathSearch::replay(Known& k, std::vector<std::string> const& trace, Prediction const& p) {
    if (result_.runs >= options_.limit) {
        result_.stopped = fmt::format("the limit of {} was reached", plural(options_.limit, "run"));
        return std::nullopt;
    }
    draft::Draft program = k.path.program();
    program.traces.resize(1);
    program.traces.emplace_back();
    for (std::string const& rho : trace) program.traces[1].push_back({rho, {}});
    matching::Prepared const prepared(Source("", ""), draft::valid_program_of(program));
    auto const predicted = record::predict(prepared, 1, Buffering::infinite, {});
    auto schedule = ThreadSchedule::of(prepared, 1, p.kind == Prediction::Kind::fails);
    if (!schedule || !predicted) {
        open(fmt::format("path {}: an execution cannot be replayed: {}", k.path.number(),
                         schedule ? predicted.error() : schedule.error()));
        return std::nullopt;
    }
    // A run has shown it.
    if (p.kind == Prediction::Kind::gets_stuck && deadlocks_.contains(waits_of(prepared, *predicted)))
        return std::nullopt;
    if (p.kind == Prediction::Kind::leaves) end_by_leaving(k, p.where, prepared, *schedule);
    auto run = options_.execute(++result_.runs, schedule->text(options_.patience));
    if (!run) {
        not_run();
        return std::nullopt;
    }
    run->number = result_.runs;
    run->why = p.words;
    run->from = k.path.number();
    if (run->report && run->report->diverged)
        run->divergence = divergence_in_words(prepared, *schedule, *run->report->diverged);
    if (p.kind == Prediction::Kind::leaves) return run;
    auto const c = run->report ? confirmation(prepared, *schedule, *predicted, *run->report, run->end, run->recording)
                               : Confirmation::diverged;
    bool const is_wrong = run->end == RunEnd::failed || run->end == RunEnd::deadlocked;
    if (c != Confirmation::confirmed && c != Confirmation::other_deadlock)
        result_.unconfirmed.push_back(fmt::format("not confirmed by run {}: {}; {}", run->number, p.words,
                                                  !run->divergence.empty()       ? run->divergence
                                                  : c == Confirmation::cut_off   ? "the run was ended"
                                                  : c == Confirmation::too_early ? "the run ended before"
                                                  : is_wrong                     ? "the run went wrong in another way"
                                                                                 : "the run passed"));
    return run;
}

// ---- failures, deadlocks and races ---------------------------------------------------------------------------------

namespace {

std::string place_of(draft::LocatedCommand const& c) {
    return c.at ? fmt::format("{}:{}", c.at->file, c.at->line) : c.rho;
}

/// The commands of a schedule up to the end of the run, by name.
std::vector<std::string> trace_of(check::Schedule const& schedule, matching::Prepared const& prepared) {
    std::vector<std::string> trace;
    Machine machine(prepared.code, Buffering::infinite);
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        auto const entry = schedule.entry(i);
        trace.emplace_back(prepared.code.names()(entry.rho));
        if (machine.step(entry).is_stuck() || machine.state().s != Status::success) break;
    }
    return trace;
}

draft::LocatedCommand& command_called(draft::Draft& program, std::string_view rho) {
    for (draft::Thread& thread : program.threads)
        for (draft::LocatedCommand& c : thread)
            if (c.rho == rho) return c;
    throw std::logic_error("a command that the program does not have");
}

/// What threads would have done next that were ended is not known, and may be what others wait for. Where they have
/// done all that is recorded, they leave the path.
void leave_where_recordings_end(draft::Draft& program, std::vector<ThreadPath> const& threads) {
    for (std::size_t t = 0; t < threads.size(); ++t)
        if (!threads[t].has_ended)
            program.threads[t].emplace_back(draft::assume(draft::truth(false)), fmt::format("end.{}", t));
}

bool is_done(draft::Thread const& thread, std::vector<std::string> const& trace) {
    return thread.empty() || std::find(trace.begin(), trace.end(), thread.back().rho) != trace.end();
}

/// From now on the assertion ends executions, and is no failure.
void assume_instead(draft::LocatedCommand& c) {
    if (auto* const a = std::get_if<grammar::AssertOf<draft::Text>>(&c.c)) c.c = draft::assume(std::move(a->e));
}

} // namespace

/// Nobody waits once a thread is done that ends the program. So the question is asked again without that.
std::vector<std::string> PathSearch::ask_before_exit(draft::Draft const& program, std::uint32_t thread,
                                                     check::CheckOptions const& options, check::Reached& deadlock) {
    matching::Prepared const prepared(Source("", ""), draft::valid_program_of(with_its_exit(program, thread)));
    deadlock = deadlock_without_failure(check::check(prepared.messages, options).deadlock, prepared, options);
    std::vector<std::string> trace;
    if (deadlock.answer == Reached::Answer::yes)
        for (std::string& rho : trace_of(deadlock.schedule, prepared))
            if (!rho.starts_with("over.")) trace.push_back(std::move(rho));
    return trace;
}

void PathSearch::judge(Known& k) {
    k.is_judged = true;
    if (options_.begins) options_.begins(fmt::format("path {}: what can go wrong", k.path.number()));
    draft::Draft program = k.path.program();
    program.traces.clear();
    for (draft::Thread& thread : program.threads)
        for (draft::LocatedCommand& c : thread)
            if (c.at && failed_at_.contains({c.at->file, c.at->line})) assume_instead(c);
    leave_where_recordings_end(program, k.path.threads());
    bool asks_for_deadlocks = true;
    while (may_go_on()) {
        matching::Prepared const prepared(Source("", ""), draft::valid_program_of(program));
        check::CheckOptions o = limits();
        o.runs = Runs::executions;
        o.leaves_path = false;
        o.stops = asks_for_deadlocks;
        if (!prepared.code.shares()) o.bound.reset();
        check::CheckResult found = check::check(prepared.messages, o);
        bool const is_bounded = check::none_fails_within_bound(found, o);
        o.bound.reset(); // it is about failures
        if (asks_for_deadlocks && is_bounded && found.deadlock.answer == Reached::Answer::unknown)
            found.deadlock = check::check(prepared.messages, o).deadlock;
        if (asks_for_deadlocks) {
            check::Reached stuck = deadlock_without_failure(found.deadlock, prepared, o);
            std::vector<std::string> trace;
            if (stuck.answer == Reached::Answer::yes) trace = trace_of(stuck.schedule, prepared);
            auto const exits = k.path.recording().exits;
            if (stuck.answer == Reached::Answer::yes && exits && is_done(program.threads[*exits], trace))
                trace = ask_before_exit(program, *exits, o, stuck);
            if (stuck.answer == Reached::Answer::unknown)
                open(fmt::format("whether path {} can deadlock", k.path.number()));
            if (stuck.answer == Reached::Answer::yes)
                if (auto run = replay(
                        k, trace,
                        {Prediction::Kind::gets_stuck, {}, fmt::format("path {} can deadlock", k.path.number())}))
                    take(std::move(*run));
            if (found.race && found.race->answer != Reached::Answer::no) look_for_races(k, program);
        }
        asks_for_deadlocks = false;
        k.is_bounded = k.is_bounded || is_bounded;
        if (found.verdict == Verdict::unknown && !is_bounded)
            open(fmt::format("whether an assertion can fail on path {}", k.path.number()));
        if (found.verdict != Verdict::violated || !may_go_on()) return;
        auto const trace = trace_of(found.run->schedule, prepared);
        draft::LocatedCommand& assertion = command_called(program, trace.back());
        std::string const at = place_of(assertion);
        auto run =
            replay(k, trace, {Prediction::Kind::fails, {}, fmt::format("path {} can fail at {}", k.path.number(), at)});
        if (!run) return;
        take(std::move(*run));
        assume_instead(assertion);
    }
}

void PathSearch::look_for_races(Known& k, draft::Draft program) {
    while (may_go_on()) {
        matching::Prepared const prepared(Source("", ""), draft::valid_program_of(program));
        check::CheckOptions o = limits();
        o.bound.reset();
        o.runs = Runs::executions;
        o.leaves_path = false;
        auto const found = check::check(prepared.messages, o);
        if (!found.race || found.race->answer == Reached::Answer::no) return;
        if (found.race->answer == Reached::Answer::unknown)
            return open(fmt::format("whether path {} has other data races", k.path.number()));
        std::string const x(prepared.code.names()(found.race->x));
        auto const access = [&](Location rho) {
            std::string const name(prepared.code.names()(rho));
            auto const& c = command_called(program, name);
            auto const* const assigned = std::get_if<grammar::AssignOf<draft::Text>>(&c.c);
            FoundRace::Access a{prepared.code.thread_of(rho), "accesses", name, 0};
            if (assigned != nullptr) a.what = assigned->x.text == x ? "writes" : "reads";
            if (c.at) a.file = c.at->file;
            if (c.at) a.line = c.at->line;
            return a;
        };
        FoundRace race{x, access(found.race->first), access(found.race->second)};
        if (std::find(result_.races.begin(), result_.races.end(), race) == result_.races.end())
            result_.races.push_back(std::move(race));
        for (draft::SharedVariable& s : program.shared) s.is_atomic = s.is_atomic || s.x.text == x;
    }
}

// ---- other paths ---------------------------------------------------------------------------------------------------

std::vector<RecordedPath const*> PathSearch::alive(Known const& of, std::size_t& index) const {
    std::vector<RecordedPath const*> paths;
    for (auto const& k : known_) {
        if (k.get() == &of) index = paths.size();
        if (!k->is_part) paths.push_back(&k->path);
    }
    return paths;
}

std::string PathSearch::place(Known const& k, Leaving const& at) const {
    draft::Thread const& thread = k.path.program().threads[at.thread];
    if (at.command == thread.size()) return fmt::format("thread {} of path {} can go on", at.thread, k.path.number());
    return fmt::format("thread {} of path {} can go another way at {}", at.thread, k.path.number(),
                       place_of(thread[at.command]));
}

void PathSearch::follow(Known& k, LeavingAnswer const& answer) {
    std::string const words = place(k, answer.where);
    auto run = replay(k, answer.trace, {Prediction::Kind::leaves, answer.where, words});
    if (!run) {
        k.left_out.insert(answer.where);
        return;
    }
    std::size_t const before = known_.size() + replaced_;
    std::string const diverged = run->divergence;
    bool const was_cut = run->end == RunEnd::ended;
    std::uint64_t const number = run->number;
    take(std::move(*run));
    if (known_.size() + replaced_ > before) return; // the question is asked again
    // Others can end a run again before the thread has gone on.
    constexpr unsigned most_tries = 5;
    bool const is_end = answer.where.command == k.path.program().threads[answer.where.thread].size();
    if (is_end && diverged.empty() && !was_cut && ++k.tries[answer.where] < most_tries) return;
    k.left_out.insert(answer.where);
    open(fmt::format("whether {}: run {} {}", words, number,
                     !diverged.empty() ? diverged
                     : was_cut         ? "was ended"
                                       : "was to, and did not; what decides is not recorded, or is a choice of time"));
}

void PathSearch::ask_singly(Known& k, std::vector<RecordedPath const*> const& known, std::size_t index) {
    LeavingQuestion const all(known, index, k.left_out);
    for (Leaving const& at : all.places()) {
        if (!may_go_on()) return;
        auto const answer = LeavingQuestion(known, index, k.left_out, at).ask(limits());
        if (answer.answer == Reached::Answer::yes) return follow(k, answer);
        if (answer.answer == Reached::Answer::no || answer.is_bounded) {
            k.is_bounded = k.is_bounded || answer.is_bounded;
            continue;
        }
        k.left_out.insert(at);
        open(fmt::format("whether {}", place(k, at)));
    }
    k.is_closed = true;
}

void PathSearch::look_for_leaving(Known& k) {
    if (options_.begins) options_.begins(fmt::format("path {}: what else can happen", k.path.number()));
    std::size_t index = 0;
    auto const known = alive(k, index);
    LeavingQuestion const question(known, index, k.left_out);
    auto const answer = question.ask(limits());
    if (!may_go_on()) return;
    if (answer.answer == Reached::Answer::yes) {
        follow(k, answer);
    } else if (answer.answer == Reached::Answer::no || answer.is_bounded) {
        k.is_closed = true;
        k.is_bounded = k.is_bounded || answer.is_bounded;
    } else {
        ask_singly(k, known, index);
    }
}

Searched PathSearch::run() {
    // A schedule without events: only the exit of the program waits for what its threads still do.
    auto first = options_.execute(++result_.runs, ThreadSchedule().text(options_.patience));
    if (!first) {
        not_run();
        return result_;
    }
    first->number = result_.runs;
    take(std::move(*first));
    // What goes wrong on paths that are known comes before paths that are not.
    while (may_go_on()) {
        auto const next = [&](auto const& is_wanted) {
            return std::find_if(known_.begin(), known_.end(),
                                [&](auto const& k) { return !k->is_part && is_wanted(*k); });
        };
        auto at = next([](Known const& k) { return !k.is_judged; });
        bool const judges = at != known_.end();
        if (!judges) at = next([](Known const& k) { return !k.is_closed; });
        if (at == known_.end()) break;
        Known& k = **at;
        try {
            judges ? judge(k) : look_for_leaving(k);
        } catch (LimitReached const& e) {
            open(fmt::format("path {}: {}", k.path.number(), e.what()));
            (judges ? k.is_judged : k.is_closed) = true;
        } catch (std::bad_alloc const&) {
            open(fmt::format("path {}: out of memory", k.path.number()));
            (judges ? k.is_judged : k.is_closed) = true;
        }
    }
    for (auto const& k : known_) {
        if (k->is_part) continue;
        ++result_.paths;
        result_.done += k->is_judged && k->is_closed && !k->is_bounded && k->left_out.empty() ? 1 : 0;
        result_.leaves_out_switches = result_.leaves_out_switches || k->is_bounded;
    }
    return result_;
}

} // namespace matchpoint::record::threads
