// Random programs of threads with values of n bits, run by a naive interpreter that writes what the runtime would. The
// program that is read from that has the values of that run on the machine, and, in another order of the threads, those
// that the naive interpreter has in that order.
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "machine/machine.hpp"
#include "programs/draft.hpp"
#include "record/threads/reading.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/thread_writer.hpp"

namespace matchpoint::record::threads {

namespace {

constexpr std::size_t workers = 2;               // threads 1 to `workers`; 0 makes and joins them, the last one watches
constexpr std::size_t all_threads = workers + 2; // it reads all results first, so that they are shared
constexpr std::uint64_t memory_at = 0x1000, private_at = 0x4000, results_at = 0x8000, mutex_at = 0x9000;
constexpr std::size_t memory_size = 24, results_of_a_thread = 24;
constexpr unsigned widths[] = {1, 8, 16, 32, 64};

std::uint64_t lowest(std::uint64_t v, unsigned bits) { return bits == 64 ? v : v & ((std::uint64_t{1} << bits) - 1); }
/// The signed number that these bits are.
std::int64_t number_of(std::uint64_t v, unsigned bits) {
    v = lowest(v, bits);
    if (bits == 1 || bits == 64 || (v >> (bits - 1)) == 0) return static_cast<std::int64_t>(v);
    return static_cast<std::int64_t>(v - (std::uint64_t{1} << (bits - 1)) * 2);
}

/// Naive: every operator as LLVM's manual has it, bit by bit where that is easier. None if it is undefined.
std::optional<std::uint64_t> naive(matchpoint_operator op, unsigned w, unsigned to,
                                   std::vector<std::uint64_t> const& o) {
    auto const a = lowest(o[0], w);
    auto const b = o.size() > 1 ? lowest(o[1], w) : 0;
    __extension__ using Large = __int128;
    auto const sa = w == 1 ? -static_cast<std::int64_t>(a) : number_of(a, w);
    auto const sb = w == 1 ? -static_cast<std::int64_t>(b) : number_of(b, w);
    if (op >= matchpoint_udiv && op <= matchpoint_srem && b == 0) return std::nullopt;
    if ((op == matchpoint_shl || op == matchpoint_lshr || op == matchpoint_ashr) && b >= w) return std::nullopt;
    switch (op) {
    case matchpoint_add: return lowest(a + b, w);
    case matchpoint_sub: return lowest(a - b, w);
    case matchpoint_mul: return lowest(a * b, w);
    case matchpoint_shl: return lowest(a << b, w);
    case matchpoint_udiv: return a / b;
    case matchpoint_urem: return a % b;
    case matchpoint_sdiv: return lowest(static_cast<std::uint64_t>(Large{sa} / sb), w);
    case matchpoint_srem: return lowest(static_cast<std::uint64_t>(Large{sa} % sb), w);
    case matchpoint_lshr: return a >> b;
    case matchpoint_ashr: return lowest(static_cast<std::uint64_t>(sa >> b), w);
    case matchpoint_and: return a & b;
    case matchpoint_or: return a | b;
    case matchpoint_xor: return a ^ b;
    case matchpoint_eq: return a == b;
    case matchpoint_ne: return a != b;
    case matchpoint_ult: return a < b;
    case matchpoint_ule: return a <= b;
    case matchpoint_slt: return sa < sb;
    case matchpoint_sle: return sa <= sb;
    case matchpoint_trunc: return lowest(a, to);
    case matchpoint_zext: return a;
    case matchpoint_sext: return lowest(static_cast<std::uint64_t>(sa), to);
    case matchpoint_select: return lowest(o[0], 1) != 0 ? lowest(o[1], w) : lowest(o[2], w);
    }
    return std::nullopt;
}

std::uint64_t naive_update(matchpoint_update what, unsigned w, std::uint64_t a, std::uint64_t b) {
    a = lowest(a, w);
    b = lowest(b, w);
    bool const is_less = number_of(a, w) < number_of(b, w);
    switch (what) {
    case matchpoint_exchanged: return b;
    case matchpoint_added: return lowest(a + b, w);
    case matchpoint_subtracted: return lowest(a - b, w);
    case matchpoint_anded: return a & b;
    case matchpoint_ored: return a | b;
    case matchpoint_xored: return a ^ b;
    case matchpoint_nanded: return lowest(~(a & b), w);
    case matchpoint_signed_max: return is_less ? b : a;
    case matchpoint_signed_min: return is_less ? a : b;
    case matchpoint_unsigned_max: return a < b ? b : a;
    case matchpoint_unsigned_min: return a < b ? a : b;
    }
    return 0;
}

struct Instruction {
    enum class Kind : std::uint8_t { load, store, operation, update, exchange, lock, unlock, branch, outside } kind;
    std::uint64_t address = 0; // of memory
    unsigned size = 0;
    matchpoint_operator op = matchpoint_add;
    matchpoint_update what = matchpoint_added;
    std::uint64_t flags = 0;
    unsigned width = 0, to = 0;
    std::vector<int> from = {}; // registers; -1: the constant
    std::vector<std::uint64_t> constants = {};
    std::string bytes = {};
};

/// The registers of a thread have the widths that the instructions before give them.
class Generator {
public:
    explicit Generator(std::uint32_t seed) : random_(seed) {}
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

