// Reading lines from a terminal through libedit, with completion and a history that is kept across runs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace matchpoint::cli {

/// What Tab can do for the beginning of a line.
struct LineCompletion {
    std::size_t start;              // of the text that a word replaces, up to the end of the beginning
    std::vector<std::string> words; // each begins with that text
};

class LineEditor {
public:
    using Completions = std::function<LineCompletion(std::string const&)>;

    /// Standard input and output have to be a terminal. The destructor restores the terminal.
    LineEditor(std::function<std::string()> prompt, Completions completions);
    ~LineEditor();
    LineEditor(LineEditor const&) = delete;
    LineEditor& operator=(LineEditor const&) = delete;

    struct Interrupted {}; // by Ctrl-C
    struct EndOfInput {};
    /// A line without its newline, or why there is none.
    using Input = std::variant<std::string, Interrupted, EndOfInput>;
    Input read();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::cli
