#include "smt_machine/s_expressions.hpp"

#include <algorithm>

#include "base/numbers.hpp"

namespace matchpoint::smt_machine {

namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view ends_atom = " \t\r\n;()|\"";

/// Where the string ends whose opening quote is at `at`: at its closing quote. npos if it is not closed.
std::size_t end_of_string(std::string_view text, std::size_t at) {
    while ((at = text.find('"', at + 1)) != std::string_view::npos) {
        if (!text.substr(at + 1).starts_with('"')) return at;
        ++at; // a doubled quote stands for a quote
    }
    return at;
}

} // namespace

void Tokens::skip_blanks_and_comments() {
    while (true) {
        at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
        if (at_ == text_.size() || text_[at_] != ';') return;
        at_ = std::min(text_.find('\n', at_), text_.size());
    }
}

bool Tokens::at_end() {
    skip_blanks_and_comments();
    return at_ == text_.size();
}

Tokens::Token Tokens::next() {
    using Kind = Token::Kind;
    if (at_end()) return {};
    std::size_t const begin = at_;
    switch (char const c = text_[begin]) {
    case '(':
    case ')': ++at_; return {c == '(' ? Kind::open : Kind::close, text_.substr(begin, 1)};
    case '|':
    case '"': {
        std::size_t const end = c == '"' ? end_of_string(text_, begin) : text_.find('|', begin + 1);
        at_ = end == std::string_view::npos ? text_.size() : end + 1;
        if (end == std::string_view::npos) return {Kind::unclosed, text_.substr(begin + 1)};
        return {c == '"' ? Kind::string : Kind::quoted, text_.substr(begin + 1, end - begin - 1)};
    }
    default:
        at_ = std::min(text_.find_first_of(ends_atom, begin), text_.size());
        return {Kind::atom, text_.substr(begin, at_ - begin)};
    }
}

std::optional<std::string_view> Tokens::expression() {
    skip_blanks_and_comments();
    std::size_t const begin = at_;
    std::size_t depth = 0;
    do {
        switch (next().kind) {
        case Token::Kind::open: ++depth; break;
        case Token::Kind::close:
            if (depth == 0) return at_ = begin, std::nullopt;
            --depth;
            break;
        case Token::Kind::atom:
        case Token::Kind::quoted:
        case Token::Kind::string: break;
        case Token::Kind::end:
        case Token::Kind::unclosed: return at_ = begin, std::nullopt;
        }
    } while (depth > 0);
    return text_.substr(begin, at_ - begin);
}

bool is_one_list(std::string_view text) {
    return text.starts_with('(') && Tokens(text).expression().value_or("").size() == text.size();
}

std::string_view head_of_list(std::string_view expression) {
    Tokens tokens(expression);
    if (tokens.next().kind != Tokens::Token::Kind::open) return {};
    Tokens::Token const head = tokens.next();
    return head.is_symbol() ? head.text : std::string_view();
}

std::optional<std::string_view> symbol_of(std::string_view expression) {
    Tokens::Token const token = Tokens(expression).next();
    return token.is_symbol() ? std::optional(token.text) : std::nullopt;
}

bool contains_error(std::string_view text) {
    Tokens tokens(text);
    using Token = Tokens::Token;
    Token before;
    for (Token t = tokens.next(); t.kind != Token::Kind::end; before = t, t = tokens.next())
        if (before.kind == Token::Kind::open && t.is_atom("error")) return true;
    return false;
}

bool is_model(std::string_view text) {
    Tokens tokens(text);
    if (tokens.next().kind != Tokens::Token::Kind::open) return false;
    for (bool first = true; auto const item = tokens.expression(); first = false)
        if (!item->starts_with('(') && !(first && *item == "model")) return false;
    return tokens.next().kind == Tokens::Token::Kind::close && tokens.at_end();
}

std::optional<std::int64_t> ModelEntry::integer() const {
    bool const is_negative = value.starts_with("(- ") && value.ends_with(')');
    auto const i = to_number<std::int64_t>(is_negative ? value.substr(3, value.size() - 4) : value);
    return i && is_negative ? -*i : i;
}

void read_model(std::string_view model, std::function<void(ModelEntry const&)> const& f) {
    using Token = Tokens::Token;
    Tokens tokens(model);
    for (Token t = tokens.next(); t.kind != Token::Kind::end; t = tokens.next()) {
        if (!t.is_atom("define-fun")) continue;
        auto const name = tokens.expression();
        auto const parameters = tokens.expression();
        auto const sort = tokens.expression();
        auto const value = tokens.expression();
        if (!value) return;
        auto const symbol = symbol_of(*name);
        bool const is_constant =
            parameters->starts_with('(') && Tokens(parameters->substr(1)).next().kind == Token::Kind::close;
        if (symbol && is_constant) f({*symbol, *sort, *value});
    }
}

} // namespace matchpoint::smt_machine
