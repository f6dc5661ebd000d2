#include "record/threads/run_reader.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "record/source_lines.hpp"

namespace matchpoint::record::threads {

RunReader::RunReader(RunIndex const& index, std::vector<ThreadFile> const& files, Sharing const& sharing,
                     ConditionUse const& conditions, Overflow overflow, ThreadRecording& to)
    : index_(index), files_(files), sharing_(sharing), to_(to), order_(index, files), builder_(terms_, overflow),
      operations_(
          terms_, [this](Known const& k) { fix(k, reason_); }, [this](TermId t, unsigned bits) { within(t, bits); }),
      memory_(operations_), names_(index), forks_(index.threads.size()),
      objects_(
          terms_, builder_, conditions, [this](std::uint64_t address) { return name_of(address); },
          [this](std::string what) { to_.errors.push_back(note(std::move(what))); }),
      atoms_(sharing.atoms().size()), nodes_(index.threads.size()), last_places_(index.threads.size()) {
    for (std::size_t t = 0; t < nodes_.size(); ++t) nodes_[t].reserve(index.threads[t].nodes);
}

void RunReader::read() {
    while (auto const thread = order_.next()) {
        thread_ = *thread;
        ++at_;
        try {
            record();
        } catch (Damage const& d) {
            to_.fault = Fault{files_[thread_].name, order_.record().offset, d.rule, d.message};
            return;
        }
    }
    to_.fault = order_.fault();
    if (!to_.fault) finish();
}

// ---- commands ------------------------------------------------------------------------------------------------------

RunCommand RunReader::command(bool is_main) const {
    Record const& r = const_cast<RunReader*>(this)->order_.record();
    RunCommand c;
    c.at = at_;
    c.thread = thread_;
    c.is_main = is_main && is_event(r.kind);
    c.place = r.place;
    c.event = order_.event();
    c.mark = mark_;
    return c;
}

void RunReader::emit(RunCommand::Kind kind, TermId guard, bool is_main) {
    RunCommand c = command(is_main);
    c.kind = kind;
    c.guard = guard;
    builder_.add(std::move(c));
}

void RunReader::emit(std::vector<std::pair<VariableId, TermId>> assigned, TermId guard) {
    if (assigned.empty() && guard == 0) return;
    RunCommand c = command(true);
    c.guard = guard;
    c.is_plain = guard == 0 && assigned.size() == 1;
    c.assigned = std::move(assigned);
    builder_.add(std::move(c));
}

RunNote RunReader::note(std::string what) const {
    auto const place = index_.places.find(const_cast<RunReader*>(this)->order_.record().place);
    return {place == index_.places.end() ? CodePlace{} : place->second, std::move(what)};
}

void RunReader::gap(std::string what) {
    RunNote n = note(std::move(what));
    if (std::find(to_.gaps.begin(), to_.gaps.end(), n) == to_.gaps.end()) to_.gaps.push_back(std::move(n));
}

// ---- records -------------------------------------------------------------------------------------------------------

void RunReader::record() {
    Record const& r = order_.record();
    mark_ = 0;
    if (r.place != 0 && is_event(r.kind)) last_places_[thread_] = r.place;
    if (r.kind != matchpoint_awaits) pending_.erase(thread_);
    switch (r.kind) {
    case matchpoint_thread:
        allocations_.allocated({r.numbers[2], r.numbers[3], thread_, r.place, true});
        if (auto const go = go_.find(thread_); go != go_.end())
            emit(RunCommand::Kind::when, terms_.equal(builder_.value_of(go->second), terms_.constant(1)), false);
        return;
    case matchpoint_module:
    case matchpoint_place:
    case matchpoint_global:
    case matchpoint_form:
    case matchpoint_again:
    case matchpoint_end: return;
    case matchpoint_operation: {
        std::array<Known, 3> operands;
        unsigned const count = operands_of(r.op);
        for (unsigned i = 0; i < count; ++i)
            operands[i] = operand(r.operands[i], r.op == matchpoint_select && i == 0 ? 1 : r.width);
        reason_ = Concretised::operations;
        auto const result = operations_.apply(r, std::span(operands).first(count));
        if (!result) throw Damage{"T7", "an operation has no result: it divides by zero, or shifts too far"};
        return push(*result);
    }
    case matchpoint_concrete: {
        if (r.node == 0) return;
        Known& k = nodes_[thread_][r.node - 1];
        if (r.has_value) check(k, r.value, "a value that is taken as a constant");
        mark(PathMark::Kind::value, k.value);
        note_constant(constant_if_fixed(k));
        auto const why = std::clamp<std::uint64_t>(r.numbers[0], 1, concretised_kinds) - 1;
        fix(constant_if_fixed(k), static_cast<Concretised>(why));
        k.term = 0;
        return;
    }
    case matchpoint_branch: return branch();
    case matchpoint_switch: return choose_case();
    case matchpoint_load:
    case matchpoint_store:
    case matchpoint_update_record:
    case matchpoint_exchange: return access();
    case matchpoint_alloc: return allocations_.allocated({r.address, r.numbers[0], thread_, r.place});
    case matchpoint_free: return allocations_.freed(r.address);
    case matchpoint_outside: return outside();
    case matchpoint_awaits:
        pending_.insert_or_assign(thread_, Pending{static_cast<matchpoint_record>(r.numbers[0]), r.object, r.place});
        return;
    case matchpoint_failed:
        if (failed_assertion_ != thread_) emit(RunCommand::Kind::assert_, terms_.truth(false), false);
        has_failed_ = true; // what the thread does to end the run is no part of its way
        to_.paths[thread_].events = order_.event();
        return;
    case matchpoint_gap: return gap(fmt::format("{}: {}", r.text, r.other_text));
    case matchpoint_create: return create(false);
    case matchpoint_join: return create(true);
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
    case matchpoint_destroy: return synchronise();
    }
}

void RunReader::branch() {
    Record const& r = order_.record();
    Known const k = operand({r.node, static_cast<std::int64_t>(r.numbers[0])}, 1);
    check(k, static_cast<std::int64_t>(r.numbers[0]), "the condition of a branch");
    bool const asserts = r.numbers[1] != 0;
    bool const fails = asserts && (r.numbers[0] == 0) == (r.numbers[1] == 1);
    if (!asserts) mark(PathMark::Kind::branch, static_cast<std::int64_t>(r.numbers[0]));
    if (fails) failed_assertion_ = thread_;
    if (k.term == 0 && !fails) return;
    TermId const term = operations_.term_of(k);
    bool const is_wanted = asserts ? r.numbers[1] == 1 : r.numbers[0] != 0;
    emit(asserts ? RunCommand::Kind::assert_ : RunCommand::Kind::assume, is_wanted ? term : terms_.not_(term));
}

void RunReader::choose_case() {
    Record const& r = order_.record();
    if (r.node == 0) return;
    Known const k = constant_if_fixed(nodes_[thread_][r.node - 1]);
    check(k, r.value, "the value of a switch");
    mark(PathMark::Kind::choice, r.cases.empty() ? r.value : 0, r.cases);
    if (k.term == 0) return;
    if (r.cases.empty()) return emit(RunCommand::Kind::assume, terms_.equal(k.term, terms_.constant(r.value)));
    TermId none_of = terms_.truth(true);
    for (std::int64_t const v : r.cases)
        none_of = terms_.and_(none_of, terms_.not_(terms_.equal(k.term, terms_.constant(v))));
    emit(RunCommand::Kind::assume, none_of);
}

void RunReader::create(bool is_join) {
    Record const& r = order_.record();
    if (r.numbers[0] >= index_.threads.size()) return;
    auto const other = static_cast<std::uint32_t>(r.numbers[0]);
    auto& variables = is_join ? done_ : go_;
    auto const [at, is_new] = variables.try_emplace(other, 0);
    if (is_new) at->second = builder_.shared(fmt::format("{}{}", is_join ? "done" : "go", other), 0, {0, 1});
    if (!is_join) {
        forks_.created(thread_, other);
        return emit({{VariableId{at->second, true}, terms_.constant(1)}});
    }
    forks_.joined(thread_, other);
    emit(RunCommand::Kind::when, terms_.equal(builder_.value_of(at->second), terms_.constant(1)));
    if (!is_new) return;
    // It is known only now that somebody waits for the end of the thread, which comes after all that it did.
    RunCommand c = command(false);
    c.at = at_ - 1;
    c.thread = other;
    c.place = 0;
    c.event = index_.threads[other].events;
    c.is_plain = true;
    c.assigned = {{VariableId{at->second, true}, terms_.constant(1)}};
    builder_.add(std::move(c));
}

void RunReader::synchronise() {
    Record const& r = order_.record();
    if (r.kind == matchpoint_exit) return;
    mark_object(r);
    objects_.record(r, command(true));
}

void RunReader::finish() {
    auto const place = [&](std::uint64_t number) {
        auto const at = index_.places.find(number);
        if (at == index_.places.end() || at->second.file.empty()) return std::string();
        return fmt::format("{}:{}", shown_file(at->second.file), at->second.line);
    };
    // A program that exits ends the threads that wait.
    for (auto const& [thread, wait] : pending_) {
        if (to_.exit_code) {
            bool const is_join = wait.kind == matchpoint_join && wait.object < index_.threads.size();
            if (is_join && !index_.threads[wait.object].has_exited) to_.joining.push_back(thread);
            continue;
        }
        std::string const where = place(wait.place);
        to_.not_at_end.push_back(
            fmt::format("{}{}thread {} waits for {}", where, where.empty() ? "" : ": ", thread,
                        wait.kind == matchpoint_join ? fmt::format("thread {}", wait.object) : name_of(wait.object)));
        to_.waiting.emplace_back(thread, index_.threads[thread].events + 1);
        RunCommand c;
        c.at = ++at_;
        c.thread = thread;
        c.is_executed = false;
        c.place = wait.place;
        c.event = index_.threads[thread].events + 1;
        c.is_main = true;
        if (wait.kind != matchpoint_join) {
            objects_.waits(wait.kind, wait.object, c);
            continue;
        }
        if (wait.object >= index_.threads.size()) continue;
        auto const [done, is_new] = done_.try_emplace(static_cast<std::uint32_t>(wait.object), 0);
        if (is_new) done->second = builder_.shared(fmt::format("done{}", wait.object), 0, {0, 1});
        c.kind = RunCommand::Kind::when;
        c.guard = terms_.equal(builder_.value_of(done->second), terms_.constant(1));
        builder_.add(std::move(c));
    }
    for (std::size_t a = 0; a < atoms_.size(); ++a)
        if (atoms_[a].phase != AtomState::Phase::before)
            builder_[atoms_[a].variable].is_atomic = !atoms_[a].has_plain_access;
    for (std::uint32_t const b : names_.blocks()) {
        Block const& block = allocations_.blocks()[b];
        std::string const where = place(block.place);
        to_.blocks.push_back(fmt::format("heap{}: {} bytes{}{}", block.number, block.size,
                                         where.empty() ? "" : ", allocated at ", where));
    }
    to_.locations = builder_.locations();
    to_.program = builder_.program(index_);
    for (std::uint32_t t = 0; t < to_.paths.size(); ++t)
        for (std::uint32_t m = 0; m < to_.paths[t].marks.size(); ++m)
            to_.paths[t].marks[m].command = builder_.command_of(t, m + 1).value_or(PathMark::none);
    to_.assumed_in_range = builder_.assumed_in_range();
}

// ---- values --------------------------------------------------------------------------------------------------------

Known RunReader::constant_if_fixed(Known k) const {
    if (k.term != 0 && k.term < fixed_.size() && fixed_[k.term]) k.term = 0;
    return k;
}

Known RunReader::operand(Operand const& o, unsigned bits) {
    if (o.node == 0) return {as_signed(static_cast<std::uint64_t>(o.value), bits), 0, static_cast<std::uint8_t>(bits)};
    Known const k = constant_if_fixed(nodes_[thread_][o.node - 1]);
    if (k.bits != bits)
        throw Damage{"T5", fmt::format("node {} has {} bits, and is used as one of {}", o.node, k.bits, bits)};
    return k;
}

void RunReader::push(Known k) {
    if (k.term != 0 && terms_.is_constant(k.term)) k.term = 0;
    nodes_[thread_].push_back(k);
}

void RunReader::check(Known const& k, std::int64_t recorded, std::string_view what) const {
    if (k.value != as_signed(static_cast<std::uint64_t>(recorded), k.bits))
        throw Damage{"T7", fmt::format("{} is {}, and its expression gives {}", what, recorded, k.value)};
}

void RunReader::fix(Known const& k, Concretised why) {
    if (k.term == 0) return;
    if (k.term >= fixed_.size()) fixed_.resize(k.term + 1, false);
    if (fixed_[k.term]) return;
    ++to_.concretised[static_cast<std::size_t>(why)];
    if (mark_ == 0) mark(PathMark::Kind::value, k.value);
    emit(RunCommand::Kind::assume,
         terms_[k.term].is_truth ? (k.value != 0 ? k.term : terms_.not_(k.term))
                                 : terms_.equal(k.term, terms_.constant(k.value)),
         order_.event() > 0 && const_cast<RunReader*>(this)->order_.record().kind == matchpoint_concrete);
    mark_ = 0;
    fixed_[k.term] = true;
}

void RunReader::mark(PathMark::Kind kind, std::int64_t value, std::vector<std::int64_t> cases) {
    if (has_failed_ && index_.failed == thread_) return;
    auto& marks = to_.paths[thread_].marks;
    marks.push_back({order_.event(), kind, value, std::move(cases)});
    mark_ = static_cast<std::uint32_t>(marks.size());
}

void RunReader::note_constant(Known const& k) {
    if (mark_ != 0) to_.paths[thread_].marks[mark_ - 1].is_constant = k.term == 0;
}

void RunReader::mark_object(Record const& r) {
    bool const is_serial = r.kind == matchpoint_barrier_leaves && r.numbers[0] != 0;
    bool const is_over = r.kind == matchpoint_wait_ends && r.numbers[2] == 1; // its time
    to_.has_serial_threads = to_.has_serial_threads || is_serial;
    mark(PathMark::Kind::object, 2 * static_cast<std::int64_t>(r.kind) + (is_serial || is_over ? 1 : 0));
}

void RunReader::within(TermId t, unsigned bits) {
    RunCommand c = command(false);
    c.kind = RunCommand::Kind::within;
    c.guard = t;
    c.bits = static_cast<std::uint8_t>(bits);
    if (c.place == 0) c.place = last_places_[thread_]; // operations say none
    builder_.add(std::move(c));
}

} // namespace matchpoint::record::threads
