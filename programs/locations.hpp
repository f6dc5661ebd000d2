// The locations of a draft's commands, where some are left out.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "programs/draft.hpp"

namespace matchpoint::programs::draft {

class Locations {
public:
    explicit Locations(Draft const& draft);

    /// The location of a command, which has that one or none. To be asked once for each command, in order; valid until
    /// the next one.
    std::string_view operator()(std::size_t thread, std::size_t place, std::string const& rho);

private:
    bool digits_ = true;          // a digit for each is enough
    std::set<std::string> taken_; // empty if none can be taken
    std::string made_up_;
};

} // namespace matchpoint::programs::draft
