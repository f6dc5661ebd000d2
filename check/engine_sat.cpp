// The SAT solver in this process (sat_search.hpp).
#include <algorithm>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "check/engines.hpp"
#include "check/sat_search.hpp"

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
    c.result.match_pairs = std::max(c.result.match_pairs, answer.pairs);
    c.result.solver_calls += answer.solver_calls;
    c.result.refinements += answer.cycles + answer.values;
    c.result.inferences += answer.inferences;
    switch (answer.kind) {
    case SatAnswer::Kind::found: return FoundRun{std::move(*answer.run)};
    case SatAnswer::Kind::none: return NoRun{};
    case SatAnswer::Kind::stopped: return Unanswered{Trouble{Trouble::Kind::limit, "sat: out of time"}};
    case SatAnswer::Kind::beyond: break;
    }
    if (most_calls != UINT64_MAX) return Unanswered{};
    return Unanswered{Trouble{Trouble::Kind::limit, fmt::format("sat: more than {} match pairs", options.most_pairs)}};
}

void decide_by_sat(Context& c, std::uint64_t most_calls) {
    decide_by_runs(c, "sat", [&](Asked asked) {
        RunAnswer answer = ask_sat(c, asked, most_calls);
        if (asked == Asked::failure && c.failure && std::holds_alternative<NoRun>(answer))
            throw std::logic_error("check: sat says that no execution fails, and one does");
        return answer;
    });
}

} // namespace matchpoint::check
