#include "validate/shared_rules.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "validate/shared_program.hpp"
#include "validate/shared_trace.hpp"

namespace matchpoint::validate {

namespace {

using EventBits = std::uint64_t; // of threads, of assertions

constexpr EventBits bit(std::uint32_t i) { return EventBits{1} << i; }

/// What is asked, and which rules hold.
struct SharedRules {
    SharedRules(Question const& q, Changes const& changes) : all(changes), most(q.switches) {
        complete = (q.runs == Runs::complete || has(Change::complete_runs)) && !has(Change::executions);
        if (has(Change::no_bound)) most.reset();
        if (most && has(Change::bound_from_1)) most = std::max(1U, *most);
        // What is not executed takes part.
        idle_take_part = has(Change::idle_reads);
        // A failure counts when there is nothing left to do.
        to_the_end = complete || idle_take_part || has(Change::runs_on) || (most && has(Change::bound_of_all));
        all_count = complete || has(Change::bound_of_all);
        if (!has(Change::no_model)) model = q.model;
    }
    bool has(Change c) const { return all[static_cast<std::size_t>(c)]; }

    Changes all;
    std::optional<std::uint32_t> most; // switches
    bool complete;
    bool idle_take_part;
    bool to_the_end;
    bool all_count; // switches after the failure, too
    std::optional<executions::Model> model;
};

/// What a read may get.
struct Written {
    Value v;
    bool executed = true;
};

/// A shared variable.
struct Cell {
    static constexpr std::uint32_t nobody = UINT32_MAX;

    // Before the present time: what the last time with writes has left. Other threads than the writer may get any of it
    // (ties_in_a_thread), the writer only the last one.
    std::vector<Written> settled;
    std::uint32_t writer = nobody; // nobody: the initial value
    bool is_torn = false;          // two threads wrote it at the same time, so no read comes after both and gets one
    // In the present time:
    std::vector<Written> present;
    EventBits readers = 0, writers = 0;

    EventBits written_by = 0;   // threads that executed a write before the present time
    std::vector<Value> earlier; // stale_reads: all that was written, and the initial value
};

/// split_commands: what a command that has read will write.
using Pending = std::vector<std::pair<Variable, Value>>;

struct Point {
    std::vector<std::uint32_t> at;        // thread -> its next event
    std::vector<std::uint32_t> idle_from; // thread -> its first event that is not executed; none if none is known
    std::vector<std::optional<Pending>> unfinished; // thread -> what its command at `at` has read
    std::vector<Value> locals;                      // variable -> value
    std::vector<Cell> cells;
    EventBits failed = 0;             // assertions
    std::uint32_t owner = UINT32_MAX; // of the present time; none if nothing has happened in it
    std::uint32_t time = 0;
};

class SharedSearch {
public:
    SharedSearch(SharedProgram const& program, SharedTrace const* trace, SharedRules const& rules,
                 std::optional<Value> zero, std::uint64_t most)
        : program_(program), trace_(trace), rules_(rules), zero_(std::move(zero)), most_states_(most),
          has_times_(rules.most.has_value() || rules.has(Change::ties_in_a_thread)) {}

    /// None if there are too many states.
    std::optional<bool> run() {
        Point start;
        start.at.assign(program_.threads.size(), 0);
        start.idle_from.assign(program_.threads.size(), no_number);
        start.unfinished.resize(program_.threads.size());
        start.locals.resize(program_.number_of.size());
        for (Value const& v : program_.initial) {
            Cell& cell = start.cells.emplace_back();
            cell.settled.push_back({v, true});
            if (rules_.has(Change::stale_reads)) cell.earlier.push_back(v);
        }
        open_.push_back(std::move(start));
        while (!open_.empty()) {
            Point point = std::move(open_.back());
            open_.pop_back();
            if (is_found(point)) return true;
            if (!seen_.insert(key(point)).second) continue;
            if (seen_.size() > most_states_) return std::nullopt;
            expand(point);
        }
        return false;
    }

private:
    using Values = std::vector<Value>; // shared variable -> what is read

