// Insight: what the machine does. Memory and the KV store over time, and the answers of this session side by side.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ui/language/figures.h"
#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr double kSampleEvery_s = 1.0;

// A round number (1, 2, 5 and tens of them) not below `value`: the top of an axis.
double axis_top(double value) {
  double top = 1.0;
  while (top * 10.0 < value) top *= 10.0;
  for (const double step : {1.0, 2.0, 5.0}) {
    if (top * step >= value) return top * step;
  }
  return top * 10.0;
}

constexpr double kShown_s = 120.0;
constexpr double kLongestStep_s = 5.0;  // between samples that belong together: in between nobody has looked
constexpr float kLeastGraph = 250.0f;   // wide
constexpr float kMostGraph = 480.0f;
constexpr float kLeastRun = 4.0f;   // of a line
constexpr double kHeadroom = 1.25;  // the axis is written above the curve

// One figure over the last two minutes.
struct Curve {
  const char* title;
  std::string now;
  ImU32 colour;
  double least_top;
  std::function<double(const ActivitySample&)> value;
  std::function<std::string(double)> text;  // a value with its unit
};

// Where samples stand within a graph.
struct Plot {
  ImVec2 at, size;
  double top = 1.0;     // value at its upper border
  double end_s = 0.0;   // time at its right border
  float margin = 0.0f;  // at its right border, where the newest stands
  float x(const ActivitySample& s) const {
    return at.x + (size.x - margin) * static_cast<float>(std::max(0.0, 1.0 - (end_s - s.seconds) / kShown_s));
  }
  float y(double value, float margin) const {
    return at.y + size.y - margin - static_cast<float>(value / top) * (size.y - 2 * margin);
  }
};

// Those of the time that is shown.
std::span<const ActivitySample> shown_samples(const PanelContext& c) {
  const std::vector<ActivitySample>& all = c.snapshot.activity->samples;
  const double end = all.empty() ? 0.0 : all.back().seconds;
  const auto first = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.seconds >= end - kShown_s; });
  return {first, all.end()};
}

// How many of the first samples belong together: nothing is known of the time behind them.
size_t run_length(std::span<const ActivitySample> samples) {
  size_t n = 1;
  while (n < samples.size() && samples[n].seconds - samples[n - 1].seconds <= kLongestStep_s) ++n;
  return n;
}

// One that was looked at for a moment only is a dot: as a line it would be a scratch.
void draw_run(PanelContext& c, std::span<const ActivitySample> samples, const Curve& curve, const Plot& plot) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bottom = plot.at.y + plot.size.y;
  if (samples.size() < 2) return;
  const ImVec2 last(plot.x(samples.back()), plot.y(curve.value(samples.back()), c.px(4)));
  if (last.x - plot.x(samples.front()) < c.px(kLeastRun)) {
    list.AddCircleFilled(last, c.px(1.5f), curve.colour);
    return;
  }
  const ImDrawListFlags flags = list.Flags;
  for (size_t i = 1; i < samples.size(); ++i) {
    const ImVec2 a(plot.x(samples[i - 1]), plot.y(curve.value(samples[i - 1]), c.px(4)));
    const ImVec2 b(plot.x(samples[i]), plot.y(curve.value(samples[i]), c.px(4)));
    list.Flags &= ~ImDrawListFlags_AntiAliasedFill;  // soft sides would be seen where one stands beside the next
    list.AddQuadFilled(a, b, ImVec2(b.x, bottom), ImVec2(a.x, bottom), (curve.colour & 0x00ffffffu) | 0x30000000u);
    list.Flags = flags;
    list.AddLine(a, b, curve.colour, c.px(1.5f));
  }
}

void draw_curve(PanelContext& c, std::span<const ActivitySample> samples, const Curve& curve, const Plot& plot) {
  if (samples.empty()) return;
  const ImVec2 now(plot.x(samples.back()), plot.y(curve.value(samples.back()), c.px(4)));
  while (!samples.empty()) {
    const size_t n = run_length(samples);
    draw_run(c, samples.first(n), curve, plot);
    samples = samples.subspan(n);
  }
  ImGui::GetWindowDrawList()->AddCircleFilled(now, c.px(2.5f), curve.colour);
}

