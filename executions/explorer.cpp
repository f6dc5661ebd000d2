#include "executions/explorer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "executions/state_abstraction.hpp"
#include "grammar/selectors.hpp"
#include "machine/partners.hpp"

namespace matchpoint::executions {

Explorer::Explorer(MessageIndex const& messages, Options options)
    : Scheduler(messages, options.buffering, options.runs,
                options.from == nullptr ? State(messages.code()) : *options.from),
      options_(std::move(options)), dependence_(code(), buffering()), marked_(code().endpoints().size()) {
    machine_.keep_history();
    hold_arrivals();
    if (!code().is_plain())
        seen_ = std::make_unique<Arrivals>(code(), options_.verdicts_only);
    else if (options_.verdicts_only || options_.control_only)
        abstraction_ = std::make_unique<StateAbstraction>(messages, options_.runs, options_.control_only);
}

Explorer::~Explorer() = default;

/// Whether the next receive to be served may get the oldest message of a channel.
bool Explorer::is_allowed(Channel c) const {
    if (!options_.may_match) return true;
    Endpoint const beta = code()[c].beta;
    std::uint32_t const ordinal = state().Q_s.delivered[beta.index];
    auto const receives = messages_.receives_at(beta);
    // A message without a receive does not matter.
    return ordinal >= receives.size() ||
           options_.may_match({receives[ordinal], messages_.sends_of(c)[state().Pnd_s.taken[c.index]]});
}

void Explorer::choices(Endpoint beta) {
    if (!is_served(beta)) return;
    for_each_delivery(beta, [&](Channel c) {
        if (is_allowed(c)) chosen_.push_back({c});
    });
}

void Explorer::want(Endpoint beta) {
    if (marked_[beta.index] == closure_) return;
    marked_[beta.index] = closure_;
    work_.push_back(beta);
}

/// Wants the endpoint at which something has to happen before a thread can go on.
void Explorer::blockers(std::uint32_t thread) {
    Wait const* const wait = wait_of(thread); // null if it is finished, or has stopped for good
    if (wait == nullptr) return;
    if (Rcvi const* const receive = code().as_rcvi(wait->a))
        want(receive->beta);
    else
        want(code().as_sndi(wait->a)->beta);
}

/// The endpoints that have to be explored together with the seed, and their choices.
void Explorer::close(std::uint32_t seed) {
    ++closure_;
    chosen_.clear();
    work_.clear();
    want({seed});
    while (!work_.empty()) {
        Endpoint const beta = work_.back();
        work_.pop_back();
        ++looked_at_;
        spend(4 + messages_.channels_to(beta).size());
        bool const served = is_served(beta);
        choices(beta);
        // Only a channel without a message can add a choice to its endpoint.
        for (Channel const c : messages_.channels_to(beta))
            if (state().Pnd_s.issued[c.index] < code()[c].Pnd_s.capacity && !(served && in_transit(state(), c)))
                blockers(messages_.owner(code()[c].alpha));
        if (buffering() == Buffering::zero && !served && messages_.owner(beta) != MessageIndex::thread_none)
            blockers(messages_.owner(beta));
    }
}

/// What a probe saw does not matter to a verdict if it takes and assigns nothing.
Explorer::Arrivals::Arrivals(IndexedProgram const& code, bool verdicts_only) {
    if (!code.has_probes()) return;
    for (LocatedCommand const& located : code.ctp().commands) {
        Probe const* const probe = as_probe(located.c);
        if (probe == nullptr) continue;
        Selectors const* const sel = selectors_of(code.ctp(), *probe);
        bool const assigns = sel != nullptr && (sel->source || sel->tagged);
        (verdicts_only && !probe->matches && !assigns ? probes_of_no_use : probes).push_back(probe->a);
    }
}

void Explorer::Arrivals::append_probes(State const& state) {
    for (Action const a : probes) append(state.saw[a.index].index);
    for (Action const a : probes_of_no_use) append(state.saw[a.index].is_none() ? 0 : 1);
}

/// Which messages each endpoint got, in which order; where receives select, which receive got which; and what probes
/// saw. Under D1 to D6 that decides the whole state in which every thread has run as far as it can; where collectives
/// disagree, only with where the threads are.
bool Explorer::Arrivals::remember(IndexedProgram const& code, State const& state) {
    key.clear();
    if (code.has_contested_calls())
        for (std::uint32_t const next : state.ctp) append(next);
    for (std::uint32_t beta = 0; beta < code.endpoints().size(); ++beta) {
        if (code[Endpoint{beta}].selects) {
            std::uint32_t const posted = state.Pnd_r.issued[beta];
            spend(4 + std::uint64_t{posted});
            append(posted);
            for (std::uint32_t n = 0; n < posted; ++n) {
                auto const m = message_for(state, code, {beta}, n);
                append(m ? state.Q_s.entries[code[Endpoint{beta}].Q_s.first + *m].a.index : UINT32_MAX);
            }
            continue;
        }
        std::uint32_t const count = state.Q_s.delivered[beta];
        spend(4 + std::uint64_t{count});
        append(count);
        for (std::uint32_t m = 0; m < count; ++m)
            append(code.channel_of(state.Q_s.entries[code[Endpoint{beta}].Q_s.first + m].a).index);
    }
    append_probes(state);
    return seen.insert(key);
}

bool Explorer::Arrivals::remember(State const& state, std::vector<Match> const& matches) {
    key.clear();
    append_probes(state);
    for (auto const& [a_r, a_s] : matches) append(a_s.index);
    return matched.insert(key);
}

void Explorer::Arrivals::append(std::uint32_t n) { key.append(reinterpret_cast<char const*>(&n), sizeof n); }

bool Explorer::may_leave_out() const {
    return abstraction_ != nullptr && buffering() == Buffering::infinite && !options_.may_match;
}

/// Leaves the smallest set of choices in best_, or of many threads one of the smaller ones.
void Explorer::stubborn() {
    constexpr std::uint64_t patience = 50'000; // endpoints looked at
    best_.clear();
    looked_at_ = 0;
    auto const smaller = [&](std::uint32_t beta) {
        close(beta);
        if (chosen_.empty()) return false;
        if (best_.empty() || chosen_.size() < best_.size()) best_.assign(chosen_.begin(), chosen_.end());
        // With infinite buffering, how far a thread gets depends on how many messages there are, not on which. Where
        // values do not matter, one choice is enough. The choices of the seed are the first of its closure.
        bool const any_will_do =
            may_leave_out() && code()[chosen_.front().channel].beta.index == beta && !abstraction_->is_relevant({beta});
        if (any_will_do) best_.assign(1, chosen_.front());
        return best_.size() == 1 || looked_at_ > patience;
    };
    if (buffering() == Buffering::zero) {
        for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta)
            if (has_posted_partner(state(), {beta}) && smaller(beta)) return;
        return;
    }
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
        Rcvi const* const receive = waits_for(t);
        if (receive != nullptr && smaller(receive->beta.index)) return;
    }
}

