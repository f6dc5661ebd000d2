#include "tests/support/shared_questions.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "encode/exact_shared.hpp"
#include "encode/model_values.hpp"
#include "encode/registry.hpp"
#include "executions/exact_pairs.hpp"
#include "executions/shared/sharing.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/naive_classes.hpp"
#include "tests/support/shared_verdicts.hpp"

namespace matchpoint::naive {

namespace {

using executions::Asked;
using executions::CausalModel;
using executions::Model;
using executions::Runs;

/// A question, and all that its answer is judged by.
struct SharedAsking {
    explicit SharedAsking(std::shared_ptr<Subject const> s) : subject(std::move(s)) {}

    std::shared_ptr<Subject const> subject;
    EncoderOptions options;
    MatchPairs pairs;
    std::optional<CausalModel> model;
    std::optional<SharedQuestion> question;

    std::string described(std::string_view what) const {
        return fmt::format("{}{} buffering, {}, asked {}, {} switches{}: {}\n", subject->loaded.text,
                           options.buffering == Buffering::zero ? "zero" : "infinite",
                           executions::to_string(options.runs), static_cast<int>(options.asked),
                           options.switches ? std::to_string(*options.switches) : "any",
                           options.switches_by == SwitchesBy::owner ? " by owner" : "", what);
    }

    Wrong judge(std::string const& answer) const {
        auto const schedule = question->schedule(answer);
        return schedule ? judge(*schedule, answer) : schedule.error();
    }

