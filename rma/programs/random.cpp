#include "rma/programs/random.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "grammar/operators.hpp"
#include "programs/dice.hpp"
#include "rma/language/parse.hpp"
#include "rma/language/print.hpp"

namespace matchpoint::rma {

namespace {

using programs::Dice;

/// Where statements are, which decides what they may be.
struct Place {
    bool in_atomic = false;
    bool in_loop = false;  ///< that is counted
    bool may_go_on = true; ///< may hold statements with parts
};

struct Variables {
    std::vector<std::string> shared;
    std::vector<std::string> locals;
    std::string flag;  ///< a shared boolean, if the program has booleans
    std::string truth; ///< a local one
};

class RandomText {
public:
    RandomText(std::uint64_t seed, std::uint64_t number, RandomShape const& shape)
        : dice_(seed, number), shape_(shape), statements_(4 + dice_.below(shape.statements - 3)), remote_(shape.remote),
          booleans_(dice_.percent(shape.booleans)), unbounded_(dice_.percent(shape.unbounded)),
          variables_(dice_.percent(shape.third) ? 3 : 2), labels_(variables_.size()) {}

    std::string run() {
        for (unsigned p = 0; p < variables_.size(); ++p) declare(p);
        std::string text = "(rma";
        for (unsigned p = 0; p < variables_.size(); ++p) text += process(p);
        if (dice_.percent(shape_.properties)) text += property();
        if (dice_.percent(shape_.properties / 4)) text += property();
        return text + ")";
    }

private:
    void declare(unsigned p) {
        Variables& v = variables_[p];
        for (unsigned n = 1 + dice_.below(2); n > 0; --n)
            v.shared.push_back(fmt::format("{}{}", n == 1 ? 'X' : 'Y', p + 1));
        for (unsigned n = 1 + dice_.below(2); n > 0; --n)
            v.locals.push_back(fmt::format("{}{}", n == 1 ? 'u' : 'v', p + 1));
        if (booleans_) v.flag = fmt::format("B{}", p + 1), v.truth = fmt::format("b{}", p + 1);
    }

    std::string process(unsigned p) {
        p_ = p;
        counters_ = 0;
        itself_ = false;
        // Statements that are left over go to the last process.
        unsigned const left = static_cast<unsigned>(variables_.size()) - p;
        unsigned const count = left == 1 ? statements_ : dice_.below(2 * statements_ / left + 1);
        std::string body;
        for (unsigned const end = statements_ - std::min(count, statements_); statements_ > end;) body += statement({});
        return fmt::format("(process {} {} {} {} bot)", p + 1, shared(p), local(p), body);
    }

    std::string shared(unsigned p) {
        std::string text = "(shared";
        for (std::string const& x : variables_[p].shared) text += fmt::format(" ({} {})", x, dice_.below(4));
        if (booleans_) text += fmt::format(" ({} {})", variables_[p].flag, dice_.percent(50));
        return text + ")";
    }

    std::string local(unsigned p) const {
        std::string text = "(local";
        for (std::string const& u : variables_[p].locals) text += fmt::format(" ({} 0)", u);
        if (booleans_) text += fmt::format(" ({} false)", variables_[p].truth);
        for (unsigned i = 0; i < counters_; ++i) text += fmt::format(" ({} 0)", counter(p, i));
        return text + ")";
    }

    static std::string counter(unsigned p, unsigned i) { return fmt::format("i{}_{}", p + 1, i); }

    Variables const& own() const { return variables_[p_]; }
    unsigned another() {
        return (p_ + 1 + dice_.below(variables_.size() - 1)) % static_cast<unsigned>(variables_.size());
    }
    std::string some(std::vector<std::string> const& names) { return names[dice_.below(names.size())]; }
    /// Whether this one is about booleans.
    bool is_boolean() { return booleans_ && dice_.percent(35); }

    // ---- statements

    std::string statement(Place place) {
        --statements_;
        if (dice_.percent(15) && !place.in_loop && !place.in_atomic) {
            std::string const label = fmt::format("l{}_{}", p_ + 1, labels_[p_]++);
            return fmt::format("[{} {}]", label, command(place));
        }
        return command(place);
    }

    std::string command(Place place) {
        if (place.may_go_on && statements_ > 0 && dice_.percent(22)) return with_parts(place);
        unsigned const roll = dice_.below(100);
        if (roll < 40 && (remote_ > (place.in_loop ? 1U : 0U))) return remote(place);
        if (roll < 54) return flush();
        if (roll < 70) return load();
        if (roll < 84) return store();
        if (roll < 89) return assign();
        if (roll < 93) return choose();
        if (roll < 95) return fmt::format("(assume {})", condition());
        if (roll < 99) return fmt::format("(assert {})", condition());
        return " skip ";
    }

