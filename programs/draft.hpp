// A program as data to make and to change: threads of commands, with names and expressions as text. What generates
// programs and what shrinks them works on drafts; the parser turns the text of one into a Program (grammar/ast.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::programs::draft {

/// [rho c]; what a command of its kind has no part in is empty.
struct Command {
    enum class Kind : std::uint8_t { assume, assert_, assign, sndi, rcvi, wait };
    Kind kind = Kind::wait;
    std::string a = {};     // sndi, rcvi, wait: the action
    std::string alpha = {}; // sndi: the source endpoint
    std::string beta = {};  // sndi, rcvi: the destination
    std::string x = {};     // assign, rcvi: the variable
    std::string e = {};     // assume, assert, assign, sndi: the expression, in the trace language
    std::string rho = {};   // empty: name_locations() or print() gives it one

    bool operator==(Command const&) const = default;
};

Command assume(std::string e);
Command assert_(std::string e);
Command assign(std::string x, std::string e);
Command sndi(std::string a, std::uint32_t alpha, std::uint32_t beta, std::string e);
Command rcvi(std::string a, std::uint32_t beta, std::string x);
Command wait(std::string a);

using Thread = std::vector<Command>;

/// (rho m): movements (beta alpha) after the command at rho.
struct Entry {
    std::string rho;
    std::vector<std::pair<std::string, std::string>> m;
    bool operator==(Entry const&) const = default;
};
using Trace = std::vector<Entry>;

struct Draft {
    std::string comment = {}; // what it is: lines at the top, without their `;`
    std::vector<Thread> threads = {};
    std::vector<Trace> traces = {};
    bool operator==(Draft const&) const = default;

    std::size_t commands() const;
};

/// Gives every command without a location one that no other has: thread and place, as in the paper ("02", "13") while
/// both have one digit, else "t1.c13".
void name_locations(Draft& draft);

/// In the trace language, a command and an entry a line, and every command on its thread's indent. Linear.
std::string print(Draft draft);

/// The draft that a program is: names are the program's, a second location in sndi and rcvi (errata E3) is left out.
Draft draft_of(Program const& program);

} // namespace matchpoint::programs::draft
