// Under an answer: one line for everybody, and for who wants to know, where the time went and what was reused.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "base/human_text.h"
#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

struct StageName {
  const char* id;
  const char* name;
  const char* meaning;
};
constexpr StageName kStages[] = {
    {"retrieve", "Find passages", "searching the collection by words and by meaning"},
    {"load", "Load", "reading stored keys and values of passages from the disk"},
    {"decode", "Decompress", "unpacking them, while the next ones are read"},
    {"recompute", "Compute", "computing passages that were not stored, and repairing a share of those that were"},
    {"read", "Read", "computing the whole prompt"},
    {"generate", "Write", "one word after the other, several at once where they are taken over from the passages"},
    {"open", "Open the model", "reading its file, for the first answer only"},
    {"measure", "Try it out", "measuring once how well and how fast this model answers from stored passages"},
};

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof(text), "%.0f %%", share * 100.0);
  return text;
}

// What happened after so many milliseconds.
const char* first_event(const MessageView& answer) {
  const bool cites = std::any_of(answer.sources.begin(), answer.sources.end(), [](const auto& s) { return s.cited; });
  if (answer.facts->model != "none") return "First word after ";
  if (cites) return "Quoted after ";
  return answer.facts->in_documents ? "Answered after " : "Nothing found after ";
}

std::string headline(const MessageView& answer) {
  const AnswerFacts& f = *answer.facts;
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "  ·  ") + part; };
  if (f.ttft_ms) add(first_event(answer) + human_milliseconds(*f.ttft_ms));
  if (f.tokens_per_s) add(human_count(std::llround(*f.tokens_per_s)) + " tokens/s");
  if (f.hits > 0) add(std::to_string(f.hits) + " of " + std::to_string(f.chunks) + " passages from the cache");
  return text.empty() ? "How this answer was made" : text;
}

// What to know before relying on the answer.
std::string warning_of(const AnswerFacts& f) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "  ·  ") + part; };
  if (f.unsupported > 0) add(human_number_of(f.unsupported, "sentence") + " without support in the documents");
  if (f.finish == "length") add("Cut at the length limit");
  if (f.finish == "interrupted") add("Stopped before its end");
  return text;
}

size_t stage_index(const std::string& id) {
  for (size_t i = 0; i < std::size(kStages); ++i) {
    if (id == kStages[i].id) return i;
  }
  return 0;
}

void fact(PanelContext& c, const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  label(name, c.fonts.small, c.theme.muted, c.px(110));
  ImGui::TableNextColumn();
  ImGui::PushID(ImGui::TableGetRowIndex());  // several may have one name
  copyable(name, value, c.fonts.small, c.theme.text);
  ImGui::PopID();
}

// What became of the prompt's tokens, and what was written.
struct TokenShare {
  int64_t tokens = 0;
  const char* name = nullptr;
  ImU32 colour = 0;
};

std::vector<TokenShare> shares_of(const PanelContext& c, const AnswerFacts& f) {
  const int64_t computed = f.hits > 0 ? std::min<int64_t>(f.recomputed_tokens, f.chunk_tokens) : f.chunk_tokens;
  return {{f.chunk_tokens - computed, "of passages, reused", c.theme.stages[1]},
          {computed, "of passages, computed", c.theme.stages[3]},
          {std::max(0, f.prompt_tokens - f.chunk_tokens), "of instructions and question", c.theme.stages[0]},
          {f.answer_tokens, "written", c.theme.stages[5]}};
}

// One bar, and under it what its colours mean, in as many lines as the width asks for.
void draw_budget(PanelContext& c, const AnswerFacts& f, float width) {
  const double total = f.prompt_tokens + f.answer_tokens;
  if (total <= 0.0) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImFont* font = c.fonts.small;
  const float line = font_size(font) + c.px(5);
  const float dot = c.px(8);
  float x = at.x;
  ImVec2 legend(at.x, at.y + c.px(16));
  for (const TokenShare& share : shares_of(c, f)) {
    if (share.tokens <= 0) continue;
    const float w = static_cast<float>(static_cast<double>(share.tokens) / total) * width;
    list.AddRectFilled(ImVec2(x, at.y), ImVec2(x + std::max(1.0f, w - c.px(1)), at.y + c.px(10)), share.colour,
                       c.px(2));
    x += w;
    const std::string text = human_count(share.tokens) + " " + share.name;
    const float needed = dot + c.px(6) + text_width(text, font);
    if (legend.x > at.x && legend.x + needed > at.x + width) legend = ImVec2(at.x, legend.y + line);
    list.AddRectFilled(ImVec2(legend.x, legend.y + c.px(2)), ImVec2(legend.x + dot, legend.y + c.px(2) + dot),
                       share.colour, c.px(2));
    list.AddText(font, font_size(font), ImVec2(legend.x + dot + c.px(6), legend.y), c.theme.text, text.c_str());
    legend.x += needed + c.px(16);
  }
  ImGui::Dummy(ImVec2(width, legend.y + line - at.y));
}

