// `matchpoint threads verify`: all runs that a program can have whose threads share memory.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/mpi_findings.hpp"
#include "cli/commands/threads_findings.hpp"
#include "cli/commands/threads_runs.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "record/threads/blame.hpp"
#include "record/threads/search.hpp"
#include "record/threads/standstill.hpp"

namespace matchpoint::cli {

namespace {

namespace threads = record::threads;
using threads::ProgramRun;
using threads::RunEnd;
using threads::Searched;

/// Shows the runs as they come, and keeps what went wrong.
class ThreadsReport {
public:
    ThreadsReport(MpiOptions const& options, Terminal& terminal) : options_(options), terminal_(terminal) {}

    /// Where the files of a run are.
    static std::filesystem::path folder_of(std::filesystem::path const& folder, std::uint64_t number) {
        return folder / fmt::format("run-{:04}", number);
    }

    void begins(std::string const& what) {
        doing_ = what;
        waits();
    }
    void waits() {
        if (progress_.is_due())
            progress_.show(fmt::format("{} runs; {}; {:.0f} s", runs_, doing_, progress_.seconds()));
    }

    void show(ProgramRun const& r, std::filesystem::path const& folder) {
        progress_.clear();
        runs_ = r.number;
        std::string const ending = end_in_words(r.recording, r.result, code_of(r.end));
        terminal_.print(fmt::format("run {}: {} {}{}{}: {}\n", r.number, r.is_new_path ? "new path" : "path", r.path,
                                    r.why.empty() ? "" : fmt::format(", as {}", printable(r.why, 400)),
                                    r.divergence.empty() ? "" : ", but " + r.divergence, ending));
        terminal_.flush();
        note(r);
        if (!r.is_new_path && r.end == RunEnd::passed) return;
        if (!options_.keep.empty()) keep(r, folder_of(folder, r.number) / "run.ctp");
        if (r.end == RunEnd::failed || r.end == RunEnd::deadlocked) problem(r, folder);
        if (r.end == RunEnd::passed) passed_.emplace(r.path, r.recording.program);
    }

    ExitCode finish(Searched const& s) {
        progress_.clear();
        for (Problem const& p : problems_) {
            terminal_.print(fmt::format("confirmed by run{} {}: {}\n", p.runs.size() == 1 ? "" : "s",
                                        fmt::join(p.runs, ", "), p.text));
            for (std::string const& line : p.waits) terminal_.print(fmt::format("  {}\n", line));
            for (std::string const& line : p.orders) terminal_.print(fmt::format("  {}\n", line));
            if (!p.file.empty())
                terminal_.print(fmt::format("  repeat it: matchpoint threads replay {} -- {}\n", p.file,
                                            printable(command_of(options_), 4096)));
        }
        for (std::string const& line : s.unconfirmed) terminal_.print(printable(line, 800) + "\n");
        for (threads::FoundRace const& r : s.races) terminal_.print(in_words(r) + "\n");
        for (std::string const& line : notes_) terminal_.print(line + "\n");
        if (has_more_notes_) terminal_.print("note: there are more such notes\n");
        for (std::string const& line : s.open) terminal_.print(fmt::format("not known: {}\n", printable(line, 800)));
        if (is_file(options_.output) && problems_.empty())
            terminal_.print(fmt::format("no run failed or deadlocked, so {} was not written{}\n",
                                        printable(options_.output, 4096), older_file(options_.output)));
        std::vector<std::string> const left = what_is_left(s);
        std::string const last = last_line(s, left);
        terminal_.print(last + "\n");
        ExitCode const code = written_ != holds         ? written_
                              : has(RunEnd::failed)     ? failure
                              : has(RunEnd::deadlocked) ? deadlock
                              : left.empty()            ? holds
                                                        : unknown;
        return write_findings(findings(s, left, last), options_, code, terminal_);
    }

private:
    struct Problem {
        RunEnd end;
        std::string text;
        std::vector<std::string> waits; // who waits for what
        std::vector<std::uint64_t> runs;
        std::vector<std::string> orders;
        std::string file = {}; // with the run; empty if none was written
        std::vector<ThreadPlace> places = {};
    };

    static ExitCode code_of(RunEnd end) {
        return end == RunEnd::passed       ? holds
               : end == RunEnd::failed     ? failure
               : end == RunEnd::deadlocked ? deadlock
                                           : unknown;
    }
    bool has(RunEnd end) const {
        return std::any_of(problems_.begin(), problems_.end(), [end](Problem const& p) { return p.end == end; });
    }

    /// What keeps the answer from being about all runs; empty if nothing does.
    std::vector<std::string> what_is_left(Searched const& s) const {
        std::vector<std::string> left;
        if (!s.stopped.empty()) left.push_back("stopped: " + s.stopped);
        if (!s.open.empty()) left.push_back(plural(s.open.size(), "question is open", "questions are open"));
        if (!s.unconfirmed.empty())
            left.push_back(
                plural(s.unconfirmed.size(), "prediction was not confirmed", "predictions were not confirmed"));
        if (is_incomplete_) left.emplace_back("recordings are incomplete");
        if (s.leaves_out_switches)
            left.push_back(fmt::format("executions with more than {} are left out",
                                       plural(options_.switches.value_or(0), "context switch", "context switches")));
        return left;
    }

