#include "importers/draft_of_calls.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "grammar/operators.hpp"
#include "importers/endpoints.hpp"
#include "importers/variables.hpp"

namespace matchpoint::importers {

namespace {

class Conversion {
public:
    Conversion(Calls const& calls, std::span<Source const> files, std::optional<Value> const& undefined,
               Reports& reports, std::vector<std::vector<std::uint32_t>>* lines)
        : calls_(calls), files_(files), undefined_(undefined), reports_(reports), lines_(lines),
          endpoints_(calls, reports), variables_(calls, undefined.has_value(), reports) {
        for_each_send([&](Send const& send) {
            has_tags_ = has_tags_ || send.tag != 0;
            has_unknown_payloads_ = has_unknown_payloads_ || send.payload.nodes.empty();
        });
    }

    draft::Draft convert() {
        check_barriers();
        name_communicators();
        draft::Draft draft{.comment = comment()};
        for (std::string const& flag : calls_.flags) draft.shared.push_back({flag, Value::integer(0)});
        for (auto const& [communicator, members] : calls_.members)
            draft.communicators.push_back({communicators_[communicator], members});
        for (Process const* const process : in_order()) {
            draft.threads.resize(process->number + std::size_t{1});
            if (lines_ != nullptr) lines_->resize(draft.threads.size());
            thread(*process, draft.threads.back());
        }
        return draft;
    }

private:
    template <typename F>
    void for_each_send(F&& f) {
        for (Process const& p : calls_.processes)
            for (Call const& call : p.calls)
                if (auto const* const send = std::get_if<Send>(&call.what)) f(*send);
    }

    std::vector<Process const*> in_order() const {
        std::vector<Process const*> processes;
        for (Process const& p : calls_.processes) processes.push_back(&p);
        std::sort(processes.begin(), processes.end(), [](auto* a, auto* b) { return a->number < b->number; });
        return processes;
    }

    std::string comment() const {
        std::string text = "Imported from";
        for (Source const& file : files_)
            text += fmt::format("{} {}", &file == files_.data() ? "" : ",", printable(file.name(), 4096));
        text += ".";
        if (has_unknown_payloads_)
            text +=
                "\nThe payloads are unknown: each message carries its number, 1, 2, 3 ... in the order of the text.";
        return text;
    }

    /// I6: all processes that meet at a barrier meet there equally often.
    void check_barriers() {
        std::map<std::uint32_t, std::vector<Meetings>> of; // by communicator
        for (Process const& p : calls_.processes)
            for (Call const& call : p.calls)
                if (auto const* const meet = std::get_if<Meet>(&call.what)) {
                    std::vector<Meetings>& all = of[meet->communicator];
                    if (all.empty() || all.back().process != p.number) all.push_back({p.number, call.place});
                    ++all.back().times;
                }
        for (auto const& [communicator, all] : of)
            for (Meetings const& m : all)
                if (m.times != all.front().times)
                    reports_.error("I6", m.first,
                                   fmt::format("process {} reaches a barrier of `{}` {}, and process {} {}", m.process,
                                               printable(calls_.communicators.names()[communicator]),
                                               plural(m.times, "time"), all.front().process, all.front().times));
    }
    struct Meetings {
        std::uint32_t process;
        Place first;
        std::size_t times = 0;
    };

