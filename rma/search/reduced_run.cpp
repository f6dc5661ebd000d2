#include "rma/search/reduced_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "rma/machine/evaluate.hpp"

namespace matchpoint::rma {

namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);
constexpr std::size_t several = static_cast<std::size_t>(-2);
constexpr std::size_t longest_step = 100'000; // instructions, in all ways that it can go

/// Calls `use` with the variables that an action reads or writes. False: it uses sets, or is no simple statement.
template <typename Use>
bool uses_of(reduced::Program const& p, reduced::Action const& action, Use const& use) {
    auto const of = [&](Expression e) {
        for (std::uint32_t n = e.first; n < e.first + e.size; ++n)
            if (p.nodes[n].kind == Node::Kind::variable) use(Variable{p.nodes[n].payload});
        return true;
    };
    return std::visit(overloaded{
                          [&](reduced::Assign const& c) { return use(c.x), of(c.e); },
                          [&](reduced::Choose const& c) { return use(c.x), true; },
                          [&](reduced::Draw const& c) { return use(c.x), false; },
                          [&](reduced::Reset const& c) { return use(c.x), false; },
                          [&](reduced::Join const& c) { return use(c.x), false; },
                          [&](reduced::Assume const& c) { return of(c.e); },
                          [&](reduced::Assert const& c) { return of(c.e); },
                          [&](reduced::Skip const&) { return true; },
                          [&](reduced::Branch const& c) { return of(c.e); },
                          [&](reduced::Jump const&) { return false; },
                          [&](reduced::Group const&) { return false; },
                          [&](reduced::Enter const&) { return false; },
                          [&](reduced::RemoteOps const&) { return false; },
                          [&](reduced::ExecuteOne const&) { return false; },
                          [&](reduced::ExecuteUntil const& c) { return of(c.e), false; },
                          [&](reduced::End const&) { return false; },
                      },
                      action);
}

} // namespace

Expected<std::vector<Variable>, std::string> names_of(rma::Program const& original, reduced::Program const& program) {
    std::vector<Variable> shown(original.variables.size());
    for (Variable const x : original.declared) {
        auto const found = program.variables.find(original.symbols(x));
        if (!found) return Unexpected{fmt::format("it has no variable `{}`", printable(original.symbols(x)))};
        if (program.initial[*found].is_boolean() != original[x].initial.is_boolean())
            return Unexpected{fmt::format("its variable `{}` has another sort", printable(original.symbols(x)))};
        shown[x.index] = {*found};
    }
    return shown;
}

std::vector<Variable> variables_of(reduced::Program const& program) {
    std::vector<Variable> all;
    for (std::uint32_t x = 0; x < program.variables.size(); ++x)
        if (std::none_of(program.places.begin(), program.places.end(),
                         [&](reduced::Place const& place) { return place.x == Variable{x}; }))
            all.push_back({x});
    return all;
}

TextSystem::TextSystem(reduced::Program const& program, std::vector<Variable> shown, std::optional<ValueRange> values)
    : p_(program), shown_(std::move(shown)), range_(values), user_(program.variables.size(), nobody),
      place_of_(program.variables.size(), nowhere), place_thread_(program.variables.size(), 0) {
    for (reduced::Place const& place : p_.places) {
        place_of_[place.x.index] = place.at;
        place_thread_[place.x.index] = place.thread;
    }
    std::vector<char> is_packed(p_.variables.size(), 0);
    auto const add = [&](Variable x) {
        if (x.is_none() || place_of_[x.index] != nowhere || is_packed[x.index] != 0) return;
        is_packed[x.index] = 1;
        packed_.push_back(x);
    };
    for (Variable const x : shown_) add(x);
    shown_count_ = packed_.size();
    for (std::uint32_t x = 0; x < p_.variables.size(); ++x) add({x});
    for (reduced::ProcedureText const& procedure : p_.procedures) has_inner_ = has_inner_ || !procedure.is_one_step;
    for (reduced::Property const& property : p_.properties) has_invariants_ = has_invariants_ || !property.is_final;
    find_private();
    for (reduced::Thread const& thread : p_.threads) here_.at.push_back({p_.settled(thread.first)});
    here_.M = p_.initial;
    here_.sets.resize(p_.sets.size());
}

