#include "record/mending.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "base/overloaded.hpp"
#include "importers/call_id.hpp"

namespace matchpoint::record {

namespace {

void replace(importers::Process& process, std::map<std::uint32_t, std::vector<Call>> const& by) {
    if (by.empty()) return;
    std::vector<std::uint32_t> new_index(process.calls.size());
    std::vector<Call> calls;
    for (std::uint32_t i = 0; i < process.calls.size(); ++i) {
        auto const found = by.find(i);
        if (found != by.end()) calls.insert(calls.end(), found->second.begin(), found->second.end());
        new_index[i] = static_cast<std::uint32_t>(calls.size());
        if (found == by.end())
            calls.push_back(std::move(process.calls[i]));
        else if (!found->second.empty())
            --new_index[i]; // the last one
    }
    for (Call& call : calls) {
        if (auto* const w = std::get_if<importers::Wait>(&call.what)) w->call = new_index[w->call];
        if (auto* const s = std::get_if<importers::Start>(&call.what)) s->call = new_index[s->call];
    }
    process.calls = std::move(calls);
}

std::unordered_set<std::string> variables_read(importers::Process const& process) {
    std::unordered_set<std::string> read;
    auto const note = [&](draft::Expression const& e) {
        draft::for_each_variable(e, [&](draft::Variable const& x) { read.insert(x.text); });
    };
    for (Call const& call : process.calls)
        std::visit(overloaded{[&](importers::Send const& k) { note(k.payload); },
                              [&](importers::Assign const& k) { note(k.e); },
                              [&](importers::Assume const& k) { note(k.e); },
                              [&](importers::Assert const& k) { note(k.e); }, [](auto const&) {}},
                   call.what);
    return read;
}

bool has_variables(draft::Expression const& e) {
    bool found = false;
    draft::for_each_variable(e, [&](draft::Variable const&) { found = true; });
    return found;
}

class Broadcasts {
public:
    Broadcasts(Recording& recording, std::vector<Mending>& all) : calls_(recording.calls), all_(all) {
        for (std::size_t p = 0; p < all.size(); ++p)
            for (Broadcast const& b : all[p].broadcasts)
                if (b.value) roots_[{b.communicator, b.turn, calls_.processes[p].owner()}] = {p, &b};
    }

    void give_values() {
        for (std::size_t p = 0; p < all_.size(); ++p) {
            auto const& broadcasts = all_[p].broadcasts;
            if (broadcasts.empty()) continue;
            auto const read = variables_read(calls_.processes[p]);
            for (Broadcast const& b : broadcasts)
                if (!b.value) hand_out(p, b, read.contains(variable_of(receive(p, b))));
        }
        for (auto& [root, sends] : sends_) {
            auto const& [p, call] = root;
            sends.push_back(calls_.processes[p].calls[call]);
            all_[p].by[call] = std::move(sends);
        }
    }

private:
    CallId receive(std::size_t p, Broadcast const& b) const {
        return {calls_.processes[p].owner(), b.number, CallId::Kind::receive};
    }

    /// A message if the root sends an expression, otherwise the assignment that is there.
    void hand_out(std::size_t p, Broadcast const& b, bool is_read) {
        if (!is_read) {
            all_[p].by[b.call];
            return;
        }
        auto const root = roots_.find({b.communicator, b.turn, b.root});
        if (root == roots_.end() || !has_variables(*root->second.b->value)) return;
        auto const& [at, gives] = root->second;
        std::uint32_t const values = calls_.communicators(calls_.communicators.names()[b.communicator] + "/values");
        Call take = calls_.processes[p].calls[b.call];
        importers::Receive r;
        r.id = receive(p, b);
        r.variable = variable_of(r.id);
        r.id.part = b.root;
        r.from = b.root;
        r.communicator = values;
        r.blocking = true;
        take.what = std::move(r);
        all_[p].by[b.call] = {std::move(take)};
        Call give = calls_.processes[at].calls[gives->call];
        importers::Send s{{b.root, gives->number, CallId::Kind::send, calls_.processes[p].owner()},
                          calls_.processes[p].owner(),
                          *gives->value};
        s.mode = Mode::buffered; // the collective waits
        s.communicator = values;
        give.what = std::move(s);
        sends_[{at, gives->call}].push_back(std::move(give));
    }

    struct Root {
        std::size_t process;
        Broadcast const* b;
    };
    importers::Calls& calls_;
    std::vector<Mending>& all_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Root> roots_; // communicator, turn, rank
    std::map<std::pair<std::size_t, std::uint32_t>, std::vector<Call>> sends_;      // in front of the root's call
};

/// Declares the members of communicators that are not all ranks that call, in the order of the ranks. A further thread
/// that makes the calls of a rank is the member.
void declare_members(importers::Calls& calls, std::map<std::uint32_t, std::vector<std::uint32_t>> const& members) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> callers;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> further; // communicator, rank -> the caller
    std::vector<importers::Process const*> processes;
    for (importers::Process const& p : calls.processes) processes.push_back(&p);
    std::sort(processes.begin(), processes.end(), [](auto* a, auto* b) { return a->number < b->number; });
    for (importers::Process const* const p : processes)
        for (Call const& call : p->calls)
            if (auto const* const c = std::get_if<importers::Collective>(&call.what)) {
                auto& of_comm = callers[c->communicator];
                if (of_comm.empty() || of_comm.back() != p->number) of_comm.push_back(p->number);
                if (p->of) further[{c->communicator, p->owner()}] = p->number;
            }
    auto const replace = [&](std::uint32_t communicator, std::uint32_t& rank) {
        if (auto const found = further.find({communicator, rank}); found != further.end()) rank = found->second;
    };
    for (auto const& [communicator, processes_that_call] : callers) {
        std::vector<std::uint32_t> all = members.at(communicator);
        for (std::uint32_t& rank : all) replace(communicator, rank);
        if (all != processes_that_call) calls.members[communicator] = std::move(all);
    }
    if (further.empty()) return;
    for (importers::Process& p : calls.processes)
        for (Call& call : p.calls)
            if (auto* const c = std::get_if<importers::Collective>(&call.what); c != nullptr && c->call.root)
                replace(c->communicator, *c->call.root);
}

} // namespace

void mend_calls(Recording& recording, std::vector<Mending> all,
                std::map<std::uint32_t, std::vector<std::uint32_t>> const& members) {
    Broadcasts(recording, all).give_values();
    for (std::size_t p = 0; p < all.size(); ++p) replace(recording.calls.processes[p], all[p].by);
    declare_members(recording.calls, members);
}

} // namespace matchpoint::record
