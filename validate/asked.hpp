// Somebody's encoder, asked about one program after the other.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validate/case.hpp"

namespace matchpoint::validate {

/// Why a subject gave no answer.
enum class NoAnswer : std::uint8_t {
    none,
    cannot_start, // there is no such program
    crashed,      // it was killed by a signal, or its exit code says that it failed
    out_of_time,
    out_of_memory, // it failed, and says that it wanted more than it may have
    too_long,      // more output than anybody can want
    nonsense,      // what it answered is none of what it may answer
    refused,       // a built-in encoder has no problem for this program
    solver,        // the solver has trouble with the problem that it answered, or does not know
};
inline constexpr std::size_t trouble_count = 9;
std::string_view to_string(NoAnswer trouble);

/// What it says of a program: there is a failing run (sat), or none (unsat).
struct Said {
    std::optional<bool> sat; // none: trouble, or `unknown`
    NoAnswer trouble = NoAnswer::none;
    std::string what;    // of trouble
    std::string problem; // SMT-LIB, if that is what it answered
    std::string model;   // of the problem, if it is satisfiable
    /// Receive and send, by their actions' names, if it names them itself.
    std::vector<std::pair<std::string, std::string>> matches;
};

class Subject {
public:
    virtual ~Subject() = default;
    virtual Said ask(Case const& c, Buffering buffering) = 0;
};

struct SubjectOptions {
    /// The program and its arguments, in which {ctp} stands for a file with the program (without it, the program is its
    /// standard input), {pairs} for a file with its match pairs (the receive's action and the send's on a line, those of
    /// Figure 15) and {buffering} for `infinite` or `zero`. One word that is the name of a built-in encoder is that.
    std::vector<std::string> command;
    SolverCommand solver;
    std::chrono::milliseconds time{10'000};     // for the subject, and for the solver on its problem
    std::size_t memory = std::size_t{1} << 30U; // bytes of address space
};

/// One that is to be used by one thread; `folder` is for its files.
std::unique_ptr<Subject> make_subject(SubjectOptions const& options, std::filesystem::path const& folder);

/// What an encoder printed, read: `sat`, `unsat`, `unknown` (also `violated`, `safe`, `vacuous`); a JSON object with one of
/// these as its "verdict" (or "answer", "status"), and perhaps "matches", an array of pairs of actions; or an SMT-LIB
/// problem, whose questions to a solver are left out.
Said read_answer(std::string_view printed);

} // namespace matchpoint::validate
