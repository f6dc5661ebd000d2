#include "grammar/messages/sharing_warnings.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "grammar/messages/positions.hpp"
#include "grammar/selectors.hpp"
#include "grammar/synchronisation.hpp"

namespace matchpoint::grammar {

namespace {

using LocksHeld = std::vector<std::uint32_t>; // locks, ascending

/// Who writes a variable, and under which locks.
struct WritesUnderLocks {
    struct OfThread {
        std::uint32_t thread;
        LocksHeld under; // what the thread holds at each of its writes
    };
    std::vector<OfThread> threads;
    std::map<std::uint32_t, std::size_t> protectors; // lock -> how many of these threads it is held by at each write
    bool receives = false;                           // the moment of such a write is not the thread's

    void add(std::uint32_t thread, LocksHeld const& held) {
        if (threads.empty() || threads.back().thread != thread) {
            threads.push_back({thread, held});
            return;
        }
        LocksHeld& under = threads.back().under;
        LocksHeld both;
        std::set_intersection(under.begin(), under.end(), held.begin(), held.end(), std::back_inserter(both));
        under = std::move(both);
    }

    void count_protectors() {
        for (OfThread const& of : threads)
            for (std::uint32_t const lock : of.under) ++protectors[lock];
    }

    /// Whether no write can come in between two steps of a thread that writes the variable, holding these locks.
    bool keep_away_from(std::uint32_t thread, LocksHeld const& held) const {
        if (receives) return false;
        if (threads.size() == 1) return true; // it is this thread
        auto const own = std::lower_bound(threads.begin(), threads.end(), thread,
                                          [](OfThread const& of, std::uint32_t t) { return of.thread < t; });
        return std::any_of(held.begin(), held.end(), [&](std::uint32_t lock) {
            auto const found = protectors.find(lock);
            std::size_t const by = found == protectors.end() ? 0 : found->second;
            bool const by_itself = std::binary_search(own->under.begin(), own->under.end(), lock);
            return by - (by_itself ? 1 : 0) == threads.size() - 1;
        });
    }
};

/// A command that writes a shared variable, or receives into it.
struct OneWrite {
    std::uint32_t command;
    std::uint32_t thread;
    LocksHeld held;
    bool receives;
};

/// An assignment that reads and writes a shared variable.
struct Update {
    std::uint32_t command;
    std::uint32_t thread;
    Variable x;
    LocksHeld held;
};

/// Goes through a program, and knows which locks are held.
class Updates {
public:
    explicit Updates(Program const& program)
        : ctp_(program.ctp), locks_(ctp_, program.symbols.variables.size()),
          synchronises_(synchronisation_variables(ctp_, program.symbols.variables.size())),
          writers_(program.symbols.variables.size()), writes_(writers_.size()), is_data_(writers_.size()) {
        for (SharedVariable const& s : ctp_.shared)
            is_data_[s.x.index] = !s.is_atomic && !synchronises_[s.x.index] && !locks_.is_lock(s.x);
        for (std::uint32_t t = 0; t < ctp_.threads.size(); ++t) {
            held_.clear();
            for (std::uint32_t i = ctp_.threads[t].first; i < ctp_.threads[t].last; ++i) add(i, t);
        }
        for (WritesUnderLocks& w : writers_) w.count_protectors();
    }

    /// Those that a real program may do in two steps, with something in between.
    std::vector<Update> unprotected(IsOrdered const& is_ordered) const {
        std::vector<Update> result;
        std::size_t left = most_asked;
        std::copy_if(updates_.begin(), updates_.end(), std::back_inserter(result), [&](Update const& u) {
            return !writers_[u.x.index].keep_away_from(u.thread, u.held) && !are_ordered(u, is_ordered, left);
        });
        return result;
    }

private:
    static constexpr std::size_t most_asked = 1'000'000;

    /// Whether a lock or the order keeps each write away. `left`: how many may still be looked at.
    bool are_ordered(Update const& u, IsOrdered const& is_ordered, std::size_t& left) const {
        auto const& all = writes_[u.x.index];
        if (!is_ordered || all.size() > left) return false;
        left -= all.size();
        return std::all_of(all.begin(), all.end(), [&](OneWrite const& w) {
            if (!w.receives && (w.thread == u.thread || have_common(w.held, u.held))) return true;
            return is_ordered(w.command, u.command);
        });
    }

