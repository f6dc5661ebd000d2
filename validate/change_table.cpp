#include <fmt/format.h>

#include "validate/changes.hpp"

namespace matchpoint::validate {

namespace {

using enum Change;
using enum Direction;
using enum Bufferings;

constexpr About shared = About::shared;
constexpr About either_kind = About::any;

constexpr std::array<ChangeInfo, change_count> table{{
    {no_program_order, Rule::program_order, weaker, "none", "lets the commands of one thread take place in any order",
     "the commands of a thread take place in any order", "in their order", "", both},
    {order_of_steps_1_to_3, Rule::program_order, weaker, "only steps 1 to 3 of Section 5.3",
     "lets a command that follows a wait take place before it",
     "sends of a thread to one endpoint, receives of one endpoint, and a receive and its wait have an order; nothing "
     "is "
     "ordered after a wait",
     "all consecutive commands of a thread are ordered", "E11", both},
    {receive_without_message, Rule::a_send_per_receive, weaker, "none",
     "lets the wait for a receive pass although no message has come", "a wait passes without a message for its receive",
     "each receive that is completed gets a message", "", both},
    {receive_without_candidates, Rule::a_send_per_receive, weaker, "not for a receive without match pairs",
     "asks nothing of a receive that no message can reach, so its wait passes",
     "nothing is said of a receive that has no match pair by Figure 15", "its wait never passes, so no run completes",
     "E26", both},
    {all_pairs, Rule::a_send_per_receive, weaker, "from more sends than Figure 15 has",
     "lets a receive get any message to its endpoint",
     "a receive may get any send to its endpoint, as far as the other rules allow it",
     "Figure 15 leaves some out, which the other rules exclude anyway", "", both, false},
    {sends_twice, Rule::one_receive_per_send, weaker, "none", "lets two receives get the same message",
     "two receives may get one send", "a send is received once", "E32, E33", both},
    {no_channel_order, Rule::channel_order, weaker, "none",
     "lets two messages of one channel overtake each other: the second may be received first",
     "the sends of a channel are received in any order", "they are received in their order", "E19", both},
    {overtaken_orphans, Rule::orphans, weaker, "none",
     "lets a message overtake another one of its channel that is never received",
     "a send is received though the one before it in its channel is not", "it is received only if the one before it is",
     "E12", both},
    {no_endpoint_order, Rule::endpoint_order, weaker, "none",
     "lets the receives of one endpoint get their messages in another order than they were issued in",
     "receives at an endpoint are served in any order", "they are served in the order in which they were issued", "",
     both},
    {no_send_before_wait, Rule::send_before_wait, weaker, "none", "lets a message be received before it is sent",
     "a message may be received before it is sent", "a send precedes the nearest-enclosing wait of its receive", "",
     both},
    {own_wait, Rule::send_before_wait, weaker, "the receive's own wait",
     "lets a receive get a message that is sent after the receive was completed by the wait for a later receive",
     "a send precedes the wait that names its receive, if there is one",
     "it precedes the nearest-enclosing wait, which may be an earlier one", "E29", infinite},
    {no_rendezvous, Rule::rendezvous, weaker, "none",
     "lets sends be buffered, but here a send lasts until a receive takes its message", "sends are buffered",
     "a send meets its receive", "E14", zero},
    {posted_late, Rule::rendezvous, weaker, "receives need not be posted",
     "lets a message be taken before its receive is issued, but here a send meets its receive",
     "a message is taken before its receive is posted", "a receive is posted before its rendezvous", "E14", zero},
    {send_returns_early, Rule::rendezvous, weaker, "waits on sends pass at once",
     "lets the wait for a send pass before a receive has taken the message",
     "the wait on a send passes before the message is taken", "it passes after the rendezvous", "E14", zero},
    {not_taken, Rule::rendezvous, weaker, "sends may stay",
     "lets the wait for a send pass although no receive ever takes the message",
     "the wait on a send passes though the message is never taken", "a send that is waited for is received", "E14",
     zero},
    {free_values, Rule::values, weaker, "none", "lets a receive get a value that was not sent to it",
     "what is received has nothing to do with what was sent", "what is received is what was sent", "", both},
    {only_waited_for, Rule::values, weaker, "only for receives that a wait names",
     "lets a receive that the wait for a later one completes have any value",
     "nothing is said of a receive that a wait for a later one completes", "every completed receive has its match",
     "E28", both},
    {divisor_zero, Rule::divisors, weaker, "may be zero",
     "gives a division by zero some value, but a run that divides by zero does not complete",
     "a division by zero has some value", "a run with a zero divisor does not complete", "E31", both},
    {no_assumptions, Rule::assumptions, weaker, "none", "counts runs in which an assumption is false",
     "assumptions need not hold", "a run that fails keeps them all", "", both},
    {no_property, Rule::property, weaker, "none", "counts runs in which no assertion fails",
     "any complete run is enough", "some assertion fails", "", both},
    {no_assertion_fails, Rule::property, weaker, "without assertions any run",
     "says that a program without assertions can fail", "a program without assertions fails in any complete run",
     "there is nothing that could fail", "E6", both},
    {executions, Rule::reading, weaker, "executions",
     "counts a failed assertion although its run gets stuck or breaks an assumption later",
     "an execution fails as soon as an assertion fails while all assumptions so far hold, whether or not it completes",
     "only complete runs that keep all assumptions count (validate --runs executions has the other reading)",
     "E35, E36, F1", both, true, either_kind},
    {order_of_task, Rule::channel_order, stronger, "of a thread and a destination",
     "does not let messages overtake each other that one thread sends from different endpoints",
     "the sends of a thread to one endpoint are received in their order, whatever they are sent from",
     "only those of one channel (source, destination) are", "E10", both},
    {order_of_endpoint, Rule::channel_order, stronger, "of a destination",
     "does not let messages overtake each other that come from different senders",
     "messages to an endpoint are received in the order in which they are sent, whoever sends them",
     "only those of one channel are", "E13", both},
    {order_of_waits, Rule::channel_order, stronger, "in the order of the waits",
     "gives messages to receives in the order of the waits for these receives, not in the order of the receives",
     "the sends of a channel are ordered as the waits for their receives are", "they are ordered as they are sent",
     "E27", both},
    {all_received, Rule::orphans, stronger, "there are none",
     "wants every message to be received, but one may be left over", "every send is received",
     "a message may be left over", "", both},
    {wait_of_task, Rule::send_before_wait, stronger, "the next wait of the thread",
     "makes a wait complete receives of other endpoints, too",
     "a wait for a receive completes all earlier receives of its thread", "only those of its endpoint", "E24", both},
    {send_before_receive, Rule::send_before_wait, stronger, "before the receive",
     "wants a message to be sent before its receive is issued, but it may be sent later",
     "a message is sent before its receive is issued", "it is sent before the receive is completed", "E21", both},
    {receive_before_send, Rule::send_before_wait, stronger, "after the receive",
     "wants a message to be sent after its receive is issued, but it may be sent earlier",
     "a message is sent after its receive is issued", "either may be first", "", both},
    {as_zero, Rule::rendezvous, stronger, "as with zero buffering",
     "makes sends wait for their receives, but here they are buffered", "sends are not buffered", "they are", "",
     infinite},
    {completed_before_next, Rule::rendezvous, stronger, "the first kind of Section 5.4",
     "makes the second of two sends of a thread wait until a receive that could get either of them is completed",
     "of two sends of a thread that one receive can get, the second comes after that receive's wait, whoever gets the "
     "first",
     "a send's own wait comes after its rendezvous, and nothing else is asked", "E14, E25", both},
    {completed_before_dependent, Rule::rendezvous, stronger, "the second kind of Section 5.4",
     "makes a send wait for the end of a receive that it need not wait for (the second kind of Section 5.4)",
     "of two sends that one receive can get, one comes after that receive's wait if its pairs depend on a send after "
     "the other one, of the same endpoint",
     "a send's own wait comes after its rendezvous, and nothing else is asked", "E14, E25", zero},
    {one_version, Rule::versions, stronger, "one for each variable",
     "gives a variable one value in all of the run, though it gets several",
     "a variable has one value in all of the run", "each assignment and receive makes a new version", "E7", both},
    {every_assertion_fails, Rule::property, stronger, "every assertion fails",
     "wants all assertions to fail in one run, but one is enough", "all assertions fail in one run",
     "it is enough that one does", "E5", both},
    {first_assertion_fails, Rule::property, stronger, "the first assertion fails",
     "wants the first assertion to fail, but any other one is enough", "it is the first assertion that fails",
     "it may be any", "", both},
    {last_assertion_fails, Rule::property, stronger, "the last assertion fails",
     "wants the last assertion to fail, but any other one is enough", "it is the last assertion that fails",
     "it may be any", "", both},
    {one_assertion_fails, Rule::property, stronger, "exactly one assertion fails",
     "wants exactly one assertion to fail, but several may", "all other assertions hold", "they may fail as well", "",
     both},
    {complete_runs, Rule::reading, stronger, "complete runs", "counts a failed assertion only if its run completes",
     "only complete runs that keep all assumptions count",
     "an execution fails as soon as an assertion fails while all assumptions so far hold, whether or not it completes "
     "(validate --runs complete has the other reading)",
     "E35, E36, F1", both, false, either_kind},
    {no_selectors, Rule::selectors, either, "none", "lets a receive get messages that its selector does not admit",
     "a receive gets messages from any source, with any tag", "it gets only messages that it admits", "", both, false},
    {no_modes, Rule::modes, either, "none", "treats synchronous and buffered sends like all others",
     "synchronous and buffered sends are like the others",
     "a synchronous send waits for its receive, and a buffered one never waits", "", both, false},
    {no_barriers, Rule::barriers, either, "none", "lets a thread pass a barrier before the others have come",
     "barriers are passed at once", "a barrier is passed when all its threads are at it, or past it", "", both, false},

    // Of programs with shared variables (shared_rules.hpp)
    {first_guard, Rule::guards, weaker, "not of a thread's first command",
     "does not ask whether the guard of a thread's first command holds",
     "the guard of a thread's first command need not hold", "every guard that is passed holds", "F2", both, true,
     shared},
    {no_guards, Rule::guards, weaker, "none", "does not ask whether guards hold", "guards need not hold",
     "every guard that is passed holds", "", both, true, shared},
    {total_division, Rule::divisors, weaker, "any may be zero",
     "gives a division by zero some value, but a thread stops there",
     "a division by zero has some value, as in SMT-LIB", "the divisor of a command that is executed is not zero", "F19",
     both, true, shared},
    {split_commands, Rule::atomicity, weaker, "none", "lets another thread write while a command reads and writes",
     "what a command reads may be old when it writes", "a command reads and writes in one step", "", both, true,
     shared},
    {stale_reads, Rule::reads, weaker, "of any earlier write",
     "lets a read get an old value: that of any earlier write", "a read gets some write before it",
     "it gets the last one", "", both, true, shared},
    {ties_in_a_thread, Rule::reads, weaker, "writes of a thread may tie",
     "lets a read get any of several writes that one thread makes at one time",
     "writes of one thread can be at one time, and then a read gets any of them; so can a write and a read of one "
     "thread",
     "the order of a thread's commands is fixed, whatever their times are (footnote 3)", "F9", both, true, shared},
    {shared_times, Rule::bound, weaker, "threads share times",
     "lets several threads run at one time, without a context switch between them",
     "commands of several threads are at one time if none reads what another one writes",
     "each time belongs to one thread", "F7", both, false, shared},
    {bound_from_1, Rule::bound, weaker, "from 1", "allows one context switch where none is allowed",
     "no switch at all is asked for as one switch", "the bound may be 0", "F10", both, false, shared},
    {no_bound, Rule::bound, weaker, "none", "allows any number of context switches",
     "there may be any number of switches", "there may be so many, and no more", "", both, false, shared},
    {no_model, Rule::causality, weaker, "none", "predicts executions whose reads or order are not those of the trace",
     "every execution of what the trace executed is predicted",
     "an execution is predicted if its reads, or its order, are those of the trace", "", both, true, shared},
    {not_cut, Rule::causality, weaker, "of the whole program", "lets a thread run further than it did in the trace",
     "threads go on after the last command that they executed in the trace",
     "the program is cut to what the trace executed", "", both, true, shared},
    {primitives_with_locals, Rule::causality, weaker, "primitives with local variables",
     "keeps a local variable as it was, though it comes from a read that gets another value than in the trace",
     "a command on synchronisation variables may read other values than in the trace even if it touches a local "
     "variable, and "
     "what was computed from that variable stays as it was",
     "only what touches no local variable may read other values", "F14", both, true, shared},
    {locals_lost, Rule::causality, weaker, "definitions of local variables",
     "forgets where a local variable got its value, so an assertion about it may fail with any value",
     "what is read leaves no definition of a local variable, so an assertion about it is about any value",
     "the program is kept, and its reads have their values", "F15", both, true, shared},
    {read_after_write, Rule::causality, weaker, "only reads after writes",
     "keeps the order of a write and the reads that get it, but not that of a read and a later write",
     "a command comes after those that wrote what it reads; what it overwrites has no order",
     "all conflicting accesses keep their order", "F16", both, true, shared},
    {no_initial_value, Rule::reads, stronger, "never of the initial value",
     "does not let a read get the initial value of its variable", "every read gets a write",
     "it gets the initial value if there is no write before it", "", both, true, shared},
    {runs_on, Rule::divisors, stronger, "of all that threads come to",
     "wants what follows the failure to run without a division by zero",
     "every thread runs until it is finished or a guard is false, and no divisor on the way is zero, after the "
     "failure "
     "either",
     "a failure counts whatever follows it", "", both, true, shared},
    {idle_reads, Rule::idle, stronger, "reads have to get a write",
     "wants a command that is not executed to read something that was written",
     "what a command reads has to have been written, or be the initial value, even if the command is not executed; its "
     "own "
     "thread's last write before it hides the initial value, executed or not",
     "a command that is not executed reads nothing", "F3", both, true, shared},
    {idle_writes, Rule::idle, stronger, "writes have a place",
     "gives a write that is not executed a place among the others",
     "a write that is not executed comes before the write that a read gets, or after the read", "it is nowhere", "F4",
     both, false, shared},
    {each_assertion_negated, Rule::property, stronger, "each assertion negated",
     "wants all assertions to be executed and to fail, but one is enough", "all assertions are executed, and fail",
     "it is enough that one fails", "F5", both, true, shared},
    {only_first_assertion, Rule::property, stronger, "the first assertion only",
     "asks only whether the first assertion fails", "nothing is said of the other ones", "any may fail", "F5", both,
     true, shared},
    {only_last_assertion, Rule::property, stronger, "the last assertion only",
     "asks only whether the last assertion fails", "nothing is said of the other ones", "any may fail", "F5", both,
     true, shared},
    {ends_at_failure, Rule::property, stronger, "a failure ends its thread",
     "stops a thread at an assertion that fails, so its run does not complete",
     "a thread executes nothing after an assertion that fails, so its run does not complete",
     "it goes on: the run fails when it is complete", "F6", both, false, shared},
    {bound_of_all, Rule::bound, stronger, "of all commands", "counts context switches after the failure, too",
     "commands after the failure take time, too: every thread runs until it is finished or a guard is false",
     "only the switches before the failure count", "F8", both, false, shared},
    {assertions_end, Rule::causality, stronger, "of what follows assertions",
     "stops a thread at an assertion that reads another value than in the trace",
     "an assertion that reads other values than in the trace ends its thread, as in the maximal causal model",
     "it may read what it likes, and its thread goes on if it holds or not", "F13", both, true, shared},
    {assertions_read, Rule::causality, stronger, "of assertions",
     "wants an assertion to read what it read in the trace", "an assertion, too, reads what it read in the trace",
     "an assertion may read what it likes", "", both, true, shared},
    {one_by_one, Rule::atomicity, either, "assignments one by one",
     "lets an assignment of a command read what the one before it in the command wrote",
     "an assignment of a command reads what those before it in the command wrote",
     "all right-hand sides are read before anything is written", "", both, true, shared},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].change) != i) return false;
    return true;
}
static_assert(in_order());

} // namespace

