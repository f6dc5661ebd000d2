// The commands of `matchpoint step`. A line is a command with arguments; names and habits are gdb's. There is no
// semantics here: the stepper (executions/stepper.hpp) moves, and the narrator (explain/narrate.hpp) says what
// happened.
//
// The commands are members of Repl: move.cpp, choose.cpp, search.cpp, modify.cpp (set variable), stop.cpp and
// breakpoint.cpp, look.cpp (with part.cpp), info.cpp, list.cpp, reload.cpp and help.cpp. commands.cpp has their table,
// complete.cpp what Tab offers, and screen.hpp where output goes.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "check/oracle/oracle.hpp"
#include "cli/range.hpp"
#include "cli/repl/aside.hpp"
#include "cli/repl/command_table.hpp"
#include "cli/repl/debugger.hpp"
#include "cli/repl/loaded_program.hpp"
#include "cli/repl/part.hpp"
#include "cli/typed_expression.hpp"
#include "executions/breadth_first.hpp"
#include "executions/stepper.hpp"
#include "explain/blocked.hpp"
#include "explain/narrate.hpp"
#include "explain/told.hpp"
#include "record/provenance.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

class Repl final : public Debugger<Repl, Stepper> {
public:
    /// The arguments have to outlive it.
    Repl(LoadedProgram& loaded, Buffering buffering, Terminal& terminal);

    /// Follows a trace from its beginning. If there is none, the user chooses.
    void begin(std::optional<std::size_t> trace);
    /// The buffering is that of the first trace that is followed: one that is for another buffering is refused.
    void take_buffering_of_traces() { is_buffering_of_traces_ = true; }
    /// What a recording is told by: the lines of its source, or the names of its commands. By default pictures are
    /// told by lines, and texts by names.
    void tell_by_places();
    void tell_by_names() { has_pictures_by_places_ = false; }
    /// From the beginning of a trace on, to where it stops early if the file says so (record/provenance.hpp).
    void follow(std::size_t trace);
    /// Whether it follows a trace of the file.
    bool following() const { return stepper_.trace().has_value(); }

    /// Plans some way from here to a state of a kind, which is found aside; says so. Its result has the plan, if there
    /// is one, and the text that was said. Throws Refused.
    AsideResult plan_way_to(Goal::Kind kind);
    /// How long searches may take. Throws Refused.
    void limit_searches(std::size_t seconds);
    /// The value of a queue or an expression, as a function that looks at the current state. Throws Refused.
    std::function<std::string()> watched(std::string const& text);
    /// "thread 0: 03 (wait R2)", "deliver (0 2): S4 = 4"
    std::string choice_text(Transition const& what) const;

    LineCompletion completions(std::string const& line) const override;

    /// What Tab offers for an argument of a command. A word such as `thread` or `if` that an argument takes decides
    /// what the next one is.
    enum class Completion : std::uint8_t {
        nothing,
        literals,  // those in lower case of the command's usage: `on`, `state`, `timeout`
        locations, // of the program
        endpoints,
        actions,
        receives,
        sends,
        threads,
        traces,
        statuses,
        commands,
        goals,       // of `search`: words, and R=S
        breakpoints, // what `break` takes: words, locations, expressions
        values,      // expressions and queues
        files,       // the rest of the line is one name
    };
    /// The kinds of a command's arguments in turn. One alone is that of all arguments.
    struct Completions {
        Completions(Completion all) : kinds{all}, repeats(true) {}
        Completions(std::initializer_list<Completion> in_turn) : kinds(in_turn) {}
        std::vector<Completion> kinds;
        bool repeats = false;
    };
    struct Command {
        std::string_view name;
        std::string_view usage;   // of its arguments
        std::string_view group;   // of `help`
        std::string_view summary; // a sentence
        Completions completion;
        bool repeats; // Enter runs it again
        void (Repl::*run)(std::string const& arguments);
        std::string_view example = {};
    };
    /// `info state`, `set timeout`: what the first argument of a command can be.
    struct Subcommand {
        std::string_view name;
        std::string_view usage;
        std::string_view summary;
        void (Repl::*run)(std::string const& arguments);
        std::string_view example = {};
    };
    static std::vector<Command> const& commands();
    /// Short names that are not unique prefixes.
    static std::span<CommandAlias const> aliases();
    /// Empty for most commands.
    static std::span<Subcommand const> subcommands(std::string_view command);
    /// The first one that begins with a word; null if there is none.
    static Subcommand const* find_subcommand(std::string_view command, std::string_view word);
    /// The command of a name, an alias or a unique beginning of a name. Throws Refused.
    static Command const& find(std::string const& word);

private:
    friend class Debugger<Repl, Stepper>;
    static constexpr std::string_view ends_of_names = " \t/"; // print/x
    static constexpr std::size_t most_undo = 10'000;
    static constexpr std::string_view saved_run = "trace";
    bool has_plan() { return stepper_.has_next(); }
    bool has_choices() { return !stepper_.ended() && !why_blocked(); }
    std::string state_text();
    void perform(Command const& command, std::string const& arguments) { (this->*command.run)(arguments); }
    std::size_t program_version() const { return reloads_; }
    void save_run(std::string const& file);