    bool has(Change c) const { return rules_.has(c); }
    /// The number of a thread's commands.
    std::size_t end(std::uint32_t t) const {
        return trace_ != nullptr && !has(Change::not_cut) ? trace_->threads[t].size() : program_.threads[t].size();
    }
    SharedEvent const* next(Point const& p, std::uint32_t t) const {
        return p.at[t] < end(t) ? &program_.threads[t][p.at[t]] : nullptr;
    }
    static bool is_idle(Point const& p, std::uint32_t t) { return p.idle_from[t] != no_number; }

    bool is_found(Point const& p) const {
        if (!has_failed(p.failed)) return false;
        for (std::uint32_t t = 0; rules_.to_the_end && t < p.at.size(); ++t) {
            if (is_idle(p, t) ? rules_.complete : next(p, t) != nullptr) return false;
            if (rules_.idle_take_part && next(p, t) != nullptr) return false;
        }
        return true;
    }
    bool has_failed(EventBits failed) const {
        if (program_.assertions == 0) return false;
        EventBits const last = bit(program_.assertions - 1);
        if (has(Change::each_assertion_negated) && failed != (last | (last - 1))) return false;
        if (has(Change::only_first_assertion) && (failed & 1U) == 0) return false;
        if (has(Change::only_last_assertion) && (failed & last) == 0) return false;
        return failed != 0;
    }

    void expand(Point const& p) {
        // Without times, it does not matter when a command takes place that accesses nothing shared.
        for (std::uint32_t t = 0; !has_times_ && t < p.at.size(); ++t) {
            SharedEvent const* const e = next(p, t);
            if (e == nullptr || is_idle(p, t) || !e->reads.empty() || !e->writes.empty()) continue;
            std::size_t const before = open_.size();
            step(p, t, *e);
            if (open_.size() > before) return;
        }
        for (std::uint32_t t = 0; t < p.at.size(); ++t) {
            SharedEvent const* const e = next(p, t);
            if (e == nullptr || (is_idle(p, t) && !rules_.idle_take_part)) continue;
            if (!has_times_) {
                step(p, t, *e);
                continue;
            }
            bool const is_new = p.owner == UINT32_MAX;
            if (is_new || p.owner == t || has(Change::shared_times)) step(p, t, *e);
            if (is_new || (p.owner == t && !has(Change::shared_times))) continue;
            bool const counts = rules_.all_count || !has_failed(p.failed);
            if (rules_.most && p.time >= *rules_.most && counts) continue;
            Point later = p;
            advance(later);
            step(later, t, *e);
        }
    }

    /// To the next time.
    void advance(Point& p) const {
        for (Cell& cell : p.cells) {
            cell.readers = 0;
            if (cell.writers == 0) continue;
            cell.is_torn = (cell.writers & (cell.writers - 1)) != 0;
            if (!cell.is_torn) {
                cell.writer = 0;
                while (bit(cell.writer) != cell.writers) ++cell.writer;
            }
            if (!has(Change::ties_in_a_thread)) cell.present.erase(cell.present.begin(), cell.present.end() - 1);
            cell.settled = std::exchange(cell.present, {});
            cell.written_by |= cell.settled.back().executed ? cell.writers : 0;
            cell.writers = 0;
        }
        p.owner = UINT32_MAX;
        ++p.time;
    }

    /// All ways in which a thread's next command can take place in the present time.
    void step(Point const& p, std::uint32_t t, SharedEvent const& e) {
        if (is_idle(p, t)) return idle_step(p, t, e);
        if (!is_in_order(p, t)) return;
        if (p.unfinished[t]) {
            Point after = p;
            write(after, t, *std::exchange(after.unfinished[t], {}));
            return done(std::move(after), t, e);
        }
        // One choice for each variable that is read.
        std::vector<std::vector<Value>> choices;
        for (std::uint32_t const v : e.reads) {
            choices.push_back(readable(p.cells[v], t));
            if (choices.back().empty()) return;
        }
        Values values(p.cells.size());
        choose(p, t, e, choices, 0, values);
    }

