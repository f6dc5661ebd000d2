#include "check/shared/values.hpp"

#include <algorithm>
#include <stdexcept>

#include <boost/container_hash/hash.hpp>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "machine/operation.hpp"
#include "matching/partial_value.hpp"

namespace matchpoint::check {

namespace {

using Literal = SatSolver::Literal;

} // namespace

SharedValues::SharedValues(SharedVocabulary& words, std::vector<Literal> const& fails, bool all_hold)
    : words_(words), uses_(words.uses()), m_(words.messages()), ctp_(m_.code().ctp()), fails_(fails),
      all_hold_(all_hold), in_(uses_.reads().size()), out_(uses_.definitions().size()), payload_(m_.sends().size()),
      known_(m_.code().names().variables.size()), is_explained_in_(in_.size()), is_explained_out_(out_.size()),
      is_explained_payload_(payload_.size()) {}

// ---- Values ----

/// A zero divisor counts wherever the machine evaluates it.
SharedValues::Evaluated SharedValues::evaluate(Expression const& e) {
    spend(e.size);
    auto const operation = [](Op op, std::span<Evaluated> operands, std::uint32_t) -> Evaluated {
        auto const divides_by_zero = [](Evaluated const& operand) { return operand.divides_by_zero; };
        PerOperand<Value> values;
        for (Evaluated& operand : operands) values.push_back(std::move(operand.v));
        if (is_choice(op)) {
            // Without the condition it is not known, as certificates have it.
            Value const& c = values.front();
            bool const chosen = !c.is_bot() && operands[Choice::operand(c.is_true())].divides_by_zero;
            return {partial_value(op, values), operands.front().divides_by_zero || chosen};
        }
        if (std::any_of(operands.begin(), operands.end(), divides_by_zero) ||
            (divides(op) && values.back() == Value::integer(0)))
            return {{}, true};
        return {partial_value(op, values), false};
    };
    return fold<Evaluated>(ctp_, e,
                           Algebra{[](Value const& constant) -> Evaluated { return {constant}; },
                                   [&](Variable x, std::uint32_t) -> Evaluated { return {known_[x.index]}; },
                                   operation});
}

Value const& SharedValues::value_of(SharedUses::Use const& use) const {
    return use.is_shared ? in_[use.index] : out_[use.index];
}

void SharedValues::know(Location rho) {
    for (SharedUses::Use const& use : uses_.of(rho)) known_[use.x.index] = value_of(use);
}

/// With what is known.
SharedValues::Fault SharedValues::fault_of(Location rho) {
    return std::visit(overloaded{
                          [&](Assume const& c) {
                              auto const [v, zero] = evaluate(c.e);
                              return zero ? Fault::divisor : v.is_false() ? Fault::is_false : Fault::none;
                          },
                          [&](Assert const& c) {
                              auto const [v, zero] = evaluate(c.e);
                              return zero ? Fault::divisor : all_hold_ && v.is_false() ? Fault::is_false : Fault::none;
                          },
                          [&](Guarded const& c) {
                              auto const [v, zero] = evaluate(c.e);
                              if (zero) return Fault::divisor;
                              if (v.is_false()) return Fault::is_false;
                              for (auto const& [x, e] : ctp_.assigned(c))
                                  if (evaluate(e).divides_by_zero) return Fault::right_side;
                              return Fault::none;
                          },
                          [&](Assign const& c) { return evaluate(c.e).divides_by_zero ? Fault::divisor : Fault::none; },
                          [&](Sndi const& c) { return evaluate(c.e).divides_by_zero ? Fault::divisor : Fault::none; },
                          [](Rcvi const&) { return Fault::none; },
                          [](Probe const&) { return Fault::none; },
                          [](Start const&) { return Fault::none; },
                          [](Wait const&) { return Fault::none; },
                          [](Meet const&) { return Fault::none; },
                          [](Collective const&) { return Fault::none; },
                      },
                      ctp_.commands[rho.index].c);
}

/// Defines what it defines.
void SharedValues::execute(Location rho) {
    std::uint32_t const first = uses_.first_definition_at(rho);
    auto const definitions = uses_.definitions_at(rho);
    for (std::uint32_t i = 0; i < definitions.size(); ++i) {
        SharedUses::Definition const& d = definitions[i];
        if (!d.is_relevant)
            out_[first + i] = Value();
        else if (d.receive == SharedUses::none)
            out_[first + i] = evaluate(d.e).v;
        else
            out_[first + i] = payload_[solution_->sends[d.receive]];
    }
    if (auto const* const send = as_sndi(ctp_.commands[rho.index].c); send != nullptr && uses_.is_relevant(rho))
        payload_[m_.send_number(send->a)] = evaluate(send->e).v;
}

SharedValues::Result SharedValues::run(SharedSolution const& solution, std::span<SharedOrder::Moment const> moments) {
    solution_ = &solution;
    is_explained_in_.assign(in_.size(), false);
    is_explained_out_.assign(out_.size(), false);
    is_explained_payload_.assign(payload_.size(), false);
    spend(in_.size() + out_.size());
    new_clauses_ = 0;
    bool fails = false;
    bool is_execution = true;
    std::vector<Location> that_hold;
    for (auto const& moment : moments) {
        if (!moment.is_command) continue;
        Location const rho{moment.index};
        for (SharedUses::Use const& use : uses_.of(rho)) {
            if (!use.is_shared || solution.reads[use.index] == SharedUses::none) continue;
            std::uint32_t const d = uses_.candidate(use.index, solution.reads[use.index]);
            in_[use.index] = d == SharedUses::none ? uses_.initial(use.x) : out_[d];
        }
        know(rho);
        if (uses_.is_relevant(rho))
            if (Fault const fault = fault_of(rho); fault != Fault::none) {
                exclude(rho, fault);
                is_execution = false;
                // After a zero divisor there are no values.
                if (fault == Fault::divisor || fault == Fault::right_side) break;
                know(rho);
            }
        execute(rho);
        Assert const* const c = std::get_if<Assert>(&ctp_.commands[rho.index].c);
        if (c == nullptr || all_hold_) continue;
        // After a false guard whose right-hand side divides by zero, there may be no value.
        Value const v = evaluate(c->e).v;
        if (v.is_false()) fails = true;
        if (v.is_true() && solution.fails[rho.index]) that_hold.push_back(rho);
    }
    if (is_execution && fails) return Result::fails;
    if (is_execution && that_hold.empty()) return Result::holds;
    for (Location const rho : that_hold) say_that_it_holds(rho);
    explain_all();
    if (new_clauses_ == 0) throw std::logic_error("shared values: a solution is excluded already");
    return Result::excluded;
}

// ---- Reasons ----

template <typename F>
void SharedValues::add(std::vector<Literal> clause, F reason) {
    std::sort(clause.begin(), clause.end());
    if (!added_.insert(clause).second) return;
    ++count_;
    ++new_clauses_;
    words_.clauses().add(std::move(clause), reason);
}

/// The uses of a command that `is()` rests on: with fewer of them known, it is not so.
template <typename Is>
std::vector<SharedUses::Use> SharedValues::needed_for(Location rho, Is is) {
    know(rho);
    std::vector<SharedUses::Use> needed;
    for (SharedUses::Use const& use : uses_.of(rho)) {
        known_[use.x.index] = Value();
        if (is()) continue;
        known_[use.x.index] = value_of(use);
        needed.push_back(use);
    }
    return needed;
}

Literal SharedValues::literal_of(SharedUses::Use const& use) {
    return use.is_shared ? explained_in(use.index) : explained_out(use.index);
}

/// That the command is not executed, or some of these values are others. What it reads it reads as it is executed.
std::vector<Literal> SharedValues::because(Location rho, std::vector<SharedUses::Use> const& needed) {
    std::vector<Literal> clause;
    bool const reads = std::ranges::any_of(needed, &SharedUses::Use::is_shared);
    if (!reads && words_.executed(rho) != 0) clause.push_back(-words_.executed(rho));
    for (SharedUses::Use const& use : needed) clause.push_back(-literal_of(use));
    return clause;
}

void SharedValues::exclude(Location rho, Fault fault) {
    auto const needed = needed_for(rho, [&] { return fault_of(rho) == fault; });
    Command const& c = ctp_.commands[rho.index].c;
    bool const is_guarded = std::holds_alternative<Assume>(c) || std::holds_alternative<Guarded>(c);
    char const* const kind = is_guarded ? "guard" : "divisor";
    // Of assertions that have to hold there is no certificate.
    add(because(rho, needed), [&] { return fmt::format("{} {}", kind, words_.name(rho)); });
}

void SharedValues::say_that_it_holds(Location rho) {
    Expression const& e = std::get<Assert>(ctp_.commands[rho.index].c).e;
    auto const needed = needed_for(rho, [&] { return evaluate(e).v.is_true(); });
    std::vector<Literal> clause{-fails_[rho.index]};
    for (SharedUses::Use const& use : needed) clause.push_back(-literal_of(use));
    add(std::move(clause), [&] { return "holds " + words_.name(rho); });
}

Literal SharedValues::explained_in(std::uint32_t read) {
    if (!is_explained_in_[read]) to_explain_.push_back({Open::Kind::in, read});
    is_explained_in_[read] = true;
    return words_.in(read, in_[read]);
}

Literal SharedValues::explained_out(std::uint32_t definition) {
    if (!is_explained_out_[definition]) to_explain_.push_back({Open::Kind::out, definition});
    is_explained_out_[definition] = true;
    return words_.out(definition, out_[definition]);
}

Literal SharedValues::explained_payload(std::uint32_t send) {
    if (!is_explained_payload_[send]) to_explain_.push_back({Open::Kind::payload, send});
    is_explained_payload_[send] = true;
    return words_.payload(send, payload_[send]);
}

void SharedValues::explain_all() {
    while (!to_explain_.empty()) {
        spend();
        Open const open = to_explain_.back();
        to_explain_.pop_back();
        switch (open.kind) {
        case Open::Kind::in: explain_in(open.index); break;
        case Open::Kind::out: explain_out(open.index); break;
        case Open::Kind::payload: explain_payload(open.index); break;
        }
    }
}

void SharedValues::explain_in(std::uint32_t read) {
    std::uint32_t const candidate = solution_->reads[read];
    std::uint32_t const definition = uses_.candidate(read, candidate);
    std::vector<Literal> clause{-words_.read(read, candidate), words_.in(read, in_[read])};
    if (definition != SharedUses::none) clause.push_back(-explained_out(definition));
    add(std::move(clause), [&] {
        auto const& of = uses_.reads()[read];
        return fmt::format("input {} {}", words_.name(of.rho), words_.name(of.x));
    });
}

void SharedValues::explain_out(std::uint32_t definition) {
    auto const& d = uses_.definitions()[definition];
    if (d.receive != SharedUses::none) return explain_delivery(definition);
    Value const v = out_[definition];
    auto const needed = needed_for(d.rho, [&] { return evaluate(d.e).v == v; });
    std::vector<Literal> clause = because(d.rho, needed);
    clause.push_back(words_.out(definition, v));
    add(std::move(clause), [&] { return fmt::format("output {} {}", words_.name(d.rho), words_.name(d.x)); });
}

void SharedValues::explain_delivery(std::uint32_t definition) {
    auto const& d = uses_.definitions()[definition];
    std::uint32_t const s = solution_->sends[d.receive];
    std::vector<Literal> clause{-words_.matches().match({d.receive, s}), -explained_payload(s),
                                words_.out(definition, out_[definition])};
    if (Literal const executed = words_.executed(d.rho); executed != 0) clause.push_back(-executed);
    add(std::move(clause), [&] {
        return fmt::format("delivery {} {} {} {}", words_.name(d.rho), words_.name(d.x),
                           words_.name(m_.receives()[d.receive].a), words_.name(m_.sends()[s].a));
    });
}

void SharedValues::explain_payload(std::uint32_t send) {
    Location const rho = m_.sends()[send].rho;
    Expression const& e = m_.code().as_sndi(m_.sends()[send].a)->e;
    Value const v = payload_[send];
    auto const needed = needed_for(rho, [&] { return evaluate(e).v == v; });
    std::vector<Literal> clause = because(rho, needed);
    clause.push_back(words_.payload(send, v));
    add(std::move(clause), [&] { return "payload " + words_.name(m_.sends()[send].a); });
}

} // namespace matchpoint::check
