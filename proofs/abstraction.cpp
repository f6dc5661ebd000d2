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
    : cubes_(cubes), graph_(cubes.formulas().graph()), options_(options),
      transformers_(cubes, options.model, options.sets), chains_(graph_, {}), units_(rma::units_of(graph_)),
      fetched_(graph_.remotes().size(), no_index), observed_(chains_.observed()), dead_(cubes.formulas(), cubes.V()) {
    auto const n = static_cast<std::uint32_t>(cubes.V().size());
    std::size_t const statements = graph_.program().statements.size();
    for (std::size_t p = 0; p < graph_.program().processes.size(); ++p)
        pc_.push_back(layout_.add(rma::bits_for(statements + 1)));
    for (std::uint32_t p = 0; p < n; ++p) V_.push_back(layout_.add(2));
    if (options_.model == Model::rma)
        for (UnitIndex u = 0; u < units_.size(); ++u) {
            all_.push_back(u);
            active_.push_back(layout_.add(2));
            if (units_[u].is_fetched) fetched_[units_[u].s] = u;
        }
    sets_.resize(transformers_.set_predicates().size());
    for (rma::Field& field : sets_) field = layout_.add(2);
    if (options_.mode != AbstractMode::S && !options_.splits_many) return;
    inconsistent_.resize(n);
    for (Cube const& cube : cubes.inconsistent()) {
        add_inconsistent(cube, no_index);
        for (UnitIndex const u : all_) add_inconsistent(cube, u);
    }
}

/// With u, if the cube has a predicate with a set of u. The literals of sets come last.
void Abstraction::add_inconsistent(Cube const& cube, UnitIndex u) {
    auto const n = static_cast<std::uint32_t>(V_.size());
    Inconsistent found{u, cube};
    for (Literal& l : found.others)
        if (std::uint32_t const i = transformers_.set_predicate(u, l.predicate); i != no_index) l.predicate = n + i;
    std::sort(found.others.begin(), found.others.end());
    if (u != no_index && found.others.back().predicate < n) return;
    auto const first_set =
        std::find_if(found.others.begin(), found.others.end(), [n](Literal const& l) { return l.predicate >= n; });
    if (first_set == found.others.begin()) {
        inconsistent_sets_.push_back(std::move(found));
        return;
    }
    auto const last = std::prev(first_set);
    auto& cubes = inconsistent_[last->predicate].at(last->negated ? 0 : 1);
    found.others.erase(last);
    cubes.push_back(std::move(found));
}

// ---- states

void Abstraction::pack(AbstractState const& state, rma::Word* words) const {
    for (std::size_t p = 0; p < pc_.size(); ++p) pc_[p].set(words, state.pc[p]);
    for (std::size_t u = 0; u < active_.size(); ++u) active_[u].set(words, state.active[u]);
    for (std::size_t p = 0; p < V_.size(); ++p) V_[p].set(words, static_cast<std::uint32_t>(state.V[p]));
    for (std::size_t i = 0; i < sets_.size(); ++i) sets_[i].set(words, static_cast<std::uint32_t>(state.sets[i]));
}

void Abstraction::unpack(rma::Word const* words, AbstractState& state) const {
    state.pc.resize(pc_.size());
    state.active.resize(active_.size());
    state.V.resize(V_.size());
    state.sets.resize(sets_.size());
    for (std::size_t p = 0; p < pc_.size(); ++p) state.pc[p] = pc_[p].get(words);
    for (std::size_t u = 0; u < active_.size(); ++u) state.active[u] = static_cast<std::uint8_t>(active_[u].get(words));
    for (std::size_t p = 0; p < V_.size(); ++p) state.V[p] = static_cast<Bit>(V_[p].get(words));
    for (std::size_t i = 0; i < sets_.size(); ++i) state.sets[i] = static_cast<Bit>(sets_[i].get(words));
}

std::optional<rma::StatementIndex> Abstraction::failing_assertion(AbstractState const& state) {
    for (ProcessIndex p = 0; p < state.pc.size(); ++p) {
        if (state.pc[p] == graph_.end(p)) continue;
        StatementIndex const i = graph_.at(state.pc[p]).executes;
        auto const* const c = std::get_if<rma::Assert>(&graph_.program().statements[i].c);
        if (c != nullptr && !holds(cubes_.F(expression(c->e)), state)) return i;
    }
    return std::nullopt;
}

