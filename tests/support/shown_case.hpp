#pragma once

/// Random cases for rapidcheck: generated from numbers, shrunk by programs/smaller.hpp, and shown in the trace
/// language.

#include <algorithm>
#include <ostream>

#include <rapidcheck/gtest.h> // after gtest.h: it does not include it

#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/generate.hpp"

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

inline std::ostream& operator<<(std::ostream& out, Family const& f) { return out << to_text(f.program, f.traces); }

inline std::ostream& operator<<(std::ostream& out, Result const& r) { return out << to_text(r) << '\n'; }

/// The number of a program. It does not shrink: the program does.
inline rc::Gen<std::uint64_t> program_numbers() {
    return rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
}

/// The cases that are a little smaller.
inline std::vector<ShownCase> smaller_cases(ShownCase const& shown) {
    std::vector<ShownCase> result;
    for (Family& f : smaller(Family{shown.c.program, {shown.c.trace}}))
        result.push_back({{std::move(f.program), std::move(f.traces.front()), shown.c.zero}, shown.choices});
    return result;
}

inline rc::Gen<ShownCase> shown_cases(Case (*generate)(std::uint64_t seed, std::uint64_t i)) {
    auto const choices = rc::gen::container<std::vector<std::uint16_t>>(rc::gen::arbitrary<std::uint16_t>());
    auto const cases = rc::gen::map(rc::gen::pair(program_numbers(), choices), [=](auto const& pair) {
        return ShownCase{generate(1, pair.first), pair.second};
    });
    return rc::gen::shrink(cases, [](ShownCase const& s) { return rc::seq::fromContainer(smaller_cases(s)); });
}

/// Cases that are broken in many ways, and cases that are not.
inline rc::Gen<ShownCase> all_cases() { return rc::gen::oneOf(shown_cases(any_case), shown_cases(disciplined_case)); }

inline rc::Gen<Family> shown_families(Family (*generate)(std::uint64_t seed, std::uint64_t i)) {
    auto const families = rc::gen::map(program_numbers(), [=](std::uint64_t i) { return generate(1, i); });
    return rc::gen::shrink(families, [](Family const& f) { return rc::seq::fromContainer(smaller(f)); });
}

/// So many cases of a property, or their part under sanitizers.
constexpr std::size_t of_property(std::size_t cases) {
#if defined(MATCHPOINT_SANITIZED)
    return cases / 5;
#else
    return cases;
#endif
}

/// Checks a property on so many cases (of_property); on more if RC_PARAMS has more than the 2,000 that it has for
/// CTest.
template <typename Property>
void check_property(std::size_t cases, Property&& property) {
    auto const* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    rc::detail::TestMetadata metadata;
    metadata.id = std::string(test->test_suite_name()) + "/" + test->name();
    metadata.description = test->name();
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess =
        static_cast<int>(of_property(cases) * static_cast<std::size_t>(std::max(params.maxSuccess, 2000)) / 2000);
    auto const result = rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
    std::ostringstream what;
    rc::detail::printResultMessage(result, what);
    if (!result.template is<rc::detail::SuccessResult>()) FAIL() << what.str();
}

} // namespace matchpoint::naive
