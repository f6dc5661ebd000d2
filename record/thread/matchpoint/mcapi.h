// Messages between threads, with the names of the Multicore Communications API (MCAPI 2.0), in a run that can be
// recorded:
//
//   #include <matchpoint/mcapi.h>
//
//   void receiver() {
//       mcapi_status_t s;
//       mcapi_endpoint_t const e = mcapi_endpoint_create(0, &s);
//       matchpoint::value<int> a;
//       mcapi_msg_recv(e, &a, sizeof a.concrete(), nullptr, &s);
//       MATCHPOINT_ASSERT(a == 4);
//   }
//   int main() { matchpoint::run(receiver, sender, another_sender); }
//
// Each function is a node, 0, 1, 2 ... of domain 0, and runs in a thread of its own. Alone, the program just runs.
// Under `matchpoint mcapi record` each thread writes down what it does; under `matchpoint mcapi replay` its receives
// take what a schedule tells (docs/formats.md). Threads share what they send, and nothing else.
//
// A message is at its endpoint when mcapi_msg_send_i returns. An endpoint gives its messages to its receives in the
// order in which they arrived. A replay lets them arrive in another order, or lets sends wait for their receives.
//
// There are connectionless messages only: no channels, no scalars, no mcapi_msg_available, no mcapi_cancel.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <source_location>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#define MATCHPOINT_RECORDER_IS_THERE // at the end of this file
#include <matchpoint/values.h>

using mcapi_domain_t = unsigned;
using mcapi_node_t = unsigned;
using mcapi_port_t = unsigned;
using mcapi_priority_t = unsigned; // messages of one priority only: it is ignored
using mcapi_timeout_t = unsigned;  // milliseconds
using mcapi_boolean_t = unsigned;
using mcapi_uint_t = unsigned;

inline constexpr mcapi_boolean_t MCAPI_FALSE = 0;
inline constexpr mcapi_boolean_t MCAPI_TRUE = 1;
inline constexpr mcapi_timeout_t MCAPI_TIMEOUT_INFINITE = ~0U;
inline constexpr mcapi_port_t MCAPI_PORT_ANY = ~0U;

enum mcapi_status_t {
    MCAPI_SUCCESS,
    MCAPI_PENDING,
    MCAPI_TIMEOUT,
    MCAPI_ERR_NODE_NOTINIT,    // the thread is not one of matchpoint::run
    MCAPI_ERR_PORT_INVALID,    // ports are 0 to 98
    MCAPI_ERR_ENDP_EXISTS,     // this node has created it before
    MCAPI_ERR_ENDP_NOTOWNER,   // another node has created it
    MCAPI_ERR_ENDP_INVALID,    // nobody has created it
    MCAPI_ERR_MSG_TRUNCATED,   // the buffer of the receive is too small: the rest is lost
    MCAPI_ERR_REQUEST_INVALID, // it is not one of this node, or has been waited for
    MCAPI_ERR_PARAMETER,       // a null pointer
};

struct mcapi_endpoint_t {
    unsigned number = ~0U; // port * 1000 + node
};
struct mcapi_request_t {
    mcapi_node_t node = ~0U;
    unsigned number = ~0U; // among the sends and receives of the node
};

