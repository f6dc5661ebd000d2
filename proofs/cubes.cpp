#include "proofs/cubes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/numbers.hpp"
#include "base/overloaded.hpp"
#include "proofs/differences.hpp"
#include "smt_machine/s_expressions.hpp"

namespace matchpoint::proofs {

/// The search for the cubes over some predicates that imply phi.
class Cubes::Search {
public:
    Search(Cubes& cubes, Formula phi, std::vector<std::uint32_t> predicates, std::size_t most, bool consistent)
        : cubes_(cubes), phi_(phi), predicates_(std::move(predicates)), most_(most), consistent_(consistent) {}

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
    /// `state`: by predicate of V.
    static bool holds(Cube const& cube, std::vector<bool> const& state) {
        return std::all_of(cube.begin(), cube.end(), [&](Literal const& l) { return state[l.predicate] != l.negated; });
    }

    /// The cubes of size_ predicates that contain this one. Recurses at most size_ deep.
    void extend(Cube const& cube) {
        spend(16 + states_.size());
        if (!seen_.insert(cube).second) return;
        if (std::any_of(implicants_.begin(), implicants_.end(), [&](Cube const& c) { return is_part(c, cube); }))
            return;
        std::size_t const i = first_that_holds(cube);
        if (i == states_.size() && !finds_state(cube)) return;
        if (cube.size() == size_) {
            was_cut_ = true;
            return;
        }
        for (std::uint32_t const p : predicates_) {
            Literal const l{p, states_[i][p]};
            auto const at = std::lower_bound(cube.begin(), cube.end(), l, [](Literal const& a, Literal const& b) {
                return a.predicate < b.predicate;
            });
            if (at != cube.end() && at->predicate == p) continue;
            Cube longer = cube;
            longer.insert(longer.begin() + (at - cube.begin()), l);
            extend(longer);
        }
    }

    std::size_t first_that_holds(Cube const& cube) const {
        std::size_t i = 0;
        while (i < states_.size() && !holds(cube, states_[i])) ++i;
        return i;
    }

    /// Asks for another state in which the cube holds and phi does not. False: there is none, so the cube implies phi;
    /// or the solver does not know.
    bool finds_state(Cube const& cube) {
        std::vector<bool> state(cubes_.V_.size());
        switch (cubes_.ask(cube, phi_, predicates_, &state)) {
        case Reply::sat: states_.push_back(std::move(state)); return true;
        case Reply::unknown: return false;
        case Reply::unsat: break;
        }
        implicants_.push_back(cube);
        if (!consistent_ || cubes_.is_satisfiable(cube, predicates_)) result_.push_back(cube);
        return false;
    }

    Cubes& cubes_;
    Formula phi_;
    std::vector<std::uint32_t> predicates_;
    std::size_t most_;
    bool consistent_;
    std::size_t size_ = 0;
    bool was_cut_ = false; // a cube of size_ predicates does not imply phi, but a longer one may
    std::set<Cube> seen_;
    std::vector<std::vector<bool>> states_;
    Cover implicants_; // also those that nothing satisfies
    Cover result_;
};

Cubes::Cubes(Formulas& formulas, std::vector<Formula> V, solve::SolverCommand command, CubeOptions options)
    : formulas_(formulas), V_(std::move(V)), solver_(std::move(command), {.time = std::chrono::milliseconds(500)}),
      options_(options) {}

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
        auto predicates = near(phi);
        std::size_t const most = options_.size == 0 ? predicates.size() : options_.size;
        auto by_cycles = implicants_by_cycles(formulas_, V_, predicates, phi, most);
        cover = by_cycles ? std::move(*by_cycles) : Search(*this, phi, useful(predicates, phi), most, true).run();
    }
    return covers_.emplace(phi, std::move(cover)).first->second;
}

Cover const& Cubes::inconsistent() {
    Formula const never = formulas_.truth(false);
    if (!inconsistent_) inconsistent_ = contradictions_by_cycles(formulas_, V_, 3);
    if (!inconsistent_) inconsistent_ = Search(*this, never, near(never), 3, false).run();
    return *inconsistent_;
}

bool Cubes::is_satisfiable(Cube const& cube, std::vector<std::uint32_t> const& predicates) {
    auto const [at, is_new] = satisfiable_.try_emplace(cube, true);
    if (is_new) at->second = ask(cube, formulas_.truth(false), predicates, nullptr) != Reply::unsat;
    return at->second;
}

/// Whether there is a state in which the cube holds and phi does not, and which predicates hold there.
Cubes::Reply Cubes::ask(Cube const& cube, Formula phi, std::vector<std::uint32_t> const& predicates,
                        std::vector<bool>* state) {
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
    // `p%%0`: no mangled name is like that.
    for (std::uint32_t const p : predicates)
        problem += fmt::format("(declare-const p%%{0} Bool)(assert (= p%%{0} {1}))\n", p, formulas_.smt(V_[p]));
    for (Literal const& l : cube)
        problem += fmt::format("(assert (= p%%{} {}))\n", l.predicate, l.negated ? "false" : "true");
    problem += fmt::format("(assert (not {}))\n", formulas_.smt(phi));
    ++questions_;
    // Always with a model, since a process keeps its options.
    auto const answer = solver_.check(problem, {.model = true});
    look_at_watch();
    return std::visit(
        overloaded{
            [&](solve::answer::Sat const& sat) {
                if (state == nullptr) return Reply::sat;
                std::size_t known = 0;
                smt_machine::read_model(sat.model, [&](smt_machine::ModelEntry const& entry) {
                    if (!entry.name.starts_with("p%%")) return;
                    auto const p = to_number<std::uint32_t>(entry.name.substr(3));
                    if (!p || *p >= V_.size()) return;
                    (*state)[*p] = entry.value == "true";
                    ++known;
                });
                if (known < predicates.size())
                    throw SolverFailed{solve::to_string(needing_model(sat), solver_.command())};
                return Reply::sat;
            },
            [](solve::answer::Unsat const&) { return Reply::unsat; },
            [](solve::answer::Unknown const&) { return Reply::unknown; },
            [](solve::answer::Timeout const&) { return Reply::unknown; },
            [&](auto const& failed) -> Reply { throw SolverFailed{solve::to_string(failed, solver_.command())}; },
        },
        answer);
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
