// The SAT solver in this process (sat_search.hpp).
#include <algorithm>
#include <chrono>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "check/engines/engines.hpp"
#include "check/sat/sat_search.hpp"
#include "check/shared/search.hpp"

namespace matchpoint::check {

RunAnswer ask_sat(Context& c, Asked asked, std::uint64_t most_calls) {
    SatOptions options;
    options.most_calls = most_calls;
    options.buffering = c.options().buffering;
    if (asked == Asked::failure && c.is_on_path()) {
        options.runs = c.runs_to_ask();
        options.extendable = c.is_extendable();
    }
    options.asked = asked;
    options.direct_from = c.options().direct_from;
    if (c.from() != nullptr) options.may_match = [&c](Pair p) { return c.may_match(p); };
    if (c.is_limited()) options.stop = [&c](std::chrono::nanoseconds to_free) { return c.out_of_time(to_free); };
    options.most_pairs = std::min(options.most_pairs, c.options().memory / bytes_per_pair);
    options.activity = c.options().activity;
    c.activity().begin(Activity::Stage::pruning);
    SatAnswer answer;
    try {
        answer = solve(c.messages(), options);
    } catch (OutOfTime const&) {
        answer.kind = SatAnswer::Kind::stopped;
    } catch (std::bad_alloc const&) {
        return Unanswered{Trouble{Trouble::Kind::limit, "sat: out of memory"}};
    }
    c.known.work().match_pairs = std::max(c.known.work().match_pairs, answer.pairs);
    c.known.work().solver_calls += answer.solver_calls;
    c.known.work().refinements += answer.cycles + answer.values;
    c.known.work().inferences += answer.inferences;
    switch (answer.kind) {
    case SatAnswer::Kind::found: return FoundRun{std::move(*answer.run)};
    case SatAnswer::Kind::none: return NoRun{};
    case SatAnswer::Kind::stopped: return Unanswered{Trouble{Trouble::Kind::limit, "sat: out of time"}};
    case SatAnswer::Kind::beyond: break;
    }
    if (most_calls != UINT64_MAX) return Unanswered{};
    return Unanswered{Trouble{Trouble::Kind::limit, fmt::format("sat: more than {} match pairs", options.most_pairs)}};
}

namespace {

/// Pairs of a read and a definition, and match pairs; two literals in clauses, and what is known of a pair beside them.
constexpr std::size_t bytes_per_clause = 200;
/// Where another engine can be tried next.
constexpr std::chrono::seconds time_of_sharing{10};

RunAnswer ask_sat_about_sharing(Context& c, Asked asked, std::uint64_t most_calls) {
    SharedSearch::Options options;
    options.buffering = c.options().buffering;
    options.runs = c.options().runs;
    options.wanted = asked == Asked::failure ? SharedSearch::Wanted::failure : SharedSearch::Wanted::success;
    options.most_calls = most_calls;
    options.most_clauses = std::min(options.most_clauses, c.options().memory / bytes_per_clause);
    options.activity = c.options().activity;
    bool const is_last = most_calls == UINT64_MAX;
    options.stop = [&c, is_last, end = std::chrono::steady_clock::now() + time_of_sharing] {
        return c.out_of_time() || (!is_last && std::chrono::steady_clock::now() > end);
    };
    SharedSearch search(c.messages(), options);
    SatAnswer::Kind kind = SatAnswer::Kind::stopped;
    try {
        kind = search.run();
    } catch (OutOfTime const&) {
        // It is stopped.
    } catch (std::bad_alloc const&) {
        return Unanswered{Trouble{Trouble::Kind::limit, "sat: out of memory"}};
    }
    c.known.work().match_pairs = std::max(c.known.work().match_pairs, search.reads());
    c.known.work().solver_calls += search.calls();
    c.known.work().refinements += search.cycles() + search.values();
    switch (kind) {
    case SatAnswer::Kind::found: return FoundRun{std::move(*search.found())};
    case SatAnswer::Kind::none: return NoRun{};
    case SatAnswer::Kind::stopped:
        if (!is_last && !c.out_of_time()) return Unanswered{};
        return Unanswered{Trouble{Trouble::Kind::limit, "sat: out of time"}};
    case SatAnswer::Kind::beyond: break;
    }
    if (!is_last) return Unanswered{};
    return Unanswered{Trouble{Trouble::Kind::limit, fmt::format("sat: more than {} clauses", options.most_clauses)}};
}

} // namespace

void decide_by_sat_of_sharing(Context& c, std::uint64_t most_calls) {
    decide_by_runs(c, {"sat"}, [&](Asked asked) { return ask_sat_about_sharing(c, asked, most_calls); });
}

void decide_by_sat(Context& c, std::uint64_t most_calls) {
    decide_by_runs(c, {"sat"}, [&](Asked asked) { return ask_sat(c, asked, most_calls); });
}

} // namespace matchpoint::check
