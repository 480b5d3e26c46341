// Models: what there is, what each needs, which one answers, on which device and with how long a context.
#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include "base/human_text.h"
#include "ui/panels/found_models.h"
#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr int kContexts[] = {0, 2048, 4096, 8192, 16384, 32768, 65536, 131072};

std::string millions(uint64_t parameters) {
  char text[32];
  const double m = static_cast<double>(parameters) / 1e6;
  std::snprintf(text, sizeof(text), m < 1000 ? "%.1f M parameters" : "%.1f B parameters", m < 1000 ? m : m / 1000);
  return text;
}

std::string context_name(int tokens, int trained) {
  if (tokens == 0) return "As trained (" + human_count(trained) + ")";
  return human_count(tokens) + " tokens";
}

uint64_t need_of(const ModelRow& row, int context_tokens) {
  const int tokens = context_tokens > 0 ? std::min(context_tokens, row.context_length) : row.context_length;
  return row.weights_bytes + row.scratch_bytes +
         static_cast<uint64_t>(tokens) * static_cast<uint64_t>(row.kv_bytes_per_token);
}

// Behind the title, where there is room for both.
void engine_buttons(PanelContext& c, EngineView::State state, bool beside) {
  const bool failed = state == EngineView::State::kFailed;
  const char* load = failed ? "Try again" : "Load";
  const auto place = [beside](std::initializer_list<const char*> buttons) {
    if (beside) align_right(buttons);
  };
  if (state == EngineView::State::kClosed || failed) {
    place({load, "Use none"});
    if (primary_button(load, c.theme)) c.post(LoadModel{});
    ImGui::SameLine();
  } else if (state == EngineView::State::kOpen) {
    place({"Unload", "Use none"});
    if (plain_button("Unload")) c.post(UnloadModel{});
    ImGui::SameLine();
  } else {
    place({"Use none"});
  }
  if (plain_button("Use none"))
    c.post(UseModel{"none", c.snapshot.settings.device, c.snapshot.settings.context_tokens});
}

std::string running_text(const EngineView& e) {
  if (e.running_layers == 0) return "It is in memory and ready.";
  return "It is in memory and ready: " + std::to_string(e.running_layers) + " layers, a context of " +
         human_count(e.running_context) + " tokens. " + e.running_on + ".";
}

bool is_tried_out(const EngineView& e) {
  return e.state == EngineView::State::kOpen && e.tried >= 0;
}

bool has_progress(const EngineView& e) {
  return e.state == EngineView::State::kLoading || is_tried_out(e);
}

std::string trial_text(const EngineView& e) {
  if (!is_tried_out(e)) return {};
  std::string text = " It is being tried out, once, behind what you do: later answers begin sooner.";
  if (e.trial_seconds_left >= 0) text += " About " + human_seconds(e.trial_seconds_left) + " are left.";
  return text;
}

struct EngineText {
  std::string title;
  std::string detail;
};

// A model whose file is known to be damaged is not merely closed.
EngineView engine_of(const PanelContext& c) {
  EngineView engine = c.snapshot.engine;
  for (const ModelRow& row : c.snapshot.models) {
    const bool answers = row.in_use && row.kind != "embedder";  // what cannot be read has no kind
    if (engine.state != EngineView::State::kClosed || !answers || row.error.empty()) continue;
    engine.state = EngineView::State::kFailed;
    engine.error = row.error;
  }
  return engine;
}

EngineText text_of(const EngineView& e) {
  const std::string title = "Answers are written by " + file_name(e.model);
  switch (e.state) {
    case EngineView::State::kClosed: return {title, "It is opened by the next question, or now."};
    case EngineView::State::kLoading: return {title, "Reading its file…"};
    case EngineView::State::kOpen: return {title, running_text(e) + trial_text(e)};
    case EngineView::State::kFailed: return {file_name(e.model) + " cannot be used", as_sentence(e.error)};
    case EngineView::State::kNone: break;
  }
  return {
      "No language model is used",
      "Answers quote the best sentences of your documents, with their sources. Click a model to have them written."};
}

constexpr float kEngineButtons = 200.0f;
constexpr float kLeastTitle = 160.0f;  // before the buttons go below it

bool has_buttons_beside(const PanelContext& c, float width) {
  return width - 2 * ImGui::GetStyle().WindowPadding.x >= c.px(kEngineButtons + kLeastTitle);
}