// What it was where the mouse is.
void point_out(PanelContext& c, std::span<const ActivitySample> samples, const Curve& curve, const Plot& plot) {
  const ImVec2 corner(plot.at.x + plot.size.x, plot.at.y + plot.size.y);
  if (samples.empty() || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(plot.at, corner)) return;
  const float mouse = ImGui::GetIO().MousePos.x;
  const auto nearest = std::min_element(samples.begin(), samples.end(), [&](const auto& a, const auto& b) {
    return std::abs(plot.x(a) - mouse) < std::abs(plot.x(b) - mouse);
  });
  const double value = curve.value(*nearest);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = plot.x(*nearest);
  list.AddLine(ImVec2(x, plot.at.y), ImVec2(x, corner.y), c.theme.border, 1.0f);
  list.AddCircleFilled(ImVec2(x, plot.y(value, c.px(4))), c.px(3), curve.colour);
  tooltip(filled(tr("{0}, {1} ago"), curve.text(value), seconds_text(plot.end_s - nearest->seconds)));
}

void graph(PanelContext& c, const Curve& curve, float width) {
  const std::span<const ActivitySample> samples = shown_samples(c);
  ImGui::BeginGroup();
  Plot plot;
  plot.size = ImVec2(width, c.px(72));
  label(curve.title, c.fonts.small, c.theme.muted, plot.size.x);
  label(curve.now, c.fonts.heading, c.theme.text, plot.size.x);
  plot.at = ImGui::GetCursorScreenPos();
  plot.margin = c.px(8);
  plot.end_s = samples.empty() ? 0.0 : samples.back().seconds;
  double top = curve.least_top;
  for (const ActivitySample& sample : samples) top = std::max(top, curve.value(sample));
  plot.top = axis_top(kHeadroom * top);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(plot.at, ImVec2(plot.at.x + plot.size.x, plot.at.y + plot.size.y), c.theme.surface, c.px(6));
  draw_curve(c, samples, curve, plot);
  list.AddText(c.fonts.small, font_size(c.fonts.small), ImVec2(plot.at.x + c.px(6), plot.at.y + c.px(3)), c.theme.muted,
               drawable(curve.text(plot.top), c.fonts.small).c_str());
  point_out(c, samples, curve, plot);
  ImGui::Dummy(plot.size);
  label(tr("the last two minutes"), c.fonts.small, c.theme.muted, plot.size.x);
  ImGui::Dummy(ImVec2(0, c.px(6)));  // to the next one, where they stand below each other
  ImGui::EndGroup();
}

std::string rate_text(double tokens_per_s) {
  return filled(tr("{0} tokens/s"), decimal_text(tokens_per_s, 0));
}

void draw_graphs(PanelContext& c) {
  const std::vector<ActivitySample>& samples = c.snapshot.activity->samples;
  const ActivitySample last = samples.empty() ? ActivitySample{} : samples.back();
  const auto bytes = [](uint64_t n) { return bytes_text(static_cast<double>(n)); };
  const Curve memory{tr("Memory of mneme"),
                     bytes(last.resident_bytes),
                     c.theme.stages[1],
                     64e6,
                     [](const ActivitySample& s) { return static_cast<double>(s.resident_bytes); },
                     bytes_text};
  const Curve store{tr("KV store on disk"),
                    filled(tr("{0} of {1}"), bytes(last.kv_bytes),
                           bytes_text(static_cast<double>(c.snapshot.library.kv_quota_bytes))),
                    c.theme.stages[4],
                    1e6,
                    [](const ActivitySample& s) { return static_cast<double>(s.kv_bytes); },
                    bytes_text};
  const Curve writing{
      tr("Writing"),
      last.tokens_per_s > 0.0 ? filled(tr("about {0}"), rate_text(last.tokens_per_s)) : tr("nothing now"),
      c.theme.stages[5],
      8.0,
      [](const ActivitySample& s) { return s.tokens_per_s; },
      rate_text};
  // As many side by side as there is room for.
  const float gap = c.px(24);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float third = (ImGui::GetContentRegionAvail().x - 2 * gap - c.px(8)) / 3;
  const float width = std::clamp(third, c.px(kLeastGraph), c.px(kMostGraph));
  const Curve* const curves[] = {&memory, &store, &writing};
  for (const Curve* curve : curves) {
    if (curve != &memory && ImGui::GetItemRectMax().x + gap + width <= right) ImGui::SameLine(0, gap);
    graph(c, *curve, width);
  }
}

