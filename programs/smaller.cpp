#include "programs/smaller.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "grammar/discipline.hpp"
#include "grammar/operators.hpp"
#include "grammar/parse.hpp"

namespace matchpoint::programs::draft {

namespace {

using Kind = Command::Kind;

constexpr std::uint32_t none = 0xFFFF'FFFF;

// ---------------------------------------------------------------------------------------------------------------------
// Expressions, flat: the operator before its operands.

struct Term {
    std::string text; // an operator, a variable or a value
    std::uint32_t operands = 0;
    std::uint32_t size = 1; // in terms, with the operands
};
using Terms = std::vector<Term>;

bool is_bracket(char c) { return c == '(' || c == ')' || c == '[' || c == ']'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The terms of an expression; none at all if the text is not one.
Terms terms_of(std::string_view text) {
    Terms terms;
    std::vector<std::uint32_t> open;
    bool is_operator = false; // what comes next
    std::size_t at = 0;
    while (at < text.size()) {
        char const c = text[at];
        if (is_space(c)) {
            ++at;
            continue;
        }
        if (is_operator && is_bracket(c)) return {};
        if (c == '(' || c == '[') {
            is_operator = true;
            ++at;
            continue;
        }
        if (is_bracket(c)) {
            if (open.empty()) return {};
            terms[open.back()].size = static_cast<std::uint32_t>(terms.size()) - open.back();
            open.pop_back();
            ++at;
            continue;
        }
        // More than one expression, or an atom behind it.
        if (open.empty() && !terms.empty()) return {};
        std::size_t end = at;
        while (end < text.size() && !is_space(text[end]) && !is_bracket(text[end])) ++end;
        if (!open.empty()) ++terms[open.back()].operands;
        if (is_operator) open.push_back(static_cast<std::uint32_t>(terms.size()));
        terms.push_back({std::string(text.substr(at, end - at))});
        is_operator = false;
        at = end;
    }
    if (!open.empty() || is_operator) return {};
    return terms;
}

std::string text_of(Terms const& terms) {
    std::string text;
    std::vector<std::uint32_t> left; // operands that are still to come, of each open operator
    for (Term const& t : terms) {
        if (!text.empty()) text += ' ';
        if (t.operands > 0) {
            text += '(';
            left.push_back(t.operands);
        } else {
            if (!left.empty()) --left.back();
        }
        text += t.text;
        while (!left.empty() && left.back() == 0) {
            text += ')';
            left.pop_back();
            if (!left.empty()) --left.back();
        }
    }
    return text;
}

/// With other terms instead of term `at` and its operands.
std::string replaced(Terms const& terms, std::uint32_t at, std::span<Term const> by) {
    Terms result(terms.begin(), terms.begin() + at);
    result.insert(result.end(), by.begin(), by.end());
    result.insert(result.end(), terms.begin() + at + terms[at].size, terms.end());
    return text_of(result);
}
std::string replaced(Terms const& terms, std::uint32_t at, std::string const& by) {
    Term const leaf{by};
    return replaced(terms, at, std::span(&leaf, 1));
}

bool is_truth(std::string_view atom) { return atom == "true" || atom == "false"; }
bool is_variable(Term const& t) { return t.operands == 0 && !is_integer(t.text) && !is_truth(t.text); }
bool is_number(Term const& t) { return t.operands == 0 && is_integer(t.text); }

bool has_expression(Kind kind) { return kind != Kind::rcvi && kind != Kind::wait; }

// ---------------------------------------------------------------------------------------------------------------------
// Names

/// New names for old ones, in the order in which these come.
class Renaming {
public:
    template <typename Name>
    std::string const& operator()(std::string const& old, Name const& name) {
        auto const [it, is_new] = names_.try_emplace(old);
        if (is_new) it->second = name(names_.size() - 1);
        return it->second;
    }
    bool knows(std::string const& old) const { return names_.contains(old); }
    std::string const* find(std::string const& old) const {
        auto const it = names_.find(old);
        return it == names_.end() ? nullptr : &it->second;
    }

private:
    std::unordered_map<std::string, std::string> names_;
};

std::string decimal(std::size_t i) { return std::to_string(i); }

/// Endpoints are compared as numbers.
std::string without_zeros(std::string const& endpoint) {
    std::size_t const first = endpoint.find_first_not_of('0');
    return first == std::string::npos ? "0" : endpoint.substr(first);
}

void canonical_locations(Draft& draft) {
    if (draft.traces.empty()) {
        for (Thread& t : draft.threads)
            for (Command& c : t) c.rho.clear();
        return;
    }
    name_locations(draft);
    std::vector<std::string> old;
    for (Thread& t : draft.threads)
        for (Command& c : t) old.push_back(std::exchange(c.rho, ""));
    name_locations(draft);
    std::unordered_map<std::string, std::string> renamed;
    std::unordered_set<std::string> taken;
    std::size_t i = 0;
    for (Thread const& t : draft.threads)
        for (Command const& c : t) {
            renamed.try_emplace(old[i++], c.rho);
            taken.insert(c.rho);
        }
    for (Trace& trace : draft.traces)
        for (Entry& entry : trace) {
            auto const it = renamed.find(entry.rho);
            if (it != renamed.end())
                entry.rho = it->second;
            else // no location of the program, and so it stays
                while (taken.contains(entry.rho)) entry.rho += '\'';
        }
}

} // namespace

std::string small_variable(std::size_t i) {
    constexpr std::string_view letters = "xyzuvw";
    return i < letters.size() ? std::string(1, letters[i]) : fmt::format("x{}", i - letters.size() + 1);
}

void canonical_names(Draft& draft) {
    Renaming receives;
    Renaming sends;
    for (Thread const& t : draft.threads)
        for (Command const& c : t) {
            if (c.kind == Kind::rcvi) receives(c.a, [](std::size_t i) { return fmt::format("R{}", i); });
            if (c.kind == Kind::sndi) sends(c.a, [](std::size_t i) { return fmt::format("S{}", i); });
        }
    Renaming variables;
    Renaming endpoints;
    auto const endpoint = [&](std::string& e) { e = endpoints(without_zeros(e), decimal); };
    auto const variable = [&](std::string& x) { x = variables(x, small_variable); };
    for (Thread& t : draft.threads)
        for (Command& c : t) {
            if (auto const* const a =
                    c.kind == Kind::sndi || !receives.knows(c.a) ? sends.find(c.a) : receives.find(c.a))
                c.a = *a;
            if (c.kind == Kind::sndi) endpoint(c.alpha);
            if (c.kind == Kind::sndi || c.kind == Kind::rcvi) endpoint(c.beta);
            if (c.kind == Kind::rcvi || c.kind == Kind::assign) variable(c.x);
            if (!has_expression(c.kind)) continue;
            Terms terms = terms_of(c.e);
            for (Term& term : terms)
                if (is_variable(term)) variable(term.text);
            if (!terms.empty()) c.e = text_of(terms);
        }
    for (Trace& trace : draft.traces)
        for (Entry& entry : trace)
            for (auto& [beta, alpha] : entry.m) {
                endpoint(beta);
                endpoint(alpha);
            }
    canonical_locations(draft);
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes

namespace {

/// Numbers for things by their order: equal ones have the same number.
template <typename T>
std::vector<std::uint32_t> ranks(std::vector<T> const& of) {
    std::vector<std::uint32_t> order(of.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return of[a] < of[b]; });
    std::vector<std::uint32_t> rank(of.size());
    for (std::size_t i = 1; i < order.size(); ++i)
        rank[order[i]] = rank[order[i - 1]] + (of[order[i - 1]] < of[order[i]] ? 1 : 0);
    return rank;
}

/// Threads by what can be told of them without names: what they do, and with whom.
class Alike {
public:
    explicit Alike(Draft const& draft) : uses_(draft.threads.size()) {
        std::vector<std::string> alone;
        for (std::size_t t = 0; t < draft.threads.size(); ++t) {
            Draft one{.threads = {draft.threads[t]}};
            for (Command const& c : one.threads[0])
                if (c.kind == Kind::sndi || c.kind == Kind::rcvi) {
                    if (c.kind == Kind::sndi) use(t, c.alpha);
                    use(t, c.beta);
                }
            canonical_names(one);
            alone.push_back(print(std::move(one)));
        }
        class_ = ranks(alone);
        // Finer, by whose endpoints these are, and whose those are in turn.
        for (std::size_t classes = 0; classes != count();) {
            classes = count();
            refine();
        }
    }

    std::vector<std::uint32_t> const& classes() const { return class_; }

private:
    void use(std::size_t t, std::string const& endpoint) {
        auto const e =
            numbers_.try_emplace(without_zeros(endpoint), static_cast<std::uint32_t>(numbers_.size())).first->second;
        if (std::find(uses_[t].begin(), uses_[t].end(), e) == uses_[t].end()) uses_[t].push_back(e);
    }
    std::size_t count() const { return class_.empty() ? 0 : *std::max_element(class_.begin(), class_.end()) + 1U; }
    void refine() {
        std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> used_by(numbers_.size());
        for (std::size_t t = 0; t < uses_.size(); ++t)
            for (std::size_t i = 0; i < uses_[t].size(); ++i)
                used_by[uses_[t][i]].emplace_back(class_[t], static_cast<std::uint32_t>(i));
        for (auto& u : used_by) std::sort(u.begin(), u.end());
        std::vector<std::uint32_t> const endpoint_class = ranks(used_by);
        std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> finer;
        for (std::size_t t = 0; t < uses_.size(); ++t) {
            auto& [old, endpoints] = finer.emplace_back(class_[t], std::vector<std::uint32_t>());
            for (std::uint32_t const e : uses_[t]) endpoints.push_back(endpoint_class[e]);
        }
        class_ = ranks(finer);
    }

    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::vector<std::uint32_t>> uses_; // thread -> its endpoints, in the order of their first use
    std::vector<std::uint32_t> class_;
};

constexpr std::size_t most_orders = 720;

} // namespace

std::string shape(Draft const& draft) {
    std::vector<std::uint32_t> const classes = Alike(draft).classes();
    std::vector<std::uint32_t> order(classes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return classes[a] < classes[b]; });
    auto const text = [&] {
        Draft sorted;
        for (std::uint32_t const t : order) sorted.threads.push_back(draft.threads[t]);
        canonical_names(sorted);
        return print(std::move(sorted));
    };
    auto const end_of_class = [&](std::size_t first) {
        std::size_t end = first;
        while (end < order.size() && classes[order[end]] == classes[order[first]]) ++end;
        return end;
    };
    std::size_t orders = 1;
    for (std::size_t first = 0; first < order.size() && orders <= most_orders; first = end_of_class(first))
        for (std::size_t n = end_of_class(first) - first; n > 1 && orders <= most_orders; --n) orders *= n;
    std::string least = text();
    if (orders > most_orders) return least;
    // All orders within the classes: that of the last class changes fastest.
    for (std::size_t i = 1; i < orders; ++i) {
        for (std::size_t first = 0; first < order.size(); first = end_of_class(first))
            if (std::next_permutation(order.begin() + static_cast<std::ptrdiff_t>(first),
                                      order.begin() + static_cast<std::ptrdiff_t>(end_of_class(first))))
                break;
        least = std::min(least, text());
    }
    return least;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sizes

namespace {

constexpr std::uint64_t large_value = 1'000'000'000'000;

std::uint64_t value_of(std::string_view number) {
    bool const negative = number.front() == '-';
    if (negative || number.front() == '+') number.remove_prefix(1);
    std::uint64_t value = 0;
    for (char const c : number) value = std::min(large_value, 10 * value + static_cast<std::uint64_t>(c - '0'));
    return 2 * value + (negative ? 1 : 0);
}

/// But for `renamed`.
Size size_without_names(Draft const& draft) {
    Size s;
    std::unordered_set<std::string> endpoints;
    std::unordered_set<std::string> variables;
    s.commands = draft.commands();
    s.threads = draft.threads.size();
    s.traces = draft.traces.size();
    for (Trace const& trace : draft.traces)
        for (Entry const& entry : trace) s.movements += entry.m.size();
    for (Thread const& t : draft.threads)
        for (Command const& c : t) {
            if (c.kind == Kind::sndi) endpoints.insert(without_zeros(c.alpha));
            if (c.kind == Kind::sndi || c.kind == Kind::rcvi) endpoints.insert(without_zeros(c.beta));
            if (c.kind == Kind::assign || c.kind == Kind::rcvi) variables.insert(c.x);
            if (!has_expression(c.kind)) continue;
            Terms const terms = terms_of(c.e);
            for (Term const& term : terms) {
                ++s.terms;
                if (is_number(term)) {
                    s.digits += term.text.size();
                    s.value += value_of(term.text);
                } else if (is_variable(term)) {
                    ++s.terms;
                    variables.insert(term.text);
                } else if (term.text == "false") {
                    ++s.value;
                }
            }
        }
    s.endpoints = endpoints.size();
    s.variables = variables.size();
    return s;
}

bool is_renamed(Draft const& draft) {
    Draft canonical = draft;
    canonical_names(canonical);
    return print(std::move(canonical)) != print(draft);
}

} // namespace

Size size(Draft const& draft) {
    Size s = size_without_names(draft);
    s.renamed = is_renamed(draft);
    return s;
}

bool obeys_the_rules(Draft const& draft) {
    Source const source("draft", print(draft));
    auto const program = parse(source);
    return program && check_discipline(*program, nullptr, Severity::error, 1).empty();
}

// ---------------------------------------------------------------------------------------------------------------------
// Cuts

class Smaller::Cuts {
public:
    Cuts(Draft draft, Place from) : draft_(std::move(draft)), from_(from) {
        name_locations(draft_);
        for (Thread& t : draft_.threads)
            for (Command& c : t)
                for (std::string Command::*const e : {&Command::alpha, &Command::beta})
                    if (!(c.*e).empty()) c.*e = without_zeros(c.*e);
        size_ = size_without_names(draft_);
        look();
        plan();
        next_ = static_cast<std::size_t>(
            std::find_if(plans_.begin(), plans_.end(), [&](Plan const& p) { return p.place >= from_; }) -
            plans_.begin());
    }

