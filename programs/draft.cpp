#include "programs/draft.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/overloaded.hpp"
#include "grammar/parts.hpp"
#include "grammar/selectors.hpp"
#include "programs/locations.hpp"

namespace matchpoint::programs::draft {

Command assume(Expression e) { return AssumeOf<Text>{std::move(e)}; }
Command assert_(Expression e) { return AssertOf<Text>{std::move(e)}; }
Command assign(Variable x, Expression e) { return AssignOf<Text>{std::move(x), std::move(e)}; }
Command sndi(Action a, std::uint32_t alpha, std::uint32_t beta, Expression e) {
    return sndi(Mode::standard, std::move(a), alpha, beta, std::move(e));
}
Command sndi(Mode mode, Action a, std::uint32_t alpha, std::uint32_t beta, Expression e, Tag n) {
    return SndiOf<Text>{std::move(a), std::to_string(alpha), std::to_string(beta), std::move(e), {}, std::move(n),
                        mode};
}
Command rcvi(Action a, std::uint32_t beta, Variable x, Selectors sel) {
    return RcviOf<Text>{std::move(a), std::to_string(beta), std::move(x), {}, std::move(sel)};
}
Command probe(Action a, std::uint32_t beta, Selectors sel) {
    return ProbeOf<Text>{std::move(a), std::to_string(beta), std::move(sel), false};
}
Command mprobe(Action a, std::uint32_t beta, Selectors sel) {
    return ProbeOf<Text>{std::move(a), std::to_string(beta), std::move(sel), true};
}
Command start(Action a, Variable x) { return StartOf<Text>{std::move(a), std::move(x)}; }
Command wait(Action a) { return WaitOf<Text>{std::move(a)}; }
Command barrier(Barrier b) { return MeetOf<Text>{std::move(b)}; }
Command collective(Action a, Communicator comm, CollectiveCall call) {
    return CollectiveOf<Text>{std::move(a), std::move(comm), std::move(call)};
}
Command guarded(Expression guard, std::vector<Assignment> assigned) {
    if (assigned.empty()) return assume(std::move(guard));
    return GuardedOf<Text>{std::move(guard), std::move(assigned), false};
}
Command when(Expression guard, std::vector<Assignment> assigned) {
    return GuardedOf<Text>{std::move(guard), std::move(assigned), true};
}

LocatedCommand test(ChoiceOfTime choice) {
    LocatedCommand result(assume(truth(true)));
    result.choice = std::move(choice);
    return result;
}
LocatedCommand wait(Action a, ChoiceOfTime choice) {
    LocatedCommand result(wait(std::move(a)));
    result.choice = std::move(choice);
    return result;
}

Action const* issued_action(Command const& c) {
    using Issued = Action const*;
    return std::visit(overloaded{
                          [](AssumeOf<Text> const&) { return Issued(); },
                          [](AssertOf<Text> const&) { return Issued(); },
                          [](AssignOf<Text> const&) { return Issued(); },
                          [](SndiOf<Text> const& k) { return &k.a; },
                          [](RcviOf<Text> const& k) { return &k.a; },
                          [](ProbeOf<Text> const& k) { return &k.a; },
                          [](StartOf<Text> const&) { return Issued(); },
                          [](WaitOf<Text> const&) { return Issued(); },
                          [](MeetOf<Text> const&) { return Issued(); },
                          [](CollectiveOf<Text> const& k) { return &k.a; },
                          [](GuardedOf<Text> const&) { return Issued(); },
                      },
                      c);
}

Expression* expression_of(Command& c) {
    Expression* found = nullptr;
    for_each_part(c, overloaded{[&](Expression& e) { found = found == nullptr ? &e : found; }, [](auto&) {}});
    return found;
}
Expression const* expression_of(Command const& c) {
    Expression const* found = nullptr;
    for_each_part(c, overloaded{[&](Expression const& e) { found = found == nullptr ? &e : found; }, [](auto&) {}});
    return found;
}

std::size_t Draft::commands() const {
    std::size_t n = 0;
    for (Thread const& t : threads) n += t.size();
    return n;
}

void drop_unused_shared_variables(Draft& draft) {
    std::unordered_set<std::string> used;
    auto const use = [&](Variable const& x) { used.insert(x.text); };
    for (Thread const& t : draft.threads)
        for (LocatedCommand const& c : t)
            for_each_part(c.c,
                          overloaded{use, [&](Expression const& e) { for_each_variable(e, use); }, [](auto const&) {}});
    std::erase_if(draft.shared, [&](SharedVariable const& s) { return !used.contains(s.x.text); });
}

void renumber_threads(Draft& draft, std::span<std::uint32_t const> once) {
    auto const now = [&](std::uint32_t thread) {
        return static_cast<std::uint32_t>(std::find(once.begin(), once.end(), thread) - once.begin());
    };
    for (Thread& t : draft.threads)
        for (LocatedCommand& c : t) {
            auto* const k = std::get_if<CollectiveOf<Text>>(&c.c);
            if (k == nullptr || !k->call.root) continue;
            k->call.root = now(*k->call.root);
        }
    for (CommunicatorMembers& c : draft.communicators) {
        for (std::uint32_t& member : c.members) member = now(member);
        std::erase(c.members, static_cast<std::uint32_t>(once.size()));
    }
}

namespace {

class DraftPrinter {
public:
    std::string take() { return std::move(out_); }

