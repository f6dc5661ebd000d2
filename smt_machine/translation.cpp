#include "smt_machine/translation.hpp"

#include <fmt/format.h>

#include "grammar/operators.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::smt_machine {

Sort Translation::translate(Expression e, Location at) {
    Ctp const& ctp = code_->ctp();
    Terms& terms = *terms_;
    Sort sort = Sort::Int;
    for (std::uint32_t i = e.first; i < e.first + e.size; ++i) {
        Node const node = ctp.nodes[i];
        switch (node.kind) {
        case Node::Kind::value: {
            Value const& v = ctp.values[node.payload];
            terms.push(v);
            sort = v.is_boolean() ? Sort::Bool : Sort::Int;
            break;
        }
        case Node::Kind::variable: {
            Symbol const x = version({node.payload});
            if (x.is_none()) { // it has no value: the look-up will fail, and the run gives no problem
                terms.push(Value::integer(0));
                sort = Sort::Int;
                break;
            }
            terms.push(x);
            sort = terms.sort(x);
            break;
        }
        case Node::Kind::operation:
            if (divides(node.op)) {
                nonlinear_ = true;
                // A divisor gets a name, so that however deep it is, it appears only once. Nonzero constants need none.
                if (TermNode const& d = terms.last();
                    d.kind != TermNode::Kind::value || terms.value(d.payload) == Value::integer(0)) {
                    // A location can have several expressions: a guard, and what is assigned.
                    count_ = at == counted_at_ ? count_ + 1 : 1;
                    counted_at_ = at;
                    Symbol const symbol =
                        terms.declare(fmt::format("divisor_{}!{}", mangle(code_->names()(at)), count_), Sort::Int);
                    divisors_.push_back({count_, symbol, terms.pop()});
                    terms.push(symbol);
                }
            }
            if (node.op == Op::times && !terms.last_two_have_a_value()) nonlinear_ = true;
            terms.apply(node.op, arity(node.op));
            sort = gives_boolean(node.op, sort == Sort::Bool) ? Sort::Bool : Sort::Int;
            break;
        }
    }
    return sort;
}

void Translation::truth(Expression e, Location at) {
    if (translate(e, at) == Sort::Bool) return;
    terms_->pop();
    terms_->push(Value::boolean(true));
}

void Translation::divisors(std::function<void(Symbol divisor, std::string_view what, Term equation)> const& f) {
    for (Divisor const& d : divisors_) {
        std::uint32_t const mark = terms_->mark();
        terms_->push(d.symbol);
        terms_->push(d.term);
        terms_->apply(Op::equal, 2);
        f(d.symbol, fmt::format("DIVISOR {}", d.number), terms_->since(mark));
    }
    divisors_.clear();
}

Term Translation::non_zero(Symbol divisor) {
    std::uint32_t const mark = terms_->mark();
    terms_->push(divisor);
    terms_->push(Value::integer(0));
    terms_->apply(Op::not_equal, 2);
    return terms_->since(mark);
}

} // namespace matchpoint::smt_machine
