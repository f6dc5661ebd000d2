#include "tests/support/together.hpp"
#include "tests/support/all_rooms.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace matchpoint::naive {

namespace {

/// Calls f(piece, whether it is a symbol or number) for the text's pieces in turn; together they are the text.
template <class F>
void for_each_piece(std::string_view text, F f) {
    constexpr std::string_view ends = " \t\r\n()|";
    while (!text.empty()) {
        std::size_t length = 1;
        bool const quoted = text.front() == '|';
        bool const symbol = quoted || ends.find(text.front()) == std::string_view::npos;
        if (quoted) length = text.find('|', 1) + 1;
        if (symbol && !quoted) length = std::min(text.find_first_of(ends), text.size());
        f(text.substr(0, length), symbol);
        text.remove_prefix(length);
    }
}

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

/// i7, b7 or f7, which no word of SMT-LIB is.
bool is_constant(std::string_view piece) {
    return piece.size() > 1 && (piece[0] == 'i' || piece[0] == 'b' || piece[0] == 'f') && piece[1] >= '0' &&
           piece[1] <= '9';
}

std::string_view sort_of(char kind) { return kind == 'i' ? "() Int" : kind == 'b' ? "() Bool" : "(Int) Int"; }

/// All constants of a problem, with `prefix` before them, and what is declared of them.
std::string prefixed(std::string_view assertions, std::string const& prefix, std::set<std::string>& declarations) {
    std::string result;
    for_each_piece(assertions, [&](std::string_view piece, bool) {
        if (!is_constant(piece)) {
            result += piece;
            return;
        }
        std::string const name = prefix + std::string(piece);
        declarations.insert(fmt::format("(declare-fun {} {})\n", name, sort_of(piece[0])));
        result += name;
    });
    return result;
}

/// The values of a model's constants.
std::map<std::string, std::string> values(std::string_view model) {
    // (define-fun p7.i2 () Int (- 1)): name, brackets, sort, value
    std::map<std::string, std::string> result;
    std::size_t depth = 0, part = 0;
    std::string name, value;
    for_each_piece(model, [&](std::string_view piece, bool symbol) {
        if (piece == "(" && ++depth == 2) {
            part = 0;
            value.clear();
        }
        if (depth == 2 && symbol) {
            ++part;
            if (part == 2) name = piece;
            if (part >= 4) value = piece;
        } else if (depth > 2 && part == 3) {
            value += piece;
        }
        if (piece == ")" && --depth == 1) result[name] = value;
    });
    return result;
}

} // namespace

Together::Problem::Problem(std::string_view problem, std::string& settings) {
    std::map<std::string_view, char> sorts;
    std::map<char, std::size_t> used;
    auto const renamed = [&](std::string_view text) {
        for_each_piece(text, [&](std::string_view piece, bool symbol) {
            auto const sort = symbol ? sorts.find(piece) : sorts.end();
            if (sort == sorts.end()) {
                assertions += piece;
                return;
            }
            auto it = symbols.find(piece);
            if (it == symbols.end())
                it = symbols.emplace(piece, fmt::format("{}{}", sort->second, used[sort->second]++)).first;
            assertions += it->second;
        });
    };
    while (!problem.empty()) {
        std::size_t const end = std::min(problem.find('\n'), problem.size() - 1);
        std::string_view const line = problem.substr(0, end);
        problem.remove_prefix(end + 1);
        constexpr std::string_view declare = "(declare-const ", function = "(declare-fun ", plain = "(assert ",
                                   named = "(assert (! ", name = " :named ";
        if (begins(line, "(set-")) {
            settings.append(line).append("\n");
        } else if (begins(line, declare)) {
            std::string_view const rest = line.substr(declare.size());
            std::size_t const length = rest.front() == '|' ? rest.find('|', 1) + 1 : rest.find(' ');
            sorts[rest.substr(0, length)] = rest.substr(length) == " Bool)" ? 'b' : 'i';
        } else if (begins(line, function) && line.ends_with(" (Int) Int)")) {
            std::string_view const rest = line.substr(function.size());
            sorts[rest.substr(0, rest.find(' '))] = 'f';
        } else if (begins(line, named)) {
            assertions += ' ';
            renamed(line.substr(named.size(), line.rfind(name) - named.size()));
        } else if (begins(line, plain)) {
            assertions += ' ';
            renamed(line.substr(plain.size(), line.size() - 1 - plain.size()));
        } else if (!line.empty() && line.front() != ';') {
            throw std::logic_error("not a line of a problem: " + std::string(line));
        }
    }
    // What is not used can have any value.
    for (auto const& [symbol, sort] : sorts) symbols.try_emplace(std::string(symbol), std::string(1, sort));
}

