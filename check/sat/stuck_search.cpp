#include "check/sat/stuck_search.hpp"

#include <stdexcept>

#include "check/sat/cycle_clauses.hpp"
#include "check/sat/value_clauses.hpp"
#include "executions/scheduler.hpp"
#include "machine/partners.hpp"
#include "matching/candidate_windows.hpp"
#include "matching/feasibility.hpp"
#include "matching/reach.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::check {

namespace {

using Literal = SatSolver::Literal;

/// The execution with some matches in which each thread stops in front of a given command.
class StuckExecution : public Scheduler {
public:
    StuckExecution(StuckProgram const& program, Runs runs, Matching const& m, std::vector<std::uint32_t> const& stops)
        : Scheduler(program.messages, Buffering::infinite, runs), program_(program), m_(m), stops_(stops),
          can_fault_(may_divide_by_zero(program.messages.code().ctp())) {}

    /// False: a thread has stopped for good before that, at an assumption or a divisor.
    bool run() {
        for (bool has_moved = true; has_moved;) {
            has_moved = false;
            for (std::uint32_t t = 0; t < stops_.size(); ++t)
                if (!run(t, has_moved)) return false;
            for (std::uint32_t c = 0; c < code().channels().size(); ++c)
                for (; is_due({c}); has_moved = true) move({c});
        }
        for (std::uint32_t t = 0; t < stops_.size(); ++t)
            if (state().ctp[t] != stops_[t]) throw std::logic_error("sat: a solution is not an execution");
        return true;
    }

private:
    bool run(std::uint32_t t, bool& has_moved) {
        while (state().ctp[t] < stops_[t]) {
            Location const rho{state().ctp[t]};
            if (!is_enabled(code(), state(), buffering(), Execute{rho}) || waits_for_its_receive(rho)) return true;
            if (halts_before(Execute{rho}) || (can_fault_ && ends_in_fault(rho))) return false;
            execute(rho);
            has_moved = true;
        }
        return true;
    }

    bool waits_for_its_receive(Location rho) const {
        Wait const* const wait = as_wait(code().command_at(rho));
        if (wait == nullptr || code().as_sndi(wait->a) == nullptr) return false;
        return !program_.may_return[messages_.send_number(wait->a)] && !is_taken(state(), code(), wait->a);
    }

    bool is_due(Channel c) const {
        Endpoint const beta = code()[c].beta;
        if (!in_transit(state(), c) || !has_posted_partner(state(), beta)) return false;
        std::uint32_t const r = messages_.receives_at(beta)[state().Q_s.delivered[beta.index]];
        return m_[r] == messages_.sends_of(c)[state().Pnd_s.taken[c.index]];
    }

    StuckProgram const& program_;
    Matching const& m_;
    std::vector<std::uint32_t> const& stops_;
    bool can_fault_;
};

} // namespace

class StuckSearch::Clauses {
public:
    Clauses(StuckProgram const& program, MatchPairs const& pairs, Options const& options)
        : program_(program), options_(options), m_(program.messages), pairs_(pairs), flow_(m_),
          matches_(sat_, m_, pairs, Buffering::zero, Extent::prefix),
          executed_(sat_, flow_, pairs, matches_, Buffering::zero, Extent::prefix, program.may_return),
          feasibility_(program.in_order, program.buffering, Extent::prefix),
          cycles_(sat_, program.in_order, pairs_, program.buffering, matches_, feasibility_),
          may_refuse_(m_.sends().size()), all_called_(program.meetings.size()) {
        if (options.activity != nullptr) sat_.count_conflicts(options.activity->conflicts);
        find_matches_of_sends();
        add_stops();
        for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta) add_idle({beta});
        bool const on_path = options.runs == Runs::executions && !flow_.assumptions().empty();
        if (!on_path && flow_.divisors().empty()) return;
        values_.emplace(sat_, flow_, nullptr, pairs, matches_);
        values_->require_path(executed_, options.runs);
    }

    Answer run(std::vector<bool> const& may_refuse) {
        Matching m(m_);
        for (std::uint64_t calls = 0; calls < options_.most_calls;) {
            ++calls;
            ++calls_;
            if (options_.activity != nullptr) Activity::set(options_.activity->calls, calls_);
            switch (solved(may_refuse)) {
            case SatSolver::Answer::unsatisfiable: return Answer::none;
            case SatSolver::Answer::stopped: return Answer::stopped;
            case SatSolver::Answer::satisfiable: break;
            }
            matches_.matching(m);
            if (std::uint64_t const cycles = cycles_.block(m); cycles > 0) {
                refinements_ += cycles;
                continue;
            }
            if (runs(m)) return Answer::deadlock;
        }
        return Answer::beyond;
    }

    Schedule const& schedule() const { return schedule_; }
    std::uint64_t calls() const { return calls_; }
    std::uint64_t refinements() const { return refinements_; }

