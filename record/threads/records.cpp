#include "record/threads/records.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::record::threads {

namespace {

constexpr std::string_view magic = matchpoint_threads_magic;

bool is_known(unsigned kind) {
    return (kind >= matchpoint_thread && kind <= matchpoint_outside) ||
           (kind >= matchpoint_create && kind <= matchpoint_awaits) ||
           (kind >= matchpoint_end && kind <= matchpoint_gap);
}

/// How many numbers follow place, object and order.
unsigned numbers_of(matchpoint_record kind) {
    constexpr std::array none{
        matchpoint_exit,        matchpoint_signal,    matchpoint_broadcast,       matchpoint_sem_post,
        matchpoint_once_begins, matchpoint_once_ends, matchpoint_barrier_arrives, matchpoint_once_passes};
    if (kind == matchpoint_lock || kind == matchpoint_wait_begins || kind == matchpoint_wait_ends) return 3;
    return std::find(none.begin(), none.end(), kind) != none.end() ? 0 : 1;
}

} // namespace

bool is_access(matchpoint_record kind) {
    return kind == matchpoint_load || kind == matchpoint_store || kind == matchpoint_update_record ||
           kind == matchpoint_exchange;
}

bool makes_node(matchpoint_record kind) {
    return kind == matchpoint_operation || (is_access(kind) && kind != matchpoint_store);
}

bool is_event(matchpoint_record kind) {
    return kind == matchpoint_concrete || kind == matchpoint_branch || kind == matchpoint_switch || is_access(kind) ||
           kind == matchpoint_outside || (kind >= matchpoint_create && kind < matchpoint_awaits);
}

bool is_of_object(matchpoint_record kind) { return kind >= matchpoint_lock && kind < matchpoint_awaits; }

unsigned operands_of(matchpoint_operator op) { return is_cast(op) ? 1 : op == matchpoint_select ? 3 : 2; }
bool is_cast(matchpoint_operator op) { return op >= matchpoint_trunc && op <= matchpoint_sext; }
bool is_comparison(matchpoint_operator op) { return op >= matchpoint_eq && op <= matchpoint_sle; }

RecordReader::RecordReader(std::string_view bytes) : bytes_(bytes) {
    std::string_view const head = bytes_.substr(0, magic.size());
    at_ = magic.size();
    if (head == magic) return;
    // A file that was made, and not written, has zeros.
    if (head.find_first_not_of('\0') == std::string_view::npos || magic.starts_with(head)) {
        breaks_off_ = true;
        at_ = bytes_.size();
        return;
    }
    fault_ = Fault{{}, 0, "T1", "the file does not begin as recordings of threads do"};
}

bool RecordReader::next(Record& r) {
    if (fault_ || at_ >= bytes_.size() || bytes_[at_] == '\0') return false;
    r.offset = at_;
    try {
        unsigned const kind = static_cast<unsigned char>(bytes_[at_++]);
        if (!is_known(kind)) throw Bad{"T2", fmt::format("no record is of kind {}", kind)};
        r.kind = static_cast<matchpoint_record>(kind);
        if ((count_ == 0) != (r.kind == matchpoint_thread))
            throw Bad{"T3", "the first record, and no other one, says which thread it is"};
        read(r);
    } catch (Ended const&) {
        breaks_off_ = true;
        at_ = bytes_.size();
        return false;
    } catch (Bad const& bad) {
        fault_ = Fault{{}, r.offset, bad.rule, bad.message};
        return false;
    }
    ++count_;
    if (makes_node(r.kind)) ++nodes_;
    if (is_event(r.kind)) ++events_;
    return true;
}

std::uint64_t RecordReader::u() {
    std::uint64_t result = 0;
    for (unsigned shift = 0;; shift += 7) {
        if (at_ >= bytes_.size()) throw Ended{};
        std::uint64_t const byte = static_cast<unsigned char>(bytes_[at_++]);
        std::uint64_t const part = byte & 0x7fU;
        if (shift > 63 || (shift == 63 && part > 1)) throw Bad{"T4", "a number has more than 64 bits"};
        result |= part << shift;
        if ((byte & 0x80U) == 0) return result;
    }
}

std::int64_t RecordReader::s() {
    std::uint64_t const n = u();
    return static_cast<std::int64_t>((n >> 1U) ^ (0 - (n & 1U)));
}

