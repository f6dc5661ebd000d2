#include "report/shared_diagram.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "explain/words.hpp"
#include "grammar/synchronisation.hpp"

namespace matchpoint::report {

namespace {

std::vector<SharedDiagram::Arrow> arrows(Diagram const& d, IndexedProgram const& code, Locks const& locks) {
    std::vector<bool> const synchronises = synchronisation_variables(code.ctp(), code.names().variables.size());
    std::vector<SharedDiagram::Arrow> result;
    std::size_t of_row = 0; // the first arrow to the row
    for (ReadsFrom::Read const& r : d.reads_from.reads) {
        bool const has_bar = locks.is_lock(r.x) && !locks.is_flag(r.x);
        if (r.from == ReadsFrom::initial || has_bar) continue;
        if (d.rows[r.from].thread == d.rows[r.step].thread) continue;
        if (result.empty() || result.back().to != r.step) of_row = result.size();
        auto const known = std::find_if(result.begin() + static_cast<std::ptrdiff_t>(of_row), result.end(),
                                        [&](auto const& arrow) { return arrow.from == r.from; });
        if (known == result.end()) {
            result.push_back({r.from, r.step, {r.x}, synchronises[r.x.index]});
        } else {
            known->variables.push_back(r.x);
            known->synchronises = known->synchronises && synchronises[r.x.index];
        }
    }
    return result;
}

/// The locks that the threads hold, row by row.
class Holders {
public:
    Holders(IndexedProgram const& code, Locks const& locks) : locks_(locks), threads_(code.ctp().threads.size()) {}

    void row(std::uint32_t r, Diagram::Row const& row) {
        for (Locks::Use const& use : locks_.uses(row.rho))
            if (!locks_.is_flag(use.lock)) use.takes ? take(r, row, use.lock) : give(r, row, use.lock);
    }
    std::vector<SharedDiagram::Held> held;

private:
    struct Open {
        std::size_t held; // index
        std::uint32_t count;
    };
    struct OfThread {
        std::map<Variable, Open> open;
        std::set<std::uint32_t> free_slots; // below the number of slots
        std::uint32_t slots = 0;
    };

    void take(std::uint32_t r, Diagram::Row const& row, Variable lock) {
        OfThread& own = threads_[row.thread];
        auto const [known, is_new] = own.open.emplace(lock, Open{held.size(), 1});
        if (!is_new) {
            if (locks_.counts(lock)) ++known->second.count;
            return;
        }
        if (own.free_slots.empty()) own.free_slots.insert(own.slots++);
        held.push_back({lock, row.thread, r, Diagram::none, *own.free_slots.begin()});
        own.free_slots.erase(own.free_slots.begin());
    }
    void give(std::uint32_t r, Diagram::Row const& row, Variable lock) {
        OfThread& own = threads_[row.thread];
        auto const known = own.open.find(lock);
        if (known == own.open.end() || --known->second.count > 0) return;
        SharedDiagram::Held& done = held[known->second.held];
        done.to = r;
        own.free_slots.insert(done.slot);
        own.open.erase(known);
    }

    Locks const& locks_;
    std::vector<OfThread> threads_;
};

/// The row that used up each flag, if some row did.
std::map<Variable, std::uint32_t> flags_used_up(Diagram const& d, Locks const& locks) {
    std::map<Variable, std::uint32_t> result;
    for (std::uint32_t r = 0; r < d.rows.size(); ++r) {
        if (d.rows[r].kind != Diagram::Kind::step) continue;
        for (Locks::Use const& use : locks.uses(d.rows[r].rho))
            if (locks.is_flag(use.lock)) result.emplace(use.lock, r);
    }
    return result;
}

std::string entry_text(Diagram const& d, IndexedProgram const& code, std::uint32_t row) {
    return fmt::format("entry {}, {}", d.rows[row].entry, shown(code, d.rows[row].rho));
}

} // namespace

SharedDiagram shared_diagram(Diagram const& d, IndexedProgram const& code) {
    if (code.ctp().shared.empty()) return {};
    Locks const locks(code.ctp(), code.names().variables.size());
    Holders holders(code, locks);
    for (std::uint32_t r = 0; r < d.rows.size(); ++r)
        if (d.rows[r].kind == Diagram::Kind::step) holders.row(r, d.rows[r]);
    return {arrows(d, code, locks), std::move(holders.held)};
}

std::string arrow_text(IndexedProgram const& code, SharedDiagram::Arrow const& arrow) {
    std::string text;
    for (Variable const x : arrow.variables) append_item(text, shown(code, x));
    return text;
}

std::string arrow_story(Diagram const& d, IndexedProgram const& code, SharedDiagram::Arrow const& arrow) {
    return fmt::format("{}, from {}, to {}", arrow_text(code, arrow), entry_text(d, code, arrow.from),
                       entry_text(d, code, arrow.to));
}

std::string held_story(Diagram const& d, IndexedProgram const& code, SharedDiagram::Held const& held) {
    return fmt::format("holds {} from {}{}", shown(code, held.lock), entry_text(d, code, held.from),
                       held.to == Diagram::none ? ", to the end" : ", to " + entry_text(d, code, held.to));
}

std::vector<std::pair<std::uint32_t, std::string>> waiting_notes(Diagram const& d, IndexedProgram const& code,
                                                                 SharedDiagram const& shared) {
    std::vector<std::pair<std::uint32_t, std::string>> result;
    std::map<Variable, SharedDiagram::Held const*> open; // of those that hold a lock, the first
    for (SharedDiagram::Held const& h : shared.held)
        if (h.to == Diagram::none) open.emplace(h.lock, &h);
    std::vector<Value> initial(code.names().variables.size());
    for (SharedVariable const& s : code.ctp().shared) initial[s.x.index] = s.v;
    Locks const locks(code.ctp(), initial.size());
    std::map<Variable, std::uint32_t> const used_up = flags_used_up(d, locks);
    if (open.empty() && used_up.empty()) return result;
    for (std::uint32_t t = 0; t < code.ctp().threads.size(); ++t) {
        if (!d.stands_at_wait(code, t)) continue;
        Location const rho = d.next(code, t);
        for (Locks::Use const& use : locks.uses(rho)) {
            if (auto const at = used_up.find(use.lock); at != used_up.end())
                result.emplace_back(t, fmt::format("║ thread {} waits at {} for {}, which thread {} used up in {}", t,
                                                   shown(code, rho), shown(code, use.lock), d.rows[at->second].thread,
                                                   entry_text(d, code, at->second)));
            auto const held = open.find(use.lock);
            // A semaphore may have some units left; a mutex has one.
            bool const may_be_free = locks.counts(use.lock) && initial[use.lock.index] != Value::integer(1);
            if (!use.takes || may_be_free || held == open.end() || held->second->thread == t) continue;
            result.emplace_back(t, fmt::format("║ thread {} waits at {} for {}, which thread {} has held since {}", t,
                                               shown(code, rho), shown(code, use.lock), held->second->thread,
                                               entry_text(d, code, held->second->from)));
        }
    }
    return result;
}

} // namespace matchpoint::report
