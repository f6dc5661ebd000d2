#include "machine/collectives.hpp"

#include <algorithm>

#include "grammar/communicators.hpp"
#include "machine/collective_needs.hpp"

namespace matchpoint::machine {

namespace {

bool has_called(State const& state, Collectives::Member const& member) {
    return !member.rho.is_none() && state.ctp[member.thread] >= member.rho.index;
}

struct MemberPlace {
    std::uint32_t thread;
    std::uint32_t place; // among the members
};

/// Whether a member that makes no call would contribute: what another call says of it, where both have to say the same.
bool would_contribute(CollectiveCall const& call, std::uint32_t k, std::uint32_t to) {
    using Counts = CollectiveInfo::Counts;
    Counts const counts = info(call.kind).counts;
    bool const is_said = counts != Counts::of_receivers && (counts != Counts::of_members || call.counts.size() > 1);
    return !is_said || contributes(call, k, to);
}

/// Whether a call of `own` needs `other`, whose call is null if it makes none.
bool is_needed(CollectiveCall const& call, MemberPlace own, CollectiveCall const* of_other, MemberPlace other) {
    using Needs = CollectiveInfo::Needs;
    switch (info(call.kind).needs) {
    case Needs::all: return true;
    case Needs::root: return own.thread != call.root && other.thread == call.root;
    case Needs::all_at_root: return own.thread == call.root;
    case Needs::contributors:
        return of_other != nullptr ? contributes(*of_other, other.place, own.place)
                                   : would_contribute(call, other.place, own.place);
    case Needs::lower: break;
    }
    return other.place < own.place;
}

/// A value that all calls have in common that say one; `differs` if two say different ones.
template <typename T>
class Common {
public:
    void say(T const& value) {
        if (value_ && !(*value_ == value)) differs_ = true;
        value_ = value;
    }
    bool differs() const { return differs_; }

private:
    std::optional<T> value_;
    bool differs_ = false;
};

} // namespace

/// What the calls of a meeting say. Each is looked at once, so that many are compared in linear time.
class Collectives::Claims {
public:
    explicit Claims(std::size_t members) : members_(members), of_member_(members) {}

    void add(CollectiveCall const& call, std::uint32_t place) {
        kind_.say(call.kind);
        blocks_.say(call.blocks);
        root_.say(call.root);
        if (!call.op.empty()) op_.say(call.op);
        if (!call.type.empty() && info(call.kind).typed) type_.say(call.type);
        add_counts(call, place);
    }
    bool differ() const {
        return kind_.differs() || blocks_.differs() || root_.differs() || op_.differs() || type_.differs() ||
               count_.differs() ||
               std::any_of(of_member_.begin(), of_member_.end(), [](auto const& c) { return c.differs(); });
    }

private:
    void add_counts(CollectiveCall const& call, std::uint32_t place) {
        using Counts = CollectiveInfo::Counts;
        if (call.counts.empty()) return;
        switch (info(call.kind).counts) {
        case Counts::none:
        case Counts::of_receivers: return;
        case Counts::one: return count_.say(call.counts.front());
        case Counts::of_members:
        case Counts::of_blocks: break;
        }
        bool const is_one = call.counts.size() == 1;
        if (is_one && info(call.kind).counts == Counts::of_members) return of_member_[place].say(call.counts.front());
        for (std::size_t k = 0; k < members_; ++k) of_member_[k].say(call.counts[is_one ? 0 : k]);
    }

    std::size_t members_;
    Common<CollectiveKind> kind_;
    Common<bool> blocks_;
    Common<std::optional<std::uint32_t>> root_;
    Common<std::string> op_;
    Common<std::string> type_;
    Common<std::uint64_t> count_;
    std::vector<Common<std::uint64_t>> of_member_;
};

Collectives::Collectives(Ctp const& ctp, std::size_t communicators) : ctp_(&ctp), begins_thread_(ctp.commands.size()) {
    auto const members = members_of_communicators(ctp, communicators);
    for (grammar::Thread const& t : ctp.threads)
        if (t.first != t.last) begins_thread_[t.first] = true;
    std::vector<std::vector<std::uint32_t>> meetings(communicators); // i -> the meeting of the i-th calls
    std::vector<std::uint32_t> seen(communicators);
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t) {
        std::fill(seen.begin(), seen.end(), 0);
        for (std::uint32_t i = ctp.threads[t].first; i < ctp.threads[t].last; ++i) {
            Collective const* const c = as_collective(ctp.commands[i].c);
            if (c == nullptr) continue;
            std::uint32_t const comm = c->comm.index;
            std::uint32_t const n = seen[comm]++;
            if (n == meetings[comm].size()) {
                meetings[comm].push_back(static_cast<std::uint32_t>(meetings_.size()));
                Meeting& meeting = meetings_.emplace_back();
                for (std::uint32_t const member : members[comm]) meeting.members.push_back({member, {}});
            }
            auto const place = static_cast<std::uint32_t>(std::find(members[comm].begin(), members[comm].end(), t) -
                                                          members[comm].begin());
            meetings_[meetings[comm][n]].members[place].rho = {i};
            calls_[i] = {meetings[comm][n], n, place, {i}};
        }
    }
    find_ends();
    find_contested();
}

