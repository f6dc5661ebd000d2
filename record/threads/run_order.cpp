#include "record/threads/run_order.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "record/source_lines.hpp"
#include "record/threads/cell_table.hpp"

namespace matchpoint::record::threads {

namespace {

using Point = RunIndex::Point;

bool is_less(Point const& a, Point const& b) { return a.key != b.key ? a.key < b.key : a.number < b.number; }

Point point_of(std::uint64_t key, std::uint32_t number, std::uint32_t thread, std::uint64_t record, bool writes) {
    Point p = {};
    p.key = key;
    p.number = number;
    p.thread = thread;
    p.last = record & (UINT64_MAX >> 1U);
    p.writes = writes ? 1 : 0;
    return p;
}

/// The turn of a cell that a thread has.
struct OwnTurn {
    std::uint64_t key = 0;
    std::uint32_t point = UINT32_MAX; // in RunIndex::turns
};

std::uint32_t small_number(std::uint64_t n) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, UINT32_MAX));
}

/// Reads a file once.
class Indexing {
public:
    Indexing(RunIndex& to, SourceLines& lines, std::uint32_t thread, std::uint32_t threads)
        : to_(to), lines_(lines), thread_(thread), threads_(threads) {}

    void read(ThreadFile const& file) {
        RecordReader reader(file.bytes);
        Record r;
        while (!to_.fault && reader.next(r)) {
            last_ = r.kind;
            number_ = reader.count();
            if (r.kind == matchpoint_awaits)
                summary().awaits = static_cast<matchpoint_record>(r.numbers[0]);
            else
                summary().awaits.reset();
            record(r);
            if (to_.fault) to_.fault->offset = r.offset;
        }
        if (!to_.fault) to_.fault = reader.fault();
        if (to_.fault) to_.fault->file = file.name;
        summary().records = reader.count();
        summary().nodes = reader.nodes();
        summary().events = reader.events();
        summary().breaks_off = reader.breaks_off();
        summary().is_there = reader.count() > 0;
    }

private:
    ThreadSummary& summary() { return to_.threads[thread_]; }
    void complain(std::string_view rule, std::string message) { to_.fault = Fault{{}, 0, rule, std::move(message)}; }

    void record(Record const& r) {
        if (is_access(r.kind)) return access(r);
        if (is_of_object(r.kind)) {
            point_of_object(r.object, r.order);
            if (r.kind == matchpoint_wait_begins || r.kind == matchpoint_wait_ends)
                point_of_object(r.numbers[0], r.numbers[1]);
            return;
        }
        if (r.kind == matchpoint_alloc || r.kind == matchpoint_free) return point_of_object(order_of_blocks, r.order);
        if (r.kind == matchpoint_outside) return outside(r);
        description(r);
    }

    void description(Record const& r) {
        if (r.kind == matchpoint_thread) {
            if (r.numbers[0] != thread_)
                return complain(
                    "T3", fmt::format("the file of thread {} says that it is of thread {}", thread_, r.numbers[0]));
            summary().creator = small_number(r.numbers[1]);
            summary().stack = r.numbers[2];
            summary().stack_size = r.numbers[3];
            summary().created_at = r.place;
        } else if (r.kind == matchpoint_place) {
            to_.places[r.numbers[0]] = place_of(r);
        } else if (r.kind == matchpoint_module) {
            to_.modules.push_back({std::string(r.text), r.numbers[0], r.numbers[1], r.numbers[2] != 0});
        } else if (r.kind == matchpoint_global) {
            to_.globals.push_back({r.numbers[0], r.numbers[1], std::string(r.text), std::string(r.other_text)});
        } else if (r.kind == matchpoint_exit) {
            summary().has_exited = summary().has_ended = true;
        } else if (r.kind == matchpoint_end) {
            to_.ended = r.numbers[0];
            if (!summary().has_exited) to_.exits = thread_;
            summary().has_ended = true;
        } else if (r.kind == matchpoint_failed) {
            to_.failed = thread_;
            to_.failure = std::string(r.text);
            to_.failure_kind = static_cast<matchpoint_failure>(std::min<std::uint64_t>(r.numbers[0], 5));
        } else if (r.kind == matchpoint_create) {
            create(r);
        }
    }

