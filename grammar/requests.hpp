// Rule D2, and D3 of mprobes: the waits for requests, and the starts of what mprobes match (docs/language.md,
// "Discipline").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

class Requests {
public:
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    /// What breaks a rule, and another command that it is about.
    struct Fault {
        std::string message;
        std::string_view what; // the other command is; empty if there is none
        std::uint32_t other = none;
    };

    /// The program has to outlive it.
    explicit Requests(Program const& program);

    std::uint32_t thread_of(std::uint32_t command) const { return thread_of_[command]; }
    /// Whether the first wait for an action is in another thread, or before it.
    bool is_wait_misplaced(Action a) const { return is_wait_misplaced_[a.index]; }
    /// The first start of an mprobe, as far as start() was told of it; or none.
    std::uint32_t started_at(Action a) const { return started_at_[a.index]; }

    /// D2, of the command at `at`. To be asked in the order of the program.
    std::optional<Fault> wait(Wait const& c, std::uint32_t at);
    std::optional<Fault> start(Start const& c, std::uint32_t at);
    /// D3, of an mprobe that no wait completes. One message is enough where its start or its wait breaks D2.
    std::optional<Fault> received(Probe const& c) const;

private:
    Fault fault(std::string message, std::string_view what, std::uint32_t other) const;
    std::optional<Fault> wait_for(Probe const& c) const;
    std::string name(Action a) const;

    Program const& p_;
    std::vector<std::uint32_t> thread_of_;  // command -> thread
    std::vector<std::uint32_t> waited_at_;  // action -> the first wait for it
    std::vector<std::uint32_t> started_at_; // mprobe -> the first start of it
    std::vector<bool> is_wait_misplaced_;
    std::vector<bool> is_start_misplaced_; // the same of some start
};

} // namespace matchpoint::grammar
