// SMT problems: of one run, and of all executions; and solvers that answer them.
//
//   Result<std::string> const problem = encode(program, {.encoder = "exact"});
//   Solved const answer = solve(*problem, "z3");
//   if (answer.answer == Solved::Answer::sat) std::cout << "some execution fails\n";
//
// encode() has our own encoders, `exact` and, for shared variables, `schedule`, and the papers', each to the letter:
// the problem is satisfiable if, according to the encoder, some complete run fails. check() counts executions that are
// not complete, too: with `complete_runs` false, our encoders do the same. smt() has the SMT machine of Figures 9 and
// 10: the problem of one run is satisfiable if and only if that run fails (Lemma 3). All of them write SMT-LIB 2.6.
#pragma once

#include <chrono>

#include <matchpoint/execution.hpp>

namespace matchpoint::api {

struct EncoderInfo {
    std::string_view name;   // "section5"
    std::string_view source; // "Sections 5.1 to 5.3 of the paper"
    bool infinite;           // it handles that buffering
    bool zero;
    bool is_of_one_trace; // it predicts from a trace of the file
};
std::vector<EncoderInfo> encoders();

struct EncodeOptions {
    std::string encoder = "exact";
    Buffering buffering = Buffering::infinite;
    /// The papers' reading. False: executions on the path, complete or not, as check() has it by default.
    bool complete_runs = true;
    std::optional<std::size_t> trace = {};      // from 0, for encoders of one trace
    std::optional<std::uint32_t> switches = {}; // only executions with at most so many context switches
    /// False: `exact` leaves out the order of commands, for a loop that adds what it finds missing (Refusal::smt of
    /// Feasibility).
    bool order = true;
    bool check_sat = true; // (check-sat) at the end
};
/// The problem begins with (set-option :produce-models true). Errors: `input` (breaches of the discipline), `usage`
/// (what the encoder does not handle), `limit`.
Result<std::string> encode(Program const& program, EncodeOptions const& options = {});

/// getSMT (Definition 16). Errors: `usage` (the run is not complete, or not well-formed), `limit`.
Result<std::string> smt(Execution const& run);

struct Solved {
    enum class Answer : std::uint8_t {
        sat,
        unsat,
        unknown, // the solver says so, or its time was up
        failed,  // it is missing, crashed, or printed what cannot be understood
    };
    Answer answer;
    std::string text;  // "sat", "unknown (incomplete)", "z3 failed: killed by signal 11 (SIGSEGV)"
    std::string model; // of `sat`, if asked for: what (get-model) printed
};
/// `problem`: SMT-LIB, with or without (check-sat) at the end. `solver`: z3, cvc5, cvc4, or a command that reads
/// SMT-LIB from standard input. It runs as a child process with 4 GiB of memory at most.
Solved solve(std::string_view problem, std::string_view solver = "z3",
             std::optional<std::chrono::milliseconds> time = {}, bool model = false);

} // namespace matchpoint::api
