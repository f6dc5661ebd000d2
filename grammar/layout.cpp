#include "grammar/layout.hpp"

namespace matchpoint::grammar {

void Layout::line(std::size_t indent, Offset offset, std::string_view text, std::size_t indent_of_comments) {
    comments_before(offset, indent_of_comments);
    if (!out_.empty()) out_ += '\n';
    out_.append(indent, ' ');
    out_ += text;
    behind_code_ = true;
}

std::string Layout::finish() {
    comments_before(no_offset, 0);
    out_ += '\n';
    return std::move(out_);
}

void Layout::comments_before(Offset offset, std::size_t indent) {
    for (; !comments_.empty() && comments_.front().offset < offset; comments_ = comments_.subspan(1)) {
        auto const [at, length] = comments_.front();
        std::string_view text = source_->text().substr(at, length);
        text = text.substr(0, text.find_last_not_of(" \t\v\f\r") + 1);
        if (behind_code_ && !own_line(at)) {
            out_ += ' ';
        } else {
            if (!out_.empty()) out_ += '\n';
            out_.append(indent, ' ');
        }
        behind_code_ = false;
        out_ += text;
    }
}

bool Layout::own_line(Offset at) const {
    std::string_view const before = source_->text().substr(0, at);
    std::size_t const code = before.find_last_not_of(" \t\v\f\r");
    return code == std::string_view::npos || before[code] == '\n';
}

} // namespace matchpoint::grammar
