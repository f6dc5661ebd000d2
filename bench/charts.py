"""Charts with logarithmic axes, as SVG. The background is opaque white, so that they are readable on a dark page as well."""

import math
from dataclasses import dataclass, field
from html import escape

# Colors that color-blind readers can tell apart (Okabe and Ito), and a shape for each.
STYLES = {
    "ours": ("#0072b2", "circle"),
    "section5-z3": ("#d55e00", "square"),
    "section5-cvc5": ("#cc79a7", "diamond"),
    "exact-z3": ("#009e73", "triangle"),
    "explore": ("#737373", "cross"),
    "spin": ("#e69f00", "diamond"),
    "paper": ("#000000", "ring"),
}
LEFT, RIGHT, TOP, GAP = 70, 16, 58, 14  # around the panels, in pixels; TOP has the legend and the panels' titles
PANEL_HEIGHT, BOTTOM = 270, 44


@dataclass
class Series:
    style: str  # a key of STYLES
    points: list  # (x, seconds)
    beyond: list = field(default_factory=list)  # (x, limit) of what took longer


@dataclass
class Panel:
    title: str
    x_label: str
    series: list
    categories: list = field(default_factory=list)  # names of x = 1, 2 ...; else x is logarithmic


def decades(low, high):
    """The powers of ten around [low, high], as exponents; at least one decade."""
    first = math.floor(math.log10(low) + 1e-9)
    last = math.ceil(math.log10(high) - 1e-9)
    return range(first, max(last, first + 1) + 1)


def time_label(exponent):
    return f"{10 ** (exponent + 3)} ms" if exponent < 0 else f"{10**exponent:,} s"


class Axis:
    """Maps values to pixels."""

    def __init__(self, low, high, begin, end, is_log=True):
        self.scale = math.log10 if is_log else float
        self.low, self.high, self.begin, self.end = self.scale(low), self.scale(high), begin, end

    def __call__(self, value):
        return self.begin + (self.scale(value) - self.low) / (self.high - self.low) * (self.end - self.begin)


def mark(shape, x, y, color):
    x, y = round(x, 1), round(y, 1)
    fill = f'fill="{color}"'
    if shape == "circle":
        return f'<circle cx="{x}" cy="{y}" r="3.6" {fill}/>'
    if shape == "ring":
        return f'<circle cx="{x}" cy="{y}" r="3.8" fill="#fff" stroke="{color}" stroke-width="1.6"/>'
    if shape == "square":
        return f'<rect x="{x - 3.3:.1f}" y="{y - 3.3:.1f}" width="6.6" height="6.6" {fill}/>'
    if shape == "diamond":
        return f'<path d="M{x} {y - 4.6:.1f}l4.6 4.6l-4.6 4.6l-4.6 -4.6z" {fill}/>'
    if shape == "triangle":
        return f'<path d="M{x} {y - 4.2:.1f}l4.3 7.6h-8.6z" {fill}/>'
    return f'<path d="M{x - 3.4:.1f} {y - 3.4:.1f}l6.8 6.8m0 -6.8l-6.8 6.8" stroke="{color}" stroke-width="1.8"/>'


