#include "smt_machine/smtlib.hpp"

#include <array>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::smt_machine {

namespace {

/// The characters of SMT-LIB's simple symbols (section 3.1 of the standard), without `%`, which escapes here.
constexpr std::string_view stays = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$^&*_-+=<>.?/";

constexpr auto keeps = [] {
    std::array<bool, 256> table{};
    for (char const c : stays) table[static_cast<unsigned char>(c)] = true;
    return table;
}();

} // namespace

std::string mangle(std::string_view name) {
    spend(16 + 4 * name.size());
    std::string result;
    result.reserve(name.size());
    for (char const c : name) {
        auto const byte = static_cast<unsigned char>(c);
        bool const reserved = result.empty() && (c == '@' || c == '.'); // such symbols are reserved for solvers
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
        // A name may come from a solver, and need not be one of ours.
        std::string_view const digits = mangled.substr(i + 1, 2);
        auto const byte = to_number<unsigned char>(digits, 16);
        if (mangled[i] == '%' && digits.size() == 2 && byte) {
            result += static_cast<char>(*byte);
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
    // A stack of what is still to be printed: indices of nodes, and closing brackets.
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
            out += row(node.op).smt_name;
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

} // namespace matchpoint::smt_machine
