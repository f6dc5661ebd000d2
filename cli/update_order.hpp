// What the order of a program says about updates of shared variables, for the warning `atomic`.
#pragma once

#include <memory>

#include "counting/proofs.hpp"

namespace matchpoint::cli {

class UpdateOrder {
public:
    /// The program has to outlive it. Nothing is known of one that breaks rules D1 to D6, or that is too large.
    UpdateOrder(Program const& program, bool obeys_discipline);
    ~UpdateOrder();

    /// Whether forks, joins and messages keep a write from coming between the two steps of an update, in every
    /// execution. The write is a command of another thread, or a receive of any; both are indices of commands. The
    /// first question takes the time of the proofs.
    bool is_ordered(std::uint32_t write, std::uint32_t update);

private:
    struct Known;
    void find();

    Program const& program_;
    bool may_be_known_; // and is not yet, if there is no known_
    std::unique_ptr<Known> known_;
};

} // namespace matchpoint::cli
