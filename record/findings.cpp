#include "record/findings.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "check/oracle/oracle.hpp"
#include "executions/exact_pairs.hpp"
#include "explain/collective_words.hpp"
#include "explain/told.hpp"
#include "grammar/discipline.hpp"
#include "matching/prepared.hpp"
#include "record/carried.hpp"
#include "record/schedule.hpp"
#include "record/signatures.hpp"

namespace matchpoint::record {

namespace {

constexpr FindingInfo infos[] = {
    {"argument", "A call has an argument that it must not have", true},
    {"unfinished-request", "A request is never completed", true},
    {"freed-request", "A request is freed before it is complete", false},
    {"never-started", "A persistent request is never started", false},
    {"persistent-leak", "A persistent request is never freed", false},
    {"communicator-leak", "A communicator is never freed", false},
    {"group-leak", "A group is never freed", false},
    {"type-leak", "A type is never freed", false},
    {"operation-leak", "An operation is never freed", false},
    {"window-leak", "A window is never freed", true},
    {"unreceived-message", "A message is never received", true},
    {"type-mismatch", "What is sent has other types than what is received", true},
    {"count-mismatch", "A collective call sends more or less than is received", true},
    {"truncation", "A message is too long for its receive", true},
    {"buffer-changed", "The buffer of a pending send, call or access changes", true},
    {"buffer-overlap", "The buffer of a pending call is used by another call", true},
    {"collective-mismatch", "Collective calls do not match", true},
    {"ready-send", "A ready send may find no posted receive", true},
    {"probe-race", "Another thread can receive what a probe has seen", true},
    {"missing-epoch", "A window is accessed or flushed outside of an epoch", true},
    {"double-epoch", "An epoch of a window begins while another one is open", true},
    {"unended-epoch", "An epoch of a window is never ended", true},
    {"unbegun-epoch", "An epoch of a window is ended that was not begun", true},
    {"missed-flush", "A flush of another rank does not complete an access", false},
    {"window-race", "Accesses of a window conflict, and nothing orders them", true},
    {"window-assertion", "An assertion depends on when one-sided communication is done", true},
};
static_assert(std::size(infos) == finding_kinds);

constexpr std::size_t most_messages = 20'000; // of which something is predicted

bool is_a_receive(CallId const& id) {
    return id.kind == CallId::Kind::receive || id.kind == CallId::Kind::probed_receive;
}

/// One search for what is wrong of the messages of a recording.
class Messages {
public:
    explicit Messages(Recording const& recording) : r_(recording) {
        for (Rank const& rank : r_.ranks)
            for (Message const& m : rank.messages)
                if (m.is_send && !m.is_dropped)
                    groups_[{m.communicator, rank.number, m.peer, m.tag}].sends.push_back(&m);
        for (Rank const& rank : r_.ranks)
            for (Taken const& t : rank.taken)
                if (is_a_receive(t.receive))
                    groups_[{t.communicator, t.from, rank.number, t.tag}].receives.push_back(t.receive.number);
        for (auto& [key, group] : groups_) {
            std::sort(group.receives.begin(), group.receives.end());
            group.open = open_receives(key);
        }
    }

    /// Messages of one sender with one tag are taken in their order. A receive that is never completed may have taken
    /// one as well.
    void compare_matches() {
        for (Rank const& rank : r_.ranks)
            for (Message const& m : rank.messages) (m.is_send ? sends_ : receives_)[{rank.number, m.call}] = &m;
        for (auto const& [key, group] : groups_) {
            if (group.open != 0 || is_of_several_threads(key, group)) continue;
            for (std::size_t i = 0; i < std::min(group.sends.size(), group.receives.size()); ++i)
                compare({std::get<1>(key), group.sends[i]->call}, {std::get<2>(key), group.receives[i]}, false);
        }
    }

    void find_unreceived() {
        for (auto const& [key, group] : groups_) {
            std::size_t const taken = std::min(group.sends.size(), group.receives.size() + group.open);
            // The last ones are left. A loop may leave many.
            std::map<std::uint32_t, std::size_t> left; // place -> how many
            for (std::size_t i = taken; i < group.sends.size(); ++i)
                if (!group.sends[i]->is_cancelled) ++left[group.sends[i]->place];
            for (auto const& [place, n] : left) {
                Finding f{FindingKind::unreceived_message, std::get<1>(key), at(std::get<1>(key), place), "", ""};
                f.text = fmt::format("{} to rank {} with tag {} {} never received",
                                     n == 1 ? "its message" : plural(n, "message"), std::get<2>(key), std::get<3>(key),
                                     n == 1 ? "is" : "are");
                found_.push_back(std::move(f));
            }
        }
    }