rma::Packed Abstraction::initial() {
    rma::Program const& program = graph_.program();
    rma::Packed words(this->words(), 0);
    unpack(words.data(), here_); // nothing is active, and all bits are unknown
    for (ProcessIndex p = 0; p < pc_.size(); ++p) here_.pc[p] = program.processes[p].first;
    for (std::uint32_t p = 0; p < V_.size(); ++p) here_.V[p] = transformers_.initial(p);
    forget(here_);
    pack(here_, words.data());
    return words;
}

bool Abstraction::all_finished() const {
    for (ProcessIndex p = 0; p < here_.pc.size(); ++p)
        if (here_.pc[p] != graph_.end(p)) return false;
    return true;
}

bool Abstraction::any_active(std::vector<UnitIndex> const& S) const {
    return std::any_of(S.begin(), S.end(), [this](UnitIndex u) { return here_.active[u] > 0; });
}

/// The process that is inside of an `atomic`.
std::optional<rma::ProcessIndex> Abstraction::holder() const {
    for (ProcessIndex p = 0; p < here_.pc.size(); ++p)
        if (graph_.inside(p, here_.pc[p])) return p;
    return std::nullopt;
}

// ---- what holds

Bit Abstraction::bit(AbstractState const& state, std::uint32_t p, UnitIndex u) const {
    if (p >= V_.size()) return state.sets[p - V_.size()];
    std::uint32_t const i = transformers_.set_predicate(u, p);
    return i == no_index ? state.V[p] : state.sets[i];
}

/// With u: whether it holds with p[set(u)] in place of each p that has one.
bool Abstraction::holds(Cube const& cube, AbstractState const& state, UnitIndex u) const {
    return std::all_of(cube.begin(), cube.end(), [&](Literal const& l) {
        return bit(state, l.predicate, u) == (l.negated ? Bit::no : Bit::yes);
    });
}

bool Abstraction::holds(Cover const& cover, AbstractState const& state, UnitIndex u) const {
    return std::any_of(cover.begin(), cover.end(), [&](Cube const& cube) { return holds(cube, state, u); });
}

