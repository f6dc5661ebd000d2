// What an author pastes into a paper: text as LaTeX prints it, and a run as a table with the rules that it applied.
//
//   AppliedRules rules;
//   machine.observe(rules);            // and a DiagramBuilder
//   run(machine, trace);
//   std::cout << latex_table(builder.diagram(), code, rules);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/diagram.hpp"

namespace matchpoint::report {

/// LaTeX that prints the text as it is, in \texttt.
std::string latex(std::string_view text);
/// A line that LaTeX does not print.
std::string latex_comment(std::string_view line);

/// The rules that each entry of a run applied, without MACHINE STEP and those that only rewrite the current expression.
/// Where the run is stuck, the rule that does not apply.
class AppliedRules final : public Observer {
public:
    struct Entry {
        std::vector<Channel> m;
        std::vector<Rule> rules;
    };

    void on(State const& state, Event const& event) override;
    std::vector<Entry> const& entries() const { return entries_; }

private:
    std::vector<Entry> entries_;
};

/// A table with a row for each entry: its location, its command with the values that it assigns, its queue movements
/// and its rules under the names of Figures 7 and 8. As in Figures 2 and 3, a line is where another thread goes on. It
/// needs the package booktabs, and longtable if it is longer than a page.
std::string latex_table(Diagram const& diagram, IndexedProgram const& code, AppliedRules const& applied);

} // namespace matchpoint::report
