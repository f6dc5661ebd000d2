// The oracle of a program that is not plain, by the oracle of the plain program that it is lowered to
// (lowering/lowered.hpp): questions about matches are lowered, and the answers raised.
#pragma once

#include <memory>
#include <vector>

#include "check/oracle/oracle.hpp"
#include "lowering/lowered.hpp"

namespace matchpoint::check {

class LoweredOracle {
public:
    /// Both have to outlive it; the messages are those that were lowered.
    LoweredOracle(MessageIndex const& messages, std::unique_ptr<Lowered> lowered, std::atomic<bool> const* cancelled);

    Oracle& plain() { return plain_; }
    Lowered const& lowered() const { return *lowered_; }

    /// Whether each call that a collective needs is there.
    bool can_complete() const { return can_complete_; }

    Matching lower(Matching const& m) const;
    Oracle::Wanted lower(Oracle::Wanted const& wanted) const;
    Oracle::Answer raise(Oracle::Answer answer) const;
    Run raise(Run run) const;
    /// The pair of the plain program.
    Pair lower(Pair p) const { return {receive_of_[p.r], send_of_[p.s]}; }

private:
    void raise(Oracle::Refusal& refusal) const;
    void raise(Conflict& conflict) const;
    std::optional<Pair> raise(Pair p) const;
    void raise(std::vector<Pair>& pairs) const;
    Conflict::Moment raise(Conflict::Moment const& moment) const;

    std::unique_ptr<Lowered> lowered_;
    MessageIndex const& messages_;
    std::vector<std::uint32_t> receive_of_; // receive -> that of the plain program
    std::vector<std::uint32_t> send_of_;
    bool can_complete_ = true;
    Oracle plain_;
};

} // namespace matchpoint::check
