#include "check/sat/match_reasons.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace matchpoint::check {

namespace {

using Literal = SatSolver::Literal;

std::string name(MessageIndex const& m, auto id) { return std::string(m.code().names()(id)); }

} // namespace

std::vector<Literal> unless_not_executed(Literal executed, std::vector<Literal> clause) {
    if (executed != 0 && std::find(clause.begin(), clause.end(), -executed) == clause.end())
        clause.push_back(-executed);
    return clause;
}

MatchReasons::MatchReasons(ReasonedClauses& clauses, MessageIndex const& messages, Buffering buffering)
    : clauses_(clauses), m_(messages), buffering_(buffering), sends_to_(messages.code().endpoints().size()),
      number_(messages.sends().size()), first_(messages.receives().size()) {
    for (std::uint32_t s = 0; s < m_.sends().size(); ++s) {
        auto& of_endpoint = sends_to_[m_.beta_of(m_.sends()[s]).index];
        number_[s] = static_cast<std::uint32_t>(of_endpoint.size());
        of_endpoint.push_back(s);
    }
    for (std::uint32_t r = 0; r < first_.size(); ++r) {
        first_[r] = clauses_.sat().variables() + 1;
        for (std::uint32_t const s : sends_to(m_.receives()[r].beta))
            clauses_.new_variable(
                [&] { return fmt::format("match {} {}", name(m_, m_.receives()[r].a), name(m_, m_.sends()[s].a)); });
    }
}

double MatchReasons::size(MessageIndex const& messages) {
    double clauses = 0;
    for (std::uint32_t beta = 0; beta < messages.code().endpoints().size(); ++beta) {
        auto const r = static_cast<double>(messages.receives_at({beta}).size());
        auto const s = static_cast<double>(messages.sends_to({beta}));
        clauses += r * s * (r + s);
    }
    return clauses / 2;
}

void MatchReasons::add(std::span<Literal const> executed) {
    for (std::uint32_t r = 0; r < first_.size(); ++r) add_receive(r, executed);
    for (std::uint32_t s = 0; s < m_.sends().size(); ++s) add_send(s, executed);
}

void MatchReasons::add_receive(std::uint32_t r, std::span<Literal const> executed) {
    auto const& receive = m_.receives()[r];
    std::vector<Literal> all;
    for (std::uint32_t const s : sends_to(receive.beta)) all.push_back(match({r, s}));
    clauses_.add(unless_not_executed(executed[receive.nw.index], all), [&] { return "get " + name(m_, receive.a); });
    for (std::size_t i = 0; i < all.size(); ++i) {
        spend(all.size());
        for (std::size_t j = i + 1; j < all.size(); ++j)
            clauses_.add({-all[i], -all[j]}, [&] { return "one " + name(m_, receive.a); });
    }
}

void MatchReasons::add_send(std::uint32_t s, std::span<Literal const> executed) {
    auto const& send = m_.sends()[s];
    auto const receives = m_.receives_at(m_.beta_of(send));
    std::vector<Literal> all;
    for (std::uint32_t const r : receives) all.push_back(match({r, s}));
    for (std::size_t i = 0; i < all.size(); ++i) {
        spend(all.size());
        for (std::size_t j = i + 1; j < all.size(); ++j)
            clauses_.add({-all[i], -all[j]}, [&] { return "once " + name(m_, send.a); });
    }
    if (send.place > 0) {
        std::uint32_t const before = m_.sends_of(send.channel)[send.place - 1];
        std::vector<Literal> clause;
        for (std::size_t i = 0; i < all.size(); ++i) {
            clause.push_back(-all[i]);
            clauses_.add(clause, [&] {
                return fmt::format("fifo {} {}", name(m_, m_.receives()[receives[i]].a), name(m_, send.a));
            });
            clause.back() = match({receives[i], before});
        }
    }
    if (buffering_ == Buffering::zero && !send.wait.is_none())
        clauses_.add(unless_not_executed(executed[send.wait.index], all), [&] { return "taken " + name(m_, send.a); });
}

void MatchReasons::add_progress(std::span<Literal const> executed) {
    for (std::uint32_t r = 0; r < first_.size(); ++r)
        for (std::uint32_t const s : sends_to(m_.receives()[r].beta)) add_delivery({r, s}, executed);
}

void MatchReasons::add_delivery(Pair p, std::span<Literal const> executed) {
    auto const& receive = m_.receives()[p.r];
    auto const reason = [&](char const* kind) {
        return [this, kind, p] {
            return fmt::format("{} {} {}", kind, name(m_, m_.receives()[p.r].a), name(m_, m_.sends()[p.s].a));
        };
    };
    clauses_.add({-match(p), executed[m_.sends()[p.s].rho.index]}, reason("sent"));
    if (buffering_ == Buffering::zero) clauses_.add({-match(p), executed[receive.rho.index]}, reason("posted"));
    if (receive.ordinal == 0) return;
    std::vector<Literal> clause{-match(p)};
    std::uint32_t const before = m_.receives_at(receive.beta)[receive.ordinal - 1];
    spend(sends_to(receive.beta).size());
    for (std::uint32_t const s : sends_to(receive.beta)) clause.push_back(match({before, s}));
    clauses_.add(std::move(clause), reason("queue"));
}

std::uint32_t MatchReasons::chosen(std::uint32_t r) const {
    for (std::uint32_t const s : sends_to(m_.receives()[r].beta))
        if (clauses_.sat().value(match({r, s}))) return s;
    return unmatched;
}

} // namespace matchpoint::check
