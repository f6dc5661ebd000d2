// Reads the file of one rank (docs/formats.md) into the calls of a process. recording.hpp says what the calls become.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "importers/reports.hpp"
#include "importers/scanner.hpp"
#include "record/recording.hpp"

namespace matchpoint::record {

using importers::Call;
using importers::Place;
using importers::Scanner;

struct Communicator {
    std::uint32_t index = 0;            // of its messages, in Calls::communicators
    std::uint32_t collectives = 0;      // of those of its collective calls
    std::vector<std::uint32_t> members; // ranks of the run
};

/// A wildcard or a number: `*`, `3`.
using Selector = std::optional<std::int64_t>;
/// Whether it admits everything that the other admits.
inline bool covers(Selector const& selector, Selector const& other) { return !selector || selector == other; }

/// Communicator, as an index into Calls::communicators -> its ranks.
using Members = std::map<std::uint32_t, std::vector<std::uint32_t>>;

class RankReader {
    static constexpr std::size_t max_inlined = 15; // nodes

public:
    RankReader(std::uint32_t file, Source const& source, Resolver& resolver, importers::Reports& reports,
               Members& members, Recording& to)
        : file_(file), source_(source), resolver_(resolver), reports_(reports), members_(members), to_(to) {}

    void read(Missing missing);

private:
    void header(Scanner& line);
    void event(Scanner& line);

    // ---- fields

    static std::string_view rest(Scanner& line);
    static std::uint32_t small(Scanner& line, std::string_view what);
    static std::int64_t integer(Scanner& line, std::string_view what);
    static Selector selector(Scanner& line, std::string_view what);
    SourceLine at(Scanner& line);
    Communicator const& communicator_of(Scanner& line);

    /// `x3`, `v5`, `-7`
    draft::Expression operand(Scanner& line);

    /// What a message carries: `=4` is a constant of the program, `4` may depend on anything.
    draft::Expression payload(Scanner& line);

    static std::uint32_t request(Scanner& line) { return small(line, "the number of a request"); }
    CallId call(CallId::Kind kind, std::uint32_t number) const { return {rank_.number, number, kind}; }
    /// The variable of what a request received.
    std::string received(std::uint32_t number) const { return variable_of(call(CallId::Kind::receive, number)); }

    // ---- lines that describe

    void rank(Scanner& line);
    void object(Scanner& line);
    void place(Scanner& line);
    void source(Scanner& line);
    void communicator(Scanner& line);
    void one_sided(Scanner& line);
    void library(Scanner& line) { rank_.library = rest(line); }
    void end(Scanner&) { rank_.end = RankEnd::finalized; }
    void gap(Scanner& line) { note(line, to_.gaps); }
    void remark(Scanner& line) { note(line, to_.remarks); }

    void note(Scanner& line, std::vector<Gap>& notes);
    void off_schedule(Scanner& line);
    void abort(Scanner& line);
    void crash(Scanner& line);
    void refused(Scanner& line);

    // ---- calls

    std::uint32_t add(auto what, SourceLine const& from) {
        Call call{std::move(what), {file_, number_}};
        if (!from.file.empty()) call.original = {to_.calls.original_files(from.file), from.line};
        rank_.last_call = from;
        process_.calls.push_back(std::move(call));
        return static_cast<std::uint32_t>(process_.calls.size()) - 1;
    }

    /// A send, receive or collective call that can be waited for.
    struct Request {
        std::vector<std::uint32_t> calls; // those that it became
        SourceLine at;
        std::uint32_t communicator = 0; // of MCAPI, the endpoint that a receive is at
        bool is_receive = false;
        bool is_waited_for = false;
        bool is_probed = false;
        Selector source = {}, tag = {}; // of a receive
    };
    void send(Scanner& line);
    void receive(Scanner& line);
    void send_to_endpoint(Scanner& line);
    void receive_at_endpoint(Scanner& line);

    importers::Receive receive_of(std::uint32_t number, std::uint32_t communicator, Selector source,
                                  Selector tag) const;
    void wait_for(std::uint32_t number);

    void wait_for_all(Scanner& line) { wait(line, true); }
    void wait_for_any(Scanner& line) { wait(line, false); }
    void wait_for_some(Scanner& line) {
        wait(line, false);
        chosen_.of = ChoiceOfTime::Of::some;
    }

    void wait(Scanner& line, bool all);

    /// What is complete next was tested.
    void polls(Scanner& line);
    void poll(Scanner& line) { test(line, false); }
    void polled(Scanner& line) { test(line, true); }
    void test(Scanner& line, bool result);
    /// The calls of requests.
    std::vector<CallId> calls_of(std::vector<std::uint32_t> const& requests) const;
    void sent(Scanner& line) { wait_for(request(line)); }

    void got(Scanner& line);
    void matched(Scanner& line);
    void dropped(Scanner& line);
    void taken(Scanner& line, std::uint32_t number);

    // ---- probes

    struct Probe {
        std::uint32_t call; // its place among the calls, which holds a trivial assumption
        SourceLine at;
        std::uint32_t communicator;
        Selector source, tag; // what it admits
        std::int64_t seen_source = -1, seen_tag = -1;
    };
    void probe(Scanner& line);
    void seen(Scanner& line);

    /// The receive that takes what a probe saw is posted where the probe is, with what the probe admits.
    bool receive_what_was_probed(std::uint32_t number, Communicator const& c, Selector const& source,
                                 Selector const& tag, SourceLine const& from);

    // ---- collective calls

    void collective(Scanner& line);
    static bool is_earlier(Communicator const& c, std::uint32_t a, std::uint32_t b);
    void done(Scanner& line);

    // ---- what the program says about its values

    void let(Scanner& line);
    void assumption(Scanner& line) { claim(line, true); }
    void assertion(Scanner& line) { claim(line, false); }

    void claim(Scanner& line, bool is_assumption);

    // ---- the end

    void finish();

    /// A rank that waits would have waited for these receives later.
    void wait_for_what_is_posted();
    /// Receives that no wait completes, not even one for a later receive (rule D3).
    void leave_out_what_nothing_completes();
    void remove_unused();

    std::uint32_t file_;
    Source const& source_;
    Resolver& resolver_;
    importers::Reports& reports_;
    Members& members_;
    Recording& to_;

    std::uint32_t number_ = 0; // of the line
    Rank rank_;
    importers::Process process_;
    std::unordered_map<std::uint32_t, std::string> objects_;
    std::unordered_map<std::uint32_t, SourceLine> places_;
    std::unordered_map<std::uint32_t, Communicator> communicators_;
    std::map<std::uint32_t, Request> requests_;
    std::unordered_map<std::uint64_t, draft::Expression> expressions_; // those that have no variable
    std::vector<Probe> probes_;                                        // whose message has not been received yet
    std::vector<std::uint32_t> unused_;
    std::optional<SourceLine> wait_at_;

    /// What a call for one of several requests can return; the lines that follow it say what it did.
    struct Chosen {
        ChoiceOfTime::Of of = ChoiceOfTime::Of::one;
        std::vector<std::uint32_t> requests;
    } chosen_;
    std::unordered_map<std::uint32_t, std::uint32_t> polls_; // number -> the call of the tests that failed

    /// What the last line says that the rank waits for.
    struct Blocked {
        std::string in; // empty if it does not wait
        SourceLine at;
        std::vector<std::uint32_t> on;
        bool probe = false;
    } blocked_;
};

} // namespace matchpoint::record
