// `list`: the program around a place, and what follows.

#include <algorithm>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "cli/repl/repl.hpp"
#include "explain/words.hpp"

namespace matchpoint::cli {

namespace {
constexpr std::uint32_t lines = 10;
} // namespace

/// Commands [first, last) of a thread, marked with breakpoints and with where the thread is.
void Repl::list_lines(std::uint32_t t, std::uint32_t first, std::uint32_t last) {
    Thread const& thread = code_.ctp().threads[t];
    std::uint32_t const at = state().ctp[t];
    out(fmt::format("{}{}\n", shown_thread(code_, t), at == thread.last ? ", " + short_end_of(t) : ""));
    if (first > thread.first) out("       ...\n");
    std::size_t width = 6;
    for (std::uint32_t i = first; i < last; ++i) width = std::max(width, display_width(name_and_place({i})));
    for (std::uint32_t i = first; i < last; ++i)
        out(paint()(i == at ? Style::heading : Style::plain,
                    fmt::format(" {}{} {:<{}} {}", marked({i}), i == at ? '>' : ' ', name_and_place({i}), width,
                                shown(code_, code_.command_at({i})))) +
            '\n');
    if (last < thread.last) out("       ...\n");
    listed_.push_back({t, first, last});
}

/// Around the next command of each thread.
void Repl::list_positions() {
    constexpr std::uint32_t around = lines / 2 - 1;
    auto const& threads = code_.ctp().threads;
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
        std::uint32_t const at = state().ctp[t];
        list_lines(t, at - std::min(around, at - threads[t].first), at + std::min(around, threads[t].last - at));
    }
}

void Repl::list_around(Location rho) {
    std::uint32_t const t = code_.thread_of(rho);
    Thread const& thread = code_.ctp().threads[t];
    std::uint32_t const first = rho.index - std::min(lines / 2, rho.index - thread.first);
    list_lines(t, first, first + std::min(lines, thread.last - first));
}

/// FROM,TO; one of the two may be left out.
void Repl::list_range(std::string const& from, std::string const& to) {
    if (from.empty() && to.empty()) throw misused("list");
    std::uint32_t const given = location(from.empty() ? to : from).index;
    Thread const& thread = code_.ctp().threads[code_.thread_of({given})];
    std::uint32_t const first = from.empty() ? given - std::min(lines - 1, given - thread.first) : given;
    std::uint32_t const last = to.empty() ? given + std::min(lines, thread.last - given) : location(to).index + 1;
    if (first >= last) throw Refused(fmt::format("{} comes after {}", printable(from), printable(to)));
    for (std::uint32_t i = first; i < last;) {
        std::uint32_t const t = code_.thread_of({i});
        std::uint32_t const end = std::min(last, code_.ctp().threads[t].last);
        list_lines(t, i, end);
        i = end;
    }
}

/// What follows the lines that were listed, or what is before them.
void Repl::list_more(bool back) {
    std::vector<Listed> const before = std::exchange(listed_, {});
    for (Listed const& l : before) {
        Thread const& thread = code_.ctp().threads[l.thread];
        if (back && l.first > thread.first)
            list_lines(l.thread, l.first - std::min(lines, l.first - thread.first), l.first);
        if (!back && l.last < thread.last) list_lines(l.thread, l.last, l.last + std::min(lines, thread.last - l.last));
    }
    if (!listed_.empty()) return;
    listed_ = before;
    throw Refused(back ? "this is the beginning of what `list` shows"
                       : "this is the end of what `list` shows: `list .` shows what comes next");
}

void Repl::list(std::string const& arguments) {
    last_.clear();
    bool const goes_on = !listed_.empty() && listed_at_ == stepper_.bookmark();
    auto const more = [&] {
        return std::any_of(listed_.begin(), listed_.end(),
                           [&](Listed const& l) { return l.last < code_.ctp().threads[l.thread].last; });
    };
    auto const in_full = [&](std::uint32_t t) {
        list_lines(t, code_.ctp().threads[t].first, code_.ctp().threads[t].last);
    };
    auto const only = [](std::string const& text) {
        Words const names = words(text);
        if (names.size() > 1) throw misused("list");
        return names.empty() ? std::string() : names[0];
    };
    Words const w = words(arguments);
    if (w.empty() && goes_on) {
        list_more(false);
    } else if (arguments == "-" && goes_on) {
        list_more(true);
    } else {
        listed_.clear();
        std::size_t const comma = arguments.find(',');
        bool const is_location = w.size() == 1 && code_.names().locations.find(w[0]);
        if (w.empty() || arguments == "-" || (arguments == "." && !is_location))
            list_positions();
        else if (w.size() == 2 && is_word_for_thread(w[0]))
            in_full(thread_number(w[1]));
        else if (!is_location && comma != std::string::npos)
            list_range(only(arguments.substr(0, comma)), only(arguments.substr(comma + 1)));
        else if (!is_location && w.size() == 1 && w[0].find_first_not_of("0123456789") == std::string::npos)
            in_full(thread_number(w[0]));
        else if (w.size() == 1)
            list_around(location(w[0]));
        else
            throw misused("list");
    }
    listed_at_ = stepper_.bookmark();
    if (more()) last_ = "list"; // Enter goes on
}

} // namespace matchpoint::cli
