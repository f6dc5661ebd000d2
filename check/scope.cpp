#include "check/scope.hpp"

#include <fmt/format.h>

namespace matchpoint::check {

namespace {

void add_receives(IndexedProgram const& code, Scope& scope) {
    std::vector<bool> is_read(code.names().variables.size());
    for (LocatedCommand const& at : code.ctp().commands)
        for_each_expression(code.ctp(), at.c, [&](Expression e) {
            for (std::uint32_t n = e.first; n <= e.root(); ++n)
                if (Node const& node = code.ctp().nodes[n]; node.kind == Node::Kind::variable)
                    is_read[node.payload] = true;
        });
    for (std::uint32_t i = 0; i < code.ctp().commands.size(); ++i)
        if (Rcvi const* const receive = as_rcvi(code.command_at({i})))
            (is_read[receive->x.index] ? scope.followed : scope.not_followed).push_back({i});
}

} // namespace

Scope scope_of(IndexedProgram const& code, bool is_recording) {
    Scope scope;
    if (is_recording) add_receives(code, scope);
    for (std::uint32_t i = 0; i < code.ctp().commands.size(); ++i) {
        auto const* const assertion = std::get_if<Assert>(&code.command_at({i}));
        if (assertion == nullptr) continue;
        ++scope.assertions;
        Node const& root = code.ctp().nodes[assertion->e.root()];
        if (is_recording && root.kind == Node::Kind::value && code.ctp().values[root.payload].is_true())
            scope.evaluated.push_back({i});
    }
    return scope;
}

std::string_view shown_verdict(Verdict v, Scope const& scope) {
    if (v != Verdict::safe) return to_string(v);
    if (!scope.asserts()) return "no assertion";
    return to_string(scope.evaluated.empty() ? v : Verdict::unknown);
}

std::string verdict_in_words(Verdict v, Scope const& scope, Reached::Answer leaves_path) {
    std::string words(shown_verdict(v, scope));
    bool const is_known = v == Verdict::safe && scope.evaluated.empty();
    if (is_known && leaves_path == Reached::Answer::yes) words += " on this path";
    return words;
}

std::string summary(CheckResult const& result, Scope const& scope) {
    std::string words = verdict_in_words(result.verdict, scope, result.leaves_path.answer);
    bool const deadlock = result.deadlock.answer == Reached::Answer::yes;
    bool const fault = result.fault.answer == Reached::Answer::yes;
    if (!deadlock && !fault) return words;
    if (result.verdict == Verdict::vacuous) return deadlock ? "deadlock" : "fault";
    if (result.verdict != Verdict::safe) return words;
    std::string_view const both = "a deadlock and a fault are";
    return fmt::format("{}, but {} possible", words, !fault ? "a deadlock is" : !deadlock ? "a fault is" : both);
}

std::string evaluated_in_words(Scope const& scope) {
    std::size_t const n = scope.evaluated.size();
    if (n == 0) return {};
    return fmt::format("{} only evaluated in the recorded run: whether {} can be false in another run is not known",
                       n == 1 ? "1 assertion was" : fmt::format("{} assertions were", n), n == 1 ? "it" : "they");
}

} // namespace matchpoint::check
