#include "grammar/messages/recovery.hpp"

#include <algorithm>

#include "grammar/messages/hints.hpp"
#include "grammar/messages/lexer.hpp"

namespace matchpoint::grammar {

namespace {

/// What an opening bracket looks like the beginning of.
enum class Shape : std::uint8_t { nothing, command, thread, entry, trace };

/// `[rho (sndi`, `[rho (x :=`, also with a misspelt command. `lexer` is after the first bracket.
bool begins_command(Lexer lexer) {
    Token const rho = lexer.next();
    if (!is_atom(rho) || is_command_name(rho.text) || parse_op(rho.text) || !is_open(lexer.next())) return false;
    Token const first = lexer.next();
    return is_atom(first) && (command_meant(first.text) || lexer.next().text == ":=");
}

/// `(rho bot)`, `(rho ((`. `lexer` is after the first bracket.
bool begins_entry(Lexer lexer) {
    Token const rho = lexer.next();
    if (!is_atom(rho) || parse_op(rho.text)) return false;
    Token const m = lexer.next();
    if (is_bot(m.text)) return is_close(lexer.next());
    return is_open(m) && is_open(lexer.next());
}

Shape shape_behind(Lexer lexer) {
    if (begins_command(lexer)) return Shape::command;
    if (begins_entry(lexer)) return Shape::entry;
    if (!is_open(lexer.next())) return Shape::nothing;
    if (begins_command(lexer)) return Shape::thread;
    return begins_entry(lexer) ? Shape::trace : Shape::nothing;
}

class Recovery {
public:
    explicit Recovery(SyntaxFailure const& failure)
        : failure_(failure), lexer_(failure.text, failure.at), open_(failure.open), ctp_close_(failure.ctp_close) {}

    std::optional<Resumption> run() {
        if (failure_.in_shared()) return among_shared();
        if (failure_.in_communicators()) return std::nullopt;
        if (failure_.ctp_open == no_offset) return before_program();
        if (Shape const unit = unit_for_its_list(); unit != Shape::nothing) {
            Offset const at = open_.back().at;
            open_.pop_back();
            return at_shape(at, unit);
        }
        correct_what_it_is();
        // `[00 (x := 1) bot )`: only this bracket is missing.
        if (failure_.is_behind_command() && is_bot(Lexer(lexer_).next().text)) {
            open_.pop_back();
            return resume(failure_.at);
        }
        for (Token t = lexer_.next(); !t.text.empty(); t = lexer_.next()) {
            std::optional<Resumption> found;
            if (is_open(t)) {
                Shape const shape = shape_behind(lexer_);
                if (counts(shape)) return at_shape(t.offset, shape);
                if (open_.size() < unit_depth()) is_certain_ = false;
                open_.push_back({t.text[0], t.offset});
            } else if (is_close(t)) {
                found = close(t);
            }
            if (found) return found;
        }
        return std::nullopt;
    }

private:
    bool in_traces() const { return ctp_close_ != no_offset; }
    std::size_t unit_depth() const { return in_traces() ? 1 : 2; }

    /// `( [00 (x := 1)] bot )`: the parser takes `[` as the beginning of a thread. `(00 bot) (01 bot)`: of a trace.
    Shape unit_for_its_list() const {
        if (open_.size() != unit_depth()) return Shape::nothing;
        Shape const shape = shape_behind(Lexer(failure_.text, open_.back().at + 1));
        return shape == Shape::entry || shape == Shape::command ? shape : Shape::nothing;
    }

    /// A bracket too few or too many can make the parser take a trace for a thread, or a thread for a trace. What is
    /// inside shows that.
    void correct_what_it_is() {
        Token const found = Lexer(lexer_).next();
        if (!in_traces()) {
            bool const is_entry = open_.size() == 3 && is_bot(found.text);  // `((00 bot`
            bool const is_movement = open_.size() == 4 && is_open(found) && // `((00 ((`
                                     Lexer(failure_.text, open_.back().at + 1).next().offset == found.offset;
            if (!is_entry && !is_movement) return;
            open_.erase(open_.begin());
            ctp_close_ = open_.front().at;
        } else {
            bool const is_command = open_.size() == 3 && failure_.is_at_command(); // `([00 (sndi`
            if (!is_command) return;
            open_.insert(open_.begin(), {'(', failure_.ctp_open});
            ctp_close_ = no_offset;
        }
        is_certain_ = false;
    }

    /// Between the threads, what looks like an entry may be an operation with something wrong in it.
    bool counts(Shape shape) const {
        return shape != Shape::nothing && (in_traces() || (shape != Shape::entry && shape != Shape::trace));
    }

    // ---- Shared variables: `(shared [x v] ...)` ----

    Resumption resume_shared(Offset at) {
        open_.resize(1);
        return {Place::shared, at, open_, no_offset, no_offset, is_certain_};
    }
    Resumption resume_program(Offset at) { return {Place::program, at, {}, no_offset, no_offset, is_certain_}; }

    /// `(shared ([x 0]))`: a bracket too many before the program. Nothing if this is not a program at all.
    std::optional<Resumption> before_program() {
        Token const t = lexer_.next();
        if (!is_close(t)) return std::nullopt;
        is_certain_ = false;
        return resume_program(end_of(t));
    }

