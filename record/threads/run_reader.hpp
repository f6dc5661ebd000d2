// Reads the records of a run, in their order, into a program.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "record/threads/location_names.hpp"
#include "record/threads/objects.hpp"
#include "record/threads/reading.hpp"
#include "record/threads/run_memory.hpp"
#include "record/threads/sharing.hpp"

namespace matchpoint::record::threads {

class RunReader {
public:
    RunReader(RunIndex const& index, std::vector<ThreadFile> const& files, Sharing const& sharing,
              ConditionUse const& conditions, Overflow overflow, ThreadRecording& to);

    void read();

private:
    /// A part of an access: bytes of one cell that are an atom, or are not shared.
    struct Part {
        std::uint64_t cell;
        std::uint8_t from, size; // in the cell
        std::uint8_t offset;     // in the access
        std::uint32_t atom;      // in Sharing::atoms(); none if it is not shared now
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    /// What becomes of an atom during the run.
    struct AtomState {
        enum class Phase : std::uint8_t { before, shared, after } phase = Phase::before;
        bool has_plain_access = false;
        std::uint32_t variable = 0;
    };

    struct Damage {
        std::string_view rule;
        std::string message;
    };

    // ---- records
    void record();
    void access();
    /// The value of a load that the record does not say, and what is in memory after each access.
    void follow_bytes();
    void load();
    void store();
    void update();
    void exchange();
    void outside();
    void branch();
    void choose_case();
    void synchronise();
    void create(bool is_join);
    void finish();

    // ---- values
    Known operand(Operand const& o, unsigned bits);
    Known constant_if_fixed(Known k) const;
    void push(Known k);
    void check(Known const& k, std::int64_t recorded, std::string_view what) const;
    /// Assumes that the value is what it was.
    void fix(Known const& k, Concretised why);
    void within(TermId t, unsigned bits);
    /// The thread could have gone another way. The next command that is emitted says so.
    void mark(PathMark::Kind kind, std::int64_t value, std::vector<std::int64_t> cases = {});
    /// The mark that was made last is about this value.
    void note_constant(Known const& k);
    /// What came of a call of synchronisation.
    void mark_object(Record const& r);

    // ---- memory
    /// The parts of what the record accesses, or of so many bytes of what something outside has written.
    void find_parts(std::uint64_t address, unsigned size);
    void add_parts(std::uint64_t cell, unsigned from, unsigned size, unsigned offset);
    /// Whether the atom is shared when this record accesses it.
    bool is_shared_now(std::uint32_t atom, unsigned offset);
    void publish(std::uint32_t atom, unsigned offset);
    void close(std::uint32_t atom);
    static std::uint64_t bytes_of(std::int64_t value, Part const& p);
    /// The value of a part that is not shared, which has these bytes.
    Known local_part(Part const& p, std::uint64_t bytes);
    /// The value of an atom: its variable. If it has other bytes than were known, something else has written it.
    Known shared_part(Part const& p, std::uint64_t bytes);
    /// What is in all parts, of which `value` was read.
    Known together(std::int64_t value, unsigned size, bool& is_shared);
    Known joined(std::vector<std::pair<Known, unsigned>> const& parts, unsigned size);
    /// A term of another thread, by a shared variable.
    TermId handed_over(StoredValue const& v);
    /// Stores to all parts; what goes to shared ones is appended. `later`: the value by local variables, if its term
    /// has shared ones, for parts that are not shared.
    void put(Known const& value, std::vector<std::pair<VariableId, TermId>>& assigned, TermId later = 0);
    /// Reads a term into a local variable.
    TermId read_into_local(TermId from, std::string_view name, std::int64_t value, unsigned bits,
                           std::vector<std::pair<VariableId, TermId>>& assigned);
    std::string name_of(std::uint64_t address);
    std::string name_of_part() const;

    // ---- commands
    RunCommand command(bool is_main) const;
    void emit(RunCommand::Kind kind, TermId guard, bool is_main = true);
    void emit(std::vector<std::pair<VariableId, TermId>> assigned, TermId guard = 0);
    RunNote note(std::string what) const;
    void gap(std::string what);

    RunIndex const& index_;
    std::vector<ThreadFile> const& files_;
    Sharing const& sharing_;
    ThreadRecording& to_;
    RunOrder order_;
    Terms terms_;
    ProgramBuilder builder_;
    Operations operations_;
    RunMemory memory_;
    LastBytes last_bytes_;
    Allocations allocations_;
    LocationNames names_;
    Forks forks_;
    Objects objects_;

    std::vector<AtomState> atoms_;
    std::vector<std::vector<Known>> nodes_;  // of each thread
    std::vector<std::uint64_t> last_places_; // likewise, of its last event that has one
    std::vector<Part> parts_;
    std::vector<StoredValue> stored_;
    std::vector<bool> fixed_;                                  // terms that are assumed to be constants
    std::unordered_map<TermId, std::uint32_t> handed_;         // term -> shared variable
    std::map<std::pair<TermId, std::uint32_t>, TermId> taken_; // of these, by a thread: its local variable
    std::map<std::uint32_t, std::uint32_t> go_, done_;         // of threads: shared variables
    struct Pending {
        matchpoint_record kind;
        std::uint64_t object, place;
    };
    std::map<std::uint32_t, Pending> pending_; // what threads wait for
    std::uint32_t thread_ = 0;
    std::uint64_t at_ = 0;   // the number of the record in the run
    std::uint32_t mark_ = 0; // the number of the thread's mark that the next command belongs to, from 1; 0 if to none
    Concretised reason_ = Concretised::operations;
    bool has_failed_ = false;
    std::uint32_t failed_assertion_ = UINT32_MAX; // the thread whose assertion was false last
};

} // namespace matchpoint::record::threads
