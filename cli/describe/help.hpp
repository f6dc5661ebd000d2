// `--help`, for terminals of 80 columns or fewer.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace matchpoint::cli {

std::shared_ptr<CLI::FormatterBase> help_formatter();

} // namespace matchpoint::cli
