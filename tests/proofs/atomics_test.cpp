// Remote atomics in proofs: as formulas, and that each state of the machine is one of the abstraction.
#include "proofs/atomics.hpp"

#include <map>
#include <random>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "proofs/abstraction.hpp"
#include "proofs/predicates.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/evaluate.hpp"
#include "rma/machine/machine.hpp"
#include "rma/programs/random.hpp"
#include "tests/rma/program_of.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::proofs {
namespace {

using rma::Model;

/// The values of formulas over the variables of a program.
class InMemory {
public:
    InMemory(Formulas const& formulas, std::vector<Formula> const& of) : evaluation_(formulas, of) {
        for (std::uint32_t x = 0; x < formulas.graph().program().variables.size(); ++x) symbols_.push_back({x});
    }
    void at(std::vector<Value> const& M) { evaluation_.at(symbols_, M); }
    Value const& operator[](Formula f) const { return evaluation_[f]; }

private:
    Evaluation evaluation_;
    std::vector<Symbol> symbols_;
};

/// p[op/Y] says before the step of a card what p says after it; with X, before the one step under sequential
/// consistency.
void holds_before(std::string_view atomic, std::vector<Value> const& values) {
    rma::Program const program = rma::program_of(
        "(rma (process 1 (shared (X 0) (Y 0) (C 0) (Z 0)) (store X 0) (store Y 0) (store C 0) (store Z 0)"
        " (store X 1) (store Y 1) (store C 1) (store Z 1) " +
        std::string(atomic) + ") (invariant (<= X Y)) (invariant (<= Y 1)) (invariant (= X Z)))");
    rma::Graph const graph(program);
    rma::Remote const& remote = graph.remotes().front();
    Formulas formulas(graph);
    auto const outcomes = outcomes_of(formulas, 0);
    std::vector<Formula> p;
    std::vector<Formula> before_the_card;
    std::vector<Formula> before_both;
    for (rma::Property const& property : program.properties) {
        p.push_back(formulas.with_places(property.e));
        before_the_card.push_back(before(formulas, p.back(), outcomes, {.Y = remote.src}));
        before_both.push_back(before(formulas, p.back(), outcomes,
                                     {remote.src, remote.fetches ? std::optional(remote.trg) : std::nullopt}));
    }
    std::vector<Formula> all = p;
    all.insert(all.end(), before_the_card.begin(), before_the_card.end());
    all.insert(all.end(), before_both.begin(), before_both.end());
    InMemory memory(formulas, all);
    rma::Machine const machine(graph, Model::sc);
    rma::State state = machine.initial();
    while (graph.at(state.pc[0]).remote == rma::no_index) machine.apply(state, rma::ProcessStep{0});
    for (std::size_t i = 0; i < values.size() * values.size() * values.size() * values.size(); ++i) {
        std::size_t rest = i;
        for (Value& x : state.M) {
            x = values[rest % values.size()];
            rest /= values.size();
        }
        memory.at(state.M);
        std::vector<bool> expected;
        for (Formula const f : before_the_card) expected.push_back(memory[f].is_true());
        for (Formula const f : before_both) expected.push_back(memory[f].is_true());
        rma::State after = state;
        after.M[remote.src.index] = rma::modified(graph, state, 0);
        memory.at(after.M);
        std::vector<bool> found;
        for (Formula const f : p) found.push_back(memory[f].is_true());
        after = state;
        machine.apply(after, rma::ProcessStep{0});
        memory.at(after.M);
        for (Formula const f : p) found.push_back(memory[f].is_true());
        ASSERT_EQ(found, expected) << atomic << ' ' << i;
    }
}

TEST(ProveAtomics, PreconditionsAreWhatTheMachineDoes) {
    std::vector<Value> const values{Value::integer(-1), Value::integer(0), Value::integer(1), Value::integer(2)};
    for (std::string const op : {"+", "*", "min", "max", "replace", "no-op"}) {
        holds_before("(fetch-and-op X Y 1 " + op + " Z)", values);
        holds_before("(fetch-and-op Y Y 1 " + op + " Z)", values);
        holds_before("(fetch-and-op X Y 1 " + op + " X)", values);
        holds_before("(accumulate Y 1 " + op + " Z)", values);
    }
    holds_before("(compare-and-swap X Y 1 C Z)", values);
    holds_before("(compare-and-swap X Y 1 Y Z)", values);
    holds_before("(compare-and-swap X Y 1 X C)", values);
}

TEST(ProveAtomics, BooleanPreconditions) {
    for (std::string const op : {"and", "or", "xor"}) {
        rma::Program const program = rma::program_of(
            "(rma (process 1 (shared (Y true) (Z false)) (store Z true) (accumulate Y 1 " + op + " Z)))");
        rma::Graph const graph(program);
        Formulas formulas(graph);
        Formula const Y = formulas.variable(graph.remotes().front().src);
        Formula const Z = formulas.variable({1});
        Formula const wp = before(formulas, Y, outcomes_of(formulas, 0), {.Y = graph.remotes().front().src});
        EXPECT_EQ(formulas.text(wp), formulas.text(formulas.apply(*parse_op(op), Y, Z)));
    }
}

/// An operand that no statement assigns is a number, so that what is added is a difference.
TEST(ProveAtomics, OperandsThatAreConstant) {
    for (auto const& [store, wp] : {std::pair{"(store Y 3)", "(<= Y 3)"}, {"(store Z 3)", "(<= (+ Y Z) 5)"}}) {
        rma::Program const program = rma::program_of("(rma (process 1 (shared (Y 0) (Z 2)) " + std::string(store) +
                                                     " (accumulate Y 1 + Z)) (invariant (<= Y 5)))");
        rma::Graph const graph(program);
        Formulas formulas(graph);
        Formula const p = formulas.with_places(program.properties.front().e);
        EXPECT_EQ(formulas.text(before(formulas, p, outcomes_of(formulas, 0), {.Y = graph.remotes().front().src})), wp);
    }
}

// ---- random programs

/// Without products of variables, about which solvers take long. Sums of two variables leave work to the solver: then
/// few predicates are used.
std::size_t most_predicates_of(Formulas& formulas) {
    bool are_differences = true;
    for (rma::RemoteIndex s = 0; s < formulas.graph().remotes().size(); ++s) {
        if (!formulas.graph().remotes()[s].is_atomic()) continue;
        for (Outcome const& outcome : outcomes_of(formulas, s)) {
            if (!formulas.is_linear(outcome.value)) return 0;
            are_differences = are_differences && formulas.symbols(outcome.value).size() < 2;
        }
    }
    return are_differences ? 24 : 6;
}

/// A part of the predicates that are found, so that much is unknown.
std::vector<Formula> some_predicates(Formulas& formulas, bool domains, std::mt19937_64& random) {
    std::vector<Formula> V = find_predicates(formulas, domains);
    std::erase_if(V, [&](Formula p) { return !formulas.difference(p) && !formulas.is_symbol(p); });
    std::erase_if(V, [&](Formula) { return random() % 4 == 0; });
    V.resize(std::min(V.size(), most_predicates_of(formulas)));
    return V;
}

// ---- each state of the machine is one of the abstraction

std::string key_of(rma::State const& state) {
    std::set<std::string> parts;
    for (rma::PendingWrites const& w : state.W)
        parts.insert(std::to_string(w.s) + "=" + w.val.to_string() + "*" + std::to_string(w.count));
    std::string text;
    for (auto const pc : state.pc) text += std::to_string(pc) + " ";
    for (Value const& v : state.M) text += v.to_string() + " ";
    for (rma::PendingReads const& r : state.R) text += std::to_string(r.s) + "*" + std::to_string(r.count) + " ";
    for (auto const& queue : state.A) {
        for (auto const s : queue) text += std::to_string(s) + ",";
        text += ";";
    }
    for (std::string const& part : parts) text += part + " ";
    return text;
}

struct Reached {
    std::vector<rma::State> states;
    bool is_violated = false;
};

/// Nothing if there are too many states.
std::optional<Reached> reached_by(rma::Machine const& machine) {
    constexpr std::size_t most = 2000;
    Reached result{{machine.initial()}};
    auto& states = result.states;
    std::set<std::string> seen{key_of(states.front())};
    for (std::size_t i = 0; i < states.size(); ++i) {
        for (rma::Property const& property : machine.program().properties) {
            if (property.is_final && !machine.is_final(states[i])) continue;
            auto const v = rma::evaluate(machine.graph(), states[i], property.e);
            result.is_violated = result.is_violated || (v && v->is_false());
        }
        for (rma::Transition const& t : machine.enabled(states[i])) {
            rma::State next = states[i];
            auto const effect = machine.apply(next, t);
            if (effect != rma::Effect::moved && effect != rma::Effect::failed) continue;
            result.is_violated = result.is_violated || effect == rma::Effect::failed;
            if (seen.insert(key_of(next)).second) states.push_back(std::move(next));
        }
        if (states.size() > most) return std::nullopt;
    }
    return result;
}

/// The states of an abstraction, by where processes are and what is pending.
class AbstractStates {
public:
    AbstractStates(Cubes& cubes, AbstractionOptions options)
        : graph_(cubes.formulas().graph()), V_(cubes.V()), model_(options.model), units_(rma::units_of(graph_)),
          system_(cubes, options), memory_(cubes.formulas(), cubes.V()) {}

