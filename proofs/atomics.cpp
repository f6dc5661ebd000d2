#include "proofs/atomics.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace matchpoint::proofs {

namespace {

Formula operand(Formulas& formulas, Variable x) {
    rma::Graph const& graph = formulas.graph();
    rma::Program const& program = graph.program();
    spend(program.statements.size());
    bool const is_stored =
        std::any_of(program.statements.begin(), program.statements.end(), [x](rma::Statement const& s) {
            auto const* const store = std::get_if<rma::Store>(&s.c);
            return store != nullptr && store->X == x;
        });
    bool const is_constant = !is_stored && graph.write(x).empty();
    return is_constant ? formulas.value(program[x].initial) : formulas.variable(x);
}

std::vector<Outcome> chosen(Formulas& formulas, Formula when, Formula then, Formula otherwise) {
    return {{when, then}, {formulas.negated(when), otherwise}};
}

std::vector<Outcome> combined(Formulas& formulas, rma::RemoteOp op, Formula Y, Formula Z) {
    auto const always = [&](Formula value) { return std::vector<Outcome>{{formulas.truth(true), value}}; };
    switch (op) {
    case rma::RemoteOp::sum: return always(formulas.apply(Op::plus, Y, Z));
    case rma::RemoteOp::product: return always(formulas.apply(Op::times, Y, Z));
    case rma::RemoteOp::min: return chosen(formulas, formulas.apply(Op::less, Z, Y), Z, Y);
    case rma::RemoteOp::max: return chosen(formulas, formulas.apply(Op::less, Y, Z), Z, Y);
    case rma::RemoteOp::and_: return always(formulas.apply(Op::and_, Y, Z));
    case rma::RemoteOp::or_: return always(formulas.apply(Op::or_, Y, Z));
    case rma::RemoteOp::xor_: return always(formulas.apply(Op::xor_, Y, Z));
    case rma::RemoteOp::replace: return always(Z);
    case rma::RemoteOp::no_op: break;
    }
    return always(Y);
}

} // namespace

std::vector<Outcome> outcomes_of(Formulas& formulas, rma::RemoteIndex s) {
    rma::Graph const& graph = formulas.graph();
    rma::Remote const& remote = graph.remotes()[s];
    Formula const Y = formulas.variable(remote.src);
    rma::StatementKind const& c = graph.program().statements[remote.statement].c;
    if (auto const* const fetch = std::get_if<rma::FetchAndOp>(&c))
        return combined(formulas, fetch->op, Y, operand(formulas, fetch->Z));
    if (auto const* const accumulate = std::get_if<rma::Accumulate>(&c))
        return combined(formulas, accumulate->op, Y, operand(formulas, accumulate->Z));
    auto const& swap = std::get<rma::CompareAndSwap>(c);
    Formula const C = operand(formulas, swap.C);
    return chosen(formulas, formulas.apply(Op::equal, Y, C), operand(formulas, swap.Z), Y);
}

Formula before(Formulas& formulas, Formula p, std::span<Outcome const> outcomes, Exchange const& exchange) {
    Formula result = formulas.truth(true);
    for (Outcome const& outcome : outcomes) {
        std::vector<Formulas::Replacement> replacements; // the first one of a symbol counts
        if (exchange.X) replacements.emplace_back(Formulas::symbol(*exchange.X), formulas.variable(exchange.Y));
        replacements.emplace_back(Formulas::symbol(exchange.Y), outcome.value);
        result = formulas.apply(Op::and_, result,
                                formulas.apply(Op::implies, outcome.when, formulas.replace(p, replacements)));
    }
    return result;
}

} // namespace matchpoint::proofs
