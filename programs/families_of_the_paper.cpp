// Tables 1 and 2, and Figure 4. The paper says of the programs of Table 2 what they do and how many messages they have,
// not how they are made: what is open there is filled in here.

#include <algorithm>
#include <cstdlib>

#include "grammar/operators.hpp"
#include "programs/family_parts.hpp"

namespace matchpoint::programs::families {

/// Section 6.2: "a single thread to receive messages and N threads to send messages ... each containing a different
/// unique integer value ... a violation is one where each message has a specific value".
Make scaling(Arguments const& arguments) {
    std::size_t const n = arguments.numbers[0];
    bool const is_safe = arguments.variant == "--safe";
    constexpr std::size_t most_distinct = 2000;
    if (arguments.variant == "--distinct" && n > most_distinct)
        return Unexpected{
            fmt::format("scaling --distinct: N is a number from 2 to {}, not {}, as there is an assertion "
                        "for each of N (N - 1) / 2 pairs",
                        most_distinct, n)};
    if (!arguments.variant.empty() && n < 2)
        return Unexpected{fmt::format("scaling {}: N is 2 at least: it is about two messages", arguments.variant)};

    Threads threads(n + 1);
    auto const x = [](std::size_t i) { return fmt::format("x{}", i); };
    for (std::size_t i = 0; i < n; ++i) threads.receive(0, x(i));
    for (std::size_t i = 0; i < n; ++i) threads.send(i + 1, 0, number(i));

    if (arguments.variant == "--distinct") {
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i + 1; j < n; ++j)
                threads.add(0, assert_(operation(Op::not_equal, variable(x(i)), variable(x(j)))));
        return made(threads, safe,
                    fmt::format("Table 1's program: one thread receives {} messages from as many threads.\n"
                                "The assertions say that no two of them are the same.",
                                n));
    }
    std::vector<draft::Expression> values;
    if (arguments.variant == "--comparisons") {
        for (std::size_t i = 0; i + 1 < n; ++i)
            values.push_back(operation(Op::greater, variable(x(i)), variable(x(i + 1))));
    } else {
        Random random(arguments.seed);
        std::vector<std::size_t> p = random.permutation(n);
        if (is_safe) {
            std::size_t const i = random.below(n);
            p[i] = p[(i + 1 + random.below(n - 1)) % n];
        }
        for (std::size_t i = 0; i < n; ++i) values.push_back(operation(Op::equal, variable(x(i)), number(p[i])));
    }
    threads.add(0, assert_(not_all(std::move(values))));
    char const* const claim =
        is_safe ? "The assertion fails if each has a certain value: two of these are the same, so never."
        : arguments.variant.empty()
            ? "The assertion fails if each has a certain value, in one of the {0}! permutations."
            : "The assertion fails if their values descend, in one of the {0}! permutations.";
    return made(threads, is_safe ? safe : violated,
                fmt::format("Table 1's program: one thread receives {0} messages from as many threads.\n", n) +
                    fmt::format(fmt::runtime(claim), n));
}

namespace {

/// How the ring of a leader election is numbered: the leader is first, and the others follow.
struct Ring {
    std::size_t nodes;
    std::vector<std::size_t> numbers; // node -> 1 to nodes
};

/// A ring in which an election takes so many messages. The number of a node travels to the next node with a higher one,
/// the leader's through the whole ring, and so does the announcement: with the numbers after the leader descending that
/// are n (n + 3) / 2 messages. Each node that is put before these, in ascending order, goes but one step. So does the
/// last one, if it is higher than k of those directly before it; each of these goes one step less.
Ring ring_with(std::size_t messages) {
    std::size_t n = 1;
    while (n * (n + 3) / 2 < messages) ++n;
    std::size_t less = n * (n + 3) / 2 - messages;
    std::size_t ascending = 0;
    std::size_t descending = n - 1;
    while (descending > 1 && less >= descending - 1) {
        less -= descending - 1;
        ++ascending;
        --descending;
    }
    Ring ring{n, {n}};
    for (std::size_t i = 1; i <= ascending; ++i) ring.numbers.push_back(i);
    for (std::size_t i = n - 1; i > ascending; --i)
        if (i != ascending + less + 1) ring.numbers.push_back(i);
    if (descending > 0) ring.numbers.push_back(ascending + less + 1);
    return ring;
}

} // namespace

