#include "check/refusing.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "check/confirmed.hpp"
#include "check/engines/engines.hpp"
#include "check/question.hpp"
#include "check/sat/stuck_search.hpp"
#include "executions/refusals.hpp"
#include "lowering/lowered.hpp"
#include "matching/reach.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;
using executions::RefusalSearch;
/// Some of the sends and collectives, by action.
using CallSet = std::vector<bool>;

bool is_empty(CallSet const& calls) { return std::find(calls.begin(), calls.end(), true) == calls.end(); }

bool some_collective_may_refuse(IndexedProgram const& code, CallSet const& calls) {
    for (std::uint32_t a = 0; a < calls.size(); ++a)
        if (calls[a] && code.as_collective(Action{a}) != nullptr) return true;
    return false;
}

/// Whether every thread finishes by counting, whatever refuses. The argument for zero buffering (matching/reach.hpp) is
/// about a state in which no match is possible, and does not need that all sends wait: a wait at which no thread can be
/// stuck there does not refuse here either. Nor does a collective that counting passes, as all members are sure to call
/// it then. The rule `early` also needs that threads get no further than it counts: a collective that does not refuse
/// lets them go on earlier than under zero buffering.
bool all_finish_by_counting(MessageIndex const& messages, CallSet const& may_refuse) {
    bool const closely = !some_collective_may_refuse(messages.code(), may_refuse);
    auto const finish = [&](MessageIndex const& plain) {
        return all_finish(plain, reach(plain, Buffering::zero)) ||
               (closely && all_finish(plain, reach(plain, Buffering::zero, true)));
    };
    if (messages.code().is_plain()) return finish(messages);
    auto const lowered = Lowered::of(messages, Buffering::zero);
    return lowered && finish((*lowered)->messages());
}

void add_limit(CheckResult& result, std::string what) {
    result.trouble.push_back({Trouble::Kind::limit, "any buffering: " + std::move(what)});
}

/// The question as a SAT problem, of a program that is plain or can be lowered. It is lowered twice: for zero
/// buffering, where each wait for a standard or synchronous send waits, and for infinite buffering, where no standard
/// one does. Collectives wait for those that they need in both, and for a send to nobody if they may refuse.
class BySat {
public:
    BySat(MessageIndex const& messages, StuckSearch::Options options) : messages_(messages) {
        if (!messages.code().is_plain()) {
            auto zero = Lowered::of(messages, Buffering::zero, lowering::Calls::may_refuse);
            auto infinite = Lowered::of(messages, Buffering::infinite, lowering::Calls::may_refuse);
            if (!zero || !infinite) {
                why_not_ = zero ? infinite.error() : zero.error();
                return;
            }
            zero_ = std::move(*zero);
            infinite_ = std::move(*infinite);
        }
        MessageIndex const& in_order = infinite_ ? infinite_->messages() : messages;
        auto const all = executions::all_that_may_refuse(messages);
        program_.emplace(
            StuckProgram{plain(), by_number(all), in_order, infinite_ ? infinite_->buffering() : Buffering::infinite});
        if (zero_) {
            program_->meetings = zero_->meetings();
            for (Lowered::Return const& r : zero_->returns())
                if (r.meeting) program_->meeting_of.emplace(r.send, *r.meeting);
        }
        search_.emplace(*program_, std::move(options));
    }

    /// Why it cannot be asked; empty if it can.
    std::string const& why_not() const { return why_not_; }
    StuckSearch::Answer run(CallSet const& calls) { return search_->run(by_number(calls)); }
    /// The way to the deadlock, of the program itself.
    Schedule schedule() const { return zero_ ? zero_->raised(search_->schedule()) : search_->schedule(); }

    void add_to(Work& work) const {
        if (!search_) return;
        work.solver_calls += search_->calls();
        work.refinements += search_->refinements();
        work.match_pairs = std::max(work.match_pairs, search_->pairs());
    }

private:
    MessageIndex const& plain() const { return zero_ ? zero_->messages() : messages_; }

