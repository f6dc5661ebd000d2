#include "proofs/predicates.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "proofs/atomics.hpp"
#include "proofs/domains.hpp"

namespace matchpoint::proofs {

namespace {

using rma::Program;

/// Variables that are compared with each other, directly or through others.
class Groups {
public:
    explicit Groups(std::size_t symbols) {
        for (std::uint32_t x = 0; x < symbols; ++x) members_.push_back({Symbol{x}});
        for (std::uint32_t x = 0; x < symbols; ++x) group_.push_back(x);
    }

    void unite(Symbol x, Symbol y) {
        std::uint32_t const a = group_[x.index];
        std::uint32_t const b = group_[y.index];
        if (a == b) return;
        for (Symbol const z : members_[b]) group_[z.index] = a;
        members_[a].insert(members_[a].end(), members_[b].begin(), members_[b].end());
        members_[b].clear();
    }
    /// Whether all pairs of its group are among pairs().
    bool is_small(Symbol x) const { return members_[group_[x.index]].size() <= most; }
    std::vector<std::pair<Symbol, Symbol>> pairs() const {
        std::vector<std::pair<Symbol, Symbol>> result;
        for (std::vector<Symbol> const& group : members_) {
            if (group.size() > most) continue;
            for (std::size_t i = 0; i < group.size(); ++i)
                for (std::size_t k = 0; k < i; ++k) result.emplace_back(group[k], group[i]);
        }
        return result;
    }

private:
    static constexpr std::size_t most = 12;

    std::vector<std::vector<Symbol>> members_; // by group
    std::vector<std::uint32_t> group_;         // by symbol
};

class Finder {
public:
    Finder(Formulas& formulas, bool domains)
        : formulas_(formulas), program_(formulas.graph().program()), groups_(formulas.symbol_count()) {
        if (domains) domains_.emplace(formulas);
    }

    std::vector<Formula> find(std::vector<Formula> const& more) {
        for (Formulas::Replacement const& a : assignments_of(formulas_))
            (formulas_.is_symbol(a.second) ? copies_ : assignments_).push_back(a);
        for (rma::Statement const& s : program_.statements) read(s.c);
        for (rma::RemoteIndex s = 0; s < formulas_.graph().remotes().size(); ++s)
            if (formulas_.graph().remotes()[s].is_atomic())
                for (Outcome const& outcome : outcomes_of(formulas_, s)) add_atoms(outcome.when);
        for (rma::Property const& property : program_.properties) add_atoms(formulas_.with_places(property.e));
        for (Formula const p : more) add_atoms(p);
        close_under_copies();
        tested_ = found_.size(); // once: what comes of these is not substituted again
        for (auto const& [x, e] : assignments_)
            for (std::size_t i = 0; i < tested_; ++i)
                if (formulas_.has(found_[i], x)) add_atoms(formulas_.replace(found_[i], {x, e}));
        close_under_copies();
        return with_thresholds();
    }

private:
    /// What a statement tests.
    void read(rma::StatementKind const& c) {
        std::visit(overloaded{
                       [&](rma::Assume const& s) { tests(s.e); },
                       [&](rma::Assert const& s) { tests(s.e); },
                       [&](rma::If const& s) { tests(s.e); },
                       [&](rma::While const& s) { tests(s.e); },
                       [](rma::Load const&) {},
                       [](rma::Store const&) {},
                       [](rma::Put const&) {},
                       [](rma::Get const&) {},
                       [](rma::Assign const&) {},
                       [](rma::Choose const&) {},
                       [](rma::Flush const&) {},
                       [](rma::Skip const&) {},
                       [](rma::Goto const&) {},
                       [](rma::Atomic const&) {},
                       [](rma::FetchAndOp const&) {}, // find() reads the conditions of these
                       [](rma::CompareAndSwap const&) {},
                       [](rma::Accumulate const&) {},
                   },
                   c);
    }
    void tests(Expression e) { add_atoms(formulas_.with_places(e)); }

