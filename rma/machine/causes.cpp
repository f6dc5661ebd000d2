#include "rma/machine/causes.hpp"

#include <utility>

#include "base/overloaded.hpp"
#include "rma/machine/accesses.hpp"

namespace matchpoint::rma {

namespace {

constexpr std::size_t no_step = ~std::size_t{0};

/// The condition of an `if`, a `while` or an `assume` that reads variables: others decide nothing.
std::optional<Expression> decides(Program const& program, StatementIndex i) {
    StatementKind const& c = program.statements[i].c;
    std::optional<Expression> e;
    if (auto const* const x = std::get_if<If>(&c)) e = x->e;
    if (auto const* const x = std::get_if<While>(&c)) e = x->e;
    if (auto const* const x = std::get_if<Assume>(&c)) e = x->e;
    return e && !variables_in(program, *e).empty() ? e : std::nullopt;
}

/// What each statement of a program depends on, whatever the run.
class Control {
public:
    explicit Control(Program const& program)
        : inside_of_(program.statements.size(), no_index), decides_later_(program.statements.size()) {
        std::vector<StatementIndex> open; // `if` and `while`
        for (StatementIndex i = 0; i < program.statements.size(); ++i) {
            Statement const& s = program.statements[i];
            while (!open.empty() && program.statements[open.back()].end <= i) open.pop_back();
            if (!open.empty()) inside_of_[i] = open.back();
            bool const repeats = std::holds_alternative<While>(s.c);
            bool const holds_up = repeats || std::holds_alternative<Assume>(s.c) || std::holds_alternative<Goto>(s.c);
            for (StatementIndex const o : open) decides_later_[o] = decides_later_[o] || holds_up;
            if (!decides(program, i)) continue;
            decides_later_[i] = holds_up;
            if (is_compound(s.c)) open.push_back(i);
        }
    }
    /// The innermost `if` or `while` with the statement inside.
    StatementIndex inside_of(StatementIndex i) const { return inside_of_[i]; }
    /// Whether its process needs not get anywhere else if the condition has another value: it may repeat, wait for what
    /// never comes, or jump.
    bool decides_later(StatementIndex i) const { return decides_later_[i]; }

private:
    std::vector<StatementIndex> inside_of_;
    std::vector<bool> decides_later_;
};

class Slicer {
public:
    Slicer(Machine const& machine, std::span<Transition const> run, Operations const& operations)
        : machine_(machine), run_(run), operations_(operations), control_(machine.program()), state_(machine.initial()),
          written_(machine.program().variables.size(), no_step), decided_(machine.program().statements.size(), no_step),
          last_of_(machine.program().processes.size(), no_step), needs_(run.size()), decides_(run.size()) {
        for (std::size_t i = 0; i < run.size(); ++i) {
            std::visit(overloaded{
                           [&](ProcessStep const& t) { step(i, t.p); },
                           [&](NicRead const& t) { read(i, t.s); },
                           [&](NicAtomic const& t) { atomic(i, t.s); },
                           [&](NicWrite const& t) { write(i, t.s); },
                       },
                       run[i]);
            machine.apply(state_, run[i]);
        }
    }

    std::vector<bool> kept(Wrong const& wrong) const {
        std::vector<bool> kept(run_.size());
        if (wrong.property)
            for (Variable const x : variables_in(program(), program().properties[*wrong.property].e)) keep(kept, x);
        else if (!run_.empty())
            kept.back() = true;
        for (std::size_t const i : wrong.steps) kept[i] = true;
        std::vector<bool> goes_on(program().processes.size()); // a later step of the process is kept
        for (std::size_t i = run_.size(); i-- > 0;) {
            auto const* const t = std::get_if<ProcessStep>(&run_[i]);
            if (t != nullptr && decides_[i] && goes_on[t->p]) kept[i] = true;
            if (!kept[i]) continue;
            if (t != nullptr) goes_on[t->p] = true;
            for (std::size_t const needed : needs_[i]) kept[needed] = true;
        }
        return kept;
    }

private:
    Program const& program() const { return machine_.program(); }

