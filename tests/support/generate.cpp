#include "tests/support/generate.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "grammar/discipline.hpp"
#include "programs/probes.hpp"
#include "programs/random_collectives.hpp"
#include "programs/smaller.hpp"
#include "tests/support/broken.hpp"
#include "tests/support/compare.hpp"

namespace matchpoint::naive {

namespace {

using programs::RandomShape;
namespace draft = programs::draft;

Trace plain_trace(draft::Trace const& trace) {
    auto const number = [](auto const& name) { return static_cast<unsigned>(std::stoul(name.text)); };
    Trace result;
    for (draft::Entry const& entry : trace) {
        auto const movement = [&](draft::Movement const& m) {
            return Movement{number(m.beta), number(m.alpha),
                            m.n.text.empty() ? std::nullopt : std::optional<Tag>(number(m.n))};
        };
        result.push_back({entry.rho, {}});
        for (draft::Movement const& m : entry.m) result.back().movements.push_back(movement(m));
        if (entry.peek) result.back().peek = movement(*entry.peek);
    }
    return result;
}

/// A stream of choices that is independent of that of the program with the same number.
Dice choices(std::uint64_t seed, std::uint64_t i) { return {~seed, i}; }

bool is_zero(Dice& dice) { return dice.percent(50); }

/// Every fourth program has choices, so that the others are the same as ever.
unsigned choices_of(std::uint64_t i) { return i % 4 == 3 ? 80 : 0; }

/// One to four threads, one to seven messages, and a good deal of everything that a program may have.
RandomShape any_shape(Dice& dice, std::uint64_t i) {
    static constexpr std::array<unsigned, 6> threads = {4, 4, 3, 3, 2, 1};
    return {.threads = dice.one_of(threads),
            .messages = 1 + dice.below(7),
            .dependencies = 75,
            .arithmetic = 70,
            .divisions = 55,
            .booleans = 40,
            .assumptions = 45,
            .several_assertions = 50,
            .large_numbers = 15,
            .choices = choices_of(i)};
}

Case case_of(std::uint64_t seed, std::uint64_t i, RandomShape shape, bool zero) {
    shape.trace = true;
    shape.buffering = zero ? Buffering::zero : Buffering::infinite;
    Family const made = naive::plain(programs::random_program(seed, i, shape).draft);
    return {made.program, made.traces.front(), zero};
}

} // namespace

Family plain(draft::Draft draft) {
    draft::name_locations(draft);
    Family result;
    for (draft::Trace const& trace : draft.traces) result.traces.push_back(plain_trace(trace));
    result.program = read_program(draft::print(draft));
    return result;
}

Case disciplined_case(std::uint64_t seed, std::uint64_t i) {
    Dice dice = choices(seed, i);
    bool const zero = is_zero(dice);
    return case_of(seed, i, any_shape(dice, i), zero);
}

Program disciplined_program(std::uint64_t seed, std::uint64_t i) {
    Dice dice = choices(seed, i);
    is_zero(dice);
    return naive::plain(programs::random_program(seed, i, any_shape(dice, i)).draft).program;
}

namespace {

Case well_formed_case(std::uint64_t seed, std::uint64_t i, unsigned with_choices) {
    Dice dice = choices(seed, i);
    bool const zero = is_zero(dice);
    RandomShape shape = any_shape(dice, 0);
    shape.choices = with_choices;
    shape.orphans = shape.lone_receives = 5;
    shape.crossed = 5;
    shape.divisions = 45;
    return case_of(seed, i, shape, zero);
}

} // namespace

Case well_formed_case(std::uint64_t seed, std::uint64_t i) { return well_formed_case(seed, i, 0); }
Case choice_case(std::uint64_t seed, std::uint64_t i) { return well_formed_case(seed, i, 100); }

Case disciplined_mpi_case(std::uint64_t seed, std::uint64_t i) {
    Dice dice = choices(seed, i);
    bool const zero = is_zero(dice);
    Case made = case_of(seed, i, programs::with_mpi(any_shape(dice, i)), zero);
    vary_tags(made, dice);
    return made;
}

namespace {

Case any_case(std::uint64_t seed, std::uint64_t i, bool mpi) {
    Dice dice = choices(seed, i);
    Case made;
    made.zero = is_zero(dice);
    RandomShape const shape = any_shape(dice, 0);
    made.program =
        naive::plain(programs::random_program(seed, i, mpi ? programs::with_mpi(shape) : shape).draft).program;
    break_program(made.program, dice);
    rename_oddly(made.program, dice);
    // A trace for infinite buffering is often an error with zero buffering.
    bool const careless = made.zero && dice.percent(15);
    Buffering const buffering = made.zero && !careless ? Buffering::zero : Buffering::infinite;
    auto const random = programs::random_trace(*load(to_text(made.program, {})).code, buffering, seed, i);
    made.trace = plain_trace(random.trace);
    if (random.end == End::deadlock && dice.percent(70)) force(made, dice);
    break_trace(made, dice);
    if (mpi) vary_tags(made, dice);
    if (mpi && dice.percent(10)) break_tag(made, dice);
    return made;
}

} // namespace

Case any_case(std::uint64_t seed, std::uint64_t i) { return any_case(seed, i, false); }
Case any_mpi_case(std::uint64_t seed, std::uint64_t i) { return any_case(seed, i, true); }

Program program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads, unsigned messages) {
    RandomShape const shape{
        .threads = threads, .messages = messages, .dependencies = 80, .divisions = 45, .choices = choices_of(i)};
    return naive::plain(programs::random_program(seed, i, shape).draft).program;
}

