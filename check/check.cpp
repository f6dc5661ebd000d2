#include "check/check.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "check/sat_engine.hpp"
#include "encode/exact.hpp"
#include "encode/model.hpp"
#include "encode/partial_runs.hpp"
#include "executions/sample.hpp"
#include "executions/state_abstraction.hpp"
#include "report/matching_words.hpp"
#include "report/words.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;

/// What is known of the executions so far, and what is still to be settled.
class Checker {
public:
    Checker(MessageIndex const& messages, CheckOptions const& options)
        : m_(messages), options_(options), can_fault_(may_divide_by_zero(messages.code().ctp())) {
        if (options.time) deadline_ = Clock::now() + *options.time;
        if (!can_fault_) result_.fault.answer = Reached::Answer::no;
    }

    CheckResult take() {
        try {
            switch (options_.engine) {
            case EngineChoice::explore: explore(options_.steps); break;
            case EngineChoice::smt:
                sample();
                if (!nothing_completes()) smt();
                // Whatever became of the solver.
                if (failure_) conclude(Verdict::violated, "samples");
                stops();
                break;
            case EngineChoice::sat:
                sample();
                if (!nothing_completes()) sat();
                if (failure_) conclude(Verdict::violated, "samples");
                stops();
                break;
            case EngineChoice::automatic:
                sample();
                decide_by_samples();
                if (!settled()) explore(std::min(options_.steps, first()), options_.steps <= first());
                if (result_.verdict == Verdict::unknown) sat(calls);
                if (result_.verdict == Verdict::unknown) smt();
                if (!settled() && !finished_) stops();
                // What the solver left open.
                if (!settled() && !finished_ && result_.verdict == Verdict::unknown) explore(options_.steps);
                break;
            }
        } catch (LimitReached const& e) {
            trouble(Trouble::Kind::limit, e.what());
        } catch (std::bad_alloc const&) {
            trouble(Trouble::Kind::limit, "out of memory");
        }
        if (result_.verdict == Verdict::violated) nearest_safe_run();
        return std::move(result_);
    }

private:
    // Machine steps of an exploration that is only a try, some hundredths of a second: what a state costs grows with the
    // program. And of one beside a verdict.
    std::uint64_t first() const {
        return std::clamp<std::uint64_t>(2'000'000 / (m_.code().ctp().commands.size() + 1), 1000, 300'000);
    }
    // Solver calls of SAT, where something else can be tried: each adds what the one before had wrong.
    static constexpr std::uint64_t calls = 2000;
    static constexpr std::uint64_t beside = 3'000'000;
    // That deadlocks and faults may take beside a verdict, where nobody said how long all may take.
    static constexpr std::chrono::milliseconds beside_time{5000};
    static constexpr auto forever = std::chrono::milliseconds::max();

    bool settled() const {
        return result_.verdict != Verdict::unknown && result_.deadlock.answer != Reached::Answer::unknown &&
               result_.fault.answer != Reached::Answer::unknown;
    }
    void trouble(Trouble::Kind kind, std::string what) {
        // A solver that is missing is missing for the next problem, too.
        for (Trouble const& t : result_.trouble)
            if (t.kind == kind && t.what == what) return;
        result_.trouble.push_back({kind, std::move(what)});
    }
    void conclude(Verdict v, std::string engine) {
        if (result_.verdict != Verdict::unknown) return;
        result_.verdict = v;
        result_.engine = std::move(engine);
        if (v == Verdict::safe) result_.run = success_;
        if (v == Verdict::vacuous) result_.run = infeasible_;
        if (v != Verdict::violated) return;
        // Once more from the beginning, as anybody else would.
        if (replay(failure_->schedule).s != Status::failure)
            throw std::logic_error("check: a failing execution does not replay");
        result_.run = failure_;
    }

    std::optional<std::chrono::milliseconds> time_left() const {
        if (!deadline_) return std::nullopt;
        auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
        return std::max(left, std::chrono::milliseconds(0));
    }
    bool out_of_time() const { return deadline_ && time_left()->count() == 0; }

    /// An execution of the driver's, at its end.
    void found(Scheduler const& driver, End end) {
        switch (end) {
        case End::complete: {
            Status const s = driver.state().s;
            auto& kept = s == Status::success ? success_ : s == Status::failure ? failure_ : infeasible_;
            if (kept) return;
            kept.emplace(CompleteRun{driver.schedule(), Matching(m_), s});
            driver.matching(kept->matching);
            return;
        }
        case End::deadlock: reach(result_.deadlock, driver); return;
        case End::fault: reach(result_.fault, driver); return;
        case End::pruned: return;
        }
    }
    static void reach(Reached& reached, Scheduler const& driver) {
        if (reached.answer == Reached::Answer::yes) return;
        reached.answer = Reached::Answer::yes;
        reached.schedule = driver.schedule();
        reached.fault = driver.fault();
    }
    Outcome replay(Schedule const& schedule) const {
        Machine machine(m_.code(), options_.buffering);
        return run(machine, schedule);
    }

    void sample() {
        if (options_.samples == 0) return;
        std::mt19937_64 random(1);
        bool const deterministic = control_is_deterministic();
        bool const alike = deterministic && values_are_determined();
        std::uint64_t const commands = m_.code().ctp().commands.size() + 1;
        // Not more than the rest would cost: of a large program only a few.
        std::uint64_t const count = std::clamp<std::uint64_t>(20'000'000 / commands, 1, options_.samples);
        for (std::uint64_t i = 0; i < count && !out_of_time(); ++i) {
            Sample const sample(m_, options_.buffering, random);
            ++result_.samples;
            result_.steps += sample.steps();
            found(sample, sample.end());
            if (alike && options_.engine == EngineChoice::automatic) {
                decide_by_one(sample.end());
                return;
            }
            if (deterministic && sample.end() != End::fault) {
                control_is_known_ = true;
                no_run_completes_ = sample.end() == End::deadlock;
                if (!no_run_completes_) result_.deadlock.answer = Reached::Answer::no;
                if (nothing_completes()) return;
            }
            if (failure_ && options_.engine == EngineChoice::automatic) return;
        }
    }

    /// Whether how far threads get does not depend on who gets which message. With infinite buffering what a thread waits
    /// for is how many messages there are, never which; with zero buffering it may be that a certain one is taken, and
    /// there is no choice only where each endpoint has one channel.
    bool control_is_deterministic() const {
        if (options_.buffering == Buffering::infinite) return true;
        for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta)
            if (m_.channels_to({beta}).size() > 1) return false;
        return true;
    }
    /// Whether, beside that, no choice has a value that counts: each endpoint whose messages can flow into an assumption,
    /// an assertion or a divisor has one channel.
    bool values_are_determined() const {
        StateAbstraction const abstraction(m_);
        for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta)
            if (abstraction.is_relevant({beta}) && m_.channels_to({beta}).size() > 1) return false;
        return true;
    }
    /// All executions end as one did.
    void decide_by_one(End end) {
        std::string const engine = "one execution, as all are alike";
        if (end != End::deadlock) result_.deadlock.answer = Reached::Answer::no;
        if (end != End::fault) result_.fault.answer = Reached::Answer::no;
        conclude(failure_ ? Verdict::violated : success_ ? Verdict::safe : Verdict::vacuous, engine);
    }
    /// Then, if one execution gets stuck without a fault, all do.
    bool nothing_completes() {
        if (!control_is_known_ || !no_run_completes_) return false;
        conclude(Verdict::vacuous, "control flow");
        return true;
    }
    void decide_by_samples() {
        nothing_completes();
        if (failure_) conclude(Verdict::violated, "samples");
    }

    void explore(std::uint64_t steps, bool is_last = true, std::chrono::milliseconds at_most = forever) {
        Explorer::Options options;
        options.buffering = options_.buffering;
        options.verdicts_only = true;
        options.control_only =
            result_.verdict != Verdict::unknown && result_.fault.answer != Reached::Answer::unknown && !can_fault_;
        Explorer explorer(m_, options);
        std::uint64_t const slice = first(); // between looks at the clock
        bool stopped = false;
        auto const begin = Clock::now();
        if (failure_) conclude(Verdict::violated, "samples");
        while (!explorer.done()) {
            auto const end = explorer.next(std::min(slice, steps - std::min(steps, explorer.steps())));
            if (end) found(explorer, *end);
            if (end) contradictions();
            if (failure_) conclude(Verdict::violated, "explore");
            if (settled() || explorer.done()) break;
            if (explorer.steps() >= steps || out_of_time() || (at_most != forever && Clock::now() - begin > at_most)) {
                stopped = true;
                break;
            }
        }
        finished_ = explorer.done();
        result_.executions += explorer.counts().executions;
        result_.steps += explorer.steps();
        if (stopped) {
            if (is_last)
                trouble(Trouble::Kind::limit,
                        fmt::format("exploration {} after {}, {} seen", out_of_time() ? "out of time" : "stopped",
                                    plural(explorer.steps(), "machine step"),
                                    plural(explorer.counts().states, "state")));
            return;
        }
        if (!explorer.done()) return; // what is settled needs no more
        auto const no = [](Reached& r) {
            if (r.answer == Reached::Answer::unknown) r.answer = Reached::Answer::no;
        };
        no(result_.deadlock);
        no(result_.fault);
        conclude(success_ ? Verdict::safe : Verdict::vacuous, "explore");
    }

    /// A solver's word does not stand against an execution that an exploration finds later.
    void contradictions() {
        bool const fails = failure_ && (result_.verdict == Verdict::safe || result_.verdict == Verdict::vacuous);
        if (!fails && !(success_ && result_.verdict == Verdict::vacuous)) return;
        trouble(Trouble::Kind::wrong_answer, fmt::format("{} says that no execution {}, and here is one that does",
                                                         options_.solver.name, fails ? "fails" : "succeeds"));
        result_.verdict = Verdict::unknown;
        result_.run.reset();
    }

    void sat(std::uint64_t most_calls = UINT64_MAX) {
        constexpr std::string_view engine = "sat";
        auto const failing = ask_sat(Asked::failure, most_calls);
        if (!failing) return;
        if (*failing) {
            failure_ = std::move(**failing);
            conclude(Verdict::violated, std::string(engine));
            return;
        }
        if (failure_) throw std::logic_error("check: sat says that no execution fails, and one does");
        if (!success_) {
            auto const succeeding = ask_sat(Asked::success, most_calls);
            if (!succeeding) return;
            if (*succeeding) success_ = std::move(**succeeding);
        }
        conclude(success_ ? Verdict::safe : Verdict::vacuous, std::string(engine));
    }

    /// Inner: a complete run, replayed, or none. Outer: none if there is no answer, and the trouble is noted.
    std::optional<std::optional<CompleteRun>> ask_sat(Asked asked, std::uint64_t most_calls) {
        SatOptions options;
        options.most_calls = most_calls;
        options.buffering = options_.buffering;
        options.asked = asked;
        if (deadline_) options.stop = [this] { return out_of_time(); };
        options.most_pairs = std::min(options.most_pairs, options_.memory / 500);
        SatAnswer answer;
        try {
            answer = solve(m_, options);
        } catch (std::bad_alloc const&) {
            trouble(Trouble::Kind::limit, "sat: out of memory");
            return std::nullopt;
        }
        result_.match_pairs = std::max(result_.match_pairs, answer.pairs);
        result_.solver_calls += answer.solver_calls;
        result_.refinements += answer.cycles + answer.values;
        switch (answer.kind) {
        case SatAnswer::Kind::found:
            return std::optional(
                CompleteRun{std::move(answer.run->schedule), std::move(answer.run->matching), answer.run->s});
        case SatAnswer::Kind::none: return std::optional<CompleteRun>();
        case SatAnswer::Kind::stopped: trouble(Trouble::Kind::limit, "sat: out of time"); break;
        case SatAnswer::Kind::beyond:
            if (most_calls == UINT64_MAX)
                trouble(Trouble::Kind::limit, fmt::format("sat: more than {} match pairs", options.most_pairs));
            break;
        }
        return std::nullopt;
    }

    void smt() {
        MatchPairs const pairs = tight(m_, options_.buffering);
        result_.match_pairs = pairs.size();
        std::string const engine = fmt::format("smt ({})", options_.solver.name);

        auto const failing = ask(pairs, Asked::failure);
        if (!failing) return;
        if (*failing) {
            failure_ = std::move(**failing);
            conclude(Verdict::violated, engine);
            return;
        }
        if (failure_) {
            trouble(Trouble::Kind::wrong_answer,
                    fmt::format("{} says that no execution fails, and here is one that does", options_.solver.name));
            conclude(Verdict::violated, "samples");
            return;
        }
        if (!success_) {
            auto const succeeding = ask(pairs, Asked::success);
            if (!succeeding) return;
            if (*succeeding) success_ = std::move(**succeeding);
        }
        conclude(success_ ? Verdict::safe : Verdict::vacuous, engine);
    }

    /// Inner: the model, or none if there is none. Outer: none if there is no answer, and the trouble is noted.
    std::optional<std::optional<std::string>> answer_to(std::string const& problem, std::chrono::milliseconds at_most) {
        if (out_of_time()) {
            trouble(Trouble::Kind::limit, "out of time");
            return std::nullopt;
        }
        if (!solver_) solver_.emplace(options_.solver, options_.limits);
        solver_->limit_time(std::min({at_most, time_left().value_or(forever), options_.limits.time.value_or(forever)}));
        ++result_.solver_calls;
        Answer const answer = solver_->check(problem, {.model = true});
        if (std::holds_alternative<answer::Unsat>(answer)) return std::optional<std::string>();
        if (auto const* const sat = std::get_if<answer::Sat>(&answer)) return std::optional(sat->model);
        bool const limit =
            std::holds_alternative<answer::Unknown>(answer) || std::holds_alternative<answer::Timeout>(answer);
        std::string const what = to_string(answer, options_.solver);
        trouble(limit ? Trouble::Kind::limit : Trouble::Kind::solver,
                limit ? fmt::format("{}: {}", options_.solver.name, what) : what);
        return std::nullopt;
    }
    void wrong_answer(std::string_view what) {
        trouble(Trouble::Kind::wrong_answer, fmt::format("{} says sat, but {}", options_.solver.name, what));
    }

    /// Inner: a complete run, replayed, or none. Outer: none if there is no answer, and the trouble is noted.
    std::optional<std::optional<CompleteRun>> ask(MatchPairs const& pairs, Asked asked) {
        EncoderOptions encoding;
        encoding.buffering = options_.buffering;
        encoding.asked = asked;
        encoding.order = !options_.refine;
        encoding.check_sat = false;
        std::string problem = encode_exact(m_, pairs, encoding);
        Feasibility feasibility(m_, options_.buffering);
        std::vector<std::vector<Pair>> excluded;
        while (true) {
            auto const answer = answer_to(problem, forever);
            if (!answer) return std::nullopt;
            if (!*answer) return std::optional<CompleteRun>();
            auto const lied = [&](std::string_view what) {
                wrong_answer(what);
                return std::nullopt;
            };
            auto matching = matching_of_model(m_, **answer);
            if (!matching) return lied(matching.error());
            if (auto const conflict = feasibility.conflict(*matching)) {
                if (!options_.refine || conflict->kind != Conflict::Kind::cycle)
                    return lied("no execution has the matches of its model: " + explain(m_, *conflict));
                // Otherwise it could go on like that for ever.
                for (auto const& core : excluded)
                    if (std::all_of(core.begin(), core.end(), [&](Pair p) { return (*matching)[p.r] == p.s; }))
                        return lied("its model has matches that a clause of the problem excludes: " +
                                    explain(m_, *conflict));
                excluded.push_back(conflict->core);
                ++result_.refinements;
                std::string clause;
                for (Pair const& p : conflict->core) clause += " (not " + match_term(m_, p) + ")";
                problem += conflict->core.size() == 1 ? fmt::format("(assert{})\n", clause)
                                                      : fmt::format("(assert (or{}))\n", clause);
                continue;
            }
            CompleteRun run{{}, std::move(*matching), asked == Asked::failure ? Status::failure : Status::success};
            feasibility.schedule(run.matching, run.schedule);
            Outcome const outcome = replay(run.schedule);
            if (outcome.s != run.s)
                return lied(
                    fmt::format("the execution with the matches of its model ends as {}", to_string(outcome.s)));
            return std::optional(std::move(run));
        }
    }

    /// Deadlocks and faults, by the solver.
    void stops() {
        using Answer = Reached::Answer;
        // With nothing but deadlocks open, states differ in counts only, and a small program has few.
        if (result_.verdict != Verdict::unknown && result_.deadlock.answer == Answer::unknown && !can_fault_)
            explore(std::min(options_.steps, beside), false, beside_time);
        if (options_.engine == EngineChoice::sat) {
            if (!settled()) explore(std::min(options_.steps, beside), true, beside_time);
            return;
        }
        if (result_.deadlock.answer == Answer::unknown && options_.buffering == Buffering::zero)
            ask(result_.deadlock, Stop::deadlock, End::deadlock);
        if (result_.fault.answer == Answer::unknown) ask(result_.fault, Stop::fault, End::fault);
        // Infinite buffering, and every sample ended in a fault: a deadlock is where none does.
        // Whoever asks for the solver does not want another engine's verdict.
        if (result_.deadlock.answer == Answer::unknown && options_.engine == EngineChoice::smt &&
            result_.verdict != Verdict::unknown)
            explore(std::min(options_.steps, beside), true, beside_time);
    }

    void ask(Reached& reached, Stop stop, End expected) {
        auto const answer = answer_to(encode_stop(m_, options_.buffering, stop),
                                      result_.verdict == Verdict::unknown || options_.time ? forever : beside_time);
        if (!answer) return;
        if (!*answer) {
            reached.answer = Reached::Answer::no;
            return;
        }
        auto const matching = matching_of_model(m_, **answer, true);
        if (!matching) {
            wrong_answer(matching.error());
            return;
        }
        // The machine goes there, with these matches and no other ones.
        Explorer::Options options;
        options.buffering = options_.buffering;
        options.may_match = [&](Pair p) { return (*matching)[p.r] == p.s; };
        Explorer explorer(m_, options);
        auto const end = explorer.next();
        result_.steps += explorer.steps();
        if (end == expected)
            reach(reached, explorer);
        else
            wrong_answer(fmt::format("the matches of its model do not lead to a {}",
                                     stop == Stop::deadlock ? "deadlock" : "fault"));
    }

    /// For a failing run, a successful one that differs in as few matches as was found: one receive gets another send,
    /// or two change theirs.
    void nearest_safe_run() {
        Feasibility feasibility(m_, options_.buffering);
        Matching m = result_.run->matching;
        std::vector<std::uint32_t> receive_of(m_.sends().size(), unmatched);
        for (std::uint32_t r = 0; r < m.size(); ++r) receive_of[m[r]] = r;
        std::uint64_t tries = 20'000'000 / (m_.code().ctp().commands.size() + 1);
        Schedule schedule;
        for (std::uint32_t r = 0; r < m.size(); ++r) {
            std::uint32_t const was = m[r];
            for (std::uint32_t const s : overapprox(m_, r, false)) {
                std::uint32_t const other = receive_of[s];
                if (s == was || (other != unmatched && other < r)) continue;
                if (tries-- == 0 || out_of_time()) {
                    result_.safe = success_;
                    return;
                }
                m[r] = s;
                if (other != unmatched) m[other] = was;
                bool good = !feasibility.breaks_a_rule(m);
                if (good) {
                    feasibility.schedule(m, schedule);
                    good = replay(schedule).s == Status::success;
                }
                if (good) {
                    result_.safe = CompleteRun{schedule, m, Status::success};
                    return;
                }
                m[r] = was;
                if (other != unmatched) m[other] = s;
            }
        }
        result_.safe = success_;
    }

    MessageIndex const& m_;
    CheckOptions const& options_;
    bool can_fault_;
    std::optional<Clock::time_point> deadline_;
    CheckResult result_;
    std::optional<Solver> solver_;
    std::optional<CompleteRun> success_;
    std::optional<CompleteRun> failure_;
    std::optional<CompleteRun> infeasible_;
    bool control_is_known_ = false; // infinite buffering: how far threads get if nothing faults
    bool no_run_completes_ = false;
    bool finished_ = false; // an exploration
};

} // namespace

std::string_view to_string(Verdict v) {
    switch (v) {
    case Verdict::violated: return "violated";
    case Verdict::safe: return "safe";
    case Verdict::vacuous: return "vacuous";
    case Verdict::unknown: break;
    }
    return "unknown";
}

CheckResult check(MessageIndex const& messages, CheckOptions const& options) {
    return Checker(messages, options).take();
}

std::uint32_t orphans_at(MessageIndex const& messages, Endpoint beta) {
    auto const receives = static_cast<std::uint32_t>(messages.receives_at(beta).size());
    return messages.sends_to(beta) > receives ? messages.sends_to(beta) - receives : 0;
}

} // namespace matchpoint::check
