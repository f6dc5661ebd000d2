#include "programs/cuts.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include "programs/names.hpp"

namespace matchpoint::programs::draft {

using Kind = Command::Kind;

void Smaller::Cuts::plan() {
    plan_traces();
    next_kind();
    plan_threads();
    next_kind();
    plan_messages();
    next_kind();
    plan_commands();
    next_kind();
    plan_expressions();
    next_kind();
    plan_endpoints();
    next_kind();
    plan_variables();
    next_kind();
    plan_numbers();
    next_kind(); // the last kind: no smaller, but with other names
    add([this] {
        if (!is_renamed(draft_)) return std::optional<Draft>();
        Draft d = draft_;
        canonical_names(d);
        return std::optional(std::move(d));
    });
}

void Smaller::Cuts::plan_traces() {
    if (draft_.traces.size() > 1)
        add([this] {
            Draft d = draft_;
            d.traces.clear();
            return std::optional(std::move(d));
        });
    for (std::size_t i = 0; i < draft_.traces.size(); ++i)
        add([this, i] {
            Draft d = draft_;
            d.traces.erase(d.traces.begin() + static_cast<std::ptrdiff_t>(i));
            return std::optional(std::move(d));
        });
}

/// Whole threads, then stretches of threads. Each length of stretches is a kind of its own.
void Smaller::Cuts::plan_threads() {
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t)
        for (bool const with_messages : {true, false}) add([=, this] { return without_thread(t, with_messages); });
    std::size_t longest = 0;
    for (Thread const& t : draft_.threads) longest = std::max(longest, t.size());
    std::vector<std::size_t> lengths;
    for (std::size_t length = 2; length < longest; length *= 2) lengths.push_back(length);
    // The number of a kind does not depend on the number of lengths.
    kind_ = 1 + 64 - static_cast<std::uint32_t>(lengths.size());
    for (std::size_t l = lengths.size(); l-- > 0;) {
        next_kind();
        for (std::uint32_t t = 0; t < draft_.threads.size(); ++t)
            for (std::size_t first = 0; first + lengths[l] <= draft_.threads[t].size(); first += lengths[l])
                add([this, from = first_[t] + static_cast<std::uint32_t>(first), length = lengths[l]] {
                    std::vector<std::uint32_t> gone(length);
                    std::iota(gone.begin(), gone.end(), from);
                    return without(gone);
                });
    }
}

/// Single sends and receives, other commands, an assignment in place of a receive, single movements.
void Smaller::Cuts::plan_commands() {
    for (bool const request : {true, false}) {
        for (std::uint32_t c = 0; c < commands(); ++c)
            if ((command(c).kind == Kind::sndi || command(c).kind == Kind::rcvi) == request)
                add([this, c] { return without({c}); });
        next_kind();
    }
    for (auto const& [beta, receives] : receives_at_)
        for (std::uint32_t const r : receives)
            for (char const* const value : {"0", "1", "true", "false"})
                add([this, r, value] { return assigned(r, none, value); });
    next_kind();
    for (std::size_t trace = 0; trace < draft_.traces.size(); ++trace)
        for (std::size_t entry = 0; entry < draft_.traces[trace].size(); ++entry)
            for (std::size_t m = 0; m < draft_.traces[trace][entry].m.size(); ++m)
                add([=, this] {
                    Draft d = draft_;
                    auto& movements = d.traces[trace][entry].m;
                    movements.erase(movements.begin() + static_cast<std::ptrdiff_t>(m));
                    return std::optional(std::move(d));
                });
}

/// Pairs of a send and a receive at the same endpoint: all pairs, or, if there are many, those with equal places.
void Smaller::Cuts::plan_messages() {
    constexpr std::size_t many = 256;
    auto const for_each_message = [&](auto const& plan) {
        for (auto const& [beta, receives] : receives_at_) {
            auto const it = sends_to_.find(beta);
            if (it == sends_to_.end()) continue;
            auto const& sends = it->second;
            bool const all = receives.size() * sends.size() <= many;
            for (std::size_t r = 0; r < receives.size(); ++r)
                for (std::size_t s = 0; s < sends.size(); ++s)
                    if (all || r == s) plan(receives[r], sends[s]);
        }
    };
    for_each_message([&](std::uint32_t r, std::uint32_t s) { add([=, this] { return without({r, s}); }); });
    next_kind();
    for_each_message([&](std::uint32_t r, std::uint32_t s) {
        if (info_[s].terms.size() == 1 && !is_variable(info_[s].terms[0]))
            add([=, this] { return assigned(r, s, info_[s].terms[0].text); });
    });
}

