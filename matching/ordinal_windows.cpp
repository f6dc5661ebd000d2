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
    for (std::uint32_t const r : m_.receives_at(beta)) {
        spend(4 * pairs.of[r].size());
        for (std::uint32_t const s : pairs.of[r]) ordinals_[s].push_back(m_.receives()[r].ordinal);
    }
    for (Channel const c : m_.channels_to(beta))
        for (std::uint32_t const s : m_.sends_of(c)) {
            first_[s] = ordinals_[s].empty() ? unmatched : ordinals_[s].front();
            last_[s] = ordinals_[s].empty() ? 0 : ordinals_[s].back();
        }
}

void OrdinalWindows::begin_with_intervals() {
    are_intervals_ = true;
    farthest_.resize(first_.size());
    for (std::uint32_t s = 0; s < first_.size(); ++s) {
        spend(8);
        auto const& send = m_.sends()[s];
        Endpoint const beta = m_.beta_of(send);
        auto const places = static_cast<std::uint32_t>(m_.receives_at(beta).size());
        std::uint32_t const others = m_.sends_to(beta) - static_cast<std::uint32_t>(m_.sends_of(send.channel).size());
        first_[s] = send.place < places ? send.place : unmatched;
        last_[s] = send.place < places ? std::min(send.place + others, places - 1) : 0;
    }
    for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta) note_farthest({beta});
}

bool OrdinalWindows::cut(std::uint32_t s, std::uint32_t first, std::uint32_t last) {
    if (is_empty(s)) return false;
    std::uint32_t const was_first = first_[s], was_last = last_[s];
    first_[s] = std::max(first_[s], first);
    last_[s] = std::min(last_[s], last);
    if (first_[s] > last_[s]) first_[s] = unmatched, last_[s] = 0;
    return first_[s] != was_first || last_[s] != was_last;
}

void OrdinalWindows::narrow(Endpoint beta, InferenceCounts* counts) {
    constexpr std::size_t most_rounds = 100; // stopping early is sound
    for (std::size_t round = 0; round < most_rounds; ++round) {
        std::size_t const by_channels = narrow_by_channels(beta);
        count(beta);
        changed_.clear();
        std::size_t by_counting = 0;
        for (Channel const c : m_.channels_to(beta)) by_counting += narrow_intervals_by_counting(c);
        apply_changes();
        if (counts != nullptr) {
            counts->add(Inference::windows, by_channels);
            counts->add(Inference::counting, by_counting);
        }
        if (by_counting == 0) break;
    }
    narrow_by_channels(beta); // in each channel, sends that cannot be received come last
    note_farthest(beta);
}

void OrdinalWindows::note_farthest(Endpoint beta) {
    for (Channel const c : m_.channels_to(beta)) {
        std::uint32_t farthest = 0;
        for (std::uint32_t const s : m_.sends_of(c)) {
            if (!is_empty(s)) farthest = std::max(farthest, last_[s]);
            farthest_[s] = farthest;
        }
    }
}

std::pair<std::uint32_t, std::uint32_t> OrdinalWindows::places_at(Channel c, std::uint32_t n) const {
    auto const sends = m_.sends_of(c);
    auto const place_where = [&](auto const& before) {
        return static_cast<std::uint32_t>(std::partition_point(sends.begin(), sends.end(), before) - sends.begin());
    };
    // Both ends ascend along the channel: the first ordinals by inference `windows`.
    std::uint32_t const from = place_where([&](std::uint32_t s) { return farthest_[s] < n; });
    std::uint32_t const to = place_where([&](std::uint32_t s) { return first_[s] <= n; });
    return {from, std::max(from, to)};
}

/// The first ordinal in a send's window that is at least n.
std::uint32_t OrdinalWindows::first_from(std::uint32_t s, std::uint32_t n) const {
    if (are_intervals_) return n <= last_[s] ? std::max(n, first_[s]) : unmatched;
    auto const it = std::lower_bound(ordinals_[s].begin(), ordinals_[s].end(), n);
    return it == ordinals_[s].end() || *it > last_[s] ? unmatched : *it;
}

