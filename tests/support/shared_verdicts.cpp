#include "tests/support/shared_verdicts.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "check/continuation.hpp"
#include "executions/shared/sharing.hpp"
#include "programs/dice.hpp"

namespace matchpoint::naive {

namespace {

using programs::Dice;

/// A program under construction. Thread t receives at endpoint t and sends from it.
class SharedGenerator {
public:
    /// Every fourth program has choices; the others are the same as ever.
    SharedGenerator(std::uint64_t seed, std::uint64_t i)
        : dice_(seed, i), twins_(seed + 1, i), atomics_(seed + 2, i), choices_(i % 4 == 3) {}

    Program take() {
        program_.shared = {{"x", number(0)}, {"y", number(static_cast<int>(dice_.below(2)))}, {"l", number(1)}};
        std::size_t const threads = 2 + dice_.below(2);
        has_messages_ = dice_.percent(30);
        threads_ = threads;
        for (std::size_t t = 0; t < threads; ++t) {
            Dice const before = dice_;
            add_thread(t);
            // The same choices again: a thread that is alike, but for the names of its local variables.
            for (; !has_messages_ && t + 1 < threads && twins_.percent(30); ++t) {
                Dice const after = std::exchange(dice_, before);
                add_thread(t + 1);
                dice_ = after;
            }
        }
        for (char const* const x : {"x", "y"})
            if (atomics_.percent(15)) program_.atomic.insert(x);
        return program_;
    }

private:
    void add_thread(std::size_t t) {
        locals_.clear();
        program_.threads.emplace_back();
        std::size_t const commands = 1 + dice_.below(threads_ == 2 ? 4 : 3);
        for (std::size_t c = 0; c < commands; ++c) some_command(t);
    }
    void add(auto what) {
        program_.threads.back().push_back({"c" + std::to_string(next_location_++), std::move(what)});
    }

    std::string some_shared() { return std::array{"x", "y", "l"}[dice_.below(3)]; }
    Expression atom() {
        if (!locals_.empty() && dice_.percent(30)) return variable(dice_.one_of(locals_));
        if (dice_.percent(60)) return variable(some_shared());
        return number(static_cast<int>(dice_.below(3)));
    }
    /// Of integers: a branch can divide, so that a fault depends on the condition.
    Expression choice_of_integers() {
        Expression c = comparison(atom());
        Expression chosen = dice_.percent(25) ? operation("div", number(2), atom()) : atom();
        return choice(std::move(c), std::move(chosen), atom());
    }
    Expression integer() {
        if (choices_ && dice_.percent(40)) return choice_of_integers();
        if (dice_.percent(60)) return atom();
        if (dice_.percent(6)) return operation("div", number(2), atom());
        return operation(dice_.percent(50) ? "+" : "-", atom(), atom());
    }
    Expression comparison(Expression right) {
        return operation(dice_.percent(50) ? "=" : "<", atom(), std::move(right));
    }
    Expression condition() {
        if (choices_ && dice_.percent(20)) {
            Expression c = comparison(atom());
            Expression chosen = comparison(integer());
            return choice(std::move(c), std::move(chosen), comparison(integer()));
        }
        static std::array<std::string, 4> const ops{"=", "!=", "<", ">="};
        Expression e = operation(dice_.one_of(ops), atom(), integer());
        return dice_.percent(10) ? operation("or", e, operation("=", atom(), atom())) : e;
    }
    std::string new_local() { return "t" + std::to_string(next_local_++); }

    std::vector<Store> stores(std::size_t least) {
        std::vector<Store> result;
        std::vector<std::string> defined;
        for (char const* const x : {"x", "y", "l"})
            if (dice_.percent(30)) result.push_back({x, integer()});
        if (dice_.percent(20) || result.size() < least) {
            defined.push_back(new_local());
            result.push_back({defined.back(), integer()});
        }
        locals_.insert(locals_.end(), defined.begin(), defined.end());
        return result;
    }

