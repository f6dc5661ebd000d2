#include "cli/commands/rma_counterexample.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "cli/commands/rma_json.hpp"
#include "explain/words.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/accesses.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/words.hpp"

namespace matchpoint::cli {

namespace {

using proofs::AbstractBit;
using proofs::AbstractStep;
using proofs::Bit;

constexpr std::size_t most_bits = 12; // in a line of text
constexpr std::size_t most_rows = 100;

std::string text_of(AbstractBit const& bit) {
    std::string text = bit.value == Bit::no ? fmt::format("(not {})", bit.predicate) : bit.predicate;
    if (!bit.set.empty()) text += fmt::format("[set({})]", bit.set);
    return text;
}

/// "(<= X 2), (not (<= Y 0)); unknown: (<= X 1)"
std::string text_of(std::vector<AbstractBit> const& bits) {
    std::string known;
    std::string forgotten;
    for (std::size_t i = 0; i < std::min(bits.size(), most_bits); ++i)
        append_item(bits[i].value == Bit::unknown ? forgotten : known, text_of(bits[i]));
    std::string text =
        forgotten.empty() ? known : fmt::format("{}{}unknown: {}", known, known.empty() ? "" : "; ", forgotten);
    if (bits.size() > most_bits) text += fmt::format(", and {} more", bits.size() - most_bits);
    return text;
}

/// "known: (<= X 2); unknown: (<= Y 0)"
std::string known(std::vector<AbstractBit> const& bits) {
    std::string text = text_of(bits);
    return text.starts_with("unknown: ") ? text : "known: " + text;
}

Json bits_to_json(std::vector<AbstractBit> const& bits) {
    Json json = Json::array();
    for (AbstractBit const& bit : bits)
        json.push_back({{"predicate", bit.predicate},
                        {"set", bit.set.empty() ? Json(nullptr) : Json(bit.set)},
                        {"value", bit.value == Bit::unknown ? Json(nullptr) : Json(bit.value == Bit::yes)}});
    return json;
}

} // namespace

CounterexampleReport::CounterexampleReport(Source const& source, rma::Graph const& graph,
                                           proofs::Counterexample const& found)
    : source_(source), places_(source, graph.program()), machine_(graph, found.model), found_(found),
      stepper_(machine_) {
    for (std::size_t i = 0; i < found_.steps.size(); ++i) {
        AbstractStep const& step = found_.steps[i];
        if (i == found_.follows) end_ = why_not_further(step);
        if (!step.process || i >= found_.follows) {
            add_path_step(step);
            continue;
        }
        while (stepper_.at() < found_.machine.run.size() && !add_machine_step(&step)) {
        }
    }
    while (stepper_.at() < found_.machine.run.size()) add_machine_step(nullptr);
    if (end_.empty()) end_ = at_end();
    if (!found_.machine.is_complete) end_ += ". Another run may follow further: not all were looked at";
}

std::string CounterexampleReport::at_end() const {
    if (found_.agrees_at_end)
        return fmt::format("the machine follows to the end, where {} holds: no predicate says so", goes_wrong());
    if (found_.differs.empty()) return "the machine takes all of these steps, but operations are pending in the end";
    return fmt::format(
        "the machine takes all of these steps, but when nothing is pending, the path has {}, and this run "
        "has not",
        text_of(found_.differs));
}

/// What may go wrong.
std::string CounterexampleReport::goes_wrong() const {
    if (found_.property) return property_text();
    return found_.assertion ? fmt::format("{} at {}", rma::statement_text(machine_.program(), *found_.assertion),
                                          places_.of(*found_.assertion))
                            : "an assertion";
}

std::string CounterexampleReport::property_text() const {
    return rma::print(machine_.program(), machine_.program().properties[*found_.property]);
}

void CounterexampleReport::add_path_step(AbstractStep const& step) {
    rows_.push_back({Row::Of::path, step.statement, words_of(step), &step.becomes});
}

std::string CounterexampleReport::words_of(AbstractStep const& step) const {
    rma::Program const& program = machine_.program();
    std::string const text = rma::statement_text(program, step.statement);
    if (!step.process) return fmt::format("{} is executed: {}", step.operation, text);
    auto const& c = program.statements[step.statement].c;
    bool const branches = std::holds_alternative<rma::If>(c) || std::holds_alternative<rma::While>(c);
    bool const is_true = step.process->to == machine_.graph().at(step.process->from).next;
    return fmt::format("process {}: {}{}", program.pid(step.process->p), text,
                       !branches ? ""
                       : is_true ? "; true"
                                 : "; false");
}

bool CounterexampleReport::add_machine_step(AbstractStep const* step) {
    rma::Transition const& t = found_.machine.run[stepper_.at()];
    rma::State const before = stepper_.state();
    rma::Effect const effect = stepper_.take(t);
    bool const moved = before.pc != stepper_.state().pc;
    rma::StatementIndex const statement =
        std::visit(overloaded{
                       [&](rma::ProcessStep const& x) { return machine_.graph().at(before.pc[x.p]).executes; },
                       [&](auto const& card) { return machine_.graph().remotes()[card.s].statement; },
                   },
                   t);
    rows_.push_back({moved && step != nullptr ? Row::Of::both : Row::Of::machine, statement,
                     rma::narrate(machine_, before, t, effect, stepper_.state()),
                     moved && step != nullptr ? &step->becomes : nullptr});
    return moved;
}

/// What its process does instead, or what the path knows that is not so.
std::string CounterexampleReport::why_not_further(AbstractStep const& next) const {
    constexpr auto no_run = "no run of the machine follows further. ";
    if (!found_.differs.empty())
        return fmt::format("{}After the next step, the path has {}, and this run has not", no_run,
                           text_of(found_.differs));
    if (!next.process)
        return fmt::format("{}In this one, no operation of {} is pending that could be executed next", no_run,
                           next.operation);
    rma::Stepper stepper(machine_);
    for (rma::Transition const& t : found_.machine.run) stepper.take(t);
    rma::State const state = stepper.state();
    rma::ProcessIndex const p = next.process->p;
    if (auto const blocked = machine_.blocked(state, p))
        return fmt::format("{}In this one, process {} waits: {}", no_run, machine_.program().pid(p),
                           rma::in_words(machine_, *blocked));
    rma::Transition const t = rma::ProcessStep{p};
    rma::Effect const effect = stepper.take(t);
    std::string values;
    for (Variable const x : rma::read_by_step(machine_, state.pc[p]))
        append_item(values, fmt::format("{} = {}", machine_.program().symbols(x), state.M[x.index].to_string()));
    return fmt::format("{}In this one, {}{}{}", no_run,
                       rma::narrate(machine_, state, t, effect, stepper.state()).substr(8),
                       values.empty() ? "" : ", with ", values);
}

std::vector<std::string> CounterexampleReport::lines() const {
    std::vector<std::string> lines;
    lines.push_back(fmt::format("a path that the predicates leave possible ({}, mode {}), beside a run of the machine:",
                                found_.model == rma::Model::sc ? "sequential consistency" : "RMA",
                                to_string(found_.mode)));
    lines.emplace_back("* is a step of both, p one of the path only, m one of the machine only");
    std::size_t hidden = rows_.size() - std::min(rows_.size(), most_rows);
    if (hidden > 0) lines.push_back(fmt::format("the last {} of {} steps:", most_rows, rows_.size()));
    std::size_t width = 0;
    for (Row const& row : rows_) width = std::max(width, display_width(places_.of(row.statement)));
    if (!found_.initially.empty()) lines.push_back("      " + known(found_.initially));
    for (Row const& row : rows_) {
        if (hidden > 0 && hidden-- > 0) continue;
        std::string const place = places_.of(row.statement);
        std::string const blanks(width - display_width(place), ' ');
        auto const* const mark = row.of == Row::Of::both ? "*" : row.of == Row::Of::path ? "p" : "m";
        lines.push_back(fmt::format("  {} {}{} {}", mark, place, blanks, row.words));
        if (row.becomes != nullptr && !row.becomes->empty()) lines.push_back("      " + known(*row.becomes));
    }
    lines.push_back(fmt::format("      not known then: {}", goes_wrong()));
    lines.push_back(end_);
    return lines;
}

Json CounterexampleReport::json() const {
    Json json = {{"model", found_.model == rma::Model::sc ? "sc" : "rma"}, {"mode", to_string(found_.mode)}};
    rma::Program const& program = machine_.program();
    json["property"] = found_.property ? Json(property_text()) : Json(nullptr);
    json["assertion"] = found_.assertion ? statement_to_json(program, source_, *found_.assertion) : Json(nullptr);
    json["known"] = bits_to_json(found_.initially);
    Json& path = json["path"] = Json::array();
    for (AbstractStep const& step : found_.steps) {
        Json& one = path.emplace_back(statement_to_json(program, source_, step.statement));
        one["process"] = step.process ? Json(std::string(program.pid(step.process->p))) : Json(nullptr);
        one["operation"] = step.process ? Json(nullptr) : Json(step.operation);
        one["known"] = bits_to_json(step.becomes);
    }
    Json& machine = json["machine"] = Json::object();
    add_run(machine, machine_, found_.machine.run);
    machine["follows"] = found_.follows;
    machine["why_not_further"] = end_;
    return json;
}

} // namespace matchpoint::cli
