#include "executions/shared/until_end.hpp"

#include <algorithm>
#include <utility>

#include "base/overloaded.hpp"

namespace matchpoint::executions {

Endpoint endpoint_of(IndexedProgram const& code, Wait const& wait) {
    Rcvi const* const receive = code.as_rcvi(wait.a);
    return receive != nullptr ? receive->beta : code.as_sndi(wait.a)->beta;
}

void UntilEnd::open_frame(std::vector<Choice> const& choices, std::vector<Choice> const& asleep) {
    if (choices.size() > 1) ++counts_.states;
    Frame f{mark(), static_cast<std::uint32_t>(ended_.size()), static_cast<std::uint32_t>(pool_.size()), 0};
    pool_.insert(pool_.end(), asleep.begin(), asleep.end());
    f.next = static_cast<std::uint32_t>(pool_.size());
    for (Choice const& choice : choices)
        if (std::find(asleep.begin(), asleep.end(), choice) == asleep.end()) pool_.push_back(choice);
    frames_.push_back(f);
}

std::optional<End> UntilEnd::next(std::uint64_t steps) {
    std::uint64_t const most = steps > UINT64_MAX - this->steps() ? UINT64_MAX : this->steps() + steps;
    if (!std::exchange(started_, true))
        if (auto const end = examine()) return end;
    while (!frames_.empty()) {
        Frame& f = frames_.back();
        back_to(f.mark);
        ended_.resize(f.ended);
        if (f.next == pool_.size()) {
            pool_.resize(f.first);
            frames_.pop_back();
            continue;
        }
        if (this->steps() >= most) return std::nullopt;
        Choice const choice = pool_[f.next++];
        if (auto const end = follow(choice)) return end;
    }
    done_ = true;
    return std::nullopt;
}

bool UntilEnd::goes_on(std::uint32_t thread) const {
    return next_of(thread) && std::none_of(ended_.begin(), ended_.end(),
                                           [&](Location ended) { return code().thread_of(ended) == thread; });
}

bool UntilEnd::is_frozen(Location rho) const {
    return std::any_of(ended_.begin(), ended_.end(),
                       [&](Location ended) { return sharing_.writes_what_is_read(rho, ended); });
}

std::optional<UntilEnd::Choice> UntilEnd::command_of(std::uint32_t thread) {
    Execute const next{*next_of(thread)};
    if (!is_in_model(next.rho) || !is_enabled(code(), state(), buffering(), next)) return std::nullopt;
    if (!halts_before(next)) return is_frozen(next.rho) ? std::nullopt : std::optional(Choice{next});
    return ends_in_fault(next.rho) ? std::optional(Choice{next, true}) : std::nullopt;
}

void UntilEnd::add_peeks_of(std::uint32_t thread, std::vector<Choice>& to) const {
    if (!code().has_probes()) return;
    Location const rho = *next_of(thread);
    if (!is_in_model(rho) || is_frozen(rho)) return;
    for_each_peek(state(), code(), rho, [&](Channel lane) { to.push_back({Execute{rho, lane}}); });
}

void UntilEnd::add_deliveries_to(Endpoint beta, std::vector<Choice>& to) {
    if (std::exchange(endpoint_mark_[beta.index], choices_) == choices_) return;
    deliveries_.clear();
    add_deliveries(beta, deliveries_);
    for (Transition const& t : deliveries_) to.push_back({t});
}

std::optional<Endpoint> UntilEnd::wanted_by(Location next) const {
    if (is_ready_send(code(), next)) return as_sndi(code().command_at(next))->beta;
    if (Probe const* const probe = as_probe(code().command_at(next))) return probe->beta;
    Wait const* const wait = code().wait_for_message(next);
    if (wait == nullptr || is_enabled(code(), state(), buffering(), Execute{next})) return std::nullopt;
    return endpoint_of(code(), *wait);
}

void UntilEnd::take(Choice const& choice) {
    std::visit(overloaded{
                   [&](Execute t) {
                       if (choice.is_end)
                           ended_.push_back(t.rho);
                       else if (!t.peek.is_none())
                           see(t.rho, t.peek);
                       else
                           execute(t.rho);
                   },
                   [&](Deliver t) { move(t.channel); },
               },
               choice.t);
}

End UntilEnd::end_of_execution() {
    ++counts_.executions;
    if (ended_.empty()) return end_here();
    static_cast<void>(ends_in_fault(ended_.front()));
    return End::fault;
}

} // namespace matchpoint::executions
