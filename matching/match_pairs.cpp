#include "matching/match_pairs.hpp"

#include <algorithm>
#include <stdexcept>

#include "matching/possible_order.hpp"

namespace matchpoint::matching {

namespace {

/// What has to come before a command in every complete run: of some threads all up to a location. By thread, ascending.
using Before = std::vector<std::pair<std::uint32_t, std::uint32_t>>; // thread, its last such command

/// Adds what is before another one. True if that was news.
bool join(Before& into, Before const& from) {
    bool changed = false;
    Before result;
    result.reserve(into.size() + from.size());
    auto a = into.begin();
    auto b = from.begin();
    while (a != into.end() || b != from.end()) {
        if (b == from.end() || (a != into.end() && a->first < b->first)) {
            result.push_back(*a++);
        } else if (a == into.end() || b->first < a->first) {
            result.push_back(*b++);
            changed = true;
        } else {
            changed |= b->second > a->second;
            result.emplace_back(a->first, std::max(a->second, b->second));
            ++a, ++b;
        }
    }
    if (changed) into = std::move(result);
    return changed;
}

/// Keeps what both say.
void meet(Before& into, Before const& from) {
    std::size_t kept = 0;
    auto b = from.begin();
    for (auto const& a : into) {
        while (b != from.end() && b->first < a.first) ++b;
        if (b != from.end() && b->first == a.first) into[kept++] = {a.first, std::min(a.second, b->second)};
    }
    into.resize(kept);
}

class Tight {
public:
    Tight(MessageIndex const& messages, Buffering buffering, MatchPairs pairs, std::vector<Exclusion>* excluded)
        : m_(messages), code_(messages.code()), zero_(buffering == Buffering::zero), excluded_(excluded),
          pairs_(std::move(pairs)), before_(code_.ctp().commands.size()), ordinals_(messages.sends().size()),
          first_(messages.sends().size()), last_(messages.sends().size()), must_(messages.sends().size()) {
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c) {
            auto const sends = m_.sends_of({c});
            bool const all = m_.sends_to(code_[Channel{c}].beta) == m_.receives_at(code_[Channel{c}].beta).size();
            bool later = false;
            for (std::size_t i = sends.size(); i-- > 0;) {
                later |= all || (zero_ && !m_.sends()[sends[i]].wait.is_none());
                must_[sends[i]] = later;
            }
        }
    }

    MatchPairs take() {
        bool changed = true;
        while (changed) {
            order();
            if (excluded_ != nullptr) ordered_by_ = pairs_;
            changed = leave_out([&](Pair p) { return by_order(p); });
            for (std::uint32_t beta = 0; beta < code_.endpoints().size(); ++beta) {
                if (m_.receives_at({beta}).empty()) continue;
                candidates({beta});
                do {
                    windows({beta});
                    count({beta});
                } while (tighten({beta}));
                for (std::uint32_t const r : m_.receives_at({beta}))
                    changed |= leave_out(r, [&](Pair p) { return by_count(p); });
            }
        }
        return std::move(pairs_);
    }

private:
    template <typename Excluded>
    bool leave_out(Excluded excluded) {
        bool changed = false;
        for (std::uint32_t r = 0; r < pairs_.of.size(); ++r) changed |= leave_out(r, excluded);
        return changed;
    }
    template <typename Excluded>
    bool leave_out(std::uint32_t r, Excluded excluded) {
        return std::erase_if(pairs_.of[r], [&](std::uint32_t s) {
                   std::optional<Exclusion> why = excluded(Pair{r, s});
                   if (why && excluded_ != nullptr) excluded_->push_back(std::move(*why));
                   return why.has_value();
               }) > 0;
    }

    /// ordinals_, first_ and last_ of what is sent to an endpoint, as the pairs have them.
    void candidates(Endpoint beta) {
        for (Channel const c : m_.channels_to(beta))
            for (std::uint32_t const s : m_.sends_of(c)) ordinals_[s].clear();
        for (std::uint32_t const r : m_.receives_at(beta))
            for (std::uint32_t const s : pairs_.of[r]) ordinals_[s].push_back(m_.receives()[r].ordinal);
        for (Channel const c : m_.channels_to(beta))
            for (std::uint32_t const s : m_.sends_of(c)) {
                first_[s] = ordinals_[s].empty() ? unmatched : ordinals_[s].front();
                last_[s] = ordinals_[s].empty() ? 0 : ordinals_[s].back();
            }
    }

    /// The first of a send's ordinals that is not below the given one.
    std::uint32_t first_from(std::uint32_t s, std::uint32_t n) const {
        auto const it = std::lower_bound(ordinals_[s].begin(), ordinals_[s].end(), n);
        return it == ordinals_[s].end() || *it > last_[s] ? unmatched : *it;
    }
    /// The last one below; none: 0, and then it cannot be received at all.
    std::uint32_t last_below(std::uint32_t s, std::uint32_t n) {
        auto const it = std::lower_bound(ordinals_[s].begin(), ordinals_[s].end(), n);
        if (it == ordinals_[s].begin() || *(it - 1) < first_[s]) {
            first_[s] = unmatched;
            return 0;
        }
        return *(it - 1);
    }

