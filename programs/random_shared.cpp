#include "programs/random_shared.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "grammar/operators.hpp"

namespace matchpoint::programs::random_parts {

namespace {

draft::Expression one_more(std::string const& x) { return operation(Op::plus, draft::variable(x), draft::number(1)); }
draft::Expression one_less(std::string const& x) { return operation(Op::minus, draft::variable(x), draft::number(1)); }

bool reads(draft::Expression const& e, std::string const& x) {
    return std::find(e.nodes.begin(), e.nodes.end(), draft::Node(draft::Variable(x))) != e.nodes.end();
}

} // namespace

void SharedAccesses::declare(bool booleans) {
    for (std::uint32_t n = 1 + dice_.below(3); n > 0; --n) {
        bool const boolean = booleans && dice_.percent(40);
        data_.push_back({fmt::format("data{}", n), boolean});
        declared_.push_back({data_.back().name, boolean ? Value::boolean(dice_.percent(50))
                                                        : Value::integer(static_cast<std::int64_t>(dice_.below(3)))});
    }
    for (std::uint32_t n = 1 + dice_.below(2); n > 0; --n) add_lock();
    expressions_.share(data_);
}

void SharedAccesses::add_lock() {
    locks_.push_back(fmt::format("lock{}", locks_.size()));
    declared_.push_back({locks_.back(), Value::integer(1)});
}

std::string SharedAccesses::add_flag() {
    std::string flag = fmt::format("flag{}", flags_++);
    declared_.push_back({flag, Value::integer(0)});
    return flag;
}

void SharedAccesses::add(std::vector<ThreadMade>& threads) {
    std::uint32_t const t = dice_.below(threads.size());
    switch (dice_.below(8)) {
    case 0:
    case 1: return critical_section(threads[t]);
    case 2:
        if (threads.size() > 1)
            return fence(threads[t], threads[(t + 1 + dice_.below(threads.size() - 1)) % threads.size()]);
        return access(threads[t]);
    default: return access(threads[t]);
    }
}

/// Perhaps with a second lock: two threads that take them in different orders can wait for each other.
void SharedAccesses::critical_section(ThreadMade& t) {
    std::vector<std::string> taken = {dice_.one_of(locks_)};
    std::string const& other = dice_.one_of(locks_);
    if (other != taken.front()) taken.push_back(other);
    for (std::string const& l : taken)
        t.commands.push_back(
            draft::when(operation(Op::greater, draft::variable(l), draft::number(0)), {{l, one_less(l)}}));
    for (std::uint32_t n = 1 + dice_.below(2); n > 0; --n) access(t);
    for (auto l = taken.rbegin(); l != taken.rend(); ++l) t.commands.push_back(draft::assign(*l, one_more(*l)));
}

/// What the second thread does later comes after what the first one has done so far.
void SharedAccesses::fence(ThreadMade& first, ThreadMade& second) {
    std::string const flag = add_flag();
    first.commands.push_back(draft::assign(flag, draft::number(1)));
    second.commands.push_back(draft::when(operation(Op::equal, draft::variable(flag), draft::number(1)), {}));
}

void SharedAccesses::access(ThreadMade& t) {
    switch (dice_.below(4)) {
    case 0: return read(t);
    case 1: return write(t);
    case 2: return update_in_two_steps(t);
    default: return guarded_assignment(t);
    }
}

void SharedAccesses::read(ThreadMade& t) {
    VariableMade const& x = some_data();
    std::string const local = locals_.some(t);
    t.commands.push_back(draft::assign(local, draft::variable(x.name)));
    define(t, local, x.boolean);
}

draft::Expression SharedAccesses::value(ThreadMade const& t, bool boolean) {
    if (boolean) return expressions_.claim(t);
    return expressions_.integer(t);
}

/// What reads and writes the same variable in one step is written as `lint` asks for.
void SharedAccesses::write(ThreadMade& t) {
    VariableMade const& x = some_data();
    draft::Expression e = value(t, x.boolean);
    if (reads(e, x.name))
        t.commands.push_back(draft::guarded(draft::truth(true), {{x.name, std::move(e)}}));
    else
        t.commands.push_back(draft::assign(x.name, std::move(e)));
}

void SharedAccesses::update_in_two_steps(ThreadMade& t) {
    VariableMade const& x = some_data();
    std::string const local = locals_.some(t);
    t.commands.push_back(draft::assign(local, draft::variable(x.name)));
    define(t, local, x.boolean);
    t.commands.push_back(
        draft::assign(x.name, x.boolean ? operation(Op::not_, draft::variable(local)) : one_more(local)));
}

void SharedAccesses::guarded_assignment(ThreadMade& t) {
    bool const blocks = dice_.percent(25);
    draft::Expression guard = dice_.percent(40) ? draft::truth(true) : expressions_.claim(t);
    std::vector<draft::Assignment> assigned;
    VariableMade const& x = some_data();
    bool const into_local = dice_.percent(40);
    std::string const local = into_local ? locals_.some(t) : "";
    if (into_local) assigned.push_back({local, draft::variable(x.name)});
    for (VariableMade const& y : data_)
        if (y.name == x.name || dice_.percent(25)) assigned.push_back({y.name, value(t, y.boolean)});
    t.commands.push_back(blocks ? draft::when(std::move(guard), std::move(assigned))
                                : draft::guarded(std::move(guard), std::move(assigned)));
    if (into_local) define(t, local, x.boolean);
}

std::optional<std::string> SharedAccesses::to_receive_into(bool boolean) {
    if (data_.empty() || !dice_.percent(30)) return std::nullopt;
    VariableMade const& x = some_data();
    if (x.boolean != boolean) return std::nullopt;
    return x.name;
}

bool SharedAccesses::has(std::string const& x) const {
    return std::any_of(declared_.begin(), declared_.end(), [&](auto const& s) { return s.x.text == x; });
}

} // namespace matchpoint::programs::random_parts
