// `matchpoint rma`: programs with remote memory access.
#include <map>
#include <memory>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/rma_commands.hpp"
#include "cli/output.hpp"
#include "proofs/formula.hpp"
#include "rma/language/parse.hpp"
#include "rma/language/parse_reduced.hpp"
#include "rma/language/print.hpp"
#include "rma/search/reduced_text.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto rma_examples = R"(Examples:
  matchpoint rma check traces/rma/figure2.rma
                                         can it go wrong, and how?
  matchpoint rma check --sc --finals traces/rma/figure2.rma
                                         what if put and get happened at once?
  matchpoint rma run traces/rma/figure2.rma --schedule "2 2 2 rw:2#1" --steps
  matchpoint rma draw traces/rma/figure2.rma
                                         how does it go wrong?
  matchpoint rma flushes traces/rma/peterson.rma
                                         how few flushes are enough?
  matchpoint rma prove traces/rma/queue.rma
                                         is it safe, whatever the values?
  matchpoint rma fmt -i my_program.rma

docs/rma.md describes the language and its semantics. `matchpoint rma COMMAND
--help` describes a command.

Exit codes: 0 holds, 1 unknown, or a limit reached, 2 usage, or an input that
cannot be read or breaks a rule, 3 a solver is missing or failed, 10 something
goes wrong, 12 the run does not count, 13 a run does not complete, 74 the output
could not be written.
)";

