// What `rma flushes` has decided, in a file (--state), so that it can be resumed.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/files.hpp"
#include "report/json.hpp"
#include "rma/search/flushes.hpp"

namespace matchpoint::cli {

class FlushesState {
public:
    /// No path: nothing is kept. The program has to outlive it. `engine`: who decides; empty for exploration.
    FlushesState(std::string path, rma::Program const& program, rma::FlushOptions const& options,
                 std::string const& engine);
    FlushesState(FlushesState const&) = delete;
    FlushesState& operator=(FlushesState const&) = delete;
    /// Writes what is not yet in the file.
    ~FlushesState();

    /// What is wrong with the file; empty if nothing, or if there is no file.
    std::string read();
    std::optional<rma::Decision> known(rma::Placement const& placement) const;
    /// Writes the file, unless it was written a moment ago.
    void keep(rma::Placement const& placement, rma::Decision const& decision);
    /// Writes what is not yet in the file. Returns why the file could not be written, now or before.
    FileError write();

private:
    bool take(report::Json const& answer);
    report::Json json() const;

    std::string path_;
    rma::Program const& program_;
    report::Json identity_;
    std::map<rma::Placement, rma::Decision> decisions_;
    bool is_written_ = true;
    std::chrono::steady_clock::time_point next_;
    FileError failed_;
};

} // namespace matchpoint::cli
