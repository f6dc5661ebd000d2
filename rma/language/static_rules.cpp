#include "rma/language/static_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/nearest_name.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::rma {

namespace {

enum class Sort : std::uint8_t { integer, boolean, unknown };

std::string_view to_string(Sort sort) { return sort == Sort::boolean ? "Bool" : "Int"; }

/// Whether one sort fits where the other is required. An unknown one has already been reported.
bool agree(Sort a, Sort b) { return a == b || a == Sort::unknown || b == Sort::unknown; }

class Resolver {
public:
    Resolver(Program& program, ParsedTokens const& tokens)
        : p_(program), t_(tokens), process_of_pid_(program.symbols.pids.size(), no_index),
          location_(program.symbols.locations.size()) {}

    Diagnostics run() {
        p_.variables.resize(p_.symbols.variables.size());
        arities();
        processes();
        variables();
        for (ProcessIndex p = 0; p < p_.processes.size(); ++p) process(p);
        places();
        for (Property const& property : p_.properties) condition(property.e, std::nullopt, "a property");
        std::stable_sort(faults_.begin(), faults_.end(),
                         [](Diagnostic const& a, Diagnostic const& b) { return a.offset < b.offset; });
        return std::move(faults_);
    }

private:
    /// Null beyond the limit.
    Diagnostic* fault(std::string_view rule, std::string message, Offset at, std::size_t length) {
        if (faults_.size() == max_diagnostics) return nullptr;
        faults_.push_back({Severity::error, rule, std::move(message), at, static_cast<std::uint32_t>(length), {}});
        return &faults_.back();
    }
    void fault(std::string_view rule, std::string message, Offset at, std::size_t length, Offset before) {
        Diagnostic* const d = fault(rule, std::move(message), at, length);
        if (d != nullptr) d->notes.push_back({"it is here already", before, static_cast<std::uint32_t>(length)});
    }
    std::string name(Variable x) const { return printable(p_.symbols(x)); }
    std::string_view pid(ProcessIndex p) const { return p_.symbols.pids[p_.processes[p].name]; }
    bool is_declared(Variable x) const { return p_[x].process != no_index; }
    bool is_shared(Variable x) const { return p_[x].kind == VariableInfo::Kind::shared; }
    Sort sort(Variable x) const {
        if (!is_declared(x)) return Sort::unknown;
        return p_[x].initial.is_boolean() ? Sort::boolean : Sort::integer;
    }

    // ---- names

    void arities() {
        for (auto const& [op, count, at] : t_.wrong_arities)
            fault("S4",
                  fmt::format("`{}` takes {}, here it has {}", grammar::to_string(op), plural(arity(op), "operand"),
                              count),
                  at, grammar::to_string(op).size());
    }

    /// RS1: process numbers are unique.
    void processes() {
        for (ProcessIndex p = 0; p < p_.processes.size(); ++p) {
            ProcessIndex& known = process_of_pid_[p_.processes[p].name];
            if (known == no_index)
                known = p;
            else
                fault("RS1", fmt::format("there are two processes {}: the numbers of processes are unique", pid(p)),
                      t_.pids[p], pid(p).size(), t_.pids[known]);
        }
    }

    /// RS1: names of variables are unique.
    void variables() {
        for (auto const& [x, process, at] : t_.again)
            fault("RS1",
                  fmt::format("variable `{}` is declared twice: a name is shared or local, of one process", name(x)),
                  at, p_.symbols(x).size(), p_[x].offset);
    }

    /// RS1: locations are unique in their process.
    void locations(Process const& process, ProcessIndex p) {
        for (StatementIndex i = process.first; i < process.last; ++i) {
            LocationName const rho = p_.statements[i].rho;
            if (rho.is_none()) continue;
            auto& [in, at] = location_[rho.index];
            if (in == p)
                fault("RS1",
                      fmt::format("location `{}` is used twice: locations are unique in their process",
                                  printable(p_.symbols(rho))),
                      t_.rhos[i], p_.symbols(rho).size(), t_.rhos[at]);
            else
                location_[rho.index] = {p, i};
        }
    }

