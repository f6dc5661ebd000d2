#include <malloc.h>

#include <cstdio>
#include <exception>
#include <new>

#include "base/value.hpp"
#include "cli/cli.hpp"

namespace {

/// Keeps memory that is freed for what comes next. By default glibc gives blocks above 128 KiB back at once, and the
/// kernel has to clear each page again: a tenth of the time of `check` on large programs. 32 MiB is the most that glibc
/// takes for the first of these.
void keep_freed_memory() {
    ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

} // namespace

int main(int argc, char** argv) {
    using namespace matchpoint::cli;
    keep_freed_memory();
    try {
        return cli_main(argc, argv);
    } catch (OutputFailed const& e) {
        std::fprintf(stderr, "matchpoint: error[file]: %s\n", e.what());
        return output_failed;
    } catch (matchpoint::base::LimitReached const& e) {
        std::fprintf(stderr, "matchpoint: error[limit]: %s\n", e.what());
        return unknown;
    } catch (std::bad_alloc const&) {
        std::fputs("matchpoint: error[limit]: out of memory\n", stderr);
        return unknown;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "matchpoint: error[internal]: %s\nThis is a bug in matchpoint.\n", e.what());
        return internal;
    }
}
