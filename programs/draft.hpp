// A program as data that can be edited: threads of commands, with names and expressions as text. Generators build drafts
// and shrinking changes them; the parser turns the text of a draft into a Program (grammar/ast.hpp).
//
//   draft::Draft d{.threads = {{draft::rcvi("R", 0, "x"), draft::wait("R")}, {draft::sndi("S", 1, 0, "1")}}};
//   Source const source("draft", draft::print(d));
//   Program const program = parse(source).value();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::programs::draft {

/// [rho c]. Parts that a command of its kind does not have are empty.
struct Command {
    enum class Kind : std::uint8_t { assume, assert_, assign, sndi, rcvi, wait };
    Kind kind = Kind::wait;
    std::string a = {};     // sndi, rcvi, wait: the action
    std::string alpha = {}; // sndi: the source endpoint
    std::string beta = {};  // sndi, rcvi: the destination
    std::string x = {};     // assign, rcvi: the variable
    std::string e = {};     // assume, assert, assign, sndi: the expression, in the trace language
    std::string rho = {};   // empty: name_locations() or print() chooses one

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
    std::string comment = {}; // lines at the top, without their `;`
    std::vector<Thread> threads = {};
    std::vector<Trace> traces = {};
    bool operator==(Draft const&) const = default;

    std::size_t commands() const;
};

/// Names every command that has no location: by thread and place, as in the paper ("02", "13") if both have one digit in
/// the whole program, else "t1.c13".
void name_locations(Draft& draft);

/// The draft in the trace language, one command or entry a line. Linear.
std::string print(Draft draft);

/// A program as a draft with the same names. Second locations in sndi and rcvi (errata E3) are left out.
Draft draft_of(Program const& program);

} // namespace matchpoint::programs::draft
