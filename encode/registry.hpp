// All encoders by name: `exact` and `schedule`, our own, and the papers', each to the letter. A program goes in, an SMT
// problem comes out that is satisfiable if, according to the encoder, some run fails:
//
//   Encoder const* const encoder = find_encoder("section5-zero");
//   Expected<std::string, std::string> const problem = encoder->encode({.messages = messages});
//   if (!problem) complain(problem.error()); // "section5-zero is for zero buffering"
//
// `matchpoint encode --encoding NAME` and `matchpoint validate -- NAME` take these names. A new encoder is one row of
// the table in registry.cpp and one file with its function.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/expected.hpp"
#include "encode/encoder.hpp"
#include "executions/exact_pairs.hpp"
#include "executions/shared/causal_model.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::encode {

/// A program, and what encoders need of it.
struct EncoderInput {
    MessageIndex const& messages;
    /// For encoders of all executions: the method to find match pairs, or the pairs themselves, which must outlive
    /// this.
    PairsMethod method = PairsMethod::tight;
    Budget budget = {}; // of that method
    MatchPairs const* pairs = nullptr;
    /// For encoders of one trace: the trace, which must outlive this.
    Schedule const* trace = nullptr;
    /// Only the executions of this model count, by default all. It must outlive this.
    CausalModel const* model = nullptr;
};

struct Encoder {
    enum class Of : std::uint8_t { all_executions, one_trace };
    enum class Asks : std::uint8_t {
        anything,         // EncoderOptions::asked and ::order are free
        failure_in_order, // they must have their defaults
        failure_of_steps, // the same, of programs with shared variables, about complete runs or executions
        few_switches,     // the same, with a bound on context switches
        any_switches      // the same, with such a bound or without
    };
    /// Why there is no problem; none if it has been written.
    using Refusal = std::optional<std::string>;

    std::string_view name;
    std::string_view source; // "Sections 5.1 to 5.3 of the paper"
    Bufferings bufferings;
    Of of;
    Asks asks;
    Refusal (*function)(EncoderInput const&, EncoderOptions const&, Sink const&);

    bool handles(Buffering b) const { return contains(bufferings, b); }
    bool is_of_one_trace() const { return of == Of::one_trace; }

    /// Whether the encoder does not handle the options.
    Refusal refuses(EncoderOptions const& options) const;
    /// Whether it does not handle the program, whatever the options.
    Refusal refuses(MessageIndex const& messages) const;
    /// Whether it does not handle the program with these options; `has_model`: about the executions of a causal model.
    Refusal refuses(MessageIndex const& messages, EncoderOptions const& options, bool has_model = false) const;
    /// Writes SMT-LIB 2.6, unless it refuses one of these, or the input gives no problem. Throws LimitReached.
    Refusal write(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) const;
    /// The same as one string.
    Expected<std::string, std::string> encode(EncoderInput const& input, EncoderOptions const& options = {}) const;
};

std::span<Encoder const> encoders();
/// Null if no encoder has that name.
Encoder const* find_encoder(std::string_view name);

/// Trace t of the program, as EncoderInput takes it.
Schedule schedule_of(IndexedProgram const& code, std::size_t t);

} // namespace matchpoint::encode
