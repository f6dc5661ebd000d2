#include "tests/support/verdicts.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>

#include "grammar/discipline.hpp"
#include "smt_machine/encoder.hpp"
#include "smt_machine/model.hpp"
#include "smt_machine/partial_runs.hpp"
#include "tests/support/all_runs.hpp"
#include "tests/support/cases.hpp"

namespace matchpoint::naive {

namespace {

Buffering buffering(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

} // namespace

void print(std::ostream& out, Tally const& tally) {
    for (auto const& [what, count] : tally) out << fmt::format("  {:<40} {:>10}\n", what, count);
}

Program random_program(std::uint64_t seed, std::uint64_t i) {
    std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                           static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32U)};
    std::mt19937_64 random(sequence);
    auto const skeleton = random_skeleton(random);
    if (i % 2 == 0) return elaborate_program(skeleton);
    // One in some ten thousand gives one endpoint to two threads.
    Program const program = elaborate_disciplined(skeleton).program;
    bool const obeys = check_discipline(*load(to_text(program, {})).program).empty();
    return obeys ? program : elaborate_program(skeleton);
}

Wrong check_is_right(Program const& program, bool zero, Truth const& truth, CheckOptions options) {
    Loaded const loaded = load(to_text(program, {}));
    Messages const messages(*loaded.code);
    options.buffering = buffering(zero);
    CheckResult const result = check(messages, options);
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

/// Deadlocks (zero buffering) or faults, by their own encoding.
Wrong stop_is_right(Loaded const& loaded, bool zero, Truth const& truth, Solver& solver, Stop stop) {
    Messages const messages(*loaded.code);
    std::string const problem = encode_stop(messages, buffering(zero), stop);
    Answer const answer = solver.check(problem, {.model = true});
    auto const wrong = [&](std::string const& what) {
        return loaded.text + (zero ? "zero\n" : "infinite\n") + to_text(truth) + problem + what;
    };
    auto const* const sat = std::get_if<answer::Sat>(&answer);
    bool const expected = stop == Stop::deadlock ? truth.deadlock : truth.fault;
    if ((sat == nullptr && !std::holds_alternative<answer::Unsat>(answer)) || (sat != nullptr) != expected)
        return wrong(to_string(answer, solver.command()));
    if (sat == nullptr) return std::nullopt;
    auto const matching = matching_of_model(messages, sat->model, true);
    if (!matching) return wrong(matching.error() + sat->model);
    Explorer::Options options;
    options.buffering = buffering(zero);
    options.may_match = [&](Pair p) { return (*matching)[p.r] == p.s; };
    Explorer explorer(messages, options);
    if (explorer.next() != (stop == Stop::deadlock ? End::deadlock : End::fault))
        return wrong("the model's matches do not lead there: " + sat->model);
    return std::nullopt;
}

} // namespace

Wrong encoding_is_right(Program const& program, bool zero, Truth const& truth, Solver& solver, std::size_t number) {
    Loaded const loaded = load(to_text(program, {}));
    if (number / 4 % 4 == 3)
        return stop_is_right(loaded, zero, truth, solver, zero && number % 4 != 0 ? Stop::deadlock : Stop::fault);
    Messages const messages(*loaded.code);
    constexpr std::array methods{PairsMethod::overapprox, PairsMethod::tight, PairsMethod::exact,
                                 PairsMethod::overapprox_all_sends};
    EncoderOptions options;
    options.buffering = buffering(zero);
    options.asked = number / 4 % 4 == 0 ? Asked::success : Asked::failure;
    options.check_sat = false;
    MatchPairs const pairs = *pairs_by(messages, options.buffering, methods[number % methods.size()]);
    std::string const problem = encode(messages, pairs, options);
    Answer const answer = solver.check(problem, {.model = true});
    auto const wrong = [&](std::string const& what) {
        return loaded.text + (zero ? "zero\n" : "infinite\n") + to_text(truth) + problem + what;
    };

    Status const wanted = options.asked == Asked::failure ? Status::failure : Status::success;
    bool const expected = std::any_of(truth.outcomes.begin(), truth.outcomes.end(),
                                      [&](auto const& outcome) { return outcome.second == wanted; });
    auto const* const sat = std::get_if<answer::Sat>(&answer);
    if ((sat == nullptr && !std::holds_alternative<answer::Unsat>(answer)) || (sat != nullptr) != expected)
        return wrong(to_string(answer, solver.command()));
    if (sat == nullptr) return std::nullopt;
    auto const matching = matching_of_model(messages, sat->model);
    if (!matching) return wrong(matching.error() + sat->model);
    auto const it = truth.outcomes.find(names(messages, *matching));
    if (it == truth.outcomes.end() || it->second != wanted) return wrong("another outcome: " + sat->model);
    Feasibility feasibility(messages, options.buffering);
    Schedule schedule;
    feasibility.schedule(*matching, schedule);
    Machine machine(*loaded.code, options.buffering);
    if (static_cast<int>(run(machine, schedule).s) != static_cast<int>(wanted)) return wrong("does not replay");
    return std::nullopt;
}

Wrong verdicts_are_right(std::uint64_t seed, std::uint64_t i, Solver* solver, Tally& tally) {
    Program const program = random_program(seed, i);
    for (bool const zero : {false, true}) {
        std::string const b = zero ? "zero: " : "infinite: ";
        auto const truth = explore_quickly(program, zero, 20'000);
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
        if (Wrong w = check_is_right(program, zero, *truth, options)) return w;
        options.engine = EngineChoice::automatic;
        if (Wrong w = check_is_right(program, zero, *truth, options)) return w;
        if (solver == nullptr) continue;
        if (Wrong w = encoding_is_right(program, zero, *truth, *solver, i)) return w;
    }
    return std::nullopt;
}

} // namespace matchpoint::naive