/// Chang's and Roberts' election in a ring: each node sends its number on; of what comes it passes on what is higher; a
/// number that comes back to its node has won, and that goes round once more.
Make leader_election(Arguments const& arguments) {
    bool const is_safe = arguments.variant == "--safe";
    Ring const ring = ring_with(arguments.numbers[0]);
    std::size_t const n = ring.nodes;
    Threads threads(n);
    // What reaches a node, in the order of its one channel: to the leader's neighbor its number and the announcement.
    std::vector<std::size_t> incoming{n};
    for (std::size_t k = 1; k <= n; ++k) {
        std::size_t const node = k % n;
        std::size_t const next = (node + 1) % n;
        std::size_t const own = ring.numbers[node];
        std::vector<std::size_t> outgoing{own};
        // The next receive is there before a message is passed on: so rendezvous suffice, too.
        std::string wait = threads.rcvi(node, node, fmt::format("x{}.0", node));
        threads.send(node, next, number(own));
        for (std::size_t i = 0; i < incoming.size(); ++i) {
            std::string const x = fmt::format("x{}.{}", node, i);
            std::size_t const candidate = incoming[i];
            threads.add(node, draft::wait(wait));
            Op const than_own = candidate > own ? Op::greater : candidate < own ? Op::less : Op::equal;
            threads.add(node, assume(operation(than_own, variable(x), number(own))));
            wait = threads.rcvi(node, node, fmt::format("x{}.{}", node, i + 1));
            if (candidate > own) {
                threads.send(node, next, variable(x));
                outgoing.push_back(candidate);
            } else if (candidate == own) {
                threads.send(node, next, operation(Op::plus, variable(x), number(n)));
            }
        }
        // The announcement is the number plus n.
        std::string const x = fmt::format("x{}.{}", node, incoming.size());
        threads.add(node, draft::wait(wait));
        threads.add(node, assume(operation(Op::greater, variable(x), number(n))));
        if (node != 0) threads.send(node, next, variable(x));
        std::string const leader = fmt::format("leader{}", node);
        threads.add(node, assign(leader, operation(Op::minus, variable(x), number(n))));
        threads.add(node, assert_(operation(Op::equal, variable(leader), number(own == 1 && !is_safe ? 1 : n))));
        incoming = std::move(outgoing);
    }
    return made(
        threads, is_safe ? safe : violated,
        fmt::format("Leader election in a ring of {} threads, with {} messages and one match set: the highest number "
                    "wins.\n{}",
                    n, arguments.numbers[0],
                    is_safe ? "The assertions say that all threads agree."
                            : "The thread with the number 1 asserts that it has won itself."));
}