def arrow(x, y, color):
    """A measurement that was stopped at this limit."""
    return (f'<path d="M{x:.1f} {y:.1f}v-11m-3.6 4.6l3.6 -4.6l3.6 4.6" fill="none" stroke="{color}" stroke-width="1.6"/>')


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def draw_panel(panel, left, width, times, has_labels):
    """The lines of SVG for one panel; `times` are the exponents of its vertical axis."""
    top, bottom = TOP, TOP + PANEL_HEIGHT
    y = Axis(10.0 ** times[0], 10.0 ** times[-1], bottom, top)
    out = [text(left + width / 2, top - 9, panel.title, more=' font-weight="bold"')]
    for exponent in times:
        at = y(10.0**exponent)
        out.append(f'<path d="M{left} {at:.1f}h{width}" stroke="#ddd"/>')
        if has_labels:
            out.append(text(left - 6, at + 4, time_label(exponent), "end"))
    # Nine small ticks a decade show that the axis is logarithmic.
    small = [y(k * 10.0**e) for e in times[:-1] for k in range(2, 10)]
    out.append('<path d="' + "".join(f"M{left} {at:.1f}h4" for at in small) + '" stroke="#888"/>')
    if panel.categories:
        x = Axis(0.5, len(panel.categories) + 0.5, left, left + width, is_log=False)
        for i, name in enumerate(panel.categories):
            for line, words in enumerate(name.split("\n")):
                out.append(text(x(i + 1), bottom + 16 + 13 * line, words))
            if i > 0:
                out.append(f'<path d="M{x(i + 0.5):.1f} {top}V{bottom}" stroke="#ddd"/>')
    else:
        values = [p[0] for s in panel.series for p in s.points + s.beyond]
        low, high = min(values) / 1.3, max(values) * 1.3
        x = Axis(low, high, left, left + width)
        ticks = []
        for exponent in decades(low, high):
            for k in range(1, 10):
                value = k * 10**exponent
                if low <= value <= high:
                    at = x(value)
                    ticks.append(f"M{at:.1f} {bottom}v-{7 if k == 1 else 4}")
                    # A short axis has labels at one, two and five.
                    if k == 1 or (high / low < 300 and k in (2, 5)):
                        out.append(text(at, bottom + 16, f"{value:,g}"))
                    if k == 1:
                        out.append(f'<path d="M{at:.1f} {top}V{bottom}" stroke="#ddd"/>')
        out.append(f'<path d="{"".join(ticks)}" stroke="#888"/>')
    out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{PANEL_HEIGHT}" fill="none" stroke="#555"/>')
    if panel.x_label:
        out.append(text(left + width / 2, bottom + 34, panel.x_label))
    # Our curve last, on top of the others. Points of one category must not hide each other.
    for place, series in sorted(enumerate(panel.series), key=lambda s: s[1].style == "ours"):
        color, shape = STYLES[series.style]
        step = place - (len(panel.series) - 1) / 2
        aside = 13 * step if panel.categories else 0
        if not panel.categories and len(series.points) > 1:
            points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in series.points)
            dashes = ' stroke-dasharray="5 4"' if series.style == "paper" else ""
            out.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.8"{dashes}/>')
        out += [mark(shape, x(a) + aside, y(b), color) for a, b in series.points]
        # Points with the same limit have the same height.
        aside = aside or 7 * step
        for a, b in series.beyond:
            out += [arrow(x(a) + aside, y(b) - 3, color), mark(shape, x(a) + aside, y(b), color)]
    return out


def chart(title, panels, names, width=880):
    """The text of an SVG file. `names` maps styles to their names in the legend."""
    values = [p[1] for panel in panels for s in panel.series for p in s.points]
    values += [p[1] * 1.8 for panel in panels for s in panel.series for p in s.beyond]  # with room for arrows
    times = decades(min(values), max(values))
    each = (width - LEFT - RIGHT - GAP * (len(panels) - 1)) / len(panels)
    height = TOP + PANEL_HEIGHT + BOTTOM
    used = [style for style in STYLES if any(s.style == style for panel in panels for s in panel.series)]
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="sans-serif" font-size="12" fill="#222">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    at = LEFT
    for style in used:
        color, shape = STYLES[style]
        out += [mark(shape, at + 5, 16, color), text(at + 14, 20, names[style], "start")]
        at += 14 + 6.4 * len(names[style]) + 16
    if any(s.beyond for panel in panels for s in panel.series):
        out += [arrow(at + 5, 22, "#222"), text(at + 14, 20, "longer", "start")]
    for i, panel in enumerate(panels):
        out += draw_panel(panel, LEFT + i * (each + GAP), each, times, i == 0)
    return "\n".join([*out, "</svg>"]) + "\n"
