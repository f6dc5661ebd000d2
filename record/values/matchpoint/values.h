// What a program says about its values, in a run that is recorded: <matchpoint/mpi.h> and <matchpoint/mcapi.h> include
// this.
//
//   matchpoint::value<int> a;                          // C++: computes as an int, and remembers its expression
//   ...                                                // a message is received into it
//   MATCHPOINT_ASSERT(a == 4);                         // can it be false in any run that takes the same branches?
//
// In C, MATCHPOINT_ASSERT and MATCHPOINT_ASSUME take what C's assert takes. The recording says that the claim was
// evaluated in this run, and how the run failed if it was false; in C++, with values, it says what was claimed. Without
// a recorder a program behaves as with assert, and values cost a few bytes and nothing else of note. Nothing has to be
// linked.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "recorder.h"

#ifndef __cplusplus

/// The program ends if `e` is false, as with assert.
#define MATCHPOINT_ASSERT(e) matchpoint_assert((e) ? 1 : 0, #e, __FILE__, __LINE__)
/// A run in which `e` is false is of no interest: the program ends, and that is no failure.
#define MATCHPOINT_ASSUME(e) matchpoint_assume((e) ? 1 : 0)

static inline void matchpoint_assert(int truth, char const* text, char const* file, int line) {
    if (MATCHPOINT_HAS(matchpoint_claim)) matchpoint_claim(0, truth, file, line);
    if (truth) return;
    fprintf(stderr, "%s:%d: assertion `%s` is false\n", file, line, text);
    abort();
}

static inline void matchpoint_assume(int truth) {
    if (!truth) exit(0);
}

