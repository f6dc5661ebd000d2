// A visitor made of lambdas, for the sets that the paper closes (c, e, k, m). Visitors have no default arm, so a new
// production breaks the build in every place that must know it:
//
//   std::visit(overloaded{
//                  [](Assume const&) { ... },
//                  [](Wait const& c) { ... },
//              },
//              command);
//
// An arm can take several alternatives: `[](OneOf<Wait, Meet> auto const&) {}`. They are still all named.
#pragma once

#include <concepts>

#include "rooms.hpp"

namespace matchpoint::base {

template <typename... Fs>
struct overloaded : Fs... {
    using Fs::operator()...;
};

template <typename... Fs>
overloaded(Fs...) -> overloaded<Fs...>; // clang 14 does not deduce it

template <typename E, typename... Es>
concept OneOf = (std::same_as<E, Es> || ...);

} // namespace matchpoint::base
