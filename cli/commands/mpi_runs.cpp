#include "cli/commands/mpi_runs.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/mpi_findings.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "explain/words.hpp"
#include "record/findings.hpp"
#include "record/launcher_words.hpp"
#include "record/provenance.hpp"
#include "record/refusing.hpp"
#include "record/rerun.hpp"
#include "record/source_lines.hpp"
#include "rma/language/parse.hpp"
#include "rma/language/print.hpp"

namespace matchpoint::cli {

std::string place(record::SourceLine const& at) {
    if (at.file.empty()) return "";
    return at.line == 0 ? fmt::format("{}: ", at.file) : fmt::format("{}:{}: ", at.file, at.line);
}

namespace {

/// What the recorder waits for, and does not come.
std::string nothing_called(MpiOptions const& options) {
    if (options.api == record::Api::mcapi)
        return "no call of MCAPI was seen, as nobody has called matchpoint::run of <matchpoint/mcapi.h>";
    return fmt::format("no process has called MPI_Init of the MPI library that `{}` belongs to",
                       options.command.empty() ? "mpirun" : printable(options.command.front()));
}

/// Whether `mcapi` was given what `mpi` is for.
bool is_of_mpi(MpiOptions const& options) {
    if (options.api == record::Api::mpi || options.command.empty()) return false;
    std::string const& word = options.command.front();
    std::string const name = std::filesystem::path(word).filename();
    if (record::library_needed_by(word)) return true;
    return name.starts_with("mpirun") || name.starts_with("mpiexec");
}

/// Why a run ended that could have gone on, or its recording; empty if it could not. `result` is null if nobody knows
/// how it ended.
std::string why_ended(record::Recording const& r, MpiOptions const& options, record::LaunchResult const* result) {
    using End = record::LaunchResult::End;
    auto const broken = std::find_if(r.ranks.begin(), r.ranks.end(), [](auto const& rank) { return rank.breaks_off; });
    auto const is_done = [](record::Rank const& rank) { return rank.end == record::RankEnd::finalized; };
    if (result == nullptr) {
        if (std::all_of(r.ranks.begin(), r.ranks.end(), is_done)) return {};
        return fmt::format("the files of its {}s do not say why", word_for_rank(r.api));
    }
    if (result->end == End::interrupted) return "it was interrupted";
    if (result->end == End::out_of_time)
        return fmt::format("the time limit of {} s was reached", options.timeout.value_or(0));
    return broken == r.ranks.end()
               ? ""
               : fmt::format("the recording of {} {} ends early", word_for_rank(r.api), broken->number);
}

/// Which threads of the program are further threads of ranks. Those that begin at one place share a line.
std::vector<std::string> further_threads(record::Recording const& run) {
    std::vector<std::string> lines;
    for (record::Rank const& rank : run.ranks)
        for (auto f = rank.further.begin(), next = f; f != rank.further.end(); f = next) {
            next = std::find_if(f, rank.further.end(), [&](auto const& g) { return g.begins_at != f->begins_at; });
            std::uint32_t const last = std::prev(next)->thread;
            std::string const where = f->begins_at.file.empty() ? "" : record::place_in_words(f->begins_at);
            lines.push_back(last == f->thread
                                ? fmt::format("Thread {} is one of rank {}{}{}", last, rank.number,
                                              where.empty() ? "" : ", and calls MPI first at ", where)
                                : fmt::format("Threads {} to {} are of rank {}{}{}", f->thread, last, rank.number,
                                              where.empty() ? "" : ", and call MPI first at ", where));
        }
    return lines;
}

/// The sends that made a library deadlock, in a line of the first comment; empty if every library would have.
std::string refusals(record::Recording const& r) {
    std::vector<std::string> sends;
    for (record::CallId const& send : record::refusing_in(r)) sends.push_back(importers::name_of(send));
    if (sends.empty()) return {};
    return "\n" + record::provenance::words(1, Buffering::infinite, record::provenance::to_deadlock, sends);
}

} // namespace

std::vector<std::string> ends_of(record::Recording const& run, bool was_ended) {
    std::vector<std::string> lines;
    for (record::Rank const& rank : run.ranks) {
        if (rank.end != record::RankEnd::finalized) lines.push_back(words_of(rank, run.api, was_ended));
        for (record::FurtherThread const& f : rank.further) {
            std::string const subject = fmt::format("{}rank {}, thread {}", place(f.blocked_at), rank.number, f.thread);
            if (!f.blocked_in.empty())
                lines.push_back(fmt::format("{} waits {}", subject, f.blocked_in));
            else if (rank.end == record::RankEnd::elsewhere && !f.has_ended)
                lines.push_back(fmt::format("{}{}its end", subject, record::provenance::not_at_end));
        }
    }
    return lines;
}

std::string comment_of(record::Recording const& r, MpiOptions const& options, record::LaunchResult const* result,
                       std::string head, std::string const& said) {
    ExitCode const end = result == nullptr ? holds : code_of(*result);
    std::string const ended = why_ended(r, options, result);
    std::string text = std::move(head);
    std::string_view const word = word_for_rank(r.api);
    if (!r.ranks.empty())
        text += fmt::format("\n{} {}s; {}", r.ranks.size(), word,
                            r.api == record::Api::mpi ? printable(r.ranks.front().library) : "MCAPI");
    if (end == failure) text += fmt::format("\n{}{}", record::provenance::failed, words(*result));
    std::vector<std::string> const errors = errors_in(r);
    std::string const& told = errors.empty() ? said : errors.front();
    if (end == failure && !told.empty()) text += fmt::format("\n{}{}", record::provenance::said, told);
    if (!ended.empty()) text += fmt::format("\n{}{}", record::provenance::ended, ended);
    if (end == deadlock) text += fmt::format("\n{}", record::provenance::deadlocked);
    bool const is_stuck = end == deadlock || (result != nullptr && was_ended(*result) && record::has_deadlock(r));
    if (is_stuck) text += refusals(r);
    for (std::string const& line : further_threads(r)) text += fmt::format("\n{}", line);
    if (r.has_further_threads()) text += fmt::format("\n{}", record::provenance::free_threads);
    for (std::string const& line : ends_of(r, !ended.empty())) text += fmt::format("\n{}", line);
    for (record::Gap const& gap : r.windows ? r.windows->gaps : r.gaps)
        text += fmt::format("\nIncomplete: {} {}: {}{}: {}", word, gap.rank, place(gap.at), gap.function, gap.what);
    if (r.has_concrete_values) text += fmt::format("\n{}", record::provenance::concrete_values);
    return text;
}

std::string words_of(record::Rank const& rank, record::Api api, bool was_ended) {
    std::string_view const end = api == record::Api::mpi ? "MPI_Finalize" : "its end";
    record::SourceLine const& at = rank.error ? rank.error->at : rank.blocked_at;
    std::string const subject = fmt::format("{}{} {}", place(at), record::word_for_rank(api), rank.number);
    if (rank.error || rank.has_left) return fmt::format("{}{}{}", subject, record::provenance::ended_before, end);
    switch (rank.end) {
    case record::RankEnd::finalized: return fmt::format("{} came to {}", subject, end);
    case record::RankEnd::aborted: return fmt::format("{} called MPI_Abort with code {}", subject, rank.abort_code);
    case record::RankEnd::crashed: return fmt::format("{} died inside the recorder, {}", subject, rank.crash);
    case record::RankEnd::blocked: return fmt::format("{} waits {}", subject, rank.blocked_in);
    case record::RankEnd::elsewhere: break;
    }
    if (!was_ended && !rank.breaks_off) return fmt::format("{}{}{}", subject, record::provenance::ended_before, end);
    std::string_view const where = rank.breaks_off ? " where its recording ends" : "";
    std::string last = place(rank.last_call);
    if (!last.empty()) last = fmt::format("; its last recorded call is at {}", last.substr(0, last.size() - 2));
    return fmt::format("{}{}{}{}{}", subject, record::provenance::not_at_end, end, where, last);
}

std::vector<std::string> errors_in(record::Recording const& run) {
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> found;
    for (record::Rank const& rank : run.ranks) {
        if (!rank.error) continue;
        std::string const at = place(rank.error->at);
        std::string text = fmt::format("{}{}, in {}", rank.error->what,
                                       at.empty() ? "" : " at " + at.substr(0, at.size() - 2), rank.error->function);
        auto const same = std::find_if(found.begin(), found.end(), [&](auto const& f) { return f.first == text; });
        if (same != found.end())
            same->second.push_back(rank.number);
        else
            found.emplace_back(std::move(text), std::vector<std::uint32_t>{rank.number});
    }
    std::vector<std::string> result;
    result.reserve(found.size());
    for (auto const& [text, ranks] : found)
        result.push_back(fmt::format("{} of rank{} {}", text, ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", ")));
    return result;
}

