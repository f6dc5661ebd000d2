// `verify` of `matchpoint mpi` and `matchpoint mcapi`: all runs that a program can have.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/mpi_ends.hpp"
#include "cli/commands/mpi_findings.hpp"
#include "cli/commands/mpi_runs.hpp"
#include "cli/commands/mpi_windows.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"
#include "record/refusing.hpp"
#include "record/verify.hpp"

namespace matchpoint::cli {

namespace {

/// Shows the runs as they come, and keeps what went wrong.
class VerifyReport {
public:
    VerifyReport(MpiOptions const& options, Terminal& terminal) : options_(options), terminal_(terminal) {}

    void show(record::Tried const& t, record::Verification const& verification) {
        progress_.clear();
        if (t.is_resumed)
            ++resumed_;
        else
            terminal_.print(line_of(t, verification) + "\n");
        terminal_.flush();
        if (t.harm && !harm_) harm_ = t.harm;
        bool const is_interrupted = t.result.end == record::LaunchResult::End::interrupted;
        if (t.recording.ranks.empty() && !t.is_resumed && !harm_ && !is_interrupted) nothing(t);
        if (!t.recording.ranks.empty() && (t.failed() || t.deadlocked())) problem(t, verification);
        if (t.is_unconfirmed() && !t.was_cut_off()) unconfirmed_.push_back(unconfirmed(t, verification));
        if (t.was_cut_off() && !t.deadlocked()) ended(t);
        bool const is_forced = t.wanted && t.followed;
        if (!t.harm)
            findings_.add(t.with_threads ? *t.with_threads : t.recording, t.is_new_path,
                          is_forced ? t.wanted->matches : std::vector<record::CallMatch>());
        if (t.recording.windows && !t.harm && t.is_new_path)
            add_windows(t.recording, findings_.all, gaps_);
        else if (!t.recording.windows)
            gaps_.insert(gaps_.end(), t.recording.gaps.begin(), t.recording.gaps.end());
        errors_.insert(errors_.end(), t.recording.errors.begin(), t.recording.errors.end());
    }

    /// From the thread of a run.
    void nothing_recorded() { is_empty_ = true; }

    /// While runs are under way.
    void wait(record::Coverage const& c) {
        if (is_empty_.exchange(false) && !was_told_) {
            was_told_ = true; // of one of them
            progress_.clear();
            tell_nothing_recorded(options_, terminal_);
        }
        if (progress_.is_due())
            progress_.show(fmt::format("run {}; {}; {:.0f} s", c.runs + 1, shown(c), progress_.seconds()));
    }

    ExitCode finish(record::Coverage const& c, record::Verification const& verification) {
        progress_.clear();
        for (Problem& p : problems_)
            if (p.alone) keep(*p.alone, verification, p); // perhaps with a run that came later
        keep_ended(verification);
        if (resumed_ != 0)
            terminal_.print(fmt::format("{} of the runs {} made before\n", resumed_, resumed_ == 1 ? "was" : "were"));
        bool const is_complete = c.is_complete && gaps_.empty() && !c.is_cut && unconfirmed_.empty();
        if (!c.is_interrupted) print_coverage(c);
        tell_notes(terminal_, gaps_, "incomplete");
        tell_notes(terminal_, errors_, "note");
        auto const beside = lines_beside_faults(findings_.all);
        if (is_complete && problems_.empty() && c.faults.empty() && !harm_)
            terminal_.print(fmt::format(
                "{}no failure and no deadlock: {} run\n", beside.empty() ? "" : plural(beside.size(), "finding") + "; ",
                c.tried == 1 ? "the only message order was" : fmt::format("all {} message orders were", c.tried)));
        std::stable_partition(problems_.begin(), problems_.end(), [](Problem const& p) { return !p.is_of_library; });
        for (Problem const& p : problems_) {
            terminal_.print(fmt::format("confirmed by run{} {}: {}", p.runs.size() == 1 ? "" : "s",
                                        fmt::join(p.runs, ", "), p.text));
            print_way_to_draw(p.drawn);
            if (!p.drawn.file.empty() && p.is_of_library && options_.api == record::Api::mcapi)
                terminal_.print("  check it with --buffering any\n");
        }
        for (auto const& [path, text] : c.faults) terminal_.print(fmt::format("path {}: {}\n", path, text));
        for (std::string const& line : beside) terminal_.print(line + "\n");
        for (auto const& [where, of] : ended_) {
            std::string const runs = fmt::format("run{} {}", of.runs.size() == 1 ? "" : "s", fmt::join(of.runs, ", "));
            terminal_.print(where.first.empty()
                                ? fmt::format("not confirmed: {} got stuck, although by the recording somebody can go "
                                              "on; what the replay forces may be what holds it:\n{}",
                                              runs, where.second)
                                : fmt::format("{} ended {}:\n{}", where.first, runs, where.second));
            print_way_to_draw(of.drawn);
        }
        if (is_file(options_.output) && !is_output_written_)
            terminal_.print(fmt::format("{}, so {} was not written{}\n",
                                        c.match_sets == 0   ? "nothing was recorded"
                                        : problems_.empty() ? "no run failed or deadlocked"
                                                            : "the run that went wrong cannot be read",
                                        printable(options_.output, 4096), older_file(options_.output)));
        for (std::string const& text : unconfirmed_) terminal_.print(text);
        if (c.is_interrupted) print_coverage(c); // last: it says how far it came
        if (harm_) complain_of_harm(*harm_, terminal_);
        return conclude(findings_.all, options_, code_of_all(c, is_complete), terminal_);
    }

