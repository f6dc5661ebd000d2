// Reads the file of one rank (docs/formats.md) into the calls of a process. recording.hpp says what the calls become.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "importers/reports.hpp"
#include "importers/scanner.hpp"
#include "record/mending.hpp"
#include "record/rank_threads.hpp"

namespace matchpoint::record {

using importers::Place;
using importers::Scanner;

struct Communicator {
    std::uint32_t index = 0;            // in Calls::communicators
    std::vector<std::uint32_t> members; // ranks of the run, in their order
};

/// A wildcard or a number: `*`, `3`.
using Selector = std::optional<std::int64_t>;

class RankReader {
    static constexpr std::size_t max_inlined = 15;           // nodes
    static constexpr std::string_view recorder = "recorder"; // a gap of this function: nothing is recorded after it

public:
    RankReader(std::uint32_t file, Source const& source, Resolver& resolver, importers::Reports& reports,
               std::map<std::uint32_t, std::vector<std::uint32_t>>& members, Tests tests, Threads threads,
               Recording& to)
        : file_(file), source_(source), resolver_(resolver), reports_(reports), members_(members), tests_(tests),
          threads_wanted_(threads), to_(to) {}

    /// Reads at most so many bytes of it.
    void read(Missing missing, std::size_t most);
    /// After read(): the file breaks off before it says which rank it is of.
    bool is_lost() const { return is_lost_; }

    /// After read(), for mend_calls(): of each process that it has added.
    std::vector<Mending> take_mending() { return std::move(mendings_); }

private:
    void header(Scanner& line);
    void event(Scanner& line);

    // ---- fields

    static std::string_view rest(Scanner& line);
    static std::uint32_t small(Scanner& line, std::string_view what);
    static std::int64_t integer(Scanner& line, std::string_view what);
    static Selector selector(Scanner& line, std::string_view what);
    SourceLine at(Scanner& line);
    /// Sets the place, and its number.
    SourceLine at(Scanner& line, std::uint32_t& number);
    /// [of TYPE COUNT [PLACE]], what a send or a receive carries.
    void elements(Scanner& line, Message m);
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
    void gap(Scanner& line);
    void remark(Scanner& line) { note(line, to_.remarks); }
    /// The same for names of one type (MPI-3.1, Table 3.3).
    static std::string name_of_type(std::string_view name);
    void type(Scanner& line);
    void found(Scanner& line);

    void note(Scanner& line, std::vector<Gap>& notes);
    void off_schedule(Scanner& line);
    void abort(Scanner& line);
    void crash(Scanner& line);
    void error(Scanner& line);
    void left(Scanner&) { rank_.has_left = true; }
    /// Others may do what the rank waits for.
    void threads(Scanner&) { has_threads_ = true; }

    // ---- several threads that call: rank_threads.cpp

