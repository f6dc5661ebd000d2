#include "grammar/static_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "grammar/communicators.hpp"
#include "grammar/messages/hints.hpp"
#include "grammar/messages/positions.hpp"

namespace matchpoint::grammar {

namespace {

constexpr std::uint32_t not_issued = Id<struct None>::none_index;

std::vector<std::string_view> all_of(Names const& names) {
    std::vector<std::string_view> result;
    for (std::uint32_t i = 0; i < names.size(); ++i) result.push_back(names[i]);
    return result;
}

std::uint32_t length_of(Token t) { return static_cast<std::uint32_t>(t.text.size()); }

} // namespace

Diagnostic* StaticRules::fault(std::string_view rule, std::string message, Token at) {
    if (faults_.size() == max_diagnostics) return nullptr;
    faults_.push_back({Severity::error, rule, std::move(message), at.offset, length_of(at), {}});
    return source_ == nullptr ? nullptr : &faults_.back();
}

void StaticRules::suggest(Diagnostic* d, std::string_view name,
                          std::function<std::vector<std::string_view>()> const& known) {
    constexpr std::size_t most_names = 10'000;
    if (d == nullptr || faults_.size() > shown_diagnostics) return;
    std::vector<std::string_view> const names = known();
    if (names.size() > most_names) return;
    if (auto hint = hint_for_name(name, names)) d->hints.push_back(std::move(*hint));
}

Location StaticRules::define_location(Token rho) {
    Names& names = program_.symbols.locations;
    std::uint32_t const known = names.size();
    Location const location{names.intern(rho.text)};
    if (location.index == known) {
        if (!location_offsets_.empty()) location_offsets_.push_back(rho.offset);
        return location;
    }
    if (location_offsets_.empty()) // until now the n-th command has the n-th location
        for (LocatedCommand const& c : program_.ctp.commands) location_offsets_.push_back(c.offset);
    Diagnostic* const d = fault(
        "S1", fmt::format("location `{}` is used twice: locations are unique in the program", printable(rho.text)),
        rho);
    if (d != nullptr) d->notes.push_back({"it is here already", location_offsets_[location.index], length_of(rho)});
    return location;
}

Action StaticRules::action(std::string_view name) {
    auto& issued_by = program_.ctp.issued_by;
    Action const a{program_.symbols.actions.intern(name)};
    if (a.index == issued_by.size()) issued_by.push_back(not_issued);
    return a;
}

void StaticRules::issued(Action a, std::uint32_t command, Offset at) {
    std::uint32_t& issued_by = program_.ctp.issued_by[a.index];
    if (issued_by == not_issued) {
        issued_by = command;
        return;
    }
    std::string_view const name = program_.symbols(a);
    Diagnostic* const d =
        fault("S2", fmt::format("action `{}` is issued twice: actions are unique in the program", printable(name)),
              {name, at});
    if (d != nullptr) {
        Token const first = atom_at(*source_, program_.ctp.commands[issued_by].offset, 2);
        d->notes.push_back({"it is issued here already", first.offset, length_of(first)});
    }
}

void StaticRules::awaited(Action a, Offset at, std::string_view by) {
    if (program_.ctp.issued_by[a.index] == not_issued) undefined_actions_.push_back({a, at, by});
}

void StaticRules::check_arity(Op op, std::uint32_t count, Offset offset) {
    if (count == arity(op)) return;
    std::string_view const name = to_string(op);
    Diagnostic* const d = fault(
        "S4", fmt::format("`{}` takes {}, here it has {}", name, plural(arity(op), "operand"), count), {name, offset});
    if (d != nullptr) d->hints.push_back(hint_for_operands(op, count));
}

void StaticRules::use_location(Token rho, std::uint32_t command) { location_uses_.push_back({rho, command}); }

Variable StaticRules::declare_shared(Token x) {
    Names& names = program_.symbols.variables; // those of the declarations before are all that are known
    std::uint32_t const known = names.size();
    Variable const result{names.intern(x.text)};
    if (result.index == known) return result;
    Diagnostic* const d = fault("S6", fmt::format("shared variable `{}` is declared twice", printable(x.text)), x);
    if (d == nullptr) return result;
    auto const& declared = program_.ctp.shared;
    auto const first =
        std::find_if(declared.begin(), declared.end(), [&](SharedVariable const& s) { return s.x == result; });
    d->notes.push_back({"it is declared here already", first->offset, length_of(x)});
    return result;
}

void StaticRules::assigned(Variable x, std::uint32_t command, Token at) {
    if (assigned_by_.size() <= x.index) assigned_by_.resize(x.index + 1U, not_issued);
    if (std::exchange(assigned_by_[x.index], command) == command)
        fault("S7",
              fmt::format("`{}` is assigned twice in one command: its assignments all happen at once",
                          printable(program_.symbols(x))),
              at);
}

void StaticRules::repeated_selector(Token kind) {
    fault("S8", fmt::format("a second `({} ...)`: a receive has at most one selector of each kind", kind.text),
          {"(", kind.offset});
}

void StaticRules::meets(Barrier b, std::uint32_t thread, Offset at) {
    barriers_.resize(std::max<std::size_t>(barriers_.size(), b.index + 1U));
    auto& occurrences = barriers_[b.index];
    if (occurrences.empty() || occurrences.back().thread != thread) occurrences.push_back({thread, 0, at});
    ++occurrences.back().count;
    occurrences.back().last = at;
}

void StaticRules::check_barriers() {
    for (std::uint32_t b = 0; b < barriers_.size(); ++b) {
        auto const& occurrences = barriers_[b];
        auto const other = std::find_if(occurrences.begin(), occurrences.end(),
                                        [&](Occurrences const& o) { return o.count != occurrences.front().count; });
        if (other == occurrences.end()) continue;
        std::string_view const name = program_.symbols.barriers[b];
        auto const times = [](std::uint32_t n) { return n == 1 ? std::string("once") : fmt::format("{} times", n); };
        Diagnostic* const d =
            fault("S9",
                  fmt::format("barrier `{}` occurs {} in one thread and {} in another: it has to occur "
                              "equally often in each thread that has it",
                              printable(name), times(occurrences.front().count), times(other->count)),
                  {name, other->last});
        if (d != nullptr)
            d->notes.push_back({"the last occurrence in the first thread", occurrences.front().last,
                                static_cast<std::uint32_t>(name.size())});
    }
}

Token StaticRules::atom_of(std::uint32_t command, std::size_t atom) const {
    if (source_ == nullptr) return {{}, no_offset};
    return atom_at(*source_, program_.ctp.commands[command].offset, atom);
}

void StaticRules::repeated_part(Token part) {
    fault("S10", fmt::format("a second `({} ...)`: a collective has each part at most once", part.text),
          {"(", part.offset});
}

/// S10: what a collective says fits its kind, and the members of its communicator.
void StaticRules::check_collective(std::uint32_t command, std::uint32_t thread,
                                   std::vector<std::uint32_t> const& members) {
    auto const& c = std::get<Collective>(program_.ctp.commands[command].c);
    CollectiveCall const& call = program_.ctp.call(c);
    CollectiveInfo const& kind = info(call.kind);
    std::string_view const comm = program_.symbols(c.comm);
    auto const wrong = [&](std::string message) { fault("S10", std::move(message), atom_of(command, 4)); };
    auto const is_member = [&](std::uint32_t t) {
        return std::find(members.begin(), members.end(), t) != members.end();
    };
    if (!is_member(thread)) {
        Diagnostic* const d = fault("S10", fmt::format("thread {} is not a member of `{}`", thread, printable(comm)),
                                    atom_of(command, 3));
        for (CommunicatorMembers const& declared : program_.ctp.communicators)
            if (d != nullptr && declared.comm == c.comm)
                d->notes.push_back(
                    {"its members are declared here", declared.offset, static_cast<std::uint32_t>(comm.size())});
    }
    if (kind.rooted && !call.root)
        wrong(fmt::format("`{}` has a root: `(root k)` with the number of a thread", kind.name));
    else if (!kind.rooted && call.root)
        wrong(fmt::format("`{}` has no root", kind.name));
    else if (call.root && !is_member(*call.root))
        wrong(fmt::format("the root {} is not a member of `{}`", *call.root, printable(comm)));
    if (!kind.reduces && !call.op.empty()) wrong(fmt::format("`{}` reduces nothing: it has no `(op o)`", kind.name));
    bool const has_data = kind.counts != CollectiveInfo::Counts::none;
    if (!has_data && (!call.type.empty() || !call.counts.empty()))
        wrong(fmt::format("`{}` moves no data: it has no `(type t)` and no `(count n)`", kind.name));
    else if (call.counts.size() > 1 && !has_count_of_each(call.kind))
        wrong(fmt::format("`{}` has one count, here it has {}", kind.name, call.counts.size()));
    else if (call.counts.size() > 1 && call.counts.size() != members.size())
        wrong(fmt::format("`{}` has one count, or one for each of the {} of `{}`, here it has {}", kind.name,
                          plural(members.size(), "member"), printable(comm), call.counts.size()));
}

void StaticRules::declare_communicator(Token comm) {
    Communicator const c{program_.symbols.communicators.intern(comm.text)};
    auto& declared = program_.ctp.communicators;
    auto const first =
        std::find_if(declared.begin(), declared.end(), [&](CommunicatorMembers const& d) { return d.comm == c; });
    if (first != declared.end())
        if (Diagnostic* const d =
                fault("S10", fmt::format("communicator `{}` is declared twice", printable(comm.text)), comm))
            d->notes.push_back({"it is declared here already", first->offset, length_of(comm)});
    declared.push_back({c, {}, comm.offset});
}

/// S10: the members of a communicator are threads, each named once.
void StaticRules::check_members() {
    for (CommunicatorMembers const& declared : program_.ctp.communicators) {
        std::string_view const comm = program_.symbols(declared.comm);
        auto const wrong = [&](std::uint32_t t, std::string_view why) {
            Diagnostic* const d =
                fault("S10", fmt::format("the member {} of communicator `{}` {}", t, printable(comm), why),
                      {comm, declared.offset});
            if (d != nullptr)
                d->hints.push_back("members are threads, which are numbered from 0 on, each of them once");
        };
        std::vector<bool> is_member(program_.ctp.threads.size());
        for (std::uint32_t const t : declared.members)
            if (t >= is_member.size())
                wrong(t, fmt::format("is no thread: the program has {}", plural(is_member.size(), "thread")));
            else if (is_member[t])
                wrong(t, "is named twice");
            else
                is_member[t] = true;
    }
}

void StaticRules::check_collectives() {
    Ctp const& ctp = program_.ctp;
    check_members();
    if (ctp.calls.empty()) return;
    auto const members = members_of_communicators(ctp, program_.symbols.communicators.size());
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t)
        for (std::uint32_t i = ctp.threads[t].first; i < ctp.threads[t].last; ++i)
            if (Collective const* const c = as_collective(ctp.commands[i].c))
                check_collective(i, t, members[c->comm.index]);
    check_waits_for_collectives();
}

