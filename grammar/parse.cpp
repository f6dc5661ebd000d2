// The one translation unit that sees Spirit X3.
//
// The grammar is LL(1): after a bracket the next atom decides. So terminals are X3 parsers of our own that read an atom
// or a bracket and note, on failure, what they would have taken there; what was expected at the deepest place reached
// is the message. The expression is the only recursive production, and is a parser with a stack of its own: X3's
// recursion would overflow the machine's stack on a few thousand parentheses.

#include "grammar/parse.hpp"

#include <boost/container/small_vector.hpp>
#include <boost/spirit/home/x3.hpp>
#include <fmt/format.h>

#include <algorithm>

#include "grammar/static_rules.hpp"

namespace matchpoint::grammar {

namespace {

namespace x3 = boost::spirit::x3;
using Iterator = char const*;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_open(char c) { return c == '(' || c == '['; }
bool is_close(char c) { return c == ')' || c == ']'; }
bool never_in_an_atom(char c) { return c == '"' || c == '{' || c == '}'; }

/// Which characters end an atom.
constexpr auto ends_atom = [] {
    std::array<bool, 256> table{};
    for (char const c : {' ', '\t', '\n', '\v', '\f', '\r', '(', ')', '[', ']', ';', '"', '{', '}'})
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

Iterator atom_end(Iterator first, Iterator last) {
    while (first != last && !ends_atom[static_cast<unsigned char>(*first)]) ++first;
    return first;
}

/// An endpoint's name: its number without sign and leading zeros; nothing if it is no non-negative integer.
std::optional<std::string_view> endpoint_name(std::string_view atom) {
    if (!is_integer(atom)) return std::nullopt;
    bool const negative = atom.starts_with('-');
    if (negative || atom.starts_with('+')) atom.remove_prefix(1);
    atom.remove_prefix(std::min(atom.find_first_not_of('0'), atom.size() - 1));
    if (negative && atom != "0") return std::nullopt;
    return atom;
}

// ---------------------------------------------------------------------------------------------------------------------
// What the parse builds, and where it fails

constexpr std::string_view assignment_sign =
    "`:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `rcvi` and `wait`)";

class Builder {
public:
    Builder(Source const& source, ParseOptions const& options)
        : options_(options), begin_(source.text().data()), end_(begin_ + source.text().size()), deepest_(begin_),
          rules_(program_, source) {}

    Iterator begin() const { return begin_; }
    Iterator end() const { return end_; }
    Offset offset(Iterator at) const { return static_cast<Offset>(at - begin_); }
    Token token(std::string_view text) const { return {text, offset(text.data())}; }

    // Failing. `wanted` is in the words of the grammar; the empty one stands for the closing bracket.
    bool fail(Iterator at, std::string_view wanted) {
        if (at > deepest_) {
            deepest_ = at;
            wanted_.clear();
        }
        if (at == deepest_) wanted_.push_back(wanted);
        return false;
    }

    // Brackets.
    void open(Iterator at) { brackets_.push_back({*at, offset(at)}); }
    bool closes(char c) const { return !brackets_.empty() && c == (brackets_.back().kind == '(' ? ')' : ']'); }
    void close() { brackets_.pop_back(); }
    Offset last_open() const { return brackets_.back().at; }

    void comment(Iterator first, Iterator last) {
        // The skipper passes a place once for every alternative that is tried there.
        if (!options_.keep_comments || first < after_comments_) return;
        after_comments_ = last;
        if (last != first && last[-1] == '\r') --last;
        program_.comments.push_back({offset(first), static_cast<std::uint32_t>(last - first)});
    }

    // ctp and its threads.
    void open_ctp() { program_.ctp.open = last_open(); }
    void close_ctp(Iterator at) {
        program_.ctp.close = offset(at);
        rules_.end_of_ctp();
    }
    void open_thread() {
        auto const n = command_index();
        program_.ctp.threads.push_back({n, n, last_open(), no_offset, no_offset});
    }
    void bot(std::string_view atom) { program_.ctp.threads.back().bot = token(atom).offset; }
    void close_thread(Iterator at) {
        program_.ctp.threads.back().last = command_index();
        program_.ctp.threads.back().close = offset(at);
    }

    // Commands: the parts come one by one, then the command.
    void location(std::string_view rho) {
        rho_ = token(rho);
        rules_.define_location(rho_);
    }
    void issued_action(std::string_view a) { a_ = rules_.define_action(token(a), command_index()); }
    void waited_action(std::string_view a) { a_ = rules_.use_action(token(a)); }
    void source_endpoint(std::string_view alpha) { alpha_ = endpoint(alpha); }
    void destination_endpoint(std::string_view beta) { beta_ = endpoint(beta); }
    void variable(std::string_view x) {
        x_at_ = token(x);
        x_ = {program_.symbols.variables.intern(x)};
    }
    void expression(Expression e) { e_ = e; }
    void extra_location(std::string_view rho) { rules_.use_location(token(rho), command_index()); }

    void assume_command() { command(Assume{e_}); }
    void assert_command() { command(Assert{e_}); }
    void assign_command() { command(Assign{x_, e_}); }
    void sndi_command() { command(Sndi{a_, alpha_, beta_, e_, {}}); }
    void rcvi_command() { command(Rcvi{a_, beta_, x_, {}}); }
    void wait_command() { command(Wait{a_}); }

    // Expressions, in post-order.
    std::uint32_t node_count() const { return static_cast<std::uint32_t>(program_.ctp.nodes.size()); }
    void value_node(Value v) {
        program_.ctp.nodes.push_back({Node::Kind::value, {}, static_cast<std::uint32_t>(program_.ctp.values.size())});
        program_.ctp.values.push_back(std::move(v));
    }
    void integer_node(std::string_view digits) {
        limited_ = digits.data();
        value_node(Value::parse_integer(digits));
    }
    void variable_node(std::string_view x) {
        program_.ctp.nodes.push_back({Node::Kind::variable, {}, program_.symbols.variables.intern(x)});
    }
    void operation_node(Op op, std::uint32_t count, std::uint32_t last_operand, Offset at) {
        rules_.check_arity(op, count, at);
        program_.ctp.nodes.push_back({Node::Kind::operation, op, node_count() - last_operand});
    }

    // Traces.
    void open_trace() {
        program_.traces.emplace_back();
        program_.traces.back().open = last_open();
    }
    void close_trace(Iterator at) { program_.traces.back().close = offset(at); }
    void trace_location(std::string_view rho) { rho_ = token(rho); }
    void trace_entry() {
        Trace& trace = program_.traces.back();
        trace.entries.push_back(
            {trace_location_of(rho_.text), static_cast<std::uint32_t>(trace.movements.size()), rho_.offset});
    }
    void movement() { program_.traces.back().movements.push_back({beta_, alpha_}); }

    Diagnostics syntax_error() const;
    Diagnostics limit_reached(LimitReached const& limit) const;
    Diagnostics take_faults() { return rules_.take_faults(); }
    Program take_program() { return std::move(program_); }

private:
    struct Bracket {
        char kind;
        Offset at;
    };

    /// A thread's commands run in order, so an entry's location is mostly the one behind that of one of the last few
    /// entries: a look at these is cheaper than one into a large table.
    Location trace_location_of(std::string_view rho) {
        Names& names = program_.symbols.locations;
        for (std::uint32_t& guess : guesses_)
            if (guess < names.size() && names[guess] == rho) return {guess++};
        std::uint32_t const found = names.intern(rho);
        guesses_[next_guess_++ % guesses_.size()] = found + 1;
        return {found};
    }

    std::uint32_t command_index() const { return static_cast<std::uint32_t>(program_.ctp.commands.size()); }
    void command(Command c) { program_.ctp.commands.push_back({c, rho_.offset}); }
    Endpoint endpoint(std::string_view atom) { return {program_.symbols.endpoints.intern(*endpoint_name(atom))}; }

    ParseOptions options_;
    Iterator begin_;
    Iterator end_;
    Iterator deepest_;
    Iterator limited_ = nullptr; // the last integer: if it is too long, parse_integer throws
    Iterator after_comments_ = nullptr;
    std::vector<std::string_view> wanted_;
    std::vector<Bracket> brackets_;
    Program program_;
    StaticRules rules_;

    std::array<std::uint32_t, 8> guesses_{};
    std::size_t next_guess_ = 0;

    Token rho_;
    Token x_at_;
    Action a_;
    Endpoint alpha_;
    Endpoint beta_;
    Variable x_;
    Expression e_;
};

Diagnostics Builder::syntax_error() const {
    Diagnostic d;
    d.rule = "syntax";
    d.offset = offset(deepest_);

    std::vector<std::string> wanted;
    for (std::string_view const w : wanted_) {
        std::string text(w);
        if (w.empty()) text = brackets_.back().kind == '(' ? "`)`" : "`]`";
        if (std::find(wanted.begin(), wanted.end(), text) == wanted.end()) wanted.push_back(std::move(text));
    }
    std::string list;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        list += (i == 0 ? "" : i + 1 == wanted.size() ? " or " : ", ") + wanted[i];

    std::string found = "the end of the file";
    if (deepest_ != end_) {
        Iterator const last = std::max(atom_end(deepest_, end_), deepest_ + 1);
        d.length = static_cast<std::uint32_t>(last - deepest_);
        found = fmt::format("`{}`", printable({deepest_, last}));
    }
    d.message = fmt::format("expected {}, found {}", list, found);

    bool const wants_close = std::find(wanted_.begin(), wanted_.end(), "") != wanted_.end();
    if (deepest_ != end_ && is_close(*deepest_) && wants_close)
        d.message = fmt::format("{} does not close the `{}` that is open here", found, brackets_.back().kind);
    if (wants_close && (deepest_ == end_ || is_close(*deepest_)))
        d.notes.push_back({"the bracket that is open", brackets_.back().at, 1});
    // `(recv a 0 x)`: somebody may have meant a command.
    if (std::find(wanted_.begin(), wanted_.end(), assignment_sign) != wanted_.end())
        d.notes.push_back(
            {fmt::format("`{}` is no command's name, so this is read as an assignment to it", printable(x_at_.text)),
             x_at_.offset, static_cast<std::uint32_t>(x_at_.text.size())});
    if (deepest_ != end_ && never_in_an_atom(*deepest_))
        d.message += fmt::format(" (the language has no `{}`)", *deepest_);
    return {d};
}

Diagnostics Builder::limit_reached(LimitReached const& limit) const {
    Diagnostic d;
    d.rule = "limit";
    d.message = limit.what();
    d.offset = offset(limited_);
    return {d};
}

struct BuilderTag;

template <typename Context>
Builder& builder(Context const& context) {
    return x3::get<BuilderTag>(context).get();
}

// ---------------------------------------------------------------------------------------------------------------------
// Terminals

/// White space (ASCII's) and comments, from `;` to the end of the line.
struct TriviaParser : x3::parser<TriviaParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    Builder* b;
    explicit TriviaParser(Builder& builder) : b(&builder) {}

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const&, RContext&, Attribute&) const {
        Iterator const begin = first;
        while (first != last) {
            if (is_space(*first)) {
                ++first;
            } else if (*first == ';') {
                Iterator const end = std::find(first, last, '\n');
                b->comment(first, end);
                first = end;
            } else {
                break;
            }
        }
        return first != begin;
    }
};

/// `(` or `[`, as the beginning of what it names.
struct OpenParser : x3::parser<OpenParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    std::string_view wanted;
    explicit OpenParser(std::string_view what) : wanted(what) {}

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute&) const {
        x3::skip_over(first, last, context);
        if (first == last || !is_open(*first)) return builder(context).fail(first, wanted);
        builder(context).open(first++);
        return true;
    }
};

