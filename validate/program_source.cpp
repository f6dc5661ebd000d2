#include "validate/program_source.hpp"

#include <fstream>
#include <iterator>
#include <random>

#include <fmt/format.h>

#include "executions/sample.hpp"
#include "grammar/print.hpp"
#include "programs/random.hpp"
#include "validate/case.hpp"

namespace matchpoint::validate {

ProgramSource::ProgramSource(ProgramSelection const& selection, std::uint64_t skip)
    : selection_(selection), skip_(skip) {
    if (selection.level > 0) {
        small_count_ = count_small_programs(small_bound(selection.level));
        small_.emplace(small_bound(selection.level), selection.shards, selection.shard - 1);
    }
    std::uint64_t const all = small_count_ + selection.random + selection.corpus.size();
    in_shard_ = all / selection.shards + (all % selection.shards >= selection.shard ? 1 : 0);
}

std::optional<ProgramSource::Item> ProgramSource::next() {
    while (next_ < in_shard_) {
        std::uint64_t const number = next_++;
        std::uint64_t const global = number * selection_.shards + selection_.shard - 1;
        Item item{number, "small", fmt::format("small program {}", global), {}};
        if (global < small_count_) {
            // The enumeration generates all of them anyway.
            auto draft = small_->next();
            if (!draft || number < skip_) continue;
            if (selection_.of_trace) record_trace(*draft, global);
            item.program = std::move(*draft);
        } else if (std::uint64_t const i = global - small_count_; i < selection_.random) {
            if (number < skip_) continue;
            item.source = "random";
            item.origin = fmt::format("random program {} of seed {}", i, selection_.seed);
            item.program = random_one(i);
        } else {
            if (number < skip_) continue;
            item.source = "corpus";
            item.origin = selection_.corpus.at(i - selection_.random);
            std::ifstream in(item.origin, std::ios::binary);
            item.program.emplace<std::string>(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        }
        return item;
    }
    return std::nullopt;
}

/// Alternates shapes, so that no option is always on.
draft::Draft ProgramSource::random_one(std::uint64_t i) const {
    RandomShape shape;
    switch (i % 4) {
    case 0: break;
    case 1: shape.threads = 3, shape.messages = 3, shape.several_endpoints = 20; break;
    case 2: shape.messages = 9, shape.threads = 5; break;
    case 3: shape.dependencies = 90, shape.orphans = 60, shape.unwaited_receives = 50; break;
    }
    if (selection_.of_trace) {
        shape.trace = true;
        shape.buffering = selection_.bufferings[i / 4 % selection_.bufferings.size()];
    }
    return random_program(selection_.seed, i, shape).draft;
}

/// Gives the program a trace: a random execution.
void ProgramSource::record_trace(draft::Draft& draft, std::uint64_t number) const {
    auto const c = make_case(draft, false);
    if (!c) return;
    std::mt19937_64 random(number);
    Sample const sample(c->messages, selection_.bufferings[number % selection_.bufferings.size()], random);
    c->program.traces.push_back(sample.schedule().trace(c->code));
    draft = draft::draft_of(c->program);
}

} // namespace matchpoint::validate
