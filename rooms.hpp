// The rooms of the house: a folder is a room, and has a namespace of its own. This file says which rooms each of them
// builds on, and therefore whose headers it may include; every list is complete, so an arrow is either here or not allowed.
// tests/architecture.py reads the lists from here, compares them with the #includes, and rejects cycles.
// docs/architecture.md says what each room is for.
#pragma once

namespace matchpoint {

/// The trace language.
namespace grammar {}

/// The reference machine.
namespace machine {
using namespace grammar;
} // namespace machine

/// What is known of messages without running the program.
namespace matching {
using namespace grammar;
using namespace machine;
} // namespace matching

/// All executions, by running them.
namespace executions {
using namespace grammar;
using namespace machine;
using namespace matching;
} // namespace executions

/// What users see of runs.
namespace report {
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
} // namespace report

/// One run as an SMT problem.
namespace smt_machine {
using namespace grammar;
using namespace machine;
using namespace report;
} // namespace smt_machine

/// All executions as one SMT problem.
namespace encode {
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
using namespace report;
using namespace smt_machine;
} // namespace encode

/// Solvers, in child processes and in this one.
namespace solve {
using namespace grammar;
using namespace smt_machine;
} // namespace solve

/// The verdict.
namespace check {
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
using namespace report;
using namespace smt_machine;
using namespace encode;
using namespace solve;
} // namespace check

/// Programs as data.
namespace programs {
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
} // namespace programs

/// Other people's encoders, tested against the semantics.
namespace validate {
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
using namespace report;
using namespace smt_machine;
using namespace encode;
using namespace solve;
using namespace check;
using namespace programs;
} // namespace validate

/// The conformance suite for other implementations.
namespace suite {
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
using namespace programs;
} // namespace suite

/// The binary.
namespace cli {
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
using namespace report;
using namespace smt_machine;
using namespace encode;
using namespace solve;
using namespace check;
using namespace programs;
using namespace validate;
using namespace suite;
} // namespace cli

} // namespace matchpoint
