#include "tests/support/shared_programs.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "programs/dice.hpp"

namespace matchpoint::naive {

namespace {

using programs::Dice;
using Command_ = decltype(Command::what);

class CountingGenerator {
public:
    CountingGenerator(std::uint64_t seed, std::uint64_t i) : dice_(seed, i) {}

    Program take() {
        program_.shared = {{"x", number(0)}, {"y", number(4)},
                           {"k", number(1)}, {"l", number(dice_.percent(80) ? 1 : 2)},
                           {"n", number(0)}, {"go", number(0)}};
        std::size_t const threads = 2 + dice_.below(2);
        for (std::size_t t = 0; t < threads; ++t) {
            program_.threads.emplace_back();
            bool const is_last = t + 1 == threads;
            if (dice_.percent(25))
                add(t == 0 ? Command_(Assign{"go", number(1)}) : Command_(Guarded{is("go", 1), {}, true}));
            if (is_last && dice_.percent(70)) add(Guarded{is("n", static_cast<int>(threads) - 1), {}, true});
            std::size_t const parts = 1 + dice_.below(threads == 2 ? 2 : 1);
            for (std::size_t n = 0; n < parts; ++n) some_part();
            if (!is_last && !forgets()) add(Assign{"n", plus("n", 1)});
            if (dice_.percent(is_last ? 80 : 20)) add(Assert{assertion()});
        }
        return program_;
    }

private:
    void add(Command_ what) {
        program_.threads.back().push_back({"c" + std::to_string(next_location_++), std::move(what)});
    }
    bool forgets() { return dice_.percent(6); }
    static Expression is(std::string x, int v) { return operation("=", variable(std::move(x)), number(v)); }
    static Expression plus(std::string x, int v) {
        return operation(v < 0 ? "-" : "+", variable(std::move(x)), number(v < 0 ? -v : v));
    }

    void some_part() {
        switch (dice_.below(5)) {
        case 0: add(Guarded{truth(true), {{"x", plus("x", some_step())}, {"y", plus("y", some_step())}}, false}); break;
        case 1: in_two_steps(); break;
        default: in_regions(1 + dice_.below(2)); break;
        }
    }
    int some_step() { return std::array{1, -1, 2, 1}[dice_.below(4)]; }
    void in_two_steps() {
        std::string const x = dice_.percent(50) ? "x" : "y";
        std::string const t = "t" + std::to_string(next_local_++);
        add(Assign{t, variable(x)});
        add(Assign{x, plus(t, some_step())});
    }
    void in_regions(std::size_t depth) {
        std::string const l = dice_.percent(60) ? "l" : "k";
        if (!forgets()) add(Guarded{operation(">", variable(l), number(0)), {{l, plus(l, -1)}}, true});
        if (depth == 1 || dice_.percent(50)) in_two_steps();
        if (depth > 1) in_regions(depth - 1);
        if (!forgets()) add(Assign{l, plus(l, 1)});
    }
    Expression assertion() {
        Expression const sum = dice_.percent(50) ? variable("x") : operation("+", variable("x"), variable("y"));
        static std::array<std::string, 4> const ops{"=", "<=", ">=", "!="};
        return operation(dice_.one_of(ops), sum, number(static_cast<int>(dice_.below(7))));
    }

    Dice dice_;
    Program program_;
    std::size_t next_location_ = 0;
    std::size_t next_local_ = 0;
};

class LockGenerator {
public:
    LockGenerator(std::uint64_t seed, std::uint64_t i) : dice_(seed, i) {}

    Program take() {
        program_.shared = {{"p", number(1)},
                           {"q", number(1)},
                           {"r", number(dice_.percent(85) ? 1 : 2)},
                           {"n", number(0)},
                           {"x", number(1)}};
        std::size_t const threads = 2 + dice_.below(2);
        for (std::size_t t = 0; t < threads; ++t) {
            program_.threads.emplace_back();
            if (t > 0 && dice_.percent(40)) begin_later();
            std::size_t const regions = 1 + dice_.below(threads == 2 ? 2 : 1);
            for (std::size_t n = 0; n < regions; ++n) {
                region(1 + dice_.below(3), {"p", "q", "r"});
                if (dice_.percent(t == 0 ? 60 : 10)) say();
            }
        }
        return program_;
    }

private:
    void add(Command_ what) { program_.threads.back().push_back({"c" + std::to_string(next_++), std::move(what)}); }
    void region(std::size_t depth, std::vector<std::string> locks) {
        std::size_t const chosen = dice_.below(locks.size());
        std::string const l = locks[chosen];
        if (!dice_.percent(3)) locks.erase(locks.begin() + static_cast<std::ptrdiff_t>(chosen));
        add(Guarded{operation(">", variable(l), number(0)), {{l, operation("-", variable(l), number(1))}}, true});
        if (depth > 1) region(depth - 1, locks);
        if (!dice_.percent(3)) add(Assign{l, operation("+", variable(l), number(1))});
    }
    /// What others can wait for, or not.
    void say() {
        switch (dice_.below(4)) {
        case 0: add(Assign{"n", operation("+", variable("n"), number(1))}); break;
        case 1: add(Assert{operation("=", variable("x"), number(1))}); break;
        default: add(Assign{"x", operation("*", variable("x"), number(2))}); break;
        }
    }
    void begin_later() {
        switch (dice_.below(4)) {
        case 0: add(Guarded{operation(">", variable("n"), number(0)), {}, true}); break;
        case 1: add(Guarded{operation(">", variable("x"), number(1)), {}, true}); break;
        default: add(Guarded{operation(">", variable("x"), number(1)), {}, false}); break;
        }
    }

