#include "cli/commands/check_sarif.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/build_info.hpp"
#include "cli/sha256.hpp"
#include "explain/matching_words.hpp"
#include "explain/words.hpp"
#include "grammar/messages/positions.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Rules

struct Rule {
    std::string_view id;
    std::string_view level;
    std::string_view brief;
    std::string_view full;
};

/// What `check` decides. A rule of the language is added when it is broken.
constexpr Rule rules[] = {
    {"assertion", "error", "An assertion can fail",
     "Some execution of the program, for some order of its threads and of the messages that may overtake each other, "
     "reaches "
     "an assertion that does not hold."},
    {"deadlock", "error", "Threads can get stuck",
     "Some execution gets stuck with every unfinished thread at a wait for a message that never comes, for a send that "
     "is never taken, at a barrier, or at a `when` whose guard nobody makes true."},
    {"fault", "error", "A command can have no value",
     "Some execution reaches a command that no rule applies to: a divisor is zero."},
    {"data-race", "warning", "Two threads can access a shared variable at the same time",
     "Some execution reaches a state in which two threads are both about to execute a command, both commands access "
     "one shared variable that is not for synchronisation, and one of them writes it."},
    {"vacuous", "warning", "No execution keeps the assumptions",
     "No execution fails, but none completes without breaking an assumption either, so that nothing was checked."},
    {"orphan", "note", "Messages are never received",
     "Every complete run leaves messages over, as an endpoint gets more of them than it has receives."},
};

/// Only where a program has it.
constexpr Rule mismatch{"mismatch", "error", "Collectives can disagree",
                        "In some execution, two threads of a communicator call collectives that belong together and "
                        "disagree: in their kind, root, operation, type or count."};

std::string_view help_page(std::string_view id) {
    bool const is_of_check =
        id == mismatch.id || std::any_of(std::begin(rules), std::end(rules), [&](Rule const& r) { return r.id == id; });
    return is_of_check ? "docs/cli.md, \"matchpoint check\"" : "docs/language.md, \"Static rules\"";
}

Json text(std::string_view words) { return {{"text", words}}; }