std::string_view to_string(Rule rule) {
    switch (rule) {
    case Rule::program_order: return "program order";
    case Rule::a_send_per_receive: return "one send per receive";
    case Rule::one_receive_per_send: return "one receive per send";
    case Rule::channel_order: return "channel order";
    case Rule::orphans: return "orphans";
    case Rule::endpoint_order: return "endpoint order";
    case Rule::send_before_wait: return "send before wait";
    case Rule::rendezvous: return "rendezvous";
    case Rule::values: return "values";
    case Rule::versions: return "versions of variables";
    case Rule::divisors: return "divisors";
    case Rule::assumptions: return "assumptions";
    case Rule::reading: return "which runs count";
    case Rule::property: return "property";
    case Rule::selectors: return "selectors";
    case Rule::modes: return "modes";
    case Rule::barriers: return "barriers";
    case Rule::guards: return "guards";
    case Rule::reads: return "reads";
    case Rule::idle: return "what is not executed";
    case Rule::atomicity: return "atomicity";
    case Rule::bound: return "bound on switches";
    case Rule::causality: return "causal model";
    }
    return "";
}

std::span<ChangeInfo const, change_count> changes() { return table; }
ChangeInfo const& info(Change change) { return table[static_cast<std::size_t>(change)]; }

Changes only(Change change) {
    Changes c;
    c.set(static_cast<std::size_t>(change));
    return c;
}

bool has(Changes const& changes, Change change) { return changes[static_cast<std::size_t>(change)]; }

std::size_t size(Changes const& changes) { return (changes & ~only(Change::all_pairs)).count(); }

std::string to_string(Changes const& changes) {
    std::string out;
    for (ChangeInfo const& i : table)
        if (changes[static_cast<std::size_t>(i.change)])
            out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", to_string(i.rule), i.name);
    return out.empty() ? "nothing" : out;
}

} // namespace matchpoint::validate
