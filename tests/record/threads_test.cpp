// Recordings of threads, and the programs that are read from them: a test for each kind of record.
#include "record/threads/reading.hpp"

#include <gtest/gtest.h>

#include <random>

#include "check/check.hpp"
#include "machine/machine.hpp"
#include "record/threads/location_names.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/thread_writer.hpp"

namespace matchpoint::record::threads {

namespace {

constexpr std::uint64_t x_at = 0x1000, y_at = 0x1010, m_at = 0x2000, c_at = 0x3000;

/// Two threads that were created, of a program with the variables x and y, of 4 bytes each, a mutex m and an object c.
ThreadWriter begun(std::size_t threads = 3) {
    ThreadWriter w(threads);
    w.global(x_at, 4, "x", "4");
    w.global(y_at, 4, "y", "4");
    w.global(m_at, 40, "m");
    w.global(c_at, 48, "c");
    for (std::size_t t = 1; t < threads; ++t) w.create(0, t);
    return w;
}

std::vector<ThreadFile> files(ThreadWriter& w) {
    std::vector<ThreadFile> result;
    for (std::size_t t = 0; t < w.count(); ++t) result.push_back({"thread-" + std::to_string(t), w.bytes(t)});
    return result;
}

ThreadRecording read(ThreadWriter& w) {
    ThreadRecording r = read_threads(files(w));
    EXPECT_FALSE(r.fault) << r.fault->file << ": " << r.fault->offset << ": " << r.fault->message;
    return r;
}

/// How the trace of the run ends on the machine.
Status status(ThreadRecording const& r) {
    Program const program = draft::valid_program_of(r.program);
    machine::IndexedProgram const code(program);
    machine::Machine m(code, Buffering::infinite);
    return machine::run(m, 0, machine::Extent::prefix).s;
}

/// The text of a program whose recorded trace succeeds.
std::string text(ThreadWriter& w) {
    ThreadRecording const r = read(w);
    if (r.fault) return "";
    std::string result = draft::print(r.program);
    EXPECT_EQ(status(r), Status::success) << result;
    return result;
}

testing::AssertionResult has(std::string const& text, std::string const& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no " << part << " in\n" << text;
}
testing::AssertionResult lacks(std::string const& text, std::string const& part) {
    if (text.find(part) == std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << part << " in\n" << text;
}

/// What all threads that can go on do, by the rules of `check`.
check::CheckResult checked(ThreadRecording const& r) {
    Program const program = draft::valid_program_of(r.program);
    machine::IndexedProgram const code(program);
    check::CheckOptions options;
    options.engine = check::EngineChoice::explore;
    return check::check(MessageIndex(code), options);
}

} // namespace

// ---- memory

TEST(ThreadMemory, AConflictIsShared) {
    ThreadWriter w = begun();
    w.at(1, 7);
    w.store(1, x_at, 4, {0, 5}, 0, {3});
    w.store(2, x_at, 4, w.load(2, x_at, 4, 5));
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "[x 3]"));
    EXPECT_TRUE(has(t, "[t1.1 (x := 5) (at \"a.c\" 7)]"));
    EXPECT_TRUE(has(t, "(x_2.1 := x)"));
    EXPECT_TRUE(has(t, "(x := x_2.1)"));
}

TEST(ThreadMemory, ReadsDoNotConflict) {
    ThreadWriter w = begun();
    for (std::size_t t : {1, 2}) w.branch(t, w.operation(t, matchpoint_eq, 32, {w.load(t, x_at, 4, 5), {0, 5}}, 1));
    EXPECT_TRUE(lacks(text(w), "x"));
}

TEST(ThreadMemory, WhatCreationOrdersIsNotShared) {
    ThreadWriter w(2);
    w.global(x_at, 4, "x", "4");
    w.store(0, x_at, 4, {0, 5});
    w.create(0, 1);
    w.store(1, x_at, 4, w.operation(1, matchpoint_add, 32, {w.load(1, x_at, 4, 5), {0, 1}}, 6));
    w.join(0, 1);
    w.branch(0, w.operation(0, matchpoint_eq, 32, {w.load(0, x_at, 4, 6), {0, 6}}, 1), 1);
    EXPECT_TRUE(lacks(text(w), "x"));
}

TEST(ThreadMemory, WhatIsWrittenBeforeOthersBeginIsTheInitialValue) {
    ThreadWriter w(3);
    w.global(x_at, 4, "x", "4");
    w.store(0, x_at, 4, {0, 5});
    w.create(0, 1);
    w.create(0, 2);
    w.store(1, x_at, 4, {0, 6});
    w.load(2, x_at, 4, 6);
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "[x 5]"));
    EXPECT_TRUE(lacks(t, "(x := 5)"));
}

TEST(ThreadMemory, TheThreadThatIsLeftReadsOnce) {
    ThreadWriter w = begun(2);
    w.store(0, x_at, 4, {0, 6}, 0, {0});
    w.store(1, x_at, 4, {0, 7});
    w.join(0, 1);
    for (int i = 0; i < 2; ++i) w.branch(0, w.operation(0, matchpoint_slt, 32, {w.load(0, x_at, 4, 7), {0, 9}}, 1), 1);
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(x_0.1 := x)"));
    EXPECT_TRUE(lacks(t, "x_0.2"));
}

