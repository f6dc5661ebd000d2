// v ::= number | bool (Figure 5(a)), and the bot of v-bot (Figure 5(b)).
//
// A machine word: small integers, booleans and bot are stored in the word itself, larger integers via a counted
// pointer.
// So the machine's queues take eight bytes per message, and copying a state copies no digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.hpp"

namespace matchpoint::base {

class Value {
public:
    /// The language has unbounded integers. Here an integer of more bits than this, or more than max_total_bytes in all
    /// large integers that are alive at once, throws LimitReached.
    static constexpr std::size_t max_bits = std::size_t{1} << 24U;
    static constexpr std::size_t max_total_bytes = std::size_t{1} << 31U;

    /// bot: no value yet, or a message whose value has already been copied.
    constexpr Value() noexcept : word_(bot_word) {}
    Value(Value const& other) noexcept : word_(other.word_) {
        if (is_large()) retain();
    }
    Value(Value&& other) noexcept : word_(other.word_) { other.word_ = bot_word; }
    Value& operator=(Value const& other) noexcept {
        Value copy(other);
        std::swap(word_, copy.word_);
        return *this;
    }
    Value& operator=(Value&& other) noexcept {
        std::swap(word_, other.word_);
        return *this;
    }
    ~Value() {
        if (is_large()) release();
    }

    static Value boolean(bool b) noexcept { return Value(b ? true_word : false_word, Raw{}); }
    static Value integer(std::int64_t i);
    /// Decimal digits with an optional sign. Throws LimitReached, and std::invalid_argument if it is not an integer.
    static Value parse_integer(std::string_view digits);

    bool is_bot() const noexcept { return word_ == bot_word; }
    bool is_boolean() const noexcept { return (word_ & tag_mask) == boolean_tag && !is_bot(); }
    bool is_integer() const noexcept { return (word_ & small_tag) != 0 || is_large(); }

    bool is_true() const noexcept { return word_ == true_word; }
    bool is_false() const noexcept { return word_ == false_word; }

    /// The integer, if it has at most 62 bits. Otherwise see to_integer() in integer.hpp.
    std::optional<std::int64_t> small() const noexcept {
        if ((word_ & small_tag) == 0) return std::nullopt;
        return static_cast<std::int64_t>(word_) >> 1U;
    }

    /// The number of bits of the integer's magnitude; 0 if this is not an integer.
    std::size_t bits() const;

    /// In the language's syntax: `true`, `-5`, `bot`.
    std::string to_string() const;

    friend bool operator==(Value const& a, Value const& b) noexcept {
        return a.word_ == b.word_ || (a.is_large() && b.is_large() && large_equal(a, b));
    }
    std::size_t hash() const noexcept;
    friend std::size_t hash_value(Value const& v) noexcept { return v.hash(); }

private:
    friend struct LargeInteger;
    // If bit 0 is set, the other 63 bits are a small integer. Otherwise bits 1 and 2 tell: 01 a boolean or bot, 00 a
    // pointer.
    static constexpr std::uintptr_t small_tag = 1;
    static constexpr std::uintptr_t tag_mask = 7;
    static constexpr std::uintptr_t boolean_tag = 2;
    static constexpr std::uintptr_t false_word = 2;
    static constexpr std::uintptr_t true_word = 2 | 8;
    static constexpr std::uintptr_t bot_word = 2 | 16;

    struct Raw {};
    Value(std::uintptr_t word, Raw) noexcept : word_(word) {}

    bool is_large() const noexcept { return (word_ & tag_mask) == 0; }
    void retain() const noexcept;
    void release() noexcept;
    static bool large_equal(Value const& a, Value const& b) noexcept;

    std::uintptr_t word_;
};

} // namespace matchpoint::base
