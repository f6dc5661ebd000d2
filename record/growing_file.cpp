#include "record/growing_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/numbers.hpp"

namespace matchpoint::record {

GrowingFile::GrowingFile(std::filesystem::path const& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    callers_[0] = {};
}

GrowingFile::~GrowingFile() {
    if (file_ >= 0) ::close(file_);
}

bool GrowingFile::advance() {
    char buffer[65536];
    bool is_new = false;
    while (true) {
        ssize_t const size = pread(file_, buffer, sizeof buffer, at_);
        if (size <= 0) return is_new;
        std::size_t const used = strnlen(buffer, static_cast<std::size_t>(size));
        if (used == 0) return is_new;
        is_new = true;
        for (auto& [number, caller] : callers_) caller.tests_before.reset();
        at_ += static_cast<off_t>(used);
        for (std::size_t i = 0; i < used; ++i)
            if (buffer[i] == '\n') {
                take(std::exchange(line_, {}), at_ - static_cast<off_t>(used - i - 1));
            } else if (line_.size() < 256) {
                line_ += buffer[i];
            }
        if (used < sizeof buffer) return is_new;
    }
}

bool GrowingFile::waits(Clock::time_point now) {
    bool all_wait = line_.empty();
    for (auto& [number, caller] : callers_) { // all are asked: some count tests
        bool const is_in_call =
            caller.has_ended || caller.joins || caller.is_in_call() || (caller.tests() && tests_in_a_loop(caller, now));
        all_wait = all_wait && ((is_in_call && !has_threads_) || is_done() || has_left());
    }
    return all_wait;
}

std::optional<int> GrowingFile::aborted() const {
    if (!last_.starts_with("abort ")) return std::nullopt;
    return to_number<int>(std::string_view(last_).substr(last_.rfind(' ') + 1));
}

bool GrowingFile::tests() const {
    return std::any_of(callers_.begin(), callers_.end(), [](auto const& c) { return c.second.tests(); });
}

bool GrowingFile::awaits() const {
    return std::any_of(callers_.begin(), callers_.end(), [](auto const& c) { return c.second.awaits(); });
}

bool GrowingFile::Caller::is_in_call() const {
    // Its types can be MPI_INT: the first name is that of the function.
    if (last.starts_with("coll ")) return last.find(" MPI_") != last.find(" MPI_I");
    constexpr std::string_view calls[] = {"wait ", "any ", "some ", "probe ", "detach ", "in ", "awaits "};
    return std::any_of(std::begin(calls), std::end(calls), [&](auto word) { return last.starts_with(word); });
}

/// The next line, and where the one after it begins. A rank that has written a note is still in the call before it.
void GrowingFile::take(std::string line, off_t end) {
    constexpr std::string_view notes[] = {"place ", "source ", "object ", "type ", "found ", "off "};
    off_t const begin = std::exchange(next_at_, end);
    if (std::any_of(std::begin(notes), std::end(notes), [&](auto word) { return line.starts_with(word); })) return;
    if (is_about_threads(line)) return;
    has_threads_ = has_threads_ || line == "threads";
    if (line.starts_with("rank ")) ranks_ = natural(line.substr(line.rfind(' ') + 1)).value_or(0);
    last_ = line;
    Caller& caller = callers_[caller_];
    caller.last = std::move(line);
    caller.last_at = begin;
}

/// A line that says nothing of a call, but of threads.
bool GrowingFile::is_about_threads(std::string_view line) {
    std::string_view const word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    auto const number = to_number<std::uint32_t>(line.substr(0, line.find(' ')));
    if (!number) return false;
    if (word == "thread")
        static_cast<void>(callers_[caller_ = *number]); // it counts from now on
    else if (word == "others")
        has_threads_ = *number != 0;
    else if (word == "ended")
        callers_[*number].has_ended = true;
    else if (word == "joins" || word == "joined")
        callers_[*number].joins = word == "joins";
    else
        return word == "started";
    return true;
}

/// Whether there were so many tests in the last period.
bool GrowingFile::tests_in_a_loop(Caller& caller, Clock::time_point now) const {
    constexpr std::uint64_t often = 20;
    constexpr std::chrono::milliseconds period(500);
    std::uint64_t const count = tests_so_far(caller);
    if (!caller.tests_before) {
        caller.tests_before = {now, count};
        caller.is_testing = false;
    } else if (now - caller.tests_before->first >= period) {
        caller.is_testing = count >= caller.tests_before->second + often;
        caller.tests_before = {now, count};
    }
    return caller.is_testing;
}

/// The COUNT in its last line: poll N PLACE KIND COUNT.
std::uint64_t GrowingFile::tests_so_far(Caller const& caller) const {
    std::size_t at = 0;
    for (int blanks = 0; blanks < 4 && at != std::string::npos; ++blanks) at = caller.last.find(' ', at + 1);
    char digits[12];
    if (at == std::string::npos ||
        pread(file_, digits, sizeof digits, caller.last_at + static_cast<off_t>(at) + 1) != sizeof digits)
        return 0;
    return to_number<std::uint64_t>(std::string_view(digits, sizeof digits)).value_or(0);
}

} // namespace matchpoint::record
