// The final values of some variables in all complete runs on the path: the table of `explore --outcomes`.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/expected.hpp"
#include "cli/terminal.hpp"
#include "machine/schedule.hpp"
#include "machine/state.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

/// The variables of "x,y"; or "there is no variable `z`; did you mean `x`?".
Expected<std::vector<Variable>, std::string> variables_of(std::string_view list, IndexedProgram const& code);

class OutcomeTable {
public:
    /// Without variables nothing is kept. The code has to outlive it.
    OutcomeTable(IndexedProgram const& code, std::vector<Variable> variables)
        : code_(code), variables_(std::move(variables)) {}

    bool is_wanted() const { return !variables_.empty(); }
    /// The end of a run, and how it got there. Runs that leave the path do not count.
    void add(State const& state, Schedule const& schedule);

    /// "outcomes: 2", then for each: "  x = 1, y = -: 2 success, 1 failure", and the first of these runs, below it.
    void print(Terminal& terminal) const;
    /// [{"values": {"x": 1, "y": null}, "success": 2, "failure": 1, "trace": "( (00 bot) )"}]
    Json json() const;

private:
    struct Outcome {
        std::vector<Value> values;                // none for a variable without a value
        std::array<std::uint64_t, 2> counts = {}; // of success and failure
        Schedule schedule;                        // of the first run
    };
    /// By length, then by text: 9 comes before 10.
    using Key = std::vector<std::pair<std::size_t, std::string>>;

    IndexedProgram const& code_;
    std::vector<Variable> variables_;
    std::map<Key, Outcome> outcomes_;
};

} // namespace matchpoint::cli
