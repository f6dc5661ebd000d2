// The files of the conformance suite: the programs, their expected results as JSON (docs/schema/suite*.schema.json), an
// index, and the documentation, schemas and script that come with them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "suite/expected.hpp"
#include "suite/programs.hpp"

namespace matchpoint::suite {

struct File {
    std::string path; // below the suite's folder: "expected/small-000017.json"
    std::string text;
};

struct Contents {
    std::vector<File> files;
    std::size_t programs = 0;
    std::size_t traces = 0;
};

/// All files. Takes some seconds.
Contents contents();

/// The text of expected/ID.json.
std::string expected_json(SuiteProgram const& program, IndexedProgram const& code);

} // namespace matchpoint::suite
