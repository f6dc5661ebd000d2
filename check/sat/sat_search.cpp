#include "check/sat/sat_search.hpp"

#include <algorithm>
#include <stdexcept>

#include "check/sat/channel_cases.hpp"
#include "check/sat/cycle_clauses.hpp"
#include "check/sat/value_bounds.hpp"
#include "check/sat/value_clauses.hpp"
#include "executions/directed.hpp"
#include "executions/guided.hpp"

namespace matchpoint::check {

namespace {

using Literal = SatSolver::Literal;

/// What a question is about.
struct SatQuestion {
    explicit SatQuestion(SatOptions const& options)
        : need_not_complete(options.runs == Runs::executions && options.asked == Asked::failure),
          extent(need_not_complete && !options.extendable ? Extent::prefix : Extent::complete) {}

    bool need_not_complete; // whether the run may get stuck or leave the path after it has failed
    Extent extent;          // of the match sets (executed_clauses.hpp)
};

Run run_of(MessageIndex const& messages, Scheduler const& execution, End end) {
    Run run{Matching(messages), execution.schedule(), execution.state().s,
            end == End::complete ? Extent::complete : Extent::prefix};
    execution.matching(run.matching);
    return run;
}

std::optional<Run> failing(MessageIndex const& messages, Scheduler const& execution, End end) {
    if (execution.state().s != Status::failure) return std::nullopt;
    return run_of(messages, execution, end);
}

/// One execution that keeps to the pairs, if it is as it is asked for.
std::optional<Run> directed(MessageIndex const& messages, MatchPairs const& pairs, SatOptions const& options,
                            SatQuestion const& question) {
    Runs const runs = question.need_not_complete ? Runs::executions : Runs::complete;
    Directed const execution(messages, options.buffering, runs, pairs);
    if (runs == Runs::complete) {
        bool const is_it = execution.end() == End::complete && is_asked(options.asked, execution.state().s);
        return is_it ? std::optional(run_of(messages, execution, End::complete)) : std::nullopt;
    }
    if (execution.state().s != Status::failure) return std::nullopt;
    Matching m(messages);
    execution.matching(m);
    Guided const whole(messages, options.buffering, runs, execution.schedule(), m);
    return failing(messages, whole, whole.end());
}

/// The clauses, and the loop that asks the solver and adds what the last solution had wrong.
class Search {
public:
    Search(DataFlow const& flow, Domains const& domains, MatchPairs const& pairs, SatOptions const& options,
           SatQuestion const& question, std::vector<std::uint32_t> const& fails)
        : m_(flow.messages()), options_(options), question_(question), pairs_(pairs),
          matches_(sat_, m_, pairs, options.buffering, question.extent),
          values_(sat_, flow, question.extent == Extent::complete ? &domains : nullptr, pairs, matches_),
          feasibility_(m_, options.buffering, question.extent),
          cycles_(sat_, m_, pairs_, options.buffering, matches_, feasibility_) {
        if (options.activity != nullptr) sat_.count_conflicts(options.activity->conflicts);
        if (question.need_not_complete) {
            ExecutedClauses executed(sat_, flow, pairs, matches_, options.buffering, question.extent);
            values_.require_failure(executed, fails);
        } else {
            values_.require(options.asked, fails);
        }
    }

    /// Adds to the counts of the answer, too.
    SatAnswer::Kind run(SatAnswer& answer) {
        Matching m(m_);
        while (true) {
            if (answer.solver_calls >= options_.most_calls) return SatAnswer::Kind::beyond;
            ++answer.solver_calls;
            if (options_.activity != nullptr) Activity::set(options_.activity->calls, answer.solver_calls);
            switch (solved()) {
            case SatSolver::Answer::unsatisfiable: return SatAnswer::Kind::none;
            case SatSolver::Answer::stopped: return SatAnswer::Kind::stopped;
            case SatSolver::Answer::satisfiable: break;
            }
            matches_.matching(m);
            if (std::uint64_t const clauses = cycles_.block(m); clauses > 0) {
                answer.cycles += clauses;
                continue;
            }
            answer.run = run_of(m);
            if (answer.run) return SatAnswer::Kind::found;
            std::uint64_t const clauses = values_.explain(m);
            if (clauses == 0) throw std::logic_error("sat: a solution is no such run, and nothing says why");
            answer.values += clauses;
        }
    }

private:
    /// A run with these matches if it is as asked; otherwise none, and values_ knows its values.
    std::optional<Run> run_of(Matching const& m) {
        if (question_.extent == Extent::prefix) return run_of_part(m);
        schedule_.clear();
        feasibility_.schedule(m, schedule_);
        auto const s = values_.run(schedule_, m);
        if (question_.need_not_complete) {
            Guided const execution(m_, options_.buffering, Runs::executions, schedule_, m);
            return failing(m_, execution, execution.end());
        }
        return s && is_asked(options_.asked, *s) ? std::optional(replayed(m, *s)) : std::nullopt;
    }

