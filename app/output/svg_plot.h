// Line plots as SVG, for the documents that show measurements. Threads: pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mneme::app {

struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x, y; drawn in this order
  bool dashed = false;                            // for what is only there to compare with
};

struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;  // x must then be > 0; other points are left out
  std::vector<PlotSeries> series;
};

// A whole SVG document; every text is escaped, points that are not finite are left out.
std::string svg_plot(const Plot& plot);

}  // namespace mneme::app
