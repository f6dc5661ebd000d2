#include "rma/search/reduced_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "rma/language/print.hpp"
#include "rma/machine/schedule.hpp"

namespace matchpoint::rma {

namespace {

class ReducedText {
public:
    ReducedText(Graph const& graph, Literal const& literal)
        : graph_(graph), program_(graph.program()), literal_(literal), chains_(graph, literal), all_(all()) {
        // No variable of the program has the name of a counter.
        auto const is_taken = [this](Variable x) { return name(x).starts_with("active" + mark_); };
        while (std::any_of(program_.declared.begin(), program_.declared.end(), is_taken)) mark_ += '_';
    }

    std::string run() const {
        Rewriting rewriting{"reduced", {}, {}, {}, {}};
        for (RemoteIndex const s : all_)
            for (std::string& line : execute(s, name(s), true)) rewriting.before.push_back(std::move(line));
        for (RemoteIndex const s : literal_.R2 ? all_ : std::vector<RemoteIndex>())
            for (std::string& line : execute(s, in_flush(s), false)) rewriting.before.push_back(std::move(line));
        rewriting.declarations = [this](ProcessIndex p) { return declarations(p); };
        rewriting.simple_statement = [this](StatementIndex i) { return lines(i); };
        if (!all_.empty() && !literal_.R5) // errata R5
            rewriting.behind.push_back(fmt::format("(finally {})", drained(all_, names(all_))));
        if (auto const S = chains_.observed(); !S.empty())
            rewriting.behind.push_back(fmt::format("(always (execute-one{}))", names(S)));
        return print(program_, rewriting);
    }

private:
    std::vector<RemoteIndex> all() const {
        std::vector<RemoteIndex> result(graph_.remotes().size());
        std::iota(result.begin(), result.end(), RemoteIndex{0});
        return result;
    }
    std::string name(RemoteIndex s) const { return name_of(graph_, s); }
    std::string_view name(Variable x) const { return program_.symbols(x); }
    std::string active(RemoteIndex s) const { return "active" + mark_ + name(s); }
    std::string in_flush(RemoteIndex s) const { return name(s) + "-in-flush"; }
    std::string set(RemoteIndex s) const {
        return literal_.R4 ? fmt::format("set_{}", name(graph_.remotes()[s].src)) : "set_" + name(s); // errata R4
    }

    std::string names(std::vector<RemoteIndex> const& S) const {
        std::string list;
        for (RemoteIndex const s : S) list += " " + name(s);
        return list;
    }
    std::string names_in_flush(std::vector<RemoteIndex> const& S) const {
        if (!literal_.R2) return names(S);
        std::string list;
        for (RemoteIndex const s : S) list += " " + in_flush(s);
        return list;
    }

    /// Statements that are one step, or each one a step (errata R8).
    std::vector<std::string> steps(std::vector<std::string> statements) const {
        if (literal_.R8 || statements.size() == 1) return statements;
        return {fmt::format("(step {})", fmt::join(statements, " "))};
    }

    /// X joins the sets of the active statements that read it.
    std::vector<std::string> joins(Variable X) const {
        std::vector<std::string> statements;
        for (RemoteIndex const q : graph_.read(X))
            statements.push_back(fmt::format("(if (> {} 0) ((join {} {})))", active(q), set(q), name(X)));
        return statements;
    }

    std::vector<std::string> execute(RemoteIndex s, std::string const& procedure, bool adds) const {
        Remote const& remote = graph_.remotes()[s];
        std::string const a = active(s);
        std::string text = fmt::format("({} (execute {}) (assume (> {} 0)) (draw {} {})",
                                       literal_.R8 ? "define-steps" : "define", procedure, a, name(remote.trg), set(s));
        for (std::string const& join : adds ? joins(remote.trg) : std::vector<std::string>()) text += " " + join;
        text += literal_.R7 ? fmt::format(" (choose {} 0 1))", a) // errata R7
                            : fmt::format(" (if (= {} 1) (({} := 0)) ((choose {} 1 2))))", a, a, a);
        return {fmt::format("; {}", print(program_, remote.statement)), std::move(text)};
    }

    std::vector<std::string> declarations(ProcessIndex p) const {
        std::string counters;
        std::string sets;
        for (RemoteIndex const s : all_) {
            if (graph_.remotes()[s].process != p) continue;
            counters += fmt::format(" ({} 0)", active(s));
            bool const is_first = !literal_.R4 || graph_.read(graph_.remotes()[s].src).front() == s;
            if (is_first) sets += " " + set(s);
        }
        if (counters.empty()) return {};
        if (sets.empty()) return {"(shared" + counters + ")"};
        return {"(shared" + counters + ")", "(sets" + sets + ")"};
    }

    /// Table 2.
    std::vector<std::string> lines(StatementIndex i) const {
        StatementKind const& c = program_.statements[i].c;
        std::string const text = print(program_, i);
        if (auto const* const load = std::get_if<Load>(&c); load != nullptr && !literal_.R3) // errata R3
            return remote_ops(chains_.write(load->X), {text});
        if (auto const* const store = std::get_if<Store>(&c)) {
            std::vector<std::string> statements = joins(store->X);
            statements.insert(statements.begin(), text);
            return remote_ops(chains_.write(store->X), steps(std::move(statements)));
        }
        if (graph_.at(i).remote != no_index && !is_compound(c)) return {issue(graph_.at(i).remote)};
        if (auto const* const flush = std::get_if<Flush>(&c)) return {flushed(program_.process_of(i), flush->pid)};
        return {};
    }

    /// Before the first one.
    std::vector<std::string> remote_ops(std::vector<RemoteIndex> const& S, std::vector<std::string> then) const {
        if (!S.empty()) then.front() = fmt::format("(remote-ops{} {})", names(S), then.front());
        return then;
    }

    std::string issue(RemoteIndex s) const {
        std::string_view const src = name(graph_.remotes()[s].src);
        std::string const statement =
            fmt::format("(if (= {} 0) (({} := 1) (reset {} {})) (({} := {}) (join {} {})))", active(s), active(s),
                        set(s), src, active(s), literal_.R7 ? 1 : 2, set(s), src);
        return literal_.R8 ? statement : fmt::format("(step {})", statement); // errata R8
    }

    std::string flushed(ProcessIndex p, ProcessIndex pid) const {
        auto const remote = chains_.remote(p, pid);
        return remote.empty() ? "skip" : drained(remote, names_in_flush(chains_.of(remote)));
    }

    /// Executes until none of S is active.
    std::string drained(std::vector<RemoteIndex> const& S, std::string const& executed) const {
        auto const all_are = [&](std::string_view comparison, std::string_view junction) {
            std::vector<std::string> each;
            each.reserve(S.size());
            for (RemoteIndex const s : S) each.push_back(fmt::format("({} {} 0)", comparison, active(s)));
            return each.size() == 1 ? each.front() : fmt::format("({} {})", junction, fmt::join(each, " "));
        };
        if (literal_.R8) return fmt::format("(while {} (execute-one{}))", all_are(">", "or"), executed); // errata R8
        return fmt::format("(execute-until {}{})", all_are("=", "and"), executed);
    }

    Graph const& graph_;
    Program const& program_;
    Literal literal_;
    Chains chains_;
    std::vector<RemoteIndex> all_;
    std::string mark_ = "_";
};

} // namespace

std::string print_reduced(Graph const& graph, Literal const& literal) { return ReducedText(graph, literal).run(); }

} // namespace matchpoint::rma
