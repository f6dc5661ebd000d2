// What the oracle finds out, as JSON: matches, traces, refusals with their cores (docs/oracle.md).
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "check/oracle/oracle.hpp"
#include "cli/rpc/json_rpc.hpp"
#include "record/recorded_end.hpp"

namespace matchpoint::cli {

/// The program that requests are about.
struct Loaded {
    Source source;
    Program program;
    IndexedProgram code{program};
    MessageIndex messages{code};
    Oracle oracle;
    // Names as JSON.
    std::vector<std::string> receives;
    std::vector<std::string> sends;
    std::optional<record::RecordedEnd> recorded; // the run of a recording that failed or was ended
    std::string why_open; // why what the recording lacks could complete runs; empty if nothing could

    Loaded(Source source, Program program, Buffering buffering, std::atomic<bool> const& cancelled);
    Loaded(Loaded const&) = delete;
    Loaded& operator=(Loaded const&) = delete;

    std::string name_of(Location rho) const;
    /// A number if every JSON reader can hold it, otherwise a string.
    std::string name_of(Endpoint beta) const;
    std::string name_of(Tag n) const;
    /// ["R2","S4"]
    std::string name_of(Pair pair) const;
};

/// Writes answers to the end of `out`.
class AnswerWriter {
public:
    AnswerWriter(Loaded& loaded, std::string& out) : loaded_(loaded), out_(out) {}

    /// The answer to a question about matches, with the trace of the run if `trace`.
    void answer(Oracle::Answer const& answer, bool trace);
    /// The answer to a question about an order.
    void answer(Oracle::OrderAnswer const& answer, bool trace);
    /// Whether some run fails: this one, or none.
    void failing(Oracle::Failing const& failing, bool trace);
    void run(Run const& run, bool trace);
    /// Throws RequestError if the search was cancelled.
    void unknown(Oracle::Unknown const& unknown);
    void replay(Oracle::Replay const& replay);
    void pairs(MatchPairs const& pairs);
    /// The program's threads, receives and sends.
    void names();

private:
    void refusal(Oracle::Refusal const& refusal);
    void refusal(Oracle::OrderRefusal const& refusal);
    void add_cycle(Writer& answer, Conflict const& conflict);
    void add_moment(std::string& to, Conflict::Moment const& moment);
    void add_standstill(std::string& to, Oracle::Standstill const& standstill);
    void add_matches(std::string& to, Matching const& m);
    void add_pairs(std::string& to, std::vector<Pair> const& pairs);
    void add_trace(std::string& to, Schedule const& schedule);

    Loaded& loaded_;
    std::string& out_;
};

} // namespace matchpoint::cli
