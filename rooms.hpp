// The rooms: every folder is one, with a namespace of its own. This file lists which rooms each room builds on. A room
// may include headers of the rooms in its own list and of no others. (It sees the names of the rooms below those as
// well.) tests/architecture.py compares the lists with the #includes and rejects missing arrows, unused arrows and
// cycles. docs/architecture.md says what each room is for.
#pragma once

namespace matchpoint {

/// What every room uses and no paper speaks of.
namespace base {}

/// The trace language.
namespace grammar {
using namespace base;
} // namespace grammar

/// The reference machine.
namespace machine {
using namespace base;
using namespace grammar;
} // namespace machine

/// What can be inferred about messages without running the program.
namespace matching {
using namespace base;
using namespace grammar;
using namespace machine;
} // namespace matching

/// Programs with selectors, modes and barriers as plain ones.
namespace lowering {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace matching;
} // namespace lowering

/// All executions, by running them.
namespace executions {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace lowering;
} // namespace executions

/// Shared variables that count, and what is proved with them.
namespace counting {
using namespace base;
using namespace grammar;
using namespace matching;
using namespace executions;
} // namespace counting

/// Executions as words.
namespace explain {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
} // namespace explain

/// Executions as diagrams, pages and JSON.
namespace report {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace explain;
} // namespace report

/// One run as an SMT problem.
namespace smt_machine {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace explain;
} // namespace smt_machine

/// All executions as one SMT problem.
namespace encode {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace lowering;
using namespace executions;
using namespace explain;
using namespace smt_machine;
} // namespace encode

/// Solvers: child processes, and SAT in this process.
namespace solve {
using namespace base;
using namespace smt_machine;
} // namespace solve

/// The verdict.
namespace check {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace lowering;
using namespace executions;
using namespace counting;
using namespace explain;
using namespace smt_machine;
using namespace encode;
using namespace solve;
} // namespace check

/// Programs as data: families, random programs, shrinking.
namespace programs {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace executions;
} // namespace programs

/// Programs from what other tools write.
namespace importers {
using namespace base;
using namespace grammar;
using namespace programs;
} // namespace importers

/// Runs of real programs: recorded, and made to happen again.
namespace record {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
using namespace explain;
using namespace check;
using namespace programs;
using namespace importers;
} // namespace record

/// Programs with remote memory access: their language, machine and reduction.
namespace rma {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace explain;
using namespace report;
using namespace programs;
} // namespace rma

/// Proofs of programs with remote memory access that have unboundedly many states.
namespace proofs {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace smt_machine;
using namespace solve;
namespace rma = matchpoint::rma; // by its name: it has a Program, a Machine and so on of its own
} // namespace proofs

/// The public face, include/matchpoint/, over the rooms.
namespace api {
using namespace base;
using namespace grammar;
using namespace matching;
using namespace executions;
using namespace explain;
using namespace report;
using namespace smt_machine;
using namespace encode;
using namespace solve;
using namespace check;
using namespace record;
namespace remote = matchpoint::rma; // by its name: it has a Program, a Machine and so on of its own
} // namespace api

/// Other people's encoders and reductions, tested against the semantics.
namespace validate {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace lowering;
using namespace executions;
using namespace explain;
using namespace smt_machine;
using namespace encode;
using namespace solve;
using namespace check;
using namespace programs;
namespace rma = matchpoint::rma; // by its name: it has a Program, a Machine and so on of its own
} // namespace validate

/// The conformance suite for other implementations.
namespace suite {
using namespace grammar;
using namespace machine;
using namespace executions;
using namespace explain;
using namespace programs;
} // namespace suite

/// The binary.
namespace cli {
using namespace base;
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
using namespace counting;
using namespace explain;
using namespace report;
using namespace smt_machine;
using namespace encode;
using namespace solve;
using namespace check;
using namespace programs;
using namespace importers;
using namespace record;
namespace rma = matchpoint::rma;       // by its name: it has a Program, a Machine and so on of its own
namespace proofs = matchpoint::proofs; // by its name
using namespace validate;
using namespace suite;
} // namespace cli

} // namespace matchpoint