TEST(ThreadMemory, AValueThatDependsOnOthersIsHandedOver) {
    ThreadWriter w(4);
    w.global(x_at, 4, "x", "4");
    w.create(0, 1);
    w.create(0, 2);
    w.store(2, x_at, 4, {0, 6}, 0, {0});
    Written const seen = w.load(1, x_at, 4, 6);
    w.store(1, y_at, 4, w.operation(1, matchpoint_add, 32, {seen, {0, 1}}, 7));
    w.create(1, 3);
    w.branch(3, w.operation(3, matchpoint_eq, 32, {w.load(3, y_at, 4, 7), {0, 7}}, 1), 1);
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(handed1 := (+ x_1.1 1))"));
    EXPECT_TRUE(has(t, "(handed1_3.1 := handed1)"));
    EXPECT_TRUE(has(t, "(assert (= handed1_3.1 7))"));
}

TEST(ThreadMemory, OverlappingAccessesArePutTogether) {
    ThreadWriter w = begun();
    w.store(1, x_at, 2, {0, 0x0102}, 0, {0});
    w.store(1, x_at + 2, 2, {0, -1}, 0, {0});
    Written const whole = w.load(2, x_at, 4, static_cast<std::int32_t>(0xffff0102));
    w.store(2, x_at, 4, w.operation(2, matchpoint_add, 32, {whole, {0, 1}}, static_cast<std::int32_t>(0xffff0103)));
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(x_2.1 := (+ (mod x 65536) (* x+2 65536)))"));
    EXPECT_TRUE(has(t, "(div (mod (+ x_2.1 1) 4294967296) 65536)"));
}

TEST(ThreadMemory, AFreedBlockIsAnotherOne) {
    ThreadWriter w = begun();
    for (std::size_t t : {1, 2}) {
        w.alloc(t, 0x5000, 8);
        w.store(t, 0x5000, 8, {0, static_cast<std::int64_t>(t)});
        w.free(t, 0x5000);
    }
    EXPECT_TRUE(lacks(text(w), "heap"));
}

TEST(ThreadMemory, AStackThatIsUsedAgainIsAnotherOne) {
    for (bool const one_stack : {true, false}) {
        ThreadWriter w(3, one_stack);
        w.create(0, 1);
        w.create(0, 2);
        for (std::size_t t : {1, 2}) w.store(t, 0x7f0000000100, 8, {0, static_cast<std::int64_t>(t)}, 0, {0});
        EXPECT_TRUE(one_stack ? lacks(text(w), "stack") : has(text(w), "stack0.65280"));
    }
}

TEST(ThreadMemory, ASharedBlockHasANameAndItsPlace) {
    ThreadWriter w(3);
    w.at(0, 12);
    w.alloc(0, 0x5000, 16);
    w.create(0, 1);
    w.create(0, 2);
    w.store(1, 0x5008, 4, {0, 1}, 0, {0});
    w.load(2, 0x5008, 4, 1);
    ThreadRecording const r = read(w);
    EXPECT_TRUE(has(draft::print(r.program), "[heap1.8 0]"));
    ASSERT_EQ(r.blocks.size(), 1U);
    EXPECT_EQ(r.blocks[0], "heap1: 16 bytes, allocated at a.c:12");
}

TEST(ThreadMemory, WhatSomethingElseWroteIsAnInputOrAGap) {
    ThreadWriter w = begun();
    w.store(1, x_at, 4, {0, 1}, 0, {0});
    w.load(2, x_at, 4, 2);
    w.store(1, y_at, 4, {0, 1}, 0, {0});
    w.load(1, y_at, 4, 9);
    ThreadRecording const r = read(w);
    ASSERT_EQ(r.gaps.size(), 1U);
    EXPECT_EQ(r.gaps[0].what, "something that is not recorded has written x");
    EXPECT_EQ(r.outside_values, 1U);
    EXPECT_EQ(status(r), Status::success);
}

TEST(ThreadMemory, OutsideWritesAreStores) {
    ThreadWriter w = begun();
    w.outside(1, x_at, std::string("\x05\x00\x00\x00", 4));
    w.load(2, x_at, 4, 5);
    EXPECT_TRUE(has(text(w), "(x := 5)"));
}

TEST(ThreadMemory, AnAddressThatDependsOnMemoryIsConcretised) {
    ThreadWriter w = begun();
    w.store(1, x_at, 4, {0, 2}, 0, {0});
    Written const index = w.load(2, x_at, 4, 2);
    Written const wide = w.operation(2, matchpoint_sext, 32, {index}, 2, 0, 64);
    Written const far = w.operation(2, matchpoint_shl, 64, {wide, {0, 2}}, 8);
    Written const address = w.operation(2, matchpoint_add, 64, {far, {0, 0x6000}}, 0x6008);
    w.load(2, 0x6008, 4, 0, 0, address.node);
    ThreadRecording const r = read(w);
    EXPECT_TRUE(has(draft::print(r.program), "(assume (= x_2.1 2))"));
    EXPECT_EQ(r.concretised[static_cast<std::size_t>(Concretised::addresses)], 1U);
}

TEST(ThreadMemory, AtomicsAreOneCommand) {
    ThreadWriter w = begun();
    w.update(1, x_at, 4, matchpoint_added, {0, 2}, 0);
    Written const old = w.update(2, x_at, 4, matchpoint_added, {0, 3}, 2);
    w.store(2, y_at, 4, old);
    w.exchange(1, x_at, 4, {0, 5}, {0, 8}, 5, 1);
    w.exchange(2, x_at, 4, {0, 5}, {0, 9}, 8, 0);
    w.exchange(2, x_at, 4, {0, 8}, {0, 9}, 8, 2);
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "atomic [x 0]"));
    EXPECT_TRUE(has(t, "(assume true (x := (+ x 2)))"));
    EXPECT_TRUE(has(t, "(assume (= x 5) (x := 8))"));
    EXPECT_TRUE(has(t, "(assume (!= x 5))"));
    EXPECT_TRUE(has(t, "(assume true (x_2.3 := x))"));
}

