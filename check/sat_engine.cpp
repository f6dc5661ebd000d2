#include "check/sat_engine.hpp"

#include <algorithm>
#include <stdexcept>

#include <boost/unordered/unordered_flat_map.hpp>

#include "check/domains.hpp"
#include "check/order_clauses.hpp"
#include "check/value_bounds.hpp"
#include "check/value_literals.hpp"
#include "solve/sat_solver.hpp"

namespace matchpoint::check {

namespace {

using Literal = SatSolver::Literal;

/// M(R, S), that a receive gets one send and a send goes to one receive at most, and channels' order.
class MatchClauses {
public:
    MatchClauses(SatSolver& sat, MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering)
        : sat_(sat), m_(messages), pairs_(pairs), first_(pairs.of.size()), receives_(messages.sends().size()),
          received_(messages.sends().size()) {
        for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
            first_[r] = sat_.variables() + 1;
            for (std::size_t i = 0; i < pairs.of[r].size(); ++i) sat_.new_variable();
        }
        for (std::uint32_t r = 0; r < pairs.of.size(); ++r) receive(r);
        for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta)
            for (std::uint32_t const r : m_.receives_at({beta}))
                for (std::size_t i = 0; i < pairs.of[r].size(); ++i)
                    receives_[pairs.of[r][i]].push_back(
                        {m_.receives()[r].ordinal, first_[r] + static_cast<Literal>(i)});
        for (std::uint32_t s = 0; s < receives_.size(); ++s) send(s, buffering);
        for (std::uint32_t c = 0; c < m_.code().channels().size(); ++c) {
            auto const sends = m_.sends_of({c});
            for (std::size_t i = 1; i < sends.size(); ++i) consecutive(sends[i - 1], sends[i]);
        }
    }

    /// Of a pair that there is.
    Literal operator()(Pair p) const {
        auto const& sends = pairs_.of[p.r];
        auto const it = std::lower_bound(sends.begin(), sends.end(), p.s);
        return first_[p.r] + static_cast<Literal>(it - sends.begin());
    }
    /// Of a receive's i-th candidate.
    Literal at(std::uint32_t r, std::size_t i) const { return first_[r] + static_cast<Literal>(i); }

    /// Of the last solution.
    void matching(Matching& m) const {
        for (std::uint32_t r = 0; r < pairs_.of.size(); ++r)
            for (std::size_t i = 0; i < pairs_.of[r].size(); ++i)
                if (sat_.value(at(r, i))) m[r] = pairs_.of[r][i];
    }

private:
    struct Candidate {
        std::uint32_t ordinal;
        Literal pair;
    };
    static constexpr std::size_t few = 5;

    void receive(std::uint32_t r) {
        clause_.clear();
        for (std::size_t i = 0; i < pairs_.of[r].size(); ++i) clause_.push_back(at(r, i));
        sat_.add(clause_);
        if (clause_.size() <= few) {
            pairwise(clause_);
            return;
        }
        // t: one of the candidates up to here
        Literal t = clause_[0];
        for (std::size_t i = 1; i < clause_.size(); ++i) {
            sat_.add({-t, -clause_[i]});
            if (i + 1 == clause_.size()) break;
            Literal const next = sat_.new_variable();
            sat_.add({-t, next});
            sat_.add({-clause_[i], next});
            t = next;
        }
    }
    void pairwise(std::vector<Literal> const& literals) {
        for (std::size_t i = 0; i < literals.size(); ++i)
            for (std::size_t j = i + 1; j < literals.size(); ++j) sat_.add({-literals[i], -literals[j]});
    }

    void send(std::uint32_t s, Buffering buffering) {
        auto const& send = m_.sends()[s];
        auto const& candidates = receives_[s];
        clause_.clear();
        for (Candidate const& c : candidates) clause_.push_back(c.pair);
        // Zero buffering: who is waited for is received. As many sends as receives: all are, which helps the solver.
        Endpoint const beta = m_.beta_of(send);
        if ((buffering == Buffering::zero && !send.wait.is_none()) || m_.sends_to(beta) == m_.receives_at(beta).size())
            sat_.add(clause_);
        auto& received = received_[s];
        if (candidates.empty()) return;
        if (m_.sends_of(send.channel).size() == 1 && candidates.size() <= few) {
            pairwise(clause_);
            return;
        }
        received.push_back(candidates[0].pair);
        for (std::size_t i = 1; i < candidates.size(); ++i) {
            Literal const before = received.back();
            Literal const here = sat_.new_variable();
            sat_.add({-candidates[i].pair, here});
            sat_.add({-candidates[i].pair, -before});
            sat_.add({-before, here});
            sat_.add({-here, before, candidates[i].pair});
            received.push_back(here);
        }
    }

