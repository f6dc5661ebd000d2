#include "executions/shared/few_switches.hpp"

namespace matchpoint::executions {

FewSwitches::Answer FewSwitches::search() {
    for (;; ++bound_) {
        has_cut_ = false;
        least_.clear();
        Answer const answer = search_within_bound();
        if (answer != Answer::none) return answer;
        if (!has_cut_ || bound_ == options_.most) return Answer::none;
    }
}

bool FewSwitches::is_found() const {
    return state().s == Status::failure && (options_.runs == Runs::executions || state().finished());
}

bool FewSwitches::is_worse_than_known(std::uint32_t thread, std::uint32_t switches) {
    key_.clear();
    sharing_.append_key(
        state(), symmetry_, [&](std::uint32_t t, std::string& key) { key += t == thread ? 'r' : '-'; }, key_);
    spend(8 + key_.size());
    return least_.is_worse(key_, switches);
}

void FewSwitches::push_choices(std::uint32_t thread, std::uint32_t switches) {
    auto const first = static_cast<std::uint32_t>(pool_.size());
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
        auto const rho = next_of(t);
        if (!rho || !can_step(*rho)) continue;
        bool const is_switch = thread != nobody && t != thread;
        if (is_switch && switches == bound_)
            has_cut_ = true;
        else
            pool_.emplace_back(Execute{*rho});
    }
    add_deliveries(pool_);
    frames_.push_back({mark(), first, first, thread, switches});
}

FewSwitches::Answer FewSwitches::search_within_bound() {
    push_choices(nobody, 0);
    while (!frames_.empty()) {
        Frame& frame = frames_.back();
        back_to(frame.mark);
        if (frame.next == pool_.size()) {
            pool_.resize(frame.first);
            frames_.pop_back();
            continue;
        }
        if (steps() >= options_.steps || (options_.stop && options_.stop())) return Answer::stopped;
        std::uint32_t thread = frame.thread;
        std::uint32_t switches = frame.switches;
        Transition const chosen = pool_[frame.next++];
        if (auto const* const e = std::get_if<Execute>(&chosen)) {
            std::uint32_t const t = code().thread_of(e->rho);
            if (thread != nobody && t != thread) ++switches;
            thread = t;
            execute(e->rho);
            if (!is_found()) run_local_commands(thread);
            if (is_found()) return Answer::found;
        } else {
            move(std::get<Deliver>(chosen).channel);
        }
        if (!is_worse_than_known(thread, switches)) push_choices(thread, switches);
    }
    return Answer::none;
}

} // namespace matchpoint::executions
