// JSON-RPC 2.0, a message on each line (docs/oracle.md): reading requests, and writing answers and errors.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace matchpoint::cli {

/// What is read. Objects are sorted by key, so that a large one is read in n log n.
using Incoming = nlohmann::json;

/// docs/oracle.md
enum ErrorCode : int {
    parse_error = -32700,
    invalid_request = -32600,
    no_such_method = -32601,
    invalid_parameters = -32602,
    internal_error = -32603,
    no_program = -32000,
    program_refused = -32001,
    limit_reached = -32002,
    cancelled = -32003,
    unreadable_file = -32004,
};

/// Thrown by whatever finds that a request cannot be answered.
struct RequestError {
    int code;
    std::string message;
    std::string data = {}; // JSON, or empty
};

[[noreturn]] void bad_parameter(std::string message);

// ---------------------------------------------------------------------------------------------------------------------
// Reading

/// Our own messages are nested at most six deep. A line's brackets should not decide how much memory the parser takes.
bool is_too_deep(std::string_view line);
struct Parsed {
    Incoming value;         // discarded if the line is not JSON
    std::string twice = {}; // a key that an object has twice; empty if there is none
};
Parsed parsed(std::string_view line);
/// Where and why a line that parsed() discards is not JSON.
std::string why_not_json(std::string_view line);
bool is_blank(std::string_view line);
/// An integer from 0 on, also one that is written 1e6 or 3.0. None if it is something else, or too large to be exact.
std::optional<std::uint64_t> whole_number(Incoming const& value);
/// A string, a number or null.
bool is_id(Incoming const& value);
bool is_request(Incoming const& message);
/// For a word that is not known: "; did you mean `load`?", or else "; there are load, program".
std::string one_of(std::string_view word, std::span<std::string_view const> known);

/// The parameters of a request. Each function throws RequestError if the parameter is not what it should be.
class Parameters {
public:
    using Object = Incoming::object_t;

    explicit Parameters(Object const& object) : object_(object) {}

    /// There are no others than these.
    void only(std::span<std::string_view const> known) const;
    /// Null if it is not given.
    Incoming const* find(std::string_view key) const;
    Incoming const& need(std::string_view key) const;
    std::string const& need_text(std::string_view key) const;
    Incoming const& need_array(std::string_view key) const;
    bool flag(std::string_view key, bool otherwise) const;

    /// One of a few words; the first if the parameter is not given.
    template <typename T>
    T choice(std::string_view key, std::initializer_list<std::pair<std::string_view, T>> words) const {
        Incoming const* const value = find(key);
        if (value == nullptr) return words.begin()->second;
        std::string known;
        for (auto const& [word, meaning] : words) {
            if (*value == word) return meaning;
            known += (known.empty() ? "" : "|") + std::string(word);
        }
        bad_parameter(fmt::format("`{}` is not one of {}", key, known));
    }

private:
    Object const& object_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Writing

/// As JSON, on one line. Text that is not well-formed UTF-8 is replaced.
std::string to_text(Incoming const& value);
std::string json_text(std::string_view text);

/// Writes an object or an array as JSON, in one pass whatever its size.
class Writer {
public:
    explicit Writer(std::string& out, char open = '{') : out_(out), close_(open == '{' ? '}' : ']') { out_ += open; }
    Writer(Writer const&) = delete;
    Writer& operator=(Writer const&) = delete;
    ~Writer() { out_ += close_; }

    /// The caller writes the member's value next. The key is an ASCII word.
    std::string& member(std::string_view key);
    /// The same for a key that is JSON already.
    std::string& member_of(std::string_view key);
    /// The caller writes the item next.
    std::string& item();
    void text(std::string_view key, std::string_view value) { member(key) += json_text(value); }
    void number(std::string_view key, std::uint64_t n) { member(key) += std::to_string(n); }
    void boolean(std::string_view key, bool b) { member(key) += b ? "true" : "false"; }

private:
    void separate();

    std::string& out_;
    char close_;
    bool first_ = true;
};

/// The answer to a request that failed.
void add_error(std::string& out, std::string_view id, RequestError const& error);

} // namespace matchpoint::cli