void draw_facts(PanelContext& c, const AnswerFacts& f, float width) {
  if (!ImGui::BeginTable("facts", 2, 0, ImVec2(width, 0))) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, c.px(110));
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  if (f.model == "none") {
    const std::string read_by = f.reader.empty() ? "no language model was used" : f.reader + " read them";
    fact(c, "Answered by", "quoting the best sentences; " + read_by);
  } else {
    fact(c, "Answered by", file_name(f.model) + " on " + f.device + ", mode " + f.mode);
  }
  if (f.chunks > 0 && f.model != "none")
    fact(c, "Passages",
         std::to_string(f.chunks) + " retrieved, " + human_count(f.chunk_tokens) + " tokens; " +
             std::to_string(f.hits) + " of them from the cache");
  if (f.recompute_ratio && f.hits > 0) fact(c, "Repaired", percent(*f.recompute_ratio) + " of the passages' tokens");
  if (f.level && f.bytes_read == 0 && f.hits > 0) fact(c, "Loaded", "nothing from the disk: they were still in memory");
  if (f.level && f.bytes_fp16 > 0 && f.bytes_read > 0) {
    std::string loaded = human_bytes(static_cast<double>(f.bytes_read)) + " at level " + *f.level;
    // Known of all passages together only.
    if (f.hits == f.chunks) loaded += "; uncompressed it is " + human_bytes(static_cast<double>(f.bytes_fp16));
    fact(c, "Loaded", loaded);
  }
  // Otherwise every step wrote one.
  if (f.decode_steps > 0 && f.decode_steps + 1 < f.answer_tokens)
    fact(c, "Written",
         human_number_of(f.answer_tokens, "token") + " in " + human_number_of(f.decode_steps, "step") +
             ": words that stand in the passages are tried several at once, and kept where the model says the same");
  if (f.cut_passages > 0) fact(c, "Cut", human_number_of(f.cut_passages, "passage") + ", to fit the context");
  const EngineView& engine = c.snapshot.engine;
  if (f.model != "none" && engine.running_context > 0 && file_name(engine.model) == file_name(f.model))
    fact(c, "Context",
         human_count(f.prompt_tokens + f.answer_tokens) + " of " + human_count(engine.running_context) + " tokens");
  if (f.total_ms) fact(c, "All in all", human_milliseconds(*f.total_ms));
  if (!f.query.empty()) fact(c, "Searched", f.query);
  for (const std::string& note : f.notes) fact(c, "Note", note);
  ImGui::EndTable();
}

// The stages of an answer over time, one lane each.
void draw_timeline(PanelContext& c, const AnswerFacts& facts, float room) {
  double total = std::max(0.001, facts.total_ms.value_or(0.0));
  for (const StageView& stage : facts.timeline) {
    if (!stage.intervals.empty()) total = std::max(total, stage.intervals.back().end_ms);
  }
  const float names = c.px(176);
  const float lane = c.px(20);
  const float width = std::max(c.px(60), room - names);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float left = origin.x + names;
  const float bottom = origin.y + lane * static_cast<float>(facts.timeline.size());
  for (int i = 0; i <= 4; ++i) {
    const float x = left + width * static_cast<float>(i) / 4.0f;
    list.AddLine(ImVec2(x, origin.y), ImVec2(x, bottom), c.theme.border);
  }
  for (const StageView& stage : facts.timeline) {
    const size_t index = stage_index(stage.name);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    label(std::string(kStages[index].name) + "  " + human_milliseconds(stage.total_ms()), c.fonts.small, c.theme.text,
          names - c.px(8));
    for (const StageView::Interval& interval : stage.intervals) {
      const float x0 = left + static_cast<float>(interval.begin_ms / total) * width;
      const float x1 = left + static_cast<float>(interval.end_ms / total) * width;
      list.AddRectFilled(ImVec2(x0, at.y + c.px(2)), ImVec2(std::max(x1, x0 + c.px(1.5f)), at.y + lane - c.px(4)),
                         c.theme.stages[index], c.px(2));
    }
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, ImVec2(left + width, at.y + lane))) {
      tooltip(std::string(kStages[index].name) + ": " + kStages[index].meaning + ". From " +
              human_milliseconds(stage.intervals.front().begin_ms) + " to " +
              human_milliseconds(stage.intervals.back().end_ms) + ", at work for " +
              human_milliseconds(stage.total_ms()) + ".");
    }
    ImGui::SetCursorScreenPos(ImVec2(origin.x, at.y + lane));
  }
  const ImVec2 axis = ImGui::GetCursorScreenPos();
  for (int i = 0; i <= 4; i += 2) {
    const std::string text = human_milliseconds(total * i / 4.0);
    const float w = text_width(text, c.fonts.small);
    const float x = left + width * static_cast<float>(i) / 4.0f - (i == 0 ? 0.0f : i == 4 ? w : w * 0.5f);
    list.AddText(c.fonts.small, font_size(c.fonts.small), ImVec2(x, axis.y), c.theme.muted, text.c_str());
  }
  ImGui::Dummy(ImVec2(names + width, font_size(c.fonts.small) + c.px(6)));
}

}  // namespace

void draw_cost(PanelContext& c, const AnswerFacts& facts, float width) {
  draw_timeline(c, facts, width);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  if (facts.model != "none") draw_budget(c, facts, width);
  draw_facts(c, facts, width);
}

bool draw_insight(PanelContext& c, const MessageView& answer, float width, bool open) {
  const AnswerFacts& facts = *answer.facts;
  if (const std::string warning = warning_of(facts); !warning.empty())
    wrapped(warning, c.fonts.small, c.theme.danger, width);
  const bool pressed = disclosure("insight", headline(answer), open, c.theme.muted, c.theme, c.scale);
  if (open) draw_cost(c, facts, width);
  return pressed;
}

}  // namespace mneme::ui
