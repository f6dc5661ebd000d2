#include "cli/pairs_input.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostics.hpp"
#include "base/text.hpp"
#include "cli/message_names.hpp"
#include "cli/program_input.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

namespace {

using report::Json;

constexpr std::string_view no_message = "gets no message";

class PairsReader {
public:
    PairsReader(Source const& source, MessageIndex const& messages) : source_(source), messages_(messages) {
        pairs_.of.resize(messages.receives().size());
    }

    Expected<MatchPairs, Diagnostics> read() {
        std::string_view const text = trimmed(source_.text());
        if (text.starts_with('{'))
            read_json();
        else
            read_lists();
        if (!errors_.empty()) return Unexpected{std::move(errors_)};
        for (auto& sends : pairs_.of) {
            std::sort(sends.begin(), sends.end());
            sends.erase(std::unique(sends.begin(), sends.end()), sends.end());
        }
        return std::move(pairs_);
    }

private:
    /// About a part of the text; about all of it if `where` is empty.
    void complain_at(std::string_view where, std::string_view rule, std::string message) {
        if (errors_.size() == max_diagnostics) return;
        Diagnostic error;
        error.rule = rule;
        error.message = std::move(message);
        if (!where.empty()) {
            error.offset = static_cast<Offset>(where.data() - source_.text().data());
            error.length = static_cast<std::uint32_t>(where.size());
        }
        errors_.push_back(std::move(error));
    }

    std::optional<std::uint32_t> number_of(Role role, std::string_view name, std::string_view where,
                                           std::string_view which) {
        auto number = message_named(messages_, role, name);
        if (number) return *number;
        complain_at(where, "pairs", fmt::format("{}{}", which, number.error()));
        return std::nullopt;
    }
    void add(std::uint32_t r, std::uint32_t s, std::string_view where, std::string_view which) {
        auto const wrong = why_no_pair(messages_, r, s);
        if (!wrong) return pairs_.of[r].push_back(s);
        complain_at(where, "pairs", fmt::format("{}{}", which, *wrong));
    }

    /// Lines such as `R01: S11, S21`. Comments, blank lines and the heading of `matchpoint pairs` count for nothing.
    void read_lists() {
        std::string_view rest = source_.text().substr(byte_order_mark_size(source_.text()));
        while (!rest.empty()) {
            std::size_t const end = rest.find('\n');
            std::string_view const line = trimmed(rest.substr(0, end));
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
            bool const is_heading = line.ends_with(" match pair") || line.ends_with(" match pairs");
            if (!line.empty() && !line.starts_with(';') && !is_heading) read_list(line);
        }
    }
    void read_list(std::string_view line) {
        std::size_t const colon = line.find(": ");
        if (colon == std::string_view::npos)
            return complain_at(line, "syntax", "expected a receive, `: `, and its sends with commas between them");
        std::string_view const name = trimmed(line.substr(0, colon));
        std::string_view sends = trimmed(line.substr(colon + 2));
        auto const r = number_of(Role::receive, name, name, "");
        if (!r || sends == no_message) return;
        while (true) {
            std::size_t const comma = sends.find(',');
            std::string_view const send = trimmed(sends.substr(0, comma));
            if (send.empty()) return complain_at(line, "syntax", "expected a send before and after each comma");
            if (auto const s = number_of(Role::send, send, send, "")) add(*r, *s, send, "");
            if (comma == std::string_view::npos) return;
            sends.remove_prefix(comma + 1);
        }
    }

    /// {"pairs": [{"receive": "R01", "send": "S11"}, ..]}; what else there is counts for nothing.
    void read_json() {
        Json json;
        try {
            json = Json::parse(source_.text());
        } catch (Json::parse_error const& e) {
            std::size_t const at = std::min(e.byte == 0 ? 0 : e.byte - 1, source_.text().size() - 1);
            return complain_at(source_.text().substr(at, 1), "syntax", "this is not JSON");
        }
        auto const all = json.find("pairs");
        if (all == json.end() || !all->is_array())
            return complain_at({}, "syntax", "expected a list `pairs`, as `matchpoint pairs --format json` prints it");
        for (std::size_t i = 0; i < all->size(); ++i) {
            std::string const which = fmt::format("pairs[{}]: ", i);
            Json const& pair = (*all)[i];
            auto const name = [&](char const* key) -> std::string const* {
                auto const value = pair.is_object() ? pair.find(key) : pair.end();
                return pair.is_object() && value != pair.end() ? value->get_ptr<std::string const*>() : nullptr;
            };
            std::string const* const receive = name("receive");
            std::string const* const send = name("send");
            if (receive == nullptr || send == nullptr) {
                complain_at({}, "syntax", which + R"(expected {"receive": NAME, "send": NAME})");
                continue;
            }
            auto const r = number_of(Role::receive, *receive, {}, which);
            auto const s = number_of(Role::send, *send, {}, which);
            if (r && s) add(*r, *s, {}, which);
        }
    }

    Source const& source_;
    MessageIndex const& messages_;
    MatchPairs pairs_;
    Diagnostics errors_;
};

} // namespace

Expected<MatchPairs, ExitCode> read_pairs(std::string const& file, MessageIndex const& messages, Terminal& terminal) {
    auto const source = read_or_complain(file, terminal);
    if (!source) return Unexpected{source.error()};
    auto pairs = PairsReader(*source, messages).read();
    if (pairs) return std::move(*pairs);
    show(terminal, pairs.error(), *source);
    return Unexpected{bad_input};
}

} // namespace matchpoint::cli