Wrong Together::ask(Question question) {
    ++asked_;
    std::string settings;
    Problem problem(question.problem, settings);
    bool const sat = question.sat;
    Kind& kind = kinds_[{sat, settings}];
    auto const [it, fresh] = kind.known.try_emplace(std::move(problem.assertions));
    Waiting waiting{std::move(question), std::move(problem.symbols)};
    if (it->second.answered) return judge(waiting, it->second);
    it->second.waiting.push_back(std::move(waiting));
    if (fresh) {
        ++problems_;
        kind.batch.push_back(it);
    }
    return kind.batch.size() < size_ ? std::nullopt : flush(sat, settings, kind);
}

Wrong Together::finish() {
    for (auto& [key, kind] : kinds_)
        if (!kind.batch.empty())
            if (Wrong wrong = flush(key.first, key.second, kind)) return wrong;
    kinds_.clear();
    return std::nullopt;
}

Wrong Together::judge(Waiting const& w, Known const& known) {
    if (!w.question.sat) return std::nullopt;
    std::string model = "(";
    for (auto const& [symbol, constant] : w.symbols) {
        if (constant.front() == 'f') continue; // no execution depends on one
        auto const value = known.model.find(constant);
        bool const integer = constant.front() == 'i';
        model += fmt::format("(define-fun {} () {} {})", symbol, integer ? "Int" : "Bool",
                             value != known.model.end() ? value->second
                             : integer                  ? "0"
                                                        : "false");
    }
    Wrong const wrong = w.question.judge(model + ")");
    return wrong ? w.question.wrong(*wrong) : wrong;
}

Wrong Together::flush(bool sat, std::string const& settings, Kind& kind) {
    auto const batch = std::exchange(kind.batch, {});
    std::set<std::string> declarations;
    std::string assertions;
    // A disjunction needs no constants of its own for each.
    for (std::size_t i = 0; i < batch.size(); ++i) {
        std::string const text = prefixed(batch[i]->first, sat ? fmt::format("p{}.", i) : "", declarations);
        assertions += fmt::format("{}(and true{}){}\n", sat ? "(assert " : "", text, sat ? ")" : "");
    }
    if (!sat) assertions = "(assert (or false\n" + assertions + "))\n";
    std::string problem = settings;
    for (std::string const& d : declarations) problem += d;
    problem += assertions;

    ++queries_;
    // Ask for a model even where none exists: other options would start the solver anew.
    Answer const answer = needing_model(solver_->check(problem, {.model = true}));
    auto const* const got = std::get_if<answer::Sat>(&answer);
    bool const expected = sat ? got != nullptr : std::holds_alternative<answer::Unsat>(answer);
    if (got != nullptr && sat)
        for (auto const& [name, value] : values(got->model)) {
            std::size_t const dot = name.find('.');
            if (dot == std::string::npos || !is_constant(std::string_view(name).substr(dot + 1)))
                continue; // div0 of z3
            batch.at(std::stoul(name.substr(1, dot)))->second.model[name.substr(dot + 1)] = value;
        }
    for (auto const it : batch) {
        auto const waiting = std::exchange(it->second.waiting, {});
        it->second.answered = true;
        for (Waiting const& w : waiting)
            if (Wrong wrong = expected ? judge(w, it->second) : w.question.ask(*solver_)) return wrong;
    }
    bool const is_answer = got != nullptr || std::holds_alternative<answer::Unsat>(answer);
    if (!is_answer) ++unanswered_; // a conjunction can be too hard whose parts are not
    if (expected || !is_answer) return std::nullopt;
    return "together: " + to_string(answer, solver_->command()) + ", each alone as expected\n" + problem;
}

} // namespace matchpoint::naive