namespace matchpoint {

namespace mcapi {

inline constexpr unsigned most_nodes = 1000, most_ports = 99;
using Place = std::source_location;

/// A send or a receive.
struct Request {
    bool is_send = false;
    bool is_complete = false; // a send: it may return; a receive: it has a message
    bool is_told = false;     // the node knows
    unsigned endpoint = 0;    // that it is received at
    // Only for a receive:
    void* buffer = nullptr;
    std::size_t room = 0;
    unsigned from = 0; // an endpoint
    std::vector<unsigned char> message = {};
};

struct Message {
    unsigned from; // an endpoint
    std::vector<unsigned char> bytes;
    Request* sent_by;
};

struct Endpoint {
    mcapi_node_t owner;
    std::deque<Message> arrived;    // that no receive has
    std::deque<unsigned> posted;    // receives without a message: numbers of requests
    std::deque<unsigned> not_known; // receives that the owner does not know to be complete
};

/// What a call was in the recorded run, and what it is to do.
struct Planned {
    char kind = 0; // 's' send, 'r' receive; 0: not known
    unsigned alpha = 0, beta = 0;
    bool refuses = false; // the send waits for its receive
    bool is_taken = false;
    unsigned take_from = 0; // the receive takes a message of this endpoint
    unsigned order = 0;     // when the node learned that it was complete; 0: not known
};

struct Node {
    mcapi_node_t number = 0;
    int file = -1; // -1 if it is not recorded
    off_t size = 0;
    std::deque<off_t> lines = {}; // where the last ones begin
    std::deque<Request> requests = {};
    unsigned expressions = 0;
    unsigned places = 0;
    unsigned calls = 0; // that others may depend on
    unsigned failed_tests = 0;
    bool has_said_foreign = false;
    bool has_said_full = false;
    std::map<std::pair<std::string, unsigned>, unsigned> known_places = {}; // file and line, or object and offset
    std::map<std::string, unsigned> objects = {};
    std::map<unsigned, Planned> plan = {}; // by the number of the request
};

// An expression is a number: its node, the number of what was received (odd) or computed (even) there, from which its
// name follows. 0 is none.
inline constexpr unsigned node_shift = 22;
inline constexpr std::uint32_t most_expressions = (1U << (node_shift - 1)) - 1;

/// All threads and their messages. Every call holds its mutex; threads that wait hear of every change.
class Runtime {
public:
    static Runtime& instance() {
        static Runtime the_only_one;
        return the_only_one;
    }
    /// The node of this thread; null if it is not a node.
    static Node*& current() {
        static thread_local Node* node = nullptr;
        return node;
    }

    bool is_recording() const { return !folder_.empty(); }

    void run(std::vector<std::function<void()>> const& tasks) {
        if (!nodes_.empty() || tasks.size() > most_nodes) {
            std::fputs("matchpoint::run runs once, and at most 1000 threads\n", stderr);
            std::abort();
        }
        for (unsigned i = 0; i < tasks.size(); ++i) nodes_.push_back(Node{i});
        read_schedule();
        for (Node& node : nodes_) open(node);
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < tasks.size(); ++i)
            threads.emplace_back([this, &node = nodes_[i], &task = tasks[i]] {
                current() = &node;
                task();
                current() = nullptr;
                line(node, "end");
            });
        for (std::thread& thread : threads) thread.join();
        for (Node const& node : nodes_)
            if (node.file >= 0) ::close(node.file);
    }

    // ---- calls

    mcapi_endpoint_t create(mcapi_port_t port, mcapi_status_t& status) {
        std::lock_guard const lock(mutex_);
        Node* const node = current();
        if (node == nullptr) return status = MCAPI_ERR_NODE_NOTINIT, mcapi_endpoint_t{};
        for (mcapi_port_t next = 0; port == MCAPI_PORT_ANY; ++next)
            if (next == most_ports || !endpoints_.contains(next * most_nodes + node->number)) port = next;
        if (port >= most_ports) return status = MCAPI_ERR_PORT_INVALID, mcapi_endpoint_t{};
        unsigned const number = port * most_nodes + node->number;
        if (!endpoints_.emplace(number, Endpoint{node->number, {}, {}, {}}).second)
            return status = MCAPI_ERR_ENDP_EXISTS, mcapi_endpoint_t{};
        if (node->calls != 0) created_late_[number] = true;
        status = MCAPI_SUCCESS;
        changed_.notify_all();
        return {number};
    }

    mcapi_endpoint_t get(mcapi_node_t of, mcapi_port_t port, mcapi_timeout_t timeout, mcapi_status_t& status,
                         Place const& at) {
        std::unique_lock lock(mutex_);
        Node* const node = current();
        if (node == nullptr) return status = MCAPI_ERR_NODE_NOTINIT, mcapi_endpoint_t{};
        if (port >= most_ports || of >= most_nodes) return status = MCAPI_ERR_PORT_INVALID, mcapi_endpoint_t{};
        unsigned const number = port * most_nodes + of;
        if (!wait_until(lock, timeout, [&] { return endpoints_.contains(number); }))
            return status = MCAPI_TIMEOUT, mcapi_endpoint_t{};
        if (of != node->number && created_late_.contains(number))
            note(*node, "gap", place(*node, at), "mcapi_endpoint_get",
                 "the endpoint was created after calls of its node; that this call waits for them is not modelled");
        status = MCAPI_SUCCESS;
        return {number};
    }

