// What the generator of random programs (random.cpp) knows of a program that is not finished.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "programs/dice.hpp"
#include "programs/draft.hpp"

namespace matchpoint::programs::random_parts {

inline constexpr std::uint32_t absent = 0xFFFF'FFFF;

struct Request {
    bool receive = false;
    std::uint32_t endpoint = 0; // of a receive: where; of a send: to which
    std::uint32_t ordinal = 0;  // of a receive: among those at its endpoint
    std::string action = {};
    std::string x = {}; // of a receive
    bool completed = false;
    draft::Selectors sel = {};
    std::uint32_t aim = absent; // of a receive: the message that it is meant for; none for any
};
struct VariableMade {
    std::string name;
    bool boolean = false;
};
struct ThreadMade {
    draft::Thread commands = {};
    std::vector<std::uint32_t> endpoints = {};
    std::vector<Request> requests = {};
    std::vector<std::uint32_t> to_wait = {}; // requests, oldest first
    std::vector<VariableMade> defined = {};
    std::vector<std::string> names = {}; // of all variables
    std::uint32_t sends_left = 0;
};
struct EndpointMade {
    std::uint32_t thread = absent; // none if nobody's
    bool boolean = false;
    std::uint32_t receives_left = 0;
    std::uint32_t receives = 0;
    std::uint32_t sends = 0;
    std::vector<std::uint32_t> aims = {}; // messages that are still to be received
};
struct Message {
    std::uint32_t alpha;
    std::uint32_t beta;
    std::uint32_t number;
    std::uint32_t tag = 0;
};

/// The variable has a value in the commands that follow.
inline void define(ThreadMade& t, std::string const& x, bool boolean) {
    std::erase_if(t.defined, [&](VariableMade const& v) { return v.name == x; });
    t.defined.push_back({x, boolean});
}

/// The variables of threads.
class Locals {
public:
    explicit Locals(Dice& dice) : dice_(dice) {}

    /// Lets variables have several definitions.
    void reuse(bool may) { reuse_ = may; }
    /// A new variable of the thread, or one that it has.
    std::string some(ThreadMade& t) {
        if (reuse_ && !t.names.empty() && dice_.percent(50)) return dice_.one_of(t.names);
        return t.names.emplace_back(fmt::format("x{}", ++count_));
    }

private:
    Dice& dice_;
    bool reuse_ = false;
    std::uint32_t count_ = 0;
};

} // namespace matchpoint::programs::random_parts
