#include "rma/machine/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "grammar/characters.hpp"
#include "rma/language/print.hpp"

namespace matchpoint::rma {

namespace {

using Kind = ScheduleWord::Kind;

/// The remote statements of a process, which are adjacent.
struct RemoteRange {
    RemoteIndex first = 0;
    RemoteIndex count = 0;
};

RemoteRange remotes_of(Graph const& graph, ProcessIndex p) {
    // Those of a process are adjacent, and processes come in their order.
    auto const& all = graph.remotes();
    auto const first = std::partition_point(all.begin(), all.end(), [&](Remote const& s) { return s.process < p; });
    auto const last = std::partition_point(first, all.end(), [&](Remote const& s) { return s.process == p; });
    return {static_cast<RemoteIndex>(first - all.begin()), static_cast<std::uint32_t>(last - first)};
}

std::optional<Value> parse_value(std::string_view text) {
    if (text == "true" || text == "false") return Value::boolean(text == "true");
    if (!is_integer(text)) return std::nullopt;
    return Value::parse_integer(text);
}

class WordParser {
public:
    WordParser(Graph const& graph, std::string_view word) : graph_(graph), word_(word) {}

    Expected<ScheduleWord, std::string> run() {
        ScheduleWord result{Kind::process, 0, std::nullopt, std::string(word_)};
        std::string_view rest = word_;
        for (auto const& [prefix, kind] : prefixes)
            if (rest.starts_with(prefix)) {
                result.kind = kind;
                rest.remove_prefix(prefix.size());
                break;
            }
        bool const named = result.kind == Kind::process ? process(rest, result.of) : remote(rest, result.of);
        if (named) return result;
        std::size_t const sign = rest.rfind('=');
        if (sign != std::string_view::npos) {
            result.value = parse_value(rest.substr(sign + 1));
            if (!result.value) return wrong(fmt::format("`{}` is not a value", printable(rest.substr(sign + 1))));
            rest = rest.substr(0, sign);
            why_.clear();
            if (result.kind == Kind::process ? process(rest, result.of) : remote(rest, result.of)) return result;
        }
        return wrong(why_);
    }

private:
    static constexpr std::pair<std::string_view, Kind> prefixes[] = {{"rw:", Kind::read_and_write},
                                                                     {"r:", Kind::read},
                                                                     {"w:", Kind::write},
                                                                     {"aw:", Kind::atomic_and_write},
                                                                     {"a:", Kind::atomic}};

    Unexpected<std::string> wrong(std::string const& why) const {
        return Unexpected{fmt::format("`{}`: {}", printable(word_), why)};
    }

    bool process(std::string_view pid, std::uint32_t& p) {
        auto const number = endpoint_name(pid);
        auto const found = number ? graph_.program().process(*number) : std::nullopt;
        if (found) p = *found;
        if (!found && why_.empty())
            why_ =
                number
                    ? fmt::format("there is no process {}", *number)
                    : "a word is a process, or `r:`, `w:`, `rw:`, `a:` or `aw:` and a remote statement such as `2#1`";
        return found.has_value();
    }

    /// `2#1` or `2.rho`
    bool remote(std::string_view text, std::uint32_t& s) {
        std::size_t const sign = text.find_first_of("#.");
        if (sign == std::string_view::npos) {
            why_ = "a remote statement is `2#1`, the first one of process 2, or `2.rho`, the one at location rho";
            return false;
        }
        ProcessIndex p = 0;
        if (!process(text.substr(0, sign), p)) return false;
        std::string_view const name = text.substr(sign + 1);
        return text[sign] == '#' ? numbered(p, name, s) : located(p, name, s);
    }

    bool numbered(ProcessIndex p, std::string_view number, std::uint32_t& s) {
        RemoteRange const range = remotes_of(graph_, p);
        std::uint32_t const n = to_number<std::uint32_t>(number).value_or(0);
        if (n >= 1 && n <= range.count) {
            s = range.first + n - 1;
            return true;
        }
        why_ = fmt::format("process {} has {}", graph_.program().pid(p), plural(range.count, "remote statement"));
        return false;
    }

