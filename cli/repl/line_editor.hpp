// Lines that somebody types, through libedit: history, which is kept across runs, and completion.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace matchpoint::cli {

class LineEditor {
public:
    /// What may stand in place of the last word of a line's beginning.
    using Completions = std::function<std::vector<std::string>(std::string const&)>;

    /// Standard input and output have to be a terminal. The terminal is as it was when the editor is gone.
    LineEditor(std::function<std::string()> prompt, Completions completions);
    ~LineEditor();
    LineEditor(LineEditor const&) = delete;
    LineEditor& operator=(LineEditor const&) = delete;

    /// A line without its end; none at the end of the input. After Ctrl-C an empty one, and `was_interrupted`.
    std::optional<std::string> read(bool& was_interrupted);
    unsigned columns() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::cli