    std::string remote(Place place) {
        remote_ -= place.in_loop ? 2 : 1;
        if (shape_.atomics > 0 && dice_.percent(shape_.atomics)) return atomic_on();
        unsigned const there = another();
        bool const boolean = is_boolean();
        std::string const here = boolean ? own().flag : some(own().shared);
        std::string const remote = boolean ? variables_[there].flag : some(variables_[there].shared);
        return dice_.percent(55) ? fmt::format("(put {} {} {})", remote, there + 1, here)
                                 : fmt::format("(get {} {} {})", here, remote, there + 1);
    }

    /// One of the remote atomics, now and then on a variable of the process itself.
    std::string atomic_on() {
        bool const boolean = is_boolean();
        unsigned const there = dice_.percent(20) ? p_ : another();
        itself_ = itself_ || there == p_;
        auto const own_one = [&] { return boolean ? own().flag : some(own().shared); };
        std::string const Z = own_one();
        std::string const Y = boolean ? variables_[there].flag : some(variables_[there].shared);
        std::string const X = own_one();
        if (dice_.percent(30)) return fmt::format("(compare-and-swap {} {} {} {} {})", X, Y, there + 1, own_one(), Z);
        static constexpr std::array<char const*, 6> numbers{"+", "*", "min", "max", "replace", "no-op"};
        static constexpr std::array<char const*, 5> booleans{"and", "or", "xor", "replace", "no-op"};
        std::string const op = boolean ? dice_.one_of(booleans) : dice_.percent(40) ? "+" : dice_.one_of(numbers);
        if (dice_.percent(50)) return fmt::format("(accumulate {} {} {} {})", Y, there + 1, op, Z);
        return fmt::format("(fetch-and-op {} {} {} {} {})", X, Y, there + 1, op, Z);
    }

    std::string flush() { return fmt::format("(flush {})", itself_ && dice_.percent(30) ? p_ + 1 : another() + 1); }

    // Dice are rolled in an order that the standard fixes: one argument of a call has them, at most.

    std::string load() {
        if (is_boolean()) return fmt::format("(load {} {})", own().truth, own().flag);
        std::string const u = some(own().locals);
        return fmt::format("(load {} {})", u, some(own().shared));
    }
    std::string store() {
        if (is_boolean()) return fmt::format("(store {} {})", own().flag, condition());
        std::string const x = some(own().shared);
        return fmt::format("(store {} {})", x, number());
    }

    std::string assign() {
        if (is_boolean()) return fmt::format("({} := {})", own().truth, condition());
        std::string const u = some(own().locals);
        return fmt::format("({} := {})", u, number());
    }

    std::string choose() {
        if (is_boolean()) return fmt::format("(choose {} true false)", own().truth);
        std::string const u = some(own().locals);
        unsigned const low = dice_.below(2);
        return fmt::format("(choose {} {} {})", u, low, 2 + dice_.below(2));
    }

    std::string with_parts(Place place) {
        place.may_go_on = place.may_go_on && dice_.percent(30);
        switch (dice_.below(6)) {
        case 0:
        case 1:
            if (!place.in_atomic) return atomic(place);
            return if_(place);
        case 2:
        case 3: return if_(place);
        case 4: return place.in_loop ? wait() : counted(place);
        default: return wait();
        }
    }

    std::string some_statements(Place place, unsigned most) {
        std::string text;
        for (unsigned n = 1 + dice_.below(most); n > 0 && statements_ > 0; --n) text += statement(place);
        return text;
    }

    std::string atomic(Place place) {
        place.in_atomic = true;
        return fmt::format("(atomic {})", some_statements(place, 3));
    }

    std::string if_(Place place) {
        std::string const e = condition();
        std::string const then = some_statements(place, 2);
        if (dice_.percent(60)) return fmt::format("(if {} ({}))", e, then);
        return fmt::format("(if {} ({}) ({}))", e, then, some_statements(place, 1));
    }

    /// Twice through something, with `while` or with `goto`.
    std::string counted(Place place) {
        place.in_loop = true;
        std::string const i = counter(p_, counters_++);
        std::string const body = some_statements(place, 2);
        if (place.in_atomic || dice_.percent(60))
            return fmt::format("(while (< {} 2) ({} := (+ {} 1)) {})", i, i, i, body);
        std::string const label = fmt::format("again{}_{}", p_ + 1, counters_);
        // The `if` makes it one statement, which may have a location of its own.
        return fmt::format("(if true ([{} ({} := (+ {} 1))] {} (if (< {} 2) ((goto {})))))", label, i, i, body, i,
                           label);
    }

