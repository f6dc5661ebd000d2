#include "tests/support/small_programs.hpp"
#include "tests/support/all_rooms.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace matchpoint::naive {

namespace {

/// One command of a thread, without names.
struct Move {
    enum class Kind { receive, send, wait, check };
    Kind kind = Kind::receive;
    std::size_t which = 0; ///< the endpoint received at or sent from; the request waited for; the form of the check
    bool special = false;  ///< the receive reuses a variable; the payload is a received value plus 1
    auto operator<=>(Move const&) const = default;
};

/// What is known of a thread in the making, or of a whole one.
struct Word {
    std::vector<Move> moves = {};
    std::size_t sends = 0;
    std::size_t receives = 0;
    std::size_t checks = 0;

    struct Request {
        bool receive = false;
        std::size_t endpoint = 0;
        std::size_t variable = 0; ///< of a receive
        bool waited = false;
        bool completed = false; ///< a receive by its wait or a later one, a send by its wait
    };
    std::vector<Request> requests = {};
    std::size_t endpoints = 0; ///< numbered in the order of their first use
    std::size_t variables = 0;
    std::vector<std::size_t> values = {}; ///< the variables of receives in the order in which they were completed

    std::set<std::size_t> receiving_endpoints() const {
        std::set<std::size_t> found;
        for (Request const& request : requests) {
            if (request.receive) {
                found.insert(request.endpoint);
            }
        }
        return found;
    }

    /// D3
    bool receives_have_waits() const {
        return std::all_of(requests.begin(), requests.end(),
                           [](Request const& r) { return !r.receive || r.completed; });
    }

    /// The variable of the last receive that was completed, and that of the one before.
    std::size_t x() const { return values.back(); }
    std::optional<std::size_t> y() const {
        if (values.size() < 2 || values[values.size() - 2] == x()) {
            return std::nullopt;
        }
        return values[values.size() - 2];
    }
};

constexpr std::size_t forms_of_one_variable = 3;

class Words {
public:
    explicit Words(SmallBound const& bound) : bound_(bound) { extend(Word{}); }

    std::vector<Word> const& all() const { return words_; }

private:
    /// Every thread that begins with `word`.
    void extend(Word const& word) {
        if (!word.moves.empty() && word.receives_have_waits()) {
            words_.push_back(word);
        }
        if (word.moves.size() == bound_.thread_commands) {
            return;
        }
        std::size_t const endpoints = std::min(word.endpoints + 1, bound_.endpoints);
        if (word.receives < bound_.receives) {
            for (std::size_t e = 0; e < endpoints; ++e) {
                receive(word, e, false);
                if (bound_.reuse && word.variables > 0) {
                    receive(word, e, true);
                }
            }
        }
        if (word.sends < bound_.sends) {
            for (std::size_t e = 0; e < endpoints; ++e) {
                send(word, e, false);
                if (!word.values.empty()) {
                    send(word, e, true);
                }
            }
        }
        for (std::size_t r = 0; r < word.requests.size(); ++r) {
            if (!word.requests[r].waited) {
                wait(word, r);
            }
        }
        if (word.checks < bound_.checks && !word.values.empty()) {
            for (std::size_t form = 0; form < forms_of_one_variable + (word.y().has_value() ? 1 : 0); ++form) {
                Word longer = word;
                longer.moves.push_back(Move{Move::Kind::check, form});
                ++longer.checks;
                extend(longer);
            }
        }
    }

    void receive(Word longer, std::size_t endpoint, bool reuse) {
        longer.moves.push_back(Move{Move::Kind::receive, endpoint, reuse});
        if (!reuse) {
            ++longer.variables;
        }
        ++longer.receives;
        longer.endpoints = std::max(longer.endpoints, endpoint + 1);
        // A reused variable is that of the receive before, which has the greatest number.
        longer.requests.push_back(Word::Request{true, endpoint, longer.variables - 1});
        extend(longer);
    }

