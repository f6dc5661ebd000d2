// <pc, M, R, W, A> as a packed state: where its parts are, and what is done to R, W and A there.
//
//   PackedStates const fields(graph, values.bits(), 1);
//   fields.pack(machine.initial(), values, words);
//   fields.add_write(words, s, values.number(v));
//
// R is a number for each remote statement, and A a list for each queue. W is a sorted list of numbers of values for
// each remote statement; its fixed length is the number of operations of a statement that can be pending.
#pragma once

#include "rma/machine/state.hpp"
#include "rma/search/packed.hpp"

namespace matchpoint::rma {

class PackedStates {
public:
    /// `pending`: at most so many operations of a statement. 0: nothing ever is.
    PackedStates(Graph const& graph, unsigned value_bits, std::uint32_t pending);

    WordLayout layout; // for further fields

    std::uint32_t most_pending() const { return pending_; }
    Field const& pc(ProcessIndex p) const { return pc_[p]; } // counted from the first statement of the process
    Field const& M(Variable x) const { return M_[x.index]; }
    std::uint32_t number(Word const* state, Variable x) const { return M_[x.index].get(state); }
    std::uint32_t reads(Word const* state, RemoteIndex s) const { return R_[s].get(state); }
    /// Write i of those of s: the number of its value, plus 1. 0: there are no more.
    std::uint32_t write(Word const* state, RemoteIndex s, std::uint32_t i) const {
        return i < pending_ ? W_[s * pending_ + i].get(state) : 0;
    }
    std::uint32_t pending(Word const* state, RemoteIndex s) const;
    /// The fields of what is pending of s.
    std::vector<Field> operations(RemoteIndex s) const;

    void change_reads(Word* state, RemoteIndex s, int by) const;
    void add_write(Word* state, RemoteIndex s, std::uint32_t number) const;
    void remove_write(Word* state, RemoteIndex s, std::uint32_t number) const;
    /// The first atomic of a queue; no_index: there is none.
    RemoteIndex first_atomic(Word const* state, QueueIndex q) const;
    void add_atomic(Word* state, RemoteIndex s) const;
    void remove_first_atomic(Word* state, QueueIndex q) const;

    /// pc and M; nothing is pending.
    void pack(State const& state, ValueTable& values, Word* words) const;
    void unpack(Word const* words, ValueTable const& values, State& state) const;
    /// The same, with what is pending.
    void unpack_all(Word const* words, ValueTable const& values, State& state) const;
    /// The words that hold M, without the rest.
    Packed memory_part(Word const* state) const;
    std::vector<Value> memory(Packed const& memory_part, ValueTable const& values) const;

private:
    Graph const* graph_;
    std::uint32_t pending_;
    std::vector<Field> pc_;
    std::vector<Field> M_; // by variable; places have none
    std::vector<Field> R_;
    std::vector<Field> W_;
    std::vector<std::vector<Field>> A_; // by queue: remote statements and 1, the first one first, and then 0
    Packed memory_mask_;
};

} // namespace matchpoint::rma