    struct Groups;
    struct Breakpoint {
        enum class Kind : std::uint8_t { location, source_line, thread, becomes, changes };
        Kind kind = Kind::becomes;
        std::uint32_t number = 0;
        std::string text;
        std::string note; // what is said when it is set
        bool temporary = false;
        bool enabled = true;
        std::uint64_t ignore = 0;          // so many stops are left out
        std::uint32_t subject = 0;         // location, thread
        std::vector<Location> calls;       // source_line: the first commands of its calls
        std::function<std::string()> look; // becomes, changes: the value now
        std::string target;                // becomes: the value that stops the run
        std::string seen;                  // the last value
        std::string condition;             // empty if none
        std::shared_ptr<TypedExpression const> holds;
        std::uint64_t hits = 0;
        std::uint64_t unknown = 0; // times that the condition had no value
        std::string why_unknown;   // the last time
        std::string undecided;     // at this stop, the value of a condition that is neither true nor false
        bool is_watch() const { return kind == Kind::changes; }
        bool is_at(Location rho) const;
    };
    struct Line {
        std::string file; // empty if it is not given
        std::size_t number = 0;
    };
    /// What a condition comes to.
    struct Truth {
        bool holds = true;
        std::string unknown;        // why it is neither true nor false
        bool never_decided = false; // it has a value that is no truth value
    };
    /// Where `list` goes on.
    struct Listed {
        std::uint32_t thread;
        std::uint32_t first; // what was shown
        std::uint32_t last;  // one past it
    };
    /// A plan by the names of the program, for another text of it.
    struct NamedPlan;
    static constexpr std::array<std::string_view, 4> statuses{"success", "failure", "infeasible", "error"};

    // Moving
    void step(std::string const& arguments);
    void stepi(std::string const& arguments);
    void next(std::string const& arguments);
    void go_on(std::string const& arguments);
    void until(std::string const& arguments);
    void jump(std::string const& arguments);
    void run(std::string const& arguments);
    void end(std::string const& arguments);
    void trace(std::string const& arguments);
    void reverse_step(std::string const& arguments);
    void reverse_stepi(std::string const& arguments);
    void reverse_next(std::string const& arguments);
    void reverse_continue(std::string const& arguments);
    void checkpoint(std::string const& arguments);
    void restart(std::string const& arguments);
    // Choosing
    void choices(std::string const& arguments);
    void choose(std::string const& arguments);
    void deliver(std::string const& arguments);
    void thread(std::string const& arguments);
    void follow(std::string const& arguments);
    void automatic(std::string const& arguments);
    void random(std::string const& arguments);
    void search(std::string const& arguments);
    void set(std::string const& arguments);
    void set_timeout(std::string const& word);
    void set_memory(std::string const& word);
    void set_pager(std::string const& word);
    void set_variable(std::string const& assignment);
    // Stopping
    void break_at(std::string const& arguments);
    void tbreak(std::string const& arguments);
    void watch(std::string const& arguments);
    void condition(std::string const& arguments);
    void ignore(std::string const& arguments);
    void enable(std::string const& arguments);
    void disable(std::string const& arguments);
    void delete_breakpoints(std::string const& arguments);
    // Looking
    void print(std::string const& arguments);
    void display(std::string const& arguments);
    void info(std::string const& arguments);
    void last(std::string const& arguments);
    void list(std::string const& arguments);
    void backtrace(std::string const& arguments);
    void diff(std::string const& arguments);
    void why(std::string const& arguments);
    void whynot(std::string const& arguments);
    void msc(std::string const& arguments);
    void verbose(std::string const& arguments);
    // The rest
    std::string with_run_as_trace() const;
    /// Not if `save trace` or somebody else has changed it since.
    bool is_file_as_read() const;
    static constexpr auto file_has_changed = "the file has changed since it was read: `reload` first";
    void reload(std::string const& arguments);
    void help(std::string const& arguments);
    void list_subcommands(std::string_view command);
    void apropos(std::string const& arguments);

    /// The words in lower case that a usage such as "[timeout SECONDS | pager on|off]" has after the last of these
    /// arguments, or else those that are optional; without arguments, its first ones.
    static std::vector<std::string_view> literals(std::string_view usage, Words const& before);
    State const& state() const { return stepper_.state(); }
    /// "s = success"
    std::string shown_status() const;

    /// "usage: jump N", of a command or a subcommand such as `set variable`.
    static Refused misused(std::string_view command);
    /// "for example: ..."
    static std::string example_line(std::string_view example);
    void help_subcommand(Command const& c, std::string const& arguments);

