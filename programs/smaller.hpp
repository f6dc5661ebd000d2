// Shrinking: the smallest program that still shows what was found.
//
//   Shrunk const s = draft::shrink(draft, [](draft::Draft const& d) { return fails(draft::print(d)); }, 1000);
//   std::cout << draft::print(s.draft);
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "programs/draft.hpp"
#include "programs/size.hpp"

namespace matchpoint::programs::draft {

/// Whether the program obeys the static rules and D1 to D6.
bool obeys_the_rules(Draft const& draft);

/// The candidates: the programs that are a little smaller than a draft (size.hpp), or have canonical names. They need
/// not obey the rules. The biggest cuts come first: all traces or one of them; a thread, with the messages to it; a
/// stretch of a thread; a message, that is, a send and a receive with their waits, or all of it but an assignment; a
/// send, a receive, another command; an assignment in place of a receive; a movement; a barrier, in all its threads; a
/// selector, a tag of a send or a movement, a mode; with shared variables, two threads as one; parts of guarded
/// assignments; declarations of shared variables that no command names; simpler expressions; fewer endpoints; fewer
/// variables; smaller numbers.
///
/// A cut mends what it would break. The wait for a removed receive becomes a wait for the other receives that it
/// completed. A variable that is no longer defined becomes a value. Entries of a trace go with their commands, and
/// movements with their sends.
class Smaller {
public:
    /// A place in the sequence of candidates: the kind of cut, and its number among those.
    struct Place {
        std::uint32_t kind = 0;
        std::uint32_t index = 0;
        auto operator<=>(Place const&) const = default;
    };

    /// The candidates from a place on. After a candidate was taken, its place is where to go on with its own
    /// candidates.
    explicit Smaller(Draft draft, Place from = {0, 0});
    Smaller(Smaller&&) noexcept;
    Smaller& operator=(Smaller&&) noexcept;
    ~Smaller();

    std::optional<Draft> next();
    /// The place of the candidate that next() returned last.
    Place place() const;

private:
    class Cuts;
    std::unique_ptr<Cuts> cuts_;
};

/// All candidates.
std::vector<Draft> smaller(Draft const& draft);

struct Shrunk {
    Draft draft;
    std::size_t calls = 0; // of still_interesting
    std::size_t steps = 0; // candidates taken
    bool finished = false; // no candidate is interesting; false: the budget was used up
};

/// Takes the first candidate that obeys the rules and is interesting, and repeats this until there is none or
/// still_interesting was called `budget` times. It does not ask about the start, nor twice about the same text.
Shrunk shrink(Draft start, std::function<bool(Draft const&)> const& still_interesting, std::size_t budget);

} // namespace matchpoint::programs::draft
