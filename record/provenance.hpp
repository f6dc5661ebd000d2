// Where a program came from, as the comment that its file begins with says. `mpi record`, `mpi verify` and `check -o`
// write these lines:
//
//   ; A recorded run of: mpirun -n 4 ./mw
//   ; 4 ranks; Open MPI
//   ; This run failed: exit code 134
//   ; It said: mw.c:23: main: Assertion `result[1] == 100' failed.
//   ; This run deadlocked.
//   ; This run was ended: the time limit of 5 s was reached
//   ; rank 2 had not come to MPI_Finalize; its last recorded call is at mw.c:12
//   ; rank 1 ended before MPI_Finalize
//   ; Thread 4 is one of rank 0, and calls MPI first at mw.c:31
//   ; Threads 5 to 8 are of rank 0, and call MPI first at mw.c:40
//   ; trace 2, infinite buffering: leads to a deadlock
//   ; trace 3, any buffering, refusing S0_1 S1_0: leads to a deadlock
//
// `check -o` writes what it predicts, and what came of the recorded run:
//
//   ; From a recorded run of: mpirun -n 4 ./mw
//   ; That run failed: exit code 134
//
//   Provenance const from = provenance_of(source.text());
//   if (from.is_recorded()) std::cout << *from.command << '\n';
//
// A trace without such a line is run by the paper's rule, by which it must not stop early.
//
//   TraceEnding const end = trace_endings(source.text(), traces)[0];
//   machine::run(machine, 0, end.extent());
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/blocked.hpp"
#include "record/cut_short.hpp"

namespace matchpoint::record {

struct Provenance;

/// The lines, for those who write them. What follows is on the same line, unless the line is a sentence.
namespace provenance {

inline constexpr std::string_view recorded = "A recorded run of: ";       // of `record`; `verify`: "Run 3 of: "
inline constexpr std::string_view merged = "A recorded run.";             // of `merge`, which knows no command
inline constexpr std::string_view predicted = "From a recorded run of: "; // of `check -o`
inline constexpr std::string_view failed = "This run failed: ";           // what failed is no command of the program
inline constexpr std::string_view run_failed = "That run failed: ";       // the recorded one; no trace is that run
inline constexpr std::string_view said = "It said: ";                     // the last line, or an error of MPI
inline constexpr std::string_view deadlocked = "This run deadlocked.";    // the trace ends where ranks got stuck
inline constexpr std::string_view ended = "This run was ended: ";         // by us; it could have gone on
inline constexpr std::string_view run_ended = "That run was ended: ";
// After a rank: it was still running, or it died.
inline constexpr std::string_view not_at_end = " had not come to ";
inline constexpr std::string_view ended_before = " ended before ";
inline constexpr std::string_view aborted = " called MPI_Abort with code ";
/// Messages carry numbers as they were in one run. Where what is sent depends on what was received, or which way the
/// program goes, the program does not say so.
inline constexpr std::string_view concrete_values = "Values are those of this run.";
/// Ranks of the run have several threads that call MPI.
inline constexpr std::string_view free_threads =
    "What orders the threads of a rank beside their creation and pthread_join is not recorded.";
/// Below what is predicted from such a program.
inline constexpr std::string_view possible_if =
    "possible: of what orders the threads of a rank, their creation and pthread_join are recorded, and locks are not";
/// Below what is predicted from a program with values of one run.
inline constexpr std::string_view holds_if =
    "values are those of the recorded run: this holds if what is sent, and which way the program goes, do not depend "
    "on what was received. `matchpoint mpi replay` shows whether it happens";
inline constexpr std::string_view holds_if_not_replayed = holds_if.substr(0, holds_if.find(". `"));

// How a trace ends.
inline constexpr std::string_view to_deadlock = "leads to a deadlock";
inline constexpr std::string_view to_fault = "leads to a fault";
inline constexpr std::string_view off_path = "leaves the path";
inline constexpr std::string_view on_path_only = ", as far as it is on the path"; // after a status
inline constexpr std::string_view so_far = " so far";                             // after a status

/// "trace 1, zero buffering: leads to a deadlock". If sends refuse, which are given by name: "trace 1, any buffering,
/// refusing S0_1 S1_0: leads to a deadlock", of a trace of infinite buffering after which the waits for these sends do
/// not return (docs/semantics.md, "Buffering").
std::string words(std::size_t trace, Buffering buffering, std::string_view end,
                  std::vector<std::string> const& refusing = {});
/// The same as a line of a comment, with its end.
std::string line(std::size_t trace, Buffering buffering, std::string_view end,
                 std::vector<std::string> const& refusing = {});
/// The comment above traces that are predicted from a program: what was recorded, and what came of that run. Empty if
/// the program is no recording.
std::string head_of_predictions(Provenance const& from);
/// The text of a program with one more line of line() at the end of its first comment.
std::string with_line(std::string_view text, std::string_view line);

} // namespace provenance

/// How a trace of a file ends.
struct TraceEnding {
    bool stops_early = false;
    bool leaves_path = false;           // as `check -o` says, which does not count this as wrong
    bool leads_to_fault = false;        // as `check -o` says, which counts a failure as worse
    std::optional<Buffering> buffering; // none if the comment does not say
    /// The sends and collectives that refuse to return in the deadlock that it leads to, by name. The trace is one of
    /// infinite buffering.
    std::vector<std::string> refusing;
    std::string failed; // how the recorded run failed as such, "exit code 134"; empty if it did not
    std::string ended;  // why we ended the recorded run, "it was interrupted"; empty if we did not
    CutShort cut_short; // by the recorded run, whether or not this trace is that run

