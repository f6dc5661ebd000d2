#include "matching/data_flow.hpp"

#include <algorithm>

#include "grammar/discipline.hpp"
#include "machine/operation.hpp"

namespace matchpoint::matching {

void Dependence::join(Dependence const& other) {
    if (more || other.count() == 0) return;
    if (other.more) {
        more = true;
        return;
    }
    for (std::uint32_t const r : {other.first, other.second}) {
        if (r == unmatched || r == first || r == second) continue;
        if (count() == 2) {
            more = true;
            return;
        }
        second = r;
        if (first > second) std::swap(first, second);
    }
}

DataFlow::DataFlow(MessageIndex const& messages)
    : m_(&messages), definitions_(definitions(messages)), first_(ctp().nodes.size()), boolean_(ctp().nodes.size()),
      dependence_(ctp().nodes.size()), command_(ctp().nodes.size()), payload_(messages.sends().size()),
      constant_(messages.sends().size()), relevant_(ctp().commands.size()) {
    std::vector<bool> const booleans = endpoints_of_booleans(messages.code().program());
    Evaluation evaluation(*this);
    for (std::uint32_t i = 0; i < ctp().commands.size(); ++i) {
        Command const& c = ctp().commands[i].c;
        Expression const* const e = expression_of(c);
        if (e == nullptr) continue;
        for (std::uint32_t n = e->first; n < e->first + e->size; ++n) {
            Node const& node = ctp().nodes[n];
            command_[n] = i;
            first_[n] = n;
            switch (node.kind) {
            case Node::Kind::value: boolean_[n] = ctp().values[node.payload].is_boolean(); break;
            case Node::Kind::variable: {
                Definition const d = definitions_[n];
                if (d.kind == Definition::Kind::receive) {
                    boolean_[n] = booleans[m_->receives()[d.index].beta.index];
                    dependence_[n].first = d.index;
                } else if (d.kind == Definition::Kind::assignment) {
                    std::uint32_t const root = std::get<Assign>(ctp().commands[d.index].c).e.root();
                    boolean_[n] = boolean_[root];
                    dependence_[n] = dependence_[root];
                }
                break;
            }
            case Node::Kind::operation:
                boolean_[n] = gives_boolean(node.op);
                dependence_[n] = dependence_[right(n)];
                first_[n] = first_[right(n)];
                if (node.op == Op::not_) break;
                dependence_[n].join(dependence_[left(n)]);
                first_[n] = first_[left(n)];
                if (node.op == Op::div || node.op == Op::mod) {
                    Node const& divisor = ctp().nodes[right(n)];
                    if (divisor.kind != Node::Kind::value || ctp().values[divisor.payload] == Value::integer(0))
                        divisors_.push_back(right(n));
                }
                break;
            }
        }
        if (std::holds_alternative<Assume>(c)) assumptions_.push_back(e->root());
        if (std::holds_alternative<Assert>(c)) assertions_.push_back(e->root());
        if (std::holds_alternative<Assign>(c)) evaluation.assign(i);
        if (auto const* const sndi = std::get_if<Sndi>(&c)) {
            std::uint32_t const s = m_->send_number(sndi->a);
            payload_[s] = e->root();
            if (dependence_[e->root()].count() == 0)
                if (Value v = evaluation(e->root()); !v.is_bot()) constant_[s] = std::move(v);
        }
    }
    relevance();
}

void DataFlow::relevance() {
    std::vector<std::uint32_t> work;
    auto const add = [&](std::uint32_t command) {
        if (relevant_[command]) return;
        relevant_[command] = true;
        work.push_back(command);
    };
    for (auto const* const roots : {&divisors_, &assumptions_, &assertions_})
        for (std::uint32_t const n : *roots) add(command_[n]);
    std::vector<bool> seen(m_->code().endpoints().size());
    while (!work.empty()) {
        Expression const e = *expression_of(ctp().commands[work.back()].c);
        work.pop_back();
        for (std::uint32_t n = e.first; n < e.first + e.size; ++n) {
            Definition const d = definitions_[n];
            if (d.kind == Definition::Kind::assignment) add(d.index);
            if (d.kind != Definition::Kind::receive) continue;
            Endpoint const beta = m_->receives()[d.index].beta;
            if (seen[beta.index]) continue;
            seen[beta.index] = true;
            for (Channel const c : m_->channels_to(beta))
                for (std::uint32_t const s : m_->sends_of(c)) add(m_->sends()[s].rho.index);
        }
    }
}

std::uint32_t DataFlow::resolve(std::uint32_t node) const {
    while (definitions_[node].kind == Definition::Kind::assignment)
        node = std::get<Assign>(ctp().commands[definitions_[node].index].c).e.root();
    return node;
}

DataFlow::Cone DataFlow::cone(std::uint32_t node) const {
    Cone cone;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> work{{first_[node], node}};
    auto const sort = [](std::vector<std::uint32_t>& numbers) {
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    };
    std::vector<bool> seen; // locations of the thread
    std::uint32_t const begin = ctp().threads[m_->code().thread_of({command_[node]})].first;
    while (!work.empty()) {
        auto const [from, to] = work.back();
        work.pop_back();
        for (std::uint32_t n = from; n <= to; ++n) {
            Definition const d = definitions_[n];
            if (d.kind == Definition::Kind::receive) cone.receives.push_back(d.index);
            if (d.kind != Definition::Kind::assignment) continue;
            if (seen.empty()) seen.resize(command_[node] - begin + 1);
            if (seen[d.index - begin]) continue;
            seen[d.index - begin] = true;
            cone.assignments.push_back(d.index);
            Expression const e = std::get<Assign>(ctp().commands[d.index].c).e;
            work.emplace_back(e.first, e.root());
        }
    }
    sort(cone.receives);
    sort(cone.assignments);
    return cone;
}

namespace {

/// By one operand, whatever the other one is; else bot.
Value decided(Op op, Value const& left, Value const& right) {
    if (op == Op::and_ && (left.is_false() || right.is_false())) return Value::boolean(false);
    if ((op == Op::or_ && (left.is_true() || right.is_true())) ||
        (op == Op::implies && (left.is_false() || right.is_true())))
        return Value::boolean(true);
    return {};
}

} // namespace

Evaluation::Evaluation(DataFlow const& flow)
    : flow_(&flow), received_(flow.messages().receives().size()), assigned_(flow.ctp().commands.size()) {}

Value Evaluation::operator()(std::uint32_t node) {
    Ctp const& ctp = flow_->ctp();
    stack_.clear();
    auto const computed = [](std::variant<Value, Reason> result) {
        auto* const v = std::get_if<Value>(&result);
        return v == nullptr ? Value() : std::move(*v);
    };
    for (std::uint32_t n = flow_->first(node); n <= node; ++n) {
        Node const& at = ctp.nodes[n];
        if (at.kind == Node::Kind::value) {
            stack_.push_back(ctp.values[at.payload]);
        } else if (at.kind == Node::Kind::variable) {
            Definition const d = flow_->definition(n);
            stack_.push_back(d.kind == Definition::Kind::receive ? received_[d.index] : assigned_[d.index]);
        } else if (at.op == Op::not_) {
            if (!stack_.back().is_bot()) stack_.back() = computed(apply_not(stack_.back()));
        } else {
            Value const right = std::move(stack_.back());
            stack_.pop_back();
            Value& left = stack_.back();
            left = left.is_bot() || right.is_bot() ? decided(at.op, left, right) : computed(apply(at.op, left, right));
        }
    }
    return std::move(stack_.back());
}

void Evaluation::assign(std::uint32_t location) {
    assigned_[location] = (*this)(std::get<Assign>(flow_->ctp().commands[location].c).e.root());
}

Value Evaluation::operator()(DataFlow::Cone const& cone, std::uint32_t node) {
    for (std::uint32_t const location : cone.assignments) assign(location);
    return (*this)(node);
}

} // namespace matchpoint::matching
