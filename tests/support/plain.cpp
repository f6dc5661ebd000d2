#include "tests/support/plain.hpp"

#include <utility>

namespace matchpoint::naive {

Expression number(Integer i) {
    Expression e;
    e.kind = Expression::Kind::value;
    e.value = std::move(i);
    return e;
}

Expression truth(bool b) {
    Expression e;
    e.kind = Expression::Kind::value;
    e.value = b;
    return e;
}

Expression variable(std::string name) {
    Expression e;
    e.kind = Expression::Kind::variable;
    e.variable = std::move(name);
    return e;
}

Expression operation(std::string op, Expression left, Expression right) {
    Expression e;
    e.kind = Expression::Kind::operation;
    e.op = std::move(op);
    e.operands.push_back(std::move(left));
    e.operands.push_back(std::move(right));
    return e;
}

Expression negation(Expression operand) {
    Expression e;
    e.kind = Expression::Kind::operation;
    e.op = "not";
    e.operands.push_back(std::move(operand));
    return e;
}

std::string to_text(Value const& value) {
    if (bool const* b = std::get_if<bool>(&value)) {
        return *b ? "true" : "false";
    }
    return std::get<Integer>(value).str();
}

std::string to_text(Expression const& expression) {
    switch (expression.kind) {
    case Expression::Kind::value: return to_text(expression.value);
    case Expression::Kind::variable: return expression.variable;
    case Expression::Kind::operation: break;
    }
    std::string text = "(" + expression.op;
    for (Expression const& operand : expression.operands) {
        text += " " + to_text(operand);
    }
    return text + ")";
}

namespace {

std::string extra_text(std::optional<std::string> const& extra) { return extra ? " " + *extra : std::string(); }

std::string command_text(Assume const& c) { return "(assume " + to_text(c.condition) + ")"; }

std::string command_text(Assert const& c) { return "(assert " + to_text(c.condition) + ")"; }

std::string command_text(Assign const& c) { return "(" + c.variable + " := " + to_text(c.value) + ")"; }

std::string command_text(Sndi const& c) {
    return "(sndi " + c.action + " " + std::to_string(c.alpha) + " " + std::to_string(c.beta) + " " +
           to_text(c.payload) + extra_text(c.extra) + ")";
}

std::string command_text(Rcvi const& c) {
    return "(rcvi " + c.action + " " + std::to_string(c.beta) + " " + c.variable + extra_text(c.extra) + ")";
}

std::string command_text(Wait const& c) { return "(wait " + c.action + ")"; }

} // namespace

std::string to_text(Command const& command) {
    return std::visit([](auto const& c) { return command_text(c); }, command.what);
}

std::string to_text(Trace const& trace) {
    std::string text = "(";
    for (TraceEntry const& entry : trace) {
        text += " (" + entry.location + " ";
        if (entry.movements.empty()) {
            text += "bot";
        } else {
            text += "(";
            for (Movement const& movement : entry.movements) {
                text += "(" + std::to_string(movement.beta) + " " + std::to_string(movement.alpha) + ") ";
            }
            text += "bot)";
        }
        text += ")";
    }
    return text + " )";
}

std::string to_text(Program const& program, std::vector<Trace> const& traces) {
    std::string text = "(\n";
    for (Thread const& thread : program.threads) {
        text += "  (";
        for (Command const& command : thread) {
            text += " [" + command.location + " " + to_text(command) + "]\n   ";
        }
        text += " bot )\n";
    }
    text += ")\n";
    for (Trace const& trace : traces) {
        text += to_text(trace) + "\n";
    }
    return text;
}

std::string to_text(Case const& the_case) {
    return std::string("; buffering: ") + (the_case.zero ? "zero" : "infinite") + "\n" +
           to_text(the_case.program, {the_case.trace});
}

} // namespace matchpoint::naive
