#include "tests/support/broken.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/overloaded.hpp"
#include "tests/support/naive_oracle.hpp"

namespace matchpoint::naive {

namespace {

template <typename Thing>
void insert_at(std::vector<Thing>& things, std::size_t place, Thing thing) {
    things.insert(things.begin() + static_cast<std::ptrdiff_t>(place), std::move(thing));
}

template <typename Thing>
void erase_at(std::vector<Thing>& things, std::size_t place) {
    things.erase(things.begin() + static_cast<std::ptrdiff_t>(place));
}

/// Where a command is.
struct Site {
    std::size_t thread;
    std::size_t index;
};

Command& at(Program& program, Site site) { return program.threads[site.thread][site.index]; }

/// The commands for which something holds.
std::vector<Site> sites(Program const& program, auto const& holds) {
    std::vector<Site> found;
    for (std::size_t t = 0; t < program.threads.size(); ++t)
        for (std::size_t k = 0; k < program.threads[t].size(); ++k)
            if (holds(program.threads[t][k])) found.push_back({t, k});
    return found;
}

/// The action that a sndi or rcvi issues; null for other commands.
std::string* issued(Command& command) {
    using Result = std::string*;
    return std::visit(overloaded{[](Sndi& c) -> Result { return &c.action; },
                                 [](Rcvi& c) -> Result { return &c.action; }, [](Wait&) -> Result { return nullptr; },
                                 [](Assume&) -> Result { return nullptr; }, [](Assert&) -> Result { return nullptr; },
                                 [](Assign&) -> Result { return nullptr; }, [](Meet&) -> Result { return nullptr; },
                                 [](Guarded&) -> Result { return nullptr; },
                                 [](Probe& c) -> Result { return &c.action; }, [](Start&) -> Result { return nullptr; },
                                 [](Collective& c) -> Result { return &c.action; }},
                      command.what);
}

bool is_issue(Command const& command) {
    return std::holds_alternative<Sndi>(command.what) || std::holds_alternative<Rcvi>(command.what);
}

/// The expression of a command; null if it has none.
Expression* expression_of(Command& command) {
    using Result = Expression*;
    return std::visit(
        overloaded{[](Assume& c) -> Result { return &c.condition; }, [](Assert& c) -> Result { return &c.condition; },
                   [](Assign& c) -> Result { return &c.value; }, [](Sndi& c) -> Result { return &c.payload; },
                   [](Rcvi&) -> Result { return nullptr; }, [](Wait&) -> Result { return nullptr; },
                   [](Meet&) -> Result { return nullptr; }, [](Guarded&) -> Result { return nullptr; },
                   [](Probe&) -> Result { return nullptr; }, [](Start&) -> Result { return nullptr; },
                   [](Collective&) -> Result { return nullptr; }},
        command.what);
}

/// Calls `visit` with every variable of the program.
void for_each_variable(Expression& e, auto const& visit) {
    if (e.kind == Expression::Kind::variable) visit(e.variable);
    for (Expression& operand : e.operands) for_each_variable(operand, visit);
}
void for_each_variable(Program& program, auto const& visit) {
    for (Thread& thread : program.threads)
        for (Command& command : thread) {
            if (auto* const assign = std::get_if<Assign>(&command.what)) visit(assign->variable);
            if (auto* const rcvi = std::get_if<Rcvi>(&command.what)) {
                visit(rcvi->variable);
                for (auto* const y : {&rcvi->sel.source, &rcvi->sel.tagged})
                    if (*y) visit(**y);
            }
            if (Expression* const e = expression_of(command)) for_each_variable(*e, visit);
        }
}

void for_each_endpoint(Program& program, auto const& visit) {
    for (Thread& thread : program.threads)
        for (Command& command : thread) {
            if (auto* const sndi = std::get_if<Sndi>(&command.what)) visit(sndi->alpha), visit(sndi->beta);
            if (auto* const rcvi = std::get_if<Rcvi>(&command.what)) {
                visit(rcvi->beta);
                if (rcvi->sel.from)
                    for (Endpoint& alpha : *rcvi->sel.from) visit(alpha);
            }
        }
}

// ---------------------------------------------------------------------------------------------------------------------
// Expressions that cannot be evaluated

/// Some place in some expression of the program; an assertion is added if there is none.
Expression& some_expression(Program& program, Dice& dice) {
    auto found = sites(program, [](Command command) { return expression_of(command) != nullptr; });
    if (found.empty()) {
        if (program.threads.empty()) program.threads.emplace_back();
        program.threads.front().push_back({"added", Assert{truth(true)}});
        found.push_back({0, program.threads.front().size() - 1});
    }
    Expression* place = expression_of(at(program, dice.one_of(found)));
    while (!place->operands.empty() && dice.percent(70)) place = &dice.one_of(place->operands);
    return *place;
}

void break_value(Program& program, Dice& dice) { some_expression(program, dice) = variable("undefined"); }

void break_sort(Program& program, Dice& dice) {
    Expression& place = some_expression(program, dice);
    switch (dice.below(4)) {
    case 0: place = negation(operation("+", number(1), place)); break;
    case 1: place = operation("and", place, number(0)); break;
    case 2: place = operation("=", operation("<", number(1), number(2)), operation("-", number(2), number(1))); break;
    // The wrong sort wins over the zero divisor.
    default: place = operation("div", truth(true), number(0)); break;
    }
}

void break_divisor(Program& program, Dice& dice) {
    Expression& place = some_expression(program, dice);
    Expression const dividend = place.kind == Expression::Kind::variable ? place : number(1 + dice.below(3));
    Expression const divisor = dice.percent(50) ? operation("-", number(2), number(2)) : number(0);
    place = operation(dice.percent(50) ? "mod" : "div", dividend, divisor);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rules D1 to D6

void insert_wait(Program& program, Site site, std::string const& action) {
    insert_at(program.threads[site.thread], site.index, Command{"added", Wait{action}});
}

/// D2: a second wait for an action.
void double_wait(Program& program, Dice& dice) {
    auto const waits = sites(program, [](Command const& c) { return std::holds_alternative<Wait>(c.what); });
    if (waits.empty()) return;
    Site const wait = dice.one_of(waits);
    std::size_t const behind = program.threads[wait.thread].size() - wait.index;
    std::string const action = std::get<Wait>(at(program, wait).what).action;
    insert_wait(program, {wait.thread, wait.index + 1 + dice.below(behind)}, action);
}

/// D2: a wait before its action, or in another thread.
void misplace_wait(Program& program, Dice& dice, bool same_thread) {
    auto const issues = sites(program, is_issue);
    if (issues.empty()) return;
    Site const issue = dice.one_of(issues);
    std::string const action = *issued(at(program, issue));
    if (same_thread) {
        insert_wait(program, {issue.thread, dice.below(issue.index + 1)}, action);
    } else {
        std::size_t const thread = dice.below(program.threads.size());
        insert_wait(program, {thread, dice.below(program.threads[thread].size() + 1)}, action);
    }
}
void wait_early(Program& program, Dice& dice) { misplace_wait(program, dice, true); }
void wait_elsewhere(Program& program, Dice& dice) { misplace_wait(program, dice, false); }

/// D3: receives that nothing completes.
void drop_waits(Program& program, Dice& dice) {
    for (Thread& thread : program.threads)
        std::erase_if(thread, [&](Command const& command) {
            return std::holds_alternative<Wait>(command.what) && dice.percent(60);
        });
}

/// D1: two endpoints become one, of whatever threads.
void share_endpoints(Program& program, Dice& dice) {
    std::set<Endpoint> all;
    for_each_endpoint(program, [&](Endpoint e) { all.insert(e); });
    if (all.size() < 2) return;
    Endpoint const from = *std::next(all.begin(), dice.below(all.size()));
    Endpoint const to = *std::next(all.begin(), dice.below(all.size()));
    for_each_endpoint(program, [&](Endpoint& e) { e = e == from ? to : e; });
}

/// D4 and D5: all threads use the same few variables.
void share_variables(Program& program, Dice& dice) {
    std::size_t const few = 1 + dice.below(3);
    std::map<std::string, std::size_t> numbers;
    for_each_variable(program, [&](std::string& x) {
        x = "x" + std::to_string(numbers.try_emplace(x, numbers.size()).first->second % few);
    });
}

bool is_boolean(Expression const& e) {
    static std::set<std::string> const gives = {"=", "!=", "<", "<=", ">", ">=", "and", "or", "xor", "=>", "not"};
    if (e.op == "ite") return is_boolean(e.operands.at(1));
    return e.kind == Expression::Kind::value ? std::holds_alternative<bool>(e.value) : gives.contains(e.op);
}

/// D6: some messages, assumptions and assertions are of the other sort.
void mix_sorts(Program& program, Dice& dice) {
    for (Thread& thread : program.threads)
        for (Command& command : thread)
            if (Expression* const e = expression_of(command); e != nullptr && dice.percent(40))
                *e = is_boolean(*e) ? number(dice.below(5)) : operation("<", *e, number(2));
}

// ---------------------------------------------------------------------------------------------------------------------
// Names

/// Actions and locations may be any atoms, also those that mean something elsewhere.
constexpr std::array<char const*, 34> odd_atoms = {
    "bot", "|",    "\\", "'",    "\u22a5",     "\u03c1\u2080", ":=",     "wait", "true", "-1", "+",   "00",
    "0",   "a,b",  "`",  "#t",   "é",          "日本",         "assume", "x",    "not",  "=>", "|a|", "\\x41",
    "''",  "sndi", "?",  "bot'", "\U0001f600", "--",           "1",      "01",   "+1",   "@"};

/// Variables may not be integers, operators or words of the language; these only look like them.
constexpr std::array<char const*, 26> odd_variables = {"|",   "\\",           "'",   "x'",  "é",     "bots", "1x",
                                                       "--1", "TRUE",         "Not", "a:=", "<>",    "==",   "0x10",
                                                       "+x",  "日本",         "|x",  "`",   "wait1", "a,b",  "-+1",
                                                       "1.5", "\u22a5\u22a5", "++",  "@",   "_"};

constexpr std::array<Endpoint, 8> odd_endpoints = {7, 100, 4294967295U, 65536, 12, 10, 1000000007, 99};

/// New names for old ones, from some place in a pool on.
class OddNames {
public:
    OddNames(std::span<char const* const> pool, std::size_t start) : pool_(pool), start_(start) {}

    std::string operator()(std::string const& old) {
        std::size_t const k = numbers_.try_emplace(old, numbers_.size()).first->second;
        std::string const name = pool_[(start_ + k) % pool_.size()];
        return k < pool_.size() ? name : name + std::to_string(k);
    }

private:
    std::span<char const* const> pool_;
    std::size_t start_;
    std::map<std::string, std::size_t> numbers_ = {};
};

void rename_actions(Program& program, OddNames names) {
    for (Thread& thread : program.threads)
        for (Command& command : thread) {
            if (std::string* const action = issued(command)) *action = names(*action);
            if (auto* const wait = std::get_if<Wait>(&command.what)) wait->action = names(wait->action);
        }
}

void rename_endpoints(Program& program) {
    std::map<Endpoint, std::size_t> numbers;
    for_each_endpoint(program, [&](Endpoint& e) {
        std::size_t const k = numbers.try_emplace(e, numbers.size()).first->second;
        e = k < odd_endpoints.size() ? odd_endpoints[k] : static_cast<Endpoint>(200 + k);
    });
}

void name_locations(Program& program, Dice& dice) {
    unsigned const style = dice.below(12);
    OddNames odd(odd_atoms, dice.below(odd_atoms.size()));
    std::size_t count = 0;
    for (std::size_t t = 0; t < program.threads.size(); ++t)
        for (std::size_t k = 0; k < program.threads[t].size(); ++k) {
            std::string const place = std::to_string(t) + (k < 10 ? "" : ".") + std::to_string(k);
            ++count;
            program.threads[t][k].location = style == 0   ? std::to_string(count)
                                             : style == 1 ? "L" + std::to_string(t) + "_" + std::to_string(k)
                                             : style == 2 ? odd(place)
                                                          : place;
        }
}

std::vector<std::string> all_locations(Program const& program) {
    std::vector<std::string> locations;
    for (Thread const& thread : program.threads)
        for (Command const& command : thread) locations.push_back(command.location);
    return locations;
}

/// "sndi and rcvi accept one more atom at their end": their own location as in the figure, or any other.
void add_second_locations(Program& program, Dice& dice) {
    std::vector<std::string> const locations = all_locations(program);
    for (Thread& thread : program.threads)
        for (Command& command : thread) {
            if (dice.percent(40)) continue;
            std::string const extra = dice.percent(30) ? dice.one_of(locations) : command.location;
            if (auto* const sndi = std::get_if<Sndi>(&command.what)) sndi->extra = extra;
            if (auto* const rcvi = std::get_if<Rcvi>(&command.what)) rcvi->extra = extra;
        }
}

// ---------------------------------------------------------------------------------------------------------------------
// Traces

void drop_entry(Case& c, Dice& dice) { erase_at(c.trace, dice.below(c.trace.size())); }

void repeat_entry(Case& c, Dice& dice) {
    std::size_t const k = dice.below(c.trace.size());
    insert_at(c.trace, k + dice.below(c.trace.size() - k + 1), TraceEntry{c.trace[k].location});
}

void swap_entries(Case& c, Dice& dice) {
    std::size_t const k = dice.below(c.trace.size());
    if (k + 1 < c.trace.size()) std::swap(c.trace[k], c.trace[k + 1]);
}

void rename_entry(Case& c, Dice& dice) {
    std::string& location = c.trace[dice.below(c.trace.size())].location;
    switch (dice.below(4)) {
    // "Locations and actions are compared as written (02 is not 2)"
    case 0: location = "0" + location; break;
    case 1: location = "nowhere"; break;
    case 2: location = "bot"; break;
    default: {
        std::vector<std::string> const locations = all_locations(c.program);
        location = dice.one_of(locations);
    }
    }
}

void add_movement(Case& c, Dice& dice) {
    std::set<Endpoint> all = {5}; // mostly none of the program's
    for_each_endpoint(c.program, [&](Endpoint e) { all.insert(e); });
    std::vector<Endpoint> const endpoints(all.begin(), all.end());
    std::vector<Movement>& movements = c.trace[dice.below(c.trace.size())].movements;
    Endpoint const beta = dice.one_of(endpoints);
    insert_at(movements, dice.below(movements.size() + 1), Movement{beta, dice.one_of(endpoints)});
}

void truncate(Case& c, Dice& dice) { c.trace.resize(dice.below(c.trace.size())); }

void append_entries(Case& c, Dice& dice) {
    std::vector<std::string> const locations = all_locations(c.program);
    for (unsigned left = 1 + dice.below(2); left > 0; --left) c.trace.push_back(TraceEntry{dice.one_of(locations)});
}

/// A movement of a trace.
struct MovementSite {
    std::size_t entry;
    std::size_t place;
};

/// What is done to one movement, with the number of its entry.
template <typename Change>
void change_movement(Case& c, Dice& dice, Change const& change) {
    std::vector<MovementSite> found;
    for (std::size_t k = 0; k < c.trace.size(); ++k)
        for (std::size_t m = 0; m < c.trace[k].movements.size(); ++m) found.push_back({k, m});
    if (!found.empty()) change(dice.one_of(found));
}

void drop_movement(Case& c, Dice& dice) {
    change_movement(c, dice, [&](MovementSite m) { erase_at(c.trace[m.entry].movements, m.place); });
}

void drop_all_movements(Case& c, Dice&) {
    for (TraceEntry& entry : c.trace) entry.movements.clear();
}

void repeat_movement(Case& c, Dice& dice) {
    change_movement(c, dice, [&](MovementSite m) {
        std::vector<Movement>& movements = c.trace[m.entry].movements;
        insert_at(movements, m.place, Movement(movements[m.place]));
    });
}

void move_earlier(Case& c, Dice& dice) {
    change_movement(c, dice, [&](MovementSite m) {
        Movement const movement = c.trace[m.entry].movements[m.place];
        erase_at(c.trace[m.entry].movements, m.place);
        c.trace[dice.below(m.entry + 1)].movements.push_back(movement);
    });
}

void turn_movement(Case& c, Dice& dice) {
    change_movement(c, dice, [&](MovementSite m) {
        Movement& movement = c.trace[m.entry].movements[m.place];
        std::swap(movement.beta, movement.alpha);
    });
}

/// One of several, each in so many of 100 cases; null in the rest.
template <typename Breakage>
struct Choice {
    Breakage breakage;
    unsigned percent;
};
template <typename Breakage, std::size_t n>
Breakage choose(std::array<Choice<Breakage>, n> const& choices, Dice& dice) {
    unsigned left = dice.below(100);
    for (auto const& [breakage, percent] : choices) {
        if (left < percent) return breakage;
        left -= percent;
    }
    return nullptr;
}

/// `(bsndi := 1)` is an assignment to a variable, so no send of a mode has an action `:=`.
void rename_assignments(Program& program) {
    for (Thread& thread : program.threads)
        for (Command& command : thread) {
            auto* const send = std::get_if<Sndi>(&command.what);
            if (send == nullptr || send->mode == Mode::standard || send->action != ":=") continue;
            std::string const instead = ":=:";
            send->action = instead;
            for (Thread& other : program.threads)
                for (Command& c : other)
                    if (auto* const wait = std::get_if<Wait>(&c.what); wait != nullptr && wait->action == ":=")
                        wait->action = instead;
        }
}

} // namespace

void break_program(Program& program, Dice& dice) {
    static constexpr std::array<Choice<void (*)(Program&, Dice&)>, 10> breakages = {{{break_value, 3},
                                                                                     {break_sort, 4},
                                                                                     {break_divisor, 4},
                                                                                     {double_wait, 5},
                                                                                     {wait_early, 11},
                                                                                     {wait_elsewhere, 4},
                                                                                     {drop_waits, 4},
                                                                                     {share_endpoints, 5},
                                                                                     {share_variables, 4},
                                                                                     {mix_sorts, 4}}};
    if (auto const breakage = choose(breakages, dice)) breakage(program, dice);
}

void rename_oddly(Program& program, Dice& dice) {
    if (dice.percent(5)) {
        rename_actions(program, {odd_atoms, dice.below(odd_atoms.size())});
        rename_assignments(program);
    }
    if (dice.percent(5)) {
        OddNames names(odd_variables, dice.below(odd_variables.size()));
        for_each_variable(program, [&](std::string& x) { x = names(x); });
    }
    if (dice.percent(10)) rename_endpoints(program);
    name_locations(program, dice);
    if (dice.percent(10)) add_second_locations(program, dice);
}

void force(Case& c, Dice& dice) {
    std::set<std::string> done;
    for (TraceEntry const& entry : c.trace) done.insert(entry.location);
    std::vector<std::string> next;
    for (Thread const& thread : c.program.threads) {
        auto const it =
            std::find_if(thread.begin(), thread.end(), [&](Command const& k) { return !done.contains(k.location); });
        if (it != thread.end()) next.push_back(it->location);
    }
    if (!next.empty()) c.trace.push_back(TraceEntry{dice.one_of(next)});
}

void break_trace(Case& c, Dice& dice) {
    static constexpr std::array<Choice<void (*)(Case&, Dice&)>, 12> breakages = {{{drop_entry, 2},
                                                                                  {repeat_entry, 1},
                                                                                  {swap_entries, 4},
                                                                                  {rename_entry, 2},
                                                                                  {add_movement, 2},
                                                                                  {truncate, 3},
                                                                                  {append_entries, 2},
                                                                                  {drop_movement, 5},
                                                                                  {drop_all_movements, 3},
                                                                                  {repeat_movement, 2},
                                                                                  {move_earlier, 2},
                                                                                  {turn_movement, 2}}};
    if (c.trace.empty()) return;
    if (auto const breakage = choose(breakages, dice)) breakage(c, dice);
}

void vary_tags(Case& c, Dice& dice) {
    State state = initial_state(c.program);
    for (TraceEntry& entry : c.trace) {
        for (Movement& movement : entry.movements) {
            State after = state;
            if (queue_movement(c.program, after, movement, c.zero)) return;
            Movement other = movement;
            // The message that is moved is the last one there now.
            other.tag = dice.percent(50) ? std::optional(after.Q_s.at(movement.beta).back().tag) : std::nullopt;
            State after_other = state;
            if (!queue_movement(c.program, after_other, other, c.zero) && after_other == after) movement = other;
            state = std::move(after);
        }
        auto next = step(c.program, std::move(state), TraceEntry{entry.location}, c.zero);
        if (!std::holds_alternative<State>(next)) return;
        state = std::get<State>(std::move(next));
    }
}

void break_tag(Case& c, Dice& dice) {
    change_movement(c, dice, [&](MovementSite m) {
        std::optional<Tag>& tag = c.trace[m.entry].movements[m.place].tag;
        tag = tag && dice.percent(50) ? std::nullopt : std::optional<Tag>(dice.below(3));
    });
}

} // namespace matchpoint::naive
