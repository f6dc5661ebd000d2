// The rules as tables on packed states: what a transition does depends on a few variables only, its footprint. For each
// valuation of these the machine executes the rule once, on a state that has nothing else, and what it changed is kept
// as a move. So rules.hpp stays the only place that says what they do.
//
//   Moves moves(machine, values, fields);
//   Moves::Action const put = moves.add_step(p, pc, 0);
//   Effect const effect = moves.apply(put, words);
#pragma once

#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "rma/machine/machine.hpp"
#include "rma/search/packed_states.hpp"

namespace matchpoint::rma {

class Moves {
public:
    using Action = std::uint32_t;

    /// The arguments have to outlive it.
    Moves(Machine const& machine, ValueTable& values, PackedStates const& fields);

    /// A process takes a step at some statement.
    Action add_step(ProcessIndex p, StatementIndex pc, std::uint32_t choice);
    Action add_read(RemoteIndex s);
    /// A write of a value; apply() has its number.
    Action add_write(RemoteIndex s);
    /// A read, and then the write of what it has read.
    Action add_read_and_write(RemoteIndex s);
    /// An atomic that is the first of its queue.
    Action add_atomic(RemoteIndex s);

    /// Changes the state, unless the effect is that there is no next one. Throws TooNarrow.
    Effect apply(Action action, Word* state) { return apply(actions_[action], state, 0); }
    Effect apply_write(Action action, std::uint32_t number, Word* state) {
        return apply(actions_[action], state, number);
    }

    /// What a property says of a state.
    enum class Holds : std::uint8_t { not_asked, no, yes, fault };
    using Question = std::uint32_t;
    Question add_question(Expression e);
    Holds ask(Question question, Word const* state);

private:
    struct Change {
        enum class Kind : std::uint8_t { number, reads, more_writes, fewer_writes, more_atomics, fewer_atomics };
        Kind kind;
        int by;           // reads
        RemoteIndex s;    // reads, writes, atomics
        std::uint32_t to; // number: the new one; writes: of the value
        Field field;      // number
    };
    struct Move {
        std::uint32_t first; // changes
        std::uint32_t last;
        Effect effect;
    };
    /// What was found out, by the numbers in a footprint; a list if these have few bits.
    struct Known {
        std::vector<std::uint32_t> few;
        boost::unordered_flat_map<Word, std::uint32_t> many = {};
    };
    struct Footprint {
        std::vector<Variable> variables;
        std::vector<ProcessIndex> processes; // of a property: where these are
        std::vector<Field> fields;           // of both
        unsigned bits = 0;
    };
    struct ActionInfo {
        enum class Kind : std::uint8_t { step, read, write, read_and_write, atomic };
        Kind kind;
        std::uint32_t of; // the process, or the remote statement
        StatementIndex pc = no_index;
        std::uint32_t choice = 0;
        Footprint footprint = {};
        Known known = {};
    };
    struct QuestionInfo {
        Expression e;
        Footprint footprint;
        Known known;
    };

    static constexpr unsigned few_bits = 8;
    static constexpr std::size_t most_moves = std::size_t{1} << 18U;

    Action add(ActionInfo action, std::vector<Variable> const& reads);
    void finish(Footprint& footprint) const;

    /// Not if it does not fit into a word.
    static Word key_of(Footprint const& footprint, Word const* state) {
        Word key = 0;
        for (Field const& f : footprint.fields) key = key << f.bits | f.get(state);
        return key;
    }
    /// The place of a number that is 0 at first.
    std::uint32_t& known_at(Known& known, unsigned bits, Word key);
    Effect apply(ActionInfo& action, Word* state, std::uint32_t number);
    Move execute(ActionInfo const& action, Word const* state, std::uint32_t number);
    Holds look(QuestionInfo const& question, Word const* state) const;
    void read(Footprint const& footprint, Word const* from, State& state) const;
    void note_changes(State const& before, State const& after);
    void note_operations(State const& before, State const& after);
    Effect replay(Move move, Word* state) const;
    void forget();

    Machine const& machine_;
    ValueTable& values_;
    PackedStates const& fields_;
    State blank_; // no variable has a value, and nothing is pending
    std::vector<ActionInfo> actions_;
    std::vector<QuestionInfo> questions_;
    std::vector<Move> moves_;
    std::vector<Change> changes_;
};

} // namespace matchpoint::rma
