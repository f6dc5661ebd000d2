#include "cli/repl/repl.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/nearest_name.hpp"
#include "base/text.hpp"
#include "cli/suggestion.hpp"
#include "explain/words.hpp"
#include "grammar/print.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

namespace {

/// Short names that are not unique prefixes.
constexpr CommandAlias short_names[] = {
    {"s", "step"},          {"si", "stepi"},
    {"n", "next"},          {"c", "continue"},
    {"u", "until"},         {"b", "break"},
    {"tb", "tbreak"},       {"p", "print"},
    {"rs", "reverse-step"}, {"rsi", "reverse-stepi"},
    {"rn", "reverse-next"}, {"rc", "reverse-continue"},
    {"l", "list"},          {"bt", "backtrace"},
    {"i", "info"},          {"q", "quit"},
    {"exit", "quit"},       {"h", "help"},
    {"?", "help"},          {"j", "jump"},
    {"r", "run"},           {"d", "delete"},
    {"w", "watch"},         {"t", "thread"},
    {"where", "backtrace"}, {"who", "last"},
    {"goto", "jump"},       {"back", "reverse-step"},
    {"draw", "msc"},        {"rank", "thread"},
};

/// Commands of gdb that do not exist here, and what is nearest to them.
constexpr CommandAlias of_gdb[] = {
    {"advance", "`until LOC` goes on until LOC comes next"},
    {"attach", "a run begins with `run`"},
    {"awatch", "`watch` stops at changes"},
    {"call", "`print EXPR` shows a value"},
    {"catch", "`break status failure` and `break receive A` stop at events"},
    {"clear", "`delete N` deletes a breakpoint, `info breakpoints` has the numbers"},
    {"commands", "`display X` prints a value after every move, and `source FILE` runs commands"},
    {"down", "threads have no stack: `info threads` shows where they are"},
    {"explain",
     "`why` explains the status and who waits for what, `whynot` why something cannot happen, `info` shows what "
     "is there"},
    {"file", "`reload` reads the program again"},
    {"finish", "threads have no functions: `until LOC` goes on to a location, `end` to the end of the trace"},
    {"frame", "threads have no stack: `info threads` shows where they are"},
    {"kill", "`jump 0` goes back to the beginning, `quit` ends the session"},
    {"nexti", "`stepi` applies one rule"},
    {"ptype", "`info variables` shows the variables"},
    {"return", "threads have no functions: `until LOC` goes on to a location"},
    {"rwatch", "`watch` stops at changes"},
    {"show", "`set` shows what is set, `info` everything else"},
    {"start", "`jump 0` goes to the beginning, `run` from there to a breakpoint"},
    {"starti", "`jump 0` goes to the beginning, `stepi` applies one rule"},
    {"stop", "Ctrl-C interrupts a command"},
    {"up", "threads have no stack: `info threads` shows where they are"},
    {"whatis", "`info variables` shows the variables"},
    {"x", "`print/x EXPR` shows an integer in base 16"},
};

} // namespace

Repl::Repl(LoadedProgram& loaded, Buffering buffering, Terminal& terminal)
    : Debugger(terminal, loaded.code(), buffering), loaded_(loaded), code_(loaded.code()),
      narrator_(
          code_, [this](std::string_view line) { out(line); }, 8, Narrator::Detail::brief, terminal.paint()) {
    stepper_.observe(&narrator_);
}

void Repl::begin(std::optional<std::size_t> trace) {
    if (!trace) return;
    last_trace_ = *trace;
    follow(*trace);
}

void Repl::follow(std::size_t trace) {
    auto const ends = trace_endings(loaded_.source().text(), code_.program().traces.size());
    stepper_.follow(trace, ends[trace].extent());
}

void Repl::tell_by_places() {
    Provenance const from = provenance_of(loaded_.source().text());
    told_.reset();
    told_.emplace(code_, from.thread, from.is_recorded());
}

std::span<CommandAlias const> Repl::aliases() { return short_names; }

