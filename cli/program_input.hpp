// Reading the input of a command, and saying what is wrong with it: every command that takes a program reads it here.
//
//   auto const input = read_program(options.file, terminal);        // run, step, smt, draw: any program
//   auto const input = read_prepared(options.file, terminal);       // check, explore, ...: one that obeys D1 to D6
//   if (!input) return input.error();
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.hpp"
#include "base/expected.hpp"
#include "base/files.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "grammar/parse.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::cli {

/// How breaches of rules D1 to D6 are reported.
enum class Discipline { ignored, as_warnings, as_errors };

/// A source after parsing and checking.
struct ProgramInput {
    Source source;
    std::optional<Program> program; // none if it breaks the syntax or a static rule
    Diagnostics diagnostics;
};

ProgramInput examine(Source source, Discipline discipline, ParseOptions const& options = {});

/// Adds the warnings about shared variables: of updates that are one step here and seldom one in a real program, and of
/// variables that may be misspelt. Only `check` and `lint` show them.
void warn_of_sharing(ProgramInput& input);

/// Warns of what keeps anyone from saying that no run of a recorded program fails.
void warn_of_what_is_not_known(IndexedProgram const& code, Source const& source, Terminal& terminal);

/// Whether the program breaks one of rules D1 to D6. There can be warnings of other things.
bool breaks_discipline(Diagnostics const& diagnostics);

/// A whole file, or the exit code after complaining that it cannot be read.
Expected<Source, ExitCode> read_or_complain(std::string const& file, Terminal& terminal);

/// A program, or the exit code after showing why there is none. Warnings are shown, too.
Expected<ProgramInput, ExitCode> read_program(std::string const& file, Terminal& terminal,
                                              Discipline discipline = Discipline::as_warnings,
                                              ParseOptions const& options = {});

/// Whether a command knows shared variables.
enum class KnowsSharing : bool { no, yes };

/// A program that obeys D1 to D6, or the exit code after showing why there is none.
Expected<std::unique_ptr<Prepared>, ExitCode> read_prepared(std::string const& file, Terminal& terminal,
                                                            KnowsSharing knows_sharing = KnowsSharing::no);

/// The traces of a program that `--trace N` selects, counted from 0.
struct SelectedTraces {
    std::size_t first;
    std::size_t last; // one past the last
};
/// Trace `number` (from 1), or all traces if there is no number; or the exit code after complaining that the file has
/// no such trace, and where to get one. `purpose` says what the traces are for: " to run", or nothing.
Expected<SelectedTraces, ExitCode> select_traces(Program const& program, Source const& source,
                                                 std::optional<std::size_t> number, std::string_view purpose,
                                                 Terminal& terminal);

/// The language that a text is written in, by its beginning.
enum class Written : std::uint8_t { as_traces, as_rma, as_reduced, otherwise };
Written language_of(Source const& source);

/// For a text in another language than expected: the first error, which says so, and what reads the text instead.
Diagnostics of_other_language(Diagnostics errors, std::string_view hint);

/// Diagnostics on standard error.
void show(Terminal& terminal, Diagnostics const& diagnostics, Source const& source);

/// The exit code for an input with these errors: `unknown` if it only exceeds a limit of this implementation, otherwise
/// `bad_input`.
ExitCode refused(Diagnostics const& diagnostics);

} // namespace matchpoint::cli
