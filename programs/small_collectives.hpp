// All small programs with collectives of one communicator: two or three threads, each with up to some commands. A
// command is a collective of one of a few kinds, blocking or not, with its wait at the end of the thread; or, in thread
// 0, a send to thread 1, and there its receive, each with its wait.
//
//   SmallCollectivePrograms programs({.threads = 2, .length = 2});
//   while (auto const draft = programs.next()) ...
#pragma once

#include <cstdint>
#include <optional>

#include "programs/draft.hpp"

namespace matchpoint::programs {

struct SmallCollectives {
    std::uint32_t threads = 2;
    std::uint32_t length = 2; // commands of a thread, beside waits: 0 to this number
};

class SmallCollectivePrograms {
public:
    /// Every n-th program, from an offset on.
    explicit SmallCollectivePrograms(SmallCollectives const& bound, std::uint64_t every = 1, std::uint64_t offset = 0);

    std::optional<draft::Draft> next();
    std::uint64_t count() const { return count_; }

private:
    draft::Draft program(std::uint64_t number) const;

    SmallCollectives bound_;
    std::uint64_t every_;
    std::uint64_t number_;
    std::uint64_t count_ = 1;
    std::uint64_t threads_ = 0; // ways to fill a thread
};

} // namespace matchpoint::programs