void tell(Terminal& terminal, std::string const& line) { terminal.tell("matchpoint: " + line + "\n"); }

void tell_notes(Terminal& terminal, std::vector<record::Gap> const& notes, std::string_view kind) {
    std::vector<std::string> said;
    for (record::Gap const& note : notes) {
        std::string line = fmt::format("{}: {}{}: {}", kind, place(note.at), note.function, note.what);
        if (std::find(said.begin(), said.end(), line) != said.end()) continue;
        tell(terminal, line);
        said.push_back(std::move(line));
    }
}

namespace {

std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

} // namespace

Interruptible::Interruptible() {
    was_interrupted = false;
    SignalAction const action{.handler = [](int) { was_interrupted = true; }, .flags = SA_RESTART};
    handlers_.on(SIGINT, action).on(SIGTERM, action);
    // The terminal was closed. Under nohup the run goes on.
    handlers_.on(SIGHUP, {.handler = action.handler, .flags = action.flags, .keeps_ignored = true});
}

std::string command_of(MpiOptions const& options) { return fmt::format("{}", fmt::join(options.command, " ")); }

ExitCode code_of(record::LaunchResult const& result) {
    using End = record::LaunchResult::End;
    switch (result.end) {
    case End::exited:
    case End::killed: return record::has_failed(result) ? failure : holds;
    case End::stands_still: return deadlock;
    case End::out_of_time:
    case End::interrupted: return unknown;
    case End::not_started: break;
    }
    return solver_failed;
}