    /// Waits for what another process does. It changes nothing without end, except in programs that may.
    std::string wait() {
        std::string const u = some(own().locals);
        std::string const x = some(own().shared);
        std::string const what = fmt::format("(load {} {})", u, x);
        unsigned const there = another();
        std::string const get = fmt::format("(get {} {} {})", x, some(variables_[there].shared), there + 1);
        char const* const op = dice_.percent(50) ? "=" : "<";
        std::string const test = fmt::format("({} {} {})", op, u, dice_.below(3));
        if (unbounded_) return fmt::format("(while {} {} {})", test, get, what);
        if (remote_ == 0 || dice_.percent(50)) return fmt::format("(while {} {})", test, what);
        --remote_;
        return fmt::format("(while {} {} (flush {}) {})", test, get, there + 1, what);
    }

    // ---- expressions over local variables of the process

    std::string number() {
        if (shape_.choices > 0 && dice_.percent(shape_.choices)) return choice();
        std::string u = some(own().locals);
        switch (dice_.below(9)) {
        case 0:
        case 1:
        case 2:
        case 3: return fmt::format("{}", dice_.below(4));
        case 4:
        case 5: return u;
        case 6: return fmt::format("(mod (+ {} 1) 3)", u);
        case 7: return fmt::format("(- {} {})", dice_.below(3), u);
        default: return dice_.percent(20) ? fmt::format("(div 2 {})", u) : fmt::format("(mod (* {} 2) 3)", u);
        }
    }

    std::string choice() {
        static auto const operators = grammar::ops_where([](Op op) { return grammar::is_choice(op); });
        Op const op = dice_.one_of(operators);
        std::string text = fmt::format("({} {}", grammar::to_string(op), some_comparison());
        for (std::size_t k = 1; k < grammar::arity(op); ++k) text += " " + number();
        return text + ")";
    }

    std::string comparison(std::string const& a, std::string const& b) {
        static auto const operators = grammar::ops_where([](Op op) { return grammar::as_relation(op) != nullptr; });
        return fmt::format("({} {} {})", grammar::to_string(dice_.one_of(operators)), a, b);
    }

    std::string condition() {
        if (is_boolean()) return dice_.percent(50) ? own().truth : fmt::format("(not {})", own().truth);
        std::string const first = some_comparison();
        return dice_.percent(15) ? combined(first, some_comparison()) : first;
    }

    std::string some_comparison() {
        std::string const u = some(own().locals);
        return comparison(u, number());
    }

    std::string combined(std::string const& a, std::string const& b) {
        static auto const operators =
            grammar::ops_where([](Op op) { return grammar::is_connective(op) && grammar::arity(op) == 2; });
        return fmt::format("({} {} {})", grammar::to_string(dice_.one_of(operators)), a, b);
    }

    // ---- properties, over all variables

    std::string property() {
        std::string const e = dice_.percent(60) ? rare() : arbitrary();
        return dice_.percent(70) ? fmt::format("(assert final {})", e) : fmt::format("(invariant {})", e);
    }

    /// What few states break: two variables have not just these values.
    std::string rare() {
        std::string text = "(or";
        for (unsigned n = 0; n < 2; ++n) {
            Variables const& v = variables_[dice_.below(variables_.size())];
            std::string const x = dice_.percent(50) ? some(v.shared) : some(v.locals);
            text += fmt::format(" (!= {} {})", x, dice_.below(4));
        }
        return text + ")";
    }

    std::string arbitrary() {
        std::string const first = fact();
        return combined(first, fact());
    }

    std::string fact() {
        unsigned const p = dice_.below(variables_.size());
        if (labels_[p] > 0 && dice_.percent(25))
            return fmt::format("(not (at {} l{}_{}))", p + 1, p + 1, dice_.below(labels_[p]));
        Variables const& v = variables_[p];
        if (is_boolean()) return dice_.percent(50) ? v.flag : fmt::format("(not {})", v.truth);
        std::string const x = dice_.percent(50) ? some(v.shared) : some(v.locals);
        Variables const& w = variables_[dice_.below(variables_.size())];
        return comparison(x, dice_.percent(30) ? some(w.shared) : fmt::format("{}", dice_.below(4)));
    }

    Dice dice_;
    RandomShape const& shape_;
    unsigned statements_; // still to be made
    unsigned remote_;     // still allowed
    bool booleans_;
    bool unbounded_;
    std::vector<Variables> variables_; // by process
    std::vector<unsigned> labels_;     // by process: how many
    unsigned p_ = 0;                   // the process that is being made
    unsigned counters_ = 0;            // of its loops
    bool itself_ = false;              // it has atomics on its own variables
};

} // namespace

Program random_program(std::uint64_t seed, std::uint64_t number, RandomShape const& shape) {
    Source const source("random", RandomText(seed, number, shape).run());
    auto program = parse_rma(source);
    if (!program) throw std::logic_error("a random program is none: " + render(program.error(), source));
    return std::move(*program);
}

std::string random_text(std::uint64_t seed, std::uint64_t number, RandomShape const& shape) {
    return print(random_program(seed, number, shape));
}

} // namespace matchpoint::rma
