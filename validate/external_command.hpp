// Somebody's tool as a command that is asked about one program after the other: what it prints, or why that does not
// count.
//
//   TemporaryFolder const folder;
//   std::vector<std::string> command{"./reduce", "{rma}"};
//   bool const file = replace(command[1], "{rma}", (path_of(folder) / "program.rma").string());
//   Printed const printed = run_external(command, text, {});
//   if (printed.trouble != NoAnswer::none) std::cerr << to_string(printed.trouble) << ": " << printed.what;
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/temporary_folder.hpp"

namespace matchpoint::validate {

/// Why a subject gave no answer.
enum class NoAnswer : std::uint8_t {
    none,
    cannot_start, // the command cannot be started
    crashed,      // it was killed by a signal, or its exit code says that it failed
    out_of_time,
    out_of_memory, // it failed, and its messages mention memory
    too_long,      // it printed too much
    nonsense,      // its output is no answer
    refused,       // an encoder of ours has no problem for this program
    solver,        // the solver failed on its problem, or does not know
};
inline constexpr std::size_t trouble_count = 9;
std::string_view to_string(NoAnswer trouble);

struct ExternalLimits {
    std::chrono::milliseconds time{10'000};
    std::size_t memory = std::size_t{1} << 30U; // bytes of address space
};

struct Printed {
    std::string text;
    NoAnswer trouble = NoAnswer::none;
    std::string what;      // describes the trouble
    std::string complaint; // "; its standard error ends: ...", for who finds that the text is nonsense
};

/// Runs a command with a text on its standard input.
Printed run_external(std::vector<std::string> const& command, std::string input, ExternalLimits const& limits);

/// The path of a folder for the files of one thread. Throws std::runtime_error if the system gave us no folder.
std::filesystem::path const& path_of(TemporaryFolder const& folder);

/// Whether there was something to replace.
bool replace(std::string& text, std::string_view what, std::string_view by);

/// A part of a text that can be shown.
std::string in_short(std::string_view text);

} // namespace matchpoint::validate
