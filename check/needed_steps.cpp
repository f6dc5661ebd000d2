#include "check/needed_steps.hpp"

#include <algorithm>
#include <vector>

namespace matchpoint::check {

namespace {

class Shortening {
public:
    Shortening(Machine const& from, Schedule schedule, std::function<bool(Schedule const&)> const& is_enough,
               std::function<bool()> const& stop)
        : code_(from.code()), from_(from), is_enough_(is_enough), stop_(stop), best_(std::move(schedule)) {}

    Schedule run() {
        auto const threads = static_cast<std::uint32_t>(code_.ctp().threads.size());
        for (bool again = true; again && !stopped_;) {
            again = false;
            for (std::uint32_t t = 0; t < threads; ++t) again = shorten(t) || again;
        }
        return std::move(best_);
    }

private:
    /// Leaves out twice as many steps each time, then half as many, until the last step is needed.
    bool shorten(std::uint32_t thread) {
        bool is_shorter = false;
        std::size_t count = 1;
        bool grows = true;
        while (count > 0 && !stopped_) {
            auto const last = last_steps(thread, count);
            if (!last.empty() && try_without(last)) {
                is_shorter = true;
                if (grows) count *= 2;
            } else {
                grows = false;
                count = std::min(count, last.size()) / 2;
            }
        }
        return is_shorter;
    }

    /// Their numbers in the schedule, at most so many, the last one first.
    std::vector<std::size_t> last_steps(std::uint32_t thread, std::size_t most) const {
        std::vector<std::size_t> result;
        for (std::size_t i = best_.size(); i-- > 0 && result.size() < most;)
            if (code_.thread_of(best_.entry(i).rho) == thread) result.push_back(i);
        return result;
    }

    bool try_without(std::vector<std::size_t> const& steps) {
        stopped_ = stopped_ || (stop_ && stop_());
        if (stopped_) return false;
        Machine machine(code_, from_.buffering(), from_.state());
        Schedule shorter;
        // The message that a movement is about may not have been sent.
        auto const move = [&](auto const& m) {
            for (Channel const c : m)
                if (machine::is_enabled(code_, machine.state(), machine.buffering(), Deliver{c}) &&
                    !machine.apply(Deliver{c}).is_stuck())
                    shorter.move(c);
        };
        auto left_out = steps.rbegin();
        for (std::size_t i = 0; i < best_.size(); ++i) {
            Entry const entry = best_.entry(i);
            move(entry.m);
            if (left_out != steps.rend() && *left_out == i) {
                ++left_out;
                continue;
            }
            if (machine.apply(Execute{entry.rho, entry.peek}).is_stuck()) return false;
            shorter.step(entry.rho, entry.peek);
        }
        move(best_.trailing());
        if (!is_enough_(shorter)) return false;
        best_ = std::move(shorter);
        return true;
    }

    IndexedProgram const& code_;
    Machine const& from_;
    std::function<bool(Schedule const&)> const& is_enough_;
    std::function<bool()> const& stop_;
    Schedule best_;
    bool stopped_ = false;
};

} // namespace

Schedule needed_steps(Machine const& from, Schedule schedule, std::function<bool(Schedule const&)> const& is_enough,
                      std::function<bool()> const& stop) {
    return Shortening(from, std::move(schedule), is_enough, stop).run();
}

} // namespace matchpoint::check
