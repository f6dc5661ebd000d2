#include "record/threads/terms.hpp"

#include <algorithm>

namespace matchpoint::record::threads {

namespace {

constexpr Wide widest = Wide{1} << 126U;

/// Sums and products of values of 64 bits stay below; what does not is as large as that.
Wide limited(Wide v) { return std::clamp(v, -widest, widest); }

Wide product(Wide a, Wide b) {
    Wide result = 0;
    if (__builtin_mul_overflow(a, b, &result)) return (a < 0) == (b < 0) ? widest : -widest;
    return limited(result);
}

Wide floor_div(Wide a, Wide by) { return a / by - (a % by < 0 ? 1 : 0); }
Wide floor_mod(Wide a, Wide by) { return a - floor_div(a, by) * by; }

Wide wrapped(Wide v, unsigned bits) {
    Wide const half = power_of_two(bits - 1);
    return floor_mod(v + half, 2 * half) - half;
}

Range hull(Range const& a, Range const& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

} // namespace

Wide power_of_two(unsigned k) { return Wide{1} << k; }

Range signed_range(unsigned bits) {
    if (bits == 1) return {0, 1};
    return {-power_of_two(bits - 1), power_of_two(bits - 1) - 1};
}

std::int64_t as_signed(std::uint64_t value, unsigned bits) {
    if (bits == 1) return static_cast<std::int64_t>(value & 1U);
    unsigned const shift = 64 - bits;
    return static_cast<std::int64_t>(value << shift) >> shift;
}

std::uint64_t as_unsigned(std::int64_t value, unsigned bits) {
    return bits == 64 ? static_cast<std::uint64_t>(value)
                      : static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1);
}

namespace {

std::size_t hash_of(Term const& t) {
    std::size_t h = static_cast<std::size_t>(t.kind) + (std::size_t{t.bits} << 8U);
    auto const mix = [&](std::uint64_t v) {
        h = (h ^ v) * 0x9e3779b97f4a7c15U;
        h ^= h >> 29U;
    };
    mix((std::uint64_t{t.variable} << 32U) | t.a);
    mix((std::uint64_t{t.b} << 32U) | t.c);
    if (t.kind == TermKind::constant || t.kind == TermKind::truth) mix(static_cast<std::uint64_t>(t.value));
    return h;
}

bool is_same(Term const& a, Term const& b) {
    return a.kind == b.kind && a.bits == b.bits && a.is_truth == b.is_truth && a.variable == b.variable && a.a == b.a &&
           a.b == b.b && a.c == b.c && a.value == b.value;
}

} // namespace

std::size_t Terms::slot_of(Term const& t) const {
    std::size_t i = hash_of(t) & (slots_.size() - 1);
    while (slots_[i] != 0 && !is_same(terms_[slots_[i]], t)) i = (i + 1) & (slots_.size() - 1);
    return i;
}

Terms::Terms() : slots_(64, 0) {
    terms_.emplace_back();
    truth(false);
    truth(true);
}

TermId Terms::make(Term t) {
    for (TermId const o : {t.a, t.b, t.c}) {
        if (o == 0 || t.kind == TermKind::local) continue;
        if (terms_[o].owner != UINT32_MAX) t.owner = terms_[o].owner;
        t.has_shared = t.has_shared || terms_[o].has_shared;
    }
    if (t.kind == TermKind::shared) t.has_shared = true;
    if (t.has_shared) t.value = 0;
    std::size_t const slot = slot_of(t);
    if (slots_[slot] != 0) return slots_[slot];
    if (t.kind != TermKind::local && t.kind != TermKind::shared) t.range = range_of(t);
    if (t.is_truth && t.kind == TermKind::local) t.range = {0, 1};
    auto const id = static_cast<TermId>(terms_.size());
    slots_[slot] = id;
    terms_.push_back(t);
    if (2 * terms_.size() > slots_.size()) {
        slots_.assign(2 * slots_.size(), 0);
        for (TermId i = 1; i < terms_.size(); ++i) slots_[slot_of(terms_[i])] = i;
    }
    return id;
}

TermId Terms::constant(Wide value) { return make({.kind = TermKind::constant, .value = value}); }
TermId Terms::truth(bool value) { return make({.kind = TermKind::truth, .is_truth = true, .value = value ? 1 : 0}); }

TermId Terms::local(std::uint32_t thread, std::uint32_t variable, TermId a, Wide value, Range range) {
    return make({.kind = TermKind::local,
                 .is_truth = terms_[a].is_truth,
                 .variable = variable,
                 .a = a,
                 .owner = thread,
                 .value = value,
                 .range = range});
}

TermId Terms::shared(std::uint32_t variable, Range range) {
    return make({.kind = TermKind::shared, .variable = variable, .range = range});
}

TermId Terms::shared_truth(std::uint32_t variable) {
    return make({.kind = TermKind::shared, .is_truth = true, .variable = variable});
}

TermId Terms::add(TermId a, TermId b) {
    if (is_constant(a)) std::swap(a, b);
    if (is_constant(a)) return constant(terms_[a].value + terms_[b].value);
    if (is_constant(b)) {
        Wide const v = terms_[b].value;
        if (v == 0) return a;
        Term const& left = terms_[a];
        if (left.kind == TermKind::add && is_constant(left.b)) return add(left.a, constant(terms_[left.b].value + v));
        if (left.kind == TermKind::choose && is_constant(left.b) && is_constant(left.c)) {
            Term const l = left;
            return choose(l.a, add(l.b, b), add(l.c, b));
        }
    }
    return make({.kind = TermKind::add, .a = a, .b = b, .value = terms_[a].value + terms_[b].value});
}

TermId Terms::sub(TermId a, TermId b) {
    if (is_constant(b)) return add(a, constant(-terms_[b].value));
    if (a == b && !terms_[a].has_shared) return constant(0);
    return make({.kind = TermKind::sub, .a = a, .b = b, .value = terms_[a].value - terms_[b].value});
}

TermId Terms::mul(TermId a, TermId b) {
    if (is_constant(a)) std::swap(a, b);
    if (is_constant(b)) {
        if (is_constant(a)) return constant(product(terms_[a].value, terms_[b].value));
        if (terms_[b].value == 0) return constant(0);
        if (terms_[b].value == 1) return a;
    }
    return make({.kind = TermKind::mul, .a = a, .b = b, .value = product(terms_[a].value, terms_[b].value)});
}

TermId Terms::div(TermId a, Wide by) {
    if (by == 1) return a;
    if (is_constant(a)) return constant(floor_div(terms_[a].value, by));
    return make({.kind = TermKind::div, .a = a, .b = constant(by), .value = floor_div(terms_[a].value, by)});
}

TermId Terms::mod(TermId a, Wide by) {
    if (is_constant(a)) return constant(floor_mod(terms_[a].value, by));
    if (Range{0, by - 1}.contains(terms_[a].range)) return a;
    // The same modulo 2^k that is no larger.
    Term const& t = terms_[a];
    if ((t.kind == TermKind::wrap || t.kind == TermKind::view) && power_of_two(t.bits) % by == 0) return mod(t.a, by);
    return make({.kind = TermKind::mod, .a = a, .b = constant(by), .value = floor_mod(terms_[a].value, by)});
}

TermId Terms::wrap(TermId a, unsigned bits) {
    if (is_constant(a)) return constant(wrapped(terms_[a].value, bits));
    if (signed_range(bits).contains(terms_[a].range)) return a;
    Term const t = terms_[a];
    if ((t.kind == TermKind::wrap || t.kind == TermKind::view || t.kind == TermKind::clip) && t.bits >= bits)
        return wrap(t.a, bits);
    if (t.kind == TermKind::add && is_constant(t.b)) {
        Term const inner = terms_[t.a];
        if (inner.kind == TermKind::wrap && inner.bits >= bits) return wrap(add(inner.a, t.b), bits);
    }
    return make({.kind = TermKind::wrap,
                 .bits = static_cast<std::uint8_t>(bits),
                 .a = a,
                 .value = wrapped(terms_[a].value, bits)});
}

TermId Terms::view(TermId a, unsigned bits) {
    if (is_constant(a)) return constant(floor_mod(terms_[a].value, power_of_two(bits)));
    if (terms_[a].range.low >= 0 && terms_[a].range.high < power_of_two(bits)) return a;
    Term const t = terms_[a];
    if (t.kind == TermKind::wrap && t.bits >= bits) return view(t.a, bits);
    return make({.kind = TermKind::view,
                 .bits = static_cast<std::uint8_t>(bits),
                 .a = a,
                 .value = floor_mod(terms_[a].value, power_of_two(bits))});
}

TermId Terms::clip(TermId a, unsigned bits) {
    if (is_constant(a) || signed_range(bits).contains(terms_[a].range)) return a;
    return make({.kind = TermKind::clip, .bits = static_cast<std::uint8_t>(bits), .a = a, .value = terms_[a].value});
}

TermId Terms::equal(TermId a, TermId b) {
    if (is_constant(a)) std::swap(a, b);
    if (is_constant(a)) return truth(terms_[a].value == terms_[b].value);
    if (a == b) return truth(true);
    Term const t = terms_[a];
    if (is_constant(b)) {
        Wide const v = terms_[b].value;
        if (t.is_truth) return v != 0 ? a : not_(a);
        if (t.range.low > v || v > t.range.high) return truth(false);
        if (t.kind == TermKind::mul && is_constant(t.b)) {
            Wide const by = terms_[t.b].value;
            return v % by != 0 ? truth(false) : equal(t.a, constant(v / by));
        }
        if (t.kind == TermKind::choose && is_constant(t.b) && is_constant(t.c)) {
            bool const yes = terms_[t.b].value == v;
            bool const no = terms_[t.c].value == v;
            return yes == no ? truth(yes) : yes ? t.a : not_(t.a);
        }
        if (t.kind == TermKind::view && signed_range(t.bits).contains(terms_[t.a].range))
            return equal(t.a, constant(wrapped(v, t.bits)));
        if (t.kind == TermKind::add && is_constant(t.b)) return equal(t.a, constant(v - terms_[t.b].value));
    }
    return make(
        {.kind = TermKind::equal, .is_truth = true, .a = a, .b = b, .value = t.value == terms_[b].value ? 1 : 0});
}

TermId Terms::less(TermId a, TermId b) {
    Term const& l = terms_[a];
    Term const& r = terms_[b];
    if (l.range.high < r.range.low) return truth(true);
    if (l.range.low >= r.range.high) return truth(false);
    if (l.kind == TermKind::choose && is_constant(l.b) && is_constant(l.c) && is_constant(b)) {
        bool const yes = terms_[l.b].value < r.value;
        return yes == (terms_[l.c].value < r.value) ? truth(yes) : yes ? l.a : not_(l.a);
    }
    return make({.kind = TermKind::less, .is_truth = true, .a = a, .b = b, .value = l.value < r.value ? 1 : 0});
}

TermId Terms::less_equal(TermId a, TermId b) {
    Term const& l = terms_[a];
    Term const& r = terms_[b];
    if (l.range.high <= r.range.low) return truth(true);
    if (l.range.low > r.range.high) return truth(false);
    return make({.kind = TermKind::less_equal, .is_truth = true, .a = a, .b = b, .value = l.value <= r.value ? 1 : 0});
}

TermId Terms::not_(TermId a) {
    Term const t = terms_[a];
    if (is_constant(a)) return truth(t.value == 0);
    if (t.kind == TermKind::not_) return t.a;
    if (t.kind == TermKind::less) return less_equal(t.b, t.a);
    if (t.kind == TermKind::less_equal) return less(t.b, t.a);
    return make({.kind = TermKind::not_, .is_truth = true, .a = a, .value = t.value == 0 ? 1 : 0});
}

TermId Terms::and_(TermId a, TermId b) {
    if (is_constant(a)) return terms_[a].value != 0 ? b : a;
    if (is_constant(b)) return terms_[b].value != 0 ? a : b;
    if (a == b) return a;
    return make({.kind = TermKind::and_, .is_truth = true, .a = a, .b = b, .value = terms_[a].value & terms_[b].value});
}

TermId Terms::or_(TermId a, TermId b) {
    if (is_constant(a)) return terms_[a].value != 0 ? a : b;
    if (is_constant(b)) return terms_[b].value != 0 ? b : a;
    if (a == b) return a;
    return make({.kind = TermKind::or_, .is_truth = true, .a = a, .b = b, .value = terms_[a].value | terms_[b].value});
}

TermId Terms::xor_(TermId a, TermId b) {
    if (is_constant(a)) return terms_[a].value != 0 ? not_(b) : b;
    if (is_constant(b)) return terms_[b].value != 0 ? not_(a) : a;
    return make({.kind = TermKind::xor_, .is_truth = true, .a = a, .b = b, .value = terms_[a].value ^ terms_[b].value});
}

TermId Terms::choose(TermId c, TermId a, TermId b) {
    if (is_constant(c)) return terms_[c].value != 0 ? a : b;
    if (a == b) return a;
    if (terms_[a].is_truth && is_constant(a) && is_constant(b)) return terms_[a].value != 0 ? c : not_(c);
    Term const t = terms_[c];
    if (t.kind == TermKind::not_) return choose(t.a, b, a);
    return make({.kind = TermKind::choose,
                 .is_truth = terms_[a].is_truth,
                 .a = c,
                 .b = a,
                 .c = b,
                 .value = t.value != 0 ? terms_[a].value : terms_[b].value});
}

Range Terms::range_of(Term const& t) const {
    Range const a = terms_[t.a].range;
    Range const b = terms_[t.b].range;
    switch (t.kind) {
    case TermKind::constant: return {t.value, t.value};
    case TermKind::add: return {limited(a.low + b.low), limited(a.high + b.high)};
    case TermKind::sub: return {limited(a.low - b.high), limited(a.high - b.low)};
    case TermKind::mul: {
        Wide const corners[] = {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low),
                                product(a.high, b.high)};
        return {*std::min_element(std::begin(corners), std::end(corners)),
                *std::max_element(std::begin(corners), std::end(corners))};
    }
    case TermKind::div: return {floor_div(a.low, b.low), floor_div(a.high, b.low)};
    case TermKind::mod: return Range{0, b.low - 1}.contains(a) ? a : Range{0, b.low - 1};
    case TermKind::wrap: return signed_range(t.bits).contains(a) ? a : signed_range(t.bits);
    case TermKind::view: {
        Range const all{0, power_of_two(t.bits) - 1};
        return all.contains(a) ? a : all;
    }
    case TermKind::clip: {
        Range const all = signed_range(t.bits);
        // Where both are disjoint, no execution gets here.
        if (a.high < all.low || all.high < a.low) return all;
        return {std::max(a.low, all.low), std::min(a.high, all.high)};
    }
    case TermKind::choose: {
        Range const c = terms_[t.c].range;
        return a.low == 1 ? b : a.high == 0 ? c : hull(b, c);
    }
    case TermKind::truth: return {t.value, t.value};
    case TermKind::equal: {
        bool const can = a.low <= b.high && b.low <= a.high;
        bool const must = a.low == a.high && b.low == b.high && can;
        return {must ? 1 : 0, can ? 1 : 0};
    }
    case TermKind::less: return {a.high < b.low ? 1 : 0, a.low < b.high ? 1 : 0};
    case TermKind::less_equal: return {a.high <= b.low ? 1 : 0, a.low <= b.high ? 1 : 0};
    case TermKind::not_: return {1 - a.high, 1 - a.low};
    case TermKind::and_: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case TermKind::or_: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case TermKind::xor_: return a.low == a.high && b.low == b.high ? Range{a.low ^ b.low, a.low ^ b.low} : Range{0, 1};
    case TermKind::local:
    case TermKind::shared: break;
    }
    return t.range;
}

