#include "check/domains.hpp"

#include <algorithm>
#include <queue>

#include <boost/unordered/unordered_flat_set.hpp>

namespace matchpoint::check {

namespace {

/// Sums beyond this are left alone.
constexpr std::int64_t large = std::int64_t{1} << 60U;

bool is_large(std::int64_t i) { return i > large || i < -large; }

} // namespace

bool conjuncts(DataFlow const& flow, std::span<Requirement const> requirements, std::vector<Requirement>& leaves) {
    MessageIndex const& m = flow.messages();
    Ctp const& ctp = flow.ctp();
    std::vector<Requirement> work(requirements.rbegin(), requirements.rend());
    boost::unordered_flat_set<std::uint64_t> seen;
    while (!work.empty()) {
        Requirement const r = work.back();
        work.pop_back();
        std::uint32_t const node = flow.resolve(r.node);
        if (!seen.insert(2 * std::uint64_t{node} + (r.value ? 1 : 0)).second) continue;
        if (seen.contains(2 * std::uint64_t{node} + (r.value ? 0 : 1))) return false;
        // An assumption or an assertion that is no boolean is not false.
        if (!flow.is_boolean(node)) {
            if (!r.value) return false;
            continue;
        }
        Node const& at = ctp.nodes[node];
        if (at.kind == Node::Kind::value) {
            if (ctp.values[at.payload].is_true() != r.value) return false;
            continue;
        }
        if (at.kind == Node::Kind::variable) {
            std::uint32_t const receive = flow.definition(node).index;
            auto const& of = m.receives()[receive];
            auto const channels = m.channels_to(of.beta);
            if (channels.empty()) return false;
            if (channels.size() == 1) {
                auto const sends = m.sends_of(channels[0]);
                if (of.ordinal >= sends.size()) return false;
                work.push_back({flow.payload(sends[of.ordinal]), r.value});
            }
            leaves.push_back({node, r.value});
            continue;
        }
        bool const both = (at.op == Op::and_ && r.value) || (at.op == Op::or_ && !r.value);
        bool const implies = at.op == Op::implies && !r.value;
        if (at.op == Op::not_) {
            work.push_back({flow.right(node), !r.value});
        } else if (both || implies) {
            work.push_back({flow.right(node), r.value});
            work.push_back({flow.left(node), implies || r.value});
        } else {
            leaves.push_back({node, r.value});
        }
    }
    return true;
}

Domains::Domains(DataFlow const& flow)
    : flow_(flow), m_(flow.messages()), tables_(m_.code().endpoints().size()), of_(m_.receives().size()),
      evaluation_(flow) {
    std::vector<std::pair<std::int64_t, std::uint32_t>> sent;
    for (std::uint32_t beta = 0; beta < tables_.size(); ++beta) {
        Table& t = tables_[beta];
        t.is_closed = true;
        sent.clear();
        for (Channel const c : m_.channels_to({beta}))
            for (std::uint32_t const s : m_.sends_of(c)) {
                auto const& v = flow.constant(s);
                std::optional<std::int64_t> const i = !v                ? std::nullopt
                                                      : v->is_boolean() ? std::optional<std::int64_t>(v->is_true())
                                                                        : v->small();
                t.is_closed &= i && !is_large(*i);
                sent.emplace_back(i.value_or(0), s);
            }
        std::uint32_t const n = static_cast<std::uint32_t>(sent.size());
        if (!t.is_closed) continue;
        std::sort(sent.begin(), sent.end());
        for (std::uint32_t i = 0; i < n; ++i) {
            t.sends.push_back(sent[i].second);
            if (i > 0 && sent[i].first == sent[i - 1].first) continue;
            t.values.push_back(sent[i].first);
            t.first.push_back(i);
        }
        t.first.push_back(n);
        t.repeated.push_back(0);
        for (std::size_t i = 0; i < t.values.size(); ++i)
            t.repeated.push_back(t.repeated.back() + (t.first[i + 1] - t.first[i] > 1 ? 1 : 0));
    }
    for (std::uint32_t r = 0; r < of_.size(); ++r) of_[r].hi = static_cast<std::uint32_t>(table(r).values.size());
}

/// A comparison of integers, or a received boolean, over closed receives.
std::optional<Domains::Linear> Domains::linear(Requirement const& leaf) const {
    Ctp const& ctp = flow_.ctp();
    Linear l{Linear::Kind::equal, {}, 0};
    std::vector<std::pair<std::uint32_t, std::int64_t>> work;
    Node const& root = ctp.nodes[leaf.node];
    if (root.kind == Node::Kind::variable) {
        l.c = leaf.value ? -1 : 0;
        work.emplace_back(leaf.node, 1);
    } else {
        if (root.kind != Node::Kind::operation || root.op == Op::not_ || flow_.is_boolean(flow_.left(leaf.node)))
            return std::nullopt;
        std::uint32_t small = flow_.left(leaf.node);
        std::uint32_t great = flow_.right(leaf.node);
        bool strict = false;
        switch (root.op) {
        case Op::equal: l.kind = leaf.value ? Linear::Kind::equal : Linear::Kind::differs; break;
        case Op::not_equal: l.kind = leaf.value ? Linear::Kind::differs : Linear::Kind::equal; break;
        case Op::less: l.kind = Linear::Kind::at_most, strict = true; break;
        case Op::less_equal: l.kind = Linear::Kind::at_most; break;
        case Op::greater: l.kind = Linear::Kind::at_most, strict = true, std::swap(small, great); break;
        case Op::greater_equal: l.kind = Linear::Kind::at_most, std::swap(small, great); break;
        default: return std::nullopt;
        }
        if (l.kind == Linear::Kind::at_most && !leaf.value) {
            std::swap(small, great);
            strict = !strict;
        }
        work.emplace_back(small, 1);
        work.emplace_back(great, -1);
        l.c = strict ? 1 : 0;
    }
    // From the roots down, with what the operand is multiplied by.
    constexpr std::size_t most = 1'000'000;
    std::size_t looked_at = 0;
    while (!work.empty()) {
        auto const [at, a] = work.back();
        work.pop_back();
        if (++looked_at > most || is_large(a)) return std::nullopt;
        std::uint32_t const n = flow_.resolve(at);
        Node const& node = ctp.nodes[n];
        std::int64_t product = 0;
        if (node.kind == Node::Kind::value) {
            auto const v = ctp.values[node.payload].small();
            if (!v || __builtin_mul_overflow(a, *v, &product) || __builtin_add_overflow(l.c, product, &l.c) ||
                is_large(l.c))
                return std::nullopt;
        } else if (node.kind == Node::Kind::variable) {
            std::uint32_t const r = flow_.definition(n).index;
            if (!table(r).is_closed) return std::nullopt;
            l.parts.push_back({r, a});
        } else if (node.op == Op::plus || node.op == Op::minus) {
            work.emplace_back(flow_.left(n), a);
            work.emplace_back(flow_.right(n), node.op == Op::plus ? a : -a);
        } else if (node.op == Op::times) {
            std::uint32_t const left = flow_.resolve(flow_.left(n));
            std::uint32_t const right = flow_.resolve(flow_.right(n));
            bool const by_left = ctp.nodes[left].kind == Node::Kind::value;
            if (!by_left && ctp.nodes[right].kind != Node::Kind::value) return std::nullopt;
            auto const v = ctp.values[ctp.nodes[by_left ? left : right].payload].small();
            if (!v || __builtin_mul_overflow(a, *v, &product)) return std::nullopt;
            work.emplace_back(by_left ? right : left, product);
        } else {
            return std::nullopt;
        }
    }
    std::sort(l.parts.begin(), l.parts.end(), [](auto const& a, auto const& b) { return a.r < b.r; });
    std::vector<Linear::Part> parts;
    for (Linear::Part const& p : l.parts) {
        if (parts.empty() || parts.back().r != p.r)
            parts.push_back(p);
        else if (__builtin_add_overflow(parts.back().a, p.a, &parts.back().a))
            return std::nullopt;
    }
    std::erase_if(parts, [](auto const& p) { return p.a == 0; });
    l.parts = std::move(parts);
    return l;
}

/// Of a sum over receives at one endpoint, whose intervals are not empty; none if they cannot all get a message.
std::optional<std::pair<Wide, Wide>> Domains::injective_bounds(std::span<Linear::Part const> parts) const {
    Table const& t = table(parts[0].r);
    Wide least_sum = 0, greatest_sum = 0;
    Interval all = of_[parts[0].r];
    std::vector<std::int64_t> up, down; // positive coefficients, and negative ones, turned around
    for (Linear::Part const& p : parts) {
        least_sum += static_cast<Wide>(p.a) * (p.a > 0 ? least(p.r) : greatest(p.r));
        greatest_sum += static_cast<Wide>(p.a) * (p.a > 0 ? greatest(p.r) : least(p.r));
        all.lo = std::min(all.lo, of_[p.r].lo);
        all.hi = std::max(all.hi, of_[p.r].hi);
        (p.a > 0 ? up : down).push_back(p.a > 0 ? p.a : -p.a);
    }
    if (t.first[all.hi] - t.first[all.lo] < parts.size()) return std::nullopt;
    if (parts.size() == 1) return std::pair(least_sum, greatest_sum);
    std::sort(up.rbegin(), up.rend());
    std::sort(down.rbegin(), down.rend());
    // The k-th smallest and greatest of the messages in the intervals, as often as each is sent.
    std::vector<std::int64_t> smallest, greatest;
    for (std::uint32_t v = all.lo; v < all.hi && smallest.size() < parts.size(); ++v)
        smallest.insert(smallest.end(), t.first[v + 1] - t.first[v], t.values[v]);
    for (std::uint32_t v = all.hi; v-- > all.lo && greatest.size() < parts.size();)
        greatest.insert(greatest.end(), t.first[v + 1] - t.first[v], t.values[v]);
    Wide low = 0, high = 0;
    for (std::size_t i = 0; i < up.size(); ++i) {
        low += static_cast<Wide>(up[i]) * smallest[i];
        high += static_cast<Wide>(up[i]) * greatest[i];
    }
    for (std::size_t i = 0; i < down.size(); ++i) {
        low -= static_cast<Wide>(down[i]) * greatest[i];
        high -= static_cast<Wide>(down[i]) * smallest[i];
    }
    return std::pair(std::max(low, least_sum), std::min(high, greatest_sum));
}

/// Of sum + c; none if there is no such run.
std::optional<std::pair<Wide, Wide>> Domains::bounds(Linear const& l) const {
    std::vector<Linear::Part> parts = l.parts;
    auto const beta = [&](Linear::Part const& p) { return m_.receives()[p.r].beta; };
    std::sort(parts.begin(), parts.end(), [&](auto const& a, auto const& b) { return beta(a) < beta(b); });
    std::pair<Wide, Wide> result{l.c, l.c};
    for (auto it = parts.begin(); it != parts.end();) {
        auto const end = std::find_if(it, parts.end(), [&](auto const& p) { return beta(p) != beta(*it); });
        auto const of_endpoint = injective_bounds(std::span(it, end));
        if (!of_endpoint) return std::nullopt;
        result.first += of_endpoint->first;
        result.second += of_endpoint->second;
        it = end;
    }
    return result;
}

/// x = y: not both by one message.
bool Domains::may_be_equal(Linear const& l) const {
    if (l.kind != Linear::Kind::equal || l.c != 0 || l.parts.size() != 2 || l.parts[0].a != -l.parts[1].a) return true;
    std::uint32_t const x = l.parts[0].r, y = l.parts[1].r;
    if (m_.receives()[x].beta != m_.receives()[y].beta) return true;
    std::uint32_t const lo = std::max(of_[x].lo, of_[y].lo);
    std::uint32_t const hi = std::min(of_[x].hi, of_[y].hi);
    return lo < hi && table(x).repeated[hi] > table(x).repeated[lo];
}

bool Domains::may_hold(Linear const& l) const {
    auto const range = bounds(l);
    if (!range) return false;
    switch (l.kind) {
    case Linear::Kind::at_most: return range->first <= 0;
    case Linear::Kind::equal: return range->first <= 0 && range->second >= 0 && may_be_equal(l);
    case Linear::Kind::differs: return range->first != 0 || range->second != 0;
    }
    return true;
}

bool Domains::may_hold(Requirement const& requirement) const {
    std::vector<Requirement> leaves;
    if (!conjuncts(flow_, std::span(&requirement, 1), leaves)) return false;
    for (Requirement const& leaf : leaves) {
        Dependence const& d = flow_.dependence(leaf.node);
        if (d.count() == 0) {
            Value const v = evaluation_(flow_.cone(leaf.node), leaf.node);
            if (!v.is_bot() && v.is_true() != leaf.value) return false;
        } else if (auto const l = linear(leaf)) {
            if (!may_hold(*l)) return false;
        } else if (d.count() == 1 && table(d.first).is_closed) {
            // One receive, whatever is done with its value.
            constexpr std::size_t most = 1000;
            Interval const i = of_[d.first];
            if (i.hi - i.lo > most) continue;
            auto const cone = flow_.cone(leaf.node);
            bool may = false;
            for (std::uint32_t v = i.lo; v < i.hi && !may; ++v) {
                evaluation_.receive(d.first, *flow_.constant(table(d.first).sends[table(d.first).first[v]]));
                Value const result = evaluation_(cone, leaf.node);
                may = result.is_bot() || result.is_true() == leaf.value;
            }
            evaluation_.receive(d.first, Value());
            if (!may) return false;
        }
    }
    return true;
}

/// Each part by the extremes of the others. False: nothing is left.
bool Domains::narrow(Linear const& l, std::vector<std::uint32_t>& changed) {
    if (l.kind == Linear::Kind::differs) {
        if (l.parts.empty()) return l.c != 0;
        if (l.parts.size() > 1) return true;
        auto& [lo, hi] = of_[l.parts[0].r];
        auto const& values = table(l.parts[0].r).values;
        auto const is_zero = [&](std::uint32_t v) { return static_cast<Wide>(l.parts[0].a) * values[v] + l.c == 0; };
        auto const was = std::pair(lo, hi);
        if (lo < hi && is_zero(lo)) ++lo;
        if (lo < hi && is_zero(hi - 1)) --hi;
        if (was != std::pair(lo, hi)) changed.push_back(l.parts[0].r);
        return lo < hi;
    }
    for (int const sign : {1, -1}) {
        if (sign == -1 && l.kind != Linear::Kind::equal) break;
        // sign * (sum + c) <= 0
        Wide least_sum = static_cast<Wide>(sign) * l.c;
        auto const least_of = [&](Linear::Part const& p) {
            return static_cast<Wide>(sign) * p.a * (sign * p.a > 0 ? least(p.r) : greatest(p.r));
        };
        for (Linear::Part const& p : l.parts) least_sum += least_of(p);
        if (least_sum > 0) return false;
        for (Linear::Part const& p : l.parts) {
            Wide const most = least_of(p) - least_sum; // of a * x
            Wide const a = static_cast<Wide>(sign) * p.a;
            auto& [lo, hi] = of_[p.r];
            auto const& values = table(p.r).values;
            auto const was = std::pair(lo, hi);
            if (a > 0)
                hi = static_cast<std::uint32_t>(std::partition_point(values.begin() + lo, values.begin() + hi,
                                                                     [&](std::int64_t v) { return a * v <= most; }) -
                                                values.begin());
            else
                lo = static_cast<std::uint32_t>(std::partition_point(values.begin() + lo, values.begin() + hi,
                                                                     [&](std::int64_t v) { return a * v > most; }) -
                                                values.begin());
            if (lo >= hi) return false;
            if (was == std::pair(lo, hi)) continue;
            changed.push_back(p.r);
            least_sum = sign * l.c;
            for (Linear::Part const& other : l.parts) least_sum += least_of(other);
            if (least_sum > 0) return false;
        }
    }
    return true;
}

bool Domains::narrow(std::vector<Linear> const& constraints) {
    std::vector<std::vector<std::uint32_t>> of_receive(of_.size());
    std::queue<std::uint32_t> queue;
    std::vector<bool> is_queued(constraints.size(), true);
    // Large sums are narrowed once: what follows from them is seldom more than that.
    constexpr std::size_t few = 16;
    for (std::uint32_t i = 0; i < constraints.size(); ++i) {
        queue.push(i);
        if (constraints[i].parts.size() <= few)
            for (auto const& p : constraints[i].parts) of_receive[p.r].push_back(i);
    }
    std::size_t budget = 50'000'000; // what is left undone is not wrong
    std::vector<std::uint32_t> changed;
    while (!queue.empty() && budget > 0) {
        std::uint32_t const i = queue.front();
        queue.pop();
        is_queued[i] = false;
        changed.clear();
        std::size_t const cost = constraints[i].parts.size() + 1;
        budget -= std::min(budget, cost);
        if (!narrow(constraints[i], changed)) return false;
        for (std::uint32_t const r : changed)
            for (std::uint32_t const other : of_receive[r]) {
                if (is_queued[other]) continue;
                is_queued[other] = true;
                queue.push(other);
            }
    }
    return true;
}

bool Domains::require(std::span<Requirement const> requirements) {
    for (std::uint32_t r = 0; r < of_.size(); ++r)
        if (table(r).is_closed && of_[r].lo >= of_[r].hi) return false;
    std::vector<Requirement> leaves;
    if (!conjuncts(flow_, requirements, leaves)) return false;
    std::vector<Linear> constraints;
    for (Requirement const& leaf : leaves)
        if (auto l = linear(leaf)) constraints.push_back(std::move(*l));
    if (!narrow(constraints)) return false;
    for (Requirement const& leaf : leaves)
        if (!may_hold(leaf)) return false;
    return true;
}

/// Each receive takes one message of its interval; of those that can take a value, the one whose interval ends first does.
bool Domains::has_matching(Endpoint beta) const {
    Table const& t = tables_[beta.index];
    auto const receives = m_.receives_at(beta);
    if (!t.is_closed) return m_.sends_to(beta) >= receives.size();
    std::vector<std::uint32_t> by_lo(receives.begin(), receives.end());
    std::sort(by_lo.begin(), by_lo.end(), [&](auto a, auto b) { return of_[a].lo < of_[b].lo; });
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ends;
    auto next = by_lo.begin();
    for (std::uint32_t v = 0; v < t.values.size(); ++v) {
        for (; next != by_lo.end() && of_[*next].lo <= v; ++next) ends.push(of_[*next].hi);
        for (std::uint32_t i = t.first[v]; i < t.first[v + 1] && !ends.empty(); ++i) {
            if (ends.top() <= v) return false;
            ends.pop();
        }
    }
    return next == by_lo.end() && ends.empty();
}

bool Domains::has_matching() const {
    for (std::uint32_t beta = 0; beta < tables_.size(); ++beta)
        if (!has_matching(Endpoint{beta})) return false;
    return true;
}

std::optional<Domains::HallViolator> Domains::hall_violator() const {
    for (std::uint32_t beta = 0; beta < tables_.size(); ++beta) {
        if (has_matching(Endpoint{beta})) continue;
        Table const& t = tables_[beta];
        auto const receives = m_.receives_at({beta});
        HallViolator hall_violator;
        if (!t.is_closed) { // more receives than sends
            hall_violator.receives.assign(receives.begin(), receives.end());
            for (Channel const c : m_.channels_to({beta}))
                for (std::uint32_t const s : m_.sends_of(c)) hall_violator.sends.push_back(s);
            return hall_violator;
        }
        std::vector<std::uint32_t> by_hi(receives.begin(), receives.end());
        std::sort(by_hi.begin(), by_hi.end(), [&](auto a, auto b) { return of_[a].hi < of_[b].hi; });
        for (std::uint32_t const least : receives) {
            std::uint32_t const lo = of_[least].lo;
            hall_violator.receives.clear();
            for (std::uint32_t const r : by_hi) {
                if (of_[r].lo < lo) continue;
                hall_violator.receives.push_back(r);
                std::uint32_t const hi = std::max(lo, of_[r].hi);
                if (hall_violator.receives.size() <= t.first[hi] - t.first[lo]) continue;
                hall_violator.sends.assign(t.sends.begin() + t.first[lo], t.sends.begin() + t.first[hi]);
                return hall_violator;
            }
        }
    }
    return std::nullopt;
}

std::optional<MatchPairs> Domains::candidates(std::size_t most) const {
    MatchPairs pairs;
    std::size_t count = 0;
    for (std::uint32_t r = 0; r < of_.size(); ++r) {
        auto& sends = pairs.of.emplace_back();
        auto const& receive = m_.receives()[r];
        Table const& t = table(r);
        auto const channels = m_.channels_to(receive.beta);
        std::uint32_t const all = m_.sends_to(receive.beta);
        // Figure 15: i <= n <= i + (sends to beta) - (sends of the channel)
        auto const is_in_window = [&](std::uint32_t s) {
            auto const& send = m_.sends()[s];
            auto const own = static_cast<std::uint32_t>(m_.sends_of(send.channel).size());
            return send.place <= receive.ordinal && receive.ordinal <= send.place + (all - own);
        };
        if (t.is_closed && t.first[of_[r].hi] - t.first[of_[r].lo] <= 2 * channels.size()) {
            for (std::uint32_t i = t.first[of_[r].lo]; i < t.first[of_[r].hi]; ++i)
                if (is_in_window(t.sends[i])) sends.push_back(t.sends[i]);
        } else {
            auto const may_get = [&](std::uint32_t s) {
                if (!t.is_closed) return true;
                Value const& v = *flow_.constant(s);
                std::int64_t const i = v.is_boolean() ? (v.is_true() ? 1 : 0) : *v.small();
                return least(r) <= i && i <= greatest(r);
            };
            for (Channel const c : channels) {
                auto const of_channel = m_.sends_of(c);
                auto const own = static_cast<std::uint32_t>(of_channel.size());
                std::uint32_t const from = receive.ordinal - std::min(receive.ordinal, all - own);
                for (std::uint32_t i = from; i < own && i <= receive.ordinal; ++i)
                    if (may_get(of_channel[i])) sends.push_back(of_channel[i]);
            }
        }
        std::sort(sends.begin(), sends.end());
        count += sends.size();
        if (count > most) return std::nullopt;
    }
    return pairs;
}

} // namespace matchpoint::check