    /// False if there are too many.
    bool find() {
        constexpr std::size_t most = 5000;
        std::set<rma::Packed> seen{system_.initial()};
        std::vector<rma::Packed> todo(seen.begin(), seen.end());
        rma::Expansion next;
        while (!todo.empty() && seen.size() <= most) {
            rma::Packed const words = todo.back();
            todo.pop_back();
            Abstraction::AbstractState state;
            system_.unpack(words.data(), state);
            states_[{state.pc, state.active}].push_back(std::move(state));
            system_.expand(words.data(), false, next);
            goes_wrong_ = goes_wrong_ || next.broken;
            for (auto const& edge : next.edges) goes_wrong_ = goes_wrong_ || edge.effect == rma::Effect::failed;
            for (auto const& edge : next.edges)
                if (rma::Packed to(next.next(edge), next.next(edge) + system_.words()); seen.insert(to).second)
                    todo.push_back(to);
        }
        return todo.empty();
    }

    /// Otherwise the program is verified.
    bool goes_wrong() const { return goes_wrong_; }

    bool have(rma::State const& state) {
        std::vector<std::uint8_t> active;
        for (rma::Unit const& unit : units_)
            if (model_ == Model::rma) active.push_back(static_cast<std::uint8_t>(std::min(2U, count(state, unit))));
        memory_.at(state.M);
        std::vector<Value> values;
        for (Formula const p : V_) values.push_back(memory_[p]);
        auto const elements = elements_of(state);
        auto const& all = states_[{state.pc, active}];
        return std::any_of(all.begin(), all.end(), [&](Abstraction::AbstractState const& abstract) {
            return agree(abstract.V, values) &&
                   std::all_of(elements.begin(), elements.end(),
                               [&](auto const& values_of_one) { return agree(abstract.sets, values_of_one); });
        });
    }

private:
    std::uint32_t count(rma::State const& state, rma::Unit const& unit) const {
        bool const is_atomic = graph_.remotes()[unit.s].is_atomic();
        std::uint32_t writes = 0;
        for (rma::PendingWrites const& w : state.W) writes += w.s == unit.s ? w.count : 0;
        if (unit.is_fetched) return writes;
        return state.pending(unit.s) - (is_atomic ? writes : 0);
    }

