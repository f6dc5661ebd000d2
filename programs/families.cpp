#include "programs/families.hpp"

#include <algorithm>

#include "base/shell.hpp"
#include "programs/family_parts.hpp"

namespace matchpoint::programs::families {

namespace {

// A program has a million messages at most, and as many commands as four of a million: some hundreds of megabytes.
constexpr std::uint64_t million = 1'000'000;

std::vector<Family> const& table() {
    static std::vector<Family> const families{
        {.name = "scaling",
         .summary = "Table 1: one thread receives N messages from N threads",
         .parameters = {{"N", "messages", 1, million}},
         .variants = {{"", "violated by one of the N! permutations"},
                      {"--comparisons", "violated by one, which only comparisons tell: the values descend"},
                      {"--safe", "two receives would have to get the same message"},
                      {"--distinct", "safe: no two values are equal, asserted pair by pair"}},
         .reads_formula = false,
         .has_seed = true,
         .make = scaling},
        {.name = "leader-election",
         .summary = "Table 2's LE: in a ring the highest number wins (Chang and Roberts); one match set",
         .parameters = {{"MESSAGES", "messages", 11, million, 620}},
         .variants = {{"", "violated: one thread claims to have won itself"}, {"--safe", "all agree"}},
         .reads_formula = false,
         .has_seed = false,
         .make = leader_election},
        {.name = "router",
         .summary = "Table 2's Router: N routers in a ring tell their neighbors of each other; 2 N^2 messages",
         .parameters = {{"N", "routers", 3, 700, 10}},
         .variants = {{"", "violated if one of them hears of all others by the longer way first"},
                      {"--safe", "all tables are right, if no second message has a shorter way"}},
         .reads_formula = false,
         .has_seed = false,
         .make = router},
        {.name = "multi-m",
         .summary = "Table 2's MultiM: Figure 16 repeated M times; 4 M messages",
         .parameters = {{"M", "iterations", 1, million / 4, 25}},
         .variants = {{"", "violated by one match set: R0,1 always gets S2,1"},
                      {"--safe", "the last R0,4 gets no S2,1: Section 7's bogus pair"}},
         .reads_formula = false,
         .has_seed = false,
         .make = multi_m},
        {.name = "pktuse",
         .summary = "Table 2's Pktuse: each of some tasks sends messages to the others at random",
         .parameters = {{"MESSAGES", "messages, as many as there are tasks or more", 2, million, 512},
                        {"TASKS", "tasks", 2, 1000, 5}},
         .variants = {{"", "violated by one match set, of all that is received by all tasks"},
                      {"--safe sums", "what an endpoint gets has the sum of what is sent to it"},
                      {"--safe order", "values of one sender do not come out of order"}},
         .reads_formula = false,
         .has_seed = true,
         .make = pktuse},
        {.name = "vamp",
         .summary = "Figure 4's reduction from SAT: violated exactly if a formula in DIMACS format is satisfiable",
         .parameters = {},
         .variants = {{"", ""}},
         .reads_formula = true,
         .has_seed = false,
         .make = vamp},
        {.name = "permutation-sum",
         .summary = "One thread receives N messages from N threads and adds them up",
         .parameters = {{"N", "messages", 1, million}},
         .variants = {{"", "safe: the sum is that of what is sent"},
                      {"--violated", "violated by one permutation, the largest of the weighted sums"}},
         .reads_formula = false,
         .has_seed = false,
         .make = permutation_sum},
        {.name = "hall",
         .summary = "N receives that must get values from N - 1 sends",
         .parameters = {{"N", "receives", 1, million - 1}},
         .variants = {{"", "vacuous: there is no perfect matching"},
                      {"--safe", "there is one send more, so there is one"}},
         .reads_formula = false,
         .has_seed = true,
         .make = hall},
        {.name = "ring-dependencies",
         .summary = "N threads in a ring, each with a message for the next once it has one itself; 3 N messages",
         .parameters = {{"N", "threads in the ring", 2, million / 3}},
         .variants = {{"", "violated by one match set, with the longest chain of dependencies"},
                      {"--safe", "it would take a cycle through all of them"}},
         .reads_formula = false,
         .has_seed = true,
         .make = ring_dependencies},
        {.name = "dense-cycles",
         .summary = "N threads, each with a message for each other one once it has one itself; N^2 + N messages",
         .parameters = {{"N", "threads", 2, 999}},
         .variants = {{"", "violated by one tree of first messages"},
                      {"--safe", "it would take a cycle, through any of the threads"}},
         .reads_formula = false,
         .has_seed = true,
         .make = dense_cycles},
        {.name = "ping-pong",
         .summary = "Two threads and a number that goes N times to and fro; one match set, 2 N messages",
         .parameters = {{"N", "times", 1, million / 2}},
         .variants = {{"", "violated"}, {"--safe", "the number is the number of messages"}},
         .reads_formula = false,
         .has_seed = false,
         .make = ping_pong},
        {.name = "master-workers",
         .summary = "A master takes results of N workers from any of them, and asks who it was; 2 N ROUNDS messages",
         .parameters = {{"N", "workers", 2, 1000}, {"ROUNDS", "rounds", 1, 1000, 1}},
         .variants = {{"", "violated: the last worker can be the first to answer"},
                      {"--safe", "each worker answers once in a round"},
                      {"--deadlock", "the last receive of a round takes results of the last worker only"}},
         .reads_formula = false,
         .has_seed = false,
         .make = master_workers},
        {.name = "halo",
         .summary = "P x P processes exchange a number with their neighbors, STEPS times; 4 P (P - 1) STEPS messages",
         .parameters = {{"P", "processes in a row", 2, 500}, {"STEPS", "steps", 1, million, 10}},
         .variants = {{"", "safe: receives name their neighbor"},
                      {"--any", "violated: a neighbor can be a step ahead of another"}},
         .reads_formula = false,
         .has_seed = false,
         .make = halo},
        {.name = "monte-carlo",
         .summary = "N workers send results until the master stops them; N (BATCHES + 1) messages",
         .parameters = {{"N", "workers", 1, 1000}, {"BATCHES", "results of a worker", 1, 1000, 10}},
         .variants = {{"", "violated: the last result can be that of worker 1"},
                      {"--safe", "the sum of the results is right"}},
         .reads_formula = false,
         .has_seed = false,
         .make = monte_carlo},
        {.name = "banking",
         .summary = "K threads move money between K accounts (Farchi, Nir, Ur), N times each",
         .parameters = {{"K", "threads, and accounts", 2, 1000}, {"N", "transfers of a thread", 1, 1000, 1}},
         .variants = {{"", "violated: nobody takes the lock"},
                      {"--half", "violated: every other thread takes the lock"},
                      {"--safe", "all take the lock"}},
         .reads_formula = false,
         .has_seed = false,
         .make = banking},
        {.name = "counter",
         .summary = "N threads count up K times each, in one shared variable",
         .parameters = {{"N", "threads", 2, 1000}, {"K", "times", 1, 1000, 1}},
         .variants = {{"", "violated: an update can be lost"}, {"--safe", "each update is one step"}},
         .reads_formula = false,
         .has_seed = false,
         .make = counter},
        {.name = "philosophers",
         .summary = "N dining philosophers, who take two forks each",
         .parameters = {{"N", "philosophers", 2, 10000}},
         .variants = {{"", "all can hold one fork, and wait: a deadlock"},
                      {"--ordered", "forks are taken in the order of their numbers"}},
         .reads_formula = false,
         .has_seed = false,
         .make = philosophers},
        {.name = "lock-order",
         .summary = "N threads with K regions of two locks each",
         .parameters = {{"N", "threads", 2, 10000}, {"K", "regions of each thread", 1, 10000}},
         .variants = {{"", "one of them takes two locks in the other order: a deadlock"},
                      {"--ordered", "locks are taken in the order of their numbers"}},
         .reads_formula = false,
         .has_seed = false,
         .make = lock_order},
        {.name = "ticket-lock",
         .summary = "N threads take a ticket, wait until it is served, and count up",
         .parameters = {{"N", "threads", 2, 10000}},
         .variants = {{"", "violated: two can have the same ticket"}, {"--safe", "a ticket is taken in one step"}},
         .reads_formula = false,
         .has_seed = false,
         .make = ticket_lock},
        {.name = "interest",
         .summary = "N threads add interest to one balance, each at another rate",
         .parameters = {{"N", "threads", 2, 10000}},
         .variants = {{"", "violated: interest can be lost"}, {"--safe", "under a lock"}},
         .reads_formula = false,
         .has_seed = false,
         .make = interest},
        {.name = "bounded-buffer",
         .summary = "P producers and C consumers of P C items, with a buffer of N slots",
         .parameters = {{"P", "producers", 1, 1000}, {"C", "consumers", 1, 1000}, {"N", "slots", 1, million}},
         .variants = {{"", "violated if there are more items than slots: nobody waits for a free slot"},
                      {"--safe", "producers wait for a free slot"}},
         .reads_formula = false,
         .has_seed = false,
         .make = bounded_buffer},
        {.name = "recorded-buffer",
         .summary = "a recorded run of P producers of K items each and C consumers, with a ring buffer of N slots",
         .parameters = {{"P", "producers", 1, 1000},
                        {"C", "consumers", 1, 1000},
                        {"K", "items of each producer", 1, 100'000},
                        {"N", "slots", 1, million}},
         .variants = {{"", "violated if P, N > 1: slots are filled after the lock is given back"},
                      {"--safe", "slots are filled under the lock"}},
         .reads_formula = false,
         .has_seed = true,
         .make = recorded_buffer},
        {.name = "indexer",
         .summary = "K threads put M messages each into a hash table of S entries (Flanagan and Godefroid)",
         .parameters = {{"K", "threads; from 12 on there are collisions", 2, 1000},
                        {"M", "messages of each thread", 1, 10000, 4},
                        {"S", "entries of the table, K M or more", 2, 10000, 128}},
         .variants = {{"", "violated: nobody waits for the thread that another one looks up"},
                      {"--safe", "what a thread has put there stays there"}},
         .reads_formula = false,
         .has_seed = false,
         .make = indexer},
        {.name = "hybrid-ring",
         .summary = "N ranks of two threads each pass a token around, T times; N T messages",
         .parameters = {{"N", "ranks", 2, 10000}, {"T", "rounds", 1, 1000, 1}},
         .variants = {{"", "violated: a thread sends before the other one has received"},
                      {"--safe", "it waits for a flag"}},
         .reads_formula = false,
         .has_seed = false,
         .make = hybrid_ring},
        {.name = "random",
         .summary = "A random program: any of those that `validate` asks about, and others",
         .parameters = {{"I", "which one of the seed", 1, 1000 * million, 1},
                        {"MESSAGES", "at most so many messages", 1, 1000, 6},
                        {"THREADS", "at most so many threads", 1, 100, 4},
                        {"ENDPOINTS", "at most so many endpoints of a thread", 1, 10, 2}},
         .variants = {{"", ""}},
         .reads_formula = false,
         .has_seed = true,
         .make = random_family,
         .knobs = random_knobs()},
    };
    return families;
}

void add_promise(std::string& comment, std::string_view buffering, std::optional<Promise> const& promise) {
    if (promise) comment += fmt::format("check {}: {}\n", buffering, to_string(*promise));
}

} // namespace

std::string to_string(Promise const& promise) {
    std::string_view verdict;
    switch (promise.verdict) {
    case Promise::Verdict::violated: verdict = "violated"; break;
    case Promise::Verdict::safe: verdict = "safe"; break;
    case Promise::Verdict::vacuous: verdict = "vacuous"; break;
    }
    return fmt::format("{}{}", verdict, promise.deadlock ? ", deadlock" : "");
}

std::span<Family const> all() { return table(); }

Family const* find(std::string_view name) {
    for (Family const& f : table())
        if (f.name == name) return &f;
    return nullptr;
}

Expected<Made, std::string> make(Family const& family, Arguments const& arguments) {
    if (arguments.numbers.size() != family.parameters.size())
        return Unexpected{fmt::format("{} takes {} numbers", family.name, family.parameters.size())};
    for (std::size_t i = 0; i < family.parameters.size(); ++i) {
        Parameter const& p = family.parameters[i];
        if (arguments.numbers[i] < p.least || arguments.numbers[i] > p.most)
            return Unexpected{fmt::format("{}: {} is a number from {} to {}, not {}", family.name, p.name, p.least,
                                          p.most, arguments.numbers[i])};
    }
    if (std::none_of(family.variants.begin(), family.variants.end(),
                     [&](Variant const& v) { return v.option == arguments.variant; }))
        return Unexpected{fmt::format("{} has no variant `{}`", family.name, printable(arguments.variant))};

    for (auto const& [option, percent] : arguments.knobs) {
        if (std::none_of(family.knobs.begin(), family.knobs.end(),
                         [&option = option](Knob const& k) { return k.option == option; }))
            return Unexpected{fmt::format("{} has no knob `{}`", family.name, printable(option))};
        if (percent > 100)
            return Unexpected{fmt::format("{}: {} is a number from 0 to 100, not {}", family.name, option, percent)};
    }

    auto made = family.make(arguments);
    if (!made) return made;
    std::string& comment = made->draft.comment;
    comment += '\n';
    add_promise(comment, "infinite", made->infinite);
    add_promise(comment, "zero", made->zero);
    if (arguments.trace)
        comment += fmt::format("trace 1, infinite buffering: {}\n",
                               made->trace.empty() ? to_string(add_recorded_trace(made->draft)) : made->trace);
    comment += command_line(family, arguments);
    return made;
}

std::string command_line(Family const& family, Arguments const& arguments) {
    std::string line = fmt::format("matchpoint gen {}", family.name);
    if (family.reads_formula) line += " " + shell_word(arguments.file);
    for (std::uint64_t const n : arguments.numbers) line += fmt::format(" {}", n);
    if (!arguments.variant.empty()) line += " " + arguments.variant;
    for (Knob const& k : family.knobs)
        if (auto const given = arguments.knobs.find(k.option); given != arguments.knobs.end())
            line += fmt::format(" {} {}", k.option, given->second);
    if (family.has_seed) line += fmt::format(" --seed {}", arguments.seed);
    if (arguments.trace) line += " --trace";
    return line;
}

} // namespace matchpoint::programs::families
