// Somebody's tool as a command that is asked about one program after the other: what it prints, or why that does not count.
//
//   TemporaryFolder const folder;
//   std::vector<std::string> command{"./reduce", "{rma}"};
//   bool const file = replace(command[1], "{rma}", (folder.path() / "program.rma").string());
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

#include "rooms.hpp"

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

/// Whether there was something to replace.
bool replace(std::string& text, std::string_view what, std::string_view by);

/// Without white space before and behind it.
std::string_view trimmed(std::string_view text);
/// A part of it that can be shown.
std::string in_short(std::string_view text);

/// A folder for the files of one thread.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(TemporaryFolder const&) = delete;
    TemporaryFolder& operator=(TemporaryFolder const&) = delete;
    ~TemporaryFolder();
    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace matchpoint::validate
