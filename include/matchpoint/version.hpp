// The version of the library, by https://semver.org: below 1.0, the second number grows when something that was there
// is gone or means something else. tests/api compares each header with that of the last release.
#pragma once

#include <string_view>

#define MATCHPOINT_VERSION_MAJOR 0
#define MATCHPOINT_VERSION_MINOR 2
#define MATCHPOINT_VERSION_PATCH 0

namespace matchpoint::api {

/// "0.2.0", of the library that is linked.
std::string_view version();

} // namespace matchpoint::api
