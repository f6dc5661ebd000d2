// Standard output and standard error, with or without colors.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/paint.hpp"

namespace matchpoint::cli {

/// Standard output could not be written, for example because the disk is full.
class OutputFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class Color { automatic, always, never };

class Terminal {
public:
    /// `automatic`: colors where the stream is a terminal, unless NO_COLOR is set and not empty, or TERM is `dumb`.
    explicit Terminal(Color color);
    /// Everything goes to `sink`, without colors: for a session whose standard output is a protocol.
    explicit Terminal(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}

    /// Writes to standard output, through a buffer. Throws OutputFailed.
    void out(std::string_view text);
    /// Writes to standard error at once, after flushing standard output.
    void err(std::string_view text);
    /// The same for whole lines of words: where the stream is a terminal, lines that are longer are wrapped between
    /// words.
    void print(std::string_view lines);
    void tell(std::string_view lines);
    /// Writes out the buffer. Throws OutputFailed.
    void flush();

    bool out_has_color() const { return paint_.has_color(); }
    bool err_has_color() const { return err_color_; }

    /// The colors of standard output.
    Paint const& paint() const { return paint_; }
    std::string paint(Style style, std::string_view text) const { return paint_(style, text); }

    struct Size {
        unsigned columns;
        unsigned rows; // 0: unknown
    };
    /// What standard output is as wide as: the terminal, at this moment; else COLUMNS, if that is set; else nothing.
    std::optional<unsigned> columns() const;
    /// The size of the terminal on standard output, at this moment. None if it is no terminal.
    std::optional<Size> size() const;
    static std::optional<Size> size_of(int fd);

private:
    std::function<void(std::string_view)> sink_; // default: the standard streams
    Paint paint_;
    bool err_color_ = false;
};

} // namespace matchpoint::cli
