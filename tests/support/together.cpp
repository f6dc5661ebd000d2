#include "tests/support/together.hpp"

#include <set>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace matchpoint::naive {

namespace {

/// Calls f(token, whether it is a symbol) for the text's pieces in turn; together they are the text.
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

/// A problem in its parts, all names its own: `p7.` before them.
struct Parts {
    std::string settings, declarations, assertions;

    Parts(std::string_view problem, std::size_t number) {
        std::string const prefix = fmt::format("p{}.", number);
        std::set<std::string_view> declared;
        auto const renamed = [&](std::string_view text) {
            std::string result;
            for_each_piece(text, [&](std::string_view piece, bool symbol) {
                if (symbol && declared.count(piece) > 0) {
                    bool const quoted = piece.front() == '|';
                    result += quoted ? "|" + prefix : prefix;
                    piece.remove_prefix(quoted ? 1 : 0);
                }
                result += piece;
            });
            return result;
        };
        while (!problem.empty()) {
            std::size_t const end = std::min(problem.find('\n'), problem.size() - 1);
            std::string_view const line = problem.substr(0, end);
            problem.remove_prefix(end + 1);
            constexpr std::string_view declare = "(declare-const ", plain = "(assert ", named = "(assert (! ",
                                       name = " :named ";
            if (begins(line, "(set-")) {
                settings.append(line).append("\n");
            } else if (begins(line, declare)) {
                std::string_view const rest = line.substr(declare.size());
                std::size_t const length = rest.front() == '|' ? rest.find('|', 1) + 1 : rest.find(' ');
                declared.insert(rest.substr(0, length));
                declarations += renamed(line) + "\n";
            } else if (begins(line, named)) {
                assertions += " " + renamed(line.substr(named.size(), line.rfind(name) - named.size()));
            } else if (begins(line, plain)) {
                assertions += " " + renamed(line.substr(plain.size(), line.size() - 1 - plain.size()));
            } else if (!line.empty() && line.front() != ';') {
                throw std::logic_error("not a line of a problem: " + std::string(line));
            }
        }
    }
};

/// A model of them all, as one of each.
std::vector<std::string> models(std::string_view model, std::size_t count) {
    std::vector<std::string> result(count, "(");
    std::size_t depth = 0;
    std::size_t owner = count; // of the definition
    std::string definition;
    for_each_piece(model, [&](std::string_view piece, bool symbol) {
        if (piece == "(" && ++depth == 2) {
            definition.clear();
            owner = count;
        }
        if (bool const quoted = piece.front() == '|'; symbol && depth == 2 && piece.substr(quoted ? 1 : 0, 1) == "p") {
            // (define-fun p7.M_R2 () Int 1): the only symbol of the definition that begins with p
            std::size_t const dot = piece.find('.');
            owner = std::stoul(std::string(piece.substr(quoted ? 2 : 1, dot)));
            definition += quoted ? "|" : "";
            piece.remove_prefix(dot + 1);
        }
        definition += piece;
        if (piece == ")" && --depth == 1 && owner < count) result[owner] += definition;
    });
    for (std::string& m : result) m += ")";
    return result;
}

} // namespace

Wrong Together::ask(Question question) {
    ++asked_;
    Kind const kind{question.sat, Parts(question.problem, 0).settings};
    std::vector<Question>& questions = waiting_[kind];
    questions.push_back(std::move(question));
    return questions.size() < size_ ? std::nullopt : flush(kind, questions);
}

Wrong Together::finish() {
    for (auto& [kind, questions] : waiting_)
        if (Wrong wrong = flush(kind, questions)) return wrong;
    return std::nullopt;
}

Wrong Together::flush(Kind const& kind, std::vector<Question>& questions) {
    auto const& [sat, settings] = kind;
    std::string declarations, assertions;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        Parts const parts(questions[i].problem, i);
        declarations += parts.declarations;
        assertions += fmt::format("{}(and true{}){}\n", sat ? "(assert " : "", parts.assertions, sat ? ")" : "");
    }
    if (!sat) assertions = "(assert (or false\n" + assertions + "))\n";
    std::vector<Question> const asked = std::move(questions);
    questions.clear();

    ++queries_;
    Answer const answer = solver_->check(settings + declarations + assertions, {.model = sat});
    if (auto const* const got = std::get_if<answer::Sat>(&answer); sat && got != nullptr) {
        std::vector<std::string> const parts = models(got->model, asked.size());
        for (std::size_t i = 0; i < asked.size(); ++i)
            if (Wrong const wrong = asked[i].judge(parts[i])) return asked[i].wrong(*wrong);
        return std::nullopt;
    }
    if (!sat && std::holds_alternative<answer::Unsat>(answer)) return std::nullopt;
    for (Question const& one : asked)
        if (Wrong wrong = one.ask(*solver_)) return wrong;
    return "together: " + to_string(answer, solver_->command()) + ", each alone as expected\n";
}

} // namespace matchpoint::naive
