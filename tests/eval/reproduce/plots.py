"""Plots as SVG without any libraries: lines and points, grouped bars, heat maps. Pure functions; every text is escaped,
points that are not finite are left out."""
import math
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 440, 78, 190, 40, 55
# Distinguishable with the common kinds of colour blindness (Okabe and Ito 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")


class Axis:
    """From values to places between 0 and 1."""

    def __init__(self, values, log=False, zero=False):
        self.log = log
        values = [math.log10(value) if log else value for value in values]
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        if zero and not log:
            low, high = min(low, 0.0), max(high, 0.0)
        margin = (high - low) * 0.05 if high > low else max(abs(high) * 0.05, 0.5)
        self.low = low if zero and low == 0 else low - margin
        self.high = high + margin

    def place(self, value):
        return ((math.log10(value) if self.log else value) - self.low) / (self.high - self.low)

    def ticks(self):
        """Steps of 1, 2 or 5 times a power of ten, some five of them; whole powers on a logarithmic axis."""
        rough = (self.high - self.low) / 5
        if self.log and rough >= 0.2:
            step = max(1.0, round(rough))
        else:
            power = 10 ** math.floor(math.log10(rough))
            step = power * next(m for m in (1, 2, 5, 10) if rough / power <= m * 1.5 or m == 10)
        at = math.ceil(self.low / step - 1e-9) * step
        while at <= self.high + 1e-9:
            yield 10 ** at if self.log else (0.0 if abs(at) < step * 1e-6 else at)
            at += step


def _x(share):
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(share):
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _text(x, y, anchor, text, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(str(text))}</text>'


def _line(x1, y1, x2, y2, style):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def _legend(index, name, colour):
    y = TOP + 10 + 20 * index
    left = _x(1) + 14
    if index // len(COLOURS) % 2:
        return [_line(left, y, left + 14, y, f'stroke="{colour}" stroke-width="3" stroke-dasharray="6 2"'),
                _text(left + 20, y + 4, "start", name)]
    return [f'<rect x="{left:.1f}" y="{y - 5:.1f}" width="14" height="10" fill="{colour}"/>', _text(left + 20, y + 4, "start", name)]


def _frame(title, x_label, y_label):
    middle = _y(0.5)
    return [_line(_x(0), _y(0), _x(1), _y(0), 'stroke="#000000"'), _line(_x(0), _y(0), _x(0), _y(1), 'stroke="#000000"'),
            _text(_x(0.5), HEIGHT - 14, "middle", x_label),
            _text(0, 0, "middle", y_label, f' transform="translate(18,{middle:.1f}) rotate(-90)"'),
            _text(_x(0.5), 22, "middle", title, ' font-weight="bold"')]


def _grid_y(axis):
    out = []
    for tick in axis.ticks():
        y = _y(axis.place(tick))
        out += [_line(_x(0), y, _x(1), y, 'stroke="#dddddd"'), _text(_x(0) - 8, y + 4, "end", f"{tick:.4g}")]
    return out


def _document(body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
            'font-size="12">\n<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(body) + "\n</svg>\n")


def _drawable(value, log):
    return isinstance(value, (int, float)) and math.isfinite(value) and (not log or value > 0)


def lines(title, x_label, y_label, series, log_x=False, log_y=False, points_only=False):
    """series: a list of (name, [(x, y) or (x, y, label), ...]), drawn in the order of x; labels stand beside their points.
    Series without a point are left out; where colours come again, lines are dashed."""
    kept = [(name, sorted((point for point in points if _drawable(point[0], log_x) and _drawable(point[1], log_y)),
                          key=lambda point: point[:2])) for name, points in series]
    kept = [(name, points) for name, points in kept if points]
    x_axis = Axis([point[0] for _, points in kept for point in points], log_x)
    y_axis = Axis([point[1] for _, points in kept for point in points], log_y)
    body = _grid_y(y_axis)
    for tick in x_axis.ticks():
        x = _x(x_axis.place(tick))
        body += [_line(x, _y(0), x, _y(1), 'stroke="#dddddd"'), _text(x, _y(0) + 18, "middle", f"{tick:.4g}")]
    body += _frame(title, x_label, y_label)
    for index, (name, points) in enumerate(kept):
        colour = COLOURS[index % len(COLOURS)]
        at = [(_x(x_axis.place(point[0])), _y(y_axis.place(point[1]))) for point in points]
        if len(at) > 1 and not points_only:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
            dashes = ' stroke-dasharray="6 4"' if index // len(COLOURS) % 2 else ""
            body.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dashes} points="{path}"/>')
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in at]
        body += [_text(x + 6, y - 6, "start", point[2], f' fill="{colour}"') for point, (x, y) in zip(points, at)
                 if len(point) > 2 and point[2]]
        body += _legend(index, name, colour)
    return _document(body)


def bars(title, x_label, y_label, groups, names, values):
    """groups along x, one bar per name in each; values[(group, name)] may be missing."""
    drawn = {key: value for key, value in values.items() if _drawable(value, False)}
    axis = Axis(list(drawn.values()), zero=True)
    body = _grid_y(axis) + _frame(title, x_label, y_label)
    width = 1 / max(len(groups), 1)
    bar = width * 0.8 / max(len(names), 1)
    for g, group in enumerate(groups):
        body.append(_text(_x((g + 0.5) * width), _y(0) + 18, "middle", group))
        for n, name in enumerate(names):
            if (group, name) not in drawn:
                continue
            left = _x(g * width + 0.1 * width + n * bar)
            ends = sorted((_y(axis.place(drawn[(group, name)])), _y(axis.place(0))))
            body.append(f'<rect x="{left:.1f}" y="{ends[0]:.1f}" width="{_x(bar) - _x(0):.1f}" '
                        f'height="{ends[1] - ends[0]:.1f}" fill="{COLOURS[n % len(COLOURS)]}"/>')
    for n, name in enumerate(names):
        body += _legend(n, name, COLOURS[n % len(COLOURS)])
    return _document(body)


def heat(title, x_label, y_label, columns, lines_of, values, span=None):
    """A cell per (column, line), dark for large values, the number in it. `span`: the values that are lightest and darkest,
    those of the cells without it."""
    drawn = {key: value for key, value in values.items() if _drawable(value, False)}
    low, high = span or ((min(drawn.values()), max(drawn.values())) if drawn else (0.0, 1.0))
    body = _frame(title, x_label, y_label)
    for c, column in enumerate(columns):
        body.append(_text(_x((c + 0.5) / len(columns)), _y(0) + 18, "middle", column))
    for row, line in enumerate(lines_of):
        body.append(_text(_x(0) - 8, _y((row + 0.5) / len(lines_of)) + 4, "end", line))
        for c, column in enumerate(columns):
            value = drawn.get((column, line))
            if value is None:
                continue
            share = min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5
            red, green = round(247 - 239 * share), round(251 - 203 * share)
            x, y = _x(c / len(columns)), _y((row + 1) / len(lines_of))
            body.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{_x(1 / len(columns)) - _x(0):.1f}" '
                        f'height="{_y(0) - _y(1 / len(lines_of)):.1f}" fill="rgb({red},{green},{255 - round(148 * share)})"/>')
            body.append(_text(_x((c + 0.5) / len(columns)), _y((row + 0.5) / len(lines_of)) + 4, "middle",
                              f"{value:.3g}", ' fill="#ffffff"' if share > 0.5 else ""))
    return _document(body)
