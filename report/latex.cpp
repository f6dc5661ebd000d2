#include "report/latex.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/overloaded.hpp"
#include "explain/events.hpp"
#include "explain/message_words.hpp"
#include "report/diagram_text.hpp"
#include "report/draw.hpp"

namespace matchpoint::report {

namespace {

constexpr std::size_t rows_of_a_page = 50;

/// "Wait (Rcvi) Command", in small capitals as in the figures.
std::string small_capitals(Rule rule) {
    std::string name(to_string(rule));
    for (std::size_t i = 1; i < name.size(); ++i)
        if (std::isalpha(static_cast<unsigned char>(name[i - 1])) != 0)
            name[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    return fmt::format("\\textsc{{{}}}", latex(name));
}

/// "(0 2)(0 1)", or \perp where nothing moves.
std::string movements(IndexedProgram const& code, std::vector<Channel> const& m) {
    if (m.empty()) return "$\\perp$";
    std::string text;
    for (Channel const c : m) text += explain::shown_movement(code, code.movement_of(c));
    return "\\texttt{" + latex(text) + "}";
}

/// What an entry did other than go on.
std::string_view trouble(Diagram::Kind kind) {
    switch (kind) {
    case Diagram::Kind::step: return "";
    case Diagram::Kind::failed_assertion:
    case Diagram::Kind::failed_assumption: return " \\emph{false}";
    case Diagram::Kind::stuck: return " \\emph{stuck}";
    case Diagram::Kind::unfinished: break;
    }
    return " \\emph{unfinished}";
}

} // namespace

std::string latex(std::string_view text) {
    std::string result;
    for (char const c : text) {
        switch (c) {
        case '\\': result += "\\textbackslash{}"; break;
        case '~': result += "\\textasciitilde{}"; break;
        case '^': result += "\\textasciicircum{}"; break;
        case '\'': result += "\\textquotesingle{}"; break;
        case '`': result += "\\textasciigrave{}"; break;
        case '{':
        case '}':
        case '$':
        case '&':
        case '#':
        case '%': (result += '\\') += c; break;
        case '_': result += "{\\char95}"; break; // \_ is a line, which cannot be copied
        case ' ': result += result.empty() || result.ends_with(' ') ? "\\ " : " "; break;
        default: result += c;
        }
    }
    return result;
}

std::string latex_comment(std::string_view line) { return fmt::format("% {}\n", line); }

void AppliedRules::on(State const&, Event const& event) {
    std::visit(overloaded{
                   [this](event::EntryTaken const&) { entries_.emplace_back(); },
                   [this](event::QueueMovement const& e) {
                       entries_.back().m.push_back(e.channel);
                       if (entries_.back().m.size() == 1) entries_.back().rules.push_back(Rule::process_queue_movement);
                   },
                   [this](event::MovementsTakenBack const& e) {
                       Entry& entry = entries_.back();
                       entry.m.resize(entry.m.size() - e.m.size());
                       if (entry.m.empty()) entry.rules.clear();
                   },
                   [](event::MachineStep const&) {},
                   [this](event::StuckAt const& e) {
                       if (e.entry + 1 == entries_.size()) entries_.back().rules = {e.stuck.rule};
                   },
                   [this]<typename E>(E const& e) {
                       if constexpr (!explain::ExpressionEvent<E>) entries_.back().rules.push_back(*rule_of(e));
                   },
               },
               event);
}

std::string latex_table(Diagram const& d, IndexedProgram const& code, AppliedRules const& applied) {
    bool const is_long = d.rows.size() > rows_of_a_page;
    std::string_view const environment = is_long ? "longtable" : "tabular";
    std::string out =
        latex_comment(fmt::format("Needs \\usepackage{{booktabs}}{}. Each entry is a Machine Step (Figure 6).",
                                  is_long ? " and \\usepackage{longtable}" : ""));
    for (std::string const& note : notes(d, code)) out += latex_comment(note);
    out += fmt::format("\\begin{{{}}}{{@{{}}rlrlll@{{}}}}\n\\toprule\n", environment);
    out += "& $\\rho$ & thread & command & $m$ & rules \\\\\n\\midrule\n";
    if (is_long) out += "\\endhead\n";
    for (std::uint32_t r = 0; r < d.rows.size(); ++r) {
        Diagram::Row const& row = d.rows[r];
        if (r > 0 && row.thread != d.rows[r - 1].thread) out += "\\midrule\n";
        AppliedRules::Entry const none;
        AppliedRules::Entry const& entry = row.entry < applied.entries().size() ? applied.entries()[row.entry] : none;
        std::vector<std::string> rules;
        for (Rule const rule : entry.rules) rules.push_back(small_capitals(rule));
        out += fmt::format("{} & {} & {} & \\texttt{{{}}} & {} & {}{} \\\\\n", row.entry,
                           row.rho.is_none() ? "" : "\\texttt{" + latex(explain::shown_name(code, row.rho)) + "}",
                           row.thread == Diagram::none ? "" : std::to_string(row.thread), latex(row_text(d, code, r)),
                           movements(code, entry.m), fmt::join(rules, ", "), trouble(row.kind));
        check_size(out, "latex");
    }
    return out +
           fmt::format("\\midrule\n\\multicolumn{{6}}{{@{{}}l@{{}}}}{{$s = {}$}} \\\\\n\\bottomrule\n\\end{{{}}}\n",
                       fmt::format("\\mathrm{{{}}}", to_string(d.s)), environment);
}

} // namespace matchpoint::report
