// Reductions of programs with remote memory access to sequentially consistent ones: somebody's command, or one of ours.
//
//   TemporaryFolder const folder;
//   auto const reducer = make_reducer({.command = {"./reduce", "{rma}"}}, path_of(folder));
//   Reply const reply = reducer->ask(program);
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validate/external_command.hpp"
#include "validate/reducers/outcome.hpp"

namespace matchpoint::validate::reducers {

struct ReducerOptions {
    /// A command. In its arguments {rma} stands for a file with the program; if it is missing, the program is on
    /// standard input. A single word may be the name of a reduction of ours: `exact`, or `literal-R3`, `literal-R2-R7`
    /// and so on.
    std::vector<std::string> command;
    ExternalLimits limits = {};
    OutcomeLimits outcome = {};
};

struct Reply {
    std::optional<Outcome> outcome; // if none, see trouble
    NoAnswer trouble = NoAnswer::none;
    std::string what;    // describes the trouble
    std::string printed; // the reduced program
};

class Reducer {
public:
    virtual ~Reducer() = default;
    virtual Reply ask(rma::Program const& program) = 0;
};

/// What a built-in reduction reads literally. None if there is no reduction of this name.
std::optional<rma::Literal> built_in(std::string_view name);

/// For one thread; `folder` is for its files.
std::unique_ptr<Reducer> make_reducer(ReducerOptions const& options, std::filesystem::path const& folder);

} // namespace matchpoint::validate::reducers
