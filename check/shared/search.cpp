#include "check/shared/search.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "matching/definitions.hpp"

namespace matchpoint::check {

namespace {

using Literal = SatSolver::Literal;

/// With so many triples of a read and two definitions, clauses `between` are added only where a solution needs them.
constexpr std::uint64_t eager_triples = 20'000;

std::size_t count_reads(SharedUses const& uses) {
    std::size_t count = 0;
    for (std::uint32_t r = 0; r < uses.reads().size(); ++r)
        if (uses.reads()[r].is_relevant) count += uses.candidate_count(r);
    return count;
}

} // namespace

class SharedSearch::Impl {
public:
    Impl(MessageIndex const& messages, Options const& options)
        : m_(messages), options_(options), ctp_(messages.code().ctp()), uses_(messages), pairs_(count_reads(uses_)),
          clauses_(options.certifies), completed_(completed_at(messages)) {
        if (!messages.code().has_plain_messages()) throw std::logic_error("SharedSearch: selectors, modes or barriers");
        if (options.activity != nullptr) clauses_.sat().count_conflicts(options.activity->conflicts);
    }

    SatAnswer::Kind run() {
        if (static_cast<double>(pairs_) + MatchReasons::size(m_) > static_cast<double>(options_.most_clauses))
            return SatAnswer::Kind::beyond;
        words_.emplace(clauses_, m_, uses_, options_.buffering, has_extent());
        order_.emplace(*words_, options_.buffering);
        add_clauses();
        values_.emplace(*words_, fails_, options_.wanted == Wanted::success);
        while (true) {
            if (calls_ >= options_.most_calls || clauses_.count() > options_.most_clauses)
                return SatAnswer::Kind::beyond;
            ++calls_;
            if (options_.activity != nullptr) Activity::set(options_.activity->calls, calls_);
            switch (clauses_.sat().solve(options_.stop)) {
            case SatSolver::Answer::unsatisfiable: return SatAnswer::Kind::none;
            case SatSolver::Answer::stopped: return SatAnswer::Kind::stopped;
            case SatSolver::Answer::satisfiable: break;
            }
            read_solution();
            if (!order_->find(solution_) || !reads_are_right()) continue;
            if (is_found(values_->run(solution_, order_->moments()))) return SatAnswer::Kind::found;
        }
    }

    std::optional<Run> run_;
    ReasonedClauses& clauses() { return clauses_; }
    std::uint64_t calls() const { return calls_; }
    std::uint64_t cycles() const { return order_ ? order_->cycles() : 0; }
    std::uint64_t values() const { return values_ ? values_->clauses() : 0; }
    std::size_t pairs() const { return pairs_; }

private:
    bool is_failure_wanted() const {
        return options_.wanted == Wanted::failure || options_.wanted == Wanted::failure_or_completion;
    }
    /// Whether executions need not complete.
    bool has_extent() const { return options_.runs == Runs::executions && is_failure_wanted(); }
    std::string name(auto id) const { return words_->name(id); }

    // ---- Clauses from the beginning ----

    void add_clauses() {
        if (has_extent()) add_order();
        words_->matches().add(words_->executed());
        if (has_extent()) words_->matches().add_progress(words_->executed());
        for (std::uint32_t r = 0; r < uses_.reads().size(); ++r)
            if (uses_.reads()[r].is_relevant) add_read(r);
        add_assertions();
        if (count_triples() <= eager_triples)
            for (std::uint32_t r = 0; r < uses_.reads().size(); ++r)
                if (uses_.reads()[r].is_relevant) add_all_between(r);
    }

    /// No more is executed than it takes.
    void add_order() {
        for (Thread const& t : ctp_.threads)
            for (std::uint32_t c = t.first; c < t.last; ++c) {
                clauses_.sat().prefer(-words_->executed({c}));
                if (c > t.first)
                    clauses_.add({-words_->executed({c}), words_->executed({c - 1})},
                                 [&] { return fmt::format("order {} {}", name(Location{c - 1}), name(Location{c})); });
            }
    }

    void add_read(std::uint32_t r) {
        auto const& read = uses_.reads()[r];
        std::vector<Literal> all;
        std::uint32_t const candidates = uses_.candidate_count(r);
        spend(candidates);
        for (std::uint32_t i = 0; i < candidates; ++i) all.push_back(words_->read(r, i));
        auto const at = [&] { return fmt::format("{} {}", name(read.rho), name(read.x)); };
        clauses_.add(unless_not_executed(words_->executed(read.rho), all), [&] { return "reads " + at(); });
        if (!has_extent()) return;
        for (std::uint32_t i = 0; i < candidates; ++i) {
            clauses_.add({-all[i], words_->executed(read.rho)}, [&] { return "reader " + at(); });
            std::uint32_t const d = uses_.candidate(r, i);
            if (d == SharedUses::none || d == read.own) continue;
            clauses_.add({-all[i], words_->executed(uses_.definitions()[d].rho)},
                         [&] { return "written " + words_->read_words(r, i); });
        }
    }

