#include "base/paint.hpp"

#include <fmt/format.h>

namespace matchpoint::base {

namespace {

/// The parameters of an SGR escape sequence. The eight colors that every terminal has; its user chose how they look.
std::string_view parameters(Style style) {
    switch (style) {
    case Style::plain: break;
    case Style::heading: return "1";
    case Style::dim: return "2";
    case Style::good: return "1;32";
    case Style::bad: return "1;31";
    case Style::broken: return "1;33";
    case Style::stuck: return "1;35";
    case Style::note: return "1;36";
    case Style::message: return "36";
    case Style::added: return "32";
    case Style::removed: return "31";
    }
    return "";
}

} // namespace

std::string Paint::operator()(Style style, std::string_view text) const {
    if (!color_ || style == Style::plain || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", parameters(style), text);
}

std::size_t escape_length(std::string_view text) {
    if (!text.starts_with("\x1b[")) return 0;
    std::size_t const end = text.find_first_not_of("0123456789;", 2);
    return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

} // namespace matchpoint::base