    std::optional<Draft> next() {
        while (next_ < plans_.size()) {
            Plan const& p = plans_[next_++];
            place_ = p.place;
            std::optional<Draft> cut = p.cut();
            if (cut && (size_without_names(*cut) < size_ || p.place.kind == kind_)) return cut;
        }
        return std::nullopt;
    }
    Place place() const { return place_; }

private:
    struct Plan {
        Place place;
        std::function<std::optional<Draft>()> cut;
    };

    /// What is known of a command: where it is, and what it has to do with others. By number, through all threads.
    struct Info {
        std::uint32_t thread = 0;
        std::uint32_t place = 0;
        Terms terms = {};
        std::uint32_t action = none;               // of a wait: the command that issues what it is for
        std::uint32_t wait = none;                 // of a send or receive: the wait for it
        std::uint32_t completed_by = none;         // of a receive
        std::vector<std::uint32_t> completes = {}; // of a wait: receives
        std::map<std::string, bool> booleans = {}; // of the variables in the terms that have a sort: whether it is Bool
    };

    Command const& command(std::uint32_t c) const { return draft_.threads[info_[c].thread][info_[c].place]; }
    std::uint32_t commands() const { return static_cast<std::uint32_t>(info_.size()); }

    void look();
    void sorts();
    void plan();
    void plan_messages();
    void plan_endpoints();
    void plan_expressions();
    void plan_variables();
    void plan_numbers();

