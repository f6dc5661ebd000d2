#include "executions/shared/sharing.hpp"

#include <algorithm>
#include <cstring>

#include "executions/shared/raced_variables.hpp"
#include "grammar/common_endpoints.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::executions {

namespace {

void append(std::string& key, std::uint32_t n) {
    char bytes[sizeof n];
    std::memcpy(bytes, &n, sizeof n);
    key.append(bytes, sizeof n);
}

/// A value, so that no two texts of values are prefixes of each other.
void append(std::string& key, Value const& v) {
    if (auto const small = v.small()) {
        key += 'i';
        char bytes[sizeof *small];
        std::memcpy(bytes, &*small, sizeof *small);
        key.append(bytes, sizeof *small);
        return;
    }
    std::string const text = v.to_string(); // bot, a boolean, or an integer beyond 64 bits
    key += 'v';
    append(key, static_cast<std::uint32_t>(text.size()));
    key += text;
}

} // namespace

Sharing::Sharing(MessageIndex const& messages)
    : messages_(messages),
      is_common_(grammar::common_endpoints(messages.code().ctp(), messages.code().names().endpoints.size())),
      has_common_endpoints_(std::find(is_common_.begin(), is_common_.end(), true) != is_common_.end()),
      accesses_(shared_accesses(messages)), data_(accesses_),
      last_accesses_(messages.code().names().variables.size() + messages.code().endpoints().size() +
                     (has_common_endpoints_ ? messages.code().pair_count() : 0)),
      last_reads_(messages.code().names().variables.size()) {
    IndexedProgram const& code = messages.code();
    if (code.has_probes() && code.has_ready_sends())
        throw LimitReached("a program with probes and ready sends: its executions are not explored");
    Ctp const& ctp = code.ctp();
    std::vector<bool> const is_data = raced_variables(messages);
    for (Accesses& all : data_) std::erase_if(all, [&](Access const& access) { return !is_data[access.x.index]; });
    if (code.has_ready_sends()) add_posted_receives();
    if (has_common_endpoints_) add_common_endpoints();
    find_live_variables();
    for (std::uint32_t at = 0; at < ctp.commands.size(); ++at) {
        std::uint32_t const thread = code.thread_of({at});
        for (auto const& [x, writes] : accesses_[at]) {
            auto& all = last_accesses_[x.index];
            if (all.empty() || all.back().thread != thread) all.push_back({thread, {}, {}});
            all.back().any = at;
            if (writes) all.back().write = at;
        }
        for_each_expression(ctp, ctp.commands[at].c, [&](Expression e) {
            for (Node const& n : std::span(ctp.nodes).subspan(e.first, e.size)) {
                if (n.kind != Node::Kind::variable) continue;
                auto& all = last_reads_[n.payload];
                if (all.empty() || all.back().thread != thread) all.push_back({thread, at});
                all.back().command = at;
            }
        });
    }
    find_reads();
}

/// Of threads that are alike, the same shared variables are in the same order.
void Sharing::find_reads() {
    Ctp const& ctp = messages_.code().ctp();
    reads_of_.resize(ctp.threads.size());
    for (Variable const x : others_)
        for (LastRead const& read : last_reads_[x.index]) reads_of_[read.thread].push_back({x, read.command});
    for (auto& all : reads_of_)
        std::sort(all.begin(), all.end(), [](Read const& a, Read const& b) {
            return a.last != b.last ? a.last > b.last : a.x.index < b.x.index;
        });
    has_alike_views_ = others_.size() == ctp.shared.size();
}

