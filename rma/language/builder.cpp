#include "rma/language/builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign.hpp"
#include "base/nearest_name.hpp"
#include "grammar/add_nodes.hpp"
#include "grammar/messages/lexer.hpp"
#include "grammar/messages/operator_hints.hpp"
#include "rma/language/parse_words.hpp"

namespace matchpoint::rma {

namespace {

constexpr std::string_view words[] = {
    "rma",          "process",          "shared",    "local", "load", "store", "put", "get",    "flush", "if",
    "choose",       "assume",           "assert",    "while", "goto", "skip",  "bot", "atomic", "final", "invariant",
    "fetch-and-op", "compare-and-swap", "accumulate"};

} // namespace

void Builder::open_process(std::string_view pid) {
    Process p;
    p.name = program_.symbols.pids.intern(*endpoint_name(pid));
    p.first_decl = p.last_decl = static_cast<std::uint32_t>(program_.declarations.size());
    p.first = p.last = static_cast<StatementIndex>(program_.statements.size());
    p.open = last_open();
    program_.processes.push_back(p);
    tokens_.pids.push_back(offset(pid.data()));
}

void Builder::close_process(Offset close) {
    Process& p = program_.processes.back();
    p.last_decl = static_cast<std::uint32_t>(program_.declarations.size());
    p.last = static_cast<StatementIndex>(program_.statements.size());
    p.close = close;
}

void Builder::open_declarations(bool is_shared) {
    auto const n = static_cast<std::uint32_t>(program_.declared.size());
    program_.declarations.push_back({is_shared, n, n, last_open()});
}

void Builder::declare(std::string_view x, std::string_view v) {
    Variable const variable{program_.symbols.variables.intern(x)};
    auto const process = static_cast<ProcessIndex>(program_.processes.size() - 1);
    program_.declared.push_back(variable);
    if (program_.variables.size() <= variable.index) program_.variables.resize(variable.index + 1U);
    VariableInfo& info = program_.variables[variable.index];
    if (info.process != no_index) {
        tokens_.again.push_back({variable, process, offset(x.data())});
        return;
    }
    info.kind = program_.declarations.back().is_shared ? VariableInfo::Kind::shared : VariableInfo::Kind::local;
    info.process = process;
    info.initial = value(v);
    info.offset = offset(x.data());
}

StatementIndex Builder::begin_statement(std::string_view rho) {
    auto const i = static_cast<StatementIndex>(program_.statements.size());
    program_.statements.push_back({Skip{}});
    tokens_.parts.emplace_back();
    tokens_.rhos.push_back(no_offset);
    if (!rho.empty()) {
        program_.statements.back().rho = {program_.symbols.locations.intern(rho)};
        tokens_.rhos.back() = offset(rho.data());
    }
    return i;
}

void Builder::place_node(std::string_view pid, std::string_view rho) {
    std::string_view const number = *endpoint_name(pid);
    Variable const x{program_.symbols.variables.intern(fmt::format("(at {} {})", number, rho))};
    tokens_.places.push_back({x,
                              program_.symbols.pids.intern(number),
                              {program_.symbols.locations.intern(rho)},
                              offset(pid.data()),
                              offset(rho.data())});
    grammar::add_variable(program_, x);
    tokens_.nodes.push_back(offset(pid.data()));
}

/// What a word at this place may mean.
std::optional<std::string> Builder::meant_by(std::string_view word) const {
    auto const wants = [&](std::string_view what) {
        return std::find(wanted_.begin(), wanted_.end(), what) != wanted_.end();
    };
    if (wants(grammar::wanted::op)) {
        if (auto const op = grammar::any_operator(word)) return std::string(to_string(*op));
        std::vector<std::string_view> names;
        for (Op const op : grammar::all_ops()) names.push_back(to_string(op));
        return nearest_name(word, names);
    }
    if (!wants(wanted::operation)) return nearest_name(word, std::span<std::string_view const>(words));
    for (auto const& [theirs, ours] : other_operations)
        if (theirs == word) return ours.empty() ? std::nullopt : std::optional<std::string>(ours);
    return nearest_name(word, std::span<std::string_view const>(remote_op_names));
}

/// A hint for a file that is not a program, or that has operators between operands. Empty if it is neither.
std::string Builder::hint_for_habit() const {
    if (brackets_.empty()) return hint_for_source_or_binary(text());
    std::size_t const most = std::min<std::size_t>(brackets_.size(), 4);
    for (std::size_t i = 1; i <= most; ++i) {
        Offset const open = brackets_[brackets_.size() - i].at;
        if (auto const command = command_in_prefix_form(text(), open))
            return fmt::format("operators come first, in brackets: `{}`", *command);
    }
    bool const is_statement = std::find(wanted_.begin(), wanted_.end(), wanted::kind) != wanted_.end();
    return is_statement ? hint_for_bare_infix(text(), brackets_.back().at + 1).value_or("") : "";
}

Diagnostic Builder::syntax_error() const {
    Token const found = Lexer(text(), offset(deepest_)).next();
    std::string list;
    std::vector<std::string> all;
    for (std::string_view const w : wanted_) {
        std::string s = w.empty() ? fmt::format("`{}`", closing(brackets_.back().kind)) : std::string(w);
        if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(std::move(s));
    }
    for (std::size_t i = 0; i < all.size(); ++i) list += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i];
    Diagnostic d;
    d.rule = "syntax";
    d.message = fmt::format("expected {}, found {}", list,
                            found.text.empty() ? "the end of the file" : fmt::format("`{}`", printable(found.text)));
    d.offset = offset(deepest_);
    d.length = std::max<std::uint32_t>(static_cast<std::uint32_t>(found.text.size()), 1);
    if (!hint_.empty())
        d.hints.emplace_back(hint_);
    else if (auto hint = hint_for_habit(); !hint.empty())
        d.hints.push_back(std::move(hint));
    else if (is_atom(found))
        if (auto const near = meant_by(found.text); near && *near != found.text)
            d.hints.push_back(fmt::format("did you mean `{}`?", *near));
    bool const wants_close = std::find(wanted_.begin(), wanted_.end(), std::string_view()) != wanted_.end();
    if (wants_close && !brackets_.empty()) d.notes.push_back({"opened here", brackets_.back().at, 1});
    return d;
}

Diagnostic Builder::limit_reached(LimitReached const& limit) const {
    Diagnostic d;
    d.rule = "limit";
    d.message = limit.what();
    if (last_integer_ != nullptr) {
        d.offset = offset(last_integer_);
        d.length = static_cast<std::uint32_t>(atom_end(last_integer_, end_) - last_integer_);
    }
    return d;
}

} // namespace matchpoint::rma