    CodePlace place_of(Record const& r) {
        std::uint64_t offset = 0;
        std::string_view const function = r.other_text;
        constexpr std::string_view mark = "+0x";
        char const* const end = function.data() + function.size();
        bool const is_offset = r.numbers[1] == 0 && function.starts_with(mark) &&
                               std::from_chars(function.data() + mark.size(), end, offset, 16).ptr == end;
        if (!is_offset) return {std::string(r.text), small_number(r.numbers[1]), std::string(function)};
        SourceLine const line = lines_.line(std::string(r.text), offset);
        return {line.file, line.line, {}};
    }

    void create(Record const& r) {
        if (r.numbers[0] >= threads_) return; // it has no file: it was killed before it began
        auto& by = to_.threads[r.numbers[0]].created_by;
        if (by || r.numbers[0] == 0) return complain("T6", fmt::format("thread {} is created twice", r.numbers[0]));
        by = {thread_, number_};
    }

    void access(Record const& r) {
        if (r.has(matchpoint_is_local)) return;
        std::uint64_t const first = r.address / 8;
        std::uint64_t const last = (r.address + r.size - 1) / 8;
        turn(first, r.turn, r.kind != matchpoint_load);
        if (last != first) turn(last, r.second_turn, r.kind != matchpoint_load);
    }

    void outside(Record const& r) {
        std::uint64_t cell = r.address / 8;
        for (auto const& [count, number] : r.runs)
            for (std::uint64_t i = 0; i < count; ++i) turn(cell++, number, true);
    }

    /// An access of a cell: it begins a turn with this number, or, if that is 0, goes on with the one that the thread
    /// has.
    void turn(std::uint64_t cell, std::uint64_t number, bool writes) {
        OwnTurn& own = own_.at(cell);
        if (number == 0 && own.point == UINT32_MAX)
            return complain("T6", "an access of a cell of which the thread has no turn");
        if (number != 0 && (own.point == UINT32_MAX || to_.turns[own.point].number != number)) {
            if (own.point != UINT32_MAX && to_.turns[own.point].number > number)
                return complain("T6",
                                fmt::format("turn {} of a cell follows turn {}", number, to_.turns[own.point].number));
            own.point = static_cast<std::uint32_t>(to_.turns.size());
            to_.turns.push_back(point_of(cell, small_number(number), thread_, number_, false));
        }
        Point& point = to_.turns[own.point];
        point.last = number_ & (UINT64_MAX >> 1U);
        if (writes) point.writes = 1;
    }

    void point_of_object(std::uint64_t object, std::uint64_t number) {
        if (number == 0) return complain("T6", "the order of an object begins with 1, and not with 0");
        to_.records.push_back(point_of(object, small_number(number), thread_, number_, true));
    }

    RunIndex& to_;
    SourceLines& lines_;
    std::uint32_t thread_, threads_;
    std::uint64_t number_ = 0;
    matchpoint_record last_ = matchpoint_thread;
    CellTable<OwnTurn> own_;
};

/// Sorts the points, and finds two with the same number, of which one is not only loads.
void sort_points(std::vector<Point>& points, RunIndex& index, std::vector<ThreadFile> const& files) {
    std::sort(points.begin(), points.end(), is_less);
    for (std::size_t i = 0; i < points.size(); ++i) {
        bool const goes_on = i > 0 && points[i - 1].key == points[i].key;
        std::uint32_t const before = goes_on ? points[i - 1].number : 0;
        if (goes_on && before == points[i].number && (points[i - 1].writes != 0 || points[i].writes != 0)) {
            std::uint64_t const one = points[i].last;
            std::uint64_t const other = points[i - 1].last;
            index.fault = Fault{files[points[i].thread].name, 0, "T6",
                                fmt::format("record {} has the same place in an order, {}, as record {} of thread {}",
                                            one, before, other, points[i - 1].thread)};
            return;
        }
    }
}

} // namespace

RunIndex RunIndex::of(std::vector<ThreadFile> const& files) {
    RunIndex index;
    auto const count = static_cast<std::uint32_t>(files.size());
    index.threads.resize(count);
    SourceLines lines;
    for (std::uint32_t t = 0; t < count && !index.fault; ++t) Indexing(index, lines, t, count).read(files[t]);
    if (!index.fault) sort_points(index.turns, index, files);
    if (!index.fault) sort_points(index.records, index, files);
    return index;
}

RunOrder::RunOrder(RunIndex const& index, std::vector<ThreadFile> const& files) : index_(index), files_(files) {
    threads_.reserve(files.size());
    for (ThreadFile const& file : files) threads_.push_back({RecordReader(file.bytes), {}});
}

