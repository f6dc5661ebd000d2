#include "check/sat_search.hpp"

#include <algorithm>
#include <stdexcept>

#include "check/order_clauses.hpp"
#include "check/value_bounds.hpp"
#include "check/value_clauses.hpp"

namespace matchpoint::check {

namespace {

using Literal = SatSolver::Literal;

/// The clauses, and the loop that asks the solver and adds what the last solution had wrong.
class Search {
public:
    Search(DataFlow const& flow, Domains const& domains, MatchPairs const& pairs, SatOptions const& options,
           std::vector<std::uint32_t> const& fails)
        : m_(flow.messages()), options_(options), pairs_(pairs), matches_(sat_, m_, pairs, options.buffering),
          values_(sat_, flow, domains, pairs, matches_), feasibility_(m_, options.buffering) {
        values_.require(options.asked, fails);
    }

    /// Adds to the counts of the answer, too.
    SatAnswer::Kind run(SatAnswer& answer) {
        Matching m(m_);
        Schedule schedule;
        while (true) {
            if (answer.solver_calls >= options_.most_calls) return SatAnswer::Kind::beyond;
            ++answer.solver_calls;
            switch (is_stopped() ? SatSolver::Answer::stopped : sat_.solve(options_.stop)) {
            case SatSolver::Answer::unsatisfiable: return SatAnswer::Kind::none;
            case SatSolver::Answer::stopped: return SatAnswer::Kind::stopped;
            case SatSolver::Answer::satisfiable: break;
            }
            matches_.matching(m);
            if (std::uint64_t const clauses = block_cycles(m); clauses > 0) {
                answer.cycles += clauses;
                if (answer.cycles > many_cycles) block_all_cycles();
                continue;
            }
            schedule.clear();
            feasibility_.schedule(m, schedule);
            if (auto const s = values_.run(schedule, m); s && is_asked(*s)) {
                answer.run = replayed(m, std::move(schedule), *s);
                return SatAnswer::Kind::found;
            }
            std::uint64_t const clauses = values_.explain(m);
            if (clauses == 0) throw std::logic_error("sat: a solution is no such run, and nothing says why");
            answer.values += clauses;
        }
    }

private:
    bool is_stopped() const { return options_.stop && options_.stop(); }

    bool is_asked(Status s) const {
        switch (options_.asked) {
        case Asked::any: return true;
        case Asked::failure: return s == Status::failure;
        case Asked::success: break;
        }
        return s == Status::success;
    }

    Run replayed(Matching const& m, Schedule schedule, Status s) const {
        Machine machine(m_.code(), options_.buffering);
        if (machine::run(machine, schedule).s != s)
            throw std::logic_error("sat: the machine runs a match set otherwise");
        return {m, std::move(schedule), s};
    }

    /// Adds a blocking clause for each of some cycles that have no match in common. Returns how many.
    std::uint64_t block_cycles(Matching m) {
        constexpr std::size_t most = 100;
        std::vector<std::vector<Literal>> clauses;
        while (clauses.size() < most) {
            auto const conflict = feasibility_.conflict(m);
            // Without the matches of the cycles so far, it may be another rule that is broken.
            if (!conflict || (!clauses.empty() && conflict->kind != Conflict::Kind::cycle)) break;
            auto& clause = clauses.emplace_back();
            for (Pair const& p : conflict->core) {
                clause.push_back(-matches_(p));
                m[p.r] = unmatched;
            }
        }
        for (auto const& clause : clauses) sat_.add(clause);
        return clauses.size();
    }

    /// Once, unless that takes too many clauses.
    void block_all_cycles() {
        if (all_cycles_tried_) return;
        all_cycles_tried_ = true;
        order_clauses(m_, pairs_, options_.buffering, most_order_clauses,
                      {.match = [&](Pair p) { return matches_(p); },
                       .new_before = [&](auto, auto) { return sat_.new_variable(); },
                       .add = [&](std::vector<Literal> const& clause) { sat_.add(clause); }});
    }

    static constexpr std::uint64_t many_cycles = 100;
    static constexpr std::size_t most_order_clauses = 5'000'000;

    MessageIndex const& m_;
    SatOptions const& options_;
    MatchPairs const& pairs_;
    SatSolver sat_;
    MatchClauses matches_;
    ValueClauses values_;
    Feasibility feasibility_;
    bool all_cycles_tried_ = false;
};

/// What is left of the question after pruning.
class Pruning {
public:
    Pruning(DataFlow const& flow, SatOptions const& options) : flow_(flow), options_(options), domains_(flow) {
        if (options.asked != Asked::any)
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
        if (!narrow(domains_) || !domains_.has_matching()) return Result::no_run;
        auto candidates = domains_.candidates(options_.most_pairs);
        if (!candidates) return Result::too_many_pairs;
        pairs_ = tight(flow_.messages(), options_.buffering, std::move(*candidates), &counts);
        if (!ValueBounds::is_of_use(flow_)) return Result::pruned;
        ValueBounds bounds(flow_, pairs_);
        bool const is_possible = narrow(bounds);
        counts += bounds.counts();
        if (!is_possible) return Result::no_run;
        if (bounds.pairs() != pairs_) pairs_ = tight(flow_.messages(), options_.buffering, bounds.pairs(), &counts);
        return Result::pruned;
    }

    /// By Domains or ValueBounds. False: there is no run.
    bool narrow(auto& by) {
        if (!by.require(required_)) return false;
        if (options_.asked != Asked::failure) return true;
        std::erase_if(fails_, [&](std::uint32_t n) { return !by.may_hold({n, false}); });
        if (fails_.size() != 1) return !fails_.empty();
        // The assertion that is left has to fail. Together with the assumptions that narrows more than alone.
        required_.push_back({fails_[0], false});
        return by.require(required_);
    }

    DataFlow const& flow_;
    SatOptions const& options_;
    Domains domains_;
    MatchPairs pairs_;
    std::vector<Requirement> required_; // what every run of the kind satisfies
    std::vector<std::uint32_t> fails_;
};

} // namespace

SatAnswer solve(MessageIndex const& messages, SatOptions const& options) {
    DataFlow const flow(messages);
    Pruning pruning(flow, options);
    SatAnswer answer;
    switch (pruning.run(answer.inferences)) {
    case Pruning::Result::no_run: answer.kind = SatAnswer::Kind::none; return answer;
    case Pruning::Result::too_many_pairs: answer.kind = SatAnswer::Kind::beyond; return answer;
    case Pruning::Result::pruned: break;
    }
    answer.pairs = pruning.pairs().size();
    answer.kind = Search(flow, pruning.domains(), pruning.pairs(), options, pruning.fails()).run(answer);
    return answer;
}

} // namespace matchpoint::check
