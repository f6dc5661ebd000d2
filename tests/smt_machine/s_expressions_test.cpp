// What solvers print, and what is no s-expression.

#include "smt_machine/s_expressions.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace matchpoint::smt_machine {
namespace {

using Kind = Tokens::Token::Kind;
using Texts = std::vector<std::string>;

/// The tokens of a text: "(", ")", "a:atom", "q:quoted", "s:string", and at the end perhaps "!:unclosed".
Texts tokens(std::string_view text) {
    Texts result;
    Tokens all(text);
    while (true) {
        Tokens::Token const t = all.next();
        std::string const name(t.text);
        switch (t.kind) {
        case Kind::open:
        case Kind::close: result.push_back(name); break;
        case Kind::atom: result.push_back("a:" + name); break;
        case Kind::quoted: result.push_back("q:" + name); break;
        case Kind::string: result.push_back("s:" + name); break;
        case Kind::unclosed: result.push_back("!:" + name); break;
        case Kind::end: return result;
        }
    }
}

TEST(Tokens, OfEachKind) {
    EXPECT_EQ(tokens("(get-info :name) 12 #x0f"), (Texts{"(", "a:get-info", "a::name", ")", "a:12", "a:#x0f"}));
    EXPECT_EQ(tokens("|a (b; \"c| \"d |e(\""), (Texts{"q:a (b; \"c", "s:d |e("}));
    EXPECT_EQ(tokens("a|b|c\"d\"(e)f;g"), (Texts{"a:a", "q:b", "a:c", "s:d", "(", "a:e", ")", "a:f"}));
    EXPECT_EQ(tokens("|| \"\""), (Texts{"q:", "s:"}));
    EXPECT_EQ(tokens("\x7f \xc3\xa9"), (Texts{"a:\x7f", "a:\xc3\xa9"}));
}

TEST(Tokens, DoubledQuotesBelongToTheString) {
    EXPECT_EQ(tokens(R"("a ""b"" c" d)"), (Texts{R"(s:a ""b"" c)", "a:d"}));
    EXPECT_EQ(tokens(R"("""" "a")"), (Texts{R"(s:"")", "s:a"}));
}

TEST(Tokens, SkipBlanksAndComments) {
    EXPECT_EQ(tokens(" \t\r\n"), Texts());
    EXPECT_EQ(tokens("; ( | \"\na ;b\n;c"), (Texts{"a:a"}));
    EXPECT_TRUE(Tokens(" ; a\n").at_end());
    EXPECT_FALSE(Tokens(" ; a\nb").at_end());
}

TEST(Tokens, Unclosed) {
    EXPECT_EQ(tokens("a |b (c"), (Texts{"a:a", "!:b (c"}));
    EXPECT_EQ(tokens("\"b (c\"\""), (Texts{"!:b (c\"\""}));
    EXPECT_EQ(tokens("|"), (Texts{"!:"}));
}

/// The expressions of a text, and "rest: ..." if it does not end after them.
Texts expressions(std::string_view text) {
    Texts result;
    Tokens all(text);
    while (auto const e = all.expression()) result.emplace_back(*e);
    if (!all.at_end()) result.push_back("rest: " + std::string(text.substr(all.position())));
    return result;
}

TEST(Expressions, Apply) {
    EXPECT_EQ(expressions(" a |b c| \"d\" (e (f) ;)\n g) () ; h"),
              (Texts{"a", "|b c|", "\"d\"", "(e (f) ;)\n g)", "()"}));
    EXPECT_EQ(expressions("(|)| \")\")x"), (Texts{"(|)| \")\")", "x"}));
    EXPECT_EQ(expressions(""), Texts());
}

TEST(Expressions, DoNotApply) {
    EXPECT_EQ(expressions("a )"), (Texts{"a", "rest: )"}));
    EXPECT_EQ(expressions("(a) (b (c)"), (Texts{"(a)", "rest: (b (c)"}));
    EXPECT_EQ(expressions("(a |b)"), (Texts{"rest: (a |b)"}));
    EXPECT_EQ(expressions("; (a)\n\"b"), (Texts{"rest: \"b"}));
}

TEST(OneList, AppliesAndDoesNot) {
    for (char const* text : {"()", "(a)", "(a (b) ; )\n)", "(|)|)"}) EXPECT_TRUE(is_one_list(text)) << text;
    for (char const* text : {"", "a", " ()", "() ", "()()", "(", ")", "(a", "(|)", "; ()\n()", "\"()\""})
        EXPECT_FALSE(is_one_list(text)) << text;
}

TEST(HeadOfList, AppliesAndDoesNot) {
    EXPECT_EQ(head_of_list("(check-sat)"), "check-sat");
    EXPECT_EQ(head_of_list("( ; a\n set-logic QF_LIA)"), "set-logic");
    EXPECT_EQ(head_of_list("(:reason-unknown x)"), ":reason-unknown");
    EXPECT_EQ(head_of_list("(|a b|)"), "a b");
    for (char const* text : {"", "a", "()", "((a))", "(\"a\")", ")", "|(a|"}) EXPECT_EQ(head_of_list(text), "") << text;
}

TEST(SymbolOf, AppliesAndDoesNot) {
    EXPECT_EQ(symbol_of("a"), "a");
    EXPECT_EQ(symbol_of("|a b|"), "a b");
    EXPECT_EQ(symbol_of("||"), "");
    for (char const* text : {"", "(a)", "\"a\"", "|a", ")"}) EXPECT_EQ(symbol_of(text), std::nullopt) << text;
}

TEST(ContainsError, AppliesAndDoesNot) {
    for (char const* text : {"(error)", "(error \"a\")", "sat\n( error |a|)", "((a) (error\"b\"))", "(a (b (error)"})
        EXPECT_TRUE(contains_error(text)) << text;
    for (char const* text : {"", "error", "(errors)", "(a error)", "|(error)|", "\"(error)\"", "; (error)\n",
                             "((a)error)", "(|error|)", "(\"error\")"})
        EXPECT_FALSE(contains_error(text)) << text;
}

TEST(IsModel, AppliesAndDoesNot) {
    for (char const* text : {"()", "(model)", " ; c\n((define-fun x () Int 1))\n", "(model (a) ; )\n (b))"})
        EXPECT_TRUE(is_model(text)) << text;
    for (char const* text : {"", "model", "(", "()()", "() a", "(error \"a\")", "(model model)", "((a) model)",
                             "sat\n()", "(define-fun x () Int 1)", "\"()\""})
        EXPECT_FALSE(is_model(text)) << text;
}

/// "name sort value" of each constant of a model.
Texts model(std::string_view text) {
    Texts result;
    read_model(text, [&](ModelEntry const& e) {
        result.push_back(std::string(e.name) + " " + std::string(e.sort) + " " + std::string(e.value));
    });
    return result;
}

TEST(ReadModel, Constants) {
    EXPECT_EQ(model("(\n  (define-fun x () Int\n    (- 5))\n  (define-fun |y z| () Bool true) ; c\n)"),
              (Texts{"x Int (- 5)", "y z Bool true"}));
    EXPECT_EQ(model("(model (define-fun x ( ; none\n ) Int 1) (define-fun a () (_ BitVec 4) #xf))"),
              (Texts{"x Int 1", "a (_ BitVec 4) #xf"}));
}

TEST(ReadModel, Integers) {
    auto const integer = [](std::string_view value) { return ModelEntry{"x", "Int", value}.integer(); };
    EXPECT_EQ(integer("5"), 5);
    EXPECT_EQ(integer("(- 5)"), -5);
    EXPECT_EQ(integer("9223372036854775807"), 9223372036854775807);
    for (std::string_view const none : {"true", "(- x)", "(+ 1 2)", "9223372036854775808", "", "(- "})
        EXPECT_FALSE(integer(none)) << none;
}

TEST(ReadModel, NoConstants) {
    EXPECT_EQ(model(""), Texts());
    EXPECT_EQ(model("((define-fun f ((x Int)) Int x) (define-fun y () Int 2))"), (Texts{"y Int 2"}));
    EXPECT_EQ(model("((define-fun s () String \"(define-fun x () Int 1)\"))"),
              (Texts{"s String \"(define-fun x () Int 1)\""}));
    EXPECT_EQ(model("(|define-fun| x () Int 1) \"define-fun x () Int 1\""), Texts());
}

TEST(ReadModel, StopsWhereADefinitionIsCutOff) {
    EXPECT_EQ(model("((define-fun x () Int 1) (define-fun y () Int"), (Texts{"x Int 1"}));
    EXPECT_EQ(model("((define-fun x () Int 1) (define-fun y () Int)"), (Texts{"x Int 1"}));
    EXPECT_EQ(model("((define-fun x () Int (- 1"), Texts());
    EXPECT_EQ(model("define-fun"), Texts());
}

// Nothing recurses, and every text takes linear time.
TEST(SExpressions, DeepNesting) {
    constexpr std::size_t deep = 1'000'000;
    std::string const open(deep, '(');
    std::string const closed = open + std::string(deep, ')');
    EXPECT_TRUE(is_one_list(closed));
    EXPECT_FALSE(is_one_list(open));
    EXPECT_EQ(Tokens(closed).expression(), closed);
    EXPECT_EQ(Tokens(open).expression(), std::nullopt);
    EXPECT_FALSE(contains_error(open));
    EXPECT_TRUE(contains_error(open + "error"));
    EXPECT_EQ(model(open + "define-fun x () Int 1"), (Texts{"x Int 1"}));
}

} // namespace
} // namespace matchpoint::smt_machine
