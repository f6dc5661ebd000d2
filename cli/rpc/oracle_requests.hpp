// The requests of `matchpoint oracle`, in a table: a name, parameters and a function. docs/oracle.md describes them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/message_names.hpp"
#include "cli/rpc/cancellation.hpp"
#include "cli/rpc/oracle_answers.hpp"
#include "encode/registry.hpp"

namespace matchpoint::cli {

class OracleRequests {
public:
    struct Request {
        std::string_view name;
        std::vector<std::string_view> parameters;
        void (OracleRequests::*run)(Parameters const&, std::string& out);
    };

    OracleRequests(Cancellation& cancellation, std::function<void()> before_search)
        : cancellation_(cancellation), before_search_(std::move(before_search)) {}

    static std::vector<std::string_view> names();
    /// "  load         file, text, buffering": a line for each method, with its parameters. For `--help`.
    static std::string overview();
    /// Null if there is none of that name.
    static Request const* find(std::string_view name);
    /// Writes the result. Throws RequestError, LimitReached, and what `before_search` throws.
    void handle(Request const& request, Parameters const& parameters, std::string& out);
    bool is_over() const { return over_; }

private:
    static std::vector<Request> const& table();

    // Programs
    void load(Parameters const& parameters, std::string& out);
    void program(Parameters const& parameters, std::string& out);
    void pairs(Parameters const& parameters, std::string& out);
    void encode(Parameters const& parameters, std::string& out);
    // Questions
    void feasible(Parameters const& parameters, std::string& out);
    void model(Parameters const& parameters, std::string& out);
    void can_fail(Parameters const& parameters, std::string& out);
    void order(Parameters const& parameters, std::string& out);
    void trace(Parameters const& parameters, std::string& out);
    // Assumptions
    void push(Parameters const& parameters, std::string& out);
    void pop(Parameters const& parameters, std::string& out);
    void assume(Parameters const& parameters, std::string& out);
    void check(Parameters const& parameters, std::string& out);
    void next(Parameters const& parameters, std::string& out);
    // The session
    void version(Parameters const& parameters, std::string& out);
    void limits(Parameters const& parameters, std::string& out);
    void wait(Parameters const& parameters, std::string& out);
    void cancel(Parameters const& parameters, std::string& out);
    void shutdown(Parameters const& parameters, std::string& out);

    /// Throws RequestError if no program is loaded.
    Loaded& loaded();
    Oracle& oracle() { return loaded().oracle; }
    MessageIndex const& messages() { return loaded().messages; }
    AnswerWriter writer(std::string& out) { return {loaded(), out}; }

    std::uint32_t number_of(Role role, Incoming const& given);
    std::vector<Pair> matches(Incoming const& given);
    MatchPairs given_pairs(Incoming const& given);
    encode::Encoder const& encoding_of(Parameters const& parameters, encode::EncoderOptions const& options);
    std::vector<Location> locations(Incoming const& given);
    Location location(Incoming const& given);
    /// None if they are unknown; `out` says so then.
    std::optional<MatchPairs> find_pairs(PairsMethod method, std::string& out);
    void add_levels(std::string& out);

    Cancellation& cancellation_;
    std::function<void()> before_search_;
    std::unique_ptr<Loaded> loaded_;
    std::optional<Matching> matching_; // kept for its memory
    bool over_ = false;
};

} // namespace matchpoint::cli
