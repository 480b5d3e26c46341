#include "app/bench/pq_plots.h"

#include <nlohmann/json.hpp>

#include "app/output/svg_plot.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr const char* kFull = "full attention";

PlotSeries& series_of(Plot& plot, const std::string& name) {
  for (PlotSeries& series : plot.series)
    if (series.name == name) return series;
  return plot.series.emplace_back(PlotSeries{.name = name, .points = {}, .dashed = name == kFull});
}

// Adds a point unless it was not measured or, for full attention, is there from another result of the context.
void add_point(Plot& plot, const std::string& name, double context, const json& milliseconds) {
  if (!milliseconds.is_number()) return;
  PlotSeries& series = series_of(plot, name);
  if (!series.points.empty() && series.points.back().first == context) return;
  series.points.emplace_back(context, milliseconds.get<double>());
}

}  // namespace

PqPlots pq_plots(const json& results) {
  Plot per_token{.title = "Time per token",
                 .x_label = "tokens of context",
                 .y_label = "milliseconds",
                 .log_x = true,
                 .series = {}};
  Plot second_token = per_token;
  second_token.title = "From the first token to the second, clustering included";
  for (const json& result : results) {
    const double context = result["context"].get<double>();
    const std::string name = result["method"].get<std::string>() + ", budget " + result["budget"].get<std::string>();
    add_point(per_token, kFull, context, result["full_ms"]["median"]);
    add_point(per_token, name, context, result["pq_ms"]["median"]);
    add_point(second_token, kFull, context, result["full_ms"]["median"]);
    add_point(second_token, name, context, result["second_token_ms"]);
  }
  return {svg_plot(per_token), svg_plot(second_token)};
}

}  // namespace mneme::app
