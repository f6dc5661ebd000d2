#include "executions/state_abstraction.hpp"

#include <algorithm>

#include "machine/operation.hpp"

namespace matchpoint::executions {

namespace {

bool divides(Op op) { return op == Op::div || op == Op::mod; }

} // namespace

StateAbstraction::StateAbstraction(MessageIndex const& messages, bool control_only)
    : messages_(&messages), code_(&messages.code()), definition_(definitions(messages)),
      relevant_(code_->endpoints().size()), open_(code_->ctp().threads.size()), control_only_(control_only) {
    variables();
    relevance();
}

void StateAbstraction::variables() {
    Ctp const& ctp = code_->ctp();
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i) {
        Expression const* const e = expression_of(ctp.commands[i].c);
        if (e == nullptr || std::none_of(ctp.nodes.begin() + e->first, ctp.nodes.begin() + e->first + e->size,
                                         [](Node const& n) { return n.kind == Node::Kind::variable; }))
            continue;
        open_[code_->thread_of({i})].push_back(i);
        if (auto const* const s = std::get_if<Sndi>(&ctp.commands[i].c)) sends_.push_back(messages_->send_number(s->a));
    }
}

/// Backwards from assumptions, assertions and divisors, through assignments and messages, to a fixed point.
void StateAbstraction::relevance() {
    Ctp const& ctp = code_->ctp();
    std::vector<std::vector<Expression>> sent_to(code_->endpoints().size());
    std::vector<Expression> work;
    for (LocatedCommand const& located : ctp.commands) {
        Expression const* const e = expression_of(located.c);
        if (auto const* const s = std::get_if<Sndi>(&located.c)) sent_to[s->beta.index].push_back(s->e);
        if (e == nullptr) continue;
        bool const counts = std::holds_alternative<Assume>(located.c) || std::holds_alternative<Assert>(located.c);
        bool const may_fault =
            std::any_of(ctp.nodes.begin() + e->first, ctp.nodes.begin() + e->first + e->size,
                        [](Node const& n) { return n.kind == Node::Kind::operation && divides(n.op); });
        if (counts || may_fault) work.push_back(*e);
    }
    std::vector<bool> assigned(ctp.commands.size());
    while (!work.empty()) {
        Expression const e = work.back();
        work.pop_back();
        for (std::uint32_t n = e.first; n < e.first + e.size; ++n) {
            if (ctp.nodes[n].kind != Node::Kind::variable) continue;
            Definition const d = definition_[n];
            if (d.kind == Definition::Kind::assignment && !assigned[d.index]) {
                assigned[d.index] = true;
                work.push_back(std::get<Assign>(ctp.commands[d.index].c).e);
            } else if (d.kind == Definition::Kind::receive) {
                Endpoint const beta = messages_->receives()[d.index].beta;
                if (relevant_[beta.index]) continue;
                relevant_[beta.index] = true;
                work.insert(work.end(), sent_to[beta.index].begin(), sent_to[beta.index].end());
            }
        }
    }
}

bool StateAbstraction::is_known(State const& state, Node const& node, std::uint32_t index, Value& v) const {
    Definition const d = definition_[index];
    switch (d.kind) {
    case Definition::Kind::none: return false; // D5 does not allow it
    case Definition::Kind::assignment:
        if (state.ctp[code_->thread_of({d.index})] <= d.index) return false;
        v = state.h[node.payload];
        return true;
    case Definition::Kind::receive: break;
    }
    auto const& r = messages_->receives()[d.index];
    if (r.ordinal >= state.Q_s.delivered[r.beta.index]) return false;
    v = state.Q_s.entries[(*code_)[r.beta].Q_s.first + r.ordinal].v;
    return true;
}

