#include "tests/support/plain.hpp"
#include "tests/support/all_rooms.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace matchpoint::naive {

namespace {

/// An atom, or a list of trees.
struct Tree {
    std::string atom = {};
    std::vector<Tree> list = {};
};

/// Reads one tree from `place` on, and moves `place` past it.
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
        if (tree.list.size() != (op == "not" ? 2 : op == "ite" ? 4 : 3)) {
            throw std::runtime_error("an operator with another number of operands: " + op);
        }
        Expression const first = expression_of(tree.list.at(1));
        if (op == "not") {
            return negation(first);
        }
        Expression const second = expression_of(tree.list.at(2));
        return op == "ite" ? choice(first, second, expression_of(tree.list.at(3))) : operation(op, first, second);
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

Tag tag_of(Tree const& tree) { return static_cast<Tag>(std::stoul(tree.atom)); }

/// What follows the parts that every sndi and rcvi has.
std::optional<std::string> extra_of(std::vector<Tree> const& c, std::size_t place) {
    return place < c.size() && c[place].list.empty() ? std::optional(c[place].atom) : std::nullopt;
}

Sndi send_of(std::vector<Tree> const& c, Mode mode) {
    Sndi send{
        c.at(1).atom, endpoint_of(c.at(2)), endpoint_of(c.at(3)), expression_of(c.at(4)), extra_of(c, 5), std::nullopt,
        mode};
    if (!c.back().list.empty() && c.size() > 5) {
        send.tag = tag_of(c.back().list.at(1));
    }
    return send;
}

Selectors selectors_of(std::vector<Tree> const& c) {
    Selectors sel;
    for (Tree const& selector : c) {
        if (selector.list.empty()) {
            continue;
        }
        std::vector<Tree> const names(selector.list.begin() + 1, selector.list.end());
        std::string const& kind = selector.list.at(0).atom;
        if (kind == "from") {
            std::transform(names.begin(), names.end(), std::back_inserter(sel.from.emplace()),
                           [](Tree const& tree) { return endpoint_of(tree); });
        } else if (kind == "tag") {
            std::transform(names.begin(), names.end(), std::back_inserter(sel.tags.emplace()),
                           [](Tree const& tree) { return tag_of(tree); });
        } else if (kind == "source") {
            sel.source = names.at(0).atom;
        } else if (kind == "tagged") {
            sel.tagged = names.at(0).atom;
        } else {
            throw std::runtime_error("no such selector: " + kind);
        }
    }
    return sel;
}

Rcvi receive_of(std::vector<Tree> const& c) {
    return Rcvi{c.at(1).atom, endpoint_of(c.at(2)), c.at(3).atom, extra_of(c, 4), selectors_of(c)};
}

Collective collective_of(std::vector<Tree> const& c) {
    Collective collective{c.at(1).atom, c.at(2).atom, c.at(3).atom, c.at(0).atom == "collective"};
    for (std::size_t i = 4; i < c.size(); ++i) {
        std::vector<Tree> const& part = c[i].list;
        std::string const& name = part.at(0).atom;
        if (name == "root") {
            collective.root = std::stoul(part.at(1).atom);
        } else if (name == "op") {
            collective.op = part.at(1).atom;
        } else if (name == "type") {
            collective.type = part.at(1).atom;
        } else if (name == "count") {
            std::transform(part.begin() + 1, part.end(), std::back_inserter(collective.counts),
                           [](Tree const& tree) { return static_cast<unsigned>(std::stoul(tree.atom)); });
        } else {
            throw std::runtime_error("no such part of a collective: " + name);
        }
    }
    return collective;
}

Command command_of(Tree const& tree) {
    Command command{tree.list.at(0).atom, {}};
    std::vector<Tree> const& c = tree.list.at(1).list;
    std::string const& word = c.at(0).atom;
    bool const is_guarded = (word == "when" && c.at(1).atom != ":=") || (word == "assume" && c.size() > 2);
    if (is_guarded) {
        Guarded guarded{expression_of(c.at(1)), {}, word == "when"};
        for (std::size_t i = 2; i < c.size(); ++i) {
            guarded.stores.push_back({c[i].list.at(0).atom, expression_of(c[i].list.at(2))});
        }
        command.what = guarded;
    } else if (word == "assume") {
        command.what = Assume{expression_of(c.at(1))};
    } else if (word == "assert") {
        command.what = Assert{expression_of(c.at(1))};
    } else if (c.at(1).atom == ":=") {
        command.what = Assign{word, expression_of(c.at(2))};
    } else if (word == "sndi") {
        command.what = send_of(c, Mode::standard);
    } else if (word == "ssndi") {
        command.what = send_of(c, Mode::synchronous);
    } else if (word == "bsndi") {
        command.what = send_of(c, Mode::buffered);
    } else if (word == "rsndi") {
        command.what = send_of(c, Mode::ready);
    } else if (word == "rcvi") {
        command.what = receive_of(c);
    } else if (word == "test" || word == "iprobe") { // it has no meaning
        command.what = Assume{truth(true)};
    } else if (word == "wait") {
        command.what = Wait{c.at(1).atom};
    } else if (word == "probe" || word == "mprobe") {
        command.what = Probe{c.at(1).atom, endpoint_of(c.at(2)), selectors_of(c), word == "mprobe"};
    } else if (word == "start") {
        command.what = Start{c.at(1).atom, c.at(2).atom};
    } else if (word == "barrier") {
        command.what = Meet{c.at(1).atom};
    } else if (word == "collective" || word == "icollective") {
        command.what = collective_of(c);
    } else {
        throw std::runtime_error("no such command: " + word);
    }
    return command;
}

} // namespace

