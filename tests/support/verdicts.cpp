#include "tests/support/verdicts.hpp"
#include "executions/exact_pairs.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "encode/exact.hpp"
#include "encode/model.hpp"
#include "encode/partial_runs.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/all_runs.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/together.hpp"

namespace matchpoint::naive {

namespace {

/// The checker's answer. Some questions get a few seconds, which a busy machine can use up: they are asked again.
CheckResult checked(MessageIndex const& messages, CheckOptions const& options) {
    CheckResult result = check::check(messages, options);
    auto const is_limit = [](check::Trouble const& t) { return t.kind == check::Trouble::Kind::limit; };
    auto const may_be_late = [&] {
        return !result.trouble.empty() && std::all_of(result.trouble.begin(), result.trouble.end(), is_limit);
    };
    for (int i = 0; i < 2 && may_be_late(); ++i) result = check::check(messages, options);
    return result;
}

Buffering buffering(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

} // namespace

void print(std::ostream& out, Tally const& tally) {
    for (auto const& [what, count] : tally) out << fmt::format("  {:<40} {:>10}\n", what, count);
}

Program verdict_program(std::uint64_t seed, std::uint64_t i) {
    return i % 2 == 0 ? program_to_explore(seed, i) : disciplined_program(seed, i);
}

Subject::Subject(Program const& program) : loaded(load(to_text(program, {}))), messages(*loaded.code) {}

namespace {

bool is(Reached const& r, bool expected) { return r.answer == (expected ? Reached::Answer::yes : Reached::Answer::no); }

/// What is wrong with a schedule that leads to a deadlock or to a fault. It stops where it is stuck: at its end, or at
/// the command with the fault.
Wrong leads_there(Subject const& subject, CheckOptions const& options, Reached const& reached) {
    if (reached.answer != Reached::Answer::yes) return std::nullopt;
    Machine machine(*subject.loaded.code, options.buffering);
    Outcome const outcome = run(machine, reached.schedule);
    auto const& error = outcome.error;
    if (!error || (reached.fault && error->rho != reached.fault->rho) || (!reached.fault && error->rho))
        return "the way to a deadlock or fault does not lead there";
    if (options.runs == Runs::complete) return std::nullopt;
    Schedule before = reached.schedule;
    if (reached.fault) before.cut(before.size() - 1);
    Machine again(*subject.loaded.code, options.buffering);
    if (run(again, before, Extent::prefix).s >= matchpoint::Status::infeasible)
        return "the way to a deadlock or fault leaves the path";
    return std::nullopt;
}

} // namespace

Wrong leaving_is_right(Subject const& subject, bool zero, Reached const& leaves_path, bool truth) {
    if (!is(leaves_path, truth)) return fmt::format("leaves the path: {}", to_string(leaves_path.answer));
    if (!truth) return std::nullopt;
    Machine machine(*subject.loaded.code, buffering(zero));
    Outcome const outcome = run(machine, leaves_path.schedule, Extent::prefix);
    Schedule before = leaves_path.schedule;
    before.cut(before.size() - 1);
    Machine again(*subject.loaded.code, buffering(zero));
    bool const is_there = !outcome.error && outcome.s == matchpoint::Status::infeasible &&
                          run(again, before, Extent::prefix).s < matchpoint::Status::infeasible;
    return is_there ? Wrong() : "the way off the path does not lead to an assumption that is false";
}

Wrong check_is_right(Subject const& subject, bool zero, Truth const& truth, CheckOptions options) {
    Loaded const& loaded = subject.loaded;
    MessageIndex const& messages = subject.messages;
    options.buffering = buffering(zero);
    options.runs = Runs::complete;
    options.leaves_path = false; // asked of executions on the path
    CheckResult const result = checked(messages, options);
    auto const wrong = [&](std::string const& what) {
        return loaded.text + (zero ? "zero\n" : "infinite\n") + to_text(truth) + what;
    };
    if (!result.trouble.empty()) return wrong("trouble: " + result.trouble.front().what);
    if (to_string(result.verdict) != to_text(truth.verdict)) return wrong(std::string(to_string(result.verdict)));
    if (!is(result.deadlock, truth.deadlock)) return wrong("another answer for deadlock");
    if (!is(result.fault, truth.fault)) return wrong("another answer for fault");
    for (auto const& run : {result.run, result.safe}) {
        if (!run) continue;
        Matching outcome = names(messages, run->matching);
        Machine again(*loaded.code, buffering(zero));
        static_cast<void>(matchpoint::run(again, run->schedule, run->extent));
        add_seen(*loaded.code, again.state(), outcome);
        auto const it = truth.outcomes.find(outcome);
        if (it == truth.outcomes.end() || static_cast<int>(it->second) != static_cast<int>(run->s))
            return wrong("a run that there is not");
    }
    if (truth.verdict == Verdict::violated) {
        Machine machine(*loaded.code, options.buffering);
        if (!result.run || run(machine, result.run->schedule).s != matchpoint::Status::failure)
            return wrong("the witness does not fail");
    }
    for (auto const* reached : {&result.deadlock, &result.fault})
        if (Wrong const w = leads_there(subject, options, *reached)) return wrong(*w);
    return std::nullopt;
}

Wrong check_on_path_is_right(Subject const& subject, bool zero, OnPath const& truth, CheckOptions options) {
    Loaded const& loaded = subject.loaded;
    options.buffering = buffering(zero);
    options.runs = Runs::executions;
    auto const wrong = [&](std::string const& what) {
        return loaded.text + (zero ? "zero\n" : "infinite\n") + to_text(truth) + what;
    };
    CheckResult result;
    try {
        result = checked(subject.messages, options);
    } catch (std::logic_error const& e) {
        return wrong(e.what());
    }
    if (!result.trouble.empty()) return wrong("trouble: " + result.trouble.front().what);
    if (to_string(result.verdict) != to_text(truth.verdict())) return wrong(std::string(to_string(result.verdict)));
    if (!is(result.deadlock, truth.deadlock)) return wrong("another answer for deadlock");
    if (!is(result.fault, truth.fault)) return wrong("another answer for fault");
    if (Wrong const w = leaving_is_right(subject, zero, result.leaves_path, truth.leaves)) return wrong(*w);
    for (auto const& shown : {result.run, result.safe}) {
        if (!shown) continue;
        Machine machine(*loaded.code, options.buffering);
        if (run(machine, shown->schedule, shown->extent).s != shown->s) return wrong("a run that does not replay");
        if (shown->extent == Extent::complete && shown->s >= matchpoint::Status::infeasible)
            return wrong("a run off the path");
    }
    if (result.verdict != check::Verdict::vacuous && !result.run) return wrong("no run is shown");
    for (auto const* reached : {&result.deadlock, &result.fault})
        if (Wrong const w = leads_there(subject, options, *reached)) return wrong(*w);
    return std::nullopt;
}

namespace {

/// What a problem is made of, kept for the model that comes back.
struct Asking {
    std::shared_ptr<Subject const> subject;
    bool zero;
    Truth truth;
    std::string text = {};

