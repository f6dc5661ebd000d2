#include "machine/operation.hpp"

#include <fmt/format.h>

namespace matchpoint {

namespace {

using Result = std::variant<Value, Reason>;

Result boolean(bool b) { return Value::boolean(b); }

/// On integers of 63 bits: no operation here overflows 64 bits but `*`.
Result small_operation(Op op, std::int64_t l, std::int64_t r) {
    switch (op) {
    case Op::plus: return Value::integer(l + r);
    case Op::minus: return Value::integer(l - r);
    case Op::times: {
        std::int64_t product = 0;
        if (!__builtin_mul_overflow(l, r, &product)) return Value::integer(product);
        return Value::integer(Integer(l) * r);
    }
    case Op::div: {
        std::int64_t const q = l / r;
        return Value::integer(l % r >= 0 ? q : r > 0 ? q - 1 : q + 1);
    }
    case Op::mod: {
        std::int64_t const m = l % r;
        return Value::integer(m >= 0 ? m : r > 0 ? m + r : m - r);
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
    throw std::logic_error("small_operation: not an operation on integers");
}

Result large_operation(Op op, Integer const& l, Integer const& r) {
    switch (op) {
    case Op::plus: return Value::integer(Integer(l + r));
    case Op::minus: return Value::integer(Integer(l - r));
    case Op::times: {
        // Known before the work is done: the product has as many bits as both together, or one less.
        auto const bits = [](Integer const& i) { return mpz_sizeinbase(i.backend().data(), 2); };
        if (bits(l) + bits(r) > Value::max_bits + 1)
            throw LimitReached(fmt::format("a product of more than {} bits", Value::max_bits));
        return Value::integer(Integer(l * r));
    }
    case Op::div: {
        Integer q = l / r; // truncates
        if (l % r < 0) q += r > 0 ? -1 : 1;
        return Value::integer(q);
    }
    case Op::mod: {
        Integer m = l % r;
        if (m < 0) m += abs(r);
        return Value::integer(m);
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
    throw std::logic_error("large_operation: not an operation on integers");
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
    if ((op == Op::div || op == Op::mod) && r == 0) return Reason(reason::DivisionByZero{op, v_l});
    if (l && r) return small_operation(op, *l, *r);
    return large_operation(op, v_l.to_integer(), v_r.to_integer());
}

std::variant<Value, Reason> apply_not(Value const& v) {
    if (!v.is_boolean()) return Reason(reason::OperandOfWrongSort{Op::not_, v, {}});
    return Value::boolean(!v.is_true());
}

} // namespace matchpoint
