#include "record/threads/standstill.hpp"

#include <algorithm>
#include <system_error>

#include "base/files.hpp"
#include "record/threads/records.hpp"

namespace matchpoint::record::threads {

std::vector<std::filesystem::path> thread_files(std::filesystem::path const& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".threads") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::optional<std::string> read_thread_file(std::filesystem::path const& path) {
    auto bytes = base::read_file(path);
    if (!bytes) return std::nullopt;
    auto const window = base::read_file(std::filesystem::path(path).replace_extension(".window"));
    if (!window || window->size() < matchpoint_window_head) return std::move(*bytes);
    std::uint64_t begin = 0;
    for (unsigned i = matchpoint_window_head; i-- > 0;) begin = begin << 8U | static_cast<unsigned char>((*window)[i]);
    std::size_t const known = bytes->size() - begin; // bytes of the window that the file has
    if (begin <= bytes->size() && known <= window->size() - matchpoint_window_head)
        bytes->append(*window, matchpoint_window_head + known);
    return std::move(*bytes);
}

std::optional<std::uint64_t> ThreadWatch::records_if_all_wait() const {
    std::uint64_t count = 0;
    bool one_waits = false;
    for (auto const& path : thread_files(folder_)) {
        auto const bytes = read_thread_file(path);
        if (!bytes) return std::nullopt;
        RecordReader reader(*bytes);
        Record r;
        bool has_limit = false; // of the wait that began last
        matchpoint_record last = matchpoint_thread;
        while (reader.next(r)) {
            last = r.kind;
            if (r.kind == matchpoint_wait_begins) has_limit = r.numbers[2] != 0;
        }
        count += reader.count();
        bool const has_ended = last == matchpoint_exit || last == matchpoint_end;
        bool const is_timed = last == matchpoint_awaits && r.numbers[0] == matchpoint_wait_ends && has_limit;
        if (!has_ended && (last != matchpoint_awaits || is_timed)) return std::nullopt;
        one_waits = one_waits || last == matchpoint_awaits;
    }
    if (!one_waits) return std::nullopt;
    return count;
}

bool ThreadWatch::is_stuck() {
    auto const begin = Clock::now();
    if (begin < next_) return false;
    auto const found = records_if_all_wait();
    bool const is_same = found && last_ == found;
    last_ = found;
    auto const end = Clock::now();
    next_ = end + std::max(pause_ / 2, 20 * (end - begin));
    return is_same;
}

} // namespace matchpoint::record::threads
