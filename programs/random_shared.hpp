// Accesses to shared variables in random programs (random.cpp): reads, writes, updates with and without locks, guarded
// assignments, fences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "programs/dice.hpp"
#include "programs/random_expressions.hpp"
#include "programs/random_parts.hpp"

namespace matchpoint::programs::random_parts {

class SharedAccesses {
public:
    /// All have to outlive it.
    SharedAccesses(Dice& dice, Expressions& expressions, Locals& locals)
        : dice_(dice), expressions_(expressions), locals_(locals) {}

    /// Chooses the variables, and lets expressions read them. Some may be booleans.
    void declare(bool booleans);
    /// A few commands at the ends of one thread or two. Threads can run them in the order in which they were added.
    void add(std::vector<ThreadMade>& threads);
    /// A variable that a receive may write, if the dice are for it.
    std::optional<std::string> to_receive_into(bool boolean);
    bool has(std::string const& x) const;
    /// All variables so far, with their initial values.
    std::vector<draft::SharedVariable> const& declared() const { return declared_; }

private:
    void add_lock();
    std::string add_flag();
    void critical_section(ThreadMade& t);
    void fence(ThreadMade& first, ThreadMade& second);
    void access(ThreadMade& t);
    void read(ThreadMade& t);
    void write(ThreadMade& t);
    void update_in_two_steps(ThreadMade& t);
    void guarded_assignment(ThreadMade& t);
    draft::Expression value(ThreadMade const& t, bool boolean);
    VariableMade const& some_data() { return dice_.one_of(data_); }

    Dice& dice_;
    Expressions& expressions_;
    Locals& locals_;
    std::vector<draft::SharedVariable> declared_;
    std::vector<VariableMade> data_;
    std::vector<std::string> locks_;
    std::uint32_t flags_ = 0;
};

} // namespace matchpoint::programs::random_parts
