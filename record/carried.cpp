#include "record/carried.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "record/signatures.hpp"

namespace matchpoint::record {

namespace {

/// One call of a meeting.
struct Member {
    std::uint32_t rank;
    CarriedData const* data;
};

class Meetings {
public:
    Meetings(Recording const& recording, std::vector<Finding>& found) : r_(recording), found_(found) {}

    void compare() {
        // communicator -> the calls of each member
        std::map<std::uint32_t, std::vector<std::vector<Member>>> all;
        for (Rank const& rank : r_.ranks) {
            std::map<std::uint32_t, std::vector<Member>> own;
            for (CarriedData const& data : rank.carried) own[data.communicator].push_back({rank.number, &data});
            for (auto& [communicator, calls] : own) all[communicator].push_back(std::move(calls));
        }
        for (auto const& [communicator, members] : all) {
            std::size_t most = 0;
            for (auto const& calls : members) most = std::max(most, calls.size());
            std::vector<Member> meeting;
            for (std::size_t turn = 0; turn < most; ++turn) {
                meeting.clear();
                for (auto const& calls : members)
                    if (turn < calls.size()) meeting.push_back(calls[turn]);
                // Where the calls are of different kinds, later ones do not belong together either.
                if (!is_of_one_kind(meeting)) break;
                meeting_ = &meeting;
                compare(meeting);
            }
        }
    }

private:
    using Shares = std::vector<Share>;

    static bool is_of_one_kind(std::vector<Member> const& meeting) {
        CarriedData const& first = *meeting.front().data;
        return std::all_of(meeting.begin(), meeting.end(), [&](Member const& m) {
            return m.data->kind == first.kind && m.data->blocks == first.blocks && m.data->root == first.root;
        });
    }

    void compare(std::vector<Member> const& meeting) {
        using Kind = CollectiveKind;
        switch (meeting.front().data->kind) {
        case Kind::barrier:
        case Kind::construct: return;
        case Kind::bcast:
        case Kind::scatter:
        case Kind::scatterv:
            if (Member const* const root = root_of(meeting))
                for (Member const& m : meeting) compare(*root, m);
            return;
        case Kind::gather:
        case Kind::gatherv:
            if (Member const* const root = root_of(meeting))
                for (Member const& m : meeting) compare(m, *root);
            return;
        case Kind::allgatherv:
        case Kind::alltoallv:
        case Kind::alltoallw:
            for (Member const& from : meeting)
                for (Member const& to : meeting) compare(from, to);
            return;
        case Kind::allgather:
        case Kind::alltoall:
            for (Member const& from : different(meeting, true))
                for (Member const& to : different(meeting, false)) compare(from, to);
            return;
        case Kind::reduce:
        case Kind::allreduce:
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
        case Kind::scan:
        case Kind::exscan: break;
        }
        for (Member const& m : meeting) compare_inputs(meeting.front(), m);
    }

    static Member const* root_of(std::vector<Member> const& meeting) {
        auto const found =
            std::find_if(meeting.begin(), meeting.end(), [](Member const& m) { return m.data->root == m.data->own; });
        return found == meeting.end() ? nullptr : &*found;
    }

    /// Those that send, or receive, what no earlier one does.
    std::vector<Member> different(std::vector<Member> const& meeting, bool sends) const {
        std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
        std::vector<Member> result;
        for (Member const& m : meeting) {
            Shares const& shares = sends ? sent(*m.data) : m.data->gets;
            if (!shares.empty() && seen.emplace(shares[0].signature, shares[0].count).second) result.push_back(m);
        }
        return result;
    }

    /// With MPI_IN_PLACE, what is received says what is sent, where all receive the same or the caller has a count for
    /// each.
    static Shares const& sent(CarriedData const& data) {
        using Kind = CollectiveKind;
        bool const is_said = data.kind == Kind::allgather || data.kind == Kind::allgatherv ||
                             data.kind == Kind::alltoall || data.kind == Kind::alltoallv ||
                             data.kind == Kind::alltoallw;
        return data.sends.empty() && is_said ? data.gets : data.sends;
    }