    /// As the order of each channel has them beside that: they are ascending then, and what cannot be received comes last.
    void windows(Endpoint beta) {
        for (Channel const c : m_.channels_to(beta)) {
            auto const sends = m_.sends_of(c);
            for (std::size_t i = sends.size(); i-- > 1;) {
                if (!must_[sends[i]]) continue;
                std::uint32_t const s = sends[i - 1];
                if (first_[sends[i]] == unmatched)
                    first_[s] = unmatched;
                else if (first_[s] != unmatched && last_[s] >= last_[sends[i]])
                    last_[s] = last_below(s, last_[sends[i]]);
            }
            for (std::size_t i = 1; i < sends.size(); ++i) {
                std::uint32_t const previous = first_[sends[i - 1]];
                std::uint32_t& first = first_[sends[i]];
                if (first == unmatched) continue;
                first = previous == unmatched ? unmatched : first_from(sends[i], std::max(first, previous + 1));
            }
        }
    }

    /// The least before_ that follows from program order and from the pairs, as far as a pair can be against it: only what
    /// lies on a cycle of possible_order() can, and whatever leads from one of its nodes to another one lies on it, too.
    void order() {
        auto const& threads = code_.ctp().threads;
        StrongComponents const cycles(possible_order(m_, pairs_, zero_ ? Buffering::zero : Buffering::infinite));
        if (cycles.count == 0) return;
        std::vector<std::vector<std::uint32_t>> completes(before_.size());
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r) completes[m_.receives()[r].nw.index].push_back(r);
        std::vector<std::vector<std::uint32_t>> receives_of(zero_ ? m_.sends().size() : 0);
        if (zero_)
            for (std::uint32_t r = 0; r < pairs_.of.size(); ++r)
                for (std::uint32_t const s : pairs_.of[r]) receives_of[s].push_back(r);

        // What all of some commands have before them, these commands included; nothing if not all are on the same cycles.
        auto const common = [&](auto const& numbers, auto const& location_of, std::uint32_t component) {
            Before result;
            bool is_first = true;
            for (std::uint32_t const number : numbers) {
                Location const rho = location_of(number);
                if (cycles.of[rho.index] != component) return Before();
                Before one = before_[rho.index];
                Before const self{{code_.thread_of(rho), rho.index}};
                join(one, self);
                if (is_first)
                    result = std::move(one);
                else
                    meet(result, one);
                is_first = false;
                if (result.empty()) break;
            }
            return result;
        };
        bool changed = true;
        while (changed) {
            changed = false;
            for (std::uint32_t t = 0; t < threads.size(); ++t) {
                Before before;
                for (std::uint32_t i = threads[t].first; i < threads[t].last; ++i) {
                    if (cycles.of[i] == StrongComponents::alone) continue;
                    if (i > threads[t].first && cycles.on_a_cycle(i - 1, i))
                        join(before, Before{{t, i - 1}});
                    else
                        before.clear();
                    for (std::uint32_t const r : completes[i])
                        join(before,
                             common(
                                 pairs_.of[r], [&](std::uint32_t s) { return m_.sends()[s].rho; }, cycles.of[i]));
                    if (zero_)
                        if (auto const* const wait = std::get_if<Wait>(&code_.command_at({i})))
                            if (code_.as_sndi(wait->a) != nullptr)
                                join(before, common(
                                                 receives_of[m_.send_number(wait->a)],
                                                 [&](std::uint32_t r) { return m_.receives()[r].rho; }, cycles.of[i]));
                    changed |= join(before_[i], before);
                }
            }
        }
    }

    /// Whether one command comes before another one in every run.
    bool precedes(Location a, Location b) const {
        std::uint32_t const thread = code_.thread_of(a);
        auto const& before = before_[b.index];
        auto const it = std::lower_bound(before.begin(), before.end(), std::pair(thread, 0U));
        return it != before.end() && it->first == thread && it->second >= a.index;
    }

    std::optional<Exclusion> by_order(Pair p) const {
        auto const& r = m_.receives()[p.r];
        auto const& s = m_.sends()[p.s];
        auto const excluded = [&](Location a, Location b) {
            Exclusion result{p, Exclusion::Why::order, {}, 0, 0};
            if (excluded_ != nullptr) chains(a, b, result);
            return result;
        };
        if (precedes(r.nw, s.rho)) return excluded(r.nw, s.rho);
        if (zero_ && !s.wait.is_none() && precedes(s.wait, r.rho)) return excluded(s.wait, r.rho);
        return std::nullopt;
    }