Json descriptor(Rule const& rule) {
    return {{"id", rule.id},
            {"shortDescription", text(rule.brief)},
            {"fullDescription", text(rule.full)},
            {"help", text(fmt::format("Matchpoint's documentation explains it: {}.", help_page(rule.id)))},
            {"defaultConfiguration", {{"level", rule.level}}}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Places

/// A relative or absolute path as a reference: bytes that are not allowed in one are escaped.
std::string uri_of(std::string_view path) {
    std::string result = path.starts_with('/') ? "file://" : "";
    for (char const c : path) {
        bool const is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              std::string_view("-._~/").find(c) != std::string_view::npos;
        result += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return result;
}

Json region(Source const& source, Offset first, Offset last) {
    auto const begin = source.line_column(first);
    auto const end = source.line_column(last);
    return {{"startLine", begin.line}, {"startColumn", begin.column}, {"endLine", end.line}, {"endColumn", end.column}};
}

Json place_in(Source const& source, Offset first, Offset last) {
    Json physical{{"artifactLocation", {{"uri", uri_of(source.name())}}}};
    if (first != no_offset) physical["region"] = region(source, first, last);
    return {{"physicalLocation", std::move(physical)}};
}

Json place_in(Source const& source, Offset first, std::uint32_t length, std::string_view message) {
    auto const last = static_cast<Offset>(std::min<std::size_t>(source.text().size(), std::size_t{first} + length));
    Json result = place_in(source, first, first == no_offset ? first : last);
    result["message"] = text(message);
    return result;
}

} // namespace

// ---------------------------------------------------------------------------------------------------------------------
// The results of a program under one buffering

class Sarif::Writer {
public:
    Writer(Sarif& sarif, Prepared const& subject, check::CheckOptions const& options, check::CheckResult const& result,
           check::Scope const& scope)
        : sarif_(sarif), s_(subject), buffering_(options.buffering), shown_buffering_(check::shown_buffering(options)),
          runs_(options.runs), r_(result), scope_(scope) {}

    void write() {
        if (r_.verdict == check::Verdict::violated) assertion();
        if (r_.verdict == check::Verdict::vacuous) vacuous();
        if (is_reached(r_.deadlock)) deadlock();
        if (is_reached(r_.fault)) fault();
        if (r_.race && r_.race->answer == check::Reached::Answer::yes) data_race();
        if (r_.verdict == check::Verdict::safe || (r_.run && r_.run->extent == Extent::complete)) orphans();
        open_questions();
        not_spoken_about();
    }

private:
    static bool is_reached(check::Reached const& r) { return r.answer == check::Reached::Answer::yes; }

    Json at(Location rho) const {
        Offset const begin = s_.program.ctp.commands[rho.index].offset;
        Offset const end = begin == no_offset ? begin : closing_bracket(s_.source, begin);
        Json result = place_in(s_.source, begin, end);
        result["logicalLocations"] = Json::array(
            {{{"name", s_.code.names()(rho)},
              {"fullyQualifiedName", fmt::format("thread {}::{}", s_.code.thread_of(rho), s_.code.names()(rho))}}});
        return result;
    }
    Json at(Location rho, std::string_view message) const {
        Json result = at(rho);
        result["message"] = text(message);
        return result;
    }
    std::string command(Location rho) const {
        return fmt::format("thread {}: {} {}", s_.code.thread_of(rho), shown(s_.code, rho),
                           shown(s_.code, s_.code.command_at(rho)));
    }

    Json result(std::string_view id, std::string const& message, Location where) {
        std::size_t const number = sarif_.rule_number(id);
        std::string const name(s_.code.names()(where));
        return {
            {"ruleId", id},
            {"ruleIndex", number},
            {"level", sarif_.rules_[number]["defaultConfiguration"]["level"]},
            {"message", text(fmt::format("{} ({} buffering)", message, shown_buffering_))},
            {"locations", Json::array({at(where)})},
            {"partialFingerprints", {{"matchpoint/v1", sha256(fmt::format("{} {} {}", id, shown_buffering_, name))}}},
            {"properties", {{"buffering", shown_buffering_}, {"runs", executions::to_string(runs_)}}}};
    }

    /// The entries of a trace in order, whichever thread takes them. Only the last ones of a long trace.
    Json flow(Schedule const& schedule) const {
        constexpr std::size_t most = 10'000;
        Json locations = Json::array();
        for (std::size_t i = schedule.size() - std::min(schedule.size(), most); i < schedule.size(); ++i) {
            Entry const entry = schedule.entry(i);
            std::string message;
            for (Channel const c : entry.m)
                message += fmt::format("a message from {} to {} is delivered; ", shown(s_.code, s_.code[c].alpha),
                                       shown(s_.code, s_.code[c].beta));
            if (!entry.peek.is_none())
                message += fmt::format("a message from {} to {} is seen; ", shown(s_.code, s_.code[entry.peek].alpha),
                                       shown(s_.code, s_.code[entry.peek].beta));
            locations.push_back({{"location", at(entry.rho, message + command(entry.rho))}, {"executionOrder", i + 1}});
        }
        if (locations.empty()) return Json::array();
        locations.back()["importance"] = "essential";
        return Json::array({{{"threadFlows", Json::array({{{"locations", std::move(locations)}}})}}});
    }

    void witness(Json& result, Schedule const& schedule) const {
        if (Json flows = flow(schedule); !flows.empty()) result["codeFlows"] = std::move(flows);
        result["properties"]["trace"] = shown_trace(s_.code, schedule);
    }

    static std::string with_values(IndexedProgram const& code, Finding const& f) {
        std::string const values = in_words(code, f.values);
        return fmt::format("{} does not hold{}{}", shown(code, code.command_at(f.rho)), values.empty() ? "" : ": ",
                           values);
    }

    void assertion() {
        Replay const replay(s_.code, buffering_, r_.run->schedule, r_.run->extent);
        auto const& failed = replay.findings().assertions();
        Json found = result("assertion", with_values(s_.code, failed.front()), failed.front().rho);
        if (std::string const matches = shown(s_.messages, r_.run->matching); !matches.empty())
            found["properties"]["matches"] = matches;
        Json related = Json::array();
        for (std::size_t i = 1; i < failed.size(); ++i)
            related.push_back(at(failed[i].rho, with_values(s_.code, failed[i])));
        if (!related.empty()) found["relatedLocations"] = std::move(related);
        witness(found, r_.run->schedule);
        sarif_.results_.push_back(std::move(found));
    }

    void vacuous() {
        std::string const message = "no execution completes without breaking an assumption";
        if (!r_.run) {
            sarif_.results_.push_back(result("vacuous", message, Location{0}));
            return;
        }
        Replay const replay(s_.code, buffering_, r_.run->schedule, r_.run->extent);
        Finding const& broken = replay.findings().assumptions().front();
        Json found = result("vacuous", fmt::format("{}; here {}", message, with_values(s_.code, broken)), broken.rho);
        witness(found, r_.run->schedule);
        sarif_.results_.push_back(std::move(found));
    }

    void deadlock() {
        Replay replay(s_.code, buffering_, r_.deadlock.schedule);
        std::optional<Location> first;
        std::string why;
        Json related = Json::array();
        for (Replay::Halt const& halt : replay.halts(r_.deadlock.refusing)) {
            if (halt.kind != Replay::Halt::Kind::waits) continue;
            std::string const stuck = fmt::format("{}: {}", command(halt.at), halt.why);
            if (!first)
                why = stuck;
            else
                related.push_back(at(halt.at, stuck));
            first = first.value_or(halt.at);
        }
        std::string_view const how =
            r_.deadlock.refusing.empty() ? "threads can get stuck" : "threads can get stuck, depending on the library";
        Json found = result("deadlock", fmt::format("{}: {}", how, why), *first);
        if (!related.empty()) found["relatedLocations"] = std::move(related);
        witness(found, r_.deadlock.schedule);
        sarif_.results_.push_back(std::move(found));
    }

    void fault() {
        Replay const replay(s_.code, buffering_, r_.fault.schedule);
        machine::RunError const& error = *r_.fault.fault;
        bool const is_mismatch = std::holds_alternative<machine::reason::Mismatch>(error.stuck.reason);
        Json found =
            result(is_mismatch ? mismatch.id : "fault", shown_fault(s_.code, replay.state(), error), *error.rho);
        witness(found, r_.fault.schedule);
        sarif_.results_.push_back(std::move(found));
    }

    void data_race() {
        auto const& [answer, first, second, x, schedule] = *r_.race;
        Json found = result(
            "data-race",
            fmt::format("nothing orders this and {}, and both access {}", command(second), shown(s_.code, x)), first);
        found["relatedLocations"] = Json::array({at(second, command(second))});
        witness(found, schedule);
        sarif_.results_.push_back(std::move(found));
    }

    void orphans() {
        for (std::uint32_t beta = 0; beta < s_.code.endpoints().size(); ++beta) {
            std::uint32_t const n = check::orphans_at(s_.messages, {beta});
            if (n == 0) continue;
            auto const sends = s_.messages.sends();
            auto const first = std::find_if(sends.begin(), sends.end(),
                                            [&](auto const& send) { return s_.messages.beta_of(send).index == beta; });
            sarif_.results_.push_back(result("orphan", explain::orphans_in_words(s_.messages, {beta}, n), first->rho));
        }
    }

    void open_questions() {
        for (auto const& [what, is_open] :
             {std::pair("whether an assertion can fail", r_.verdict == check::Verdict::unknown),
              std::pair("whether threads can get stuck", is_open_question(r_.deadlock)),
              std::pair("whether a command can have no value", is_open_question(r_.fault)),
              std::pair("whether there is a data race", r_.race && r_.race->answer == check::Reached::Answer::unknown)})
            if (is_open)
                sarif_.notify(s_.source.name(), fmt::format("not settled, {} buffering: {}", shown_buffering_, what));
    }
    /// What a program without results may be taken to be right about.
    void not_spoken_about() {
        if (r_.verdict != check::Verdict::safe) return;
        if (!scope_.asserts())
            sarif_.notify(s_.source.name(), "no assertion: only deadlocks, faults and data races were looked for",
                          "note");
        if (!scope_.evaluated.empty())
            sarif_.notify(
                s_.source.name(),
                fmt::format("{} evaluated in the recorded run only: whether they can be false in another is not known",
                            plural(scope_.evaluated.size(), "assertion")),
                "note");
        if (is_reached(r_.leaves_path))
            sarif_.notify(s_.source.name(),
                          "safe on this path: some executions leave it, and no result is about what they do then",
                          "note");
    }
    static bool is_open_question(check::Reached const& r) { return r.answer == check::Reached::Answer::unknown; }

    Sarif& sarif_;
    Prepared const& s_;
    Buffering buffering_;
    std::string_view shown_buffering_;
    Runs runs_;
    check::CheckResult const& r_;
    check::Scope const& scope_;
};

// ---------------------------------------------------------------------------------------------------------------------

Sarif::Sarif() {
    for (Rule const& rule : rules) rules_.push_back(descriptor(rule));
}

std::size_t Sarif::rule_number(std::string_view id) {
    for (std::size_t i = 0; i < rules_.size(); ++i)
        if (rules_[i]["id"] == id) return i;
    if (id == mismatch.id) {
        rules_.push_back(descriptor(mismatch));
        return rules_.size() - 1;
    }
    std::string const brief = id == "syntax"  ? "The file is not a program"
                              : id == "limit" ? "The file is beyond a limit of Matchpoint"
                                              : fmt::format("The program breaks rule {}", id);
    rules_.push_back(descriptor({id, "error", brief, brief + "."}));
    return rules_.size() - 1;
}

void Sarif::artifact(Source const& source) {
    Json const location{{"uri", uri_of(source.name())}};
    for (Json const& known : artifacts_)
        if (known["location"] == location) return;
    artifacts_.push_back({{"location", location},
                          {"roles", Json::array({"analysisTarget"})},
                          {"hashes", {{"sha-256", sha256(source.text())}}}});
}

void Sarif::add(Diagnostics const& diagnostics, Source const& source) {
    artifact(source);
    for (Diagnostic const& d : diagnostics) {
        std::size_t const number = rule_number(d.rule);
        Json where = place_in(source, d.offset, d.length, d.message);
        where.erase("message");
        Json result{{"ruleId", d.rule},
                    {"ruleIndex", number},
                    {"level", d.severity == Severity::error ? "error" : "warning"},
                    {"message", text(d.message)},
                    {"locations", Json::array({std::move(where)})}};
        Json related = Json::array();
        for (Note const& note : d.notes) related.push_back(place_in(source, note.offset, note.length, note.message));
        if (!related.empty()) result["relatedLocations"] = std::move(related);
        results_.push_back(std::move(result));
    }
}

void Sarif::add(Prepared const& subject, check::CheckOptions const& options, check::CheckResult const& result,
                check::Scope const& scope, std::string const& beside_the_run) {
    artifact(subject.source);
    Writer(*this, subject, options, result, scope).write();
    if (!beside_the_run.empty()) notify(subject.source.name(), beside_the_run, "note");
    for (check::Trouble const& trouble : result.trouble) notify(subject.source.name(), trouble.what);
}

void Sarif::notify(std::string const& file, std::string const& message, std::string_view level) {
    Json where{{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(file)}}}}}};
    notifications_.push_back(
        {{"level", level}, {"message", text(message)}, {"locations", Json::array({std::move(where)})}});
}

Json Sarif::document(ExitCode code) const {
    bool const done = code != bad_input && code != solver_failed && code != internal && code != output_failed;
    Json run;
    run["tool"]["driver"] = {{"name", "matchpoint"},
                             {"version", build_info::version},
                             {"semanticVersion", build_info::version},
                             {"rules", rules_}};
    run["invocations"] = Json::array({{{"executionSuccessful", done},
                                       {"exitCode", static_cast<int>(code)},
                                       {"toolExecutionNotifications", notifications_}}});
    run["artifacts"] = artifacts_;
    run["columnKind"] = "unicodeCodePoints";
    run["results"] = results_;
    Json json;
    json["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
    json["version"] = "2.1.0";
    json["runs"] = Json::array({std::move(run)});
    return json;
}

} // namespace matchpoint::cli
