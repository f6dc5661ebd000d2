#include "suite/traces.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "programs/random_trace.hpp"

namespace matchpoint::suite {

using draft::Draft;
using Entries = draft::Trace;

namespace {

/// Which of several things are broken in a trace must not depend on anything but the program's number.
class Choices {
public:
    explicit Choices(std::uint64_t number) : state_(number * 0x9E37'79B9'7F4A'7C15U + 1) {}
    std::size_t below(std::size_t n) {
        state_ ^= state_ >> 12U;
        state_ ^= state_ << 25U;
        state_ ^= state_ >> 27U;
        return static_cast<std::size_t>((state_ * 0x2545'F491'4F6C'DD1DU) >> 33U) % n;
    }

private:
    std::uint64_t state_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Traces that are broken, or at least others

/// An entry with movements, chosen; none if there is none.
draft::Entry* any_with_movements(Entries& trace, Choices& choose) {
    std::vector<draft::Entry*> found;
    for (draft::Entry& e : trace)
        if (!e.m.empty()) found.push_back(&e);
    return found.empty() ? nullptr : found[choose.below(found.size())];
}

bool without_a_movement(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e != nullptr) e->m.erase(e->m.begin() + static_cast<std::ptrdiff_t>(choose.below(e->m.size())));
    return e != nullptr;
}
bool a_movement_again(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e != nullptr) e->m.push_back(e->m.back());
    return e != nullptr;
}
bool from_the_wrong_source(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e != nullptr) e->m.back().alpha.text = e->m.back().beta.text;
    return e != nullptr;
}
bool a_movement_sooner(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e == nullptr || e == trace.data()) return false;
    (e - 1)->m.push_back(e->m.front());
    e->m.erase(e->m.begin());
    return true;
}
bool a_movement_later(Entries& trace, Choices& choose) {
    draft::Entry* const e = any_with_movements(trace, choose);
    if (e == nullptr || e == &trace.back()) return false;
    (e + 1)->m.insert((e + 1)->m.begin(), e->m.back());
    e->m.pop_back();
    return true;
}
bool without_an_entry(Entries& trace, Choices& choose) {
    if (trace.empty()) return false;
    trace.erase(trace.begin() + static_cast<std::ptrdiff_t>(choose.below(trace.size())));
    return true;
}
bool neighbours_interchanged(Entries& trace, Choices& choose) {
    if (trace.size() < 2) return false;
    std::size_t const i = choose.below(trace.size() - 1);
    std::swap(trace[i], trace[i + 1]);
    return true;
}
bool cut_short(Entries& trace, Choices& choose) {
    if (trace.empty()) return false;
    trace.resize(choose.below(trace.size()));
    return true;
}
bool an_entry_again(Entries& trace, Choices& choose) {
    if (trace.empty()) return false;
    trace.push_back(trace[choose.below(trace.size())]);
    return true;
}
bool an_unknown_location(Entries& trace, Choices& choose) {
    if (trace.empty()) return false;
    trace[choose.below(trace.size())].rho = "nowhere";
    return true;
}

using Break = bool (*)(Entries&, Choices&);
constexpr Break general_breaks[] = {without_a_movement, neighbours_interchanged, a_movement_sooner,
                                    a_movement_later,   without_an_entry,        a_movement_again,
                                    cut_short,          from_the_wrong_source,   an_entry_again,
                                    an_unknown_location};

// What is broken of selectors, modes and barriers.

/// The command at a location; null if there is none.
draft::Command const* command_at(Draft const& draft, std::string const& rho) {
    for (draft::Thread const& thread : draft.threads)
        for (draft::LocatedCommand const& located : thread)
            if (located.rho == rho) return &located.c;
    return nullptr;
}

std::size_t thread_of(Draft const& draft, std::string const& rho) {
    for (std::size_t t = 0; t < draft.threads.size(); ++t)
        for (draft::LocatedCommand const& located : draft.threads[t])
            if (located.rho == rho) return t;
    return draft.threads.size();
}

/// Moves a chosen entry that is such, without its movements, to right after the previous entry of its thread.
template <typename IsSuch>
bool too_early(Draft const& draft, Entries& trace, Choices& choose, IsSuch is_such) {
    std::vector<std::pair<std::size_t, std::size_t>> found; // from, to
    for (std::size_t i = 0; i < trace.size(); ++i) {
        draft::Command const* const c = command_at(draft, trace[i].rho);
        if (c == nullptr || !is_such(*c)) continue;
        std::size_t to = i;
        while (to > 0 && thread_of(draft, trace[to - 1].rho) != thread_of(draft, trace[i].rho)) --to;
        // Movements stay where they are.
        if (to < i || !trace[i].m.empty()) found.emplace_back(i, to);
    }
    if (found.empty()) return false;
    auto const [from, to] = found[choose.below(found.size())];
    std::vector<draft::Movement> movements = std::move(trace[from].m);
    trace[from].m.clear();
    if (from + 1 < trace.size())
        trace[from + 1].m.insert(trace[from + 1].m.begin(), movements.begin(), movements.end());
    auto const at = [&](std::size_t i) { return trace.begin() + static_cast<std::ptrdiff_t>(i); };
    std::rotate(at(to), at(from), at(from + 1));
    return true;
}

bool a_barrier_too_early(Draft const& draft, Entries& trace, Choices& choose) {
    return too_early(draft, trace, choose,
                     [](draft::Command const& c) { return std::holds_alternative<MeetOf<draft::Text>>(c); });
}

/// The wait for a synchronous send.
bool a_send_not_awaited(Draft const& draft, Entries& trace, Choices& choose) {
    std::set<std::string> synchronous;
    for (draft::Thread const& thread : draft.threads)
        for (draft::LocatedCommand const& located : thread)
            if (auto const* const send = as_sndi(located.c); send != nullptr && send->mode == Mode::synchronous)
                synchronous.insert(send->a.text);
    return too_early(draft, trace, choose, [&](draft::Command const& c) {
        auto const* const wait = as_wait(c);
        return wait != nullptr && synchronous.contains(wait->a.text);
    });
}

bool a_when_too_early(Draft const& draft, Entries& trace, Choices& choose) {
    return too_early(draft, trace, choose, [](draft::Command const& c) {
        auto const* const guarded = as_guarded(c);
        return guarded != nullptr && guarded->blocks;
    });
}

/// Whether some receive at the destination admits not all messages of the source.
bool some_receive_refuses(Draft const& draft, draft::Movement const& m) {
    for (draft::Thread const& thread : draft.threads)
        for (draft::LocatedCommand const& located : thread) {
            auto const* const receive = as_rcvi(located.c);
            if (receive == nullptr || receive->beta != m.beta) continue;
            if (receive->sel.tags) return true;
            auto const& from = receive->sel.from;
            if (from && std::find(from->begin(), from->end(), m.alpha) == from->end()) return true;
        }
    return false;
}

/// The tags of the messages that a movement may be about, if there are several.
std::set<draft::Tag> tags_of_channel(Draft const& draft, draft::Movement const& m) {
    std::set<draft::Tag> tags;
    for (draft::Thread const& thread : draft.threads)
        for (draft::LocatedCommand const& located : thread) {
            auto const* const send = as_sndi(located.c);
            if (send == nullptr || send->beta != m.beta || send->alpha != m.alpha) continue;
            tags.insert(send->tag.text.empty() ? draft::Tag("0") : send->tag);
        }
    if (tags.size() < 2) tags.clear();
    return tags;
}

/// Two messages to one endpoint, from different sources, arrive in the other order. Some receive there does not admit
/// both.
bool what_is_not_admitted(Draft const& draft, Entries& trace, Choices& choose) {
    std::vector<draft::Movement*> all;
    for (draft::Entry& e : trace)
        for (draft::Movement& m : e.m) all.push_back(&m);
    std::vector<std::pair<draft::Movement*, draft::Movement*>> found;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j)
            if (all[i]->beta == all[j]->beta && all[i]->alpha != all[j]->alpha &&
                (some_receive_refuses(draft, *all[i]) || some_receive_refuses(draft, *all[j])))
                found.emplace_back(all[i], all[j]);
    if (found.empty()) return false;
    auto const [one, other] = found[choose.below(found.size())];
    std::swap(one->alpha, other->alpha);
    std::swap(one->n, other->n);
    return true;
}

/// A movement names another tag than before: one of a message of its channel.
bool another_tag(Draft const& draft, Entries& trace, Choices& choose) {
    std::vector<std::pair<draft::Movement*, draft::Tag>> found;
    for (draft::Entry& e : trace)
        for (draft::Movement& m : e.m)
            for (draft::Tag const& n : tags_of_channel(draft, m))
                if (n != m.n) found.emplace_back(&m, n);
    if (found.empty()) return false;
    auto const& [m, n] = found[choose.below(found.size())];
    m->n = n;
    return true;
}

using Specific = bool (*)(Draft const&, Entries&, Choices&);
constexpr Specific breaks_of_mpi[] = {a_barrier_too_early, a_send_not_awaited, what_is_not_admitted, another_tag};
constexpr Specific breaks_of_shared_memory[] = {a_when_too_early};

std::span<Specific const> specific(Breaks breaks) {
    switch (breaks) {
    case Breaks::general: break;
    case Breaks::of_mpi: return breaks_of_mpi;
    case Breaks::of_shared_memory: return breaks_of_shared_memory;
    }
    return {};
}

} // namespace

