#include "programs/draft.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "grammar/print.hpp"

namespace matchpoint::programs::draft {

using Kind = Command::Kind;

Command assume(std::string e) { return {.kind = Kind::assume, .e = std::move(e)}; }
Command assert_(std::string e) { return {.kind = Kind::assert_, .e = std::move(e)}; }
Command assign(std::string x, std::string e) { return {.kind = Kind::assign, .x = std::move(x), .e = std::move(e)}; }
Command sndi(std::string a, std::uint32_t alpha, std::uint32_t beta, std::string e) {
    return {.kind = Kind::sndi,
            .a = std::move(a),
            .alpha = std::to_string(alpha),
            .beta = std::to_string(beta),
            .e = std::move(e)};
}
Command rcvi(std::string a, std::uint32_t beta, std::string x) {
    return {.kind = Kind::rcvi, .a = std::move(a), .beta = std::to_string(beta), .x = std::move(x)};
}
Command wait(std::string a) { return {.kind = Kind::wait, .a = std::move(a)}; }

std::size_t Draft::commands() const {
    std::size_t n = 0;
    for (Thread const& t : threads) n += t.size();
    return n;
}

void name_locations(Draft& draft) {
    std::set<std::string> taken;
    bool missing = false;
    for (Thread const& t : draft.threads)
        for (Command const& c : t) missing |= c.rho.empty();
    if (!missing) return;
    for (Thread const& t : draft.threads)
        for (Command const& c : t)
            if (!c.rho.empty()) taken.insert(c.rho);
    // Those that are made up here are different from each other, so where no other ones are nobody has to look.
    bool const look = !taken.empty();
    bool const digits = draft.threads.size() <= 10 && std::all_of(draft.threads.begin(), draft.threads.end(),
                                                                  [](Thread const& t) { return t.size() <= 10; });
    for (std::size_t t = 0; t < draft.threads.size(); ++t)
        for (std::size_t i = 0; i < draft.threads[t].size(); ++i) {
            std::string& rho = draft.threads[t][i].rho;
            if (!rho.empty()) continue;
            rho = digits ? fmt::format("{}{}", t, i) : fmt::format("t{}.c{}", t, i);
            while (look && !taken.insert(rho).second) rho += '\'';
        }
}

namespace {

void print(std::string& out, Command const& c) {
    auto const to = std::back_inserter(out);
    fmt::format_to(to, "[{} ", c.rho);
    switch (c.kind) {
    case Kind::assume: fmt::format_to(to, "(assume {})", c.e); break;
    case Kind::assert_: fmt::format_to(to, "(assert {})", c.e); break;
    case Kind::assign: fmt::format_to(to, "({} := {})", c.x, c.e); break;
    case Kind::sndi: fmt::format_to(to, "(sndi {} {} {} {})", c.a, c.alpha, c.beta, c.e); break;
    case Kind::rcvi: fmt::format_to(to, "(rcvi {} {} {})", c.a, c.beta, c.x); break;
    case Kind::wait: fmt::format_to(to, "(wait {})", c.a); break;
    }
    out += ']';
}

} // namespace

std::string print(Draft draft) {
    name_locations(draft);
    std::string out;
    for (std::string_view rest = draft.comment; !rest.empty();) {
        std::size_t const end = std::min(rest.find('\n'), rest.size());
        out.append("; ").append(rest.substr(0, end)).append("\n");
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    out += "(";
    for (Thread const& t : draft.threads) {
        out += out.back() == '(' ? " (" : "\n  (";
        for (std::size_t i = 0; i < t.size(); ++i) {
            out += i == 0 ? " " : "\n    ";
            print(out, t[i]);
        }
        out += " bot )";
    }
    out += " )\n";
    for (Trace const& trace : draft.traces) {
        out += "\n(";
        for (Entry const& entry : trace) {
            fmt::format_to(std::back_inserter(out), "{}({} ", &entry == trace.data() ? " " : "\n  ", entry.rho);
            if (entry.m.empty()) {
                out += "bot)";
                continue;
            }
            out += "(";
            for (auto const& [beta, alpha] : entry.m) fmt::format_to(std::back_inserter(out), "({} {}) ", beta, alpha);
            out += "bot))";
        }
        out += " )\n";
    }
    return out;
}

namespace {

std::string name(Program const& program, auto id) { return std::string(program.symbols(id)); }

void fill(Command& c, Assume const& k, Program const& p) { c.kind = Kind::assume, c.e = grammar::print(p, k.e); }
void fill(Command& c, Assert const& k, Program const& p) { c.kind = Kind::assert_, c.e = grammar::print(p, k.e); }
void fill(Command& c, Assign const& k, Program const& p) {
    c.kind = Kind::assign, c.x = name(p, k.x), c.e = grammar::print(p, k.e);
}
void fill(Command& c, Sndi const& k, Program const& p) {
    c.kind = Kind::sndi, c.a = name(p, k.a), c.alpha = name(p, k.alpha), c.beta = name(p, k.beta);
    c.e = grammar::print(p, k.e);
}
void fill(Command& c, Rcvi const& k, Program const& p) {
    c.kind = Kind::rcvi, c.a = name(p, k.a), c.beta = name(p, k.beta), c.x = name(p, k.x);
}
void fill(Command& c, Wait const& k, Program const& p) { c.kind = Kind::wait, c.a = name(p, k.a); }

} // namespace

Draft draft_of(Program const& program) {
    Draft draft;
    for (grammar::Thread const& t : program.ctp.threads) {
        Thread& thread = draft.threads.emplace_back();
        for (std::uint32_t i = t.first; i < t.last; ++i) {
            Command& c = thread.emplace_back();
            c.rho = name(program, Location{i});
            std::visit([&](auto const& k) { fill(c, k, program); }, program.ctp.commands[i].c);
        }
    }
    for (grammar::Trace const& trace : program.traces) {
        Trace& entries = draft.traces.emplace_back();
        for (std::size_t i = 0; i < trace.entries.size(); ++i) {
            Entry& entry = entries.emplace_back();
            entry.rho = name(program, trace.entries[i].rho);
            for (Movement const& m : trace.m(i)) entry.m.emplace_back(name(program, m.beta), name(program, m.alpha));
        }
    }
    return draft;
}

} // namespace matchpoint::programs::draft
