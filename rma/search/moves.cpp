#include "rma/search/moves.hpp"

#include <algorithm>
#include <utility>

#include "base/limits.hpp"
#include "rma/machine/accesses.hpp"
#include "rma/machine/evaluate.hpp"

namespace matchpoint::rma {

Moves::Moves(Machine const& machine, ValueTable& values, PackedStates const& fields)
    : machine_(machine), values_(values), fields_(fields), blank_(machine.initial()) {
    // No rule writes that a variable has no value. So what is written is a change, whatever it is.
    std::fill(blank_.M.begin(), blank_.M.end(), Value());
}

// ---- footprints

void Moves::finish(Footprint& footprint) const {
    auto const once = [](auto& list) {
        std::sort(list.begin(), list.end(), [](auto a, auto b) { return a < b; });
        list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    std::vector<std::uint32_t> variables;
    for (Variable const x : footprint.variables) variables.push_back(x.index);
    once(variables);
    once(footprint.processes);
    footprint.variables.clear();
    for (std::uint32_t const x : variables) {
        footprint.variables.push_back({x});
        footprint.fields.push_back(fields_.M({x}));
    }
    for (ProcessIndex const p : footprint.processes) footprint.fields.push_back(fields_.pc(p));
    for (Field const& f : footprint.fields) footprint.bits += f.bits;
}

// ---- actions

Moves::Action Moves::add(ActionInfo action, std::vector<Variable> const& reads) {
    action.footprint.variables = reads;
    finish(action.footprint);
    if (action.kind == ActionInfo::Kind::write) action.footprint.bits = values_.bits();
    actions_.push_back(std::move(action));
    return static_cast<Action>(actions_.size() - 1);
}

Moves::Action Moves::add_step(ProcessIndex p, StatementIndex pc, std::uint32_t choice) {
    return add({ActionInfo::Kind::step, p, pc, choice}, read_by_step(machine_, pc));
}
Moves::Action Moves::add_read(RemoteIndex s) {
    return add({ActionInfo::Kind::read, s}, {machine_.graph().remotes()[s].src});
}
Moves::Action Moves::add_write(RemoteIndex s) { return add({ActionInfo::Kind::write, s}, {}); }
Moves::Action Moves::add_read_and_write(RemoteIndex s) {
    return add({ActionInfo::Kind::read_and_write, s}, {machine_.graph().remotes()[s].src});
}

Moves::Action Moves::add_atomic(RemoteIndex s) {
    return add({ActionInfo::Kind::atomic, s}, read_by_card(machine_.graph(), s));
}

std::uint32_t& Moves::known_at(Known& known, unsigned bits, Word key) {
    if (bits > few_bits) return known.many[key];
    if (known.few.empty()) known.few.resize(std::size_t{1} << bits);
    return known.few[key];
}

Effect Moves::apply(ActionInfo& action, Word* state, std::uint32_t number) {
    unsigned const bits = action.footprint.bits;
    if (bits > 64) {
        std::size_t const before = changes_.size();
        Effect const effect = replay(execute(action, state, number), state);
        changes_.resize(before);
        return effect;
    }
    if (moves_.size() >= most_moves) forget();
    Word const key = action.kind == ActionInfo::Kind::write ? number : key_of(action.footprint, state);
    std::uint32_t& known = known_at(action.known, bits, key);
    if (known == 0) {
        moves_.push_back(execute(action, state, number));
        known = static_cast<std::uint32_t>(moves_.size());
    }
    return replay(moves_[known - 1], state);
}

void Moves::read(Footprint const& footprint, Word const* from, State& state) const {
    for (Variable const x : footprint.variables) state.M[x.index] = values_[fields_.number(from, x)];
    for (ProcessIndex const p : footprint.processes)
        state.pc[p] = machine_.program().processes[p].first + fields_.pc(p).get(from);
}

/// Executes a rule on a state with what it needs and nothing else.
Moves::Move Moves::execute(ActionInfo const& action, Word const* state, std::uint32_t number) {
    spend(2 * blank_.M.size());
    State before = blank_;
    read(action.footprint, state, before);
    auto const of = action.of;
    Effect effect = Effect::moved;
    State after;
    switch (action.kind) {
    case ActionInfo::Kind::step:
        before.pc[of] = action.pc;
        after = before;
        effect = machine_.apply(after, ProcessStep{of, action.choice});
        break;
    case ActionInfo::Kind::write:
        before.W.push_back({of, values_[number], 1});
        after = before;
        machine_.apply(after, NicWrite{of, values_[number]});
        break;
    case ActionInfo::Kind::atomic:
        before.A[machine_.graph().remotes()[of].queue].push_back(of);
        after = before;
        machine_.apply(after, NicAtomic{of});
        break;
    case ActionInfo::Kind::read:
    case ActionInfo::Kind::read_and_write:
        before.add_read(of);
        after = before;
        machine_.apply(after, NicRead{of});
        if (action.kind == ActionInfo::Kind::read_and_write)
            machine_.apply(after, NicWrite{of, before.M[machine_.graph().remotes()[of].src.index]});
        break;
    }
    auto const first = static_cast<std::uint32_t>(changes_.size());
    if (effect == Effect::moved || effect == Effect::failed) note_changes(before, after);
    return {first, static_cast<std::uint32_t>(changes_.size()), effect};
}

void Moves::note_changes(State const& before, State const& after) {
    using Kind = Change::Kind;
    for (ProcessIndex p = 0; p < after.pc.size(); ++p)
        if (after.pc[p] != before.pc[p])
            changes_.push_back(
                {Kind::number, 0, 0, after.pc[p] - machine_.program().processes[p].first, fields_.pc(p)});
    for (std::uint32_t x = 0; x < after.M.size(); ++x)
        if (!(after.M[x] == before.M[x]))
            changes_.push_back({Kind::number, 0, 0, values_.number(after.M[x]), fields_.M({x})});
    note_operations(before, after);
}

void Moves::note_operations(State const& before, State const& after) {
    using Kind = Change::Kind;
    auto const note_reads = [&](State const& some, int count) {
        for (auto const& [s, n] : some.R)
            if (before.reads(s) != after.reads(s))
                changes_.push_back({Kind::reads, count * static_cast<int>(n), s, 0, {}});
    };
    note_reads(before, -1);
    note_reads(after, 1);
    auto const note_writes = [&](Kind kind, std::vector<PendingWrites> const& some, State const& others) {
        for (PendingWrites const& w : some) {
            auto const there = std::find_if(others.W.begin(), others.W.end(),
                                            [&](PendingWrites const& v) { return v.s == w.s && v.val == w.val; });
            std::uint32_t const count = there == others.W.end() ? 0 : there->count;
            for (std::uint32_t i = count; i < w.count; ++i)
                changes_.push_back({kind, 0, w.s, values_.number(w.val), {}});
        }
    };
    note_writes(Kind::fewer_writes, before.W, after);
    note_writes(Kind::more_writes, after.W, before);
    for (QueueIndex q = 0; q < after.A.size(); ++q) { // one of them is empty
        for (std::size_t i = 0; i < before.A[q].size() && after.A[q].empty(); ++i)
            changes_.push_back({Kind::fewer_atomics, 0, before.A[q][i], 0, {}});
        for (std::size_t i = 0; i < after.A[q].size() && before.A[q].empty(); ++i)
            changes_.push_back({Kind::more_atomics, 0, after.A[q][i], 0, {}});
    }
}

Effect Moves::replay(Move move, Word* state) const {
    for (std::uint32_t i = move.first; i < move.last; ++i) {
        Change const& c = changes_[i];
        switch (c.kind) {
        case Change::Kind::number: c.field.set(state, c.to); break;
        case Change::Kind::reads: fields_.change_reads(state, c.s, c.by); break;
        case Change::Kind::more_writes: fields_.add_write(state, c.s, c.to); break;
        case Change::Kind::fewer_writes: fields_.remove_write(state, c.s, c.to); break;
        case Change::Kind::more_atomics: fields_.add_atomic(state, c.s); break;
        case Change::Kind::fewer_atomics:
            fields_.remove_first_atomic(state, machine_.graph().remotes()[c.s].queue);
            break;
        }
    }
    return move.effect;
}

void Moves::forget() {
    for (ActionInfo& action : actions_) action.known = {};
    moves_.clear();
    changes_.clear();
}

// ---- properties

Moves::Question Moves::add_question(Expression e) {
    QuestionInfo question{e, {}, {}};
    Program const& p = machine_.program();
    for (Variable const x : variables_in(machine_.program(), e)) {
        if (p[x].kind == VariableInfo::Kind::place)
            question.footprint.processes.push_back(p[x].process);
        else
            question.footprint.variables.push_back(x);
    }
    finish(question.footprint);
    questions_.push_back(std::move(question));
    return static_cast<Question>(questions_.size() - 1);
}

Moves::Holds Moves::ask(Question question, Word const* state) {
    QuestionInfo& asked = questions_[question];
    unsigned const bits = asked.footprint.bits;
    if (bits > 64) return look(asked, state);
    if (asked.known.many.size() >= most_moves) asked.known.many.clear();
    std::uint32_t& known = known_at(asked.known, bits, key_of(asked.footprint, state));
    if (known == 0) known = static_cast<std::uint32_t>(look(asked, state));
    return static_cast<Holds>(known);
}

Moves::Holds Moves::look(QuestionInfo const& question, Word const* state) const {
    spend(blank_.M.size());
    State plain = blank_;
    read(question.footprint, state, plain);
    auto const v = evaluate(machine_.graph(), plain, question.e);
    if (!v) return Holds::fault;
    return v->is_true() ? Holds::yes : Holds::no;
}

} // namespace matchpoint::rma
