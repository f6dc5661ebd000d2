// A run, rule by rule, in the paper's notation.
//
//   3 (03 ((0 2) bot))  thread 0: (wait R2)
//       PROCESS QUEUE MOVEMENT         (0 2): Pnd_s(0)(2) = (), Q_s(0) = ([S4 4])
//       WAIT (RCVI) COMMAND            R2 gets S4: h(eta(A)) = 4; Pnd_r(0) = (), Q_s(0) = ()
//       MACHINE STEP                   s = success
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/paint.hpp"
#include "machine/observer.hpp"

namespace matchpoint::explain {

/// "Pnd_s(0)(2) = ([S4 4])": the first `limit` entries of a queue.
std::string shown_Pnd_s(IndexedProgram const& code, State const& state, Channel channel, std::size_t limit = 8);
std::string shown_Pnd_r(IndexedProgram const& code, State const& state, Endpoint beta, std::size_t limit = 8);
std::string shown_Q_s(IndexedProgram const& code, State const& state, Endpoint beta, std::size_t limit = 8);

class Narrator final : public Observer {
public:
    /// `brief` leaves out MACHINE STEP and the rules that only rewrite the current expression.
    enum class Detail : std::uint8_t { full, brief };

    /// `write` gets whole lines. Only the first `queue_limit` entries of a queue are shown.
    Narrator(IndexedProgram const& code, std::function<void(std::string_view)> write, std::size_t queue_limit = 8,
             Detail detail = Detail::full, Paint const& paint = Paint())
        : code_(&code), write_(std::move(write)), queue_limit_(queue_limit), detail_(detail), paint_(paint) {}

    void set(Detail detail) { detail_ = detail; }
    Detail detail() const { return detail_; }

    void on(State const& state, Event const& event) override;

private:
    void rule(Rule rule, std::string const& what) const;
    IndexedProgram const* code_;
    std::function<void(std::string_view)> write_;
    std::size_t queue_limit_;
    Detail detail_;
    Paint paint_;
};

} // namespace matchpoint::explain
