// The recorded changes, applied one by one from the initial state, give each state of the run.

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "explain/message_words.hpp"
#include "report/changes.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/source_dir.hpp"

namespace matchpoint::test {
namespace {

using Cells = std::map<std::tuple<Change::Part, std::uint32_t, std::uint32_t>, std::string>;

void apply(Cells& cells, std::tuple<Change::Part, std::uint32_t, std::uint32_t> const& cell, std::string const& before,
           std::string const& after) {
    auto const found = cells.find(cell);
    ASSERT_EQ(found == cells.end() ? "" : found->second, before);
    if (after.empty())
        cells.erase(cell);
    else
        cells[cell] = after;
}

/// A state as text: of the queues, each with its entries in their order, as the paper has them.
std::string text_of(Cells const& cells) {
    static constexpr std::string_view parts[] = {"h", "A", "Pnd_s", "Pnd_r", "Q_s", "match"};
    std::string text;
    std::pair<Change::Part, std::uint32_t> last{Change::Part::match, 0xFFFF'FFFF};
    for (auto const& [cell, content] : cells) {
        auto const& [part, index, ordinal] = cell;
        if (std::pair(part, index) != last)
            text += "; " + std::string(parts[static_cast<std::size_t>(part)]) + " " + std::to_string(index) + " =";
        last = {part, index};
        text += " " + content;
    }
    return text;
}

std::string text_of(IndexedProgram const& code, State const& state) {
    std::string text;
    auto const add = [&](std::string_view part, std::uint32_t index, std::string const& content) {
        if (!content.empty()) text += "; " + std::string(part) + " " + std::to_string(index) + " =" + content;
    };
    for (std::uint32_t x = 0; x < state.h.size(); ++x) add("h", x, state.h[x].is_bot() ? "" : " " + shown(state.h[x]));
    for (std::uint32_t a = 0; a < state.A.size(); ++a)
        add("A", a, state.A[a].is_none() ? "" : " " + shown(code, state.A[a]));
    for (std::uint32_t c = 0; c < code.channels().size(); ++c) {
        if (code.whole({c}) != Channel{c}) continue;
        std::string queue;
        for (auto const& p : whole_Pnd_s(code, state, {c})) queue += " " + shown_message(code, p.a, shown(p.v));
        add("Pnd_s", c, queue);
    }
    for (std::uint32_t e = 0; e < code.endpoints().size(); ++e) {
        std::string queue;
        for (auto const& p : Pnd_r(code, state, Endpoint{e}))
            queue += " [" + shown(code, p.a) + (p.x.is_none() ? "" : " " + shown(code, p.x)) + "]";
        add("Pnd_r", e, queue);
    }
    for (std::uint32_t e = 0; e < code.endpoints().size(); ++e) {
        std::string queue;
        for (auto const& d : Q_s(code, state, Endpoint{e}))
            queue += " " + shown_message(code, d.a, d.mark == DeliveredSend::Mark::marked ? "bot" : shown(d.v),
                                         code[Endpoint{e}].selects);
        add("Q_s", e, queue);
    }
    std::map<std::uint32_t, std::string> matches;
    for (Match const& m : match_set(code, state)) matches[m.a_r.index] = " " + shown(code, m.a_s);
    for (auto const& [a_r, a_s] : matches) add("match", a_r, a_s);
    return text;
}

TEST(Changes, EveryStateOfEveryTrace) {
    std::size_t states = 0;
    for (auto const& file : std::filesystem::directory_iterator(source_dir() / "traces")) {
        if (file.path().extension() != ".ctp") continue;
        std::stringstream text;
        text << std::ifstream(file.path()).rdbuf();
        Source const source(file.path().filename(), text.str());
        Program const program = test::parsed(source);
        IndexedProgram const code(program);
        for (Buffering const buffering : {Buffering::infinite, Buffering::zero})
            for (std::size_t t = 0; t < program.traces.size(); ++t) {
                Machine machine(code, buffering);
                ChangesRecorder recorder(code);
                machine.observe(recorder);
                std::vector<std::string> wanted;
                std::size_t const length = program.traces[t].entries.size();
                try {
                    while (machine.state().trace < length && machine.state().s != Status::error) {
                        static_cast<void>(machine.step(code.entry(t, machine.state().trace)));
                        wanted.push_back(text_of(code, machine.state()));
                    }
                } catch (LimitReached const&) {
                }
                ASSERT_EQ(recorder.steps(), wanted.size()) << file.path();
                std::vector<Cells> before;
                Cells cells;
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    before.push_back(cells);
                    for (Change const& c : recorder.of(i))
                        apply(cells, {c.part, c.index, c.ordinal}, c.before, c.after);
                    ASSERT_EQ(text_of(cells), wanted[i]) << file.path() << " trace " << t + 1 << " entry " << i;
                    ++states;
                }
                for (std::size_t i = wanted.size(); i-- > 0;) {
                    auto const changes = recorder.of(i);
                    for (std::size_t k = changes.size(); k-- > 0;)
                        apply(cells, {changes[k].part, changes[k].index, changes[k].ordinal}, changes[k].after,
                              changes[k].before);
                    ASSERT_EQ(cells, before[i]);
                }
            }
    }
    EXPECT_GT(states, 1000U);
}

} // namespace
} // namespace matchpoint::test
