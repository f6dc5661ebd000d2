#include "programs/random.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "grammar/selectors.hpp"

#include "programs/dice.hpp"
#include "programs/names.hpp"
#include "programs/random_expressions.hpp"
#include "programs/random_parts.hpp"
#include "programs/random_shared.hpp"

namespace matchpoint::programs {

namespace {

using namespace random_parts;

class Maker {
public:
    Maker(Dice& dice, RandomShape const& shape)
        : dice_(dice), shape_(shape), expressions_(dice, shape.messages + 1U), locals_(dice),
          shared_(dice, expressions_, locals_) {}

    draft::Draft make() {
        choose();
        place_messages();
        while (step()) {
        }
        if (shape_.has_mpi()) wait_for_the_rest();
        close();
        draft::Draft draft;
        for (ThreadMade& t : threads_)
            if (!t.commands.empty()) draft.threads.push_back(std::move(t.commands));
        draft.shared = shared_.declared();
        draft::drop_unused_shared_variables(draft);
        for (draft::SharedVariable& s : draft.shared) s.is_atomic = shape_.atomics > 0 && dice_.percent(shape_.atomics);
        draft::canonical_names(draft);
        return draft;
    }

private:
    // What the program may have.
    void choose() {
        auto const may = [&](unsigned percent) { return dice_.percent(percent); };
        several_endpoints_ = may(shape_.several_endpoints);
        dependencies_ = may(shape_.dependencies);
        out_of_order_ = may(shape_.waits_out_of_order);
        unwaited_sends_ = may(shape_.unwaited_sends);
        unwaited_receives_ = may(shape_.unwaited_receives);
        crossed_ = may(shape_.crossed);
        locals_.reuse(may(shape_.reuse));
        bool const arithmetic = may(shape_.arithmetic);
        bool const divisions = may(shape_.divisions);
        booleans_ = may(shape_.booleans);
        bool const large_numbers = may(shape_.large_numbers);
        expressions_.allow({arithmetic, divisions, large_numbers, shape_.choices > 0 && may(shape_.choices)});
        assignments_ = may(shape_.assignments) ? 1 + dice_.below(2) : 0;
        assumptions_ = may(shape_.assumptions) ? 1 + dice_.below(2) : 0;
        bool const several = may(shape_.several_assertions);
        assertions_ = may(shape_.no_assertion) ? 0 : several ? 2 + dice_.below(2) : 1;
        orphans_ = may(shape_.orphans) ? 1 + dice_.below(2) : 0;
        lone_receives_ = may(shape_.lone_receives) ? 1 : 0;
        if (shape_.shared > 0) shared_.declare(booleans_);
        if (shape_.shared == 100) orphans_ = lone_receives_ = 0; // no messages
        if (!shape_.has_mpi()) return;
        sources_ = may(shape_.sources);
        tags_ = may(shape_.tags);
        selected_ = may(shape_.selected);
        modes_ = may(shape_.modes);
        barriers_ = may(shape_.barriers) ? 1 + dice_.below(2) : 0;
    }

    /// The endpoints, and which messages go from where to where.
    void place_messages() {
        std::uint32_t const least = std::min(2U, shape_.threads);
        threads_.resize(std::max(1U, least + dice_.below(shape_.threads - least + 1)));
        for (std::uint32_t t = 0; t < threads_.size(); ++t)
            for (std::uint32_t n = several_endpoints_ ? 1 + dice_.below(std::max(1U, shape_.endpoints)) : 1; n > 0; --n)
                new_endpoint(t);
        // Races are rare unless many messages go to the same place.
        std::vector<std::uint32_t> busy;
        for (std::uint32_t n = 1 + dice_.below(2); n > 0; --n) busy.push_back(any_endpoint());
        std::uint32_t const count = 1 + dice_.below(std::max(1U, shape_.messages));
        for (std::uint32_t n = 0; n < count; ++n) {
            if (shape_.shared > 0 && dice_.percent(shape_.shared)) {
                ++accesses_;
                continue;
            }
            std::uint32_t const beta = dice_.percent(70) ? dice_.one_of(busy) : any_endpoint();
            ++endpoints_[beta].receives_left;
            endpoints_[beta].aims.push_back(static_cast<std::uint32_t>(messages_.size()));
            send_to(beta);
        }
        for (; orphans_ > 0; --orphans_)
            send_to(dice_.percent(25) ? new_endpoint(absent) : dice_.percent(70) ? dice_.one_of(busy) : any_endpoint());
        for (; lone_receives_ > 0; --lone_receives_)
            ++endpoints_[dice_.percent(50) ? dice_.one_of(busy) : any_endpoint()].receives_left;
        planned_ = messages_;
    }
    std::uint32_t new_endpoint(std::uint32_t thread) {
        auto const e = static_cast<std::uint32_t>(endpoints_.size());
        endpoints_.push_back({.thread = thread, .boolean = booleans_ && dice_.percent(50)});
        if (thread != absent) threads_[thread].endpoints.push_back(e);
        return e;
    }
    std::uint32_t any_endpoint() { return dice_.one_of(dice_.one_of(threads_).endpoints); }
    void send_to(std::uint32_t beta) {
        std::uint32_t from = dice_.below(threads_.size());
        // Another thread, as a rule.
        if (from == endpoints_[beta].thread && !dice_.percent(10))
            from = (from + 1 + dice_.below(threads_.size())) % static_cast<std::uint32_t>(threads_.size());
        auto const number = static_cast<std::uint32_t>(messages_.size());
        messages_.push_back({dice_.one_of(threads_[from].endpoints), beta, number});
        if (tags_) messages_.back().tag = dice_.below(3);
        ++threads_[from].sends_left;
    }

