#include "encode/cssa_text.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/overloaded.hpp"
#include "grammar/print.hpp"

namespace matchpoint::encode {

namespace {

bool is_shown(std::uint32_t thread, ShownThreads shown) {
    return shown.empty() || std::find(shown.begin(), shown.end(), thread) != shown.end();
}

/// What belongs to a command, of things that are in the order of the program.
template <typename T>
std::span<T const> of_command(std::span<T const> all, Location rho) {
    auto const first =
        std::lower_bound(all.begin(), all.end(), rho, [](T const& t, Location at) { return t.rho.index < at.index; });
    auto const last =
        std::upper_bound(first, all.end(), rho, [](Location at, T const& t) { return at.index < t.rho.index; });
    return {first, last};
}

/// (assert (= a 4)) without its parentheses.
std::string bare(Program const& program, Command const& command) {
    std::string const text = print(program, command);
    return printable(std::string_view(text).substr(1, text.size() - 2), std::string::npos);
}

/// Lines about commands, with the names of the commands in a column.
class CommandLines {
public:
    CommandLines(IndexedProgram const& code, ShownThreads shown, Sink const& sink)
        : code_(code), shown_(shown), sink_(sink) {
        for_each_command([&](Location rho) { width_ = std::max(width_, display_width(name(rho))); });
        width_ = std::min<std::size_t>(width_, 24);
    }

    template <typename F>
    void for_each_thread(F f) const {
        for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t) {
            spend();
            if (is_shown(t, shown_)) f(t);
        }
    }
    template <typename F>
    void for_each_command(std::uint32_t thread, F f) const {
        Thread const& t = code_.ctp().threads[thread];
        for (Location rho{t.first}; rho.index < t.last; ++rho.index) {
            spend(16);
            f(rho);
        }
    }

    void heading(std::string_view text) const { line(text); }
    void line(std::string_view text) const {
        std::string const whole = std::string(text) + "\n";
        spend(1 + whole.size() / 16);
        sink_(whole);
    }
    void about(Location rho, std::string_view mark, std::string_view text) const {
        std::string const n = name(rho);
        line(fmt::format("{}{}{:{}}  {}", mark, n, "", width_ - std::min(width_, display_width(n)), text));
    }
    void below(std::string_view text) const { line(fmt::format("{:{}}{}", "", width_ + 4, text)); }

private:
    template <typename F>
    void for_each_command(F f) const {
        for_each_thread([&](std::uint32_t t) { for_each_command(t, f); });
    }
    std::string name(Location rho) const { return printable(code_.names()(rho)); }

    IndexedProgram const& code_;
    ShownThreads shown_;
    Sink const& sink_;
    std::size_t width_ = 0; // of the names
};

class CssaText {
public:
    CssaText(IndexedProgram const& code, Cssa const& cssa, ShownThreads shown, Sink const& sink)
        : code_(code), cssa_(cssa), lines_(code, shown, sink) {}

    void write() const {
        if (!initial().empty()) lines_.heading("initial values");
        for (Cssa::Equation const& e : initial()) lines_.line("  " + definition(e));
        lines_.for_each_thread([&](std::uint32_t t) {
            lines_.heading(fmt::format("thread {}", t));
            lines_.for_each_command(t, [&](Location rho) { command(rho); });
        });
    }

private:
    std::span<Cssa::Equation const> initial() const { return cssa_.equations().first(code_.ctp().shared.size()); }

    std::string definition(Cssa::Equation const& e) const {
        return fmt::format("{} := {}", cssa_.name(e.name), e.term.text);
    }

    std::string pi_function(Cssa::Pi const& pi) const {
        std::string text;
        for (std::uint32_t const i : cssa_.parameters(pi)) {
            if (!text.empty()) text += ", ";
            text += cssa_.name(cssa_.definitions_of(pi.x)[i].name);
        }
        return fmt::format("{} := π({})", cssa_.name(pi.name), text);
    }