/// S3, for what a blocking collective issues: it has no wait.
void StaticRules::check_waits_for_collectives() {
    Ctp const& ctp = program_.ctp;
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i) {
        Wait const* const wait = as_wait(ctp.commands[i].c);
        std::uint32_t const issued = wait == nullptr ? not_issued : ctp.issued_by[wait->a.index];
        Collective const* const c = issued == not_issued ? nullptr : as_collective(ctp.commands[issued].c);
        if (c == nullptr || !ctp.call(*c).blocks) continue;
        fault("S3",
              fmt::format("`{}` is a collective that blocks: only an `icollective` has a wait",
                          printable(program_.symbols(wait->a))),
              atom_of(i, 2));
    }
}

void StaticRules::end_of_ctp() {
    check_barriers();
    check_collectives();
    Ctp& ctp = program_.ctp;
    auto const issued_actions = [&] {
        std::vector<std::string_view> names;
        for (std::uint32_t a = 0; a < ctp.issued_by.size(); ++a)
            if (ctp.issued_by[a] != not_issued) names.push_back(program_.symbols.actions[a]);
        return names;
    };
    for (auto const& [a, at, by] : undefined_actions_) {
        if (ctp.issued_by[a.index] != not_issued) continue;
        std::string_view const name = program_.symbols(a);
        suggest(fault("S3", fmt::format("`{}` names `{}`, which is not an action of the program", by, printable(name)),
                      {name, at}),
                name, issued_actions);
    }
    for (auto const& [rho, index] : location_uses_) {
        auto const location = program_.symbols.locations.find(rho.text);
        if (!location) {
            suggest(
                fault("S5",
                      fmt::format("`{}` is not a location of the program (the last atom of a `sndi` or `rcvi`, after "
                                  "its payload or variable, has to be one)",
                                  printable(rho.text)),
                      rho),
                rho.text, [&] { return all_of(program_.symbols.locations); });
            continue;
        }
        std::visit(overloaded{
                       [](Assume const&) {},
                       [](Assert const&) {},
                       [](Assign const&) {},
                       [&](Sndi& c) { c.rho = {*location}; },
                       [&](Rcvi& c) { c.rho = {*location}; },
                       [](Probe const&) {},
                       [](Start const&) {},
                       [](Wait const&) {},
                       [](Meet const&) {},
                       [](Collective const&) {},
                       [](Guarded const&) {},
                   },
                   ctp.commands[index].c);
    }
    undefined_actions_ = {};
    location_uses_ = {};
}

Diagnostics StaticRules::take_faults() {
    std::stable_sort(faults_.begin(), faults_.end(),
                     [](Diagnostic const& a, Diagnostic const& b) { return a.offset < b.offset; });
    return std::move(faults_);
}

} // namespace matchpoint::grammar
