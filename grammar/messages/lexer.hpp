// The tokens of a text, for messages. The parser (parse.cpp) reads for itself.
#pragma once

#include <algorithm>
#include <string_view>

#include "grammar/characters.hpp"
#include "grammar/static_rules.hpp"

namespace matchpoint::grammar {

inline bool is_open(Token t) { return t.text.size() == 1 && is_open(t.text[0]); }
inline bool is_close(Token t) { return t.text.size() == 1 && is_close(t.text[0]); }
inline bool is_bracket(Token t) { return is_open(t) || is_close(t); }
inline bool is_atom(Token t) { return !t.text.empty() && !ends_atom[static_cast<unsigned char>(t.text[0])]; }
inline Offset end_of(Token t) { return t.offset + static_cast<Offset>(t.text.size()); }

inline char closing(char open) { return open == '(' ? ')' : ']'; }

class Lexer {
public:
    Lexer(std::string_view text, Offset offset) : text_(text), at_(offset) {}

    /// A bracket, an atom, a string, or a character that no atom can have. Empty, at the end of the text: there is none
    /// left.
    Token next() {
        skip_trivia();
        std::size_t const begin = at_;
        if (at_ < text_.size()) {
            char const* const first = text_.data() + at_;
            char const* const end = text_.data() + text_.size();
            char const* const behind = *first == '"' ? string_end(first, end) : atom_end(first, end);
            at_ += std::max<std::size_t>(static_cast<std::size_t>(behind - first), 1);
        }
        return {text_.substr(begin, at_ - begin), static_cast<Offset>(begin)};
    }

private:
    void skip_trivia() {
        while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == ';'))
            at_ = text_[at_] == ';' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    }

    std::string_view text_;
    std::size_t at_;
};

} // namespace matchpoint::grammar
