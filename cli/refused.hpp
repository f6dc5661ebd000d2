// Why a command of a session (cli/repl/, cli/dap/) cannot be run.
#pragma once

#include <stdexcept>

namespace matchpoint::cli {

/// Nothing has changed.
class Refused : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace matchpoint::cli