    template <typename Cut>
    void add(Cut cut) {
        plans_.push_back({{kind_, index_++}, std::move(cut)});
    }
    void next_kind() {
        ++kind_;
        index_ = 0;
    }

    std::optional<Draft> without(std::vector<std::uint32_t> const& gone,
                                 std::map<std::uint32_t, Command> const& instead = {}) const;
    std::optional<Draft> without_thread(std::uint32_t t, bool with_messages) const;
    std::optional<Draft> assigned(std::uint32_t receive, std::uint32_t send, std::string const& value) const;
    Draft with_expression(std::uint32_t c, std::string e) const;
    void mend(std::vector<std::vector<Command>>& threads, std::vector<std::vector<std::uint32_t>> const& origins) const;
    Trace mended(Trace const& trace, std::vector<bool> const& stays) const;

    Draft draft_;
    Place from_;
    Size size_;
    std::vector<Info> info_;
    std::vector<std::uint32_t> first_;                              // of each thread
    std::map<std::string, std::vector<std::uint32_t>> receives_at_; // endpoint -> receives, in order
    std::map<std::string, std::vector<std::uint32_t>> sends_to_;    // endpoint -> sends, in order
    std::map<std::string, std::uint32_t> owner_;                    // endpoint -> thread
    std::vector<Plan> plans_;
    std::uint32_t kind_ = 0;
    std::uint32_t index_ = 0;
    std::size_t next_ = 0;
    Place place_;
};

void Smaller::Cuts::look() {
    std::unordered_map<std::string, std::uint32_t> issued;
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        first_.push_back(commands());
        for (std::uint32_t i = 0; i < draft_.threads[t].size(); ++i) {
            Command const& c = draft_.threads[t][i];
            std::uint32_t const number = commands();
            Info& info = info_.emplace_back();
            info.thread = t;
            info.place = i;
            if (has_expression(c.kind)) info.terms = terms_of(c.e);
            if (c.kind == Kind::sndi || c.kind == Kind::rcvi) issued.try_emplace(c.a, number);
            if (c.kind == Kind::sndi) {
                sends_to_[c.beta].push_back(number);
                owner_.try_emplace(c.alpha, t);
            }
            if (c.kind == Kind::rcvi) {
                receives_at_[c.beta].push_back(number);
                owner_.try_emplace(c.beta, t);
            }
        }
    }
    for (std::uint32_t w = 0; w < commands(); ++w) {
        if (command(w).kind != Kind::wait) continue;
        auto const it = issued.find(command(w).a);
        if (it == issued.end() || it->second >= w || info_[it->second].wait != none) continue;
        info_[w].action = it->second;
        info_[it->second].wait = w;
    }
    // The receives that a wait completes: its own and those before it at the endpoint (Definition 6, errata E24).
    for (auto const& [beta, receives] : receives_at_) {
        std::map<std::uint32_t, std::size_t> waits; // in order, and how many receives have been completed behind each
        for (std::size_t r = 0; r < receives.size(); ++r)
            if (info_[receives[r]].wait != none) waits[info_[receives[r]].wait] = r + 1;
        std::size_t completed = 0;
        for (auto const& [w, behind] : waits)
            for (; completed < behind; ++completed) {
                info_[w].completes.push_back(receives[completed]);
                info_[receives[completed]].completed_by = w;
            }
    }
    sorts();
}

/// Of the variables where they are used; by rule D6, of a program that obeys it.
void Smaller::Cuts::sorts() {
    std::map<std::string, bool> endpoints;
    Source const source("draft", print(draft_));
    auto const program = parse(source);
    if (program) {
        std::vector<bool> const booleans = endpoints_of_booleans(*program);
        for (std::uint32_t e = 0; e < booleans.size(); ++e)
            endpoints[std::string(program->symbols.endpoints[e])] = booleans[e];
    }
    auto const is_boolean = [&](Terms const& terms, std::map<std::string, bool> const& variables) {
        if (terms.empty()) return false;
        if (terms[0].operands > 0) {
            auto const op = parse_op(terms[0].text);
            return op && gives_boolean(*op);
        }
        auto const it = variables.find(terms[0].text);
        return it == variables.end() ? is_truth(terms[0].text) : it->second;
    };
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        std::map<std::string, bool> variables;
        for (std::uint32_t i = 0; i < draft_.threads[t].size(); ++i) {
            Info& info = info_[first_[t] + i];
            for (Term const& term : info.terms)
                if (auto const it = variables.find(term.text); term.operands == 0 && it != variables.end())
                    info.booleans.insert(*it);
            Command const& c = draft_.threads[t][i];
            if (c.kind == Kind::assign) variables[c.x] = is_boolean(info.terms, variables);
            for (std::uint32_t const r : info.completes)
                variables[command(r).x] = endpoints[without_zeros(command(r).beta)];
        }
    }
}

