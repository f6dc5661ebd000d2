// The parser. One token after the next keyword decides (LL(1)), and statements are the only recursive production beside
// expressions. Both are read with stacks of their own, since a program may be nested deeper than the machine's stack
// allows. That is also why there is no X3 here: it would be used for sequences of atoms only.

#include "rma/language/parse.hpp"

#include <algorithm>

#include "grammar/expression_reader.hpp"
#include "grammar/messages/lexer.hpp"
#include "rma/language/builder.hpp"
#include "rma/language/parse_words.hpp"

namespace matchpoint::rma {

namespace {

class Parser {
public:
    Parser(Source const& source, Builder& builder)
        : b_(builder), first_(b_.begin() + byte_order_mark_size(source.text())), last_(b_.end()) {}

    /// What is wrong with the syntax of the file. Empty if nothing is.
    Diagnostics run() {
        if (!file() && !is_told_ && (errors_.empty() || is_certain_)) errors_.push_back(b_.syntax_error());
        return std::move(errors_);
    }

private:
    /// file ::= (rma process ... property ...)
    bool file() {
        if (!open(wanted::program) || !word("rma", "`rma`")) return false;
        b_.program().open = b_.last_open();
        std::size_t const depth = b_.depth();
        while (begins("process"))
            if (!process() && !recover(depth)) return false;
        b_.begin_properties();
        while (at_open())
            if (!property() && !recover(depth)) return false;
        if (b_.program().properties.empty() && !at_close()) b_.fail(first_, wanted::process);
        if (!at_close()) b_.fail(first_, wanted::property);
        b_.program().close = b_.offset(first_);
        return close() && (skip(), first_ == last_ || b_.fail(first_, wanted::end));
    }

    // ---- errors. The parser goes on after the statement, process or property that has one, so that it finds several.

    /// Goes on where so many brackets are open. False: it cannot be told where that is, or there are too many errors.
    bool recover(std::size_t depth) {
        constexpr std::size_t most = 100;
        if (is_told_ || b_.depth() < depth) return false;
        bool const wanted_close = b_.wanted_close();
        errors_.push_back(b_.syntax_error());
        b_.forget_error();
        if (wanted_close && b_.depth() > depth && at_open()) {
            // `(load u X (store X 1)`: only this bracket is missing.
            while (b_.depth() > depth) b_.close();
            is_certain_ = false;
            return true;
        }
        is_told_ = true; // until it is known where to go on
        if (errors_.size() == most) return false;
        do {
            if (at_open() && begins("process") && b_.depth() > 1) return false; // some bracket is missing
            if (!skip_token()) return false;
        } while (b_.depth() > depth);
        is_told_ = false;
        return true;
    }

    /// False: it is the end, or a bracket that closes nothing.
    bool skip_token() {
        skip();
        if (first_ == last_) return false;
        if (is_open(*first_)) {
            b_.open(first_++);
        } else if (is_close(*first_)) {
            if (!b_.closes(*first_)) return false;
            b_.close();
            ++first_;
        } else {
            first_ += std::max<std::size_t>(peek().size(), 1); // a quote is no token
        }
        return true;
    }

    // ---- tokens

    void skip() {
        while (first_ != last_) {
            if (is_space(*first_)) {
                ++first_;
            } else if (*first_ == ';') {
                Iterator const end = std::find(first_, last_, '\n');
                b_.comment(first_, end);
                first_ = end;
            } else {
                return;
            }
        }
    }
    std::string_view peek() {
        skip();
        return {first_, static_cast<std::size_t>(atom_end(first_, last_) - first_)};
    }
    bool at_open() {
        skip();
        return first_ != last_ && is_open(*first_);
    }
    bool at_close() {
        skip();
        return first_ != last_ && is_close(*first_);
    }
    /// Looks ahead, from the next token on.
    Lexer lexer() {
        skip();
        return {std::string_view(b_.begin(), static_cast<std::size_t>(last_ - b_.begin())), b_.offset(first_)};
    }
    /// Whether a bracket followed by this word comes next.
    bool begins(std::string_view word) {
        Lexer l = lexer();
        return is_open(l.next()) && l.next().text == word;
    }
    bool open(std::string_view wanted) {
        if (!at_open()) return b_.fail(first_, wanted);
        b_.open(first_++);
        return true;
    }
    bool close() {
        skip();
        if (first_ == last_ || !b_.closes(*first_)) return b_.fail(first_, wanted::close);
        b_.close();
        ++first_;
        return true;
    }
    template <typename Accepts>
    bool atom(std::string_view wanted, Accepts accepts, std::string_view& result) {
        result = peek();
        if (result.empty() || !accepts(result)) return b_.fail(first_, wanted);
        first_ += result.size();
        return true;
    }
    bool word(std::string_view w, std::string_view wanted) {
        std::string_view found;
        return atom(
            wanted, [w](std::string_view a) { return a == w; }, found);
    }
    bool variable(std::string_view wanted, Variable& x) {
        std::string_view name;
        if (!atom(wanted, is_variable_name, name)) return false;
        x = b_.variable(name);
        return true;
    }
    bool pid_atom(std::string_view& pid) {
        return atom(
            wanted::pid, [](std::string_view a) { return endpoint_name(a).has_value(); }, pid);
    }
    bool pid(ProcessIndex& p) {
        std::string_view name;
        if (!pid_atom(name)) return false;
        p = b_.pid(name);
        return true;
    }
    bool expression(Expression& e) {
        return read_expression<RmaExpressions>(
            b_, first_, last_, [this] { skip(); }, e);
    }

