#include "rma/search/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/text.hpp"
#include "grammar/operators.hpp"
#include "machine/operation.hpp"
#include "rma/machine/evaluate.hpp"
#include "rma/machine/replay.hpp"
#include "rma/search/reduced_run.hpp"

namespace matchpoint::rma {

namespace {

/// False before true, smaller integers before larger ones.
bool precedes(Value const& a, Value const& b) {
    if (a.is_boolean() || b.is_boolean() || a.is_bot() || b.is_bot()) return a.is_false() && b.is_true();
    auto const l = machine::apply(Op::less, a, b);
    return std::get<Value>(l).is_true();
}

/// Sorted by the variables in the order of their declarations.
std::vector<std::vector<Value>> valuations(Program const& program, System const& system, SearchResult const& found) {
    std::vector<std::vector<Value>> result;
    for (Packed const& part : found.finals) result.push_back(system.memory(part));
    std::vector<std::size_t> places;
    for (Variable const x : program.declared) places.push_back(x.index);
    sort_valuations(result, places);
    return result;
}

class Check {
public:
    Check(Program const& program, CheckOptions const& options)
        : options_(options), graph_(program), machine_(graph_, options.model) {}

    CheckResult run() {
        if (options_.engine == Engine::reduced)
            reduced_only();
        else
            search_deeper();
        return std::move(result_);
    }

private:
    /// The search with K = 1, 2, ... until it is not cut, finds a violation, or the reduced program answers.
    void search_deeper() {
        bool const bounded = options_.model == Model::rma && !graph_.remotes().empty();
        for (std::uint32_t K = bounded ? 1 : options_.pending; K <= options_.pending; ++K) {
            MachineSystem system(machine_, {.fused = true, .pending = K, .values = options_.values});
            SearchResult const found = search(system, search_options());
            take(system, found, K);
            if (found.violation && violated(system, *found.violation)) return;
            if (found.complete()) return decided("the search", found);
            if (!bounds_agree_) result_.reason = reason(found);
            if (found.stop != SearchResult::Stop::none || found.cuts.values) return;
            if (options_.engine == Engine::both && K == 1) ask_reduced();
            if (upper_ && (bounds_agree_ || agrees()) && !leaves_open()) return;
        }
    }

    /// Whether the reduced program discards, faults or ends, and no search has seen that: with more pending operations
    /// one may.
    bool leaves_open() const {
        return (upper_->discarded && result_.discarded != Known::yes) ||
               (upper_->faulted && result_.faulted != Known::yes) ||
               (upper_->has_final && result_.has_final != Known::yes);
    }

    SearchOptions search_options() const {
        return {.stop_at_violation = !options_.finals, .finals = options_.finals, .max_bytes = options_.max_bytes};
    }

    void take(MachineSystem const& system, SearchResult const& found, std::uint32_t K) {
        result_.pending = K;
        result_.was_cut = found.cuts.pending;
        result_.states += found.states;
        result_.bytes = std::max(result_.bytes, found.bytes);
        if (!bounds_agree_) result_.finals = valuations(machine_.program(), system, found);
        known(result_.discarded, found.discarded);
        known(result_.faulted, found.faulted);
        known(result_.has_final, found.has_final);
    }
    static void known(Known& known, bool found) {
        if (found) known = Known::yes;
    }
    static void known_not(Known& known, bool found) {
        if (!found && known == Known::open) known = Known::no;
    }

    /// Whether that ends the check.
    bool violated(MachineSystem& system, SearchResult::Violation const& found) {
        result_.verdict = Verdict::violated;
        result_.decided_by = "the search";
        if (!result_.violation) {
            CheckResult::Violation v{system.way(found.path, !found.property), found.property, false};
            shorten(v);
            replay(v);
            result_.violation = std::move(v);
        }
        return !options_.finals;
    }

    /// The shortest run that goes wrong: a search without reductions, as far as it comes.
    void shorten(CheckResult::Violation& v) {
        constexpr std::uint32_t most_states = 2'000'000;
        MachineSystem system(machine_, {.fused = false, .pending = MachineSystem::most_pending, .values = {}});
        SearchResult const found = search(system, {.stop_at_violation = true,
                                                   .reduced = false,
                                                   .shortest = true,
                                                   .max_bytes = options_.max_bytes / 2,
                                                   .max_states = most_states});
        result_.states += found.states;
        if (!found.violation) return;
        v.run = system.way(found.violation->path, !found.violation->property);
        v.property = found.violation->property;
        v.is_shortest = true;
    }

    /// Only what goes wrong on the machine is a violation.
    void replay(CheckResult::Violation const& v) const {
        Replayed const end = rma::replay(machine_, v.run);
        bool const fails =
            v.property ? !holds(end.state, machine_.program().properties[*v.property]) : end.effect == Effect::failed;
        if (!fails) throw std::logic_error("check: the counterexample does not go wrong");
    }