    DraftPrinter& operator<<(std::string_view text) {
        out_ += text;
        return *this;
    }
    template <typename Kind>
    DraftPrinter& operator<<(Name<Kind> const& name) {
        return *this << std::string_view(name.text);
    }

    DraftPrinter& operator<<(Expression const& e) {
        static constexpr std::uint32_t close = 0xFFFF'FFFF;
        if (e.nodes.size() == 1) return print_node(e.nodes[0]);
        find_first_nodes(e, first_);
        rest_.assign(1, e.root()); // nodes and closing brackets that are still to be printed
        while (!rest_.empty()) {
            std::uint32_t const root = rest_.back();
            rest_.pop_back();
            if (root == close) {
                out_ += ')';
                continue;
            }
            if (root != e.root()) out_ += ' ';
            print_node(e.nodes[root]);
            if (!is_operation(e.nodes[root])) continue;
            rest_.push_back(close);
            for (std::uint32_t end = root; end > first_[root]; end = first_[end - 1]) rest_.push_back(end - 1);
        }
        return *this;
    }

    /// Without its closing bracket.
    DraftPrinter& open(Command const& c) {
        std::visit(overloaded{
                       [&](AssumeOf<Text> const& k) { *this << "(assume " << k.e; },
                       [&](AssertOf<Text> const& k) { *this << "(assert " << k.e; },
                       [&](AssignOf<Text> const& k) { *this << "(" << k.x << " := " << k.e; },
                       [&](SndiOf<Text> const& k) {
                           *this << "(" << to_string(k.mode) << " " << k.a << " " << k.alpha << " " << k.beta << " "
                                 << k.e;
                           if (!k.tag.text.empty()) *this << " (tag " << k.tag << ")";
                       },
                       [&](RcviOf<Text> const& k) {
                           *this << "(rcvi " << k.a << " " << k.beta << " " << k.x;
                           print_selectors(*this, k.sel);
                       },
                       [&](ProbeOf<Text> const& k) {
                           *this << (k.matches ? "(mprobe " : "(probe ") << k.a << " " << k.beta;
                           print_selectors(*this, k.sel);
                       },
                       [&](StartOf<Text> const& k) { *this << "(start " << k.a << " " << k.x; },
                       [&](WaitOf<Text> const& k) { *this << "(wait " << k.a; },
                       [&](MeetOf<Text> const& k) { *this << "(barrier " << k.b; },
                       [&](CollectiveOf<Text> const& k) {
                           *this << "(" << k.call.command() << " " << k.a << " " << k.comm;
                           print_call(*this, k.call);
                       },
                       [&](GuardedOf<Text> const& k) {
                           *this << (k.blocks ? "(when " : "(assume ") << k.e;
                           for (auto const& [x, e] : k.assigned) *this << " (" << x << " := " << e << ")";
                       },
                   },
                   c);
        return *this;
    }
    DraftPrinter& operator<<(Command const& c) { return open(c) << ")"; }

