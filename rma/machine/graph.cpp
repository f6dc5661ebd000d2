#include "rma/machine/graph.hpp"

#include <array>

#include "base/overloaded.hpp"

namespace matchpoint::rma {

Graph::Graph(Program const& program)
    : program_(&program), successors_(program.statements.size()), read_(program.variables.size()),
      write_(program.variables.size()) {
    for (ProcessIndex p = 0; p < program.processes.size(); ++p) {
        Process const& process = program.processes[p];
        block(process.first, process.last, process.last, false);
        // A compound statement comes before its parts, so it knows what follows it before they ask.
        for (StatementIndex i = process.first; i < process.last; ++i) {
            Statement const& s = program.statements[i];
            Successors& here = successors_[i];
            StatementIndex const behind = here.next;
            here.executes = i;
            if (auto const* const c = std::get_if<If>(&s.c)) {
                block(i + 1, c->otherwise, behind, here.inside);
                block(c->otherwise, s.end, behind, here.inside);
                here.next = c->otherwise == i + 1 ? behind : i + 1;
                here.otherwise = c->otherwise == s.end ? behind : c->otherwise;
            } else if (std::holds_alternative<While>(s.c)) {
                block(i + 1, s.end, i, here.inside);
                here.otherwise = behind;
                here.next = s.end == i + 1 ? i : i + 1;
            } else if (std::holds_alternative<Atomic>(s.c)) {
                block(i + 1, s.end, behind, true);
            } else if (auto const* const jump = std::get_if<Goto>(&s.c)) {
                here.next = jump->target;
            } // any other statement: block() has said what follows it
        }
        // Backwards, because an `atomic` takes the successors of its first statement.
        for (StatementIndex i = process.last; i-- > process.first;) {
            bool const empty = program.statements[i].end == i + 1;
            if (!is_atomic(i) || empty) continue;
            successors_[i] = successors_[i + 1];
            successors_[i].inside = false;
        }
        add_remotes(p);
    }
}

/// The statements of a list: each is followed by the next one, the last by what follows the list.
void Graph::block(StatementIndex first, StatementIndex last, StatementIndex behind, bool inside) {
    for (StatementIndex i = first; i < last;) {
        StatementIndex const end = program_->statements[i].end;
        successors_[i].next = end < last ? end : behind;
        successors_[i].inside = inside;
        i = end;
    }
}

QueueIndex Graph::queue(ProcessIndex p, Variable Y) {
    // Those of this process come last, and there are as many as variables that it has atomics on.
    for (std::size_t q = queues_.size(); q-- > 0 && queues_[q].process == p;)
        if (queues_[q].Y == Y) return static_cast<QueueIndex>(q);
    queues_.push_back({p, Y});
    return static_cast<QueueIndex>(queues_.size() - 1);
}

void Graph::add_atomic(StatementIndex i, Remote s, std::span<Variable const> operands) {
    auto const number = static_cast<RemoteIndex>(remotes_.size());
    s.queue = queue(s.process, s.src);
    remotes_.push_back(s);
    successors_[i].remote = number;
    read_[s.src.index].push_back(number);
    for (Variable const x : operands)
        if (read_[x.index].empty() || read_[x.index].back() != number) read_[x.index].push_back(number);
    write_[s.src.index].push_back(number);
    if (s.fetches && !(s.trg == s.src)) write_[s.trg.index].push_back(number);
}

void Graph::add_remotes(ProcessIndex p) {
    Process const& process = program_->processes[p];
    auto const add = [&](StatementIndex i, ProcessIndex to, Variable src, Variable trg) {
        auto const s = static_cast<RemoteIndex>(remotes_.size());
        remotes_.push_back({i, p, to, src, trg});
        read_[src.index].push_back(s);
        write_[trg.index].push_back(s);
        successors_[i].remote = s;
    };
    for (StatementIndex i = process.first; i < process.last; ++i) {
        std::visit(overloaded{
                       [&](Put const& c) { add(i, c.pid, c.X, c.Y); },
                       [&](Get const& c) { add(i, c.pid, c.Y, c.X); },
                       [&](FetchAndOp const& c) {
                           add_atomic(i, {i, p, c.pid, c.Y, c.X}, std::array{c.Z});
                       },
                       [&](CompareAndSwap const& c) {
                           add_atomic(i, {i, p, c.pid, c.Y, c.X}, std::array{c.C, c.Z});
                       },
                       [&](Accumulate const& c) {
                           add_atomic(
                               i, {.statement = i, .process = p, .to = c.pid, .src = c.Y, .trg = c.Y, .fetches = false},
                               std::array{c.Z});
                       },
                       [](Load const&) {},
                       [](Store const&) {},
                       [](Flush const&) {},
                       [](Assign const&) {},
                       [](Choose const&) {},
                       [](Assume const&) {},
                       [](Assert const&) {},
                       [](Skip const&) {},
                       [](If const&) {},
                       [](While const&) {},
                       [](Goto const&) {},
                       [](Atomic const&) {},
                   },
                   program_->statements[i].c);
    }
    // An `atomic` that begins with a remote statement executes it, too.
    for (StatementIndex i = process.first; i < process.last; ++i)
        if (is_atomic(i)) successors_[i].remote = successors_[successors_[i].executes].remote;
}

bool Graph::is_private(StatementKind const& c) const {
    return std::visit(overloaded{
                          [&](Load const& l) { return write(l.X).empty(); },
                          [&](Store const& s) { return read(s.X).empty() && write(s.X).empty(); },
                          [](Put const&) { return false; },
                          [](Get const&) { return false; },
                          [](Flush const&) { return false; },
                          [](Assign const&) { return true; },
                          [](Choose const&) { return true; },
                          [](Assume const&) { return true; },
                          [](Assert const&) { return true; },
                          [](Skip const&) { return true; },
                          [](If const&) { return true; },
                          [](While const&) { return true; },
                          [](Goto const&) { return true; },
                          [](Atomic const&) { return true; },
                          [](FetchAndOp const&) { return false; },
                          [](CompareAndSwap const&) { return false; },
                          [](Accumulate const&) { return false; },
                      },
                      c);
}

} // namespace matchpoint::rma
