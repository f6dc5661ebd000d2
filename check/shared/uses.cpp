#include "check/shared/uses.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "matching/definitions.hpp"

namespace matchpoint::check {

SharedUses::SharedUses(MessageIndex const& messages)
    : m_(messages), ctp_(messages.code().ctp()), is_shared_(messages.code().names().variables.size()),
      initial_(is_shared_.size()), definitions_of_(is_shared_.size()), is_relevant_(ctp_.commands.size()),
      divides_(ctp_.commands.size()), is_needed_(is_shared_.size()), is_asked_(messages.code().endpoints().size()),
      last_(is_shared_.size(), none), used_(is_shared_.size()) {
    for (SharedVariable const& shared : ctp_.shared) {
        is_shared_[shared.x.index] = true;
        initial_[shared.x.index] = shared.v;
    }
    auto const completed = completed_at(messages);
    for (Thread const& t : ctp_.threads) {
        for (std::uint32_t c = t.first; c < t.last; ++c) {
            first_use_.push_back(static_cast<std::uint32_t>(uses_.size()));
            first_definition_.push_back(static_cast<std::uint32_t>(definitions_.size()));
            add_uses({c});
            add_definitions({c}, completed[c]);
        }
        for (std::uint32_t d = t.first == t.last ? 0 : first_definition_[t.first]; d < definitions_.size(); ++d)
            last_[definitions_[d].x.index] = none;
    }
    first_use_.push_back(static_cast<std::uint32_t>(uses_.size()));
    first_definition_.push_back(static_cast<std::uint32_t>(definitions_.size()));
    find_own_ranges();
    find_relevant();
}

void SharedUses::add_uses(Location rho) {
    for_each_expression(ctp_, ctp_.commands[rho.index].c, [&](Expression const& e) {
        spend(e.size);
        if (may_divide_by_zero(ctp_, e)) divides_[rho.index] = true;
        for (std::uint32_t n = e.first; n < e.first + e.size; ++n) {
            Node const& node = ctp_.nodes[n];
            if (node.kind != Node::Kind::variable || used_[node.payload] == rho.index + 1) continue;
            used_[node.payload] = rho.index + 1;
            Variable const x{node.payload};
            std::uint32_t const own = last_[x.index];
            if (is_shared_[x.index]) {
                uses_.push_back({x, true, static_cast<std::uint32_t>(reads_.size())});
                reads_.push_back({rho, x, own, false});
            } else {
                uses_.push_back({x, false, own});
            }
        }
    });
}

void SharedUses::add_definitions(Location rho, std::span<std::uint32_t const> completed) {
    Command const& c = ctp_.commands[rho.index].c;
    if (auto const* const assign = std::get_if<Assign>(&c)) define(rho, assign->x, none, assign->e);
    if (Guarded const* const guarded = as_guarded(c))
        for (auto const& [x, e] : ctp_.assigned(*guarded)) define(rho, x, none, e);
    for (std::size_t i = 0; i < completed.size(); ++i) {
        spend();
        auto const& receive = m_.receives()[completed[i]];
        Variable const x = m_.code().as_rcvi(receive.a)->x;
        std::uint32_t const last = last_[x.index];
        // Receives are completed in the order of the program, which is that of their places.
        if (last != none && definitions_[last].rho == rho)
            definitions_[last].receive = completed[i];
        else
            define(rho, x, completed[i], {});
    }
}

void SharedUses::define(Location rho, Variable x, std::uint32_t receive, Expression e) {
    auto const number = static_cast<std::uint32_t>(definitions_.size());
    definitions_.push_back({rho, x, receive, e, false});
    definitions_of_[x.index].push_back(number);
    last_[x.index] = number;
}

/// For each read, the definitions of its thread, which are no candidates but for its own.
void SharedUses::find_own_ranges() {
    own_.resize(reads_.size());
    auto const thread_of = [&](std::uint32_t d) { return m_.code().thread_of(definitions_[d].rho); };
    for (std::uint32_t r = 0; r < reads_.size(); ++r) {
        spend();
        auto const& all = definitions_of_[reads_[r].x.index];
        std::uint32_t const thread = m_.code().thread_of(reads_[r].rho);
        auto const first = std::partition_point(all.begin(), all.end(), [&](auto d) { return thread_of(d) < thread; });
        auto const last = std::partition_point(first, all.end(), [&](auto d) { return thread_of(d) == thread; });
        own_[r] = {static_cast<std::uint32_t>(first - all.begin()), static_cast<std::uint32_t>(last - all.begin())};
    }
}

std::uint32_t SharedUses::candidate_count(std::uint32_t read) const {
    auto const all = static_cast<std::uint32_t>(definitions_of_[reads_[read].x.index].size());
    return 1 + all - (own_[read].last - own_[read].first);
}

std::uint32_t SharedUses::candidate(std::uint32_t read, std::uint32_t i) const {
    if (i == 0) return reads_[read].own;
    Range const& own = own_[read];
    std::uint32_t const other = i - 1 < own.first ? i - 1 : i - 1 + (own.last - own.first);
    return definitions_of_[reads_[read].x.index][other];
}

void SharedUses::require(Expression const& e, std::vector<Variable>& open) {
    spend(e.size);
    for (std::uint32_t n = e.first; n < e.first + e.size; ++n) {
        Node const& node = ctp_.nodes[n];
        if (node.kind != Node::Kind::variable || is_needed_[node.payload]) continue;
        is_needed_[node.payload] = true;
        open.push_back({node.payload});
    }
}

void SharedUses::require_payloads(Endpoint beta, std::vector<Variable>& open) {
    if (is_asked_[beta.index]) return;
    is_asked_[beta.index] = true;
    for (Channel const c : m_.channels_to(beta))
        for (std::uint32_t const s : m_.sends_of(c)) {
            is_relevant_[m_.sends()[s].rho.index] = true;
            require(m_.code().as_sndi(m_.sends()[s].a)->e, open);
        }
}

void SharedUses::find_relevant() {
    std::vector<Variable> open;
    for (std::uint32_t c = 0; c < ctp_.commands.size(); ++c) {
        Command const& command = ctp_.commands[c].c;
        bool const decides =
            std::visit(overloaded{[](Assume const&) { return true; }, [](Assert const&) { return true; },
                                  [](Guarded const&) { return true; }, [](Assign const&) { return false; },
                                  [](Sndi const&) { return false; }, [](Rcvi const&) { return false; },
                                  [](Probe const&) { return false; }, [](Start const&) { return false; },
                                  [](Wait const&) { return false; }, [](Meet const&) { return false; },
                                  [](Collective const&) { return false; }},
                       command);
        if (decides) require(*expression_of(command), open);
        is_relevant_[c] = decides;
        if (!divides_[c]) continue;
        is_relevant_[c] = true;
        for_each_expression(ctp_, command, [&](Expression const& e) { require(e, open); });
    }
    while (!open.empty()) {
        Variable const x = open.back();
        open.pop_back();
        for (std::uint32_t const d : definitions_of_[x.index]) {
            spend();
            Definition& definition = definitions_[d];
            definition.is_relevant = true;
            if (definition.receive == none)
                require(definition.e, open);
            else
                require_payloads(m_.receives()[definition.receive].beta, open);
        }
    }
    for (Read& read : reads_)
        read.is_relevant = is_relevant_[read.rho.index] ||
                           std::ranges::any_of(definitions_at(read.rho), [](auto const& d) { return d.is_relevant; });
}

} // namespace matchpoint::check
