// Runs and what is known of them as JSON (docs/formats.md).
#pragma once

#include <functional>

#include <nlohmann/json.hpp>

#include "base/diagnostics.hpp"
#include "base/value.hpp"
#include "explain/blocked.hpp"
#include "explain/reads_from.hpp"
#include "machine/machine.hpp"
#include "machine/well_formed.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::report {

using Json = nlohmann::ordered_json;

/// A boolean as a boolean. An integer as a number if every JSON reader can hold it (up to 2^53 - 1), otherwise as a
/// string of its digits. The language has no strings, so the two cannot be confused.
Json to_json(Value const& v);

/// [{"severity": "error", "rule": "S1", "line": 1, "column": 2, "message": "...", "notes": [...]}]
Json to_json(Diagnostics const& diagnostics, Source const& source);

/// ["S1", "S2"]
Json to_json(IndexedProgram const& code, std::vector<Action> const& actions);

/// {"receive": "R2", "send": "S4"}
Json to_json(MessageIndex const& messages, Pair pair);
/// Arrays of these.
Json to_json(IndexedProgram const& code, std::vector<Match> const& matches);
Json to_json(MessageIndex const& messages, Matching const& m);
/// [{"probe": "P", "send": "S1"}], of the probes that take nothing
Json seen_to_json(IndexedProgram const& code, State const& state);
Json to_json(MessageIndex const& messages, MatchPairs const& pairs);
/// The lists of Figure 15: {"receives": {"0": ["R01", "R02"]}, "sends": {"0": {"1": ["S11"], "2": ["S21"]}}}
Json lists_of_figure_15(MessageIndex const& messages);

/// Adds "place", the file and line that a command came from, if the program says them.
void add_place(Json& item, IndexedProgram const& code, Location rho);

/// Where and why a run ended in error; the state is the one before the failing entry.
Json to_json(IndexedProgram const& code, State const& state, RunError const& error);

/// Adds "blocked", where each thread waits and what for, and "cycles", who waits for whom. `reads_from`: of the run
/// that led there; `entry`: the command of a step of that run.
void add_blocked(Json& item, IndexedProgram const& code, Blocked const& blocked, ReadsFrom const& reads_from,
                 std::function<Location(std::uint32_t)> const& entry);

/// On several lines, with a newline at the end.
std::string dump(Json const& json);
/// On one line, without a newline.
std::string compact(Json const& json);

} // namespace matchpoint::report
