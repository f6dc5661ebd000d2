#include "proofs/horn.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "rma/search/reduced.hpp"

namespace matchpoint::proofs {

namespace {

using rma::ProcessIndex;
using rma::RemoteIndex;
using rma::StatementIndex;
using Changes = std::vector<HornClause::Change>;

class HornBuilder {
public:
    explicit HornBuilder(Formulas& formulas)
        : formulas_(formulas), graph_(formulas.graph()), program_(graph_.program()), chains_(graph_, {}),
          observed_(chains_.observed()) {
        for (RemoteIndex s = 0; s < graph_.remotes().size(); ++s) all_.push_back(s);
    }

    HornClauses build() {
        if (graph_.has_atomics()) throw std::logic_error(std::string(no_clauses));
        begin();
        for (body_ = 0; body_ < result_.states.size(); ++body_) {
            here_ = result_.states[body_];
            expand();
        }
        return std::move(result_);
    }

private:
    void begin() {
        rma::State const initial = rma::initial_state(graph_);
        Changes changes;
        for (std::uint32_t x = 0; x < program_.variables.size(); ++x)
            if (!is_place({x})) changes.push_back({Formulas::symbol({x}), formulas_.value(initial.M[x])});
        here_ = {initial.pc, std::vector<std::uint8_t>(graph_.remotes().size(), 0)};
        add(here_, formulas_.truth(true), std::move(changes));
    }

    void expand() {
        bool const all_finished = is_finished();
        properties(all_finished && !any_active(all_));
        may_execute_.assign(graph_.remotes().size(), all_finished);
        allow(observed_);
        ProcessIndex const inside = inside_atomic();
        for (ProcessIndex p = 0; p < here_.pc.size(); ++p)
            if (here_.pc[p] != graph_.end(p) && (inside == rma::no_index || inside == p)) step(p);
        for (RemoteIndex s = 0; s < may_execute_.size(); ++s)
            if (may_execute_[s] && here_.active[s] > 0) execute(s);
    }

    void properties(bool is_final) {
        for (rma::Property const& property : program_.properties)
            if (is_final || !property.is_final) must_hold(of(property.e));
    }

    void must_hold(Formula f) {
        if (!formulas_.is_true(f)) result_.clauses.push_back({.body = body_, .condition = formulas_.negated(f)});
    }

    /// Table 2: what a process does next. It notes which remote operations may be executed before.
    void step(ProcessIndex p) {
        rma::Successors const& at = graph_.at(here_.pc[p]);
        auto const moved = [&](Formula condition, StatementIndex next, Changes changes = {}) {
            ControlState there = here_;
            there.pc[p] = next;
            add(there, condition, std::move(changes));
        };
        auto const assigned = [&](Variable x, Formula value) {
            moved(formulas_.truth(true), at.next, {{Formulas::symbol(x), value}});
        };
        auto const branches = [&](Expression e) {
            moved(of(e), at.next);
            moved(formulas_.negated(of(e)), at.otherwise);
        };
        std::visit(overloaded{
                       [&](rma::Load const& c) {
                           allow(chains_.write(c.X));
                           assigned(c.u, formulas_.variable(c.X));
                       },
                       [&](rma::Store const& c) {
                           allow(chains_.write(c.X));
                           store(p, at.next, c);
                       },
                       [&](rma::Put const&) { issue(p, at); },
                       [&](rma::Get const&) { issue(p, at); },
                       [&](rma::Flush const& c) {
                           auto const remote = chains_.remote(p, c.pid);
                           if (any_active(remote))
                               allow(chains_.of(remote));
                           else
                               moved(formulas_.truth(true), at.next);
                       },
                       [&](rma::Assign const& c) { assigned(c.u, of(c.e)); },
                       [&](rma::Choose const& c) {
                           for (std::uint32_t k = c.first; k < c.last; ++k)
                               assigned(c.u, formulas_.value(program_.choices[k]));
                       },
                       [&](rma::Assume const& c) { moved(of(c.e), at.next); },
                       [&](rma::Assert const& c) {
                           must_hold(of(c.e));
                           moved(of(c.e), at.next);
                       },
                       [&](rma::If const& c) { branches(c.e); },
                       [&](rma::While const& c) { branches(c.e); },
                       [&](rma::Skip const&) { moved(formulas_.truth(true), at.next); },
                       [&](rma::Goto const&) { moved(formulas_.truth(true), at.next); },
                       [&](rma::Atomic const&) { moved(formulas_.truth(true), at.next); }, // an empty one
                       [](rma::FetchAndOp const&) {},
                       [](rma::CompareAndSwap const&) {},
                       [](rma::Accumulate const&) {},
                   },
                   program_.statements[at.executes].c);
    }