    void send(Word longer, std::size_t endpoint, bool received) {
        longer.moves.push_back(Move{Move::Kind::send, endpoint, received});
        ++longer.sends;
        longer.endpoints = std::max(longer.endpoints, endpoint + 1);
        longer.requests.push_back(Word::Request{false, endpoint});
        extend(longer);
    }

    void wait(Word longer, std::size_t request) {
        longer.moves.push_back(Move{Move::Kind::wait, request});
        longer.requests[request].waited = true;
        for (std::size_t r = 0; r <= request; ++r) {
            Word::Request& earlier = longer.requests[r];
            bool const completes = r == request || (earlier.receive && longer.requests[request].receive &&
                                                    earlier.endpoint == longer.requests[request].endpoint);
            if (completes && !earlier.completed) {
                earlier.completed = true;
                if (earlier.receive) {
                    longer.values.push_back(earlier.variable);
                }
            }
        }
        extend(longer);
    }

    SmallBound const& bound_;
    std::vector<Word> words_ = {};
};

/// An endpoint, by its thread; none is one that nobody has.
struct Target {
    std::optional<std::size_t> thread = {};
    std::size_t endpoint = 0;
    auto operator<=>(Target const&) const = default;
};

/// A program in the making: its threads, and where their sends go, counted through the threads in order.
struct Shape {
    std::vector<Word const*> threads = {};
    std::vector<Target> targets = {};
};

/// Whether no renaming of threads that are alike gives targets that come before these.
bool is_first_of_its_renamings(Shape const& shape) {
    std::vector<std::size_t> first_send; // of each thread
    std::size_t sends = 0;
    for (Word const* const word : shape.threads) {
        first_send.push_back(sends);
        sends += word->sends;
    }
    std::vector<std::size_t> renamed(shape.threads.size());
    for (std::size_t t = 0; t < renamed.size(); ++t) {
        renamed[t] = t;
    }
    do {
        bool alike = true;
        std::vector<Target> targets(shape.targets.size());
        for (std::size_t t = 0; t < renamed.size() && alike; ++t) {
            alike = shape.threads[t] == shape.threads[renamed[t]];
            for (std::size_t k = 0; k < shape.threads[t]->sends && alike; ++k) {
                Target target = shape.targets[first_send[t] + k];
                if (target.thread.has_value()) {
                    target.thread = renamed[*target.thread];
                }
                targets[first_send[renamed[t]] + k] = target;
            }
        }
        if (alike && targets < shape.targets) {
            return false;
        }
    } while (std::next_permutation(renamed.begin(), renamed.end()));
    return true;
}

/// Gives names to a shape. `turn` chooses the closing checks.
class Naming {
public:
    Naming(Shape const& shape, SmallBound const& bound, std::size_t turn) : shape_(shape), bound_(bound), turn_(turn) {
        Endpoint endpoint = 0;
        for (std::size_t t = 0; t < shape.threads.size(); ++t) {
            for (std::size_t e = 0; e < shape.threads[t]->endpoints; ++e) {
                endpoints_[Target{t, e}] = endpoint++;
            }
        }
        endpoints_[Target{}] = endpoint;
    }

