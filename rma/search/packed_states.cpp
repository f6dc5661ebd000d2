#include "rma/search/packed_states.hpp"

namespace matchpoint::rma {

PackedStates::PackedStates(Graph const& graph, unsigned value_bits, std::uint32_t pending)
    : graph_(&graph), pending_(pending) {
    Program const& p = graph.program();
    for (Process const& process : p.processes) pc_.push_back(layout.add(bits_for(process.last - process.first + 1U)));
    for (VariableInfo const& x : p.variables)
        M_.push_back(x.kind == VariableInfo::Kind::place ? Field() : layout.add(value_bits));
    memory_mask_.assign(layout.words(), 0);
    for (Field const& f : M_) memory_mask_[f.word] |= f.mask << f.shift;
    if (pending == 0) return;
    for (std::size_t s = 0; s < graph.remotes().size(); ++s) {
        R_.push_back(layout.add(bits_for(pending + 1U)));
        for (std::uint32_t i = 0; i < pending; ++i) W_.push_back(layout.add(value_bits));
    }
    A_.resize(graph.queues().size());
    for (Remote const& s : graph.remotes())
        for (std::uint32_t i = 0; s.is_atomic() && i < pending; ++i)
            A_[s.queue].push_back(layout.add(bits_for(graph.remotes().size() + 1)));
}

std::uint32_t PackedStates::pending(Word const* state, RemoteIndex s) const {
    std::uint32_t writes = 0;
    while (write(state, s, writes) != 0) ++writes;
    std::uint32_t atomics = 0;
    if (graph_->remotes()[s].is_atomic())
        for (Field const& f : A_[graph_->remotes()[s].queue]) atomics += f.get(state) == s + 1 ? 1 : 0;
    return reads(state, s) + writes + atomics;
}

std::vector<Field> PackedStates::operations(RemoteIndex s) const {
    std::vector<Field> fields{R_[s]};
    for (std::uint32_t i = 0; i < pending_; ++i) fields.push_back(W_[s * pending_ + i]);
    if (graph_->remotes()[s].is_atomic()) {
        auto const& queue = A_[graph_->remotes()[s].queue];
        fields.insert(fields.end(), queue.begin(), queue.end());
    }
    return fields;
}

void PackedStates::change_reads(Word* state, RemoteIndex s, int by) const {
    R_[s].set(state, static_cast<std::uint32_t>(static_cast<int>(R_[s].get(state)) + by));
}

void PackedStates::add_write(Word* state, RemoteIndex s, std::uint32_t number) const {
    std::uint32_t carried = number + 1;
    for (Field const* f = &W_[std::size_t{s} * pending_];; ++f) {
        std::uint32_t const there = f->get(state);
        if (there != 0 && there <= carried) continue;
        f->set(state, carried);
        if (there == 0) return;
        carried = there;
    }
}

void PackedStates::remove_write(Word* state, RemoteIndex s, std::uint32_t number) const {
    std::uint32_t i = 0;
    while (write(state, s, i) != number + 1) ++i;
    for (; write(state, s, i) != 0; ++i) W_[s * pending_ + i].set(state, write(state, s, i + 1));
}

RemoteIndex PackedStates::first_atomic(Word const* state, QueueIndex q) const {
    std::uint32_t const first = A_[q].empty() ? 0 : A_[q].front().get(state);
    return first == 0 ? no_index : first - 1;
}

void PackedStates::add_atomic(Word* state, RemoteIndex s) const {
    Field const* f = A_[graph_->remotes()[s].queue].data();
    while (f->get(state) != 0) ++f;
    f->set(state, s + 1);
}

void PackedStates::remove_first_atomic(Word* state, QueueIndex q) const {
    for (std::size_t i = 0; i < A_[q].size(); ++i)
        A_[q][i].set(state, i + 1 < A_[q].size() ? A_[q][i + 1].get(state) : 0);
}

void PackedStates::pack(State const& state, ValueTable& values, Word* words) const {
    for (ProcessIndex p = 0; p < pc_.size(); ++p) pc_[p].set(words, state.pc[p] - graph_->program().processes[p].first);
    for (std::uint32_t x = 0; x < M_.size(); ++x)
        if (M_[x].mask != 0) M_[x].set(words, values.number(state.M[x]));
}

void PackedStates::unpack(Word const* words, ValueTable const& values, State& state) const {
    for (ProcessIndex p = 0; p < pc_.size(); ++p)
        state.pc[p] = graph_->program().processes[p].first + pc_[p].get(words);
    for (std::uint32_t x = 0; x < M_.size(); ++x)
        if (M_[x].mask != 0) state.M[x] = values[M_[x].get(words)];
}

void PackedStates::unpack_all(Word const* words, ValueTable const& values, State& state) const {
    unpack(words, values, state);
    state.R.clear();
    state.W.clear();
    for (auto& queue : state.A) queue.clear();
    for (RemoteIndex s = 0; s < R_.size(); ++s) {
        if (std::uint32_t const n = reads(words, s)) state.R.push_back({s, n});
        for (std::uint32_t i = 0; write(words, s, i) != 0; ++i) state.add_write(s, values[write(words, s, i) - 1]);
    }
    for (QueueIndex q = 0; q < A_.size(); ++q)
        for (Field const& f : A_[q])
            if (f.get(words) != 0) state.A[q].push_back(f.get(words) - 1);
}

Packed PackedStates::memory_part(Word const* state) const {
    Packed part = memory_mask_;
    for (std::size_t i = 0; i < part.size(); ++i) part[i] &= state[i];
    return part;
}

std::vector<Value> PackedStates::memory(Packed const& memory_part, ValueTable const& values) const {
    std::vector<Value> M(M_.size());
    for (std::uint32_t x = 0; x < M_.size(); ++x)
        if (M_[x].mask != 0) M[x] = values[M_[x].get(memory_part.data())];
    return M;
}

} // namespace matchpoint::rma
