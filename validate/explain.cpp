#include "validate/explain.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "explain/matching_words.hpp"
#include "explain/words.hpp"
#include "smt_machine/s_expressions.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::validate {

std::string_view to_string(Kind kind) { return kind == Kind::unsound ? "unsound" : "incomplete"; }

namespace {

/// How many explanations are shown that are not as good as the first.
constexpr std::size_t most_less_likely = 3;

/// How many sets are shown that differ from the first in what this finding does not show.
constexpr std::size_t most_alternatives = 3;

/// Wrapped at 80 columns and indented.
std::string wrapped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t end = text.size();
        if (constexpr std::size_t width = 75; end > width) end = text.rfind(' ', width);
        if (end == std::string_view::npos) end = text.size();
        out.append(out.empty() ? "    " : "      ").append(text.substr(0, end)).append("\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

/// What is worth a name: all pairs are no fault, and change no answer where the other rules are right.
Changes faults(Changes const& changes) {
    Changes const others = changes & ~only(Change::all_pairs);
    return others.any() ? others : changes;
}

std::string shown(ChangeInfo const& i) {
    std::string out = fmt::format("  {} ({}): {}\n", to_string(i.rule),
                                  i.direction == Direction::stronger ? "too much" : "missing", i.name);
    out += wrapped(i.what) + wrapped(fmt::format("the rule: {}", i.right));
    if (!i.errata.empty()) out += fmt::format("    errata {}\n", i.errata);
    return out;
}

/// "with channel order: none instead of orphans: none"
std::string difference(Changes const& from, Changes const& to) {
    Changes const more = to & ~from, less = from & ~to;
    std::string with = more.any() ? fmt::format("with {}", to_string(more)) : "";
    if (less.none()) return with;
    return with.empty() ? fmt::format("without {}", to_string(less))
                        : fmt::format("{} instead of {}", with, to_string(less));
}

/// Explanations that have the same changes here.
std::string shown(std::span<Explanation const> group, bool alike) {
    Explanation const& e = group.front();
    std::string out;
    for (ChangeInfo const& i : changes())
        if (has(faults(e.here), i.change)) out += shown(i);
    if (Changes const others = faults(e.changes) & ~e.here; others.any())
        out += wrapped(fmt::format("beside it: {}", to_string(others)));
    auto const alternatives = group.subspan(1);
    for (Explanation const& g : alternatives.first(std::min(alternatives.size(), most_alternatives)))
        out += wrapped(fmt::format("or {}", difference(e.changes, g.changes)));
    if (alternatives.size() > most_alternatives)
        out += wrapped(fmt::format("or with {}", plural(alternatives.size() - most_alternatives, "other set")));
    if (alike) out += wrapped("with match pairs by Figure 15 and with all pairs alike");
    return out + fmt::format("    so changed, the rules agree with the encoder on {} of {} cases\n", e.agrees, e.of);
}

/// In full, or if that is long, how it differs from the first.
std::string line(Explanation const& e, Explanation const& first) {
    std::string const what =
        size(first.changes) > 2 ? "the first " + difference(first.changes, e.changes) : to_string(faults(e.changes));
    return wrapped(fmt::format("{} ({} of {})", what, e.agrees, e.of)).substr(2);
}

std::string shown(Apart const& a) {
    return fmt::format("  {} buffering: the encoder says {}, and so does {}\n{}{}", to_string(a.buffering),
                       a.sat ? "sat" : "unsat", a.first ? "the first" : "the next", a.program,
                       a.program.ends_with('\n') ? "" : "\n");
}

/// One change in the words of changes.hpp, and below its name.
std::string plainly(ChangeInfo const& i, std::string_view subject) {
    std::string const errata = i.errata.empty() ? "" : fmt::format("; errata {}", i.errata);
    return wrapped(fmt::format("{} {}", subject, i.plain)).substr(2) +
           wrapped(fmt::format("({}: {}{})", to_string(i.rule), i.name, errata));
}

/// The number of other causes of the wrong answer at hand, of sets that predict as much as the first.
std::size_t others_as_good(std::span<Explanation const> why) {
    std::set<std::string> seen;
    for (Explanation const& e : why)
        if (misses(e) == misses(why.front())) seen.insert(faults(e.here).to_string());
    return seen.size() - 1;
}

std::string only_answer(OnlyAnswer const& always) {
    return fmt::format("said {} to all {} programs that it was asked about to find the cause",
                       always.sat ? "sat" : "unsat", always.programs);
}

/// Those as good as the first, with "or" between them.
std::string likeliest(std::span<Explanation const> why) {
    auto const is_there = [&](Changes const& changes) {
        return std::any_of(why.begin(), why.end(), [&](Explanation const& e) {
            return e.changes == changes && misses(e) == misses(why.front());
        });
    };
    Changes const pairs = only(Change::all_pairs);
    std::vector<std::vector<Explanation>> groups;
    for (Explanation const& e : why) {
        if (misses(e) > misses(why.front())) break;
        if (has(e.changes, Change::all_pairs) && is_there(e.changes & ~pairs)) continue;
        auto const it = std::find_if(groups.begin(), groups.end(), [&](auto const& g) { return g[0].here == e.here; });
        if (it != groups.end())
            it->push_back(e);
        else
            groups.push_back({e});
    }
    std::string out;
    for (auto const& group : groups) {
        bool const alike = !has(group[0].changes, Change::all_pairs) && is_there(group[0].changes | pairs);
        out += (out.empty() ? "" : "or\n") + shown(group, alike);
    }
    return out;
}

} // namespace

std::string cause(Reason const& reason) {
    if (reason.always) return wrapped("cause: your encoder " + only_answer(*reason.always)).substr(2);
    if (!is_explained(reason.why))
        return reason.is_cut_short ? "  no cause found in the time given (--time)\n"
                                   : "  no cause found: no changes to the rules that were tried explain its answers\n";
    Explanation const& first = reason.why.front();
    std::size_t const others = others_as_good(reason.why);
    bool const is_sure = others == 0 && !reason.is_cut_short;
    std::string_view const head = is_sure ? "cause: your encoder" : "possible cause: your encoder";
    std::string out;
    for (ChangeInfo const& i : changes())
        if (has(faults(first.here), i.change)) out += plainly(i, out.empty() ? head : "and it");
    if (others > 0)
        out += wrapped(fmt::format("({} as well: --verbose)", others == 1
                                                                  ? "1 other explanation fits"
                                                                  : fmt::format("{} other explanations fit", others)));
    if (reason.is_cut_short) out += wrapped("(--time ended the search for others)");
    return out;
}

std::string shown(Reason const& reason) {
    auto const& why = reason.why;
    if (reason.always) return fmt::format("It {}.\n", only_answer(*reason.always));
    if (!is_explained(why) && reason.is_cut_short) return "No explanation found in the time given (--time).\n";
    if (why.empty()) return "No explanation found: no changes to the rules that were tried give this answer.\n";
    if (!is_explained(why)) {
        return fmt::format("No explanation found: the closest explains {} of {}.\n{}", why.front().agrees,
                           why.front().of, wrapped(to_string(why.front().changes)).substr(2));
    }
    std::string out = likeliest(why);
    std::set<std::string> others; // with match pairs by Figure 15 and with all pairs they are alike
    for (Explanation const& e : why) {
        if (misses(e) == misses(why.front()) || others.size() == most_less_likely) continue;
        if (others.empty()) out += "Less likely, for they agree with it on fewer cases:\n";
        if (auto const [it, is_new] = others.insert(line(e, why.front())); is_new) out += *it;
    }
    if (reason.apart.empty()) return out;
    out += "The first is told from the next by:\n";
    for (Apart const& a : reason.apart) out += shown(a);
    return out;
}

namespace {

/// The integers of a model.
std::map<std::string, long> integers(std::string_view model) {
    std::map<std::string, long> result;
    read_model(model, [&](ModelEntry const& entry) {
        if (auto const value = entry.integer()) result.emplace(entry.name, *value);
    });
    return result;
}

/// The matches of a subject's answer; none if they cannot be read.
std::optional<Matching> matching_of(Case const& c, SubjectAnswer const& answer,
                                    std::map<std::string, long> const& model) {
    MessageIndex const& m = c.messages;
    Matching matching(m);
    auto const name = [&](Action a) { return std::string(c.code.names()(a)); };
    if (!answer.matches.empty()) {
        for (auto const& [r, s] : answer.matches) {
            std::uint32_t receive = 0, send = 0;
            while (receive < m.receives().size() && name(m.receives()[receive].a) != r) ++receive;
            while (send < m.sends().size() && name(m.sends()[send].a) != s) ++send;
            if (receive == m.receives().size() || send == m.sends().size()) return std::nullopt;
            matching[receive] = send;
        }
        return matching;
    }
    for (std::uint32_t r = 0; r < m.receives().size(); ++r) {
        auto const value = model.find("M_" + mangle(name(m.receives()[r].a)));
        if (value == model.end()) return std::nullopt;
        for (std::uint32_t s = 0; s < m.sends().size(); ++s) {
            // In Section 5, M_R is order_S; in `exact`, the number of S.
            auto const order = model.find("order_" + mangle(std::string(c.code.names()(m.sends()[s].rho))));
            bool const is = order != model.end() ? order->second == value->second : value->second == long{s} + 1;
            if (is && matching[r] == unmatched && m.beta_of(m.sends()[s]) == m.receives()[r].beta) matching[r] = s;
        }
    }
    return matching;
}

/// The commands in the model's order, with the deliveries of its matches right before the waits that need them.
std::optional<Schedule> schedule_of(Case const& c, Matching const& matching, std::map<std::string, long> const& model) {
    auto const& commands = c.code.ctp().commands;
    std::vector<long> key(commands.size());
    std::size_t known = 0;
    for (Thread const& t : c.code.ctp().threads) {
        long last = std::numeric_limits<long>::min();
        for (std::uint32_t i = t.first; i < t.last; ++i) {
            auto const it = model.find("order_" + mangle(std::string(c.code.names()(Location{i}))));
            if (it != model.end()) last = it->second, ++known;
            key[i] = last;
        }
    }
    if (known == 0) return std::nullopt;
    std::vector<std::uint32_t> order(commands.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key[a] < key[b]; });
    Schedule schedule;
    std::vector<std::size_t> next(c.code.endpoints().size());
    for (std::uint32_t const i : order) {
        if (auto const* wait = as_wait(commands[i].c); wait != nullptr && c.code.as_rcvi(wait->a) != nullptr) {
            auto const& receive = c.messages.receive(wait->a);
            auto const at = c.messages.receives_at(receive.beta);
            for (std::size_t& n = next[receive.beta.index]; n <= receive.ordinal; ++n)
                if (std::uint32_t const s = matching[at[n]]; s != unmatched)
                    schedule.move(c.messages.sends()[s].channel);
        }
        schedule.step({i});
    }
    return schedule;
}

/// Feasibility is of plain programs. What receives admit can be said of any.
std::string what_is_not_admitted(Case const& c, Matching const& matching) {
    std::string out;
    for (std::uint32_t r = 0; r < matching.size(); ++r) {
        if (matching[r] == unmatched) continue;
        Action const a_r = c.messages.receives()[r].a;
        Action const a_s = c.messages.sends()[matching[r]].a;
        if (!c.code.admits(a_r, a_s))
            out += fmt::format("{} does not admit the message of {}.\n", explain::shown(c.code, a_r),
                               explain::shown(c.code, a_s));
    }
    return out;
}

} // namespace

