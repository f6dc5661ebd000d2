#pragma once

/// Sessions: sequences of calls of one object, a line of words for each call. A session that goes wrong is shrunk and
/// printed. A test plays it again from a file: MATCHPOINT_REPLAY=FILE (environment).

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/all_rooms.hpp"

namespace matchpoint::naive {

using Calls = std::vector<std::string>;

inline std::vector<std::string> words_of(std::string const& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

/// The sessions that are a little shorter: with a part of the calls, or with a word less. Every word after the first
/// can be left out.
inline std::vector<Calls> shorter(Calls const& calls) {
    std::vector<Calls> result;
    for (std::size_t part = (calls.size() + 1) / 2; part > 0; part = part == 1 ? 0 : (part + 1) / 2)
        for (std::size_t i = 0; i < calls.size(); i += part) {
            result.push_back(calls);
            auto const from = result.back().begin() + static_cast<std::ptrdiff_t>(i);
            result.back().erase(from, from + static_cast<std::ptrdiff_t>(std::min(part, calls.size() - i)));
        }
    for (std::size_t i = 0; i < calls.size(); ++i) {
        auto const words = words_of(calls[i]);
        for (std::size_t left_out = 1; left_out < words.size(); ++left_out) {
            std::string line = words[0];
            for (std::size_t w = 1; w < words.size(); ++w)
                if (w != left_out) line += ' ' + words[w];
            result.push_back(calls);
            result.back()[i] = std::move(line);
        }
    }
    return result;
}

/// A smallest session that goes wrong, and what goes wrong in it. `smaller` gives smaller sessions, `play` what is
/// wrong with one (empty if nothing is).
template <typename Session, typename Smaller, typename Play>
std::pair<Session, std::string> smallest(Session session, std::string wrong, Smaller const& smaller, Play const& play) {
    for (bool again = true; again;) {
        again = false;
        for (Session& candidate : smaller(session)) {
            std::string still = play(candidate);
            if (still.empty()) continue;
            session = std::move(candidate);
            wrong = std::move(still);
            again = true;
            break;
        }
    }
    return {std::move(session), std::move(wrong)};
}

/// The file that MATCHPOINT_REPLAY names, if it begins with `first`.
inline std::optional<std::string> given_session(std::string_view first) {
    char const* const name = std::getenv("MATCHPOINT_REPLAY");
    if (name == nullptr) return std::nullopt;
    std::stringstream text;
    text << std::ifstream(name).rdbuf();
    if (text.str().empty()) throw std::runtime_error(std::string("cannot read ") + name);
    return text.str().starts_with(first) ? std::optional(text.str()) : std::nullopt;
}

} // namespace matchpoint::naive