/// "Each router node is in a ring and communicates only with immediate neighbors to update the tables. The program ends
/// when all the routing tables are updated." The routers are announced one after the other, each at endpoints of its
/// own. Who hears of one enters how far it is and tells both neighbors; so each gets two messages about each router,
/// and which comes first decides. In the recorded run the second one never had a shorter way.
Make router(Arguments const& arguments) {
    bool const is_safe = arguments.variant == "--safe";
    std::size_t const n = arguments.numbers[0];
    auto const shortest = [n](std::size_t j, std::size_t k) {
        std::size_t const there = j > k ? j - k : k - j;
        return std::min(there, n - there);
    };
    auto const distance = [](std::size_t j, std::size_t k) { return fmt::format("d{}.{}", j, k); };
    Threads threads(n);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) {
            // Router j's endpoint for router k.
            auto const endpoint = [n, k](std::size_t of) { return of * n + k; };
            std::string const d = distance(j, k);
            std::string const x = fmt::format("x{}.{}", j, k);
            std::string const y = fmt::format("y{}.{}", j, k);
            if (j != k) threads.receive(j, endpoint(j), x);
            threads.add(j, assign(d, j == k ? number(0) : operation(Op::plus, variable(x), number(1))));
            for (std::size_t const neighbor : {(j + n - 1) % n, (j + 1) % n})
                threads.post(j, endpoint(j), endpoint(neighbor), variable(d));
            if (j == k) threads.receive(j, endpoint(j), x);
            threads.receive(j, endpoint(j), y);
            if (is_safe && j != k) threads.add(j, assume(operation(Op::greater_equal, variable(y), variable(x))));
        }
        if (is_safe)
            for (std::size_t k = 0; k < n; ++k)
                threads.add(j, assert_(operation(Op::equal, variable(distance(j, k)), number(shortest(j, k)))));
    }
    std::vector<draft::Expression> detours;
    for (std::size_t k = 1; k < n; ++k)
        detours.push_back(operation(Op::equal, variable(distance(0, k)), number(n - shortest(0, k))));
    if (!is_safe) threads.add(0, assert_(not_all(std::move(detours))));
    threads.wait_for_sends();
    return made(
        threads, is_safe ? safe : violated,
        fmt::format("{} routers in a ring tell their neighbors how far the others are, with {} messages.\n{}", n,
                    2 * n * n,
                    is_safe ? "The assertions say that all tables are right, if no second message has a shorter way."
                            : "The assertion fails if thread 0 hears of each other router by the longer way first."));
}

/// Figure 16, repeated; the values say which send it was.
Make multi_m(Arguments const& arguments) {
    bool const is_safe = arguments.variant == "--safe";
    std::size_t const m = arguments.numbers[0];
    Threads threads(3);
    auto const request = [&](std::size_t thread, std::string const& a, draft::Command c) {
        threads.add(thread, std::move(c));
        threads.add(thread, draft::wait(a));
    };
    auto const receive = [&](std::string const& a, std::uint32_t thread, std::string x) {
        request(thread, a, draft::rcvi(a, thread, std::move(x)));
    };
    auto const send = [&](std::string const& a, std::uint32_t thread, std::uint32_t to, draft::Expression e) {
        request(thread, a, draft::sndi(a, thread, to, std::move(e)));
    };
    std::vector<draft::Expression> values;
    for (std::size_t i = 0; i < m; ++i) {
        auto const name = [&](char const* of) { return fmt::format("{}.{}", of, i); };
        auto const value = [&](std::size_t of) { return number(100 * i + of); };
        receive(name("R01"), 0, name("a"));
        receive(name("R02"), 0, name("b"));
        send(name("S03"), 0, 1, value(3));
        receive(name("R04"), 0, name("d"));
        send(name("S11"), 1, 0, value(11));
        receive(name("R12"), 1, name("c"));
        send(name("S13"), 1, 0, value(13));
        send(name("S21"), 2, 0, value(21));
        values.push_back(operation(Op::equal, variable(name("a")), value(21)));
    }
    threads.add(
        0, assert_(is_safe ? operation(Op::not_equal, variable(fmt::format("d.{}", m - 1)), number(100 * (m - 1) + 21))
                           : not_all(std::move(values))));
    Made result = made(threads, is_safe ? safe : violated,
                       fmt::format("Figure 16, {} times: {} messages.\nThe assertion fails if {}.", m, 4 * m,
                                   is_safe ? "the last R04 gets the last S21: the bogus pair of Section 7, so never"
                                           : "each R01 gets the S21 of its iteration, in one match set"));
    // S21 of a later iteration is taken early, S11 is not, and the next S03 is for a thread that waits for S11.
    result.zero->deadlock = m > 1;
    return result;
}

