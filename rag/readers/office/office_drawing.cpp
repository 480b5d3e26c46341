#include "rag/readers/office/office_drawing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "rag/readers/office/office_math.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"
#include "rag/readers/raised_text.h"

namespace mneme::readers {
namespace {

constexpr int kDeepest = 64;          // of the trees of charts and diagrams
constexpr size_t kMostPoints = 2000;  // of a series
constexpr size_t kMostSeries = 64;

// The numbers of a cache have more digits than anybody wrote: "0.19000000000000003".
std::string shown_value(std::string_view value, std::string_view format) {
  double number = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size()) return std::string(value);
  const bool percent = format.find('%') != std::string_view::npos;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), percent ? "%.4g%%" : "%.10g", percent ? number * 100 : number);
  return text.data();
}

// By how much of its size a run stands above its line.
Shift shift_of(const pugi::xml_node& run) {
  const int baseline = to_int(attribute_named(child_named(run, "rPr"), "baseline"), 0);
  if (baseline == 0) return Shift::kNone;
  return baseline > 0 ? Shift::kRaised : Shift::kLowered;
}

using Points = std::map<int, std::string>;

// The points that a file keeps of what a series refers to (c:strCache, c:numCache and those of several levels).
void take_points(const pugi::xml_node& node, std::string_view format, int depth_left, Points& points) {
  if (depth_left <= 0) return;
  if (const pugi::xml_node code = child_named(node, "formatCode")) format = code.child_value();
  for (const pugi::xml_node child : node.children()) {
    if (points.size() >= kMostPoints) return;
    if (local_name(child) != "pt") {
      take_points(child, format, depth_left - 1, points);
      continue;
    }
    std::string& point = points[to_int(attribute_named(child, "idx"), 0)];
    const std::string value = shown_value(child_named(child, "v").child_value(), format);
    if (point.size() > kLongestLabel) continue;
    point = point.empty() ? value : value + " " + point;  // of several levels the outer come last
  }
}

std::string first_point(const pugi::xml_node& node) {
  Points points;
  take_points(node, {}, kDeepest, points);
  if (!points.empty()) return points.begin()->second;
  return child_named(node, "v").child_value();
}

struct Series {
  std::string name;
  Points categories;
  Points values;
};

Series series_of(const pugi::xml_node& node) {
  Series series;
  series.name = first_point(child_named(node, "tx"));
  for (const char* name : {"cat", "xVal"}) take_points(child_named(node, name), {}, kDeepest, series.categories);
  for (const char* name : {"val", "yVal"}) take_points(child_named(node, name), {}, kDeepest, series.values);
  return series;
}

void find_series(const pugi::xml_node& node, int depth_left, std::vector<Series>& all) {
  if (depth_left <= 0) return;
  for (const pugi::xml_node child : node.children()) {
    if (all.size() >= kMostSeries) return;
    if (local_name(child) == "ser") {
      all.push_back(series_of(child));
    } else {
      find_series(child, depth_left - 1, all);
    }
  }
}

// Of the chart and its axes, in the order of the file.
void find_titles(const pugi::xml_node& node, int depth_left, std::vector<std::string>& titles) {
  if (depth_left <= 0) return;
  for (const pugi::xml_node child : node.children()) {
    if (local_name(child) == "title") {
      std::string title = drawing_text(child, depth_left);
      if (title.empty()) title = first_point(child_named(child_named(child, "tx"), "strRef"));
      if (!title.empty()) titles.push_back(std::move(title));
    } else if (local_name(child) != "ser") {
      find_titles(child, depth_left - 1, titles);
    }
  }
}

void add_numbers(const std::vector<Series>& all, DocumentBuilder& builder) {
  std::vector<std::string> names(1);
  std::set<int> places;
  for (const Series& series : all) {
    names.push_back(series.name);
    for (const auto& [place, value] : series.values) places.insert(place);
  }
  builder.table_row(names);
  const auto at = [](const Points& points, int place) {
    const auto found = points.find(place);
    return found == points.end() ? std::string() : found->second;
  };
  for (const int place : places) {
    std::vector<std::string> row(1);
    for (const Series& series : all) {
      if (row[0].empty()) row[0] = at(series.categories, place);
      row.push_back(at(series.values, place));
    }
    builder.table_row(row);
  }
}

