#include "check/shared/invariants.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "check/shared/candidates.hpp"
#include "encode/cssa.hpp"
#include "encode/formulas.hpp"
#include "encode/model_values.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::check {

namespace {

constexpr std::size_t most_tried = 100; // variables beside those in assertions

} // namespace

class Invariants::Impl {
public:
    Impl(MessageIndex const& messages, Proofs const& proofs, Ask ask, std::string solver)
        : m_(messages), code_(messages.code()), proofs_(proofs), ask_(std::move(ask)), solver_(std::move(solver)),
          cssa_(messages), accesses_(executions::shared_accesses(messages)), origins_(messages, cssa_),
          candidates_(cssa_, origins_) {}

    bool no_assertion_fails() {
        if (cssa_.assertions().empty()) return true;
        candidates_.add_assertions();
        Blocks const blocks = choose_blocks();
        add_bounds();
        blocks_ = &blocks;
        write_threads();
        bool const is_proved = drop_what_does_not_hold_at_first() && drop_until_preserved() && assertions_hold();
        blocks_ = nullptr;
        return is_proved;
    }

    CheckResult::Inductive found() const {
        CheckResult::Inductive result;
        for (std::uint32_t i = 0; i < candidates_.all().size(); ++i)
            if (!is_dropped_[i]) result.conditions.push_back(in_language(candidate(i), code_.names()));
        for (std::uint32_t x = 0; x < is_guarded_.size(); ++x)
            if (is_guarded_[x]) result.variables.push_back({x});
        return result;
    }

    std::optional<Trouble> trouble;

private:
    Candidate const& candidate(std::uint32_t i) const { return candidates_.all()[i]; }

    // ---- Variables and blocks ----

    /// Blocks for the variables in assertions, and for those that they are computed from unless that would make blocks
    /// shorter.
    Blocks choose_blocks() {
        is_guarded_.assign(code_.names().variables.size(), false);
        std::vector<Symbol> asserted;
        for (Cssa::Condition const& a : cssa_.assertions())
            asserted.insert(asserted.end(), a.term.uses.begin(), a.term.uses.end());
        std::vector<Variable> open = sources_of(std::move(asserted));
        for (Variable const x : open) is_guarded_[x.index] = true;
        Blocks blocks(m_, proofs_, accesses_, is_guarded_);
        std::vector<bool> is_tried = is_guarded_;
        for (Variable const s : proofs_.counts().semaphores()) is_tried[s.index] = true;
        std::size_t tried = 0;
        while (!open.empty()) {
            Variable const x = open.back();
            open.pop_back();
            std::vector<Symbol> written;
            for (Cssa::Definition const& d : cssa_.definitions_of(x)) written.push_back(d.name);
            for (Variable const y : sources_of(std::move(written))) {
                if (is_tried[y.index] || ++tried > most_tried) continue;
                is_tried[y.index] = true;
                is_guarded_[y.index] = true;
                Blocks more(m_, proofs_, accesses_, is_guarded_);
                if (!more.cover(blocks)) {
                    is_guarded_[y.index] = false;
                    continue;
                }
                blocks = std::move(more);
                open.push_back(y);
            }
        }
        return blocks;
    }

    /// The shared variables that threads compute these symbols from, some of them more than once.
    std::vector<Variable> sources_of(std::vector<Symbol> open) const {
        std::vector<Variable> result;
        std::set<std::uint32_t> seen;
        while (!open.empty()) {
            spend();
            Symbol const s = open.back();
            open.pop_back();
            if (!seen.insert(s.index).second) continue;
            if (Cssa::Pi const* const pi = origins_.pi(s))
                result.push_back(pi->x);
            else if (Cssa::Equation const* const e = origins_.equation(s))
                open.insert(open.end(), e->term.uses.begin(), e->term.uses.end());
        }
        return result;
    }

    void add_bounds() {
        for (std::uint32_t x = 0; x < is_guarded_.size(); ++x)
            if (is_guarded_[x]) candidates_.add_bounds({x});
    }

    // ---- Problems ----

    std::string entry(Variable x, std::uint32_t first) const {
        return fmt::format("entry_{}!{}", mangle(code_.names()(x)), first);
    }

