#include "importers/reports.hpp"

#include <algorithm>

namespace matchpoint::importers {

void Reports::add(Severity severity, std::string_view rule, Place const& place, std::string message, std::string hint) {
    OfFile& file = of_file_[place.file];
    std::size_t& count = severity == Severity::error ? file.errors : file.warnings;
    if (count >= max_diagnostics) return;
    ++count;
    Diagnostic& d = file.all.emplace_back();
    d.severity = severity;
    d.rule = rule;
    d.message = std::move(message);
    d.offset = place.offset;
    d.length = std::max<std::uint32_t>(place.length, 1);
    if (!hint.empty()) d.hints.push_back(std::move(hint));
}

void Reports::error(std::string_view rule, Place const& place, std::string message, std::string hint) {
    refused_ = true;
    add(Severity::error, rule, place, std::move(message), std::move(hint));
}

void Reports::warning(std::string_view rule, Place const& place, std::string message, std::string hint) {
    add(Severity::warning, rule, place, std::move(message), std::move(hint));
}

namespace {

/// What is wrong with a line: what follows it may only seem wrong.
bool is_about_a_line(Diagnostic const& d) {
    return d.severity == Severity::error &&
           (d.rule == "syntax" || d.rule == "limit" || d.rule == "I1" || d.rule == "I5");
}

} // namespace

std::vector<Diagnostics> Reports::take() {
    std::vector<Diagnostics> result;
    for (OfFile& file : of_file_) {
        Diagnostics& diagnostics = result.emplace_back(std::move(file.all));
        if (std::any_of(diagnostics.begin(), diagnostics.end(), is_about_a_line))
            std::erase_if(diagnostics, [](Diagnostic const& d) { return d.rule == "I2"; });
        std::stable_sort(diagnostics.begin(), diagnostics.end(),
                         [](Diagnostic const& a, Diagnostic const& b) { return a.offset < b.offset; });
    }
    return result;
}

} // namespace matchpoint::importers