/// Walks until they have ended in several ways; then some of them broken.
void add_traces(Draft& draft, std::uint64_t number, Breaks breaks) {
    constexpr std::uint64_t walks[] = {40, 8}; // infinite, zero
    constexpr std::size_t most[] = {3, 2};     // ways to end
    constexpr std::size_t broken = 2;
    draft::name_locations(draft);
    Program const program = draft::valid_program_of(draft);
    IndexedProgram const code(program);
    auto const add = [&](Entries trace) {
        bool const is_new = std::find(draft.traces.begin(), draft.traces.end(), trace) == draft.traces.end();
        if (is_new) draft.traces.push_back(std::move(trace));
    };
    for (Buffering const b : {Buffering::infinite, Buffering::zero}) {
        auto const i = static_cast<std::size_t>(b);
        std::set<std::pair<End, Status>> seen;
        for (std::uint64_t walk = 0; walk < walks[i] && seen.size() < most[i]; ++walk) {
            RandomTrace made = random_trace(code, b, number, 2 * walk + i);
            if (seen.insert({made.end, made.s}).second) add(std::move(made.trace));
        }
    }
    Choices choose(number);
    std::size_t const good = draft.traces.size();
    for (std::size_t n = 0; n < broken; ++n) {
        // What cannot be broken in one way may be in the next.
        std::size_t const first = choose.below(std::size(general_breaks));
        for (std::size_t kind = 0; kind < std::size(general_breaks); ++kind) {
            Entries trace = draft.traces[choose.below(good)];
            if (!general_breaks[(first + kind) % std::size(general_breaks)](trace, choose)) continue;
            add(std::move(trace));
            break;
        }
    }
    // What cannot be broken in one trace may be in the next.
    for (Specific const specific_break : specific(breaks)) {
        std::size_t const first = choose.below(good);
        for (std::size_t n = 0; n < good; ++n) {
            Entries trace = draft.traces[(first + n) % good];
            if (!specific_break(draft, trace, choose)) continue;
            add(std::move(trace));
            break;
        }
    }
}

} // namespace matchpoint::suite
