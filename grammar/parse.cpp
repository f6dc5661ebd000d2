// The only translation unit that includes Spirit X3.
//
// The grammar is LL(1): after a bracket, the next atom decides. Terminals are our own X3 parsers: each reads an atom or
// a bracket or else notes what it expected. The error message is what was expected at the deepest position reached.
// Then the parser goes on with the rest of what recovery.hpp says it is in the middle of. The expression is the only
// recursive production, and has a parser with its own stack: X3's recursion would overflow the machine's stack after a
// few thousand parentheses.

#include "grammar/parse.hpp"

#include <boost/spirit/home/x3.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "grammar/builder.hpp"
#include "grammar/characters.hpp"
#include "grammar/expression_reader.hpp"
#include "grammar/messages/lexer.hpp"

namespace matchpoint::grammar {

namespace {

namespace x3 = boost::spirit::x3;
using Iterator = char const*;

struct BuilderTag;

template <typename Context>
Builder& builder(Context const& context) {
    return x3::get<BuilderTag>(context).get();
}

// ---------------------------------------------------------------------------------------------------------------------
// Terminals

bool begins_trivia(char c) { return is_space(c) || c == ';'; }

/// White space (ASCII's) and comments, from `;` to the end of the line. It takes all of it at once and returns false:
/// after `true`, X3 would ask again.
struct TriviaParser : x3::parser<TriviaParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    Builder* b;
    explicit TriviaParser(Builder& builder) : b(&builder) {}

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const&, RContext&, Attribute&) const {
        Iterator at = first; // a local one stays in a register
        for (;;) {
            while (at != last && is_space(*at)) ++at;
            if (at == last || *at != ';') break;
            Iterator const end = std::find(at, last, '\n');
            b->comment(at, end);
            at = end;
        }
        first = at;
        return false;
    }
};

/// x3::skip_over, if there is something to skip. The alternatives of the grammar look at one place several times.
template <typename Context>
void skip(Iterator& first, Iterator const& last, Context const& context) {
    if (first != last && begins_trivia(*first)) x3::skip_over(first, last, context);
}

/// `(` or `[`. `wanted` is what it begins. `begins_it` says whether what follows the bracket can begin that: where
/// brackets of several kinds can follow, one that begins something else is itself the error, and not what is inside of
/// it.
struct OpenParser : x3::parser<OpenParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    std::string_view wanted;
    bool (*begins_it)(Lexer);
    explicit OpenParser(std::string_view what, bool (*f)(Lexer) = nullptr) : wanted(what), begins_it(f) {}

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute&) const {
        skip(first, last, context);
        Builder& b = builder(context);
        if (first == last || !is_open(*first)) return b.fail(first, wanted);
        if (begins_it != nullptr && !begins_it(b.lexer(first + 1))) return b.fail(first, wanted);
        b.open(first++);
        return true;
    }
};

/// The closing bracket for the last open one. The attribute is its position.
struct CloseParser : x3::parser<CloseParser> {
    using attribute_type = Iterator;
    [[maybe_unused]] static constexpr bool has_attribute = true;

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute& attribute) const {
        skip(first, last, context);
        Builder& b = builder(context);
        if (first == last || !b.closes(*first)) return b.fail(first, wanted::close);
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
        skip(first, last, context);
        Iterator const end = atom_end(first, last);
        std::string_view const atom(first, static_cast<std::size_t>(end - first));
        if (atom.empty() || !accepts(atom)) return builder(context).fail(first, wanted);
        x3::traits::move_to(atom, attribute);
        first = end;
        return true;
    }
};

/// The name of a command that programs may also use as a variable: `(barrier := 1)`.
struct WordParser : x3::parser<WordParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    std::string_view word;
    std::string_view wanted;
    WordParser(std::string_view w, std::string_view what) : word(w), wanted(what) {}

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute&) const {
        skip(first, last, context);
        Iterator const end = atom_end(first, last);
        Iterator next = end;
        bool const found = std::string_view(first, static_cast<std::size_t>(end - first)) == word;
        if (found) skip(next, last, context);
        if (!found || std::string_view(next, static_cast<std::size_t>(atom_end(next, last) - next)) == ":=")
            return builder(context).fail(first, wanted);
        first = end;
        return true;
    }
};

