// Builds the syntax tree of an `.rma` file while the parser reads, and keeps what the static rules and the message of a
// syntax error need.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/add_nodes.hpp"
#include "grammar/characters.hpp"
#include "grammar/read_text.hpp"
#include "rma/language/static_rules.hpp"

namespace matchpoint::rma {

class Builder : public ReadText {
public:
    Builder(Source const& source, ParseOptions const& options) : ReadText(source, options) {}

    Diagnostic syntax_error() const;
    /// Whether a closing bracket was expected where it failed.
    bool wanted_close() const {
        return std::any_of(wanted_.begin(), wanted_.end(), [](std::string_view w) { return w.empty(); });
    }
    /// The parser goes on after an error, which was noted.
    void forget_error() {
        wanted_.clear();
        hint_ = {};
    }
    /// As fail(), with how to mend it. Returns false.
    bool fail(char const* at, std::string_view wanted, std::string_view hint) {
        fail(at, wanted);
        if (at == deepest_) hint_ = hint;
        return false;
    }
    using ReadText::fail;
    Diagnostic limit_reached(LimitReached const& limit) const;

    std::size_t depth() const { return brackets_.size(); }

    void comment(char const* first, char const* last) { ReadText::comment(first, last, program_.comments); }

    // Processes and declarations.
    Program& program() { return program_; }
    ParsedTokens& tokens() { return tokens_; }
    void open_process(std::string_view pid);
    void close_process(Offset close);
    void open_declarations(bool is_shared);
    void declare(std::string_view x, std::string_view value);
    void close_declarations() {
        program_.declarations.back().last = static_cast<std::uint32_t>(program_.declared.size());
    }

    // Statements: begin_statement, then its parts, then end_statement.
    StatementIndex begin_statement(std::string_view rho);
    Statement& statement() { return program_.statements.back(); }
    void end_statement(StatementIndex i, Offset close) {
        program_.statements[i].end = static_cast<StatementIndex>(program_.statements.size());
        program_.statements[i].close = close;
    }
    /// A part of the statement that is being read; messages about it point there.
    Variable variable(std::string_view x) {
        token(x);
        return {program_.symbols.variables.intern(x)};
    }
    std::uint32_t pid(std::string_view n) {
        token(n);
        return program_.symbols.pids.intern(*endpoint_name(n));
    }
    LocationName location(std::string_view rho) {
        token(rho);
        return {program_.symbols.locations.intern(rho)};
    }
    void remote_operation(std::string_view op) { token(op); }
    void choice(std::string_view v) {
        program_.choices.push_back(value(v));
        tokens_.choices.push_back(offset(v.data()));
    }

    // Properties.
    void begin_properties() { in_property_ = true; }
    bool in_property() const { return in_property_; }
    void property(bool is_final, Expression e, Offset open) { program_.properties.push_back({is_final, e, open}); }

    // Expressions, in post-order (grammar/expression_reader.hpp).
    std::uint32_t node_count() const { return grammar::node_count(program_); }
    void value_node(std::string_view atom) {
        grammar::add_value(program_, value(atom));
        tokens_.nodes.push_back(offset(atom.data()));
    }
    void variable_node(std::string_view x) {
        grammar::add_variable(program_, {program_.symbols.variables.intern(x)});
        tokens_.nodes.push_back(offset(x.data()));
    }
    /// `count` operands, the first of which begins at node `first`.
    void operation_node(Op op, std::uint32_t count, std::uint32_t first, Offset at) {
        if (count != arity(op)) tokens_.wrong_arities.push_back({op, count, at});
        grammar::add_operation(program_, op, first);
        tokens_.nodes.push_back(at);
    }
    void place_node(std::string_view pid, std::string_view rho);

private:
    std::optional<std::string> meant_by(std::string_view word) const;
    std::string hint_for_habit() const;
    void token(std::string_view text) { tokens_.parts.back().push(offset(text.data())); }

    bool in_property_ = false;
    std::string_view hint_; // of the error that is deepest in the text
    Program program_;
    ParsedTokens tokens_;
};

} // namespace matchpoint::rma