/// Which variables only one thread uses. Procedures belong to nobody.
void TextSystem::find_private() {
    std::vector<std::size_t> owner(p_.code.size(), several);
    for (std::size_t t = 0; t < p_.threads.size(); ++t) {
        Index i = p_.threads[t].first;
        for (Index const last = static_cast<Index>(p_.code.size()); i < last; ++i) {
            owner[i] = t;
            if (std::holds_alternative<reduced::End>(p_.code[i].action)) break;
            bool const repeats = p_.threads[t].kind == reduced::Thread::Kind::always;
            if (auto const* const jump = std::get_if<reduced::Jump>(&p_.code[i].action);
                repeats && jump != nullptr && jump->target == p_.threads[t].first)
                break;
        }
    }
    for (Index i = 0; i < p_.code.size(); ++i)
        uses_of(p_, p_.code[i].action, [&](Variable x) {
            std::size_t& user = user_[x.index];
            user = user == nobody ? owner[i] : user == owner[i] ? user : several;
        });
}

// ---- packing: the shown variables in words of their own

void TextSystem::prepare() {
    WordLayout memory, rest;
    M_.assign(p_.variables.size(), {});
    for (std::size_t k = 0; k < shown_count_; ++k) M_[packed_[k].index] = memory.add(values_.bits());
    memory_words_ = memory.words();
    auto const behind = [&](unsigned bits) {
        Field field = rest.add(bits);
        field.word += static_cast<std::uint32_t>(memory_words_);
        return field;
    };
    for (std::size_t k = shown_count_; k < packed_.size(); ++k) M_[packed_[k].index] = behind(values_.bits());
    pc_.clear();
    inner_.clear();
    set_.clear();
    unsigned const bits = bits_for(p_.code.size() + 1);
    for (std::size_t t = 0; t < p_.threads.size(); ++t) {
        pc_.push_back(behind(bits));
        if (has_inner_) inner_.push_back(behind(bits));
    }
    for (std::size_t i = 0; i < p_.sets.size(); ++i) set_.push_back(behind(sets_.bits()));
    words_ = memory_words_ + rest.words();
}

/// Throws TooNarrow.
void TextSystem::pack(TextState const& state, Word* words) {
    for (Variable const x : packed_) M_[x.index].set(words, values_.number(state.M[x.index]));
    for (std::size_t t = 0; t < state.at.size(); ++t) {
        Stand const& at = state.at[t];
        pc_[t].set(words, at.pc);
        if (has_inner_) inner_[t].set(words, at.inner == nowhere ? static_cast<Index>(p_.code.size()) : at.inner);
    }
    for (std::size_t i = 0; i < state.sets.size(); ++i) set_[i].set(words, sets_.number(state.sets[i]));
}

void TextSystem::unpack(Word const* words, TextState& state) const {
    for (Variable const x : packed_) state.M[x.index] = values_[M_[x.index].get(words)];
    for (std::size_t t = 0; t < state.at.size(); ++t) {
        Stand& at = state.at[t];
        at.pc = pc_[t].get(words);
        at.inner = has_inner_ ? inner_[t].get(words) : nowhere;
        if (at.inner == p_.code.size()) at.inner = nowhere;
    }
    for (std::size_t i = 0; i < state.sets.size(); ++i) state.sets[i] = sets_[set_[i].get(words)];
}

Packed TextSystem::initial() {
    TextState state = here_;
    for (std::size_t t = 0; t < p_.threads.size(); ++t) state.at[t] = {p_.settled(p_.threads[t].first)};
    state.M = p_.initial;
    for (auto& set : state.sets) set.clear();
    Packed packed(words_, 0);
    pack(state, packed.data());
    return packed;
}

Packed TextSystem::memory_part(Word const* state) const { return {state, state + memory_words_}; }

