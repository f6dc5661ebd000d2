// Graphviz: a node for each entry, a column for each thread, and time from top to bottom.

#include <map>
#include <vector>

#include <fmt/format.h>

#include "report/draw.hpp"
#include "report/shared_diagram.hpp"

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

/// Arrows from writes to reads, and notes of who waits for a lock.
std::string shared_edges(Diagram const& d, IndexedProgram const& code, SharedDiagram const& shared) {
    std::string out;
    for (SharedDiagram::Arrow const& arrow : shared.arrows)
        out += fmt::format("  e{} -> e{} [label={}, constraint=false, style=dashed, arrowhead=vee, color=\"#a3348c\", "
                           "fontcolor=\"#a3348c\"{}];\n",
                           arrow.from, arrow.to, dot_string(arrow_text(code, arrow)),
                           arrow.synchronises ? ", penwidth=0.5" : "");
    for (auto const& [t, note] : waiting_notes(d, code, shared))
        out += fmt::format("  w{0} [label={1}, shape=plaintext];\n  {2} -> w{0} [arrowhead=none, style=dotted];\n", t,
                           dot_string(note),
                           d.last[t] == Diagram::none ? fmt::format("t{}", t) : fmt::format("e{}", d.last[t]));
    return out;
}

/// Row -> the locks that its thread holds before it; only of rows whose thread holds some.
std::map<std::uint32_t, std::string> locks_before(Diagram const& d, IndexedProgram const& code,
                                                  SharedDiagram const& shared) {
    constexpr std::size_t most = 4;
    std::map<std::uint32_t, std::string> result;
    std::map<std::uint32_t, std::vector<SharedDiagram::Held const*>> open; // by thread
    std::size_t next = 0;
    for (std::uint32_t r = 0; r < d.rows.size(); ++r) {
        auto& own = open[d.rows[r].thread];
        for (std::size_t i = 0; i < std::min(most, own.size()); ++i)
            result[r] += (i == 0 ? "" : ", ") + shown(code, own[i]->lock);
        if (own.size() > most) result[r] += ", ...";
        std::erase_if(own, [&](SharedDiagram::Held const* h) { return h->to == r; });
        for (; next < shared.held.size() && shared.held[next].from == r; ++next) own.push_back(&shared.held[next]);
    }
    return result;
}

/// How the line of a thread is drawn up to a row: yellow for a wait, green for a lock.
std::string line_style(bool waits, std::string const& locks) {
    if (locks.empty()) return waits ? ", penwidth=3, color=\"#8a6100\"" : "";
    return fmt::format(", penwidth=3, color=\"#00796b{}\", tooltip={}", waits ? ":#8a6100" : "",
                       dot_string("holds " + locks));
}

} // namespace

std::string draw_dot(Drawing const& drawing) {
    IndexedProgram const& code = drawing.code;
    Drawing::Run const& run = drawing.runs.front();
    Diagram const& d = run.diagram();
    auto const threads = static_cast<std::uint32_t>(code.ctp().threads.size());
    SharedDiagram const shared = shared_diagram(d, code);
    auto const locks = locks_before(d, code, shared);
    std::string out = "digraph run {\n";
    out += fmt::format("  label={};\n", dot_string(fmt::format("{}, trace {} ({} buffering): {}", drawing.name,
                                                               run.number, to_string(run.buffering), run.ending())));
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
                           r, line_style(waits, locks.contains(r) ? locks.at(r) : ""));
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
    return out + shared_edges(d, code, shared) + "}\n";
}

} // namespace matchpoint::report
