// The subject of a validation: an encoder, asked about one program after the other. It is a command, or one of
// encode/registry.hpp.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validate/case.hpp"
#include "validate/external_command.hpp"

namespace matchpoint::validate {

/// A subject's answer about a program: some run fails (sat), or none does (unsat).
struct SubjectAnswer {
    std::optional<bool> sat; // if none, see trouble
    NoAnswer trouble = NoAnswer::none;
    std::string what;    // describes the trouble
    std::string problem; // the SMT-LIB that it printed, if it did
    std::string model;   // of the problem, if it is satisfiable
    /// The actions of a receive and its send, if the subject itself names its matches.
    std::vector<std::pair<std::string, std::string>> matches;
    double seconds = 0; // of its command, without our solver; 0 if that was not run
};

class Subject {
public:
    virtual ~Subject() = default;
    virtual SubjectAnswer ask(Case const& c, Buffering buffering) = 0;
};

/// What stands for something in a command, as SubjectOptions says.
inline constexpr std::array<std::string_view, 6> placeholders{"{ctp}",  "{pairs}",    "{buffering}",
                                                              "{runs}", "{switches}", "{model}"};

struct SubjectOptions {
    /// A command. In its arguments {ctp} stands for a file with the program (if it is missing, the program is on
    /// standard input), {pairs} for a file with the match pairs of Figure 15 (each line has a receive's action and a
    /// send's), and
    /// {buffering} for `infinite` or `zero`, {runs} for `executions` or `complete`, {switches} for the bound on context
    /// switches, {model} for `ctp`, `mcm` or `hb`, a causal model of the first trace of the program. A single word may
    /// be the name of an encoder of ours.
    std::vector<std::string> command;
    SolverCommand solver;
    Question question;                          // an encoder of ours that has one reading only is asked about that
    std::chrono::milliseconds time{10'000};     // for the subject, and for the solver on its problem
    std::size_t memory = std::size_t{1} << 30U; // bytes of address space
};

/// Whether the command is told which buffering it is asked about.
bool names_buffering(std::vector<std::string> const& command);

/// A subject for one thread; `folder` is for its files.
std::unique_ptr<Subject> make_subject(SubjectOptions const& options, std::filesystem::path const& folder);

/// Reads what an encoder printed: `sat`, `unsat`, `unknown` (or `violated`, `safe`, `vacuous`); a JSON object with one
/// of these as its "verdict" (or "answer", "status"), and perhaps "matches", an array of pairs of actions; or an
/// SMT-LIB problem, whose commands that ask the solver something are dropped.
SubjectAnswer read_answer(std::string_view printed);

} // namespace matchpoint::validate