    /// Who is received by then: the send before it, before then.
    void consecutive(std::uint32_t s, std::uint32_t next) {
        auto const& of_s = receives_[s];
        auto const& of_next = receives_[next];
        std::size_t before = 0; // candidates of s with a smaller ordinal
        for (std::size_t i = 0; i < of_next.size(); ++i) {
            while (before < of_s.size() && of_s[before].ordinal < of_next[i].ordinal) ++before;
            bool const same =
                i + 1 < of_next.size() && (before == of_s.size() || of_s[before].ordinal >= of_next[i + 1].ordinal);
            if (same) continue; // the next clause says it too
            Literal const by_now = received_[next][i];
            if (before == 0)
                sat_.add({-by_now});
            else
                sat_.add({-by_now, received_[s][before - 1]});
        }
    }

    SatSolver& sat_;
    MessageIndex const& m_;
    MatchPairs const& pairs_;
    std::vector<Literal> first_;                   // receive -> of its first candidate
    std::vector<std::vector<Candidate>> receives_; // send -> by ordinal
    std::vector<std::vector<Literal>> received_;   // send -> received by its first, by one of its first two ...
    std::vector<Literal> clause_;
};

/// What a part of the property is asked: whether it is true, or, of a divisor, whether it is zero.
struct Atom {
    std::uint32_t node;
    bool is_divisor;
};

/// The property over the matches.
class ValueClauses {
public:
    ValueClauses(SatSolver& sat, DataFlow const& flow, Domains const& domains, MatchPairs const& pairs,
                 MatchClauses const& matches)
        : sat_(sat), flow_(flow), m_(flow.messages()), ctp_(flow.ctp()), domains_(domains), pairs_(pairs),
          matches_(matches), literal_(ctp_.nodes.size()), received_true_(m_.receives().size()), evaluation_(flow),
          run_(flow), sent_(m_.sends().size()), completed_(completed_at(m_)), is_closed_(m_.receives().size()),
          true_(sat.new_variable()) {
        sat_.add({true_});
        for (std::uint32_t r = 0; r < is_closed_.size(); ++r)
            is_closed_[r] = std::all_of(pairs.of[r].begin(), pairs.of[r].end(),
                                        [&](std::uint32_t s) { return flow.constant(s).has_value(); });
    }

    /// `fails`: the assertions of which one is to fail, where that is asked.
    void require(Asked asked, std::vector<std::uint32_t> const& fails) {
        for (std::uint32_t const divisor : flow_.divisors()) {
            Literal const zero = sat_.new_variable();
            sat_.add({-zero});
            define({divisor, true}, zero);
        }
        if (asked == Asked::any) return;
        for (std::uint32_t const n : flow_.assumptions()) sat_.add({of(n)});
        if (asked == Asked::success)
            for (std::uint32_t const n : flow_.assertions()) sat_.add({of(n)});
        std::vector<Literal> some;
        for (std::uint32_t const n : fails) some.push_back(-of(n));
        if (asked == Asked::failure) sat_.add(some);
        while (!to_define_.empty() || !to_receive_.empty()) {
            if (!to_define_.empty()) {
                std::uint32_t const n = to_define_.back();
                to_define_.pop_back();
                gate(n);
            } else {
                std::uint32_t const r = to_receive_.back();
                to_receive_.pop_back();
                receive(r);
            }
        }
    }

