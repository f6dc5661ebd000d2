#include "validate/diagnosis.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "programs/random.hpp"
#include "programs/smaller.hpp"

namespace matchpoint::validate {

namespace {

/// How many small programs, and how many random ones, are asked about before anything is explained.
constexpr std::uint64_t small_observed = 60;
constexpr std::uint64_t random_observed = 100;

/// The level of small programs with shared variables.
constexpr unsigned level_of_shared = 4;

/// How many programs of a kind are tried, to find some on which explanations differ; and how many of these are asked
/// about.
constexpr std::uint64_t reductions_to_distinguish = 50;
constexpr std::uint64_t small_to_distinguish = 500;
constexpr std::uint64_t random_to_distinguish = 150;
constexpr std::size_t enough_to_distinguish = 4;

/// How many programs have to have the same answer before it counts as the subject's only one; and one of how many of
/// these answers has to be wrong. If fewer are, a single rule may explain them.
constexpr std::size_t enough_alike = 20;
constexpr std::size_t one_wrong_of = 10;

/// How often explanations that seemed to be as good as each other are compared again.
constexpr std::size_t most_rounds = 8;

/// How many explanations are told apart.
constexpr std::size_t most_close = 8;

/// The number of the first explanations that miss at most so many observations more than the first.
std::size_t within(std::vector<Explanation> const& why, std::size_t more) {
    return static_cast<std::size_t>(std::count_if(
        why.begin(), why.end(), [&](Explanation const& e) { return misses(e) <= misses(why.front()) + more; }));
}

std::size_t tied(std::vector<Explanation> const& why) { return within(why, 0); }

/// With enough changes, one observation more can always be predicted.
std::size_t close(std::vector<Explanation> const& why) { return within(why, 1); }

Answered answered(Observation const& o) { return {std::string(o.c->text()), o.buffering, o.sat}; }

std::size_t commands(Case const& c) { return c.code.ctp().commands.size(); }

} // namespace

bool is_explained(Reason const& reason) { return reason.always || is_explained(reason.why); }

Diagnosis::Diagnosis(ProgramSelection const& selection, Question const& question, std::function<bool()> stop,
                     std::function<bool()> stop_asking)
    : selection_(selection), question_(question), stop_(std::move(stop)), stop_asking_(std::move(stop_asking)),
      observed_(question) {}

/// Lemma 3 is only about traces that are well-formed, and causal models are of traces on the recorded path.
bool Diagnosis::is_asked_about(Case const& c, Buffering buffering) const {
    if (question_.model) return model_of(c, buffering, question_).has_value();
    return !c.trace || truth(c, {.buffering = buffering}).fails;
}

void Diagnosis::observe(draft::Draft const& draft, Ask const& ask) {
    std::shared_ptr<Case const> const c = make_case(draft, selection_.of_trace);
    for (Buffering const b : selection_.bufferings) observe(c, b, ask);
}

bool Diagnosis::observe(std::shared_ptr<Case const> const& c, Buffering buffering, Ask const& ask) {
    if (!c || stop_() || observed_.contains(*c, buffering) || !is_asked_about(*c, buffering)) return false;
    auto const sat = ask(*c, buffering);
    if (sat) observed_.add({c, buffering, *sat});
    return sat.has_value();
}

/// About so many of all small programs; twice as many if there are those with selectors, modes and barriers.
ProgramSelection Diagnosis::small_selection(std::uint64_t number, std::uint64_t shard) const {
    ProgramSelection result = selection_;
    result.level = selection_.shared ? level_of_shared : 6;
    result.random = 0;
    result.rules = false;
    result.corpus.clear();
    result.shards = 1;
    result.shard = 1;
    result.shards = ProgramSource(result, 0).size() / (number * (selection_.mpi ? 2 : 1));
    result.shard = shard;
    return result;
}

namespace {

/// Without messages, which the rules of shared variables know nothing of.
RandomShape shared_shape(std::uint64_t number, RandomShape shape) {
    shape.shared = 100;
    shape.messages = static_cast<unsigned>(1 + number % 3);
    shape.no_assertion = 0;
    if (number % 3 != 0) shape.divisions = 0;
    return shape;
}

} // namespace

/// With few messages, and much of what goes wrong; in every other program what hides other faults is left out.
draft::Draft Diagnosis::random_draft(std::uint64_t number) const {
    RandomShape shape;
    shape.messages = static_cast<unsigned>(2 + number % 4), shape.threads = 3;
    shape.several_assertions = 60, shape.crossed = 20;
    if (selection_.shared) {
        draft::Draft draft = random_program(~selection_.seed, number, shared_shape(number, shape)).draft;
        if (selection_.of_trace) add_trace_on_path(draft, selection_.bufferings.front(), number);
        return draft;
    }
    if (number % 2 == 0)
        shape.orphans = 60, shape.unwaited_receives = 60;
    else
        shape.unwaited_receives = 0, shape.no_assertion = 0, shape.divisions = 0;
    if (selection_.mpi && number % 3 == 2) shape = with_mpi(shape);
    shape.trace = selection_.of_trace;
    shape.buffering = selection_.bufferings[number % selection_.bufferings.size()];
    return random_program(~selection_.seed, number, shape).draft;
}

void Diagnosis::observe_standard_programs(Ask const& ask) {
    if (is_observed_) return;
    bool const asks_rules = selection_.rules && !selection_.of_trace;
    auto const rules = asks_rules ? rule_programs_of(selection_.shared, selection_.mpi) : std::vector<RuleProgram>();
    ProgramSelection const small = small_selection(small_observed, 1);
    ProgramSource programs(small, 0);
    progress_ = {"asking more about a wrong answer", 0, rules.size() + programs.size() + random_observed};
    auto const began = std::chrono::steady_clock::now();
    std::size_t const before = observed_.size();
    auto const is_late = [&] { return stop_() || stop_asking_(); };
    for (RuleProgram const& r : rules) {
        if (is_late()) break;
        std::shared_ptr<Case const> const c = make_case(std::string(r.text), false);
        for (Buffering const b : selection_.bufferings) observe(c, b, ask);
        ++progress_.done;
    }
    while (auto const item = is_late() ? std::nullopt : programs.next()) {
        observe(std::get<draft::Draft>(item->program), ask);
        ++progress_.done;
    }
    for (std::uint64_t i = 0; i < random_observed && !is_late(); ++i) {
        observe(random_draft(i), ask);
        ++progress_.done;
    }
    is_observed_ = progress_.done == progress_.all && !stop_();
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - began;
    auto const missing = static_cast<double>((progress_.all - progress_.done) * selection_.bufferings.size());
    if (std::size_t const now = observed_.size() - before; now > 0)
        seconds_missing_ = missing * took.count() / static_cast<double>(now);
    if (std::exchange(is_begun_, true)) return;
    standard_ = observed_.size();
    for (Answered const& a : std::exchange(earlier_, {})) add(a);
}

/// None if the rules could explain it: if its answer is wrong about few programs, or if they are few.
std::optional<OnlyAnswer> Diagnosis::only_answer(CachingSolver& solver) {
    std::set<std::string_view> programs;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < observed_.size(); ++i) {
        if (observed_[i].sat != observed_[0].sat) return std::nullopt;
        programs.insert(observed_[i].c->text());
    }
    if (programs.size() < enough_alike) return std::nullopt;
    Says const other = observed_[0].sat ? Says::unsat : Says::sat;
    for (std::size_t i = 0; i < observed_.size(); ++i) wrong += observed_.says(i, {}, solver) == other;
    if (wrong * one_wrong_of < observed_.size()) return std::nullopt;
    return OnlyAnswer{observed_[0].sat, programs.size()};
}

