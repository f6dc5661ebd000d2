#include "record/windows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/overloaded.hpp"
#include "record/window_memory.hpp"
#include "record/window_order.hpp"
#include "record/window_races.hpp"
#include "record/window_written.hpp"

namespace matchpoint::record {

namespace {

using RemoteKind = lines::Remote::Kind;

/// What the ranks know of each other: names, and what may come from elsewhere.
struct Shared {
    std::size_t ranks;
    std::map<WindowName, std::size_t> windows;
    std::map<std::pair<WindowName, std::uint32_t>, int> units; // by window and rank
    std::map<Cell, Written> cells;                             // by other ranks, or by calls of their own rank
    std::set<std::string> of_host;                             // variables that all ranks use
    WindowOrder const* order;
    WindowProgram* program;
    bool lacks_writes; // some are not recorded

    void gap(std::uint32_t rank, SourceLine const& at, std::string function, std::string what) const {
        auto& gaps = program->gaps;
        auto const same = [&](Gap const& g) { return g.function == function && g.what == what; };
        if (std::none_of(gaps.begin(), gaps.end(), same))
            gaps.push_back({rank, at, std::move(function), std::move(what)});
    }

    std::size_t number(WindowName const& window) const {
        auto const found = windows.find(window);
        return found == windows.end() ? windows.size() : found->second;
    }
    /// `W0_1_3`: element 3 of window 0 at rank 1.
    std::string name(Cell const& c) const {
        auto const unit = units.find({c.window, c.rank});
        auto const size = static_cast<std::uint64_t>(unit == units.end() ? 1 : unit->second);
        std::string text = fmt::format("W{}_{}_{}", number(c.window), c.rank, c.offset / size);
        return c.offset % size == 0 ? text : fmt::format("{}.{}", text, c.offset % size);
    }
};

/// Finds the cells, and what is written there from elsewhere.
class Survey {
public:
    Survey(Shared& shared, RankEvents const& rank) : shared_(shared), rank_(rank) {}

    void run() {
        for (WindowEvent const& e : rank_.events) {
            if (auto const* const o = std::get_if<lines::Opened>(&e.what)) {
                shared_.windows.try_emplace(o->window, shared_.windows.size());
                shared_.units[{o->window, rank_.rank}] = std::max(1, o->unit);
            } else if (auto const* const b = std::get_if<lines::Bytes>(&e.what)) {
                memory_.write(*b);
            } else if (auto const* const v = std::get_if<lines::Buffer>(&e.what)) {
                buffers_[v->buffer] = v->value.text;
            } else if (auto const* const a = std::get_if<lines::Arrived>(&e.what)) {
                if (auto const* const b = std::get_if<std::uint32_t>(&a->from)) buffers_[*b].clear();
            } else if (auto const* const r = std::get_if<lines::Remote>(&e.what)) {
                remote(*r);
            }
        }
    }

private:
    void remote(lines::Remote const& r) {
        Written& there = shared_.cells[r.cell];
        for (OwnMemory const* const own : {&r.operand, &r.compared})
            if (auto const* const c = std::get_if<Cell>(own)) shared_.cells[*c];
        if (auto const* const c = std::get_if<Cell>(&r.result)) shared_.cells[*c].add_unknown();
        if (r.kind == RemoteKind::get || r.op == "no-op") return;
        bool const is_known = r.kind == RemoteKind::put || r.kind == RemoteKind::swap || r.op == "replace";
        auto const value = is_known || r.op == "+" ? value_of(r.operand) : std::nullopt;
        if (!value)
            there.add_unknown();
        else if (is_known)
            there.add_value(*value);
        else
            there.add_sum(*value);
    }

    /// None if it depends on what was fetched.
    std::optional<std::int64_t> value_of(OwnMemory const& own) const {
        if (auto const* const c = std::get_if<Cell>(&own)) return memory_.value(*c);
        auto const* const b = std::get_if<std::uint32_t>(&own);
        auto const found = b == nullptr ? buffers_.end() : buffers_.find(*b);
        return found == buffers_.end() ? std::nullopt : to_number<std::int64_t>(found->second);
    }

    Shared& shared_;
    RankEvents const& rank_;
    WindowMemory memory_;
    std::map<std::uint32_t, std::string> buffers_;
};

/// The process of one rank.
class ProcessWriter {
public:
    ProcessWriter(Shared& shared, RankEvents const& rank, bool as_fetched)
        : shared_(shared), rank_(rank), as_fetched_(as_fetched), host_(static_cast<std::uint32_t>(shared.ranks)) {}

