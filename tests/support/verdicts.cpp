#include "tests/support/verdicts.hpp"
#include "executions/exact_pairs.hpp"

#include <algorithm>
#include <array>
#include <ostream>
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

Buffering buffering(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

} // namespace

void print(std::ostream& out, Tally const& tally) {
    for (auto const& [what, count] : tally) out << fmt::format("  {:<40} {:>10}\n", what, count);
}

Program verdict_program(std::uint64_t seed, std::uint64_t i) {
    return i % 2 == 0 ? program_to_explore(seed, i) : disciplined_program(seed, i);
}

Subject::Subject(Program const& program) : loaded(load(to_text(program, {}))), messages(*loaded.code) {}

Wrong check_is_right(Subject const& subject, bool zero, Truth const& truth, CheckOptions options) {
    Loaded const& loaded = subject.loaded;
    MessageIndex const& messages = subject.messages;
    options.buffering = buffering(zero);
    CheckResult const result = check::check(messages, options);
    auto const wrong = [&](std::string const& what) {
        return loaded.text + (zero ? "zero\n" : "infinite\n") + to_text(truth) + what;
    };
    if (!result.trouble.empty()) return wrong("trouble: " + result.trouble.front().what);
    if (to_string(result.verdict) != to_text(truth.verdict)) return wrong(std::string(to_string(result.verdict)));
    auto const is = [](Reached const& r, bool expected) {
        return r.answer == (expected ? Reached::Answer::yes : Reached::Answer::no);
    };
    if (!is(result.deadlock, truth.deadlock)) return wrong("another answer for deadlock");
    if (!is(result.fault, truth.fault)) return wrong("another answer for fault");
    for (auto const& run : {result.run, result.safe}) {
        if (!run) continue;
        auto const it = truth.outcomes.find(names(messages, run->matching));
        if (it == truth.outcomes.end() || static_cast<int>(it->second) != static_cast<int>(run->s))
            return wrong("a run that there is not");
    }
    if (truth.verdict == Verdict::violated) {
        Machine machine(*loaded.code, options.buffering);
        if (!result.run || run(machine, result.run->schedule).s != matchpoint::Status::failure)
            return wrong("the witness does not fail");
    }
    for (auto const* reached : {&result.deadlock, &result.fault}) {
        if (reached->answer != Reached::Answer::yes) continue;
        Machine machine(*loaded.code, options.buffering);
        // It stops where it is stuck: at its end, or at the command with the fault.
        auto const error = run(machine, reached->schedule).error;
        if (!error || (reached->fault && error->rho != reached->fault->rho) || (!reached->fault && error->rho))
            return wrong("the way to a deadlock or fault does not lead there");
    }
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
        if (explorer.next() == (stop == Stop::deadlock ? End::deadlock : End::fault)) return std::nullopt;
        return "the model's matches do not lead there: " + model;
    };
    return {asking->text, sat, judge, [asking](std::string const& what) { return asking->wrong(what); }};
}

/// Complete runs that fail, or that succeed.
Question ask_for_run(std::shared_ptr<Asking> const& asking, Asked asked, PairsMethod method) {
    EncoderOptions options;
    options.buffering = buffering(asking->zero);
    options.asked = asked;
    options.check_sat = false;
    asking->text = encode_exact(asking->subject->messages,
                                *pairs_by(asking->subject->messages, options.buffering, method), options);
    Status const wanted = asked == Asked::failure ? Status::failure : Status::success;
    auto const& outcomes = asking->truth.outcomes;
    bool const sat =
        std::any_of(outcomes.begin(), outcomes.end(), [&](auto const& outcome) { return outcome.second == wanted; });
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
    return ask_for_run(asking, number / 4 % 4 == 0 ? Asked::success : Asked::failure, methods[number % methods.size()]);
}

Wrong Question::ask(Solver& solver) const {
    Answer const answer = solver.check(problem, {.model = true});
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
        if (together == nullptr) continue;
        if (Wrong w = together->ask(question(subject, zero, std::move(*truth), i))) return w;
    }
    return std::nullopt;
}

} // namespace matchpoint::naive
