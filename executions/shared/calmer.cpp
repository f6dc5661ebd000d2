#include "executions/shared/calmer.hpp"

#include <algorithm>
#include <optional>

#include "executions/shared/sharing.hpp"

namespace matchpoint::executions {

namespace {

/// Consecutive entries of one thread: [first, last).
struct Block {
    std::uint32_t thread;
    std::size_t first;
    std::size_t last;
};
using Blocks = std::vector<Block>;

class Calming {
public:
    Calming(MessageIndex const& messages, Buffering buffering, Runs runs, Schedule failing)
        : messages_(messages), buffering_(buffering), runs_(runs), best_(std::move(failing)) {}

    Schedule calm(std::function<bool()> const& stop) {
        if (auto const cut = as_far_as_it_fails(best_)) best_ = *cut;
        switches_ = context_switches(messages_.code(), best_);
        for (bool again = true; again;) {
            again = false;
            Blocks const blocks = blocks_of(best_);
            for (std::size_t i = 0; i < blocks.size() && !again; ++i) {
                if (stop && stop()) return best_;
                again = improve_at(blocks, i);
            }
        }
        return best_;
    }

private:
    Blocks blocks_of(Schedule const& schedule) const {
        Blocks result;
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            std::uint32_t const thread = messages_.code().thread_of(schedule.entry(i).rho);
            if (result.empty() || result.back().thread != thread) result.push_back({thread, i, i});
            result.back().last = i + 1;
        }
        return result;
    }

    /// Tries to join a block with the next block of its thread, by moving the one later or the other earlier; without a
    /// next one, to leave the block out. False if that is no better.
    bool improve_at(Blocks const& blocks, std::size_t i) {
        auto const next = std::find_if(blocks.begin() + static_cast<std::ptrdiff_t>(i) + 1, blocks.end(),
                                       [&](Block const& other) { return other.thread == blocks[i].thread; });
        Blocks candidate = blocks;
        auto const at = [&](std::size_t n) { return candidate.begin() + static_cast<std::ptrdiff_t>(n); };
        if (next == blocks.end()) {
            if (runs_ == Runs::complete || i + 1 == blocks.size()) return false;
            candidate.erase(at(i));
            return is_better(candidate);
        }
        auto const j = static_cast<std::size_t>(next - blocks.begin());
        std::rotate(at(i), at(i + 1), at(j)); // later
        if (is_better(candidate)) return true;
        candidate = blocks;
        std::rotate(at(i + 1), at(j), at(j + 1)); // the next one earlier
        return is_better(candidate);
    }

    bool is_better(Blocks const& blocks) {
        Schedule schedule;
        for (Block const& block : blocks)
            for (std::size_t i = block.first; i < block.last; ++i) schedule.append(best_.entry(i));
        if (context_switches(messages_.code(), schedule) >= switches_) return false;
        auto failing = as_far_as_it_fails(schedule);
        if (!failing) return false;
        best_ = std::move(*failing);
        switches_ = context_switches(messages_.code(), best_);
        return true;
    }

    /// None if it does not fail, or is not an execution.
    std::optional<Schedule> as_far_as_it_fails(Schedule const& schedule) const {
        Machine machine(messages_.code(), buffering_);
        if (runs_ == Runs::complete) {
            Outcome const outcome = run(machine, schedule);
            return outcome.s == Status::failure ? std::optional(schedule) : std::nullopt;
        }
        Schedule result;
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            Entry const entry = schedule.entry(i);
            if (machine.step(entry).is_stuck() || machine.state().s >= Status::infeasible) return std::nullopt;
            result.append(entry);
            if (machine.state().s == Status::failure) return result;
        }
        return std::nullopt;
    }

    MessageIndex const& messages_;
    Buffering buffering_;
    Runs runs_;
    Schedule best_;
    std::uint32_t switches_ = 0;
};

} // namespace

Schedule calmer(MessageIndex const& messages, Buffering buffering, Runs runs, Schedule failing,
                std::function<bool()> const& stop) {
    return Calming(messages, buffering, runs, std::move(failing)).calm(stop);
}

} // namespace matchpoint::executions
