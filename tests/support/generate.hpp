#pragma once

/// Random programs for tests, as plain data. `programs/` generates them (random.hpp) and shrinks them (smaller.hpp);
/// tests/support/broken.hpp breaks some of them. Number i of a seed is always the same one.

#include <cstdint>
#include <vector>

#include "programs/random.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// A program and traces of it.
struct Family {
    Program program;
    std::vector<Trace> traces;
};

/// A draft as plain data.
Family plain(programs::draft::Draft draft);

/// A program that obeys D1 to D6, and a random trace of it: complete under the case's buffering in most cases.
Case disciplined_case(std::uint64_t seed, std::uint64_t i);

/// As above, but with sends, receives and waits that fit together, so that most traces are well-formed; and with
/// assumptions and assertions that make each status frequent.
Case well_formed_case(std::uint64_t seed, std::uint64_t i);
/// As above, with choices: `ite`. The others have none, so that what finds mutants and counterexamples stays the same.
Case choice_case(std::uint64_t seed, std::uint64_t i);

/// A program and a trace, many of them broken in one of many ways, so that every status and every reason of an error is
/// frequent. They obey the static rules, but not always D1 to D6. Some have odd names.
Case any_case(std::uint64_t seed, std::uint64_t i);

/// A program for exploration: races, cycles, orphans, deadlocks and faults are frequent, and checks speak of received
/// values.
Program program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads = 5, unsigned messages = 9);

/// The same three with selectors, tags, modes and barriers.
Case disciplined_mpi_case(std::uint64_t seed, std::uint64_t i);
Case any_mpi_case(std::uint64_t seed, std::uint64_t i);
Program mpi_program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads = 4, unsigned messages = 5);

/// A program with probes, made of one with selectors, modes and barriers, or of one without; and a random trace of it,
/// in which some peeks are changed or left out.
Program probe_program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads = 3, unsigned messages = 4);
/// The same, in which every probe is an mprobe.
Program mprobe_program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads = 3, unsigned messages = 4);
Case probe_case(std::uint64_t seed, std::uint64_t i);
/// The same three with collectives, and some with what else MPI has.
Case disciplined_collective_case(std::uint64_t seed, std::uint64_t i);
Case any_collective_case(std::uint64_t seed, std::uint64_t i);
Program collective_program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads = 3, unsigned messages = 3);

/// The program of disciplined_case().
Program disciplined_program(std::uint64_t seed, std::uint64_t i);

/// A program that obeys D1 to D6, and up to four well-formed traces with infinite buffering, of eight random ones.
/// There may be none.
Family family(std::uint64_t seed, std::uint64_t i);

/// A race: one thread receives two or three messages at one endpoint, with one wait, and asserts something about the
/// values; each message comes from a thread of its own. The two or three traces have different orders of arrival.
Family race(std::uint64_t seed, std::uint64_t i);

/// The families that are a little smaller, for shrinking. They obey D1 to D6 if the family does, and keep a trace if it
/// has one; what is left of the traces need not complete.
std::vector<Family> smaller(Family const& family);

} // namespace matchpoint::naive