std::vector<Value> TextSystem::memory(Packed const& memory_part) const {
    std::vector<Value> M(shown_.size());
    for (std::size_t x = 0; x < shown_.size(); ++x)
        if (!shown_[x].is_none()) M[x] = values_[M_[shown_[x].index].get(memory_part.data())];
    return M;
}

void TextSystem::widen() {
    if (!sets_.widen()) values_.widen();
}

// ---- what can come of a state

bool TextSystem::has_finished(reduced::Thread::Kind kind) const {
    for (std::size_t t = 0; t < p_.threads.size(); ++t) {
        if (p_.threads[t].kind != kind) continue;
        Stand const& at = here_.at[t];
        bool const is_at_rest = kind == reduced::Thread::Kind::always
                                    ? at.pc == p_.settled(p_.threads[t].first)
                                    : std::holds_alternative<reduced::End>(p_.code[at.pc].action);
        if (!is_at_rest || at.inner != nowhere) return false;
    }
    return true;
}

bool TextSystem::is_inside(std::size_t t) const { return p_.code[here_.at[t].pc].is_inside; }

void TextSystem::look(Expansion& result) {
    using Kind = reduced::Thread::Kind;
    result.is_final = has_finished(Kind::process) && has_finished(Kind::finally) && has_finished(Kind::always);
    for (std::size_t i = 0; i < p_.properties.size(); ++i) {
        if (p_.properties[i].is_final && !result.is_final) continue;
        auto const v = value(here_, p_.properties[i].e);
        result.faulted = result.faulted || !v;
        if (v && v->is_false() && !result.broken) result.broken = i;
    }
}

bool TextSystem::expand(Word const* state, bool reduced, Expansion& result) {
    using Kind = reduced::Thread::Kind;
    result.clear();
    unpack(state, here_);
    look(result);
    result.may_assert = true; // a step may have many statements
    if (reduced && ample(result)) return true;
    std::size_t inside = nobody;
    for (std::size_t t = 0; t < p_.threads.size(); ++t)
        if (p_.threads[t].kind == Kind::process && is_inside(t)) inside = t;
    bool const all_finished = has_finished(Kind::process);
    for (std::size_t t = 0; t < p_.threads.size(); ++t) {
        Kind const kind = p_.threads[t].kind;
        if (kind == Kind::process && inside != nobody && inside != t) continue;
        if (kind == Kind::finally && !all_finished) continue;
        step(t, result);
    }
    return false;
}

bool TextSystem::is_private(std::size_t t, reduced::Action const& action) const {
    bool is = true;
    bool const is_simple = uses_of(p_, action, [&](Variable x) { is = is && user_[x.index] == t; });
    return is && is_simple;
}

/// A step that concerns nobody but its process.
bool TextSystem::ample(Expansion& result) {
    if (has_invariants_) return false;
    std::size_t inside = nobody;
    for (std::size_t t = 0; t < p_.threads.size(); ++t)
        if (p_.threads[t].kind == reduced::Thread::Kind::process && is_inside(t)) inside = t;
    for (std::size_t t = 0; t < p_.threads.size(); ++t) {
        if (p_.threads[t].kind != reduced::Thread::Kind::process || (inside != nobody && inside != t)) continue;
        if (here_.at[t].inner != nowhere || !is_private(t, p_.code[here_.at[t].pc].action)) continue;
        step(t, result);
        bool const suits = std::all_of(result.edges.begin(), result.edges.end(), [](Expansion::Edge const& e) {
            return e.effect == Effect::moved || e.effect == Effect::failed;
        });
        if (suits && !result.edges.empty()) return true;
        result.edges.clear();
        result.words.clear();
    }
    return false;
}

/// Behind what is no step.
TextSystem::Index TextSystem::behind_prefixes(Index i) const {
    while (std::holds_alternative<reduced::Enter>(p_.code[i].action) ||
           std::holds_alternative<reduced::RemoteOps>(p_.code[i].action))
        i = p_.settled(i + 1);
    return i;
}

