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

#include "machine/observer.hpp"

namespace matchpoint {

class Narrator final : public Observer {
public:
    /// `write` gets whole lines. Queues are shown up to their first `queue_limit` entries.
    Narrator(Code const& code, std::function<void(std::string_view)> write, std::size_t queue_limit = 8)
        : code_(&code), write_(std::move(write)), queue_limit_(queue_limit) {}

    void on(State const& state, Event const& event) override;

private:
    void rule(Rule rule, std::string const& what) const;
    std::string queue_Pnd_s(State const& state, Channel channel) const;
    std::string queue_Pnd_r(State const& state, Endpoint beta) const;
    std::string queue_Q_s(State const& state, Endpoint beta) const;

    Code const* code_;
    std::function<void(std::string_view)> write_;
    std::size_t queue_limit_;
};

} // namespace matchpoint
