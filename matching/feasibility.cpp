#include "matching/feasibility.hpp"

#include <algorithm>

namespace matchpoint::matching {

Feasibility::Feasibility(MessageIndex const& messages, Buffering buffering, Extent extent)
    : messages_(&messages), buffering_(buffering), extent_(extent), received_by_(messages.sends().size(), unmatched),
      missing_(messages.code().ctp().commands.size()), served_(messages.code().endpoints().size()) {
    auto const& commands = messages.code().ctp().commands;
    for (Thread const& t : messages.code().ctp().threads) starts_.push_back(t.first);
    receives_of_wait_first_.assign(commands.size() + 1, 0);
    for (auto const& r : messages.receives()) ++receives_of_wait_first_[r.nw.index + 1];
    for (std::size_t i = 0; i < commands.size(); ++i) receives_of_wait_first_[i + 1] += receives_of_wait_first_[i];
    std::vector<std::uint32_t> next(receives_of_wait_first_.begin(), receives_of_wait_first_.end() - 1);
    receives_of_wait_.resize(messages.receives().size());
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r)
        receives_of_wait_[next[messages.receives()[r].nw.index]++] = r;
}

bool Feasibility::breaks_a_rule(Matching const& m) { return assignment(m).has_value() || !run(m, nullptr); }

void Feasibility::schedule(Matching const& m, Schedule& out) {
    out.clear();
    static_cast<void>(assignment(m)); // for received_by_
    static_cast<void>(run(m, &out));
}

/// Rules 1 to 3.
std::optional<Feasibility::Broken> Feasibility::assignment(Matching const& m) {
    MessageIndex const& messages = *messages_;
    std::fill(received_by_.begin(), received_by_.end(), unmatched);
    for (std::uint32_t r = 0; r < m.size(); ++r) {
        std::uint32_t const s = m[r];
        if (s == unmatched) continue;
        Endpoint const beta = messages.receives()[r].beta;
        if (messages.beta_of(messages.sends()[s]) != beta) return Broken{Conflict::Kind::endpoints, beta, s, r};
        if (received_by_[s] != unmatched) return Broken{Conflict::Kind::send_twice, beta, s, r};
        received_by_[s] = r;
    }
    for (std::uint32_t beta = 0; beta < served_.size(); ++beta) {
        auto const channels = messages.channels_to({beta});
        if (channels.empty()) continue;
        before_.assign(1, 0);
        for (std::uint32_t const r : messages.receives_at({beta}))
            before_.push_back(before_.back() + (m[r] == unmatched));
        for (Channel const c : channels)
            if (auto broken = channel(c)) return broken;
    }
    return std::nullopt;
}

/// Rules 2 and 3, for one channel. Between the receives of two sends there have to be enough free receives for the
/// sends between these two. In a set of all receives, none is free.
std::optional<Feasibility::Broken> Feasibility::channel(Channel c) {
    MessageIndex const& messages = *messages_;
    Endpoint const beta = messages.code()[c].beta;
    std::uint32_t from = 0;     // the ordinal after that of the last matched send
    std::uint32_t left_out = 0; // how many unmatched sends there were since then
    std::uint32_t first_left_out = unmatched;
    std::uint32_t owed = 0; // how many of them, up to the last one with a wait for it
    for (std::uint32_t const s : messages.sends_of(c)) {
        std::uint32_t const r = received_by_[s];
        if (r == unmatched) {
            if (extent_ == Extent::prefix) continue;
            if (left_out++ == 0) first_left_out = s;
            if (!messages.sends()[s].wait.is_none()) owed = left_out;
            continue;
        }
        std::uint32_t const ordinal = messages.receives()[r].ordinal;
        if (ordinal < from) return Broken{Conflict::Kind::overtaking, beta, s, r};
        if (before_[ordinal] - before_[from] < left_out)
            return Broken{Conflict::Kind::left_out, beta, first_left_out, r};
        from = ordinal + 1;
        left_out = owed = 0;
    }
    if (buffering_ == Buffering::zero && before_.back() - before_[from] < owed)
        return Broken{Conflict::Kind::left_out, beta, first_left_out, unmatched};
    return std::nullopt;
}

void Feasibility::wake(std::uint32_t thread, std::uint32_t rho) {
    if (--missing_[rho] == 0 && next_[thread] == rho) runnable_.push_back(thread);
}

/// Zero buffering: all rendezvous that can take place at beta now.
void Feasibility::rendezvous(Matching const& m, Endpoint beta, Schedule* out) {
    MessageIndex const& messages = *messages_;
    IndexedProgram const& code = messages.code();
    auto const at = messages.receives_at(beta);
    for (std::uint32_t& served = served_[beta.index]; served < at.size(); ++served) {
        auto const& r = messages.receives()[at[served]];
        std::uint32_t const receiver = code.thread_of(r.rho);
        if (next_[receiver] <= r.rho.index) return; // not posted
        std::uint32_t const s = m[at[served]];
        if (s != unmatched) {
            auto const& send = messages.sends()[s];
            std::uint32_t const sender = code.thread_of(send.rho);
            if (next_[sender] <= send.rho.index) return; // not sent
            if (out != nullptr) out->move(send.channel);
            if (!send.wait.is_none()) wake(sender, send.wait.index);
        }
        wake(receiver, r.nw.index);
    }
}

