#include "proofs/abstraction.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/overloaded.hpp"

namespace matchpoint::proofs {

using rma::Effect;
using rma::Model;
using rma::no_index;

std::string_view to_string(AbstractMode mode) { return mode == AbstractMode::K ? "K" : "S"; }

Abstraction::Abstraction(Cubes& cubes, AbstractionOptions options)
    : cubes_(cubes), graph_(cubes.formulas().graph()), options_(options), chains_(graph_, {}),
      observed_(chains_.observed()) {
    auto const n = static_cast<std::uint32_t>(cubes.V().size());
    std::size_t const statements = graph_.program().statements.size();
    for (std::size_t p = 0; p < graph_.program().processes.size(); ++p)
        pc_.push_back(layout_.add(rma::bits_for(statements + 1)));
    for (std::uint32_t p = 0; p < n; ++p) V_.push_back(layout_.add(2));
    if (options_.model == Model::rma)
        for (RemoteIndex s = 0; s < graph_.remotes().size(); ++s) {
            all_.push_back(s);
            active_.push_back(layout_.add(2));
            set_bit_.emplace_back(n, no_index);
            for (std::uint32_t p = 0; p < n; ++p) {
                if (!has(p, src(s))) continue;
                set_bit_[s][p] = static_cast<std::uint32_t>(set_predicates_.size());
                set_predicates_.push_back({s, p});
                sets_.push_back(layout_.add(2));
            }
        }
    if (options_.mode != AbstractMode::S) return;
    inconsistent_.resize(n);
    for (Cube const& cube : cubes.inconsistent()) inconsistent_[cube.back().predicate].push_back(&cube);
}

// ---- states

void Abstraction::pack(AbstractState const& state, rma::Word* words) const {
    for (std::size_t p = 0; p < pc_.size(); ++p) pc_[p].set(words, state.pc[p]);
    for (std::size_t s = 0; s < active_.size(); ++s) active_[s].set(words, state.active[s]);
    for (std::size_t p = 0; p < V_.size(); ++p) V_[p].set(words, static_cast<std::uint32_t>(state.V[p]));
    for (std::size_t i = 0; i < sets_.size(); ++i) sets_[i].set(words, static_cast<std::uint32_t>(state.sets[i]));
}

void Abstraction::unpack(rma::Word const* words, AbstractState& state) const {
    state.pc.resize(pc_.size());
    state.active.resize(active_.size());
    state.V.resize(V_.size());
    state.sets.resize(sets_.size());
    for (std::size_t p = 0; p < pc_.size(); ++p) state.pc[p] = pc_[p].get(words);
    for (std::size_t s = 0; s < active_.size(); ++s) state.active[s] = static_cast<std::uint8_t>(active_[s].get(words));
    for (std::size_t p = 0; p < V_.size(); ++p) state.V[p] = static_cast<Bit>(V_[p].get(words));
    for (std::size_t i = 0; i < sets_.size(); ++i) state.sets[i] = static_cast<Bit>(sets_[i].get(words));
}

rma::Packed Abstraction::initial() {
    Formulas& formulas = cubes_.formulas();
    rma::Program const& program = graph_.program();
    rma::Packed words(this->words(), 0);
    unpack(words.data(), here_); // nothing is active, and all bits are unknown
    for (ProcessIndex p = 0; p < pc_.size(); ++p) here_.pc[p] = program.processes[p].first;
    for (std::size_t p = 0; p < V_.size(); ++p) {
        std::vector<Formulas::Replacement> values;
        for (Symbol const x : formulas.symbols(cubes_.V()[p]))
            values.emplace_back(x, formulas.value(program.variables[x.index].initial));
        Formula const f = formulas.replace(cubes_.V()[p], values);
        here_.V[p] = formulas.is_true(f) ? Bit::yes : formulas.is_false(f) ? Bit::no : Bit::unknown;
    }
    pack(here_, words.data());
    return words;
}

bool Abstraction::all_finished() const {
    for (ProcessIndex p = 0; p < here_.pc.size(); ++p)
        if (here_.pc[p] != graph_.end(p)) return false;
    return true;
}

bool Abstraction::any_active(std::vector<RemoteIndex> const& S) const {
    return std::any_of(S.begin(), S.end(), [this](RemoteIndex s) { return here_.active[s] > 0; });
}

/// The process that is inside of an `atomic`.
std::optional<rma::ProcessIndex> Abstraction::holder() const {
    for (ProcessIndex p = 0; p < here_.pc.size(); ++p)
        if (graph_.inside(p, here_.pc[p])) return p;
    return std::nullopt;
}

// ---- what holds

Bit Abstraction::bit(AbstractState const& state, std::uint32_t p, RemoteIndex s) const {
    bool const of_set = s != no_index && set_bit_[s][p] != no_index;
    return of_set ? state.sets[set_bit_[s][p]] : state.V[p];
}

/// With s: whether it holds with the predicates of set(s) in place of those of src(s).
bool Abstraction::holds(Cube const& cube, AbstractState const& state, RemoteIndex s) const {
    return std::all_of(cube.begin(), cube.end(), [&](Literal const& l) {
        return bit(state, l.predicate, s) == (l.negated ? Bit::no : Bit::yes);
    });
}

bool Abstraction::holds(Cover const& cover, AbstractState const& state, RemoteIndex s) const {
    return std::any_of(cover.begin(), cover.end(), [&](Cube const& cube) { return holds(cube, state, s); });
}

/// choose(t, f), in the state before the step.
Bit Abstraction::chosen(Update const& u, RemoteIndex s) const {
    return holds(*u.t, here_, s) ? Bit::yes : holds(*u.f, here_, s) ? Bit::no : Bit::unknown;
}

/// F(p[e/x]) and F(not p[e/x]) of each p that has x.
std::vector<Abstraction::Update> const& Abstraction::updates(Symbol x, Formula e) {
    auto const [at, is_new] = updates_.try_emplace({x, e});
    if (!is_new) return at->second;
    Formulas& formulas = cubes_.formulas();
    std::vector<Update> result;
    for (std::uint32_t p = 0; p < V_.size(); ++p) {
        if (!has(p, x)) continue;
        Formula const wp = formulas.replace(cubes_.V()[p], {x, e});
        result.push_back({p, &cubes_.F(wp), &cubes_.F(formulas.negated(wp))});
    }
    return at->second = std::move(result);
}

/// F(taken => p) and F(taken => not p) of each p that shares a variable with the condition.
std::vector<Abstraction::Update> const& Abstraction::strengthened(Formula taken) {
    auto const [at, is_new] = strengthened_.try_emplace(taken);
    if (!is_new) return at->second;
    Formulas& formulas = cubes_.formulas();
    std::vector<Update> result;
    for (std::uint32_t p = 0; p < V_.size(); ++p) {
        auto const& symbols = formulas.symbols(taken);
        if (std::none_of(symbols.begin(), symbols.end(), [&](Symbol x) { return has(p, x); })) continue;
        Formula const f = cubes_.V()[p];
        result.push_back({p, &cubes_.F(formulas.apply(Op::implies, taken, f)),
                          &cubes_.F(formulas.apply(Op::implies, taken, formulas.negated(f)))});
    }
    return at->second = std::move(result);
}

/// An expression of a statement.
Formula Abstraction::expression(Expression e) {
    auto const [at, is_new] = expressions_.try_emplace(e.root());
    if (is_new) at->second = cubes_.formulas().with_places(e);
    return at->second;
}

/// One of a property, here.
Formula Abstraction::with_places(Expression e) {
    return cubes_.formulas().of(e, [this](Variable x) {
        rma::VariableInfo const& info = graph_.program()[x];
        return graph_.stands_before(here_.pc[info.process], info.at);
    });
}

void Abstraction::look(Expansion& result) {
    result.is_final = all_finished() && !any_active(all_);
    auto const& properties = graph_.program().properties;
    for (std::size_t i = 0; i < properties.size() && !result.broken; ++i) {
        if (properties[i].is_final && !result.is_final) continue;
        if (!holds(cubes_.F(with_places(properties[i].e)), here_)) result.broken = i;
    }
}

// ---- steps

bool Abstraction::expand(rma::Word const* state, bool, Expansion& result) {
    spend(64);
    result.clear();
    unpack(state, here_);
    look(result);
    auto const inside = holder();
    for (ProcessIndex p = 0; p < here_.pc.size(); ++p)
        if (here_.pc[p] != graph_.end(p) && (!inside || *inside == p)) step(p, result);
    execute_any(all_finished() ? all_ : observed_, result);
    return false;
}

void Abstraction::step(ProcessIndex p, Expansion& result) {
    rma::Successors const& at = graph_.at(here_.pc[p]);
    there_ = here_;
    auto const assigned = [&](Symbol x, Formula e) {
        assign(x, e);
        move(p, at.next, result);
    };
    auto const remote = [&](RemoteIndex s) {
        if (options_.model == Model::sc)
            assign(trg(s), cubes_.formulas().of(src(s)));
        else
            issue(s);
        move(p, at.next, result);
    };
    auto const moves = [&] { move(p, at.next, result); };
    std::visit(overloaded{
                   [&](rma::Load const& c) {
                       execute_any(chains_.write(c.X), result);
                       there_ = here_;
                       assigned(Formulas::symbol(c.u), cubes_.formulas().variable(c.X));
                   },
                   [&](rma::Store const& c) {
                       execute_any(chains_.write(c.X), result);
                       there_ = here_;
                       assign(Formulas::symbol(c.X), expression(c.e));
                       join(Formulas::symbol(c.X));
                       moves();
                   },
                   [&](rma::Put const&) { remote(at.remote); },
                   [&](rma::Get const&) { remote(at.remote); },
                   [&](rma::Flush const& c) {
                       auto const waits_for = chains_.remote(p, c.pid);
                       if (options_.model == Model::rma && any_active(waits_for))
                           execute_any(chains_.of(waits_for), result);
                       else
                           moves();
                   },
                   [&](rma::Assign const& c) { assigned(Formulas::symbol(c.u), expression(c.e)); },
                   [&](rma::Choose const& c) {
                       for (std::uint32_t k = c.first; k < c.last; ++k) {
                           there_ = here_;
                           assigned(Formulas::symbol(c.u), cubes_.formulas().value(graph_.program().choices[k]));
                       }
                   },
                   [&](rma::Assume const& c) { branch(p, expression(c.e), at.next, result); },
                   [&](rma::Assert const& c) {
                       result.may_assert = true;
                       bool const passes = holds(cubes_.F(expression(c.e)), here_);
                       move(p, at.next, result, passes ? Effect::moved : Effect::failed);
                   },
                   [&](rma::If const& c) {
                       branch(p, expression(c.e), at.next, result);
                       branch(p, cubes_.formulas().negated(expression(c.e)), at.otherwise, result);
                   },
                   [&](rma::While const& c) {
                       branch(p, expression(c.e), at.next, result);
                       branch(p, cubes_.formulas().negated(expression(c.e)), at.otherwise, result);
                   },
                   [&](rma::Skip const&) { moves(); },
                   [&](rma::Goto const&) { moves(); },
                   [&](rma::Atomic const&) { moves(); },
                   [](rma::FetchAndOp const&) {}, // the constructor wants programs without these
                   [](rma::CompareAndSwap const&) {},
                   [](rma::Accumulate const&) {},
               },
               graph_.program().statements[at.executes].c);
}

void Abstraction::move(ProcessIndex p, StatementIndex next, Expansion& result, Effect effect) {
    there_.pc[p] = next;
    emit(result, effect);
}

/// The branch in which a condition holds.
void Abstraction::branch(ProcessIndex p, Formula taken, StatementIndex next, Expansion& result) {
    if (holds(cubes_.F(cubes_.formulas().negated(taken)), here_)) return;
    there_ = here_;
    for (Update const& u : strengthened(taken))
        if (here_.V[u.p] == Bit::unknown) there_.V[u.p] = chosen(u);
    move(p, next, result);
}

/// x := e, without what joins sets.
void Abstraction::assign(Symbol x, Formula e) {
    auto const& all = updates(x, e);
    for (Update const& u : all) there_.V[u.p] = chosen(u);
    for (RemoteIndex const s : all_) {
        if (here_.active[s] == 0 || src(s) == x) continue;
        bool const exact = !cubes_.formulas().has(e, src(s)); // errata R10
        for (Update const& u : all) {
            std::uint32_t const i = set_bit_[s][u.p];
            if (i != no_index && !options_.literal.R10) there_.sets[i] = exact ? chosen(u, s) : Bit::unknown;
        }
    }
}

/// Y := an element of set(s)
void Abstraction::draw(RemoteIndex s) {
    Symbol const Y = trg(s);
    for (Update const& u : updates(Y, cubes_.formulas().of(src(s)))) {
        bool const of_both = has(u.p, src(s)); // errata R9
        there_.V[u.p] = of_both && !options_.literal.R9 ? Bit::unknown : chosen(u, s);
    }
    for (std::size_t i = 0; i < set_predicates_.size(); ++i) {
        SetPredicate const& q = set_predicates_[i];
        if (has(q.p, Y) && !(src(q.s) == Y)) there_.sets[i] = Bit::unknown;
    }
    join(Y);
}

/// The new value of X joins set(q) of every active q that reads X.
void Abstraction::join(Symbol X) {
    for (std::size_t i = 0; i < set_predicates_.size(); ++i)
        if (src(set_predicates_[i].s) == X && there_.active[set_predicates_[i].s] > 0) join(i);
}

void Abstraction::join(std::size_t i) {
    if (there_.sets[i] != there_.V[set_predicates_[i].p]) there_.sets[i] = Bit::unknown;
}

void Abstraction::issue(RemoteIndex s) {
    bool const joins = here_.active[s] > 0;
    there_.active[s] = joins ? 2 : 1;
    for (std::size_t i = 0; i < set_predicates_.size(); ++i) {
        if (set_predicates_[i].s != s) continue;
        if (joins)
            join(i);
        else
            there_.sets[i] = there_.V[set_predicates_[i].p];
    }
}

void Abstraction::deactivate(RemoteIndex s) {
    there_.active[s] = 0;
    for (std::size_t i = 0; i < set_predicates_.size(); ++i)
        if (set_predicates_[i].s == s) there_.sets[i] = Bit::unknown;
}

void Abstraction::execute_any(std::vector<RemoteIndex> const& S, Expansion& result) {
    if (options_.model == Model::sc) return;
    for (RemoteIndex const s : S)
        if (here_.active[s] > 0) execute(s, result);
}

void Abstraction::execute(RemoteIndex s, Expansion& result) {
    there_ = here_;
    draw(s);
    if (here_.active[s] == 2) {
        AbstractState const drawn = there_;
        emit(result); // many are left
        there_ = drawn;
        there_.active[s] = 1;
    } else {
        deactivate(s);
    }
    emit(result);
}

// ---- the states after a step

void Abstraction::emit(Expansion& result, Effect effect) {
    if (options_.mode == AbstractMode::S && effect == Effect::moved) {
        split(0, result);
        return;
    }
    std::size_t const begin = result.words.size();
    result.words.resize(begin + words(), 0);
    pack(there_, &result.words[begin]);
    result.edges.push_back({begin, effect});
}

/// All values of the predicates from p on. Recurses as deep as there are predicates.
void Abstraction::split(std::uint32_t p, Expansion& result) {
    if (p == V_.size()) {
        std::size_t const begin = result.words.size();
        result.words.resize(begin + words(), 0);
        pack(there_, &result.words[begin]);
        result.edges.push_back({begin, Effect::moved});
        return;
    }
    spend(1 + inconsistent_[p].size());
    Bit const before = there_.V[p];
    for (Bit const b : {Bit::yes, Bit::no}) {
        if (before != Bit::unknown && before != b) continue;
        there_.V[p] = b;
        if (!contradicts(p)) split(p + 1, result);
    }
    there_.V[p] = before;
}

/// Whether an inconsistent cube whose last predicate is p holds, for the variables or for a set that is read.
bool Abstraction::contradicts(std::uint32_t p) const {
    return std::any_of(inconsistent_[p].begin(), inconsistent_[p].end(), [&](Cube const* cube) {
        return holds(*cube, there_) || std::any_of(all_.begin(), all_.end(), [&](RemoteIndex s) {
                   return there_.active[s] > 0 && holds(*cube, there_, s);
               });
    });
}

} // namespace matchpoint::proofs
