#include "tests/support/cases.hpp"

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_oracle.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace matchpoint::naive {

namespace {

/// The numbers of a skeleton one after another, from its front or from its back; zeros when they are used up.
class Numbers {
public:
    enum class From { front, back };

    Numbers(std::vector<std::uint16_t> const& skeleton, From from) : numbers_(skeleton) {
        if (from == From::back) {
            std::reverse(numbers_.begin(), numbers_.end());
        }
    }

    bool used_up() const { return place_ >= numbers_.size(); }

    /// A number below n, which is 0 for the number 0.
    std::size_t below(std::size_t n) { return (static_cast<std::size_t>(take()) * n) >> 16U; }

    /// True in so many percent of the cases, and false for the number 0.
    bool chance(std::size_t percent) { return below(100) >= 100 - percent; }

    /// One of the given things; the first for the number 0.
    template <typename Things>
    auto& one_of(Things& things) {
        return things[below(things.size())];
    }

private:
    /// The next number, spread over the whole range by an odd factor (0 stays 0): property testers like small numbers.
    std::uint16_t take() {
        if (used_up()) {
            return 0;
        }
        return static_cast<std::uint16_t>(numbers_[place_++] * 40503U);
    }

    std::vector<std::uint16_t> numbers_;
    std::size_t place_ = 0;
};

enum class Sort { integer, boolean };

/// What is wrong with a program on purpose. All but `none` may break the discipline D.
enum class Flavour {
    none,
    no_value,         ///< a variable is used that never gets a value
    wrong_sort,       ///< an operator gets an operand that is not of its sort
    zero_divisor,     ///< div or mod by zero
    doubled_wait,     ///< a second wait for one action, breaks D2
    early_wait,       ///< a wait before its action, breaks D2
    foreign_wait,     ///< a wait in another thread than its action, breaks D2
    missing_waits,    ///< receives that nothing completes, breaks D3
    shared_endpoints, ///< every thread uses all endpoints, breaks D1
    shared_variables, ///< every thread uses all variables, breaks D4 and D5
    mixed_sorts       ///< messages, assumptions and assertions of any sort, breaks D6
};

std::array<std::size_t, 8> const thread_counts = {1, 2, 3, 4, 2, 3, 3, 2};
constexpr std::size_t max_commands = 8;

std::array<char const*, 12> const arithmetic_comparisons = {"=", "=",  "!=", "!=", "<=", "<",
                                                            ">", ">=", ">=", ">",  "<",  "<="};
std::array<char const*, 3> const plain_arithmetic = {"+", "-", "*"};
std::array<char const*, 6> const connectives = {"and", "or", "xor", "=>", "=", "!="};

/// Makes a program from the front of a skeleton.
///
/// MessageIndex are laid out in an order in which they can be exchanged, under either buffering: whenever a send is
/// appended to one thread, its receive is appended to another, and the waits of both come later. So most programs can
/// complete, though the walk through them need not take that order.
class Builder {
public:
    Builder(Numbers& numbers, bool disciplined) : numbers_(numbers), disciplined_(disciplined) {}

    Program build() {
        choose_shape();
        std::size_t const rounds = 1 + numbers_.below(22);
        for (std::size_t round = 0; round < rounds && !numbers_.used_up(); ++round) {
            one_round();
        }
        for (Plan& plan : plans_) {
            settle(plan);
        }
        spoil();
        return finish();
    }

    /// Whether a wait may stand where its action is not issued yet, so that it matters when a walk takes it.
    bool has_misplaced_wait() const { return flavour_ == Flavour::early_wait || flavour_ == Flavour::foreign_wait; }

private:
    struct Receive {
        std::string action;
        std::string variable;
        bool completed = false;
    };

    struct Owed {
        std::string action;
        std::optional<Endpoint> receive_at = std::nullopt; ///< none for a send
    };

    /// A thread in the making.
    struct Plan {
        Thread commands = {}; ///< their locations come last
        std::vector<Endpoint> endpoints = {};
        std::vector<std::string> variables = {};
        std::map<std::string, Sort> defined = {}; ///< variables that have a value here
        std::map<Endpoint, std::vector<Receive>> receives = {};
        std::vector<Owed> owed = {}; ///< actions issued that a wait is to follow for
    };

    // Names

    static std::string odd_name(std::vector<std::string> const& pool, std::size_t start, std::size_t k) {
        std::string const& name = pool[(start + k) % pool.size()];
        return k < pool.size() ? name : name + std::to_string(k);
    }

    /// Actions and locations are any atoms, so also those that mean something elsewhere.
    static std::vector<std::string> const& odd_atoms() {
        static std::vector<std::string> const pool = {
            "bot", "|",    "\\", "'",    "\u22a5",     "\u03c1\u2080", ":=",     "wait", "true", "-1", "+",   "00",
            "0",   "a,b",  "`",  "#t",   "é",          "日本",         "assume", "x",    "not",  "=>", "|a|", "\\x41",
            "''",  "sndi", "?",  "bot'", "\U0001f600", "--",           "1",      "01",   "+1",   "@"};
        return pool;
    }

    /// Variables are atoms that are not integers, operators or words of the language; some only look like those.
    static std::vector<std::string> const& odd_variables() {
        static std::vector<std::string> const pool = {"|",   "\\",           "'",   "x'",  "é",     "bots", "1x",
                                                      "--1", "TRUE",         "Not", "a:=", "<>",    "==",   "0x10",
                                                      "+x",  "日本",         "|x",  "`",   "wait1", "a,b",  "-+1",
                                                      "1.5", "\u22a5\u22a5", "++",  "@",   "_"};
        return pool;
    }

    std::string new_action(char const* prefix) {
        std::size_t const k = actions_++;
        return odd_actions_ ? odd_name(odd_atoms(), odd_start_, k) : prefix + std::to_string(k);
    }

    // Shape

    void choose_shape() {
        plans_.resize(numbers_.one_of(thread_counts));
        if (!disciplined_) {
            choose_flavour();
        }
        odd_actions_ = numbers_.chance(5);
        odd_variables_ = numbers_.chance(5);
        location_style_ = numbers_.below(12);
        odd_start_ = numbers_.below(odd_atoms().size());
        std::size_t endpoints = 0;
        std::size_t variables = 0;
        bool const odd_endpoints = numbers_.chance(10);
        static std::vector<Endpoint> const far = {7, 100, 4294967295U, 65536, 12, 10, 1000000007, 99};
        for (Plan& plan : plans_) {
            std::size_t const own = 1 + (numbers_.chance(25) ? 1 + numbers_.below(2) : 0);
            for (std::size_t k = 0; k < own; ++k) {
                Endpoint const plain = static_cast<Endpoint>(endpoints);
                Endpoint const endpoint = odd_endpoints && endpoints < far.size() ? far[endpoints] : plain;
                ++endpoints;
                plan.endpoints.push_back(endpoint);
                all_endpoints_.push_back(endpoint);
                sort_of_[endpoint] = numbers_.chance(12) ? Sort::boolean : Sort::integer;
            }
            for (std::size_t k = 0; k < 3; ++k) {
                std::size_t const index = flavour_ == Flavour::shared_variables ? k : variables++;
                plan.variables.push_back(odd_variables_ ? odd_name(odd_variables(), odd_start_, index)
                                                        : "x" + std::to_string(index));
            }
        }
    }

    void choose_flavour() {
        static std::vector<std::pair<Flavour, std::size_t>> const percents = {
            {Flavour::no_value, 3},      {Flavour::wrong_sort, 4},       {Flavour::zero_divisor, 4},
            {Flavour::doubled_wait, 5},  {Flavour::early_wait, 11},      {Flavour::foreign_wait, 4},
            {Flavour::missing_waits, 4}, {Flavour::shared_endpoints, 5}, {Flavour::shared_variables, 4},
            {Flavour::mixed_sorts, 4}};
        std::size_t left = 99 - numbers_.below(100);
        for (auto const& [flavour, percent] : percents) {
            if (left < percent) {
                flavour_ = flavour;
                return;
            }
            left -= percent;
        }
    }

    // Expressions

    Expression constant(Sort sort) {
        if (sort == Sort::boolean) {
            return truth(!numbers_.chance(50));
        }
        if (numbers_.chance(4)) {
            return number(big_integer());
        }
        if (numbers_.chance(12)) {
            return number(-1 - Integer(numbers_.below(5)));
        }
        return number(numbers_.below(5));
    }

    Integer big_integer() {
        Integer const two_to_the_64 = Integer(1) << 64U;
        switch (numbers_.below(5)) {
        case 0: return two_to_the_64 + numbers_.below(3);
        case 1: return -two_to_the_64 / 2 - numbers_.below(2);
        case 2: return two_to_the_64 / 2 - 1 + numbers_.below(2);
        case 3: return -(two_to_the_64 * two_to_the_64) + 7;
        default: return boost::multiprecision::pow(Integer(10), 40) + numbers_.below(100);
        }
    }

    Expression leaf(Plan const& plan, Sort sort) {
        std::vector<std::string> candidates;
        if (flavour_ == Flavour::shared_variables && numbers_.chance(40)) {
            candidates = plan.variables;
        } else {
            for (auto const& [name, sort_of_value] : plan.defined) {
                if (sort_of_value == sort) {
                    candidates.push_back(name);
                }
            }
        }
        if (!candidates.empty() && !numbers_.chance(30)) {
            return variable(numbers_.one_of(candidates));
        }
        return constant(sort);
    }

    Expression expression(Plan const& plan, Sort sort, std::size_t depth) {
        if (depth == 0 || !numbers_.chance(60)) {
            return leaf(plan, sort);
        }
        if (sort == Sort::integer) {
            if (numbers_.chance(25)) {
                return division(plan, depth);
            }
            std::string const op = numbers_.one_of(plain_arithmetic);
            Expression left = expression(plan, Sort::integer, depth - 1);
            return operation(op, std::move(left), expression(plan, Sort::integer, depth - 1));
        }
        switch (numbers_.below(4)) {
        case 0:
        case 1: {
            std::string const op = numbers_.one_of(arithmetic_comparisons);
            Expression left = expression(plan, Sort::integer, depth - 1);
            return operation(op, std::move(left), expression(plan, Sort::integer, depth - 1));
        }
        case 2: {
            std::string const op = numbers_.one_of(connectives);
            Expression left = expression(plan, Sort::boolean, depth - 1);
            return operation(op, std::move(left), expression(plan, Sort::boolean, depth - 1));
        }
        default: return negation(expression(plan, Sort::boolean, depth - 1));
        }
    }

    /// The divisor is a non-zero constant most of the time, of either sign: the signs are what tells Euclid's division
    /// from the others.
    Expression division(Plan const& plan, std::size_t depth) {
        std::string const op = numbers_.chance(50) ? "mod" : "div";
        Expression dividend = expression(plan, Sort::integer, depth - 1);
        if (numbers_.chance(disciplined_ ? 4 : 12)) {
            return operation(op, std::move(dividend), expression(plan, Sort::integer, depth - 1));
        }
        Integer divisor = 2 + Integer(numbers_.below(3));
        if (numbers_.chance(45)) {
            divisor = -divisor;
        }
        return operation(op, std::move(dividend), number(divisor));
    }

    /// The condition of an assume or assert, which is neither mostly true nor mostly false.
    Expression condition(Plan const& plan) {
        if (flavour_ == Flavour::mixed_sorts && numbers_.chance(40)) {
            return expression(plan, Sort::integer, 1);
        }
        if (numbers_.chance(35)) {
            return expression(plan, Sort::boolean, 1 + numbers_.below(3));
        }
        Expression left = leaf(plan, Sort::integer);
        std::string const op = numbers_.one_of(arithmetic_comparisons);
        return operation(op, std::move(left), expression(plan, Sort::integer, numbers_.below(2)));
    }

    // Commands

    static void append(Plan& plan, Command command) { plan.commands.push_back(std::move(command)); }

    /// Whether so many more commands, and the waits owed, fit.
    static bool has_room(Plan const& plan, std::size_t commands) {
        return plan.commands.size() + plan.owed.size() + commands <= max_commands;
    }

    Endpoint endpoint_for(Plan const& plan) {
        if (flavour_ == Flavour::shared_endpoints) {
            return numbers_.one_of(all_endpoints_);
        }
        return numbers_.one_of(plan.endpoints);
    }

    void send(Plan& plan, Endpoint alpha, Endpoint beta) {
        Sndi sndi;
        sndi.action = new_action("S");
        sndi.alpha = alpha;
        sndi.beta = beta;
        Sort sort = sort_of_.at(beta);
        if (flavour_ == Flavour::mixed_sorts && numbers_.chance(40)) {
            sort = sort == Sort::integer ? Sort::boolean : Sort::integer;
        }
        sndi.payload = expression(plan, sort, numbers_.chance(35) ? 1 + numbers_.below(3) : 0);
        if (numbers_.chance(45)) {
            plan.owed.push_back(Owed{sndi.action});
        }
        append(plan, Command{"", sndi});
    }

    void receive(Plan& plan, Endpoint beta) {
        Rcvi rcvi;
        rcvi.action = new_action("R");
        rcvi.beta = beta;
        rcvi.variable = numbers_.one_of(plan.variables);
        plan.owed.push_back(Owed{rcvi.action, beta});
        plan.receives[beta].push_back(Receive{rcvi.action, rcvi.variable});
        append(plan, Command{"", rcvi});
    }

    void message() {
        Plan& from = numbers_.one_of(plans_);
        // Receivers are unlike: races need several senders to one endpoint.
        Plan& to = numbers_.chance(50) ? numbers_.one_of(plans_) : plans_.front();
        bool const within = &from == &to;
        if (!has_room(from, within ? 4 : 2) || !has_room(to, 2)) {
            return;
        }
        Endpoint const beta = endpoint_for(to);
        Endpoint const alpha = endpoint_for(from);
        if (within && numbers_.chance(50)) {
            receive(to, beta);
            send(from, alpha, beta);
        } else {
            send(from, alpha, beta);
            receive(to, beta);
        }
        if (numbers_.chance(40)) {
            pay(from);
        }
        if (numbers_.chance(30)) {
            pay(to);
        }
    }

    /// Appends one of the waits that a thread owes, mostly the oldest.
    void pay(Plan& plan) {
        if (plan.owed.empty()) {
            return;
        }
        std::size_t const k = numbers_.chance(50) ? numbers_.below(plan.owed.size()) : 0;
        Owed const owed = plan.owed[k];
        plan.owed.erase(plan.owed.begin() + static_cast<std::ptrdiff_t>(k));
        append(plan, Command{"", Wait{owed.action}});
        if (owed.receive_at.has_value()) {
            complete(plan, owed.action, *owed.receive_at);
            if (has_room(plan, 1) && numbers_.chance(75)) {
                check(plan);
            }
        }
    }

    /// A wait completes its receive and the earlier ones at the endpoint: their variables have values from here on.
    void complete(Plan& plan, std::string const& action, Endpoint beta) {
        for (Receive& receive : plan.receives[beta]) {
            if (!receive.completed) {
                plan.defined[receive.variable] = sort_of_.at(beta);
                receive.completed = true;
            }
            if (receive.action == action) {
                return;
            }
        }
    }

    void check(Plan& plan) {
        bool const assumed = numbers_.chance(45);
        Expression the_condition = condition(plan);
        if (assumed) {
            append(plan, Command{"", Assume{std::move(the_condition)}});
        } else {
            append(plan, Command{"", Assert{std::move(the_condition)}});
        }
    }

    void assign(Plan& plan) {
        Sort const sort = numbers_.chance(20) ? Sort::boolean : Sort::integer;
        Expression value = expression(plan, sort, 1 + numbers_.below(3));
        std::string const name = numbers_.one_of(plan.variables);
        plan.defined[name] = sort;
        append(plan, Command{"", Assign{name, std::move(value)}});
    }

    void one_round() {
        std::size_t const kind = numbers_.below(100);
        if (kind < 66) {
            message();
            return;
        }
        Plan& plan = numbers_.one_of(plans_);
        // A check of constants is dull: better a message that later checks can speak of.
        if (kind >= 82 && kind < 95 && plan.defined.empty() && !numbers_.chance(15)) {
            message();
        } else if (kind < 74) {
            pay(plan);
        } else if (!has_room(plan, 2)) {
            return;
        } else if (kind < 82) {
            assign(plan);
        } else if (kind < 95) {
            check(plan);
        } else if (kind < 99) {
            send(plan, endpoint_for(plan), numbers_.one_of(all_endpoints_));
        } else {
            receive(plan, endpoint_for(plan));
        }
    }

    /// Appends the waits still owed, or leaves some out where the discipline does not need them.
    void settle(Plan& plan) {
        if (numbers_.chance(45)) {
            std::reverse(plan.owed.begin(), plan.owed.end());
        }
        std::vector<Owed> const all = plan.owed;
        plan.owed.clear();
        for (std::size_t k = 0; k < all.size(); ++k) {
            bool const left_out = all[k].receive_at.has_value()
                                      ? (flavour_ == Flavour::missing_waits && numbers_.chance(60)) ||
                                            (completed_later(plan, all, k) && numbers_.chance(20))
                                      : numbers_.chance(10);
            if (left_out) {
                continue;
            }
            append(plan, Command{"", Wait{all[k].action}});
            if (all[k].receive_at.has_value()) {
                complete(plan, all[k].action, *all[k].receive_at);
            }
        }
        if (!all.empty() && plan.commands.size() <= max_commands && numbers_.chance(70)) {
            check(plan);
        }
    }

    /// "a later wait, in its thread, for itself or for a later receive at the same endpoint" (D3): whether receive k of
    /// those owed was issued before one whose wait is still to come.
    static bool completed_later(Plan const& plan, std::vector<Owed> const& owed, std::size_t k) {
        std::vector<Receive> const& receives = plan.receives.at(*owed[k].receive_at);
        bool passed = false;
        for (Receive const& receive : receives) {
            if (passed) {
                for (std::size_t later = k + 1; later < owed.size(); ++later) {
                    // Nothing left out is counted on: only the last of all is sure to get its wait.
                    bool const sure = later + 1 == owed.size();
                    if (sure && owed[later].action == receive.action) {
                        return true;
                    }
                }
            }
            passed = passed || receive.action == owed[k].action;
        }
        return false;
    }

    // Flavours that are added to a program that was good before

    static Expression* expression_of(Command& command) {
        if (Assume* const assume = std::get_if<Assume>(&command.what)) {
            return &assume->condition;
        }
        if (Assert* const assertion = std::get_if<Assert>(&command.what)) {
            return &assertion->condition;
        }
        if (Assign* const assign = std::get_if<Assign>(&command.what)) {
            return &assign->value;
        }
        if (Sndi* const sndi = std::get_if<Sndi>(&command.what)) {
            return &sndi->payload;
        }
        return nullptr;
    }

    /// Some place in some expression of the program; it makes an assertion if there is none.
    Expression& some_expression() {
        std::vector<Expression*> candidates;
        for (Plan& plan : plans_) {
            for (Command& command : plan.commands) {
                if (Expression* const found = expression_of(command)) {
                    candidates.push_back(found);
                }
            }
        }
        if (candidates.empty()) {
            append(plans_.front(), Command{"", Assert{truth(true)}});
            candidates.push_back(expression_of(plans_.front().commands.back()));
        }
        Expression* place = numbers_.one_of(candidates);
        while (place->kind == Expression::Kind::operation && numbers_.chance(70)) {
            place = &numbers_.one_of(place->operands);
        }
        return *place;
    }

    void spoil_sort(Expression& place) {
        switch (numbers_.below(4)) {
        case 0: place = negation(operation("+", number(1), place)); break;
        case 1: place = operation("and", place, number(0)); break;
        case 2:
            place = operation("=", operation("<", number(1), number(2)), operation("-", number(2), number(1)));
            break;
        default:
            // The wrong sort wins over the zero divisor.
            place = operation("div", truth(true), number(0));
            break;
        }
    }

    void spoil_divisor(Expression& place) {
        std::string const op = numbers_.chance(50) ? "mod" : "div";
        Expression dividend = place.kind == Expression::Kind::variable ? place : number(1 + numbers_.below(3));
        Expression divisor = numbers_.chance(50) ? operation("-", number(2), number(2)) : number(0);
        place = operation(op, std::move(dividend), std::move(divisor));
    }

    struct Site {
        std::size_t thread;
        std::size_t index;
        std::string action;
    };

    /// Where actions are issued (or, on wish, where they are waited for).
    std::vector<Site> sites(bool of_waits) const {
        std::vector<Site> found;
        for (std::size_t t = 0; t < plans_.size(); ++t) {
            for (std::size_t k = 0; k < plans_[t].commands.size(); ++k) {
                auto const& what = plans_[t].commands[k].what;
                if (of_waits && std::holds_alternative<Wait>(what)) {
                    found.push_back(Site{t, k, std::get<Wait>(what).action});
                } else if (!of_waits && std::holds_alternative<Sndi>(what)) {
                    found.push_back(Site{t, k, std::get<Sndi>(what).action});
                } else if (!of_waits && std::holds_alternative<Rcvi>(what)) {
                    found.push_back(Site{t, k, std::get<Rcvi>(what).action});
                }
            }
        }
        return found;
    }

    void insert_wait(std::size_t thread, std::size_t index, std::string const& action) {
        Thread& commands = plans_[thread].commands;
        commands.insert(commands.begin() + static_cast<std::ptrdiff_t>(index), Command{"", Wait{action}});
    }

    void spoil() {
        switch (flavour_) {
        case Flavour::none:
        case Flavour::missing_waits:
        case Flavour::shared_endpoints:
        case Flavour::shared_variables:
        case Flavour::mixed_sorts: return;
        case Flavour::no_value: some_expression() = variable("u"); return;
        case Flavour::wrong_sort: spoil_sort(some_expression()); return;
        case Flavour::zero_divisor: spoil_divisor(some_expression()); return;
        case Flavour::doubled_wait: {
            std::vector<Site> const waits = sites(true);
            if (!waits.empty()) {
                Site const& wait = numbers_.one_of(waits);
                std::size_t const behind = plans_[wait.thread].commands.size() - wait.index;
                insert_wait(wait.thread, wait.index + 1 + numbers_.below(behind), wait.action);
            }
            return;
        }
        case Flavour::early_wait: {
            std::vector<Site> const actions = sites(false);
            if (!actions.empty()) {
                Site const& action = numbers_.one_of(actions);
                insert_wait(action.thread, numbers_.below(action.index + 1), action.action);
            }
            return;
        }
        case Flavour::foreign_wait: {
            std::vector<Site> const actions = sites(false);
            if (!actions.empty()) {
                Site const& action = numbers_.one_of(actions);
                std::size_t const thread = numbers_.below(plans_.size());
                insert_wait(thread, numbers_.below(plans_[thread].commands.size() + 1), action.action);
            }
            return;
        }
        }
    }

    // Locations

    std::string location(std::size_t thread, std::size_t index, std::size_t count) const {
        switch (location_style_) {
        case 9: return std::to_string(count + 1);
        case 10: return "L" + std::to_string(thread) + "_" + std::to_string(index);
        case 11: return odd_name(odd_atoms(), odd_start_, count);
        default: return std::to_string(thread) + std::to_string(index);
        }
    }

    Program finish() {
        Program program;
        std::vector<std::string> locations;
        for (std::size_t t = 0; t < plans_.size(); ++t) {
            for (std::size_t k = 0; k < plans_[t].commands.size(); ++k) {
                locations.push_back(location(t, k, locations.size()));
                plans_[t].commands[k].location = locations.back();
            }
            program.threads.push_back(plans_[t].commands);
        }
        if (numbers_.chance(10)) {
            for (Thread& thread : program.threads) {
                for (Command& command : thread) {
                    add_extra(command, locations);
                }
            }
        }
        return program;
    }

    /// "sndi and rcvi accept one more atom at their end": their own location as in the figure, or any other.
    void add_extra(Command& command, std::vector<std::string> const& locations) {
        if (numbers_.chance(40)) {
            return;
        }
        std::string const extra = numbers_.chance(30) ? numbers_.one_of(locations) : command.location;
        if (Sndi* const sndi = std::get_if<Sndi>(&command.what)) {
            sndi->extra = extra;
        } else if (Rcvi* const rcvi = std::get_if<Rcvi>(&command.what)) {
            rcvi->extra = extra;
        }
    }

    Numbers& numbers_;
    bool disciplined_;
    Flavour flavour_ = Flavour::none;
    bool odd_actions_ = false;
    bool odd_variables_ = false;
    std::size_t location_style_ = 0;
    std::size_t odd_start_ = 0;
    std::size_t actions_ = 1;
    std::vector<Plan> plans_ = {};
    std::vector<Endpoint> all_endpoints_ = {};
    std::map<Endpoint, Sort> sort_of_ = {};
};

// Programs for exploration

/// Makes a program from the front of a skeleton, as described at `elaborate_program`.
///
/// Like Builder it lays messages out in an order in which they can be exchanged under either buffering, and then
/// perhaps spoils that.
class ProgramBuilder {
public:
    ProgramBuilder(Numbers& numbers, ProgramShape const& shape) : numbers_(numbers), shape_(shape) {}

    Program build() {
        choose_style();
        // Few rather than many.
        std::size_t const most = 2 + numbers_.below(shape_.messages - 1);
        std::size_t const messages = numbers_.chance(30) ? 2 + numbers_.below(most - 1) : most;
        for (std::size_t m = 0; m < messages; ++m) {
            message();
        }
        add_strays();
        for (Plan& plan : plans_) {
            settle(plan);
        }
        if (asserts_on_order_) {
            assert_on_order();
        }
        interchange();
        Program program;
        for (std::size_t t = 0; t < plans_.size(); ++t) {
            for (std::size_t k = 0; k < plans_[t].commands.size(); ++k) {
                plans_[t].commands[k].location = std::to_string(t) + std::to_string(k);
            }
            program.threads.push_back(plans_[t].commands);
        }
        return program;
    }

private:
    struct Named {
        std::string name;
        Sort sort = Sort::integer;
    };

    struct Receive {
        std::string action;
        Named variable;
        Endpoint beta = 0;
        bool completed = false;
    };

    /// A thread in the making.
    struct Plan {
        std::size_t number = 0;
        Thread commands = {}; ///< their locations come last
        std::vector<Endpoint> endpoints = {};
        std::vector<Receive> receives = {};
        std::vector<Named> values = {};              ///< what has a value here, latest last, no name twice
        std::vector<std::string> owed_sends = {};    ///< sends that a wait is to follow for
        std::vector<std::string> owed_receives = {}; ///< and receives
        std::size_t variables = 0;
    };

    void choose_style() {
        plans_.resize(2 + numbers_.below(shape_.threads - 1));
        Endpoint endpoint = 0;
        for (Plan& plan : plans_) {
            plan.number = static_cast<std::size_t>(&plan - plans_.data());
            for (std::size_t own = numbers_.chance(25) ? 2 : 1; own > 0; --own) {
                plan.endpoints.push_back(endpoint);
                sort_of_[endpoint++] = numbers_.chance(10) ? Sort::boolean : Sort::integer;
            }
        }
        static std::array<std::size_t, 4> const densities = {60, 90, 30, 0};
        density_ = numbers_.one_of(densities);
        static std::array<std::size_t, 4> const waits_for_sends = {0, 40, 80, 100};
        send_waits_ = numbers_.one_of(waits_for_sends);
        hubs_ = numbers_.chance(60) ? 2 : 1;
        late_waits_ = numbers_.chance(30);
        faults_ = numbers_.chance(30);
        asserts_on_order_ = numbers_.chance(85);
        stray_sends_ = numbers_.chance(25) ? 1 + numbers_.below(2) : 0;
        stray_receive_ = numbers_.chance(8);
        interchanges_ = numbers_.chance(35) ? 1 + numbers_.below(3) : 0;
    }

    // Expressions

    Expression some_constant() { return number(1 + Integer(numbers_.below(payloads_ + 1))); }

    /// A value of that sort, a late one rather than an early one; none if there is none.
    std::optional<Expression> some_value(Plan const& plan, Sort sort) {
        std::vector<std::string> names;
        for (auto value = plan.values.rbegin(); value != plan.values.rend(); ++value) {
            if (value->sort == sort) {
                names.push_back(value->name);
            }
        }
        if (names.empty()) {
            return std::nullopt;
        }
        return variable(numbers_.chance(40) ? numbers_.one_of(names) : names.front());
    }

    Expression payload(Plan const& plan, Sort sort) {
        std::optional<Expression> const x = some_value(plan, Sort::integer);
        Expression const c = some_constant();
        if (sort == Sort::boolean) {
            if (x.has_value() && numbers_.chance(40)) {
                return operation("<", *x, c);
            }
            std::optional<Expression> const b = some_value(plan, Sort::boolean);
            if (b.has_value() && numbers_.chance(40)) {
                return negation(*b);
            }
            return truth(!numbers_.chance(50));
        }
        if (x.has_value() && numbers_.chance(45)) {
            switch (numbers_.below(4)) {
            case 0: return *x;
            case 1: return operation("+", *x, number(10));
            case 2: return operation("*", number(2), *x);
            default: return operation("-", *x, c);
            }
        }
        // Mostly another number for every send, so that values tell which was received.
        payloads_ += numbers_.chance(15) ? 0 : 1;
        return number(Integer(payloads_));
    }

    /// Mostly true, but for few values.
    Expression comparison(Plan const& plan) {
        static std::array<char const*, 5> const operators = {"<", ">", "<=", ">=", "="};
        Expression const x = *some_value(plan, Sort::integer);
        Expression const y = *some_value(plan, Sort::integer);
        Expression const c = some_constant();
        std::string const op = numbers_.one_of(operators);
        std::size_t const kind = numbers_.below(100);
        if (kind < 55) {
            return operation("!=", x, c);
        }
        if (kind < 75) {
            return operation(op, x, y == x ? c : y);
        }
        if (kind < 85) {
            return operation("!=", operation("+", x, y), c);
        }
        if (kind < 92) {
            return operation(op, x, c);
        }
        return operation("=", operation("mod", x, number(2)), number(Integer(numbers_.below(2))));
    }

    /// What depends on received values; the thread has one.
    Expression condition(Plan const& plan) {
        bool const integers = some_value(plan, Sort::integer).has_value();
        std::optional<Expression> const b = some_value(plan, Sort::boolean);
        Expression const first = b.has_value() && (!integers || numbers_.chance(50)) ? *b : comparison(plan);
        static std::array<char const*, 5> const operators = {"or", "and", "=>", "xor", "="};
        if (numbers_.chance(20)) {
            std::string const op = numbers_.one_of(operators);
            return operation(op, first, integers ? comparison(plan) : *b);
        }
        return numbers_.chance(10) ? negation(first) : first;
    }

    // Commands

    static void append(Plan& plan, auto what) { plan.commands.push_back(Command{"", std::move(what)}); }

    static void define(Plan& plan, Named const& named) {
        std::erase_if(plan.values, [&](Named const& value) { return value.name == named.name; });
        plan.values.push_back(named);
    }

    void check(Plan& plan) {
        if (plan.values.empty()) {
            return;
        }
        if (faults_ && numbers_.chance(70)) {
            assign(plan);
            return;
        }
        std::size_t const kind = numbers_.below(100);
        if (kind < 65) {
            append(plan, Assert{condition(plan)});
        } else if (kind < 77) {
            append(plan, Assume{condition(plan)});
        } else if (kind < 89) {
            assign(plan);
        } else if (kind < 98) {
            append(plan, Assert{condition(plan)});
            append(plan, Assert{condition(plan)});
        } else {
            append(plan, Assume{truth(false)});
        }
    }

    void assign(Plan& plan) {
        std::optional<Expression> const x = some_value(plan, Sort::integer);
        Named const z{"z" + std::to_string(plan.number) + std::to_string(numbers_.below(2))};
        if (!x.has_value()) {
            append(plan, Assign{z.name, number(1)});
        } else if (faults_) {
            append(plan, Assign{z.name, operation("div", number(12), operation("-", *x, some_constant()))});
        } else {
            append(plan, Assign{z.name, operation("-", operation("*", number(3), *x), some_constant())});
        }
        define(plan, z);
    }

    void send(Plan& plan, Endpoint beta) {
        Sndi sndi;
        sndi.action = "S" + std::to_string(++sends_);
        sndi.alpha = numbers_.one_of(plan.endpoints);
        sndi.beta = beta;
        sndi.payload = payload(plan, sort_of_.at(beta));
        if (sndi.payload.kind == Expression::Kind::value) {
            constants_[beta].push_back(sndi.payload);
        }
        if (numbers_.chance(send_waits_)) {
            plan.owed_sends.push_back(sndi.action);
        }
        append(plan, std::move(sndi));
    }

    void receive(Plan& plan, Endpoint beta) {
        Receive receive;
        receive.action = "R" + std::to_string(++receives_);
        receive.beta = beta;
        receive.variable.sort = sort_of_.at(beta);
        // A variable is used again for values of its sort only.
        bool const again = numbers_.chance(15) && !plan.receives.empty() &&
                           plan.receives.back().variable.sort == receive.variable.sort;
        receive.variable.name = again ? plan.receives.back().variable.name
                                      : "x" + std::to_string(plan.number) + std::to_string(plan.variables++);
        append(plan, Rcvi{receive.action, beta, receive.variable.name});
        plan.owed_receives.push_back(receive.action);
        plan.receives.push_back(receive);
    }

    void wait_for_send(Plan& plan) {
        append(plan, Wait{plan.owed_sends.front()});
        plan.owed_sends.erase(plan.owed_sends.begin());
    }

    /// A wait completes its receive and the earlier ones at the endpoint: their variables have values from here on.
    void wait_for_receive(Plan& plan, std::size_t owed) {
        std::string const action = plan.owed_receives[owed];
        plan.owed_receives.erase(plan.owed_receives.begin() + static_cast<std::ptrdiff_t>(owed));
        append(plan, Wait{action});
        auto const named = std::find_if(plan.receives.begin(), plan.receives.end(),
                                        [&](Receive const& receive) { return receive.action == action; });
        for (auto earlier = plan.receives.begin(); earlier <= named; ++earlier) {
            if (earlier->beta == named->beta && !earlier->completed) {
                earlier->completed = true;
                define(plan, earlier->variable);
            }
        }
        if (numbers_.chance(18)) {
            check(plan);
        }
    }

    void wait_for_some_receive(Plan& plan) {
        if (!plan.owed_receives.empty()) {
            wait_for_receive(plan, numbers_.chance(30) ? numbers_.below(plan.owed_receives.size()) : 0);
        }
    }

    Plan& sender_to(Plan& to) {
        // What is sent after a wait depends on what was received.
        if (numbers_.chance(density_)) {
            std::vector<std::size_t> waiting;
            for (Plan const& plan : plans_) {
                if (&plan != &to && !plan.owed_receives.empty()) {
                    waiting.push_back(plan.number);
                }
            }
            if (!waiting.empty()) {
                Plan& from = plans_[numbers_.one_of(waiting)];
                wait_for_some_receive(from);
                return from;
            }
        }
        std::size_t const another = 1 + numbers_.below(plans_.size() - 1);
        return numbers_.chance(5) ? to : plans_[(to.number + another) % plans_.size()];
    }

    void message() {
        // The first thread receives most, or the first two do.
        Plan& to = numbers_.chance(45) ? numbers_.one_of(plans_) : plans_[numbers_.below(hubs_)];
        Endpoint const beta = numbers_.one_of(to.endpoints);
        Plan& from = sender_to(to);
        if (numbers_.chance(50)) {
            receive(to, beta);
            send(from, beta);
        } else {
            send(from, beta);
            receive(to, beta);
        }
        if (!from.owed_sends.empty() && numbers_.chance(60)) {
            wait_for_send(from);
        }
        if (!late_waits_ && numbers_.chance(40)) {
            wait_for_some_receive(to);
        }
    }

    /// Sends that are too many, and receives that are.
    void add_strays() {
        for (std::size_t left = stray_sends_; left > 0; --left) {
            Plan& from = numbers_.one_of(plans_);
            Plan& to = numbers_.chance(50) ? numbers_.one_of(plans_) : plans_.front();
            send(from, numbers_.one_of(to.endpoints));
        }
        if (stray_receive_) {
            Plan& to = numbers_.one_of(plans_);
            receive(to, numbers_.one_of(to.endpoints));
        }
    }

    /// Appends the waits still owed. Of receives at one endpoint the last one's wait is enough.
    void settle(Plan& plan) {
        if (numbers_.chance(30)) {
            std::reverse(plan.owed_receives.begin(), plan.owed_receives.end());
        }
        while (!plan.owed_sends.empty()) {
            wait_for_send(plan);
        }
        bool const lazy = numbers_.chance(25);
        while (!plan.owed_receives.empty()) {
            auto const named = std::find_if(plan.receives.begin(), plan.receives.end(), [&](Receive const& receive) {
                return receive.action == plan.owed_receives.front();
            });
            if (lazy && named->completed) {
                plan.owed_receives.erase(plan.owed_receives.begin());
            } else {
                wait_for_receive(plan, 0);
            }
        }
        if (numbers_.chance(25)) {
            check(plan);
        }
    }

    /// Asserts, in a thread that received much, something that one order of arrival makes false and another does not.
    void assert_on_order() {
        Plan* most = &plans_.front();
        for (Plan& plan : plans_) {
            most = plan.receives.size() > most->receives.size() ? &plan : most;
        }
        Plan& plan = numbers_.chance(25) ? numbers_.one_of(plans_) : *most;
        if (plan.receives.empty()) {
            return;
        }
        Receive const& receive = numbers_.one_of(plan.receives);
        if (receive.variable.sort == Sort::boolean) {
            append(plan, Assert{variable(receive.variable.name)});
            return;
        }
        Receive const& other = numbers_.one_of(plan.receives);
        bool const comparable = other.beta == receive.beta && other.variable.name != receive.variable.name;
        std::vector<Expression> const& sent = constants_[receive.beta];
        if (sent.empty() || (comparable && numbers_.chance(40))) {
            append(plan, Assert{operation(comparable ? "<" : "!=", variable(receive.variable.name),
                                          comparable ? variable(other.variable.name) : some_constant())});
        } else {
            append(plan, Assert{operation("!=", variable(receive.variable.name), numbers_.one_of(sent))});
        }
    }

    // Interchanged commands

    static bool has_variable(Expression const& e) {
        return e.kind == Expression::Kind::variable ||
               std::any_of(e.operands.begin(), e.operands.end(),
                           [](Expression const& operand) { return has_variable(operand); });
    }

    /// Whether the discipline lets the two change places, that is whether no request, value or D3 is between them.
    static bool are_interchangeable(Command const& first, Command const& second) {
        auto const moves = [](Command const& command) {
            Sndi const* const sndi = std::get_if<Sndi>(&command.what);
            return sndi != nullptr
                       ? !has_variable(sndi->payload)
                       : std::holds_alternative<Rcvi>(command.what) || std::holds_alternative<Wait>(command.what);
        };
        if (!moves(first) || !moves(second)) {
            return false;
        }
        if (Wait const* const wait = std::get_if<Wait>(&second.what)) {
            Sndi const* const sndi = std::get_if<Sndi>(&first.what);
            Rcvi const* const rcvi = std::get_if<Rcvi>(&first.what);
            return !(sndi != nullptr && sndi->action == wait->action) &&
                   !(rcvi != nullptr && rcvi->action == wait->action);
        }
        return !(std::holds_alternative<Rcvi>(first.what) && std::holds_alternative<Rcvi>(second.what));
    }

    /// Takes some commands of some threads further forward or back.
    void interchange() {
        for (std::size_t left = interchanges_; left > 0; --left) {
            Thread& commands = numbers_.one_of(plans_).commands;
            if (commands.empty()) {
                continue;
            }
            std::size_t place = numbers_.below(commands.size());
            for (std::size_t steps = 1 + numbers_.below(5); steps > 0 && place + 1 < commands.size(); --steps) {
                if (!are_interchangeable(commands[place], commands[place + 1])) {
                    break;
                }
                std::swap(commands[place], commands[place + 1]);
                ++place;
            }
        }
    }

    Numbers& numbers_;
    ProgramShape shape_;
    std::vector<Plan> plans_ = {};
    std::map<Endpoint, Sort> sort_of_ = {};
    std::map<Endpoint, std::vector<Expression>> constants_ = {}; ///< sent to an endpoint
    std::size_t density_ = 0;    ///< percent of sends that come after a wait, if there is one to come
    std::size_t send_waits_ = 0; ///< percent of sends that are waited for
    std::size_t hubs_ = 1;       ///< threads that receive much
    bool late_waits_ = false;    ///< receives are posted ahead
    bool faults_ = false;
    bool asserts_on_order_ = false;
    std::size_t stray_sends_ = 0;
    bool stray_receive_ = false;
    std::size_t interchanges_ = 0;
    std::size_t payloads_ = 0;
    std::size_t sends_ = 0;
    std::size_t receives_ = 0;
};

// Traces

/// How a walk goes about its movements.
enum class Gait {
    careful,   ///< delivers what is needed, and only where it may
    impatient, ///< sometimes delivers without a posted receive (an error with zero buffering)
    reckless   ///< sometimes takes a wait that is not ready
};

template <typename Entry>
std::size_t length(std::map<Endpoint, std::vector<Entry>> const& queues, Endpoint endpoint) {
    auto const found = queues.find(endpoint);
    return found == queues.end() ? 0 : found->second.size();
}

/// Movements that can be applied now, in order of destination and source.
std::vector<Movement> possible_movements(State const& state, bool zero) {
    std::vector<Movement> possible;
    for (auto const& [beta, by_source] : state.Pnd_s) {
        if (zero && length(state.Q_s, beta) >= length(state.Pnd_r, beta)) {
            continue;
        }
        for (auto const& [alpha, sends] : by_source) {
            possible.push_back(Movement{beta, alpha});
        }
    }
    return possible;
}

/// What stands between a thread and its next command.
struct Need {
    bool hopeless = false;     ///< no movement helps now
    std::size_t movements = 0; ///< how many movements to `beta` ...
    Endpoint beta = 0;
    std::optional<Endpoint> alpha = {}; ///< ... and whether they must come from one source
};

Need need_of(Program const& program, State const& state, std::size_t thread, bool zero) {
    Need need;
    Wait const* const wait = std::get_if<Wait>(&program.threads[thread][state.next[thread]].what);
    if (wait == nullptr) {
        return need;
    }
    ActionSite const site = find_action(program, wait->action);
    if (site.rcvi != nullptr) {
        need.beta = site.rcvi->beta;
        auto const pending = state.Pnd_r.find(need.beta);
        if (pending == state.Pnd_r.end()) {
            need.hopeless = true;
            return need;
        }
        auto const place = std::find_if(pending->second.begin(), pending->second.end(),
                                        [&](PendingReceive const& r) { return r.action == wait->action; });
        if (place == pending->second.end()) {
            need.hopeless = true;
            return need;
        }
        std::size_t const wanted = static_cast<std::size_t>(place - pending->second.begin()) + 1;
        std::size_t const there = length(state.Q_s, need.beta);
        need.movements = wanted > there ? wanted - there : 0;
        std::size_t in_transit = 0;
        if (auto const channels = state.Pnd_s.find(need.beta); channels != state.Pnd_s.end()) {
            for (auto const& [alpha, sends] : channels->second) {
                in_transit += sends.size();
            }
        }
        need.hopeless = in_transit < need.movements;
        return need;
    }
    if (!zero) {
        return need;
    }
    if (state.next[site.thread] <= site.index) {
        need.hopeless = true;
        return need;
    }
    need.beta = site.sndi->beta;
    need.alpha = site.sndi->alpha;
    if (auto const channels = state.Pnd_s.find(need.beta); channels != state.Pnd_s.end()) {
        if (auto const channel = channels->second.find(*need.alpha); channel != channels->second.end()) {
            for (std::size_t k = 0; k < channel->second.size(); ++k) {
                if (channel->second[k].action == wait->action) {
                    need.movements = k + 1;
                }
            }
        }
    }
    need.hopeless =
        length(state.Q_s, need.beta) + need.movements > length(state.Pnd_r, need.beta) && need.movements > 0;
    return need;
}

std::string const& next_location(Program const& program, State const& state, std::size_t thread) {
    return program.threads[thread][state.next[thread]].location;
}

/// A walk through a program that mostly takes what can be taken.
class Walk {
public:
    enum class End { complete, stuck, erred };

    Walk(Program const& program, bool zero, Numbers& numbers, Gait gait)
        : program_(program), zero_(zero), numbers_(numbers), gait_(gait), state_(initial_state(program)) {}

    End go() {
        while (true) {
            std::vector<std::size_t> const unfinished = unfinished_threads(program_, state_);
            if (unfinished.empty()) {
                return End::complete;
            }
            std::vector<std::size_t> ready;
            std::vector<std::size_t> unready;
            for (std::size_t const t : unfinished) {
                Need const need = need_of(program_, state_, t, zero_);
                (need.hopeless ? unready : ready).push_back(t);
            }
            if (!unready.empty() && gait_ == Gait::reckless && numbers_.chance(30)) {
                ready = unready;
            }
            if (ready.empty()) {
                return End::stuck;
            }
            if (!one_step(numbers_.one_of(ready))) {
                return End::erred;
            }
        }
    }

    /// Takes the next command of some thread, ready or not; for a walk that is stuck.
    void force() {
        std::vector<std::size_t> const unfinished = unfinished_threads(program_, state_);
        if (!unfinished.empty()) {
            one_step(numbers_.one_of(unfinished));
        }
    }

    Trace const& trace() const { return trace_; }
    State const& state() const { return state_; }

private:
    /// Appends a movement to an entry, and applies it.
    static void move(State& state, TraceEntry& entry, Movement const& movement, bool zero) {
        entry.movements.push_back(movement);
        queue_movement(state, movement, zero);
    }

    /// Deliveries nobody needs yet, of several messages and channels.
    void early_deliveries(State& state, TraceEntry& entry) {
        bool const anywhere = gait_ == Gait::impatient && numbers_.chance(60);
        for (std::size_t left = 1 + numbers_.below(3); left > 0; --left) {
            std::vector<Movement> const possible = possible_movements(state, zero_ && !anywhere);
            if (possible.empty()) {
                return;
            }
            move(state, entry, numbers_.one_of(possible), zero_ && !anywhere);
        }
    }

    void needed_deliveries(State& state, TraceEntry& entry, std::size_t thread) {
        Need const need = need_of(program_, state, thread, zero_);
        if (need.hopeless) {
            return;
        }
        for (std::size_t left = need.movements; left > 0; --left) {
            std::vector<Movement> useful;
            for (Movement const& movement : possible_movements(state, zero_)) {
                if (movement.beta == need.beta && (!need.alpha || *need.alpha == movement.alpha)) {
                    useful.push_back(movement);
                }
            }
            if (useful.empty()) {
                return;
            }
            move(state, entry, numbers_.one_of(useful), zero_);
        }
    }

    bool one_step(std::size_t thread) {
        std::string const& location = next_location(program_, state_, thread);
        TraceEntry entry{location};
        std::size_t const order = numbers_.chance(gait_ == Gait::impatient ? 60 : 30) ? 1 + numbers_.below(2) : 0;
        {
            State ahead = state_;
            if (order == 1) {
                early_deliveries(ahead, entry);
            }
            // An early delivery may have taken the place that a needed one wants: then there are none.
            if (order == 1 && gait_ == Gait::careful && need_of(program_, ahead, thread, zero_).hopeless) {
                entry.movements.clear();
                ahead = state_;
            }
            needed_deliveries(ahead, entry, thread);
            if (order == 2) {
                early_deliveries(ahead, entry);
            }
        }
        trace_.push_back(entry);
        auto after = step(program_, state_, entry, zero_);
        if (std::holds_alternative<Reason>(after)) {
            return false;
        }
        state_ = std::get<State>(std::move(after));
        return true;
    }

    Program const& program_;
    bool zero_;
    Numbers& numbers_;
    Gait gait_;
    State state_;
    Trace trace_ = {};
};

/// Looks for a trace that completes, depth first. Commands that are not waits, and waits that need no movement, are
/// taken as they come: under the discipline taking them early blocks nothing. So all that is tried out is which message
/// to deliver next, to an endpoint that some thread waits at.
class Search {
public:
    Search(Program const& program, bool zero, std::size_t budget) : program_(program), zero_(zero), budget_(budget) {}

    std::optional<Trace> find() {
        if (explore(initial_state(program_), Trace{}, {})) {
            return found_;
        }
        return std::nullopt;
    }

private:
    bool explore(State state, Trace trace, std::vector<Movement> pending) {
        // `pending` has been applied to `state` but is in no entry yet; the next entry begins with it.
        bool going = true;
        while (going) {
            going = false;
            for (std::size_t const t : unfinished_threads(program_, state)) {
                Need const need = need_of(program_, state, t, zero_);
                if (need.hopeless || need.movements > 0) {
                    continue;
                }
                TraceEntry const bare{next_location(program_, state, t)};
                auto after = step(program_, state, bare, zero_);
                if (std::holds_alternative<Reason>(after)) {
                    return false;
                }
                state = std::get<State>(std::move(after));
                trace.push_back(TraceEntry{bare.location, pending});
                pending.clear();
                going = true;
            }
        }
        if (finished(program_, state)) {
            found_ = std::move(trace);
            return true;
        }
        if (budget_ == 0 || !seen_.insert(to_text(Result{.state = state})).second) {
            return false;
        }
        --budget_;
        std::set<Endpoint> awaited;
        for (std::size_t const t : unfinished_threads(program_, state)) {
            if (Need const need = need_of(program_, state, t, zero_); need.movements > 0) {
                awaited.insert(need.beta);
            }
        }
        for (Movement const& movement : possible_movements(state, zero_)) {
            if (awaited.contains(movement.beta)) {
                State moved = state;
                queue_movement(moved, movement, zero_);
                std::vector<Movement> with_it = pending;
                with_it.push_back(movement);
                if (explore(std::move(moved), trace, std::move(with_it))) {
                    return true;
                }
            }
        }
        return false;
    }

    Program const& program_;
    bool zero_;
    std::size_t budget_;
    std::set<std::string> seen_ = {};
    Trace found_ = {};
};

/// What is done to a trace to break it.
enum class Damage {
    none,
    drop_entry,
    repeat_entry,
    swap_entries,
    rename_entry,
    stray_movement,
    truncate,
    drop_movement,
    drop_all_movements,
    repeat_movement,
    earlier_movement,
    turned_movement,
    extra_entries,
    impatient,
    reckless
};

Damage choose_damage(Numbers& numbers) {
    static std::vector<std::pair<Damage, std::size_t>> const percents = {
        {Damage::drop_entry, 2},      {Damage::repeat_entry, 1},
        {Damage::swap_entries, 4},    {Damage::rename_entry, 2},
        {Damage::stray_movement, 2},  {Damage::truncate, 3},
        {Damage::drop_movement, 5},   {Damage::drop_all_movements, 3},
        {Damage::repeat_movement, 2}, {Damage::earlier_movement, 2},
        {Damage::turned_movement, 2}, {Damage::extra_entries, 2},
        {Damage::impatient, 7},       {Damage::reckless, 7}};
    std::size_t left = 99 - numbers.below(100);
    for (auto const& [damage, percent] : percents) {
        if (left < percent) {
            return damage;
        }
        left -= percent;
    }
    return Damage::none;
}

/// An entry, and one of its movements.
struct MovementSite {
    std::size_t entry;
    std::size_t place;
};

std::vector<MovementSite> movement_sites(Trace const& trace) {
    std::vector<MovementSite> found;
    for (std::size_t k = 0; k < trace.size(); ++k) {
        for (std::size_t m = 0; m < trace[k].movements.size(); ++m) {
            found.push_back(MovementSite{k, m});
        }
    }
    return found;
}

std::vector<std::string> all_locations(Program const& program) {
    std::vector<std::string> locations;
    for (Thread const& thread : program.threads) {
        for (Command const& command : thread) {
            locations.push_back(command.location);
        }
    }
    return locations;
}

/// Every endpoint that is named in the program, and one that mostly is not.
std::vector<Endpoint> all_endpoints(Program const& program) {
    std::set<Endpoint> endpoints = {5};
    for (Thread const& thread : program.threads) {
        for (Command const& command : thread) {
            if (Sndi const* const sndi = std::get_if<Sndi>(&command.what)) {
                endpoints.insert(sndi->alpha);
                endpoints.insert(sndi->beta);
            } else if (Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what)) {
                endpoints.insert(rcvi->beta);
            }
        }
    }
    return {endpoints.begin(), endpoints.end()};
}

template <typename Thing>
void insert_at(std::vector<Thing>& things, std::size_t place, Thing thing) {
    things.insert(things.begin() + static_cast<std::ptrdiff_t>(place), std::move(thing));
}

template <typename Thing>
void erase_at(std::vector<Thing>& things, std::size_t place) {
    things.erase(things.begin() + static_cast<std::ptrdiff_t>(place));
}

std::string wrong_location(Program const& program, std::string const& right, Numbers& numbers) {
    switch (numbers.below(4)) {
    case 0:
        // "Locations and actions are compared as written (02 is not 2)"
        return "0" + right;
    case 1: return "nowhere";
    case 2: return "bot";
    default: {
        std::vector<std::string> const locations = all_locations(program);
        return numbers.one_of(locations);
    }
    }
}

void damage_entries(Program const& program, Trace& trace, Damage damage, Numbers& numbers) {
    if (damage == Damage::extra_entries) {
        std::vector<std::string> const locations = all_locations(program);
        for (std::size_t left = 1 + numbers.below(2); left > 0; --left) {
            trace.push_back(TraceEntry{locations.empty() ? "00" : numbers.one_of(locations)});
        }
        return;
    }
    if (trace.empty()) {
        return;
    }
    std::size_t const k = numbers.below(trace.size());
    if (damage == Damage::drop_entry) {
        erase_at(trace, k);
    } else if (damage == Damage::repeat_entry) {
        insert_at(trace, k + numbers.below(trace.size() - k + 1), TraceEntry{trace[k].location});
    } else if (damage == Damage::swap_entries && k + 1 < trace.size()) {
        std::swap(trace[k], trace[k + 1]);
    } else if (damage == Damage::rename_entry) {
        trace[k].location = wrong_location(program, trace[k].location, numbers);
    } else if (damage == Damage::truncate) {
        trace.resize(k);
    } else if (damage == Damage::stray_movement) {
        std::vector<Endpoint> const endpoints = all_endpoints(program);
        Endpoint const beta = numbers.one_of(endpoints);
        Endpoint const alpha = numbers.one_of(endpoints);
        insert_at(trace[k].movements, numbers.below(trace[k].movements.size() + 1), Movement{beta, alpha});
    }
}

void damage_movements(Trace& trace, Damage damage, Numbers& numbers) {
    std::vector<MovementSite> const sites = movement_sites(trace);
    if (sites.empty()) {
        return;
    }
    MovementSite const site = numbers.one_of(sites);
    std::vector<Movement>& movements = trace[site.entry].movements;
    Movement const movement = movements[site.place];
    if (damage == Damage::drop_movement) {
        erase_at(movements, site.place);
    } else if (damage == Damage::drop_all_movements) {
        for (TraceEntry& entry : trace) {
            entry.movements.clear();
        }
    } else if (damage == Damage::repeat_movement) {
        insert_at(movements, site.place, movement);
    } else if (damage == Damage::earlier_movement) {
        erase_at(movements, site.place);
        trace[numbers.below(site.entry + 1)].movements.push_back(movement);
    } else if (damage == Damage::turned_movement) {
        movements[site.place] = Movement{movement.alpha, movement.beta};
    }
}

void damage_trace(Program const& program, Trace& trace, Damage damage, Numbers& numbers) {
    switch (damage) {
    case Damage::none:
    case Damage::impatient:
    case Damage::reckless: return;
    case Damage::drop_entry:
    case Damage::repeat_entry:
    case Damage::swap_entries:
    case Damage::rename_entry:
    case Damage::stray_movement:
    case Damage::truncate:
    case Damage::extra_entries: damage_entries(program, trace, damage, numbers); return;
    case Damage::drop_movement:
    case Damage::drop_all_movements:
    case Damage::repeat_movement:
    case Damage::earlier_movement:
    case Damage::turned_movement: damage_movements(trace, damage, numbers); return;
    }
}

} // namespace

