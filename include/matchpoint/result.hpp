// Errors as values, with their places.
//
//   Result<Program> const program = Program::read("figure1.ctp");
//   if (!program) {
//       for (Message const& m : program.error().messages)
//           std::cerr << m.file << ':' << m.line << ": " << m.text << '\n';
//       return 1;
//   }
//   std::cout << program->print();
//
// A function that can fail for a reason that its caller cannot exclude returns a Result: the value, or an Error. An
// Error is never a verdict: `limit` and `solver` say that nothing is known.
//
// Exceptions are for bugs. std::logic_error, or a class derived from it such as std::out_of_range: the caller broke a
// rule that a function states, such as asking a program for a command that it does not have. std::bad_variant_access:
// the caller took the value of a Result that has none. std::bad_alloc: there is no memory left. What the caller's own
// functions throw passes through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace matchpoint::api {

/// A message about an input.
struct Message {
    bool is_error = true; // or a warning
    std::string rule;     // that the input breaks: "syntax", "S1" ... "S9", "D1" ... "D6", "limit"
    std::string text;     // one sentence, without a full stop
    std::string file;
    std::size_t line = 0;           // from 1; 0 if the message has no position
    std::size_t column = 0;         // from 1, in code points
    std::vector<std::string> hints; // how to mend it
};

struct Error {
    enum class Kind : std::uint8_t {
        input, // a file cannot be read, or its text breaks a rule: `messages`
        usage, // this is not for this program, as `text` says: an encoder for zero buffering, a trace that is not there
        limit, // time, memory or an integer's size ran out: nothing is known
        solver, // a solver is missing, crashed, or printed what cannot be understood: nothing is known
    };
    Kind kind = Kind::usage;
    std::string text; // for people, without a newline at the end; of bad input, with the lines that it is about
    std::vector<Message> messages; // of bad input, in the order of the text
};

/// A value, or why there is none.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return content_.index() == 0; }

    // Each throws std::bad_variant_access if there is no value.
    T& operator*() & { return std::get<0>(content_); }
    T const& operator*() const& { return std::get<0>(content_); }
    T operator*() && { return std::get<0>(std::move(content_)); } // not T&&, which a range-for would outlive
    T* operator->() { return &std::get<0>(content_); }
    T const* operator->() const { return &std::get<0>(content_); }

    /// Throws std::bad_variant_access if there is a value.
    Error const& error() const { return std::get<1>(content_); }

private:
    std::variant<T, Error> content_;
};

} // namespace matchpoint::api