    /// The share of a member; null if it is not known.
    static Share const* share_of(Shares const& shares, std::uint32_t member) {
        if (shares.size() == 1) return &shares[0];
        return member < shares.size() ? &shares[member] : nullptr;
    }

    void compare(Member const& from, Member const& to) {
        // Of MPI_Allgatherv in place, the sender's own block is what it sends.
        bool const is_own_block = from.data->kind == CollectiveKind::allgatherv;
        Share const* const sends = share_of(sent(*from.data), is_own_block ? from.data->own : to.data->own);
        Share const* const gets = share_of(to.data->gets, from.data->own);
        if (sends != nullptr && gets != nullptr) compare(from, *sends, to, *gets, false);
    }

    /// All inputs of a reduction are the same.
    void compare_inputs(Member const& first, Member const& other) {
        Shares const& a = first.data->sends;
        Shares const& b = other.data->sends;
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) compare(first, a[i], other, b[i], true);
    }

    Elements elements(Share const& share) const {
        static Signature const none{0, 1, {}};
        return {share.signature == no_signature ? none : r_.signatures[share.signature], share.count};
    }

    void compare(Member const& from, Share const& sent, Member const& to, Share const& got, bool reduces) {
        if (sent.signature == got.signature && sent.count == got.count) return;
        Fit const fit = is_same(elements(sent), elements(got));
        if (fit == Fit::fits || !said_.emplace(to.rank, to.data->place, from.rank, from.data->place, fit).second)
            return;
        if (is_mismatch(from, to)) return;
        Finding f{fit == Fit::differs ? FindingKind::type_mismatch : FindingKind::count_mismatch, to.rank, at(to),
                  function(*to.data), ""};
        f.other = {from.rank, at(from)};
        std::string const other = from.rank == to.rank ? "itself" : fmt::format("rank {}", from.rank);
        f.text = reduces ? fmt::format("it gives {}, and rank {} gives {}", in_words(elements(got)), from.rank,
                                       in_words(elements(sent)))
                         : fmt::format("it receives {} from {}, which sends {}", in_words(elements(got)), other,
                                       in_words(elements(sent)));
        f.text += fit == Fit::differs ? ": the types differ" : ": the counts differ";
        found_.push_back(std::move(f));
    }

    SourceLine at(Member const& m) const {
        auto const& places = r_.ranks[m.rank].places;
        auto const found = places.find(m.data->place);
        return found == places.end() ? SourceLine() : found->second;
    }

    static std::string function(CarriedData const& data) {
        CollectiveCall call;
        call.kind = data.kind;
        call.blocks = data.blocks;
        return mpi_function(call);
    }

    CollectiveCall const* said(Member const& m) const {
        for (importers::Call const& call : r_.calls.processes[m.rank].calls) {
            auto const* const c = std::get_if<importers::Collective>(&call.what);
            if (c != nullptr && c->id.number == m.data->call) return &c->call;
        }
        return nullptr;
    }

    /// Whether some call disagrees with one of these.
    bool is_mismatch(Member const& a, Member const& b) const {
        CollectiveCall const* const x = said(a);
        CollectiveCall const* const y = said(b);
        return std::any_of(meeting_->begin(), meeting_->end(), [&](Member const& m) {
            CollectiveCall const* const z = said(m);
            return z != nullptr && ((x != nullptr && !agree(*x, a.data->own, *z, m.data->own)) ||
                                    (y != nullptr && !agree(*y, b.data->own, *z, m.data->own)));
        });
    }

    Recording const& r_;
    std::vector<Finding>& found_;
    std::vector<Member> const* meeting_ = nullptr; // that is looked at
    // A loop has the same mistake again and again.
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Fit>> said_;
};

} // namespace

void compare_carried(Recording const& recording, std::vector<Finding>& found) { Meetings(recording, found).compare(); }

} // namespace matchpoint::record
