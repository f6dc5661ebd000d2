#include "grammar/print.hpp"

#include <algorithm>

#include "base/overloaded.hpp"
#include "grammar/fold.hpp"
#include "grammar/layout.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::grammar {

namespace {

class Printer {
public:
    explicit Printer(Program const& program) : p_(program) {}

    std::string take() { return std::move(out_); }

    template <typename T>
    Printer& operator<<(Id<T> id) {
        out_ += p_.symbols(id);
        return *this;
    }
    Printer& operator<<(std::string_view text) {
        out_ += text;
        return *this;
    }

    Printer& operator<<(Expression e) {
        // A stack of what is still to be printed: nodes and closing brackets.
        static constexpr std::uint32_t close = 0xFFFF'FFFF;
        std::vector<std::uint32_t> rest{e.root()};
        bool first = true;
        while (!rest.empty()) {
            std::uint32_t const index = rest.back();
            rest.pop_back();
            if (index == close) {
                out_ += ')';
                continue;
            }
            if (!first) out_ += ' ';
            first = false;
            Node const node = p_.ctp.nodes[index];
            switch (node.kind) {
            case Node::Kind::value: out_ += p_.ctp.values[node.payload].to_string(); break;
            case Node::Kind::variable: *this << Variable{node.payload}; break;
            case Node::Kind::operation:
                out_ += '(';
                out_ += to_string(node.op);
                rest.push_back(close);
                push_operands(rest, index);
                break;
            }
        }
        return *this;
    }

    /// The first one on top.
    void push_operands(std::vector<std::uint32_t>& rest, std::uint32_t index) const {
        auto const operands = operand_roots(p_.ctp, index);
        rest.insert(rest.end(), operands.rbegin(), operands.rend());
    }

    /// Without its closing bracket.
    Printer& open(Command const& c) {
        auto const extra = [&](Location rho) {
            if (!rho.is_none()) *this << " " << rho;
        };
        std::visit(overloaded{
                       [&](Assume const& x) { *this << "(assume " << x.e; },
                       [&](Assert const& x) { *this << "(assert " << x.e; },
                       [&](Assign const& x) { *this << "(" << x.x << " := " << x.e; },
                       [&](Sndi const& x) {
                           *this << "(" << to_string(x.mode) << " " << x.a << " " << x.alpha << " " << x.beta << " "
                                 << x.e;
                           extra(x.rho);
                           if (!x.tag.is_none()) *this << " (tag " << x.tag << ")";
                       },
                       [&](Rcvi const& x) {
                           *this << "(rcvi " << x.a << " " << x.beta << " " << x.x;
                           extra(x.rho);
                           if (!x.sel.is_none()) print_selectors(*this, p_.ctp.selectors[x.sel.index]);
                       },
                       [&](Probe const& x) {
                           *this << (x.matches ? "(mprobe " : "(probe ") << x.a << " " << x.beta;
                           if (!x.sel.is_none()) print_selectors(*this, p_.ctp.selectors[x.sel.index]);
                       },
                       [&](Start const& x) { *this << "(start " << x.a << " " << x.x; },
                       [&](Wait const& x) { *this << "(wait " << x.a; },
                       [&](Meet const& x) { *this << "(barrier " << x.b; },
                       [&](Collective const& x) {
                           CollectiveCall const& call = p_.ctp.call(x);
                           *this << "(" << call.command() << " " << x.a << " " << x.comm;
                           print_call(*this, call);
                       },
                       [&](Guarded const& x) {
                           *this << (x.blocks ? "(when " : "(assume ") << x.e;
                           for (auto const& [y, e] : p_.ctp.assigned(x)) *this << " (" << y << " := " << e << ")";
                       },
                   },
                   c);
        return *this;
    }
    Printer& operator<<(Command const& c) { return open(c) << ")"; }

    Printer& shared() {
        *this << "(shared";
        for (SharedVariable const& s : p_.ctp.shared)
            *this << (s.is_atomic ? " atomic [" : " [") << s.x << " " << s.v.to_string() << "]";
        return *this << ")";
    }