    /// How the run of a match set ends, by its schedule. None: at a zero divisor.
    std::optional<Status> run(Schedule const& schedule, Matching const& m) {
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            Location const rho = schedule.entry(i).rho;
            Command const& c = ctp_.commands[rho.index].c;
            for (std::uint32_t const r : completed_[rho.index]) run_.receive(r, sent_[m[r]]);
            if (!flow_.is_relevant(rho.index)) continue;
            if (auto const* const sndi = std::get_if<Sndi>(&c)) sent_[m_.send_number(sndi->a)] = run_(sndi->e.root());
            if (std::holds_alternative<Assign>(c)) run_.assign(rho.index);
        }
        for (std::uint32_t const divisor : flow_.divisors())
            if (run_(divisor) == Value::integer(0)) return std::nullopt;
        auto const some_is_false = [&](std::vector<std::uint32_t> const& roots) {
            return std::any_of(roots.begin(), roots.end(), [&](std::uint32_t n) { return run_(n).is_false(); });
        };
        return some_is_false(flow_.assumptions())  ? Status::infeasible
               : some_is_false(flow_.assertions()) ? Status::failure
                                                   : Status::success;
    }

    /// Of the last run: clauses for what the last solution has otherwise. How many.
    std::uint64_t explain(Matching const& m) {
        int const known = sat_.variables(); // others have no value in that solution
        std::vector<std::vector<Literal>> clauses;
        std::vector<bool> explained(m_.receives().size());
        std::vector<std::uint32_t> work;
        auto const because = [&](std::vector<Literal> clause, std::vector<std::uint32_t> const& receives) {
            for (std::uint32_t const r : receives) {
                clause.push_back(-has(r, run_.received(r)));
                work.push_back(r);
            }
            clauses.push_back(std::move(clause));
        };
        for (Lazy const& lazy : lazy_) {
            Value const v = run_(lazy.atom.node);
            if (v.is_bot()) continue;
            bool const is = lazy.atom.is_divisor ? v == Value::integer(0) : v.is_true();
            if (sat_.value(lazy.literal) != is) because({is ? lazy.literal : -lazy.literal}, lazy.receives);
        }
        while (!work.empty()) {
            std::uint32_t const r = work.back();
            work.pop_back();
            if (explained[r]) continue;
            explained[r] = true;
            std::uint32_t const s = m[r];
            if (flow_.constant(s)) continue; // told when the literal was made
            Literal const v = has(r, run_.received(r));
            if (v > known || !sat_.value(v)) because({v, -matches_({r, s})}, cone_of(s));
        }
        for (auto const& clause : clauses) sat_.add(clause);
        for (auto const& clause : definitions_) sat_.add(clause);
        definitions_.clear();
        return clauses.size();
    }

