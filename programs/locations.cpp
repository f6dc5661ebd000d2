#include "programs/locations.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::programs::draft {

Locations::Locations(Draft const& draft) {
    bool missing = false;
    for (Thread const& t : draft.threads)
        for (LocatedCommand const& c : t) missing |= c.rho.empty();
    if (!missing) return;
    // Those that are made up are different from each other, so where there are no others nobody has to look.
    for (Thread const& t : draft.threads)
        for (LocatedCommand const& c : t)
            if (!c.rho.empty()) taken_.insert(c.rho);
    digits_ = draft.threads.size() <= 10 &&
              std::all_of(draft.threads.begin(), draft.threads.end(), [](Thread const& t) { return t.size() <= 10; });
}

std::string_view Locations::operator()(std::size_t thread, std::size_t place, std::string const& rho) {
    if (!rho.empty()) return rho;
    auto const add = [&](std::string_view sign, std::size_t number) {
        fmt::format_int const digits(number);
        made_up_.append(digits_ ? "" : sign).append(digits.data(), digits.size());
    };
    made_up_.clear();
    add("t", thread);
    add(".c", place);
    while (!taken_.empty() && !taken_.insert(made_up_).second) made_up_ += '\'';
    return made_up_;
}

void name_locations(Draft& draft) {
    Locations locations(draft);
    for (std::size_t t = 0; t < draft.threads.size(); ++t)
        for (std::size_t i = 0; i < draft.threads[t].size(); ++i) {
            std::string& rho = draft.threads[t][i].rho;
            if (rho.empty()) rho = locations(t, i, rho);
        }
}

} // namespace matchpoint::programs::draft
