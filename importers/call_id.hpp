// The calls of imported and recorded runs. Each has a name in the program, with its rank and its number:
//
//   S2_1          call 1 of rank 2 is a send
//   R2_1          call 1 of rank 2 is a receive
//   R2_1.0        one message of this call: the one from rank 0 if the call is collective
//   R2_1.2        the second call with this number, in an imported file that uses numbers again
//   R2_1.P0       probe 0 of rank 2, and the receive of what it saw, which is call 1
//   P2_0          probe 0 of rank 2
//   C2_1          call 1 of rank 2 is a collective
//   T2_1          an event of an MP trace, which numbers sends and receives alike
//
// Only what reads or writes files and programs looks at these names. Everything else passes a CallId:
//
//   CallId const id = *call_id_of("R2_1");
//   name_of(id)          // "R2_1"
//   variable_of(id)      // "x2_1"
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace matchpoint::importers {

/// The largest number that a process or endpoint can have.
inline constexpr std::uint32_t max_process = 99'999;

struct CallId {
    enum class Kind : std::uint8_t { send, receive, probed_receive, probe, collective, event };

    std::uint32_t rank = 0;   // at most max_process
    std::uint32_t number = 0; // of the call, or of the probe, in its rank
    Kind kind = Kind::send;
    std::optional<std::uint32_t> part = {}; // of sends and receives; of probed_receive the probe

    auto operator<=>(CallId const&) const = default;
};

/// Whether it is a send or receive that the rank made itself, and no message of a collective call.
constexpr bool is_point_to_point(CallId const& id) {
    using Kind = CallId::Kind;
    return id.kind == Kind::probed_receive || (!id.part && (id.kind == Kind::send || id.kind == Kind::receive));
}

std::string name_of(CallId const& id);
/// None if the name is not one that name_of() makes.
std::optional<CallId> call_id_of(std::string_view name);

/// The variable that a receive sets if its file does not name one: `x2_1`, `x2_1.0`; `x2_1` also of what a probe saw.
std::string variable_of(CallId const& id);

} // namespace matchpoint::importers
