#include "proofs/boolean_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/search/reduced.hpp"

namespace matchpoint::proofs {

namespace {

using rma::Model;
using rma::no_index;
using rma::ProcessIndex;
using rma::RemoteIndex;
using rma::StatementIndex;
using rma::UnitIndex;

class BooleanPrinter {
public:
    BooleanPrinter(Cubes& cubes, Model model, ReadingOfSets sets)
        : cubes_(cubes), formulas_(cubes.formulas()), graph_(formulas_.graph()), program_(graph_.program()),
          model_(model), transformers_(cubes, model, sets), chains_(graph_, {}), units_(rma::units_of(graph_)) {
        if (model == Model::rma)
            for (UnitIndex u = 0; u < units_.size(); ++u) all_.push_back(u);
    }

    BooleanText run() {
        declare();
        for (UnitIndex const u : all_) execute(u);
        for (ProcessIndex p = 0; p < program_.processes.size(); ++p) process(p);
        if (!all_.empty()) line("finally {}", drained(all_, all_));
        if (auto const S = chains_.observed(); model_ == Model::rma && !S.empty())
            line("always execute-one{}", names(S));
        for (rma::Property const& property : program_.properties) print(property);
        return {cubes_.V().size(), transformers_.set_predicates().size(), all_.size(), lines_, std::move(out_)};
    }

private:
    // ---- lines

    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        put(fmt::format(format, std::forward<Args>(args)...));
    }
    void put(std::string const& text) {
        spend(text.size());
        out_ += text + '\n';
        ++lines_;
    }
    void comment(std::string const& text) { out_ += fmt::format("{:{}}; {}\n", "", margin, text); }
    /// The lines of a step, the first one with its label.
    void step(std::vector<std::string> const& lines, StatementIndex label = no_index) {
        std::string begin = label == no_index ? "" : fmt::format("{}:", label);
        for (std::string const& text : lines) {
            put(fmt::format("{:>{}} {}", begin, margin - 1, text));
            begin.clear();
        }
    }

    // ---- predicates

    std::string name(UnitIndex u) const {
        return rma::name_of(graph_, units_[u].s) + (units_[u].is_fetched ? "-fetched" : "");
    }
    bool is_atomic(UnitIndex u) const { return !units_[u].is_fetched && graph_.remotes()[units_[u].s].is_atomic(); }
    std::string names(std::vector<UnitIndex> const& S) const {
        std::string list;
        for (UnitIndex const u : S) list += " " + name(u);
        return list;
    }
    std::string active(UnitIndex u) const { return fmt::format("active({})", name(u)); }
    /// p, or with u, p[set(u)] if there is one.
    std::string bit(std::uint32_t p, UnitIndex u = no_index) const {
        if (auto const n = static_cast<std::uint32_t>(cubes_.V().size()); p >= n) {
            SetPredicate const& q = transformers_.set_predicates()[p - n];
            return bit(q.p, q.u);
        }
        bool const of_set = transformers_.set_predicate(u, p) != no_index;
        return of_set ? fmt::format("p{}[set({})]", p + 1, name(u)) : fmt::format("p{}", p + 1);
    }
    std::string text(Cover const& cover, UnitIndex u = no_index) const {
        if (cover.empty()) return "false";
        if (cover.front().empty()) return "true";
        std::string result;
        for (Cube const& cube : cover) {
            result += result.empty() ? "" : " or ";
            for (Literal const& l : cube)
                result += fmt::format("{}{}{}", &l == &cube.front() ? "" : " and ", l.negated ? "not " : "",
                                      bit(l.predicate, u));
        }
        return result;
    }
    /// choose(t, f)
    std::string chosen(Cover const& t, Cover const& f, UnitIndex u = no_index) const {
        if (!t.empty() && t.front().empty()) return "true";
        if (t.empty() && !f.empty() && f.front().empty()) return "false";
        if (t.empty() && f.empty()) return "*";
        bool const is_literal = t.size() == 1 && t.front().size() == 1 && f.size() == 1 && f.front().size() == 1;
        if (is_literal) {
            Literal const& l = t.front().front();
            if (f.front().front() == Literal{l.predicate, !l.negated}) return text(t, u);
        }
        return fmt::format("choose({}, {})", text(t, u), text(f, u));
    }
    /// That both hold.
    std::string also(std::string const& literal, Cover const& cover) const {
        if (cover.empty()) return "false";
        return cover.front().empty() ? literal : fmt::format("{} and ({})", literal, text(cover));
    }
    std::string chosen(Update const& u) const { return u.t == nullptr ? "*" : chosen(*u.t, *u.f, u.from); }
    std::string chosen(Formula e) { return chosen(cubes_.F(e), cubes_.F(formulas_.negated(e))); }
    std::string joined(std::uint32_t p, UnitIndex u) const {
        return fmt::format("{0} := choose({0} and {1}, not {0} and not {1})", bit(p, u), bit(p));
    }