namespace {

/// Who sends and who receives, in the order in which it was recorded.
struct Traffic {
    struct Message {
        std::size_t from;
        std::size_t to;
    };
    std::vector<Message> messages;
    std::vector<std::vector<std::size_t>> events; // task -> messages that it sends, and no_message for a receive
    static constexpr std::size_t receive = SIZE_MAX;
};

Traffic random_traffic(std::size_t messages, std::size_t tasks, Random& random) {
    Traffic traffic{.messages = {}, .events = std::vector<std::vector<std::size_t>>(tasks)};
    std::vector<std::size_t> in_transit; // to whom
    while (traffic.messages.size() < messages || !in_transit.empty()) {
        bool const sends = traffic.messages.size() < messages && (in_transit.empty() || random.below(4) != 0);
        if (sends) {
            std::size_t const from = random.below(tasks);
            std::size_t const to = (from + 1 + random.below(tasks - 1)) % tasks;
            traffic.events[from].push_back(traffic.messages.size());
            traffic.messages.push_back({from, to});
            in_transit.push_back(to);
        } else {
            std::swap(in_transit[random.below(in_transit.size())], in_transit.back());
            traffic.events[in_transit.back()].push_back(Traffic::receive);
            in_transit.pop_back();
        }
    }
    return traffic;
}

std::string received(std::size_t task, std::size_t i) { return fmt::format("x{}.{}", task, i); }

} // namespace

/// "The program creates 5 tasks, each of which randomly sends several messages to the other tasks." Sends are waited
/// for at the end.
Make pktuse(Arguments const& arguments) {
    std::size_t const count = arguments.numbers[0];
    std::size_t const tasks = arguments.numbers[1];
    if (count < tasks) return Unexpected{fmt::format("pktuse: {} messages are too few for {} tasks", count, tasks)};
    bool const sums = arguments.variant == "--safe sums";
    bool const order = arguments.variant == "--safe order";
    // In the violated variant, all tasks but the first one have a report to make.
    std::size_t const reports = sums || order ? 0 : tasks - 1;
    Random random(arguments.seed);
    Traffic const traffic = random_traffic(count - reports, tasks, random);

    Threads threads(tasks);
    std::vector<std::vector<std::size_t>> sent(tasks); // task -> values
    std::vector<std::size_t> receives(tasks, 0);       // task -> how many
    std::vector<std::size_t> total(tasks, 0);          // task -> the sum of what is sent to it
    for (std::size_t t = 0; t < tasks; ++t)
        for (std::size_t const m : traffic.events[t]) {
            if (m == Traffic::receive) {
                threads.receive(t, received(t, receives[t]++));
                continue;
            }
            // With --safe order a value is a number in the order of its sender, and its sender.
            std::size_t const value = order ? sent[t].size() * tasks + t : m;
            sent[t].push_back(value);
            total[traffic.messages[m].to] += value;
            threads.post(t, traffic.messages[m].to, number(value));
        }
    std::string claim;
    if (sums) {
        claim = "The assertions say that what each task gets has the sum of what is sent to it.";
        for (std::size_t t = 0; t < tasks; ++t) {
            std::vector<draft::Expression> terms;
            for (std::size_t i = 0; i < receives[t]; ++i) terms.push_back(variable(received(t, i)));
            threads.add(t, assert_(operation(Op::equal, sum(std::move(terms)), number(total[t]))));
        }
    } else if (order) {
        claim = "The assertions say that of two values from the same task, one received after the other, the second is "
                "larger.";
        for (std::size_t t = 0; t < tasks; ++t)
            for (std::size_t i = 0; i + 1 < receives[t]; ++i) {
                auto const x = variable(received(t, i));
                auto const y = variable(received(t, i + 1));
                auto const sender = [&](auto const& of) { return operation(Op::mod, of, number(tasks)); };
                threads.add(t, assert_(operation(Op::implies, operation(Op::equal, sender(x), sender(y)),
                                                 operation(Op::less, x, y))));
            }
    } else {
        claim =
            "The assertion fails if all receives get certain values, in one match set. All tasks but the first report\n"
            "whether theirs do.";
        // Threads of the copy are as those here are so far, so that matches are counted alike.
        std::vector<std::size_t> values;
        for (auto const& of_task : sent) values.insert(values.end(), of_task.begin(), of_task.end());
        std::vector<std::size_t> const matches = random_matches(threads.copy(), random);
        std::vector<draft::Expression> own;
        std::size_t r = 0;
        for (std::size_t t = 0; t < tasks; ++t) {
            std::vector<draft::Expression> as_wanted;
            for (std::size_t i = 0; i < receives[t]; ++i)
                as_wanted.push_back(operation(Op::equal, variable(received(t, i)), number(values[matches[r++]])));
            // Each report has an endpoint of its own, so that nothing is open about these.
            if (t == 0)
                own = std::move(as_wanted);
            else
                threads.post(t, tasks - 1 + t, conjunction(std::move(as_wanted)));
        }
        for (std::size_t t = 1; t < tasks; ++t) {
            std::string const report = fmt::format("report{}", t);
            threads.receive(0, tasks - 1 + t, report);
            own.push_back(variable(report));
        }
        threads.add(0, assert_(not_all(std::move(own))));
    }
    threads.wait_for_sends();
    return made(threads, sums || order ? safe : violated,
                fmt::format("{} tasks send {} messages to each other at random.\n{}", tasks, count, claim));
}

