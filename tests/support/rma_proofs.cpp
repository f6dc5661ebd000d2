#include "tests/support/rma_proofs.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "proofs/abstraction.hpp"
#include "proofs/predicates.hpp"
#include "proofs/prove.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/evaluate.hpp"
#include "tests/rma/program_of.hpp"
#include "tests/support/naive_rma.hpp"

namespace matchpoint::naive {

namespace {

using proofs::AbstractMode;
using proofs::Bit;
using proofs::Formula;

constexpr std::size_t most_states = 20'000;

/// "x = 1, y = true" as the memory of a state.
rma::State state_of(rma::Program const& program, std::string const& valuation) {
    rma::State state;
    state.M.resize(program.variables.size());
    std::map<std::string, base::Value> values;
    std::istringstream words(valuation);
    for (std::string name, equals, value; words >> name >> equals >> value;) {
        if (value.back() == ',') value.pop_back();
        bool const is_truth = value == "true" || value == "false";
        values[name] = is_truth ? base::Value::boolean(value == "true") : base::Value::integer(std::stoll(value));
    }
    for (Variable const x : program.declared) state.M[x.index] = values.at(std::string(program.symbols(x)));
    return state;
}

/// Comparisons of two variables, or of one with a small number, as properties at the end of the program.
std::string with_random_predicates(rma::Program const& program, std::size_t count, std::mt19937_64& random) {
    std::vector<std::string> integers;
    for (Variable const x : program.declared)
        if (!program[x].initial.is_boolean()) integers.emplace_back(program.symbols(x));
    std::string text = rma::print(program);
    text.erase(text.rfind(')'));
    auto const any = [&] { return integers[random() % integers.size()]; };
    for (std::size_t i = 0; i < count; ++i) {
        int const k = static_cast<int>(random() % 5) - 1;
        std::string const x = any();
        std::string const y = random() % 3 == 0   ? fmt::format("{}", k)
                              : random() % 2 == 0 ? any()
                                                  : fmt::format("(+ {} {})", any(), k);
        text += fmt::format("\n  (invariant ({} {} {}))", random() % 3 == 0 ? "=" : "<=", x, y);
    }
    return text + ")\n";
}

/// What a search of the abstraction finds. It takes every step by itself: the naive way.
struct Abstract {
    bool verified = false;
    std::set<std::vector<Bit>> finals; // the predicates of final states
};

/// Nothing: there are too many states.
std::optional<Abstract> explore(proofs::Abstraction& system) {
    Abstract result{.verified = true, .finals = {}};
    rma::Packed const first = system.initial();
    std::set<rma::Packed> seen{first};
    std::vector<rma::Packed> open{first};
    rma::Expansion expansion;
    proofs::Abstraction::AbstractState state;
    while (!open.empty()) {
        rma::Packed const from = open.back();
        open.pop_back();
        expansion.clear();
        system.expand(from.data(), false, expansion);
        if (expansion.broken) result.verified = false;
        if (expansion.is_final) {
            system.unpack(from.data(), state);
            result.finals.insert(state.V);
        }
        for (rma::Expansion::Edge const& edge : expansion.edges) {
            if (edge.effect == rma::Effect::failed) result.verified = false;
            if (edge.effect == rma::Effect::discarded || edge.effect == rma::Effect::faulted) continue;
            rma::Word const* const next = expansion.next(edge);
            rma::Packed to(next, next + system.words());
            if (seen.insert(to).second) open.push_back(std::move(to));
        }
        if (seen.size() > most_states) return std::nullopt;
    }
    return result;
}

/// What is wrong with what `rma prove` says, with refinement or, rarely, by Horn clauses. Empty if it is right.
std::string prove_is_right(rma::Graph const& graph, bool is_violated, std::uint64_t choice, Tally& tally) {
    bool const with_clauses = choice % 64 == 0 && !graph.has_atomics();
    proofs::ProofOptions options{.solver = *solve::solver_command("z3")};
    if (with_clauses) options.engine = proofs::ProofEngine::chc;
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    base::Watch const watch([=] { return std::chrono::steady_clock::now() > end; });
    proofs::Proof const proof = proofs::prove(graph, options);
    ++tally[fmt::format("{}{}{}", to_string(proof.verdict), with_clauses ? ", with Horn clauses" : "",
                        proof.refinements > 0 ? ", refined" : "")];
    if (proof.verdict == proofs::ProofVerdict::verified && is_violated) return "prove: verified, but violated";
    if (proof.verdict == proofs::ProofVerdict::violated && !is_violated) return "prove: violated, but safe";
    if (auto const& c = proof.counterexample) {
        if (c->follows > c->steps.size()) return "prove: the machine takes more steps than there are";
        ++tally[c->agrees_at_end ? "paths that the machine follows" : "paths that it does not follow"];
    }
    return {};
}

bool agrees(std::vector<Bit> const& known, std::vector<bool> const& truth) {
    for (std::size_t p = 0; p < truth.size(); ++p)
        if (known[p] != Bit::unknown && (known[p] == Bit::yes) != truth[p]) return false;
    return true;
}

} // namespace

Wrong rma_proofs_are_right(rma::Program const& program, std::uint64_t choice, Tally& tally) {
    auto const truth = naive_rma::explore(naive_rma::read(rma::print(program)), naive_rma::Model::rma,
                                          {.pending = 6, .states = 20'000});
    if (!truth || truth->cut) return ++tally["too large for the oracle"], std::nullopt;
    std::mt19937_64 random(choice);
    bool const found = choice % 2 == 0;
    std::string const text = with_random_predicates(program, found ? 0 : 2 + random() % 5, random);
    rma::Program with = rma::program_of(text);
    std::vector<rma::Property> const chosen(
        with.properties.begin() + static_cast<std::ptrdiff_t>(program.properties.size()), with.properties.end());
    with.properties.resize(program.properties.size());
    rma::Graph const graph(with);
    proofs::Formulas formulas(graph);
    // No solver is asked about these.
    auto const is_asked = [&](Formula p) { return !formulas.difference(p) && !formulas.is_symbol(p); };
    std::vector<Formula> V;
    if (found) V = proofs::find_predicates(formulas, choice % 4 == 0);
    std::erase_if(V, is_asked);
    std::vector<grammar::Expression> expressions; // of V, if they are chosen
    for (rma::Property const& property : chosen) {
        Formula const p = formulas.with_places(property.e);
        if (is_asked(p) || std::find(V.begin(), V.end(), p) != V.end()) continue;
        V.push_back(p);
        expressions.push_back(property.e);
    }
    proofs::Cubes cubes(formulas, V, *solve::solver_command("z3"), {.size = 3, .domains = choice % 8 < 4});

    // The predicates of each final valuation.
    std::set<std::vector<bool>> finals;
    if (!found)
        for (std::string const& valuation : truth->finals) {
            rma::State const state = state_of(with, valuation);
            std::vector<bool> bits;
            for (grammar::Expression const e : expressions) bits.push_back(rma::evaluate(graph, state, e)->is_true());
            finals.insert(bits);
        }
    ++tally[truth->violated ? "violated" : "safe"];
    if (found)
        if (std::string const what = prove_is_right(graph, truth->violated, choice, tally); !what.empty())
            return fmt::format("{}, choice {}\n{}", what, choice, text);
    auto const wrong = [&](AbstractMode mode, std::string_view what) {
        return fmt::format("{} in mode {}, choice {}\n{}", what, to_string(mode), choice, text);
    };
    auto const lacks_a_final = [&](Abstract const& result) {
        return std::any_of(finals.begin(), finals.end(), [&](std::vector<bool> const& bits) {
            return std::none_of(result.finals.begin(), result.finals.end(),
                                [&](std::vector<Bit> const& known) { return agrees(known, bits); });
        });
    };
    for (AbstractMode const mode : {AbstractMode::K, AbstractMode::S}) {
        proofs::Abstraction system(cubes, {.mode = mode, .sets = {.relational = choice % 16 < 8}});
        auto const result = explore(system);
        if (!result) {
            ++tally["too large for the abstraction"];
            continue;
        }
        if (result->verified && truth->violated) return wrong(mode, "verified, but violated");
        if (result->verified) ++tally[fmt::format("verified in mode {}", to_string(mode))];
        if (lacks_a_final(*result)) return wrong(mode, "a final valuation is missing");
        if (!finals.empty()) ++tally["with the final valuations"];
    }
    for (auto const& [name, literal] :
         {std::pair{"R9", proofs::LiteralAbstraction{.R9 = true}}, {"R10", {.R10 = true}}}) {
        proofs::Abstraction system(cubes, {.sets = {.literal = literal}});
        auto const result = explore(system);
        if (!result) continue;
        if (result->verified && truth->violated) ++tally[fmt::format("{}: verified, but violated", name)];
        if (lacks_a_final(*result)) ++tally[fmt::format("{}: a final valuation is missing", name)];
    }
    return std::nullopt;
}

Wrong rma_proofs_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally, rma::RandomShape const& shape) {
    Wrong wrong = rma_proofs_are_right(rma::random_program(seed, i, shape), i, tally);
    if (wrong) wrong = fmt::format("program {} of seed {}: {}", i, seed, *wrong);
    return wrong;
}

} // namespace matchpoint::naive
