// A reduced program, as it is printed and read: a sequentially consistent program with sets (docs/rma.md, "The reduced
// language"). It says all that is executed, so it can be run without the program that it was made from, no matter who
// made it.
//
//   Source const source("reduced", print_reduced(graph, {}));
//   auto const program = parse_reduced(source);          // parse_reduced.hpp
//   TextSystem system(*program, *names_of(original, *program));
//   search(system, {});                                  // reduced_run.hpp
//
// Statements are instructions in the order of the text. A process is before one of them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::rma::reduced {

using Index = std::uint32_t;     // into Program::code
using SetIndex = std::uint32_t;  // into Program::sets
using Procedure = std::uint32_t; // into Program::procedures

/// Procedures: Program::calls [first, last).
struct Calls {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

struct Assign { // (x := e), (store x e), (load x y)
    Variable x;
    Expression e;
};
struct Choose { // (choose x v ...): one of Program::choices [first, last)
    Variable x;
    std::uint32_t first;
    std::uint32_t last;
};
struct Draw { // (draw x set): x := some element; a fault if there is none
    Variable x;
    SetIndex set;
};
struct Reset { // (reset set x): set := {x}
    SetIndex set;
    Variable x;
};
struct Join { // (join set x)
    SetIndex set;
    Variable x;
};
struct Assume { // in a procedure, its guard
    Expression e;
};
struct Assert {
    Expression e;
};
struct Skip {};
struct Branch { // `if`, `while`: goes on after it, or at `otherwise`
    Expression e;
    Index otherwise = 0;
};
struct Jump { // is no step
    Index target = 0;
};
struct Group { // (step c ...): one step, up to `end`
    Index end = 0;
};
struct Enter {};   // (atomic c ...): is no step; no other process steps while a process is inside
struct RemoteOps { // (remote-ops s ... c): any number of (execute s), then c, which follows it
    Calls calls;
};
struct ExecuteOne { // (execute-one s ...)
    Calls calls;
};
struct
    ExecuteUntil { // (execute-until e s ...): (execute s) while e does not hold. The test and what follows are one step
    Expression e;
    Calls calls;
};
struct End {}; // of a process, or of a procedure

using Action = std::variant<Assign, Choose, Draw, Reset, Join, Assume, Assert, Skip, Branch, Jump, Group, Enter,
                            RemoteOps, ExecuteOne, ExecuteUntil, End>;

struct Instruction {
    Action action;
    bool is_inside = false; // of an `atomic`
};

/// (process pid ...), (finally c ...), which runs when every process has finished, or (always c ...), which runs again
/// and again.
struct Thread {
    enum class Kind : std::uint8_t { process, finally, always };
    Kind kind;
    Index first;
};

struct ProcedureText { // (define (execute s) c ...), one step, or (define-steps (execute s) c ...): each c is one
    std::string name;
    Index first;
    Index last; // its End
    bool is_one_step;
};

/// `(at pid rho)` in a property.
struct Place {
    Variable x;
    std::uint32_t thread;
    Index at;
};

struct Property {
    bool is_final;
    Expression e;
    std::string text = {};
};

struct Program {
    Names variables;            // places, too
    std::vector<Value> initial; // by variable
    Names sets;
    std::vector<Instruction> code;
    std::vector<Thread> threads; // processes first, in the order of the text
    std::vector<ProcedureText> procedures;
    std::vector<Procedure> calls;
    std::vector<Value> choices;
    std::vector<Node> nodes;
    std::vector<Value> values; // of the nodes
    std::vector<Place> places;
    std::vector<Property> properties;

    /// Where a process is once it has reached i.
    Index settled(Index i) const {
        while (auto const* const jump = std::get_if<Jump>(&code[i].action)) i = jump->target;
        return i;
    }
};

} // namespace matchpoint::rma::reduced
