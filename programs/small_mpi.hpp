// All small programs with something that only MPI has (docs/semantics.md, "Selectors, modes, barriers").
//
//   SmallMpiPrograms programs(small_bound(5), {.selectors = true});
//   while (auto const draft = programs.next()) check(draft::print(*draft));
//
// Each is a program of SmallPrograms (small.hpp), in which
//
//   selectors  sends have (tag 1), or no tag; receives have (from alpha), for an endpoint alpha that sends there, or
//              (tag 0), or (tag 1), or no selector;
//   modes      sends are sndi, ssndi or bsndi;
//   barrier    two threads or more have a barrier, the same one, once, in any place,
//
// in all ways, and at least one of it: a receive selects, a send has another mode, or there is the barrier. A send has
// a tag only if some receive at its destination asks for tags. They obey D1 to D6. Of programs that differ in the order
// of equal threads, all are there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "programs/small.hpp"

namespace matchpoint::programs {

struct SmallMpi {
    bool selectors = false;
    bool modes = false;
    bool barrier = false;
};

class SmallMpiPrograms {
public:
    /// The programs with number offset, offset + every, offset + 2 * every ... The others are only counted, all those
    /// of one plain program at once. Throws as SmallPrograms does.
    SmallMpiPrograms(SmallBound const& bound, SmallMpi kinds, std::uint64_t every = 1, std::uint64_t offset = 0);

    /// The next program, those with the fewest commands first; none at the end.
    std::optional<draft::Draft> next();
    /// The number of the program that next() returned last, from 0.
    std::uint64_t number() const { return number_; }

private:
    /// Something that can be one way or another.
    struct Choice {
        enum class Kind : std::uint8_t { tag, mode, selector, place };
        Kind kind;
        std::uint32_t thread;
        std::uint32_t command; // of a place: unused
        std::uint32_t options;
        draft::Endpoint beta = {};                 // of a tag and of a selector
        std::vector<draft::Endpoint> sources = {}; // of a selector
        std::uint32_t option = 0;

        bool asks_for_tags() const { return kind == Kind::selector && option > sources.size(); }
    };

    friend std::uint64_t count_small_mpi_programs(SmallBound const& bound, SmallMpi kinds);

    bool next_plain();
    bool next_options();
    draft::Draft made() const;
    bool is_mpi() const;
    bool has_idle_tag() const;
    bool obeys_the_rules() const;
    void find_choices();
    void choose_at(std::uint32_t thread, std::uint32_t command);
    void find_selections();
    std::size_t selection() const;
    std::uint64_t count_of_plain();

    SmallPrograms plain_;
    SmallMpi kinds_;
    std::uint64_t every_;
    std::uint64_t next_number_;
    std::uint64_t number_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t end_ = 0; // the number of programs up to the present plain one, with all that are made of it
    draft::Draft draft_;    // the plain one
    std::vector<Choice> choices_;
    std::vector<bool> selections_; // ways for all receives to select: whether D3 and D5 hold
};

std::uint64_t count_small_mpi_programs(SmallBound const& bound, SmallMpi kinds);

} // namespace matchpoint::programs