/// The name of a command that only recordings have, which programs may also use as a variable. Expects nothing:
/// messages do not speak of it.
struct RecordedWordParser : x3::parser<RecordedWordParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    std::string_view word;
    explicit RecordedWordParser(std::string_view w) : word(w) {}

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute&) const {
        Iterator at = first;
        skip(at, last, context);
        Lexer lexer = builder(context).lexer(at);
        if (lexer.next().text != word || lexer.next().text == ":=") return false;
        first = at + word.size();
        return true;
    }
};

/// Whether a bracket and one of these words come next. Reads nothing, and expects nothing: most programs have no shared
/// variables, most entries no peek, and most waits no choice.
struct AheadParser : x3::parser<AheadParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    std::array<std::string_view, 3> words;
    explicit AheadParser(std::string_view a, std::string_view b = {}, std::string_view c = {}) : words{a, b, c} {}

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute&) const {
        Iterator at = first;
        skip(at, last, context);
        if (at == last || !is_open(*at)) return false;
        std::string_view const word = builder(context).lexer(at + 1).next().text;
        return !word.empty() && std::find(words.begin(), words.end(), word) != words.end();
    }
};

/// `atomic`, before a shared variable. Expects nothing: most shared variables are not atomic.
struct AtomicParser : x3::parser<AtomicParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute&) const {
        Iterator at = first;
        skip(at, last, context);
        Iterator const end = atom_end(at, last);
        if (std::string_view(at, static_cast<std::size_t>(end - at)) != "atomic") return false;
        first = end;
        return true;
    }
};

/// `"file.c"`, on one line. The attribute is what is between the quotes.
struct StringParser : x3::parser<StringParser> {
    using attribute_type = std::string_view;
    [[maybe_unused]] static constexpr bool has_attribute = true;

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute& attribute) const {
        skip(first, last, context);
        Iterator const end = first != last && *first == '"' ? string_end(first, last) : first;
        if (end == first) return builder(context).fail(first, wanted::file);
        x3::traits::move_to(std::string_view(first + 1, static_cast<std::size_t>(end - first) - 2), attribute);
        first = end;
        return true;
    }
};

/// Not `[01 (`, a located command: a bracket is missing before it.
bool begins_selector(Lexer lexer) { return !is_atom(lexer.next()) || !is_open(lexer.next()); }
bool begins_place(Lexer lexer) { return lexer.next().text == "at"; }

bool is_value(std::string_view atom) { return is_integer(atom) || atom == "true" || atom == "false"; }

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
        Expression e;
        auto const skip_trivia = [&] { skip(first, last, context); };
        if (!read_expression<PlainExpressions>(builder(context), first, last, skip_trivia, e)) return false;
        x3::traits::move_to(e, attribute);
        return true;
    }
};

// ---------------------------------------------------------------------------------------------------------------------
// The grammar: docs/language.md, production by production

/// Calls a member function of the builder, with the attribute if it takes one.
template <auto member>
constexpr auto call = [](auto& context) {
    Builder& b = builder(context);
    if constexpr (std::is_invocable_v<decltype(member), Builder&>)
        std::invoke(member, b);
    else
        std::invoke(member, b, x3::_attr(context));
};

// clang-format off
auto const bot = AtomParser(wanted::bot, [](std::string_view atom) { return is_bot(atom); });
auto const close = CloseParser{};
auto const expression = ExpressionParser{}[call<&Builder::expression>];

