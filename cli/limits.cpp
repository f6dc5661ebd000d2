#include "cli/limits.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "cli/cli.hpp"

namespace matchpoint::cli {

namespace {

/// If the limit is below what is in use, every allocation fails. So take 512 KiB now and free them: a result can still
/// be written.
void keep_some_memory() {
    constexpr std::size_t block = std::size_t{64} << 10U; // taken from the heap, which keeps it (cli/main.cpp)
    constexpr std::size_t count = 8;
    std::vector<std::unique_ptr<char[]>> blocks;
    blocks.reserve(count);
    for (std::size_t i = 0; i < count; ++i) blocks.push_back(std::make_unique<char[]>(block));
}

} // namespace

bool limit_memory(std::uint64_t mebibytes) {
    keep_some_memory();
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0) return false;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, mebibytes << 20U);
    return ::setrlimit(RLIMIT_AS, &limit) == 0;
}

ExitCode within(Limits const& limits, Terminal& terminal, std::function<ExitCode()> const& run) {
    using Clock = std::chrono::steady_clock;
    if (limits.memory && !limit_memory(*limits.memory)) {
        complain(terminal, fmt::format("--memory {}: this process cannot be limited to that", *limits.memory),
                 ErrorKind::usage);
        return bad_input;
    }
    if (!limits.timeout) return run();
    auto const time = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*limits.timeout));
    auto const deadline = Clock::now() + time;
    Watch const watch([deadline] { return Clock::now() >= deadline; });
    return run();
}

} // namespace matchpoint::cli
