// Families: programs whose size is a parameter. Those that the paper measures (Tables 1 and 2), its reduction from SAT
// (Figure 4, Lemma 1), some in which one thing is hard, and random ones. docs/families.md has them all; `matchpoint gen`
// writes them.
//
// All obey rules S1 to S5 and D1 to D6. Making one takes time and memory linear in its size, but for random ones,
// which are small.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/expected.hpp"
#include "programs/dimacs.hpp"
#include "programs/draft.hpp"

namespace matchpoint::programs::families {

/// What `check` says of a program under one buffering.
struct Promise {
    enum class Verdict : std::uint8_t { violated, safe, vacuous };
    Verdict verdict;
    bool deadlock = false;
    bool operator==(Promise const&) const = default;
};
/// "violated, deadlock"
std::string to_string(Promise const& promise);

/// What is asked for: which one of a family.
struct Arguments {
    std::vector<std::uint64_t> numbers = {}; // one for each of the family's parameters
    std::string variant = {};                // one of the family's
    std::map<std::string, std::uint64_t, std::less<>> knobs =
        {};                 // option -> percent; others are as they are by default
    std::uint64_t seed = 1; // of what is chosen at random
    Cnf formula = {};       // of a family that reads one
    std::string file = {};  // the name of the formula's file
    bool trace = false;     // with one trace
};

struct Made {
    draft::Draft draft;              // its comment says what it is
    std::optional<Promise> infinite; // none: not known beforehand
    std::optional<Promise> zero;
    std::string trace = {}; // how its trace ends, if it has one already
};

struct Parameter {
    std::string_view name;
    std::string_view meaning;
    std::uint64_t least;
    std::uint64_t most;
    std::optional<std::uint64_t> otherwise = {}; // if it is left out
};

/// A variant is chosen by an option, or by an option with a word: "", "--safe", "--safe sums". The first is what there is
/// without one.
struct Variant {
    std::string_view option;
    std::string_view meaning;
};

/// An option with a percentage: in how many of 100 programs there may be something.
struct Knob {
    std::string_view option;
    std::string_view meaning;
    std::uint64_t otherwise; // if it is left out
};

struct Family {
    std::string_view name;
    std::string_view summary;
    std::vector<Parameter> parameters;
    std::vector<Variant> variants;
    bool reads_formula; // in place of parameters
    bool has_seed;      // something is chosen at random
    /// Of arguments that are in range: the program, or why there is none; its comment says what it is, and no more.
    Expected<Made, std::string> (*make)(Arguments const& arguments);
    std::vector<Knob> knobs = {};
};

/// All families, as `matchpoint gen --list` lists them.
std::span<Family const> all();
/// Null: there is none of that name.
Family const* find(std::string_view name);

/// A program of a family, or what is wrong with the arguments. Throws LimitReached.
Expected<Made, std::string> make(Family const& family, Arguments const& arguments);

/// "matchpoint gen scaling 5 --safe --seed 1": the command that makes it.
std::string command_line(Family const& family, Arguments const& arguments);

} // namespace matchpoint::programs::families
