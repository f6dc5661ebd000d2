// Programs made smaller, to find the smallest that still shows what was found; and what two programs have in common when
// they differ in names only.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "programs/draft.hpp"

namespace matchpoint::programs::draft {

/// x, y, z, u, v, w, x1, x2, ...
std::string small_variable(std::size_t i);

/// Names in the order in which they come: actions R0, R1, ... and S0, S1, ..., endpoints 0, 1, ..., variables as above.
/// Locations are those of name_locations(), left out where there is no trace. Traces are renamed too. The meaning is the
/// same, but for variables or actions that break rules S2, S3 or D2 anyway.
void canonical_names(Draft& draft);

/// A text of the program, without comments, locations and traces, that is the same up to names, and mostly up to the
/// order of threads. Equal shapes: the programs are the same, but for names and the order of threads. The other way round
/// it holds unless the program has threads that cannot be told apart by their commands and by whom they exchange
/// messages with, and that could be ordered in more than 720 ways.
std::string shape(Draft const& draft);

/// How large a program is: what counts first comes first. Each candidate of Smaller has less than what it was made of.
struct Size {
    std::size_t commands = 0;
    std::size_t threads = 0;
    std::size_t traces = 0;
    std::size_t movements = 0;
    std::size_t terms = 0; // operators, values and, twice, variables in expressions
    std::size_t endpoints = 0;
    std::size_t variables = 0;
    std::size_t digits = 0;  // of the numbers in expressions
    std::uint64_t value = 0; // their sum, roughly
    bool renamed = false;    // the names are others than canonical_names() gives

    auto operator<=>(Size const&) const = default;
};
Size size(Draft const& draft);

/// Whether the program obeys rules S1 to S5 and D1 to D6.
bool obeys_the_rules(Draft const& draft);

/// The programs that are a little smaller than one, the biggest cuts first; they need not obey the rules. Without its
/// traces or one of them; a thread, and what is sent to it; a stretch of a thread; a message, its send and its receive
/// with their waits; a send, a receive, a wait, another command; with an assignment instead of a message or a receive;
/// with fewer endpoints; with simpler expressions; with fewer variables; with smaller numbers; with canonical names.
///
/// What a cut would leave behind is mended: a wait for a receive that goes stays as one for the receives that it
/// completed besides; a variable that is no longer defined becomes a value; entries of a trace go with their commands,
/// and movements with their sends.
class Smaller {
public:
    /// Where in the sequence of candidates: what kind of cut, and which one.
    struct Place {
        std::uint32_t kind = 0;
        std::uint32_t index = 0;
        auto operator<=>(Place const&) const = default;
    };

    /// Candidates from a place on. That of the candidate that was taken goes on with the next one of its kind.
    explicit Smaller(Draft draft, Place from = {0, 0});
    Smaller(Smaller&&) noexcept;
    Smaller& operator=(Smaller&&) noexcept;
    ~Smaller();

    std::optional<Draft> next();
    /// Of what next() gave last.
    Place place() const;

private:
    class Cuts;
    std::unique_ptr<Cuts> cuts_;
};

/// All of them.
std::vector<Draft> smaller(Draft const& draft);

struct Shrunk {
    Draft draft;
    std::size_t calls = 0; // of still_interesting
    std::size_t steps = 0; // how often something smaller was found
    bool finished = false; // nothing smaller is of interest; false: the calls were used up
};

/// Takes the first smaller program that obeys the rules and is of interest, and again, until there is none or
/// still_interesting was called `budget` times. It is not asked about the start, nor about the same text twice.
Shrunk shrink(Draft start, std::function<bool(Draft const&)> const& still_interesting, std::size_t budget);

} // namespace matchpoint::programs::draft
