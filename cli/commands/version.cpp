#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gmp.h>

#include "cli/build_info.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "solve/sat_solver.hpp"
#include "solve/solver.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto version_examples = R"(Examples:
  matchpoint --version                                 the same
  matchpoint version --format json | jq -r .commit

Exit codes: 0 done, 74 the output could not be written.
)";

/// Where PATH has a binary. It is not started: that would take longer than everything else here.
std::optional<std::string> find_in_path(std::string_view name) {
    char const* const value = std::getenv("PATH");
    std::string_view folders = value == nullptr ? "" : value;
    while (!folders.empty()) {
        std::size_t const end = std::min(folders.find(':'), folders.size());
        std::string const path = fmt::format("{}/{}", end == 0 ? "." : folders.substr(0, end), name);
        folders.remove_prefix(std::min(end + 1, folders.size()));
        std::error_code error;
        if (std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0) return path;
    }
    return std::nullopt;
}

/// "CaDiCaL 1.5.3" -> "1.5.3"
std::string_view cadical_version() {
    std::string_view const text = solve::SatSolver::name_and_version();
    return text.substr(text.rfind(' ') + 1);
}

std::string as_text() {
    namespace b = build_info;
    std::string text = fmt::format("matchpoint {}\n", b::version);
    text += fmt::format("commit     {}\n", b::commit.empty() ? "unknown" : fmt::format("{}, {}", b::commit, b::date));
    text += fmt::format("compiler   {}, {}\n", b::compiler, b::build_type);
    text += fmt::format("libraries  CaDiCaL {}, GMP {}\n", cadical_version(), gmp_version);
    for (std::string_view const solver : solve::known_solvers())
        text += fmt::format("{:<10} {}\n", solver, printable(find_in_path(solver).value_or("not in PATH"), 4096));
    return text;
}

Json as_json() {
    namespace b = build_info;
    Json solvers = Json::array();
    for (std::string_view const solver : solve::known_solvers()) {
        auto const path = find_in_path(solver);
        solvers.push_back({{"name", solver}, {"path", path ? Json(*path) : Json(nullptr)}});
    }
    Json json = report_of("version");
    json["version"] = b::version;
    json["commit"] = b::commit.empty() ? Json(nullptr) : Json(b::commit);
    json["date"] = b::date;
    json["compiler"] = b::compiler;
    json["build_type"] = b::build_type;
    json["libraries"] = {{"CaDiCaL", cadical_version()}, {"GMP", gmp_version}};
    json["solvers"] = std::move(solvers);
    return json;
}

} // namespace

void add_version(CommandLine& line) {
    auto const format = std::make_shared<Format>(Format::text);
    Command command =
        line.add("version", "Print the version, the commit, and which solvers there are", version_examples);
    command.format(*format);
    command.action([format](Terminal& terminal) {
        terminal.out(*format == Format::text ? as_text() : dump(as_json()));
        return holds;
    });
}

} // namespace matchpoint::cli