auto const location = any_atom(wanted::location)[call<&Builder::location>];
auto const extra_location = any_atom(wanted::location)[call<&Builder::extra_location>];
auto const variable = AtomParser(wanted::variable, is_variable_name)[call<&Builder::variable>];
auto const alpha = endpoint_atom(wanted::source)[call<&Builder::source_endpoint>];
auto const beta = endpoint_atom(wanted::destination)[call<&Builder::destination_endpoint>];
auto const issued_action = any_atom(wanted::action)[call<&Builder::issued_action>];
auto const started_action = any_atom(wanted::action)[call<&Builder::started_action>];
auto const waited_action = any_atom(wanted::action)[call<&Builder::waited_action>];

// sel ::= (from alpha ...) | (tag n ...) | (source y) | (tagged z)
auto const tag = endpoint_atom(wanted::tag);
auto const message_tag = tag[call<&Builder::message_tag>];
auto const send_tag = OpenParser(wanted::send_tag, begins_selector) > keyword("tag", wanted::send_tag_name) > x3::omit[message_tag] > x3::omit[close];
auto const from_endpoint = endpoint_atom(wanted::source)[call<&Builder::from_endpoint>];
auto const source_variable = AtomParser(wanted::variable, is_variable_name)[call<&Builder::source_variable>];
auto const tagged_variable = AtomParser(wanted::variable, is_variable_name)[call<&Builder::tagged_variable>];
auto const selector_body
    = (keyword("from", wanted::selector_name)[call<&Builder::from>] > *x3::omit[from_endpoint])
    | (keyword("tag", wanted::selector_name)[call<&Builder::tags>] > *x3::omit[tag[call<&Builder::tag>]])
    | (keyword("source", wanted::selector_name) > x3::omit[source_variable])
    | (keyword("tagged", wanted::selector_name) > x3::omit[tagged_variable]);
auto const selector = OpenParser(wanted::selector, begins_selector)[call<&Builder::open_selector>] > selector_body > x3::omit[close];

// (x := e) in a guarded assignment
auto const assignment = (OpenParser(wanted::assignment)
                         > x3::omit[AtomParser(wanted::assigned_variable, is_variable_name)[call<&Builder::variable>]]
                         > keyword(":=", wanted::assigns) > x3::omit[expression] > x3::omit[close])[call<&Builder::assignment>];
auto const guarded = x3::omit[ExpressionParser{}[call<&Builder::guard>]] > *assignment;

// (collective a comm kind part ...), part ::= (root k) | (op o) | (type t) | (count n ...)
auto const root_number = AtomParser(wanted::root, [](std::string_view atom) { return line_number(atom).has_value(); });
auto const count = AtomParser(wanted::count, [](std::string_view atom) { return count_number(atom).has_value(); });
auto const kind_of_collective = AtomParser(wanted::collective_kind, [](std::string_view atom) { return collective_kind(atom).has_value(); });
auto const call_part_body
    = (keyword("root", wanted::collective_part_name)[call<&Builder::open_root>] > x3::omit[root_number[call<&Builder::root>]])
    | (keyword("op", wanted::collective_part_name)[call<&Builder::open_op>] > x3::omit[any_atom(wanted::op_of_reduction)[call<&Builder::op_of_reduction>]])
    | (keyword("type", wanted::collective_part_name)[call<&Builder::open_type>] > x3::omit[any_atom(wanted::type_of_data)[call<&Builder::type_of_data>]])
    | (keyword("count", wanted::collective_part_name)[call<&Builder::open_counts>] > x3::omit[count[call<&Builder::count>]] > *x3::omit[count[call<&Builder::count>]]);
auto const call_part = OpenParser(wanted::collective_part, begins_selector)[call<&Builder::open_part>] > call_part_body > x3::omit[close];
auto const collective = x3::omit[issued_action] > x3::omit[any_atom(wanted::communicator)[call<&Builder::communicator>]]
                      > x3::omit[kind_of_collective[call<&Builder::kind_of_collective>]] > x3::omit[*call_part];

