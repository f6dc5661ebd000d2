#include "validate/program_source.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "base/files.hpp"
#include "executions/sample.hpp"
#include "grammar/print.hpp"
#include "programs/random.hpp"
#include "validate/case.hpp"

namespace matchpoint::validate {

namespace {

/// The first small program of a shard, if so many programs come before the small ones.
std::uint64_t first_of_shard(ProgramSelection const& selection, std::uint64_t before) {
    std::uint64_t const n = selection.shards;
    return (selection.shard - 1 + n - before % n) % n;
}

} // namespace

ProgramSource::ProgramSource(ProgramSelection const& selection, std::uint64_t skip)
    : selection_(selection), skip_(skip) {
    // A trace of theirs shows their fault only by chance.
    if (selection.rules && !selection.of_trace) rules_ = rule_programs_of(selection.shared, selection.mpi);
    small_count_ = rules_.size();
    if (selection.level > 0 && selection.shared) {
        small_shared_.emplace(selection.level);
        small_count_ += small_shared_->size();
    } else if (selection.level > 0) {
        small_count_ += count_small_programs(small_bound(selection.level));
        small_.emplace(small_bound(selection.level), selection.shards, first_of_shard(selection, rules_.size()));
    }
    plain_count_ = small_count_;
    // Each further kind multiplies the programs, so the levels are lower (docs/validate.md).
    if (selection.mpi && selection.level > 1) {
        add_part("selectors", selection.level - 1, {.selectors = true});
        add_part("modes", selection.level - 1, {.modes = true});
        add_part("a barrier", selection.level - 1, {.barrier = true});
        add_part("selectors, modes or a barrier", selection.level - 2,
                 {.selectors = true, .modes = true, .barrier = true});
    }
    random_count_ = selection.random * (selection.mpi ? 2 : 1);
    std::uint64_t const all = small_count_ + random_count_ + selection.corpus.size();
    in_shard_ = all / selection.shards + (all % selection.shards >= selection.shard ? 1 : 0);
}

void ProgramSource::add_part(std::string_view with, unsigned level, SmallMpi kinds) {
    SmallBound const bound = small_bound(level);
    std::uint64_t const first = small_count_;
    small_count_ += count_small_mpi_programs(bound, kinds);
    parts_.push_back({with, first, small_count_,
                      SmallMpiPrograms(bound, kinds, selection_.shards, first_of_shard(selection_, first))});
}

ProgramSource::Item ProgramSource::rule_item(std::uint64_t number, std::uint64_t global) const {
    RuleProgram const& program = rules_.at(global);
    auto const c = make_case(std::string(program.text), false);
    return {number, "rule", fmt::format("rule program {}: {}", global, to_string(info(program.change).rule)),
            draft::draft_of(c->program)};
}

/// The enumeration generates all of them anyway.
std::optional<ProgramSource::Item> ProgramSource::next_small(std::uint64_t number, std::uint64_t global) {
    std::uint64_t const index = global - rules_.size();
    Item item{number, "small", fmt::format("small program {}", index), {}};
    std::optional<draft::Draft> draft;
    if (small_shared_) {
        if (number >= skip_) draft = (*small_shared_)[index];
    } else if (global < plain_count_) {
        draft = small_->next();
    } else {
        Part& part = *std::find_if(parts_.begin(), parts_.end(), [&](Part const& p) { return global < p.end; });
        item.origin = fmt::format("small program {} with {}", global - part.first, part.with);
        draft = part.programs.next();
    }
    if (!draft || number < skip_) return std::nullopt;
    if (selection_.of_trace) record_trace(*draft, index);
    item.program = std::move(*draft);
    return item;
}

std::optional<ProgramSource::Item> ProgramSource::next() {
    while (next_ < in_shard_) {
        std::uint64_t const number = next_++;
        std::uint64_t const global = number * selection_.shards + selection_.shard - 1;
        if (global < rules_.size()) {
            if (number >= skip_) return rule_item(number, global);
            continue;
        }
        if (global < small_count_) {
            if (auto item = next_small(number, global)) return item;
            continue;
        }
        if (number < skip_) continue;
        std::uint64_t const i = global - small_count_;
        if (i < random_count_) {
            bool const mpi = i >= selection_.random;
            std::uint64_t const n = mpi ? i - selection_.random : i;
            return Item{number, "random",
                        fmt::format("random program {} of seed {}{}", n, selection_.seed,
                                    mpi ? " with selectors, modes or barriers" : ""),
                        random_one(n, mpi)};
        }
        Item item{number, "corpus", selection_.corpus.at(i - random_count_), {}};
        item.program = read_file(item.origin).value_or({});
        return item;
    }
    return std::nullopt;
}

namespace {

/// How often a trace on the path is looked for.
constexpr std::uint64_t tries_for_a_trace = 12;

/// The proportion of accesses to shared variables goes round, and so does what the programs are about.
RandomShape random_shared_shape(bool hybrid, std::uint64_t i) {
    RandomShape shape;
    shape.shared = hybrid ? static_cast<unsigned>(10 + i % 10 * 10) : 100;
    shape.threads = static_cast<unsigned>(2 + i / 4 % 3);
    shape.messages = static_cast<unsigned>(2 + i % 4);
    shape.several_assertions = 50;
    if (i % 3 == 0) shape.divisions = 0;
    return shape;
}

} // namespace

RandomShape random_shape(ProgramSelection const& selection, std::uint64_t i) {
    if (selection.shared) return random_shared_shape(selection.hybrid, i);
    RandomShape shape;
    switch (i % 4) {
    case 0: break;
    case 1: shape.threads = 3, shape.messages = 3, shape.several_endpoints = 20; break;
    case 2: shape.messages = 9, shape.threads = 5; break;
    case 3: shape.dependencies = 90, shape.orphans = 60, shape.unwaited_receives = 50; break;
    }
    return shape;
}

draft::Draft ProgramSource::random_one(std::uint64_t i, bool mpi) const {
    RandomShape shape = random_shape(selection_, i);
    if (mpi) shape = with_mpi(shape);
    if (selection_.of_trace && selection_.shared) {
        draft::Draft draft = random_program(selection_.seed, i, shape).draft;
        add_trace_on_path(draft, selection_.bufferings[i / 4 % selection_.bufferings.size()], i);
        return draft;
    }
    if (selection_.of_trace) {
        shape.trace = true;
        shape.buffering = selection_.bufferings[i / 4 % selection_.bufferings.size()];
    }
    return random_program(selection_.seed, i, shape).draft;
}

void add_trace_on_path(draft::Draft& draft, Buffering buffering, std::uint64_t number) {
    draft::name_locations(draft);
    Program const program = draft::valid_program_of(draft);
    IndexedProgram const code(program);
    std::optional<draft::Trace> fails;
    for (std::uint64_t i = 0; i < tries_for_a_trace; ++i) {
        RandomTrace random = random_trace(code, buffering, i, number);
        if (random.end == End::fault || random.s >= Status::infeasible || random.trace.empty()) continue;
        if (random.s == Status::success) {
            draft.traces.clear();
            draft.traces.push_back(std::move(random.trace));
            return;
        }
        fails = std::move(random.trace);
    }
    draft.traces.assign(1, fails ? std::move(*fails) : random_trace(code, buffering, 0, number).trace);
}

/// Gives the program a trace: a random execution.
void ProgramSource::record_trace(draft::Draft& draft, std::uint64_t number) const {
    Buffering const buffering = selection_.bufferings[number % selection_.bufferings.size()];
    if (selection_.shared) return add_trace_on_path(draft, buffering, number);
    auto const c = make_case(draft, false);
    if (!c) return;
    std::mt19937_64 random(number);
    Sample const sample(c->messages, buffering, random);
    c->program.traces.push_back(sample.schedule().trace(c->code));
    draft = draft::draft_of(c->program);
}

} // namespace matchpoint::validate