/// parts_[i] for node e.first + i, operands first.
void StateAbstraction::evaluate(State const& state, Expression e) {
    Ctp const& ctp = code_->ctp();
    parts_.assign(e.size, {});
    for (std::uint32_t i = 0; i < e.size; ++i) {
        Node const& node = ctp.nodes[e.first + i];
        Part& part = parts_[i];
        if (node.kind == Node::Kind::value) {
            part.known = true;
            part.v = ctp.values[node.payload];
        } else if (node.kind == Node::Kind::variable) {
            part.known = part.touched = is_known(state, node, e.first + i, part.v);
        } else if (node.op == Op::not_) {
            Part const& operand = parts_[i - 1];
            part.touched = operand.touched;
            part.may_fault = operand.may_fault;
            if (operand.known)
                if (auto v = apply_not(operand.v); auto* const value = std::get_if<Value>(&v)) {
                    part.known = true;
                    part.v = std::move(*value);
                }
        } else {
            Part const& right = parts_[i - 1];
            Part const& left = parts_[i - 1 - node.payload];
            part.touched = left.touched || right.touched;
            part.may_fault = left.may_fault || right.may_fault;
            auto const is = [](Part const& p, bool b) { return p.known && (b ? p.v.is_true() : p.v.is_false()); };
            if (left.known && right.known) {
                auto v = apply(node.op, left.v, right.v);
                if (auto* const value = std::get_if<Value>(&v)) {
                    part.known = true;
                    part.v = std::move(*value);
                } else {
                    part.may_fault = true;
                }
            } else if (divides(node.op) && !(right.known && right.v.is_integer() && right.v != Value::integer(0))) {
                part.may_fault = true;
            } else if (!part.may_fault) {
                // One operand decides; which value, the other one cannot change, and it cannot go wrong either.
                bool const decided_false = node.op == Op::and_ && (is(left, false) || is(right, false));
                bool const decided_true = (node.op == Op::or_ && (is(left, true) || is(right, true))) ||
                                          (node.op == Op::implies && (is(left, false) || is(right, true)));
                if (decided_false || decided_true) {
                    part.known = true;
                    part.v = Value::boolean(decided_true);
                }
            }
        }
    }
}

void StateAbstraction::put(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7U) key_ += static_cast<char>(n | 0x80U);
    key_ += static_cast<char>(n);
}

void StateAbstraction::put(Value const& v) {
    auto const [it, is_new] = values_.try_emplace(v, static_cast<std::uint32_t>(values_.size()));
    if (is_new) bytes_ += sizeof(*it) + v.bits() / 8;
    put(std::uint64_t{it->second} + 1);
}

/// From the root down: a part that is known is told by its value, any other one by a 0 and its operands; a part in which
/// no variable is known is the same whatever the values are, and says nothing.
void StateAbstraction::tell(State const& state, Command const& c) {
    Expression const e = *expression_of(c);
    evaluate(state, e);
    bool const may_fault = parts_.back().may_fault;
    if (bool const is_assert = std::holds_alternative<Assert>(c); is_assert || std::holds_alternative<Assume>(c)) {
        // Above failure no assertion counts, above infeasible no assumption either: then they only have to evaluate.
        bool const counts = state.s < (is_assert ? Status::failure : Status::infeasible);
        if (!counts && !may_fault) return;
        if (counts && !parts_.back().known) settled_ = false;
    }
    if (may_fault) settled_ = false;
    Ctp const& ctp = code_->ctp();
    todo_.assign(1, e.size - 1);
    while (!todo_.empty()) {
        std::uint32_t const i = todo_.back();
        todo_.pop_back();
        Part const& part = parts_[i];
        if (!part.touched) continue;
        if (part.known) {
            put(part.v);
            continue;
        }
        put(std::uint64_t{0});
        todo_.push_back(i - 1);
        Node const& node = ctp.nodes[e.first + i];
        if (node.op != Op::not_) todo_.push_back(i - 1 - node.payload);
    }
}

bool StateAbstraction::remember(State const& state) {
    Ctp const& ctp = code_->ctp();
    key_.clear();
    settled_ = true;
    for (std::uint32_t c = 0; c < code_->channels().size(); ++c) put(std::uint64_t{state.Pnd_s.taken[c]});
    if (control_only_) return seen_.insert(key_);
    put(static_cast<std::uint64_t>(state.s));
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t) {
        auto const& open = open_[t];
        for (auto it = std::lower_bound(open.begin(), open.end(), state.ctp[t]); it != open.end(); ++it)
            tell(state, ctp.commands[*it].c);
    }
    for (std::uint32_t const s : sends_) {
        auto const& send = messages_->sends()[s];
        if (send.place < state.Pnd_s.taken[send.channel.index] || send.place >= state.Pnd_s.issued[send.channel.index])
            continue;
        put(state.Pnd_s.entries[(*code_)[send.channel].Pnd_s.first + send.place].v);
    }
    return seen_.insert(key_);
}

} // namespace matchpoint::executions
