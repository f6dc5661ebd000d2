#include "matching/necessary_order.hpp"

#include <algorithm>
#include <stdexcept>

#include "matching/definitions.hpp"
#include "matching/possible_order.hpp"

namespace matchpoint::matching {

namespace {

std::vector<std::vector<std::uint32_t>> receives_of_sends(MessageIndex const& messages, MatchPairs const& pairs) {
    std::vector<std::vector<std::uint32_t>> result(messages.sends().size());
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
        spend(4 * pairs.of[r].size());
        for (std::uint32_t const s : pairs.of[r]) result[s].push_back(r);
    }
    return result;
}

} // namespace

/// What one derivation starts from.
struct NecessaryOrder::Premises {
    explicit Premises(Graph const& graph) : cycles(graph) {}
    virtual ~Premises() = default;
    /// The sends that a receive may get, but for some that come after others; valid until the next call.
    virtual std::span<std::uint32_t const> sends_for(std::uint32_t r) = 0;
    /// The same of the receives that may get a send. Zero buffering only.
    virtual std::span<std::uint32_t const> receives_of(std::uint32_t s) = 0;

    StrongComponents cycles; // of possible_order()
};

struct NecessaryOrder::PremisesOfPairs : Premises {
    PremisesOfPairs(MessageIndex const& messages, MatchPairs const& of, Buffering buffering)
        : Premises(possible_order(messages, of, buffering)), pairs(of) {
        if (cycles.count > 0 && buffering == Buffering::zero) receives = receives_of_sends(messages, pairs);
    }
    std::span<std::uint32_t const> sends_for(std::uint32_t r) override { return pairs.of[r]; }
    std::span<std::uint32_t const> receives_of(std::uint32_t s) override { return receives[s]; }

    MatchPairs const& pairs;
    std::vector<std::vector<std::uint32_t>> receives; // by send
};

struct NecessaryOrder::PremisesOfWindows : Premises {
    PremisesOfWindows(MessageIndex const& messages, OrdinalWindows const& of, Buffering buffering)
        : Premises(possible_order(messages, of, buffering)), m(messages), windows(of) {}

    std::span<std::uint32_t const> sends_for(std::uint32_t r) override {
        auto const& receive = m.receives()[r];
        numbers.clear();
        spend(8 * m.channels_to(receive.beta).size());
        for (Channel const c : m.channels_to(receive.beta))
            if (auto const [from, to] = windows.places_at(c, receive.ordinal); from < to)
                numbers.push_back(m.sends_of(c)[from]);
        return numbers;
    }
    std::span<std::uint32_t const> receives_of(std::uint32_t s) override {
        numbers.clear();
        if (!windows.is_empty(s)) numbers.push_back(m.receives_at(m.beta_of(m.sends()[s]))[windows.first(s)]);
        return numbers;
    }

    MessageIndex const& m;
    OrdinalWindows const& windows;
    std::vector<std::uint32_t> numbers;
};

NecessaryOrder::NecessaryOrder(MessageIndex const& messages, Buffering buffering)
    : m_(messages), code_(messages.code()), buffering_(buffering), completed_(completed_at(messages)),
      before_(code_.ctp().commands.size()), is_queued_(code_.ctp().threads.size()) {}

/// The union. True if it is larger than before.
bool NecessaryOrder::join(Before& into, Before const& from) {
    spend(into.size() + from.size());
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
    spend(into.size() + from.size());
    std::size_t kept = 0;
    auto b = from.begin();
    for (auto const& a : into) {
        while (b != from.end() && b->first < a.first) ++b;
        if (b != from.end() && b->first == a.first) into[kept++] = {a.first, std::min(a.second, b->second)};
    }
    into.resize(kept);
}

void NecessaryOrder::derive(MatchPairs const& pairs) {
    PremisesOfPairs premises(m_, pairs, buffering_);
    derive(premises);
}

void NecessaryOrder::derive(OrdinalWindows const& windows) {
    PremisesOfWindows premises(m_, windows, buffering_);
    derive(premises);
}

/// Only commands on a cycle of possible_order() are looked at: no pair can be against the order of others, and all
/// commands on the way from one command on a cycle to another one on it lie on that cycle too.
///
/// In N threads that follow each other, what comes before a command can take N entries. Stopping early is sound.
void NecessaryOrder::derive(Premises& premises) {
    constexpr std::size_t most_entries = 30'000'000;
    if (premises.cycles.count == 0) return;
    for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t) again(t);
    while (!threads_.empty() && entries_ < most_entries) {
        std::uint32_t const t = threads_.front();
        threads_.pop_front();
        is_queued_[t] = false;
        sweep(premises, t);
    }
    threads_.clear();
    is_queued_.assign(is_queued_.size(), false);
}

