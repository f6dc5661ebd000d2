// Where the tree is: only the unit that defines this is compiled anew in another checkout.
#pragma once

#include <filesystem>

namespace matchpoint::test {

std::filesystem::path source_dir();

} // namespace matchpoint::test
