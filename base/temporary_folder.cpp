#include "base/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace matchpoint::base {

TemporaryFolder::TemporaryFolder() {
    char const* const variable = std::getenv("TMPDIR");
    std::string const parent = variable == nullptr || *variable == '\0' ? "/tmp" : variable;
    std::string name = parent + "/matchpoint.XXXXXX";
    if (::mkdtemp(name.data()) != nullptr)
        path_ = name;
    else
        error_ = fmt::format("cannot make a temporary folder in {}: {}", parent, std::strerror(errno));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

} // namespace matchpoint::base
