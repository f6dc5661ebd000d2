// Executions with every choice made at random.
#include <algorithm>
#include <array>
#include <random>

#include "check/engines/engines.hpp"
#include "check/sat/domains.hpp"
#include "executions/sample.hpp"
#include "executions/shared/interleaved_sample.hpp"
#include "executions/slow_channel.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::check {

namespace {

bool has_one_channel(MessageIndex const& m, Endpoint beta) { return m.channels_to(beta).size() <= 1; }

/// Whether the matches cannot change how far threads get. With infinite buffering a wait is for a number of messages,
/// never for certain ones. With zero buffering a wait can be for one send to be taken; then there is no choice only if
/// each endpoint has one channel.
bool control_is_deterministic(Context const& c) {
    if (!c.messages().code().is_plain()) return false;
    if (c.options().buffering == Buffering::infinite) return true;
    for (std::uint32_t beta = 0; beta < c.messages().code().endpoints().size(); ++beta)
        if (!has_one_channel(c.messages(), {beta})) return false;
    return true;
}

/// Whether no choice changes a value that counts: each endpoint whose messages can flow into an assumption, an
/// assertion or a division has one channel.
bool relevant_values_are_determined(Context const& c) {
    MessageIndex const& m = c.messages();
    auto const relevant = relevance(m, definitions(m)).endpoints;
    for (std::uint32_t beta = 0; beta < relevant.size(); ++beta)
        if (relevant[beta] && !has_one_channel(m, {beta})) return false;
    return true;
}

/// All executions end as this one did.
void conclude_from_one(Context& c, End end) {
    Engine const engine{std::string(one_execution)};
    if (end != End::deadlock) c.known.add(fact::NeverStuck{Stop::deadlock}, engine);
    if (end != End::fault) c.known.add(fact::NeverStuck{Stop::fault}, engine);
    if (end == End::complete) c.known.add(fact::NeverLeaves{});
    c.known.conclude(c.known.failure()   ? Verdict::violated
                     : c.known.success() ? Verdict::safe
                                         : Verdict::vacuous,
                     engine);
}

Engine const control_flow{"control flow"};

/// What one execution shows of all, if matches cannot change how far threads get.
void conclude_from_control(Context& c, End end) {
    // If one execution completes, none gets stuck.
    if (end == End::complete) c.known.add(fact::NeverStuck{Stop::deadlock}, control_flow);
    // If one gets stuck without a fault, all do.
    if (end != End::deadlock) return;
    c.known.add(fact::NeverCompletes{});
    if (!c.is_on_path()) c.known.conclude(Verdict::vacuous, control_flow);
}

/// What counting alone says of deadlocks (matching/reach.hpp).
void conclude_from_counts(Context& c) {
    if (c.all_finish()) c.known.add(fact::NeverStuck{Stop::deadlock}, {"counting"});
    bool const tells_all = c.options().buffering == Buffering::infinite && c.messages().code().is_plain();
    if (tells_all && c.is_on_path() && !c.all_finish()) c.known.add(fact::NeverCompletes{});
}

void record(Context& c, SlowChannel const& sample) {
    ++c.known.work().samples;
    c.known.work().steps += sample.steps();
    c.known.record(sample, sample.end());
}

/// Matches with which an assertion may fail, by the messages that Domains leaves its receives if it does.
std::vector<Pair> suspects(Context const& c, std::size_t most) {
    constexpr std::size_t most_assertions = 8, most_receives = 4;
    DataFlow const flow(c.messages());
    CandidateWindows const windows(c.messages(), c.options().buffering, Extent::prefix);
    std::vector<Pair> pairs;
    for (std::uint32_t const assertion :
         std::span(flow.assertions()).first(std::min(flow.assertions().size(), most_assertions))) {
        auto const receives = flow.cone(assertion).receives;
        if (receives.empty() || receives.size() > most_receives) continue;
        Domains domains(flow, Extent::prefix, true);
        Requirement const fails[] = {{assertion, false}};
        if (!domains.require(fails)) continue;
        for (std::uint32_t const r : receives)
            for (std::uint32_t const s : domains.some_sends(r, windows, 2)) pairs.push_back({r, s});
    }
    if (pairs.size() > most) pairs.resize(most);
    return pairs;
}

} // namespace

void sample(Context& c) {
    conclude_from_counts(c);
    if (c.options().samples == 0) return;
    c.activity().begin(Activity::Stage::sampling);
    std::mt19937_64 random(1);
    bool const is_automatic = c.options().engine == EngineChoice::automatic;
    bool const deterministic = control_is_deterministic(c);
    bool const alike = deterministic && relevant_values_are_determined(c);
    for (std::uint64_t i = 0; i < c.few_samples() && !c.out_of_time(); ++i) {
        Sample const sample(c.messages(), c.options().buffering, random, c.runs());
        Activity::set(c.activity().executions, ++c.known.work().samples);
        c.known.work().steps += sample.steps();
        c.known.record(sample, sample.end());
        if (alike && is_automatic) return conclude_from_one(c, sample.end());
        if (deterministic) conclude_from_control(c, sample.end());
        if (c.known.has_verdict() || (c.known.failure() && is_automatic)) return;
    }
}

void sample_suspects(Context& c) {
    if (c.messages().sends().empty() || c.options().samples == 0) return;
    for (Pair const p : suspects(c, c.few_samples())) {
        if (c.known.failure() || c.out_of_time()) break;
        record(c, SlowChannel(c.messages(), c.options().buffering, p, c.runs()));
    }
    conclude_from_samples(c);
}

void sample_slow_channels(Context& c) {
    if (!c.is_on_path() || c.messages().sends().empty()) return;
    std::mt19937_64 random(1);
    std::uint64_t const count = c.few_samples();
    for (std::uint64_t i = 0; i < count && !c.known.failure() && !c.out_of_time(); ++i) {
        SlowChannel const sample(c.messages(), c.options().buffering, some_late_channel(c.messages(), random),
                                 c.runs());
        record(c, sample);
    }
    conclude_from_samples(c);
}

void sample_interleavings(Context& c) {
    if (c.options().samples == 0) return;
    c.activity().begin(Activity::Stage::sampling);
    std::mt19937_64 random(1);
    std::uint64_t const count = c.few_samples();
    for (std::uint64_t i = 0; i < count && !c.known.failure() && !c.out_of_time(); ++i) {
        constexpr std::array<std::uint32_t, 3> turns{1, 4, 16};
        InterleavedSample const sample(c.messages(), c.options().buffering, random, turns[i % turns.size()]);
        Activity::set(c.activity().executions, ++c.known.work().samples);
        c.known.work().steps += sample.steps();
        c.known.record(sample, sample.end());
    }
    conclude_from_samples(c);
}

void conclude_from_samples(Context& c) {
    if (c.known.failure()) c.known.conclude(Verdict::violated, {"samples"});
}

} // namespace matchpoint::check
