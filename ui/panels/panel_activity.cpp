// Insight: what the machine does. Memory and the KV store over time, and the answers of this session side by side.
#include <algorithm>
#include <cfloat>
#include <cstdio>

#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr double kSampleEvery_s = 1.0;

// A round number not below `value`: the top of an axis.
double axis_top(double value) {
  double top = 1.0;
  while (top < value) top *= 2.0;
  return top;
}

template <typename Value>
void graph(PanelContext& c, const char* title, const std::vector<ActivitySample>& samples, ImU32 colour, Value value,
           const std::string& now, double least_top) {
  ImGui::BeginGroup();
  const float width = c.px(250);
  label(title, c.fonts.small, c.theme.muted, width);
  label(now, c.fonts.heading, c.theme.text, width);
  const float height = c.px(72);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), c.theme.surface, c.px(6));
  double top = least_top;
  for (const ActivitySample& sample : samples) top = std::max(top, value(sample));
  top = axis_top(top);
  const double end = samples.empty() ? 0.0 : samples.back().seconds;
  constexpr double kShown_s = 120.0;
  for (size_t i = 1; i < samples.size(); ++i) {
    if (samples[i].seconds < end - kShown_s) continue;
    const auto place = [&](const ActivitySample& s) {
      const double x = std::max(0.0, 1.0 - (end - s.seconds) / kShown_s);
      return ImVec2(at.x + static_cast<float>(x) * width,
                    at.y + height - c.px(4) - static_cast<float>(value(s) / top) * (height - c.px(8)));
    };
    const ImVec2 a = place(samples[i - 1]);
    const ImVec2 b = place(samples[i]);
    list.AddQuadFilled(a, b, ImVec2(b.x, at.y + height), ImVec2(a.x, at.y + height),
                       (colour & 0x00ffffffu) | 0x30000000u);
    list.AddLine(a, b, colour, c.px(1.5f));
  }
  ImGui::Dummy(ImVec2(width, height));
  label("the last two minutes", c.fonts.small, c.theme.muted, width);
  ImGui::EndGroup();
}

void draw_graphs(PanelContext& c) {
  const std::vector<ActivitySample>& samples = c.snapshot.activity->samples;
  const ActivitySample last = samples.empty() ? ActivitySample{} : samples.back();
  const auto mega = [](uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  graph(
      c, "Memory of mneme", samples, c.theme.stages[1], [&](const ActivitySample& s) { return mega(s.resident_bytes); },
      human_bytes(static_cast<double>(last.resident_bytes)), 64.0);
  ImGui::SameLine(0, c.px(24));
  graph(
      c, "KV store on disk", samples, c.theme.stages[4], [&](const ActivitySample& s) { return mega(s.kv_bytes); },
      human_bytes(static_cast<double>(last.kv_bytes)) + " of " +
          human_bytes(static_cast<double>(c.snapshot.library.kv_quota_bytes)),
      1.0);
  if (ImGui::GetContentRegionAvail().x > 0 && ImGui::GetWindowWidth() > c.px(820)) ImGui::SameLine(0, c.px(24));
  char rate[48];
  std::snprintf(rate, sizeof(rate), last.tokens_per_s > 0.0 ? "about %.0f tokens/s" : "no answer is written",
                last.tokens_per_s);
  graph(c, "Writing", samples, c.theme.stages[5], [](const ActivitySample& s) { return s.tokens_per_s; }, rate, 10.0);
}

std::string number_or_dash(const std::optional<double>& value, const char* format) {
  if (!value) return "–";
  char text[32];
  std::snprintf(text, sizeof(text), format, *value);
  return text;
}

// A click shows what the answer cost, below.
void draw_row(PanelContext& c, size_t index, const RecentAnswer& answer) {
  const AnswerFacts& f = answer.facts;
  const auto cell = [](const std::string& text) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(text.c_str());
  };
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(index));
  const ImVec2 at = ImGui::GetCursorPos();
  if (ImGui::Selectable("##answer", index == c.window.insight_answer, ImGuiSelectableFlags_SpanAllColumns))
    c.window.insight_answer = index;
  ImGui::SetCursorPos(at);
  label(answer.question, c.fonts.regular, c.theme.text);
  ImGui::PopID();
  const bool quoted = f.model == "none";
  const bool repaired = f.hits > 0 && f.recompute_ratio.has_value();
  cell(f.ttft_ms ? human_milliseconds(*f.ttft_ms) : "–");
  cell(number_or_dash(f.tokens_per_s, "%.0f"));
  cell(quoted ? "–" : std::to_string(f.hits) + " of " + std::to_string(f.chunks));
  cell(repaired ? number_or_dash(*f.recompute_ratio * 100.0, "%.0f %%") : "–");
  cell(quoted ? "quote" : f.mode);
}

void draw_answers(PanelContext& c) {
  const std::vector<RecentAnswer>& answers = c.snapshot.activity->answers;
  label("Answers of this session", c.fonts.heading, c.theme.text);
  if (answers.empty()) {
    wrapped("Ask something, and what its answer cost appears here.", c.fonts.regular, c.theme.muted);
    return;
  }
  const ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("answers", 6, flags)) return;
  ImGui::TableSetupColumn("Question", 0, 4.0f);
  ImGui::TableSetupColumn("First word", 0, 1.1f);
  ImGui::TableSetupColumn("Tokens/s", 0, 1.0f);
  ImGui::TableSetupColumn("From cache", 0, 1.1f);
  ImGui::TableSetupColumn("Repaired", 0, 1.0f);
  ImGui::TableSetupColumn("Mode", 0, 0.9f);
  ImGui::TableHeadersRow();
  for (size_t i = 0; i < answers.size(); ++i) draw_row(c, i, answers[i]);
  ImGui::EndTable();
  const RecentAnswer& shown = answers[std::min(c.window.insight_answer, answers.size() - 1)];
  ImGui::Dummy(ImVec2(0, c.px(12)));
  label(shown.question, c.fonts.heading, c.theme.text);
  draw_cost(c, shown.facts);
}

}  // namespace

void draw_activity(PanelContext& c) {
  if (ImGui::GetTime() - c.window.sampled_at >= kSampleEvery_s) {
    c.window.sampled_at = ImGui::GetTime();
    c.post(SampleActivity{});
  }
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("activity", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  label("Insight", c.fonts.title, c.theme.text);
  wrapped("What mneme does on this machine, as measured.", c.fonts.regular, c.theme.muted);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  draw_graphs(c);
  ImGui::Dummy(ImVec2(0, c.px(12)));
  draw_answers(c);
  ImGui::EndChild();
}

}  // namespace mneme::ui
