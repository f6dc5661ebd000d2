// The expressions of random programs (random.cpp), over the variables that a thread knows.
#pragma once

#include <vector>

#include "programs/dice.hpp"
#include "programs/random_parts.hpp"

namespace matchpoint::programs::random_parts {

class Expressions {
public:
    /// The dice have to outlive it. Numbers are at most `largest`.
    Expressions(Dice& dice, unsigned largest) : dice_(dice), largest_(largest) {}

    /// What expressions may have.
    struct Features {
        bool arithmetic = false;
        bool divisions = false;
        bool large_numbers = false; // beyond 64 bits
        bool choices = false;       // `ite`
    };
    void allow(Features features) { may_ = features; }
    /// Variables that all threads know.
    void share(std::vector<VariableMade> shared) { shared_ = std::move(shared); }

    /// How many variables a thread knows: its own that have values, and the shared ones.
    std::size_t known(ThreadMade const& t) const { return t.defined.size() + shared_.size(); }

    draft::Expression number();
    /// An expression in one of the thread's integers, if it has some.
    draft::Expression integer(ThreadMade const& t);
    /// Something that can be true or false.
    draft::Expression claim(ThreadMade const& t);

private:
    std::vector<draft::Expression> of_sort(ThreadMade const& t, bool boolean) const;
    draft::Expression atom(ThreadMade const& t);
    draft::Expression simple_claim(ThreadMade const& t);
    bool draws_choice(unsigned percent);
    template <typename Make>
    draft::Expression choice(ThreadMade const& t, Make const& operand);
    draft::Expression claim_of_boolean(std::vector<draft::Expression> const& booleans);

    Dice& dice_;
    unsigned largest_;
    Features may_ = {};
    unsigned depth_ = 0; // of the choice that is made
    std::vector<VariableMade> shared_ = {};
};

} // namespace matchpoint::programs::random_parts
