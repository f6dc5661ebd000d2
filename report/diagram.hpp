// A run as a space-time diagram: what the pictures are drawn from. Lanes are threads, time runs down, an entry of the
// trace is a row.
//
//   row   thread 0      thread 1      thread 2
//     0                               sndi S4          sent:      A(S4), S4 enters Pnd_s(0)(2)
//     1   rcvi R2                                      posted:    R2 enters Pnd_r(0)
//     2   wait R2  <--------------------               delivered: S4 goes from Pnd_s(0)(2) to Q_s(0)
//                                                      completed: R2 gets S4's value
//
// A message and its receive are known to be partners from the moment at which both are there: partnership is by ordinal
// (state.hpp). The builder listens to a run, whoever drives it, and can forget rows again when steps are taken back.
#pragma once

#include <string>
#include <vector>

#include "machine/observer.hpp"
#include "report/findings.hpp"

namespace matchpoint::report {

struct Diagram {
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    /// What has become of an entry.
    enum class Kind : std::uint8_t {
        step,              // a machine step
        failed_assertion,  // one, whose assertion was false
        failed_assumption, // one, whose assumption was false
        stuck,             // the run ended in error here
        unfinished,        // a limit was reached (or it is happening right now)
    };
    struct Row {
        std::uint64_t entry;  // of the trace, from 0
        Location rho;         // none: the trace was used up too early
        std::uint32_t thread; // none: rho is no location of the program, or none
        std::uint32_t since;  // the row of the thread's previous command; none: it had none
        std::uint32_t points; // where its points begin in Diagram::points
        Kind kind;
        Status before; // s before the entry, and behind it
        Status after;
        bool taken_back; // its movements were
        std::string why; // stuck: the rule and the reason. A failed assertion or assumption: the variables' values
    };

    /// What happened to messages and receives, in its order, row by row.
    struct Point {
        enum class Kind : std::uint8_t { sent, delivered, posted, completed };
        Kind kind;
        std::uint32_t index; // sent, delivered: of the message; posted, completed: of the receive
    };
    /// A message that was sent.
    struct Message {
        Action a_s;
        Channel channel;
        Value v;
        std::uint32_t sent;      // row
        std::uint32_t delivered; // row, or none
        std::uint32_t receive;   // its partner, as an index, or none
    };
    /// A receive that was issued.
    struct Receive {
        Action a_r;
        Endpoint beta;
        Variable x;
        std::uint32_t posted;    // row
        std::uint32_t completed; // row, or none
        std::uint32_t message;   // its partner, as an index, or none
    };

    std::vector<Row> rows;
    std::vector<Point> points;
    std::vector<Message> messages;
    std::vector<Receive> receives;
    std::vector<std::uint32_t> last;      // thread -> the row of its last command that ran; or none
    std::vector<std::uint32_t> thread_at; // endpoint -> the thread of the first rcvi at it, or none
    Status s = Status::success;

    std::span<Point const> points_of(std::uint32_t row) const;
    std::uint32_t sender(IndexedProgram const& code, Message const& m) const {
        return code.thread_of(code.issued_at(m.a_s));
    }
    /// The thread that a message is delivered to: that of its receive or, as long as there is none, that of the first
    /// rcvi at its endpoint; none if nobody receives there.
    std::uint32_t receiver(IndexedProgram const& code, Message const& m) const;
    /// The location at which a thread stands; none if it is finished.
    Location next(IndexedProgram const& code, std::uint32_t thread) const;
    /// The thread stands at a wait.
    bool stands_at_wait(IndexedProgram const& code, std::uint32_t thread) const;
};

class DiagramBuilder final : public Observer {
public:
    /// Of a run that begins in the initial state; the builder has to listen from there on.
    explicit DiagramBuilder(IndexedProgram const& code);

    void on(State const& state, Event const& event) override;

    Diagram const& diagram() const { return diagram_; }

    /// Steps were taken back, and this many entries are left. Without it the rows go when the next entry comes.
    void back_to(std::uint64_t entries);
    /// The last entry reached a limit (or the next one, if it did so before it began).
    void limit_reached(std::string why);

private:
    void add_row(std::uint64_t entry, Location rho, std::uint32_t thread, Status s);
    void add_point(Diagram::Point::Kind kind, std::uint32_t index) { diagram_.points.push_back({kind, index}); }
    void pair(std::uint32_t message, std::uint32_t receive);
    void undo(Diagram::Point const& point);

    IndexedProgram const* code_;
    Diagram diagram_;
    Findings findings_;
    std::vector<std::uint32_t> index_of_; // action -> its index in messages or receives
};

} // namespace matchpoint::report
