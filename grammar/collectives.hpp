// What a collective call says, and the kinds of collectives (docs/semantics.md, "Collectives"). The table of kinds is
// the only place that knows them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::grammar {

enum class CollectiveKind : std::uint8_t {
    barrier,
    bcast,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    alltoallw,
    reduce,
    allreduce,
    reduce_scatter,
    reduce_scatter_block,
    scan,
    exscan,
    construct,
};

struct CollectiveInfo {
    /// The members that have to have called before a member k goes on.
    enum class Needs : std::uint8_t {
        all,
        root,         // the root; at the root nobody
        all_at_root,  // at the root all; elsewhere nobody
        contributors, // those that contribute a count above 0 to k
        lower,        // those with a lower number
    };
    /// What `(count n ...)` says, and how the counts of two calls compare.
    enum class Counts : std::uint8_t {
        none,       // there is no data
        one,        // (count n): the same in all calls
        of_members, // (count n): what the caller contributes or gets; (count n ...): the same of each member. Two calls
                    // that say it of one member agree
        of_receivers, // (count n ...): what the caller contributes to each member. Nothing to compare
        of_blocks,    // (count n) or (count n ...): the block of each member, the same in all calls
    };
    CollectiveKind kind;
    std::string_view name;
    bool rooted;  // it has `(root k)`, the same in all calls
    bool reduces; // it may have `(op o)`, the same in all calls
    bool typed;   // `(type t)` is the same in all calls
    Needs needs;
    Counts counts;
};

/// The rows of all kinds, in the order of the enumeration.
std::span<CollectiveInfo const> all_collectives();
inline CollectiveInfo const& info(CollectiveKind kind) { return all_collectives()[static_cast<std::size_t>(kind)]; }
inline std::string_view to_string(CollectiveKind kind) { return info(kind).name; }
std::optional<CollectiveKind> collective_kind(std::string_view name);
/// Whether `(count n ...)` may have a number for each member.
bool has_count_of_each(CollectiveKind kind);

/// kind (root k) (op o) (type t) (count n ...), of `collective` or `icollective`.
struct CollectiveCall {
    CollectiveKind kind = CollectiveKind::barrier;
    bool blocks = true; // collective
    std::optional<std::uint32_t> root = {};
    std::string op = {};   // empty if it says none
    std::string type = {}; // the same
    std::vector<std::uint64_t> counts = {};

    bool operator==(CollectiveCall const&) const = default;
    /// "collective" or "icollective"
    std::string_view command() const { return blocks ? "collective" : "icollective"; }
};

/// "ibarrier", "bcast"
std::string shown_kind(CollectiveCall const& call);
/// "MPI_Ibarrier", "MPI_Bcast"; of `construct` "a call that makes a communicator".
std::string mpi_function(CollectiveCall const& call);

/// Whether two calls that belong together agree. `k` and `other_k` are the places of their threads among the members.
bool agree(CollectiveCall const& call, std::uint32_t k, CollectiveCall const& other, std::uint32_t other_k);

/// Whether the member at place `k` of its communicator contributes to the one at place `to`, as far as its call says.
bool contributes(CollectiveCall const& call, std::uint32_t k, std::uint32_t to);

/// " bcast (root 0) (type int) (count 3)": to a printer of text.
template <typename Printer>
void print_call(Printer& out, CollectiveCall const& call) {
    out << " " << to_string(call.kind);
    if (call.root) out << " (root " << std::to_string(*call.root) << ")";
    if (!call.op.empty()) out << " (op " << call.op << ")";
    if (!call.type.empty()) out << " (type " << call.type << ")";
    if (call.counts.empty()) return;
    out << " (count";
    for (std::uint64_t const n : call.counts) out << " " << std::to_string(n);
    out << ")";
}

} // namespace matchpoint::grammar
