// A program that is made of the commands of another one and of some more, thread by thread.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "grammar/add_nodes.hpp"
#include "grammar/operators.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::check {

/// The base class of a program that asks something of another one. It begins without threads, and with the names and
/// expressions of the other one.
class RebuiltProgram {
public:
    RebuiltProgram(RebuiltProgram const&) = delete;
    RebuiltProgram& operator=(RebuiltProgram const&) = delete;

    MessageIndex const& messages() const { return *messages_; }

protected:
    explicit RebuiltProgram(Program const& from) {
        program_.symbols = from.symbols;
        program_.symbols.locations = {};
        program_.ctp.shared = from.ctp.shared;
        program_.ctp.communicators = from.ctp.communicators;
        program_.ctp.nodes = from.ctp.nodes;
        program_.ctp.values = from.ctp.values;
        program_.ctp.selectors = from.ctp.selectors;
        program_.ctp.assignments = from.ctp.assignments;
        program_.ctp.calls = from.ctp.calls;
        program_.ctp.issued_by.resize(from.ctp.issued_by.size());
    }
    ~RebuiltProgram() = default;

    std::uint32_t size() const { return static_cast<std::uint32_t>(program_.ctp.commands.size()); }
    /// The location has a name of its own.
    void add(Command c, std::string_view location) {
        if (auto* const sndi = std::get_if<Sndi>(&c)) {
            sndi->rho = {};
            program_.ctp.issued_by[sndi->a.index] = size();
        } else if (auto* const rcvi = std::get_if<Rcvi>(&c)) {
            rcvi->rho = {};
            program_.ctp.issued_by[rcvi->a.index] = size();
        } else if (auto* const probe = std::get_if<Probe>(&c)) {
            program_.ctp.issued_by[probe->a.index] = size();
        } else if (auto* const collective = std::get_if<Collective>(&c)) {
            program_.ctp.issued_by[collective->a.index] = size();
        }
        program_.symbols.locations.intern(location);
        program_.ctp.commands.push_back({c});
    }
    /// What is true wherever the expression has a value.
    Expression or_true(Expression e) {
        auto& nodes = program_.ctp.nodes;
        std::uint32_t const first = node_count(program_.ctp);
        bool const has_value =
            std::none_of(nodes.begin() + e.first, nodes.begin() + e.first + e.size,
                         [](Node const& n) { return n.kind == Node::Kind::operation && divides(n.op); });
        if (!has_value)
            for (std::uint32_t n = e.first; n <= e.root(); ++n) nodes.push_back(Node(nodes[n]));
        add_value(program_.ctp, Value::boolean(true));
        if (!has_value) add_operation(program_.ctp, Op::or_, first);
        return expression_since(program_.ctp, first);
    }

    /// What was added since the last thread is one.
    void end_thread() {
        auto const& threads = program_.ctp.threads;
        program_.ctp.threads.push_back({threads.empty() ? 0 : threads.back().last, size()});
    }
    /// All threads were added.
    void finish() {
        code_.emplace(program_);
        messages_.emplace(*code_);
    }

    Program program_;
    std::optional<IndexedProgram> code_;
    std::optional<MessageIndex> messages_;
};

} // namespace matchpoint::check
