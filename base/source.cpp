#include "base/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace matchpoint::base {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

char32_t decode(std::string_view sequence) {
    auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(sequence[i])); };
    switch (sequence.size()) {
    case 1: return byte(0);
    case 2: return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3: return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    default: return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    }
}

/// Control characters, and invisible characters that reorder or hide text: Unicode's bidirectional controls, zero-width
/// characters, line and paragraph separators, and the byte order mark.
bool disturbs_terminal(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0x061C;
}

} // namespace

/// RFC 3629, the table in section 4.
std::size_t utf8_sequence_length(std::string_view text) {
    auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    auto continues = [&](std::size_t i) { return i < text.size() && is_continuation(text[i]); };
    unsigned char const b0 = byte(0);
    if (b0 < 0x80) return 1;
    if (b0 < 0xC2) return 0;
    if (b0 < 0xE0) return continues(1) ? 2 : 0;
    if (b0 < 0xF0) {
        if (!continues(1) || !continues(2)) return 0;
        if (b0 == 0xE0 && byte(1) < 0xA0) return 0;
        if (b0 == 0xED && byte(1) >= 0xA0) return 0;
        return 3;
    }
    if (b0 < 0xF5) {
        if (!continues(1) || !continues(2) || !continues(3)) return 0;
        if (b0 == 0xF0 && byte(1) < 0x90) return 0;
        if (b0 == 0xF4 && byte(1) >= 0x90) return 0;
        return 4;
    }
    return 0;
}

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
    if (text_.size() > max_size) throw std::length_error("a source text must be smaller than 4 GiB");
}

LineColumn Source::line_column(Offset offset) const {
    if (line_begins_.empty()) {
        line_begins_.push_back(0);
        for (std::size_t i = text_.find('\n'); i != std::string::npos; i = text_.find('\n', i + 1))
            line_begins_.push_back(static_cast<Offset>(i + 1));
    }
    std::size_t const at = std::min<std::size_t>(offset, text_.size());
    auto const next = std::upper_bound(line_begins_.begin(), line_begins_.end(), at);
    Offset const begin = *std::prev(next);
    // We skip continuation bytes. Any other byte that is not UTF-8 counts as one column.
    return {static_cast<std::size_t>(next - line_begins_.begin()),
            count_code_points(std::string_view(text_).substr(begin, at - begin)) + 1};
}

Source::Line Source::line_at(Offset offset) const {
    std::string_view const all = text_;
    std::size_t const at = std::min<std::size_t>(offset, all.size());
    std::size_t const newline = at == 0 ? std::string_view::npos : all.rfind('\n', at - 1);
    std::size_t const begin = newline == std::string_view::npos ? 0 : newline + 1;
    std::size_t const end = std::min(all.find('\n', at), all.size());
    std::string_view line = all.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return {line, static_cast<Offset>(begin)};
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        // Eight bytes of ASCII at a time, since most programs are ASCII.
        std::uint64_t word = 0;
        while (i + sizeof word <= text.size()) {
            std::memcpy(&word, text.data() + i, sizeof word);
            if ((word & 0x8080'8080'8080'8080U) != 0) break;
            i += sizeof word;
        }
        if (i == text.size()) break;
        std::size_t const length = utf8_sequence_length(text.substr(i));
        if (length == 0) return i;
        i += length;
    }
    return std::nullopt;
}

std::size_t count_code_points(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string printable(std::string_view name, std::size_t limit) {
    std::string result;
    std::size_t shown = 0;
    while (!name.empty()) {
        if (shown == limit) return result + "…";
        std::size_t const length = std::max<std::size_t>(utf8_sequence_length(name), 1);
        auto const sequence = name.substr(0, length);
        if (utf8_sequence_length(name) == 0) {
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(name[0]));
        } else if (char32_t const c = decode(sequence); disturbs_terminal(c)) {
            result += c < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(c))
                                : fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            result += sequence;
        }
        name.remove_prefix(length);
        ++shown;
    }
    return result;
}

std::vector<std::string_view> first_comment(std::string_view text) {
    std::vector<std::string_view> lines;
    text.remove_prefix(byte_order_mark_size(text));
    while (text.starts_with(';')) {
        std::size_t const end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(1, end - 1);
        if (line.starts_with(' ')) line.remove_prefix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

} // namespace matchpoint::base
