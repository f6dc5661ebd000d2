#include "proofs/differences.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/limits.hpp"

namespace matchpoint::proofs {

namespace {

constexpr std::int64_t largest = std::int64_t{1} << 40U; // of a constant: sums of thousands do not overflow
constexpr std::size_t most_cases = 4096;                 // of conjunctions
constexpr std::size_t most_cubes = 1000;                 // that contradict some of them
constexpr unsigned deepest = 500;                        // operators inside of each other
constexpr std::size_t most_edges = 100'000;              // that paths are extended by
constexpr std::int64_t largest_modulus = 64;             // of remainders
constexpr std::int64_t most_residues = 256;              // of all variables together

/// from - to <= c; by a literal, or by the formula.
struct Edge {
    std::uint32_t from;
    std::uint32_t to;
    std::int64_t c;
    std::optional<Literal> literal = std::nullopt;
};

struct Conjunction {
    std::vector<Edge> edges;
    std::vector<std::pair<Symbol, bool>> booleans;
};
using Cases = std::optional<std::vector<Conjunction>>; // nothing if there are other comparisons, or too many cases

/// The union; none if it contains a predicate and its negation.
std::optional<Cube> united(Cube const& a, Cube const& b) {
    Cube all;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    for (std::size_t i = 1; i < all.size(); ++i)
        if (all[i].predicate == all[i - 1].predicate) return std::nullopt;
    return all;
}

/// Those that do not contain another one.
Cover minimal(Cover cover) {
    std::sort(cover.begin(), cover.end(),
              [](Cube const& a, Cube const& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
    Cover result;
    for (Cube const& cube : cover) {
        spend(1 + result.size());
        if (std::none_of(result.begin(), result.end(), [&](Cube const& c) { return is_part(c, cube); }))
            result.push_back(cube);
    }
    return result;
}

/// Formulas as disjunctions of conjunctions.
class Normal {
public:
    explicit Normal(Formulas const& formulas) : formulas_(formulas), constant_(formulas.symbol_count()) {}

    std::uint32_t constant_node() const { return constant_; }

    /// Of f, or of its negation if it has to be false.
    Cases cases(Formula f, bool holds, unsigned depth = 0) const {
        if (depth > deepest) return std::nullopt;
        if (auto const v = formulas_.constant(f)) {
            if (v->is_true() == holds) return std::vector<Conjunction>(1);
            return std::vector<Conjunction>();
        }
        if (formulas_.is_symbol(f)) return std::vector{Conjunction{{}, {{formulas_.symbols(f).front(), holds}}}};
        Op const op = formulas_.op(f);
        auto const operands = formulas_.operands(f);
        auto const of = [&](std::size_t k, bool wanted) { return cases(operands[k], wanted, depth + 1); };
        if (op == Op::not_) return of(0, !holds);
        if (op == Op::and_ || op == Op::or_) {
            bool const both = (op == Op::and_) == holds;
            return both ? product(of(0, holds), of(1, holds)) : sum(of(0, holds), of(1, holds));
        }
        if (op == Op::ite) return sum(product(of(0, true), of(1, holds)), product(of(0, false), of(2, holds)));
        if (op == Op::equal && formulas_.is_boolean(operands[0]))
            return sum(product(of(0, true), of(1, holds)), product(of(0, false), of(1, !holds)));
        return comparison(f, holds);
    }

    /// `x <= y + c` or its negation, as an edge.
    std::optional<Edge> edge(Difference const& d, bool holds) const {
        auto const c = d.c.small();
        if (!c || *c >= largest || *c <= -largest) return std::nullopt;
        std::uint32_t const y = d.y ? d.y->index : constant_;
        return holds ? Edge{d.x.index, y, *c} : Edge{y, d.x.index, -*c - 1};
    }

    static Cases product(Cases const& a, Cases const& b) {
        if (!a || !b || a->size() * b->size() > most_cases) return std::nullopt;
        std::vector<Conjunction> result;
        for (Conjunction const& c : *a)
            for (Conjunction const& d : *b) {
                spend(1 + c.edges.size() + d.edges.size());
                Conjunction& both = result.emplace_back(c);
                both.edges.insert(both.edges.end(), d.edges.begin(), d.edges.end());
                both.booleans.insert(both.booleans.end(), d.booleans.begin(), d.booleans.end());
            }
        return result;
    }

private:
    Cases comparison(Formula f, bool holds) const {
        auto const d = formulas_.difference(f);
        if (!d) return std::nullopt;
        auto const at_most = edge(*d, true);
        if (!at_most) return std::nullopt;
        if (!d->is_equation) return std::vector{Conjunction{{holds ? *at_most : *edge(*d, false)}, {}}};
        Edge const at_least{at_most->to, at_most->from, -at_most->c};
        if (holds) return std::vector{Conjunction{{*at_most, at_least}, {}}};
        return std::vector{Conjunction{{{at_most->from, at_most->to, at_most->c - 1}}, {}},
                           Conjunction{{{at_least.from, at_least.to, at_least.c - 1}}, {}}};
    }

    static Cases sum(Cases a, Cases const& b) {
        if (!a || !b || a->size() + b->size() > most_cases) return std::nullopt;
        a->insert(a->end(), b->begin(), b->end());
        return a;
    }
    Formulas const& formulas_;
    std::uint32_t constant_;
};

/// The literals on simple cycles of negative weight: fewest first, as many as most_edges allow.
class Cycles {
public:
    /// Edges go from one of `nodes` nodes to another one. No predicate has more than two edges.
    Cycles(std::vector<Edge> edges, std::uint32_t nodes, std::size_t size)
        : edges_(std::move(edges)), from_(nodes), is_on_(nodes), size_(size) {
        for (std::uint32_t i = 0; i < edges_.size(); ++i) from_[edges_[i].from].push_back(i);
    }

    /// Of cycles with one of the first edges.
    Cover through_first(std::size_t count) { return found(count, false); }
    /// The same, but without a cube that implies another one since one of its comparisons does: where `x <= 3` holds,
    /// so does `x <= 4`, and a state knows both.
    Cover weakest_through_first(std::size_t count) {
        weaker_.assign(edges_.size(), 0);
        for (std::size_t i = 0; i < edges_.size(); ++i) weaker_[i] = weaker(edges_[i]);
        return found(count, true);
    }

private:
    Cover found(std::size_t count, bool weakest) {
        is_weakest_ = weakest;
        for (wanted_ = 0; wanted_ <= size_ && steps_ < most_edges && is_cut_; ++wanted_) {
            is_cut_ = false;
            for (first_ = 0; first_ < count; ++first_) follow(first_, 0);
        }
        return minimal(std::move(found_));
    }

    /// How much more the next weaker comparison of the same variables allows.
    std::int64_t weaker(Edge const& edge) const {
        std::int64_t least = largest;
        for (std::uint32_t const i : from_[edge.from])
            if (edges_[i].literal && edges_[i].to == edge.to && edges_[i].c > edge.c)
                least = std::min(least, edges_[i].c - edge.c);
        return least;
    }

    /// Recurses as deep as a cycle is long. Every cycle is found from its first edge, when as many literals are wanted
    /// as it has.
    void follow(std::uint32_t e, std::int64_t weight) {
        if (++steps_ > most_edges) return;
        spend();
        Edge const& edge = edges_[e];
        weight += edge.c;
        if (edge.literal) {
            if (path_.size() == wanted_) is_cut_ = true;
            if (path_.size() == wanted_ || negates_another(*edge.literal)) return;
            path_.push_back(e);
        }
        if (edge.to == edges_[first_].from) {
            if (weight < 0 && path_.size() == wanted_) add(weight);
        } else if (!is_on_[edge.to]) {
            is_on_[edge.to] = true;
            for (std::uint32_t const next : from_[edge.to])
                if (next > first_) follow(next, weight);
            is_on_[edge.to] = false;
        }
        if (edge.literal) path_.pop_back();
    }
    bool negates_another(Literal const& l) const {
        return std::any_of(path_.begin(), path_.end(),
                           [&](std::uint32_t e) { return edges_[e].literal->predicate == l.predicate; });
    }
    void add(std::int64_t weight) {
        if (is_weakest_ &&
            std::any_of(path_.begin(), path_.end(), [&](std::uint32_t e) { return weight + weaker_[e] < 0; }))
            return;
        Cube& cube = found_.emplace_back();
        for (std::uint32_t const e : path_) cube.push_back(*edges_[e].literal);
        std::sort(cube.begin(), cube.end());
    }

    std::vector<Edge> edges_;
    std::vector<std::vector<std::uint32_t>> from_; // edges, by node
    std::vector<bool> is_on_;                      // the cycle so far; its first node is not marked
    std::size_t size_;
    bool is_weakest_ = false;
    std::vector<std::int64_t> weaker_; // by edge
    std::size_t wanted_ = 0;           // literals of a cycle
    bool is_cut_ = true;               // some cycles may have more
    std::size_t steps_ = 0;
    std::uint32_t first_ = 0;
    std::vector<std::uint32_t> path_; // the cycle's edges with literals, so far
    Cover found_;
};

/// Predicates as edges, or as Boolean variables.
class Predicates {
public:
    Predicates(Formulas& formulas, std::vector<Formula> const& V) : formulas_(formulas), V_(V), normal_(formulas) {}

    /// False: one of them is neither.
    bool add(std::vector<std::uint32_t> const& predicates) {
        return std::all_of(predicates.begin(), predicates.end(), [this](std::uint32_t p) { return add(p); });
    }

    Normal const& normal() const { return normal_; }
    std::vector<Edge> const& edges() const { return edges_; }

    /// The minimal cubes that contradict all of a conjunction.
    Cover against(Conjunction const& c, std::size_t size) const {
        for (auto const& [x, holds] : c.booleans)
            for (auto const& [y, other] : c.booleans)
                if (x == y && holds != other) return {{}};
        std::vector<Edge> edges = c.edges;
        edges.insert(edges.end(), edges_.begin(), edges_.end());
        Cover result = cycles(std::move(edges), size).weakest_through_first(c.edges.size());
        if (size > 0)
            for (auto const& [x, holds] : c.booleans)
                if (auto const at = booleans_.find(x); at != booleans_.end()) result.push_back({{at->second, holds}});
        return minimal(std::move(result));
    }
    /// Without comparisons that a stronger one of the same variables implies: `x <= 4` where `x <= 3` holds.
    Cube strongest(Cube const& cube) const {
        auto const implied = [&](Literal const& l) {
            Edge const* const weak = edge_of(l);
            return weak != nullptr && std::any_of(cube.begin(), cube.end(), [&](Literal const& other) {
                       Edge const* const strong = edge_of(other);
                       return strong != nullptr && strong->from == weak->from && strong->to == weak->to &&
                              strong->c < weak->c;
                   });
        };
        Cube result;
        std::copy_if(cube.begin(), cube.end(), std::back_inserter(result),
                     [&](Literal const& l) { return !implied(l); });
        return result;
    }
    Cycles cycles(std::vector<Edge> edges, std::size_t size) const {
        return Cycles(std::move(edges), normal_.constant_node() + 1, size);
    }
    bool is_satisfiable(Cube const& cube) const {
        std::vector<Edge> edges;
        for (Edge const& edge : edges_)
            if (std::binary_search(cube.begin(), cube.end(), *edge.literal)) edges.push_back(edge);
        std::size_t const count = edges.size();
        return cycles(std::move(edges), count).through_first(count).empty();
    }

private:
    bool add(std::uint32_t p) {
        if (formulas_.is_symbol(V_[p])) {
            booleans_.emplace(formulas_.symbols(V_[p]).front(), p);
            return true;
        }
        auto const d = formulas_.difference(V_[p]);
        if (!d || d->is_equation) return false;
        for (bool const holds : {true, false}) {
            auto edge = normal_.edge(*d, holds);
            if (!edge) return false;
            edge->literal = Literal{p, !holds};
            edge_of_.emplace(*edge->literal, edges_.size());
            edges_.push_back(*edge);
        }
        return true;
    }

    /// Null for a Boolean variable.
    Edge const* edge_of(Literal const& l) const {
        auto const at = edge_of_.find(l);
        return at == edge_of_.end() ? nullptr : &edges_[at->second];
    }

    Formulas& formulas_;
    std::vector<Formula> const& V_;
    Normal normal_;
    std::vector<Edge> edges_;
    std::map<Literal, std::size_t> edge_of_;   // the index of each literal's edge
    std::map<Symbol, std::uint32_t> booleans_; // their predicates
};

/// Formulas in which variables have given residues.
class Residues {
public:
    Residues(Formulas& formulas, std::vector<Formula> const& all) : formulas_(formulas), all_(all) {
        for (Formula const f : all) find(f, 0);
        for (std::size_t i = 0; i < variables_.size() && count_ <= most_residues; ++i) count_ *= modulus_;
    }

    /// Whether in each case the formulas contradict each other.
    bool contradict() {
        if (!is_readable_ || count_ > most_residues) return false;
        for (case_ = 0; case_ < count_; ++case_)
            if (!contradict_in_this_case()) return false;
        return true;
    }

private:
    struct Remainder {
        Symbol x;
        std::int64_t k; // of (mod (+ x k) c)
        std::int64_t c;
    };

    std::optional<Remainder> remainder(Formula f) const {
        auto const operands = formulas_.operands(f);
        auto const c = formulas_.constant(operands[1]);
        auto const small = c ? c->small() : std::nullopt;
        if (!small || *small < 1 || *small > largest_modulus) return std::nullopt;
        if (formulas_.is_symbol(operands[0])) return Remainder{formulas_.symbols(f).front(), 0, *small};
        if (!formulas_.is_operation(operands[0]) || formulas_.op(operands[0]) != Op::plus) return std::nullopt;
        auto const sum = formulas_.operands(operands[0]);
        auto const k = formulas_.constant(sum[1]);
        auto const added = k ? k->small() : std::nullopt;
        if (!formulas_.is_symbol(sum[0]) || !added || *added >= largest || *added <= -largest) return std::nullopt;
        return Remainder{formulas_.symbols(f).front(), *added, *small};
    }

    void find(Formula f, unsigned depth) {
        if (!formulas_.is_operation(f) || !is_readable_) return;
        spend();
        if (formulas_.op(f) == Op::mod) {
            auto const r = remainder(f);
            is_readable_ = r && std::lcm(modulus_, r->c) <= largest_modulus;
            if (!is_readable_) return;
            modulus_ = std::lcm(modulus_, r->c);
            if (std::find(variables_.begin(), variables_.end(), r->x) == variables_.end()) variables_.push_back(r->x);
            return;
        }
        is_readable_ = depth < deepest;
        for (Formula const operand : formulas_.operands(f)) find(operand, depth + 1);
    }

    std::optional<std::int64_t> residue(std::uint32_t node) const {
        if (node == formulas_.symbol_count()) return 0; // the constant node
        std::int64_t rest = case_;
        for (Symbol const x : variables_) {
            if (x.index == node) return rest % modulus_;
            rest /= modulus_;
        }
        return std::nullopt;
    }
    static std::int64_t positive(std::int64_t n, std::int64_t m) { return ((n % m) + m) % m; }

    /// Recurses no deeper than find().
    Formula in_this_case(Formula f) {
        if (!formulas_.is_operation(f)) return f;
        if (formulas_.op(f) == Op::mod) {
            auto const r = remainder(f);
            return formulas_.value(Value::integer(positive(*residue(r->x.index) + r->k, r->c)));
        }
        auto operands = formulas_.operands(f);
        for (Formula& operand : operands) operand = in_this_case(operand);
        if (operands == formulas_.operands(f)) return f;
        return formulas_.op(f) == Op::not_ ? formulas_.negated(operands[0])
                                           : formulas_.apply(formulas_.op(f), operands);
    }

    bool contradict_in_this_case() {
        Normal const normal(formulas_);
        Cases cases(1);
        for (Formula const f : all_) cases = Normal::product(cases, normal.cases(in_this_case(f), true));
        return cases && std::all_of(cases->begin(), cases->end(),
                                    [this](Conjunction const& c) { return are_opposite(c.booleans) || has_cycle(c); });
    }

    static bool are_opposite(std::vector<std::pair<Symbol, bool>> const& booleans) {
        return std::any_of(booleans.begin(), booleans.end(), [&](auto const& literal) {
            return std::find(booleans.begin(), booleans.end(), std::pair(literal.first, !literal.second)) !=
                   booleans.end();
        });
    }

    /// Whether there is a cycle of negative weight (Bellman, Ford).
    bool has_cycle(Conjunction const& c) const {
        std::map<std::uint32_t, std::int64_t> distance;
        for (Edge const& edge : c.edges) distance[edge.from] = distance[edge.to] = 0;
        for (std::size_t i = 0; i <= distance.size(); ++i) {
            bool changes = false;
            for (Edge const& edge : c.edges) {
                spend();
                std::int64_t const through = distance[edge.from] + tight(edge);
                if (through >= distance[edge.to]) continue;
                distance[edge.to] = through;
                changes = true;
            }
            if (!changes) return false;
        }
        return true;
    }

    /// The largest value of from - to that the edge and the residues allow.
    std::int64_t tight(Edge const& edge) const {
        auto const from = residue(edge.from);
        auto const to = residue(edge.to);
        return from && to ? edge.c - positive(edge.c - *from + *to, modulus_) : edge.c;
    }

    Formulas& formulas_;
    std::vector<Formula> const& all_;
    bool is_readable_ = true;
    std::int64_t modulus_ = 1;      // a multiple of all
    std::vector<Symbol> variables_; // that have remainders
    std::int64_t count_ = 1;        // of cases
    std::int64_t case_ = 0;         // a digit for each variable, in the base modulus_
};

} // namespace

bool contradict_by_cycles(Formulas& formulas, std::vector<Formula> const& all) {
    return Residues(formulas, all).contradict();
}

std::optional<Cover> implicants_by_cycles(Formulas& formulas, std::vector<Formula> const& V,
                                          std::vector<std::uint32_t> const& near, Formula phi, std::size_t size) {
    Predicates predicates(formulas, V);
    if (!predicates.add(near)) return std::nullopt;
    auto const cases = predicates.normal().cases(phi, false);
    if (!cases) return std::nullopt;
    Cover result(1); // contradicts the cases so far
    for (Conjunction const& c : *cases) {
        Cover const against = predicates.against(c, size);
        Cover longer;
        for (Cube const& a : result) {
            spend(against.size());
            for (Cube const& b : against)
                if (auto const both = united(a, b)) {
                    Cube cube = predicates.strongest(*both);
                    if (cube.size() <= size) longer.push_back(std::move(cube));
                }
            if (longer.size() > most_cubes) break;
        }
        result = minimal(std::move(longer));
    }
    std::erase_if(result, [&](Cube const& cube) { return !predicates.is_satisfiable(cube); });
    return result;
}

std::optional<Cover> contradictions_by_cycles(Formulas& formulas, std::vector<Formula> const& V,
                                              std::vector<std::uint32_t> const& of, std::size_t size) {
    Predicates predicates(formulas, V);
    if (!predicates.add(of)) return std::nullopt;
    return predicates.cycles(predicates.edges(), size).through_first(predicates.edges().size());
}

} // namespace matchpoint::proofs
