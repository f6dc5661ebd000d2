// A program outside the project: it includes each public header, parses a program, runs its trace, and listens.

#include <iostream>

#include <matchpoint/matchpoint.hpp>

int main() {
    using namespace matchpoint::api;
    auto const program = Program::parse(R"(
        ( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 2))] )
          ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] ) )
        ( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) (0 1) bot)) (03 bot) ))",
                                        "consumer.ctp");
    if (!program) {
        std::cerr << program.error().text;
        return 1;
    }
    auto const run = Execution::of_trace(*program, 0);
    std::size_t received = 0;
    run->replay([&](Event const& event) {
        for (Effect const& effect : event.effects) received += std::holds_alternative<Received>(effect) ? 1 : 0;
    });
    std::cout << to_string(run->status()) << ", " << received << " matches:";
    for (Match const& m : run->matches())
        std::cout << ' ' << program->at(m.receive).action << " = " << program->at(m.send).action;
    std::cout << '\n';
    return run->status() == Status::failure && run->is_complete() ? 0 : 1;
}
