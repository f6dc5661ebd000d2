// `record` and `replay` of `matchpoint mpi` and `matchpoint mcapi`: one run of a program.
#include <algorithm>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/source.hpp"
#include "check/confirmed.hpp"
#include "cli/cli.hpp"
#include "cli/commands/mpi_findings.hpp"
#include "cli/commands/mpi_runs.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "executions/scheduler.hpp"
#include "explain/blocked.hpp"
#include "explain/words.hpp"
#include "machine/machine.hpp"
#include "record/launcher_words.hpp"
#include "record/predicted.hpp"
#include "record/provenance.hpp"
#include "record/refusing.hpp"
#include "record/rerun.hpp"
#include "record/schedule.hpp"

namespace matchpoint::cli {

namespace {

/// A run with our standard input and output.
record::LaunchResult run_in(std::filesystem::path const& folder, MpiOptions const& options,
                            std::filesystem::path const& recorder, std::filesystem::path const& schedule,
                            Terminal& terminal) {
    record::Launch l = launch_as(options, recorder);
    l.folder = folder;
    l.schedule = schedule;
    l.nothing_recorded = [&] { tell_nothing_recorded(options, terminal); };
    terminal.flush();
    return record::launch(l);
}

TraceEnding ending_of(Prepared const& prepared, std::size_t t) {
    return trace_endings(prepared.source.text(), prepared.program.traces.size())[t];
}

Buffering buffering_of(Prepared const& prepared, std::size_t t, MpiOptions const& options) {
    return ending_of(prepared, t).buffering_if(options.buffering);
}

/// What a trace does; its sends refuse as its file says, unless the user asks for a buffering. None, after complaining:
/// the machine refuses the trace.
std::optional<Predicted> predict(Prepared const& prepared, std::size_t t, MpiOptions const& options,
                                 Terminal& terminal) {
    TraceEnding const ending = ending_of(prepared, t);
    auto predicted = record::predict(prepared, t, ending.buffering_if(options.buffering),
                                     options.buffering ? std::vector<std::string>() : ending.refusing);
    if (predicted) return std::move(*predicted);
    complain(terminal, predicted.error(), ErrorKind::trace);
    return std::nullopt;
}

/// How the waits of the ranks in a stuck run differ from those in the deadlock of the trace; empty if they do not.
std::vector<std::string> differences(Predicted const& predicted, record::Recording const& recording) {
    std::vector<std::string> result;
    auto const waits = record::waits_of(recording);
    for (record::Rank const& rank : recording.ranks) {
        auto const of_rank = [&](record::Waits const& w) { return w.rank == rank.number; };
        auto const run = std::find_if(waits.begin(), waits.end(), of_rank);
        auto const trace = std::find_if(predicted.waits.begin(), predicted.waits.end(),
                                        [&](Predicted::Waiting const& w) { return of_rank(w.waits); });
        bool const waits_in_trace = trace != predicted.waits.end();
        if (run == waits.end() ? !waits_in_trace : waits_in_trace && waits_there(trace->waits, *run)) continue;
        result.push_back(fmt::format("{}{} {} {}; in the trace it {}", place(rank.blocked_at),
                                     word_for_rank(recording.api), rank.number,
                                     run == waits.end() ? "does not wait" : "waits " + rank.blocked_in,
                                     waits_in_trace ? "waits " + trace->where : "does not wait"));
    }
    return result;
}

/// What a failed run did otherwise than its trace, so that it may have failed for another reason; empty if nothing.
std::string another_way(record::MatchSchedule::Followed const& followed, record::Recording const& recording) {
    auto const is_off = [](record::Rank const& rank) { return rank.off_schedule.has_value(); };
    if (std::any_of(recording.ranks.begin(), recording.ranks.end(), is_off)) return "on another path";
    if (!followed.differences.empty()) return "with other messages";
    if (followed.receives != 0 && followed.not_reached.size() == followed.receives)
        return "before it received anything";
    return {};
}

/// The receives that a trace completes, or the run; the others can have a message, and nobody has seen it.
record::MatchSchedule::Followed without_incomplete(record::MatchSchedule::Followed followed,
                                                   Predicted const& predicted) {
    followed.receives -= std::erase_if(followed.not_reached, [&](record::CallId const& receive) {
        return !std::binary_search(predicted.complete.begin(), predicted.complete.end(), receive);
    });
    return followed;
}

/// Whether the fault of a trace happened, in words, and the code for it. A library may let it pass.
ExitCode tell_fault(Predicted::Fault const& fault, record::Recording const& run, ExitCode end, Terminal& terminal) {
    if (fault.calls.empty()) {
        tell(terminal,
             fmt::format("not confirmed: in the trace {}. A run does not show whether it came too early", fault.words));
        return end == failure || end == deadlock ? end : unknown;
    }
    if (!has_made(run, fault)) {
        tell(terminal, fmt::format("not confirmed: in the trace {}; the run did not make both", fault.words));
        return unknown;
    }
    std::string_view const then = end == holds      ? "; the library let it pass"
                                  : end == deadlock ? "; the run then deadlocked"
                                  : end == failure  ? "; the run then failed"
                                                    : "";
    tell(terminal, fmt::format("confirmed: {}{}", fault.words, then));
    return end == failure || end == deadlock ? end : error;
}

/// Whether what was predicted happened, in words, and the code for it.
ExitCode tell_confirmation(Predicted const& predicted, record::Recording const& recording,
                           record::MatchSchedule::Followed const& followed, ExitCode end, Terminal& terminal) {
    if (predicted.is_deadlock && end == deadlock)
        if (auto const different = differences(predicted, recording); !different.empty()) {
            for (std::string const& difference : different) tell(terminal, difference);
            tell(terminal, "another deadlock than that of the trace");
            return deadlock;
        }
    if (predicted.is_deadlock) {
        tell(terminal, end == deadlock ? "confirmed: the deadlock happened"
                                       : "not confirmed: the trace gets stuck, and the run did not");
        return end == deadlock ? deadlock : unknown;
    }
    if (predicted.s != Status::failure) return end;
    std::string const way = another_way(followed, recording);
    if (end == failure && !way.empty())
        tell(terminal, fmt::format("not confirmed: the trace fails, and the run failed {}", way));
    else
        tell(terminal, end == failure ? "confirmed: the failure happened"
                                      : "not confirmed: the trace fails, and the run did not");
    return end == failure && way.empty() ? failure : unknown;
}

/// The same of a trace that is a recorded run which failed as such, for no reason that the program has a command for.
ExitCode tell_confirmation(std::string_view recorded, record::LaunchResult const& result, record::Api api, ExitCode end,
                           std::string const& another_way, Terminal& terminal) {
    if (end == failure && !another_way.empty()) {
        tell(terminal,
             fmt::format("not confirmed: the recorded run failed, {}, and this one failed {}", recorded, another_way));
        return unknown;
    }
    if (end == failure && words(result) == recorded) {
        tell(terminal, "confirmed: the run failed as the recorded one did");
        return failure;
    }
    // When a rank fails, the launcher kills the others, and reports one of them: which one is a matter of time.
    bool const is_of_a_launcher = api == record::Api::mpi && result.end == record::LaunchResult::End::exited;
    if (end == failure && is_of_a_launcher && recorded.starts_with("exit code ")) {
        tell(terminal, fmt::format("confirmed: the run failed, {}; the recorded one: {} (a launcher reports one rank)",
                                   words(result), recorded));
        return failure;
    }
    tell(terminal, fmt::format("not confirmed: the recorded run failed, {}, and this one {}", recorded,
                               end == failure ? "failed otherwise" : "did not"));
    return unknown;
}

ExitCode tell_followed(record::MatchSchedule::Followed const& followed, record::Recording const& recording, bool same,
                       std::size_t ranks, bool matches_some, std::size_t trace, Terminal& terminal) {
    if (recording.ranks.size() != ranks)
        tell(terminal, fmt::format("the run had {0} {2}s, and the recorded run {1}", recording.ranks.size(), ranks,
                                   word_for_rank(recording.api)));
    for (record::Rank const& rank : recording.ranks)
        if (rank.off_schedule)
            tell(terminal, fmt::format("{}{} {} does something else than in the recorded run: a new path",
                                       place(*rank.off_schedule), word_for_rank(recording.api), rank.number));
    for (auto const& d : followed.differences)
        tell(terminal, recording.api == record::Api::mpi
                           ? fmt::format("{} took a message of rank {} with tag {} instead of {}", name_of(d.receive),
                                         d.from, d.tag, name_of(d.wanted))
                           : fmt::format("{} took a message of endpoint {} instead of {}", name_of(d.receive), d.from,
                                         name_of(d.wanted)));
    std::size_t const taken = followed.receives - followed.differences.size() - followed.not_reached.size();
    tell(terminal, !matches_some            ? fmt::format("no receive takes a message in trace {}", trace)
                   : followed.receives == 0 ? fmt::format("no rank learns what a receive took in trace {}", trace)
                                            : fmt::format("{} of {} receives took what they take in trace {}", taken,
                                                          followed.receives, trace));
    return followed.differences.empty() && same && recording.gaps.empty() ? holds : unknown;
}

/// How the recorded run of a trace failed as such; none if the trace is no recorded run, the run did not fail, or an
/// assertion of the program fails.
std::optional<std::string> failure_of_trace(Prepared const& prepared, std::size_t t, Predicted const& predicted) {
    Provenance const from = provenance_of(prepared.source.text());
    if (t != 0 || !from.failed || from.is_predicted || predicted.s == Status::failure) return std::nullopt;
    return printable(*from.failed, 200);
}

/// Whether a trace is a recorded run that got stuck, and does not say how. What a rank has received is not recorded
/// before it waits for that.
bool got_stuck(Prepared const& prepared, std::size_t t, Predicted const& predicted) {
    Provenance const from = provenance_of(prepared.source.text());
    return t == 0 && from.deadlocked && !from.is_predicted && predicted.s == Status::success &&
           !predicted.is_deadlock && !predicted.fault;
}

/// Whether a run got stuck where the recorded one did, in words, and the code for it. The file says who waits.
ExitCode tell_stuck(std::string_view text, record::Recording const& run, ExitCode end, Terminal& terminal) {
    if (end != deadlock) {
        tell(terminal, "not confirmed: the recorded run got stuck, and this one did not");
        return unknown;
    }
    auto const lines = first_comment(text);
    bool const is_same = std::all_of(run.ranks.begin(), run.ranks.end(), [&](record::Rank const& rank) {
        bool const is_there = std::find(lines.begin(), lines.end(), words_of(rank, run.api, false)) != lines.end();
        return is_there || rank.end == record::RankEnd::finalized;
    });
    tell(terminal, is_same ? "confirmed: the run got stuck as the recorded one did"
                           : "another deadlock than that of the recorded run");
    return deadlock;
}

/// How the run ended whose trace is the recorded run, if we ended it: "the time limit of 4 s was reached; rank 2 was
/// still running". Empty of other traces.
std::string end_of_trace(Prepared const& prepared, std::size_t t) {
    TraceEnding const ending = ending_of(prepared, t);
    return ending.ended.empty() ? "" : ending.why_ended();
}

/// The trace that was asked for, or the first one that fails, gets stuck or leads to a fault, or the first one.
std::size_t choose_trace(Prepared const& prepared, MpiOptions const& options, Terminal& terminal) {
    if (options.trace) return *options.trace - 1;
    Terminal nowhere([](std::string_view) {});
    for (std::size_t t = 0; t < prepared.program.traces.size(); ++t)
        if (auto const predicted = predict(prepared, t, options, nowhere)) {
            if (auto const failed = failure_of_trace(prepared, t, *predicted)) {
                tell(terminal, fmt::format("trace {}, the recorded run, which failed: {}", t + 1, *failed));
                return t;
            }
            if (predicted->is_deadlock || predicted->s == Status::failure) {
                tell(terminal,
                     fmt::format("trace {}, which {}", t + 1, predicted->is_deadlock ? "gets stuck" : "fails"));
                return t;
            }
            if (got_stuck(prepared, t, *predicted)) {
                tell(terminal, "trace 1, the recorded run, which got stuck");
                return t;
            }
            if (predicted->fault) {
                tell(terminal, fmt::format("trace {}, which leads to a fault", t + 1));
                return t;
            }
        }
    if (!prepared.program.traces.empty())
        if (std::string const why = end_of_trace(prepared, 0); !why.empty())
            tell(terminal, fmt::format("trace 1, the recorded run, which was ended: {}", why));
    return 0;
}

/// What a run shows whose trace is a run that we ended, in words, and the code for it.
ExitCode tell_after_ended(record::LaunchResult const& result, ExitCode end, ExitCode followed, Terminal& terminal) {
    if (was_ended(result) && end == unknown) {
        tell(terminal, "the run was ended, as the recorded one was");
        return unknown;
    }
    tell(terminal, fmt::format("the recorded run was ended, and this one {}", end == failure    ? "failed"
                                                                              : end == deadlock ? "deadlocked"
                                                                                                : "ended well"));
    return end == holds ? followed : end;
}

/// Whether a run did what its trace does, in words, and the code for it.
ExitCode tell_comparison(Prepared const& prepared, std::size_t t, Predicted const& predicted,
                         record::MatchSchedule const& schedule, record::LaunchResult const& result,
                         record::Recording const& run, Terminal& terminal) {
    draft::Draft const program = draft::draft_of(prepared.program);
    ExitCode const end = code_of(result, run, terminal);
    record::MatchSchedule::Followed const all = schedule.followed_by(run);
    record::MatchSchedule::Followed const took = without_incomplete(all, predicted);
    ExitCode const followed = tell_followed(took, run, record::same_path(program, run.program), program.threads.size(),
                                            all.receives != 0, t + 1, terminal);
    bool const is_failure = failure_of_trace(prepared, t, predicted).has_value();
    if (predicted.fault)
        if (ExitCode const code = tell_fault(*predicted.fault, run, end, terminal); !is_failure) return code;
    if (predicted.s == Status::success && !predicted.is_deadlock && !end_of_trace(prepared, t).empty())
        return tell_after_ended(result, end, followed, terminal);
    if (was_ended(result) && end == unknown) {
        tell(terminal, "the run was ended before it confirmed or refuted anything");
        return unknown;
    }
    if (auto const failed = failure_of_trace(prepared, t, predicted))
        return tell_confirmation(*failed, result, run.api, end, another_way(took, run), terminal);
    if (got_stuck(prepared, t, predicted)) return tell_stuck(prepared.source.text(), run, end, terminal);
    bool const goes_wrong = predicted.is_deadlock || predicted.s == Status::failure;
    return followed == holds || end != holds || goes_wrong ? tell_confirmation(predicted, run, took, end, terminal)
                                                           : followed;
}

/// Before anything runs: whether the command is of so many ranks, and that which was recorded.
ExitCode check_command(Prepared const& prepared, MpiOptions const& options, Terminal& terminal) {
    std::size_t const ranks = prepared.program.ctp.threads.size();
    std::string const file = printable(options.file, 4096);
    if (options.api == record::Api::mpi)
        if (auto const started = record::launcher_words(options.command).ranks; started && *started != ranks) {
            complain(terminal,
                     fmt::format("{} has {} ranks, and `{}` starts {}", file, ranks,
                                 printable(command_of(options), 200), *started),
                     ErrorKind::usage);
            return bad_input;
        }
    auto const recorded = provenance_of(prepared.source.text()).command;
    if (recorded && *recorded != printable(command_of(options), 4096))
        warn(terminal, fmt::format("{} is a recording of another command: {}", file, printable(*recorded, 4096)),
             ErrorKind::usage);
    return holds;
}

} // namespace

ExitCode record_command(MpiOptions const& options, Terminal& terminal) {
    if (ExitCode const code = check_findings_file(options, terminal); code != holds) return code;
    auto const recorder = find_recorder(options, terminal);
    if (!recorder) return recorder.error();
    Interruptible const interruptible;
    TemporaryFolder const temporary;
    auto const folder = folder_for(options, temporary, terminal);
    if (!folder) return folder.error();
    record::LaunchResult const result = run_in(*folder, options, *recorder, {}, terminal);
    auto const run = read_run(*folder, options, result, terminal);
    if (!run) return run.error();
    ExitCode const end = code_of(result, *run, terminal);
    return write_run(*run, options, was_ended(result), end, terminal);
}

ExitCode replay_command(MpiOptions const& options, Terminal& terminal) {
    if (auto const text = base::read_file(options.file); text && provenance_of(*text).has_free_threads) {
        tell(terminal, fmt::format("{} cannot be replayed: a rank has several threads that call MPI, and nothing makes "
                                   "them do that in an order",
                                   printable(options.file, 4096)));
        return unknown;
    }
    auto const prepared = read_prepared(options.file, terminal);
    if (!prepared) return prepared.error();
    std::size_t const t = choose_trace(**prepared, options, terminal);
    if (t >= (*prepared)->program.traces.size()) {
        complain(terminal, fmt::format("{} has no trace {}", printable(options.file, 4096), t + 1), ErrorKind::trace,
                 {fmt::format("`matchpoint check {} -o witness.ctp` writes traces that fail or get stuck",
                              printable(options.file, 4096))});
        return bad_input;
    }
    auto const predicted = predict(**prepared, t, options, terminal);
    if (!predicted) return error;
    draft::Draft const program = draft::draft_of((*prepared)->program);
    auto const schedule = record::MatchSchedule::of(program, predicted->matches, buffering_of(**prepared, t, options),
                                                    predicted->refusing);
    if (!schedule) {
        complain(terminal,
                 fmt::format("{} is not a program that `matchpoint {}` recorded: its actions do not name {}s",
                             printable(options.file, 4096), options.api == record::Api::mpi ? "mpi" : "mcapi",
                             word_for_rank(options.api)),
                 ErrorKind::file);
        return bad_input;
    }
    if (ExitCode const code = check_command(**prepared, options, terminal); code != holds) return code;
    auto const recorder = find_recorder(options, terminal);
    if (!recorder) return recorder.error();
    Interruptible const interruptible;
    TemporaryFolder const temporary;
    TemporaryFolder const with_schedule;
    auto const folder = folder_for(options, temporary, terminal);
    if (!folder) return folder.error();
    if (with_schedule.path().empty()) {
        complain(terminal, with_schedule.error(), ErrorKind::file);
        return output_failed;
    }
    std::string const schedule_file = with_schedule.path() / "schedule";
    if (ExitCode const code = replace_or_complain(schedule_file, schedule->text(), terminal); code != holds)
        return code;

    if (!predicted->refusing.empty())
        tell(terminal, fmt::format("in this run {}",
                                   record::waiting_in_words(program, predicted->refusing, word_for_rank(options.api))));
    record::LaunchResult const result = run_in(*folder, options, *recorder, schedule_file, terminal);
    auto const run = read_run(*folder, options, result, terminal, record::Threads::one_only);
    if (!run) return run.error();
    if (is_file(options.output)) {
        if (ExitCode const code = write_run(*run, options, was_ended(result), holds, terminal);
            code != holds && code != unknown)
            return code;
    } else {
        tell_gaps(*run, terminal);
    }
    return tell_comparison(**prepared, t, *predicted, *schedule, result, *run, terminal);
}

} // namespace matchpoint::cli