std::string_view RecordReader::text() {
    std::uint64_t const length = u();
    if (length > bytes_.size() - at_) throw Ended{};
    std::string_view const result = bytes_.substr(at_, length);
    at_ += length;
    return result;
}

std::uint64_t RecordReader::node() {
    std::uint64_t const n = u();
    if (n > nodes_) throw Bad{"T5", fmt::format("there is no node {} so far, only {}", n, nodes_)};
    return n;
}

Operand RecordReader::operand() {
    Operand o;
    o.node = node();
    if (o.node == 0) o.value = s();
    return o;
}

std::uint64_t RecordReader::below(std::uint64_t limit, std::string_view what) {
    std::uint64_t const n = u();
    if (n >= limit) throw Bad{"T4", fmt::format("{} is {}, and has to be below {}", what, n, limit)};
    return n;
}

unsigned RecordReader::bits(std::string_view what) {
    std::uint64_t const n = below(65, what);
    if (n == 0) throw Bad{"T4", fmt::format("{} is 0", what)};
    return static_cast<unsigned>(n);
}

void RecordReader::read(Record& r) {
    r.place = 0;
    switch (r.kind) {
    case matchpoint_thread:
        for (auto& n : r.numbers) n = u();
        r.place = u();
        return;
    case matchpoint_module:
    case matchpoint_place:
    case matchpoint_global:
    case matchpoint_end:
    case matchpoint_failed:
    case matchpoint_gap: return run(r);
    case matchpoint_operation: return operation(r);
    case matchpoint_concrete:
        r.place = u();
        r.node = node();
        r.value = s();
        r.numbers[0] = u();
        return;
    case matchpoint_branch:
        r.place = u();
        r.node = node();
        r.numbers[0] = below(2, "the direction of a branch");
        r.numbers[1] = below(3, "what a branch asserts");
        return;
    case matchpoint_switch: {
        r.place = u();
        r.node = node();
        r.value = s();
        std::uint64_t const n = u();
        r.cases.clear();
        for (std::uint64_t i = 0; i < n; ++i) r.cases.push_back(s());
        return;
    }
    case matchpoint_load:
    case matchpoint_store:
    case matchpoint_update_record:
    case matchpoint_exchange: return access(r);
    case matchpoint_alloc:
    case matchpoint_free:
        r.order = u();
        r.place = u();
        r.address = u();
        if (r.kind == matchpoint_alloc) r.numbers[0] = u();
        return;
    case matchpoint_outside: return outside(r);
    case matchpoint_create:
    case matchpoint_join:
    case matchpoint_exit:
    case matchpoint_lock:
    case matchpoint_lock_fails:
    case matchpoint_lock_error:
    case matchpoint_unlock:
    case matchpoint_unlock_error:
    case matchpoint_read_lock:
    case matchpoint_read_fails:
    case matchpoint_write_lock:
    case matchpoint_write_fails:
    case matchpoint_rw_unlock:
    case matchpoint_wait_begins:
    case matchpoint_wait_ends:
    case matchpoint_signal:
    case matchpoint_broadcast:
    case matchpoint_sem_init:
    case matchpoint_sem_wait:
    case matchpoint_sem_fails:
    case matchpoint_sem_post:
    case matchpoint_barrier_init:
    case matchpoint_barrier_arrives:
    case matchpoint_barrier_leaves:
    case matchpoint_once_begins:
    case matchpoint_once_ends:
    case matchpoint_once_passes:
    case matchpoint_destroy:
    case matchpoint_awaits: return synchronisation(r);
    }
}

void RecordReader::run(Record& r) {
    if (r.kind == matchpoint_module) {
        r.text = text();
        for (std::size_t i = 0; i < 3; ++i) r.numbers[i] = u();
    } else if (r.kind == matchpoint_place) {
        r.numbers[0] = u();
        if (r.numbers[0] == 0) throw Bad{"T4", "a place has the number 0"};
        r.text = text();
        r.numbers[1] = u();
        r.numbers[2] = u();
        r.other_text = text();
    } else if (r.kind == matchpoint_global) {
        r.numbers[0] = u();
        r.numbers[1] = u();
        r.text = text();
        r.other_text = text();
    } else if (r.kind == matchpoint_end) {
        r.numbers[0] = u();
    } else if (r.kind == matchpoint_failed) {
        r.place = u();
        r.numbers[0] = u();
        r.text = text();
    } else {
        r.place = u();
        r.text = text();
        r.other_text = text();
    }
}