/// The closing bracket of the kind that is open. The attribute is where it stands.
struct CloseParser : x3::parser<CloseParser> {
    using attribute_type = Iterator;
    [[maybe_unused]] static constexpr bool has_attribute = true;

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute& attribute) const {
        x3::skip_over(first, last, context);
        Builder& b = builder(context);
        if (first == last || !b.closes(*first)) return b.fail(first, "");
        b.close();
        x3::traits::move_to(first, attribute);
        ++first;
        return true;
    }
};

/// An atom that `Accepts` accepts.
template <typename Accepts>
struct AtomParser : x3::parser<AtomParser<Accepts>> {
    using attribute_type = std::string_view;
    [[maybe_unused]] static constexpr bool has_attribute = true;

    std::string_view wanted;
    Accepts accepts;
    AtomParser(std::string_view what, Accepts f) : wanted(what), accepts(f) {}

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute& attribute) const {
        x3::skip_over(first, last, context);
        Iterator const end = atom_end(first, last);
        std::string_view const atom(first, static_cast<std::size_t>(end - first));
        if (atom.empty() || !accepts(atom)) return builder(context).fail(first, wanted);
        x3::traits::move_to(atom, attribute);
        first = end;
        return true;
    }
};

auto any_atom(std::string_view wanted) {
    return AtomParser(wanted, [](std::string_view) { return true; });
}
auto endpoint_atom(std::string_view wanted) {
    return AtomParser(wanted, [](std::string_view atom) { return endpoint_name(atom).has_value(); });
}
auto keyword(std::string_view word, std::string_view wanted) {
    return x3::omit[AtomParser(wanted, [word](std::string_view atom) { return atom == word; })];
}

