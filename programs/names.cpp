#include "programs/names.hpp"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "programs/terms.hpp"

namespace matchpoint::programs::draft {

using Kind = Command::Kind;

namespace {

/// New names for old ones, in the order of appearance.
class Renaming {
public:
    template <typename Name>
    std::string const& operator()(std::string const& old, Name const& name) {
        auto const [it, is_new] = names_.try_emplace(old);
        if (is_new) it->second = name(names_.size() - 1);
        return it->second;
    }
    bool knows(std::string const& old) const { return names_.contains(old); }
    std::string const* find(std::string const& old) const {
        auto const it = names_.find(old);
        return it == names_.end() ? nullptr : &it->second;
    }

private:
    std::unordered_map<std::string, std::string> names_;
};

std::string decimal(std::size_t i) { return std::to_string(i); }

void canonical_locations(Draft& draft) {
    if (draft.traces.empty()) {
        for (Thread& t : draft.threads)
            for (Command& c : t) c.rho.clear();
        return;
    }
    name_locations(draft);
    std::vector<std::string> old;
    for (Thread& t : draft.threads)
        for (Command& c : t) old.push_back(std::exchange(c.rho, ""));
    name_locations(draft);
    std::unordered_map<std::string, std::string> renamed;
    std::unordered_set<std::string> taken;
    std::size_t i = 0;
    for (Thread const& t : draft.threads)
        for (Command const& c : t) {
            renamed.try_emplace(old[i++], c.rho);
            taken.insert(c.rho);
        }
    for (Trace& trace : draft.traces)
        for (Entry& entry : trace) {
            auto const it = renamed.find(entry.rho);
            if (it != renamed.end())
                entry.rho = it->second;
            else // not a location of the program: it must not become one
                while (taken.contains(entry.rho)) entry.rho += '\'';
        }
}

} // namespace

std::string without_zeros(std::string const& endpoint) {
    std::size_t const first = endpoint.find_first_not_of('0');
    return first == std::string::npos ? "0" : endpoint.substr(first);
}

std::string small_variable(std::size_t i) {
    constexpr std::string_view letters = "xyzuvw";
    return i < letters.size() ? std::string(1, letters[i]) : fmt::format("x{}", i - letters.size() + 1);
}

void canonical_names(Draft& draft) {
    Renaming receives;
    Renaming sends;
    for (Thread const& t : draft.threads)
        for (Command const& c : t) {
            if (c.kind == Kind::rcvi) receives(c.a, [](std::size_t i) { return fmt::format("R{}", i); });
            if (c.kind == Kind::sndi) sends(c.a, [](std::size_t i) { return fmt::format("S{}", i); });
        }
    Renaming variables;
    Renaming endpoints;
    auto const endpoint = [&](std::string& e) { e = endpoints(without_zeros(e), decimal); };
    auto const variable = [&](std::string& x) { x = variables(x, small_variable); };
    for (Thread& t : draft.threads)
        for (Command& c : t) {
            if (auto const* const a =
                    c.kind == Kind::sndi || !receives.knows(c.a) ? sends.find(c.a) : receives.find(c.a))
                c.a = *a;
            if (c.kind == Kind::sndi) endpoint(c.alpha);
            if (c.kind == Kind::sndi || c.kind == Kind::rcvi) endpoint(c.beta);
            if (c.kind == Kind::rcvi || c.kind == Kind::assign) variable(c.x);
            if (!has_expression(c.kind)) continue;
            Terms terms = terms_of(c.e);
            for (Term& term : terms)
                if (is_variable(term)) variable(term.text);
            if (!terms.empty()) c.e = text_of(terms);
        }
    for (Trace& trace : draft.traces)
        for (Entry& entry : trace)
            for (auto& [beta, alpha] : entry.m) {
                endpoint(beta);
                endpoint(alpha);
            }
    canonical_locations(draft);
}

} // namespace matchpoint::programs::draft
