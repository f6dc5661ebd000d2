// What the searches of programs with shared variables (interleavings.hpp, few_switches.hpp, classes.hpp) have in
// common.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "executions/scheduler.hpp"
#include "executions/shared/accesses.hpp"
#include "executions/shared/causal_model.hpp"
#include "executions/symmetry.hpp"

namespace matchpoint::executions {

/// Which commands access shared variables, and which variables of a state can still be read.
class Sharing {
public:
    /// The messages have to outlive it. Linear in the size of the program.
    explicit Sharing(MessageIndex const& messages);

    /// Whether the next command of a thread conflicts with no command that other threads have left: it accesses no
    /// shared variable, or only those that none of them still writes and, where it writes, none of them still reads.
    /// Nothing that the others do can change what it does, or tell when it runs. A ready send never is: deliveries
    /// matter to it. Nor is a probe: what it sees is a choice.
    bool is_local(State const& state, Location rho) const;
    /// Calls `f` with other threads that have a command left which conflicts with this one; with some of them more than
    /// once.
    template <typename F>
    void for_each_rival(State const& state, Location rho, F f) const {
        std::uint32_t const thread = messages_.code().thread_of(rho);
        for (Access const& access : accesses_[rho.index])
            for (LastAccess const& other : last_accesses_[access.x.index])
                if (other.thread != thread && is_left(state, other, access.writes)) f(other.thread);
    }
    /// The accesses of a command to shared variables, to the receives posted at endpoints of ready sends, and to the
    /// queues of endpoints that several threads use.
    Accesses const& accesses(Location rho) const { return accesses_[rho.index]; }
    /// The numbers of what can be accessed are below this.
    std::size_t accessed() const { return last_accesses_.size(); }
    /// Whether two commands access the same shared variable, and one of them writes it; or one of them can make the
    /// other one a mismatch of collectives.
    bool is_conflict(Location a, Location b) const {
        IndexedProgram const& code = messages_.code();
        return conflict(accesses_[a.index], accesses_[b.index]).has_value() ||
               (code.has_contested_calls() && code.collectives()->oppose(a, b));
    }
    /// Whether a command writes a shared variable that another one reads.
    bool writes_what_is_read(Location writer, Location reader) const;
    /// The next commands of two threads, and a variable that both access and one writes.
    struct Conflict {
        Location first;
        Location second;
        Variable x;
    };
    /// The first conflict in a state between commands that are enabled, on a variable that data races are about
    /// (raced_variables.hpp). None if there is no conflict.
    std::optional<Conflict> data_race(State const& state, Buffering buffering) const;
    /// Appends what tells a state from others, as far as it can still count. States in which threads that are alike
    /// have exchanged their places have the same key. `mark(t, key)` appends what else tells where a thread is. `only`:
    /// the threads that can still step; null for all.
    template <typename F>
    void append_key(State const& state, Symmetry const& symmetry, F mark, std::string& key,
                    std::vector<bool> const* only = nullptr) const {
        key += static_cast<char>(state.s);
        for (std::uint32_t t = 0; t < state.ctp.size(); ++t) {
            if (symmetry.is_in_group(t)) continue;
            if (only != nullptr) key += (*only)[t] ? '+' : '-';
            if (only != nullptr && !(*only)[t]) continue;
            append_place(state, t, key);
            mark(t, key);
            append_live(state, t, key);
        }
        std::vector<std::string> parts;
        for (auto const& group : symmetry.groups()) {
            parts.clear();
            for (std::uint32_t const t : group) {
                std::string& part = parts.emplace_back();
                if (only != nullptr) part += (*only)[t] ? '+' : '-';
                if (only != nullptr && !(*only)[t]) continue;
                append_place(state, t, part);
                mark(t, part);
                append_live(state, t, part);
                for (Variable const x : symmetry.locals(t))
                    if (!is_followed_[x.index]) append_if_read(state, x, nullptr, part);
            }
            std::sort(parts.begin(), parts.end());
            for (std::string const& part : parts) key += part;
        }
        append_variables(state, symmetry, only, key);
        append_queues(state, key);
    }

