// All small programs with remote memory access, the smallest first: what holds for them holds for every program of that
// size, and the first program that shows a fault is small. As programs/small.hpp, for this language.
//
//   SmallPrograms const programs(4);
//   for (std::uint64_t i = 0; i < programs.size(); ++i) check(programs[i]);
//
// There are two processes with two shared variables each, so many statements in all, and no property. Process 1 is made
// of
//
//   (put C 2 A)   (get A C 2)   (load a1 A)   (store A 5)   (flush 2)
//
// where A is either variable of its own, and C either variable of process 2, which is made of the same from its side.
// Every initial value, every stored value and every local variable that something is loaded into is another one:
// programs of these statements only carry values around, so nothing can be told apart with other values that cannot be
// with these.
//
// Programs that differ only in the names of variables or of processes count as one.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rma/language/program.hpp"

namespace matchpoint::rma {

class SmallPrograms {
public:
    static constexpr unsigned most_statements = 5;

    /// All programs of up to so many statements, at most most_statements. Those with fewer come first.
    ///
    ///   statements   0  1   2     3      4       5
    ///   programs     1  6  81  1219  19308  298755
    ///
    /// Throws std::invalid_argument if there are to be more.
    explicit SmallPrograms(unsigned statements);

    std::uint64_t size() const { return words_.size(); }
    Program operator[](std::uint64_t i) const;
    /// Its text, as the printer writes it.
    std::string text(std::uint64_t i) const;

private:
    using Words = std::pair<std::string, std::string>; // of process 1 and process 2: a letter is a statement
    std::vector<Words> words_;
};

} // namespace matchpoint::rma
