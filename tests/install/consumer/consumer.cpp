// A program outside the project: it parses a program, runs its trace, and observes the run.

#include <iostream>

#include <matchpoint/explain/words.hpp>
#include <matchpoint/grammar/parse.hpp>
#include <matchpoint/machine/machine.hpp>
#include <matchpoint/machine/well_formed.hpp>

namespace {

class CountMatches final : public matchpoint::machine::Observer {
public:
    void on(matchpoint::machine::State const&, matchpoint::machine::Event const& event) override {
        if (auto const* const wait = std::get_if<matchpoint::machine::event::WaitRcviCommand>(&event))
            count += wait->completions.size();
    }
    std::size_t count = 0;
};

} // namespace

int main() {
    using namespace matchpoint::grammar;
    using namespace matchpoint::machine;
    using namespace matchpoint::report;
    Source const source("consumer.ctp", R"(
        ( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 2))] )
          ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] ) )
        ( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) (0 1) bot)) (03 bot) ))");
    auto const program = parse(source);
    if (!program) {
        std::cerr << render(program.error(), source);
        return 1;
    }
    IndexedProgram const code(*program);
    Machine machine(code, Buffering::infinite);
    CountMatches matches;
    machine.observe(matches);
    Outcome const outcome = run(machine, 0);
    std::cout << to_string(outcome.s) << ", " << matches.count
              << " matches: " << in_words(code, match_set(code, machine.state())) << '\n';
    return outcome.s == Status::failure && well_formedness(code, machine.state()) ? 0 : 1;
}