    void choose(Point const& p, std::uint32_t t, SharedEvent const& e, std::vector<std::vector<Value>> const& choices,
                std::size_t i, Values& values) {
        if (i == choices.size()) return execute(p, t, e, values);
        for (Value const& v : choices[i]) {
            values[e.reads[i]] = v;
            choose(p, t, e, choices, i + 1, values);
        }
    }

    /// What a thread may read now.
    std::vector<Value> readable(Cell const& cell, std::uint32_t t) const {
        if (has(Change::stale_reads)) return cell.earlier;
        if ((cell.writers & ~bit(t)) != 0) return {}; // it would have to be at another time
        std::vector<Value> result;
        auto const add = [&](Written const& w) {
            if (w.executed && std::find(result.begin(), result.end(), w.v) == result.end()) result.push_back(w.v);
        };
        if (cell.writers != 0) {
            add(cell.present.back());
            if (!has(Change::ties_in_a_thread) || cell.writer == Cell::nobody) return result;
        }
        bool const is_own = cell.writer == t;
        if (cell.is_torn || (cell.writers != 0 && is_own)) return result;
        if (cell.writer == Cell::nobody && has(Change::no_initial_value)) return result;
        if (is_own)
            add(cell.settled.back());
        else
            for (Written const& w : cell.settled) add(w);
        return result;
    }

    bool can_write(Point const& p, std::uint32_t t, SharedEvent const& e) const {
        return std::none_of(e.writes.begin(), e.writes.end(),
                            [&](std::uint32_t v) { return (p.cells[v].readers & ~bit(t)) != 0; });
    }

    void execute(Point const& p, std::uint32_t t, SharedEvent const& e, Values& values) {
        if (!can_write(p, t, e)) return;
        bool const is_dropped = !e.assertion && (has(Change::no_guards) || (has(Change::first_guard) && p.at[t] == 0));
        std::optional<Value> guard = Value::boolean(true);
        Point after = p;
        read(after, t, e);
        bool const reads_the_same = reads_as_in_the_trace(p, t, values);
        if (is_pinned(p, t) && !reads_the_same && !is_dropped) return stop(std::move(after), t, e);
        if (is_concrete(p, t)) return write_as_in_the_trace(std::move(after), t, e, 0);
        if (e.guard != nullptr && !is_dropped) guard = evaluate(*e.guard, after, values);
        if (!guard) return stop_without_value(std::move(after), t, e);
        if (e.assertion) {
            if (guard->is_false()) after.failed |= bit(*e.assertion);
            bool const ends =
                (guard->is_false() && has(Change::ends_at_failure)) || (has(Change::assertions_end) && !reads_the_same);
            if (ends && p.at[t] + 1 < end(t)) after.idle_from[t] = p.at[t] + 1;
            return done(std::move(after), t, e);
        }
        if (guard->is_false()) return stop(std::move(after), t, e);
        Pending pending;
        Point seen = after; // one_by_one: with what was assigned so far
        for (auto const& [x, right] : e.assigned) {
            auto value = evaluate(*right, seen, values);
            if (!value) return stop_without_value(std::move(after), t, e);
            if (has(Change::one_by_one)) {
                if (program_.is_shared(x))
                    values[program_.number_of[x.index]] = *value;
                else
                    seen.locals[x.index] = *value;
            }
            pending.emplace_back(x, std::move(*value));
        }
        if (has(Change::split_commands) && !e.reads.empty() && !e.writes.empty()) {
            after.unfinished[t] = std::move(pending);
            if (!has_times_) settle(after);
            open_.push_back(std::move(after));
            return;
        }
        write(after, t, pending);
        done(std::move(after), t, e);
    }

    // ---- Causal models ----

    /// What the thread's next command did in the trace. Null if it did nothing, or if that does not matter.
    SharedTrace::Event const* recorded(Point const& p, std::uint32_t t, executions::Model model) const {
        bool const matters = rules_.model == model && p.at[t] < trace_->threads[t].size();
        return matters ? &trace_->threads[t][p.at[t]] : nullptr;
    }

    bool is_in_order(Point const& p, std::uint32_t t) const {
        auto const* const in_trace = recorded(p, t, executions::Model::hb);
        if (in_trace == nullptr) return true;
        auto const& needs = has(Change::read_after_write) ? in_trace->writers : in_trace->conflicts;
        return std::all_of(needs.begin(), needs.end(), [&](auto const& n) { return p.at[n.thread] >= n.commands; });
    }