/// Uses of variables that are not defined any more become values: 0 or true.
void Smaller::Cuts::mend(std::vector<std::vector<Command>>& threads,
                         std::vector<std::vector<std::uint32_t>> const& origins) const {
    for (std::size_t t = 0; t < threads.size(); ++t) {
        std::unordered_set<std::string> defined;
        std::map<std::string, std::vector<std::pair<std::string, std::string>>> pending; // endpoint -> [a x]
        std::unordered_map<std::string, std::string> endpoint_of;                        // receive -> endpoint
        for (std::size_t i = 0; i < threads[t].size(); ++i) {
            Command& c = threads[t][i];
            if (has_expression(c.kind)) {
                Info const& before = info_[origins[t][i]];
                Terms terms = terms_of(c.e);
                bool changed = false;
                for (Term& term : terms) {
                    if (!is_variable(term) || defined.contains(term.text)) continue;
                    auto const it = before.booleans.find(term.text);
                    if (it == before.booleans.end()) continue; // it was undefined before
                    term.text = it->second ? "true" : "0";
                    changed = true;
                }
                if (changed) c.e = text_of(terms);
            }
            if (c.kind == Kind::assign) defined.insert(c.x);
            if (c.kind == Kind::rcvi) {
                pending[c.beta].emplace_back(c.a, c.x);
                endpoint_of[c.a] = c.beta;
            }
            if (c.kind != Kind::wait) continue;
            auto const it = endpoint_of.find(c.a);
            if (it == endpoint_of.end()) continue;
            auto& receives = pending[it->second];
            auto const own =
                std::find_if(receives.begin(), receives.end(), [&](auto const& r) { return r.first == c.a; });
            if (own == receives.end()) continue; // completed before
            for (auto r = receives.begin(); r <= own; ++r) defined.insert(r->second);
            receives.erase(receives.begin(), own + 1);
        }
    }
}