ExitCode code_of(record::LaunchResult const& result, record::Recording const& run, Terminal& terminal) {
    bool const is_cut = was_ended(result);
    ExitCode const code = is_cut && record::has_deadlock(run) ? deadlock : code_of(result);
    if (code != deadlock) return code;
    if (is_cut) tell(terminal, fmt::format("some {}s had deadlocked by then", word_for_rank(run.api)));
    if (auto const sends = record::refusing_in(run); !sends.empty())
        tell(terminal, fmt::format("it depends on the library: {}",
                                   record::waiting_in_words(run.program, sends, word_for_rank(run.api))));
    return code;
}

ExitCode complain_of_no_rank(MpiOptions const& options, bool failed, Terminal& terminal) {
    std::vector<std::string> hints;
    if (is_of_mpi(options)) hints.emplace_back("`matchpoint mpi` records programs of MPI");
    // If the run failed, its launcher has said why.
    if (options.api == record::Api::mpi && !failed)
        hints.emplace_back("launcher and program have to be of the same MPI library: `ldd PROGRAM` shows which it "
                           "needs; a program that "
                           "is slow to call MPI_Init needs a longer --timeout");
    std::string const why = failed && options.api == record::Api::mpi
                                ? "the run failed before any process called MPI_Init"
                                : nothing_called(options);
    complain(terminal, fmt::format("no {} was recorded: {}", word_for_rank(options.api), why), ErrorKind::file, hints);
    return bad_input;
}

void complain_of_harm(std::string const& why, Terminal& terminal) {
    complain(terminal, why + "; this is not a failure of the program", ErrorKind::launcher);
}

