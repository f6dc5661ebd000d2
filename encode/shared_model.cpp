// From a model of exact_shared.hpp to an execution.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "encode/exact.hpp"
#include "encode/exact_shared.hpp"
#include "encode/model_values.hpp"

namespace matchpoint::encode {

namespace {

/// A command, or the rendezvous of a receive.
struct SharedMoment {
    std::int64_t time;
    bool is_command;
    std::uint32_t index;

    bool operator<(SharedMoment const& other) const {
        return std::tie(time, is_command, index) < std::tie(other.time, other.is_command, other.index);
    }
};

class SharedModel {
public:
    SharedModel(SharedEvents const& events, std::string_view model)
        : e_(events), m_(events.messages()), values_(model), sends_(m_.receives().size()),
          received_before_(events.code().ctp().commands.size()) {}

    Expected<Schedule, std::string> schedule() {
        for (std::uint32_t t = 0; t < e_.code().ctp().threads.size(); ++t) thread(t);
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r)
            if (!receive(r))
                return Unexpected{fmt::format("{} is not a number of a send in the model", match_symbol(m_, r))};
        if (!values_.missing().empty())
            return Unexpected{fmt::format("the model has no value for {}", values_.missing())};
        std::sort(moments_.begin(), moments_.end());
        Schedule result;
        for (SharedMoment const& m : moments_) {
            spend(8);
            if (m.is_command) {
                for (std::uint32_t const r : received_before_[m.index]) move(r, result);
                result.step({m.index});
            } else {
                move(m.index, result);
            }
        }
        return result;
    }

private:
    bool is_true(std::string const& formula) {
        return formula == "true" || (formula != "false" && values_(formula) != 0);
    }

    /// Commands without an order run right after the one before them that has one; if there is none, right before the
    /// next.
    void thread(std::uint32_t t) {
        std::uint32_t const first = e_.code().ctp().threads[t].first;
        std::uint32_t last = e_.is_complete() ? e_.end(t) : first;
        for (std::uint32_t c = first; !e_.is_complete() && c < e_.end(t); ++c)
            if (e_.counts({c}) && is_true(e_.executed({c}))) last = c + 1;
        std::int64_t time = 0;
        for (std::uint32_t c = first; c < last; ++c)
            if (e_.has_order({c})) {
                time = values_(e_.order({c}));
                break;
            }
        for (std::uint32_t c = first; c < last; ++c) {
            if (e_.has_order({c})) time = values_(e_.order({c}));
            moments_.push_back({time, true, c});
        }
        executed_.push_back(last);
    }

    /// False: its partner is not a send.
    bool receive(std::uint32_t r) {
        auto const& receive = m_.receives()[r];
        bool const is_executed = receive.nw.index < executed_[e_.code().thread_of(receive.nw)];
        if (!e_.is_zero() ? !is_executed : !is_true(e_.filled(r))) return true;
        std::int64_t const partner = values_(match_symbol(m_, r));
        if (partner < 1 || partner > static_cast<std::int64_t>(m_.sends().size())) return false;
        sends_[r] = static_cast<std::uint32_t>(partner - 1);
        if (e_.is_zero())
            moments_.push_back({values_(e_.instant(r)), false, r});
        else
            received_before_[receive.nw.index].push_back(r);
        return true;
    }

    void move(std::uint32_t r, Schedule& schedule) const { schedule.move(m_.sends()[sends_[r]].channel); }

    SharedEvents const& e_;
    MessageIndex const& m_;
    ModelValues values_;
    std::vector<std::uint32_t> executed_;                     // thread -> one past its last command in the execution
    std::vector<std::uint32_t> sends_;                        // receive -> its partner
    std::vector<std::vector<std::uint32_t>> received_before_; // infinite buffering: wait -> what it completes
    std::vector<SharedMoment> moments_;
};

} // namespace

Expected<Schedule, std::string> SharedQuestion::schedule(std::string_view model) const {
    return SharedModel(events_, model).schedule();
}

} // namespace matchpoint::encode
