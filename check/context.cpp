#include "check/context.hpp"

#include <algorithm>
#include <stdexcept>

namespace matchpoint::check {

using Clock = std::chrono::steady_clock;

Context::Context(MessageIndex const& messages, CheckOptions const& options)
    : messages_(messages), options_(options), can_fault_(may_divide_by_zero(messages.code().ctp())) {
    if (options.time) deadline_ = Clock::now() + *options.time;
    if (!can_fault_) result.fault.answer = Reached::Answer::no;
}

std::uint64_t Context::few_steps() const {
    return std::clamp<std::uint64_t>(2'000'000 / (messages_.code().ctp().commands.size() + 1), 1000, 300'000);
}

std::optional<std::chrono::milliseconds> Context::time_left() const {
    if (!deadline_) return std::nullopt;
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
    return std::max(left, std::chrono::milliseconds(0));
}

bool Context::out_of_time() const { return deadline_ && time_left()->count() == 0; }

void Context::record(Scheduler const& execution, End end) {
    switch (end) {
    case End::complete: {
        Status const s = execution.state().s;
        auto& kept = s == Status::success ? success : s == Status::failure ? failure : infeasible;
        if (kept) return;
        kept.emplace(Run{Matching(messages_), execution.schedule(), s});
        execution.matching(kept->matching);
        return;
    }
    case End::deadlock: record(result.deadlock, execution); return;
    case End::fault: record(result.fault, execution); return;
    case End::pruned: return;
    }
}

void Context::record(Reached& reached, Scheduler const& execution) {
    if (reached.answer == Reached::Answer::yes) return;
    reached.answer = Reached::Answer::yes;
    reached.schedule = execution.schedule();
    reached.fault = execution.fault();
}

Outcome Context::replay(Schedule const& schedule) const {
    Machine machine(messages_.code(), options_.buffering);
    return run(machine, schedule);
}

void Context::report(Trouble trouble) {
    auto const& known = result.trouble;
    if (std::find(known.begin(), known.end(), trouble) == known.end()) result.trouble.push_back(std::move(trouble));
}

void Context::conclude(Verdict v, std::string engine) {
    if (has_verdict()) return;
    result.verdict = v;
    result.engine = std::move(engine);
    switch (v) {
    case Verdict::violated:
        if (replay(failure->schedule).s != Status::failure)
            throw std::logic_error("check: a failing execution does not replay");
        result.run = failure;
        break;
    case Verdict::safe: result.run = success; break;
    case Verdict::vacuous: result.run = infeasible; break;
    case Verdict::unknown: break;
    }
}

void Context::withdraw() {
    result.verdict = Verdict::unknown;
    result.run.reset();
}

bool Context::is_settled() const {
    return has_verdict() && result.deadlock.answer != Reached::Answer::unknown &&
           result.fault.answer != Reached::Answer::unknown;
}

} // namespace matchpoint::check
