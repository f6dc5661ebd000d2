#pragma once

/// Random cases for rapidcheck: generated as vectors of small numbers, which shrink well, then shrunk command by
/// command and operator by operator, and shown in the trace language.

#include <algorithm>
#include <ostream>

#include <rapidcheck/gtest.h> // after gtest.h: it does not include it

#include "tests/support/all_rooms.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/compare.hpp"

namespace matchpoint::naive {

using Skeleton = std::vector<std::uint16_t>;

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

inline rc::Gen<Skeleton> skeletons() {
    return rc::gen::scale(2.0, rc::gen::container<Skeleton>(rc::gen::arbitrary<std::uint16_t>()));
}

/// The cases that are a little smaller, as `smaller` has them.
inline std::vector<ShownCase> smaller_cases(ShownCase const& shown) {
    std::vector<ShownCase> result;
    for (Family& f : smaller(Family{shown.c.program, {shown.c.trace}}))
        result.push_back({{std::move(f.program), std::move(f.traces.front()), shown.c.zero}, shown.choices});
    return result;
}

inline rc::Gen<ShownCase> shown_cases(Case (*elaborate_case)(Skeleton const&),
                                      rc::Gen<Skeleton> const& made_of = skeletons()) {
    auto const choices = rc::gen::container<Skeleton>(rc::gen::arbitrary<std::uint16_t>());
    auto const cases = rc::gen::map(rc::gen::pair(made_of, choices), [=](auto const& pair) {
        return ShownCase{elaborate_case(pair.first), pair.second};
    });
    return rc::gen::shrink(cases, [](ShownCase const& s) { return rc::seq::fromContainer(smaller_cases(s)); });
}

/// Either kind of case (tests/support/cases.hpp).
inline rc::Gen<ShownCase> any_case() {
    return rc::gen::oneOf(shown_cases(elaborate), shown_cases(elaborate_disciplined));
}

/// Skeletons of programs that do more; they do not shrink, what is made of them does.
inline rc::Gen<Skeleton> long_skeletons() {
    return rc::gen::noShrink(rc::gen::resize(300, rc::gen::container<Skeleton>(rc::gen::arbitrary<std::uint16_t>())));
}

/// Either kind, of these.
inline rc::Gen<ShownCase> any_long_case() {
    return rc::gen::oneOf(shown_cases(elaborate, long_skeletons()),
                          shown_cases(elaborate_disciplined, long_skeletons()));
}

inline rc::Gen<Family> shown_families(rc::Gen<Family> const& made) {
    return rc::gen::shrink(made, [](Family const& f) { return rc::seq::fromContainer(smaller(f)); });
}

/// Races: several traces, and few commands.
inline rc::Gen<Family> races() { return shown_families(rc::gen::map(long_skeletons(), elaborate_race)); }

/// Any program under D1 to D6, with what is well-formed of eight walks through it.
inline rc::Gen<Family> any_family() {
    auto const walks = rc::gen::container<std::vector<Skeleton>>(8, long_skeletons());
    return shown_families(rc::gen::map(rc::gen::pair(long_skeletons(), rc::gen::noShrink(walks)),
                                       [](auto const& pair) { return elaborate_family(pair.first, pair.second); }));
}

/// Checks a property on so many cases; on more if RC_PARAMS has more than the 5,000 that it has for CTest.
template <typename Property>
void check_property(std::size_t cases, Property&& property) {
    auto const* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    rc::detail::TestMetadata metadata;
    metadata.id = std::string(test->test_suite_name()) + "/" + test->name();
    metadata.description = test->name();
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = static_cast<int>(cases * static_cast<std::size_t>(std::max(params.maxSuccess, 5000)) / 5000);
    auto const result = rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
    std::ostringstream what;
    rc::detail::printResultMessage(result, what);
    if (!result.template is<rc::detail::SuccessResult>()) FAIL() << what.str();
}

} // namespace matchpoint::naive
