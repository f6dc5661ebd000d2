#include "executions/state_abstraction.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "grammar/fold.hpp"
#include "machine/operation.hpp"
#include "matching/partial_value.hpp"

namespace matchpoint::executions {

namespace {

/// Whether a command's value still counts for a status: above failure no assertion does, above infeasible no
/// assumption. An expression that does not count only has to evaluate without a fault.
bool can_change(Status s, Command const& c) {
    return std::visit(overloaded{
                          [&](Assume const&) { return s < Status::infeasible; },
                          [&](Assert const&) { return s < Status::failure; },
                          [](Assign const&) { return false; },
                          [](Sndi const&) { return false; },
                          [](Rcvi const&) { return false; },
                          [](Probe const&) { return false; },
                          [](Start const&) { return false; },
                          [](Meet const&) { return false; },
                          [](Collective const&) { return false; },
                          [](Guarded const&) { return false; }, // states of programs that share are not merged
                          [](Wait const&) { return false; },
                      },
                      c);
}

} // namespace

StateAbstraction::StateAbstraction(MessageIndex const& messages, Runs runs, bool control_only)
    : messages_(&messages), code_(&messages.code()), definition_(definitions(messages)),
      relevant_(relevance(messages, definition_).endpoints), open_(code_->ctp().threads.size()), runs_(runs),
      control_only_(control_only) {
    find_open_commands();
}

void StateAbstraction::find_open_commands() {
    Ctp const& ctp = code_->ctp();
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i) {
        Expression const* const e = expression_of(ctp.commands[i].c);
        if (e == nullptr || std::none_of(ctp.nodes.begin() + e->first, ctp.nodes.begin() + e->first + e->size,
                                         [](Node const& n) { return n.kind == Node::Kind::variable; }))
            continue;
        parts_.assign(e->size, {}); // no variable is defined
        open_[code_->thread_of({i})].push_back({i, *e, evaluate(*e)});
        if (auto const* const s = as_sndi(ctp.commands[i].c)) sends_.push_back(messages_->send_number(s->a));
    }
}

/// The value that a variable has in every continuation; else bot.
Value const& StateAbstraction::known_value(State const& state, Node const& node, std::uint32_t index) const {
    static Value const bot;
    Definition const d = definition_[index];
    switch (d.kind) {
    case Definition::Kind::none: return bot; // D5 does not allow it
    case Definition::Kind::assignment:
        return state.ctp[code_->thread_of({d.index})] <= d.index ? bot : state.h[node.payload];
    case Definition::Kind::receive: break;
    }
    auto const& r = messages_->receives()[d.index];
    if (r.ordinal >= state.Q_s.delivered[r.beta.index]) return bot;
    return state.Q_s.entries[(*code_)[r.beta].Q_s.first + r.ordinal].v;
}

/// Whether a variable in an expression is defined. Writes the parts that are variables.
bool StateAbstraction::look_up(State const& state, Expression e) {
    spend(4 * std::uint64_t{e.size}); // an expression can be most of the program
    Node const* const nodes = code_->ctp().nodes.data() + e.first;
    if (parts_.size() < e.size) parts_.resize(e.size);
    bool touched = false;
    for (std::uint32_t i = 0; i < e.size; ++i) {
        if (nodes[i].kind != Node::Kind::variable) continue;
        Part& part = parts_[i];
        part.v = known_value(state, nodes[i], e.first + i);
        part.touched = part.is_known();
        part.may_fault = false;
        touched |= part.touched;
    }
    return touched;
}

/// parts_[i] becomes node e.first + i, operands first, after look_up(). Much of the time goes here: no part is cleared
/// before it is written, and operands are found without a container.
StateAbstraction::Root StateAbstraction::evaluate(Expression e) {
    Ctp const& ctp = code_->ctp();
    Node const* const nodes = ctp.nodes.data() + e.first;
    for (std::uint32_t i = 0; i < e.size; ++i) {
        switch (nodes[i].kind) {
        case Node::Kind::value:
            parts_[i].v = ctp.values[nodes[i].payload];
            parts_[i].touched = parts_[i].may_fault = false;
            break;
        case Node::Kind::variable: break;
        case Node::Kind::operation:
            static_assert(most_operands == 3);
            switch (arity(nodes[i].op)) {
            case 1: evaluate_operation<1>(nodes, i); break;
            case 2: evaluate_operation<2>(nodes, i); break;
            case 3: evaluate_operation<3>(nodes, i); break;
            }
            break;
        }
    }
    return {parts_[e.size - 1].is_known(), parts_[e.size - 1].may_fault};
}

