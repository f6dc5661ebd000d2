#include "programs/terms.hpp"

#include "grammar/operators.hpp"

namespace matchpoint::programs::draft {

namespace {

bool is_bracket(char c) { return c == '(' || c == ')' || c == '[' || c == ']'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

} // namespace

Terms terms_of(std::string_view text) {
    Terms terms;
    std::vector<std::uint32_t> open;
    bool is_operator = false; // what comes next
    std::size_t at = 0;
    while (at < text.size()) {
        char const c = text[at];
        if (is_space(c)) {
            ++at;
            continue;
        }
        if (is_operator && is_bracket(c)) return {};
        if (c == '(' || c == '[') {
            is_operator = true;
            ++at;
            continue;
        }
        if (is_bracket(c)) {
            if (open.empty()) return {};
            terms[open.back()].size = static_cast<std::uint32_t>(terms.size()) - open.back();
            open.pop_back();
            ++at;
            continue;
        }
        // A second expression.
        if (open.empty() && !terms.empty()) return {};
        std::size_t end = at;
        while (end < text.size() && !is_space(text[end]) && !is_bracket(text[end])) ++end;
        if (!open.empty()) ++terms[open.back()].operands;
        if (is_operator) open.push_back(static_cast<std::uint32_t>(terms.size()));
        terms.push_back({std::string(text.substr(at, end - at))});
        is_operator = false;
        at = end;
    }
    if (!open.empty() || is_operator) return {};
    return terms;
}

std::string text_of(Terms const& terms) {
    std::string text;
    std::vector<std::uint32_t> left; // of each open operator: the operands that are still missing
    for (Term const& t : terms) {
        if (!text.empty()) text += ' ';
        if (t.operands > 0) {
            text += '(';
            left.push_back(t.operands);
        } else {
            if (!left.empty()) --left.back();
        }
        text += t.text;
        while (!left.empty() && left.back() == 0) {
            text += ')';
            left.pop_back();
            if (!left.empty()) --left.back();
        }
    }
    return text;
}

std::string replaced(Terms const& terms, std::uint32_t at, std::span<Term const> by) {
    Terms result(terms.begin(), terms.begin() + at);
    result.insert(result.end(), by.begin(), by.end());
    result.insert(result.end(), terms.begin() + at + terms[at].size, terms.end());
    return text_of(result);
}
std::string replaced(Terms const& terms, std::uint32_t at, std::string const& by) {
    Term const leaf{by};
    return replaced(terms, at, std::span(&leaf, 1));
}

bool is_truth(std::string_view atom) { return atom == "true" || atom == "false"; }
bool is_variable(Term const& t) { return t.operands == 0 && !is_integer(t.text) && !is_truth(t.text); }
bool is_number(Term const& t) { return t.operands == 0 && is_integer(t.text); }

bool has_expression(Command::Kind kind) { return kind != Command::Kind::rcvi && kind != Command::Kind::wait; }

} // namespace matchpoint::programs::draft
