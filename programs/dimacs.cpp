#include "programs/dimacs.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/numbers.hpp"

namespace matchpoint::programs {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// A run of characters that are not white space.
struct DimacsWord {
    std::string_view text;
    Offset offset;
};

class Reader {
public:
    Reader(Source const& source, std::uint32_t max_variables) : text_(source.text()), max_variables_(max_variables) {}

    Expected<Cnf, Diagnostics> read() {
        while (next_line()) {
            if (words_.empty() || words_[0].text.starts_with('c')) continue;
            if (words_[0].text.starts_with('%')) break;
            if (words_[0].text.starts_with('p')) {
                header();
            } else if (!clauses_) {
                complain("C1", words_[0], "a clause before the header `p cnf VARIABLES CLAUSES`");
                break;
            } else {
                for (DimacsWord const& word : words_) literal(word);
            }
            if (gave_up_ || faults_.size() >= max_diagnostics) break;
        }
        if (faults_.empty()) end();
        if (!faults_.empty()) {
            if (faults_.size() > max_diagnostics) faults_.resize(max_diagnostics);
            return Unexpected{std::move(faults_)};
        }
        return std::move(cnf_);
    }

private:
    void complain(std::string_view rule, DimacsWord const& word, std::string message) {
        faults_.push_back({.rule = rule,
                           .message = std::move(message),
                           .offset = word.offset,
                           .length = static_cast<std::uint32_t>(std::max<std::size_t>(word.text.size(), 1)),
                           .notes = {}});
    }

    /// The words of the next line; false: there is none.
    bool next_line() {
        if (at_ >= text_.size()) return false;
        std::size_t const line_end = std::min(text_.find('\n', at_), text_.size());
        std::string_view const line = text_.substr(0, line_end);
        words_.clear();
        while ((at_ = std::min(line.find_first_not_of(blanks, at_), line_end)) < line_end) {
            std::size_t const end = std::min(line.find_first_of(blanks, at_), line_end);
            words_.push_back({line.substr(at_, end - at_), static_cast<Offset>(at_)});
            // A comment can be long; all that counts is that it is one.
            at_ = words_[0].text.starts_with('c') ? line_end : end;
        }
        at_ = line_end + 1;
        return true;
    }

    void header() {
        constexpr auto form = "the header has to be `p cnf VARIABLES CLAUSES`";
        DimacsWord const& p = words_[0];
        gave_up_ = true; // what follows a wrong header means nothing
        if (clauses_) return complain("C1", p, "a second header");
        for (std::size_t i = 0; i < words_.size(); ++i) {
            bool const right = i == 0   ? p.text == "p"
                               : i == 1 ? words_[i].text == "cnf"
                                        : i < 4 && natural(words_[i].text).has_value();
            if (!right) return complain("C1", words_[i], form);
        }
        if (words_.size() < 4) return complain("C1", {"", words_.back().offset + size(words_.back())}, form);
        std::uint64_t const variables = *natural(words_[2].text);
        if (variables > max_variables_)
            return complain("limit", words_[2],
                            fmt::format("{} variables; no more than {} are possible here", printable(words_[2].text),
                                        max_variables_));
        cnf_.variables = static_cast<std::uint32_t>(variables);
        clauses_ = *natural(words_[3].text);
        header_ = words_[3];
        gave_up_ = false;
    }

    void literal(DimacsWord const& word) {
        if (faults_.size() >= max_diagnostics) return;
        bool const negative = word.text.starts_with('-');
        auto const n = natural(word.text.substr(negative ? 1 : 0));
        if (!n)
            return complain(
                "C2", word,
                fmt::format("`{}` is not a literal: an integer, or 0 at the end of a clause", printable(word.text)));
        if (*n == 0 && !negative) {
            cnf_.clause_ends.push_back(cnf_.literals.size());
            return;
        }
        if (*n == 0 || *n > cnf_.variables)
            return complain(
                "C3", word,
                cnf_.variables == 0
                    ? fmt::format("literal {}: the header says that there are no variables", printable(word.text))
                    : fmt::format("literal {}: the header says that the variables are 1 to {}", printable(word.text),
                                  cnf_.variables));
        auto const variable = static_cast<std::int32_t>(*n);
        cnf_.literals.push_back(negative ? -variable : variable);
        last_ = word;
    }

    void end() {
        if (!clauses_) {
            DimacsWord const nothing{"", static_cast<Offset>(text_.size())};
            return complain("C1", nothing, "there is no header `p cnf VARIABLES CLAUSES`");
        }
        bool const open = cnf_.clauses() == 0 ? !cnf_.literals.empty() : cnf_.clause_ends.back() < cnf_.literals.size();
        if (open) return complain("C4", last_, "the last clause does not end with 0");
        if (cnf_.clauses() != *clauses_)
            complain("C5", header_,
                     fmt::format("the number of clauses is {}, not {}", cnf_.clauses(), printable(header_.text)));
    }

    static Offset size(DimacsWord const& word) { return static_cast<Offset>(word.text.size()); }

    std::string_view text_;
    std::uint32_t max_variables_;
    std::size_t at_ = 0;
    std::vector<DimacsWord> words_; // of the line that is read
    std::optional<std::uint64_t> clauses_;
    DimacsWord header_{};
    DimacsWord last_{}; // literal
    bool gave_up_ = false;
    Cnf cnf_;
    Diagnostics faults_;
};

} // namespace

Expected<Cnf, Diagnostics> parse_dimacs(Source const& source, std::uint32_t max_variables) {
    return Reader(source, max_variables).read();
}

} // namespace matchpoint::programs
