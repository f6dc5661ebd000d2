#pragma once

/// Concurrent trace programs as plain data, for tests: strings, vectors and maps, nothing interned, nothing shared with
/// the code under test. The productions are those of the trace language (Figure 5(a)).
///
/// Trees are ordinary recursive structs and the functions on them recurse: plain programs are small by construction.

#include <boost/multiprecision/cpp_int.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/all_rooms.hpp"

namespace matchpoint::naive {

using Integer = boost::multiprecision::cpp_int;
using Value = std::variant<Integer, bool>;
using Endpoint = unsigned;
using Tag = unsigned;

/// e ::= (op e e) | (not e) | (ite e e e) | x | v
struct Expression {
    enum class Kind { value, variable, operation };

    Kind kind = Kind::value;
    Value value = Integer(0);         ///< of a value
    std::string variable;             ///< of a variable
    std::string op;                   ///< of an operation: + - * div mod = != < <= > >= and or xor => not ite
    std::vector<Expression> operands; ///< of an operation: one for `not`, three for `ite`, two for the others

    bool operator==(Expression const&) const = default;
};

/// The expression that is the integer `i`.
Expression number(Integer i);
/// The expression that is the boolean `b`.
Expression truth(bool b);
/// The expression that is the variable `name`.
Expression variable(std::string name);
/// The expression (op left right).
Expression operation(std::string op, Expression left, Expression right);
/// The expression (not operand).
Expression negation(Expression operand);
/// The expression (ite condition left right).
Expression choice(Expression condition, Expression left, Expression right);

/// (assume e)
struct Assume {
    Expression condition;
    bool operator==(Assume const&) const = default;
};

/// (assert e)
struct Assert {
    Expression condition;
    bool operator==(Assert const&) const = default;
};

/// (x := e)
struct Assign {
    std::string variable;
    Expression value;
    bool operator==(Assign const&) const = default;
};

/// How a wait for a send waits: sndi, ssndi, bsndi, rsndi.
enum class Mode { standard, synchronous, buffered, ready };

/// (sndi a alpha beta e (tag n)), and perhaps one more atom after e: a location of the program, without effect
struct Sndi {
    std::string action;
    Endpoint alpha = 0;
    Endpoint beta = 0;
    Expression payload;
    std::optional<std::string> extra = std::nullopt;
    std::optional<Tag> tag = std::nullopt;
    Mode mode = Mode::standard;
    bool operator==(Sndi const&) const = default;
};

/// sel ...
struct Selectors {
    std::optional<std::vector<Endpoint>> from = std::nullopt; ///< (from alpha ...)
    std::optional<std::vector<Tag>> tags = std::nullopt;      ///< (tag n ...)
    std::optional<std::string> source = std::nullopt;         ///< (source y)
    std::optional<std::string> tagged = std::nullopt;         ///< (tagged z)
    bool operator==(Selectors const&) const = default;
};

/// (rcvi a beta x sel ...), and perhaps one more atom after x: a location of the program, without effect
struct Rcvi {
    std::string action;
    Endpoint beta = 0;
    std::string variable;
    std::optional<std::string> extra = std::nullopt;
    Selectors sel = {};
    bool operator==(Rcvi const&) const = default;
};

/// (probe a beta sel ...) or (mprobe a beta sel ...)
struct Probe {
    std::string action;
    Endpoint beta = 0;
    Selectors sel = {};
    bool matches = false; ///< mprobe
    bool operator==(Probe const&) const = default;
};

/// (start a x)
struct Start {
    std::string action;
    std::string variable;
    bool operator==(Start const&) const = default;
};

/// (wait a)
struct Wait {
    std::string action;
    bool operator==(Wait const&) const = default;
};

/// (barrier b)
struct Meet {
    std::string barrier;
    bool operator==(Meet const&) const = default;
};

/// (collective a comm kind part ...) or (icollective a comm kind part ...)
struct Collective {
    std::string action;
    std::string communicator;
    std::string kind;
    bool blocks = true; ///< collective
    std::optional<std::size_t> root = std::nullopt;
    std::string op = {};   ///< empty if it has none
    std::string type = {}; ///< the same
    std::vector<unsigned> counts = {};
    bool waits_for_all = false; ///< not of the language: a library keeps it until all members have called
    bool operator==(Collective const&) const = default;
};

/// (x := e) in a guarded assignment, and in `(shared [x v] ...)` with a value for e.
struct Store {
    std::string variable;
    Expression value;
    bool operator==(Store const&) const = default;
};

/// (assume e (x := e) ...) with at least one assignment, or (when e (x := e) ...)
struct Guarded {
    Expression guard;
    std::vector<Store> stores = {};
    bool blocks = false; ///< when
    bool operator==(Guarded const&) const = default;
};

/// [rho c]
struct Command {
    std::string location;
    std::variant<Assume, Assert, Assign, Sndi, Rcvi, Wait, Meet, Guarded, Probe, Start, Collective> what;
    bool operator==(Command const&) const = default;
};

using Thread = std::vector<Command>;

/// ctp ::= (t ...)
struct Program {
    std::vector<Thread> threads;
    std::vector<Store> shared = {};    ///< (shared [x v] ...)
    std::set<std::string> atomic = {}; ///< those of them with `atomic` in front
    /// (communicators [comm t ...] ...): the members, which are threads, in their order
    std::map<std::string, std::vector<std::size_t>> communicators = {};
    bool operator==(Program const&) const = default;
};

/// (beta alpha) or (beta alpha n): move the oldest message in transit from alpha to beta. Where receives select, match
/// one, with tag n if it is there.
struct Movement {
    Endpoint beta = 0;
    Endpoint alpha = 0;
    std::optional<Tag> tag = std::nullopt;
    bool operator==(Movement const&) const = default;
};

/// sigma ::= (rho m)
struct TraceEntry {
    std::string location;
    std::vector<Movement> movements = {};
    std::optional<Movement> peek = std::nullopt; ///< (peek beta alpha) or (peek beta alpha n), of a probe
    bool operator==(TraceEntry const&) const = default;
};

using Trace = std::vector<TraceEntry>;

/// A program, one trace of it, and the buffering to run it with.
struct Case {
    Program program;
    Trace trace;
    bool zero = false; ///< zero buffering (rendezvous) instead of infinite
    bool operator==(Case const&) const = default;
};

/// Reads the program at the beginning of a `.ctp` file that is known to be well-formed: S-expressions with either kind
/// of brackets, and comments. Ignores the traces after it. Throws std::runtime_error where it makes no sense of it.
Program read_program(std::string const& text);

/// Whether a program has no selectors, no modes, no barriers, no probes, no collectives, no shared variables and no
/// guarded assignments.
bool is_plain(Program const& program);

/// Writes a value as an atom of the trace language.
std::string to_text(Value const& value);
/// Writes an expression in the trace language.
std::string to_text(Expression const& expression);
/// Writes a command, without its location, in the trace language.
std::string to_text(Command const& command);
/// Writes a trace in the trace language, on one line.
std::string to_text(Trace const& trace);
/// Writes a `.ctp` file: the program, one command a line, then the traces, one a line.
std::string to_text(Program const& program, std::vector<Trace> const& traces);
/// Writes a case as a `.ctp` file whose first comment names the buffering.
std::string to_text(Case const& the_case);

} // namespace matchpoint::naive
