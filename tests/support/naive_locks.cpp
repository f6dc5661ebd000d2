#include "tests/support/naive_locks.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "tests/support/naive_oracle.hpp"
#include "tests/support/naive_shared.hpp"

namespace matchpoint::naive {

namespace {

/// One assignment to a variable, and where it is.
struct StoreAt {
    std::size_t thread;
    std::size_t place;
    Expression value;
    std::optional<Expression> guard = std::nullopt;
    bool blocks = false;
};

/// In the order of the text. Nothing if a receive writes the variable, too.
std::vector<StoreAt> writes_of(Program const& program, std::string const& x) {
    std::vector<StoreAt> result;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        for (std::size_t k = 0; k < program.threads[t].size(); ++k) {
            auto const& what = program.threads[t][k].what;
            if (auto const* const assign = std::get_if<Assign>(&what); assign != nullptr && assign->variable == x) {
                result.push_back({t, k, assign->value});
            }
            if (auto const* const guarded = std::get_if<Guarded>(&what)) {
                for (Store const& store : guarded->stores) {
                    if (store.variable == x) {
                        result.push_back({t, k, store.value, guarded->guard, guarded->blocks});
                    }
                }
            }
            auto const* const receive = std::get_if<Rcvi>(&what);
            if (receive != nullptr &&
                (receive->variable == x || receive->sel.source == x || receive->sel.tagged == x)) {
                return {};
            }
        }
    }
    return result;
}

bool is_value(Expression const& e) { return e.kind == Expression::Kind::value; }

bool is_equal(Expression const& e, std::string const& x, Value const& v) {
    if (v == Value(true) && e == variable(x)) {
        return true;
    }
    if (v == Value(false) && e == negation(variable(x))) {
        return true;
    }
    return e.op == "=" && e.operands[0] == variable(x) && is_value(e.operands[1]) && e.operands[1].value == v;
}

std::vector<Expression> conjuncts_of(Expression const& e) {
    if (e.op != "and") {
        return {e};
    }
    std::vector<Expression> result = conjuncts_of(e.operands[0]);
    std::vector<Expression> const others = conjuncts_of(e.operands[1]);
    result.insert(result.end(), others.begin(), others.end());
    return result;
}

std::vector<Expression> conjuncts_of(StoreAt const& w) {
    return w.guard ? conjuncts_of(*w.guard) : std::vector<Expression>();
}

bool requires_equal(StoreAt const& w, std::string const& x, Value const& v) {
    auto const all = conjuncts_of(w);
    return std::any_of(all.begin(), all.end(), [&](Expression const& e) { return is_equal(e, x, v); });
}

enum class Does { takes, gives, neither };

Does with_count(std::string const& l, StoreAt const& w) {
    if (w.value == operation("+", variable(l), number(1))) {
        return Does::gives;
    }
    auto const all = conjuncts_of(w);
    bool const asks = std::find(all.begin(), all.end(), operation(">", variable(l), number(0))) != all.end();
    return asks && w.value == operation("-", variable(l), number(1)) ? Does::takes : Does::neither;
}

Does with_owner(std::string const& o, Value const& free, std::vector<StoreAt> const& writes, StoreAt const& w) {
    if (!is_value(w.value)) {
        return Does::neither;
    }
    Value const& k = w.value.value;
    if (k == free) {
        return Does::gives;
    }
    if (requires_equal(w, o, free)) {
        return Does::takes;
    }
    bool const is_its_own = std::all_of(writes.begin(), writes.end(), [&](StoreAt const& other) {
        return other.thread == w.thread || !is_value(other.value) || other.value.value != k;
    });
    auto const all = conjuncts_of(w);
    bool const is_recursive = std::any_of(all.begin(), all.end(), [&](Expression const& e) {
        return e.op == "or" && ((is_equal(e.operands[0], o, free) && is_equal(e.operands[1], o, k)) ||
                                (is_equal(e.operands[0], o, k) && is_equal(e.operands[1], o, free)));
    });
    return is_recursive && is_its_own ? Does::takes : Does::neither;
}

Does with_readers(std::string const& r, std::string const& owner, Value const& free, StoreAt const& w) {
    if (w.value == operation("-", variable(r), number(1))) {
        return Does::gives;
    }
    return w.value == operation("+", variable(r), number(1)) && requires_equal(w, owner, free) ? Does::takes
                                                                                               : Does::neither;
}

/// Every write takes the lock or gives it back, and a thread gives back what it has taken.
template <typename F>
bool is_lock_if(std::vector<StoreAt> const& writes, bool counts, F does) {
    std::map<std::size_t, int> held;
    for (StoreAt const& w : writes) {
        Does const d = does(w);
        if (d == Does::neither || (d == Does::gives && held[w.thread] == 0)) {
            return false;
        }
        held[w.thread] = d == Does::takes ? (counts ? held[w.thread] + 1 : 1) : (counts ? held[w.thread] - 1 : 0);
    }
    return !writes.empty();
}

/// The locks, and for each what its writes do.
using LocksFound = std::map<std::string, std::vector<std::pair<StoreAt, Does>>>;

LocksFound locks_of(Program const& program) {
    LocksFound result;
    std::map<std::string, Value> owners;
    auto const found = [&](std::string const& x, std::vector<StoreAt> const& writes, auto does) {
        for (StoreAt const& w : writes) {
            result[x].emplace_back(w, does(w));
        }
    };
    for (Store const& s : program.shared) {
        auto const writes = writes_of(program, s.variable);
        auto const as_count = [&](StoreAt const& w) { return with_count(s.variable, w); };
        auto const as_owner = [&](StoreAt const& w) { return with_owner(s.variable, s.value.value, writes, w); };
        if (is_lock_if(writes, true, as_count)) {
            found(s.variable, writes, as_count);
        } else if (is_lock_if(writes, false, as_owner)) {
            found(s.variable, writes, as_owner);
            owners[s.variable] = s.value.value;
        }
    }
    for (Store const& s : program.shared) {
        auto const writes = writes_of(program, s.variable);
        for (auto const& [owner, free] : owners) {
            auto const does = [&, &o = owner, &f = free](StoreAt const& w) {
                return with_readers(s.variable, o, f, w);
            };
            auto const& of_owner = result[owner];
            bool const is_there = std::any_of(of_owner.begin(), of_owner.end(), [](auto const& use) {
                return use.second == Does::gives || use.first.blocks;
            });
            bool const looks = std::all_of(of_owner.begin(), of_owner.end(), [&](auto const& use) {
                return use.second == Does::gives || requires_equal(use.first, s.variable, s.value.value);
            });
            if (!result.contains(s.variable) && is_there && looks && is_lock_if(writes, true, does)) {
                found(s.variable, writes, does);
            }
        }
    }
    return result;
}

/// Whether a command reads locks to take one, or has tried to, and failed: it names locks only, and is false while they
/// are free.
bool is_look(Program const& program, LocksFound const& locks, std::size_t thread, std::size_t place) {
    for (auto const& [x, uses] : locks) {
        bool const is_taken_by_some = std::any_of(
            uses.begin(), uses.end(), [](auto const& use) { return use.second == Does::gives || use.first.blocks; });
        for (auto const& [write, does] : uses) {
            if (is_taken_by_some && does == Does::takes && write.thread == thread && write.place == place) {
                return true;
            }
        }
    }
    auto const* const assume = std::get_if<Assume>(&program.threads[thread][place].what);
    std::set<std::string> const names = accesses_of(program, thread, place).reads;
    if (assume == nullptr ||
        !std::all_of(names.begin(), names.end(), [&](std::string const& x) { return locks.contains(x); })) {
        return false;
    }
    auto const is = evaluate(assume->condition, initial_state(program).store);
    return std::holds_alternative<Value>(is) && std::get<Value>(is) == Value(false);
}

} // namespace

std::set<std::string> raced_variables(Program const& program) {
    std::set<std::string> result = shared_variables(program);
    for (auto const& x : synchronisation_variables(program)) {
        result.erase(x);
    }
    for (auto const& x : program.atomic) {
        result.erase(x);
    }
    LocksFound const locks = locks_of(program);
    std::erase_if(result, [&](std::string const& x) {
        if (!locks.contains(x)) {
            return false;
        }
        for (std::size_t t = 0; t < program.threads.size(); ++t) {
            for (std::size_t k = 0; k < program.threads[t].size(); ++k) {
                Accesses const of = accesses_of(program, t, k);
                if (of.reads.contains(x) && !of.writes.contains(x) && !is_look(program, locks, t, k)) {
                    return false;
                }
            }
        }
        return true;
    });
    return result;
}

} // namespace matchpoint::naive
