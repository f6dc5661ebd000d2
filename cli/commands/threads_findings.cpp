#include "cli/commands/threads_findings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands/findings_sarif.hpp"
#include "cli/output.hpp"
#include "cli/sha256.hpp"

namespace matchpoint::cli {

namespace {

namespace threads = record::threads;

struct KindInfo {
    std::string_view id, brief;
    bool is_error;
};

/// In the order of ThreadsFinding::Kind.
constexpr KindInfo kinds[] = {
    {"failure", "A run of the program failed", true},
    {"deadlock", "Threads of a run waited for each other", true},
    {"data-race", "Two threads can access memory at the same time, and one of them writes it", false},
    {"unconfirmed", "Something was predicted, and the run that was to show it did not", false},
};
KindInfo const& info(ThreadsFinding::Kind kind) { return kinds[static_cast<std::size_t>(kind)]; }

Json as_json(ThreadPlace const& p) {
    Json place = nullptr;
    if (!p.file.empty()) place = {{"file", p.file}, {"line", p.line == 0 ? Json(nullptr) : Json(p.line)}};
    return {{"thread", p.thread ? Json(*p.thread) : Json(nullptr)}, {"place", std::move(place)}, {"text", p.text}};
}

Json as_json(ThreadsFindings const& findings, MpiOptions const& options) {
    Json json = report_of("threads-findings");
    json["command"] = command_of(options);
    json["paths"] = findings.paths;
    json["paths_done"] = findings.paths_done;
    json["runs"] = findings.runs;
    json["complete"] = findings.is_complete;
    json["left"] = findings.left;
    json["summary"] = findings.last;
    Json& all = json["findings"] = Json::array();
    for (ThreadsFinding const& f : findings.all) {
        Json places = Json::array();
        for (ThreadPlace const& p : f.places) places.push_back(as_json(p));
        all.push_back({{"kind", info(f.kind).id},
                       {"level", info(f.kind).is_error ? "error" : "warning"},
                       {"text", f.text},
                       {"runs", f.runs},
                       {"places", std::move(places)},
                       {"file", f.file.empty() ? Json(nullptr) : Json(f.file)}});
    }
    return json;
}

Json as_sarif(ThreadsFindings const& findings, ExitCode code) {
    Json rules = Json::array();
    for (KindInfo const& k : kinds)
        rules.push_back(sarif_rule(k.id, k.brief, k.is_error, "docs/threads.md, \"Verify\""));
    Json results = Json::array();
    for (ThreadsFinding const& f : findings.all) {
        KindInfo const& kind = info(f.kind);
        Json result{{"ruleId", kind.id},
                    {"ruleIndex", static_cast<std::size_t>(f.kind)},
                    {"level", kind.is_error ? "error" : "warning"},
                    {"message", sarif_message(f.text)}};
        std::string identity = fmt::format("{} {}", kind.id, f.text);
        Json locations = Json::array();
        for (ThreadPlace const& p : f.places) {
            Json at = sarif_location(p.file, p.line, p.thread ? fmt::format("thread {}", *p.thread) : "");
            if (!p.text.empty()) at["message"] = sarif_message(p.text);
            locations.push_back(std::move(at));
            identity += fmt::format(" {}:{}", p.file, p.line);
        }
        result["locations"] = Json::array();
        if (!locations.empty()) result["locations"].push_back(locations.front());
        if (locations.size() > 1) {
            locations.erase(locations.begin());
            result["relatedLocations"] = std::move(locations);
        }
        result["partialFingerprints"] = {{"matchpoint/v1", sha256(identity)}};
        results.push_back(std::move(result));
    }
    return sarif_of(std::move(rules), std::move(results), code);
}

draft::LocatedCommand const* command_called(draft::Draft const& program, std::string_view rho) {
    for (draft::Thread const& thread : program.threads)
        for (draft::LocatedCommand const& c : thread)
            if (c.rho == rho) return &c;
    return nullptr;
}

ThreadPlace place_at(draft::LocatedCommand const* c, std::optional<std::uint32_t> thread, std::string text) {
    ThreadPlace p{thread, {}, 0, std::move(text)};
    if (c == nullptr || !c->at) return p;
    p.file = c->at->file;
    p.line = c->at->line;
    return p;
}

} // namespace

std::vector<ThreadPlace> places_of(threads::ThreadRecording const& run, threads::RunEnd end) {
    std::vector<ThreadPlace> places;
    if (end == threads::RunEnd::failed && !run.program.traces.empty() && !run.program.traces[0].empty()) {
        auto const* const c = command_called(run.program, run.program.traces[0].back().rho);
        if (c != nullptr && std::holds_alternative<grammar::AssertOf<draft::Text>>(c->c))
            places.push_back(place_at(c, std::nullopt, run.failure.value_or("")));
    }
    if (end == threads::RunEnd::deadlocked)
        for (std::size_t i = 0; i < run.waiting.size() && i < run.not_at_end.size(); ++i) {
            auto const& [thread, event] = run.waiting[i];
            places.push_back(
                place_at(command_called(run.program, fmt::format("t{}.{}", thread, event)), thread, run.not_at_end[i]));
        }
    return places;
}

std::vector<ThreadPlace> places_of(threads::FoundRace const& race) {
    std::vector<ThreadPlace> places;
    for (auto const* const a : {&race.first, &race.second})
        places.push_back({a->thread, a->file, a->line, fmt::format("{} {}", a->what, race.variable)});
    return places;
}

ExitCode write_findings(ThreadsFindings const& findings, MpiOptions const& options, ExitCode code, Terminal& terminal) {
    if (options.findings.empty()) return code;
    Json const json = options.findings.ends_with(".sarif") ? as_sarif(findings, code) : as_json(findings, options);
    ExitCode const written = write_output(options.findings, dump(json), terminal);
    return written == holds ? code : written;
}

} // namespace matchpoint::cli
