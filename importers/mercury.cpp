// Mercury's traces of concurrent programs:
//
//   Thread 0
//   Recv -1 0    // from any thread; request 0
//   Wait 0

#include <unordered_set>

#include <fmt/format.h>

#include "importers/readers.hpp"
#include "importers/scanner.hpp"

namespace matchpoint::importers {

namespace {

constexpr std::uint64_t max_request = 999'999'999;

class MercuryReader {
public:
    MercuryReader(std::uint32_t file, Source const& source, Reading& to) : lines_(file, source), to_(to) {}

    void read() {
        while (auto line = lines_.next()) {
            line->cut_at("//");
            if (line->at_end()) continue;
            if (to_.reports.is_full(line->whole().file)) break;
            command(*line);
            if (auto const& fault = line->fault()) to_.reports.error(fault->rule, fault->place, fault->message);
        }
        if (!waits_)
            for (std::uint32_t const index : mine_) make_blocking(to_.calls.processes[index]);
    }

private:
    void command(Scanner& line) {
        std::string_view const name = line.word();
        if (name == "Thread") return thread(line);
        if (name != "Send" && name != "Recv" && name != "Wait" && name != "Read" && name != "Mutate")
            return line.fail(
                "I5", name,
                fmt::format("`{}` is not a command of Mercury: `Thread`, `Send`, `Recv`, `Wait`, `Read` or "
                            "`Mutate`",
                            printable(name)));
        if (!in_thread_) return line.fail("I3", name, "a command before the first `Thread`");
        if (name == "Send") return send(line);
        if (name == "Recv") return receive(line);
        request(line, name);
    }

    void thread(Scanner& line) {
        std::uint32_t const number = line.process("the number of a thread");
        line.expect_end();
        in_thread_ = true; // what follows a wrong line belongs to this thread all the same
        process_ = {};
        requests_ = {};
        issued_.clear();
        if (line.fault()) return;
        process_ = to_.begin(number, line.whole());
        if (process_) mine_.push_back(*process_);
    }

    void send(Scanner& line) {
        Send send;
        send.to = line.process("the number of the thread that gets the message");
        std::uint64_t const id = line.number("the number of the request", max_request);
        line.expect_end();
        if (line.fault() || !process_) return;
        send.id = call(CallId::Kind::send, id);
        requests_.issue(id, size());
        add(std::move(send), line);
    }

    void receive(Scanner& line) {
        Receive receive;
        if (line.next_word() == "-1")
            line.word();
        else
            receive.from = line.process("the number of the thread that sends, or -1 for any,");
        std::uint64_t const id = line.number("the number of the request", max_request);
        line.expect_end();
        if (line.fault() || !process_) return;
        receive.id = call(CallId::Kind::receive, id);
        requests_.issue(id, size());
        add(std::move(receive), line);
    }

    /// `Wait 0`, `Read 0`, `Mutate 0`
    void request(Scanner& line, std::string_view name) {
        std::string_view const word = line.next_word();
        std::uint64_t const id = line.number("the number of the request", max_request);
        line.expect_end();
        if (name == "Wait") waits_ = true;
        if (line.fault() || !process_) return;
        Place const place = line.whole();
        if (name == "Wait") {
            if (auto const call = requests_.complete(id, word, place, to_.reports)) add(Wait{*call}, line);
        } else if (!requests_.knows(id)) {
            to_.reports.error("I2", place, fmt::format("{} is not a request that this thread issued before", id));
        } else if (left_out_.insert(std::string(name)).second) {
            to_.reports.warning("I5", place,
                                fmt::format("`{}` is left out: the language has no buffers to {}", name,
                                            name == "Read" ? "read" : "write to"));
        }
    }

    std::vector<Call>& calls() { return to_.calls.processes[*process_].calls; }
    std::uint32_t size() { return static_cast<std::uint32_t>(calls().size()); }
    template <typename What>
    void add(What what, Scanner const& line) {
        calls().push_back({std::move(what), line.whole()});
    }

    CallId call(CallId::Kind kind, std::uint64_t id) {
        std::uint32_t const times = ++issued_[id];
        CallId call{to_.calls.processes[*process_].number, static_cast<std::uint32_t>(id), kind};
        if (times > 1) call.part = times;
        return call;
    }

    Lines lines_;
    Reading& to_;
    bool in_thread_ = false;
    std::optional<std::uint32_t> process_; // none if the line that began it is wrong
    Requests requests_;
    std::unordered_map<std::uint64_t, std::uint32_t> issued_; // request -> how often
    std::vector<std::uint32_t> mine_;                         // the processes of this file
    bool waits_ = false;
    std::unordered_set<std::string> left_out_; // commands
};

} // namespace

void read_mercury(std::uint32_t file, Source const& source, Reading& reading) {
    MercuryReader(file, source, reading).read();
}

} // namespace matchpoint::importers