    /// Whether some send does not fit a receive that may admit its message, by communicator, ranks and nothing else.
    bool may_mismatch() const {
        // (communicator, receiver) -> what is sent and what is received there
        std::map<std::pair<std::uint32_t, std::uint32_t>,
                 std::array<std::set<std::pair<std::uint32_t, std::uint64_t>>, 2>>
            kinds;
        for (Rank const& rank : r_.ranks)
            for (Message const& m : rank.messages)
                kinds[{m.communicator, m.is_send ? m.peer : rank.number}][m.is_send ? 0 : 1].emplace(m.signature,
                                                                                                     m.count);
        constexpr std::size_t most = 1000; // pairs of one receiver
        for (auto const& [at, of] : kinds) {
            if (of[0].size() * of[1].size() > most) return true;
            for (auto const& [sent, n] : of[0])
                for (auto const& [wanted, room] : of[1])
                    if (fit(sent, n, wanted, room) != Fit::fits) return true;
        }
        return false;
    }

    /// The message that ended a rank, as it was too long for its receive: the only one of those that were forced which
    /// is, and was not received. After compare_matches().
    void compare_fatal(std::vector<std::pair<CallId, CallId>> const& forced) {
        for (Rank const& rank : r_.ranks) {
            if (!rank.error || !rank.error->what.starts_with("MPI_ERR_TRUNCATE")) continue;
            std::set<std::uint32_t> taken;
            for (Taken const& t : rank.taken)
                if (is_a_receive(t.receive)) taken.insert(t.receive.number);
            std::vector<std::pair<Call, Call>> fatal;
            for (auto const& [receive, send] : forced) {
                if (receive.rank != rank.number || !is_a_receive(receive) || taken.contains(receive.number)) continue;
                auto const s = sends_.find({send.rank, send.number});
                auto const r = receives_.find({receive.rank, receive.number});
                if (s != sends_.end() && r != receives_.end() && fit(*s->second, *r->second) == Fit::too_long)
                    fatal.emplace_back(s->first, r->first);
            }
            if (fatal.size() == 1) compare(fatal[0].first, fatal[0].second, false);
        }
    }

    /// A match that some run may have.
    void compare_predicted(CallId const& send, CallId const& receive) {
        compare({send.rank, send.number}, {receive.rank, receive.number}, true);
    }
    // A loop has the same mistake again and again.
    using Mistake = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Fit, bool>;
    bool is_said(Mistake const& m) const { return said_.contains(m); }
    /// What compare_predicted() would find; none if it would find nothing.
    std::optional<Mistake> predicted_mistake(CallId const& send, CallId const& receive) const {
        auto const s = sends_.find({send.rank, send.number});
        auto const r = receives_.find({receive.rank, receive.number});
        if (s == sends_.end() || r == receives_.end()) return std::nullopt;
        Fit const result = fit(*s->second, *r->second);
        return result == Fit::fits ? std::nullopt : std::optional(mistake(*s, *r, result, true));
    }

    std::vector<Finding> take() { return std::move(found_); }

private:
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t>; // communicator, from, to, tag
    using Call = std::pair<std::uint32_t, std::uint32_t>;                              // rank, number
    struct Group {
        std::vector<Message const*> sends;   // in order
        std::vector<std::uint32_t> receives; // that took one, by number
        std::size_t open = 0;                // how many other receives may have taken one
    };

    Rank const* rank(std::uint32_t number) const { return number < r_.ranks.size() ? &r_.ranks[number] : nullptr; }

    std::size_t open_receives(Key const& key) const {
        auto const& [communicator, from, to, tag] = key;
        Rank const* const receiver = rank(to);
        std::size_t n = 0;
        if (receiver == nullptr) return n;
        for (OpenReceive const& r : receiver->open_receives)
            n += r.communicator == communicator && (!r.from || *r.from == from) && (!r.tag || *r.tag == tag) ? 1 : 0;
        return n;
    }

    /// Then their order is not known.
    bool is_of_several_threads(Key const& key, Group const& group) const {
        auto const differs = [&](std::uint32_t thread, std::uint32_t number) {
            auto const found = receives_.find({std::get<2>(key), number});
            return found != receives_.end() && found->second->thread != thread;
        };
        for (Message const* const send : group.sends)
            if (send->thread != group.sends.front()->thread) return true;
        auto const first =
            group.receives.empty() ? receives_.end() : receives_.find({std::get<2>(key), group.receives.front()});
        return first != receives_.end() &&
               std::any_of(group.receives.begin(), group.receives.end(),
                           [&](std::uint32_t number) { return differs(first->second->thread, number); });
    }