    /// The values of set predicates for each value that a pending write has or may get; bot for those of other sets.
    std::vector<std::vector<Value>> elements_of(rma::State const& state) {
        std::vector<std::vector<Value>> result;
        for (rma::UnitIndex u = 0; u < units_.size() && model_ == Model::rma; ++u) {
            rma::Remote const& remote = graph_.remotes()[units_[u].s];
            if (remote.is_atomic() && !units_[u].is_fetched) continue;
            Variable const x = units_[u].is_fetched ? remote.trg : remote.src;
            std::vector<Value> elements;
            for (rma::PendingWrites const& w : state.W)
                if (w.s == units_[u].s) elements.push_back(w.val);
            if (state.reads(units_[u].s) > 0) elements.push_back(state.M[x.index]);
            for (Value const& e : elements) {
                std::vector<Value> M = state.M;
                M[x.index] = e;
                memory_.at(M);
                auto& values = result.emplace_back();
                for (SetPredicate const& q : system_.set_predicates())
                    values.push_back(q.u == u ? memory_[V_[q.p]] : Value());
            }
        }
        return result;
    }

    static bool agree(std::vector<Bit> const& bits, std::vector<Value> const& values) {
        for (std::size_t i = 0; i < bits.size(); ++i)
            if (bits[i] != Bit::unknown && !values[i].is_bot() && (bits[i] == Bit::yes) != values[i].is_true())
                return false;
        return true;
    }