    mcapi_request_t send(mcapi_endpoint_t alpha, mcapi_endpoint_t beta, void const* buffer, std::size_t size,
                         mcapi_status_t& status, Place const& at) {
        std::lock_guard const lock(mutex_);
        Node* const node = current();
        if (node == nullptr) return status = MCAPI_ERR_NODE_NOTINIT, mcapi_request_t{};
        if (buffer == nullptr && size != 0) return status = MCAPI_ERR_PARAMETER, mcapi_request_t{};
        auto const from = endpoints_.find(alpha.number);
        auto const to = endpoints_.find(beta.number);
        if (from == endpoints_.end() || to == endpoints_.end())
            return status = MCAPI_ERR_ENDP_INVALID, mcapi_request_t{};
        if (from->second.owner != node->number) return status = MCAPI_ERR_ENDP_NOTOWNER, mcapi_request_t{};
        unsigned const number = begin(*node, Request{.is_send = true, .endpoint = beta.number});
        unsigned const from_where = place(*node, at);
        line(*node, "send", number, from_where, alpha.number, beta.number, carried(*node, buffer, size));
        compare(*node, number, 's', alpha.number, beta.number, from_where);
        Request& request = node->requests[number];
        auto const planned = node->plan.find(number);
        request.is_complete = !sends_wait_ && (is_off_ || planned == node->plan.end() || !planned->second.refuses);
        auto const* const bytes = static_cast<unsigned char const*>(buffer);
        to->second.arrived.push_back({alpha.number, {bytes, bytes + size}, &request});
        match(to->second);
        changed_.notify_all();
        status = MCAPI_SUCCESS;
        return {node->number, number};
    }

    mcapi_request_t receive(mcapi_endpoint_t beta, void* buffer, std::size_t size, mcapi_status_t& status,
                            Place const& at) {
        std::lock_guard const lock(mutex_);
        Node* const node = current();
        if (node == nullptr) return status = MCAPI_ERR_NODE_NOTINIT, mcapi_request_t{};
        if (buffer == nullptr && size != 0) return status = MCAPI_ERR_PARAMETER, mcapi_request_t{};
        auto const endpoint = endpoints_.find(beta.number);
        if (endpoint == endpoints_.end()) return status = MCAPI_ERR_ENDP_INVALID, mcapi_request_t{};
        if (endpoint->second.owner != node->number) return status = MCAPI_ERR_ENDP_NOTOWNER, mcapi_request_t{};
        unsigned const number = begin(*node, Request{.endpoint = beta.number, .buffer = buffer, .room = size});
        unsigned const from_where = place(*node, at);
        line(*node, "recv", number, from_where, beta.number);
        compare(*node, number, 'r', 0, beta.number, from_where);
        endpoint->second.posted.push_back(number);
        endpoint->second.not_known.push_back(number);
        match(endpoint->second);
        changed_.notify_all();
        status = MCAPI_SUCCESS;
        return {node->number, number};
    }

    /// Waits for one of some requests. Its index, or their number: none is complete in time.
    std::size_t wait(std::vector<mcapi_request_t> const& requests, std::size_t* size, mcapi_timeout_t timeout,
                     mcapi_status_t& status, Place const& at) {
        std::unique_lock lock(mutex_);
        Node* const node = current();
        std::vector<Request*> all;
        for (mcapi_request_t const& r : requests)
            if (Request* const request = found(node, r, status); request != nullptr)
                all.push_back(request);
            else
                return requests.size();
        if (all.empty()) return status = MCAPI_ERR_PARAMETER, requests.size();
        // A thread that will go on by itself is not stuck.
        if (timeout == MCAPI_TIMEOUT_INFINITE) {
            std::string text = all.size() == 1 ? "wait" : "any";
            text += " " + std::to_string(place(*node, at));
            for (mcapi_request_t const& r : requests) text += " " + std::to_string(r.number);
            line(*node, text);
        }
        std::size_t chosen = all.size();
        bool const is_over = !wait_until(lock, timeout, [&] {
            std::size_t const planned = first_planned(*node, requests);
            for (std::size_t i = 0; i < all.size() && chosen == all.size(); ++i)
                if (all[i]->is_complete && (planned == all.size() || planned == i)) chosen = i;
            return chosen != all.size();
        });
        if (is_over) {
            ++node->failed_tests;
            status = timeout == 0 ? MCAPI_PENDING : MCAPI_TIMEOUT;
            return requests.size();
        }
        if (timeout != MCAPI_TIMEOUT_INFINITE) line(*node, "polls", node->failed_tests);
        node->failed_tests = 0;
        tell_all(*node, requests[chosen].number);
        Request const& request = *all[chosen];
        std::size_t const length = request.message.size();
        if (size != nullptr) *size = std::min(length, request.is_send ? length : request.room);
        status = !request.is_send && length > request.room ? MCAPI_ERR_MSG_TRUNCATED : MCAPI_SUCCESS;
        return chosen;
    }

