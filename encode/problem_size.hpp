// How large a problem is: counted while its text goes by.
//
//   ProblemSize size;
//   encoder.write(input, options, [&](std::string_view text) { size.add(text); });
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::encode {

class ProblemSize {
public:
    /// The next part of the SMT-LIB text. It may end anywhere, even inside a word.
    void add(std::string_view text);

    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t declarations() const { return declarations_; } // declare-const, declare-fun
    std::uint64_t definitions() const { return definitions_; }   // define-fun
    std::uint64_t assertions() const { return assertions_; }     // assert

private:
    enum class In : std::uint8_t { text, comment, string, symbol };

    void count_command();

    std::uint64_t bytes_ = 0;
    std::uint64_t declarations_ = 0;
    std::uint64_t definitions_ = 0;
    std::uint64_t assertions_ = 0;
    std::uint64_t depth_ = 0;
    In in_ = In::text;
    bool in_command_name_ = false;
    std::string command_; // its name, as far as it was read
};

} // namespace matchpoint::encode