    // ---- statements

    void process(ProcessIndex p) {
        Process const& process = p_.processes[p];
        locations(process, p);
        atomics(process);
        has_own_atomic_ = false;
        for (StatementIndex i = process.first; i < process.last; ++i)
            has_own_atomic_ = has_own_atomic_ || is_own_atomic(p, i);
        for (StatementIndex i = process.first; i < process.last; ++i) statement(p, i);
    }

    /// RS5: no `atomic` in another one.
    void atomics(Process const& process) {
        enclosing_.resize(p_.statements.size(), no_index);
        StatementIndex atomic = no_index;
        for (StatementIndex i = process.first; i < process.last; ++i) {
            if (atomic != no_index && i >= p_.statements[atomic].end) atomic = no_index;
            enclosing_[i] = atomic;
            if (!std::holds_alternative<Atomic>(p_.statements[i].c)) continue;
            if (atomic == no_index)
                atomic = i;
            else
                fault("RS5", "an `atomic` inside of another one", p_.statements[i].open, 1);
        }
    }

    void statement(ProcessIndex p, StatementIndex i) {
        std::visit(overloaded{
                       [&](Load const& c) {
                           own_local(p, i, 0, c.u);
                           own_shared(p, i, 1, c.X, "load");
                           same_sort(i, 0, c.u, c.X);
                       },
                       [&](Store const& c) {
                           own_shared(p, i, 0, c.X, "store");
                           assigned(p, i, c.X, c.e);
                       },
                       [&](Put& c) {
                           own_shared(p, i, 2, c.X, "put");
                           remote(p, i, 0, c.Y, 1, c.pid);
                           same_sort(i, 0, c.Y, c.X);
                       },
                       [&](Get& c) {
                           own_shared(p, i, 0, c.X, "get");
                           remote(p, i, 1, c.Y, 2, c.pid);
                           same_sort(i, 0, c.X, c.Y);
                       },
                       [&](Flush& c) { flushed_process(p, i, c.pid); },
                       [&](Assign const& c) {
                           own_local(p, i, 0, c.u);
                           assigned(p, i, c.u, c.e);
                       },
                       [&](Choose const& c) {
                           own_local(p, i, 0, c.u);
                           choices(c);
                       },
                       [&](Assume const& c) { condition(c.e, p, "what is assumed"); },
                       [&](Assert const& c) { condition(c.e, p, "what is asserted"); },
                       [](Skip const&) {},
                       [&](If const& c) { condition(c.e, p, "a condition"); },
                       [&](While const& c) { condition(c.e, p, "a condition"); },
                       [&](Goto& c) { jump(p, i, c); },
                       [](Atomic const&) {},
                       [&](FetchAndOp& c) {
                           own_shared(p, i, 0, c.X, "fetch-and-op");
                           atomic(i, 1, c.Y, 2, c.pid);
                           same_sort(i, 0, c.X, c.Y);
                           operand(p, i, 3, c.op, c.Y, 4, c.Z, "fetch-and-op");
                       },
                       [&](CompareAndSwap& c) {
                           own_shared(p, i, 0, c.X, "compare-and-swap");
                           atomic(i, 1, c.Y, 2, c.pid);
                           own_shared(p, i, 3, c.C, "compare-and-swap");
                           own_shared(p, i, 4, c.Z, "compare-and-swap");
                           same_sort(i, 0, c.X, c.Y);
                           same_sort(i, 3, c.C, c.Y);
                           same_sort(i, 4, c.Z, c.Y);
                       },
                       [&](Accumulate& c) {
                           atomic(i, 0, c.Y, 1, c.pid);
                           operand(p, i, 2, c.op, c.Y, 3, c.Z, "accumulate");
                       },
                   },
                   p_.statements[i].c);
    }

