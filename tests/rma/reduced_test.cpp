// The reduced program of programs with remote atomics: it does all that the machine does, and its text says it all.
#include "rma/search/reduced.hpp"

#include <gtest/gtest.h>

#include "rma/language/parse_reduced.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/words.hpp"
#include "rma/programs/random.hpp"
#include "rma/search/explored.hpp"
#include "rma/search/reduced_run.hpp"
#include "rma/search/reduced_text.hpp"
#include "tests/rma/program_of.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::rma {
namespace {

struct AllOutcomes {
    bool complete = false;
    bool violated = false;
    std::set<std::string> finals;
    bool operator==(AllOutcomes const&) const = default;
};

AllOutcomes all_outcomes(Program const& program, System& system) {
    SearchResult const found = search(system, {.finals = true, .max_states = 20'000});
    AllOutcomes result{found.complete(), found.violation.has_value(), {}};
    for (Packed const& part : found.finals) result.finals.insert(print_valuation(program, system.memory(part)));
    return result;
}

AllOutcomes of_machine(Program const& program) {
    Graph const graph(program);
    Machine const machine(graph);
    MachineSystem system(machine, {.fused = true, .pending = 6, .values = {}});
    return all_outcomes(program, system);
}

AllOutcomes of_reduced(Program const& program) {
    Graph const graph(program);
    ReducedSystem system(graph, {}, ValueRange{-1000, 1000});
    return all_outcomes(program, system);
}

AllOutcomes of_text(Program const& program) {
    Source const source("reduced", print_reduced(Graph(program), {}));
    auto const read = parse_reduced(source);
    EXPECT_TRUE(read) << (read ? "" : render(read.error(), source)) << source.text();
    if (!read) return {};
    auto const shown = names_of(program, *read);
    EXPECT_TRUE(shown) << (shown ? "" : shown.error());
    TextSystem system(*read, *shown, ValueRange{-1000, 1000});
    return all_outcomes(program, system);
}

TEST(RmaReducedAtomics, FetchAndAdd) {
    Program const program = program_of("(rma (process 1 (shared (Y 0)))"
                                       " (process 2 (shared (X 5) (Z 1)) (fetch-and-op X Y 1 + Z) (store Z 2)))");
    AllOutcomes const found = of_reduced(program);
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.finals, (std::set<std::string>{"Y = 1, X = 0, Z = 2", "Y = 2, X = 0, Z = 2"}));
    EXPECT_EQ(found, of_machine(program));
    EXPECT_EQ(found, of_text(program));
}

TEST(RmaReducedAtomics, CompareAndSwapLock) {
    Program const program =
        program_of("(rma (process 1 (shared (lock 0)))"
                   " (process 2 (shared (C 0) (Z 1) (X 1)) (local (x 1))"
                   "  (while (= x 1) (compare-and-swap X lock 1 C Z) (flush 1) (load x X)) [a skip])"
                   " (process 3 (shared (C3 0) (Z3 1) (X3 1)) (local (x3 1))"
                   "  (while (= x3 1) (compare-and-swap X3 lock 1 C3 Z3) (flush 1) (load x3 X3)) [b skip])"
                   " (invariant (not (and (at 2 a) (at 3 b)))))");
    for (AllOutcomes const& found : {of_machine(program), of_reduced(program), of_text(program)}) {
        EXPECT_TRUE(found.complete);
        EXPECT_FALSE(found.violated);
    }
}

/// A set forgets nothing, so the converse does not hold.
TEST(RmaReducedAtomics, AllThatTheMachineDoes) {
    std::size_t asked = 0;
    std::size_t more = 0;
    for (std::uint64_t i = 0; i < naive::cases(300); ++i) {
        Program const program =
            random_program(naive::seeded(7), i, {.statements = 9, .remote = 3, .atomics = 70, .choices = 10});
        if (!Graph(program).has_atomics()) continue;
        AllOutcomes const machine = of_machine(program);
        AllOutcomes const reduced = of_reduced(program);
        if (!machine.complete || !reduced.complete) continue;
        ++asked;
        ASSERT_TRUE(
            std::includes(reduced.finals.begin(), reduced.finals.end(), machine.finals.begin(), machine.finals.end()))
            << "case " << i << '\n'
            << print(program);
        ASSERT_TRUE(reduced.violated || !machine.violated) << "case " << i << '\n' << print(program);
        more += reduced.finals.size() > machine.finals.size() ? 1 : 0;
        if (i % 3 != 0) continue;
        AllOutcomes const text = of_text(program);
        ASSERT_TRUE(!text.complete || text == reduced) << "case " << i << '\n' << print(program);
    }
    EXPECT_GT(asked, naive::cases(300) / 2);
    RecordProperty("more", static_cast<int>(more));
}

} // namespace
} // namespace matchpoint::rma
