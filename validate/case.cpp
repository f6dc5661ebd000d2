#include "validate/case.hpp"

#include <utility>

#include <fmt/format.h>

#include "check/check.hpp"
#include "encode/registry.hpp"
#include "executions/shared/few_switches.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "machine/well_formed.hpp"
#include "validate/shared_rules.hpp"

namespace matchpoint::validate {

namespace {

std::string_view shown(bool fails) { return fails ? "some run fails" : "no run fails"; }

Truth truth_of_trace(Case const& c, TruthOptions const& options) {
    Machine machine(c.code, options.buffering);
    Outcome const outcome = run(machine, *c.trace);
    Truth truth{.by = "the reference machine"};
    if (!well_formedness(c.code, machine.state())) return truth;
    truth.fails = outcome.s == Status::failure;
    if (*truth.fails) truth.run = *c.trace;
    return truth;
}

} // namespace

namespace {

std::unique_ptr<Case> case_of(Source source, Expected<Program, Diagnostics> program, bool of_trace) {
    if (!program || !check_discipline(*program, nullptr, Severity::warning, 1).empty()) return nullptr;
    if (of_trace && program->traces.empty()) return nullptr;
    auto c = std::make_unique<Case>(std::move(source), std::move(*program));
    if (of_trace) c->trace = schedule_of(c->code, 0);
    return c;
}

constexpr char const* file_name = "program.ctp";

} // namespace

std::unique_ptr<Case> make_case(std::string text, bool of_trace) {
    Source source(file_name, std::move(text));
    auto program = parse(source);
    return case_of(std::move(source), std::move(program), of_trace);
}

std::unique_ptr<Case> make_case(draft::Draft const& draft, bool of_trace) {
    return case_of(Source(file_name, print(draft)), program_of(draft), of_trace);
}

std::optional<CausalModel> model_of(Case const& c, Buffering buffering, Question const& question) {
    if (!c.trace || !question.model) return std::nullopt;
    auto model = CausalModel::of(c.messages, buffering, *c.trace, *question.model);
    return model ? std::optional(std::move(*model)) : std::nullopt;
}

std::optional<std::string> exact_problem(Case const& c, Buffering buffering, Question const& question) {
    auto const model = model_of(c, buffering, question);
    if (question.model && !model) return std::nullopt;
    EncoderOptions options;
    options.buffering = buffering;
    options.runs = question.runs;
    options.switches = question.switches;
    options.check_sat = false;
    auto problem = find_encoder("exact")->encode({.messages = c.messages, .model = model ? &*model : nullptr}, options);
    return problem ? std::optional(std::move(*problem)) : std::nullopt;
}

namespace {

CheckOptions options_of_check(TruthOptions const& options, EngineChoice engine) {
    CheckOptions check;
    check.buffering = options.buffering;
    check.runs = options.question.runs;
    check.engine = engine;
    check.stops = !options.question.shared; // nobody asks for deadlocks
    check.leaves_path = false;
    return check;
}

/// Sets the truth, unless the exploration is too large.
void explore(Case const& c, TruthOptions const& options, Truth& truth) {
    if (options.question.switches) {
        FewSwitches few(c.messages, {.buffering = options.buffering,
                                     .runs = options.question.runs,
                                     .most = *options.question.switches,
                                     .steps = options.steps,
                                     .stop = nullptr});
        FewSwitches::Answer const answer = few.search();
        if (answer == FewSwitches::Answer::stopped) return;
        truth.fails = answer == FewSwitches::Answer::found;
        if (*truth.fails) truth.run = few.schedule();
    } else {
        auto const model = model_of(c, options.buffering, options.question);
        CheckOptions check = options_of_check(options, EngineChoice::explore);
        check.steps = options.steps;
        check.model = model ? &*model : nullptr;
        CheckResult const result = check::check(c.messages, check);
        if (result.verdict == Verdict::unknown) return;
        truth.fails = result.verdict == Verdict::violated;
        if (*truth.fails) truth.run = result.run->schedule;
    }
    truth.by = "exploration";
}

/// Compares the truth with that of other methods of ours.
void compare(Case const& c, TruthOptions const& options, Truth& truth) {
    auto const differs = [&](std::string_view by, std::optional<bool> fails) {
        if (fails && *fails != *truth.fails)
            truth.disagreement = fmt::format("by exploration {}, by {} {}", shown(*truth.fails), by, shown(*fails));
    };
    if (options.question.shared && is_about_shared_variables_only(c.code))
        differs("the rules in validate/shared_rules.hpp",
                some_run_fails(c.code, options.question, {}, 50'000, c.trace ? &*c.trace : nullptr));
    if (options.solver == nullptr) return;
    if (auto const problem = exact_problem(c, options.buffering, options.question))
        differs("the exact encoding", options.solver->is_sat(*problem));
}

} // namespace

Truth truth(Case const& c, TruthOptions const& options) {
    bool const predicts = options.question.model.has_value();
    if (predicts && !model_of(c, options.buffering, options.question)) return {};
    if (c.trace && !predicts) return truth_of_trace(c, options);
    Truth truth;
    explore(c, options, truth);
    if (truth.fails) {
        if (options.twice) compare(c, options, truth);
        return truth;
    }
    if (options.solver == nullptr || options.question.switches || predicts) return truth;
    // `check` replays its witness.
    CheckOptions smt = options_of_check(options, EngineChoice::smt);
    smt.solver = options.solver->command();
    smt.time = std::chrono::seconds(30);
    CheckResult const second = check::check(c.messages, smt);
    if (second.verdict == Verdict::unknown) return truth;
    truth.by = second.engine;
    truth.fails = second.verdict == Verdict::violated;
    if (*truth.fails) truth.run = second.run->schedule;
    return truth;
}

bool depends_on_buffering(Case const& c, TruthOptions options) {
    options.twice = false;
    auto const here = truth(c, options).fails;
    options.buffering = options.buffering == Buffering::zero ? Buffering::infinite : Buffering::zero;
    auto const there = truth(c, options).fails;
    return here && there && *here != *there;
}

} // namespace matchpoint::validate