/// choose(t, f), in the state before the step.
Bit Abstraction::chosen(Update const& u) const {
    if (u.t == nullptr) return Bit::unknown;
    return holds(*u.t, here_, u.from) ? Bit::yes : holds(*u.f, here_, u.from) ? Bit::no : Bit::unknown;
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
    if (options_.expanded != nullptr) options_.expanded->fetch_add(1, std::memory_order_relaxed);
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
        apply(transformers_.assigned(x, e));
        move(p, at.next, result);
    };
    auto const remote = [&](RemoteIndex s) {
        rma::Remote const& r = graph_.remotes()[s];
        if (options_.model == Model::sc)
            apply(transformers_.assigned(Formulas::symbol(r.trg), cubes_.formulas().variable(r.src)));
        else
            issue(s);
        move(p, at.next, result);
    };
    auto const moves = [&] { move(p, at.next, result); };
    auto const atomic = [&](RemoteIndex s) {
        if (options_.model == Model::sc)
            apply(transformers_.exchanged(s));
        else
            count(s);
        moves();
    };
    std::visit(overloaded{
                   [&](rma::Load const& c) {
                       execute_any(chains_.write(c.X), result);
                       there_ = here_;
                       assigned(Formulas::symbol(c.u), cubes_.formulas().variable(c.X));
                   },
                   [&](rma::Store const& c) {
                       execute_any(chains_.write(c.X), result);
                       there_ = here_;
                       assigned(Formulas::symbol(c.X), expression(c.e));
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
                   [&](rma::FetchAndOp const&) { atomic(at.remote); },
                   [&](rma::CompareAndSwap const&) { atomic(at.remote); },
                   [&](rma::Accumulate const&) { atomic(at.remote); },
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
    for (Update const& u : transformers_.strengthened(taken))
        if (here_.V[u.p] == Bit::unknown) there_.V[u.p] = chosen(u);
    move(p, next, result);
}

void Abstraction::apply(Transformer const& t) {
    for (Update const& u : t.V) there_.V[u.p] = chosen(u);
    auto const& of = transformers_.set_predicates();
    for (Update const& u : t.sets)
        if (here_.active[of[u.p].u] > 0) there_.sets[u.p] = chosen(u);
    for (Update const& u : t.fetched) join(u.p, chosen(u));
    for (std::uint32_t const i : t.joins)
        if (here_.active[of[i].u] > 0) join(i, there_.V[of[i].p]);
}

/// A value of which a bit is known joins a set, or becomes it if the set was inactive.
void Abstraction::join(std::uint32_t i, Bit joining) {
    bool const is_active = here_.active[transformers_.set_predicates()[i].u] > 0;
    there_.sets[i] = !is_active || there_.sets[i] == joining ? joining : Bit::unknown;
}

void Abstraction::count(UnitIndex u) { there_.active[u] = here_.active[u] == 0 ? 1 : 2; }

/// A put or a get is issued.
void Abstraction::issue(RemoteIndex s) {
    count(s);
    for (std::uint32_t p = 0; p < V_.size(); ++p)
        if (std::uint32_t const i = transformers_.set_predicate(s, p); i != no_index) join(i, there_.V[p]);
}

/// A remote atomic is executed.
void Abstraction::fetch(RemoteIndex s) {
    apply(transformers_.modified(s));
    if (fetched_[s] != no_index) count(fetched_[s]);
}

void Abstraction::deactivate(UnitIndex u) {
    there_.active[u] = 0;
    for (std::uint32_t p = 0; p < V_.size(); ++p)
        if (std::uint32_t const i = transformers_.set_predicate(u, p); i != no_index) there_.sets[i] = Bit::unknown;
}

void Abstraction::execute_any(std::vector<UnitIndex> const& S, Expansion& result) {
    if (options_.model == Model::sc) return;
    for (UnitIndex const u : S)
        if (here_.active[u] > 0) execute(u, result);
}

void Abstraction::execute(UnitIndex u, Expansion& result) {
    there_ = here_;
    if (is_atomic(u))
        fetch(u);
    else
        apply(transformers_.drawn(u));
    if (here_.active[u] == 2) {
        AbstractState const executed = there_;
        emit(result); // many are left
        there_ = executed;
        there_.active[u] = 1;
    } else {
        deactivate(u);
    }
    emit(result);
}

// ---- the states after a step

void Abstraction::mark_dead(AbstractState const& state, std::vector<bool>& predicates) const {
    for (ProcessIndex p = 0; p < state.pc.size(); ++p)
        for (std::uint32_t const i : dead_.at(p, state.pc[p])) predicates[i] = true;
}

std::vector<bool> Abstraction::dead(AbstractState const& state) const {
    std::vector<bool> result(V_.size(), false);
    mark_dead(state, result);
    return result;
}

/// What is left out, and what is dead.
void Abstraction::forget(AbstractState& state) {
    forgotten_.assign(V_.size(), false);
    for (std::size_t i = 0; i < left_out_.size(); ++i) {
        if (!left_out_[i]) continue;
        if (i < V_.size())
            forgotten_[i] = true;
        else
            state.sets[i - V_.size()] = Bit::unknown;
    }
    mark_dead(state, forgotten_);
    for (std::size_t i = 0; i < V_.size(); ++i)
        if (forgotten_[i]) state.V[i] = Bit::unknown;
}

void Abstraction::emit(Expansion& result, Effect effect) {
    forget(there_);
    if (splits() && effect == Effect::moved) {
        if (!contradicts(inconsistent_sets_)) split(0, result);
        return;
    }
    std::size_t const begin = result.words.size();
    result.words.resize(begin + words(), 0);
    pack(there_, &result.words[begin]);
    result.edges.push_back({begin, effect});
}

bool Abstraction::splits() const {
    if (options_.mode == AbstractMode::S) return true;
    auto const& active = there_.active;
    return options_.splits_many && std::find(active.begin(), active.end(), 2) != active.end();
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
    if (forgotten_[p]) {
        split(p + 1, result);
        return;
    }
    Bit const before = there_.V[p];
    for (Bit const b : {Bit::yes, Bit::no}) {
        if (before != Bit::unknown && before != b) continue;
        auto const& cubes = inconsistent_[p].at(b == Bit::yes ? 1 : 0);
        spend(1 + cubes.size());
        there_.V[p] = b;
        if (!contradicts(cubes)) split(p + 1, result);
    }
    there_.V[p] = before;
}

/// Whether one of the cubes holds, given its last literal.
bool Abstraction::contradicts(std::vector<Inconsistent> const& cubes) const {
    return std::any_of(cubes.begin(), cubes.end(), [&](Inconsistent const& cube) {
        return (cube.u == no_index || there_.active[cube.u] > 0) && holds(cube.others, there_);
    });
}

} // namespace matchpoint::proofs
