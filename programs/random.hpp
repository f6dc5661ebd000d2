// Random programs under rules D1 to D6. Program number i of a seed is always the same one, on every platform, whichever
// were asked for before.
//
// A program is made by choosing an order of all its commands in which, as a rule, every wait comes behind the messages
// that it needs: so most programs can complete, with infinite buffering at least. What else it has is chosen program by
// program, by the percentages of its shape.
#pragma once

#include <cstdint>
#include <optional>

#include "executions/scheduler.hpp"
#include "programs/draft.hpp"

namespace matchpoint::programs {

struct RandomShape {
    unsigned threads = 4;   // at most; at least 2, if that is not less
    unsigned endpoints = 2; // of one thread, at most
    unsigned messages = 6;  // at most, and at least 1: sends for which there is a receive

    // In how many of 100 programs there may be ...
    unsigned several_endpoints = 40;  // threads that receive at, or send from, more than one
    unsigned dependencies = 60;       // sends behind waits for receives, and of received values
    unsigned waits_out_of_order = 30; // within a thread; without them, the oldest request is waited for first
    unsigned unwaited_sends = 40;
    unsigned unwaited_receives = 20; // completed by the wait for a later one
    unsigned orphans = 25;           // one or two sends too many, to an endpoint or to one that is nobody's
    unsigned lone_receives = 8;      // a receive too many
    unsigned crossed = 12;           // waits before what they wait for can be there: deadlocks
    unsigned reuse = 30;             // variables with several definitions
    unsigned assignments = 35;
    unsigned arithmetic = 35; // operators in what is sent, assigned and compared
    unsigned divisions = 15;  // by values that are received
    unsigned booleans = 25;   // messages that are booleans
    unsigned assumptions = 30;
    unsigned several_assertions = 35;
    unsigned no_assertion = 10;
    unsigned large_numbers = 0; // beyond 64 bits

    /// With a trace: a random execution, movements at any moment.
    bool trace = false;
    Buffering buffering = Buffering::infinite; // of the trace
};

struct RandomProgram {
    draft::Draft draft; // its names are canonical (smaller.hpp)

    /// How the trace ends, if one was asked for. A deadlock: its threads are not all finished, and nothing more can
    /// happen (a few other executions were tried). A fault: the command that is stuck is its last entry.
    std::optional<End> end;
    Status s = Status::success; // of the trace, if that is complete
    bool well_formed = false;   // the trace, by Definition 2: it is complete, and there are no orphans
};

RandomProgram random_program(std::uint64_t seed, std::uint64_t number, RandomShape const& shape = {});

/// A random execution of a program: which thread steps, and which message moves when.
struct RandomTrace {
    draft::Trace trace;
    End end = End::complete; // as that of RandomProgram
    Status s = Status::success;
    bool well_formed = false;
};

/// Number i of a seed is always the same one, as above. The program need not obey D1 to D6. Throws LimitReached.
RandomTrace random_trace(IndexedProgram const& code, Buffering buffering, std::uint64_t seed, std::uint64_t number);

} // namespace matchpoint::programs