    std::vector<Instruction> thread(std::size_t t) {
        widths_.clear();
        std::vector<Instruction> code;
        bool has_lock = false;
        for (int i = 0; i < 9; ++i) {
            if (below(6) == 0) {
                code.push_back({has_lock ? Instruction::Kind::unlock : Instruction::Kind::lock});
                has_lock = !has_lock;
            }
            code.push_back(instruction(t));
        }
        if (has_lock) code.push_back({Instruction::Kind::unlock});
        return code;
    }

private:
    unsigned size() { return 1U << below(4); }
    std::uint64_t address(std::size_t t, unsigned size) {
        if (below(5) == 0) return private_at + 64 * t + below(16);
        if (below(2) == 0) return memory_at + size * below(static_cast<std::uint32_t>(memory_size) / size);
        return memory_at + below(static_cast<std::uint32_t>(memory_size - size + 1));
    }
    std::uint64_t constant(unsigned width) {
        std::uint64_t const some[] = {
            0, 1, 2, 3, 7, 8, 127, 128, 255, UINT64_MAX, std::uint64_t{1} << (width - 1), random_()};
        return lowest(some[below(12)], width);
    }
    void operand(Instruction& i, unsigned width) {
        std::vector<int> fitting;
        for (std::size_t r = 0; r < widths_.size(); ++r)
            if (widths_[r] == width) fitting.push_back(static_cast<int>(r));
        bool const is_constant = fitting.empty() || below(3) == 0;
        i.from.push_back(is_constant ? -1 : fitting[below(static_cast<std::uint32_t>(fitting.size()))]);
        i.constants.push_back(constant(width));
    }
    Instruction instruction(std::size_t t) {
        Instruction i{};
        std::uint32_t const what = below(20);
        i.size = size();
        i.address = address(t, i.size);
        if (what < 5 || widths_.empty()) {
            i.kind = Instruction::Kind::load;
            widths_.push_back(8 * i.size);
        } else if (what < 9) {
            i.kind = Instruction::Kind::store;
            operand(i, 8 * i.size);
        } else if (what < 11) {
            i.kind = below(2) == 0 ? Instruction::Kind::update : Instruction::Kind::exchange;
            i.address = memory_at + i.size * below(static_cast<std::uint32_t>(memory_size) / i.size);
            i.what = static_cast<matchpoint_update>(1 + below(11));
            operand(i, 8 * i.size);
            operand(i, 8 * i.size);
            widths_.push_back(8 * i.size);
        } else if (what == 11 && below(3) == 0) {
            i.kind = Instruction::Kind::outside;
            for (unsigned b = 0; b < i.size; ++b) i.bytes += static_cast<char>(below(256));
        } else if (what == 12 && std::find(widths_.begin(), widths_.end(), 1U) != widths_.end()) {
            i.kind = Instruction::Kind::branch;
            operand(i, 1);
        } else {
            operation(i);
        }
        return i;
    }
    void operation(Instruction& i) {
        i.kind = Instruction::Kind::operation;
        i.op = static_cast<matchpoint_operator>(1 + below(23));
        i.width = widths_[below(static_cast<std::uint32_t>(widths_.size()))];
        i.flags = below(4);
        bool const is_cast = i.op == matchpoint_trunc || i.op == matchpoint_zext || i.op == matchpoint_sext;
        if (is_cast) {
            i.to = widths[below(5)];
            if (i.op == matchpoint_trunc ? i.to > i.width : i.to < i.width) i.to = i.width;
        }
        if (i.op == matchpoint_select) operand(i, 1);
        operand(i, i.width);
        if (!is_cast) operand(i, i.width);
        bool const is_comparison = i.op >= matchpoint_eq && i.op <= matchpoint_sle;
        widths_.push_back(is_comparison ? 1 : is_cast ? i.to : i.width);
    }

