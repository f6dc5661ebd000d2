// Selectors, modes and barriers (docs/semantics.md): the machine and the explorer against the naive oracle, what the
// specification says of partners, and what a barrier is.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h> // after gtest.h: it does not include it

#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"
#include "programs/small_mpi.hpp"
#include "programs/smaller.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/mpi.hpp"
#include "tests/support/naive_rules.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shown_case.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

using programs::SmallMpi;

struct Alphabet {
    char const* name;
    SmallMpi kinds;
    programs::SmallBound bound;
    std::size_t every = 1; // so manyth program is taken
};

/// What the tests go through: all programs of size 6 with one of these, and a part of others.
std::vector<Alphabet> const& alphabets() {
    static std::vector<Alphabet> const all = {
        {"selectors", {.selectors = true}, {.size = 6}},
        {"modes", {.modes = true}, {.size = 6}},
        {"barrier", {.barrier = true}, {.size = 6}},
        {"selectors, larger", {.selectors = true}, {.size = 7, .locals = 0}, 37},
        {"all", {.selectors = true, .modes = true, .barrier = true}, {.size = 5}, 23},
    };
    return all;
}

/// Calls `visit` with every n-th program of what the tests go through; returns how many there are. Under sanitizers,
/// these are about as many as elsewhere, each smaller by one: passing over the others takes most of the time.
std::size_t for_each_small_mpi_program(Alphabet const& alphabet, std::size_t n,
                                       std::function<void(programs::draft::Draft const&)> const& visit) {
    programs::SmallBound bound = alphabet.bound;
    std::size_t nth = every(alphabet.every * n);
    if (every() > 1) {
        --bound.size;
        nth = (nth + 7) / 8;
    }
    programs::SmallMpiPrograms all(bound, alphabet.kinds, nth);
    std::size_t count = 0;
    while (auto const draft = all.next()) {
        visit(*draft);
        ++count;
        if (testing::Test::HasFailure()) break;
    }
    return count;
}

void print_tally(std::string const& what, Tally const& tally) {
    std::cout << what << "\n";
    print(std::cout, tally);
}

} // namespace

// Programs of size 3 that send: S and S W to nobody, and R W beside S.
TEST(Mpi, SmallProgramsCountedByHand) {
    auto const count = [](SmallMpi kinds) {
        std::size_t n = 0;
        programs::SmallMpiPrograms all({.size = 3, .locals = 0}, kinds);
        while (all.next()) ++n;
        return n;
    };
    // R W beside S: (from alpha); or a tag and a tag.
    EXPECT_EQ(count({.selectors = true}), 1U + 2 * 2);
    EXPECT_EQ(count({.modes = true}), 3U * 2);
    // Three places beside R W, two beside S.
    EXPECT_EQ(count({.barrier = true}), 3U * 2);
    // R W beside S, where something is not plain; and two others with two modes.
    EXPECT_EQ(count({.selectors = true, .barrier = true}), (1U + 5) * (1 + 6) - 1);
    EXPECT_EQ(count({.selectors = true, .modes = true, .barrier = true}), (1U + 5) * 3 * (1 + 6) - 1 + 2 * 2);
}

// What is skipped is counted as it is generated.
TEST(Mpi, SmallProgramsAreSkippedCheaply) {
    programs::SmallBound const bound{.size = 4};
    for (SmallMpi const kinds : {SmallMpi{.selectors = true},
                                 {.modes = true},
                                 {.barrier = true},
                                 {.selectors = true, .modes = true, .barrier = true}}) {
        std::vector<programs::draft::Draft> all;
        programs::SmallMpiPrograms each(bound, kinds);
        while (auto const draft = each.next()) {
            EXPECT_EQ(each.number(), all.size());
            EXPECT_TRUE(programs::draft::obeys_the_rules(*draft));
            all.push_back(*draft);
        }
        EXPECT_EQ(programs::count_small_mpi_programs(bound, kinds), all.size());
        programs::SmallMpiPrograms some(bound, kinds, 7, 5);
        std::size_t number = 5;
        for (; auto const draft = some.next(); number += 7) {
            EXPECT_EQ(some.number(), number);
            EXPECT_TRUE(*draft == all.at(number));
        }
        EXPECT_GE(number, all.size());
    }
    // Waits that complete several receives, so that selectors matter to D3.
    programs::SmallBound const receives{.size = 5, .sends = 1, .locals = 0};
    std::uint64_t count = 0;
    programs::SmallMpiPrograms each(receives, {.selectors = true});
    while (each.next()) ++count;
    EXPECT_EQ(programs::count_small_mpi_programs(receives, {.selectors = true}), count);
}

