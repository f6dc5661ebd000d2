#include "cli/repl/loaded_program.hpp"

#include <utility>

namespace matchpoint::cli {

LoadedProgram::LoadedProgram(std::string path, ProgramInput input)
    : path_(std::move(path)), source_(std::move(input.source)),
      program_(std::make_unique<Program const>(std::move(*input.program))), code_(*program_) {
    if (!breaks_discipline(input.diagnostics)) messages_.emplace(code_);
}

void LoadedProgram::replace(ProgramInput input) {
    auto program = std::make_unique<Program const>(std::move(*input.program));
    IndexedProgram code(*program);
    std::swap(code_, code);
    try {
        messages_ = breaks_discipline(input.diagnostics) ? std::nullopt : std::optional<MessageIndex>(code_);
    } catch (...) {
        std::swap(code_, code);
        throw;
    }
    program_ = std::move(program);
    source_ = std::move(input.source);
}

} // namespace matchpoint::cli
