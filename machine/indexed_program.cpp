#include "machine/indexed_program.hpp"

#include <algorithm>
#include <span>

#include "base/overloaded.hpp"
#include "grammar/branches.hpp"
#include "grammar/common_endpoints.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::machine {

namespace {

std::uint64_t key(Endpoint beta, Endpoint alpha) { return std::uint64_t{beta.index} << 32U | alpha.index; }

/// A channel of a pair, which has lanes or not, but not both.
std::uint64_t key(std::uint32_t pair, IndexedProgram::ChannelInfo::Kind kind, Tag n) {
    using Kind = IndexedProgram::ChannelInfo::Kind;
    bool const has_tag = kind == Kind::lane || kind == Kind::front;
    return std::uint64_t{pair} << 32U | (has_tag ? n.index : n.none_index - 1);
}

/// Gives each range its place, once their capacities are known.
class Allotment {
public:
    void place(QueueRange& range) {
        range.first = next_;
        next_ += range.capacity;
    }

private:
    std::uint32_t next_ = 0;
};

} // namespace

IndexedProgram::IndexedProgram(Program const& program)
    : program_(&program), thread_of_(program.ctp.commands.size()), channel_of_(program.ctp.issued_by.size()),
      endpoints_(program.symbols.endpoints.size()) {
    for (std::uint32_t t = 0; t < ctp().threads.size(); ++t)
        for (std::uint32_t i = ctp().threads[t].first; i < ctp().threads[t].last; ++i) thread_of_[i] = t;

    for (LocatedCommand const& located : ctp().commands) {
        if (auto const* const receive = grammar::as_rcvi(located.c))
            selects_at(receive->beta, selectors_of(ctp(), *receive));
        if (auto const* const probe = grammar::as_probe(located.c)) {
            has_probes_ = true;
            endpoints_[probe->beta.index].selects = true;
            selects_at(probe->beta, selectors_of(ctp(), *probe));
        }
    }
    if (has_probes_) find_probes();
    if (auto const zero = names().tags.find("0")) tag_0_ = {*zero};
    for (LocatedCommand const& located : ctp().commands)
        std::visit(overloaded{
                       [](Assume const&) {},
                       [](Assert const&) {},
                       [](Assign const&) {},
                       [&](Sndi const& k) {
                           Channel const c =
                               endpoints_[k.beta.index].selects_by_tag
                                   ? channel(k.beta, k.alpha, Kind::lane, k.tag.is_none() ? tag_0_ : k.tag)
                                   : channel(k.beta, k.alpha, Kind::whole, {});
                           channel_of_[k.a.index] = c;
                           if (channels_[c.index].Pnd_s.capacity++ == 0) lanes_[lanes_of_[c.index]].push_back(c);
                           ++endpoints_[k.beta.index].Q_s.capacity;
                           synchronizes_ = synchronizes_ || k.mode == Mode::synchronous;
                           has_ready_sends_ = has_ready_sends_ || k.mode == Mode::ready;
                           has_plain_messages_ = has_plain_messages_ && k.mode == Mode::standard;
                       },
                       [&](Rcvi const& k) {
                           ++endpoints_[k.beta.index].Pnd_r.capacity;
                           has_plain_messages_ = has_plain_messages_ && k.sel.is_none();
                       },
                       [&](Probe const& k) {
                           if (k.matches) ++endpoints_[k.beta.index].Pnd_r.capacity;
                           has_plain_messages_ = false;
                       },
                       [](Start const&) {},
                       [](Wait const&) {},
                       [](Meet const&) {},
                       [&](Collective const&) { has_plain_messages_ = false; },
                       [&](Guarded const&) { shares_ = true; },
                   },
                   located.c);
    shares_ = shares_ || !ctp().shared.empty();
    has_plain_messages_ = has_plain_messages_ && !grammar::has_common_endpoints(ctp(), names().endpoints.size());
    for (LocatedCommand const& located : ctp().commands)
        for_each_expression(ctp(), located.c, [&](Expression e) {
            has_conditional_divisors_ = has_conditional_divisors_ || has_conditional_divisor(ctp(), e);
        });
    find_meetings();
    if (!ctp().calls.empty()) collectives_ = std::make_shared<Collectives>(ctp(), names().communicators.size());
    for (auto const& lanes : lanes_)
        if (ChannelInfo const& c = channels_[lanes.front().index]; lanes.size() > 1)
            channel(c.beta, c.alpha, Kind::any, {});
    for (Trace const& trace : program.traces) {
        auto& channels = movements_.emplace_back();
        channels.reserve(trace.movements.size());
        for (Movement const& m : trace.movements) channels.push_back(channel_of_movement(m));
        auto& peeks = peeks_.emplace_back();
        for (PeekAt const& peek : trace.peeks) peeks.push_back(channel_of_movement(peek.m));
    }

    Allotment sends;
    Allotment receives;
    Allotment delivered;
    for (ChannelInfo& c : channels_) sends.place(c.Pnd_s);
    Allotment pairs;
    for (auto const& lanes : lanes_) {
        QueueRange& room = room_of_.emplace_back();
        for (Channel const lane : lanes) room.capacity += channels_[lane.index].Pnd_s.capacity;
        pairs.place(room);
    }
    for (EndpointInfo& e : endpoints_) {
        receives.place(e.Pnd_r);
        delivered.place(e.Q_s);
    }
}

