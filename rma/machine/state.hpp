// The state <pc, M, R, W> of Section 2.1.
//
//   pc   Procs -> Labels       where each process is: pc[p], a statement; the end of the process if it has finished
//   M    Vars -> D             memory: M[x]
//   R    Procs -> multisets    pending reads r: the statement, which knows var(r), var(succ(r)) and to(r), and how many of them
//   W    Procs -> multisets    pending writes w: the statement, val(w), and how many of them
//   A    Procs x Vars -> sequences    pending remote atomics, in the order of their issue (not in the paper)
#pragma once

#include <algorithm>
#include <vector>

#include "rma/machine/graph.hpp"

namespace matchpoint::rma {

struct PendingReads {
    RemoteIndex s;
    std::uint32_t count; // at least 1; there is one entry for a statement
    bool operator==(PendingReads const&) const = default;
};

struct PendingWrites {
    RemoteIndex s;
    Value val;
    std::uint32_t count; // at least 1; there is one entry for a statement and a value
    bool operator==(PendingWrites const&) const = default;
};

struct State {
    std::vector<StatementIndex> pc;
    std::vector<Value> M;                         // by Variable; places have no value
    std::vector<PendingReads> R = {};             // ascending
    std::vector<PendingWrites> W = {};            // in no particular order
    std::vector<std::vector<RemoteIndex>> A = {}; // by queue

    /// How many reads, writes and atomics of a statement are pending.
    std::uint32_t pending(RemoteIndex s) const {
        std::uint32_t n = reads(s);
        for (auto const& queue : A) n += static_cast<std::uint32_t>(std::count(queue.begin(), queue.end(), s));
        for (PendingWrites const& w : W) n += w.s == s ? w.count : 0;
        return n;
    }
    std::uint32_t reads(RemoteIndex s) const {
        auto const at = std::lower_bound(R.begin(), R.end(), s, is_before);
        return at == R.end() || at->s != s ? 0 : at->count;
    }
    void add_read(RemoteIndex s) {
        auto const at = std::lower_bound(R.begin(), R.end(), s, is_before);
        if (at == R.end() || at->s != s)
            R.insert(at, {s, 1});
        else
            ++at->count;
    }
    /// One has to be pending.
    void remove_read(RemoteIndex s) {
        auto const at = std::lower_bound(R.begin(), R.end(), s, is_before);
        if (--at->count == 0) R.erase(at);
    }
    void add_write(RemoteIndex s, Value const& val) {
        for (PendingWrites& w : W)
            if (w.s == s && w.val == val) {
                ++w.count;
                return;
            }
        W.push_back({s, val, 1});
    }
    /// False if there is no such write.
    bool remove_write(RemoteIndex s, Value const& val) {
        for (std::size_t i = 0; i < W.size(); ++i) {
            if (W[i].s != s || !(W[i].val == val)) continue;
            if (--W[i].count == 0) W.erase(W.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
        return false;
    }

private:
    static bool is_before(PendingReads const& r, RemoteIndex s) { return r.s < s; }
};

/// Every process at its beginning, every variable with its initial value, R = W = A = {}.
State initial_state(Graph const& graph);

} // namespace matchpoint::rma
