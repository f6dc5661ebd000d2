// HTML: one page that needs no other file. The page itself (report/page) is compiled in. This file makes the data that it
// shows, one block of JSON: the diagram, and for each step what it changes and the rules that it applies.

#include <unordered_map>

#include <fmt/format.h>

#include "page.hpp"
#include "report/changes.hpp"
#include "report/draw.hpp"
#include "report/json.hpp"
#include "report/narrate.hpp"

namespace matchpoint::report {

namespace {

constexpr std::size_t most_rules = 200; // for one entry: an expression can have any size

Json number(std::uint32_t n) { return n == Diagram::none ? Json(-1) : Json(n); }

/// The narrator's lines, by entry: the name of each rule and what it did.
class Rules {
public:
    /// For each row [[number of the rule's name, text] ...].
    std::vector<Json> by_row;

    void line(std::string_view text) {
        constexpr std::string_view indent = "      ";
        constexpr std::size_t name_width = 30;
        if (!text.starts_with(indent)) { // an entry
            by_row.emplace_back(Json::array());
            return;
        }
        if (by_row.empty()) by_row.emplace_back(Json::array());
        text.remove_prefix(indent.size());
        text.remove_suffix(1); // the end of the line
        std::string name(text.substr(0, name_width));
        name.erase(name.find_last_not_of(' ') + 1);
        auto const [known, is_new] = numbers_.emplace(name, static_cast<std::uint32_t>(names.size()));
        if (is_new) names.push_back(name);
        Json& row = by_row.back();
        if (row.size() < most_rules)
            row.push_back({known->second, text.substr(std::min(text.size(), name_width + 1))});
        else if (row.size() == most_rules)
            row.push_back({known->second, "... and more"});
    }

    std::vector<std::string> names;

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// The parts of the state, as the data numbers them: h, A and the matches as wholes, and each queue.
class Containers {
public:
    explicit Containers(IndexedProgram const& code) : code_(&code) {
        for (char const* const name : {"h", "A", "matches"}) names.push_back({name, name});
        for (std::uint32_t c = 0; c < code.channels().size(); ++c) {
            auto const& info = code[Channel{c}];
            add("Pnd_s", fmt::format("Pnd_s({})({})", shown(code, info.beta), shown(code, info.alpha)));
        }
        for (char const* const name : {"Pnd_r", "Q_s"})
            for (std::uint32_t e = 0; e < code.endpoints().size(); ++e)
                add(name, fmt::format("{}({})", name, shown(code, Endpoint{e})));
    }

    /// [container, key, before, after]
    Json json(Change const& c) const {
        auto const channels = static_cast<std::uint32_t>(code_->channels().size());
        auto const endpoints = static_cast<std::uint32_t>(code_->endpoints().size());
        auto const content = [](std::string const& s) { return s.empty() ? Json(nullptr) : Json(s); };
        Json before = content(c.before);
        Json after = content(c.after);
        auto const with = [&](std::uint32_t container, Json key) {
            return Json::array({container, std::move(key), std::move(before), std::move(after)});
        };
        switch (c.part) {
        case Change::Part::h: return with(0, shown(*code_, Variable{c.index}));
        case Change::Part::A: return with(1, shown(*code_, Action{c.index}));
        case Change::Part::match: return with(2, shown(*code_, Action{c.index}));
        case Change::Part::Pnd_s: return with(3 + c.index, c.ordinal);
        case Change::Part::Pnd_r: return with(3 + channels + c.index, c.ordinal);
        case Change::Part::Q_s: break;
        }
        return with(3 + channels + endpoints + c.index, c.ordinal);
    }

    Json names = Json::array(); // [[kind, name] ...]

private:
    void add(char const* kind, std::string name) { names.push_back({kind, std::move(name)}); }

    IndexedProgram const* code_;
};

/// A run once more: the rules and the changes of its rows.
struct Details final : Observer {
    explicit Details(IndexedProgram const& code)
        : changes(code), narrator(code, [this](std::string_view line) { rules.line(line); }) {}

    void on(State const& state, Event const& event) override {
        if (auto const* const stuck = std::get_if<event::StuckAt>(&event);
            stuck != nullptr && rules.by_row.size() <= stuck->entry && !is_narrated(*stuck))
            rules.by_row.emplace_back(Json::array());
        narrator.on(state, event);
        changes.on(state, event);
    }

    /// Whether the narrator writes a line for the entry. It writes none for a trace that is used up.
    static bool is_narrated(event::StuckAt const& e) {
        return e.rho && std::holds_alternative<reason::NotNextCommand>(e.stuck.reason);
    }