private:
    struct Lazy {
        Atom atom;
        Literal literal;
        std::vector<std::uint32_t> receives;
    };

    /// A boolean node is true.
    Literal of(std::uint32_t node) {
        std::uint32_t const n = flow_.resolve(node);
        if (!flow_.is_boolean(n)) return true_; // an assumption or assertion that is no boolean is not false
        Node const& at = ctp_.nodes[n];
        if (at.kind == Node::Kind::value) return ctp_.values[at.payload].is_true() ? true_ : -true_;
        bool const is_received = at.kind == Node::Kind::variable;
        std::uint32_t const r = flow_.definition(n).index;
        Literal& literal = is_received ? received_true_[r] : literal_[n];
        if (literal != 0) return literal;
        if (!is_received && at.op == Op::not_) return -of_operand(n);
        literal = sat_.new_variable();
        (is_received ? to_receive_ : to_define_).push_back(is_received ? r : n);
        return literal;
    }
    /// Of a negation, without recursion.
    Literal of_operand(std::uint32_t n) {
        // not not e: the literal of e, whichever way
        bool negated = false;
        std::uint32_t at = flow_.resolve(flow_.right(n));
        while (ctp_.nodes[at].kind == Node::Kind::operation && ctp_.nodes[at].op == Op::not_) {
            negated = !negated;
            at = flow_.resolve(flow_.right(at));
        }
        return negated ? -of(at) : of(at);
    }

    void receive(std::uint32_t r) {
        for (std::size_t i = 0; i < pairs_.of[r].size(); ++i) {
            std::uint32_t const s = pairs_.of[r][i];
            Literal const pair = matches_.at(r, i);
            Literal const received = received_true_[r];
            if (auto const& v = flow_.constant(s)) {
                sat_.add({-pair, v->is_true() ? received : -received});
                continue;
            }
            Literal const sent = of(flow_.payload(s));
            sat_.add({-pair, -sent, received});
            sat_.add({-pair, sent, -received});
        }
    }

    void gate(std::uint32_t n) {
        Literal const g = literal_[n];
        Node const& at = ctp_.nodes[n];
        bool const compares = at.op == Op::equal || at.op == Op::not_equal;
        bool const is_gate = operands(at.op) == Operands::booleans || (compares && flow_.is_boolean(flow_.left(n)));
        if (!is_gate || is_small(n)) {
            if (!domains_.may_hold({n, true}))
                sat_.add({-g});
            else if (!domains_.may_hold({n, false}))
                sat_.add({g});
            else
                define({n, false}, g);
            return;
        }
        Literal a = of(flow_.left(n));
        Literal b = of(flow_.right(n));
        switch (at.op) {
        case Op::implies: a = -a; [[fallthrough]];
        case Op::or_:
            sat_.add({-g, a, b});
            sat_.add({g, -a});
            sat_.add({g, -b});
            break;
        case Op::and_:
            sat_.add({g, -a, -b});
            sat_.add({-g, a});
            sat_.add({-g, b});
            break;
        default:
            if (at.op == Op::equal) a = -a; // else they differ
            sat_.add({-g, a, b});
            sat_.add({-g, -a, -b});
            sat_.add({g, -a, b});
            sat_.add({g, a, -b});
        }
    }

    /// Whether a table says all that there is to say.
    bool is_small(std::uint32_t node) const {
        Dependence const& d = flow_.dependence(node);
        if (d.count() == 0) return true;
        if (d.count() > 2 || !is_closed_[d.first] || (d.count() == 2 && !is_closed_[d.second])) return false;
        constexpr std::size_t most = 100'000;
        std::size_t const nodes = node - flow_.first(node) + 1;
        std::size_t const rows = pairs_.of[d.first].size() * (d.count() == 2 ? pairs_.of[d.second].size() : 1);
        return rows * nodes <= most * 10 && rows <= most && work_ + rows * nodes <= most_work;
    }

    void define(Atom atom, Literal literal) {
        Dependence const& d = flow_.dependence(atom.node);
        auto cone = flow_.cone(atom.node);
        if (!is_small(atom.node)) {
            if (!reachable_)
                reachable_.emplace(sat_, flow_, pairs_, [this](auto r, auto i) { return matches_.at(r, i); });
            if (!(atom.is_divisor ? reachable_->is_zero(atom.node, literal) : reachable_->holds(atom.node, literal)))
                lazy_.push_back({atom, literal, std::move(cone.receives)});
            return;
        }
        auto const row = [&] {
            Value const v = evaluation_(cone, atom.node);
            return v.is_bot() ? 0 : (atom.is_divisor ? v == Value::integer(0) : v.is_true()) ? 1 : -1;
        };
        if (d.count() == 0) {
            if (int const is = row(); is != 0) sat_.add({is * literal});
            return;
        }
        auto const& firsts = pairs_.of[d.first];
        std::size_t const nodes = atom.node - flow_.first(atom.node) + 1;
        bool ever[2] = {false, false};
        std::vector<Literal> when_false, when_true;
        for (std::size_t i = 0; i < firsts.size(); ++i) {
            evaluation_.receive(d.first, *flow_.constant(firsts[i]));
            Literal const pair = matches_.at(d.first, i);
            if (d.count() == 1) {
                work_ += nodes;
                if (int const is = row(); is != 0) sat_.add({-pair, is * literal});
                ever[0] = ever[1] = true;
                continue;
            }
            when_false.clear();
            when_true.clear();
            auto const& seconds = pairs_.of[d.second];
            for (std::size_t j = 0; j < seconds.size(); ++j) {
                if (!are_compatible(m_, {d.first, firsts[i]}, {d.second, seconds[j]})) continue;
                work_ += nodes;
                evaluation_.receive(d.second, *flow_.constant(seconds[j]));
                int const is = row();
                Literal const other = matches_.at(d.second, j);
                if (is <= 0) when_false.push_back(other);
                if (is >= 0) when_true.push_back(other);
            }
            ever[0] |= !when_false.empty();
            ever[1] |= !when_true.empty();
            for (bool const is : {false, true}) {
                auto& others = is ? when_true : when_false;
                if ((is ? when_false : when_true).empty() && !others.empty()) {
                    sat_.add({-pair, is ? literal : -literal});
                    continue;
                }
                others.push_back(-pair);
                others.push_back(is ? -literal : literal);
                sat_.add(others);
                others.resize(others.size() - 2);
            }
        }
        for (bool const is : {false, true})
            if (!ever[is ? 1 : 0]) sat_.add({is ? -literal : literal});
        evaluation_.receive(d.first, Value());
        if (d.count() == 2) evaluation_.receive(d.second, Value());
    }

    /// A receive gets a value; only told in this direction, and that it gets no other one.
    Literal has(std::uint32_t r, Value const& v) {
        if (reachable_)
            if (Literal const literal = reachable_->received(r, v); literal != 0) return literal;
        auto const [it, is_new] = values_.try_emplace({r, v}, 0);
        if (!is_new) return it->second;
        Literal const literal = it->second = sat_.new_variable();
        for (std::size_t i = 0; i < pairs_.of[r].size(); ++i)
            if (auto const& sent = flow_.constant(pairs_.of[r][i]))
                definitions_.push_back({-matches_.at(r, i), *sent == v ? literal : -literal});
        return literal;
    }

    std::vector<std::uint32_t> const& cone_of(std::uint32_t s) {
        auto const [it, is_new] = cones_.try_emplace(s);
        if (is_new) it->second = flow_.cone(flow_.payload(s)).receives;
        return it->second;
    }

    static constexpr std::size_t most_work = 200'000'000; // nodes evaluated for tables

    SatSolver& sat_;
    DataFlow const& flow_;
    MessageIndex const& m_;
    Ctp const& ctp_;
    Domains const& domains_;
    MatchPairs const& pairs_;
    MatchClauses const& matches_;
    std::vector<Literal> literal_;       // node
    std::vector<Literal> received_true_; // receive
    std::vector<std::uint32_t> to_define_;
    std::vector<std::uint32_t> to_receive_;
    std::vector<Lazy> lazy_;
    Evaluation evaluation_; // for tables
    std::size_t work_ = 0;
    Evaluation run_; // of a solution
    std::vector<Value> sent_;
    std::vector<std::vector<std::uint32_t>> completed_;
    std::vector<bool> is_closed_; // receive: it gets constants only
    boost::unordered_flat_map<std::pair<std::uint32_t, Value>, Literal> values_;
    boost::unordered_flat_map<std::uint32_t, std::vector<std::uint32_t>> cones_; // send
    std::vector<std::vector<Literal>> definitions_;                              // of values_, to be added
    std::optional<ValueLiterals> reachable_;                                     // what is not lazy
    Literal true_;
};

