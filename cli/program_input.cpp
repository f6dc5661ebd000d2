#include "cli/program_input.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/update_order.hpp"
#include "grammar/characters.hpp"
#include "grammar/discipline.hpp"
#include "grammar/messages/lexer.hpp"
#include "grammar/messages/selector_warnings.hpp"
#include "grammar/messages/sharing_warnings.hpp"
#include "grammar/messages/spelling.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

namespace {

/// In the order of the text.
void add(Diagnostics& diagnostics, Diagnostics const& more) {
    diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    std::stable_sort(diagnostics.begin(), diagnostics.end(),
                     [](Diagnostic const& a, Diagnostic const& b) { return a.offset < b.offset; });
}

} // namespace

ProgramInput examine(Source source, Discipline discipline, ParseOptions const& options) {
    auto program = parse(source, options);
    if (!program) {
        Diagnostics errors = std::move(program).error();
        Written const language = language_of(source);
        if (language == Written::as_rma || language == Written::as_reduced)
            errors = of_other_language(std::move(errors), "this is a program with remote memory access: `matchpoint "
                                                          "rma` reads it, as in `matchpoint rma check FILE`");
        return {std::move(source), std::nullopt, std::move(errors)};
    }
    Diagnostics diagnostics;
    switch (discipline) {
    case Discipline::ignored: break;
    case Discipline::as_warnings: diagnostics = check_discipline(*program, &source); break;
    case Discipline::as_errors: diagnostics = check_discipline(*program, &source, Severity::error); break;
    }
    if (discipline != Discipline::ignored && !has_error(diagnostics))
        add(diagnostics, warn_of_selectors(*program, source));
    return {std::move(source), std::move(*program), std::move(diagnostics)};
}

void warn_of_what_is_not_known(IndexedProgram const& code, Source const& source, Terminal& terminal) {
    std::string const words = record::not_known(code, source.text());
    if (!words.empty()) warn(terminal, fmt::format("{}: {}", printable(source.name(), 4096), words), ErrorKind::file);
}

void warn_of_sharing(ProgramInput& input) {
    if (!input.program || has_error(input.diagnostics)) return;
    UpdateOrder order(*input.program, !breaks_discipline(input.diagnostics));
    auto const is_ordered = [&](std::uint32_t write, std::uint32_t update) { return order.is_ordered(write, update); };
    add(input.diagnostics, warn_of_atomic_updates(*input.program, input.source, is_ordered));
    add(input.diagnostics, warn_of_unread_variables(*input.program, input.source));
}

Written language_of(Source const& source) {
    Lexer lexer(source.text(), static_cast<Offset>(byte_order_mark_size(source.text())));
    if (!is_open(lexer.next())) return Written::otherwise;
    Token const second = lexer.next();
    if (is_open(second)) return Written::as_traces;
    return second.text == "rma" ? Written::as_rma : second.text == "reduced" ? Written::as_reduced : Written::otherwise;
}

Diagnostics of_other_language(Diagnostics errors, std::string_view hint) {
    if (errors.front().rule != "syntax") return errors;
    errors.erase(errors.begin() + 1, errors.end());
    errors.front().hints.assign(1, std::string(hint));
    errors.front().notes.clear();
    return errors;
}

bool breaks_discipline(Diagnostics const& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](Diagnostic const& d) { return d.rule.starts_with('D'); });
}

Expected<Source, ExitCode> read_or_complain(std::string const& file, Terminal& terminal) {
    auto source = read_source(file);
    if (source) return std::move(*source);
    complain(terminal, source.error(), ErrorKind::file);
    return Unexpected{bad_input};
}

Expected<ProgramInput, ExitCode> read_program(std::string const& file, Terminal& terminal, Discipline discipline,
                                              ParseOptions const& options) {
    auto source = read_or_complain(file, terminal);
    if (!source) return Unexpected{source.error()};
    ProgramInput input = examine(std::move(*source), discipline, options);
    show(terminal, input.diagnostics, input.source);
    if (has_error(input.diagnostics)) return Unexpected{refused(input.diagnostics)};
    return input;
}

Expected<std::unique_ptr<Prepared>, ExitCode> read_prepared(std::string const& file, Terminal& terminal,
                                                            KnowsSharing knows_sharing) {
    auto input = read_program(file, terminal, Discipline::as_errors);
    if (!input) return Unexpected{input.error()};
    auto prepared = std::make_unique<Prepared>(std::move(input->source), std::move(*input->program));
    if (knows_sharing == KnowsSharing::no && prepared->code.shares()) {
        complain(terminal,
                 fmt::format("{} has shared variables or guarded assignments, which this command does not know",
                             printable(prepared->source.name(), 4096)),
                 ErrorKind::usage,
                 {"`matchpoint check` and `explore` explore such programs; `run`, `step`, `draw`, `fmt`, `lint`, "
                  "`pairs`, `encode`, `oracle`, `slice` and `smt` know them, too"});
        return Unexpected{bad_input};
    }
    return prepared;
}

namespace {

/// Where a trace of the program can come from. `check` and `explore` refuse a program that breaks D1 to D6.
std::vector<std::string> ways_to_a_trace(Program const& program, Source const& source) {
    std::string const file = source.name() == "<stdin>" ? "FILE" : printable(source.name(), 4096);
    std::vector<std::string> ways{fmt::format(
        "`matchpoint step {} --choose` makes one, step by step; its `save trace traced.ctp` writes it", file)};
    if (!check_discipline(program, nullptr, Severity::warning, 1).empty()) return ways;
    ways.insert(
        ways.begin(),
        fmt::format("`matchpoint check {} -o traced.ctp` writes the program with traces of what it finds", file));
    ways.push_back(
        fmt::format("`matchpoint explore {}` shows one for each execution, to be put after the program", file));
    return ways;
}

} // namespace

Expected<SelectedTraces, ExitCode> select_traces(Program const& program, Source const& source,
                                                 std::optional<std::size_t> number, std::string_view purpose,
                                                 Terminal& terminal) {
    std::size_t const count = program.traces.size();
    std::string const name = printable(source.name(), 4096);
    if (count == 0) {
        complain(terminal, fmt::format("{} has no trace{}: traces follow the program, in the same file", name, purpose),
                 ErrorKind::trace, ways_to_a_trace(program, source));
        return Unexpected{bad_input};
    }
    if (!number) return SelectedTraces{0, count};
    if (*number > count) {
        complain(terminal, fmt::format("{} has no trace {}: it has {}", name, *number, count), ErrorKind::trace);
        return Unexpected{bad_input};
    }
    return SelectedTraces{*number - 1, *number};
}

void show(Terminal& terminal, Diagnostics const& diagnostics, Source const& source) {
    if (!diagnostics.empty()) terminal.tell(render(diagnostics, source, {terminal.err_has_color()}));
}

ExitCode refused(Diagnostics const& diagnostics) { return diagnostics.front().rule == "limit" ? unknown : bad_input; }

} // namespace matchpoint::cli
