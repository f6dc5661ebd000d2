#include "programs/small.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "grammar/operators.hpp"
#include "programs/names.hpp"
#include "programs/small_threads.hpp"

namespace matchpoint::programs {

namespace {

constexpr std::uint32_t none = 0xFFFF'FFFF;
constexpr std::uint32_t another = none - 1;

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
    /// The first thread from w on that fits in after the chosen ones.
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
    /// Only the first send of (+ x 10) is spoken of, whichever it is.
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
        auto const x = [&] { return draft::variable(names[p.x()]); };
        auto const spoken = [&] { return draft::number(value(spoken_count++)); };
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
                                             move.special ? operation(Op::plus, x(), draft::number(added_to_sent))
                                                          : draft::number(send_count)));
                break;
            }
            case Kind::wait:
                p.wait(move);
                thread.push_back(draft::wait(actions[move.which]));
                break;
            case Kind::assert_not: thread.push_back(draft::assert_(operation(Op::not_equal, x(), spoken()))); break;
            case Kind::assume_not: thread.push_back(draft::assume(operation(Op::not_equal, x(), spoken()))); break;
            case Kind::divide:
                thread.push_back(draft::assign(
                    variable(), operation(Op::div, draft::number(6), operation(Op::minus, x(), spoken()))));
                break;
            case Kind::increase:
                p.increase();
                thread.push_back(
                    draft::assign(names[p.x()], operation(Op::plus, x(), draft::number(added_by_assignment))));
                break;
            case Kind::assert_order:
                thread.push_back(draft::assert_(operation(Op::less, draft::variable(names[p.y()]), x())));
                break;
            case Kind::assert_false: thread.push_back(draft::assert_(draft::truth(false))); break;
            case Kind::assume_false: thread.push_back(draft::assume(draft::truth(false))); break;
            case Kind::begin:
                p.begin();
                names.push_back(variable());
                thread.push_back(draft::assign(names.back(), draft::number(first_value)));
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
