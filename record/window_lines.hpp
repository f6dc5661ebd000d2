// The lines about windows in the file of one rank (docs/formats.md), as events in the order in which they happened.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "base/source.hpp"
#include "record/recording.hpp"

namespace matchpoint::record {

/// A window, by a name that all its ranks have: its communicator, and the how manieth window of it.
using WindowName = std::pair<std::string, std::uint32_t>;

/// An element of a window: whose memory it is, and where.
struct Cell {
    WindowName window;
    std::uint32_t rank = 0;
    std::uint64_t offset = 0; // in bytes
    int size = 0;             // negative if it is signed
    auto key() const { return std::tuple(window, rank, offset); }
    bool operator<(Cell const& other) const { return key() < other.key(); }
};

/// Memory of the rank itself that a call names: of a window, or a buffer; nothing.
using OwnMemory = std::variant<std::monostate, Cell, std::uint32_t>;

namespace lines {

/// An expression of the language, as text.
struct Expression {
    std::string text;                   // empty if it is too long
    std::set<std::uint32_t> depends_on; // the requests whose results it has as variables
};

struct Opened {
    WindowName window;
    int unit;
};
/// What memory of all windows held so far, it held from the beginning.
struct Ready {};
/// What memory of a window of the rank holds now.
struct Bytes {
    WindowName window;
    std::uint64_t offset;
    std::string bytes;
};
/// What a buffer holds now.
struct Buffer {
    std::uint32_t buffer;
    Expression value;
    bool is_constant; // of the program, or known to depend on what was loaded
};
struct Remote {
    enum class Kind : std::uint8_t { put, get, accumulate, fetch, swap };
    Kind kind;
    Cell cell;
    std::string op = {};
    OwnMemory operand = {}; // what is put, or added
    OwnMemory compared = {};
    OwnMemory result = {};
    bool is_of_several = false; // a fetch of MPI_Get_accumulate

    /// The name of the call.
    std::string_view function() const;
};
struct Flush {
    WindowName window;
    std::optional<std::uint32_t> rank; // none for all
};
/// A lock, or the end of one.
struct Lock {
    enum class Kind : std::uint8_t { exclusive, shared, end };
    WindowName window;
    std::uint32_t rank;
    Kind kind;
};
/// MPI_Win_post, start, complete and wait, and with whom.
struct Group {
    enum class Kind : std::uint8_t { post, start, complete, wait };
    WindowName window;
    Kind kind;
    std::vector<std::uint32_t> ranks;
};
/// All ranks of a communicator meet.
struct Meeting {
    std::string communicator;
    std::size_t ranks;
};
/// What was fetched has come: the number of the variable that it is loaded into.
struct Arrived {
    std::uint32_t number;
    std::int64_t value; // in this run
    OwnMemory from;
};
struct Claim {
    bool is_assumption;
    Expression e;
};
/// A collective call begins in which some ranks need not wait for others, or which is not complete at once.
struct Collective {
    std::string function;
    std::string communicator;
    std::size_t ranks;
    std::size_t place; // the how manieth of these of the communicator
    std::optional<std::uint32_t> root;
    std::uint32_t number;
};
/// It is complete.
struct Done {
    std::uint32_t number;
};
/// The messages of a sender to a receiver with one tag, which keep their order.
struct Channel {
    std::string communicator;
    std::uint32_t from;
    std::uint32_t to;
    std::int64_t tag;
    auto operator<=>(Channel const&) const = default;
};
/// A send or a receive is issued. The channel of a receive is known when it is complete.
struct Message {
    std::uint32_t number;
    std::optional<Channel> channel;
    bool is_synchronous;
};
/// A send is complete, or a receive: with the channel of its message.
struct Complete {
    std::uint32_t number;
    std::optional<Channel> channel;
};

} // namespace lines

struct WindowEvent {
    std::variant<lines::Opened, lines::Ready, lines::Bytes, lines::Buffer, lines::Remote, lines::Flush, lines::Lock,
                 lines::Group, lines::Meeting, lines::Arrived, lines::Claim, lines::Collective, lines::Done,
                 lines::Message, lines::Complete>
        what;
    SourceLine at;
};

struct RankEvents {
    std::uint32_t rank = 0;
    std::vector<WindowEvent> events;
    std::set<std::uint32_t> used; // numbers of variables that claims and stores have
    bool lacks_writes = false;    // to windows, perhaps: a call is not recorded
};

/// The file has been read before (rank_reader.hpp); a line that makes no sense is passed over.
RankEvents window_events(Source const& file, Resolver& resolver);

} // namespace matchpoint::record
