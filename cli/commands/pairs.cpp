#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "explain/matching_words.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

namespace {

struct PairsOptions {
    std::string file;
    Buffering buffering = Buffering::infinite;
    Runs runs = Runs::complete;
    PairsMethod method = PairsMethod::tight;
    std::optional<std::uint64_t> limit; // machine steps, for the exact pairs
    Limits limits;
    bool why = false;
    bool lists = false;
    bool names = false;
    Format format = Format::text;
};

constexpr auto pairs_examples = R"(Examples:
  matchpoint pairs traces/figure16.ctp --method overapprox --lists
                                       Figure 15, and equations (1) to (4)
  matchpoint pairs traces/figure16.ctp --why                  and why not others

Exit codes: 0 done, 1 a limit reached, 2 the input cannot be read or breaks a
rule.
)";

struct Why {
    Pair pair;
    std::string text;
};

/// Why no run has a pair, for each such pair of the over-approximation. If the exact pairs are unknown, only for
/// pairs that quick reasoning excludes.
std::vector<Why> reasons(MessageIndex const& messages, PairsOptions const& options,
                         std::optional<MatchPairs> const& exact, std::vector<Exclusion> const& excluded,
                         std::vector<Refuted> const& refuted) {
    std::vector<Why> result;
    result.reserve(excluded.size() + refuted.size());
    for (Exclusion const& e : excluded) result.push_back({e.pair, in_words(messages, e)});
    bool const complete = options.runs == Runs::complete;
    Feasibility feasibility(messages, options.buffering, complete ? Extent::complete : Extent::prefix);
    Matching alone(messages);
    for (Refuted const& r : refuted) {
        if (!exact) break;
        alone[r.pair.r] = r.pair.s;
        // A rule that the pair itself breaks explains more than a search does.
        auto const conflict = feasibility.conflict(alone);
        result.push_back(
            {r.pair, conflict   ? in_words(messages, *conflict)
                     : complete ? in_words(messages, *exact, r)
                                : fmt::format("{}: of {} on the path with it, none completes its receive",
                                              explain::shown(messages, r.pair), plural(r.executions, "execution"))});
        alone[r.pair.r] = unmatched;
    }
    std::sort(result.begin(), result.end(), [](Why const& a, Why const& b) { return a.pair < b.pair; });
    return result;
}

/// The same with selectors, modes or barriers, of which quick reasoning and the conflicts of matches know nothing.
std::vector<Why> reasons_beside_mcapi(MessageIndex const& messages, PairsOptions const& options,
                                      MatchPairs const& exact, MatchPairs const& all) {
    std::vector<Why> result;
    for (std::uint32_t r = 0; r < all.of.size(); ++r)
        for (std::uint32_t const s : all.of[r])
            if (Pair const pair{r, s}; !exact.contains(pair))
                result.push_back(
                    {pair, fmt::format("{}: no {} has it", explain::shown(messages, pair),
                                       options.runs == Runs::complete ? "complete run" : "execution on the path")});
    return result;
}