    /// Clauses some, failed and finish.
    void add_assertions() {
        fails_.assign(ctp_.commands.size(), 0);
        if (!is_failure_wanted() || (!has_extent() && options_.wanted == Wanted::failure_or_completion)) return;
        std::vector<Literal> some;
        for (std::uint32_t c = 0; c < ctp_.commands.size(); ++c) {
            if (!std::holds_alternative<Assert>(ctp_.commands[c].c)) continue;
            fails_[c] = clauses_.new_variable([&] { return "fails " + name(Location{c}); });
            some.push_back(fails_[c]);
            if (has_extent())
                clauses_.add({-fails_[c], words_->executed({c})}, [&] { return "failed " + name(Location{c}); });
        }
        if (options_.wanted == Wanted::failure_or_completion) some.push_back(add_completion());
        clauses_.add(std::move(some), [] { return std::string("some"); });
    }

    Literal add_completion() {
        Literal const complete = clauses_.new_variable([] { return std::string("complete"); });
        for (Thread const& t : ctp_.threads)
            if (t.first < t.last)
                clauses_.add({-complete, words_->executed({t.last - 1})},
                             [&] { return "finish " + name(Location{t.last - 1}); });
        return complete;
    }

    std::uint64_t count_triples() const {
        std::uint64_t count = 0;
        for (std::uint32_t r = 0; r < uses_.reads().size(); ++r)
            if (uses_.reads()[r].is_relevant)
                count += std::uint64_t{uses_.candidate_count(r)} * uses_.candidate_count(r);
        return count;
    }
    void add_all_between(std::uint32_t r) {
        std::uint32_t const candidates = uses_.candidate_count(r);
        for (std::uint32_t i = 0; i < candidates; ++i)
            for (std::uint32_t j = 0; j < candidates; ++j)
                if (uses_.candidate(r, j) != SharedUses::none && i != j) add_between(r, i, uses_.candidate(r, j));
    }

    /// If the read gets the candidate, another definition of the variable comes before the candidate or after the read.
    void add_between(std::uint32_t r, std::uint32_t candidate, std::uint32_t other) {
        spend();
        auto const& read = uses_.reads()[r];
        std::uint32_t const chosen = uses_.candidate(r, candidate);
        Location const elsewhere = uses_.definitions()[other].rho;
        auto const thread = [&](Location rho) { return m_.code().thread_of(rho); };
        std::vector<Literal> clause{-words_->read(r, candidate)};
        // The order of two commands of one thread is known.
        auto const comes_first = [&](Location a, Location b) {
            if (thread(a) != thread(b)) clause.push_back(words_->before(a, b));
            return thread(a) == thread(b) && a < b;
        };
        if (comes_first(read.rho, elsewhere)) return;
        if (chosen != SharedUses::none && comes_first(elsewhere, uses_.definitions()[chosen].rho)) return;
        clauses_.add(std::move(clause),
                     [&] { return fmt::format("between {} {}", words_->read_words(r, candidate), name(elsewhere)); });
    }

    // ---- Solutions ----

    void read_solution() {
        SatSolver const& sat = clauses_.sat();
        solution_.end.clear();
        spend(ctp_.commands.size());
        for (Thread const& t : ctp_.threads) {
            std::uint32_t end = has_extent() ? t.first : t.last;
            while (end < t.last && sat.value(words_->executed({end}))) ++end;
            solution_.end.push_back(end);
        }
        solution_.reads.assign(uses_.reads().size(), SharedUses::none);
        for (std::uint32_t r = 0; r < uses_.reads().size(); ++r) {
            auto const& read = uses_.reads()[r];
            if (!read.is_relevant || !is_executed(read.rho)) continue;
            std::uint32_t const candidates = uses_.candidate_count(r);
            spend(candidates);
            for (std::uint32_t i = 0; i < candidates && solution_.reads[r] == SharedUses::none; ++i)
                if (sat.value(words_->read(r, i))) solution_.reads[r] = i;
        }
        solution_.fails.resize(fails_.size());
        for (std::uint32_t c = 0; c < fails_.size(); ++c) solution_.fails[c] = fails_[c] != 0 && sat.value(fails_[c]);
        solution_.sends.resize(m_.receives().size());
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r) solution_.sends[r] = words_->matches().chosen(r);
    }
    bool is_executed(Location rho) const { return rho.index < solution_.end[m_.code().thread_of(rho)]; }

