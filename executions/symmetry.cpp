#include "executions/symmetry.hpp"

#include <map>
#include <optional>
#include <string>

#include "base/overloaded.hpp"

namespace matchpoint::executions {

namespace {

/// The text of a thread with numbers in place of its local variables.
class Text {
public:
    Text(Ctp const& ctp, std::vector<bool> const& is_shared)
        : ctp_(ctp), is_shared_(is_shared), number_(is_shared.size()) {}

    /// None if it has commands about messages or barriers.
    std::optional<std::string> operator()(Thread const& thread, std::vector<Variable>& locals) {
        text_.clear();
        for (std::uint32_t c = thread.first; c < thread.last; ++c) {
            Command const& command = ctp_.commands[c].c;
            text_ += static_cast<char>('a' + command.index());
            bool const is_alone = std::visit(overloaded{
                                                 [&](Assume const& c) { return add(c.e, locals); },
                                                 [&](Assert const& c) { return add(c.e, locals); },
                                                 [&](Assign const& c) { return add(c.x, locals) && add(c.e, locals); },
                                                 [&](Guarded const& c) { return add(c, locals); },
                                                 [](Sndi const&) { return false; },
                                                 [](Rcvi const&) { return false; },
                                                 [](Probe const&) { return false; },
                                                 [](Start const&) { return false; },
                                                 [](Wait const&) { return false; },
                                                 [](Meet const&) { return false; },
                                                 [](Collective const&) { return false; },
                                             },
                                             command);
            if (!is_alone) {
                forget(locals);
                return std::nullopt;
            }
        }
        forget(locals);
        return text_;
    }

private:
    void add(char kind, std::uint32_t n) {
        text_ += kind;
        text_ += std::to_string(n);
    }
    bool add(Variable x, std::vector<Variable>& locals) {
        if (is_shared_[x.index]) {
            add('s', x.index);
            return true;
        }
        if (number_[x.index] == 0) {
            locals.push_back(x);
            number_[x.index] = static_cast<std::uint32_t>(locals.size());
        }
        add('l', number_[x.index]);
        return true;
    }
    bool add(Expression const& e, std::vector<Variable>& locals) {
        for (Node const& n : std::span(ctp_.nodes).subspan(e.first, e.size)) {
            switch (n.kind) {
            case Node::Kind::variable: add(Variable{n.payload}, locals); break;
            case Node::Kind::value: text_ += 'v' + ctp_.values[n.payload].to_string(); break;
            case Node::Kind::operation:
                add('o', static_cast<std::uint32_t>(n.op));
                add(',', n.payload);
                break;
            }
        }
        text_ += ';';
        return true;
    }
    bool add(Guarded const& c, std::vector<Variable>& locals) {
        text_ += c.blocks ? 'w' : 'a';
        add(c.e, locals);
        for (auto const& [x, e] : ctp_.assigned(c)) {
            add(x, locals);
            add(e, locals);
        }
        text_ += '.';
        return true;
    }
    void forget(std::vector<Variable> const& locals) {
        for (Variable const x : locals) number_[x.index] = 0;
    }

    Ctp const& ctp_;
    std::vector<bool> const& is_shared_;
    std::vector<std::uint32_t> number_; // local variable, from 1; 0: it has none in this thread
    std::string text_;
};

} // namespace

Symmetry::Symmetry(IndexedProgram const& code, CausalModel const* model)
    : is_in_group_(code.ctp().threads.size()), is_local_of_group_(code.names().variables.size()),
      locals_(is_in_group_.size()) {
    if (model != nullptr) return;
    Ctp const& ctp = code.ctp();
    std::vector<bool> is_shared(is_local_of_group_.size());
    for (SharedVariable const& shared : ctp.shared) is_shared[shared.x.index] = true;
    Text text(ctp, is_shared);
    std::map<std::string, std::vector<std::uint32_t>> alike;
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t) {
        if (ctp.threads[t].first == ctp.threads[t].last) continue;
        if (auto const of_thread = text(ctp.threads[t], locals_[t])) alike[*of_thread].push_back(t);
    }
    for (auto& [_, threads] : alike) {
        if (threads.size() < 2) continue;
        for (std::uint32_t const t : threads) {
            is_in_group_[t] = true;
            for (Variable const x : locals_[t]) is_local_of_group_[x.index] = true;
        }
        groups_.push_back(std::move(threads));
    }
}

} // namespace matchpoint::executions
