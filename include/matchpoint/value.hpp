// v ::= number | bool (Figure 5(a)): what variables and messages hold.
//
//   Value const v = ...;
//   if (auto const i = v.integer()) sum += *i;
//   std::cout << v.text();
//
// The language's integers are unbounded. Those of more than 64 bits are there as their decimal digits.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

namespace matchpoint::api {

class Value {
public:
    // Templates, so that nothing is converted to bool or cut to 64 bits.
    template <std::same_as<bool> B>
    explicit Value(B b) : text_(b ? "true" : "false") {}
    template <std::integral I>
    requires(!std::same_as<I, bool>) explicit Value(I i) : text_(std::to_string(i)) {}
    /// `digits`: as the language prints an integer, with `-` and without `+` or leading zeros. Throws std::logic_error
    /// if it is anything else.
    static Value of_digits(std::string digits);

    bool is_boolean() const { return text_ == "true" || text_ == "false"; }
    /// None of an integer.
    std::optional<bool> boolean() const { return is_boolean() ? std::optional(text_ == "true") : std::nullopt; }
    /// None of a boolean, and of an integer of more than 64 bits.
    std::optional<std::int64_t> integer() const;
    /// As the language has it: `-5`, `true`.
    std::string const& text() const { return text_; }

    bool operator==(Value const&) const = default;

private:
    Value(std::string text, int) : text_(std::move(text)) {}
    std::string text_;
};

} // namespace matchpoint::api
