#include "smt_machine/translation.hpp"

#include <optional>

#include <fmt/format.h>

#include "grammar/branches.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::smt_machine {

/// The conditions around the divisors of an expression.
class Translation::Path {
public:
    Path(Ctp const& ctp, Terms& terms, Expression e)
        : terms_(terms), first_(e.first), branches_(ctp, e), term_of_(e.size) {}

    /// The last subterm is that of the node.
    void has_added(std::uint32_t node) { term_of_[node - first_] = terms_.last_term(); }

    /// The last subterm is the divisor of this division: it becomes 1 where the division is not evaluated.
    void guard(std::uint32_t division) {
        auto const around = branches_.around(division);
        if (around.empty()) return;
        std::vector<TermNode> const divisor = terms_.pop();
        for (Branch const& b : around) {
            terms_.push(term_of_[b.condition - first_]);
            if (!b.holds) terms_.apply(Op::not_, 1);
        }
        terms_.apply(Op::and_, static_cast<std::uint32_t>(around.size()));
        terms_.push(divisor);
        terms_.push(Value::integer(1));
        terms_.apply(around.back().op, 3);
    }

private:
    Terms& terms_;
    std::uint32_t first_;
    Branches branches_;
    std::vector<Term> term_of_; // node -> its term, while that is there
};

Sort Translation::translate(Expression e, Location at) {
    Ctp const& ctp = code_->ctp();
    Terms& terms = *terms_;
    std::optional<Path> path;
    if (has_conditional_divisor(ctp, e)) path.emplace(ctp, terms, e);
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
                    if (path) path->guard(i);
                    Symbol const symbol = divisor_at(at);
                    divisors_.push_back({count_, symbol, terms.pop()});
                    terms.push(symbol);
                }
            }
            if (node.op == Op::times && !terms.last_two_have_a_value()) nonlinear_ = true;
            terms.apply(node.op, arity(node.op));
            sort = gives_boolean(node.op, sort == Sort::Bool) ? Sort::Bool : Sort::Int;
            break;
        }
        if (path) path->has_added(i);
    }
    return sort;
}

/// A new symbol.
Symbol Translation::divisor_at(Location at) {
    // A location can have several expressions: a guard, and what is assigned.
    count_ = at == counted_at_ ? count_ + 1 : 1;
    counted_at_ = at;
    return terms_->declare(fmt::format("divisor_{}!{}", mangle(code_->names()(at)), count_), Sort::Int);
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
