// Under an answer: one line for everybody, and for who wants to know, where the time went and what was reused.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "ui/language/figures.h"
#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kLeastFactName = 108.0f;

struct StageName {
  const char* id;
  const char* name;
  const char* meaning;
};
constexpr StageName kStages[] = {
    {"retrieve", tr_noop_c("stage", "Find passages"), tr_noop("searching the collection by words and by meaning")},
    {"load", tr_noop_c("stage", "Load"), tr_noop("reading stored keys and values of passages from the disk")},
    {"decode", tr_noop_c("stage", "Decompress"), tr_noop("unpacking them, while the next ones are read")},
    {"recompute", tr_noop_c("stage", "Compute"),
     tr_noop("computing passages that were not stored, and repairing a share of those that were")},
    {"read", tr_noop_c("stage", "Read"), tr_noop("computing the whole prompt")},
    {"generate", tr_noop_c("stage", "Write"),
     tr_noop("one word after the other, several at once where they are taken over from the passages")},
    {"open", tr_noop_c("stage", "Open the model"), tr_noop("reading its file, for the first answer only")},
    {"measure", tr_noop_c("stage", "Try it out"),
     tr_noop("measuring once how well and how fast this model answers from stored passages")},
};

const char* stage_name(const StageName& stage) {
  return tr_c("stage", stage.name);
}

// What happened first, {0} behind the question.
const char* first_event(const MessageView& answer) {
  const bool cites = std::any_of(answer.sources.begin(), answer.sources.end(), [](const auto& s) { return s.cited; });
  if (answer.facts->model != "none") return tr("First word after {0}");
  if (cites) return tr("Quoted after {0}");
  return answer.facts->in_documents ? tr("Answered after {0}") : tr("Nothing found after {0}");
}

std::string headline(const MessageView& answer) {
  const AnswerFacts& f = *answer.facts;
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "  ·  ") + part; };
  if (f.ttft_ms) add(filled(first_event(answer), milliseconds_text(*f.ttft_ms)));
  if (f.tokens_per_s) add(filled(tr("{0} tokens/s"), number_text(std::llround(*f.tokens_per_s))));
  if (f.hits > 0)
    add(filled(tr_n("{1} of {0} passage from the cache", "{1} of {0} passages from the cache", f.chunks),
               std::to_string(f.chunks), std::to_string(f.hits)));
  return text.empty() ? tr("How this answer was made") : text;
}

// What to know before relying on the answer.
std::string warning_of(const AnswerFacts& f) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "  ·  ") + part; };
  if (f.unsupported > 0)
    add(filled(tr_n("{0} sentence without support in the documents", "{0} sentences without support in the documents",
                    f.unsupported),
               number_text(f.unsupported)));
  if (f.finish == "length") add(tr("Cut at the length limit"));
  if (f.finish == "interrupted") add(tr("Stopped before its end"));
  return text;
}

size_t stage_index(const std::string& id) {
  for (size_t i = 0; i < std::size(kStages); ++i) {
    if (id == kStages[i].id) return i;
  }
  return 0;
}

// What facts are called, all of them: the widest tells where what they say begins.
float fact_names_width(const PanelContext& c) {
  const char* const names[] = {tr("Answered by"),   tr("Passages"), tr("Repaired"),   tr("Loaded"),   tr("Written"),
                               tr_c("fact", "Cut"), tr("Context"),  tr("All in all"), tr("Searched"), tr("Note")};
  float width = c.px(kLeastFactName);
  for (const char* name : names) width = std::max(width, text_width(drawable(name, c.fonts.small), c.fonts.small));
  return width + c.px(2);
}