TEST(ThreadMemory, APlainAccessBesideAtomicsIsADataRace) {
    ThreadWriter w = begun();
    w.update(1, x_at, 4, matchpoint_added, {0, 2}, 0);
    w.store(2, x_at, 4, {0, 3});
    EXPECT_TRUE(lacks(text(w), "atomic"));
}

// ---- values

TEST(ThreadValues, BranchesAndAssertions) {
    ThreadWriter w = begun();
    w.store(1, x_at, 4, {0, 2}, 0, {8});
    Written const seen = w.load(2, x_at, 4, 2);
    Written const small = w.operation(2, matchpoint_slt, 32, {seen, {0, 5}}, 1);
    w.branch(2, small);
    w.branch(2, w.operation(2, matchpoint_eq, 32, {seen, {0, 8}}, 0));
    w.branch(2, small, 1);
    w.branch(2, w.operation(2, matchpoint_slt, 32, {seen, {0, 0}}, 0), 2);
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(assume (< x_2.1 5))"));
    EXPECT_TRUE(has(t, "(assume (!= x_2.1 8))"));
    EXPECT_TRUE(has(t, "(assert (< x_2.1 5))"));
    EXPECT_TRUE(has(t, "(assert (<= 0 x_2.1))") || has(t, "(assert (>= x_2.1 0))"));
}

TEST(ThreadValues, Switches) {
    ThreadWriter w = begun();
    w.store(1, x_at, 4, {0, 2}, 0, {8});
    w.switch_(2, w.load(2, x_at, 4, 2), {});
    w.store(1, y_at, 4, {0, 2}, 0, {8});
    w.switch_(2, w.load(2, y_at, 4, 2), {7, 8});
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(assume (= x_2.1 2))"));
    EXPECT_TRUE(has(t, "(assume (and (!= y_2.2 7) (!= y_2.2 8)))"));
}

TEST(ThreadValues, WhatCannotOverflowIsNotAssumed) {
    ThreadWriter w = begun();
    for (std::size_t t : {1, 2}) {
        Written const seen = w.load(t, x_at, 4, static_cast<std::int64_t>(t) - 1);
        w.store(t, x_at, 4,
                w.operation(t, matchpoint_add, 32, {seen, {0, 1}}, static_cast<std::int64_t>(t), matchpoint_nsw));
        Written const wide = w.load(t, y_at, 4, t == 1 ? 0 : INT32_MAX - 1);
        w.store(t, y_at, 4,
                t == 1 ? Written{0, INT32_MAX - 1}
                       : w.operation(t, matchpoint_add, 32, {wide, {0, 1}}, INT32_MAX, matchpoint_nsw));
    }
    ThreadRecording const r = read(w);
    std::string const t = draft::print(r.program);
    EXPECT_TRUE(has(t, "(x := (+ x_1.1 1))"));
    EXPECT_TRUE(has(t, "(assume (<= (+ y_2.4 1) 2147483647))") || has(t, "2147483647"));
    EXPECT_EQ(r.assumed_in_range, 1U);
    std::string const asserted = draft::print(read_threads(files(w), SIZE_MAX, Overflow::asserted).program);
    EXPECT_TRUE(has(asserted, "(assert (<= (+ y_2.2 1) 2147483647))"));
    EXPECT_TRUE(has(t, "(assume (<= (+ y_2.2 1) 2147483647))"));
}

TEST(ThreadValues, UnsignedValuesWrap) {
    ThreadWriter w = begun();
    w.store(1, x_at, 1, {0, -1}, 0, {0});
    Written const seen = w.load(2, x_at, 1, -1);
    w.store(2, x_at, 1, w.operation(2, matchpoint_mul, 8, {seen, {0, 100}}, -100));
    EXPECT_TRUE(has(text(w), "(mod (+ (* x_2.1 100) 128) 256)"));
}

TEST(ThreadValues, BitsThatAreNoRunAreConcretised) {
    ThreadWriter w = begun();
    w.store(1, x_at, 4, {0, 7}, 0, {0});
    w.operation(2, matchpoint_and, 32, {w.load(2, x_at, 4, 7), {0, 5}}, 5);
    w.operation(2, matchpoint_and, 32, {w.load(2, x_at, 4, 7), {0, 6}}, 6);
    ThreadRecording const r = read(w);
    EXPECT_EQ(r.concretised[static_cast<std::size_t>(Concretised::operations)], 1U);
    EXPECT_TRUE(has(draft::print(r.program), "(assume (= x_2.1 7))"));
}

TEST(ThreadValues, ConcreteValues) {
    ThreadWriter w = begun();
    w.store(1, x_at, 4, {0, 7}, 0, {0});
    Written const seen = w.load(2, x_at, 4, 7);
    w.concrete(2, seen);
    w.store(2, y_at, 4, seen);
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(assume (= x_2.1 7))"));
}

TEST(ThreadValues, AValueThatIsAnotherOneIsAFault) {
    for (int what = 0; what < 4; ++what) {
        ThreadWriter w = begun();
        Written const seen = w.load(1, x_at, 4, 7);
        Written const wrong{seen.node, 8};
        Written const less = w.operation(1, matchpoint_slt, 32, {seen, {0, 5}}, 0);
        if (what == 0) w.store(1, y_at, 4, wrong);
        if (what == 1) w.branch(1, {less.node, 1});
        if (what == 2) w.concrete(1, wrong);
        if (what == 3) w.switch_(1, wrong, {});
        ThreadRecording const r = read_threads(files(w));
        ASSERT_TRUE(r.fault) << what;
        EXPECT_EQ(r.fault->rule, "T7");
    }
}

