// A run of an `.rma` program that goes wrong, as people read it: the steps that matter, each with its place in the text
// or in the source of the recorded program, and which operations were executed too late.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "rma/machine/causes.hpp"
#include "rma/machine/late.hpp"
#include "rma/search/check.hpp"

namespace matchpoint::cli {

/// Where statements are: "line 8", or "prog.c:7" in a recording.
class Places {
public:
    /// The program was read from the source, but may have other flushes.
    Places(Source const& source, rma::Program const& program);
    std::string of(rma::StatementIndex i) const;

private:
    Source const& source_;
    rma::Program const& program_;
    bool is_recorded_;
};

class Witness {
public:
    /// `property`: what is broken in the last state of the run; none if the last step is what goes wrong. The program
    /// of the machine was read from the source, but may have other flushes.
    Witness(Source const& source, rma::Machine const& machine, std::span<rma::Transition const> run,
            std::optional<std::size_t> property);

    std::vector<std::string> lines() const;

private:
    struct Step {
        rma::StatementIndex statement; // of a card's step, the one that issued the operation
        std::string place;             // "line 8", or "prog.c:7" in a recording
        std::string words;
    };

    void add_steps(std::vector<std::string>& lines) const;
    void add_lateness(std::vector<std::string>& lines) const;
    std::string in_words(rma::Late const& late) const;
    rma::StatementIndex statement_of(std::uint32_t operation) const;
    rma::Wrong wrong() const;

    rma::Machine const& machine_;
    std::span<rma::Transition const> run_;
    std::optional<std::size_t> property_;
    rma::Operations operations_;
    rma::Lateness lateness_;
    std::vector<Step> steps_;
};

/// "(assert final (= r 3)) does not hold", or the last step, which passes a false assertion.
std::string wrong_in_words(rma::Machine const& machine, rma::CheckResult::Violation const& violation);

} // namespace matchpoint::cli
