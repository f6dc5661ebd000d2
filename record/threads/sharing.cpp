#include "record/threads/sharing.hpp"

#include <algorithm>

namespace matchpoint::record::threads {

Forks::Forks(std::size_t threads) : of_thread_(threads, UINT32_MAX) {
    for (std::size_t t = 0; t < threads; ++t) {
        clocks_.emplace_back(threads, 0);
        clocks_[t][t] = 1;
    }
}

void Forks::created(std::uint32_t by, std::uint32_t thread) {
    for (std::size_t t = 0; t < clocks_.size(); ++t) clocks_[thread][t] = std::max(clocks_[thread][t], clocks_[by][t]);
    ++clocks_[by][by];
    of_thread_[by] = of_thread_[thread] = UINT32_MAX;
}

void Forks::joined(std::uint32_t by, std::uint32_t thread) {
    for (std::size_t t = 0; t < clocks_.size(); ++t) clocks_[by][t] = std::max(clocks_[by][t], clocks_[thread][t]);
    of_thread_[by] = UINT32_MAX;
}

std::uint32_t Forks::snapshot(std::uint32_t thread) {
    if (of_thread_[thread] == UINT32_MAX) {
        of_thread_[thread] = static_cast<std::uint32_t>(snapshots_.size());
        snapshots_.push_back(clocks_[thread]);
    }
    return of_thread_[thread];
}

void Sharing::record(std::uint32_t thread, Record const& r) {
    if (is_access(r.kind)) {
        if (r.has(matchpoint_is_local)) return;
        // An exchange that fails writes nothing.
        bool const writes = r.kind == matchpoint_store || r.kind == matchpoint_update_record ||
                            (r.kind == matchpoint_exchange && r.success == 1);
        return access(thread, r.address, r.size, r.kind != matchpoint_store, writes);
    }
    if (r.kind == matchpoint_outside)
        access(thread, r.address, r.bytes.size(), false, true);
    else if (r.kind == matchpoint_thread) // the stack of a thread that has ended may be there
        allocations_.allocated({r.numbers[2], r.numbers[3], thread, r.place, true});
    else if (r.kind == matchpoint_alloc)
        allocations_.allocated({r.address, r.numbers[0], thread, r.place});
    else if (r.kind == matchpoint_free)
        allocations_.freed(r.address);
    else if (r.kind == matchpoint_create && r.numbers[0] < forks_.clock(0).size())
        forks_.created(thread, static_cast<std::uint32_t>(r.numbers[0]));
    else if (r.kind == matchpoint_join && r.numbers[0] < forks_.clock(0).size())
        forks_.joined(thread, static_cast<std::uint32_t>(r.numbers[0]));
}

void Sharing::access(std::uint32_t thread, std::uint64_t address, std::uint64_t size, bool reads, bool writes) {
    for (std::uint64_t at = address; at < address + size;) {
        std::uint64_t const end = std::min(address + size, (at / 8 + 1) * 8);
        access_cell(thread, allocations_.cell_of(at, thread), static_cast<unsigned>(at % 8),
                    static_cast<unsigned>(end - at), reads, writes);
        at = end;
    }
}

void Sharing::access_cell(std::uint32_t thread, std::uint64_t key, unsigned from, unsigned size, bool reads,
                          bool writes) {
    Cell& cell = cells_.at(key);
    Access* own = nullptr;
    for (std::uint32_t i = cell.first; i != UINT32_MAX; i = accesses_[i].next) {
        Access& a = accesses_[i];
        if (a.thread == thread) {
            if (a.from == from && a.size == size) own = &a;
            continue;
        }
        unsigned const begin = std::max<unsigned>(a.from, from);
        unsigned const end = std::min<unsigned>(a.from + a.size, from + size);
        if (begin >= end) continue;
        bool const conflicts = (a.writes != 0 && !forks_.comes_before(a.thread, a.writes, thread)) ||
                               (writes && a.reads != 0 && !forks_.comes_before(a.thread, a.reads, thread));
        if (conflicts)
            for (unsigned b = begin; b < end; ++b) cell.shared |= static_cast<std::uint8_t>(1U << b);
    }
    if (own == nullptr) {
        auto const index = static_cast<std::uint32_t>(accesses_.size());
        (cell.last == UINT32_MAX ? cell.first : accesses_[cell.last].next) = index;
        cell.last = index;
        accesses_.push_back({thread, 0, 0, forks_.snapshot(thread), UINT32_MAX, static_cast<std::uint8_t>(from),
                             static_cast<std::uint8_t>(size)});
        own = &accesses_.back();
    }
    if (reads) own->reads = forks_.epoch(thread);
    if (writes) own->writes = forks_.epoch(thread);
}

void Sharing::finish() {
    for (Cell const& cell : cells_.entries())
        if (cell.shared != 0) find_atoms(cell);
    accesses_ = {};
    cells_ = {};
    std::sort(atoms_.begin(), atoms_.end(),
              [](Atom const& a, Atom const& b) { return a.cell != b.cell ? a.cell < b.cell : a.from < b.from; });
    for (std::uint32_t i = 0; i < atoms_.size(); ++i) {
        SharedCell& cell = shared_.at(atoms_[i].cell);
        if (cell.count++ == 0) cell.first = i;
    }
}

void Sharing::find_atoms(Cell const& cell) {
    auto const for_each = [&](auto f) {
        for (std::uint32_t i = cell.first; i != UINT32_MAX; i = accesses_[i].next) f(accesses_[i]);
    };
    // No access has only a part of an atom: it begins and ends where accesses, and shared bytes, do.
    bool cut[9] = {};
    for_each([&](Access const& a) { cut[a.from] = cut[a.from + a.size] = true; });
    auto const is_shared = [&](unsigned b) { return b < 8 && ((cell.shared >> b) & 1U) != 0; };
    for (unsigned from = 0; from < 8;) {
        if (!is_shared(from)) {
            ++from;
            continue;
        }
        unsigned end = from + 1;
        while (is_shared(end) && !cut[end]) ++end;
        Atom atom{cell.key, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(end - from), 0, UINT32_MAX, {}};
        bool is_first = true;
        for_each([&](Access const& a) {
            if (a.from >= end || a.from + a.size <= from) return;
            if (is_first) atom.owner = a.thread;
            is_first = false;
            if (a.thread != atom.owner)
                atom.own_epoch = std::min(atom.own_epoch, forks_.snapshot_of(a.first)[atom.owner]);
            std::uint32_t const last = std::max(a.reads, a.writes);
            auto const of =
                std::find_if(atom.last.begin(), atom.last.end(), [&](auto const& l) { return l.first == a.thread; });
            if (of == atom.last.end())
                atom.last.emplace_back(a.thread, last);
            else
                of->second = std::max(of->second, last);
        });
        atoms_.push_back(std::move(atom));
        from = end;
    }
}

} // namespace matchpoint::record::threads
