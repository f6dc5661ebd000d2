// Blocks: parts of a thread that are atomic to all others, as far as some shared variables are concerned. What a thread
// does with these variables in a region of their lock is one block; a command alone is always one.
//
//   Blocks const blocks(messages, proofs, accesses, is_guarded);
//   for (Block const& b : blocks.of(thread)) ...
//
// A block goes from one access to the variables to another one of the same thread. Between the two no other thread
// writes them and, if the block writes them, no other thread reads them. So in every execution on the path the blocks
// that are executed do to these variables what they would do one after the other.
#pragma once

#include <span>
#include <vector>

#include "counting/proofs.hpp"
#include "executions/shared/accesses.hpp"

namespace matchpoint::counting {

struct Block {
    std::uint32_t first; // commands, both included
    std::uint32_t last;
    bool writes;
};

class Blocks {
public:
    /// The longest blocks that are known, of variables given by their number. `accesses`: shared_accesses(messages). At
    /// most the square of the number of commands that access them. Throws OutOfTime.
    Blocks(MessageIndex const& messages, Proofs const& proofs, std::vector<executions::Accesses> const& accesses,
           std::vector<bool> const& variables);

    /// Those of a thread, in its order. Every command that accesses the variables is in one.
    std::span<Block const> of(std::uint32_t thread) const;
    /// The one that a command is in; null if it is in none.
    Block const* at(std::uint32_t command) const;
    /// Whether each block of the others is part of one of these.
    bool cover(Blocks const& others) const;

private:
    IndexedProgram const* code_;
    std::vector<Block> all_;
    std::vector<std::uint32_t> first_; // thread -> its first one in all_; and the end
};

} // namespace matchpoint::counting