// ---- threads

TEST(ThreadEnds, CreateAndJoin) {
    ThreadWriter w = begun();
    w.exit(1);
    w.join(0, 1);
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(go1 := 1)"));
    EXPECT_TRUE(has(t, "(when (= go1 1))"));
    EXPECT_TRUE(has(t, "(done1 := 1)"));
    EXPECT_TRUE(has(t, "(when (= done1 1))"));
    EXPECT_TRUE(lacks(t, "done2"));
}

TEST(ThreadEnds, AFailureIsAnAssertion) {
    ThreadWriter w = begun();
    w.failed(1, matchpoint_abort, "abort");
    ThreadRecording const r = read(w);
    EXPECT_TRUE(has(draft::print(r.program), "(assert false)"));
    EXPECT_EQ(status(r), Status::failure);
    EXPECT_EQ(r.failure, "abort");
}

TEST(ThreadEnds, AFailedAssertionIsNotTwo) {
    ThreadWriter w = begun();
    w.store(1, x_at, 4, {0, 7}, 0, {0});
    w.branch(2, w.operation(2, matchpoint_eq, 32, {w.load(2, x_at, 4, 7), {0, 0}}, 0), 1);
    w.failed(2, matchpoint_assertion, "x == 0");
    ThreadRecording const r = read(w);
    EXPECT_TRUE(has(draft::print(r.program), "(assert (= x_2.1 0))"));
    EXPECT_TRUE(lacks(draft::print(r.program), "false"));
    EXPECT_EQ(status(r), Status::failure);
}

TEST(ThreadEnds, AStuckThreadEndsWithWhatItWaitsFor) {
    ThreadWriter w = begun();
    w.lock(1, m_at);
    w.awaits(1, matchpoint_lock, c_at);
    w.lock(2, c_at);
    w.awaits(2, matchpoint_lock, m_at);
    w.awaits(0, matchpoint_join, 1);
    ThreadRecording const r = read(w);
    EXPECT_EQ(r.not_at_end.size(), 3U);
    EXPECT_EQ(r.not_at_end[1], "thread 1 waits for c");
    EXPECT_EQ(checked(r).deadlock.answer, check::Reached::Answer::yes);
    w.end();
    EXPECT_EQ(read_threads(files(w)).not_at_end.size(), 0U) << "the program has exited";
}

TEST(ThreadEnds, GapsAreToldWithTheirPlaces) {
    ThreadWriter w = begun();
    w.at(1, 9);
    w.gap(1, "fork", "processes are not recorded");
    ThreadRecording const r = read(w);
    ASSERT_EQ(r.gaps.size(), 1U);
    EXPECT_EQ(r.gaps[0].at.line, 9U);
    EXPECT_EQ(r.gaps[0].what, "fork: processes are not recorded");
}

// ---- synchronisation

TEST(ThreadObjects, Mutexes) {
    ThreadWriter w = begun();
    w.lock(1, m_at);
    w.sync(2, matchpoint_lock_fails, m_at, {0});
    w.unlock(1, m_at);
    w.lock(2, m_at, 1);
    w.unlock(2, m_at);
    w.sync(1, matchpoint_destroy, m_at, {matchpoint_lock});
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(when (> m 0) (m := (- m 1)))"));
    EXPECT_TRUE(has(t, "(assume (= m 0))"));
    EXPECT_TRUE(has(t, "(m := (+ m 1))"));
    EXPECT_TRUE(has(t, "(assume (> m 0) (m := (- m 1)))")) << "a try";
    EXPECT_TRUE(has(t, "(assert (= m 1))"));
}

TEST(ThreadObjects, ARecursiveMutexIsTakenOnce) {
    ThreadWriter w = begun();
    w.sync(1, matchpoint_lock, m_at, {1, 0, 0});
    w.sync(1, matchpoint_lock, m_at, {1, 1, 0});
    w.sync(1, matchpoint_unlock, m_at, {1});
    w.sync(1, matchpoint_unlock, m_at, {0});
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "[t1.1 (when"));
    EXPECT_TRUE(lacks(t, "t1.2"));
    EXPECT_TRUE(lacks(t, "t1.3"));
    EXPECT_TRUE(has(t, "[t1.4 (m"));
}

TEST(ThreadObjects, ErrorsAreAssertions) {
    for (int what = 0; what < 3; ++what) {
        ThreadWriter w = begun();
        if (what == 0) w.unlock(1, m_at);
        if (what == 1) w.sync(1, matchpoint_lock_error, m_at, {35});
        if (what == 2) w.sync(1, matchpoint_unlock_error, m_at, {1});
        ThreadRecording const r = read(w);
        EXPECT_EQ(r.errors.size(), 1U);
        EXPECT_EQ(status(r), Status::failure);
    }
}

TEST(ThreadObjects, ReadWriteLocks) {
    ThreadWriter w = begun();
    w.sync(1, matchpoint_read_lock, m_at, {0});
    w.sync(2, matchpoint_write_fails, m_at, {0});
    w.sync(1, matchpoint_rw_unlock, m_at, {0});
    w.sync(2, matchpoint_write_lock, m_at, {0});
    w.sync(1, matchpoint_read_fails, m_at, {0});
    w.sync(2, matchpoint_rw_unlock, m_at, {1});
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(when (= m.w 0) (m.r := (+ m.r 1)))"));
    EXPECT_TRUE(has(t, "(assume (not (and (= m.w 0) (= m.r 0))))"));
    EXPECT_TRUE(has(t, "(m.r := (- m.r 1))"));
    EXPECT_TRUE(has(t, "(when (and (= m.w 0) (= m.r 0)) (m.w := (+ m.w 1)))"));
    EXPECT_TRUE(has(t, "(assume (!= m.w 0))"));
    EXPECT_TRUE(has(t, "(m.w := (- m.w 1))"));
}

