// The text of an encoding, line by line: it goes to a sink in large parts, so that a problem of gigabytes needs little
// memory.
#pragma once

#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "encode/encoder.hpp"

namespace matchpoint::encode {

class Lines {
public:
    /// The sink has to outlive it.
    explicit Lines(Sink const& sink) : sink_(sink) {}

    /// Throws OutOfTime.
    void add(std::string_view line) {
        constexpr std::size_t enough = std::size_t{1} << 20U;
        text_ += line;
        text_ += '\n';
        spend(1 + line.size() / 16);
        if (text_.size() >= enough) finish();
    }
    /// The sink gets what is left.
    void finish() {
        sink_(text_);
        text_.clear();
    }

private:
    Sink const& sink_;
    std::string text_;
};

} // namespace matchpoint::encode
