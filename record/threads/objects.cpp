#include "record/threads/objects.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::record::threads {

namespace {

/// The range of a variable that counts, or is a flag: nothing depends on how large it can get.
constexpr Range of_object{-(Wide{1} << 62U), Wide{1} << 62U};

} // namespace

bool Tickets::ends(std::uint32_t thread, bool timed_out) {
    auto const own = waiting_.find(thread);
    if (own == waiting_.end()) return false;
    std::uint64_t const ticket = own->second;
    waiting_.erase(own);
    auto const taken = std::find_if(signals_.begin(), signals_.end(), [&](std::uint64_t p) { return p > ticket; });
    if (!timed_out && taken != signals_.end()) {
        signals_.erase(taken);
        return true;
    }
    // A signal is dropped if too few are left who may take it and those before it.
    for (std::size_t k = 0; k < signals_.size(); ++k) {
        auto const may =
            std::count_if(waiting_.begin(), waiting_.end(), [&](auto const& w) { return w.second < signals_[k]; });
        if (static_cast<std::size_t>(may) > k) continue;
        signals_.erase(signals_.begin() + static_cast<std::ptrdiff_t>(k));
        break;
    }
    return false;
}

void ConditionUse::record(std::uint32_t thread, Record const& r) {
    if (r.kind == matchpoint_wait_begins) {
        conditions_[r.object].threads.insert(thread);
        conditions_[r.object].tickets.begins(thread);
    } else if (r.kind == matchpoint_wait_ends) {
        Use& use = conditions_[r.object];
        if (!use.tickets.ends(thread, r.numbers[2] == 1)) use.without_signal = true;
    } else if (r.kind == matchpoint_signal) {
        conditions_[r.object].tickets.signal();
    } else if (r.kind == matchpoint_broadcast) {
        conditions_[r.object].tickets.broadcast();
    }
}

ConditionUse::Use const& ConditionUse::operator[](std::uint64_t condition) const {
    static Use const none;
    auto const at = conditions_.find(condition);
    return at == conditions_.end() ? none : at->second;
}

std::uint32_t Objects::variable(std::uint64_t object, Role role, std::string_view suffix, Wide initial, unsigned part) {
    auto const [at, is_new] = variables_.try_emplace({object, role, part}, 0);
    if (is_new)
        at->second =
            builder_.shared(fmt::format("{}{}", name_(object), suffix), initial, of_object, role >= Role::count);
    return at->second;
}

void Objects::emit(RunCommand c, RunCommand::Kind kind, TermId guard,
                   std::vector<std::pair<std::uint32_t, TermId>> assigned) {
    c.kind = kind;
    c.guard = guard;
    for (auto const& [x, e] : assigned) c.assigned.emplace_back(VariableId{x, true}, e);
    c.is_plain = guard == 0 && kind == RunCommand::Kind::assume && c.assigned.size() == 1;
    builder_.add(std::move(c));
}

void Objects::fails(RunCommand const& like, std::string what) {
    error_(std::move(what));
    emit(like, RunCommand::Kind::assert_, terms_.truth(false));
}

namespace {

/// The same command, but for the name of the event.
RunCommand second(RunCommand c) {
    c.is_main = false;
    return c;
}

} // namespace

void Objects::record(Record const& r, RunCommand const& like) {
    if (r.kind == matchpoint_destroy) return destroyed(r, like);
    if (r.kind >= matchpoint_lock && r.kind <= matchpoint_unlock_error) return of_mutex(r, like);
    if (r.kind >= matchpoint_read_lock && r.kind <= matchpoint_rw_unlock) return of_rwlock(r, like);
    if (r.kind == matchpoint_wait_begins) return wait_begins(r, like);
    if (r.kind == matchpoint_wait_ends) return wait_ends(r, like);
    if (r.kind == matchpoint_signal || r.kind == matchpoint_broadcast) return signal(r, like);
    if (r.kind >= matchpoint_sem_init && r.kind <= matchpoint_sem_post) return of_semaphore(r, like);
    if (r.kind >= matchpoint_barrier_init && r.kind <= matchpoint_barrier_leaves) return of_barrier(r, like);
    of_once(r, like);
}

/// A try that succeeded never waits: where it would fail, it leaves the path.
RunCommand::Kind Objects::waiting_if(bool is_try) { return is_try ? RunCommand::Kind::assume : RunCommand::Kind::when; }

