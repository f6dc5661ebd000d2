// The SMT solver, on the exact encoding.
#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "check/engines/engines.hpp"
#include "encode/exact.hpp"
#include "encode/model.hpp"
#include "encode/partial_runs.hpp"
#include "executions/guided.hpp"
#include "explain/matching_words.hpp"
#include "explain/words.hpp"
#include "matching/candidate_windows.hpp"

namespace matchpoint::check {

namespace {

/// One question, with refinement: the problem grows by a blocking clause for each cycle in an answer.
class SmtQuestion {
public:
    SmtQuestion(Context& c, MatchPairs const& pairs, Asked asked)
        : c_(c), asked_(asked), need_not_complete_(asked == Asked::failure && c.runs_to_ask() == Runs::executions),
          feasibility_(c.messages(), c.options().buffering, need_not_complete_ ? Extent::prefix : Extent::complete) {
        EncoderOptions encoding;
        encoding.buffering = c.options().buffering;
        encoding.asked = asked;
        encoding.runs = c.runs_to_ask();
        encoding.order = !c.options().refine;
        encoding.check_sat = false;
        problem_ = need_not_complete_ ? encode_failing_execution(c.messages(), pairs, encoding)
                                      : encode_exact(c.messages(), pairs, encoding);
    }

    RunAnswer answer() {
        while (true) {
            std::optional<RunAnswer> done;
            std::visit(overloaded{
                           [&](SolverModel const& model) { done = examine(model); },
                           [&](NoModel) { done = NoRun{}; },
                           [&](Unanswered const& none) { done = none; },
                       },
                       ask_solver(c_, problem_, std::nullopt));
            if (done) return std::move(*done);
        }
    }

private:
    /// None if a clause was added, and the question is to be asked again.
    std::optional<RunAnswer> examine(SolverModel const& model) {
        auto matching = matching_of_model(c_.messages(), model.text, need_not_complete_);
        if (!matching) return wrong(matching.error());
        if (auto const conflict = feasibility_.conflict(*matching)) return refine(*matching, *conflict);
        if (need_not_complete_) return follow(*matching);
        Run run{std::move(*matching), {}, Status::success};
        feasibility_.schedule(run.matching, run.schedule);
        Outcome const outcome = c_.replay(run.schedule);
        run.s = outcome.s;
        if (!is_asked(asked_, run.s))
            return wrong(fmt::format("the execution with the matches of its model ends as {}", to_string(outcome.s)));
        return FoundRun{std::move(run)};
    }

    /// Runs the execution with these matches and no others, as far as it stays on the path. If it fails, it goes on
    /// with any others.
    RunAnswer follow(Matching const& m) {
        Explorer::Options options;
        options.buffering = c_.options().buffering;
        options.runs = Runs::executions;
        options.may_match = [&](Pair p) { return m[p.r] == p.s; };
        Explorer explorer(c_.messages(), options);
        auto const end = explorer.next();
        c_.known.work().steps += explorer.steps();
        if (!end || explorer.state().s != Status::failure)
            return wrong("the execution with the matches of its model does not fail");
        Guided const whole(c_.messages(), options.buffering, Runs::executions, explorer.schedule(), m);
        return FoundRun{run_of(c_.messages(), whole, whole.end())};
    }

    std::optional<RunAnswer> refine(Matching const& m, Conflict const& conflict) {
        if (!c_.options().refine || conflict.kind != Conflict::Kind::cycle)
            return wrong("no execution has the matches of its model: " + in_words(c_.messages(), conflict));
        // A solver that ignores the clauses must not keep us here for ever.
        for (auto const& core : blocked_)
            if (std::all_of(core.begin(), core.end(), [&](Pair p) { return m[p.r] == p.s; }))
                return wrong("its model has matches that a clause of the problem excludes: " +
                             in_words(c_.messages(), conflict));
        block(conflict.core);
        return std::nullopt;
    }

    void block(std::vector<Pair> const& core) {
        blocked_.push_back(core);
        ++c_.known.work().refinements;
        std::string clause;
        for (Pair const& p : core) clause += " (not " + match_term(c_.messages(), p) + ")";
        problem_ += core.size() == 1 ? fmt::format("(assert{})\n", clause) : fmt::format("(assert (or{}))\n", clause);
    }

    RunAnswer wrong(std::string_view what) const { return Unanswered{wrong_model(c_, what)}; }

