// Choices of time in recordings of MPI programs (docs/language.md, "Choices of time"): beside what a call chose, what
// it could have chosen. They have no meaning: they say what `mpi verify` is to try.
//
//   (wait R (among R Q S))          MPI_Waitany returned R; it could have returned Q or S
//   (wait R (some R Q S))           the same of MPI_Waitsome, which returns all that are complete
//   (test R false 5)                R was tested five times, and was not complete
//   (test (some R Q) true)          MPI_Testsome found some; the waits that follow say which
//   (iprobe P 0 (from 1) false)     MPI_Iprobe saw no message from endpoint 1 at endpoint 0
//
// A `test` or `iprobe` is stored as `(assume true)` with its choice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace matchpoint::grammar {

struct ChoiceOfTime {
    enum class Of : std::uint8_t {
        one,   // of a test only: this one has to be complete
        among, // one of these, which is complete
        some,  // those of these that are complete, at least one
        all,   // of a test only: all of these have to be complete
        seen,  // of a test only: a probe has to see a message
    };
    Of of = Of::one;
    /// The names of their actions: text, as they have no meaning. A part of a program may lack some.
    std::vector<std::string> actions = {};
    // Where a probe looks, and what it admits; numbers in canonical decimal form.
    std::string beta = {};
    std::optional<std::vector<std::string>> from = {};
    std::optional<std::vector<std::string>> tags = {};
    std::optional<bool> result = {}; // of a test
    /// How often it was false: of a test that was false, at least 1; of one that was true, before that.
    std::uint64_t times = 0;
    bool operator==(ChoiceOfTime const&) const = default;

    bool is_test() const { return result.has_value(); }
};

/// The word of a list: "among", "some", "all".
constexpr std::string_view to_string(ChoiceOfTime::Of of) {
    return of == ChoiceOfTime::Of::all ? "all" : of == ChoiceOfTime::Of::some ? "some" : "among";
}

/// "(among R Q)", "R", "P 0 (from 1)"; of a test also the result.
void print_choice(auto& to, ChoiceOfTime const& choice) {
    using Of = ChoiceOfTime::Of;
    if (choice.of == Of::one || choice.of == Of::seen) {
        for (std::string const& a : choice.actions) to << std::string_view(a);
        if (choice.of == Of::seen) to << " " << std::string_view(choice.beta);
        auto const list = [&](std::string_view word, std::optional<std::vector<std::string>> const& names) {
            if (!names) return;
            to << " (" << word;
            for (std::string const& name : *names) to << " " << std::string_view(name);
            to << ")";
        };
        list("from", choice.from);
        list("tag", choice.tags);
    } else {
        to << "(" << to_string(choice.of);
        for (std::string const& a : choice.actions) to << " " << std::string_view(a);
        to << ")";
    }
    if (!choice.is_test()) return;
    to << (*choice.result ? " true" : " false");
    if (choice.times != (*choice.result ? 0U : 1U)) to << " " << std::string_view(std::to_string(choice.times));
}

/// A command with its choice: `(wait R (among R Q))` and `(test R false)`. `command` prints the command alone, up to
/// its closing bracket.
void print_with_choice(auto& to, ChoiceOfTime const* choice, auto const& command) {
    if (choice != nullptr && choice->is_test()) {
        to << (choice->of == ChoiceOfTime::Of::seen ? "(iprobe " : "(test ");
    } else {
        command();
        if (choice == nullptr) return;
        to << " ";
    }
    print_choice(to, *choice);
}

} // namespace matchpoint::grammar
