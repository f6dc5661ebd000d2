// Breadth-first search through the states of a system: of the machine (explored.hpp), or of the reduced program (reduced.hpp).
//
//   MachineSystem system(machine, options);
//   SearchResult const result = search(system, {.stop_at_violation = true});
//   if (result.violation) for (std::string_view state : result.violation->path) ...
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rma/packed.hpp"
#include "rma/rules.hpp"
#include "rma/state_table.hpp"

namespace matchpoint::rma {

/// Values from lo to hi.
struct ValueRange {
    std::int64_t lo;
    std::int64_t hi;
    bool operator==(ValueRange const&) const = default;
};

/// What can come of a state.
struct Expansion {
    struct Edge {
        std::size_t begin; // of the next state, in `bytes`
        std::size_t end;
        Effect effect; // discarded, faulted: there is no next state
    };
    std::string bytes;
    std::vector<Edge> edges;
    bool is_final = false;
    std::optional<std::size_t> broken; // a property that does not hold here
    bool faulted = false;              // a property divides by zero here

    std::string_view next(Edge const& e) const { return std::string_view(bytes).substr(e.begin, e.end - e.begin); }
    void clear() {
        bytes.clear();
        edges.clear();
        is_final = faulted = false;
        broken.reset();
    }
};

class System {
public:
    virtual ~System() = default;

    virtual std::string initial() = 0;
    /// All that can come of a state; or, if `reduced`, a part that suffices (an ample set) if at least one state of it is new.
    /// Returns whether it is such a part. Throws TooNarrow.
    virtual bool expand(std::string_view state, bool reduced, Expansion& result) = 0;
    /// The part of a state that holds the values of the program's variables, and the values.
    virtual std::string_view memory_part(std::string_view state) const = 0;
    virtual std::vector<Value> memory(std::string_view memory_part) const = 0;
    /// After TooNarrow, before the search begins again.
    virtual void widen() = 0;

    /// Why states were left out.
    struct Cuts {
        bool pending = false; // an operation too many of one statement was pending
        bool values = false;  // a value was out of the range
    };
    Cuts const& cuts() const { return cuts_; }

protected:
    Cuts cuts_;
};

struct SearchOptions {
    bool stop_at_violation = false;
    bool reduced = true; // with ample sets
    bool finals = false; // collect the final valuations
    std::uint64_t max_bytes = std::uint64_t{2} << 30U;
    std::uint32_t max_states = StateTable::none - 1;
};

struct SearchResult {
    /// A state that breaks a property, or (no property) one whose step passes a false assertion.
    struct Violation {
        std::vector<std::string> path; // from the initial state on
        std::optional<std::size_t> property;
    };
    enum class Stop : std::uint8_t { none, violation, time, memory, states };

    std::optional<Violation> violation; // the first one
    bool discarded = false;
    bool faulted = false;
    bool has_final = false;
    std::set<std::string> finals; // memory parts
    std::uint32_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t bytes = 0;
    System::Cuts cuts;
    Stop stop = Stop::none;

    /// Whether all states were seen.
    bool complete() const { return stop == Stop::none && !cuts.pending && !cuts.values; }
};

/// Throws LimitReached, but OutOfTime is a result.
SearchResult search(System& system, SearchOptions const& options);

} // namespace matchpoint::rma
