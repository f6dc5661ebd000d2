#include <fmt/format.h>

#include "cli/executions.hpp"
#include "cli/files.hpp"
#include "machine/explain.hpp"

namespace matchpoint::cli {

namespace {

struct Why {
    Pair pair;
    std::string text;
};

/// Of each pair of the over-approximation that no complete run has, what excludes it.
std::vector<Why> reasons(Messages const& messages, Buffering buffering, MatchPairs const& exact,
                         std::vector<Exclusion> const& excluded) {
    std::vector<Why> result;
    Feasibility feasibility(messages, buffering);
    MatchPairs const all = overapprox(messages);
    for (std::uint32_t r = 0; r < all.of.size(); ++r) {
        for (std::uint32_t const s : all.of[r]) {
            Pair const pair{r, s};
            if (exact.contains(pair)) continue;
            auto const it =
                std::find_if(excluded.begin(), excluded.end(), [&](Exclusion const& e) { return e.pair == pair; });
            if (it != excluded.end()) {
                result.push_back({pair, explain(messages, *it)});
                continue;
            }
            Matching alone(messages);
            alone[r] = s;
            auto const conflict = feasibility.conflict(alone);
            result.push_back({pair, conflict ? explain(messages, *conflict)
                                             : fmt::format("{} = {}: no complete run has it: all ways to go on were "
                                                           "tried",
                                                           shown(messages.code(), messages.receives()[r].a),
                                                           shown(messages.code(), messages.sends()[s].a))});
        }
    }
    return result;
}

} // namespace

ExitCode pairs_command(PairsOptions const& options, Terminal& terminal) {
    auto const read = read_subject(options.file, terminal);
    if (auto const* const code = std::get_if<ExitCode>(&read)) return *code;
    Subject const& subject = *std::get<std::unique_ptr<Subject>>(read);
    Messages const& messages = subject.messages;
    Code const& code = subject.code;

    std::vector<Exclusion> excluded;
    if (options.why) tight(messages, options.buffering, &excluded);
    Budget budget;
    budget.steps = options.limit.value_or(20'000'000);
    auto const exact = options.why ? exact_pairs(messages, options.buffering, budget) : std::optional<MatchPairs>();
    auto const pairs = pairs_by(messages, options.buffering, options.method, budget);
    bool const too_long = !pairs || (options.why && !exact);
    if (too_long) complain(terminal, "the exact pairs were not found within the limit of machine steps (--limit)");
    if (!pairs) return unknown;
    // Without the exact pairs, what is left out for a reason is still known.
    std::vector<Why> const why = options.why ? reasons(messages, options.buffering,
                                                       exact ? *exact : tight(messages, options.buffering), excluded)
                                             : std::vector<Why>();

    if (options.format == Format::json) {
        Json json;
        json["schema"] = {{"name", "matchpoint.pairs"}, {"version", 1}};
        json["file"] = subject.source.name();
        json["sha256"] = sha256(subject.source.text());
        json["buffering"] = to_string(options.buffering);
        json["method"] = to_string(options.method);
        Json& list = json["pairs"] = Json::array();
        for (std::uint32_t r = 0; r < pairs->of.size(); ++r)
            for (std::uint32_t const s : pairs->of[r]) list.push_back(pair_to_json(messages, {r, s}));
        Json& bogus = json["why"] = Json::array();
        for (Why const& w : why) {
            Json item = pair_to_json(messages, w.pair);
            item["reason"] = w.text;
            bogus.push_back(std::move(item));
        }
        terminal.out(dump(json));
        return too_long ? unknown : holds;
    }
    terminal.out(fmt::format("{}, {} buffering: {}\n", to_string(options.method), to_string(options.buffering),
                             plural(pairs->size(), "match pair")));
    for (std::uint32_t r = 0; r < pairs->of.size(); ++r) {
        std::vector<Action> sends;
        for (std::uint32_t const s : pairs->of[r]) sends.push_back(messages.sends()[s].a);
        terminal.out(fmt::format("  {}: {}\n", shown(code, messages.receives()[r].a),
                                 sends.empty() ? "nothing" : explain(code, sends, sends.size())));
    }
    if (!options.why) return holds;
    terminal.out(fmt::format("in overapprox, but in no complete run: {}{}\n", plural(why.size(), "pair"),
                             too_long ? ", and perhaps others" : ""));
    for (Why const& w : why) terminal.out(fmt::format("  {}\n", w.text));
    return too_long ? unknown : holds;
}

} // namespace matchpoint::cli
