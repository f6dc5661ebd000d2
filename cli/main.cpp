#include <cstdio>
#include <exception>
#include <new>

#include "cli/cli.hpp"
#include "grammar/value.hpp"

int main(int argc, char** argv) {
    using namespace matchpoint::cli;
    try {
        return cli_main(argc, argv);
    } catch (OutputFailed const& e) {
        std::fprintf(stderr, "matchpoint: error: %s\n", e.what());
        return output_failed;
    } catch (matchpoint::grammar::LimitReached const& e) {
        std::fprintf(stderr, "matchpoint: limit reached: %s\n", e.what());
        return unknown;
    } catch (std::bad_alloc const&) {
        std::fputs("matchpoint: limit reached: out of memory\n", stderr);
        return unknown;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "matchpoint: internal error: %s\nThis is a bug in matchpoint.\n", e.what());
        return internal;
    }
}