    std::string run() {
        for (std::size_t i = 0; i < rank_.events.size(); ++i) {
            WindowEvent const& e = rank_.events[i];
            std::visit(overloaded{
                           [&](lines::Opened const&) { first_ = true; },
                           [&](lines::Ready const&) { first_ = false; },
                           [&](lines::Bytes const& b) { bytes(b); },
                           [&](lines::Buffer const& b) { buffer(b, e.at); },
                           [&](lines::Remote const& r) { remote(r, e.at); },
                           [&](lines::Flush const& f) { flush(f, e.at); },
                           [&](lines::Lock const& l) { lock(l, e.at); },
                           [&](lines::Group const& g) { group(g, e.at); },
                           [&](lines::Meeting const& m) { meet(m, e.at); },
                           [&](lines::Arrived const& a) { arrived(a); },
                           [&](lines::Claim const& c) { claim(c, e.at); },
                           [&](lines::Collective const& c) { collective(c, e.at); },
                           [&](lines::Done const& d) { done(d); },
                           [&](lines::Message const& m) { message(m, e.at); },
                           [&](lines::Complete const& c) { complete(c); },
                       },
                       e.what);
        }
        return text();
    }

    std::vector<WindowStep> take_steps() { return std::move(steps_); }

private:
    std::string text() const {
        std::string all = fmt::format("  (process {}\n    (shared", rank_.rank);
        for (auto const& [cell, written] : shared_.cells)
            if (cell.rank == rank_.rank) {
                auto const found = initial_.find(cell);
                all += fmt::format(" ({} {})", shared_.name(cell), found == initial_.end() ? 0 : found->second);
            }
        for (auto const& [name, value] : shared_variables_) all += fmt::format(" ({} {})", name, value);
        all += ")\n    (local";
        for (std::string const& u : locals_) all += fmt::format(" ({} 0)", u);
        return all + ")\n" + statements_ + "    bot\n  )\n";
    }

    void say(std::string const& statement, SourceLine const& at = {}) {
        std::string const place = at.file.empty() ? "" : fmt::format(" ; {}:{}", printable(at.file, 4096), at.line);
        if (!at.file.empty())
            for (; !stores_.empty(); stores_.pop_back()) steps_[stores_.back()].at = at; // seen at this call
        statements_ += fmt::format("    {}{}\n", statement, place);
        ++shared_.program->statements;
    }

    void take_step(WindowStep step) { steps_.push_back(std::move(step)); }

    /// A variable of this rank that no memory of the program is.
    std::string own(std::string_view kind, int value) {
        std::string name = fmt::format("{}_{}", kind, rank_.rank);
        shared_variables_.try_emplace(name, value);
        return name;
    }
    std::string local(std::string name) { return *locals_.insert(std::move(name)).first; }
    std::string buffer_name(std::uint32_t b) const { return fmt::format("B{}_{}", rank_.rank, b); }

    std::string name(OwnMemory const& memory) {
        if (auto const* const cell = std::get_if<Cell>(&memory)) return shared_.name(*cell);
        if (auto const* const b = std::get_if<std::uint32_t>(&memory)) {
            shared_variables_.try_emplace(buffer_name(*b), 0);
            return buffer_name(*b);
        }
        return own("none", 0);
    }

    // ---- what memory holds

    void bytes(lines::Bytes const& b) {
        std::vector<std::pair<Cell, std::int64_t>> before; // the cells that it may change
        Cell const first{b.window, rank_.rank, b.offset < 8 ? 0 : b.offset - 7, 0};
        for (auto at = shared_.cells.lower_bound(first); at != shared_.cells.end(); ++at) {
            Cell const& cell = at->first;
            if (cell.window != b.window || cell.rank != rank_.rank || cell.offset >= b.offset + b.bytes.size()) break;
            before.emplace_back(cell, memory_.value(cell));
        }
        memory_.write(b);
        for (auto const& [cell, old] : before) {
            std::int64_t const value = memory_.value(cell);
            Written const& written = shared_.cells.at(cell);
            if (first_)
                initial_[cell] = value;
            else if (value != old && !written.explains(old, value, cell.size) &&
                     !(written.has_sums() && shared_.lacks_writes))
                store(cell, value);
        }
    }

    void store(Cell const& cell, std::int64_t value) {
        say(fmt::format("(store {} {})", shared_.name(cell), value));
        take_step({.kind = WindowStep::Kind::access, .name = shared_.name(cell), .rank = rank_.rank, .writes = true});
        stores_.push_back(steps_.size() - 1);
    }

