#include "rma/explored.hpp"

#include <algorithm>
#include <stdexcept>

#include "grammar/overloaded.hpp"
#include "rma/evaluate.hpp"

namespace matchpoint::rma {

namespace {

constexpr Variable no_variable{};

/// The variable that a statement assigns to when its process executes it.
Variable assigned_by(StatementKind const& c) {
    if (auto const* const load = std::get_if<Load>(&c)) return load->u;
    if (auto const* const store = std::get_if<Store>(&c)) return store->X;
    if (auto const* const assign = std::get_if<Assign>(&c)) return assign->u;
    if (auto const* const choose = std::get_if<Choose>(&c)) return choose->u;
    return no_variable;
}

} // namespace

MachineSystem::MachineSystem(Machine const& machine, ExploreOptions const& options)
    : machine_(machine), graph_(machine.graph()), options_(options),
      pc_width_(width_for(machine.program().statements.size() + 1)),
      remote_width_(width_for(machine.graph().remotes().size() + 1)),
      is_in_invariant_(machine.program().variables.size(), 0), is_place_(machine.program().statements.size() + 1, 0) {
    Program const& p = machine.program();
    for (std::uint32_t x = 0; x < p.variables.size(); ++x)
        if (p.variables[x].kind != VariableInfo::Kind::place) packed_variables_.push_back({x});
    for (Property const& property : p.properties) {
        if (property.is_final) continue;
        has_invariants_ = true;
        for (std::uint32_t n = property.e.first; n < property.e.first + property.e.size; ++n) {
            if (p.nodes[n].kind != Node::Kind::variable) continue;
            VariableInfo const& info = p.variables[p.nodes[n].payload];
            if (info.kind == VariableInfo::Kind::place)
                is_place_[info.at] = 1;
            else
                is_in_invariant_[p.nodes[n].payload] = 1;
        }
    }
    for (StatementIndex i = 0; i < p.statements.size();
         ++i) // before an `atomic` a process stands before its first statement
        if (is_place_[graph_.at(i).executes] != 0) is_place_[i] = 1;
    here_ = there_ = machine.initial();
}

// ---- packing: pc, M, the pending reads (statement and count) with their number before them, the pending writes

void MachineSystem::pack(State const& state, std::string& out) {
    Packer packer(out);
    for (StatementIndex const pc : state.pc) packer.put(pc, pc_width_);
    for (Variable const x : packed_variables_) packer.put(values_.number(state.M[x.index]), values_.width());
    std::uint32_t reads = 0;
    for (std::uint32_t const n : state.R) reads += n > 0 ? 1 : 0;
    packer.put(reads, remote_width_);
    for (RemoteIndex s = 0; s < state.R.size(); ++s) {
        if (state.R[s] == 0) continue;
        packer.put(s, remote_width_);
        packer.put(state.R[s], 1);
    }
    for (auto const& queue : state.A) {
        for (RemoteIndex const s : queue) packer.put(s, remote_width_);
        packer.put(static_cast<RemoteIndex>(state.R.size()), remote_width_); // ends it
    }
    if (state.W.empty()) return;
    sorted_ = state.W;
    std::sort(sorted_.begin(), sorted_.end(), [this](PendingWrites const& a, PendingWrites const& b) {
        return a.s != b.s ? a.s < b.s : values_.number(a.val) < values_.number(b.val);
    });
    for (PendingWrites const& w : sorted_) {
        packer.put(w.s, remote_width_);
        packer.put(values_.number(w.val), values_.width());
        packer.put(w.count, 1);
    }
}

void MachineSystem::unpack(std::string_view text, State& state) const {
    Unpacker unpacker(text);
    for (StatementIndex& pc : state.pc) pc = unpacker.get(pc_width_);
    for (Variable const x : packed_variables_) state.M[x.index] = values_[unpacker.get(values_.width())];
    std::fill(state.R.begin(), state.R.end(), 0);
    for (std::uint32_t reads = unpacker.get(remote_width_); reads > 0; --reads) {
        RemoteIndex const s = unpacker.get(remote_width_);
        state.R[s] = unpacker.get(1);
    }
    for (auto& queue : state.A) {
        queue.clear();
        for (RemoteIndex s = unpacker.get(remote_width_); s != state.R.size(); s = unpacker.get(remote_width_))
            queue.push_back(s);
    }
    state.W.clear();
    while (!unpacker.at_end()) {
        RemoteIndex const s = unpacker.get(remote_width_);
        std::uint32_t const val = unpacker.get(values_.width());
        state.W.push_back({s, values_[val], unpacker.get(1)});
    }
}

std::string MachineSystem::initial() {
    std::string text;
    pack(machine_.initial(), text);
    return text;
}

std::string_view MachineSystem::memory_part(std::string_view state) const {
    return state.substr(here_.pc.size() * pc_width_, packed_variables_.size() * values_.width());
}

std::vector<Value> MachineSystem::memory(std::string_view memory_part) const {
    std::vector<Value> M(here_.M.size());
    Unpacker unpacker(memory_part);
    for (Variable const x : packed_variables_) M[x.index] = values_[unpacker.get(values_.width())];
    return M;
}

void MachineSystem::widen() {
    values_.widen();
    cuts_ = {};
}

// ---- what can come of a state

bool MachineSystem::expand(std::string_view state, bool reduced, Expansion& result) {
    result.clear();
    unpack(state, here_);
    look(result);
    if (reduced && ample(result)) return true;
    expand_all(result);
    return false;
}

void MachineSystem::look(Expansion& result) {
    result.is_final = machine_.is_final(here_);
    auto const& properties = machine_.program().properties;
    for (std::size_t i = 0; i < properties.size(); ++i) {
        if (properties[i].is_final && !result.is_final) continue;
        auto const v = evaluate(graph_, here_, properties[i].e);
        result.faulted = result.faulted || !v;
        if (v && v->is_false() && !result.broken) result.broken = i;
    }
}

/// Whether the next step of a process neither changes what others do nor depends on it.
bool MachineSystem::is_local(ProcessIndex p) const {
    auto const is_private = [&](Variable X) { return graph_.read(X).empty() && graph_.write(X).empty(); };
    bool const rma = machine_.model() == Model::rma;
    return std::visit(overloaded{
                          [&](Load const& c) { return graph_.write(c.X).empty(); },
                          [&](Store const& c) { return is_private(c.X); },
                          [&](Put const&) { return rma; },
                          [&](Get const&) { return rma; },
                          [](Flush const&) { return true; },
                          [](Assign const&) { return true; },
                          [](Choose const&) { return true; },
                          [](Assume const&) { return true; },
                          [](Assert const&) { return true; },
                          [](Skip const&) { return true; },
                          [](If const&) { return true; },
                          [](While const&) { return true; },
                          [](Goto const&) { return true; },
                          [](Atomic const&) { return true; },
                          [&](FetchAndOp const&) { return rma; },
                          [&](CompareAndSwap const&) { return rma; },
                          [&](Accumulate const&) { return rma; },
                      },
                      machine_.next(here_, p).c);
}

bool MachineSystem::is_seen(StatementIndex before, StatementIndex after, Variable changed) const {
    if (!has_invariants_) return false;
    return is_place_[before] != 0 || is_place_[after] != 0 ||
           (!changed.is_none() && is_in_invariant_[changed.index] != 0);
}

/// Adds the steps of one process that are enough for now. False: there are no such.
bool MachineSystem::ample(Expansion& result) {
    auto const inside = machine_.inside_atomic(here_);
    for (ProcessIndex p = 0; p < here_.pc.size(); ++p) {
        if (!machine_.steps(here_, p, inside) || !is_local(p)) continue;
        RemoteIndex const s = graph_.at(here_.pc[p]).remote;
        if (s != no_index && machine_.model() == Model::rma && here_.pending(s) >= options_.pending) continue;
        StatementKind const& c = machine_.next(here_, p).c;
        auto const* const choose = std::get_if<Choose>(&c);
        std::uint32_t const choices = choose == nullptr ? 1 : choose->last - choose->first;
        bool suits = true;
        for (std::uint32_t k = 0; k < choices && suits; ++k) {
            there_ = here_;
            Effect const effect = machine_.apply(there_, ProcessStep{p, k});
            // Who enters an `atomic` holds up the others.
            bool const enters = !inside && graph_.inside(p, there_.pc[p]);
            suits = (effect == Effect::moved || effect == Effect::failed) && !enters &&
                    !is_seen(here_.pc[p], there_.pc[p], assigned_by(c)) && in_range(assigned_by(c));
        }
        if (!suits) continue;
        for (std::uint32_t k = 0; k < choices; ++k) add_step({p, k}, result);
        return true;
    }
    return false;
}

void MachineSystem::expand_all(Expansion& result) {
    auto const inside = machine_.inside_atomic(here_);
    for (ProcessIndex p = 0; p < here_.pc.size(); ++p) {
        if (!machine_.steps(here_, p, inside)) continue;
        RemoteIndex const s = graph_.at(here_.pc[p]).remote;
        if (s != no_index && machine_.model() == Model::rma && here_.pending(s) >= options_.pending) {
            cuts_.pending = true;
            continue;
        }
        auto const* const choose = std::get_if<Choose>(&machine_.next(here_, p).c);
        std::uint32_t const choices = choose == nullptr ? 1 : choose->last - choose->first;
        for (std::uint32_t k = 0; k < choices; ++k) add_step({p, k}, result);
    }
    for (RemoteIndex s = 0; s < here_.R.size(); ++s) {
        if (here_.R[s] == 0) continue;
        Remote const& remote = graph_.remotes()[s];
        way_.assign(1, NicRead{s});
        if (options_.fused) way_.emplace_back(NicWrite{s, here_.M[remote.src.index]});
        add(options_.fused ? remote.trg : no_variable, result);
    }
    for (std::size_t i = 0; i < here_.W.size(); ++i) {
        way_.assign(1, NicWrite{here_.W[i].s, here_.W[i].val});
        add(graph_.remotes()[here_.W[i].s].trg, result);
    }
    for (auto const& queue : here_.A) {
        if (queue.empty()) continue;
        way_.assign(1, NicAtomic{queue.front()});
        add(graph_.remotes()[queue.front()].src, result);
    }
}

void MachineSystem::add_step(ProcessStep t, Expansion& result) {
    Variable changes = assigned_by(machine_.next(here_, t.p).c);
    RemoteIndex const s = graph_.at(here_.pc[t.p]).remote;
    if (s != no_index && machine_.model() == Model::sc) {
        Remote const& remote = graph_.remotes()[s];
        changes = remote.is_atomic() ? remote.src : remote.trg;
        if (remote.is_atomic() && remote.fetches && !in_range(here_.M[remote.src.index])) {
            cuts_.values = true;
            return;
        }
    }
    way_.assign(1, t);
    add(changes, result);
}

void MachineSystem::add(Variable changes, Expansion& result) {
    there_ = here_;
    Effect effect = Effect::moved;
    for (Transition const& t : way_) effect = machine_.apply(there_, t);
    add_edge(effect, changes, result);
    bool const has_changed = !changes.is_none() && !(there_.M[changes.index] == here_.M[changes.index]);
    if (options_.fused && has_changed && effect != Effect::discarded && effect != Effect::faulted)
        add_with_early_reads(changes, result);
}

/// Before a variable changes, any of the pending reads of it may be executed.
void MachineSystem::add_with_early_reads(Variable changes, Expansion& result) {
    std::vector<RemoteIndex> pending;
    for (RemoteIndex const s : graph_.read(changes))
        if (here_.R[s] > 0) pending.push_back(s);
    if (pending.empty()) return;
    Way const way = way_;
    std::vector<std::uint32_t> early(pending.size(), 0); // how many of each
    while (true) {
        std::size_t i = 0;
        for (; i < early.size() && early[i] == here_.R[pending[i]]; ++i) early[i] = 0;
        if (i == early.size()) break;
        ++early[i];
        there_ = here_;
        way_.clear();
        for (std::size_t k = 0; k < early.size(); ++k) way_.insert(way_.end(), early[k], NicRead{pending[k]});
        way_.insert(way_.end(), way.begin(), way.end());
        Effect effect = Effect::moved;
        for (Transition const& t : way_) effect = machine_.apply(there_, t);
        add_edge(effect, changes, result);
    }
}

bool MachineSystem::in_range(Variable changed) const { return changed.is_none() || in_range(there_.M[changed.index]); }

bool MachineSystem::in_range(Value const& v) const {
    if (!options_.values || !v.is_integer()) return true;
    auto const i = v.small();
    return i && *i >= options_.values->lo && *i <= options_.values->hi;
}

void MachineSystem::add_edge(Effect effect, Variable changed, Expansion& result) {
    if (!in_range(changed)) {
        cuts_.values = true;
        return;
    }
    std::size_t const begin = result.bytes.size();
    if (effect == Effect::moved || effect == Effect::failed) {
        pack(there_, packed_);
        result.bytes += packed_;
    }
    result.edges.push_back({begin, result.bytes.size(), effect});
    if (ways_ != nullptr) ways_->push_back(way_);
}

std::vector<Transition> MachineSystem::way(std::vector<std::string> const& path, bool fails) {
    std::vector<Transition> all;
    std::vector<Way> ways;
    Expansion next;
    ways_ = &ways;
    for (std::size_t i = 0; i + (fails ? 0 : 1) < path.size(); ++i) {
        ways.clear();
        expand(path[i], false, next);
        auto const leads_on = [&](Expansion::Edge const& e) {
            if (i + 1 == path.size()) return e.effect == Effect::failed;
            return (e.effect == Effect::moved || e.effect == Effect::failed) && next.next(e) == path[i + 1];
        };
        auto const found = std::find_if(next.edges.begin(), next.edges.end(), leads_on);
        if (found == next.edges.end()) throw std::logic_error("way: a state of the path does not follow");
        Way const& way = ways[static_cast<std::size_t>(found - next.edges.begin())];
        all.insert(all.end(), way.begin(), way.end());
    }
    ways_ = nullptr;
    return all;
}

} // namespace matchpoint::rma