TEST(ThreadObjects, Semaphores) {
    ThreadWriter w = begun();
    w.sync(0, matchpoint_sem_init, c_at, {1});
    w.sync(1, matchpoint_sem_wait, c_at, {0});
    w.sync(2, matchpoint_sem_fails, c_at, {0});
    w.sync(1, matchpoint_sem_post, c_at, {});
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "[c 1]"));
    EXPECT_TRUE(has(t, "(when (> c 0) (c := (- c 1)))"));
    EXPECT_TRUE(has(t, "(assume (= c 0))"));
    EXPECT_TRUE(has(t, "(c := (+ c 1))"));
}

TEST(ThreadObjects, Barriers) {
    ThreadWriter w = begun();
    w.sync(0, matchpoint_barrier_init, c_at, {2});
    for (int round = 0; round < 2; ++round) {
        for (std::size_t t : {1, 2}) w.sync(t, matchpoint_barrier_arrives, c_at, {});
        for (std::size_t t : {1, 2}) w.sync(t, matchpoint_barrier_leaves, c_at, {t - 1});
    }
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(assume true (c_1.1 := c) (c := (+ c 1)))"));
    EXPECT_TRUE(has(t, "(when (<= (* (+ (div c_1.1 2) 1) 2) c))"));
}

TEST(ThreadObjects, Once) {
    ThreadWriter w = begun();
    w.sync(1, matchpoint_once_begins, c_at, {});
    w.sync(1, matchpoint_once_ends, c_at, {});
    w.sync(2, matchpoint_once_passes, c_at, {});
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(assume (= c 0) (c := 1))"));
    EXPECT_TRUE(has(t, "(c := 2)"));
    EXPECT_TRUE(has(t, "(when (= c 2))"));
}

TEST(ThreadObjects, ASignalGoesToWhoWaitsThen) {
    ThreadWriter w = begun();
    w.lock(1, m_at);
    w.wait_begins(1, c_at, m_at);
    w.lock(2, m_at);
    w.sync(2, matchpoint_signal, c_at, {});
    w.unlock(2, m_at);
    w.wait_ends(1, c_at, m_at);
    w.unlock(1, m_at);
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "(assume true (c_1.1 := c.q) (m := (+ m 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))"));
    EXPECT_TRUE(has(t, "(assume true (c.p1 := (ite (and (= c.p1 0) (> c.n 0)) c.q c.p1)))"));
    EXPECT_TRUE(has(t, "(when (< c_1.1 c.p1) (c.n := (- c.n 1)) (c.p1 := (ite (< c_1.1 c.p1) 0 c.p1)))"));
    // If the signal comes first, it is lost.
    EXPECT_EQ(checked(read(w)).deadlock.answer, check::Reached::Answer::yes);
}

/// Threads take a mutex, wait, signal and time out as a naive model of POSIX lets them, in random orders.
TEST(ThreadObjects, RandomConditionVariables) {
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        constexpr std::size_t threads = 4;
        ThreadWriter w = begun(threads + 1);
        enum class At : std::uint8_t { outside, holds, blocked, woken, late };
        std::vector<At> at(threads + 1, At::outside);
        std::size_t holder = 0; // of the mutex
        for (int step = 0; step < 60; ++step) {
            std::size_t const t = 1 + random() % threads;
            if (at[t] == At::holds) {
                auto const what = random() % 4;
                if (what == 0) {
                    w.unlock(t, m_at);
                    at[t] = At::outside;
                    holder = 0;
                } else if (what == 1) {
                    w.wait_begins(t, c_at, m_at, seed % 2);
                    at[t] = At::blocked;
                    holder = 0;
                } else {
                    bool const to_all = what == 3 && random() % 3 == 0;
                    w.sync(t, to_all ? matchpoint_broadcast : matchpoint_signal, c_at, {});
                    std::size_t const first = random() % threads;
                    for (std::size_t k = 0; k < threads; ++k) {
                        At& other = at[1 + (first + k) % threads];
                        if (other != At::blocked) continue;
                        other = At::woken;
                        if (!to_all) break;
                    }
                }
            } else if (at[t] == At::outside && holder == 0) {
                w.lock(t, m_at);
                at[t] = At::holds;
                holder = t;
            } else if (at[t] == At::blocked && seed % 2 == 1 && random() % 4 == 0) {
                at[t] = At::late;
            } else if ((at[t] == At::woken || at[t] == At::late) && holder == 0) {
                w.wait_ends(t, c_at, m_at, at[t] == At::late ? 1 : 0);
                at[t] = At::holds;
                holder = t;
            }
        }
        w.end();
        text(w);
        if (testing::Test::HasFailure()) return;
    }
}

// ---- short records

