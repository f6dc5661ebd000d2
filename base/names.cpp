#include "base/names.hpp"

#include <functional>
#include <stdexcept>

namespace matchpoint::base {

namespace {

/// Names that differ only in their last character, such as 41 and 42, get adjacent slots. Programs number their
/// locations and actions, and in a large program a look-up costs as much as its cache miss.
std::uint32_t hash_of(std::string_view name) {
    if (name.empty()) return 0;
    auto const last = static_cast<unsigned char>(name.back());
    name.remove_suffix(1);
    auto const h = static_cast<std::uint64_t>(std::hash<std::string_view>{}(name));
    return (static_cast<std::uint32_t>(h ^ h >> 32U) << 4U ^ static_cast<std::uint32_t>(last >> 4U) << 28U) |
           (last & 15U);
}

} // namespace

std::size_t Names::slot_of(std::string_view name, std::uint32_t hash) const {
    std::size_t const mask = table_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
        Slot const& slot = table_[i];
        if (slot.index == empty || (slot.hash == hash && (*this)[slot.index] == name)) return i;
    }
}

std::optional<std::uint32_t> Names::find(std::string_view name) const {
    if (table_.empty()) return std::nullopt;
    std::uint32_t const index = table_[slot_of(name, hash_of(name))].index;
    if (index == empty) return std::nullopt;
    return index;
}

std::uint32_t Names::intern(std::string_view name) {
    if (ends_.size() * 2 >= table_.size()) grow();
    std::uint32_t const hash = hash_of(name);
    Slot& slot = table_[slot_of(name, hash)];
    if (slot.index == empty) {
        if (text_.size() + name.size() >= empty) throw std::length_error("names of more than 4 GiB");
        slot = {hash, static_cast<std::uint32_t>(ends_.size())};
        text_ += name;
        ends_.push_back(static_cast<std::uint32_t>(text_.size()));
    }
    return slot.index;
}

void Names::grow() {
    std::vector<Slot> const old = std::move(table_);
    table_.assign(old.empty() ? 16 : old.size() * 2, Slot{0, empty});
    std::size_t const mask = table_.size() - 1;
    for (Slot const& slot : old) {
        if (slot.index == empty) continue;
        std::size_t i = slot.hash & mask;
        while (table_[i].index != empty) i = (i + 1) & mask;
        table_[i] = slot;
    }
}

} // namespace matchpoint::base
