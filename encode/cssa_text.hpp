// What Symbolic Predictive Analysis makes of a program and of a trace, as text to read beside the paper: the CSSA form
// (Figure 3), the concrete events (Figure 5) and the reduced causal model (Figure 6). Terms and names are those of the
// problems (cssa.hpp).
//
//   Cssa const cssa(messages);
//   print_cssa(messages.code(), cssa, {}, sink);
#pragma once

#include <span>

#include "encode/cssa.hpp"
#include "encode/encoder.hpp"
#include "encode/literal_encoders.hpp"

namespace matchpoint::encode {

/// The threads that are shown; all of them if it is empty.
using ShownThreads = std::span<std::uint32_t const>;

/// The initial values, and the commands thread by thread. Above a command are the pi-functions and the divisors that it
/// names. For programs without messages and barriers. Quadratic, as pi-functions are.
void print_cssa(IndexedProgram const& code, Cssa const& cssa, ShownThreads shown, Sink const& sink);

/// Figure 5: the events of a trace in its order, a line each.
void print_events(IndexedProgram const& code, std::span<ConcreteEvent const> events, ShownThreads shown,
                  Sink const& sink);

/// Figure 6: the commands of the model thread by thread. Those that differ from the program's are marked with `**`.
/// `model` is the constrained model of the trace with these events.
void print_model(IndexedProgram const& code, std::span<ConcreteEvent const> events, Program const& model,
                 ShownThreads shown, Sink const& sink);

} // namespace matchpoint::encode
