#include "cli/output.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/sha256.hpp"

namespace matchpoint::cli {

bool is_file(std::string const& output) { return !output.empty() && output != "-"; }

namespace {

/// Why a file is not to be replaced by an output: somebody has named the wrong one. Empty if it may be, or there is
/// none.
FileError why_kept(std::string const& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    auto const kept = [&](std::string_view why) {
        return fmt::format("cannot replace {}: {}", printable(path, 4096), why);
    };
    constexpr mode_t writable = S_IWUSR | S_IWGRP | S_IWOTH;
    constexpr mode_t executable = S_IXUSR | S_IXGRP | S_IXOTH;
    if ((info.st_mode & writable) == 0) return kept("it is read-only"); // that alone does not keep root from it
    if ((info.st_mode & executable) != 0) return kept("it is an executable file");
    constexpr std::string_view of_source_code[] = {".c",   ".cc",  ".cpp", ".cxx", ".C",   ".h",  ".hh",
                                                   ".hpp", ".hxx", ".f",   ".f90", ".F90", ".py", ".sh"};
    std::string const extension = std::filesystem::path(path).extension().string();
    return std::find(std::begin(of_source_code), std::end(of_source_code), extension) == std::end(of_source_code)
               ? FileError()
               : kept("by its name it is source code");
}

} // namespace

ExitCode write_output(std::string const& output, std::string_view text, Terminal& terminal) {
    return write_output(
        output, [&](Write const& write) { write(text); }, terminal);
}

ExitCode write_output(std::string const& output, std::function<void(Write const&)> const& contents,
                      Terminal& terminal) {
    if (!is_file(output)) {
        contents([&](std::string_view text) { terminal.out(text); });
        return holds;
    }
    if (ExitCode const code = check_output(output, terminal); code != holds) return code;
    FileError const failed = replace_file(output, contents);
    if (!failed.empty()) complain(terminal, failed, ErrorKind::file);
    return failed.empty() ? holds : output_failed;
}

ExitCode check_output(std::string const& output, Terminal& terminal) {
    if (!is_file(output)) return holds;
    FileError failed = why_kept(output);
    if (failed.empty()) failed = can_be_replaced(output);
    if (!failed.empty()) complain(terminal, failed, ErrorKind::file);
    return failed.empty() ? holds : output_failed;
}

ExitCode replace_or_complain(std::string const& path, std::string_view text, Terminal& terminal) {
    FileError const failed = replace_file(path, text);
    if (!failed.empty()) complain(terminal, failed, ErrorKind::file);
    return failed.empty() ? holds : output_failed;
}

Json report_of(std::string_view command) {
    Json json;
    json["schema"] = {{"name", "matchpoint." + std::string(command)}, {"version", 1}};
    return json;
}

Json report_of(std::string_view command, Source const& source) {
    Json json = report_of(command);
    json["file"] = source.name();
    json["sha256"] = sha256(source.text());
    return json;
}

} // namespace matchpoint::cli
