#include "programs/small.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "programs/smaller.hpp"

namespace matchpoint::programs {

namespace {

constexpr std::uint32_t none = 0xFFFF'FFFF;
constexpr std::uint32_t another = none - 1;

// What the values in a program are made of.
constexpr unsigned added_to_sent = 10;
constexpr unsigned added_by_assignment = 1;
constexpr unsigned first_value = 1;

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

bool is_check(Move::Kind kind) {
    using enum Move::Kind;
    return kind == assert_not || kind == assume_not || kind == divide || kind == assert_order || kind == assert_false ||
           kind == assume_false;
}

/// Where a value comes from: what was received at an endpoint of the thread, or a number; and what was added to it.
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
    std::vector<Origin> sent = {};   // of each send: what x is, if it sends that
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

/// Which requests are waited for and completed, and which variable is defined last, somewhere in a thread.
struct Progress {
    struct Request {
        bool receive = false;
        std::uint8_t endpoint = 0;
        std::uint8_t variable = 0;
        bool waited = false;
        bool completed = false;
    };
    std::vector<Request> requests = {};
    std::vector<Origin> variables = {};     // those that are local commands' targets only are none of them
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

/// All threads, shortest first, made as they are needed.
class Words {
public:
    explicit Words(SmallBound const& bound) : bound_(bound) {
        beginnings_.emplace_back();
        first_.assign(2, 0);
    }

    /// Makes those of up to so many commands.
    void up_to(std::size_t length) {
        while (first_.size() < length + 2) longer();
    }
    Word const& operator[](std::uint32_t w) const { return words_[w]; }
    /// Those of a length are [first(length), first(length + 1)).
    std::uint32_t first(std::size_t length) const { return first_[length]; }
    /// The first one behind w that is of another size.
    std::uint32_t next_size(std::uint32_t w) const { return next_size_[w]; }

private:
    struct Beginning {
        Word word;
        Progress progress;
    };

    void longer() {
        std::vector<Beginning> const shorter = std::move(beginnings_);
        beginnings_.clear();
        length_ = first_.size() - 1;
        if (length_ <= bound_.thread_commands)
            for (Beginning const& b : shorter) extend(b);
        std::vector<Word> whole;
        for (Beginning const& b : beginnings_)
            if (b.progress.waits_needed() == 0 && b.word.moves.back().kind != Move::Kind::increase)
                whole.push_back(b.word);
        std::stable_sort(whole.begin(), whole.end());
        std::size_t const first = words_.size();
        words_.insert(words_.end(), std::make_move_iterator(whole.begin()), std::make_move_iterator(whole.end()));
        next_size_.resize(words_.size());
        for (std::size_t w = words_.size(); w-- > first;)
            next_size_[w] = w + 1 < words_.size() && words_[w].same_size(words_[w + 1])
                                ? next_size_[w + 1]
                                : static_cast<std::uint32_t>(w + 1);
        first_.push_back(static_cast<std::uint32_t>(words_.size()));
    }

    void extend(Beginning const& b) {
        using Kind = Move::Kind;
        Progress const& p = b.progress;
        Kind const last = b.word.moves.empty() ? Kind::receive : b.word.moves.back().kind;
        bool const behind_check = is_check(last);
        bool const behind_assignment = last == Kind::increase || last == Kind::begin;
        auto const endpoints = static_cast<std::uint8_t>(std::min<unsigned>(b.word.endpoints + 1U, bound_.endpoints));
        if (!behind_check && !behind_assignment && b.word.receives < bound_.receives)
            for (std::uint8_t e = 0; e < endpoints; ++e) {
                add(b, {Kind::receive, e});
                if (b.word.receives > 0) add(b, {Kind::receive, e, true});
            }
        if (!behind_check && b.word.sends < bound_.sends)
            for (std::uint8_t e = 0; e < endpoints; ++e) {
                if (!behind_assignment) add(b, {Kind::send, e});
                if (p.has_x()) add(b, {Kind::send, e, true});
            }
        for (std::uint8_t r = 0; r < p.requests.size() && !behind_assignment; ++r)
            if (!p.requests[r].waited && (!behind_check || p.would_complete(r))) add(b, {Kind::wait, r});
        if (b.word.locals == bound_.locals) return;
        if (b.word.moves.empty()) add(b, {Kind::begin});
        if (p.has_x())
            for (Kind const kind : {Kind::assert_not, Kind::assume_not, Kind::divide, Kind::increase}) add(b, {kind});
        else
            for (Kind const kind : {Kind::assert_false, Kind::assume_false}) add(b, {kind});
        if (p.has_y()) add(b, {Kind::assert_order});
    }