    void add_atoms(Formula f) {
        for (Formula const p : formulas_.atoms(f)) {
            auto const& symbols = formulas_.symbols(p);
            bool const has_place = std::any_of(symbols.begin(), symbols.end(), [this](Symbol x) {
                return program_.variables[x.index].kind == rma::VariableInfo::Kind::place;
            });
            if (!has_place) add(p);
        }
    }
    void add(Formula p) {
        if (p.index >= is_found_.size()) is_found_.resize(p.index + 1);
        if (is_found_[p.index]) return;
        is_found_[p.index] = true;
        if (domains_ && domains_->constant(p)) return;
        found_.push_back(p);
    }

    void close_under_copies() {
        for (std::size_t i = 0; i < found_.size(); ++i) {
            spend(copies_.size());
            for (Formulas::Replacement const& copy : copies_)
                if (formulas_.has(found_[i], copy.first)) add_atoms(formulas_.replace(found_[i], copy));
        }
    }

    /// `x <= y + c` and `x <= y + c - 1` instead of one of these or `x = y + c`; the same without y, also for each c
    /// that x gets.
    std::vector<Formula> with_thresholds() {
        std::vector<Formula> const all = std::exchange(found_, {});
        is_found_.clear();
        if (domains_)
            for (Formula const p : all)
                if (auto const d = formulas_.difference(p); d && d->y && !have_few_values(formulas_.symbols(p)))
                    groups_.unite(d->x, *d->y);
        std::vector<bool> compared(formulas_.symbol_count()); // with a constant
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto const d = formulas_.difference(all[i]);
            if ((!d || d->y) && (is_listed(all[i]) || is_of_residues(all[i]))) continue;
            if (!d) {
                add(all[i]);
            } else if (!d->y || i < tested_ || !groups_.is_small(d->x)) {
                if (!d->y) compared[d->x.index] = true;
                add_thresholds(d->x, d->y, d->c);
            }
        }
        for (auto const& [x, y] : groups_.pairs()) add_order(x, y);
        for (auto const& [x, e] : assignments_)
            if (auto const c = formulas_.constant(e); c && c->is_integer() && compared[x.index])
                add_thresholds(x, std::nullopt, *c);
        find_wrapping();
        for (Symbol const x : listed_) add_values(x);
        return std::move(found_);
    }

    bool have_few_values(std::vector<Symbol> const& symbols) const {
        return domains_ && std::all_of(symbols.begin(), symbols.end(), [this](Symbol x) {
                   auto const* values = domains_->of(x);
                   return values != nullptr && values->size() <= most_listed;
               });
    }
    /// Whether the values of its variables replace p.
    bool is_listed(Formula p) {
        if (!have_few_values(formulas_.symbols(p))) return false;
        listed_.insert(formulas_.symbols(p).begin(), formulas_.symbols(p).end());
        return true;
    }
    /// What tells all values of x apart. Where x wraps around, a set can have the greatest and the least value and none
    /// between; only equalities say so.
    void add_values(Symbol x) {
        if (formulas_.is_boolean(x)) return add(formulas_.of(x));
        std::vector<Value> const& values = *domains_->of(x);
        auto const [least, greatest] = std::ranges::minmax(values, {}, &Value::small);
        for (Value const& v : values) {
            add(formulas_.apply(Op::less_equal, formulas_.of(x), formulas_.value(v)));
            if (wrapping_.contains(x) && v != least && v != greatest)
                add(formulas_.apply(Op::equal, formulas_.of(x), formulas_.value(v)));
        }
    }
    /// The variables that get a remainder, directly or through copies.
    void find_wrapping() {
        for (auto const& [x, e] : assignments_)
            if (formulas_.is_operation(e) && formulas_.op(e) == Op::mod) wrapping_.insert(x);
        for (bool grows = true; grows;) {
            spend(copies_.size());
            grows = false;
            for (auto const& [x, y] : copies_)
                if (wrapping_.contains(formulas_.symbols(y)[0])) grows |= wrapping_.insert(x).second;
        }
    }

