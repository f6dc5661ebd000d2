// All small programs over two shared variables, the smallest first: what holds for them holds for every program of that
// size, and the first program that shows a fault is small. As small.hpp, for threads that share variables instead of
// exchanging messages.
//
//   SmallSharedPrograms programs(4);
//   for (std::uint64_t i = 0; i < programs.size(); ++i) check(draft::print(programs[i]));
//
// A program has two shared variables, both 0 at first, and up to four threads, none of them empty. A thread is a
// sequence of
//
//   (x := 1)   (x := (+ x 1))   (when (= x 0) (x := 1))   (assert (= x 0))   (assert false)
//   (x := y)   (x := (div 1 x))   (assume (= x 1))   (assume (= y 1) (x := 1))   (assert (= x 1))   (assume false)
//
// where x stands for either variable, and y for the other one. Its size is the number of commands plus the number of
// odd things. These are: a command of the second line, a variable that only one thread accesses, a variable that none
// writes, and that there is no assertion.
//
// Programs that differ only in the names of variables or in the order of threads count as one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/draft.hpp"

namespace matchpoint::programs {

class SmallSharedPrograms {
public:
    static constexpr unsigned highest_level = 6;

    /// All programs of a size up to the level, at most highest_level. The programs of a level begin with those of the
    /// level below, with the same numbers. All are generated at once; each takes 32 bytes.
    ///
    ///   level      1   2    3     4      5       6
    ///   programs   1   6  127  1865  34438  660875
    ///
    /// Throws std::invalid_argument if the level is higher.
    explicit SmallSharedPrograms(unsigned level);

    std::uint64_t size() const { return programs_.size(); }
    /// Program i, with canonical names (names.hpp).
    draft::Draft operator[](std::uint64_t i) const;

private:
    class Enumeration;
    std::vector<std::string> programs_; // letters, with an end of word after each thread
};

} // namespace matchpoint::programs