    void store(ProcessIndex p, StatementIndex next, rma::Store const& c) {
        ControlState there = here_;
        there.pc[p] = next;
        written(there, c.X, of(c.e));
    }

    /// If active(s) = 0: active(s) := 1, set(s) := {src(s)}; else active(s) := many, src(s) joins set(s).
    void issue(ProcessIndex p, rma::Successors const& at) {
        RemoteIndex const s = at.remote;
        ControlState there = here_;
        there.pc[p] = at.next;
        there.active[s] = here_.active[s] == 0 ? 1 : 2;
        Formula const value = formulas_.variable(graph_.remotes()[s].src);
        add(there, formulas_.truth(true), {{formulas_.element(s), value, here_.active[s] > 0}});
    }

    /// trg(s) := an element of set(s), which joins the sets of those that read trg(s).
    void execute(RemoteIndex s) {
        Variable const trg = graph_.remotes()[s].trg;
        Formula const e = formulas_.of(formulas_.element(s));
        bool const many = here_.active[s] == 2;
        ControlState there = here_;
        for (std::uint8_t left = many ? 2 : 0;; --left) {
            there.active[s] = left;
            written(there, trg, e, many ? s : rma::no_index);
            if (left != 2) break;
        }
    }

    /// X := value. Each active reader of X keeps its element or takes the value.
    void written(ControlState const& there, Variable X, Formula value, RemoteIndex twice = rma::no_index) {
        Changes changes{{Formulas::symbol(X), value}};
        for (RemoteIndex const q : graph_.read(X))
            if (there.active[q] > 0) changes.push_back({formulas_.element(q), value, true});
        add(there, formulas_.truth(true), std::move(changes), twice);
    }

    void add(ControlState const& there, Formula condition, Changes changes, RemoteIndex twice = rma::no_index) {
        spend(200);
        if (formulas_.is_false(condition)) return;
        auto const [at, is_new] = numbers_.try_emplace(there, static_cast<ControlIndex>(result_.states.size()));
        if (is_new) result_.states.push_back(there);
        result_.clauses.push_back({body_, condition, at->second, std::move(changes), twice});
    }

    Formula of(Expression e) {
        return formulas_.of(e, [&](Variable x) {
            rma::VariableInfo const& place = program_[x];
            return graph_.stands_before(here_.pc[place.process], place.at);
        });
    }

    bool is_place(Variable x) const { return program_[x].kind == rma::VariableInfo::Kind::place; }
    bool is_finished() const {
        for (ProcessIndex p = 0; p < here_.pc.size(); ++p)
            if (here_.pc[p] != graph_.end(p)) return false;
        return true;
    }
    /// The process that is inside of an `atomic`: no other one steps.
    ProcessIndex inside_atomic() const {
        for (ProcessIndex p = 0; p < here_.pc.size(); ++p)
            if (graph_.inside(p, here_.pc[p])) return p;
        return rma::no_index;
    }
    bool any_active(std::vector<RemoteIndex> const& S) const {
        return std::any_of(S.begin(), S.end(), [&](RemoteIndex s) { return here_.active[s] > 0; });
    }
    void allow(std::vector<RemoteIndex> const& S) {
        for (RemoteIndex const s : S) may_execute_[s] = true;
    }