/// A thread once, from its beginning.
void NecessaryOrder::sweep(Premises& premises, std::uint32_t thread) {
    std::uint32_t const first = code_.ctp().threads[thread].first, last = code_.ctp().threads[thread].last;
    spend(last - first);
    Before before;
    for (std::uint32_t i = first; i < last; ++i) {
        if (premises.cycles.of[i] == StrongComponents::alone) continue;
        if (i > first && premises.cycles.on_a_cycle(i - 1, i))
            join(before, Before{{thread, i - 1}});
        else
            before.clear();
        join_premises(premises, i, before);
        std::size_t const was = before_[i].size();
        if (!join(before_[i], before)) continue;
        entries_ += before_[i].size() - was;
        again_where_it_counts(i);
    }
}

/// What comes before a command has changed.
void NecessaryOrder::again_where_it_counts(std::uint32_t command) {
    visit_message(
        code_.command_at({command}), [&](Sndi const& c) { again(m_.owner(c.beta)); },
        [&](Rcvi const& c) {
            if (buffering_ == Buffering::infinite) return;
            spend(m_.channels_to(c.beta).size());
            for (Channel const channel : m_.channels_to(c.beta)) again(m_.owner(code_[channel].alpha));
        });
}

void NecessaryOrder::again(std::uint32_t thread) {
    if (thread == MessageIndex::thread_none || is_queued_[thread]) return;
    is_queued_[thread] = true;
    threads_.push_back(thread);
}

/// What comes before a wait because of the matches that it waits for.
void NecessaryOrder::join_premises(Premises& premises, std::uint32_t command, Before& before) const {
    std::uint32_t const component = premises.cycles.of[command];
    for (std::uint32_t const r : completed_[command]) {
        auto const location_of = [&](std::uint32_t s) { return m_.sends()[s].rho; };
        join(before, common(premises, premises.sends_for(r), location_of, component));
    }
    if (buffering_ == Buffering::infinite) return;
    auto const* const wait = as_wait(code_.command_at({command}));
    if (wait == nullptr || code_.as_sndi(wait->a) == nullptr) return;
    auto const location_of = [&](std::uint32_t r) { return m_.receives()[r].rho; };
    join(before, common(premises, premises.receives_of(m_.send_number(wait->a)), location_of, component));
}

/// What is <= each of some commands; nothing if these do not all lie in the component.
template <typename LocationOf>
NecessaryOrder::Before NecessaryOrder::common(Premises const& premises, std::span<std::uint32_t const> numbers,
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

/// The last command of a thread that comes before b; none if no command is known to.
std::optional<std::uint32_t> NecessaryOrder::last_before(Location b, std::uint32_t thread) const {
    auto const& before = before_[b.index];
    auto const it = std::lower_bound(before.begin(), before.end(), std::pair(thread, 0U));
    return it != before.end() && it->first == thread ? std::optional(it->second) : std::nullopt;
}

bool NecessaryOrder::precedes(Location a, Location b) const {
    auto const last = last_before(b, code_.thread_of(a));
    return last && *last >= a.index;
}

std::uint32_t NecessaryOrder::first_ordinal(std::uint32_t s) const {
    auto const& send = m_.sends()[s];
    Endpoint const beta = m_.beta_of(send);
    auto const last = last_before(send.rho, m_.owner(beta));
    if (!last) return 0;
    auto const at = m_.receives_at(beta);
    auto const is_before = [&](std::uint32_t r) { return m_.receives()[r].nw.index <= *last; };
    return static_cast<std::uint32_t>(std::partition_point(at.begin(), at.end(), is_before) - at.begin());
}

std::uint32_t NecessaryOrder::ordinals_before_wait(std::uint32_t s) const {
    auto const& send = m_.sends()[s];
    auto const at = m_.receives_at(m_.beta_of(send));
    if (send.wait.is_none()) return static_cast<std::uint32_t>(at.size());
    auto const is_free = [&](std::uint32_t r) { return !precedes(send.wait, m_.receives()[r].rho); };
    return static_cast<std::uint32_t>(std::partition_point(at.begin(), at.end(), is_free) - at.begin());
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
        spend();
        Location const at{queue[i]};
        if (at.index + 1 < code_.ctp().threads[code_.thread_of(at)].last) add({at.index + 1}, {});
        visit_message(
            code_.command_at(at), [&](Sndi const& c) { send_reached(m_.send_number(c.a)); },
            [&](Rcvi const& c) {
                if (buffering_ == Buffering::zero) receive_reached(m_.receive_number(c.a));
            });
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