    /// What a thread computes; the same in each of its problems.
    struct ThreadText {
        std::string text;
        std::vector<std::string> ok; // command of the thread -> ok!c, or `true`
        bool has_assertions = false;
        bool writes = false;
    };

    std::uint32_t thread_of(Location rho) const { return code_.thread_of(rho); }

    void write_threads() {
        threads_.resize(code_.ctp().threads.size());
        is_needed_.assign(cssa_.symbol_count(), false);
        for (auto const& conditions : {cssa_.guards(), cssa_.divisors(), cssa_.assertions()})
            for (Cssa::Condition const& c : conditions) need(c.term.uses);
        for (std::uint32_t x = 0; x < is_guarded_.size(); ++x)
            if (is_guarded_[x])
                for (Cssa::Definition const& d : cssa_.definitions_of({x}))
                    if (!d.rho.is_none()) need({d.name});
        for (Cssa::Condition const& a : cssa_.assertions()) threads_[thread_of(a.rho)].has_assertions = true;
        for (std::uint32_t t = 0; t < threads_.size(); ++t)
            for (Block const& b : blocks_->of(t)) threads_[t].writes |= b.writes;
        declare();
        for (Cssa::Equation const& e : cssa_.equations())
            if (!e.rho.is_none() && is_needed_[e.name.index])
                threads_[thread_of(e.rho)].text += fmt::format("(assert (= {} {}))\n", cssa_.name(e.name), e.term.text);
        for (Cssa::Pi const& pi : cssa_.pis())
            if (is_needed_[pi.name.index] && is_guarded_[pi.x.index]) read(pi);
        write_ok();
    }

    void need(std::vector<Symbol> open) {
        while (!open.empty()) {
            spend();
            Symbol const s = open.back();
            open.pop_back();
            if (is_needed_[s.index]) continue;
            is_needed_[s.index] = true;
            if (Cssa::Equation const* const e = origins_.equation(s))
                open.insert(open.end(), e->term.uses.begin(), e->term.uses.end());
        }
    }

