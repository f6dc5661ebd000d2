#include "check/certificate.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "check/domains.hpp"
#include "check/order_clauses.hpp"
#include "report/matching_words.hpp"
#include "solve/sat_solver.hpp"

namespace matchpoint::check {

namespace {

using Literal = SatSolver::Literal;

class Certifier {
public:
    Certifier(MessageIndex const& messages, CertificateOptions const& options)
        : m_(messages), options_(options), flow_(messages), first_(messages.receives().size()),
          number_(sends_in_order()), evaluation_(flow_), sent_(messages.sends().size()),
          completed_(completed_at(messages)) {}

    std::optional<Certificate> take() {
        if (!matches()) return std::nullopt;
        if (options_.of_failure) assertions();
        hall_violator();
        Feasibility feasibility(m_, options_.buffering);
        Matching m(m_);
        Schedule schedule;
        while (true) {
            if (options_.stop && options_.stop()) return std::nullopt;
            switch (sat_.solve(options_.stop)) {
            case SatSolver::Answer::unsatisfiable: return std::move(certificate_);
            case SatSolver::Answer::stopped: return std::nullopt;
            case SatSolver::Answer::satisfiable: break;
            }
            if (certificate_.clauses.size() > options_.most_clauses) return std::nullopt;
            for (std::uint32_t r = 0; r < first_.size(); ++r) m[r] = chosen(r);
            std::vector<std::uint32_t> failing;
            for (std::size_t i = 0; i < fails_.size(); ++i)
                if (sat_.value(fails_[i])) failing.push_back(flow_.assertions()[i]);
            if (auto const conflict = feasibility.conflict(m)) {
                if (conflict->kind != Conflict::Kind::cycle)
                    throw std::logic_error("certificate: " + explain(m_, *conflict));
                add(negated(conflict->core), "cycle");
                if (++cycles_ == many_cycles) order();
                continue;
            }
            schedule.clear();
            feasibility.schedule(m, schedule);
            if (!values(schedule, m, failing)) throw std::logic_error("certificate: there is such a run");
        }
    }

private:
    std::string name(auto id) const { return std::string(m_.code().names()(id)); }
    std::string at(std::uint32_t node) const { return name(Location{flow_.command_of(node)}); }

    void add(std::vector<Literal> literals, std::string reason) {
        sat_.add(literals);
        certificate_.clauses.push_back({std::move(literals), std::move(reason)});
    }
    std::vector<Literal> negated(std::vector<Pair> const& pairs) const {
        std::vector<Literal> result;
        for (Pair const& p : pairs) result.push_back(-match(p));
        return result;
    }

    /// Send -> its number among those to its endpoint.
    std::vector<std::uint32_t> sends_in_order() {
        std::vector<std::uint32_t> number(m_.sends().size());
        sends_to_.resize(m_.code().endpoints().size());
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s) {
            auto& of_endpoint = sends_to_[m_.beta_of(m_.sends()[s]).index];
            number[s] = static_cast<std::uint32_t>(of_endpoint.size());
            of_endpoint.push_back(s);
        }
        return number;
    }
    Literal match(Pair p) const { return first_[p.r] + static_cast<Literal>(number_[p.s]); }
    std::uint32_t chosen(std::uint32_t r) const {
        for (std::uint32_t const s : sends_to_[m_.receives()[r].beta.index])
            if (sat_.value(match({r, s}))) return s;
        return unmatched;
    }

    /// False: too many.
    bool matches() {
        double clauses = 0;
        for (std::uint32_t beta = 0; beta < sends_to_.size(); ++beta) {
            auto const r = static_cast<double>(m_.receives_at({beta}).size());
            auto const s = static_cast<double>(sends_to_[beta].size());
            clauses += r * s * (r + s);
        }
        if (clauses / 2 > static_cast<double>(options_.most_clauses)) return false;
        for (std::uint32_t r = 0; r < first_.size(); ++r) {
            first_[r] = sat_.variables() + 1;
            for (std::uint32_t const s : sends_to_[m_.receives()[r].beta.index]) {
                sat_.new_variable();
                certificate_.variables.push_back(
                    fmt::format("match {} {}", name(m_.receives()[r].a), name(m_.sends()[s].a)));
            }
        }
        for (std::uint32_t r = 0; r < first_.size(); ++r) {
            auto const& sends = sends_to_[m_.receives()[r].beta.index];
            std::string const a = name(m_.receives()[r].a);
            std::vector<Literal> all;
            for (std::uint32_t const s : sends) all.push_back(match({r, s}));
            add(all, "get " + a);
            for (std::size_t i = 0; i < all.size(); ++i)
                for (std::size_t j = i + 1; j < all.size(); ++j) add({-all[i], -all[j]}, "one " + a);
        }
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s) send(s);
        return true;
    }