    void some_command(std::size_t t) {
        std::uint32_t const kind = dice_.below(has_messages_ ? 13 : 10);
        switch (kind) {
        case 0: add(Assign{some_shared(), integer()}); break;
        case 1: {
            Expression e = integer();
            locals_.push_back(new_local());
            add(Assign{locals_.back(), e});
            break;
        }
        case 2: add(Assume{condition()}); break;
        case 3:
        case 4: add(Assert{condition()}); break;
        case 5: {
            Expression guard = condition();
            add(Guarded{guard, stores(1), false});
            break;
        }
        case 6: {
            Expression guard = condition();
            add(Guarded{guard, stores(0), true});
            break;
        }
        case 7:
        case 8:
            add(Guarded{
                operation(">", variable("l"), number(0)), {{"l", operation("-", variable("l"), number(1))}}, true});
            break;
        case 9: add(Assign{"l", operation("+", variable("l"), number(1))}); break;
        default: some_message(t); break;
        }
    }

    void some_message(std::size_t t) {
        std::string const n = std::to_string(next_action_++);
        auto const own = static_cast<Endpoint>(t);
        if (dice_.percent(50)) {
            add(Sndi{"S" + n, own, static_cast<Endpoint>(dice_.below(threads_)), integer()});
            if (dice_.percent(60)) add(Wait{"S" + n});
            return;
        }
        std::string const x = dice_.percent(40) ? some_shared() : new_local();
        add(Rcvi{"R" + n, own, x});
        if (dice_.percent(20)) add(Assign{some_shared(), integer()});
        add(Wait{"R" + n});
        if (x[0] == 't') locals_.push_back(x);
    }