    std::string wrong(std::string const& what) const {
        return subject->loaded.text + (zero ? "zero\n" : "infinite\n") + to_text(truth) + text + what;
    }
};

/// Deadlocks (zero buffering) or faults, by their own encoding.
Question ask_for_stop(std::shared_ptr<Asking> const& asking, Stop stop) {
    asking->text = encode_stop(asking->subject->messages, buffering(asking->zero), stop);
    bool const sat = stop == Stop::deadlock ? asking->truth.deadlock : asking->truth.fault;
    auto judge = [asking, stop](std::string const& model) -> Wrong {
        auto const matching = matching_of_model(asking->subject->messages, model, true);
        if (!matching) return matching.error() + model;
        Explorer::Options options;
        options.buffering = buffering(asking->zero);
        options.may_match = [&](Pair p) { return (*matching)[p.r] == p.s; };
        Explorer explorer(asking->subject->messages, options);
        while (auto const end = explorer.next())
            if (*end == (stop == Stop::deadlock ? End::deadlock : End::fault)) return std::nullopt;
        return "the model's matches do not lead there: " + model;
    };
    return {asking->text, sat, judge, [asking](std::string const& what) { return asking->wrong(what); }};
}

/// Some of the pairs of a receive and a send to its endpoint: subsets of the exact pairs, supersets, and neither.
MatchPairs any_pairs(MessageIndex const& messages, std::size_t number) {
    std::mt19937_64 random(number);
    std::bernoulli_distribution is_there(0.25 * static_cast<double>(2 + number % 3));
    MatchPairs pairs;
    pairs.of.resize(messages.receives().size());
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r)
        for (std::uint32_t s = 0; s < messages.sends().size(); ++s)
            if (messages.beta_of(messages.sends()[s]) == messages.receives()[r].beta && is_there(random))
                pairs.of[r].push_back(s);
    return pairs;
}

/// Complete runs that fail, or that succeed, and whose matches are all among the pairs.
Question ask_for_run(std::shared_ptr<Asking> const& asking, Asked asked, MatchPairs const& pairs) {
    MessageIndex const& messages = asking->subject->messages;
    EncoderOptions options;
    options.buffering = buffering(asking->zero);
    options.asked = asked;
    options.check_sat = false;
    asking->text = encode_exact(messages, pairs, options);
    Status const wanted = asked == Asked::failure ? Status::failure : Status::success;
    auto const among = names(messages, pairs);
    auto const& outcomes = asking->truth.outcomes;
    bool const sat = std::any_of(outcomes.begin(), outcomes.end(), [&](auto const& outcome) {
        auto const& [matching, status] = outcome;
        return status == wanted &&
               std::all_of(matching.begin(), matching.end(), [&](auto const& match) { return among.contains(match); });
    });
    auto judge = [asking, wanted](std::string const& model) -> Wrong {
        auto const matching = matching_of_model(asking->subject->messages, model);
        if (!matching) return matching.error() + model;
        auto const it = asking->truth.outcomes.find(names(asking->subject->messages, *matching));
        if (it == asking->truth.outcomes.end() || it->second != wanted) return "another outcome: " + model;
        Feasibility feasibility(asking->subject->messages, buffering(asking->zero));
        Schedule schedule;
        feasibility.schedule(*matching, schedule);
        Machine machine(*asking->subject->loaded.code, buffering(asking->zero));
        if (static_cast<int>(run(machine, schedule).s) != static_cast<int>(wanted)) return "does not replay";
        return std::nullopt;
    };
    return {asking->text, sat, judge, [asking](std::string const& what) { return asking->wrong(what); }};
}

} // namespace

Question question(std::shared_ptr<Subject const> subject, bool zero, Truth truth, std::size_t number) {
    auto const asking = std::make_shared<Asking>(Asking{std::move(subject), zero, std::move(truth)});
    if (number / 4 % 4 == 3) return ask_for_stop(asking, zero && number % 4 != 0 ? Stop::deadlock : Stop::fault);
    constexpr std::array methods{PairsMethod::overapprox, PairsMethod::tight, PairsMethod::exact,
                                 PairsMethod::overapprox_all_sends};
    Asked const asked = number / 4 % 4 == 0 ? Asked::success : Asked::failure;
    MessageIndex const& messages = asking->subject->messages;
    if (number / 16 % 2 == 1) return ask_for_run(asking, asked, any_pairs(messages, number));
    return ask_for_run(asking, asked, *pairs_by(messages, buffering(zero), methods[number % methods.size()]));
}

Question question(std::shared_ptr<Subject const> subject, bool zero, OnPath truth, std::size_t number) {
    enum class What : std::uint8_t { failure, deadlock, fault } const what{static_cast<std::uint8_t>(number % 3)};
    EncoderOptions options;
    options.buffering = buffering(zero);
    options.runs = Runs::executions;
    options.check_sat = false;
    MessageIndex const& messages = subject->messages;
    std::string const text =
        what == What::failure ? encode_failing_execution(messages, tight_on_path(messages, options.buffering), options)
                              : encode_stop(messages, options.buffering,
                                            what == What::deadlock ? Stop::deadlock : Stop::fault, Runs::executions);
    bool const sat = what == What::failure ? truth.fails : what == What::deadlock ? truth.deadlock : truth.fault;
    auto judge = [=](std::string const& model) -> Wrong {
        auto const matching = matching_of_model(subject->messages, model, true);
        if (!matching) return matching.error() + model;
        Explorer::Options of_model;
        of_model.buffering = buffering(zero);
        of_model.runs = Runs::executions;
        of_model.may_match = [&](Pair p) { return (*matching)[p.r] == p.s; };
        Explorer explorer(subject->messages, of_model);
        while (auto const end = explorer.next()) {
            bool const is_there = what == What::failure    ? explorer.state().s == matchpoint::Status::failure
                                  : what == What::deadlock ? *end == End::deadlock
                                                           : *end == End::fault;
            if (is_there) return std::nullopt;
        }
        return "the model's matches do not lead there: " + model;
    };
    auto wrong = [=](std::string const& why) {
        return subject->loaded.text + (zero ? "zero\n" : "infinite\n") + to_text(truth) + text + why;
    };
    return {text, sat, judge, wrong};
}

Wrong Question::ask(Solver& solver) const {
    Answer const answer = needing_model(solver.check(problem, {.model = true}));
    auto const* const got = std::get_if<answer::Sat>(&answer);
    if ((got == nullptr && !std::holds_alternative<answer::Unsat>(answer)) || (got != nullptr) != sat)
        return wrong(to_string(answer, solver.command()));
    Wrong const of_model = got == nullptr ? std::nullopt : judge(got->model);
    return of_model ? wrong(*of_model) : of_model;
}

Wrong encoding_is_right(std::shared_ptr<Subject const> subject, bool zero, Truth truth, Solver& solver,
                        std::size_t number) {
    return question(std::move(subject), zero, std::move(truth), number).ask(solver);
}

Wrong engines_are_right_on_path(Subject const& subject, bool zero, OnPath const& truth) {
    CheckOptions options;
    options.engine = EngineChoice::explore;
    if (Wrong w = check_on_path_is_right(subject, zero, truth, options)) return "explore: " + *w;
    options.engine = EngineChoice::automatic;
    if (Wrong w = check_on_path_is_right(subject, zero, truth, options)) return "auto: " + *w;
    options.engine = EngineChoice::sat;
    options.samples = 0; // so that it finds every run itself
    if (Wrong w = check_on_path_is_right(subject, zero, truth, options)) return "sat: " + *w;
    options.direct_from = 0;
    if (Wrong w = check_on_path_is_right(subject, zero, truth, options)) return "sat, directed: " + *w;
    return std::nullopt;
}

Wrong verdicts_are_right(std::uint64_t seed, std::uint64_t i, Together* together, Tally& tally) {
    Program const program = verdict_program(seed, i);
    auto const subject = std::make_shared<Subject const>(program);
    for (bool const zero : {false, true}) {
        std::string const b = zero ? "zero: " : "infinite: ";
        auto truth = explore_quickly(program, zero, 20'000);
        if (!truth) {
            ++tally[b + "too large for the naive exploration"];
            continue;
        }
        ++tally[b + to_text(truth->verdict)];
        if (truth->deadlock) ++tally[b + "a deadlock"];
        if (truth->fault) ++tally[b + "a fault"];
        if (!truth->orphans.empty()) ++tally[b + "orphans"];
        if (truth->outcomes.size() > 1) ++tally[b + "more than one match set"];
        CheckOptions options;
        options.engine = EngineChoice::explore;
        if (Wrong w = check_is_right(*subject, zero, *truth, options)) return w;
        options.engine = EngineChoice::automatic;
        if (Wrong w = check_is_right(*subject, zero, *truth, options)) return w;
        options.engine = EngineChoice::sat;
        options.samples = 0; // so that it finds every run itself
        if (Wrong w = check_is_right(*subject, zero, *truth, options)) return w;
        options.direct_from = 0;
        if (Wrong w = check_is_right(*subject, zero, *truth, options)) return w;
        auto const on_path = explore_path_quickly(program, zero, 20'000);
        if (on_path) {
            ++tally[b + "on the path: " + to_text(on_path->verdict())];
            if (on_path->deadlock) ++tally[b + "on the path: a deadlock"];
            if (on_path->fault) ++tally[b + "on the path: a fault"];
            if (on_path->leaves) ++tally[b + "on the path: it is left"];
            if (on_path->verdict() != truth->verdict) ++tally[b + "another verdict on the path"];
            if (Wrong w = engines_are_right_on_path(*subject, zero, *on_path)) return w;
        }
        if (together == nullptr) continue;
        if (on_path)
            if (Wrong w = together->ask(question(subject, zero, *on_path, i))) return w;
        if (Wrong w = together->ask(question(subject, zero, std::move(*truth), i))) return w;
    }
    return std::nullopt;
}

} // namespace matchpoint::naive
