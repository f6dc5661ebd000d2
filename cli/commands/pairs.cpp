#include <fmt/format.h>

#include "cli/files.hpp"
#include "cli/program_input.hpp"
#include "report/matching_words.hpp"
#include "report/replay.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

namespace {

struct Why {
    Pair pair;
    std::string text;
};

/// Of each pair of the over-approximation that no complete run has, what excludes it. Without the exact pairs, of those
/// that are left out for a reason.
std::vector<Why> reasons(MessageIndex const& messages, Buffering buffering, std::optional<MatchPairs> const& exact,
                         std::vector<Exclusion> const& excluded, std::vector<Refuted> const& refuted) {
    std::vector<Why> result;
    for (Exclusion const& e : excluded) result.push_back({e.pair, explain(messages, e)});
    Feasibility feasibility(messages, buffering);
    Matching alone(messages);
    for (Refuted const& r : refuted) {
        if (!exact) break;
        alone[r.pair.r] = r.pair.s;
        // What the pair by itself breaks says more than a search.
        auto const conflict = feasibility.conflict(alone);
        result.push_back({r.pair, conflict ? explain(messages, *conflict) : explain(messages, *exact, r)});
        alone[r.pair.r] = unmatched;
    }
    std::sort(result.begin(), result.end(), [](Why const& a, Why const& b) { return a.pair < b.pair; });
    return result;
}

} // namespace

ExitCode pairs_command(PairsOptions const& options, Terminal& terminal) {
    auto const read = read_prepared(options.file, terminal);
    if (auto const* const code = std::get_if<ExitCode>(&read)) return *code;
    Prepared const& subject = *std::get<std::unique_ptr<Prepared>>(read);
    MessageIndex const& messages = subject.messages;
    IndexedProgram const& code = subject.code;

    Budget budget;
    budget.steps = options.limit.value_or(20'000'000);
    std::vector<Exclusion> excluded;
    std::vector<Refuted> refuted;
    std::optional<MatchPairs> exact;
    if (options.why) {
        tight(messages, options.buffering, &excluded);
        exact = exact_pairs(messages, options.buffering, budget, &refuted);
    }
    auto const pairs = options.why && options.method == PairsMethod::exact
                           ? exact
                           : pairs_by(messages, options.buffering, options.method, budget);
    bool const too_long = !pairs || (options.why && !exact);
    if (too_long) complain(terminal, "the exact pairs were not found within the limit of machine steps (--limit)");
    if (!pairs) return unknown;
    std::vector<Why> const why = reasons(messages, options.buffering, exact, excluded, refuted);

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
    for (Why const& w : why) {
        terminal.out("  ");
        for (char const c : w.text) terminal.out(c == '\n' ? "\n  " : std::string_view(&c, 1));
        terminal.out("\n");
    }
    return too_long ? unknown : holds;
}

} // namespace matchpoint::cli