Repl::Command const& Repl::find(std::string const& word) { return find_command(commands(), word, short_names, of_gdb); }

Repl::Subcommand const* Repl::find_subcommand(std::string_view command, std::string_view word) {
    for (Subcommand const& s : subcommands(command))
        if (s.name.starts_with(word)) return &s;
    return nullptr;
}

std::string Repl::state_text() {
    std::string text = place();
    if (is_modified()) text += " modified";
    if (auto const why = why_blocked()) text += fmt::format(" {}", to_string(why->kind));
    return text;
}

// ---------------------------------------------------------------------------------------------------------------------
// Arguments

Location Repl::location(std::string const& name) const {
    auto const found = code_.names().locations.find(name);
    auto const count = static_cast<std::uint32_t>(code_.ctp().commands.size());
    if (found && code_.has({*found})) return {*found};
    if (auto const at = name.find(':') == std::string::npos ? std::nullopt : line(name)) return location_on(*at, name);
    throw Refused(fmt::format("there is no location `{}`{}", printable(name),
                              name_suggestion(name, code_.names().locations, count)));
}

/// Throws Refused if the line has no command, or has some of several threads.
Location Repl::location_on(Line const& line, std::string const& name) const {
    std::string_view const file = source_of(line);
    std::vector<Location> there;
    for (std::uint32_t i = 0; i < code_.ctp().commands.size(); ++i) {
        auto const& at = code_.ctp().commands[i].at;
        if (!at.file.is_none() && at.line == line.number && code_.names()(at.file) == file) there.push_back({i});
    }
    if (there.empty())
        throw Refused(fmt::format("there is no location `{0}`, and no command came from `{0}`", printable(name)));
    std::vector<Location> next = there;
    std::erase_if(next, [&](Location rho) { return rho.index < state().ctp[code_.thread_of(rho)]; });
    if (next.empty()) next = there;
    std::vector<std::string> first_of_each;
    for (std::size_t i = 0; i < next.size(); ++i)
        if (std::uint32_t const t = code_.thread_of(next[i]); i == 0 || code_.thread_of(next[i - 1]) != t)
            first_of_each.push_back(fmt::format("{} of {}", shown_name(code_, next[i]), shown_thread(code_, t)));
    if (first_of_each.size() > 1)
        throw Refused(
            fmt::format("`{}` is the place of {}: name one", printable(name), fmt::join(first_of_each, ", ")));
    return next.front();
}

bool Repl::is_word_for_thread(std::string_view word) const {
    return word == "thread" || word == word_for_thread(code_);
}

Location Repl::issued_at(Action a) const {
    std::uint32_t i = 0;
    auto const issues = [&](grammar::Command const& c) {
        return (as_sndi(c) != nullptr && as_sndi(c)->a == a) || (as_rcvi(c) != nullptr && as_rcvi(c)->a == a) ||
               (as_probe(c) != nullptr && as_probe(c)->a == a);
    };
    while (!issues(code_.command_at({i}))) ++i;
    return {i};
}

Action Repl::action(std::string const& name) const {
    if (auto const found = code_.names().actions.find(name)) return {*found};
    if (auto const at = name.find(':') == std::string::npos ? std::nullopt : line(name)) return action_on(*at, name);
    throw Refused(
        fmt::format("there is no action `{}`{}", printable(name), name_suggestion(name, code_.names().actions)));
}

/// The only action of a line of the source. Throws Refused if there is none or another one.
Action Repl::action_on(Line const& line, std::string const& name) const {
    std::string_view const file = source_of(line);
    std::vector<std::string> found;
    Action result{};
    for (std::uint32_t i = 0; i < code_.ctp().issued_by.size(); ++i) {
        auto const& at = code_.ctp().commands[issued_at({i}).index].at;
        if (at.file.is_none() || at.line != line.number || code_.names()(at.file) != file) continue;
        result = {i};
        found.push_back(fmt::format("{} of {}", printable(code_.names()(result)),
                                    shown_thread(code_, code_.thread_of(issued_at(result)))));
    }
    if (found.empty())
        throw Refused(fmt::format("there is no action `{0}`, and no send or receive came from `{0}`", printable(name)));
    if (found.size() > 1)
        throw Refused(fmt::format("`{}` is the place of {}: name one", printable(name), fmt::join(found, ", ")));
    return result;
}

