#include "machine/indexed_program.hpp"

#include <algorithm>
#include <span>

#include "base/overloaded.hpp"
#include "grammar/branches.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::machine {

namespace {

std::uint64_t key(Endpoint beta, Endpoint alpha) { return std::uint64_t{beta.index} << 32U | alpha.index; }

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

    for (LocatedCommand const& located : ctp().commands)
        std::visit(overloaded{
                       [](Assume const&) {},
                       [](Assert const&) {},
                       [](Assign const&) {},
                       [&](Sndi const& k) {
                           Channel const c = channel(k.beta, k.alpha);
                           channel_of_[k.a.index] = c;
                           ++channels_[c.index].Pnd_s.capacity;
                           ++endpoints_[k.beta.index].Q_s.capacity;
                           synchronizes_ = synchronizes_ || k.mode == Mode::synchronous;
                           has_plain_messages_ = has_plain_messages_ && k.mode == Mode::standard;
                       },
                       [&](Rcvi const& k) {
                           EndpointInfo& info = endpoints_[k.beta.index];
                           ++info.Pnd_r.capacity;
                           info.selects = info.selects || restricts(selectors_of(ctp(), k));
                           selects_ = selects_ || info.selects;
                           has_plain_messages_ = has_plain_messages_ && k.sel.is_none();
                       },
                       [](Wait const&) {},
                       [](Meet const&) {},
                       [&](Guarded const&) { shares_ = true; },
                   },
                   located.c);
    shares_ = shares_ || !ctp().shared.empty();
    for (LocatedCommand const& located : ctp().commands)
        for_each_expression(ctp(), located.c, [&](Expression e) {
            has_conditional_divisors_ = has_conditional_divisors_ || has_conditional_divisor(ctp(), e);
        });
    if (auto const zero = names().tags.find("0")) tag_0_ = {*zero};
    find_meetings();
    for (Trace const& trace : program.traces) {
        auto& channels = movements_.emplace_back();
        channels.reserve(trace.movements.size());
        for (auto const& [beta, alpha] : trace.movements) channels.push_back(channel(beta, alpha));
    }

    Allotment sends;
    Allotment receives;
    Allotment delivered;
    for (ChannelInfo& c : channels_) sends.place(c.Pnd_s);
    for (EndpointInfo& e : endpoints_) {
        receives.place(e.Pnd_r);
        delivered.place(e.Q_s);
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
    Sndi const& send = *as_sndi(a_s);
    return grammar::admits(selectors_of(ctp(), *as_rcvi(a_r)), send.alpha, send.tag.is_none() ? tag_0_ : send.tag);
}

Value IndexedProgram::source_of(Action a_s) const { return Value::parse_integer(names()(as_sndi(a_s)->alpha)); }

Value IndexedProgram::tag_number(Action a_s) const {
    Tag const n = as_sndi(a_s)->tag;
    return n.is_none() ? Value::integer(0) : Value::parse_integer(names()(n));
}

Channel IndexedProgram::channel(Endpoint beta, Endpoint alpha) {
    auto const [it, is_new] =
        channel_numbers_.try_emplace(key(beta, alpha), static_cast<std::uint32_t>(channels_.size()));
    if (is_new) channels_.push_back({beta, alpha, {}});
    return {it->second};
}

std::optional<Channel> IndexedProgram::find_channel(Endpoint beta, Endpoint alpha) const {
    auto const it = channel_numbers_.find(key(beta, alpha));
    if (it == channel_numbers_.end()) return std::nullopt;
    return Channel{it->second};
}

Entry IndexedProgram::entry(std::size_t t, std::size_t i) const {
    Trace const& trace = program_->traces[t];
    std::size_t const first = i == 0 ? 0 : trace.entries[i - 1].last_movement;
    return {trace.entries[i].rho, std::span(movements_[t]).subspan(first, trace.entries[i].last_movement - first)};
}

Expression const* expression_of(Command const& c) {
    return std::visit(overloaded{
                          [](Assume const& a) { return &a.e; },
                          [](Assert const& a) { return &a.e; },
                          [](Assign const& a) { return &a.e; },
                          [](Sndi const& s) { return &s.e; },
                          [](Rcvi const&) -> Expression const* { return nullptr; },
                          [](Wait const&) -> Expression const* { return nullptr; },
                          [](Meet const&) -> Expression const* { return nullptr; },
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
