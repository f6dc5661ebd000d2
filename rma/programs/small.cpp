#include "rma/programs/small.hpp"

#include <array>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "rma/language/parse.hpp"
#include "rma/language/print.hpp"

namespace matchpoint::rma {

namespace {

/// A statement: its type, a variable of the process itself, and one of the other process. A letter is type * 4 + own *
/// 2 + other.
enum class StatementType : unsigned char { put, get, load, store, flush };

constexpr unsigned types = 5;
StatementType type_of(char letter) { return static_cast<StatementType>(static_cast<unsigned char>(letter) / 4); }
bool own(char letter) { return (static_cast<unsigned char>(letter) & 2U) != 0; }
bool other(char letter) { return (static_cast<unsigned char>(letter) & 1U) != 0; }

bool has_other(StatementType k) { return k == StatementType::put || k == StatementType::get; }

/// Every statement once: variables that a type does not have are the first ones.
std::string alphabet() {
    std::string result;
    for (unsigned k = 0; k < types; ++k)
        for (unsigned variables = 0; variables < 4; ++variables) {
            char const letter = static_cast<char>(k * 4 + variables);
            if (!has_other(type_of(letter)) && other(letter)) continue;
            if (type_of(letter) == StatementType::flush && own(letter)) continue;
            result += letter;
        }
    return result;
}

/// With the variables of the process itself exchanged, or those of the other one.
std::string exchanged(std::string word, bool its_own) {
    for (char& letter : word)
        if (its_own ? type_of(letter) != StatementType::flush : has_other(type_of(letter)))
            letter = static_cast<char>(static_cast<unsigned char>(letter) ^ (its_own ? 2U : 1U));
    return word;
}

auto order(std::string const& a, std::string const& b) {
    return std::tuple(b.size(), std::string_view(a), std::string_view(b));
}

/// Whether no exchange of variables or processes gives words that come earlier.
bool is_first_of_its_names(std::string const& a, std::string const& b) {
    if (b.size() > a.size()) return false;
    for (unsigned change = 1; change < 8; ++change) {
        std::string x = a;
        std::string y = b;
        if ((change & 1U) != 0) x = exchanged(x, true), y = exchanged(y, false);
        if ((change & 2U) != 0) x = exchanged(x, false), y = exchanged(y, true);
        if ((change & 4U) != 0) std::swap(x, y);
        if (order(x, y) < order(a, b)) return false;
    }
    return true;
}

/// All words of a length, in alphabetical order.
std::vector<std::string> words_of(unsigned length) {
    std::vector<std::string> result{""};
    for (; length > 0; --length) {
        std::vector<std::string> longer;
        for (std::string const& word : result)
            for (char const letter : alphabet()) longer.push_back(word + letter);
        result = std::move(longer);
    }
    return result;
}

/// A process: which it is, and what it is made of.
class ProcessText {
public:
    ProcessText(unsigned pid, std::string const& word) : pid_(pid) {
        for (char const letter : word) statements_ += "    " + statement(letter) + "\n";
    }

    std::string text() const {
        auto const& [x, y] = names(pid_);
        std::string locals;
        for (unsigned i = 1; i <= loads_; ++i) locals += fmt::format(" ({} 0)", local(i));
        return fmt::format("  (process {}\n    (shared ({} {}) ({} {}))\n{}{}    bot\n  )\n", pid_, x, 2 * pid_ - 1, y,
                           2 * pid_, loads_ == 0 ? "" : fmt::format("    (local{})\n", locals), statements_);
    }

private:
    static std::array<char, 2> names(unsigned pid) { return pid == 1 ? std::array{'A', 'B'} : std::array{'C', 'D'}; }
    std::string local(unsigned i) const { return fmt::format("{}{}", pid_ == 1 ? 'a' : 'c', i); }

    std::string statement(char letter) {
        unsigned const there = 3 - pid_;
        char const x = names(pid_).at(own(letter) ? 1 : 0);
        char const y = names(there).at(other(letter) ? 1 : 0);
        switch (type_of(letter)) {
        case StatementType::put: return fmt::format("(put {} {} {})", y, there, x);
        case StatementType::get: return fmt::format("(get {} {} {})", x, y, there);
        case StatementType::load: return fmt::format("(load {} {})", local(++loads_), x);
        case StatementType::store: return fmt::format("(store {} {})", x, 10 * pid_ + ++stores_);
        case StatementType::flush: break;
        }
        return fmt::format("(flush {})", there);
    }

    unsigned pid_;
    unsigned loads_ = 0;
    unsigned stores_ = 0;
    std::string statements_;
};

} // namespace

SmallPrograms::SmallPrograms(unsigned statements) {
    if (statements > most_statements) throw std::invalid_argument("programs of so many statements are not small");
    for (unsigned n = 0; n <= statements; ++n)
        for (unsigned of_2 = 0; 2 * of_2 <= n; ++of_2) {
            std::vector<std::string> const second = words_of(of_2);
            for (std::string const& a : words_of(n - of_2))
                for (std::string const& b : second)
                    if (is_first_of_its_names(a, b)) words_.emplace_back(a, b);
        }
}

std::string SmallPrograms::text(std::uint64_t i) const {
    auto const& [a, b] = words_.at(i);
    return "(rma\n" + ProcessText(1, a).text() + ProcessText(2, b).text() + ")\n";
}

Program SmallPrograms::operator[](std::uint64_t i) const {
    Source const source("small", text(i));
    auto program = parse_rma(source);
    if (!program) throw std::logic_error("a small program is none: " + render(program.error(), source));
    return std::move(*program);
}

} // namespace matchpoint::rma
