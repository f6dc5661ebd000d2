#include "tests/support/naive_rules.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_oracle.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace matchpoint::naive {

namespace {

struct Receive {
    std::string action;
    Endpoint beta = 0;
    std::size_t ordinal = 0;
    std::size_t node = 0;
    std::size_t nearest_wait = 0;
};

struct Send {
    std::string action;
    Endpoint alpha = 0;
    Endpoint beta = 0;
    std::size_t place = 0;
    std::size_t node = 0;
    std::optional<std::size_t> wait;
};

/// Commands are nodes 0, 1, 2 ... through the threads.
struct Parts {
    std::vector<Receive> receives;
    std::vector<Send> sends;
    std::vector<std::pair<std::size_t, std::size_t>> program_order;
    std::size_t commands = 0;
};

Parts parts_of(Program const& program) {
    Parts parts;
    std::map<std::pair<Endpoint, Endpoint>, std::size_t> places;
    for (Thread const& thread : program.threads) {
        std::size_t const first = parts.commands;
        std::map<Endpoint, std::size_t> ordinals;
        for (std::size_t i = 0; i < thread.size(); ++i) {
            if (i > 0) parts.program_order.emplace_back(first + i - 1, first + i);
            if (auto const* const r = std::get_if<Rcvi>(&thread[i].what)) {
                // Definition 6: the first wait after it for it or for a later receive at its endpoint.
                std::set<std::string> good{r->action};
                std::size_t j = i;
                while (true) {
                    ++j;
                    auto const* const later = std::get_if<Rcvi>(&thread.at(j).what);
                    if (later != nullptr && later->beta == r->beta) good.insert(later->action);
                    auto const* const wait = std::get_if<Wait>(&thread[j].what);
                    if (wait != nullptr && good.contains(wait->action)) break;
                }
                parts.receives.push_back({r->action, r->beta, ordinals[r->beta]++, first + i, first + j});
            }
            if (auto const* const s = std::get_if<Sndi>(&thread[i].what)) {
                Send send{s->action, s->alpha, s->beta, places[{s->alpha, s->beta}]++, first + i, std::nullopt};
                for (std::size_t j = i; j < thread.size(); ++j)
                    if (auto const* const wait = std::get_if<Wait>(&thread[j].what); wait && wait->action == s->action)
                        send.wait = first + j;
                parts.sends.push_back(send);
            }
        }
        parts.commands += thread.size();
    }
    return parts;
}

Receive const& find(std::vector<Receive> const& all, std::string const& action) {
    return *std::find_if(all.begin(), all.end(), [&](Receive const& r) { return r.action == action; });
}
Send const& find(std::vector<Send> const& all, std::string const& action) {
    return *std::find_if(all.begin(), all.end(), [&](Send const& s) { return s.action == action; });
}

/// Whether the sends of a channel, from number i on, can be given ordinals from `from` on: `given` says which have one,
/// `taken` which ordinals are others'.
bool can_be_served(std::vector<Send> const& channel, std::size_t i, std::size_t from, std::size_t receives,
                   std::map<std::string, std::size_t> const& given, std::set<std::size_t> const& taken, bool zero) {
    // None of these is matched:
    bool const may_end =
        std::none_of(channel.begin() + static_cast<std::ptrdiff_t>(i), channel.end(),
                     [&](Send const& s) { return given.contains(s.action) || (zero && s.wait.has_value()); });
    if (may_end) return true;
    auto const it = given.find(channel[i].action);
    for (std::size_t n = from; n < receives; ++n)
        if ((it != given.end() ? it->second == n : !taken.contains(n)) &&
            can_be_served(channel, i + 1, n + 1, receives, given, taken, zero))
            return true;
    return false;
}

} // namespace

