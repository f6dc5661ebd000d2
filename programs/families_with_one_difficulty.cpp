// Programs in which one thing is hard: arithmetic over permutations, counting, cycles, long chains.

#include "grammar/operators.hpp"
#include "programs/family_parts.hpp"

namespace matchpoint::programs::families {

/// That the sum is right follows from each send being received once, and from nothing less. The largest weighted sum
/// over all permutations is that of two ascending sequences, and only that (the rearrangement inequality).
Make permutation_sum(Arguments const& arguments) {
    bool const weighted = arguments.variant == "--violated";
    std::size_t const n = arguments.numbers[0];
    Threads threads(n + 1);
    std::vector<draft::Expression> terms;
    std::size_t total = 0;
    for (std::size_t i = 0; i < n; ++i) {
        std::string const x = fmt::format("x{}", i);
        threads.receive(0, x);
        threads.send(i + 1, 0, number(i + 1));
        terms.push_back(weighted ? operation(Op::times, number(i + 1), variable(x)) : variable(x));
        total += weighted ? (i + 1) * (i + 1) : i + 1;
    }
    threads.add(0, assert_(operation(weighted ? Op::less : Op::equal, sum(std::move(terms)), number(total))));
    return made(threads, weighted ? violated : safe,
                fmt::format("One thread receives {} messages from as many threads.\n{}", n,
                            weighted
                                ? "The assertion says that their weighted sum is not the largest one that is possible: "
                                  "it is, if they ascend."
                                : "The assertion says that their sum is that of what is sent."));
}

/// Hall's condition: n receives together have n - 1 sends (the pigeonhole principle).
Make hall(Arguments const& arguments) {
    bool const is_safe = arguments.variant == "--safe";
    std::size_t const n = arguments.numbers[0];
    std::size_t const senders = is_safe ? n + 1 : n;
    std::size_t const unwanted = Random(arguments.seed).below(senders);
    Threads threads(senders + 1);
    std::vector<draft::Expression> terms;
    std::size_t total = 0;
    for (std::size_t i = 0; i < n; ++i) {
        std::string const x = fmt::format("x{}", i);
        threads.receive(0, x);
        threads.add(0, assume(operation(Op::greater, variable(x), number(0))));
        terms.push_back(variable(x));
    }
    // Nobody waits for sends: the unwanted one may be left over.
    for (std::size_t i = 0; i < senders; ++i) {
        std::size_t const value = i == unwanted ? 0 : i < unwanted ? i + 1 : i;
        threads.sndi(i + 1, 0, number(value));
        total += value;
    }
    threads.add(0, assert_(is_safe ? operation(Op::equal, sum(std::move(terms)), number(total)) : truth(false)));
    return made(
        threads, is_safe ? safe : vacuous,
        fmt::format("{} receives, which must get a message with a value above 0; {} of {} messages have one.\n{}", n,
                    senders - 1, senders,
                    is_safe ? "So each of these is received, and the assertion says that the sum is right."
                            : "So no run keeps the assumptions, and it does not matter what is asserted."));
}

namespace {

/// Threads that get their first message from a hub or from one another, and after it send a message each to some
/// others. What the first message of each was is reported to the hub, at an endpoint for each.
class Hub {
public:
    explicit Hub(std::size_t n) : n_(n), threads_(n + 1) {}

    /// The value of a message is 0 from the hub, and i + 1 from thread i.
    void thread(std::size_t i, std::vector<std::size_t> const& others) {
        std::string const first = fmt::format("first{}", i);
        threads_.receive(i, first);
        for (std::size_t const other : others) threads_.post(i, other, number(i + 1));
        for (std::size_t k = 0; k < others.size(); ++k) threads_.receive(i, fmt::format("later{}.{}", i, k));
        threads_.post(i, n_ + 1 + i, variable(first));
    }