    // ---- processes and properties

    /// process ::= (process pid decl ... stmt ... bot)
    bool process() {
        std::string_view pid;
        if (!open(wanted::process) || !word("process", "`process`") || !pid_atom(pid)) return false;
        b_.open_process(pid);
        while (begins_declarations())
            if (!declarations()) return false;
        return statements();
    }

    /// Not `(shared := 1)`.
    bool begins_declarations() {
        Lexer l = lexer();
        if (!is_open(l.next())) return false;
        std::string_view const word = l.next().text;
        return (word == "shared" || word == "local") && l.next().text != ":=";
    }

    bool declarations() {
        if (!open(wanted::statement)) return false;
        b_.open_declarations(peek() == "shared");
        first_ += peek().size();
        while (at_open()) {
            std::string_view x;
            std::string_view v;
            if (!open(wanted::declaration) || !atom(wanted::variable, is_variable_name, x) ||
                !atom(wanted::value, is_value, v) || !close())
                return false;
            b_.declare(x, v);
        }
        if (!at_close()) b_.fail(first_, wanted::declaration);
        if (!close()) return false;
        b_.close_declarations();
        return true;
    }

    /// property ::= (assert final e) | (invariant e)
    bool property() {
        if (!begins("assert") && !begins("invariant")) return b_.fail(first_, wanted::property);
        if (!open(wanted::property)) return false;
        Offset const at = b_.last_open();
        bool const is_final = peek() == "assert";
        first_ += peek().size();
        if (is_final && !word("final", "`final`")) return false;
        Expression e;
        if (!expression(e) || !close()) return false;
        b_.property(is_final, e, at);
        return true;
    }

    // ---- statements

    /// A list of statements that is being read: of the process, of a branch, or the body of a loop or an `atomic`.
    struct Block {
        enum class Kind : std::uint8_t { process, then, otherwise, body };
        Kind kind;
        StatementIndex statement; // that it is part of
        bool is_located;          // the statement has a bracket with its location around it
    };

    /// stmt ... bot, and the bracket that closes the process.
    bool statements() {
        blocks_.assign(1, {Block::Kind::process, no_index, false});
        while (!blocks_.empty()) {
            bool const goes_on = at_open() || peek() == "skip";
            bool const is_stray = !goes_on && !at_close() && !is_bot(peek()); // an atom, or no token
            std::size_t const depth = b_.depth();
            std::size_t const blocks = blocks_.size();
            if (goes_on ? statement() : end_of_block()) continue;
            failed_ = false;
            if ((!goes_on && !is_stray) || blocks_.size() < blocks || !recover(depth)) return false;
            blocks_.resize(blocks, blocks_.back());
            while (is_stray && at_stray_atom()) skip_token(); // one error for `u := 1` without brackets
        }
        return true;
    }
    bool at_stray_atom() { return !at_open() && !at_close() && peek() != "skip" && !is_bot(peek()) && !peek().empty(); }

    /// Whether a branch of an `if` has no statement yet.
    bool is_open_branch(Block const& block) const {
        return (block.kind == Block::Kind::then || block.kind == Block::Kind::otherwise) && first_ == behind_last_list_;
    }

    bool end_of_block() {
        Block const block = blocks_.back();
        if (block.kind == Block::Kind::process && is_bot(peek())) {
            b_.program().processes.back().bot = b_.offset(first_);
            first_ += peek().size();
        } else if (!at_close()) {
            b_.fail(first_, wanted::statement, is_open_branch(block) ? hint::branch : std::string_view());
            if (block.kind == Block::Kind::process) b_.fail(first_, wanted::bot);
        }
        Offset const at = b_.offset(first_);
        if (!close()) return false;
        switch (block.kind) {
        case Block::Kind::process: b_.close_process(at); break;
        case Block::Kind::then: return end_of_then(block);
        case Block::Kind::otherwise: blocks_.pop_back(); return close_statement(block.statement, block.is_located);
        case Block::Kind::body: finish(block.statement, block.is_located, at); break;
        }
        blocks_.pop_back();
        return !failed_;
    }

