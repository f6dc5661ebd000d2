// Is there an execution of a program with shared variables that fails? As a SAT problem, solved in this process.
//
//   SharedSearch search(messages, {.wanted = SharedSearch::Wanted::failure});
//   if (search.run() == SatAnswer::Kind::found) show(search.found()->schedule);
//
// Reads are taken like receives: each gets one definition, as a receive gets one send. What is executed, what is read
// and what is matched are booleans. Everything else follows from these, and becomes clauses as far as solutions need
// it:
//
//   order     none at first. A solution is put in an order (order.hpp), and a clause is added against each cycle that
//             keeps it from having one;
//   reads     in that order some read may not get the last definition before it. A clause then says of that read and of
//             the definition in between that one of them is elsewhere: `before` literals for two pairs of commands;
//   values    those of an execution in which the reads are right are computed command by command. If a guard is false,
//             or no assertion fails, clauses say what that follows from (values.hpp).
//
// All clauses are those of a certificate, and have its reasons (certificate.hpp). A run is only returned after the
// reference machine has run it.
#pragma once

#include <memory>
#include <optional>

#include "check/sat/sat_search.hpp"
#include "check/shared/values.hpp"

namespace matchpoint::check {

class SharedSearch {
public:
    enum class Wanted : std::uint8_t {
        failure,               // an execution, or a complete run, that fails
        failure_or_completion, // the same, or one that completes on the path
        success,               // a complete run that succeeds
        completion,            // a complete run on the path
    };
    struct Options {
        Buffering buffering = Buffering::infinite;
        Runs runs = Runs::executions;
        Wanted wanted = Wanted::failure;
        bool certifies = false; // keeps a certificate
        std::function<bool()> stop = {};
        std::uint64_t most_calls = UINT64_MAX;
        std::size_t most_clauses = 30'000'000;
        Activity* activity = nullptr;
    };

    /// The messages have to outlive it. Their program has neither selectors, modes nor barriers; std::logic_error if it
    /// has.
    SharedSearch(MessageIndex const& messages, Options const& options);
    ~SharedSearch();
    SharedSearch(SharedSearch const&) = delete;
    SharedSearch& operator=(SharedSearch const&) = delete;

    /// Throws LimitReached, std::bad_alloc.
    SatAnswer::Kind run();
    std::optional<Run>& found();
    Certificate& certificate();

    /// The work that was done.
    std::uint64_t calls() const;
    std::uint64_t cycles() const;
    std::uint64_t values() const; // clauses
    std::size_t reads() const;    // pairs of a read and what it may get

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::check