    /// The same sends of the plain program, and those at which collectives return. Those of barriers are none of them.
    std::vector<bool> by_number(CallSet const& calls) const {
        std::vector<bool> result(plain().sends().size());
        for (std::uint32_t s = 0; s < result.size(); ++s) {
            auto const number = zero_ ? zero_->raised_send(s) : std::optional(s);
            result[s] = number && calls[messages_.sends()[*number].a.index];
        }
        if (zero_)
            for (Lowered::Return const& r : zero_->returns()) result[r.send] = calls[r.call.index];
        return result;
    }

    MessageIndex const& messages_;
    std::string why_not_;
    std::unique_ptr<Lowered> zero_; // null if the program is plain
    std::unique_ptr<Lowered> infinite_;
    std::optional<StuckProgram> program_;
    std::optional<StuckSearch> search_;
};

/// One or more questions: whether there is a deadlock in which no other calls refuse than some.
class Deciding {
public:
    /// `may_refuse`: executions::all_that_may_refuse(). `is_new`: there is no deadlock under infinite buffering.
    Deciding(MessageIndex const& messages, CheckOptions const& options, CallSet may_refuse,
             std::chrono::milliseconds time, bool is_new)
        : messages_(messages), options_(options), may_refuse_(std::move(may_refuse)), is_new_(is_new),
          end_(Clock::now() + time), is_automatic_(options.engine == EngineChoice::automatic),
          steps_left_(options.time ? options.steps : std::min(options.steps, beside_steps)) {}

    void run(CheckResult& result) {
        Watch const watch([this] { return is_over(end_); });
        Reached& deadlock = result.deadlock;
        try {
            switch (decide()) {
            case Answer::deadlock: break;
            case Answer::none: deadlock.answer = Reached::Answer::no; break;
            case Answer::unknown: report(result); break;
            }
            if (found_ && !found_->refusing.empty()) shrink();
        } catch (LimitReached const& e) {
            give_up(result, e.what());
        } catch (std::bad_alloc const&) {
            give_up(result, "out of memory");
        }
        result.work.steps += steps_;
        if (by_sat_) by_sat_->add_to(result.work);
        if (found_) deadlock = std::move(*found_);
        if (deadlock.answer == Reached::Answer::no) deadlock.engine = engine_;
    }

private:
    enum class Answer : std::uint8_t { deadlock, none, unknown };
    using Exploration = std::optional<RefusalSearch>;

    bool is_over(Clock::time_point end) const {
        return Clock::now() > end || (options_.cancelled && options_.cancelled());
    }

    /// Whether a step is taken. Notes it if it is left out.
    bool takes(std::string_view step) {
        auto const& without = options_.without;
        if (std::find(without.begin(), without.end(), step) == without.end()) return true;
        if (std::find(left_out_.begin(), left_out_.end(), step) == left_out_.end()) left_out_.push_back(step);
        return false;
    }

    Answer decide() {
        if (is_automatic_ && takes("counting") && all_finish_by_counting(messages_, may_refuse_)) {
            decided_by("counting");
            return Answer::none;
        }
        return ask(may_refuse_);
    }

    /// What decided first: the others only leave out calls.
    void decided_by(std::string_view engine) {
        if (engine_.empty()) engine_ = engine;
    }

    /// A deadlock is in found_ then.
    Answer ask(CallSet const& calls) {
        Exploration exploration;
        bool const explores = options_.engine != EngineChoice::sat;
        Answer answer = Answer::unknown;
        if (is_automatic_ && takes("short-exploration")) answer = explore(exploration, calls, few_steps());
        bool const asks_sat = is_automatic_ || options_.engine == EngineChoice::sat;
        if (answer == Answer::unknown && asks_sat && takes("sat")) answer = ask_sat(calls);
        if (answer == Answer::unknown && explores && takes("exploration"))
            answer = explore(exploration, calls, UINT64_MAX);
        return answer;
    }

    std::uint64_t few_steps() {
        std::uint64_t const one_execution = 2 * messages_.code().ctp().commands.size();
        if (few_steps_ == 0) few_steps_ = std::max(one_execution, Question(messages_, options_).few_steps());
        return few_steps_;
    }