    void buffer(lines::Buffer const& b, SourceLine const& at) {
        std::string const name = buffer_name(b.buffer);
        if (!is_understood(b.value, at)) return;
        auto const value = to_number<std::int64_t>(b.value.text);
        if (value && shared_variables_.emplace(name, *value).second) return;
        shared_variables_.try_emplace(name, 0);
        say(fmt::format("(store {} {})", name, b.value.text));
    }

    // ---- calls

    void remote(lines::Remote const& r, SourceLine const& at) {
        std::string const Y = shared_.name(r.cell);
        std::uint32_t const pid = r.cell.rank;
        if (pid == rank_.rank && (r.kind == RemoteKind::put || r.kind == RemoteKind::get))
            return shared_.gap(rank_.rank, at, std::string(r.function()),
                               "a put or a get of a rank on itself is left out; remote atomics are not");
        switch (r.kind) {
        case RemoteKind::put: say(fmt::format("(put {} {} {})", Y, pid, name(r.operand)), at); break;
        case RemoteKind::get: say(fmt::format("(get {} {} {})", name(r.result), Y, pid), at); break;
        case RemoteKind::accumulate:
            say(fmt::format("(accumulate {} {} {} {})", Y, pid, r.op, name(r.operand)), at);
            break;
        case RemoteKind::fetch: {
            std::string const X = name(r.result);
            say(fmt::format("(fetch-and-op {} {} {} {} {})", X, Y, pid, r.op, name(r.operand)), at);
            break;
        }
        case RemoteKind::swap: {
            std::string const X = name(r.result);
            std::string const C = name(r.compared);
            say(fmt::format("(compare-and-swap {} {} {} {} {})", X, Y, pid, C, name(r.operand)), at);
            break;
        }
        }
        bool const is_atomic = r.kind != RemoteKind::put && r.kind != RemoteKind::get;
        take_step({.kind = WindowStep::Kind::access,
                   .name = Y,
                   .rank = pid,
                   .is_remote = true,
                   .writes = r.kind != RemoteKind::get && r.op != "no-op",
                   .is_atomic = is_atomic,
                   .function = std::string(r.function()),
                   .at = at});
        pending_.insert({r.cell.window, pid});
    }

    void flush(lines::Flush const& f, SourceLine const& at) {
        std::set<std::uint32_t> targets;
        for (auto const& [window, target] : pending_)
            if (window == f.window && (!f.rank || *f.rank == target)) targets.insert(target);
        for (std::uint32_t const target : targets) {
            say(fmt::format("(flush {})", target), at);
            take_step({.kind = WindowStep::Kind::flush, .name = {}, .rank = target});
            if (pending_of_others(f.window, target))
                shared_.gap(rank_.rank, at, "MPI_Win_flush", "a flush waits for operations on other windows, too");
            std::erase_if(pending_, [&](auto const& p) { return p.second == target; });
        }
    }

    bool pending_of_others(WindowName const& window, std::uint32_t target) const {
        return std::any_of(pending_.begin(), pending_.end(),
                           [&](auto const& p) { return p.first != window && p.second == target; });
    }

    /// It is negative if a rank holds it alone; otherwise it counts those who share it. A shared lock of a window that
    /// nobody locks alone is left out.
    void lock(lines::Lock const& l, SourceLine const& at) {
        std::string const L = fmt::format("lock{}_{}", shared_.number(l.window), l.rank);
        std::pair const key(l.window, l.rank);
        if (l.kind == lines::Lock::Kind::end) {
            auto const held = locked_.find(key);
            if (held == locked_.end()) return;
            bool const is_shared = held->second;
            take_step({.kind = WindowStep::Kind::release, .name = L});
            locked_.erase(held);
            say(is_shared ? fmt::format("(accumulate {} {} + {})", L, host_, own("fewer", -1))
                          : fmt::format("(accumulate {} {} replace {})", L, host_, own("free", 0)),
                at);
            say(fmt::format("(flush {})", host_));
            return;
        }
        bool const is_shared = l.kind == lines::Lock::Kind::shared;
        if (is_shared && !shared_.order->has_exclusive_locks(l.window, l.rank)) return;
        std::string const got = own("got", 0);
        std::string const g = local("g_" + std::to_string(rank_.rank));
        say(is_shared ? fmt::format("(fetch-and-op {} {} {} + {})", got, L, host_, own("one", 1))
                      : fmt::format("(compare-and-swap {} {} {} {} {})", got, L, host_, own("free", 0),
                                    own("held", -1'000'000)),
            at);
        say(fmt::format("(flush {})", host_));
        say(fmt::format("(load {} {})", g, got));
        say(is_shared ? fmt::format("(assume (>= {} 0))", g) : fmt::format("(assume (= {} 0))", g));
        shared_.of_host.insert(L);
        take_step({.kind = is_shared ? WindowStep::Kind::acquire_shared : WindowStep::Kind::acquire, .name = L});
        locked_[key] = is_shared;
    }

