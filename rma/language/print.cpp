#include "rma/language/print.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "grammar/fold.hpp"
#include "grammar/layout.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::rma {

namespace {

/// Appends the text of expressions. `(and (and a b) c)` is printed as `(and a b c)`.
class ExpressionPrinter {
public:
    ExpressionPrinter(Program const& program, std::string& out) : p_(program), out_(out) {}

    void print(Expression e) {
        rest_.assign(1, {e.root(), std::nullopt});
        bool first = true;
        while (!rest_.empty()) {
            auto const [index, inside] = rest_.back();
            rest_.pop_back();
            if (index == close) {
                out_ += ')';
                continue;
            }
            Node const node = p_.nodes[index];
            bool const continues = node.kind == Node::Kind::operation && inside == node.op;
            if (!first && !continues) out_ += ' ';
            first = false;
            switch (node.kind) {
            case Node::Kind::value: out_ += p_.values[node.payload].to_string(); break;
            case Node::Kind::variable: out_ += p_.symbols(Variable{node.payload}); break;
            case Node::Kind::operation: operation(index, node, continues); break;
            }
        }
    }

private:
    static constexpr std::uint32_t close = no_index;

    /// A node or a closing bracket that is still to be printed. An operation of the kind `inside` is printed without
    /// its brackets and operator: it is the first operand of an `and` or `or` of the same kind.
    struct Rest {
        std::uint32_t node;
        std::optional<Op> inside;
    };

    void operation(std::uint32_t index, Node node, bool continues) {
        if (!continues) {
            out_ += '(';
            out_ += grammar::to_string(node.op);
            rest_.push_back({close, std::nullopt});
        }
        bool const folds = node.op == Op::and_ || node.op == Op::or_;
        auto const operands = grammar::operand_roots(p_, index);
        for (std::size_t i = operands.size(); i-- > 0;)
            rest_.push_back({operands[i], i == 0 && folds ? std::optional(node.op) : std::nullopt});
    }

    Program const& p_;
    std::string& out_;
    std::vector<Rest> rest_;
};

class Printer {
public:
    Printer(Program const& program, Source const* source) : p_(program), layout_(program.comments, source) {}
    Printer(Program const& program, Rewriting const& rewriting)
        : p_(program), layout_({}, nullptr), rewriting_(&rewriting) {}

    std::string run() {
        layout_.line(0, p_.open, fmt::format("({}", rewriting_ == nullptr ? "rma" : rewriting_->name));
        if (rewriting_ != nullptr)
            for (std::string const& line : rewriting_->before) layout_.line(2, p_.open, line);
        for (Process const& process : p_.processes) print(process);
        if (rewriting_ != nullptr)
            for (std::string const& line : rewriting_->behind) layout_.line(2, p_.close, line);
        for (Property const& property : p_.properties) layout_.line(2, property.open, rma::print(p_, property));
        layout_.line(0, p_.close, ")");
        return layout_.finish();
    }

private:
    void print(Process const& process) {
        layout_.line(2, process.open, fmt::format("(process {}", p_.symbols.pids[process.name]));
        for (std::uint32_t d = process.first_decl; d < process.last_decl; ++d) {
            Declarations const& declarations = p_.declarations[d];
            layout_.line(4, declarations.open, text(declarations));
        }
        if (rewriting_ != nullptr)
            for (std::string const& line :
                 rewriting_->declarations(static_cast<ProcessIndex>(&process - p_.processes.data())))
                layout_.line(4, process.open, line);
        statements(process);
        layout_.line(4, process.bot != no_offset ? process.bot : process.close, "bot");
        layout_.line(2, process.close, ")");
    }

    std::string text(Declarations const& declarations) const {
        std::string line = declarations.is_shared ? "(shared" : "(local";
        for (std::uint32_t k = declarations.first; k < declarations.last; ++k) {
            Variable const x = p_.declared[k];
            line += fmt::format(" ({} {})", p_.symbols(x), p_[x].initial.to_string());
        }
        return line + ")";
    }

    /// A statement whose parts are being printed: what closes it, and where its second list begins.
    struct Open {
        StatementIndex statement;
        bool in_else;
    };

    void statements(Process const& process) {
        std::vector<Open> open;
        auto const end_of = [&](Open const& o) {
            Statement const& s = p_.statements[o.statement];
            auto const* const c = std::get_if<If>(&s.c);
            return c != nullptr && !o.in_else ? c->otherwise : s.end;
        };
        for (StatementIndex i = process.first;;) {
            while (!open.empty() && i == end_of(open.back())) close(open);
            if (i == process.last) break;
            Statement const& s = p_.statements[i];
            std::string const rho = s.rho.is_none() ? "" : fmt::format("[{} ", p_.symbols(s.rho));
            bool const has_parts = is_compound(s.c);
            std::string line = rho + rma::print(p_, i);
            if (std::holds_alternative<If>(s.c)) line += " (";
            if (has_parts || !rewritten(i, rho))
                layout_.line(indent(), s.open, has_parts || rho.empty() ? line : line + "]");
            if (has_parts) {
                open.push_back({i, false});
                indent_ += 2;
            }
            ++i;
        }
    }