constexpr auto lint_examples = R"(Examples:
  matchpoint rma lint traces/rma/*.rma

Exit codes: 0 no error, 1 an integer beyond the limit, 2 otherwise.
)";

constexpr auto fmt_examples = R"(Examples:
  matchpoint rma fmt program.rma
  matchpoint rma fmt -i program.rma

Exit codes: 0 done, 1 an integer beyond the limit, 2 the input cannot be read or
is not a program, 74 the output could not be written (the file is unchanged).
)";

constexpr auto reduce_examples = R"(Examples:
  matchpoint rma reduce traces/rma/figure2.rma
  matchpoint rma check --engine reduced traces/rma/figure2.rma
                                         runs it

Exit codes: 0 done, 1 an integer beyond the limit, 2 the input cannot be read or
is not a program, 74 the output could not be written.
)";

/// Errors of the parser, with a hint for a program of the trace language.
Diagnostics of_rma(Diagnostics errors, Source const& source) {
    if (language_of(source) != Written::as_traces) return errors;
    return of_other_language(std::move(errors), "this looks like a program of the trace language: `matchpoint check` "
                                                "and others read it, without `rma`");
}

Diagnostics errors_of(Source const& source) {
    if (language_of(source) == Written::as_reduced) {
        auto program = rma::parse_reduced(source);
        return program ? Diagnostics() : std::move(program).error();
    }
    auto program = rma::parse_rma(source);
    return program ? Diagnostics() : of_rma(std::move(program).error(), source);
}

ExitCode lint(std::vector<std::string> const& files, Format format, Terminal& terminal) {
    ExitCode code = holds;
    for (std::string const& file : files) {
        auto const source = read_or_complain(file, terminal);
        if (!source) {
            code = bad_input;
            continue;
        }
        Diagnostics const errors = errors_of(*source);
        if (format == Format::json) {
            Json json = report_of("lint", *source);
            json["diagnostics"] = report::to_json(errors, *source);
            terminal.out(dump(json));
        }
        if (errors.empty()) continue;
        if (format == Format::text) terminal.print(render(errors, *source, {terminal.out_has_color()}));
        code = std::max(code, refused(errors));
    }
    return code;
}

ExitCode format(std::string const& file, bool in_place, Terminal& terminal) {
    if (in_place && file == "-") {
        complain(terminal, "rma fmt -i needs a file: standard input cannot be replaced", ErrorKind::usage);
        return bad_input;
    }
    auto const input = read_rma(file, terminal, {.keep_comments = true});
    if (!input) return input.error();
    std::string const text = rma::print(input->program, &input->source);
    if (in_place) return text == input->source.text() ? holds : replace_or_complain(file, text, terminal);
    terminal.out(text);
    return holds;
}

std::vector<std::string> entries_of_the_reduction() {
    return {std::begin(rma::literal_names), std::end(rma::literal_names)};
}

/// What is wrong with a word of --literal; empty if nothing.
std::string why_not_literal(std::string const& name) {
    static std::map<std::string, std::string_view> const others{
        {"R1", "it is about flush in the semantics of the machine"},
        {"R6", "it is a claim about programs with flushes everywhere"},
        {"R9", "it is about the abstraction of Section 4"},
        {"R10", "it is about the abstraction of Section 4"}};
    auto const names = entries_of_the_reduction();
    auto const other = others.find(name);
    if (other == others.end()) return is_one_of(names)(name);
    return fmt::format("`{}` changes nothing in the reduction: {}; those that do are {}", name, other->second,
                       joined(names));
}

RmaAction add_rma_lint(Command& rma) {
    struct Options {
        std::vector<std::string> files;
        Format format = Format::text;
    };
    auto const options = std::make_shared<Options>();
    Command command = rma.add("lint", "Check the static rules RS1 to RS6", lint_examples);
    command.argument("FILE", options->files, rma_file_help);
    command.format(options->format);
    return [options](Terminal& terminal) { return lint(options->files, options->format, terminal); };
}

RmaAction add_rma_fmt(Command& rma) {
    struct Options {
        std::string file;
        bool in_place = false;
    };
    auto const options = std::make_shared<Options>();
    Command command = rma.add("fmt", "Print a program in canonical form, comments included", fmt_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.flag("-i,--in-place", options->in_place, "Replace the file, atomically");
    return [options](Terminal& terminal) { return format(options->file, options->in_place, terminal); };
}

RmaAction add_rma_reduce(Command& rma) {
    struct Options {
        std::string file;
        rma::Literal literal;
    };
    auto const options = std::make_shared<Options>();
    Command command =
        rma.add("reduce", "Print the sequentially consistent program of Table 2, to be read", reduce_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.option(literal_option(options->literal));
    return [options](Terminal& terminal) -> ExitCode {
        auto const input = read_rma(options->file, terminal);
        if (!input) return input.error();
        rma::Graph const graph(input->program);
        if (auto const why = rma::why_not_literal(graph, options->literal); !why.empty()) {
            complain(terminal, fmt::format("{}: {}", printable(options->file, 4096), why), ErrorKind::usage);
            return bad_input;
        }
        terminal.out(rma::print_reduced(graph, options->literal));
        return holds;
    };
}

} // namespace

std::vector<std::string> parts_of_list(std::string const& list) {
    std::vector<std::string> parts;
    for (std::size_t first = 0; first <= list.size();) {
        std::size_t const end = std::min(list.find(',', first), list.size());
        parts.push_back(list.substr(first, end - first));
        first = end + 1;
    }
    return parts;
}

Option literal_option(rma::Literal& literal) {
    return {"--literal", "R,...",
            "Of the reduced program, read these as the paper has them, by their entries in docs/rma.md: " +
                joined(entries_of_the_reduction()),
            [&literal](std::string const& list) {
                for (std::string const& name : parts_of_list(list)) rma::set_literal(literal, name);
            },
            [](std::string const& list) {
                for (std::string const& name : parts_of_list(list))
                    if (std::string wrong = why_not_literal(name); !wrong.empty()) return wrong;
                return std::string();
            }};
}

ExitCode refuse_reduced(Source const& source, Terminal& terminal) {
    complain(terminal,
             fmt::format("{} is a reduced program, which this command does not read", printable(source.name(), 4096)),
             ErrorKind::usage, {"`matchpoint rma check`, `rma lint` and `validate --rma` read reduced programs"});
    return bad_input;
}

bool refuse_atomics(RmaInput const& input, Terminal& terminal) {
    rma::Graph const graph(input.program);
    for (rma::Remote const& remote : graph.remotes()) {
        if (!remote.is_atomic()) continue;
        auto const at = input.source.line_column(input.program.statements[remote.statement].open);
        complain(terminal,
                 fmt::format("{}:{}:{}: {} is a remote atomic, and {}", printable(input.source.name(), 4096), at.line,
                             at.column, rma::print(input.program, remote.statement), proofs::no_clauses),
                 ErrorKind::usage,
                 {"`matchpoint rma check` searches all runs of such a program, and `rma prove` proves it without a "
                  "certificate"});
        return true;
    }
    return false;
}

Expected<RmaInput, ExitCode> read_rma(std::string const& file, Terminal& terminal, ParseOptions const& options) {
    auto source = read_or_complain(file, terminal);
    if (!source) return Unexpected{source.error()};
    if (language_of(*source) == Written::as_reduced) return Unexpected{refuse_reduced(*source, terminal)};
    return read_rma(std::move(*source), terminal, options);
}

Expected<RmaInput, ExitCode> read_rma(Source source, Terminal& terminal, ParseOptions const& options) {
    auto program = rma::parse_rma(source, options);
    if (!program) {
        Diagnostics const errors = of_rma(std::move(program).error(), source);
        show(terminal, errors, source);
        return Unexpected{refused(errors)};
    }
    return RmaInput{std::move(source), std::move(*program)};
}

void add_rma(CommandLine& line) {
    Command command = line.add("rma", "Programs with remote memory access: put, get and flush", rma_examples);
    std::map<std::string, RmaAction> const actions{{"lint", add_rma_lint(command)},
                                                   {"fmt", add_rma_fmt(command)},
                                                   {"run", add_rma_run(command)},
                                                   {"check", add_rma_check(command)},
                                                   {"draw", add_rma_draw(command)},
                                                   {"reduce", add_rma_reduce(command)},
                                                   {"predicates", add_rma_predicates(command)},
                                                   {"abstract", add_rma_abstract(command)},
                                                   {"prove", add_rma_prove(command)},
                                                   {"chc", add_rma_chc(command)},
                                                   {"flushes", add_rma_flushes(command)},
                                                   {"step", add_rma_step(command)}};
    command.color();
    command.action([command, actions](Terminal& terminal) {
        auto const given = actions.find(command.given());
        if (given != actions.end()) return given->second(terminal);
        complain(terminal,
                 "`rma` needs a command: check, prove, flushes, run, step, draw, reduce, predicates, chc, lint or fmt",
                 ErrorKind::usage);
        return bad_input;
    });
}

} // namespace matchpoint::cli
