// The text below the options in `--help`, taken apart: paragraphs, and sections such as
//
//     Examples:
//       matchpoint run traces/figure1.ctp      every trace, and why it ended so
//     Exit codes: 0 done, 2 usage.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace matchpoint::cli {

struct Footer {
    struct Entry {
        std::string term;    // "matchpoint run traces/figure1.ctp", "0"; may be indented further
        std::string meaning; // may be empty
    };
    struct Section {
        std::string heading; // "Examples", "Exit codes"
        std::vector<Entry> entries;
        std::vector<std::string> paragraphs; // below them
    };

    std::vector<std::string> paragraphs; // of no section
    std::vector<Section> sections;
};

Footer footer_of(std::string_view text);

} // namespace matchpoint::cli