    std::mt19937_64 random_;
    std::vector<unsigned> widths_;
};

struct Register {
    Written written;
    unsigned width = 0;
};

std::string shown(Instruction const& i) {
    std::string text = "kind " + std::to_string(static_cast<int>(i.kind)) + " op " + std::to_string(i.op) + " update " +
                       std::to_string(i.what) + " address " + std::to_string(i.address - memory_at) + " size " +
                       std::to_string(i.size) + " width " + std::to_string(i.width) + " to " + std::to_string(i.to) +
                       " flags " + std::to_string(i.flags) + " operands";
    for (std::size_t k = 0; k < i.from.size(); ++k)
        text += i.from[k] < 0 ? " =" + std::to_string(i.constants[k]) : " r" + std::to_string(i.from[k]);
    return text + "\n";
}

/// Runs the instructions of all workers in an order. `writer` hears of it, unless it is null.
class Naive {
public:
    Naive(std::vector<std::vector<Instruction>> const& code, ThreadWriter* writer) : code_(code), writer_(writer) {}

    /// The threads of the events of the workers, in their order.
    std::vector<std::size_t> run(std::mt19937& random) {
        std::vector<std::size_t> order;
        while (true) {
            std::vector<std::size_t> ready;
            for (std::size_t t = 0; t < code_.size(); ++t)
                if (at_[t] < code_[t].size() && (code_[t][at_[t]].kind != Instruction::Kind::lock || !is_locked_))
                    ready.push_back(t);
            if (ready.empty()) return order;
            std::size_t const t = ready[random() % ready.size()];
            step(t + 1, code_[t][at_[t]]);
            if (code_[t][at_[t]++].kind != Instruction::Kind::operation) order.push_back(t + 1);
        }
    }
    std::vector<Register> const& registers(std::size_t t) { return registers_[t]; }
    std::uint64_t read(std::uint64_t address, unsigned size) {
        std::uint64_t v = 0;
        for (unsigned b = 0; b < size; ++b) v |= std::uint64_t{memory_[address + b]} << (8 * b);
        return v;
    }
    /// Operations that were undefined in another run have the result that they were given there.
    std::map<std::pair<std::size_t, std::size_t>, bool> undefined;

private:
    Register operand(std::size_t t, Instruction const& i, std::size_t k, unsigned width) {
        if (i.from[k] >= 0) return registers_[t][static_cast<std::size_t>(i.from[k])];
        return {{0, number_of(i.constants[k], width)}, width};
    }
    void write(std::uint64_t address, unsigned size, std::uint64_t v) {
        for (unsigned b = 0; b < size; ++b) memory_[address + b] = static_cast<std::uint8_t>(v >> (8 * b));
    }
    void give(std::size_t t, std::uint64_t v, unsigned width, std::uint64_t node) {
        registers_[t].push_back({{node, number_of(v, width)}, width});
    }
    void step(std::size_t t, Instruction const& i) {
        using Kind = Instruction::Kind;
        unsigned const width = 8 * i.size;
        std::uint64_t const there = read(i.address, i.size);
        std::int64_t const seen = width == 0 ? 0 : number_of(there, width);
        if (i.kind == Kind::load) {
            give(t, there, width, writer_ ? writer_->load(t, i.address, i.size, seen).node : 0);
        } else if (i.kind == Kind::store) {
            Register const v = operand(t, i, 0, width);
            if (writer_) writer_->store(t, i.address, i.size, v.written, 0, {seen});
            write(i.address, i.size, static_cast<std::uint64_t>(v.written.value));
        } else if (i.kind == Kind::update) {
            Register const v = operand(t, i, 0, width);
            give(t, there, width, writer_ ? writer_->update(t, i.address, i.size, i.what, v.written, seen).node : 0);
            write(i.address, i.size, naive_update(i.what, width, there, static_cast<std::uint64_t>(v.written.value)));
        } else if (i.kind == Kind::exchange) {
            Register const expected = operand(t, i, 0, width);
            Register const v = operand(t, i, 1, width);
            bool const succeeds = expected.written.value == seen;
            give(t, there, width,
                 writer_ ? writer_->exchange(t, i.address, i.size, expected.written, v.written, seen, succeeds).node
                         : 0);
            if (succeeds) write(i.address, i.size, static_cast<std::uint64_t>(v.written.value));
        } else if (i.kind == Kind::outside) {
            if (writer_) writer_->outside(t, i.address, i.bytes);
            for (unsigned b = 0; b < i.size; ++b) memory_[i.address + b] = static_cast<std::uint8_t>(i.bytes[b]);
        } else if (i.kind == Kind::lock || i.kind == Kind::unlock) {
            is_locked_ = i.kind == Kind::lock;
            if (writer_) is_locked_ ? writer_->lock(t, mutex_at) : writer_->unlock(t, mutex_at);
        } else if (i.kind == Kind::branch) {
            if (writer_) writer_->branch(t, operand(t, i, 0, 1).written);
        } else {
            operation(t, i);
        }
    }
    void operation(std::size_t t, Instruction const& i) {
        std::vector<std::uint64_t> values;
        std::vector<Written> written;
        for (std::size_t k = 0; k < i.from.size(); ++k) {
            unsigned const width = i.op == matchpoint_select && k == 0 ? 1 : i.width;
            written.push_back(operand(t, i, k, width).written);
            values.push_back(static_cast<std::uint64_t>(written.back().value));
        }
        bool const is_comparison = i.op >= matchpoint_eq && i.op <= matchpoint_sle;
        unsigned const width = is_comparison ? 1 : i.to != 0 ? i.to : i.width;
        auto value = naive(i.op, i.width, i.to, values);
        bool& was_undefined = undefined[{t, registers_[t].size()}];
        if (writer_) was_undefined = !value;
        if (was_undefined || !value) return give(t, 0, width, 0);
        give(t, *value, width,
             writer_ ? writer_->operation(t, i.op, i.width, written, number_of(*value, width), i.flags, i.to).node : 0);
    }

