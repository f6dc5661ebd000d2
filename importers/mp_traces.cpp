// MP traces, of the encoders of Huang, Mercer and others:
//
//   T0_0: rcv(0, a)
//   T0_1: wait(T0_0)
//   T0_2: assert(or (= a 4) (= a 7))
//   T1_0: snd(0, 4)
//
// Several processes that wrote one file at once damaged it: each block of 4,096 bytes is of another one. In all such
// files the numbers of some thread's events are not consecutive, and in no other.

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "grammar/operators.hpp"
#include "importers/mp_expression.hpp"
#include "importers/readers.hpp"
#include "importers/scanner.hpp"

namespace matchpoint::importers {

namespace {

constexpr std::uint64_t max_event = UINT32_MAX;
constexpr std::string_view ends_name = "(),:";

constexpr std::string_view advice = "the file is damaged, as if several processes had written it at once; nothing of "
                                    "it is imported: record each process into "
                                    "a file of its own, and import all of these files";

/// `T2_0`
struct Event {
    CallId id = {.kind = CallId::Kind::event};
    Place place = {};
};

class MpReader {
public:
    MpReader(std::uint32_t file, Source const& source, Reading& to) : lines_(file, source), to_(to) {
        to_.calls.explicit_endpoints = true;
    }

    void read() {
        while (auto line = lines_.next()) {
            if (line->at_end()) continue;
            if (to_.reports.is_full(line->whole().file)) break;
            event(*line);
            if (auto const& fault = line->fault()) to_.reports.error(fault->rule, fault->place, fault->message);
        }
        if (!waits_)
            for (auto const& [number, thread] : threads_)
                if (thread.process) make_blocking(to_.calls.processes[*thread.process]);
    }

private:
    struct Thread {
        std::optional<std::uint32_t> process; // none if it is in another file, too
        std::uint64_t next = 0;               // event
        Requests requests = {};
        std::unordered_set<std::string> defined = {}; // variables, by a receive or an assignment
    };

    void event(Scanner& line) {
        Event const event = event_name(line);
        line.expect(":");
        if (line.fault()) return;
        Thread& thread = thread_of(event);
        in_order(event, thread);
        std::string_view const name = line.word(ends_name);
        if (name == "snd") return send(line, event, thread);
        if (name == "rcv") return receive(line, event, thread);
        if (name == "wait") return wait(line, event, thread);
        if (name == "assume" || name == "assert") return condition(line, thread, name == "assume");
        if (name == "Barrier") return barrier(line, thread);
        if (name.empty()) return line.fail_here("a call");
        line.fail(
            "I5", name,
            fmt::format("`{}` has no counterpart: calls are `snd`, `rcv`, `wait`, `assume`, `assert` and `Barrier`",
                        printable(name)));
    }

    static Event event_name(Scanner& line) {
        std::string_view const word = line.next_word(ends_name);
        Event event;
        line.expect("T");
        event.id.rank = line.process("the number of a thread");
        line.expect("_");
        event.id.number = static_cast<std::uint32_t>(line.number("the number of an event", max_event));
        if (!line.fault()) event.place = line.place_of(word);
        return event;
    }

    Thread& thread_of(Event const& event) {
        auto const [found, is_new] = threads_.try_emplace(event.id.rank);
        if (is_new) found->second.process = to_.begin(event.id.rank, event.place);
        return found->second;
    }

    /// I1. After a gap the next event is the one that follows it, so that each gap is reported once.
    void in_order(Event const& event, Thread& thread) {
        if (event.id.number != thread.next)
            to_.reports.error("I1", event.place,
                              fmt::format("event {} of thread {} is where event {} was expected", event.id.number,
                                          event.id.rank, thread.next),
                              std::exchange(is_damaged_, true) ? "" : std::string(advice));
        thread.next = std::uint64_t{event.id.number} + 1;
    }

    void send(Scanner& line, Event const& event, Thread& thread) {
        Send send;
        line.expect("(");
        send.to = line.process("the endpoint that gets the message");
        line.expect(",");
        send.payload = read_mp_expression(line);
        end(line);
        if (line.fault()) return;
        send.id = event.id;
        thread.requests.issue(event.id.number, size(thread));
        add(thread, std::move(send), line);
    }

    void receive(Scanner& line, Event const& event, Thread& thread) {
        Receive receive;
        line.expect("(");
        receive.endpoint = line.process("the endpoint at which it receives");
        line.expect(",");
        receive.variable = read_mp_variable(line);
        end(line);
        if (line.fault()) return;
        receive.id = event.id;
        thread.requests.issue(event.id.number, size(thread));
        thread.defined.insert(receive.variable);
        add(thread, std::move(receive), line);
    }

    void wait(Scanner& line, Event const& event, Thread& thread) {
        waits_ = true;
        line.expect("(");
        Event const awaited = event_name(line);
        end(line);
        if (line.fault()) return;
        if (awaited.id.rank != event.id.rank)
            return to_.reports.error(
                "I2", awaited.place,
                fmt::format("`{}` is of another thread: a thread waits for its own calls", name_of(awaited.id)));
        auto const call = thread.requests.complete(awaited.id.number, name_of(awaited.id), awaited.place, to_.reports);
        if (call) add(thread, Wait{*call}, line);
    }

    /// `assume(= x 1)` is an assignment if nothing has defined x.
    void condition(Scanner& line, Thread& thread, bool is_assume) {
        line.expect("(");
        draft::Expression e = read_mp_expression(line);
        end(line);
        if (line.fault()) return;
        auto const* const x = std::get_if<draft::Variable>(&e.nodes.front());
        if (x != nullptr && e.nodes.back() == draft::Node(Op::equal) && !thread.defined.contains(x->text) &&
            is_left_operand(e)) {
            thread.defined.insert(x->text);
            Assign assign{*x, {}};
            assign.e.nodes.assign(std::next(e.nodes.begin()), std::prev(e.nodes.end()));
            add(thread, std::move(assign), line);
        } else if (is_assume) {
            add(thread, Assume{std::move(e)}, line);
        } else {
            add(thread, Assert{std::move(e)}, line);
        }
    }

    /// Whether the first node of an equation is all of its left side: the nodes after it are one expression.
    static bool is_left_operand(draft::Expression const& e) {
        std::vector<std::uint32_t> first;
        find_first_nodes(e, first);
        return first[e.root() - 1] == 1;
    }

    void barrier(Scanner& line, Thread& thread) {
        line.expect("(");
        std::string_view const communicator = read_mp_variable(line);
        end(line);
        if (!line.fault()) add(thread, Meet{to_.calls.communicators(communicator)}, line);
    }

    static void end(Scanner& line) {
        line.expect(")");
        line.expect_end();
    }

    std::uint32_t size(Thread const& thread) const {
        return thread.process ? static_cast<std::uint32_t>(to_.calls.processes[*thread.process].calls.size()) : 0;
    }
    template <typename What>
    void add(Thread const& thread, What what, Scanner const& line) {
        if (thread.process) to_.calls.processes[*thread.process].calls.push_back({std::move(what), line.whole()});
    }

    Lines lines_;
    Reading& to_;
    std::unordered_map<std::uint32_t, Thread> threads_; // of this file
    bool waits_ = false;
    bool is_damaged_ = false;
};

} // namespace

void read_mp_trace(std::uint32_t file, Source const& source, Reading& reading) {
    MpReader(file, source, reading).read();
}

} // namespace matchpoint::importers