Action Repl::receive_action(std::string const& name) const {
    Action const a = action(name);
    if (code_.as_rcvi(a) == nullptr) throw Refused(fmt::format("`{}` is a send, not a receive", printable(name)));
    if (code_.as_probe(a) != nullptr && !code_.is_mprobe(a))
        throw Refused(fmt::format("`{}` is a probe, which receives nothing", printable(name)));
    return a;
}

Endpoint Repl::endpoint(std::string const& name) const {
    auto const found = code_.names().endpoints.find(name);
    if (!found)
        throw Refused(fmt::format("there is no endpoint `{}`{}", printable(name),
                                  name_suggestion(name, code_.names().endpoints)));
    return {*found};
}

std::uint32_t Repl::thread_number(std::string const& word) const {
    std::string_view const kind = word_for_thread(code_);
    std::size_t const t = number(word, fmt::format("{}: they are numbered from 0", kind));
    if (t >= code_.ctp().threads.size())
        throw Refused(fmt::format("there is no {} {}: there are {}, from 0", kind, t, code_.ctp().threads.size()));
    return static_cast<std::uint32_t>(t);
}

MessageIndex const& Repl::messages() const {
    if (loaded_.messages() == nullptr)
        throw Refused("the program breaks rules D1 to D6 (see `matchpoint lint`): what can come of it is not known");
    return *loaded_.messages();
}

Pair Repl::pair(std::string const& receive, std::string const& send) const {
    Action const a_r = receive_action(receive);
    Action const a_s = action(send);
    if (code_.as_sndi(a_s) == nullptr) throw Refused(fmt::format("`{}` is a receive, not a send", printable(send)));
    return {messages().receive_number(a_r), messages().send_number(a_s)};
}

// ---------------------------------------------------------------------------------------------------------------------
// Files

void Repl::save_run(std::string const& file) {
    refuse_if_modified("save trace");
    if (stepper_.at().rules > 0)
        throw Refused("the next entry is begun: `step`, choose a command, or `reverse-step` first");
    std::error_code error;
    bool const is_own = std::filesystem::equivalent(file, loaded_.path(), error);
    // A copy has the run already if it is a whole trace of the file.
    if (!is_own && end_of_trace())
        return write_new(file, loaded_.source().text(), fmt::format("; the run is its trace {}", last_trace_ + 1));
    std::string const as = fmt::format(", as trace {}", code_.program().traces.size() + 1);
    if (!is_own) return write_new(file, with_run_as_trace(), as);
    if (!is_file_as_read()) throw Refused(file_has_changed);
    if (FileError const failed = replace_file(file, with_run_as_trace()); !failed.empty()) throw Refused(failed);
    out(fmt::format("written: {}{}; `reload` reads it\n", printable(file, 4096), as));
}

bool Repl::is_file_as_read() const {
    if (loaded_.path() == "-") return true;
    auto const there = read_source(loaded_.path());
    return there && there->text() == loaded_.source().text();
}

/// Comments, layout and the other traces stay. The first comment says of a trace that stops early that it does, and
/// which buffering it is for if that is not the default.
std::string Repl::with_run_as_trace() const {
    bool const is_done = stepper_.ended();
    std::string text(loaded_.source().text());
    if (!is_done || stepper_.buffering() != Buffering::infinite)
        text = record::provenance::with_line(
            text, record::provenance::line(
                      code_.program().traces.size() + 1, stepper_.buffering(),
                      fmt::format("{}{}", to_string(state().s), is_done ? "" : record::provenance::so_far)));
    if (!text.ends_with('\n')) text += '\n';
    Program program = code_.program();
    program.traces = {stepper_.path().trace(code_)};
    return text + '\n' + grammar::print(program, program.traces.front());
}

} // namespace matchpoint::cli
