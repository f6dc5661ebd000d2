// The machine as a system to search (search.hpp), with reductions that keep every outcome:
//
// - Fused operations. A pending read is executed together with its write, or just before the variable that it reads
//   changes.
//   At any other time it would read the same value, and nothing but a flush can tell a pending read from a pending
//   write.
// - Ample sets. A step of one process that neither depends on what others can do nor is seen by an invariant is taken
//   alone:
//   the steps on local variables, put and get (they only add a pending operation), and a flush that waits for nothing.
//
// States are packed (packed_states.hpp), and the rules are looked up in tables (moves.hpp).
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "rma/search/moves.hpp"
#include "rma/search/search.hpp"

namespace matchpoint::rma {

struct ExploreOptions {
    bool fused = true;
    /// At most so many pending operations of one statement. A put or get beyond that is left out.
    std::uint32_t pending = 250;
    /// A step to an integer outside is left out.
    std::optional<ValueRange> values = std::nullopt;
};

class MachineSystem : public System {
public:
    static constexpr std::uint32_t most_pending = 250;

    /// The machine has to outlive it.
    MachineSystem(Machine const& machine, ExploreOptions const& options);

    void prepare() override;
    std::size_t words() const override { return tables_->fields.layout.words(); }
    Packed initial() override;
    bool expand(Word const* state, bool reduced, Expansion& result) override;
    Packed memory_part(Word const* state) const override { return tables_->fields.memory_part(state); }
    std::vector<Value> memory(Packed const& memory_part) const override;
    void widen() override;

    /// The state that words stand for; `state` is one of this machine.
    void unpack(Word const* words, State& state) const { tables_->fields.unpack_all(words, values_, state); }

    /// What happens on the way through states of a search, up to a state or, if `fails`, a step after it that passes a
    /// false assertion.
    std::vector<Transition> way(std::vector<Packed> const& path, bool fails);

private:
    using Way = std::vector<Transition>;

    /// While one of these bits of a word is set, a process waits.
    using Waits = std::vector<std::pair<std::uint32_t, Word>>;

    /// Where a process can be, and what it does there.
    struct Place {
        StatementIndex pc = no_index;
        bool is_end = false;
        bool asserts = false;
        bool is_inside = false;        // of an `atomic`
        bool is_local = false;         // what it does neither changes what others do nor depends on it
        bool is_seen = false;          // an invariant asks whether a process is here
        RemoteIndex issues = no_index; // an operation of this statement becomes pending
        Variable assigns = {};
        Variable fetches = {}; // the variable that an atomic assigns to in the same step, under SC
        std::uint32_t choices = 0;
        Moves::Action first = 0; // its choices, one after the other
        std::span<Waits::value_type const> waits = {};
    };
    /// Everything that depends on how wide fields are.
    struct Tables {
        PackedStates fields;
        Moves moves;
        std::vector<std::vector<Place>> places = {}; // by process and pc
        std::vector<Moves::Action> read = {};        // by remote statement
        std::vector<Moves::Action> write = {};
        std::vector<Moves::Action> read_and_write = {};
        std::vector<Moves::Action> atomic = {}; // no_index if it is not one
        std::vector<Moves::Question> properties = {};
        std::map<std::pair<ProcessIndex, ProcessIndex>, Waits> waits_of_flushes = {}; // of a process for another one
        Waits waits_of_nothing = {};
        std::vector<std::array<Word, 2>> final_words = {}; // a final state: a mask, and what is there
        Tables(Machine const& machine, ValueTable& values, std::uint32_t pending)
            : fields(machine.graph(), values.bits(), pending), moves(machine, values, fields) {}
        Tables(Tables const&) = delete; // the moves know the fields
        Tables& operator=(Tables const&) = delete;
        ~Tables() = default;
    };
    /// One thing that happens: a step of a process, an operation of a card.
    struct Act {
        enum class Kind : std::uint8_t { step, read, write, read_and_write, atomic };
        Kind kind;
        std::uint32_t of;
        std::uint32_t choice_or_value;
        Moves::Action action;
    };

    void find_seen();
    Place place(ProcessIndex p, StatementIndex pc);
    Waits const& waits(ProcessIndex p, StatementIndex pc);
    Waits find_waits(ProcessIndex p, StatementIndex pc);
    void find_final();

    void look(Expansion& result);
    bool is_final() const;
    /// The process that is inside of an `atomic`; else no_index.
    ProcessIndex find_inside();
    bool steps(ProcessIndex p, ProcessIndex inside) const;
    bool has_room(Place const& place) const;
    bool ample(ProcessIndex inside, Expansion& result);
    bool suits(ProcessIndex p, ProcessIndex inside);
    void expand_all(ProcessIndex inside, Expansion& result);
    void expand_cards(Expansion& result);
    void expand_atomics(Expansion& result);
    /// Adds what an act leads to, and what it leads to after some reads that it would make late.
    void add(Act const& act, Variable changes, Expansion& result);
    void add_with_early_reads(Act const& act, Variable changes, Expansion& result);
    /// Whether it leads to a state.
    bool add_edge(Act const& act, Variable changes, Expansion& result);
    Effect apply(Act const& act, Word* state);
    Way way_of(Act const& act) const;
    bool in_range(Word const* state, Variable changed) const;

    Machine const& machine_;
    Graph const& graph_;
    ExploreOptions options_;
    std::uint32_t room_; // pending operations of a statement that fit into a state
    bool has_no_room_ = false;
    ValueTable values_;
    std::optional<Tables> tables_;
    std::vector<char> is_in_invariant_; // by variable
    std::vector<char> is_place_;        // by statement: an invariant asks whether a process is there
    bool has_invariants_ = false;

    Word const* here_ = nullptr;   // the state that is expanded
    std::vector<Place const*> at_; // where processes are in it
    Packed scratch_;
    std::vector<RemoteIndex> late_;    // scratch: pending reads of a variable that changes
    std::vector<std::uint32_t> early_; // how many of each are executed before
    std::vector<Way>* ways_ = nullptr; // of the edges, if somebody asks
};

} // namespace matchpoint::rma