// What is said of a damaged file may be long, and the window narrow.
float engine_height(const PanelContext& c, const EngineView& e, const std::string& detail, float width) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const bool none = e.state == EngineView::State::kNone;
  float height = 2 * style.WindowPadding.y + style.ItemSpacing.y + c.px(2);
  height += none ? font_size(c.fonts.bold) : ImGui::GetFrameHeight();
  if (!none && !has_buttons_beside(c, width)) height += font_size(c.fonts.bold) + style.ItemSpacing.y;
  height += wrapped_height(detail, c.fonts.small, width - 2 * style.WindowPadding.x);
  if (has_progress(e)) height += style.ItemSpacing.y + c.px(14);
  return height;
}

// What answers now.
void draw_engine(PanelContext& c) {
  const EngineView e = engine_of(c);
  const EngineText text = text_of(e);
  const bool failed = e.state == EngineView::State::kFailed;
  const bool none = e.state == EngineView::State::kNone;
  const float width = ImGui::GetContentRegionAvail().x - c.px(8);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, c.theme.surface);
  ImGui::BeginChild("engine", ImVec2(width, engine_height(c, e, text.detail, width)), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
  const bool beside = !none && has_buttons_beside(c, width);
  if (beside) ImGui::AlignTextToFramePadding();
  label(text.title, c.fonts.bold, c.theme.text,
        ImGui::GetContentRegionAvail().x - (beside ? c.px(kEngineButtons) : 0.0f));
  if (!none) engine_buttons(c, e.state, beside);
  copyable("detail", text.detail, c.fonts.small, failed ? c.theme.danger : c.theme.muted);
  if (has_progress(e)) progress_bar(is_tried_out(e) ? e.tried : e.progress, c.theme, c.scale);
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

void device_choice(ModelDraft& draft, PanelContext& c) {
  const std::string shown = draft.device == "auto"  ? "Device: automatic"
                            : draft.device == "cpu" ? "Device: processor"
                                                    : "Device: NVIDIA GPU";
  if (!begin_choice("##device", shown, c.px(190), c.theme, c.scale)) return;
  if (ImGui::Selectable("Automatic", draft.device == "auto")) draft.device = "auto";
  if (ImGui::Selectable("Processor", draft.device == "cpu")) draft.device = "cpu";
  if (ImGui::Selectable("NVIDIA GPU", draft.device == "cuda")) draft.device = "cuda";
  ImGui::EndCombo();
}

void context_choice(ModelDraft& draft, const ModelRow& row, PanelContext& c) {
  const std::string shown = "Context: " + context_name(draft.context_tokens, row.context_length);
  if (!begin_choice("##context", shown, c.px(240), c.theme, c.scale)) return;
  for (const int tokens : kContexts) {
    if (tokens > row.context_length) continue;
    if (ImGui::Selectable(context_name(tokens, row.context_length).c_str(), draft.context_tokens == tokens))
      draft.context_tokens = tokens;
  }
  ImGui::EndCombo();
}

// What it would need, before it is loaded.
void draw_need(PanelContext& c, const ModelRow& row, const ModelDraft& draft) {
  const uint64_t need = need_of(row, draft.context_tokens);
  const int tokens = draft.context_tokens > 0 ? draft.context_tokens : row.context_length;
  const uint64_t kv = static_cast<uint64_t>(tokens) * static_cast<uint64_t>(row.kv_bytes_per_token);
  std::string text = "Needs about " + human_bytes(static_cast<double>(need)) +
                     " of memory: " + human_bytes(static_cast<double>(row.weights_bytes)) + " weights, " +
                     human_bytes(static_cast<double>(kv)) + " keys and values of " + human_count(tokens) + " tokens";
  const uint64_t available = c.snapshot.engine.available_bytes;
  const bool too_much = available > 0 && need > available;
  if (available > 0) text += "; " + human_bytes(static_cast<double>(available)) + " are free";
  wrapped(text + (too_much ? ". It would not fit: choose a shorter context or a smaller model." : "."), c.fonts.small,
          too_much ? c.theme.danger : c.theme.muted);
}

void draw_details(PanelContext& c, const ModelRow& row) {
  ModelDraft& draft = c.window.model_draft;
  ImGui::Indent(c.px(34));
  copyable("details",
           row.architecture + ", " + millions(row.parameters) + ", " + std::to_string(row.n_layers) +
               " layers, trained for " + human_count(row.context_length) + " tokens, " + row.types + ", " +
               human_bytes(static_cast<double>(row.kv_bytes_per_token)) + " of keys and values per token",
           c.fonts.small, c.theme.text);
  copyable("path", row.path, c.fonts.small, c.theme.muted);
  if (row.kind == "language") {
    device_choice(draft, c);
    same_line_if_room(c.px(240));
    context_choice(draft, row, c);
    same_line_if_room(c.px(60));
    const EngineView& e = c.snapshot.engine;
    const bool same = row.in_use && e.device == draft.device && e.context_tokens == draft.context_tokens;
    ImGui::BeginDisabled(same || e.state == EngineView::State::kLoading);
    if (primary_button(row.in_use ? "Apply" : "Use", c.theme))
      c.post(UseModel{row.name, draft.device, draft.context_tokens});
    ImGui::EndDisabled();
    draw_need(c, row, draft);
  }
  if (row.kind == "embedder") {
    ImGui::BeginDisabled(row.chosen);
    if (primary_button("Use", c.theme)) c.post(UseEmbedder{row.name});
    ImGui::EndDisabled();
    wrapped(row.chosen && row.in_use ? "Passages are found by it."
            : row.chosen             ? "Passages are found by it from the next start of mneme on."
                         : "Another embedder is used from the next start of mneme on, when all passages are "
                           "embedded anew.",
            c.fonts.small, c.theme.muted);
  } else if (row.kind == "reranker") {
    copyable("how", "`mneme search` and `mneme ask` use it with --rerank-by " + row.name + "; the window does not yet.",
             c.fonts.small, c.theme.muted);
  }
  ImGui::Unindent(c.px(34));
  ImGui::Dummy(ImVec2(0, c.px(6)));
}

void draw_model(PanelContext& c, const ModelRow& row) {
  ModelDraft& draft = c.window.model_draft;
  ImGui::PushID(row.name.c_str());
  const bool open = draft.name == row.name;
  const bool finds = row.kind == "embedder";
  std::string aside = row.in_use ? (finds ? "finds passages" : "in use") : row.chosen ? "from the next start on" : "";
  if (row.shipped) aside += aside.empty() ? "came with mneme" : ", came with mneme";
  if (!row.error.empty()) aside = "cannot be used";
  const float right = row.shipped ? 0.0f : c.px(40);
  ImGui::BeginChild("row", ImVec2(ImGui::GetContentRegionAvail().x - right - c.px(8), c.px(36)));
  std::string name = file_name(row.name);
  if (row.size_bytes > 0) name += "   " + human_bytes(static_cast<double>(row.size_bytes));
  if (list_row("model", row.error.empty() ? Icon::kChip : Icon::kWarning, name, open || row.in_use, c.theme, c.scale,
               aside))
    draft = open ? ModelDraft{}
                 : ModelDraft{row.name, c.snapshot.settings.device, row.in_use ? c.snapshot.engine.context_tokens : 0};
  ImGui::EndChild();
  if (!row.shipped) {
    ImGui::SameLine();
    if (icon_button(Icon::kTrash, "Take it off this list; the file stays", c.theme, c.scale, !row.in_use))
      c.post(RemoveModel{row.name});
  }
  if (!row.error.empty()) {
    ImGui::Indent(c.px(34));
    copyable("error", as_sentence(row.error), c.fonts.small, c.theme.danger);
    ImGui::Unindent(c.px(34));
  } else if (open) {
    draw_details(c, row);
  }
  ImGui::PopID();
}

bool has_kind(const PanelContext& c, std::string_view kind) {
  return std::any_of(c.snapshot.models.begin(), c.snapshot.models.end(),
                     [&](const ModelRow& row) { return row.kind == kind; });
}

void draw_kind(PanelContext& c, const char* heading, std::initializer_list<std::string_view> kinds) {
  label(heading, c.fonts.heading, c.theme.text);
  bool any = false;
  for (const ModelRow& row : c.snapshot.models) {
    if (std::find(kinds.begin(), kinds.end(), row.kind) == kinds.end()) continue;
    any = true;
    draw_model(c, row);
  }
  if (!any) label("None yet.", c.fonts.regular, c.theme.muted);
  ImGui::Dummy(ImVec2(0, c.px(8)));
}

}  // namespace

void draw_models(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("models", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  take_scroll(c.window.scroll_page);
  label("Models", c.fonts.title, c.theme.text);
  wrapped("A language model writes the answers; an embedder finds the passages. Both run on this machine.",
          c.fonts.regular, c.theme.muted);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  draw_engine(c);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  draw_kind(c, "Language models", {"language", ""});  // "": a file that cannot be read
  draw_kind(c, "Embedders", {"embedder"});
  if (has_kind(c, "reranker")) draw_kind(c, "Rerankers", {"reranker"});
  draw_found_models(c);
  if (plain_button("Add a GGUF file…")) c.hooks.choose_model();
  wrapped("Llama, Mistral, Qwen, Phi, Gemma, gpt-oss and other families work. The file stays where it is.",
          c.fonts.small, c.theme.muted);
  ImGui::EndChild();
}

}  // namespace mneme::ui
