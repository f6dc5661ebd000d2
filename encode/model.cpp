#include "encode/model.hpp"

#include <charconv>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "encode/encoder.hpp"
#include "grammar/source.hpp"

namespace matchpoint::encode {

namespace {

/// The tokens of s-expressions: brackets, atoms, quoted symbols without their bars; strings and comments are skipped.
class Tokens {
public:
    explicit Tokens(std::string_view text) : text_(text) {}

    /// Empty at the end.
    std::string_view next() {
        for (; at_ < text_.size(); ++at_) {
            char const c = text_[at_];
            if (c == ';') {
                at_ = std::min(text_.find('\n', at_), text_.size() - 1);
            } else if (c == '"') {
                at_ = std::min(text_.find('"', at_ + 1), text_.size() - 1);
            } else if (c == '(' || c == ')') {
                return text_.substr(at_++, 1);
            } else if (c == '|') {
                std::size_t const end = std::min(text_.find('|', at_ + 1), text_.size() - 1);
                std::string_view const symbol = text_.substr(at_ + 1, end - at_ - 1);
                at_ = end + 1;
                return symbol;
            } else if (c > ' ') {
                std::size_t const end = std::min(text_.find_first_of(" \t\r\n()|\";", at_), text_.size());
                std::string_view const atom = text_.substr(at_, end - at_);
                at_ = end;
                return atom;
            }
        }
        return {};
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

Expected<Matching, std::string> matching_of_model(MessageIndex const& messages, std::string_view model, bool partial) {
    boost::unordered_flat_map<std::string, std::uint32_t> receives;
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r) receives[match_symbol(messages, r)] = r;

    Matching m(messages);
    std::vector<bool> seen(m.size());
    Tokens tokens(model);
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
        if (token != "define-fun") continue;
        auto const it = receives.find(std::string(tokens.next()));
        if (it == receives.end()) continue;
        std::string_view value; // () Int value
        for (int i = 0; i < 4; ++i) value = tokens.next();
        std::uint32_t s = 0;
        auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), s);
        if (error != std::errc() || end != value.data() + value.size() || (s == 0 && !partial) ||
            s > messages.sends().size())
            return Unexpected{fmt::format("{} is `{}` in the model, which is not the number of a send", it->first,
                                          printable(value, 100))};
        if (s > 0) m[it->second] = s - 1;
        seen[it->second] = true;
    }
    for (std::uint32_t r = 0; r < m.size(); ++r)
        if (!seen[r]) return Unexpected{fmt::format("the model has no value for {}", match_symbol(messages, r))};
    return m;
}

} // namespace matchpoint::encode