    // ---- values

    void enter(void const* address, std::uint32_t* expression) {
        std::lock_guard const lock(variables_mutex_);
        variables_[address] = expression;
    }
    void leave(void const* address) {
        std::lock_guard const lock(variables_mutex_);
        variables_.erase(address);
    }

    std::uint32_t compute(std::string_view operation, matchpoint_operand a, matchpoint_operand b) {
        Node* const node = current();
        if (node == nullptr || node->file < 0) return 0;
        if (node->expressions == most_expressions) return full(*node);
        std::string const left = shown(*node, a);
        std::string const right = shown(*node, b);
        if (left.front() != 'x' && left.front() != 'v' && right.front() != 'x' && right.front() != 'v') return 0;
        ++node->expressions;
        line(*node, "let", node->expressions, operation, left, right);
        return node->number << node_shift | node->expressions << 1U;
    }

    void assume(std::uint32_t expression, bool truth, void const* return_address) {
        if (Node* const node = current(); node != nullptr && node->file >= 0)
            line(*node, "assume", place_of(*node, return_address), truth ? 1 : 0, named(*node, expression));
    }
    void claim(std::uint32_t expression, bool truth, char const* file, int number) {
        if (Node* const node = current(); node != nullptr && node->file >= 0)
            line(*node, "assert", place_in(*node, file, static_cast<unsigned>(number)), truth ? 1 : 0,
                 named(*node, expression));
    }

private:
    Runtime() {
        if (char const* const folder = std::getenv("MATCHPOINT_RECORD")) folder_ = folder;
    }

    // ---- the recording