    bool reads_as_in_the_trace(Point const& p, std::uint32_t t, Values const& values) const {
        auto const* const in_trace = recorded(p, t, executions::Model::mcm);
        return in_trace == nullptr || std::all_of(in_trace->reads.begin(), in_trace->reads.end(),
                                                  [&](auto const& r) { return values[r.first] == r.second; });
    }

    /// Whether it has to read what it read in the trace.
    bool is_pinned(Point const& p, std::uint32_t t) const {
        auto const* const in_trace = recorded(p, t, executions::Model::mcm);
        if (in_trace == nullptr) return false;
        if (program_.threads[t][p.at[t]].assertion) return has(Change::assertions_read);
        return !in_trace->is_free && !(in_trace->is_primitive && has(Change::primitives_with_locals));
    }

    /// Whether it is known by what it wrote in the trace only. If nothing else is wrong, a command that is pinned
    /// writes that anyway.
    bool is_concrete(Point const& p, std::uint32_t t) const {
        bool const matters = has(Change::primitives_with_locals) || has(Change::locals_lost);
        return matters && is_pinned(p, t) && !program_.threads[t][p.at[t]].assertion;
    }

    /// From the i-th assignment on.
    void write_as_in_the_trace(Point p, std::uint32_t t, SharedEvent const& e, std::size_t i) {
        auto const& values = trace_->threads[t][p.at[t]].assigned;
        for (; i < e.assigned.size(); ++i) {
            Variable const x = e.assigned[i].first;
            if (has(Change::locals_lost) && !program_.is_shared(x) && program_.is_tested(x)) {
                std::vector<Value> const any = values[i].is_boolean()
                                                   ? std::vector{Value::boolean(false), Value::boolean(true)}
                                                   : program_.values_around();
                for (Value const& v : any) {
                    Point one = p;
                    write(one, t, {{x, v}});
                    write_as_in_the_trace(std::move(one), t, e, i + 1);
                }
                return;
            }
            write(p, t, {{x, values[i]}});
        }
        p.owner = t;
        done(std::move(p), t, e);
    }

    void read(Point& p, std::uint32_t t, SharedEvent const& e) const {
        for (std::uint32_t const v : e.reads) p.cells[v].readers |= bit(t);
        p.owner = t;
    }

    void write(Point& p, std::uint32_t t, Pending const& pending) const {
        p.owner = t;
        for (auto const& [x, value] : pending) {
            if (!program_.is_shared(x)) {
                p.locals[x.index] = value;
                continue;
            }
            Cell& cell = p.cells[program_.number_of[x.index]];
            cell.present.push_back({value, true});
            cell.writers |= bit(t);
            if (has(Change::stale_reads) &&
                std::find(cell.earlier.begin(), cell.earlier.end(), value) == cell.earlier.end())
                cell.earlier.push_back(value);
        }
    }

    /// The thread's next command has been executed.
    void done(Point p, std::uint32_t t, SharedEvent const&) {
        ++p.at[t];
        if (!has_times_) settle(p);
        open_.push_back(std::move(p));
    }
    void settle(Point& p) const {
        advance(p);
        p.time = 0;
    }

    void stop_without_value(Point p, std::uint32_t t, SharedEvent const& e) {
        if (!has(Change::runs_on)) stop(std::move(p), t, e);
    }

    /// The thread executes neither this command nor what follows: its guard is false, or it has no value.
    void stop(Point p, std::uint32_t t, SharedEvent const& e) {
        if (rules_.complete || !rules_.to_the_end) return;
        p.idle_from[t] = p.at[t];
        if (rules_.idle_take_part) write_idly(p, t, e);
        done(std::move(p), t, e);
    }

    /// A command that is not executed needs something to read all the same.
    void idle_step(Point const& p, std::uint32_t t, SharedEvent const& e) {
        for (std::uint32_t const v : e.reads)
            if (!is_readable_idly(p, t, v)) return;
        if (has(Change::idle_writes) && !can_write(p, t, e)) return;
        Point after = p;
        read(after, t, e);
        write_idly(after, t, e);
        done(std::move(after), t, e);
    }

