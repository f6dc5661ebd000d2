#include "report/line_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/numbers.hpp"

namespace matchpoint::report {

namespace {

constexpr std::size_t few_numbers = 32; // that are searched one by one
constexpr std::size_t most_digits = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The digits are those that a reader writes for the number.
bool is_canonical(std::string_view digits) {
    return digits.size() <= most_digits && (digits.size() == 1 || digits.front() != '0');
}

} // namespace

std::uint32_t LineTable::slot(std::uint32_t number) {
    auto const next = static_cast<std::uint32_t>(numbers_.size());
    if (next <= few_numbers) {
        auto const known = std::find(numbers_.begin(), numbers_.end(), number);
        if (known != numbers_.end()) return static_cast<std::uint32_t>(known - numbers_.begin());
        if (next == few_numbers)
            for (std::uint32_t i = 0; i < next; ++i) slots_.emplace(numbers_[i], i);
    }
    if (next >= few_numbers) {
        auto const [known, is_new] = slots_.emplace(number, next);
        if (!is_new) return known->second;
    }
    numbers_.push_back(number);
    return next;
}

void LineTable::append(std::string& to, std::string_view line) {
    numbers_.clear();
    if (!slots_.empty()) slots_ = {}; // clear() would take as long as for the line with most numbers
    std::string pattern;
    for (std::size_t i = 0; i < line.size();) {
        std::size_t end = i + 1;
        bool const digits = is_digit(line[i]);
        while (end < line.size() && is_digit(line[end]) == digits) ++end;
        std::string_view const part = line.substr(i, end - i);
        if (digits && is_canonical(part))
            pattern.append(1, '\0')
                .append(std::to_string(slot(to_number<std::uint32_t>(part).value_or(0))))
                .append(1, '\0');
        else
            pattern += part;
        i = end;
    }
    auto const [known, is_new] = index_of_.emplace(std::move(pattern), static_cast<std::uint32_t>(patterns_.size()));
    if (is_new) patterns_.push_back(&known->first);
    to += std::to_string(known->second);
    for (std::uint32_t const n : numbers_) fmt::format_to(std::back_inserter(to), ",{}", n);
}

Json LineTable::templates() const {
    Json all = Json::array();
    for (std::string const* const key : patterns_) {
        std::string_view const pattern = *key;
        Json parts = Json::array();
        bool is_slot = false;
        for (std::size_t i = 0; i <= pattern.size(); is_slot = !is_slot) {
            std::size_t const end = std::min(pattern.find('\0', i), pattern.size());
            std::string_view const part = pattern.substr(i, end - i);
            if (is_slot)
                parts.push_back(to_number<std::uint32_t>(part).value_or(0));
            else if (!part.empty())
                parts.push_back(part);
            i = end + 1;
        }
        all.push_back(std::move(parts));
    }
    return all;
}

} // namespace matchpoint::report
