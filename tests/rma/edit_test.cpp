#include "rma/programs/edit.hpp"

#include <gtest/gtest.h>

#include "rma/language/print.hpp"
#include "rma/programs/random.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

constexpr auto before = R"((rma
  (process 1
    (shared (Y 1))
    bot
  )
  (process 2
    (shared (R 0) (X 2))
    (local (r 0))
    (while (= r 0)
      (put Y 1 X)
      (flush 1)
    )
    (if (= r 0) (
      (get R Y 1)
    ) (
      (flush 1)
      (goto there)
    ))
    [there (flush 1)]
    (get R Y 1)
    bot
  )
  (invariant (not (at 2 there)))
)
)";

TEST(Edit, SomeFlushesOnly) {
    Program const program = program_of(before);
    ASSERT_EQ(print(program), before);
    EXPECT_EQ(flushes_of(program).size(), 3U);
    EXPECT_EQ(print(with_flushes(program, [](std::size_t) { return true; })), before);
    std::string text = before;
    text.erase(text.find("      (flush 1)\n"), 16);
    EXPECT_EQ(print(with_flushes(program, [](std::size_t i) { return i != 0; })), text);
    text.replace(text.find("[there (flush 1)]"), 17, "[there skip]");
    EXPECT_EQ(print(with_flushes(program, [](std::size_t i) { return i == 1; })), text);
}

TEST(Edit, AFlushBehindEveryRemoteStatement) {
    EXPECT_EQ(print(with_a_flush_behind_every_remote(program_of(before))), R"((rma
  (process 1
    (shared (Y 1))
    bot
  )
  (process 2
    (shared (R 0) (X 2))
    (local (r 0))
    (while (= r 0)
      (put Y 1 X)
      (flush 1)
    )
    (if (= r 0) (
      (get R Y 1)
      (flush 1)
    ) (
      (goto there)
    ))
    [there skip]
    (get R Y 1)
    (flush 1)
    bot
  )
  (invariant (not (at 2 there)))
)
)");
}

TEST(Edit, WithoutAStatement) {
    Program const program = program_of(before);
    std::string text = before;
    std::size_t const loop = text.find("    (while");
    text.erase(loop, text.find("    (if") - loop);
    EXPECT_EQ(print(without(program, 0)), text);
    EXPECT_EQ(print(without(program, program.at(1, "there").value())), before);
}

/// What is made is what its text says. (Names and numbers that are no longer used are still in its tables.)
TEST(Edit, RandomPrograms) {
    for (std::uint64_t i = 0; i < 2'000; ++i) {
        Program const program = random_program(2, i, {.atomics = 30});
        std::size_t const flushes = flushes_of(program).size();
        Program const fewer = with_flushes(program, [&](std::size_t f) { return (i >> f & 1U) != 0; });
        Program const every = with_a_flush_behind_every_remote(program);
        ASSERT_EQ(print(program_of(print(fewer))), print(fewer)) << print(program);
        ASSERT_EQ(print(program_of(print(every))), print(every)) << print(program);
        EXPECT_LE(flushes_of(fewer).size(), flushes);
        std::size_t remote = 0;
        for (Statement const& s : program.statements) remote += target_of(s.c) ? 1 : 0;
        EXPECT_EQ(flushes_of(every).size(), remote);
        for (StatementIndex s = 0; s < program.statements.size(); ++s) {
            Program const smaller = without(program, s);
            EXPECT_EQ(print(program_of(print(smaller))), print(smaller)) << print(program);
        }
    }
}

} // namespace
} // namespace matchpoint::rma
