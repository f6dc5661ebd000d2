// The commands that look at a state, a run or the program.

#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "cli/rma_repl/repl.hpp"
#include "report/lane_picture.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/evaluate.hpp"
#include "rma/machine/picture.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/words.hpp"

namespace matchpoint::cli {

void RmaRepl::print(std::string const& arguments) {
    if (arguments.empty()) throw misused("print");
    out(expression(arguments).value(state()) + "\n");
}

void RmaRepl::display(std::string const& arguments) {
    if (!arguments.empty()) displays_.push_back(expression(arguments));
    shown_displays();
}

void RmaRepl::shown_displays() {
    for (std::size_t i = 0; i < displays_.size(); ++i)
        out(fmt::format("{}: {} = {}\n", i + 1, printable(displays_[i].text(), 4096), displays_[i].value(state())));
}

/// "figure2.rma:7", where the line is worth more than the column.
std::string RmaRepl::where_text(rma::StatementIndex i) const {
    return fmt::format("line {}", source_.line_column(program().statements[i].open).line);
}

/// The variables of a process.
std::string RmaRepl::memory_of(std::optional<rma::ProcessIndex> p) const {
    std::string text;
    for (Variable const x : program().declared)
        if (!p || program()[x].process == *p)
            append_item(text, fmt::format("{} = {}", program().symbols(x), state().M[x.index].to_string()));
    return text;
}

void RmaRepl::show_state(std::string const& arguments) {
    none(arguments, "state");
    for (rma::ProcessIndex p = 0; p < program().processes.size(); ++p) {
        bool const finished = state().pc[p] == machine_.graph().end(p);
        std::string const where =
            finished ? "has finished"
                     : fmt::format("is at {}: {}", where_text(machine_.graph().at(state().pc[p]).executes),
                                   rma::next_text(machine_, state(), p));
        out(fmt::format("process {} {}\n", program().pid(p), paint()(Style::heading, where)));
        if (std::string const memory = memory_of(p); !memory.empty()) out(fmt::format("  {}\n", memory));
    }
    for (std::string const& line : pending_lines(std::nullopt)) out(line);
    say_properties();
}

/// Reads and writes, of some statements or of all.
std::vector<std::string> RmaRepl::pending_lines(std::optional<std::vector<rma::RemoteIndex>> const& only) const {
    std::vector<std::string> lines;
    auto const& graph = machine_.graph();
    auto const add = [&](rma::RemoteIndex s, std::string const& half, std::uint32_t count) {
        if (only && std::find(only->begin(), only->end(), s) == only->end()) return;
        rma::Remote const& remote = graph.remotes()[s];
        lines.push_back(fmt::format("  {}: {}, {}: {}{}\n", rma::name_of(graph, s),
                                    rma::print(program(), remote.statement), where_text(remote.statement), half,
                                    count > 1 ? fmt::format(", {} times", count) : ""));
    };
    for (rma::RemoteIndex s = 0; s < graph.remotes().size(); ++s) {
        rma::Remote const& remote = graph.remotes()[s];
        if (std::uint32_t const count = state().reads(s))
            add(s, fmt::format("its read of {} is pending", program().symbols(remote.src)), count);
        for (rma::PendingWrites const& w : state().W)
            if (w.s == s)
                add(s, fmt::format("its write {} := {} is pending", program().symbols(remote.trg), w.val.to_string()),
                    w.count);
    }
    for (auto const& queue : state().A)
        for (std::size_t i = 0; i < queue.size(); ++i)
            add(queue[i],
                fmt::format("its step on {} is pending{}", program().symbols(graph.remotes()[queue[i]].src),
                            i == 0 ? "" : " after another one"),
                1);
    return lines;
}

void RmaRepl::pending(std::string const& arguments) {
    none(arguments, "pending");
    auto const lines = pending_lines(std::nullopt);
    for (std::string const& line : lines) out(line);
    if (lines.empty()) out("nothing is pending\n");
}

void RmaRepl::history(std::string const& arguments) {
    none(arguments, "history");
    out(rma::print_schedule(machine_, stepper_.path()) + "\n");
}

namespace {

/// The variables of an expression with their values: "u = 3, v = 0".
std::string values_in(rma::Program const& program, rma::State const& state, Expression e) {
    std::vector<std::uint32_t> seen;
    std::string text;
    for (std::uint32_t n = e.first; n < e.first + e.size; ++n) {
        Node const& node = program.nodes[n];
        if (node.kind != Node::Kind::variable || std::find(seen.begin(), seen.end(), node.payload) != seen.end())
            continue;
        seen.push_back(node.payload);
        append_item(text,
                    fmt::format("{} = {}", program.symbols(Variable{node.payload}), state.M[node.payload].to_string()));
    }
    return text;
}

} // namespace

void RmaRepl::whynot_process(rma::ProcessIndex p) {
    std::string const name = fmt::format("process {}", program().pid(p));
    if (auto const blocked = machine_.blocked(state(), p)) {
        out(fmt::format("{} does not step: {}\n", name, rma::in_words(machine_, *blocked)));
        if (blocked->why == rma::Blocked::Why::flush)
            for (std::string const& line : pending_lines(blocked->waits)) out(line);
        if (blocked->why == rma::Blocked::Why::atomic)
            out(fmt::format("  process {} is at {}: {}\n", program().pid(blocked->by),
                            where_text(machine_.graph().at(state().pc[blocked->by]).executes),
                            rma::next_text(machine_, state(), blocked->by)));
        return;
    }
    out(fmt::format("{} can step: {}\n", name, rma::next_text(machine_, state(), p)));
    auto const* const assume = std::get_if<rma::Assume>(&machine_.next(state(), p).c);
    if (assume == nullptr) return;
    auto const v = rma::evaluate(machine_.graph(), state(), assume->e);
    if (v && v->is_true()) return;
    out(fmt::format("  it {} here ({}): the run would end, and not count\n", v ? "is false" : "divides by zero",
                    values_in(program(), state(), assume->e)));
}

void RmaRepl::whynot(std::string const& arguments) {
    if (stepper_.ended()) throw Refused(fmt::format("the run has ended: {}; `back` goes back", ending()));
    if (arguments.empty()) {
        for (rma::ProcessIndex p = 0; p < program().processes.size(); ++p) whynot_process(p);
        return;
    }
    auto const schedule = rma::parse_schedule(machine_.graph(), arguments);
    if (!schedule) throw Refused(schedule.error());
    if (schedule->size() != 1) throw misused("whynot");
    rma::ScheduleWord const& word = schedule->front();
    if (word.kind == rma::ScheduleWord::Kind::process && !word.value) return whynot_process(word.of);
    auto const transitions = rma::transitions_of(machine_, state(), word);
    out(transitions ? fmt::format("`{}` can come next\n", word.text) : transitions.error() + "\n");
}

/// The line that a process is at.
std::size_t RmaRepl::line_of(rma::ProcessIndex p) const {
    auto const& process = program().processes[p];
    bool const finished = state().pc[p] == machine_.graph().end(p);
    Offset const end = process.bot == no_offset ? process.close : process.bot;
    return source_.line_column(finished ? end : program().statements[machine_.graph().at(state().pc[p]).executes].open)
        .line;
}

/// Lines of the file from 1 on, with the processes that are there.
void RmaRepl::list_lines(std::size_t first, std::size_t last) {
    std::vector<std::string> marks(last + 1);
    for (rma::ProcessIndex p = 0; p < program().processes.size(); ++p) {
        std::size_t const line = line_of(p);
        if (line > last) continue;
        std::string& mark = marks[line];
        mark += (mark.empty() ? "" : ",") + std::string(program().pid(p));
    }
    std::size_t widest = 2;
    for (std::size_t l = first; l <= last; ++l) widest = std::max(widest, marks[l].size());
    std::size_t number = 0;
    for (Offset begin = 0; begin < source_.text().size();) {
        auto const line = source_.line_at(begin);
        if (++number > last) break;
        std::string const mark = marks[number].empty() ? "" : marks[number] + ">";
        if (number >= first)
            out(fmt::format("{:>{}} {:>4}  {}\n", mark, widest + 1, number, printable(line.text, 4096)));
        std::size_t const next = source_.text().find('\n', begin);
        begin =
            next == std::string_view::npos ? static_cast<Offset>(source_.text().size()) : static_cast<Offset>(next + 1);
    }
    listed_ = last + 1;
}

void RmaRepl::list(std::string const& arguments) {
    constexpr std::size_t around = 5;
    std::size_t const size = source_.line_column(static_cast<Offset>(source_.text().size())).line;
    auto const clamped = [&](std::size_t line) { return std::clamp<std::size_t>(line, 1, size); };
    std::size_t const comma = arguments.find(',');
    if (arguments.empty() && listed_ > 0) {
        if (listed_ > size) throw Refused("this is the end of the program");
        return list_lines(listed_, clamped(listed_ + 2 * around));
    }
    last_ = "list"; // Enter goes on
    if (comma != std::string::npos) {
        std::size_t const from = clamped(number(std::string(trimmed(arguments.substr(0, comma))), "line"));
        return list_lines(from,
                          clamped(std::max(from, number(std::string(trimmed(arguments.substr(comma + 1))), "line"))));
    }
    if (!arguments.empty()) {
        Words const w = words(arguments);
        if (w.size() > 2 || (w.size() == 2 && w[0] != "process")) throw misused("list");
        std::size_t const line = w.size() == 2 ? line_of(process_number(w[1])) : number(w[0], "line");
        return list_lines(clamped(line > around ? line - around : 1), clamped(line + around));
    }
    std::size_t first = size;
    std::size_t last = 1;
    for (rma::ProcessIndex p = 0; p < program().processes.size(); ++p) {
        first = std::min(first, line_of(p));
        last = std::max(last, line_of(p));
    }
    list_lines(clamped(first > around ? first - around : 1), clamped(last + around));
}

void RmaRepl::draw(std::string const& arguments) {
    none(arguments, "draw");
    auto const picture = rma::picture_of(machine_, stepper_.path(), printable(source_.name(), 4096));
    out(draw_text(picture, std::min(400U, screen_.columns()), paint()));
}

} // namespace matchpoint::cli
