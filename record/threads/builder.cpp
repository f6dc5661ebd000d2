#include "record/threads/builder.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "base/integer.hpp"
#include "grammar/operators.hpp"
#include "record/source_lines.hpp"

namespace matchpoint::record::threads {

namespace {

/// Larger terms are computed once, in a local variable: those that are needed twice, and any.
constexpr std::uint32_t largest_repeated = 7, largest = 60;

Value value_of(Wide v) {
    if (v >= INT64_MIN && v <= INT64_MAX) return Value::integer(static_cast<std::int64_t>(v));
    Wide const high = v >> 62U;
    Wide const low = v - (high << 62U);
    Integer i = static_cast<std::int64_t>(high);
    i <<= 62U;
    i += static_cast<std::int64_t>(low);
    return base::to_value(i);
}

bool is_taken_by_the_language(std::string_view name) {
    if (name == "true" || name == "false" || name == "bot") return true;
    auto const reserved = grammar::reserved_names();
    return std::find(reserved.begin(), reserved.end(), name) != reserved.end() ||
           std::any_of(grammar::op_rows.begin(), grammar::op_rows.end(),
                       [&](auto const& row) { return row.name == name; });
}

/// A name as the language has them.
std::string as_atom(std::string name) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f ||
            std::string_view("()[];\"{}").find(c) != std::string_view::npos)
            c = '_';
    if (find_invalid_utf8(name)) name = "variable";
    bool const is_number = name.find_first_not_of("+-0123456789") == std::string::npos;
    if (name.empty() || is_number) name = "v" + name;
    return name;
}

} // namespace

std::string ProgramBuilder::unique(std::string name) {
    name = as_atom(std::move(name));
    std::string result = name;
    for (std::size_t i = 2; is_taken_by_the_language(result) || !names_.insert(result).second; ++i)
        result = fmt::format("{}~{}", name, i);
    return result;
}

std::uint32_t ProgramBuilder::shared(std::string name, Wide initial, Range bounds, bool is_atomic) {
    shared_.push_back({unique(std::move(name)), initial, bounds, false, is_atomic});
    return static_cast<std::uint32_t>(shared_.size()) - 1;
}

std::uint32_t ProgramBuilder::local(std::uint32_t thread, std::string_view from) {
    if (counts_.size() <= thread) counts_.resize(thread + 1, 0);
    std::string const name = fmt::format("{}_{}.{}", from, thread, ++counts_[thread]);
    locals_.push_back({unique(name), thread});
    return static_cast<std::uint32_t>(locals_.size()) - 1;
}

std::size_t ProgramBuilder::locations() const {
    return static_cast<std::size_t>(
        std::count_if(shared_.begin(), shared_.end(), [](Shared const& s) { return s.is_location; }));
}

/// Writes terms and commands as a draft.
class ProgramText {
public:
    ProgramText(ProgramBuilder& builder, RunIndex const& index) : b_(builder), terms_(builder.terms_), index_(index) {}

    draft::Draft program() {
        std::stable_sort(b_.commands_.begin(), b_.commands_.end(),
                         [](RunCommand const& x, RunCommand const& y) { return x.at < y.at; });
        find_ranges();
        count_uses();
        leave_out_unused();
        to_.threads.resize(index_.threads.size());
        to_.traces.resize(1);
        for (RunCommand const& c : b_.commands_) command(c);
        for (auto const& s : b_.shared_)
            to_.shared.push_back(
                {s.name, s.is_truth ? Value::boolean(s.initial != 0) : value_of(s.initial), s.is_atomic});
        return std::move(to_);
    }
    std::size_t assumed() const { return assumed_; }

private:
    void find_ranges() {
        std::vector<Range> initial;
        std::vector<Range> bounds;
        for (auto const& s : b_.shared_) {
            initial.push_back({s.initial, s.initial});
            bounds.push_back(s.bounds);
        }
        std::vector<Terms::Store> stores;
        for (RunCommand const& c : b_.commands_)
            for (auto const& [x, e] : c.assigned)
                if (x.is_shared) stores.push_back({x.index, e});
        terms_.find_ranges(std::move(initial), bounds, stores);
    }