Case elaborate(std::vector<std::uint16_t> const& skeleton) {
    Numbers front(skeleton, Numbers::From::front);
    Numbers back(skeleton, Numbers::From::back);
    Case made;
    made.zero = back.chance(50);
    Builder builder(front, false);
    made.program = builder.build();

    Damage const damage = choose_damage(back);
    Gait gait = Gait::careful;
    if (damage == Damage::impatient) {
        gait = Gait::impatient;
    } else if (damage == Damage::reckless || (builder.has_misplaced_wait() && back.chance(50))) {
        gait = Gait::reckless;
    }
    Walk walk(made.program, made.zero, back, gait);
    Walk::End const end = walk.go();
    if (end == Walk::End::stuck) {
        constexpr std::size_t budget = 200;
        std::optional<Trace> completing;
        if (made.zero && !back.chance(25)) {
            completing = Search(made.program, made.zero, budget).find();
        }
        if (completing.has_value()) {
            made.trace = *completing;
        } else {
            if (!back.chance(30)) {
                walk.force();
            }
            made.trace = walk.trace();
        }
    } else {
        made.trace = walk.trace();
    }
    damage_trace(made.program, made.trace, damage, back);
    return made;
}

Program elaborate_disciplined_program(std::vector<std::uint16_t> const& skeleton) {
    Numbers front(skeleton, Numbers::From::front);
    return Builder(front, true).build();
}

