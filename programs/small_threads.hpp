// The threads of small programs (small.hpp), without names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "programs/small.hpp"

namespace matchpoint::programs {

// What values are made of.
inline constexpr unsigned added_to_sent = 10;
inline constexpr unsigned added_by_assignment = 1;
inline constexpr unsigned first_value = 1;

/// A command of a thread, without names.
struct Move {
    enum class Kind : std::uint8_t {
        receive,      // which: the endpoint
        send,         // which: the endpoint
        wait,         // which: the request
        assert_not,   // (assert (!= x v))
        assume_not,   // (assume (!= x v))
        divide,       // (z := (div 6 (- x v)))
        increase,     // (x := (+ x 1))
        assert_order, // (assert (< y x))
        assert_false,
        assume_false,
        begin, // (x := 1)
    };
    Kind kind = Kind::receive;
    std::uint8_t which = 0;
    bool special = false; // a receive into the variable of the one before it; a send of (+ x 10)
};

/// Where a value comes from: from a receive at an endpoint of the thread, or it is a number; and what was added to it.
struct Origin {
    static constexpr std::uint8_t nowhere = 0xFF;
    std::uint8_t endpoint = nowhere;
    std::uint8_t added = 0;
};

/// A thread, or the beginning of one.
struct Word {
    std::vector<Move> moves = {};
    std::uint8_t sends = 0;
    std::uint8_t receives = 0;
    std::uint8_t locals = 0;
    std::uint8_t endpoints = 0;      // numbered in the order of their first use
    std::uint32_t receives_at = 0;   // one bit an endpoint
    std::vector<Origin> sent = {};   // of each send: what x is, if it sends (+ x 10)
    std::vector<Origin> spoken = {}; // of each local command with a v: what x is

    bool same_size(Word const& w) const {
        return moves.size() == w.moves.size() && sends == w.sends && receives == w.receives && locals == w.locals;
    }
    bool operator<(Word const& w) const {
        if (moves.size() != w.moves.size()) return moves.size() < w.moves.size();
        if (receives != w.receives) return receives < w.receives;
        if (sends != w.sends) return sends < w.sends;
        return locals < w.locals;
    }
};

/// The state after some command of a thread: which requests are waited for and completed, which variables are defined.
struct Progress {
    struct Request {
        bool receive = false;
        std::uint8_t endpoint = 0;
        std::uint8_t variable = 0;
        bool waited = false;
        bool completed = false;
    };
    std::vector<Request> requests = {};
    std::vector<Origin> variables = {};     // without those that only local commands define
    std::vector<std::uint8_t> defined = {}; // variables, in the order in which they got values

    bool has_x() const { return !defined.empty(); }
    std::uint8_t x() const { return defined.back(); }
    bool has_y() const { return defined.size() > 1 && defined[defined.size() - 2] != x(); }
    std::uint8_t y() const { return defined[defined.size() - 2]; }

    std::uint8_t receive(Move move) {
        std::uint8_t variable = static_cast<std::uint8_t>(variables.size());
        if (move.special) {
            // That of the receive before it.
            variable =
                std::find_if(requests.rbegin(), requests.rend(), [](Request const& r) { return r.receive; })->variable;
        } else {
            variables.push_back({});
        }
        requests.push_back({.receive = true, .endpoint = move.which, .variable = variable});
        return variable;
    }
    void send(Move move) { requests.push_back({.endpoint = move.which}); }
    void wait(Move move) {
        Request const of = requests[move.which];
        requests[move.which].waited = true;
        if (!of.receive) return;
        for (std::size_t r = 0; r <= move.which; ++r) {
            Request& request = requests[r];
            if (!request.receive || request.completed || request.endpoint != of.endpoint) continue;
            request.completed = true;
            variables[request.variable] = {request.endpoint, 0};
            defined.push_back(request.variable);
        }
    }
    std::uint8_t begin() {
        variables.push_back({});
        defined.push_back(static_cast<std::uint8_t>(variables.size() - 1));
        return defined.back();
    }
    void increase() { variables[x()].added = static_cast<std::uint8_t>(variables[x()].added + added_by_assignment); }

    bool would_complete(std::size_t r) const { return requests[r].receive && !requests[r].completed; }

    /// D3: how many waits are still needed.
    std::size_t waits_needed() const {
        std::uint32_t at = 0;
        for (Request const& r : requests)
            if (r.receive && !r.completed) at |= 1U << r.endpoint;
        std::size_t n = 0;
        for (; at != 0; at &= at - 1) ++n;
        return n;
    }
};

/// All threads of a bound, shortest first, generated as they are needed.
class Words {
public:
    explicit Words(SmallBound const& bound) : bound_(bound) {
        beginnings_.emplace_back();
        first_.assign(2, 0);
    }

    /// Generates those of up to so many commands.
    void up_to(std::size_t length) {
        while (first_.size() < length + 2) longer();
    }
    Word const& operator[](std::uint32_t w) const { return words_[w]; }
    /// Those of a length are [first(length), first(length + 1)).
    std::uint32_t first(std::size_t length) const { return first_[length]; }
    /// The first one after w that has another size.
    std::uint32_t next_size(std::uint32_t w) const { return next_size_[w]; }

private:
    struct Beginning {
        Word word;
        Progress progress;
    };

    void longer();
    void extend(Beginning const& b);
    void add(Beginning const& b, Move move);

    SmallBound bound_;
    std::vector<Word> words_;
    std::vector<std::uint32_t> next_size_;
    std::vector<std::uint32_t> first_;
    std::vector<Beginning> beginnings_; // of the latest length
    std::size_t length_ = 0;            // of the threads being generated
};

} // namespace matchpoint::programs
