// Programs of threads that share variables, and one of ranks with two threads each.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "grammar/operators.hpp"
#include "programs/family_parts.hpp"

namespace matchpoint::programs::families {

namespace {

draft::Expression plus(std::string const& x, std::int64_t n) {
    return n < 0 ? operation(Op::minus, variable(x), number(-n)) : operation(Op::plus, variable(x), number(n));
}
draft::Expression is(std::string const& x, std::int64_t n) { return operation(Op::equal, variable(x), number(n)); }

draft::Command acquire(std::string const& l) {
    return when(operation(Op::greater, variable(l), number(0)), {{l, plus(l, -1)}});
}
draft::Command release(std::string const& l) { return assign(l, plus(l, 1)); }

/// x := x + n as a real program does it.
void add_in_two_steps(Threads& threads, std::size_t thread, std::string const& x, std::int64_t n, std::size_t time) {
    std::string const t = fmt::format("t{}.{}.{}", thread, x, time);
    threads.add(thread, assign(t, variable(x)));
    threads.add(thread, assign(x, plus(t, n)));
}

/// Makes the last thread wait for all others, which count up when they are done.
void join_all(Threads& threads, std::size_t others) {
    for (std::size_t t = 0; t < others; ++t) threads.add(t, assign("done", plus("done", 1)));
    threads.add(others, when(is("done", static_cast<std::int64_t>(others)), {}));
}

struct Initial {
    std::string x;
    std::int64_t v;
};

Made made_of(Threads& threads, std::vector<Initial> const& shared, Promise promise, std::string what) {
    Made result = made(threads, promise, std::move(what));
    for (auto const& [x, v] : shared) result.draft.shared.push_back({x, Value::integer(v)});
    return result;
}

/// A hash table of the run in which the threads go one after the other. That run decides which compare-and-swaps fail.
class HashTable {
public:
    HashTable(std::size_t threads, std::size_t size) : size_(size), needs_(threads, Needs(threads)) {}

    /// Adds the thread's search for a free entry, of which there is one. Returns the claim that the entry holds the
    /// message.
    draft::Expression insert(Threads& threads, std::size_t thread, std::size_t message) {
        std::size_t h = message * 7 % size_;
        auto it = taken_.find(h);
        for (; it != taken_.end(); it = taken_.find(h)) {
            threads.add(thread, draft::assume(operation(Op::not_equal, variable(entry(h)), number(0))));
            need(needs_[thread], it->second);
            h = (h + 1) % size_;
        }
        Needs now = needs_[thread];
        ++now[thread];
        needs_[thread][thread] = now[thread];
        taken_.emplace(h, std::move(now));
        threads.add(thread, guarded(is(entry(h), 0), {{entry(h), number(message)}}));
        return is(entry(h), static_cast<std::int64_t>(message));
    }
    /// How many messages of another thread have to be there before a thread has put all of its own.
    std::size_t needed(std::size_t thread, std::size_t other) const { return needs_[thread][other]; }
    std::vector<Initial> entries() const {
        std::vector<Initial> result;
        for (auto const& [h, needs] : taken_) result.push_back({entry(h), 0});
        return result;
    }
    bool has_collisions() const { return has_collisions_; }

private:
    using Needs = std::vector<std::uint32_t>; // thread -> how many of its messages

    static std::string entry(std::size_t h) { return fmt::format("entry{}", h); }
    void need(Needs& needs, Needs const& of_entry) {
        has_collisions_ = true;
        for (std::size_t t = 0; t < needs.size(); ++t) needs[t] = std::max(needs[t], of_entry[t]);
    }

