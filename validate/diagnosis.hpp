// What is wrong with a subject, as far as a campaign has seen it: its answers about various programs, and the changes
// to the rules that predict them.
//
//   Diagnosis diagnosis(options);
//   Reason const reason = diagnosis.explain({found, smallest, Buffering::infinite, true}, solver, ask);
//   std::cout << shown(reason);
//
// If explanations predict all answers equally well, it asks the subject about programs on which they differ.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "validate/explanations.hpp"
#include "validate/program_source.hpp"

namespace matchpoint::validate {

/// A subject's answer about a program.
struct Answered {
    std::string program;
    Buffering buffering;
    bool sat;
};

/// One that the first explanation and the next one do not both predict.
struct Apart : Answered {
    bool first; // the first explanation predicts it; otherwise the next one does
};

/// A subject's only answer, and the number of programs that it was asked about.
struct OnlyAnswer {
    bool sat;
    std::uint64_t programs;
};

/// Why a subject's answer is wrong.
struct Reason {
    std::vector<Explanation> why = {};     // best first; empty if no set of changes gives this answer
    std::vector<Apart> apart = {};         // at most two
    std::optional<OnlyAnswer> always = {}; // if it has only one answer, no rules are looked for
    bool is_cut_short = false;             // there was no time to look for more
};

/// Whether a cause is known.
bool is_explained(Reason const& reason);

/// What the diagnosis is doing.
struct Progress {
    std::string_view what;  // "looking for the cause of a wrong answer"
    std::uint64_t done = 0; // programs that were asked about
    std::uint64_t all = 0;  // 0 if it is not known how much there is to do
};

/// A wrong answer: the program on which it was found, and what that was shrunk to.
struct WrongAnswer {
    std::shared_ptr<Case const> found;
    std::shared_ptr<Case const> smallest;
    Buffering buffering;
    bool sat;           // the subject's answer about both
    Changes known = {}; // what was found before, and does not explain it
};

/// Asks the subject. None if it has no answer.
using Ask = std::function<std::optional<bool>(Case const& c, Buffering buffering)>;

class Diagnosis {
public:
    /// `selection` says what programs are like; the programs asked about do not depend on how many it selects. `stop`
    /// says whether there is no time left, and `stop_asking` whether what is left is for the search.
    Diagnosis(
        ProgramSelection const& selection, Question const& question, std::function<bool()> stop,
        std::function<bool()> stop_asking = [] { return false; });

    Reason explain(WrongAnswer const& wrong, CachingSolver& solver, Ask const& ask);

    Progress const& progress() const { return progress_; }

    /// How long it would take to ask about the standard programs for which there was no time; 0 if there are none.
    double seconds_missing() const { return seconds_missing_; }

    /// Adds an answer.
    void add(Answered const& answered);

    /// Answers that were observed beside those about the standard programs, so that a campaign can be continued.
    std::vector<Answered> further() const;
    /// `hints`: the explanations of the last wrong answer.
    void resume(std::vector<Answered> further, std::vector<Changes> hints);

private:
    void observe_standard_programs(Ask const& ask);
    std::optional<OnlyAnswer> only_answer(CachingSolver& solver);
    void observe(draft::Draft const& draft, Ask const& ask);
    bool observe(std::shared_ptr<Case const> const& c, Buffering buffering, Ask const& ask);
    std::size_t distinguish(WrongAnswer const& wrong, std::vector<Explanation> const& why, CachingSolver& solver,
                            Ask const& ask);
    std::vector<Apart> apart(std::vector<Explanation> const& why, CachingSolver& solver);
    bool differ(Case const& c, Buffering buffering, std::span<Explanation const> why, CachingSolver& solver) const;
    ProgramSelection small_selection(std::uint64_t number, std::uint64_t shard) const;
    draft::Draft random_draft(std::uint64_t number) const;
    bool is_asked_about(Case const& c, Buffering buffering) const;

    ProgramSelection selection_;
    Question question_;
    std::function<bool()> stop_, stop_asking_;
    Observations observed_;
    std::size_t standard_ = 0;      // the first so many observations
    std::vector<Changes> hints_;    // the sets of changes that were best so far
    std::vector<Answered> earlier_; // answers that come after the standard programs
    bool is_begun_ = false;         // the standard programs have been asked about, as far as there was time
    bool is_observed_ = false;      // all of them
    double seconds_missing_ = 0;
    Progress progress_ = {};
    std::set<std::vector<std::string>> alike_; // sets of changes for which no program was found on which they differ
};

} // namespace matchpoint::validate
