#include "record/run_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "importers/scanner.hpp"

namespace matchpoint::record {

namespace {

constexpr std::string_view head = "matchpoint-run 1";

using HowEnded = LaunchResult::End;
constexpr std::array<std::pair<HowEnded, std::string_view>, 5> ends{{{HowEnded::exited, "exited"},
                                                                     {HowEnded::killed, "killed"},
                                                                     {HowEnded::stands_still, "stands-still"},
                                                                     {HowEnded::out_of_time, "out-of-time"},
                                                                     {HowEnded::interrupted, "interrupted"}}};
constexpr std::array<std::pair<Prediction, std::string_view>, 3> predictions{
    {{Prediction::passes, "passes"}, {Prediction::fails, "fails"}, {Prediction::gets_stuck, "gets-stuck"}}};

template <typename Table, typename T>
std::string_view name_in(Table const& table, T what) {
    for (auto const& [value, name] : table)
        if (value == what) return name;
    return "";
}

template <typename Table>
auto value_in(Table const& table, std::string_view word) -> std::optional<decltype(table[0].first)> {
    for (auto const& [value, name] : table)
        if (name == word) return value;
    return std::nullopt;
}

/// Cuts off the text up to a separator, and drops the separator. None if there is no separator.
std::optional<std::string_view> cut(std::string_view& text, char separator) {
    std::size_t const end = text.find(separator);
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view const part = text.substr(0, end);
    text.remove_prefix(end + 1);
    return part;
}

bool read_line(std::string_view line, RunFile& to) {
    std::string_view word = line;
    std::string_view rest;
    if (std::size_t const blank = line.find(' '); blank != std::string_view::npos) {
        word = line.substr(0, blank);
        rest = line.substr(blank + 1);
    }
    if (auto const end = value_in(ends, word)) {
        auto const n = rest.empty() ? std::optional<std::uint64_t>(0) : natural(rest);
        if (!n || *n > 255) return false;
        to.result.end = *end;
        (*end == HowEnded::killed ? to.result.signal : to.result.exit_code) = static_cast<int>(*n);
        return true;
    }
    if (word == "wanted") {
        auto const path = cut(rest, ' ');
        auto const buffering = cut(rest, ' ');
        if (!path || !buffering) return false;
        auto const n = natural(*path);
        auto const prediction = value_in(predictions, rest);
        if (!n || *n == 0 || !prediction || (*buffering != "any" && *buffering != "infinite")) return false;
        to.wanted = Wanted{static_cast<std::size_t>(*n), {}, {}, *prediction, {}};
        return true;
    }
    if (!to.wanted) return false;
    if (word == "refuse") {
        auto const send = importers::call_id_of(rest);
        if (send) to.wanted->refusing.push_back(*send);
        return send.has_value();
    }
    if (word == "time" || word == "choice") {
        (word == "time" ? to.wanted->time : to.wanted->time_in_words) = rest;
        return true;
    }
    if (word == "why") {
        to.wanted->why_stuck += fmt::format("{}\n", rest);
        return true;
    }
    auto const receive = cut(rest, ' ');
    if (word != "match" || !receive) return false;
    auto const r = importers::call_id_of(*receive);
    auto const s = importers::call_id_of(rest);
    if (!r || !s) return false;
    to.wanted->matches.emplace_back(*r, *s);
    return true;
}

} // namespace

std::string to_text(RunFile const& file) {
    std::string text = fmt::format("{}\n", head);
    if (file.wanted) {
        Wanted const& w = *file.wanted;
        text += fmt::format("wanted {} {} {}\n", w.path, w.refusing.empty() ? "infinite" : "any",
                            name_in(predictions, w.prediction));
        for (CallId const& send : w.refusing) text += fmt::format("refuse {}\n", name_of(send));
        for (auto const& [receive, send] : named(w.matches)) text += fmt::format("match {} {}\n", receive, send);
        if (!w.time.empty()) text += fmt::format("time {}\nchoice {}\n", w.time, w.time_in_words);
        std::string_view why = w.why_stuck;
        while (auto const line = cut(why, '\n')) text += fmt::format("why {}\n", *line);
    }
    text += name_in(ends, file.result.end);
    if (file.result.end == HowEnded::exited) text += fmt::format(" {}", file.result.exit_code);
    if (file.result.end == HowEnded::killed) text += fmt::format(" {}", file.result.signal);
    return text + "\n";
}

std::optional<RunFile> run_file(std::string_view text) {
    if (cut(text, '\n') != head) return std::nullopt;
    RunFile file;
    while (auto const line = cut(text, '\n'))
        if (!read_line(*line, file)) return std::nullopt;
    if (!text.empty() || file.result.end == HowEnded::not_started) return std::nullopt;
    if (file.wanted) std::sort(file.wanted->matches.begin(), file.wanted->matches.end());
    return file;
}

} // namespace matchpoint::record