    Dice dice_;
    Dice twins_;
    Dice atomics_;
    Program program_;
    std::vector<std::string> locals_; // of the thread that is being made, as far as they are defined
    std::size_t threads_ = 0;
    bool choices_;
    bool has_messages_ = false;
    std::size_t next_location_ = 0;
    std::size_t next_local_ = 0;
    std::size_t next_action_ = 0;
};

Buffering of(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

std::string_view word(Verdict v) {
    return v == Verdict::violated ? "violated" : v == Verdict::safe ? "safe" : "vacuous";
}

Wrong answer_is_right(std::string_view what, Reached const& reached, bool truth) {
    auto const expected = truth ? Reached::Answer::yes : Reached::Answer::no;
    if (reached.answer == expected) return std::nullopt;
    return fmt::format("{}: answer {}, truth {}", what, static_cast<int>(reached.answer), truth);
}

/// The schedule leads to a state where threads wait for what cannot come, or to a fault, on the path.
Wrong stop_is_right(Subject const& subject, bool zero, Reached const& reached, bool is_fault) {
    if (reached.answer != Reached::Answer::yes) return std::nullopt;
    Machine machine(*subject.loaded.code, of(zero));
    Outcome const outcome = machine::run(machine, reached.schedule, Extent::prefix);
    if (is_fault != outcome.error.has_value()) return "a stop does not replay";
    if (!is_fault && outcome.s >= machine::Status::infeasible) return "a deadlock off the path";
    return std::nullopt;
}

/// The answer is the truth's, and the schedule leads to a state in front of both commands.
Wrong race_is_right(Subject const& subject, bool zero, std::optional<Race> const& race, bool truth) {
    auto const expected = truth ? Reached::Answer::yes : Reached::Answer::no;
    if (!race || race->answer != expected) return fmt::format("data race: not as the truth, {}", truth);
    if (!truth) return std::nullopt;
    Machine machine(*subject.loaded.code, of(zero));
    Outcome const outcome = machine::run(machine, race->schedule, Extent::prefix);
    auto const stands_at = [&](Location rho) {
        return machine.state().ctp[subject.loaded.code->thread_of(rho)] == rho.index;
    };
    bool const is_there = !outcome.error && outcome.s < machine::Status::infeasible && stands_at(race->first) &&
                          stands_at(race->second) && race->first != race->second;
    return is_there ? std::nullopt : Wrong("a data race does not replay");
}

/// What can come of the initial state is the truth. Along an execution that gets somewhere, it can still get there;
/// where something cannot come, it cannot come later either.
Wrong what_follows_is_right(Subject const& subject, bool zero, SharedTruth const& truth, Tally& tally) {
    using executions::Goal;
    CheckOptions options;
    options.buffering = of(zero);
    machine::State const start(*subject.loaded.code);
    constexpr std::size_t count = 4;
    std::array<std::pair<Goal::Kind, bool>, count> const goals{{{Goal::Kind::failure, truth.fails},
                                                                {Goal::Kind::success, truth.completes},
                                                                {Goal::Kind::deadlock, truth.deadlock},
                                                                {Goal::Kind::fault, truth.fault}}};
    std::array<Reached::Answer, count> last{};
    std::optional<machine::Schedule> way;
    for (std::size_t i = 0; i < count; ++i) {
        auto const& [kind, expected] = goals[i];
        check::Continuation const all = check::continuation(subject.messages, start, kind, options);
        last[i] = all.answer;
        if ((all.answer == Reached::Answer::yes) != expected || all.answer == Reached::Answer::unknown)
            return fmt::format("from the initial state: goal {}, truth {}", i, expected);
        if (!expected) continue;
        ++tally["searches that find a way"];
        Machine machine(*subject.loaded.code, of(zero));
        for (std::size_t step = 0; step + 1 < all.schedule.size(); ++step) {
            static_cast<void>(machine.step(all.schedule.entry(step)));
            if (check::continuation(subject.messages, machine.state(), kind, options).answer != Reached::Answer::yes)
                return fmt::format("behind {} steps: goal {} is gone", step + 1, i);
        }
        way = all.schedule;
    }
    if (!way) return std::nullopt;
    Machine machine(*subject.loaded.code, of(zero));
    for (std::size_t step = 0; step + 1 < way->size(); ++step) {
        static_cast<void>(machine.step(way->entry(step)));
        for (std::size_t i = 0; i < count; ++i) {
            auto const now = check::continuation(subject.messages, machine.state(), goals[i].first, options).answer;
            if (now == Reached::Answer::no && last[i] == Reached::Answer::yes) ++tally["what could come no longer can"];
            if (now == Reached::Answer::yes && last[i] == Reached::Answer::no)
                return fmt::format("behind {} steps: goal {} can come, and could not before", step + 1, i);
            last[i] = now;
        }
    }
    return std::nullopt;
}

Wrong one_check_is_right(Subject const& subject, bool zero, SharedTruth const& truth, Runs runs, EngineChoice engine) {
    CheckOptions options;
    options.engine = engine;
    options.buffering = of(zero);
    options.runs = runs;
    options.switches = true; // for as long as it takes, or a busy machine leaves their number open
    CheckResult const result = check::check(subject.messages, options);
    bool const complete = runs == Runs::complete;
    Verdict const expected = complete ? truth.verdict_complete() : truth.verdict();
    if (check::to_string(result.verdict) != word(expected))
        return fmt::format("{}: {}", to_string(runs), check::to_string(result.verdict));
    if (Wrong w = answer_is_right("deadlock", result.deadlock, truth.deadlock)) return w;
    if (Wrong w = answer_is_right("fault", result.fault, truth.fault)) return w;
    if (Wrong w = race_is_right(subject, zero, result.race, truth.race)) return w;
    if (Wrong w = leaving_is_right(subject, zero, result.leaves_path, truth.leaves)) return w;
    if (Wrong w = stop_is_right(subject, zero, result.deadlock, false)) return w;
    if (Wrong w = stop_is_right(subject, zero, result.fault, true)) return w;
    if (result.run) {
        Machine machine(*subject.loaded.code, of(zero));
        if (machine::run(machine, result.run->schedule, result.run->extent).s != result.run->s)
            return "a run does not replay";
    }
    if (expected != Verdict::violated) return std::nullopt;
    std::size_t const least = complete ? *truth.switches_complete : *truth.switches;
    if (!result.switches || result.switches->least != least || result.switches->most != least)
        return fmt::format("{}: switches {} to {}", to_string(runs), result.switches ? result.switches->least : 0,
                           result.switches ? result.switches->most : 0);
    if (executions::context_switches(*subject.loaded.code, result.run->schedule) != least)
        return "the run has more switches";
    return std::nullopt;
}

} // namespace

Program shared_program(std::uint64_t seed, std::uint64_t i) { return SharedGenerator(seed, i).take(); }

Case shared_case(std::uint64_t seed, std::uint64_t i) {
    Case result{shared_program(seed, i), {}, i % 2 == 1};
    Dice dice(seed + 1, i);
    State state = initial_state(result.program);
    std::vector<Movement> movements;
    bool const is_careful = dice.percent(80); // only threads that can step
    while (!finished(result.program, state) && !dice.percent(2)) {
        auto const moved = movements_of(result.program, state, result.zero);
        if (!moved.empty() && dice.percent(50)) {
            auto const& [movement, after] = dice.one_of(moved);
            movements.push_back(movement);
            state = after;
            continue;
        }
        std::vector<std::size_t> threads = unfinished_threads(result.program, state);
        if (is_careful)
            std::erase_if(threads, [&](std::size_t t) {
                return std::holds_alternative<Reason>(step_of(result.program, state, t, result.zero));
            });
        if (threads.empty()) break;
        std::size_t const t = dice.one_of(threads);
        result.trace.push_back({next_command(result.program, state, t).location, movements});
        movements.clear();
        auto after = step_of(result.program, state, t, result.zero);
        if (std::holds_alternative<Reason>(after)) break;
        state = std::get<State>(std::move(after));
    }
    return result;
}

namespace {

/// So many parts of a number, the largest first, none of them 0.
void for_each_partition(std::size_t rest, std::size_t parts, std::vector<std::size_t>& chosen,
                        std::function<void(std::vector<std::size_t> const&)> const& visit) {
    if (parts == 0) {
        if (rest == 0) visit(chosen);
        return;
    }
    std::size_t const most = chosen.empty() ? rest : std::min(rest, chosen.back());
    for (std::size_t part = 1; part <= most; ++part) {
        chosen.push_back(part);
        for_each_partition(rest - part, parts - 1, chosen, visit);
        chosen.pop_back();
    }
}

} // namespace

namespace {

using Alphabet = std::vector<decltype(Command::what)>;

/// Every `every`-th program of so many threads and commands.
void for_each_program(Alphabet const& alphabet, decltype(Program::shared) const& shared, std::size_t threads,
                      std::size_t commands, std::size_t every, std::function<void(Program const&)> const& visit) {
    std::size_t all = 1;
    for (std::size_t k = 0; k < commands; ++k) all *= alphabet.size();
    std::size_t count = 0;
    std::vector<std::size_t> chosen;
    for_each_partition(commands, threads, chosen, [&](std::vector<std::size_t> const& lengths) {
        // Digit k of n chooses command k.
        for (std::size_t n = 0; n < all; ++n) {
            if (count++ % every != 0) continue;
            Program program;
            program.shared = shared;
            std::size_t rest = n;
            std::size_t k = 0;
            for (std::size_t const length : lengths) {
                Thread& thread = program.threads.emplace_back();
                for (std::size_t i = 0; i < length; ++i, ++k, rest /= alphabet.size())
                    thread.push_back({"c" + std::to_string(k), alphabet[rest % alphabet.size()]});
            }
            visit(program);
        }
    });
}

Expression is(Expression const& a, int b) { return operation("=", a, number(b)); }

} // namespace

void for_each_small_shared_program(std::size_t threads, std::size_t commands, std::size_t every,
                                   std::function<void(Program const&)> const& visit) {
    Expression const x = variable("x");
    Expression const y = variable("y");
    static Alphabet const alphabet{
        Assign{"x", operation("+", x, number(1))},
        Assign{"y", x},
        Assume{is(x, 1)},
        Assert{is(x, 0)},
        Assert{is(y, 0)},
        Guarded{is(y, 0), {{"y", operation("+", x, number(1))}}, false},
        Guarded{is(x, 1), {}, true},
        Guarded{is(x, 0), {{"x", number(1)}, {"y", x}}, true},
    };
    for_each_program(alphabet, {{"x", number(0)}, {"y", number(0)}}, threads, commands, every, visit);
}

void for_each_small_program_with_locks(std::size_t threads, std::size_t commands, std::size_t every,
                                       std::function<void(Program const&)> const& visit) {
    Expression const m = variable("m");
    Expression const s = variable("s");
    Expression const x = variable("x");
    static Alphabet const alphabet{
        Guarded{is(m, 1), {{"m", number(0)}}, true},
        Assign{"m", number(1)},
        Guarded{operation(">", s, number(0)), {{"s", operation("-", s, number(1))}}, true},
        Assign{"s", operation("+", s, number(1))},
        Assign{"x", operation("+", x, number(1))},
        Assume{is(x, 1)},
        Assert{is(x, 0)},
        Assume{is(s, 0)},
    };
    for_each_program(alphabet, {{"m", number(1)}, {"s", number(1)}, {"x", number(0)}}, threads, commands, every, visit);
}

Wrong shared_check_is_right(Program const& program, bool zero, Tally& tally) {
    auto const truth = explore_shared(program, zero);
    ++tally[truth ? to_text(truth->verdict()) : "too large for the naive exploration"];
    if (!truth) return std::nullopt;
    if (truth->deadlock) ++tally["deadlock"];
    if (truth->leaves) ++tally["leaves the path"];
    if (truth->fault) ++tally["fault"];
    if (truth->race) ++tally["data race"];
    if (truth->switches && *truth->switches > 1) ++tally["two switches or more"];
    Subject const subject(program);
    // What counting proves, exploration has to find; and what SAT decides.
    for (EngineChoice const engine : {EngineChoice::automatic, EngineChoice::explore, EngineChoice::sat})
        for (Runs const runs : {Runs::executions, Runs::complete})
            if (Wrong w = one_check_is_right(subject, zero, *truth, runs, engine))
                return to_text(program, {}) + (zero ? "zero: " : "infinite: ") + *w + "\ntruth: " + to_text(*truth);
    return std::nullopt;
}

Trace on_path(Case const& c) {
    Trace trace;
    State state = initial_state(c.program);
    for (TraceEntry const& entry : c.trace) {
        auto const after = step(c.program, state, entry, c.zero);
        if (!std::holds_alternative<State>(after) || std::get<State>(after).s >= Status::infeasible) break;
        state = std::get<State>(after);
        trace.push_back(entry);
    }
    return trace;
}

Wrong shared_search_is_right(Program const& program, bool zero, Tally& tally) {
    auto const truth = explore_shared(program, zero);
    if (!truth) return std::nullopt;
    Subject const subject(program);
    Wrong const w = what_follows_is_right(subject, zero, *truth, tally);
    if (!w) return std::nullopt;
    return to_text(program, {}) + (zero ? "zero: " : "infinite: ") + *w + "\ntruth: " + to_text(*truth);
}

Wrong shared_is_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    Program const program = shared_program(seed, i);
    for (bool const zero : {false, true}) {
        if (Wrong w = shared_check_is_right(program, zero, tally)) return w;
        if (Wrong w = shared_search_is_right(program, zero, tally)) return w;
    }
    return std::nullopt;
}

} // namespace matchpoint::naive
