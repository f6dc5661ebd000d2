// Breakpoints of a client: on lines, on locations and threads by name, and on data. Each may have a condition, a
// condition on how often it was hit, and a message to be logged instead of stopping.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/dap/debuggee.hpp"

namespace matchpoint::cli {

class Breakpoints {
public:
    enum class Kind : std::uint8_t { line, name, data };

    /// What stops the run.
    struct Hit {
        std::vector<std::int64_t> ids;
        Kind kind; // of the first one
        std::string text;
    };
    /// Gets the messages to be logged, with the command that they are about.
    using Log = std::function<void(std::string const& text, std::optional<Location> rho)>;

    Breakpoints(Debuggee& debuggee, Log log) : debuggee_(debuggee), log_(std::move(log)) {}

    /// Replaces all breakpoints of a kind by those of a request. The response's `breakpoints`. Throws RequestError.
    Incoming set(Kind kind, Incoming const& asked);

    /// Those in front of a command that comes next.
    std::optional<Hit> before(Location rho);
    /// Data is compared with what it is now.
    void look_again();
    /// Those on data that has changed since.
    std::optional<Hit> after(std::optional<Location> rho);
    /// Before a move is taken back: conditions hold or do not hold after the move, as on the way forward.
    void judge();
    /// Those on data that the move changed that was taken back.
    std::optional<Hit> behind(std::optional<Location> rho);

private:
    struct Breakpoint {
        std::int64_t id = 0;
        Kind kind = Kind::line;
        std::vector<Location> at;                          // line and name: in order
        std::string name;                                  // of data
        std::function<std::string()> look;                 // data: its value now
        std::string seen;                                  // data
        std::function<std::string()> condition;            // empty if none
        std::function<bool(std::uint64_t)> hits;           // whether so many hits stop the run; if empty, always
        std::vector<std::function<std::string()>> message; // its parts; empty if it stops the run
        std::uint64_t count = 0;
        bool did_hold = true; // what judge() found
    };

    Incoming added(Kind kind, std::int64_t id, Parameters const& asked);
    void place(Breakpoint& b, Parameters const& asked, Incoming& answer) const;
    std::vector<Location> named(std::string const& name) const;
    std::function<std::string()> watched(std::string const& text) const;
    std::vector<std::function<std::string()>> message(std::string const& text);
    bool holds(Breakpoint const& b) const { return !b.condition || b.condition() == "true"; }
    bool stops(Breakpoint& b, bool holds, std::optional<Location> rho);
    std::optional<Hit> changed(std::optional<Location> rho, std::function<bool(Breakpoint const&)> const& holds);
    std::vector<Breakpoint>& of(Kind kind) { return breakpoints_[static_cast<std::size_t>(kind)]; }

    Debuggee& debuggee_;
    Log log_;
    std::vector<Breakpoint> breakpoints_[3];
};

} // namespace matchpoint::cli
