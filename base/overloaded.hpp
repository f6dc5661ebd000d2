// A visitor made of lambdas, for the sets that the paper closes (c, e, k, m). Visitors have no default arm, so a new
// production breaks the build in every place that must know it:
//
//   std::visit(overloaded{
//                  [](Assume const&) { ... },
//                  [](Wait const& c) { ... },
//              },
//              command);
#pragma once

#include "rooms.hpp"

namespace matchpoint::base {

template <typename... Fs>
struct overloaded : Fs... {
    using Fs::operator()...;
};

template <typename... Fs>
overloaded(Fs...) -> overloaded<Fs...>; // clang 14 does not deduce it

} // namespace matchpoint::base
