// Section 6 of Symbolic Predictive Analysis as printed: the constrained model CM_rho of one trace, Figure 6.
//
// "An event is in one of the following forms: a concurrency synchronization/communication primitive; reading value val
// from a shared variable; writing value val to a shared variable; an assertion event. All the semaphore events remain
// symbolic, whereas the rest are underapproximated into concrete values."

#include <algorithm>

#include <fmt/format.h>

#include "encode/literal_encoders.hpp"
#include "grammar/add_nodes.hpp"
#include "grammar/discipline.hpp"
#include "grammar/operators.hpp"
#include "grammar/synchronisation.hpp"
#include "machine/machine.hpp"

namespace matchpoint::encode {

namespace {

/// The shared variables of a command that is no message.
struct SharedUse {
    std::vector<Variable> reads; // each once
    std::vector<Variable> writes;
};

class ConstrainedModel {
public:
    explicit ConstrainedModel(IndexedProgram const& code)
        : code_(code), from_(code.ctp()), is_shared_(code.names().variables.size()),
          synchronises_(synchronisation_variables(from_, is_shared_.size())), kept_(from_.threads.size()) {
        for (SharedVariable const& s : from_.shared) is_shared_[s.x.index] = true;
    }

    /// The events of the trace in the forms of Section 6; or why one has none.
    Expected<std::vector<ConcreteEvent>, std::string> events(Schedule const& trace) const {
        std::vector<ConcreteEvent> result;
        Machine machine(code_, Buffering::infinite);
        for (std::size_t i = 0; i < trace.size(); ++i) {
            Location const rho = trace.entry(i).rho;
            spend(16);
            if (machine.apply(Execute{rho}).is_stuck() || machine.state().s >= Status::infeasible)
                return Unexpected{fmt::format("entry {} of the trace cannot be executed on the recorded path", i)};
            auto event = event_of(rho, machine.state());
            if (!event)
                return Unexpected{fmt::format(
                    "{} has none of the forms of Section 6: it accesses several shared variables, or reads and writes",
                    printable(code_.names()(rho)))};
            result.push_back(std::move(*event));
        }
        return result;
    }

    Expected<Program, std::string> of(std::vector<ConcreteEvent> const& events) {
        for (ConcreteEvent const& e : events) {
            spend(16);
            kept_[code_.thread_of(e.rho)].push_back({e.rho, command(e)});
        }
        Program result = program();
        if (Diagnostics const faults = check_discipline(result); !faults.empty())
            return Unexpected{
                std::string("Section 6 leaves out the definition of a local variable that the trace uses")};
        return result;
    }

private:
    struct Kept {
        Location rho;
        Command command;
    };

    SharedUse use_of(Command const& c) const {
        SharedUse result;
        auto const add = [&](std::vector<Variable>& to, Variable x) {
            if (is_shared_[x.index] && std::find(to.begin(), to.end(), x) == to.end()) to.push_back(x);
        };
        for_each_expression(from_, c, [&](Expression e) {
            for (Node const& n : std::span(from_.nodes).subspan(e.first, e.size))
                if (n.kind == Node::Kind::variable) add(result.reads, {n.payload});
        });
        if (auto const* const assign = std::get_if<Assign>(&c)) add(result.writes, assign->x);
        if (auto const* const guarded = as_guarded(c))
            for (auto const& [x, e] : from_.assigned(*guarded)) add(result.writes, x);
        return result;
    }

    bool is_primitive(SharedUse const& use) const {
        auto const synchronise = [&](std::vector<Variable> const& all) {
            return std::all_of(all.begin(), all.end(), [&](Variable x) { return synchronises_[x.index]; });
        };
        return synchronise(use.reads) && synchronise(use.writes) && (!use.reads.empty() || !use.writes.empty());
    }

    /// What a command is that has been executed; none if Section 6 does not say.
    std::optional<ConcreteEvent> event_of(Location rho, State const& after) const {
        using enum ConcreteEvent::Form;
        SharedUse const use = use_of(code_.command_at(rho));
        if (std::holds_alternative<Assert>(code_.command_at(rho))) return ConcreteEvent{assertion, rho};
        if (is_primitive(use)) return ConcreteEvent{primitive, rho};
        if (use.reads.empty() && use.writes.empty()) return ConcreteEvent{nothing, rho}; // t9: a nop
        if (use.reads.size() + use.writes.size() > 1) return std::nullopt;
        Variable const x = use.writes.empty() ? use.reads[0] : use.writes[0];
        return ConcreteEvent{use.writes.empty() ? read : write, rho, x, after.h[x.index]};
    }

    /// What the event becomes in the model.
    Command command(ConcreteEvent const& e) {
        switch (e.form) {
        case ConcreteEvent::Form::nothing: return Assume{added_value(tree_, Value::boolean(true))};
        case ConcreteEvent::Form::read: return Assume{added_operation(tree_, Op::equal, e.x, e.v)}; // t1: assume(x = 0)
        case ConcreteEvent::Form::write: return Assign{e.x, added_value(tree_, e.v)};               // t3': x := 1
        case ConcreteEvent::Form::primitive:
        case ConcreteEvent::Form::assertion: break;
        }
        return code_.command_at(e.rho);
    }

    Program program() {
        Program result;
        result.symbols.variables = code_.names().variables;
        result.ctp.shared = from_.shared;
        result.ctp.assignments = from_.assignments;
        for (std::vector<Kept> const& thread : kept_) {
            auto const first = static_cast<std::uint32_t>(result.ctp.commands.size());
            for (Kept const& kept : thread) {
                result.symbols.locations.intern(code_.names()(kept.rho));
                result.ctp.commands.push_back({kept.command});
            }
            result.ctp.threads.push_back({first, static_cast<std::uint32_t>(result.ctp.commands.size())});
        }
        result.ctp.nodes = std::move(tree_.nodes);
        result.ctp.values = std::move(tree_.values);
        return result;
    }

    IndexedProgram const& code_;
    Ctp const& from_;
    std::vector<bool> is_shared_; // variable
    std::vector<bool> synchronises_;
    std::vector<std::vector<Kept>> kept_; // thread -> its events
    // The expressions of the program, and after them new ones.
    struct {
        std::vector<Node> nodes;
        std::vector<Value> values;
    } tree_ = {from_.nodes, from_.values};
};

} // namespace

Expected<std::string, std::string> encode_fusion_mcm(IndexedProgram const& code, Schedule const& trace,
                                                     EncoderOptions const& options) {
    auto const reduced = constrained_model(code, trace);
    if (!reduced) return Unexpected{reduced.error()};
    IndexedProgram const reduced_code(*reduced);
    MessageIndex const messages(reduced_code);
    return encode_fusion(messages, options);
}

Expected<std::vector<ConcreteEvent>, std::string> concrete_events(IndexedProgram const& code, Schedule const& trace) {
    return ConstrainedModel(code).events(trace);
}

Expected<Program, std::string> constrained_model(IndexedProgram const& code, Schedule const& trace) {
    ConstrainedModel model(code);
    auto const events = model.events(trace);
    if (!events) return Unexpected{events.error()};
    return model.of(*events);
}

} // namespace matchpoint::encode