bool Feasibility::run(Matching const& m, Schedule* out) {
    MessageIndex const& messages = *messages_;
    IndexedProgram const& code = messages.code();
    auto const& threads = code.ctp().threads;
    bool const zero = buffering_ == Buffering::zero;

    spend(8 * code.ctp().commands.size());
    std::fill(missing_.begin(), missing_.end(), 0);
    std::fill(served_.begin(), served_.end(), 0);
    next_ = starts_;
    runnable_.clear();
    for (std::uint32_t t = static_cast<std::uint32_t>(threads.size()); t-- > 0;) runnable_.push_back(t);
    for (std::uint32_t r = 0; r < m.size(); ++r) {
        if (zero || m[r] != unmatched) ++missing_[messages.receives()[r].nw.index];
        if (zero && m[r] != unmatched)
            if (Location const w = messages.sends()[m[r]].wait; !w.is_none()) ++missing_[w.index];
    }

    std::size_t finished = 0;
    while (!runnable_.empty()) {
        std::uint32_t const t = runnable_.back();
        runnable_.pop_back();
        std::uint32_t& next = next_[t];
        if (next == threads[t].last) continue;
        while (next < threads[t].last && missing_[next] == 0) {
            Location const rho{next};
            if (out != nullptr) {
                if (!zero)
                    for (std::uint32_t i = receives_of_wait_first_[next]; i < receives_of_wait_first_[next + 1]; ++i)
                        if (std::uint32_t const s = m[receives_of_wait_[i]]; s != unmatched)
                            out->move(messages.sends()[s].channel);
                out->step(rho);
            }
            ++next;
            visit_message(
                code.command_at(rho),
                [&](Sndi const& sndi) {
                    std::uint32_t const r = received_by_[messages.send_number(sndi.a)];
                    if (r == unmatched) return;
                    if (zero)
                        rendezvous(m, sndi.beta, out);
                    else
                        wake(code.thread_of(messages.receives()[r].rho), messages.receives()[r].nw.index);
                },
                [&](Rcvi const& rcvi) {
                    if (zero) rendezvous(m, rcvi.beta, out);
                });
        }
        if (next == threads[t].last) ++finished;
    }
    for (std::uint32_t t = 0; t < threads.size(); ++t)
        if (next_[t] != threads[t].last) return false;
    return true;
}

/// Every unfinished thread is at a wait, and what that wait misses comes after the wait of another unfinished thread.
void Feasibility::find_cycle(Matching const& m, Conflict& c) {
    using Edge = Conflict::Edge;
    using Moment = Conflict::Moment;
    MessageIndex const& messages = *messages_;
    IndexedProgram const& code = messages.code();
    auto const& threads = code.ctp().threads;

    std::vector<Edge> backwards;
    std::vector<std::size_t> seen(threads.size(), SIZE_MAX); // thread -> how many edges there were
    std::uint32_t t = 0;
    while (next_[t] == threads[t].last) ++t;
    while (seen[t] == SIZE_MAX) {
        seen[t] = backwards.size();
        std::uint32_t const w = next_[t];
        Moment const here{false, w};
        auto const comes_from = [&](Location rho, Edge edge) {
            backwards.push_back(edge);
            t = code.thread_of(rho);
            backwards.push_back({{false, next_[t]}, {false, rho.index}, Edge::Why::program_order, {}});
        };
        if (buffering_ == Buffering::infinite) {
            std::uint32_t i = receives_of_wait_first_[w];
            auto const is_sent = [&](std::uint32_t s) {
                return next_[code.thread_of(messages.sends()[s].rho)] > messages.sends()[s].rho.index;
            };
            while (m[receives_of_wait_[i]] == unmatched || is_sent(m[receives_of_wait_[i]])) ++i;
            std::uint32_t const r = receives_of_wait_[i];
            Location const rho = messages.sends()[m[r]].rho;
            comes_from(rho, {{false, rho.index}, here, Edge::Why::received, Pair{r, m[r]}});
            continue;
        }
        std::uint32_t r = unmatched;
        if (auto const a = std::get<Wait>(code.command_at({w})).a; code.as_sndi(a) != nullptr) {
            std::uint32_t const s = messages.send_number(a);
            r = received_by_[s];
            backwards.push_back({{true, r}, here, Edge::Why::releases, Pair{r, s}});
        } else {
            std::uint32_t i = receives_of_wait_first_[w];
            auto const& receives = messages.receives();
            while (receives[receives_of_wait_[i]].ordinal < served_[receives[receives_of_wait_[i]].beta.index]) ++i;
            r = receives_of_wait_[i];
            backwards.push_back({{true, r}, here, Edge::Why::completes, {}});
        }
        auto const at = messages.receives_at(messages.receives()[r].beta);
        std::uint32_t const first = served_[messages.receives()[r].beta.index];
        for (std::uint32_t n = messages.receives()[r].ordinal; n > first; --n)
            backwards.push_back({{true, at[n - 1]}, {true, at[n]}, Edge::Why::endpoint_order, {}});
        std::uint32_t const r_0 = at[first];
        Location const posted = messages.receives()[r_0].rho;
        if (next_[code.thread_of(posted)] <= posted.index) {
            comes_from(posted, {{false, posted.index}, {true, r_0}, Edge::Why::posted_before, {}});
        } else {
            Location const sent = messages.sends()[m[r_0]].rho;
            comes_from(sent, {{false, sent.index}, {true, r_0}, Edge::Why::sent_before, Pair{r_0, m[r_0]}});
        }
    }
    c.cycle.assign(backwards.rbegin(), backwards.rend() - static_cast<std::ptrdiff_t>(seen[t]));
    for (Edge const& e : c.cycle)
        if (e.pair) c.core.push_back(*e.pair);
    std::sort(c.core.begin(), c.core.end());
    c.core.erase(std::unique(c.core.begin(), c.core.end()), c.core.end());
}