    Context& c_;
    Asked asked_;
    bool need_not_complete_; // whether the run may get stuck or leave the path after it has failed
    Feasibility feasibility_;
    std::string problem_;
    std::vector<std::vector<Pair>> blocked_;
};

/// A problem is text, and a solver takes more for each pair than SAT in this process, which has given up.
std::uint64_t most_pairs(Context const& c) {
    std::uint64_t const most = c.options().engine == EngineChoice::automatic ? 3'000'000 : 30'000'000;
    return std::min<std::uint64_t>(most, c.options().memory / bytes_per_pair);
}

bool are_more(Context& c, std::uint64_t most) {
    CandidateWindows windows(c.messages(), c.options().buffering,
                             c.runs_to_ask() == Runs::executions ? Extent::prefix : Extent::complete);
    return windows.narrow(nullptr) && windows.size() > most;
}

} // namespace

void decide_by_smt(Context& c) {
    Buffering const buffering = c.options().buffering;
    if (std::uint64_t const most = most_pairs(c); are_more(c, most))
        return c.known.report({Trouble::Kind::limit, fmt::format("smt: more than {} match pairs", most)});
    MatchPairs const* const given = c.options().pairs;
    MatchPairs const pairs =
        given != nullptr ? *given : tight(c.messages(), buffering, nullptr, &c.known.work().inferences);
    MatchPairs const of_executions =
        c.runs_to_ask() == Runs::executions ? tight_on_path(c.messages(), buffering) : MatchPairs();
    c.known.work().match_pairs = std::max(pairs.size(), of_executions.size());
    decide_by_runs(c, c.by_smt(), [&](Asked asked) {
        bool const need_not_complete = asked == Asked::failure && c.runs_to_ask() == Runs::executions;
        return SmtQuestion(c, need_not_complete ? of_executions : pairs, asked).answer();
    });
}

RunAnswer ask_smt(Context& c, Asked asked) {
    bool const need_not_complete = asked == Asked::failure && c.runs_to_ask() == Runs::executions;
    Extent const extent = need_not_complete && !c.all_finish() ? Extent::prefix : Extent::complete;
    c.activity().begin(Activity::Stage::pruning);
    MatchPairs const pairs =
        tight(c.messages(), c.options().buffering, c.possible_pairs(), extent, nullptr, &c.known.work().inferences);
    c.known.work().match_pairs = std::max(c.known.work().match_pairs, pairs.size());
    Activity::set(c.activity().pairs, pairs.size());
    return SmtQuestion(c, pairs, asked).answer();
}

ModelAnswer ask_solver(Context& c, std::string const& problem, std::optional<std::chrono::milliseconds> time,
                       bool core) {
    if (c.out_of_time()) return Unanswered{Trouble{Trouble::Kind::limit, "out of time"}};
    CheckOptions const& options = c.options();
    if (!c.solver) c.solver.emplace(options.solver, options.limits);
    constexpr auto forever = std::chrono::milliseconds::max();
    c.solver->limit_time(
        std::min({time.value_or(forever), c.time_left().value_or(forever), options.limits.time.value_or(forever)}));
    if (c.activity().stage.load(std::memory_order_relaxed) != Activity::Stage::smt)
        c.activity().begin(Activity::Stage::smt);
    Activity::set(c.activity().calls, ++c.known.work().solver_calls);
    Answer answer = needing_model(c.solver->check(problem, {.model = true, .core = core}));
    auto const limit = [&]() -> ModelAnswer {
        return Unanswered{Trouble{Trouble::Kind::limit,
                                  fmt::format("{}: {}", options.solver.name, to_string(answer, options.solver))}};
    };
    auto const failed = [&]() -> ModelAnswer {
        std::string what = to_string(answer, options.solver);
        bool const is_limited = options.memory != SIZE_MAX;
        if (is_limited &&
            (what.find("out of memory") != std::string::npos || what.find("bad_alloc") != std::string::npos)) {
            std::string const memory = fmt::format("{}: out of memory", options.solver.name);
            return Unanswered{Trouble{Trouble::Kind::limit, memory}};
        }
        return Unanswered{Trouble{Trouble::Kind::solver, std::move(what)}};
    };
    return std::visit(overloaded{
                          [](answer::Sat& sat) -> ModelAnswer { return SolverModel{std::move(sat.model)}; },
                          [&](answer::Unsat& unsat) -> ModelAnswer {
                              if (!std::holds_alternative<std::monostate>(unsat.no_core)) return failed();
                              return NoModel{std::move(unsat.core)};
                          },
                          [&](answer::Unknown&) { return limit(); },
                          [&](answer::Timeout&) { return limit(); },
                          [&](answer::Crashed&) { return failed(); },
                          [&](answer::Missing&) { return failed(); },
                      },
                      answer);
}

Trouble wrong_model(Context const& c, std::string_view what) {
    return {Trouble::Kind::wrong_answer, fmt::format("{} says sat, but {}", c.options().solver.name, what)};
}

} // namespace matchpoint::check
