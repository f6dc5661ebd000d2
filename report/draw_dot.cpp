// Graphviz: a node for each entry, a column for each thread, and time from top to bottom.

#include <fmt/format.h>

#include "report/draw.hpp"

namespace matchpoint::report {

namespace {

/// In quotes. A backslash would begin one of Graphviz' own escapes.
std::string dot_string(std::string_view text) {
    std::string result = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

std::string_view node_style(Diagram::Kind kind) {
    switch (kind) {
    case Diagram::Kind::step: return "";
    case Diagram::Kind::failed_assertion: return ", style=filled, fillcolor=\"#ffd6d6\", color=\"#b00020\", penwidth=2";
    case Diagram::Kind::failed_assumption:
        return ", style=filled, fillcolor=\"#fff0c2\", color=\"#8a6100\", penwidth=2";
    case Diagram::Kind::stuck: return ", style=filled, fillcolor=\"#ead6ff\", color=\"#6a1b9a\", penwidth=2";
    case Diagram::Kind::unfinished: break;
    }
    return ", style=dashed";
}

} // namespace

std::string draw_dot(Drawing const& drawing) {
    IndexedProgram const& code = drawing.code;
    Drawing::Run const& run = drawing.runs.front();
    Diagram const& d = run.diagram();
    auto const threads = static_cast<std::uint32_t>(code.ctp().threads.size());
    std::string out = "digraph run {\n";
    out +=
        fmt::format("  label={};\n", dot_string(fmt::format("{}, trace {} ({} buffering): {}", drawing.name, run.number,
                                                            to_string(drawing.buffering), to_string(d.s))));
    out += "  labelloc=t; rankdir=TB; ranksep=0.15; nodesep=0.5;\n"
           "  node [shape=box, fontname=\"monospace\", fontsize=10, height=0.2, margin=\"0.05,0.02\"];\n"
           "  edge [fontname=\"monospace\", fontsize=9, arrowsize=0.6];\n";
    out += "  { rank=same;";
    for (std::uint32_t t = 0; t < threads; ++t)
        out += fmt::format(" t{} [label=\"thread {}\", shape=plaintext, group=lane{}];", t, t, t);
    out += " time [style=invis]; }\n";
    for (std::uint32_t t = 0; t + 1 < threads; ++t) out += fmt::format("  t{} -> t{} [style=invis];\n", t, t + 1);
    for (std::uint32_t r = 0; r < run.rows(); ++r) {
        Diagram::Row const& row = d.rows[r];
        std::string const where = row.rho.is_none() ? "" : shown(code, row.rho) + "  ";
        std::string const why = row.why.empty() ? "" : ": " + row.why;
        std::string const lane = row.thread == Diagram::none ? "" : fmt::format(", group=lane{}", row.thread);
        out += fmt::format("  {{ rank=same; at{} [style=invis, label=\"\"]; e{} [label={}{}{}]; }}\n", r, r,
                           dot_string(fmt::format("{}{}{}", where, row_text(d, code, r), why)), lane,
                           node_style(row.kind));
        out += fmt::format("  {} -> at{} [style=invis];\n", r == 0 ? "time" : fmt::format("at{}", r - 1), r);
        if (row.thread == Diagram::none) continue;
        bool const waits = row.since != Diagram::none && is_wait(code, row);
        out += fmt::format("  {} -> e{} [arrowhead=none, weight=20{}];\n",
                           row.since == Diagram::none ? fmt::format("t{}", row.thread) : fmt::format("e{}", row.since),
                           r, waits ? ", penwidth=3, color=\"#8a6100\"" : "");
    }
    for (std::uint32_t i = 0; i < d.messages.size(); ++i) {
        Diagram::Message const& m = d.messages[i];
        std::string const label = dot_string(message_text(code, m));
        std::uint32_t const done = m.receive == Diagram::none ? Diagram::none : d.receives[m.receive].completed;
        if (done != Diagram::none) {
            out += fmt::format("  e{} -> e{} [label={}, constraint=false, color=\"#1a56b0\"];\n", m.sent, done, label);
            continue;
        }
        out += fmt::format(
            "  m{} [label={}, shape=plaintext];\n  e{} -> m{} [style=dashed, color=\"#1a56b0\"];\n", i,
            dot_string(message_text(code, m) + (m.delivered == Diagram::none ? " in transit" : " delivered")), m.sent,
            i);
    }
    return out + "}\n";
}

} // namespace matchpoint::report
