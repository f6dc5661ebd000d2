// The events of an execution that matter to a question about a program with shared variables, and their symbols.
//
//   x_c       command c is executed; of a complete run, that is known
//   order_c   when it is executed: positive
//   instant_R when a rendezvous takes place, and filled_R, that it does: zero buffering
//   M_R, place_S as in exact.hpp; 0: R gets no message
//
// Executions are sliced: what threads do after the last command that some assertion depends on is left out, as it makes
// no difference whether that is executed. In the rest, the values that no guard, assertion or divisor depends on are
// left out, with the reads of them and the order of their writes. What is left needs an order only if other threads can
// tell.
#pragma once

#include <string>
#include <vector>

#include "encode/cssa.hpp"
#include "encode/encoder.hpp"
#include "executions/shared/causal_model.hpp"

namespace matchpoint::encode {

class SharedEvents {
public:
    /// All have to outlive it. Linear in the size of the program and the number of pairs.
    SharedEvents(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options,
                 CausalModel const* model);

    MessageIndex const& messages() const { return messages_; }
    IndexedProgram const& code() const { return messages_.code(); }
    Cssa const& cssa() const { return cssa_; }
    CausalModel const* model() const { return model_; }
    /// Whether there is a bound on context switches, and enough commands to exceed it.
    bool is_bounded() const;
    /// Whether orders are numbers of segments: SwitchesBy::owner.
    bool counts_segments() const { return counts_segments_; }
    bool is_zero() const { return options_.buffering == Buffering::zero; }
    /// Whether every command is executed, up to the end of the trace of a model.
    bool is_complete() const { return options_.runs == Runs::complete || options_.asked != Asked::failure; }

    /// One past the last command of a thread that can be executed.
    std::uint32_t end(std::uint32_t thread) const;
    bool is_possible(Location rho) const { return rho.index < end(code().thread_of(rho)); }
    /// Whether some question, guard or read depends on a symbol.
    bool is_used(Symbol s) const { return is_used_[s.index]; }
    /// Whether it matters that a command is executed, and when.
    bool counts(Location rho) const { return counts_[rho.index]; }
    bool has_order(Location rho) const { return is_ordered_[rho.index]; }
    /// The definitions of other threads that a pi-function chooses among, as indices of Cssa::definitions_of.
    std::vector<std::uint32_t> others(Cssa::Pi const& pi) const;
    /// The sends that a receive may get and that can be executed.
    std::vector<std::uint32_t> sends_of(std::uint32_t receive) const;

    // Terms.

    /// x_c, `true` or `false`; of a command that counts.
    std::string executed(Location rho) const;
    std::string order(Location rho) const;
    std::string instant(std::uint32_t receive) const;
    /// That a receive gets a message.
    std::string filled(std::uint32_t receive) const;
    std::string place(std::uint32_t send) const;
    /// That a send is received.
    std::string taken(std::uint32_t send) const;
    /// Which write a read gets, and when that is executed.
    std::string source(Cssa::Pi const& pi) const;
    std::string clock(Cssa::Pi const& pi) const;

private:
    class Slice;

    void find_used();
    void find_events();
    void find_contested();
    bool is_contested(Variable x) const { return is_contested_[x.index]; }

    MessageIndex const& messages_;
    MatchPairs const& pairs_;
    EncoderOptions const& options_;
    CausalModel const* model_;
    Cssa cssa_;
    std::vector<std::uint32_t> ends_; // thread -> one past the last command that can matter
    std::vector<bool> is_used_;       // symbol
    std::vector<bool> is_contested_;  // variable: some thread reads what another one writes
    std::vector<bool> counts_;        // command
    std::vector<bool> is_ordered_;    // command
    bool counts_segments_ = false;
};

} // namespace matchpoint::encode
