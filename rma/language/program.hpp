// The syntax tree of `.rma` files: programs whose processes write and read each other's memory (docs/rma.md). One
// struct per production, with the names of "Automatic Verification of RMA Programs via Abstraction Extrapolation"
// (Table 1).
//
//   Program const& p = ...;
//   for (Process const& process : p.processes)
//       for (StatementIndex i = process.first; i < process.last; i = p.statements[i].end)
//           std::cout << print(p, i) << "\n";
//
// The tree is flat. Statements are in one vector in the order of the text, a compound statement before its parts, so
// that no function recurses on how deep they are nested. Expressions are those of the trace language (grammar/ast.hpp):
// nodes in post-order. `(and a b c)` is `(and (and a b) c)`.
//
//   program  ::= (rma process ... property ...)
//   process  ::= (process pid decl ... stmt ... bot)
//   decl     ::= (shared (X v) ...) | (local (u v) ...)
//   property ::= (assert final e) | (invariant e)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::rma {

using ProcessIndex = std::uint32_t;               // into Program::processes, in the order of the text
using StatementIndex = std::uint32_t;             // into Program::statements
using LocationName = Id<struct LocationNameKind>; // rho; the same name may occur in several processes

inline constexpr std::uint32_t no_index = 0xFFFF'FFFF;

struct Load { // (load u X): u := X
    Variable u;
    Variable X;
    bool operator==(Load const&) const = default;
};
struct Store { // (store X e): X := e
    Variable X;
    Expression e;
    bool operator==(Store const&) const = default;
};
struct Put { // (put Y pid X): Y at pid := X, later
    Variable Y;
    ProcessIndex pid;
    Variable X;
    bool operator==(Put const&) const = default;
};
struct Get { // (get X Y pid): X := Y at pid, later
    Variable X;
    Variable Y;
    ProcessIndex pid;
    bool operator==(Get const&) const = default;
};
/// What a remote atomic does with the old value of Y and its operand.
enum class RemoteOp : std::uint8_t { sum, product, min, max, and_, or_, xor_, replace, no_op };
inline constexpr std::array<std::string_view, 9> remote_op_names{"+",  "*",   "min",     "max",  "and",
                                                                 "or", "xor", "replace", "no-op"};
inline std::string_view to_string(RemoteOp op) { return remote_op_names.at(static_cast<std::size_t>(op)); }

// The remote atomics, after MPI_Fetch_and_op, MPI_Compare_and_swap and MPI_Accumulate. A network card reads and writes
// Y in one step, later; X gets the old value in another one.
struct FetchAndOp { // (fetch-and-op X Y pid op Z): X := Y at pid; Y := Y op Z
    Variable X;
    Variable Y;
    ProcessIndex pid;
    RemoteOp op;
    Variable Z;
    bool operator==(FetchAndOp const&) const = default;
};
struct CompareAndSwap { // (compare-and-swap X Y pid C Z): X := Y at pid; if it was C, Y := Z
    Variable X;
    Variable Y;
    ProcessIndex pid;
    Variable C;
    Variable Z;
    bool operator==(CompareAndSwap const&) const = default;
};
struct Accumulate { // (accumulate Y pid op Z): Y := Y op Z
    Variable Y;
    ProcessIndex pid;
    RemoteOp op;
    Variable Z;
    bool operator==(Accumulate const&) const = default;
};
struct Flush {
    ProcessIndex pid;
    bool operator==(Flush const&) const = default;
};
struct Assign { // (u := e)
    Variable u;
    Expression e;
    bool operator==(Assign const&) const = default;
};
struct Choose { // (choose u v ...): one of Program::choices [first, last)
    Variable u;
    std::uint32_t first;
    std::uint32_t last;
    bool operator==(Choose const&) const = default;
};
struct Assume {
    Expression e;
    bool operator==(Assume const&) const = default;
};
struct Assert {
    Expression e;
    bool operator==(Assert const&) const = default;
};
struct Skip {
    bool operator==(Skip const&) const = default;
};
struct If { // (if e (stmt ...) (stmt ...)): the second list begins at `otherwise`, which is the end if there is none
    Expression e;
    StatementIndex otherwise = no_index;
    bool has_else = false; // `()` and no list at all mean the same, and are printed as written
    bool operator==(If const&) const = default;
};
struct While { // (while e stmt ...)
    Expression e;
    bool operator==(While const&) const = default;
};
struct Goto { // (goto rho)
    LocationName rho;
    StatementIndex target = no_index;
    bool operator==(Goto const&) const = default;
};
struct Atomic { // (atomic stmt ...)
    bool operator==(Atomic const&) const = default;
};

