// Races for COMB: its errata show only when the traces of a family have all the same receives and other orders of
// arrival, and the assertion relates several received values. Random programs hardly ever have both, so races are built
// for it.

#include "tests/support/generate.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "programs/dice.hpp"

namespace matchpoint::naive {

namespace {

/// Expressions over some variables.
class Claims {
public:
    Claims(Dice& dice, std::vector<std::string> variables) : dice_(dice), variables_(std::move(variables)) {}

    /// A comparison of arithmetic with a number or variable, or two comparisons of variables with numbers.
    Expression claim() {
        if (dice_.percent(50)) {
            std::string const op = comparison();
            Expression const left = arithmetic(2);
            return operation(op, left, operand(0));
        }
        std::string const op = dice_.percent(50) ? "or" : "and";
        Expression const left = about_one();
        return operation(op, left, about_one());
    }

private:
    std::string comparison() { return dice_.percent(25) ? "=" : "!="; }

    Expression about_one() {
        std::string const op = comparison();
        Expression const x = variable(dice_.one_of(variables_));
        return operation(op, x, number(dice_.below(5)));
    }
    Expression operand(unsigned depth) {
        if (depth > 0 && dice_.percent(50)) return arithmetic(depth - 1);
        return dice_.percent(50) ? number(dice_.below(4)) : variable(dice_.one_of(variables_));
    }
    Expression arithmetic(unsigned depth) {
        static constexpr std::array<char const*, 4> operators = {"div", "-", "div", "+"};
        std::string const op = dice_.one_of(operators);
        Expression const left = operand(depth);
        return operation(op, left, operand(depth));
    }

    Dice& dice_;
    std::vector<std::string> variables_;
};

/// All senders send, then the receiver runs; the messages arrive before its wait.
Trace trace_of(Program const& program, std::vector<Movement> const& arrivals) {
    Trace trace;
    for (std::size_t t = 1; t < program.threads.size(); ++t)
        trace.push_back(TraceEntry{program.threads[t].front().location});
    for (Command const& command : program.threads.front())
        trace.push_back(TraceEntry{command.location,
                                   std::holds_alternative<Wait>(command.what) ? arrivals : std::vector<Movement>{}});
    return trace;
}

} // namespace

Family race(std::uint64_t seed, std::uint64_t i) {
    Dice dice(~seed, i);
    std::size_t const messages = 2 + dice.below(2);
    Family made;
    made.program.threads.resize(1 + messages);
    Thread& receiver = made.program.threads.front();
    std::vector<std::string> variables;
    std::vector<Movement> arrivals;
    for (std::size_t k = 0; k < messages; ++k) {
        std::string const n = std::to_string(k);
        Endpoint const alpha = static_cast<Endpoint>(k + 1);
        variables.push_back("x" + n);
        arrivals.push_back(Movement{0, alpha});
        receiver.push_back(Command{"0" + n, Rcvi{"R" + n, 0, variables.back()}});
        made.program.threads[alpha].push_back(
            Command{std::to_string(alpha) + "0", Sndi{"S" + n, alpha, 0, number(dice.below(5))}});
    }
    receiver.push_back(Command{"0" + std::to_string(messages), Wait{"R" + std::to_string(messages - 1)}});
    receiver.push_back(Command{"0" + std::to_string(messages + 1), Assert{Claims(dice, std::move(variables)).claim()}});
    bool const rotate = dice.percent(80);
    for (unsigned left = dice.percent(70) ? 3 : 2; left > 0; --left) {
        if (rotate)
            std::rotate(arrivals.begin(), arrivals.begin() + 1, arrivals.end());
        else
            for (std::size_t k = 1; k < messages; ++k) std::swap(arrivals[k], arrivals[dice.below(k + 1)]);
        Trace trace = trace_of(made.program, arrivals);
        if (std::find(made.traces.begin(), made.traces.end(), trace) == made.traces.end())
            made.traces.push_back(std::move(trace));
    }
    return made;
}

} // namespace matchpoint::naive