/// Figure 4 and Lemma 1.
///   - VAMP asks whether all assertions can hold; `check` asks whether one can fail. So there is one assertion, which
///     is the negation of all clauses.
///   - h_C receives d_0 and d_1 in either order. The figure puts both into u_i, so that the second one stays, and
///     Section 5 has one value for a variable: both cannot be (errata E7). Here the first one is u_i, and the second
///     one is w_i.
///   - The constants are booleans, and so are the requests: all messages to an endpoint have one sort (D6).
Make vamp(Arguments const& arguments) {
    constexpr std::size_t h_d0 = 0;
    constexpr std::size_t h_d1 = 1;
    constexpr std::size_t h_C = 2;
    Cnf const& cnf = arguments.formula;
    Threads threads(3);
    for (std::uint32_t u = 1; u <= cnf.variables; ++u) {
        threads.receive(h_d0, "g0");
        threads.send(h_d0, h_C, truth(false));
        threads.receive(h_d1, "g1");
        threads.send(h_d1, h_C, truth(true));
        threads.send(h_C, h_d0, truth(false));
        threads.send(h_C, h_d1, truth(false));
        threads.receive(h_C, fmt::format("u{}", u));
        threads.receive(h_C, fmt::format("w{}", u));
    }
    std::vector<draft::Expression> clauses;
    for (std::size_t c = 0; c < cnf.clauses(); ++c) {
        std::vector<draft::Expression> literals;
        for (std::int32_t const l : cnf.clause(c)) {
            auto u = variable(fmt::format("u{}", std::abs(l)));
            literals.push_back(l > 0 ? std::move(u) : operation(Op::not_, std::move(u)));
        }
        clauses.push_back(literals.empty() ? truth(false) : balanced(Op::or_, std::move(literals)));
    }
    threads.add(h_C, assert_(not_all(std::move(clauses))));
    Made result{threads.take(), {}, {}};
    result.draft.comment = fmt::format(
        "Figure 4's program for a formula of {} variables and {} clauses: the assertion fails if u1, u2 ... satisfy "
        "it.\n`check` says violated, with both bufferings, if the formula is satisfiable, and safe otherwise.",
        cnf.variables, cnf.clauses());
    return result;
}

} // namespace matchpoint::programs::families
