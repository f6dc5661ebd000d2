// The state as a client sees it: a frame for each thread, and variables in scopes.
#pragma once

#include <vector>

#include "cli/dap/debuggee.hpp"

namespace matchpoint::cli {

class Inspector {
public:
    explicit Inspector(Debuggee& debuggee) : debuggee_(debuggee) {}

    /// References to variables are valid until the run moves.
    void forget() { nodes_.clear(); }

    Incoming threads() const;
    /// The frame of a thread: the command that it is at.
    Incoming frame(std::uint32_t thread, Incoming source) const;
    Incoming scopes(std::uint32_t thread);
    /// The children of what a reference stands for. Throws RequestFailed.
    Incoming variables(std::size_t reference, std::size_t start, std::size_t count);
    /// What a pointer hovers over: a variable, an expression, an action or a location. Throws Refused.
    std::string hovered(std::string const& text);

private:
    /// What has children.
    struct Node {
        enum class Kind : std::uint8_t {
            locals, // of a thread
            store,
            queues,
            Pnd_s, // of a channel
            Pnd_r, // of an endpoint
            Q_s,   // of an endpoint
            requests,
            status,
            matches,
            threads,
            choices,
            last_step,
        };
        Kind kind;
        std::uint32_t index = 0;
        bool operator==(Node const&) const = default;
    };

    std::size_t reference(Node node);
    void add(Incoming& to, std::string const& name, std::string const& value, Incoming more = Incoming::object()) const;
    void add_variable(Incoming& to, std::uint32_t x) const;
    void add_variables_of(Incoming& to, std::uint32_t thread) const;
    void add_queues(Incoming& to);
    void add_queue(Incoming& to, Node node, std::string const& shown, std::size_t size, std::string const& expression);
    void add_entries(Incoming& to, Node node) const;
    void add_requests(Incoming& to) const;
    void add_status(Incoming& to);
    void add_threads(Incoming& to);
    void add_changes(Incoming& to);
    std::string blocked(std::uint32_t thread);
    std::string end_of(std::uint32_t thread) const;
    std::string request(Action a) const;

    Debuggee& debuggee_;
    std::vector<Node> nodes_; // reference - 1
};

} // namespace matchpoint::cli