    std::size_t size_;
    std::map<std::size_t, Needs> taken_; // entry -> what has to be there when it is taken
    std::vector<Needs> needs_;           // thread -> what has to be there by now
    bool has_collisions_ = false;
};

std::string times(std::size_t n) { return n == 1 ? "once" : fmt::format("{} times", n); }

} // namespace

/// The accounts form a ring: thread i moves money from account i to account i + 1.
Make banking(Arguments const& arguments) {
    std::size_t const k = arguments.numbers[0];
    std::size_t const transfers = arguments.numbers[1];
    bool const some_lock = arguments.variant != "";
    bool const all_lock = arguments.variant == "--safe";
    Threads threads(k + 1);
    std::vector<Initial> shared{{"lock", 1}, {"done", 0}};
    std::vector<draft::Expression> balances;
    for (std::size_t i = 0; i < k; ++i) {
        shared.push_back({fmt::format("account{}", i), 100});
        balances.push_back(variable(shared.back().x));
    }
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t n = 0; n < transfers; ++n) {
            bool const locks = all_lock || (some_lock && i % 2 == 0);
            if (locks) threads.add(i, acquire("lock"));
            add_in_two_steps(threads, i, fmt::format("account{}", i), -1, n);
            add_in_two_steps(threads, i, fmt::format("account{}", (i + 1) % k), 1, n);
            if (locks) threads.add(i, release("lock"));
        }
    join_all(threads, k);
    threads.add(k, assert_(operation(Op::equal, sum(std::move(balances)), number(100 * k))));
    return made_of(threads, shared, all_lock ? safe : violated,
                   fmt::format("{} threads move money {} each, from their account to the next; {}.\nThe assertion "
                               "says that no money is lost or made.",
                               k, times(transfers),
                               all_lock    ? "all take the lock"
                               : some_lock ? "every other one takes the lock"
                                           : "without a lock"));
}

Make counter(Arguments const& arguments) {
    std::size_t const n = arguments.numbers[0];
    std::size_t const k = arguments.numbers[1];
    bool const is_safe = arguments.variant == "--safe";
    Threads threads(n + 1);
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t i = 0; i < k; ++i)
            if (is_safe)
                threads.add(t, guarded(draft::truth(true), {{"x", plus("x", 1)}}));
            else
                add_in_two_steps(threads, t, "x", 1, i);
    join_all(threads, n);
    threads.add(n, assert_(is("x", static_cast<std::int64_t>(n * k))));
    return made_of(threads, {{"x", 0}, {"done", 0}}, is_safe ? safe : violated,
                   fmt::format("{} threads count up {} each{}.\nThe assertion says that no update is lost.", n,
                               times(k), is_safe ? ", by fetch-and-add" : ": they read, and then write"));
}

Make philosophers(Arguments const& arguments) {
    std::size_t const n = arguments.numbers[0];
    bool const is_ordered = arguments.variant == "--ordered";
    Threads threads(n);
    std::vector<Initial> shared;
    for (std::size_t i = 0; i < n; ++i) shared.push_back({fmt::format("fork{}", i), 1});
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t first = i;
        std::size_t second = (i + 1) % n;
        if (is_ordered && first > second) std::swap(first, second);
        for (std::size_t const f : {first, second}) threads.add(i, acquire(shared[f].x));
        for (std::size_t const f : {second, first}) threads.add(i, release(shared[f].x));
    }
    return made_of(threads, shared, {Promise::Verdict::safe, !is_ordered},
                   fmt::format("{} philosophers at a round table take two forks each.\n{}", n,
                               is_ordered
                                   ? "Each takes the fork with the lower number first."
                                   : "Each takes the left fork first: all can hold one, and wait for the other."));
}

Make lock_order(Arguments const& arguments) {
    std::size_t const n = arguments.numbers[0];
    std::size_t const regions = arguments.numbers[1];
    bool const is_ordered = arguments.variant == "--ordered";
    constexpr std::size_t locks = 8;
    Threads threads(n);
    std::vector<Initial> shared;
    for (std::size_t l = 0; l < locks; ++l) shared.push_back({fmt::format("lock{}", l), 1});
    shared.push_back({"x", 0});
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t k = 0; k < regions; ++k) {
            std::string outer = shared[std::min(k % locks, (k + 1) % locks)].x;
            std::string inner = shared[std::max(k % locks, (k + 1) % locks)].x;
            if (!is_ordered && t + 1 == n && k == regions / 2) std::swap(outer, inner);
            threads.add(t, acquire(outer));
            threads.add(t, acquire(inner));
            add_in_two_steps(threads, t, "x", 1, k);
            threads.add(t, release(inner));
            threads.add(t, release(outer));
        }
    return made_of(threads, shared, {Promise::Verdict::safe, !is_ordered},
                   fmt::format("{} threads with {} regions of two locks each.\n{}", n, regions,
                               is_ordered ? "All take the lock with the lower number first."
                                          : "One of them once takes its two locks in the other order."));
}