/// e ::= (op e e) | (not e) | x | v, as nodes in post-order.
struct ExpressionParser : x3::parser<ExpressionParser> {
    using attribute_type = Expression;
    [[maybe_unused]] static constexpr bool has_attribute = true;

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute& attribute) const {
        Builder& b = builder(context);
        std::uint32_t const begin = b.node_count();
        Frames frames;
        do {
            x3::skip_over(first, last, context);
            if (first != last && is_open(*first)) {
                b.open(first++);
                x3::skip_over(first, last, context);
                Iterator const end = atom_end(first, last);
                auto const op = parse_op({first, static_cast<std::size_t>(end - first)});
                if (!op) return b.fail(first, "an operator");
                frames.push_back({*op, 0, b.node_count(), b.node_count(), first});
                first = end;
            } else {
                std::uint32_t const operand = b.node_count();
                Iterator const end = atom_end(first, last);
                if (!leaf(b, {first, static_cast<std::size_t>(end - first)})) return fail(b, first, frames);
                first = end;
                if (!frames.empty()) frames.back().take_operand(operand);
            }
            // Every operation that ends here is an operand of the one around it.
            x3::skip_over(first, last, context);
            while (!frames.empty() && first != last && is_close(*first)) {
                if (!b.closes(*first)) return b.fail(first, "");
                b.close();
                Frame const f = frames.back();
                frames.pop_back();
                b.operation_node(f.op, f.operands, f.last_operand, b.offset(f.at));
                if (!frames.empty()) frames.back().take_operand(f.begin);
                x3::skip_over(++first, last, context);
            }
        } while (!frames.empty());
        x3::traits::move_to(Expression{begin, b.node_count() - begin}, attribute);
        return true;
    }

