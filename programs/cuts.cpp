#include "programs/cuts.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "grammar/discipline.hpp"
#include "grammar/operators.hpp"
#include "grammar/parse.hpp"
#include "programs/names.hpp"

namespace matchpoint::programs::draft {

using Kind = Command::Kind;

Smaller::Cuts::Cuts(Draft draft, Place from) : draft_(std::move(draft)), from_(from) {
    name_locations(draft_);
    for (Thread& t : draft_.threads)
        for (Command& c : t)
            for (std::string Command::*const e : {&Command::alpha, &Command::beta})
                if (!(c.*e).empty()) c.*e = without_zeros(c.*e);
    size_ = size_without_names(draft_);
    number_commands();
    link_waits();
    find_sorts();
    plan();
    next_ = static_cast<std::size_t>(
        std::find_if(plans_.begin(), plans_.end(), [&](Plan const& p) { return p.place >= from_; }) - plans_.begin());
}

std::optional<Draft> Smaller::Cuts::next() {
    while (next_ < plans_.size()) {
        Plan const& p = plans_[next_++];
        place_ = p.place;
        std::optional<Draft> cut = p.cut();
        // Those of the last kind only have other names.
        if (cut && (size_without_names(*cut) < size_ || p.place.kind == kind_)) return cut;
    }
    return std::nullopt;
}

void Smaller::Cuts::number_commands() {
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        first_.push_back(commands());
        for (std::uint32_t i = 0; i < draft_.threads[t].size(); ++i) {
            Command const& c = draft_.threads[t][i];
            std::uint32_t const number = commands();
            Info& info = info_.emplace_back();
            info.thread = t;
            info.place = i;
            if (has_expression(c.kind)) info.terms = terms_of(c.e);
            if (c.kind == Kind::sndi) {
                sends_to_[c.beta].push_back(number);
                owner_.try_emplace(c.alpha, t);
            }
            if (c.kind == Kind::rcvi) {
                receives_at_[c.beta].push_back(number);
                owner_.try_emplace(c.beta, t);
            }
        }
    }
}

void Smaller::Cuts::link_waits() {
    std::unordered_map<std::string, std::uint32_t> issued;
    for (std::uint32_t c = 0; c < commands(); ++c)
        if (command(c).kind == Kind::sndi || command(c).kind == Kind::rcvi) issued.try_emplace(command(c).a, c);
    for (std::uint32_t w = 0; w < commands(); ++w) {
        if (command(w).kind != Kind::wait) continue;
        auto const it = issued.find(command(w).a);
        if (it != issued.end() && it->second < w && info_[it->second].wait == none) info_[it->second].wait = w;
    }
    // The receives that a wait completes: its own and those before it at the endpoint (Definition 6, errata E24).
    for (auto const& [beta, receives] : receives_at_) {
        std::map<std::uint32_t, std::size_t> waits; // in order, with the number of receives completed after each
        for (std::size_t r = 0; r < receives.size(); ++r)
            if (info_[receives[r]].wait != none) waits[info_[receives[r]].wait] = r + 1;
        std::size_t completed = 0;
        for (auto const& [w, behind] : waits)
            for (; completed < behind; ++completed) info_[w].completes.push_back(receives[completed]);
    }
}

/// The sorts of variables where they are used, by rule D6, if the program obeys it.
void Smaller::Cuts::find_sorts() {
    std::map<std::string, bool> endpoints;
    Source const source("draft", print(draft_));
    auto const program = parse(source);
    if (program) {
        std::vector<bool> const booleans = endpoints_of_booleans(*program);
        for (std::uint32_t e = 0; e < booleans.size(); ++e)
            endpoints[std::string(program->symbols.endpoints[e])] = booleans[e];
    }
    auto const is_boolean = [&](Terms const& terms, std::map<std::string, bool> const& variables) {
        if (terms.empty()) return false;
        if (terms[0].operands > 0) {
            auto const op = parse_op(terms[0].text);
            return op && gives_boolean(*op);
        }
        auto const it = variables.find(terms[0].text);
        return it == variables.end() ? is_truth(terms[0].text) : it->second;
    };
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        std::map<std::string, bool> variables;
        for (std::uint32_t i = 0; i < draft_.threads[t].size(); ++i) {
            Info& info = info_[first_[t] + i];
            for (Term const& term : info.terms)
                if (auto const it = variables.find(term.text); term.operands == 0 && it != variables.end())
                    info.booleans.insert(*it);
            Command const& c = draft_.threads[t][i];
            if (c.kind == Kind::assign) variables[c.x] = is_boolean(info.terms, variables);
            for (std::uint32_t const r : info.completes)
                variables[command(r).x] = endpoints[without_zeros(command(r).beta)];
        }
    }
}

/// Replaces variables that are no longer defined by 0 or true.
void Smaller::Cuts::mend(std::vector<std::vector<Command>>& threads,
                         std::vector<std::vector<std::uint32_t>> const& origins) const {
    for (std::size_t t = 0; t < threads.size(); ++t) {
        std::unordered_set<std::string> defined;
        std::map<std::string, std::vector<std::pair<std::string, std::string>>> pending; // endpoint -> [a x]
        std::unordered_map<std::string, std::string> endpoint_of;                        // receive -> endpoint
        for (std::size_t i = 0; i < threads[t].size(); ++i) {
            Command& c = threads[t][i];
            if (has_expression(c.kind)) {
                Info const& before = info_[origins[t][i]];
                Terms terms = terms_of(c.e);
                bool changed = false;
                for (Term& term : terms) {
                    if (!is_variable(term) || defined.contains(term.text)) continue;
                    auto const it = before.booleans.find(term.text);
                    if (it == before.booleans.end()) continue; // it was undefined before
                    term.text = it->second ? "true" : "0";
                    changed = true;
                }
                if (changed) c.e = text_of(terms);
            }
            if (c.kind == Kind::assign) defined.insert(c.x);
            if (c.kind == Kind::rcvi) {
                pending[c.beta].emplace_back(c.a, c.x);
                endpoint_of[c.a] = c.beta;
            }
            if (c.kind != Kind::wait) continue;
            auto const it = endpoint_of.find(c.a);
            if (it == endpoint_of.end()) continue;
            auto& receives = pending[it->second];
            auto const own =
                std::find_if(receives.begin(), receives.end(), [&](auto const& r) { return r.first == c.a; });
            if (own == receives.end()) continue; // completed before
            for (auto r = receives.begin(); r <= own; ++r) defined.insert(r->second);
            receives.erase(receives.begin(), own + 1);
        }
    }
}

