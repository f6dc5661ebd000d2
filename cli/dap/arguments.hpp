// Numbers and texts in the arguments of a request. Each function throws RequestError if the argument is not what it
// should be (cli/rpc/json_rpc.hpp has more such functions).
#pragma once

#include <optional>

#include "cli/rpc/json_rpc.hpp"

namespace matchpoint::cli {

/// A whole number from 0 on; none if it is not given.
inline std::optional<std::size_t> whole(Parameters const& arguments, std::string_view key) {
    Incoming const* const value = arguments.find(key);
    if (value == nullptr || value->is_null()) return std::nullopt;
    constexpr std::int64_t most = std::int64_t{1} << 53U;
    if (!value->is_number_integer() || (!value->is_number_unsigned() && value->get<std::int64_t>() < 0) ||
        value->get<std::uint64_t>() > static_cast<std::uint64_t>(most))
        bad_parameter(fmt::format("`{}` has to be a whole number", key));
    return value->get<std::size_t>();
}

inline std::size_t need_whole(Parameters const& arguments, std::string_view key) {
    auto const value = whole(arguments, key);
    if (!value) bad_parameter(fmt::format("`{}` is missing", key));
    return *value;
}

/// Empty if it is not given.
inline std::string text(Parameters const& arguments, std::string_view key) {
    Incoming const* const value = arguments.find(key);
    if (value == nullptr || value->is_null()) return {};
    return arguments.need_text(key);
}

} // namespace matchpoint::cli
