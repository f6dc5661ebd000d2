#include <cstdio>
#include <exception>
#include <new>

#include "base/value.hpp"
#include "cli/cli.hpp"

int main(int argc, char** argv) {
    using namespace matchpoint::cli;
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