    Formulas& formulas_;
    rma::Graph const& graph_;
    rma::Program const& program_;
    rma::Chains chains_;
    std::vector<RemoteIndex> observed_; // chain(write(X)) of all X in invariants
    std::vector<RemoteIndex> all_;
    HornClauses result_;
    std::map<ControlState, ControlIndex> numbers_;
    ControlIndex body_ = no_control;
    ControlState here_;
    std::vector<bool> may_execute_; // by remote statement
};

} // namespace

HornClauses horn_clauses(Formulas& formulas) { return HornBuilder(formulas).build(); }

// ---- text

std::string relation_name(ControlIndex i) { return fmt::format("s%%{}", i); }

std::vector<Symbol> parameters(Formulas const& formulas, ControlState const& state) {
    rma::Program const& program = formulas.graph().program();
    std::vector<Symbol> result;
    for (std::uint32_t x = 0; x < program.variables.size(); ++x)
        if (program.variables[x].kind != rma::VariableInfo::Kind::place) result.push_back(Formulas::symbol({x}));
    for (RemoteIndex s = 0; s < state.active.size(); ++s)
        if (state.active[s] > 0) result.push_back(formulas.element(s));
    return result;
}

std::string print_control(rma::Graph const& graph, ControlState const& state) {
    std::string text = "(pc";
    for (ProcessIndex p = 0; p < state.pc.size(); ++p)
        text += state.pc[p] == graph.end(p) ? " end" : fmt::format(" {}", state.pc[p]);
    text += ") (active";
    for (std::uint8_t const n : state.active) text += fmt::format(" {}", n);
    return text + ")";
}

namespace {

class HornPrinter {
public:
    HornPrinter(Formulas const& formulas, HornClauses const& horn) : formulas_(formulas), horn_(horn) {}

    std::string text() {
        out_ = "(set-logic HORN)\n";
        for (ControlIndex i = 0; i < horn_.states.size(); ++i) declare(i);
        for (HornClause const& clause : horn_.clauses) print(clause);
        return std::move(out_);
    }

    /// That some of the clauses from `first` on is false. `first` becomes the first one that it is not about.
    std::string negated(std::vector<std::string> const& relations, std::size_t& first) {
        constexpr std::size_t most_bytes = 50'000;
        std::set<ControlIndex> used;
        std::map<std::string, std::string_view> names; // with their sorts
        std::string clauses;
        for (out_ = "(set-logic ALL)\n"; first < horn_.clauses.size() && out_.size() + clauses.size() < most_bytes;
             ++first) {
            HornClause const& clause = horn_.clauses[first];
            if (clause.body != no_control && relations[clause.body] == "false") continue;
            spend(500);
            for (ControlIndex const i : {clause.body, clause.head})
                if (i != no_control && used.insert(i).second) define(i, relations[i]);
            names.merge(names_of(clause));
            clauses += fmt::format("\n(and {} (not {}))", premise(clause), head(clause));
        }
        for (auto const& [name, sort] : names) out_ += fmt::format("(declare-const {} {})\n", name, sort);
        return std::move(out_) + "(assert (or false" + clauses + "))\n";
    }

private:
    std::string_view sort(Symbol x) const { return formulas_.is_boolean(x) ? "Bool" : "Int"; }

    void declare(ControlIndex i) {
        ControlState const& state = horn_.states[i];
        std::string names;
        std::string sorts;
        for (Symbol const x : parameters(formulas_, state)) {
            names += " " + formulas_.smt_name(x);
            sorts += fmt::format("{}{}", sorts.empty() ? "" : " ", sort(x));
        }
        spend(names.size());
        out_ += fmt::format("; {}:{}\n(declare-fun {} ({}) Bool)\n", print_control(formulas_.graph(), state), names,
                            relation_name(i), sorts);
    }

    void define(ControlIndex i, std::string const& relation) {
        spend(relation.size());
        out_ += fmt::format("(define-fun {} ({}) Bool {})\n", relation_name(i), binders(horn_.states[i]), relation);
    }