Reason Diagnosis::explain(WrongAnswer const& wrong, CachingSolver& solver, Ask const& ask) {
    observe_standard_programs(ask);
    observed_.add({wrong.found, wrong.buffering, wrong.sat});
    std::size_t const at_hand = observed_.add({wrong.smallest, wrong.buffering, wrong.sat});
    progress_ = {"looking for the cause of a wrong answer"};
    Reason reason;
    if ((reason.always = only_answer(solver))) return reason;
    for (std::size_t round = 0; round < most_rounds; ++round) {
        reason.why = explanations(observed_, at_hand, solver, wrong.known, hints_, {.stop = stop_});
        hints_.clear();
        for (Explanation const& e : reason.why) hints_.push_back(e.changes);
        if (!is_explained(reason.why) || stop_() || distinguish(wrong, reason.why, solver, ask) == 0) break;
    }
    reason.apart = apart(reason.why, solver);
    reason.is_cut_short = stop_() || !is_observed_;
    return reason;
}

/// Observes programs on which the explanations that are as good as the first say different things. Returns their
/// number.
std::size_t Diagnosis::distinguish(WrongAnswer const& wrong, std::vector<Explanation> const& why, CachingSolver& solver,
                                   Ask const& ask) {
    std::vector<Explanation> equals(why.begin(), why.begin() + static_cast<std::ptrdiff_t>(close(why)));
    std::stable_sort(equals.begin(), equals.end(),
                     [](Explanation const& a, Explanation const& b) { return size(a.changes) < size(b.changes); });
    if (equals.size() > most_close) equals.resize(most_close);
    if (equals.size() < 2) return 0;
    std::vector<std::string> sets;
    sets.reserve(equals.size());
    for (Explanation const& e : equals) sets.push_back(e.changes.to_string());
    if (alike_.contains(sets)) return 0;
    std::size_t const before = observed_.size();
    auto const is_enough = [&] { return observed_.size() - before >= enough_to_distinguish || stop_(); };
    auto const look_at = [&](draft::Draft const& draft) {
        std::shared_ptr<Case const> const c = make_case(draft, selection_.of_trace);
        for (Buffering const b : selection_.bufferings)
            if (c && differ(*c, b, equals, solver)) observe(c, b, ask);
    };
    draft::Draft start = draft::draft_of(wrong.found->program);
    start.traces.resize(selection_.of_trace ? 1 : 0);
    draft::shrink(
        start,
        [&](draft::Draft const& d) {
            if (!is_enough()) look_at(d);
            return false;
        },
        reductions_to_distinguish);
    ProgramSelection const selection = small_selection(small_to_distinguish, 2);
    ProgramSource small(selection, 0);
    while (auto const item = is_enough() ? std::nullopt : small.next()) look_at(std::get<draft::Draft>(item->program));
    for (std::uint64_t i = 0; i < random_to_distinguish && !is_enough(); ++i)
        look_at(random_draft(random_observed + i));
    if (observed_.size() == before && !stop_()) alike_.insert(std::move(sets));
    return observed_.size() - before;
}