    Program program() {
        Program program;
        for (std::size_t t = 0; t < shape_.threads.size(); ++t) {
            program.threads.push_back(thread(t));
        }
        return program;
    }

private:
    Thread thread(std::size_t t) {
        Word const& word = *shape_.threads[t];
        Thread commands;
        auto const append = [&](auto what) {
            commands.push_back(Command{std::to_string(t) + std::to_string(commands.size()), std::move(what)});
        };
        std::vector<std::string> actions;
        // The word once more, to know which values there are where.
        std::vector<Word::Request> requests;
        std::vector<std::size_t> values;
        std::size_t variables = 0;
        for (Move const& move : word.moves) {
            switch (move.kind) {
            case Move::Kind::receive:
                variables += move.special ? 0 : 1;
                requests.push_back(Word::Request{true, move.which, variables - 1});
                actions.push_back("R" + std::to_string(++receives_));
                append(Rcvi{actions.back(), endpoints_.at(Target{t, move.which}), name(t, variables - 1)});
                break;
            case Move::Kind::send: {
                requests.push_back(Word::Request{false, move.which});
                Target const& target = shape_.targets[sends_++];
                actions.push_back("S" + std::to_string(sends_));
                Expression payload = move.special ? operation("+", variable(name(t, values.back())), number(1))
                                                  : number(static_cast<long>(sends_));
                append(Sndi{actions.back(), endpoints_.at(Target{t, move.which}), endpoints_.at(target),
                            std::move(payload)});
                break;
            }
            case Move::Kind::wait:
                append(Wait{actions[move.which]});
                for (std::size_t r = 0; r <= move.which; ++r) {
                    if (requests[r].receive && requests[move.which].receive && !requests[r].completed &&
                        requests[r].endpoint == requests[move.which].endpoint) {
                        requests[r].completed = true;
                        values.push_back(requests[r].variable);
                    }
                }
                break;
            case Move::Kind::check: check(append, t, move.which, values); break;
            }
        }
        if (bound_.closing && !values.empty()) {
            check(append, t, (turn_ + t) % forms_of_one_variable, values);
        }
        return commands;
    }

    void check(auto const& append, std::size_t t, std::size_t form, std::vector<std::size_t> const& values) const {
        Expression const x = variable(name(t, values.back()));
        switch (form) {
        case 0: append(Assert{operation(">", x, number(1))}); break;
        case 1: append(Assume{operation(">", x, number(1))}); break;
        case 2:
            append(Assign{"z" + std::to_string(t), operation("div", number(6), operation("-", x, number(1)))});
            break;
        default: append(Assert{operation("<", variable(name(t, values.at(values.size() - 2))), x)}); break;
        }
    }

    static std::string name(std::size_t thread, std::size_t variable) {
        return "x" + std::to_string(thread) + std::to_string(variable);
    }

    Shape const& shape_;
    SmallBound const& bound_;
    std::size_t turn_;
    std::map<Target, Endpoint> endpoints_ = {};
    std::size_t sends_ = 0;
    std::size_t receives_ = 0;
};

class Enumeration {
public:
    Enumeration(SmallBound const& bound, std::size_t every, std::size_t offset,
                std::function<void(Program const&)> const& visit)
        : bound_(bound), every_(every), offset_(offset), visit_(visit), words_(bound) {
        // Threads of one size and kind together, so that those that do not fit are passed over together.
        for (Word const& word : words_.all()) {
            sizes_[{word.moves.size(), word.sends, word.receives, word.checks}].push_back(&word);
        }
    }

    std::size_t go() {
        for (std::size_t threads = 1; threads <= bound_.threads; ++threads) {
            add_thread(threads, Shape{}, sizes_.begin(), 0);
        }
        return count_;
    }

private:
    using Size = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
    using Sizes = std::map<Size, std::vector<Word const*>>;

    static std::size_t total(Shape const& shape, std::size_t Word::*of) {
        std::size_t sum = 0;
        for (Word const* const word : shape.threads) {
            sum += word->*of;
        }
        return sum;
    }

    bool fits(Shape const& shape, Size const& size) const {
        auto const& [commands, sends, receives, checks] = size;
        std::size_t all = commands;
        for (Word const* const word : shape.threads) {
            all += word->moves.size();
        }
        return all <= bound_.commands && total(shape, &Word::sends) + sends <= bound_.sends &&
               total(shape, &Word::receives) + receives <= bound_.receives &&
               total(shape, &Word::checks) + checks <= bound_.checks;
    }

    /// Every program of so many more threads, none of which comes before word number `first` of size `from`.
    void add_thread(std::size_t left, Shape const& shape, Sizes::const_iterator from, std::size_t first) {
        if (left == 0) {
            aim(shape);
            return;
        }
        for (auto size = from; size != sizes_.end(); ++size) {
            if (!fits(shape, size->first)) {
                continue;
            }
            for (std::size_t w = size == from ? first : 0; w < size->second.size(); ++w) {
                Shape longer = shape;
                longer.threads.push_back(size->second[w]);
                add_thread(left - 1, longer, size, w);
            }
        }
    }

