#include <matchpoint/version.hpp>

#define MATCHPOINT_TEXT_OF(x) #x
#define MATCHPOINT_TEXT(x) MATCHPOINT_TEXT_OF(x)

namespace matchpoint::api {

std::string_view version() {
    return MATCHPOINT_TEXT(MATCHPOINT_VERSION_MAJOR) "." MATCHPOINT_TEXT(MATCHPOINT_VERSION_MINOR) "." MATCHPOINT_TEXT(
        MATCHPOINT_VERSION_PATCH);
}

} // namespace matchpoint::api