    /// Whether p says that remainders are equal, or that a remainder is a variable with few values; `(mod x c) = k` for
    /// each k then replaces it.
    bool is_of_residues(Formula p) {
        if (!formulas_.is_operation(p) || formulas_.op(p) != Op::equal) return false;
        auto const operands = formulas_.operands(p);
        auto const is_small = [&](Formula f) {
            return modulus(f) || formulas_.constant(f) ||
                   (formulas_.is_symbol(f) && have_few_values(formulas_.symbols(f)));
        };
        if (!std::all_of(operands.begin(), operands.end(), is_small)) return false;
        for (Formula const f : operands) {
            auto const c = modulus(f);
            std::vector<Symbol> const symbols = formulas_.symbols(f); // a copy: formulas are built below
            if (!c) {
                listed_.insert(symbols.begin(), symbols.end());
                continue;
            }
            moduli_[symbols[0]] = std::max(moduli_[symbols[0]], *c);
            for (std::int64_t k = 0; k + 1 < *c; ++k)
                add(formulas_.apply(Op::equal, formulas_.apply(Op::mod, formulas_.of(symbols[0]), number(*c)),
                                    number(k)));
        }
        return true;
    }
    /// c if f is `(mod x c)` or `(mod (+ x k) c)`, and c is small.
    std::optional<std::int64_t> modulus(Formula f) const {
        if (!formulas_.is_operation(f) || formulas_.op(f) != Op::mod || formulas_.symbols(f).size() != 1)
            return std::nullopt;
        auto const operands = formulas_.operands(f);
        auto const c = formulas_.constant(operands[1]);
        if (!formulas_.is_symbol(operands[0]) &&
            (formulas_.op(operands[0]) != Op::plus || !formulas_.is_symbol(formulas_.operands(operands[0])[0])))
            return std::nullopt;
        auto const small = c ? c->small() : std::nullopt;
        return small && *small > 1 && *small <= static_cast<std::int64_t>(most_listed) ? small : std::nullopt;
    }

    /// Whether x is less than, equal to or greater than y; or also by how much, if remainders of both matter: where
    /// these are equal, and the difference is less than the modulus, so are x and y.
    void add_order(Symbol x, Symbol y) {
        std::int64_t farthest = 1;
        if (moduli_.contains(x) && moduli_.contains(y)) farthest = std::max(moduli_[x], moduli_[y]);
        for (std::int64_t c = 1 - farthest; c < farthest; ++c) add_thresholds(x, y, Value::integer(c));
    }
    void add_thresholds(Symbol x, std::optional<Symbol> y, Value const& c) {
        Formula const bound = y ? formulas_.apply(Op::plus, formulas_.of(*y), formulas_.value(c)) : formulas_.value(c);
        for (Op const op : {Op::less_equal, Op::less}) add_atoms(formulas_.apply(op, formulas_.of(x), bound));
    }
    Formula number(std::int64_t n) { return formulas_.value(Value::integer(n)); }

    static constexpr std::size_t most_listed = 8; // values

    Formulas& formulas_;
    Program const& program_;
    std::optional<Domains> domains_;
    std::vector<Formulas::Replacement> copies_; // e is a variable
    std::vector<Formulas::Replacement> assignments_;
    std::vector<Formula> found_;
    std::size_t tested_ = 0;     // the first of found_: those that are tested, or copied to what is
    std::vector<bool> is_found_; // by formula
    Groups groups_;
    std::set<Symbol> listed_;               // all their values are told apart
    std::set<Symbol> wrapping_;             // they get remainders
    std::map<Symbol, std::int64_t> moduli_; // the largest one
};

} // namespace

std::vector<Formula> find_predicates(Formulas& formulas, bool domains, std::vector<Formula> const& more) {
    return Finder(formulas, domains).find(more);
}

} // namespace matchpoint::proofs