    Made finish(Promise promise, std::vector<draft::Expression> terms, std::string what) {
        for (std::size_t i = 0; i < n_; ++i) threads_.post(n_, i, number(0));
        for (std::size_t i = 0; i < n_; ++i) threads_.receive(n_, n_ + 1 + i, report(i));
        threads_.add(n_, assert_(not_all(std::move(terms))));
        threads_.wait_for_sends();
        return made(threads_, promise, std::move(what));
    }

    /// What the hub has heard of the first message of thread i.
    static draft::Expression heard(std::size_t i) { return variable(report(i)); }

private:
    static std::string report(std::size_t i) { return fmt::format("f{}", i); }

    std::size_t n_;
    Threads threads_;
};

} // namespace

/// Each thread of the ring gets two messages, from the hub and from the thread before it, which sends its own once it
/// has got one. In 2^n - 1 match sets some thread gets the hub's first; in one more, which channels allow, none does.
Make ring_dependencies(Arguments const& arguments) {
    bool const is_safe = arguments.variant == "--safe";
    std::size_t const n = arguments.numbers[0];
    std::size_t const start = is_safe ? n : Random(arguments.seed).below(n);
    Hub hub(n);
    std::vector<draft::Expression> terms;
    for (std::size_t i = 0; i < n; ++i) {
        hub.thread(i, {(i + 1) % n});
        terms.push_back(operation(Op::equal, Hub::heard(i), number(i == start ? 0 : (i + n - 1) % n + 1)));
    }
    return hub.finish(
        is_safe ? safe : violated, std::move(terms),
        fmt::format("{} threads in a ring: each gets a message from a hub and one from the thread before it, and "
                    "sends one\nto the next thread when it has got the first.\nThe assertion fails if {}.",
                    n,
                    is_safe ? "each gets that of the ring first, which is a cycle, so never"
                            : fmt::format("each but thread {} gets that of the ring first, in one match set", start)));
}

/// Who sends to whom first is a forest below the hub: (n + 1)^(n - 1) ways of the n^n that channels allow.
Make dense_cycles(Arguments const& arguments) {
    bool const is_safe = arguments.variant == "--safe";
    std::size_t const n = arguments.numbers[0];
    Hub hub(n);
    Random random(arguments.seed);
    // The threads in an order in which each has its first message from one before it.
    std::vector<std::size_t> const order = random.permutation(n);
    std::vector<std::size_t> value(n, 0); // of the first message
    for (std::size_t i = 1; i < n; ++i) value[order[i]] = order[random.below(i)] + 1;
    std::vector<draft::Expression> terms;
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<std::size_t> others;
        for (std::size_t other = 0; other < n; ++other)
            if (other != i) others.push_back(other);
        hub.thread(i, others);
        terms.push_back(operation(is_safe ? Op::not_equal : Op::equal, Hub::heard(i), number(is_safe ? 0 : value[i])));
    }
    return hub.finish(
        is_safe ? safe : violated, std::move(terms),
        fmt::format("{} threads: each gets a message from a hub and one from each other thread, and sends one to "
                    "each when it has got\nthe first.\nThe assertion fails if {}.",
                    n,
                    is_safe ? "each gets that of another thread first, which takes a cycle, so never"
                            : "the first messages are a certain tree"));
}

/// A chain of 2 n messages.
Make ping_pong(Arguments const& arguments) {
    bool const is_safe = arguments.variant == "--safe";
    std::size_t const n = arguments.numbers[0];
    Threads threads(2);
    threads.add(0, assign("x", number(0)));
    for (std::size_t i = 0; i < n; ++i) {
        threads.send(0, 1, operation(Op::plus, variable("x"), number(1)));
        threads.receive(1, "y");
        threads.send(1, 0, operation(Op::plus, variable("y"), number(1)));
        threads.receive(0, "x");
    }
    threads.add(0, assert_(operation(is_safe ? Op::equal : Op::not_equal, variable("x"), number(2 * n))));
    return made(
        threads, is_safe ? safe : violated,
        fmt::format("A number goes {} times to and fro between two threads, and grows by one with each message.\n"
                    "The assertion says that {} {} in the end.",
                    n, is_safe ? "it is" : "it is not", 2 * n));
}

} // namespace matchpoint::programs::families
