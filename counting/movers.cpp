#include "counting/movers.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "executions/shared/accesses.hpp"
#include "executions/shared/raced_variables.hpp"

namespace matchpoint::counting {

namespace {

constexpr std::uint64_t most_pairs = 20'000'000; // of commands that access the same variable
constexpr std::uint32_t longest_chain = 64;

bool is_true(Ctp const& ctp, Expression e) {
    Node const& n = ctp.nodes[e.root()];
    return e.size == 1 && n.kind == Node::Kind::value && ctp.values[n.payload].is_true();
}

/// What a command does to a variable.
struct Effect {
    std::uint32_t command;
    std::uint32_t thread;
    Variable x;
    bool writes;
    std::optional<Amount> amount;
};

bool is_conflict(Effect const& a, Effect const& b) { return a.thread != b.thread && (a.writes || b.writes); }

/// `next` of another thread, executed after `first`, can as well come before it.
bool moves_right_over(Effect const& first, Effect const& next) {
    return !is_conflict(first, next) || (first.amount && next.amount && moves_right(*first.amount, *next.amount));
}

/// Whatever the value is, it can be executed; and it takes nothing that the other one needs.
bool moves_left_over(Effect const& effect, Effect const& before) {
    return effect.amount && !effect.amount->needs && before.amount && moves_right(*before.amount, *effect.amount);
}

/// Reads the amounts off the commands.
class Amounts {
public:
    /// `is_data`: variables whose accesses have to stay in their order.
    Amounts(MessageIndex const& messages, std::vector<bool> const& is_data)
        : ctp_(messages.code().ctp()), sums_(messages), locks_(ctp_, messages.code().names().variables.size()),
          is_data_(is_data) {}

    std::optional<Amount> of(std::uint32_t command, Variable x) const {
        if (is_data_[x.index]) return std::nullopt;
        Command const& c = ctp_.commands[command].c;
        if (Assign const* const assign = std::get_if<Assign>(&c)) {
            Assignment const one{assign->x, assign->e};
            return of(command, x, std::nullopt, {&one, 1});
        }
        Guarded const* const guarded = as_guarded(c);
        return guarded == nullptr ? std::nullopt : of(command, x, guarded->e, ctp_.assigned(*guarded));
    }

private:
    std::size_t count(Expression e, Variable x) const {
        auto const nodes = std::span(ctp_.nodes).subspan(e.first, e.size);
        return static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](Node const& n) {
            return n.kind == Node::Kind::variable && n.payload == x.index;
        }));
    }

    std::optional<Amount> of(std::uint32_t command, Variable x, std::optional<Expression> guard,
                             std::span<Assignment const> assigned) const {
        // Nothing is known of a command that may fault: the search stops for good where a division faults.
        if (guard && machine::may_divide_by_zero(ctp_, *guard)) return std::nullopt;
        std::optional<Expression> written;
        for (auto const& [y, e] : assigned) {
            if (machine::may_divide_by_zero(ctp_, e) || (y != x && count(e, x) != 0)) return std::nullopt;
            if (y == x) written = e;
        }
        if (!written) return std::nullopt;
        for (grammar::Locks::Use const& use : locks_.uses({command})) {
            if (use.lock != x || locks_.counts(x) || !locks_.is_exclusive(x)) continue;
            if (count(*written, x) != 0) return std::nullopt;
            return use.takes ? Amount{-1, 1} : Amount{1, {}};
        }
        auto const sum = sums_.of(command, *written);
        if (!sum || sum->parts != std::vector<Sum::Part>{{command, x, 1}} || count(*written, x) != 1)
            return std::nullopt;
        Amount result{sum->constant, {}};
        if (!guard || count(*guard, x) == 0) return result;
        std::size_t understood = 0;
        for (auto const& conjunct : sums_.conjuncts(command, *guard)) {
            if (!conjunct || conjunct->sum.parts.size() != 1 || conjunct->sum.parts.front().x != x) continue;
            auto const& [at, y, factor] = conjunct->sum.parts.front();
            auto const& [less, equal, greater] = conjunct->relation;
            std::int64_t const bound = conjunct->sum.constant; // factor * x + bound, compared with 0
            bool const is_least = factor == 1 && !less && greater;
            bool const is_least_negated = factor == -1 && less && !greater;
            if (at != command || !(is_least || is_least_negated)) return std::nullopt;
            std::int64_t const least = (is_least ? -bound : bound) + (equal ? 0 : 1);
            result.needs = std::max(result.needs.value_or(least), least);
            ++understood;
        }
        return understood == count(*guard, x) ? std::optional(result) : std::nullopt;
    }

    Ctp const& ctp_;
    Sums sums_;
    grammar::Locks locks_;
    std::vector<bool> const& is_data_;
};

class Builder {
public:
    Builder(MessageIndex const& messages, Proofs const& proofs, MoversFor asked)
        : ctp_(messages.code().ctp()), messages_(messages), proofs_(proofs), asked_(asked),
          is_data_(asked.races ? executions::raced_variables(messages)
                               : std::vector<bool>(messages.code().names().variables.size())) {}

