#include "programs/names.hpp"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "grammar/parts.hpp"

namespace matchpoint::programs::draft {

namespace {

/// New names for old ones, in the order of appearance.
class Renaming {
public:
    template <typename MakeName>
    std::string const& operator()(std::string const& old, MakeName const& name) {
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
            for (LocatedCommand& c : t) c.rho.clear();
        return;
    }
    name_locations(draft);
    std::vector<std::string> old;
    for (Thread& t : draft.threads)
        for (LocatedCommand& c : t) old.push_back(std::exchange(c.rho, ""));
    name_locations(draft);
    std::unordered_map<std::string, std::string> renamed;
    std::unordered_set<std::string> taken;
    std::size_t i = 0;
    for (Thread const& t : draft.threads)
        for (LocatedCommand const& c : t) {
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

std::string small_variable(std::size_t i) {
    constexpr std::string_view letters = "xyzuvw";
    return i < letters.size() ? std::string(1, letters[i]) : fmt::format("x{}", i - letters.size() + 1);
}

void canonical_names(Draft& draft) {
    Renaming receives;
    Renaming sends;
    Renaming calls;
    for (Thread const& t : draft.threads)
        for (LocatedCommand const& c : t) {
            if (auto const* const k = as_rcvi(c.c))
                receives(k->a.text, [](std::size_t i) { return fmt::format("R{}", i); });
            if (auto const* const k = as_probe(c.c))
                receives(k->a.text, [](std::size_t i) { return fmt::format("R{}", i); });
            if (auto const* const k = as_sndi(c.c))
                sends(k->a.text, [](std::size_t i) { return fmt::format("S{}", i); });
            if (auto const* const k = as_collective(c.c))
                calls(k->a.text, [](std::size_t i) { return fmt::format("K{}", i); });
        }
    Renaming variables;
    Renaming endpoints;
    Renaming barriers;
    Renaming communicators;
    auto const communicator_name = [](std::size_t i) { return fmt::format("w{}", i); };
    auto const barrier_name = [](std::size_t i) { return fmt::format("B{}", i); };
    auto const endpoint = [&](Endpoint& e) { e = endpoints(e.text, decimal); };
    auto const variable = [&](Variable& x) { x = variables(x.text, small_variable); };
    for (SharedVariable& s : draft.shared) variable(s.x);
    for (CommunicatorMembers& c : draft.communicators) c.comm = communicators(c.comm.text, communicator_name);
    for (Thread& t : draft.threads)
        for (LocatedCommand& c : t) {
            // Where an action is issued twice: a wait means the receive.
            bool const of_send = as_sndi(c.c) != nullptr;
            bool const of_call = as_collective(c.c) != nullptr;
            auto const action = [&](Action& a) {
                Renaming const& of_message = of_send || !receives.knows(a.text) ? sends : receives;
                Renaming const& renaming = of_call || !of_message.knows(a.text) ? calls : of_message;
                if (auto const* const name = renaming.find(a.text)) a = *name;
            };
            for_each_part(c.c,
                          overloaded{action, endpoint, variable, [&](Expression& e) { for_each_variable(e, variable); },
                                     [](NoLocation) {}, [](Tag&) {}, [](bool) {},
                                     [&](Barrier& b) { b = barriers(b.text, barrier_name); }, [](Mode) {},
                                     [&](Communicator& w) { w = communicators(w.text, communicator_name); },
                                     [](CollectiveCall&) {}});
        }
    for (Trace& trace : draft.traces)
        for (Entry& entry : trace)
            for_each_movement(entry, [&](Movement& m) {
                endpoint(m.beta);
                endpoint(m.alpha);
            });
    canonical_locations(draft);
}

} // namespace matchpoint::programs::draft