    /// The predicates that have one for set(u).
    std::vector<std::uint32_t> of_set(UnitIndex u) const {
        std::vector<std::uint32_t> result;
        for (SetPredicate const& q : transformers_.set_predicates())
            if (q.u == u) result.push_back(q.p);
        return result;
    }

    void declare() {
        for (std::uint32_t p = 0; p < cubes_.V().size(); ++p) {
            Bit const b = transformers_.initial(p);
            line("{} = {}  ; {}", bit(p),
                 b == Bit::unknown ? "*"
                 : b == Bit::yes   ? "true"
                                   : "false",
                 formulas_.text(cubes_.V()[p]));
        }
        for (SetPredicate const& q : transformers_.set_predicates()) line("{} = *", bit(q.p, q.u));
        for (UnitIndex const u : all_) line("{} = 0", active(u));
    }

    // ---- steps

    std::vector<std::string> applied(Transformer const& t) const {
        std::vector<std::string> lines;
        auto const& of = transformers_.set_predicates();
        for (Update const& u : t.V) lines.push_back(fmt::format("{} := {}", bit(u.p), chosen(u)));
        for (Update const& u : t.sets) {
            SetPredicate const& q = of[u.p];
            lines.push_back(fmt::format("if {} > 0: {} := {}", active(q.u), bit(q.p, q.u), chosen(u)));
        }
        for (Update const& u : t.fetched) {
            SetPredicate const& q = of[u.p];
            lines.push_back(fmt::format("if {} = 0: {} := {}", active(q.u), bit(q.p, q.u), chosen(u)));
            // If Y is beside the set, older elements are unknown already.
            auto const is_of = [&](Update const& forgotten) { return forgotten.p == u.p; };
            if (std::none_of(t.sets.begin(), t.sets.end(), is_of))
                lines.push_back(fmt::format("else: {} := choose({}, {})", bit(q.p, q.u), also(bit(q.p, q.u), *u.t),
                                            also("not " + bit(q.p, q.u), *u.f)));
        }
        for (std::uint32_t const i : t.joins)
            lines.push_back(fmt::format("if {} > 0: {}", active(of[i].u), joined(of[i].p, of[i].u)));
        return lines;
    }

    void execute(UnitIndex u) {
        line("execute {}", name(u));
        comment(rma::print(program_, graph_.remotes()[units_[u].s].statement));
        std::vector<std::string> lines = applied(is_atomic(u) ? transformers_.modified(u) : transformers_.drawn(u));
        lines.insert(lines.begin(), fmt::format("assume {} > 0", active(u)));
        for (UnitIndex const f : all_)
            if (is_atomic(u) && f != u && units_[f].s == u) lines.push_back(counted(f));
        lines.push_back(fmt::format("if {} = 1", active(u)));
        lines.push_back(fmt::format("  {} := 0", active(u)));
        for (std::uint32_t const p : of_set(u)) lines.push_back(fmt::format("  {} := *", bit(p, u)));
        lines.emplace_back("else");
        lines.push_back(fmt::format("  {} := 1 or 2", active(u)));
        step(lines);
    }