    /// Whether each read gets the last definition before it in the order. If not, says so in clauses.
    bool reads_are_right() {
        last_.assign(m_.code().names().variables.size(), SharedUses::none);
        bool are_right = true;
        for (auto const& moment : order_->moments()) {
            if (!moment.is_command) continue;
            spend();
            Location const rho{moment.index};
            for (SharedUses::Use const& use : uses_.of(rho)) {
                if (!use.is_shared || solution_.reads[use.index] == SharedUses::none) continue;
                std::uint32_t const chosen = uses_.candidate(use.index, solution_.reads[use.index]);
                if (chosen == last_[use.x.index]) continue;
                are_right = false;
                exclude_between(use.index, chosen);
            }
            std::uint32_t const first = uses_.first_definition_at(rho);
            for (std::uint32_t i = 0; i < uses_.definitions_at(rho).size(); ++i) {
                Variable const x = uses_.definitions_at(rho)[i].x;
                if (!is_shared(x)) continue;
                last_[x.index] = first + i;
                written_.push_back(first + i);
            }
        }
        written_.clear();
        return are_right;
    }
    bool is_shared(Variable x) const { return !uses_.initial(x).is_bot(); }

    /// For each definition in between, which there is at least one of.
    void exclude_between(std::uint32_t r, std::uint32_t chosen) {
        Variable const x = uses_.reads()[r].x;
        for (std::size_t i = written_.size(); i-- > 0 && written_[i] != chosen;) {
            spend();
            if (uses_.definitions()[written_[i]].x == x) add_between(r, solution_.reads[r], written_[i]);
        }
    }

    // ---- The execution of a solution ----

    bool is_found(SharedValues::Result result) {
        bool const is_it = result == SharedValues::Result::fails
                               ? is_failure_wanted() || options_.wanted == Wanted::completion
                               : result == SharedValues::Result::holds;
        if (result == SharedValues::Result::excluded) return false;
        if (!is_it) throw std::logic_error("shared search: a solution is no such execution, and nothing says why");
        Machine machine(m_.code(), options_.buffering);
        Schedule schedule = schedule_of_solution();
        Outcome const outcome = machine::run(machine, schedule, Extent::prefix);
        bool const is_complete = machine.state().finished();
        if (outcome.error || !is_wanted(outcome.s, is_complete))
            throw std::logic_error("shared search: an execution does not replay");
        run_ = Run{Matching(m_), std::move(schedule), outcome.s, is_complete ? Extent::complete : Extent::prefix};
        delivered(m_, machine.state(), run_->matching);
        return true;
    }

    bool is_wanted(Status s, bool is_complete) const {
        bool const completes = is_complete && s < Status::infeasible;
        switch (options_.wanted) {
        case Wanted::failure: return s == Status::failure && (has_extent() || is_complete);
        case Wanted::failure_or_completion: return completes || (s == Status::failure && has_extent());
        case Wanted::success: return is_complete && s == Status::success;
        case Wanted::completion: break;
        }
        return completes;
    }

    Schedule schedule_of_solution() const {
        Schedule schedule;
        auto const move = [&](std::uint32_t r) { schedule.move(m_.sends()[solution_.sends[r]].channel); };
        for (auto const& moment : order_->moments()) {
            if (!moment.is_command) {
                move(moment.index);
                continue;
            }
            if (options_.buffering == Buffering::infinite)
                for (std::uint32_t const r : completed_[moment.index]) move(r);
            schedule.step({moment.index});
        }
        return schedule;
    }

    MessageIndex const& m_;
    Options options_;
    Ctp const& ctp_;
    SharedUses uses_;
    std::size_t pairs_;
    ReasonedClauses clauses_;
    std::vector<std::vector<std::uint32_t>> completed_; // wait -> receives
    std::optional<SharedVocabulary> words_;
    std::optional<SharedOrder> order_;
    std::optional<SharedValues> values_;
    std::vector<Literal> fails_; // command
    SharedSolution solution_;
    std::vector<std::uint32_t> last_;    // shared variable -> its last definition
    std::vector<std::uint32_t> written_; // definitions of shared variables, in the order of the execution
    std::uint64_t calls_ = 0;
};

SharedSearch::SharedSearch(MessageIndex const& messages, Options const& options)
    : impl_(std::make_unique<Impl>(messages, options)) {}
SharedSearch::~SharedSearch() = default;
SatAnswer::Kind SharedSearch::run() { return impl_->run(); }
std::optional<Run>& SharedSearch::found() { return impl_->run_; }
Certificate& SharedSearch::certificate() { return impl_->clauses().certificate(); }
std::uint64_t SharedSearch::calls() const { return impl_->calls(); }
std::uint64_t SharedSearch::cycles() const { return impl_->cycles(); }
std::uint64_t SharedSearch::values() const { return impl_->values(); }
std::size_t SharedSearch::reads() const { return impl_->pairs(); }

} // namespace matchpoint::check