void TextSystem::step(std::size_t t, Expansion& result) {
    if (here_.at[t].inner != nowhere) return inner_step(t, result);
    Index const pc = here_.at[t].pc;
    for (Index i = pc; i != behind_prefixes(i); i = p_.settled(i + 1))
        if (auto const* const ops = std::get_if<reduced::RemoteOps>(&p_.code[i].action))
            call(t, ops->calls, pc, result);
    Index const i = behind_prefixes(pc);
    reduced::Action const& action = p_.code[i].action;
    if (std::holds_alternative<reduced::End>(action)) return;
    if (auto const* const one = std::get_if<reduced::ExecuteOne>(&action)) {
        call(t, one->calls, p_.settled(i + 1), result);
        return;
    }
    if (auto const* const until = std::get_if<reduced::ExecuteUntil>(&action)) {
        auto const v = value(here_, until->e);
        TextState there = here_;
        there.at[t].pc = p_.settled(i + 1);
        if (!v)
            add(there, Effect::faulted, result);
        else if (v->is_true())
            add(there, Effect::moved, result);
        else
            call(t, until->calls, pc, result);
        return;
    }
    auto const* const group = std::get_if<reduced::Group>(&action);
    Index const end = group != nullptr ? group->end : nowhere;
    std::vector<Result> results;
    if (group != nullptr)
        results = run(here_, i + 1, end);
    else
        run_one(here_, i, results);
    for (Result& r : results) {
        r.state.at[t].pc = p_.settled(r.next);
        add(r.state, r.effect, result);
    }
}

/// In a procedure whose statements are steps. Behind it, an `execute-one` is done; a `remote-ops` or `execute-until`
/// goes on.
void TextSystem::inner_step(std::size_t t, Expansion& result) {
    std::vector<Result> results;
    run_one(here_, here_.at[t].inner, results);
    for (Result& r : results) {
        Stand& at = r.state.at[t];
        at.inner = p_.settled(r.next);
        if (std::holds_alternative<reduced::End>(p_.code[at.inner].action)) {
            at.inner = nowhere;
            Index const i = behind_prefixes(at.pc);
            if (std::holds_alternative<reduced::ExecuteOne>(p_.code[i].action)) at.pc = p_.settled(i + 1);
        }
        if (r.effect != Effect::discarded) add(r.state, r.effect, result);
    }
}

/// Calls any of the procedures; then the thread is at `then`.
void TextSystem::call(std::size_t t, reduced::Calls calls, Index then, Expansion& result) {
    for (std::uint32_t k = calls.first; k < calls.last; ++k) {
        reduced::ProcedureText const& procedure = p_.procedures[p_.calls[k]];
        if (!procedure.is_one_step) {
            // Its first statement is the step, so that a guard that does not hold keeps nobody.
            Stand const before = here_.at[t];
            here_.at[t].inner = p_.settled(procedure.first);
            inner_step(t, result);
            here_.at[t] = before;
            continue;
        }
        for (Result& r : run(here_, procedure.first, procedure.last)) {
            r.state.at[t].pc = then;
            if (r.effect != Effect::discarded) add(r.state, r.effect, result);
        }
    }
}

/// All ways through the instructions from `first` to `end`.
std::vector<TextSystem::Result> TextSystem::run(TextState const& from, Index first, Index end) const {
    std::vector<Result> done;
    std::vector<Result> open;
    std::vector<Result> next;
    open.push_back({from, first, Effect::moved});
    for (std::size_t n = 0; !open.empty(); ++n) {
        if (n > longest_step) throw LimitReached("a step of the reduced program does not end");
        spend(100);
        Result const r = std::move(open.back());
        open.pop_back();
        if (r.next == end) {
            done.push_back(r);
            continue;
        }
        next.clear();
        run_one(r.state, r.next, next);
        for (Result& after : next) {
            if (after.effect == Effect::moved) after.effect = r.effect; // it may have failed before
            bool const goes_on = after.effect == Effect::moved || after.effect == Effect::failed;
            (goes_on ? open : done).push_back(std::move(after));
        }
    }
    return done;
}

