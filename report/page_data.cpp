#include "report/page_data.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "explain/narrate.hpp"
#include "explain/told.hpp"
#include "report/changes.hpp"
#include "report/line_table.hpp"
#include "report/shared_diagram.hpp"

namespace matchpoint::report {

namespace {

constexpr std::size_t most_rules = 200;   // for one entry: an expression can have any size
constexpr std::uint32_t block_rows = 512; // for which there is one net change

/// The page finds a part of the state by its name, and shows that.
std::string name_of(IndexedProgram const& code, Action a) { return printable(code.names()(a)); }

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
            names.push_back({"Pnd_s", fmt::format("Pnd_s({})({})", shown(code, info.beta), shown(code, info.alpha)),
                             info.beta.index, info.alpha.index});
        }
        for (char const* const name : {"Pnd_r", "Q_s"})
            for (std::uint32_t e = 0; e < code.endpoints().size(); ++e)
                names.push_back({name, fmt::format("{}({})", name, shown(code, Endpoint{e})), e});
    }

    /// [container, key, before, after]
    Json json(Change const& c, std::string const& before, std::string const& after) const {
        auto const content = [](std::string const& s) { return s.empty() ? Json(nullptr) : Json(s); };
        return Json::array({number_of(c), key(c), content(before), content(after)});
    }
    Json json(Change const& c) const { return json(c, c.before, c.after); }

    Json names = Json::array(); // [[kind, name, endpoints ...] ...]

private:
    std::uint32_t number_of(Change const& c) const {
        auto const channels = static_cast<std::uint32_t>(code_->channels().size());
        auto const endpoints = static_cast<std::uint32_t>(code_->endpoints().size());
        switch (c.part) {
        case Change::Part::h: return 0;
        case Change::Part::A: return 1;
        case Change::Part::match: return 2;
        case Change::Part::Pnd_s: return 3 + c.index;
        case Change::Part::Pnd_r: return 3 + channels + c.index;
        case Change::Part::Q_s: break;
        }
        return 3 + channels + endpoints + c.index;
    }

    Json key(Change const& c) const {
        if (c.part == Change::Part::h) return shown(*code_, Variable{c.index});
        if (c.part == Change::Part::A || c.part == Change::Part::match) return name_of(*code_, Action{c.index});
        return c.ordinal;
    }

    IndexedProgram const* code_;
};

/// What the rows of a block change altogether, in the order in which they first change it.
class NetChange {
public:
    void add(Change const& c) {
        auto const [known, is_new] = index_of_.emplace(std::tuple(c.part, c.index, c.ordinal), cells_.size());
        if (is_new)
            cells_.push_back({&c, &c});
        else
            cells_[known->second].last = &c;
    }

    Json json(Containers const& containers) const {
        Json changes = Json::array();
        for (auto const& [first, last] : cells_)
            if (first->before != last->after) changes.push_back(containers.json(*first, first->before, last->after));
        return changes;
    }

private:
    struct Cell {
        Change const* first;
        Change const* last;
    };
    std::map<std::tuple<Change::Part, std::uint32_t, std::uint32_t>, std::size_t> index_of_;
    std::vector<Cell> cells_;
};

/// Texts in blocks of as many lines.
class Blocks {
public:
    explicit Blocks(LineTable& table) : table_(&table) {}

    void append(Json const& line) {
        if (lines_++ % block_rows == 0)
            texts_.emplace_back();
        else
            texts_.back() += ';';
        table_->append(texts_.back(), compact(line));
    }
    Json json() const { return texts_; }

private:
    LineTable* table_;
    std::size_t lines_ = 0;
    std::vector<std::string> texts_;
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

Json lanes_of(IndexedProgram const& code, Diagram const& d) {
    Json lanes = Json::array();
    for (std::uint32_t t = 0; t < code.ctp().threads.size(); ++t)
        lanes.push_back(Json::array({number(d.last[t]), d.next(code, t).is_none()   ? 0
                                                        : d.stands_at_wait(code, t) ? 2
                                                                                    : 1}));
    return lanes;
}

/// Who uses what: the page shows the parts of the state that concern a thread.
class Users {
public:
    explicit Users(IndexedProgram const& code)
        : code_(code), variables_(code.names().variables.size()), endpoints_(code.endpoints().size()) {
        Ctp const& ctp = code.ctp();
        for (std::uint32_t t = 0; t < ctp.threads.size(); ++t)
            for (std::uint32_t i = ctp.threads[t].first; i < ctp.threads[t].last; ++i) add(t, ctp.commands[i].c);
    }

    /// Each line is a name and its threads.
    Json variables(LineTable& table) const {
        Blocks lines(table);
        for (std::uint32_t x = 0; x < variables_.size(); ++x)
            lines.append(line(shown(code_, Variable{x}), variables_[x]));
        return lines.json();
    }
    Json actions(LineTable& table) const {
        Blocks lines(table);
        for (std::uint32_t a = 0; a < code_.ctp().issued_by.size(); ++a)
            lines.append(line(name_of(code_, Action{a}), {code_.thread_of(code_.issued_at(Action{a}))}));
        return lines.json();
    }
    /// By the index of the endpoint.
    Json endpoints() const { return endpoints_; }

private:
    static Json line(std::string name, std::vector<std::uint32_t> const& threads) {
        Json result = Json::array({std::move(name)});
        for (std::uint32_t const t : threads) result.push_back(t);
        return result;
    }
    static void use(std::vector<std::uint32_t>& threads, std::uint32_t t) {
        if (threads.empty() || threads.back() != t) threads.push_back(t);
    }

