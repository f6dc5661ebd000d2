#include "matching/ordinal_windows.hpp"

#include <algorithm>

namespace matchpoint::matching {

OrdinalWindows::OrdinalWindows(MessageIndex const& messages, Buffering buffering, Extent extent)
    : m_(messages), ordinals_(messages.sends().size()), first_(messages.sends().size()), last_(messages.sends().size()),
      must_(messages.sends().size()) {
    if (extent == Extent::prefix) return;
    bool const zero = buffering == Buffering::zero;
    for (std::uint32_t c = 0; c < m_.code().channels().size(); ++c) {
        auto const sends = m_.sends_of({c});
        Endpoint const beta = m_.code()[Channel{c}].beta;
        bool const all = m_.sends_to(beta) == m_.receives_at(beta).size();
        bool later = false;
        for (std::size_t i = sends.size(); i-- > 0;) {
            later |= all || (zero && !m_.sends()[sends[i]].wait.is_none());
            must_[sends[i]] = later;
        }
    }
}

void OrdinalWindows::derive(Endpoint beta, MatchPairs const& pairs, InferenceCounts* counts) {
    start(beta, pairs);
    while (true) {
        std::size_t const by_channels = narrow_by_channels(beta);
        count(beta);
        std::size_t const by_counting = narrow_by_counting(beta);
        if (counts != nullptr) {
            counts->add(Inference::windows, by_channels);
            counts->add(Inference::counting, by_counting);
        }
        if (by_counting == 0) break;
    }
}

/// The windows that the pairs have by themselves.
void OrdinalWindows::start(Endpoint beta, MatchPairs const& pairs) {
    for (Channel const c : m_.channels_to(beta))
        for (std::uint32_t const s : m_.sends_of(c)) ordinals_[s].clear();
    for (std::uint32_t const r : m_.receives_at(beta))
        for (std::uint32_t const s : pairs.of[r]) ordinals_[s].push_back(m_.receives()[r].ordinal);
    for (Channel const c : m_.channels_to(beta))
        for (std::uint32_t const s : m_.sends_of(c)) {
            first_[s] = ordinals_[s].empty() ? unmatched : ordinals_[s].front();
            last_[s] = ordinals_[s].empty() ? 0 : ordinals_[s].back();
        }
}

/// The first ordinal in a send's window that is at least n.
std::uint32_t OrdinalWindows::first_from(std::uint32_t s, std::uint32_t n) const {
    auto const it = std::lower_bound(ordinals_[s].begin(), ordinals_[s].end(), n);
    return it == ordinals_[s].end() || *it > last_[s] ? unmatched : *it;
}

/// The last ordinal in a send's window that is less than n. If there is none, the send cannot be received.
std::uint32_t OrdinalWindows::last_below(std::uint32_t s, std::uint32_t n) {
    auto const it = std::lower_bound(ordinals_[s].begin(), ordinals_[s].end(), n);
    if (it == ordinals_[s].begin() || *(it - 1) < first_[s]) {
        first_[s] = unmatched;
        return 0;
    }
    return *(it - 1);
}

/// Inference `windows`. Returns how many ends of windows it moved. In each channel, sends that cannot be received come last
/// then.
std::size_t OrdinalWindows::narrow_by_channels(Endpoint beta) {
    std::size_t moved = 0;
    for (Channel const c : m_.channels_to(beta)) {
        auto const sends = m_.sends_of(c);
        for (std::size_t i = sends.size(); i-- > 1;) {
            if (!must_[sends[i]]) continue;
            std::uint32_t const s = sends[i - 1];
            if (first_[s] == unmatched) continue;
            if (first_[sends[i]] == unmatched)
                first_[s] = unmatched;
            else if (last_[s] >= last_[sends[i]])
                last_[s] = last_below(s, last_[sends[i]]);
            else
                continue;
            ++moved;
        }
        for (std::size_t i = 1; i < sends.size(); ++i) {
            std::uint32_t const previous = first_[sends[i - 1]];
            std::uint32_t& first = first_[sends[i]];
            if (first == unmatched) continue;
            std::uint32_t const was = first;
            first = previous == unmatched ? unmatched : first_from(sends[i], std::max(first, previous + 1));
            if (first != was) ++moved;
        }
    }
    return moved;
}

void OrdinalWindows::count(Endpoint beta) {
    auto const places = m_.receives_at(beta).size();
    can_.assign(places + 1, 0);
    has_to_.assign(places + 1, 0);
    for (Channel const c : m_.channels_to(beta)) {
        for (std::uint32_t const s : m_.sends_of(c)) {
            if (first_[s] == unmatched) continue;
            ++can_[std::min<std::size_t>(first_[s] + 1, places)];
            if (must_[s]) ++has_to_[std::min<std::size_t>(last_[s] + 1, places)];
        }
    }
    for (std::size_t n = 1; n <= places; ++n) {
        can_[n] += can_[n - 1];
        has_to_[n] += has_to_[n - 1];
    }
}

/// Inference `counting`, at both ends of the windows. Returns how many windows it narrowed. All of them are judged by the
/// same counts.
std::size_t OrdinalWindows::narrow_by_counting(Endpoint beta) {
    changed_.clear();
    for (Channel const c : m_.channels_to(beta)) {
        for (std::uint32_t const s : m_.sends_of(c)) {
            if (first_[s] == unmatched) continue;
            auto first = std::lower_bound(ordinals_[s].begin(), ordinals_[s].end(), first_[s]);
            auto last = std::upper_bound(first, ordinals_[s].end(), last_[s]);
            while (first != last && obstacle(s, *first)) ++first;
            while (first != last && obstacle(s, *(last - 1))) --last;
            Window const w = first == last ? Window{s, unmatched, 0} : Window{s, *first, *(last - 1)};
            if (w.first != first_[s] || w.last != last_[s]) changed_.push_back(w);
        }
    }
    for (Window const& w : changed_) first_[w.s] = w.first, last_[w.s] = w.last;
    return changed_.size();
}

std::optional<OrdinalWindows::Obstacle> OrdinalWindows::obstacle(std::uint32_t s, std::uint32_t n) const {
    using Why = Exclusion::Why;
    auto const& send = m_.sends()[s];
    if (first_[s] == unmatched || n < first_[s])
        return Obstacle{Inference::windows, Why::too_soon, first_[s] == unmatched ? n + 1 : first_[s]};
    if (n > last_[s]) return Obstacle{Inference::windows, Why::too_late, last_[s]};
    // can_ and has_to_ count the send's own channel too. Of that channel exactly the sends before it are received before.
    std::uint32_t can = can_[n];
    std::uint32_t has_to = has_to_[n];
    auto const own = m_.sends_of(send.channel);
    auto const own_that = [&](auto const& before_n) {
        return static_cast<std::uint32_t>(std::partition_point(own.begin(), own.end(), before_n) - own.begin());
    };
    can -= own_that([&](std::uint32_t other) { return first_[other] != unmatched && first_[other] < n; });
    has_to -=
        own_that([&](std::uint32_t other) { return must_[other] && first_[other] != unmatched && last_[other] < n; });
    if (send.place + can < n) return Obstacle{Inference::counting, Why::too_late, send.place + can};
    if (send.place + has_to > n) return Obstacle{Inference::counting, Why::too_soon, send.place + has_to};
    return std::nullopt;
}

} // namespace matchpoint::matching