void Collectives::find_ends() {
    for (std::uint32_t i = 0; i < ctp_->commands.size(); ++i) {
        Wait const* const wait = as_wait(ctp_->commands[i].c);
        if (wait == nullptr) continue;
        std::uint32_t const issued = ctp_->issued_by[wait->a.index];
        if (as_collective(ctp_->commands[issued].c) == nullptr) continue;
        awaited_[i] = {issued};
        calls_.at(issued).end = {i};
    }
}

void Collectives::find_contested() {
    for (Meeting& meeting : meetings_) {
        Claims claims(meeting.members.size());
        for (std::uint32_t k = 0; k < meeting.members.size(); ++k)
            if (Location const rho = meeting.members[k].rho; !rho.is_none()) claims.add(said_at(rho), k);
        meeting.is_contested = claims.differ();
        are_contested_ = are_contested_ || meeting.is_contested;
    }
}

CollectiveCall const& Collectives::said_at(Location rho) const {
    return ctp_->call(std::get<Collective>(ctp_->commands[rho.index].c));
}

std::span<Collectives::Member const> Collectives::members(Location rho) const {
    return meetings_[calls_.at(rho.index).meeting].members;
}

Location Collectives::call_of(Location rho) const {
    if (calls_.contains(rho.index)) return rho;
    auto const it = awaited_.find(rho.index);
    return it == awaited_.end() ? Location{} : it->second;
}

Location Collectives::call_after(Location rho) const {
    Location const next{rho.index + 1};
    bool const is_call =
        next.index < begins_thread_.size() && !begins_thread_[next.index] && calls_.contains(next.index);
    return is_call ? next : Location{};
}

bool Collectives::disagree(Location a, Location b) const {
    return !agree(said_at(a), calls_.at(a.index).place, said_at(b), calls_.at(b.index).place);
}

bool Collectives::oppose(Location a, Location b) const {
    auto const clash = [&](Location call, Location other) {
        return !call.is_none() && !other.is_none() && calls_.at(call.index).meeting == calls_.at(other.index).meeting &&
               disagree(call, other);
    };
    return clash(call_after(a), call_of(b)) || clash(call_of(a), call_after(b)) || clash(call_after(a), call_after(b));
}

bool Collectives::is_contested(Location rho) const {
    Location const call = call_of(rho);
    return !call.is_none() && meetings_[calls_.at(call.index).meeting].is_contested;
}

/// Whether the call `at`, which says `call`, needs another member, at `place` among the members.
bool Collectives::needs(CollectiveCall const& call, Call const& at, Member const& other, std::uint32_t place) const {
    CollectiveCall const* const of_other = other.rho.is_none() ? nullptr : &said_at(other.rho);
    std::uint32_t const own = meetings_[at.meeting].members[at.place].thread;
    return is_needed(call, {own, at.place}, of_other, {other.thread, place});
}

bool needs(IndexedProgram const& code, Location rho, Collectives::Member const& other, Buffering buffering) {
    auto const members = code.collectives()->members(rho);
    auto const own = std::find_if(members.begin(), members.end(), [&](auto const& m) { return m.rho == rho; });
    if (own->thread == other.thread) return false;
    if (buffering == Buffering::zero) return true;
    auto const said = [&](Location call) { return &code.ctp().call(std::get<Collective>(code.command_at(call))); };
    auto const place = [&](auto const& m) {
        return MemberPlace{m.thread, static_cast<std::uint32_t>(&m - members.data())};
    };
    return is_needed(*said(rho), place(*own), other.rho.is_none() ? nullptr : said(other.rho), place(other));
}

bool needs_all(IndexedProgram const& code, Location rho) {
    auto const members = code.collectives()->members(rho);
    auto const said = [&](Location call) { return &code.ctp().call(std::get<Collective>(code.command_at(call))); };
    auto const own = std::find_if(members.begin(), members.end(), [&](auto const& m) { return m.rho == rho; });
    auto const place = [&](auto const& m) {
        return MemberPlace{m.thread, static_cast<std::uint32_t>(&m - members.data())};
    };
    return std::all_of(members.begin(), members.end(), [&](auto const& m) {
        return m.thread == own->thread ||
               is_needed(*said(rho), place(*own), m.rho.is_none() ? nullptr : said(m.rho), place(m));
    });
}

std::optional<std::uint32_t> Collectives::missing(State const& state, Location rho, Buffering buffering) const {
    Call const& at = calls_.at(rho.index);
    CollectiveCall const& call = said_at(rho);
    auto const& members = meetings_[at.meeting].members;
    std::uint32_t const own = members[at.place].thread;
    if (!call.blocks && state.ctp[own] <= rho.index) return own;
    for (std::uint32_t k = 0; k < members.size(); ++k) {
        if (k == at.place || has_called(state, members[k])) continue;
        if (buffering == Buffering::zero || needs(call, at, members[k], k)) return members[k].thread;
    }
    return std::nullopt;
}

std::optional<Location> Collectives::mismatch(State const& state, Location rho) const {
    if (!is_contested(rho)) return std::nullopt;
    for (Member const& m : members(rho))
        if (m.rho != rho && has_called(state, m) && disagree(rho, m.rho)) return m.rho;
    return std::nullopt;
}

bool Collectives::is_arrival(State const& state, Location rho) const {
    Location const call = call_after(rho);
    if (call.is_none() || !is_contested(call)) return false;
    auto const all = members(call);
    return std::any_of(all.begin(), all.end(), [&](Member const& m) {
        return !m.rho.is_none() && m.rho != call && disagree(call, m.rho) && state.ctp[m.thread] <= end_of(m.rho).index;
    });
}

} // namespace matchpoint::machine
