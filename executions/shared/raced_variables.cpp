#include "executions/shared/raced_variables.hpp"

#include <algorithm>

#include "executions/shared/accesses.hpp"
#include "grammar/fold.hpp"
#include "grammar/synchronisation.hpp"
#include "matching/partial_value.hpp"

namespace matchpoint::executions {

namespace {

/// Tells what is done with a lock from other accesses to it.
class LockOperations {
public:
    explicit LockOperations(IndexedProgram const& code)
        : ctp_(code.ctp()), locks_(ctp_, code.names().variables.size()), initially_(code.names().variables.size()) {
        for (SharedVariable const& s : ctp_.shared)
            if (is_lock(s.x)) initially_[s.x.index] = s.v;
    }

    bool is_lock(Variable x) const { return locks_.is_lock(x) || locks_.is_used_up(x); }

    /// Whether a command, which does not write a lock, reads it as one does who takes another lock (a writer looks for
    /// readers), or has tried to take this one, and failed.
    bool is_look(std::uint32_t command) const {
        auto const uses = locks_.uses({command});
        if (std::any_of(uses.begin(), uses.end(), [](grammar::Locks::Use const& use) { return use.takes; }))
            return true;
        Assume const* const assume = std::get_if<Assume>(&ctp_.commands[command].c);
        return assume != nullptr && is_false_initially(assume->e);
    }

private:
    /// Whether an expression names locks only, and is false while all of them are free.
    bool is_false_initially(Expression e) const {
        for (Node const& n : std::span(ctp_.nodes).subspan(e.first, e.size))
            if (n.kind == Node::Kind::variable && initially_[n.payload].is_bot()) return false;
        Value const v =
            grammar::fold<Value>(ctp_, e,
                                 grammar::Algebra{[](Value const& constant) { return constant; },
                                                  [&](Variable x, std::uint32_t) { return initially_[x.index]; },
                                                  [](Op op, std::span<Value> operands, std::uint32_t) {
                                                      return matching::partial_value(op, operands);
                                                  }});
        return v.is_false();
    }

    Ctp const& ctp_;
    grammar::Locks locks_;
    std::vector<Value> initially_; // by variable; bot if it is not a lock
};

} // namespace

std::vector<bool> raced_variables(MessageIndex const& messages) {
    IndexedProgram const& code = messages.code();
    std::size_t const variables = code.names().variables.size();
    std::vector<bool> is_exempt = grammar::synchronisation_variables(code.ctp(), variables);
    for (SharedVariable const& s : code.ctp().shared)
        if (s.is_atomic) is_exempt[s.x.index] = true;
    LockOperations const operations(code);
    std::vector<bool> result(variables);
    for (SharedVariable const& s : code.ctp().shared)
        result[s.x.index] = !is_exempt[s.x.index] && !operations.is_lock(s.x);
    auto const all = shared_accesses(messages);
    for (std::uint32_t i = 0; i < all.size(); ++i)
        for (Access const& access : all[i]) {
            if (access.writes || is_exempt[access.x.index] || result[access.x.index]) continue;
            bool const writes =
                std::any_of(all[i].begin(), all[i].end(), [&](Access const& a) { return a.writes && a.x == access.x; });
            result[access.x.index] = !writes && !operations.is_look(i);
        }
    return result;
}

} // namespace matchpoint::executions
