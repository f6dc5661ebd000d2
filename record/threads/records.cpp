#include "record/threads/records.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::record::threads {

namespace {

constexpr std::string_view magic = matchpoint_threads_magic;
constexpr std::uint64_t most_forms = 1U << 24U;

bool is_known(unsigned kind) {
    return (kind >= matchpoint_thread && kind <= matchpoint_again) ||
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

/// What is left of a short record that is several. False if nothing is.
bool RecordReader::rest_of_record(Record& r) {
    if (operation_ < operations_)
        next_of_form(r);
    else if (taken_)
        branch_of_form(r);
    else if (concrete_ != nullptr)
        concrete_of_form(r);
    else
        return false;
    ++count_;
    if (makes_node(r.kind)) ++nodes_;
    if (is_event(r.kind)) ++events_;
    return true;
}

/// A record, of which the bytes begin where it is read.
void RecordReader::read_record(Record& r) {
    unsigned const kind = static_cast<unsigned char>(bytes_[at_++]);
    bool const is_short = kind / 64 == matchpoint_short / 64;
    if (!is_short && !is_known(kind)) throw Bad{"T2", fmt::format("no record is of kind {}", kind)};
    if (!is_short && again_ > 0) throw Bad{"T2", "a record that is read again is not short"};
    if ((count_ == 0) != (kind == matchpoint_thread))
        throw Bad{"T3", "the first record, and no other one, says which thread it is"};
    r.kind = is_short ? matchpoint_form : static_cast<matchpoint_record>(kind);
    if (is_short)
        read_short(r, kind % 64);
    else
        read(r);
}

bool RecordReader::next(Record& r) {
    if (rest_of_record(r)) return true;
    if (again_ == 0 && after_again_ > 0) at_ = std::exchange(after_again_, 0);
    if (again_ > 0 && at_ >= again_end_) at_ = again_begin_;
    if (fault_ || at_ >= bytes_.size() || bytes_[at_] == '\0') return false;
    r.offset = at_;
    try {
        bool const is_again = again_ > 0;
        read_record(r);
        if (is_again) --again_;
        if (is_again && at_ > again_end_)
            throw Bad{"T4", "the records that are read again do not end where they have to"};
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
        r.has_value = true;
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
    case matchpoint_form: return form();
    case matchpoint_again: return again(r);
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

void RecordReader::operator_and_widths(Record& r) {
    std::uint64_t const op = below(matchpoint_select + 1, "an operator");
    if (op == 0) throw Bad{"T4", "an operator is 0"};
    r.op = static_cast<matchpoint_operator>(op);
    r.overflow = u();
    r.width = bits("a width");
    r.to = is_cast(r.op) ? bits("a width") : r.width;
    if ((r.op == matchpoint_trunc && r.to > r.width) || (is_cast(r.op) && r.op != matchpoint_trunc && r.to < r.width))
        throw Bad{"T4", fmt::format("a cast of {} bits to {}", r.width, r.to)};
}

void RecordReader::operation(Record& r) {
    operator_and_widths(r);
    for (unsigned i = 0; i < operands_of(r.op); ++i) r.operands[i] = operand();
}

// ---- short records -------------------------------------------------------------------------------------------------

FormOperation RecordReader::form_operation(std::size_t before) {
    FormOperation o;
    Record r;
    operator_and_widths(r);
    o.op = r.op;
    o.overflow = r.overflow;
    o.width = r.width;
    o.to = r.to;
    for (unsigned i = 0; i < operands_of(o.op); ++i) {
        using What = FormOperation::Part::What;
        std::uint64_t const what = below(before + 2, "an operand of a form");
        o.parts[i].what = what == 0 ? What::open : what == 1 ? What::constant : What::earlier;
        o.parts[i].value = what == 1 ? s() : static_cast<std::int64_t>(what) - 2;
    }
    return o;
}

void RecordReader::form_operations(Form& f) {
    std::uint64_t const n = below(most_operations_of_form + 1, "the number of operations of a form");
    while (f.operations.size() < n) f.operations.push_back(form_operation(f.operations.size()));
}

void RecordReader::form() {
    std::uint64_t const number = below(most_forms, "the number of a form");
    if (number == 0) throw Bad{"T4", "a form has the number 0"};
    Form f;
    f.kind = static_cast<matchpoint_record>(below(matchpoint_alloc, "the kind of a form"));
    if (f.kind == matchpoint_operation) {
        form_operations(f);
        if (f.operations.empty()) throw Bad{"T4", "a form has no operations"};
    } else if (f.kind == matchpoint_branch) {
        f.place = u();
        f.flags = below(3, "what a branch asserts");
        form_operations(f);
    } else if (f.kind == matchpoint_concrete) {
        f.place = u();
        f.flags = u();
    } else if (f.kind == matchpoint_load || f.kind == matchpoint_store) {
        f.place = u();
        f.flags = u();
        std::uint64_t const of_load = f.kind == matchpoint_load ? unsigned{matchpoint_is_concrete} : 0U;
        if ((f.flags & ~(of_load | matchpoint_atomic | matchpoint_weak_order | matchpoint_is_local)) != 0)
            throw Bad{"T4", "a form of accesses has flags of one access"};
        f.size = size_of_access();
        if ((f.flags & matchpoint_is_concrete) != 0) f.reason = u();
    } else {
        throw Bad{"T4", fmt::format("no form is of kind {}", static_cast<unsigned>(f.kind))};
    }
    forms_.insert_or_assign(number, std::move(f));
    addresses_[number % addresses_.size()] = 0;
}

std::uint64_t RecordReader::four_bytes() {
    std::uint64_t n = 0;
    if (bytes_.size() - at_ < 4) throw Ended{};
    for (unsigned i = 0; i < 4; ++i) n |= std::uint64_t{static_cast<unsigned char>(bytes_[at_++])} << 8 * i;
    return n;
}

void RecordReader::again(Record const& r) {
    std::uint64_t const size = four_bytes();
    std::uint64_t const n = four_bytes();
    if (size == 0 || size > r.offset - magic.size())
        throw Bad{"T4", fmt::format("{} bytes are read again, and {} are there", size, r.offset - magic.size())};
    again_begin_ = r.offset - size;
    again_end_ = r.offset;
    after_again_ = at_;
    again_ = n;
    if (n > 0) at_ = again_begin_;
}

std::uint64_t RecordReader::node_before(std::uint64_t next, std::uint64_t distance) const {
    if (distance >= next) throw Bad{"T5", fmt::format("there is no node {} before node {}", distance, next)};
    return distance == 0 ? 0 : next - distance;
}

/// What a record of these operations says. The first one is to be taken.
void RecordReader::begin_operations(Record const& r, Form const& f) {
    operands_.clear();
    for (FormOperation const& o : f.operations)
        for (unsigned i = 0; i < operands_of(o.op); ++i) {
            if (o.parts[i].what != FormOperation::Part::What::open) continue;
            Operand open{node_before(nodes_ + 1, u()), 0};
            if (open.node == 0) open.value = s();
            operands_.push_back(open);
        }
    form_ = &f;
    operation_ = open_ = 0;
    operations_ = f.operations.size();
    offset_ = r.offset;
    first_node_ = nodes_ + 1;
}

void RecordReader::read_short(Record& r, unsigned first) {
    std::uint64_t const number = below(most_forms / 64, "the number of a form") * 64 + first;
    auto const described = forms_.find(number);
    if (described == forms_.end()) throw Bad{"T4", fmt::format("form {} is not described", number)};
    Form const& f = described->second;
    r.kind = f.kind;
    r.place = f.place;
    if (f.kind == matchpoint_branch && f.operations.empty()) {
        std::uint64_t const n = u();
        r.node = node_before(nodes_ + 1, n / 2);
        r.numbers[0] = n % 2;
        r.numbers[1] = f.flags;
    } else if (f.kind == matchpoint_branch) {
        std::uint64_t const taken = below(2, "the direction of a branch");
        begin_operations(r, f);
        taken_ = taken;
        next_of_form(r);
    } else if (f.kind == matchpoint_concrete) {
        r.node = node_before(nodes_ + 1, u());
        r.has_value = false;
        r.numbers[0] = f.flags;
    } else if (f.kind == matchpoint_operation) {
        begin_operations(r, f);
        next_of_form(r);
    } else {
        r.flags = f.flags & ~std::uint64_t{matchpoint_is_concrete};
        r.size = f.size;
        if (f.flags != r.flags) concrete_ = &f;
        std::uint64_t& last = addresses_[number % addresses_.size()];
        r.address = last + static_cast<std::uint64_t>(s());
        if (r.address > UINT64_MAX - 16) throw Bad{"T4", "an address is too large"};
        last = r.address;
        r.address_node = r.turn = r.second_turn = 0;
        if (f.kind == matchpoint_store) r.node = node_before(nodes_ + 1, u());
        r.has_value = f.kind == matchpoint_store || r.has(matchpoint_is_local);
        if (r.has_value) r.value = s();
    }
}

void RecordReader::next_of_form(Record& r) {
    FormOperation const& o = form_->operations[operation_++];
    r.kind = matchpoint_operation;
    r.place = 0;
    r.offset = offset_;
    r.op = o.op;
    r.overflow = o.overflow;
    r.width = o.width;
    r.to = o.to;
    for (unsigned i = 0; i < operands_of(o.op); ++i) {
        FormOperation::Part const& p = o.parts[i];
        using What = FormOperation::Part::What;
        r.operands[i] = p.what == What::open       ? operands_[open_++]
                        : p.what == What::constant ? Operand{0, p.value}
                                                   : Operand{first_node_ + static_cast<std::uint64_t>(p.value), 0};
    }
}

/// The branch on the last of the operations.
void RecordReader::branch_of_form(Record& r) {
    r.kind = matchpoint_branch;
    r.place = form_->place;
    r.offset = offset_;
    r.node = nodes_;
    r.numbers[0] = *taken_;
    r.numbers[1] = form_->flags;
    taken_.reset();
}

/// The value of the load before.
void RecordReader::concrete_of_form(Record& r) {
    r.kind = matchpoint_concrete;
    r.place = concrete_->place;
    r.node = nodes_;
    r.has_value = false;
    r.numbers[0] = concrete_->reason;
    concrete_ = nullptr;
}

// ---- accesses ------------------------------------------------------------------------------------------------------

unsigned RecordReader::size_of_access() {
    std::uint64_t const size = u();
    if (size != 1 && size != 2 && size != 4 && size != 8)
        throw Bad{"T4", fmt::format("an access has {} bytes, and has to have 1, 2, 4 or 8", size)};
    return static_cast<unsigned>(size);
}

void RecordReader::access(Record& r) {
    r.has_value = true;
    r.place = u();
    r.flags = u();
    r.size = size_of_access();
    r.address = u();
    if (r.address > UINT64_MAX - 16) throw Bad{"T4", "an address is too large"};
    r.address_node = r.has(matchpoint_has_address) ? node() : 0;
    r.turn = r.has(matchpoint_new_turn) ? u() : 0;
    r.second_turn = r.has(matchpoint_new_second_turn) ? u() : 0;
    if ((r.has(matchpoint_new_turn) && r.turn == 0) || (r.has(matchpoint_new_second_turn) && r.second_turn == 0))
        throw Bad{"T4", "a turn has the number 0"};
    bool const is_split = r.address / 8 != (r.address + r.size - 1) / 8;
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
