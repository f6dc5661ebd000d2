#include "record/window_races.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/numbers.hpp"
#include "record/recording.hpp"
#include "rma/language/parse.hpp"
#include "rma/search/races.hpp"
#include "tests/support/recordings.hpp"

namespace matchpoint::record {

namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// The files of a small run that can have happened: ranks do one thing after the other. Each call has its own line.
class RandomRun {
public:
    explicit RandomRun(std::uint32_t seed) : random_(seed), ranks_(2 + seed % 2) {
        std::string members;
        for (std::uint32_t r = 0; r < ranks_; ++r) members += fmt::format(" {}", r);
        for (std::uint32_t r = 0; r < ranks_; ++r)
            text_.push_back(fmt::format("matchpoint-mpi 1\nrank {} {}\ncomm 0 0{}\nrma window 0 0 0 0 4\nrma ready 0\n",
                                        r, ranks_, members));
        for (int i = 0; i < 8; ++i) add();
        for (std::uint32_t r = 0; r < ranks_; ++r) unlock(r);
    }

    std::vector<Source> files() const {
        std::vector<Source> files;
        for (std::string const& text : text_) files.emplace_back("rank", text + "end\n");
        return files;
    }

private:
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

    /// The number of a new place.
    std::uint32_t place(std::uint32_t r) {
        ++places_;
        text_[r] += fmt::format("source {} {} a.c\n", places_, places_);
        return places_;
    }

    void unlock(std::uint32_t r) {
        if (locked_.contains(r))
            text_[r] += fmt::format("rma flush {} 0 {}\nrma unlock {} 0 {}\n", place(r), locked_.at(r), place(r),
                                    locked_.at(r));
        locked_.erase(r);
    }

    void add() {
        std::uint32_t const r = below(ranks_);
        std::uint32_t const other = (r + 1 + below(ranks_ - 1)) % ranks_;
        switch (below(9)) {
        case 0: text_[r] += fmt::format("rma put {} 0 {} {} -4 -\n", place(r), other, 4 * below(2)); break;
        case 1:
            text_[r] += fmt::format("rma get {} 0 {} {} -4 b{}\n", place(r), other, 4 * below(2), ++buffers_);
            break;
        case 2: text_[r] += fmt::format("rma accumulate {} 0 {} {} -4 + -\n", place(r), other, 4 * below(2)); break;
        case 3: text_[r] += fmt::format("rma flush {} 0 {}\n", place(r), other); break;
        case 4:
            for (std::uint32_t i = 0; i < ranks_; ++i) text_[i] += fmt::format("rma meet {} 0\n", place(i));
            break;
        case 5:
            text_[r] += fmt::format("send {} {} s 0 {} 3 =1\n", sent_[r], place(r), other);
            text_[other] += fmt::format("recv {} {} 0 {} 3\n", sent_[other], place(other), r);
            text_[r] += fmt::format("sent {}\n", sent_[r]++);
            text_[other] += fmt::format("got {} {} 3 1\n", sent_[other]++, r);
            break;
        case 6:
            unlock(r);
            if (std::any_of(locked_.begin(), locked_.end(), [&](auto const& l) { return l.second == other; })) break;
            text_[r] += fmt::format("rma {} {} 0 {}\n", below(2) == 0 ? "lock" : "share", place(r), other);
            locked_[r] = other;
            break;
        case 7: text_[r] += fmt::format("rma memory 0 {} {:02x}000000\n", 4 * below(2), 1 + below(200)); break;
        default: unlock(r); break;
        }
    }

    std::mt19937 random_;
    std::uint32_t ranks_;
    std::uint32_t places_ = 0, buffers_ = 0;
    std::vector<std::string> text_;
    std::map<std::uint32_t, std::uint32_t> sent_, locked_;
};

Pairs by_order(Recording const& run) {
    Pairs pairs;
    for (Finding const& f : races_by_order(run.windows->steps)) pairs.insert(std::minmax(f.at.line, f.other.at.line));
    return pairs;
}

/// That of its call; of a store, that of the next one.
std::uint32_t line_of(Source const& source, rma::Program const& program, rma::StatementIndex i) {
    for (rma::StatementIndex k = i; k < program.processes[program.process_of(i)].last; ++k) {
        std::string_view rest = source.text().substr(program.statements[k].close);
        rest = rest.substr(0, rest.find('\n'));
        if (std::size_t const colon = rest.rfind(':'); colon != std::string_view::npos)
            return to_number<std::uint32_t>(rest.substr(colon + 1)).value_or(0);
    }
    return 0;
}

/// Of elements of the window, in all orders. None if there are too many.
std::optional<Pairs> in_all_orders(Recording const& run) {
    Source const source("run", run.windows->as_fetched);
    auto const program = rma::parse_rma(source, {.keep_comments = true});
    EXPECT_TRUE(program);
    rma::RaceResult const found =
        rma::find_races(*program, {.max_bytes = std::uint64_t{1} << 22U}, 1000, rma::RaceRuns::left_out);
    if (!found.are_all) return std::nullopt;
    Pairs pairs;
    for (rma::Race const& race : found.races)
        if (program->symbols(race.x).starts_with('W'))
            pairs.insert(std::minmax(line_of(source, *program, race.first.statement),
                                     line_of(source, *program, race.second.statement)));
    return pairs;
}

TEST(WindowRaces, AreThoseOfAllOrders) {
    std::size_t compared = 0, races = 0;
    constexpr std::uint32_t seeds = 80;
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
        std::vector<Source> const files = RandomRun(seed).files();
        test::NoLines places;
        Recording const run = read_recording(files, places);
        for (auto const& faults : run.faults)
            for (Diagnostic const& d : faults) ADD_FAILURE() << d.message;
        ASSERT_TRUE(run.is_readable()) << files[0].text();
        ASSERT_TRUE(run.windows);
        auto const expected = in_all_orders(run);
        if (!expected) continue;
        ++compared;
        races += expected->size();
        EXPECT_EQ(by_order(run), *expected) << seed << "\n" << run.windows->as_fetched;
    }
    EXPECT_GT(compared, seeds / 2);
    EXPECT_GT(races, seeds / 3);
}

} // namespace

} // namespace matchpoint::record