    /// One more command somewhere, or a few. False: nothing is left to do.
    bool step() {
        receives_.clear();
        waits_.clear();
        for (std::uint32_t e = 0; e < endpoints_.size(); ++e)
            if (endpoints_[e].receives_left > 0) receives_.push_back(e);
        bool waiting = false;
        for (std::uint32_t t = 0; t < threads_.size(); ++t) {
            auto const& to_wait = threads_[t].to_wait;
            waiting |= !to_wait.empty();
            for (std::uint32_t i = 0; i < to_wait.size() && (i == 0 || out_of_order_); ++i)
                if (is_ready(threads_[t], threads_[t].requests[to_wait[i]])) waits_.push_back({t, i});
        }
        std::size_t const sends = messages_.size();
        bool const has_messages = sends > 0 || !receives_.empty() || waiting;
        if (accesses_ > 0 && (!has_messages || dice_.percent(shape_.shared))) return access();
        if (!has_messages) return false;
        if (dice_.percent(12) && local()) return true;
        if (barriers_ > 0 && dice_.percent(10)) barrier();
        // A wait for what will never be there comes last.
        if (sends == 0 && receives_.empty() && waits_.empty()) {
            for (std::uint32_t t = 0; t < threads_.size(); ++t)
                if (!threads_[t].to_wait.empty()) waits_.push_back({t, 0});
        }
        std::size_t const all = sends + receives_.size() + 2 * waits_.size();
        std::size_t const choice = dice_.below(all);
        if (choice < sends) {
            send(choice);
        } else if (choice < sends + receives_.size()) {
            receive(receives_[choice - sends]);
        } else {
            auto const [t, i] = waits_[(choice - sends - receives_.size()) / 2];
            wait(t, i);
        }
        return true;
    }

    bool access() {
        --accesses_;
        shared_.add(threads_);
        return true;
    }

    /// Whether a wait may come now.
    bool is_ready(ThreadMade const& t, Request const& r) const {
        if (r.receive && !dependencies_ && t.sends_left > 0) return false;
        if (crossed_) return true;
        if (r.aim != absent) return is_sent(r.aim);
        // A send is taken, even with zero buffering; a receive has a message.
        return r.receive ? endpoints_[r.endpoint].sends > r.ordinal
                         : endpoints_[r.endpoint].receives > r.ordinal || endpoints_[r.endpoint].receives_left == 0;
    }

    bool is_sent(std::uint32_t message) const {
        return std::none_of(messages_.begin(), messages_.end(), [&](Message const& m) { return m.number == message; });
    }

    void send(std::size_t m) {
        Message const message = messages_[m];
        messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(m));
        EndpointMade& to = endpoints_[message.beta];
        ThreadMade& t = threads_[endpoints_[message.alpha].thread];
        --t.sends_left;
        std::string const a = fmt::format("S{}", ++sends_);
        Mode const mode = some_mode();
        draft::Tag const tag = some_name_of(message.tag);
        t.commands.push_back(draft::sndi(mode, a, message.alpha, message.beta, payload(t, to.boolean), tag));
        if (!unwaited_sends_ || dice_.percent(50)) t.to_wait.push_back(static_cast<std::uint32_t>(t.requests.size()));
        t.requests.push_back({.endpoint = message.beta, .ordinal = to.sends++, .action = a});
    }

