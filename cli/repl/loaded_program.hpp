// The program of a session, which can be replaced by another text of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/program_input.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::cli {

/// Its members refer to each other, so it cannot be copied.
class LoadedProgram {
public:
    /// An input with a program, from `path`.
    LoadedProgram(std::string path, ProgramInput input);
    LoadedProgram(LoadedProgram const&) = delete;
    LoadedProgram& operator=(LoadedProgram const&) = delete;

    std::string const& path() const { return path_; }
    Source const& source() const { return source_; }
    IndexedProgram const& code() const { return code_; }
    /// Null for a program that breaks rules D1 to D6.
    MessageIndex const* messages() const { return messages_ ? &*messages_ : nullptr; }

    /// Puts another program in its place. References to its code stay valid and are about the new one. A caller
    /// that keeps indices of locations, variables, ... or pointers to the messages has to look them up again. If it
    /// throws, the old program stays.
    void replace(ProgramInput input);

private:
    std::string path_;
    Source source_;
    std::unique_ptr<Program const> program_;
    IndexedProgram code_;
    std::optional<MessageIndex> messages_;
};

} // namespace matchpoint::cli
