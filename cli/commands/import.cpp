#include "importers/import.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"

namespace matchpoint::cli {

namespace {

struct ImportOptions {
    std::vector<std::string> words; // a format, or none, and files
    std::string undefined;          // empty if none
    std::string output;             // default: standard output
};

constexpr auto import_examples = R"(Formats:
  mp       traces of MP programs:  T2_0: snd(0, 4)
  mercury  Mercury's .ctp files:   Send 1 5
  isp      transition lists of ISP and MOPPER:
           1 o=3 i=2 rank=0 Send a.c:12 dest=1 stag=0{}{} Matched [1,4]

Examples:
  matchpoint import run.txt             the content shows which format it is
  matchpoint import mercury race.ctp -o program.ctp
  matchpoint import mp rank0.txt rank1.txt -o program.ctp
                                        a file for each process
  matchpoint import mp run.txt --undefined 0 | matchpoint check -
                                        docs/formats.md has the grammars

Exit codes: 0 done, 1 a limit reached, 2 usage, or an input that cannot be read
or has something without a counterpart, 74 the output could not be written.
)";

std::optional<importers::Format> format_of(std::string_view word) {
    for (auto const format : {importers::Format::mp, importers::Format::mercury, importers::Format::transitions})
        if (word == importers::description(format).name) return format;
    return std::nullopt;
}

Expected<std::optional<Value>, std::string> value_of(std::string const& word) {
    if (word.empty()) return std::optional<Value>();
    if (word == "true" || word == "false") return std::optional(Value::boolean(word == "true"));
    if (is_integer(word)) return std::optional(Value::parse_integer(word));
    return Unexpected{
        fmt::format("`{}` is not a value for --undefined: an integer, `true` or `false`", printable(word))};
}

/// The one format of all files.
Expected<importers::Format, std::string> guess(std::vector<Source> const& files) {
    std::optional<importers::Format> format;
    for (Source const& file : files) {
        auto const guessed = importers::guess_format(file);
        if (!guessed) {
            std::string_view const text = file.text();
            std::size_t const first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
            bool const is_program = text.substr(first).starts_with('(') || text.substr(first).starts_with(';');
            return Unexpected{fmt::format("{} {}", printable(file.name(), 4096),
                                          is_program
                                              ? "seems to be a program of the language already"
                                              : "is of no format that can be guessed: name one, `mp`, `mercury` or "
                                                "`isp`")};
        }
        if (format && *format != *guessed)
            return Unexpected{fmt::format("{} is {}, and {} is {}: import one run at a time",
                                          printable(files[0].name(), 4096), importers::description(*format).what,
                                          printable(file.name(), 4096), importers::description(*guessed).what)};
        format = guessed;
    }
    return *format;
}

/// Shows what is wrong with each file.
ExitCode show_reports(std::vector<Diagnostics> const& reports, std::vector<Source> const& files, Terminal& terminal) {
    ExitCode code = holds;
    for (std::size_t i = 0; i < files.size(); ++i) {
        show(terminal, reports[i], files[i]);
        for (Diagnostic const& d : reports[i])
            if (d.severity == Severity::error) code = std::max(code, d.rule == "limit" ? unknown : bad_input);
    }
    return code;
}

/// The text is read once more, as other commands would, to show where it breaks the discipline.
ExitCode write_program(draft::Draft const& draft, ImportOptions const& options, Terminal& terminal) {
    std::string text = draft::print(draft);
    ProgramInput const input = examine(Source(is_file(options.output) ? options.output : "<imported>", std::move(text)),
                                       Discipline::as_warnings);
    show(terminal, input.diagnostics, input.source);
    if (!input.program) {
        if (refused(input.diagnostics) == unknown) return unknown;
        throw std::logic_error("an imported program is none: " + headline(input.diagnostics.front(), input.source));
    }
    return write_output(options.output, input.source.text(), terminal);
}

ExitCode import_command(ImportOptions const& options, Terminal& terminal) {
    auto const undefined = value_of(options.undefined);
    if (!undefined) {
        complain(terminal, undefined.error(), ErrorKind::usage);
        return bad_input;
    }
    auto format = options.words.size() > 1 ? format_of(options.words.front()) : std::nullopt;
    std::vector<Source> files;
    for (std::size_t i = format ? 1 : 0; i < options.words.size(); ++i) {
        auto source = read_or_complain(options.words[i], terminal);
        if (!source) return source.error();
        files.push_back(std::move(*source));
    }
    if (!format) {
        auto const guessed = guess(files);
        if (!guessed) {
            complain(terminal, guessed.error(), ErrorKind::file);
            return bad_input;
        }
        format = *guessed;
    }
    importers::Import const made = importers::import_program(files, *format, *undefined);
    ExitCode const code = show_reports(made.reports, files, terminal);
    return made.draft ? write_program(*made.draft, options, terminal) : code;
}

} // namespace

void add_import(CommandLine& line) {
    auto const options = std::make_shared<ImportOptions>();
    Command command = line.add("import", "Make a program of what other tools write", import_examples);
    command.argument(
        "INPUT", options->words,
        "The format (`mp`, `mercury` or `isp`; guessed if it is left out), and the files of one run; `-` is "
        "standard input");
    command.text("--undefined", "VALUE", options->undefined,
                 "Give variables that are read and never written this value: an integer, `true` or `false`");
    command.output(Content::program, options->output, "Write the program to a file, atomically");
    command.color();
    command.action([options](Terminal& terminal) { return import_command(*options, terminal); });
}

} // namespace matchpoint::cli