private:
    /// An operation whose bracket is still open.
    struct Frame {
        Op op;
        std::uint32_t operands;
        std::uint32_t begin;        // where its nodes begin
        std::uint32_t last_operand; // where those of its last operand begin
        Iterator at;                // its operator

        void take_operand(std::uint32_t first_node) {
            ++operands;
            last_operand = first_node;
        }
    };

    using Frames = boost::container::small_vector<Frame, 16>; // most expressions are no deeper

    static bool leaf(Builder& b, std::string_view atom) {
        if (is_integer(atom))
            b.integer_node(atom);
        else if (atom == "true" || atom == "false")
            b.value_node(Value::boolean(atom == "true"));
        else if (!atom.empty() && is_variable_name(atom))
            b.variable_node(atom);
        else
            return false;
        return true;
    }

    static bool fail(Builder& b, Iterator at, Frames const& frames) {
        bool const complete = !frames.empty() && frames.back().operands >= arity(frames.back().op);
        if (complete) return b.fail(at, "");
        return b.fail(at, frames.empty() ? "an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or "
                                           "`false`"
                                         : "an operand: an expression");
    }
};

// ---------------------------------------------------------------------------------------------------------------------
// The grammar: language.md, production by production

/// Calls a member function of the builder, with the attribute where it takes one.
template <auto member>
constexpr auto call = [](auto& context) {
    Builder& b = builder(context);
    if constexpr (std::is_invocable_v<decltype(member), Builder&>)
        std::invoke(member, b);
    else
        std::invoke(member, b, x3::_attr(context));
};

// clang-format off
auto const bot = AtomParser("`bot`", [](std::string_view atom) { return is_bot(atom); });
auto const close = CloseParser{};
auto const expression = ExpressionParser{}[call<&Builder::expression>];

