// A visitor of several lambdas, for the sets that the paper closes (c, e, k, m): without a default arm a new production
// does not compile until every visitor knows it.
#pragma once

#include "rooms.hpp"

namespace matchpoint::grammar {

template <typename... Fs>
struct overloaded : Fs... {
    using Fs::operator()...;
};

template <typename... Fs>
overloaded(Fs...) -> overloaded<Fs...>; // clang 14 does not deduce it

} // namespace matchpoint::grammar
