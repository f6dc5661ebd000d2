// The records of one thread, as the runtime wrote them (record/threads/format.h), one after the other.
//
//   RecordReader reader(bytes);
//   Record r;
//   while (reader.next(r)) ...
//   if (reader.fault()) std::cout << reader.fault()->message;
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record/threads/format.h"
#include "rooms.hpp"

namespace matchpoint::record::threads {

/// A rule of the format that a file breaks.
struct Fault {
    std::string file = {};    // its name
    std::size_t offset = 0;   // of the byte where the record begins
    std::string_view rule;    // "T1" to "T7" of docs/threads.md
    std::string message = {}; // without a full stop
};

/// What an operation is applied to: a node of the thread, or, if that is 0, a constant.
struct Operand {
    std::uint64_t node = 0;
    std::int64_t value = 0;
};

/// An operation of a form (matchpoint_form).
struct FormOperation {
    /// What an operand is: a constant, an earlier operation of the form, or what each record says.
    struct Part {
        enum class What : std::uint8_t { open, constant, earlier } what = What::open;
        std::int64_t value = 0; // of the constant; the number of the operation, from 0
    };
    matchpoint_operator op = matchpoint_add;
    std::uint64_t overflow = 0;
    unsigned width = 0, to = 0;
    std::array<Part, 3> parts = {};
};

inline constexpr std::size_t most_operations_of_form = matchpoint_most_operations;

/// What short records have in common.
struct Form {
    matchpoint_record kind = matchpoint_load;
    std::uint64_t place = 0, flags = 0; // of a branch, what it asserts; of a concrete value, why
    unsigned size = 0;
    std::uint64_t reason = 0; // of a load whose value is concrete at once: why
    std::vector<FormOperation> operations = {};
};

/// A record. Which fields it has depends on its kind; the others keep what they had.
struct Record {
    matchpoint_record kind = matchpoint_thread;
    std::size_t offset = 0;
    std::uint64_t place = 0;

    // Numbers, in the order of the format, of a kind that has no fields of its own below.
    std::array<std::uint64_t, 4> numbers = {};
    std::string_view text, other_text;

    // Values.
    matchpoint_operator op = matchpoint_add;
    std::uint64_t overflow = 0; // flags of the operation
    unsigned width = 0, to = 0; // bits
    std::array<Operand, 3> operands = {};
    std::uint64_t node = 0;
    std::int64_t value = 0;
    bool has_value = true; // else it is that of the node that is made concrete, or what is in the memory that is loaded
    std::vector<std::int64_t> cases = {};

    // Accesses.
    std::uint64_t flags = 0, address = 0, address_node = 0, turn = 0, second_turn = 0;
    unsigned size = 0; // bytes
    std::int64_t old = 0;
    Operand operand, expected; // of an update; of an exchange, the new value and the expected one
    matchpoint_update update = matchpoint_exchanged;
    std::uint64_t success = 0;
    std::string_view bytes;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> runs = {}; // how many cells, and their turn

    // Synchronisation.
    std::uint64_t object = 0, order = 0;

    bool has(matchpoint_access flag) const { return (flags & static_cast<unsigned>(flag)) != 0; }
};

/// Whether it is numbered among the events of its thread.
bool is_event(matchpoint_record kind);
/// Whether it makes a node.
bool makes_node(matchpoint_record kind);
/// matchpoint_load, matchpoint_store, matchpoint_update_record, matchpoint_exchange
bool is_access(matchpoint_record kind);
/// Whether it is about an object of synchronisation, with an order.
bool is_of_object(matchpoint_record kind);
/// How many operands an operator has.
unsigned operands_of(matchpoint_operator op);
bool is_cast(matchpoint_operator op);
bool is_comparison(matchpoint_operator op);

class RecordReader {
public:
    /// The bytes of a file, which must live as long as the reader and the texts of its records.
    explicit RecordReader(std::string_view bytes);

    /// Reads the next record. False at the end, or at a fault.
    bool next(Record& r);
    std::optional<Fault> const& fault() const { return fault_; }
    /// Whether the file ends within a record, or before the record that it has to begin with.
    bool breaks_off() const { return breaks_off_; }
    /// How many records were read, how many nodes and how many events they had.
    std::uint64_t count() const { return count_; }
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t events() const { return events_; }
    std::size_t offset() const { return at_; }

private:
    struct Ended {};
    struct Bad {
        std::string_view rule;
        std::string message;
    };

    std::uint64_t u();
    std::int64_t s();
    std::string_view text();
    std::uint64_t node();
    Operand operand();
    std::uint64_t below(std::uint64_t limit, std::string_view what);
    unsigned bits(std::string_view what);
    void read(Record& r);
    void form();
    void form_operations(Form& f);
    FormOperation form_operation(std::size_t before);
    void begin_operations(Record const& r, Form const& f);
    void read_short(Record& r, unsigned first);
    std::uint64_t node_before(std::uint64_t next, std::uint64_t distance) const;
    void next_of_form(Record& r);
    void branch_of_form(Record& r);
    void concrete_of_form(Record& r);
    bool rest_of_record(Record& r);
    void read_record(Record& r);
    std::uint64_t four_bytes();
    void again(Record const& r);
    void access(Record& r);
    unsigned size_of_access();
    void operation(Record& r);
    void operator_and_widths(Record& r);
    void outside(Record& r);
    void run(Record& r);
    void synchronisation(Record& r);

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::unordered_map<std::uint64_t, Form> forms_;
    std::array<std::uint64_t, 64> addresses_ = {}; // of short records
    // Operations of a short record that are to come: those of a form, from one on.
    Form const* form_ = nullptr;
    std::size_t operation_ = 0, operations_ = 0, open_ = 0;
    std::optional<std::uint64_t> taken_; // of a branch that follows them
    Form const* concrete_ = nullptr;     // of a load that was read, whose value is concrete
    // Short records that are read again: where they are, and how many are to come.
    std::size_t again_begin_ = 0, again_end_ = 0, after_again_ = 0;
    std::uint64_t again_ = 0;
    std::size_t offset_ = 0; // of the record
    std::uint64_t first_node_ = 0;
    std::vector<Operand> operands_; // that the record says
    std::uint64_t count_ = 0, nodes_ = 0, events_ = 0;
    bool breaks_off_ = false;
    std::optional<Fault> fault_;
};

} // namespace matchpoint::record::threads