    std::vector<std::vector<Instruction>> const& code_;
    ThreadWriter* writer_;
    std::map<std::uint64_t, std::uint8_t> memory_;
    std::map<std::size_t, std::vector<Register>> registers_;
    std::map<std::size_t, std::size_t> at_;
    bool is_locked_ = false;
};

std::vector<ThreadFile> files_of(ThreadWriter& w) {
    std::vector<ThreadFile> files;
    for (std::size_t t = 0; t < w.count(); ++t) files.push_back({"thread " + std::to_string(t), w.bytes(t)});
    return files;
}

std::uint64_t result_at(std::size_t t, std::size_t i) { return results_at + 8 * (results_of_a_thread * t + i); }

/// The event that the name of a command is about: "t1.17b".
std::uint64_t event_of(std::string_view rho) {
    std::size_t const dot = rho.find('.');
    return std::stoull(std::string(rho.substr(dot + 1)));
}

class RandomThreads {
public:
    explicit RandomThreads(std::uint32_t seed) : seed_(seed), generator_(seed) {
        for (std::size_t t = 1; t <= workers; ++t) code_.push_back(generator_.thread(t));
    }

    /// Records a run. The last thread watches: it reads all results before anybody writes them.
    ThreadRecording record() {
        ThreadWriter w(all_threads);
        if (seed_ % 2 == 0) w.use_forms();
        w.global(results_at, 8 * results_of_a_thread * all_threads, "result", "[96 8 8]");
        for (std::size_t t = 1; t < all_threads; ++t) w.create(0, t);
        for (std::size_t t = 0; t < workers + 1; ++t)
            for (std::size_t i = 0; i < results_of_a_thread; ++i) w.load(all_threads - 1, result_at(t, i), 8, 0);
        Naive naive(code_, &w);
        std::mt19937 random(seed_);
        order_ = naive.run(random);
        undefined_ = naive.undefined;
        for (std::size_t t = 1; t <= workers; ++t) {
            store_results(w, t, naive.registers(t));
            w.exit(t);
            w.join(0, t);
        }
        for (std::size_t c = 0; c < memory_size / 8; ++c) {
            std::uint64_t const address = memory_at + 8 * c;
            auto const value = number_of(naive.read(address, 8), 64);
            w.store(0, result_at(0, c), 8, w.load(0, address, 8, value));
            expected_["result." + std::to_string(c)] = value;
        }
        w.end();
        return read_threads(files_of(w));
    }

