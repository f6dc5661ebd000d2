// The program of a run while it is read: variables, and commands in the order of the run. A command can be added where
// the run was long ago.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "programs/draft.hpp"
#include "record/threads/reading.hpp"
#include "record/threads/terms.hpp"

namespace matchpoint::record::threads {

/// A variable of the program: shared, or local to a thread.
struct VariableId {
    std::uint32_t index = 0;
    bool is_shared = true;
};

struct RunCommand {
    enum class Kind : std::uint8_t {
        assume,  // guard, if nothing is assigned
        assert_, // guard
        when,    // guard
        within,  // that the guard, a number, has so many bits; left out if it always has
    };
    std::uint64_t at = 0; // the number of the record in the run
    std::uint32_t thread = 0;
    Kind kind = Kind::assume;
    std::uint8_t bits = 0;
    bool is_executed = true;
    bool is_plain = false;  // an assignment without a guard
    bool is_main = false;   // it has the name of its event
    bool is_serial = false; // its thread got PTHREAD_BARRIER_SERIAL_THREAD, which its name says
    TermId guard = 0;
    std::uint64_t place = 0, event = 0;
    std::uint32_t mark = 0; // of the thread (PathMark), from 1; 0 if it belongs to none
    std::vector<std::pair<VariableId, TermId>> assigned = {};
};

class ProgramBuilder {
public:
    ProgramBuilder(Terms& terms, Overflow overflow) : terms_(terms), overflow_(overflow) {}

    struct Shared {
        std::string name;
        Wide initial = 0;
        Range bounds = {};
        bool is_truth = false;
        bool is_atomic = false;
        bool is_location = false; // of memory
    };
    std::uint32_t shared(std::string name, Wide initial, Range bounds, bool is_atomic = false);
    Shared& operator[](std::uint32_t variable) { return shared_[variable]; }
    /// The value of a shared variable.
    TermId value_of(std::uint32_t variable) { return terms_.shared(variable, shared_[variable].bounds); }
    /// A new local variable that is called as what it is read from.
    std::uint32_t local(std::uint32_t thread, std::string_view from);

    void add(RunCommand command) { commands_.push_back(std::move(command)); }

    /// How many locations of memory are shared.
    std::size_t locations() const;
    /// How many sums, differences and products are assumed, or asserted, not to overflow; after program().
    std::size_t assumed_in_range() const { return assumed_; }
    /// The program, with the trace of the run.
    draft::Draft program(RunIndex const& index);
    /// After program(): the first command of a thread in it that belongs to a mark; none if it was left out.
    std::optional<std::uint32_t> command_of(std::uint32_t thread, std::uint32_t mark) const;

private:
    friend class ProgramText;
    std::string unique(std::string name);

    Terms& terms_;
    Overflow overflow_;
    std::vector<Shared> shared_;
    struct Local {
        std::string name;
        std::uint32_t thread;
    };
    std::vector<Local> locals_;
    std::vector<std::uint32_t> counts_; // of local variables, of each thread
    std::set<std::string, std::less<>> names_;
    std::vector<RunCommand> commands_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> marked_; // thread, mark -> command
    std::size_t assumed_ = 0;
};

} // namespace matchpoint::record::threads
