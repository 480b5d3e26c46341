#include "app/output/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

namespace mneme::app {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 440;
constexpr double kLeft = 70;
constexpr double kRight = 190;  // room for the legend
constexpr double kTop = 40;
constexpr double kBottom = 55;

// Distinguishable with the common kinds of colour blindness (Okabe and Ito 2008).
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value + 0.0);  // "0" where an axis gives -0.0
  return text;
}

std::string coordinate(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;

  double place(double value) const {  // 0 to 1
    const double v = logarithmic ? std::log10(value) : value;
    return (v - low) / (high - low);
  }
};

bool drawable(const std::pair<double, double>& point, bool log_x) {
  return std::isfinite(point.first) && std::isfinite(point.second) && (!log_x || point.first > 0);
}

// The span of all values, a little wider; of x where first, else of y.
Axis axis_of(const Plot& plot, bool of_x) {
  Axis axis{.low = INFINITY, .high = -INFINITY, .logarithmic = of_x && plot.log_x};
  for (const PlotSeries& series : plot.series) {
    for (const auto& point : series.points) {
      if (!drawable(point, plot.log_x)) continue;
      const double value = of_x ? point.first : point.second;
      axis.low = std::min(axis.low, axis.logarithmic ? std::log10(value) : value);
      axis.high = std::max(axis.high, axis.logarithmic ? std::log10(value) : value);
    }
  }
  if (!(axis.low <= axis.high)) return {.low = 0, .high = 1, .logarithmic = false};
  const double margin =
      axis.high > axis.low ? (axis.high - axis.low) * 0.05 : std::max(std::abs(axis.high) * 0.05, 0.5);
  axis.low -= margin;
  axis.high += margin;
  return axis;
}

// Steps of 1, 2 or 5 times a power of ten, some five of them.
std::vector<double> even_ticks(const Axis& axis) {
  const double rough = (axis.high - axis.low) / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double step = power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
  std::vector<double> values;
  for (double i = std::ceil(axis.low / step); i * step <= axis.high; ++i) values.push_back(i * step);
  return values;
}

// Where values were measured, since those of a logarithmic axis are chosen ones, such as doublings; of many every n-th.
std::vector<double> measured_ticks(const Plot& plot) {
  constexpr size_t kMost = 8;
  std::set<double> all;
  for (const PlotSeries& series : plot.series)
    for (const auto& point : series.points)
      if (drawable(point, plot.log_x)) all.insert(point.first);
  const size_t step = std::max<size_t>((all.size() + kMost - 1) / kMost, 1);
  std::vector<double> values;
  size_t index = 0;
  for (const double value : all)
    if (index++ % step == 0) values.push_back(value);
  return values;
}

double x_at(double share) {
  return kLeft + share * (kWidth - kLeft - kRight);
}
double y_at(double share) {
  return kHeight - kBottom - share * (kHeight - kTop - kBottom);
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text,
                    const std::string& more = "") {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
         escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" + coordinate(x2) + "\" y2=\"" +
         coordinate(y2) + "\" " + style + "/>\n";
}

std::string axes_svg(const Plot& plot, const Axis& x, const Axis& y) {
  const std::string grid = "stroke=\"#dddddd\"";
  std::string svg;
  for (const double tick : x.logarithmic ? measured_ticks(plot) : even_ticks(x)) {
    const double at = x_at(x.place(tick));
    svg += line(at, y_at(0), at, y_at(1), grid);
    svg += text_at(at, y_at(0) + 18, "middle", number(tick));
  }
  for (const double tick : even_ticks(y)) {
    const double at = y_at(y.place(tick));
    svg += line(x_at(0), at, x_at(1), at, grid);
    svg += text_at(x_at(0) - 8, at + 4, "end", number(tick));
  }
  svg += line(x_at(0), y_at(0), x_at(1), y_at(0), "stroke=\"#000000\"");
  svg += line(x_at(0), y_at(0), x_at(0), y_at(1), "stroke=\"#000000\"");
  svg += text_at(x_at(0.5), kHeight - 14, "middle", plot.x_label);
  svg +=
      text_at(0, 0, "middle", plot.y_label, " transform=\"translate(18," + coordinate(y_at(0.5)) + ") rotate(-90)\"");
  svg += text_at(x_at(0.5), 22, "middle", plot.title, " font-weight=\"bold\"");
  return svg;
}

// Where colours come again, marks tell the lines apart: circles, then squares.
std::string mark_svg(size_t index, const std::string& px, const std::string& py, const std::string& colour) {
  if (index / kColours.size() % 2 == 0) {
    return "<circle cx=\"" + px + "\" cy=\"" + py + "\" r=\"3\" fill=\"" + colour + "\"/>\n";
  }
  return "<rect x=\"" + px + "\" y=\"" + py + "\" width=\"7\" height=\"7\" transform=\"translate(-3.5,-3.5)\" fill=\"" +
         colour + "\"/>\n";
}

std::string series_svg(const Plot& plot, size_t index, const Axis& x, const Axis& y) {
  const PlotSeries& series = plot.series[index];
  const std::string colour = kColours[index % kColours.size()];
  const std::string dash = series.dashed ? " stroke-dasharray=\"6 4\"" : "";
  std::string path;
  std::string marks;
  for (const auto& point : series.points) {
    if (!drawable(point, plot.log_x)) continue;
    const std::string px = coordinate(x_at(x.place(point.first)));
    const std::string py = coordinate(y_at(y.place(point.second)));
    path += (path.empty() ? "" : " ") + px + "," + py;
    if (!series.dashed) marks += mark_svg(index, px, py, colour);
  }
  std::string svg = "<polyline fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"2\"" + dash + " points=\"" +
                    path + "\"/>\n" + marks;
  const double legend = kTop + 10 + 20 * static_cast<double>(index);
  svg += line(x_at(1) + 14, legend, x_at(1) + 38, legend, "stroke=\"" + colour + "\" stroke-width=\"2\"" + dash);
  if (!series.dashed) svg += mark_svg(index, coordinate(x_at(1) + 26), coordinate(legend), colour);
  return svg + text_at(x_at(1) + 44, legend + 4, "start", series.name);
}

}  // namespace

std::string svg_plot(const Plot& plot) {
  const Axis x = axis_of(plot, true);
  const Axis y = axis_of(plot, false);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth) + " " +
                    number(kHeight) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
                    "fill=\"#ffffff\"/>\n";
  svg += axes_svg(plot, x, y);
  for (size_t i = 0; i < plot.series.size(); ++i) svg += series_svg(plot, i, x, y);
  return svg + "</svg>\n";
}

}  // namespace mneme::app
