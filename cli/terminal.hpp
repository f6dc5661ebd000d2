// Standard output and standard error, with or without colors.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

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

    /// Writes to standard output, through a buffer. Throws OutputFailed.
    void out(std::string_view text);
    /// Writes to standard error at once, after flushing standard output.
    void err(std::string_view text);
    /// Writes out the buffer. Throws OutputFailed.
    void flush();

    bool out_has_color() const { return out_color_; }
    bool err_has_color() const { return err_color_; }

    /// `text` in a color (an SGR parameter such as "1;31"), if standard output takes colors.
    std::string paint(std::string_view sgr, std::string_view text) const;

private:
    bool out_color_;
    bool err_color_;
};

} // namespace matchpoint::cli