Program mpi_program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads, unsigned messages) {
    RandomShape const shape{
        .threads = threads, .messages = messages, .dependencies = 80, .divisions = 25, .choices = choices_of(i)};
    return naive::plain(programs::random_program(seed, i, programs::with_mpi(shape)).draft).program;
}

Program probe_program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads, unsigned messages) {
    Dice dice = choices(seed + 5, i);
    RandomShape const shape{
        .threads = 2 + dice.below(threads - 1), .messages = 1 + dice.below(messages), .dependencies = 70};
    auto const draft = programs::random_program(seed, i, dice.percent(60) ? programs::with_mpi(shape) : shape).draft;
    return naive::plain(programs::with_random_probes(draft, dice, 3)).program;
}

Program mprobe_program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads, unsigned messages) {
    auto const takes_nothing = [](Command const& c) {
        auto const* const probe = std::get_if<Probe>(&c.what);
        return probe != nullptr && !probe->matches;
    };
    for (std::uint64_t n = i;; n += 1'000'003) {
        Program program = probe_program_to_explore(seed, n, threads, messages);
        if (std::none_of(program.threads.begin(), program.threads.end(),
                         [&](auto const& thread) { return std::any_of(thread.begin(), thread.end(), takes_nothing); }))
            return program;
    }
}

Case probe_case(std::uint64_t seed, std::uint64_t i) {
    Dice dice = choices(seed + 6, i);
    Case made;
    made.zero = is_zero(dice);
    made.program = probe_program_to_explore(seed, i);
    Buffering const buffering = made.zero ? Buffering::zero : Buffering::infinite;
    made.trace = plain_trace(programs::random_trace(*load(to_text(made.program, {})).code, buffering, seed, i).trace);
    for (TraceEntry& entry : made.trace) {
        if (!dice.percent(4)) continue;
        switch (dice.below(4)) {
        case 0: entry.peek.reset(); break;
        case 1: entry.peek = Movement{dice.below(3), dice.below(3)}; break;
        case 2:
            if (entry.peek) entry.peek->tag = dice.below(3);
            break;
        default: entry.movements.clear(); break;
        }
    }
    if (dice.percent(20)) vary_tags(made, dice);
    return made;
}

namespace {

Program collective_program(std::uint64_t seed, std::uint64_t i, RandomShape const& shape) {
    bool const with_mpi = i % 3 == 2;
    return naive::plain(programs::random_collectives(seed, i, with_mpi ? programs::with_mpi(shape) : shape)).program;
}

Case with_random_trace(Program program, bool zero, std::uint64_t seed, std::uint64_t i) {
    Case made{std::move(program), {}, zero};
    Buffering const buffering = zero ? Buffering::zero : Buffering::infinite;
    auto const random = programs::random_trace(*load(to_text(made.program, {})).code, buffering, seed, i);
    made.trace = plain_trace(random.trace);
    return made;
}

} // namespace

Case disciplined_collective_case(std::uint64_t seed, std::uint64_t i) {
    Dice dice = choices(seed, i);
    bool const zero = is_zero(dice);
    return with_random_trace(collective_program(seed, i, any_shape(dice, i)), zero, seed, i);
}

Case any_collective_case(std::uint64_t seed, std::uint64_t i) {
    Dice dice = choices(seed, i);
    bool const zero = is_zero(dice);
    Program program = collective_program(seed, i, any_shape(dice, 0));
    break_program(program, dice);
    Case made = with_random_trace(std::move(program), zero, seed, i);
    break_trace(made, dice);
    return made;
}

Program collective_program_to_explore(std::uint64_t seed, std::uint64_t i, unsigned threads, unsigned messages) {
    return collective_program(seed, i, {.threads = threads, .messages = messages, .dependencies = 80, .divisions = 20});
}

Family family(std::uint64_t seed, std::uint64_t i) {
    Dice dice = choices(seed, i);
    Family made = naive::plain(programs::random_program(seed, i, any_shape(dice, 0)).draft);
    Loaded const loaded = load(to_text(made.program, {}));
    for (std::uint64_t walk = 0; walk < 8 && made.traces.size() < 4; ++walk) {
        auto const random = programs::random_trace(*loaded.code, Buffering::infinite, seed, 8 * i + walk);
        Trace trace = plain_trace(random.trace);
        if (random.well_formed && std::find(made.traces.begin(), made.traces.end(), trace) == made.traces.end())
            made.traces.push_back(std::move(trace));
    }
    return made;
}

std::vector<Family> smaller(Family const& family) {
    Loaded const loaded = load(to_text(family.program, family.traces));
    bool const disciplined = check_discipline(*loaded.program).empty();
    std::vector<Family> result;
    for (draft::Draft& candidate : draft::smaller(draft::draft_of(*loaded.program))) {
        if (candidate.traces.empty() && !family.traces.empty()) continue;
        auto const program = draft::program_of(candidate);
        if (program && (!disciplined || check_discipline(*program).empty()))
            result.push_back(plain(std::move(candidate)));
    }
    return result;
}

} // namespace matchpoint::naive