    std::optional<executions::Movers> build() {
        if (!proofs_.order().is_known() || messages_.code().has_ready_sends() || !find_effects()) return std::nullopt;
        find_leaf_locks();
        find_races();
        find_chains();
        find_rivals();
        return std::move(result_);
    }

private:
    std::uint32_t thread_of(std::uint32_t command) const { return messages_.code().thread_of({command}); }
    std::uint32_t last_of_thread(std::uint32_t command) const { return ctp_.threads[thread_of(command)].last - 1; }

    /// False: there are too many.
    bool find_effects() {
        Amounts const amounts(messages_, is_data_);
        auto const accesses = executions::shared_accesses(messages_);
        by_variable_.resize(messages_.code().names().variables.size());
        of_command_.resize(accesses.size());
        may_fault_.resize(accesses.size());
        for (std::uint32_t i = 0; i < accesses.size(); ++i) {
            machine::for_each_expression(ctp_, ctp_.commands[i].c, [&](Expression e) {
                may_fault_[i] = may_fault_[i] || machine::may_divide_by_zero(ctp_, e);
            });
            for (auto const& [x, writes] : accesses[i]) {
                spend(16);
                bool const is_proved =
                    !asked_.assertions && std::holds_alternative<Assert>(ctp_.commands[i].c) && !may_fault_[i];
                if (is_proved && !is_data_[x.index]) continue;
                auto const known = std::find_if(of_command_[i].begin(), of_command_[i].end(),
                                                [&, y = x](Effect const& effect) { return effect.x == y; });
                if (known != of_command_[i].end())
                    known->writes |= writes;
                else
                    of_command_[i].push_back({i, thread_of(i), x, writes, amounts.of(i, x)});
            }
        }
        std::uint64_t pairs = 0;
        for (auto const& all : of_command_)
            for (Effect const& effect : all) by_variable_[effect.x.index].push_back(effect);
        for (auto const& all : by_variable_) pairs += std::uint64_t{all.size()} * all.size();
        return pairs <= most_pairs;
    }

    /// A command that only computes, and neither sends nor receives.
    bool is_plain(std::uint32_t command) const {
        Command const& c = ctp_.commands[command].c;
        return std::holds_alternative<Assign>(c) || std::holds_alternative<Assume>(c) ||
               std::holds_alternative<Assert>(c) || std::holds_alternative<Guarded>(c);
    }

    bool waits(std::uint32_t command) const {
        Guarded const* const guarded = as_guarded(ctp_.commands[command].c);
        return guarded == nullptr ? !is_plain(command) : guarded->blocks && !is_true(ctp_, guarded->e);
    }

    void find_leaf_locks() {
        is_leaf_.assign(by_variable_.size(), false);
        initial_.assign(by_variable_.size(), 0);
        for (Tokens const& tokens : proofs_.counts().tokens()) {
            initial_[tokens.of.index] = tokens.initial;
            is_leaf_[tokens.of.index] =
                std::none_of(tokens.additions.begin(), tokens.additions.end(), [&](Additions const& of) {
                    spend(8 * of.commands.size());
                    if (of.at_end() < 0) return true;
                    for (std::size_t i = 0; i < of.commands.size(); ++i) {
                        if (of.after[i] >= 0) continue;
                        std::uint32_t const end = i + 1 < of.commands.size() ? of.commands[i + 1] + 1 : 0;
                        for (std::uint32_t at = of.commands[i] + 1; at < end; ++at)
                            if (waits(at)) return true;
                    }
                    return false;
                });
        }
    }

    /// Whether the thread that it waits for can go on.
    bool waits_for_leaf_locks(std::uint32_t command) const {
        auto const nodes_of = [&](Expression e) { return std::span(ctp_.nodes).subspan(e.first, e.size); };
        auto const nodes = nodes_of(as_guarded(ctp_.commands[command].c)->e);
        return std::all_of(nodes.begin(), nodes.end(), [&](Node const& n) {
            if (n.kind != Node::Kind::variable) return true;
            auto const& all = of_command_[command];
            return std::any_of(all.begin(), all.end(), [&](Effect const& effect) {
                return effect.x.index == n.payload && is_leaf_[n.payload] && effect.amount && effect.amount->needs &&
                       *effect.amount->needs <= initial_[n.payload];
            });
        });
    }

    void find_races() {
        may_race_.assign(of_command_.size(), false);
        if (!asked_.races || proofs_.no_data_race()) return;
        for (auto const& all : by_variable_)
            for (Effect const& a : all) {
                if (!is_data_[a.x.index] || may_race_[a.command]) continue;
                may_race_[a.command] = std::any_of(all.begin(), all.end(), [&](Effect const& b) {
                    spend(4);
                    return is_conflict(a, b) && !proofs_.order().never_together(a.command, b.command);
                });
            }
    }

