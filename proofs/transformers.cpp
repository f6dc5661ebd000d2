#include "proofs/transformers.hpp"

#include <algorithm>

#include "proofs/atomics.hpp"

namespace matchpoint::proofs {

using rma::no_index;

std::vector<SetPredicate> set_predicates_of(Formulas& formulas, std::vector<Formula> const& V) {
    rma::Graph const& graph = formulas.graph();
    auto const units = rma::units_of(graph);
    std::vector<SetPredicate> result;
    for (rma::UnitIndex u = 0; u < units.size(); ++u) {
        rma::Remote const& remote = graph.remotes()[units[u].s];
        if (remote.is_atomic() && !units[u].is_fetched) continue; // it has no set
        Symbol const x = Formulas::symbol(units[u].is_fetched ? remote.trg : remote.src);
        for (std::uint32_t p = 0; p < V.size(); ++p)
            if (formulas.has(V[p], x)) result.push_back({u, p});
    }
    return result;
}

Transformers::Transformers(Cubes& cubes, rma::Model model, ReadingOfSets reading) : cubes_(cubes), reading_(reading) {
    if (model != rma::Model::rma) return;
    auto const n = static_cast<std::uint32_t>(cubes.V().size());
    units_ = rma::units_of(cubes.formulas().graph());
    set_predicates_ = set_predicates_of(cubes.formulas(), cubes.V());
    numbers_.assign(units_.size(), std::vector<std::uint32_t>(n, no_index));
    for (std::uint32_t i = 0; i < set_predicates_.size(); ++i) numbers_[set_predicates_[i].u][set_predicates_[i].p] = i;
    for (std::uint32_t p = 0; p < n; ++p) itself_.emplace_back(Cover{{{p, false}}}, Cover{{{p, true}}});
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

/// choose(F(wp), F(not wp))
Update Transformers::updated(std::uint32_t number, Formula wp) {
    return {number, &cubes_.F(wp), &cubes_.F(cubes_.formulas().negated(wp))};
}

/// F(p[e/x]) and F(not p[e/x]) of each p that has x.
std::vector<Update> Transformers::changed(Symbol x, Formula e) {
    std::vector<Update> result;
    for (std::uint32_t p = 0; p < cubes_.V().size(); ++p)
        if (has(p, x)) result.push_back(updated(p, cubes_.formulas().replace(cubes_.V()[p], {x, e})));
    return result;
}

Transformer const& Transformers::assigned(Symbol x, Formula e) {
    auto const [at, is_new] = assigned_.try_emplace({x, e});
    if (!is_new) return at->second;
    Transformer t{.V = changed(x, e)};
    for (UnitIndex u = 0; u < numbers_.size() && !reading_.literal.R10; ++u) {
        if (read(u) == x) continue;
        bool const exact = !cubes_.formulas().has(e, read(u)); // errata R10
        for (Update const& update : t.V) {
            std::uint32_t const i = numbers_[u][update.p];
            if (i != no_index) t.sets.push_back(exact ? Update{i, update.t, update.f, u} : Update{i});
        }
    }
    join(t, x);
    return at->second = std::move(t);
}

Transformer const& Transformers::drawn(UnitIndex u) {
    auto const [at, is_new] = drawn_.try_emplace(u);
    if (!is_new) return at->second;
    Symbol const Y = Formulas::symbol(remote(u).trg);
    Transformer t;
    if (units_[u].is_fetched) {
        t.V = landed(u);
    } else {
        t.V = changed(Y, cubes_.formulas().of(read(u)));
        for (Update& update : t.V) {
            update.from = u;
            if (has(update.p, read(u)) && !reading_.literal.R9) update = compared(u, update.p); // errata R9
        }
    }
    forget(t, Y);
    join(t, Y);
    return at->second = std::move(t);
}

/// p := p[set(u)] of each p that has X, when what was fetched is written to X.
std::vector<Update> Transformers::landed(UnitIndex u) {
    std::vector<Update> result;
    for (std::uint32_t p = 0; p < cubes_.V().size(); ++p)
        if (has(p, read(u))) result.push_back({p, &itself_[p].first, &itself_[p].second, u});
    return result;
}

/// What is fetched is the old Y, so it is about the values before, too: F(p[Y/X, op/Y]).
Transformer const& Transformers::modified(RemoteIndex s) {
    auto const [at, is_new] = modified_.try_emplace(s);
    if (!is_new) return at->second;
    Formulas& formulas = cubes_.formulas();
    rma::Remote const& r = remote(s);
    auto const outcomes = outcomes_of(formulas, s);
    Transformer t;
    for (std::uint32_t p = 0; p < cubes_.V().size(); ++p)
        if (has(p, Formulas::symbol(r.src)))
            t.V.push_back(updated(p, before(formulas, cubes_.V()[p], outcomes, {.Y = r.src})));
    for (std::uint32_t i = 0; i < set_predicates_.size(); ++i) {
        auto const [u, p] = set_predicates_[i];
        if (units_[u].is_fetched && units_[u].s == s)
            t.fetched.push_back(updated(i, before(formulas, cubes_.V()[p], outcomes, {.Y = r.src, .X = r.trg})));
    }
    forget(t, Formulas::symbol(r.src));
    join(t, Formulas::symbol(r.src));
    return at->second = std::move(t);
}

Transformer const& Transformers::exchanged(RemoteIndex s) {
    auto const [at, is_new] = modified_.try_emplace(s);
    if (!is_new) return at->second;
    Formulas& formulas = cubes_.formulas();
    rma::Remote const& r = formulas.graph().remotes()[s];
    auto const outcomes = outcomes_of(formulas, s);
    Exchange const exchange{r.src, r.fetches ? std::optional(r.trg) : std::nullopt};
    Transformer t;
    for (std::uint32_t p = 0; p < cubes_.V().size(); ++p)
        if (has(p, Formulas::symbol(r.src)) || has(p, Formulas::symbol(r.trg)))
            t.V.push_back(updated(p, before(formulas, cubes_.V()[p], outcomes, exchange)));
    return at->second = std::move(t);
}

/// Of p, which has X beside Y, when Y is drawn from set(s): what predicates say of X now, and of the element.
Update Transformers::compared(RemoteIndex s, std::uint32_t p) {
    if (!reading_.relational) return {p};
    Formulas& formulas = cubes_.formulas();
    if (!relational_) {
        std::vector<Formula> more;
        for (SetPredicate const& q : set_predicates_)
            more.push_back(formulas.replace(cubes_.V()[q.p], {read(q.u), formulas.of(formulas.element(q.u))}));
        relational_ = std::make_unique<Cubes>(cubes_, more);
    }
    Symbol const Y = Formulas::symbol(remote(s).trg);
    Formula const wp = formulas.replace(cubes_.V()[p], {Y, formulas.of(formulas.element(s))});
    return {p, &relational_->F(wp), &relational_->F(formulas.negated(wp))};
}

/// Y changes: set predicates that have Y beside their set.
void Transformers::forget(Transformer& t, Symbol Y) const {
    for (std::uint32_t i = 0; i < set_predicates_.size(); ++i)
        if (has(set_predicates_[i].p, Y) && !(read(set_predicates_[i].u) == Y)) t.sets.push_back({i});
}

/// The new value of X joins the sets of puts and gets that read X.
void Transformers::join(Transformer& t, Symbol X) const {
    for (std::uint32_t i = 0; i < set_predicates_.size(); ++i)
        if (UnitIndex const u = set_predicates_[i].u; !units_[u].is_fetched && read(u) == X) t.joins.push_back(i);
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
