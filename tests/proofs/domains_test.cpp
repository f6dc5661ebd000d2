#include "proofs/domains.hpp"

#include <gtest/gtest.h>

#include "proofs/cubes.hpp"
#include "proofs/predicates.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::proofs {
namespace {

/// A program, and the values that its variables can have.
struct Values {
    explicit Values(std::string_view text) : program(rma::program_of(text)) {}

    rma::Program program;
    rma::Graph graph{program};
    Formulas formulas{graph};
    Domains domains{formulas};

    std::string of(Symbol x) const {
        auto const* const values = domains.of(x);
        if (values == nullptr) return "any";
        std::string text;
        for (Value const& v : *values) text += (text.empty() ? "" : " ") + v.to_string();
        return text;
    }
    std::string of(std::string_view name) const { return of(symbol(name)); }
    Symbol symbol(std::string_view name) const { return {program.symbols.variables.find(name).value()}; }
};

TEST(Domains, OfAssignments) {
    Values const values("(rma (process 1 (local (u 0) (v 5) (w 1) (x 0) (b true))"
                        "  (u := 3) (choose v 7 9) (while b (w := (mod (+ w 1) 3)) (x := (+ x w)))))");
    EXPECT_EQ(values.of("u"), "0 3");
    EXPECT_EQ(values.of("v"), "5 7 9");
    EXPECT_EQ(values.of("w"), "1 2 0");
    EXPECT_EQ(values.of("x"), "any");
    EXPECT_EQ(values.of("b"), "false true");
}

TEST(Domains, OfCopies) {
    Values const values("(rma (process 1 (shared (Y 0)) (local (u 4)) (load u Y))"
                        "     (process 2 (shared (X 1) (Z 6)) (put Y 1 X) (store X 2) (get Z Y 1)))");
    EXPECT_EQ(values.of("X"), "1 2");
    EXPECT_EQ(values.of("Y"), "0 1 2");
    EXPECT_EQ(values.of("u"), "4 0 1 2");
    EXPECT_EQ(values.of("Z"), "6 0 1 2");
    EXPECT_EQ(values.of(values.formulas.element(0)), "1 2");
    EXPECT_EQ(values.of(values.formulas.element(1)), "0 1 2");
}

TEST(Domains, TheRunEndsAtAZeroDivisor) {
    EXPECT_EQ(Values("(rma (process 1 (local (u 0) (v 7)) (choose u 0 2) (v := (div 8 u))))").of("v"), "7 4");
}

TEST(Domains, OfRemainders) {
    Values const values("(rma (process 1 (local (u 0) (v 7) (w 7))"
                        "  (while true (u := (+ u 1)) (v := (mod u 3)) (w := (mod u -3)))))");
    EXPECT_EQ(values.of("v"), "7 0 1 2");
    EXPECT_EQ(values.of("w"), "any");
}

TEST(Domains, Constants) {
    Values values("(rma (process 1 (local (u 0) (x 0)) (u := 3) (while true (x := (+ x 1)))))");
    auto const at_most = [&](std::string_view x, std::int64_t c) {
        return values.formulas.apply(Op::less_equal, values.formulas.of(values.symbol(x)),
                                     values.formulas.value(Value::integer(c)));
    };
    EXPECT_EQ(values.domains.constant(at_most("u", 3)), Value::boolean(true));
    EXPECT_EQ(values.domains.constant(at_most("u", -1)), Value::boolean(false));
    EXPECT_EQ(values.domains.constant(at_most("u", 1)), std::nullopt);
    EXPECT_EQ(values.domains.constant(at_most("x", 1)), std::nullopt);
}

/// A flag is 0 or 1, so one predicate says all of it.
TEST(Domains, LetCubesImplyMore) {
    Values values("(rma (process 1 (local (u 0) (v 0)) (u := 1) (v := u) (assert (= v 1))))");
    std::vector<Formula> const V = find_predicates(values.formulas);
    ASSERT_EQ(V.size(), 2U);
    Formula const is_1 = values.formulas.apply(Op::equal, values.formulas.of(values.symbol("v")),
                                               values.formulas.value(Value::integer(1)));
    Cubes cubes(values.formulas, V, *solve::solver_command("z3"), {});
    EXPECT_EQ(cubes.text(cubes.F(is_1)), "(not (<= v 0))");
    EXPECT_EQ(cubes.questions(), 0U);
    Cubes plain(values.formulas, V, *solve::solver_command("z3"), {.domains = false});
    EXPECT_EQ(plain.text(plain.F(is_1)), "false");
}

} // namespace
} // namespace matchpoint::proofs
