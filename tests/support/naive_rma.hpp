#pragma once

/// All executions of a program with remote memory access, by brute force: its ground truth, written from the rules of
/// the language page, with a reader, a syntax and an evaluation of its own. A plain std::set keeps whole states:
/// evidently right, not fast.
///
///     auto const program = naive_rma::read("(rma (process 1 (shared (Y 1)) bot) ...)");
///     auto const found = naive_rma::explore(program, naive_rma::Model::rma);
///     found->violated;                  // a false assertion, a broken invariant or a false final assertion
///     found->finals;                    // {"R = 0, X = 3, Y = 2, r = 0", ...}
///
/// It reads well-formed programs only. Trees are small by construction: the functions on them recurse.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace matchpoint::naive_rma {

/// An integer, or a boolean as 0 or 1.
struct Value {
    bool is_boolean = false;
    long long number = 0;
    auto operator<=>(Value const&) const = default;
};

/// e ::= v | u | (op e ...) | (at pid rho)
struct Expression {
    std::string op; ///< "value", "variable", "at", or an operator
    Value value = {};
    std::size_t variable = 0;          ///< of a variable
    std::size_t process = 0;           ///< of `at`
    std::set<std::size_t> places = {}; ///< of `at`: its place, and the one of an `atomic` that begins there
    std::vector<Expression> operands = {};
};

/// One step of a process. `next` is where it goes on; `otherwise`, where it goes when the condition of a branch is
/// false.
struct Step {
    enum class Kind {
        put,
        get,
        fetch,
        swap,
        accumulate,
        flush,
        load,
        store,
        assign,
        choose,
        assume,
        assert_,
        skip,
        branch,
        enter,
        jump,
        end
    };
    Kind kind = Kind::skip;
    std::size_t to = 0;              ///< the other process of put, get and flush
    std::size_t target = 0;          ///< the variable that is written
    std::size_t source = 0;          ///< the variable that is read, of put, get and load
    std::size_t location = 0;        ///< the variable that a remote atomic reads and writes: Y; its X is `target`
    std::string op = {};             ///< of fetch and accumulate
    std::size_t operand = 0;         ///< Z of fetch, swap and accumulate
    std::size_t compared = 0;        ///< C of swap
    Expression e = {};               ///< of store, assign, assume, assert, branch
    std::vector<Value> choices = {}; ///< of choose
    bool inside = false;             ///< of an atomic: nobody else steps while its process is here
    std::size_t next = 0, otherwise = 0;
    bool is_remote() const { return kind == Kind::put || kind == Kind::get || is_atomic(); }
    bool is_atomic() const { return kind == Kind::fetch || kind == Kind::swap || kind == Kind::accumulate; }
};

struct Process {
    std::string pid;
    std::vector<Step> steps = {};
    std::size_t first = 0;
    std::map<std::string, std::size_t> places = {}; ///< of the locations
};

struct Program {
    std::vector<std::string> names = {}; ///< of the variables
    std::vector<Value> initial = {};
    std::vector<Process> processes = {};
    std::vector<Expression> invariants = {};
    std::vector<Expression> finals = {}; ///< (assert final e)
};

enum class Model {
    rma, ///< put and get happen later, in two steps
    sc,  ///< put and get are one assignment, flush does nothing
};

struct Bounds {
    std::size_t pending = 6; ///< operations of one process; where there would be more, the search is cut
    std::size_t states = 1'000'000;
    bool until_violated = false; ///< what comes after a violation is left out
};

/// What the reachable states come to.
struct Found {
    bool violated = false;
    std::set<std::string> finals = {}; ///< the memory of every final state: "x = 1, y = true", by name
    bool discarded = false;            ///< a run passed a false assumption
    bool faulted = false;              ///< a process was about to divide by zero
    /// "x: 1, card of 2": two accesses of a variable, which conflict, could come next: whose steps they are, in the
    /// order of these names
    std::set<std::string> races = {};
    bool cut = false; ///< there would be more states with more pending operations
    std::size_t states = 0;
    bool no_final_state() const { return finals.empty(); }
};

/// Reads a `.rma` text that is known to be well-formed. Throws std::runtime_error where it makes no sense of it.
Program read(std::string const& text);

/// All reachable states; nothing if there are more than `bounds.states`. Throws std::overflow_error when a value gets
/// out of 64 bits.
std::optional<Found> explore(Program const& program, Model model, Bounds bounds = {});

/// The flush statements of a program, in the order of its text.
std::size_t flushes(Program const& program);
/// The program with some of its flushes only: the others do nothing.
Program with_flushes(Program program, std::set<std::size_t> const& kept);

/// The smallest sets of flushes with which no state is wrong under RMA: every set of a size is tried, the smallest
/// first. Empty if not even all of them suffice; nothing if a bound was reached before it was clear.
std::optional<std::vector<std::set<std::size_t>>> least_flushes(Program const& program, Bounds bounds = {});

/// The values of one variable in the final states.
std::set<std::string> final_values(Found const& found, std::string const& name);

/// A finding in words, for the messages of failing tests.
std::string to_text(Found const& found);

} // namespace matchpoint::naive_rma