    void open(Node& node) {
        if (!is_recording()) return;
        char name[32];
        std::snprintf(name, sizeof name, "/thread-%05u.mcapirec", node.number);
        node.file = ::open((folder_ + name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (node.file < 0) std::perror("matchpoint: a thread is not recorded");
        line(node, "matchpoint-mcapi 1");
        line(node, "rank", node.number, nodes_.size());
    }

    template <typename... Fields>
    void line(Node& node, std::string_view word, Fields const&... fields) {
        if (node.file < 0) return;
        std::ostringstream text;
        text << word;
        ((text << ' ' << fields), ...);
        text << '\n';
        std::string const all = text.str();
        ssize_t const written = ::write(node.file, all.data(), all.size());
        if (written == static_cast<ssize_t>(all.size())) {
            node.lines.push_back(node.size);
            node.size += static_cast<off_t>(all.size());
            if (node.lines.size() > 32) node.lines.pop_front();
            return;
        }
        std::fprintf(stderr, "matchpoint: the recording cannot grow: %s; this thread is not recorded from here on\n",
                     written < 0 ? std::strerror(errno) : "the disk is full");
        // The last lines make room for one that says so.
        constexpr std::string_view gap = "gap 0 recorder the disk is full: the rest is missing\n";
        while (!node.lines.empty() && node.size < node.lines.back() + static_cast<off_t>(gap.size()))
            node.lines.pop_back();
        if (!node.lines.empty() && ::ftruncate(node.file, node.lines.back()) == 0 &&
            ::pwrite(node.file, gap.data(), gap.size(), node.lines.back()) < 0)
            std::perror("matchpoint: the recording cannot say so");
        ::close(node.file);
        node.file = -1;
    }

    void note(Node& node, std::string_view word, unsigned where, std::string_view function, std::string_view text) {
        line(node, word, where, function, text);
    }

    unsigned place(Node& node, Place const& at) { return place_in(node, at.file_name(), at.line()); }
    unsigned place_in(Node& node, std::string const& file, unsigned number) {
        auto const [found, is_new] = node.known_places.emplace(std::pair(file, number), node.places + 1);
        if (is_new) line(node, "source", ++node.places, number, file);
        return found->second;
    }

    /// The place of a call, by the address that it returns to.
    unsigned place_of(Node& node, void const* return_address) {
        Dl_info info;
        if (::dladdr(return_address, &info) == 0 || info.dli_fname == nullptr) return 0;
        char* const whole = ::realpath(info.dli_fname, nullptr); // that of the program can be relative
        std::string const path = whole != nullptr ? whole : info.dli_fname;
        std::free(whole);
        auto const offset =
            reinterpret_cast<std::uintptr_t>(return_address) - 1 - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
        auto const [object, is_new_object] = node.objects.emplace(path, node.objects.size() + 1);
        if (is_new_object) line(node, "object", object->second, path);
        auto const [found, is_new] =
            node.known_places.emplace(std::pair(path, static_cast<unsigned>(offset)), node.places + 1);
        if (!is_new) return found->second;
        std::ostringstream hexadecimal;
        hexadecimal << std::hex << offset;
        line(node, "place", ++node.places, object->second, hexadecimal.str());
        return found->second;
    }

    /// What a message carries: an expression, a constant of the program, or what the memory has.
    std::string carried(Node& node, void const* buffer, std::size_t size) {
        std::int64_t const value = number_in(buffer, size);
        std::uint32_t const* expression = nullptr;
        {
            std::lock_guard const lock(variables_mutex_);
            if (auto const found = variables_.find(buffer); found != variables_.end()) expression = found->second;
        }
        if (expression == nullptr) return std::to_string(value);
        if (*expression == 0) return "=" + std::to_string(value);
        return shown(node, {*expression, value});
    }

    /// A signed integer of this size; a hash if there is none.
    static std::int64_t number_in(void const* buffer, std::size_t size) {
        auto const as = [&](auto n) {
            std::memcpy(&n, buffer, sizeof n);
            return static_cast<std::int64_t>(n);
        };
        switch (size) {
        case 0: return 0;
        case 1: return as(std::int8_t());
        case 2: return as(std::int16_t());
        case 4: return as(std::int32_t());
        case 8: return as(std::int64_t());
        default: break;
        }
        std::uint64_t hash = 14695981039346656037U; // FNV-1a
        for (std::size_t i = 0; i < size; ++i)
            hash = (hash ^ static_cast<unsigned char const*>(buffer)[i]) * 1099511628211U;
        return static_cast<std::int64_t>((hash ^ hash >> 32U) & 0xFFFFFFFFU);
    }

    std::string shown(Node& node, matchpoint_operand o) {
        if (o.expression != 0 && o.expression >> node_shift == node.number)
            return ((o.expression & 1U) != 0 ? "x" : "v") +
                   std::to_string((o.expression & ((1U << node_shift) - 1)) >> 1U);
        if (o.expression != 0 && !std::exchange(node.has_said_foreign, true))
            note(node, "gap", 0, "matchpoint::value",
                 "a thread uses a value of another thread that it did not receive");
        return std::to_string(o.value);
    }

    std::string named(Node& node, std::uint32_t expression) {
        std::string const name = shown(node, {expression, 0});
        return name.front() == 'x' || name.front() == 'v' ? name : "-";
    }

    std::uint32_t full(Node& node) {
        if (!std::exchange(node.has_said_full, true))
            note(node, "gap", 0, "matchpoint::value",
                 "there are too many expressions; the values are concrete from here on");
        return 0;
    }

    // ---- messages

    unsigned begin(Node& node, Request request) {
        ++node.calls;
        node.requests.push_back(std::move(request));
        return static_cast<unsigned>(node.requests.size()) - 1;
    }

    /// Gives messages to receives in the order of the receives. In a replay each waits for the one that is planned.
    void match(Endpoint& endpoint) {
        Node& owner = nodes_[endpoint.owner];
        while (!endpoint.posted.empty()) {
            auto message = endpoint.arrived.begin();
            auto const planned = owner.plan.find(endpoint.posted.front());
            if (!is_off_ && planned != owner.plan.end() && planned->second.is_taken)
                message = std::find_if(message, endpoint.arrived.end(),
                                       [&](Message const& m) { return m.from == planned->second.take_from; });
            if (message == endpoint.arrived.end()) return;
            Request& request = owner.requests[endpoint.posted.front()];
            request.is_complete = true;
            request.from = message->from;
            request.message = std::move(message->bytes);
            message->sent_by->is_complete = true;
            endpoint.arrived.erase(message);
            endpoint.posted.pop_front();
        }
    }

    Request* found(Node* node, mcapi_request_t r, mcapi_status_t& status) {
        if (node == nullptr) return status = MCAPI_ERR_NODE_NOTINIT, nullptr;
        bool const is_ours = r.node == node->number && r.number < node->requests.size();
        if (!is_ours) return status = MCAPI_ERR_REQUEST_INVALID, nullptr;
        return &node->requests[r.number];
    }

    template <typename Condition>
    bool wait_until(std::unique_lock<std::mutex>& lock, mcapi_timeout_t timeout, Condition condition) {
        if (timeout != MCAPI_TIMEOUT_INFINITE)
            return changed_.wait_for(lock, std::chrono::milliseconds(timeout), condition);
        changed_.wait(lock, condition);
        return true;
    }

    /// A node that learns that a receive is complete knows it of the earlier ones at the endpoint.
    void tell_all(Node& node, unsigned number) {
        if (node.requests[number].is_send) return tell(node, number);
        auto& not_known = endpoints_.at(node.requests[number].endpoint).not_known;
        while (!not_known.empty() && not_known.front() <= number) {
            tell(node, not_known.front());
            not_known.pop_front();
        }
    }

    void tell(Node& node, unsigned number) {
        Request& r = node.requests[number];
        if (std::exchange(r.is_told, true)) return;
        if (r.is_send) return line(node, "sent", number);
        std::size_t const size = std::min(r.message.size(), r.room);
        if (size != 0) std::memcpy(r.buffer, r.message.data(), size);
        {
            std::lock_guard const lock(variables_mutex_);
            if (auto const found = variables_.find(r.buffer); found != variables_.end())
                *found->second = node.file < 0               ? 0
                                 : number > most_expressions ? full(node)
                                                             : node.number << node_shift | number << 1U | 1U;
        }
        line(node, "got", number, r.from, 0, number_in(r.buffer, size));
    }

    // ---- replay

    void read_schedule() {
        char const* const name = std::getenv("MATCHPOINT_SCHEDULE");
        if (name == nullptr || *name == '\0') return;
        std::ifstream file(name);
        if (!file) std::perror("matchpoint: the schedule cannot be read");
        std::vector<unsigned> learned(nodes_.size());
        for (std::string text; std::getline(file, text);) {
            std::istringstream words(text);
            std::string word;
            unsigned node = 0, number = 0;
            words >> word;
            if (word == "synchronous") sends_wait_ = true;
            if (!(words >> node >> number) || node >= nodes_.size()) continue;
            Planned& p = nodes_[node].plan[number];
            long peer = 0, tag = 0;
            words >> peer >> tag;
            if (word == "send" && words >> p.alpha >> p.beta) p.kind = 's';
            if (word == "recv" && words >> p.beta) p.kind = 'r';
            if (word == "take" && words >> p.take_from) p.is_taken = true;
            if (word == "refuse") p.refuses = true;
            if (word == "done" || word == "also") p.order = ++learned[node];
        }
    }

    void compare(Node& node, unsigned number, char kind, unsigned alpha, unsigned beta, unsigned where) {
        auto const planned = node.plan.find(number);
        if (is_off_ || planned == node.plan.end() || planned->second.kind == 0) return;
        Planned const& p = planned->second;
        if (p.kind == kind && p.alpha == alpha && p.beta == beta) return;
        line(node, "off", number, where);
        is_off_ = true;
        for (auto& [endpoint, all] : endpoints_) match(all);
    }

    /// The one of some requests of which the node learned first in the recorded run; their number: that is not known.
    std::size_t first_planned(Node const& node, std::vector<mcapi_request_t> const& requests) const {
        std::size_t first = requests.size();
        unsigned order = ~0U;
        for (std::size_t i = 0; i < requests.size() && !is_off_; ++i)
            if (auto const p = node.plan.find(requests[i].number);
                p != node.plan.end() && p->second.order != 0 && p->second.order < order) {
                first = i;
                order = p->second.order;
            }
        return first;
    }

    std::string folder_; // of the recording; empty if there is none
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Node> nodes_;
    std::map<unsigned, Endpoint> endpoints_;
    std::map<unsigned, bool> created_late_;
    bool sends_wait_ = false;
    bool is_off_ = false; // some node does something else than in the recorded run
    std::mutex variables_mutex_;
    std::unordered_map<void const*, std::uint32_t*> variables_;
};

inline void set(mcapi_status_t* to, mcapi_status_t status) {
    if (to != nullptr) *to = status;
}

} // namespace mcapi

/// Runs each function as a node, 0, 1, 2 ..., in a thread of its own, and waits for all of them. Once in a program.
inline void run(std::vector<std::function<void()>> const& tasks) { mcapi::Runtime::instance().run(tasks); }
template <typename... Tasks>
requires(std::invocable<Tasks>&&...) void run(Tasks... tasks) {
    run(std::vector<std::function<void()>>{std::move(tasks)...});
}

} // namespace matchpoint

// ---- MCAPI. Each function takes its place in the source as its last argument; leave it out.

/// A thread of matchpoint::run is a node from its first command on.
inline void mcapi_initialize(mcapi_domain_t, mcapi_node_t node, void const*, void const*, void*,
                             mcapi_status_t* status) {
    auto const* const self = matchpoint::mcapi::Runtime::current();
    matchpoint::mcapi::set(status, self != nullptr && self->number == node ? MCAPI_SUCCESS : MCAPI_ERR_NODE_NOTINIT);
}
inline void mcapi_finalize(mcapi_status_t* status) { matchpoint::mcapi::set(status, MCAPI_SUCCESS); }

inline mcapi_node_t mcapi_node_id_get(mcapi_status_t* status) {
    auto const* const self = matchpoint::mcapi::Runtime::current();
    matchpoint::mcapi::set(status, self != nullptr ? MCAPI_SUCCESS : MCAPI_ERR_NODE_NOTINIT);
    return self != nullptr ? self->number : ~0U;
}

inline mcapi_endpoint_t mcapi_endpoint_create(mcapi_port_t port, mcapi_status_t* status) {
    mcapi_status_t s = MCAPI_SUCCESS;
    mcapi_endpoint_t const e = matchpoint::mcapi::Runtime::instance().create(port, s);
    matchpoint::mcapi::set(status, s);
    return e;
}

/// Waits until the node has created it.
inline mcapi_endpoint_t mcapi_endpoint_get(mcapi_domain_t, mcapi_node_t node, mcapi_port_t port,
                                           mcapi_timeout_t timeout, mcapi_status_t* status,
                                           std::source_location at = std::source_location::current()) {
    mcapi_status_t s = MCAPI_SUCCESS;
    mcapi_endpoint_t const e = matchpoint::mcapi::Runtime::instance().get(node, port, timeout, s, at);
    matchpoint::mcapi::set(status, s);
    return e;
}

inline void mcapi_msg_send_i(mcapi_endpoint_t from, mcapi_endpoint_t to, void const* buffer, size_t size,
                             mcapi_priority_t, mcapi_request_t* request, mcapi_status_t* status,
                             std::source_location at = std::source_location::current()) {
    mcapi_status_t s = MCAPI_SUCCESS;
    mcapi_request_t const r = matchpoint::mcapi::Runtime::instance().send(from, to, buffer, size, s, at);
    if (request != nullptr) *request = r;
    matchpoint::mcapi::set(status, s);
}

inline void mcapi_msg_recv_i(mcapi_endpoint_t endpoint, void* buffer, size_t size, mcapi_request_t* request,
                             mcapi_status_t* status, std::source_location at = std::source_location::current()) {
    mcapi_status_t s = MCAPI_SUCCESS;
    mcapi_request_t const r = matchpoint::mcapi::Runtime::instance().receive(endpoint, buffer, size, s, at);
    if (request != nullptr) *request = r;
    matchpoint::mcapi::set(status, s);
}

inline mcapi_boolean_t mcapi_wait(mcapi_request_t* request, size_t* size, mcapi_timeout_t timeout,
                                  mcapi_status_t* status, std::source_location at = std::source_location::current()) {
    mcapi_status_t s = MCAPI_SUCCESS;
    bool const is_there = matchpoint::mcapi::Runtime::instance().wait({*request}, size, timeout, s, at) == 0;
    matchpoint::mcapi::set(status, s);
    return is_there ? MCAPI_TRUE : MCAPI_FALSE;
}

/// The index of one that is complete; `number`: there is none in time.
inline mcapi_uint_t mcapi_wait_any(size_t number, mcapi_request_t** requests, size_t* size, mcapi_timeout_t timeout,
                                   mcapi_status_t* status, std::source_location at = std::source_location::current()) {
    mcapi_status_t s = MCAPI_SUCCESS;
    std::vector<mcapi_request_t> all;
    for (size_t i = 0; i < number; ++i) all.push_back(*requests[i]);
    std::size_t const chosen = matchpoint::mcapi::Runtime::instance().wait(all, size, timeout, s, at);
    matchpoint::mcapi::set(status, s);
    return static_cast<mcapi_uint_t>(chosen);
}

inline mcapi_boolean_t mcapi_test(mcapi_request_t* request, size_t* size, mcapi_status_t* status,
                                  std::source_location at = std::source_location::current()) {
    return mcapi_wait(request, size, 0, status, at);
}

inline void mcapi_msg_send(mcapi_endpoint_t from, mcapi_endpoint_t to, void const* buffer, size_t size,
                           mcapi_priority_t priority, mcapi_status_t* status,
                           std::source_location at = std::source_location::current()) {
    mcapi_status_t s = MCAPI_SUCCESS;
    mcapi_request_t request;
    mcapi_msg_send_i(from, to, buffer, size, priority, &request, &s, at);
    if (s == MCAPI_SUCCESS) mcapi_wait(&request, nullptr, MCAPI_TIMEOUT_INFINITE, &s, at);
    matchpoint::mcapi::set(status, s);
}

inline void mcapi_msg_recv(mcapi_endpoint_t endpoint, void* buffer, size_t size, size_t* received,
                           mcapi_status_t* status, std::source_location at = std::source_location::current()) {
    mcapi_status_t s = MCAPI_SUCCESS;
    mcapi_request_t request;
    mcapi_msg_recv_i(endpoint, buffer, size, &request, &s, at);
    if (s == MCAPI_SUCCESS) mcapi_wait(&request, received, MCAPI_TIMEOUT_INFINITE, &s, at);
    matchpoint::mcapi::set(status, s);
}

// ---- What values.h calls.

extern "C" {
__attribute__((weak)) void matchpoint_enter(void const* address, uint32_t* expression) {
    if (auto& runtime = matchpoint::mcapi::Runtime::instance(); runtime.is_recording())
        runtime.enter(address, expression);
}
__attribute__((weak)) void matchpoint_leave(void const* address) {
    if (auto& runtime = matchpoint::mcapi::Runtime::instance(); runtime.is_recording()) runtime.leave(address);
}
__attribute__((weak)) uint32_t matchpoint_compute(char const* operation, matchpoint_operand a, matchpoint_operand b) {
    return matchpoint::mcapi::Runtime::instance().compute(operation, a, b);
}
__attribute__((weak, noinline)) void matchpoint_branch(uint32_t expression, int truth) {
    if (expression != 0)
        matchpoint::mcapi::Runtime::instance().assume(expression, truth != 0,
                                                      __builtin_extract_return_addr(__builtin_return_address(0)));
}
__attribute__((weak)) void matchpoint_claim(uint32_t expression, int truth, char const* file, int line) {
    matchpoint::mcapi::Runtime::instance().claim(expression, truth != 0, file, line);
}
}
