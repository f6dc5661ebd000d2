// The verdict about a reduced program as such, no matter who wrote it. It is sequentially consistent, and runs as its
// text says.
//
//   auto const program = parse_reduced(source);
//   ReducedCheckResult const result = check_reduced(*program, {});
#pragma once

#include "rma/language/reduced_program.hpp"
#include "rma/search/check.hpp"

namespace matchpoint::rma {

struct ReducedCheckResult {
    struct Violation {
        std::vector<std::vector<Value>> memory; // of each state on the way, from the initial one on
        std::optional<std::size_t> property;    // none if the step after the last state passes a false assertion
    };

    std::vector<Variable> variables; // of the program, in the order of their declarations; memory has a value for each
    Verdict verdict = Verdict::unknown;
    std::string reason; // of `unknown`
    std::optional<Violation> violation;
    Known discarded = Known::open;
    Known faulted = Known::open;
    Known has_final = Known::open;
    std::vector<std::vector<Value>> finals; // sorted, without repetitions
    bool finals_are_all = false;
    std::uint64_t states = 0;
};

/// `values`, `finals` and `max_bytes` of the options count. Throws LimitReached, but running out of time is `unknown`.
ReducedCheckResult check_reduced(reduced::Program const& program, CheckOptions const& options);

} // namespace matchpoint::rma
