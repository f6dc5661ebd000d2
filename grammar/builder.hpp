// Builds the syntax tree while the parser (parse.cpp) reads, and keeps what it needs for the message of a syntax error.
#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.hpp"
#include "grammar/add_nodes.hpp"
#include "grammar/ast.hpp"
#include "grammar/characters.hpp"
#include "grammar/messages/lexer.hpp"
#include "grammar/messages/recovery.hpp"
#include "grammar/messages/syntax_error.hpp"
#include "grammar/parse.hpp"
#include "grammar/read_text.hpp"
#include "grammar/selectors.hpp"
#include "grammar/static_rules.hpp"

namespace matchpoint::grammar {

class Builder : public ReadText {
public:
    Builder(Source const& source, ParseOptions const& options) : ReadText(source, options), rules_(program_, &source) {}

    /// For a parser that goes on after a syntax error, in the middle of something. What it builds is a part of a
    /// program.
    Builder(Source const& source, Resumption const& from);

    Token token(std::string_view text) const { return {text, offset(text.data())}; }
    /// A lexer for the text from there on.
    Lexer lexer(char const* at) const { return {text(), offset(at)}; }

    void comment(char const* first, char const* last) { ReadText::comment(first, last, program_.comments); }

    // Shared variables.
    void open_shared() { program_.ctp.shared_open = last_open(); }
    void close_shared(char const* at) { program_.ctp.shared_close = offset(at); }
    void atomic() { is_atomic_ = true; }
    void shared_variable(std::string_view x) {
        program_.ctp.shared.push_back(
            {rules_.declare_shared(token(x)), {}, token(x).offset, std::exchange(is_atomic_, false)});
    }
    void shared_value(std::string_view v) { program_.ctp.shared.back().v = value(v); }

    // Communicators.
    void open_communicators() { program_.ctp.communicators_open = last_open(); }
    void declared_communicator(std::string_view c) { rules_.declare_communicator(token(c)); }
    void member(std::string_view t) { program_.ctp.communicators.back().members.push_back(*line_number(t)); }

    // ctp and its threads.
    void open_ctp() { program_.ctp.open = last_open(); }
    void close_ctp(char const* at) {
        program_.ctp.close = offset(at);
        rules_.end_of_ctp();
    }
    void open_thread() {
        auto const n = command_index();
        program_.ctp.threads.push_back({n, n, last_open(), no_offset, no_offset});
    }
    void bot(std::string_view atom) { program_.ctp.threads.back().bot = token(atom).offset; }
    void close_thread(char const* at) {
        program_.ctp.threads.back().last = command_index();
        program_.ctp.threads.back().close = offset(at);
    }

    // Commands: first the parts, one by one, then the command.
    void location(std::string_view rho) {
        rho_ = token(rho);
        rules_.define_location(rho_);
    }
    void issued_action(std::string_view a) {
        a_ = rules_.action(a);
        rules_.issued(a_, command_index(), token(a).offset);
    }
    void waited_action(std::string_view a) {
        a_ = rules_.action(a);
        rules_.awaited(a_, token(a).offset);
    }
    void source_endpoint(std::string_view alpha) { alpha_ = endpoint(alpha); }
    void destination_endpoint(std::string_view beta) { beta_ = endpoint(beta); }
    void variable(std::string_view x) {
        x_at_ = token(x);
        x_ = {program_.symbols.variables.intern(x)};
    }
    void expression(Expression e) { e_ = e; }
    void guard(Expression e) {
        guard_ = e;
        assigned_ = {assignment_count(), assignment_count()};
    }
    void assignment() {
        rules_.assigned(x_, command_index(), x_at_);
        program_.ctp.assignments.push_back({x_, e_});
        assigned_.last = assignment_count();
    }
    void extra_location(std::string_view rho) { rules_.use_location(token(rho), command_index()); }

    // Selectors.
    void open_selector() { selector_at_ = last_open(); }
    void from() {
        if (selector().from) repeated("from");
        selector().from.emplace();
    }
    void from_endpoint(std::string_view alpha) { selector().from->push_back(endpoint(alpha)); }
    void tags() {
        if (selector().tags) repeated("tag");
        selector().tags.emplace();
    }
    void tag(std::string_view n) { selector().tags->push_back(tag_of(n)); }
    void source_variable(std::string_view y) {
        if (selector().source) repeated("source");
        selector().source = {program_.symbols.variables.intern(y)};
    }
    void tagged_variable(std::string_view z) {
        if (selector().tagged) repeated("tagged");
        selector().tagged = {program_.symbols.variables.intern(z)};
    }
    void message_tag(std::string_view n) { tag_ = tag_of(n); }
    void barrier(std::string_view b) {
        b_ = {program_.symbols.barriers.intern(b)};
        rules_.meets(b_, static_cast<std::uint32_t>(program_.ctp.threads.size()), token(b).offset);
    }

