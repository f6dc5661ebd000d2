// What a subject said of various programs, and what changed rules say of the same ones.
//
//   Observations observed(Runs::complete);
//   std::size_t const i = observed.add({c, Buffering::infinite, true});
//   observed.says(i, only(Change::no_channel_order), solver); // Says::sat, Says::unsat, ...
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "validate/case.hpp"
#include "validate/changes.hpp"
#include "validate/question.hpp"

namespace matchpoint::validate {

/// A subject's answer about a program, right or wrong.
struct Observation {
    std::shared_ptr<Case const> c;
    Buffering buffering;
    bool sat;
};

/// What changed rules say of a program.
enum class Says : std::uint8_t {
    unsat,      // no run fails
    sat,        // some run fails
    no_problem, // these changes do not go together on this program
    too_hard,   // the solver gives no answer
};

/// Whether some run of a program fails under the changed rules.
Says says(Case const& c, Buffering buffering, Changes const& changes, CachingSolver& solver,
          Question const& question = {});

/// The same, none if that is neither `sat` nor `unsat`.
std::optional<bool> predicted(Case const& c, Buffering buffering, Changes const& changes, CachingSolver& solver,
                              Question const& question = {});

class Observations {
public:
    explicit Observations(Question const& question) : question_(question) {}

    /// Its number. A program and buffering that is there already keeps its number and its answer.
    std::size_t add(Observation o);

    bool contains(Case const& c, Buffering buffering) const;
    std::size_t size() const { return all_.size(); }
    /// Whether some program has selectors, modes or barriers.
    bool has_mpi() const { return has_mpi_; }
    Observation const& operator[](std::size_t i) const { return all_[i].o; }

    Question const& question() const { return question_; }

    /// Asks the solver only if nothing that it said before tells: with more weaker changes, or fewer stronger ones, no
    /// problem becomes unsatisfiable. (What is said of shared variables is not told by that.)
    Says says(std::size_t i, Changes const& changes, CachingSolver& solver);

    /// Whether the solver ever gave no answer about it. Such an observation decides nothing.
    bool is_too_hard(std::size_t i) const { return all_[i].too_hard; }

    /// The number of those that are not too hard.
    std::size_t usable() const;

private:
    struct Entry {
        Observation o;
        bool has_all_pairs; // Figure 15 leaves no pair out
        bool too_hard = false;
        std::unordered_map<Changes, Says> known = {};
        std::vector<Changes> sat = {}, unsat = {}; // what the solver said
    };
    static std::optional<Says> implied(Entry const& entry, Changes const& changes);
    Question question_;
    bool has_mpi_ = false;
    std::vector<Entry> all_;
    std::unordered_map<std::string, std::size_t> numbers_;
};

} // namespace matchpoint::validate
