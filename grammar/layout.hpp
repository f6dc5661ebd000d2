// The lines of a canonical form, with the comments of the source between them. Printers write each line with the offset
// of what it begins with; the comments before that come first.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/source.hpp"
#include "grammar/ast.hpp"

namespace matchpoint::grammar {

class Layout {
public:
    /// Without a source there are no comments.
    Layout(std::span<Comment const> comments, Source const* source) : source_(source) {
        if (source_ != nullptr) comments_ = comments;
    }

    void line(std::size_t indent, Offset offset, std::string_view text) { line(indent, offset, text, indent); }
    /// Before a closing bracket, comments are indented as what it closes.
    void line(std::size_t indent, Offset offset, std::string_view text, std::size_t indent_of_comments);
    std::string finish();

private:
    void comments_before(Offset offset, std::size_t indent);
    /// Whether only white space precedes it on its line. Looks back no further than the last code.
    bool own_line(Offset at) const;

    Source const* source_;
    std::span<Comment const> comments_;
    std::string out_;
    bool behind_code_ = false; // the last line has no comment yet
};

} // namespace matchpoint::grammar
