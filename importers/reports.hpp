// What is wrong with imported files, collected file by file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "importers/calls.hpp"

namespace matchpoint::importers {

class Reports {
public:
    explicit Reports(std::size_t files) : of_file_(files) {}

    /// The rules are I1 to I6 (docs/formats.md), "syntax" and "limit". max_diagnostics errors and as many warnings are
    /// kept for a file.
    void error(std::string_view rule, Place const& place, std::string message, std::string hint = {});
    void warning(std::string_view rule, Place const& place, std::string message, std::string hint = {});

    /// Whether there is an error.
    bool refused() const { return refused_; }
    /// No more errors can be collected for this file.
    bool is_full(std::uint32_t file) const { return of_file_[file].errors >= max_diagnostics; }

    /// For each file, in the order of its text.
    std::vector<Diagnostics> take();

private:
    struct OfFile {
        Diagnostics all = {};
        std::size_t errors = 0;
        std::size_t warnings = 0;
    };
    void add(Severity severity, std::string_view rule, Place const& place, std::string message, std::string hint);

    std::vector<OfFile> of_file_;
    bool refused_ = false;
};

} // namespace matchpoint::importers
