// TikZ: a picture to paste into a paper. Units are millimetres across and rows down. An arrow goes from the row that
// sends a message to the row that delivers it, as in the other pictures. The texts are those of \footnotesize\ttfamily,
// whose characters are about 1.5 mm wide.

#include <algorithm>

#include <fmt/format.h>

#include "report/draw.hpp"
#include "report/latex.hpp"
#include "report/shared_diagram.hpp"

namespace matchpoint::report {

namespace {

constexpr std::string_view tikz_styles = R"(    every node/.style={font=\footnotesize\ttfamily, inner sep=0.5mm},
    command/.style={anchor=west, fill=white, fill opacity=0.8, text opacity=1},
    beside/.style={sloped, above, inner sep=0.3mm},
    lane/.style={draw=black!45},
    wait/.style={draw=black!20, line width=1.6mm},
    lock/.style={draw=teal!60, line width=0.8mm},
    message/.style={draw=blue!70!black, -{Stealth[length=1.6mm]}, shorten >=0.6mm},
    transit/.style={message, densely dashed},
    read/.style={draw=magenta!70!black, densely dashed, -{Stealth[length=1.6mm, open]}, shorten >=0.6mm},
    failed/.style={text=red!75!black},
    stuck/.style={text=violet}]
)";

class Tikz {
public:
    explicit Tikz(Drawing const& drawing)
        : drawing_(drawing), code_(drawing.code), run_(drawing.runs.front()), d_(run_.diagram()),
          shared_(shared_diagram(d_, code_)) {
        lay_out();
    }

    std::string text() {
        begin();
        lanes();
        waits();
        locks();
        messages();
        reads();
        rows();
        out_ += fmt::format("  \\node[anchor=west] at ({:.1f},{}) {{s = {}}};\n", x_.empty() ? 0 : x_.front(),
                            run_.rows() + 1, latex(run_.ending()));
        check_size(out_, "tikz");
        return out_ + "\\end{tikzpicture}\n";
    }

private:
    static constexpr double character = 1.5;      // mm
    static constexpr double narrowest_lane = 20;  // mm
    static constexpr double beside_lane = 5;      // mm: from a lane to its texts, and from the texts to the next lane
    static constexpr double row_height = 4.5;     // mm
    static constexpr double largest_page = 5'000; // mm: TeX has no longer lengths than 5.7 m

    std::string where(std::uint32_t row) const {
        Location const rho = d_.rows[row].rho;
        return fmt::format("{:>{}} {}", d_.rows[row].entry, std::to_string(run_.rows()).size(),
                           rho.is_none() ? "" : explain::shown_name(code_, rho));
    }

    /// Each lane is as wide as the texts beside it.
    void lay_out() {
        auto const threads = static_cast<std::uint32_t>(code_.ctp().threads.size());
        std::vector<std::size_t> widest(threads, 8);
        std::size_t gutter = 4;
        for (std::uint32_t r = 0; r < run_.rows(); ++r) {
            gutter = std::max(gutter, base::display_width(where(r)));
            if (std::uint32_t const t = d_.rows[r].thread; t != Diagram::none)
                widest[t] = std::max(widest[t], base::display_width(row_text(d_, code_, r)));
        }
        double x = static_cast<double>(gutter) * character + beside_lane;
        for (std::size_t const w : widest) {
            x_.push_back(x);
            x += std::max(narrowest_lane, static_cast<double>(w) * character + 2 * beside_lane);
        }
        x_unit_ = std::min(1.0, largest_page / x);
        y_unit_ = std::min(row_height, largest_page / (run_.rows() + 2));
    }

    void begin() {
        out_ = latex_comment(fmt::format("{}, trace {} ({} buffering): {}", drawing_.name, run_.number,
                                         to_string(run_.buffering), run_.ending()));
        for (std::string const& note : notes(d_, code_)) out_ += latex_comment(note);
        for (auto const& [t, note] : waiting_notes(d_, code_, shared_)) out_ += latex_comment(note);
        for (std::size_t i = 1; i < run_.end.size(); ++i) out_ += latex_comment(run_.end[i]);
        out_ += latex_comment("Needs \\usepackage{tikz} and \\usetikzlibrary{arrows.meta}.");
        out_ += fmt::format("\\begin{{tikzpicture}}[x={:.3f}mm, y=-{:.3f}mm,\n{}", x_unit_, y_unit_, tikz_styles);
    }

    std::uint32_t bottom() const { return run_.rows(); }
    /// Row 0 is below the heads of the lanes.
    static double y(std::uint32_t row) { return row == Diagram::none ? 0.5 : row + 1.0; }

    void line(std::string_view style, double x, double from, double to) {
        out_ += fmt::format("  \\draw[{0}] ({1:.1f},{2:.1f}) -- ({1:.1f},{3:.1f});\n", style, x, from, to);
    }