    /// What the trace runs with. `asked` is what the user asked for, if anything.
    Buffering buffering_if(std::optional<Buffering> asked) const {
        return asked.value_or(buffering.value_or(Buffering::infinite));
    }
    Extent extent() const { return stops_early ? Extent::prefix : Extent::complete; }
    /// How the recorded run ended, to be printed: "failed: exit code 134; rank 1 ended before MPI_Finalize",
    /// "was ended: it was interrupted; rank 2 was still running". Empty if it did neither.
    std::string in_words() const;
    /// "exit code 134; rank 1 ended before MPI_Finalize"
    std::string how_failed() const;
    /// ", if the library does not buffer S0_1 at 03 and S1_0 at 13": after a deadlock. Empty if no call refuses.
    std::string if_refused(IndexedProgram const& code) const;
    /// Why a trace ends where others could have gone on: "it was interrupted; rank 2 was still running"; "the recording
    /// ends here; rank 2 was still running" if it is not the recorded run.
    std::string why_ended() const;
};

/// Views into the text that it was read from.
struct Provenance {
    std::optional<std::string_view> command; // that was run; none if the program was not recorded
    std::string_view thread;                 // what its threads are called: "rank", or "thread" of MCAPI, and of MPI
                                             // if ranks have several
    std::optional<std::string_view> failed;  // "exit code 134"
    std::optional<std::string_view> said;    // "mw.c:23: main: Assertion `x == 1' failed.", "MPI_ERR_RANK: ..."
    std::optional<std::string_view> ended;   // "the time limit of 5 s was reached"
    CutShort cut_short;                      // when it was ended, or failed
    bool deadlocked = false;
    bool concrete_values = false;
    bool has_free_threads = false; // ranks have several threads
    bool is_predicted = false;     // its traces are predictions, and none is the recorded run
    bool is_of_mpi = false;        // also if the command is not known

    bool is_recorded() const { return command.has_value(); }
    /// Whether an error of MPI ended the run.
    bool says_error() const { return failed && said && said->starts_with("MPI_ERR"); }
    /// How it failed, to be printed: "exit code 134", "exit code 15: MPI_ERR_TRUNCATE: message truncated at heat.c:14,
    /// in MPI_Recv of rank 0". Empty if it did not.
    std::string how_failed() const;
};
Provenance provenance_of(std::string_view text);

/// "the recorded run failed: exit code 134. No command of the program says why, and the verdict is not about it": below
/// a verdict about a recording whose run failed, or was ended by us. Empty if it did neither. If the verdict is unknown
/// (`has_verdict` is false), nothing is said of it.
std::string end_in_words(Provenance const& from, bool has_verdict = true);

/// What keeps anyone from saying that no run of a recorded program fails, in sentences without a full stop at the end:
/// assertions that were only evaluated (check/scope.hpp), and how the run ended. Empty if nothing does.
std::string not_known(IndexedProgram const& code, std::string_view text, bool has_verdict = true);

/// One for each trace of a file.
std::vector<TraceEnding> trace_endings(std::string_view text, std::size_t traces);

/// Where a trace that stopped early got stuck; none if it did not, or if that takes too long to tell. Its kind is
/// `ended` if the threads that were cut short could end every wait.
std::optional<Blocked> deadlock_behind(Machine const& machine, CutShort const& cut = {});
/// The same of a trace of a file, in which sends may refuse.
std::optional<Blocked> deadlock_behind(Machine const& machine, TraceEnding const& end);

/// What a thread that has no command left has come to: "is finished"; "was still running when the recording ended" if
/// the recording of the thread ends there.
std::string end_of_thread(IndexedProgram const& code, Provenance const& from, std::uint32_t thread);
/// The same without a subject: "finished".
std::string short_end_of_thread(IndexedProgram const& code, Provenance const& from, std::uint32_t thread);

/// How a run ended, where the status of the machine does not say it: a line, then a line for each thread that waits.
/// Empty if the status says it. The machine has run the trace.
std::vector<std::string> end_in_words(Machine const& machine, TraceEnding const& end);

} // namespace matchpoint::record