Case elaborate_disciplined(std::vector<std::uint16_t> const& skeleton) {
    Numbers back(skeleton, Numbers::From::back);
    Case made;
    made.zero = back.chance(50);
    made.program = elaborate_disciplined_program(skeleton);

    Walk walk(made.program, made.zero, back, Gait::careful);
    Walk::End const end = walk.go();
    made.trace = walk.trace();
    // With infinite buffering no delivery takes anything away from another wait: a walk that is stuck was bound to be.
    if (end == Walk::End::erred || (end == Walk::End::stuck && made.zero)) {
        constexpr std::size_t budget = 20000;
        if (auto const completing = Search(made.program, made.zero, budget).find()) {
            made.trace = *completing;
        }
    }
    return made;
}

Program elaborate_program(std::vector<std::uint16_t> const& skeleton, ProgramShape const& shape) {
    Numbers front(skeleton, Numbers::From::front);
    return ProgramBuilder(front, shape).build();
}

Family elaborate_family(std::vector<std::uint16_t> const& skeleton,
                        std::vector<std::vector<std::uint16_t>> const& walks) {
    Numbers front(skeleton, Numbers::From::front);
    Family made;
    made.program = Builder(front, true).build();
    for (std::vector<std::uint16_t> const& choices : walks) {
        Numbers numbers(choices, Numbers::From::front);
        Walk walk(made.program, false, numbers, Gait::careful);
        bool const complete = walk.go() == Walk::End::complete;
        if (complete && run(made.program, walk.trace(), false).well_formed &&
            std::find(made.traces.begin(), made.traces.end(), walk.trace()) == made.traces.end()) {
            made.traces.push_back(walk.trace());
        }
    }
    return made;
}

