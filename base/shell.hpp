// Command lines that users copy into a shell.
#pragma once

#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::base {

/// A word for a shell, on one line and quoted where needed. Bytes that do not print are shown as messages show names.
std::string shell_word(std::string_view word);

} // namespace matchpoint::base
