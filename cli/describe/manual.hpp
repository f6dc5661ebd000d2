// Manual pages, in roff with the macros of man(7): one for `matchpoint`, and one for each of its commands.
#pragma once

#include <string>
#include <vector>

#include "cli/describe/description.hpp"

namespace matchpoint::cli {

struct ManualPage {
    std::string name; // of its file: "matchpoint-check.1"
    std::string text;
};

/// `date` is of the version that they describe, as 2026-11-22.
std::vector<ManualPage> manual_pages(CommandDescription const& top, std::string_view version, std::string_view date);

} // namespace matchpoint::cli