// choice ::= (among a ...) | (some a ...) | (all a ...)
auto const chosen = any_atom(wanted::action)[call<&Builder::chosen>];
auto const choice_body
    = ((keyword("among", wanted::choice_name)[call<&Builder::open_among>])
    | (keyword("some", wanted::choice_name)[call<&Builder::open_some>])
    | (keyword("all", wanted::choice_name)[call<&Builder::open_all>])) > x3::omit[chosen] > *x3::omit[chosen];
auto const choice = AheadParser("among", "some", "all") > OpenParser(wanted::choice) > choice_body > x3::omit[close];
auto const test_result = AtomParser(wanted::test_result, [](std::string_view atom) { return atom == "true" || atom == "false"; });
auto const test_times = AtomParser(wanted::count, [](std::string_view atom) { return count_number(atom).has_value(); });
auto const seen_body
    = (keyword("from", wanted::seen_name)[call<&Builder::open_seen_from>] > *x3::omit[endpoint_atom(wanted::source)[call<&Builder::seen_from>]])
    | (keyword("tag", wanted::seen_name)[call<&Builder::open_seen_tags>] > *x3::omit[tag[call<&Builder::seen_tag>]]);
auto const seen_selector = OpenParser(wanted::seen, begins_selector) > seen_body > x3::omit[close];
auto const result_of_test = x3::omit[test_result[call<&Builder::test_result>]] > x3::omit[-test_times[call<&Builder::test_times>]];
auto const iprobe = x3::omit[chosen] > x3::omit[endpoint_atom(wanted::destination)[call<&Builder::seen_at>]]
                  > x3::omit[*seen_selector] > result_of_test;
auto const test = (choice | x3::omit[chosen]) > result_of_test;

// c ::= (assume e (x := e) ...) | (when e (x := e) ...) | (assert e) | (x := e) | (sndi a alpha beta e [rho] [(tag n)])
// | (ssndi ...) | (bsndi ...) | (rsndi ...)
//     | (rcvi a beta x [rho] sel ...) | (wait a [choice]) | (test a v [n]) | (test choice v [n]) | (iprobe a beta sel ... v [n])
//     | (barrier b) | (probe a beta sel ...) | (mprobe ...) | (start a x)
//     | (collective a comm kind part ...) | (icollective ...)
auto const send = x3::omit[issued_action] > x3::omit[alpha] > x3::omit[beta] > x3::omit[expression] > x3::omit[-extra_location]
                > x3::omit[-send_tag];
auto const probe = x3::omit[issued_action] > x3::omit[beta] > x3::omit[*selector];
auto const command_body
    = (keyword("assume", "`assume`") > x3::omit[guarded])[call<&Builder::assume_command>]
    | (keyword("assert", "`assert`") > expression)[call<&Builder::assert_command>]
    | (keyword("sndi", "`sndi`") > send)[call<&Builder::sndi_command>]
    | (keyword("rcvi", "`rcvi`") > issued_action > beta > variable > -extra_location > x3::omit[*selector])[call<&Builder::rcvi_command>]
    | (keyword("wait", "`wait`") > x3::omit[waited_action] > -choice)[call<&Builder::wait_command>]
    | (RecordedWordParser("test") > test)[call<&Builder::test_command>]
    | (RecordedWordParser("iprobe")[call<&Builder::open_seen>] > iprobe)[call<&Builder::test_command>]
    | (WordParser("ssndi", "`ssndi`") > send)[call<&Builder::ssndi_command>]
    | (WordParser("bsndi", "`bsndi`") > send)[call<&Builder::bsndi_command>]
    | (WordParser("rsndi", "`rsndi`") > send)[call<&Builder::rsndi_command>]
    | (WordParser("barrier", "`barrier`") > x3::omit[any_atom(wanted::barrier)[call<&Builder::barrier>]])[call<&Builder::barrier_command>]
    | (WordParser("probe", "`probe`") > probe)[call<&Builder::probe_command>]
    | (WordParser("mprobe", "`mprobe`") > probe)[call<&Builder::mprobe_command>]
    | (WordParser("start", "`start`") > x3::omit[started_action] > x3::omit[variable])[call<&Builder::start_command>]
    | (WordParser("collective", "`collective`") > collective)[call<&Builder::collective_command>]
    | (WordParser("icollective", "`icollective`") > collective)[call<&Builder::icollective_command>]
    | (WordParser("when", "`when`") > x3::omit[guarded])[call<&Builder::when_command>]
    | (AtomParser(wanted::assigned_variable, is_variable_name)[call<&Builder::variable>]
           > keyword(":=", wanted::assignment_sign)
           > expression)[call<&Builder::assign_command>];