namespace {

Expression operation_of_race(Numbers& numbers, std::vector<std::string> const& variables, std::size_t depth);

/// A variable, a number, or what operators make of them.
Expression of_race(Numbers& numbers, std::vector<std::string> const& variables, std::size_t depth) {
    if (depth > 0 && numbers.chance(50)) {
        return operation_of_race(numbers, variables, depth - 1);
    }
    return numbers.chance(50) ? number(numbers.below(4)) : variable(numbers.one_of(variables));
}

Expression operation_of_race(Numbers& numbers, std::vector<std::string> const& variables, std::size_t depth) {
    static std::array<char const*, 4> const operators = {"div", "-", "div", "+"};
    std::string const op = numbers.one_of(operators);
    Expression left = of_race(numbers, variables, depth);
    return operation(op, std::move(left), of_race(numbers, variables, depth));
}

/// What a race asserts: a comparison of what operators make of the variables, or two of variables with numbers.
Expression claim_of_race(Numbers& numbers, std::vector<std::string> const& variables) {
    auto const compared = [&] { return numbers.chance(25) ? "=" : "!="; };
    if (numbers.chance(50)) {
        std::string const op = compared();
        Expression left = operation_of_race(numbers, variables, 2);
        return operation(op, std::move(left), of_race(numbers, variables, 0));
    }
    auto const of_one = [&] {
        std::string const op = compared();
        Expression left = variable(numbers.one_of(variables));
        return operation(op, std::move(left), number(numbers.below(5)));
    };
    std::string const op = numbers.chance(50) ? "or" : "and";
    Expression left = of_one();
    return operation(op, std::move(left), of_one());
}

} // namespace

