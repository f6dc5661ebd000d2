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
    }
    return "";
}

namespace {

/// Keeps the same part of each file, so that together they have at most so many bytes. Whether anything was cut.
bool cut(std::vector<ThreadFile>& files, std::size_t most) {
    std::size_t all = 0;
    for (ThreadFile const& f : files) all += f.bytes.size();
    if (all <= most) return false;
    for (ThreadFile& f : files)
        f.bytes = f.bytes.substr(0, static_cast<std::size_t>(static_cast<double>(f.bytes.size()) *
                                                             (static_cast<double>(most) / static_cast<double>(all))));
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

ThreadRecording read_threads(std::vector<ThreadFile> files, std::size_t most) {
    ThreadRecording result;
    bool const is_cut = cut(files, most);
    RunIndex const index = RunIndex::of(files);
    result.fault = index.fault;
    if (result.fault) return result;
    result.threads = files.size();
    for (ThreadSummary const& t : index.threads) result.records += t.records;
    result.exit_code = index.ended;
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
    RunReader(index, files, sharing, conditions, result).read();
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