    /// Without its location.
    DraftPrinter& operator<<(LocatedCommand const& c) {
        print_with_choice(*this, c.choice ? &*c.choice : nullptr, [&] { open(c.c); });
        *this << ")";
        if (c.at) *this << " (at \"" << c.at->file << "\" " << std::to_string(c.at->line) << ")";
        return *this;
    }

    /// The movements of an entry and its peek.
    DraftPrinter& operator<<(Entry const& entry) {
        if (entry.m.empty() && !entry.peek) return *this << "bot";
        auto const movement = [&](std::string_view open, Movement const& m) {
            *this << open << m.beta << " " << m.alpha;
            if (!m.n.text.empty()) *this << " " << m.n;
            *this << ") ";
        };
        *this << "(";
        for (Movement const& m : entry.m) movement("(", m);
        if (entry.peek) movement("(peek ", *entry.peek);
        return *this << "bot)";
    }

private:
    /// A value, a variable, or the beginning of an operation.
    DraftPrinter& print_node(Node const& node) {
        std::visit(overloaded{
                       [&](Value const& v) { *this << std::string_view(v.to_string()); },
                       [&](Variable const& x) { *this << x; },
                       [&](Op op) { *this << "(" << to_string(op); },
                   },
                   node);
        return *this;
    }

    std::string out_;
    std::vector<std::uint32_t> first_; // of the expression that is being printed
    std::vector<std::uint32_t> rest_;
};

void print_comment(DraftPrinter& to, std::string_view comment) {
    while (!comment.empty()) {
        std::size_t const end = std::min(comment.find('\n'), comment.size());
        to << "; " << comment.substr(0, end) << "\n";
        comment.remove_prefix(std::min(end + 1, comment.size()));
    }
}

} // namespace

std::string print(Expression const& e) { return (DraftPrinter() << e).take(); }

std::string print(Draft const& draft) {
    Locations locations(draft);
    DraftPrinter to;
    print_comment(to, draft.comment);
    if (!draft.shared.empty()) {
        to << "(shared";
        for (SharedVariable const& s : draft.shared)
            to << (s.is_atomic ? " atomic [" : " [") << s.x << " " << s.v.to_string() << "]";
        to << ")\n";
    }
    if (!draft.communicators.empty()) {
        to << "(communicators";
        for (CommunicatorMembers const& declared : draft.communicators) {
            to << " [" << declared.comm;
            for (std::uint32_t const t : declared.members) to << " " << std::to_string(t);
            to << "]";
        }
        to << ")\n";
    }
    to << "(";
    for (std::size_t t = 0; t < draft.threads.size(); ++t) {
        Thread const& thread = draft.threads[t];
        to << (t == 0 ? " (" : "\n  (");
        for (std::size_t i = 0; i < thread.size(); ++i)
            to << (i == 0 ? " [" : "\n    [") << locations(t, i, thread[i].rho) << " " << thread[i] << "]";
        to << " bot )";
    }
    to << " )\n";
    for (Trace const& trace : draft.traces) {
        to << "\n(";
        for (std::size_t i = 0; i < trace.size(); ++i)
            to << (i == 0 ? " (" : "\n  (") << trace[i].rho << " " << trace[i] << ")";
        to << " )\n";
    }
    return to.take();
}

} // namespace matchpoint::programs::draft
