#include "tests/support/mpi_verdicts.hpp"

#include <algorithm>
#include <set>

#include "executions/exact_pairs.hpp"
#include "lowering/lowered.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/mpi.hpp"
#include "tests/support/naive_collectives.hpp"

namespace matchpoint::naive {

namespace {

Buffering of(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

} // namespace

Wrong mpi_checks_are_right(Program const& program, bool zero, Truth const& truth, Tally& tally) {
    Subject const subject(program);
    bool const is_lowered = Lowered::of(subject.messages, of(zero)).has_value();
    ++tally[is_lowered ? "lowered" : "not lowered"];
    if (is_lowered)
        if (Wrong w = engines_are_right_on_path(subject, zero, truth.on_path)) return w;
    CheckOptions options;
    for (EngineChoice const engine : {EngineChoice::explore, EngineChoice::automatic}) {
        options.engine = engine;
        if (Wrong w = check_is_right(subject, zero, truth, options)) return w;
        if (Wrong w = check_on_path_is_right(subject, zero, truth.on_path, options)) return w;
    }
    return std::nullopt;
}

Wrong mpi_pairs_are_right(Program const& program, bool zero, Truth const& truth) {
    Subject const subject(program);
    MessageIndex const& messages = subject.messages;
    auto const names = [&](MatchPairs const& pairs) {
        std::set<std::pair<std::string, std::string>> result;
        for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
            for (std::uint32_t const s : pairs.of[r])
                result.emplace(messages.code().names()(messages.receives()[r].a),
                               messages.code().names()(messages.sends()[s].a));
        return result;
    };
    if (names(*pairs_by(messages, of(zero), PairsMethod::exact)) != truth.exact_pairs) return "exact pairs";
    auto const tight = names(*pairs_by(messages, of(zero), PairsMethod::tight));
    if (!std::includes(tight.begin(), tight.end(), truth.exact_pairs.begin(), truth.exact_pairs.end()))
        return "tight pairs leave out some that a complete run has";
    auto const all = names(*pairs_by(messages, of(zero), PairsMethod::overapprox));
    if (!std::includes(all.begin(), all.end(), tight.begin(), tight.end())) return "tight pairs beyond overapprox";
    return std::nullopt;
}

Wrong collectives_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    for (auto const generate : {any_collective_case, disciplined_collective_case})
        if (Wrong wrong = trace_is_right(generate(seed, i))) return wrong;
    constexpr std::size_t limit = 8'000;
    Program const program = collective_program_to_explore(seed, i);
    tally["that disagree"] += has_disagreement(program) ? 1U : 0U;
    for (bool const zero : {false, true}) {
        auto const truth = explore_eagerly(program, zero, limit);
        if (!truth) {
            ++tally["too large"];
            continue;
        }
        Wrong wrong = exploration_is_right(program, zero, tally, limit);
        if (!wrong) wrong = schedulers_are_right(program, zero, i, tally, limit);
        if (!wrong) wrong = mpi_checks_are_right(program, zero, *truth, tally);
        if (!wrong) wrong = mpi_pairs_are_right(program, zero, *truth);
        if (wrong) return to_text(program, {}) + (zero ? "zero: " : "infinite: ") + *wrong;
    }
    return partners_are_right(program, seed, i);
}

namespace {

Wrong verdicts_are_right(Program const& program, Tally& tally) {
    for (bool const zero : {false, true}) {
        auto const truth = explore_eagerly(program, zero, 20'000);
        ++tally[truth ? to_text(truth->on_path.verdict()) : "too large for the naive exploration"];
        if (!truth) continue;
        Wrong wrong = mpi_checks_are_right(program, zero, *truth, tally);
        if (!wrong) wrong = mpi_pairs_are_right(program, zero, *truth);
        if (wrong) return to_text(program, {}) + (zero ? "zero: " : "infinite: ") + *wrong;
    }
    return std::nullopt;
}

} // namespace

Wrong mpi_verdicts_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    return verdicts_are_right(mpi_program_to_explore(seed, i), tally);
}

Wrong probe_verdicts_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    return verdicts_are_right(probe_program_to_explore(seed, i), tally);
}

} // namespace matchpoint::naive
