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
    : Session(terminal), source_(source), machine_(machine), stepper_(machine) {}

/// What Enter does.
std::string RmaRepl::standard() {
    if (screen_.was_paged()) return ""; // who types `q` and Enter in the pager means it
    if (!last_.empty()) return last_;
    if (stepper_.planned() != nullptr) return "step";
    return stepper_.choices().empty() ? "" : "choose 1";
}

/// Why the run cannot go on; empty if it can.
std::string_view RmaRepl::ending() const {
    if (stepper_.effect() == rma::Effect::discarded) return "discarded";
    if (stepper_.effect() == rma::Effect::faulted) return "fault";
    return stepper_.is_final() ? "final" : "";
}

std::string RmaRepl::prompt() {
    std::string text = std::to_string(stepper_.at());
    if (stepper_.planned() != nullptr) text += fmt::format("/{}", stepper_.size());
    if (stepper_.violated()) text += " violated";
    if (auto const how = ending(); !how.empty()) text += fmt::format(" {}", how);
    std::string const command = standard();
    return text + (command.empty() ? "" : " [" + command + "]") + " > ";
}

void RmaRepl::execute(std::string const& given) {
    std::string line = trimmed(given);
    if (line.empty()) {
        line = standard();
        if (line.empty()) return;
    }
    if (line[0] == '#') return;
    std::size_t const end = line.find_first_of(" \t");
    Command const& command = find(line.substr(0, end));
    last_ = command.repeats ? line : "";
    if (command.run != &RmaRepl::list) listed_ = 0;
    clear_interrupt();
    Watch const watch([] { return interrupted(); }); // Ctrl-C
    auto const before = stepper_.bookmark();
    bool const travels_in_time = command.run == &RmaRepl::undo || command.run == &RmaRepl::redo;
    auto const moved = [&] {
        if (travels_in_time || stepper_.bookmark() == before) return;
        constexpr std::size_t most = 1'000;
        if (undo_.size() == most) undo_.erase(undo_.begin());
        undo_.push_back(before);
        redo_.clear();
    };
    try {
        (this->*command.run)(end == std::string::npos ? std::string() : trimmed(line.substr(end)));
    } catch (OutOfTime const&) {
        out("interrupted\n");
    } catch (...) {
        moved();
        throw;
    }
    bool const shows = !(stepper_.bookmark() == before);
    moved();
    if (shows) shown_displays();
    if (command.run != &RmaRepl::save) session_.push_back(line);
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

void RmaRepl::save(std::string const& arguments) {
    std::size_t const space = arguments.find_first_of(" \t");
    std::string const what = arguments.substr(0, space);
    std::string const file = space == std::string::npos ? "" : trimmed(arguments.substr(space));
    if ((what != "schedule" && what != "session") || file.empty()) throw misused("save");
    std::string text;
    if (what == "schedule")
        text = rma::print_schedule(machine_, stepper_.path()) + "\n";
    else
        for (std::string const& line : session_) text += line + '\n';
    write_new(file, text);
}

void RmaRepl::source_command(std::string const& arguments) {
    if (arguments.empty()) throw misused("source");
    source(arguments);
}

void RmaRepl::quit_command(std::string const& arguments) {
    none(arguments, "quit");
    quit_ = true;
}

} // namespace matchpoint::cli
