#include "proofs/spacer.hpp"

#include <atomic>
#include <future>
#include <map>
#include <new>
#include <set>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/numbers.hpp"
#include "base/overloaded.hpp"
#include "smt_machine/s_expressions.hpp"

namespace matchpoint::proofs {

namespace {

using Clock = std::chrono::steady_clock;
using Token = Tokens::Token;
/// From a name in a model to one of the program.
using Names = std::map<std::string_view, std::string>;

// ---- models

std::vector<std::string_view> parameters_of(std::string_view list) {
    std::vector<std::string_view> names;
    Tokens tokens(list.substr(1, list.size() - 2));
    while (auto const parameter = tokens.expression()) names.push_back(head_of_list(*parameter));
    return names;
}

/// Calls `f` with each token, and the one before it.
void each_token(std::string_view text, std::function<void(Token const& before, Token const&)> const& f) {
    Tokens tokens(text);
    Token before;
    for (Token t = tokens.next(); t.kind != Token::Kind::end; before = t, t = tokens.next()) {
        spend(10);
        f(before, t);
    }
}

/// Whether names can be replaced token by token: the text binds none of them, and nothing in it has a name that they
/// get.
bool can_rename(std::string_view text, Names const& names) {
    std::set<std::string_view> taken;
    for (auto const& [from, to] : names) taken.insert(to);
    bool can = true;
    each_token(text, [&](Token const& before, Token const& t) {
        if (!t.is_symbol()) return;
        if (names.contains(t.text))
            can = can && before.kind != Token::Kind::open; // (let ((x!0 ...)) ...)
        else
            can = can && !taken.contains(t.text);
    });
    return can;
}

/// The text on one line, with other names.
std::string renamed(std::string_view text, Names const& names) {
    std::string out;
    each_token(text, [&](Token const& before, Token const& t) {
        bool const is_first = before.kind == Token::Kind::end || before.kind == Token::Kind::open;
        if (!is_first && t.kind != Token::Kind::close) out += ' ';
        auto const name = t.is_symbol() ? names.find(t.text) : names.end();
        if (name != names.end())
            out += name->second;
        else
            out += t.kind == Token::Kind::quoted ? fmt::format("|{}|", t.text) : std::string(t.text);
    });
    return out;
}

/// The body of a relation over the names of the program.
std::string formula_of(std::string_view body, Names const& names) {
    if (can_rename(body, names)) return renamed(body, names);
    std::string text = "(let (";
    for (auto const& [from, to] : names) text += fmt::format("{}({} {})", text.back() == '(' ? "" : " ", from, to);
    return text + ") " + renamed(body, {}) + ")";
}

/// A definition of a model: `(define-fun s%%3 ((x!0 Int)) Bool BODY)`.
struct Definition {
    std::string_view name;
    std::string_view parameters;
    std::string_view body;
};

std::optional<Definition> definition_of(std::string_view expression) {
    if (head_of_list(expression) != "define-fun") return std::nullopt;
    Tokens tokens(expression.substr(1));
    static_cast<void>(tokens.next());
    auto const name = tokens.expression();
    auto const parameters = tokens.expression();
    static_cast<void>(tokens.expression()); // Bool
    auto const body = tokens.expression();
    auto const symbol = name ? symbol_of(*name) : std::nullopt;
    if (!symbol || !body) return std::nullopt;
    return Definition{*symbol, *parameters, *body};
}

} // namespace

Expected<std::vector<std::string>, std::string> relations_of_model(Formulas const& formulas, HornClauses const& horn,
                                                                   std::string_view model) {
    if (!is_model(model)) return Unexpected{std::string("its model cannot be read")};
    std::map<std::string, ControlIndex> states;
    for (ControlIndex i = 0; i < horn.states.size(); ++i) states.emplace(relation_name(i), i);
    std::vector<std::string> relations(horn.states.size());
    Tokens tokens(model.substr(1));
    while (auto const expression = tokens.expression()) {
        auto const definition = definition_of(*expression);
        auto const state = definition ? states.find(std::string(definition->name)) : states.end();
        if (state == states.end()) continue;
        auto const names = parameters_of(definition->parameters);
        auto const symbols = parameters(formulas, horn.states[state->second]);
        if (names.size() != symbols.size())
            return Unexpected{fmt::format("its model gives {} other parameters", definition->name)};
        Names map;
        for (std::size_t k = 0; k < names.size(); ++k) map.emplace(names[k], formulas.smt_name(symbols[k]));
        relations[state->second] = formula_of(definition->body, map);
    }
    for (ControlIndex i = 0; i < relations.size(); ++i)
        if (relations[i].empty()) return Unexpected{fmt::format("its model lacks {}", relation_name(i))};
    return relations;
}

// ---- z3

namespace {

/// z3 with these options. A verdict stops the other one.
class Spacer {
public:
    Spacer(Formulas const& formulas, HornClauses const& horn, std::optional<Clock::time_point> deadline,
           std::atomic<bool>& stop)
        : formulas_(formulas), horn_(horn), deadline_(deadline), stop_(stop) {}