    /// The same of matches that need not complete. With these and no others, an execution has no choice.
    std::optional<Run> run_of_part(Matching const& m) {
        Explorer::Options options;
        options.buffering = options_.buffering;
        options.runs = Runs::executions;
        options.may_match = [&](Pair p) { return m[p.r] == p.s; };
        Explorer execution(m_, std::move(options));
        auto const end = execution.next();
        if (!end) throw std::logic_error("sat: no execution has the matches of a solution");
        if (execution.state().s == Status::failure) {
            Guided const whole(m_, options_.buffering, Runs::executions, execution.schedule(), m);
            return failing(m_, whole, whole.end());
        }
        values_.run(execution.schedule(), m);
        return std::nullopt;
    }

    SatSolver::Answer solved() {
        if (!options_.stop) return sat_.solve({});
        auto const is_stopped = [this] { return options_.stop(sat_.time_to_free()); };
        return is_stopped() ? SatSolver::Answer::stopped : sat_.solve(is_stopped);
    }

    Run replayed(Matching const& m, Status s) {
        Machine machine(m_.code(), options_.buffering);
        if (machine::run(machine, schedule_).s != s)
            throw std::logic_error("sat: the machine runs a match set otherwise");
        return {m, std::move(schedule_), s};
    }

    MessageIndex const& m_;
    SatOptions const& options_;
    SatQuestion const& question_;
    MatchPairs const& pairs_;
    SatSolver sat_;
    MatchClauses matches_;
    ValueClauses values_;
    Feasibility feasibility_;
    CycleClauses cycles_;
    Schedule schedule_;
};

/// What is left of the question after pruning.
class Pruning {
public:
    Pruning(DataFlow const& flow, SatOptions const& options, SatQuestion const& question)
        : flow_(flow), options_(options), question_(question), domains_(flow, question.extent, true) {
        if (options.asked != Asked::any && !question.need_not_complete)
            for (std::uint32_t const n : flow.assumptions()) required_.push_back({n, true});
        if (options.asked == Asked::success)
            for (std::uint32_t const n : flow.assertions()) required_.push_back({n, true});
        if (options.asked == Asked::failure) fails_ = flow.assertions();
    }

    enum class Result : std::uint8_t { pruned, no_run, too_many_pairs };
    Result run(InferenceCounts& counts) {
        Result const result = prune(counts);
        counts += domains_.counts();
        return result;
    }

    Domains const& domains() const { return domains_; }
    MatchPairs const& pairs() const { return pairs_; }
    /// The assertions of which one has to fail.
    std::vector<std::uint32_t> const& fails() const { return fails_; }

private:
    Result prune(InferenceCounts& counts) {
        if (!narrow(domains_) || (completes() && !domains_.has_matching())) return Result::no_run;
        if (!narrow_by_channels(counts)) return Result::no_run;
        CandidateWindows windows(flow_.messages(), options_.buffering, question_.extent);
        if (!match_what_is_certain(windows) || !windows.narrow(&counts)) return Result::no_run;
        auto candidates = domains_.candidates(windows, options_.most_pairs);
        if (!candidates) return Result::too_many_pairs;
        if (options_.may_match)
            for (std::uint32_t r = 0; r < candidates->of.size(); ++r)
                std::erase_if(candidates->of[r], [&](std::uint32_t s) { return !options_.may_match({r, s}); });
        pairs_ =
            tight(flow_.messages(), options_.buffering, std::move(*candidates), question_.extent, nullptr, &counts);
        if (!completes()) return Result::pruned; // what is left holds of complete runs
        if (!ValueBounds::is_of_use(flow_)) return Result::pruned;
        ValueBounds bounds(flow_, pairs_, 5'000'000 + 10 * pairs_.size());
        bool const is_possible = narrow(bounds);
        counts += bounds.counts();
        if (!is_possible) return Result::no_run;
        if (bounds.pairs() != pairs_) pairs_ = tight(flow_.messages(), options_.buffering, bounds.pairs(), &counts);
        return Result::pruned;
    }

