#include "cli/describe/help.hpp"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>

#include "base/columns.hpp"
#include "cli/terminal.hpp"

namespace matchpoint::cli {

namespace {

/// As folded(), without a newline at the end.
std::string in_columns(std::string_view text, std::size_t columns) {
    std::string lines = folded(text, columns, 0);
    lines.pop_back();
    return lines;
}

/// The columns that help may take: 80, or those of a terminal that is narrower.
std::size_t columns_for_help() {
    auto const terminal = Terminal::size_of(STDOUT_FILENO);
    return terminal ? std::clamp<std::size_t>(terminal->columns, 20, 80) : 80;
}

class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter() {
        column_width(std::min<std::size_t>(34, columns_ / 2));
        label("REQUIRED", "");
        label("SUBCOMMAND", "COMMAND");
        label("OPTIONS", "OPTION ...");
        label("Subcommands", "Commands");
    }
    std::string make_description(CLI::App const* app) const override {
        return in_columns(CLI::Formatter::make_description(app), columns_);
    }
    std::string make_option_desc(CLI::Option const* option) const override {
        return in_columns(option->get_description(), columns_ - get_column_width());
    }
    std::string make_subcommand(CLI::App const* command) const override {
        std::size_t column = 12;
        for (CLI::App const* sibling : command->get_parent()->get_subcommands({}))
            column = std::max(column, sibling->get_name().size() + 4);
        std::ostringstream out;
        CLI::detail::format_help(out, command->get_name(), in_columns(command->get_description(), columns_ - column),
                                 column);
        return out.str();
    }
    std::string make_help(CLI::App const* app, std::string name, CLI::AppFormatMode mode) const override {
        std::string const text = CLI::Formatter::make_help(app, std::move(name), mode);
        return columns_ < 80 ? wrapped(text, columns_) : text;
    }

private:
    std::size_t columns_ = columns_for_help();
};

} // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

} // namespace matchpoint::cli