    /// What the results are in another order.
    std::map<std::string, std::int64_t> in_another_order(std::uint32_t seed, std::vector<std::size_t>& order) {
        Naive naive(code_, nullptr);
        naive.undefined = undefined_;
        std::mt19937 random(seed);
        order = naive.run(random);
        std::map<std::string, std::int64_t> results;
        for (std::size_t t = 1; t <= workers; ++t)
            for (std::size_t i = 0; i < naive.registers(t).size(); ++i)
                results[name(t, i)] = value_of(naive.registers(t)[i]);
        for (std::size_t c = 0; c < memory_size / 8; ++c)
            results["result." + std::to_string(c)] = number_of(naive.read(memory_at + 8 * c, 8), 64);
        return results;
    }
    std::map<std::string, std::int64_t> const& expected() const { return expected_; }
    std::string text() const {
        std::string text;
        for (auto const& thread : code_) {
            for (Instruction const& i : thread) text += shown(i);
            text += "\n";
        }
        return text;
    }

private:
    static std::string name(std::size_t t, std::size_t i) {
        return "result." + std::to_string(results_of_a_thread * t + i);
    }
    static std::int64_t value_of(Register const& r) { return r.written.value; }
    void store_results(ThreadWriter& w, std::size_t t, std::vector<Register> const& registers) {
        for (std::size_t i = 0; i < registers.size(); ++i) {
            Register r = registers[i];
            expected_[name(t, i)] = value_of(r);
            if (r.written.node != 0 && r.width != 64)
                r.written = w.operation(t, r.width == 1 ? matchpoint_zext : matchpoint_sext, r.width, {r.written},
                                        r.written.value, 0, 64);
            w.store(t, result_at(t, i), 8, r.written);
        }
    }

    std::uint32_t seed_;
    Generator generator_;
    std::vector<std::vector<Instruction>> code_;
    std::vector<std::size_t> order_;
    std::map<std::pair<std::size_t, std::size_t>, bool> undefined_;
    std::map<std::string, std::int64_t> expected_;
};

/// The values of shared variables at the end of a run.
std::map<std::string, std::string> values_of(machine::Machine const& m, Program const& program) {
    std::map<std::string, std::string> values;
    for (auto const& s : program.ctp.shared)
        values[std::string(program.symbols.variables[s.x.index])] = m.state().h[s.x.index].to_string();
    return values;
}

void expect_values(std::map<std::string, std::string> const& values,
                   std::map<std::string, std::int64_t> const& expected, std::string const& text) {
    for (auto const& [name, value] : expected)
        if (auto const at = values.find(name); at != values.end())
            ASSERT_EQ(at->second, std::to_string(value)) << name << "\n" << text;
        else
            ADD_FAILURE() << name << " is not shared\n" << text;
}

/// Runs the commands of all threads so that the events of the workers come in this order.
Status run_in_order(machine::Machine& m, Program const& program, std::vector<std::size_t> const& order) {
    std::vector<std::uint32_t> next;
    for (auto const& thread : program.ctp.threads) next.push_back(thread.first);
    auto const name = [&](std::uint32_t c) { return std::string_view(program.symbols.locations[c]); };
    auto const run_to = [&](std::size_t t, std::uint64_t event) {
        while (m.state().s == Status::success && next[t] < program.ctp.threads[t].last &&
               event_of(name(next[t])) <= event)
            if (m.apply(machine::Execute{{next[t]++}}).is_stuck()) return;
    };
    run_to(0, all_threads - 1);
    run_to(all_threads - 1, UINT64_MAX);
    std::map<std::size_t, std::uint64_t> events;
    for (std::size_t const t : order) run_to(t, ++events[t]);
    for (std::size_t t = 1; t <= workers; ++t) run_to(t, UINT64_MAX);
    run_to(0, UINT64_MAX);
    return m.state().s;
}

} // namespace

TEST(RandomThreads, AreReadToTheirValues) {
    int compared = 0;
    int off_path = 0;
    for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE(seed);
        RandomThreads random(seed);
        ThreadRecording const r = random.record();
        ASSERT_FALSE(r.fault) << r.fault->rule << " " << r.fault->message;
        ASSERT_TRUE(r.gaps.empty()) << r.gaps[0].what;
        std::string const text = random.text() + draft::print(r.program);
        Program const program = draft::valid_program_of(r.program);
        machine::IndexedProgram const code(program);
        machine::Machine m(code, Buffering::infinite);
        ASSERT_EQ(machine::run(m, 0).s, Status::success) << text;
        expect_values(values_of(m, program), random.expected(), text);
        for (std::uint32_t other = 1; other <= 4; ++other) {
            std::vector<std::size_t> order;
            auto const expected = random.in_another_order(seed + 1000 * other, order);
            machine::Machine again(code, Buffering::infinite);
            Status const s = run_in_order(again, program, order);
            ASSERT_NE(s, Status::error) << text;
            if (s != Status::success) {
                ++off_path;
                continue;
            }
            ++compared;
            expect_values(values_of(again, program), expected, text);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    // What leaves the path was concretised, overflowed, or took another branch.
    EXPECT_GT(compared, 10 * off_path);
}

} // namespace matchpoint::record::threads