template <std::size_t operand_count>
void StateAbstraction::evaluate_operation(Node const* nodes, std::uint32_t i) {
    Op const op = nodes[i].op;
    Part& part = parts_[i];
    std::array<Part const*, operand_count> operands;
    bool all_known = true, some_known = false;
    part.touched = part.may_fault = false;
    std::uint32_t root = i - 1;
    for (std::size_t k = operand_count; k-- > 0; root -= nodes[root].size()) {
        Part const& operand = parts_[root];
        operands[k] = &operand;
        part.touched |= operand.touched;
        part.may_fault |= operand.may_fault;
        all_known &= operand.is_known();
        some_known |= operand.is_known();
    }
    Value const& divisor = operands.back()->v;
    if (divides(op) && (!divisor.is_integer() || divisor == Value::integer(0))) part.may_fault = true;
    part.v = Value();
    if (!all_known && (!some_known || part.may_fault)) return;
    if constexpr (operand_count == 2) {
        if (all_known) { // no value is copied
            auto result = apply(op, operands[0]->v, operands[1]->v);
            if (auto* const v = std::get_if<Value>(&result)) part.v = std::move(*v);
            return;
        }
    }
    std::array<Value, operand_count> values;
    for (std::size_t k = 0; k < operand_count; ++k) values[k] = operands[k]->v;
    part.v = partial_value(op, values);
}

void StateAbstraction::append(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7U) key_ += static_cast<char>(n | 0x80U);
    key_ += static_cast<char>(n);
}

void StateAbstraction::append(Value const& v) {
    auto const [it, is_new] = values_.try_emplace(v, static_cast<std::uint32_t>(values_.size()));
    if (is_new) bytes_ += sizeof(*it) + v.bits() / 8;
    append(std::uint64_t{it->second} + 1);
}

void StateAbstraction::append(State const& state, Open const& open) {
    Command const& c = code_->ctp().commands[open.command].c;
    Expression const e = open.e;
    bool const is_touched = look_up(state, e);
    Root const root = is_touched ? evaluate(e) : open.untouched;
    if (is_condition(c)) {
        bool const counts = can_change(state.s, c);
        if (!counts && !root.may_fault) return;
        if (counts && !root.is_known) settled_ = false;
    }
    if (root.may_fault) settled_ = false;
    if (is_touched) append_parts(e);
}

/// From the root down: a known part is written as its value, any other part as a 0 and its operands. A part in which no
/// variable is defined is the same in all states, and is left out.
void StateAbstraction::append_parts(Expression e) {
    Ctp const& ctp = code_->ctp();
    todo_.assign(1, e.size - 1);
    while (!todo_.empty()) {
        std::uint32_t const i = todo_.back();
        todo_.pop_back();
        Part const& part = parts_[i];
        if (!part.touched) continue;
        if (part.is_known()) {
            append(part.v);
            continue;
        }
        append(std::uint64_t{0});
        auto const operands = operand_roots(ctp, e.first + i);
        for (std::size_t k = operands.size(); k-- > 0;) todo_.push_back(operands[k] - e.first);
    }
}

/// Where threads have stopped for good. With the messages taken, that says how far every thread is.
void StateAbstraction::append_halts(State const& state) {
    Ctp const& ctp = code_->ctp();
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t) {
        std::uint32_t const next = state.ctp[t];
        bool const halts = next != ctp.threads[t].last && as_wait(ctp.commands[next].c) == nullptr;
        append(std::uint64_t{halts ? next + 1 : 0});
    }
}

bool StateAbstraction::remember(State const& state) {
    Ctp const& ctp = code_->ctp();
    key_.clear();
    settled_ = true;
    for (std::uint32_t c = 0; c < code_->channels().size(); ++c) append(std::uint64_t{state.Pnd_s.taken[c]});
    if (control_only_) return seen_.insert(key_);
    append(static_cast<std::uint64_t>(state.s));
    if (runs_ == Runs::executions) append_halts(state);
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t) {
        auto const& open = open_[t];
        auto const is_done = [](Open const& o, std::uint32_t next) { return o.command < next; };
        for (auto it = std::lower_bound(open.begin(), open.end(), state.ctp[t], is_done); it != open.end(); ++it)
            append(state, *it);
    }
    for (std::uint32_t const s : sends_) {
        auto const& send = messages_->sends()[s];
        if (send.place < state.Pnd_s.taken[send.channel.index] || send.place >= state.Pnd_s.issued[send.channel.index])
            continue;
        append(state.Pnd_s.entries[(*code_)[send.channel].Pnd_s.first + send.place].v);
    }
    return seen_.insert(key_);
}

} // namespace matchpoint::executions
