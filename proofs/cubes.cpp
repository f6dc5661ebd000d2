#include "proofs/cubes.hpp"

#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/numbers.hpp"
#include "base/overloaded.hpp"
#include "proofs/differences.hpp"
#include "proofs/prime_cubes.hpp"
#include "smt_machine/s_expressions.hpp"

namespace matchpoint::proofs {

namespace {

constexpr std::size_t few_predicates = 16; // for the solver: it can look at all their cubes,
constexpr std::size_t small_cube = 3;      // or at these
constexpr std::size_t most_known = 1000;   // models

std::vector<Formula> joined(std::vector<Formula> all, std::vector<Formula> const& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

/// The search for the cubes over some predicates that imply phi, with a solver.
class Cubes::Search {
public:
    Search(Cubes& cubes, Formula phi, std::vector<std::uint32_t> predicates, std::size_t size, bool consistent)
        : cubes_(cubes), phi_(phi), predicates_(std::move(predicates)), most_(size), consistent_(consistent) {
        if (predicates_.size() > most_predicates) predicates_.resize(most_predicates);
        states_ = cubes_.known_states(phi_, predicates_);
        if (!consistent_) return;
        for (Cube const& cube : cubes_.contradictions())
            if (auto const bits = bits_of(cube)) implicants_.push_back(*bits);
    }

    Cover run() {
        for (size_ = 0; size_ <= most_; ++size_) {
            was_cut_ = false;
            seen_.clear();
            extend({});
            if (!was_cut_) break;
        }
        return std::move(result_);
    }

private:
    /// Nothing if it has other predicates.
    std::optional<Bits> bits_of(Cube const& cube) const {
        Bits bits;
        for (Literal const& l : cube) {
            auto const at = std::lower_bound(predicates_.begin(), predicates_.end(), l.predicate);
            if (at == predicates_.end() || *at != l.predicate) return std::nullopt;
            (l.negated ? bits.no : bits.yes) |= bit_of(static_cast<std::size_t>(at - predicates_.begin()));
        }
        return bits;
    }

    /// The cubes of size_ predicates that contain this one. Recurses at most size_ deep.
    void extend(Bits const& cube) {
        spend(16 + states_.size() + implicants_.size());
        if (!seen_.insert(cube).second) return;
        if (std::any_of(implicants_.begin(), implicants_.end(), [&](Bits const& c) { return c.is_part_of(cube); }))
            return;
        auto const known = std::find_if(states_.begin(), states_.end(), [&](State s) { return cube.holds_in(s); });
        std::optional<State> const state = known != states_.end() ? std::optional(*known) : found_state(cube);
        if (!state) return;
        if (cube.size() == size_) {
            was_cut_ = true;
            return;
        }
        for (std::size_t p = 0; p < predicates_.size(); ++p) {
            if (((cube.yes | cube.no) & bit_of(p)) != 0) continue;
            extend((*state & bit_of(p)) != 0 ? Bits{cube.yes, cube.no | bit_of(p)}
                                             : Bits{cube.yes | bit_of(p), cube.no});
        }
    }

    /// Another state in which the cube holds and phi does not. Nothing: there is none, so the cube implies phi; or the
    /// solver does not know.
    std::optional<State> found_state(Bits const& cube) {
        Cube const literals = cube.literals(predicates_);
        State state = 0;
        switch (cubes_.ask(literals, phi_, predicates_, &state)) {
        case Reply::sat: states_.push_back(state); return state;
        case Reply::unknown: return std::nullopt;
        case Reply::unsat: break;
        }
        implicants_.push_back(cube);
        if (!consistent_ || cubes_.is_satisfiable(literals, predicates_)) result_.push_back(literals);
        return std::nullopt;
    }

    Cubes& cubes_;
    Formula phi_;
    std::vector<std::uint32_t> predicates_; // ascending
    std::size_t most_;
    bool consistent_;
    std::size_t size_ = 0;
    bool was_cut_ = false; // a cube of size_ predicates does not imply phi, but a longer one may
    boost::unordered_flat_set<Bits, boost::hash<Bits>> seen_;
    std::vector<State> states_;    // in which phi is false, as far as they are known
    std::vector<Bits> implicants_; // also those that nothing satisfies
    Cover result_;
};

Cubes::Cubes(Formulas& formulas, std::vector<Formula> V, solve::SolverCommand command, CubeOptions options)
    : formulas_(formulas), V_(std::move(V)), domains_(formulas),
      solver_(std::move(command), {.time = std::chrono::milliseconds(500)}), options_(options),
      evaluation_(formulas_, V_) {
    for (std::uint32_t x = 0; x < formulas_.symbol_count(); ++x) {
        symbols_.push_back({x});
        smt_names_.emplace(formulas_.smt_name({x}), Symbol{x});
    }
}

Cubes::Cubes(Cubes const& of, std::vector<Formula> const& more)
    : Cubes(of.formulas_, joined(of.V_, more), of.solver_.command(), of.options_) {
    questions_ = of.questions_;
    known_ = of.known_;
    for (Known& k : known_) look_at_predicates(k);
}

/// The predicates that share a variable with phi, with those, and so on. If phi has no variable: all.
std::vector<std::uint32_t> Cubes::near(Formula phi) const {
    std::vector<bool> reached(formulas_.symbol_count(), formulas_.symbols(phi).empty());
    for (Symbol const x : formulas_.symbols(phi)) reached[x.index] = true;
    std::vector<std::uint32_t> result;
    for (std::uint32_t hop = 0; hop < options_.hops; ++hop) {
        result.clear();
        for (std::uint32_t p = 0; p < V_.size(); ++p) {
            auto const& symbols = formulas_.symbols(V_[p]);
            if (std::any_of(symbols.begin(), symbols.end(), [&](Symbol x) { return reached[x.index]; }))
                result.push_back(p);
        }
        for (std::uint32_t const p : result)
            for (Symbol const x : formulas_.symbols(V_[p])) reached[x.index] = true;
    }
    return result;
}

/// Without predicates that compare a variable with one other variable and nothing else, if phi does not have it: for
/// each value of that other variable, they say nothing, or contradict each other.
std::vector<std::uint32_t> Cubes::useful(std::vector<std::uint32_t> predicates, Formula phi) const {
    for (std::size_t before = predicates.size() + 1; predicates.size() < before;) {
        before = predicates.size();
        std::map<Symbol, std::set<Symbol>> others;
        std::set<Symbol> kept(formulas_.symbols(phi).begin(), formulas_.symbols(phi).end());
        for (std::uint32_t const p : predicates) {
            auto const& symbols = formulas_.symbols(V_[p]);
            if (symbols.size() != 2 || !formulas_.difference(V_[p])) {
                kept.insert(symbols.begin(), symbols.end());
                continue;
            }
            others[symbols[0]].insert(symbols[1]);
            others[symbols[1]].insert(symbols[0]);
        }
        std::erase_if(predicates, [&](std::uint32_t p) {
            auto const& symbols = formulas_.symbols(V_[p]);
            return std::any_of(symbols.begin(), symbols.end(),
                               [&](Symbol x) { return !kept.contains(x) && others[x].size() == 1; });
        });
    }
    return predicates;
}

Cover const& Cubes::F(Formula phi) {
    if (auto const at = covers_.find(phi); at != covers_.end()) return at->second;
    Cover cover;
    if (formulas_.is_true(phi)) {
        cover.emplace_back();
    } else if (!formulas_.is_false(phi)) {
        auto const predicates = near(phi);
        std::size_t const most = options_.size == 0 ? predicates.size() : options_.size;
        auto found = options_.domains ? by_domains(predicates, phi, most) : std::nullopt;
        Formula const bounded = options_.domains ? within_bounds(phi) : phi;
        if (!found) found = implicants_by_cycles(formulas_, V_, predicates, bounded, most);
        if (!found && options_.domains) found = by_domains(of_few_values(predicates, phi), phi, most);
        cover = found ? std::move(*found) : by_solver(predicates, bounded, most);
    }
    return covers_.emplace(phi, std::move(cover)).first->second;
}

/// phi, or one of its variables that has few values is less than the least or greater than the greatest one: predicates
/// that say otherwise are left out.
Formula Cubes::within_bounds(Formula phi) {
    Formula result = phi;
    auto const symbols = formulas_.symbols(phi); // these move when formulas are made
    for (Symbol const x : symbols) {
        auto const* const values = domains_.of(x);
        if (values == nullptr || formulas_.is_boolean(x)) continue;
        auto const less = [](Value const& a, Value const& b) { return *a.small() < *b.small(); };
        if (!std::all_of(values->begin(), values->end(), [](Value const& v) { return v.small().has_value(); }))
            continue;
        auto const [least, greatest] = std::minmax_element(values->begin(), values->end(), less);
        Formula const below = formulas_.apply(Op::less, formulas_.of(x), formulas_.value(*least));
        Formula const above = formulas_.apply(Op::greater, formulas_.of(x), formulas_.value(*greatest));
        for (Formula const outside : {below, above}) result = formulas_.apply(Op::or_, result, outside);
    }
    return result;
}

/// Those that differences.hpp can read.
std::vector<std::uint32_t> Cubes::comparisons(std::vector<std::uint32_t> predicates) const {
    std::erase_if(predicates, [this](std::uint32_t p) {
        auto const d = formulas_.difference(V_[p]);
        return d ? d->is_equation : !formulas_.is_symbol(V_[p]);
    });
    return predicates;
}

/// If there are many predicates: only what comparisons say, or small cubes of predicates about phi's own variables.
Cover Cubes::by_solver(std::vector<std::uint32_t> const& predicates, Formula phi, std::size_t size) {
    if (predicates.size() <= few_predicates) return Search(*this, phi, useful(predicates, phi), size, true).run();
    if (auto found = implicants_by_cycles(formulas_, V_, comparisons(predicates), phi, size)) return std::move(*found);
    std::vector<std::uint32_t> own = predicates;
    auto const& mine = formulas_.symbols(phi);
    std::erase_if(own, [&](std::uint32_t p) {
        auto const& symbols = formulas_.symbols(V_[p]);
        return !std::includes(mine.begin(), mine.end(), symbols.begin(), symbols.end());
    });
    return Search(*this, phi, std::move(own), std::min(size, small_cube), true).run();
}

/// As many as have few values together, those of phi's variables first.
std::vector<std::uint32_t> Cubes::of_few_values(std::vector<std::uint32_t> predicates, Formula phi) const {
    std::set<Symbol> symbols(formulas_.symbols(phi).begin(), formulas_.symbols(phi).end());
    std::vector<std::uint32_t> result;
    while (!predicates.empty()) {
        auto const added = [&](std::uint32_t p) {
            auto const& all = formulas_.symbols(V_[p]);
            return std::count_if(all.begin(), all.end(), [&](Symbol x) { return !symbols.contains(x); });
        };
        auto const next = std::min_element(predicates.begin(), predicates.end(),
                                           [&](std::uint32_t p, std::uint32_t q) { return added(p) < added(q); });
        std::set<Symbol> more = symbols;
        more.insert(formulas_.symbols(V_[*next]).begin(), formulas_.symbols(V_[*next]).end());
        std::vector<Symbol> const all(more.begin(), more.end());
        if (domains_.for_each(all, [](auto const&) { return false; })) {
            result.push_back(*next);
            symbols = std::move(more);
        }
        predicates.erase(next);
    }
    std::sort(result.begin(), result.end());
    return result;
}

/// Nothing if the variables can have too many values.
std::optional<Cover> Cubes::by_domains(std::vector<std::uint32_t> const& predicates, Formula phi, std::size_t size) {
    auto used = predicates;
    if (used.size() > most_predicates) used.resize(most_predicates);
    std::set<Symbol> all(formulas_.symbols(phi).begin(), formulas_.symbols(phi).end());
    std::vector<Formula> formulas{phi};
    for (std::uint32_t const p : used) {
        all.insert(formulas_.symbols(V_[p]).begin(), formulas_.symbols(V_[p]).end());
        formulas.push_back(V_[p]);
    }
    std::vector<Symbol> const symbols(all.begin(), all.end());
    Evaluation evaluation(formulas_, formulas);
    std::set<State> bad;
    std::set<State> good;
    bool have_values = true;
    bool const is_finite = domains_.for_each(symbols, [&](std::vector<Value> const& values) {
        spend(formulas.size());
        evaluation.at(symbols, values);
        State state = 0;
        for (std::size_t i = 0; i < used.size(); ++i) {
            Value const& v = evaluation[V_[used[i]]];
            have_values = have_values && !v.is_bot();
            if (v.is_true()) state |= bit_of(i);
        }
        (evaluation[phi].is_true() ? good : bad).insert(state);
        return have_values;
    });
    if (!is_finite || !have_values) return std::nullopt;
    Cover cover;
    for (Bits const& cube : prime_cubes({good.begin(), good.end()}, {bad.begin(), bad.end()}, size))
        cover.push_back(cube.literals(used));
    return cover;
}

Cover const& Cubes::inconsistent() {
    Formula const never = formulas_.truth(false);
    if (inconsistent_) return *inconsistent_;
    auto const all = near(never);
    bool const has_others = comparisons(all).size() < all.size() && all.size() <= few_predicates;
    inconsistent_ = has_others ? Search(*this, never, all, 3, false).run() : contradictions();
    return *inconsistent_;
}

/// Minimal cubes of at most three comparisons that nothing satisfies, found without a solver.
Cover const& Cubes::contradictions() {
    if (!contradictions_) {
        auto found = contradictions_by_cycles(formulas_, V_, comparisons(near(formulas_.truth(false))), 3);
        contradictions_ = found ? std::move(*found) : Cover();
    }
    return *contradictions_;
}

bool Cubes::is_satisfiable(Cube const& cube, std::vector<std::uint32_t> const& predicates) {
    auto const [at, is_new] = satisfiable_.try_emplace(cube, true);
    if (!is_new) return at->second;
    spend(known_.size());
    bool const is_known = std::any_of(known_.begin(), known_.end(), [&](Known const& k) {
        return std::all_of(cube.begin(), cube.end(),
                           [&](Literal const& l) { return k.holds[l.predicate] == std::optional(!l.negated); });
    });
    at->second = is_known || ask(cube, formulas_.truth(false), predicates, nullptr) != Reply::unsat;
    return at->second;
}

/// Null if a value in the model is too large. The result is there until the next call.
Cubes::Known const* Cubes::keep(std::string_view model) {
    Known k;
    for (Symbol const x : symbols_)
        k.values.push_back(formulas_.is_boolean(x) ? Value::boolean(false) : Value::integer(0)); // of others: any value
    bool is_whole = true;
    smt_machine::read_model(model, [&](smt_machine::ModelEntry const& entry) {
        auto const x = smt_names_.find(entry.name);
        if (x == smt_names_.end()) return;
        auto const i = entry.integer();
        is_whole = is_whole && (i || formulas_.is_boolean(x->second));
        k.values[x->second.index] = i ? Value::integer(*i) : Value::boolean(entry.value == "true");
    });
    if (!is_whole) return nullptr;
    look_at_predicates(k);
    latest_ = std::move(k);
    if (known_.size() < most_known) known_.push_back(latest_);
    return &latest_;
}

void Cubes::look_at_predicates(Known& k) {
    spend(V_.size());
    evaluation_.at(symbols_, k.values);
    k.holds.clear();
    for (Formula const p : V_) {
        Value const& v = evaluation_[p];
        k.holds.push_back(v.is_bot() ? std::nullopt : std::optional(v.is_true()));
    }
}

/// Which of the predicates hold in a model; nothing if one has no value there.
std::optional<Cubes::State> Cubes::state_in(Known const& k, std::vector<std::uint32_t> const& predicates) {
    State state = 0;
    for (std::size_t i = 0; i < predicates.size(); ++i) {
        auto const holds = k.holds[predicates[i]];
        if (!holds) return std::nullopt;
        if (*holds) state |= bit_of(i);
    }
    return state;
}

/// Which of the predicates hold in the known models in which phi is false.
std::vector<Cubes::State> Cubes::known_states(Formula phi, std::vector<std::uint32_t> const& predicates) const {
    std::set<State> states;
    Evaluation evaluation(formulas_, {phi});
    for (Known const& k : known_) {
        spend(1 + predicates.size());
        evaluation.at(symbols_, k.values);
        if (!evaluation[phi].is_false()) continue;
        if (auto const state = state_in(k, predicates)) states.insert(*state);
    }
    return {states.begin(), states.end()};
}

/// Whether the cube holds somewhere and phi does not. A model has the truth values of the predicates, as `p%%0`: no
/// mangled name is like that.
solve::Answer Cubes::question(Cube const& cube, Formula phi, std::vector<std::uint32_t> const& predicates) {
    bool linear = formulas_.is_linear(phi);
    std::set<Symbol> symbols(formulas_.symbols(phi).begin(), formulas_.symbols(phi).end());
    for (std::uint32_t const p : predicates) {
        linear = linear && formulas_.is_linear(V_[p]);
        symbols.insert(formulas_.symbols(V_[p]).begin(), formulas_.symbols(V_[p]).end());
    }
    std::string problem = fmt::format("(set-logic {})\n", linear ? "QF_LIA" : "QF_NIA");
    for (Symbol const x : symbols)
        problem +=
            fmt::format("(declare-const {} {})\n", formulas_.smt_name(x), formulas_.is_boolean(x) ? "Bool" : "Int");
    for (std::uint32_t const p : predicates)
        problem += fmt::format("(declare-const p%%{0} Bool)(assert (= p%%{0} {1}))\n", p, formulas_.smt(V_[p]));
    for (Literal const& l : cube)
        problem += fmt::format("(assert (= p%%{} {}))\n", l.predicate, l.negated ? "false" : "true");
    problem += fmt::format("(assert (not {}))\n", formulas_.smt(phi));
    ++*questions_;
    // Always with a model, since a process keeps its options.
    auto answer = solver_.check(problem, {.model = true});
    look_at_watch();
    return answer;
}

/// Whether there is a state in which the cube holds and phi does not, and which predicates hold there. The solver is
/// asked only if comparisons and remainders do not settle it, and about the predicates of the cube. The others are
/// evaluated in its model. If one has no value there, since a divisor is zero or a number is large, the solver is asked
/// again about all of them.
Cubes::Reply Cubes::ask(Cube const& cube, Formula phi, std::vector<std::uint32_t> const& predicates, State* state) {
    std::vector<std::uint32_t> own;
    std::vector<Formula> all{formulas_.negated(phi)};
    for (Literal const& l : cube) {
        own.push_back(l.predicate);
        all.push_back(l.negated ? formulas_.negated(V_[l.predicate]) : V_[l.predicate]);
    }
    if (contradict_by_cycles(formulas_, all)) return Reply::unsat;
    auto const quick = question(cube, phi, own);
    auto const* const sat = std::get_if<solve::answer::Sat>(&quick);
    if (sat == nullptr) return reply(quick);
    Known const* const known = keep(sat->model);
    if (state == nullptr) return Reply::sat;
    if (auto const found = known == nullptr ? std::nullopt : state_in(*known, predicates)) {
        *state = *found;
        return Reply::sat;
    }
    auto const whole = question(cube, phi, predicates);
    if (auto const* const model = std::get_if<solve::answer::Sat>(&whole)) {
        if (std::holds_alternative<solve::answer::Timeout>(model->no_model)) return Reply::unknown;
        *state = state_of(*model, predicates);
    }
    return reply(whole);
}

/// Throws SolverFailed.
Cubes::Reply Cubes::reply(solve::Answer const& answer) const {
    return std::visit(
        overloaded{
            [](solve::answer::Sat const&) { return Reply::sat; },
            [](solve::answer::Unsat const&) { return Reply::unsat; },
            [](solve::answer::Unknown const&) { return Reply::unknown; },
            [](solve::answer::Timeout const&) { return Reply::unknown; },
            [&](auto const& failed) -> Reply { throw SolverFailed{solve::to_string(failed, solver_.command())}; },
        },
        answer);
}

/// What a model says of the predicates. Throws SolverFailed if it does not say it of all.
Cubes::State Cubes::state_of(solve::answer::Sat const& sat, std::vector<std::uint32_t> const& predicates) const {
    State state = 0;
    std::size_t known = 0;
    smt_machine::read_model(sat.model, [&](smt_machine::ModelEntry const& entry) {
        if (!entry.name.starts_with("p%%")) return;
        auto const p = to_number<std::uint32_t>(entry.name.substr(3));
        auto const at = std::lower_bound(predicates.begin(), predicates.end(), p.value_or(rma::no_index));
        if (!p || at == predicates.end() || *at != *p) return;
        if (entry.value == "true") state |= bit_of(static_cast<std::size_t>(at - predicates.begin()));
        ++known;
    });
    if (known < predicates.size()) throw SolverFailed{solve::to_string(needing_model(sat), solver_.command())};
    return state;
}

std::string Cubes::text(Literal l) const {
    return l.negated ? fmt::format("(not {})", formulas_.text(V_[l.predicate])) : formulas_.text(V_[l.predicate]);
}

std::string Cubes::text(Cube const& cube) const {
    if (cube.empty()) return "true";
    if (cube.size() == 1) return text(cube.front());
    std::string result = "(and";
    for (Literal const& l : cube) result += " " + text(l);
    return result + ")";
}

std::string Cubes::text(Cover const& cover) const {
    if (cover.empty()) return "false";
    if (cover.size() == 1) return text(cover.front());
    std::string result = "(or";
    for (Cube const& cube : cover) result += " " + text(cube);
    return result + ")";
}

} // namespace matchpoint::proofs
