#include "rma/search/explored.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/limits.hpp"
#include "rma/machine/accesses.hpp"

namespace matchpoint::rma {

namespace {

constexpr std::uint32_t room_at_first = 4;

bool goes_on(Effect effect) { return effect == Effect::moved || effect == Effect::failed; }

} // namespace

MachineSystem::MachineSystem(Machine const& machine, ExploreOptions const& options)
    : machine_(machine), graph_(machine.graph()), options_(options), room_(std::min(options.pending, room_at_first)),
      is_in_invariant_(machine.program().variables.size(), 0), is_place_(machine.program().statements.size() + 1, 0) {
    find_seen();
}

void MachineSystem::find_seen() {
    Program const& p = machine_.program();
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
    // A process before an `atomic` is before its first statement.
    for (StatementIndex i = 0; i < p.statements.size(); ++i)
        if (is_place_[graph_.at(i).executes] != 0) is_place_[i] = 1;
}

// ---- tables

void MachineSystem::prepare() {
    Program const& p = machine_.program();
    tables_.emplace(machine_, values_, machine_.model() == Model::rma ? room_ : 0);
    for (ProcessIndex i = 0; i < p.processes.size(); ++i) {
        auto& places = tables_->places.emplace_back();
        for (StatementIndex pc = p.processes[i].first; pc <= p.processes[i].last; ++pc) places.push_back(place(i, pc));
    }
    for (RemoteIndex s = 0; s < graph_.remotes().size(); ++s) {
        spend();
        tables_->read.push_back(tables_->moves.add_read(s));
        tables_->write.push_back(tables_->moves.add_write(s));
        tables_->read_and_write.push_back(tables_->moves.add_read_and_write(s));
        tables_->atomic.push_back(graph_.remotes()[s].is_atomic() ? tables_->moves.add_atomic(s) : no_index);
    }
    for (Property const& property : p.properties)
        tables_->properties.push_back(tables_->moves.add_question(property.e));
    find_final();
    at_.resize(p.processes.size());
    scratch_.resize(words());
}

MachineSystem::Place MachineSystem::place(ProcessIndex p, StatementIndex pc) {
    spend();
    Place here{pc};
    here.is_end = pc == graph_.end(p);
    if (here.is_end) return here;
    here.is_seen = is_place_[pc] != 0;
    Successors const& at = graph_.at(pc);
    StatementKind const& c = machine_.program().statements[at.executes].c;
    here.is_inside = at.inside;
    here.asserts = std::holds_alternative<Assert>(c);
    bool const is_remote = at.remote != no_index;
    here.is_local = is_remote ? machine_.model() == Model::rma // then it only adds a pending operation
                              : std::holds_alternative<Flush>(c) || graph_.is_private(c);
    here.assigns = assigned_by(c);
    if (is_remote && machine_.model() == Model::rma) here.issues = at.remote;
    if (is_remote && machine_.model() == Model::sc) {
        Remote const& remote = graph_.remotes()[at.remote];
        here.assigns = remote.is_atomic() ? remote.src : remote.trg;
        if (remote.is_atomic() && remote.fetches) here.fetches = remote.trg;
    }
    auto const* const choose = std::get_if<Choose>(&c);
    here.choices = choose == nullptr ? 1 : choose->last - choose->first;
    for (std::uint32_t k = 0; k < here.choices; ++k) {
        Moves::Action const action = tables_->moves.add_step(p, pc, k);
        if (k == 0) here.first = action;
    }
    here.waits = waits(p, pc);
    return here;
}

/// Which pending operations keep a process from its step. Every flush of a process for the same one waits for the same.
MachineSystem::Waits const& MachineSystem::waits(ProcessIndex p, StatementIndex pc) {
    auto const* const flush = std::get_if<Flush>(&machine_.program().statements[graph_.at(pc).executes].c);
    if (flush == nullptr) return tables_->waits_of_nothing;
    auto const [at, is_new] = tables_->waits_of_flushes.try_emplace({p, flush->pid});
    if (is_new) at->second = find_waits(p, pc);
    return at->second;
}

/// The machine is asked about each of them alone.
MachineSystem::Waits MachineSystem::find_waits(ProcessIndex p, StatementIndex pc) {
    Packed masks(tables_->fields.layout.words(), 0);
    State one = machine_.initial();
    one.pc[p] = pc;
    if (machine_.model() == Model::rma)
        for (RemoteIndex s = 0; s < graph_.remotes().size(); ++s) {
            spend(1 + one.A.size());
            bool const is_atomic = graph_.remotes()[s].is_atomic();
            if (is_atomic)
                one.A[graph_.remotes()[s].queue].push_back(s);
            else
                one.add_read(s);
            bool const steps = machine_.steps(one, p, std::nullopt);
            if (is_atomic)
                one.A[graph_.remotes()[s].queue].clear();
            else
                one.remove_read(s);
            if (steps) continue;
            for (Field const& f : tables_->fields.operations(s)) masks[f.word] |= f.mask << f.shift;
        }
    Waits result;
    for (std::uint32_t i = 0; i < masks.size(); ++i)
        if (masks[i] != 0) result.emplace_back(i, masks[i]);
    return result;
}

/// Every process has finished, and nothing is pending.
void MachineSystem::find_final() {
    PackedStates const& fields = tables_->fields;
    Packed masks(words(), 0);
    Packed values(words(), 0);
    for (ProcessIndex p = 0; p < tables_->places.size(); ++p) {
        Field const& pc = fields.pc(p);
        masks[pc.word] |= pc.mask << pc.shift;
        pc.set(values.data(), static_cast<std::uint32_t>(tables_->places[p].size() - 1));
    }
    if (machine_.model() == Model::rma)
        for (RemoteIndex s = 0; s < graph_.remotes().size(); ++s)
            for (Field const& f : fields.operations(s)) masks[f.word] |= f.mask << f.shift;
    for (std::size_t i = 0; i < masks.size(); ++i) tables_->final_words.push_back({masks[i], values[i]});
}

Packed MachineSystem::initial() {
    Packed state(words(), 0);
    tables_->fields.pack(machine_.initial(), values_, state.data());
    return state;
}

std::vector<Value> MachineSystem::memory(Packed const& memory_part) const {
    return tables_->fields.memory(memory_part, values_);
}

void MachineSystem::widen() {
    if (has_no_room_)
        room_ = std::min(options_.pending, room_ * 2);
    else
        values_.widen();
    has_no_room_ = false;
}

// ---- what can come of a state

bool MachineSystem::expand(Word const* state, bool reduced, Expansion& result) {
    result.clear();
    late_.clear();
    early_.clear();
    here_ = state;
    ProcessIndex const inside = find_inside();
    look(result);
    for (Place const* const place : at_) result.may_assert = result.may_assert || place->asserts;
    if (reduced && ample(inside, result)) return true;
    expand_all(inside, result);
    return false;
}

ProcessIndex MachineSystem::find_inside() {
    ProcessIndex inside = no_index;
    for (ProcessIndex p = 0; p < at_.size(); ++p) {
        at_[p] = &tables_->places[p][tables_->fields.pc(p).get(here_)];
        if (at_[p]->is_inside && inside == no_index) inside = p;
    }
    return inside;
}

bool MachineSystem::is_final() const {
    for (std::size_t i = 0; i < tables_->final_words.size(); ++i)
        if ((here_[i] & tables_->final_words[i][0]) != tables_->final_words[i][1]) return false;
    return true;
}

void MachineSystem::look(Expansion& result) {
    result.is_final = is_final();
    auto const& properties = machine_.program().properties;
    for (std::size_t i = 0; i < properties.size(); ++i) {
        if (properties[i].is_final && !result.is_final) continue;
        Moves::Holds const holds = tables_->moves.ask(tables_->properties[i], here_);
        result.faulted = result.faulted || holds == Moves::Holds::fault;
        if (holds == Moves::Holds::no && !result.broken) result.broken = i;
    }
}

bool MachineSystem::steps(ProcessIndex p, ProcessIndex inside) const {
    Place const& place = *at_[p];
    if (place.is_end || (inside != no_index && inside != p)) return false;
    for (auto const& [word, mask] : place.waits)
        if ((here_[word] & mask) != 0) return false;
    return true;
}

bool MachineSystem::has_room(Place const& place) const {
    return place.issues == no_index || tables_->fields.pending(here_, place.issues) < options_.pending;
}

/// Adds the steps of one process that are enough for now. False: there are no such.
bool MachineSystem::ample(ProcessIndex inside, Expansion& result) {
    for (ProcessIndex p = 0; p < at_.size(); ++p) {
        if (!at_[p]->is_local || !steps(p, inside) || !has_room(*at_[p]) || !suits(p, inside)) continue;
        for (std::uint32_t k = 0; k < at_[p]->choices; ++k)
            add({Act::Kind::step, p, k, at_[p]->first + k}, at_[p]->assigns, result);
        return true;
    }
    return false;
}

/// Whether nobody else notices that a process takes its next step.
bool MachineSystem::suits(ProcessIndex p, ProcessIndex inside) {
    Place const& place = *at_[p];
    bool const assigns_seen = !place.assigns.is_none() && is_in_invariant_[place.assigns.index] != 0;
    if (has_invariants_ && (place.is_seen || assigns_seen)) return false;
    for (std::uint32_t k = 0; k < place.choices; ++k) {
        std::copy_n(here_, scratch_.size(), scratch_.begin());
        if (!goes_on(apply({Act::Kind::step, p, k, place.first + k}, scratch_.data()))) return false;
        Place const& after = tables_->places[p][tables_->fields.pc(p).get(scratch_.data())];
        // Who enters an `atomic` holds up the others.
        if ((inside == no_index && after.is_inside) || (has_invariants_ && after.is_seen)) return false;
        if (!in_range(scratch_.data(), place.assigns)) return false;
    }
    return true;
}

void MachineSystem::expand_all(ProcessIndex inside, Expansion& result) {
    for (ProcessIndex p = 0; p < at_.size(); ++p) {
        if (!steps(p, inside)) continue;
        Place const& place = *at_[p];
        if (!has_room(place)) {
            result.cuts.pending = true;
            continue;
        }
        for (std::uint32_t k = 0; k < place.choices; ++k)
            add({Act::Kind::step, p, k, place.first + k}, place.assigns, result);
    }
    if (machine_.model() == Model::rma) expand_cards(result);
}

void MachineSystem::expand_cards(Expansion& result) {
    PackedStates const& fields = tables_->fields;
    auto const& remotes = graph_.remotes();
    for (RemoteIndex s = 0; s < remotes.size(); ++s) {
        if (fields.reads(here_, s) == 0) continue;
        if (options_.fused)
            add({Act::Kind::read_and_write, s, fields.number(here_, remotes[s].src), tables_->read_and_write[s]},
                remotes[s].trg, result);
        else
            add({Act::Kind::read, s, 0, tables_->read[s]}, {}, result);
    }
    for (RemoteIndex s = 0; s < remotes.size(); ++s) {
        std::uint32_t last = 0; // equal ones are adjacent
        for (std::uint32_t i = 0; fields.write(here_, s, i) != 0; ++i) {
            std::uint32_t const write = fields.write(here_, s, i);
            if (write != last) add({Act::Kind::write, s, write - 1, tables_->write[s]}, remotes[s].trg, result);
            last = write;
        }
    }
    expand_atomics(result);
}

void MachineSystem::expand_atomics(Expansion& result) {
    for (QueueIndex q = 0; q < graph_.queues().size(); ++q) {
        RemoteIndex const s = tables_->fields.first_atomic(here_, q);
        if (s != no_index) add({Act::Kind::atomic, s, 0, tables_->atomic[s]}, graph_.remotes()[s].src, result);
    }
}

void MachineSystem::add(Act const& act, Variable changes, Expansion& result) {
    if (!add_edge(act, changes, result) || !options_.fused || changes.is_none()) return;
    Word const* const next = &result.words[result.edges.back().next];
    PackedStates const& fields = tables_->fields;
    if (machine_.model() == Model::rma && fields.number(next, changes) != fields.number(here_, changes))
        add_with_early_reads(act, changes, result);
}

/// Before a variable changes, any of the pending reads of it may be executed.
void MachineSystem::add_with_early_reads(Act const& act, Variable changes, Expansion& result) {
    late_.clear();
    for (RemoteIndex const s : graph_.read(changes))
        if (tables_->fields.reads(here_, s) > 0) late_.push_back(s);
    if (late_.empty()) return;
    early_.assign(late_.size(), 0);
    while (true) {
        std::size_t i = 0;
        for (; i < early_.size() && early_[i] == tables_->fields.reads(here_, late_[i]); ++i) early_[i] = 0;
        if (i == early_.size()) break;
        ++early_[i];
        add_edge(act, changes, result);
    }
    early_.clear();
}

bool MachineSystem::add_edge(Act const& act, Variable changes, Expansion& result) {
    std::size_t const begin = result.words.size();
    result.words.resize(begin + scratch_.size());
    Word* const next = &result.words[begin];
    std::copy_n(here_, scratch_.size(), next);
    Effect effect = Effect::moved;
    try {
        for (std::size_t i = 0; i < early_.size(); ++i)
            for (std::uint32_t n = 0; n < early_[i]; ++n) tables_->moves.apply(tables_->read[late_[i]], next);
        effect = apply(act, next);
    } catch (TooNarrow const&) {
        // A path that was found has room for its states: what has none leads elsewhere.
        if (ways_ == nullptr) throw;
        has_no_room_ = false;
        result.words.resize(begin);
        return false;
    }
    Variable const fetches = act.kind == Act::Kind::step ? at_[act.of]->fetches : Variable();
    bool const is_cut = goes_on(effect) && !(in_range(next, changes) && in_range(next, fetches));
    if (is_cut || !goes_on(effect)) result.words.resize(begin);
    if (is_cut) {
        result.cuts.values = true;
        return false;
    }
    result.edges.push_back({begin, effect});
    if (ways_ != nullptr) ways_->push_back(way_of(act));
    return goes_on(effect);
}

Effect MachineSystem::apply(Act const& act, Word* state) {
    if (act.kind == Act::Kind::write) return tables_->moves.apply_write(act.action, act.choice_or_value, state);
    if (act.kind == Act::Kind::step) {
        RemoteIndex const issues = at_[act.of]->issues;
        if (issues != no_index && tables_->fields.pending(state, issues) == room_) {
            has_no_room_ = true;
            throw TooNarrow();
        }
    }
    return tables_->moves.apply(act.action, state);
}

MachineSystem::Way MachineSystem::way_of(Act const& act) const {
    Way way;
    for (std::size_t i = 0; i < early_.size(); ++i) way.insert(way.end(), early_[i], NicRead{late_[i]});
    switch (act.kind) {
    case Act::Kind::step: way.emplace_back(ProcessStep{act.of, act.choice_or_value}); break;
    case Act::Kind::write: way.emplace_back(NicWrite{act.of, values_[act.choice_or_value]}); break;
    case Act::Kind::read: way.emplace_back(NicRead{act.of}); break;
    case Act::Kind::atomic: way.emplace_back(NicAtomic{act.of}); break;
    case Act::Kind::read_and_write:
        way.emplace_back(NicRead{act.of});
        way.emplace_back(NicWrite{act.of, values_[act.choice_or_value]});
        break;
    }
    return way;
}

bool MachineSystem::in_range(Word const* state, Variable changed) const {
    if (!options_.values || changed.is_none()) return true;
    Value const& v = values_[tables_->fields.number(state, changed)];
    if (!v.is_integer()) return true;
    auto const i = v.small();
    return i && *i >= options_.values->lo && *i <= options_.values->hi;
}

std::vector<Transition> MachineSystem::way(std::vector<Packed> const& path, bool fails) {
    std::vector<Transition> all;
    std::vector<Way> ways;
    Expansion next;
    ways_ = &ways;
    for (std::size_t i = 0; i + (fails ? 0 : 1) < path.size(); ++i) {
        ways.clear();
        expand(path[i].data(), false, next);
        auto const leads_on = [&](Expansion::Edge const& e) {
            if (i + 1 == path.size()) return e.effect == Effect::failed;
            return goes_on(e.effect) && std::equal(path[i + 1].begin(), path[i + 1].end(), next.next(e));
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