    void thread(Process const& process, draft::Thread& to) {
        variables_.enter(process);
        for (Call const& call : process.calls) {
            std::visit(overloaded{
                           [&](Send const& k) { send(process, k, call, to); },
                           [&](Receive const& k) { receive(process, k, call, to); },
                           [&](Probe const& k) { probe(process, k, call, to); },
                           [&](Start const& k) {
                               add(draft::start(name_of(id_of(process.calls[k.call])), variables_.defined(k.variable)),
                                   call, to);
                           },
                           [&](Collective const& k) {
                               add(draft::collective(name_of(k.id), communicators_[k.communicator], k.call), call, to);
                           },
                           [&](Wait const& k) { wait(process, k, call, to); },
                           [&](Assign const& k) { assign(k, call, to); },
                           [&](Assume const& k) { add(draft::assume(variables_.read(k.e, call.place)), call, to); },
                           [&](Assert const& k) { add(draft::assert_(variables_.read(k.e, call.place)), call, to); },
                           [&](Meet const& k) { add(draft::barrier(communicators_[k.communicator]), call, to); },
                           [&](Test const& k) { test(process, k, call, to); },
                           [&](Raise const& k) { add(draft::assign(k.flag, draft::number(1)), call, to); },
                           [&](Await const& k) { add(draft::when(is_equal(k.flag, 1), {}), call, to); },
                       },
                       call.what);
            if (lines_ != nullptr) lines_->back().resize(to.size(), call.place.line);
        }
        draft::Thread first;
        for (draft::Variable const& x : variables_.undefined())
            first.emplace_back(draft::assign(x, draft::constant(*undefined_)));
        to.insert(to.begin(), first.begin(), first.end());
    }

    void send(Process const& process, Send const& k, Call const& call, draft::Thread& to) {
        ++messages_;
        draft::Expression payload =
            k.payload.nodes.empty() ? draft::number(messages_) : variables_.read(k.payload, call.place);
        draft::Tag const tag = k.tag == 0 ? draft::Tag() : draft::Tag(std::to_string(k.tag));
        std::string const name = name_of(k.id);
        add(draft::sndi(k.mode, name, endpoints_.source(process, k), endpoints_.destination(k), std::move(payload),
                        tag),
            call, to);
        if (k.blocking) add(draft::wait(name), call, to);
    }

    void receive(Process const& process, Receive const& k, Call const& call, draft::Thread& to) {
        std::string const name = name_of(k.id);
        std::string const x = k.variable.empty() ? variable_of(k.id) : k.variable;
        add(draft::rcvi(name, endpoints_.of_receive(process, k), variables_.defined(x), selectors(k)), call, to);
        if (k.blocking) add(draft::wait(name), call, to);
    }

    void probe(Process const& process, Probe const& k, Call const& call, draft::Thread& to) {
        std::uint32_t const at = endpoints_.of(process.owner(), k.communicator);
        draft::Selectors admits = selectors(k);
        draft::Expression as_seen;
        auto const require = [&](std::optional<draft::Variable>& x, std::string const& name, std::int64_t value) {
            x = variables_.defined(name);
            draft::Expression is_same = is_equal(*x, value);
            as_seen = as_seen.nodes.empty() ? std::move(is_same)
                                            : draft::operation(Op::and_, std::move(as_seen), std::move(is_same));
        };
        std::string const number = fmt::format("{}_{}", k.id.rank, k.id.number);
        if (k.seen && !k.from) require(admits.source, "source" + number, endpoints_.of(k.seen->from, k.communicator));
        if (k.seen && !k.tag && has_tags_) require(admits.tagged, "tag" + number, k.seen->tag);
        std::string const name = name_of(k.id);
        add(k.matches ? draft::mprobe(name, at, std::move(admits)) : draft::probe(name, at, std::move(admits)), call,
            to);
        if (!as_seen.nodes.empty()) add(draft::assume(std::move(as_seen)), call, to);
    }

    static draft::Expression is_equal(draft::Variable x, std::int64_t value) {
        return draft::operation(Op::equal, draft::variable(std::move(x)), draft::number(value));
    }

    /// What a receive or a probe admits.
    template <typename Wanted>
    draft::Selectors selectors(Wanted const& k) const {
        draft::Selectors admits;
        if (k.from) admits.from = {std::to_string(endpoints_.of(*k.from, k.communicator))};
        if (k.tag && (has_tags_ || *k.tag != 0)) admits.tags = {std::to_string(*k.tag)};
        return admits;
    }