class Engine {
public:
    Engine(MessageIndex const& messages, SatOptions const& options)
        : m_(messages), options_(options), flow_(messages), domains_(flow_) {}

    SatAnswer take() {
        if (!narrow()) {
            answer_.kind = SatAnswer::Kind::none;
            return std::move(answer_);
        }
        auto pairs = domains_.candidates(options_.most_pairs);
        if (!pairs) {
            answer_.kind = SatAnswer::Kind::beyond;
            return std::move(answer_);
        }
        MatchPairs kept = tight(m_, options_.buffering, std::move(*pairs));
        if (ValueBounds::is_of_use(flow_) && !narrow(kept)) {
            answer_.kind = SatAnswer::Kind::none;
            return std::move(answer_);
        }
        answer_.pairs = kept.size();
        search(kept);
        return std::move(answer_);
    }

private:
    /// False: there is no such run.
    bool narrow() {
        if (options_.asked != Asked::any)
            for (std::uint32_t const n : flow_.assumptions()) required_.push_back({n, true});
        if (options_.asked == Asked::success)
            for (std::uint32_t const n : flow_.assertions()) required_.push_back({n, true});
        if (options_.asked == Asked::failure) fails_ = flow_.assertions();
        return narrow(domains_) && domains_.has_matching();
    }
    /// The same of what is computed.
    bool narrow(MatchPairs& pairs) {
        ValueBounds bounds(flow_, pairs);
        if (!narrow(bounds)) return false;
        if (bounds.pairs() != pairs) pairs = tight(m_, options_.buffering, bounds.pairs());
        return true;
    }
    bool narrow(auto& by) {
        if (!by.require(required_)) return false;
        if (options_.asked != Asked::failure) return true;
        std::erase_if(fails_, [&](std::uint32_t n) { return !by.may_hold({n, false}); });
        if (fails_.size() != 1) return !fails_.empty();
        // Together with the assumptions it narrows more than alone.
        required_.push_back({fails_[0], false});
        return by.require(required_);
    }