void IndexedProgram::selects_at(Endpoint beta, Selectors const* sel) {
    EndpointInfo& info = endpoints_[beta.index];
    info.selects = info.selects || restricts(sel);
    info.selects_by_tag = info.selects_by_tag || (sel != nullptr && sel->tags);
    selects_ = selects_ || info.selects;
}

void IndexedProgram::find_probes() {
    probed_.resize(ctp().issued_by.size());
    start_of_.resize(probed_.size());
    for (LocatedCommand const& located : ctp().commands)
        if (auto const* const probe = grammar::as_probe(located.c))
            probed_[probe->a.index] = {probe->a, probe->beta, {}, {}, probe->sel};
    for (std::uint32_t i = 0; i < ctp().commands.size(); ++i)
        if (auto const* const start = grammar::as_start(ctp().commands[i].c);
            start != nullptr && start_of_[start->a.index].is_none()) {
            start_of_[start->a.index] = {i};
            if (Rcvi& receive = probed_[start->a.index]; !receive.a.is_none()) receive.x = start->x;
        }
}

void IndexedProgram::find_meetings() {
    if (names().barriers.size() == 0) return;
    has_plain_messages_ = false;
    meeting_of_.resize(ctp().commands.size());
    std::vector<std::vector<std::uint32_t>> of_barrier(names().barriers.size()); // k -> its meeting
    for (Thread const& t : ctp().threads) {
        std::vector<std::uint32_t> seen(of_barrier.size());
        for (std::uint32_t i = t.first; i < t.last; ++i) {
            auto const* const meet = std::get_if<Meet>(&ctp().commands[i].c);
            if (meet == nullptr) continue;
            auto& meetings = of_barrier[meet->b.index];
            std::uint32_t const k = seen[meet->b.index]++;
            if (k == meetings.size()) {
                meetings.push_back(static_cast<std::uint32_t>(meetings_.size()));
                meetings_.emplace_back();
            }
            meeting_of_[i] = meetings[k];
            meetings_[meetings[k]].push_back({i});
        }
    }
}

std::span<Location const> IndexedProgram::meeting_at(Location rho) const {
    if (!std::holds_alternative<Meet>(command_at(rho))) return {};
    return meetings_[meeting_of_[rho.index]];
}

bool IndexedProgram::admits(Action a_r, Action a_s) const {
    return grammar::admits(selectors_of(ctp(), *as_rcvi(a_r)), as_sndi(a_s)->alpha, tag_of(a_s));
}

Tag IndexedProgram::tag_of(Action a_s) const {
    Tag const n = as_sndi(a_s)->tag;
    return n.is_none() ? tag_0_ : n;
}

Value IndexedProgram::source_of(Action a_s) const { return Value::parse_integer(names()(as_sndi(a_s)->alpha)); }

Value IndexedProgram::tag_number(Action a_s) const {
    Tag const n = as_sndi(a_s)->tag;
    return n.is_none() ? Value::integer(0) : Value::parse_integer(names()(n));
}

Channel IndexedProgram::channel(Endpoint beta, Endpoint alpha, Kind kind, Tag n) {
    auto const pair =
        pair_numbers_.try_emplace(key(beta, alpha), static_cast<std::uint32_t>(lanes_.size())).first->second;
    if (pair == lanes_.size()) lanes_.emplace_back();
    auto const [it, is_new] =
        channel_numbers_.try_emplace(key(pair, kind, n), static_cast<std::uint32_t>(channels_.size()));
    if (is_new) {
        lanes_of_.push_back(pair);
        channels_.push_back({beta, alpha, {}, kind, n});
    }
    return {it->second};
}

std::optional<Channel> IndexedProgram::find(Endpoint beta, Endpoint alpha, Kind kind, Tag n) const {
    auto const pair = pair_numbers_.find(key(beta, alpha));
    if (pair == pair_numbers_.end()) return std::nullopt;
    auto const it = channel_numbers_.find(key(pair->second, kind, n));
    if (it == channel_numbers_.end()) return std::nullopt;
    return Channel{it->second};
}

