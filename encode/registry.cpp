#include "encode/registry.hpp"

#include <fmt/format.h>

#include "encode/exact.hpp"
#include "encode/exact_shared.hpp"
#include "encode/literal_encoders.hpp"
#include "encode/partial_runs.hpp"
#include "encode/schedule.hpp"
#include "encode/selecting.hpp"
#include "lowering/lowered.hpp"
#include "matching/reach.hpp"

namespace matchpoint::encode {

namespace {

using Refusal = Encoder::Refusal;
using enum Bufferings;
using enum Encoder::Of;
using enum Encoder::Asks;

Refusal exact(EncoderInput const& input, EncoderOptions const& options, Sink const& sink);

/// Calls `write` with the match pairs of the input.
template <typename Write>
Refusal with_pairs(EncoderInput const& input, Buffering buffering, Runs runs, Write write) {
    if (input.pairs != nullptr) {
        write(*input.pairs);
        return {};
    }
    auto const pairs = pairs_by(input.messages, buffering, input.method, input.budget, runs);
    if (!pairs) return "the exact pairs were not found within the limit of machine steps";
    write(*pairs);
    return {};
}

/// The plain program that it is lowered to, or the program as it is.
Refusal exact_of_others(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    if (auto const lowered = Lowered::of(input.messages, options.buffering)) {
        EncoderOptions plain = options;
        plain.buffering = (*lowered)->buffering();
        return exact({.messages = (*lowered)->messages(), .method = input.method, .budget = input.budget}, plain, sink);
    }
    SelectingGoal const goal = options.asked == Asked::failure   ? SelectingGoal::failure
                               : options.asked == Asked::success ? SelectingGoal::success
                                                                 : SelectingGoal::any;
    encode_selecting(input.messages, {options.buffering, options.runs, goal}, options, sink);
    return {};
}

/// Whether the order of steps counts, and not only the matches.
bool is_about_steps(MessageIndex const& messages, EncoderOptions const& options, bool has_model) {
    return messages.code().shares() || options.switches || has_model;
}

Refusal exact_of_steps(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    bool const need_not_complete = options.runs == Runs::executions && options.asked == Asked::failure;
    EncoderInput of_all = input; // as for exact()
    if (need_not_complete && input.method == PairsMethod::exact) of_all.method = PairsMethod::overapprox;
    return with_pairs(
        of_all, options.buffering, need_not_complete ? Runs::executions : Runs::complete,
        [&](MatchPairs const& pairs) { SharedQuestion(input.messages, pairs, options, input.model).write(sink); });
}

Refusal exact(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    if (is_about_steps(input.messages, options, input.model != nullptr)) return exact_of_steps(input, options, sink);
    if (!input.messages.code().is_plain()) return exact_of_others(input, options, sink);
    bool const need_not_complete = options.runs == Runs::executions && options.asked == Asked::failure &&
                                   !all_can_complete(input.messages, options.buffering);
    if (need_not_complete) {
        EncoderInput of_all = input; // exact pairs leave out those of receives that are served and not completed
        if (input.method == PairsMethod::exact) of_all.method = PairsMethod::tight;
        return with_pairs(of_all, options.buffering, Runs::executions, [&](MatchPairs const& pairs) {
            sink(encode_failing_execution(input.messages, pairs, options));
        });
    }
    return with_pairs(input, options.buffering, Runs::complete,
                      [&](MatchPairs const& pairs) { encode_exact(input.messages, pairs, options, sink); });
}

template <auto encode>
Refusal literal(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    return with_pairs(input, options.buffering, Runs::complete,
                      [&](MatchPairs const& pairs) { sink(encode(input.messages, pairs, options)); });
}

Refusal figures_9_10(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    if (input.trace == nullptr) return "figures-9-10 is for one trace, and there is none";
    auto const text = encode_figures_9_10(input.messages.code(), *input.trace, options);
    if (!text) return text.error();
    sink(*text);
    return {};
}

Refusal fusion(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    sink(encode_fusion(input.messages, options));
    return {};
}

Refusal fusion_bounded(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    sink(encode_fusion_bounded(input.messages, options));
    return {};
}

Refusal schedule(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    encode_schedule(input.messages, options, sink);
    return {};
}

Refusal fusion_mcm(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    if (input.trace == nullptr) return "fusion-mcm is for one trace, and there is none";
    auto const text = encode_fusion_mcm(input.messages.code(), *input.trace, options);
    if (!text) return "fusion-mcm: " + text.error();
    sink(*text);
    return {};
}

// clang-format off
constexpr Encoder table[] = {
    {"exact", "our own (docs/encoding.md)",
     both, all_executions, anything, exact},
    {"section5", "Sections 5.1 to 5.3 of the paper",
     infinite, all_executions, failure_in_order, literal<encode_section5>},
    {"section5-zero", "Sections 5.1 to 5.4 of the paper",
     zero, all_executions, failure_in_order, literal<encode_section5_zero>},
    {"short-paper", "Figures 2 and 3 of the short paper, and Section 2 around them",
     infinite, all_executions, failure_in_order, literal<encode_short_paper>},
    {"order-based", "Elwakil and Yang, as Section 6.1 of the paper describes them",
     zero, all_executions, failure_in_order, literal<encode_order_based>},
    {"figures-9-10", "Figures 9 and 10 of the paper; Definitions 10, 11 and 16",
     infinite, one_trace, failure_in_order, figures_9_10},
    {"fusion", "Sections 4.1 to 4.3 of Symbolic Predictive Analysis",
     both, all_executions, failure_of_steps, fusion},
    {"fusion-bounded", "Sections 4 and 5 of Symbolic Predictive Analysis",
     both, all_executions, few_switches, fusion_bounded},
    {"fusion-mcm", "Sections 4 and 6 of Symbolic Predictive Analysis",
     both, one_trace, failure_of_steps, fusion_mcm},
    {"schedule", "our own, of the kind in the column BMC of Table 1 of Symbolic Predictive Analysis",
     both, all_executions, any_switches, schedule},
};
// clang-format on

/// The encoding of programs that are not lowered has no probes and no collectives.
Refusal is_not_lowered(std::string_view name, MessageIndex const& messages, Buffering buffering) {
    bool const has_probes = messages.code().has_probes();
    if (!has_probes && messages.code().collectives() == nullptr) return {};
    auto const lowered = Lowered::of(messages, buffering);
    if (lowered) return {};
    return fmt::format("{} knows no {} of programs that are not lowered: {}", name,
                       has_probes ? "probes" : "collectives", lowered.error());
}

} // namespace

Encoder::Refusal Encoder::refuses(EncoderOptions const& options) const {
    if (!handles(options.buffering))
        return fmt::format("{} is for {} buffering", name, bufferings == Bufferings::zero ? "zero" : "infinite");
    if (asks != Asks::anything && (options.asked != Asked::failure || !options.order))
        return fmt::format("{} asks for a failure, with the order", name);
    if (asks == Asks::failure_in_order && options.runs == Runs::executions)
        return fmt::format("{} is about complete runs", name);
    if (asks == Asks::few_switches && !options.switches)
        return fmt::format("{} needs a bound on context switches", name);
    if ((asks == Asks::failure_in_order || asks == Asks::failure_of_steps) && options.switches)
        return fmt::format("{} knows no bound on context switches", name);
    if (options.switches && options.asked != Asked::failure) return "few context switches are those of a failure";
    if (!options.switches || options.switches_by == SwitchesBy::segments) return {};
    if (asks != Asks::anything) return fmt::format("{} has its own form of the bound on context switches", name);
    if (options.buffering == Buffering::zero)
        return fmt::format("{} counts context switches by owner with infinite buffering only: with zero buffering a "
                           "message is received at an instant between commands, and segments have no such instants",
                           name);
    return {};
}

Encoder::Refusal Encoder::refuses(MessageIndex const& messages) const {
    IndexedProgram const& code = messages.code();
    bool const is_mixed = code.shares() && !code.has_plain_messages();
    if (code.has_probes() && asks != Asks::anything) return fmt::format("{} knows no probes", name);
    switch (asks) {
    case Asks::anything:
        if (is_mixed)
            return fmt::format("{} knows no selectors, modes, barriers or endpoints of several threads beside shared "
                               "variables",
                               name);
        if (messages.may_lack_receives())
            return fmt::format("{} needs to know that each ready send finds a posted receive", name);
        return is_not_lowered(name, messages, Buffering::infinite);
    case Asks::failure_in_order:
        if (code.shares()) return fmt::format("{} knows no shared variables or guarded assignments", name);
        if (!code.is_plain()) return fmt::format("{} knows no selectors, modes or barriers", name);
        return {};
    case Asks::failure_of_steps:
    case Asks::few_switches:
    case Asks::any_switches: break;
    }
    if (!messages.sends().empty() || !messages.receives().empty()) return fmt::format("{} knows no messages", name);
    if (!code.has_plain_messages()) return fmt::format("{} knows no barriers", name);
    return {};
}

Encoder::Refusal Encoder::refuses(MessageIndex const& messages, EncoderOptions const& options, bool has_model) const {
    if (auto refusal = refuses(options)) return refusal;
    if (auto refusal = refuses(messages)) return refusal;
    if (asks == Asks::anything)
        if (auto refusal = is_not_lowered(name, messages, options.buffering)) return refusal;
    if (asks != Asks::anything) return has_model ? Refusal(fmt::format("{} knows no causal models", name)) : Refusal();
    if (has_model && (options.asked != Asked::failure || options.runs == Runs::complete))
        return "a causal model is asked for failures of executions, not for complete runs";
    if (!is_about_steps(messages, options, has_model)) return {};
    if (!messages.code().has_plain_messages())
        return fmt::format("{} knows no {} of programs with selectors, modes or barriers", name,
                           has_model ? "causal models" : "bound on context switches");
    if (!options.order)
        return fmt::format("{} cannot leave out the order {}", name,
                           messages.code().shares() ? "of a program with shared variables: what is read depends on it"
                           : has_model              ? "of a causal model"
                                                    : "that it counts context switches by");
    return {};
}

Encoder::Refusal Encoder::write(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) const {
    if (auto refusal = refuses(input.messages, options, input.model != nullptr)) return refusal;
    return function(input, options, sink);
}

Expected<std::string, std::string> Encoder::encode(EncoderInput const& input, EncoderOptions const& options) const {
    std::string text;
    auto refusal = write(input, options, [&](std::string_view part) { text += part; });
    if (refusal) return Unexpected{std::move(*refusal)};
    return text;
}

std::span<Encoder const> encoders() { return table; }

Encoder const* find_encoder(std::string_view name) {
    for (Encoder const& e : table)
        if (e.name == name) return &e;
    return nullptr;
}

Schedule schedule_of(IndexedProgram const& code, std::size_t t) {
    Schedule result;
    for (std::size_t i = 0; i < code.program().traces[t].entries.size(); ++i) {
        Entry const entry = code.entry(t, i);
        for (Channel const c : entry.m) result.move(c);
        result.step(entry.rho, entry.peek);
    }
    return result;
}

} // namespace matchpoint::encode
