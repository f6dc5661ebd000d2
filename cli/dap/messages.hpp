// The messages of a client of the Debug Adapter Protocol: JSON after a header that says how long it is.
//
//   Content-Length: 58\r\n
//   \r\n
//   {"seq": 1, "type": "request", "command": "initialize", ...}
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "cli/rpc/json_rpc.hpp"

namespace matchpoint::cli {

/// Splits a stream of bytes into the contents of messages. After a bad header it goes on with the next one.
class Framing {
public:
    /// The longest content, in bytes. A longer one is skipped.
    static constexpr std::size_t longest = std::size_t{1} << 26U;
    static constexpr std::size_t longest_header = 4096;

    struct Bad {
        std::string why;
    };
    using Piece = std::variant<std::string, Bad>;

    void add(std::string_view bytes) { bytes_ += bytes; }
    /// The next content, or what is wrong with the stream; none if more bytes are needed.
    std::optional<Piece> next();
    /// Whether the stream ends inside a message.
    bool is_inside() const { return length_.has_value() || skip_ > 0 || !bytes_.empty(); }

private:
    std::optional<Piece> header();
    std::optional<Piece> header_too_long();
    std::string take(std::size_t bytes);

    std::string bytes_;
    std::optional<std::size_t> length_; // of the content that comes next
    std::size_t skip_ = 0;              // bytes of a content that is too long
};

/// The messages from a file descriptor, in order. A busy caller can ask whether a waiting message wants it to stop.
class Messages {
public:
    struct Message {
        Incoming content;      // JSON
        std::string malformed; // why there is no content; empty if there is one
    };

    explicit Messages(int fd) : fd_(fd) {}

    /// Waits for the next message; none at the end of the input.
    std::optional<Message> take();
    /// Does not wait. Whether a message that was not taken yet wants the request in work to end, or the input has
    /// ended.
    bool want_stop();

private:
    /// Reads what there is, or waits. False: there is nothing.
    bool read(bool wait);
    bool wants_stop(Message const& message) const;

    int fd_;
    bool end_ = false;
    Framing framing_;
    std::deque<Message> waiting_;
    bool stop_ = false;        // a message in waiting_ wants the request in work to stop
    std::int64_t in_work_ = 0; // the number of the message taken last
};

} // namespace matchpoint::cli
