#include "rma/programs/smaller.hpp"

#include <algorithm>
#include <set>

#include "grammar/operators.hpp"
#include "rma/language/forms.hpp"
#include "rma/language/parse.hpp"
#include "rma/language/print.hpp"

namespace matchpoint::rma {

namespace {

class Smaller {
public:
    Smaller(std::string const& text, Forms const& forms) : text_(text), f_(forms) {}

    std::vector<std::string> run() {
        for (std::uint32_t i = 0; i < f_.size(); ++i) {
            if (!f_.is_list(i)) continue;
            if (i > 0) list(i);
            for (std::uint32_t k = Forms::first(i); k < f_.end(i); k = f_.end(k))
                if (!f_.is_list(k) && !names_processes(f_.head(i))) atom(k);
        }
        std::stable_sort(found_.begin(), found_.end(),
                         [](auto const& a, auto const& b) { return a.size() < b.size(); });
        return std::move(found_);
    }

private:
    void instead(std::uint32_t i, std::string_view by) {
        if (by == f_.text(i)) return;
        std::string text = text_;
        text.replace(f_.offset(i), f_.text(i).size(), by);
        found_.push_back(std::move(text));
    }

    /// The text of the parts of a list, from part n on.
    std::string_view inside(std::uint32_t i, std::size_t n) const {
        std::uint32_t k = Forms::first(i);
        for (; n > 0 && k < f_.end(i); --n) k = f_.end(k);
        if (k == f_.end(i)) return {};
        char const* const end = f_.text(i).data() + f_.text(i).size() - 1; // without the bracket
        return {f_.text(k).data(), static_cast<std::size_t>(end - f_.text(k).data())};
    }

    /// Whether the integers of such a list are numbers of processes.
    static bool names_processes(std::string_view head) {
        constexpr std::string_view heads[] = {"process",          "put",        "get", "flush", "fetch-and-op",
                                              "compare-and-swap", "accumulate", "at"};
        return std::find(std::begin(heads), std::end(heads), head) != std::end(heads);
    }

    void list(std::uint32_t i) {
        instead(i, "");
        std::string_view const head = f_.head(i);
        if (f_.text(i)[0] == '[' || head == "atomic") {
            instead(i, inside(i, 1));
        } else if (head == "while") {
            instead(i, inside(i, 2));
        } else if (head == "if") {
            for (std::uint32_t k = Forms::first(i); k < f_.end(i); k = f_.end(k))
                if (f_.is_list(k)) instead(i, inside(k, 0));
        } else if (parse_op(head)) {
            for (std::uint32_t k = f_.end(Forms::first(i)); k < f_.end(i); k = f_.end(k)) instead(i, f_.text(k));
            for (char const* const value : {"0", "1", "true", "false"}) instead(i, value);
        }
    }

    void atom(std::uint32_t i) {
        std::string_view const atom = f_.text(i);
        if (atom == "skip") instead(i, "");
        if (!is_integer(atom)) return;
        instead(i, ""); // of a `choose`
        if (atom == "0" || atom == "1") return;
        for (char const* const value : {"0", "1"}) instead(i, value);
    }

    std::string const& text_;
    Forms const& f_;
    std::vector<std::string> found_;
};

} // namespace

std::vector<std::string> smaller(std::string const& text) {
    Source const source("smaller", text);
    auto const forms = read_forms(source);
    return forms ? Smaller(text, *forms).run() : std::vector<std::string>();
}

Program shrink(Program const& program, std::function<bool(Program const&)> const& holds, std::size_t calls) {
    Program best = program;
    std::set<std::string> tried{print(program)};
    for (bool progress = true; progress;) {
        progress = false;
        for (std::string& text : smaller(print(best))) {
            Source const source("smaller", std::move(text));
            auto candidate = parse_rma(source);
            if (!candidate || !tried.insert(print(*candidate)).second) continue;
            if (calls-- == 0) return best;
            if (!holds(*candidate)) continue;
            best = std::move(*candidate);
            progress = true;
            break;
        }
    }
    return best;
}

} // namespace matchpoint::rma
