// The parts of commands (ast.hpp): their names and expressions, whatever the command. What is written with these
// functions knows a new command as soon as it is declared.
//
//   for_each_part(command, overloaded{[&](Variable x) { count(x); }, [](auto const&) {}});
#pragma once

#include <tuple>
#include <variant>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

template <typename T>
inline constexpr bool is_selectors = false;
template <typename N>
inline constexpr bool is_selectors<SelectorsOf<N>> = true;

template <typename T>
inline constexpr bool is_assignments = false;
template <typename N>
inline constexpr bool is_assignments<std::vector<AssignmentOf<N>>> = true;

/// Calls `f` with each name in a receive's selectors.
template <typename Selectors, typename F>
void for_each_selected(Selectors& sel, F&& f) {
    auto const all = [&](auto& names) {
        if (names)
            for (auto& name : *names) f(name);
    };
    all(sel.from);
    all(sel.tags);
    if (sel.source) f(*sel.source);
    if (sel.tagged) f(*sel.tagged);
}

/// Calls `f` with each part of a command, in the order of the text; of a draft also with each name in a receive's
/// selectors, and with the variables and expressions of a guarded assignment.
template <typename Command, typename F>
void for_each_part(Command& command, F&& f) {
    auto const visit = [&]<typename Part>(Part& part) {
        if constexpr (is_selectors<std::remove_const_t<Part>>)
            for_each_selected(part, f);
        else if constexpr (is_assignments<std::remove_const_t<Part>>)
            for (auto& [x, e] : part) {
                f(x);
                f(e);
            }
        else
            f(part);
    };
    std::visit([&]<typename C>(C& c) { std::apply([&](auto&... part) { (visit(part), ...); }, C::parts(c)); }, command);
}

/// The same selectors with other names.
template <typename To, typename From, typename F>
SelectorsOf<To> selectors_with(SelectorsOf<From> const& sel, F&& f) {
    auto const all = [&](auto& to, auto const& names) {
        if (!names) return;
        to.emplace();
        for (auto const& name : *names) to->push_back(f(name));
    };
    SelectorsOf<To> result;
    all(result.from, sel.from);
    all(result.tags, sel.tags);
    if (sel.source) result.source = f(*sel.source);
    if (sel.tagged) result.tagged = f(*sel.tagged);
    return result;
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