/// Follows the variables that one thread alone accesses, and none of whose values are received, from its end to its
/// beginning. If there are too many, it follows none.
void Sharing::find_live_variables() {
    constexpr std::size_t most = 20'000'000;
    IndexedProgram const& code = messages_.code();
    Ctp const& ctp = code.ctp();
    is_followed_.assign(last_reads_.size(), true);
    for (SharedVariable const& s : ctp.shared) is_followed_[s.x.index] = false;
    for (auto const& receive : messages_.receives()) {
        Rcvi const& rcvi = *code.as_rcvi(receive.a);
        Selectors const* const sel = selectors_of(ctp, rcvi);
        if (!rcvi.x.is_none()) is_followed_[rcvi.x.index] = false;
        if (sel != nullptr && sel->source) is_followed_[sel->source->index] = false;
        if (sel != nullptr && sel->tagged) is_followed_[sel->tagged->index] = false;
    }
    for (LocatedCommand const& located : ctp.commands) {
        if (Start const* const start = as_start(located.c)) is_followed_[start->x.index] = false;
        Probe const* const probe = as_probe(located.c);
        Selectors const* const sel = probe == nullptr ? nullptr : selectors_of(ctp, *probe);
        if (sel != nullptr && sel->source) is_followed_[sel->source->index] = false;
        if (sel != nullptr && sel->tagged) is_followed_[sel->tagged->index] = false;
    }
    std::vector<std::uint32_t> owner(last_reads_.size(), UINT32_MAX);
    auto const accesses = [&](Variable x, std::uint32_t thread) {
        if (owner[x.index] == UINT32_MAX) owner[x.index] = thread;
        if (owner[x.index] != thread) is_followed_[x.index] = false;
    };
    struct Use {
        Variable x;
        bool writes;
    };
    std::vector<std::vector<Use>> uses(ctp.commands.size()); // reads first
    for (std::uint32_t at = 0; at < ctp.commands.size(); ++at) {
        Command const& c = ctp.commands[at].c;
        auto const add = [&](Variable x, bool writes) {
            accesses(x, code.thread_of({at}));
            uses[at].push_back({x, writes});
        };
        for_each_expression(ctp, c, [&](Expression e) {
            for (Node const& n : std::span(ctp.nodes).subspan(e.first, e.size))
                if (n.kind == Node::Kind::variable) add({n.payload}, false);
        });
        if (Assign const* const assign = std::get_if<Assign>(&c)) add(assign->x, true);
        if (Guarded const* const guarded = as_guarded(c))
            for (Assignment const& a : ctp.assigned(*guarded)) add(a.x, true);
    }
    std::vector<std::uint32_t> assigned_first(last_reads_.size(), UINT32_MAX);
    for (std::uint32_t at = 0; at < uses.size(); ++at)
        for (Use const& use : uses[at])
            if (use.writes && assigned_first[use.x.index] == UINT32_MAX) assigned_first[use.x.index] = at;
    std::vector<std::vector<Variable>> live(ctp.commands.size());
    std::size_t count = 0;
    for (Thread const& thread : ctp.threads) {
        std::vector<Variable> now; // in the order of their last reads
        for (std::uint32_t at = thread.last; at-- > thread.first;) {
            for (Use const& use : uses[at])
                if (use.writes) std::erase(now, use.x);
            for (Use const& use : uses[at])
                if (!use.writes && is_followed_[use.x.index] && assigned_first[use.x.index] < at &&
                    std::find(now.begin(), now.end(), use.x) == now.end())
                    now.push_back(use.x);
            std::erase_if(now, [&](Variable x) { return assigned_first[x.index] >= at; });
            count += now.size();
            spend(1 + now.size());
            if (count > most) {
                is_followed_.assign(is_followed_.size(), false);
                live.assign(live.size(), {});
                now.clear();
                count = 0;
            }
            live[at] = now;
        }
    }
    for (auto const& of_command : live) {
        first_live_.push_back(static_cast<std::uint32_t>(live_.size()));
        live_.insert(live_.end(), of_command.begin(), of_command.end());
    }
    first_live_.push_back(static_cast<std::uint32_t>(live_.size()));
    for (std::uint32_t x = 0; x < is_followed_.size(); ++x)
        if (!is_followed_[x]) others_.push_back({x});
}