/// Leaves one delivery in best_, if its match has to come. For a program that is not plain.
void Explorer::keep_one_that_is_forced() {
    auto const forced = std::find_if(best_.begin(), best_.end(), [&](Choice const& choice) {
        if (choice.channel.is_none() || !choice.at.is_none()) return false;
        Endpoint const beta = code()[choice.channel].beta;
        bool const is_match = code()[beta].selects || has_posted_partner(state(), beta);
        return is_match && is_forced(choice.channel);
    });
    if (forced != best_.end()) best_ = {*forced};
}

/// Examines a state in which every thread has run as far as it can. It is an end; or it opens a frame of deliveries to
/// explore; or it was seen before.
std::optional<End> Explorer::examine() {
    auto const fresh = [&] {
        if (seen_ != nullptr) {
            bool const is_new = seen_->remember(code(), state());
            counts_.stored_bytes = seen_->seen.bytes() + seen_->matched.bytes();
            if (!is_new) ++counts_.merged;
            return is_new;
        }
        if (abstraction_ == nullptr) return true;
        spend(code().channels().size());
        bool const is_new = abstraction_->remember(state());
        counts_.stored_bytes = abstraction_->bytes();
        if (!is_new) ++counts_.merged;
        return is_new;
    };
    if (state().finished()) {
        bool const is_new = fresh() && (seen_ == nullptr || seen_->remember(state(), match_set(code(), state())));
        return is_new ? std::optional(End::complete) : std::nullopt;
    }
    if (seen_ != nullptr) {
        best_.clear();
        add_choices(best_);
        keep_one_that_is_forced();
    } else {
        stubborn();
    }
    // Looking a state up costs more than the single delivery that it would save.
    if (best_.size() != 1 && !fresh()) return std::nullopt;
    if (best_.empty()) return options_.may_match ? end_of_restricted() : end_here();
    if (best_.size() > 1 && may_leave_out() && abstraction_->is_settled()) best_.resize(1);
    if (best_.size() > 1) ++counts_.states;

    Frame f{mark(), static_cast<std::uint32_t>(pool_.size()), 0, 0, 0};
    pool_.insert(pool_.end(), sleep_.begin(), sleep_.end());
    f.transitions = f.next = static_cast<std::uint32_t>(pool_.size());
    for (Choice const t : best_)
        if (std::find(sleep_.begin(), sleep_.end(), t) == sleep_.end()) pool_.push_back(t);
    f.end = static_cast<std::uint32_t>(pool_.size());
    if (f.next == f.end) ++counts_.asleep;
    frames_.push_back(f);
    return std::nullopt;
}

std::optional<End> Explorer::next(std::uint64_t steps) {
    if (done_) return std::nullopt;
    std::uint64_t const budget = steps > UINT64_MAX - this->steps() ? UINT64_MAX : this->steps() + steps;
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
        back_to(f.mark);
        if (f.next == f.end) {
            pool_.resize(f.sleep);
            frames_.pop_back();
            continue;
        }
        if (this->steps() >= budget || (options_.stop && options_.stop())) return std::nullopt;
        Choice const t = pool_[f.next++];
        sleep_.clear();
        if (abstraction_ == nullptr &&
            seen_ == nullptr) // a merged state is explored for every way to it, so nothing sleeps there
            for (std::uint32_t i = f.sleep; i < f.next - 1; ++i)
                if (!dependence_.dependent(Deliver{pool_[i].channel}, Deliver{t.channel})) sleep_.push_back(pool_[i]);

        if (!take(t)) return ended(End::fault);
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
        std::vector<double> ways(R + 1, -std::numeric_limits<double>::infinity()); // log of the coefficient
        ways[0] = 0;
        std::uint32_t reached = 0;
        for (Channel const c : messages.channels_to({beta})) {
            auto const n = static_cast<std::uint32_t>(messages.sends_of(c).size());
            reached = std::min(R, reached + n);
            for (std::uint32_t j = reached + 1; j-- > 0;) {
                spend(8 * std::uint64_t{std::min(n, j) + 1});
                double sum = -std::numeric_limits<double>::infinity();
                for (std::uint32_t k = 0; k <= std::min(n, j); ++k) {
                    double const term = ways[j - k] - std::lgamma(k + 1.0);
                    if (term == -std::numeric_limits<double>::infinity()) continue;
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