    // Choices of time.
    void open_among() { choice_.of = ChoiceOfTime::Of::among; }
    void open_some() { choice_.of = ChoiceOfTime::Of::some; }
    void open_all() { choice_.of = ChoiceOfTime::Of::all; }
    void open_seen() { choice_.of = ChoiceOfTime::Of::seen; }
    void seen_at(std::string_view beta) { choice_.beta = *endpoint_name(beta); }
    void open_seen_from() { choice_.from.emplace(); }
    void seen_from(std::string_view alpha) { choice_.from->emplace_back(*endpoint_name(alpha)); }
    void open_seen_tags() { choice_.tags.emplace(); }
    void seen_tag(std::string_view n) { choice_.tags->emplace_back(*endpoint_name(n)); }
    void chosen(std::string_view a) { choice_.actions.emplace_back(a); }
    void test_result(std::string_view v) {
        choice_.result = v == "true";
        choice_.times = *choice_.result ? 0 : 1;
    }
    void test_times(std::string_view n) { choice_.times = *count_number(n); }

    // Collectives.
    void communicator(std::string_view c) { comm_ = {program_.symbols.communicators.intern(c)}; }
    void kind_of_collective(std::string_view kind) { call_.kind = *collective_kind(kind); }
    void open_part() { part_at_ = last_open(); }
    void open_root() {
        if (call_.root) repeated_part("root");
    }
    void root(std::string_view k) { call_.root = *line_number(k); }
    void open_op() {
        if (!call_.op.empty()) repeated_part("op");
    }
    void op_of_reduction(std::string_view o) { call_.op = o; }
    void open_type() {
        if (!call_.type.empty()) repeated_part("type");
    }
    void type_of_data(std::string_view t) { call_.type = t; }
    void open_counts() {
        if (!call_.counts.empty()) repeated_part("count");
        call_.counts.clear();
    }
    void count(std::string_view n) { call_.counts.push_back(*count_number(n)); }

    // The place after a command.
    void file(std::string_view f) { file_ = {program_.symbols.files.intern(f)}; }
    void line(std::string_view n) { program_.ctp.commands.back().at = {file_, *line_number(n)}; }

    void assume_command() {
        if (assigned_.first == assigned_.last) return command(Assume{guard_});
        command(Guarded{guard_, assigned_, false});
    }
    void when_command() { command(Guarded{guard_, assigned_, true}); }
    void assert_command() { command(Assert{e_}); }
    void assign_command() { command(Assign{x_, e_}); }
    void sndi_command() { command(Sndi{a_, alpha_, beta_, e_, {}, std::exchange(tag_, {}), Mode::standard}); }
    void ssndi_command() { command(Sndi{a_, alpha_, beta_, e_, {}, std::exchange(tag_, {}), Mode::synchronous}); }
    void bsndi_command() { command(Sndi{a_, alpha_, beta_, e_, {}, std::exchange(tag_, {}), Mode::buffered}); }
    void rsndi_command() { command(Sndi{a_, alpha_, beta_, e_, {}, std::exchange(tag_, {}), Mode::ready}); }
    void rcvi_command() { command(Rcvi{a_, beta_, x_, {}, std::exchange(sel_, {})}); }
    void probe_command() { command(Probe{a_, beta_, std::exchange(sel_, {}), false}); }
    void mprobe_command() { command(Probe{a_, beta_, std::exchange(sel_, {}), true}); }
    void started_action(std::string_view a) {
        a_ = rules_.action(a);
        rules_.awaited(a_, token(a).offset, "start");
    }
    void start_command() { command(Start{a_, x_}); }
    void wait_command() {
        command(Wait{a_});
        if (!choice_.actions.empty()) choice();
    }
    void test_command() {
        std::uint32_t const first = node_count();
        add_value(program_.ctp, Value::boolean(true));
        command(Assume{{first, 1}});
        choice();
    }
    void barrier_command() { command(Meet{b_}); }
    void collective_command() { collective(true); }
    void icollective_command() { collective(false); }