Make ticket_lock(Arguments const& arguments) {
    std::size_t const n = arguments.numbers[0];
    bool const is_safe = arguments.variant == "--safe";
    Threads threads(n + 1);
    for (std::size_t t = 0; t < n; ++t) {
        std::string const ticket = fmt::format("ticket{}", t);
        if (is_safe) {
            threads.add(t, guarded(draft::truth(true), {{ticket, variable("next")}, {"next", plus("next", 1)}}));
        } else {
            threads.add(t, assign(ticket, variable("next")));
            threads.add(t, assign("next", plus(ticket, 1)));
        }
        threads.add(t, when(operation(Op::greater_equal, variable("serving"), variable(ticket)), {}));
        add_in_two_steps(threads, t, "x", 1, 0);
        threads.add(t, assign("serving", plus("serving", 1)));
    }
    join_all(threads, n);
    threads.add(n, assert_(is("x", static_cast<std::int64_t>(n))));
    return made_of(threads, {{"next", 0}, {"serving", 0}, {"x", 0}, {"done", 0}}, is_safe ? safe : violated,
                   fmt::format("{} threads take a ticket and wait until it is served, to count up.\n{}", n,
                               is_safe ? "Tickets are taken by fetch-and-add."
                                       : "Taking one is two steps, so two threads can have the same."));
}

Make interest(Arguments const& arguments) {
    std::size_t const n = arguments.numbers[0];
    bool const is_safe = arguments.variant == "--safe";
    constexpr std::int64_t deposit = 1000;
    constexpr std::int64_t least = 10; // of interest
    Threads threads(n + 1);
    for (std::size_t t = 0; t < n; ++t) {
        std::string const was = fmt::format("was{}", t);
        auto const one_part_in = static_cast<std::int64_t>(100 - t % 50); // so no two neighbours are alike
        if (is_safe) threads.add(t, acquire("lock"));
        threads.add(t, assign(was, variable("balance")));
        threads.add(t, assign("balance", operation(Op::plus, variable(was),
                                                   operation(Op::div, variable(was), number(one_part_in)))));
        add_in_two_steps(threads, t, "paid", 1, 0);
        if (is_safe) threads.add(t, release("lock"));
    }
    join_all(threads, n);
    threads.add(n, assert_(operation(
                       Op::greater_equal, variable("balance"),
                       operation(Op::plus, number(deposit), operation(Op::times, number(least), variable("paid"))))));
    return made_of(threads, {{"lock", 1}, {"balance", deposit}, {"paid", 0}, {"done", 0}}, is_safe ? safe : violated,
                   fmt::format("{} threads add interest to one balance, {} a lock: what becomes of it depends on their "
                               "order.\nThe assertion says that each has added {} or more.",
                               n, is_safe ? "under" : "without", least));
}

Make bounded_buffer(Arguments const& arguments) {
    std::size_t const producers = arguments.numbers[0];
    std::size_t const consumers = arguments.numbers[1];
    std::size_t const slots = arguments.numbers[2];
    bool const is_safe = arguments.variant == "--safe";
    Threads threads(producers + consumers);
    auto const in_room = [&](std::size_t t, std::int64_t n) {
        threads.add(t, guarded(draft::truth(true), {{"items", plus("items", n)}}));
        threads.add(t, assert_(operation(Op::and_, operation(Op::less_equal, number(0), variable("items")),
                                         operation(Op::less_equal, variable("items"), number(slots)))));
    };
    for (std::size_t t = 0; t < producers; ++t)
        for (std::size_t i = 0; i < consumers; ++i) {
            if (is_safe) threads.add(t, acquire("free"));
            in_room(t, 1);
            threads.add(t, release("full"));
        }
    for (std::size_t t = producers; t < producers + consumers; ++t)
        for (std::size_t i = 0; i < producers; ++i) {
            threads.add(t, acquire("full"));
            in_room(t, -1);
            if (is_safe) threads.add(t, release("free"));
        }
    std::vector<Initial> shared{{"items", 0}, {"full", 0}};
    if (is_safe) shared.push_back({"free", static_cast<std::int64_t>(slots)});
    bool const can_overflow = producers * consumers > slots;
    return made_of(threads, shared, is_safe || !can_overflow ? safe : violated,
                   fmt::format("A buffer of {}, {} with {} each, and {} for {} each.\n{}", plural(slots, "slot"),
                               plural(producers, "producer"), plural(consumers, "item"), plural(consumers, "consumer"),
                               producers,
                               is_safe ? "Producers wait for a free slot." : "Producers do not wait for a free slot."));
}