std::string replay(Case const& c, Buffering buffering, SubjectAnswer const& answer) {
    std::map<std::string, long> const model = integers(answer.model);
    auto const matching = matching_of(c, answer, model);
    if (!matching) return {};
    MessageIndex const& m = c.messages;
    std::string out;
    for (std::uint32_t r = 0; r < matching->size(); ++r)
        out +=
            fmt::format("{} {} = {}", r == 0 ? "Its matches:" : ",", explain::shown(c.code, m.receives()[r].a),
                        (*matching)[r] == unmatched ? "nothing" : explain::shown(c.code, m.sends()[(*matching)[r]].a));
    std::string_view const with = out.empty() ? "The" : "With them the";
    if (!out.empty()) out += "\n";
    if (!c.code.is_plain()) return out + what_is_not_admitted(c, *matching);
    Feasibility feasibility(m, buffering);
    auto const conflict = feasibility.conflict(*matching);
    if (conflict)
        out += fmt::format("No run has them: {}\n", in_words(m, *conflict));
    else if (!matching->is_complete())
        out += "A complete run has a message for every receive.\n";
    if (conflict || !matching->is_complete()) {
        auto const schedule = schedule_of(c, *matching, model);
        if (!schedule) return out;
        Machine machine(c.code, buffering);
        Outcome const outcome = run(machine, *schedule);
        if (outcome.error && outcome.error->rho)
            out += fmt::format("In its order, the machine refuses step {}, at {}: {}\n", outcome.error->entry + 1,
                               explain::shown(c.code, *outcome.error->rho),
                               machine::to_string(outcome.error->stuck.reason));
        return out;
    }
    Schedule schedule;
    feasibility.schedule(*matching, schedule);
    Machine machine(c.code, buffering);
    out += fmt::format("{} reference machine ends in {}.\n", with, to_string(run(machine, schedule).s));
    return out;
}

} // namespace matchpoint::validate
