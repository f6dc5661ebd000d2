// What the parser knows when it cannot go on, and the message that says so.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "grammar/messages/lexer.hpp"

namespace matchpoint::grammar {

/// An opening bracket that is not closed yet.
struct Bracket {
    char kind;
    Offset at;
};

// How many brackets are open inside each part: `( ( [00 (x := 1` in the program, `( (03 ((0 2` in the traces.
inline constexpr std::size_t thread_depth = 2;
inline constexpr std::size_t located_command_depth = 3;
inline constexpr std::size_t command_depth = 4;
inline constexpr std::size_t trace_depth = 1;
inline constexpr std::size_t movement_depth = 4;

/// What the parser can expect, in the words of the grammar.
namespace wanted {
inline constexpr std::string_view close; // the closing bracket
inline constexpr std::string_view location = "a location";
inline constexpr std::string_view action = "an action";
inline constexpr std::string_view source = "a source endpoint (a non-negative integer)";
inline constexpr std::string_view destination = "a destination endpoint (a non-negative integer)";
inline constexpr std::string_view variable = "a variable";
inline constexpr std::string_view op = "an operator";
inline constexpr std::string_view operand = "an operand: an expression";
inline constexpr std::string_view expression =
    "an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`";
inline constexpr std::string_view command = "a command `(...)`";
inline constexpr std::string_view assigned_variable = "a variable to assign to";
/// After an atom that begins a command but is not the name of one.
inline constexpr std::string_view assignment_sign = "`:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `ssndi`, "
                                                    "`bsndi`, `rsndi`, `rcvi`, `wait`, `barrier`, `probe`, "
                                                    "`mprobe`, `start`, `collective`, `icollective` and `when`)";
inline constexpr std::string_view assignment = "an assignment `(x := e)`";
inline constexpr std::string_view assigns = "`:=`";
inline constexpr std::string_view shared = "shared variables `(shared [x v] ...)`";
inline constexpr std::string_view shared_variable = "a shared variable and its initial value, `[x v]`";
inline constexpr std::string_view communicators = "communicators `(communicators [comm t ...] ...)`";
inline constexpr std::string_view declared_communicator = "a communicator and its members, `[comm t ...]`";
inline constexpr std::string_view member = "a member (the number of a thread)";
inline constexpr std::string_view value = "a value: an integer, `true` or `false`";
inline constexpr std::string_view tag = "a tag (a non-negative integer)";
inline constexpr std::string_view barrier = "the name of a barrier";
inline constexpr std::string_view communicator = "the name of a communicator";
inline constexpr std::string_view collective_kind =
    "a kind of collective: `barrier`, `bcast`, `gather`, `gatherv`, `scatter`, `scatterv`, `allgather`, `allgatherv`, "
    "`alltoall`, `alltoallv`, `alltoallw`, `reduce`, `allreduce`, `reduce_scatter`, `reduce_scatter_block`, `scan`, "
    "`exscan` or `construct`";
inline constexpr std::string_view collective_part =
    "a part of a collective `(root k)`, `(op o)`, `(type t)` or `(count n ...)`";
inline constexpr std::string_view collective_part_name = "`root`, `op`, `type` or `count`";
inline constexpr std::string_view root = "the number of a thread";
inline constexpr std::string_view op_of_reduction = "the name of a reduction";
inline constexpr std::string_view type_of_data = "the name of a type";
inline constexpr std::string_view count = "a count (at most 18446744073709551615)";
inline constexpr std::string_view send_tag = "a tag `(tag n)`";
inline constexpr std::string_view send_tag_name = "`tag`";
inline constexpr std::string_view selector =
    "a selector `(from alpha ...)`, `(tag n ...)`, `(source y)` or `(tagged z)`";
inline constexpr std::string_view selector_name = "`from`, `tag`, `source` or `tagged`";
inline constexpr std::string_view choice = "a choice `(among a ...)`, `(some a ...)` or `(all a ...)`";
inline constexpr std::string_view choice_name = "`among`, `some` or `all`";
inline constexpr std::string_view seen = "a selector `(from alpha ...)` or `(tag n ...)`";
inline constexpr std::string_view seen_name = "`from` or `tag`";
inline constexpr std::string_view test_result = "`true` or `false`";
inline constexpr std::string_view place = "a place `(at \"file\" line)`";
inline constexpr std::string_view file = "the name of a file, as in `\"main.c\"`";
inline constexpr std::string_view line = "a line number (at most 4294967295)";
inline constexpr std::string_view thread = "a thread `([rho c] ... bot)`";
inline constexpr std::string_view located_command = "a located command `[rho c]`";
inline constexpr std::string_view bot = "`bot`";
inline constexpr std::string_view trace = "a trace `((rho m) ...)`";
inline constexpr std::string_view entry = "a trace entry `(rho m)`";
inline constexpr std::string_view movements = "a movement list `((beta alpha) ... bot)`";
inline constexpr std::string_view movement = "a movement `(beta alpha)`";
inline constexpr std::string_view end = "the end of the file";
} // namespace wanted

/// Where the parser failed: at the deepest position that it reached.
struct SyntaxFailure {
    std::string_view text; // all of the file
    Offset at;
    std::vector<std::string_view> wanted; // what was expected there
    std::vector<Bracket> open;            // from the outermost on
    Offset ctp_open;                      // no_offset: not yet
    Offset ctp_close;                     // no_offset: not yet

    bool wants(std::string_view what) const;
    /// Whether a command's name, or something near it, or an assignment is there.
    bool is_at_command() const;
    /// After a command and before something that is no second one: `[00 (x := 1) bot`.
    bool is_behind_command() const;
    /// `( [00 (x := 1)] ( [01`: the thread is not closed.
    bool begins_thread_in_thread() const;
    /// Inside `(shared ...)` or `(communicators ...)`, which come before the program.
    bool in_declarations() const { return ctp_open == no_offset && !open.empty(); }
    bool in_communicators() const;
    bool in_shared() const { return in_declarations() && !in_communicators(); }
    /// `(shared [x 0`: the variable is not closed.
    bool is_behind_shared_value() const;
    /// `(shared [x 0] ( ( [00`: the shared variables are not closed.
    bool begins_program_in_shared() const;
    bool in_traces() const { return ctp_close != no_offset; }
    /// How many brackets enclose a located command, or a trace entry.
    std::size_t unit_depth() const { return in_traces() ? trace_depth : thread_depth; }
};

/// Where a syntax error is.
struct Surroundings {
    SyntaxFailure const& failure;
    std::vector<Token> const& before; // the parts of the innermost bracket before it, groups by their bracket
    Token found;
    Token next; // after `found`
};

/// Whether a bracket opened a program in which a thread begins: `( ( [00 (`, `( [00 (`, `( ( bot`. `lexer` is after it.
bool begins_program(Lexer lexer);

/// What was expected and what was found; where the bracket that matters was opened; how to mend it.
Diagnostic syntax_error(SyntaxFailure const& failure);

} // namespace matchpoint::grammar
