// How long wrong answers are explained, and what is said if that is too short.

#include "validate/diagnosis.hpp"

#include <gtest/gtest.h>

#include "tests/validate/one_solver.hpp"
#include "validate/campaign_control.hpp"

namespace matchpoint::validate {
namespace {

using namespace std::chrono_literals;

TEST(CampaignTime, FindingsHaveHalfOfIt) {
    CampaignTime time(100'000ms, nullptr);
    time.begin_finding();
    EXPECT_LE(*time.left_for_finding(), 50s);
    EXPECT_GT(*time.left_for_finding(), 40s);
    EXPECT_FALSE(time.is_late() || time.is_late_to_shrink());
    time.end_finding();
    EXPECT_TRUE(time.has_time_for_finding());
}

TEST(CampaignTime, FindingsHaveTenSecondsOfAShortCampaign) {
    CampaignTime time(1ms, nullptr);
    time.begin_finding();
    EXPECT_LE(*time.left_for_finding(), 10s);
    EXPECT_GT(*time.left_for_finding(), 5s);
}

TEST(CampaignTime, WithoutALimitNothingIsLate) {
    CampaignTime time(std::nullopt, nullptr);
    time.begin_finding();
    EXPECT_FALSE(time.left_for_finding());
    EXPECT_FALSE(time.is_late() || time.is_late_to_shrink());
    EXPECT_TRUE(time.has_time_for_finding());
}

/// It takes so many questions until the time is used up; and then there is time again.
TEST(Diagnosis, IsCutShortAndGoesOn) {
    ProgramSelection selection;
    selection.bufferings = {Buffering::infinite};
    bool is_late = false;
    std::size_t asked = 0, most = 7;
    Diagnosis diagnosis(selection, {}, [&] { return is_late; });
    std::shared_ptr<Case const> const c = make_case("( ( [00 (assert false)] bot ) )", false);
    auto const ask = [&](Case const&, Buffering) {
        is_late = ++asked == most;
        return std::optional(asked % 2 == 0);
    };
    WrongAnswer const wrong{c, c, Buffering::infinite, false};
    Reason const first = diagnosis.explain(wrong, solver(), ask);
    EXPECT_TRUE(first.is_cut_short);
    EXPECT_FALSE(first.always);
    EXPECT_EQ(asked, most);
    is_late = false, most = 14;
    EXPECT_TRUE(diagnosis.explain(wrong, solver(), ask).is_cut_short);
    EXPECT_EQ(asked, most); // none is asked again
}

/// An encoder that wants the first assertion to fail, and there is time for a tenth of the questions.
TEST(Diagnosis, FindsACauseWithFewAnswers) {
    ProgramSelection selection;
    selection.bufferings = {Buffering::infinite};
    std::size_t asked = 0;
    Diagnosis diagnosis(
        selection, {}, [] { return false; }, [&] { return asked >= 20; });
    std::shared_ptr<Case const> const c = make_case("( ( [00 (assert true)] [01 (assert false)] bot ) )", false);
    Changes const fault = only(Change::first_assertion_fails);
    Reason const reason =
        diagnosis.explain({c, c, Buffering::infinite, false}, solver(), [&](Case const& about, Buffering b) {
            ++asked;
            return predicted(about, b, fault, solver());
        });
    ASSERT_FALSE(reason.why.empty());
    EXPECT_EQ(reason.why.front().changes, fault);
    EXPECT_TRUE(reason.is_cut_short);
    EXPECT_GT(diagnosis.seconds_missing(), 0);
    EXPECT_LT(asked, 60U);
}

TEST(Diagnosis, SaysThatAllAnswersAreTheSame) {
    ProgramSelection selection;
    selection.bufferings = {Buffering::infinite};
    Diagnosis diagnosis(selection, {}, [] { return false; });
    std::shared_ptr<Case const> const c = make_case("( ( [00 (assert false)] bot ) )", false);
    Reason const reason = diagnosis.explain({c, c, Buffering::infinite, false}, solver(),
                                            [](Case const&, Buffering) { return std::optional(false); });
    ASSERT_TRUE(reason.always);
    EXPECT_FALSE(reason.always->sat);
    EXPECT_GT(reason.always->programs, 100U);
    EXPECT_TRUE(reason.why.empty());
    EXPECT_FALSE(reason.is_cut_short);
}

} // namespace
} // namespace matchpoint::validate
