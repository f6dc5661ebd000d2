#include "record/signatures.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::record {

namespace {

/// The runs of elements, one after the other.
class RunsOf {
public:
    explicit RunsOf(Elements const& e) : runs_(e.of.runs), rounds_(e.of.times * e.count) {
        // All elements are one run if they have one basic type.
        if (runs_.size() == 1) {
            left_ = runs_[0].second * rounds_;
            rounds_ = left_ == 0 ? 0 : 1;
        } else if (rounds_ != 0 && !runs_.empty()) {
            left_ = runs_[0].second;
        } else {
            rounds_ = 0;
        }
    }

    bool at_end() const { return rounds_ == 0; }
    std::string const& type() const { return runs_[at_].first; }
    std::uint64_t left() const { return left_; }

    void pass(std::uint64_t n) {
        left_ -= n;
        while (left_ == 0 && rounds_ != 0) {
            if (++at_ == runs_.size()) {
                at_ = 0;
                --rounds_;
            }
            if (rounds_ != 0) left_ = runs_[at_].second;
        }
    }

private:
    std::vector<std::pair<std::string, std::uint64_t>> const& runs_;
    std::uint64_t rounds_;
    std::uint64_t left_ = 0; // of the current run
    std::size_t at_ = 0;
};

bool is_packed(Signature const& s) { return s.runs.size() == 1 && s.runs[0].first == "MPI_PACKED"; }

} // namespace

Fit fits(Elements const& sent, Elements const& room) {
    bool const is_longer = sent.of.bytes * sent.count > room.of.bytes * room.count;
    Fit const by_bytes = is_longer ? Fit::too_long : Fit::fits;
    bool const is_known = sent.of.times != 0 && room.of.times != 0;
    if (!is_known || is_packed(sent.of) || is_packed(room.of)) return by_bytes;
    RunsOf a(sent);
    RunsOf b(room);
    constexpr int most = 10'000;
    for (int i = 0; i < most; ++i) {
        if (a.at_end()) return Fit::fits;
        if (b.at_end()) return Fit::too_long;
        if (a.type() != b.type()) return Fit::differs;
        std::uint64_t const n = std::min(a.left(), b.left());
        a.pass(n);
        b.pass(n);
    }
    return by_bytes;
}

Fit is_same(Elements const& sent, Elements const& received) {
    if (is_packed(sent.of) != is_packed(received.of)) return Fit::fits;
    Fit const result = fits(sent, received);
    return result == Fit::fits ? fits(received, sent) : result;
}

std::string in_words(Elements const& e) {
    if (e.count == 0 || (e.of.times != 0 && e.of.runs.empty())) return "nothing";
    if (e.of.times == 0) return fmt::format("{} bytes", e.of.bytes * e.count);
    if (e.of.runs.size() == 1)
        return fmt::format("{} {}", e.of.runs[0].second * e.of.times * e.count, e.of.runs[0].first);
    constexpr std::size_t most = 4; // runs
    std::string runs;
    for (std::size_t i = 0; i < std::min(most, e.of.runs.size()); ++i)
        runs += fmt::format("{}{} {}", i == 0 ? "" : ", ", e.of.runs[i].second, e.of.runs[i].first);
    return fmt::format("{} ({}{})", e.of.times * e.count, runs, e.of.runs.size() > most ? ", ..." : "");
}

} // namespace matchpoint::record
