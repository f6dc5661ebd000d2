// Programs in the trace language for unit tests: parsed, run entry by entry, and what came of it written down in the
// paper's notation, so that a test compares a whole state, a whole event or a whole message.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/overloaded.hpp"
#include "explain/words.hpp"
#include "grammar/fold.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"
#include "machine/machine.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {

/// The program of a text; the messages are thrown if it has none.
inline Program parsed(Source const& source, ParseOptions const& options = {}) {
    auto result = parse(source, options);
    if (!result) throw std::invalid_argument(render(result.error(), source));
    return std::move(result).value();
}

/// The messages for a text, empty if it is a program.
inline std::string messages(std::string text) {
    Source const source("test.ctp", std::move(text));
    auto const result = parse(source);
    return result ? "" : render(result.error(), source);
}
/// The same, from a line of its own on.
inline std::string told(std::string text) { return "\n" + messages(std::move(text)); }

/// The name's number, which the program has to know.
template <typename Kind>
Kind number(Names const& names, std::string_view name) {
    auto const index = names.find(name);
    if (!index) throw std::invalid_argument("the program has no " + std::string(name));
    return Kind{*index};
}

/// h(x) = 4; A(R) = 0; Pnd_s(0)(1) = [S 4]; Pnd_r(0) = [R x]; Q_s(0) = [S bot]; ctp = (02 bot); trace = 1; s = success.
/// What is empty is left out.
inline std::string text_of(IndexedProgram const& code, State const& state) {
    Symbols const& name = code.names();
    std::string text;
    auto const part = [&](std::string const& what, std::string const& value) { text += what + " = " + value + "; "; };
    for (std::uint32_t x = 0; x < state.h.size(); ++x)
        if (!state.h[x].is_bot()) part("h(" + std::string(name(Variable{x})) + ")", state.h[x].to_string());
    for (std::uint32_t a = 0; a < state.A.size(); ++a)
        if (!state.A[a].is_none()) part("A(" + std::string(name(Action{a})) + ")", std::string(name(state.A[a])));
    auto const entry = [](std::string& queue, std::string_view first, std::string_view second) {
        queue += (queue.empty() ? "[" : " [") + std::string(first) + " " + std::string(second) + "]";
    };
    for (std::uint32_t c = 0; c < code.channels().size(); ++c) {
        std::string queue;
        for (auto const& p : Pnd_s(code, state, Channel{c})) entry(queue, name(p.a), p.v.to_string());
        auto const& info = code[Channel{c}];
        if (!queue.empty())
            part("Pnd_s(" + std::string(name(info.beta)) + ")(" + std::string(name(info.alpha)) + ")", queue);
    }
    for (std::uint32_t e = 0; e < code.endpoints().size(); ++e) {
        Endpoint const beta{e};
        std::string receives;
        for (auto const& p : Pnd_r(code, state, beta)) // "-": of an mprobe that has not started
            entry(receives, name(p.a), p.x.is_none() ? "-" : name(p.x));
        if (!receives.empty()) part("Pnd_r(" + std::string(name(beta)) + ")", receives);
        std::string delivered;
        for (auto const& d : Q_s(code, state, beta))
            entry(delivered, name(d.a), d.mark == DeliveredSend::Mark::marked ? "bot" : d.v.to_string());
        if (!delivered.empty()) part("Q_s(" + std::string(name(beta)) + ")", delivered);
    }
    std::string next;
    for (std::size_t t = 0; t < state.ctp.size(); ++t) {
        bool const finished = state.ctp[t] == code.ctp().threads[t].last;
        next += (t == 0 ? "" : " ") + (finished ? "bot" : std::string(name(Location{state.ctp[t]})));
    }
    part("ctp", "(" + next + ")");
    part("trace", std::to_string(state.trace));
    return text + "s = " + std::string(to_string(state.s));
}

