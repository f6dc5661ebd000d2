// A value, or the reason for its absence: std::expected, which g++ 12 does not have yet.
#pragma once

#include <utility>
#include <variant>

#include "rooms.hpp"

namespace matchpoint::base {

template <typename E>
struct Unexpected {
    E error;
};

template <typename E>
Unexpected(E) -> Unexpected<E>;

template <typename T, typename E>
class [[nodiscard]] Expected {
public:
    Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Expected(Unexpected<E> unexpected) : content_(std::in_place_index<1>, std::move(unexpected.error)) {}

    bool has_value() const { return content_.index() == 0; }
    explicit operator bool() const { return has_value(); }
    T value_or(T otherwise) && { return has_value() ? std::get<0>(std::move(content_)) : std::move(otherwise); }

    /// Throws std::bad_variant_access if there is no value.
    T& value() & { return std::get<0>(content_); }
    T const& value() const& { return std::get<0>(content_); }
    T&& value() && { return std::get<0>(std::move(content_)); }
    T& operator*() { return value(); }
    T const& operator*() const { return value(); }
    T* operator->() { return &value(); }
    T const* operator->() const { return &value(); }

    E& error() & { return std::get<1>(content_); }
    E const& error() const& { return std::get<1>(content_); }
    E&& error() && { return std::get<1>(std::move(content_)); }

private:
    std::variant<T, E> content_;
};

} // namespace matchpoint::base