bool breaks_a_rule(Program const& program, bool zero, Matches const& matches) {
    Parts const parts = parts_of(program);
    // 1
    std::set<std::string> receives;
    std::set<std::string> sends;
    for (auto const& [r, s] : matches) {
        if (find(parts.receives, r).beta != find(parts.sends, s).beta) return true;
        if (!receives.insert(r).second || !sends.insert(s).second) return true;
    }
    // 2 and 3
    std::map<std::pair<Endpoint, Endpoint>, std::vector<Send>> channels;
    for (Send const& s : parts.sends) channels[{s.alpha, s.beta}].push_back(s);
    for (auto const& [ends, channel] : channels) {
        Endpoint const beta = ends.second;
        std::map<std::string, std::size_t> given;
        std::set<std::size_t> taken;
        for (auto const& [r, s] : matches) {
            Receive const& receive = find(parts.receives, r);
            if (receive.beta != beta) continue;
            taken.insert(receive.ordinal);
            if (find(parts.sends, s).alpha == ends.first) given[s] = receive.ordinal;
        }
        auto const count = static_cast<std::size_t>(std::count_if(parts.receives.begin(), parts.receives.end(),
                                                                  [&](Receive const& r) { return r.beta == beta; }));
        if (!can_be_served(channel, 0, 0, count, given, taken, zero)) return true;
    }
    // 4
    std::size_t const nodes = parts.commands + parts.receives.size();
    std::vector<std::vector<bool>> before(nodes, std::vector<bool>(nodes));
    for (auto const& [a, b] : parts.program_order) before[a][b] = true;
    auto const instant = [&](std::string const& r) {
        return parts.commands + static_cast<std::size_t>(&find(parts.receives, r) - parts.receives.data());
    };
    for (auto const& [r, s] : matches) {
        Send const& send = find(parts.sends, s);
        if (!zero) {
            before[send.node][find(parts.receives, r).nearest_wait] = true;
            continue;
        }
        before[send.node][instant(r)] = true;
        if (send.wait) before[instant(r)][*send.wait] = true;
    }
    if (zero) {
        for (Receive const& r : parts.receives) {
            before[r.node][instant(r.action)] = true;
            before[instant(r.action)][r.nearest_wait] = true;
            for (Receive const& next : parts.receives)
                if (next.beta == r.beta && next.ordinal == r.ordinal + 1)
                    before[instant(r.action)][instant(next.action)] = true;
        }
    }
    for (std::size_t k = 0; k < nodes; ++k)
        for (std::size_t i = 0; i < nodes; ++i)
            for (std::size_t j = 0; j < nodes; ++j)
                if (before[i][k] && before[k][j]) before[i][j] = true;
    for (std::size_t i = 0; i < nodes; ++i)
        if (before[i][i]) return true;
    return false;
}

std::optional<std::string> nearest_enclosing_wait(Program const& program, std::string const& receive) {
    // Nothing stands for all numbers.
    auto const no_more = [](auto const& a, auto const& b) {
        return !b || (a && std::all_of(a->begin(), a->end(),
                                       [&](unsigned n) { return std::find(b->begin(), b->end(), n) != b->end(); }));
    };
    ActionSite const site = find_action(program, receive);
    Thread const& thread = program.threads[site.thread];
    std::set<std::string> good;
    for (std::size_t i = site.index; i < thread.size(); ++i) {
        auto const* const later = std::get_if<Rcvi>(&thread[i].what);
        if (later != nullptr && later->beta == site.rcvi->beta && no_more(later->sel.from, site.rcvi->sel.from) &&
            no_more(later->sel.tags, site.rcvi->sel.tags))
            good.insert(later->action);
        auto const* const wait = std::get_if<Wait>(&thread[i].what);
        if (wait != nullptr && good.contains(wait->action)) return thread[i].location;
    }
    return std::nullopt;
}

std::set<std::vector<std::string>> counted_orders(Program const& program, bool zero) {
    Parts const parts = parts_of(program);
    std::set<std::vector<std::string>> orders;
    std::vector<std::size_t> next(program.threads.size());
    std::vector<std::string> order;
    std::map<Endpoint, std::size_t> sent;
    std::map<Endpoint, std::size_t> posted;
    std::function<void()> const go_on = [&] {
        bool finished = true;
        for (std::size_t t = 0; t < next.size(); ++t) {
            if (next[t] == program.threads[t].size()) continue;
            finished = false;
            Command const& c = program.threads[t][next[t]];
            auto const* const sndi = std::get_if<Sndi>(&c.what);
            auto const* const rcvi = std::get_if<Rcvi>(&c.what);
            if (auto const* const wait = std::get_if<Wait>(&c.what)) {
                auto const is_it = [&](auto const& one) { return one.action == wait->action; };
                auto const r = std::find_if(parts.receives.begin(), parts.receives.end(), is_it);
                auto const s = std::find_if(parts.sends.begin(), parts.sends.end(), is_it);
                if (r != parts.receives.end() && sent[r->beta] <= r->ordinal) continue;
                if (zero && s != parts.sends.end() && posted[s->beta] <= s->place) continue;
            }
            ++next[t];
            order.push_back(c.location);
            if (sndi != nullptr) ++sent[sndi->beta];
            if (rcvi != nullptr) ++posted[rcvi->beta];
            go_on();
            if (sndi != nullptr) --sent[sndi->beta];
            if (rcvi != nullptr) --posted[rcvi->beta];
            order.pop_back();
            --next[t];
        }
        if (finished) orders.insert(order);
    };
    go_on();
    return orders;
}

} // namespace matchpoint::naive
