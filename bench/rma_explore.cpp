// The search through the states of a `.rma` program, alone and to the end, for bench/rma:
//
//   rma_explore FILE K all           all states, with at most K pending operations of each statement
//   rma_explore FILE K reduced       those that `rma check` looks at
//
// Prints one line: the states, seconds of the processor, bytes of the table, whether something is violated, and whether
// K left states out.
#include <ctime>
#include <exception>
#include <iostream>
#include <string>

#include <fmt/format.h>

#include "base/files.hpp"
#include "rma/language/parse.hpp"
#include "rma/search/explored.hpp"

namespace {

using namespace matchpoint::grammar;
namespace rma = matchpoint::rma;

int explore(std::string const& path, std::uint32_t pending, bool reduced) {
    Source const source(path, read_file(path).value_or({}));
    auto const program = rma::parse_rma(source);
    if (!program) {
        std::cerr << render(program.error(), source);
        return 2;
    }
    rma::Graph const graph(*program);
    rma::Machine const machine(graph);
    std::clock_t const begin = std::clock();
    rma::MachineSystem system(machine, {.fused = reduced, .pending = pending});
    rma::SearchResult const found = rma::search(system, {.reduced = reduced});
    double const seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    bool const is_all = found.stop == rma::SearchResult::Stop::none;
    std::cout << fmt::format("{} {:.6f} {} {} {}\n", found.states, seconds, found.bytes,
                             found.violation ? "violated" : "safe",
                             !is_all              ? "stopped"
                             : found.cuts.pending ? "cut"
                                                  : "complete");
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 4)
            return explore(argv[1], static_cast<std::uint32_t>(std::stoul(argv[2])), argv[3] == std::string("reduced"));
        std::cerr << "usage: rma_explore FILE K all|reduced\n";
    } catch (std::exception const& e) {
        std::cerr << "rma_explore: " << e.what() << "\n";
    }
    return 2;
}
