#pragma once

/// Random cases for property tests: a program, a trace of it and a buffering, made from a vector of small numbers. The
/// functions are total, deterministic and repairing: every vector gives a case, so generators discard nothing, and a
/// smaller vector gives a smaller case, so shrinking the vector shrinks the case.

#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace matchpoint::naive {

/// Elaborates a skeleton into a case of 1 to 4 threads and about 0 to 8 commands a thread that obeys rules S1 to S5,
/// but not always the discipline D. The trace is a guided walk through the program, which in a part of the cases is
/// broken in one of many ways, so that every status and every reason of an error is frequent under both bufferings.
///
/// The program's choices are read from the front of the skeleton, the trace's from its back; what is missing reads as
/// zero, and zero is always the plainest choice. The empty skeleton is the program of one thread without commands.
Case elaborate(std::vector<std::uint16_t> const& skeleton);

/// As `elaborate`, but the program obeys rules D1 to D6 as well, and the trace is not broken: it completes under the
/// case's buffering whenever the program can (found by search when the walk gets stuck), and mostly is well-formed.
Case elaborate_disciplined(std::vector<std::uint16_t> const& skeleton);

/// At most how large `elaborate_program` makes programs.
struct ProgramShape {
    std::size_t threads = 5;  ///< 2 or more
    std::size_t messages = 9; ///< 2 or more; sends that are meant for a receive
};

/// The program of `elaborate_disciplined`, without looking for a trace of it.
Program elaborate_disciplined_program(std::vector<std::uint16_t> const& skeleton);

/// Elaborates a skeleton into a program, without a trace, for exploration: 2 to `threads` threads that exchange 2 to
/// `messages` messages under rules D1 to D6. Most threads send to a few endpoints, so that races are frequent, and many
/// sends come after waits, so that which matches go together depends on cycles. A part of the programs has sends too
/// many or receives too many, or commands interchanged so that it deadlocks, or a divisor that may be zero, or an
/// assumption that cannot hold. Checks speak of received values, so that statuses depend on matches.
Program elaborate_program(std::vector<std::uint16_t> const& skeleton, ProgramShape const& shape = {});

/// A program that obeys rules D1 to D6, and traces of it that differ, all complete with infinite buffering.
struct Family {
    Program program;
    std::vector<Trace> traces;
};

/// The program that `elaborate_disciplined` would make of a skeleton, and the well-formed traces among the walks
/// through it that other skeletons choose. There may be none.
Family elaborate_family(std::vector<std::uint16_t> const& skeleton,
                        std::vector<std::vector<std::uint16_t>> const& walks);

/// A race: one thread that receives two or three messages at one endpoint, with one wait, and asserts something of what
/// it got; as many threads that send it a number each; and two or three orders of arrival (fewer where they agree), each
/// a trace.
Family elaborate_race(std::vector<std::uint16_t> const& skeleton);

/// Families that are a little smaller, for shrinking: without a trace, a command, a message or a thread, with a simpler
/// expression somewhere, or with an assignment instead of a message. They obey rules S1 to S5 if the family does, but
/// not always D1 to D6, and what is left of the traces need not complete.
std::vector<Family> smaller(Family const& family);

/// A skeleton of a suitable length for either, for bulk runs.
std::vector<std::uint16_t> random_skeleton(std::mt19937_64& random);

} // namespace matchpoint::naive