    /// The first code of a file that could not be written.
    ExitCode written() const { return written_; }

private:
    ExitCode code_of_all(record::Coverage const& c, bool is_complete) const {
        if (failures_ != 0) return failure;
        if (harm_) return solver_failed;
        if (deadlocks_ != 0) return deadlock;
        if (!c.faults.empty()) return error;
        if (was_nothing_ && c.match_sets == 0) return bad_input;
        return is_complete ? holds : unknown;
    }

    /// The match sets of the paths that are known. If it was stopped, there may be other paths.
    static std::string shown(record::Coverage const& c) {
        if (c.match_sets == 0) return "nothing recorded";
        std::string_view const least = c.is_complete && !c.is_cut ? "" : "at least ";
        return fmt::format("{} of {}{} tried, on {}{},", c.tried, c.all_found && !c.is_cut ? "" : least,
                           plural(c.match_sets, "match set"), least, plural(c.paths, "path"));
    }

    void print_coverage(record::Coverage const& c) {
        terminal_.print(fmt::format(
            "{} in {}; {}{}\n", shown(c), plural(c.runs, "run"),
            !c.stopped.empty()  ? "stopped: " + c.stopped
            : c.times_left != 0 ? "nothing else left"
            : !gaps_.empty()    ? "nothing left, as far as the recordings go: they are incomplete"
            : c.is_cut          ? "nothing left, as far as the runs came: a failure ended others before "
                                  "they were done"
                                : "nothing left",
            c.times_left == 0
                ? ""
                : fmt::format("; {} not tried", plural(c.times_left, "choice of time", "choices of time"))));
    }

    std::string line_of(record::Tried const& t, record::Verification const& verification) const {
        std::string line = fmt::format("run {}: ", t.number);
        if (t.harm) return line + *t.harm;
        if (t.path == 0 && t.result.end == record::LaunchResult::End::interrupted) return line + "interrupted";
        if (t.path == 0) line += "nothing that can be read was recorded";
        if (t.path != 0) line += fmt::format("{} {}", t.is_new_path ? "new path" : "path", t.path);
        if (t.chooses_time())
            line += ", if " + t.wanted->time_in_words;
        else if (std::string const matches = t.wanted ? shown(t) : ""; !matches.empty())
            line += fmt::format(", as in {}", matches);
        if (t.refuses()) line += ", if " + verification.in_words(t, t.wanted->refusing);
        return line + ": " + outcome(t);
    }

    /// A prediction that did not come true.
    std::string unconfirmed(record::Tried const& t, record::Verification const& verification) const {
        std::string const matches = shown(t);
        return fmt::format("not confirmed by run {}: path {} {}{}{}; {}\n", t.number, t.wanted->path,
                           t.wanted->prediction == record::Prediction::fails ? "fails" : "gets stuck",
                           matches.empty() ? "" : " as in " + matches,
                           t.refuses() ? ", if " + verification.in_words(t, t.wanted->refusing) : "",
                           t.followed ? "the run took these messages and " + outcome(t)
                                      : "the run did something else: what it sends, or which way it goes, depends on "
                                        "more than its recording says");
    }

