// Why no run of a program fails, so that it can be checked without believing the encoder or the solver: clauses with a
// reason each, which somebody else looks at (scripts/check_certificate does, and shares no code with this), and a proof of
// the empty clause from them, in a format that other people's checkers read.
//
// A variable is a match `R gets S`, for each receive and each send to its endpoint, `the assertion at RHO fails`, or that
// one command or rendezvous is before another one. A clause is true of every complete run that keeps the assumptions:
//
//   get R            R gets one of the sends to its endpoint
//   one R            and no two of them
//   once S           S goes to no two receives
//   fifo R S         if R gets S, an earlier receive at the endpoint gets the send before S in its channel
//   taken S          zero buffering: S is waited for, so it is received
//   hall_violator N R.. S..  the N receives R.. at one endpoint are more than the messages S.., so one gets another message
//   cycle            these matches, and what is said to be before what, make a cycle
//   assumption RHO   with these matches the assumption does not hold
//   divisor RHO      with these matches a divisor is zero there, so no run completes
//   holds RHO        with these matches the assertion holds
//   bounds RHO       no match set makes the assertion fail, by the bounds of a sum (domains.hpp)
//   some             some assertion fails
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/check.hpp"

namespace matchpoint::check {

struct Certificate {
    struct Clause {
        std::vector<int> literals;
        std::string reason;
    };

    /// Of variable i + 1: "match R S", "fails RHO", "before command RHO instant R" ...
    std::vector<std::string> variables;
    std::vector<Clause> clauses;

    /// The clauses in DIMACS, variables in comments: `c var 12 match R1 S2`.
    std::string dimacs() const;
    /// A line for each clause, in their order.
    std::string reasons() const;
};

struct CertificateOptions {
    Buffering buffering = Buffering::infinite;
    /// False: that no complete run keeps the assumptions (`vacuous`), not only that none of these fails (`safe`).
    bool of_failure = true;
    std::function<bool()> stop;
    std::size_t most_clauses = 5'000'000;
};

/// Clauses that cannot be satisfied. None if it was stopped or there would be too many; std::logic_error if there is such
/// a run. The clauses for receives and sends are cubic in the size of the program. Throws LimitReached, std::bad_alloc.
std::optional<Certificate> certify(MessageIndex const& messages, CertificateOptions const& options);

/// Writes a proof of the certificate's clauses; what stands against it, or nothing.
std::string write_proof(Certificate const& certificate, std::string const& path, std::function<bool()> const& stop);

} // namespace matchpoint::check
