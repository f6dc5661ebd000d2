#include "tests/support/naive_collectives.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/support/all_rooms.hpp"

namespace matchpoint::naive {

namespace {

Collective const& at(Program const& program, CallSite call) {
    return std::get<Collective>(program.threads.at(call.thread).at(call.index).what);
}

/// The calls of a communicator in a thread, in order.
std::vector<std::size_t> calls_in(Program const& program, std::size_t thread, std::string const& communicator) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < program.threads[thread].size(); ++k) {
        Collective const* const c = std::get_if<Collective>(&program.threads[thread][k].what);
        if (c != nullptr && c->communicator == communicator) {
            places.push_back(k);
        }
    }
    return places;
}

/// "The members of comm are the threads in which comm occurs, unless it is declared."
std::vector<std::size_t> members_of(Program const& program, std::string const& communicator) {
    auto const declared = program.communicators.find(communicator);
    if (declared != program.communicators.end()) {
        return declared->second;
    }
    std::vector<std::size_t> members;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        if (!calls_in(program, t, communicator).empty()) {
            members.push_back(t);
        }
    }
    return members;
}

/// "The i-th collective of comm in each member belong together": the one in another member, if it has so many.
std::optional<CallSite> counterpart(Program const& program, CallSite call, std::size_t member) {
    std::string const& communicator = at(program, call).communicator;
    std::vector<std::size_t> const own = calls_in(program, call.thread, communicator);
    auto const i = static_cast<std::size_t>(std::find(own.begin(), own.end(), call.index) - own.begin());
    std::vector<std::size_t> const others = calls_in(program, member, communicator);
    return i < others.size() ? std::optional(CallSite{member, others[i]}) : std::nullopt;
}

/// "A thread has called its i-th one when it is at it, or past it."
bool has_called(State const& state, CallSite call) { return state.next[call.thread] >= call.index; }

bool is_one_of(std::string const& kind, std::set<std::string> const& kinds) { return kinds.contains(kind); }

bool is_rooted(std::string const& kind) {
    return is_one_of(kind, {"bcast", "gather", "gatherv", "scatter", "scatterv", "reduce"});
}

/// What a call says of what a member contributes or gets.
std::optional<unsigned> count_for(Program const& program, CallSite call, std::size_t member) {
    Collective const& c = at(program, call);
    if (c.counts.size() == 1) {
        return member == call.thread ? std::optional(c.counts[0]) : std::nullopt;
    }
    std::vector<std::size_t> const members = members_of(program, c.communicator);
    for (std::size_t k = 0; k < members.size() && k < c.counts.size(); ++k) {
        if (members[k] == member) {
            return c.counts[k];
        }
    }
    return std::nullopt;
}

/// The same of the block that a member gets: a single number is that of each.
std::optional<unsigned> block_of(Program const& program, CallSite call, std::size_t member) {
    Collective const& c = at(program, call);
    return c.counts.size() == 1 ? std::optional(c.counts[0]) : count_for(program, call, member);
}

bool differ(std::optional<unsigned> a, std::optional<unsigned> b) { return a.has_value() && b.has_value() && *a != *b; }

bool counts_disagree(Program const& program, CallSite a, CallSite b) {
    std::string const& kind = at(program, a).kind;
    if (is_one_of(kind, {"barrier", "construct", "alltoallv", "alltoallw"})) {
        return false;
    }
    std::vector<std::size_t> const members = members_of(program, at(program, a).communicator);
    bool const is_of_members = is_one_of(kind, {"gatherv", "scatterv", "allgatherv"});
    return std::any_of(members.begin(), members.end(), [&](std::size_t m) {
        return is_of_members ? differ(count_for(program, a, m), count_for(program, b, m))
                             : differ(block_of(program, a, m), block_of(program, b, m));
    });
}

bool disagree(Program const& program, CallSite a, CallSite b) {
    Collective const& c = at(program, a);
    Collective const& d = at(program, b);
    if (c.kind != d.kind || c.blocks != d.blocks) {
        return true;
    }
    auto const says_another = [](std::string const& x, std::string const& y) {
        return !x.empty() && !y.empty() && x != y;
    };
    return (is_rooted(c.kind) && c.root != d.root) || says_another(c.op, d.op) ||
           (!is_one_of(c.kind, {"alltoallv", "alltoallw"}) && says_another(c.type, d.type)) ||
           counts_disagree(program, a, b);
}