    /// The matches that a run was to have, for the receives that have a choice. Empty if no receive has one.
    std::string shown(record::Tried const& t) const {
        draft::Draft draft = t.recording.program;
        draft.traces.clear();
        draft::name_locations(draft);
        auto const program = draft::program_of(draft);
        std::optional<IndexedProgram> code;
        if (program) code.emplace(*program);
        bool const tells_lines = code && !options_.names && has_places(*code);
        std::vector<std::string> matches;
        std::size_t choices = 0;
        constexpr std::size_t most = 4;
        for (auto const& [receive, send] : record::named(t.wanted->matches)) {
            auto const a_r = code ? code->names().actions.find(receive) : std::nullopt;
            auto const a_s = code ? code->names().actions.find(send) : std::nullopt;
            if (a_r && names_its_sender(*code, grammar::Action{*a_r})) continue;
            ++choices;
            if (matches.size() == most || (tells_lines && !(a_r && a_s))) continue; // the run did not reach it
            if (!tells_lines) {
                matches.push_back(fmt::format("{} = {}", receive, send));
                continue;
            }
            ToldByPlaces const told(*code, word_for_rank(t.recording.api));
            matches.push_back(shown_match(*code, grammar::Action{*a_r}, grammar::Action{*a_s}));
        }
        std::string const more = choices > matches.size() ? fmt::format("{} more", choices - matches.size()) : "";
        // Sends that wait are what such a run is about.
        if (matches.empty())
            return choices == 0 || t.refuses() ? "" : plural(choices, "choice") + " that it did not reach";
        return fmt::format("{}{}{}", fmt::join(matches, ", "), more.empty() ? "" : " and ", more);
    }

    /// Such a receive gets its sender's messages in their order.
    static bool names_its_sender(IndexedProgram const& code, grammar::Action receive) {
        auto const* const rcvi = code.as_rcvi(receive);
        if (rcvi == nullptr || rcvi->sel.is_none()) return false;
        auto const& from = code.ctp().selectors[rcvi->sel.index].from;
        return from && from->size() == 1;
    }

    /// A run that we ended, but for a deadlock.
    void ended(record::Tried const& t) {
        bool const is_interrupted = t.result.end == record::LaunchResult::End::interrupted;
        if (is_interrupted && t.path == 0) return; // its line says all
        Ended& of = ended_[{t.is_held        ? ""
                            : is_interrupted ? "the interruption"
                                             : fmt::format("the time limit of {} s", options_.timeout.value_or(0)),
                            unfinished(t)}];
        of.runs.push_back(t.number);
        if (!of.first && t.path != 0) of.first = t;
        if (!first_ended_ && t.path != 0) first_ended_ = t.number;
    }

    /// Once it is known whether a run went wrong: -o writes one that did, rather than one that we ended.
    void keep_ended(record::Verification const& verification) {
        for (auto& [where, of] : ended_) {
            if (!of.first) continue;
            bool const is_wanted = problems_.empty() && of.first->number == first_ended_ && is_file(options_.output);
            if (is_wanted || !options_.keep.empty())
                of.drawn = write(*of.first, verification.beside(*of.first), is_wanted);
        }
    }

    /// Shows what a run that recorded nothing said last, and why that may be.
    void nothing(record::Tried const& t) {
        was_nothing_ = true;
        auto const call = t.failed() ? record::early_call(t.folder / "ranks") : std::nullopt;
        if (call)
            terminal_.print(fmt::format("confirmed by run {}: the program fails: {} was called before MPI_Init\n",
                                        t.number, printable(*call, 64)));
        constexpr std::size_t most = 16;
        std::ifstream file(t.folder / "errors");
        std::vector<std::string> lines;
        for (std::string line; std::getline(file, line);)
            if (line.find_first_not_of(" \t-=*|") != std::string::npos) lines.push_back(std::move(line));
        // A launcher says first what is wrong, and a program last.
        for (std::size_t i = 0; i < lines.size(); ++i) {
            bool const is_between = lines.size() > most && i >= most / 2 && i + most / 2 < lines.size();
            if (!is_between || i == most / 2)
                terminal_.print(fmt::format("  | {}\n", is_between ? "..." : printable(lines[i], 200)));
        }
        terminal_.flush();
        failures_ += call ? 1 : 0;
        if (!call) complain_of_no_rank(options_, t.failed(), terminal_);
    }