    bool holds(State const& state, Property const& property) const {
        if (property.is_final && !machine_.is_final(state)) return true;
        auto const value = evaluate(graph_, state, property.e);
        return !value || value->is_true();
    }

    void decided(std::string by, SearchResult const& found) {
        if (result_.verdict != Verdict::violated) result_.verdict = Verdict::safe;
        result_.reason.clear();
        result_.decided_by = std::move(by);
        known_not(result_.discarded, found.discarded);
        known_not(result_.faulted, found.faulted);
        known_not(result_.has_final, found.has_final);
        result_.never_asserts = !found.may_assert;
        result_.finals_are_all = options_.finals;
    }

    // ---- the reduced program

    void ask_reduced() {
        SearchOptions options = search_options();
        auto values = options_.values;
        if (options_.engine == Engine::both && graph_.has_atomics()) {
            options.max_states = most_states_with_atomics;
            if (!values) values = values_with_atomics;
        }
        auto const system = reduced_system(graph_, options_.literal, values);
        SearchResult found = search(*system, options);
        result_.reduced_states += found.states;
        result_.bytes = std::max(result_.bytes, found.bytes);
        upper_finals_ = valuations(machine_.program(), *system, found);
        upper_ = std::move(found);
    }

    /// Whether the upper bound answers what the lower bound leaves open.
    bool agrees() {
        if (!upper_->complete()) return false;
        bool const open_verdict = upper_->violation && result_.verdict != Verdict::violated;
        if (open_verdict || (options_.finals && upper_finals_ != result_.finals)) return false;
        if (result_.verdict == Verdict::violated && !upper_->violation)
            throw std::logic_error("check: the program goes wrong, and the reduced program does not");
        decided("the reduced program", *upper_);
        return bounds_agree_ = true;
    }

    void reduced_only() {
        ask_reduced();
        result_.finals = upper_finals_;
        if (upper_->violation) {
            result_.reason = "the reduced program goes wrong, which it may do although the program does not";
        } else if (upper_->complete()) {
            decided("the reduced program", *upper_);
            // What it finds may not be there.
            for (Known* const k : {&result_.discarded, &result_.faulted, &result_.has_final})
                if (*k != Known::no) *k = Known::open;
            result_.finals_are_all = false;
        } else {
            result_.reason = reason(*upper_);
        }
    }

    std::string reason(SearchResult const& found) const { return why_not_decided(found, options_); }

    CheckOptions options_;
    Graph graph_;
    Machine machine_;
    CheckResult result_;
    std::optional<SearchResult> upper_;
    bool bounds_agree_ = false;
    std::vector<std::vector<Value>> upper_finals_;
};

} // namespace

std::string_view to_string(Verdict verdict) {
    switch (verdict) {
    case Verdict::violated: return "violated";
    case Verdict::safe: return "safe";
    case Verdict::unknown: break;
    }
    return "unknown";
}

std::string_view to_string(Known known) {
    switch (known) {
    case Known::no: return "no";
    case Known::yes: return "yes";
    case Known::open: break;
    }
    return "unknown";
}

void sort_valuations(std::vector<std::vector<Value>>& valuations, std::span<std::size_t const> places) {
    std::sort(valuations.begin(), valuations.end(), [&](std::vector<Value> const& a, std::vector<Value> const& b) {
        for (std::size_t const i : places)
            if (!(a[i] == b[i])) return precedes(a[i], b[i]);
        return false;
    });
}

std::string why_cut(SearchResult const& found, CheckOptions const& options) {
    switch (found.stop) {
    case SearchResult::Stop::time: return "out of time";
    case SearchResult::Stop::memory:
        return options.memory ? fmt::format("the memory limit of {} MiB is reached", *options.memory)
                              : fmt::format("more than {} MiB of states", options.max_bytes >> 20U);
    case SearchResult::Stop::states: return "too many states";
    case SearchResult::Stop::none:
    case SearchResult::Stop::violation: break;
    }
    if (found.cuts.values)
        return fmt::format("a value leaves the range {}..{}", options.values->lo, options.values->hi);
    return "";
}

std::string why_not_decided(SearchResult const& found, CheckOptions const& options) {
    if (std::string cut = why_cut(found, options); !cut.empty()) return cut;
    std::string_view const upper = options.engine == Engine::both ? ", and the reduced program does not decide" : "";
    return fmt::format("more than {} of one statement can be pending{}", plural(options.pending, "operation"), upper);
}

CheckResult check_program(Program const& program, CheckOptions const& options) { return Check(program, options).run(); }

} // namespace matchpoint::rma
