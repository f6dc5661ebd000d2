// Lines of standard input, read by a thread of their own, so that a request to cancel is seen while another one runs.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace matchpoint::cli {

class RequestLines {
public:
    /// Whole lines with their newlines. The last line of the input may lack one.
    struct Block {
        std::string text;
        bool too_long = false; // stands for a line beyond the limit
    };

    /// The reading thread calls `look` with each block as soon as it has it. A line may have `longest` bytes.
    RequestLines(int fd, std::size_t longest, std::function<void(std::string_view)> look);
    /// Does not wait for input.
    ~RequestLines();
    RequestLines(RequestLines const&) = delete;
    RequestLines& operator=(RequestLines const&) = delete;

    /// Whether take() would wait.
    bool would_wait();
    /// The next block; none at the end of the input.
    std::optional<Block> take();

private:
    void read();
    bool put(Block block);

    int fd_;
    int wake_; // becomes readable when the thread has to end
    std::size_t longest_;
    std::function<void(std::string_view)> look_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Block> blocks_;
    std::size_t bytes_ = 0; // in blocks_
    bool end_ = false;      // of the input
    bool stop_ = false;
    std::thread thread_;
};

} // namespace matchpoint::cli