    Offset part(StatementIndex i, std::size_t n) const { return t_.parts[i].at[n]; }

    /// A variable that a process may use as its own. Says why it may not.
    bool own(std::string_view rule, ProcessIndex p, Variable x, Offset at, bool shared, std::string_view use) {
        VariableInfo const& info = p_[x];
        if (is_declared(x) && info.process == p && is_shared(x) == shared) return true;
        std::string_view const wanted = shared ? "a shared variable" : "a local variable";
        std::string why;
        if (!is_declared(x))
            why = "which is not declared";
        else if (info.process != p)
            why = fmt::format("which is {} of process {}", is_shared(x) ? "a shared variable" : "a local variable",
                              pid(info.process));
        else
            why = is_shared(x) ? "which is shared" : "which is local";
        Diagnostic* const d =
            fault(rule, fmt::format("{} {} of process {}, not `{}`, {}", use, wanted, pid(p), name(x), why), at,
                  p_.symbols(x).size());
        if (d != nullptr && !is_declared(x)) suggest(*d, x);
        return false;
    }

    void suggest(Diagnostic& d, Variable x) {
        constexpr std::size_t most_names = 1000;
        if (faults_.size() > shown_diagnostics || p_.declared.size() > most_names) return;
        std::vector<std::string_view> names;
        for (Variable const y : p_.declared) names.push_back(p_.symbols(y));
        if (auto const near = nearest_name(p_.symbols(x), std::span<std::string_view const>(names)))
            d.hints.push_back(fmt::format("did you mean `{}`?", *near));
    }

    /// RS2.
    void own_shared(ProcessIndex p, StatementIndex i, std::size_t n, Variable x, std::string_view statement) {
        own("RS2", p, x, part(i, n), true, fmt::format("`{}` takes", statement));
    }
    void own_local(ProcessIndex p, StatementIndex i, std::size_t n, Variable u) {
        own("RS2", p, u, part(i, n), false, "this assigns to");
    }

    /// RS3: the process, by its number, which becomes an index.
    bool some_process(StatementIndex i, std::size_t n, ProcessIndex& named) {
        std::string_view const number = p_.symbols.pids[named];
        named = process_of_pid_[named];
        if (named == no_index) fault("RS3", fmt::format("there is no process {}", number), part(i, n), number.size());
        return named != no_index;
    }

    /// RS3: another one.
    bool other_process(ProcessIndex p, StatementIndex i, std::size_t n, ProcessIndex& named) {
        if (!some_process(i, n, named)) return false;
        if (named == p)
            fault("RS3", fmt::format("process {} names itself: `put` and `get` name another process", pid(p)),
                  part(i, n), pid(p).size());
        return true;
    }

    /// RS3: a process may wait for its atomics on its own variables, if it has any.
    void flushed_process(ProcessIndex p, StatementIndex i, ProcessIndex& named) {
        if (!some_process(i, 0, named) || named != p || has_own_atomic_) return;
        fault(
            "RS3",
            fmt::format("process {} names itself: `flush` names another process, unless the process has remote atomics "
                        "on its own variables",
                        pid(p)),
            part(i, 0), pid(p).size());
    }

    /// RS3: the remote side.
    void remote(ProcessIndex p, StatementIndex i, std::size_t n, Variable x, std::size_t pid_part,
                ProcessIndex& named) {
        if (!other_process(p, i, pid_part, named)) return;
        own("RS3", named, x, part(i, n), true, "the remote side is");
    }
    void atomic(StatementIndex i, std::size_t n, Variable x, std::size_t pid_part, ProcessIndex& named) {
        if (!some_process(i, pid_part, named)) return;
        own("RS3", named, x, part(i, n), true, "the remote side is");
    }
    bool is_own_atomic(ProcessIndex p, StatementIndex i) const {
        StatementKind const& c = p_.statements[i].c;
        auto const to = target_of(c); // still an index into the numbers
        return to && process_of_pid_[*to] == p && !std::holds_alternative<Put>(c) && !std::holds_alternative<Get>(c);
    }

