// What the commands of some threads name: the part of a state that concerns these threads.
#pragma once

#include <set>
#include <vector>

#include "machine/indexed_program.hpp"

namespace matchpoint::cli {

class Part {
public:
    /// No threads: everything.
    Part(IndexedProgram const& code, std::set<std::uint32_t> const& threads);

    bool has_thread(std::uint32_t t) const { return all_ || threads_[t]; }
    bool has(Variable x) const { return all_ || variables_[x.index]; }
    bool has(Action a) const { return all_ || actions_[a.index]; }
    /// Some of these threads receive there.
    bool has(Endpoint beta) const { return all_ || receives_at_[beta.index]; }
    /// They send into it, or receive at its end.
    bool has(Channel c) const { return all_ || sends_into_[c.index] || has((*code_)[c].beta); }

private:
    void add(grammar::Command const& command);

    IndexedProgram const* code_;
    bool all_;
    std::vector<bool> threads_;
    std::vector<bool> variables_;
    std::vector<bool> actions_;
    std::vector<bool> receives_at_;
    std::vector<bool> sends_into_;
};

} // namespace matchpoint::cli
