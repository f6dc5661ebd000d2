// The reduced program and its text: the text tells its reader all that is executed.

#include <gtest/gtest.h>

#include "rma/language/parse_reduced.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/words.hpp"
#include "rma/programs/random.hpp"
#include "rma/programs/small.hpp"
#include "rma/search/reduced_run.hpp"
#include "rma/search/reduced_text.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::rma {
namespace {

using naive::cases;
using naive::every;
using naive::least;

struct Outcome {
    bool violated = false;
    bool complete = false;
    std::set<std::string> finals;
    bool operator==(Outcome const&) const = default;
};

std::ostream& operator<<(std::ostream& out, Outcome const& o) {
    out << (o.violated ? "violated" : "safe") << (o.complete ? "" : ", cut") << "\n";
    for (std::string const& M : o.finals) out << "  " << M << "\n";
    return out;
}

Outcome outcome(Program const& program, System& system, bool reduced) {
    SearchResult const found = search(system, {.reduced = reduced, .finals = true, .max_states = 1'000'000});
    Outcome result{found.violation.has_value(), found.complete(), {}};
    for (rma::Packed const& part : found.finals) result.finals.insert(print_valuation(program, system.memory(part)));
    return result;
}

/// The same outcome, if both searches end.
::testing::AssertionResult text_says_it_all(Program const& program, Literal const& literal, std::size_t& asked) {
    Graph const graph(program);
    ReducedSystem system(graph, literal);
    Outcome const ours = outcome(program, system, true);
    Source const source("reduced", print_reduced(graph, literal));
    auto const read = parse_reduced(source);
    if (!read) return ::testing::AssertionFailure() << render(read.error(), source) << source.text();
    auto const shown = names_of(program, *read);
    if (!shown) return ::testing::AssertionFailure() << shown.error();
    for (bool const ample : {true, false}) {
        TextSystem text(*read, *shown);
        Outcome const theirs = outcome(program, text, ample);
        if (!ours.complete || !theirs.complete) continue;
        ++asked;
        if (!(ours == theirs))
            return ::testing::AssertionFailure() << print(program) << source.text() << ours << "the text:\n" << theirs;
    }
    return ::testing::AssertionSuccess();
}

std::vector<Literal> readings() {
    std::vector<Literal> result{{}};
    for (std::string_view const name : literal_names) {
        Literal literal;
        EXPECT_TRUE(set_literal(literal, name));
        if (!literal.R8) result.push_back(literal);
    }
    return result;
}

TEST(RmaReducedText, SmallPrograms) {
    SmallPrograms const programs(4);
    std::size_t asked = 0;
    for (std::uint64_t i = 0; i < programs.size(); i += every(40))
        for (Literal const& literal : readings())
            ASSERT_TRUE(text_says_it_all(programs[i], literal, asked)) << "program " << i;
    EXPECT_EQ(asked, readings().size() * 2 * ((programs.size() + every(40) - 1) / every(40)));
}

TEST(RmaReducedText, RandomPrograms) {
    auto const all = readings();
    std::size_t asked = 0;
    std::size_t const n = cases(1'000);
    for (std::size_t i = 0; i < n; ++i)
        ASSERT_TRUE(text_says_it_all(random_program(naive::seeded(2), i), all[i % all.size()], asked))
            << "program " << i;
    EXPECT_GT(asked, n);
}

/// What is finer does what is coarser, too.
TEST(RmaReducedText, FinerStepsOnlyAddOutcomes) {
    std::size_t more = 0;
    for (std::size_t i = 0; i < cases(200); ++i) {
        Program const program = random_program(naive::seeded(3), i, {.statements = 7, .remote = 2, .third = 0});
        Graph const graph(program);
        ReducedSystem coarse(graph, {});
        auto const fine = reduced_system(graph, {.R8 = true}, {});
        Outcome const a = outcome(program, coarse, true);
        Outcome const b = outcome(program, *fine, true);
        if (!a.complete || !b.complete) continue;
        ASSERT_TRUE(!a.violated || b.violated) << print(program);
        ASSERT_TRUE(std::includes(b.finals.begin(), b.finals.end(), a.finals.begin(), a.finals.end()))
            << print(program);
        more += b.finals.size() > a.finals.size() ? 1 : 0;
    }
    EXPECT_GE(more, least(6)) << "R8 makes a difference";
}

} // namespace
} // namespace matchpoint::rma