auto const location = any_atom("a location")[call<&Builder::location>];
auto const extra_location = any_atom("a location")[call<&Builder::extra_location>];
auto const variable = AtomParser("a variable", is_variable_name)[call<&Builder::variable>];
auto const alpha = endpoint_atom("a source endpoint (a non-negative integer)")[call<&Builder::source_endpoint>];
auto const beta = endpoint_atom("a destination endpoint (a non-negative integer)")[call<&Builder::destination_endpoint>];
auto const issued_action = any_atom("an action")[call<&Builder::issued_action>];
auto const waited_action = any_atom("an action")[call<&Builder::waited_action>];

// c ::= (assume e) | (assert e) | (x := e) | (sndi a alpha beta e [rho]) | (rcvi a beta x [rho]) | (wait a)
auto const command_body
    = (keyword("assume", "`assume`") > expression)[call<&Builder::assume_command>]
    | (keyword("assert", "`assert`") > expression)[call<&Builder::assert_command>]
    | (keyword("sndi", "`sndi`") > issued_action > alpha > beta > expression > -extra_location)[call<&Builder::sndi_command>]
    | (keyword("rcvi", "`rcvi`") > issued_action > beta > variable > -extra_location)[call<&Builder::rcvi_command>]
    | (keyword("wait", "`wait`") > waited_action)[call<&Builder::wait_command>]
    | (AtomParser("a variable to assign to", is_variable_name)[call<&Builder::variable>]
           > keyword(":=", assignment_sign)
           > expression)[call<&Builder::assign_command>];
auto const command = OpenParser("a command `(...)`") > command_body > x3::omit[close];

// t ::= ([rho c] ... bot)
auto const located_command = OpenParser("a located command `[rho c]`") > location > command > x3::omit[close];
auto const thread = OpenParser("a thread `([rho c] ... bot)`")[call<&Builder::open_thread>]
                  > *located_command > -bot[call<&Builder::bot>] > close[call<&Builder::close_thread>];

// ctp ::= (t ...)
auto const ctp = OpenParser("a concurrent trace program `(t ...)`")[call<&Builder::open_ctp>]
               > *thread > close[call<&Builder::close_ctp>];

// m ::= bot | ((beta alpha) ... bot)
auto const movement = (OpenParser("a movement `(beta alpha)`") > beta > alpha > x3::omit[close])[call<&Builder::movement>];
auto const movements = x3::omit[bot]
                     | (OpenParser("a movement list `((beta alpha) ... bot)`") > *movement > -x3::omit[bot] > x3::omit[close]);

// trace ::= (sigma ...), sigma ::= (rho m)
auto const sigma = (OpenParser("a trace entry `(rho m)`") > any_atom("a location")[call<&Builder::trace_location>]
                    > movements > x3::omit[close])[call<&Builder::trace_entry>];
auto const trace = OpenParser("a trace `((rho m) ...)`")[call<&Builder::open_trace>]
                 > *sigma > close[call<&Builder::close_trace>];

/// Where the text has to end.
struct EndParser : x3::parser<EndParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute&) const {
        x3::skip_over(first, last, context);
        return first == last || builder(context).fail(first, "the end of the file");
    }
};

// file ::= ctp trace ...
auto const file = ctp > *trace > EndParser{};
// clang-format on

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

Diagnostics not_utf8(Source const& source, std::size_t offset) {
    Diagnostic d;
    d.rule = "syntax";
    d.message = fmt::format("byte 0x{:02X} is not UTF-8", static_cast<unsigned char>(source.text()[offset]));
    d.offset = static_cast<Offset>(offset);
    return {d};
}

} // namespace

Expected<Program, Diagnostics> parse(Source const& source, ParseOptions const& options) {
    if (auto const at = find_invalid_utf8(source.text())) return Unexpected{not_utf8(source, *at)};

    Builder b(source, options);
    Iterator first = b.begin();
    if (source.text().starts_with(byte_order_mark)) first += byte_order_mark.size();
    TriviaParser const trivia(b);
    bool parsed = false;
    try {
        parsed = x3::phrase_parse(first, b.end(), x3::with<BuilderTag>(std::ref(b))[file], trivia);
    } catch (x3::expectation_failure<Iterator> const&) {
        // Where and what is known better to the builder.
    } catch (LimitReached const& limit) {
        return Unexpected{b.limit_reached(limit)};
    }
    if (!parsed) return Unexpected{b.syntax_error()};
    if (Diagnostics faults = b.take_faults(); !faults.empty()) return Unexpected{std::move(faults)};
    return b.take_program();
}

} // namespace matchpoint::grammar