    /// One more is pending.
    std::string counted(UnitIndex u) const { return fmt::format("if {0} = 0: {0} := 1 else: {0} := 2", active(u)); }
    std::vector<std::string> issued(RemoteIndex s) const {
        if (is_atomic(s)) return {counted(s)};
        std::vector<std::string> lines{fmt::format("if {} = 0", active(s)), fmt::format("  {} := 1", active(s))};
        for (std::uint32_t const p : of_set(s)) lines.push_back(fmt::format("  {} := {}", bit(p, s), bit(p)));
        lines.emplace_back("else");
        lines.push_back(fmt::format("  {} := 2", active(s)));
        for (std::uint32_t const p : of_set(s)) lines.push_back("  " + joined(p, s));
        return lines;
    }

    std::string drained(std::vector<UnitIndex> const& S, std::vector<UnitIndex> const& executed) const {
        std::vector<std::string> each;
        each.reserve(S.size());
        for (UnitIndex const u : S) each.push_back(active(u) + " = 0");
        return fmt::format("execute-until {}:{}", fmt::join(each, " and "), names(executed));
    }

    void process(ProcessIndex p) {
        rma::Process const& process = program_.processes[p];
        line("process {}", program_.pid(p));
        StatementIndex end_of_atomic = no_index;
        for (StatementIndex i = process.first; i < process.last; ++i) {
            if (i == end_of_atomic) step({"end atomic"});
            rma::Statement const& s = program_.statements[i];
            if (std::holds_alternative<rma::Atomic>(s.c) && s.end > i + 1) {
                end_of_atomic = s.end;
                step({"begin atomic"}, i);
            } else {
                statement(p, i);
            }
        }
        if (process.last == end_of_atomic) step({"end atomic"});
    }

    void statement(ProcessIndex p, StatementIndex i) {
        comment(rma::print(program_, i));
        std::vector<std::string> lines = this->lines(p, i);
        rma::Successors const& at = graph_.at(i);
        if (at.otherwise == no_index && at.next != i + 1) lines.push_back(going_to(p, at.next));
        if (lines.empty()) lines.emplace_back("skip");
        step(lines, i);
    }
    std::string going_to(ProcessIndex p, StatementIndex i) const {
        return i == graph_.end(p) ? "goto end" : fmt::format("goto {}", i);
    }

    std::vector<std::string> lines(ProcessIndex p, StatementIndex i) {
        using Lines = std::vector<std::string>;
        auto const assigned = [&](Variable x, Formula e) {
            return applied(transformers_.assigned(Formulas::symbol(x), e));
        };
        auto const transfer = [&](Variable x, Variable from) {
            return model_ == Model::rma ? issued(graph_.at(i).remote) : assigned(x, formulas_.variable(from));
        };
        auto const atomic = [&] {
            RemoteIndex const s = graph_.at(i).remote;
            return model_ == Model::rma ? issued(s) : applied(transformers_.exchanged(s));
        };
        auto const after_operations = [&](Variable X, Lines lines) {
            auto const& S = chains_.write(X);
            if (model_ == Model::rma && !S.empty()) lines.insert(lines.begin(), "remote-ops" + names(S));
            return lines;
        };
        return std::visit(
            overloaded{
                [&](rma::Load const& c) { return after_operations(c.X, assigned(c.u, formulas_.variable(c.X))); },
                [&](rma::Store const& c) { return after_operations(c.X, assigned(c.X, formulas_.with_places(c.e))); },
                [&](rma::Put const& c) { return transfer(c.Y, c.X); },
                [&](rma::Get const& c) { return transfer(c.X, c.Y); },
                [&](rma::Flush const& c) {
                    auto const S = chains_.remote(p, c.pid);
                    bool const waits = model_ == Model::rma && !S.empty();
                    return waits ? Lines{drained(S, chains_.of(S))} : Lines();
                },
                [&](rma::Assign const& c) { return assigned(c.u, formulas_.with_places(c.e)); },
                [&](rma::Choose const& c) { return alternatives(c); },
                [&](rma::Assume const& c) {
                    Formula const e = formulas_.with_places(c.e);
                    return taken("assume " + chosen(e), e, {});
                },
                [&](rma::Assert const& c) { return Lines{"assert " + text(cubes_.F(formulas_.with_places(c.e)))}; },
                [&](rma::If const& c) { return branches(p, i, c.e); },
                [&](rma::While const& c) { return branches(p, i, c.e); },
                [](rma::Skip const&) { return Lines(); },
                [](rma::Goto const&) { return Lines(); },
                [](rma::Atomic const&) { return Lines(); },
                [&](rma::FetchAndOp const&) { return atomic(); },
                [&](rma::CompareAndSwap const&) { return atomic(); },
                [&](rma::Accumulate const&) { return atomic(); },
            },
            program_.statements[i].c);
    }

