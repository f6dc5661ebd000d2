// A program as a graph of statements: what follows each one. The machine walks it with the statement as program
// counter; the syntax tree stays the only text of what a statement does.
//
//   Graph const graph(program);
//   pc = graph.at(pc).next;
//
// Sources: Section 2.1 (pc, n(l)); Section 3.1 (read, write, remote, chain).
#pragma once

#include <span>
#include <vector>

#include "rma/language/program.hpp"

namespace matchpoint::rma {

using RemoteIndex = std::uint32_t; // into Graph::remotes()
using QueueIndex = std::uint32_t;  // into Graph::queues()

/// A put or get s, as a transfer from one variable to another; or a remote atomic.
struct Remote {
    StatementIndex statement;
    ProcessIndex process;        // that issues it
    ProcessIndex to;             // to(r), to(succ(r)): the process that the statement names
    Variable src;                // var(r); of an atomic, Y
    Variable trg;                // var(succ(r)); of an atomic, X, and if it has none, Y
    QueueIndex queue = no_index; // of an atomic
    bool fetches = true;         // false: an atomic without X, which has no nic_w
    bool is_atomic() const { return queue != no_index; }
};

/// The atomics of one process on one variable. They are executed in the order of their issue.
struct Queue {
    ProcessIndex process;
    Variable Y;
};

/// n(l), for one statement. An `atomic` has no step of its own: a process before it is before its first statement, but
/// not inside yet.
struct Successors {
    StatementIndex executes;             // the statement that is executed here: itself, unless it is an `atomic`
    StatementIndex next = no_index;      // after it; of a condition, if it is true
    StatementIndex otherwise = no_index; // of a condition, if it is false
    bool inside = false;                 // of an `atomic`
    RemoteIndex remote = no_index;       // of a put, a get or a remote atomic
};

class Graph {
public:
    /// The program has to outlive it. Time: linear.
    explicit Graph(Program const& program);

    Program const& program() const { return *program_; }
    Successors const& at(StatementIndex pc) const { return successors_[pc]; }
    /// Whether the process is inside of an `atomic`.
    bool inside(ProcessIndex p, StatementIndex pc) const { return pc != end(p) && successors_[pc].inside; }
    /// The pc of a process that has finished.
    StatementIndex end(ProcessIndex p) const { return program_->processes[p].last; }
    /// `(at p rho)`, for the statement `place` at rho.
    bool stands_before(StatementIndex pc, StatementIndex place) const {
        return pc == place || (is_atomic(pc) && successors_[pc].executes == place);
    }

    std::vector<Remote> const& remotes() const { return remotes_; }
    std::vector<Queue> const& queues() const { return queues_; }
    bool has_atomics() const { return !queues_.empty(); }
    /// By variable: read(X) and write(X).
    std::vector<RemoteIndex> const& read(Variable x) const { return read_[x.index]; }
    std::vector<RemoteIndex> const& write(Variable x) const { return write_[x.index]; }
    /// Whether a statement neither changes what others do nor depends on it. False for flush and for remote statements:
    /// how they are executed, the machine and the reduced program say in different ways.
    bool is_private(StatementKind const& c) const;

private:
    bool is_atomic(StatementIndex i) const {
        return i < program_->statements.size() && std::holds_alternative<Atomic>(program_->statements[i].c);
    }
    void block(StatementIndex first, StatementIndex last, StatementIndex behind, bool inside);
    void add_remotes(ProcessIndex p);
    QueueIndex queue(ProcessIndex p, Variable Y);
    void add_atomic(StatementIndex i, Remote s, std::span<Variable const> operands);

    Program const* program_;
    std::vector<Successors> successors_; // by statement
    std::vector<Remote> remotes_;
    std::vector<Queue> queues_;
    std::vector<std::vector<RemoteIndex>> read_;
    std::vector<std::vector<RemoteIndex>> write_;
};

} // namespace matchpoint::rma
