#include "check/certificate.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "check/sat/domains.hpp"
#include "check/sat/match_reasons.hpp"
#include "check/sat/order_clauses.hpp"
#include "check/shared/search.hpp"
#include "explain/matching_words.hpp"
#include "lowering/lowered.hpp"
#include "matching/run_values.hpp"
#include "solve/sat_solver.hpp"

namespace matchpoint::check {

namespace {

using Literal = SatSolver::Literal;

/// The commands that clauses about executions name, thread by thread: those that receive, send, wait or decide
/// something, and the last one of each thread.
std::vector<bool> named_commands(DataFlow const& flow, Buffering buffering) {
    MessageIndex const& messages = flow.messages();
    bool const zero = buffering == Buffering::zero;
    std::vector<bool> named(flow.ctp().commands.size());
    for (auto const& r : messages.receives()) {
        named[r.nw.index] = true;
        if (zero) named[r.rho.index] = true;
    }
    for (auto const& s : messages.sends()) {
        if (!messages.receives_at(messages.beta_of(s)).empty()) named[s.rho.index] = true;
        if (zero && !s.wait.is_none()) named[s.wait.index] = true;
    }
    for (auto const* const nodes : {&flow.assumptions(), &flow.assertions(), &flow.divisors()})
        for (std::uint32_t const n : *nodes) named[flow.command_of(n)] = true;
    for (Thread const& t : flow.ctp().threads)
        if (t.first < t.last) named[t.last - 1] = true;
    return named;
}

class Certifier {
public:
    Certifier(MessageIndex const& messages, CertificateOptions const& options)
        : m_(messages), options_(options), of_executions_(options.runs == Runs::executions), flow_(messages),
          matches_(clauses_, messages, options.buffering), executed_(flow_.ctp().commands.size()),
          matched_(messages.receives().size()), values_(flow_) {}

    std::optional<Certificate> run() {
        if (MatchReasons::size(m_) > static_cast<double>(options_.most_clauses)) return std::nullopt;
        add_matches();
        if (of_executions_ || options_.of_failure) add_assertions();
        add_hall_violator();
        Feasibility feasibility(m_, options_.buffering, of_executions_ ? Extent::prefix : Extent::complete);
        Matching m(m_);
        Schedule schedule;
        while (true) {
            if (options_.stop && options_.stop()) return std::nullopt;
            switch (clauses_.sat().solve(options_.stop)) {
            case SatSolver::Answer::unsatisfiable: return std::move(clauses_.certificate());
            case SatSolver::Answer::stopped: return std::nullopt;
            case SatSolver::Answer::satisfiable: break;
            }
            if (clauses_.count() > options_.most_clauses) return std::nullopt;
            std::vector<std::uint32_t> const failing = read_solution(m);
            if (auto const conflict = feasibility.conflict(m)) {
                if (conflict->kind != Conflict::Kind::cycle)
                    throw std::logic_error("certificate: " + in_words(m_, *conflict));
                add(negated(conflict->core), "cycle");
                if (++cycles_ == many_cycles) add_order();
                continue;
            }
            schedule.clear();
            feasibility.schedule(m, schedule);
            if (!add_values(schedule, m, failing)) throw std::logic_error("certificate: there is such a run");
        }
    }

private:
    std::string name(auto id) const { return std::string(m_.code().names()(id)); }
    std::string at(std::uint32_t node) const { return name(Location{flow_.command_of(node)}); }

    Literal new_variable(std::string meaning) {
        return clauses_.new_variable([&] { return std::move(meaning); });
    }
    void add(std::vector<Literal> literals, std::string reason) {
        clauses_.add(std::move(literals), [&] { return std::move(reason); });
    }
    std::vector<Literal> negated(std::vector<Pair> const& pairs) const {
        std::vector<Literal> result;
        result.reserve(pairs.size());
        for (Pair const& p : pairs) result.push_back(-match(p));
        return result;
    }

    Literal match(Pair p) const { return matches_.match(p); }
    /// Reads the last solution: what each receive gets, which receives get something, and which commands have run.
    /// Returns the assertions that fail.
    std::vector<std::uint32_t> read_solution(Matching& m) {
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r) {
            m[r] = matches_.chosen(r);
            matched_[r] = m[r] != unmatched;
        }
        has_run_.assign(executed_.size(), true);
        for (std::size_t i = 0; i < executed_.size(); ++i)
            if (executed_[i] != 0) has_run_[i] = clauses_.sat().value(executed_[i]);
        return chosen_to_fail();
    }
    std::vector<std::uint32_t> chosen_to_fail() const {
        std::vector<std::uint32_t> failing;
        for (std::size_t i = 0; i < fails_.size(); ++i)
            if (clauses_.sat().value(fails_[i])) failing.push_back(flow_.assertions()[i]);
        return failing;
    }
    /// Clauses get, one, once, fifo and taken; about executions also order, sent, posted and queue.
    void add_matches() {
        if (of_executions_) add_executed();
        matches_.add(executed_);
        if (of_executions_) matches_.add_progress(executed_);
    }