std::optional<Channel> IndexedProgram::find_channel(Endpoint beta, Endpoint alpha) const {
    auto const pair = pair_numbers_.find(key(beta, alpha));
    if (pair == pair_numbers_.end()) return std::nullopt;
    auto const& lanes = lanes_[pair->second];
    return lanes.size() == 1 ? std::optional(lanes.front()) : find(beta, alpha, Kind::any, {}); // or Kind::whole
}

std::optional<Channel> IndexedProgram::find_channel(Endpoint beta, Endpoint alpha, Tag n) const {
    return find(beta, alpha, endpoints_[beta.index].selects_by_tag ? Kind::lane : Kind::front, n);
}

std::optional<Channel> IndexedProgram::find_channel(ChannelInfo const& other) const {
    return find(other.beta, other.alpha, other.kind, other.n);
}

/// What a trace names is a channel, even if nothing is ever sent there.
Channel IndexedProgram::channel_of_movement(Movement const& m) {
    if (!m.n.is_none())
        return channel(m.beta, m.alpha, endpoints_[m.beta.index].selects_by_tag ? Kind::lane : Kind::front, m.n);
    if (auto const c = find_channel(m.beta, m.alpha)) return *c;
    return channel(m.beta, m.alpha, endpoints_[m.beta.index].selects_by_tag ? Kind::any : Kind::whole, {});
}

Movement IndexedProgram::movement_of(Channel c) const {
    ChannelInfo const& info = channels_[c.index];
    bool const is_only = lanes(c).size() == 1 && lanes(c).front() == c;
    bool const names_tag = info.kind == Kind::front || (info.kind == Kind::lane && !is_only);
    return {info.beta, info.alpha, names_tag ? info.n : Tag{}};
}

Entry IndexedProgram::entry(std::size_t t, std::size_t i) const {
    Trace const& trace = program_->traces[t];
    std::size_t const first = i == 0 ? 0 : trace.entries[i - 1].last_movement;
    Entry entry{trace.entries[i].rho, std::span(movements_[t]).subspan(first, trace.entries[i].last_movement - first)};
    if (PeekAt const* const peek = trace.peek_at(i))
        entry.peek = peeks_[t][static_cast<std::size_t>(peek - trace.peeks.data())];
    return entry;
}

Expression const* expression_of(Command const& c) {
    return std::visit(overloaded{
                          [](Assume const& a) { return &a.e; },
                          [](Assert const& a) { return &a.e; },
                          [](Assign const& a) { return &a.e; },
                          [](Sndi const& s) { return &s.e; },
                          [](Rcvi const&) -> Expression const* { return nullptr; },
                          [](Probe const&) -> Expression const* { return nullptr; },
                          [](Start const&) -> Expression const* { return nullptr; },
                          [](Wait const&) -> Expression const* { return nullptr; },
                          [](Meet const&) -> Expression const* { return nullptr; },
                          [](Collective const&) -> Expression const* { return nullptr; },
                          [](Guarded const& g) { return &g.e; },
                      },
                      c);
}

bool divisor_may_be_zero(Ctp const& ctp, std::uint32_t node) {
    Node const& n = ctp.nodes[node];
    if (n.kind != Node::Kind::operation || !divides(n.op)) return false;
    Node const& divisor = ctp.nodes[node - 1];
    return divisor.kind != Node::Kind::value || ctp.values[divisor.payload] == Value::integer(0);
}

bool may_divide_by_zero(Ctp const& ctp, Expression e) {
    for (std::uint32_t n = e.first; n < e.first + e.size; ++n)
        if (divisor_may_be_zero(ctp, n)) return true;
    return false;
}

bool has_conditional_divisor(Ctp const& ctp, Expression e) {
    if (ctp.has_guarded_divisors) return false;
    auto const nodes = std::span(ctp.nodes).subspan(e.first, e.size);
    auto const is_ite = [](Node const& n) { return n.kind == Node::Kind::operation && is_choice(n.op); };
    if (std::none_of(nodes.begin(), nodes.end(), is_ite)) return false;
    Branches const branches(ctp, e);
    for (std::uint32_t n = e.first; n <= e.root(); ++n)
        if (divisor_may_be_zero(ctp, n) && branches.has(n)) return true;
    return false;
}

bool may_divide_by_zero(Ctp const& ctp) {
    return may_divide_by_zero(ctp, {0, static_cast<std::uint32_t>(ctp.nodes.size())});
}

} // namespace matchpoint::machine