namespace {

/// Whether somebody can go on by the recording of a run in which nobody moved.
bool defies_machine(record::Recording const& run) {
    return run.is_readable() && !run.ranks.empty() && record::standstill(run) == record::Standstill::no;
}

void tell_end(record::LaunchResult const& result, record::Recording const& run, Terminal& terminal) {
    using End = record::LaunchResult::End;
    switch (result.end) {
    case End::exited:
    case End::killed:
        if (record::has_failed(result)) tell(terminal, "the run failed: " + words(result));
        for (std::string const& error : errors_in(run)) tell(terminal, error);
        return;
    case End::stands_still:
        return tell(terminal, defies_machine(run) ? "the run got stuck: nobody has moved for long, so it was ended, "
                                                    "although by the recording somebody can go on"
                                                  : "the run deadlocked: nobody can go on, so it was ended");
    case End::out_of_time: return tell(terminal, "the time limit was reached, and the run was ended");
    case End::interrupted: return tell(terminal, "interrupted; the run was ended");
    case End::not_started: complain(terminal, result.why, ErrorKind::launcher);
    }
}

/// `result` is that of a run that we started; null if nobody knows how it ended.
Expected<record::Recording, ExitCode> read_files(std::filesystem::path const& folder, MpiOptions const& options,
                                                 record::LaunchResult const* result, Terminal& terminal,
                                                 record::Threads threads = record::Threads::apart) {
    std::vector<Source> files;
    for (auto const& file : record::rank_files(folder)) {
        auto source = read_or_complain(file.string(), terminal);
        if (!source) return Unexpected{source.error()};
        files.push_back(std::move(*source));
    }
    // A run that ended early can have killed ranks before they wrote anything.
    ExitCode const end = result == nullptr ? holds : code_of(*result);
    record::SourceLines lines;
    record::Recording run =
        record::read_recording(files, lines, end == holds ? record::Missing::refused : record::Missing::did_nothing,
                               end == deadlock ? record::Tests::wait : record::Tests::move,
                               record::readable_within(options.memory.value_or(0) << 20U), threads);
    if (auto const harm = run.is_readable() ? record::harm(run) : std::nullopt) {
        complain_of_harm(*harm, terminal);
        return Unexpected{solver_failed};
    }
    if (result != nullptr) tell_end(*result, run, terminal);
    if (end == solver_failed) return Unexpected{end};
    if (files.empty() && result != nullptr && result->end == record::LaunchResult::End::interrupted) {
        tell(terminal, "nothing was recorded");
        return Unexpected{end};
    }
    if (auto const call = record::early_call(folder); files.empty() && call && end == failure) {
        tell(terminal, fmt::format("{} was called before MPI_Init", printable(*call, 64)));
        return Unexpected{failure};
    }
    if (files.empty())
        return Unexpected{complain_of_no_rank(options, result != nullptr && record::has_failed(*result), terminal)};
    for (std::size_t i = 0; i < files.size(); ++i) show(terminal, run.faults[i], files[i]);
    if (!run.is_readable()) return Unexpected{bad_input};
    std::string const command = command_of(options);
    run.program.comment =
        comment_of(run, options, result,
                   command.empty() ? std::string(record::provenance::merged)
                                   : fmt::format("{}{}", record::provenance::recorded, printable(command, 4096)));
    return run;
}

} // namespace

Expected<record::Recording, ExitCode> read_run(std::filesystem::path const& folder, MpiOptions const& options,
                                               record::LaunchResult const& result, Terminal& terminal,
                                               record::Threads threads) {
    return read_files(folder, options, &result, terminal, threads);
}

void tell_gaps(record::Recording const& run, Terminal& terminal) { tell_notes(terminal, run.gaps, "incomplete"); }

