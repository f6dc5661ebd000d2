// The bytes of the windows of a rank, as far as the file says, and integers in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "record/window_lines.hpp"

namespace matchpoint::record {

inline std::int64_t integer(std::string_view bytes, int size) {
    std::int64_t n = 0;
    std::size_t const width = static_cast<std::size_t>(std::abs(size));
    std::memcpy(&n, bytes.data(), std::min(width, bytes.size()));
    unsigned const unused = 64 - 8 * static_cast<unsigned>(width);
    if (size > 0 || unused == 0) return n;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(n) << unused) >> unused;
}

class WindowMemory {
public:
    void write(lines::Bytes const& b) {
        if (b.offset > most_bytes) return; // the recorder watches no more
        std::string& all = bytes_[b.window];
        if (all.size() < b.offset + b.bytes.size()) all.resize(b.offset + b.bytes.size());
        all.replace(b.offset, b.bytes.size(), b.bytes);
    }
    std::int64_t value(Cell const& c) const {
        auto const found = bytes_.find(c.window);
        std::string bytes(8, '\0');
        if (found != bytes_.end() && c.offset < found->second.size()) {
            std::string_view const there = std::string_view(found->second).substr(c.offset, 8);
            bytes.replace(0, there.size(), there);
        }
        return integer(bytes, c.size);
    }

private:
    static constexpr std::uint64_t most_bytes = 1 << 16;
    std::map<WindowName, std::string> bytes_;
};

} // namespace matchpoint::record
