#include "record/threads/operations.hpp"

#include <algorithm>
#include <bit>

namespace matchpoint::record::threads {

namespace {

/// Ones from bit `low` to bit `high`, which is not one of them.
struct Ones {
    unsigned low, high;
};

std::optional<Ones> ones_of(std::uint64_t mask) {
    if (mask == 0) return std::nullopt;
    auto const low = static_cast<unsigned>(std::countr_zero(mask));
    auto const count = static_cast<unsigned>(std::countr_one(mask >> low));
    if (low + count < 64 && (mask >> (low + count)) != 0) return std::nullopt;
    return Ones{low, low + count};
}

std::uint64_t bitwise(matchpoint_operator op, std::uint64_t a, std::uint64_t b) {
    return op == matchpoint_and ? (a & b) : op == matchpoint_or ? (a | b) : (a ^ b);
}

std::optional<std::uint64_t> divide(matchpoint_operator op, unsigned width, std::int64_t a, std::int64_t b) {
    if (b == 0) return std::nullopt;
    std::uint64_t const ua = as_unsigned(a, width);
    std::uint64_t const ub = as_unsigned(b, width);
    if (op == matchpoint_udiv) return ua / ub;
    if (op == matchpoint_urem) return ua % ub;
    if (b == -1) return op == matchpoint_sdiv ? 0 - static_cast<std::uint64_t>(a) : 0;
    return static_cast<std::uint64_t>(op == matchpoint_sdiv ? a / b : a % b);
}

std::optional<std::uint64_t> shift(matchpoint_operator op, unsigned width, std::int64_t a, std::uint64_t by) {
    if (by >= width) return std::nullopt;
    if (op == matchpoint_shl) return static_cast<std::uint64_t>(a) << by;
    if (op == matchpoint_lshr) return as_unsigned(a, width) >> by;
    return static_cast<std::uint64_t>(a >> by);
}

bool compare(matchpoint_operator op, unsigned width, std::int64_t a, std::int64_t b) {
    // To signed comparisons, the bit 1 is -1.
    if (width == 1 && (op == matchpoint_slt || op == matchpoint_sle)) std::swap(a, b);
    std::uint64_t const ua = as_unsigned(a, width);
    std::uint64_t const ub = as_unsigned(b, width);
    if (op == matchpoint_eq) return a == b;
    if (op == matchpoint_ne) return a != b;
    if (op == matchpoint_ult) return ua < ub;
    if (op == matchpoint_ule) return ua <= ub;
    return op == matchpoint_slt ? a < b : a <= b;
}

} // namespace

std::optional<std::int64_t> evaluate(matchpoint_operator op, unsigned width, unsigned to,
                                     std::span<std::int64_t const> o) {
    auto const u = [&](std::size_t i) { return static_cast<std::uint64_t>(o[i]); };
    auto const result = [&](std::optional<std::uint64_t> v, unsigned bits) -> std::optional<std::int64_t> {
        if (!v) return std::nullopt;
        return as_signed(*v, bits);
    };
    if (is_comparison(op)) return compare(op, width, o[0], o[1]) ? 1 : 0;
    if (op == matchpoint_add) return as_signed(u(0) + u(1), width);
    if (op == matchpoint_sub) return as_signed(u(0) - u(1), width);
    if (op == matchpoint_mul) return as_signed(u(0) * u(1), width);
    if (op == matchpoint_shl || op == matchpoint_lshr || op == matchpoint_ashr)
        return result(shift(op, width, o[0], as_unsigned(o[1], width)), width);
    if (op >= matchpoint_udiv && op <= matchpoint_srem) return result(divide(op, width, o[0], o[1]), width);
    if (op == matchpoint_and || op == matchpoint_or || op == matchpoint_xor)
        return as_signed(bitwise(op, u(0), u(1)), width);
    if (op == matchpoint_trunc) return as_signed(u(0), to);
    if (op == matchpoint_zext) return as_signed(as_unsigned(o[0], width), to);
    if (op == matchpoint_sext) return as_signed(width == 1 ? 0 - u(0) : u(0), to);
    return o[0] != 0 ? o[1] : o[2]; // select
}

std::int64_t evaluate(matchpoint_update update, unsigned bits, std::int64_t old, std::int64_t operand) {
    std::uint64_t const a = as_unsigned(old, bits);
    std::uint64_t const b = as_unsigned(operand, bits);
    switch (update) {
    case matchpoint_exchanged: return operand;
    case matchpoint_added: return as_signed(a + b, bits);
    case matchpoint_subtracted: return as_signed(a - b, bits);
    case matchpoint_anded: return as_signed(a & b, bits);
    case matchpoint_ored: return as_signed(a | b, bits);
    case matchpoint_xored: return as_signed(a ^ b, bits);
    case matchpoint_nanded: return as_signed(~(a & b), bits);
    case matchpoint_signed_max: return std::max(old, operand);
    case matchpoint_signed_min: return std::min(old, operand);
    case matchpoint_unsigned_max: return as_signed(std::max(a, b), bits);
    case matchpoint_unsigned_min: return as_signed(std::min(a, b), bits);
    }
    return operand;
}

TermId Operations::term_of(Known const& k) {
    if (k.term != 0) return k.term;
    return k.bits == 1 ? terms_.truth(k.value != 0) : terms_.constant(k.value);
}

Known Operations::known(TermId term, unsigned bits, std::int64_t value) const {
    return {value, terms_.is_constant(term) ? 0 : term, static_cast<std::uint8_t>(bits)};
}

void Operations::fix(Known& k) {
    if (k.term == 0) return;
    fix_(k);
    k.term = 0;
}

Known Operations::part(Known const& k, unsigned from, unsigned bits) {
    std::int64_t const value = as_signed(as_unsigned(k.value, k.bits) >> from, bits);
    if (k.term == 0 || bits == k.bits) return {value, k.term, static_cast<std::uint8_t>(bits)};
    return known(terms_.wrap(terms_.div(terms_.view(k.term, k.bits), power_of_two(from)), bits), bits, value);
}

std::optional<Known> Operations::apply(Record const& r, std::span<Known> o) {
    std::array<std::int64_t, 3> values{};
    for (std::size_t i = 0; i < o.size(); ++i) values[i] = o[i].value;
    auto const value = evaluate(r.op, r.width, r.to, std::span(values).first(o.size()));
    if (!value) return std::nullopt;
    unsigned const bits = is_comparison(r.op) ? 1 : r.to;
    if (std::all_of(o.begin(), o.end(), [](Known const& k) { return k.term == 0; }))
        return Known{*value, 0, static_cast<std::uint8_t>(bits)};
    return known(of(r.op, r, o), bits, *value);
}

TermId Operations::of(matchpoint_operator op, Record const& r, std::span<Known> o) {
    if (is_comparison(op)) return compared(op, r.width, o);
    if (is_cast(op)) return cast(r, o[0]);
    if (op == matchpoint_select) return terms_.choose(term_of(o[0]), term_of(o[1]), term_of(o[2]));
    if (r.width == 1) return on_truths(op, o);
    if (op == matchpoint_add) return exact(terms_.add(term_of(o[0]), term_of(o[1])), r);
    if (op == matchpoint_sub) return exact(terms_.sub(term_of(o[0]), term_of(o[1])), r);
    if (op == matchpoint_mul) return exact(terms_.mul(term_of(o[0]), term_of(o[1])), r);
    if (op == matchpoint_shl || op == matchpoint_lshr || op == matchpoint_ashr) return shifted(op, r, o);
    if (op >= matchpoint_udiv && op <= matchpoint_srem) return divided(op, r, o);
    return masked(op, r.width, o);
}

TermId Operations::on_truths(matchpoint_operator op, std::span<Known> o) {
    bool const is_defined = op == matchpoint_or || op == matchpoint_and || op == matchpoint_mul ||
                            op == matchpoint_xor || op == matchpoint_add || op == matchpoint_sub;
    if (!is_defined) fix(o[1]);
    TermId const a = term_of(o[0]);
    TermId const b = term_of(o[1]);
    if (op == matchpoint_or) return terms_.or_(a, b);
    if (op == matchpoint_and || op == matchpoint_mul) return terms_.and_(a, b);
    if (op == matchpoint_xor || op == matchpoint_add || op == matchpoint_sub) return terms_.xor_(a, b);
    // A shift is by 0, and a division by 1: others are undefined.
    if (op == matchpoint_urem || op == matchpoint_srem) return terms_.truth(false);
    return a;
}

TermId Operations::exact(TermId e, Record const& r) {
    // What the run did although it overflowed is to be what the machine does.
    bool const overflowed = !terms_[e].has_shared && (terms_[e].value < signed_range(r.width).low ||
                                                      terms_[e].value > signed_range(r.width).high);
    if ((r.overflow & matchpoint_nsw) == 0 || overflowed) return terms_.wrap(e, r.width);
    if (signed_range(r.width).contains(terms_[e].range)) return e;
    within_(e, r.width);
    return terms_.clip(e, r.width);
}

TermId Operations::shifted(matchpoint_operator op, Record const& r, std::span<Known> o) {
    fix(o[1]);
    Wide const by = power_of_two(static_cast<unsigned>(o[1].value));
    if (op == matchpoint_shl) return exact(terms_.mul(term_of(o[0]), terms_.constant(by)), r);
    if (op == matchpoint_ashr) return terms_.div(term_of(o[0]), by);
    return terms_.wrap(terms_.div(terms_.view(term_of(o[0]), r.width), by), r.width);
}

TermId Operations::divided(matchpoint_operator op, Record const& r, std::span<Known> o) {
    fix(o[1]);
    TermId const a = term_of(o[0]);
    bool const is_division = op == matchpoint_udiv || op == matchpoint_sdiv;
    if (op == matchpoint_udiv || op == matchpoint_urem) {
        TermId const seen = terms_.view(a, r.width);
        auto const by = static_cast<Wide>(as_unsigned(o[1].value, r.width));
        return terms_.wrap(is_division ? terms_.div(seen, by) : terms_.mod(seen, by), r.width);
    }
    // Towards zero: of absolute values, and the sign is that of both, or of the dividend.
    Wide const by = o[1].value < 0 ? -Wide{o[1].value} : Wide{o[1].value};
    TermId const zero = terms_.constant(0);
    auto const of = [&](TermId t) { return is_division ? terms_.div(t, by) : terms_.mod(t, by); };
    bool const turns = is_division && o[1].value < 0;
    TermId const positive = turns ? terms_.sub(zero, of(a)) : of(a);
    if (terms_[a].range.low >= 0) return positive;
    TermId const opposite = of(terms_.sub(zero, a));
    TermId const negative = turns ? opposite : terms_.sub(zero, opposite);
    return terms_.wrap(terms_.choose(terms_.less(a, zero), negative, positive), r.width);
}

namespace {

/// How many of the lowest bits are zeros in every execution; `depth` terms are looked at on each way down.
unsigned zeros_below(Terms const& terms, TermId t, unsigned depth = 6) {
    if (t == 0 || depth == 0) return 0;
    auto const of = [&](TermId operand) { return zeros_below(terms, operand, depth - 1); };
    auto const in = [](Wide v) {
        auto const bits = static_cast<std::uint64_t>(v);
        return bits == 0 ? 63U : static_cast<unsigned>(std::countr_zero(bits));
    };
    Term const& e = terms[t];
    switch (e.kind) {
    case TermKind::constant: return in(e.value);
    case TermKind::local:
    case TermKind::wrap:
    case TermKind::view:
    case TermKind::clip: return of(e.a);
    case TermKind::mul: return std::min(of(e.a) + of(e.b), 63U);
    case TermKind::add:
    case TermKind::sub:
    case TermKind::mod: return std::min(of(e.a), of(e.b));
    case TermKind::choose: return std::min(of(e.b), of(e.c));
    case TermKind::truth:
    case TermKind::shared:
    case TermKind::div:
    case TermKind::equal:
    case TermKind::less:
    case TermKind::less_equal:
    case TermKind::not_:
    case TermKind::and_:
    case TermKind::or_:
    case TermKind::xor_: break;
    }
    return 0;
}

/// Whether no bit is a one in both.
bool are_apart(Terms const& terms, TermId upper, TermId lower) {
    Range const below{0, power_of_two(zeros_below(terms, upper)) - 1};
    return below.contains(terms[lower].range);
}

} // namespace

/// Exact if one operand is a constant whose ones are one run of bits, or whose zeros are; or if all ones of one operand
/// are above those of the other.
TermId Operations::masked(matchpoint_operator op, unsigned width, std::span<Known> o) {
    if (op != matchpoint_and && o[0].term != 0 && o[1].term != 0 &&
        (are_apart(terms_, o[0].term, o[1].term) || are_apart(terms_, o[1].term, o[0].term)))
        return terms_.add(o[0].term, o[1].term);
    if (o[0].term == 0) std::swap(o[0], o[1]);
    if (o[1].term == 0)
        if (TermId const t = masked(op, width, o[0].term, o[1].value)) return t;
    std::int64_t const value =
        as_signed(bitwise(op, static_cast<std::uint64_t>(o[0].value), static_cast<std::uint64_t>(o[1].value)), width);
    fix(o[0]);
    fix(o[1]);
    return terms_.constant(value);
}

TermId Operations::masked(matchpoint_operator op, unsigned width, TermId e, std::int64_t mask) {
    std::uint64_t const ones = as_unsigned(mask, width);
    std::uint64_t const all = as_unsigned(-1, width);
    if (ones == all && op != matchpoint_and)
        return op == matchpoint_or ? terms_.constant(-1) : terms_.sub(terms_.constant(-1), e);
    // a & mask
    auto const run = [&](Ones b) {
        TermId const from = terms_.div(e, power_of_two(b.low));
        if (b.high == width) return terms_.mul(from, terms_.constant(power_of_two(b.low)));
        return terms_.mul(terms_.mod(from, power_of_two(b.high - b.low)), terms_.constant(power_of_two(b.low)));
    };
    TermId both = 0;
    if (auto const b = ones_of(ones))
        both = run(*b);
    else if (ones == 0)
        both = terms_.constant(0);
    else if (auto const z = ones_of(ones ^ all))
        both = terms_.sub(e, run(*z));
    if (both == 0) return 0;
    if (op == matchpoint_and) return terms_.wrap(both, width);
    // a | m = a + m - (a & m), a ^ m = a + m - 2 (a & m)
    TermId const taken = op == matchpoint_or ? both : terms_.mul(both, terms_.constant(2));
    return terms_.wrap(terms_.sub(terms_.add(e, terms_.constant(mask)), taken), width);
}

TermId Operations::compared(matchpoint_operator op, unsigned width, std::span<Known> o) {
    TermId a = term_of(o[0]);
    TermId b = term_of(o[1]);
    if (op == matchpoint_eq) return terms_.equal(a, b);
    if (op == matchpoint_ne) return terms_.not_(terms_.equal(a, b));
    if (width == 1) {
        a = terms_.number(a, op == matchpoint_slt || op == matchpoint_sle ? -1 : 1);
        b = terms_.number(b, op == matchpoint_slt || op == matchpoint_sle ? -1 : 1);
    } else if (op == matchpoint_ult || op == matchpoint_ule) {
        a = terms_.view(a, width);
        b = terms_.view(b, width);
    }
    return op == matchpoint_ult || op == matchpoint_slt ? terms_.less(a, b) : terms_.less_equal(a, b);
}

TermId Operations::cast(Record const& r, Known const& k) {
    TermId const t = term_of(k);
    if (r.op == matchpoint_trunc) {
        if (r.to == r.width) return t;
        if (r.to == 1) return terms_.equal(terms_.mod(t, 2), terms_.constant(1));
        return terms_.wrap(t, r.to);
    }
    if (r.to == r.width) return t;
    if (r.width == 1) return terms_.number(t, r.op == matchpoint_sext ? -1 : 1);
    return r.op == matchpoint_sext ? t : terms_.view(t, r.width);
}

TermId Operations::updated(matchpoint_update update, TermId old, Known& operand, unsigned bits) {
    TermId const b = term_of(operand);
    auto const is_less = [&](bool is_signed) {
        return is_signed ? terms_.less(old, b) : terms_.less(terms_.view(old, bits), terms_.view(b, bits));
    };
    switch (update) {
    case matchpoint_exchanged: return b;
    case matchpoint_added: return terms_.wrap(terms_.add(old, b), bits);
    case matchpoint_subtracted: return terms_.wrap(terms_.sub(old, b), bits);
    case matchpoint_signed_max: return terms_.choose(is_less(true), b, old);
    case matchpoint_signed_min: return terms_.choose(is_less(true), old, b);
    case matchpoint_unsigned_max: return terms_.choose(is_less(false), b, old);
    case matchpoint_unsigned_min: return terms_.choose(is_less(false), old, b);
    case matchpoint_anded:
    case matchpoint_ored:
    case matchpoint_xored:
    case matchpoint_nanded: break;
    }
    fix(operand);
    auto const op = update == matchpoint_ored    ? matchpoint_or
                    : update == matchpoint_xored ? matchpoint_xor
                                                 : matchpoint_and;
    TermId const t = masked(op, bits, old, operand.value);
    return t == 0 || update != matchpoint_nanded ? t : terms_.sub(terms_.constant(-1), t);
}

} // namespace matchpoint::record::threads