Family elaborate_race(std::vector<std::uint16_t> const& skeleton) {
    Numbers numbers(skeleton, Numbers::From::front);
    std::size_t const messages = 2 + numbers.below(2);
    std::size_t const traces = numbers.chance(70) ? 3 : 2;
    Family made;
    made.program.threads.resize(1 + messages);
    Thread& receiver = made.program.threads.front();
    std::vector<std::string> variables;
    for (std::size_t k = 0; k < messages; ++k) {
        std::string const n = std::to_string(k);
        variables.push_back("x" + n);
        receiver.push_back(Command{"0" + n, Rcvi{"R" + n, 0, variables.back()}});
        Endpoint const alpha = static_cast<Endpoint>(k + 1);
        Sndi const send{"S" + n, alpha, 0, number(numbers.below(5))};
        made.program.threads[k + 1].push_back(Command{std::to_string(k + 1) + "0", send});
    }
    receiver.push_back(Command{"0" + std::to_string(messages), Wait{"R" + std::to_string(messages - 1)}});
    receiver.push_back(Command{"0" + std::to_string(messages + 1), Assert{claim_of_race(numbers, variables)}});

    std::vector<Movement> arrived;
    for (std::size_t k = 0; k < messages; ++k) {
        arrived.push_back(Movement{0, static_cast<Endpoint>(k + 1)});
    }
    bool const rotating = !numbers.chance(20);
    for (std::size_t t = 0; t < traces; ++t) {
        if (rotating) {
            std::rotate(arrived.begin(), arrived.begin() + 1, arrived.end());
        } else {
            for (std::size_t k = 1; k < messages; ++k) {
                std::swap(arrived[k], arrived[k - numbers.below(k + 1)]);
            }
        }
        Trace trace;
        for (std::size_t k = 0; k < messages; ++k) {
            trace.push_back(TraceEntry{made.program.threads[k + 1].front().location});
        }
        for (Command const& command : receiver) {
            bool const waits = std::holds_alternative<Wait>(command.what);
            trace.push_back(TraceEntry{command.location, waits ? arrived : std::vector<Movement>{}});
        }
        if (std::find(made.traces.begin(), made.traces.end(), trace) == made.traces.end()) {
            made.traces.push_back(trace);
        }
    }
    return made;
}