namespace {

/// A run with windows in canonical form, after its comment; or the exit code after complaining that it is not a
/// program.
Expected<std::string, ExitCode> text_of_windows(record::Recording const& run, Terminal& terminal) {
    std::string text = "; ";
    for (char const c : run.program.comment) text += c == '\n' ? "\n; " : std::string(1, c);
    Source const source("recording", text + "\n" + run.windows->text);
    auto const program = rma::parse_rma(source, {.keep_comments = true});
    if (program) return rma::print(*program, &source);
    complain(terminal, "the run cannot be written as a program with remote memory access", ErrorKind::file);
    show(terminal, program.error(), source);
    return Unexpected{bad_input};
}

} // namespace

ExitCode write_run(record::Recording const& run, MpiOptions const& options, bool was_ended, ExitCode end,
                   Terminal& terminal) {
    auto const text = run.windows ? text_of_windows(run, terminal)
                                  : Expected<std::string, ExitCode>(draft::print(record::program_with_run(run)));
    if (!text) return text.error();
    if (ExitCode const code = write_output(options.output, *text, terminal); code != holds) return code;
    tell(terminal, run.windows
                       ? fmt::format("recorded {} ranks with windows: {} statements of a program for `matchpoint rma`",
                                     run.ranks.size(), run.windows->statements)
                       : fmt::format("recorded {}: {} commands", plural(run.ranks.size(), word_for_rank(run.api)),
                                     run.program.commands()));
    for (std::string const& line : further_threads(run)) tell(terminal, line);
    for (std::string const& line : ends_of(run, was_ended)) tell(terminal, line);
    auto const& gaps = run.windows ? run.windows->gaps : run.gaps;
    tell_notes(terminal, gaps, "incomplete");
    tell_notes(terminal, run.errors, "note");
    tell_notes(terminal, run.remarks, "note");
    std::vector<record::Finding> const findings = record::findings_of(run);
    for (std::string const& line : lines_of(findings)) tell(terminal, line);
    return conclude(findings, options, gaps.empty() || end != holds ? end : unknown, terminal);
}

std::string words(record::LaunchResult const& result) {
    if (result.has_left) return "exit code 0, before MPI_Finalize";
    if (result.end == record::LaunchResult::End::exited) return fmt::format("exit code {}", result.exit_code);
    return fmt::format("killed by signal {} ({})", result.signal, sigabbrev_np(result.signal));
}

void complain_of_no_recorder(record::MpiLibrary library, Terminal& terminal) {
    std::string const name = record::recorder_name(library);
    std::string text =
        fmt::format("there is no recorder for {}: {} is in none of these folders", record::name_of(library), name);
    for (std::filesystem::path const& folder : record::recorder_folders())
        text += "\n  " + printable(folder.string(), 4096);
    std::string_view const package = library == record::MpiLibrary::open_mpi ? "libopenmpi-dev" : "libmpich-dev";
    complain(
        terminal, text, ErrorKind::launcher,
        {fmt::format("if you have copied the binary, copy {} with it, from record/ of the build or lib/matchpoint/ "
                     "of the installation",
                     name),
         fmt::format("if matchpoint was built without it, install {0} and build it again: `apt-get install {0}`, then "
                     "`scripts/demo` in the folder of the sources",
                     package)});
}

Expected<std::filesystem::path, ExitCode> find_recorder(MpiOptions const& options, Terminal& terminal) {
    if (options.api == record::Api::mcapi) return std::filesystem::path();
    std::string const& launcher = options.command.front();
    auto const library = record::library_of(launcher);
    if (!library) {
        complain(terminal, fmt::format("`{}` is not the mpirun or mpiexec of Open MPI or MPICH", printable(launcher)),
                 ErrorKind::launcher,
                 {"libopenmpi-dev and libmpich-dev are Debian's packages of the libraries, with their launchers"});
        return Unexpected{solver_failed};
    }
    auto const program = record::launcher_words(options.command).program;
    if (auto const needed = record::library_needed_by(program); needed && *needed != *library) {
        complain(terminal,
                 fmt::format("{} is a program of {}, and `{}` is the launcher of {}", printable(program.string(), 4096),
                             record::name_of(*needed), printable(launcher), record::name_of(*library)),
                 ErrorKind::launcher);
        return Unexpected{solver_failed};
    }
    auto recorder = record::recorder_of(*library);
    if (recorder.empty()) {
        complain_of_no_recorder(*library, terminal);
        return Unexpected{solver_failed};
    }
    return recorder;
}

