// What the builders of all languages keep while their parsers read: how far they came, what was expected there, and
// which brackets are open.
//
//   class Builder : public ReadText { ... };
//   if (!b.closes(*first)) return b.fail(first, wanted::close);
#pragma once

#include <string_view>
#include <vector>

#include "grammar/ast.hpp"
#include "grammar/messages/syntax_error.hpp"
#include "grammar/parse.hpp"

namespace matchpoint::grammar {

class ReadText {
public:
    ReadText(Source const& source, ParseOptions const& options)
        : options_(options), begin_(source.text().data()), end_(begin_ + source.text().size()), deepest_(begin_) {}

    char const* begin() const { return begin_; }
    char const* end() const { return end_; }
    Offset offset(char const* at) const { return static_cast<Offset>(at - begin_); }
    std::string_view text() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }

    /// Notes what the parser expected, in the words of the grammar; empty for the closing bracket. Returns false.
    bool fail(char const* at, std::string_view wanted) {
        if (at > deepest_) {
            deepest_ = at;
            wanted_.clear();
        }
        if (at == deepest_) wanted_.push_back(wanted);
        return false;
    }

    // Brackets.
    void open(char const* at) { brackets_.push_back({*at, offset(at)}); }
    bool closes(char c) const { return !brackets_.empty() && c == (brackets_.back().kind == '(' ? ')' : ']'); }
    void close() { brackets_.pop_back(); }
    Offset last_open() const { return brackets_.back().at; }

protected:
    /// Keeps a comment, if comments are kept. The parser may pass one several times.
    void comment(char const* first, char const* last, std::vector<Comment>& comments) {
        if (!options_.keep_comments || first < after_comments_) return;
        after_comments_ = last;
        if (last != first && last[-1] == '\r') --last;
        comments.push_back({offset(first), static_cast<std::uint32_t>(last - first)});
    }

    Value value(std::string_view v) {
        last_integer_ = v.data();
        return v == "true" || v == "false" ? Value::boolean(v == "true") : Value::parse_integer(v);
    }

    ParseOptions options_;
    char const* begin_;
    char const* end_;
    char const* deepest_;
    char const* last_integer_ = nullptr; // parse_integer throws if it is too long
    char const* after_comments_ = nullptr;
    std::vector<std::string_view> wanted_;
    std::vector<Bracket> brackets_;
};

} // namespace matchpoint::grammar
