#include "importers/call_id.hpp"

#include <gtest/gtest.h>

namespace matchpoint::importers {

namespace {

using Kind = CallId::Kind;

} // namespace

TEST(CallIds, HaveNames) {
    EXPECT_EQ(name_of({2, 1, Kind::send}), "S2_1");
    EXPECT_EQ(name_of({2, 1, Kind::receive}), "R2_1");
    EXPECT_EQ(name_of({2, 1, Kind::receive, 0}), "R2_1.0");
    EXPECT_EQ(name_of({2, 1, Kind::probed_receive, 3}), "R2_1.P3");
    EXPECT_EQ(name_of({2, 1, Kind::probe}), "P2_1");
    EXPECT_EQ(name_of({2, 1, Kind::collective}), "C2_1");
    EXPECT_EQ(name_of({2, 1, Kind::event}), "T2_1");
}

TEST(CallIds, AreReadAsTheyWereWritten) {
    for (std::uint32_t const rank : {0U, 7U, 10U, max_process})
        for (std::uint32_t const number : {0U, 3U, 100U, UINT32_MAX}) {
            for (Kind const kind : {Kind::send, Kind::receive, Kind::probe, Kind::collective, Kind::event}) {
                CallId const id{rank, number, kind};
                EXPECT_EQ(call_id_of(name_of(id)), id) << name_of(id);
            }
            for (Kind const kind : {Kind::send, Kind::receive, Kind::probed_receive}) {
                CallId const id{rank, number, kind, rank};
                EXPECT_EQ(call_id_of(name_of(id)), id) << name_of(id);
            }
        }
}

TEST(CallIds, OtherNamesAreOfNoCall) {
    for (char const* const name : {"",
                                   "R",
                                   "R0",
                                   "R0_",
                                   "R_0",
                                   "_0",
                                   "0_0",
                                   "R0.1",
                                   "R0 _1",
                                   "R0_1 ",
                                   "R-1_0",
                                   "R0_-1",
                                   "R+1_0",
                                   "r0_1",
                                   "x0_1",
                                   "v0_1",
                                   "A0_1",
                                   "RR0_1", // the kind
                                   "R00_1",
                                   "R01_1",
                                   "R0_00",
                                   "R0_01",
                                   "R0_1.02", // leading zeros
                                   "R100000_0",
                                   "R0_4294967296",
                                   "S0_1.4294967296", // too large
                                   "R99999999999999999999_0",
                                   "R0_99999999999999999999", //
                                   "R0_1.",
                                   "R0_1.x",
                                   "R0_1.2.3",
                                   "R0_1.2.probed",
                                   "R0_1.probed.2",
                                   "R0_1.prob",
                                   "S0_1.probed", // the part
                                   "B0",
                                   "B0_1",
                                   "B0.",
                                   "B0.100000",
                                   "B0.1.2",
                                   "B0.1.probed",
                                   "T0_1.2",
                                   "R0_1.probed",
                                   "R0_1.P",
                                   "P0_1.0",
                                   "T0_1.P0",
                                   "T0.1",
                                   "Barrier"})
        EXPECT_FALSE(call_id_of(name)) << name;
}

TEST(CallIds, PointToPoint) {
    EXPECT_TRUE(is_point_to_point({0, 1, Kind::send}));
    EXPECT_TRUE(is_point_to_point({0, 1, Kind::receive}));
    EXPECT_TRUE(is_point_to_point({0, 1, Kind::probed_receive, 0}));
    EXPECT_FALSE(is_point_to_point({0, 1, Kind::send, 2}));
    EXPECT_FALSE(is_point_to_point({0, 1, Kind::receive, 0}));
    EXPECT_FALSE(is_point_to_point({0, 1, Kind::probe}));
    EXPECT_FALSE(is_point_to_point({0, 1, Kind::collective}));
    EXPECT_FALSE(is_point_to_point({0, 1, Kind::event}));
}

TEST(CallIds, HaveVariables) {
    EXPECT_EQ(variable_of({2, 1, Kind::receive}), "x2_1");
    EXPECT_EQ(variable_of({2, 1, Kind::receive, 0}), "x2_1.0");
    EXPECT_EQ(variable_of({2, 1, Kind::probed_receive, 0}), "x2_1");
}

} // namespace matchpoint::importers