    /// Every way for the sends of a shape to go somewhere.
    void aim(Shape shape) {
        std::size_t const sends = total(shape, &Word::sends);
        std::size_t const receives = total(shape, &Word::receives);
        auto const has_endpoints = [this](Word const* word) { return word->endpoints >= bound_.least_endpoints; };
        if (sends + receives == 0 || std::max(sends, receives) < bound_.least_messages ||
            total(shape, &Word::checks) < bound_.least_checks ||
            std::none_of(shape.threads.begin(), shape.threads.end(), has_endpoints)) {
            return;
        }
        std::vector<Target> targets;
        for (std::size_t t = 0; t < shape.threads.size(); ++t) {
            for (std::size_t const e : shape.threads[t]->receiving_endpoints()) {
                targets.push_back(Target{t, e});
            }
        }
        // The last is a place that no thread has.
        std::size_t const nowhere = targets.size();
        targets.push_back(Target{});
        std::vector<std::size_t> choice(sends, 0);
        while (true) {
            std::set<std::size_t> const used(choice.begin(), choice.end());
            bool const loose = used.contains(nowhere) || used.size() < nowhere;
            if (loose == bound_.loose) {
                shape.targets.clear();
                for (std::size_t const c : choice) {
                    shape.targets.push_back(targets[c]);
                }
                if (is_first_of_its_renamings(shape)) {
                    found(shape);
                }
            }
            std::size_t digit = 0;
            while (digit < sends && ++choice[digit] == targets.size()) {
                choice[digit++] = 0;
            }
            if (digit == sends) {
                return;
            }
        }
    }

    /// The sum of a number's ternary digits: so every third program has not the same closing checks.
    static std::size_t turn(std::size_t number) { return number == 0 ? 0 : number % 3 + turn(number / 3); }

    void found(Shape const& shape) {
        if (count_ % every_ == offset_ % every_) {
            visit_(Naming(shape, bound_, turn(count_)).program());
        }
        ++count_;
    }

    SmallBound const& bound_;
    std::size_t every_;
    std::size_t offset_;
    std::function<void(Program const&)> const& visit_;
    Words words_;
    Sizes sizes_ = {};
    std::size_t count_ = 0;
};

} // namespace

std::vector<SmallBound> const& small_bounds() {
    static std::vector<SmallBound> const bounds = {
        // Two messages, everything
        {.commands = 9, .thread_commands = 6, .endpoints = 2, .checks = 1, .reuse = true},
        // An assumption and an assertion, two assertions, ...
        {.commands = 8, .thread_commands = 6, .endpoints = 1, .checks = 2, .least_checks = 2},
        // MessageIndex that nobody receives, receives that nobody sends to
        {.commands = 6, .thread_commands = 4, .endpoints = 2, .checks = 1, .loose = true},
        // Three messages, up to four threads
        {.threads = 4,
         .sends = 3,
         .receives = 3,
         .commands = 10,
         .thread_commands = 5,
         .endpoints = 1,
         .checks = 0,
         .closing = true,
         .least_messages = 3},
        // Three messages, some thread with two endpoints
        {.threads = 3,
         .sends = 3,
         .receives = 3,
         .commands = 9,
         .thread_commands = 4,
         .endpoints = 2,
         .checks = 0,
         .closing = true,
         .least_messages = 3,
         .least_endpoints = 2},
    };
    return bounds;
}

std::size_t for_each_small_program(SmallBound const& bound, std::size_t every, std::size_t offset,
                                   std::function<void(Program const&)> const& visit) {
    return Enumeration(bound, every, offset, visit).go();
}

std::size_t for_each_small_program(std::size_t every, std::size_t offset,
                                   std::function<void(Program const&)> const& visit) {
    std::size_t count = 0;
    for (SmallBound const& bound : small_bounds()) {
        // The first of this bound is number `count`.
        std::size_t const here = (offset % every + every - count % every) % every;
        count += for_each_small_program(bound, every, here, visit);
    }
    return count;
}

} // namespace matchpoint::naive
