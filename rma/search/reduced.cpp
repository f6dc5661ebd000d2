#include "rma/search/reduced.hpp"

#include <algorithm>
#include <numeric>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "rma/machine/evaluate.hpp"
#include "rma/machine/rules.hpp"

namespace matchpoint::rma {

namespace {

/// In the order of `literal_names`.
constexpr bool Literal::*literal_flags[] = {&Literal::R2, &Literal::R3, &Literal::R4, &Literal::R5,
                                            &Literal::R7, &Literal::R8, &Literal::R11};

} // namespace

bool set_literal(Literal& literal, std::string_view name) {
    for (std::size_t i = 0; i < std::size(literal_flags); ++i) {
        if (literal_names[i] != name) continue;
        literal.*literal_flags[i] = true;
        return true;
    }
    return false;
}

std::vector<std::string_view> entries_of(Literal const& literal) {
    std::vector<std::string_view> entries;
    for (std::size_t i = 0; i < std::size(literal_flags); ++i)
        if (literal.*literal_flags[i]) entries.push_back(literal_names[i]);
    return entries;
}

std::string_view why_not_literal(Graph const& graph, Literal const& literal) {
    if (!graph.has_atomics() || entries_of(literal).empty()) return {};
    return "the paper has no remote atomics, so it says nothing of them that can be read literally";
}

std::vector<Unit> units_of(Graph const& graph) {
    std::vector<Unit> units;
    for (RemoteIndex s = 0; s < graph.remotes().size(); ++s) units.push_back({s});
    for (RemoteIndex s = 0; s < graph.remotes().size(); ++s)
        if (Remote const& remote = graph.remotes()[s]; remote.is_atomic() && remote.fetches) units.push_back({s, true});
    return units;
}

namespace {

std::vector<UnitIndex> numbers_of(std::vector<Unit> const& units) {
    std::vector<UnitIndex> all(units.size());
    std::iota(all.begin(), all.end(), UnitIndex{0});
    return all;
}

} // namespace

// ---- Section 3.1: chains

Chains::Chains(Graph const& graph, Literal const& literal) : graph_(graph), literal_(literal), units_(units_of(graph)) {
    if (graph.has_atomics()) {
        write_.resize(graph.program().variables.size());
        return;
    }
    for (std::uint32_t x = 0; x < graph.program().variables.size(); ++x) {
        spend(graph.remotes().size() + graph.program().variables.size());
        write_.push_back(of(graph.write({x})));
    }
}

/// chain(S): s1 o s2 iff trg(s1) is src(s2) or trg(s2). It contains S, since s o s.
std::vector<UnitIndex> Chains::of(std::vector<UnitIndex> const& S) const {
    if (graph_.has_atomics()) return numbers_of(units_);
    if (literal_.R11) return S;
    std::vector<char> in(graph_.remotes().size(), 0);
    std::vector<char> seen(graph_.program().variables.size(), 0); // its writers are in
    std::vector<UnitIndex> result = S;
    for (RemoteIndex const s : S) in[s] = 1;
    for (std::size_t i = 0; i < result.size(); ++i) {
        Remote const& s2 = graph_.remotes()[result[i]];
        for (Variable const x : {s2.src, s2.trg}) {
            if (seen[x.index] != 0) continue;
            seen[x.index] = 1;
            for (RemoteIndex const s1 : graph_.write(x)) {
                if (in[s1] != 0) continue;
                in[s1] = 1;
                result.push_back(s1);
            }
        }
        spend();
    }
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<UnitIndex> Chains::remote(ProcessIndex p, ProcessIndex pid) const {
    std::vector<UnitIndex> result;
    for (UnitIndex u = 0; u < units_.size(); ++u) {
        Remote const& remote = graph_.remotes()[units_[u].s];
        if (remote.process == p && remote.to == pid) result.push_back(u);
    }
    return result;
}

std::vector<UnitIndex> Chains::observed() const {
    if (graph_.has_atomics()) return numbers_of(units_);
    Program const& p = graph_.program();
    std::vector<char> seen(p.variables.size(), 0);
    std::vector<RemoteIndex> writers;
    for (Property const& property : p.properties) {
        if (property.is_final) continue;
        for (std::uint32_t n = property.e.first; n < property.e.first + property.e.size; ++n) {
            if (p.nodes[n].kind != Node::Kind::variable || seen[p.nodes[n].payload] != 0) continue;
            seen[p.nodes[n].payload] = 1;
            auto const& write = graph_.write({p.nodes[n].payload});
            writers.insert(writers.end(), write.begin(), write.end());
        }
    }
    return of(writers);
}

// ---- the system

ReducedSystem::ReducedSystem(Graph const& graph, Literal const& literal, std::optional<ValueRange> values)
    : graph_(graph), machine_(graph, Model::sc), literal_(literal), range_(values), units_(units_of(graph)),
      fetched_(graph.remotes().size(), no_index), all_(numbers_of(units_)) {
    for (UnitIndex const u : all_) {
        RemoteIndex const s = units_[u].s;
        set_of_.push_back(literal.R4 ? graph.read(graph.remotes()[s].src).front() : u); // errata R4
        if (units_[u].is_fetched) fetched_[s] = u;
    }
    for (Property const& property : graph.program().properties) has_invariants_ = has_invariants_ || !property.is_final;
    here_.base = initial_state(graph);
    here_.active.assign(all_.size(), 0);
    here_.sets.resize(all_.size());
    there_ = here_;
}

void ReducedSystem::prepare() {
    if (!chains_) {
        chains_.emplace(graph_, literal_);
        observed_ = chains_->observed();
    }
    fields_.emplace(graph_, values_.bits(), 0);
    active_.clear();
    set_.clear();
    for (std::size_t s = 0; s < all_.size(); ++s) {
        active_.push_back(fields_->layout.add(2));
        set_.push_back(fields_->layout.add(sets_.bits()));
    }
}

void ReducedSystem::pack(ReducedState const& state, Word* words) {
    fields_->pack(state.base, values_, words);
    for (UnitIndex const s : all_) {
        active_[s].set(words, state.active[s]);
        set_[s].set(words, sets_.number(state.sets[s]));
    }
}

void ReducedSystem::unpack(Word const* words, ReducedState& state) const {
    fields_->unpack(words, values_, state.base);
    for (UnitIndex const s : all_) {
        state.active[s] = static_cast<std::uint8_t>(active_[s].get(words));
        state.sets[s] = sets_[set_[s].get(words)];
    }
}

Packed ReducedSystem::initial() {
    ReducedState state = here_;
    state.base = initial_state(graph_);
    std::fill(state.active.begin(), state.active.end(), std::uint8_t{0});
    for (Set& set : state.sets) set.clear();
    Packed words(this->words(), 0);
    pack(state, words.data());
    return words;
}

void ReducedSystem::widen() {
    if (!sets_.widen()) values_.widen();
}

bool ReducedSystem::all_finished() const {
    for (ProcessIndex p = 0; p < here_.base.pc.size(); ++p)
        if (here_.base.pc[p] != graph_.end(p)) return false;
    return true;
}

bool ReducedSystem::any_active(std::vector<UnitIndex> const& S) const {
    return std::any_of(S.begin(), S.end(), [this](UnitIndex u) { return here_.active[u] > 0; });
}

void ReducedSystem::look(Expansion& result) {
    result.is_final = all_finished() && (literal_.R5 || !any_active(all_)); // errata R5
    auto const& properties = graph_.program().properties;
    for (std::size_t i = 0; i < properties.size(); ++i) {
        if (properties[i].is_final && !result.is_final) continue;
        auto const v = evaluate(graph_, here_.base, properties[i].e);
        result.faulted = result.faulted || !v;
        if (v && v->is_false() && !result.broken) result.broken = i;
    }
}

bool ReducedSystem::expand(Word const* state, bool reduced, Expansion& result) {
    result.clear();
    unpack(state, here_);
    look(result);
    for (ProcessIndex p = 0; p < here_.base.pc.size(); ++p)
        if (here_.base.pc[p] != graph_.end(p) && std::holds_alternative<Assert>(machine_.next(here_.base, p).c))
            result.may_assert = true;
    if (reduced && ample(result)) return true;
    auto const inside = machine_.inside_atomic(here_.base);
    for (ProcessIndex p = 0; p < here_.base.pc.size(); ++p)
        if (here_.base.pc[p] != graph_.end(p) && (!inside || *inside == p)) step(p, result);
    if (all_finished() && !literal_.R5)
        execute_any(all_, true, result);
    else
        execute_any(observed_, true, result);
    return false;
}

bool ReducedSystem::ample(Expansion& result) {
    if (has_invariants_) return false;
    auto const inside = machine_.inside_atomic(here_.base);
    for (ProcessIndex p = 0; p < here_.base.pc.size(); ++p) {
        if (!machine_.steps(here_.base, p, inside) || !graph_.is_private(machine_.next(here_.base, p).c)) continue;
        step(p, result);
        bool const suits = std::all_of(result.edges.begin(), result.edges.end(), [](Expansion::Edge const& e) {
            return e.effect == Effect::moved || e.effect == Effect::failed;
        });
        // Who enters an `atomic` holds up the others.
        if (suits && !result.edges.empty() && (inside || !graph_.inside(p, there_.base.pc[p]))) return true;
        result.edges.clear();
        result.words.clear();
    }
    return false;
}

/// Table 2: what a process does next, and the remote operations that it may execute before.
void ReducedSystem::step(ProcessIndex p, Expansion& result) {
    StatementKind const& c = machine_.next(here_.base, p).c;
    Variable changed{};
    bool moves = true;
    std::visit(overloaded{
                   [&](Load const& load) {
                       if (!literal_.R3) execute_any(chains_->write(load.X), true, result); // errata R3
                       changed = load.u;
                   },
                   [&](Store const& store) {
                       execute_any(chains_->write(store.X), true, result);
                       changed = store.X;
                   },
                   [&](Flush const& flush) {
                       auto const remote = chains_->remote(p, flush.pid);
                       moves = !any_active(remote);
                       if (!moves) execute_any(chains_->of(remote), !literal_.R2, result); // errata R2
                   },
                   [&](Assign const& assign) { changed = assign.u; },
                   [](Put const&) {},
                   [](Get const&) {},
                   [](Choose const&) {},
                   [](Assume const&) {},
                   [](Assert const&) {},
                   [](Skip const&) {},
                   [](If const&) {},
                   [](While const&) {},
                   [](Goto const&) {},
                   [](Atomic const&) {},
                   [](FetchAndOp const&) {},
                   [](CompareAndSwap const&) {},
                   [](Accumulate const&) {},
               },
               c);
    if (!moves) return;
    auto const* const choose = std::get_if<Choose>(&c);
    std::uint32_t const choices = choose == nullptr ? 1 : choose->last - choose->first;
    RemoteIndex const s = graph_.at(here_.base.pc[p]).remote;
    for (std::uint32_t k = 0; k < choices; ++k) {
        there_ = here_;
        Effect effect = Effect::moved;
        if (s != no_index) {
            if (graph_.remotes()[s].is_atomic())
                count(there_, s);
            else
                issue(there_, s, values_.number(there_.base.M[graph_.remotes()[s].src.index]));
            there_.base.pc[p] = graph_.at(here_.base.pc[p]).next;
        } else {
            effect = machine_.apply(there_.base, ProcessStep{p, k});
        }
        if (std::holds_alternative<Store>(c) && effect == Effect::moved)
            join(there_, changed, values_.number(there_.base.M[changed.index]));
        add(effect, changed, result);
    }
}

/// put, get s:  if active(s) = 0: active(s) := 1, set(s) := {src(s)}; else active(s) := many, src(s) joins set(s).
/// When an atomic is executed, the old value of Y is e, and is issued like this.
void ReducedSystem::issue(ReducedState& state, UnitIndex u, std::uint32_t e) const {
    auto& set = state.sets[set_of(u)];
    if (state.active[u] == 0)
        set.clear(); // errata R4: with one set per variable, this loses what another one may write
    count(state, u);
    auto const at = std::lower_bound(set.begin(), set.end(), e);
    if (at == set.end() || *at != e) set.insert(at, e);
}

void ReducedSystem::count(ReducedState& state, UnitIndex u) const {
    state.active[u] = state.active[u] == 0 || literal_.R7 ? 1 : 2; // errata R7
}

/// e joins set(q) for every q in read(X) with active(q) > 0
void ReducedSystem::join(ReducedState& state, Variable X, std::uint32_t e) const {
    for (RemoteIndex const q : graph_.read(X)) {
        if (state.active[q] == 0 || is_atomic(q)) continue;
        auto& set = state.sets[set_of(q)];
        auto const at = std::lower_bound(set.begin(), set.end(), e);
        if (at == set.end() || *at != e) set.insert(at, e);
    }
}

/// A set that is no longer drawn from is forgotten: it is reset before it is used again.
void ReducedSystem::deactivate(ReducedState& state, UnitIndex u) const {
    state.active[u] = 0;
    for (UnitIndex const q : all_)
        if (set_of(q) == set_of(u) && state.active[q] > 0) return;
    state.sets[set_of(u)].clear();
}

/// Executes some unit of S that is active, in all ways.
void ReducedSystem::execute_any(std::vector<UnitIndex> const& S, bool adds, Expansion& result) {
    for (UnitIndex const u : S) {
        if (here_.active[u] == 0) continue;
        if (is_atomic(u))
            execute_atomic(u, result);
        else
            for (std::uint32_t const e : here_.sets[set_of(u)]) execute(u, e, adds, result);
    }
}

/// execute(s): trg(s) := e, an element of set(s); e joins the sets of those that read trg(s)
void ReducedSystem::execute(UnitIndex u, std::uint32_t e, bool adds, Expansion& result) {
    Variable const trg = graph_.remotes()[units_[u].s].trg;
    there_ = here_;
    there_.base.M[trg.index] = values_[e];
    if (adds) join(there_, trg, e);
    executed(u, trg, result);
}

/// The same of an atomic: Y := Y op Z, which joins the sets of those that read Y; the old Y is to be written to X
void ReducedSystem::execute_atomic(RemoteIndex s, Expansion& result) {
    Variable const Y = graph_.remotes()[s].src;
    there_ = here_;
    if (graph_.remotes()[s].fetches) issue(there_, fetched_[s], values_.number(here_.base.M[Y.index]));
    there_.base.M[Y.index] = modified(graph_, here_.base, s);
    join(there_, Y, values_.number(there_.base.M[Y.index]));
    executed(s, Y, result);
}

/// active(s): 1 -> 0, many -> many or 1
void ReducedSystem::executed(UnitIndex u, Variable changed, Expansion& result) {
    bool const stays = here_.active[u] == 2 || literal_.R7;
    if (stays) add(Effect::moved, changed, result);
    if (here_.active[u] == 2)
        there_.active[u] = 1;
    else
        deactivate(there_, u);
    add(Effect::moved, changed, result);
}

void ReducedSystem::add(Effect effect, Variable changed, Expansion& result) {
    if (range_ && !changed.is_none() && there_.base.M[changed.index].is_integer()) {
        auto const i = there_.base.M[changed.index].small();
        if (!i || *i < range_->lo || *i > range_->hi) {
            result.cuts.values = true;
            return;
        }
    }
    std::size_t const begin = result.words.size();
    if (effect == Effect::moved || effect == Effect::failed) {
        result.words.resize(begin + words(), 0);
        pack(there_, &result.words[begin]);
    }
    result.edges.push_back({begin, effect});
}

} // namespace matchpoint::rma