void Terms::evaluate(std::vector<Range> const& variables) {
    for (Term& t : terms_) {
        if (t.kind == TermKind::shared)
            t.range = variables[t.variable];
        else if (t.kind == TermKind::local)
            t.range = terms_[t.a].range;
        else
            t.range = range_of(t);
    }
}

void Terms::find_ranges(std::vector<Range> initial, std::vector<Range> const& bounds,
                        std::vector<Store> const& stores) {
    constexpr std::size_t budget = 20'000'000; // terms to evaluate
    std::size_t const affordable = budget / (terms_.size() + stores.size() + 1);
    // In an execution, what the k-th store writes is within what k rounds give.
    std::size_t const rounds = std::min(affordable, stores.size() + 1);
    bool const is_widened = rounds < stores.size() + 1;
    std::vector<Range> now = std::move(initial);
    for (std::size_t round = 0;; ++round) {
        evaluate(now);
        std::vector<Range> next = now;
        for (Store const& s : stores) next[s.variable] = hull(next[s.variable], terms_[s.term].range);
        for (std::size_t x = 0; x < next.size(); ++x) {
            // Nothing that is stored is larger than its location.
            next[x] = {std::max(next[x].low, bounds[x].low), std::min(next[x].high, bounds[x].high)};
            if (round >= rounds && is_widened && next[x] != now[x]) next[x] = bounds[x];
        }
        if (next == now || (round >= rounds && !is_widened)) break;
        now = std::move(next);
    }
    evaluate(now);
}

} // namespace matchpoint::record::threads
