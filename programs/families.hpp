// Families: programs whose size is a parameter. There are the programs that the paper measures (Tables 1 and 2), its
// reduction from SAT (Figure 4, Lemma 1), programs with one difficulty each, and random ones. docs/families.md
// describes them; `matchpoint gen` writes them.
//
//   auto const made = families::make(*families::find("scaling"), {.numbers = {5}});
//   if (made) std::cout << draft::print(made->draft);
//
// All obey the static rules and D1 to D6. Generating one takes time and memory linear in its size, except for random
// ones, which are small.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "programs/dimacs.hpp"
#include "programs/draft.hpp"

namespace matchpoint::programs::families {

/// What `check --runs complete` says of a program under one buffering.
struct Promise {
    enum class Verdict : std::uint8_t { violated, safe, vacuous };
    Verdict verdict;
    bool deadlock = false;
    bool operator==(Promise const&) const = default;
};
/// "violated, deadlock"
std::string to_string(Promise const& promise);

/// Which program of a family.
struct Arguments {
    std::vector<std::uint64_t> numbers = {};                      // one for each parameter of the family
    std::string variant = {};                                     // one of the variants of the family
    std::map<std::string, std::uint64_t, std::less<>> knobs = {}; // option -> percent; the others keep their defaults
    std::uint64_t seed = 1;                                       // of the random choices
    Cnf formula = {};                                             // for a family that reads one
    std::string file = {};                                        // the name of the file with the formula
    bool trace = false;                                           // add a trace
};

struct Made {
    draft::Draft draft;              // with a comment that describes it
    std::optional<Promise> infinite; // none if not known in advance
    std::optional<Promise> zero;
    std::string trace = {}; // how its trace ends, if it has one
};

struct Parameter {
    std::string_view name;
    std::string_view meaning;
    std::uint64_t least;
    std::uint64_t most;
    std::optional<std::uint64_t> otherwise = {}; // its default
};

/// A variant is chosen by an option, or by an option with a word: "", "--safe", "--safe sums". The first one is the
/// default.
struct Variant {
    std::string_view option;
    std::string_view meaning;
};

/// An option with the percentage of programs that may have something.
struct Knob {
    std::string_view option;
    std::string_view meaning;
    std::uint64_t otherwise; // its default
};

struct Family {
    std::string_view name;
    std::string_view summary;
    std::vector<Parameter> parameters;
    std::vector<Variant> variants;
    bool reads_formula; // instead of parameters
    bool has_seed;      // it makes random choices
    /// Expects arguments in range. The program, or why there is none; its comment is only the description.
    Expected<Made, std::string> (*make)(Arguments const& arguments);
    std::vector<Knob> knobs = {};
};

/// All families, as `matchpoint gen --list` lists them.
std::span<Family const> all();
/// Null if there is no family of that name.
Family const* find(std::string_view name);

/// The program, or what is wrong with the arguments. Throws LimitReached.
Expected<Made, std::string> make(Family const& family, Arguments const& arguments);

/// The command that generates it: "matchpoint gen scaling 5 --safe --seed 1".
std::string command_line(Family const& family, Arguments const& arguments);

} // namespace matchpoint::programs::families
