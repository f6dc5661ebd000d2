#include "cli/commands/mpi_findings.hpp"

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/findings_sarif.hpp"
#include "cli/output.hpp"
#include "cli/sha256.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

namespace {

Json place_as_json(record::SourceLine const& at) {
    if (at.file.empty()) return nullptr;
    return {{"file", at.file}, {"line", at.line == 0 ? Json(nullptr) : Json(at.line)}};
}

Json findings_as_json(std::vector<record::Finding> const& findings, MpiOptions const& options) {
    Json json = report_of("mpi-findings");
    json["command"] = command_of(options);
    Json& all = json["findings"] = Json::array();
    for (record::Finding const& f : findings) {
        Json item{{"kind", info(f.kind).id},
                  {"level", info(f.kind).is_error ? "error" : "warning"},
                  {"predicted", f.is_predicted},
                  {"rank", f.rank},
                  {"function", f.function.empty() ? Json(nullptr) : Json(f.function)},
                  {"place", place_as_json(f.at)},
                  {"text", f.text}};
        if (!f.other.at.file.empty()) item["other"] = {{"rank", f.other.rank}, {"place", place_as_json(f.other.at)}};
        all.push_back(std::move(item));
    }
    return json;
}

// ---------------------------------------------------------------------------------------------------------------------
// SARIF 2.1.0, as `check` writes it

Json location(record::SourceLine const& at, std::uint32_t rank) {
    return sarif_location(at.file, at.line, fmt::format("rank {}", rank));
}

Json findings_as_sarif(std::vector<record::Finding> const& findings, ExitCode code) {
    Json rules = Json::array();
    for (std::size_t i = 0; i < record::finding_kinds; ++i) {
        auto const& kind = info(static_cast<record::FindingKind>(i));
        rules.push_back(sarif_rule(kind.id, kind.brief, kind.is_error, "docs/record.md, \"Findings\""));
    }
    Json results = Json::array();
    for (record::Finding const& f : findings) {
        auto const& kind = info(f.kind);
        std::string const text =
            fmt::format("rank {}: {}{}", f.rank, in_words(f), f.is_predicted ? " (predicted)" : "");
        Json result{{"ruleId", kind.id},
                    {"ruleIndex", static_cast<std::size_t>(f.kind)},
                    {"level", kind.is_error && !f.is_predicted ? "error" : "warning"},
                    {"message", sarif_message(text)},
                    {"locations", Json::array({location(f.at, f.rank)})}};
        std::string const identity = fmt::format("{} {} {}", kind.id, record::place_in_words(f.at), f.rank);
        result["partialFingerprints"] = {{"matchpoint/v1", sha256(identity)}};
        if (!f.other.at.file.empty()) {
            Json other = location(f.other.at, f.other.rank);
            other["message"] = sarif_message(fmt::format("rank {}", f.other.rank));
            result["relatedLocations"] = Json::array({std::move(other)});
        }
        results.push_back(std::move(result));
    }
    return sarif_of(std::move(rules), std::move(results), code);
}

} // namespace

ExitCode check_findings_file(MpiOptions const& options, Terminal& terminal) {
    if (!is_file(options.findings)) return holds;
    std::string const text = read_file(options.findings).value_or("");
    bool const is_ours = text.empty() || text.find("matchpoint") != std::string::npos;
    if (is_ours && (text.empty() || text.starts_with('{'))) return holds;
    complain(terminal,
             fmt::format("{} is there, and holds no findings; it is not replaced", printable(options.findings, 4096)),
             ErrorKind::file);
    return output_failed;
}

std::vector<std::string> lines_of(std::vector<record::Finding> const& findings) {
    constexpr std::size_t most = 50;
    std::vector<std::string> lines;
    for (std::string const& line : record::in_words(findings)) lines.push_back("finding: " + line);
    if (lines.size() <= most) return lines;
    std::string const more = plural(lines.size() - most, "more finding");
    lines.resize(most);
    lines.push_back(fmt::format("{} (--findings FILE has all)", more));
    return lines;
}

std::vector<std::string> lines_beside_faults(std::vector<record::Finding> findings) {
    using Kind = record::FindingKind;
    std::erase_if(findings, [](record::Finding const& f) {
        return f.kind == Kind::collective_mismatch || f.kind == Kind::ready_send;
    });
    return lines_of(findings);
}

void FindingsOfRuns::add(record::Recording const& run, bool predicts, std::vector<record::CallMatch> const& forced) {
    std::vector<record::Finding> found = record::findings_of(run, predicts, forced);
    all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    all = record::without_repetitions(std::move(all));
    if (run.api == record::Api::mpi) record::add_matches(run, had_);
    record::refute(all, had_);
}

ExitCode conclude(std::vector<record::Finding> const& findings, MpiOptions const& options, ExitCode code,
                  Terminal& terminal) {
    bool const counts = options.strict && !findings.empty() && (code == holds || code == unknown);
    ExitCode const result = counts ? error : code;
    if (options.findings.empty()) return result;
    Json const json = options.findings.ends_with(".sarif") ? findings_as_sarif(findings, result)
                                                           : findings_as_json(findings, options);
    ExitCode const written = write_output(options.findings, dump(json), terminal);
    return written == holds ? result : written;
}

} // namespace matchpoint::cli