/// Entries go with their commands, and movements with their sends: the n-th movement of a channel is that of its n-th
/// send. What is left moves before the next command.
Trace Smaller::Cuts::mended(Trace const& trace, std::vector<bool> const& stays) const {
    std::unordered_map<std::string, std::uint32_t> number;
    for (std::uint32_t c = 0; c < commands(); ++c) number.try_emplace(command(c).rho, c);
    std::map<std::pair<std::string, std::string>, std::vector<std::uint32_t>> sends; // (beta alpha)
    for (auto const& [beta, to] : sends_to_)
        for (std::uint32_t const s : to) sends[{beta, command(s).alpha}].push_back(s);
    std::map<std::pair<std::string, std::string>, std::size_t> moved;
    Trace result;
    std::vector<std::pair<std::string, std::string>> m;
    for (Entry const& entry : trace) {
        for (auto const& movement : entry.m) {
            std::size_t const n = moved[movement]++;
            auto const it = sends.find(movement);
            if (it == sends.end() || n >= it->second.size() || stays[it->second[n]]) m.push_back(movement);
        }
        auto const it = number.find(entry.rho);
        if (it != number.end() && !stays[it->second]) continue;
        result.push_back({entry.rho, std::exchange(m, {})});
    }
    return result;
}

/// Without some commands; requests go with their waits. Some commands are replaced.
std::optional<Draft> Smaller::Cuts::without(std::vector<std::uint32_t> const& gone,
                                            std::map<std::uint32_t, Command> const& instead) const {
    std::vector<bool> stays(commands(), true);
    for (std::uint32_t const c : gone) stays[c] = false;
    std::map<std::uint32_t, Command> replaced = instead;
    for (std::uint32_t const c : gone) {
        std::uint32_t const w = info_[c].wait;
        if (w == none || !stays[w] || instead.contains(w)) continue;
        stays[w] = false;
        if (command(c).kind != Kind::rcvi) continue;
        // What else the wait completed, and nothing else will.
        auto const& completes = info_[w].completes;
        auto const other =
            std::find_if(completes.rbegin(), completes.rend(), [&](std::uint32_t r) { return stays[r]; });
        if (other == completes.rend() || info_[*other].wait != none) continue;
        stays[w] = true;
        replaced[w] = wait(command(*other).a);
    }
    std::vector<std::vector<Command>> threads;
    std::vector<std::vector<std::uint32_t>> origins;
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        auto& thread = threads.emplace_back();
        auto& origin = origins.emplace_back();
        for (std::uint32_t i = 0; i < draft_.threads[t].size(); ++i) {
            std::uint32_t const c = first_[t] + i;
            if (!stays[c]) continue;
            auto const it = replaced.find(c);
            thread.push_back(it == replaced.end() ? command(c) : it->second);
            thread.back().rho = command(c).rho;
            origin.push_back(c);
        }
        if (thread.empty() && !draft_.threads[t].empty()) {
            threads.pop_back();
            origins.pop_back();
        }
    }
    mend(threads, origins);
    Draft result{.comment = draft_.comment, .threads = std::move(threads)};
    for (Trace const& trace : draft_.traces) result.traces.push_back(mended(trace, stays));
    return result;
}