    bool is_left_out(RunCommand const& c) const {
        if (c.kind == RunCommand::Kind::within) return signed_range(c.bits).contains(terms_[c.guard].range);
        return c.kind == RunCommand::Kind::assume && c.guard != 0 && c.assigned.empty() && simple(c.guard) == always;
    }

    /// A term that a simpler one can be written for, now that ranges are known.
    TermId simple(TermId t) const {
        while (true) {
            Term const& x = terms_[t];
            Range const& inner = terms_[x.a].range;
            if (x.is_truth && x.range.low == x.range.high) return x.range.low == 0 ? never : always;
            if (x.kind == TermKind::choose && inner.low == inner.high) {
                t = inner.low == 0 ? x.c : x.b;
                continue;
            }
            bool const is_same = x.kind == TermKind::clip ||
                                 (x.kind == TermKind::wrap && signed_range(x.bits).contains(inner)) ||
                                 (x.kind == TermKind::view && inner.low >= 0 && inner.high < power_of_two(x.bits)) ||
                                 (x.kind == TermKind::mod && inner.low >= 0 && inner.high < terms_[x.b].value);
            if (!is_same) return t;
            t = x.a;
        }
    }

    static bool is_leaf(Term const& t) {
        return t.kind == TermKind::constant || t.kind == TermKind::truth || t.kind == TermKind::local ||
               t.kind == TermKind::shared;
    }

