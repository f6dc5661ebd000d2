// The protocol of `matchpoint oracle`: JSON-RPC 2.0, a message a line (docs/oracle.md).
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace matchpoint::cli {

/// Which requests are not wanted any more: told by the thread that reads, asked by the one that answers.
class Cancellation {
public:
    /// Of the thread that reads: looks for requests to cancel something, in lines that have been read.
    void look(std::string_view lines);

    // Of the thread that answers. An id is told as JSON.

    /// A request's turn has come. False: it was cancelled before.
    bool begin(std::string const& id);
    void end();
    /// A request to cancel has its turn: whether it came in time.
    bool was_in_time(std::string const& id);
    /// Set while the request that has its turn is not wanted any more.
    std::atomic<bool> const& flag() const { return flag_; }

private:
    void cancel(std::string const& id);

    std::mutex mutex_;
    std::optional<std::string> running_;
    std::map<std::string, bool> told_; // id -> whether a request was met
    std::atomic<bool> flag_ = false;
};

class OracleSession {
public:
    /// `before_search` is called before what may take a while.
    OracleSession(Cancellation& cancellation, std::function<void()> before_search);
    ~OracleSession();

    /// The answer to a line, as a line with its end; empty if it wants none.
    std::string answer(std::string_view line);
    /// The answer to a line that was too long to be read.
    std::string answer_too_long() const;
    /// There was a request to shut down.
    bool is_over() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace matchpoint::cli