/// RcviCommand R 0 x, and so on: an event's kind and all that it tells.
inline std::string text_of(IndexedProgram const& code, Event const& event) {
    auto const name = [&](auto id) { return std::string(code.names()(id)); };
    auto const e_of = [&](Expression e) { return print(code.program(), e); };
    auto const node = [&](std::uint32_t n) { return e_of(expression_at(code.ctp(), n)); };
    auto const to = [](Status before, Status after) {
        return std::string(to_string(before)) + " -> " + std::string(to_string(after));
    };
    auto const channel = [&](Channel c) { return "(" + name(code[c].beta) + " " + name(code[c].alpha) + ")"; };
    return std::visit(
        overloaded{
            [&](event::EntryTaken const& e) {
                return "EntryTaken " + std::to_string(e.entry) + " " + name(e.rho) + " thread " +
                       std::to_string(e.thread);
            },
            [&](event::QueueMovement const& e) {
                return "QueueMovement " + channel(e.channel) + " [" + name(e.a_s) + " " + e.v.to_string() + "]";
            },
            [&](event::VariableLookup const& e) { return "VariableLookup " + name(e.x) + " = " + e.v.to_string(); },
            [&](event::LeftOperand const& e) { return "LeftOperand " + node(e.node); },
            [&](event::RightOperand const& e) {
                return "RightOperand " + node(e.node) + " v_l = " + e.v_l.to_string();
            },
            [&](event::BinaryOperation const& e) {
                return "BinaryOperation " + node(e.node) + " op(" + e.v_l.to_string() + ", " + e.v_r.to_string() +
                       ") = " + e.v.to_string();
            },
            [&](event::NotOperand const& e) { return "NotOperand " + node(e.node); },
            [&](event::IteCondition const& e) { return "IteCondition " + node(e.node); },
            [&](event::IteOperand const& e) {
                return "IteOperand " + node(e.node) + " v = " + e.v.to_string() + " k = " + std::to_string(e.k);
            },
            [&](event::NotOperation const& e) {
                return "NotOperation " + node(e.node) + " not(" + e.operand.to_string() + ") = " + e.v.to_string();
            },
            [&](event::AssumeExpressionsEvaluation const& e) { return "AssumeExpressionsEvaluation " + e_of(e.e); },
            [&](event::AssumeCommand const& e) {
                return "AssumeCommand " + e_of(e.e) + " v = " + e.v.to_string() + " s = " + to(e.before, e.after);
            },
            [&](event::AssertExpressionsEvaluation const& e) { return "AssertExpressionsEvaluation " + e_of(e.e); },
            [&](event::AssertCommand const& e) {
                return "AssertCommand " + e_of(e.e) + " v = " + e.v.to_string() + " s = " + to(e.before, e.after);
            },
            [&](event::AssignExpressionsEvaluation const& e) {
                return "AssignExpressionsEvaluation " + name(e.x) + " := " + e_of(e.e);
            },
            [&](event::AssignCommand const& e) {
                return "AssignCommand " + name(e.x) + " := " + e_of(e.e) + " h = " + e.before.to_string() + " -> " +
                       e.v.to_string();
            },
            [&](event::SndiExpressionEvaluation const& e) {
                return "SndiExpressionEvaluation " + name(e.a) + " " + e_of(e.e);
            },
            [&](event::SndiCommand const& e) {
                return "SndiCommand " + name(e.a) + " " + channel(e.channel) + " " + e_of(e.e) +
                       " v = " + e.v.to_string();
            },
            [&](event::RcviCommand const& e) {
                return "RcviCommand " + name(e.a) + " " + name(e.beta) + " " + name(e.x);
            },
            [&](event::BarrierCommand const& e) { return "BarrierCommand " + name(e.b); },
            [&](event::ProbeCommand const& e) {
                std::string text = std::string(e.matches ? "MprobeCommand " : "ProbeCommand ") + name(e.a) + " " +
                                   name(e.beta) + " sees " + name(e.a_s) + " v = " + e.v.to_string();
                for (auto const& [y, before, v] : e.selected)
                    text += ", " + name(y) + " = " + before.to_string() + " -> " + v.to_string();
                return text;
            },
            [&](event::StartCommand const& e) {
                return "StartCommand " + name(e.a) + " " + name(e.beta) + " " + name(e.x) + " gets " + name(e.a_s);
            },
            [&](event::CollectiveStep const& e) { return "CollectiveStep " + name(e.a); },
            [&](event::GuardEvaluation const& e) {
                return std::string("GuardEvaluation ") + (e.blocks ? "when " : "assume ") + e_of(e.guard);
            },
            [&](event::RightHandSideEvaluation const& e) {
                return "RightHandSideEvaluation " + name(e.x) + " := " + e_of(e.e);
            },
            [&](event::GuardedAssignment const& e) {
                std::string text = std::string("GuardedAssignment ") + (e.blocks ? "when " : "assume ") +
                                   e_of(e.guard) + " v = " + e.v.to_string() + " s = " + to(e.before, e.after);
                for (event::Assigned const& a : e.assigned)
                    text += " {" + name(a.x) + " := " + e_of(a.e) + ", h = " + a.before.to_string() + " -> " +
                            a.v.to_string() + "}";
                return text;
            },
            [&](event::WaitSndiCommand const& e) { return "WaitSndiCommand " + name(e.a_s); },
            [&](event::WaitRcviCommand const& e) {
                std::string text = "WaitRcviCommand " + name(e.a_r) + " " + name(e.a_s) + " " + name(e.beta);
                for (event::Completion const& c : e.completions) {
                    text += " {" + name(c.a_r) + " gets " + name(c.a_s) + ", " + name(c.x) + " = " +
                            c.before.to_string() + " -> " + c.v.to_string();
                    for (auto const& [y, before, v] : c.selected)
                        text += ", " + name(y) + " = " + before.to_string() + " -> " + v.to_string();
                    text += "}";
                }
                return text;
            },
            [&](event::MachineStep const& e) {
                return "MachineStep " + std::to_string(e.entry) + " " + name(e.rho) + " thread " +
                       std::to_string(e.thread);
            },
            [&](event::MovementsTakenBack const& e) {
                std::string text = "MovementsTakenBack";
                for (Channel const c : e.m) text += " " + channel(c);
                return text;
            },
            [&](event::StuckAt const& e) {
                return "StuckAt " + std::to_string(e.entry) + " " + (e.rho ? name(*e.rho) : "end") + " " +
                       std::string(to_string(e.stuck.rule)) + ": " + std::string(to_string(e.stuck.reason)) +
                       " before = " + std::string(to_string(e.before));
            },
        },
        event);
}

