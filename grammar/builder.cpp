#include "grammar/builder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace matchpoint::grammar {

/// "`wait`, `sndi` or `)`"
std::string Builder::expected() const {
    std::vector<std::string> wanted;
    for (std::string_view const w : wanted_) {
        std::string text(w);
        if (w.empty()) text = brackets_.back().kind == '(' ? "`)`" : "`]`";
        if (std::find(wanted.begin(), wanted.end(), text) == wanted.end()) wanted.push_back(std::move(text));
    }
    std::string list;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        list += (i == 0 ? "" : i + 1 == wanted.size() ? " or " : ", ") + wanted[i];
    return list;
}

Diagnostics Builder::syntax_error() const {
    Diagnostic d;
    d.rule = "syntax";
    d.offset = offset(deepest_);

    std::string found = "the end of the file";
    if (deepest_ != end_) {
        char const* const last = std::max(atom_end(deepest_, end_), deepest_ + 1);
        d.length = static_cast<std::uint32_t>(last - deepest_);
        found = fmt::format("`{}`", printable({deepest_, last}));
    }
    d.message = fmt::format("expected {}, found {}", expected(), found);

    bool const wants_close = std::find(wanted_.begin(), wanted_.end(), "") != wanted_.end();
    if (deepest_ != end_ && is_close(*deepest_) && wants_close)
        d.message = fmt::format("{} does not close the `{}` that is open here", found, brackets_.back().kind);
    if (wants_close && (deepest_ == end_ || is_close(*deepest_)))
        d.notes.push_back({"the bracket that is open", brackets_.back().at, 1});
    // `(recv a 0 x)` may be meant as a command.
    if (std::find(wanted_.begin(), wanted_.end(), assignment_sign) != wanted_.end())
        d.notes.push_back(
            {fmt::format("`{}` is no command's name, so this is read as an assignment to it", printable(x_at_.text)),
             x_at_.offset, static_cast<std::uint32_t>(x_at_.text.size())});
    if (deepest_ != end_ && never_in_an_atom(*deepest_))
        d.message += fmt::format(" (the language has no `{}`)", *deepest_);
    return {d};
}

Diagnostics Builder::limit_reached(LimitReached const& limit) const {
    Diagnostic d;
    d.rule = "limit";
    d.message = limit.what();
    d.offset = offset(last_integer_);
    return {d};
}

} // namespace matchpoint::grammar
