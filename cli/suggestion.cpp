#include "cli/suggestion.hpp"

#include <algorithm>
#include <vector>

#include "base/nearest_name.hpp"
#include "base/source.hpp"

namespace matchpoint::cli {

std::string name_suggestion(std::string_view word, Names const& names, std::uint32_t count) {
    constexpr std::uint32_t most = 20'000;
    std::vector<std::string_view> candidates;
    for (std::uint32_t i = 0; i < std::min({names.size(), count, most}); ++i)
        if (printable(names[i]) == names[i]) candidates.push_back(names[i]);
    return did_you_mean(word, candidates);
}

} // namespace matchpoint::cli