using Lines = std::vector<std::string>;

/// Notes every event, and the state that came with it.
class Recorder final : public Observer {
public:
    explicit Recorder(IndexedProgram const& code) : code_(&code) {}

    void on(State const& state, Event const& event) override {
        events.push_back(text_of(*code_, event));
        rules.push_back(rule_of(event));
        states.push_back(text_of(*code_, state));
    }
    void clear() {
        events.clear();
        rules.clear();
        states.clear();
    }

    Lines events;
    std::vector<std::optional<Rule>> rules;
    Lines states;

private:
    IndexedProgram const* code_;
};

/// A program with its traces, and a machine that runs them with a recorder listening.
class Bench {
public:
    explicit Bench(std::string text, Buffering buffering = Buffering::infinite)
        : source("test.ctp", std::move(text)), program(parsed(source)), code(program), machine(code, buffering),
          recorder(code) {
        machine.observe(recorder);
    }

    /// The next entry of a trace.
    Step step(std::size_t trace = 0) { return machine.step(code.entry(trace, machine.state().trace)); }
    /// The next `count` entries, which have to reduce.
    void steps(std::size_t count, std::size_t trace = 0) {
        for (std::size_t i = 0; i < count; ++i)
            if (Step const s = step(trace); s.is_stuck()) throw std::runtime_error(why(s));
    }
    /// The next entry's events.
    Lines events_of_step(std::size_t trace = 0) {
        recorder.clear();
        Step const ignored = step(trace);
        return recorder.events;
    }
    Outcome run(std::size_t trace = 0) { return matchpoint::run(machine, trace); }

