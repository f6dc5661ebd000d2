// Accesses of memory: RunReader's second half.
#include <algorithm>

#include <fmt/format.h>

#include "record/threads/run_reader.hpp"

namespace matchpoint::record::threads {

std::string RunReader::name_of(std::uint64_t address) {
    return names_.name(address, allocations_.block_of(address, thread_), allocations_);
}

std::string RunReader::name_of_part() const {
    auto const shared = std::find_if(parts_.begin(), parts_.end(), [](Part const& p) { return p.atom != none; });
    std::uint32_t const atom = shared == parts_.end() ? parts_[0].atom : shared->atom;
    return atom == none ? "v" : const_cast<RunReader*>(this)->builder_[atoms_[atom].variable].name;
}

// ---- parts ---------------------------------------------------------------------------------------------------------

void RunReader::find_parts(std::uint64_t address, unsigned size) {
    parts_.clear();
    bool const is_local = is_access(order_.record().kind) && order_.record().has(matchpoint_is_local);
    for (std::uint64_t at = address; at < address + size;) {
        std::uint64_t const end = std::min(address + size, (at / 8 + 1) * 8);
        auto const from = static_cast<unsigned>(at % 8);
        auto const length = static_cast<unsigned>(end - at);
        auto const offset = static_cast<unsigned>(at - address);
        std::uint64_t const cell = allocations_.cell_of(at, thread_);
        if (is_local || sharing_.find(cell) == nullptr)
            parts_.push_back({cell, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(length),
                              static_cast<std::uint8_t>(offset), none});
        else
            add_parts(cell, from, length, offset);
        at = end;
    }
}

void RunReader::add_parts(std::uint64_t key, unsigned from, unsigned size, unsigned offset) {
    SharedCell const& cell = *sharing_.find(key);
    unsigned const end = from + size;
    auto const add = [&](unsigned begin, unsigned stop, std::uint32_t atom) {
        if (begin < stop)
            parts_.push_back({key, static_cast<std::uint8_t>(begin), static_cast<std::uint8_t>(stop - begin),
                              static_cast<std::uint8_t>(offset + begin - from), atom});
    };
    unsigned at = from;
    for (std::uint32_t a = cell.first; a < cell.first + cell.count; ++a) {
        Atom const& atom = sharing_.atoms()[a];
        if (atom.from >= end || atom.from + atom.size <= from) continue;
        add(at, atom.from, none);
        bool const is_shared = is_shared_now(a, offset + atom.from - from);
        add(atom.from, atom.from + atom.size, is_shared ? a : none);
        at = atom.from + atom.size;
    }
    add(at, end, none);
}

bool RunReader::is_shared_now(std::uint32_t index, unsigned offset) {
    Atom const& atom = sharing_.atoms()[index];
    AtomState& state = atoms_[index];
    if (state.phase == AtomState::Phase::before) {
        // Whatever the owner does now comes before all that others do.
        if (thread_ == atom.owner && forks_.epoch(thread_) <= atom.own_epoch) return false;
        publish(index, offset);
    }
    if (state.phase == AtomState::Phase::after) return false;
    bool const is_last = std::all_of(atom.last.begin(), atom.last.end(), [&](auto const& l) {
        return l.first == thread_ || forks_.comes_before(l.first, l.second, thread_);
    });
    if (is_last) {
        close(index);
        return false;
    }
    Record const& r = order_.record();
    if (is_access(r.kind) && !r.has(matchpoint_atomic) && !r.has(matchpoint_weak_order)) state.has_plain_access = true;
    return true;
}

std::uint64_t RunReader::bytes_of(std::int64_t value, Part const& p) {
    return as_unsigned(static_cast<std::int64_t>(static_cast<std::uint64_t>(value) >> (8U * p.offset)), 8U * p.size);
}

/// The atom becomes a shared variable, with what it holds now.
void RunReader::publish(std::uint32_t index, unsigned offset) {
    Atom const& atom = sharing_.atoms()[index];
    AtomState& state = atoms_[index];
    state.phase = AtomState::Phase::shared;
    unsigned const bits = 8U * atom.size;
    std::uint64_t const address = allocations_.address_of(atom.cell) + atom.from;
    Record const& r = order_.record();
    Part const part{atom.cell, atom.from, atom.size, static_cast<std::uint8_t>(offset), index};
    auto known = memory_.bytes(atom.cell, atom.from, atom.size);
    if (!known && is_access(r.kind)) {
        if (r.kind != matchpoint_store)
            known = bytes_of(r.value, part);
        else if (r.has(matchpoint_has_old))
            known = bytes_of(r.old, part);
    }
    std::string const name = names_.name(address, allocations_.block_of_cell(atom.cell), allocations_);
    state.variable = builder_.shared(name, as_signed(known.value_or(0), bits), signed_range(bits));
    builder_[state.variable].is_location = true;
    memory_.find(atom.cell, atom.from, atom.size, stored_);
    if (!stored_.empty() && known) {
        // A term of its owner: the owner stores it.
        std::uint64_t at = 0;
        for (StoredValue const& v : stored_) at = std::max(at, v.at);
        RunCommand c = command(false);
        c.at = at;
        c.thread = stored_[0].thread;
        c.mark = 0;
        c.event = 0;
        c.is_plain = true;
        std::uint32_t const reader = std::exchange(thread_, c.thread);
        Known const value = local_part(part, *known);
        thread_ = reader;
        c.assigned = {{VariableId{state.variable, true}, operations_.term_of(value)}};
        builder_.add(std::move(c));
    }
    memory_.put(atom.cell, atom.from, atom.size,
                {as_signed(known.value_or(0), bits), 0, static_cast<std::uint8_t>(bits)}, thread_, at_);
}

/// All other threads are done with the atom: this one reads it once, and then has it for itself.
void RunReader::close(std::uint32_t index) {
    Atom const& atom = sharing_.atoms()[index];
    atoms_[index].phase = AtomState::Phase::after;
    Record const& r = order_.record();
    if (r.kind == matchpoint_store || r.kind == matchpoint_outside) return;
    unsigned const bits = 8U * atom.size;
    std::int64_t const value = as_signed(memory_.bytes(atom.cell, atom.from, atom.size).value_or(0), bits);
    std::vector<std::pair<VariableId, TermId>> assigned;
    TermId const term = read_into_local(builder_.value_of(atoms_[index].variable),
                                        builder_[atoms_[index].variable].name, value, bits, assigned);
    emit(std::move(assigned));
    memory_.put(atom.cell, atom.from, atom.size, {value, term, static_cast<std::uint8_t>(bits)}, thread_, at_);
}

TermId RunReader::read_into_local(TermId from, std::string_view name, std::int64_t value, unsigned bits,
                                  std::vector<std::pair<VariableId, TermId>>& assigned) {
    std::uint32_t const local = builder_.local(thread_, name);
    assigned.emplace_back(VariableId{local, false}, from);
    return terms_.local(thread_, local, from, value, signed_range(bits));
}

// ---- values in memory ----------------------------------------------------------------------------------------------

Known RunReader::joined(std::vector<std::pair<Known, unsigned>> const& parts, unsigned size) {
    if (parts.size() == 1) return parts[0].first;
    std::uint64_t bits = 0;
    TermId sum = terms_.constant(0);
    bool has_term = false;
    for (auto const& [k, offset] : parts) {
        // The sign is that of the last part.
        bool const is_last = 8 * offset + k.bits == 8 * size;
        bits |= as_unsigned(k.value, k.bits) << (8 * offset);
        has_term = has_term || k.term != 0;
        TermId const part = is_last ? operations_.term_of(k) : terms_.view(operations_.term_of(k), k.bits);
        sum = terms_.add(sum, terms_.mul(part, terms_.constant(power_of_two(8 * offset))));
    }
    std::int64_t const value = as_signed(bits, 8 * size);
    return {value, has_term ? sum : 0, static_cast<std::uint8_t>(8 * size)};
}

TermId RunReader::handed_over(StoredValue const& v) {
    auto const taken = taken_.find({v.term, thread_});
    if (taken != taken_.end()) return taken->second;
    Range const range = terms_[v.term].range;
    auto const [variable, is_new] = handed_.try_emplace(v.term, 0);
    if (is_new) {
        variable->second = builder_.shared(fmt::format("handed{}", handed_.size()), terms_[v.term].value, range);
        RunCommand c = command(false);
        c.at = v.at;
        c.thread = v.thread;
        c.mark = 0;
        c.event = 0;
        c.is_plain = true;
        c.assigned = {{VariableId{variable->second, true}, v.term}};
        builder_.add(std::move(c));
    }
    TermId const shared = builder_.value_of(variable->second);
    std::uint32_t const local = builder_.local(thread_, builder_[variable->second].name);
    RunCommand c = command(false);
    c.is_plain = true;
    c.assigned = {{VariableId{local, false}, shared}};
    builder_.add(std::move(c));
    TermId const term = terms_.local(thread_, local, shared, terms_[v.term].value, range);
    taken_.emplace(std::pair{v.term, thread_}, term);
    return term;
}

Known RunReader::local_part(Part const& p, std::uint64_t bytes) {
    unsigned const bits = 8U * p.size;
    Known whole{as_signed(bytes, bits), 0, static_cast<std::uint8_t>(bits)};
    if (!memory_.sees(p.cell, p.from, p.size, bytes)) {
        ++to_.outside_values;
        return whole;
    }
    memory_.find(p.cell, p.from, p.size, stored_);
    if (stored_.empty()) return whole;
    std::vector<std::pair<Known, unsigned>> parts;
    auto const bytes_at = [&](unsigned from, unsigned size) {
        return as_signed(bytes >> (8 * (from - p.from)), 8 * size);
    };
    unsigned at = p.from;
    auto const constant_to = [&](unsigned end) {
        if (at < end)
            parts.push_back({Known{bytes_at(at, end - at), 0, static_cast<std::uint8_t>(8 * (end - at))}, at - p.from});
        at = std::max(at, end);
    };
    for (StoredValue const& v : std::vector(stored_)) {
        unsigned const begin = std::max(v.from, p.from);
        unsigned const end = std::min<unsigned>(v.from + v.size, p.from + p.size);
        constant_to(begin);
        TermId const term = v.thread == thread_ || terms_[v.term].owner == UINT32_MAX ? v.term : handed_over(v);
        Known const stored{static_cast<std::int64_t>(terms_[term].value), term, static_cast<std::uint8_t>(8 * v.size)};
        parts.push_back({operations_.part(stored, 8 * (begin - v.from), 8 * (end - begin)), begin - p.from});
        at = end;
    }
    constant_to(p.from + p.size);
    return joined(parts, p.size);
}

Known RunReader::shared_part(Part const& p, std::uint64_t bytes) {
    unsigned const bits = 8U * p.size;
    std::uint32_t const variable = atoms_[p.atom].variable;
    if (!memory_.sees(p.cell, p.from, p.size, bytes)) {
        gap(fmt::format("something that is not recorded has written {}", builder_[variable].name));
        RunCommand c = command(false);
        c.is_plain = true;
        c.assigned = {{VariableId{variable, true}, terms_.constant(as_signed(bytes, bits))}};
        builder_.add(std::move(c));
    }
    return {as_signed(bytes, bits), builder_.value_of(variable), static_cast<std::uint8_t>(bits)};
}

Known RunReader::together(std::int64_t value, unsigned size, bool& is_shared) {
    std::vector<std::pair<Known, unsigned>> all;
    is_shared = false;
    for (Part const& p : std::vector(parts_)) {
        is_shared = is_shared || p.atom != none;
        all.push_back(
            {p.atom == none ? local_part(p, bytes_of(value, p)) : shared_part(p, bytes_of(value, p)), p.offset});
    }
    return joined(all, size);
}

void RunReader::put(Known const& value, std::vector<std::pair<VariableId, TermId>>& assigned, TermId later) {
    for (Part const& p : parts_) {
        Known whole = value;
        if (p.atom == none && later != 0) whole.term = later;
        Known const part = parts_.size() == 1 ? whole : operations_.part(whole, 8U * p.offset, 8U * p.size);
        if (p.atom == none) {
            memory_.put(p.cell, p.from, p.size, part, thread_, at_);
            continue;
        }
        assigned.emplace_back(VariableId{atoms_[p.atom].variable, true}, operations_.term_of(part));
        memory_.put(p.cell, p.from, p.size, {part.value, 0, part.bits}, thread_, at_);
    }
}

// ---- records -------------------------------------------------------------------------------------------------------

void RunReader::follow_bytes() {
    Record& r = order_.record();
    if (r.has(matchpoint_is_local)) return;
    unsigned const bits = 8 * r.size;
    if (!r.has_value) {
        auto const bytes = last_bytes_.at(r.address, r.size);
        if (!bytes) throw Damage{"T7", "a short load of bytes that were not accessed before"};
        r.value = as_signed(*bytes, bits);
        return;
    }
    std::int64_t now = r.value;
    if (r.kind == matchpoint_update_record)
        now = evaluate(r.update, bits, as_signed(static_cast<std::uint64_t>(r.value), bits), r.operand.value);
    else if (r.kind == matchpoint_exchange && r.success == 1)
        now = r.operand.value;
    last_bytes_.put(r.address, r.size, static_cast<std::uint64_t>(now));
}

void RunReader::access() {
    follow_bytes();
    Record const& r = order_.record();
    if (r.has(matchpoint_weak_order)) to_.has_weak_orders = true;
    if (r.address_node != 0) {
        Known const k = operand({r.address_node, 0}, 64);
        check(k, static_cast<std::int64_t>(r.address), "an address");
        mark(PathMark::Kind::value, static_cast<std::int64_t>(r.address));
        note_constant(k);
        fix(k, Concretised::addresses);
        mark_ = 0;
    }
    find_parts(r.address, r.size);
    if (r.kind == matchpoint_load) return load();
    if (r.kind == matchpoint_store) return store();
    if (r.kind == matchpoint_update_record) return update();
    exchange();
}

void RunReader::load() {
    Record const& r = order_.record();
    bool is_shared = false;
    std::int64_t const value = as_signed(static_cast<std::uint64_t>(r.value), 8 * r.size);
    Known k = together(value, r.size, is_shared);
    if (is_shared) {
        std::vector<std::pair<VariableId, TermId>> assigned;
        k.term = read_into_local(k.term, name_of_part(), value, 8 * r.size, assigned);
        emit(std::move(assigned));
    }
    push(k);
}

void RunReader::store() {
    Record const& r = order_.record();
    unsigned const bits = 8 * r.size;
    Known k{as_signed(static_cast<std::uint64_t>(r.value), bits), 0, static_cast<std::uint8_t>(bits)};
    if (r.node != 0) {
        Known const stored = constant_if_fixed(nodes_[thread_][r.node - 1]);
        if (stored.bits != bits)
            throw Damage{"T5",
                         fmt::format("node {} has {} bits, and is stored as one of {}", r.node, stored.bits, bits)};
        check(stored, r.value, "a value that is stored");
        k = stored;
    }
    std::vector<std::pair<VariableId, TermId>> assigned;
    put(k, assigned);
    emit(std::move(assigned));
}

void RunReader::update() {
    Record const& r = order_.record();
    unsigned const bits = 8 * r.size;
    std::int64_t const value = as_signed(static_cast<std::uint64_t>(r.value), bits);
    Known by = operand({r.operand.node, r.operand.value}, bits);
    if (r.operand.node != 0) check(by, r.operand.value, "the operand of an update");
    std::int64_t const stored = evaluate(r.update, bits, value, by.value);
    bool is_shared = false;
    Known old = together(value, r.size, is_shared);
    reason_ = Concretised::operations;
    TermId result = operations_.updated(r.update, operations_.term_of(old), by, bits);
    if (!is_shared) {
        if (result == 0) {
            fix(old, Concretised::operations);
            result = terms_.constant(stored);
        }
        std::vector<std::pair<VariableId, TermId>> assigned;
        put(operations_.known(result, bits, stored), assigned);
        return push(old);
    }
    std::vector<std::pair<VariableId, TermId>> assigned;
    TermId guard = terms_.truth(true);
    if (result == 0) {
        ++to_.concretised[static_cast<std::size_t>(Concretised::operations)];
        mark(PathMark::Kind::value, value);
        guard = terms_.equal(old.term, terms_.constant(value));
        result = terms_.constant(stored);
    }
    old.term = read_into_local(old.term, name_of_part(), value, bits, assigned);
    TermId const later = terms_.is_constant(result) ? 0 : operations_.updated(r.update, old.term, by, bits);
    put({stored, terms_.is_constant(result) ? 0 : result, static_cast<std::uint8_t>(bits)}, assigned, later);
    emit(std::move(assigned), guard);
    push(old);
}

void RunReader::exchange() {
    Record const& r = order_.record();
    unsigned const bits = 8 * r.size;
    std::int64_t const value = as_signed(static_cast<std::uint64_t>(r.value), bits);
    Known const expected = operand({r.expected.node, r.expected.value}, bits);
    Known const wanted = operand({r.operand.node, r.operand.value}, bits);
    if (r.expected.node != 0) check(expected, r.expected.value, "what an exchange expects");
    if (r.operand.node != 0) check(wanted, r.operand.value, "what an exchange stores");
    if (r.success != 2 && (r.success == 1) != (value == expected.value))
        throw Damage{"T7", "an exchange succeeded, or failed, against what it read and expected"};
    mark(PathMark::Kind::exchange, r.success == 1 ? 1 : 0);
    std::uint32_t const own = std::exchange(mark_, 0); // commands that come first are not about it
    bool is_shared = false;
    Known old = together(value, r.size, is_shared);
    mark_ = own;
    TermId const same = terms_.equal(operations_.term_of(old), operations_.term_of(expected));
    TermId const guard = r.success == 2 ? terms_.truth(true) : r.success == 1 ? same : terms_.not_(same);
    std::vector<std::pair<VariableId, TermId>> assigned;
    if (is_shared && r.success != 1)
        old.term = read_into_local(old.term, name_of_part(), value, bits, assigned);
    else if (r.success == 1)
        old = expected;
    if (r.success == 1) put(wanted, assigned);
    if (is_shared || !terms_.is_constant(guard)) emit(std::move(assigned), guard);
    push(old);
}

void RunReader::outside() {
    Record const& r = order_.record();
    std::vector<std::pair<VariableId, TermId>> assigned;
    for (std::size_t from = 0; from < r.bytes.size(); from += 8) {
        auto const size = static_cast<unsigned>(std::min<std::size_t>(8, r.bytes.size() - from));
        std::uint64_t bytes = 0;
        for (unsigned b = 0; b < size; ++b)
            bytes |= std::uint64_t{static_cast<unsigned char>(r.bytes[from + b])} << (8 * b);
        last_bytes_.put(r.address + from, size, bytes);
        find_parts(r.address + from, size);
        put({as_signed(bytes, 8 * size), 0, static_cast<std::uint8_t>(8 * size)}, assigned);
    }
    TermId const guard = assigned.size() > 1 ? terms_.truth(true) : 0;
    emit(std::move(assigned), guard);
}

} // namespace matchpoint::record::threads