Program read_program(std::string const& text) {
    std::size_t place = 0;
    Program program;
    Tree first = read_tree(text, place);
    if (!first.list.empty() && first.list.at(0).atom == "shared") {
        for (std::size_t i = 1; i < first.list.size(); ++i) {
            if (first.list[i].atom == "atomic") {
                ++i;
                program.atomic.insert(first.list.at(i).list.at(0).atom);
            }
            program.shared.push_back({first.list.at(i).list.at(0).atom, expression_of(first.list[i].list.at(1))});
        }
        first = read_tree(text, place);
    }
    if (!first.list.empty() && first.list.at(0).atom == "communicators") {
        for (std::size_t i = 1; i < first.list.size(); ++i) {
            std::vector<Tree> const& declared = first.list[i].list;
            std::vector<std::size_t>& members = program.communicators[declared.at(0).atom];
            for (std::size_t k = 1; k < declared.size(); ++k) {
                members.push_back(std::stoul(declared[k].atom));
            }
        }
        first = read_tree(text, place);
    }
    for (Tree const& thread : first.list) {
        program.threads.emplace_back();
        for (Tree const& command : thread.list) {
            if (command.atom != "bot" && command.atom != "⊥") {
                program.threads.back().push_back(command_of(command));
            }
        }
    }
    return program;
}

bool is_plain(Program const& program) {
    if (!program.shared.empty()) {
        return false;
    }
    for (Thread const& thread : program.threads) {
        for (Command const& command : thread) {
            Sndi const* const sndi = std::get_if<Sndi>(&command.what);
            Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what);
            if (std::holds_alternative<Probe>(command.what) || std::holds_alternative<Meet>(command.what) ||
                std::holds_alternative<Guarded>(command.what) || std::holds_alternative<Collective>(command.what) ||
                (sndi != nullptr && sndi->mode != Mode::standard) || (rcvi != nullptr && rcvi->sel != Selectors())) {
                return false;
            }
        }
    }
    return true;
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