    // Reading names in arguments. These throw Refused.
    /// By its name, or by its place in the source, "mw.c:19": the first command there that has not run.
    Location location(std::string const& name) const;
    Location location_on(Line const& line, std::string const& name) const;
    /// `thread`; of a recording of MPI also `rank`.
    bool is_word_for_thread(std::string_view word) const;
    /// The location of the command that issues an action.
    Location issued_at(Action a) const;
    /// By its name, or by its place in the source, "mw.c:19", if no other action came from there.
    Action action(std::string const& name) const;
    Action action_on(Line const& line, std::string const& name) const;
    Action receive_action(std::string const& name) const;
    Endpoint endpoint(std::string const& name) const;
    std::uint32_t thread_number(std::string const& word) const;
    MessageIndex const& messages() const;
    Pair pair(std::string const& receive, std::string const& send) const;

    // Completing
    class Offer;
    Completion completion_at(Command const& command, Words const& before) const;
    void offer(Offer& fitting, Command const& command, Words const& before, Completion kind) const;
    void offer_inside_brackets(Offer& fitting, std::string const& before) const;

    // Moving
    /// Moves until `move` or `enough` says so, or a breakpoint or Ctrl-C stops it. `coming` is the command that comes
    /// next.
    void travel(std::function<bool()> const& move, std::function<bool()> const& enough,
                std::function<std::optional<Location>()> const& coming);
    void travel_along_plan(std::function<bool()> const& enough);
    /// Throws Refused if nothing is planned.
    void need_plan();
    /// One step along the plan. A value that was set by hand is told.
    bool told_step();
    class Quiet;
    class FullDetail;
    class Excursion;
    void go_back(std::string const& arguments, bool (Stepper::*back)());
    /// What stops a run that goes back, after one move; none if it was at the beginning.
    std::optional<std::string> back_once(bool (Stepper::*back)());
    void keep_choosing(std::function<std::size_t(std::size_t)> const& pick);
    void take(Transition const& what);
    void say_where();
    bool say_status();
    void say_what_blocks();
    void say_blocked();
    std::optional<TraceEnding> end_of_trace() const;
    std::string recorded_end() const;
    std::string not_known_of(Goal::Kind kind) const;
    std::string open_end_of(State const& from, Goal::Kind kind, Schedule const& schedule) const;
    void say_blocked_at_end(RunError const& error);
    void say_stuck();
    void shown_displays();
    /// Why nothing can come next; of a recording, also if threads that were cut short could go on.
    std::optional<Blocked> why_blocked();
    /// The same of the program alone, whether or not it is a recording.
    std::optional<Blocked> standstill();
    record::CutShort cut_short() const;
    /// What a thread that has no command left has come to: "is finished", "was still running when the recording ended".
    std::string end_of(std::uint32_t thread) const;
    /// The same where the thread is named before: "finished".
    std::string short_end_of(std::uint32_t thread) const;
    std::string why_nothing(Blocked const& why) const;
    std::string entry_text(std::size_t i) const;
    std::string coming_text() const;
    std::string last_step_text() const;

    // Breakpoints
    Breakpoint breakpoint_at(std::string const& what);
    /// "09", "12" or "figure1.ctp:12"; sets what it stops before, and its name.
    void place(Breakpoint& b, std::string const& name) const;
    std::optional<Line> line(std::string const& name) const;
    std::string_view source_of(Line const& line) const;
    void place_in_source(Breakpoint& b, std::string_view file, std::size_t line) const;
    /// What to write instead of `break NAME` if there is no such location.
    std::string instead_of_break(std::string const& name) const;
    Breakpoint watchpoint(std::string const& what);
    void give(Breakpoint& b, std::string const& condition) const;
    void add(Breakpoint b, std::string const& condition);
    Breakpoint& breakpoint(std::string const& number);
    std::vector<Breakpoint*> breakpoints(std::string const& numbers);
    Truth judged(Breakpoint const& b) const;
    bool stops(Breakpoint& b, Truth const& truth);
    std::string stops_before(std::optional<Location> rho);
    std::string stops_after();
    std::string stops_behind(std::vector<Truth> const& truths);
    std::string stop_text(Breakpoint const& b, std::string const& step, std::string const& was,
                          std::string const& is) const;
    std::string breakpoint_line(Breakpoint const& b) const;
    std::string marked(Location rho) const;
    void look_again();

    // Values set by hand
    bool is_modified() const { return !stepper_.overwrites().empty(); }
    std::string overwrites_text() const;
    std::string not_a_run() const;
    /// A run with values set by hand is not a run of the program.
    void refuse_if_modified(std::string_view command) const;