/// Adds the trace whose entries are of these threads.
void add_trace(draft::Draft& draft, std::vector<std::size_t> const& run) {
    draft::name_locations(draft);
    draft::Trace& trace = draft.traces.emplace_back();
    std::vector<std::size_t> next(draft.threads.size());
    for (std::size_t const t : run) trace.push_back({draft.threads[t][next[t]++].rho, {}});
}

/// The recorded run gives turns at random: a turn is an item that is put or taken. Its first two items are of different
/// producers if there are two. Indices are what they were in that run, modulo the slots.
Make recorded_buffer(Arguments const& arguments) {
    std::size_t const producers = arguments.numbers[0];
    std::size_t const consumers = arguments.numbers[1];
    std::size_t const each = arguments.numbers[2];
    std::size_t const slots = arguments.numbers[3];
    std::size_t const items = producers * each;
    bool const is_safe = arguments.variant == "--safe";
    Threads threads(producers + consumers);
    std::vector<std::size_t> left(producers + consumers, each); // items
    for (std::size_t c = 0; c < consumers; ++c)
        left[producers + c] = items / consumers + (c < items % consumers ? 1 : 0);
    std::vector<std::size_t> run; // the threads of its events
    auto const add = [&](std::size_t t, draft::Command c) {
        threads.add(t, std::move(c));
        run.push_back(t);
    };
    auto const lock = [&](std::size_t t) { add(t, when(is("lock", 1), {{"lock", number(0)}})); };
    auto const unlock = [&](std::size_t t) { add(t, assign("lock", number(1))); };
    auto const slot = [](std::size_t i) { return fmt::format("slot{}", i); };
    /// Takes an index from a counter, and counts up. Gives the number of the slot.
    auto const take = [&](std::size_t t, std::string const& counter, std::size_t value) {
        std::string const index = fmt::format("{}.{}.{}", counter, t, left[t]);
        add(t, assign(index, variable(counter)));
        add(t, draft::assume(
                   operation(Op::equal, operation(Op::mod, variable(index), number(slots)), number(value % slots))));
        return std::pair(index, slot(value % slots));
    };
    std::size_t in = 0;
    std::size_t out = 0;
    auto const put = [&](std::size_t t) {
        add(t, acquire("free"));
        lock(t);
        auto const [index, where] = take(t, "in", in);
        auto const fill = assign(where, number(++in));
        if (is_safe) add(t, fill);
        add(t, assign("in", plus(index, 1)));
        unlock(t);
        if (!is_safe) add(t, fill);
        add(t, release("full"));
    };
    auto const get = [&](std::size_t t) {
        add(t, acquire("full"));
        lock(t);
        auto const [index, where] = take(t, "out", out);
        std::string const item = fmt::format("item.{}.{}", t, left[t]);
        add(t, assign(item, variable(where)));
        add(t, assign(where, number(0)));
        add(t, assign("out", plus(index, 1)));
        unlock(t);
        add(t, assert_(operation(Op::greater, variable(item), number(0))));
        add(t, release("free"));
        ++out;
    };
    Random random(arguments.seed);
    std::vector<std::size_t> ready;
    for (std::size_t first = producers; out < items;) {
        ready.clear();
        for (std::size_t t = 0; t < left.size(); ++t) {
            bool const can = t < producers ? in - out < slots && !(in == 1 && producers > 1 && t == first) : out < in;
            if (left[t] > 0 && can) ready.push_back(t);
        }
        std::size_t const t = ready[random.below(ready.size())];
        if (in == 0) first = t;
        t < producers ? put(t) : get(t);
        --left[t];
    }
    std::vector<Initial> shared{
        {"lock", 1}, {"free", static_cast<std::int64_t>(slots)}, {"full", 0}, {"in", 0}, {"out", 0}};
    for (std::size_t i = 0; i < std::min(slots, items); ++i) shared.push_back({slot(i), 0});
    bool const can_fail = !is_safe && producers > 1 && slots > 1;
    Made result =
        made_of(threads, shared, can_fail ? violated : safe,
                fmt::format("A recorded run with a buffer of {}, {} with {} each, and {}. Indices modulo {} are as in "
                            "that run.\n{}",
                            plural(slots, "slot"), plural(producers, "producer"), plural(each, "item"),
                            plural(consumers, "consumer"), slots,
                            is_safe ? "Producers fill their slot under the lock."
                                    : "Producers fill their slot once they have given the lock back."));
    add_trace(result.draft, run);
    result.trace = to_string(Status::success);
    return result;
}

