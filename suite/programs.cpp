#include "suite/programs.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "programs/families.hpp"
#include "programs/random.hpp"
#include "programs/small.hpp"
#include "suite/expected.hpp"

namespace matchpoint::suite {

namespace {

using draft::Draft;
using Entries = draft::Trace;

// What there is of each kind.
constexpr unsigned all_up_to_level = 5;
constexpr std::uint64_t small_all = 567; // programs of that level
struct Sample {
    unsigned level;
    std::uint64_t every;
};
constexpr Sample samples[] = {{6, 16}, {7, 230}};
constexpr std::uint64_t per_shape = 25;     // random programs of each shape
constexpr std::size_t most_match_sets = 40; // of a random program: what is expected is to be read by people, too
constexpr std::uint64_t seed = 1;

/// Which of several things are broken in a trace must not depend on anything but the program's number.
class Choices {
public:
    explicit Choices(std::uint64_t number) : state_(number * 0x9E37'79B9'7F4A'7C15U + 1) {}
    std::size_t below(std::size_t n) {
        state_ ^= state_ >> 12U;
        state_ ^= state_ << 25U;
        state_ ^= state_ >> 27U;
        return static_cast<std::size_t>((state_ * 0x2545'F491'4F6C'DD1DU) >> 33U) % n;
    }

private:
    std::uint64_t state_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Traces that are broken, or at least others

/// An entry with movements, chosen; none if there is none.
draft::Entry* any_with_movements(Entries& trace, Choices& choose) {
    std::vector<draft::Entry*> found;
    for (draft::Entry& e : trace)
        if (!e.m.empty()) found.push_back(&e);
    return found.empty() ? nullptr : found[choose.below(found.size())];
}

bool without_a_movement(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e != nullptr) e->m.erase(e->m.begin() + static_cast<std::ptrdiff_t>(choose.below(e->m.size())));
    return e != nullptr;
}
bool a_movement_again(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e != nullptr) e->m.push_back(e->m.back());
    return e != nullptr;
}
bool from_the_wrong_source(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e != nullptr) e->m.back().alpha.text = e->m.back().beta.text;
    return e != nullptr;
}
bool a_movement_sooner(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e == nullptr || e == trace.data()) return false;
    (e - 1)->m.push_back(e->m.front());
    e->m.erase(e->m.begin());
    return true;
}
bool a_movement_later(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e == nullptr || e == &trace.back()) return false;
    (e + 1)->m.insert((e + 1)->m.begin(), e->m.back());
    e->m.pop_back();
    return true;
}
bool without_an_entry(Entries& trace, Choices& choose) {
    if (trace.empty()) return false;
    trace.erase(trace.begin() + static_cast<std::ptrdiff_t>(choose.below(trace.size())));
    return true;
}
bool neighbours_interchanged(Entries& trace, Choices& choose) {
    if (trace.size() < 2) return false;
    std::size_t const i = choose.below(trace.size() - 1);
    std::swap(trace[i], trace[i + 1]);
    return true;
}
bool cut_short(Entries& trace, Choices& choose) {
    if (trace.empty()) return false;
    trace.resize(choose.below(trace.size()));
    return true;
}
bool an_entry_again(Entries& trace, Choices& choose) {
    if (trace.empty()) return false;
    trace.push_back(trace[choose.below(trace.size())]);
    return true;
}
bool an_unknown_location(Entries& trace, Choices& choose) {
    if (trace.empty()) return false;
    trace[choose.below(trace.size())].rho = "nowhere";
    return true;
}

using Break = bool (*)(Entries&, Choices&);
constexpr Break breaks[] = {without_a_movement, neighbours_interchanged, a_movement_sooner, a_movement_later,
                            without_an_entry,   a_movement_again,        cut_short,         from_the_wrong_source,
                            an_entry_again,     an_unknown_location};

/// Walks until they have ended in several ways; then some of them broken.
void add_traces(Draft& draft, std::uint64_t number) {
    constexpr std::uint64_t walks[] = {40, 8}; // infinite, zero
    constexpr std::size_t most[] = {3, 2};     // ways to end
    constexpr std::size_t broken = 2;
    draft::name_locations(draft);
    Program const program = draft::valid_program_of(draft);
    IndexedProgram const code(program);
    auto const add = [&](Entries trace) {
        bool const is_new = std::find(draft.traces.begin(), draft.traces.end(), trace) == draft.traces.end();
        if (is_new) draft.traces.push_back(std::move(trace));
    };
    for (Buffering const b : {Buffering::infinite, Buffering::zero}) {
        auto const i = static_cast<std::size_t>(b);
        std::set<std::pair<End, Status>> seen;
        for (std::uint64_t walk = 0; walk < walks[i] && seen.size() < most[i]; ++walk) {
            RandomTrace made = random_trace(code, b, number, 2 * walk + i);
            if (seen.insert({made.end, made.s}).second) add(std::move(made.trace));
        }
    }
    Choices choose(number);
    std::size_t const good = draft.traces.size();
    for (std::size_t n = 0; n < broken; ++n) {
        // What cannot be broken in one way may be in the next.
        std::size_t const first = choose.below(std::size(breaks));
        for (std::size_t kind = 0; kind < std::size(breaks); ++kind) {
            Entries trace = draft.traces[choose.below(good)];
            if (!breaks[(first + kind) % std::size(breaks)](trace, choose)) continue;
            add(std::move(trace));
            break;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Programs

void add_small(std::vector<SuiteProgram>& to, std::uint64_t number, Draft draft) {
    add_traces(draft, number);
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

void hand_written(std::vector<SuiteProgram>& to) {
    for (EmbeddedFile const& file : embedded_programs()) {
        // "suite/programs/x.ctp" was written for the suite, and "traces/x.ctp" for everybody.
        std::string id(file.name.substr(0, file.name.rfind('.')));
        if (id.starts_with("suite/programs/")) id = "written" + id.substr(std::string_view("suite/programs").size());
        std::replace(id.begin(), id.end(), '/', '-');
        to.push_back({std::move(id), std::string(file.name), std::string(file.text)});
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

void families_at_small_sizes(std::vector<SuiteProgram>& to) {
    struct Size {
        std::string_view family;
        std::vector<std::uint64_t> numbers;
    };
    Size const sizes[] = {{"scaling", {2}},
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
                          {"ping-pong", {5}}};
    std::uint64_t number = 1'000'000'000; // of the traces
    auto const add = [&](std::string id, families::Made made, std::string origin) {
        add_traces(made.draft, number++);
        made.draft.comment.clear(); // it speaks of this program, and of what it says
        to.push_back({std::move(id), std::move(origin), draft::print(made.draft)});
    };
    for (Size const& size : sizes) {
        families::Family const& family = *families::find(size.family);
        for (families::Variant const& variant : family.variants) {
            families::Arguments arguments{.numbers = size.numbers, .variant = std::string(variant.option)};
            std::string id = fmt::format("family-{}", size.family);
            for (std::uint64_t const n : size.numbers) id += fmt::format("-{}", n);
            for (char const c : variant.option.substr(std::min<std::size_t>(1, variant.option.size())))
                id += c == ' ' ? '-' : c;
            add(std::move(id), families::make(family, arguments).value(), families::command_line(family, arguments));
        }
    }
    families::Family const& vamp = *families::find("vamp");
    std::pair<std::string_view, Cnf> const formulas[] = {
        {"satisfiable", formula(2, {{1, 2}, {-1, -2}})},
        {"unsatisfiable", formula(1, {{1}, {-1}})},
    };
    for (auto const& [name, cnf] : formulas)
        add(fmt::format("family-vamp-{}", name), families::make(vamp, {.formula = cnf, .file = "formula.cnf"}).value(),
            fmt::format("matchpoint gen vamp, of a formula that is {}", name));
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
    for (Buffering const b : {Buffering::infinite, Buffering::zero})
        if (auto const e = executions(code, b, most_match_sets); !e) return false;
    return true;
}

void random(std::vector<SuiteProgram>& to) {
    std::uint64_t shape_number = 0;
    for (RandomShape const& shape : shapes()) {
        std::uint64_t const first = 1000 * ++shape_number;
        std::uint64_t made = 0;
        for (std::uint64_t i = first; made < per_shape; ++i) {
            RandomProgram program = random_program(seed, i, shape);
            if (!is_for_people(program.draft)) continue;
            add_traces(program.draft, i);
            to.push_back({fmt::format("random-{}", i), fmt::format("random program {} of seed {}", i, seed),
                          draft::print(program.draft)});
            ++made;
        }
    }
}

} // namespace

std::vector<SuiteProgram> programs() {
    std::vector<SuiteProgram> result;
    small(result);
    hand_written(result);
    families_at_small_sizes(result);
    random(result);
    return result;
}

} // namespace matchpoint::suite
