// The match sets of one path, in the order in which they are worth a run: those that go wrong; those that lead to
// another path; those in which most receives get a message that they got in no run before; and the rest.
//
//   MatchSets sets(prepared, options, describe);
//   while (auto const next = sets.peek(Worth::some)) sets.take(next->wanted.matches), run(next->wanted);
//
// It looks some match sets ahead (executions/explorer.hpp). If there are more, it asks the checker once for one that
// goes wrong.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executions/explorer.hpp"
#include "matching/prepared.hpp"
#include "record/run_file.hpp"

namespace matchpoint::record {

using Matches = std::vector<CallMatch>; // sorted

/// What a run of a match set can show. More is more urgent.
enum class Worth : std::uint8_t {
    some,        // all its matches were in runs before
    new_matches, // some receive gets a message that it got in no run before
    new_path,    // an assumption is false
    goes_wrong,  // it fails or gets stuck
};

class MatchSets {
public:
    struct Options {
        std::uint64_t steps = UINT64_MAX;     // of the machine, for one call of peek()
        std::size_t memory = SIZE_MAX;        // bytes, for what was found and for the search
        std::function<bool()> stop = nullptr; // polled; may be empty
    };
    /// What the machine says of an execution that ends in a state.
    using Describe = std::function<Wanted(Matches, State const&)>;
    struct Next {
        Wanted wanted;
        Worth worth;
        std::size_t new_matches; // receives that get a message that they got in no run before
        /// Whether it is more urgent than another one.
        bool is_before(Next const& other) const {
            return worth != other.worth ? worth > other.worth : new_matches > other.new_matches;
        }
    };

    MatchSets(Prepared const& prepared, Options options, Describe describe);
    ~MatchSets();

    /// The most urgent one, if it is worth that much. None also if a limit was reached, which trouble() says.
    std::optional<Next> peek(Worth least);
    /// A run is to take it, or nobody has to: peek() does not give it again.
    void take(Matches const& matches);
    /// A run has taken these matches, perhaps unasked.
    void was_run(Matches const& matches);

    /// Finds the others, until this `stop` says true. peek() no longer gives those.
    void count(std::function<bool()> const& stop);
    std::set<Matches> const& found() const { return found_; }
    bool all_found() const { return is_complete_; }
    /// Why the search was given up; empty if it was not.
    std::string const& trouble() const { return trouble_; }

private:
    struct Candidate {
        Wanted wanted;
        std::string kind; // of what goes wrong or of the way to another path; empty if nothing does
        Worth worth;      // if no run of its kind was wanted before
    };
    /// One that was not found before. None if there is no other, or if a limit was reached.
    std::optional<Candidate> find(std::uint64_t steps);
    /// The execution at whose end an explorer is. None if it was found before.
    std::optional<Candidate> candidate_of(Explorer const& explorer, End end);
    void look_ahead();
    void ask_checker();
    void keep(std::optional<Candidate> candidate);
    Worth worth_of(Candidate const& c, std::size_t new_matches) const;
    std::size_t new_matches(Matches const& matches) const;

    Prepared const& prepared_;
    Options options_;
    Describe describe_;
    std::unique_ptr<Explorer> explorer_; // null if the search is over
    bool is_complete_ = false;
    bool has_asked_checker_ = false;
    bool is_taken_ = true; // since it looked ahead
    bool is_counting_ = false;
    std::set<Matches> found_;
    std::size_t bytes_ = 0; // of found_, about
    std::vector<Candidate> ahead_;
    std::size_t matches_ahead_ = 0;
    std::set<std::string> kinds_; // that were wanted
    std::set<CallMatch> covered_;
    std::string trouble_;
};

} // namespace matchpoint::record
