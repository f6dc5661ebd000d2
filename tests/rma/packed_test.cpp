// States as words: fields, lists of pending writes, and the table of states.

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "rma/search/packed_states.hpp"
#include "rma/search/state_table.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

TEST(RmaPacked, FieldsDoNotOverlap) {
    WordLayout layout;
    std::vector<Field> fields;
    for (unsigned i = 0; i < 40; ++i) fields.push_back(layout.add(i % 33));
    Packed state(layout.words(), 0);
    auto const number = [&](std::size_t i) {
        return static_cast<std::uint32_t>(fields[i].mask & (0x9E37'79B9U * (i + 1)));
    };
    for (int round = 0; round < 2; ++round)
        for (std::size_t i = 0; i < fields.size(); ++i) fields[i].set(state.data(), number(i));
    for (std::size_t i = 0; i < fields.size(); ++i) EXPECT_EQ(fields[i].get(state.data()), number(i)) << i;
}

TEST(RmaPacked, AFieldHasRoomForEveryNumber) {
    EXPECT_EQ(bits_for(1), 0U);
    EXPECT_EQ(bits_for(2), 1U);
    EXPECT_EQ(bits_for(256), 8U);
    EXPECT_EQ(bits_for(257), 9U);
}

TEST(RmaPacked, ValuesGrowUntilTheyDoNotFit) {
    ValueTable values;
    std::uint32_t count = 0;
    EXPECT_THROW(for (;; ++count) EXPECT_EQ(values.number(base::Value::integer(count * 100)), count), TooNarrow);
    EXPECT_EQ(count + 1, 1U << values.bits()) << "one number says that there is no value";
    EXPECT_EQ(values.number(base::Value::integer(100)), 1U) << "what is there stays";
    values.widen();
    EXPECT_EQ(values.number(base::Value::integer(count * 100)), count);
}

/// Against a multiset, with random operations on three statements.
TEST(RmaPacked, PendingOperations) {
    Program const program = program_of("(rma (process 1 (shared (Y 0) (Z 0))) (process 2 (shared (X 0))"
                                       "(put Y 1 X) (put Z 1 X) (get X Y 1)))");
    Graph const graph(program);
    constexpr std::uint32_t most = 7;
    PackedStates const fields(graph, 5, most);
    Packed state(fields.layout.words(), 0);
    std::map<RemoteIndex, std::multiset<std::uint32_t>> writes;
    std::map<RemoteIndex, std::uint32_t> reads;
    std::mt19937 random(1);
    for (int i = 0; i < 10'000; ++i) {
        auto const s = static_cast<RemoteIndex>(random() % 3);
        auto const value = static_cast<std::uint32_t>(random() % 4);
        bool const has_room = fields.pending(state.data(), s) < most;
        if (random() % 2 == 0 && has_room) {
            fields.add_write(state.data(), s, value);
            writes[s].insert(value);
        } else if (auto const at = writes[s].find(value); at != writes[s].end()) {
            fields.remove_write(state.data(), s, value);
            writes[s].erase(at);
        } else if (has_room) {
            fields.change_reads(state.data(), s, 1);
            ++reads[s];
        } else if (reads[s] > 0) {
            fields.change_reads(state.data(), s, -1);
            --reads[s];
        }
        for (RemoteIndex q = 0; q < 3; ++q) {
            ASSERT_EQ(fields.reads(state.data(), q), reads[q]);
            ASSERT_EQ(fields.pending(state.data(), q), reads[q] + writes[q].size());
            std::uint32_t k = 0;
            for (std::uint32_t const v : writes[q]) ASSERT_EQ(fields.write(state.data(), q, k++), v + 1);
            ASSERT_EQ(fields.write(state.data(), q, k), 0U);
        }
    }
}

/// More states than a block of the table holds, each asked for twice.
TEST(RmaPacked, TheTableOfStates) {
    constexpr StateTable::Id count = 600'000;
    for (std::size_t const words : {1U, 3U}) {
        StateTable table(words);
        Packed state(words, 0);
        auto const insert = [&](StateTable::Id i) {
            state.back() = std::uint64_t{i} << 40U;
            state.front() ^= i % 7;
            bool const is_new = table.insert(state.data(), table.hash(state.data()), i / 2);
            state.front() ^= i % 7;
            return is_new;
        };
        for (StateTable::Id i = 0; i < count; ++i) ASSERT_TRUE(insert(i)) << i;
        for (StateTable::Id i = 0; i < count; ++i) ASSERT_FALSE(insert(i)) << i;
        ASSERT_EQ(table.size(), count);
        for (StateTable::Id i = 0; i < count; i += 1000) {
            EXPECT_EQ(table.parent(i), i / 2);
            EXPECT_EQ(table[i][words - 1] >> 40U, i);
        }
        EXPECT_LT(table.bytes(), count * (8 * words + 32)) << "bytes a state beside its words";
    }
}

} // namespace
} // namespace matchpoint::rma
