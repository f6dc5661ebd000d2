#include "executions/shared/few_switches.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace matchpoint::executions {

namespace {

void append_thread_number(std::string& key, std::uint32_t n) {
    char bytes[sizeof n];
    std::memcpy(bytes, &n, sizeof n);
    key.append(bytes, sizeof n);
}

void no_mark(std::uint32_t, std::string&) {}

} // namespace

FewSwitches::FewSwitches(MessageIndex const& messages, Options options)
    : SharedScheduler(messages, options.buffering, options.model), options_(std::move(options)),
      symmetry_(messages.code(), options_.model),
      has_views_(options_.model == nullptr && messages.code().has_plain_messages() && messages.sends().empty() &&
                 messages.receives().empty()),
      counts_(state().ctp.size()) {
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) alike_.push_back(t);
    for (auto const& group : symmetry_.groups())
        for (std::uint32_t const t : group) alike_[t] = group.front();
}

FewSwitches::Answer FewSwitches::search_on(std::uint32_t most, std::function<bool()> stop) {
    options_.most = most;
    options_.stop = std::move(stop);
    return search();
}

FewSwitches::Answer FewSwitches::search() {
    for (; bound_ <= options_.most; ++bound_) {
        Answer const answer = search_within_bound();
        if (answer != Answer::none) return answer;
        has_seen_all_ = !has_cut_;
        if (has_seen_all_) break;
    }
    return Answer::none;
}

bool FewSwitches::is_to_stop() {
    constexpr std::uint64_t steps_between_looks = 32;
    if (steps() >= options_.steps) return true;
    if (!options_.stop || steps() - looked_ < steps_between_looks) return false;
    looked_ = steps();
    return options_.stop();
}

bool FewSwitches::is_found() const {
    return state().s == Status::failure && (options_.runs == Runs::executions || state().finished());
}

/// Takes a chain, or a single command, and then local commands.
FewSwitches::Stepped FewSwitches::step(Execute t) {
    Location const rho = t.rho;
    std::uint32_t const thread = code().thread_of(rho);
    std::uint32_t const end = options_.movers == nullptr ? rho.index : options_.movers->chain_end[rho.index];
    if (t.peek.is_none())
        execute(rho);
    else
        see(rho, t.peek);
    for (auto next = next_of(thread); !is_found() && next && next->index <= end; next = next_of(thread)) {
        if (!can_step(*next)) return Stepped::stopped;
        execute(*next);
    }
    if (!is_found()) run_local_commands(thread);
    return is_found() ? Stepped::found : Stepped::done;
}

/// Runs::complete: every unfinished thread has to run.
std::uint32_t FewSwitches::needed_to_finish(std::uint32_t thread) const {
    std::uint32_t others = 0;
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
        if (t != thread && next_of(t)) ++others;
    return thread == nobody && others > 0 ? others - 1 : others;
}

/// The fewest context switches with which an execution may go on to a failure while this thread is running, as far as
/// that is known; UINT32_MAX if it cannot. Exact up to `most`, and otherwise more than that.
std::uint32_t FewSwitches::needed(std::uint32_t thread, std::uint32_t most) const {
    std::uint32_t const rest = options_.runs == Runs::complete ? needed_to_finish(thread) : 0;
    if (options_.needs == nullptr || state().s == Status::failure) return rest;
    std::uint32_t least = UINT32_MAX;
    for (std::uint32_t u = 0; u < state().ctp.size() && least > 0; ++u) {
        auto const next = next_of(u);
        std::uint32_t const assertion = next ? options_.needs->next[next->index] : AssertionNeeds::none;
        if (assertion == AssertionNeeds::none) continue;
        std::uint32_t others = 0; // than u and the running thread
        for (AssertionNeeds::Need const& need : options_.needs->of(assertion))
            if (need.thread != thread && state().ctp[need.thread] < need.until && ++others > most) break;
        bool const begins_there = thread == nobody || (thread == u && others == 0);
        least = std::min(least, begins_there ? others : others + 1);
    }
    return std::max(least, rest);
}

void FewSwitches::append_running(std::uint32_t thread) {
    append_thread_number(key_, alike_[thread]);
    if (symmetry_.is_in_group(thread)) sharing_.append_thread(state(), symmetry_, thread, key_);
}

bool FewSwitches::is_known(std::uint32_t thread, std::uint32_t switches) {
    std::uint32_t const left = bound_ - switches;
    if (has_views_ && left == 0) return false; // run_alone() looks itself
    key_.clear();
    sharing_.append_key(state(), symmetry_, no_mark, key_);
    spend(8 + key_.size());
    if (least_of_any_.has_fewer(key_, switches)) return true;
    if (has_views_ && left == 1) return is_known_before_last_switch(thread);
    if (left > 0) static_cast<void>(least_of_any_.is_worse(key_, switches));
    append_running(thread);
    return least_.is_worse(key_, switches);
}

