#include "grammar/static_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "grammar/messages/hints.hpp"
#include "grammar/messages/positions.hpp"

namespace matchpoint::grammar {

namespace {

constexpr std::uint32_t not_issued = Id<struct None>::none_index;

std::vector<std::string_view> all_of(Names const& names) {
    std::vector<std::string_view> result;
    for (std::uint32_t i = 0; i < names.size(); ++i) result.push_back(names[i]);
    return result;
}

std::uint32_t length_of(Token t) { return static_cast<std::uint32_t>(t.text.size()); }

} // namespace

Diagnostic* StaticRules::fault(std::string_view rule, std::string message, Token at) {
    if (faults_.size() == max_diagnostics) return nullptr;
    faults_.push_back({Severity::error, rule, std::move(message), at.offset, length_of(at), {}});
    return source_ == nullptr ? nullptr : &faults_.back();
}

void StaticRules::suggest(Diagnostic* d, std::string_view name,
                          std::function<std::vector<std::string_view>()> const& known) {
    constexpr std::size_t most_names = 10'000;
    if (d == nullptr || faults_.size() > shown_diagnostics) return;
    std::vector<std::string_view> const names = known();
    if (names.size() > most_names) return;
    if (auto hint = hint_for_name(name, names)) d->hints.push_back(std::move(*hint));
}

Location StaticRules::define_location(Token rho) {
    Names& names = program_.symbols.locations;
    std::uint32_t const known = names.size();
    Location const location{names.intern(rho.text)};
    if (location.index == known) {
        if (!location_offsets_.empty()) location_offsets_.push_back(rho.offset);
        return location;
    }
    if (location_offsets_.empty()) // until now the n-th command has the n-th location
        for (LocatedCommand const& c : program_.ctp.commands) location_offsets_.push_back(c.offset);
    Diagnostic* const d = fault(
        "S1", fmt::format("location `{}` is used twice: locations are unique in the program", printable(rho.text)),
        rho);
    if (d != nullptr) d->notes.push_back({"it is here already", location_offsets_[location.index], length_of(rho)});
    return location;
}

Action StaticRules::action(std::string_view name) {
    auto& issued_by = program_.ctp.issued_by;
    Action const a{program_.symbols.actions.intern(name)};
    if (a.index == issued_by.size()) issued_by.push_back(not_issued);
    return a;
}

void StaticRules::issued(Action a, std::uint32_t command, Offset at) {
    std::uint32_t& issued_by = program_.ctp.issued_by[a.index];
    if (issued_by == not_issued) {
        issued_by = command;
        return;
    }
    std::string_view const name = program_.symbols(a);
    Diagnostic* const d =
        fault("S2", fmt::format("action `{}` is issued twice: actions are unique in the program", printable(name)),
              {name, at});
    if (d != nullptr) {
        Token const first = atom_at(*source_, program_.ctp.commands[issued_by].offset, 2);
        d->notes.push_back({"it is issued here already", first.offset, length_of(first)});
    }
}

void StaticRules::awaited(Action a, Offset at, std::string_view by) {
    if (program_.ctp.issued_by[a.index] == not_issued) undefined_actions_.push_back({a, at, by});
}

void StaticRules::check_arity(Op op, std::uint32_t count, Offset offset) {
    if (count == arity(op)) return;
    std::string_view const name = to_string(op);
    Diagnostic* const d = fault(
        "S4", fmt::format("`{}` takes {}, here it has {}", name, plural(arity(op), "operand"), count), {name, offset});
    if (d != nullptr) d->hints.push_back(hint_for_operands(op, count));
}

void StaticRules::use_location(Token rho, std::uint32_t command) { location_uses_.push_back({rho, command}); }

Variable StaticRules::declare_shared(Token x) {
    Names& names = program_.symbols.variables; // those of the declarations before are all that are known
    std::uint32_t const known = names.size();
    Variable const result{names.intern(x.text)};
    if (result.index == known) return result;
    Diagnostic* const d = fault("S6", fmt::format("shared variable `{}` is declared twice", printable(x.text)), x);
    if (d == nullptr) return result;
    auto const& declared = program_.ctp.shared;
    auto const first =
        std::find_if(declared.begin(), declared.end(), [&](SharedVariable const& s) { return s.x == result; });
    d->notes.push_back({"it is declared here already", first->offset, length_of(x)});
    return result;
}

void StaticRules::assigned(Variable x, std::uint32_t command, Token at) {
    if (assigned_by_.size() <= x.index) assigned_by_.resize(x.index + 1U, not_issued);
    if (std::exchange(assigned_by_[x.index], command) == command)
        fault("S7",
              fmt::format("`{}` is assigned twice in one command: its assignments all happen at once",
                          printable(program_.symbols(x))),
              at);
}

void StaticRules::repeated_selector(Token kind) {
    fault("S8", fmt::format("a second `({} ...)`: a receive has at most one selector of each kind", kind.text),
          {"(", kind.offset});
}

void StaticRules::meets(Barrier b, std::uint32_t thread, Offset at) {
    barriers_.resize(std::max<std::size_t>(barriers_.size(), b.index + 1U));
    auto& occurrences = barriers_[b.index];
    if (occurrences.empty() || occurrences.back().thread != thread) occurrences.push_back({thread, 0, at});
    ++occurrences.back().count;
    occurrences.back().last = at;
}

void StaticRules::check_barriers() {
    for (std::uint32_t b = 0; b < barriers_.size(); ++b) {
        auto const& occurrences = barriers_[b];
        auto const other = std::find_if(occurrences.begin(), occurrences.end(),
                                        [&](Occurrences const& o) { return o.count != occurrences.front().count; });
        if (other == occurrences.end()) continue;
        std::string_view const name = program_.symbols.barriers[b];
        auto const times = [](std::uint32_t n) { return n == 1 ? std::string("once") : fmt::format("{} times", n); };
        Diagnostic* const d =
            fault("S9",
                  fmt::format("barrier `{}` occurs {} in one thread and {} in another: it has to occur "
                              "equally often in each thread that has it",
                              printable(name), times(occurrences.front().count), times(other->count)),
                  {name, other->last});
        if (d != nullptr)
            d->notes.push_back({"the last occurrence in the first thread", occurrences.front().last,
                                static_cast<std::uint32_t>(name.size())});
    }
}

void StaticRules::end_of_ctp() {
    check_barriers();
    Ctp& ctp = program_.ctp;
    auto const issued_actions = [&] {
        std::vector<std::string_view> names;
        for (std::uint32_t a = 0; a < ctp.issued_by.size(); ++a)
            if (ctp.issued_by[a] != not_issued) names.push_back(program_.symbols.actions[a]);
        return names;
    };
    for (auto const& [a, at, by] : undefined_actions_) {
        if (ctp.issued_by[a.index] != not_issued) continue;
        std::string_view const name = program_.symbols(a);
        suggest(fault("S3", fmt::format("`{}` names `{}`, which is not an action of the program", by, printable(name)),
                      {name, at}),
                name, issued_actions);
    }
    for (auto const& [rho, index] : location_uses_) {
        auto const location = program_.symbols.locations.find(rho.text);
        if (!location) {
            suggest(
                fault("S5",
                      fmt::format("`{}` is not a location of the program (the last atom of a `sndi` or `rcvi`, after "
                                  "its payload or variable, has to be one)",
                                  printable(rho.text)),
                      rho),
                rho.text, [&] { return all_of(program_.symbols.locations); });
            continue;
        }
        std::visit(overloaded{
                       [](Assume const&) {},
                       [](Assert const&) {},
                       [](Assign const&) {},
                       [&](Sndi& c) { c.rho = {*location}; },
                       [&](Rcvi& c) { c.rho = {*location}; },
                       [](Probe const&) {},
                       [](Start const&) {},
                       [](Wait const&) {},
                       [](Meet const&) {},
                       [](Guarded const&) {},
                   },
                   ctp.commands[index].c);
    }
    undefined_actions_ = {};
    location_uses_ = {};
}

Diagnostics StaticRules::take_faults() {
    std::stable_sort(faults_.begin(), faults_.end(),
                     [](Diagnostic const& a, Diagnostic const& b) { return a.offset < b.offset; });
    return std::move(faults_);
}

} // namespace matchpoint::grammar