Make indexer(Arguments const& arguments) {
    std::size_t const k = arguments.numbers[0];
    std::size_t const messages = arguments.numbers[1];
    std::size_t const size = arguments.numbers[2];
    if (k * messages > size)
        return Unexpected{fmt::format("indexer: {} threads put {} each, and the table has {}", k,
                                      plural(messages, "message"), plural(size, "entry", "entries"))};
    bool const is_safe = arguments.variant == "--safe";
    Threads threads(k);
    HashTable table(k, size);
    std::optional<draft::Expression> last; // what the thread before has put there last
    bool can_fail = false;
    for (std::size_t t = 0; t < k; ++t) {
        std::vector<draft::Expression> own;
        for (std::size_t m = 1; m <= messages; ++m) own.push_back(table.insert(threads, t, m * 11 + t));
        std::optional<draft::Expression> const before = std::exchange(last, own.back());
        if (is_safe)
            threads.add(t, assert_(conjunction(std::move(own))));
        else if (before)
            threads.add(t, assert_(*before));
        // Unless it has found that message there itself.
        can_fail = can_fail || (!is_safe && t > 0 && table.needed(t, t - 1) < messages);
    }
    return made_of(threads, table.entries(), can_fail ? violated : safe,
                   fmt::format("{} threads put {} each into a hash table of {} entries, by compare-and-swap and linear "
                               "probing; {}.\n{}",
                               k, plural(messages, "message"), size,
                               table.has_collisions() ? "some find an entry taken" : "none collide",
                               is_safe ? "Each thread ends by asserting that its messages are there."
                                       : "Each thread but the first ends by asserting that the last message of the "
                                         "one before it is there."));
}

/// Rank r receives at endpoint 2 r, in thread 2 r, and sends from endpoint 2 r + 1, in thread 2 r + 1.
Make hybrid_ring(Arguments const& arguments) {
    std::size_t const n = arguments.numbers[0];
    std::size_t const rounds = arguments.numbers[1];
    bool const is_safe = arguments.variant == "--safe";
    Threads threads(2 * n);
    std::vector<Initial> shared;
    for (std::size_t r = 0; r < n; ++r) {
        std::string const token = fmt::format("token{}", r);
        std::string const arrived = fmt::format("arrived{}", r);
        shared.push_back({token, 0});
        if (is_safe) shared.push_back({arrived, r == 0 ? 1 : 0}); // rank 0 begins
        for (std::size_t round = 1; round <= rounds; ++round) {
            threads.receive(2 * r, token);
            if (is_safe) threads.add(2 * r, assign(arrived, plus(arrived, 1)));
            if (is_safe)
                threads.add(2 * r + 1, when(operation(Op::greater_equal, variable(arrived), number(round)), {}));
            threads.send(2 * r + 1, 2 * ((r + 1) % n), plus(token, 1));
        }
    }
    threads.add(0, assert_(is("token0", static_cast<std::int64_t>(n * rounds))));
    return made_of(
        threads, shared, is_safe ? safe : violated,
        fmt::format("A token goes {} times around a ring of {} ranks, and grows by one in each. One thread of a "
                    "rank receives it into a shared variable, the other sends it on.\n{}",
                    rounds, n,
                    is_safe ? "The second thread waits for a flag of the first."
                            : "The second thread does not wait for the first."));
}

} // namespace matchpoint::programs::families
