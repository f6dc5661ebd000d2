#include "grammar/messages/hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/foreign.hpp"
#include "base/nearest_name.hpp"
#include "grammar/messages/collective_hints.hpp"
#include "grammar/messages/habits.hpp"
#include "grammar/messages/lexer.hpp"
#include "grammar/messages/operator_hints.hpp"
#include "grammar/messages/selector_hints.hpp"
#include "grammar/messages/shared_hints.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::grammar {

namespace {

struct CommandForm {
    std::string_view name;
    std::string_view form;
    std::string_view parts;
};
constexpr CommandForm commands[] = {
    {"assume", "(assume e)", "a condition"},
    {"assert", "(assert e)", "a condition"},
    {"sndi", "(sndi a alpha beta e)", "the action, the source endpoint, the destination endpoint, the value"},
    {"rcvi", "(rcvi a beta x)", "the action, the destination endpoint, the variable"},
    {"wait", "(wait a)", "the action of a send or receive"},
    {"ssndi", "(ssndi a alpha beta e)", "like `sndi`; its wait waits until a receive has the message"},
    {"bsndi", "(bsndi a alpha beta e)", "like `sndi`; its wait never waits"},
    {"rsndi", "(rsndi a alpha beta e)", "like `sndi`; it needs a posted receive that can get the message"},
    {"barrier", "(barrier b)", "the barrier's name; the threads that have it wait for each other"},
    {"probe", "(probe a beta)", "the action, the endpoint; it waits for a message and takes nothing"},
    {"mprobe", "(mprobe a beta)", "like `probe`; it matches the message to the action, for `start`"},
    {"start", "(start a x)", "the action of an `mprobe`, the variable"},
    {"collective", "(collective a comm kind ...)",
     "the action, the communicator, the kind; then `(root k)`, `(op o)`, `(type t)` and `(count n ...)`, where it has "
     "them"},
    {"icollective", "(icollective a comm kind ...)", "like `collective`, and does not wait; its wait does"},
    {"when", "(when e (x := e) ...)", "the condition to wait for, and what to assign in the same step"},
};

/// Names that other languages have for a command.
constexpr std::pair<std::string_view, std::string_view> command_aliases[] = {
    {"send", "sndi"},      {"isend", "sndi"},   {"snd", "sndi"},         {"post", "sndi"},    {"put", "sndi"},
    {"recv", "rcvi"},      {"irecv", "rcvi"},   {"receive", "rcvi"},     {"rcv", "rcvi"},     {"get", "rcvi"},
    {"await", "wait"},     {"join", "wait"},    {"require", "assert"},   {"check", "assert"}, {"guarantee", "assert"},
    {"suppose", "assume"}, {"ssend", "ssndi"},  {"issend", "ssndi"},     {"bsend", "bsndi"},  {"ibsend", "bsndi"},
    {"sync", "barrier"},   {"meet", "barrier"}, {"ibarrier", "barrier"}, {"iprobe", "probe"}, {"peek", "probe"},
    {"rsend", "rsndi"},    {"irsend", "rsndi"}, {"improbe", "mprobe"},   {"mrecv", "start"},  {"imrecv", "start"},
};

/// What other languages have as a function, with its value in ours.
constexpr std::pair<std::string_view, std::string_view> functions[] = {
    {"max", "the larger of `a` and `b` is `(ite (> a b) a b)`"},
    {"min", "the smaller of `a` and `b` is `(ite (< a b) a b)`"},
    {"abs", "the absolute value of `a` is `(ite (< a 0) (- 0 a) a)`"},
    {"if",
     "a choice of values is `(ite c a b)`; there are no branches: a program is one path, and `assume` says which"},
};

template <typename Table>
auto const* look_up(Table const& table, std::string_view word) {
    auto const* const found =
        std::find_if(std::begin(table), std::end(table), [&](auto const& row) { return row.first == word; });
    return found == std::end(table) ? nullptr : &found->second;
}

CommandForm const* find_command(std::string_view name) {
    auto const* const found =
        std::find_if(std::begin(commands), std::end(commands), [&](CommandForm const& c) { return c.name == name; });
    return found == std::end(commands) ? nullptr : found;
}

std::string form_of(CommandForm const& c) { return fmt::format("`{}` is written `{}`: {}", c.name, c.form, c.parts); }

constexpr std::string_view no_commas = "blanks separate the parts of a command: write it without commas";

/// What an operand looks like in a hint: the atom, or `e`.
std::string operand(Token t) { return is_atom(t) ? printable(t.text) : "e"; }

// ---------------------------------------------------------------------------------------------------------------------
// Syntax errors

class Hints {
public:
    explicit Hints(SyntaxFailure const& failure) : f_(failure), lexer_(failure.text, failure.at) {
        found_ = lexer_.next();
        Lexer lexer = lexer_;
        next_ = lexer.next();
        after_next_ = lexer.next();
        if (f_.open.size() > f_.unit_depth()) read_before();
    }