auto const command = OpenParser(wanted::command) > command_body > x3::omit[close];

// t ::= ([rho c] ... bot), [rho c (at "file" line)]
auto const line_atom = AtomParser(wanted::line, [](std::string_view atom) { return line_number(atom).has_value(); });
auto const place_of_command = OpenParser(wanted::place, begins_place) > keyword("at", "`at`") > x3::omit[StringParser{}[call<&Builder::file>]]
                 > x3::omit[line_atom[call<&Builder::line>]] > x3::omit[close];
auto const located_command = OpenParser(wanted::located_command) > location > command > -place_of_command > x3::omit[close];
auto const thread = OpenParser(wanted::thread)[call<&Builder::open_thread>]
                  > *located_command > -bot[call<&Builder::bot>] > close[call<&Builder::close_thread>];

// ctp ::= (t ...)
auto const ctp = OpenParser("a concurrent trace program `(t ...)`")[call<&Builder::open_ctp>]
               > *thread > close[call<&Builder::close_ctp>];

// m ::= bot | ((beta alpha n) ... (peek beta alpha n) bot), where each n, and the peek, may be left out
auto const movement_body = x3::omit[beta] > x3::omit[alpha] > x3::omit[-message_tag] > x3::omit[close];
auto const movement = (OpenParser(wanted::movement) > movement_body)[call<&Builder::movement>];
auto const peek = (AheadParser("peek") > OpenParser(wanted::movement) > keyword("peek", wanted::movement) > movement_body)[call<&Builder::peek>];
auto const movements = x3::omit[bot]
                     | (OpenParser(wanted::movements) > *(!AheadParser("peek") >> movement) > -peek > -x3::omit[bot] > x3::omit[close]);

// trace ::= (sigma ...), sigma ::= (rho m)
auto const sigma = (OpenParser(wanted::entry) > x3::omit[any_atom(wanted::location)[call<&Builder::trace_location>]]
                    > movements > x3::omit[close])[call<&Builder::trace_entry>];
auto const trace = OpenParser(wanted::trace)[call<&Builder::open_trace>]
                 > *sigma > close[call<&Builder::close_trace>];

/// The end of the text.
struct EndParser : x3::parser<EndParser> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;

    template <typename Context, typename RContext, typename Attribute>
    bool parse(Iterator& first, Iterator const& last, Context const& context, RContext&, Attribute&) const {
        skip(first, last, context);
        return first == last || builder(context).fail(first, wanted::end);
    }
};

// shared ::= (shared [x v] ...), with `atomic` before some of them
auto const open_shared_variable = (AtomicParser{}[call<&Builder::atomic>] > OpenParser(wanted::shared_variable))
                                | OpenParser(wanted::shared_variable);
auto const shared_variable = open_shared_variable
                           > AtomParser(wanted::variable, is_variable_name)[call<&Builder::shared_variable>]
                           > AtomParser(wanted::value, is_value)[call<&Builder::shared_value>] > x3::omit[close];
auto const shared = AheadParser("shared") > OpenParser(wanted::shared)[call<&Builder::open_shared>] > keyword("shared", wanted::shared)
                  > *shared_variable > close[call<&Builder::close_shared>];

// communicators ::= (communicators [comm t ...] ...)
auto const member = AtomParser(wanted::member, [](std::string_view atom) { return line_number(atom).has_value(); });
auto const declared_communicator = OpenParser(wanted::declared_communicator)
                                 > any_atom(wanted::communicator)[call<&Builder::declared_communicator>]
                                 > *member[call<&Builder::member>] > x3::omit[close];
