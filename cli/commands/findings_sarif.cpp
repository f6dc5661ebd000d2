#include "cli/commands/findings_sarif.hpp"

#include <fmt/format.h>

#include "cli/build_info.hpp"

namespace matchpoint::cli {

namespace {

/// A path as a reference: bytes that are not allowed in one are escaped.
std::string reference(std::string_view path) {
    std::string result = path.starts_with('/') ? "file://" : "";
    for (char const c : path) {
        bool const is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              std::string_view("-._~/").find(c) != std::string_view::npos;
        result += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return result;
}

} // namespace

Json sarif_message(std::string_view text) { return {{"text", text}}; }

Json sarif_rule(std::string_view id, std::string_view brief, bool is_error, std::string_view page) {
    return {{"id", id},
            {"shortDescription", sarif_message(brief)},
            {"fullDescription", sarif_message(std::string(brief) + ".")},
            {"help", sarif_message(fmt::format("Matchpoint's documentation explains it: {}.", page))},
            {"defaultConfiguration", {{"level", is_error ? "error" : "warning"}}}};
}

Json sarif_location(std::string_view file, std::uint32_t line, std::string_view who) {
    Json result = Json::object();
    if (!who.empty()) result["logicalLocations"] = Json::array({{{"name", who}, {"fullyQualifiedName", who}}});
    if (file.empty()) return result;
    Json physical{{"artifactLocation", {{"uri", reference(file)}}}};
    if (line != 0) physical["region"] = {{"startLine", line}};
    result["physicalLocation"] = std::move(physical);
    return result;
}

Json sarif_of(Json rules, Json results, ExitCode code) {
    Json run;
    run["tool"]["driver"] = {{"name", "matchpoint"},
                             {"version", build_info::version},
                             {"semanticVersion", build_info::version},
                             {"rules", std::move(rules)}};
    run["invocations"] = Json::array({{{"executionSuccessful", true},
                                       {"exitCode", static_cast<int>(code)},
                                       {"toolExecutionNotifications", Json::array()}}});
    run["artifacts"] = Json::array();
    run["columnKind"] = "unicodeCodePoints";
    run["results"] = std::move(results);
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(run)})}};
}

} // namespace matchpoint::cli
