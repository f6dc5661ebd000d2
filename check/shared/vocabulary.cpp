#include "check/shared/vocabulary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace matchpoint::check {

SharedVocabulary::SharedVocabulary(ReasonedClauses& clauses, MessageIndex const& messages, SharedUses const& uses,
                                   Buffering buffering, bool has_extent)
    : clauses_(clauses), m_(messages), uses_(uses), matches_(clauses, messages, buffering),
      executed_(messages.code().ctp().commands.size()), first_read_(uses.reads().size()) {
    for (std::uint32_t c = 0; c < executed_.size() && has_extent; ++c)
        executed_[c] = clauses_.new_variable([&] { return "executed " + name(Location{c}); });
    for (std::uint32_t r = 0; r < first_read_.size(); ++r) {
        if (!uses_.reads()[r].is_relevant) continue;
        first_read_[r] = clauses_.sat().variables() + 1;
        std::uint32_t const candidates = uses_.candidate_count(r);
        spend(candidates);
        for (std::uint32_t i = 0; i < candidates; ++i)
            clauses_.new_variable([&] { return "read " + read_words(r, i); });
    }
}

std::string SharedVocabulary::read_words(std::uint32_t read, std::uint32_t candidate) const {
    auto const& of = uses_.reads()[read];
    std::string words = fmt::format("{} {}", name(of.rho), name(of.x));
    std::uint32_t const definition = uses_.candidate(read, candidate);
    if (definition != SharedUses::none) words += " " + name(uses_.definitions()[definition].rho);
    return words;
}

SharedVocabulary::Literal SharedVocabulary::before(Location a, Location b) {
    auto const [first, second] = std::minmax(a, b);
    std::uint64_t const key = (std::uint64_t{first.index} << 32U) | second.index;
    Literal& literal = order_of_[key];
    if (literal == 0) {
        literal = clauses_.new_variable(
            [&, l = first, r = second] { return fmt::format("before command {} command {}", name(l), name(r)); });
        orders_.push_back({first, second, literal});
    }
    return a == first ? literal : -literal;
}

template <typename F>
SharedVocabulary::Literal SharedVocabulary::valued(Kind kind, std::uint32_t index, Value const& v, F meaning) {
    Literal& literal = values_[Key{kind, index, v}];
    if (literal == 0) literal = clauses_.new_variable([&] { return meaning() + " " + v.to_string(); });
    return literal;
}

SharedVocabulary::Literal SharedVocabulary::in(std::uint32_t read, Value const& v) {
    return valued(Kind::in, read, v, [&] {
        auto const& of = uses_.reads()[read];
        return fmt::format("in {} {}", name(of.rho), name(of.x));
    });
}

SharedVocabulary::Literal SharedVocabulary::out(std::uint32_t definition, Value const& v) {
    return valued(Kind::out, definition, v, [&] {
        auto const& of = uses_.definitions()[definition];
        return fmt::format("out {} {}", name(of.rho), name(of.x));
    });
}

SharedVocabulary::Literal SharedVocabulary::payload(std::uint32_t send, Value const& v) {
    return valued(Kind::payload, send, v, [&] { return "payload " + name(m_.sends()[send].a); });
}

} // namespace matchpoint::check
