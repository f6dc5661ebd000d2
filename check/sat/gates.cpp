#include "check/sat/gates.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "grammar/operators.hpp"

namespace matchpoint::check {

namespace {

using KnownOperands = PerOperand<std::optional<bool>>;

std::size_t count(KnownOperands const& known) {
    return static_cast<std::size_t>(
        std::count_if(known.begin(), known.end(), [](auto const& v) { return v.has_value(); }));
}

bool decides_with_less(Connective const& connective, KnownOperands known) {
    return std::any_of(known.begin(), known.end(), [&](std::optional<bool>& operand) {
        auto const value = std::exchange(operand, std::nullopt);
        bool const decides = value && connective.of(known);
        operand = value;
        return decides;
    });
}

/// All choices of operands: each is false, true or not known, as a digit of a number with the base 3.
std::vector<KnownOperands> choices(std::size_t operands) {
    std::vector<KnownOperands> result;
    unsigned end = 1;
    for (std::size_t k = 0; k < operands; ++k) end *= 3;
    for (unsigned choice = 0; choice < end; ++choice) {
        KnownOperands& known = result.emplace_back();
        for (unsigned rest = choice; known.size() < operands; rest /= 3)
            known.push_back(rest % 3 == 2 ? std::nullopt : std::optional(rest % 3 == 1));
    }
    return result;
}

std::vector<GateClause> clauses(Op op) {
    std::vector<GateClause> result;
    auto const connective = as_connective(op);
    if (!connective) return result;
    auto const all = choices(connective->operands);
    for (std::size_t size = connective->operands; size > 0; --size)
        for (bool const is : {false, true})
            for (KnownOperands const& known : all)
                if (count(known) == size && connective->of(known) == is && !decides_with_less(*connective, known))
                    result.push_back({known, is});
    return result;
}

} // namespace

std::vector<GateClause> const& gate(Op op) {
    static std::array<std::vector<GateClause>, op_count> const gates = [] {
        std::array<std::vector<GateClause>, op_count> result;
        for (Op const o : all_ops()) result[static_cast<std::size_t>(o)] = clauses(o);
        return result;
    }();
    return gates[static_cast<std::size_t>(op)];
}

} // namespace matchpoint::check