    void wait(Process const& process, Wait const& k, Call const& call, draft::Thread& to) {
        add(draft::wait(name_of(id_of(process.calls[k.call]))), call, to);
        if (k.among.size() > 1) to.back().choice = ChoiceOfTime{k.of, names(k.among)};
    }

    void test(Process const& process, Test const& k, Call const& call, draft::Thread& to) {
        add(draft::assume(draft::truth(true)), call, to);
        ChoiceOfTime choice{k.calls.size() > 1 || !k.probe.empty() ? k.of : ChoiceOfTime::Of::one, names(k.calls)};
        if (choice.actions.empty()) choice.actions = {k.name};
        choice.result = k.result;
        choice.times = k.times;
        if (!k.probe.empty()) {
            draft::Selectors const sel = selectors(k.probe.front());
            choice.beta = std::to_string(endpoints_.of_receive(process, k.probe.front()));
            if (sel.from) texts(choice.from.emplace(), *sel.from);
            if (sel.tags) texts(choice.tags.emplace(), *sel.tags);
        }
        to.back().choice = std::move(choice);
    }

    static void texts(std::vector<std::string>& to, auto const& names) {
        for (auto const& name : names) to.push_back(name.text);
    }
    static std::vector<std::string> names(std::vector<CallId> const& calls) {
        std::vector<std::string> result;
        result.reserve(calls.size());
        for (CallId const& call : calls) result.push_back(name_of(call));
        return result;
    }

    /// Its own variable is defined after what it reads.
    void assign(Assign const& k, Call const& call, draft::Thread& to) {
        draft::Expression e = variables_.read(k.e, call.place);
        add(draft::assign(variables_.defined(k.x.text), std::move(e)), call, to);
    }

    /// Also of the barrier that each has.
    void name_communicators() {
        std::unordered_set<std::string> taken;
        for (std::string const& name : calls_.communicators.names()) {
            std::string atom = atom_of(name);
            if (atom.empty() || atom == ":=") atom += '_'; // `(barrier := ...)` is an assignment
            while (!taken.insert(atom).second) atom += '_';
            communicators_.push_back(std::move(atom));
        }
    }

    static CallId const& id_of(Call const& issuer) {
        CallId const* id = nullptr;
        std::visit(
            [&](auto const& k) {
                if constexpr (requires { k.id; }) id = &k.id;
            },
            issuer.what);
        return *id;
    }

    void add(draft::Command command, Call const& call, draft::Thread& to) const {
        std::optional<draft::Origin> at;
        if (call.original)
            at = {calls_.original_files.names()[call.original->file], call.original->line};
        else if (std::string const& file = files_[call.place.file].name(); !file.empty())
            at = {file, call.place.line};
        if (at) make_a_string_of(at->file);
        to.emplace_back(std::move(command), std::string(), std::move(at));
    }

    /// The name of a file can have any bytes but 0.
    static void make_a_string_of(std::string& name) {
        for (char& c : name)
            if (std::string_view("\"\n\r").find(c) != std::string_view::npos) c = '\'';
        for (auto at = find_invalid_utf8(name); at; at = find_invalid_utf8(name)) name[*at] = '?';
    }

    Calls const& calls_;
    std::span<Source const> files_;
    std::optional<Value> const& undefined_;
    Reports& reports_;
    std::vector<std::vector<std::uint32_t>>* lines_; // may be null
    Endpoints endpoints_;
    Variables variables_;
    std::vector<std::string> communicators_; // their names
    bool has_tags_ = false;
    bool has_unknown_payloads_ = false;
    std::uint64_t messages_ = 0;
};

} // namespace

draft::Draft draft_of_calls(Calls const& calls, std::span<Source const> files, std::optional<Value> const& undefined,
                            Reports& reports, std::vector<std::vector<std::uint32_t>>* lines) {
    return Conversion(calls, files, undefined, reports, lines).convert();
}

} // namespace matchpoint::importers