    /// Appends where a thread is, with the values that it alone reads: the same of threads that are alike, where they
    /// can exchange their places.
    void append_thread(State const& state, Symmetry const& symmetry, std::uint32_t thread, std::string& key) const {
        append_place(state, thread, key);
        append_live(state, thread, key);
        if (!symmetry.is_in_group(thread)) return;
        for (Variable const x : symmetry.locals(thread))
            if (!is_followed_[x.index]) append_if_read(state, x, nullptr, key);
    }
    /// For a program without messages, barriers and collectives: appends what tells a state from others if one thread
    /// steps alone from now on: s, its place, and what it still reads.
    void append_view(State const& state, std::uint32_t thread, std::string& key) const;
    /// Whether the views of threads that are alike are the same where they can exchange their places.
    bool has_alike_views() const { return has_alike_views_; }

private:
    /// The last commands of a thread that access and that write a variable; none if it never does.
    struct LastAccess {
        std::uint32_t thread;
        std::optional<std::uint32_t> any;
        std::optional<std::uint32_t> write;
    };
    /// The last command of a thread that reads a variable.
    struct LastRead {
        std::uint32_t thread;
        std::uint32_t command;
    };

    /// Whether a thread has an access left that conflicts with one that writes, or only reads.
    static bool is_left(State const& state, LastAccess const& other, bool writes) {
        auto const& last = writes ? other.any : other.write;
        return last && state.ctp[other.thread] <= *last;
    }
    void append_place(State const& state, std::uint32_t thread, std::string& key) const;
    void append_variables(State const& state, Symmetry const& symmetry, std::vector<bool> const* only,
                          std::string& key) const;
    /// Nothing if no thread, or none of some, can still read it; which ones can follows from their places.
    void append_if_read(State const& state, Variable x, std::vector<bool> const* only, std::string& key) const;
    /// Those local variables of a thread whose values it reads before it assigns to them again.
    void append_live(State const& state, std::uint32_t thread, std::string& key) const;
    void append_queues(State const& state, std::string& key) const;

    void find_live_variables();
    void find_reads();

    /// What a ready send does depends on the receives that are posted at its endpoint. They count as a variable that it
    /// reads and each `rcvi` there writes. It has the number of the endpoint after those of all variables.
    void add_posted_receives();
    /// At an endpoint that several threads use, the order in which they post receives and probe counts, and so does the
    /// order in which they send from it. These count as two kinds of variables: of an endpoint, with its number after
    /// those of all variables, and of a pair of endpoints, after those.
    void add_common_endpoints();
    void add_exposed_variables();
    void append_common_queues(State const& state, std::string& key) const;

    MessageIndex const& messages_;
    std::vector<bool> is_common_; // endpoint: several threads use it
    bool has_common_endpoints_;
    std::vector<Accesses> accesses_;                     // command -> to shared variables
    std::vector<Accesses> data_;                         // the same, of raced_variables()
    std::vector<std::vector<LastAccess>> last_accesses_; // shared variable -> by each thread
    std::vector<std::vector<LastRead>> last_reads_;      // variable -> by each thread
    struct Read {
        Variable x;
        std::uint32_t last; // command that reads it
    };
    std::vector<std::vector<Read>> reads_of_; // thread -> others_ that it reads, the last commands first
    bool has_alike_views_ = false;
    std::vector<bool> is_followed_;         // variable: live_ tells where its value counts
    std::vector<Variable> others_;          // the others
    std::vector<std::uint32_t> first_live_; // command -> the first one in live_; and the end
    std::vector<Variable> live_;            // those whose values are read next when their thread is at a command
};

/// How many pairs of consecutive steps of a schedule are of different threads.
std::uint32_t context_switches(IndexedProgram const& code, Schedule const& schedule);

/// A scheduler that chooses which thread steps next. It stays on the recorded path, and in a causal model.
class SharedScheduler : public Scheduler {
protected:
    /// The messages and the model have to outlive it. Without a model, all executions count. `from` is a state that
    /// some execution reached; null for the initial state.
    SharedScheduler(MessageIndex const& messages, Buffering buffering, CausalModel const* model,
                    State const* from = nullptr)
        : Scheduler(messages, buffering, Runs::executions, from == nullptr ? State(messages.code()) : *from),
          sharing_(messages), model_(model) {
        machine_.keep_history();
    }

    /// Whether the model has an execution that goes on with this command.
    bool is_in_model(Location rho) const { return model_ == nullptr || model_->allows(state(), rho); }
    bool can_step(Location rho) { return is_in_model(rho) && Scheduler::can_step(rho); }
    /// As Scheduler's. `pruned`: the model excludes every way on.
    End end_here();

    /// Executes the local commands of a thread, one after another, until it is at another one or halts, or s becomes
    /// failure. False if there was none.
    bool run_local_commands(std::uint32_t thread);
    /// The deliveries that some thread waits for.
    void add_deliveries(std::vector<Transition>& to) const;
    /// Those at an endpoint.
    void add_deliveries(Endpoint beta, std::vector<Transition>& to) const;

    Sharing sharing_;
    CausalModel const* model_;
};

} // namespace matchpoint::executions
