// Which collective calls belong together, what each needs, and which disagree (docs/semantics.md, "Collectives").
//
// The i-th calls of a communicator in its member threads belong together. A thread has called its i-th one if it is at
// it, or past it: so nothing is stored in a state.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "grammar/ast.hpp"

namespace matchpoint::machine {

struct State;
enum class Buffering : std::uint8_t;

class Collectives {
public:
    /// The CTP has to outlive it. Linear in the size of the program.
    Collectives(Ctp const& ctp, std::size_t communicators);

    /// A member of a communicator, with its i-th call of it.
    struct Member {
        std::uint32_t thread;
        Location rho; // none if the thread has no such call
    };
    /// The members of the communicator of the call at rho, by thread, each with the call that belongs to it.
    std::span<Member const> members(Location rho) const;
    /// The i of the i-th call, from 1.
    std::uint32_t number(Location rho) const { return calls_.at(rho.index).number + 1; }

    /// The call that a command is about: itself if it is one, and of a wait for an icollective, the icollective. None
    /// if it is about no call.
    Location call_of(Location rho) const;
    /// Where a thread is done with a call: the wait for it, if it has one, or the call.
    Location end_of(Location rho) const { return calls_.at(rho.index).end; }

    /// A member that the call at rho needs, and that has not called. A thread that waits for an icollective that it has
    /// not called itself waits for itself. None if the needs of the call are met.
    std::optional<std::uint32_t> missing(State const& state, Location rho, Buffering buffering) const;
    /// A call that a member has made, and that disagrees with the one at rho; none if there is none.
    std::optional<Location> mismatch(State const& state, Location rho) const;

    /// Whether two calls that belong together disagree.
    bool are_contested() const { return are_contested_; }
    /// Whether some call disagrees with one that belongs together with the one at rho; of a command about no call: no.
    bool is_contested(Location rho) const;
    /// Whether a step of a thread can make a step of another thread a mismatch: it brings its thread to a call that
    /// disagrees with one that another thread is not done with.
    bool is_arrival(State const& state, Location rho) const;
    /// Calls f with the thread of each call that disagrees with the one that a command is about, or that it brings its
    /// thread to, whatever the state.
    template <typename F>
    void for_each_opponent(Location rho, F f) const {
        for (Location const about : {call_of(rho), call_after(rho)}) {
            if (about.is_none() || !is_contested(about)) continue;
            for (Member const& m : members(about))
                if (!m.rho.is_none() && disagree(about, m.rho)) f(m.thread);
        }
    }

    bool disagree(Location a, Location b) const;
    /// Whether one of two commands brings its thread to a call that disagrees with one that the other is about, or
    /// brings its thread to.
    bool oppose(Location a, Location b) const;

private:
    struct Call {
        std::uint32_t meeting;
        std::uint32_t number; // from 0
        std::uint32_t place;  // of its thread among the members
        Location end;
    };
    struct Meeting {
        std::vector<Member> members;
        bool is_contested = false;
    };
    /// What two calls that belong together may disagree in; a call says a value of some of them.
    class Claims;

    bool needs(CollectiveCall const& call, Call const& at, Member const& other, std::uint32_t place) const;
    CollectiveCall const& said_at(Location rho) const;
    /// The call at the next location, if that is a call of the same thread.
    Location call_after(Location rho) const;
    void find_ends();
    void find_contested();

    Ctp const* ctp_;
    boost::unordered_flat_map<std::uint32_t, Call> calls_; // by location
    std::vector<Meeting> meetings_;
    boost::unordered_flat_map<std::uint32_t, Location> awaited_; // location of a wait -> the icollective
    std::vector<bool> begins_thread_;                            // by location
    bool are_contested_ = false;
};

} // namespace matchpoint::machine