/// Another thread that steps after the last switch has to be one that can fail without any third one.
bool FewSwitches::is_known_before_last_switch(std::uint32_t thread) {
    for (std::uint32_t t = 0; t < counts_.size(); ++t)
        counts_[t] = t == thread || options_.runs == Runs::complete || can_fail_next(t, thread);
    key_.clear();
    sharing_.append_key(state(), symmetry_, no_mark, key_, &counts_);
    append_running(thread);
    spend(8 + key_.size());
    return !last_but_->insert(key_);
}

/// Whether an assertion of a thread may fail once the running thread has gone on, and no other one.
bool FewSwitches::can_fail_next(std::uint32_t thread, std::uint32_t running) const {
    auto const next = next_of(thread);
    if (options_.needs == nullptr || !next) return next.has_value();
    std::uint32_t const assertion = options_.needs->next[next->index];
    if (assertion == AssertionNeeds::none) return false;
    auto const needs = options_.needs->of(assertion);
    return std::all_of(needs.begin(), needs.end(), [&](AssertionNeeds::Need const& need) {
        return need.thread == running || state().ctp[need.thread] >= need.until;
    });
}

bool FewSwitches::is_new_view(std::uint32_t thread) {
    key_.clear();
    append_thread_number(key_, sharing_.has_alike_views() ? alike_[thread] : thread);
    sharing_.append_view(state(), thread, key_);
    spend(8 + key_.size());
    return views_->insert(key_);
}

/// Runs a thread as far as it gets without the others. True if that is what is looked for.
bool FewSwitches::run_alone(std::uint32_t thread) {
    for (auto rho = next_of(thread); rho && needed(thread, 0) == 0; rho = next_of(thread)) {
        if (!can_step(*rho) || !is_new_view(thread)) return false;
        switch (step(Execute{*rho})) {
        case Stepped::found: return true;
        case Stepped::stopped: return false;
        case Stepped::done: break;
        }
    }
    return false;
}

bool FewSwitches::is_probe_that_sees(Location rho) const {
    return code().has_probes() && can_see_some(state(), code(), rho);
}

/// A probe once for each message that it can see.
void FewSwitches::add_executions(Location rho, std::vector<Transition>& to) const {
    if (as_probe(code().command_at(rho)) == nullptr)
        to.emplace_back(Execute{rho});
    else
        for_each_peek(state(), code(), rho, [&](Channel lane) { to.emplace_back(Execute{rho, lane}); });
}

/// Opens a frame with what can come next. Where a thread runs alone from now on, it looks at that at once. True if that
/// is what is looked for.
bool FewSwitches::open(std::uint32_t thread, std::uint32_t switches) {
    std::uint32_t const left = bound_ - switches;
    if (has_views_ && thread != nobody && left == 0) {
        for (std::uint32_t t = 0; t < state().ctp.size(); ++t) has_cut_ = has_cut_ || (t != thread && next_of(t));
        return run_alone(thread);
    }
    auto const first = static_cast<std::uint32_t>(pool_.size());
    Mark const here = mark();
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
        auto const rho = next_of(t);
        if (!rho || !(can_step(*rho) || is_probe_that_sees(*rho))) continue;
        bool const is_switch = thread != nobody && t != thread;
        if (is_switch && left == 0) {
            has_cut_ = true;
            continue;
        }
        std::uint32_t const then = is_switch ? left - 1 : left;
        if (std::uint32_t const least = needed(t, then); least > then) {
            has_cut_ = has_cut_ || least != UINT32_MAX;
            continue;
        }
        if (!has_views_ || then > 0 || thread == nobody) {
            add_executions(*rho, pool_);
            continue;
        }
        for (std::uint32_t u = 0; u < state().ctp.size(); ++u) has_cut_ = has_cut_ || (u != t && next_of(u));
        if (run_alone(t)) return true;
        back_to(here);
    }
    add_deliveries(pool_);
    frames_.push_back({here, first, first, thread, switches});
    return false;
}

FewSwitches::Answer FewSwitches::search_within_bound() {
    if (!std::exchange(is_within_, true)) {
        has_cut_ = false;
        least_.clear();
        least_of_any_.clear();
        views_.emplace();
        last_but_.emplace();
        if (open(nobody, 0)) return Answer::found;
    }
    while (!frames_.empty()) {
        Frame& frame = frames_.back();
        back_to(frame.mark);
        if (frame.next == pool_.size()) {
            pool_.resize(frame.first);
            frames_.pop_back();
            continue;
        }
        if (is_to_stop()) return Answer::stopped;
        std::uint32_t thread = frame.thread;
        std::uint32_t switches = frame.switches;
        Transition const chosen = pool_[frame.next++];
        if (auto const* const e = std::get_if<Execute>(&chosen)) {
            std::uint32_t const t = code().thread_of(e->rho);
            if (thread != nobody && t != thread) ++switches;
            thread = t;
            Stepped const stepped = step(*e);
            if (stepped == Stepped::found) return Answer::found;
            if (stepped == Stepped::stopped) continue;
        } else {
            move(std::get<Deliver>(chosen).channel);
        }
        if (!is_known(thread, switches) && open(thread, switches)) return Answer::found;
    }
    is_within_ = false;
    return Answer::none;
}

} // namespace matchpoint::executions