    /// "(x Int) (e%%0 Bool)"
    std::string binders(ControlState const& state) const {
        std::string text;
        for (Symbol const x : parameters(formulas_, state))
            text += fmt::format("{}({} {})", text.empty() ? "" : " ", formulas_.smt_name(x), sort(x));
        return text;
    }

    void print(HornClause const& clause) {
        spend(500);
        std::string variables;
        for (auto const& [name, sort] : names_of(clause))
            variables += fmt::format("{}({} {})", variables.empty() ? "" : " ", name, sort);
        std::string text = head(clause);
        if (clause.body != no_control) text = fmt::format("(=> {} {})", premise(clause), text);
        if (!variables.empty()) text = fmt::format("(forall ({}) {})", variables, text);
        out_ += fmt::format("(assert {})\n", text);
    }

    /// What occurs in a clause, with its sort.
    std::map<std::string, std::string_view> names_of(HornClause const& clause) const {
        std::map<std::string, std::string_view> names;
        if (clause.body == no_control) return names;
        for (Symbol const x : parameters(formulas_, horn_.states[clause.body]))
            names.emplace(formulas_.smt_name(x), sort(x));
        if (clause.twice != rma::no_index)
            names.emplace(other_element(clause.twice), sort(formulas_.element(clause.twice)));
        for (HornClause::Change const& change : clause.changes)
            if (change.may_stay) names.emplace(choice(change), "Bool");
        return names;
    }

    /// "(and (s%%0 x) (<= x 3))"
    std::string premise(HornClause const& clause) const {
        if (clause.body == no_control) return "true";
        bool const twice = clause.twice != rma::no_index;
        std::string text = applied(clause.body, [&](Symbol x) { return formulas_.smt_name(x); });
        if (twice) text += " " + applied(clause.body, [&](Symbol x) { return with_other_element(clause, x); });
        bool const has_condition = !formulas_.is_true(clause.condition);
        if (has_condition) text += " " + formulas_.smt(clause.condition);
        return twice || has_condition ? fmt::format("(and {})", text) : text;
    }

    std::string head(HornClause const& clause) const {
        if (clause.head == no_control) return "false";
        return applied(clause.head, [&](Symbol x) {
            for (HornClause::Change const& change : clause.changes)
                if (change.x == x) return changed(change);
            return with_other_element(clause, x);
        });
    }

    /// The Boolean that says whether a symbol changes.
    std::string choice(HornClause::Change const& change) const { return "new%%" + formulas_.smt_name(change.x); }
    std::string changed(HornClause::Change const& change) const {
        std::string value = formulas_.smt(change.value);
        if (!change.may_stay) return value;
        return fmt::format("(ite {} {} {})", choice(change), value, formulas_.smt_name(change.x));
    }

    static std::string other_element(RemoteIndex s) { return fmt::format("v%%{}", s); }
    std::string with_other_element(HornClause const& clause, Symbol x) const {
        bool const is_other = clause.twice != rma::no_index && x == formulas_.element(clause.twice);
        return is_other ? other_element(clause.twice) : formulas_.smt_name(x);
    }

    template <typename Argument>
    std::string applied(ControlIndex i, Argument const& argument) const {
        std::string text;
        for (Symbol const x : parameters(formulas_, horn_.states[i])) text += " " + argument(x);
        return text.empty() ? relation_name(i) : fmt::format("({}{})", relation_name(i), text);
    }

    Formulas const& formulas_;
    HornClauses const& horn_;
    std::string out_;
};

} // namespace

std::string print_horn(Formulas const& formulas, HornClauses const& horn) { return HornPrinter(formulas, horn).text(); }

solve::Answer check_relations(Formulas const& formulas, HornClauses const& horn,
                              std::vector<std::string> const& relations,
                              std::function<solve::Answer(std::string const& problem)> const& ask) {
    HornPrinter printer(formulas, horn);
    for (std::size_t first = 0; first < horn.clauses.size();) {
        auto answer = ask(printer.negated(relations, first));
        if (!std::holds_alternative<solve::answer::Unsat>(answer)) return answer;
    }
    return solve::answer::Unsat{};
}

} // namespace matchpoint::proofs
