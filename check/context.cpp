#include "check/context.hpp"

#include <algorithm>
#include <stdexcept>

#include "executions/explorer.hpp"
#include "matching/reach.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::check {

using Clock = std::chrono::steady_clock;

Context::Context(MessageIndex const& messages, CheckOptions const& options, State const* from)
    : messages_(messages), options_(options), from_(from), delivered_(messages),
      runs_(options.model == nullptr && messages.code().is_plain() && all_can_complete(messages, options.buffering)
                ? Runs::complete
                : options.runs),
      can_fault_(may_divide_by_zero(messages.code().ctp())), has_assumptions_(has_assumptions(messages.code().ctp())),
      all_finish_(messages.code().is_plain() && matching::all_finish(messages, reach(messages, options.buffering))) {
    if (options.time) deadline_ = Clock::now() + *options.time;
    if (!can_fault_) result.fault.answer = Reached::Answer::no;
    if (from == nullptr) return;
    delivered(messages, *from, delivered_);
    is_delivered_.resize(messages.sends().size());
    for (std::uint32_t r = 0; r < delivered_.size(); ++r)
        if (delivered_[r] != unmatched) is_delivered_[delivered_[r]] = true;
}

bool Context::may_match(Pair p) const {
    if (is_delivered_.empty()) return true;
    return delivered_[p.r] == unmatched ? !is_delivered_[p.s] : delivered_[p.r] == p.s;
}

MatchPairs Context::possible_pairs() const {
    MatchPairs pairs = overapprox(messages_);
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
        std::erase_if(pairs.of[r], [&](std::uint32_t s) { return !may_match({r, s}); });
    return pairs;
}

std::uint64_t Context::few_samples() const {
    if (options_.samples == 0) return 0;
    return std::clamp<std::uint64_t>(20'000'000 / (messages_.code().ctp().commands.size() + 1), 1, options_.samples);
}

std::uint64_t Context::few_steps() const {
    return std::clamp<std::uint64_t>(2'000'000 / (messages_.code().ctp().commands.size() + 1), 1000, 300'000);
}

std::optional<std::chrono::milliseconds> Context::time_left() const {
    if (!deadline_) return std::nullopt;
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
    return std::max(left, std::chrono::milliseconds(0));
}

bool Context::out_of_time(std::chrono::nanoseconds reserve) const {
    return is_cancelled() || (deadline_ && *time_left() <= reserve);
}

bool Context::is_cancelled() const { return options_.cancelled && options_.cancelled(); }

bool Context::is_extendable() {
    if (!extendable_)
        extendable_ = !can_fault_ && (all_finish_ || (options_.buffering == Buffering::zero && never_gets_stuck()));
    return *extendable_;
}

bool Context::never_gets_stuck() {
    Explorer::Options options;
    options.buffering = options_.buffering;
    options.control_only = true;
    options.stop = [this] { return out_of_time(); };
    Explorer explorer(messages_, options);
    std::uint64_t const most = std::min(few_steps(), options_.steps);
    while (auto const end = explorer.next(most - std::min(most, explorer.steps())))
        if (*end == End::deadlock) break;
    result.steps += explorer.steps();
    result.executions += explorer.counts().executions;
    if (explorer.done()) result.deadlock.answer = Reached::Answer::no;
    return explorer.done();
}

Watch Context::watch() {
    return Watch(is_limited() ? [this] { return out_of_time(); } : std::function<bool()>());
}

void Context::record(Scheduler const& execution, End end) {
    if (end == End::deadlock) record(result.deadlock, execution);
    if (end == End::fault) record(result.fault, execution);
    Status const s =
        end == End::off_path && execution.state().s == Status::success ? Status::infeasible : execution.state().s;
    bool const has_status = end == End::complete || (is_on_path() && s != Status::success);
    if (!has_status) return;
    auto& kept = s == Status::success ? success : s == Status::failure ? failure : infeasible;
    if (!kept) kept = run_of(execution, end);
}

Run Context::run_of(Scheduler const& execution, End end) const {
    Run run{Matching(messages_), execution.schedule(), execution.state().s,
            end == End::complete ? Extent::complete : Extent::prefix};
    execution.matching(run.matching);
    if (end != End::off_path || run.s != Status::success) return run;
    run.s = Status::infeasible;
    for (Location const rho : execution.halts()) run.schedule.step(rho);
    return run;
}

void Context::record(Reached& reached, Scheduler const& execution) const {
    if (reached.answer == Reached::Answer::yes) return;
    reached.answer = Reached::Answer::yes;
    reached.schedule = execution.schedule();
    reached.fault = execution.fault();
    if (execution.runs() == Runs::executions && reached.fault) reached.schedule.step(*reached.fault->rho);
}

Outcome Context::replay(Schedule const& schedule, Extent extent) const {
    Machine machine(messages_.code(), options_.buffering);
    return run(machine, schedule, extent);
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
        if (replay(failure->schedule, failure->extent).s != Status::failure)
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

bool Context::is_settled() const { return has_verdict() && (!options_.stops || knows_stops()); }

bool Context::knows_stops() const {
    return result.deadlock.answer != Reached::Answer::unknown && result.fault.answer != Reached::Answer::unknown;
}

} // namespace matchpoint::check
