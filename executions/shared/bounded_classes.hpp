// The classes of executions (classes.hpp) that have one with at most so many context switches, each once.
//
//   BoundedClasses few(messages, Buffering::infinite, 2);
//   while (auto const end = few.next()) use(*end, few.state(), few.schedule());
//
// The search tries all executions with so few switches. It goes on from a state once for each way of its accesses to be
// ordered that has no fewer switches than one before with the same last thread. So its memory grows with the number of
// such states, and for a few switches that number is polynomial in the length of the threads.
#pragma once

#include <string>

#include "executions/key_set.hpp"
#include "executions/shared/least_switches.hpp"
#include "executions/shared/until_end.hpp"

namespace matchpoint::executions {

class BoundedClasses : public UntilEnd {
public:
    /// The messages and the model have to outlive it. Without a model, all executions count.
    BoundedClasses(MessageIndex const& messages, Buffering buffering, std::uint32_t most_switches,
                   CausalModel const* model = nullptr)
        : UntilEnd(messages, buffering, model), most_(most_switches) {}

private:
    static constexpr std::uint32_t nobody = UINT32_MAX;
    struct SoFar {
        std::uint32_t thread = nobody; // that stepped last
        std::uint32_t switches = 0;
    };

    std::optional<End> examine() override;
    std::optional<End> follow(Choice const& choice) override;
    void make_key();

    std::uint32_t most_;
    SoFar now_;
    std::vector<SoFar> of_frames_;
    std::vector<Choice> choices_;
    LeastSwitches least_; // by the class of the prefix and the last thread
    KeySet ends_;         // classes shown
    std::string key_;
    std::vector<std::uint32_t> written_;             // variable -> its writes so far
    std::vector<std::vector<std::uint32_t>> stamps_; // command -> writes to each variable that it accesses before it
};

} // namespace matchpoint::executions
