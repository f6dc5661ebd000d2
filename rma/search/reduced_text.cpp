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
        : graph_(graph), program_(graph.program()), literal_(literal), chains_(graph, literal), units_(units_of(graph)),
          all_(units_.size()) {
        std::iota(all_.begin(), all_.end(), UnitIndex{0});
        // No variable of the program has the name of a counter.
        auto const is_taken = [this](Variable x) { return name(x).starts_with("active" + mark_); };
        while (std::any_of(program_.declared.begin(), program_.declared.end(), is_taken)) mark_ += '_';
    }

    std::string run() const {
        Rewriting rewriting{"reduced", {}, {}, {}, {}};
        for (UnitIndex const u : all_)
            for (std::string& line : execute(u, name(u), true)) rewriting.before.push_back(std::move(line));
        for (UnitIndex const u : literal_.R2 ? all_ : std::vector<UnitIndex>())
            for (std::string& line : execute(u, in_flush(u), false)) rewriting.before.push_back(std::move(line));
        rewriting.declarations = [this](ProcessIndex p) { return declarations(p); };
        rewriting.simple_statement = [this](StatementIndex i) { return lines(i); };
        if (!all_.empty() && !literal_.R5) // errata R5
            rewriting.behind.push_back(fmt::format("(finally {})", drained(all_, names(all_))));
        if (auto const S = chains_.observed(); !S.empty())
            rewriting.behind.push_back(fmt::format("(always (execute-one{}))", names(S)));
        return print(program_, rewriting);
    }