    void thread(Scanner& line);
    void started(Scanner& line);
    void others(Scanner& line) { has_threads_ = line.number("a number of threads", UINT32_MAX) != 0; }
    void ended(Scanner& line);
    void joins(Scanner& line);
    void joined(Scanner& line);
    /// Before the first line is read.
    void look_for_threads(std::string_view text);
    /// Before line number_ is read: a thread may have created others then.
    void raise_starts();
    void switch_to(std::uint32_t thread);
    std::string flag(std::string_view what, std::uint32_t thread) const;
    /// A thread, which need not be the current one, raises a flag or waits for it.
    void add_to(std::uint32_t thread, auto what, SourceLine const& at);
    /// Why a line cannot be told with several threads; empty if it can.
    std::string_view why_not_told(std::string_view word, std::string_view rest) const;
    /// What the rank does from here on is left out.
    void cut(SourceLine const& from, std::string why);
    /// A value that another thread has computed is that of the run.
    draft::Expression as_seen_here(draft::Expression e);
    /// The last probe has seen a message. Another thread may receive that.
    void seen_by_thread();
    /// A blocking collective call or a matched probe returns here, in the order of the lines.
    void returned(std::uint32_t number);
    void finish_threads();
    void finish_further(std::uint32_t thread, RankEnd end);
    void find_contested_probes();
    /// Whether a call of another thread cannot come between a probe and the receive for what it has seen.
    bool is_ordered(Admitting const& other, SeenByProbe const& probe, std::uint32_t taken_at) const;

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
        bool is_collective = false;
        bool is_waited_for = false;
        bool is_buffered = false;                // a buffered send
        bool is_chosen = false;                  // a test, MPI_Waitany or MPI_Waitsome asked for it
        bool is_detached = false;                // it is buffered, and MPI_Buffer_detach waited for it
        bool is_probed = false;                  // it receives what a probe saw
        bool is_matched = false;                 // it receives what a matched probe took, in the program
        bool has_started = false;                // this one
        bool is_taken = false;                   // what it took is in Rank::taken
        Selector source = {}, tag = {};          // of a receive
        std::uint32_t probes_before = 0;         // how many the rank had made when it was posted
        std::uint32_t place = 0;                 // the number of `at`, of a matched probe
        std::uint32_t thread = 0;                // that has made the call
        std::optional<Broadcast> broadcast = {}; // of one that hands something out to this rank
    };
    void send(Scanner& line);
    void receive(Scanner& line);
    void matched_probe(Scanner& line);
    void start(Scanner& line);
    void start(std::uint32_t number, SourceLine const& from);
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
    void awaits(Scanner& line);
    void test(Scanner& line, bool result, bool has_count = true);
    /// What the rank waits for: "for a receive from rank 1, tag 0". Empty if it does not wait.
    std::string blocked_in_words() const;
    std::string in_words(Request const& request) const;
    /// Tests that failed are the last that the rank did.
    void wait_in_tests(std::string_view kind, SourceLine const& from, std::vector<std::uint32_t> const& requests,
                       std::vector<importers::Receive> const& probe);
    /// The calls of requests.
    std::vector<CallId> calls_of(std::vector<std::uint32_t> const& requests) const;
    void sent(Scanner& line);

    /// MPI_Buffer_detach waits for the buffered sends since the last one.
    void detach(Scanner& line);
    void detached(Scanner& line);
    /// A test, MPI_Waitany or MPI_Waitsome asks for these.
    void choose_among(std::vector<std::uint32_t> const& requests, std::string_view function, SourceLine const& from);

    void enters(Scanner& line);
    void leaves(Scanner&) {}

    void got(Scanner& line);
    void matched(Scanner& line);
    void dropped(Scanner& line);
    void taken(Scanner& line, std::uint32_t number);

    // ---- what is cancelled

    void cancel(Scanner& line);
    static void cancel_send(Message* message, Request& request, importers::Send& send);
    void cancel_receive(Scanner& line, std::uint32_t number);
    bool may_have_been_passed_over(std::uint32_t number) const;
    /// Null if nothing says what the call carries.
    Message* last_message(std::uint32_t number);

    // ---- probes

    struct Probe {
        std::uint32_t call; // its place among the calls, which holds a trivial assumption
        SourceLine at;
        std::uint32_t communicator;
        CallId id;
        Selector source, tag; // what it admits
        std::int64_t seen_source = -1, seen_tag = -1;
        bool is_contested = false; // what it saw was admitted by another call since
        std::size_t taken = 0;     // what it saw is this element of Rank::taken
    };
    void probe(Scanner& line);
    void seen(Scanner& line);

    /// If a probe saw what this receive asks for: the probe matches it, and the receive of that starts here.
    bool receive_what_was_probed(std::uint32_t number, Communicator const& c, Selector const& source,
                                 Selector const& tag, SourceLine const& from);
    /// A receive or a probe admits these.
    void contest(std::uint32_t communicator, Selector const& source, Selector const& tag);

    // ---- collective calls

    void collective(Scanner& line);
    static CollectiveCall said(Scanner& line);
    std::vector<Share> shares(Scanner& line, std::string_view word, bool has_types);
    void done(Scanner& line);

    // ---- what the program says about its values

    void let(Scanner& line);
    void assumption(Scanner& line) { claim(line, true); }
    void assertion(Scanner& line) { claim(line, false); }

    void claim(Scanner& line, bool is_assumption);

    // ---- the end