void Sharing::add_posted_receives() {
    IndexedProgram const& code = messages_.code();
    auto const variables = static_cast<std::uint32_t>(code.names().variables.size());
    std::vector<bool> has_ready_sends(code.endpoints().size());
    for (auto const& send : messages_.sends())
        if (Sndi const& c = *code.as_sndi(send.a); c.mode == Mode::ready) {
            has_ready_sends[c.beta.index] = true;
            accesses_[send.rho.index].push_back({{variables + c.beta.index}, false});
        }
    for (auto const& receive : messages_.receives())
        if (has_ready_sends[receive.beta.index])
            accesses_[receive.rho.index].push_back({{variables + receive.beta.index}, true});
}

void Sharing::add_common_endpoints() {
    IndexedProgram const& code = messages_.code();
    Ctp const& ctp = code.ctp();
    auto const variables = static_cast<std::uint32_t>(code.names().variables.size());
    auto const endpoints = static_cast<std::uint32_t>(code.endpoints().size());
    for (std::uint32_t at = 0; at < ctp.commands.size(); ++at) {
        Command const& c = ctp.commands[at].c;
        Accesses& accesses = accesses_[at];
        if (Rcvi const* const receive = as_rcvi(c); receive != nullptr && is_common_[receive->beta.index])
            accesses.push_back({{variables + receive->beta.index}, true});
        if (Probe const* const probe = as_probe(c); probe != nullptr && is_common_[probe->beta.index])
            accesses.push_back({{variables + probe->beta.index}, probe->matches});
        if (Sndi const* const send = as_sndi(c); send != nullptr && is_common_[send->alpha.index])
            accesses.push_back({{variables + endpoints + code.pair_of(code.channel_of(send->a))}, true});
    }
    add_exposed_variables();
}

/// A wait completes earlier receives of other threads, too. That cannot be told if the only value that the variable of
/// such a receive ever has is what it receives. Other variables count as shared ones that each wait at the endpoint
/// writes.
void Sharing::add_exposed_variables() {
    IndexedProgram const& code = messages_.code();
    Ctp const& ctp = code.ctp();
    std::vector<std::uint32_t> definitions(code.names().variables.size());
    auto const define = [&](Variable x) { ++definitions[x.index]; };
    auto const define_selected = [&](Selectors const* sel) {
        if (sel != nullptr && sel->source) define(*sel->source);
        if (sel != nullptr && sel->tagged) define(*sel->tagged);
    };
    for (LocatedCommand const& located : ctp.commands) {
        if (Assign const* const assign = std::get_if<Assign>(&located.c)) define(assign->x);
        if (Guarded const* const guarded = as_guarded(located.c))
            for (Assignment const& a : ctp.assigned(*guarded)) define(a.x);
        if (Start const* const start = as_start(located.c)) define(start->x);
        if (Rcvi const* const receive = as_rcvi(located.c)) {
            define(receive->x);
            define_selected(selectors_of(ctp, *receive));
        }
        if (Probe const* const probe = as_probe(located.c)) define_selected(selectors_of(ctp, *probe));
    }
    for (SharedVariable const& s : ctp.shared) definitions[s.x.index] = UINT32_MAX; // it has a value at first
    std::vector<std::vector<Variable>> exposed(code.endpoints().size());            // endpoint -> variables
    std::vector<bool> is_exposed(definitions.size());
    for (LocatedCommand const& located : ctp.commands) {
        Rcvi const* const receive = as_rcvi(located.c);
        if (receive == nullptr || !is_common_[receive->beta.index]) continue;
        Selectors const* const sel = selectors_of(ctp, *receive);
        std::vector<Variable> defined{receive->x};
        if (sel != nullptr && sel->source) defined.push_back(*sel->source);
        if (sel != nullptr && sel->tagged) defined.push_back(*sel->tagged);
        for (Variable const x : defined)
            if (definitions[x.index] > 1) {
                exposed[receive->beta.index].push_back(x);
                is_exposed[x.index] = true;
            }
    }
    if (std::find(is_exposed.begin(), is_exposed.end(), true) == is_exposed.end()) return;
    for (std::uint32_t at = 0; at < ctp.commands.size(); ++at) {
        Command const& c = ctp.commands[at].c;
        auto const add = [&](Variable x, bool writes) {
            spend();
            if (is_exposed[x.index]) accesses_[at].push_back({x, writes});
        };
        for_each_expression(ctp, c, [&](Expression e) {
            for (Node const& n : std::span(ctp.nodes).subspan(e.first, e.size))
                if (n.kind == Node::Kind::variable) add({n.payload}, false);
        });
        if (Assign const* const assign = std::get_if<Assign>(&c)) add(assign->x, true);
        if (Guarded const* const guarded = as_guarded(c))
            for (Assignment const& a : ctp.assigned(*guarded)) add(a.x, true);
        Wait const* const wait = code.wait_for_message({at});
        Rcvi const* const receive = wait == nullptr ? nullptr : code.as_rcvi(wait->a);
        if (receive == nullptr) continue;
        for (Variable const x : exposed[receive->beta.index]) add(x, true);
        if (!receive->x.is_none()) add(receive->x, true); // of a receive at another endpoint, or of an mprobe
    }
}

