#include "machine/reason.hpp"

#include <array>

namespace matchpoint::machine {

std::string_view reason_label(std::size_t index) {
    // In the order of the variant.
    static constexpr std::array<std::string_view, reason_count> labels{
        "not next",
        "nothing in transit",
        "no posted partner",
        "message not there",
        "send not taken",
        "send not issued",
        "receive not pending",
        "no value",
        "wrong sort",
        "division by zero",
        "trace used up",
        "not at barrier",
        "guard false",
        "no receive for a ready send",
        "nothing to probe",
        "wrong peek",
        "not matched",
        "not called",
        "mismatch",
    };
    return labels.at(index);
}

} // namespace matchpoint::machine
