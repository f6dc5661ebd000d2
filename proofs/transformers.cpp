#include "proofs/transformers.hpp"

#include <algorithm>

namespace matchpoint::proofs {

using rma::no_index;

Transformers::Transformers(Cubes& cubes, rma::Model model, ReadingOfSets reading) : cubes_(cubes), reading_(reading) {
    auto const n = static_cast<std::uint32_t>(cubes.V().size());
    if (model != rma::Model::rma) return;
    for (RemoteIndex s = 0; s < cubes.formulas().graph().remotes().size(); ++s) {
        numbers_.emplace_back(n, no_index);
        for (std::uint32_t p = 0; p < n; ++p) {
            if (!has(p, src(s))) continue;
            numbers_[s][p] = static_cast<std::uint32_t>(set_predicates_.size());
            set_predicates_.push_back({s, p});
        }
    }
}

Bit Transformers::initial(std::uint32_t p) const {
    Formulas& formulas = cubes_.formulas();
    rma::Program const& program = formulas.graph().program();
    std::vector<Formulas::Replacement> values;
    for (Symbol const x : formulas.symbols(cubes_.V()[p]))
        values.emplace_back(x, formulas.value(program.variables[x.index].initial));
    Formula const f = formulas.replace(cubes_.V()[p], values);
    return formulas.is_true(f) ? Bit::yes : formulas.is_false(f) ? Bit::no : Bit::unknown;
}

/// F(p[e/x]) and F(not p[e/x]) of each p that has x.
std::vector<Update> Transformers::changed(Symbol x, Formula e) {
    Formulas& formulas = cubes_.formulas();
    std::vector<Update> result;
    for (std::uint32_t p = 0; p < cubes_.V().size(); ++p) {
        if (!has(p, x)) continue;
        Formula const wp = formulas.replace(cubes_.V()[p], {x, e});
        result.push_back({p, &cubes_.F(wp), &cubes_.F(formulas.negated(wp))});
    }
    return result;
}

Transformer const& Transformers::assigned(Symbol x, Formula e) {
    auto const [at, is_new] = assigned_.try_emplace({x, e});
    if (!is_new) return at->second;
    Transformer t{.V = changed(x, e)};
    for (RemoteIndex s = 0; s < numbers_.size() && !reading_.literal.R10; ++s) {
        if (src(s) == x) continue;
        bool const exact = !cubes_.formulas().has(e, src(s)); // errata R10
        for (Update const& u : t.V) {
            std::uint32_t const i = numbers_[s][u.p];
            if (i != no_index) t.sets.push_back(exact ? Update{i, u.t, u.f, s} : Update{i});
        }
    }
    join(t, x);
    return at->second = std::move(t);
}

Transformer const& Transformers::drawn(RemoteIndex s) {
    auto const [at, is_new] = drawn_.try_emplace(s);
    if (!is_new) return at->second;
    Symbol const Y = Formulas::symbol(cubes_.formulas().graph().remotes()[s].trg);
    Transformer t{.V = changed(Y, cubes_.formulas().of(src(s)))};
    for (Update& u : t.V) {
        u.from = s;
        if (has(u.p, src(s)) && !reading_.literal.R9) u = compared(s, u.p); // errata R9
    }
    for (std::uint32_t i = 0; i < set_predicates_.size(); ++i)
        if (has(set_predicates_[i].p, Y) && !(src(set_predicates_[i].s) == Y)) t.sets.push_back({i});
    join(t, Y);
    return at->second = std::move(t);
}

/// Of p, which has X beside Y, when Y is drawn from set(s): what predicates say of X now, and of the element.
Update Transformers::compared(RemoteIndex s, std::uint32_t p) {
    if (!reading_.relational) return {p};
    Formulas& formulas = cubes_.formulas();
    if (!relational_) {
        std::vector<Formula> more;
        for (SetPredicate const& q : set_predicates_)
            more.push_back(formulas.replace(cubes_.V()[q.p], {src(q.s), formulas.of(formulas.element(q.s))}));
        relational_ = std::make_unique<Cubes>(cubes_, more);
    }
    Symbol const Y = Formulas::symbol(formulas.graph().remotes()[s].trg);
    Formula const wp = formulas.replace(cubes_.V()[p], {Y, formulas.of(formulas.element(s))});
    return {p, &relational_->F(wp), &relational_->F(formulas.negated(wp))};
}

void Transformers::join(Transformer& t, Symbol X) const {
    for (std::uint32_t i = 0; i < set_predicates_.size(); ++i)
        if (src(set_predicates_[i].s) == X) t.joins.push_back(i);
}

std::vector<Update> const& Transformers::strengthened(Formula taken) {
    auto const [at, is_new] = strengthened_.try_emplace(taken);
    if (!is_new) return at->second;
    Formulas& formulas = cubes_.formulas();
    std::vector<Update> result;
    for (std::uint32_t p = 0; p < cubes_.V().size(); ++p) {
        auto const& symbols = formulas.symbols(taken);
        if (std::none_of(symbols.begin(), symbols.end(), [&](Symbol x) { return has(p, x); })) continue;
        Formula const f = cubes_.V()[p];
        result.push_back({p, &cubes_.F(formulas.apply(Op::implies, taken, f)),
                          &cubes_.F(formulas.apply(Op::implies, taken, formulas.negated(f)))});
    }
    return at->second = std::move(result);
}

} // namespace matchpoint::proofs