    std::vector<std::string> alternatives(rma::Choose const& c) {
        std::vector<std::string> lines;
        for (std::uint32_t k = c.first; k < c.last; ++k) {
            lines.emplace_back(k == c.first ? "either" : "or");
            Formula const v = formulas_.value(program_.choices[k]);
            for (std::string const& text : applied(transformers_.assigned(Formulas::symbol(c.u), v)))
                lines.push_back("  " + text);
        }
        return lines;
    }

    std::vector<std::string> branches(ProcessIndex p, StatementIndex i, Expression condition) {
        Formula const e = formulas_.with_places(condition);
        rma::Successors const& at = graph_.at(i);
        auto lines = taken("if " + chosen(e), e, "  ");
        lines.push_back("  " + going_to(p, at.next));
        auto const others = taken("else", formulas_.negated(e), "  ");
        lines.insert(lines.end(), others.begin(), others.end());
        lines.push_back("  " + going_to(p, at.otherwise));
        return lines;
    }

    /// Where e holds: what that says about predicates that are unknown.
    std::vector<std::string> taken(std::string head, Formula e, std::string const& indent) {
        std::vector<std::string> lines{std::move(head)};
        for (Update const& u : transformers_.strengthened(e)) {
            std::string const value = chosen(without(*u.t, u.p), without(*u.f, u.p));
            if (value != "*") lines.push_back(fmt::format("{}if {} = *: {} := {}", indent, bit(u.p), bit(u.p), value));
        }
        return lines;
    }
    /// The cubes that can be true while p is unknown.
    static Cover without(Cover const& cover, std::uint32_t p) {
        Cover result;
        for (Cube const& cube : cover)
            if (std::none_of(cube.begin(), cube.end(), [&](Literal const& l) { return l.predicate == p; }))
                result.push_back(cube);
        return result;
    }

    // ---- properties

    /// A line for each way in which `(at pid rho)` can be true.
    void print(rma::Property const& property) {
        constexpr std::size_t most_places = 6;
        std::string const kind = property.is_final ? "assert final" : "invariant";
        std::vector<Symbol> places;
        for (Symbol const x : formulas_.symbols(formulas_.with_places(property.e)))
            if (program_.variables[x.index].kind == rma::VariableInfo::Kind::place) places.push_back(x);
        if (places.size() > most_places) return line("{} F({})", kind, rma::print(program_, property.e));
        for (std::uint32_t there = 0; there < (1U << places.size()); ++there) {
            Formula const e = formulas_.of(property.e, [&](Variable x) {
                auto const at = std::find(places.begin(), places.end(), Formulas::symbol(x));
                return at != places.end() && ((there >> static_cast<std::uint32_t>(at - places.begin())) & 1U) != 0;
            });
            std::string const value = text(cubes_.F(e));
            if (value == "true" && !places.empty()) continue;
            std::string when;
            for (std::size_t k = 0; k < places.size(); ++k)
                when += fmt::format("{}{}{}", when.empty() ? "if " : " and ", ((there >> k) & 1U) != 0 ? "" : "not ",
                                    formulas_.name(places[k]));
            line("{}{}{} {}", when, when.empty() ? "" : ": ", kind, value);
        }
    }

    static constexpr std::size_t margin = 5; // of the lines of processes

    Cubes& cubes_;
    Formulas& formulas_;
    rma::Graph const& graph_;
    rma::Program const& program_;
    Model model_;
    Transformers transformers_;
    rma::Chains chains_;
    std::vector<rma::Unit> units_;
    std::vector<UnitIndex> all_; // none under sequential consistency
    std::string out_;
    std::size_t lines_ = 0;
};

} // namespace

BooleanText boolean_program(Cubes& cubes, Model model, ReadingOfSets sets) {
    return BooleanPrinter(cubes, model, sets).run();
}

} // namespace matchpoint::proofs