    /// The file was cut, and what the rank did next is not there.
    void break_off(std::string why);
    void finish();
    /// Ends the current thread. Sets what Rank says of the first one.
    void finish_thread();
    void add_process();

    /// A rank that waits would have waited for these receives later.
    void wait_for_what_is_posted();
    /// Receives that no wait completes, not even one for a later receive (rule D3).
    void leave_out_what_nothing_completes();
    void leave_out_matched(Request const& r);
    void leave_out(std::uint32_t call) { mending_.by[call]; }

    std::uint32_t file_;
    Source const& source_;
    Resolver& resolver_;
    importers::Reports& reports_;
    std::map<std::uint32_t, std::vector<std::uint32_t>>& members_; // communicator -> its ranks
    Tests tests_;
    Threads threads_wanted_;
    Recording& to_;

    std::uint32_t number_ = 0; // of the line
    Rank rank_;
    importers::Process process_;
    std::unordered_map<std::uint32_t, std::string> objects_;
    std::unordered_map<std::uint32_t, std::uint32_t> signatures_; // number in the file -> index in Recording
    std::unordered_map<std::uint32_t, Communicator> communicators_;
    std::map<std::uint32_t, Request> requests_;
    /// thread -> its requests, in the order of their calls; known when the last line has been read.
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> requests_of_;
    std::unordered_map<std::uint64_t, draft::Expression> expressions_; // those that have no variable
    std::vector<Probe> probes_;                                        // whose message has not been received yet
    std::uint32_t probed_ = 0;                                         // how many probes there were
    std::map<std::uint32_t, std::uint32_t> collectives_;               // communicator -> how many calls there were
    std::vector<std::uint32_t> buffered_;  // the buffered sends that MPI_Buffer_detach would wait for
    std::vector<std::uint32_t> detaching_; // those that it waits for
    Mending mending_;
    std::vector<Mending> mendings_;
    std::optional<SourceLine> wait_at_;
    bool has_threads_ = false;
    bool is_cut_ = false; // only notes and the end are read
    bool is_lost_ = false;

    /// What a call for one of several requests can return; the lines that follow it say what it did.
    struct Chosen {
        ChoiceOfTime::Of of = ChoiceOfTime::Of::one;
        std::vector<std::uint32_t> requests;
    } chosen_;
    std::unordered_map<std::uint32_t, std::uint32_t> polls_; // number -> the call of the tests that failed

    /// What the last line says that the rank waits for.
    struct Blocked {
        std::string in; // a collective call; or empty
        SourceLine at;
        std::vector<std::uint32_t> requests = {};
        bool waits_for_all = false;                 // of these, or for one
        bool in_command = false;                    // in the last command, and not in waits
        bool in_window = false;                     // in a call for windows, which is no command
        std::uint64_t on_the_way = 0;               // the bytes that such a call may have to move
        bool in_detach = false;                     // in MPI_Buffer_detach
        bool in_tests = false;                      // in a loop of tests
        std::vector<importers::Test> test = {};     // that waits until it succeeds; at most one
        std::vector<importers::Receive> probe = {}; // what it looks for in such a loop; at most one
        std::optional<std::uint32_t> join = {};     // the thread whose end it waits for
    } blocked_;

    /// What members of the same name are while another thread is the current one.
    struct Parked {
        importers::Process process;
        Mending mending;
        std::vector<Probe> probes;
        std::optional<SourceLine> wait_at;
        Chosen chosen;
        Blocked blocked;
    };
    bool has_several_ = false; // threads that call, each with a process of its own
    std::uint32_t thread_ = 0; // the current one
    std::map<std::uint32_t, Parked> parked_;
    std::map<std::uint32_t, ThreadLife> lives_;                                    // of the further threads
    std::map<std::uint32_t, std::uint32_t> ended_;                                 // thread -> the line that says so
    std::multimap<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> starts_; // line -> who creates which thread
    struct Known {
        std::uint32_t thread;
        std::optional<std::int64_t> value; // in the run
    };
    std::unordered_map<std::string, Known> known_; // variables that threads have
    std::vector<SeenByProbe> seen_;
    std::vector<Admitting> admitting_;
};

} // namespace matchpoint::record
