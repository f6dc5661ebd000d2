#include "report/replay.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "explain/collective_words.hpp"
#include "explain/message_words.hpp"
#include "explain/words.hpp"
#include "grammar/print.hpp"
#include "machine/refusing_calls.hpp"
#include "report/diagram.hpp"

namespace matchpoint::report {

Replay::Replay(IndexedProgram const& code, Buffering buffering, Schedule const& schedule, Extent extent)
    : machine_(code, buffering), findings_(code) {
    machine_.observe(findings_);
    machine_.keep_history();
    outcome_ = run(machine_, schedule, extent);
    trailing_.assign(schedule.trailing().begin(), schedule.trailing().end());
}

void Replay::go_to_end() {
    if (outcome_.error) machine_.back();
    outcome_.error.reset();
    for (; delivered_ < trailing_.size(); ++delivered_)
        static_cast<void>(machine_.apply(Deliver{trailing_[delivered_]}));
}

std::optional<explain::Blocked> Replay::blocked() {
    go_to_end();
    return explain::blocked_behind_deliveries(code(), machine_.buffering(), state());
}

std::vector<Replay::Halt> Replay::halts(std::span<Action const> refusing) {
    go_to_end();
    auto const refuses = [&](Action a) { return std::find(refusing.begin(), refusing.end(), a) != refusing.end(); };
    auto const why_refusing = [&](Action a) {
        if (code().as_collective(a) != nullptr) return explain::may_wait(code(), state(), code().issued_at(a));
        return explain::may_wait(code(), a, code().has_probes() ? state().saw[a.index] : Action{});
    };
    std::vector<Halt> result;
    auto const& threads = code().ctp().threads;
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
        Location const rho{state().ctp[t]};
        if (rho.index == threads[t].last) continue;
        if (Action const a = awaited_at(code(), rho); !a.is_none() && refuses(a)) {
            result.push_back({Halt::Kind::waits, t, rho, why_refusing(a)});
            continue;
        }
        if (can_see_some(state(), code(), rho)) continue; // it can go on
        Machine::Preview const next = machine_.preview(Execute{rho});
        Command const& command = code().command_at(rho);
        if (next.stuck) {
            bool const waits =
                is_wait(command) && !std::holds_alternative<machine::reason::Mismatch>(next.stuck->reason);
            result.push_back(
                {waits ? Halt::Kind::waits : Halt::Kind::fault, t, rho, in_words(code(), state(), next.stuck->reason)});
        } else if (next.s == Status::infeasible && state().s != Status::infeasible) {
            result.push_back({Halt::Kind::leaves_path, t, rho,
                              in_words(code(), bindings(code(), state(), *expression_of(command), 100))});
        }
    }
    return result;
}

std::vector<std::string> Replay::stuck_threads(std::span<Action const> refusing) {
    std::vector<std::string> result;
    for (Halt const& halt : halts(refusing))
        if (halt.kind != Halt::Kind::leaves_path)
            result.push_back(fmt::format("{} at {} {}: {}", shown_thread(code(), halt.thread), shown(code(), halt.at),
                                         shown(code(), code().command_at(halt.at)), halt.why));
    return result;
}

std::string shown(IndexedProgram const& code, Replay::Halt const& halt) {
    auto const does = [&] {
        switch (halt.kind) {
        case Replay::Halt::Kind::waits: return "is stuck";
        case Replay::Halt::Kind::leaves_path: return "leaves the path";
        case Replay::Halt::Kind::fault: break;
        }
        return "has a fault";
    };
    return fmt::format("{} {} at {} {}{}{}", shown_thread(code, halt.thread), does(), shown(code, halt.at),
                       shown(code, code.command_at(halt.at)), halt.why.empty() ? "" : ": ", halt.why);
}

std::string shown(IndexedProgram const& code, Finding const& finding, Paint const& paint) {
    bool const is_assertion = finding.kind == Finding::Kind::assertion;
    std::string const what = is_assertion ? paint(Style::bad, "assertion") : paint(Style::broken, "assumption");
    std::string const values = in_words(code, finding.values);
    return fmt::format("{} at {}, entry {}, does not hold: {}{}{}", what, shown(code, finding.rho), finding.entry,
                       shown(code, code.command_at(finding.rho)), values.empty() ? "" : " with ", values);
}

std::string shown_findings(IndexedProgram const& code, Findings const& findings, Paint const& paint) {
    std::string text;
    auto const add = [&](std::vector<Finding> const& kept, std::size_t count) {
        for (Finding const& f : kept) text += fmt::format("  {}\n", shown(code, f, paint));
        if (kept.size() < count) text += fmt::format("  ... and {} more\n", count - kept.size());
    };
    // What decides the status first: an assumption outranks the assertions.
    add(findings.assumptions(), findings.assumption_count());
    add(findings.assertions(), findings.assertion_count());
    return text;
}

std::string shown_fault(IndexedProgram const& code, State const& state, RunError const& fault) {
    return fmt::format("{} {}: {}", shown(code, *fault.rho), shown(code, code.command_at(*fault.rho)),
                       in_words(code, state, fault.stuck.reason));
}

std::string shown_trace(IndexedProgram const& code, Schedule const& schedule) {
    Trace const trace = schedule.trace(code);
    std::string text = "(";
    for (std::size_t i = 0; i < trace.entries.size(); ++i) text += " " + print(code.program(), trace, i);
    return text + " )";
}

std::string wrapped_trace(IndexedProgram const& code, Schedule const& schedule, std::string_view head) {
    constexpr std::size_t width = 80;
    std::string const indent(std::min(head.find_first_not_of(' '), head.size()) + 2, ' ');
    Trace const trace = schedule.trace(code);
    std::string text = std::string(head) + "(";
    std::size_t column = text.size();
    for (std::size_t i = 0; i < trace.entries.size(); ++i) {
        std::string entry = printable(print(code.program(), trace, i), std::string::npos);
        if (i + 1 == trace.entries.size()) entry += " )";
        std::size_t const length = count_code_points(entry);
        bool const fits = column + 1 + length <= width;
        text += fits ? " " : "\n" + indent;
        column = (fits ? column + 1 : indent.size()) + length;
        text += entry;
    }
    return text + (trace.entries.empty() ? " )\n" : "\n");
}

} // namespace matchpoint::report
