// What a solver's model says, by symbol.
//
//   ModelValues values(model);
//   std::int64_t const time = values("order_11");
//   if (!values.missing().empty()) complain(values.missing());
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "rooms.hpp"

namespace matchpoint::encode {

class ModelValues {
public:
    explicit ModelValues(std::string_view model);

    /// An integer, or 1 for `true` and 0 for `false`; 0 if there is none, or it does not fit.
    std::int64_t operator()(std::string const& symbol);
    /// The first symbol that was asked for and is not there; empty if there is none.
    std::string const& missing() const { return missing_; }

private:
    boost::unordered_flat_map<std::string, std::int64_t> values_;
    std::string missing_;
};

} // namespace matchpoint::encode
