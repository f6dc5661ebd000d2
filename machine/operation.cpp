#include "machine/operation.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"

namespace matchpoint::machine {

namespace {

using Result = std::variant<Value, Reason>;

Result boolean(bool b) { return Value::boolean(b); }

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
Result integer_operation(Op op, Int const& l, Int const& r) {
    switch (op) {
    case Op::plus: return value(Int(l + r));
    case Op::minus: return value(Int(l - r));
    case Op::times: return product(l, r);
    case Op::div: {
        Int q = l / r;
        if (l % r < 0) q += r > 0 ? -1 : 1;
        return value(q);
    }
    case Op::mod: {
        Int m = l % r;
        if (m < 0) m += r > 0 ? r : Int(-r);
        return value(m);
    }
    case Op::equal: return boolean(l == r);
    case Op::not_equal: return boolean(l != r);
    case Op::less: return boolean(l < r);
    case Op::less_equal: return boolean(l <= r);
    case Op::greater: return boolean(l > r);
    case Op::greater_equal: return boolean(l >= r);
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::implies:
    case Op::not_: break;
    }
    throw std::logic_error("integer_operation: not an operation on integers");
}

Result boolean_operation(Op op, bool l, bool r) {
    switch (op) {
    case Op::equal: return boolean(l == r);
    case Op::not_equal:
    case Op::xor_: return boolean(l != r);
    case Op::and_: return boolean(l && r);
    case Op::or_: return boolean(l || r);
    case Op::implies: return boolean(!l || r);
    case Op::plus:
    case Op::minus:
    case Op::times:
    case Op::div:
    case Op::mod:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::not_: break;
    }
    throw std::logic_error("boolean_operation: not an operation on booleans");
}

bool fits(Op op, Value const& l, Value const& r) {
    bool const integers = l.is_integer() && r.is_integer();
    bool const booleans = l.is_boolean() && r.is_boolean();
    switch (operands(op)) {
    case Operands::integers: return integers;
    case Operands::booleans: return booleans;
    case Operands::equal_sorts: break;
    }
    return integers || booleans;
}

} // namespace

std::variant<Value, Reason> apply(Op op, Value const& v_l, Value const& v_r) {
    if (!fits(op, v_l, v_r)) return Reason(reason::OperandOfWrongSort{op, v_l, v_r});
    if (v_l.is_boolean()) return boolean_operation(op, v_l.is_true(), v_r.is_true());
    auto const l = v_l.small();
    auto const r = v_r.small();
    if (divides(op) && r == 0) return Reason(reason::DivisionByZero{op, v_l});
    if (l && r) return integer_operation(op, *l, *r);
    return integer_operation(op, to_integer(v_l), to_integer(v_r));
}

std::variant<Value, Reason> apply_not(Value const& v) {
    if (!v.is_boolean()) return Reason(reason::OperandOfWrongSort{Op::not_, v, {}});
    return Value::boolean(!v.is_true());
}

std::variant<Value, Reason> apply(Op op, std::span<Value const> operands) {
    return op == Op::not_ ? apply_not(operands.front()) : apply(op, operands.front(), operands.back());
}

} // namespace matchpoint::machine
