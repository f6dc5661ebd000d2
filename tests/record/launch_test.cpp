// What runs leave in their folders beside recordings.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "record/launch.hpp"

namespace matchpoint::record {
namespace {

/// A launcher may kill one rank before it has written in which call it was.
TEST(Launch, EarlyCall) {
    std::string name = std::filesystem::temp_directory_path() / "early-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    std::filesystem::path const folder(name);
    for (char const* const file : {"1.early", "2.early", "4.early"}) std::ofstream(folder / file).close();
    EXPECT_EQ(early_call(folder), std::nullopt);
    std::ofstream(folder / "3.early") << "MPI_Recv";
    EXPECT_EQ(early_call(folder), "MPI_Recv");
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace matchpoint::record