void Objects::acquire(std::uint64_t object, RunCommand const& like, bool is_try) {
    std::uint32_t const m = mutex(object);
    emit(like, waiting_if(is_try), above(m, 0), {{m, plus(m, -1)}});
}

void Objects::of_mutex(Record const& r, RunCommand const& like) {
    std::uint32_t const m = mutex(r.object);
    std::pair const own{r.object, like.thread};
    if (r.kind == matchpoint_lock) {
        // Who has a recursive mutex takes it again without waiting: nobody else sees it.
        depth_[r.object] = r.numbers[1] + 1;
        held_.insert(own);
        if (r.numbers[1] == 0) acquire(r.object, like, r.numbers[2] != 0);
    } else if (r.kind == matchpoint_lock_fails) {
        emit(like, RunCommand::Kind::assume, is(m, 0));
    } else if (r.kind == matchpoint_lock_error) {
        fails(like, fmt::format("{} is locked, with error {}", name_(r.object), r.numbers[0]));
    } else if (r.kind == matchpoint_unlock_error) {
        fails(like, fmt::format("{} is unlocked, with error {}", name_(r.object), r.numbers[0]));
    } else {
        depth_[r.object] = r.numbers[0];
        if (r.numbers[0] > 0) return;
        bool const is_stranger = held_.erase(own) == 0;
        if (is_stranger) fails(like, fmt::format("{} is unlocked by a thread that does not hold it", name_(r.object)));
        emit(is_stranger ? second(like) : like, RunCommand::Kind::assume, 0, {{m, plus(m, 1)}});
    }
}

void Objects::of_rwlock(Record const& r, RunCommand const& like) {
    std::uint32_t const w = variable(r.object, Role::writer, ".w", 0);
    std::uint32_t const n = variable(r.object, Role::readers, ".r", 0);
    TermId const free = terms_.and_(is(w, 0), is(n, 0));
    using enum RunCommand::Kind;
    if (r.kind == matchpoint_read_lock)
        emit(like, waiting_if(r.numbers[0] != 0), is(w, 0), {{n, plus(n, 1)}});
    else if (r.kind == matchpoint_write_lock)
        emit(like, waiting_if(r.numbers[0] != 0), free, {{w, plus(w, 1)}});
    else if (r.kind == matchpoint_read_fails)
        emit(like, assume, terms_.not_(is(w, 0)));
    else if (r.kind == matchpoint_write_fails)
        emit(like, assume, terms_.not_(free));
    else if (r.numbers[0] != 0)
        emit(like, assume, 0, {{w, plus(w, -1)}});
    else
        emit(like, assume, 0, {{n, plus(n, -1)}});
}

void Objects::of_semaphore(Record const& r, RunCommand const& like) {
    using enum RunCommand::Kind;
    if (r.kind == matchpoint_sem_init && !variables_.contains({r.object, Role::semaphore, 0})) {
        variable(r.object, Role::semaphore, "", static_cast<Wide>(r.numbers[0]));
        return;
    }
    std::uint32_t const s = variable(r.object, Role::semaphore, "", 0);
    if (r.kind == matchpoint_sem_init)
        emit(like, assume, 0, {{s, terms_.constant(static_cast<Wide>(r.numbers[0]))}});
    else if (r.kind == matchpoint_sem_wait)
        emit(like, waiting_if(r.numbers[0] != 0), above(s, 0), {{s, plus(s, -1)}});
    else if (r.kind == matchpoint_sem_fails)
        emit(like, assume, is(s, 0));
    else
        emit(like, assume, 0, {{s, plus(s, 1)}});
}

void Objects::of_barrier(Record const& r, RunCommand const& like) {
    Barrier& barrier = barriers_[r.object];
    if (r.kind == matchpoint_barrier_init) {
        barrier.count = std::max<std::uint64_t>(r.numbers[0], 1);
        return;
    }
    std::uint32_t const c = variable(r.object, Role::count, "", 0);
    if (r.kind == matchpoint_barrier_arrives) {
        std::uint32_t const local = builder_.local(like.thread, name_(r.object));
        barrier.round[like.thread] = terms_.local(like.thread, local, value(c), 0, of_object);
        RunCommand command = like;
        command.assigned = {{VariableId{local, false}, value(c)}};
        return emit(std::move(command), RunCommand::Kind::assume, 0, {{c, plus(c, 1)}});
    }
    TermId const round = barrier.round.contains(like.thread) ? barrier.round[like.thread] : terms_.constant(0);
    Wide const n = static_cast<Wide>(barrier.count);
    TermId const all = terms_.mul(terms_.add(terms_.div(round, n), terms_.constant(1)), terms_.constant(n));
    RunCommand command = like;
    command.is_serial = r.numbers[0] != 0;
    emit(std::move(command), RunCommand::Kind::when, terms_.less_equal(all, value(c)));
}

