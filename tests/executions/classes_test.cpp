// Classes of executions, where they can be counted: each is visited once, and nothing else is.
#include <gtest/gtest.h>

#include <functional>

#include "executions/shared/classes.hpp"
#include "programs/families.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::executions {
namespace {

using test::infinite;

Classes::Counts counts_of(std::string_view family, std::vector<std::uint64_t> numbers, std::string variant = {}) {
    programs::families::Arguments arguments;
    arguments.numbers = std::move(numbers);
    arguments.variant = std::move(variant);
    auto const made = make(*programs::families::find(family), arguments);
    test::Subject const subject(programs::draft::print(made->draft));
    Classes classes(subject.messages, infinite);
    while (classes.next()) {
    }
    return classes.counts();
}

std::uint64_t factorial(std::uint64_t n) { return n == 0 ? 1 : n * factorial(n - 1); }

/// Each of n threads reads x and then writes it, k times. A word of the threads is an order of the writes. A read comes
/// between the thread's last write and its next one, at any place among the writes in between. Then each thread counts
/// itself done, in any order.
std::uint64_t classes_of_counter(std::uint64_t n, std::uint64_t k) {
    std::vector<std::uint64_t> left(n, k);
    std::vector<std::uint64_t> last(n, 0); // the place after its last write
    std::uint64_t sum = 0;
    std::function<void(std::uint64_t, std::uint64_t)> const extend = [&](std::uint64_t length, std::uint64_t ways) {
        if (length == n * k) sum += ways;
        for (std::uint64_t t = 0; t < n; ++t) {
            if (left[t] == 0) continue;
            std::uint64_t const before = last[t];
            --left[t];
            last[t] = length + 1;
            extend(length + 1, ways * (length + 1 - before));
            last[t] = before;
            ++left[t];
        }
    };
    extend(0, 1);
    return sum * factorial(n);
}

TEST(Classes, Counter) {
    EXPECT_EQ(classes_of_counter(2, 1), 8U);
    for (auto const& [n, k] : {std::pair(2U, 1U), {2U, 2U}, {2U, 3U}, {2U, 4U}, {3U, 1U}, {3U, 2U}}) {
        EXPECT_EQ(counts_of("counter", {n, k}).executions, classes_of_counter(n, k))
            << n << " threads, " << k << " times";
    }
}

/// Each fork has an order of the two that use it. If each goes before the next one all the way round, nobody can be the
/// first, or, if everybody takes the left fork first, nobody gets the second.
TEST(Classes, Philosophers) {
    for (std::uint64_t n = 3; n <= 10; ++n) {
        EXPECT_EQ(counts_of("philosophers", {n}).executions, (1U << n) - 1) << n;
        EXPECT_EQ(counts_of("philosophers", {n}, "--ordered").executions, (1U << n) - 2) << n;
    }
}

/// The order of the tickets is open, and so is the order in which the threads count themselves done.
TEST(Classes, TicketLock) {
    for (std::uint64_t n = 2; n <= 4; ++n)
        EXPECT_EQ(counts_of("ticket-lock", {n}, "--safe").executions, factorial(n) * factorial(n)) << n;
}

} // namespace
} // namespace matchpoint::executions
