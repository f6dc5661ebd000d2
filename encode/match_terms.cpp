#include "encode/match_terms.hpp"

#include <fmt/format.h>

#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

MatchTerms::MatchTerms(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering)
    : m_(messages), code_(messages.code()), pairs_(pairs), zero_(buffering == Buffering::zero), values_(messages),
      candidates_(messages.sends().size()), cycles_(possible_order(messages, pairs, buffering)) {
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
        for (std::uint32_t const s : pairs.of[r]) candidates_[s].push_back(r);
}

void MatchTerms::line(std::string_view text) {
    out_ += text;
    out_ += '\n';
}

std::string MatchTerms::place(std::uint32_t send) const { return "place_" + mangle(code_.names()(m_.sends()[send].a)); }

std::uint32_t MatchTerms::instant_node(std::uint32_t receive) const {
    return static_cast<std::uint32_t>(code_.ctp().commands.size()) + receive;
}

std::string MatchTerms::moment(std::uint32_t node) const {
    auto const commands = static_cast<std::uint32_t>(code_.ctp().commands.size());
    return node < commands ? "order_" + mangle(code_.names()(Location{node}))
                           : "instant_" + mangle(code_.names()(m_.receives()[node - commands].a));
}

std::string MatchTerms::before(std::uint32_t from, std::uint32_t to) const {
    return is_ordered(from, to) ? fmt::format(" (< {} {})", moment(from), moment(to)) : std::string();
}

} // namespace matchpoint::encode