    void add(Beginning const& b, Move move) {
        using Kind = Move::Kind;
        Beginning longer = b;
        Word& word = longer.word;
        Progress& p = longer.progress;
        word.moves.push_back(move);
        switch (move.kind) {
        case Kind::receive:
            ++word.receives;
            word.receives_at |= 1U << move.which;
            word.endpoints = std::max<std::uint8_t>(word.endpoints, static_cast<std::uint8_t>(move.which + 1));
            p.receive(move);
            break;
        case Kind::send:
            ++word.sends;
            word.endpoints = std::max<std::uint8_t>(word.endpoints, static_cast<std::uint8_t>(move.which + 1));
            word.sent.push_back(move.special ? p.variables[p.x()] : Origin{});
            p.send(move);
            break;
        case Kind::wait: p.wait(move); break;
        case Kind::assert_not:
        case Kind::assume_not:
        case Kind::divide:
            word.spoken.push_back(p.variables[p.x()]);
            ++word.locals;
            break;
        case Kind::increase:
            p.increase();
            ++word.locals;
            break;
        case Kind::begin:
            p.begin();
            ++word.locals;
            break;
        case Kind::assert_order:
        case Kind::assert_false:
        case Kind::assume_false: ++word.locals; break;
        }
        if (length_ + p.waits_needed() <= bound_.thread_commands) beginnings_.push_back(std::move(longer));
    }

    SmallBound bound_;
    std::vector<Word> words_;
    std::vector<std::uint32_t> next_size_;
    std::vector<std::uint32_t> first_;
    std::vector<Beginning> beginnings_; // of the length made last
    std::size_t length_ = 0;            // of what is being made
};

/// An endpoint, by its thread; the one that is nobody's has no thread.
struct Place {
    std::uint32_t thread = none;
    std::uint32_t endpoint = 0;
    auto operator<=>(Place const&) const = default;
};

} // namespace

class SmallPrograms::Enumeration {
public:
    Enumeration(SmallBound const& bound, std::uint64_t every, std::uint64_t offset)
        : bound_(bound), every_(every), next_number_(offset), words_(bound) {
        if (every == 0) throw std::invalid_argument("every 0th program");
        // What is kept in bytes and bits.
        for (unsigned const b : {bound.size, bound.commands, bound.thread_commands, bound.threads, bound.endpoints,
                                 bound.sends, bound.receives, bound.locals})
            if (b > 16) throw std::invalid_argument("programs of such a bound are not small");
    }

    bool next() {
        while (advance()) {
            if (count_++ != next_number_) continue;
            number_ = next_number_;
            next_number_ += every_;
            return true;
        }
        return false;
    }
    std::uint64_t count_all() {
        while (advance()) ++count_;
        return count_;
    }
    std::uint64_t number() const { return number_; }
    draft::Draft draft() const;

private:
    /// To the next program: the threads change slowest, then where the sends go, then the v.
    bool advance() {
        while (true) {
            while (values_.next())
                if (is_first_of_its_renamings()) return true;
            if (targets_.next()) {
                if (oddities() + commands_ == size_) choose_values();
            } else if (!next_threads()) {
                return false;
            }
        }
    }

    /// All numbers with so many digits, each digit below its own base, one after the other.
    class Digits {
    public:
        /// To before the first.
        void begin(std::vector<std::uint32_t> bases) {
            bases_ = std::move(bases);
            digits_.assign(bases_.size(), 0);
            state_ = State::before;
        }
        /// No next one, whatever it was.
        void end() { state_ = State::behind; }
        bool next() {
            if (state_ == State::behind) return false;
            if (state_ == State::before) {
                state_ = State::at;
                return true;
            }
            for (std::size_t i = digits_.size(); i-- > 0;) {
                if (++digits_[i] < bases_[i]) return true;
                digits_[i] = 0;
            }
            end();
            return false;
        }
        std::uint32_t operator[](std::size_t i) const { return digits_[i]; }

    private:
        enum class State : std::uint8_t { behind, at, before };
        std::vector<std::uint32_t> bases_;
        std::vector<std::uint32_t> digits_;
        State state_ = State::behind;
    };

