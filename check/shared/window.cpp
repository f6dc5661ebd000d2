#include "check/shared/window.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "executions/shared/raced_variables.hpp"
#include "grammar/add_nodes.hpp"
#include "grammar/synchronisation.hpp"

namespace matchpoint::check {

namespace {

/// Calls f with each variable that a command assigns to.
template <typename F>
void for_each_assigned(Ctp const& ctp, Command const& c, F f) {
    if (Assign const* const assign = std::get_if<Assign>(&c)) f(assign->x);
    if (Guarded const* const guarded = std::get_if<Guarded>(&c))
        for (Assignment const& assignment : ctp.assigned(*guarded)) f(assignment.x);
}

} // namespace

bool has_windows(MessageIndex const& messages) {
    IndexedProgram const& code = messages.code();
    return code.shares() && code.has_plain_messages() && messages.sends().empty() && messages.receives().empty();
}

std::vector<std::size_t> window_starts(MessageIndex const& messages, std::span<Location const> run, std::size_t size) {
    IndexedProgram const& code = messages.code();
    grammar::Locks const locks(code.ctp(), code.names().variables.size());
    std::vector<std::int64_t> held(run.size() + 1); // before each event
    for (std::size_t i = 0; i < run.size(); ++i) {
        held[i + 1] = held[i];
        for (grammar::Locks::Use const& use : locks.uses(run[i])) held[i + 1] += use.takes ? 1 : -1;
    }
    auto const is_between_turns = [&](std::size_t i) { return code.thread_of(run[i]) != code.thread_of(run[i - 1]); };
    std::size_t const most = std::max<std::size_t>(1, size / 2); // from a start to the next one
    std::vector<std::size_t> result{0};
    while (run.size() - result.back() > size) {
        std::size_t best = result.back() + most;
        for (std::size_t i = best; i-- > result.back() + std::max<std::size_t>(1, most / 2);)
            if (std::pair(held[i], !is_between_turns(i)) < std::pair(held[best], !is_between_turns(best))) best = i;
        spend(most);
        result.push_back(best);
    }
    return result;
}

WindowTables::WindowTables(MessageIndex const& messages)
    : messages_(messages), is_shared_(messages.code().names().variables.size()),
      is_raced_(executions::raced_variables(messages)), number_(is_shared_.size(), none) {
    for (SharedVariable const& s : messages.code().ctp().shared) is_shared_[s.x.index] = true;
}

Window::Window(WindowTables& tables, State const& at, std::span<std::uint32_t const> commands) {
    IndexedProgram const& code = tables.messages_.code();
    Ctp const& from = code.ctp();
    program_.ctp.has_guarded_divisors = from.has_guarded_divisors;
    auto const end = [&](std::uint32_t t) {
        return at.ctp[t] + std::min(commands[t], from.threads[t].last - at.ctp[t]);
    };
    for (std::uint32_t t = 0; t < from.threads.size(); ++t)
        for (std::uint32_t i = at.ctp[t]; i < end(t); ++i)
            for_each_assigned(from, from.commands[i].c, [&](Variable x) {
                if (tables.is_shared_[x.index]) declare(tables, at, x);
            });
    for (std::uint32_t t = 0; t < from.threads.size(); ++t) {
        auto const first = static_cast<std::uint32_t>(original_.size());
        for (std::uint32_t i = at.ctp[t]; i < end(t); ++i) {
            spend(8);
            program_.symbols.locations.intern(code.names()(Location{i}));
            original_.push_back({i});
            add(tables, at, from.commands[i].c);
        }
        if (original_.size() > first)
            program_.ctp.threads.push_back({first, static_cast<std::uint32_t>(original_.size())});
    }
    for (Variable const x : variables_) tables.number_[x.index] = WindowTables::none;
    code_.emplace(program_);
    messages_.emplace(*code_);
}

Variable Window::number(WindowTables& tables, Variable x) {
    std::uint32_t& n = tables.number_[x.index];
    if (n == WindowTables::none) {
        n = program_.symbols.variables.intern(tables.messages_.code().names()(x));
        variables_.push_back(x);
    }
    return {n};
}

void Window::declare(WindowTables& tables, State const& at, Variable x) {
    if (tables.number_[x.index] != WindowTables::none) return;
    // What is for synchronisation in the whole program need not look like that in the window.
    program_.ctp.shared.push_back({number(tables, x), at.h[x.index], no_offset, !tables.is_raced_[x.index]});
}

Expression Window::copied(WindowTables& tables, State const& at, Expression e) {
    Ctp const& from = tables.messages_.code().ctp();
    std::uint32_t const first = node_count(program_.ctp);
    for (std::uint32_t n = e.first; n <= e.root(); ++n) {
        Node const& node = from.nodes[n];
        switch (node.kind) {
        case Node::Kind::value: add_value(program_.ctp, from.values[node.payload]); break;
        case Node::Kind::operation: program_.ctp.nodes.push_back(node); break;
        case Node::Kind::variable: {
            Variable const x{node.payload};
            bool const is_constant = tables.number_[x.index] == WindowTables::none && !at.h[x.index].is_bot();
            if (is_constant)
                add_value(program_.ctp, at.h[x.index]);
            else
                add_variable(program_.ctp, number(tables, x));
            break;
        }
        }
    }
    spend(e.size);
    return expression_since(program_.ctp, first);
}

void Window::add(WindowTables& tables, State const& at, Command const& c) {
    auto const copy = [&](Expression e) { return copied(tables, at, e); };
    auto const added = [&](auto command) { program_.ctp.commands.push_back({Command(command)}); };
    auto const unknown = [](auto const&) { throw std::logic_error("Window: a program with messages has none"); };
    std::visit(overloaded{
                   [&](Assume const& k) { added(Assume{copy(k.e)}); },
                   [&](Assert const& k) { added(Assert{copy(k.e)}); },
                   [&](Assign const& k) {
                       Expression const e = copy(k.e);
                       added(Assign{number(tables, k.x), e});
                   },
                   [&](Guarded const& k) {
                       // Its variables have their new values only after it.
                       Ctp const& from = tables.messages_.code().ctp();
                       Guarded result{copy(k.e), {}, k.blocks};
                       std::vector<Expression> values;
                       for (Assignment const& a : from.assigned(k)) values.push_back(copy(a.e));
                       auto& assignments = program_.ctp.assignments;
                       result.assigned.first = static_cast<std::uint32_t>(assignments.size());
                       for (std::size_t i = 0; i < values.size(); ++i)
                           assignments.push_back({number(tables, from.assigned(k)[i].x), values[i]});
                       result.assigned.last = static_cast<std::uint32_t>(assignments.size());
                       added(result);
                   },
                   [&](Sndi const& k) { unknown(k); },
                   [&](Rcvi const& k) { unknown(k); },
                   [&](Wait const& k) { unknown(k); },
                   [&](Meet const& k) { unknown(k); },
                   [&](Probe const& k) { unknown(k); },
                   [&](Start const& k) { unknown(k); },
                   [&](Collective const& k) { unknown(k); },
               },
               c);
}

void Window::append_raised(Schedule const& schedule, Schedule& to) const {
    for (std::size_t i = 0; i < schedule.size(); ++i) to.step(original(schedule.entry(i).rho));
}

} // namespace matchpoint::check