/// Two endpoints of a thread become one; an endpoint that no thread has becomes any other.
void Smaller::Cuts::plan_endpoints() {
    std::set<std::string> all;
    for (auto const& [e, thread] : owner_) all.insert(e);
    for (auto const& [e, sends] : sends_to_) all.insert(e);
    auto const owner = [&](std::string const& e) {
        auto const it = owner_.find(e);
        return it == owner_.end() ? none : it->second;
    };
    for (std::string const& from : all)
        for (std::string const& to : all) {
            if (from == to || (owner(from) != none && owner(from) != owner(to))) continue;
            // If each may become the other, one way is enough.
            if (owner(from) == owner(to) && from < to) continue;
            add([=, this] {
                Draft d = draft_;
                for (Thread& t : d.threads)
                    for (Command& c : t) {
                        if (c.kind == Kind::sndi && c.alpha == from) c.alpha = to;
                        if ((c.kind == Kind::sndi || c.kind == Kind::rcvi) && c.beta == from) c.beta = to;
                    }
                for (Trace& trace : d.traces)
                    for (Entry& entry : trace)
                        for (auto& [beta, alpha] : entry.m) {
                            if (beta == from) beta = to;
                            if (alpha == from) alpha = to;
                        }
                return std::optional(std::move(d));
            });
        }
}

/// A value or an operand in place of an operation, the outermost first.
void Smaller::Cuts::plan_expressions() {
    for (std::uint32_t c = 0; c < commands(); ++c) {
        Terms const& terms = info_[c].terms;
        for (std::uint32_t i = 0; i < terms.size(); ++i) {
            if (terms[i].operands == 0 && !is_variable(terms[i])) continue;
            for (char const* const value : {"0", "1", "true", "false"})
                if (terms[i].operands > 0)
                    add([=, this] { return with_expression(c, replaced(info_[c].terms, i, value)); });
            std::uint32_t operand = i + 1;
            for (std::uint32_t n = 0; n < terms[i].operands; ++n) {
                add([=, this] {
                    Terms const& of = info_[c].terms;
                    return with_expression(c, replaced(of, i, std::span(of).subspan(operand, of[operand].size)));
                });
                operand += terms[operand].size;
            }
        }
    }
}

/// Two variables of a thread become one; a value in place of a variable.
void Smaller::Cuts::plan_variables() {
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        std::set<std::string> variables;
        for (Command const& c : draft_.threads[t])
            if (c.kind == Kind::assign || c.kind == Kind::rcvi) variables.insert(c.x);
        for (std::string const& to : variables)
            for (auto from = variables.upper_bound(to); from != variables.end(); ++from)
                add([this, t, to, from = *from] {
                    Draft d = draft_;
                    for (std::uint32_t i = 0; i < d.threads[t].size(); ++i) {
                        Command& c = d.threads[t][i];
                        if (c.x == from) c.x = to;
                        Terms terms = info_[first_[t] + i].terms;
                        for (Term& term : terms)
                            if (term.operands == 0 && term.text == from) term.text = to;
                        if (!terms.empty()) c.e = text_of(terms);
                    }
                    return std::optional(std::move(d));
                });
    }
    for (std::uint32_t c = 0; c < commands(); ++c)
        for (std::uint32_t i = 0; i < info_[c].terms.size(); ++i)
            if (is_variable(info_[c].terms[i]))
                for (char const* const value : {"0", "1", "true", "false"})
                    add([=, this] { return with_expression(c, replaced(info_[c].terms, i, value)); });
}

/// Smaller numbers: everywhere, then in single places. And true in place of false.
void Smaller::Cuts::plan_numbers() {
    std::set<std::pair<std::uint64_t, std::string>> numbers;
    for (Info const& info : info_)
        for (Term const& t : info.terms)
            if (is_number(t)) numbers.emplace(value_of(t.text), t.text);
    auto const simpler = [](std::string const& number) {
        std::vector<std::string> values = {"0", "1", "2", "3"};
        std::size_t const digits = number.find_first_of("0123456789");
        if (digits > 0) values.push_back(number.substr(digits));
        // Half of it, or half of its digits if it is large.
        if (value_of(number) < large_value)
            values.push_back(std::to_string(value_of(number) / 4));
        else
            values.push_back(number.substr(digits, (number.size() - digits) / 2));
        return values;
    };
    for (auto const& [value, number] : numbers)
        for (std::string const& by : simpler(number)) {
            if (value_of(by) >= value) continue;
            add([this, number = number, by] {
                Draft d = draft_;
                for (std::uint32_t c = 0; c < commands(); ++c) {
                    Terms terms = info_[c].terms;
                    for (Term& t : terms)
                        if (t.operands == 0 && t.text == number) t.text = by;
                    if (!terms.empty()) d.threads[info_[c].thread][info_[c].place].e = text_of(terms);
                }
                return std::optional(std::move(d));
            });
        }
    for (std::uint32_t c = 0; c < commands(); ++c)
        for (std::uint32_t i = 0; i < info_[c].terms.size(); ++i) {
            Term const& t = info_[c].terms[i];
            if (t.operands == 0 && t.text == "false")
                add([=, this] { return with_expression(c, replaced(info_[c].terms, i, "true")); });
            if (!is_number(t)) continue;
            for (std::string const& by : simpler(t.text))
                if (value_of(by) < value_of(t.text))
                    add([=, this] { return with_expression(c, replaced(info_[c].terms, i, by)); });
        }
}

} // namespace matchpoint::programs::draft
