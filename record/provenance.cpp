#include "record/provenance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/numbers.hpp"
#include "base/source.hpp"
#include "base/text.hpp"
#include "check/confirmed.hpp"
#include "check/scope.hpp"
#include "explain/message_words.hpp"
#include "record/refusing.hpp"

namespace matchpoint::record {

namespace {

constexpr std::string_view begin_of_line = "trace ";
constexpr std::string_view before_end = " buffering: ";
constexpr std::string_view waits = " waits "; // after a rank of a run that got stuck; then for what, or in which call
constexpr std::string_view run_deadlocked = "That run deadlocked.";
constexpr std::string_view before_refusing = ", any buffering, refusing "; // then names, which have no blanks

bool stops_early(std::string_view end) {
    return end == provenance::to_deadlock || end == provenance::to_fault || end == provenance::off_path ||
           end.ends_with(provenance::so_far) || end.find(provenance::on_path_only) != std::string_view::npos;
}

/// The names of `S0_1 S1_0: leads to a deadlock`.
std::vector<std::string> names_in(std::string_view text) {
    text = text.substr(0, text.rfind(": "));
    std::vector<std::string> names;
    while (!text.empty()) {
        std::size_t const end = text.find(' ');
        names.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return names;
}

/// What follows the beginning of a line, if it begins so.
std::optional<std::string_view> after(std::string_view begin, std::string_view line) {
    return line.starts_with(begin) ? std::optional(line.substr(begin.size())) : std::nullopt;
}

/// The command in a line of `record`, `check -o` or `verify`, if it is one.
std::optional<std::string_view> command_in(std::string_view line) {
    if (auto const command = after(provenance::recorded, line)) return command;
    if (auto const command = after(provenance::predicted, line)) return command;
    constexpr std::string_view of = " of: ";
    std::size_t const at = line.starts_with("Run ") ? line.find(of) : std::string_view::npos;
    return at == std::string_view::npos ? std::nullopt : std::optional(line.substr(at + of.size()));
}

/// The thread whose end a line is about, after its place if that is known: "mw.c:12: rank 2 ended before ...".
std::optional<std::uint32_t> thread_before(std::string_view words, std::string_view line) {
    std::size_t const end = line.find(words);
    if (end == std::string_view::npos || line.starts_with(provenance::said)) return std::nullopt;
    std::string_view const subject = line.substr(0, end);
    return to_number<std::uint32_t>(subject.substr(subject.rfind(' ') + 1));
}

/// Adds the thread of a line, if the line says that it did not reach its end.
void add_cut_short(std::string_view line, CutShort& to) {
    if (auto const thread = thread_before(provenance::not_at_end, line)) to.running.push_back(*thread);
    for (std::string_view const words : {provenance::ended_before, provenance::aborted})
        if (auto const thread = thread_before(words, line)) to.dead.push_back(*thread);
}

std::string also(CutShort const& cut) { return cut.empty() ? "" : "; " + cut.in_words(); }

/// The files of `check -o` have the command only.
bool starts_ranks(std::string_view command) {
    std::string_view const launcher = command.substr(0, command.find(' '));
    std::string_view const name = launcher.substr(launcher.rfind('/') + 1);
    return name.starts_with("mpirun") || name.starts_with("mpiexec") || name == "srun";
}

} // namespace

std::string provenance::words(std::size_t trace, Buffering buffering, std::string_view end,
                              std::vector<std::string> const& refusing) {
    return refusing.empty()
               ? fmt::format("{}{}, {}{}{}", begin_of_line, trace, machine::to_string(buffering), before_end, end)
               : fmt::format("{}{}{}{}: {}", begin_of_line, trace, before_refusing, fmt::join(refusing, " "), end);
}

std::string provenance::line(std::size_t trace, Buffering buffering, std::string_view end,
                             std::vector<std::string> const& refusing) {
    return fmt::format("; {}\n", words(trace, buffering, end, refusing));
}

std::string provenance::head_of_predictions(Provenance const& from) {
    if (!from.command) return {};
    std::string text = fmt::format("; {}{}\n", predicted, printable(*from.command, 4096));
    if (from.failed) text += fmt::format("; {}{}\n", run_failed, printable(*from.failed, 200));
    if (from.ended) text += fmt::format("; {}{}\n", run_ended, printable(*from.ended, 200));
    if (from.deadlocked) text += fmt::format("; {}\n", run_deadlocked);
    if (from.has_free_threads) text += fmt::format("; {}\n", free_threads);
    auto const add = [&](std::vector<std::uint32_t> const& threads, std::string_view how, std::string_view what) {
        for (std::uint32_t const thread : threads) text += fmt::format("; {} {}{}{}\n", from.thread, thread, how, what);
    };
    add(from.cut_short.running, not_at_end, from.cut_short.end());
    add(from.cut_short.dead, ended_before, from.cut_short.end());
    add(from.cut_short.blocked, waits, "in a call of that run");
    return text;
}

std::string provenance::with_line(std::string_view text, std::string_view line) {
    std::vector<std::string_view> const comment = first_comment(text);
    std::size_t at = byte_order_mark_size(text);
    if (!comment.empty()) {
        std::string_view const last = comment.back();
        at = static_cast<std::size_t>(last.data() + last.size() - text.data()) + 1; // after the end of the line
    }
    std::string result(text);
    return result.insert(at, line);
}

Provenance provenance_of(std::string_view text) {
    Provenance result;
    bool says_mcapi = false;
    bool says_ranks = false;
    bool is_without_command = false;
    bool has_deadlocked = false;
    std::vector<std::uint32_t> waiting; // when the run got stuck, or was ended
    for (std::string_view const line : first_comment(text)) {
        if (!result.command) result.command = command_in(line);
        if (!result.failed) result.failed = after(provenance::failed, line);
        if (!result.failed) result.failed = after(provenance::run_failed, line);
        if (!result.said) result.said = after(provenance::said, line);
        if (!result.ended) result.ended = after(provenance::ended, line);
        if (!result.ended) result.ended = after(provenance::run_ended, line);
        add_cut_short(line, result.cut_short);
        result.is_predicted |= line.starts_with(provenance::predicted);
        result.deadlocked |= line == provenance::deadlocked;
        has_deadlocked |= line == provenance::deadlocked || line == run_deadlocked;
        if (auto const thread = thread_before(waits, line)) waiting.push_back(*thread);
        result.concrete_values |= line.ends_with(provenance::concrete_values);
        result.has_free_threads |= line == provenance::free_threads;
        is_without_command |= line == provenance::merged;
        says_mcapi |= line.ends_with("threads; MCAPI");
        says_ranks |= line.find(" ranks; ") < line.size();
    }
    result.is_of_mpi = !says_mcapi && (result.command ? says_ranks || starts_ranks(*result.command)
                                                      : is_without_command && says_ranks);
    if (result.command) result.thread = result.is_of_mpi && !result.has_free_threads ? "rank" : "thread";
    if (!result.ended && !has_deadlocked) result.cut_short.running.clear();
    // The call that a rank was in may be one that returns elsewhere: the rank would go on.
    if (has_deadlocked || result.ended) result.cut_short.blocked = std::move(waiting);
    result.cut_short.is_stuck = has_deadlocked && !result.ended;
    if (!result.ended && !result.failed) result.cut_short.dead.clear(); // that was their end
    result.cut_short.word = result.thread;
    return result;
}

std::string Provenance::how_failed() const {
    std::string text = failed ? printable(*failed, 200) : "";
    if (says_error()) text += ": " + printable(*said, 300);
    return text;
}

std::string end_in_words(Provenance const& from, bool has_verdict) {
    if (from.says_error())
        return fmt::format("the recorded run failed: {}{}{}", from.how_failed(), also(from.cut_short),
                           has_verdict ? ". The verdict is not about it" : "");
    if (from.failed)
        return fmt::format("the recorded run failed: {}{}. No command of the program says why{}", from.how_failed(),
                           also(from.cut_short), has_verdict ? ", and the verdict is not about it" : "");
    if (from.ended)
        return fmt::format("the recorded run was ended: {}{}. What it would have done next is not known",
                           printable(*from.ended, 200), also(from.cut_short));
    return {};
}

std::string not_known(IndexedProgram const& code, std::string_view text, bool has_verdict) {
    Provenance const from = provenance_of(text);
    if (!from.is_recorded()) return {};
    std::string result = check::evaluated_in_words(check::scope_of(code, true));
    append_sentence(result, end_in_words(from, has_verdict));
    if (from.deadlocked)
        append_sentence(
            result,
            fmt::format("the recorded run deadlocked: what its {}s would have done next is not known", from.thread));
    return result;
}

std::string TraceEnding::in_words() const {
    if (!failed.empty()) return "failed: " + how_failed();
    return ended.empty() ? "" : fmt::format("was ended: {}{}", printable(ended, 4096), also(cut_short));
}

std::string TraceEnding::how_failed() const { return printable(failed, 4096) + also(cut_short); }

std::string TraceEnding::why_ended() const {
    return ended.empty() ? "the recording ends here" + also(cut_short) : printable(ended, 4096) + also(cut_short);
}

std::string TraceEnding::if_refused(IndexedProgram const& code) const {
    std::vector<Action> calls;
    for (std::string const& name : refusing)
        if (auto const a = code.names().actions.find(name)) calls.push_back(Action{*a});
    return calls.empty() ? "" : fmt::format(", if the library {}", explain::refusing_in_words(code, calls));
}

std::vector<TraceEnding> trace_endings(std::string_view text, std::size_t traces) {
    std::vector<TraceEnding> endings(traces);
    Provenance const from = provenance_of(text);
    for (TraceEnding& ending : endings) ending.cut_short = from.cut_short;
    if (traces != 0 && !from.is_predicted) {
        TraceEnding& recorded = endings[0];
        if (from.failed)
            recorded.failed = from.said ? fmt::format("{}: {}", *from.failed, *from.said) : std::string(*from.failed);
        if (from.ended) recorded.ended = std::string(*from.ended);
        // What other ranks would have done in a run that failed or was ended is not recorded.
        recorded.stops_early = from.deadlocked || from.failed || from.ended;
    }
    for (std::string_view const line : first_comment(text)) {
        auto rest = after(begin_of_line, line);
        if (!rest) continue;
        std::size_t const number = take_number<std::size_t>(*rest).value_or(0);
        if (number < 1 || number > traces) continue;
        if (rest->starts_with(before_refusing)) {
            endings[number - 1].refusing = names_in(rest->substr(before_refusing.size()));
            endings[number - 1].buffering = Buffering::infinite;
            endings[number - 1].stops_early = true;
            continue;
        }
        std::size_t const end = line.find(before_end);
        if (end == std::string_view::npos) continue;
        std::string_view const words = line.substr(end + before_end.size());
        endings[number - 1].stops_early = stops_early(words);
        endings[number - 1].leaves_path = words == provenance::off_path;
        endings[number - 1].leads_to_fault = words == provenance::to_fault;
        for (Buffering const b : {Buffering::infinite, Buffering::zero})
            if (line.substr(0, end).ends_with(fmt::format(", {}", machine::to_string(b))))
                endings[number - 1].buffering = b;
    }
    return endings;
}

std::optional<Blocked> deadlock_behind(Machine const& machine, CutShort const& cut) {
    if (machine.state().s == Status::error || machine.state().finished()) return std::nullopt;
    try {
        if (!check::is_deadlock(machine)) return std::nullopt;
    } catch (LimitReached const&) {
        return std::nullopt;
    }
    auto blocked = blocked_behind_deliveries(machine.code(), machine.buffering(), machine.state());
    if (blocked) end_openly(*blocked, machine.code(), cut);
    return blocked;
}

std::optional<Blocked> deadlock_behind(Machine const& machine, TraceEnding const& end) {
    bool const is_asked = !end.refusing.empty() && machine.buffering() == Buffering::infinite;
    if (!is_asked || machine.state().s == Status::error || machine.state().finished())
        return deadlock_behind(machine, end.cut_short);
    auto blocked = blocked_by_refusals(machine.code(), machine.state());
    if (blocked) end_openly(*blocked, machine.code(), end.cut_short);
    return blocked;
}

std::string end_of_thread(IndexedProgram const& code, Provenance const& from, std::uint32_t thread) {
    std::string const cut = from.cut_short.of(thread);
    if (cut.empty()) return "is finished";
    grammar::Thread const& t = code.ctp().threads[thread];
    // Commands that the recorded run did not come to are those of another run.
    bool came_to_last = t.first == t.last || from.is_predicted || code.program().traces.empty();
    for (std::size_t i = 0; !came_to_last && i < code.program().traces.front().entries.size(); ++i)
        came_to_last = code.entry(0, i).rho.index == t.last - 1;
    return came_to_last ? cut : "is finished";
}

std::string short_end_of_thread(IndexedProgram const& code, Provenance const& from, std::uint32_t thread) {
    std::string const end = end_of_thread(code, from, thread);
    return end == "is finished" ? "finished" : end;
}

std::vector<std::string> end_in_words(Machine const& machine, TraceEnding const& end) {
    if (!end.failed.empty()) return {end.in_words()};
    if (!end.stops_early) return {};
    auto const blocked = deadlock_behind(machine, end);
    bool const is_stuck = blocked && blocked->kind != Blocked::Kind::ended;
    if (!is_stuck && (machine.state().s != Status::success || (!blocked && end.ended.empty()))) return {};
    std::string const how = end.ended.empty() ? end.why_ended() : "the run " + end.in_words();
    std::string const stuck =
        !blocked ? "" : fmt::format("{}{}", to_string(blocked->kind), end.if_refused(machine.code()));
    std::vector<std::string> lines{!is_stuck ? how : end.ended.empty() ? stuck : fmt::format("{}; {}", stuck, how)};
    if (!blocked) return lines;
    for (std::string const& line : sentences(machine.code(), *blocked)) lines.push_back(line);
    return lines;
}

} // namespace matchpoint::record
