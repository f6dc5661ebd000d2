#include "check/question.hpp"

#include <algorithm>

#include "executions/explorer.hpp"
#include "matching/reach.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::check {

using Clock = std::chrono::steady_clock;

Question::Question(MessageIndex const& messages, CheckOptions const& options, State const* from)
    : messages_(messages), options_(options), from_(from), delivered_(messages),
      runs_(options.model == nullptr && messages.code().is_plain() && all_can_complete(messages, options.buffering)
                ? Runs::complete
                : options.runs),
      can_fault_(messages.may_fault()), has_assumptions_(has_assumptions(messages.code().ctp())),
      all_finish_(messages.code().is_plain() && matching::all_finish(messages, reach(messages, options.buffering))) {
    if (options.time) deadline_ = Clock::now() + *options.time;
    if (from == nullptr) return;
    delivered(messages, *from, delivered_);
    is_delivered_.resize(messages.sends().size());
    for (std::uint32_t r = 0; r < delivered_.size(); ++r)
        if (delivered_[r] != unmatched) is_delivered_[delivered_[r]] = true;
}

bool Question::may_match(Pair p) const {
    if (is_delivered_.empty()) return true;
    return delivered_[p.r] == unmatched ? !is_delivered_[p.s] : delivered_[p.r] == p.s;
}

MatchPairs Question::possible_pairs() const {
    MatchPairs pairs = overapprox(messages_);
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
        std::erase_if(pairs.of[r], [&](std::uint32_t s) { return !may_match({r, s}); });
    return pairs;
}

bool Question::asks_for_leaving() const {
    return options_.leaves_path && options_.model == nullptr && from_ == nullptr;
}

bool Question::asks_for_races() const {
    return messages_.code().shares() && options_.model == nullptr && from_ == nullptr;
}

std::uint64_t Question::few_samples() const {
    if (options_.samples == 0) return 0;
    return std::clamp<std::uint64_t>(20'000'000 / (messages_.code().ctp().commands.size() + 1), 1, options_.samples);
}

std::uint64_t Question::few_steps() const {
    return std::clamp<std::uint64_t>(2'000'000 / (messages_.code().ctp().commands.size() + 1), 1000, 300'000);
}

std::optional<std::chrono::milliseconds> Question::time_left() const {
    if (!deadline_) return std::nullopt;
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
    return std::max(left, std::chrono::milliseconds(0));
}

bool Question::out_of_time(std::chrono::nanoseconds reserve) const {
    return is_cancelled() || (deadline_ && *time_left() <= reserve);
}

bool Question::is_cancelled() const { return options_.cancelled && options_.cancelled(); }

Watch Question::watch() const {
    return Watch(is_limited() ? [this] { return out_of_time(); } : std::function<bool()>());
}

Outcome Question::replay(Schedule const& schedule, Extent extent) const {
    Machine machine(messages_.code(), options_.buffering);
    return run(machine, schedule, extent);
}

} // namespace matchpoint::check