/// Without a thread; and without what is sent to it.
std::optional<Draft> Smaller::Cuts::without_thread(std::uint32_t t, bool with_messages) const {
    std::vector<std::uint32_t> gone;
    bool messages = false;
    for (std::uint32_t c = 0; c < commands(); ++c) {
        if (info_[c].thread == t) {
            gone.push_back(c);
        } else if (with_messages && command(c).kind == Kind::sndi) {
            auto const it = owner_.find(command(c).beta);
            if (it == owner_.end() || it->second != t) continue;
            gone.push_back(c);
            messages = true;
        }
    }
    if (with_messages && !messages) return std::nullopt; // the other cut
    std::optional<Draft> result = without(gone);
    if (draft_.threads[t].empty()) result->threads.erase(result->threads.begin() + t);
    return result;
}

/// With (x := value) where a receive was completed; and without a send, if one is given.
std::optional<Draft> Smaller::Cuts::assigned(std::uint32_t receive, std::uint32_t send,
                                             std::string const& value) const {
    std::uint32_t const w = info_[receive].wait;
    if (w == none || info_[w].completes.size() != 1) return std::nullopt;
    std::vector<std::uint32_t> gone = {receive};
    if (send != none) gone.push_back(send);
    return without(gone, {{w, assign(command(receive).x, value)}});
}

Draft Smaller::Cuts::with_expression(std::uint32_t c, std::string e) const {
    Draft result = draft_;
    result.threads[info_[c].thread][info_[c].place].e = std::move(e);
    return result;
}

void Smaller::Cuts::plan() {
    if (draft_.traces.size() > 1)
        add([this] {
            Draft d = draft_;
            d.traces.clear();
            return std::optional(std::move(d));
        });
    for (std::size_t i = 0; i < draft_.traces.size(); ++i)
        add([this, i] {
            Draft d = draft_;
            d.traces.erase(d.traces.begin() + static_cast<std::ptrdiff_t>(i));
            return std::optional(std::move(d));
        });
    next_kind();
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t)
        for (bool const with_messages : {true, false}) add([=, this] { return without_thread(t, with_messages); });
    // Stretches of a thread, each length a kind of its own.
    std::size_t longest = 0;
    for (Thread const& t : draft_.threads) longest = std::max(longest, t.size());
    std::vector<std::size_t> lengths;
    for (std::size_t length = 2; length < longest; length *= 2) lengths.push_back(length);
    kind_ = 1 + 64 - static_cast<std::uint32_t>(lengths.size());
    for (std::size_t l = lengths.size(); l-- > 0;) {
        next_kind();
        for (std::uint32_t t = 0; t < draft_.threads.size(); ++t)
            for (std::size_t first = 0; first + lengths[l] <= draft_.threads[t].size(); first += lengths[l])
                add([this, from = first_[t] + static_cast<std::uint32_t>(first), length = lengths[l]] {
                    std::vector<std::uint32_t> gone(length);
                    std::iota(gone.begin(), gone.end(), from);
                    return without(gone);
                });
    }
    next_kind();
    plan_messages();
    next_kind();
    for (bool const request : {true, false}) {
        for (std::uint32_t c = 0; c < commands(); ++c)
            if ((command(c).kind == Kind::sndi || command(c).kind == Kind::rcvi) == request)
                add([this, c] { return without({c}); });
        next_kind();
    }
    for (auto const& [beta, receives] : receives_at_)
        for (std::uint32_t const r : receives)
            for (char const* const value : {"0", "1", "true", "false"})
                add([this, r, value] { return assigned(r, none, value); });
    next_kind();
    for (std::size_t trace = 0; trace < draft_.traces.size(); ++trace)
        for (std::size_t entry = 0; entry < draft_.traces[trace].size(); ++entry)
            for (std::size_t m = 0; m < draft_.traces[trace][entry].m.size(); ++m)
                add([=, this] {
                    Draft d = draft_;
                    auto& movements = d.traces[trace][entry].m;
                    movements.erase(movements.begin() + static_cast<std::ptrdiff_t>(m));
                    return std::optional(std::move(d));
                });
    next_kind();
    plan_expressions();
    next_kind();
    plan_endpoints();
    next_kind();
    plan_variables();
    next_kind();
    plan_numbers();
    next_kind(); // the last: no smaller, but for its names
    add([this] {
        if (!is_renamed(draft_)) return std::optional<Draft>();
        Draft d = draft_;
        canonical_names(d);
        return std::optional(std::move(d));
    });
}