    Rules rules;
    ChangesRecorder changes;
    Narrator narrator;
};

/// `first_rule` is the number of the first of this run's rules.
Json rows_of(IndexedProgram const& code, Drawing::Run const& run, Containers const& containers, Details& details,
             std::uint32_t first_rule) {
    Diagram const& d = run.diagram();
    Json rows = Json::array();
    for (std::uint32_t r = 0; r < run.rows(); ++r) {
        Diagram::Row const& row = d.rows[r];
        Json changes = Json::array();
        if (r < details.changes.steps())
            for (Change const& c : details.changes.of(r)) changes.push_back(containers.json(c));
        Json rules = r < details.rules.by_row.size() ? std::move(details.rules.by_row[r]) : Json::array();
        for (Json& rule : rules) rule[0] = rule[0].get<std::uint32_t>() + first_rule;
        rows.push_back(
            Json::array({row.rho.is_none() ? "" : shown(code, row.rho), number(row.thread), number(row.since),
                         static_cast<int>(row.kind), static_cast<int>(row.after), is_wait(code, row) ? 1 : 0,
                         row_text(d, code, r), row.why, std::move(rules), std::move(changes)}));
    }
    return rows;
}

Json messages_of(IndexedProgram const& code, Diagram const& d) {
    std::vector<std::uint32_t> order(d.messages.size()); // of deliveries
    for (std::uint32_t i = 0; i < d.points.size(); ++i)
        if (d.points[i].kind == Diagram::Point::Kind::delivered) order[d.points[i].index] = i;
    Json messages = Json::array();
    for (std::uint32_t i = 0; i < d.messages.size(); ++i) {
        Diagram::Message const& m = d.messages[i];
        bool const partner = m.receive != Diagram::none;
        messages.push_back(
            Json::array({message_text(code, m), number(d.sender(code, m)), number(d.receiver(code, m)), number(m.sent),
                         number(m.delivered), number(partner ? d.receives[m.receive].completed : Diagram::none),
                         partner ? shown(code, d.receives[m.receive].a_r) : "", order[i]}));
    }
    return messages;
}

Json lanes_of(IndexedProgram const& code, Diagram const& d) {
    Json lanes = Json::array();
    for (std::uint32_t t = 0; t < code.ctp().threads.size(); ++t)
        lanes.push_back(Json::array({number(d.last[t]), d.next(code, t).is_none()   ? 0
                                                        : d.stands_at_wait(code, t) ? 2
                                                                                    : 1}));
    return lanes;
}

Json json_of(Drawing const& drawing, Drawing::Run const& run, Containers const& containers, Json& rule_names) {
    Details details(drawing.code);
    run_again(drawing, run.number, details);
    auto const first_rule = static_cast<std::uint32_t>(rule_names.size());
    for (std::string const& name : details.rules.names) rule_names.push_back(name);
    return {{"number", run.number},
            {"status", to_string(run.diagram().s)},
            {"rows", rows_of(drawing.code, run, containers, details, first_rule)},
            {"lanes", lanes_of(drawing.code, run.diagram())},
            {"messages", messages_of(drawing.code, run.diagram())}};
}

/// JSON for a script element: it contains neither `</script>` nor `<!--`.
std::string in_script(Json const& json) {
    std::string const text = compact(json);
    std::string result;
    result.reserve(text.size());
    for (char const c : text) {
        if (c == '<')
            result += "\\u003c";
        else
            result += c;
    }
    return result;
}

/// The page with {{name}} replaced, each once.
std::string filled(std::string_view page, std::vector<std::pair<std::string_view, std::string_view>> const& parts) {
    std::string result;
    for (auto const& [name, text] : parts) {
        std::size_t const at = page.find(name);
        result += page.substr(0, at);
        result += text;
        page.remove_prefix(at + name.size());
    }
    return result.append(page);
}

} // namespace

std::string draw_html(Drawing const& drawing) {
    Containers const containers(drawing.code);
    Json data;
    data["file"] = drawing.name;
    data["buffering"] = to_string(drawing.buffering);
    data["statuses"] = {"success", "failure", "infeasible", "error"};
    Json rule_names = Json::array();
    Json traces = Json::array();
    for (Drawing::Run const& run : drawing.runs) traces.push_back(json_of(drawing, run, containers, rule_names));
    data["containers"] = containers.names;
    data["rules"] = std::move(rule_names);
    data["traces"] = std::move(traces);
    std::string const title = xml(drawing.name);
    std::string const json = in_script(data);
    return filled(page::html,
                  {{"{{title}}", title}, {"{{style}}", page::css}, {"{{data}}", json}, {"{{script}}", page::js}});
}

} // namespace matchpoint::report
