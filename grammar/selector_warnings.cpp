#include "grammar/selector_warnings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "grammar/positions.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::grammar {

namespace {

/// The different names of some sends, in their order: "1, 2 or 3".
template <typename Name>
std::string one_of(Program const& program, std::vector<Sndi const*> const& sends, Name name) {
    constexpr std::size_t most = 8;
    std::vector<std::string> names;
    for (Sndi const* const send : sends) {
        auto const id = name(*send);
        std::string text = id.is_none() ? "0" : printable(program.symbols(id));
        if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(std::move(text));
        if (names.size() > most) break;
    }
    bool const is_cut = names.size() > most;
    if (is_cut) names.back() = "...";
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() && !is_cut ? " and " : ", ") + names[i];
    return text;
}

/// Why a receive admits none of the sends, of which there is at least one.
std::string why_none(Program const& program, Rcvi const& receive, std::vector<Sndi const*> sends) {
    Selectors const& sel = *selectors_of(program.ctp, receive);
    std::string const beta = printable(program.symbols(receive.beta));
    auto const alpha = [](Sndi const& s) { return s.alpha; };
    Selectors const sources{sel.from, {}, {}, {}};
    std::vector<Sndi const*> from;
    std::copy_if(sends.begin(), sends.end(), std::back_inserter(from),
                 [&](Sndi const* s) { return admits(&sources, s->alpha, tag_of(program, *s)); });
    if (from.empty()) return fmt::format("what is sent to {} comes from {}", beta, one_of(program, sends, alpha));
    return fmt::format("what is sent to {} from {} has tag {}", beta, one_of(program, from, alpha),
                       one_of(program, from, [&](Sndi const& s) { return tag_of(program, s); }));
}

} // namespace

Diagnostics warn_of_selectors(Program const& program, Source const& source) {
    Diagnostics result;
    if (program.ctp.selectors.empty()) return result;
    std::vector<std::vector<Sndi const*>> sends(program.symbols.endpoints.size());
    for (LocatedCommand const& c : program.ctp.commands)
        if (auto const* const send = as_sndi(c.c)) sends[send->beta.index].push_back(send);
    for (LocatedCommand const& c : program.ctp.commands) {
        auto const* const receive = as_rcvi(c.c);
        if (receive == nullptr || !restricts(selectors_of(program.ctp, *receive))) continue;
        auto const& to = sends[receive->beta.index];
        bool const is_admitted = std::any_of(to.begin(), to.end(), [&](Sndi const* s) {
            return admits(selectors_of(program.ctp, *receive), s->alpha, tag_of(program, *s));
        });
        if (to.empty() || is_admitted || result.size() == max_diagnostics) continue;
        Token const at = atom_at(source, c.offset, 2);
        result.push_back({Severity::warning,
                          "selector",
                          fmt::format("receive `{}` admits no message of the program: {}",
                                      printable(program.symbols(receive->a)), why_none(program, *receive, to)),
                          at.offset,
                          static_cast<std::uint32_t>(at.text.size()),
                          {}});
    }
    return result;
}

} // namespace matchpoint::grammar