    /// Begins an exploration, or goes on with it. With `after`, it is about executions that begin so.
    Answer explore(Exploration& exploration, CallSet const& calls, std::uint64_t steps,
                   Schedule const* after = nullptr) {
        constexpr std::uint64_t slice = 100'000; // steps between two lines of progress
        using Found = RefusalSearch::Answer;
        if (options_.activity != nullptr) options_.activity->begin(Activity::Stage::exploring);
        Found found = Found::out_of_steps;
        try {
            if (!exploration) exploration.emplace(messages_, options_.runs, calls);
            if (after != nullptr) exploration->begin_after(*after);
            for (steps = std::min(steps, steps_left_); steps > 0 && found == Found::out_of_steps;) {
                std::uint64_t const before = exploration->steps();
                found = exploration->search(std::min(slice, steps));
                std::uint64_t const more = exploration->steps() - before;
                steps -= std::min(steps, more);
                steps_left_ -= std::min(steps_left_, more);
                steps_ += more;
                states_ = exploration->states();
                if (options_.activity != nullptr) Activity::set(options_.activity->steps, steps_);
            }
        } catch (OutOfTime const&) {
            steps_left_ = 0; // it cannot go on, and there is no time for another one
        }
        if (found == Found::out_of_steps) return Answer::unknown;
        decided_by("explore");
        if (found == Found::none) return Answer::none;
        confirm(exploration->schedule());
        return Answer::deadlock;
    }

    Answer ask_sat(CallSet const& calls) {
        // Exploration may find what is too hard for it.
        bool const is_last = !is_automatic_;
        auto const end = is_last ? end_ : Clock::now() + (end_ - Clock::now()) / 2;
        Watch const watch([this, end] { return is_over(end); });
        try {
            if (!by_sat_) by_sat_ = std::make_unique<BySat>(messages_, options_of_sat(is_last));
            if (!by_sat_->why_not().empty()) return unknown("sat: " + by_sat_->why_not());
            sat_end_ = end;
            switch (by_sat_->run(calls)) {
            case StuckSearch::Answer::deadlock: break;
            case StuckSearch::Answer::none: decided_by("sat"); return Answer::none;
            case StuckSearch::Answer::stopped: return unknown("sat: out of time");
            case StuckSearch::Answer::beyond: return unknown("sat: too many match pairs or solver calls");
            }
            decided_by("sat");
            confirm(by_sat_->schedule());
            return Answer::deadlock;
        } catch (OutOfTime const&) {
            return unknown("sat: out of time");
        } catch (std::bad_alloc const&) {
            return unknown("sat: out of memory");
        }
    }

    StuckSearch::Options options_of_sat(bool is_last) {
        StuckSearch::Options options;
        options.runs = options_.runs;
        options.stop = [this](std::chrono::nanoseconds to_free) { return is_over(sat_end_ - to_free); };
        options.most_pairs = std::min(options.most_pairs, options_.memory / bytes_per_pair);
        if (!is_last) options.most_calls = some_calls;
        options.activity = options_.activity;
        return options;
    }

    /// Notes a reason why an answer is not known.
    Answer unknown(std::string why) {
        if (std::find(reasons_.begin(), reasons_.end(), why) == reasons_.end()) reasons_.push_back(std::move(why));
        return Answer::unknown;
    }

    /// Runs the way to a deadlock on the reference machine.
    void confirm(Schedule schedule) {
        Machine machine(messages_.code(), Buffering::infinite);
        auto refusing = refusing_at_end(machine, schedule, options_.runs);
        if (!refusing)
            throw std::logic_error("check: no execution ends in a deadlock where a library was said to keep it");
        if (refusing->empty() && is_new_)
            throw std::logic_error("check: an execution ends in a deadlock under infinite buffering, and none can");
        found_ = Reached{Reached::Answer::yes, std::move(schedule), {}, {}, std::move(*refusing), false,
                         std::string(engine_)};
    }

    // Makes the deadlock one of which no call can be left out: half of those that refuse may not do so, then the other
    // half, then quarters, and so on. Whether there is a deadlock can only change from yes to no if fewer calls may
    // refuse. So a call that was needed once is needed by every part.

