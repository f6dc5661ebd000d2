#include "cli/repl/loaded_program.hpp"

namespace matchpoint::cli {

LoadedProgram::LoadedProgram(std::string path, ProgramInput input)
    : path_(std::move(path)), source_(std::move(input.source)), program_(std::move(*input.program)), code_(program_) {
    if (input.diagnostics.empty()) messages_.emplace(code_);
}

void LoadedProgram::replace(ProgramInput input) {
    messages_.reset();
    source_ = std::move(input.source);
    program_ = std::move(*input.program);
    code_ = IndexedProgram(program_);
    if (input.diagnostics.empty()) messages_.emplace(code_);
}

} // namespace matchpoint::cli