private:
    void find_matches_of_sends() {
        matches_of_.resize(m_.sends().size());
        for (std::uint32_t r = 0; r < pairs_.of.size(); ++r)
            for (std::size_t i = 0; i < pairs_.of[r].size(); ++i)
                matches_of_[pairs_.of[r][i]].push_back(matches_.at(r, i));
    }

    /// Each thread stops nowhere but in front of a wait that cannot go on or refuses, and some thread does.
    void add_stops() {
        std::vector<Literal> some_stop;
        for (Thread const& t : m_.code().ctp().threads) {
            Literal last = ExecutedClauses::always;
            for (std::uint32_t c = t.first; c < t.last; ++c) {
                Literal const here = executed_(c);
                if (here == last) continue; // nothing that matters
                add_stop({c}, last, here);
                last = here;
            }
            if (last != ExecutedClauses::always) some_stop.push_back(-last);
        }
        sat_.add(some_stop);
    }

    /// The command is executed, unless the thread stops before it.
    void add_stop(Location rho, Literal before, Literal here) {
        std::vector<Literal> clause{here};
        if (before != ExecutedClauses::always) clause.push_back(-before);
        Wait const* const wait = as_wait(m_.code().command_at(rho));
        if (wait == nullptr) return sat_.add(clause);
        clause.push_back(0);
        if (m_.code().as_rcvi(wait->a) != nullptr) {
            clause.back() = -executed_.has_match(m_.receive_number(wait->a));
            return sat_.add(clause);
        }
        std::uint32_t const s = m_.send_number(wait->a);
        for (Literal const match : matches_of_[s]) {
            clause.back() = -match;
            sat_.add(clause);
        }
        if (!program_.may_return[s]) return;
        may_refuse_[s] = sat_.new_variable();
        clause.back() = may_refuse_[s];
        sat_.add(clause);
        sat_.prefer(here); // what need not refuse is buffered
        auto const meeting = program_.meeting_of.find(s);
        if (meeting == program_.meeting_of.end()) return;
        clause.back() = -all_called(meeting->second);
        sat_.add(clause);
    }

    /// That all members have called.
    Literal all_called(std::uint32_t meeting) {
        Literal& all = all_called_[meeting];
        if (all != 0) return all;
        all = sat_.new_variable();
        std::vector<Literal> clause{all};
        for (Location const rho : program_.meetings[meeting])
            if (Literal const x = executed_(rho.index); x != ExecutedClauses::always) clause.push_back(-x);
        sat_.add(clause);
        return all;
    }

    /// No match is possible there any longer.
    void add_idle(Endpoint beta) {
        auto const channels = m_.channels_to(beta);
        if (m_.receives_at(beta).empty() || channels.empty()) return;
        Literal const all_filled = sat_.new_variable(); // otherwise all are taken
        auto const unless_executed = [&](Location rho, std::vector<Literal>& clause) {
            if (Literal const x = executed_(rho.index); x != ExecutedClauses::always) clause.push_back(-x);
        };
        for (std::uint32_t const r : m_.receives_at(beta)) {
            std::vector<Literal> clause{-all_filled, executed_.has_match(r)};
            unless_executed(m_.receives()[r].rho, clause);
            sat_.add(clause);
        }
        for (Channel const c : channels)
            for (std::uint32_t const s : m_.sends_of(c)) {
                std::vector<Literal> clause = matches_of_[s];
                clause.push_back(all_filled);
                unless_executed(m_.sends()[s].rho, clause);
                sat_.add(clause);
            }
    }

    SatSolver::Answer solved(std::vector<bool> const& may_refuse) {
        for (std::uint32_t s = 0; s < may_refuse_.size(); ++s)
            if (may_refuse_[s] != 0 && !may_refuse[s]) sat_.assume(-may_refuse_[s]);
        if (!options_.stop) return sat_.solve({});
        auto const is_stopped = [this] { return options_.stop(sat_.time_to_free()); };
        return is_stopped() ? SatSolver::Answer::stopped : sat_.solve(is_stopped);
    }

    /// Whether the last solution is an execution. Otherwise adds which values it has wrong.
    bool runs(Matching const& m) {
        std::vector<std::uint32_t> stops;
        for (Thread const& t : m_.code().ctp().threads) {
            std::uint32_t c = t.first;
            while (c < t.last && (executed_(c) == ExecutedClauses::always || sat_.value(executed_(c)))) ++c;
            stops.push_back(c);
        }
        StuckExecution execution(program_, options_.runs, m, stops);
        bool const is_there = execution.run();
        if (is_there) {
            schedule_ = execution.schedule();
            return true;
        }
        if (!values_) throw std::logic_error("sat: a thread leaves the path where values do not matter");
        static_cast<void>(values_->run(execution.schedule(), m));
        std::uint64_t const clauses = values_->explain(m);
        if (clauses == 0) throw std::logic_error("sat: a solution is no deadlock, and nothing says why");
        refinements_ += clauses;
        return false;
    }

    StuckProgram const& program_;
    Options const& options_;
    MessageIndex const& m_;
    MatchPairs const& pairs_;
    DataFlow flow_;
    SatSolver sat_;
    MatchClauses matches_;
    ExecutedClauses executed_;
    Feasibility feasibility_;
    CycleClauses cycles_;
    std::optional<ValueClauses> values_;
    std::vector<std::vector<Literal>> matches_of_; // send
    std::vector<Literal> may_refuse_;              // send; 0 if its wait always waits, or it has none
    std::vector<Literal> all_called_;              // meeting; 0 if no call asked for it
    Schedule schedule_;
    std::uint64_t calls_ = 0;
    std::uint64_t refinements_ = 0;
};