    // About executions: how far they are.

    /// A clause that holds once a command has run.
    std::vector<Literal> unless_not_run(Location rho, std::vector<Literal> clause) const {
        return unless_not_executed(executed_[rho.index], std::move(clause));
    }

    /// Variables `executed`, and clauses order.
    void add_executed() {
        std::vector<bool> const named = named_commands(flow_, options_.buffering);
        for (Thread const& t : flow_.ctp().threads) {
            std::uint32_t last = t.last; // none
            for (std::uint32_t i = t.first; i < t.last; ++i) {
                if (!named[i]) continue;
                executed_[i] = new_variable("executed " + name(Location{i}));
                if (last != t.last)
                    add({-executed_[i], executed_[last]},
                        fmt::format("order {} {}", name(Location{last}), name(Location{i})));
                last = i;
            }
        }
    }

    /// The end of the program, at which every thread has run its last command.
    Literal add_complete() {
        Literal const complete = new_variable("complete");
        for (Thread const& t : flow_.ctp().threads)
            if (t.first < t.last) add({-complete, executed_[t.last - 1]}, "finish " + name(Location{t.last - 1}));
        return complete;
    }

    /// Clauses some and bounds; about executions also failed, and finish if every end is excluded.
    void add_assertions() {
        Domains const domains(flow_);
        bool const may_ask = Domains(flow_).require({}); // false: some receive gets nothing at all
        std::vector<Literal> some;
        for (std::uint32_t const n : flow_.assertions()) {
            fails_.push_back(new_variable("fails " + at(n)));
            some.push_back(fails_.back());
            if (of_executions_) add({-fails_.back(), executed_[flow_.command_of(n)]}, "failed " + at(n));
        }
        if (!options_.of_failure) some.push_back(add_complete());
        add(some, "some");
        for (std::size_t i = 0; i < fails_.size() && may_ask; ++i)
            if (Requirement const r{flow_.assertions()[i], false}; !domains.may_hold(r))
                add({-fails_[i]}, "bounds " + at(r.node));
    }

    /// A solver would take long to find out that the assumptions leave too few messages.
    void add_hall_violator() {
        std::vector<Requirement> required;
        for (std::uint32_t const n : flow_.assumptions()) required.push_back({n, true});
        Domains domains(flow_);
        if (!domains.require(required)) return;
        auto const violator = domains.hall_violator();
        if (!violator) return;
        std::vector<bool> is_in(m_.sends().size());
        for (std::uint32_t const s : violator->sends) is_in[s] = true;
        std::vector<Literal> other;
        for (std::uint32_t const r : violator->receives)
            for (std::uint32_t const s : matches_.sends_to(m_.receives()[r].beta))
                if (!is_in[s]) other.push_back(match({r, s}));
        for (std::uint32_t const r : violator->receives) other = unless_not_run(m_.receives()[r].nw, std::move(other));
        std::string reason = fmt::format("crowd {}", violator->receives.size());
        for (std::uint32_t const r : violator->receives) reason += " " + name(m_.receives()[r].a);
        for (std::uint32_t const s : violator->sends) reason += " " + name(m_.sends()[s].a);
        add(std::move(other), std::move(reason));
    }

    /// Clauses against all cycles, unless they are too many.
    void add_order() {
        auto const named = [&](Conflict::Moment m) {
            return m.instant ? "instant " + name(m_.receives()[m.index].a) : "command " + name(Location{m.index});
        };
        order_clauses(m_, overapprox(m_), options_.buffering, options_.most_clauses / 10,
                      {.match = [&](Pair p) { return match(p); },
                       .new_before =
                           [&](Conflict::Moment a, Conflict::Moment b) {
                               return new_variable(fmt::format("before {} {}", named(a), named(b)));
                           },
                       .add = [&](std::vector<Literal> const& clause) { add(clause, "cycle"); }});
    }

    /// Clauses for why the run of a solution does not count: it breaks an assumption or divides by zero, or each
    /// assertion that the solution has failing holds. False: the run does count.
    bool add_values(Schedule const& schedule, Matching const& m, std::vector<std::uint32_t> const& failing) {
        values_.run(schedule, m, matched_);
        auto const is_zero = [](Value const& v) { return v == Value::integer(0); };
        for (std::uint32_t const n : flow_.divisors())
            if (has_run(n) && is_zero(values_(n))) {
                add_because(schedule, m, n, is_zero, unless_not_run({flow_.command_of(n)}, {}), "divisor " + at(n));
                return true;
            }
        auto const is_false = [](Value const& v) { return v.is_false(); };
        std::vector<std::uint32_t> broken;
        for (std::uint32_t const n : flow_.assumptions())
            if (has_run(n) && is_false(values_(n))) broken.push_back(n);
        for (std::uint32_t const n : broken)
            add_because(schedule, m, n, is_false, unless_not_run({flow_.command_of(n)}, {}), "assumption " + at(n));
        if (!broken.empty()) return true;
        return add_that_hold(schedule, m, failing);
    }

