// The verdict about a program: can a run go wrong?
//
//   CheckResult const result = check_program(program, {});
//   if (result.verdict == Verdict::violated) std::cout << print_schedule(machine, result.violation->run);
//
// A search with at most K pending operations of each statement sees only what really happens: a lower bound. The
// reduced program (reduced.hpp) does more than what really happens: an upper bound. If the search was not cut, or if
// both agree, the answer is exact.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rma/machine/machine.hpp"
#include "rma/search/explored.hpp"
#include "rma/search/reduced.hpp"

namespace matchpoint::rma {

enum class Verdict : std::uint8_t { violated, safe, unknown };
std::string_view to_string(Verdict verdict);

enum class Engine : std::uint8_t { both, search, reduced };

struct CheckOptions {
    Model model = Model::rma;
    Engine engine = Engine::both;
    std::uint32_t pending = 3; // K: the search begins with 1 and goes up to this
    std::optional<ValueRange> values = std::nullopt;
    bool finals = false;  // collect all final valuations; the search then goes on after a violation
    Literal literal = {}; // of the reduced program
    std::uint64_t max_bytes = std::uint64_t{2} << 30U;  // of a table of states
    std::optional<std::uint64_t> memory = std::nullopt; // the limit in MiB that `max_bytes` comes from, for messages
};

/// What is known about a question: both bounds may leave it open.
enum class Known : std::uint8_t { no, yes, open };
std::string_view to_string(Known known);

/// What is found about a program, or about a reduced program as such (check_reduced.hpp).
struct CheckAnswers {
    Verdict verdict = Verdict::unknown;
    std::string reason; // of `unknown`
    Known discarded = Known::open;
    Known faulted = Known::open;
    Known has_final = Known::open;
    bool never_asserts = false;             // no process gets to an `assert`
    std::vector<std::vector<Value>> finals; // sorted, without repetitions
    bool finals_are_all = false;
};

/// The final valuations are by Variable. Every one of them is reached, unless only the reduced program was asked.
struct CheckResult : CheckAnswers {
    struct Violation {
        std::vector<Transition> run;         // from the initial state on
        std::optional<std::size_t> property; // none if the last step passes a false assertion
        bool is_shortest = false;
    };

    std::optional<Violation> violation;
    std::uint32_t pending = 0;        // K of the last search
    bool was_cut = false;             // it left out states with more pending operations
    std::uint64_t states = 0;         // of all searches of the machine
    std::uint64_t reduced_states = 0; // of the reduced program
    std::uint64_t bytes = 0;          // of the largest table
    std::string decided_by;           // "the search", "the reduced program"; empty if nothing did
};

/// Why a search stopped or left out steps to some values. Empty if it did not.
std::string why_cut(SearchResult const& found, CheckOptions const& options);
/// Why a search with K = CheckOptions::pending, and the reduced program if it was asked, leave a verdict open.
std::string why_not_decided(SearchResult const& found, CheckOptions const& options);

/// Sorts by the values at `places`, the first one first: false before true, smaller integers before larger ones.
void sort_valuations(std::vector<std::vector<Value>>& valuations, std::span<std::size_t const> places);

/// Throws LimitReached, but running out of time is `unknown`.
CheckResult check_program(Program const& program, CheckOptions const& options);

} // namespace matchpoint::rma
