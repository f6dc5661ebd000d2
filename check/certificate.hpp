// Why no run of a program fails, in a form that can be checked without trusting the encoder or the solver.
//
//   auto const certificate = certify(messages, {.of_failure = true});
//   if (certificate) write(certificate->dimacs(), certificate->reasons()); else complain(certificate.error());
//
// A certificate is a list of clauses with a reason each, and a proof of the empty clause from them in a format that
// other people's checkers read. scripts/check_certificate checks the reasons, and shares no code with this.
//
// A variable says that R gets S, for a receive and a send to its endpoint; that the assertion at RHO fails; or that one
// command or rendezvous is before another one. With Runs::complete a clause is true of every complete run that keeps
// the assumptions:
//
//   get R            R gets one of the sends to its endpoint
//   one R            R gets no two of them
//   once S           no two receives get S
//   fifo R S         if R gets S, an earlier receive at the endpoint gets the send before S in its channel
//   taken S          zero buffering: there is a wait for S, so S is received
//   crowd N R.. S..  the N receives R.. at one endpoint are more than the messages S.., so one gets another message
//   cycle            these matches and orders make a cycle
//   assumption RHO   with these matches the assumption does not hold
//   divisor RHO      with these matches a divisor is zero there, so no run completes
//   holds RHO        with these matches the assertion holds
//   bounds RHO       no match set makes the assertion fail, by the bounds of a sum (domains.hpp)
//   some             some assertion fails
//
// With Runs::executions a clause is true at every moment of an execution at which no assumption was false yet. There
// are variables `executed RHO` and, for vacuous, `complete`. Clauses get, taken, crowd, assumption and divisor then
// only say something if the wait, or the command at RHO, has been executed. There are more clauses:
//
//   order RHO1 RHO2  RHO2 is executed after RHO1, which is before it in its thread
//   sent R S         if R gets S, S has been sent
//   posted R S       zero buffering: if R gets S, R has been posted
//   queue R S        if R gets S, the receive before R at its endpoint gets one of the sends
//   failed RHO       an assertion that fails has been executed
//   finish RHO       at the end of the program RHO has been executed
//
// For a program with selectors, modes, barriers, mprobes or collectives, the clauses are about the plain program that
// it is lowered to (docs/lowering.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.hpp"
#include "executions/runs.hpp"
#include "machine/state.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::check {

struct Certificate {
    struct Clause {
        std::vector<int> literals;
        std::string reason;
    };

    /// What variable i + 1 says: "match R S", "fails RHO", "before command RHO instant R" ...
    std::vector<std::string> variables;
    std::vector<Clause> clauses;
    /// The buffering of the plain program that the clauses are about; none if they are about the program itself.
    std::optional<Buffering> lowered = std::nullopt;

    /// The clauses in DIMACS, with the variables in comments: `c var 12 match R1 S2`.
    std::string dimacs() const;
    /// A line for each clause, in their order.
    std::string reasons() const;
};

struct CertificateOptions {
    Buffering buffering = Buffering::infinite;
    Runs runs = Runs::complete;
    /// True: none of these runs fails while the assumptions hold (`safe`). False: also, no complete run keeps the
    /// assumptions (`vacuous`).
    bool of_failure = true;
    std::function<bool()> stop;
    std::size_t most_clauses = 5'000'000;
};

/// Clauses that cannot be satisfied. An error says why there are none, as a sentence without a full stop: it was
/// stopped, there would be too many, or the program is not lowered. std::logic_error: there is such a run.
/// The clauses for receives and sends are cubic in the size of the program. Throws LimitReached, std::bad_alloc.
Expected<Certificate, std::string> certify(MessageIndex const& messages, CertificateOptions const& options);

/// Writes a proof of the certificate's clauses. Returns what went wrong, or an empty string.
std::string write_proof(Certificate const& certificate, std::string const& path, std::function<bool()> const& stop);

} // namespace matchpoint::check
