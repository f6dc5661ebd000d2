#include "cli/rpc/request_lines.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <new>
#include <system_error>

namespace matchpoint::cli {

namespace {

constexpr std::size_t read_at_once = std::size_t{1} << 16U;
/// How many bytes may wait to be answered. Beyond that the reader waits.
constexpr std::size_t most_bytes = std::size_t{1} << 28U;

} // namespace

RequestLines::RequestLines(int fd, std::size_t longest, std::function<void(std::string_view)> look)
    // The number of a closed descriptor could be reused by the next one that is opened.
    : fd_(::fcntl(fd, F_GETFD) < 0 ? -1 : fd), wake_(::eventfd(0, EFD_CLOEXEC)), longest_(longest),
      look_(std::move(look)) {
    if (wake_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    thread_ = std::thread([this] { read(); });
}

RequestLines::~RequestLines() {
    {
        std::lock_guard const lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    std::uint64_t const one = 1;
    static_cast<void>(!::write(wake_, &one, sizeof one)); // a counter of 64 bits takes a one
    thread_.join();
    ::close(wake_);
}

bool RequestLines::would_wait() {
    std::lock_guard const lock(mutex_);
    return blocks_.empty() && !end_;
}

std::optional<RequestLines::Block> RequestLines::take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !blocks_.empty() || end_; });
    if (blocks_.empty()) return std::nullopt;
    Block block = std::move(blocks_.front());
    blocks_.pop_front();
    bytes_ -= block.text.size();
    lock.unlock();
    changed_.notify_all();
    return block;
}

/// False: stop reading.
bool RequestLines::put(Block block) {
    look_(block.text);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stop_ || bytes_ <= most_bytes; });
    if (stop_) return false;
    bytes_ += block.text.size();
    blocks_.push_back(std::move(block));
    lock.unlock();
    changed_.notify_all();
    return true;
}

void RequestLines::read() {
    std::string line; // what came after the last newline
    bool skipping = false;
    bool wanted = true;
    while (wanted && fd_ >= 0) {
        pollfd ready[] = {{fd_, POLLIN, 0}, {wake_, POLLIN, 0}};
        if (::poll(ready, 2, -1) < 0 && errno == EINTR) continue;
        if (ready[1].revents != 0) return;
        try {
            std::size_t const before = line.size();
            line.resize(before + read_at_once);
            ssize_t const n = ::read(fd_, line.data() + before, read_at_once);
            line.resize(before + static_cast<std::size_t>(n < 0 ? 0 : n));
            if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (n <= 0) break;
            std::size_t const end = std::string_view(line).substr(before).rfind('\n');
            if (end != std::string::npos) {
                std::size_t const last = before + end;
                std::string rest = line.substr(last + 1);
                line.resize(last + 1);
                if (skipping) line.erase(0, line.find('\n') + 1);
                skipping = false;
                wanted = line.empty() || put({std::move(line)});
                line = std::move(rest);
            } else if (skipping) {
                line.clear();
            } else if (line.size() > longest_) {
                line = {};
                skipping = true;
                wanted = put({{}, true});
            }
        } catch (std::bad_alloc const&) {
            line = {};
            if (!skipping) wanted = put({{}, true});
            skipping = true;
        }
    }
    try {
        if (wanted && !line.empty() && !skipping) put({std::move(line)});
    } catch (std::bad_alloc const&) {
        put({{}, true});
    }
    std::lock_guard const lock(mutex_);
    end_ = true;
    changed_.notify_all();
}

} // namespace matchpoint::cli