    static bool have_common(LocksHeld const& a, LocksHeld const& b) {
        return std::any_of(a.begin(), a.end(),
                           [&](std::uint32_t lock) { return std::binary_search(b.begin(), b.end(), lock); });
    }

    void add(std::uint32_t command, std::uint32_t thread) {
        // A step that takes a lock or gives it back is made by a thread that holds it.
        for (Locks::Use const& use : locks_.uses({command}))
            if (use.takes && locks_.is_exclusive(use.lock)) hold(use.lock.index);
        add_writes(ctp_.commands[command].c, command, thread);
        for (Locks::Use const& use : locks_.uses({command}))
            if (!use.takes) release(use.lock.index);
    }

    void add_writes(Command const& c, std::uint32_t command, std::uint32_t thread) {
        auto const writes = [&](Variable x) {
            if (!is_data_[x.index]) return;
            writers_[x.index].add(thread, held_);
            writes_[x.index].push_back({command, thread, held_, false});
        };
        auto const receives = [&](Variable x) {
            writers_[x.index].receives = true;
            writes_[x.index].push_back({command, thread, {}, true});
        };
        if (auto const* const assign = std::get_if<Assign>(&c)) {
            writes(assign->x);
            if (is_data_[assign->x.index] && reads(assign->e, assign->x))
                updates_.push_back({command, thread, assign->x, held_});
        }
        if (Guarded const* const guarded = as_guarded(c))
            for (auto const& [x, e] : ctp_.assigned(*guarded)) writes(x);
        Rcvi const* const receive = as_rcvi(c);
        if (receive == nullptr) return;
        receives(receive->x);
        if (Selectors const* const selectors = selectors_of(ctp_, *receive))
            for (auto const y : {selectors->source, selectors->tagged})
                if (y) receives(*y);
    }

    bool reads(Expression e, Variable x) const {
        auto const nodes = std::span(ctp_.nodes).subspan(e.first, e.size);
        return std::any_of(nodes.begin(), nodes.end(), [&](Node const& node) {
            return node.kind == Node::Kind::variable && node.payload == x.index;
        });
    }

    void hold(std::uint32_t lock) {
        auto const at = std::lower_bound(held_.begin(), held_.end(), lock);
        if (at == held_.end() || *at != lock) held_.insert(at, lock);
    }
    void release(std::uint32_t lock) {
        auto const at = std::lower_bound(held_.begin(), held_.end(), lock);
        if (at != held_.end() && *at == lock) held_.erase(at);
    }

    Ctp const& ctp_;
    Locks locks_;
    std::vector<bool> synchronises_;
    std::vector<WritesUnderLocks> writers_;     // by variable
    std::vector<std::vector<OneWrite>> writes_; // by variable
    std::vector<bool> is_data_;                 // by variable
    std::vector<Update> updates_;
    LocksHeld held_; // by the thread that it goes through
};

std::string message(std::string_view x, std::size_t others) {
    std::string const so_do = others == 0   ? ""
                              : others == 1 ? ", and so does 1 more assignment"
                                            : fmt::format(", and so do {} more assignments", others);
    return fmt::format(
        "this reads and writes `{0}` in one step{1}; neither a lock nor an order keeps other writes "
        "away. Two steps are `(t := {0})` and an assignment that reads `t`; a fetch-and-add is `(assume "
        "true ({0} := ...))`, and an update of an atomic variable, `(shared atomic [{0} ...])`, is one step",
        x, so_do);
}

} // namespace

Diagnostics warn_of_atomic_updates(Program const& program, Source const& source, IsOrdered const& is_ordered) {
    if (program.ctp.shared.empty()) return {};
    std::vector<Update> const updates = Updates(program).unprotected(is_ordered);
    if (updates.empty()) return {};
    Diagnostic d;
    d.severity = Severity::warning;
    d.rule = "atomic";
    d.notes_are_for_tools = true; // a file has many of them, and every command repeats the warning
    for (Update const& u : updates) {
        if (d.notes.size() == max_diagnostics) break;
        Token const at = atom_at(source, program.ctp.commands[u.command].offset, 1);
        auto const length = static_cast<std::uint32_t>(at.text.size());
        std::string const x = printable(program.symbols(u.x));
        if (d.offset != no_offset) {
            d.notes.push_back({fmt::format("this reads and writes `{}` in one step, too", x), at.offset, length});
            continue;
        }
        d.message = message(x, updates.size() - 1);
        d.offset = at.offset;
        d.length = length;
    }
    return {std::move(d)};
}

} // namespace matchpoint::grammar