void Objects::of_once(Record const& r, RunCommand const& like) {
    using enum RunCommand::Kind;
    std::uint32_t const o = variable(r.object, Role::once, "", 0);
    if (r.kind == matchpoint_once_begins)
        emit(like, assume, is(o, 0), {{o, terms_.constant(1)}});
    else if (r.kind == matchpoint_once_ends)
        emit(like, assume, 0, {{o, terms_.constant(2)}});
    else
        emit(like, when, is(o, 2));
}

void Objects::destroyed(Record const& r, RunCommand const& like) {
    auto const known = [&](Role role) { return variables_.find({r.object, role, 0}); };
    TermId idle = 0;
    if (auto const m = known(Role::mutex); m != variables_.end()) idle = is(m->second, 1);
    if (auto const w = known(Role::writer); w != variables_.end())
        idle = terms_.and_(is(w->second, 0), is(known(Role::readers)->second, 0));
    if (auto const c = conditions_.find(r.object); c != conditions_.end()) idle = is(c->second.n, 0);
    if (idle != 0) emit(like, RunCommand::Kind::assert_, idle);
}

Objects::Condition& Objects::condition(std::uint64_t object) {
    auto const [at, is_new] = conditions_.try_emplace(object);
    Condition& c = at->second;
    if (!is_new) return c;
    ConditionUse::Use const& use = use_[object];
    c.q = variable(object, Role::tickets, ".q", 0);
    c.n = variable(object, Role::waiting, ".n", 0);
    for (unsigned k = 1; k <= use.threads.size(); ++k)
        c.p.push_back(variable(object, Role::signals, fmt::format(".p{}", k), 0, k));
    if (use.without_signal)
        for (std::uint32_t const t : use.threads)
            c.shared_tickets[t] = variable(object, Role::tickets, fmt::format(".t{}", t), -1, t + 1);
    return c;
}

void Objects::wait_begins(Record const& r, RunCommand const& like) {
    Condition& c = condition(r.object);
    c.run.begins(like.thread);
    c.timed[like.thread] = r.numbers[2] != 0;
    RunCommand command = like;
    std::vector<std::pair<std::uint32_t, TermId>> assigned;
    // A wait gives a recursive mutex back once.
    if (std::uint64_t& depth = depth_[r.numbers[0]]; depth <= 1) {
        std::uint32_t const m = mutex(r.numbers[0]);
        assigned.emplace_back(m, plus(m, 1));
        depth = 0;
        c.mutexes[like.thread] = r.numbers[0];
    }
    if (auto const shared = c.shared_tickets.find(like.thread); shared != c.shared_tickets.end()) {
        c.tickets[like.thread] = value(shared->second);
        assigned.emplace_back(shared->second, value(c.q));
    } else {
        std::uint32_t const local = builder_.local(like.thread, name_(r.object));
        c.tickets[like.thread] = terms_.local(like.thread, local, value(c.q), 0, of_object);
        command.assigned.emplace_back(VariableId{local, false}, value(c.q));
    }
    assigned.emplace_back(c.q, plus(c.q, 1));
    assigned.emplace_back(c.n, plus(c.n, 1));
    emit(std::move(command), RunCommand::Kind::assume, 0, std::move(assigned));
}

std::vector<std::pair<std::uint32_t, TermId>> Objects::left(Condition const& c, std::uint32_t thread) {
    std::vector<std::pair<std::uint32_t, TermId>> assigned{{c.n, plus(c.n, -1)}};
    if (auto const shared = c.shared_tickets.find(thread); shared != c.shared_tickets.end())
        assigned.emplace_back(shared->second, terms_.constant(-1));
    return assigned;
}

