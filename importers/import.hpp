// Programs from what other tools write: traces of message passing, which record one path of each process.
//
//   Source const file("race.txt", "T0_0: rcv(0, a)\nT1_0: snd(0, 4)\n");
//   Import const result = import_program({&file, 1}, Format::mp);
//   if (result.draft) std::cout << draft::print(*result.draft);
//   else std::cerr << render(result.reports[0], file);
//
// docs/formats.md has the grammars, what becomes of each call, and the rules I1 to I6.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/diagnostics.hpp"
#include "importers/format.hpp"
#include "programs/draft.hpp"

namespace matchpoint::importers {

struct Import {
    std::optional<draft::Draft> draft; // none if a report is an error
    std::vector<Diagnostics> reports;  // for each file
};

/// The program of the files of one run, each with other processes. `undefined` is the value of variables that are read
/// and never written; without it they are errors. Takes time linear in the size of the files.
Import import_program(std::span<Source const> files, Format format, std::optional<Value> const& undefined = {});

} // namespace matchpoint::importers
