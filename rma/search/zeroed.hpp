// Arrays of zeros, for tables with millions of random accesses. A large one is in huge pages, as far as the system has
// some: otherwise each access would first look up its page.
//
//   Zeroed<std::uint32_t> numbers(1U << 24U);
//   ++numbers[7];
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "rooms.hpp"

namespace matchpoint::rma {

/// Frees what zeroed_memory() has returned.
struct FreeZeroed {
    void* whole = nullptr;
    std::size_t mapped = 0; // bytes; 0: it comes from the heap
    void operator()(void* aligned) const;
};
/// Throws std::bad_alloc.
std::unique_ptr<void, FreeZeroed> zeroed_memory(std::size_t bytes);

template <typename T>
class Zeroed {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    explicit Zeroed(std::size_t size) : size_(size), memory_(zeroed_memory(size * sizeof(T))) {}
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data()[i]; }
    T const& operator[](std::size_t i) const { return data()[i]; }
    T* data() { return static_cast<T*>(memory_.get()); }
    T const* data() const { return static_cast<T const*>(memory_.get()); }

private:
    std::size_t size_;
    std::unique_ptr<void, FreeZeroed> memory_;
};

} // namespace matchpoint::rma
