#include "tests/support/common_endpoints.hpp"

#include <string>
#include <utility>
#include <vector>

#include "programs/dice.hpp"

namespace matchpoint::naive {

namespace {

using programs::Dice;

/// A program under construction. Names of actions, locations and local variables are used once.
class Builder {
public:
    Builder() { program_.shared = {{"x", number(0)}, {"l", number(1)}}; }

    void begin_thread() {
        finish_thread();
        program_.threads.emplace_back();
        locals_.clear();
    }
    Program take() {
        finish_thread();
        return std::move(program_);
    }

    void add(decltype(Command::what) what) {
        program_.threads.back().push_back({"c" + std::to_string(commands_++), std::move(what)});
    }
    std::string new_name(char kind) { return kind + std::to_string(names_++); }
    /// A local variable that has a value, the last one; empty if there is none.
    std::string local() const { return locals_.empty() ? "" : locals_.back(); }

    void receive(Endpoint beta, Selectors sel = {}) {
        std::string const r = new_name('R');
        std::string const t = new_name('t');
        add(Rcvi{r, beta, t, std::nullopt, std::move(sel)});
        add(Wait{r});
        locals_.push_back(t);
    }
    /// Its wait comes at the end of the thread.
    void post(Endpoint beta) {
        pending_.push_back(new_name('R'));
        add(Rcvi{pending_.back(), beta, new_name('t')});
    }
    /// The variable has a value before, which others can tell from the one that is received.
    void receive_into_old(Endpoint beta, bool asserts) {
        std::string const r = new_name('R');
        std::string const t = new_name('t');
        add(Assign{t, number(7)});
        add(Rcvi{r, beta, t});
        if (asserts)
            add(Assert{operation("=", variable(t), number(7))});
        else
            add(Assign{"x", variable(t)});
        add(Wait{r});
        locals_.push_back(t);
    }
    void probe(Endpoint beta, Selectors sel = {}) {
        std::string const y = new_name('y');
        sel.source = y;
        add(Probe{new_name('P'), beta, std::move(sel), false});
        locals_.push_back(y);
    }
    void matched_probe(Endpoint beta, Selectors sel = {}) {
        std::string const p = new_name('M');
        std::string const t = new_name('t');
        add(Probe{p, beta, std::move(sel), true});
        add(Start{p, t});
        add(Wait{p});
        locals_.push_back(t);
    }
    void send(Endpoint alpha, Endpoint beta, Expression e, bool waits, Mode mode = Mode::standard) {
        std::string const s = new_name('S');
        add(Sndi{s, alpha, beta, std::move(e), std::nullopt, std::nullopt, mode});
        if (waits) add(Wait{s});
    }

private:
    void finish_thread() {
        for (std::string const& r : std::exchange(pending_, {})) add(Wait{r});
    }

    Program program_;
    std::vector<std::string> locals_; // of the thread, as far as they are defined
    std::vector<std::string> pending_;
    std::size_t commands_ = 0;
    std::size_t names_ = 0;
};

constexpr Endpoint common = 0;
constexpr Endpoint first_source = 5;
constexpr Endpoint second_source = 6;

constexpr std::size_t kinds_of_parts = 8;

void add_part(Builder& b, std::size_t kind) {
    switch (kind) {
    case 0: return b.receive(common);
    case 1: return b.receive(common, {.from = std::vector<Endpoint>{first_source}});
    case 2: return b.post(common);
    case 3: return b.probe(common);
    case 4: return b.matched_probe(common);
    case 5: return b.send(common, common, number(3), true);
    case 6: return b.receive_into_old(common, true);
    default: break;
    }
    if (b.local().empty())
        b.add(Assign{"x", operation("+", variable("x"), number(1))});
    else
        b.add(Assert{operation("!=", variable(b.local()), number(2))});
}

} // namespace

void for_each_small_program_with_common_endpoint(std::size_t parts, std::size_t every,
                                                 std::function<void(Program const&)> const& visit) {
    std::size_t all = 1;
    for (std::size_t k = 0; k < parts; ++k) all *= kinds_of_parts;
    std::size_t count = 0;
    for (std::size_t of_first = (parts + 1) / 2; of_first < parts; ++of_first)
        for (std::size_t messages = 1; messages <= 2; ++messages)
            for (std::size_t n = 0; n < all; ++n) {
                if (count++ % every != 0) continue;
                Builder b;
                std::size_t rest = n;
                for (std::size_t k = 0; k < parts; ++k, rest /= kinds_of_parts) {
                    if (k == 0 || k == of_first) b.begin_thread();
                    add_part(b, rest % kinds_of_parts);
                }
                b.begin_thread();
                b.send(first_source, common, number(1), true);
                if (messages > 1) b.send(second_source, common, number(2), false);
                visit(b.take());
            }
}

namespace {

class Generator {
public:
    Generator(std::uint64_t seed, std::uint64_t i, bool plain) : dice_(seed, i), plain_(plain) {}

    Program take() {
        std::size_t const threads = 2 + (dice_.percent(25) ? 1 : 0);
        for (std::size_t t = 0; t < threads; ++t) {
            b_.begin_thread();
            std::size_t const parts = 1 + dice_.below(threads == 2 ? 3 : 2);
            for (std::size_t k = 0; k < parts; ++k) some_part();
        }
        b_.begin_thread();
        std::size_t const messages = 1 + dice_.below(3);
        for (std::size_t k = 0; k < messages; ++k)
            b_.send(first_source + static_cast<Endpoint>(dice_.below(2)), some_endpoint(), value(), dice_.percent(60),
                    mode());
        return b_.take();
    }

private:
    Endpoint some_endpoint() { return dice_.percent(75) ? 0 : 1; }
    Expression value() { return number(static_cast<int>(1 + dice_.below(3))); }
    Mode mode() {
        if (plain_ || !dice_.percent(20)) return Mode::standard;
        return dice_.percent(50) ? Mode::synchronous : Mode::buffered;
    }
    Selectors some_selectors() {
        Selectors result;
        if (plain_ || !dice_.percent(40)) return result;
        result.from = std::vector<Endpoint>{dice_.percent(70) ? first_source : second_source};
        if (dice_.percent(30)) result.from->push_back(some_endpoint());
        return result;
    }

    void some_part() {
        switch (dice_.below(plain_ ? 8 : 11)) {
        case 0:
        case 1: return b_.receive(some_endpoint(), some_selectors());
        case 2: return b_.post(some_endpoint());
        case 3: return b_.send(some_endpoint(), some_endpoint(), value(), dice_.percent(50), mode());
        case 4:
            if (!plain_) return b_.receive_into_old(some_endpoint(), dice_.percent(50));
            return b_.receive(some_endpoint());
        case 5: return b_.add(Assign{"x", operation("+", variable("x"), number(1))});
        case 6: return b_.add(Guarded{operation(">", variable("x"), number(0)), {}, dice_.percent(60)});
        case 8:
        case 9: return b_.probe(some_endpoint(), some_selectors());
        case 10: return b_.matched_probe(some_endpoint(), some_selectors());
        default: break;
        }
        std::string const t = b_.local().empty() ? "x" : b_.local();
        Expression const is = operation(dice_.percent(50) ? "=" : "<=", variable(t), value());
        if (dice_.percent(70))
            b_.add(Assert{is});
        else
            b_.add(Assume{is});
    }

    Dice dice_;
    bool plain_;
    Builder b_;
};

} // namespace

Program common_endpoints_program(std::uint64_t seed, std::uint64_t i, bool plain) {
    return Generator(seed, i, plain).take();
}

} // namespace matchpoint::naive
