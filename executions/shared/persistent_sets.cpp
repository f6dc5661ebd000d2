#include "executions/shared/persistent_sets.hpp"

#include <algorithm>
#include <utility>

namespace matchpoint::executions {

void PersistentSets::find_last_commands() {
    senders_to_.resize(code().endpoints().size());
    posts_at_.resize(senders_to_.size());
    Ctp const& ctp = code().ctp();
    for (std::uint32_t at = 0; at < ctp.commands.size(); ++at) {
        auto const add = [&](std::vector<Last>& all) {
            std::uint32_t const thread = code().thread_of({at});
            if (all.empty() || all.back().thread != thread) all.push_back({thread, at});
            all.back().command = at;
        };
        Command const& c = ctp.commands[at].c;
        if (Sndi const* const send = as_sndi(c)) add(senders_to_[send->beta.index]);
        if (Rcvi const* const receive = as_rcvi(c)) add(posts_at_[receive->beta.index]);
        if (Probe const* const probe = as_probe(c)) add(posts_at_[probe->beta.index]);
        if (Start const* const start = as_start(c))
            if (Probe const* const probe = code().as_probe(start->a)) add(posts_at_[probe->beta.index]);
    }
}

void PersistentSets::add_all_left(std::vector<Last> const& all, std::vector<std::uint32_t>& to) const {
    for (Last const& last : all)
        if (state().ctp[last.thread] <= last.command) to.push_back(last.thread);
}

void PersistentSets::look_at(std::uint32_t thread, Next& next) {
    next.choices.clear();
    next.needs.clear();
    if (!goes_on(thread)) return;
    Location const rho = *next_of(thread);
    if (movers_ != nullptr) {
        for (Movers::Rival const& rival : movers_->of(rho.index))
            if (state().ctp[rival.thread] <= rival.last) next.needs.push_back(rival.thread);
    } else {
        sharing_.for_each_rival(state(), rho, [&](std::uint32_t rival) {
            if (next.needs.empty() || next.needs.back() != rival) next.needs.push_back(rival);
        });
    }
    if (code().has_contested_calls())
        code().collectives()->for_each_opponent(rho, [&](std::uint32_t opponent) { next.needs.push_back(opponent); });
    spend(8 + next.needs.size());
    auto const choice = command_of(thread);
    if (choice) next.choices.push_back(*choice);
    add_peeks_of(thread, next.choices);
    if (!is_in_model(rho)) return;
    if (auto const beta = wanted_by(rho)) {
        // It needs a message to be sent, or a receive to be posted; a ready send needs a receive that is left.
        add_all_left(senders_to_[beta->index], next.needs);
        add_all_left(posts_at_[beta->index], next.needs);
        begin_choices();
        add_deliveries_to(*beta, next.choices);
    }
    if (choice) return;
    if (auto const missing = missing_at(state(), code(), rho)) next.needs.push_back(*missing);
    if (Location const call = code().call_of(rho); !call.is_none())
        if (auto const missing = code().collectives()->missing(state(), call, buffering()))
            next.needs.push_back(*missing);
}

PersistentSets::Next const& PersistentSets::next_of_thread(std::uint32_t thread) {
    Next& next = next_[thread];
    if (std::exchange(next.looked_at, looks_) != looks_) look_at(thread, next);
    return next;
}

/// Leaves in chosen_ the choices of a thread and of all that it depends on. False: a set that was found before is part
/// of them.
bool PersistentSets::close_over(std::uint32_t thread) {
    ++closure_;
    chosen_.clear();
    work_.assign(1, thread);
    thread_mark_[thread] = closure_;
    while (!work_.empty()) {
        std::uint32_t const t = work_.back();
        work_.pop_back();
        Next const& of_thread = next_of_thread(t);
        spend(1 + of_thread.needs.size());
        // Two threads can wait for one delivery.
        for (Choice const& choice : of_thread.choices)
            if (std::holds_alternative<Execute>(choice.t) ||
                std::find(chosen_.begin(), chosen_.end(), choice) == chosen_.end())
                chosen_.push_back(choice);
        for (std::uint32_t const other : of_thread.needs) {
            if (next_[other].closed == looks_) return false;
            if (std::exchange(thread_mark_[other], closure_) != closure_) work_.push_back(other);
        }
    }
    return true;
}

void PersistentSets::find_persistent_set(std::vector<Choice> const& asleep) {
    ++looks_;
    best_.clear();
    std::size_t least = SIZE_MAX; // choices that do not sleep
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
        if (!next_of(t)) continue;
        if (!close_over(t) || chosen_.empty()) continue;
        next_[t].closed = looks_;
        std::size_t awake = chosen_.size();
        if (!asleep.empty())
            awake = static_cast<std::size_t>(std::count_if(chosen_.begin(), chosen_.end(), [&](Choice const& c) {
                return std::find(asleep.begin(), asleep.end(), c) == asleep.end();
            }));
        if (awake >= least) continue;
        least = awake;
        std::swap(best_, chosen_);
        if (least == 0 || best_.size() == 1) return;
    }
}

} // namespace matchpoint::executions