/// The last ordinal in a send's window that is less than n. If there is none, the send cannot be received.
std::uint32_t OrdinalWindows::last_below(std::uint32_t s, std::uint32_t n) {
    if (are_intervals_) {
        if (n > first_[s]) return std::min(last_[s], n - 1);
        first_[s] = unmatched;
        return 0;
    }
    auto const it = std::lower_bound(ordinals_[s].begin(), ordinals_[s].end(), n);
    if (it == ordinals_[s].begin() || *(it - 1) < first_[s]) {
        first_[s] = unmatched;
        return 0;
    }
    return *(it - 1);
}

/// Inference `windows`. Returns how many ends of windows it moved. In each channel, sends that cannot be received come
/// last then.
std::size_t OrdinalWindows::narrow_by_channels(Endpoint beta) {
    std::size_t moved = 0;
    for (Channel const c : m_.channels_to(beta)) {
        auto const sends = m_.sends_of(c);
        spend(8 * sends.size());
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
    spend(places + m_.sends_to(beta));
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

/// Inference `counting`, at both ends of the windows. Returns how many windows it narrowed. All of them are judged by
/// the same counts.
std::size_t OrdinalWindows::narrow_by_counting(Endpoint beta) {
    changed_.clear();
    for (Channel const c : m_.channels_to(beta)) {
        for (std::uint32_t const s : m_.sends_of(c)) {
            if (first_[s] == unmatched) continue;
            spend(16);
            auto first = std::lower_bound(ordinals_[s].begin(), ordinals_[s].end(), first_[s]);
            auto last = std::upper_bound(first, ordinals_[s].end(), last_[s]);
            while (first != last && obstacle(s, *first)) ++first;
            while (first != last && obstacle(s, *(last - 1))) --last;
            Window const w = first == last ? Window{s, unmatched, 0} : Window{s, *first, *(last - 1)};
            if (w.first != first_[s] || w.last != last_[s]) changed_.push_back(w);
        }
    }
    return apply_changes();
}

std::size_t OrdinalWindows::apply_changes() {
    for (Window const& w : changed_) first_[w.s] = w.first, last_[w.s] = w.last;
    return changed_.size();
}

/// The same of intervals. Returns how many windows change; they are in `changed_`.
std::size_t OrdinalWindows::narrow_intervals_by_counting(Channel c) {
    of_channel_.clear();
    for (std::uint32_t const s : m_.sends_of(c))
        if (!is_empty(s)) of_channel_.push_back({s, first_[s], last_[s]});
    cut_beginnings();
    cut_ends();
    std::size_t const before = changed_.size();
    for (Window& w : of_channel_) {
        if (w.first > w.last) w.first = unmatched, w.last = 0;
        if (w.first != first_[w.s] || w.last != last_[w.s]) changed_.push_back(w);
    }
    return changed_.size() - before;
}

/// Along a channel the ordinals ascend, so each one is looked at once.
void OrdinalWindows::cut_beginnings() {
    std::uint32_t next = 0;
    for (Window& w : of_channel_) {
        w.first = std::max(w.first, next);
        while (w.first <= w.last && obstacle(w.s, w.first)) ++w.first;
        next = w.first + 1;
    }
}

/// Likewise backwards, for sends that must be received. The others need not ascend: it looks at a few ordinals of each.
void OrdinalWindows::cut_ends() {
    constexpr unsigned patience = 64;
    std::optional<std::uint32_t> bound; // the last ordinal of the next send
    for (std::size_t i = of_channel_.size(); i-- > 0;) {
        Window& w = of_channel_[i];
        if (bound) w.last = std::min(w.last, *bound == 0 ? 0 : *bound - 1);
        bool const must = must_[w.s];
        for (unsigned steps = 0; w.last > w.first && (must || steps < patience) && obstacle(w.s, w.last); ++steps)
            --w.last;
        if (must) bound = w.last;
    }
}

std::optional<OrdinalWindows::Obstacle> OrdinalWindows::obstacle(std::uint32_t s, std::uint32_t n) const {
    using Why = Exclusion::Why;
    spend(8);
    auto const& send = m_.sends()[s];
    if (first_[s] == unmatched || n < first_[s])
        return Obstacle{Inference::windows, Why::too_soon, first_[s] == unmatched ? n + 1 : first_[s]};
    if (n > last_[s]) return Obstacle{Inference::windows, Why::too_late, last_[s]};
    // can_ and has_to_ count the send's own channel too. Of that channel exactly the sends before it are received
    // before.
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
