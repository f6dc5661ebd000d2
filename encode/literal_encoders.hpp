// The papers' encoders, each to the letter, flaws included (docs/errata.md): `exact` is compared with them.
//
// They ask for a failure, and have an order; of the options only the buffering and those of the text count.
#pragma once

#include <string>
#include <vector>

#include "base/expected.hpp"
#include "encode/encoder.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::encode {

/// Sections 5.1 to 5.3 of the paper. Above each constraint are the words that it is written from. Errata E5, E6, E10,
/// E11, E12, E26, E31 and E33 say where they go wrong. (We follow Definition 6 to the letter as well, errata E24, which
/// changes no answer: nothing comes after a wait, E11.) Throws std::logic_error unless the options ask for infinite
/// buffering, a failure, and order.
std::string encode_section5(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// The same with Section 5.4, zero buffering.
std::string encode_section5_zero(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// Figures 2 and 3 of the short paper. Quadratic in the number of receives, as Figure 3 is.
std::string encode_short_paper(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// The order-based encoding of Elwakil and Yang, as far as Section 6.1 of the paper describes it; zero buffering. Cubic
/// in the number of sends, receives and waits.
std::string encode_order_based(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// Figures 9 and 10 of the paper, for one trace. The error says why the trace is not smt-enabled (Definition 16), or
/// which constant has two sorts (errata E7).
Expected<std::string, std::string> encode_figures_9_10(IndexedProgram const& code, Schedule const& trace,
                                                       EncoderOptions const& options);

// ---- Symbolic Predictive Analysis ----
// Of programs without messages: its events are guarded assignments and assertions. It knows two notions of a feasible
// run at once (errata F1), so the questions are about complete runs or about executions, as one likes.

/// Sections 4.1 and 4.2, with the strict order of Section 4.3. Above each constraint are the words that it is written
/// from. Errata F2, F3, F4, F5 and F19 say where they go wrong. The thread-local preceding event is the predecessor, as
/// in Figure 4, though the definition also holds of later events (errata F12). Every assertion is negated (F5). Cubic,
/// as the paper says.
std::string encode_fusion(MessageIndex const& messages, EncoderOptions const& options);

/// "When HB(t, t') is a constant, we replace it with true or false": without this footnote Section 5.1 is wrong (errata
/// F9).
enum class Footnote3 : bool { left_out, applied };

/// Section 5: at most `switches` context switches, which the options have to say (std::logic_error). Errata F7, F8, F10
/// and F18 beside those of Section 4.
std::string encode_fusion_bounded(MessageIndex const& messages, EncoderOptions const& options,
                                  Footnote3 footnote = Footnote3::applied);

/// Section 6: the constrained model of a trace, as in Figure 6, by the encoding of Section 4. A primitive is an event
/// that accesses synchronisation variables only, beside locals (errata F14). The error says that the trace leaves the
/// recorded path, that an event has none of the forms of Section 6 (F20), or that the definition of a local is gone
/// (F15).
Expected<std::string, std::string> encode_fusion_mcm(IndexedProgram const& code, Schedule const& trace,
                                                     EncoderOptions const& options);
/// What Section 6 has of a command that was executed: Figure 5.
struct ConcreteEvent {
    enum class Form : std::uint8_t { primitive, assertion, nothing, read, write } form;
    Location rho;
    Variable x = {}; // of a read and a write
    Value v = {};
};
/// Those of a trace in its order, or why there is no model.
Expected<std::vector<ConcreteEvent>, std::string> concrete_events(IndexedProgram const& code, Schedule const& trace);
/// That model, as a program.
Expected<Program, std::string> constrained_model(IndexedProgram const& code, Schedule const& trace);

/// Receive -> its nearest-enclosing wait by the letter of Definition 6: among the waits of its task, not of its
/// endpoint (errata E24). For programs that obey rule D3.
std::vector<Location> nearest_enclosing_waits(MessageIndex const& messages);

} // namespace matchpoint::encode
