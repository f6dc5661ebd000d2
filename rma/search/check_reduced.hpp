// The verdict about a reduced program as such, no matter who wrote it. It is sequentially consistent, and runs as its
// text says.
//
//   auto const program = parse_reduced(source);
//   ReducedCheckResult const result = check_reduced(*program, {});
#pragma once

#include "rma/language/reduced_program.hpp"
#include "rma/search/check.hpp"

namespace matchpoint::rma {

struct ReducedCheckResult : CheckAnswers {
    struct Violation {
        std::vector<std::vector<Value>> memory; // of each state on the way, from the initial one on
        std::optional<std::size_t> property;    // none if the step after the last state passes a false assertion
    };

    /// In the order of their declarations. A memory and a final valuation have a value for each.
    std::vector<Variable> variables;
    std::optional<Violation> violation;
    std::uint64_t states = 0;
};

/// `values`, `finals` and `max_bytes` of the options count. Throws LimitReached, but running out of time is `unknown`.
ReducedCheckResult check_reduced(reduced::Program const& program, CheckOptions const& options);

} // namespace matchpoint::rma