StuckSearch::StuckSearch(StuckProgram const& program, Options options)
    : program_(program), options_(std::move(options)) {
    if (program.in_order.sends().size() != program.messages.sends().size() ||
        program.in_order.receives().size() != program.messages.receives().size())
        throw std::logic_error("StuckSearch: the two programs have different messages");
    if (options_.activity != nullptr) options_.activity->begin(Activity::Stage::pruning);
    // Where every execution can complete, its matches are some of those of a complete run.
    Extent const extent = all_can_complete(program.in_order, program.buffering) ? Extent::complete : Extent::prefix;
    CandidateWindows windows(program.in_order, program.buffering, extent);
    is_beyond_ = !windows.narrow(nullptr) || windows.size() > options_.most_pairs;
    if (!is_beyond_) pairs_ = tight(program.in_order, program.buffering, windows.pairs(), extent);
}

StuckSearch::~StuckSearch() = default;

StuckSearch::Answer StuckSearch::run(std::vector<bool> const& may_refuse) {
    if (is_beyond_) return Answer::beyond;
    if (options_.activity != nullptr) options_.activity->begin(Activity::Stage::sat);
    if (!clauses_) clauses_ = std::make_unique<Clauses>(program_, pairs_, options_);
    return clauses_->run(may_refuse);
}

Schedule const& StuckSearch::schedule() const { return clauses_->schedule(); }
std::size_t StuckSearch::pairs() const { return pairs_.size(); }
std::uint64_t StuckSearch::calls() const { return clauses_ ? clauses_->calls() : 0; }
std::uint64_t StuckSearch::refinements() const { return clauses_ ? clauses_->refinements() : 0; }

} // namespace matchpoint::check