    void receive(std::uint32_t beta) {
        EndpointMade& at = endpoints_[beta];
        ThreadMade& t = threads_[at.thread];
        --at.receives_left;
        std::string const a = fmt::format("R{}", ++receive_count_);
        std::string const x = variable_for(t, at.boolean);
        std::uint32_t aim = absent;
        draft::Selectors const sel = shape_.has_mpi() ? selectors(t, at, aim) : draft::Selectors();
        t.commands.push_back(draft::rcvi(a, beta, x, sel));
        if (!unwaited_receives_ || at.receives_left == 0 || dice_.percent(50))
            t.to_wait.push_back(static_cast<std::uint32_t>(t.requests.size()));
        t.requests.push_back(
            {.receive = true, .endpoint = beta, .ordinal = at.receives++, .action = a, .x = x, .sel = sel, .aim = aim});
    }

    std::string variable_for(ThreadMade& t, bool boolean) {
        if (shape_.shared > 0)
            if (auto x = shared_.to_receive_into(boolean)) return *x;
        return locals_.some(t);
    }

    void wait(std::uint32_t thread, std::uint32_t i) {
        ThreadMade& t = threads_[thread];
        Request const& r = t.requests[t.to_wait[i]];
        t.to_wait.erase(t.to_wait.begin() + i);
        t.commands.push_back(draft::wait(r.action));
        if (!r.receive) return;
        for (Request& other : t.requests) {
            if (!other.receive || other.endpoint != r.endpoint || other.ordinal > r.ordinal || other.completed ||
                !admits_all_of(&other.sel, &r.sel))
                continue;
            other.completed = true;
            if (!shared_.has(other.x)) define(t, other.x, endpoints_[r.endpoint].boolean);
            for (auto const& y : {other.sel.source, other.sel.tagged})
                if (y) define(t, y->text, false);
        }
    }

    // What only MPI has.

    Mode some_mode() {
        static constexpr Mode modes[] = {Mode::synchronous, Mode::buffered};
        if (!modes_ || !dice_.percent(40)) return Mode::standard;
        return dice_.one_of(modes);
    }
    /// The tag 0 may be said or left out.
    draft::Tag some_name_of(std::uint32_t tag) {
        if (!tags_ || (tag == 0 && dice_.percent(60))) return {};
        return {std::to_string(tag)};
    }
    /// Mostly such that they admit a message that is still to be received.
    draft::Selectors selectors(ThreadMade& t, EndpointMade& at, std::uint32_t& aim) {
        draft::Selectors sel;
        std::uint32_t alpha = any_endpoint();
        std::uint32_t tag = 0;
        if (!at.aims.empty()) {
            std::uint32_t const i = dice_.below(at.aims.size());
            aim = at.aims[i];
            at.aims.erase(at.aims.begin() + i);
            alpha = planned_[aim].alpha;
            tag = planned_[aim].tag;
        }
        auto const name_some = [&](auto& names, std::uint32_t first, std::uint32_t another) {
            names.emplace().emplace_back(std::to_string(first));
            if (first != another && dice_.percent(30)) names->emplace_back(std::to_string(another));
        };
        if (sources_ && dice_.percent(45))
            name_some(sel.from, dice_.percent(5) ? any_endpoint() : alpha, any_endpoint());
        if (tags_ && dice_.percent(45)) name_some(sel.tags, tag, dice_.below(3));
        if (selected_ && dice_.percent(45)) sel.source = locals_.some(t);
        if (selected_ && dice_.percent(45)) sel.tagged = locals_.some(t);
        return sel;
    }
    /// Some threads meet, as they are now; or, where waits may come too early, as they were some time before.
    void barrier() {
        --barriers_;
        if (meetings_.empty() || dice_.percent(60)) {
            auto& threads = meetings_.emplace_back();
            for (std::uint32_t t = 0; t < threads_.size(); ++t)
                if (dice_.percent(75)) threads.push_back(t);
        }
        std::uint32_t const b = dice_.below(meetings_.size());
        for (std::uint32_t const t : meetings_[b]) {
            auto& commands = threads_[t].commands;
            bool const early = crossed_ && dice_.percent(40);
            std::uint32_t const place =
                early ? dice_.below(commands.size() + 1) : static_cast<std::uint32_t>(commands.size());
            commands.insert(commands.begin() + place, draft::barrier({fmt::format("B{}", b)}));
        }
    }
    /// D3, for receives that no wait for a later one has completed.
    void wait_for_the_rest() {
        while (barriers_ > 0) barrier();
        for (std::uint32_t t = 0; t < threads_.size(); ++t)
            for (std::uint32_t r = 0; r < threads_[t].requests.size(); ++r) {
                Request const& request = threads_[t].requests[r];
                if (!request.receive || request.completed) continue;
                threads_[t].to_wait.assign(1, r);
                wait(t, 0);
            }
    }