    SourceLine at(std::uint32_t number, std::uint32_t place) const {
        auto const& places = r_.ranks[number].places;
        auto const found = places.find(place);
        return found == places.end() ? SourceLine() : found->second;
    }

    Fit fit(std::uint32_t sent, std::uint64_t n, std::uint32_t wanted, std::uint64_t room) const {
        if (sent == no_signature || wanted == no_signature) return Fit::fits;
        return fits({r_.signatures[sent], n}, {r_.signatures[wanted], room});
    }

    Fit fit(Message const& send, Message const& receive) const {
        return fit(send.signature, send.count, receive.signature, receive.count);
    }

    using Known = std::pair<Call const, Message const*>;
    static Mistake mistake(Known const& send, Known const& receive, Fit fit, bool is_predicted) {
        return {receive.first.first, receive.second->place, send.first.first, send.second->place, fit, is_predicted};
    }

    void compare(Call send, Call receive, bool is_predicted) {
        auto const s = sends_.find(send);
        auto const r = receives_.find(receive);
        if (s == sends_.end() || r == receives_.end()) return;
        Fit const result = fit(*s->second, *r->second);
        if (result == Fit::fits) return;
        auto const [said, is_new] = said_.emplace(mistake(*s, *r, result, is_predicted), found_.size());
        Finding::Match const match{receive.second, send.first, send.second};
        if (!is_new) {
            if (is_predicted) found_[said->second].matches.push_back(match);
            return;
        }
        Finding f{result == Fit::too_long ? FindingKind::truncation : FindingKind::type_mismatch, receive.first,
                  at(receive.first, r->second->place), "", ""};
        f.other = {send.first, at(send.first, s->second->place)};
        f.is_predicted = is_predicted;
        if (is_predicted) f.matches = {match};
        std::string const sender = fmt::format("rank {}", send.first);
        f.text = fmt::format("its receive of {} {} a message of {} with {}{}",
                             in_words({r_.signatures[r->second->signature], r->second->count}),
                             is_predicted ? "can get" : "gets", sender,
                             in_words({r_.signatures[s->second->signature], s->second->count}),
                             result == Fit::too_long ? ", which is too long" : ": the types differ");
        found_.push_back(std::move(f));
    }

