// Writes recordings of threads as the runtime does (record/threads/format.h), from what a test says that threads did,
// one thing after the other. Turns, orders and numbers of nodes follow from that.
//
//   ThreadWriter w(2);
//   w.create(0, 1);
//   auto const node = w.load(1, 0x1000, 4, 7);
//   read_threads(w.files());
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "record/threads/format.h"

namespace matchpoint::record::threads {

/// A value in a thread: the number of its node, or 0, and what it is.
struct Written {
    std::uint64_t node = 0;
    std::int64_t value = 0;
};

class ThreadWriter {
public:
    /// All threads have the same stack if `one_stack`, one after the other.
    explicit ThreadWriter(std::size_t threads, bool one_stack = false) : threads_(threads) {
        for (std::size_t t = 0; t < threads; ++t) {
            threads_[t].bytes = matchpoint_threads_magic;
            begin(t, matchpoint_thread);
            u(t, t).u(t, 0).u(t, 0x7f0000000000 + (one_stack ? 0 : t * 0x100000)).u(t, 0x10000).u(t, 0);
        }
    }

    /// Places are lines of a.c, by their numbers. The next records of the thread are there.
    void at(std::size_t t, std::uint64_t line) {
        if (threads_[t].places[line]++ == 0) {
            begin(t, matchpoint_place);
            u(t, line).text(t, "a.c").u(t, line).u(t, 1).text(t, "f");
        }
        threads_[t].place = line;
    }
    void global(std::uint64_t address, std::uint64_t size, std::string const& name, std::string const& type = "") {
        begin(0, matchpoint_global);
        u(0, address).u(0, size).text(0, name).text(0, type);
    }
    void create(std::size_t t, std::size_t other) { sync(t, matchpoint_create, 0, {other}); }
    void join(std::size_t t, std::size_t other) { sync(t, matchpoint_join, 0, {other}); }
    void exit(std::size_t t) { sync(t, matchpoint_exit, 0, {}); }
    void end(std::uint64_t code = 0) {
        begin(0, matchpoint_end);
        u(0, code);
    }
    void failed(std::size_t t, matchpoint_failure how, std::string const& text) {
        begin(t, matchpoint_failed);
        u(t, threads_[t].place).u(t, how).text(t, text);
    }
    void gap(std::size_t t, std::string const& function, std::string const& why) {
        begin(t, matchpoint_gap);
        u(t, threads_[t].place).text(t, function).text(t, why);
    }

    /// From here on, records are short where they can.
    void use_forms() { uses_forms_ = true; }
    /// The beginning of a short record, of a form that is as in form records from its kind on. Without `is_described`
    /// the file may not have that form.
    void begin_short(std::size_t t, std::string const& form, bool is_described = true) {
        std::uint64_t const number = forms_.try_emplace(form, forms_.size() + 60).first->second;
        if (is_described && threads_[t].forms.insert(number).second) {
            begin(t, matchpoint_form);
            u(t, number);
            threads_[t].bytes += form;
            threads_[t].addresses[number % 64] = 0;
        }
        threads_[t].bytes += static_cast<char>(matchpoint_short | number % 64);
        u(t, number / 64);
        form_ = number;
    }
    static std::string of_numbers(std::vector<std::uint64_t> const& numbers) {
        std::string bytes;
        for (std::uint64_t const n : numbers) put_u(bytes, n);
        return bytes;
    }
    /// A node as short records have it.
    void near(std::size_t t, Written v) { u(t, v.node == 0 ? 0 : threads_[t].nodes + 1 - v.node); }
    /// Several operations at once, which a form describes, with the operands that it leaves open. The first node.
    std::uint64_t operations(std::size_t t, std::string const& form, std::size_t count,
                             std::vector<Written> const& open) {
        begin_short(t, form);
        for (Written const& v : open) {
            near(t, v);
            if (v.node == 0) s(t, v.value);
        }
        threads_[t].nodes += count;
        return threads_[t].nodes - count + 1;
    }