    /// At the end. A place has no write: the process is there because of its last step.
    void keep(std::vector<bool>& kept, Variable x) const {
        VariableInfo const& info = program()[x];
        std::size_t const i = info.kind == VariableInfo::Kind::place ? last_of_[info.process] : written_[x.index];
        if (i != no_step) kept[i] = true;
    }
    void need(std::size_t i, std::size_t other) {
        if (other != no_step) needs_[i].push_back(other);
    }
    void reads(std::size_t i, Variable x) { need(i, written_[x.index]); }
    /// A value that another process has written, and that is lost, is part of the story.
    void writes(std::size_t i, Variable x) {
        std::size_t const before = std::exchange(written_[x.index], i);
        if (before != no_step && author(before) != author(i)) need(i, before);
    }
    ProcessIndex author(std::size_t i) const {
        auto const* const t = std::get_if<ProcessStep>(&run_[i]);
        return t != nullptr ? t->p : remote(operation(i).s).process;
    }

    void step(std::size_t i, ProcessIndex p) {
        StatementIndex const s = machine_.graph().at(state_.pc[p]).executes;
        for (Variable const x : read_by_step(machine_, state_.pc[p])) reads(i, x);
        if (StatementIndex const outer = control_.inside_of(s); outer != no_index) need(i, decided_[outer]);
        for (Variable const x : written_by_step(machine_, state_.pc[p])) writes(i, x);
        decided_[s] = i;
        decides_[i] = control_.decides_later(s);
        last_of_[p] = i;
    }
    void read(std::size_t i, RemoteIndex s) {
        need(i, operation(i).issued);
        reads(i, remote(s).src);
    }
    /// A `no-op` changes nothing. What Y becomes by `replace` does not depend on what it was.
    void atomic(std::size_t i, RemoteIndex s) {
        need(i, operation(i).issued);
        Variable const Y = remote(s).src;
        old_.resize(operations_.all().size(), no_step);
        old_[operations_.of_step(i)] = written_[Y.index];
        RemoteOp const op = op_of(program().statements[remote(s).statement].c);
        if (op == RemoteOp::no_op) return;
        std::vector<Variable> operands = read_by_card(machine_.graph(), s);
        if (op == RemoteOp::replace) operands.erase(operands.begin()); // Y
        for (Variable const x : operands) reads(i, x);
        writes(i, Y);
    }
    void write(std::size_t i, RemoteIndex s) {
        need(i, operation(i).read);
        if (remote(s).is_atomic()) need(i, old_[operations_.of_step(i)]);
        writes(i, remote(s).trg);
    }
    /// A compare-and-swap is taken for an operation that reads Y and changes it.
    static RemoteOp op_of(StatementKind const& c) {
        if (auto const* const fetch = std::get_if<FetchAndOp>(&c)) return fetch->op;
        if (auto const* const accumulate = std::get_if<Accumulate>(&c)) return accumulate->op;
        return RemoteOp::sum;
    }

    Operation const& operation(std::size_t i) const { return operations_.all()[operations_.of_step(i)]; }
    Remote const& remote(RemoteIndex s) const { return machine_.graph().remotes()[s]; }

    Machine const& machine_;
    std::span<Transition const> run_;
    Operations const& operations_;
    Control control_;
    State state_;
    std::vector<std::size_t> written_;            // of each variable, the last step that wrote it
    std::vector<std::size_t> decided_;            // of each statement, the last step that executed it
    std::vector<std::size_t> last_of_;            // of each process, its last step
    std::vector<std::size_t> old_;                // of each atomic, the step that wrote what it fetches
    std::vector<std::vector<std::size_t>> needs_; // of each step, which others it needs
    std::vector<bool> decides_;                   // steps that later ones of their process need
};

} // namespace

std::vector<bool> causes(Machine const& machine, std::span<Transition const> run, Operations const& operations,
                         Wrong const& wrong) {
    return Slicer(machine, run, operations).kept(wrong);
}

} // namespace matchpoint::rma