    // Searching
    /// Computes aside, prints what came of it, and plans what is to be planned.
    AsideResult aside(std::function<AsideResult(Progress const&)> const& task);
    Goal goal(std::string const& word) const;
    bool is_decided(Pair wanted);
    void refuse_to_search() const;
    /// A way with the fewest deliveries, among so many states.
    AsideResult nearest(State const& from, Goal const& wanted, std::string const& name, std::size_t limit,
                        Progress const& progress) const;
    /// Some way, by the engines of `check`.
    AsideResult some(State const& from, Goal::Kind kind, Progress const& progress) const;
    AsideResult match_where_shared(State const& from, Pair wanted, Progress const& progress) const;
    bool find_class(Classes& classes, Progress const& progress, std::uint64_t steps,
                    std::function<bool(End, Matching const&)> const& is_wanted) const;
    std::string why_not(State const& from, Pair wanted, Progress const& progress) const;
    std::string why_not_by_exploration(State const& from, Pair wanted, Progress const& progress,
                                       std::function<std::string()> const& in_any) const;
    bool find_complete(Classes& classes, Pair wanted, Progress const& progress) const;
    std::string in_any_execution(Pair wanted, Progress const& progress) const;
    void whynot_now(Location rho);
    bool admits(Pair wanted);
    std::string in_any_run(Oracle& oracle, Pair wanted) const;
    /// A refusal because no complete run has a pair, which says nothing of runs that stop early.
    std::string only_incomplete(std::string_view why, Pair wanted) const;

    // Another text of the program
    NamedPlan named_plan() const;
    std::pair<Schedule, std::string> still_runs(NamedPlan const& plan) const;
    void take_up(NamedPlan const& plan, std::size_t steps);
    void renew_breakpoints();

    // Looking
    static std::string named(std::string const& text, std::string const& value);
    std::function<std::string()> formatted(std::string const& text);
    /// "t0.c2 (src/mw.c:19)": also where a recording is told by places, so that users see what to type.
    std::string name_and_place(Location rho) const;
    std::string thread_line(std::uint32_t t);
    std::string place() const;
    /// [N..M] [thread I ...], in any order. No threads: all. Throws Refused.
    std::pair<Range, std::set<std::uint32_t>> range_and_threads(std::string const& arguments,
                                                                std::string_view usage) const;
    std::vector<std::string> state_lines(std::set<std::uint32_t> const& threads = {});
    void add_queues(std::vector<std::string>& lines, Part const& part) const;
    void add_requests(std::vector<std::string>& lines, Part const& part) const;
    std::string request_text(Action a) const;
    /// `otherwise` if there are none.
    void out_lines(std::vector<std::string> const& lines, std::string_view otherwise);
    void info_state(std::string const& arguments);
    void info_threads(std::string const& arguments);
    void info_queues(std::string const& arguments);
    void info_requests(std::string const& arguments);
    void info_matches(std::string const& arguments);
    void info_trace(std::string const& arguments);
    void info_status(std::string const& arguments);
    void info_breakpoints(std::string const& arguments);
    void info_watchpoints(std::string const& arguments);
    void info_checkpoints(std::string const& arguments);
    void info_display(std::string const& arguments);
    void info_variables(std::string const& arguments);
    void info_sends(std::string const& arguments);
    void info_receives(std::string const& arguments);
    void info_line(std::string const& arguments);
    std::string send_text(Action a_s, std::optional<std::uint32_t> ordinal) const;
    std::string receive_text(Action a_r, std::optional<History::Write> const& completed) const;
    std::string written_text(History::Write const& w) const;
    std::vector<std::optional<History::Write>> last_writes();
    /// "written by b2 (account.c:16)", "set by hand" or "initial value" for each shared variable; empty for others.
    std::vector<std::string> writers();
    /// The value of a shared variable with its last writer; any other value as it is.
    std::string with_writer(std::string const& name, std::string const& value);

    // Listing
    void list_lines(std::uint32_t thread, std::uint32_t first, std::uint32_t last);
    void list_positions();
    void list_range(std::string const& from, std::string const& to);
    void list_around(Location rho);
    void list_more(bool back);

    LoadedProgram& loaded_;
    IndexedProgram const& code_;
    Narrator narrator_;
    std::vector<Stepper::Bookmark> checkpoints_;
    std::vector<Breakpoint> breakpoints_;
    std::uint32_t breakpoint_number_ = 0;
    std::vector<Listed> listed_;
    Stepper::Bookmark listed_at_;
    std::vector<std::pair<std::string, std::function<std::string()>>> displays_;
    AsideLimits limits_;
    std::optional<explain::ToldByPlaces> told_;
    bool has_pictures_by_places_ = true;
    std::size_t last_trace_ = 0;
    bool is_buffering_of_traces_ = false;
    std::size_t reloads_ = 0;
    bool verbose_ = false;
};

} // namespace matchpoint::cli
