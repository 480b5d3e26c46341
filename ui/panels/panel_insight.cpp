// Under an answer: one line for everybody, and for who wants to know, where the time went and what was reused.
#include <algorithm>
#include <cstdio>

#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof(text), "%.0f %%", share * 100.0);
  return text;
}

std::string headline(const AnswerFacts& f) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "  ·  ") + part; };
  if (f.ttft_ms) add("first word after " + human_milliseconds(*f.ttft_ms));
  if (f.tokens_per_s) {
    char rate[32];
    std::snprintf(rate, sizeof(rate), "%.0f tokens/s", *f.tokens_per_s);
    add(rate);
  }
  if (f.hits > 0) add(std::to_string(f.hits) + " of " + std::to_string(f.chunks) + " passages from the cache");
  if (f.finish == "length") add("cut at the length limit");
  if (f.finish == "interrupted") add("stopped");
  return text.empty() ? "How this answer was made" : text;
}

ImU32 stage_colour(const Theme& theme, const std::string& name) {
  static constexpr const char* kNames[] = {"retrieve", "load", "recompute", "read", "generate"};
  for (int i = 0; i < 5; ++i) {
    if (name == kNames[i]) return theme.stages[i];
  }
  return theme.muted;
}

void draw_timeline(PanelContext& c, const AnswerFacts& facts) {
  if (facts.timeline.empty()) return;
  const double total = std::max(facts.timeline.back().end_ms, 0.001);
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = c.px(18);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const StageView& stage : facts.timeline) {
    const ImVec2 min(at.x + static_cast<float>(stage.begin_ms / total) * width, at.y);
    const ImVec2 max(std::max(at.x + static_cast<float>(stage.end_ms / total) * width, min.x + c.px(2)), at.y + height);
    list.AddRectFilled(min, max, stage_colour(c.theme, stage.name), c.px(3));
    if (ImGui::IsMouseHoveringRect(min, max)) {
      ImGui::SetTooltip("%s: %s", stage.name.c_str(), human_milliseconds(stage.end_ms - stage.begin_ms).c_str());
    }
  }
  ImGui::Dummy(ImVec2(width, height));
  bool first = true;
  for (const StageView& stage : facts.timeline) {
    if (!first) ImGui::SameLine(0, c.px(14));
    first = false;
    const ImVec2 dot = ImGui::GetCursorScreenPos();
    list.AddCircleFilled(ImVec2(dot.x + c.px(5), dot.y + c.px(8)), c.px(4), stage_colour(c.theme, stage.name));
    ImGui::SetCursorScreenPos(ImVec2(dot.x + c.px(14), dot.y));
    label(stage.name + " " + human_milliseconds(stage.end_ms - stage.begin_ms), c.fonts.small, c.theme.muted,
          c.px(200));
  }
}

void fact(PanelContext& c, const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  label(name, c.fonts.small, c.theme.muted);
  ImGui::TableNextColumn();
  label(value, c.fonts.small, c.theme.text);
}

void draw_facts(PanelContext& c, const AnswerFacts& f) {
  if (!ImGui::BeginTable("facts", 2, ImGuiTableFlags_SizingFixedFit)) return;
  fact(c, "Model", file_name(f.model) + " on " + f.device);
  fact(c, "Mode", f.mode);
  fact(c, "Tokens",
       human_count(f.prompt_tokens) + " in the prompt, " + human_count(f.chunk_tokens) + " of them from passages, " +
           human_count(f.answer_tokens) + " written");
  if (f.chunks > 0)
    fact(c, "Passages", std::to_string(f.hits) + " of " + std::to_string(f.chunks) + " from the KV store");
  if (f.recompute_ratio) fact(c, "Recomputed", percent(*f.recompute_ratio) + " of the passages' tokens");
  if (f.level && f.bytes_fp16 > 0) {
    fact(c, "Loaded",
         human_bytes(static_cast<double>(f.bytes_read)) + " at level " + *f.level + ", " +
             human_bytes(static_cast<double>(f.bytes_fp16)) + " uncompressed");
  }
  for (const std::string& note : f.notes) fact(c, "Note", note);
  ImGui::EndTable();
}

}  // namespace

void draw_insight(PanelContext& c, const AnswerFacts& facts, const void* owner) {
  bool& open = c.window.open_insight[owner];
  ImGui::PushFont(c.fonts.small);
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_Text, c.theme.muted);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(c.px(4), c.px(3)));
  if (ImGui::Button((headline(facts) + (open ? "  –" : "  +") + "##insight").c_str())) open = !open;
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  ImGui::PopFont();
  if (!open) return;
  draw_timeline(c, facts);
  draw_facts(c, facts);
}

}  // namespace mneme::ui