/// Whether the changed rules say different things of a program.
bool Diagnosis::differ(Case const& c, Buffering buffering, std::span<Explanation const> why,
                       CachingSolver& solver) const {
    bool sat = false, unsat = false;
    for (Explanation const& e : why) {
        auto const said = predicted(c, buffering, e.changes, solver, question_);
        if (!said) return false;
        (*said ? sat : unsat) = true;
    }
    return sat && unsat;
}

/// The smallest observations that the first explanation predicts and the next does not, or the other way round.
std::vector<Apart> Diagnosis::apart(std::vector<Explanation> const& why, CachingSolver& solver) {
    if (why.empty() || tied(why) == why.size()) return {};
    Explanation const& next = why[tied(why)];
    std::vector<std::pair<std::size_t, bool>> found; // observation, and whether the first explanation predicts it
    for (std::size_t i = 0; i < observed_.size(); ++i) {
        if (observed_.is_too_hard(i)) continue;
        Says const right = observed_[i].sat ? Says::sat : Says::unsat;
        bool const first = observed_.says(i, why.front().changes, solver) == right;
        if (first != (observed_.says(i, next.changes, solver) == right)) found.emplace_back(i, first);
    }
    std::stable_sort(found.begin(), found.end(), [&](auto const& a, auto const& b) {
        return commands(*observed_[a.first].c) < commands(*observed_[b.first].c);
    });
    if (found.size() > 2) found.resize(2);
    std::vector<Apart> result;
    result.reserve(found.size());
    for (auto const& [i, first] : found) {
        result.push_back({answered(observed_[i]), first});
    }
    return result;
}

void Diagnosis::add(Answered const& a) {
    if (!is_begun_)
        earlier_.push_back(a);
    else if (std::shared_ptr<Case const> c = make_case(a.program, selection_.of_trace))
        observed_.add({std::move(c), a.buffering, a.sat});
}

std::vector<Answered> Diagnosis::further() const {
    if (!is_begun_) return earlier_;
    std::vector<Answered> result;
    for (std::size_t i = standard_; i < observed_.size(); ++i) result.push_back(answered(observed_[i]));
    return result;
}

void Diagnosis::resume(std::vector<Answered> further, std::vector<Changes> hints) {
    earlier_ = std::move(further);
    hints_ = std::move(hints);
}

} // namespace matchpoint::validate
