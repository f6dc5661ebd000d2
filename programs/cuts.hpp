// The cuts that make a draft smaller. A plan is made for every cut; the cut itself is made when its candidate is asked
// for. What a cut breaks is mended (smaller.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "programs/size.hpp"
#include "programs/smaller.hpp"

namespace matchpoint::programs::draft {

using Sorts = std::map<std::string, bool>; // of names: whether it is Bool

class Smaller::Cuts {
public:
    Cuts(Draft draft, Place from);

    /// The next candidate that is smaller than the draft, or has other names.
    std::optional<Draft> next();
    Place place() const { return place_; }

private:
    struct Plan {
        Place place;
        std::function<std::optional<Draft>()> cut;
    };

    /// Where a movement is.
    struct MovementPlace {
        std::size_t trace;
        std::size_t entry;
        std::size_t place; // in the entry
    };

    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    /// Where a command is, and how it depends on others. Commands are numbered through all threads.
    struct Info {
        std::uint32_t thread = 0;
        std::uint32_t place = 0;
        Expression const* e = nullptr;             // null if it has none
        std::vector<Subterm> terms = {};           // of e, in the order of the text
        std::uint32_t wait = none;                 // of a send, receive or mprobe: the wait for it
        std::uint32_t start = none;                // of an mprobe: its start
        std::vector<std::uint32_t> completes = {}; // of a wait: receives
        Sorts sorts = {};                          // of the variables in e, if they are known
    };

    LocatedCommand const& located(std::uint32_t c) const { return draft_.threads[info_[c].thread][info_[c].place]; }
    Command const& command(std::uint32_t c) const { return located(c).c; }
    Node const& node(std::uint32_t c, Subterm t) const { return info_[c].e->nodes[t.root]; }
    std::uint32_t commands() const { return static_cast<std::uint32_t>(info_.size()); }

    template <typename F>
    void for_each_movement(F const& f) const {
        for (std::size_t trace = 0; trace < draft_.traces.size(); ++trace)
            for (std::size_t entry = 0; entry < draft_.traces[trace].size(); ++entry)
                for (std::size_t m = 0; m < draft_.traces[trace][entry].m.size(); ++m) f({trace, entry, m});
    }

    void number_commands();
    void link_waits();
    void find_sorts();
    void plan();
    void plan_traces();
    void plan_threads();
    void plan_commands();
    void plan_messages();
    void plan_mpi();
    void plan_selectors(std::uint32_t c);
    void plan_collectives();
    void plan_call(std::uint32_t c, grammar::CollectiveOf<Text> const& collective);
    void plan_shared();
    void plan_guarded(std::uint32_t c, grammar::GuardedOf<Text> const& guarded);
    void plan_endpoints();
    void plan_expressions();
    void plan_variables();
    void plan_numbers();

    /// A cut of the present kind.
    template <typename Cut>
    void add(Cut cut) {
        plans_.push_back({{kind_, index_++}, std::move(cut)});
    }
    void next_kind() {
        ++kind_;
        index_ = 0;
    }

    std::optional<Draft> without(std::vector<std::uint32_t> const& gone,
                                 std::map<std::uint32_t, Command> const& instead = {}) const;
    std::optional<Draft> without_thread(std::uint32_t t, bool with_messages) const;
    std::optional<Draft> assigned(std::uint32_t receive, std::uint32_t send, Value const& value) const;
    Draft with_expression(std::uint32_t c, Expression e) const;
    Draft with_value(std::uint32_t c, Subterm instead_of, Value const& value) const;
    void find_sorts_in_thread(std::uint32_t t, Sorts const& endpoints);
    void mend(std::vector<Thread>& threads, std::vector<std::vector<std::uint32_t>> const& origins) const;
    Trace mended(Trace const& trace, std::vector<bool> const& stays) const;

    Draft draft_;
    Place from_;
    Size size_;
    std::vector<Info> info_;
    std::vector<std::uint32_t> first_;                           // of each thread
    std::map<Endpoint, std::vector<std::uint32_t>> receives_at_; // in order
    std::map<Endpoint, std::vector<std::uint32_t>> sends_to_;    // in order
    std::map<Endpoint, std::uint32_t> owner_;                    // the thread that has it
    std::vector<Plan> plans_;
    std::uint32_t kind_ = 0;
    std::uint32_t index_ = 0;
    std::size_t next_ = 0;
    Place place_;
};

} // namespace matchpoint::programs::draft