    std::vector<std::string> all() {
        Surroundings const here = surroundings();
        std::optional<std::string> hint = about_format();
        if (!hint) hint = hint_for_place(here);
        if (!hint) hint = about_characters();
        if (!hint && !f_.in_traces()) hint = hint_for_selectors(here);
        if (!hint && !f_.in_traces()) hint = hint_for_collectives(here);
        if (!hint) hint = f_.in_traces() ? in_trace() : in_program();
        if (!hint) return {};
        return {std::move(*hint)};
    }

private:
    /// The parts between the innermost bracket and the place.
    void read_before() {
        std::size_t depth = 0;
        Lexer lexer(f_.text, f_.open.back().at + 1);
        for (Token t = lexer.next(); !t.text.empty() && t.offset < f_.at; t = lexer.next()) {
            if (is_close(t)) --depth;
            if (depth == 0 && !is_close(t)) before_.push_back(t);
            if (is_open(t)) ++depth;
        }
    }

    Surroundings surroundings() const { return {f_, before_, found_, next_}; }
    bool is_end() const { return found_.text.empty(); }
    std::string_view first() const { return before_.empty() ? std::string_view() : before_.front().text; }
    /// `(x --)`
    bool is_step(std::string_view word) const { return word == "--" && f_.wants(wanted::assignment_sign); }
    bool has_comma(Token t) const { return is_atom(t) && t.text.find(',') != std::string_view::npos; }

    /// A file of another tool. Only the beginning of the file can show it, so this looks no further.
    std::optional<std::string> about_format() const {
        if (f_.open.size() > 1 || f_.ctp_close != no_offset) return std::nullopt;
        ForeignFormat const* const format = f_.open.empty() ? foreign_format(f_.text) : nullptr;
        std::string const hint = hint_for_source_or_binary(f_.text);
        if (format == nullptr) return hint.empty() ? std::nullopt : std::optional(hint);
        return fmt::format("this looks like {}: `matchpoint import {} FILE` makes a program of it", format->what,
                           format->name);
    }

    std::optional<std::string> about_characters() const {
        bool const is_comment = begins_foreign_comment(found_.text) && !f_.wants(wanted::op);
        bool const in_comment = std::any_of(before_.begin(), before_.end(), [](Token t) {
            return t.text.starts_with("//") || t.text.starts_with("/*") || t.text == "#" || t.text == "--";
        });
        if ((is_comment && !is_step(found_.text)) || (in_comment && first() != "//" && first() != "--"))
            return "a comment begins with `;`";
        if (auto hint = hint_for_characters(found_.text)) return hint;
        for (Token const t : before_)
            if (auto hint = hint_for_characters(t.text)) return hint;
        if (has_comma(found_) || std::any_of(before_.begin(), before_.end(), [&](Token t) { return has_comma(t); }))
            return std::string(no_commas);
        if (found_.text.starts_with('"'))
            return "strings belong in places only, `(at \"main.c\" 12)`: values are integers, `true` and `false`; "
                   "names "
                   "have no quotes";
        if (found_.text == "{" || found_.text == "}") return "brackets are `( )` and `[ ]`";
        return std::nullopt;
    }

    // ---- The program ----

    std::optional<std::string> in_program() const {
        if (f_.in_shared()) return hint_for_shared(surroundings());
        if (f_.in_communicators())
            return "a communicator has its name and the numbers of its threads: `(communicators [w 0 1 2])`";
        if (auto hint = lone_command()) return hint;
        if (f_.wants(wanted::close) && !f_.open.empty())
            if (auto hint = hint_for_semicolon(f_.text.substr(f_.open.back().at, found_.offset - f_.open.back().at)))
                return hint;
        if (f_.open.empty())
            return "a file begins with a program: `( ( [00 (x := 1)] bot ) )`, or with `(shared [x 0])` in front of it";
        if (f_.wants(wanted::op)) return where_an_operator_stands();
        if (f_.wants(wanted::operand) || f_.wants(wanted::expression)) return where_an_expression_stands();
        if (f_.wants(wanted::assignment_sign)) return behind_an_unknown_command();
        if (f_.wants(wanted::assigns)) return where_an_assignment_stands();
        if (f_.wants(wanted::assigned_variable)) return where_a_command_begins();
        if (f_.wants(wanted::command)) return behind_a_location();
        if (f_.wants(wanted::located_command) || f_.wants(wanted::thread)) return among_commands();
        if (f_.wants(wanted::location) && f_.open.size() == located_command_depth) return before_a_location();
        return elsewhere();
    }

