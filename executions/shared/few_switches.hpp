// A failing execution of a program with shared variables that has as few context switches as possible: it is what
// people can read (docs/shared_memory.md, "Context switches").
//
//   FewSwitches few(messages, {.buffering = Buffering::infinite});
//   if (few.search() == FewSwitches::Answer::found) use(few.switches(), few.schedule());
//
// The search allows no switch, then one, and so on. A thread that has stepped runs on through its local commands
// (sharing.hpp): an execution that takes them later has no fewer switches.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "executions/shared/least_switches.hpp"
#include "executions/shared/sharing.hpp"

namespace matchpoint::executions {

class FewSwitches : public SharedScheduler {
public:
    struct Options {
        Buffering buffering = Buffering::infinite;
        /// executions: up to the first failure. complete: a complete run whose status is failure.
        Runs runs = Runs::executions;
        /// Only executions of this model count. Null if all count.
        CausalModel const* model = nullptr;
        std::uint32_t most = UINT32_MAX; // switches
        std::uint64_t steps = UINT64_MAX;
        /// Asked before every step, if it is not empty.
        std::function<bool()> stop = {};
    };
    enum class Answer : std::uint8_t {
        found,   // schedule(), and no failing execution has fewer switches
        none,    // none fails with so many switches or fewer
        stopped, // none fails with fewer than switches(); more is not known
    };

    /// The messages and the model have to outlive it.
    FewSwitches(MessageIndex const& messages, Options options)
        : SharedScheduler(messages, options.buffering, options.model), options_(std::move(options)),
          symmetry_(messages.code(), options_.model) {}

    /// To be called once. Throws LimitReached.
    Answer search();
    std::uint32_t switches() const { return bound_; }

private:
    static constexpr std::uint32_t nobody = UINT32_MAX;
    struct Frame {
        Mark mark;
        std::uint32_t first; // of its choices in pool_; the frame's are the last ones
        std::uint32_t next;
        std::uint32_t thread; // that stepped last
        std::uint32_t switches;
    };

    Answer search_within_bound();
    bool is_found() const;
    bool is_worse_than_known(std::uint32_t thread, std::uint32_t switches);
    void push_choices(std::uint32_t thread, std::uint32_t switches);

    Options options_;
    Symmetry symmetry_;
    std::uint32_t bound_ = 0;
    bool has_cut_ = false; // a switch was not allowed
    std::vector<Frame> frames_;
    std::vector<Transition> pool_;
    LeastSwitches least_; // by the state and the last thread
    std::string key_;
};

} // namespace matchpoint::executions
