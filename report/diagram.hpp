// A run as a space-time diagram, from which all pictures are drawn. A lane is a thread, a row is an entry of the trace,
// and time runs down.
//
//   row   thread 0      thread 1      thread 2
//     0                               sndi S4          sent:      A(S4), S4 enters Pnd_s(0)(2)
//     1   rcvi R2                                      posted:    R2 enters Pnd_r(0)
//     2   wait R2  <--------------------               delivered: S4 goes from Pnd_s(0)(2) to Q_s(0)
//                                                      completed: R2 gets S4's value
//
// A message and a receive are known to be partners as soon as one is delivered and the other posted
// (machine/partners.hpp). The builder observes a run, and can drop rows when steps are taken back:
//
//   DiagramBuilder builder(code);
//   machine.observe(builder);
//   run(machine, trace);
//   std::cout << to_text(builder.diagram(), code);
#pragma once

#include <string>
#include <vector>

#include "explain/findings.hpp"
#include "explain/reads_from.hpp"
#include "machine/observer.hpp"

namespace matchpoint::report {

struct Diagram {
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    /// What happened to an entry.
    enum class Kind : std::uint8_t {
        step,              // a machine step
        failed_assertion,  // a machine step whose assertion was false
        failed_assumption, // a machine step whose assumption was false
        stuck,             // the run ended in error here
        unfinished,        // a limit was reached, or the entry is being run right now
    };
    struct Row {
        std::uint64_t entry;  // of the trace, from 0
        Location rho;         // none if the trace ended too early
        std::uint32_t thread; // none if the program has no such location
        std::uint32_t since;  // the row of the thread's previous command, or none
        std::uint32_t points; // the index of its first point in Diagram::points
        Kind kind;
        Status before; // s before and after the entry
        Status after;
        bool taken_back; // its queue movements were taken back
        Value assigned;  // by an assignment; else bot
        Action sees;     // of a probe: the send whose message it sees; else none
        std::string
            why; // stuck: the rule and the reason; a failed assertion or assumption: the values of its variables
    };

    /// What happened to a message or a receive. Points are in the order of time.
    struct Point {
        enum class Kind : std::uint8_t { sent, delivered, posted, completed };
        Kind kind;
        std::uint32_t index; // sent, delivered: in `messages`; posted, completed: in `receives`
    };
    /// A message that was sent.
    struct Message {
        Action a_s;
        Channel channel;
        Value v;
        std::uint32_t sent;      // row
        std::uint32_t delivered; // row, or none
        std::uint32_t receive;   // its partner in `receives`, or none
    };
    /// A receive that was issued.
    struct Receive {
        Action a_r;
        Endpoint beta;
        Variable x;
        std::uint32_t posted;    // row
        std::uint32_t completed; // row, or none
        std::uint32_t message;   // its partner in `messages`, or none
    };

    std::vector<Row> rows;
    std::vector<Point> points;
    std::vector<Message> messages;
    std::vector<Receive> receives;
    std::vector<std::uint32_t> last;      // thread -> the row of its last command that ran, or none
    std::vector<std::uint32_t> thread_at; // endpoint -> the thread of the first rcvi at it, or none
    ReadsFrom reads_from;                 // steps are rows
    Status s = Status::success;

    /// The diagram of a run that has not begun.
    explicit Diagram(IndexedProgram const& code);

    std::span<Point const> points_of(std::uint32_t row) const;
    std::uint32_t sender(IndexedProgram const& code, Message const& m) const {
        return code.thread_of(code.issued_at(m.a_s));
    }
    /// The thread to which a message is delivered: the thread of its receive, or as long as it has none the thread of
    /// the first rcvi at its endpoint. None if there is no such rcvi.
    std::uint32_t receiver(IndexedProgram const& code, Message const& m) const;
    /// The next location of a thread; none if the thread is finished.
    Location next(IndexedProgram const& code, std::uint32_t thread) const;
    /// The next command of the thread is a wait or a barrier.
    bool stands_at_wait(IndexedProgram const& code, std::uint32_t thread) const;
};

/// A wait, a probe or a barrier: a command at which a thread can wait for others.
bool is_wait(Command const& command);
/// The row is a command of the program, and a wait or a barrier.
bool is_wait(IndexedProgram const& code, Diagram::Row const& row);

class DiagramBuilder final : public Observer {
public:
    /// The builder has to observe the run from its initial state on.
    explicit DiagramBuilder(IndexedProgram const& code);

    void on(State const& state, Event const& event) override;

    Diagram const& diagram() const { return diagram_; }

    /// Steps were taken back, and this many entries are left. If this is not called, the rows are dropped with the next
    /// entry.
    void back_to(std::uint64_t entries);
    /// The last entry reached a limit, or the next one did before it began.
    void limit_reached(std::string why);

private:
    void add_row(std::uint64_t entry, Location rho, std::uint32_t thread, Status s);
    void add_point(Diagram::Point::Kind kind, std::uint32_t index) { diagram_.points.push_back({kind, index}); }
    void pair(std::uint32_t message, std::uint32_t receive);
    void undo(Diagram::Point const& point);
    void drop_points(Diagram::Row const& row);
    std::uint32_t row() const; // the last one
    void sent(event::SndiCommand const& e);
    void delivered(State const& state, event::QueueMovement const& e);
    void posted(State const& state, event::RcviCommand const& e);
    void probed(event::ProbeCommand const& e);
    void completed(event::WaitRcviCommand const& e);
    void failed(Diagram::Kind kind, std::vector<Finding> const& findings, bool is_kept);
    void stuck(State const& state, event::StuckAt const& e);

    IndexedProgram const* code_;
    Diagram diagram_;
    ReadsFromRecorder reads_;
    Findings findings_;
    std::vector<std::uint32_t> index_of_; // action -> its index in messages or receives
};

} // namespace matchpoint::report
