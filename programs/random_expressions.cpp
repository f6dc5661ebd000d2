#include "programs/random_expressions.hpp"

#include <fmt/format.h>

#include "grammar/operators.hpp"

namespace matchpoint::programs::random_parts {

// Each draw is a statement of its own: the order in which arguments are evaluated is nobody's business.

draft::Expression Expressions::number() {
    if (may_.large_numbers && dice_.percent(25)) {
        std::uint32_t const first = 1 + dice_.below(9);
        return draft::constant(Value::parse_integer(fmt::format("{}0000000000000000000{}", first, dice_.below(10))));
    }
    return draft::number(dice_.below(largest_ + 1U));
}

std::vector<draft::Expression> Expressions::of_sort(ThreadMade const& t, bool boolean) const {
    std::vector<draft::Expression> variables;
    for (auto const* const known : {&t.defined, &shared_})
        for (VariableMade const& v : *known)
            if (v.boolean == boolean) variables.push_back(draft::variable(v.name));
    return variables;
}

/// One of the thread's integers: mostly a variable, if there is one.
draft::Expression Expressions::atom(ThreadMade const& t) {
    auto const integers = of_sort(t, false);
    return integers.empty() || dice_.percent(15) ? number() : dice_.one_of(integers);
}

draft::Expression Expressions::integer(ThreadMade const& t) {
    static auto const divisions = ops_where([](Op op) { return divides(op); });
    static auto const operators = [] {
        auto ops = ops_where([](Op op) { return as_arithmetic(op) != nullptr && !divides(op); });
        ops.push_back(Op::plus); // more often
        return ops;
    }();
    if (draws_choice(30)) return choice(t, [&] { return integer(t); });
    if (may_.divisions && dice_.percent(40)) {
        Op const op = dice_.one_of(divisions);
        draft::Expression dividend = dice_.percent(50) ? number() : atom(t);
        draft::Expression divisor = atom(t);
        if (dice_.percent(50)) divisor = operation(Op::minus, std::move(divisor), number());
        return operation(op, std::move(dividend), std::move(divisor));
    }
    draft::Expression left = atom(t);
    if (!may_.arithmetic || dice_.percent(30)) return left;
    Op const op = dice_.one_of(operators);
    if (dice_.percent(25)) left = operation(Op::minus, std::move(left), atom(t));
    draft::Expression right = dice_.percent(50) ? number() : atom(t);
    return operation(op, std::move(left), std::move(right));
}

bool Expressions::draws_choice(unsigned percent) {
    constexpr unsigned most_depth = 3;
    return may_.choices && depth_ < most_depth && dice_.percent(percent);
}

/// Operands can be choices again.
template <typename Make>
draft::Expression Expressions::choice(ThreadMade const& t, Make const& operand) {
    static auto const operators = ops_where([](Op op) { return is_choice(op); });
    Op const op = dice_.one_of(operators);
    std::vector<draft::Expression> operands;
    ++depth_;
    operands.push_back(simple_claim(t));
    while (operands.size() < arity(op)) operands.push_back(operand());
    --depth_;
    return operation(op, std::move(operands));
}

draft::Expression Expressions::claim(ThreadMade const& t) {
    static auto const operators = ops_where([](Op op) { return is_connective(op) && arity(op) == 2; });
    draft::Expression left = simple_claim(t);
    if (known(t) < 2 || dice_.percent(55)) return left;
    Op const op = dice_.one_of(operators);
    draft::Expression both = operation(op, std::move(left), simple_claim(t));
    if (dice_.percent(30)) both = operation(Op::not_, std::move(both));
    return both;
}

draft::Expression Expressions::simple_claim(ThreadMade const& t) {
    static auto const operators = ops_where([](Op op) { return as_relation(op) != nullptr; }, {Op::not_equal});
    if (draws_choice(15)) return choice(t, [&] { return simple_claim(t); });
    auto const booleans = of_sort(t, true);
    auto const integers = of_sort(t, false);
    if (!booleans.empty() && (integers.empty() || dice_.percent(40))) return claim_of_boolean(booleans);
    if (integers.empty()) return draft::truth(dice_.percent(70));
    Op const op = dice_.one_of(operators);
    std::size_t const i = dice_.below(integers.size());
    bool const computed = (may_.arithmetic || may_.divisions || may_.choices) && dice_.percent(40);
    draft::Expression const left = computed ? integer(t) : integers[i];
    if (integers.size() == 1 || dice_.percent(65)) return operation(op, left, number());
    return operation(op, left, integers[(i + 1 + dice_.below(integers.size() - 1)) % integers.size()]);
}

draft::Expression Expressions::claim_of_boolean(std::vector<draft::Expression> const& booleans) {
    draft::Expression x = dice_.one_of(booleans);
    switch (dice_.below(4)) {
    case 0: return x;
    case 1: return operation(Op::not_, std::move(x));
    case 2: return operation(Op::equal, std::move(x), draft::truth(dice_.percent(50)));
    default: return operation(Op::not_equal, booleans.front(), booleans.back());
    }
}

} // namespace matchpoint::programs::random_parts