    /// `(m = 0)` or `(m += 1)` in a command with a guard
    std::optional<std::string> where_an_assignment_stands() const {
        if (auto hint = hint_for_assignment(first(), found_.text, operand(next_))) return hint;
        return fmt::format("an assignment is written `({} := {})`", printable(first()),
                           is_atom(found_) && is_atom(next_) ? operand(next_) : "e");
    }

    /// `a == 4`, `assert(a == 4);` or `(assert a = 4)`, and nothing around it.
    std::optional<std::string> lone_command() const {
        bool const is_first = f_.open.empty() || (f_.open.size() == 1 && f_.wants(wanted::thread));
        if (!is_first || !is_atom(found_)) return std::nullopt;
        std::string text;
        if (found_.text == "assert" || found_.text == "assume")
            text = fmt::format("({} {})", found_.text, in_prefix_form(f_.text, end_of(found_)).value_or("e"));
        else if (auto const* const command = find_command(found_.text))
            text = command->form;
        else if (auto const op = any_operator(next_.text);
                 op && arity(*op) == 2 && result_sort(*op) == OperandSort::boolean)
            text = fmt::format("(assert {})", in_prefix_form(f_.text, found_.offset).value_or("e"));
        if (text.empty()) return std::nullopt;
        return fmt::format("a command belongs in a thread, after its location: `( ( [00 {}] bot ) )`", text);
    }

    /// The command or guarded assignment that the place is in, if it has an operator between its operands.
    std::optional<std::string> in_prefix() const {
        for (std::size_t depth = f_.open.size(); depth >= command_depth; --depth)
            if (auto command = command_in_prefix_form(f_.text, f_.open[depth - 1].at)) return command;
        return std::nullopt;
    }

    /// `(a + b)`, `(== a b)`, `(max a b)`
    std::optional<std::string> where_an_operator_stands() const {
        if (is_end() || is_close(found_)) return "an operation is written `(op e e)`, with the operator first";
        if (auto const* const value = look_up(functions, found_.text))
            return fmt::format("the language has no `{}`; {}", found_.text, *value);
        if (auto const op = operator_meant(found_.text))
            return fmt::format("`{}` is written `{}`: `{}`", found_.text, to_string(*op), form_of(*op));
        Token const second = is_open(found_) ? behind_group().first : next_;
        Token const third = is_open(found_) ? behind_group().second : after_next_;
        if (auto const op = any_operator(second.text); op && arity(*op) == 2) {
            if (auto const command = in_prefix()) return fmt::format("operators come first: `{}`", *command);
            return fmt::format("operators come first: `({} {} {})`", to_string(*op), operand(found_), operand(third));
        }
        if (is_atom(found_) && is_close(next_)) {
            if (auto hint = hint_for_expression_as_name(found_.text)) return hint;
            return fmt::format("a single value has no brackets: `{}`", operand(found_));
        }
        std::vector<std::string_view> names;
        for (std::size_t i = 0; i < op_count; ++i) names.push_back(to_string(static_cast<Op>(i)));
        if (auto const near = nearest_name(found_.text, names)) return fmt::format("did you mean `{}`?", *near);
        return fmt::format("operators are `{}`", fmt::join(names, " "));
    }

    /// The two tokens after the group that begins at the place.
    std::pair<Token, Token> behind_group() const {
        Lexer lexer = lexer_;
        std::size_t depth = 1;
        while (depth > 0) {
            Token const t = lexer.next();
            if (t.text.empty()) return {t, t};
            if (is_open(t)) ++depth;
            if (is_close(t)) --depth;
        }
        Token const second = lexer.next();
        return {second, lexer.next()};
    }