std::optional<Conflict> Feasibility::conflict(Matching const& m) {
    MessageIndex const& messages = *messages_;
    auto const broken = assignment(m);
    if (!broken && run(m, nullptr)) return std::nullopt;

    Conflict c;
    if (!broken) {
        c.kind = Conflict::Kind::cycle;
        find_cycle(m, c);
    } else {
        c.kind = broken->kind;
        auto const add = [&](std::uint32_t r) { c.core.push_back({r, m[r]}); };
        switch (broken->kind) {
        case Conflict::Kind::endpoints: add(broken->receive); break;
        case Conflict::Kind::send_twice:
            add(received_by_[broken->send]);
            add(broken->receive);
            break;
        case Conflict::Kind::overtaking:
        case Conflict::Kind::left_out:
            // Everything at the endpoint; shrink() leaves out what is not needed.
            for (std::uint32_t const r : messages.receives_at(broken->beta))
                if (m[r] != unmatched) add(r);
            break;
        case Conflict::Kind::cycle: break;
        }
    }
    shrink(c);
    return c;
}

/// Leaves matches out of the core as long as the rest breaks a rule. Fewer matches never break more rules, so one pass
/// is enough.
void Feasibility::shrink(Conflict& c) {
    Matching part(*messages_);
    // A send that is received twice is in `part` twice: once for each receive.
    for (Pair const& p : c.core) part[p.r] = p.s;
    // Infinite buffering: a cycle enters and leaves each of its threads once, by a match. So it needs all of them.
    bool const is_smallest = c.kind == Conflict::Kind::cycle && buffering_ == Buffering::infinite;
    for (std::size_t i = is_smallest ? 0 : c.core.size(); i-- > 0;) {
        part[c.core[i].r] = unmatched;
        bool const still = breaks_a_rule(part);
        if (still)
            c.core.erase(c.core.begin() + static_cast<std::ptrdiff_t>(i));
        else
            part[c.core[i].r] = c.core[i].s;
    }
    // The smallest set may break another rule.
    c.cycle.clear();
    if (auto const broken = assignment(part)) {
        c.kind = broken->kind;
        if (broken->kind == Conflict::Kind::left_out) c.left_out = broken->send;
    } else {
        c.kind = Conflict::Kind::cycle;
        static_cast<void>(run(part, nullptr));
        std::vector<Pair> const core = std::move(c.core);
        c.core.clear();
        find_cycle(part, c);
        c.core = core;
    }
    std::sort(c.core.begin(), c.core.end());
}

std::string_view to_string(Conflict::Edge::Why why) {
    using Why = Conflict::Edge::Why;
    switch (why) {
    case Why::program_order: return "program order";
    case Why::received: return "a send precedes the wait that completes its receive";
    case Why::sent_before: return "a send precedes its rendezvous";
    case Why::posted_before: return "a receive precedes its rendezvous";
    case Why::completes: return "a rendezvous precedes the wait that completes its receive";
    case Why::releases: return "a rendezvous precedes the wait for its send";
    case Why::endpoint_order: return "receives at an endpoint are served in their order";
    case Why::barrier: return "a thread passes a barrier when all have come";
    case Why::collective: return "a thread passes a collective when those that it needs have called";
    }
    return {};
}

} // namespace matchpoint::matching