/// What two threads do: all that can be a short record, in cells of their own, too.
ThreadWriter with_all_that_has_a_form(bool uses_forms) {
    ThreadWriter w = begun();
    if (uses_forms) w.use_forms();
    for (std::size_t t : {1, 2}) {
        w.at(t, 10 + t);
        auto const before = static_cast<std::int64_t>(t) - 1;
        Written const seen = w.load(t, x_at, 4, before);
        w.load(t, x_at, 4, before);
        Written const wide = w.operation(t, matchpoint_sext, 32, {seen}, before, 0, 64);
        Written const sum = w.operation(t, matchpoint_add, 64, {wide, {0, 1}}, before + 1);
        Written const less = w.operation(t, matchpoint_slt, 64, {{0, -6}, sum}, 1);
        w.branch(t, less);
        w.branch(t, less, 1);
        w.store(t, x_at, 4, w.operation(t, matchpoint_trunc, 64, {sum}, before + 1, 0, 32));
        w.store(t, x_at, 4, {0, static_cast<std::int64_t>(t)});
        w.load(t, 0x8000 + 8 * t, 8, -5, matchpoint_is_local);
        w.store(t, 0x8000 + 8 * t, 8, seen.node == 0 ? seen : wide, matchpoint_is_local);
        w.load(t, 0x8000 + 8 * t, 8, before, matchpoint_is_local);
        Written const last = w.load(t, x_at, 4, static_cast<std::int64_t>(t));
        w.concrete(t, last, matchpoint_of_size);
        w.branch(t, w.operation(t, matchpoint_eq, 32, {last, {0, static_cast<std::int64_t>(t)}}, 1));
        w.at(t, 20);
        if (uses_forms)
            w.compare_and_branch(t, matchpoint_slt, 32, seen, 7, true, 1);
        else
            w.branch(t, w.operation(t, matchpoint_slt, 32, {seen, {0, 7}}, 1), 1);
        w.branch(t, w.operation(t, matchpoint_ne, 32, {seen, {0, 9}}, 1));
    }
    return w;
}

TEST(ShortRecords, SayTheSame) {
    ThreadWriter all_long = with_all_that_has_a_form(false);
    ThreadWriter all_short = with_all_that_has_a_form(true);
    EXPECT_LT(all_short.bytes(2).size(), all_long.bytes(2).size() + 200); // with the forms
    std::string const t = text(all_short);
    EXPECT_TRUE(has(t, "(at \"a.c\" 12)"));
    EXPECT_EQ(t, text(all_long));
}

TEST(ShortRecords, SeveralOperations) {
    ThreadWriter w = begun();
    w.store(1, x_at, 4, {0, 6}, 0, {5});
    Written const seen = w.load(2, x_at, 4, 6);
    // (seen * 2 + 7) and its comparison with 19; nodes of constants are constants.
    std::string const form = ThreadWriter::of_numbers({matchpoint_operation, 3, matchpoint_mul, 0, 32, 0, 1, 4, //
                                                       matchpoint_add, 0, 32, 2, 0, matchpoint_eq, 0, 32, 3, 0});
    std::uint64_t const first = w.operations(2, form, 3, {seen, {0, 7}, {0, 19}});
    EXPECT_EQ(first, 2U);
    w.branch(2, {first + 2, 1});
    w.store(2, y_at, 4, {first + 1, 19}, 0, {0});
    std::uint64_t const constants = w.operations(2, form, 3, {{0, 1}, {0, 1}, {0, 3}});
    w.branch(2, {constants + 2, 1});
    std::string const t = text(w);
    EXPECT_TRUE(has(t, "x_2.1"));
    EXPECT_TRUE(has(t, "19"));
    ThreadWriter wrong = w;
    wrong.branch(2, {constants + 1, 1});
    EXPECT_EQ(read_threads(files(wrong)).fault->rule, "T5") << "32 bits are no condition";
}

TEST(ShortRecords, ALoadHasWhatTheLastAccessesLeft) {
    ThreadWriter w = begun();
    w.use_forms();
    w.store(1, x_at, 4, {0, 0x11223344}, 0, {0});
    w.store(2, x_at + 1, 1, {0, 0x55});
    w.outside(2, x_at + 2, "\x66");
    Written const seen = w.load(2, x_at, 4, 0x11665544);
    w.branch(2, w.operation(2, matchpoint_eq, 32, {seen, {0, 0x11665544}}, 1));
    w.update(2, x_at, 4, matchpoint_added, {0, 2}, 0x11665544);
    w.branch(2, w.operation(2, matchpoint_eq, 32, {w.load(2, x_at, 4, 0x11665546), {0, 0x11665546}}, 1));
    w.exchange(2, x_at, 4, {0, 0x11665546}, {0, 9}, 0x11665546, 1);
    w.exchange(2, x_at, 4, {0, 7}, {0, 8}, 9, 0);
    w.branch(2, w.operation(2, matchpoint_eq, 32, {w.load(2, x_at, 4, 9), {0, 9}}, 1));
    EXPECT_TRUE(has(text(w), "x_2"));
    // Of bytes that were not accessed there is nothing to load.
    ThreadWriter wrong = begun();
    wrong.load(1, x_at, 4, 5);
    wrong.begin_short(1, ThreadWriter::of_numbers({matchpoint_load, 0, 0, 4}));
    wrong.bytes(1) += ThreadWriter::of_numbers({2 * (x_at + 4)});
    EXPECT_EQ(read_threads(files(wrong)).fault->message, "a short load of bytes that were not accessed before");
}

TEST(ShortRecords, EveryBeginningIsReadable) {
    ThreadWriter w = with_all_that_has_a_form(true);
    for (std::size_t size = 0; size < w.bytes(1).size(); ++size) {
        std::vector<ThreadFile> cut = files(w);
        cut[1].bytes = cut[1].bytes.substr(0, size);
        ThreadRecording const r = read_threads(cut);
        ASSERT_FALSE(r.fault) << size << ": " << r.fault->message;
        EXPECT_NE(status(r), Status::error) << draft::print(r.program);
    }
}

