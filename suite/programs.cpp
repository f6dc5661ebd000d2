#include "suite/programs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "programs/families.hpp"
#include "programs/random.hpp"
#include "programs/small_mpi.hpp"
#include "suite/expected.hpp"
#include "suite/traces.hpp"

namespace matchpoint::suite {

namespace {

using draft::Draft;

// What there is of each kind.
constexpr unsigned all_up_to_level = 5;
constexpr std::uint64_t small_all = 567; // programs of that level
struct Sample {
    unsigned level;
    std::uint64_t every;
};
constexpr Sample samples[] = {{6, 16}, {7, 230}};
constexpr std::uint64_t per_shape = 25;     // random programs of each shape
constexpr std::uint64_t mpi_per_shape = 15; // in the second part
constexpr std::uint64_t shared_per_shape = 12;
constexpr std::size_t most_match_sets = 40; // of a random program: what is expected is to be read by people, too
constexpr std::uint64_t seed = 1;

void add_small(std::vector<SuiteProgram>& to, std::uint64_t number, Draft draft) {
    add_traces(draft, number, Breaks::general);
    to.push_back({fmt::format("small-{:06}", number), fmt::format("small program {}", number), draft::print(draft)});
}

void small(std::vector<SuiteProgram>& to) {
    SmallPrograms all(small_bound(all_up_to_level));
    while (auto draft = all.next()) add_small(to, all.number(), std::move(*draft));
    for (auto const& [level, every] : samples) {
        // Those of the level before are there, or are sampled more closely.
        std::uint64_t const before =
            level == all_up_to_level + 1 ? small_all : count_small_programs(small_bound(level - 1));
        SmallPrograms some(small_bound(level), every, every / 2);
        while (auto draft = some.next())
            if (some.number() >= before) add_small(to, some.number(), std::move(*draft));
    }
}

/// Those of the second part: of each kind all up to a level, and every so-manieth of larger ones.
void small_of_mpi(std::vector<SuiteProgram>& to) {
    struct Kind {
        std::string_view name;
        SmallMpi kinds;
        std::vector<Sample> samples; // levels in their order
    };
    Kind const all_kinds[] = {
        {"selectors", {.selectors = true}, {{4, 1}, {5, 40}, {6, 400}}},
        {"modes", {.modes = true}, {{3, 1}, {4, 3}, {5, 40}, {6, 500}}},
        {"barrier", {.barrier = true}, {{3, 1}, {4, 6}, {5, 60}, {6, 1'000}}},
        {"all", {.selectors = true, .modes = true, .barrier = true}, {{3, 4}, {4, 100}, {5, 5'000}, {6, 100'000}}},
    };
    for (Kind const& kind : all_kinds) {
        std::uint64_t before = 0;
        for (auto const& [level, every] : kind.samples) {
            SmallMpiPrograms some(small_bound(level), kind.kinds, every, every / 2);
            while (auto draft = some.next()) {
                if (some.number() < before) continue;
                add_traces(*draft, some.number(), Breaks::of_mpi);
                to.push_back({fmt::format("small-mpi-{}-{:06}", kind.name, some.number()),
                              fmt::format("small program {} with {}", some.number(),
                                          kind.name == "all" ? "selectors, modes or a barrier" : kind.name),
                              draft::print(*draft), 2});
            }
            before = count_small_mpi_programs(small_bound(level), kind.kinds);
        }
    }
}

void hand_written(std::vector<SuiteProgram>& to, std::vector<EmbeddedFile> const& files, unsigned part) {
    for (EmbeddedFile const& file : files) {
        // "suite/programs/x.ctp" was written for the suite, and "traces/x.ctp" for everybody.
        std::string id(file.name.substr(0, file.name.rfind('.')));
        if (id.starts_with("suite/programs/")) id = "written" + id.substr(std::string_view("suite/programs").size());
        std::replace(id.begin(), id.end(), '/', '-');
        to.push_back({std::move(id), std::string(file.name), std::string(file.text), part});
    }
}

Cnf formula(std::uint32_t variables, std::vector<std::vector<std::int32_t>> const& clauses) {
    Cnf cnf;
    cnf.variables = variables;
    for (auto const& clause : clauses) {
        cnf.literals.insert(cnf.literals.end(), clause.begin(), clause.end());
        cnf.clause_ends.push_back(cnf.literals.size());
    }
    return cnf;
}

bool is_plain(Draft const& draft) {
    Program const program = draft::valid_program_of(draft);
    return IndexedProgram(program).is_plain();
}

constexpr Breaks breaks_in_part[] = {Breaks::general, Breaks::of_mpi, Breaks::of_shared_memory};

struct Size {
    std::string_view family;
    std::vector<std::uint64_t> numbers;
};

void add_family(std::vector<SuiteProgram>& to, std::string id, families::Made made, std::string origin, unsigned part) {
    constexpr std::uint64_t first = 1'000'000'000; // of the traces
    std::uint64_t const number =
        first + static_cast<std::uint64_t>(std::count_if(to.begin(), to.end(), [&](SuiteProgram const& p) {
            return p.part == part && p.id.starts_with("family-");
        }));
    add_traces(made.draft, number, breaks_in_part[part - 1]);
    made.draft.comment.clear(); // it speaks of this program, and of what it says
    to.push_back({std::move(id), std::move(origin), draft::print(made.draft), part});
}

void families_at_sizes(std::vector<SuiteProgram>& to, std::vector<Size> const& sizes, unsigned part) {
    for (Size const& size : sizes) {
        families::Family const& family = *families::find(size.family);
        for (families::Variant const& variant : family.variants) {
            families::Arguments arguments{.numbers = size.numbers, .variant = std::string(variant.option)};
            std::string id = fmt::format("family-{}", size.family);
            for (std::uint64_t const n : size.numbers) id += fmt::format("-{}", n);
            for (char const c : variant.option.substr(std::min<std::size_t>(1, variant.option.size())))
                id += c == ' ' ? '-' : c;
            std::string origin = families::command_line(family, arguments);
            for (std::size_t i = arguments.numbers.size(); i < family.parameters.size(); ++i)
                arguments.numbers.push_back(family.parameters[i].otherwise.value());
            families::Made made = families::make(family, arguments).value();
            if (part == 2 && is_plain(made.draft)) continue;
            add_family(to, std::move(id), std::move(made), std::move(origin), part);
        }
    }
}

void families_at_small_sizes(std::vector<SuiteProgram>& to) {
    families_at_sizes(to,
                      {{"scaling", {2}},
                       {"scaling", {3}},
                       {"leader-election", {11}},
                       {"multi-m", {1}},
                       {"multi-m", {2}},
                       {"pktuse", {4, 2}},
                       {"pktuse", {5, 3}},
                       {"permutation-sum", {3}},
                       {"permutation-sum", {4}},
                       {"hall", {2}},
                       {"hall", {3}},
                       {"ring-dependencies", {2}},
                       {"dense-cycles", {2}},
                       {"ping-pong", {2}},
                       {"ping-pong", {5}}},
                      1);
    families::Family const& vamp = *families::find("vamp");
    std::pair<std::string_view, Cnf> const formulas[] = {
        {"satisfiable", formula(2, {{1, 2}, {-1, -2}})},
        {"unsatisfiable", formula(1, {{1}, {-1}})},
    };
    for (auto const& [name, cnf] : formulas)
        add_family(to, fmt::format("family-vamp-{}", name),
                   families::make(vamp, {.formula = cnf, .file = "formula.cnf"}).value(),
                   fmt::format("matchpoint gen vamp, of a formula that is {}", name), 1);
}

void families_of_mpi(std::vector<SuiteProgram>& to) {
    families_at_sizes(to,
                      {{"master-workers", {2, 1}},
                       {"master-workers", {3, 1}},
                       {"halo", {2, 1}},
                       {"monte-carlo", {2, 1}},
                       {"monte-carlo", {2, 2}}},
                      2);
}

void families_of_shared_memory(std::vector<SuiteProgram>& to) {
    families_at_sizes(to,
                      {{"counter", {2, 1}},
                       {"banking", {2, 1}},
                       {"philosophers", {2}},
                       {"philosophers", {3}},
                       {"ticket-lock", {2}},
                       {"bounded-buffer", {1, 1, 1}},
                       {"bounded-buffer", {2, 1, 1}},
                       {"indexer", {2}},
                       {"indexer", {3}},
                       {"hybrid-ring", {2, 1}},
                       {"hybrid-ring", {3, 1}}},
                      3);
}

/// Different things come together.
std::vector<RandomShape> shapes() {
    RandomShape const plain{.messages = 4};
    RandomShape several = plain;
    several.several_endpoints = 100, several.threads = 3;
    RandomShape waits = plain;
    waits.waits_out_of_order = 100, waits.unwaited_receives = 70, waits.reuse = 80, waits.assignments = 100,
    waits.dependencies = 20, waits.threads = 3;
    RandomShape stuck = plain;
    stuck.crossed = 100, stuck.lone_receives = 20, stuck.dependencies = 100;
    RandomShape orphans = plain;
    orphans.orphans = 100, orphans.unwaited_sends = 80;
    RandomShape numbers = plain;
    numbers.divisions = 100, numbers.arithmetic = 100, numbers.assignments = 100, numbers.large_numbers = 50;
    RandomShape booleans = plain;
    booleans.booleans = 100, booleans.assumptions = 80, booleans.several_assertions = 80;
    RandomShape large;
    large.threads = 5, large.messages = 7;
    return {plain, several, waits, stuck, orphans, numbers, booleans, large};
}

bool is_for_people(Draft const& draft) {
    Program const program = draft::valid_program_of(draft);
    IndexedProgram const code(program);
    auto const has_few = [&](Buffering b) {
        return code.shares() ? shared_executions(code, b, most_match_sets).has_value()
                             : executions(code, b, most_match_sets).has_value();
    };
    return has_few(Buffering::infinite) && has_few(Buffering::zero);
}

void random(std::vector<SuiteProgram>& to) {
    std::uint64_t shape_number = 0;
    for (RandomShape const& shape : shapes()) {
        std::uint64_t const first = 1000 * ++shape_number;
        std::uint64_t made = 0;
        for (std::uint64_t i = first; made < per_shape; ++i) {
            RandomProgram program = random_program(seed, i, shape);
            if (!is_for_people(program.draft)) continue;
            add_traces(program.draft, i, Breaks::general);
            to.push_back({fmt::format("random-{}", i), fmt::format("random program {} of seed {}", i, seed),
                          draft::print(program.draft)});
            ++made;
        }
    }
}

void random_of_mpi(std::vector<SuiteProgram>& to) {
    std::uint64_t shape_number = 0;
    for (RandomShape const& shape : shapes()) {
        std::uint64_t const first = 1000 * ++shape_number;
        std::uint64_t made = 0;
        for (std::uint64_t i = first; made < mpi_per_shape; ++i) {
            RandomProgram program = random_program(seed, i, with_mpi(shape));
            if (is_plain(program.draft) || !is_for_people(program.draft)) continue;
            add_traces(program.draft, i, Breaks::of_mpi);
            to.push_back({fmt::format("random-mpi-{}", i),
                          fmt::format("random program {} of seed {} with selectors, modes or barriers", i, seed),
                          draft::print(program.draft), 2});
            ++made;
        }
    }
}

/// Those above, with messages and shared variables; and two with shared variables only.
std::vector<RandomShape> shapes_of_shared_memory() {
    std::vector<RandomShape> result = shapes();
    for (RandomShape& shape : result) shape.shared = 60;
    for (std::size_t const i : {std::size_t{0}, result.size() - 1}) {
        result.push_back(result[i]);
        result.back().shared = 100;
    }
    return result;
}

bool shares(Draft const& draft) {
    Program const program = draft::valid_program_of(draft);
    return IndexedProgram(program).shares();
}

void random_of_shared_memory(std::vector<SuiteProgram>& to) {
    std::uint64_t shape_number = 0;
    for (RandomShape const& shape : shapes_of_shared_memory()) {
        std::uint64_t const first = 1000 * ++shape_number;
        std::uint64_t made = 0;
        for (std::uint64_t i = first; made < shared_per_shape; ++i) {
            RandomProgram program = random_program(seed, i, shape);
            if (!shares(program.draft) || !is_for_people(program.draft)) continue;
            add_traces(program.draft, i, Breaks::of_shared_memory);
            to.push_back({fmt::format("random-shared-{}", i),
                          fmt::format("random program {} of seed {} with shared variables", i, seed),
                          draft::print(program.draft), 3});
            ++made;
        }
    }
}

} // namespace

std::vector<SuiteProgram> programs() {
    std::vector<SuiteProgram> result;
    small(result);
    hand_written(result, embedded_programs(), 1);
    families_at_small_sizes(result);
    random(result);
    small_of_mpi(result);
    hand_written(result, embedded_programs_of_mpi(), 2);
    families_of_mpi(result);
    random_of_mpi(result);
    hand_written(result, embedded_programs_of_shared_memory(), 3);
    families_of_shared_memory(result);
    random_of_shared_memory(result);
    return result;
}

} // namespace matchpoint::suite
