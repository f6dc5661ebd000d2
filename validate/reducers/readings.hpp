// Which literal readings of Table 2 give the same answers as somebody's reduction (docs/rma.md, "Where the paper is not
// followed").
//
//   Readings readings(observations);
//   for (Reading const& r : readings.best(wrong)) std::cout << r.names() << r.verdicts << r.same;
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validate/reducers/outcome.hpp"

namespace matchpoint::validate::reducers {

/// A program that the reduction was asked about. All outcomes are complete.
struct Observation {
    rma::Program program;
    Outcome truth;
    Outcome theirs;
};

struct Reading {
    rma::Literal literal;
    std::vector<std::string> entries; // "R2", "R7"; empty if nothing is read literally
    std::size_t verdicts = 0;         // observations in which it is unsound where they are, and nowhere else
    std::size_t same = 0;             // observations in which it has the same outcome
    std::size_t of = 0;
};

/// "R2 and R7"; "nothing"
std::string names(Reading const& reading);

/// Whether it predicts nearly all verdicts.
bool is_explained(std::vector<Reading> const& readings);

class Readings {
public:
    /// The observations have to outlive it. `stop` says when time is up; null if it never is.
    explicit Readings(std::vector<Observation> const& observed, std::function<bool()> stop = nullptr)
        : observed_(observed), stop_(std::move(stop)) {}

    /// The best sets of up to three readings, best first: by their verdicts, then by what is the same, then by their
    /// size. `wrong` is an observation in which they have to be unsound. Without one, any set will do, even the empty
    /// one.
    std::vector<Reading> best(std::optional<std::size_t> wrong);

private:
    using Mask = unsigned;

    std::optional<Reading> judged(Mask mask, std::optional<std::size_t> wrong);
    bool is_hopeless(Reading const& reading, std::size_t asked) const;
    Outcome const& outcome(std::size_t observation, Mask mask);

    std::vector<Observation> const& observed_;
    std::function<bool()> stop_;
    std::map<std::pair<std::size_t, Mask>, Outcome> outcomes_;
    std::vector<Reading> found_;
};

} // namespace matchpoint::validate::reducers
