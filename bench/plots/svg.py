"""Plots written as SVG: panels in a row or a grid, one legend for all."""
import math

# Okabe and Ito's colors, apart for color-blind readers too.
COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#888888"]
MARKS = ["circle", "square", "diamond", "triangle", "circle", "square", "diamond", "triangle"]
FONT = 'font-family="Helvetica, Arial, sans-serif"'


HALO = 'paint-order="stroke" stroke="#fff" stroke-width="4"'  # keeps lines out of words


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def text(x, y, words, size=13, anchor="middle", color="#222", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" {FONT} text-anchor="{anchor}" fill="{color}" {extra}>{escape(words)}</text>'


def mark(kind, x, y, color, r=3.4):
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{color}"/>'
    corners = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)], "diamond": [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)],
               "triangle": [(0, -1.3), (1.2, 0.9), (-1.2, 0.9)]}[kind]
    points = " ".join(f"{x + r * 0.9 * a:.1f},{y + r * 0.9 * b:.1f}" for a, b in corners)
    return f'<polygon points="{points}" fill="{color}"/>'


class Panel:
    """One plot; x and y are its ranges, logarithmic unless `linear` has the axis; ticks are pairs (value, label)."""

    def __init__(self, title, x_range, y_range, x_ticks, y_ticks, x_label="", y_label="", linear=""):
        self.linear, self.title, self.x_range, self.y_range = linear, title, x_range, y_range
        self.x_ticks, self.y_ticks, self.x_label, self.y_label = x_ticks, y_ticks, x_label, y_label
        self.back, self.lines, self.labels = [], [], []

    def place(self, left, top, width, height):
        self.left, self.top, self.width, self.height = left, top, width, height

    def at(self, x, y):
        def along(value, bounds, axis):
            if axis in self.linear:
                return (value - bounds[0]) / (bounds[1] - bounds[0])
            return math.log(max(value, 1e-3 * bounds[0]) / bounds[0]) / math.log(bounds[1] / bounds[0])
        return self.left + self.width * along(x, self.x_range, "x"), self.top + self.height * (1 - along(y, self.y_range, "y"))

    def line(self, points, style, color, marker, dash=""):
        self.lines.append((points, color, marker, style, dash))

    def level(self, y, words, color="#b00020"):
        self.labels.append(("level", y, words, color))

    def slope(self, x0, y0, x1, exponent, words):
        """A thin line y ~ x^exponent from (x0, y0) on."""
        self.labels.append(("slope", (x0, y0, x1, y0 * (x1 / x0) ** exponent), words, "#777"))

    def mark_x(self, x, words):
        self.labels.append(("mark", x, words, "#777"))

    def note(self, points, words, color="#b00020"):
        """Rings around points, and at the bottom words that explain them."""
        self.labels.append(("note", points, words, color))

    def svg(self):
        out = [f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}" fill="#fff" stroke="#888"/>',
               text(self.left + self.width / 2, self.top - 9, self.title, 14, extra='font-weight="bold"')]
        for value, label in self.x_ticks:
            x, _ = self.at(value, self.y_range[0])
            out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{self.top}" y2="{self.top + self.height}" stroke="#e4e4e4"/>')
            out.append(text(x, self.top + self.height + 17, label, 12))
        for value, label in self.y_ticks:
            _, y = self.at(self.x_range[0], value)
            out.append(f'<line x1="{self.left}" x2="{self.left + self.width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e4e4"/>')
            out.append(text(self.left - 7, y + 4, label, 12, "end"))
        if self.x_label:
            out.append(text(self.left + self.width / 2, self.top + self.height + 38, self.x_label))
        if self.y_label:
            x, y = self.left - 58, self.top + self.height / 2
            out.append(text(x, y, self.y_label, extra=f'transform="rotate(-90 {x:.1f} {y:.1f})"'))
        last_mark = -math.inf
        for kind, where, words, color in self.labels:
            if kind == "level":
                _, y = self.at(self.x_range[0], where)
                out.append(f'<line x1="{self.left}" x2="{self.left + self.width}" y1="{y:.1f}" y2="{y:.1f}" stroke="{color}" stroke-width="1.6" stroke-dasharray="7 4"/>')
                out.append(text(self.left + self.width - 6, y - 6, words, 12, "end", color))
            elif kind == "slope":
                x0, y0, x1, y1 = where
                (a, b), (c, d) = self.at(x0, y0), self.at(x1, y1)
                out.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="{color}" stroke-dasharray="2 3"/>')
                side = 1 if d > b else -1  # above a falling line on the right, above a rising one on the left
                out.append(text((a + c) / 2 + 6 * side, (b + d) / 2 - 6, words, 11, "start" if side > 0 else "end", color))
            elif kind == "note":
                placed = [self.at(*point) for point in where]
                out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="none" stroke="{color}" stroke-width="1.6"/>' for x, y in placed]
                out.append(text(self.left + self.width - 6, self.top + self.height - 10, words, 12, "end", color, HALO))
            else:
                x, _ = self.at(where, self.y_range[0])
                down = 46 if x - last_mark < 12 else 0  # beside a neighbor, its words go lower
                last_mark = x
                out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{self.top}" y2="{self.top + self.height}" stroke="{color}" stroke-dasharray="2 3"/>')
                out.append(text(x, self.top + 14, words, 11, "middle", color, f'transform="rotate(-90 {x:.1f} {self.top + 14:.1f}) translate({-14 - down} -4)"'))
        clip = f"c{self.left:.0f}x{self.top:.0f}"
        out.append(f'<clipPath id="{clip}"><rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}"/></clipPath><g clip-path="url(#{clip})">')
        for points, color, marker, width, dash in self.lines:
            placed = [self.at(x, y) for x, y in points]
            joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
            out.append(f'<polyline points="{joined}" fill="none" stroke="{color}" stroke-width="{width}" stroke-dasharray="{dash}"/>')
            out += [mark(marker, x, y, color) for x, y in placed if marker]
        return "\n".join(out + ["</g>"])


def decades(low, high, unit=""):
    """Ticks at powers of ten, both ends given as exponents."""
    return [(10.0 ** k, f"1e{k}" if abs(k) > 3 else f"{10.0 ** k:g}") for k in range(low, high + 1)]


def write(path, title, subtitle, panels, columns, legend, panel_size=(330, 250)):
    """`legend`: names with color, marker and dash; to the right of the panels."""
    width, height = panel_size
    rows = -(-len(panels) // columns)
    legend_width = 190
    total_width = 84 + columns * (width + 66) + legend_width
    total_height = 96 + rows * (height + 76)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_width}" height="{total_height}" viewBox="0 0 {total_width} {total_height}">',
           f'<rect width="{total_width}" height="{total_height}" fill="#fff"/>',
           text(22, 27, title, 17, "start", extra='font-weight="bold"'), text(22, 48, subtitle, 13, "start", "#555")]
    for k, panel in enumerate(panels):
        panel.place(84 + k % columns * (width + 66), 88 + k // columns * (height + 76), width, height)
        out.append(panel.svg())
    x = total_width - legend_width + 4
    for k, (name, color, marker, dash) in enumerate(legend):
        y = 98 + 23 * k
        out.append(f'<line x1="{x}" x2="{x + 30}" y1="{y}" y2="{y}" stroke="{color}" stroke-width="2" stroke-dasharray="{dash}"/>')
        out += ([mark(marker, x + 15, y, color)] if marker else []) + [text(x + 38, y + 4, name, 13, "start")]
    with open(path, "w") as file:
        file.write("\n".join(out + ["</svg>"]) + "\n")