/// c. Code that treats statements by kind visits this (overloaded.hpp).
using StatementKind = std::variant<Load, Store, Put, Get, Flush, Assign, Choose, Assume, Assert, Skip, If, While, Goto,
                                   Atomic, FetchAndOp, CompareAndSwap, Accumulate>;

/// Whether statements can be inside of it.
bool is_compound(StatementKind const& c);
/// The process that a put, a get or a remote atomic names.
std::optional<ProcessIndex> target_of(StatementKind const& c);

/// c or [rho c]. The statements inside of it are those after it, up to `end`.
struct Statement {
    StatementKind c;
    LocationName rho = {}; // none if it has no location
    StatementIndex end = no_index;
    Offset open = no_offset;   // of its (outer) bracket; of `skip`
    Offset close = no_offset;  // of the bracket that closes it
    Offset middle = no_offset; // of an `if` with two lists: after the first one
    friend bool operator==(Statement const& a, Statement const& b) {
        return a.c == b.c && a.rho == b.rho && a.end == b.end;
    }
};

/// `(shared ...)` or `(local ...)`: Program::declared [first, last).
struct Declarations {
    bool is_shared;
    std::uint32_t first;
    std::uint32_t last;
    Offset open = no_offset;
    friend bool operator==(Declarations const& a, Declarations const& b) {
        return a.is_shared == b.is_shared && a.first == b.first && a.last == b.last;
    }
};

/// (process pid decl ... stmt ... bot): statements [first, last), declarations [first_decl, last_decl).
struct Process {
    std::uint32_t name = no_index; // into Symbols::pids
    std::uint32_t first_decl = 0;
    std::uint32_t last_decl = 0;
    StatementIndex first = 0;
    StatementIndex last = 0;
    Offset open = no_offset;
    Offset bot = no_offset;
    Offset close = no_offset;
    friend bool operator==(Process const& a, Process const& b) {
        return a.name == b.name && a.first_decl == b.first_decl && a.last_decl == b.last_decl && a.first == b.first &&
               a.last == b.last;
    }
};

/// What a Variable is.
struct VariableInfo {
    enum class Kind : std::uint8_t {
        shared,
        local,
        place, // `(at pid rho)` in a property: true when the process is before the statement at rho
    };
    Kind kind = Kind::local;
    ProcessIndex process = no_index; // that declares it; of a place, the one that is there
    Value initial = {};              // its sort is that of the variable; of a place, `false`
    StatementIndex at = no_index;    // of a place
    Offset offset = no_offset;       // of its declaration
    friend bool operator==(VariableInfo const& a, VariableInfo const& b) {
        return a.kind == b.kind && a.process == b.process && a.initial == b.initial && a.at == b.at;
    }
};

/// (assert final e) or (invariant e).
struct Property {
    bool is_final;
    Expression e;
    Offset open = no_offset;
    friend bool operator==(Property const& a, Property const& b) { return a.is_final == b.is_final && a.e == b.e; }
};

struct Symbols {
    Names variables; // places, too: `(at 1 rho)`
    Names locations;
    Names pids; // canonical decimal numbers
    bool operator==(Symbols const&) const = default;

    std::string_view operator()(Variable x) const { return variables[x.index]; }
    std::string_view operator()(LocationName rho) const { return locations[rho.index]; }
};

/// A file. It obeys the static rules RS1 to RS6.
struct Program {
    Symbols symbols;
    std::vector<Process> processes;
    std::vector<Declarations> declarations;
    std::vector<Variable> declared;      // in the order of the text
    std::vector<VariableInfo> variables; // by Variable
    std::vector<Statement> statements;
    std::vector<Value> choices; // of the `choose`s
    std::vector<Node> nodes;
    std::vector<Value> values; // of the nodes
    std::vector<Property> properties;
    std::vector<Comment> comments; // kept on demand; equality ignores them
    Offset open = no_offset;
    Offset close = no_offset;

    VariableInfo const& operator[](Variable x) const { return variables[x.index]; }
    std::string_view pid(ProcessIndex p) const { return symbols.pids[processes[p].name]; }
    /// The process whose number is `pid` (canonical decimal).
    std::optional<ProcessIndex> process(std::string_view pid) const;
    /// The statement at a location of a process.
    std::optional<StatementIndex> at(ProcessIndex p, std::string_view rho) const;
    /// The process that a statement belongs to. Logarithmic.
    ProcessIndex process_of(StatementIndex i) const;

    friend bool operator==(Program const& a, Program const& b) {
        return a.symbols == b.symbols && a.processes == b.processes && a.declarations == b.declarations &&
               a.declared == b.declared && a.variables == b.variables && a.statements == b.statements &&
               a.choices == b.choices && a.nodes == b.nodes && a.values == b.values && a.properties == b.properties;
    }
};

} // namespace matchpoint::rma
