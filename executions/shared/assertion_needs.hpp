// What has to be executed before an assertion can fail (counting/assertion_needs.hpp finds out). So a search that looks
// for failures with few context switches knows where there are too few left (few_switches.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::executions {

struct AssertionNeeds {
    static constexpr std::uint32_t none = UINT32_MAX;

    /// A thread has to be at a command, or beyond it.
    struct Need {
        std::uint32_t thread;
        std::uint32_t until; // command
    };

    std::vector<std::uint32_t> next; // command -> the number of the next assertion of its thread that may fail, it or a
                                     // later one; or none
    std::vector<std::uint32_t> first; // number of an assertion -> its first need; and the end
    std::vector<Need> needs;          // of other threads; those of a later assertion of a thread contain the others

    std::span<Need const> of(std::uint32_t assertion) const {
        return std::span(needs).subspan(first[assertion], first[assertion + 1] - first[assertion]);
    }
};

} // namespace matchpoint::executions
