// A set of byte strings that only grows, made for millions of short ones: ten to twenty bytes each beside the string.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "rooms.hpp"

namespace matchpoint::executions {

class KeySet {
public:
    KeySet() : places_(0, Hash{&blocks_}, Equal{&blocks_}) {}
    KeySet(KeySet const&) = delete;
    KeySet& operator=(KeySet const&) = delete;

    /// Whether the key is new. Keys are below 4 GiB.
    bool insert(std::string_view key) {
        if (places_.contains(key)) return false;
        places_.insert(store(key));
        return true;
    }
    std::size_t size() const { return places_.size(); }
    /// What is held, the table included.
    std::uint64_t bytes() const { return held_ + places_.bucket_count() * (sizeof(std::uint64_t) + 1); }

private:
    // Keys lie in blocks, each after its length; a key's place is the number of its block and the offset in it. Blocks
    // grow with what there is, so that few keys do not take much.
    static constexpr std::size_t largest_block = std::size_t{1} << 20U;
    using Blocks = std::vector<std::unique_ptr<char[]>>;

    static std::string_view at(Blocks const& blocks, std::uint64_t place) {
        char const* const p = blocks[place >> 32U].get() + (place & 0xFFFF'FFFFU);
        std::uint32_t length = 0;
        std::memcpy(&length, p, sizeof length);
        return {p + sizeof length, length};
    }
    std::uint64_t store(std::string_view key) {
        std::size_t const need = sizeof(std::uint32_t) + key.size();
        if (blocks_.empty() || used_ + need > size_) {
            size_ = std::max({std::size_t{1024}, std::min<std::size_t>(held_, largest_block), need});
            blocks_.push_back(std::make_unique<char[]>(size_));
            held_ += size_;
            used_ = 0;
        }
        char* const p = blocks_.back().get() + used_;
        auto const length = static_cast<std::uint32_t>(key.size());
        std::memcpy(p, &length, sizeof length);
        std::memcpy(p + sizeof length, key.data(), key.size());
        std::uint64_t const place = (std::uint64_t{blocks_.size() - 1} << 32U) | used_;
        used_ += need;
        return place;
    }

    struct Hash {
        using is_transparent = void;
        Blocks const* blocks;
        std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
        std::size_t operator()(std::uint64_t place) const { return (*this)(at(*blocks, place)); }
    };
    struct Equal {
        using is_transparent = void;
        Blocks const* blocks;
        bool operator()(std::uint64_t a, std::uint64_t b) const { return a == b; }
        bool operator()(std::string_view key, std::uint64_t place) const { return key == at(*blocks, place); }
        bool operator()(std::uint64_t place, std::string_view key) const { return key == at(*blocks, place); }
    };

    Blocks blocks_;
    std::size_t used_ = 0;
    std::size_t size_ = 0;
    std::uint64_t held_ = 0;
    boost::unordered_flat_set<std::uint64_t, Hash, Equal> places_;
};

} // namespace matchpoint::executions
