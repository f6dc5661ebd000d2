#include "rma/programs/edit.hpp"

#include <optional>
#include <variant>

namespace matchpoint::rma {

namespace {

/// What becomes of each statement.
struct Edit {
    std::vector<char> dropped;                        // with all that is inside of it
    std::vector<std::optional<StatementKind>> behind; // a new one after it
    explicit Edit(Program const& p) : dropped(p.statements.size()), behind(p.statements.size()) {}
};

/// For every statement, and the end, the new place of it or of the first one after it.
std::vector<StatementIndex> places(Edit const& edit) {
    std::vector<StatementIndex> result;
    StatementIndex next = 0;
    for (std::size_t i = 0; i < edit.dropped.size(); ++i) {
        result.push_back(next);
        next += (edit.dropped[i] ? 0 : 1) + (edit.behind[i] ? 1 : 0);
    }
    result.push_back(next);
    return result;
}

void move(Statement& s, std::vector<StatementIndex> const& place) {
    s.end = place[s.end];
    if (auto* const c = std::get_if<If>(&s.c)) c->otherwise = place[c->otherwise];
    if (auto* const c = std::get_if<Goto>(&s.c)) c->target = place[c->target];
}

Program edited(Program program, Edit const& edit) {
    auto const place = places(edit);
    std::vector<Statement> statements;
    statements.reserve(place.back());
    for (StatementIndex i = 0; i < program.statements.size(); ++i) {
        Statement& s = program.statements[i];
        Offset const open = s.open;
        move(s, place);
        if (!edit.dropped[i]) {
            if (!is_compound(s.c)) s.end = place[i] + 1; // not after what is new
            statements.push_back(s);
        }
        if (edit.behind[i])
            statements.push_back({*edit.behind[i], {}, static_cast<StatementIndex>(statements.size() + 1), open});
    }
    program.statements = std::move(statements);
    for (Process& p : program.processes) p.first = place[p.first], p.last = place[p.last];
    for (VariableInfo& x : program.variables)
        if (x.at != no_index) x.at = place[x.at];
    return program;
}

bool is_flush(Statement const& s) { return std::holds_alternative<Flush>(s.c); }

} // namespace

std::vector<StatementIndex> flushes_of(Program const& program) {
    std::vector<StatementIndex> result;
    for (StatementIndex i = 0; i < program.statements.size(); ++i)
        if (is_flush(program.statements[i])) result.push_back(i);
    return result;
}

Program with_flushes(Program const& program, std::function<bool(std::size_t)> const& kept) {
    Program result = program;
    Edit edit(program);
    std::size_t number = 0;
    for (StatementIndex const i : flushes_of(program)) {
        if (kept(number++)) continue;
        if (program.statements[i].rho.is_none())
            edit.dropped[i] = true;
        else
            result.statements[i].c = Skip{};
    }
    return edited(std::move(result), edit);
}

Program with_a_flush_behind_every_remote(Program const& program) {
    Program bare = with_flushes(program, [](std::size_t) { return false; });
    Edit edit(bare);
    for (StatementIndex i = 0; i < bare.statements.size(); ++i)
        if (auto const to = target_of(bare.statements[i].c)) edit.behind[i] = Flush{*to};
    return edited(std::move(bare), edit);
}

namespace {

/// RS3: whether a process waits for its atomics on its own variables, and has none.
bool waits_for_itself_in_vain(Program const& program, ProcessIndex p) {
    bool waits = false;
    for (StatementIndex i = program.processes[p].first; i < program.processes[p].last; ++i) {
        StatementKind const& c = program.statements[i].c;
        if (target_of(c) == p) return false;
        auto const* const flush = std::get_if<Flush>(&c);
        waits = waits || (flush != nullptr && flush->pid == p);
    }
    return waits;
}

} // namespace

Program without(Program const& program, StatementIndex statement) {
    Edit edit(program);
    for (StatementIndex i = statement; i < program.statements[statement].end; ++i) {
        if (!program.statements[i].rho.is_none()) return program;
        edit.dropped[i] = true;
    }
    Program result = edited(program, edit);
    return waits_for_itself_in_vain(result, program.process_of(statement)) ? program : result;
}

} // namespace matchpoint::rma
