// What a program can come to, and whether a reduction of it can come to all of that (docs/rma.md, "Other reductions").
//
//   Outcome const truth = truth_of(program);
//   Reduced const reduced = run_reduced(printed, program);       // what somebody's reduction printed
//   if (verdict(truth, reduced.outcome) == Verdict::unsound) ...
#pragma once

#include <set>
#include <string>

#include "rma/language/program.hpp"
#include "rma/search/reduced.hpp"

namespace matchpoint::validate::reducers {

struct Outcome {
    bool violated = false;
    bool complete = false;        // all states were seen; otherwise, there may be more
    std::set<std::string> finals; // final valuations, in the order of the program's declarations
    std::uint32_t states = 0;

    /// Compares two complete ones.
    bool same(Outcome const& other) const { return violated == other.violated && finals == other.finals; }
};

struct OutcomeLimits {
    std::uint32_t states = 200'000;
    std::uint32_t pending = 6; // operations of one statement
};

/// Under RMA.
Outcome truth_of(rma::Program const& program, OutcomeLimits const& limits = {});
/// Under the reduction of Section 3, with what is read literally.
Outcome reading_of(rma::Program const& program, rma::Literal const& literal, OutcomeLimits const& limits = {});

struct Reduced {
    Outcome outcome;
    std::string wrong; // why the text is not a reduction of the program; empty if it is
};
/// Runs a text: a reduced program, or a program `(rma ...)`, which is run under sequential consistency.
Reduced run_reduced(std::string const& text, rma::Program const& program, OutcomeLimits const& limits = {});

enum class Verdict : unsigned char {
    sound,
    unsound,   // the program can come to something that the reduced program cannot
    unsettled, // too many states
};
Verdict verdict(Outcome const& truth, Outcome const& reduced);

/// What is missing: "a violation", or a final valuation.
std::string missing(Outcome const& truth, Outcome const& reduced);

} // namespace matchpoint::validate::reducers