/// Whether what `other` contributes to `to` is a count above 0, as far as its call says.
bool contributes(Program const& program, CallSite other, std::size_t to) {
    if (at(program, other).counts.empty()) {
        return true;
    }
    bool const is_its_own = at(program, other).kind == "allgatherv" || at(program, other).kind == "gatherv" ||
                            at(program, other).kind == "scatterv";
    return is_its_own ? count_for(program, other, other.thread) != 0U : block_of(program, other, to) != 0U;
}

/// The same of a member that has no such call: what the caller says of it, or of everybody.
bool would_contribute(Program const& program, CallSite call, std::size_t member) {
    Collective const& c = at(program, call);
    if (is_one_of(c.kind, {"alltoallv", "alltoallw"})) {
        return true; // it alone would know
    }
    return c.kind == "allgatherv" ? count_for(program, call, member) != 0U : block_of(program, call, call.thread) != 0U;
}

/// The table of needs: whether a call needs another member.
bool needs(Program const& program, CallSite call, std::size_t member) {
    Collective const& c = at(program, call);
    if (is_one_of(c.kind, {"bcast", "scatter", "scatterv"})) {
        return member == *c.root && call.thread != *c.root;
    }
    if (is_one_of(c.kind, {"gather", "gatherv", "reduce"})) {
        return call.thread == *c.root;
    }
    if (is_one_of(c.kind, {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "reduce_scatter",
                           "reduce_scatter_block"})) {
        std::optional<CallSite> const other = counterpart(program, call, member);
        return other.has_value() ? contributes(program, *other, call.thread) : would_contribute(program, call, member);
    }
    if (is_one_of(c.kind, {"scan", "exscan"})) {
        std::vector<std::size_t> const members = members_of(program, c.communicator);
        return std::find(members.begin(), members.end(), member) <
               std::find(members.begin(), members.end(), call.thread);
    }
    return true; // barrier, allreduce, construct
}

/// The call that the next command of a thread is, or waits for.
std::optional<CallSite> call_of_next(Program const& program, State const& state, std::size_t thread) {
    if (state.next[thread] == program.threads[thread].size()) {
        return std::nullopt;
    }
    Command const& next = program.threads[thread][state.next[thread]];
    if (std::holds_alternative<Collective>(next.what)) {
        return CallSite{thread, state.next[thread]};
    }
    Wait const* const wait = std::get_if<Wait>(&next.what);
    if (wait == nullptr) {
        return std::nullopt;
    }
    ActionSite const site = find_action(program, wait->action);
    return site.collective == nullptr ? std::nullopt : std::optional(CallSite{site.thread, site.index});
}

} // namespace

bool is_mismatch(Program const& program, State const& state, CallSite call) {
    for (std::size_t const member : members_of(program, at(program, call).communicator)) {
        std::optional<CallSite> const other = counterpart(program, call, member);
        if (other.has_value() && has_called(state, *other) && disagree(program, call, *other)) {
            return true;
        }
    }
    return false;
}

std::optional<Reason> cannot_return(Program const& program, State const& state, CallSite call, bool zero) {
    // The wait for a call that was not made: "a has been called".
    if (!at(program, call).blocks && state.next[call.thread] <= call.index) {
        return Reason::not_called;
    }
    if (is_mismatch(program, state, call)) {
        return Reason::mismatch;
    }
    for (std::size_t const member : members_of(program, at(program, call).communicator)) {
        std::optional<CallSite> const other = counterpart(program, call, member);
        bool const has_come = other.has_value() && has_called(state, *other);
        bool const is_awaited = zero || at(program, call).waits_for_all || needs(program, call, member);
        if (member != call.thread && !has_come && is_awaited) {
            return Reason::not_called;
        }
    }
    return std::nullopt;
}

bool is_at_mismatch(Program const& program, State const& state, std::size_t thread) {
    std::optional<CallSite> const call = call_of_next(program, state, thread);
    return call.has_value() && has_called(state, *call) && is_mismatch(program, state, *call);
}

bool has_disagreement(Program const& program) {
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        for (std::size_t k = 0; k < program.threads[t].size(); ++k) {
            if (!std::holds_alternative<Collective>(program.threads[t][k].what)) {
                continue;
            }
            for (std::size_t u = 0; u < program.threads.size(); ++u) {
                std::optional<CallSite> const other = calls_in(program, u, at(program, {t, k}).communicator).empty()
                                                          ? std::nullopt
                                                          : counterpart(program, {t, k}, u);
                if (other.has_value() && disagree(program, {t, k}, *other)) {
                    return true;
                }
            }
        }
    }
    return false;
}

} // namespace matchpoint::naive
