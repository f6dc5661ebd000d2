#include "suite/files.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "grammar/parse.hpp"

namespace matchpoint::suite {

namespace {

// JSON that people can read, too: short values take one line.

/// Names are UTF-8 without quotes, blanks and brackets, but may have control characters.
std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\')
            out.append(1, '\\').append(1, c);
        else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            out += c;
    }
    return out + '"';
}

/// As in all our JSON (docs/formats.md), an integer that not every reader can represent is a string.
std::string json(Value const& v) {
    constexpr std::int64_t largest = (std::int64_t{1} << 53U) - 1;
    if (v.is_boolean()) return v.to_string();
    auto const i = v.small();
    return i && *i >= -largest && *i <= largest ? v.to_string() : in_quotes(v.to_string());
}

template <typename Items, typename Print>
std::string joined(char open, Items const& items, Print print, char close) {
    std::string out(1, open);
    for (auto const& item : items) out.append(out.size() > 1 ? ", " : "").append(print(item));
    return out + close;
}

std::string json(Matches const& matches) {
    return joined(
        '{', matches, [](auto const& m) { return in_quotes(m.first) + ": " + in_quotes(m.second); }, '}');
}

std::string json(TraceEnd const& t) {
    std::string const store = joined(
        '{', t.store, [](auto const& v) { return in_quotes(v.first) + ": " + json(v.second); }, '}');
    std::string error = "null";
    if (t.error)
        error = fmt::format(R"({{"entry": {}, "location": {}, "reason": {}}})", t.error->entry,
                            t.error->location ? in_quotes(*t.error->location) : std::string("null"),
                            in_quotes(t.error->reason));
    return fmt::format(R"({{"status": "{}", "well_formed": {}, "steps": {}, "matches": {}, "store": {}, "error": {}}})",
                       to_string(t.status), t.well_formed, t.steps, json(t.matches), store, error);
}

/// One item per line.
template <typename Items, typename Print>
std::string lines(Items const& items, std::string const& indent, Print print) {
    std::string out = "[";
    for (auto const& item : items) out.append(out.size() > 1 ? "," : "").append("\n  " + indent).append(print(item));
    return out + (items.empty() ? "]" : "\n" + indent + "]");
}

std::string json(MatchPairs const& pairs) {
    return joined(
        '{', pairs, [](auto const& p) { return in_quotes(p.first) + ": " + joined('[', p.second, in_quotes, ']'); },
        '}');
}

std::string json(Reads const& reads) {
    auto const of_command = [](std::vector<Read> const& all) {
        return joined(
            '{', all,
            [](Read const& r) { return in_quotes(r.variable) + ": " + (r.from ? in_quotes(*r.from) : "null"); }, '}');
    };
    return joined(
        '{', reads, [&](auto const& r) { return in_quotes(r.first) + ": " + of_command(r.second); }, '}');
}

std::string json(Executions const& e, std::string const& indent) {
    std::string const next = indent + "  ";
    std::string const sets = lines(e.match_sets, next, [](MatchSet const& m) {
        return fmt::format(R"({{"status": "{}", "matches": {}}})", to_string(m.status), json(m.matches));
    });
    return fmt::format(
        "{{\n{0}\"verdict\": \"{1}\",\n{0}\"deadlock\": {2},\n{0}\"fault\": {3},\n{0}\"match_pairs\": {4},\n"
        "{0}\"match_sets\": {5}\n{6}}}",
        next, e.verdict, e.deadlock, e.fault, json(e.match_pairs), sets, indent);
}

std::string json(SharedExecutions const& e, std::string const& indent) {
    std::string const next = indent + "  ";
    std::string const outcomes = lines(e.outcomes, next, [](SharedOutcome const& o) {
        return fmt::format(R"({{"status": "{}", "matches": {}, "reads": {}}})", to_string(o.status), json(o.matches),
                           json(o.reads));
    });
    return fmt::format(
        "{{\n{0}\"verdict\": \"{1}\",\n{0}\"verdict_of_complete_runs\": \"{2}\",\n{0}\"deadlock\": {3},\n"
        "{0}\"fault\": {4},\n{0}\"data_race\": {5},\n{0}\"switches\": {6},\n{0}\"match_pairs\": {7},\n"
        "{0}\"match_pairs_of_executions\": {8},\n{0}\"outcomes\": {9}\n{10}}}",
        next, e.verdict, e.verdict_of_complete_runs, e.deadlock, e.fault, e.data_race,
        e.switches ? std::to_string(*e.switches) : "null", json(e.match_pairs), json(e.match_pairs_of_executions),
        outcomes, indent);
}

std::string json_of_executions(ExpectedResults const& e, std::string const& indent) {
    if (e.executions) return json(*e.executions, indent);
    return e.shared_executions ? json(*e.shared_executions, indent) : "null";
}

std::string json(ExpectedResults const& e, std::string const& indent) {
    std::string const next = indent + "  ";
    return fmt::format("{{\n{0}\"traces\": {1},\n{0}\"executions\": {2}\n{3}}}", next,
                       lines(e.traces, next, [](TraceEnd const& t) { return json(t); }), json_of_executions(e, next),
                       indent);
}

std::string index(std::vector<SuiteProgram> const& programs, std::size_t traces) {
    std::string const list = lines(programs, "  ", [](SuiteProgram const& p) {
        return fmt::format(R"({{"id": {}, "part": {}, "origin": {}}})", in_quotes(p.id), p.part, in_quotes(p.origin));
    });
    return fmt::format("{{\n  \"schema\": {{\"name\": \"matchpoint.suite\", \"version\": 1}},\n  \"suite\": {},\n"
                       "  \"traces\": {},\n  \"programs\": {}\n}}\n",
                       version, traces, list);
}

} // namespace

std::string expected_json(SuiteProgram const& program, IndexedProgram const& code) {
    // Version 2 has one reason more, which is of barriers; version 3 has what is of shared variables.
    return fmt::format(
        "{{\n  \"schema\": {{\"name\": \"matchpoint.suite.expected\", \"version\": {}}},\n  \"suite\": {},\n"
        "  \"id\": {},\n  \"infinite\": {},\n  \"zero\": {}\n}}\n",
        program.part, came_with[program.part - 1], in_quotes(program.id),
        json(expected(code, Buffering::infinite), "  "), json(expected(code, Buffering::zero), "  "));
}

Contents contents() {
    Contents result;
    std::vector<SuiteProgram> const all = programs();
    for (EmbeddedFile const& f : embedded_files()) result.files.push_back({std::string(f.name), std::string(f.text)});
    for (SuiteProgram const& p : all) {
        Source const source(p.id, p.text);
        auto const program = parse(source);
        if (!program)
            throw std::logic_error("a program of the suite breaks a rule: " + render(program.error(), source));
        IndexedProgram const code(*program);
        result.traces += program->traces.size();
        result.files.push_back({"programs/" + p.id + ".ctp", p.text});
        result.files.push_back({"expected/" + p.id + ".json", expected_json(p, code)});
    }
    result.programs = all.size();
    result.files.push_back({"suite.json", index(all, result.traces)});
    return result;
}

} // namespace matchpoint::suite