    /// At the next variable, after the one with the error, at the bracket after the last one, or where the program
    /// begins.
    std::optional<Resumption> among_shared() {
        if (failure_.begins_program_in_shared()) return resume_program(open_.back().at);
        // `(shared ([x 0]))`: a bracket too many, which is closed somewhere.
        if (failure_.wants(wanted::variable) && is_open(Lexer(lexer_).next())) is_certain_ = false;
        for (Token t = lexer_.next(); !t.text.empty(); t = lexer_.next()) {
            bool const is_inside = open_.size() > 1;
            if (is_open(t)) {
                if (begins_program(lexer_)) return resume_program(t.offset);
                if (!is_inside || t.text == "[") return resume_shared(t.offset);
                open_.push_back({t.text[0], t.offset});
            } else if (is_close(t)) {
                if (auto found = close_shared(t)) return found;
            }
        }
        return std::nullopt;
    }

    /// Nothing if it closes a group inside a variable, or closes nothing.
    std::optional<Resumption> close_shared(Token t) {
        bool const fits = t.text[0] == closing(open_.back().kind);
        if (open_.size() == 1) return fits ? std::optional(resume_shared(t.offset)) : std::nullopt;
        if (open_.size() > 2) {
            open_.pop_back();
            return std::nullopt;
        }
        // `[x 0)`: the bracket is of the wrong kind, or the other one is missing.
        Lexer lexer = lexer_;
        bool const is_last = is_open(lexer.next()) && begins_program(lexer);
        return resume_shared(fits || !is_last ? end_of(t) : t.offset);
    }

    Resumption resume(Offset at) {
        Place place = Place::file;
        if (in_traces())
            place = open_.empty() ? Place::file : Place::trace;
        else
            place = open_.size() == 2 ? Place::thread : Place::ctp;
        return {place, at, open_, failure_.ctp_open, ctp_close_, is_certain_};
    }

    /// At an opening bracket.
    Resumption at_shape(Offset at, Shape shape) {
        bool const is_in_ctp = shape == Shape::command || shape == Shape::thread;
        std::size_t const depth = shape == Shape::command ? 2 : shape == Shape::trace ? 0 : 1;
        if (is_in_ctp == in_traces() || open_.size() != depth) is_certain_ = false;
        if (is_in_ctp == in_traces()) {
            ctp_close_ = is_in_ctp ? no_offset : at;
            open_.clear();
        }
        open_.resize(std::min(open_.size(), depth));
        while (open_.size() < depth) // it is missing in the text, or was closed too early
            open_.push_back({'(', open_.empty() && is_in_ctp ? failure_.ctp_open : at});
        return resume(at);
    }

    /// At a closing bracket; nothing if it closes nothing after which the parser could go on.
    std::optional<Resumption> close(Token t) {
        if (open_.empty()) {
            is_certain_ = false;
            return std::nullopt;
        }
        if (t.text[0] == closing(open_.back().kind)) return close_last(t);
        is_certain_ = false;
        Lexer lexer = lexer_;
        Token const next = lexer.next();
        bool const is_superfluous = is_close(next) && next.text[0] == closing(open_.back().kind);
        if (is_superfluous) return std::nullopt;
        for (std::size_t i = open_.size() - 1; i-- > unit_depth();) {
            if (t.text[0] != closing(open_[i].kind)) continue;
            open_.resize(i + 1); // brackets inside were not closed
            return close_last(t);
        }
        bool const is_of_wrong_kind = is_bot(next.text) || (is_open(next) && shape_behind(lexer) != Shape::nothing);
        if (open_.size() > unit_depth()) {
            bool const closes_what_has_it = t.text[0] == closing(open_[unit_depth() - 1].kind);
            open_.resize(unit_depth());
            if (is_of_wrong_kind || !closes_what_has_it) return resume(end_of(t));
            return resume(t.offset);
        }
        Shape const next_shape = is_open(next) ? shape_behind(lexer) : Shape::nothing;
        bool const goes_on =
            is_bot(next.text) || next_shape == Shape::entry || (open_.size() == 2 && next_shape == Shape::command);
        if (goes_on) return resume(end_of(t)); // the bracket is superfluous
        open_.pop_back();
        return behind_closed(t);
    }

    /// At the bracket that closes the last open one.
    std::optional<Resumption> close_last(Token t) {
        if (open_.size() <= unit_depth()) return resume(t.offset);
        Bracket const closed = open_.back();
        open_.pop_back();
        if (open_.size() > unit_depth()) return std::nullopt;
        bool const is_early = t.offset == failure_.at && !failure_.wants(wanted::close);
        if ((is_certain_ && !is_early) || fits(lexer_)) return resume(end_of(t));
        // `(03 )(0 2) bot))`: it stands for an opening bracket.
        is_certain_ = false;
        if (is_early) {
            open_.push_back(closed);
            open_.push_back(closed);
        }
        return std::nullopt;
    }

    /// Whether what comes next can follow a command or an entry.
    bool fits(Lexer lexer) const {
        Token const next = lexer.next();
        if (is_open(next)) {
            Lexer inside = lexer;
            bool const has_location = is_atom(inside.next());
            Token const second = inside.next();
            bool const is_like_it = is_open(second) || (in_traces() && is_bot(second.text));
            return (has_location && is_like_it) || counts(shape_behind(lexer));
        }
        return next.text.empty() || is_close(next) || (!in_traces() && is_bot(next.text));
    }

    Resumption behind_closed(Token t) {
        if (!in_traces() && open_.empty()) ctp_close_ = t.offset;
        return resume(end_of(t));
    }

    SyntaxFailure const& failure_;
    Lexer lexer_; // after what has been passed over
    std::vector<Bracket> open_;
    Offset ctp_close_;
    bool is_certain_ = true;
};

} // namespace

std::optional<Resumption> resumption(SyntaxFailure const& failure) { return Recovery(failure).run(); }

} // namespace matchpoint::grammar