    /// Tells other ranks that it has come here.
    void signal(std::string const& A, SourceLine const& at) {
        say(fmt::format("(accumulate {} {} + {})", A, host_, own("one", 1)), at);
        say(fmt::format("(flush {})", host_));
        take_step({.kind = WindowStep::Kind::signal, .name = A});
        shared_.of_host.insert(A);
    }
    /// Goes on when so many have.
    void await(std::string const& A, std::size_t n, SourceLine const& at) {
        std::string const seen = own("seen", 0);
        std::string const s = local("s_" + std::to_string(rank_.rank));
        say(fmt::format("(fetch-and-op {} {} {} no-op {})", seen, A, host_, own("one", 1)), at);
        say(fmt::format("(flush {})", host_));
        say(fmt::format("(load {} {})", s, seen));
        say(fmt::format("(assume (>= {} {}))", s, n));
        take_step({.kind = WindowStep::Kind::await, .name = A, .n = n});
        shared_.of_host.insert(A);
    }

    /// A start waits for the posts of its group, and MPI_Win_wait for all that complete.
    void group(lines::Group const& g, SourceLine const& at) {
        using Kind = lines::Group::Kind;
        std::string const W = std::to_string(shared_.number(g.window));
        bool const is_posted = g.kind == Kind::post || g.kind == Kind::start;
        std::string const word = (is_posted ? "post" : "done") + W;
        for (std::uint32_t const other : g.ranks) {
            std::string const from_here = fmt::format("{}_{}_{}", word, rank_.rank, other);
            std::string const from_there = fmt::format("{}_{}_{}", word, other, rank_.rank);
            if (g.kind == Kind::post || g.kind == Kind::complete)
                signal(from_here, at);
            else
                await(from_there, ++awaited_[from_there], at);
        }
    }

    /// Adds one, and waits until all have.
    void meet(lines::Meeting const& m, SourceLine const& at) {
        if (m.ranks < 2) return;
        auto const [number, is_new] = meetings_.try_emplace(m.communicator, 0);
        std::size_t const all = ++number->second * m.ranks;
        std::string const A = "met" + communicator_name(m.communicator);
        say(fmt::format("(accumulate {} {} + {})", A, host_, own("one", 1)), at);
        take_step({.kind = WindowStep::Kind::signal, .name = A});
        await(A, all, {});
    }

    /// Who hands something out need not wait for those who get it.
    void collective(lines::Collective const& c, SourceLine const& at) {
        std::string const A = fmt::format("coll{}_{}", communicator_name(c.communicator), c.place);
        bool const is_from_root = c.function.find("cast") != std::string::npos || c.function.ends_with("catter") ||
                                  c.function.ends_with("catterv");
        bool const is_root = c.root == rank_.rank;
        if (!c.root || is_root == is_from_root) signal(A, at);
        if (c.root && is_root == is_from_root) return;
        open_collectives_[c.number] = {A, !c.root ? c.ranks : is_from_root ? 1 : c.ranks - 1};
    }
    void done(lines::Done const& d) {
        auto const found = open_collectives_.find(d.number);
        if (found == open_collectives_.end()) return;
        await(found->second.first, found->second.second, {});
        open_collectives_.erase(found);
    }

    // ---- messages

    static std::string name_of(lines::Channel const& c) {
        return fmt::format("sent{}_{}_{}_{}", communicator_name(c.communicator), c.from, c.to, c.tag);
    }
    static std::string name_of_receive(WindowOrder::Call const& c) {
        return fmt::format("posted_{}_{}", c.first, c.second);
    }

    void message(lines::Message const& m, SourceLine const& at) {
        if (m.channel)
            signal(name_of(*m.channel), at);
        else if (shared_.order->is_awaited(rank_.rank, m.number))
            signal(name_of_receive({rank_.rank, m.number}), at);
    }
    void complete(lines::Complete const& c) {
        if (c.channel)
            await(name_of(*c.channel), shared_.order->ordinal(rank_.rank, c.number), {});
        else if (auto const receive = shared_.order->awaited_by(rank_.rank, c.number))
            await(name_of_receive(*receive), 1, {});
    }

