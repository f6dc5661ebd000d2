#include "record/threads/reading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "record/threads/run_reader.hpp"

namespace matchpoint::record::threads {

std::string_view words(Concretised why) {
    switch (why) {
    case Concretised::operations: return "operations on bits, floating-point numbers and the like";
    case Concretised::addresses: return "addresses";
    case Concretised::sizes: return "sizes";
    case Concretised::calls: return "arguments of functions that were not compiled for recording";
    case Concretised::pointer_calls: return "functions that are called through pointers";
    case Concretised::gcc: return "what code reads that GCC has compiled";
    }
    return "";
}

namespace {

/// What reading takes, in the unit of thread_bytes_within: bytes, and records, of which few bytes can make many.
/// Stops where that is more than `most`, and returns the offset, too.
std::pair<std::size_t, std::size_t> cost_of(ThreadFile const& file, std::size_t most = SIZE_MAX) {
    RecordReader reader(file.bytes);
    std::size_t cost = 0;
    std::size_t offset = 0;
    for (Record r; cost <= most && reader.next(r);) {
        offset = r.offset;
        cost = reader.offset() + reader.count();
    }
    return {cost, cost <= most ? file.bytes.size() : offset};
}

/// Keeps the same part of each file, so that together they do not cost more. Whether anything was cut.
bool cut(std::vector<ThreadFile>& files, std::size_t most) {
    std::vector<std::size_t> costs;
    costs.reserve(files.size());
    for (ThreadFile const& f : files) costs.push_back(cost_of(f).first);
    std::size_t sum = 0;
    for (std::size_t const c : costs) sum += c;
    if (sum <= most) return false;
    for (std::size_t i = 0; i < files.size(); ++i) {
        double const part = static_cast<double>(most) / static_cast<double>(sum);
        auto const own = static_cast<std::size_t>(static_cast<double>(costs[i]) * part);
        files[i].bytes = files[i].bytes.substr(0, cost_of(files[i], own).second);
    }
    return true;
}

std::string failure_of(RunIndex const& index) {
    if (!index.failure.empty()) return index.failure;
    switch (index.failure_kind.value_or(matchpoint_crash)) {
    case matchpoint_assertion: return "an assertion failed";
    case matchpoint_abort: return "abort was called";
    case matchpoint_exit_code: return "it exited with a failure";
    case matchpoint_terminate: return "std::terminate was called";
    case matchpoint_crash: break;
    }
    return "it crashed";
}

} // namespace

ThreadRecording read_threads(std::vector<ThreadFile> files, std::size_t most, Overflow overflow) {
    ThreadRecording result;
    bool const is_cut = cut(files, most);
    RunIndex const index = RunIndex::of(files);
    result.fault = index.fault;
    if (result.fault) return result;
    result.threads = files.size();
    for (ThreadSummary const& t : index.threads) result.records += t.records;
    result.exit_code = index.ended;
    result.exits = index.exits;
    if (index.failed) result.failure = failure_of(index);

    Sharing sharing(index);
    ConditionUse conditions;
    RunOrder order(index, files);
    while (auto const thread = order.next()) {
        sharing.record(*thread, order.record());
        conditions.record(*thread, order.record());
    }
    result.fault = order.fault();
    if (result.fault) return result;
    sharing.finish();

    for (ThreadSummary const& t : index.threads)
        result.paths.push_back({{}, t.events - (t.has_exited ? 1 : 0), t.has_ended});
    RunReader(index, files, sharing, conditions, overflow, result).read();
    if (result.fault) return result;
    if (is_cut) result.gaps.push_back({{}, "the recording is larger than the memory that may be used, and was cut"});
    for (std::size_t t = 0; t < index.threads.size(); ++t)
        if (index.threads[t].breaks_off && !is_cut)
            result.gaps.push_back({{}, fmt::format("the file of thread {} breaks off", t)});
    if (std::size_t const stopped = order.stopped(); stopped > 0)
        result.gaps.push_back(
            {{}, fmt::format("what {} threads did last is left out, as it follows records that are missing", stopped)});
    return result;
}

} // namespace matchpoint::record::threads