    /// Behind the first list of an `if`.
    bool end_of_then(Block block) {
        If& c = std::get<If>(b_.program().statements[block.statement].c);
        c.otherwise = static_cast<StatementIndex>(b_.program().statements.size());
        blocks_.pop_back();
        if (peek() == "skip") return b_.fail(first_, wanted::close, hint::branch);
        if (!at_open()) return close_statement(block.statement, block.is_located);
        c.has_else = true;
        b_.program().statements[block.statement].middle = b_.offset(first_);
        block.kind = Block::Kind::otherwise;
        blocks_.push_back(block);
        return open_branch();
    }

    /// The bracket before the statements of a branch.
    bool open_branch() {
        if (!at_open()) return b_.fail(first_, wanted::statements, hint::branch);
        b_.open(first_++);
        skip();
        behind_last_list_ = first_;
        return true;
    }

    /// The bracket that closes a statement, and the one around it.
    bool close_statement(StatementIndex i, bool is_located) {
        Offset const at = b_.offset((skip(), first_));
        if (!close()) return false;
        finish(i, is_located, at);
        return !failed_;
    }

    /// Behind a statement's own bracket.
    void finish(StatementIndex i, bool is_located, Offset at) {
        if (is_located) {
            at = b_.offset((skip(), first_));
            failed_ = !close();
        }
        b_.end_statement(i, at);
    }

    /// stmt ::= c | [rho c]
    bool statement() {
        if (!at_open()) return skip_statement({}, b_.offset(first_));
        if (!begins_located()) return bracketed({}, no_offset);
        if (!open(wanted::statement)) return false;
        Offset const outer = b_.last_open();
        std::string_view rho;
        if (!atom(
                wanted::location, [](std::string_view) { return true; }, rho))
            return false;
        return at_open() ? bracketed(rho, outer) : skip_statement(rho, outer);
    }

    /// `[rho (`, or `[rho skip]`.
    bool begins_located() {
        Lexer l = lexer();
        l.next();
        Token const word = l.next();
        Token const next = l.next();
        if (!is_atom(word)) return false;
        if (contains(before_brackets, word.text)) return false;
        return is_open(next) || (next.text == "skip" && !contains(before_atoms, word.text) && is_close(l.next()));
    }

    bool skip_statement(std::string_view rho, Offset outer) {
        StatementIndex const i = b_.begin_statement(rho);
        b_.statement().open = outer;
        if (!word("skip", "`skip`")) return false;
        finish(i, !rho.empty(), b_.offset(first_));
        return !failed_;
    }

    /// `(...)`. `outer`: the bracket before the location.
    bool bracketed(std::string_view rho, Offset outer) {
        if (!open(wanted::statement)) return false;
        StatementIndex const i = b_.begin_statement(rho);
        b_.statement().open = outer == no_offset ? b_.last_open() : outer;
        bool const is_located = outer != no_offset;
        std::string_view const name = peek();
        Lexer l = lexer();
        l.next();
        bool const is_assignment = l.next().text == ":=";
        if (is_assignment) return assignment() && close_statement(i, is_located);
        Iterator const at = first_;
        first_ += name.size();
        if (name == "if") return if_statement(i, is_located);
        if (name == "while") return while_statement(i, is_located);
        if (name == "atomic") {
            b_.statement().c = Atomic{};
            blocks_.push_back({Block::Kind::body, i, is_located});
            return true;
        }
        first_ = at;
        return simple(name) && close_statement(i, is_located);
    }

    bool if_statement(StatementIndex i, bool is_located) {
        If c;
        if (!expression(c.e)) return false;
        b_.statement().c = c;
        blocks_.push_back({Block::Kind::then, i, is_located});
        return open_branch();
    }

    bool while_statement(StatementIndex i, bool is_located) {
        While c;
        if (!expression(c.e)) return false;
        b_.statement().c = c;
        blocks_.push_back({Block::Kind::body, i, is_located});
        return true;
    }

    bool assignment() {
        Assign c;
        if (!variable(wanted::local, c.u) || !word(":=", "`:=`") || !expression(c.e)) return false;
        b_.statement().c = c;
        return true;
    }

