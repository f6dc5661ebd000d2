// The protocol of `matchpoint oracle`: JSON-RPC 2.0, a message on each line (docs/oracle.md). What the requests do is
// in oracle_requests.hpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/rpc/cancellation.hpp"

namespace matchpoint::cli {

class OracleRequests;

class OracleSession {
public:
    /// `before_search` is called before anything that may take a while.
    OracleSession(Cancellation& cancellation, std::function<void()> before_search);
    ~OracleSession();

    /// The answer to a line, as a line; empty if the line wants no answer.
    std::string answer(std::string_view line);
    /// The answer to a line that was too long to be read.
    std::string answer_too_long() const;
    /// There was a request to shut down.
    bool is_over() const;

private:
    Cancellation& cancellation_;
    std::unique_ptr<OracleRequests> requests_;
};

} // namespace matchpoint::cli
