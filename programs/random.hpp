// Random programs under the static rules and D1 to D6. Program number i of a seed is the same on every platform, and
// does not depend on the programs generated before.
//
//   RandomProgram const p = random_program(seed, i, {.threads = 3, .trace = true});
//   std::cout << draft::print(p.draft);
//
// The generator chooses an order of all commands. As a rule, a wait comes after the messages that it needs, so most
// programs can complete, at least with infinite buffering. The percentages of the shape decide what else a program has.
#pragma once

#include <cstdint>
#include <optional>

#include "programs/draft.hpp"
#include "programs/random_trace.hpp"

namespace matchpoint::programs {

struct RandomShape {
    unsigned threads = 4;   // 2 to this number; 1 if it is 1
    unsigned endpoints = 2; // of one thread, at most
    unsigned messages = 6;  // sends with a receive for them: 1 to this number

    // The percentage of programs that may have ...
    unsigned several_endpoints = 40;  // threads that receive at or send from several endpoints
    unsigned dependencies = 60;       // sends after waits for receives, and sends of received values
    unsigned waits_out_of_order = 30; // within a thread; otherwise the oldest request is waited for first
    unsigned unwaited_sends = 40;
    unsigned unwaited_receives = 20; // completed by the wait for a later one
    unsigned orphans = 25;           // one or two sends too many, perhaps to an endpoint that no thread has
    unsigned lone_receives = 8;      // a receive too many
    unsigned crossed = 12;           // waits before their messages can arrive: deadlocks
    unsigned reuse = 30;             // variables with several definitions
    unsigned assignments = 35;
    unsigned arithmetic = 35; // operators in payloads, assignments and comparisons
    unsigned divisions = 15;  // by received values
    unsigned booleans = 25;   // messages that are booleans
    unsigned assumptions = 30;
    unsigned several_assertions = 35;
    unsigned no_assertion = 10;
    unsigned large_numbers = 0; // beyond 64 bits
    unsigned choices = 0;       // `ite`. With 0, programs are the same as ever

    // What only MPI has (docs/semantics.md, "Selectors, modes, barriers"). Where none of it may be, programs are the
    // same as ever.
    unsigned sources = 0;  // receives that admit some sources only
    unsigned tags = 0;     // messages with tags, and receives that admit some tags only
    unsigned selected = 0; // receives that assign the source or the tag
    unsigned modes = 0;    // sends that are synchronous or buffered
    unsigned barriers = 0; // one or two

    /// Of 100 things that threads do, so many are accesses to shared variables (docs/shared_memory.md), and the others
    /// messages. With 100 there are no messages; with 0, programs are the same as ever.
    unsigned shared = 0;
    unsigned atomics = 0; // of 100 shared variables, so many are declared atomic

    bool has_mpi() const { return sources + tags + selected + modes + barriers > 0; }

    /// Adds a trace: a random execution (random_trace.hpp).
    bool trace = false;
    Buffering buffering = Buffering::infinite; // of the trace
};

struct RandomProgram {
    draft::Draft draft; // its names are canonical (names.hpp)

    /// How the trace ends, if there is one (random_trace.hpp). If it does not complete, ten executions were tried.
    std::optional<End> end;
    Status s = Status::success; // of the trace, if that is complete
    bool well_formed = false;   // the trace, by Definition 2: it is complete, and there are no orphans
};

/// The shape, with a good deal of what only MPI has.
RandomShape with_mpi(RandomShape shape = {});

RandomProgram random_program(std::uint64_t seed, std::uint64_t number, RandomShape const& shape = {});

} // namespace matchpoint::programs
