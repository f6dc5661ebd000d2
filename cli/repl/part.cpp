#include "cli/repl/part.hpp"

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "cli/repl/repl.hpp"
#include "explain/events.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::cli {

Part::Part(IndexedProgram const& code, std::set<std::uint32_t> const& threads)
    : code_(&code), all_(threads.empty()), threads_(code.ctp().threads.size()),
      variables_(code.names().variables.size()), actions_(code.names().actions.size()),
      receives_at_(code.endpoints().size()), sends_into_(code.channels().size()) {
    for (std::uint32_t const t : threads) {
        threads_[t] = true;
        for (std::uint32_t i = code.ctp().threads[t].first; i < code.ctp().threads[t].last; ++i)
            add(code.command_at({i}));
    }
}

void Part::add(grammar::Command const& command) {
    for_each_expression(code_->ctp(), command, [&](Expression e) {
        for (Node const& node : std::span(code_->ctp().nodes).subspan(e.first, e.size))
            if (node.kind == Node::Kind::variable) variables_[node.payload] = true;
    });
    std::visit(overloaded{
                   [](OneOf<grammar::Assume, grammar::Assert> auto const&) {},
                   [&](grammar::Assign const& c) { variables_[c.x.index] = true; },
                   [&](Sndi const& c) {
                       actions_[c.a.index] = true;
                       sends_into_[code_->whole(code_->channel_of(c.a)).index] = true;
                   },
                   [&](Rcvi const& c) {
                       actions_[c.a.index] = true;
                       variables_[c.x.index] = true;
                       if (Selectors const* const sel = selectors_of(code_->ctp(), c))
                           for (auto const y : {sel->source, sel->tagged})
                               if (y) variables_[y->index] = true;
                       receives_at_[c.beta.index] = true;
                   },
                   [&](grammar::Probe const& c) {
                       actions_[c.a.index] = true;
                       if (Selectors const* const sel = selectors_of(code_->ctp(), c))
                           for (auto const y : {sel->source, sel->tagged})
                               if (y) variables_[y->index] = true;
                       receives_at_[c.beta.index] = true;
                   },
                   [&](grammar::Start const& c) {
                       actions_[c.a.index] = true;
                       variables_[c.x.index] = true;
                   },
                   [&](grammar::Wait const& c) { actions_[c.a.index] = true; },
                   [](grammar::Meet const&) {},
                   [&](grammar::Collective const& c) { actions_[c.a.index] = true; },
                   [&](Guarded const& c) {
                       for (auto const& [x, e] : code_->ctp().assigned(c)) variables_[x.index] = true;
                   },
               },
               command);
}

std::pair<Range, std::set<std::uint32_t>> Repl::range_and_threads(std::string const& arguments,
                                                                  std::string_view usage) const {
    std::pair<Range, std::set<std::uint32_t>> result;
    bool has_range = false;
    bool of_threads = false;
    for (std::string const& word : words(arguments)) {
        bool const is_word =
            (std::string_view("threads").starts_with(word) && word.size() >= 2) || is_word_for_thread(word);
        if (is_word) {
            of_threads = true;
        } else if (of_threads && word.find("..") == std::string::npos) {
            result.second.insert(thread_number(word));
        } else if (auto const range = parse_range(word); range && !has_range) {
            result.first = *range;
            has_range = true;
        } else {
            throw Refused(
                fmt::format("`{}` is not a range of steps such as 30..60; usage: {}", printable(word), usage));
        }
    }
    if (of_threads && result.second.empty()) throw Refused(fmt::format("usage: {}", usage));
    return result;
}

} // namespace matchpoint::cli
