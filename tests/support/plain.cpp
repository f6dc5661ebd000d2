#include "tests/support/plain.hpp"
#include "tests/support/all_rooms.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

namespace matchpoint::naive {

namespace {

/// An atom, or a list of trees.
struct Tree {
    std::string atom = {};
    std::vector<Tree> list = {};
};

/// Reads one tree from `place` on, which is left behind it.
Tree read_tree(std::string const& text, std::size_t& place) {
    auto const skip_space = [&] {
        while (place < text.size() && (text[place] == ';' || std::isspace(static_cast<unsigned char>(text[place])))) {
            place = text[place] == ';' ? std::min(text.find('\n', place), text.size()) : place + 1;
        }
        if (place == text.size()) {
            throw std::runtime_error("the text ends inside a program");
        }
    };
    skip_space();
    Tree tree;
    if (text[place] != '(' && text[place] != '[') {
        while (place < text.size() && std::string("()[]; \t\r\n").find(text[place]) == std::string::npos) {
            tree.atom += text[place++];
        }
        return tree;
    }
    ++place;
    for (skip_space(); text[place] != ')' && text[place] != ']'; skip_space()) {
        tree.list.push_back(read_tree(text, place));
    }
    ++place;
    return tree;
}

Endpoint endpoint_of(Tree const& tree) { return static_cast<Endpoint>(std::stoul(tree.atom)); }

Expression expression_of(Tree const& tree) {
    if (!tree.list.empty()) {
        std::string const op = tree.list.at(0).atom;
        Expression const first = expression_of(tree.list.at(1));
        return op == "not" ? negation(first) : operation(op, first, expression_of(tree.list.at(2)));
    }
    if (tree.atom == "true" || tree.atom == "false") {
        return truth(tree.atom == "true");
    }
    bool const sign = tree.atom[0] == '+' || tree.atom[0] == '-';
    std::string digits = tree.atom.substr(sign ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
        return variable(tree.atom);
    }
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1)); // Integer takes 010 for eight
    return number(tree.atom[0] == '-' ? Integer(-Integer(digits)) : Integer(digits));
}

Command command_of(Tree const& tree) {
    Command command{tree.list.at(0).atom, {}};
    std::vector<Tree> const& c = tree.list.at(1).list;
    std::string const& word = c.at(0).atom;
    if (word == "assume") {
        command.what = Assume{expression_of(c.at(1))};
    } else if (word == "assert") {
        command.what = Assert{expression_of(c.at(1))};
    } else if (c.at(1).atom == ":=") {
        command.what = Assign{word, expression_of(c.at(2))};
    } else if (word == "sndi") {
        command.what = Sndi{c.at(1).atom, endpoint_of(c.at(2)), endpoint_of(c.at(3)), expression_of(c.at(4))};
    } else if (word == "rcvi") {
        command.what = Rcvi{c.at(1).atom, endpoint_of(c.at(2)), c.at(3).atom};
    } else if (word == "wait") {
        command.what = Wait{c.at(1).atom};
    } else {
        throw std::runtime_error("no such command: " + word);
    }
    return command;
}

} // namespace

Program read_program(std::string const& text) {
    std::size_t place = 0;
    Program program;
    for (Tree const& thread : read_tree(text, place).list) {
        program.threads.emplace_back();
        for (Tree const& command : thread.list) {
            if (command.atom != "bot" && command.atom != "⊥") {
                program.threads.back().push_back(command_of(command));
            }
        }
    }
    return program;
}

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
