// What encoders are asked, and where they write: shared by the exact encoding (exact.hpp) and the papers' own
// (literal_encoders.hpp). registry.hpp has all of them by name.
#pragma once

#include <functional>
#include <string_view>

#include "executions/asked.hpp"
#include "executions/runs.hpp"
#include "matching/match_pairs.hpp"
#include "smt_machine/term.hpp"

namespace matchpoint::encode {

struct EncoderOptions {
    Buffering buffering = Buffering::infinite;
    Asked asked = Asked::failure;
    /// Which runs `failure` is about. Questions other than that are about complete runs.
    Runs runs = Runs::complete;
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