    /// Whether other lines were printed instead of a statement.
    bool rewritten(StatementIndex i, std::string const& rho) {
        if (rewriting_ == nullptr) return false;
        auto const lines = rewriting_->simple_statement(i);
        if (lines.empty() || (lines.size() == 1 && lines.front() == rma::print(p_, i))) return false;
        layout_.line(indent(), p_.statements[i].open, "; " + rma::print(p_, i));
        for (std::size_t n = 0; n < lines.size(); ++n)
            layout_.line(indent(), p_.statements[i].open, n == 0 && !rho.empty() ? rho + lines[n] + "]" : lines[n]);
        return true;
    }

    void close(std::vector<Open>& open) {
        auto& [i, in_else] = open.back();
        Statement const& s = p_.statements[i];
        auto const* const c = std::get_if<If>(&s.c);
        if (c != nullptr && c->has_else && !in_else) {
            in_else = true;
            layout_.line(indent(-2), s.middle, ") (", indent());
            return;
        }
        indent_ -= 2;
        layout_.line(indent(), s.close, std::string(c != nullptr ? "))" : ")") + (s.rho.is_none() ? "" : "]"),
                     indent(2));
        open.pop_back();
    }

    Program const& p_;
    Layout layout_;
    Rewriting const* rewriting_ = nullptr;
    /// Beyond some depth the indent stays the same, or the text would grow with the square of the depth.
    std::size_t indent(int more = 0) const {
        constexpr std::size_t most = 100;
        return std::min(indent_ + static_cast<std::size_t>(more), most);
    }

    std::size_t indent_ = 4;
};

} // namespace

std::string print(Program const& program, Expression e) {
    std::string out;
    ExpressionPrinter(program, out).print(e);
    return out;
}

std::string print(Program const& program, Property const& property) {
    return fmt::format("({} {})", property.is_final ? "assert final" : "invariant", print(program, property.e));
}

std::string print(Program const& program, StatementIndex i) {
    Symbols const& name = program.symbols;
    auto const pid = [&](ProcessIndex p) { return program.pid(p); };
    auto const e = [&](Expression x) { return print(program, x); };
    return std::visit(overloaded{
                          [&](Load const& c) { return fmt::format("(load {} {})", name(c.u), name(c.X)); },
                          [&](Store const& c) { return fmt::format("(store {} {})", name(c.X), e(c.e)); },
                          [&](Put const& c) { return fmt::format("(put {} {} {})", name(c.Y), pid(c.pid), name(c.X)); },
                          [&](Get const& c) { return fmt::format("(get {} {} {})", name(c.X), name(c.Y), pid(c.pid)); },
                          [&](Flush const& c) { return fmt::format("(flush {})", pid(c.pid)); },
                          [&](Assign const& c) { return fmt::format("({} := {})", name(c.u), e(c.e)); },
                          [&](Choose const& c) {
                              std::string line = fmt::format("(choose {}", name(c.u));
                              for (std::uint32_t k = c.first; k < c.last; ++k)
                                  line += " " + program.choices[k].to_string();
                              return line + ")";
                          },
                          [&](Assume const& c) { return fmt::format("(assume {})", e(c.e)); },
                          [&](Assert const& c) { return fmt::format("(assert {})", e(c.e)); },
                          [](Skip const&) { return std::string("skip"); },
                          [&](If const& c) { return fmt::format("(if {}", e(c.e)); },
                          [&](While const& c) { return fmt::format("(while {}", e(c.e)); },
                          [&](Goto const& c) { return fmt::format("(goto {})", name(c.rho)); },
                          [](Atomic const&) { return std::string("(atomic"); },
                          [&](FetchAndOp const& c) {
                              return fmt::format("(fetch-and-op {} {} {} {} {})", name(c.X), name(c.Y), pid(c.pid),
                                                 to_string(c.op), name(c.Z));
                          },
                          [&](CompareAndSwap const& c) {
                              return fmt::format("(compare-and-swap {} {} {} {} {})", name(c.X), name(c.Y), pid(c.pid),
                                                 name(c.C), name(c.Z));
                          },
                          [&](Accumulate const& c) {
                              return fmt::format("(accumulate {} {} {} {})", name(c.Y), pid(c.pid), to_string(c.op),
                                                 name(c.Z));
                          },
                      },
                      program.statements[i].c);
}

std::string print(Program const& program, Rewriting const& rewriting) { return Printer(program, rewriting).run(); }

std::string print(Program const& program, Source const* comments_from) { return Printer(program, comments_from).run(); }

} // namespace matchpoint::rma
