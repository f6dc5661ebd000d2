#pragma once

/// Random cases for rapidcheck: generated as vectors of small numbers, which shrink well, and shown in the trace
/// language.

#include <ostream>

#include <rapidcheck.h>

#include "tests/support/cases.hpp"
#include "tests/support/compare.hpp"

namespace matchpoint::naive {

/// A case, and numbers left over for choices that a property makes.
struct ShownCase {
    Case c;
    std::vector<std::uint16_t> choices;

    /// A number below `bound`, the i-th choice.
    std::size_t choose(std::size_t i, std::size_t bound) const {
        return choices.empty() ? 0 : (choices[i % choices.size()] + 31 * i) % bound;
    }
};

inline std::ostream& operator<<(std::ostream& out, ShownCase const& s) {
    out << to_text(s.c) << "choices:";
    for (auto const n : s.choices) out << ' ' << n;
    return out << '\n';
}

inline std::ostream& operator<<(std::ostream& out, Result const& r) { return out << to_text(r) << '\n'; }

inline rc::Gen<ShownCase> shown_cases(Case (*elaborate_case)(std::vector<std::uint16_t> const&)) {
    auto const numbers = rc::gen::container<std::vector<std::uint16_t>>(rc::gen::arbitrary<std::uint16_t>());
    return rc::gen::map(rc::gen::pair(rc::gen::scale(2.0, numbers), numbers), [=](auto const& pair) {
        return ShownCase{elaborate_case(pair.first), pair.second};
    });
}

/// Either kind of case (tests/support/cases.hpp).
inline rc::Gen<ShownCase> any_case() {
    return rc::gen::oneOf(shown_cases(elaborate), shown_cases(elaborate_disciplined));
}

} // namespace matchpoint::naive
