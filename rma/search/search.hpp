// Breadth-first search through the states of a system: of the machine (explored.hpp), or of the reduced program
// (reduced.hpp).
//
//   MachineSystem system(machine, options);
//   SearchResult const result = search(system, {.stop_at_violation = true});
//   if (result.violation) for (Packed const& state : result.violation->path) ...
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "rma/machine/rules.hpp"
#include "rma/search/state_table.hpp"

namespace matchpoint::rma {

/// Values from lo to hi.
struct ValueRange {
    std::int64_t lo;
    std::int64_t hi;
    bool operator==(ValueRange const&) const = default;
};

/// Why states were left out.
struct Cuts {
    bool pending = false; // an operation too many of one statement was pending
    bool values = false;  // a value was out of the range
};

/// What can come of a state.
struct Expansion {
    struct Edge {
        std::size_t next; // where the next state begins, in `words`
        Effect effect;    // discarded, faulted: there is no next state
    };
    Packed words; // the next states
    std::vector<Edge> edges;
    bool is_final = false;
    std::optional<std::size_t> broken; // a property that does not hold here
    bool faulted = false;              // a property divides by zero here
    bool may_assert = false;           // a process is about to execute an `assert`, or nobody looks
    Cuts cuts;

    Word const* next(Edge const& e) const { return words.data() + e.next; }
    void clear() {
        words.clear();
        edges.clear();
        is_final = faulted = may_assert = false;
        broken.reset();
        cuts = {};
    }
};

class System {
public:
    virtual ~System() = default;

    /// Before a search begins, and begins again: makes what depends on how wide fields are. Throws OutOfTime.
    virtual void prepare() = 0;
    /// How many words a state has.
    virtual std::size_t words() const = 0;
    /// Throws TooNarrow.
    virtual Packed initial() = 0;
    /// All that can come of a state; or, if `reduced`, a part that suffices (an ample set) if at least one state of it
    /// is new. Returns whether it is such a part. Throws TooNarrow.
    virtual bool expand(Word const* state, bool reduced, Expansion& result) = 0;
    /// The part of a state that holds the values of the program's variables, and the values.
    virtual Packed memory_part(Word const* state) const = 0;
    virtual std::vector<Value> memory(Packed const& memory_part) const = 0;
    /// After TooNarrow, before it is prepared again.
    virtual void widen() = 0;
};

struct SearchOptions {
    bool stop_at_violation = false;
    bool reduced = true;   // with ample sets
    bool shortest = false; // without reductions: no run that goes wrong is shorter than the one that is found
    bool finals = false;   // collect the final valuations
    std::uint64_t max_bytes = std::uint64_t{2} << 30U;
    std::uint32_t max_states = StateTable::none - 1;
};

struct SearchResult {
    /// A state that breaks a property, or (no property) one whose step passes a false assertion.
    struct Violation {
        std::vector<Packed> path; // from the initial state on
        std::optional<std::size_t> property;
    };
    enum class Stop : std::uint8_t { none, violation, time, memory, states };

    std::optional<Violation> violation; // the first one
    bool discarded = false;
    bool faulted = false;
    bool has_final = false;
    bool may_assert = false; // false: no process gets to an `assert`
    std::set<Packed> finals; // memory parts
    std::uint32_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t bytes = 0;
    Cuts cuts;
    Stop stop = Stop::none;

    /// Whether all states were seen.
    bool complete() const { return stop == Stop::none && !cuts.pending && !cuts.values; }
};

/// Throws LimitReached, but OutOfTime is a result.
SearchResult search(System& system, SearchOptions const& options);

} // namespace matchpoint::rma
