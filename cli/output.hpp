// Where a command writes its result: standard output or a file, as text or as JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

/// Whether the value of `-o` names a file: not if it is empty or `-`.
bool is_file(std::string const& output);

/// To the file, as a whole or not at all, or to standard output if `output` names none. Complains if the file cannot be
/// written, and returns `output_failed`.
ExitCode write_output(std::string const& output, std::string_view text, Terminal& terminal);
/// The same for what `contents` passes to its argument, part by part.
ExitCode write_output(std::string const& output, std::function<void(Write const&)> const& contents, Terminal& terminal);

/// What -o and options like it write. A picture is one of any format.
enum class Content : std::uint8_t { program, problem, picture, junit };

/// Complains if the file could not be written, or if another file is there than an earlier output. An empty file is
/// replaced; a problem, a picture and a report for JUnit replace others of their kind, and a program only one that
/// Matchpoint has written.
/// Called before a command runs.
ExitCode check_output(std::string const& output, Content content, Terminal& terminal);

/// For a command that has nothing to write to its output: what to add if an older file is there.
std::string_view older_file(std::string const& output);

/// replace_file(), with a complaint if it fails.
ExitCode replace_or_complain(std::string const& path, std::string_view text, Terminal& terminal);

/// The beginning of a command's JSON: the name and version of its schema (docs/schema).
Json report_of(std::string_view command);
/// The same, and the input.
Json report_of(std::string_view command, Source const& source);

} // namespace matchpoint::cli