TEST(ShortRecords, DamageIsAFaultOrAnotherRecording) {
    ThreadWriter const good = with_all_that_has_a_form(true);
    std::mt19937 random(2);
    int faults = 0;
    for (int i = 0; i < 3000; ++i) {
        ThreadWriter w = good;
        std::string& bytes = w.bytes(1 + random() % 2);
        for (unsigned n = 1 + random() % 2; n > 0; --n)
            bytes[8 + random() % (bytes.size() - 8)] = static_cast<char>(random());
        ThreadRecording const r = read_threads(files(w));
        if (!r.fault)
            draft::valid_program_of(r.program);
        else
            ++faults;
    }
    EXPECT_GT(faults, 500);
}

TEST(ShortRecords, Faults) {
    auto const fault = [](std::string const& form, std::vector<std::uint64_t> const& fields, bool is_described = true) {
        ThreadWriter w = begun();
        w.begin_short(1, form, is_described);
        w.bytes(1) += ThreadWriter::of_numbers(fields);
        ThreadRecording const r = read_threads(files(w));
        return r.fault ? std::string(r.fault->rule) + " " + r.fault->message : "";
    };
    auto const numbers = ThreadWriter::of_numbers;
    std::string const load = numbers({matchpoint_load, 0, 0, 4});
    EXPECT_EQ(fault(load, {2 * x_at, 0}, false), "T4 form 60 is not described");
    EXPECT_EQ(fault(load, {2 * x_at}), "T6 an access of a cell of which the thread has no turn");
    EXPECT_EQ(fault(load, {1, 0}), "T4 an address is too large");
    EXPECT_EQ(fault(numbers({matchpoint_load, 0, matchpoint_new_turn, 4}), {}),
              "T4 a form of accesses has flags of one access");
    EXPECT_EQ(fault(numbers({matchpoint_store, 0, 0, 3}), {}),
              "T4 an access has 3 bytes, and has to have 1, 2, 4 or 8");
    EXPECT_EQ(fault(numbers({matchpoint_switch}), {}), "T4 no form is of kind 8");
    EXPECT_EQ(fault(numbers({matchpoint_branch, 0, 0, 0}), {2}), "T5 there is no node 1 before node 1");
    EXPECT_EQ(fault(numbers({matchpoint_branch, 0, 0, 1, matchpoint_eq, 0, 32, 0, 0}), {2}),
              "T4 the direction of a branch is 2, and has to be below 2");
    EXPECT_EQ(fault(numbers({matchpoint_operation, 0}), {}), "T4 a form has no operations");
    EXPECT_EQ(fault(numbers({matchpoint_operation, 65}), {}).substr(0, 2), "T4");
    EXPECT_EQ(fault(numbers({matchpoint_operation, 1, matchpoint_add, 0, 32, 2, 2}), {}),
              "T4 an operand of a form is 2, and has to be below 2");
}

/// A record that counts: so many bytes before it are read again, as so many records.
void again(std::string& bytes, std::size_t size, std::size_t n) {
    bytes += static_cast<char>(matchpoint_again);
    for (std::size_t const number : {size, n})
        for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xffU);
}

TEST(ShortRecords, AreReadAgain) {
    constexpr std::size_t bytes_of_load = 3; // the form, and that the address is the same
    auto const text_of = [](int loads, std::size_t counted) {
        ThreadWriter w = begun();
        w.use_forms();
        w.store(2, x_at, 4, {0, 5}, 0, {0});
        for (int i = 0; i < loads; ++i) w.load(1, x_at, 4, 5);
        if (counted > 0) again(w.bytes(1), bytes_of_load, counted);
        return text(w);
    };
    std::string const seven = text_of(7, 0);
    EXPECT_EQ(text_of(3, 4), seven);
    EXPECT_EQ(text_of(6, 1), seven);
    EXPECT_NE(text_of(3, 5), seven);
}

TEST(ShortRecords, FaultsOfRepetitions) {
    auto const fault = [](bool is_short, std::size_t size) {
        ThreadWriter w = begun();
        w.use_forms();
        w.store(1, x_at, 4, {0, 5}, 0, {0});
        if (is_short) w.load(1, x_at, 4, 5);
        again(w.bytes(1), size, 2);
        ThreadRecording const r = read_threads(files(w));
        return r.fault ? std::string(r.fault->rule) + " " + r.fault->message : "";
    };
    EXPECT_EQ(fault(false, 1000).substr(0, 25), "T4 1000 bytes are read ag");
    EXPECT_EQ(fault(true, 0).substr(0, 22), "T4 0 bytes are read ag");
    // From the record about the thread on.
    EXPECT_EQ(fault(true, 34), "T2 a record that is read again is not short");
}

TEST(ShortRecords, LoadsThatAreConcreteAtOnce) {
    ThreadWriter w = begun();
    w.store(2, x_at, 4, {0, 5}, 0, {0});
    w.load(1, x_at, 4, 5);
    w.begin_short(1,
                  ThreadWriter::of_numbers({matchpoint_load, 0, matchpoint_is_concrete, 4, matchpoint_of_operation}));
    w.bytes(1) += ThreadWriter::of_numbers({2 * x_at});
    std::string const is = text(w);
    EXPECT_TRUE(has(is, "(assume (= x_1.2 5))"));
}