    void command(Location rho) const {
        for (Cssa::Pi const& pi : of_command(cssa_.pis(), rho)) lines_.below(pi_function(pi));
        auto const equations = of_command(cssa_.equations().subspan(initial().size()), rho);
        std::size_t const divisors = of_command(cssa_.divisors(), rho).size(); // their equations are the last ones
        for (Cssa::Equation const& e : equations.last(divisors)) lines_.below(definition(e));
        lines_.about(rho, "  ", form(rho, equations.first(equations.size() - divisors)));
    }

    /// The command with the names of the form.
    std::string form(Location rho, std::span<Cssa::Equation const> definitions) const {
        auto const guarded = [&](bool blocks) {
            std::string text = (blocks ? "when " : "assume ") + of_command(cssa_.guards(), rho)[0].term.text;
            for (Cssa::Equation const& e : definitions) text += fmt::format(" ({})", definition(e));
            return text;
        };
        auto const other = [](auto const&) -> std::string {
            throw std::logic_error("print_cssa: a program without messages and barriers");
        };
        return std::visit(
            overloaded{
                [&](Assume const&) { return guarded(false); },
                [&](Assert const&) { return "assert " + of_command(cssa_.assertions(), rho)[0].term.text; },
                [&](Assign const&) { return definition(definitions[0]); },
                [&](Guarded const& c) { return guarded(c.blocks); },
                [&](Sndi const& c) { return other(c); },
                [&](Rcvi const& c) { return other(c); },
                [&](Probe const& c) { return other(c); },
                [&](Start const& c) { return other(c); },
                [&](Wait const& c) { return other(c); },
                [&](Meet const& c) { return other(c); },
                [&](Collective const& c) { return other(c); },
            },
            code_.command_at(rho));
    }

    IndexedProgram const& code_;
    Cssa const& cssa_;
    CommandLines lines_;
};

/// In the words of Figure 5.
std::string in_words(IndexedProgram const& code, ConcreteEvent const& e) {
    auto const x = [&] { return printable(code.names()(e.x)); };
    switch (e.form) {
    case ConcreteEvent::Form::nothing: return "nop";
    case ConcreteEvent::Form::read: return fmt::format("reading {} from {}", e.v.to_string(), x());
    case ConcreteEvent::Form::write: return fmt::format("writing {} to {}", e.v.to_string(), x());
    case ConcreteEvent::Form::primitive:
    case ConcreteEvent::Form::assertion: break;
    }
    return bare(code.program(), code.command_at(e.rho));
}

} // namespace

void print_cssa(IndexedProgram const& code, Cssa const& cssa, ShownThreads shown, Sink const& sink) {
    CssaText(code, cssa, shown, sink).write();
}

void print_events(IndexedProgram const& code, std::span<ConcreteEvent const> events, ShownThreads shown,
                  Sink const& sink) {
    CommandLines const lines(code, shown, sink);
    std::size_t const digits = std::to_string(code.ctp().threads.size() - 1).size();
    for (ConcreteEvent const& e : events) {
        spend(16);
        std::uint32_t const thread = code.thread_of(e.rho);
        if (is_shown(thread, shown))
            lines.about(e.rho, "  ", fmt::format("thread {:<{}}  {}", thread, digits, in_words(code, e)));
    }
}

void print_model(IndexedProgram const& code, std::span<ConcreteEvent const> events, Program const& model,
                 ShownThreads shown, Sink const& sink) {
    std::vector<std::vector<Location>> executed(code.ctp().threads.size());
    for (ConcreteEvent const& e : events) executed[code.thread_of(e.rho)].push_back(e.rho);
    CommandLines const lines(code, shown, sink);
    lines.for_each_thread([&](std::uint32_t t) {
        lines.heading(fmt::format("thread {}", t));
        for (std::size_t i = 0; i < executed[t].size(); ++i) {
            spend(16);
            std::string const reduced = bare(model, model.ctp.commands[model.ctp.threads[t].first + i].c);
            bool const is_same = reduced == bare(code.program(), code.command_at(executed[t][i]));
            lines.about(executed[t][i], is_same ? "   " : "** ", reduced);
        }
    });
}

} // namespace matchpoint::encode
