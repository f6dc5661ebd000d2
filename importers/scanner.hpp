// Reading a line from left to right. The first thing that is not as expected is kept, and what is read after it is
// empty, so that a reader asks once, at the end of a line, whether the line was right.
//
//   Lines lines(file, source);
//   while (auto line = lines.next()) {
//       line->expect("Thread");
//       std::uint32_t const number = line->process("the number of a thread");
//       line->expect_end();
//       if (auto const& fault = line->fault()) reports.error(fault->rule, fault->place, fault->message);
//   }
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.hpp"
#include "importers/calls.hpp"

namespace matchpoint::importers {

struct LineFault {
    std::string_view rule;
    Place place;
    std::string message;
};

class Scanner {
public:
    /// `text` is the line without its line break; `place` is where it begins.
    Scanner(std::string_view text, Place const& place) : text_(text), begin_(place) {}

    /// What is left, from the next character that is not blank; empty after a fault.
    std::string_view rest();
    bool at_end() { return rest().empty(); }

    /// The line ends where a comment begins with this.
    void cut_at(std::string_view comment) { text_ = text_.substr(0, text_.find(comment)); }
    /// Takes a text if it comes next.
    bool take(std::string_view text);
    /// Takes everything up to the next blank, or the next of some other characters; may be empty.
    std::string_view word(std::string_view ends = {});
    /// The same without taking it.
    std::string_view next_word(std::string_view ends = {});

    // What has to come next.

    void expect(std::string_view text);
    void expect_end();
    /// Digits, no more than a limit allows.
    std::uint64_t number(std::string_view what, std::uint64_t limit);
    /// The number of a process, a thread or an endpoint.
    std::uint32_t process(std::string_view what) { return static_cast<std::uint32_t>(number(what, max_process)); }

    /// The last word, or what comes next if there is none; the whole line.
    Place place_of(std::string_view part) const;
    Place whole() const;

    /// Only the first one is kept.
    void fail(std::string_view rule, std::string_view at, std::string message);
    /// "`x` where ... was expected"
    void fail_here(std::string_view expected);
    std::optional<LineFault> const& fault() const { return fault_; }

private:
    std::string_view text_;
    Place begin_;
    std::size_t at_ = 0;
    std::optional<LineFault> fault_;
};

/// The lines of a file. A line break is "\n" or "\r\n"; that of the last line may be missing.
class Lines {
public:
    Lines(std::uint32_t file, Source const& source) : text_(source.text()), file_(file) {}

    std::optional<Scanner> next();

private:
    std::string_view text_;
    std::uint32_t file_;
    std::uint32_t line_ = 0;
    std::size_t at_ = 0;
};

/// Blanks and tabs. A carriage return is one, too: it can precede any line break.
inline constexpr std::string_view blanks = " \t\r\v\f";

} // namespace matchpoint::importers
