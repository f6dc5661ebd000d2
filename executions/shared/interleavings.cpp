#include "executions/shared/interleavings.hpp"

#include <utility>

namespace matchpoint::executions {

bool Interleavings::is_seen() {
    key_.clear();
    sharing_.append_key(
        state(), symmetry_,
        [&](std::uint32_t t, std::string& key) {
            if (!ended_.empty()) key += next_of(t) && !goes_on(t) ? 'e' : '-';
        },
        key_);
    spend(8 + key_.size());
    if (seen_.insert(key_)) return false;
    ++counts_.left;
    return true;
}

/// Each can let others go on.
void Interleavings::run_all_local_commands() {
    for (bool again = true; again;) {
        again = false;
        for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
            while (goes_on(t) && run_local_commands(t)) again = true;
    }
}

/// Goes on from a state as long as there is one choice. Then it is an end; or it opens a frame; or it was seen.
std::optional<End> Interleavings::examine() {
    for (bool is_first = true;; is_first = false) {
        run_all_local_commands();
        // Where there is one choice, looking a state up costs more than it would save. Before the first one it is not
        // known.
        if (is_first && is_seen()) return std::nullopt;
        find_persistent_set();
        if (!is_first && best_.size() != 1 && is_seen()) return std::nullopt;
        look_for_race();
        if (best_.empty()) return end_of_execution();
        if (best_.size() > 1) break;
        static_cast<void>(take_chain(best_.front()));
    }
    open_frame(best_);
    has_way_to_the_end_.resize(frames_.size());
    has_way_to_the_end_.back() = false;
    return std::nullopt;
}

/// Takes a choice, and goes on to the end of the chain that begins with it, as far as that can be executed.
Interleavings::Chain Interleavings::take_chain(Choice const& choice) {
    take(choice);
    Execute const* const begin = std::get_if<Execute>(&choice.t);
    if (movers() == nullptr || begin == nullptr || choice.is_end) return Chain::done;
    std::uint32_t const end = movers()->chain_end[begin->rho.index];
    std::uint32_t const thread = code().thread_of(begin->rho);
    for (auto rho = next_of(thread); rho && rho->index <= end; rho = next_of(thread)) {
        look_for_race();
        auto const next = command_of(thread);
        if (!next && is_enabled(code(), state(), buffering(), Execute{*rho}) && halts_before({*rho}))
            return Chain::has_left_path;
        if (!next || next->is_end) return Chain::stopped;
        take(*next);
    }
    return Chain::done;
}

std::optional<End> Interleavings::follow(Choice const& choice) {
    std::size_t const frame = frames_.size() - 1;
    bool const is_last = frames_.back().next == pool_.size();
    Status const before = state().s;
    bool const has_left = take_chain(choice) == Chain::has_left_path && state().s == before;
    if (has_left && std::exchange(has_left_path_, true) && (has_way_to_the_end_[frame] || !is_last)) {
        ++counts_.left;
        return std::nullopt;
    }
    has_way_to_the_end_[frame] = true;
    return examine();
}

} // namespace matchpoint::executions