    /// RS4 and RS5.
    void jump(ProcessIndex p, StatementIndex i, Goto& c) {
        auto const [in, at] = location_[c.rho.index];
        std::size_t const length = p_.symbols(c.rho).size();
        if (in != p) {
            fault("RS4", fmt::format("`{}` is not a location of process {}", printable(p_.symbols(c.rho)), pid(p)),
                  part(i, 0), length);
            return;
        }
        c.target = at;
        if (enclosing_[i] != enclosing_[at])
            fault("RS5",
                  fmt::format("this `goto` crosses the border of an `atomic`: `{}` is {} it",
                              printable(p_.symbols(c.rho)), enclosing_[i] == no_index ? "inside of" : "outside of"),
                  part(i, 0), length);
    }

    /// RS4: places name a location of a process. Their indices are known now.
    void places() {
        if (t_.places.empty()) return;
        std::map<std::pair<ProcessIndex, std::uint32_t>, StatementIndex> known;
        for (ProcessIndex p = 0; p < p_.processes.size(); ++p)
            for (StatementIndex i = p_.processes[p].first; i < p_.processes[p].last; ++i)
                if (!p_.statements[i].rho.is_none()) known.emplace(std::pair(p, p_.statements[i].rho.index), i);
        for (auto const& place : t_.places) {
            std::string_view const number = p_.symbols.pids[place.pid];
            ProcessIndex const p = process_of_pid_[place.pid];
            VariableInfo& info = p_.variables[place.x.index];
            info = {VariableInfo::Kind::place, p, Value::boolean(false), no_index, no_offset};
            std::string_view const rho = p_.symbols(place.rho);
            if (p == no_index)
                fault("RS4", fmt::format("there is no process {}", number), place.pid_at, number.size());
            else if (auto const at = known.find({p, place.rho.index}); at != known.end())
                info.at = at->second;
            else
                fault("RS4", fmt::format("`{}` is not a location of process {}", printable(rho), number), place.rho_at,
                      rho.size());
            if (p == no_index) info.process = 0; // it has been complained about
        }
    }

    // ---- RS6: sorts

    void same_sort(StatementIndex i, std::size_t n, Variable to, Variable from) {
        if (agree(sort(to), sort(from))) return;
        fault(
            "RS6",
            fmt::format("`{}` is {}, and `{}` is {}", name(to), to_string(sort(to)), name(from), to_string(sort(from))),
            part(i, n), p_.symbols(to).size());
    }

    /// RS2 and RS6: the operand of a remote atomic has the sort of Y, and that is the operator's.
    void operand(ProcessIndex p, StatementIndex i, std::size_t op_part, RemoteOp op, Variable Y, std::size_t n,
                 Variable Z, std::string_view statement) {
        own_shared(p, i, n, Z, statement);
        same_sort(i, n, Z, Y);
        bool const any = op == RemoteOp::replace || op == RemoteOp::no_op;
        bool const booleans = op == RemoteOp::and_ || op == RemoteOp::or_ || op == RemoteOp::xor_;
        Sort const wanted = booleans ? Sort::boolean : Sort::integer;
        if (any || agree(sort(Y), wanted)) return;
        fault(
            "RS6",
            fmt::format("an operand of `{}` is {}: it takes {}", to_string(op), to_string(sort(Y)), to_string(wanted)),
            part(i, op_part), to_string(op).size());
    }

    void assigned(ProcessIndex p, StatementIndex i, Variable x, Expression e) {
        Sort const of_e = expression(e, p);
        if (!agree(sort(x), of_e))
            fault("RS6",
                  fmt::format("`{}` is {}, and what is assigned is {}", name(x), to_string(sort(x)), to_string(of_e)),
                  part(i, 0), p_.symbols(x).size());
    }

