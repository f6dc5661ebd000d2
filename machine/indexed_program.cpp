#include "machine/indexed_program.hpp"

#include "grammar/overloaded.hpp"

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
                       },
                       [&](Rcvi const& k) { ++endpoints_[k.beta.index].Pnd_r.capacity; },
                       [](Wait const&) {},
                   },
                   located.c);
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
                      },
                      c);
}

bool may_divide_by_zero(Ctp const& ctp) {
    for (std::size_t i = 0; i < ctp.nodes.size(); ++i) {
        Node const& n = ctp.nodes[i];
        if (n.kind != Node::Kind::operation || (n.op != Op::div && n.op != Op::mod)) continue;
        Node const& divisor = ctp.nodes[i - 1];
        if (divisor.kind != Node::Kind::value || ctp.values[divisor.payload] == Value::integer(0)) return true;
    }
    return false;
}

} // namespace matchpoint::machine