TEST(Mpi, SmallProgramsAreExploredAsByTheOracle) {
    for (Alphabet const& alphabet : alphabets()) {
        Tally tally;
        tally["programs"] = for_each_small_mpi_program(alphabet, 1, [&](programs::draft::Draft const& draft) {
            Program const program = plain(draft).program;
            for (bool const zero : {false, true}) {
                Wrong const wrong = exploration_is_right(program, zero, tally);
                ASSERT_FALSE(wrong) << *wrong;
            }
        });
        print_tally(alphabet.name, tally);
        EXPECT_GT(tally["explored"], 0U);
        EXPECT_EQ(tally["too large"], 0U);
    }
}

// Random executions, those with a slow channel, and searches.
TEST(Mpi, SchedulersEndAsTheOracleDoes) {
    Tally tally;
    for (Alphabet const& alphabet : alphabets())
        for_each_small_mpi_program(alphabet, 19, [&](programs::draft::Draft const& draft) {
            for (bool const zero : {false, true}) {
                Wrong const wrong = schedulers_are_right(plain(draft).program, zero, 1, tally);
                ASSERT_FALSE(wrong) << *wrong;
            }
        });
    for (std::uint64_t i = 0; i < cases(600) && !HasFailure(); ++i)
        for (bool const zero : {false, true}) {
            Wrong const wrong = schedulers_are_right(mpi_program_to_explore(seeded(14), i), zero, i, tally);
            ASSERT_FALSE(wrong) << *wrong;
        }
    print_tally("executions", tally);
    EXPECT_GT(tally["samples"], least(10'000));
    EXPECT_GT(tally["slow channels"], least(10'000));
}

/// The oracle's shorter way, and its longer one.
TEST(Mpi, EagerlyAsPlainly) {
    std::size_t compared = 0;
    auto const compare = [&](Program const& program, bool zero) {
        auto const plain = explore_plainly(program, zero, 5000);
        if (!plain) return;
        auto const eager = explore_eagerly(program, zero, 5000);
        ASSERT_TRUE(plain == eager && plain->on_path == eager->on_path)
            << to_text(program, {}) << "zero " << zero << "\nplainly\n"
            << to_text(*plain) << to_text(plain->on_path) << "eagerly\n"
            << (eager ? to_text(*eager) + to_text(eager->on_path) : "nothing");
        ++compared;
    };
    for (Alphabet const& alphabet : alphabets())
        for_each_small_mpi_program(alphabet, 1499, [&](programs::draft::Draft const& draft) {
            for (bool const zero : {false, true}) compare(plain(draft).program, zero);
        });
    for (std::uint64_t i = 0; i < cases(150) && !HasFailure(); ++i)
        for (bool const zero : {false, true}) {
            compare(mpi_program_to_explore(seeded(3), i, 3, 3), zero);
            compare(program_to_explore(seeded(3), i, 3, 3), zero);
        }
    EXPECT_GT(compared, least(300));
}

TEST(Mpi, RandomProgramsAreExploredAsByTheOracle) {
    Tally tally;
    std::size_t const count = cases(3000);
    for (std::uint64_t i = 0; i < count && !HasFailure(); ++i) {
        Program const program = mpi_program_to_explore(seeded(1), i);
        for (bool const zero : {false, true}) {
            Wrong const wrong = exploration_is_right(program, zero, tally);
            ASSERT_FALSE(wrong) << *wrong;
        }
    }
    print_tally("random programs", tally);
    EXPECT_LT(tally["too large"], count / 10);
    for (char const* const what : {"with a deadlock", "with a fault", "with a failure", "with an orphan"})
        EXPECT_GE(tally[what], count / 200) << what;
}

TEST(Mpi, PartnersMatchedWhenTheyWereMade) {
    for (std::uint64_t i = 0; i < cases(5000); ++i) {
        Wrong const wrong = partners_are_right(mpi_program_to_explore(seeded(4), i, 4, 7), 4, i);
        ASSERT_FALSE(wrong) << *wrong;
    }
    for (Alphabet const& alphabet : alphabets())
        for_each_small_mpi_program(alphabet, 11, [&](programs::draft::Draft const& draft) {
            Wrong const wrong = partners_are_right(plain(draft).program, 5, 0);
            ASSERT_FALSE(wrong) << *wrong;
        });
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

/// Receives and messages of an endpoint that selects, each in the order of issue.
struct Selecting {
    std::vector<std::vector<bool>> admits; // receive, message
    std::vector<std::size_t> channels;     // of each message
};
/// receive -> message, or nothing
using Partners = std::vector<std::optional<std::size_t>>;

bool is_unmatched(Partners const& partners, std::size_t message) {
    return std::find(partners.begin(), partners.end(), std::optional(message)) == partners.end();
}

/// "Receives prefer the earlier messages of a channel, messages prefer earlier receives": no receive and message that
/// are no partners would both rather be.
bool is_stable(Selecting const& endpoint, Partners const& partners) {
    for (std::size_t r = 0; r < partners.size(); ++r)
        for (std::size_t m = 0; m < endpoint.channels.size(); ++m) {
            if (!endpoint.admits[r][m] || partners[r] == m) continue;
            bool const receive_would =
                !partners[r] || (endpoint.channels[m] == endpoint.channels[*partners[r]] && m < *partners[r]);
            auto const of_m = std::find(partners.begin(), partners.end(), std::optional(m));
            bool const message_would = of_m == partners.end() || r < static_cast<std::size_t>(of_m - partners.begin());
            if (receive_would && message_would) return false;
        }
    return true;
}

/// Adds every stable way to give receives from r on messages that they admit, or none.
void add_stable(Selecting const& endpoint, Partners& partners, std::size_t r, std::set<Partners>& to) {
    if (r == partners.size()) {
        if (is_stable(endpoint, partners)) to.insert(partners);
        return;
    }
    add_stable(endpoint, partners, r + 1, to);
    for (std::size_t m = 0; m < endpoint.channels.size(); ++m) {
        if (!endpoint.admits[r][m] || !is_unmatched(partners, m)) continue;
        partners[r] = m;
        add_stable(endpoint, partners, r + 1, to);
        partners[r] = std::nullopt;
    }
}

/// What MPI says, event by event, in every order of receives that are posted, messages that are sent, and matches.
class Events {
public:
    explicit Events(Selecting const& endpoint) : endpoint_(endpoint) { visit(0, 0, Partners(endpoint.admits.size())); }
    /// The partners when all is posted and sent, and nothing matches.
    std::set<Partners> const& ends() const { return ends_; }

private:
    void visit(std::size_t posted, std::size_t sent, Partners const& partners) {
        if (!seen_.insert({posted, sent, partners}).second) return;
        bool is_end = true;
        auto const go = [&](std::size_t now_posted, std::size_t now_sent, Partners const& now) {
            is_end = false;
            visit(now_posted, now_sent, now);
        };
        if (posted < partners.size()) go(posted + 1, sent, partners);
        if (sent < endpoint_.channels.size()) go(posted, sent + 1, partners);
        for (std::size_t r = 0; r < posted; ++r)
            for (std::size_t m = 0; m < sent; ++m) {
                if (!is_match(partners, r, m)) continue;
                Partners matched = partners;
                matched[r] = m;
                go(posted, sent, matched);
            }
        if (is_end) ends_.insert(partners);
    }
    bool is_match(Partners const& partners, std::size_t r, std::size_t m) const {
        if (partners[r] || !is_unmatched(partners, m) || !endpoint_.admits[r][m]) return false;
        for (std::size_t first = 0; first < m; ++first)
            if (endpoint_.channels[first] == endpoint_.channels[m] && is_unmatched(partners, first) &&
                endpoint_.admits[r][first])
                return false;
        for (std::size_t first = 0; first < r; ++first)
            if (!partners[first] && endpoint_.admits[first][m]) return false;
        return true;
    }

    Selecting const& endpoint_;
    std::set<std::tuple<std::size_t, std::size_t, Partners>> seen_;
    std::set<Partners> ends_;
};

/// Calls `visit` with every endpoint of so many receives and messages, whatever each admits and by any senders.
void for_each_endpoint(std::size_t receives, std::size_t messages, std::function<void(Selecting const&)> const& visit) {
    std::size_t senders = 1;
    for (std::size_t m = 0; m < messages; ++m) senders *= messages;
    for (std::size_t bits = 0; bits < std::size_t{1} << (receives * messages); ++bits)
        for (std::size_t choice = 0; choice < senders; ++choice) {
            Selecting endpoint{std::vector(receives, std::vector<bool>(messages)), {}};
            for (std::size_t r = 0; r < receives; ++r)
                for (std::size_t m = 0; m < messages; ++m)
                    endpoint.admits[r][m] = (bits >> (r * messages + m) & 1U) != 0;
            for (std::size_t rest = choice; endpoint.channels.size() < messages; rest /= messages)
                endpoint.channels.push_back(rest % messages);
            visit(endpoint);
        }
}

} // namespace

// For every endpoint with up to three receives and three messages: what the rule comes to in some order of events is
// what is stable. Messages of one sender have no choice.
TEST(Mpi, MatchesOfAllOrdersAreTheStableOnes) {
    std::size_t with_a_choice = 0;
    for (std::size_t receives = 0; receives <= 3; ++receives)
        for (std::size_t messages = 0; messages <= 3; ++messages)
            for_each_endpoint(receives, messages, [&](Selecting const& endpoint) {
                if (HasFailure()) return;
                std::set<Partners> stable;
                Partners partners(receives);
                add_stable(endpoint, partners, 0, stable);
                Events const events(endpoint);
                ASSERT_EQ(events.ends(), stable);
                if (std::set(endpoint.channels.begin(), endpoint.channels.end()).size() <= 1) {
                    ASSERT_EQ(stable.size(), 1U);
                }
                with_a_choice += stable.size() > 1 ? 1U : 0U;
            });
    EXPECT_GT(with_a_choice, 0U);
}

// A receive takes the later message of a channel, and that of another channel passes the earlier one, which the next
// receive admits, too.
TEST(Mpi, AMessagePassesOneThatWasPassedOver) {
    Program const program =
        read_program("( ( [00 (rcvi r0 0 x (tag 1))] [01 (wait r0)] [02 (rcvi r1 0 y)] [03 (wait r1)]"
                     "    [04 (rcvi r2 0 z)] [05 (wait r2)] bot )"
                     "  ( [10 (sndi s0 1 0 1 (tag 2))] [11 (sndi s1 1 0 2 (tag 1))] bot )"
                     "  ( [20 (sndi t0 2 0 3 (tag 1))] bot ) )");
    std::set<Matching> const expected{{{"r0", "s1"}, {"r1", "s0"}, {"r2", "t0"}},
                                      {{"r0", "s1"}, {"r1", "t0"}, {"r2", "s0"}},
                                      {{"r0", "t0"}, {"r1", "s0"}, {"r2", "s1"}}};
    for (bool const zero : {false, true}) {
        auto const truth = explore_plainly(program, zero);
        ASSERT_TRUE(truth);
        std::set<Matching> found;
        for (auto const& [matching, s] : truth->outcomes) found.insert(matching);
        EXPECT_EQ(found, expected) << to_text(*truth);
        Tally tally;
        Wrong const wrong = exploration_is_right(program, zero, tally);
        EXPECT_FALSE(wrong) << *wrong;
    }
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

/// A truth as far as a program with other commands in place of barriers can have the same.
struct Meaning {
    std::map<Matching, Status> outcomes;
    std::set<std::string> orphans;
    std::set<std::string> faults;
    bool deadlock;
    OnPath on_path;

    Meaning(Truth const& truth, Program const& original)
        : orphans(truth.orphans), faults(truth.faults), deadlock(truth.deadlock), on_path(truth.on_path) {
        for (auto const& [matching, status] : truth.outcomes) {
            Matching own;
            for (auto const& [receive, send] : matching)
                if (find_action(original, receive).rcvi != nullptr) own.emplace(receive, send);
            outcomes.emplace(std::move(own), status);
        }
    }
    bool operator==(Meaning const&) const = default;
};

bool has_barrier(Program const& program) {
    for (Thread const& thread : program.threads)
        for (Command const& c : thread)
            if (std::holds_alternative<Meet>(c.what)) return true;
    return false;
}

void barriers_are_gathers(Program const& program, std::size_t& compared) {
    if (!has_barrier(program)) return;
    Program const lowered = without_barriers(program);
    ASSERT_TRUE(check_discipline(*load(to_text(lowered, {})).program).empty()) << to_text(lowered, {});
    for (bool const zero : {false, true}) {
        auto const meant = explore_eagerly(program, zero, 5000);
        auto const made = explore_eagerly(lowered, zero, 20'000);
        if (!meant || !made) continue;
        ASSERT_TRUE(Meaning(*meant, program) == Meaning(*made, program))
            << to_text(program, {}) << to_text(*meant) << to_text(meant->on_path) << to_text(lowered, {})
            << to_text(*made) << to_text(made->on_path) << "zero " << zero;
        ++compared;
    }
}

} // namespace

// It is the gather and scatter over fresh endpoints that the lowering writes, under either buffering.
TEST(Mpi, ABarrierIsAGatherAndAScatter) {
    std::size_t compared = 0;
    for (Alphabet const& alphabet : alphabets())
        if (alphabet.kinds.barrier)
            for_each_small_mpi_program(alphabet, 20, [&](programs::draft::Draft const& draft) {
                barriers_are_gathers(plain(draft).program, compared);
            });
    std::size_t const small = compared;
    for (std::uint64_t i = 0; i < cases(600) && !HasFailure(); ++i)
        barriers_are_gathers(mpi_program_to_explore(seeded(6), i, 3, 3), compared);
    EXPECT_GT(small, least(1000) / 20);
    EXPECT_GT(compared - small, least(200));
}

// Where all sends are synchronous the buffering does not matter, and it is a rendezvous.
TEST(Mpi, SynchronousSendsAreARendezvous) {
    std::size_t compared = 0;
    for (std::uint64_t i = 0; i < cases(1500); ++i) {
        Program standard = mpi_program_to_explore(seeded(8), i, 3, 4);
        Program synchronous = standard;
        for (Program* const p : {&standard, &synchronous})
            for (Thread& thread : p->threads)
                for (Command& c : thread)
                    if (auto* const send = std::get_if<Sndi>(&c.what))
                        send->mode = p == &standard ? Mode::standard : Mode::synchronous;
        auto const expected = explore_eagerly(standard, true, 5000);
        if (!expected) continue;
        ++compared;
        for (bool const zero : {false, true}) {
            auto const found = explore_eagerly(synchronous, zero, 5000);
            ASSERT_TRUE(found == expected) << to_text(standard, {}) << to_text(*expected) << to_text(*found);
        }
    }
    EXPECT_GT(compared, least(500));
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

std::vector<std::string> receives_of(Program const& program) {
    std::vector<std::string> actions;
    for (Thread const& thread : program.threads)
        for (Command const& c : thread)
            if (auto const* const r = std::get_if<Rcvi>(&c.what)) actions.push_back(r->action);
    return actions;
}

/// A wait for a receive is gone, if there is one.
void drop_a_wait(Program& program, std::uint64_t choice) {
    std::vector<std::pair<std::size_t, std::size_t>> waits;
    for (std::size_t t = 0; t < program.threads.size(); ++t)
        for (std::size_t i = 0; i < program.threads[t].size(); ++i)
            if (auto const* const wait = std::get_if<Wait>(&program.threads[t][i].what))
                if (find_action(program, wait->action).rcvi != nullptr) waits.emplace_back(t, i);
    if (waits.empty()) return;
    auto const [t, i] = waits[choice % waits.size()];
    program.threads[t].erase(program.threads[t].begin() + static_cast<std::ptrdiff_t>(i));
}

} // namespace

TEST(Mpi, NearestEnclosingWaits) {
    std::size_t broken = 0;
    std::size_t enclosed = 0; // by a wait for another receive
    std::size_t const count = cases(5000);
    for (std::uint64_t i = 0; i < count; ++i) {
        Program program = disciplined_mpi_case(seeded(12), i).program;
        if (i % 2 == 1) drop_a_wait(program, i / 2);
        Loaded const loaded = load(to_text(program, {}));
        std::size_t without = 0;
        for (std::string const& r : receives_of(program))
            if (!nearest_enclosing_wait(program, r)) ++without;
        std::size_t found = 0;
        Diagnostics const faults = check_discipline(*loaded.program);
        for (Diagnostic const& d : faults)
            if (d.rule == "D3") ++found;
        ASSERT_EQ(found, without) << loaded.text;
        broken += without > 0 ? 1U : 0U;
        if (!faults.empty()) continue;
        MessageIndex const messages(*loaded.code);
        for (auto const& receive : messages.receives()) {
            std::string const r(loaded.code->names()(receive.a));
            std::string const nw(loaded.code->names()(receive.nw));
            ASSERT_EQ(nearest_enclosing_wait(program, r), nw) << loaded.text << r;
            auto const* const wait = as_wait(loaded.code->command_at(receive.nw));
            enclosed += wait->a == receive.a ? 0U : 1U;
        }
    }
    EXPECT_GE(broken, count / 20);
    EXPECT_GE(enclosed, count / 20);
}

// ---------------------------------------------------------------------------------------------------------------------

RC_GTEST_PROP(MpiProperties, PrintThenParseIsTheIdentity, ()) {
    ShownCase const shown = *shown_cases(any_mpi_case);
    Source const source("case.ctp", to_text(shown.c));
    auto const program = parse(source);
    if (!program) RC_FAIL(render(program.error(), source));
    Source const printed("printed.ctp", print(*program));
    auto const again = parse(printed);
    if (!again) RC_FAIL(render(again.error(), printed));
    RC_ASSERT(*again == *program);
}

RC_GTEST_PROP(MpiProperties, TheGeneratorObeysTheDiscipline, ()) {
    ShownCase const shown = *shown_cases(disciplined_mpi_case);
    Source const source("case.ctp", to_text(shown.c));
    auto const program = parse(source);
    if (!program) RC_FAIL(render(program.error(), source));
    Diagnostics const faults = check_discipline(*program, &source);
    if (!faults.empty()) RC_FAIL(render(faults, source));
}

RC_GTEST_PROP(MpiProperties, TracesRunAsOnTheOracle, ()) {
    // As the agreement tests, but it shrinks.
    ShownCase const shown = *rc::gen::oneOf(shown_cases(any_mpi_case), shown_cases(disciplined_mpi_case));
    if (Wrong const wrong = trace_is_right(shown.c)) RC_FAIL(*wrong);
}

// Shrinking takes selectors, tags, modes and barriers away.
TEST(Mpi, ShrinkingGetsRidOfThem) {
    using namespace programs;
    std::size_t rid = 0;
    for (std::uint64_t i = 0; i < cases(100); ++i) {
        draft::Draft const start = random_program(seeded(9), i, with_mpi()).draft;
        draft::Size least = draft::size(start);
        draft::Shrunk const shrunk = draft::shrink(
            start,
            [&](draft::Draft const& d) {
                draft::Size const size = draft::size(d);
                EXPECT_LT(size, least) << draft::print(d);
                if (size.commands < draft::size(start).commands - 2) return false;
                least = size;
                return true;
            },
            2000);
        if (shrunk.finished) {
            EXPECT_EQ(draft::size(shrunk.draft).selectors, 0U) << draft::print(shrunk.draft);
            if (draft::size(start).selectors > 0) ++rid;
        }
    }
    EXPECT_GT(rid, least(30));
}

} // namespace matchpoint::naive