private:
    std::string name(UnitIndex u) const {
        return name_of(graph_, units_[u].s) + (units_[u].is_fetched ? "-fetched" : "");
    }
    bool is_atomic(UnitIndex u) const { return !units_[u].is_fetched && graph_.remotes()[units_[u].s].is_atomic(); }
    std::string_view name(Variable x) const { return program_.symbols(x); }
    std::string active(UnitIndex u) const { return "active" + mark_ + name(u); }
    std::string in_flush(UnitIndex u) const { return name(u) + "-in-flush"; }
    std::string set(UnitIndex u) const {
        return literal_.R4 ? fmt::format("set_{}", name(graph_.remotes()[u].src)) : "set_" + name(u); // errata R4
    }

    std::string names(std::vector<UnitIndex> const& S) const {
        std::string list;
        for (UnitIndex const u : S) list += " " + name(u);
        return list;
    }
    std::string names_in_flush(std::vector<UnitIndex> const& S) const {
        if (!literal_.R2) return names(S);
        std::string list;
        for (UnitIndex const u : S) list += " " + in_flush(u);
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
            if (!is_atomic(q))
                statements.push_back(fmt::format("(if (> {} 0) ((join {} {})))", active(q), set(q), name(X)));
        return statements;
    }

    std::vector<std::string> execute(UnitIndex u, std::string const& procedure, bool adds) const {
        Remote const& remote = graph_.remotes()[units_[u].s];
        std::string const a = active(u);
        std::string text =
            fmt::format("({} (execute {}) (assume (> {} 0))", literal_.R8 ? "define-steps" : "define", procedure, a);
        text += is_atomic(u) ? modified(u) : fmt::format(" (draw {} {})", name(remote.trg), set(u));
        Variable const changed = is_atomic(u) ? remote.src : remote.trg;
        for (std::string const& join : adds ? joins(changed) : std::vector<std::string>()) text += " " + join;
        text += literal_.R7 ? fmt::format(" (choose {} 0 1))", a) // errata R7
                            : fmt::format(" (if (= {} 1) (({} := 0)) ((choose {} 1 2))))", a, a, a);
        return {fmt::format("; {}", print(program_, remote.statement)), std::move(text)};
    }

    /// The old value of Y is to be written to X, and Y := Y op Z.
    std::string modified(RemoteIndex s) const {
        StatementKind const& c = program_.statements[graph_.remotes()[s].statement].c;
        std::string_view const Y = name(graph_.remotes()[s].src);
        std::string text;
        for (UnitIndex const u : all_)
            if (units_[u].s == s && units_[u].is_fetched) text += " " + issued(u, Y);
        std::string e;
        if (auto const* const fetch = std::get_if<FetchAndOp>(&c)) e = combined(fetch->op, Y, name(fetch->Z));
        if (auto const* const sum = std::get_if<Accumulate>(&c)) e = combined(sum->op, Y, name(sum->Z));
        if (auto const* const swap = std::get_if<CompareAndSwap>(&c))
            e = fmt::format("(ite (= {} {}) {} {})", Y, name(swap->C), name(swap->Z), Y);
        return fmt::format("{} (store {} {})", text, Y, e);
    }

    static std::string combined(RemoteOp op, std::string_view Y, std::string_view Z) {
        switch (op) {
        case RemoteOp::sum:
        case RemoteOp::product:
        case RemoteOp::and_:
        case RemoteOp::or_:
        case RemoteOp::xor_: return fmt::format("({} {} {})", to_string(op), Y, Z);
        case RemoteOp::min: return fmt::format("(ite (< {} {}) {} {})", Z, Y, Z, Y);
        case RemoteOp::max: return fmt::format("(ite (< {} {}) {} {})", Y, Z, Z, Y);
        case RemoteOp::replace: return std::string(Z);
        case RemoteOp::no_op: break;
        }
        return std::string(Y);
    }

    std::vector<std::string> declarations(ProcessIndex p) const {
        std::string counters;
        std::string sets;
        for (UnitIndex const u : all_) {
            RemoteIndex const s = units_[u].s;
            if (graph_.remotes()[s].process != p) continue;
            counters += fmt::format(" ({} 0)", active(u));
            bool const is_first = !literal_.R4 || graph_.read(graph_.remotes()[s].src).front() == s;
            if (is_first && !is_atomic(u)) sets += " " + set(u);
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
    std::vector<std::string> remote_ops(std::vector<UnitIndex> const& S, std::vector<std::string> then) const {
        if (!S.empty()) then.front() = fmt::format("(remote-ops{} {})", names(S), then.front());
        return then;
    }

    std::string issue(RemoteIndex s) const {
        std::string const a = active(s);
        std::string const statement = is_atomic(s) ? fmt::format("(if (= {} 0) (({} := 1)) (({} := 2)))", a, a, a)
                                                   : issued(s, name(graph_.remotes()[s].src));
        return literal_.R8 ? statement : fmt::format("(step {})", statement); // errata R8
    }
    std::string issued(UnitIndex u, std::string_view X) const {
        return fmt::format("(if (= {} 0) (({} := 1) (reset {} {})) (({} := {}) (join {} {})))", active(u), active(u),
                           set(u), X, active(u), literal_.R7 ? 1 : 2, set(u), X);
    }

    std::string flushed(ProcessIndex p, ProcessIndex pid) const {
        auto const remote = chains_.remote(p, pid);
        return remote.empty() ? "skip" : drained(remote, names_in_flush(chains_.of(remote)));
    }

    /// Executes until none of S is active.
    std::string drained(std::vector<UnitIndex> const& S, std::string const& executed) const {
        auto const all_are = [&](std::string_view comparison, std::string_view junction) {
            std::vector<std::string> each;
            each.reserve(S.size());
            for (UnitIndex const s : S) each.push_back(fmt::format("({} {} 0)", comparison, active(s)));
            return each.size() == 1 ? each.front() : fmt::format("({} {})", junction, fmt::join(each, " "));
        };
        if (literal_.R8) return fmt::format("(while {} (execute-one{}))", all_are(">", "or"), executed); // errata R8
        return fmt::format("(execute-until {}{})", all_are("=", "and"), executed);
    }

    Graph const& graph_;
    Program const& program_;
    Literal literal_;
    Chains chains_;
    std::vector<Unit> units_;
    std::vector<UnitIndex> all_;
    std::string mark_ = "_";
};

} // namespace

std::string print_reduced(Graph const& graph, Literal const& literal) { return ReducedText(graph, literal).run(); }

} // namespace matchpoint::rma