/// A send and a receive at the same endpoint: each with each, or, where these are many, those with the same place.
void Smaller::Cuts::plan_messages() {
    constexpr std::size_t many = 256;
    auto const for_each_message = [&](auto const& plan) {
        for (auto const& [beta, receives] : receives_at_) {
            auto const it = sends_to_.find(beta);
            if (it == sends_to_.end()) continue;
            auto const& sends = it->second;
            bool const all = receives.size() * sends.size() <= many;
            for (std::size_t r = 0; r < receives.size(); ++r)
                for (std::size_t s = 0; s < sends.size(); ++s)
                    if (all || r == s) plan(receives[r], sends[s]);
        }
    };
    for_each_message([&](std::uint32_t r, std::uint32_t s) { add([=, this] { return without({r, s}); }); });
    next_kind();
    for_each_message([&](std::uint32_t r, std::uint32_t s) {
        if (info_[s].terms.size() == 1 && !is_variable(info_[s].terms[0]))
            add([=, this] { return assigned(r, s, info_[s].terms[0].text); });
    });
}

/// Two endpoints of a thread as one, and what is nobody's as any other.
void Smaller::Cuts::plan_endpoints() {
    std::set<std::string> all;
    for (auto const& [e, thread] : owner_) all.insert(e);
    for (auto const& [e, sends] : sends_to_) all.insert(e);
    auto const owner = [&](std::string const& e) {
        auto const it = owner_.find(e);
        return it == owner_.end() ? none : it->second;
    };
    for (std::string const& from : all)
        for (std::string const& to : all) {
            if (from == to || (owner(from) != none && owner(from) != owner(to))) continue;
            // Of two that may be either, one way is enough.
            if (owner(from) == owner(to) && from < to) continue;
            add([=, this] {
                Draft d = draft_;
                for (Thread& t : d.threads)
                    for (Command& c : t) {
                        if (c.kind == Kind::sndi && c.alpha == from) c.alpha = to;
                        if ((c.kind == Kind::sndi || c.kind == Kind::rcvi) && c.beta == from) c.beta = to;
                    }
                for (Trace& trace : d.traces)
                    for (Entry& entry : trace)
                        for (auto& [beta, alpha] : entry.m) {
                            if (beta == from) beta = to;
                            if (alpha == from) alpha = to;
                        }
                return std::optional(std::move(d));
            });
        }
}

/// An operand instead of an operation, a value instead of either: of the whole first.
void Smaller::Cuts::plan_expressions() {
    for (std::uint32_t c = 0; c < commands(); ++c) {
        Terms const& terms = info_[c].terms;
        for (std::uint32_t i = 0; i < terms.size(); ++i) {
            if (terms[i].operands == 0 && !is_variable(terms[i])) continue;
            for (char const* const value : {"0", "1", "true", "false"})
                if (terms[i].operands > 0)
                    add([=, this] { return with_expression(c, replaced(info_[c].terms, i, value)); });
            std::uint32_t operand = i + 1;
            for (std::uint32_t n = 0; n < terms[i].operands; ++n) {
                add([=, this] {
                    Terms const& of = info_[c].terms;
                    return with_expression(c, replaced(of, i, std::span(of).subspan(operand, of[operand].size)));
                });
                operand += terms[operand].size;
            }
        }
    }
}