    /// The next set of threads: fewer commands first, then fewer threads. chosen_ is in ascending order.
    bool next_threads() {
        std::uint32_t candidate = 0;
        while (true) {
            if (!chosen_.empty()) {
                candidate = chosen_.back() + 1;
                chosen_.pop_back();
            } else if (!next_size()) {
                return false;
            } else {
                candidate = 0;
            }
            // Until every thread is chosen, or there is none for the next place.
            while (find(candidate)) {
                chosen_.push_back(candidate);
                if (chosen_.size() == threads_) {
                    begin();
                    return true;
                }
            }
        }
    }
    bool next_size() {
        if (commands_ > 0 && threads_ < std::min(bound_.threads, commands_)) {
            ++threads_;
            return true;
        }
        threads_ = 1;
        if (commands_ < std::min(size_, bound_.commands)) {
            ++commands_;
        } else {
            if (size_ == bound_.size) return false;
            ++size_;
            // There is no program with so few commands that is so odd.
            unsigned const oddest = bound_.sends + bound_.receives + bound_.threads;
            commands_ = size_ > oddest ? size_ - oddest : 1;
            if (commands_ > bound_.commands) return false;
        }
        words_.up_to(std::min(commands_, bound_.thread_commands));
        return bound_.threads > 0 && bound_.commands > 0;
    }
    /// The first thread from w on that fits in behind those that are chosen.
    bool find(std::uint32_t& w) const {
        std::size_t commands = 0;
        unsigned sends = 0;
        unsigned receives = 0;
        unsigned locals = 0;
        for (std::uint32_t const c : chosen_) {
            commands += words_[c].moves.size();
            sends += words_[c].sends;
            receives += words_[c].receives;
            locals += words_[c].locals;
        }
        std::size_t const left = threads_ - chosen_.size();
        std::size_t const rest = commands_ - commands;
        std::size_t const longest = std::min<std::size_t>(rest / left, bound_.thread_commands);
        if (left == 1) {
            if (rest > longest) return false;
            w = std::max(w, words_.first(rest));
        }
        for (std::uint32_t const end = words_.first(longest + 1); w < end; w = words_.next_size(w))
            if (sends + words_[w].sends <= bound_.sends && receives + words_[w].receives <= bound_.receives &&
                locals + words_[w].locals <= bound_.locals)
                return true;
        return false;
    }

    Word const& word(std::size_t t) const { return words_[chosen_[threads_ - 1 - t]]; }

    /// The threads are chosen: what is fixed by that.
    void begin() {
        places_.clear();
        sends_.clear();
        spoken_.clear();
        first_send_.clear();
        first_spoken_.clear();
        like_threads_ = std::adjacent_find(chosen_.begin(), chosen_.end()) != chosen_.end();
        for (std::uint32_t t = 0; t < threads_; ++t) {
            Word const& w = word(t);
            for (std::uint32_t e = 0; e < w.endpoints; ++e)
                if ((w.receives_at >> e & 1U) != 0) places_.push_back({t, e});
            first_send_.push_back(static_cast<std::uint32_t>(sends_.size()));
            first_spoken_.push_back(static_cast<std::uint32_t>(spoken_.size()));
            std::size_t s = 0;
            for (Move const& move : w.moves)
                if (move.kind == Move::Kind::send) sends_.push_back({t, move.special, w.sent[s++]});
            for (Origin const& o : w.spoken) spoken_.push_back({t, false, o});
        }
        places_.push_back({}); // nobody's
        targets_.begin(std::vector(sends_.size(), static_cast<std::uint32_t>(places_.size())));
        values_.end();
    }

    /// Part of the program where a value is used: a send, or a local command.
    struct Use {
        std::uint32_t thread;
        bool special; // a send of (+ x 10)
        Origin x;
    };

    Place target(std::size_t s) const { return places_[targets_[s]]; }

    /// Sends to nobody, endpoints that are received at and not sent to, sends to the own thread, and groups of threads
    /// that have nothing to do with each other, but one.
    unsigned oddities() {
        unsigned odd = 0;
        std::uint32_t reached = 0; // places, one bit each
        std::array<std::uint32_t, 16> group{};
        for (std::uint32_t t = 0; t < threads_; ++t) group[t] = t;
        unsigned groups = threads_;
        for (std::size_t s = 0; s < sends_.size(); ++s) {
            Place const to = target(s);
            std::uint32_t const from = sends_[s].thread;
            reached |= 1U << targets_[s];
            if (to.thread == none || to.thread == from) {
                ++odd;
            } else if (std::uint32_t const old = group[to.thread]; old != group[from]) {
                --groups;
                for (std::uint32_t t = 0; t < threads_; ++t)
                    if (group[t] == old) group[t] = group[from];
            }
        }
        for (std::uint32_t p = 0; p + 1 < places_.size(); ++p) odd += 1U - (reached >> p & 1U);
        return odd + groups - 1;
    }

