#include "executions/shared/interleavings.hpp"

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
        take(best_.front());
    }
    open_frame(best_);
    return std::nullopt;
}

std::optional<End> Interleavings::follow(Choice const& choice) {
    take(choice);
    return examine();
}

} // namespace matchpoint::executions