    Wrong judge(machine::Schedule const& schedule, std::string const& answer) const {
        Machine machine(*subject->loaded.code, options.buffering);
        Outcome const outcome = machine::run(machine, schedule, Extent::prefix);
        if (outcome.error || !executions::is_asked(options.asked, outcome.s)) return "does not replay: " + answer;
        bool const complete = options.runs == Runs::complete || options.asked != Asked::failure;
        if (complete && !machine.state().finished()) return "is not complete: " + answer;
        if (options.switches && executions::context_switches(*subject->loaded.code, schedule) > *options.switches)
            return "has more switches: " + answer;
        return std::nullopt;
    }
};

Question question_of(std::shared_ptr<SharedAsking> const& asking, bool sat) {
    asking->options.check_sat = false;
    asking->question.emplace(asking->subject->messages, asking->pairs, asking->options,
                             asking->model ? &*asking->model : nullptr);
    return {asking->question->text(), sat, [asking](std::string const& answer) { return asking->judge(answer); },
            [asking](std::string const& what) { return asking->described(what) + asking->question->text(); }};
}

Buffering buffering_if(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

} // namespace

std::vector<Question> shared_questions(std::shared_ptr<Subject const> const& subject, bool zero,
                                       SharedTruth const& truth, std::size_t number) {
    std::vector<Question> result;
    auto const ask_by = [&](SwitchesBy by, Asked asked, Runs runs, bool sat, std::optional<std::size_t> switches) {
        auto const asking = std::make_shared<SharedAsking>(subject);
        asking->options.buffering = buffering_if(zero);
        asking->options.asked = asked;
        asking->options.runs = runs;
        asking->options.writes = number % 2 == 0 ? OrderOfWrites::clock : OrderOfWrites::pairs;
        asking->options.switches_by = by;
        if (switches) asking->options.switches = static_cast<std::uint32_t>(*switches);
        bool const complete = runs == Runs::complete || asked != Asked::failure;
        constexpr std::array methods{PairsMethod::overapprox, PairsMethod::exact, PairsMethod::overapprox_all_sends,
                                     PairsMethod::tight};
        PairsMethod const method = methods[number / 2 % methods.size()];
        bool const can_be_exact = complete || !zero; // else receives can be served and not completed
        asking->pairs =
            *executions::pairs_by(subject->messages, asking->options.buffering,
                                  method == PairsMethod::exact && !can_be_exact ? PairsMethod::overapprox : method, {},
                                  complete ? Runs::complete : Runs::executions);
        result.push_back(question_of(asking, sat));
    };
    auto const ask = [&](Asked asked, Runs runs, bool sat, std::optional<std::size_t> switches = {}) {
        ask_by(SwitchesBy::segments, asked, runs, sat, switches);
        if (switches && !zero) ask_by(SwitchesBy::owner, asked, runs, sat, switches);
    };
    auto const with_bounds = [&](Runs runs, std::optional<std::size_t> const& least) {
        ask(Asked::failure, runs, least.has_value());
        if (least) ask(Asked::failure, runs, true, *least + number % 3 / 2);
        if (!least || *least > 0) ask(Asked::failure, runs, false, least ? *least - 1 : 1 + number % 2);
    };
    with_bounds(Runs::executions, truth.switches);
    with_bounds(Runs::complete, truth.switches_complete);
    if (number % 2 == 0)
        ask(Asked::success, Runs::complete, truth.completes);
    else
        ask(Asked::any, Runs::complete, truth.completes || truth.fails_complete);
    return result;
}

namespace {

/// Whose turn it is in a model of `schedule`, until it is nobody's. The error says which turn is missing.
Expected<machine::Schedule, std::string> schedule_of_turns(IndexedProgram const& code, std::string const& answer,
                                                           std::string const& problem) {
    encode::ModelValues values(answer);
    machine::Schedule result;
    auto const& threads = code.ctp().threads;
    std::vector<std::uint32_t> done(threads.size());
    for (std::size_t k = 1; problem.find(fmt::format("(declare-const turn!{} ", k)) != std::string::npos; ++k) {
        auto const turn = static_cast<std::size_t>(values(fmt::format("turn!{}", k)));
        if (!values.missing().empty()) return Unexpected{values.missing() + " is missing"};
        if (turn >= threads.size()) break;
        result.step({threads[turn].first + done[turn]++});
    }
    return result;
}

/// `schedule` of a program.
Question question_of_turns(std::shared_ptr<SharedAsking> const& asking, bool sat) {
    asking->options.check_sat = false;
    std::string const problem =
        encode::find_encoder("schedule")->encode({.messages = asking->subject->messages}, asking->options).value();
    auto const judge = [asking, problem](std::string const& answer) -> Wrong {
        auto const schedule = schedule_of_turns(*asking->subject->loaded.code, answer, problem);
        return schedule ? asking->judge(*schedule, answer) : schedule.error();
    };
    return {problem, sat, judge,
            [asking, problem](std::string const& what) { return asking->described(what) + problem; }};
}

} // namespace

std::vector<Question> schedule_questions(std::shared_ptr<Subject const> const& subject, SharedTruth const& truth,
                                         std::size_t number) {
    std::vector<Question> result;
    if (!subject->messages.sends().empty() || !subject->messages.receives().empty()) return result;
    auto const ask = [&](Runs runs, bool sat, std::optional<std::size_t> switches) {
        auto const asking = std::make_shared<SharedAsking>(subject);
        asking->options.runs = runs;
        if (switches) asking->options.switches = static_cast<std::uint32_t>(*switches);
        result.push_back(question_of_turns(asking, sat));
    };
    auto const with_bounds = [&](Runs runs, std::optional<std::size_t> const& least) {
        ask(runs, least.has_value(), {});
        if (least) ask(runs, true, *least + number % 3 / 2);
        if (!least || *least > 0) ask(runs, false, least ? *least - 1 : 1 + number % 2);
    };
    with_bounds(Runs::executions, truth.switches);
    with_bounds(Runs::complete, truth.switches_complete);
    return result;
}

std::vector<Question> model_questions(Program const& program, Trace const& trace, bool zero, std::size_t number,
                                      Tally& tally) {
    auto const subject = std::make_shared<Subject const>(program);
    Loaded const loaded = load({program, trace, zero});
    machine::Schedule schedule;
    for (std::size_t i = 0; i < trace.size(); ++i) schedule.append(loaded.entry(i));
    std::vector<Question> result;
    for (Model const name : {Model::ctp, Model::mcm, Model::hb}) {
        MayStep const may_step = name == Model::ctp   ? trace_program(program, trace)
                                 : name == Model::mcm ? maximal_causal_model(program, trace, zero)
                                                      : happens_before_model(program, trace, zero);
        auto const truth = classes_of(program, zero, may_step);
        if (!truth) {
            ++tally["too large for the naive models"];
            return {};
        }
        bool const fails =
            std::any_of(truth->begin(), truth->end(), [](auto const& c) { return c.second.s == Status::failure; });
        ++tally[std::string(to_string(name)) + (fails ? " fails" : " does not fail")];
        auto const asking = std::make_shared<SharedAsking>(subject);
        asking->pairs = overapprox(subject->messages);
        asking->options.buffering = buffering_if(zero);
        asking->options.runs = Runs::executions;
        asking->options.writes = number % 2 == 0 ? OrderOfWrites::clock : OrderOfWrites::pairs;
        auto model = CausalModel::of(subject->messages, asking->options.buffering, schedule, name);
        if (!model) throw std::logic_error("no model: " + model.error());
        asking->model.emplace(std::move(*model));
        result.push_back(question_of(asking, fails));
    }
    return result;
}

namespace {

Wrong ask_all(std::vector<Question> questions, Together& together) {
    for (Question& q : questions)
        if (Wrong wrong = together.ask(std::move(q))) return wrong;
    return std::nullopt;
}

} // namespace

Wrong shared_encoding_is_right(std::uint64_t seed, std::uint64_t i, Together& together, Tally& tally) {
    Program const program = shared_program(seed, i);
    auto const subject = std::make_shared<Subject const>(program);
    bool const has_messages = !subject->messages.sends().empty() || !subject->messages.receives().empty();
    ++tally[has_messages ? "programs with messages" : "programs without messages"];
    for (bool const zero : {false, true}) {
        if (zero && !has_messages) continue;
        auto const truth = explore_shared(program, zero);
        if (!truth) {
            ++tally["too large for the naive exploration"];
            continue;
        }
        if (truth->fails) ++tally[zero ? "fails, zero buffering" : "fails"];
        if (truth->switches) ++tally[std::to_string(*truth->switches) + " switches"];
        if (Wrong wrong = ask_all(shared_questions(subject, zero, *truth, i), together)) return wrong;
    }
    Case const c = shared_case(seed, i);
    return ask_all(model_questions(c.program, on_path(c), c.zero, i, tally), together);
}

} // namespace matchpoint::naive
