#include "cli/rma_repl/repl.hpp"

#include <set>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/repl/aside.hpp"
#include "cli/suggestion.hpp"
#include "grammar/characters.hpp"
#include "rma/machine/schedule.hpp"

namespace matchpoint::cli {

RmaRepl::RmaRepl(Source const& source, rma::Machine const& machine, Terminal& terminal)
    : Debugger(terminal, machine), source_(source), machine_(machine) {}

/// Why the run cannot go on; empty if it can.
std::string_view RmaRepl::ending() const {
    if (stepper_.effect() == rma::Effect::discarded) return "discarded";
    if (stepper_.effect() == rma::Effect::faulted) return "fault";
    return stepper_.is_final() ? "final" : "";
}

std::string RmaRepl::state_text() const {
    std::string text = std::to_string(stepper_.at());
    if (stepper_.planned() != nullptr) text += fmt::format("/{}", stepper_.size());
    if (stepper_.violated()) text += " violated";
    if (auto const how = ending(); !how.empty()) text += fmt::format(" {}", how);
    return text;
}

void RmaRepl::perform(Command const& command, std::string const& arguments) {
    if (command.run != &RmaRepl::list) listed_ = 0;
    Watch const watch([] { return interrupted(); }); // Ctrl-C
    try {
        (this->*command.run)(arguments);
    } catch (OutOfTime const&) {
        out("interrupted\n");
    }
}

LineCompletion RmaRepl::completions(std::string const& line) const {
    std::size_t const start = line.find_last_of(" \t(") + 1;
    std::string_view const prefix = std::string_view(line).substr(start);
    std::set<std::string> fitting;
    auto const add = [&](std::string_view word) {
        if (word.starts_with(prefix) && printable(word, 4096) == word) fitting.emplace(word);
    };
    if (trimmed(line.substr(0, start)).empty()) {
        for (Command const& c : commands()) add(c.name);
    } else {
        for (Variable const x : program().declared) add(program().symbols(x));
        for (rma::ProcessIndex p = 0; p < program().processes.size(); ++p) add(program().pid(p));
        for (auto const& choice : stepper_.choices()) add(choice.word);
        for (rma::StatementIndex i = 0; i < program().statements.size(); ++i)
            if (auto const rho = program().statements[i].rho; !rho.is_none())
                add(fmt::format("{}.{}", program().pid(program().process_of(i)), program().symbols(rho)));
        for (Command const& c : commands())
            if (line.starts_with("help ")) add(c.name);
    }
    return {start, {fitting.begin(), fitting.end()}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Arguments

rma::ProcessIndex RmaRepl::process_number(std::string const& word) const {
    auto const pid = endpoint_name(word);
    auto const p = pid ? program().process(*pid) : std::nullopt;
    if (p) return *p;
    std::string all;
    for (rma::ProcessIndex q = 0; q < program().processes.size(); ++q)
        all += fmt::format("{}{}", q == 0 ? "" : ", ", program().pid(q));
    throw Refused(fmt::format("there is no process `{}`: there are {}", printable(word), all));
}

RmaExpression RmaRepl::expression(std::string const& text) const {
    // A name alone gets a better answer than that of the parser.
    bool const is_name = text.find_first_of(" \t()[];") == std::string::npos && is_variable_name(text);
    if (is_name && !program().symbols.variables.find(text))
        throw Refused(fmt::format("there is no variable `{}`{}", printable(text),
                                  name_suggestion(text, program().symbols.variables)));
    return {text, source_, program()};
}

std::optional<std::vector<rma::StatementIndex>> RmaRepl::place(std::string const& word) const {
    std::vector<rma::StatementIndex> result;
    if (std::size_t const dot = word.find('.'); dot != std::string::npos && endpoint_name(word.substr(0, dot))) {
        auto const at = program().at(process_number(word.substr(0, dot)), word.substr(dot + 1));
        if (!at)
            throw Refused(
                fmt::format("process {} has no location `{}`", word.substr(0, dot), printable(word.substr(dot + 1))));
        return std::vector{*at};
    }
    if (word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    std::size_t const line = number(word, "line");
    for (rma::StatementIndex i = 0; i < program().statements.size(); ++i)
        if (source_.line_column(program().statements[i].open).line == line) result.push_back(i);
    if (result.empty()) throw Refused(fmt::format("no statement begins in line {}", line));
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files

void RmaRepl::save_run(std::string const& file) {
    write_new(file, rma::print_schedule(machine_, stepper_.path()) + "\n");
}

} // namespace matchpoint::cli