/// Removes entries with their commands, and movements with their sends: the n-th movement of a channel belongs to its n-th
/// send. The other movements of a removed entry move to the next entry.
Trace Smaller::Cuts::mended(Trace const& trace, std::vector<bool> const& stays) const {
    std::unordered_map<std::string, std::uint32_t> number;
    for (std::uint32_t c = 0; c < commands(); ++c) number.try_emplace(command(c).rho, c);
    std::map<std::pair<std::string, std::string>, std::vector<std::uint32_t>> sends; // (beta alpha)
    for (auto const& [beta, to] : sends_to_)
        for (std::uint32_t const s : to) sends[{beta, command(s).alpha}].push_back(s);
    std::map<std::pair<std::string, std::string>, std::size_t> moved;
    Trace result;
    std::vector<std::pair<std::string, std::string>> m;
    for (Entry const& entry : trace) {
        for (auto const& movement : entry.m) {
            std::size_t const n = moved[movement]++;
            auto const it = sends.find(movement);
            if (it == sends.end() || n >= it->second.size() || stays[it->second[n]]) m.push_back(movement);
        }
        auto const it = number.find(entry.rho);
        if (it != number.end() && !stays[it->second]) continue;
        result.push_back({entry.rho, std::exchange(m, {})});
    }
    return result;
}

/// Without some commands, and without the waits for them. Other commands are replaced.
std::optional<Draft> Smaller::Cuts::without(std::vector<std::uint32_t> const& gone,
                                            std::map<std::uint32_t, Command> const& instead) const {
    std::vector<bool> stays(commands(), true);
    for (std::uint32_t const c : gone) stays[c] = false;
    std::map<std::uint32_t, Command> replaced = instead;
    for (std::uint32_t const c : gone) {
        std::uint32_t const w = info_[c].wait;
        if (w == none || !stays[w] || instead.contains(w)) continue;
        stays[w] = false;
        if (command(c).kind != Kind::rcvi) continue;
        // The wait stays if it completes other receives that no other wait would complete.
        auto const& completes = info_[w].completes;
        auto const other =
            std::find_if(completes.rbegin(), completes.rend(), [&](std::uint32_t r) { return stays[r]; });
        if (other == completes.rend() || info_[*other].wait != none) continue;
        stays[w] = true;
        replaced[w] = wait(command(*other).a);
    }
    std::vector<std::vector<Command>> threads;
    std::vector<std::vector<std::uint32_t>> origins;
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        auto& thread = threads.emplace_back();
        auto& origin = origins.emplace_back();
        for (std::uint32_t i = 0; i < draft_.threads[t].size(); ++i) {
            std::uint32_t const c = first_[t] + i;
            if (!stays[c]) continue;
            auto const it = replaced.find(c);
            thread.push_back(it == replaced.end() ? command(c) : it->second);
            thread.back().rho = command(c).rho;
            origin.push_back(c);
        }
        if (thread.empty() && !draft_.threads[t].empty()) {
            threads.pop_back();
            origins.pop_back();
        }
    }
    mend(threads, origins);
    Draft result{.comment = draft_.comment, .threads = std::move(threads)};
    for (Trace const& trace : draft_.traces) result.traces.push_back(mended(trace, stays));
    return result;
}

/// Without a thread, and perhaps without the messages to it.
std::optional<Draft> Smaller::Cuts::without_thread(std::uint32_t t, bool with_messages) const {
    std::vector<std::uint32_t> gone;
    bool messages = false;
    for (std::uint32_t c = 0; c < commands(); ++c) {
        if (info_[c].thread == t) {
            gone.push_back(c);
        } else if (with_messages && command(c).kind == Kind::sndi) {
            auto const it = owner_.find(command(c).beta);
            if (it == owner_.end() || it->second != t) continue;
            gone.push_back(c);
            messages = true;
        }
    }
    if (with_messages && !messages) return std::nullopt; // the same as without the messages
    std::optional<Draft> result = without(gone);
    if (draft_.threads[t].empty()) result->threads.erase(result->threads.begin() + t);
    return result;
}

/// With (x := value) in place of the wait for a receive, and perhaps without a send.
std::optional<Draft> Smaller::Cuts::assigned(std::uint32_t receive, std::uint32_t send,
                                             std::string const& value) const {
    std::uint32_t const w = info_[receive].wait;
    if (w == none || info_[w].completes.size() != 1) return std::nullopt;
    std::vector<std::uint32_t> gone = {receive};
    if (send != none) gone.push_back(send);
    return without(gone, {{w, assign(command(receive).x, value)}});
}

Draft Smaller::Cuts::with_expression(std::uint32_t c, std::string e) const {
    Draft result = draft_;
    result.threads[info_[c].thread][info_[c].place].e = std::move(e);
    return result;
}

} // namespace matchpoint::programs::draft
