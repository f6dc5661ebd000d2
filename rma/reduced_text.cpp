#include "rma/reduced_text.hpp"

#include <fmt/format.h>

#include "rma/print.hpp"
#include "rma/schedule.hpp"

namespace matchpoint::rma {

namespace {

class ReducedText {
public:
    ReducedText(Graph const& graph, Literal const& literal)
        : graph_(graph), program_(graph.program()), literal_(literal), chains_(graph, literal) {}

    std::string run() const {
        Rewriting rewriting{"reduced", {}, {}, {}};
        for (RemoteIndex s = 0; s < graph_.remotes().size(); ++s)
            for (std::string& line : execute(s, "execute", true)) rewriting.before.push_back(std::move(line));
        for (RemoteIndex s = 0; literal_.R2 && s < graph_.remotes().size(); ++s)
            for (std::string& line : execute(s, "execute-in-flush", false)) rewriting.before.push_back(std::move(line));
        rewriting.declarations = [this](ProcessIndex p) { return declarations(p); };
        rewriting.simple_statement = [this](StatementIndex i) { return lines(i); };
        return print(program_, rewriting);
    }

private:
    std::string name(RemoteIndex s) const { return name_of(graph_, s); }
    std::string_view name(Variable x) const { return program_.symbols(x); }
    std::string active(RemoteIndex s) const { return "active_" + name(s); }
    std::string set(RemoteIndex s) const {
        return literal_.R4 ? fmt::format("set_{}", name(graph_.remotes()[s].src)) : "set_" + name(s); // errata R4
    }

    std::string names(std::vector<RemoteIndex> const& S) const {
        std::string list;
        for (RemoteIndex const s : S) list += " " + name(s);
        return list;
    }

    /// X joins the sets of the active statements that read it.
    std::string joins(Variable X) const {
        std::string text;
        for (RemoteIndex const q : graph_.read(X))
            text += fmt::format(" (if (> {} 0) ((join {} {})))", active(q), set(q), name(X));
        return text;
    }

    std::vector<std::string> execute(RemoteIndex s, std::string_view procedure, bool adds) const {
        Remote const& remote = graph_.remotes()[s];
        std::string const a = active(s);
        std::string const done = literal_.R7 ? fmt::format("(choose {} 0 1)", a) // errata R7
                                             : fmt::format("(if (= {} 1) (({} := 0)) ((choose {} 1 2)))", a, a, a);
        return {fmt::format("; {}", print(program_, remote.statement)),
                fmt::format("(define ({} {}) (assume (> {} 0)) (draw {} {}){} {})", procedure, name(s), a,
                            name(remote.trg), set(s), adds ? joins(remote.trg) : "", done)};
    }

    std::vector<std::string> declarations(ProcessIndex p) const {
        std::string counters;
        std::string sets;
        for (RemoteIndex s = 0; s < graph_.remotes().size(); ++s) {
            if (graph_.remotes()[s].process != p) continue;
            counters += fmt::format(" ({} 0)", active(s));
            bool const is_first = !literal_.R4 || graph_.read(graph_.remotes()[s].src).front() == s;
            if (is_first) sets += " " + set(s);
        }
        if (counters.empty()) return {};
        return {"(shared" + counters + ")", "(sets" + sets + ")"};
    }

    /// Table 2.
    std::vector<std::string> lines(StatementIndex i) const {
        StatementKind const& c = program_.statements[i].c;
        std::string const text = print(program_, i);
        if (auto const* const load = std::get_if<Load>(&c); load != nullptr && !literal_.R3) // errata R3
            return remote_ops(chains_.write(load->X), text);
        if (auto const* const store = std::get_if<Store>(&c))
            return remote_ops(chains_.write(store->X), fmt::format("(step {}{})", text, joins(store->X)));
        if (graph_.at(i).remote != no_index && !is_compound(c)) return {issue(graph_.at(i).remote)};
        if (auto const* const flush = std::get_if<Flush>(&c)) return {flushed(program_.process_of(i), flush->pid)};
        return {};
    }

    std::vector<std::string> remote_ops(std::vector<RemoteIndex> const& S, std::string const& then) const {
        return {S.empty() ? then : fmt::format("(remote-ops{} {})", names(S), then)};
    }

    std::string issue(RemoteIndex s) const {
        std::string_view const src = name(graph_.remotes()[s].src);
        return fmt::format("(step (if (= {} 0) (({} := 1) (reset {} {})) (({} := {}) (join {} {}))))", active(s),
                           active(s), set(s), src, active(s), literal_.R7 ? 1 : 2, set(s), src);
    }

    std::string flushed(ProcessIndex p, ProcessIndex pid) const {
        auto const remote = chains_.remote(p, pid);
        if (remote.empty()) return "skip";
        std::string condition;
        for (RemoteIndex const s : remote) condition += fmt::format(" (> {} 0)", active(s));
        condition = remote.size() == 1 ? condition.substr(1) : fmt::format("(or{})", condition);
        return fmt::format("(while {} ({}{}))", condition, literal_.R2 ? "execute-one-in-flush" : "execute-one",
                           names(chains_.of(remote)));
    }

    Graph const& graph_;
    Program const& program_;
    Literal literal_;
    Chains chains_;
};

} // namespace

std::string print_reduced(Graph const& graph, Literal const& literal) { return ReducedText(graph, literal).run(); }

} // namespace matchpoint::rma
