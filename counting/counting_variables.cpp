#include "counting/counting_variables.hpp"

#include <algorithm>
#include <map>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::counting {

Wide Additions::at(std::uint32_t position) const {
    auto const executed = std::lower_bound(commands.begin(), commands.end(), position) - commands.begin();
    return executed == 0 ? Wide{0} : after[static_cast<std::size_t>(executed) - 1];
}

Range range(Additions const& of, std::uint32_t from, std::uint32_t to) {
    Wide const first = of.at(from);
    Range result{first, first};
    auto i =
        static_cast<std::size_t>(std::lower_bound(of.commands.begin(), of.commands.end(), from) - of.commands.begin());
    for (; i < of.commands.size() && of.commands[i] < to; ++i) {
        result.least = std::min(result.least, of.after[i]);
        result.greatest = std::max(result.greatest, of.after[i]);
    }
    return result;
}

Range range(Additions const& of) { return range(of, 0, UINT32_MAX); }

CountingVariables::CountingVariables(MessageIndex const& messages, Sums const& sums)
    : messages_(messages), ctp_(messages.code().ctp()), sums_(sums), writes_(messages.code().names().variables.size()),
      is_open_(writes_.size()), is_count_(writes_.size()), initial_(writes_.size()), additions_(writes_.size()),
      held_(ctp_.threads.size()) {
    for (SharedVariable const& s : ctp_.shared) {
        auto const small = s.v.is_boolean() ? std::optional<std::int64_t>(s.v.is_true() ? 1 : 0) : s.v.small();
        constexpr std::int64_t most = std::int64_t{1} << 40U;
        is_open_[s.x.index] = small && -most < *small && *small < most;
        initial_[s.x.index] = small.value_or(0);
    }
    auto const is_received = [&](Variable x) { is_open_[x.index] = false; };
    for (std::uint32_t i = 0; i < ctp_.commands.size(); ++i)
        std::visit(overloaded{
                       [&](Assign const& c) {
                           writes_[c.x.index].push_back({i, c.e});
                       },
                       [&](Guarded const& c) {
                           for (auto const& [x, e] : ctp_.assigned(c)) writes_[x.index].push_back({i, e});
                       },
                       [&](Rcvi const& c) {
                           Selectors const* const sel = selectors_of(ctp_, c);
                           is_received(c.x);
                           if (sel != nullptr && sel->source) is_received(*sel->source);
                           if (sel != nullptr && sel->tagged) is_received(*sel->tagged);
                       },
                       [](auto const&) {},
                   },
                   ctp_.commands[i].c);
    add_owners();
}

void CountingVariables::add_tokens(Tokens tokens) {
    tokens.most = tokens.initial;
    for (std::uint32_t i = 0; i < tokens.additions.size(); ++i) {
        Range const all = range(tokens.additions[i]);
        tokens.most += all.greatest;
        if (all.least < 0)
            held_[tokens.additions[i].thread].push_back({static_cast<std::uint32_t>(tokens_.size()), i, all.greatest});
    }
    tokens_.push_back(std::move(tokens));
}

/// A thread has the token of a lock from where it first takes it to where it gives it back. To take it again changes
/// nothing.
void CountingVariables::add_owners() {
    grammar::Locks const locks(ctp_, writes_.size());
    std::map<std::uint32_t, std::vector<Additions>> by_lock;
    for (grammar::Locks::Use const& use : locks.uses()) {
        if (locks.counts(use.lock) || !locks.is_exclusive(use.lock)) continue;
        auto& all = by_lock[use.lock.index];
        std::uint32_t const thread = thread_of(use.command);
        if (all.empty() || all.back().thread != thread) all.push_back({thread, {}, {}});
        Wide const after = use.takes ? -1 : 0;
        if (all.back().at_end() == after) continue;
        all.back().commands.push_back(use.command);
        all.back().after.push_back(after);
    }
    for (auto& [x, all] : by_lock) add_tokens({{x}, 1, std::move(all), 0});
}

/// What a write adds in every execution; none if that is not known, or not a constant.
std::optional<std::int64_t>
CountingVariables::added(std::uint32_t x, Write const& write,
                         std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t)> const& between) const {
    auto const sum = sums_.of(write.command, write.e);
    if (!sum || sum->parts.size() != 1) return std::nullopt;
    auto const& [read, y, factor] = sum->parts.front();
    if (y.index != x || factor != 1) return std::nullopt;
    if (read == write.command) return sum->constant;
    std::uint32_t const thread = thread_of(write.command);
    for (Write const& other : writes_[x]) {
        spend(8);
        if (thread_of(other.command) == thread) {
            if (read <= other.command && other.command < write.command) return std::nullopt;
        } else if (between(other.command, read, write.command)) {
            return std::nullopt;
        }
    }
    return sum->constant;
}