    bool located(ProcessIndex p, std::string_view rho, std::uint32_t& s) {
        auto const at = graph_.program().at(p, rho);
        if (at && graph_.at(*at).remote != no_index) {
            s = graph_.at(*at).remote;
            return true;
        }
        why_ = fmt::format("`{}` is not a location of a remote statement of process {}", printable(rho),
                           graph_.program().pid(p));
        return false;
    }

    Graph const& graph_;
    std::string_view word_;
    std::string why_;
};

std::string statement(Machine const& machine, RemoteIndex s) {
    return fmt::format("{}, {}", name_of(machine.graph(), s),
                       print(machine.program(), machine.graph().remotes()[s].statement));
}

Expected<std::vector<Transition>, std::string> step_of(Machine const& machine, State const& state,
                                                       ScheduleWord const& word) {
    ProcessIndex const p = word.of;
    if (auto const blocked = machine.blocked(state, p)) return Unexpected{in_words(machine, *blocked)};
    auto const* const choose = std::get_if<Choose>(&machine.next(state, p).c);
    if (choose == nullptr) {
        if (word.value) return Unexpected{fmt::format("process {} does not choose here", machine.program().pid(p))};
        return std::vector<Transition>{ProcessStep{p}};
    }
    for (std::uint32_t k = choose->first; word.value && k < choose->last; ++k)
        if (machine.program().choices[k] == *word.value)
            return std::vector<Transition>{ProcessStep{p, k - choose->first}};
    return Unexpected{fmt::format("process {} chooses here: write `{}=v` with one of the values of {}",
                                  machine.program().pid(p), machine.program().pid(p),
                                  print(machine.program(), machine.graph().at(state.pc[p]).executes))};
}

Expected<std::vector<Transition>, std::string> write_of(Machine const& machine, State const& state,
                                                        ScheduleWord const& word) {
    std::optional<Value> found = word.value;
    bool is_there = false;
    for (PendingWrites const& w : state.W) {
        if (w.s != word.of || (word.value && !(w.val == *word.value))) continue;
        if (is_there)
            return Unexpected{
                fmt::format("several values are pending of {}: write `{}=v`", statement(machine, word.of), word.text)};
        is_there = true;
        found = w.val;
    }
    if (!is_there)
        return Unexpected{fmt::format("no write {}is pending of {}", word.value ? "with this value " : "",
                                      statement(machine, word.of))};
    return std::vector<Transition>{NicWrite{word.of, *found}};
}

Expected<std::vector<Transition>, std::string> atomic_of(Machine const& machine, State const& state,
                                                         ScheduleWord const& word) {
    Remote const& remote = machine.graph().remotes()[word.of];
    bool const is_pending =
        remote.is_atomic() && std::count(state.A[remote.queue].begin(), state.A[remote.queue].end(), word.of) > 0;
    if (!is_pending) return Unexpected{fmt::format("no atomic is pending of {}", statement(machine, word.of))};
    RemoteIndex const first = state.A[remote.queue].front();
    if (first != word.of) return Unexpected{fmt::format("{} comes first", statement(machine, first))};
    std::vector<Transition> result{NicAtomic{word.of}};
    if (word.kind == Kind::atomic) return result;
    if (!remote.fetches) return Unexpected{fmt::format("{} fetches nothing: write `a:`", statement(machine, word.of))};
    result.emplace_back(NicWrite{word.of, state.M[remote.src.index]});
    return result;
}

} // namespace

std::string name_of(Graph const& graph, RemoteIndex s) {
    ProcessIndex const p = graph.remotes()[s].process;
    return fmt::format("{}#{}", graph.program().pid(p), s - remotes_of(graph, p).first + 1);
}

Expected<Schedule, std::string> parse_schedule(Graph const& graph, std::string_view text) {
    Schedule schedule;
    std::size_t at = 0;
    auto const separates = [](char c) { return is_space(c) || c == ','; };
    while (true) {
        while (at < text.size() && separates(text[at])) ++at;
        if (at == text.size()) return schedule;
        std::size_t end = at;
        while (end < text.size() && !separates(text[end])) ++end;
        auto word = WordParser(graph, text.substr(at, end - at)).run();
        if (!word) return Unexpected{word.error()};
        schedule.push_back(std::move(*word));
        at = end;
    }
}

std::string word_of(Machine const& machine, State const& state, Transition const& t) {
    return std::visit(
        overloaded{
            [&](ProcessStep const& x) {
                std::string pid(machine.program().pid(x.p));
                auto const* const c = std::get_if<Choose>(&machine.next(state, x.p).c);
                if (c == nullptr) return pid;
                return pid + "=" + machine.program().choices[c->first + x.choice].to_string();
            },
            [&](NicRead const& x) { return "r:" + name_of(machine.graph(), x.s); },
            [&](NicAtomic const& x) { return "a:" + name_of(machine.graph(), x.s); },
            [&](NicWrite const& x) { return fmt::format("w:{}={}", name_of(machine.graph(), x.s), x.val.to_string()); },
        },
        t);
}

namespace {

/// The statement whose value a card reads in a step.
std::optional<RemoteIndex> first_half(Transition const& t) {
    if (auto const* const read = std::get_if<NicRead>(&t)) return read->s;
    if (auto const* const atomic = std::get_if<NicAtomic>(&t)) return atomic->s;
    return std::nullopt;
}

} // namespace

std::string print_schedule(Machine const& machine, std::span<Transition const> transitions) {
    std::string words;
    State state = machine.initial();
    for (std::size_t i = 0; i < transitions.size(); ++i) {
        std::string word = word_of(machine, state, transitions[i]);
        if (auto const s = first_half(transitions[i])) {
            Value const val = state.M[machine.graph().remotes()[*s].src.index];
            if (i + 1 < transitions.size() && transitions[i + 1] == Transition(NicWrite{*s, val})) {
                word.insert(1, "w");
                machine.apply(state, transitions[i++]);
            }
        }
        append_item(words, word, " ");
        machine.apply(state, transitions[i]);
    }
    return words;
}

Expected<std::vector<Transition>, std::string> transitions_of(Machine const& machine, State const& state,
                                                              ScheduleWord const& word) {
    if (word.kind == Kind::process) return step_of(machine, state, word);
    if (word.kind == Kind::write) return write_of(machine, state, word);
    if (word.kind == Kind::atomic || word.kind == Kind::atomic_and_write) return atomic_of(machine, state, word);
    if (state.reads(word.of) == 0)
        return Unexpected{fmt::format("no read is pending of {}", statement(machine, word.of))};
    std::vector<Transition> result{NicRead{word.of}};
    if (word.kind == Kind::read_and_write)
        result.emplace_back(NicWrite{word.of, state.M[machine.graph().remotes()[word.of].src.index]});
    return result;
}

std::string in_words(Machine const& machine, Blocked const& blocked) {
    switch (blocked.why) {
    case Blocked::Why::finished: return "it has finished";
    case Blocked::Why::atomic:
        return fmt::format("process {} is inside of an `atomic`, so no other one steps",
                           machine.program().pid(blocked.by));
    case Blocked::Why::flush: break;
    }
    std::string list;
    for (RemoteIndex const s : blocked.waits) list += (list.empty() ? "" : "; ") + statement(machine, s);
    return "its flush waits for " + list;
}

std::string in_words(Schedule const& schedule, Inapplicable const& what) {
    return fmt::format("word {}, `{}`, does not apply: {}", what.word + 1, printable(schedule[what.word].text),
                       what.why);
}

std::optional<Inapplicable> run_of(Machine const& machine, Schedule const& schedule, std::vector<Transition>& run) {
    run.clear();
    State state = machine.initial();
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        auto const transitions = transitions_of(machine, state, schedule[i]);
        if (!transitions) return Inapplicable{i, transitions.error()};
        for (Transition const& t : *transitions) {
            run.push_back(t);
            Effect const effect = machine.apply(state, t);
            if (effect == Effect::discarded || effect == Effect::faulted) return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace matchpoint::rma