    // Expressions, in post-order.
    std::uint32_t node_count() const { return grammar::node_count(program_.ctp); }
    void value_node(std::string_view atom) { add_value(program_.ctp, value(atom)); }
    void variable_node(std::string_view x) { add_variable(program_.ctp, {program_.symbols.variables.intern(x)}); }
    /// `count` operands, the first of which begins at node `first`.
    void operation_node(Op op, std::uint32_t count, std::uint32_t first, Offset at) {
        rules_.check_arity(op, count, at);
        add_operation(program_.ctp, op, first);
    }

    // Traces.
    void open_trace() {
        program_.traces.emplace_back();
        program_.traces.back().open = last_open();
    }
    void close_trace(char const* at) { program_.traces.back().close = offset(at); }
    void trace_location(std::string_view rho) { rho_ = token(rho); }
    void trace_entry() {
        Trace& trace = program_.traces.back();
        trace.entries.push_back(
            {trace_location_of(rho_.text), static_cast<std::uint32_t>(trace.movements.size()), rho_.offset});
    }
    void peek() {
        Trace& trace = program_.traces.back();
        trace.peeks.push_back(
            {static_cast<std::uint32_t>(trace.entries.size()), {beta_, alpha_, std::exchange(tag_, {})}});
    }
    void movement() { program_.traces.back().movements.push_back({beta_, alpha_, std::exchange(tag_, {})}); }

    /// What was expected at the deepest position that the parser reached.
    SyntaxFailure failure() const;
    Diagnostic limit_reached(LimitReached const& limit) const;
    Diagnostics take_faults() { return rules_.take_faults(); }
    Program take_program() {
        name_tag_0(program_.symbols);
        return std::move(program_);
    }

private:
    /// Threads run their commands in order, so an entry's location usually follows that of one of the last few entries.
    /// To try these is cheaper than to look up a large table.
    Location trace_location_of(std::string_view rho) {
        Names& names = program_.symbols.locations;
        for (std::uint32_t& guess : guesses_)
            if (guess < names.size() && names[guess] == rho) return {guess++};
        std::uint32_t const found = names.intern(rho);
        guesses_[next_guess_++ % guesses_.size()] = found + 1;
        return {found};
    }

    std::uint32_t assignment_count() const { return static_cast<std::uint32_t>(program_.ctp.assignments.size()); }
    std::uint32_t command_index() const { return static_cast<std::uint32_t>(program_.ctp.commands.size()); }
    void command(Command c) { program_.ctp.commands.push_back({c, rho_.offset}); }
    Endpoint endpoint(std::string_view atom) { return {program_.symbols.endpoints.intern(*endpoint_name(atom))}; }
    Tag tag_of(std::string_view atom) { return {program_.symbols.tags.intern(*endpoint_name(atom))}; }
    /// The selectors of the receive that is being read.
    Selectors& selector() {
        if (sel_.is_none()) {
            sel_ = {static_cast<std::uint32_t>(program_.ctp.selectors.size())};
            program_.ctp.selectors.emplace_back();
        }
        return program_.ctp.selectors[sel_.index];
    }
    void repeated(std::string_view kind) { rules_.repeated_selector({kind, selector_at_}); }
    void repeated_part(std::string_view part) { rules_.repeated_part({part, part_at_}); }
    /// The last command has it.
    void choice() {
        program_.ctp.commands.back().choice = {static_cast<std::uint32_t>(program_.ctp.choices.size())};
        program_.ctp.choices.push_back(std::exchange(choice_, {}));
    }
    void collective(bool blocks) {
        call_.blocks = blocks;
        auto const n = static_cast<std::uint32_t>(program_.ctp.calls.size());
        program_.ctp.calls.push_back(std::exchange(call_, {}));
        command(Collective{a_, comm_, {n}});
    }

    Program program_;
    StaticRules rules_;

    std::array<std::uint32_t, 8> guesses_{};
    std::size_t next_guess_ = 0;

    Token rho_;
    Token x_at_;
    Action a_;
    Endpoint alpha_;
    Endpoint beta_;
    Variable x_;
    Expression e_;
    Expression guard_;
    AssignmentRange assigned_;
    Tag tag_; // of a send or a movement
    SelectorsId sel_;
    Offset selector_at_ = no_offset;
    Barrier b_;
    Communicator comm_;
    CollectiveCall call_;
    ChoiceOfTime choice_;
    Offset part_at_ = no_offset;
    File file_;
    bool is_atomic_ = false; // the next shared variable
};

} // namespace matchpoint::grammar