TEST(Turns, AreOfSeveralThreadsThatOnlyLoad) {
    auto const fault = [](matchpoint_record second) {
        ThreadWriter w = begun();
        w.store(1, x_at, 4, {0, 5}, 0, {0});
        for (std::size_t const t : {1, 2}) {
            bool const stores = t == 2 && second == matchpoint_store;
            w.bytes(t) += static_cast<char>(stores ? matchpoint_store : matchpoint_load);
            w.bytes(t) += ThreadWriter::of_numbers({0, matchpoint_new_turn, 4, x_at, 2});
            w.bytes(t) +=
                ThreadWriter::of_numbers(stores ? std::vector<std::uint64_t>{0, 10} : std::vector<std::uint64_t>{10});
        }
        ThreadRecording const r = read_threads(files(w));
        return r.fault ? std::string(r.fault->rule) : "";
    };
    EXPECT_EQ(fault(matchpoint_load), "");
    EXPECT_EQ(fault(matchpoint_store), "T6");
}

// ---- damage

TEST(ThreadFiles, EveryBeginningIsReadable) {
    ThreadWriter w = begun();
    for (std::size_t t : {1, 2}) {
        w.lock(t, m_at);
        w.store(t, x_at, 4, w.load(t, x_at, 4, 0), 0, {0});
        w.unlock(t, m_at);
    }
    for (std::size_t size = 0; size < w.bytes(1).size(); ++size) {
        std::vector<ThreadFile> cut = files(w);
        cut[1].bytes = cut[1].bytes.substr(0, size);
        ThreadRecording const r = read_threads(cut);
        ASSERT_FALSE(r.fault) << size << ": " << r.fault->message;
        EXPECT_NE(status(r), Status::error) << draft::print(r.program);
    }
}

TEST(ThreadFiles, DamageIsAFaultOrAnotherRecording) {
    ThreadWriter const good = [] {
        ThreadWriter w = begun();
        for (std::size_t t : {1, 2}) {
            w.lock(t, m_at);
            Written const seen = w.load(t, x_at, 4, static_cast<std::int64_t>(t) - 1, 0);
            w.store(t, x_at, 4, w.operation(t, matchpoint_add, 32, {seen, {0, 1}}, static_cast<std::int64_t>(t)), 0,
                    {});
            w.unlock(t, m_at);
            w.outside(t, y_at, "abcdefghij");
            w.exit(t);
        }
        w.wait_begins(0, c_at, m_at);
        w.end();
        return w;
    }();
    std::mt19937 random(1);
    int faults = 0;
    for (int i = 0; i < 5000; ++i) {
        ThreadWriter w = good;
        std::string& bytes = w.bytes(random() % 3);
        for (unsigned n = 1 + random() % 2; n > 0; --n)
            bytes[8 + random() % (bytes.size() - 8)] = static_cast<char>(random());
        ThreadRecording const r = read_threads(files(w));
        if (!r.fault)
            draft::valid_program_of(r.program);
        else
            ++faults;
    }
    EXPECT_GT(faults, 1000);
}

TEST(ThreadFiles, FaultsSayWhereAndWhy) {
    auto const fault = [](ThreadWriter& w) {
        ThreadRecording const r = read_threads(files(w));
        return r.fault ? std::string(r.fault->rule) + " " + r.fault->message : "";
    };
    ThreadWriter magic = begun();
    magic.bytes(1)[0] = 'x';
    EXPECT_EQ(fault(magic), "T1 the file does not begin as recordings of threads do");
    ThreadWriter kind = begun();
    kind.bytes(1) += '\x1f';
    EXPECT_EQ(fault(kind), "T2 no record is of kind 31");
    ThreadWriter thread = begun();
    std::swap(thread.bytes(1), thread.bytes(2));
    EXPECT_EQ(fault(thread), "T3 the file of thread 1 says that it is of thread 2");
    ThreadWriter number = begun();
    number.bytes(1) += '\x03' + std::string(11, '\xff');
    EXPECT_EQ(fault(number), "T4 a number has more than 64 bits");
    ThreadWriter node = begun();
    node.branch(1, {3, 1});
    EXPECT_EQ(fault(node), "T5 there is no node 3 so far, only 0");
    ThreadWriter order = begun();
    ThreadWriter other = begun();
    order.lock(1, m_at);
    other.lock(2, m_at);
    order.bytes(2) = other.bytes(2);
    EXPECT_EQ(fault(order).substr(0, 2), "T6");
}

TEST(ThreadFiles, ALargeRecordingIsCut) {
    ThreadWriter w = begun();
    for (int i = 0; i < 100; ++i) w.store(1, x_at, 4, {0, i}, 0, {});
    std::size_t all = 0;
    for (auto const& f : files(w)) all += f.bytes.size();
    ThreadRecording const r = read_threads(files(w), all / 2);
    ASSERT_FALSE(r.fault);
    ASSERT_FALSE(r.gaps.empty());
    EXPECT_EQ(r.gaps[0].what, "the recording is larger than the memory that may be used, and was cut");
}

TEST(LocationNames, PartsOfTypes) {
    std::string const type = "{0 head 4; 8 items [10 16 {0 key 4; 4  [2 4 4]; }]; }";
    EXPECT_EQ(part_of_type(type, 0), ".head");
    EXPECT_EQ(part_of_type(type, 2), ".head+2");
    EXPECT_EQ(part_of_type(type, 24), ".items.1.key");
    EXPECT_EQ(part_of_type(type, 32), ".items.1.1");
    EXPECT_EQ(part_of_type(type, 4), "+4");
    EXPECT_EQ(part_of_type("4", 0), "");
    EXPECT_EQ(part_of_type("[3 8 8]", 16), ".2");
    EXPECT_EQ(part_of_type("[3 8 8]", 24), "+24");
    EXPECT_EQ(part_of_type("{[", 1), "+1");
    EXPECT_EQ(part_of_type("", 0), "");
}

} // namespace matchpoint::record::threads