    rma::Graph const& graph_;
    std::vector<Formula> const& V_;
    Model model_;
    std::vector<rma::Unit> units_;
    Abstraction system_;
    InMemory memory_;
    bool goes_wrong_ = false;
    std::map<std::pair<std::vector<rma::StatementIndex>, std::vector<std::uint8_t>>,
             std::vector<Abstraction::AbstractState>>
        states_;
};

/// Whether each state of a program under RMA is one of the abstraction. Its properties are the predicates.
bool are_abstracted(std::string_view text) {
    rma::Program program = rma::program_of(text);
    std::vector<rma::Property> const properties = std::exchange(program.properties, {});
    rma::Graph const graph(program);
    Formulas formulas(graph);
    std::vector<Formula> V;
    for (rma::Property const& property : properties) V.push_back(formulas.with_places(property.e));
    Cubes cubes(formulas, V, *solve::solver_command("z3"), {.domains = false});
    AbstractStates abstract(cubes, {});
    auto const reached = reached_by(rma::Machine(graph));
    return reached && abstract.find() &&
           std::all_of(reached->states.begin(), reached->states.end(),
                       [&](rma::State const& state) { return abstract.have(state); });
}

/// One program for each thing that the transformers do to sets.
TEST(ProveAtomics, SetsChange) {
    // The new Y joins the set of a get that reads it.
    EXPECT_TRUE(are_abstracted("(rma (process 1 (shared (Y 0))) (process 2 (shared (R 0) (Z 1))"
                               "  (get R Y 1) (accumulate Y 1 + Z)) (invariant (<= Y 0)))"));
    // What is fetched second joins what was fetched first.
    std::string const twice = "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 0) (Z 1)) (local (i 0))"
                              "  (while (< i 2) (i := (+ i 1)) (fetch-and-op X Y 1 + Z)))";
    EXPECT_TRUE(are_abstracted(twice + " (invariant (<= X 0)) (invariant (<= Y 0)))"));
    // Y changes beside what was fetched first, and beside the set of a put.
    EXPECT_TRUE(are_abstracted(twice + " (invariant (= X (- Y 1))) (invariant (= X Y)))"));
    EXPECT_TRUE(are_abstracted("(rma (process 1 (shared (Y 0))) (process 2 (shared (A 0) (Z 1)) (put Y 1 A)"
                               "  (accumulate Y 1 + Z)) (invariant (= A Y)))"));
    // X changes beside the set of a put, when what was fetched is written.
    EXPECT_TRUE(are_abstracted("(rma (process 1 (shared (Y 5) (B 0))) (process 2 (shared (A 0) (X 0) (Z 1)) (put B 1 A)"
                               "  (fetch-and-op X Y 1 no-op Z)) (invariant (= A X)))"));
}

/// Under sequential consistency and RMA, in both modes. What goes wrong is not verified.
TEST(ProveAtomics, StatesOfTheMachineAreAbstracted) {
    rma::RandomShape const shape{.statements = 6, .remote = 3, .third = 10, .unbounded = 0, .atomics = 75};
    std::size_t compared = 0;
    std::size_t verified = 0;
    std::size_t fetched = 0;
    for (std::uint64_t i = 0; i < naive::cases(400); ++i) {
        rma::Program const program = rma::random_program(naive::seeded(605), i, shape);
        rma::Graph const graph(program);
        if (!graph.has_atomics()) continue;
        std::mt19937_64 random(naive::seeded(606) + i);
        Formulas formulas(graph);
        bool const domains = random() % 2 == 0;
        std::vector<Formula> const V = some_predicates(formulas, domains, random);
        if (V.empty()) continue;
        Cubes cubes(formulas, V, *solve::solver_command("z3"), {.size = 3, .domains = domains});
        for (Model const model : {Model::sc, Model::rma}) {
            auto const reached = reached_by(rma::Machine(graph, model));
            if (!reached) continue;
            for (AbstractMode const mode : {AbstractMode::K, AbstractMode::S}) {
                AbstractStates abstract(cubes, {model, mode, {.relational = i % 2 == 0}});
                if (!abstract.find()) continue;
                ++compared;
                verified += abstract.goes_wrong() ? 0 : 1;
                ASSERT_TRUE(abstract.goes_wrong() || !reached->is_violated)
                    << "case " << i << ", mode " << to_string(mode) << '\n'
                    << rma::print(program);
                for (rma::State const& state : reached->states) {
                    for (rma::PendingWrites const& w : state.W) fetched += graph.remotes()[w.s].is_atomic() ? 1 : 0;
                    ASSERT_TRUE(abstract.have(state))
                        << "case " << i << ", mode " << to_string(mode) << ", " << key_of(state) << '\n'
                        << rma::print(program);
                }
            }
        }
    }
    EXPECT_GE(compared, naive::least(400));
    EXPECT_GE(verified, naive::least(100));
    EXPECT_GE(fetched, naive::least(400));
}

} // namespace
} // namespace matchpoint::proofs