/// Takes the earliest signal that was given after the wait began. Those after it move up.
void Objects::leave(Condition& c, RunCommand const& like, RunCommand::Kind kind) {
    TermId const ticket = c.tickets.contains(like.thread) ? c.tickets[like.thread] : terms_.constant(0);
    TermId some = terms_.truth(false);
    auto assigned = left(c, like.thread);
    for (std::size_t k = 0; k < c.p.size(); ++k) {
        TermId const is_for_it = terms_.less(ticket, value(c.p[k]));
        some = terms_.or_(some, is_for_it);
        TermId const next = k + 1 < c.p.size() ? value(c.p[k + 1]) : terms_.constant(0);
        assigned.emplace_back(c.p[k], terms_.choose(is_for_it, next, value(c.p[k])));
    }
    emit(like, kind, some, std::move(assigned));
}

/// If then too few are left who may take a signal and those before it, it is dropped.
void Objects::leave_without_signal(Condition& c, RunCommand const& like) {
    auto assigned = left(c, like.thread);
    TermId is_dropped = terms_.truth(false);
    for (std::size_t k = 0; k < c.p.size(); ++k) {
        TermId may = terms_.constant(0);
        for (auto const& [t, ticket] : c.shared_tickets) {
            if (t == like.thread) continue;
            TermId const waits = terms_.and_(terms_.less_equal(terms_.constant(0), value(ticket)),
                                             terms_.less(value(ticket), value(c.p[k])));
            may = terms_.add(may, terms_.number(waits));
        }
        TermId const is_too_many =
            terms_.and_(above(c.p[k], 0), terms_.less_equal(may, terms_.constant(static_cast<Wide>(k))));
        is_dropped = terms_.or_(is_dropped, is_too_many);
        TermId const next = k + 1 < c.p.size() ? value(c.p[k + 1]) : terms_.constant(0);
        assigned.emplace_back(c.p[k], terms_.choose(is_dropped, next, value(c.p[k])));
    }
    emit(like, RunCommand::Kind::assume, 0, std::move(assigned));
}

void Objects::wait_ends(Record const& r, RunCommand const& like) {
    Condition& c = condition(r.object);
    if (!c.run.ends(like.thread, r.numbers[2] == 1))
        leave_without_signal(c, like);
    else // A wait whose time passes leaves the path.
        leave(c, like, c.timed[like.thread] ? RunCommand::Kind::assume : RunCommand::Kind::when);
    c.tickets.erase(like.thread);
    c.mutexes.erase(like.thread);
    if (std::uint64_t& depth = depth_[r.numbers[0]]; depth == 0) {
        acquire(r.numbers[0], second(like));
        depth = 1;
    }
}

void Objects::signal(Record const& r, RunCommand const& like) {
    Condition& c = condition(r.object);
    bool const to_all = r.kind == matchpoint_broadcast;
    to_all ? c.run.broadcast() : c.run.signal();
    std::vector<std::pair<std::uint32_t, TermId>> assigned;
    for (std::size_t k = 0; k < c.p.size(); ++k) {
        // One of the threads that wait has no signal yet; of one signal, the first such slot.
        TermId free = terms_.and_(is(c.p[k], 0), terms_.less(terms_.constant(static_cast<Wide>(k)), value(c.n)));
        if (!to_all && k > 0) free = terms_.and_(terms_.not_(is(c.p[k - 1], 0)), free);
        assigned.emplace_back(c.p[k], terms_.choose(free, value(c.q), value(c.p[k])));
    }
    if (!assigned.empty()) emit(like, RunCommand::Kind::assume, terms_.truth(true), std::move(assigned));
}

void Objects::waits(matchpoint_record kind, std::uint64_t object, RunCommand const& like) {
    using enum RunCommand::Kind;
    if (kind == matchpoint_lock) return acquire(object, like);
    if (kind == matchpoint_wait_ends) {
        Condition& c = condition(object);
        leave(c, like, when);
        if (auto const m = c.mutexes.find(like.thread); m != c.mutexes.end()) acquire(m->second, second(like));
        return;
    }
    Record r;
    r.kind = kind;
    r.object = object;
    r.numbers = {};
    bool const can_wait = kind == matchpoint_read_lock || kind == matchpoint_write_lock ||
                          kind == matchpoint_sem_wait || kind == matchpoint_barrier_leaves ||
                          kind == matchpoint_once_passes;
    if (can_wait) record(r, like);
}

} // namespace matchpoint::record::threads
