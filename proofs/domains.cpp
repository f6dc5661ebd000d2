#include "proofs/domains.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "machine/operation.hpp"
#include "proofs/atomics.hpp"

namespace matchpoint::proofs {

std::vector<Formulas::Replacement> assignments_of(Formulas& formulas) {
    rma::Program const& program = formulas.graph().program();
    std::vector<Formulas::Replacement> result;
    auto const add = [&](Variable x, Formula e) { result.push_back({Formulas::symbol(x), e}); };
    auto const add_atomic = [&](rma::Remote const& remote, std::vector<Outcome> const& outcomes) {
        for (Outcome const& outcome : outcomes)
            if (outcome.value != formulas.variable(remote.src)) add(remote.src, outcome.value);
        if (remote.fetches && !(remote.trg == remote.src)) add(remote.trg, formulas.variable(remote.src));
    };
    for (rma::Statement const& s : program.statements)
        std::visit(overloaded{
                       [&](rma::Load const& c) { add(c.u, formulas.variable(c.X)); },
                       [&](rma::Put const& c) { add(c.Y, formulas.variable(c.X)); },
                       [&](rma::Get const& c) { add(c.X, formulas.variable(c.Y)); },
                       [&](rma::Store const& c) { add(c.X, formulas.with_places(c.e)); },
                       [&](rma::Assign const& c) { add(c.u, formulas.with_places(c.e)); },
                       [&](rma::Choose const& c) {
                           for (std::uint32_t k = c.first; k < c.last; ++k)
                               add(c.u, formulas.value(program.choices[k]));
                       },
                       [](rma::Flush const&) {},
                       [](rma::Assume const&) {},
                       [](rma::Assert const&) {},
                       [](rma::Skip const&) {},
                       [](rma::If const&) {},
                       [](rma::While const&) {},
                       [](rma::Goto const&) {},
                       [](rma::Atomic const&) {},
                       [](rma::FetchAndOp const&) {}, // below
                       [](rma::CompareAndSwap const&) {},
                       [](rma::Accumulate const&) {},
                   },
                   s.c);
    for (rma::RemoteIndex s = 0; s < formulas.graph().remotes().size(); ++s)
        if (rma::Remote const& remote = formulas.graph().remotes()[s]; remote.is_atomic())
            add_atomic(remote, outcomes_of(formulas, s));
    return result;
}

Domains::Domains(Formulas& formulas) : formulas_(formulas) {
    rma::Graph const& graph = formulas.graph();
    for (rma::VariableInfo const& x : graph.program().variables) {
        bool const has_two = x.initial.is_boolean();
        values_.emplace_back(has_two ? std::vector{Value::boolean(false), Value::boolean(true)}
                                     : std::vector{x.initial});
    }
    auto const assignments = assignments_of(formulas);
    for (bool grows = true; grows;) {
        grows = false;
        for (auto const& [x, e] : assignments) grows = join(x, e) || grows;
    }
    for (rma::Unit const& unit : rma::units_of(graph)) values_.push_back(values_[graph.remotes()[unit.s].src.index]);
}

/// If f is `(mod e c)`: its values, whatever those of e.
bool Domains::is_remainder(Formula f, std::vector<Value>& values) const {
    if (!formulas_.is_operation(f) || formulas_.op(f) != Op::mod) return false;
    auto const c = formulas_.constant(formulas_.operands(f)[1]);
    auto const count = c ? c->small() : std::nullopt;
    if (!count || *count <= 0 || *count > static_cast<std::int64_t>(most_values)) return false;
    for (std::int64_t k = 0; k < *count; ++k) values.push_back(Value::integer(k));
    return true;
}

/// Whether x has more values now.
bool Domains::join(Symbol x, Formula e) {
    spend();
    if (!values_[x.index] || formulas_.is_boolean(x)) return false;
    bool grows = false;
    auto const& symbols = formulas_.symbols(e);
    Evaluation evaluation(formulas_, {e});
    std::vector<Value> found;
    bool const is_finite = for_each(symbols, [&](std::vector<Value> const& values) {
        spend();
        evaluation.at(symbols, values);
        found.push_back(evaluation[e]);
        return true;
    });
    if (!is_finite && !is_remainder(e, found)) {
        values_[x.index].reset();
        return true;
    }
    for (Value const& v : found)
        if (!v.is_bot()) grows = join(x, v) || grows; // where a divisor is zero, the run ends
    return grows;
}

bool Domains::join(Symbol x, Value const& v) {
    auto& values = values_[x.index];
    if (!values || std::find(values->begin(), values->end(), v) != values->end()) return false;
    values->push_back(v);
    if (values->size() > most_values) values.reset();
    return true;
}

std::optional<Value> Domains::constant(Formula f) const {
    auto const& symbols = formulas_.symbols(f);
    Evaluation evaluation(formulas_, {f});
    std::optional<Value> value;
    bool is_constant = true;
    bool const is_finite = for_each(symbols, [&](std::vector<Value> const& values) {
        evaluation.at(symbols, values);
        is_constant = !value || *value == evaluation[f];
        if (!value) value = evaluation[f];
        return is_constant;
    });
    return is_finite && is_constant && value && !value->is_bot() ? value : std::nullopt;
}

Evaluation::Evaluation(Formulas const& formulas, std::vector<Formula> const& of) : formulas_(formulas) {
    std::vector<Formula> rest = of;
    while (!rest.empty()) {
        Formula const f = rest.back();
        rest.pop_back();
        if (f.index >= place_.size()) place_.resize(f.index + 1, 0);
        if (place_[f.index] != 0) continue;
        place_[f.index] = 1; // is there
        nodes_.push_back(f);
        if (formulas.is_operation(f))
            for (Formula const g : formulas.operands(f)) rest.push_back(g);
    }
    std::sort(nodes_.begin(), nodes_.end());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) place_[nodes_[i].index] = i;
    values_.resize(nodes_.size());
}

void Evaluation::at(std::vector<Symbol> const& symbols, std::vector<Value> const& values) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Formula const f = nodes_[i];
        if (auto const c = formulas_.constant(f)) {
            values_[i] = *c;
        } else if (formulas_.is_symbol(f)) {
            auto const x = std::lower_bound(symbols.begin(), symbols.end(), formulas_.symbols(f).front());
            values_[i] = values[static_cast<std::size_t>(x - symbols.begin())];
        } else {
            std::vector<Value> operands;
            for (Formula const g : formulas_.operands(f)) operands.push_back((*this)[g]);
            auto result = machine::lacks_operand(formulas_.op(f), operands) ? machine::OperationResult(Value())
                                                                            : machine::apply(formulas_.op(f), operands);
            Value* const v = std::get_if<Value>(&result);
            values_[i] = v == nullptr ? Value() : std::move(*v);
        }
    }
}

} // namespace matchpoint::proofs