    /// `- 1`, `= a b` without brackets, nothing at all
    std::optional<std::string> where_an_expression_stands() const {
        bool const is_sign = found_.text == "-" || found_.text == "+";
        if (is_sign && is_integer(next_.text) && !next_.text.starts_with('-') && !next_.text.starts_with('+'))
            return fmt::format("a number and its sign are one word: `{}{}`", found_.text, next_.text);
        if (is_bot(found_.text)) return "`bot` ends threads and lists of movements; it is not a value";
        if (auto const op = parse_op(found_.text)) {
            if (auto const command = in_prefix())
                return fmt::format("an operation has brackets of its own: `{}`", *command);
            bool const has_operands = is_atom(next_) && (is_atom(after_next_) || arity(*op) == 1);
            if (!has_operands) return fmt::format("an operation has brackets of its own: `{}`", form_of(*op));
            std::string const second = arity(*op) == 1 ? "" : " " + operand(after_next_);
            return fmt::format("an operation has brackets of its own: `({} {}{})`", found_.text, operand(next_),
                               second);
        }
        if (is_atom(found_)) return fmt::format("`{}` is a reserved word: no variable can have this name", found_.text);
        return form_of_this();
    }

    /// The form of the command or operation that is open.
    std::optional<std::string> form_of_this() const {
        if (auto const* const command = find_command(first())) return form_of(*command);
        if (auto const op = parse_op(first())) return fmt::format("`{}` is written `{}`", first(), form_of(*op));
        if (before_.size() >= 2 && before_[1].text == ":=")
            return fmt::format("an assignment is written `({} := e)`", operand(before_[0]));
        return std::nullopt;
    }

    /// `(send ...)`, `(x = 1)`, `(x:= 1)`
    std::optional<std::string> behind_an_unknown_command() const {
        std::string_view const name = first();
        if (found_.text.starts_with(":=") || name.find(":=") != std::string_view::npos)
            return fmt::format("`:=` has blanks around it: `({} := e)`", printable(name.substr(0, name.find(":="))));
        for (std::string_view const sign : {"<-", ":", "←"})
            if (found_.text == sign)
                return fmt::format("an assignment is written `({} := {})`", printable(name), operand(next_));
        if (any_operator(name)) return "an expression is not a command: `(assert e)` states it";
        if (auto hint = hint_for_statement(name)) return hint;
        if (auto hint = hint_for_assignment(name, found_.text, operand(next_))) return *hint += steps_of_sharing();
        if (auto hint = hint_for_bare_infix(f_.text, f_.open.back().at + 1)) return hint;
        if (auto hint = hint_for_threads(name)) return hint;
        if (auto const meant = command_meant(name))
            return fmt::format("did you mean `{}`? {}", *meant, form_of(*find_command(*meant)));
        return "an assignment is written `(x := e)`";
    }

    /// What the update of a shared variable may need; it follows the form of an assignment.
    std::string_view steps_of_sharing() const {
        Lexer lexer(f_.text, 0);
        bool const shares = is_open(lexer.next()) && lexer.next().text == "shared";
        return shares ? "; of a shared variable this is one step, and in C most often two: `(t := n)`, `(n := (+ t 1))`"
                      : "";
    }

    /// What is before the command, as its location.
    std::string_view location() const { return Lexer(f_.text, f_.open[located_command_depth - 1].at + 1).next().text; }

    /// `(+ a b)`, `((x := 1))`
    std::optional<std::string> where_a_command_begins() const {
        // `(if (= x 1) ...)` among the commands: `if` is read as a location.
        if (f_.open.size() == command_depth)
            if (auto hint = hint_for_statement(location())) return hint;
        if (is_open(found_)) return "a command has one pair of brackets: `[00 (x := 1)]`";
        if (found_.text == "ite" && f_.open.size() == command_depth)
            return hint_for_choice(f_.text, end_of(found_), location());
        if (any_operator(found_.text))
            return "an expression is not a command: `(assert e)` states it, `(x := e)` keeps its value";
        if (is_integer(found_.text)) return "a variable's name is not a number";
        return "a command is `(assume e)`, `(assert e)`, `(x := e)`, `(sndi a alpha beta e)`, `(rcvi a beta x)`, "
               "`(wait a)`, `(barrier b)`, `(probe a beta)`, `(mprobe a beta)`, `(start a x)`, `(collective a comm "
               "kind ...)`, `(icollective a comm kind ...)` or `(when e (x := e) "
               "...)`";
    }

