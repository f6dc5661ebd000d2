// `info` and `last`: what the state, the program and the session are made of, and who changed it.

#include <fnmatch.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.hpp"
#include "base/text.hpp"
#include "cli/repl/excursion.hpp"
#include "cli/repl/repl.hpp"
#include "explain/message_words.hpp"
#include "explain/words.hpp"
#include "grammar/selectors.hpp"
#include "machine/partners.hpp"

namespace matchpoint::cli {

namespace {

/// Whether a name is wanted: a pattern with `*`, `?` or `[` is about the whole name, another one about a part of it.
bool fits(std::string const& pattern, std::string_view name) {
    if (pattern.empty()) return true;
    if (pattern.find_first_of("*?[") == std::string::npos) return name.find(pattern) != std::string_view::npos;
    return ::fnmatch(pattern.c_str(), std::string(name).c_str(), FNM_NOESCAPE) == 0;
}

} // namespace

void Repl::info(std::string const& arguments) {
    if (arguments.empty()) return list_subcommands("info");
    std::size_t const end = std::min(arguments.find_first_of(" \t"), arguments.size());
    std::string const word = arguments.substr(0, end);
    if (Subcommand const* const s = find_subcommand("info", word))
        return (this->*s->run)(std::string(trimmed(arguments.substr(end))));
    std::vector<std::string_view> names;
    for (Subcommand const& s : subcommands("info")) names.push_back(s.name);
    throw Refused(fmt::format("there is no `info {}`{}: info {}", printable(word), did_you_mean(word, names),
                              fmt::join(names, " | ")));
}

void Repl::info_display(std::string const& arguments) {
    none(arguments, "info display");
    if (displays_.empty()) out("there are none\n");
    display("");
}

// ---------------------------------------------------------------------------------------------------------------------
// Variables

/// "step 6, thread 0: 04 (a := A)", "step 3, thread 0: 03 (wait R2), R2 = S4"
std::string Repl::written_text(History::Write const& w) const {
    if (w.rho.is_none()) return fmt::format("by hand, after step {}", w.entry);
    std::string step = entry_text(w.entry);
    if (w.a_r.is_none()) return step;
    Rcvi const& receive = *code_.as_rcvi(w.a_r);
    std::uint32_t const m = *message_for(state(), code_, receive.beta, state().ordinal[w.a_r.index]);
    Action const a_s = state().Q_s.entries[code_[receive.beta].Q_s.first + m].a;
    return fmt::format("{}, {} = {}", step, shown(code_, w.a_r), shown(code_, a_s));
}

/// The last write to each variable; none if nobody has written it.
std::vector<std::optional<History::Write>> Repl::last_writes() {
    std::vector<std::optional<History::Write>> by(state().h.size());
    std::size_t left = by.size();
    stepper_.each_write([&](History::Write const& w) {
        if (by[w.x.index]) return true;
        by[w.x.index] = w;
        return --left > 0;
    });
    if (!stepper_.command_begun()) return by;
    State const before = stepper_.before_command();
    std::size_t const entry = stepper_.at().steps;
    for (std::uint32_t x = 0; x < by.size(); ++x)
        if (before.h[x] != state().h[x]) by[x] = {entry, stepper_.plan().entry(entry).rho, {x}, {}};
    return by;
}

std::vector<std::string> Repl::writers() {
    std::vector<std::string> result(state().h.size());
    if (code_.ctp().shared.empty()) return result;
    auto const by = last_writes();
    for (SharedVariable const& s : code_.ctp().shared) {
        auto const& w = by[s.x.index];
        result[s.x.index] = !w                 ? "initial value"
                            : w->rho.is_none() ? "set by hand"
                                               : "written by " + shown(code_, w->rho);
    }
    return result;
}

std::string Repl::with_writer(std::string const& name, std::string const& value) {
    auto const x = code_.names().variables.find(name);
    std::string const writer = x ? writers()[*x] : std::string();
    return writer.empty() ? value : fmt::format("{}, {}", value, writer);
}

void Repl::info_variables(std::string const& pattern) {
    auto const& names = code_.names().variables;
    std::vector<std::string> by(names.size());
    for (SharedVariable const& s : code_.ctp().shared) by[s.x.index] = "initial value";
    for (auto const& w : last_writes())
        if (w) by[w->x.index] = written_text(*w);
    std::size_t width = 0;
    std::vector<Variable> wanted;
    for (std::uint32_t x = 0; x < names.size(); ++x) {
        if (!fits(pattern, names[x])) continue;
        wanted.push_back({x});
        width = std::max(width, count_code_points(shown(code_, Variable{x})));
    }
    if (wanted.empty())
        out(pattern.empty() ? "the program has no variables\n"
                            : fmt::format("no variable fits `{}`\n", printable(pattern)));
    for (Variable const x : wanted) {
        Value const& v = state().h[x.index];
        out(fmt::format("{:<{}}  {}{}\n", shown(code_, x), std::min<std::size_t>(width, 20),
                        v.is_bot() ? "no value" : shown(v),
                        by[x.index].empty() ? "" : fmt::format("  ({})", by[x.index])));
    }
}

/// Goes back as far as needed, and returns. A variable can have been written with the value that it had.
void Repl::last(std::string const& arguments) {
    if (arguments.empty()) throw misused("last");
    auto const look = watched(arguments);
    auto const x = code_.names().variables.find(arguments);
    std::optional<std::size_t> write;
    if (x) {
        auto const w = last_writes()[*x];
        if (w && !w->rho.is_none()) write = w->entry;
    }
    std::string const is = look();
    std::string was = is;
    std::string step;
    std::size_t entry = 0;
    bool written = false;
    {
        Excursion const excursion(stepper_);
        while (was == is && !written && !interrupted() && stepper_.back()) {
            was = look();
            written = write && stepper_.at().steps == *write && !stepper_.next_overwrite();
        }
        step = coming_text();
        entry = stepper_.at().steps;
    }
    // If a receive has written the variable, the send is told, too.
    if (x)
        stepper_.each_write([&](History::Write const& w) {
            bool const is_it = w.x.index == *x && w.entry == entry && !w.a_r.is_none();
            if (is_it) step = written_text(w);
            return !is_it && w.entry >= entry;
        });
    if (was == is && !written && interrupted()) throw Refused("interrupted");
    if (was == is && written)
        out(fmt::format("{}, written by {}\n  was {}\n  is  {}, the same\n", printable(arguments), step, was, is));
    else if (was == is)
        out(fmt::format("no step has {} it: {}\n", x ? "written" : "changed", named(arguments, is)));
    else
        out(fmt::format("{}, changed by {}\n  was {}\n  is  {}\n", printable(arguments), step,
                        paint()(Style::removed, was), paint()(Style::added, is)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Messages

/// What has become of a send. `ordinal` is its place among all messages delivered to its endpoint.
std::string Repl::send_text(Action a_s, std::optional<std::uint32_t> ordinal) const {
    if (!state().is_issued(a_s)) return "not issued";
    Channel const c = code_.channel_of(a_s);
    Endpoint const beta = code_[c].beta;
    std::string const tag = shown_tag(code_, a_s);
    Value const& v = state().Pnd_s.entries[code_[c].Pnd_s.first + state().ordinal[a_s.index]].v;
    if (!ordinal) return fmt::format("in transit, value {}{}", shown(v), tag);
    Value const& got = state().Q_s.entries[code_[beta].Q_s.first + *ordinal].v;
    auto const n = receive_for(state(), code_, beta, *ordinal);
    if (!n) return fmt::format("delivered, no receive is issued for it yet, value {}{}", shown(got), tag);
    bool const is_received = is_completed(state(), code_, beta, *n);
    return fmt::format("{} {}, value {}{}", is_received ? "received by" : "delivered for",
                       shown(code_, state().Pnd_r.entries[code_[beta].Pnd_r.first + *n].a), shown(got), tag);
}

/// What a receive has got. `completed` is the wait that completed it.
std::string Repl::receive_text(Action a_r, std::optional<History::Write> const& completed) const {
    if (!state().is_issued(a_r)) return "not issued";
    Endpoint const beta = code_.as_rcvi(a_r)->beta;
    std::uint32_t const n = state().ordinal[a_r.index];
    auto const m = message_for(state(), code_, beta, n);
    if (!m) return "issued, no message is delivered for it yet";
    DeliveredSend const& send = state().Q_s.entries[code_[beta].Q_s.first + *m];
    std::string const message = fmt::format("{} = {}{}", shown(code_, send.a), shown(send.v), shown_tag(code_, send.a));
    if (!is_completed(state(), code_, beta, n)) return fmt::format("issued, {} is delivered for it", message);
    return fmt::format("got {}{}", message,
                       completed ? fmt::format(", by step {}: {} {}", completed->entry, shown(code_, completed->rho),
                                               shown(code_, code_.command_at(completed->rho)))
                                 : "");
}

void Repl::info_sends(std::string const& pattern) {
    std::vector<std::optional<std::uint32_t>> ordinal(state().A.size());
    for (std::uint32_t b = 0; b < code_.endpoints().size(); ++b)
        for (std::uint32_t n = 0; n < state().Q_s.delivered[b]; ++n)
            ordinal[state().Q_s.entries[code_.endpoints()[b].Q_s.first + n].a.index] = n;
    bool some = false;
    for (std::uint32_t i = 0; i < code_.ctp().commands.size(); ++i) {
        Sndi const* const send = as_sndi(code_.command_at({i}));
        if (send == nullptr || !fits(pattern, code_.names()(send->a))) continue;
        some = true;
        out(fmt::format("{}  {}: {}, from {} to {}: {}\n", printable(code_.names()(send->a)),
                        shown_thread(code_, code_.thread_of({i})), shown(code_, Location{i}), shown(code_, send->alpha),
                        shown(code_, send->beta), send_text(send->a, ordinal[send->a.index])));
    }
    if (!some) out(pattern.empty() ? "the program has no sends\n" : "no send fits\n");
}

void Repl::info_receives(std::string const& pattern) {
    std::vector<std::optional<History::Write>> completed(state().A.size());
    stepper_.each_write([&](History::Write const& w) {
        if (!w.a_r.is_none()) completed[w.a_r.index] = w;
        return true;
    });
    bool some = false;
    for (std::uint32_t i = 0; i < code_.ctp().commands.size(); ++i) {
        Rcvi const* const receive = as_rcvi(code_.command_at({i}));
        if (receive == nullptr || !fits(pattern, code_.names()(receive->a))) continue;
        some = true;
        std::string const what = restricts(selectors_of(code_.ctp(), *receive))
                                     ? fmt::format(", of {}", admitted(code_, receive->a))
                                     : std::string();
        out(fmt::format("{}  {}: {}, at {}, into {}{}: {}\n", printable(code_.names()(receive->a)),
                        shown_thread(code_, code_.thread_of({i})), shown(code_, Location{i}),
                        shown(code_, receive->beta), shown(code_, receive->x), what,
                        receive_text(receive->a, completed[receive->a.index])));
    }
    if (!some) out(pattern.empty() ? "the program has no receives\n" : "no receive fits\n");
}

// ---------------------------------------------------------------------------------------------------------------------
// The text

void Repl::info_line(std::string const& arguments) {
    std::optional<Location> const next = arguments.empty() ? stepper_.next() : std::optional(location(arguments));
    if (!next || !code_.has(*next)) throw Refused("no command comes next: info line LOC");
    Location const rho = *next;
    std::uint32_t const t = code_.thread_of(rho);
    Thread const& thread = code_.ctp().threads[t];
    Source const& source = loaded_.source();
    LineColumn const where = source.line_column(code_.ctp().commands[rho.index].offset);
    std::string when = rho.index == state().ctp[t] ? "comes next in its thread" : "has not run";
    if (rho.index < state().ctp[t])
        for (std::size_t i = 0; i < stepper_.at().steps; ++i)
            if (stepper_.plan().entry(i).rho == rho) when = fmt::format("ran as step {}", i);
    out(fmt::format("{}:{}:{}: {} {}\n  command {} of {} of {}; {}\n", printable(source.name(), 4096), where.line,
                    where.column, name_and_place(rho), shown(code_, code_.command_at(rho)),
                    rho.index - thread.first + 1, thread.last - thread.first, shown_thread(code_, t), when));
}

} // namespace matchpoint::cli
