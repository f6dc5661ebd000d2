#include "cli/commands/check_determinism.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands/check_report.hpp"
#include "cli/sha256.hpp"
#include "explain/words.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

using check::Determinism;

namespace {

constexpr std::size_t most_values = 20; // in a text

std::string_view heading(Determinism::Answer answer) {
    switch (answer) {
    case Determinism::Answer::same: return "the outcome does not depend on the schedule";
    case Determinism::Answer::differs: return "the outcome depends on the schedule";
    case Determinism::Answer::no_run: return "no run on the path completes";
    case Determinism::Answer::unknown: break;
    }
    return "unknown";
}

} // namespace

/// "x = 1, y = 2"; of two runs, "x = 1 or 2".
std::string DeterminismReport::values(bool only_differing) const {
    std::string text;
    std::size_t count = 0;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        Value const& one = found_.one->values[i];
        bool const differs = found_.other && !(found_.other->values[i] == one);
        if (only_differing && !differs) continue;
        if (++count > most_values) continue;
        append_item(text, fmt::format("{} = {}", explain::shown(program_.code, variables_[i]), explain::shown(one)));
        if (differs) text += " or " + explain::shown(found_.other->values[i]);
    }
    if (count > most_values) text += fmt::format(", and {} more", count - most_values);
    return text;
}

void DeterminismReport::print(Terminal& terminal) const {
    bool const differs = answer() == Determinism::Answer::differs;
    terminal.print(fmt::format("{}, {} buffering: {}\n", printable(program_.source.name(), 4096),
                               machine::to_string(buffering_),
                               terminal.paint(differs ? Style::bad : Style::heading, heading(answer()))));
    if (answer() == Determinism::Answer::same && !variables_.empty())
        terminal.print(fmt::format("  every complete run ends with {}\n", values(false)));
    if (differs) {
        terminal.print(fmt::format("  {}\n  one run:\n", values(true)));
        terminal.print(report::wrapped_trace(program_.code, found_.one->schedule, "    "));
        terminal.print("  the other one:\n");
        terminal.print(report::wrapped_trace(program_.code, found_.other->schedule, "    "));
    }
    if (is_open()) terminal.print(fmt::format("  {}\n", from_.cut_short.in_words()));
    if (from_.concrete_values && answer() != Determinism::Answer::no_run)
        terminal.print(fmt::format("  {}\n", record::provenance::holds_if));
    for (check::Trouble const& t : found_.trouble)
        terminal.print(fmt::format("  {}: {}\n", label(t.kind), printable(t.what, 4096)));
    if (!found_.engine.empty() && answer() != Determinism::Answer::unknown)
        terminal.print(fmt::format("  decided by: {}\n", found_.engine));
}

Json DeterminismReport::json_of(std::optional<Determinism::End> const& end) const {
    if (!end) return nullptr;
    Json values = Json::object();
    for (std::size_t i = 0; i < variables_.size(); ++i)
        values[std::string(program_.code.names()(variables_[i]))] = report::to_json(end->values[i]);
    return {{"values", values}, {"trace", report::shown_trace(program_.code, end->schedule)}};
}

Json DeterminismReport::json() const {
    Json trouble = Json::array();
    for (check::Trouble const& t : found_.trouble) trouble.push_back({{"kind", label(t.kind)}, {"what", t.what}});
    return {{"file", program_.source.name()},
            {"sha256", sha256(program_.source.text())},
            {"buffering", machine::to_string(buffering_)},
            {"answer", to_string(answer())},
            {"engine", found_.engine.empty() ? Json(nullptr) : Json(found_.engine)},
            {"run", json_of(found_.one)},
            {"other_run", json_of(found_.other)},
            {"trouble", trouble},
            {"values_of_one_run", from_.concrete_values}};
}

ExitCode DeterminismReport::code() const {
    for (check::Trouble const& t : found_.trouble) {
        if (t.kind == check::Trouble::Kind::wrong_answer) return disagrees;
        if (t.kind == check::Trouble::Kind::solver && answer() == Determinism::Answer::unknown) return solver_failed;
    }
    switch (answer()) {
    case Determinism::Answer::same: return holds;
    case Determinism::Answer::differs: return failure;
    case Determinism::Answer::no_run: return infeasible;
    case Determinism::Answer::unknown: break;
    }
    return unknown;
}

} // namespace matchpoint::cli
