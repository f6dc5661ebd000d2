// One thing that is wrong in a run: its kind, and where it is.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::record {

/// Where a call comes from; an empty file: that is not known.
struct SourceLine {
    std::string file;
    std::uint32_t line = 0;

    auto operator<=>(SourceLine const&) const = default;
};

enum class FindingKind : std::uint8_t {
    argument,
    unfinished_request,
    freed_request,
    never_started,
    persistent_leak,
    communicator_leak,
    group_leak,
    type_leak,
    operation_leak,
    window_leak,
    unreceived_message,
    type_mismatch,
    count_mismatch,
    truncation,
    buffer_changed,
    buffer_overlap,
    collective_mismatch,
    ready_send,
    probe_race,
    missing_epoch,
    double_epoch,
    unended_epoch,
    unbegun_epoch,
    missed_flush,
    window_race,
    window_assertion,
};

struct FindingInfo {
    std::string_view id;    // "type-mismatch"
    std::string_view brief; // a sentence
    bool is_error;          // MPI forbids it; otherwise it is unwise
};
FindingInfo const& info(FindingKind kind);
/// None of a word that is not an id.
std::optional<FindingKind> finding_kind(std::string_view id);
constexpr std::size_t finding_kinds = static_cast<std::size_t>(FindingKind::window_assertion) + 1;

struct Finding {
    FindingKind kind = FindingKind::argument;
    std::uint32_t rank = 0;
    SourceLine at;
    std::string function; // "MPI_Isend"; empty if the text says all
    std::string text;     // "its request is never completed"
    struct Other {
        std::uint32_t rank = 0;
        SourceLine at;

        bool operator==(Other const&) const = default;
    } other = {};              // another place that has to do with it, if its file is not empty
    bool is_predicted = false; // of a run that can be, and was not
    /// A match that is predicted: a receive of `rank`, and a send of another one, by the numbers of the calls.
    struct Match {
        std::uint32_t receive;
        std::uint32_t sender;
        std::uint32_t send;

        auto operator<=>(Match const&) const = default;
    };
    std::vector<Match> matches = {}; // any of them is what is wrong

    bool operator==(Finding const&) const = default;
};

} // namespace matchpoint::record