void RecordReader::operation(Record& r) {
    std::uint64_t const op = below(matchpoint_select + 1, "an operator");
    if (op == 0) throw Bad{"T4", "an operator is 0"};
    r.op = static_cast<matchpoint_operator>(op);
    r.overflow = u();
    r.width = bits("a width");
    r.to = is_cast(r.op) ? bits("a width") : r.width;
    if ((r.op == matchpoint_trunc && r.to > r.width) || (is_cast(r.op) && r.op != matchpoint_trunc && r.to < r.width))
        throw Bad{"T4", fmt::format("a cast of {} bits to {}", r.width, r.to)};
    for (unsigned i = 0; i < operands_of(r.op); ++i) r.operands[i] = operand();
}

void RecordReader::access(Record& r) {
    r.place = u();
    r.flags = u();
    std::uint64_t const size = u();
    if (size != 1 && size != 2 && size != 4 && size != 8)
        throw Bad{"T4", fmt::format("an access has {} bytes, and has to have 1, 2, 4 or 8", size)};
    r.size = static_cast<unsigned>(size);
    r.address = u();
    if (r.address > UINT64_MAX - 16) throw Bad{"T4", "an address is too large"};
    r.address_node = r.has(matchpoint_has_address) ? node() : 0;
    r.turn = r.has(matchpoint_new_turn) ? u() : 0;
    r.second_turn = r.has(matchpoint_new_second_turn) ? u() : 0;
    if ((r.has(matchpoint_new_turn) && r.turn == 0) || (r.has(matchpoint_new_second_turn) && r.second_turn == 0))
        throw Bad{"T4", "a turn has the number 0"};
    bool const is_split = r.address / 8 != (r.address + size - 1) / 8;
    if (r.has(matchpoint_new_second_turn) && !is_split) throw Bad{"T4", "an access of one cell has a second turn"};
    if (r.has(matchpoint_has_old)) r.old = s();
    if (r.kind == matchpoint_load) {
        r.value = s();
    } else if (r.kind == matchpoint_store) {
        r.node = node();
        r.value = s();
    } else if (r.kind == matchpoint_update_record) {
        std::uint64_t const update = below(matchpoint_unsigned_min + 1, "an update");
        if (update == 0) throw Bad{"T4", "an update is 0"};
        r.update = static_cast<matchpoint_update>(update);
        r.operand = {node(), 0};
        r.operand.value = s();
        r.value = s();
    } else {
        r.expected = {node(), 0};
        r.expected.value = s();
        r.operand = {node(), 0};
        r.operand.value = s();
        r.value = s();
        r.success = below(3, "the success of an exchange");
    }
}

void RecordReader::outside(Record& r) {
    r.place = u();
    r.address = u();
    std::uint64_t const size = u();
    if (size > bytes_.size() - at_) throw Ended{};
    if (r.address > UINT64_MAX - size - 16) throw Bad{"T4", "an address is too large"};
    r.bytes = bytes_.substr(at_, size);
    at_ += size;
    std::uint64_t const n = u();
    r.runs.clear();
    std::uint64_t const cells = size == 0 ? 0 : (r.address + size - 1) / 8 - r.address / 8 + 1;
    std::uint64_t all = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        std::uint64_t const count = u();
        std::uint64_t const turn = u();
        if (count > cells - all) throw Bad{"T4", fmt::format("turns of more than the {} cells of a block", cells)};
        all += count;
        r.runs.emplace_back(count, turn);
    }
}

void RecordReader::synchronisation(Record& r) {
    r.place = u();
    r.object = u();
    r.order = u();
    for (unsigned i = 0; i < numbers_of(r.kind); ++i) r.numbers[i] = u();
    bool const names_kind = r.kind == matchpoint_destroy || r.kind == matchpoint_awaits;
    if (names_kind && (!is_known(static_cast<unsigned>(std::min<std::uint64_t>(r.numbers[0], 256))) ||
                       r.numbers[0] < matchpoint_create || r.numbers[0] >= matchpoint_awaits))
        throw Bad{"T4", fmt::format("{} is the kind of no record about an object", r.numbers[0])};
}

} // namespace matchpoint::record::threads
