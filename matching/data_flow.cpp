#include "matching/data_flow.hpp"

#include <algorithm>

#include "base/overloaded.hpp"
#include "grammar/discipline.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "matching/partial_value.hpp"

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
    : m_(&messages), definitions_(definitions(messages)), relevance_(relevance(messages, definitions_)),
      boolean_of_endpoint_(endpoints_of_booleans(messages.code().program())), boolean_(ctp().nodes.size()),
      dependence_(ctp().nodes.size()), command_(ctp().nodes.size()), payload_(messages.sends().size()),
      constant_(messages.sends().size()) {
    Evaluation evaluation(*this);
    for (std::uint32_t i = 0; i < ctp().commands.size(); ++i) {
        Command const& c = ctp().commands[i].c;
        spend(4);
        if (Expression const* const e = expression_of(c)) add_expression(i, *e);
        std::visit(overloaded{
                       [&](Assume const& assume) { assumptions_.push_back(assume.e.root()); },
                       [&](Assert const& assertion) { assertions_.push_back(assertion.e.root()); },
                       [&](Assign const&) { evaluation.assign(i); },
                       [&](Sndi const& sndi) {
                           std::uint32_t const s = m_->send_number(sndi.a);
                           payload_[s] = sndi.e.root();
                           if (dependence_[payload_[s]].count() > 0) return;
                           if (Value v = evaluation(payload_[s]); !v.is_bot()) constant_[s] = std::move(v);
                       },
                       [](Rcvi const&) {},
                       [](Probe const&) {},
                       [](Start const&) {},
                       [](Meet const&) {},
                       [](Collective const&) {},
                       [](Guarded const&) {},
                       [](Wait const&) {},
                   },
                   c);
    }
}

/// Operands come before operations, and definitions before the variables that they define.
void DataFlow::add_expression(std::uint32_t command, Expression const& e) {
    for (std::uint32_t n = e.first; n <= e.root(); ++n) {
        command_[n] = command;
        switch (Node const& node = ctp().nodes[n]; node.kind) {
        case Node::Kind::value: boolean_[n] = ctp().values[node.payload].is_boolean(); break;
        case Node::Kind::variable: add_variable(n); break;
        case Node::Kind::operation: add_operation(n); break;
        }
    }
}

void DataFlow::add_variable(std::uint32_t node) {
    Definition const d = definitions_[node];
    switch (d.kind) {
    case Definition::Kind::none: break;
    case Definition::Kind::receive:
        boolean_[node] = boolean_of_endpoint_[m_->receives()[d.index].beta.index];
        dependence_[node].first = d.index;
        break;
    case Definition::Kind::assignment: {
        std::uint32_t const root = std::get<Assign>(ctp().commands[d.index].c).e.root();
        boolean_[node] = boolean_[root];
        dependence_[node] = dependence_[root];
        break;
    }
    }
}

void DataFlow::add_operation(std::uint32_t node) {
    Op const op = ctp().nodes[node].op;
    auto const operands = operand_roots(ctp(), node);
    for (std::uint32_t const operand : operands) dependence_[node].join(dependence_[operand]);
    boolean_[node] = gives_boolean(op, boolean_[node - 1]); // the last operand's root
    if (divisor_may_be_zero(ctp(), node)) divisors_.push_back(operands.back());
}

std::optional<Op> DataFlow::operation(std::uint32_t node) const {
    Node const& n = ctp().nodes[node];
    return n.kind == Node::Kind::operation ? std::optional(n.op) : std::nullopt;
}

PerOperand<std::uint32_t> DataFlow::resolved_operands(std::uint32_t node) const {
    auto result = operands(node);
    for (std::uint32_t& operand : result) operand = resolve(operand);
    return result;
}

std::uint32_t DataFlow::resolve(std::uint32_t node) const {
    while (definitions_[node].kind == Definition::Kind::assignment)
        node = std::get<Assign>(ctp().commands[definitions_[node].index].c).e.root();
    return node;
}

DataFlow::Cone DataFlow::cone(std::uint32_t node) const {
    Cone cone;
    std::vector<Expression> work{expression_at(ctp(), node)};
    auto const sort = [](std::vector<std::uint32_t>& numbers) {
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    };
    std::vector<bool> seen; // locations of the thread
    std::uint32_t const begin = ctp().threads[m_->code().thread_of({command_[node]})].first;
    while (!work.empty()) {
        Expression const e = work.back();
        spend(e.size);
        work.pop_back();
        for (std::uint32_t n = e.first; n <= e.root(); ++n) {
            Definition const d = definitions_[n];
            if (d.kind == Definition::Kind::receive) cone.receives.push_back(d.index);
            if (d.kind != Definition::Kind::assignment) continue;
            if (seen.empty()) seen.resize(command_[node] - begin + 1);
            if (seen[d.index - begin]) continue;
            seen[d.index - begin] = true;
            cone.assignments.push_back(d.index);
            work.push_back(std::get<Assign>(ctp().commands[d.index].c).e);
        }
    }
    sort(cone.receives);
    sort(cone.assignments);
    return cone;
}

Evaluation::Evaluation(DataFlow const& flow)
    : flow_(&flow), received_(flow.messages().receives().size()), assigned_(flow.ctp().commands.size()) {}

Value Evaluation::operator()(std::uint32_t node) {
    auto const operation = [](Op op, std::span<Value const> operands, std::uint32_t) {
        return partial_value(op, operands);
    };
    auto const variable = [this](Variable, std::uint32_t n) {
        Definition const d = flow_->definition(n);
        return d.kind == Definition::Kind::receive ? received_[d.index] : assigned_[d.index];
    };
    return fold<Value>(flow_->ctp(), expression_at(flow_->ctp(), node),
                       Algebra{[](Value const& constant) { return constant; }, variable, operation});
}

void Evaluation::forget() {
    std::fill(received_.begin(), received_.end(), Value());
    std::fill(assigned_.begin(), assigned_.end(), Value());
}

void Evaluation::assign(std::uint32_t location) {
    assigned_[location] = (*this)(std::get<Assign>(flow_->ctp().commands[location].c).e.root());
}

Value Evaluation::operator()(DataFlow::Cone const& cone, std::uint32_t node) {
    for (std::uint32_t const location : cone.assignments) assign(location);
    return (*this)(node);
}

} // namespace matchpoint::matching