bool Sharing::is_local(State const& state, Location rho) const {
    if (is_ready_send(messages_.code(), rho) || as_probe(messages_.code().command_at(rho)) != nullptr) return false;
    bool has_rival = false;
    for_each_rival(state, rho, [&](std::uint32_t) { has_rival = true; });
    if (messages_.code().has_contested_calls())
        messages_.code().collectives()->for_each_opponent(rho, [&](std::uint32_t) { has_rival = true; });
    return !has_rival;
}

bool Sharing::writes_what_is_read(Location writer, Location reader) const {
    auto const& reads = accesses_[reader.index];
    auto const& writes = accesses_[writer.index];
    return std::any_of(writes.begin(), writes.end(), [&](Access const& write) {
        return write.writes && std::any_of(reads.begin(), reads.end(),
                                           [&](Access const& read) { return !read.writes && read.x == write.x; });
    });
}

std::optional<Sharing::Conflict> Sharing::data_race(State const& state, Buffering buffering) const {
    IndexedProgram const& code = messages_.code();
    auto const& threads = code.ctp().threads;
    auto const accesses_data = [&](std::uint32_t t) {
        return state.ctp[t] < threads[t].last && !data_[state.ctp[t]].empty() &&
               can_go_on(code, state, buffering, {state.ctp[t]});
    };
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
        if (!accesses_data(t)) continue;
        for (std::uint32_t u = t + 1; u < threads.size(); ++u) {
            if (!accesses_data(u)) continue;
            Location const a{state.ctp[t]};
            Location const b{state.ctp[u]};
            if (auto const x = conflict(data_[a.index], data_[b.index])) return Conflict{a, b, *x};
        }
    }
    return std::nullopt;
}

void Sharing::append_queues(State const& state, std::string& key) const {
    IndexedProgram const& code = messages_.code();
    for (std::uint32_t c = 0; c < code.channels().size(); ++c) {
        append(key, state.Pnd_s.taken[c]);
        for (PendingSend const& p : Pnd_s(code, state, Channel{c})) append(key, p.v);
    }
    for (std::uint32_t beta = 0; beta < code.endpoints().size(); ++beta) {
        std::uint32_t const first = code[Endpoint{beta}].Q_s.first;
        append(key, state.Q_s.front[beta]);
        append(key, state.Q_s.delivered[beta]);
        for (std::uint32_t m = state.Q_s.front[beta]; m < state.Q_s.delivered[beta]; ++m) {
            DeliveredSend const& d = state.Q_s.entries[first + m];
            key += static_cast<char>(d.mark);
            if (d.mark == DeliveredSend::Mark::removed) continue;
            append(key, d.a.index);
            append(key, d.v);
            if (code[Endpoint{beta}].selects) append(key, state.partners.of_message[first + m]);
        }
    }
    if (has_common_endpoints_) append_common_queues(state, key);
}

