#include "tests/support/source_dir.hpp"

namespace matchpoint::test {

std::filesystem::path source_dir() { return MATCHPOINT_SOURCE_DIR; }

} // namespace matchpoint::test