    /// "0.2:3": dots and colons become underlines.
    /// MPI_COMM_WORLD is 0.
    static std::string communicator_name(std::string name) {
        constexpr std::string_view world = "MPI_COMM_WORLD";
        if (name.starts_with(world)) name.replace(0, world.size(), "0");
        for (char& c : name)
            if (c == '.' || c == ':') c = '_';
        return name;
    }

    void arrived(lines::Arrived const& a) {
        bool const is_used = rank_.used.contains(a.number);
        if (!is_used && !as_fetched_) return;
        std::string const x = local(is_used ? variable_of(CallId{rank_.rank, a.number, CallId::Kind::receive})
                                            : "f_" + std::to_string(rank_.rank));
        say(fmt::format("(load {} {})", x, name(a.from)));
        if (as_fetched_) say(fmt::format("(assume (= {} {}))", x, a.value));
        if (!is_used) return;
        known_.insert(a.number);
    }

    void claim(lines::Claim const& c, SourceLine const& at) {
        if (!is_understood(c.e, at)) return;
        say(fmt::format("({} {})", c.is_assumption ? "assume" : "assert", c.e.text), at);
    }

    /// Whether an expression has only variables that were loaded. Says why not.
    bool is_understood(lines::Expression const& e, SourceLine const& at) {
        if (e.text.empty()) shared_.gap(rank_.rank, at, "matchpoint::value", "an expression is too long");
        bool const is_known = std::includes(known_.begin(), known_.end(), e.depends_on.begin(), e.depends_on.end());
        if (!is_known) shared_.gap(rank_.rank, at, "matchpoint::value", "what depends on a message is left out");
        return is_known && !e.text.empty();
    }

    Shared& shared_;
    RankEvents const& rank_;
    bool as_fetched_;
    std::uint32_t host_;
    WindowMemory memory_;
    bool first_ = false; // memory is what a window begins with
    std::map<Cell, std::int64_t> initial_;
    std::map<std::string, std::int64_t> shared_variables_;
    std::set<std::string> locals_;
    std::set<std::pair<WindowName, std::uint32_t>> pending_;                        // what is not flushed
    std::map<std::pair<WindowName, std::uint32_t>, bool> locked_;                   // whether it is shared
    std::map<std::string, std::size_t> awaited_;                                    // how many times
    std::map<std::uint32_t, std::pair<std::string, std::size_t>> open_collectives_; // by number: what for, and how many
    std::map<std::string, std::size_t> meetings_;
    std::set<std::uint32_t> known_; // requests whose variables were loaded
    std::string statements_;
    std::vector<WindowStep> steps_;
    std::vector<std::size_t> stores_; // steps without a place
};

/// Accesses of several sizes to the same bytes: variables have no parts.
void look_for_overlaps(Shared const& shared) {
    Cell const* before = nullptr;
    for (auto const& [cell, written] : shared.cells) {
        bool const overlaps = before != nullptr && before->window == cell.window && before->rank == cell.rank &&
                              before->offset + static_cast<std::uint64_t>(std::abs(before->size)) > cell.offset;
        if (overlaps)
            shared.gap(cell.rank, {}, "MPI_Win", "elements of a window overlap; they are variables of their own");
        before = &cell;
    }
}

std::string text_of(Shared& shared, std::span<RankEvents const> ranks, bool as_fetched) {
    std::string text = "(rma\n";
    for (RankEvents const& rank : ranks) {
        ProcessWriter writer(shared, rank, as_fetched);
        text += writer.run();
        if (as_fetched) shared.program->steps.push_back(writer.take_steps());
    }
    if (!shared.of_host.empty()) {
        text += fmt::format("  (process {}\n    (shared", ranks.size());
        for (std::string const& x : shared.of_host) text += fmt::format(" ({} 0)", x);
        text += ")\n    bot\n  )\n";
    }
    return text + ")\n";
}

} // namespace

WindowProgram window_program(std::span<RankEvents const> ranks) {
    WindowProgram program;
    WindowOrder const order(ranks);
    program.choices = order.choices();
    bool const lacks_writes = std::any_of(ranks.begin(), ranks.end(), [](auto const& r) { return r.lacks_writes; });
    Shared shared{ranks.size(), {}, {}, {}, {}, &order, &program, lacks_writes};
    for (RankEvents const& rank : ranks) Survey(shared, rank).run();
    look_for_overlaps(shared);
    program.as_fetched = text_of(shared, ranks, true);
    program.statements = 0;
    program.text = text_of(shared, ranks, false);
    return program;
}

} // namespace matchpoint::record