    // ---- memory
    Written load(std::size_t t, std::uint64_t address, unsigned size, std::int64_t value, std::uint64_t flags = 0,
                 std::uint64_t address_node = 0) {
        bool const is_short = access(t, matchpoint_load, address, size, flags, address_node, {});
        if (!is_short || (flags & matchpoint_is_local) != 0) s(t, value);
        return {++threads_[t].nodes, value};
    }
    void store(std::size_t t, std::uint64_t address, unsigned size, Written v, std::uint64_t flags = 0,
               std::vector<std::int64_t> const& old = {}) {
        bool const is_short = access(t, matchpoint_store, address, size, flags, 0, old);
        if (is_short)
            near(t, v);
        else
            u(t, v.node);
        s(t, v.value);
    }
    Written update(std::size_t t, std::uint64_t address, unsigned size, matchpoint_update what, Written by,
                   std::int64_t old) {
        access(t, matchpoint_update_record, address, size, matchpoint_atomic, 0, {});
        u(t, what).u(t, by.node).s(t, by.value).s(t, old);
        return {++threads_[t].nodes, old};
    }
    Written exchange(std::size_t t, std::uint64_t address, unsigned size, Written expected, Written wanted,
                     std::int64_t old, std::uint64_t success) {
        access(t, matchpoint_exchange, address, size, matchpoint_atomic, 0, {});
        u(t, expected.node).s(t, expected.value).u(t, wanted.node).s(t, wanted.value).s(t, old).u(t, success);
        return {++threads_[t].nodes, old};
    }
    void alloc(std::size_t t, std::uint64_t address, std::uint64_t size) {
        begin(t, matchpoint_alloc);
        u(t, ++blocks_).u(t, threads_[t].place).u(t, address).u(t, size);
        known_.erase(known_.lower_bound(address), known_.lower_bound(address + size));
    }
    void free(std::size_t t, std::uint64_t address) {
        begin(t, matchpoint_free);
        u(t, ++blocks_).u(t, threads_[t].place).u(t, address);
    }
    void outside(std::size_t t, std::uint64_t address, std::string const& bytes) {
        begin(t, matchpoint_outside);
        u(t, threads_[t].place).u(t, address).u(t, bytes.size());
        threads_[t].bytes += bytes;
        for (std::size_t i = 0; i < bytes.size(); ++i) known_.insert(address + i);
        std::uint64_t const first = address / 8;
        std::uint64_t const last = (address + bytes.size() - 1) / 8;
        u(t, last - first + 1);
        for (std::uint64_t cell = first; cell <= last; ++cell) {
            turn(t, cell);
            u(t, 1).u(t, cells_[cell].turn);
        }
    }

    // ---- values
    Written operation(std::size_t t, matchpoint_operator op, unsigned width, std::vector<Written> const& operands,
                      std::int64_t value, std::uint64_t flags = 0, unsigned to = 0) {
        if (uses_forms_) {
            std::string form = of_numbers({matchpoint_operation, 1, op, flags, width});
            if (to != 0) put_u(form, to);
            std::vector<Written> open;
            for (Written const& o : operands) {
                put_u(form, o.node != 0 || o.value % 2 != 0 ? 0 : 1);
                if (o.node != 0 || o.value % 2 != 0)
                    open.push_back(o);
                else
                    put_u(form, zigzag(o.value));
            }
            return {operations(t, form, 1, open), value};
        }
        begin(t, matchpoint_operation);
        u(t, op).u(t, flags).u(t, width);
        if (to != 0) u(t, to);
        for (Written const& o : operands) {
            u(t, o.node);
            if (o.node == 0) s(t, o.value);
        }
        return {++threads_[t].nodes, value};
    }
    void branch(std::size_t t, Written condition, std::uint64_t asserts = 0) {
        if (uses_forms_ && condition.node != 0) {
            begin_short(t, of_numbers({matchpoint_branch, threads_[t].place, asserts, 0}));
            u(t, 2 * (threads_[t].nodes + 1 - condition.node) + (condition.value != 0 ? 1 : 0));
            return;
        }
        begin(t, matchpoint_branch);
        u(t, threads_[t].place).u(t, condition.node).u(t, condition.value != 0 ? 1 : 0).u(t, asserts);
    }
    void switch_(std::size_t t, Written v, std::vector<std::int64_t> const& cases) {
        begin(t, matchpoint_switch);
        u(t, threads_[t].place).u(t, v.node).s(t, v.value).u(t, cases.size());
        for (std::int64_t const c : cases) s(t, c);
    }
    void concrete(std::size_t t, Written v, matchpoint_reason why = matchpoint_of_call) {
        if (uses_forms_ && v.node != 0) {
            begin_short(t, of_numbers({matchpoint_concrete, threads_[t].place, static_cast<std::uint64_t>(why)}));
            return near(t, v);
        }
        begin(t, matchpoint_concrete);
        u(t, threads_[t].place).u(t, v.node).s(t, v.value).u(t, why);
    }

    // ---- synchronisation
    void sync(std::size_t t, matchpoint_record kind, std::uint64_t object, std::vector<std::uint64_t> const& numbers) {
        begin(t, kind);
        bool const has_order = kind >= matchpoint_lock && kind < matchpoint_awaits;
        u(t, threads_[t].place).u(t, object).u(t, has_order ? ++objects_[object] : 0);
        for (std::uint64_t const n : numbers) u(t, n);
    }
    void lock(std::size_t t, std::uint64_t m, std::uint64_t tried = 0) { sync(t, matchpoint_lock, m, {0, 0, tried}); }
    void unlock(std::size_t t, std::uint64_t m) { sync(t, matchpoint_unlock, m, {0}); }
    void wait_begins(std::size_t t, std::uint64_t c, std::uint64_t m, std::uint64_t timed = 0) {
        sync(t, matchpoint_wait_begins, c, {m, ++objects_[m], timed});
    }
    void wait_ends(std::size_t t, std::uint64_t c, std::uint64_t m, std::uint64_t outcome = 0) {
        sync(t, matchpoint_wait_ends, c, {m, ++objects_[m], outcome});
    }
    void awaits(std::size_t t, matchpoint_record kind, std::uint64_t object) {
        sync(t, matchpoint_awaits, object, {static_cast<std::uint64_t>(kind)});
    }

