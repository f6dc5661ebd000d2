// The parts of commands (ast.hpp): their names and expressions, whatever the command. What is written with these functions
// knows a new command as soon as it is declared.
//
//   for_each_part(command, overloaded{[&](Variable x) { count(x); }, [](auto const&) {}});
#pragma once

#include <tuple>
#include <variant>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// Calls `f` with each part of a command, in the order of the text.
template <typename Command, typename F>
void for_each_part(Command& command, F&& f) {
    std::visit([&]<typename C>(C& c) { std::apply([&](auto&... part) { (f(part), ...); }, C::parts(c)); }, command);
}

/// The same command with other names and expressions: `f` of each part, called in the order of the text.
template <typename To, typename From, typename F>
CommandOf<To> mapped(CommandOf<From> const& command, F&& f) {
    return std::visit(
        [&]<template <typename> typename C>(C<From> const& c) -> CommandOf<To> {
            return std::apply([&](auto const&... part) { return C<To>{f(part)...}; }, C<From>::parts(c));
        },
        command);
}

} // namespace matchpoint::grammar
