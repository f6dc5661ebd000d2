// A failing execution of a program with shared variables that has as few context switches as possible: it is what
// people can read (docs/shared_memory.md, "Context switches").
//
//   FewSwitches few(messages, {.buffering = Buffering::infinite});
//   if (few.search() == FewSwitches::Answer::found) use(few.switches(), few.schedule());
//
// The search allows no switch, then one, and so on. A sequence of steps of one thread without a switch is a *run*. With
// at most k switches, O(n^(k + 1)) states can be reached in a program of n commands. What it need not look at:
//
//   local commands     A thread that has stepped runs on through its local commands (sharing.hpp): an execution that
//                      takes them later has no fewer switches.
//   chains             If movers are known (movers.hpp), a chain is one step. What others do in the middle of it can as
//                      well come before it: the run in front of the chain ends earlier, or is gone, and the others' runs
//                      stay as they are. If the chain is never finished, it can be left out, unless it fails itself.
//   merged states      A state that was reached with fewer switches is as good, no matter which thread was running: to
//                      switch to the one that runs now costs one. With as many, the same thread has to be running.
//   what is needed     If it is known which threads have to go on before an assertion can fail (assertion_needs.hpp),
//                      each of them costs a switch. A state is left if there are too few.
//   the last run       One thread alone steps after the last switch. All that counts is its *view*: its place, and the
//                      values that it still reads. Before the last switch, it is what the running thread and those that
//                      can fail without others read. That is not used with messages, barriers or models.
//
// So the last run costs one step for each view. What is left is O(n^k) for n chains, and less where threads wait.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "executions/key_set.hpp"
#include "executions/shared/assertion_needs.hpp"
#include "executions/shared/least_switches.hpp"
#include "executions/shared/movers.hpp"
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
        /// Asked every few steps, if it is not empty.
        std::function<bool()> stop = {};
        /// Without a model, what is known of the program; null if nothing is. They have to outlive the search. The
        /// movers are for assertions that may fail, and need not care for data races.
        Movers const* movers = nullptr;
        AssertionNeeds const* needs = nullptr;
    };
    enum class Answer : std::uint8_t {
        found,   // schedule(), and no failing execution has fewer switches
        none,    // none fails with Options::most switches or fewer
        stopped, // none fails with fewer than switches(); more is not known
    };

    /// The messages and the model have to outlive it.
    FewSwitches(MessageIndex const& messages, Options options);

    /// Throws LimitReached; the search cannot be used after that, but for switches().
    Answer search();
    /// The same, from where it stopped or found none. Not after `found`.
    Answer search_on(std::uint32_t most, std::function<bool()> stop);
    /// Whether it has looked at all executions, whatever their number of switches, and none fails.
    bool has_seen_all() const { return has_seen_all_; }
    /// found: those of the execution. Otherwise no failing execution has fewer.
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
    enum class Stepped : std::uint8_t {
        found,
        done,
        stopped, // in the middle of a chain
    };

    Answer search_within_bound();
    bool is_to_stop();
    bool is_found() const;
    Stepped step(Execute t);
    std::uint32_t needed(std::uint32_t thread, std::uint32_t most) const;
    std::uint32_t needed_to_finish(std::uint32_t thread) const;
    bool is_known(std::uint32_t thread, std::uint32_t switches);
    bool is_known_before_last_switch(std::uint32_t thread);
    bool can_fail_next(std::uint32_t thread, std::uint32_t running) const;
    void append_running(std::uint32_t thread);
    bool is_new_view(std::uint32_t thread);
    bool run_alone(std::uint32_t thread);
    bool is_probe_that_sees(Location rho) const;
    void add_executions(Location rho, std::vector<Transition>& to) const;
    bool open(std::uint32_t thread, std::uint32_t switches);

    Options options_;
    Symmetry symmetry_;
    std::vector<std::uint32_t> alike_; // thread -> the first one that is alike
    bool has_views_;
    std::uint32_t bound_ = 0;
    bool is_within_ = false; // the bound
    bool has_cut_ = false;   // a switch was not allowed
    bool has_seen_all_ = false;
    std::vector<Frame> frames_;
    std::vector<Transition> pool_;
    LeastSwitches least_;            // by the state and the running thread
    LeastSwitches least_of_any_;     // by the state, with any running thread, where there is more than the last switch
    std::optional<KeySet> views_;    // in the last run
    std::optional<KeySet> last_but_; // by what counts before the last switch
    std::vector<bool> counts_;       // thread -> whether it counts there
    std::string key_;
    std::uint64_t looked_ = 0; // steps() when it last asked whether to stop
};

} // namespace matchpoint::executions