// The points of a diagram that people have written, and which belongs below which.
class Diagram {
 public:
  explicit Diagram(const pugi::xml_node& model) {
    for (const pugi::xml_node point : child_named(model, "ptLst").children()) {
      const std::string_view type = attribute_named(point, "type");
      if (type == "pres" || type == "parTrans" || type == "sibTrans") continue;  // how it is drawn
      const std::string id(attribute_named(point, "modelId"));
      if (type == "doc") root_ = id;
      if (texts_.emplace(id, drawing_text(child_named(point, "t"), kDeepest)).second) order_.push_back(id);
    }
    for (const pugi::xml_node link : child_named(model, "cxnLst").children()) {
      const std::string_view type = attribute_named(link, "type");
      if (!type.empty() && type != "parOf") continue;
      below_[std::string(attribute_named(link, "srcId"))].emplace(to_int(attribute_named(link, "srcOrd"), 0),
                                                                  attribute_named(link, "destId"));
    }
  }

  void write(DocumentBuilder& builder) {
    write_below(root_, 0, builder);
    for (const std::string& id : order_) write_point(id, 0, builder);  // what belongs to nothing
  }

 private:
  void write_point(const std::string& id, int depth, DocumentBuilder& builder) {
    if (depth > kDeepest || !written_.insert(id).second) return;
    if (const auto text = texts_.find(id); text != texts_.end()) builder.list_item(text->second, depth);
    write_below(id, depth + 1, builder);
  }
  void write_below(const std::string& id, int depth, DocumentBuilder& builder) {
    const auto children = below_.find(id);
    if (children == below_.end()) return;
    for (const auto& [place, child] : children->second) write_point(child, depth, builder);
  }

  std::string root_;
  std::map<std::string, std::string> texts_;
  std::vector<std::string> order_;
  std::map<std::string, std::multimap<int, std::string>> below_;
  std::set<std::string> written_;
};

// Formulas stand in a choice that programs of before 2010 pass over.
void take_runs(const pugi::xml_node& node, int depth_left, std::string& text) {
  if (depth_left <= 0) return;
  for (const pugi::xml_node run : node.children()) {
    const std::string_view name = local_name(run);
    if (name == "br") text += kLineBreak;
    if (name == "r" || name == "fld") append_shifted(text, child_named(run, "t").child_value(), shift_of(run));
    if (name == "m") text += math_text(run, depth_left);
    if (name == "AlternateContent" || name == "Choice") take_runs(run, depth_left - 1, text);
  }
}

void add_chart(const pugi::xml_document& part, ChartNumbers numbers, DocumentBuilder& builder) {
  std::vector<std::string> titles;
  find_titles(part, kDeepest, titles);
  std::string head;
  for (const std::string& title : titles) head.append(head.empty() ? "Chart: " : "; ").append(title);
  builder.paragraph(head);
  if (numbers == ChartNumbers::kLeftOut) return;
  std::vector<Series> series;
  find_series(part, kDeepest, series);
  if (!series.empty()) add_numbers(series, builder);
}

}  // namespace

void add_drawing(const pugi::xml_document& part, ChartNumbers numbers, DocumentBuilder& builder) {
  if (local_name(part.document_element()) == "dataModel") {
    Diagram(part.document_element()).write(builder);
  } else {
    add_chart(part, numbers, builder);
  }
}

std::string drawing_paragraph(const pugi::xml_node& paragraph) {
  std::string text;
  take_runs(paragraph, kDeepest, text);
  return text;
}

void add_drawing_paragraphs(const pugi::xml_node& node, int depth_left, DocumentBuilder& builder) {
  if (depth_left <= 0) return;
  for (const pugi::xml_node child : node.children()) {
    if (local_name(child) == "p") {
      builder.paragraph(drawing_paragraph(child));
    } else if (local_name(child) != "Fallback") {
      add_drawing_paragraphs(child, depth_left - 1, builder);
    }
  }
}

std::string drawing_text(const pugi::xml_node& node, int depth_left) {
  std::string text;
  if (depth_left <= 0) return text;
  for (const pugi::xml_node child : node.children()) {
    const std::string piece = local_name(child) == "p" ? drawing_paragraph(child) : drawing_text(child, depth_left - 1);
    if (!piece.empty()) text.append(text.empty() ? "" : " ").append(piece);
  }
  return text;
}

}  // namespace mneme::readers
