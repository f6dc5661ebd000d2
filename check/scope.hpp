// What a verdict speaks about: `safe` says little of a program that asserts nothing.
//
//   Scope const scope = scope_of(code, true);
//   shown_verdict(result.verdict, scope);   // "no assertion"
//   summary(result, scope);                 // "no assertion on this path, but a deadlock is possible"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/check.hpp"

namespace matchpoint::check {

struct Scope {
    std::uint32_t assertions = 0; // all of them
    /// Those that were evaluated in a recorded run and were true. Nobody knows what they depend on.
    std::vector<Location> evaluated;
    /// The receives of a recording whose values some expression reads, and the others. A recording does not say what
    /// the program does with the values of the others.
    std::vector<Location> followed;
    std::vector<Location> not_followed;

    bool asserts() const { return assertions > 0; }
};

/// `is_recording`: the program was recorded, so an assertion of the value `true` was evaluated in that run. Linear in
/// the size of the program.
Scope scope_of(IndexedProgram const& code, bool is_recording);

/// What users are told: as to_string(), but where the verdict is `safe`, "no assertion" if there is none, "unknown" if
/// some were only evaluated.
std::string_view shown_verdict(Verdict v, Scope const& scope);

/// The same in texts: "safe on this path" if some execution leaves the path.
std::string verdict_in_words(Verdict v, Scope const& scope, Reached::Answer leaves_path);

/// The first words of a report. A deadlock or a fault is the answer where no execution fails: "safe, but a deadlock is
/// possible"; and "deadlock" alone instead of "vacuous".
std::string summary(CheckResult const& result, Scope const& scope);

/// What keeps others from saying that no run fails: "2 assertions were only evaluated in the recorded run: whether they
/// can be false in another run is not known". Empty if there are none.
std::string evaluated_in_words(Scope const& scope);

} // namespace matchpoint::check
