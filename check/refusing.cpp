#include "check/refusing.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "check/confirmed.hpp"
#include "check/engines/engines.hpp"
#include "executions/refusals.hpp"
#include "lowering/lowered.hpp"
#include "matching/reach.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;

/// Whether some thread waits for a send that may refuse.
bool has_standard_wait(MessageIndex const& messages) {
    IndexedProgram const& code = messages.code();
    return std::any_of(messages.sends().begin(), messages.sends().end(), [&](MessageIndex::Send const& send) {
        return !send.wait.is_none() && code.as_sndi(send.a)->mode == Mode::standard;
    });
}

/// Whether every thread finishes by counting, whatever refuses. The argument for zero buffering (matching/reach.hpp) is
/// about a state in which no match is possible, and does not need that all sends wait: a wait at which no thread can be
/// stuck there does not refuse here either.
bool all_finish_by_counting(MessageIndex const& messages) {
    if (messages.code().is_plain()) return all_finish(messages, reach(messages, Buffering::zero));
    auto const lowered = Lowered::of(messages, Buffering::zero);
    return lowered && all_finish((*lowered)->messages(), reach((*lowered)->messages(), Buffering::zero));
}

void add_limit(CheckResult& result, std::string what) {
    result.trouble.push_back({Trouble::Kind::limit, "any buffering: " + std::move(what)});
}

/// `is_new`: there is none under infinite buffering.
void found(MessageIndex const& messages, CheckOptions const& options, Schedule schedule, bool is_new,
           CheckResult& result) {
    Machine machine(messages.code(), Buffering::infinite);
    auto refusing = refusing_at_end(machine, schedule, options.runs);
    if (!refusing) throw std::logic_error("check: no execution ends in a deadlock where a library was said to keep it");
    if (refusing->empty() && is_new)
        throw std::logic_error("check: an execution ends in a deadlock under infinite buffering, and none can");
    result.deadlock = {Reached::Answer::yes, std::move(schedule), {}, {}, std::move(*refusing)};
}

void search(MessageIndex const& messages, CheckOptions const& options, bool is_new, CheckResult& result) {
    using Answer = executions::RefusalSearch::Answer;
    constexpr std::uint64_t slice = 100'000; // steps between two lines of progress
    executions::RefusalSearch refusals(messages, options.runs);
    if (options.activity != nullptr) options.activity->begin(Activity::Stage::exploring);
    std::uint64_t const most = options.time ? options.steps : std::min(options.steps, beside_steps);
    Answer answer = Answer::out_of_steps;
    try {
        while (answer == Answer::out_of_steps && refusals.steps() < most) {
            answer = refusals.search(std::min(slice, most - refusals.steps()));
            if (options.activity != nullptr) Activity::set(options.activity->steps, refusals.steps());
        }
    } catch (OutOfTime const&) {
        // It is not known.
    }
    result.work.steps += refusals.steps();
    switch (answer) {
    case Answer::deadlock: return found(messages, options, refusals.schedule(), is_new, result);
    case Answer::none: result.deadlock.answer = Reached::Answer::no; return;
    case Answer::out_of_steps: break;
    }
    add_limit(result,
              fmt::format("the search for sends that refuse stopped after {}, {} seen (more: --timeout, --limit)",
                          plural(refusals.steps(), "machine step"), plural(refusals.states(), "state")));
}

} // namespace

void decide_refusing(MessageIndex const& messages, CheckOptions const& options,
                     std::optional<std::chrono::milliseconds> left, CheckResult& result) {
    if (result.deadlock.answer == Reached::Answer::yes || !has_standard_wait(messages)) return;
    bool const is_new = result.deadlock.answer == Reached::Answer::no;
    result.deadlock.answer = Reached::Answer::unknown;
    if (messages.order_matters())
        return add_limit(result, "of programs with shared variables, it is not known whether sends that refuse make a "
                                 "deadlock");
    auto const end = Clock::now() + left.value_or(beside_time);
    Watch const watch([&] { return Clock::now() > end || (options.cancelled && options.cancelled()); });
    try {
        if (all_finish_by_counting(messages))
            result.deadlock.answer = Reached::Answer::no;
        else
            search(messages, options, is_new, result);
    } catch (LimitReached const& e) {
        add_limit(result, e.what());
    } catch (std::bad_alloc const&) {
        add_limit(result, "out of memory");
    }
}

} // namespace matchpoint::check
