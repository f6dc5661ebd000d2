#include "executions/shared/bounded_classes.hpp"

namespace matchpoint::executions {

namespace {

void append_number(std::string& key, std::uint32_t n) { key.append(reinterpret_cast<char const*>(&n), sizeof n); }

} // namespace

/// What tells the class of the execution so far from others: how far each thread is, how many writes to its variables
/// came before each access, what was delivered at each endpoint in which order, what probes saw, and which threads have
/// stopped.
void BoundedClasses::make_key() {
    stamps_.resize(code().ctp().commands.size());
    written_.assign(sharing_.accessed(), 0);
    spend(8 * (1 + schedule().size()));
    for (std::size_t i = 0; i < schedule().size(); ++i) {
        Location const rho = schedule().entry(i).rho;
        stamps_[rho.index].clear();
        for (Access const& access : sharing_.accesses(rho)) stamps_[rho.index].push_back(written_[access.x.index]);
        for (Access const& access : sharing_.accesses(rho))
            if (access.writes) ++written_[access.x.index];
    }
    key_.clear();
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
        append_number(key_, state().ctp[t]);
        for (std::uint32_t at = code().ctp().threads[t].first; at < state().ctp[t]; ++at)
            for (std::uint32_t const stamp : stamps_[at]) append_number(key_, stamp);
    }
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta) {
        std::uint32_t const count = state().Q_s.delivered[beta];
        append_number(key_, count);
        for (std::uint32_t m = 0; m < count; ++m)
            append_number(key_, state().Q_s.entries[code()[Endpoint{beta}].Q_s.first + m].a.index);
    }
    for (Action const saw : state().saw) append_number(key_, saw.index);
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
        if (next_of(t) && !goes_on(t)) append_number(key_, t);
}

std::optional<End> BoundedClasses::examine() {
    make_key();
    append_number(key_, now_.thread);
    spend(8 + key_.size());
    if (least_.is_worse(key_, now_.switches)) {
        ++counts_.left;
        return std::nullopt;
    }
    look_for_race();
    choices_.clear();
    begin_choices();
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
        if (!goes_on(t)) continue;
        if (auto const choice = command_of(t)) choices_.push_back(*choice);
        add_peeks_of(t, choices_);
        if (auto const beta = wanted_by(*next_of(t))) add_deliveries_to(*beta, choices_);
    }
    if (choices_.empty()) {
        make_key();
        return ends_.insert(key_) ? std::optional(end_of_execution()) : std::nullopt;
    }
    open_frame(choices_);
    of_frames_.push_back(now_);
    return std::nullopt;
}

std::optional<End> BoundedClasses::follow(Choice const& choice) {
    of_frames_.resize(frames_.size());
    now_ = of_frames_.back();
    auto const* const execute = std::get_if<Execute>(&choice.t);
    if (execute != nullptr && !choice.is_end) { // where a thread stops, it does not step
        std::uint32_t const t = code().thread_of(execute->rho);
        if (now_.thread != nobody && t != now_.thread) ++now_.switches;
        now_.thread = t;
    }
    if (now_.switches > most_) return std::nullopt;
    take(choice);
    return examine();
}

} // namespace matchpoint::executions
