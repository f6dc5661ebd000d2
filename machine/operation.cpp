#include "machine/operation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/integer.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::machine {

namespace {

Value value(std::int64_t i) { return Value::integer(i); }
Value value(Integer const& i) { return to_value(i); }

/// Of integers of 63 bits: the only operation whose result may not fit into 64.
Value product(std::int64_t l, std::int64_t r) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(l, r, &product)) return value(product);
    return value(Integer(Integer(l) * r));
}

Value product(Integer const& l, Integer const& r) {
    // Known before the work is done: the product has as many bits as both together, or one less.
    auto const bits = [](Integer const& i) { return mpz_sizeinbase(i.backend().data(), 2); };
    if (bits(l) + bits(r) > Value::max_bits + 1)
        throw LimitReached(fmt::format("a product of more than {} bits", Value::max_bits));
    return value(Integer(l * r));
}

/// On integers of 63 bits, as std::int64_t, or of any size. C++ truncates, and the language's remainders are not
/// negative.
template <typename Int>
Value arithmetic(Arithmetic op, Int const& l, Int const& r) {
    switch (op) {
    case Arithmetic::plus: return value(Int(l + r));
    case Arithmetic::minus: return value(Int(l - r));
    case Arithmetic::times: return product(l, r);
    case Arithmetic::div: {
        Int q = l / r;
        if (l % r < 0) q += r > 0 ? -1 : 1;
        return value(q);
    }
    case Arithmetic::mod: {
        Int m = l % r;
        if (m < 0) m += r > 0 ? r : Int(-r);
        return value(m);
    }
    }
    throw std::logic_error("arithmetic: no operator");
}

template <typename Int>
Value compared(Relation const& relation, Int const& l, Int const& r) {
    return Value::boolean(l < r ? relation.less : l == r ? relation.equal : relation.greater);
}

/// f(l, r) of two integers: as std::int64_t if both have at most 63 bits.
template <typename F>
Value of_integers(Value const& v_l, Value const& v_r, F const& f) {
    auto const l = v_l.small();
    auto const r = v_r.small();
    return l && r ? f(*l, *r) : f(to_integer(v_l), to_integer(v_r));
}

} // namespace

OperationResult apply(Op op, Value const& v_l, Value const& v_r) {
    bool const are_integers = v_l.is_integer() && v_r.is_integer();
    bool const are_booleans = v_l.is_boolean() && v_r.is_boolean();
    if (are_booleans)
        if (auto const connective = as_connective(op); connective && connective->operands == 2)
            return Value::boolean(connective->holds((v_l.is_true() ? 1U : 0U) | (v_r.is_true() ? 2U : 0U)));
    if (are_integers) {
        if (Relation const* const relation = as_relation(op))
            return of_integers(v_l, v_r, [&](auto const& l, auto const& r) { return compared(*relation, l, r); });
        if (Arithmetic const* const f = as_arithmetic(op)) {
            if (divides(op) && v_r == Value::integer(0)) return Reason(reason::DivisionByZero{op, v_l});
            return of_integers(v_l, v_r, [&](auto const& l, auto const& r) { return arithmetic(*f, l, r); });
        }
    }
    return Reason(reason::OperandOfWrongSort{op, v_l, v_r});
}

OperationResult apply(Op op, Value const& v) {
    auto const connective = as_connective(op);
    if (!v.is_boolean() || !connective || connective->operands != 1)
        return Reason(reason::OperandOfWrongSort{op, v, {}});
    return Value::boolean(connective->holds(v.is_true() ? 1U : 0U));
}

OperationResult apply(Op op, std::span<Value const> operands) {
    if (is_choice(op)) {
        Value const& c = operands.front();
        if (!c.is_boolean()) return Reason(reason::OperandOfWrongSort{op, c, {}});
        return operands[Choice::operand(c.is_true())];
    }
    return operands.size() == 1 ? apply(op, operands.front()) : apply(op, operands.front(), operands.back());
}

bool lacks_operand(Op op, std::span<Value const> operands) {
    Value const& first = operands.front();
    if (is_choice(op)) return first.is_bot() || operands[Choice::operand(first.is_true())].is_bot();
    return std::any_of(operands.begin(), operands.end(), [](Value const& v) { return v.is_bot(); });
}

} // namespace matchpoint::machine