    /// Why a command comes before a later one: order(), from this one command on.
    void chains(Location from, Location to, Exclusion& result) const {
        std::vector<std::vector<std::uint32_t>> receives_of(m_.sends().size());
        for (std::uint32_t r = 0; r < ordered_by_.of.size(); ++r)
            for (std::uint32_t const s : ordered_by_.of[r]) receives_of[s].push_back(r);
        // What a command was reached by: matches of which the first one was reached last.
        std::vector<std::optional<std::vector<Pair>>> by(before_.size());
        std::vector<std::uint32_t> sends_behind(m_.receives().size());
        std::vector<std::uint32_t> receives_behind(m_.sends().size());
        std::vector<std::uint32_t> queue;
        auto const reach = [&](Location rho, std::vector<Pair> matches) {
            if (by[rho.index]) return;
            by[rho.index] = std::move(matches);
            queue.push_back(rho.index);
        };
        reach(from, {});
        for (std::size_t i = 0; i < queue.size() && !by[to.index]; ++i) {
            Location const at{queue[i]};
            if (at.index + 1 < code_.ctp().threads[code_.thread_of(at)].last) reach({at.index + 1}, {});
            if (auto const* const sndi = std::get_if<Sndi>(&code_.command_at(at))) {
                std::uint32_t const s = m_.send_number(sndi->a);
                for (std::uint32_t const r : receives_of[s]) {
                    auto const& sends = ordered_by_.of[r];
                    if (++sends_behind[r] < sends.size()) continue;
                    std::vector<Pair> matches{{r, s}};
                    for (std::uint32_t const other : sends)
                        if (other != s) matches.push_back({r, other});
                    reach(m_.receives()[r].nw, std::move(matches));
                }
            }
            if (auto const* const rcvi = std::get_if<Rcvi>(&code_.command_at(at)); rcvi != nullptr && zero_) {
                std::uint32_t const r = m_.receive_number(rcvi->a);
                for (std::uint32_t const s : ordered_by_.of[r]) {
                    if (++receives_behind[s] < receives_of[s].size() || m_.sends()[s].wait.is_none()) continue;
                    std::vector<Pair> matches{{r, s}};
                    for (std::uint32_t const other : receives_of[s])
                        if (other != r) matches.push_back({other, s});
                    reach(m_.sends()[s].wait, std::move(matches));
                }
            }
        }
        if (!by[to.index]) throw std::logic_error("tight: an order without a reason");

        // Backwards from the end, and from what else the matches on the way rest on.
        std::vector<bool> is_shown(before_.size());
        is_shown[from.index] = true;
        std::vector<Location> ends{to};
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (is_shown[ends[i].index]) continue;
            if (result.chains.size() == Exclusion::most) {
                ++result.more;
                continue;
            }
            Exclusion::Chain chain;
            Location at = ends[i];
            while (true) {
                chain.push_back({at, is_shown[at.index] ? std::vector<Pair>() : *by[at.index]});
                if (is_shown[at.index]) break;
                is_shown[at.index] = true;
                auto const& matches = chain.back().by;
                if (matches.empty()) {
                    // To where the thread was entered.
                    do --at.index;
                    while (!is_shown[at.index] && by[at.index]->empty());
                    continue;
                }
                bool const by_sends = m_.receives()[matches[0].r].nw == at;
                auto const premise = [&](Pair p) { return by_sends ? m_.sends()[p.s].rho : m_.receives()[p.r].rho; };
                for (std::size_t k = 1; k < matches.size(); ++k) ends.push_back(premise(matches[k]));
                at = premise(matches[0]);
            }
            std::reverse(chain.begin(), chain.end());
            result.chains.push_back(std::move(chain));
        }
    }

    /// For each place n at an endpoint: how many sends can have been received before it, and how many have to be.
    void count(Endpoint beta) {
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

    /// Leaves out what the counting excludes, at both ends of the windows. False: nothing.
    bool tighten(Endpoint beta) {
        changed_.clear();
        for (Channel const c : m_.channels_to(beta)) {
            for (std::uint32_t const s : m_.sends_of(c)) {
                if (first_[s] == unmatched) continue;
                auto first = std::lower_bound(ordinals_[s].begin(), ordinals_[s].end(), first_[s]);
                auto last = std::upper_bound(first, ordinals_[s].end(), last_[s]);
                while (first != last && by_count(s, *first)) ++first;
                while (first != last && by_count(s, *(last - 1))) --last;
                Window const w = first == last ? Window{s, unmatched, 0} : Window{s, *first, *(last - 1)};
                if (w.first != first_[s] || w.last != last_[s]) changed_.push_back(w);
            }
        }
        for (Window const& w : changed_) first_[w.s] = w.first, last_[w.s] = w.last;
        return !changed_.empty();
    }

    struct Bound {
        Exclusion::Why why;
        std::uint32_t n; // the first or last ordinal that the send can have
    };

    std::optional<Exclusion> by_count(Pair p) const {
        auto const bound = by_count(p.s, m_.receives()[p.r].ordinal);
        if (!bound) return std::nullopt;
        return Exclusion{p, bound->why, {}, 0, bound->n};
    }
    /// Why a send does not have an ordinal.
    std::optional<Bound> by_count(std::uint32_t s, std::uint32_t n) const {
        auto const& send = m_.sends()[s];
        if (first_[s] == unmatched || n < first_[s])
            return Bound{Exclusion::Why::too_soon, first_[s] == unmatched ? n + 1 : first_[s]};
        if (n > last_[s]) return Bound{Exclusion::Why::too_late, last_[s]};
        // Of its own channel exactly those before it are.
        std::uint32_t can = can_[n];
        std::uint32_t has_to = has_to_[n];
        auto const own = m_.sends_of(send.channel);
        auto const those = [&](auto const& before_n) {
            return static_cast<std::uint32_t>(std::partition_point(own.begin(), own.end(), before_n) - own.begin());
        };
        can -= those([&](std::uint32_t other) { return first_[other] != unmatched && first_[other] < n; });
        has_to -=
            those([&](std::uint32_t other) { return must_[other] && first_[other] != unmatched && last_[other] < n; });
        if (send.place + can < n) return Bound{Exclusion::Why::too_late, send.place + can};
        if (send.place + has_to > n) return Bound{Exclusion::Why::too_soon, send.place + has_to};
        return std::nullopt;
    }

    MessageIndex const& m_;
    IndexedProgram const& code_;
    bool zero_;
    std::vector<Exclusion>* excluded_;
    MatchPairs pairs_;
    MatchPairs ordered_by_;                            // those that before_ follows from, if exclusions are wanted
    std::vector<Before> before_;                       // command
    std::vector<std::vector<std::uint32_t>> ordinals_; // send -> those of the receives that may get it, ascending
    std::vector<std::uint32_t> first_; // send -> the first ordinal it can have; unmatched: it cannot be received
    std::vector<std::uint32_t> last_;
    struct Window {
        std::uint32_t s;
        std::uint32_t first;
        std::uint32_t last;
    };
    std::vector<Window> changed_;
    std::vector<bool> must_; // send: it is received in every complete run
    std::vector<std::uint32_t> can_;
    std::vector<std::uint32_t> has_to_;
};

} // namespace