namespace {

std::optional<std::string>* extra_of(Command& command) {
    if (Sndi* const sndi = std::get_if<Sndi>(&command.what)) {
        return &sndi->extra;
    }
    if (Rcvi* const rcvi = std::get_if<Rcvi>(&command.what)) {
        return &rcvi->extra;
    }
    return nullptr;
}

/// The family without some commands, by location: the waits for their actions go with them, their entries go, and of a
/// send the movement of its message. The other movements of an entry that goes are left to the next one.
Family without(Family const& family, std::set<std::string> locations) {
    Family result;
    for (Thread const& thread : family.program.threads) {
        for (Command const& command : thread) {
            if (Wait const* const wait = std::get_if<Wait>(&command.what)) {
                ActionSite const site = find_action(family.program, wait->action);
                bool const issued = site.sndi != nullptr || site.rcvi != nullptr;
                if (!issued || locations.contains(family.program.threads[site.thread][site.index].location)) {
                    locations.insert(command.location);
                }
            }
        }
    }
    // channel, and the place in it of the messages that go
    std::map<std::pair<Endpoint, Endpoint>, std::set<std::size_t>> gone;
    for (Thread const& thread : family.program.threads) {
        std::map<std::pair<Endpoint, Endpoint>, std::size_t> sent;
        Thread kept;
        for (Command const& command : thread) {
            bool const goes = locations.contains(command.location);
            if (Sndi const* const sndi = std::get_if<Sndi>(&command.what)) {
                std::size_t const place = sent[{sndi->beta, sndi->alpha}]++;
                if (goes) {
                    gone[{sndi->beta, sndi->alpha}].insert(place);
                }
            }
            if (goes) {
                continue;
            }
            kept.push_back(command);
            std::optional<std::string>* const extra = extra_of(kept.back());
            if (extra != nullptr && *extra && locations.contains(**extra)) {
                extra->reset();
            }
        }
        if (!kept.empty()) {
            result.program.threads.push_back(kept);
        }
    }
    for (Trace const& trace : family.traces) {
        std::map<std::pair<Endpoint, Endpoint>, std::size_t> moved;
        std::vector<Movement> movements;
        Trace kept;
        for (TraceEntry const& entry : trace) {
            for (Movement const& movement : entry.movements) {
                std::pair<Endpoint, Endpoint> const channel{movement.beta, movement.alpha};
                if (!gone[channel].contains(moved[channel]++)) {
                    movements.push_back(movement);
                }
            }
            if (!locations.contains(entry.location)) {
                kept.push_back(TraceEntry{entry.location, std::move(movements)});
                movements.clear();
            }
        }
        if (std::find(result.traces.begin(), result.traces.end(), kept) == result.traces.end()) {
            result.traces.push_back(kept);
        }
    }
    return result;
}

/// The family with waits for another action instead of one.
Family waiting(Family family, std::string const& instead_of, std::string const& action) {
    for (Thread& thread : family.program.threads) {
        for (Command& command : thread) {
            if (Wait* const wait = std::get_if<Wait>(&command.what); wait != nullptr && wait->action == instead_of) {
                wait->action = action;
            }
        }
    }
    return family;
}

/// The family with an assignment instead of a receive: of what is sent if that is a value, else of 0.
Family assigning(Family family, std::string const& location, std::string const& x, Expression const& payload) {
    for (Thread& thread : family.program.threads) {
        for (Command& command : thread) {
            if (command.location == location) {
                bool const is_value = payload.kind == Expression::Kind::value;
                command.what = Assign{x, is_value ? payload : number(0)};
            }
        }
    }
    return family;
}

/// Expressions that are a little smaller: one of the operands, a plain value, or the same with a smaller operand.
std::vector<Expression> smaller(Expression const& e) {
    std::vector<Expression> result = e.operands;
    for (Expression const& plain : {number(0), number(1), truth(true), truth(false)}) {
        if (e.kind == Expression::Kind::operation || e.kind == Expression::Kind::variable) {
            result.push_back(plain);
        }
    }
    if (Integer const* const i = std::get_if<Integer>(&e.value);
        e.kind == Expression::Kind::value && i != nullptr && *i != 0) {
        for (Integer const& less : {Integer(0), Integer(*i / 2), Integer(*i - (*i > 0 ? 1 : -1))}) {
            if (less != *i) {
                result.push_back(number(less));
            }
        }
    }
    for (std::size_t k = 0; k < e.operands.size(); ++k) {
        for (Expression const& operand : smaller(e.operands[k])) {
            result.push_back(e);
            result.back().operands[k] = operand;
        }
    }
    return result;
}

Expression* expression_in(Command& command) {
    if (Assume* const assume = std::get_if<Assume>(&command.what)) {
        return &assume->condition;
    }
    if (Assert* const assertion = std::get_if<Assert>(&command.what)) {
        return &assertion->condition;
    }
    if (Assign* const assign = std::get_if<Assign>(&command.what)) {
        return &assign->value;
    }
    if (Sndi* const sndi = std::get_if<Sndi>(&command.what)) {
        return &sndi->payload;
    }
    return nullptr;
}

} // namespace

