#include "tests/support/rma_verdicts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/limits.hpp"
#include "rma/language/print.hpp"
#include "rma/programs/edit.hpp"
#include "rma/programs/random.hpp"
#include "rma/search/check.hpp"
#include "rma/search/faults.hpp"
#include "rma/search/flushes.hpp"
#include "rma/search/races.hpp"
#include "tests/support/naive_rma.hpp"

namespace matchpoint::naive {

namespace {

using Finals = std::set<std::string>;

/// "x = 1, y = true", by name, as the oracle has them.
Finals finals_of(rma::Program const& program, rma::CheckResult const& result) {
    Finals texts;
    for (auto const& M : result.finals) {
        std::map<std::string, std::string> by_name;
        for (Variable const x : program.declared) by_name[std::string(program.symbols(x))] = M[x.index].to_string();
        std::string text;
        for (auto const& [name, value] : by_name) text += (text.empty() ? "" : ", ") + name + " = " + value;
        texts.insert(text);
    }
    return texts;
}

rma::CheckResult checked(rma::Program const& program, rma::Model model, rma::Engine engine = rma::Engine::both,
                         std::optional<std::uint64_t> max_bytes = std::nullopt) {
    rma::CheckOptions options;
    options.model = model;
    options.engine = engine;
    options.finals = true;
    options.pending = 6;
    if (max_bytes) options.max_bytes = *max_bytes;
    return rma::check_program(program, options);
}

/// With atomics, the reduced program's values may grow without end: until memory is used up, or until a product has too
/// many bits.
rma::CheckResult checked_reduced(rma::Program const& program, bool has_atomics) {
    if (!has_atomics) return checked(program, rma::Model::rma, rma::Engine::reduced);
    try {
        return checked(program, rma::Model::rma, rma::Engine::reduced, std::uint64_t{1} << 18U);
    } catch (LimitReached const&) {
        return {};
    }
}

bool within(Finals const& some, Finals const& all) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// What the reduced program alone has found stays open.
bool agrees(rma::CheckResult const& result, rma::Known known, bool truth) {
    if (known == rma::Known::open) return result.decided_by == "the reduced program";
    return known == (truth ? rma::Known::yes : rma::Known::no);
}

/// What differs, for one model.
std::string difference(rma::CheckResult const& result, Finals const& finals, naive_rma::Found const& truth) {
    if (result.verdict != (truth.violated ? rma::Verdict::violated : rma::Verdict::safe)) return "the outcome";
    if (finals != truth.finals) return "the final valuations";
    if (!agrees(result, result.discarded, truth.discarded)) return "whether a run is discarded";
    if (!agrees(result, result.faulted, truth.faulted)) return "whether a run faults";
    return agrees(result, result.has_final, !truth.no_final_state()) ? "" : "whether there is a final state";
}

/// As the oracle has them.
std::set<std::string> races_of(rma::Program const& program, rma::RaceResult const& found) {
    std::set<std::string> races;
    auto const by = [&](rma::Race::Access const& a) {
        bool const is_process = std::holds_alternative<rma::ProcessStep>(a.step);
        return (is_process ? "" : "card of ") + std::string(program.pid(program.process_of(a.statement)));
    };
    for (rma::Race const& race : found.races) {
        auto const [first, second] = std::minmax({by(race.first), by(race.second)});
        races.insert(std::string(program.symbols(race.x)) + ": " + first + ", " + second);
    }
    return races;
}

/// Whether the run of a race is one, and both accesses can come next.
bool races_at_the_end(rma::Program const& program, rma::Race const& race) {
    rma::Graph const graph(program);
    rma::Machine const machine(graph);
    rma::State state = machine.initial();
    auto const is_enabled = [&](rma::Transition const& t) {
        auto const enabled = machine.enabled(state);
        return std::find(enabled.begin(), enabled.end(), t) != enabled.end();
    };
    for (rma::Transition const& t : race.run) {
        if (!is_enabled(t)) return false;
        machine.apply(state, t);
    }
    auto const can_come = [&](rma::Transition const& t) {
        auto const* const write = std::get_if<rma::NicWrite>(&t);
        if (write == nullptr) return is_enabled(t);
        return std::any_of(state.W.begin(), state.W.end(), [&](auto const& w) { return w.s == write->s; });
    };
    bool const same_copy = race.first.step == race.second.step;
    return can_come(race.first.step) && can_come(race.second.step) &&
           (!same_copy || state.pending(std::get<rma::NicWrite>(race.first.step).s) > 1);
}

} // namespace

Wrong rma_is_right(rma::Program const& program, Tally& tally) {
    std::string const text = rma::print(program);
    auto const wrong = [&](std::string const& what) { return what + "\n" + text; };
    naive_rma::Program const plain = naive_rma::read(text);
    std::map<rma::Model, Finals> finals;
    bool violated = false;
    std::set<std::string> races;
    for (auto const& [model, plainly] :
         {std::pair(rma::Model::sc, naive_rma::Model::sc), {rma::Model::rma, naive_rma::Model::rma}}) {
        auto const truth = naive_rma::explore(plain, plainly, {.pending = 6, .states = 100'000});
        if (!truth || truth->cut) return ++tally["too large for the oracle"], std::nullopt;
        rma::CheckResult const result = checked(program, model);
        finals[model] = finals_of(program, result);
        violated = truth->violated; // in the end, under RMA
        races = truth->races;
        std::string const name = model == rma::Model::sc ? "SC" : "RMA";
        if (std::string const what = difference(result, finals[model], *truth); !what.empty())
            return wrong(name + ": " + what + " differs; the oracle has: " + naive_rma::to_text(*truth));
        ++tally[name + (truth->violated ? ": violated" : ": safe")];
        if (truth->discarded) ++tally[name + ": discarded"];
        if (truth->faulted) ++tally[name + ": fault"];
        if (truth->faulted && !rma::find_fault(program, {.model = model, .pending = 6}))
            return wrong(name + ": no run with the fault");
        if (truth->no_final_state()) ++tally[name + ": no final state"];
    }
    Finals const& all = finals[rma::Model::rma];
    if (!within(finals[rma::Model::sc], all)) return wrong("SC is not within RMA");
    if (finals[rma::Model::sc] != all) ++tally["more final valuations under RMA"];
    rma::RaceResult const found = rma::find_races(program, {.pending = 6}, 1000);
    if (found.known != (races.empty() ? rma::Known::no : rma::Known::yes)) return wrong("whether there is a race");
    if (!found.are_all || races_of(program, found) != races) return wrong("not these races");
    ++tally[races.empty() ? "no race" : races.size() == 1 ? "a race" : "several races"];
    for (rma::Race const& race : found.races)
        if (!races_at_the_end(program, race)) return wrong("a run that leads to no race");
    bool const has_atomics = rma::Graph(program).has_atomics();
    if (has_atomics) ++tally["with remote atomics"];
    rma::CheckResult const reduced = checked_reduced(program, has_atomics);
    Finals const upper = finals_of(program, reduced);
    bool const is_known = !has_atomics || reduced.verdict == rma::Verdict::safe;
    if (has_atomics && is_known) ++tally["with a reduced program that is safe"];
    if (is_known && !within(all, upper)) return wrong("a final valuation is none of the reduced program");
    if (violated && reduced.verdict == rma::Verdict::safe) return wrong("the reduced program does not go wrong");
    if (!has_atomics && upper != all) ++tally["more final valuations of the reduced program"];
    std::size_t const flushes = rma::flushes_of(program).size();
    for (std::size_t f = 0; f < flushes; ++f) {
        auto const fewer = rma::with_flushes(program, [&](std::size_t i) { return i != f; });
        if (!within(all, finals_of(fewer, checked(fewer, rma::Model::rma))))
            return wrong("a flush less takes a final valuation away: flush " + std::to_string(f));
        ++tally["flushes taken away"];
    }
    return std::nullopt;
}

Wrong rma_is_right(std::uint64_t seed, std::uint64_t i, Tally& tally, rma::RandomShape const& shape) {
    return rma_is_right(rma::random_program(seed, i, shape), tally);
}

Wrong rma_flushes_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally, rma::RandomShape shape) {
    shape.statements = 8;
    shape.properties = 100;
    rma::Program const program = rma::with_a_flush_behind_every_remote(rma::random_program(seed, i, shape));
    std::string const text = rma::print(program);
    auto const truth = naive_rma::least_flushes(naive_rma::read(text), {.pending = 6, .states = 20'000});
    if (!truth) return ++tally["too large for the oracle"], std::nullopt;
    rma::FlushResult const found = rma::least_flushes(program, {.pending = 6});
    std::set<rma::Placement> expected;
    for (auto const& kept : *truth) expected.insert({kept.begin(), kept.end()});
    if (std::set<rma::Placement>(found.placements.begin(), found.placements.end()) != expected)
        return "other placements\n" + text;
    bool const none = found.answer == rma::FlushResult::Answer::none;
    if (none != expected.empty() || (!none && found.answer != rma::FlushResult::Answer::found))
        return "another answer\n" + text;
    ++tally[none ? "no placement" : "least: " + std::to_string(found.least)];
    return std::nullopt;
}

} // namespace matchpoint::naive