    void choices(Choose const& c) {
        for (std::uint32_t k = c.first; k < c.last; ++k) {
            Sort const of_v = p_.choices[k].is_boolean() ? Sort::boolean : Sort::integer;
            if (!agree(sort(c.u), of_v))
                fault("RS6",
                      fmt::format("`{}` is {}, and this value is {}", name(c.u), to_string(sort(c.u)), to_string(of_v)),
                      t_.choices[k], 1);
        }
    }

    void condition(Expression e, std::optional<ProcessIndex> p, std::string_view what) {
        Sort const found = expression(e, p);
        if (!agree(found, Sort::boolean)) fault("RS6", fmt::format("{} is Bool, not Int", what), t_.nodes[e.root()], 1);
    }

    /// The sort of an expression, of a process or (none) of a property.
    Sort expression(Expression e, std::optional<ProcessIndex> p) {
        if (!t_.wrong_arities.empty()) return Sort::unknown; // it may have no tree
        return grammar::fold<Sort>(
            p_, e,
            grammar::Algebra{
                [](Value const& v) { return v.is_boolean() ? Sort::boolean : Sort::integer; },
                [&](Variable x, std::uint32_t n) { return used(x, p, t_.nodes[n]); },
                [&](Op op, std::span<Sort const> operands, std::uint32_t n) { return of(op, operands, t_.nodes[n]); }});
    }

    Sort used(Variable x, std::optional<ProcessIndex> p, Offset at) {
        if (p_[x].kind == VariableInfo::Kind::place) return Sort::boolean;
        if (p) return own("RS2", *p, x, at, false, "expressions range over") ? sort(x) : Sort::unknown;
        if (!is_declared(x)) {
            Diagnostic* const d = fault("RS2", fmt::format("`{}` is not declared", name(x)), at, p_.symbols(x).size());
            if (d != nullptr) suggest(*d, x);
        }
        return sort(x);
    }

    /// The sort of an operation.
    Sort of(Op op, std::span<Sort const> of_operands, Offset at) {
        std::string_view const o = grammar::to_string(op);
        Sort common = Sort::unknown;
        bool is_right = true; // one message is enough
        for (std::size_t k = 0; k < of_operands.size() && is_right; ++k) {
            Sort const s = of_operands[k];
            switch (grammar::operand_sort(op, k)) {
            case OperandSort::integer: is_right = operand_is(op, s, Sort::integer, at); break;
            case OperandSort::boolean: is_right = operand_is(op, s, Sort::boolean, at); break;
            case OperandSort::common:
                is_right = agree(common, s);
                if (!is_right)
                    fault("RS6", fmt::format("the operands of `{}` are {} and {}", o, to_string(common), to_string(s)),
                          at, o.size());
                if (common == Sort::unknown) common = s;
                break;
            }
        }
        return grammar::result_sort(op, Sort::integer, Sort::boolean, common);
    }

    bool operand_is(Op op, Sort s, Sort wanted, Offset at) {
        if (agree(s, wanted)) return true;
        std::string_view const o = grammar::to_string(op);
        std::string_view const which = grammar::is_choice(op) ? "the condition" : "an operand";
        fault("RS6", fmt::format("{} of `{}` is {}: it takes {}", which, o, to_string(s), to_string(wanted)), at,
              o.size());
        return false;
    }

    Program& p_;
    ParsedTokens const& t_;
    Diagnostics faults_;
    std::vector<ProcessIndex> process_of_pid_; // by Symbols::pids
    struct Location {
        ProcessIndex process = no_index;
        StatementIndex at = no_index;
    };
    std::vector<Location> location_;        // of the process that is looked at, by Symbols::locations
    bool has_own_atomic_ = false;           // the process that is looked at
    std::vector<StatementIndex> enclosing_; // statement -> the `atomic` that it is inside of
};

} // namespace

Diagnostics resolve(Program& program, ParsedTokens const& tokens) { return Resolver(program, tokens).run(); }

} // namespace matchpoint::rma
