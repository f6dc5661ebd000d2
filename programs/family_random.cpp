// Random programs as a family: the shape of random.hpp, knob by knob.

#include "programs/family_parts.hpp"
#include "programs/random.hpp"

namespace matchpoint::programs::families {

namespace {

struct Percentage {
    std::string_view option;
    std::string_view meaning;
    unsigned RandomShape::*of;
};

constexpr Percentage percentages[] = {
    {"--several-endpoints", "threads with several endpoints", &RandomShape::several_endpoints},
    {"--dependencies", "sends after waits for receives, and of what was received", &RandomShape::dependencies},
    {"--waits-out-of-order", "waits within a thread in another order than its requests",
     &RandomShape::waits_out_of_order},
    {"--unwaited-sends", "sends without a wait", &RandomShape::unwaited_sends},
    {"--unwaited-receives", "receives that the wait for a later one completes", &RandomShape::unwaited_receives},
    {"--orphans", "one or two sends that no receive is there for", &RandomShape::orphans},
    {"--lone-receives", "a receive too many", &RandomShape::lone_receives},
    {"--crossed", "waits before what they wait for can be there: deadlocks", &RandomShape::crossed},
    {"--reuse", "variables with several definitions", &RandomShape::reuse},
    {"--assignments", "assignments", &RandomShape::assignments},
    {"--arithmetic", "operators in what is sent, assigned and compared", &RandomShape::arithmetic},
    {"--divisions", "divisions, by what was received too: faults", &RandomShape::divisions},
    {"--booleans", "messages and variables that are booleans", &RandomShape::booleans},
    {"--assumptions", "assumptions", &RandomShape::assumptions},
    {"--several-assertions", "two or three assertions", &RandomShape::several_assertions},
    {"--no-assertion", "no assertion at all", &RandomShape::no_assertion},
    {"--large-numbers", "integers beyond 64 bits", &RandomShape::large_numbers},
    {"--choices", "values that depend on a condition: `ite`", &RandomShape::choices},
    {"--sources", "receives that admit some sources only", &RandomShape::sources},
    {"--tags", "messages with tags, and receives that admit some tags only", &RandomShape::tags},
    {"--selected", "receives that assign the source or the tag", &RandomShape::selected},
    {"--modes", "sends that are synchronous or buffered", &RandomShape::modes},
    {"--barriers", "one or two barriers", &RandomShape::barriers},
    {"--shared", "accesses to shared variables, in place of so many messages", &RandomShape::shared},
};

} // namespace

std::vector<Knob> random_knobs() {
    std::vector<Knob> knobs;
    for (Percentage const& p : percentages) knobs.push_back({p.option, p.meaning, RandomShape{}.*p.of});
    return knobs;
}

/// A trace is one of random movements too, not a recorded one: other executions of a random program may get stuck.
Make random_family(Arguments const& arguments) {
    RandomShape shape;
    shape.messages = static_cast<unsigned>(arguments.numbers[1]);
    shape.threads = static_cast<unsigned>(arguments.numbers[2]);
    shape.endpoints = static_cast<unsigned>(arguments.numbers[3]);
    for (Percentage const& p : percentages)
        if (auto const given = arguments.knobs.find(p.option); given != arguments.knobs.end())
            shape.*p.of = static_cast<unsigned>(given->second);
    shape.trace = arguments.trace;
    RandomProgram program = random_program(arguments.seed, arguments.numbers[0], shape);
    Made made{.draft = std::move(program.draft), .infinite = {}, .zero = {}};
    made.draft.comment = fmt::format("Random program {} of seed {}.", arguments.numbers[0], arguments.seed);
    if (program.end == End::complete) made.trace = to_string(program.s);
    if (program.end == End::deadlock) made.trace = "error: it ends in a deadlock";
    if (program.end == End::fault) made.trace = "error: its last command is a fault";
    return made;
}

} // namespace matchpoint::programs::families
