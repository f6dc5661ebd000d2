#include "base/value.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace matchpoint::base {

/// An integer that is not small. The reference count is our own, because the pointer shares its word with a tag.
struct LargeInteger {
    Integer number;
    std::size_t bytes;
    std::atomic<std::size_t> owners{1};

    static Value value(LargeInteger* i) { return Value(reinterpret_cast<std::uintptr_t>(i), Value::Raw{}); }
    static LargeInteger const* of(Value const& v) {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): a tagged pointer
        return v.is_large() ? reinterpret_cast<LargeInteger const*>(v.word_) : nullptr;
    }
};

namespace {

static_assert(alignof(LargeInteger) >= 8, "the three low bits of a pointer are the tag");

std::atomic<std::size_t> live_bytes{0};

LargeInteger* large(std::uintptr_t word) {
    return reinterpret_cast<LargeInteger*>(word); // NOLINT(performance-no-int-to-ptr): a tagged pointer
}

std::size_t bits_of(Integer const& i) { return mpz_sizeinbase(i.backend().data(), 2); }

constexpr std::int64_t max_small = (std::int64_t{1} << 62U) - 1;
constexpr std::int64_t min_small = -(std::int64_t{1} << 62U);

constexpr std::size_t max_decimal_digits = static_cast<std::size_t>(static_cast<double>(Value::max_bits) * 0.30103);

[[noreturn]] void too_large() {
    throw LimitReached(
        fmt::format("an integer of more than {} bits (about {} digits)", Value::max_bits, max_decimal_digits));
}

} // namespace

Value Value::integer(std::int64_t i) {
    if (i >= min_small && i <= max_small) return Value(static_cast<std::uintptr_t>(i) << 1U | small_tag, Raw{});
    return to_value(Integer(i));
}

Value to_value(Integer const& i) {
    if (i >= min_small && i <= max_small) return Value::integer(static_cast<std::int64_t>(i));
    std::size_t const bits = bits_of(i);
    if (bits > Value::max_bits) too_large();
    std::size_t const bytes = bits / 8 + sizeof(LargeInteger);
    if (live_bytes + bytes > Value::max_total_bytes)
        throw LimitReached(fmt::format("more than {} bytes of large integers at once", Value::max_total_bytes));
    auto* const large = new LargeInteger{i, bytes};
    live_bytes += bytes;
    return LargeInteger::value(large);
}

Value Value::parse_integer(std::string_view digits) {
    bool const negative = digits.starts_with('-');
    if (negative || digits.starts_with('+')) digits.remove_prefix(1);
    if (!is_digits(digits)) throw std::invalid_argument("not a decimal integer");
    // Leading zeros would make GMP read an octal number.
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.size() <= 18) {
        std::int64_t const i = to_number<std::int64_t>(digits).value_or(0); // of 000, nothing is left
        return integer(negative ? -i : i);
    }
    if (digits.size() > max_decimal_digits) too_large();
    Integer i;
    mpz_set_str(i.backend().data(), std::string(digits).c_str(), 10);
    return to_value(negative ? Integer(-i) : i);
}

Integer to_integer(Value const& v) {
    if (auto const i = v.small()) return Integer(*i);
    LargeInteger const* const large = LargeInteger::of(v);
    if (large == nullptr) throw std::logic_error("to_integer: not an integer");
    return large->number;
}

std::size_t Value::bits() const {
    if (is_large()) return bits_of(large(word_)->number);
    auto const i = small();
    return i && *i != 0 ? bits_of(Integer(*i)) : 0;
}

std::string Value::to_string() const {
    if (auto const i = small()) return std::to_string(*i);
    if (is_large()) return large(word_)->number.str();
    if (is_bot()) return "bot";
    return is_true() ? "true" : "false";
}

std::size_t Value::hash() const noexcept {
    std::uint64_t word = word_;
    if (is_large()) word = mpz_get_ui(large(word_)->number.backend().data()) ^ 0x9E37'79B9'7F4A'7C15U;
    word *= 0x9E37'79B9'7F4A'7C15U;
    return word ^ word >> 32U;
}

void Value::retain() const noexcept { large(word_)->owners.fetch_add(1, std::memory_order_relaxed); }

void Value::release() noexcept {
    LargeInteger* const l = large(word_);
    if (l->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    live_bytes -= l->bytes;
    delete l;
}

bool Value::large_equal(Value const& a, Value const& b) noexcept {
    return large(a.word_)->number == large(b.word_)->number;
}

} // namespace matchpoint::base