    void declare() {
        auto const symbol = [&](Symbol s, std::uint32_t thread) {
            if (is_needed_[s.index])
                threads_[thread].text +=
                    fmt::format("(declare-const {} {})\n", cssa_.name(s), to_string(cssa_.sort(s)));
        };
        for (Cssa::Equation const& e : cssa_.equations())
            if (!e.rho.is_none()) symbol(e.name, thread_of(e.rho));
        for (Cssa::Pi const& pi : cssa_.pis()) symbol(pi.name, thread_of(pi.rho));
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r)
            symbol(cssa_.received(r), thread_of(m_.receives()[r].rho));
        for (std::uint32_t t = 0; t < threads_.size(); ++t)
            for (Block const& b : blocks_->of(t))
                for (Variable const x : touched(b))
                    threads_[t].text += fmt::format("(declare-const {} {})\n", entry(x, b.first),
                                                    to_string(cssa_.sort(cssa_.definitions_of(x)[0].name)));
    }

    /// What a block accesses, and what occurs in candidates with it.
    std::vector<Variable> touched(Block const& b) const {
        std::vector<Variable> result = accessed(b, false);
        for (std::uint32_t const i : candidates_about(result))
            result.insert(result.end(), candidate(i).variables.begin(), candidate(i).variables.end());
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    std::vector<Variable> accessed(Block const& b, bool writes) const {
        std::vector<Variable> result;
        for (std::uint32_t c = b.first; c <= b.last; ++c)
            for (executions::Access const& a : accesses_[c]) {
                spend();
                if (is_guarded_[a.x.index] && (a.writes || !writes)) result.push_back(a.x);
            }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    std::vector<std::uint32_t> candidates_about(std::vector<Variable> const& variables) const {
        std::vector<std::uint32_t> result;
        for (std::uint32_t i = 0; i < candidates_.all().size(); ++i) {
            spend(variables.size());
            if (std::any_of(candidate(i).variables.begin(), candidate(i).variables.end(),
                            [&](Variable x) { return std::binary_search(variables.begin(), variables.end(), x); }))
                result.push_back(i);
        }
        return result;
    }

    void read(Cssa::Pi const& pi) {
        Block const& b = *blocks_->at(pi.rho.index);
        Cssa::Definition const& own = cssa_.definitions_of(pi.x)[pi.own];
        bool const is_own = !own.rho.is_none() && own.rho.index >= b.first;
        threads_[thread_of(pi.rho)].text += fmt::format("(assert (= {} {}))\n", cssa_.name(pi.name),
                                                        is_own ? cssa_.name(own.name) : entry(pi.x, b.first));
    }

    void write_ok() {
        std::map<std::uint32_t, std::vector<std::string>> conditions;
        for (Cssa::Condition const& g : cssa_.guards()) conditions[g.rho.index].push_back(g.term.text);
        for (Cssa::Condition const& d : cssa_.divisors())
            conditions[d.rho.index].push_back(fmt::format("(not (= {} 0))", d.term.text));
        for (std::uint32_t t = 0; t < threads_.size(); ++t) {
            std::string last(truth);
            for (std::uint32_t c = code_.ctp().threads[t].first; c < code_.ctp().threads[t].last; ++c) {
                spend();
                if (auto const here = conditions.find(c); here != conditions.end()) {
                    std::vector<std::string> terms{last};
                    terms.insert(terms.end(), here->second.begin(), here->second.end());
                    last = fmt::format("ok!{}", c);
                    threads_[t].text +=
                        fmt::format("(declare-const {0} Bool)\n(assert (= {0} {1}))\n", last, conjunction(terms));
                }
                threads_[t].ok.push_back(last);
            }
        }
    }
    std::string const& ok(std::uint32_t command) const {
        std::uint32_t const t = thread_of({command});
        return threads_[t].ok[command - code_.ctp().threads[t].first];
    }

    std::string problem(std::uint32_t t, std::string const& goal) const {
        std::string text = header() + threads_[t].text;
        for (Block const& b : blocks_->of(t))
            for (std::uint32_t const i : candidates_about(accessed(b, false))) {
                if (is_dropped_[i]) continue;
                text += fmt::format("(assert {})\n", candidate(i).with([&](Variable x) { return entry(x, b.first); }));
            }
        return text + goal;
    }
    std::string header() const {
        return fmt::format("(set-option :produce-models true)\n(set-logic QF_{}IA)\n", cssa_.nonlinear() ? 'N' : 'L');
    }

    // ---- Questions ----

    static std::string broken(std::uint32_t i) { return fmt::format("broken!{}", i); }

    /// A problem that defines what is broken, and what is known of it.
    enum class Holds : std::uint8_t {
        in_some_model, // it says nothing else, so it has a model
        if_broken,     // it says that something is broken
    };

    /// Drops what is broken in the model of a problem. Returns whether there was a model; none if the solver gave no
    /// answer, or a wrong one.
    std::optional<bool> drop_broken(std::string const& problem, std::vector<std::uint32_t> const& asked, Holds holds) {
        return std::visit(overloaded{
                              [&](SolverModel const& model) { return drop_broken(model, asked, holds); },
                              [&](NoModel) -> std::optional<bool> {
                                  if (holds == Holds::if_broken) return false;
                                  return wrong("unsat, but the problem has a model");
                              },
                              [&](Unanswered const& none) -> std::optional<bool> {
                                  trouble = none.trouble;
                                  return std::nullopt;
                              },
                          },
                          ask_(problem));
    }

    std::optional<bool> drop_broken(SolverModel const& model, std::vector<std::uint32_t> const& asked, Holds holds) {
        ModelValues values(model.text);
        bool is_any = false;
        for (std::uint32_t const i : asked)
            if (values(broken(i)) != 0) is_any = is_dropped_[i] = true;
        if (!values.missing().empty())
            return wrong(fmt::format("sat, but its model has no value for {}", values.missing()));
        if (!is_any && holds == Holds::if_broken)
            return wrong("sat, but its model breaks none of the conditions, and the problem says that it breaks one");
        return true;
    }

    std::optional<bool> wrong(std::string_view answer) {
        trouble = Trouble{Trouble::Kind::wrong_answer, fmt::format("{} says {}", solver_, answer)};
        return std::nullopt;
    }

    bool drop_what_does_not_hold_at_first() {
        is_dropped_.assign(candidates_.all().size(), false);
        std::string text = header();
        std::vector<std::uint32_t> asked;
        for (std::uint32_t i = 0; i < candidates_.all().size(); ++i) {
            asked.push_back(i);
            text += fmt::format("(declare-const {0} Bool)\n(assert (= {0} (not {1})))\n", broken(i),
                                candidate(i).with([&](Variable x) {
                                    return origins_.equation(cssa_.definitions_of(x)[0].name)->term.text;
                                }));
        }
        return drop_broken(text, asked, Holds::in_some_model).has_value();
    }

    bool drop_until_preserved() {
        for (bool is_new = true; is_new;) {
            is_new = false;
            for (std::uint32_t t = 0; t < threads_.size(); ++t) {
                if (!threads_[t].writes) continue;
                for (bool is_broken = true; is_broken;) {
                    auto const answer = ask_what_breaks(t);
                    if (!answer) return false;
                    is_broken = *answer;
                    is_new |= is_broken;
                }
            }
        }
        return true;
    }

    std::optional<bool> ask_what_breaks(std::uint32_t t) {
        std::map<std::uint32_t, std::vector<std::string>> by_candidate;
        for (Block const& b : blocks_->of(t)) {
            if (!b.writes) continue;
            for (std::uint32_t const i : candidates_about(accessed(b, true)))
                if (!is_dropped_[i])
                    by_candidate[i].push_back(conjunction(
                        {ok(b.last), negation(candidate(i).with([&](Variable x) { return value_behind(x, b); }))}));
        }
        if (by_candidate.empty()) return false;
        std::string goal;
        std::vector<std::uint32_t> asked;
        std::vector<std::string> some;
        for (auto const& [i, cases] : by_candidate) {
            goal += fmt::format("(declare-const {0} Bool)\n(assert (= {0} {1}))\n", broken(i), disjunction(cases));
            asked.push_back(i);
            some.push_back(broken(i));
        }
        return drop_broken(problem(t, goal + fmt::format("(assert {})\n", disjunction(some))), asked, Holds::if_broken);
    }

    /// x where a block has ended.
    std::string value_behind(Variable x, Block const& b) const {
        auto const definitions = cssa_.definitions_of(x);
        // They are in the order of the program, the initial value first.
        auto const next =
            std::upper_bound(definitions.begin() + 1, definitions.end(), b.last,
                             [](std::uint32_t command, Cssa::Definition const& d) { return command < d.rho.index; });
        Cssa::Definition const& last = *(next - 1);
        bool const is_of_block = !last.rho.is_none() && last.rho.index >= b.first;
        return is_of_block ? cssa_.name(last.name) : entry(x, b.first);
    }

    bool assertions_hold() {
        std::vector<std::vector<std::string>> fails(threads_.size());
        for (Cssa::Condition const& a : cssa_.assertions())
            fails[thread_of(a.rho)].push_back(conjunction({ok(a.rho.index), negation(a.term.text)}));
        for (std::uint32_t t = 0; t < threads_.size(); ++t) {
            if (fails[t].empty()) continue;
            ModelAnswer const answer = ask_(problem(t, fmt::format("(assert {})\n", disjunction(fails[t]))));
            if (auto const* none = std::get_if<Unanswered>(&answer)) trouble = none->trouble;
            if (!std::holds_alternative<NoModel>(answer)) return false;
        }
        return true;
    }

    MessageIndex const& m_;
    IndexedProgram const& code_;
    Proofs const& proofs_;
    Ask ask_;
    std::string solver_;
    Cssa cssa_;
    std::vector<executions::Accesses> accesses_;
    SymbolOrigins origins_;
    Candidates candidates_;
    std::vector<bool> is_dropped_; // candidate
    std::vector<bool> is_guarded_; // variable: candidates may be about it
    std::vector<bool> is_needed_;  // symbol
    std::vector<ThreadText> threads_;
    Blocks const* blocks_ = nullptr;
};

Invariants::Invariants(MessageIndex const& messages, Proofs const& proofs, Ask ask, std::string solver)
    : impl_(std::make_unique<Impl>(messages, proofs, std::move(ask), std::move(solver))) {}
Invariants::~Invariants() = default;
bool Invariants::no_assertion_fails() { return impl_->no_assertion_fails(); }
std::optional<Trouble> const& Invariants::trouble() const { return impl_->trouble; }
CheckResult::Inductive Invariants::found() const { return impl_->found(); }

} // namespace matchpoint::check