    /// `[00 assert true]`, `(assert true)` without a location
    std::optional<std::string> behind_a_location() const {
        if (is_bot(found_.text)) return "this looks like an entry of a trace: is a closing bracket missing before it?";
        if (found_.text == ":=")
            return fmt::format("every command has a location before it: `[00 ({} := {})]`", printable(first()),
                               operand(next_));
        if (auto hint = hint_for_statement(first())) return hint;
        if (command_meant(first()))
            return fmt::format("every command has a location before it: `[00 ({} ...)]`", printable(first()));
        if (is_atom(found_) && next_.text == ":=")
            return fmt::format("a command has brackets of its own: `[{} ({} := {})]`", printable(first()),
                               operand(found_), in_prefix_form(f_.text, end_of(next_)).value_or(operand(after_next_)));
        if (found_.text == "ite") return hint_for_choice(f_.text, end_of(found_), first());
        if (auto hint = hint_for_bare_infix(f_.text, found_.offset)) return hint;
        if (found_.text == "assert" || found_.text == "assume")
            if (auto const e = in_prefix_form(f_.text, end_of(found_)))
                return fmt::format("a command has brackets of its own: `[{} ({} {})]`", printable(first()), found_.text,
                                   *e);
        if (is_atom(found_))
            return fmt::format("a command has brackets of its own: `[{} ({} ...)]`", printable(first()),
                               operand(found_));
        return "a location is followed by its command: `[00 (x := 1)]`";
    }

    std::optional<std::string> before_a_location() const {
        if (f_.begins_thread_in_thread())
            return "a thread ends with `bot` and a closing bracket: `( [00 (x := 1)] bot )`";
        if (is_open(found_)) return "every command has a location before it: `[00 (assert true)]`";
        return "a command follows its location: `[00 (assert true)]`";
    }

    /// Between the commands of a thread, or between threads.
    std::optional<std::string> among_commands() const {
        if (is_end() || is_bracket(found_)) return std::nullopt;
        bool const is_thread = f_.wants(wanted::located_command);
        if (is_thread && Lexer(f_.text, f_.open.back().at + 1).next().offset == found_.offset)
            return "a thread has brackets of its own around its commands: `( [00 (x := 1)] bot )`";
        return is_thread ? "every command has its own brackets and location: `[00 (x := 1)]`"
                         : "every thread has its own brackets: `( [00 (x := 1)] bot )`";
    }

    /// Where only a closing bracket, or an atom that is optional, can follow; or where a name or endpoint is missing.
    std::optional<std::string> elsewhere() const {
        if (is_close(found_) && f_.wants(wanted::close)) return at_another_bracket();
        if (f_.open.size() == thread_depth) {
            if (is_end()) return std::nullopt;
            return "`bot` ends the thread: nothing follows it but the closing bracket";
        }
        if (f_.open.size() == located_command_depth) {
            if (found_.text != "(") return std::nullopt;
            return "a location has one command: `[00 (x := 1)] [01 (y := 2)]`";
        }
        if (is_end() && f_.wants(wanted::close)) return std::nullopt;
        if (auto infix = as_infix()) return infix;
        if (is_atom(found_) && (f_.wants(wanted::source) || f_.wants(wanted::destination)) &&
            (found_.text.starts_with('-') || is_float(found_.text)))
            return "endpoints are the numbers 0, 1, 2 ...";
        return form_of_this();
    }

    /// A closing bracket that does not close what is open.
    std::optional<std::string> at_another_bracket() const {
        // `[00 (x := 1))]`: the bracket that does is the next one.
        bool const is_superfluous =
            f_.open.size() == located_command_depth && is_close(next_) && next_.text != found_.text;
        if (!is_superfluous) return std::nullopt;
        return "this bracket is one too many";
    }

    /// `(assert a = 4)`: the operator is the place, or comes before it.
    std::optional<std::string> as_infix() const {
        if (before_.size() >= 2 && f_.wants(wanted::close)) {
            bool const is_number = is_integer(found_.text); // `a -1`
            if (is_number || any_operator(found_.text) || any_operator(before_.back().text))
                if (auto const command = in_prefix())
                    return fmt::format("operators come first, in brackets: `{}`", *command);
            if (f_.open.size() > command_depth) return std::nullopt;
            if (auto const op = any_operator(found_.text); op && arity(*op) == 2)
                return fmt::format("operators come first, in brackets: `({} {} {})`", to_string(*op),
                                   operand(before_.back()), operand(next_));
            // `(sndi S 0 1 a + b)`: `+` is a location, as far as the syntax goes; `(assert == a 4)`: `==` is a
            // variable.
            Token const last = before_.back();
            Token const last_but_one = before_[before_.size() - 2];
            auto const op = any_operator(last.text);
            if (op && arity(*op) == 2 && is_send(first()) && before_.size() >= 6)
                return fmt::format("operators come first, in brackets: `({} {} {})`", to_string(*op),
                                   operand(last_but_one), operand(found_));
            if (op && arity(*op) == 2 && before_.size() == 2)
                return fmt::format("an operation has brackets of its own: `({} {} {})`", to_string(*op),
                                   operand(found_), operand(next_));
        }
        return std::nullopt;
    }

