#include "proofs/predicates.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "proofs/domains.hpp"

namespace matchpoint::proofs {

namespace {

using rma::Program;

class Finder {
public:
    Finder(Formulas& formulas, bool domains) : formulas_(formulas), program_(formulas.graph().program()) {
        if (domains) domains_.emplace(formulas);
    }

    std::vector<Formula> find() {
        for (Formulas::Replacement const& a : assignments_of(formulas_))
            (formulas_.is_symbol(a.second) ? copies_ : assignments_).push_back(a);
        for (rma::Statement const& s : program_.statements) read(s.c);
        for (rma::Property const& property : program_.properties) add_atoms(formulas_.with_places(property.e));
        close_under_copies();
        std::size_t const count = found_.size(); // once: what comes of these is not substituted again
        for (auto const& [x, e] : assignments_)
            for (std::size_t i = 0; i < count; ++i)
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
                       [](rma::FetchAndOp const&) {},
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
        std::vector<bool> compared(formulas_.symbol_count());
        for (Formula const p : all) {
            auto const difference = formulas_.difference(p);
            if (!difference) {
                add(p);
                continue;
            }
            if (!difference->y) compared[difference->x.index] = true;
            Formula const c = formulas_.value(difference->c);
            add_thresholds(difference->x,
                           difference->y ? formulas_.apply(Op::plus, formulas_.of(*difference->y), c) : c);
        }
        for (auto const& [x, e] : assignments_)
            if (auto const c = formulas_.constant(e); c && c->is_integer() && compared[x.index]) add_thresholds(x, e);
        return std::move(found_);
    }
    void add_thresholds(Symbol x, Formula c) {
        for (Op const op : {Op::less_equal, Op::less}) add_atoms(formulas_.apply(op, formulas_.of(x), c));
    }

    Formulas& formulas_;
    Program const& program_;
    std::optional<Domains> domains_;
    std::vector<Formulas::Replacement> copies_; // e is a variable
    std::vector<Formulas::Replacement> assignments_;
    std::vector<Formula> found_;
    std::vector<bool> is_found_; // by formula
};

} // namespace

std::vector<Formula> find_predicates(Formulas& formulas, bool domains) { return Finder(formulas, domains).find(); }

} // namespace matchpoint::proofs