Expression choice(Expression condition, Expression left, Expression right) {
    Expression e = operation("ite", std::move(condition), std::move(left));
    e.operands.push_back(std::move(right));
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

std::string numbers_text(std::string const& kind, std::optional<std::vector<unsigned>> const& numbers) {
    if (!numbers) {
        return "";
    }
    std::string text = " (" + kind;
    for (unsigned const n : *numbers) {
        text += " " + std::to_string(n);
    }
    return text + ")";
}

std::string variable_text(std::string const& kind, std::optional<std::string> const& name) {
    return name ? " (" + kind + " " + *name + ")" : std::string();
}

std::string command_text(Sndi const& c) {
    std::string const word = c.mode == Mode::standard      ? "sndi"
                             : c.mode == Mode::synchronous ? "ssndi"
                             : c.mode == Mode::buffered    ? "bsndi"
                                                           : "rsndi";
    return "(" + word + " " + c.action + " " + std::to_string(c.alpha) + " " + std::to_string(c.beta) + " " +
           to_text(c.payload) + extra_text(c.extra) + (c.tag ? " (tag " + std::to_string(*c.tag) + ")" : "") + ")";
}

std::string selectors_text(Selectors const& sel) {
    return numbers_text("from", sel.from) + numbers_text("tag", sel.tags) + variable_text("source", sel.source) +
           variable_text("tagged", sel.tagged);
}

std::string command_text(Rcvi const& c) {
    return "(rcvi " + c.action + " " + std::to_string(c.beta) + " " + c.variable + extra_text(c.extra) +
           selectors_text(c.sel) + ")";
}

std::string command_text(Probe const& c) {
    return std::string(c.matches ? "(mprobe " : "(probe ") + c.action + " " + std::to_string(c.beta) +
           selectors_text(c.sel) + ")";
}

std::string command_text(Start const& c) { return "(start " + c.action + " " + c.variable + ")"; }

std::string command_text(Wait const& c) { return "(wait " + c.action + ")"; }

std::string command_text(Meet const& c) { return "(barrier " + c.barrier + ")"; }

std::string command_text(Collective const& c) {
    std::string text = std::string(c.blocks ? "(collective " : "(icollective ") + c.action + " " + c.communicator +
                       " " + c.kind + (c.root ? " (root " + std::to_string(*c.root) + ")" : "") +
                       (c.op.empty() ? "" : " (op " + c.op + ")") + (c.type.empty() ? "" : " (type " + c.type + ")");
    if (!c.counts.empty()) {
        text += " (count";
        for (unsigned const n : c.counts) {
            text += " " + std::to_string(n);
        }
        text += ")";
    }
    return text + ")";
}

std::string command_text(Guarded const& c) {
    std::string text = (c.blocks ? "(when " : "(assume ") + to_text(c.guard);
    for (Store const& store : c.stores) {
        text += " (" + store.variable + " := " + to_text(store.value) + ")";
    }
    return text + ")";
}

} // namespace

std::string to_text(Command const& command) {
    return std::visit([](auto const& c) { return command_text(c); }, command.what);
}

std::string to_text(Trace const& trace) {
    std::string text = "(";
    for (TraceEntry const& entry : trace) {
        text += " (" + entry.location + " ";
        if (entry.movements.empty() && !entry.peek) {
            text += "bot";
        } else {
            text += "(";
            auto const write = [&](std::string const& word, Movement const& movement) {
                text += "(" + word + std::to_string(movement.beta) + " " + std::to_string(movement.alpha) +
                        (movement.tag ? " " + std::to_string(*movement.tag) : "") + ") ";
            };
            for (Movement const& movement : entry.movements) {
                write("", movement);
            }
            if (entry.peek) {
                write("peek ", *entry.peek);
            }
            text += "bot)";
        }
        text += ")";
    }
    return text + " )";
}

std::string to_text(Program const& program, std::vector<Trace> const& traces) {
    std::string text;
    if (!program.shared.empty()) {
        text = "(shared";
        for (Store const& store : program.shared) {
            text += program.atomic.contains(store.variable) ? " atomic [" : " [";
            text += store.variable + " " + to_text(store.value) + "]";
        }
        text += ")\n";
    }
    if (!program.communicators.empty()) {
        text += "(communicators";
        for (auto const& [communicator, members] : program.communicators) {
            text += " [" + communicator;
            for (std::size_t const member : members) {
                text += " " + std::to_string(member);
            }
            text += "]";
        }
        text += ")\n";
    }
    text += "(\n";
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
