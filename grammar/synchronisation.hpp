// How threads synchronise through shared variables: what they wait for, and which of these variables are locks.
//
// A variable is a lock by the text of the program: every command that writes it takes it or gives it back, a `when`
// takes it or some command gives it back, and along its commands each thread gives back only what it has taken. There
// are three kinds:
//
//   kind      taken by          under a guard that requires                    given back by
//   count     (l := (- l 1))    (> l 0)                                        (l := (+ l 1))
//   owner     (o := k)          (= o f), f the initial value of o, not k;      (o := f)
//                               or (or (= o f) (= o k)), if no other thread
//                               writes k: a recursive mutex
//   readers   (r := (+ r 1))    (= w f), where w is an owner that is taken     (r := (- r 1))
//                               only where (= r v), v the initial value of r
//
// A guard requires its conjuncts. A count that begins with 1 is a mutex, one that begins with n is a semaphore of n.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// Variable -> whether it is a synchronisation variable: a shared one that some `when` names. `variables`: how many
/// there are. Linear.
std::vector<bool> synchronisation_variables(Ctp const& ctp, std::size_t variables);

/// Whether some command takes a variable as a count, or tries to, be it declared shared or not.
bool is_taken_as_count(Ctp const& ctp, Variable x);

/// An assignment of a constant to a variable that is taken as a count: because of it, the variable is no lock.
std::optional<Location> reset_of_count(Ctp const& ctp, Variable x);

/// The locks of a program, and what its commands do with them.
class Locks {
public:
    /// A command takes a lock, or gives it back.
    struct Use {
        std::uint32_t command; // index in Ctp::commands
        Variable lock;
        bool takes;
    };

    /// `variables`: how many there are. O(n log n) in the size of the program.
    Locks(Ctp const& ctp, std::size_t variables);

    bool is_lock(Variable x) const { return is_lock_[x.index]; }
    /// Whether a thread can take the lock more than once before it gives it back once for each: all but owners.
    bool counts(Variable x) const { return counts_[x.index]; }
    /// Whether two threads never hold the lock at the same time: owners, and counts that begin with 1.
    bool is_exclusive(Variable x) const { return is_exclusive_[x.index]; }
    /// Whether some command gives the lock back.
    bool is_given_back(Variable x) const { return is_given_back_[x.index]; }
    /// Whether the lock stands for a flag that is used up once, such as a signal that one of several threads gets:
    /// nobody gives it back, and nobody holds it.
    bool is_flag(Variable x) const { return is_lock(x) && !counts(x) && !is_given_back(x); }
    /// Whether threads only try to take a variable as if it was a lock, and nobody gives it back. It is not a lock:
    /// nobody waits for it.
    bool is_used_up(Variable x) const { return is_used_up_[x.index]; }
    /// Whether nobody can take a lock that has this value: a count is used up, or another lock is not as it was
    /// initially.
    bool is_taken(Variable lock, Value const& v) const;
    /// What a command does with locks, in the order of its assignments.
    std::span<Use const> uses(Location rho) const;
    /// What all commands do, in the order of the program.
    std::span<Use const> uses() const { return uses_; }

private:
    std::vector<bool> is_lock_;
    std::vector<bool> counts_;
    std::vector<bool> is_exclusive_;
    std::vector<bool> is_given_back_;
    std::vector<bool> is_used_up_;
    std::vector<Value> free_; // variable -> the value of the lock that nobody holds; bot: a count, or no lock
    std::vector<Use> uses_;   // in the order of the program
};

} // namespace matchpoint::grammar