bool RunOrder::fill(std::uint32_t t) {
    Thread& thread = threads_[t];
    if (!thread.has_record) thread.has_record = thread.reader.next(thread.record);
    return thread.has_record;
}

std::optional<RunOrder::Wait> RunOrder::before(std::vector<Point> const& points, std::uint64_t key,
                                               std::uint64_t number) const {
    if (number <= 1) return std::nullopt;
    Point const wanted = point_of(key, small_number(number - 1), 0, 0, false);
    auto const is_wanted = [&](auto at) { return at != points.end() && at->key == key && at->number == wanted.number; };
    auto at = std::lower_bound(points.begin(), points.end(), wanted, is_less);
    if (!is_wanted(at)) return Wait{no_thread, 0};
    for (; is_wanted(at); ++at)
        if (std::uint64_t const last = at->last; threads_[at->thread].taken < last) return Wait{at->thread, last};
    return std::nullopt;
}

std::optional<RunOrder::Wait> RunOrder::for_access(Record const& r) const {
    if (r.has(matchpoint_is_local)) return std::nullopt;
    if (auto const w = before(index_.turns, r.address / 8, r.turn)) return w;
    return before(index_.turns, r.address / 8 + 1, r.second_turn);
}

std::optional<RunOrder::Wait> RunOrder::for_object(Record const& r) const {
    if (auto const w = before(index_.records, r.object, r.order)) return w;
    if (r.kind == matchpoint_wait_begins || r.kind == matchpoint_wait_ends)
        return before(index_.records, r.numbers[0], r.numbers[1]);
    return std::nullopt;
}

std::optional<RunOrder::Wait> RunOrder::waits_for(std::uint32_t t) const {
    Record const& r = threads_[t].record;
    if (r.kind == matchpoint_thread) {
        auto const& by = index_.threads[t].created_by;
        if (by && threads_[by->first].taken < by->second) return Wait{by->first, by->second};
        return std::nullopt;
    }
    if (is_access(r.kind)) return for_access(r);
    if (is_of_object(r.kind)) return for_object(r);
    if (r.kind == matchpoint_alloc || r.kind == matchpoint_free) {
        return before(index_.records, order_of_blocks, r.order);
    } else if (r.kind == matchpoint_join && r.numbers[0] < threads_.size()) {
        auto const joined = static_cast<std::uint32_t>(r.numbers[0]);
        if (threads_[joined].taken < index_.threads[joined].records)
            return Wait{joined, index_.threads[joined].records};
    } else if (r.kind == matchpoint_outside) {
        std::uint64_t cell = r.address / 8;
        for (auto const& [count, number] : r.runs)
            for (std::uint64_t i = 0; i < count; ++i, ++cell)
                if (auto const w = before(index_.turns, cell, number); w && w->thread != t) return w;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> RunOrder::ready(std::uint32_t t) {
    std::vector<std::uint32_t> chain{t};
    while (true) {
        auto const w = waits_for(chain.back());
        if (!w) return chain.back();
        bool const is_missing = w->thread == no_thread || threads_[w->thread].is_stopped || !fill(w->thread);
        if (is_missing) {
            for (std::uint32_t const c : chain) threads_[c].is_stopped = true;
            return std::nullopt;
        }
        chain.push_back(w->thread);
        if (chain.size() <= threads_.size()) continue;
        fault_ =
            Fault{files_[t].name, threads_[t].record.offset, "T6", "the orders of the records contradict each other"};
        return std::nullopt;
    }
}

std::optional<std::uint32_t> RunOrder::next() {
    if (has_current_) threads_[current_].has_record = false;
    has_current_ = false;
    auto const can = [&](std::uint32_t t) { return !threads_[t].is_stopped && fill(t); };
    // As long as it can, one thread goes on; then the one that it waits for.
    while (!threads_.empty()) {
        std::uint32_t t = current_;
        for (std::uint32_t i = 0; i < threads_.size() && !can(t); ++i) t = i;
        if (!can(t)) return std::nullopt;
        auto const next = ready(t);
        if (fault_) return std::nullopt;
        if (!next) continue;
        current_ = *next;
        has_current_ = true;
        ++threads_[current_].taken;
        if (is_event(threads_[current_].record.kind)) ++threads_[current_].events;
        return current_;
    }
    return std::nullopt;
}

std::size_t RunOrder::stopped() const {
    return static_cast<std::size_t>(
        std::count_if(threads_.begin(), threads_.end(), [](Thread const& t) { return t.is_stopped; }));
}

} // namespace matchpoint::record::threads