    /// The comparison of a value with a constant, and a branch on it, as one short record.
    void compare_and_branch(std::size_t t, matchpoint_operator op, unsigned width, Written v, std::int64_t constant,
                            bool taken, std::uint64_t asserts = 0) {
        begin_short(
            t, of_numbers({matchpoint_branch, threads_[t].place, asserts, 1, op, 0, width, 0, 1, zigzag(constant)}));
        u(t, taken ? 1 : 0);
        near(t, v);
        ++threads_[t].nodes;
    }

    std::string& bytes(std::size_t t) { return threads_[t].bytes; }
    std::size_t count() const { return threads_.size(); }

private:
    struct Thread {
        std::string bytes;
        std::uint64_t nodes = 0, place = 0;
        std::map<std::uint64_t, int> places;
        std::set<std::uint64_t> forms;
        std::map<std::uint64_t, std::uint64_t> addresses; // of short records, by the lowest bits of their form
    };
    struct Cell {
        std::size_t thread = SIZE_MAX;
        std::uint64_t turn = 0;
    };

    void begin(std::size_t t, matchpoint_record kind) { threads_[t].bytes += static_cast<char>(kind); }
    static void put_u(std::string& to, std::uint64_t n) {
        for (; n >= 0x80; n >>= 7U) to += static_cast<char>((n & 0x7fU) | 0x80U);
        to += static_cast<char>(n);
    }
    static std::uint64_t zigzag(std::int64_t n) {
        return (static_cast<std::uint64_t>(n) << 1U) ^ static_cast<std::uint64_t>(n >> 63);
    }
    ThreadWriter& u(std::size_t t, std::uint64_t n) {
        put_u(threads_[t].bytes, n);
        return *this;
    }
    ThreadWriter& s(std::size_t t, std::int64_t n) { return u(t, zigzag(n)); }
    ThreadWriter& text(std::size_t t, std::string const& text) {
        u(t, text.size());
        threads_[t].bytes += text;
        return *this;
    }
    /// The number of the turn of a cell that the thread begins; 0 if it goes on with one.
    std::uint64_t turn(std::size_t t, std::uint64_t cell) {
        Cell& c = cells_[cell];
        if (c.thread == t) return 0;
        c.thread = t;
        return ++c.turn;
    }
    /// Whether it is a short record.
    bool access(std::size_t t, matchpoint_record kind, std::uint64_t address, unsigned size, std::uint64_t flags,
                std::uint64_t address_node, std::vector<std::int64_t> const& old) {
        std::uint64_t first = 0;
        std::uint64_t second = 0;
        if ((flags & matchpoint_is_local) == 0) {
            first = turn(t, address / 8);
            if ((address + size - 1) / 8 != address / 8) second = turn(t, address / 8 + 1);
        }
        bool has_form = kind == matchpoint_load || kind == matchpoint_store;
        if ((flags & matchpoint_is_local) == 0)
            for (unsigned i = 0; i < size; ++i)
                if (known_.insert(address + i).second) has_form = false; // its value was not there before
        if (uses_forms_ && has_form && first == 0 && second == 0 && old.empty() && address_node == 0) {
            begin_short(t, of_numbers({static_cast<std::uint64_t>(kind), threads_[t].place, flags, size}));
            std::uint64_t& last = threads_[t].addresses[form_ % 64];
            s(t, static_cast<std::int64_t>(address - last));
            last = address;
            return true;
        }
        if (first != 0) flags |= matchpoint_new_turn;
        if (second != 0) flags |= matchpoint_new_second_turn;
        if (!old.empty()) flags |= matchpoint_has_old;
        if (address_node != 0) flags |= matchpoint_has_address;
        begin(t, kind);
        u(t, threads_[t].place).u(t, flags).u(t, size).u(t, address);
        if (address_node != 0) u(t, address_node);
        if (first != 0) u(t, first);
        if (second != 0) u(t, second);
        if (!old.empty()) s(t, old[0]);
        return false;
    }

    std::vector<Thread> threads_;
    std::map<std::uint64_t, Cell> cells_;
    std::map<std::uint64_t, std::uint64_t> objects_;
    std::uint64_t blocks_ = 0;
    std::set<std::uint64_t> known_; // bytes that were accessed
    bool uses_forms_ = false;
    std::map<std::string, std::uint64_t> forms_; // their numbers
    std::uint64_t form_ = 0;                     // of the last short record
};

} // namespace matchpoint::record::threads
