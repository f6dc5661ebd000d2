#include "tests/support/naive_outcomes.hpp"

#include "tests/support/naive_shared.hpp"

namespace matchpoint::naive {

namespace {

/// Who has read and written what so far.
struct Accessed {
    ReadsFrom reads;
    std::map<std::string, std::string> last_writes; // variable -> command
};

std::string key_of(Accessed const& accessed) {
    std::string key;
    for (auto const& [command, reads] : accessed.reads) {
        for (auto const& [x, from] : reads) {
            key += command + " " + x + " " + (from ? *from : "(initial)") + "; ";
        }
    }
    for (auto const& [x, command] : accessed.last_writes) {
        key += x + " := " + command + "; ";
    }
    return key;
}

class OutcomeSearch {
public:
    OutcomeSearch(Program const& program, bool zero, std::size_t limit)
        : program_(program), zero_(zero), limit_(limit), shared_(shared_variables(program)) {}

    std::optional<SharedOutcomes> run() {
        visit(initial_state(program_), {});
        return seen_.size() > limit_ ? std::nullopt : std::optional(found_);
    }

private:
    void visit(State const& state, Accessed const& accessed) {
        if (seen_.size() > limit_ || !seen_.insert(key_of(state) + key_of(accessed)).second) {
            return;
        }
        found_.pairs_of_executions.insert(state.matches.begin(), state.matches.end());
        if (finished(program_, state)) {
            found_.pairs.insert(state.matches.begin(), state.matches.end());
            found_.complete[{state.matches, accessed.reads}].insert(state.s);
        }
        for (std::size_t const t : unfinished_threads(program_, state)) {
            auto const after = step_of(program_, state, t, zero_);
            State const* const next = std::get_if<State>(&after);
            if (next != nullptr && next->s < Status::infeasible) {
                visit(*next, after_command(accessed, t, state.next[t]));
            }
        }
        for (auto const& [movement, moved] : movements_of(program_, state, zero_)) {
            visit(moved, accessed);
        }
    }

    Accessed after_command(Accessed accessed, std::size_t thread, std::size_t place) const {
        std::string const& command = program_.threads[thread][place].location;
        Accesses const all = accesses_of(program_, thread, place);
        for (std::string const& x : all.reads) {
            if (shared_.contains(x)) {
                auto const last = accessed.last_writes.find(x);
                accessed.reads[command][x] =
                    last == accessed.last_writes.end() ? std::nullopt : std::optional(last->second);
            }
        }
        for (std::string const& x : all.writes) {
            if (shared_.contains(x)) {
                accessed.last_writes[x] = command;
            }
        }
        return accessed;
    }

    Program const& program_;
    bool zero_;
    std::size_t limit_;
    std::set<std::string> shared_;
    SharedOutcomes found_;
    std::set<std::string> seen_;
};

} // namespace

std::optional<SharedOutcomes> outcomes_of(Program const& program, bool zero, std::size_t limit) {
    return OutcomeSearch(program, zero, limit).run();
}

std::optional<std::set<std::map<std::string, std::string>>> final_values(Program const& program, bool zero,
                                                                         std::size_t limit) {
    std::set<std::map<std::string, std::string>> found;
    std::set<std::string> seen;
    std::vector<State> open{initial_state(program)};
    while (!open.empty()) {
        State const state = std::move(open.back());
        open.pop_back();
        if (!seen.insert(key_of(state)).second) {
            continue;
        }
        if (seen.size() > limit) {
            return std::nullopt;
        }
        if (finished(program, state)) {
            std::map<std::string, std::string> values;
            for (auto const& [x, v] : state.store) {
                values[x] = to_text(v);
            }
            found.insert(values);
        }
        for (std::size_t const t : unfinished_threads(program, state)) {
            auto const after = step_of(program, state, t, zero);
            State const* const next = std::get_if<State>(&after);
            if (next != nullptr && next->s < Status::infeasible) {
                open.push_back(*next);
            }
        }
        for (auto& [movement, moved] : movements_of(program, state, zero)) {
            open.push_back(std::move(moved));
        }
    }
    return found;
}

} // namespace matchpoint::naive
