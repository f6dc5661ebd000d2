#include "report/json.hpp"

#include <algorithm>

#include "explain/message_words.hpp"
#include "explain/words.hpp"
#include "grammar/print.hpp"

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

Json seen_to_json(IndexedProgram const& code, State const& state) {
    Json result = Json::array();
    for (auto const& [probe, a_s] : explain::seen(code, state))
        result.push_back({{"probe", code.names()(probe)}, {"send", code.names()(a_s)}});
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

Json lists_of_figure_15(MessageIndex const& messages) {
    IndexedProgram const& code = messages.code();
    auto const name = [&](Endpoint e) { return std::string(code.names()(e)); };
    Json lists{{"receives", Json::object()}, {"sends", Json::object()}};
    for (auto const& r : messages.receives()) lists["receives"][name(r.beta)].push_back(code.names()(r.a));
    for (auto const& s : messages.sends())
        lists["sends"][name(messages.beta_of(s))][name(code[s.channel].alpha)].push_back(code.names()(s.a));
    return lists;
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
                   {"message", in_words(code, state, error.stuck.reason)}};
    if (error.rho) add_place(result, code, *error.rho);
    return result;
}

namespace {

Json guard_read(IndexedProgram const& code, Blocked::Read const& read, ReadsFrom const& reads_from,
                std::function<Location(std::uint32_t)> const& entry) {
    auto const command = [&](Location rho) {
        return Json{{"thread", code.thread_of(rho)}, {"location", code.names()(rho)}};
    };
    std::uint32_t const writer = reads_from.last_writer(read.x);
    Json holders = Json::array();
    for (Blocked::Holder const& h : read.holders)
        holders.push_back({{"thread", h.thread}, {"since", code.names()(h.since)}});
    return {{"name", code.names()(read.x)},
            {"value", to_json(read.v)},
            {"shared", static_cast<bool>(reads_from.is_shared[read.x.index])},
            {"last_writer", writer == ReadsFrom::initial ? Json(nullptr) : command(entry(writer))},
            {"lock", read.is_lock},
            {"held_by", std::move(holders)}};
}

bool holds(Blocked::Halted const& halted, std::uint32_t thread) {
    if (!halted.guard || !halted.awaited) return false;
    return std::any_of(halted.guard->begin(), halted.guard->end(), [&](Blocked::Read const& r) {
        auto const is_thread = [&](Blocked::Holder const& h) { return h.thread == thread; };
        return r.x == *halted.awaited && std::any_of(r.holders.begin(), r.holders.end(), is_thread);
    });
}

} // namespace

void add_blocked(Json& item, IndexedProgram const& code, Blocked const& blocked, ReadsFrom const& reads_from,
                 std::function<Location(std::uint32_t)> const& entry) {
    auto const variable = [&](std::optional<Variable> x) { return x ? Json(code.names()(*x)) : Json(nullptr); };
    Json& threads = item["blocked"] = Json::array();
    for (Blocked::Halted const& h : blocked.threads) {
        Guarded const* const guarded = h.guard ? as_guarded(code.command_at(h.at)) : nullptr;
        Json variables = Json::array();
        if (h.guard)
            for (Blocked::Read const& r : *h.guard) variables.push_back(guard_read(code, r, reads_from, entry));
        threads.push_back({{"thread", h.thread},
                           {"location", code.names()(h.at)},
                           {"command", print(code.program(), code.command_at(h.at))},
                           {"why", h.why},
                           {"guard", guarded != nullptr ? Json(print(code.program(), guarded->e)) : Json(nullptr)},
                           {"variables", std::move(variables)},
                           {"waits_for", h.waits_for ? Json(*h.waits_for) : Json(nullptr)}});
        add_place(threads.back(), code, h.at);
    }
    Json& cycles = item["cycles"] = Json::array();
    for (std::vector<std::uint32_t> const& cycle : blocked.cycles) {
        Json& of = cycles.emplace_back(Json::array());
        for (std::size_t i = 0; i < cycle.size(); ++i) {
            std::uint32_t const next = cycle[(i + 1) % cycle.size()];
            auto const h = std::find_if(blocked.threads.begin(), blocked.threads.end(),
                                        [&](Blocked::Halted const& t) { return t.thread == cycle[i]; });
            of.push_back({{"thread", cycle[i]},
                          {"waits_for", next},
                          {"variable", variable(h->awaited)},
                          {"holder", holds(*h, next) ? Json(next) : Json(nullptr)}});
        }
    }
}

std::string dump(Json const& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }
std::string compact(Json const& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

} // namespace matchpoint::report
