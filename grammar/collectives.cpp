#include "grammar/collectives.hpp"

#include <algorithm>
#include <array>

namespace matchpoint::grammar {

namespace {

using RowKind = CollectiveKind;
using RowNeeds = CollectiveInfo::Needs;
using RowCounts = CollectiveInfo::Counts;

// MPI-3.1, Chapter 5. In the order of the enumeration.
constexpr std::array<CollectiveInfo, 18> rows{{
    // kind, name, rooted, reduces, typed, needs, counts
    {RowKind::barrier, "barrier", false, false, false, RowNeeds::all, RowCounts::none},
    {RowKind::bcast, "bcast", true, false, true, RowNeeds::root, RowCounts::one},
    {RowKind::gather, "gather", true, false, true, RowNeeds::all_at_root, RowCounts::one},
    {RowKind::gatherv, "gatherv", true, false, true, RowNeeds::all_at_root, RowCounts::of_members},
    {RowKind::scatter, "scatter", true, false, true, RowNeeds::root, RowCounts::one},
    {RowKind::scatterv, "scatterv", true, false, true, RowNeeds::root, RowCounts::of_members},
    {RowKind::allgather, "allgather", false, false, true, RowNeeds::contributors, RowCounts::one},
    {RowKind::allgatherv, "allgatherv", false, false, true, RowNeeds::contributors, RowCounts::of_members},
    {RowKind::alltoall, "alltoall", false, false, true, RowNeeds::contributors, RowCounts::one},
    {RowKind::alltoallv, "alltoallv", false, false, false, RowNeeds::contributors, RowCounts::of_receivers},
    {RowKind::alltoallw, "alltoallw", false, false, false, RowNeeds::contributors, RowCounts::of_receivers},
    {RowKind::reduce, "reduce", true, true, true, RowNeeds::all_at_root, RowCounts::one},
    {RowKind::allreduce, "allreduce", false, true, true, RowNeeds::all, RowCounts::one},
    {RowKind::reduce_scatter, "reduce_scatter", false, true, true, RowNeeds::contributors, RowCounts::of_blocks},
    {RowKind::reduce_scatter_block, "reduce_scatter_block", false, true, true, RowNeeds::contributors, RowCounts::one},
    {RowKind::scan, "scan", false, true, true, RowNeeds::lower, RowCounts::one},
    {RowKind::exscan, "exscan", false, true, true, RowNeeds::lower, RowCounts::one},
    {RowKind::construct, "construct", false, false, false, RowNeeds::all, RowCounts::none},
}};

static_assert(
    [] {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].kind != static_cast<RowKind>(i)) return false;
        return true;
    }(),
    "every kind has its row");

/// Where both say something, it is the same.
bool same(std::string_view a, std::string_view b) { return a.empty() || b.empty() || a == b; }

/// The count that a call says of the member at a place; `k` is its own. None if it says no such count.
std::optional<std::uint64_t> count_of(CollectiveCall const& call, std::uint32_t k, std::uint32_t member) {
    if (call.counts.size() == 1) return k == member ? std::optional(call.counts.front()) : std::nullopt;
    return member < call.counts.size() ? std::optional(call.counts[member]) : std::nullopt;
}

bool counts_agree(CollectiveCall const& a, std::uint32_t k, CollectiveCall const& b, std::uint32_t other_k) {
    if (a.counts.empty() || b.counts.empty()) return true;
    switch (info(a.kind).counts) {
    case RowCounts::none:
    case RowCounts::of_receivers: return true;
    case RowCounts::one: return a.counts == b.counts;
    case RowCounts::of_blocks: {
        auto const n = std::max(a.counts.size(), b.counts.size());
        auto const block = [](CollectiveCall const& c, std::size_t i) {
            return c.counts[c.counts.size() == 1 ? 0 : i];
        };
        for (std::size_t i = 0; i < n; ++i)
            if (block(a, i) != block(b, i)) return false;
        return true;
    }
    case RowCounts::of_members: break;
    }
    auto const differ = [&](std::uint32_t member) {
        auto const n = count_of(a, k, member);
        auto const m = count_of(b, other_k, member);
        return n && m && *n != *m;
    };
    if (a.counts.size() == 1) return !differ(k);
    if (b.counts.size() == 1) return !differ(other_k);
    return a.counts == b.counts;
}

} // namespace

std::span<CollectiveInfo const> all_collectives() { return rows; }

std::optional<CollectiveKind> collective_kind(std::string_view name) {
    auto const row = std::find_if(rows.begin(), rows.end(), [&](CollectiveInfo const& r) { return r.name == name; });
    return row == rows.end() ? std::nullopt : std::optional(row->kind);
}

bool has_count_of_each(CollectiveKind kind) {
    RowCounts const counts = info(kind).counts;
    return counts == RowCounts::of_members || counts == RowCounts::of_receivers || counts == RowCounts::of_blocks;
}

std::string shown_kind(CollectiveCall const& call) {
    return std::string(call.blocks ? "" : "i") + std::string(to_string(call.kind));
}

std::string mpi_function(CollectiveCall const& call) {
    if (call.kind == CollectiveKind::construct) return "a call that makes a communicator";
    std::string name = shown_kind(call);
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    return "MPI_" + name;
}

bool agree(CollectiveCall const& call, std::uint32_t k, CollectiveCall const& other, std::uint32_t other_k) {
    return call.kind == other.kind && call.blocks == other.blocks && call.root == other.root &&
           same(call.op, other.op) && (!info(call.kind).typed || same(call.type, other.type)) &&
           counts_agree(call, k, other, other_k);
}

bool contributes(CollectiveCall const& call, std::uint32_t k, std::uint32_t to) {
    if (call.counts.empty()) return true;
    bool const is_to = info(call.kind).counts != RowCounts::of_members; // a block or a part for each receiver
    return call.counts.size() == 1 ? call.counts.front() > 0 : call.counts.at(is_to ? to : k) > 0;
}

} // namespace matchpoint::grammar