    bool add_that_hold(Schedule const& schedule, Matching const& m, std::vector<std::uint32_t> const& failing) {
        auto const holds = [&](Value const& v) { return !v.is_bot() && !v.is_false(); };
        for (std::uint32_t const n : failing) {
            values_.run(schedule, m, matched_);
            if (!holds(values_(n))) return false;
            auto const i =
                std::find(flow_.assertions().begin(), flow_.assertions().end(), n) - flow_.assertions().begin();
            add_because(schedule, m, n, holds, {-fails_[static_cast<std::size_t>(i)]}, "holds " + at(n));
        }
        return !failing.empty();
    }

    /// A clause with as few matches as decide a node.
    template <typename Is>
    void add_because(Schedule const& schedule, Matching const& m, std::uint32_t node, Is is,
                     std::vector<Literal> clause, std::string reason) {
        std::vector<std::uint32_t> const needed = receives_behind(node, m);
        std::vector<bool> known(m_.receives().size());
        for (std::uint32_t const r : needed) known[r] = true;
        for (std::uint32_t const r : needed) {
            known[r] = false;
            values_.run(schedule, m, known);
            if (!is(values_(node))) known[r] = true;
        }
        for (std::uint32_t const r : needed)
            if (known[r]) clause.push_back(-match({r, m[r]}));
        add(std::move(clause), std::move(reason));
    }

    /// The receives that a node depends on in a run, directly or through messages; ascending.
    std::vector<std::uint32_t> receives_behind(std::uint32_t node, Matching const& m) const {
        std::vector<bool> seen(m_.receives().size());
        std::vector<std::uint32_t> receives = flow_.cone(node).receives;
        for (std::size_t i = 0; i < receives.size(); ++i) {
            if (seen[receives[i]]) continue;
            seen[receives[i]] = true;
            auto const more = flow_.cone(flow_.payload(m[receives[i]])).receives;
            receives.insert(receives.end(), more.begin(), more.end());
        }
        std::sort(receives.begin(), receives.end());
        receives.erase(std::unique(receives.begin(), receives.end()), receives.end());
        return receives;
    }

    /// Whether the command of a node has run, in the last solution.
    bool has_run(std::uint32_t node) const { return has_run_[flow_.command_of(node)]; }

    static constexpr std::size_t many_cycles = 50;

    MessageIndex const& m_;
    CertificateOptions const& options_;
    bool of_executions_; // not of complete runs
    std::size_t cycles_ = 0;
    DataFlow flow_;
    ReasonedClauses clauses_{true};
    MatchReasons matches_;
    std::vector<Literal> fails_;    // assertion
    std::vector<Literal> executed_; // command; 0: no clause is about it
    std::vector<bool> has_run_;     // command, in the last solution
    std::vector<bool> matched_;     // receive, in the last solution
    RunValues values_;
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

namespace {

Expected<Certificate, std::string> certify_plain(MessageIndex const& messages, CertificateOptions const& options) {
    if (auto certificate = Certifier(messages, options).run()) return std::move(*certificate);
    return Unexpected{std::string("the program is too large, or the time too short")};
}

Expected<Certificate, std::string> certify_sharing(MessageIndex const& messages, CertificateOptions const& options) {
    if (!messages.code().has_plain_messages())
        return Unexpected{std::string("it has selectors, modes or barriers beside shared variables")};
    using Wanted = SharedSearch::Wanted;
    SharedSearch::Options search_options;
    search_options.buffering = options.buffering;
    search_options.runs = options.runs;
    search_options.wanted = options.of_failure                 ? Wanted::failure
                            : options.runs == Runs::executions ? Wanted::failure_or_completion
                                                               : Wanted::completion;
    search_options.certifies = true;
    search_options.stop = options.stop;
    search_options.most_clauses = options.most_clauses;
    try {
        Watch const watch(options.stop); // between calls of the solver, too
        SharedSearch search(messages, search_options);
        switch (search.run()) {
        case SatAnswer::Kind::none: return std::move(search.certificate());
        case SatAnswer::Kind::found: throw std::logic_error("certificate: there is such an execution");
        case SatAnswer::Kind::stopped:
        case SatAnswer::Kind::beyond: break;
        }
    } catch (OutOfTime const&) {
        // As if it were too large.
    }
    return Unexpected{std::string("the program is too large, or the time too short")};
}

} // namespace

Expected<Certificate, std::string> certify(MessageIndex const& messages, CertificateOptions const& options) {
    if (messages.code().shares()) return certify_sharing(messages, options);
    if (messages.code().is_plain()) return certify_plain(messages, options);
    auto const lowered = Lowered::of(messages, options.buffering);
    if (!lowered) return Unexpected{lowered.error()};
    CertificateOptions of_lowered = options;
    of_lowered.buffering = (*lowered)->buffering();
    auto certificate = certify_plain((*lowered)->messages(), of_lowered);
    if (certificate) certificate->lowered = of_lowered.buffering;
    return certificate;
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
