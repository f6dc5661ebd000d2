#include "check/shared/candidates.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "encode/formulas.hpp"

namespace matchpoint::check {

namespace {

constexpr std::size_t most_parts_of_a_candidate = 4096;
constexpr std::size_t most_candidates = 1000;

bool is_number(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
}

} // namespace

SymbolOrigins::SymbolOrigins(MessageIndex const& messages, Cssa const& cssa)
    : equations_(cssa.symbol_count()), pis_(cssa.symbol_count()) {
    for (Cssa::Equation const& e : cssa.equations()) {
        equations_[e.name.index] = &e;
        symbols_.emplace(cssa.name(e.name), e.name);
    }
    for (Cssa::Pi const& pi : cssa.pis()) {
        pis_[pi.name.index] = &pi;
        symbols_.emplace(cssa.name(pi.name), pi.name);
    }
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r)
        symbols_.emplace(cssa.name(cssa.received(r)), cssa.received(r));
}

std::optional<Symbol> SymbolOrigins::find(std::string_view name) const {
    auto const found = symbols_.find(name);
    return found == symbols_.end() ? std::nullopt : std::optional(found->second);
}

std::string Candidate::with(std::function<std::string(Variable)> const& name) const {
    std::string result;
    for (Part const& part : parts) result += part.x ? name(*part.x) : part.text;
    return result;
}

std::string in_language(Candidate const& c, Symbols const& names) {
    std::vector<std::string> parts;
    for (Candidate::Part const& part : c.parts) {
        parts.push_back(part.x ? std::string(names(*part.x)) : part.text == "distinct" ? "!=" : part.text);
        std::size_t const n = parts.size();
        bool const is_negative = n >= 5 && part.text == ")" && is_number(parts[n - 2]) && parts[n - 3] == " " &&
                                 parts[n - 4] == "-" && parts[n - 5] == "(";
        if (!is_negative) continue;
        std::string number = "-" + parts[n - 2];
        parts.resize(n - 5);
        parts.push_back(std::move(number));
    }
    return fmt::format("{}", fmt::join(parts, ""));
}

void Candidates::add_assertions() {
    for (Cssa::Condition const& a : cssa_.assertions())
        for (std::string_view const formula : conjuncts_of(a.term.text)) {
            Candidate c;
            if (all_.size() < most_candidates && open(formula, c)) add(std::move(c));
        }
}

void Candidates::add_bounds(Variable x) {
    if (all_.size() > most_candidates) return;
    Symbol const initial = cssa_.definitions_of(x)[0].name;
    std::string const& value = origins_.equation(initial)->term.text;
    for (char const* const op : {"=", "<=", ">="})
        if (cssa_.sort(initial) == Sort::Int || op == std::string_view("=")) {
            Candidate c{{{"(", {}}, {op, {}}, {" ", {}}, {{}, x}, {" ", {}}}, {}};
            open(value, c);
            c.parts.push_back({")", {}});
            add(std::move(c));
        }
}

void Candidates::add(Candidate c) {
    for (Candidate::Part const& part : c.parts)
        if (part.x) c.variables.push_back(*part.x);
    std::sort(c.variables.begin(), c.variables.end());
    c.variables.erase(std::unique(c.variables.begin(), c.variables.end()), c.variables.end());
    bool const is_new = seen_.insert(c.with([](Variable x) { return fmt::format("x{}", x.index); })).second;
    if (is_new && !c.variables.empty()) all_.push_back(std::move(c));
}

/// Appends a formula, with locals replaced. False: it says something about messages or divisions, or is too long.
bool Candidates::open(std::string_view formula, Candidate& c) const {
    auto const is_atom = [](char ch) { return ch != '(' && ch != ')' && ch != ' '; };
    std::vector<std::string_view> rest{formula}; // the innermost last
    while (!rest.empty()) {
        spend();
        if (c.parts.size() > most_parts_of_a_candidate) return false;
        std::string_view& text = rest.back();
        if (text.empty()) {
            rest.pop_back();
            continue;
        }
        std::size_t end = 1;
        if (is_atom(text[0]))
            while (end < text.size() && is_atom(text[end])) ++end;
        std::string_view const token = text.substr(0, end);
        text.remove_prefix(end);
        auto const symbol = origins_.find(token);
        if (!symbol) {
            c.parts.push_back({std::string(token), {}});
        } else if (Cssa::Pi const* const pi = origins_.pi(*symbol)) {
            c.parts.push_back({{}, pi->x});
        } else {
            Cssa::Equation const* const e = origins_.equation(*symbol);
            if (e == nullptr || e->what.starts_with("DIVISOR")) return false;
            rest.emplace_back(e->term.text);
        }
    }
    return true;
}

} // namespace matchpoint::check