std::vector<Family> smaller(Family const& family) {
    std::vector<Family> result;
    // Whole threads, traces, pairs of a send and a receive that could be partners, single commands, expressions.
    std::vector<std::pair<std::string, Sndi>> sends;
    std::vector<std::pair<std::string, Rcvi>> receives;
    for (Thread const& thread : family.program.threads) {
        std::set<std::string> all;
        for (Command const& command : thread) {
            all.insert(command.location);
            if (Sndi const* const sndi = std::get_if<Sndi>(&command.what)) {
                sends.emplace_back(command.location, *sndi);
            } else if (Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what)) {
                receives.emplace_back(command.location, *rcvi);
            }
        }
        result.push_back(without(family, all));
    }
    for (std::size_t t = 0; family.traces.size() > 1 && t < family.traces.size(); ++t) {
        result.push_back(family);
        result.back().traces.erase(result.back().traces.begin() + static_cast<std::ptrdiff_t>(t));
    }
    for (auto const& [sent_at, sndi] : sends) {
        for (auto const& [received_at, rcvi] : receives) {
            if (sndi.beta == rcvi.beta) {
                result.push_back(without(family, {sent_at, received_at}));
                for (auto const& [other_at, other] : receives) {
                    if (other.beta == rcvi.beta && other_at != received_at) {
                        Family const changed = waiting(family, rcvi.action, other.action);
                        result.push_back(without(changed, {sent_at, received_at}));
                    }
                }
                result.push_back(without(assigning(family, received_at, rcvi.variable, sndi.payload), {sent_at}));
            }
        }
    }
    for (Thread const& thread : family.program.threads) {
        for (Command const& command : thread) {
            result.push_back(without(family, {command.location}));
        }
    }
    for (std::size_t t = 0; t < family.program.threads.size(); ++t) {
        for (std::size_t k = 0; k < family.program.threads[t].size(); ++k) {
            Family changed = family;
            Command& command = changed.program.threads[t][k];
            if (Assume const* const assume = std::get_if<Assume>(&command.what)) {
                command.what = Assert{Expression(assume->condition)};
                result.push_back(changed);
                command = family.program.threads[t][k];
            }
            if (Expression* const place = expression_in(command)) {
                for (Expression const& e : smaller(Expression(*place))) {
                    *place = e;
                    result.push_back(changed);
                }
            }
        }
    }
    return result;
}

std::vector<std::uint16_t> random_skeleton(std::mt19937_64& random) {
    // Some small, most as long as a program of three threads and its trace want.
    std::uint64_t const kind = random() % 10;
    std::uint64_t const length = kind == 0 ? random() % 28 : kind < 4 ? 28 + random() % 72 : 100 + random() % 200;
    std::vector<std::uint16_t> skeleton;
    for (std::uint64_t k = 0; k < length; ++k) {
        skeleton.push_back(static_cast<std::uint16_t>(random() & 0xffffU));
    }
    return skeleton;
}

} // namespace matchpoint::naive