    Printer& communicators() {
        *this << "(communicators";
        for (CommunicatorMembers const& declared : p_.ctp.communicators) {
            *this << " [" << declared.comm;
            for (std::uint32_t const t : declared.members) *this << " " << std::to_string(t);
            *this << "]";
        }
        return *this << ")";
    }

    Printer& located(LocatedCommand const& c, Location rho) {
        *this << "[" << rho << " ";
        print_with_choice(*this, p_.ctp.choice(c), [&] { open(c.c); });
        *this << ")";
        if (!c.at.file.is_none()) *this << " (at \"" << c.at.file << "\" " << std::to_string(c.at.line) << ")";
        return *this << "]";
    }

    Printer& movements(std::span<Movement const> m, PeekAt const* peek) {
        if (m.empty() && peek == nullptr) return *this << "bot";
        auto const inside = [&](Movement const& movement) {
            *this << movement.beta << " " << movement.alpha;
            if (!movement.n.is_none()) *this << " " << movement.n;
            *this << ") ";
        };
        *this << "(";
        for (Movement const& movement : m) {
            *this << "(";
            inside(movement);
        }
        if (peek != nullptr) {
            *this << "(peek ";
            inside(peek->m);
        }
        return *this << "bot)";
    }
    Printer& operator<<(std::span<Movement const> m) { return movements(m, nullptr); }

    Printer& entry(Trace const& trace, std::size_t i) {
        *this << "(" << trace.entries[i].rho << " ";
        return movements(trace.m(i), trace.peek_at(i)) << ")";
    }

private:
    Program const& p_;
    std::string out_;
};

template <typename... Args>
std::string printed(Program const& program, Args const&... args) {
    Printer printer(program);
    (printer << ... << args);
    return printer.take();
}

} // namespace

std::string_view to_string(Mode mode) {
    switch (mode) {
    case Mode::standard: return "sndi";
    case Mode::synchronous: return "ssndi";
    case Mode::buffered: return "bsndi";
    case Mode::ready: break;
    }
    return "rsndi";
}

std::string print(Program const& program, Command const& command) { return printed(program, command); }
std::string print(Program const& program, Expression e) { return printed(program, e); }
std::string print(Program const& program, std::span<Movement const> m) { return printed(program, m); }
std::string print(Program const& program, Trace const& trace, std::size_t entry) {
    return Printer(program).entry(trace, entry).take();
}

std::string print(Program const& program, Trace const& trace) {
    std::string text = "(\n";
    for (std::size_t i = 0; i < trace.entries.size(); ++i) text += "  " + print(program, trace, i) + "\n";
    return text + ")\n";
}

std::string print(Program const& program, Source const* comments_from) {
    Layout layout(program.comments, comments_from);
    Ctp const& ctp = program.ctp;
    if (!ctp.shared.empty() || ctp.shared_open != no_offset)
        layout.line(0, ctp.shared_open, Printer(program).shared().take());
    if (!ctp.communicators.empty() || ctp.communicators_open != no_offset)
        layout.line(0, ctp.communicators_open, Printer(program).communicators().take());
    layout.line(0, ctp.open, "(");
    for (Thread const& t : ctp.threads) {
        layout.line(2, t.open, "(");
        for (std::uint32_t i = t.first; i < t.last; ++i) {
            LocatedCommand const& c = ctp.commands[i];
            layout.line(4, c.offset, Printer(program).located(c, Location{i}).take());
        }
        layout.line(4, t.bot != no_offset ? t.bot : t.close, "bot");
        layout.line(2, t.close, ")");
    }
    layout.line(0, ctp.close, ")");
    for (Trace const& trace : program.traces) {
        layout.line(0, trace.open, "(");
        for (std::size_t i = 0; i < trace.entries.size(); ++i)
            layout.line(2, trace.entries[i].offset, print(program, trace, i));
        layout.line(0, trace.close, ")");
    }
    return layout.finish();
}

} // namespace matchpoint::grammar