    std::string last_line(Searched const& s, std::vector<std::string> const& left) const {
        std::string const line = fmt::format("{} of {}{} in {}; ", s.done, left.empty() ? "" : "at least ",
                                             plural(s.paths, "path"), plural(s.runs, "run"));
        if (!s.stopped.empty()) return line + left.front();
        if (!left.empty()) return line + fmt::format("{}", fmt::join(left, ", "));
        return line + (has_weak_orders_ ? "nothing left that the schedule decides, if all atomic accesses are "
                                          "sequentially consistent"
                                        : "nothing left that the schedule decides");
    }

    static std::string in_words(threads::FoundRace const& race) {
        auto const access = [](threads::FoundRace::Access const& a) {
            return printable(fmt::format("thread {} {} it at {}{}", a.thread, a.what, a.file,
                                         a.line == 0 ? "" : fmt::format(":{}", a.line)),
                             200);
        };
        return fmt::format("data race on {}: {}, {}", printable(race.variable, 100), access(race.first),
                           access(race.second));
    }

    ThreadsFindings findings(Searched const& s, std::vector<std::string> const& left, std::string last) const {
        using Kind = ThreadsFinding::Kind;
        ThreadsFindings f{{}, s.paths, s.done, s.runs, left.empty(), s.open, std::move(last)};
        f.left.insert(f.left.begin(), left.begin(), left.end());
        for (Problem const& p : problems_)
            f.all.push_back(
                {p.end == RunEnd::failed ? Kind::failure : Kind::deadlock, p.text, p.runs, p.places, p.file});
        for (std::string const& line : s.unconfirmed) f.all.push_back({Kind::unconfirmed, printable(line, 800)});
        for (threads::FoundRace const& r : s.races) f.all.push_back({Kind::data_race, in_words(r), {}, places_of(r)});
        return f;
    }

    void add_note(std::string line, std::size_t most = 20) {
        if (std::find(notes_.begin(), notes_.end(), line) != notes_.end()) return;
        if (notes_.size() < most)
            notes_.push_back(std::move(line));
        else
            has_more_notes_ = true;
    }

    /// What keeps its recording from saying everything.
    void note(ProgramRun const& r) {
        threads::ThreadRecording const& of = r.recording;
        has_weak_orders_ = has_weak_orders_ || of.has_weak_orders;
        auto const with_place = [](threads::RunNote const& n) {
            return printable(n.at.file.empty() ? n.what : fmt::format("{}:{}: {}", n.at.file, n.at.line, n.what), 400);
        };
        for (threads::RunNote const& n : of.errors) add_note("error: " + with_place(n));
        for (threads::RunNote const& n : of.gaps) add_note("incomplete: " + with_place(n));
        is_incomplete_ = is_incomplete_ || !of.gaps.empty() || of.has_serial_threads;
        if (of.has_serial_threads)
            add_note("incomplete: which thread a barrier gives PTHREAD_BARRIER_SERIAL_THREAD is as in the runs");
        if (of.assumed_in_range > 0) add_note("note: signed operations are assumed not to overflow");
        if (of.outside_values > 0)
            add_note("note: values that functions wrote which were not compiled for recording are as in the runs");
    }

    /// Runs that go wrong in the same way are one problem.
    void problem(ProgramRun const& r, std::filesystem::path const& folder) {
        std::string const text = end_in_words(r.recording, r.result, code_of(r.end));
        std::vector<std::string> waits;
        if (r.end == RunEnd::deadlocked)
            for (std::string const& line : r.recording.not_at_end) waits.push_back(printable(line, 400));
        auto const same = std::find_if(problems_.begin(), problems_.end(),
                                       [&](Problem const& p) { return p.text == text && p.waits == waits; });
        if (same != problems_.end()) return same->runs.push_back(r.number);
        Problem p{r.end, text, std::move(waits), {r.number}, orders(r)};
        p.places = places_of(r.recording, r.end);
        if (!options_.keep.empty()) p.file = printable((folder_of(folder, r.number) / "run.ctp").string(), 4096);
        if (is_file(options_.output) && problems_.empty()) {
            keep(r, options_.output);
            p.file = printable(options_.output, 4096);
        }
        problems_.push_back(std::move(p));
    }

    /// The accesses that are to blame, of a run that passed and of this one, side by side.
    std::vector<std::string> orders(ProgramRun const& r) const {
        std::vector<std::string> lines;
        auto passed = passed_.find(r.from);
        if (passed == passed_.end()) passed = passed_.begin();
        if (passed == passed_.end()) return lines;
        threads::Orders const orders = threads::orders_to_blame(passed->second, r.recording.program);
        if (orders.failed.empty()) return lines;
        constexpr std::size_t most = 6;
        std::string const left = fmt::format("a run that passed (path {})", passed->first);
        std::size_t width = left.size();
        for (std::size_t i = 0; i < std::min(most, orders.passed.size()); ++i)
            width = std::max(width, orders.passed[i].size());
        lines.push_back(fmt::format("{:<{}}   {}", left, width, "this run"));
        for (std::size_t i = 0; i < std::min(most, std::max(orders.passed.size(), orders.failed.size())); ++i) {
            std::string const a = i < orders.passed.size() ? orders.passed[i] : "";
            std::string const b = i < orders.failed.size() ? orders.failed[i] : "";
            lines.push_back(fmt::format("  {:<{}} {}", a, width + 2, b));
            while (lines.back().ends_with(' ')) lines.back().pop_back();
        }
        if (std::max(orders.passed.size(), orders.failed.size()) > most) lines.emplace_back("  ...");
        return lines;
    }

