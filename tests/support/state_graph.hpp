#pragma once

/// Every state that some execution of a program without shared variables reaches, by single steps and deliveries, and
/// what can come of it.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "executions/breadth_first.hpp"
#include "machine/machine.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {

inline constexpr std::array goals{Goal::Kind::failure, Goal::Kind::success, Goal::Kind::deadlock, Goal::Kind::fault,
                                  Goal::Kind::orphan};
inline constexpr std::array<std::string_view, goals.size()> goal_names{"failure", "success", "deadlock", "fault",
                                                                       "orphan"};

class StateGraph {
public:
    struct Node {
        State state;
        std::vector<std::size_t> by_command;
        std::vector<std::size_t> by_delivery;
        std::array<bool, goals.size()> is{};  // such a goal
        std::array<bool, goals.size()> has{}; // ahead
    };

    /// The graph of a program under D1 to D6. If it has more than `most` states, the graph is not whole.
    StateGraph(IndexedProgram const& code, Buffering buffering, std::size_t most);

    bool is_whole() const { return is_whole_; }
    std::vector<Node> const& nodes() const { return nodes_; }

    /// Why a schedule from node n on does not lead to goal k; none if it leads there.
    std::optional<std::string> why_not(std::size_t n, std::size_t k, Schedule const& schedule) const;

private:
    std::string key(State const& state) const;
    std::size_t node(State state);
    void expand(std::size_t n);
    bool is_stuck(std::size_t n) const;
    bool is_nearly_stuck(std::size_t n) const;
    void judge(std::size_t n);
    void look_back();

    IndexedProgram const& code_;
    Buffering buffering_;
    std::vector<Node> nodes_;
    std::map<std::string, std::size_t> numbers_;
    bool is_whole_ = false;
};

} // namespace matchpoint::test