    Dice dice_;
    Program program_;
    std::size_t next_ = 0;
};

class RegionGenerator {
public:
    RegionGenerator(std::uint64_t seed, std::uint64_t i) : dice_(seed, i) {}

    Program take() {
        program_.shared = {{"x", number(some(3))},
                           {"y", number(some(3))},
                           {"b", truth(dice_.percent(50))},
                           {"l", number(1)},
                           {"n", number(0)}};
        std::size_t const threads = 2 + dice_.below(2);
        for (std::size_t t = 0; t < threads; ++t) {
            program_.threads.emplace_back();
            bool const is_last = t + 1 == threads;
            if (is_last && dice_.percent(50))
                add(Guarded{operation("=", variable("n"), number(static_cast<int>(threads) - 1)), {}, true});
            region(is_last && dice_.percent(40));
            if (!is_last) add(Assign{"n", operation("+", variable("n"), number(1))});
            if (is_last || dice_.percent(20)) assertion();
        }
        return program_;
    }

private:
    void add(Command_ what) { program_.threads.back().push_back({"c" + std::to_string(next_++), std::move(what)}); }
    int some(std::size_t below) { return static_cast<int>(dice_.below(below)); }
    Expression operand() {
        switch (dice_.below(4)) {
        case 0: return number(some(3));
        case 1: return variable("y");
        default: return variable("x");
        }
    }
    Expression value() {
        static std::array<std::string, 5> const ops{"+", "*", "-", "div", "+"};
        if (dice_.percent(20)) return operand();
        std::string const& op = dice_.one_of(ops);
        bool const is_linear = op == "+" || op == "-" || dice_.percent(90); // solvers are slow with what is not
        return operation(op, operand(), is_linear && op != "+" && op != "-" ? number(some(3)) : operand());
    }
    Expression condition() {
        static std::array<std::string, 6> const ops{"<=", ">=", "=", "!=", ">=", "<="};
        Expression const compared =
            operation(dice_.one_of(ops), operand(), dice_.percent(60) ? number(some(3)) : operand());
        return dice_.percent(15) ? operation("=", variable("b"), compared) : compared;
    }
    void region(bool reads_only) {
        bool const locks = dice_.percent(90);
        if (locks)
            add(Guarded{
                operation(">", variable("l"), number(0)), {{"l", operation("-", variable("l"), number(1))}}, true});
        if (dice_.percent(20)) add(Guarded{condition(), {}, dice_.percent(50)});
        std::string const t = "t" + std::to_string(next_);
        add(Assign{t, dice_.percent(70) ? variable("x") : value()});
        if (!reads_only) {
            if (dice_.percent(50)) add(Assign{dice_.percent(50) ? "x" : "y", value()});
            add(Assign{dice_.percent(60) ? "x" : "y",
                       operation(dice_.percent(50) ? "*" : "+", variable(t), number(1 + some(2)))});
            if (dice_.percent(20)) add(Assign{"b", condition()});
        }
        if (dice_.percent(30)) add(Assert{operation(">=", variable(t), number(some(2)))});
        if (locks) add(Assign{"l", operation("+", variable("l"), number(1))});
    }
    void assertion() { add(Assert{dice_.percent(25) ? operation("and", condition(), condition()) : condition()}); }

    Dice dice_;
    Program program_;
    std::size_t next_ = 0;
};

} // namespace

Program counting_program(std::uint64_t seed, std::uint64_t i) { return CountingGenerator(seed, i).take(); }

Program locks_program(std::uint64_t seed, std::uint64_t i) { return LockGenerator(seed, i).take(); }

Program regions_program(std::uint64_t seed, std::uint64_t i) { return RegionGenerator(seed, i).take(); }

} // namespace matchpoint::naive
