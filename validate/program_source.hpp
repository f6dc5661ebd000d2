// The programs of a campaign, in the order of their numbers: with `rules` one for each change of a rule
// (rule_programs.hpp), then small ones, random ones, and a corpus. With `mpi`, small programs that
// have selectors, modes or barriers follow the small ones, and random ones the random ones. With `shared`, all of them
// are programs with shared variables.
//
// A program's number depends only on the options that select programs, so N machines with a shard each cover what one
// machine without shards covers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "machine/state.hpp"
#include "programs/draft.hpp"
#include "programs/random.hpp"
#include "programs/small_mpi.hpp"
#include "programs/small_shared.hpp"
#include "validate/rule_programs.hpp"

namespace matchpoint::validate {

struct ProgramSelection {
    std::vector<Buffering> bufferings{Buffering::infinite, Buffering::zero};
    bool of_trace = false;       // each program has one trace
    unsigned level = 6;          // small programs (programs/small.hpp, small_shared.hpp); 0: none
    std::uint64_t random = 2000; // random programs
    std::uint64_t seed = 1;
    bool mpi = false;                // as many random ones with selectors, modes and barriers; and small ones
    bool shared = false;             // programs with shared variables, and no others
    bool hybrid = false;             // of these, the random ones may have messages, too
    bool rules = false;              // first one program for each change of a rule
    std::vector<std::string> corpus; // files
    std::uint64_t shard = 1, shards = 1;
};

/// The shape of random program i: shapes alternate, so that no option is always on.
RandomShape random_shape(ProgramSelection const& selection, std::uint64_t i);

/// Gives a program with shared variables a trace: a random execution on the recorded path, one that succeeds if
/// possible. A program that has none gets one that leaves the path.
void add_trace_on_path(draft::Draft& draft, Buffering buffering, std::uint64_t number);

class ProgramSource {
public:
    struct Item {
        std::uint64_t number; // in this shard, from 0
        std::string source;   // "rule", "small", "random", "corpus"
        std::string
            origin; // "rule program 3: orphans", "small program 17", "random program 4 of seed 1", a file's name
        std::variant<draft::Draft, std::string> program; // a file's text
    };

    /// Skips the first `skip` programs. The selection must outlive this.
    ProgramSource(ProgramSelection const& selection, std::uint64_t skip);

    /// The number of programs in this shard.
    std::uint64_t size() const { return in_shard_; }

    /// None if there are no more.
    std::optional<Item> next();

private:
    /// Small programs that have more than plain ones.
    struct Part {
        std::string_view with; // "a barrier"
        std::uint64_t first;   // the number of its first program, in all shards
        std::uint64_t end;
        SmallMpiPrograms programs;
    };

    void add_part(std::string_view with, unsigned level, SmallMpi kinds);
    Item rule_item(std::uint64_t number, std::uint64_t global) const;
    std::optional<Item> next_small(std::uint64_t number, std::uint64_t global);
    draft::Draft random_one(std::uint64_t i, bool mpi) const;
    void record_trace(draft::Draft& draft, std::uint64_t number) const;

    ProgramSelection const& selection_;
    std::uint64_t skip_;
    std::vector<RuleProgram> rules_;
    // The numbers just past these, in all shards:
    std::uint64_t plain_count_ = 0; // the plain small programs
    std::uint64_t small_count_ = 0; // those of parts_
    std::uint64_t random_count_ = 0;
    std::uint64_t in_shard_ = 0;
    std::uint64_t next_ = 0;
    std::optional<SmallPrograms> small_;
    std::vector<Part> parts_;
    std::optional<SmallSharedPrograms> small_shared_;
};

} // namespace matchpoint::validate
