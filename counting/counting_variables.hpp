// Shared variables that count: each write adds a constant, so a variable's value follows from how far each thread has
// got.
//
//   x = its initial value + the sum over all threads u of what the commands that u has executed add to x
//
// A write adds a constant if it
//   - assigns x + c, and reads x in the same step (a fetch-and-add, or a lock that is taken or given back); or
//   - assigns t + c, where an earlier command of its thread read x into t, and no other write of x can come in between
//     (protected: Order, or a semaphore, excludes it); or
//   - assigns a constant, and only its thread writes x.
//
// A semaphore is such a variable that is never negative: it begins with 0 or more, and every write that adds -d is in
// one step with a guard that implies x >= d.
//
// A lock that has an owner (grammar/synchronisation.hpp) need not count, but there is one token for it: who takes it
// takes the token, and who gives it back gives the token back.
#pragma once

#include <functional>

#include "base/wide.hpp"
#include "counting/sums.hpp"
#include "grammar/synchronisation.hpp"

namespace matchpoint::counting {

/// What a thread's commands add to a sum of variables.
struct Additions {
    std::uint32_t thread;
    std::vector<std::uint32_t> commands; // ascending: those that add something
    std::vector<Wide> after;             // by these: what the thread has added then

    /// What it has added when it is at a command.
    Wide at(std::uint32_t position) const;
    Wide at_end() const { return after.empty() ? Wide{0} : after.back(); }
};

/// An interval, both ends included.
struct Range {
    Wide least = 0;
    Wide greatest = 0;
};

/// The range over the positions between two, both included.
Range range(Additions const& of, std::uint32_t from, std::uint32_t to);
/// The range over all positions.
Range range(Additions const& of);

/// What threads take and give back: a semaphore, or the token of a lock.
struct Tokens {
    Variable of;
    Wide initial;
    std::vector<Additions> additions;
    Wide most; // when all threads have added as much as they ever do
};

class CountingVariables {
public:
    /// Everything has to outlive it.
    CountingVariables(MessageIndex const& messages, Sums const& sums);

    /// Finds variables that count beyond those that are known, and semaphores among them. `comes_between` says, as far
    /// as it can be ruled out, whether a write can be executed when the other thread has executed the first command and
    /// not yet the second one: write, first, second. Returns whether any were found.
    bool find_more(std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t)> const& comes_between);

    bool is_count(Variable x) const { return is_count_[x.index]; }
    std::int64_t initial(Variable x) const { return initial_[x.index]; }
    std::vector<Variable> const& semaphores() const { return semaphores_; }
    /// Of semaphores, and of locks that have an owner.
    std::vector<Tokens> const& tokens() const { return tokens_; }
    /// What the threads add to a variable that counts.
    std::vector<Additions> const& additions(Variable x) const { return additions_[x.index]; }
    /// What the threads add to a sum of variables that count, all read at one moment. None if one does not count.
    std::optional<std::vector<Additions>> additions(std::vector<Sum::Part> const& parts) const;

    /// Whether semaphores exclude that thread t is somewhere from one command to another (both included) while thread u
    /// is at a command.
    bool exclude(std::uint32_t t, std::uint32_t from, std::uint32_t to, std::uint32_t u, std::uint32_t at) const;

private:
    struct Write {
        std::uint32_t command;
        Expression e;
    };

    bool counts(std::uint32_t x, std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t)> const& comes_between);
    std::optional<std::int64_t>
    added(std::uint32_t x, Write const& write,
          std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t)> const& between) const;
    bool is_semaphore(std::uint32_t x) const;
    void add_owners();
    void add_tokens(Tokens tokens);
    std::uint32_t thread_of(std::uint32_t command) const { return messages_.code().thread_of({command}); }

    MessageIndex const& messages_;
    Ctp const& ctp_;
    Sums const& sums_;
    std::vector<std::vector<Write>> writes_; // variable -> in program order
    std::vector<bool> is_open_;              // variable: it may yet be found to count
    std::vector<bool> is_count_;
    std::vector<std::int64_t> initial_;
    std::vector<std::vector<Additions>> additions_;
    std::vector<Variable> semaphores_;
    std::vector<Tokens> tokens_;
    struct Held { // a thread takes some of them
        std::uint32_t tokens;
        std::uint32_t additions; // of Tokens::additions
        Wide most;               // the sum of these when it has added as much as it ever does
    };
    std::vector<std::vector<Held>> held_; // by thread
};

} // namespace matchpoint::counting
