// Programs as MPI's users write them: receives that choose.

#include "grammar/operators.hpp"
#include "programs/family_parts.hpp"

namespace matchpoint::programs::families {

namespace {

draft::Selectors from(std::size_t source) {
    draft::Selectors sel;
    sel.from.emplace({draft::Endpoint(std::to_string(source))});
    return sel;
}

draft::Selectors with_tag(std::size_t n) {
    draft::Selectors sel;
    sel.tags.emplace({draft::Tag(std::to_string(n))});
    return sel;
}

draft::Selectors whose_source_goes_to(std::string y) {
    draft::Selectors sel;
    sel.source = std::move(y);
    return sel;
}

} // namespace

/// In each round the master takes a result from any worker, and asks who sent it.
Make master_workers(Arguments const& arguments) {
    bool const is_safe = arguments.variant == "--safe";
    bool const gets_stuck = arguments.variant == "--deadlock";
    std::size_t const n = arguments.numbers[0];
    std::size_t const rounds = arguments.numbers[1];
    Threads threads(n + 1);
    std::vector<draft::Expression> sources;
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t w = 1; w <= n; ++w) threads.send(0, w, number(round * n + w));
        for (std::size_t w = 1; w <= n; ++w) {
            threads.receive(w, w, fmt::format("task{}.{}", w, round), from(0));
            threads.send(w, 0, operation(Op::times, number(2), variable(fmt::format("task{}.{}", w, round))));
        }
        for (std::size_t w = 1; w <= n; ++w) {
            std::string const who = fmt::format("who{}.{}", round, w);
            bool const is_last = gets_stuck && w == n;
            threads.receive(0, 0, fmt::format("result{}.{}", round, w), is_last ? from(n) : whose_source_goes_to(who));
            if (!is_last) sources.push_back(variable(who));
        }
    }
    std::size_t const all = rounds * n * (n + 1) / 2;
    draft::Expression first = variable("who0.1");
    if (is_safe) threads.add(0, assert_(operation(Op::equal, sum(std::move(sources)), number(all))));
    if (!is_safe && !gets_stuck) threads.add(0, assert_(operation(Op::less, std::move(first), number(n))));
    Promise const promise = gets_stuck ? Promise{Promise::Verdict::safe, true} : is_safe ? safe : violated;
    return made(
        threads, promise,
        fmt::format(
            "A master gives each of {} workers a task, and takes the results of whoever sends one; {} rounds.\n{}", n,
            rounds,
            gets_stuck
                ? "The last result of a round has to be that of the last worker, and an earlier receive can take it."
            : is_safe ? "The assertion says that each worker has answered in each round, by the sum of the sources."
                      : "The assertion says that the first result is not that of the last worker."));
}

/// Each process exchanges the number of the step with its neighbors.
Make halo(Arguments const& arguments) {
    bool const any = arguments.variant == "--any";
    std::size_t const p = arguments.numbers[0];
    std::size_t const steps = arguments.numbers[1];
    Threads threads(p * p);
    std::vector<std::size_t> neighbors;
    std::vector<std::string> actions;
    for (std::size_t at = 0; at < p * p; ++at) {
        neighbors.clear();
        if (at >= p) neighbors.push_back(at - p);
        if (at % p > 0) neighbors.push_back(at - 1);
        if (at % p + 1 < p) neighbors.push_back(at + 1);
        if (at + p < p * p) neighbors.push_back(at + p);
        for (std::size_t step = 1; step <= steps; ++step) {
            actions.clear();
            for (std::size_t const other : neighbors)
                actions.push_back(
                    threads.rcvi(at, at, fmt::format("x{}.{}", at, other), any ? draft::Selectors() : from(other)));
            for (std::size_t const other : neighbors) actions.push_back(threads.sndi(at, other, number(step)));
            for (std::string& a : actions) threads.add(at, draft::wait(std::move(a)));
            for (std::size_t const other : neighbors)
                threads.add(at,
                            assert_(operation(Op::equal, variable(fmt::format("x{}.{}", at, other)), number(step))));
        }
    }
    Made result =
        made(threads, any && steps > 1 ? violated : safe,
             fmt::format("{} processes in a square exchange the number of the step with their neighbors, {} times.\n{}",
                         p * p, steps,
                         any ? "Receives take messages of any neighbor, and one of them can be a step ahead."
                             : "Receives name their neighbor."));
    if (any) result.zero.reset(); // whether it can get stuck depends on the numbers
    return result;
}

/// Workers send results with tag 1 whenever they have one. When the master has all, it tells them to stop, with tag 2.
Make monte_carlo(Arguments const& arguments) {
    bool const is_safe = arguments.variant == "--safe";
    std::size_t const n = arguments.numbers[0];
    std::size_t const batches = arguments.numbers[1];
    Threads threads(n + 1);
    std::vector<draft::Expression> terms;
    std::size_t total = 0;
    for (std::size_t w = 1; w <= n; ++w)
        for (std::size_t b = 0; b < batches; ++b) {
            threads.send(w, 0, number(w), 1);
            std::string const x = fmt::format("x{}.{}", w, b);
            threads.receive(0, 0, x, with_tag(1));
            terms.push_back(variable(x));
            total += w;
        }
    draft::Expression last = terms.back();
    for (std::size_t w = 1; w <= n; ++w) {
        threads.send(0, w, number(0), 2);
        threads.receive(w, w, fmt::format("stop{}", w), with_tag(2));
    }
    if (is_safe)
        threads.add(0, assert_(operation(Op::equal, sum(std::move(terms)), number(total))));
    else
        threads.add(0, assert_(operation(Op::greater, std::move(last), number(1))));
    return made(threads, is_safe ? safe : violated,
                fmt::format("{} workers send {} results each, of tag 1; when the master has all, it sends a message of "
                            "tag 2 to each.\n{}",
                            n, batches,
                            is_safe ? "The assertion says that the sum of the results is right."
                                    : "The assertion says that the last result is not that of worker 1."));
}

} // namespace matchpoint::programs::families