bool CountingVariables::counts(std::uint32_t x,
                               std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t)> const& comes_between) {
    auto const& writes = writes_[x];
    bool const is_of_one_thread = std::all_of(writes.begin(), writes.end(), [&](Write const& w) {
        return thread_of(w.command) == thread_of(writes.front().command);
    });
    std::vector<Additions> all;
    for (Write const& write : writes) {
        std::uint32_t const thread = thread_of(write.command);
        if (all.empty() || all.back().thread != thread) all.push_back({thread, {}, {}});
        Additions& of = all.back();
        Wide const before = of.at_end();
        auto const sum = is_of_one_thread ? sums_.of(write.command, write.e) : std::nullopt;
        bool const is_constant = sum && sum->parts.empty();
        auto const adds = is_constant ? std::nullopt : added(x, write, comes_between);
        if (!is_constant && !adds) return false;
        of.commands.push_back(write.command);
        of.after.push_back(is_constant ? Wide{sum->constant} - initial_[x] : before + *adds);
    }
    additions_[x] = std::move(all);
    return true;
}

bool CountingVariables::is_semaphore(std::uint32_t x) const {
    if (initial_[x] < 0) return false;
    for (Additions const& of : additions_[x])
        for (std::size_t i = 0; i < of.commands.size(); ++i) {
            Wide const adds = of.after[i] - (i == 0 ? Wide{0} : of.after[i - 1]);
            if (adds >= 0) continue;
            Guarded const* const guarded = as_guarded(ctp_.commands[of.commands[i]].c);
            if (guarded == nullptr) return false;
            auto const conjuncts = sums_.conjuncts(of.commands[i], guarded->e);
            bool const is_enough = std::any_of(conjuncts.begin(), conjuncts.end(), [&](auto const& conjunct) {
                if (!conjunct || conjunct->sum.parts.size() != 1) return false;
                auto const& [at, y, factor] = conjunct->sum.parts.front();
                if (at != of.commands[i] || y.index != x) return false;
                // factor * x + constant, compared with 0
                Wide const bound = -Wide{conjunct->sum.constant};
                auto const& [less, equal, greater] = conjunct->relation;
                Wide const strict = equal ? 0 : 1;
                if (factor == 1) return !less && bound + strict >= -adds;
                return factor == -1 && !greater && -bound + strict >= -adds;
            });
            if (!is_enough) return false;
        }
    return true;
}

bool CountingVariables::find_more(
    std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t)> const& comes_between) {
    bool found = false;
    for (std::uint32_t x = 0; x < is_open_.size(); ++x) {
        spend(1 + writes_[x].size());
        if (!is_open_[x] || !counts(x, comes_between)) continue;
        is_open_[x] = false;
        is_count_[x] = true;
        found = true;
        if (!is_semaphore(x)) continue;
        semaphores_.push_back({x});
        add_tokens({{x}, initial_[x], additions_[x], 0});
    }
    return found;
}

std::optional<std::vector<Additions>> CountingVariables::additions(std::vector<Sum::Part> const& parts) const {
    if (parts.size() == 1 && parts.front().factor == 1) {
        if (!is_count(parts.front().x)) return std::nullopt;
        return additions(parts.front().x);
    }
    std::map<std::uint32_t, std::map<std::uint32_t, Wide>> by_thread; // thread -> command -> what it adds
    for (Sum::Part const& part : parts) {
        if (!is_count(part.x)) return std::nullopt;
        for (Additions const& of : additions_[part.x.index])
            for (std::size_t i = 0; i < of.commands.size(); ++i)
                by_thread[of.thread][of.commands[i]] +=
                    part.factor * (of.after[i] - (i == 0 ? Wide{0} : of.after[i - 1]));
    }
    std::vector<Additions> result;
    for (auto const& [thread, all] : by_thread) {
        Additions& of = result.emplace_back(Additions{thread, {}, {}});
        Wide sum = 0;
        for (auto const& [command, adds] : all) {
            if (adds == 0) continue;
            of.commands.push_back(command);
            of.after.push_back(sum += adds);
        }
        if (of.commands.empty()) result.pop_back();
    }
    return result;
}

bool CountingVariables::exclude(std::uint32_t t, std::uint32_t from, std::uint32_t to, std::uint32_t u,
                                std::uint32_t at) const {
    for (Held const& one : held_[t]) {
        Tokens const& tokens = tokens_[one.tokens];
        Wide const by_t = range(tokens.additions[one.additions], from, to).greatest;
        if (by_t >= 0) continue;
        for (Held const& other : held_[u]) {
            if (other.tokens != one.tokens) continue;
            Wide const by_u = tokens.additions[other.additions].at(at);
            if (tokens.most - one.most - other.most + by_t + by_u < 0) return true;
        }
    }
    return false;
}

} // namespace matchpoint::counting
