#include "record/cut_short.hpp"

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
        : code_(code), goes_on_(code.ctp().threads.size()), owners_(explain::owners_of(code)) {}

    void add(std::uint32_t thread) { goes_on_[thread] = true; }
    bool has(std::uint32_t thread) const { return goes_on_[thread]; }

    /// Whether one of them could do what a thread waits for.
    bool could_help(Blocked::Halted const& h) const {
        if (!h.barrier.is_none()) {
            auto const meeting = code_.meeting_at(h.at);
            return std::any_of(meeting.begin(), meeting.end(),
                               [&](Location rho) { return goes_on_[code_.thread_of(rho)]; });
        }
        if (!h.call.is_none()) {
            auto const members = code_.collectives()->members(h.call);
            return std::any_of(members.begin(), members.end(), [&](auto const& m) { return goes_on_[m.thread]; });
        }
        if (h.waits.is_none()) return true;
        grammar::Rcvi const* const receive = code_.as_rcvi(h.waits);
        grammar::Probe const* const probe = code_.as_probe(h.waits);
        if (receive == nullptr && probe == nullptr) return could_be(code_[code_.channel_of(h.waits)].beta);
        grammar::Selectors const* const selectors = receive != nullptr ? grammar::selectors_of(code_.ctp(), *receive)
                                                                       : grammar::selectors_of(code_.ctp(), *probe);
        if (selectors == nullptr || !selectors->from) return true;
        return std::any_of(selectors->from->begin(), selectors->from->end(),
                           [&](Endpoint alpha) { return could_be(alpha); });
    }

private:
    /// Whether the endpoint can be one of theirs. An endpoint that no command uses may be anyone's.
    bool could_be(Endpoint e) const { return !owners_[e.index] || goes_on_[*owners_[e.index]]; }

    IndexedProgram const& code_;
    std::vector<bool> goes_on_;
    std::vector<std::optional<std::uint32_t>> owners_;
};

bool could_all_go_on(Blocked const& blocked, IndexedProgram const& code, CutShort const& cut) {
    auto const waits = [&](std::uint32_t thread) {
        return std::any_of(blocked.threads.begin(), blocked.threads.end(),
                           [&](Blocked::Halted const& h) { return h.thread == thread; });
    };
    GoingOn going_on(code);
    bool is_larger = false;
    for (auto const* const threads : {&cut.running, &cut.dead, &cut.blocked})
        for (std::uint32_t const thread : *threads) {
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

/// "rank 2", "ranks 0, 1"
std::string named(std::string_view word, std::vector<std::uint32_t> const& threads) {
    constexpr std::size_t most = 5;
    auto const end = threads.begin() + static_cast<std::ptrdiff_t>(std::min(most, threads.size()));
    std::string const more = threads.size() > most ? fmt::format(" and {} more", threads.size() - most) : "";
    return fmt::format("{}{} {}{}", word, threads.size() == 1 ? "" : "s", fmt::join(threads.begin(), end, ", "), more);
}

} // namespace

std::string CutShort::in_words() const {
    std::vector<std::string> parts;
    auto const add = [&](std::vector<std::uint32_t> const& threads, std::string_view how) {
        if (!threads.empty())
            parts.push_back(fmt::format("{} {} {}", named(word, threads), threads.size() == 1 ? "was" : "were", how));
    };
    add(running, "still running");
    if (running.empty() && dead.empty()) add(blocked, "blocked");
    if (!dead.empty()) parts.push_back(fmt::format("{} ended before {}", named(word, dead), end()));
    return fmt::format("{}", fmt::join(parts, ", and "));
}

std::string CutShort::of(std::uint32_t thread) const {
    auto const has = [&](std::vector<std::uint32_t> const& threads) {
        return std::find(threads.begin(), threads.end(), thread) != threads.end();
    };
    if (has(running)) return "was still running when the recording ended";
    if (has(blocked)) return "was blocked when the recording ended";
    return has(dead) ? fmt::format("ended before {}", end()) : "";
}

std::string CutShort::why_open() const {
    std::size_t const others = running.size() + dead.size();
    std::string_view const when = !dead.empty()             ? ""
                                  : others == 0 && is_stuck ? " when the recorded run deadlocked"
                                                            : " when the recorded run was ended";
    return fmt::format("{}{}: what {} would have done next is not recorded", in_words(), when,
                       (others == 0 ? blocked.size() : others) == 1 ? "it" : "they");
}

void end_openly(Blocked& blocked, IndexedProgram const& code, CutShort const& cut) {
    if (cut.empty() || blocked.kind != Blocked::Kind::deadlock) return;
    if (could_all_go_on(blocked, code, cut)) blocked.kind = Blocked::Kind::ended;
}

bool ends_openly(IndexedProgram const& code, Buffering buffering, State const& state, CutShort const& cut) {
    if (cut.empty()) return false;
    auto blocked = blocked_behind_deliveries(code, buffering, state);
    if (!blocked) return false;
    end_openly(*blocked, code, cut);
    return blocked->kind == Blocked::Kind::ended;
}

bool ends_openly(Machine& machine, Schedule const& schedule, Buffering at_end, CutShort const& cut) {
    if (!check::follow(machine, schedule, schedule.size())) return false;
    for (Channel const c : schedule.trailing()) static_cast<void>(machine.apply(Deliver{c}));
    return ends_openly(machine.code(), at_end, machine.state(), cut);
}

void end_openly(check::CheckResult& result, IndexedProgram const& code, Buffering buffering, CutShort const& cut) {
    if (cut.empty()) return;
    bool const rests_on_deadlock = result.deadlock.answer != check::Reached::Answer::no;
    if (result.deadlock.answer == check::Reached::Answer::yes) {
        // No match is possible in a state in which sends refuse, so under zero buffering the same threads are stuck
        // there.
        Buffering const at_end = result.deadlock.refusing.empty() ? buffering : Buffering::zero;
        Machine machine(code, buffering);
        if (!ends_openly(machine, result.deadlock.schedule, at_end, cut)) return;
    }
    result.deadlock = {};
    result.deadlock.why_unknown = cut.why_open();
    if (result.verdict != check::Verdict::vacuous || !rests_on_deadlock) return;
    result.verdict = check::Verdict::unknown;
    result.run.reset();
    result.engine.clear();
}

} // namespace matchpoint::record
