#include "matching/necessary_order.hpp"

#include <algorithm>
#include <stdexcept>

#include "grammar/overloaded.hpp"
#include "matching/definitions.hpp"
#include "matching/possible_order.hpp"

namespace matchpoint::matching {

namespace {

std::vector<std::vector<std::uint32_t>> receives_of_sends(MessageIndex const& messages, MatchPairs const& pairs) {
    std::vector<std::vector<std::uint32_t>> result(messages.sends().size());
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
        for (std::uint32_t const s : pairs.of[r]) result[s].push_back(r);
    return result;
}

} // namespace

/// What one derivation starts from.
struct NecessaryOrder::Premises {
    MatchPairs const& pairs;
    std::vector<std::vector<std::uint32_t>> receives_of; // send -> receives; zero buffering only
    StrongComponents cycles;                             // of possible_order()
};

NecessaryOrder::NecessaryOrder(MessageIndex const& messages, Buffering buffering)
    : m_(messages), code_(messages.code()), buffering_(buffering), completed_(completed_at(messages)),
      before_(code_.ctp().commands.size()) {}

/// The union. True if it is larger than before.
bool NecessaryOrder::join(Before& into, Before const& from) {
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

/// The intersection.
void NecessaryOrder::meet(Before& into, Before const& from) {
    std::size_t kept = 0;
    auto b = from.begin();
    for (auto const& a : into) {
        while (b != from.end() && b->first < a.first) ++b;
        if (b != from.end() && b->first == a.first) into[kept++] = {a.first, std::min(a.second, b->second)};
    }
    into.resize(kept);
}

/// Only commands on a cycle of possible_order() are looked at: no pair can be against the order of others, and all
/// commands on the way from one command on a cycle to another one on it lie on that cycle too.
void NecessaryOrder::derive(MatchPairs const& pairs) {
    Premises premises{pairs, {}, StrongComponents(possible_order(m_, pairs, buffering_))};
    if (premises.cycles.count == 0) return;
    if (buffering_ == Buffering::zero) premises.receives_of = receives_of_sends(m_, pairs);
    while (sweep(premises)) {
    }
}

/// Every thread once, from its beginning. True if that was news.
bool NecessaryOrder::sweep(Premises const& premises) {
    bool changed = false;
    auto const& threads = code_.ctp().threads;
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
        Before before;
        for (std::uint32_t i = threads[t].first; i < threads[t].last; ++i) {
            if (premises.cycles.of[i] == StrongComponents::alone) continue;
            if (i > threads[t].first && premises.cycles.on_a_cycle(i - 1, i))
                join(before, Before{{t, i - 1}});
            else
                before.clear();
            join_premises(premises, i, before);
            changed |= join(before_[i], before);
        }
    }
    return changed;
}

/// What comes before a wait because of the matches that it waits for.
void NecessaryOrder::join_premises(Premises const& premises, std::uint32_t command, Before& before) const {
    std::uint32_t const component = premises.cycles.of[command];
    for (std::uint32_t const r : completed_[command]) {
        auto const location_of = [&](std::uint32_t s) { return m_.sends()[s].rho; };
        join(before, common(premises, premises.pairs.of[r], location_of, component));
    }
    if (buffering_ == Buffering::infinite) return;
    auto const* const wait = as_wait(code_.command_at({command}));
    if (wait == nullptr || code_.as_sndi(wait->a) == nullptr) return;
    auto const location_of = [&](std::uint32_t r) { return m_.receives()[r].rho; };
    join(before, common(premises, premises.receives_of[m_.send_number(wait->a)], location_of, component));
}

/// What is <= each of some commands; nothing if these do not all lie in the component.
template <typename LocationOf>
NecessaryOrder::Before NecessaryOrder::common(Premises const& premises, std::vector<std::uint32_t> const& numbers,
                                              LocationOf location_of, std::uint32_t component) const {
    Before result;
    bool is_first = true;
    for (std::uint32_t const number : numbers) {
        Location const rho = location_of(number);
        if (premises.cycles.of[rho.index] != component) return {};
        Before one = before_[rho.index];
        join(one, Before{{code_.thread_of(rho), rho.index}});
        if (is_first)
            result = std::move(one);
        else
            meet(result, one);
        is_first = false;
        if (result.empty()) break;
    }
    return result;
}

bool NecessaryOrder::precedes(Location a, Location b) const {
    std::uint32_t const thread = code_.thread_of(a);
    auto const& before = before_[b.index];
    auto const it = std::lower_bound(before.begin(), before.end(), std::pair(thread, 0U));
    return it != before.end() && it->first == thread && it->second >= a.index;
}

std::optional<NecessaryOrder::Obstacle> NecessaryOrder::obstacle(Pair p) const {
    bool const zero = buffering_ == Buffering::zero;
    auto const& r = m_.receives()[p.r];
    auto const& s = m_.sends()[p.s];
    if (precedes(r.nw, s.rho)) return Obstacle{r.nw, s.rho};
    if (zero && !s.wait.is_none() && precedes(s.wait, r.rho)) return Obstacle{s.wait, r.rho};
    return std::nullopt;
}

void NecessaryOrder::explain(Obstacle const& obstacle, MatchPairs const& pairs, Exclusion& exclusion) const {
    Reached const by = reach(obstacle, pairs);
    if (!by[obstacle.second.index]) throw std::logic_error("tight: an order without a reason");
    add_chains(obstacle, by, exclusion);
}

/// Forwards from the first command, until the second one is reached. Each command that was reached has the matches that
/// lead to it; none of them if it follows in its thread.
NecessaryOrder::Reached NecessaryOrder::reach(Obstacle const& obstacle, MatchPairs const& pairs) const {
    auto const receives_of = receives_of_sends(m_, pairs);
    Reached by(before_.size());
    std::vector<std::uint32_t> sends_reached(m_.receives().size());
    std::vector<std::uint32_t> receives_reached(m_.sends().size());
    std::vector<std::uint32_t> queue;
    auto const add = [&](Location rho, std::vector<Pair> matches) {
        if (by[rho.index]) return;
        by[rho.index] = std::move(matches);
        queue.push_back(rho.index);
    };
    auto const send_reached = [&](std::uint32_t s) {
        for (std::uint32_t const r : receives_of[s]) {
            auto const& sends = pairs.of[r];
            if (++sends_reached[r] < sends.size()) continue;
            std::vector<Pair> matches{{r, s}};
            for (std::uint32_t const other : sends)
                if (other != s) matches.push_back({r, other});
            add(m_.receives()[r].nw, std::move(matches));
        }
    };
    auto const receive_reached = [&](std::uint32_t r) {
        for (std::uint32_t const s : pairs.of[r]) {
            if (++receives_reached[s] < receives_of[s].size() || m_.sends()[s].wait.is_none()) continue;
            std::vector<Pair> matches{{r, s}};
            for (std::uint32_t const other : receives_of[s])
                if (other != r) matches.push_back({other, s});
            add(m_.sends()[s].wait, std::move(matches));
        }
    };
    add(obstacle.first, {});
    for (std::size_t i = 0; i < queue.size() && !by[obstacle.second.index]; ++i) {
        Location const at{queue[i]};
        if (at.index + 1 < code_.ctp().threads[code_.thread_of(at)].last) add({at.index + 1}, {});
        std::visit(overloaded{
                       [&](Sndi const& c) { send_reached(m_.send_number(c.a)); },
                       [&](Rcvi const& c) {
                           if (buffering_ == Buffering::zero) receive_reached(m_.receive_number(c.a));
                       },
                       [](Wait const&) {},
                       [](Assume const&) {},
                       [](Assert const&) {},
                       [](Assign const&) {},
                   },
                   code_.command_at(at));
    }
    return by;
}

/// Backwards from the second command, and from the other premises of the matches on the way.
void NecessaryOrder::add_chains(Obstacle const& obstacle, Reached const& by, Exclusion& exclusion) const {
    std::vector<bool> is_shown(before_.size());
    is_shown[obstacle.first.index] = true;
    std::vector<Location> ends{obstacle.second};
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (is_shown[ends[i].index]) continue;
        if (exclusion.chains.size() == Exclusion::most) {
            ++exclusion.more;
            continue;
        }
        Exclusion::Chain chain;
        Location at = ends[i];
        while (!is_shown[at.index]) {
            chain.push_back({at, *by[at.index]});
            is_shown[at.index] = true;
            auto const& matches = chain.back().by;
            if (matches.empty()) {
                // To the command by which the chain entered the thread.
                do --at.index;
                while (!is_shown[at.index] && by[at.index]->empty());
                continue;
            }
            bool const by_sends = m_.receives()[matches[0].r].nw == at;
            auto const premise = [&](Pair p) { return by_sends ? m_.sends()[p.s].rho : m_.receives()[p.r].rho; };
            for (std::size_t k = 1; k < matches.size(); ++k) ends.push_back(premise(matches[k]));
            at = premise(matches[0]);
        }
        chain.push_back({at, {}});
        std::reverse(chain.begin(), chain.end());
        exclusion.chains.push_back(std::move(chain));
    }
}

} // namespace matchpoint::matching
