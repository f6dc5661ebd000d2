// The path that predicates leave possible, as people and programs read it: its steps, what is known then, and beside
// them a run of the machine that follows as far as it can.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "cli/commands/rma_witness.hpp"
#include "cli/output.hpp"
#include "proofs/counterexample.hpp"
#include "rma/machine/stepper.hpp"

namespace matchpoint::cli {

class CounterexampleReport {
public:
    /// All of these have to outlive it. The graph's program was read from the source.
    CounterexampleReport(Source const& source, rma::Graph const& graph, proofs::Counterexample const& found);

    std::vector<std::string> lines() const;
    Json json() const;

private:
    struct Row {
        enum class Of : std::uint8_t { both, path, machine };
        Of of;                                                     // who takes the step
        rma::StatementIndex statement;                             // of an operation, the one that issued it
        std::string words;                                         // what it did
        std::vector<proofs::AbstractBit> const* becomes = nullptr; // what is known then, if it is of the path
    };

    std::string property_text() const;
    std::string goes_wrong() const;
    std::string at_end() const;
    void add_path_step(proofs::AbstractStep const& step);
    /// Adds the next step of the machine. Whether a process moved.
    bool add_machine_step(proofs::AbstractStep const* step);
    std::string why_not_further(proofs::AbstractStep const& next) const;
    std::string words_of(proofs::AbstractStep const& step) const;

    Source const& source_;
    Places places_;
    rma::Machine machine_; // of the path's model
    proofs::Counterexample const& found_;
    std::vector<Row> rows_;
    rma::Stepper stepper_; // at the end of the run
    std::string end_;      // why the machine does not go wrong
};

} // namespace matchpoint::cli
