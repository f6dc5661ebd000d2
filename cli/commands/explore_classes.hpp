// What `explore` shows where threads share variables, or of a causal model: each class of executions once.
#pragma once

#include <array>

#include "check/scope.hpp"
#include "cli/commands/outcome_table.hpp"
#include "cli/exit_code.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "executions/shared/until_end.hpp"
#include "matching/match_pairs.hpp"
#include "matching/prepared.hpp"
#include "record/provenance.hpp"
#include "report/json.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

struct ExploreClassesOptions {
    Buffering buffering = Buffering::infinite;
    std::optional<std::uint64_t> limit; // classes
    bool json = false;
    std::string model = {}; // "mcm of trace 1"; empty for all executions
    std::optional<std::uint64_t> max_switches;
    CausalModel const* of = nullptr; // the model; null for all executions
    std::vector<Variable> outcomes = {};
};

class ExploreClasses {
public:
    /// All have to outlive it.
    ExploreClasses(ExploreClassesOptions const& options, Prepared const& subject, UntilEnd& search, Terminal& terminal);

    ExitCode run();

private:
    void find_failing_prefix();
    void found(End end);
    void show(std::string_view end, std::vector<std::string> const& why);
    std::vector<std::string> why(End end) const;
    std::vector<Replay::Halt> halts() const;
    std::vector<std::string> standing() const;
    void collect_pairs();
    void progress();
    Verdict verdict(std::uint64_t failing, std::uint64_t succeeding) const;
    Reached::Answer answer(bool found) const {
        return found ? Reached::Answer::yes : complete_ ? Reached::Answer::no : Reached::Answer::unknown;
    }
    void find_out_leaving();
    Reached::Answer leaves_path() const;
    check::Scope scope() const;
    /// What keeps the verdict from being about every run of a recorded program; empty if nothing does.
    std::string not_known() const;
    Reached::Answer answer_on_deadlocks() const {
        bool const is_open = ends(End::deadlock) == 0 && !cut_short_.empty();
        return is_open ? Reached::Answer::unknown : answer(ends(End::deadlock) > 0);
    }
    bool fails() const { return statuses_[1] > 0 || failing_prefix_; }
    /// For a program with shared variables. Nobody asks about races in a model.
    std::optional<Race> race() const;
    void print_race();
    std::uint64_t ends(End end) const { return ends_[static_cast<std::size_t>(end)]; }
    ExitCode exit_code() const;
    void print_text();
    void print_verdict();
    void print_json();

    ExploreClassesOptions const& options_;
    Prepared const& s_;
    UntilEnd& search_;
    Terminal& terminal_;
    Matching m_;
    MatchPairs pairs_;
    std::array<std::uint64_t, 5> ends_ = {}; // by End
    record::CutShort cut_short_ = record::provenance_of(s_.source.text()).cut_short;
    std::uint64_t open_ends_ = 0;                     // that the threads which were cut short could end
    std::array<std::uint64_t, 2> statuses_ = {};      // success, failure
    std::array<std::uint64_t, 2> complete_runs_ = {}; // the same of complete runs
    /// With max_switches: a failing execution that has more of them after its failure, if no other one fails.
    std::optional<Schedule> failing_prefix_;
    bool complete_ = false;
    Reached::Answer leaves_path_ = Reached::Answer::unknown;
    Json classes_ = Json::array();
    OutcomeTable table_;
    ProgressLine progress_;
};

} // namespace matchpoint::cli
