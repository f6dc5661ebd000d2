// What is known of the answer so far. Engines add facts, and only what a solver said wrongly is taken back.
//
//   Known known(question);
//   known.add(fact::Stuck{Stop::deadlock, schedule});                 // runs it on the reference machine first
//   known.add(fact::NeverStuck{Stop::fault}, {"smt (z3)", true});     // by the word of the solver
//   if (known.success()) known.conclude(Verdict::safe, {"counting"});
//
// An execution that is found is run on the reference machine, and std::logic_error is thrown if it comes to another
// end. A fact may contradict what was known. If the word of the solver was wrong, that is a trouble, and what it
// said is withdrawn. If something was proved and is false, std::logic_error is thrown.
#pragma once

#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "check/question.hpp"
#include "encode/partial_runs.hpp"

namespace matchpoint::check {

// What an engine can add.
namespace fact {

/// An execution that succeeds, fails or leaves the path.
struct Execution {
    Run run;
};
/// How an execution gets stuck.
struct Stuck {
    Stop stop;
    Schedule schedule;
};
struct NeverStuck {
    Stop stop;
};
struct Races {
    Race race;
};
struct NeverRaces {};
struct NeverLeaves {};
/// No assertion fails in any run that counts (Question::runs()).
struct NeverFails {
    std::optional<CheckResult::Inductive> inductive = {}; // by invariants: which
};
/// No execution completes on the path.
struct NeverCompletes {};

} // namespace fact

using Fact = std::variant<fact::Execution, fact::Stuck, fact::NeverStuck, fact::Races, fact::NeverRaces,
                          fact::NeverLeaves, fact::NeverFails, fact::NeverCompletes>;

class Known {
public:
    /// The question has to outlive it.
    explicit Known(Question const& question);
    Known(Known const&) = delete;
    Known& operator=(Known const&) = delete;

    /// The first execution of each kind is kept.
    void add(Fact fact, Engine by = {});
    /// All that an execution shows: its status, how it gets stuck, whether it leaves the path.
    void record(Scheduler const& execution, End end);
    /// Concludes a verdict, unless there is the same one already. `violated` needs a run that fails, `safe` one that
    /// succeeds.
    void conclude(Verdict v, Engine const& engine);
    /// An engine says that no execution `does` something, and one does.
    void contradict(Engine const& engine, std::string_view does);
    /// Notes a trouble once: a solver that is missing is missing for every problem.
    void report(Trouble trouble);
    /// The same if there is no verdict at the end.
    void report_if_undecided(Trouble trouble) { if_undecided_.push_back(std::move(trouble)); }

    // Beside a verdict.

    /// Another run instead of the witness, that people read more easily. Throws std::logic_error if it does not fail.
    void show_instead(Run run);
    void show_safe(std::optional<Run> run) { result_.safe = std::move(run); }
    void show_switches(CheckResult::Switches switches) { result_.switches = switches; }
    /// A proof for this bound on context switches is one for any number. Ignored if some execution fails.
    void show_lifted(std::uint32_t bound);

    Verdict verdict() const { return result_.verdict; }
    bool has_verdict() const { return result_.verdict != Verdict::unknown; }
    /// The run that shows the verdict.
    std::optional<Run> const& witness() const { return result_.run; }
    // The first run of each status. Runs::complete: a complete run. Runs::executions: `success` is complete, and
    // `failure` may get stuck or leave the path after it has failed.
    std::optional<Run> const& success() const { return success_; }
    std::optional<Run> const& failure() const { return failure_; }
    /// The engine that found out that no assertion fails in any run that counts; none if that is not known.
    std::optional<Engine> const& fails_never_by() const { return fails_never_by_; }
    bool completes_never() const { return completes_never_; }
    Reached const& reached(Stop stop) const { return stop == Stop::deadlock ? result_.deadlock : result_.fault; }
    bool is_open(Stop stop) const { return reached(stop).answer == Reached::Answer::unknown; }
    bool is_race_open() const { return result_.race && result_.race->answer == Reached::Answer::unknown; }
    std::vector<Trouble> const& trouble() const { return result_.trouble; }
    /// Whether everything that was asked is known.
    bool is_settled() const;

    /// The answer. Nothing can be added after that.
    CheckResult take();
    /// The work that was done so far.
    Work& work() { return result_.work; }

private:
    void add_one(fact::Execution found, Engine const& by);
    void add_one(fact::Stuck found, Engine const& by);
    void add_one(fact::NeverStuck found, Engine const& by);
    void add_one(fact::Races found, Engine const& by);
    void add_one(fact::NeverRaces found, Engine const& by);
    void add_one(fact::NeverLeaves found, Engine const& by);
    void add_one(fact::NeverFails found, Engine const& by);
    void add_one(fact::NeverCompletes found, Engine const& by);
    std::optional<Run>& kept(Status s);
    void record_leaving(Scheduler const& execution, End end);
    void withdraw_what_is_contradicted();
    /// How it was proved that no execution fails.
    void forget_proof();
    Reached& reached_here(Stop stop) { return stop == Stop::deadlock ? result_.deadlock : result_.fault; }

    Question const& q_;
    CheckResult result_;
    std::optional<Run> success_;
    std::optional<Run> failure_;
    std::optional<Run> infeasible_; // goes on to an assumption that is false
    std::vector<Trouble> if_undecided_;
    bool completes_never_ = false;
    std::optional<Engine> fails_never_by_;
    std::array<Engine, 2> ruled_out_by_; // Stop -> who said `no`
};

/// The schedule of an execution; if it ended in a fault, with the command that is stuck.
Schedule schedule_of(Scheduler const& execution);
/// The run of an execution, as far as it got.
Run run_of(MessageIndex const& messages, Scheduler const& execution, End end);

} // namespace matchpoint::check
