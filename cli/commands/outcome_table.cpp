#include "cli/commands/outcome_table.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/suggestion.hpp"
#include "explain/words.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

Expected<std::vector<Variable>, std::string> variables_of(std::string_view list, IndexedProgram const& code) {
    std::vector<Variable> result;
    Names const& names = code.names().variables;
    while (true) {
        std::size_t const comma = list.find(',');
        std::string_view const name = trimmed(list.substr(0, comma));
        auto const x = names.find(name);
        if (!x)
            return Unexpected{
                fmt::format("there is no variable `{}`{}", printable(name), name_suggestion(name, names))};
        result.push_back(Variable{*x});
        if (comma == std::string_view::npos) return result;
        list.remove_prefix(comma + 1);
    }
}

void OutcomeTable::add(State const& state, Schedule const& schedule) {
    if (!is_wanted() || (state.s != Status::success && state.s != Status::failure)) return;
    Key key;
    std::vector<Value> values;
    for (Variable const x : variables_) {
        Value const& v = state.h[x.index];
        std::string text = v.is_bot() ? "-" : v.to_string();
        key.emplace_back(text.size(), std::move(text));
        values.push_back(v);
    }
    auto const [it, is_new] = outcomes_.try_emplace(std::move(key));
    if (is_new) it->second = {std::move(values), {}, schedule};
    ++it->second.counts[state.s == Status::failure ? 1 : 0];
}

void OutcomeTable::print(Terminal& terminal) const {
    terminal.print(fmt::format("outcomes: {}\n", outcomes_.size()));
    for (auto const& [_, outcome] : outcomes_) {
        std::string values;
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            Value const& v = outcome.values[i];
            append_item(values, fmt::format("{} = {}", explain::shown(code_, variables_[i]),
                                            v.is_bot() ? "-" : explain::shown(v)));
        }
        std::string counts;
        for (Status const s : {Status::success, Status::failure})
            if (std::uint64_t const n = outcome.counts[s == Status::failure ? 1 : 0]; n > 0)
                append_item(counts, fmt::format("{} {}", n, terminal.paint(explain::style_of(s), to_string(s))));
        terminal.print(fmt::format("  {}: {}\n", terminal.paint(Style::heading, values), counts));
        terminal.print(report::wrapped_trace(code_, outcome.schedule, "    "));
    }
}

Json OutcomeTable::json() const {
    Json result = Json::array();
    for (auto const& [_, outcome] : outcomes_) {
        Json values = Json::object();
        for (std::size_t i = 0; i < variables_.size(); ++i)
            values[std::string(code_.names()(variables_[i]))] =
                outcome.values[i].is_bot() ? Json(nullptr) : report::to_json(outcome.values[i]);
        result.push_back({{"values", values},
                          {"success", outcome.counts[0]},
                          {"failure", outcome.counts[1]},
                          {"trace", report::shown_trace(code_, outcome.schedule)}});
    }
    return result;
}

} // namespace matchpoint::cli