    void add(std::uint32_t t, Command const& c) {
        if (auto const* const assign = std::get_if<Assign>(&c)) use(variables_[assign->x.index], t);
        if (Guarded const* const guarded = as_guarded(c))
            for (auto const& [x, e] : code_.ctp().assigned(*guarded)) use(variables_[x.index], t);
        if (auto const* const send = as_sndi(c)) use(endpoints_[send->alpha.index], t);
        if (auto const* const receive = as_rcvi(c)) {
            use(variables_[receive->x.index], t);
            use(endpoints_[receive->beta.index], t);
        }
        if (auto const* const probe = as_probe(c)) use(endpoints_[probe->beta.index], t);
        if (auto const* const start = as_start(c)) use(variables_[start->x.index], t);
        for_each_expression(code_.ctp(), c, [&](Expression e) {
            for (Node const& node : std::span(code_.ctp().nodes).subspan(e.first, e.size))
                if (node.kind == Node::Kind::variable) use(variables_[node.payload], t);
        });
    }

    IndexedProgram const& code_;
    std::vector<std::vector<std::uint32_t>> variables_;
    std::vector<std::vector<std::uint32_t>> endpoints_;
};

/// One run, for the page.
class RunData {
public:
    RunData(Drawing const& drawing, Drawing::Run const& run, Containers const& containers, LineTable& table)
        : code_(drawing.code), run_(run), d_(run.diagram()), containers_(containers), table_(table),
          details_(drawing.code) {
        ToldByPlaces const by_names(drawing.code, "", false); // the state and the rules are the machine's
        run_again(drawing, run.number, details_);
    }

    Json json(Json& rule_names) {
        std::vector<std::size_t> rules; // this run's rule -> the page's
        for (std::string const& name : details_.rules.names) {
            auto const known = std::find(rule_names.begin(), rule_names.end(), name);
            rules.push_back(static_cast<std::size_t>(known - rule_names.begin()));
            if (known == rule_names.end()) rule_names.push_back(name);
        }
        Json result = {{"number", run_.number}, {"status", to_string(d_.s)}};
        if (!run_.end.empty()) result["end"] = run_.end.front();
        if (run_.end.size() > 1) result["waits"] = std::vector(run_.end.begin() + 1, run_.end.end());
        columns(result);
        result["rows"] = rows(rules);
        result["nets"] = nets();
        result["lanes"] = lanes_of(code_, d_);
        result["messages"] = messages();
        if (!code_.ctp().shared.empty()) result["shared"] = shared();
        return result;
    }

private:
    /// For each row its thread; and as one number its kind, the status after it and whether it is a wait.
    void columns(Json& to) const {
        Json threads = Json::array();
        Json kinds = Json::array();
        for (Diagram::Row const& row : d_.rows) {
            threads.push_back(number(row.thread));
            kinds.push_back(static_cast<int>(row.kind) + 8 * static_cast<int>(row.after) + 32 * is_wait(code_, row));
        }
        to["threads"] = std::move(threads);
        to["kinds"] = std::move(kinds);
    }

    std::span<Change const> changes(std::uint32_t row) const {
        return row < details_.changes.steps() ? details_.changes.of(row) : std::span<Change const>();
    }

    /// Each line is [location, text, why, rules, changes].
    Json rows(std::vector<std::size_t> const& rule_numbers) {
        Blocks lines(table_);
        for (std::uint32_t r = 0; r < run_.rows(); ++r) {
            Diagram::Row const& row = d_.rows[r];
            Json changed = Json::array();
            for (Change const& c : changes(r)) changed.push_back(containers_.json(c));
            Json rules = r < details_.rules.by_row.size() ? std::move(details_.rules.by_row[r]) : Json::array();
            for (Json& rule : rules) rule[0] = rule_numbers[rule[0].get<std::size_t>()];
            lines.append(Json::array({row.rho.is_none() ? "" : shown(code_, row.rho), row_text(d_, code_, r), row.why,
                                      std::move(rules), std::move(changed)}));
        }
        return lines.json();
    }

    /// For each block its changes; each line is one.
    Json nets() {
        Json all = Json::array();
        for (std::uint32_t first = 0; first < run_.rows(); first += block_rows) {
            NetChange net;
            for (std::uint32_t r = first; r < std::min(first + block_rows, run_.rows()); ++r)
                for (Change const& c : changes(r)) net.add(c);
            std::string text;
            for (Json const& change : net.json(containers_)) {
                if (!text.empty()) text += ';';
                table_.append(text, compact(change));
            }
            all.push_back(std::move(text));
        }
        return all;
    }