    void send(std::uint32_t s) {
        auto const& send = m_.sends()[s];
        auto const receives = m_.receives_at(m_.beta_of(send));
        std::string const a = name(send.a);
        std::vector<Literal> all;
        for (std::uint32_t const r : receives) all.push_back(match({r, s}));
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = i + 1; j < all.size(); ++j) add({-all[i], -all[j]}, "once " + a);
        if (send.place > 0) {
            std::uint32_t const before = m_.sends_of(send.channel)[send.place - 1];
            std::vector<Literal> clause;
            for (std::size_t i = 0; i < all.size(); ++i) {
                clause.push_back(-all[i]);
                add(clause, fmt::format("fifo {} {}", name(m_.receives()[receives[i]].a), a));
                clause.back() = match({receives[i], before});
            }
        }
        if (options_.buffering == Buffering::zero && !send.wait.is_none()) add(all, "taken " + a);
    }

    void assertions() {
        Domains const domains(flow_);
        bool const may_ask = Domains(flow_).require({}); // else some endpoint gets nothing at all
        std::vector<Literal> some;
        for (std::uint32_t const n : flow_.assertions()) {
            fails_.push_back(sat_.new_variable());
            certificate_.variables.push_back("fails " + at(n));
            some.push_back(fails_.back());
        }
        add(some, "some");
        for (std::size_t i = 0; i < fails_.size() && may_ask; ++i)
            if (Requirement const r{flow_.assertions()[i], false}; !domains.may_hold(r))
                add({-fails_[i]}, "bounds " + at(r.node));
    }

    /// What the assumptions leave may be too little for all, and that is hard for a solver.
    void hall_violator() {
        std::vector<Requirement> required;
        for (std::uint32_t const n : flow_.assumptions()) required.push_back({n, true});
        Domains domains(flow_);
        if (!domains.require(required)) return;
        auto const hall_violator = domains.hall_violator();
        if (!hall_violator) return;
        std::vector<bool> is_in(m_.sends().size());
        for (std::uint32_t const s : hall_violator->sends) is_in[s] = true;
        std::vector<Literal> other;
        for (std::uint32_t const r : hall_violator->receives)
            for (std::uint32_t const s : sends_to_[m_.receives()[r].beta.index])
                if (!is_in[s]) other.push_back(match({r, s}));
        std::string reason = fmt::format("hall_violator {}", hall_violator->receives.size());
        for (std::uint32_t const r : hall_violator->receives) reason += " " + name(m_.receives()[r].a);
        for (std::uint32_t const s : hall_violator->sends) reason += " " + name(m_.sends()[s].a);
        add(std::move(other), std::move(reason));
    }

    /// All cycles, unless that takes too many clauses.
    void order() {
        auto const named = [&](Conflict::Moment m) {
            return m.instant ? "instant " + name(m_.receives()[m.index].a) : "command " + name(Location{m.index});
        };
        order_clauses(m_, overapprox(m_), options_.buffering, options_.most_clauses / 10,
                      {.match = [&](Pair p) { return match(p); },
                       .new_before =
                           [&](Conflict::Moment a, Conflict::Moment b) {
                               certificate_.variables.push_back(fmt::format("before {} {}", named(a), named(b)));
                               return sat_.new_variable();
                           },
                       .add = [&](std::vector<Literal> const& clause) { add(clause, "cycle"); }});
    }

    /// The values of a run in which only some of the matches are known, by receive.
    void evaluate(Schedule const& schedule, Matching const& m, std::vector<bool> const& known) {
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            Location const rho = schedule.entry(i).rho;
            Command const& c = flow_.ctp().commands[rho.index].c;
            for (std::uint32_t const r : completed_[rho.index])
                evaluation_.receive(r, known[r] ? sent_[m[r]] : Value());
            if (!flow_.is_relevant(rho.index)) continue;
            if (auto const* const sndi = std::get_if<Sndi>(&c))
                sent_[m_.send_number(sndi->a)] = evaluation_(sndi->e.root());
            if (std::holds_alternative<Assign>(c)) evaluation_.assign(rho.index);
        }
    }

    /// Clauses for what stands against the run: one for what breaks it, or one for each assertion that holds. False: it
    /// fails, or keeps the assumptions, as was asked.
    bool values(Schedule const& schedule, Matching const& m, std::vector<std::uint32_t> const& failing) {
        evaluate(schedule, m, std::vector<bool>(first_.size(), true));
        auto const is_zero = [](Value const& v) { return v == Value::integer(0); };
        for (std::uint32_t const n : flow_.divisors())
            if (is_zero(evaluation_(n))) {
                because(schedule, m, n, is_zero, {}, "divisor " + at(n));
                return true;
            }
        bool broken = false;
        auto const is_false = [](Value const& v) { return v.is_false(); };
        std::vector<std::uint32_t> not_kept;
        for (std::uint32_t const n : flow_.assumptions())
            if (is_false(evaluation_(n))) not_kept.push_back(n);
        for (std::uint32_t const n : not_kept)
            because(schedule, m, n, is_false, {}, "assumption " + at(n)), broken = true;
        if (broken || !options_.of_failure) return broken;
        auto const holds = [&](Value const& v) { return !v.is_bot() && !v.is_false(); };
        for (std::uint32_t const n : failing) {
            evaluate(schedule, m, std::vector<bool>(first_.size(), true));
            if (!holds(evaluation_(n))) return false;
            auto const i =
                std::find(flow_.assertions().begin(), flow_.assertions().end(), n) - flow_.assertions().begin();
            because(schedule, m, n, holds, {-fails_[static_cast<std::size_t>(i)]}, "holds " + at(n));
        }
        return !failing.empty();
    }

    /// A clause with as few matches as decide a node.
    template <typename Is>
    void because(Schedule const& schedule, Matching const& m, std::uint32_t node, Is is, std::vector<Literal> clause,
                 std::string reason) {
        // Only those matter that it depends on, however far.
        std::vector<bool> known(first_.size());
        std::vector<std::uint32_t> needed = flow_.cone(node).receives;
        for (std::size_t i = 0; i < needed.size(); ++i) {
            if (known[needed[i]]) continue;
            known[needed[i]] = true;
            auto const more = flow_.cone(flow_.payload(m[needed[i]])).receives;
            needed.insert(needed.end(), more.begin(), more.end());
        }
        std::sort(needed.begin(), needed.end());
        needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
        for (std::uint32_t const r : needed) {
            known[r] = false;
            evaluate(schedule, m, known);
            if (!is(evaluation_(node))) known[r] = true;
        }
        for (std::uint32_t const r : needed)
            if (known[r]) clause.push_back(-match({r, m[r]}));
        add(std::move(clause), std::move(reason));
    }

    static constexpr std::size_t many_cycles = 50;

    MessageIndex const& m_;
    CertificateOptions const& options_;
    std::size_t cycles_ = 0;
    DataFlow flow_;
    std::vector<std::vector<std::uint32_t>> sends_to_; // endpoint
    std::vector<Literal> first_;                       // receive -> its match with the first send to its endpoint
    std::vector<std::uint32_t> number_;
    std::vector<Literal> fails_; // of the assertions
    SatSolver sat_;
    Certificate certificate_;
    Evaluation evaluation_;
    std::vector<Value> sent_;
    std::vector<std::vector<std::uint32_t>> completed_;
};

} // namespace

std::string Certificate::dimacs() const {
    std::string text;
    for (std::size_t i = 0; i < variables.size(); ++i) text += fmt::format("c var {} {}\n", i + 1, variables[i]);
    text += fmt::format("p cnf {} {}\n", variables.size(), clauses.size());
    for (Clause const& clause : clauses) {
        for (int const l : clause.literals) text += fmt::format("{} ", l);
        text += "0\n";
    }
    return text;
}

std::string Certificate::reasons() const {
    std::string text;
    for (Clause const& clause : clauses) text += clause.reason + "\n";
    return text;
}

std::optional<Certificate> certify(MessageIndex const& messages, CertificateOptions const& options) {
    return Certifier(messages, options).take();
}

std::string write_proof(Certificate const& certificate, std::string const& path, std::function<bool()> const& stop) {
    SatSolver sat;
    if (!sat.write_proof(path)) return path + ": cannot be written";
    for (auto const& clause : certificate.clauses) sat.add(clause.literals);
    auto const answer = sat.solve(stop);
    sat.finish_proof();
    if (answer == SatSolver::Answer::satisfiable) throw std::logic_error("certificate: the clauses can be satisfied");
    return answer == SatSolver::Answer::stopped ? "out of time" : "";
}

} // namespace matchpoint::check