    /// The targets are chosen: which values each local command can speak of. Each is a send, or none.
    void choose_values() {
        std::vector<std::uint32_t> choices;
        options_.resize(spoken_.size());
        for (std::size_t i = 0; i < spoken_.size(); ++i) {
            auto& options = options_[i];
            options.clear();
            std::uint32_t relayed = none;
            if (spoken_[i].x.endpoint != Origin::nowhere)
                for (std::uint32_t s = 0; s < sends_.size(); ++s) {
                    if (target(s) != Place{spoken_[i].thread, spoken_[i].x.endpoint}) continue;
                    if (!sends_[s].special)
                        options.push_back(s);
                    else if (relayed == none)
                        relayed = s;
                }
            if (relayed != none || options.empty()) options.push_back(relayed);
            if (spoken_[i].x.endpoint == Origin::nowhere) options.push_back(another);
            choices.push_back(static_cast<std::uint32_t>(options.size()));
        }
        values_.begin(std::move(choices));
    }

    /// What a receive at a place gets, of the first number that is sent there, else of the first (+ x 10), else 1.
    unsigned value_at(Place place) const {
        unsigned added = 0;
        for (std::size_t hops = 0; hops <= sends_.size() && place.thread != none; ++hops) {
            std::uint32_t relayed = none;
            for (std::uint32_t s = 0; s < sends_.size(); ++s) {
                if (target(s) != place) continue;
                if (!sends_[s].special) return s + 1 + added;
                if (relayed == none) relayed = s;
            }
            if (relayed == none) break;
            Use const& from = sends_[relayed];
            added += added_to_sent + from.x.added;
            place = from.x.endpoint == Origin::nowhere ? Place{} : Place{from.thread, from.x.endpoint};
        }
        return first_value + added;
    }
    /// The v of local command i.
    unsigned value(std::size_t i) const {
        Use const& of = spoken_[i];
        std::uint32_t const s = options_[i][values_[i]];
        if (s == none) return first_value + of.x.added;
        if (s == another) return first_value + of.x.added + 1;
        if (!sends_[s].special) return s + 1 + of.x.added;
        Use const& from = sends_[s];
        Place const place = from.x.endpoint == Origin::nowhere ? Place{} : Place{from.thread, from.x.endpoint};
        return value_at(place) + from.x.added + added_to_sent + of.x.added;
    }

    /// Whether no other order of threads that are alike makes a program of the same kind that comes before this one.
    bool is_first_of_its_renamings() const {
        if (!like_threads_) return true;
        std::array<std::uint32_t, 16> renamed{};
        for (std::uint32_t t = 0; t < threads_; ++t) renamed[t] = t;
        while (std::next_permutation(renamed.begin(), renamed.begin() + threads_)) {
            bool alike = true;
            for (std::uint32_t t = 0; t < threads_ && alike; ++t)
                alike = chosen_[threads_ - 1 - t] == chosen_[threads_ - 1 - renamed[t]];
            if (alike && comes_before(renamed)) return false;
        }
        return true;
    }
    /// Whether the program in which thread renamed[t] has what thread t has comes before this one.
    bool comes_before(std::array<std::uint32_t, 16> const& renamed) const {
        std::array<std::uint32_t, 16> original{};
        for (std::uint32_t t = 0; t < threads_; ++t) original[renamed[t]] = t;
        for (std::uint32_t s = 0; s < sends_.size(); ++s) {
            std::uint32_t const t = sends_[s].thread;
            Place there = target(first_send_[original[t]] + (s - first_send_[t]));
            if (there.thread != none) there.thread = renamed[there.thread];
            if (there != target(s)) return there < target(s);
        }
        for (std::uint32_t i = 0; i < spoken_.size(); ++i) {
            std::uint32_t const t = spoken_[i].thread;
            std::uint32_t const from = first_spoken_[original[t]] + (i - first_spoken_[t]);
            std::uint32_t const here = number_of(options_[i][values_[i]]);
            std::uint32_t there = options_[from][values_[from]];
            if (there < another && !sends_[there].special)
                there = first_send_[renamed[sends_[there].thread]] + (there - first_send_[sends_[there].thread]);
            there = number_of(there);
            if (there != here) return there < here;
        }
        return false;
    }
    /// Of the sends of (+ x 10), only the first is spoken of, whichever it is.
    std::uint32_t number_of(std::uint32_t s) const { return s < another && sends_[s].special ? none : s; }

    SmallBound bound_;
    std::uint64_t every_;
    std::uint64_t next_number_;
    std::uint64_t number_ = 0;
    std::uint64_t count_ = 0;
    Words words_;