    bool is_readable_idly(Point const& p, std::uint32_t t, std::uint32_t v) const {
        Cell const& cell = p.cells[v];
        auto const own = last_write(p, t, v);
        // Its own thread's last write is not executed: another thread's has to be there.
        if (!has(Change::idle_writes) && own && *own >= p.idle_from[t])
            return !cell.is_torn && (cell.writers & ~bit(t)) == 0 && (cell.written_by & ~bit(t)) != 0;
        return !readable(cell, t).empty();
    }
    /// The last event of a thread before its next one that writes a variable.
    std::optional<std::uint32_t> last_write(Point const& p, std::uint32_t t, std::uint32_t v) const {
        for (std::uint32_t i = p.at[t]; i-- > 0;) {
            auto const& writes = program_.threads[t][i].writes;
            if (std::find(writes.begin(), writes.end(), v) != writes.end()) return i;
        }
        return std::nullopt;
    }

    void write_idly(Point& p, std::uint32_t t, SharedEvent const& e) const {
        p.owner = t;
        if (!has(Change::idle_writes)) return;
        for (std::uint32_t const v : e.writes) {
            p.cells[v].present.push_back({Value(), false});
            p.cells[v].writers |= bit(t);
        }
    }

    /// None if a divisor is zero.
    std::optional<Value> evaluate(Expression const& e, Point const& p, Values const& values) const {
        return program_.evaluate(e, p.locals, values, zero_);
    }

    static void add(std::string& key, Value const& v) { key.append(v.to_string()).append(" "); }
    static void add(std::string& key, std::uint64_t n) { key.append(std::to_string(n)).append(" "); }

    std::string key(Point const& p) const {
        std::string key;
        for (std::uint32_t t = 0; t < p.at.size(); ++t) {
            add(key, p.at[t]), add(key, p.idle_from[t]);
            if (!p.unfinished[t]) continue;
            key += 'u';
            for (auto const& [x, v] : *p.unfinished[t]) add(key, v);
        }
        for (Value const& v : p.locals) add(key, v);
        for (Cell const& cell : p.cells) {
            for (auto const* const all : {&cell.settled, &cell.present}) {
                for (Written const& w : *all) add(key, w.v), key += w.executed ? '+' : '-';
                key += ';';
            }
            add(key, cell.writer), add(key, cell.readers), add(key, cell.writers), add(key, cell.written_by);
            key += cell.is_torn ? 't' : 'w';
            for (Value const& v : cell.earlier) add(key, v);
        }
        add(key, p.failed), add(key, p.owner), add(key, p.time);
        return key;
    }

    SharedProgram const& program_;
    SharedTrace const* trace_; // null if all executions count
    SharedRules const& rules_;
    std::optional<Value> zero_; // of a division by zero; none if it has no value
    std::uint64_t most_states_;
    bool has_times_;
    std::vector<Point> open_;
    std::unordered_set<std::string> seen_;
};

} // namespace

std::optional<bool> some_run_fails(IndexedProgram const& code, Question const& question, Changes const& changes,
                                   std::uint64_t most_states, Schedule const* trace) {
    SharedProgram const program(code);
    if (program.threads.size() > 64 || program.assertions > 64) return std::nullopt;
    SharedRules const rules(question, changes);
    std::optional<SharedTrace> recorded;
    if (question.model) {
        recorded = trace != nullptr ? SharedTrace::of(program, *trace) : std::nullopt;
        if (!recorded) return std::nullopt;
    }
    SharedTrace const* const predicting = recorded ? &*recorded : nullptr;
    if (!rules.has(Change::total_division) || !may_divide_by_zero(code.ctp()))
        return SharedSearch(program, predicting, rules, std::nullopt, most_states).run();
    for (Value const& zero : program.values_around()) {
        auto const fails = SharedSearch(program, predicting, rules, zero, most_states).run();
        if (!fails || *fails) return fails;
    }
    return false;
}

} // namespace matchpoint::validate
