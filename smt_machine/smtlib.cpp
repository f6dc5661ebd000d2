#include "smt_machine/smtlib.hpp"

#include <array>

#include <fmt/format.h>

namespace matchpoint::smt_machine {

namespace {

/// The characters of SMT-LIB's simple symbols (section 3.1 of the standard), without `%`, which escapes here.
constexpr std::string_view stays = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$^&*_-+=<>.?/";

constexpr auto keeps = [] {
    std::array<bool, 256> table{};
    for (char const c : stays) table[static_cast<unsigned char>(c)] = true;
    return table;
}();

std::string_view smt_name(Op op) { return op == Op::not_equal ? "distinct" : to_string(op); }

} // namespace

std::string mangle(std::string_view name) {
    std::string result;
    result.reserve(name.size());
    for (char const c : name) {
        auto const byte = static_cast<unsigned char>(c);
        bool const reserved = result.empty() && (c == '@' || c == '.'); // symbols that begin so are the solvers' own
        if (keeps[byte] && !reserved)
            result += c;
        else
            result += fmt::format("%{:02X}", byte);
    }
    return result;
}

std::string unmangle(std::string_view mangled) {
    std::string result;
    for (std::size_t i = 0; i < mangled.size(); ++i) {
        if (mangled[i] == '%' && i + 2 < mangled.size()) {
            result += static_cast<char>(std::stoi(std::string(mangled.substr(i + 1, 2)), nullptr, 16));
            i += 2;
        } else {
            result += mangled[i];
        }
    }
    return result;
}

void print(Value const& v, std::string& out) {
    std::string const text = v.to_string();
    if (text.starts_with('-'))
        out += "(- " + text.substr(1) + ")";
    else
        out += text;
}

void print(Terms const& terms, Term t, std::string& out) {
    // What is still to come, the next thing last: the index of a node, or a closing bracket.
    static constexpr std::uint32_t close = 0xFFFF'FFFF;
    std::vector<std::uint32_t> rest{t.first + t.size - 1};
    bool first = true;
    while (!rest.empty()) {
        std::uint32_t const index = rest.back();
        rest.pop_back();
        if (index == close) {
            out += ')';
            continue;
        }
        if (!first) out += ' ';
        first = false;
        TermNode const& node = terms.node(index);
        switch (node.kind) {
        case TermNode::Kind::symbol: out += terms.name({node.payload}); break;
        case TermNode::Kind::value: print(terms.value(node.payload), out); break;
        case TermNode::Kind::application: {
            out += '(';
            out += smt_name(node.op);
            rest.push_back(close);
            std::uint32_t operand = index - 1;
            for (std::uint32_t i = 0; i < node.payload; ++i) {
                rest.push_back(operand);
                operand -= terms.node(operand).size;
            }
            break;
        }
        }
    }
}

std::size_t end_of_expression(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    while (at < text.size()) {
        switch (char const c = text[at]) {
        case ' ':
        case '\t':
        case '\r':
        case '\n': ++at; continue;
        case ';': at = std::min(text.find('\n', at), text.size()); continue;
        case '(':
            ++depth;
            ++at;
            break;
        case ')':
            if (depth == 0) return std::string_view::npos;
            --depth;
            ++at;
            break;
        case '|':
        case '"': // "" within a string: two strings are as good here
            at = text.find(c, at + 1);
            if (at == std::string_view::npos) return at;
            ++at;
            break;
        default: at = std::min(text.find_first_of(ends_symbol, at), text.size()); break;
        }
        if (depth == 0) return at;
    }
    return std::string_view::npos;
}

std::size_t first_of_expression(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size() && (ends_symbol.substr(0, 4).find(text[at]) != std::string_view::npos || text[at] == ';'))
        at = text[at] == ';' ? std::min(text.find('\n', at), text.size()) : at + 1;
    return at;
}

} // namespace matchpoint::smt_machine