    /// One more local command, in a thread that has values. False: none is to come, or the thread has none.
    bool local() {
        std::uint32_t const left = assertions_ + assumptions_ + assignments_;
        if (left == 0) return false;
        ThreadMade& t = dice_.one_of(threads_);
        if (expressions_.known(t) == 0) return false;
        local_in(t, dice_.below(left));
        return true;
    }
    void local_in(ThreadMade& t, std::uint32_t which) {
        if (which < assertions_) {
            --assertions_;
            t.commands.push_back(draft::assert_(expressions_.claim(t)));
        } else if (which < assertions_ + assumptions_) {
            --assumptions_;
            t.commands.push_back(draft::assume(expressions_.claim(t)));
        } else {
            --assignments_;
            bool const boolean = booleans_ && dice_.percent(30);
            draft::Expression e = boolean ? expressions_.claim(t) : expressions_.integer(t);
            std::string const x = locals_.some(t);
            define(t, x, boolean);
            t.commands.push_back(draft::assign(x, std::move(e)));
        }
    }

    /// The rest of the local commands, at the ends of threads, of those that know most first.
    void close() {
        std::vector<std::uint32_t> knowing;
        for (std::uint32_t t = 0; t < threads_.size(); ++t)
            for (std::size_t n = expressions_.known(threads_[t]); n > 0; --n) knowing.push_back(t);
        while (std::uint32_t const left = assertions_ + assumptions_ + assignments_) {
            ThreadMade& t = threads_[knowing.empty() ? dice_.below(threads_.size()) : dice_.one_of(knowing)];
            // Assignments first, so that what is assigned can be spoken of.
            local_in(t, assignments_ > 0 ? left - 1 : dice_.below(left));
        }
    }

    draft::Expression payload(ThreadMade const& t, bool boolean) {
        bool const of_received = dependencies_ && expressions_.known(t) > 0 && dice_.percent(50);
        if (boolean) return of_received ? expressions_.claim(t) : draft::truth(dice_.percent(50));
        if (of_received) return expressions_.integer(t);
        // Mostly a number of its own.
        return dice_.percent(80) ? draft::number(sends_) : expressions_.number();
    }

    Dice& dice_;
    RandomShape const& shape_;
    Expressions expressions_;
    Locals locals_;
    SharedAccesses shared_;
    bool several_endpoints_ = false;
    bool dependencies_ = false;
    bool out_of_order_ = false;
    bool unwaited_sends_ = false;
    bool unwaited_receives_ = false;
    bool crossed_ = false;
    bool booleans_ = false;
    bool sources_ = false;
    bool tags_ = false;
    bool selected_ = false;
    bool modes_ = false;
    // Still to come
    std::uint32_t assignments_ = 0;
    std::uint32_t assumptions_ = 0;
    std::uint32_t assertions_ = 0;
    std::uint32_t orphans_ = 0;
    std::uint32_t lone_receives_ = 0;
    std::uint32_t barriers_ = 0;
    std::uint32_t accesses_ = 0; // to shared variables
    std::vector<Message> messages_;
    std::vector<Message> planned_; // all messages, by number
    // So far
    std::vector<ThreadMade> threads_;
    std::vector<EndpointMade> endpoints_;
    std::uint32_t sends_ = 0;
    std::uint32_t receive_count_ = 0;
    std::vector<std::vector<std::uint32_t>> meetings_; // barrier -> its threads
    // Where the next command can go
    std::vector<std::uint32_t> receives_; // endpoints
    struct WaitChoice {
        std::uint32_t thread;
        std::uint32_t place; // in its to_wait
    };
    std::vector<WaitChoice> waits_;
};

void add_trace(RandomProgram& made, Buffering buffering, Dice& dice) {
    constexpr int tries = 10;
    draft::name_locations(made.draft);
    Program const program = draft::valid_program_of(made.draft);
    IndexedProgram const code(program);
    for (int i = 0; i < tries && made.end != End::complete; ++i) {
        RandomTrace const random = random_trace(code, buffering, dice);
        made.end = random.end;
        made.s = random.s;
        made.well_formed = random.well_formed;
        made.draft.traces.assign(1, random.trace);
    }
}

} // namespace

RandomShape with_mpi(RandomShape shape) {
    shape.sources = 55;
    shape.tags = 55;
    shape.selected = 35;
    shape.modes = 40;
    shape.barriers = 35;
    return shape;
}

RandomProgram random_program(std::uint64_t seed, std::uint64_t number, RandomShape const& shape) {
    Dice dice(seed, number);
    RandomProgram made{.draft = Maker(dice, shape).make(), .end = {}};
    if (shape.trace) add_trace(made, shape.buffering, dice);
    return made;
}

} // namespace matchpoint::programs