    bool simple(std::string_view name) {
        Iterator const at = first_;
        first_ += name.size();
        StatementKind& c = b_.statement().c;
        if (name == "load") return load(c.emplace<Load>());
        if (name == "store") return store(c.emplace<Store>());
        if (name == "put") return put(c.emplace<Put>());
        if (name == "get") return get(c.emplace<Get>());
        if (name == "flush") return pid(c.emplace<Flush>().pid);
        if (name == "fetch-and-op") return fetch(c.emplace<FetchAndOp>());
        if (name == "compare-and-swap") return swap(c.emplace<CompareAndSwap>());
        if (name == "accumulate") return accumulate(c.emplace<Accumulate>());
        if (name == "choose") return choose(c.emplace<Choose>());
        if (name == "assume") return expression(c.emplace<Assume>().e);
        if (name == "assert") return expression(c.emplace<Assert>().e);
        if (name == "goto") return goto_statement(c.emplace<Goto>());
        first_ = at;
        return b_.fail(first_, wanted::kind, is_declaration(name) ? hint::declarations : std::string_view());
    }

    /// Whether this is `(shared)`, or the `(x v)` of `(shared (x v))`, where `shared` is read as a location.
    bool is_declaration(std::string_view name) {
        LocationName const rho = b_.statement().rho;
        std::string_view const word = rho.is_none() ? name : b_.program().symbols(rho);
        return word == "shared" || word == "local";
    }

    bool load(Load& c) { return variable(wanted::local, c.u) && variable(wanted::shared, c.X); }
    bool store(Store& c) { return variable(wanted::shared, c.X) && expression(c.e); }
    bool put(Put& c) { return variable(wanted::shared, c.Y) && pid(c.pid) && variable(wanted::shared, c.X); }
    bool get(Get& c) { return variable(wanted::shared, c.X) && variable(wanted::shared, c.Y) && pid(c.pid); }

    bool fetch(FetchAndOp& c) {
        return variable(wanted::shared, c.X) && variable(wanted::shared, c.Y) && pid(c.pid) && operation(c.op) &&
               variable(wanted::shared, c.Z);
    }
    bool swap(CompareAndSwap& c) {
        return variable(wanted::shared, c.X) && variable(wanted::shared, c.Y) && pid(c.pid) &&
               variable(wanted::shared, c.C) && variable(wanted::shared, c.Z);
    }
    bool accumulate(Accumulate& c) {
        return variable(wanted::shared, c.Y) && pid(c.pid) && operation(c.op) && variable(wanted::shared, c.Z);
    }
    bool operation(RemoteOp& op) {
        std::string_view word;
        if (!atom(
                wanted::operation, [](std::string_view a) { return contains(remote_op_names, a); }, word))
            return false;
        auto const at = std::find(remote_op_names.begin(), remote_op_names.end(), word);
        op = static_cast<RemoteOp>(at - remote_op_names.begin());
        b_.remote_operation(word);
        return true;
    }

    bool choose(Choose& c) {
        if (!variable(wanted::local, c.u)) return false;
        auto const count = [this] { return static_cast<std::uint32_t>(b_.program().choices.size()); };
        c.first = count();
        std::string_view v;
        do {
            if (!atom(wanted::value, is_value, v)) return false;
            b_.choice(v);
        } while (is_value(peek()));
        c.last = count();
        return true;
    }

    bool goto_statement(Goto& c) {
        std::string_view rho;
        if (!atom(
                wanted::location, [](std::string_view) { return true; }, rho))
            return false;
        c.rho = b_.location(rho);
        return true;
    }

    Builder& b_;
    Iterator first_;
    Iterator last_;
    std::vector<Block> blocks_;
    Iterator behind_last_list_ = nullptr; // where the first statement of a branch is wanted
    bool failed_ = false;
    Diagnostics errors_;
    bool is_told_ = false;   // the error that ended it
    bool is_certain_ = true; // brackets are as they should be: if not, errors outside of statements may be consequences
};

} // namespace

Expected<Program, Diagnostics> parse_rma(Source const& source, ParseOptions const& options) {
    if (auto fault = encoding_fault(source)) return Unexpected{Diagnostics{std::move(*fault)}};
    Builder b(source, options);
    try {
        if (Diagnostics faults = Parser(source, b).run(); !faults.empty()) return Unexpected{std::move(faults)};
        if (Diagnostics faults = resolve(b.program(), b.tokens()); !faults.empty())
            return Unexpected{std::move(faults)};
    } catch (LimitReached const& limit) {
        return Unexpected{Diagnostics{b.limit_reached(limit)}};
    }
    return std::move(b.program());
}

} // namespace matchpoint::rma
