#include <stdexcept>

#include "rma/language/parse_reduced.hpp"
#include "rma/search/reduced_run.hpp"
#include "rma/search/reduced_text.hpp"

namespace matchpoint::rma {

namespace {

/// With the program that it runs.
class OwnTextSystem final : public System {
public:
    OwnTextSystem(std::unique_ptr<reduced::Program const> program, std::vector<Variable> shown,
                  std::optional<ValueRange> values)
        : program_(std::move(program)), system_(*program_, std::move(shown), values) {}

    void prepare() override { system_.prepare(); }
    std::size_t words() const override { return system_.words(); }
    Packed initial() override { return system_.initial(); }
    bool expand(Word const* state, bool reduced, Expansion& result) override {
        return system_.expand(state, reduced, result);
    }
    Packed memory_part(Word const* state) const override { return system_.memory_part(state); }
    std::vector<Value> memory(Packed const& memory_part) const override { return system_.memory(memory_part); }
    void widen() override { system_.widen(); }

private:
    std::unique_ptr<reduced::Program const> program_;
    TextSystem system_;
};

} // namespace

std::unique_ptr<System> reduced_system(Graph const& graph, Literal const& literal, std::optional<ValueRange> values) {
    if (!literal.R8) return std::make_unique<ReducedSystem>(graph, literal, values);
    Source const source("the reduced program", print_reduced(graph, literal));
    auto program = parse_reduced(source);
    if (!program) throw std::logic_error(render(program.error(), source));
    auto own = std::make_unique<reduced::Program const>(std::move(*program));
    auto shown = names_of(graph.program(), *own);
    if (!shown) throw std::logic_error(shown.error());
    return std::make_unique<OwnTextSystem>(std::move(own), std::move(*shown), values);
}

} // namespace matchpoint::rma
