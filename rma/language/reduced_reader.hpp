// What the parser of reduced programs (parse_reduced.cpp) reads from single forms: names, values and expressions.
//
//   class Reader : FormReader { ... Expression const e = condition(part(i, 1), false); ... };
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "grammar/add_nodes.hpp"
#include "grammar/characters.hpp"
#include "grammar/operators.hpp"
#include "rma/language/forms.hpp"
#include "rma/language/reduced_program.hpp"

namespace matchpoint::rma::reduced {

using FormIndex = std::uint32_t;

/// What is wrong; it ends the parse.
struct Wrong {
    Diagnostic diagnostic;
};

class FormReader {
protected:
    explicit FormReader(Forms const& forms) : f_(forms) {}

    // ---- what is wrong

    [[noreturn]] void fail(FormIndex i, std::string_view rule, std::string message) const {
        Diagnostic d;
        d.rule = rule;
        d.message = std::move(message);
        if (f_.size() > 0) {
            d.offset = f_.offset(i);
            d.length = f_.is_list(i) ? 1 : static_cast<std::uint32_t>(f_.text(i).size());
        }
        throw Wrong{std::move(d)};
    }
    [[noreturn]] void fail_syntax(FormIndex i, std::string_view wanted) const {
        fail(i, "syntax", fmt::format("expected {}", wanted));
    }
    std::string shown(FormIndex i) const { return printable(f_.text(i)); }

    // ---- forms

    FormIndex part(FormIndex list, std::size_t n) const {
        FormIndex i = Forms::first(list);
        for (; n > 0; --n) i = f_.end(i);
        return i;
    }
    void has_parts(FormIndex list, std::size_t n, std::string_view form) const {
        if (f_.parts(list) != n) fail_syntax(list, form);
    }
    bool is_value(FormIndex i) const {
        return !f_.is_list(i) && (is_integer(f_.text(i)) || f_.text(i) == "true" || f_.text(i) == "false");
    }
    Value value(FormIndex i) const {
        if (!is_value(i)) fail_syntax(i, "a value: an integer, `true` or `false`");
        std::string_view const v = f_.text(i);
        return is_integer(v) ? Value::parse_integer(v) : Value::boolean(v == "true");
    }
    Variable variable(FormIndex i) const {
        if (f_.is_list(i)) fail_syntax(i, "a variable");
        auto const x = p_.variables.find(f_.text(i));
        if (!x) fail(i, "RS2", fmt::format("no variable `{}` is declared", shown(i)));
        return {*x};
    }
    SetIndex set(FormIndex i) const {
        auto const found = f_.is_list(i) ? std::nullopt : p_.sets.find(f_.text(i));
        if (!found) fail(i, "RS2", fmt::format("no set `{}` is declared", shown(i)));
        return *found;
    }
    bool is_boolean(Variable x) const { return p_.initial[x.index].is_boolean(); }

    // ---- expressions

    Expression condition(FormIndex i, bool in_property) {
        bool is_bool = false;
        Expression const e = expression(i, in_property, is_bool);
        if (!is_bool) fail(i, "RS6", "a condition is Bool");
        return e;
    }

    /// An operation whose operands are being read.
    struct Operation {
        FormIndex form;
        Op op;
        std::uint32_t first;     // its first node
        std::vector<bool> sorts; // of its operands: is it Bool?
    };

    Expression expression(FormIndex e, bool in_property, bool& is_bool) {
        auto const first = static_cast<std::uint32_t>(p_.nodes.size());
        std::vector<Operation> open;
        FormIndex i = e;
        do {
            if (f_.is_list(i) && !(in_property && f_.head(i) == "at")) {
                auto const op = parse_op(f_.head(i));
                if (!op) fail_syntax(i, "an expression");
                if (!open.empty()) fold(open.back());
                open.push_back({i, *op, nodes(), {}});
                i = part(i, 1);
            } else {
                if (!open.empty()) fold(open.back());
                is_bool = leaf(i);
                i = f_.end(i);
                if (!open.empty()) open.back().sorts.push_back(is_bool);
            }
            while (!open.empty() && i == f_.end(open.back().form)) {
                Operation const done = std::move(open.back());
                open.pop_back();
                is_bool = operation(done);
                if (!open.empty()) open.back().sorts.push_back(is_bool);
            }
        } while (!open.empty());
        return {first, nodes() - first};
    }
    std::uint32_t nodes() const { return static_cast<std::uint32_t>(p_.nodes.size()); }

    /// `(and a b c)` is `(and (and a b) c)`.
    void fold(Operation& o) {
        if ((o.op != Op::and_ && o.op != Op::or_) || o.sorts.size() != 2) return;
        bool const is_bool = operation(o);
        o.sorts.assign(1, is_bool);
    }

    bool operation(Operation const& o) {
        if (o.sorts.size() != arity(o.op))
            fail(part(o.form, 0), "S4",
                 fmt::format("`{}` takes {}, here it has {}", to_string(o.op), plural(arity(o.op), "operand"),
                             o.sorts.size()));
        if (!fits(o)) fail(part(o.form, 0), "RS6", fmt::format("`{}` has operands of the wrong sort", to_string(o.op)));
        add_operation(p_, o.op, o.first);
        return gives_boolean(o.op, o.sorts.back());
    }

    /// Whether the operands have the operator's sorts.
    static bool fits(Operation const& o) {
        std::optional<bool> common;
        for (std::size_t k = 0; k < o.sorts.size(); ++k) {
            OperandSort const wanted = operand_sort(o.op, k);
            if (wanted == OperandSort::common && !common) common = o.sorts[k];
            bool const is_bool = wanted == OperandSort::common ? *common : wanted == OperandSort::boolean;
            if (o.sorts[k] != is_bool) return false;
        }
        return true;
    }

    /// A value, a variable or a place. Whether it is Bool.
    bool leaf(FormIndex i) {
        if (f_.is_list(i)) return place(i);
        if (is_value(i)) {
            add_value(p_, value(i));
            return p_.values.back().is_boolean();
        }
        if (!is_variable_name(f_.text(i))) fail_syntax(i, "an expression");
        Variable const x = variable(i);
        p_.nodes.push_back({Node::Kind::variable, {}, x.index});
        return is_boolean(x);
    }

    bool place(FormIndex i) {
        has_parts(i, 3, "`(at pid rho)`");
        auto const pid = f_.is_list(part(i, 1)) ? std::nullopt : endpoint_name(f_.text(part(i, 1)));
        auto const thread = pid ? pids_.find(std::string(*pid)) : pids_.end();
        if (thread == pids_.end()) fail(part(i, 1), "RS4", "no process has this number");
        Index const at = location(thread->second, part(i, 2));
        std::string const name = fmt::format("(at {} {})", *pid, f_.text(part(i, 2)));
        auto x = p_.variables.find(name);
        if (!x) {
            x = p_.variables.intern(name);
            p_.initial.push_back(Value::boolean(false));
            p_.places.push_back({{*x}, static_cast<std::uint32_t>(thread->second), at});
        }
        p_.nodes.push_back({Node::Kind::variable, {}, *x});
        return true;
    }

    Index location(std::size_t thread, FormIndex rho) const {
        auto const found = locations_.find({thread, std::string(f_.text(rho))});
        if (found == locations_.end()) fail(rho, "RS4", fmt::format("the process has no location `{}`", shown(rho)));
        return found->second;
    }

    Forms const& f_;
    Program p_;
    std::map<std::string, std::size_t> pids_; // their threads
    std::map<std::pair<std::size_t, std::string>, Index> locations_;
};

} // namespace matchpoint::rma::reduced
