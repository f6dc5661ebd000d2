#include "cli/commands/rma_witness.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/text.hpp"
#include "cli/commands/rma_recorded.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/replay.hpp"
#include "rma/machine/stepper.hpp"
#include "rma/machine/words.hpp"

namespace matchpoint::cli {

namespace {

constexpr std::size_t most_steps = 100;
constexpr std::size_t most_late = 5;

} // namespace

Places::Places(Source const& source, rma::Program const& program)
    : source_(source), program_(program), is_recorded_(provenance_of(source.text()).is_recorded()) {}

std::string Places::of(rma::StatementIndex i) const {
    if (is_recorded_)
        if (std::string place = call_place(source_, program_, i); !place.empty()) return place;
    return fmt::format("line {}", source_.line_column(program_.statements[i].open).line);
}

Witness::Witness(Source const& source, rma::Machine const& machine, std::span<rma::Transition const> run,
                 std::optional<std::size_t> property)
    : machine_(machine), run_(run), property_(property), operations_(machine, run),
      lateness_(rma::lateness(machine, run, operations_, property)) {
    Places const places(source, machine.program());
    rma::Stepper stepper(machine);
    for (std::size_t i = 0; i < run.size(); ++i) {
        rma::State const before = stepper.state();
        auto const* const step = std::get_if<rma::ProcessStep>(&run[i]);
        rma::StatementIndex const statement =
            step != nullptr ? machine.graph().at(before.pc[step->p]).executes : statement_of(operations_.of_step(i));
        rma::Effect const effect = stepper.take(run[i]);
        steps_.push_back(
            {statement, places.of(statement), rma::narrate(machine, before, run[i], effect, stepper.state())});
    }
}

std::vector<std::string> Witness::lines() const {
    std::vector<std::string> lines;
    add_steps(lines);
    add_lateness(lines);
    return lines;
}

rma::StatementIndex Witness::statement_of(std::uint32_t operation) const {
    return machine_.graph().remotes()[operations_.all()[operation].s].statement;
}

/// The operations that are named in words belong to the run, whatever the property reads.
rma::Wrong Witness::wrong() const {
    rma::Wrong wrong{property_};
    for (std::size_t i = 0; i < std::min(lateness_.late.size(), most_late); ++i) {
        rma::Late const& late = lateness_.late[i];
        rma::Operation const& operation = operations_.all()[late.operation];
        for (std::size_t const step : {operation.issued, operation.read, operation.written, late.passed})
            if (step < run_.size()) wrong.steps.push_back(step);
    }
    return wrong;
}

void Witness::add_steps(std::vector<std::string>& lines) const {
    std::vector<bool> const kept = rma::causes(machine_, run_, operations_, wrong());
    std::size_t width = 0;
    for (Step const& step : steps_) width = std::max(width, display_width(step.place));
    auto const all = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
    std::size_t hidden = all - std::min(all, most_steps);
    if (hidden > 0) lines.push_back(fmt::format("the last {} of {} steps that matter:", most_steps, all));
    for (std::size_t i = 0; i < run_.size(); ++i) {
        if (!kept[i] || (hidden > 0 && hidden-- > 0)) continue;
        auto const& [statement, place, words] = steps_[i];
        std::string const blanks(width - display_width(place), ' ');
        lines.push_back(fmt::format("{:>3} {}{} {}", i + 1, place, blanks, words));
    }
    if (all < run_.size())
        lines.push_back(fmt::format("left out: {} that {} not matter; `rma run --steps` shows all",
                                    plural(run_.size() - all, "step"), run_.size() - all == 1 ? "does" : "do"));
}

void Witness::add_lateness(std::vector<std::string>& lines) const {
    using Answer = rma::Lateness::Answer;
    auto const& late = lateness_.late;
    for (std::size_t i = 0; i < std::min(late.size(), most_late); ++i) lines.push_back(in_words(late[i]));
    if (late.size() > most_late) lines.push_back(fmt::format("... and {} more", late.size() - most_late));
    switch (lateness_.answer) {
    case Answer::late:
        if (late.size() > 1)
            lines.emplace_back("had any one of these operations been executed by then, this run would not go wrong");
        break;
    case Answer::together:
        lines.emplace_back("had all of these operations been executed by then, this run would not go wrong");
        break;
    case Answer::in_between:
        lines.emplace_back(
            "no flush is missing in this run: other steps come before an operation has read and written");
        break;
    case Answer::as_well:
        lines.emplace_back("no flush is missing in this run: it also goes wrong if each operation is executed at once");
        break;
    case Answer::open: break;
    }
}

std::string Witness::in_words(rma::Late const& late) const {
    rma::Program const& program = machine_.program();
    rma::Operation const& operation = operations_.all()[late.operation];
    rma::Remote const& remote = machine_.graph().remotes()[operation.s];
    std::string others; // flushes that wait for other processes
    for (std::size_t i = operation.issued + 1; i < late.passed; ++i) {
        auto const* const step = std::get_if<rma::ProcessStep>(&run_[i]);
        if (step == nullptr || step->p != remote.process) continue;
        auto const* const flush = std::get_if<rma::Flush>(&program.statements[steps_[i].statement].c);
        if (flush != nullptr)
            append_item(others, fmt::format("(flush {}) at {}", program.pid(flush->pid), steps_[i].place));
    }
    auto const* const step = std::get_if<rma::ProcessStep>(&run_[late.passed]);
    bool const goes_on = step != nullptr && step->p == remote.process;
    return fmt::format("{} at {} was pending when process {} {}: no flush {} between{}",
                       rma::print(program, remote.statement), steps_[operation.issued].place,
                       program.pid(remote.process),
                       goes_on ? "went on at " + steps_[late.passed].place : "left its `atomic`",
                       program.pid(remote.to), others.empty() ? "" : ", only " + others);
}

std::string wrong_in_words(rma::Machine const& machine, rma::CheckResult::Violation const& violation) {
    rma::Program const& program = machine.program();
    if (violation.property) return rma::print(program, program.properties[*violation.property]) + " does not hold";
    auto const [before, state, effect] = rma::replay(machine, violation.run);
    return rma::narrate(machine, before, violation.run.back(), effect, state).substr(8);
}

} // namespace matchpoint::cli