    bool narrow_by_channels(InferenceCounts& counts) {
        ChannelCases cases(flow_);
        bool const is_possible = narrow(cases);
        counts += cases.counts();
        return is_possible;
    }

    bool completes() const { return question_.extent == Extent::complete; }

    /// In a complete run each receive gets a message. False: there is none.
    bool match_what_is_certain(CandidateWindows& windows) const {
        if (!completes()) return true;
        for (std::uint32_t r = 0; r < flow_.messages().receives().size(); ++r)
            if (auto const s = domains_.only_send(r); s && !windows.match({r, *s})) return false;
        return true;
    }

    /// The assumptions that are executed wherever one of the assertions is: those before all of them in their thread.
    void require_what_comes_first() {
        required_.clear();
        IndexedProgram const& code = flow_.messages().code();
        auto const command = [&](std::uint32_t n) { return flow_.command_of(n); };
        auto const thread = [&](std::uint32_t n) { return code.thread_of({command(n)}); };
        bool const in_one_thread = std::all_of(fails_.begin(), fails_.end(),
                                               [&](std::uint32_t n) { return thread(n) == thread(fails_.front()); });
        if (!in_one_thread) return; // then they have no assumption in common
        std::uint32_t const first = *std::ranges::min_element(fails_, {}, command);
        for (std::uint32_t const a : flow_.assumptions())
            if (thread(a) == thread(first) && command(a) < command(first)) required_.push_back({a, true});
    }

    /// By Domains or ValueBounds. False: there is no run.
    bool narrow(auto& by) {
        if (options_.asked == Asked::failure && fails_.empty()) return false;
        if (question_.need_not_complete) require_what_comes_first();
        if (!by.require(required_)) return false;
        if (options_.asked != Asked::failure) return true;
        std::erase_if(fails_, [&](std::uint32_t n) { return !by.may_hold({n, false}); });
        if (fails_.size() != 1) return !fails_.empty();
        // The assertion that is left has to fail. Together with the assumptions that narrows more than alone.
        if (question_.need_not_complete) require_what_comes_first();
        required_.push_back({fails_[0], false});
        return by.require(required_);
    }

    DataFlow const& flow_;
    SatOptions const& options_;
    SatQuestion const& question_;
    Domains domains_;
    MatchPairs pairs_;
    std::vector<Requirement> required_; // what every run of the kind satisfies
    std::vector<std::uint32_t> fails_;
};

} // namespace

SatAnswer solve(MessageIndex const& messages, SatOptions const& options) {
    DataFlow const flow(messages);
    SatQuestion const question(options);
    Pruning pruning(flow, options, question);
    SatAnswer answer;
    switch (pruning.run(answer.inferences)) {
    case Pruning::Result::no_run: answer.kind = SatAnswer::Kind::none; return answer;
    case Pruning::Result::too_many_pairs: answer.kind = SatAnswer::Kind::beyond; return answer;
    case Pruning::Result::pruned: break;
    }
    answer.pairs = pruning.pairs().size();
    if (options.activity != nullptr) {
        Activity::set(options.activity->pairs, answer.pairs);
        options.activity->begin(Activity::Stage::sat);
    }
    if (answer.pairs >= options.direct_from) {
        answer.run = directed(messages, pruning.pairs(), options, question);
        answer.kind = SatAnswer::Kind::found;
        if (answer.run) return answer;
    }
    answer.kind = Search(flow, pruning.domains(), pruning.pairs(), options, question, pruning.fails()).run(answer);
    return answer;
}

} // namespace matchpoint::check
