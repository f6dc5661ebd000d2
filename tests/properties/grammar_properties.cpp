#include <gtest/gtest.h>
#include <rapidcheck/gtest.h> // after gtest.h: it does not include it

#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/shown_case.hpp"

namespace matchpoint::naive {

namespace {

matchpoint::Program parse_or_fail(Source const& source) {
    auto program = parse(source, {.keep_comments = true});
    RC_LOG() << std::string(source.text());
    if (!program) RC_FAIL(render(program.error(), source));
    return std::move(*program);
}

/// Puts comments after some of the text's white space, and rewrites some of it in the language's other spellings.
std::string disguise(std::string const& text, ShownCase const& shown, std::size_t& comments) {
    std::string result;
    std::size_t i = 0;
    bool in_comment = false;
    for (char const c : text) {
        result += c;
        if (c == ';') in_comment = true;
        if (c == '\n') in_comment = false;
        if (in_comment || (c != ' ' && c != '\n')) continue;
        switch (shown.choose(i++, 9)) {
        case 0:
            result += ";(\tx\\| ; é\r\n";
            ++comments;
            break;
        case 1:
            result += "\n ; )\n";
            ++comments;
            break;
        case 2: result += "\v\f\t"; break;
        default: break;
        }
    }
    return result;
}

} // namespace

RC_GTEST_PROP(GrammarProperties, PrintThenParseIsTheIdentity, ()) {
    ShownCase const shown = *all_cases();
    std::size_t comments = 1; // the one that names the buffering
    Source const source("case.ctp", disguise(to_text(shown.c), shown, comments));
    auto const program = parse_or_fail(source);

    Source const printed("printed.ctp", print(program, &source));
    auto const again = parse_or_fail(printed);
    RC_ASSERT(again == program);
    RC_ASSERT(again.comments.size() == comments);
    RC_ASSERT(print(again, &printed) == printed.text());

    Source const bare("bare.ctp", print(program));
    RC_ASSERT(parse_or_fail(bare) == program);
}

RC_GTEST_PROP(GrammarProperties, DisciplineIsObeyedWhereTheGeneratorObeysIt, ()) {
    ShownCase const shown = *shown_cases(disciplined_case);
    Source const source("case.ctp", to_text(shown.c));
    Diagnostics const faults = check_discipline(parse_or_fail(source), &source);
    if (!faults.empty()) RC_FAIL(render(faults, source));
}

RC_GTEST_PROP(GrammarProperties, NoTruncationIsAcceptedAsSomethingElse, ()) {
    // A proper prefix is refused, or lacks only whole traces.
    ShownCase const shown = *all_cases();
    std::string const text = to_text(shown.c);
    Source const whole("case.ctp", text);
    auto const program = parse_or_fail(whole);
    Source const cut("cut.ctp", text.substr(0, shown.choose(0, text.size())));
    auto const less = parse(cut);
    if (!less) {
        RC_ASSERT(!less.error().empty());
        RC_ASSERT(render(less.error(), cut).size() < 2000U);
    } else {
        RC_ASSERT(less->ctp == program.ctp);
        RC_ASSERT(less->traces.size() <= program.traces.size());
    }
}

} // namespace matchpoint::naive