// A click shows what the answer cost, below.
void draw_row(PanelContext& c, size_t index, const RecentAnswer& answer) {
  const AnswerFacts& f = answer.facts;
  const auto cell = [](const std::string& text) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(drawable(text, ImGui::GetFont()).c_str());
  };
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(index));
  const ImVec2 at = ImGui::GetCursorPos();
  if (ImGui::Selectable("##answer", index == c.window.insight_answer, ImGuiSelectableFlags_SpanAllColumns))
    c.window.insight_answer = index;
  add_focus_stop(FocusOrder::Kind::kRow, index == c.window.insight_answer);
  ImGui::SetCursorPos(at);
  label(answer.question, c.fonts.regular, c.theme.text);
  ImGui::PopID();
  const bool quoted = f.model == "none";
  const bool repaired = f.hits > 0 && f.recompute_ratio.has_value();
  cell(f.ttft_ms ? milliseconds_text(*f.ttft_ms) : "–");
  cell(f.tokens_per_s ? decimal_text(*f.tokens_per_s, 0) : "–");
  cell(quoted ? "–" : filled(tr("{0} of {1}"), std::to_string(f.hits), std::to_string(f.chunks)));
  cell(repaired ? percent_text(*f.recompute_ratio * 100.0) : "–");
  cell(quoted ? tr_c("mode", "quote") : mode_name(f.mode));
}

void draw_answers(PanelContext& c) {
  const std::vector<RecentAnswer>& answers = c.snapshot.activity->answers;
  label(tr("Answers of this session"), c.fonts.heading, c.theme.text);
  if (answers.empty()) {
    wrapped(tr("Ask something, and what its answer cost appears here."), c.fonts.regular, c.theme.muted);
    return;
  }
  const ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("answers", 6, flags)) return;
  table_column(tr("Question"), 0, 4.0f);
  table_column(tr("First word"), 0, 1.1f);
  table_column(tr("Tokens/s"), 0, 1.0f);
  table_column(tr("From cache"), 0, 1.1f);
  table_column(tr("Repaired"), 0, 1.0f);
  table_column(tr("Mode"), 0, 0.9f);
  ImGui::TableHeadersRow();
  for (size_t i = 0; i < answers.size(); ++i) draw_row(c, i, answers[i]);
  ImGui::EndTable();
  const RecentAnswer& shown = answers[std::min(c.window.insight_answer, answers.size() - 1)];
  ImGui::Dummy(ImVec2(0, c.px(12)));
  label(shown.question, c.fonts.heading, c.theme.text);
  draw_cost(c, shown.facts, ImGui::GetContentRegionAvail().x - c.px(8));
}

}  // namespace

void sample_activity(PanelContext& c) {
  WindowState& w = c.window;
  const bool works = c.snapshot.answers() || c.snapshot.indexing.running;
  const bool ended = w.sampled_work && !works;  // what comes then is not what was
  const bool due = ImGui::GetTime() - w.sampled_at >= kSampleEvery_s;
  if (!ended && !(due && (works || w.page == Page::kInsight))) return;
  w.sampled_at = ImGui::GetTime();
  w.sampled_work = works;
  c.post(SampleActivity{});
}

void draw_activity(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("activity", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  take_scroll(c.window.scroll_page);
  label(tr("Insight"), c.fonts.title, c.theme.text);
  wrapped(tr("What mneme does on this machine, as measured."), c.fonts.regular, c.theme.muted);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  draw_graphs(c);
  ImGui::Dummy(ImVec2(0, c.px(12)));
  draw_answers(c);
  ImGui::EndChild();
}

}  // namespace mneme::ui
