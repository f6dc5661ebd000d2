// The fewest context switches with which a search has reached each state (few_switches.hpp, bounded_classes.hpp).
#pragma once

#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

#include "rooms.hpp"

namespace matchpoint::executions {

class LeastSwitches {
public:
    void clear() { least_.clear(); }
    /// Whether a state, told by its key, was come to with fewer switches.
    bool has_fewer(std::string const& key, std::uint32_t switches) const {
        auto const known = least_.find(key);
        return known != least_.end() && known->second < switches;
    }
    /// Whether a state, told by its key, was come to with as few switches. If not, it now is.
    bool is_worse(std::string const& key, std::uint32_t switches) {
        auto const [known, is_new] = least_.try_emplace(key, switches);
        if (is_new) return false;
        if (known->second <= switches) return true;
        known->second = switches;
        return false;
    }

private:
    boost::unordered_flat_map<std::string, std::uint32_t> least_;
};

} // namespace matchpoint::executions
