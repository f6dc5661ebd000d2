#include "executions/explorer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "executions/state_abstraction.hpp"
#include "machine/queue_movement.hpp"

namespace matchpoint::executions {

Explorer::Explorer(MessageIndex const& messages, Options options)
    : Scheduler(messages, options.buffering), options_(std::move(options)), history_(code()),
      marked_(code().endpoints().size()) {
    observers_.add(history_);
    if (options_.verdicts_only || options_.control_only)
        abstraction_ = std::make_unique<StateAbstraction>(messages, options_.control_only);
}

Explorer::~Explorer() = default;

/// Whether the receive that is served next may get the oldest message of a channel.
bool Explorer::is_allowed(Channel c) const {
    if (!options_.may_match) return true;
    Endpoint const beta = code()[c].beta;
    std::uint32_t const ordinal = state_.Q_s.delivered[beta.index];
    auto const receives = messages_.receives_at(beta);
    // A message that no receive is left for: of no consequence.
    return ordinal >= receives.size() ||
           options_.may_match({receives[ordinal], messages_.sends_of(c)[state_.Pnd_s.taken[c.index]]});
}

void Explorer::choices(Endpoint beta) {
    if (!is_served(beta)) return;
    for (Channel const c : messages_.channels_to(beta)) {
        if (!in_transit(state_, c)) continue;
        if (is_allowed(c))
            chosen_.push_back({c, beta});
        else
            pruned_ = true;
    }
}

void Explorer::want(Endpoint beta) {
    if (marked_[beta.index] == closure_) return;
    marked_[beta.index] = closure_;
    work_.push_back(beta);
}

/// What a thread that does not finish waits for has to happen before it does anything.
void Explorer::blockers(std::uint32_t thread) {
    if (state_.ctp[thread] == code().ctp().threads[thread].last) return;
    Action const a = std::get<Wait>(code().command_at({state_.ctp[thread]})).a;
    if (Rcvi const* const receive = code().as_rcvi(a))
        want(receive->beta);
    else
        want(code().as_sndi(a)->beta);
}

/// The endpoints that have to be explored together with one, and their choices.
void Explorer::close(std::uint32_t seed) {
    ++closure_;
    chosen_.clear();
    work_.clear();
    want({seed});
    while (!work_.empty()) {
        Endpoint const beta = work_.back();
        work_.pop_back();
        bool const served = is_served(beta);
        choices(beta);
        // A channel that has a message already does not change what its endpoint can choose; another one may.
        for (Channel const c : messages_.channels_to(beta))
            if (state_.Pnd_s.issued[c.index] < code()[c].Pnd_s.capacity && !(served && in_transit(state_, c)))
                blockers(messages_.owner(code()[c].alpha));
        if (buffering_ == Buffering::zero && !served && messages_.owner(beta) != MessageIndex::thread_none)
            blockers(messages_.owner(beta));
    }
}

bool Explorer::may_leave_out() const {
    return abstraction_ != nullptr && buffering_ == Buffering::infinite && !options_.may_match;
}

/// Leaves the choices in best_.
void Explorer::stubborn() {
    best_.clear();
    pruned_ = false;
    auto const smaller = [&](std::uint32_t beta) {
        close(beta);
        if (chosen_.empty()) return false;
        if (best_.empty() || chosen_.size() < best_.size()) best_ = chosen_;
        // With infinite buffering what a thread does next depends on how many messages there are, not on which. So
        // where values do not matter, any choice will do; an endpoint's own choices are the first of its closure.
        bool const any_will_do =
            may_leave_out() && chosen_.front().beta.index == beta && !abstraction_->is_relevant({beta});
        if (any_will_do) best_.assign(1, chosen_.front());
        return best_.size() == 1;
    };
    if (buffering_ == Buffering::zero) {
        for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta)
            if (has_posted_partner(state_, {beta}) && smaller(beta)) return;
        return;
    }
    for (std::uint32_t t = 0; t < state_.ctp.size(); ++t) {
        if (state_.ctp[t] == code().ctp().threads[t].last) continue;
        Rcvi const* const receive = code().as_rcvi(std::get<Wait>(code().command_at({state_.ctp[t]})).a);
        if (smaller(receive->beta.index)) return;
    }
}