    Recording const& r_;
    std::map<Key, Group> groups_;
    std::map<Call, Message const*> sends_, receives_; // once they are compared
    std::vector<Finding> found_;
    std::map<Mistake, std::size_t> said_; // and its place in found_
};

/// Whether a gap can hide receives, so that nothing is known of messages that seem to be left.
bool hides_receives(Gap const& gap) {
    static constexpr std::string_view others[] = {"MPI_Request_free", "MPI_Cancel", "MPI_Irecv",
                                                  "MPI_Mprobe",       "MPI_Win",    "MPI_Bcast"};
    return std::find(std::begin(others), std::end(others), gap.function) == std::end(others);
}

/// The program of a recording, if it keeps the rules.
std::unique_ptr<Prepared> prepared(Recording const& recording) {
    Program program = draft::valid_program_of(recording.program);
    for (Diagnostic const& d : check_discipline(program, nullptr, Severity::error))
        if (d.severity == Severity::error) return nullptr;
    return std::make_unique<Prepared>(Source("", ""), std::move(program));
}

/// Finds mistakes of matches that another run can have. If there are too many runs to look at all of them, a run is
/// searched for each match in question, up to a limit.
void predict(Prepared const& program, Messages& found) {
    constexpr std::uint64_t most_steps = 200'000;
    constexpr int most_questions = 100;
    constexpr int most_of_a_mistake = 5;
    auto const end_of_questions = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    MessageIndex const& messages = program.messages;
    if (messages.receives().size() + messages.sends().size() > most_messages) return;
    std::vector<CallId> sends;
    std::vector<CallId> receives;
    for (MessageIndex::Send const& send : messages.sends())
        sends.push_back(recorded_call(program.program.symbols(send.a)));
    for (MessageIndex::Receive const& receive : messages.receives())
        receives.push_back(recorded_call(program.program.symbols(receive.a)));
    try {
        Budget budget;
        budget.steps = most_steps;
        auto pairs = pairs_by(messages, Buffering::infinite, PairsMethod::exact, budget);
        std::optional<check::Oracle> oracle;
        if (!pairs) {
            if (check::Oracle::refuses(messages, Buffering::infinite)) return;
            pairs = pairs_by(messages, Buffering::infinite, PairsMethod::tight);
            oracle.emplace(messages, Buffering::infinite);
            oracle->limit_steps(most_steps / 4);
        }
        int questions = 0;
        std::map<Messages::Mistake, int> questions_of;
        for (std::uint32_t r = 0; r < pairs->of.size(); ++r) {
            // Had it probed another message, it might have asked for that one's type and length.
            if (program.code.is_mprobe(messages.receives()[r].a)) continue;
            for (std::uint32_t const s : pairs->of[r]) {
                auto const mistake = found.predicted_mistake(sends[s], receives[r]);
                if (!mistake) continue;
                if (oracle) {
                    if (found.is_said(*mistake)) continue;
                    if (++questions_of[*mistake] > most_of_a_mistake) continue;
                    if (++questions > most_questions || std::chrono::steady_clock::now() > end_of_questions) return;
                    auto const answer =
                        oracle->feasible({.required = {{r, s}}, .forbidden = {}}, check::Oracle::Means::none);
                    if (!std::holds_alternative<Run>(answer)) continue;
                }
                found.compare_predicted(sends[s], receives[r]);
            }
        }
    } catch (LimitReached const&) {
        // What was found stays.
    }
}

/// Where a command is in the source.
SourceLine place_of(IndexedProgram const& code, Location rho) {
    grammar::Origin const at = code.ctp().commands[rho.index].at;
    if (at.file.is_none()) return {};
    return {std::string(code.names()(at.file)), at.line};
}

void find_mismatches(Prepared const& program, std::vector<Finding>& found) {
    IndexedProgram const& code = program.code;
    if (!code.has_contested_calls()) return;
    Collectives const& all = *code.collectives();
    ToldByPlaces const told(code, "rank");
    for (std::uint32_t i = 0; i < code.ctp().commands.size(); ++i) {
        Location const call{i};
        if (as_collective(code.command_at(call)) == nullptr || !all.is_contested(call)) continue;
        for (Collectives::Member const& m : all.members(call))
            if (!m.rho.is_none() && all.disagree(call, m.rho)) {
                Finding f{FindingKind::collective_mismatch, code.thread_of(call), place_of(code, call), "", ""};
                f.text = "collective calls do not match: " + explain::shown_mismatch(code, call, m.rho);
                f.other = {code.thread_of(m.rho), place_of(code, m.rho)};
                found.push_back(std::move(f));
                return; // later calls follow from the first ones
            }
    }
}

void find_ready_sends(Prepared const& program, std::vector<Finding>& found) {
    if (!program.messages.may_lack_receives()) return;
    std::vector<Location> ready;
    for (MessageIndex::Send const& s : program.messages.sends())
        if (program.code.as_sndi(s.a)->mode == Mode::ready) ready.push_back(s.rho);
    if (ready.empty()) return;
    Finding f{FindingKind::ready_send, program.code.thread_of(ready[0]), place_of(program.code, ready[0]), "", ""};
    f.text = ready.size() == 1 ? "its ready send may come before the receive is posted"
                               : "it, or another ready send, may come before its receive is posted";
    found.push_back(std::move(f));
}

/// Whether the program has calls that only the machine can judge.
bool has_calls_to_judge(Recording const& recording) {
    for (importers::Process const& p : recording.calls.processes)
        for (importers::Call const& call : p.calls) {
            auto const* const s = std::get_if<importers::Send>(&call.what);
            if (std::holds_alternative<importers::Collective>(call.what) || (s != nullptr && s->mode == Mode::ready))
                return true;
        }
    return false;
}

/// Findings that agree in this are one: an earlier text is as good as a later one. Without a place, texts tell them
/// apart.
auto identity(Finding const& f) {
    static std::string const none;
    return std::tie(f.kind, f.is_predicted, f.at, f.rank, f.function, f.other.rank, f.other.at,
                    f.at.file.empty() ? f.text : none);
}

} // namespace

FindingInfo const& info(FindingKind kind) { return infos[static_cast<std::size_t>(kind)]; }

std::optional<FindingKind> finding_kind(std::string_view id) {
    for (std::size_t i = 0; i < finding_kinds; ++i)
        if (infos[i].id == id) return static_cast<FindingKind>(i);
    return std::nullopt;
}

std::vector<Finding> findings_of(Recording const& recording, bool predicts,
                                 std::vector<std::pair<CallId, CallId>> const& forced) {
    if (recording.api != Api::mpi || !recording.is_readable()) return {};
    std::vector<Finding> found = recording.seen;
    Messages messages(recording);
    bool const may_mismatch = messages.may_mismatch();
    bool const is_whole = std::all_of(recording.ranks.begin(), recording.ranks.end(),
                                      [](Rank const& r) { return r.end == RankEnd::finalized; });
    bool const is_known = std::none_of(recording.gaps.begin(), recording.gaps.end(), hides_receives);
    if (is_whole && is_known) messages.find_unreceived();
    if (may_mismatch) {
        messages.compare_matches();
        messages.compare_fatal(forced);
    }
    compare_carried(recording, found);
    if (predicts && (may_mismatch || has_calls_to_judge(recording)))
        if (auto const program = prepared(recording)) {
            find_mismatches(*program, found);
            find_ready_sends(*program, found);
            if (may_mismatch) predict(*program, messages);
        }
    for (Finding& f : messages.take()) found.push_back(std::move(f));
    return without_repetitions(std::move(found));
}

std::vector<Finding> without_repetitions(std::vector<Finding> found) {
    std::stable_sort(found.begin(), found.end(),
                     [](Finding const& a, Finding const& b) { return identity(a) < identity(b); });
    auto const is_same = [](Finding& a, Finding& b) {
        if (identity(a) != identity(b)) return false;
        a.matches.insert(a.matches.end(), b.matches.begin(), b.matches.end());
        return true;
    };
    found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
    // What a run has had is not predicted as well.
    auto const places = [](Finding const& f) { return std::tuple(f.kind, f.rank, f.at, f.other.rank, f.other.at); };
    std::set<decltype(places(Finding()))> happened;
    for (Finding const& f : found)
        if (!f.is_predicted) happened.insert(places(f));
    std::erase_if(found, [&](Finding const& f) { return f.is_predicted && happened.contains(places(f)); });
    return found;
}

void add_matches(Recording const& run, std::set<HadMatch>& had) {
    std::size_t messages = 0;
    for (Rank const& rank : run.ranks) messages += rank.messages.size();
    if (messages > most_messages) return;
    std::map<std::pair<std::uint32_t, std::uint32_t>, SourceLine> line_of; // of receives, by rank and number
    for (Rank const& rank : run.ranks)
        for (Message const& m : rank.messages)
            if (auto const at = rank.places.find(m.place); !m.is_send && at != rank.places.end())
                line_of.emplace(std::pair(rank.number, m.call), at->second);
    for (auto const& [receive, send] : matches_of(run))
        if (auto const at = line_of.find({receive.rank, receive.number}); is_a_receive(receive) && at != line_of.end())
            had.emplace(receive.rank, at->second, Finding::Match{receive.number, send.rank, send.number});
}

void refute(std::vector<Finding>& found, std::set<HadMatch> const& had) {
    std::erase_if(found, [&](Finding& f) {
        if (f.matches.empty()) return false;
        std::erase_if(f.matches, [&](Finding::Match const& m) { return had.contains({f.rank, f.at, m}); });
        return f.matches.empty();
    });
}

std::string place_in_words(SourceLine const& at) {
    return at.line == 0 ? at.file : fmt::format("{}:{}", at.file, at.line); // `prog+0x1234`: no debug information
}

std::string in_words(Finding const& f) {
    std::string text = f.function.empty() ? f.text : fmt::format("{}: {}", f.function, f.text);
    bool const has_other = !f.other.at.file.empty();
    if (has_other && f.kind != FindingKind::collective_mismatch) {
        text += fmt::format(" (see {}", place_in_words(f.other.at));
        text += f.other.rank == f.rank ? ")" : fmt::format(" of rank {})", f.other.rank);
    }
    return text;
}

std::vector<std::string> in_words(std::vector<Finding> const& findings) {
    std::vector<std::pair<Finding const*, std::vector<std::uint32_t>>> groups; // and their ranks
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    for (Finding const& f : findings) {
        auto const [at, is_new] = known.emplace(std::pair(place_in_words(f.at), in_words(f)), groups.size());
        if (is_new) groups.emplace_back(&f, std::vector<std::uint32_t>());
        groups[at->second].second.push_back(f.rank);
    }
    std::vector<std::string> lines;
    lines.reserve(groups.size());
    for (auto const& [f, ranks] : groups)
        lines.push_back(fmt::format("{}{}rank{} {}: {} [{}{}]", place_in_words(f->at), f->at.file.empty() ? "" : ": ",
                                    ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "), in_words(*f),
                                    info(f->kind).id, f->is_predicted ? ", predicted" : ""));
    return lines;
}

} // namespace matchpoint::record