    /// Runs that go wrong in the same way are one problem.
    void problem(record::Tried const& t, record::Verification const& verification) {
        (t.failed() ? failures_ : deadlocks_) += 1;
        std::string kind = t.failed()         ? "the program fails"
                           : t.defies_machine ? "the program gets stuck: nobody has moved for long, although by the "
                                                "recording somebody can go on"
                                              : "the program deadlocks";
        record::Recording const& run = t.with_threads ? *t.with_threads : t.recording;
        std::vector<record::CallId> const refusing =
            t.failed() || t.with_threads ? std::vector<record::CallId>() : record::refusing_in(run);
        if (!refusing.empty())
            kind += fmt::format(", if {}: it depends on the library", verification.in_words(t, refusing));
        std::string text = kind + "\n";
        std::string waits;
        for (record::Rank const& rank : run.ranks) {
            if (rank.end == record::RankEnd::blocked)
                waits += fmt::format("  {}{} {} waits {}\n", place(rank.blocked_at), word_for_rank(run.api),
                                     rank.number, rank.blocked_in);
            for (record::FurtherThread const& f : rank.further)
                if (!f.blocked_in.empty())
                    waits += fmt::format("  {}rank {}, thread {} waits {}\n", place(f.blocked_at), rank.number,
                                         f.thread, f.blocked_in);
        }
        // The library may have made other sends wait than it was to.
        bool const is_predicted = t.wanted && t.followed && !t.wanted->why_stuck.empty() && refusing.empty();
        std::string const why = t.failed() || is_predicted || t.with_threads ? "" : verification.why_deadlocked(t);
        bool const is_plain = !t.failed() && !is_predicted && why.empty();
        text += t.failed() ? how_failed(t) : is_predicted ? t.wanted->why_stuck : is_plain ? waits : why;
        if (was_ended(t.result)) text += still_running(t);
        for (record::Rank const& rank : t.recording.ranks)
            if (!t.failed() && rank.has_left) text += fmt::format("  {}\n", words_of(rank, t.recording.api, true));
        // It is the same deadlock if all wait at the same places, and the machine explains one of them at most.
        auto const same = std::find_if(problems_.begin(), problems_.end(), [&](Problem const& p) {
            return p.text == text || ((is_plain || p.is_plain) && p.kind == kind && p.waits == waits);
        });
        if (same != problems_.end()) {
            if (same->is_plain) same->text = std::move(text);
            same->is_plain = same->is_plain && is_plain;
            same->runs.push_back(t.number);
            return;
        }
        bool const is_first = is_to_be_written(t, !refusing.empty());
        Problem& p = problems_.emplace_back(Problem{
            std::move(text), kind, std::move(waits), is_plain, {t.number}, is_first, !refusing.empty(), {}, {}});
        if (t.path != 0) keep(t, verification, p);
    }

    /// Whether -o writes this run, of a new problem: the first one, or the first that does not depend on the library.
    /// Then it no longer has the one that it had.
    bool is_to_be_written(record::Tried const& t, bool is_of_library) {
        if (problems_.empty()) return true;
        bool const is_worse =
            t.path != 0 && !is_of_library &&
            std::all_of(problems_.begin(), problems_.end(), [](Problem const& p) { return p.is_of_library; });
        for (Problem& p : problems_) {
            if (!is_worse) break;
            p.is_first = false;
            p.drawn.file = p.drawn.kept;
        }
        return is_worse;
    }

    /// How a run is drawn.
    struct Drawn {
        std::string file; // with the run; empty if none was written
        std::string kept; // the one in the folder of --keep
        std::string options;
    };
    struct Problem {
        std::string text;
        std::string kind;
        std::string waits; // where each rank waits
        bool is_plain;     // of a deadlock, of which the text only says that
        std::vector<std::uint64_t> runs;
        bool is_first;                      // the one that -o writes
        bool is_of_library;                 // it depends on which sends wait
        Drawn drawn;                        // the first of them
        std::optional<record::Tried> alone; // the first of them, if no run on its path has ended well so far
    };

    /// Runs that were ended at the same places.
    struct Ended {
        std::vector<std::uint64_t> runs;
        std::optional<record::Tried> first = {}; // whose recording can be read
        Drawn drawn = {};
    };

    void print_way_to_draw(Drawn const& drawn) {
        if (!drawn.file.empty())
            terminal_.print(fmt::format("  draw it: matchpoint draw {}{}\n", drawn.file, drawn.options));
    }

    /// Writes the run, and one that ended well on the same path, to where they are wanted.
    void keep(record::Tried const& t, record::Verification const& verification, Problem& p) {
        bool const is_wanted = p.is_first && is_file(options_.output);
        if (!is_wanted && options_.keep.empty()) return;
        draft::Draft program = verification.beside(t);
        if (p.alone && program.traces.size() < 2) return;
        if (program.traces.size() == 1) p.alone = t;
        p.drawn = write(t, std::move(program), is_wanted);
    }