Expected<std::filesystem::path, ExitCode> folder_for(MpiOptions const& options, TemporaryFolder const& temporary,
                                                     Terminal& terminal) {
    if (options.keep.empty()) {
        if (!temporary.path().empty()) return temporary.path();
        complain(terminal, temporary.error(), ErrorKind::file);
        return Unexpected{output_failed};
    }
    std::string const shown = printable(options.keep, 4096);
    std::error_code error;
    std::filesystem::create_directory(options.keep, error); // one: a mistyped path is not to make many
    if (error && access(options.keep.c_str(), F_OK) != 0) {
        complain(terminal, fmt::format("cannot make the folder {}: {}", shown, error.message()), ErrorKind::file);
        return Unexpected{output_failed};
    }
    std::filesystem::path const folder = std::filesystem::canonical(options.keep, error);
    if (error || !std::filesystem::is_directory(folder) || !std::filesystem::is_empty(folder, error) || error) {
        complain(terminal, fmt::format("{}: it has to be an empty folder, or not to exist", shown), ErrorKind::file);
        return Unexpected{bad_input};
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        complain(terminal, fmt::format("cannot write into {}: {}", shown, std::strerror(errno)), ErrorKind::file);
        return Unexpected{output_failed};
    }
    return folder;
}

void tell_nothing_recorded(MpiOptions const& options, Terminal& terminal) {
    tell(terminal, fmt::format("nothing is recorded so far: {}{}", nothing_called(options),
                               is_of_mpi(options) ? "; `matchpoint mpi` records programs of MPI" : ""));
}

record::Launch launch_as(MpiOptions const& options, std::filesystem::path const& recorder) {
    record::Launch l{.command = options.command, .recorder = recorder, .folder = {}};
    if (options.timeout) l.limit = std::chrono::duration<double>(*options.timeout);
    l.patience = std::chrono::duration<double>(options.patience);
    l.interrupted = &was_interrupted;
    return l;
}

namespace {

/// Complains of a folder to merge. No program runs, so nothing is said of one.
ExitCode complain_of_no_files(MpiOptions const& options, Terminal& terminal) {
    std::string const folder = printable(options.folder, 4096);
    std::error_code error;
    if (!std::filesystem::is_directory(options.folder, error)) {
        complain(terminal, fmt::format("{} is not a folder", folder), ErrorKind::file);
        return bad_input;
    }
    std::string_view const name = options.api == record::Api::mpi ? "rank-00000.mpirec" : "thread-00000.mcapirec";
    complain(terminal,
             fmt::format("{} has no file of a {}: they are called {}, ...", folder, word_for_rank(options.api), name),
             ErrorKind::file,
             {fmt::format("`matchpoint {} record --keep FOLDER` writes them",
                          options.api == record::Api::mpi ? "mpi" : "mcapi")});
    return bad_input;
}

} // namespace

ExitCode merge_command(MpiOptions const& options, Terminal& terminal) {
    if (ExitCode const code = check_findings_file(options, terminal); code != holds) return code;
    std::filesystem::path const ranks = std::filesystem::path(options.folder) / "ranks";
    std::error_code error;
    if (record::rank_files(options.folder).empty() && std::filesystem::is_directory(ranks, error)) {
        complain(terminal, fmt::format("{} has no file of a rank", printable(options.folder, 4096)), ErrorKind::file,
                 {fmt::format("a run of `verify --keep` has them in {}", printable(ranks.string(), 4096))});
        return bad_input;
    }
    if (record::rank_files(options.folder).empty()) return complain_of_no_files(options, terminal);
    auto const run = read_files(options.folder, options, nullptr, terminal);
    return run ? write_run(*run, options, false, holds, terminal) : run.error();
}

} // namespace matchpoint::cli
