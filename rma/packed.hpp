// States as short byte strings, for sets of millions of them.
//
// A value is a number of a table that grows with the values that occur. As long as there are few, one byte holds it; when they
// no longer fit, the caller starts again with wider ones.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "grammar/value.hpp"

namespace matchpoint::rma {

/// More values than the width has room for.
struct TooNarrow {};

class ValueTable {
public:
    /// Throws TooNarrow.
    std::uint32_t number(Value const& v) {
        // Small integers are their own index into a short list, since most programs have no others.
        auto const i = v.small();
        if (i && *i >= 0 && *i < direct_size && direct_[static_cast<std::size_t>(*i)] != 0)
            return direct_[static_cast<std::size_t>(*i)] - 1;
        auto const [at, is_new] = numbers_.try_emplace(v, static_cast<std::uint32_t>(values_.size()));
        if (is_new) values_.push_back(v);
        if (width_ < 4 && values_.size() > std::size_t{1} << (8 * width_)) throw TooNarrow();
        if (i && *i >= 0 && *i < direct_size) direct_[static_cast<std::size_t>(*i)] = at->second + 1;
        return at->second;
    }
    Value const& operator[](std::uint32_t number) const { return values_[number]; }
    unsigned width() const { return width_; }
    void widen() { width_ *= 2; }

private:
    static constexpr std::int64_t direct_size = 64;
    struct Hash {
        std::size_t operator()(Value const& v) const { return v.hash(); }
    };
    unsigned width_ = 1; // bytes: 1, 2 or 4
    std::vector<Value> values_;
    std::uint32_t direct_[direct_size] = {};
    boost::unordered_flat_map<Value, std::uint32_t, Hash> numbers_;
};

/// Writes numbers of a few bytes.
class Packer {
public:
    explicit Packer(std::string& out) : out_(out) { out_.clear(); }
    void put(std::uint32_t n, unsigned width) {
        char bytes[4];
        std::memcpy(bytes, &n, sizeof n); // the low bytes come first
        out_.append(bytes, width);
    }

private:
    std::string& out_;
};

class Unpacker {
public:
    explicit Unpacker(std::string_view text) : text_(text) {}
    std::uint32_t get(unsigned width) {
        std::uint32_t n = 0;
        std::memcpy(&n, text_.data() + at_, width);
        at_ += width;
        return n;
    }
    bool at_end() const { return at_ == text_.size(); }
    std::size_t at() const { return at_; }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

/// How many bytes numbers below a limit need.
inline unsigned width_for(std::size_t limit) { return limit <= 0x100 ? 1 : limit <= 0x10000 ? 2 : 4; }

} // namespace matchpoint::rma