ExitCode pairs_command(PairsOptions const& options, Terminal& terminal) {
    auto const read = read_prepared(options.file, terminal, KnowsSharing::yes);
    if (!read) return read.error();
    Prepared const& subject = **read;
    MessageIndex const& messages = subject.messages;
    Provenance const from = provenance_of(subject.source.text());
    ToldByPlaces const told(subject.code, from.thread,
                            options.format == Format::text && !options.names && from.is_recorded());

    Budget budget;
    budget.steps = options.limit.value_or(20'000'000);
    std::vector<Exclusion> excluded;
    std::vector<Refuted> refuted;
    std::optional<MatchPairs> exact;
    bool const is_plain = messages.code().is_plain();
    if (options.why && !is_plain)
        exact = pairs_by(messages, options.buffering, PairsMethod::exact, budget, options.runs);
    if (options.why && is_plain) {
        if (options.runs == Runs::complete)
            tight(messages, options.buffering, &excluded);
        else
            tight_on_path(messages, options.buffering, &excluded);
        exact = exact_pairs(messages, options.buffering, budget, &refuted, options.runs);
    }
    auto const pairs = options.why && options.method == PairsMethod::exact
                           ? exact
                           : pairs_by(messages, options.buffering, options.method, budget, options.runs);
    bool const too_long = !pairs || (options.why && !exact);
    if (too_long)
        complain(terminal, "the exact pairs were not found within the limit of machine steps (--limit)",
                 ErrorKind::limit);
    if (!pairs) return unknown;
    auto const all = exact && !is_plain
                         ? pairs_by(messages, options.buffering, PairsMethod::overapprox, budget, options.runs)
                         : std::nullopt;
    std::vector<Why> const why = all ? reasons_beside_mcapi(messages, options, *exact, *all)
                                     : reasons(messages, options, exact, excluded, refuted);

    if (options.format == Format::json) {
        Json json = report_of("pairs", subject.source);
        json["buffering"] = to_string(options.buffering);
        json["runs"] = to_string(options.runs);
        json["method"] = to_string(options.method);
        json["pairs"] = to_json(messages, *pairs);
        Json& bogus = json["why"] = Json::array();
        if (options.lists) json["lists"] = report::lists_of_figure_15(messages);
        for (Why const& w : why) {
            Json item = to_json(messages, w.pair);
            item["reason"] = w.text;
            bogus.push_back(std::move(item));
        }
        terminal.out(dump(json));
        return too_long ? unknown : holds;
    }
    if (options.lists) terminal.print(explain::lists_of_figure_15(messages, terminal.paint()));
    terminal.print(fmt::format("{}, {} buffering: {}\n", to_string(options.method), to_string(options.buffering),
                               terminal.paint(Style::heading, plural(pairs->size(), "match pair"))));
    terminal.print(shown(messages, *pairs, terminal.paint()));
    if (messages.code().shares())
        terminal.print("  what comes of them also depends on whose write each read gets (`explore` has both)\n");
    if (!options.why) return holds;
    terminal.print(fmt::format("in overapprox, but in no {}: {}{}\n",
                               options.runs == Runs::complete ? "complete run" : "execution on the path",
                               plural(why.size(), "pair"), too_long ? ", and perhaps others" : ""));
    for (Why const& w : why) {
        // The reason names the pair first.
        std::string const pair = explain::shown(messages, w.pair) + ":";
        bool const names_it = w.text.starts_with(pair);
        terminal.out("  " + (names_it ? terminal.paint(Style::note, pair) : std::string()));
        for (char const c : std::string_view(w.text).substr(names_it ? pair.size() : 0))
            terminal.out(c == '\n' ? "\n  " : std::string_view(&c, 1));
        terminal.out("\n");
    }
    return too_long ? unknown : holds;
}

} // namespace

void add_pairs(CommandLine& line) {
    auto const options = std::make_shared<PairsOptions>();
    Command command =
        line.add("pairs", "Show the match pairs of a program: which sends each receive can get", pairs_examples);
    command.argument("FILE", options->file, program_help);
    command.buffering(options->buffering);
    command.pairs_method(
        "--method", options->method,
        "overapprox-all-sends: an earlier version of Figure 15; overapprox: Figure 15; tight: what polynomial "
        "reasoning leaves of it; exact: the pairs of some run. Each includes the next. Default: tight");
    command.runs(options->runs, "complete: the pairs of complete runs; executions: of every execution up to an "
                                "assumption that is false, complete or not. Default: complete");
    command.flag("--why", options->why, "For each pair of overapprox that no run has, give the reason");
    command.flag("--lists", options->lists,
                 "First print the lists of receives and sends that Figure 15 makes its pairs from, with their indices");
    command.flag("--names", options->names, names_help);
    command.pairs_limit(options->limit);
    command.limits(options->limits);
    command.format(options->format);
    command.color();
    command.action([options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return pairs_command(*options, terminal); });
    });
}

} // namespace matchpoint::cli