    /// Writes the traces of a program, of which the first is a run, into the folder of --keep, and to the output if it
    /// is wanted there.
    Drawn write(record::Tried const& t, draft::Draft program, bool is_wanted) {
        program.comment =
            comment_of(t.recording, options_, &t.result,
                       fmt::format("Run {} of: {}", t.number, printable(command_of(options_), 4096)), said(t));
        if (!program.traces.empty()) program.comment += "\nTrace 1 is this run.";
        Drawn drawn;
        if (program.traces.size() > 1) {
            program.comment += "\nTrace 2 is a run that ended well.";
            drawn.options = " --beside 2";
        }
        if (!program.traces.empty()) drawn.options.insert(0, " --trace 1");
        std::string const text = draft::print(program);
        auto const write_to = [&](std::string const& file) {
            ExitCode const code = replace_or_complain(file, text, terminal_);
            if (code == holds)
                drawn.file = printable(file, 4096);
            else if (written_ == holds)
                written_ = code;
        };
        if (!options_.keep.empty()) write_to(t.folder / "run.ctp");
        drawn.kept = drawn.file;
        if (is_wanted) write_to(options_.output);
        is_output_written_ |= is_wanted;
        return drawn;
    }

    MpiOptions const& options_;
    Terminal& terminal_;
    ProgressLine progress_;
    std::vector<Problem> problems_;
    std::vector<std::string> unconfirmed_;
    std::map<std::pair<std::string, std::string>, Ended> ended_; // by what ended them (or ""), and where ranks were
    std::optional<std::uint64_t> first_ended_;                   // whose recording can be read
    bool is_output_written_ = false;                             // or could not be
    std::optional<std::string> harm_;                            // of the first run that the recorder has harmed
    std::vector<record::Gap> gaps_;
    FindingsOfRuns findings_;
    std::vector<record::Gap> errors_; // that calls returned
    ExitCode written_ = holds;
    std::atomic<bool> is_empty_ = false; // what was launched
    bool was_told_ = false;
    bool was_nothing_ = false; // a run recorded no rank
    std::uint64_t resumed_ = 0;
    std::size_t failures_ = 0;
    std::size_t deadlocks_ = 0;
};

constexpr double default_limit = 60; // seconds for a run

/// In the folder of --keep: the command whose runs are there.
constexpr char const* command_file = "command";

/// The folder of --keep with runs of the same command, or the exit code after complaining.
Expected<std::filesystem::path, ExitCode> folder_to_resume(MpiOptions const& options, Terminal& terminal) {
    std::error_code error;
    std::filesystem::path const folder = std::filesystem::canonical(options.keep, error);
    std::ifstream file(folder / command_file);
    std::string command;
    if (options.keep.empty() || !std::getline(file, command)) {
        complain(terminal, "`--resume` needs `--keep` with the folder of an earlier `mpi verify`", ErrorKind::usage);
        return Unexpected{bad_input};
    }
    if (command == command_of(options)) return folder;
    complain(terminal,
             fmt::format("the runs in {} are of another command: {}", printable(options.keep, 4096),
                         printable(command, 4096)),
             ErrorKind::usage);
    return Unexpected{bad_input};
}

} // namespace

ExitCode verify_command(MpiOptions const& given, Terminal& terminal) {
    MpiOptions options = given;
    if (!options.timeout) options.timeout = default_limit;
    if (ExitCode const code = check_findings_file(options, terminal); code != holds) return code;
    auto const recorder = find_recorder(options, terminal);
    if (!recorder) return recorder.error();
    Interruptible const interruptible;
    TemporaryFolder const temporary;
    auto const folder = options.resume ? folder_to_resume(options, terminal) : folder_for(options, temporary, terminal);
    if (!folder) return folder.error();
    if (ExitCode const code = replace_or_complain(*folder / command_file, command_of(options) + "\n", terminal);
        code != holds)
        return code;
    VerifyReport report(options, terminal);
    record::VerifyOptions verify{.launch = launch_as(options, *recorder), .folder = *folder};
    verify.limit = options.runs.value_or(verify.limit);
    verify.rounds = options.rounds.value_or(verify.rounds);
    verify.jobs = options.jobs;
    verify.first = options.first;
    if (options.time) verify.deadline = std::chrono::steady_clock::now() + milliseconds(*options.time);
    if (options.memory) verify.memory = *options.memory << 20U;
    verify.any_buffering = options.any_buffering;
    if (!options.names) verify.word = word_for_rank(options.api);
    verify.launch.nothing_recorded = [&] { report.nothing_recorded(); };
    verify.waiting = [&](record::Coverage const& c) { report.wait(c); };
    record::Verification* running = nullptr;
    record::Verification verification(std::move(verify), [&](record::Tried const& t) { report.show(t, *running); });
    running = &verification;
    record::Coverage const coverage = verification.run();
    ExitCode const code = report.finish(coverage, verification);
    return report.written() != holds ? report.written() : code;
}

} // namespace matchpoint::cli
