// Programs under D1 to D6 for unit tests of what is said of all their executions: match sets, schedules and ends are
// written and read by the names of the program.
#pragma once

#include <initializer_list>

#include "matching/feasibility.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {

inline constexpr Buffering infinite = Buffering::infinite;
inline constexpr Buffering zero = Buffering::zero;

/// A program with its messages.
class Subject {
public:
    explicit Subject(std::string text)
        : source("test.ctp", std::move(text)), program(parsed(source)), code(program), messages(code) {}
    Subject(Subject const&) = delete;
    Subject& operator=(Subject const&) = delete;

    std::uint32_t receive(std::string_view a) const { return messages.receive_number(action(a)); }
    std::uint32_t send(std::string_view a) const { return messages.send_number(action(a)); }
    Endpoint endpoint(std::string_view name) const { return number<Endpoint>(program.symbols.endpoints, name); }
    Location location(std::string_view name) const { return number<Location>(program.symbols.locations, name); }
    Action action(std::string_view name) const { return number<Action>(program.symbols.actions, name); }

    std::string name(Action a) const { return std::string(code.names()(a)); }
    std::string name(Location rho) const { return rho.is_none() ? "none" : std::string(code.names()(rho)); }
    std::string text(Pair p) const { return name(messages.receives()[p.r].a) + " = " + name(messages.sends()[p.s].a); }

    /// Receives with their sends; what is not named is none.
    Matching matching(std::initializer_list<std::pair<char const*, char const*>> pairs) const {
        Matching m(messages);
        for (auto const& [r, s] : pairs) m[receive(r)] = send(s);
        return m;
    }
    /// "R2 = S5, R5 = S4"
    std::string text(Matching const& m) const {
        std::string result;
        for (std::uint32_t r = 0; r < m.size(); ++r)
            if (m[r] != unmatched) result += (result.empty() ? "" : ", ") + text(Pair{r, m[r]});
        return result;
    }

    /// "24 02 25(0 2) 03": the locations of a schedule, each with the movements before it.
    std::string text(Schedule const& schedule) const {
        std::string result;
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            Entry const entry = schedule.entry(i);
            result += (i == 0 ? "" : " ") + name(entry.rho);
            for (Channel const c : entry.m)
                result += "(" + std::string(code.names()(code[c].beta)) + " " +
                          std::string(code.names()(code[c].alpha)) + ")";
        }
        return result;
    }
    /// What the reference machine says of a schedule.
    Outcome run(Schedule const& schedule, Buffering buffering) const {
        Machine machine(code, buffering);
        return matchpoint::run(machine, schedule);
    }

    Source source;
    Program program;
    IndexedProgram code;
    MessageIndex messages;
};

inline constexpr std::string_view figure_1 = R"(
    ( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [04 (a := A)] [05 (rcvi R5 0 B)] [06 (wait R5)] [07 (b := B)]
        [08 (assume (> b 0))] [09 (assert (= a 4))] )
      ( [13 (rcvi R3 1 C)] [14 (wait R3)] [15 (sndi S5 1 0 1)] [16 (wait S5)] )
      ( [24 (sndi S4 2 0 4)] [25 (wait S4)] [26 (sndi S6 2 1 7)] [27 (wait S6)] ) ))";

inline constexpr std::string_view figure_16 = R"(
    ( ( [00 (rcvi R01 0 a)] [01 (wait R01)] [02 (rcvi R02 0 b)] [03 (wait R02)] [04 (sndi S03 0 1 3)] [05 (wait S03)]
        [06 (rcvi R04 0 d)] [07 (wait R04)] [08 (assert (= d 13))] )
      ( [10 (sndi S11 1 0 11)] [11 (wait S11)] [12 (rcvi R12 1 c)] [13 (wait R12)] [14 (sndi S13 1 0 13)]
        [15 (wait S13)] )
      ( [20 (sndi S21 2 0 21)] [21 (wait S21)] ) ))";

} // namespace matchpoint::test