#else

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace matchpoint {

/// What is computed from values: a number or a truth value, and its expression. Numbers are signed: those without a
/// sign wrap around, and the numbers of the trace language do not.
template <typename T>
requires std::signed_integral<T> || std::same_as<T, bool>
class expression {
public:
    expression(T value) : value_(value) {} // a constant
    expression(T value, std::uint32_t e) : value_(value), expression_(e) {}

    /// The value as it is in this run. What is computed from it is a constant.
    T concrete() const { return value_; }
    bool is_constant() const { return expression_ == 0; }
    matchpoint_operand operand() const { return {expression_, static_cast<std::int64_t>(value_)}; }

    /// A truth value that decides what the program does next is an assumption about the messages.
    [[gnu::always_inline]] explicit operator bool() const requires std::same_as<T, bool> {
        if (expression_ != 0 && MATCHPOINT_HAS(matchpoint_branch)) matchpoint_branch(expression_, value_ ? 1 : 0);
        return value_;
    }

protected:
    T value_;
    std::uint32_t expression_ = 0;
};

/// A variable. Its address is that of its number. It can be received into and sent, one at a time.
template <typename T>
class value : public expression<T> {
public:
    value(T v = T()) : expression<T>(v) { enter(); }
    value(expression<T> const& e) : expression<T>(e) { enter(); }
    value(value const& v) : expression<T>(v) { enter(); }
    ~value() {
        if (MATCHPOINT_HAS(matchpoint_leave)) matchpoint_leave(this);
    }
    value& operator=(value const& v) = default;
    value& operator=(expression<T> const& e) {
        expression<T>::operator=(e);
        return *this;
    }
    value& operator=(T v) { return *this = expression<T>(v); }
    value& operator+=(expression<T> const& e) { return *this = *this + e; }
    value& operator-=(expression<T> const& e) { return *this = *this - e; }
    value& operator*=(expression<T> const& e) { return *this = *this * e; }
    value& operator/=(expression<T> const& e) { return *this = *this / e; }
    value& operator%=(expression<T> const& e) { return *this = *this % e; }
    value& operator++() { return *this += T(1); }
    value& operator--() { return *this -= T(1); }

private:
    void enter() {
        static_assert(std::is_standard_layout_v<value>, "its address is that of its value");
        if (MATCHPOINT_HAS(matchpoint_enter)) matchpoint_enter(this, &this->expression_);
    }
};

namespace internal {

inline std::uint32_t compute(char const* operation, matchpoint_operand a, matchpoint_operand b) {
    bool const is_constant = a.expression == 0 && b.expression == 0;
    return !is_constant && MATCHPOINT_HAS(matchpoint_compute) ? matchpoint_compute(operation, a, b) : 0;
}

template <typename T>
struct is_expression : std::false_type {};
template <typename T>
struct is_expression<expression<T>> : std::true_type {
    using type = T;
};
template <typename T>
struct is_expression<value<T>> : is_expression<expression<T>> {};

template <typename T>
struct is_number : std::bool_constant<std::integral<T> && !std::same_as<T, bool>> {};
template <typename T>
struct is_number<expression<T>> : is_number<T> {};
template <typename T>
struct is_number<value<T>> : is_number<T> {};

/// Two numbers.
template <typename A, typename B>
concept one_is_a_value =
    (is_expression<A>::value || is_expression<B>::value) && is_number<A>::value&& is_number<B>::value;

template <typename T>
auto lifted(T const& v) {
    if constexpr (is_expression<T>::value)
        return static_cast<expression<typename is_expression<T>::type> const&>(v);
    else
        return expression<T>(v);
}

} // namespace internal

// Operators of two operands, at least one of which is a value. The result has the type that C++ gives it.
#define MATCHPOINT_OPERATOR(op, name)                                                                                  \
    template <typename A, typename B>                                                                                  \
    requires internal::one_is_a_value<A, B>                                                                            \
    [[gnu::always_inline]] inline auto operator op(A const& a, B const& b) {                                           \
        auto const x = internal::lifted(a);                                                                            \
        auto const y = internal::lifted(b);                                                                            \
        auto const result = x.concrete() op y.concrete();                                                              \
        return expression<std::remove_const_t<decltype(result)>>(result,                                               \
                                                                 internal::compute(name, x.operand(), y.operand()));   \
    }
MATCHPOINT_OPERATOR(+, "+")
MATCHPOINT_OPERATOR(-, "-")
MATCHPOINT_OPERATOR(*, "*")
MATCHPOINT_OPERATOR(==, "=")
MATCHPOINT_OPERATOR(!=, "!=")
MATCHPOINT_OPERATOR(<, "<")
MATCHPOINT_OPERATOR(<=, "<=")
MATCHPOINT_OPERATOR(>, ">")
MATCHPOINT_OPERATOR(>=, ">=")
#undef MATCHPOINT_OPERATOR

template <typename T>
[[gnu::always_inline]] inline auto operator-(expression<T> const& e) {
    return T(0) - e;
}

[[gnu::always_inline]] inline expression<bool> operator!(expression<bool> const& e) {
    return {!e.concrete(), internal::compute("not", e.operand(), {})};
}

/// Both and either, as claims; `&&` and `||` decide what is evaluated next, so each operand is an assumption.
[[gnu::always_inline]] inline expression<bool> both(expression<bool> const& a, expression<bool> const& b) {
    if (a.is_constant()) return a.concrete() ? b : a;
    if (b.is_constant()) return b.concrete() ? a : b;
    return {a.concrete() && b.concrete(), internal::compute("and", a.operand(), b.operand())};
}
[[gnu::always_inline]] inline expression<bool> either(expression<bool> const& a, expression<bool> const& b) {
    if (a.is_constant()) return a.concrete() ? a : b;
    if (b.is_constant()) return b.concrete() ? b : a;
    return {a.concrete() || b.concrete(), internal::compute("or", a.operand(), b.operand())};
}

/// C++ rounds towards zero, the trace language down (for a positive divisor): the same unless the dividend is negative.
/// Which it is, is an assumption.
template <typename A, typename B>
requires internal::one_is_a_value<A, B>
[[gnu::always_inline]] inline auto operator/(A const& a, B const& b) {
    auto const x = internal::lifted(a);
    auto const y = internal::lifted(b);
    auto const result = x.concrete() / y.concrete();
    using Result = expression<std::remove_const_t<decltype(result)>>;
    if (x >= 0) return Result(result, internal::compute("div", x.operand(), y.operand()));
    Result const opposite(-result, internal::compute("div", (-x).operand(), y.operand()));
    return Result(result, internal::compute("-", {0, 0}, opposite.operand()));
}
template <typename A, typename B>
requires internal::one_is_a_value<A, B>
[[gnu::always_inline]] inline auto operator%(A const& a, B const& b) { return a - a / b * b; }

inline void assertion(expression<bool> const& e, char const* text, char const* file, int line) {
    if (MATCHPOINT_HAS(matchpoint_claim)) matchpoint_claim(e.operand().expression, e.concrete() ? 1 : 0, file, line);
    if (e.concrete()) return;
    fprintf(stderr, "%s:%d: assertion `%s` is false\n", file, line, text);
    abort();
}

[[gnu::always_inline]] inline void assumption(expression<bool> const& e) {
    if (!static_cast<bool>(e)) exit(0);
}

} // namespace matchpoint

#define MATCHPOINT_ASSERT(e) ::matchpoint::assertion((e), #e, __FILE__, __LINE__)
#define MATCHPOINT_ASSUME(e) ::matchpoint::assumption((e))

#endif