    unsigned size_ = 0;
    unsigned commands_ = 0;
    unsigned threads_ = 0;
    std::vector<std::uint32_t> chosen_; // words; the program's threads are these from the last to the first
    bool like_threads_ = false;
    std::vector<Place> places_; // where a send can go
    std::vector<Use> sends_;
    std::vector<Use> spoken_;               // the local commands with a v
    std::vector<std::uint32_t> first_send_; // of each thread
    std::vector<std::uint32_t> first_spoken_;
    Digits targets_;                                  // of each send
    std::vector<std::vector<std::uint32_t>> options_; // of each local command with a v
    Digits values_;                                   // which option it takes
};

draft::Draft SmallPrograms::Enumeration::draft() const {
    using Kind = Move::Kind;
    draft::Draft draft;
    draft.threads.resize(threads_);
    // Endpoints and variables are numbered as they come.
    std::vector<std::vector<std::uint32_t>> endpoints;
    for (std::size_t t = 0; t < threads_; ++t) endpoints.emplace_back(word(t).endpoints, none);
    std::uint32_t nobodys = none;
    std::uint32_t endpoint_count = 0;
    std::uint32_t variable_count = 0;
    std::uint32_t receive_count = 0;
    std::uint32_t send_count = 0;
    std::uint32_t spoken_count = 0;
    auto const endpoint = [&](std::size_t t, std::size_t e) {
        std::uint32_t& n = t == none ? nobodys : endpoints[t][e];
        if (n == none) n = endpoint_count++;
        return n;
    };
    auto const variable = [&] { return draft::small_variable(variable_count++); };
    for (std::size_t t = 0; t < threads_; ++t) {
        draft::Thread& thread = draft.threads[t];
        Progress p;
        std::vector<std::string> actions;
        std::vector<std::string> names;
        auto const x = [&]() -> std::string const& { return names[p.x()]; };
        for (Move const& move : word(t).moves) switch (move.kind) {
            case Kind::receive: {
                std::uint8_t const v = p.receive(move);
                if (v == names.size()) names.push_back(variable());
                actions.push_back(fmt::format("R{}", receive_count++));
                thread.push_back(draft::rcvi(actions.back(), endpoint(t, move.which), names[v]));
                break;
            }
            case Kind::send: {
                p.send(move);
                actions.push_back(fmt::format("S{}", send_count));
                std::uint32_t const alpha = endpoint(t, move.which);
                Place const to = target(send_count++);
                thread.push_back(draft::sndi(actions.back(), alpha, endpoint(to.thread, to.endpoint),
                                             move.special ? fmt::format("(+ {} {})", x(), added_to_sent)
                                                          : std::to_string(send_count)));
                break;
            }
            case Kind::wait:
                p.wait(move);
                thread.push_back(draft::wait(actions[move.which]));
                break;
            case Kind::assert_not:
                thread.push_back(draft::assert_(fmt::format("(!= {} {})", x(), value(spoken_count++))));
                break;
            case Kind::assume_not:
                thread.push_back(draft::assume(fmt::format("(!= {} {})", x(), value(spoken_count++))));
                break;
            case Kind::divide:
                thread.push_back(
                    draft::assign(variable(), fmt::format("(div 6 (- {} {}))", x(), value(spoken_count++))));
                break;
            case Kind::increase:
                p.increase();
                thread.push_back(draft::assign(x(), fmt::format("(+ {} {})", x(), added_by_assignment)));
                break;
            case Kind::assert_order:
                thread.push_back(draft::assert_(fmt::format("(< {} {})", names[p.y()], x())));
                break;
            case Kind::assert_false: thread.push_back(draft::assert_("false")); break;
            case Kind::assume_false: thread.push_back(draft::assume("false")); break;
            case Kind::begin:
                p.begin();
                names.push_back(variable());
                thread.push_back(draft::assign(names.back(), std::to_string(first_value)));
                break;
            }
    }
    return draft;
}

SmallBound small_bound(unsigned level) { return {.size = level}; }

SmallPrograms::SmallPrograms(SmallBound const& bound, std::uint64_t every, std::uint64_t offset)
    : enumeration_(std::make_unique<Enumeration>(bound, every, offset)) {}
SmallPrograms::SmallPrograms(SmallPrograms&&) noexcept = default;
SmallPrograms& SmallPrograms::operator=(SmallPrograms&&) noexcept = default;
SmallPrograms::~SmallPrograms() = default;

std::optional<draft::Draft> SmallPrograms::next() {
    if (!enumeration_->next()) return std::nullopt;
    return enumeration_->draft();
}

std::uint64_t SmallPrograms::number() const { return enumeration_->number(); }

std::uint64_t count_small_programs(SmallBound const& bound) {
    return SmallPrograms(bound, UINT64_MAX, UINT64_MAX).enumeration_->count_all();
}

} // namespace matchpoint::programs
