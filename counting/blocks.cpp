#include "counting/blocks.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace matchpoint::counting {

namespace {

/// A command that accesses the variables.
struct Touch {
    std::uint32_t command;
    std::uint32_t thread;
    bool writes;
};

std::vector<Touch> touches_of(MessageIndex const& messages, std::vector<executions::Accesses> const& accesses,
                              std::vector<bool> const& variables) {
    std::vector<Touch> all;
    for (std::uint32_t i = 0; i < accesses.size(); ++i) {
        spend(1 + accesses[i].size());
        bool is_one = false;
        bool writes = false;
        for (executions::Access const& a : accesses[i]) {
            is_one |= variables[a.x.index];
            writes |= variables[a.x.index] && a.writes;
        }
        if (is_one) all.push_back({i, messages.code().thread_of({i}), writes});
    }
    return all;
}

/// Whether no command of another thread comes between two that conflicts with what the block does.
bool is_atomic(Proofs const& proofs, std::vector<Touch> const& touches, Touch const& first, Touch const& last,
               bool writes) {
    spend(4 * touches.size());
    return std::none_of(touches.begin(), touches.end(), [&](Touch const& other) {
        return other.thread != first.thread && (writes || other.writes) &&
               proofs.comes_between(other.command, first.command, last.command);
    });
}

} // namespace

Blocks::Blocks(MessageIndex const& messages, Proofs const& proofs, std::vector<executions::Accesses> const& accesses,
               std::vector<bool> const& variables)
    : code_(&messages.code()) {
    std::vector<Touch> const touches = touches_of(messages, accesses, variables);
    first_.assign(messages.code().ctp().threads.size() + 1, 0);
    for (auto t = touches.begin(); t != touches.end();) {
        Block block{t->command, t->command, t->writes};
        auto next = t + 1;
        for (; next != touches.end() && next->thread == t->thread; ++next) {
            if (!is_atomic(proofs, touches, *t, *next, block.writes || next->writes)) break;
            block.last = next->command;
            block.writes |= next->writes;
        }
        all_.push_back(block);
        ++first_[t->thread + 1];
        t = next;
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

std::span<Block const> Blocks::of(std::uint32_t thread) const {
    return std::span(all_).subspan(first_[thread], first_[thread + 1] - first_[thread]);
}

Block const* Blocks::at(std::uint32_t command) const {
    auto const blocks = of(code_->thread_of({command}));
    auto const found = std::lower_bound(blocks.begin(), blocks.end(), command,
                                        [](Block const& b, std::uint32_t c) { return b.last < c; });
    return found != blocks.end() && found->first <= command ? &*found : nullptr;
}

bool Blocks::cover(Blocks const& others) const {
    return std::all_of(others.all_.begin(), others.all_.end(), [&](Block const& b) {
        Block const* const mine = at(b.first);
        return mine != nullptr && b.last <= mine->last;
    });
}

} // namespace matchpoint::counting
