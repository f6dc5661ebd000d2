#include "tests/support/naive_rma.hpp"

#include <algorithm>
#include <climits>
#include <deque>
#include <stdexcept>

namespace matchpoint::naive_rma {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Reading

/// An atom, or a list of trees.
struct Tree {
    std::string atom = {};
    std::vector<Tree> list = {};
    bool is(std::string const& word) const { return !list.empty() && list.front().atom == word; }
};

void skip_space(std::string const& text, std::size_t& place) {
    while (place < text.size() && std::string(" \t\r\n\v\f;").find(text[place]) != std::string::npos)
        place = text[place] == ';' ? std::min(text.find('\n', place), text.size()) : place + 1;
    if (place == text.size()) throw std::runtime_error("the text ends inside a program");
}

Tree read_tree(std::string const& text, std::size_t& place) {
    skip_space(text, place);
    Tree tree;
    if (text[place] != '(' && text[place] != '[') {
        while (place < text.size() && std::string("()[]; \t\r\n\v\f").find(text[place]) == std::string::npos)
            tree.atom += text[place++];
        return tree;
    }
    ++place;
    for (skip_space(text, place); text[place] != ')' && text[place] != ']'; skip_space(text, place))
        tree.list.push_back(read_tree(text, place));
    ++place;
    return tree;
}

std::optional<Value> value_of(std::string const& atom) {
    if (atom == "true" || atom == "false") return Value{true, atom == "true"};
    std::string const digits = atom.substr(atom[0] == '-' || atom[0] == '+' ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return Value{false, std::stoll(atom)};
}

/// Declarations first: a statement may name variables and processes that come later in the text.
class Reader {
public:
    explicit Reader(Tree const& rma) {
        if (!rma.is("rma")) throw std::runtime_error("not a program");
        for (Tree const& t : rma.list)
            if (t.is("process")) declare(t);
        std::size_t p = 0;
        for (Tree const& t : rma.list)
            if (t.is("process")) read_process(t, program_.processes[p++]);
        for (Tree const& t : rma.list) {
            if (t.is("invariant")) program_.invariants.push_back(expression(t.list.at(1)));
            if (t.is("assert")) program_.finals.push_back(expression(t.list.at(2))); // (assert final e)
        }
    }
    Program result() && { return std::move(program_); }

private:
    void declare(Tree const& process) {
        program_.processes.push_back({process.list.at(1).atom});
        for (Tree const& d : process.list) {
            if (!d.is("shared") && !d.is("local")) continue;
            for (std::size_t i = 1; i < d.list.size(); ++i) {
                std::string const& name = d.list[i].list.at(0).atom;
                if (std::count(program_.names.begin(), program_.names.end(), name) > 0)
                    throw std::runtime_error("two variables " + name);
                program_.names.push_back(name);
                program_.initial.push_back(value_of(d.list[i].list.at(1).atom).value());
            }
        }
    }

    std::size_t variable(std::string const& name) const {
        auto const it = std::find(program_.names.begin(), program_.names.end(), name);
        if (it == program_.names.end()) throw std::runtime_error("no variable " + name);
        return static_cast<std::size_t>(it - program_.names.begin());
    }

    std::size_t process(std::string const& pid) const {
        for (std::size_t p = 0; p < program_.processes.size(); ++p)
            if (std::stoll(program_.processes[p].pid) == std::stoll(pid)) return p;
        throw std::runtime_error("no process " + pid);
    }

    Expression expression(Tree const& t) const {
        if (t.list.empty()) {
            if (auto const value = value_of(t.atom)) return {"value", *value};
            return {.op = "variable", .variable = variable(t.atom)};
        }
        Expression e{t.list.at(0).atom};
        if (e.op == "at") {
            e.process = process(t.list.at(1).atom);
            Process const& p = program_.processes[e.process];
            std::size_t const place = p.places.at(t.list.at(2).atom);
            e.places = {place};
            // A process before an `atomic` is before its first statement.
            if (p.steps[place].inside && p.steps[place - 1].kind == Step::Kind::enter) e.places.insert(place - 1);
            return e;
        }
        for (std::size_t i = 1; i < t.list.size(); ++i) e.operands.push_back(expression(t.list[i]));
        return e;
    }

    void read_process(Tree const& t, Process& process) {
        process_ = &process;
        gotos_.clear();
        for (std::size_t i = 2; i < t.list.size(); ++i)
            if (!t.list[i].is("shared") && !t.list[i].is("local") && t.list[i].atom != "bot") statement(t.list[i]);
        add({.kind = Step::Kind::end});
        for (auto const& [step, place] : gotos_) process.steps[step].next = process.places.at(place);
        // A jump is no step: a process that would reach it goes to its target instead.
        auto const resolve = [&](std::size_t& place) {
            while (process.steps[place].kind == Step::Kind::jump) place = process.steps[place].next;
        };
        for (Step& s : process.steps) {
            if (s.kind == Step::Kind::end) continue;
            resolve(s.next);
            if (s.kind == Step::Kind::branch) resolve(s.otherwise);
        }
    }

    /// Adds a step, which is followed by the next one added. Returns its place.
    std::size_t add(Step step) {
        step.inside = inside_;
        step.next = process_->steps.size() + 1;
        process_->steps.push_back(std::move(step));
        return process_->steps.size() - 1;
    }

    std::size_t here() const { return process_->steps.size(); }

    /// c, or [rho c]. The word of a statement decides which: a location is no list, and a c has no list for its second
    /// part when its first is no word of the language.
    void statement(Tree const& t) {
        static std::set<std::string> const words{
            "load", "store", "put",  "get",    "flush",        "choose",           "assume",    "assert",
            "if",   "while", "goto", "atomic", "fetch-and-op", "compare-and-swap", "accumulate"};
        if (t.list.size() == 2 && words.count(t.list[0].atom) == 0 && !(t.list[1].atom == ":=")) {
            process_->places[t.list[0].atom] = here();
            return command(t.list[1]);
        }
        command(t);
    }

    void command(Tree const& t) {
        using Kind = Step::Kind;
        auto const atom = [&](std::size_t i) { return t.list.at(i).atom; };
        if (t.atom == "skip") {
            add({.kind = Kind::skip});
        } else if (t.is("load")) {
            add({.kind = Kind::load, .target = variable(atom(1)), .source = variable(atom(2))});
        } else if (t.is("store")) {
            add({.kind = Kind::store, .target = variable(atom(1)), .e = expression(t.list.at(2))});
        } else if (t.is("put")) { // (put Y pid X)
            add({.kind = Kind::put, .to = process(atom(2)), .target = variable(atom(1)), .source = variable(atom(3))});
        } else if (t.is("get")) { // (get X Y pid)
            add({.kind = Kind::get, .to = process(atom(3)), .target = variable(atom(1)), .source = variable(atom(2))});
        } else if (t.is("fetch-and-op")) { // (fetch-and-op X Y pid op Z)
            add({.kind = Kind::fetch,
                 .to = process(atom(3)),
                 .target = variable(atom(1)),
                 .location = variable(atom(2)),
                 .op = atom(4),
                 .operand = variable(atom(5))});
        } else if (t.is("compare-and-swap")) { // (compare-and-swap X Y pid C Z)
            add({.kind = Kind::swap,
                 .to = process(atom(3)),
                 .target = variable(atom(1)),
                 .location = variable(atom(2)),
                 .operand = variable(atom(5)),
                 .compared = variable(atom(4))});
        } else if (t.is("accumulate")) { // (accumulate Y pid op Z)
            add({.kind = Kind::accumulate,
                 .to = process(atom(2)),
                 .location = variable(atom(1)),
                 .op = atom(3),
                 .operand = variable(atom(4))});
        } else if (t.is("flush")) {
            add({.kind = Kind::flush, .to = process(atom(1))});
        } else if (t.is("choose")) {
            Step s{.kind = Kind::choose, .target = variable(atom(1))};
            for (std::size_t i = 2; i < t.list.size(); ++i) s.choices.push_back(value_of(atom(i)).value());
            add(s);
        } else if (t.is("assume")) {
            add({.kind = Kind::assume, .e = expression(t.list.at(1))});
        } else if (t.is("assert")) {
            add({.kind = Kind::assert_, .e = expression(t.list.at(1))});
        } else if (t.is("goto")) {
            gotos_[add({.kind = Kind::skip})] = atom(1);
        } else if (t.is("if")) {
            read_if(t);
        } else if (t.is("while")) {
            read_while(t);
        } else if (t.is("atomic")) {
            read_atomic(t);
        } else { // (u := e)
            add({.kind = Kind::assign, .target = variable(atom(0)), .e = expression(t.list.at(2))});
        }
    }

    void read_if(Tree const& t) {
        std::size_t const branch = add({.kind = Step::Kind::branch, .e = expression(t.list.at(1))});
        for (Tree const& s : t.list.at(2).list) statement(s);
        std::size_t const jump = add({.kind = Step::Kind::jump});
        process_->steps[branch].otherwise = here();
        if (t.list.size() > 3)
            for (Tree const& s : t.list[3].list) statement(s);
        process_->steps[jump].next = here();
    }

    void read_while(Tree const& t) {
        std::size_t const branch = add({.kind = Step::Kind::branch, .e = expression(t.list.at(1))});
        for (std::size_t i = 2; i < t.list.size(); ++i) statement(t.list[i]);
        std::size_t const jump = add({.kind = Step::Kind::jump});
        process_->steps[jump].next = branch;
        process_->steps[branch].otherwise = here();
    }

    void read_atomic(Tree const& t) {
        add({.kind = Step::Kind::enter});
        inside_ = true;
        for (std::size_t i = 1; i < t.list.size(); ++i) statement(t.list[i]);
        inside_ = false;
    }

    Program program_;
    Process* process_ = nullptr;
    std::map<std::size_t, std::string> gotos_;
    bool inside_ = false;
};

// ---------------------------------------------------------------------------------------------------------------------
// States

/// A pending read, with its write.
struct Read {
    std::size_t var, succ, to;
    auto operator<=>(Read const&) const = default;
};

/// A pending write.
struct Write {
    std::size_t var;
    Value val;
    std::size_t to;
    auto operator<=>(Write const&) const = default;
};

/// A pending remote atomic: the step that has issued it, of its process.
struct Atomic {
    std::size_t place;
    auto operator<=>(Atomic const&) const = default;
};

/// <pc, M, R, W>, and the atomics of each process in the order of their issue
struct State {
    std::vector<std::size_t> pc;
    std::vector<Value> M;
    std::vector<std::multiset<Read>> R;
    std::vector<std::multiset<Write>> W;
    std::vector<std::vector<Atomic>> A;
    auto operator<=>(State const&) const = default;
};

struct Fault {};

void in_range(bool overflows) {
    if (overflows) throw std::overflow_error("a value gets out of 64 bits");
}

/// SMT-LIB's: the remainder is never negative.
long long euclidean(std::string const& op, long long a, long long b) {
    if (b == 0) throw Fault();
    in_range(b == -1 && a == LLONG_MIN);
    long long quotient = a / b;
    long long remainder = a - quotient * b;
    if (remainder < 0) remainder += b < 0 ? -b : b, quotient += b < 0 ? 1 : -1;
    return op == "div" ? quotient : remainder;
}

Value operation(std::string const& op, Value a, Value b) {
    long long const x = a.number, y = b.number;
    long long r = 0;
    if (op == "+") return in_range(__builtin_add_overflow(x, y, &r)), Value{false, r};
    if (op == "-") return in_range(__builtin_sub_overflow(x, y, &r)), Value{false, r};
    if (op == "*") return in_range(__builtin_mul_overflow(x, y, &r)), Value{false, r};
    if (op == "div" || op == "mod") return {false, euclidean(op, x, y)};
    if (op == "=") return {true, a == b};
    if (op == "!=") return {true, a != b};
    if (op == "<") return {true, x < y};
    if (op == "<=") return {true, x <= y};
    if (op == ">") return {true, x > y};
    if (op == ">=") return {true, x >= y};
    if (op == "and") return {true, x != 0 && y != 0};
    if (op == "or") return {true, x != 0 || y != 0};
    if (op == "xor") return {true, (x != 0) != (y != 0)};
    if (op == "=>") return {true, x == 0 || y != 0};
    throw std::runtime_error("no operator " + op);
}

/// All operands are evaluated, the left one first; of `ite` only the condition and what it chooses. Throws Fault.
Value evaluate(Expression const& e, State const& s) {
    if (e.op == "value") return e.value;
    if (e.op == "variable") return s.M[e.variable];
    if (e.op == "at") return {true, e.places.count(s.pc[e.process]) > 0};
    Value result = evaluate(e.operands.at(0), s);
    if (e.op == "ite") return evaluate(e.operands.at(result.number != 0 ? 1 : 2), s);
    if (e.op == "not") return {true, result.number == 0};
    if (e.op == "-" && e.operands.size() == 1) return operation("-", {}, result);
    for (std::size_t i = 1; i < e.operands.size(); ++i) result = operation(e.op, result, evaluate(e.operands[i], s));
    return result;
}

bool holds(Expression const& e, State const& s) { return evaluate(e, s).number != 0; }

class Exploration {
public:
    Exploration(Program const& program, Model model, Bounds bounds)
        : program_(program), model_(model), bounds_(bounds) {}

    std::optional<Found> run() {
        State first{{}, program_.initial, {}, {}, {}};
        for (Process const& p : program_.processes) {
            std::size_t place = p.first;
            while (p.steps[place].kind == Step::Kind::jump) place = p.steps[place].next;
            first.pc.push_back(place);
        }
        first.R.resize(program_.processes.size());
        first.W.resize(program_.processes.size());
        first.A.resize(program_.processes.size());
        reach(std::move(first));
        while (!todo_.empty() && !(bounds_.until_violated && found_.violated)) {
            if (seen_.size() > bounds_.states) return std::nullopt;
            State const& s = *todo_.front();
            todo_.pop_front();
            judge(s);
            find_races(s);
            for (std::size_t p = 0; p < program_.processes.size(); ++p) {
                if (may_step(s, p)) step(s, p);
                nic_r(s, p);
                nic_w(s, p);
                nic_a(s, p);
            }
        }
        found_.states = seen_.size();
        return found_;
    }

private:
    void reach(State s) {
        auto const [it, is_new] = seen_.insert(std::move(s));
        if (is_new) todo_.push_back(&*it);
    }

    /// The place of the step that p takes next. An `atomic` is no step: a process before it takes the first one inside.
    std::size_t place_of_next(State const& s, std::size_t p) const {
        auto const& steps = program_.processes[p].steps;
        std::size_t const place = s.pc[p];
        return steps[place].kind == Step::Kind::enter && steps[place + 1].inside ? place + 1 : place;
    }

    Step const& next(State const& s, std::size_t p) const { return program_.processes[p].steps[place_of_next(s, p)]; }

    /// While a process is inside an atomic, no other process steps.
    bool may_step(State const& s, std::size_t p) const {
        for (std::size_t q = 0; q < program_.processes.size(); ++q)
            if (q != p && program_.processes[q].steps[s.pc[q]].inside) return false;
        return next(s, p).kind != Step::Kind::end;
    }

    bool is_final(State const& s) const {
        for (std::size_t p = 0; p < program_.processes.size(); ++p)
            if (next(s, p).kind != Step::Kind::end || !s.R[p].empty() || !s.W[p].empty() || !s.A[p].empty())
                return false;
        return true;
    }

    void judge(State const& s) {
        auto const require = [&](Expression const& e) {
            try {
                if (!holds(e, s)) found_.violated = true;
            } catch (Fault const&) {
                found_.faulted = true;
            }
        };
        for (Expression const& e : program_.invariants) require(e);
        if (!is_final(s)) return;
        for (Expression const& e : program_.finals) require(e);
        std::map<std::string, Value> by_name;
        for (std::size_t v = 0; v < s.M.size(); ++v) by_name[program_.names[v]] = s.M[v];
        std::string text;
        for (auto const& [name, value] : by_name)
            text += (text.empty() ? "" : ", ") + name + " = " +
                    (value.is_boolean ? value.number != 0 ? "true" : "false" : std::to_string(value.number));
        found_.finals.insert(text);
    }

    /// The next step of process p.
    void step(State const& s, std::size_t p) {
        Step const& c = next(s, p);
        State t = s;
        t.pc[p] = c.next;
        try {
            switch (c.kind) {
            case Step::Kind::put:
            case Step::Kind::get: return remote(s, p, c);
            case Step::Kind::fetch:
            case Step::Kind::swap:
            case Step::Kind::accumulate: return atomic(s, p, c);
            case Step::Kind::flush:
                if (model_ == Model::rma && (awaits(s, p, c.to) || awaits_atomic(s, p, c.to))) return;
                break;
            case Step::Kind::load: t.M[c.target] = s.M[c.source]; break;
            case Step::Kind::store:
            case Step::Kind::assign: t.M[c.target] = evaluate(c.e, s); break;
            case Step::Kind::choose:
                for (Value const& v : c.choices) t.M[c.target] = v, reach(t);
                return;
            case Step::Kind::assume:
                if (holds(c.e, s)) break;
                found_.discarded = true;
                return;
            case Step::Kind::assert_:
                if (!holds(c.e, s)) found_.violated = true;
                break;
            case Step::Kind::branch: t.pc[p] = holds(c.e, s) ? c.next : c.otherwise; break;
            case Step::Kind::skip:
            case Step::Kind::enter:
            case Step::Kind::jump:
            case Step::Kind::end: break;
            }
        } catch (Fault const&) {
            found_.faulted = true;
            return;
        }
        reach(std::move(t));
    }

    /// put: R(p) += r, var(r) = X, var(succ(r)) = Y. get: var(r) = Y, var(succ(r)) = X. In both, to(r) = pid.
    void remote(State const& s, std::size_t p, Step const& c) {
        State t = s;
        t.pc[p] = c.next;
        if (model_ == Model::sc) {
            t.M[c.target] = s.M[c.source];
        } else if (is_full(s, p)) {
            found_.cut = true;
            return;
        } else {
            t.R[p].insert({c.source, c.target, c.to});
        }
        reach(std::move(t));
    }

    bool is_full(State const& s, std::size_t p) const {
        return s.R[p].size() + s.W[p].size() + s.A[p].size() == bounds_.pending;
    }

    /// It becomes the last one of its process. SC: it happens at once.
    void atomic(State const& s, std::size_t p, Step const& c) {
        State t = s;
        t.pc[p] = c.next;
        if (model_ == Model::sc) {
            t.M[c.location] = afterwards(c, s);
            if (c.kind != Step::Kind::accumulate) t.M[c.target] = s.M[c.location];
        } else if (is_full(s, p)) {
            found_.cut = true;
            return;
        } else {
            t.A[p].push_back({place_of_next(s, p)});
        }
        reach(std::move(t));
    }

    /// What the location of an atomic holds when it has been executed.
    static Value afterwards(Step const& c, State const& s) {
        Value const y = s.M[c.location];
        Value const z = s.M[c.operand];
        if (c.kind == Step::Kind::swap) return y == s.M[c.compared] ? z : y;
        if (c.op == "replace") return z;
        if (c.op == "no-op") return y;
        if (c.op == "min") return y.number < z.number ? y : z;
        if (c.op == "max") return y.number < z.number ? z : y;
        return operation(c.op, y, z);
    }

    /// The first atomic of a process on each location may be executed: read and written in one step. What it has read
    /// is then written at its process, as the write of a get is.
    void nic_a(State const& s, std::size_t p) {
        auto const step_of = [&](Atomic const& a) -> Step const& { return program_.processes[p].steps[a.place]; };
        std::set<std::size_t> earlier; // locations
        for (std::size_t i = 0; i < s.A[p].size(); ++i) {
            Step const& c = step_of(s.A[p][i]);
            if (!earlier.insert(c.location).second) continue;
            State t = s;
            t.A[p].erase(t.A[p].begin() + static_cast<std::ptrdiff_t>(i));
            t.M[c.location] = afterwards(c, s);
            if (c.kind != Step::Kind::accumulate) t.W[p].insert({c.target, s.M[c.location], c.to});
            reach(std::move(t));
        }
    }

    bool awaits_atomic(State const& s, std::size_t p, std::size_t pid) const {
        return std::any_of(s.A[p].begin(), s.A[p].end(),
                           [&](Atomic const& a) { return program_.processes[p].steps[a.place].to == pid; });
    }

    /// One access of a step that can come next.
    struct Access {
        std::size_t variable;
        bool writes, of_card, atomic;
        std::size_t step; ///< the accesses of one step have the same number
        std::string by = {};
    };

    /// What every possible step reads and writes, and which two of them collide.
    void find_races(State const& s) {
        std::vector<Access> all;
        std::size_t step = 0;
        for (std::size_t p = 0; p < program_.processes.size(); ++p) {
            if (Step const& c = next(s, p); may_step(s, p)) {
                if (c.kind == Step::Kind::load) all.push_back({c.source, false, false, false, step++});
                if (c.kind == Step::Kind::store) all.push_back({c.target, true, false, false, step++});
            }
            for (Read const& r : s.R[p]) all.push_back({r.var, false, true, false, step++});
            for (Write const& w : s.W[p]) all.push_back({w.var, true, true, false, step++});
            std::set<std::size_t> earlier;
            for (Atomic const& a : s.A[p]) {
                Step const& c = program_.processes[p].steps[a.place];
                if (!earlier.insert(c.location).second) continue;
                bool const is_no_op = c.kind != Step::Kind::swap && c.op == "no-op";
                all.push_back({c.location, !is_no_op, true, true, step});
                if (!is_no_op) all.push_back({c.operand, false, true, false, step});
                if (c.kind == Step::Kind::swap) all.push_back({c.compared, false, true, false, step});
                ++step;
            }
            for (Access& a : all)
                if (a.by.empty()) a.by = (a.of_card ? "card of " : "") + program_.processes[p].pid;
        }
        for (Access const& a : all)
            for (Access const& b : all)
                if (a.step != b.step && a.variable == b.variable && a.writes && a.of_card + b.of_card > 0 &&
                    !(a.atomic && b.atomic))
                    found_.races.insert(program_.names[a.variable] + ": " + std::min(a.by, b.by) + ", " +
                                        std::max(a.by, b.by));
    }

    /// What a flush waits for: a pending read or write of its process with to(.) = pid.
    static bool awaits(State const& s, std::size_t p, std::size_t pid) {
        return std::any_of(s.R[p].begin(), s.R[p].end(), [&](Read const& r) { return r.to == pid; }) ||
               std::any_of(s.W[p].begin(), s.W[p].end(), [&](Write const& w) { return w.to == pid; });
    }

    /// R(p) -= r, val(succ(r)) = M(var(r)), W(p) += succ(r)
    void nic_r(State const& s, std::size_t p) {
        for (Read const& r : s.R[p]) {
            State t = s;
            t.R[p].erase(t.R[p].find(r));
            t.W[p].insert({r.succ, s.M[r.var], r.to});
            reach(std::move(t));
        }
    }

    /// W(p) -= w, M(var(w)) = val(w)
    void nic_w(State const& s, std::size_t p) {
        for (Write const& w : s.W[p]) {
            State t = s;
            t.W[p].erase(t.W[p].find(w));
            t.M[w.var] = w.val;
            reach(std::move(t));
        }
    }

    Program const& program_;
    Model model_;
    Bounds bounds_;
    Found found_;
    std::set<State> seen_;
    std::deque<State const*> todo_;
};

} // namespace

Program read(std::string const& text) {
    std::size_t place = 0;
    return Reader(read_tree(text, place)).result();
}

std::optional<Found> explore(Program const& program, Model model, Bounds bounds) {
    return Exploration(program, model, bounds).run();
}

namespace {

/// Calls `visit` with every flush.
template <typename Program, typename Visit>
void for_each_flush(Program& program, Visit visit) {
    std::size_t i = 0;
    for (auto& process : program.processes)
        for (auto& step : process.steps)
            if (step.kind == Step::Kind::flush) visit(i++, step);
}

} // namespace

std::size_t flushes(Program const& program) {
    std::size_t count = 0;
    for_each_flush(program, [&](std::size_t, Step const&) { ++count; });
    return count;
}

Program with_flushes(Program program, std::set<std::size_t> const& kept) {
    for_each_flush(program, [&](std::size_t i, Step& step) {
        if (kept.count(i) == 0) step.kind = Step::Kind::skip;
    });
    return program;
}

std::optional<std::vector<std::set<std::size_t>>> least_flushes(Program const& program, Bounds bounds) {
    bounds.until_violated = true;
    std::size_t const n = flushes(program);
    std::vector<std::set<std::size_t>> found;
    for (std::size_t size = 0; size <= n && found.empty(); ++size)
        for (unsigned long bits = 0; bits < 1UL << n; ++bits) {
            std::set<std::size_t> kept;
            for (std::size_t i = 0; i < n; ++i)
                if ((bits >> i & 1U) != 0) kept.insert(i);
            if (kept.size() != size) continue;
            auto const f = explore(with_flushes(program, kept), Model::rma, bounds);
            if (!f || (f->cut && !f->violated)) return std::nullopt;
            if (!f->violated) found.push_back(kept);
        }
    return found;
}

std::set<std::string> final_values(Found const& found, std::string const& name) {
    std::set<std::string> result;
    for (std::string const& memory : found.finals) {
        std::string const all = ", " + memory + ",";
        std::string const before = ", " + name + " = ";
        std::size_t const from = all.find(before) + before.size();
        result.insert(all.substr(from, all.find(',', from) - from));
    }
    return result;
}

std::string to_text(Found const& found) {
    std::string text = found.violated ? "violated" : "safe";
    if (found.discarded) text += ", discarded";
    for (std::string const& race : found.races) text += ", race for " + race;
    if (found.faulted) text += ", faulted";
    if (found.cut) text += ", cut";
    text += "; " + std::to_string(found.finals.size()) + " final valuations of " + std::to_string(found.states) +
            " states\n";
    for (std::string const& memory : found.finals) text += "  " + memory + "\n";
    return text;
}

} // namespace matchpoint::naive_rma