/// Two variables of a thread as one; a value instead of a variable.
void Smaller::Cuts::plan_variables() {
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        std::set<std::string> variables;
        for (Command const& c : draft_.threads[t])
            if (c.kind == Kind::assign || c.kind == Kind::rcvi) variables.insert(c.x);
        for (std::string const& to : variables)
            for (auto from = variables.upper_bound(to); from != variables.end(); ++from)
                add([this, t, to, from = *from] {
                    Draft d = draft_;
                    for (std::uint32_t i = 0; i < d.threads[t].size(); ++i) {
                        Command& c = d.threads[t][i];
                        if (c.x == from) c.x = to;
                        Terms terms = info_[first_[t] + i].terms;
                        for (Term& term : terms)
                            if (term.operands == 0 && term.text == from) term.text = to;
                        if (!terms.empty()) c.e = text_of(terms);
                    }
                    return std::optional(std::move(d));
                });
    }
    for (std::uint32_t c = 0; c < commands(); ++c)
        for (std::uint32_t i = 0; i < info_[c].terms.size(); ++i)
            if (is_variable(info_[c].terms[i]))
                for (char const* const value : {"0", "1", "true", "false"})
                    add([=, this] { return with_expression(c, replaced(info_[c].terms, i, value)); });
}

/// Everywhere, then in single places; true instead of false.
void Smaller::Cuts::plan_numbers() {
    std::set<std::pair<std::uint64_t, std::string>> numbers;
    for (Info const& info : info_)
        for (Term const& t : info.terms)
            if (is_number(t)) numbers.emplace(value_of(t.text), t.text);
    auto const simpler = [](std::string const& number) {
        std::vector<std::string> values = {"0", "1", "2", "3"};
        std::size_t const digits = number.find_first_of("0123456789");
        if (digits > 0) values.push_back(number.substr(digits));
        // A half, if it is not too large for that.
        if (value_of(number) < large_value)
            values.push_back(std::to_string(value_of(number) / 4));
        else
            values.push_back(number.substr(digits, (number.size() - digits) / 2));
        return values;
    };
    for (auto const& [value, number] : numbers)
        for (std::string const& by : simpler(number)) {
            if (value_of(by) >= value) continue;
            add([this, number = number, by] {
                Draft d = draft_;
                for (std::uint32_t c = 0; c < commands(); ++c) {
                    Terms terms = info_[c].terms;
                    for (Term& t : terms)
                        if (t.operands == 0 && t.text == number) t.text = by;
                    if (!terms.empty()) d.threads[info_[c].thread][info_[c].place].e = text_of(terms);
                }
                return std::optional(std::move(d));
            });
        }
    for (std::uint32_t c = 0; c < commands(); ++c)
        for (std::uint32_t i = 0; i < info_[c].terms.size(); ++i) {
            Term const& t = info_[c].terms[i];
            if (t.operands == 0 && t.text == "false")
                add([=, this] { return with_expression(c, replaced(info_[c].terms, i, "true")); });
            if (!is_number(t)) continue;
            for (std::string const& by : simpler(t.text))
                if (value_of(by) < value_of(t.text))
                    add([=, this] { return with_expression(c, replaced(info_[c].terms, i, by)); });
        }
}

Smaller::Smaller(Draft draft, Place from) : cuts_(std::make_unique<Cuts>(std::move(draft), from)) {}
Smaller::Smaller(Smaller&&) noexcept = default;
Smaller& Smaller::operator=(Smaller&&) noexcept = default;
Smaller::~Smaller() = default;

std::optional<Draft> Smaller::next() { return cuts_->next(); }
Smaller::Place Smaller::place() const { return cuts_->place(); }

std::vector<Draft> smaller(Draft const& draft) {
    std::vector<Draft> result;
    Smaller candidates(draft);
    while (std::optional<Draft> d = candidates.next()) result.push_back(std::move(*d));
    return result;
}

Shrunk shrink(Draft start, std::function<bool(Draft const&)> const& still_interesting, std::size_t budget) {
    Shrunk shrunk{.draft = std::move(start)};
    std::unordered_set<std::string> asked;
    // On from where the last cut was made, for those before it were no good; then once more from the beginning.
    Smaller::Place from;
    while (true) {
        bool found = false;
        Smaller candidates(shrunk.draft, from);
        while (std::optional<Draft> candidate = candidates.next()) {
            if (!obeys_the_rules(*candidate) || !asked.insert(print(*candidate)).second) continue;
            if (shrunk.calls == budget) return shrunk;
            ++shrunk.calls;
            if (!still_interesting(*candidate)) continue;
            shrunk.draft = std::move(*candidate);
            ++shrunk.steps;
            from = candidates.place();
            found = true;
            break;
        }
        if (found) continue;
        if (from == Smaller::Place{}) {
            shrunk.finished = true;
            return shrunk;
        }
        from = {};
    }
}

} // namespace matchpoint::programs::draft
