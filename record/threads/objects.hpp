// Objects of synchronisation as variables and commands of a program (docs/shared_memory.md, "How to write it";
// condition variables with tickets, docs/threads.md).
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "record/threads/builder.hpp"
#include "record/threads/sharing.hpp"

namespace matchpoint::record::threads {

/// A condition variable in the run, by POSIX: who waits, and which signals were given that nobody has taken yet.
class Tickets {
public:
    void begins(std::uint32_t thread) { waiting_[thread] = next_++; }
    /// Whether the wait takes a signal; it wants to if it has not timed out.
    bool ends(std::uint32_t thread, bool timed_out);
    void signal() {
        if (signals_.size() < waiting_.size()) signals_.push_back(next_);
    }
    void broadcast() { signals_.resize(waiting_.size(), next_); }

private:
    std::map<std::uint32_t, std::uint64_t> waiting_; // their tickets
    std::vector<std::uint64_t> signals_;             // the next ticket when each was given
    std::uint64_t next_ = 0;
};

/// What is to be known of condition variables before their first commands: looked for in the order of the run.
class ConditionUse {
public:
    struct Use {
        std::set<std::uint32_t> threads; // that wait on it
        bool without_signal = false;     // some wait ends without a signal: its time passed, or it just woke up
        Tickets tickets = {};
    };
    void record(std::uint32_t thread, Record const& r);
    Use const& operator[](std::uint64_t condition) const;

private:
    std::map<std::uint64_t, Use> conditions_;
};

class Objects {
public:
    using Name = std::function<std::string(std::uint64_t address)>;
    using Report = std::function<void(std::string what)>; // an error of the program

    Objects(Terms& terms, ProgramBuilder& builder, ConditionUse const& use, Name name, Report error)
        : terms_(terms), builder_(builder), use_(use), name_(std::move(name)), error_(std::move(error)) {}

    /// The commands of a record, which are to have the rest of `like`.
    void record(Record const& r, RunCommand const& like);
    /// The command of a thread that waits for an object, and does not go on.
    void waits(matchpoint_record kind, std::uint64_t object, RunCommand const& like);

private:
    enum class Role : std::uint8_t { mutex, writer, readers, semaphore, once, count, tickets, waiting, signals };
    std::uint32_t variable(std::uint64_t object, Role role, std::string_view suffix, Wide initial, unsigned part = 0);
    TermId value(std::uint32_t x) { return builder_.value_of(x); }
    TermId plus(std::uint32_t x, Wide by) { return terms_.add(value(x), terms_.constant(by)); }
    TermId is(std::uint32_t x, Wide v) { return terms_.equal(value(x), terms_.constant(v)); }
    TermId above(std::uint32_t x, Wide v) { return terms_.less(terms_.constant(v), value(x)); }
    std::uint32_t mutex(std::uint64_t object) { return variable(object, Role::mutex, "", 1); }

    void emit(RunCommand c, RunCommand::Kind kind, TermId guard,
              std::vector<std::pair<std::uint32_t, TermId>> assigned = {});
    void fails(RunCommand const& like, std::string what);

    void of_mutex(Record const& r, RunCommand const& like);
    void of_rwlock(Record const& r, RunCommand const& like);
    void of_semaphore(Record const& r, RunCommand const& like);
    void of_barrier(Record const& r, RunCommand const& like);
    void of_once(Record const& r, RunCommand const& like);
    void destroyed(Record const& r, RunCommand const& like);
    static RunCommand::Kind waiting_if(bool is_try);
    void acquire(std::uint64_t object, RunCommand const& like, bool is_try = false);

    /// A condition variable: tickets q, n threads that wait, signals p in the order in which they were given.
    struct Condition {
        std::uint32_t q = 0, n = 0;
        std::vector<std::uint32_t> p;
        std::map<std::uint32_t, std::uint32_t> shared_tickets; // of each thread; -1 while it does not wait
        std::map<std::uint32_t, TermId> tickets;               // of threads that wait now
        std::map<std::uint32_t, bool> timed;                   // whether their time may pass
        std::map<std::uint32_t, std::uint64_t> mutexes;        // that they have given back
        Tickets run = {};
    };
    Condition& condition(std::uint64_t object);
    void wait_begins(Record const& r, RunCommand const& like);
    void wait_ends(Record const& r, RunCommand const& like);
    void leave(Condition& c, RunCommand const& like, RunCommand::Kind kind);
    std::vector<std::pair<std::uint32_t, TermId>> left(Condition const& c, std::uint32_t thread);
    void leave_without_signal(Condition& c, RunCommand const& like);
    void signal(Record const& r, RunCommand const& like);

    struct Barrier {
        std::uint64_t count = 1;
        std::map<std::uint32_t, TermId> round; // of each thread, what it read when it arrived
    };

    Terms& terms_;
    ProgramBuilder& builder_;
    ConditionUse const& use_;
    Name name_;
    Report error_;
    std::map<std::tuple<std::uint64_t, Role, unsigned>, std::uint32_t> variables_;
    std::map<std::uint64_t, Condition> conditions_;
    std::map<std::uint64_t, Barrier> barriers_;
    std::set<std::pair<std::uint64_t, std::uint32_t>> held_; // mutexes: by which thread
    std::map<std::uint64_t, std::uint64_t> depth_;           // of recursive mutexes
};

} // namespace matchpoint::record::threads