    std::string state() const { return text_of(code, machine.state()); }
    std::string text(Stuck const& stuck) const {
        return std::string(to_string(stuck.rule)) + ": " + std::string(to_string(stuck.reason)) + ": " +
               in_words(code, machine.state(), stuck.reason);
    }
    /// RULE: label: explanation
    std::string why(Step const& step) const { return step.is_stuck() ? text(step.why()) : "reduced"; }
    /// Status, steps, and where and why it ended in error.
    std::string text(Outcome const& outcome) const {
        std::string result = std::string(to_string(outcome.s)) + " after " + std::to_string(outcome.steps);
        if (!outcome.error) return result;
        RunError const& e = *outcome.error;
        return result + ", entry " + std::to_string(e.entry) + " at " +
               (e.rho ? std::string(program.symbols(*e.rho)) : "end") + ", " + text(e.stuck);
    }
    /// "R = S" for each match.
    std::string matches() const { return in_words(code, match_set(code, machine.state())); }

    Action action(std::string_view name) const { return number<Action>(program.symbols.actions, name); }
    Variable variable(std::string_view name) const { return number<Variable>(program.symbols.variables, name); }
    Endpoint endpoint(std::string_view name) const { return number<Endpoint>(program.symbols.endpoints, name); }
    Location location(std::string_view name) const { return number<Location>(program.symbols.locations, name); }
    Channel channel(std::string_view beta, std::string_view alpha) const {
        return code.find_channel(endpoint(beta), endpoint(alpha)).value();
    }

    Source source;
    Program program;
    IndexedProgram code;
    Machine machine;
    Recorder recorder;
};

/// The reduction of one command, rule by rule, from the bench's state on (of which it has a copy).
class Reduction {
public:
    Reduction(Bench const& bench, std::string_view rho, Buffering buffering = Buffering::infinite)
        : state(bench.machine.state()), recorder(bench.code),
          code_(bench.code), estate_{
                                 state, bench.code, buffering, observers_, bench.code.command_at(bench.location(rho)),
                                 {},    {},         {},        k_,         completions_} {
        observers_.add(recorder);
    }
    Reduction(Reduction const&) = delete;
    Reduction& operator=(Reduction const&) = delete;

    Step reduce() { return matchpoint::reduce(estate_); }
    /// `count` reductions, none of which may be stuck; then only what comes is recorded.
    void skip(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            if (reduce().is_stuck()) throw std::runtime_error("stuck");
        recorder.clear();
    }

    /// e = (+ 1 2), k = (+ * 2) (assert *) ret, innermost first.
    std::string e_and_k() const {
        Program const& program = code_.program();
        std::string text = "e = ";
        switch (estate_.control) {
        case Estate::Control::command: text += print(program, estate_.command); break;
        case Estate::Control::expression: text += print(program, expression_at(code_.ctp(), estate_.node)); break;
        case Estate::Control::value: text += "value " + estate_.v.to_string(); break;
        }
        text += ", k = ";
        for (std::size_t i = k_.size(); i-- > 0;) text += frame(k_[i]) + " ";
        return text + "ret";
    }

    State state;
    Recorder recorder;

private:
    std::string frame(Frame const& f) const {
        Node const node = code_.ctp().nodes[f.node];
        std::string const op(to_string(node.op));
        switch (f.kind) {
        case Frame::Kind::assert_: return "(assert *)";
        case Frame::Kind::assume: return "(assume *)";
        case Frame::Kind::assign: return "(:= *)";
        case Frame::Kind::op_left:
            return "(" + op + " * " + print(code_.program(), expression_at(code_.ctp(), f.node - 1)) + ")";
        case Frame::Kind::op_right: return "(" + op + " " + f.v.to_string() + " *)";
        case Frame::Kind::not_: return "(not *)";
        case Frame::Kind::ite: {
            auto const operands = operand_roots(code_.ctp(), f.node);
            std::string text = "(ite *";
            for (std::size_t const k : {1U, 2U})
                text += " " + print(code_.program(), expression_at(code_.ctp(), operands[k]));
            return text + ")";
        }
        case Frame::Kind::guard: return "(guard *)";
        case Frame::Kind::assigned:
            return "(" + f.v.to_string() + ", " + std::string(code_.names()(code_.ctp().assignments[f.node].x)) +
                   " := *)";
        case Frame::Kind::sndi: break;
        }
        return "(sndi *)";
    }

    IndexedProgram const& code_;
    Observers observers_;
    std::vector<Frame> k_;
    std::vector<event::Completion> completions_;
    Estate estate_;
};

} // namespace matchpoint::test