    /// The last command up to which one is a right mover.
    std::uint32_t reach(std::uint32_t command) const {
        std::uint32_t end = std::min(last_of_thread(command), command + longest_chain);
        for (Effect const& mine : of_command_[command])
            for (Effect const& other : by_variable_[mine.x.index]) {
                spend(1);
                if (end == command) return end;
                if (moves_right_over(mine, other)) continue;
                spend(4);
                if (may_fault_[other.command]) return command;
                if (!proofs_.comes_between(other.command, command, end)) continue;
                // The more is between, the more can come: the last one before which it cannot.
                std::uint32_t least = command;
                while (least + 1 < end) {
                    std::uint32_t const middle = least + (end - least) / 2;
                    (proofs_.comes_between(other.command, command, middle) ? end : least) = middle;
                }
                end = least;
            }
        return end;
    }

    bool fits_in_middle(std::uint32_t command) const {
        return is_plain(command) && !may_race_[command] && (!waits(command) || waits_for_leaf_locks(command));
    }

    void find_chains() {
        std::vector<std::uint32_t> reaches(of_command_.size());
        std::vector<bool> fits(of_command_.size());
        for (std::uint32_t i = 0; i < reaches.size(); ++i) {
            reaches[i] = is_plain(i) ? reach(i) : i;
            fits[i] = fits_in_middle(i);
        }
        result_.chain_end.resize(of_command_.size());
        for (std::uint32_t i = 0; i < reaches.size(); ++i) {
            std::uint32_t end = i;
            for (std::uint32_t most = reaches[i]; end < most && fits[end + 1]; most = std::min(most, reaches[end]))
                ++end;
            result_.chain_end[i] = end;
        }
    }

    /// Where a command that may fault can be executed says nothing of where it can fault.
    bool comes_before(std::uint32_t other, std::uint32_t begin, std::uint32_t command) const {
        if (may_fault_[other]) return true;
        if (begin != ctp_.threads[thread_of(begin)].first) return proofs_.comes_between(other, begin - 1, command);
        return !proofs_.order().comes_first(command, other);
    }

    /// Adds those of one command of a chain.
    void add_rivals(std::uint32_t begin, std::uint32_t command) {
        for (Effect const& mine : of_command_[command]) {
            auto const& all = by_variable_[mine.x.index];
            for (auto other = all.rbegin(); other != all.rend(); ++other) {
                spend(1);
                if (!is_conflict(mine, *other) || moves_left_over(mine, *other)) continue;
                auto const known =
                    std::find_if(of_chain_.begin(), of_chain_.end(),
                                 [&](executions::Movers::Rival const& rival) { return rival.thread == other->thread; });
                if (known != of_chain_.end() && known->last >= other->command) continue;
                spend(4);
                // To race, a command need not be one that can be executed on the path.
                bool const races = is_data_[mine.x.index] && !proofs_.order().never_together(other->command, command);
                if (!races && !comes_before(other->command, begin, command)) continue;
                if (known != of_chain_.end())
                    known->last = other->command;
                else
                    of_chain_.push_back({other->thread, other->command});
            }
        }
    }

    void find_rivals() {
        for (std::uint32_t i = 0; i < of_command_.size(); ++i) {
            result_.first.push_back(static_cast<std::uint32_t>(result_.rivals.size()));
            of_chain_.clear();
            add_rivals(i, i);
            if (of_chain_.empty()) result_.chain_end[i] = i; // it can come next at once
            for (std::uint32_t c = i + 1; c <= result_.chain_end[i]; ++c) add_rivals(i, c);
            result_.rivals.insert(result_.rivals.end(), of_chain_.begin(), of_chain_.end());
        }
        result_.first.push_back(static_cast<std::uint32_t>(result_.rivals.size()));
    }

    Ctp const& ctp_;
    MessageIndex const& messages_;
    Proofs const& proofs_;
    MoversFor asked_;
    std::vector<bool> is_data_; // variable -> whether there may be races for it that are asked for
    std::vector<std::vector<Effect>> of_command_;
    std::vector<std::vector<Effect>> by_variable_;
    std::vector<bool> is_leaf_; // variable -> whether it is a leaf lock
    std::vector<Wide> initial_; // of tokens
    std::vector<bool> may_race_, may_fault_;
    std::vector<executions::Movers::Rival> of_chain_;
    executions::Movers result_;
};

} // namespace

bool moves_right(Amount const& first, Amount const& next) {
    // Before: x >= first.needs, and x + first.adds >= next.needs. After the change of places: x >= next.needs, and
    // x + next.adds >= first.needs.
    bool const next_can = !next.needs || first.adds <= 0;
    bool const first_can =
        !first.needs || next.adds >= 0 || (next.needs && *next.needs - first.adds + next.adds >= *first.needs);
    return next_can && first_can;
}

std::optional<executions::Movers> movers(MessageIndex const& messages, Proofs const& proofs, MoversFor asked) {
    return Builder(messages, proofs, asked).build();
}

} // namespace matchpoint::counting