/// Which receives are posted at an endpoint that several threads use, and which messages are in transit from it.
void Sharing::append_common_queues(State const& state, std::string& key) const {
    IndexedProgram const& code = messages_.code();
    for (std::uint32_t beta = 0; beta < code.endpoints().size(); ++beta) {
        if (!is_common_[beta]) continue;
        std::uint32_t const first = code[Endpoint{beta}].Pnd_r.first;
        std::uint32_t const issued = state.Pnd_r.issued[beta];
        append(key, issued);
        for (std::uint32_t n = 0; n < issued; ++n)
            append(key, is_removed(state, code, {beta}, n) ? UINT32_MAX : state.Pnd_r.entries[first + n].a.index);
    }
    for (std::uint32_t c = 0; c < code.channels().size(); ++c) {
        if (!is_common_[code[Channel{c}].alpha.index]) continue;
        append(key, state.Pnd_s.issued[c]);
        for (PendingSend const& p : Pnd_s(code, state, Channel{c})) {
            append(key, p.a.index);
            if (code.selects()) append(key, state.partners.sent[p.a.index]);
        }
    }
}

void Sharing::append_place(State const& state, std::uint32_t thread, std::string& key) const {
    append(key, state.ctp[thread] - messages_.code().ctp().threads[thread].first);
}

void Sharing::append_if_read(State const& state, Variable x, std::vector<bool> const* only, std::string& key) const {
    auto const& all = last_reads_[x.index];
    if (std::any_of(all.begin(), all.end(), [&](LastRead const& read) {
            return state.ctp[read.thread] <= read.command && (only == nullptr || (*only)[read.thread]);
        }))
        append(key, state.h[x.index]);
}

void Sharing::append_view(State const& state, std::uint32_t thread, std::string& key) const {
    key += static_cast<char>(state.s);
    append_place(state, thread, key);
    append_live(state, thread, key);
    for (auto const& [x, last] : reads_of_[thread]) {
        if (last < state.ctp[thread]) break;
        append(key, state.h[x.index]);
    }
}

void Sharing::append_live(State const& state, std::uint32_t thread, std::string& key) const {
    std::uint32_t const at = state.ctp[thread];
    if (at == messages_.code().ctp().threads[thread].last) return;
    for (std::uint32_t i = first_live_[at]; i < first_live_[at + 1]; ++i) append(key, state.h[live_[i].index]);
}

void Sharing::append_variables(State const& state, Symmetry const& symmetry, std::vector<bool> const* only,
                               std::string& key) const {
    for (Variable const x : others_)
        if (!symmetry.is_local_of_group(x)) append_if_read(state, x, only, key);
}

std::uint32_t context_switches(IndexedProgram const& code, Schedule const& schedule) {
    std::uint32_t count = 0;
    for (std::size_t i = 1; i < schedule.size(); ++i)
        if (code.thread_of(schedule.entry(i).rho) != code.thread_of(schedule.entry(i - 1).rho)) ++count;
    return count;
}

void SharedScheduler::add_deliveries(Endpoint beta, std::vector<Transition>& to) const {
    for_each_delivery(beta, [&](Channel c) {
        if (model_ == nullptr || model_->allows(state(), c)) to.emplace_back(Deliver{c});
    });
}

End SharedScheduler::end_here() {
    if (model_ == nullptr) return Scheduler::end_here();
    return state().finished() ? End::complete : End::pruned;
}

bool SharedScheduler::run_local_commands(std::uint32_t thread) {
    Status const before = state().s;
    bool ran = false;
    for (auto rho = next_of(thread); rho && sharing_.is_local(state(), *rho) && can_step(*rho); rho = next_of(thread)) {
        execute(*rho);
        ran = true;
        if (state().s != before) break;
    }
    return ran;
}

void SharedScheduler::add_deliveries(std::vector<Transition>& to) const {
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta)
        if (is_wanted({beta})) add_deliveries({beta}, to);
}

} // namespace matchpoint::executions