    /// Writes the run as a program with its trace.
    void keep(ProgramRun const& r, std::filesystem::path const& file) {
        ExitCode const code = replace_or_complain(file.string(), draft::print(r.recording.program), terminal_);
        if (written_ == holds) written_ = code;
    }

    MpiOptions const& options_;
    Terminal& terminal_;
    ProgressLine progress_;
    std::string doing_;
    std::uint64_t runs_ = 0;
    std::vector<Problem> problems_;
    std::map<std::size_t, draft::Draft> passed_; // path -> a run of it that passed
    std::vector<std::string> notes_;
    bool has_more_notes_ = false, is_incomplete_ = false, has_weak_orders_ = false;
    ExitCode written_ = holds;
};

constexpr double seconds_for_a_run = 60;      // seconds for a run
constexpr double seconds_for_a_question = 30; // seconds

/// Runs the program into a folder of its own.
std::optional<ProgramRun> execute(std::uint64_t number, std::string const& schedule, MpiOptions const& options,
                                  std::filesystem::path const& folder, Terminal& terminal, ExitCode& code) {
    std::filesystem::path const own = ThreadsReport::folder_of(folder, number);
    std::error_code error;
    std::filesystem::create_directory(own, error);
    std::filesystem::create_directory(own / "threads", error);
    if (error) {
        complain(terminal, fmt::format("cannot make the folder {}: {}", printable(own.string(), 4096), error.message()),
                 ErrorKind::file);
        code = output_failed;
        return std::nullopt;
    }
    if (!schedule.empty()) {
        code = replace_or_complain((own / "schedule").string(), schedule, terminal);
        if (code != holds) return std::nullopt;
    }
    auto const result = run_threads(own / "threads", options,
                                    schedule.empty() ? std::filesystem::path() : own / "schedule", terminal, own);
    if (!result) {
        code = result.error();
        return std::nullopt;
    }
    bool const is_interrupted = result->end == record::LaunchResult::End::interrupted;
    if (is_interrupted && threads::thread_files(own / "threads").empty()) return std::nullopt;
    auto recording = read_thread_run(own / "threads", options, &*result, terminal);
    if (!recording) {
        code = recording.error();
        return std::nullopt;
    }
    ProgramRun run;
    run.result = *result;
    run.end = run_end_of(end_of(*recording, &*result));
    run.recording = std::move(*recording);
    run.report = threads::replay_report(own / "threads");
    if (options.keep.empty()) std::filesystem::remove_all(own, error);
    return run;
}

} // namespace

ExitCode verify_threads_command(MpiOptions const& given, Terminal& terminal) {
    MpiOptions options = given;
    if (!options.timeout) options.timeout = seconds_for_a_run;
    if (ExitCode const code = check_findings_file(options, terminal); code != holds) return code;
    auto const solver = solver_command("z3");
    if (!solver && options.switches) {
        complain(terminal, fmt::format("--switches: {}", solver.error()), ErrorKind::usage);
        return bad_input;
    }
    Interruptible const interruptible;
    TemporaryFolder const temporary;
    auto const folder = folder_for(options, temporary, terminal);
    if (!folder) return folder.error();
    ExitCode could_not = holds;
    ThreadsReport report(options, terminal);
    auto const* const interrupted = launch_as(options, {}).interrupted;

    threads::SearchOptions s;
    s.execute = [&](std::uint64_t number, std::string const& schedule) {
        return execute(number, schedule, options, *folder, terminal, could_not);
    };
    s.limit = options.runs.value_or(s.limit);
    s.first = options.first;
    s.patience = 10 * std::chrono::duration<double>(options.patience);
    if (options.time) s.deadline = std::chrono::steady_clock::now() + milliseconds(*options.time);
    s.interrupted = [&report, interrupted] {
        report.waits();
        return interrupted->load();
    };
    s.begins = [&](std::string const& what) { report.begins(what); };
    s.check.time = milliseconds(seconds_for_a_question);
    if (solver) s.check.solver = *solver;
    if (options.switches)
        s.check.bound = static_cast<std::uint32_t>(std::min<std::uint64_t>(*options.switches, UINT32_MAX));
    if (options.memory) s.check.memory = *options.memory << 20U;
    threads::PathSearch search(std::move(s), [&](ProgramRun const& r) { report.show(r, *folder); });
    Searched const searched = search.run();
    if (searched.could_not_run && searched.paths == 0 && could_not != holds) return could_not;
    return report.finish(searched);
}

} // namespace matchpoint::cli