    /// How often each term is needed, and how large it is as text.
    void count_uses() {
        uses_.assign(terms_.size(), 0);
        sizes_.assign(terms_.size(), 1);
        local_uses_.assign(b_.locals_.size(), 0);
        in_locals_.assign(terms_.size(), UINT32_MAX);
        auto const use = [&](TermId t) {
            if (t != 0) ++uses_[simple(t)];
        };
        for (RunCommand const& c : b_.commands_) {
            if (is_left_out(c)) continue;
            if (c.kind == RunCommand::Kind::assert_)
                ++uses_[c.guard];
            else
                use(c.guard);
            for (auto const& [x, e] : c.assigned) use(e);
        }
        for (TermId t = static_cast<TermId>(terms_.size()); t-- > 1;) {
            Term const& x = terms_[t];
            if (uses_[t] == 0) continue;
            if (x.kind == TermKind::local) local_uses_[x.variable] += uses_[t];
            if (is_leaf(x)) continue;
            for (TermId const o : {x.a, x.b, x.c}) use(o);
        }
        for (TermId t = 1; t < terms_.size(); ++t) {
            Term const& x = terms_[t];
            if (is_leaf(x) || uses_[t] == 0) continue;
            std::uint64_t size = x.kind == TermKind::wrap ? 7 : x.kind == TermKind::view ? 3 : 1;
            for (TermId const o : {x.a, x.b, x.c})
                if (o != 0) size += is_computed_once(simple(o)) ? 1 : sizes_[simple(o)];
            sizes_[t] = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, UINT32_MAX));
        }
    }

    bool is_computed_once(TermId t) const {
        if (terms_[t].has_shared || terms_[t].owner == UINT32_MAX || is_leaf(terms_[t])) return false;
        return sizes_[t] > largest || (uses_[t] > 1 && sizes_[t] >= largest_repeated);
    }

    /// What a command that does more than that reads, and nobody needs.
    void leave_out_unused() {
        for (RunCommand& c : b_.commands_) {
            bool const is_only_read = c.assigned.size() < 2 && (c.guard == 0 || terms_.is_constant(c.guard));
            if (c.is_plain || is_only_read) continue;
            std::erase_if(c.assigned,
                          [&](auto const& a) { return !a.first.is_shared && local_uses_[a.first.index] == 0; });
        }
    }

    void command(RunCommand const& c) {
        if (is_left_out(c)) return;
        if (c.kind == RunCommand::Kind::within) return within(c);
        std::vector<draft::Assignment> assigned;
        for (auto const& [x, e] : c.assigned) prepare(e, c);
        // What is asserted is shown, even if it cannot fail.
        bool const is_shown = c.kind == RunCommand::Kind::assert_ && !is_leaf(terms_[c.guard]);
        if (is_shown)
            for (TermId const o : {terms_[c.guard].a, terms_[c.guard].b, terms_[c.guard].c}) {
                if (o != 0) prepare(o, c);
            }
        else if (c.guard != 0)
            prepare(c.guard, c);
        for (auto const& [x, e] : c.assigned)
            assigned.push_back({x.is_shared ? b_.shared_[x.index].name : b_.locals_[x.index].name, expression(e)});
        if (c.is_plain) return emit(draft::assign(assigned[0].x, std::move(assigned[0].e)), c);
        draft::Expression guard = c.guard == 0 ? draft::truth(true)
                                  : is_shown   ? operation(c.guard)
                                               : expression(c.guard);
        if (c.kind == RunCommand::Kind::when) return emit(draft::when(std::move(guard), std::move(assigned)), c);
        if (c.kind == RunCommand::Kind::assert_) return emit(draft::assert_(std::move(guard)), c);
        emit(draft::guarded(std::move(guard), std::move(assigned)), c);
    }

    void within(RunCommand const& c) {
        ++assumed_;
        prepare(c.guard, c);
        Range const all = signed_range(c.bits);
        Range const& r = terms_[c.guard].range;
        std::vector<draft::Expression> both;
        if (r.low < all.low)
            both.push_back(draft::operation(Op::less_equal, draft::constant(value_of(all.low)), expression(c.guard)));
        if (r.high > all.high)
            both.push_back(draft::operation(Op::less_equal, expression(c.guard), draft::constant(value_of(all.high))));
        draft::Expression is_within =
            both.size() == 1 ? std::move(both[0]) : draft::operation(Op::and_, std::move(both[0]), std::move(both[1]));
        emit(b_.overflow_ == Overflow::asserted ? draft::assert_(std::move(is_within))
                                                : draft::assume(std::move(is_within)),
             c);
    }

    void emit(draft::Command command, RunCommand const& c, bool is_part = false) {
        draft::Thread& thread = to_.threads[c.thread];
        draft::LocatedCommand located(std::move(command), location(c, is_part));
        if (auto const at = index_.places.find(c.place);
            at != index_.places.end() && !at->second.file.empty() && at->second.line > 0) {
            std::string file = shown_file(at->second.file);
            for (char& letter : file)
                if (letter == '"' || static_cast<unsigned char>(letter) < ' ') letter = '_';
            if (find_invalid_utf8(file)) file = "source";
            located.at = draft::Origin{std::move(file), at->second.line};
        }
        if (c.mark != 0 && !is_part)
            b_.marked_.try_emplace({c.thread, c.mark}, static_cast<std::uint32_t>(thread.size()));
        if (c.is_executed) to_.traces[0].push_back({located.rho, {}});
        thread.push_back(std::move(located));
    }

    /// "t1.17" is the 17th event of thread 1. What comes with it, or before the next one, has a letter more.
    std::string location(RunCommand const& c, bool is_part) {
        if (c.is_main && !is_part && named_.insert({c.thread, c.event}).second)
            return fmt::format("t{}.{}{}", c.thread, c.event, c.is_serial ? "S" : "");
        std::size_t n = letters_[{c.thread, c.event}]++;
        std::string letters;
        for (++n; n > 0; n = (n - 1) / 26) letters.insert(letters.begin(), static_cast<char>('a' + (n - 1) % 26));
        return fmt::format("t{}.{}{}", c.thread, c.event, letters);
    }

    /// Computes the parts of a term, and maybe itself, in local variables.
    void prepare(TermId whole, RunCommand const& c) {
        std::vector<std::pair<TermId, bool>> rest{{simple(whole), false}};
        while (!rest.empty()) {
            auto const [t, is_open] = rest.back();
            rest.pop_back();
            Term const& x = terms_[t];
            if (is_leaf(x) || in_locals_[t] != UINT32_MAX) continue;
            if (is_open) {
                if (!is_computed_once(t)) continue;
                std::uint32_t const local = b_.local(c.thread, "e");
                draft::Expression e = operation(t);
                in_locals_[t] = local;
                emit(draft::assign(b_.locals_[local].name, std::move(e)), c, true);
                continue;
            }
            // Parts below were looked at with the term that has them in the same command.
            rest.emplace_back(t, true);
            for (TermId const o : {x.a, x.b, x.c})
                if (o != 0) rest.emplace_back(simple(o), false);
        }
    }

    draft::Expression expression(TermId whole) {
        TermId const t = simple(whole);
        Term const& x = terms_[t];
        if (x.kind == TermKind::constant) return draft::constant(value_of(x.value));
        if (x.kind == TermKind::truth) return draft::truth(x.value != 0);
        if (x.kind == TermKind::local) return draft::variable(b_.locals_[x.variable].name);
        if (x.kind == TermKind::shared) return draft::variable(b_.shared_[x.variable].name);
        if (in_locals_[t] != UINT32_MAX) return draft::variable(b_.locals_[in_locals_[t]].name);
        return operation(t);
    }

    draft::Expression binary(Op op, TermId a, TermId b) { return draft::operation(op, expression(a), expression(b)); }
    static draft::Expression with(Op op, draft::Expression e, Wide v) {
        return draft::operation(op, std::move(e), draft::constant(value_of(v)));
    }

    draft::Expression operation(TermId t) {
        Term const& x = terms_[t];
        switch (x.kind) {
        case TermKind::add: {
            Wide const v = terms_.is_constant(x.b) ? terms_[x.b].value : 0;
            if (v < 0) return with(Op::minus, expression(x.a), -v);
            return binary(Op::plus, x.a, x.b);
        }
        case TermKind::sub: return binary(Op::minus, x.a, x.b);
        case TermKind::mul: return binary(Op::times, x.a, x.b);
        case TermKind::div: return binary(Op::div, x.a, x.b);
        case TermKind::mod: return binary(Op::mod, x.a, x.b);
        case TermKind::view: return with(Op::mod, expression(x.a), power_of_two(x.bits));
        case TermKind::wrap: {
            Wide const half = power_of_two(x.bits - 1U);
            return with(Op::minus, with(Op::mod, with(Op::plus, expression(x.a), half), 2 * half), half);
        }
        case TermKind::equal: return binary(Op::equal, x.a, x.b);
        case TermKind::less:
            return terms_.is_constant(x.a) ? binary(Op::greater, x.b, x.a) : binary(Op::less, x.a, x.b);
        case TermKind::less_equal:
            return terms_.is_constant(x.a) ? binary(Op::greater_equal, x.b, x.a) : binary(Op::less_equal, x.a, x.b);
        case TermKind::not_:
            if (terms_[x.a].kind == TermKind::equal && in_locals_[x.a] == UINT32_MAX)
                return binary(Op::not_equal, terms_[x.a].a, terms_[x.a].b);
            return draft::operation(Op::not_, expression(x.a));
        case TermKind::and_: return binary(Op::and_, x.a, x.b);
        case TermKind::or_: return binary(Op::or_, x.a, x.b);
        case TermKind::xor_: return binary(Op::xor_, x.a, x.b);
        case TermKind::choose: {
            std::vector<draft::Expression> operands;
            for (TermId const o : {x.a, x.b, x.c}) operands.push_back(expression(o));
            return draft::operation(Op::ite, std::move(operands));
        }
        case TermKind::constant:
        case TermKind::truth:
        case TermKind::local:
        case TermKind::shared:
        case TermKind::clip: break;
        }
        throw std::logic_error("a term that is no operation");
    }

    ProgramBuilder& b_;
    Terms& terms_;
    RunIndex const& index_;
    draft::Draft to_;
    std::vector<std::uint32_t> uses_, sizes_, local_uses_, in_locals_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> letters_;
    std::set<std::pair<std::uint32_t, std::uint64_t>> named_; // events that have a command
    std::size_t assumed_ = 0;
};

std::optional<std::uint32_t> ProgramBuilder::command_of(std::uint32_t thread, std::uint32_t mark) const {
    auto const at = marked_.find({thread, mark});
    return at == marked_.end() ? std::nullopt : std::optional(at->second);
}

draft::Draft ProgramBuilder::program(RunIndex const& index) {
    ProgramText text(*this, index);
    draft::Draft result = text.program();
    assumed_ = text.assumed();
    return result;
}

} // namespace matchpoint::record::threads