    void lanes() {
        for (std::uint32_t t = 0; t < x_.size(); ++t) {
            out_ += fmt::format("  \\node[anchor=south] at ({:.1f},0.5) {{{}}};\n", x_[t],
                                latex(explain::shown_thread(code_, t)));
            bool const is_finished = d_.next(code_, t).is_none();
            line("lane", x_[t], 0.5, is_finished ? y(d_.last[t]) : bottom() + 0.5);
        }
    }

    void waits() {
        for (std::uint32_t r = 0; r < run_.rows(); ++r)
            if (d_.rows[r].kind == Diagram::Kind::step && is_wait(code_, d_.rows[r]))
                line("wait", x_[d_.rows[r].thread], y(d_.rows[r].since), y(r));
        for (std::uint32_t t = 0; t < x_.size(); ++t)
            if (d_.stands_at_wait(code_, t)) line("wait", x_[t], y(d_.last[t]), bottom() + 0.5);
    }

    void locks() {
        for (SharedDiagram::Held const& h : shared_.held)
            line("lock", x_[h.thread] - 1 - h.slot, y(h.from), h.to == Diagram::none ? bottom() + 0.5 : y(h.to));
    }

    /// Its label is beside the right one of the two lanes, where there are no texts.
    void arrow(std::string_view style, std::uint32_t from_thread, double from, std::uint32_t to_thread, double to,
               std::string const& label) {
        out_ +=
            fmt::format("  \\draw[{}] ({:.1f},{:.1f}) -- node[beside, pos={}] {{{}}} ({:.1f},{:.1f});\n", style,
                        x_[from_thread], from, from_thread < to_thread ? 0.8 : 0.2, latex(label), x_[to_thread], to);
    }

    void messages() {
        for (Diagram::Message const& m : d_.messages) {
            std::uint32_t const sender = d_.sender(code_, m);
            std::uint32_t const receiver = d_.receiver(code_, m);
            if (m.delivered != Diagram::none && receiver != Diagram::none && receiver != sender)
                arrow("message", sender, y(m.sent), receiver, y(m.delivered), message_text(code_, m));
            else if (m.delivered != Diagram::none && receiver == sender)
                out_ += fmt::format(
                    "  \\draw[message] ({0:.1f},{1:.1f}) to[bend right=60] node[command, anchor=east] {{{2}}} "
                    "({0:.1f},{3:.1f});\n",
                    x_[sender], y(m.sent), latex(message_text(code_, m)), y(m.delivered));
            else
                out_ += fmt::format("  \\draw[transit] ({:.1f},{:.1f}) -- ++(4,0.7) node[command] {{{}}};\n",
                                    x_[sender], y(m.sent), latex(message_text(code_, m)));
        }
    }

    void reads() {
        for (SharedDiagram::Arrow const& a : shared_.arrows)
            arrow("read", d_.rows[a.from].thread, y(a.from), d_.rows[a.to].thread, y(a.to), arrow_text(code_, a));
    }

    void rows() {
        for (std::uint32_t r = 0; r < run_.rows(); ++r) {
            Diagram::Row const& row = d_.rows[r];
            double const x = row.thread == Diagram::none ? 0 : x_[row.thread];
            out_ += fmt::format("  \\node[anchor=west] at (0,{:.1f}) {{{}}};\n", y(r), latex(where(r)));
            out_ += mark(row.kind, x, y(r));
            out_ += fmt::format("  \\node[command{}] at ({:.1f},{:.1f}) {{{}}};\n", style(row.kind), x + 1.5, y(r),
                                latex(row_text(d_, code_, r)));
        }
    }

    static std::string_view style(Diagram::Kind kind) {
        switch (kind) {
        case Diagram::Kind::step:
        case Diagram::Kind::unfinished: return "";
        case Diagram::Kind::failed_assertion:
        case Diagram::Kind::failed_assumption: return ", failed";
        case Diagram::Kind::stuck: break;
        }
        return ", stuck";
    }

    static std::string mark(Diagram::Kind kind, double x, double y) {
        switch (kind) {
        case Diagram::Kind::step: return fmt::format("  \\fill ({:.1f},{:.1f}) circle[radius=0.6mm];\n", x, y);
        case Diagram::Kind::unfinished:
            return fmt::format("  \\draw[fill=white] ({:.1f},{:.1f}) circle[radius=0.6mm];\n", x, y);
        case Diagram::Kind::failed_assertion:
        case Diagram::Kind::failed_assumption:
            return fmt::format("  \\node[failed] at ({:.1f},{:.1f}) {{$\\times$}};\n", x, y);
        case Diagram::Kind::stuck: break;
        }
        return fmt::format("  \\fill[violet] ({:.1f},{:.1f}) +(-0.6mm,-0.6mm) rectangle +(0.6mm,0.6mm);\n", x, y);
    }

    Drawing const& drawing_;
    IndexedProgram const& code_;
    Drawing::Run const& run_;
    Diagram const& d_;
    SharedDiagram shared_;
    std::vector<double> x_; // by thread, mm
    double x_unit_ = 1;     // mm
    double y_unit_ = row_height;
    std::string out_;
};

} // namespace

std::string draw_tikz(Drawing const& drawing) { return Tikz(drawing).text(); }

} // namespace matchpoint::report