void fact(PanelContext& c, const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  label(name, c.fonts.small, c.theme.muted);
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
  return {{f.chunk_tokens - computed, tr("{0} of passages, reused"), c.theme.stages[1]},
          {computed, tr("{0} of passages, computed"), c.theme.stages[3]},
          {std::max(0, f.prompt_tokens - f.chunk_tokens), tr("{0} of instructions and question"), c.theme.stages[0]},
          {f.answer_tokens, tr("{0} written"), c.theme.stages[5]}};
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
    const std::string text = drawable(filled(share.name, number_text(share.tokens)), font);
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
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, fact_names_width(c));
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  if (f.model == "none") {
    fact(c, tr("Answered by"),
         f.reader.empty() ? tr("quoting the best sentences; no language model was used")
                          : filled(tr("quoting the best sentences; {0} read them"), f.reader));
  } else {
    fact(c, tr("Answered by"), filled(tr("{0} on {1}, mode {2}"), file_name(f.model), f.device, mode_name(f.mode)));
  }
  if (f.chunks > 0 && f.model != "none")
    fact(c, tr("Passages"),
         filled(tr("{0} retrieved, {1} tokens; {2} of them from the cache"), std::to_string(f.chunks),
                number_text(f.chunk_tokens), std::to_string(f.hits)));
  if (f.recompute_ratio && f.hits > 0)
    fact(c, tr("Repaired"), filled(tr("{0} of the passages' tokens"), percent_text(*f.recompute_ratio * 100.0)));
  if (f.level && f.bytes_read == 0 && f.hits > 0)
    fact(c, tr("Loaded"), tr("nothing from the disk: they were still in memory"));
  if (f.level && f.bytes_fp16 > 0 && f.bytes_read > 0) {
    const std::string read = bytes_text(static_cast<double>(f.bytes_read));
    const std::string level = level_name(*f.level);
    // Known of all passages together only.
    fact(c, tr("Loaded"),
         f.hits == f.chunks ? filled(tr("{0} at level {1}; uncompressed it is {2}"), read, level,
                                     bytes_text(static_cast<double>(f.bytes_fp16)))
                            : filled(tr("{0} at level {1}"), read, level));
  }
  // Otherwise every step wrote one.
  if (f.decode_steps > 0 && f.decode_steps + 1 < f.answer_tokens)
    fact(c, tr("Written"),
         filled(
             tr_n("{1} tokens in {0} step: words that stand in the passages are tried several at once, and kept where "
                  "the model says the same",
                  "{1} tokens in {0} steps: words that stand in the passages are tried several at once, and kept where "
                  "the model says the same",
                  f.decode_steps),
             number_text(f.decode_steps), number_text(f.answer_tokens)));
  if (f.cut_passages > 0)
    fact(c, tr_c("fact", "Cut"),
         filled(tr_n("{0} passage, to fit the context", "{0} passages, to fit the context", f.cut_passages),
                number_text(f.cut_passages)));
  const EngineView& engine = c.snapshot.engine;
  if (f.model != "none" && engine.running_context > 0 && file_name(engine.model) == file_name(f.model))
    fact(c, tr("Context"),
         filled(tr("{0} of {1} tokens"), number_text(f.prompt_tokens + f.answer_tokens),
                number_text(engine.running_context)));
  if (f.total_ms) fact(c, tr("All in all"), milliseconds_text(*f.total_ms));
  if (!f.query.empty()) fact(c, tr("Searched"), f.query);
  for (const std::string& note : f.notes) fact(c, tr("Note"), note);
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
    label(std::string(stage_name(kStages[index])) + "  " + milliseconds_text(stage.total_ms()), c.fonts.small,
          c.theme.text, names - c.px(8));
    for (const StageView::Interval& interval : stage.intervals) {
      const float x0 = left + static_cast<float>(interval.begin_ms / total) * width;
      const float x1 = left + static_cast<float>(interval.end_ms / total) * width;
      list.AddRectFilled(ImVec2(x0, at.y + c.px(2)), ImVec2(std::max(x1, x0 + c.px(1.5f)), at.y + lane - c.px(4)),
                         c.theme.stages[index], c.px(2));
    }
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, ImVec2(left + width, at.y + lane))) {
      tooltip(filled(tr("{0}: {1}. From {2} to {3}, at work for {4}."), stage_name(kStages[index]),
                     tr(kStages[index].meaning), milliseconds_text(stage.intervals.front().begin_ms),
                     milliseconds_text(stage.intervals.back().end_ms), milliseconds_text(stage.total_ms())));
    }
    ImGui::SetCursorScreenPos(ImVec2(origin.x, at.y + lane));
  }
  const ImVec2 axis = ImGui::GetCursorScreenPos();
  for (int i = 0; i <= 4; i += 2) {
    const std::string text = drawable(milliseconds_text(total * i / 4.0), c.fonts.small);
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
