// What encoders are asked, and where they write: shared by the exact encoding (exact.hpp) and the papers' own
// (literal_encoders.hpp). registry.hpp has all of them by name.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "executions/asked.hpp"
#include "executions/runs.hpp"
#include "matching/match_pairs.hpp"
#include "smt_machine/term.hpp"

namespace matchpoint::encode {

/// How a read of a shared variable says which writes come before its own (exact_shared.hpp).
enum class OrderOfWrites : std::uint8_t {
    clock, // each is compared with the time of the write that is read: linear in the number of writes
    pairs, // each is compared with each write that may be read, as Section 4.2 of Symbolic Predictive Analysis has it
};

/// How a bound on context switches is written (exact_shared.hpp).
enum class SwitchesBy : std::uint8_t {
    segments, // each command lies between two of so many boundaries: the size of the program times the bound
    owner, // the time of a command is the number of its segment, which belongs to one thread: an uninterpreted function
};

struct EncoderOptions {
    Buffering buffering = Buffering::infinite;
    Asked asked = Asked::failure;
    /// Which runs `failure` is about. Questions other than that are about complete runs.
    Runs runs = Runs::complete;
    /// Only executions with at most so many context switches. None if all count.
    std::optional<std::uint32_t> switches = {};
    SwitchesBy switches_by = SwitchesBy::segments;
    OrderOfWrites writes = OrderOfWrites::clock;
    bool order = true;     // false: leave out order and instants, for a loop that adds cycles as it finds them
    bool check_sat = true; // (check-sat) at the end
    bool cores = false;    // (set-option :produce-unsat-cores true)
    bool models = false;   // (set-option :produce-models true)
};

/// One buffering or both.
enum class Bufferings : std::uint8_t { infinite, zero, both };

constexpr bool contains(Bufferings all, Buffering b) {
    return all == Bufferings::both || (all == Bufferings::zero) == (b == Buffering::zero);
}

/// Receives the text, part by part.
using Sink = std::function<void(std::string_view)>;

} // namespace matchpoint::encode