    /// message -> how many messages its entry delivers after it
    std::vector<std::uint32_t> delivered_after() const {
        std::vector<std::uint32_t> result(d_.messages.size());
        for (std::uint32_t r = 0; r < run_.rows(); ++r) {
            std::uint32_t after = 0;
            auto const points = d_.points_of(r);
            for (auto p = points.rbegin(); p != points.rend(); ++p)
                if (p->kind == Diagram::Point::Kind::delivered) result[p->index] = after++;
        }
        return result;
    }

    /// Arrays with a number for each message, and lines [text, receive]. Messages are in the order of their sends.
    Json messages() {
        std::vector<std::uint32_t> const after = delivered_after();
        Json result;
        for (char const* const column : {"to", "sent", "delivered", "done", "after"}) result[column] = Json::array();
        Blocks texts(table_);
        for (std::uint32_t i = 0; i < d_.messages.size(); ++i) {
            Diagram::Message const& m = d_.messages[i];
            bool const partner = m.receive != Diagram::none;
            result["to"].push_back(number(d_.receiver(code_, m)));
            result["sent"].push_back(number(m.sent));
            result["delivered"].push_back(number(m.delivered));
            result["done"].push_back(number(partner ? d_.receives[m.receive].completed : Diagram::none));
            result["after"].push_back(after[i]);
            texts.append(
                Json::array({message_text(code_, m), partner ? name_of(code_, d_.receives[m.receive].a_r) : ""}));
        }
        result["texts"] = texts.json();
        return result;
    }

    /// A text that is new gets the next number.
    static std::size_t number_of(std::string const& text, std::map<std::string, std::size_t>& numbers, Json& texts) {
        auto const [known, is_new] = numbers.emplace(text, texts.size());
        if (is_new) texts.push_back(text);
        return known->second;
    }

    /// Which rows write each shared variable; arrays with a number for each arrow, in the order in which they begin,
    /// and for each lock that a thread holds.
    Json shared() {
        SharedDiagram shared = shared_diagram(d_, code_);
        Json result;
        Json& writes = result["writes"] = Json::array();
        for (SharedVariable const& s : code_.ctp().shared) writes.push_back(d_.reads_from.writers[s.x.index]);
        std::stable_sort(shared.arrows.begin(), shared.arrows.end(),
                         [](auto const& a, auto const& b) { return a.from < b.from; });
        Json reads;
        for (char const* const column : {"names", "name", "from", "to", "thin"}) reads[column] = Json::array();
        std::map<std::string, std::size_t> variables;
        for (SharedDiagram::Arrow const& a : shared.arrows) {
            reads["name"].push_back(number_of(arrow_text(code_, a), variables, reads["names"]));
            reads["from"].push_back(a.from);
            reads["to"].push_back(a.to);
            reads["thin"].push_back(a.synchronises ? 1 : 0);
        }
        Json held;
        for (char const* const column : {"names", "name", "thread", "from", "to", "slot"}) held[column] = Json::array();
        std::map<std::string, std::size_t> locks;
        for (SharedDiagram::Held const& h : shared.held) {
            held["name"].push_back(number_of(explain::shown(code_, h.lock), locks, held["names"]));
            held["thread"].push_back(h.thread);
            held["from"].push_back(h.from);
            held["to"].push_back(number(h.to));
            held["slot"].push_back(h.slot);
        }
        result["reads"] = std::move(reads);
        result["held"] = std::move(held);
        return result;
    }

    IndexedProgram const& code_;
    Drawing::Run const& run_;
    Diagram const& d_;
    Containers const& containers_;
    LineTable& table_;
    Details details_;
};

} // namespace

Json page_data(Drawing const& drawing) {
    Containers const containers(drawing.code);
    Users const users(drawing.code);
    LineTable table;
    Json data;
    data["file"] = drawing.name;
    std::set<std::string_view> bufferings;
    for (Drawing::Run const& r : drawing.runs) bufferings.insert(to_string(r.buffering));
    data["buffering"] = fmt::format("{}", fmt::join(bufferings, ", "));
    data["statuses"] = {"success", "failure", "infeasible", "error"};
    data["block"] = block_rows;
    if (has_places(drawing.code)) data["places"] = true;
    if (word_for_thread(drawing.code) == "rank") data["thread"] = "rank";
    if (ToldByPlaces::of(drawing.code) != nullptr) data["told"] = true; // by places, not by names
    if (drawing.beside) data["beside"] = true;                          // the page begins with both
    data["containers"] = containers.names;
    data["variables"] = users.variables(table);
    data["actions"] = users.actions(table);
    data["endpoints"] = users.endpoints();
    for (SharedVariable const& s : drawing.code.ctp().shared) // [name, initial value]
        data["shared"].push_back(Json::array({shown(drawing.code, s.x), shown(s.v)}));
    Json rule_names = Json::array();
    Json traces = Json::array();
    for (Drawing::Run const& run : drawing.runs)
        traces.push_back(RunData(drawing, run, containers, table).json(rule_names));
    data["rules"] = std::move(rule_names);
    data["traces"] = std::move(traces);
    data["templates"] = table.templates();
    return data;
}

} // namespace matchpoint::report
