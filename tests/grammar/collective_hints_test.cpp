// What is said about mistakes in `collective` and `icollective`.

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

/// The hint about a command.
std::string hint(std::string const& command) {
    std::string const text = told("(([0 " + command + "]))");
    std::size_t const at = text.find("hint: ");
    return at == std::string::npos ? text : text.substr(at + 6, text.find('\n', at) - at - 6);
}

} // namespace

TEST(CollectiveHints, Kinds) {
    for (auto const* const kind : {"MPI_Bcast", "bcst", "Broadcast", "BCAST", "ibcast", "MPI_Ibcast"})
        EXPECT_EQ(hint("(collective K w " + std::string(kind) + " (root 0))"), "did you mean `bcast`?");
    EXPECT_EQ(hint("(collective K w MPI_Reduce_scatter_block)"), "did you mean `reduce_scatter_block`?");
}

TEST(CollectiveHints, Parts) {
    EXPECT_EQ(hint("(collective K w bcast root 0)"), "a part has brackets of its own: `(root 0)`");
    EXPECT_EQ(hint("(collective K w bcast 0)"), "parts are `(root k)`, `(op o)`, `(type t)` and `(count n ...)`");
    EXPECT_EQ(hint("(collective K w bcast (rank 0))"), "the root is the number of its thread: `(root 0)`");
    EXPECT_EQ(hint("(collective K w bcast (root a))"), "the root is the number of its thread: `(root 0)`");
    EXPECT_EQ(hint("(collective K w bcast (rot 1))"), "did you mean `(root 1)`?");
    EXPECT_EQ(hint("(collective K w bcast (tag 1))"), "a collective has no tag");
    EXPECT_EQ(hint("(collective K w bcast (colour 1))"),
              "parts are `(root k)`, `(op o)`, `(type t)` and `(count n ...)`");
}

TEST(CollectiveHints, NamesOfCommands) {
    EXPECT_EQ(
        hint("(icollective K)"),
        "`icollective` is written `(icollective a comm kind ...)`: like `collective`, and does not wait; its wait "
        "does");
    EXPECT_EQ(hint("(colective K w barrier)"),
              "did you mean `collective`? `collective` is written `(collective a comm kind ...)`: the action, the "
              "communicator, the kind; then `(root k)`, `(op o)`, `(type t)` and `(count n ...)`, where it has them");
    EXPECT_EQ(hint("(collective := 1)"), "\n");
}

} // namespace matchpoint::test