bool MatchPairs::contains(Pair p) const { return std::binary_search(of[p.r].begin(), of[p.r].end(), p.s); }

std::size_t MatchPairs::size() const {
    std::size_t n = 0;
    for (auto const& sends : of) n += sends.size();
    return n;
}

std::vector<std::uint32_t> overapprox(MessageIndex const& messages, std::uint32_t receive, bool all_sends) {
    auto const& r = messages.receives()[receive];
    std::vector<std::uint32_t> sends;
    for (Channel const c : messages.channels_to(r.beta)) {
        auto const of_channel = messages.sends_of(c);
        auto const count = static_cast<std::uint32_t>(of_channel.size());
        std::uint32_t const others =
            (all_sends ? static_cast<std::uint32_t>(messages.sends().size()) : messages.sends_to(r.beta)) - count;
        // Criterion 2: i <= n. Criterion 3: n <= i + others.
        std::uint32_t const from = r.ordinal > others ? r.ordinal - others : 0;
        for (std::uint32_t i = from; i < count && i <= r.ordinal; ++i) sends.push_back(of_channel[i]);
    }
    std::sort(sends.begin(), sends.end());
    return sends;
}

bool are_compatible(MessageIndex const& messages, Pair a, Pair b) {
    if (a.s == b.s) return false;
    auto const& s = messages.sends()[a.s];
    auto const& t = messages.sends()[b.s];
    if (s.channel != t.channel) return true;
    std::int64_t const places = std::int64_t{t.place} - s.place;
    std::int64_t const ordinals = std::int64_t{messages.receives()[b.r].ordinal} - messages.receives()[a.r].ordinal;
    return places > 0 ? places <= ordinals : places >= ordinals;
}

MatchPairs overapprox(MessageIndex const& messages, bool all_sends) {
    MatchPairs pairs;
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r)
        pairs.of.push_back(overapprox(messages, r, all_sends));
    return pairs;
}

MatchPairs tight(MessageIndex const& messages, Buffering buffering, std::vector<Exclusion>* excluded) {
    return Tight(messages, buffering, overapprox(messages), excluded).take();
}

MatchPairs tight(MessageIndex const& messages, Buffering buffering, MatchPairs pairs) {
    return Tight(messages, buffering, std::move(pairs), nullptr).take();
}

} // namespace matchpoint::matching
