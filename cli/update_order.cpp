#include "cli/update_order.hpp"

#include <chrono>

#include "base/limits.hpp"

namespace matchpoint::cli {

namespace {

/// Commands times threads. A warning is not worth more.
constexpr std::size_t most_entries = 200'000;
constexpr std::chrono::seconds most_time(2);

} // namespace

struct UpdateOrder::Known {
    explicit Known(Program const& program) : code(program), messages(code), proofs(messages) {}

    IndexedProgram code;
    MessageIndex messages;
    Proofs proofs;
};

UpdateOrder::UpdateOrder(Program const& program, bool obeys_discipline)
    : program_(program),
      may_be_known_(obeys_discipline && program.ctp.commands.size() * program.ctp.threads.size() <= most_entries) {}

UpdateOrder::~UpdateOrder() = default;

void UpdateOrder::find() {
    may_be_known_ = false;
    auto const end = std::chrono::steady_clock::now() + most_time;
    Watch const watch([end] { return std::chrono::steady_clock::now() > end; });
    try {
        known_ = std::make_unique<Known>(program_);
    } catch (LimitReached const&) { // it warns, as if there was no order
    }
}

bool UpdateOrder::is_ordered(std::uint32_t write, std::uint32_t update) {
    if (may_be_known_) find();
    if (!known_ || !known_->proofs.order().is_known()) return false;
    Order const& order = known_->proofs.order();
    Rcvi const* const receive = as_rcvi(known_->code.command_at({write}));
    // What is received is in the variable from some moment on between the receive and its wait.
    std::uint32_t const last = receive == nullptr ? write : known_->messages.receive(receive->a).nw.index;
    return order.comes_first(last, update) || order.comes_first(update, write);
}

} // namespace matchpoint::cli
