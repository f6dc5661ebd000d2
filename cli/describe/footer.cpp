#include "cli/describe/footer.hpp"

#include <algorithm>
#include <cctype>

namespace matchpoint::cli {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append(std::string& text, std::string_view words) {
    if (!text.empty()) text += ' ';
    text += words;
}

/// "0 done, 2 usage, or no file." as entries: each begins with a number, at the beginning or after a comma.
std::vector<Footer::Entry> codes_of(std::string_view text) {
    std::vector<Footer::Entry> result;
    while (!text.empty()) {
        std::size_t end = text.find(", ");
        while (end != std::string_view::npos && !(end + 2 < text.size() && is_digit(text[end + 2])))
            end = text.find(", ", end + 1);
        std::string_view code = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
        if (code.ends_with('.')) code.remove_suffix(1);
        std::size_t const blank = std::min(code.find(' '), code.size());
        result.push_back(
            {std::string(code.substr(0, blank)), std::string(code.substr(std::min(blank + 1, code.size())))});
    }
    return result;
}

class Reader {
public:
    Footer read(std::string_view text) {
        while (!text.empty()) {
            std::size_t const end = std::min(text.find('\n'), text.size());
            line(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        end_of_block();
        return std::move(footer_);
    }

private:
    void line(std::string_view text) {
        if (text.empty()) return end_of_block();
        if (text.front() == ' ' && section_ != nullptr) return entry(text);
        std::size_t const colon = text.find(':');
        bool const is_heading = section_ == nullptr && paragraph_.empty() && colon != std::string_view::npos &&
                                text.substr(0, colon).find_first_of("`(,") == std::string_view::npos;
        if (is_heading && colon + 1 == text.size()) return begin(text.substr(0, colon));
        if (is_heading && text.starts_with("Exit codes: ")) {
            begin(text.substr(0, colon));
            codes_ = text.substr(colon + 2);
        } else if (!codes_.empty()) {
            append(codes_, text);
        } else {
            append(paragraph_, text);
            if (text.ends_with('.')) end_of_paragraph();
        }
    }

    void begin(std::string_view heading) {
        end_of_block();
        footer_.sections.push_back({std::string(heading), {}, {}});
        section_ = &footer_.sections.back();
    }

    /// "  term    meaning"; a line that begins far to the right goes on with the meaning above it.
    void entry(std::string_view text) {
        constexpr std::size_t far = 12;
        std::size_t const first = text.find_first_not_of(' ');
        if (first >= far && !section_->entries.empty())
            return append(section_->entries.back().meaning, text.substr(first));
        text.remove_prefix(2);
        std::size_t const begin = text.find_first_not_of(' ');
        std::size_t const gap = text.find("  ", begin);
        std::size_t const meaning = gap == std::string_view::npos ? gap : text.find_first_not_of(' ', gap);
        Footer::Entry result{std::string(text.substr(0, gap)), {}};
        if (meaning != std::string_view::npos) result.meaning = text.substr(meaning);
        section_->entries.push_back(std::move(result));
    }

    void end_of_paragraph() {
        if (paragraph_.empty()) return;
        (section_ == nullptr ? footer_.paragraphs : section_->paragraphs).push_back(std::move(paragraph_));
        paragraph_.clear();
    }

    void end_of_block() {
        end_of_paragraph();
        if (!codes_.empty()) section_->entries = codes_of(codes_);
        codes_.clear();
        section_ = nullptr;
    }

    Footer footer_;
    Footer::Section* section_ = nullptr; // null between sections
    std::string paragraph_;
    std::string codes_; // of "Exit codes: 0 done, ..."
};

} // namespace

Footer footer_of(std::string_view text) { return Reader().read(text); }

} // namespace matchpoint::cli