/// Looks at a state in which every thread has run as far as it can: an end, or a frame with what is to be explored, or
/// neither.
std::optional<End> Explorer::examine() {
    auto const fresh = [&] {
        if (abstraction_ == nullptr) return true;
        bool const is_new = abstraction_->remember(state_);
        counts_.stored_bytes = abstraction_->bytes();
        if (!is_new) ++counts_.merged;
        return is_new;
    };
    if (state_.finished()) return fresh() ? std::optional(End::complete) : std::nullopt;
    stubborn();
    // Only where there is something to choose, or to tell, does it matter whether this was seen before.
    if (best_.size() != 1 && !fresh()) return std::nullopt;
    if (best_.empty()) return pruned_ ? End::pruned : End::deadlock;
    if (best_.size() > 1 && may_leave_out() && abstraction_->is_settled()) best_.resize(1);
    if (best_.size() > 1) ++counts_.states;

    Frame f{path_.size(), path_.movements(), static_cast<std::uint32_t>(pool_.size()), 0, 0, 0};
    pool_.insert(pool_.end(), sleep_.begin(), sleep_.end());
    f.transitions = f.next = static_cast<std::uint32_t>(pool_.size());
    for (Transition const& t : best_) {
        bool const asleep =
            std::any_of(sleep_.begin(), sleep_.end(), [&](Transition const& u) { return u.channel == t.channel; });
        if (!asleep) pool_.push_back(t);
    }
    f.end = static_cast<std::uint32_t>(pool_.size());
    if (f.next == f.end) ++counts_.asleep;
    frames_.push_back(f);
    return std::nullopt;
}

void Explorer::back_to(Frame const& f) {
    while (history_.size() > f.locations) history_.undo(state_);
    if (path_.movements() > f.movements) take_movement_back(state_, code(), path_.last_movement());
    path_.cut(f.locations, f.movements);
}

std::optional<End> Explorer::next(std::uint64_t steps) {
    if (done_) return std::nullopt;
    std::uint64_t const budget = steps > UINT64_MAX - steps_ ? UINT64_MAX : steps_ + steps;
    auto const ended = [&](End end) {
        ++counts_.executions;
        return end;
    };
    if (!started_) {
        started_ = true;
        sleep_.clear();
        if (!advance_all()) return ended(End::fault);
        if (auto const end = examine()) return ended(*end);
    }
    while (!frames_.empty()) {
        Frame& f = frames_.back();
        back_to(f);
        if (f.next == f.end) {
            pool_.resize(f.sleep);
            frames_.pop_back();
            continue;
        }
        if (steps_ >= budget || (options_.stop && options_.stop())) return std::nullopt;
        Transition const t = pool_[f.next++];
        sleep_.clear();
        if (abstraction_ == nullptr) // merged states are explored for all that come there: nothing sleeps
            for (std::uint32_t i = f.sleep; i < f.next - 1; ++i)
                if (pool_[i].beta != t.beta) sleep_.push_back(pool_[i]);

        if (!deliver(t.channel)) return ended(End::fault);
        if (auto const end = examine()) return ended(*end);
    }
    done_ = true;
    return std::nullopt;
}

std::string at_most_match_sets(MessageIndex const& messages) {
    // The words of length R with at most n_c letters c: R! times the coefficient of x^R in the product over c of
    // 1 + x + x^2/2! + ... + x^n_c/n_c!. In logarithms.
    double total = 0;
    for (std::uint32_t beta = 0; beta < messages.code().endpoints().size(); ++beta) {
        auto const R = static_cast<std::uint32_t>(messages.receives_at({beta}).size());
        if (messages.sends_to({beta}) < R) return "0";
        std::vector<double> ways(R + 1, -INFINITY); // log of the coefficient
        ways[0] = 0;
        std::uint32_t reached = 0;
        for (Channel const c : messages.channels_to({beta})) {
            auto const n = static_cast<std::uint32_t>(messages.sends_of(c).size());
            reached = std::min(R, reached + n);
            for (std::uint32_t j = reached + 1; j-- > 0;) {
                double sum = -INFINITY;
                for (std::uint32_t k = 0; k <= std::min(n, j); ++k) {
                    double const term = ways[j - k] - std::lgamma(k + 1.0);
                    if (term == -INFINITY) continue;
                    double const high = std::max(sum, term);
                    sum = high + std::log1p(std::exp(std::min(sum, term) - high));
                }
                ways[j] = sum;
            }
        }
        total += ways[R] + std::lgamma(R + 1.0);
    }
    double const digits = total / std::log(10.0);
    return digits < 12 ? fmt::format("{:.0f}", std::exp(total)) : fmt::format("about 10^{:.0f}", digits);
}

} // namespace matchpoint::executions