    SpacerResult ask(std::string const& problem, std::vector<std::string> const& options) const {
        SpacerResult result{needing_model(z3(options).check(problem, {.model = true}))};
        if (auto const* const sat = std::get_if<answer::Sat>(&result.answer)) {
            auto relations = relations_of_model(formulas_, horn_, sat->model);
            if (!relations) return {answer::Crashed{std::move(relations).error()}};
            Solver solver = z3({});
            Answer const wrong = check_relations(formulas_, horn_, *relations, [&](std::string const& question) {
                solver.limit_time(time_left());
                return solver.check(question);
            });
            auto const has_false_clause = is_sat(wrong);
            if (!has_false_clause) return {wrong};
            if (*has_false_clause) return {answer::Unknown{}, {}, true};
            for (ControlIndex i = 0; i < relations->size(); ++i)
                result.proof.push_back({horn_.states[i], std::move((*relations)[i])});
        }
        if (is_sat(result.answer)) stop_ = true;
        return result;
    }

private:
    Solver z3(std::vector<std::string> const& options) const {
        SolverCommand command = *solver_command("z3");
        command.arguments.insert(command.arguments.end(), options.begin(), options.end());
        SolverLimits limits;
        limits.stop = &stop_;
        limits.time = time_left();
        return Solver(std::move(command), limits);
    }

    std::optional<std::chrono::milliseconds> time_left() const {
        if (!deadline_) return std::nullopt;
        return std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
    }

    Formulas const& formulas_;
    HornClauses const& horn_;
    std::optional<Clock::time_point> deadline_;
    std::atomic<bool>& stop_;
};

/// With slicing, z3 4.8.12 answers `unsat` for some clauses that have a model.
constexpr auto no_slicing = "fp.xform.slice=false";

/// The answer with more weight counts. Where one of two timed out, more time may decide.
int weight(Answer const& answer) {
    return std::visit(overloaded{
                          [](answer::Sat const&) { return 3; },
                          [](answer::Unsat const&) { return 3; },
                          [](answer::Timeout const&) { return 2; },
                          [](answer::Crashed const&) { return 1; },
                          [](answer::Missing const&) { return 1; },
                          [](answer::Unknown const&) { return 0; },
                      },
                      answer);
}

} // namespace

SpacerResult run_spacer(Formulas const& formulas, HornClauses const& horn,
                        std::optional<std::chrono::milliseconds> time, std::atomic<bool>* stop) {
    std::optional<Clock::time_point> deadline;
    if (time) deadline = Clock::now() + *time;
    std::atomic<bool> a_verdict = false;
    Spacer const spacer(formulas, horn, deadline, stop != nullptr ? *stop : a_verdict);
    std::string const problem = print_horn(formulas, horn);
    // Without a second thread, one after the other.
    auto other = std::async(std::launch::async | std::launch::deferred, [&] {
        return spacer.ask(problem, {no_slicing, "fp.xform.inline_eager=false", "fp.xform.inline_linear=false"});
    });
    SpacerResult plain = spacer.ask(problem, {no_slicing});
    SpacerResult without_inlining = other.get();
    auto const verdict = is_sat(plain.answer);
    auto const other_verdict = is_sat(without_inlining.answer);
    if (verdict && other_verdict && *verdict != *other_verdict)
        return {answer::Crashed{"it answers sat and unsat, depending on its options"},
                {},
                false,
                horn.states.size(),
                horn.clauses.size()};
    SpacerResult& best = weight(without_inlining.answer) > weight(plain.answer) ? without_inlining : plain;
    best.gave_wrong_model = plain.gave_wrong_model || without_inlining.gave_wrong_model;
    best.states = horn.states.size();
    best.clauses = horn.clauses.size();
    return std::move(best);
}

// ---- beside something else

SpacerBeside::SpacerBeside(rma::Graph const& graph, std::chrono::milliseconds after)
    : graph_(graph), thread_([this, after] { run(after); }) {}

SpacerBeside::~SpacerBeside() {
    stop_ = true;
    {
        std::lock_guard const lock(mutex_);
        is_wanted_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void SpacerBeside::run(std::chrono::milliseconds after) {
    {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, after, [this] { return is_wanted_; });
    }
    if (stop_) return;
    has_begun_ = true;
    SpacerResult result = solve();
    has_proof_ = result.is_proof();
    {
        std::lock_guard const lock(mutex_);
        result_ = std::move(result);
    }
    changed_.notify_all();
}

SpacerResult SpacerBeside::solve() {
    Watch const watch([this] { return stop_.load(); });
    try {
        Formulas formulas(graph_);
        HornClauses const horn = horn_clauses(formulas);
        return run_spacer(formulas, horn, std::nullopt, &stop_);
    } catch (LimitReached const& e) {
        return {answer::Unknown{e.what()}};
    } catch (std::bad_alloc const&) {
        return {answer::Unknown{"out of memory"}};
    }
}

SpacerResult const* SpacerBeside::wait(std::optional<std::chrono::milliseconds> time) {
    constexpr std::chrono::milliseconds between_looks(20);
    auto const begin = Clock::now();
    std::unique_lock lock(mutex_);
    is_wanted_ = true;
    changed_.notify_all();
    while (!changed_.wait_for(lock, between_looks, [this] { return result_.has_value(); })) {
        look_at_watch();
        if (time && Clock::now() - begin > *time) return nullptr;
    }
    return &*result_;
}

} // namespace matchpoint::proofs
