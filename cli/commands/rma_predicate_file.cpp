// The file of `rma prove --predicates`: a formula on each line.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/rma_commands.hpp"
#include "rma/language/parse.hpp"

namespace matchpoint::cli {

namespace {

/// A formula in the file.
struct Line {
    Offset begin;
    std::string_view text; // without blanks around it, and without its comment
};

std::vector<Line> lines_of(std::string_view text) {
    std::vector<Line> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t const end = std::min(text.find('\n', begin), text.size());
        std::string_view const line = text.substr(begin, end - begin);
        std::string_view const bare = trimmed(line.substr(0, line.find(';')));
        if (!bare.empty()) lines.push_back({static_cast<Offset>(bare.data() - text.data()), bare});
        begin = end + 1;
    }
    return lines;
}

constexpr std::string_view before_formula = "\n(invariant ";

/// The program with an invariant for each line.
Source with_invariants(RmaInput const& input, std::vector<Line> const& lines) {
    std::string_view const text = input.source.text();
    std::string all(text.substr(0, input.program.close));
    for (Line const& line : lines) all += std::string(before_formula) + std::string(line.text) + ")";
    return Source(input.source.name(), all + std::string(text.substr(input.program.close)));
}

Diagnostic syntax_error(Offset offset, std::string expected, std::string const& found) {
    Diagnostic error;
    error.rule = "syntax";
    error.message = "expected " + std::move(expected) + ", found " + found;
    error.offset = offset;
    return error;
}

/// The bracket that has no partner.
std::optional<Diagnostic> wrong_brackets(Line const& line) {
    std::string open;
    for (std::size_t i = 0; i < line.text.size(); ++i) {
        char const c = line.text[i];
        if (c == '(' || c == '[') open += c == '(' ? ')' : ']';
        if (c != ')' && c != ']') continue;
        auto const at = static_cast<Offset>(line.begin + i);
        if (open.empty()) return syntax_error(at, "the end of the line", fmt::format("`{}`", c));
        open.pop_back();
    }
    auto const end = static_cast<Offset>(line.begin + line.text.size());
    if (!open.empty()) return syntax_error(end, fmt::format("`{}`", open.back()), "the end of the line");
    return std::nullopt;
}

/// Whether a part of a line has as many closing brackets as opening ones.
bool is_outside(std::string_view text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return c == '(' || c == '['; }) ==
           std::count_if(text.begin(), text.end(), [](char c) { return c == ')' || c == ']'; });
}

/// What is wrong with a line, by its place in the file.
std::optional<Diagnostic> wrong_line(RmaInput const& input, Line const& line) {
    if (auto wrong = wrong_brackets(line)) return wrong;
    auto const program = rma::parse_rma(with_invariants(input, {line}));
    Diagnostic wrong;
    wrong.rule = "syntax";
    wrong.offset = line.begin;
    if (program) {
        rma::Property const& property = program->properties.back();
        for (std::uint32_t n = property.e.first; n <= property.e.root(); ++n) {
            Node const& node = program->nodes[n];
            if (node.kind == Node::Kind::variable &&
                program->variables[node.payload].kind == rma::VariableInfo::Kind::place)
                wrong.message = "a predicate is about variables, without `(at pid rho)`";
        }
        return wrong.message.empty() ? std::nullopt : std::optional(std::move(wrong));
    }
    Diagnostic const& error = program.error().front();
    auto const begin = static_cast<Offset>(input.program.close + before_formula.size());
    std::size_t const at = error.offset > begin ? std::min<std::size_t>(error.offset - begin, line.text.size()) : 0;
    if (at > 0 && is_outside(line.text.substr(0, at)))
        return syntax_error(static_cast<Offset>(line.begin + at), "the end of the line",
                            fmt::format("`{}`", line.text[at]));
    wrong.rule = error.rule;
    wrong.message = error.message;
    wrong.offset += static_cast<Offset>(at);
    wrong.length = error.length;
    wrong.hints = error.hints;
    if (wrong.message.starts_with("a property is ")) wrong.message.replace(0, 10, "a predicate");
    return wrong;
}

} // namespace

Expected<rma::Program, ExitCode> with_predicates(RmaInput const& input, std::string const& file, Terminal& terminal) {
    auto const predicates = read_or_complain(file, terminal);
    if (!predicates) return Unexpected{predicates.error()};
    auto const lines = lines_of(predicates->text());
    Diagnostics wrong;
    for (Line const& line : lines)
        if (auto one = wrong_line(input, line)) wrong.push_back(std::move(*one));
    if (!wrong.empty()) {
        show(terminal, wrong, *predicates);
        return Unexpected{refused(wrong)};
    }
    auto program = rma::parse_rma(with_invariants(input, lines));
    if (!program) throw std::logic_error("predicates: each can be read, but not all together");
    return std::move(*program);
}

} // namespace matchpoint::cli