    void shrink() {
        // Often threads only wait for others that do. From the deadlock on, that is soon seen.
        if (options_.engine != EngineChoice::sat) static_cast<void>(leave_out_parts(&Deciding::ask_from_there));
        found_->is_fewer_possible = !leave_out_parts(&Deciding::ask);
    }

    using Ask = Answer (Deciding::*)(CallSet const& calls);

    /// Whether there is such a deadlock that begins with this one.
    Answer ask_from_there(CallSet const& calls) {
        Exploration exploration;
        Schedule const after = found_->schedule;
        return explore(exploration, calls, few_steps(), &after);
    }

    /// False: it is not known of some part whether it can be left out.
    bool leave_out_parts(Ask ask) {
        bool is_known = true;
        for (std::size_t part = (found_->refusing.size() + 1) / 2; part > 0; part = part == 1 ? 0 : (part + 1) / 2)
            is_known = leave_out(part, ask); // the last parts count, which are single calls
        return is_known;
    }

    bool leave_out(std::size_t part, Ask ask) {
        bool is_known = true;
        std::vector<Action> left = found_->refusing; // what is to be tried
        while (!left.empty()) {
            std::size_t const count = std::min(part, left.size());
            CallSet rest(messages_.code().program().symbols.actions.size());
            for (Action const a : found_->refusing) rest[a.index] = true;
            for (std::size_t i = 0; i < count; ++i) rest[left[i].index] = false;
            left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count));
            if (is_new_ && is_empty(rest)) continue;
            if (is_over(end_)) return false;
            if ((this->*ask)(rest) == Answer::unknown) is_known = false;
            auto const& refusing = found_->refusing;
            std::erase_if(left,
                          [&](Action a) { return std::find(refusing.begin(), refusing.end(), a) == refusing.end(); });
        }
        return is_known;
    }

    void report(CheckResult& result) {
        if (!left_out_.empty()) add_limit(result, fmt::format("left out: {}", fmt::join(left_out_, ", ")));
        if (options_.engine == EngineChoice::sat) {
            for (std::string& why : reasons_) add_limit(result, std::move(why));
            return;
        }
        add_limit(result,
                  fmt::format("the search for calls that refuse stopped after {}, {} seen (more: --timeout, --limit)",
                              plural(steps_, "machine step"), plural(states_, "state")));
    }

    /// An answer that is known stays.
    void give_up(CheckResult& result, std::string why) {
        if (found_)
            found_->is_fewer_possible = true;
        else
            add_limit(result, std::move(why));
    }

    MessageIndex const& messages_;
    CheckOptions const& options_;
    CallSet may_refuse_;
    bool is_new_;
    Clock::time_point end_;
    bool is_automatic_;
    std::uint64_t few_steps_ = 0; // not computed yet
    std::uint64_t steps_left_;
    std::uint64_t steps_ = 0;
    std::uint64_t states_ = 0; // of the last exploration
    std::vector<std::string_view> left_out_;
    std::vector<std::string> reasons_;
    Clock::time_point sat_end_;
    std::unique_ptr<BySat> by_sat_;
    std::optional<Reached> found_;
    std::string_view engine_;
};

} // namespace

void decide_refusing(MessageIndex const& messages, CheckOptions const& options,
                     std::optional<std::chrono::milliseconds> left, CheckResult& result) {
    auto may_refuse = executions::all_that_may_refuse(messages);
    if (result.deadlock.answer == Reached::Answer::yes || is_empty(may_refuse)) {
        if (result.deadlock.answer != Reached::Answer::unknown) result.deadlock.engine = infinite_engines;
        return;
    }
    bool const is_new = result.deadlock.answer == Reached::Answer::no;
    result.deadlock.answer = Reached::Answer::unknown;
    if (messages.order_matters())
        return add_limit(result,
                         "of programs with shared variables, or with ready sends that may find no receive, it is "
                         "not known whether calls that refuse make a deadlock");
    Deciding(messages, options, std::move(may_refuse), left.value_or(beside_time), is_new).run(result);
}

} // namespace matchpoint::check
