// Several threads of a rank that call MPI (MPI_THREAD_MULTIPLE). Each is a thread of the program: the one that has
// called MPI_Init has the number of its rank, the others follow after all ranks. What orders them are their creation
// and pthread_join, as far as the file has them; locks are not recorded. So the program has all orders that the real
// one has, and more:
//
//   (started_0_1 := 1)           where the creator of thread 1 of rank 0 was when it created it
//   (when (= started_0_1 1))     the beginning of that thread
//   (ended_0_1 := 1)             its end, and where it is waited for:
//   (when (= ended_0_1 1))
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "importers/reports.hpp"
#include "record/recording.hpp"

namespace matchpoint::record {

/// When a further thread of a rank lives, in lines of the file: 0 is before the first one.
struct ThreadLife {
    std::uint32_t begun_by = 0; // a thread of the rank
    std::uint32_t after = 0;    // the line after which it began
    std::optional<std::uint32_t> joined_by = {};
    std::uint32_t joined_at = 0; // the line
    SourceLine begins_at = {};   // its first call
};

/// A probe that takes nothing has seen a message.
struct SeenByProbe {
    std::uint32_t thread;
    std::uint32_t line;
    SourceLine at;
    std::uint32_t communicator; // an index into Calls::communicators
    std::uint32_t from;         // a rank
    std::int64_t tag;
};

/// A receive or a probe, and what it admits.
struct Admitting {
    std::uint32_t thread;
    std::uint32_t line;
    SourceLine at;
    std::uint32_t communicator;
    std::optional<std::int64_t> from, tag; // none if it admits any
    bool takes;                            // it is a receive, or a matched probe
};

/// Gives the further threads of all ranks their numbers in the program, in the order of the ranks, which are sorted;
/// and each thread the communicators of its collective calls. `members`: communicator -> its ranks. Reports `limit` if
/// there are too many threads. Linear in the calls, times a logarithm; nothing if no rank has further threads.
void number_further_threads(Recording& recording, std::map<std::uint32_t, std::vector<std::uint32_t>>& members,
                            importers::Reports& reports);

} // namespace matchpoint::record
