#include "record/still_running.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/confirmed.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::record {

namespace {

/// The threads that could go on, whatever that takes.
class GoingOn {
public:
    explicit GoingOn(IndexedProgram const& code)
        : code_(code), goes_on_(code.ctp().threads.size()), owners_(code.endpoints().size(), nobody) {
        for (std::uint32_t i = 0; i < code.ctp().commands.size(); ++i) {
            grammar::Command const& command = code.command_at({i});
            if (grammar::Sndi const* const send = as_sndi(command)) owners_[send->alpha.index] = code.thread_of({i});
            if (grammar::Rcvi const* const receive = as_rcvi(command))
                owners_[receive->beta.index] = code.thread_of({i});
        }
    }

    void add(std::uint32_t thread) { goes_on_[thread] = true; }
    bool has(std::uint32_t thread) const { return goes_on_[thread]; }

    /// Whether one of them could do what a thread waits for.
    bool could_help(Blocked::Halted const& h) const {
        if (!h.barrier.is_none()) {
            auto const meeting = code_.meeting_at(h.at);
            return std::any_of(meeting.begin(), meeting.end(),
                               [&](Location rho) { return goes_on_[code_.thread_of(rho)]; });
        }
        if (h.waits.is_none()) return true;
        grammar::Rcvi const* const receive = code_.as_rcvi(h.waits);
        if (receive == nullptr) return could_be(code_[code_.channel_of(h.waits)].beta);
        grammar::Selectors const* const selectors = grammar::selectors_of(code_.ctp(), *receive);
        if (selectors == nullptr || !selectors->from) return true;
        return std::any_of(selectors->from->begin(), selectors->from->end(),
                           [&](Endpoint alpha) { return could_be(alpha); });
    }

private:
    static constexpr std::uint32_t nobody = UINT32_MAX;

    /// Whether the endpoint can be one of theirs. An endpoint that no command uses may be anyone's.
    bool could_be(Endpoint e) const { return owners_[e.index] == nobody || goes_on_[owners_[e.index]]; }

    IndexedProgram const& code_;
    std::vector<bool> goes_on_;
    std::vector<std::uint32_t> owners_; // endpoint -> the thread that uses it
};

bool could_all_go_on(Blocked const& blocked, IndexedProgram const& code, StillRunning const& running) {
    auto const waits = [&](std::uint32_t thread) {
        return std::any_of(blocked.threads.begin(), blocked.threads.end(),
                           [&](Blocked::Halted const& h) { return h.thread == thread; });
    };
    GoingOn going_on(code);
    bool is_larger = false;
    for (std::uint32_t const thread : running.threads) {
        if (thread >= code.ctp().threads.size() || waits(thread)) continue;
        going_on.add(thread);
        is_larger = true;
    }
    while (is_larger) {
        is_larger = false;
        for (Blocked::Halted const& h : blocked.threads) {
            if (going_on.has(h.thread) || !going_on.could_help(h)) continue;
            going_on.add(h.thread);
            is_larger = true;
        }
    }
    return std::all_of(blocked.threads.begin(), blocked.threads.end(),
                       [&](Blocked::Halted const& h) { return going_on.has(h.thread); });
}

} // namespace

std::string StillRunning::in_words() const {
    constexpr std::size_t most = 5;
    if (empty()) return {};
    std::size_t const shown = std::min(most, threads.size());
    std::string const more = threads.size() > most ? fmt::format(" and {} more", threads.size() - most) : "";
    return fmt::format("{}{} {}{} {} still running", word, threads.size() == 1 ? "" : "s",
                       fmt::join(threads.begin(), threads.begin() + static_cast<std::ptrdiff_t>(shown), ", "), more,
                       threads.size() == 1 ? "was" : "were");
}

std::string StillRunning::why_open() const {
    return fmt::format("{} when the recorded run was ended: what {} would have done next is not recorded", in_words(),
                       threads.size() == 1 ? "it" : "they");
}

void end_openly(Blocked& blocked, IndexedProgram const& code, StillRunning const& running) {
    if (running.empty() || blocked.kind != Blocked::Kind::deadlock) return;
    if (could_all_go_on(blocked, code, running)) blocked.kind = Blocked::Kind::ended;
}

bool ends_openly(IndexedProgram const& code, Buffering buffering, State const& state, StillRunning const& running) {
    if (running.empty()) return false;
    auto blocked = blocked_behind_deliveries(code, buffering, state);
    if (!blocked) return false;
    end_openly(*blocked, code, running);
    return blocked->kind == Blocked::Kind::ended;
}

bool ends_openly(Machine& machine, Schedule const& schedule, StillRunning const& running) {
    if (!check::follow(machine, schedule, schedule.size())) return false;
    for (Channel const c : schedule.trailing()) static_cast<void>(machine.apply(Deliver{c}));
    return ends_openly(machine.code(), machine.buffering(), machine.state(), running);
}

void end_openly(check::CheckResult& result, IndexedProgram const& code, Buffering buffering,
                StillRunning const& running) {
    if (running.empty() || result.deadlock.answer != check::Reached::Answer::yes) return;
    Machine machine(code, buffering);
    if (!ends_openly(machine, result.deadlock.schedule, running)) return;
    result.deadlock = {};
    result.deadlock.why_unknown = running.why_open();
    if (result.verdict != check::Verdict::vacuous) return;
    result.verdict = check::Verdict::unknown;
    result.run.reset();
    result.engine.clear();
}

} // namespace matchpoint::record
