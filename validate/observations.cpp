#include "validate/observations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "encode/partial_runs.hpp"
#include "encode/registry.hpp"
#include "validate/ignoring.hpp"
#include "validate/shared_rules.hpp"

namespace matchpoint::validate {

namespace {

Changes of_reading() { return only(Change::executions) | only(Change::complete_runs); }

Changes of_direction(Direction direction) {
    Changes result;
    for (ChangeInfo const& i : changes())
        if (i.direction == direction) result |= only(i.change);
    // With more pairs, some stronger changes ask for more.
    return result & ~(of_reading() | only(Change::all_pairs));
}

/// Whether whatever is satisfiable under the changes `less` is so under `more`, too.
bool is_weaker(Changes const& more, Changes const& less) {
    static Changes const weaker = of_direction(Direction::weaker), stronger = of_direction(Direction::stronger);
    Changes const added = more & ~less, removed = less & ~more;
    return (added & ~weaker).none() && (removed & ~stronger).none();
}

bool has_all_pairs(MessageIndex const& m) {
    MatchPairs const pairs = overapprox(m);
    for (std::uint32_t r = 0; r < m.receives().size(); ++r)
        for (std::uint32_t s = 0; s < m.sends().size(); ++s)
            if (m.beta_of(m.sends()[s]) == m.receives()[r].beta && !pairs.contains({r, s})) return false;
    return true;
}

Says answer_of(std::optional<bool> sat) {
    if (!sat) return Says::too_hard;
    return *sat ? Says::sat : Says::unsat;
}

/// Whether some execution on the path fails, by the encoding of those. Other rules cannot be changed there.
Says of_executions(Case const& c, Buffering buffering, CachingSolver& solver) {
    EncoderOptions options;
    options.buffering = buffering;
    options.runs = Runs::executions;
    options.check_sat = false;
    if (!c.code.is_plain())
        return answer_of(solver.is_sat(find_encoder("exact")->encode({.messages = c.messages}, options).value()));
    return answer_of(
        solver.is_sat(encode_failing_execution(c.messages, tight_on_path(c.messages, buffering), options)));
}

/// For a program that is not plain.
Says of_program_with_mpi(Case const& c, Buffering buffering, Changes const& changes, CachingSolver& solver) {
    if (c.trace) return changes.none() ? answer_of(truth(c, {.buffering = buffering}).fails) : Says::no_problem;
    auto const problem = encode_lowered_with(c.messages, buffering, changes);
    return problem ? answer_of(solver.is_sat(*problem)) : Says::no_problem;
}

/// Of programs with messages beside shared variables only the rules as they are say something.
Says of_shared_variables(Case const& c, Buffering buffering, Changes const& changes, Question const& question) {
    if (c.trace.has_value() != question.model.has_value()) return Says::no_problem;
    if (is_about_shared_variables_only(c.code))
        return answer_of(some_run_fails(c.code, question, changes, 50'000, c.trace ? &*c.trace : nullptr));
    if (changes.any()) return Says::no_problem;
    return answer_of(truth(c, {.buffering = buffering, .question = question, .twice = false}).fails);
}

} // namespace

Says says(Case const& c, Buffering buffering, Changes const& all, CachingSolver& solver, Question const& question) {
    if (question.shared) return of_shared_variables(c, buffering, all, question);
    Runs const runs = question.runs;
    if (Changes const others = all & ~of_mpi(); others != all && !c.trace) {
        if (c.code.is_plain()) return says(c, buffering, others, solver, question);
        auto const seen = without(c, all);
        return seen ? says(*seen, buffering, others, solver, question) : Says::no_problem;
    }
    bool const executions =
        has(all, Change::executions) || (runs == Runs::executions && !has(all, Change::complete_runs));
    Changes const changes = all & ~of_reading();
    if (executions && !c.trace) return changes.none() ? of_executions(c, buffering, solver) : Says::no_problem;
    if (!c.code.is_plain()) return of_program_with_mpi(c, buffering, changes, solver);
    PlainInput input{.messages = &c.messages, .buffering = buffering};
    Matching matching(c.messages);
    if (c.trace) {
        Machine machine(c.code, buffering);
        run(machine, *c.trace);
        delivered(c.messages, machine.state(), matching);
        input.only = &matching;
    }
    auto const problem = encode_with(input, changes);
    return problem ? answer_of(solver.is_sat(*problem)) : Says::no_problem;
}

std::optional<bool> predicted(Case const& c, Buffering buffering, Changes const& changes, CachingSolver& solver,
                              Question const& question) {
    Says const said = says(c, buffering, changes, solver, question);
    if (said == Says::sat || said == Says::unsat) return said == Says::sat;
    return std::nullopt;
}

namespace {

std::string key(Case const& c, Buffering buffering) { return fmt::format("{}{}", to_string(buffering), c.text()); }

} // namespace

bool Observations::contains(Case const& c, Buffering buffering) const { return numbers_.contains(key(c, buffering)); }

std::size_t Observations::add(Observation o) {
    auto const [it, is_new] = numbers_.emplace(key(*o.c, o.buffering), all_.size());
    if (is_new) {
        bool const all_pairs = question_.shared || o.c->trace || has_all_pairs(o.c->messages);
        has_mpi_ = has_mpi_ || !o.c->code.is_plain();
        all_.push_back({std::move(o), all_pairs});
    }
    return it->second;
}

std::optional<Says> Observations::implied(Entry const& entry, Changes const& changes) {
    for (Changes const& known : entry.sat)
        if (is_weaker(changes, known)) return Says::sat;
    for (Changes const& known : entry.unsat)
        if (is_weaker(known, changes)) return Says::unsat;
    return std::nullopt;
}

Says Observations::says(std::size_t i, Changes const& all, CachingSolver& solver) {
    Entry& entry = all_[i];
    Changes const changes = entry.has_all_pairs ? all & ~only(Change::all_pairs) : all;
    if (auto const it = entry.known.find(changes); it != entry.known.end()) return it->second;
    auto const told = question_.shared ? std::nullopt : implied(entry, changes);
    Says const said = told ? *told : validate::says(*entry.o.c, entry.o.buffering, changes, solver, question_);
    entry.known.emplace(changes, said);
    if (told) return said;
    if (said == Says::too_hard) entry.too_hard = true;
    if (said == Says::sat) entry.sat.push_back(changes);
    if (said == Says::unsat) entry.unsat.push_back(changes);
    return said;
}

std::size_t Observations::usable() const {
    return static_cast<std::size_t>(
        std::count_if(all_.begin(), all_.end(), [](Entry const& entry) { return !entry.too_hard; }));
}

} // namespace matchpoint::validate