    bool is_stopped() const { return options_.stop && options_.stop(); }

    void search(MatchPairs const& pairs) {
        SatSolver sat;
        MatchClauses const matches(sat, m_, pairs, options_.buffering);
        ValueClauses values(sat, flow_, domains_, pairs, matches);
        values.require(options_.asked, fails_);
        Feasibility feasibility(m_, options_.buffering);
        Matching m(m_);
        Schedule schedule;
        while (true) {
            if (answer_.solver_calls >= options_.most_calls) {
                answer_.kind = SatAnswer::Kind::beyond;
                return;
            }
            ++answer_.solver_calls;
            switch (is_stopped() ? SatSolver::Answer::stopped : sat.solve(options_.stop)) {
            case SatSolver::Answer::unsatisfiable: answer_.kind = SatAnswer::Kind::none; return;
            case SatSolver::Answer::stopped: answer_.kind = SatAnswer::Kind::stopped; return;
            case SatSolver::Answer::satisfiable: break;
            }
            matches.matching(m);
            if (exclude_cycles(sat, matches, feasibility, pairs, m)) continue;
            schedule.clear();
            feasibility.schedule(m, schedule);
            auto const s = values.run(schedule, m);
            if (s && is_asked(*s)) {
                Machine machine(m_.code(), options_.buffering);
                if (machine::run(machine, schedule).s != *s)
                    throw std::logic_error("sat: the machine runs a match set otherwise");
                answer_.kind = SatAnswer::Kind::found;
                answer_.run = Run{m, std::move(schedule), *s};
                return;
            }
            std::uint64_t const clauses = values.explain(m);
            if (clauses == 0) throw std::logic_error("sat: a solution is no such run, and nothing says why");
            answer_.values += clauses;
        }
    }

    bool is_asked(Status s) const {
        return options_.asked == Asked::any ||
               s == (options_.asked == Asked::failure ? Status::failure : Status::success);
    }

    /// A clause for each of some cycles that have no match in common; after many, for all of them at once, if that is not
    /// too much. False: there is none.
    bool exclude_cycles(SatSolver& sat, MatchClauses const& matches, Feasibility& feasibility, MatchPairs const& pairs,
                        Matching m) {
        constexpr std::size_t most = 100;
        std::vector<std::vector<Literal>> clauses;
        while (clauses.size() < most) {
            auto const conflict = feasibility.conflict(m);
            if (!conflict || (!clauses.empty() && conflict->kind != Conflict::Kind::cycle)) break;
            auto& clause = clauses.emplace_back();
            for (Pair const& p : conflict->core) {
                clause.push_back(-matches(p));
                m[p.r] = unmatched;
            }
        }
        for (auto const& clause : clauses) sat.add(clause);
        answer_.cycles += clauses.size();
        if (answer_.cycles > many_cycles && !all_cycles_) {
            all_cycles_ = true;
            order_clauses(m_, pairs, options_.buffering, most_order_clauses,
                          {.match = [&](Pair p) { return matches(p); },
                           .new_before = [&](auto, auto) { return sat.new_variable(); },
                           .add = [&](std::vector<Literal> const& clause) { sat.add(clause); }});
        }
        return !clauses.empty();
    }

    static constexpr std::uint64_t many_cycles = 100;
    static constexpr std::size_t most_order_clauses = 5'000'000;

    MessageIndex const& m_;
    SatOptions const& options_;
    bool all_cycles_ = false; // tried
    DataFlow flow_;
    Domains domains_;
    std::vector<Requirement> required_; // in every run that is asked for
    std::vector<std::uint32_t> fails_;  // one of these assertions is to fail
    SatAnswer answer_;
};

} // namespace

SatAnswer solve(MessageIndex const& messages, SatOptions const& options) { return Engine(messages, options).take(); }

} // namespace matchpoint::check