void TextSystem::run_one(TextState const& state, Index i, std::vector<Result>& results) const {
    auto const none = [&](Effect effect) { results.push_back({state, i + 1, effect}); };
    auto const condition = [&](Expression e, auto const& then) {
        auto const v = value(state, e);
        if (v)
            then(v->is_true());
        else
            none(Effect::faulted);
    };
    auto const never = [](auto const&) { throw std::logic_error("no single instruction of a reduced program"); };
    std::visit(overloaded{
                   [&](reduced::Assign const& c) {
                       auto const v = value(state, c.e);
                       if (!v) return none(Effect::faulted);
                       assign(state, i, c.x, values_.number(*v), results);
                   },
                   [&](reduced::Choose const& c) {
                       for (std::uint32_t k = c.first; k < c.last; ++k)
                           assign(state, i, c.x, values_.number(p_.choices[k]), results);
                   },
                   [&](reduced::Draw const& c) {
                       if (state.sets[c.set].empty()) return none(Effect::faulted);
                       for (std::uint32_t const e : state.sets[c.set]) assign(state, i, c.x, e, results);
                   },
                   [&](reduced::Reset const& c) {
                       none(Effect::moved);
                       results.back().state.sets[c.set].assign(1, values_.number(state.M[c.x.index]));
                   },
                   [&](reduced::Join const& c) {
                       none(Effect::moved);
                       auto& set = results.back().state.sets[c.set];
                       std::uint32_t const e = values_.number(state.M[c.x.index]);
                       auto const at = std::lower_bound(set.begin(), set.end(), e);
                       if (at == set.end() || *at != e) set.insert(at, e);
                   },
                   [&](reduced::Assume const& c) {
                       condition(c.e, [&](bool holds) { none(holds ? Effect::moved : Effect::discarded); });
                   },
                   [&](reduced::Assert const& c) {
                       condition(c.e, [&](bool holds) { none(holds ? Effect::moved : Effect::failed); });
                   },
                   [&](reduced::Skip const&) { none(Effect::moved); },
                   [&](reduced::Branch const& c) {
                       condition(c.e, [&](bool holds) {
                           none(Effect::moved);
                           if (!holds) results.back().next = c.otherwise;
                       });
                   },
                   [&](reduced::Jump const& c) {
                       none(Effect::moved);
                       results.back().next = c.target;
                   },
                   [&](reduced::Group const& c) { never(c); },
                   [&](reduced::Enter const& c) { never(c); },
                   [&](reduced::RemoteOps const& c) { never(c); },
                   [&](reduced::ExecuteOne const& c) { never(c); },
                   [&](reduced::ExecuteUntil const& c) { never(c); },
                   [&](reduced::End const& c) { never(c); },
               },
               p_.code[i].action);
}

void TextSystem::assign(TextState const& state, Index i, Variable x, std::uint32_t number,
                        std::vector<Result>& results) const {
    results.push_back({state, i + 1, Effect::moved});
    results.back().state.M[x.index] = values_[number];
}

std::optional<Value> TextSystem::value(TextState const& state, Expression e) const {
    return evaluate_nodes(p_, e, [&](Variable x) {
        Index const place = place_of_[x.index];
        if (place == nowhere) return state.M[x.index];
        Index const pc = state.at[place_thread_[x.index]].pc;
        bool const enters = std::holds_alternative<reduced::Enter>(p_.code[pc].action);
        return Value::boolean(pc == place || (enters && p_.settled(pc + 1) == place));
    });
}

bool TextSystem::in_range(TextState const& state) const {
    if (!range_) return true;
    for (std::size_t k = 0; k < shown_count_; ++k) {
        Value const& v = state.M[packed_[k].index];
        if (!v.is_integer() || v == here_.M[packed_[k].index]) continue;
        auto const i = v.small();
        if (!i || *i < range_->lo || *i > range_->hi) return false;
    }
    return true;
}

void TextSystem::add(TextState const& state, Effect effect, Expansion& result) {
    if (!in_range(state)) {
        result.cuts.values = true;
        return;
    }
    std::size_t const begin = result.words.size();
    if (effect == Effect::moved || effect == Effect::failed) {
        result.words.resize(begin + words_, 0);
        pack(state, result.words.data() + begin);
    }
    result.edges.push_back({begin, effect});
}

} // namespace matchpoint::rma
