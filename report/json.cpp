#include "report/json.hpp"

#include "report/words.hpp"

namespace matchpoint::report {

Json to_json(Value const& v) {
    constexpr std::int64_t largest = (std::int64_t{1} << 53U) - 1;
    if (v.is_boolean()) return v.is_true();
    if (auto const i = v.small(); i && *i >= -largest && *i <= largest) return *i;
    return v.to_string();
}

namespace {

void place(Json& item, Source const& source, Offset offset) {
    if (offset == no_offset) return;
    auto const [line, column] = source.line_column(offset);
    item["line"] = line;
    item["column"] = column;
}

} // namespace

Json to_json(Diagnostics const& diagnostics, Source const& source) {
    Json result = Json::array();
    for (Diagnostic const& d : diagnostics) {
        Json& item = result.emplace_back(Json::object());
        item["severity"] = d.severity == Severity::error ? "error" : "warning";
        item["rule"] = d.rule;
        place(item, source, d.offset);
        item["message"] = d.message;
        Json& notes = item["notes"] = Json::array();
        for (Note const& note : d.notes) {
            Json& about = notes.emplace_back(Json::object());
            place(about, source, note.offset);
            about["message"] = note.message;
        }
        for (std::string const& hint : d.hints) notes.push_back({{"message", "hint: " + hint}});
    }
    return result;
}

namespace {

Json match_to_json(IndexedProgram const& code, Action a_r, Action a_s) {
    return {{"receive", code.names()(a_r)}, {"send", code.names()(a_s)}};
}

} // namespace

Json to_json(IndexedProgram const& code, std::vector<Action> const& actions) {
    Json result = Json::array();
    for (Action const a : actions) result.push_back(code.names()(a));
    return result;
}

Json to_json(MessageIndex const& messages, Pair pair) {
    return match_to_json(messages.code(), messages.receives()[pair.r].a, messages.sends()[pair.s].a);
}

Json to_json(IndexedProgram const& code, std::vector<Match> const& matches) {
    Json result = Json::array();
    for (auto const& [a_r, a_s] : matches) result.push_back(match_to_json(code, a_r, a_s));
    return result;
}

Json to_json(MessageIndex const& messages, Matching const& m) {
    Json result = Json::array();
    for (std::uint32_t r = 0; r < m.size(); ++r)
        if (m[r] != unmatched) result.push_back(to_json(messages, Pair{r, m[r]}));
    return result;
}

Json to_json(MessageIndex const& messages, MatchPairs const& pairs) {
    Json result = Json::array();
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
        for (std::uint32_t const s : pairs.of[r]) result.push_back(to_json(messages, Pair{r, s}));
    return result;
}

void add_place(Json& item, IndexedProgram const& code, Location rho) {
    if (!code.has(rho)) return;
    Origin const at = code.ctp().commands[rho.index].at;
    if (!at.file.is_none()) item["place"] = {{"file", code.names()(at.file)}, {"line", at.line}};
}

// The name of a file need not be UTF-8. Everything else is.
Json to_json(IndexedProgram const& code, State const& state, RunError const& error) {
    Json result = {{"entry", error.entry},
                   {"location", error.rho ? Json(code.names()(*error.rho)) : Json(nullptr)},
                   {"rule", to_string(error.stuck.rule)},
                   {"reason", machine::to_string(error.stuck.reason)},
                   {"message", explain(code, state, error.stuck.reason)}};
    if (error.rho) add_place(result, code, *error.rho);
    return result;
}

std::string dump(Json const& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }
std::string compact(Json const& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

} // namespace matchpoint::report
