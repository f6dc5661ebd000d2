// Drafts as programs, and programs as drafts.

#include <stdexcept>

#include "base/overloaded.hpp"
#include "grammar/add_nodes.hpp"
#include "grammar/parts.hpp"
#include "grammar/static_rules.hpp"
#include "programs/draft.hpp"
#include "programs/locations.hpp"

namespace matchpoint::programs::draft {

namespace {

/// Builds the program of a draft. Names are numbered in the order of the text, as the parser does.
class Indexing {
public:
    Indexing() : rules_(program_, nullptr) {}
    Indexing(Indexing const&) = delete;
    Indexing& operator=(Indexing const&) = delete;

    void shared(SharedVariable const& s) {
        program_.ctp.shared.push_back({rules_.declare_shared({s.x.text, no_offset}), s.v, no_offset, s.is_atomic});
    }
    void communicator(CommunicatorMembers const& c) {
        rules_.declare_communicator({c.comm.text, no_offset});
        program_.ctp.communicators.back().members = c.members;
    }
    void thread(Thread const& thread, std::size_t t, Locations& locations) {
        std::uint32_t const first = command_index();
        for (std::size_t i = 0; i < thread.size(); ++i) {
            rules_.define_location({locations(t, i, thread[i].rho), no_offset});
            command(thread[i].c, static_cast<std::uint32_t>(t));
            if (auto const& at = thread[i].at)
                program_.ctp.commands.back().at = {{program_.symbols.files.intern(at->file)}, at->line};
            if (auto const& choice = thread[i].choice) {
                program_.ctp.commands.back().choice = {static_cast<std::uint32_t>(program_.ctp.choices.size())};
                program_.ctp.choices.push_back(*choice);
            }
        }
        program_.ctp.threads.push_back({first, command_index()});
    }
    void end_of_ctp() { rules_.end_of_ctp(); }

    void trace(Trace const& trace) {
        grammar::Trace& to = program_.traces.emplace_back();
        for (Entry const& entry : trace) {
            for (Movement const& m : entry.m) to.movements.push_back(movement(m));
            if (entry.peek) to.peeks.push_back({static_cast<std::uint32_t>(to.entries.size()), movement(*entry.peek)});
            to.entries.push_back({{program_.symbols.locations.intern(entry.rho)},
                                  static_cast<std::uint32_t>(to.movements.size()),
                                  no_offset});
        }
    }

    /// Names in the order of the text.
    grammar::Movement movement(Movement const& m) {
        grammar::Endpoint const beta = (*this)(m.beta);
        grammar::Endpoint const alpha = (*this)(m.alpha);
        return {beta, alpha, (*this)(m.n)};
    }

    Expected<Program, Diagnostics> take() {
        if (Diagnostics faults = rules_.take_faults(); !faults.empty()) return Unexpected{std::move(faults)};
        grammar::name_tag_0(program_.symbols);
        return std::move(program_);
    }

    // The parts of commands.
    grammar::Action operator()(Action const& a) { return rules_.action(a.text); }
    grammar::Variable operator()(Variable const& x) { return {program_.symbols.variables.intern(x.text)}; }
    grammar::Endpoint operator()(Endpoint const& e) { return {program_.symbols.endpoints.intern(e.text)}; }
    grammar::Location operator()(NoLocation) const { return {}; }
    grammar::Tag operator()(Tag const& n) {
        return n.text.empty() ? grammar::Tag{} : grammar::Tag{program_.symbols.tags.intern(n.text)};
    }
    grammar::Communicator operator()(Communicator const& c) { return {program_.symbols.communicators.intern(c.text)}; }
    CallId operator()(CollectiveCall const& call) {
        program_.ctp.calls.push_back(call);
        return {static_cast<std::uint32_t>(program_.ctp.calls.size()) - 1};
    }
    grammar::Barrier operator()(Barrier const& b) { return {program_.symbols.barriers.intern(b.text)}; }
    Mode operator()(Mode mode) const { return mode; }
    SelectorsId operator()(Selectors const& sel) {
        if (sel == Selectors()) return {};
        program_.ctp.selectors.push_back(selectors_with<Indices>(sel, *this));
        return {static_cast<std::uint32_t>(program_.ctp.selectors.size()) - 1};
    }
    AssignmentRange operator()(std::vector<Assignment> const& assigned) {
        auto const count = [&] { return static_cast<std::uint32_t>(program_.ctp.assignments.size()); };
        AssignmentRange result{count(), count()};
        for (auto const& [x, e] : assigned) {
            grammar::Variable const variable = (*this)(x);
            rules_.assigned(variable, command_index(), {x.text, no_offset});
            program_.ctp.assignments.push_back({variable, (*this)(e)});
        }
        result.last = count();
        return result;
    }
    bool operator()(bool blocks) const { return blocks; }
    grammar::Expression operator()(Expression const& e) {
        find_first_nodes(e, first_);
        std::uint32_t const begin = node_count(program_.ctp);
        for (std::uint32_t i = 0; i < e.nodes.size(); ++i)
            std::visit(overloaded{
                           [&](Value const& v) { add_value(program_.ctp, v); },
                           [&](Variable const& x) { add_variable(program_.ctp, (*this)(x)); },
                           [&](Op op) { add_operation(program_.ctp, op, begin + first_[i]); },
                       },
                       e.nodes[i]);
        return {begin, e.root() + 1};
    }

private:
    std::uint32_t command_index() const { return static_cast<std::uint32_t>(program_.ctp.commands.size()); }