auto const communicators = AheadParser("communicators") > OpenParser(wanted::communicators)[call<&Builder::open_communicators>]
                         > keyword("communicators", wanted::communicators) > *declared_communicator > x3::omit[close];

// file ::= [shared] [communicators] ctp trace ...
auto const declarations_and_program = -x3::omit[communicators] > ctp;
auto const file = -x3::omit[shared] > declarations_and_program > *trace > EndParser{};

// What is left of a file, from the middle of something on (recovery.hpp).
auto const rest_of_file = *trace > EndParser{};
auto const rest_from_program = declarations_and_program > rest_of_file;
auto const rest_of_shared = *shared_variable > close[call<&Builder::close_shared>] > rest_from_program;
auto const rest_of_ctp = *thread > close[call<&Builder::close_ctp>] > rest_of_file;
auto const rest_of_thread = *located_command > -bot[call<&Builder::bot>] > close[call<&Builder::close_thread>] > rest_of_ctp;
auto const rest_of_trace = *sigma > close[call<&Builder::close_trace>] > rest_of_file;
// clang-format on

/// Whether the text from there on is as the grammar says. If not, the builder knows where and why. Throws LimitReached.
template <typename Grammar>
bool reads(Builder& b, Iterator first, Grammar const& grammar) {
    TriviaParser const trivia(b);
    try {
        return x3::phrase_parse(first, b.end(), x3::with<BuilderTag>(std::ref(b))[grammar], trivia);
    } catch (x3::expectation_failure<Iterator> const&) {
        return false;
    }
}

bool reads_rest(Builder& b, Resumption const& from) {
    Iterator const first = b.begin() + from.at;
    switch (from.place) {
    case Place::shared: return reads(b, first, rest_of_shared);
    case Place::program: return reads(b, first, rest_from_program);
    case Place::ctp: return reads(b, first, rest_of_ctp);
    case Place::thread: return reads(b, first, rest_of_thread);
    case Place::trace: return reads(b, first, rest_of_trace);
    case Place::file: break;
    }
    return reads(b, first, rest_of_file);
}

/// The first error, and those that the parser finds when it goes on after it.
Diagnostics syntax_errors(Source const& source, SyntaxFailure failure) {
    constexpr std::size_t most_attempts = 10'000; // each one passes over a mistake
    Diagnostics errors{syntax_error(failure)};
    bool is_certain = true; // where threads and traces begin and end
    for (std::size_t i = 0; i < most_attempts && errors.size() < max_diagnostics; ++i) {
        auto const next = resumption(failure);
        if (!next) break;
        is_certain = is_certain && next->is_certain;
        Builder b(source, *next);
        try {
            if (reads_rest(b, *next)) break;
        } catch (LimitReached const& limit) {
            errors.push_back(b.limit_reached(limit));
            break;
        }
        SyntaxFailure later = b.failure();
        if (later.at <= failure.at) break;
        failure = std::move(later);
        bool const is_inside = failure.open.size() > failure.unit_depth() && failure.at < source.text().size();
        if (is_certain || is_inside) errors.push_back(syntax_error(failure));
    }
    return errors;
}

} // namespace

Expected<Program, Diagnostics> parse(Source const& source, ParseOptions const& options) {
    if (auto fault = encoding_fault(source)) return Unexpected{Diagnostics{std::move(*fault)}};

    std::optional<SyntaxFailure> failure;
    {
        Builder b(source, options);
        Iterator const first = b.begin() + byte_order_mark_size(source.text());
        try {
            if (reads(b, first, file)) {
                if (Diagnostics faults = b.take_faults(); !faults.empty()) return Unexpected{std::move(faults)};
                return b.take_program();
            }
        } catch (LimitReached const& limit) {
            return Unexpected{Diagnostics{b.limit_reached(limit)}};
        }
        failure = b.failure();
    }
    return Unexpected{syntax_errors(source, std::move(*failure))};
}

} // namespace matchpoint::grammar