    // ---- The traces ----

    std::optional<std::string> in_trace() const {
        if (is_end()) return std::nullopt;
        if (f_.wants(wanted::movement) && f_.is_at_command())
            return "this looks like a command: is a closing bracket before it too many?";
        if (f_.wants(wanted::end) && is_close(found_)) return "this bracket closes nothing: remove it";
        if (f_.wants(wanted::trace) || f_.wants(wanted::entry))
            return "a trace is a list of entries: `( (00 bot) (03 ((0 2) bot)) )`";
        if (f_.wants(wanted::movements))
            return "an entry names a location and its movements: `(00 bot)`, `(03 ((0 2) bot))`";
        if (f_.wants(wanted::movement) && is_integer(found_.text))
            return "each movement has its own brackets: `((0 2) bot)`";
        if (f_.wants(wanted::tag) && is_open(found_) && next_.text == "tag")
            return "a movement names the tag of its message without brackets: `(beta alpha n)`";
        if (f_.wants(wanted::source) || f_.wants(wanted::destination) || f_.open.size() == movement_depth)
            return "a movement is `(beta alpha)`: the destination endpoint, then the source endpoint; "
                   "`(beta alpha n)` also says the tag of the message";
        return std::nullopt;
    }

    SyntaxFailure const& f_;
    Lexer lexer_; // after the place
    Token found_;
    Token next_;
    Token after_next_;
    std::vector<Token> before_; // the parts of the innermost bracket, groups by their bracket
};

/// `MPI_Wait`, `mcapi_msg_send_i`: a command's name, or that of another language, is one of the words.
std::optional<std::string_view> behind_prefix(std::string_view atom) {
    std::string lower(atom);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    for (std::size_t end = lower.find('_'); end != std::string::npos;) {
        std::size_t const begin = end + 1;
        end = lower.find('_', begin);
        std::string_view const word = std::string_view(lower).substr(begin, end - begin);
        if (auto const* const command = find_command(word)) return command->name;
        if (auto const* const name = look_up(command_aliases, word)) return *name;
    }
    return std::nullopt;
}

} // namespace

bool is_command_name(std::string_view atom) { return find_command(atom) != nullptr; }

std::optional<std::string_view> command_meant(std::string_view atom) {
    if (auto const* const command = find_command(atom)) return command->name;
    if (auto const* const name = look_up(command_aliases, atom)) return *name;
    if (atom.size() < 3 || hint_for_statement(atom)) return std::nullopt;
    if (auto const name = behind_prefix(atom)) return name;
    std::vector<std::string_view> names;
    for (CommandForm const& c : commands) names.push_back(c.name);
    auto const near = nearest_name(atom, names);
    return near ? std::optional(find_command(*near)->name) : std::nullopt;
}

std::optional<std::string> hint_for_variable(std::string_view name) {
    if (name.find(',') != std::string_view::npos) return std::string(no_commas);
    if (auto hint = hint_for_characters(name)) return hint;
    if (auto hint = hint_for_punctuation(name)) return hint;
    if (is_float(name)) return fmt::format("`{}` is read as a name: numbers are integers", printable(name));
    if (auto hint = hint_for_boolean(name)) return hint;
    if (auto const op = operator_meant(name))
        return fmt::format("`{}` is written `{}`: `{}`", printable(name), to_string(*op), form_of(*op));
    return hint_for_expression_as_name(name);
}

std::optional<std::string> hint_for_name(std::string_view name, std::vector<std::string_view> const& known) {
    if (auto hint = hint_for_characters(name)) return hint;
    if (auto hint = hint_for_punctuation(name)) return hint;
    auto const near = nearest_name(name, known);
    if (near)
        if (auto hint = hint_for_punctuation(*near)) return hint;
    return near ? std::optional(fmt::format("did you mean `{}`?", printable(*near))) : std::nullopt;
}

std::vector<std::string> hints_for(SyntaxFailure const& failure) { return Hints(failure).all(); }

} // namespace matchpoint::grammar
