#include "cli/dap/messages.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "base/numbers.hpp"
#include "base/source.hpp"

namespace matchpoint::cli {

namespace {

constexpr std::string_view content_length = "content-length";

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string_view without_spaces(std::string_view text) {
    std::size_t const first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The length that a header gives, and what is wrong with the header. Both can be there: then the message can be read.
struct Header {
    std::optional<std::size_t> length;
    std::string wrong;
};

void read_field(std::string_view line, Header& header) {
    constexpr std::size_t most_digits = 15;
    std::size_t const colon = line.find(':');
    std::string const name = lower(without_spaces(line.substr(0, colon)));
    bool const is_name = !name.empty() && std::all_of(name.begin(), name.end(),
                                                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
    // Behind something else on the line, it still says where the content ends.
    bool const is_length =
        name.size() >= content_length.size() && name.substr(name.size() - content_length.size()) == content_length;
    if (colon == std::string_view::npos || !is_name || (is_length && name != content_length))
        header.wrong = fmt::format("`{}` is not a header field", printable(line));
    if (colon != std::string_view::npos && is_length) {
        std::string const digits(without_spaces(line.substr(colon + 1)));
        if (!is_digits(digits) || digits.size() > most_digits)
            header.wrong = fmt::format("`{}` is not a Content-Length", printable(digits));
        else if (header.length)
            header.wrong = "two Content-Lengths";
        else
            header.length = natural(digits);
    }
}

} // namespace

std::string Framing::take(std::size_t bytes) {
    std::string result = bytes_.substr(0, bytes);
    bytes_.erase(0, bytes);
    return result;
}

std::optional<Framing::Piece> Framing::next() {
    std::size_t const skipped = std::min(skip_, bytes_.size());
    bytes_.erase(0, skipped);
    skip_ -= skipped;
    if (skip_ > 0) return std::nullopt;
    if (!length_) {
        auto bad = header();
        if (bad || !length_) return bad;
    }
    if (bytes_.size() < *length_) return std::nullopt;
    Piece piece = take(*length_);
    length_.reset();
    return piece;
}

/// Reads the header, if all of it is there.
std::optional<Framing::Piece> Framing::header() {
    bytes_.erase(0, std::min(bytes_.find_first_not_of("\r\n"), bytes_.size()));
    Header header;
    std::size_t begin = 0;
    while (true) {
        std::size_t const end = bytes_.find('\n', begin);
        if (std::min(end, bytes_.size()) > longest_header) return header_too_long();
        if (end == std::string::npos) return std::nullopt;
        std::string_view const line = without_spaces(std::string_view(bytes_).substr(begin, end - begin));
        begin = end + 1;
        if (line.empty()) break;
        read_field(line, header);
    }
    bytes_.erase(0, begin);
    if (!header.length && header.wrong.empty()) header.wrong = "a header without Content-Length";
    if (header.length && *header.length > longest) {
        header.wrong = fmt::format("a message of {} bytes: the longest has {}", *header.length, longest);
        skip_ = *header.length;
    } else {
        length_ = header.length;
    }
    if (header.wrong.empty()) return std::nullopt;
    return Bad{header.wrong};
}

/// What is there is no header. One may begin further on.
std::optional<Framing::Piece> Framing::header_too_long() {
    std::string const text = lower(bytes_);
    std::size_t const begin = text.find(content_length, 1);
    // Its first letters may be there already.
    bytes_.erase(0, begin != std::string::npos ? begin : bytes_.size() - content_length.size());
    return Bad{"a header that does not end"};
}

// ---------------------------------------------------------------------------------------------------------------------

std::optional<Messages::Message> Messages::take() {
    while (waiting_.empty() && read(true)) {
    }
    if (waiting_.empty()) return std::nullopt;
    Message message = std::move(waiting_.front());
    waiting_.pop_front();
    in_work_ = 0;
    if (message.content.is_object() && message.content.contains("seq") && message.content["seq"].is_number_integer())
        in_work_ = message.content["seq"].get<std::int64_t>();
    stop_ = std::any_of(waiting_.begin(), waiting_.end(), [&](Message const& m) { return wants_stop(m); });
    return message;
}

bool Messages::want_stop() {
    while (!end_ && read(false)) {
    }
    return stop_ || end_;
}

bool Messages::read(bool wait) {
    constexpr std::size_t at_once = std::size_t{1} << 16U;
    if (end_) return false;
    pollfd input{fd_, POLLIN, 0};
    int const ready = ::poll(&input, 1, wait ? -1 : 0);
    if (ready < 0 && errno == EINTR) return wait;
    if (ready == 0) return false;
    std::string bytes(at_once, '\0');
    ssize_t const n = ::read(fd_, bytes.data(), bytes.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return wait;
    auto const add = [&](Message message) {
        stop_ |= wants_stop(message);
        waiting_.push_back(std::move(message));
    };
    if (n <= 0) {
        end_ = true;
        if (framing_.is_inside()) add({nullptr, "the input ended inside a message"});
        return true;
    }
    framing_.add(std::string_view(bytes).substr(0, static_cast<std::size_t>(n)));
    while (auto piece = framing_.next()) {
        if (auto const* const bad = std::get_if<Framing::Bad>(&*piece)) {
            add({nullptr, bad->why});
            continue;
        }
        auto const& text = std::get<std::string>(*piece);
        if (is_too_deep(text)) {
            add({nullptr, "nested too deeply"});
            continue;
        }
        Incoming content = parsed(text).value;
        if (content.is_discarded())
            add({nullptr, "this is not JSON"});
        else
            add({std::move(content), ""});
    }
    return true;
}

bool Messages::wants_stop(Message const& message) const {
    if (!message.content.is_object()) return false;
    auto const command = message.content.find("command");
    if (command == message.content.end() || !command->is_string()) return false;
    auto const& name = command->get_ref<std::string const&>();
    if (name == "pause" || name == "terminate" || name == "disconnect" || name == "restart") return true;
    if (name != "cancel") return false;
    auto const arguments = message.content.find("arguments");
    return arguments != message.content.end() && arguments->is_object() && arguments->contains("requestId") &&
           (*arguments)["requestId"] == in_work_;
}

} // namespace matchpoint::cli