    void command(Command const& c, std::uint32_t thread) {
        grammar::Command const to = mapped<Indices>(c, *this);
        std::uint32_t const index = command_index();
        std::visit(overloaded{
                       [](Assume const&) {},
                       [](Assert const&) {},
                       [](Assign const&) {},
                       [&](Sndi const& k) { rules_.issued(k.a, index, no_offset); },
                       [&](Rcvi const& k) { rules_.issued(k.a, index, no_offset); },
                       [&](Probe const& k) { rules_.issued(k.a, index, no_offset); },
                       [&](Start const& k) { rules_.awaited(k.a, no_offset, "start"); },
                       [&](Wait const& k) { rules_.awaited(k.a, no_offset); },
                       [&](Meet const& k) { rules_.meets(k.b, thread, no_offset); },
                       [&](Collective const& k) { rules_.issued(k.a, index, no_offset); },
                       [](Guarded const&) {},
                   },
                   to);
        program_.ctp.commands.push_back({to, no_offset});
    }

    Program program_;
    StaticRules rules_;
    std::vector<std::uint32_t> first_; // of the expression that is being added
};

/// The names and expressions of a program.
class Naming {
public:
    explicit Naming(Program const& program) : p_(program) {}

    Action operator()(grammar::Action a) const { return Action(p_.symbols(a)); }
    Variable operator()(grammar::Variable x) const { return Variable(p_.symbols(x)); }
    Endpoint operator()(grammar::Endpoint e) const { return Endpoint(p_.symbols(e)); }
    NoLocation operator()(Location) const { return {}; }
    Tag operator()(grammar::Tag n) const { return n.is_none() ? Tag() : Tag(p_.symbols(n)); }
    Communicator operator()(grammar::Communicator c) const { return Communicator(p_.symbols(c)); }
    CollectiveCall operator()(CallId call) const { return p_.ctp.calls[call.index]; }
    Barrier operator()(grammar::Barrier b) const { return Barrier(p_.symbols(b)); }
    Mode operator()(Mode mode) const { return mode; }
    bool operator()(bool blocks) const { return blocks; }
    std::vector<Assignment> operator()(AssignmentRange assigned) const {
        std::vector<Assignment> result;
        for (std::uint32_t i = assigned.first; i < assigned.last; ++i) {
            auto const& [x, e] = p_.ctp.assignments[i];
            result.push_back({(*this)(x), (*this)(e)});
        }
        return result;
    }
    Selectors operator()(SelectorsId sel) const {
        return sel.is_none() ? Selectors() : selectors_with<Text>(p_.ctp.selectors[sel.index], *this);
    }
    Expression operator()(grammar::Expression e) const {
        Expression to;
        for (grammar::Node const& node : std::span(p_.ctp.nodes).subspan(e.first, e.size)) switch (node.kind) {
            case grammar::Node::Kind::value: to.nodes.emplace_back(p_.ctp.values[node.payload]); break;
            case grammar::Node::Kind::variable: to.nodes.emplace_back((*this)(grammar::Variable{node.payload})); break;
            case grammar::Node::Kind::operation: to.nodes.emplace_back(node.op); break;
            }
        return to;
    }

private:
    Program const& p_;
};

Trace trace_of(Program const& program, grammar::Trace const& trace, Naming const& named) {
    Trace entries;
    for (std::size_t i = 0; i < trace.entries.size(); ++i) {
        Entry& entry = entries.emplace_back();
        entry.rho = program.symbols(trace.entries[i].rho);
        auto const movement = [&](grammar::Movement const& m) {
            return Movement{named(m.beta), named(m.alpha), named(m.n)};
        };
        for (grammar::Movement const& m : trace.m(i)) entry.m.push_back(movement(m));
        if (auto const* const peek = trace.peek_at(i)) entry.peek = movement(peek->m);
    }
    return entries;
}

std::optional<Origin> origin_of(Program const& program, std::uint32_t command) {
    grammar::Origin const at = program.ctp.commands[command].at;
    if (at.file.is_none()) return std::nullopt;
    return Origin{std::string(program.symbols(at.file)), at.line};
}

} // namespace

Expected<Program, Diagnostics> program_of(Draft const& draft) {
    Indexing indexing;
    Locations locations(draft);
    for (SharedVariable const& s : draft.shared) indexing.shared(s);
    for (CommunicatorMembers const& c : draft.communicators) indexing.communicator(c);
    for (std::size_t t = 0; t < draft.threads.size(); ++t) indexing.thread(draft.threads[t], t, locations);
    indexing.end_of_ctp();
    for (Trace const& trace : draft.traces) indexing.trace(trace);
    return indexing.take();
}

Program valid_program_of(Draft const& draft) {
    auto program = program_of(draft);
    if (program) return std::move(program).value();
    Diagnostic const& fault = program.error().front();
    throw std::logic_error("a draft breaks rule " + std::string(fault.rule) + ": " + fault.message + "\n" +
                           print(draft));
}

Draft draft_of(Program const& program) {
    Naming const named(program);
    Draft draft;
    for (grammar::SharedVariable const& s : program.ctp.shared) draft.shared.push_back({named(s.x), s.v, s.is_atomic});
    for (grammar::CommunicatorMembers const& c : program.ctp.communicators)
        draft.communicators.push_back({named(c.comm), c.members});
    for (grammar::Thread const& t : program.ctp.threads) {
        Thread& thread = draft.threads.emplace_back();
        for (std::uint32_t i = t.first; i < t.last; ++i) {
            thread.emplace_back(mapped<Text>(program.ctp.commands[i].c, named),
                                std::string(program.symbols(Location{i})), origin_of(program, i));
            if (auto const* const choice = program.ctp.choice(program.ctp.commands[i])) thread.back().choice = *choice;
        }
    }
    for (grammar::Trace const& trace : program.traces) draft.traces.push_back(trace_of(program, trace, named));
    return draft;
}

} // namespace matchpoint::programs::draft
