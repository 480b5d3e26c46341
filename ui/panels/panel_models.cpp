// Models: what there is, what each needs, which one answers, on which device and with how long a context.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "ui/language/figures.h"
#include "ui/panels/found_models.h"
#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr int kContexts[] = {0, 2048, 4096, 8192, 16384, 32768, 65536, 131072};

std::string millions(uint64_t parameters) {
  const double m = static_cast<double>(parameters) / 1e6;
  // Translators: millions, and thousands of millions.
  return m < 1000 ? filled(tr("{0} M parameters"), decimal_text(m, 1))
                  : filled(tr("{0} B parameters"), decimal_text(m / 1000, 1));
}

std::string context_name(int tokens, int trained) {
  if (tokens == 0) return filled(tr("As trained ({0})"), number_text(trained));
  return filled(tr_n("{0} token", "{0} tokens", tokens), number_text(tokens));
}

uint64_t need_of(const ModelRow& row, int context_tokens) {
  const int tokens = context_tokens > 0 ? std::min(context_tokens, row.context_length) : row.context_length;
  return row.weights_bytes + row.scratch_bytes +
         static_cast<uint64_t>(tokens) * static_cast<uint64_t>(row.kv_bytes_per_token);
}

// Behind the title, where there is room for both.
void engine_buttons(PanelContext& c, EngineView::State state, bool beside) {
  const bool failed = state == EngineView::State::kFailed;
  const char* load = failed ? tr("Try again") : tr("Load");
  const auto place = [beside](std::initializer_list<const char*> buttons) {
    if (beside) align_right(buttons);
  };
  if (state == EngineView::State::kClosed || failed) {
    place({load, tr("Use none")});
    if (primary_button(load, c.theme)) c.post(LoadModel{});
    ImGui::SameLine();
  } else if (state == EngineView::State::kOpen) {
    place({tr("Unload"), tr("Use none")});
    if (plain_button(tr("Unload"))) c.post(UnloadModel{});
    ImGui::SameLine();
  } else {
    place({tr("Use none")});
  }
  if (plain_button(tr("Use none")))
    c.post(UseModel{"none", c.snapshot.settings.device, c.snapshot.settings.context_tokens});
}

std::string running_text(const EngineView& e) {
  if (e.running_layers == 0) return tr("It is in memory and ready.");
  return filled(tr("It is in memory and ready: {0} layers, a context of {1} tokens. {2}."),
                std::to_string(e.running_layers), number_text(e.running_context), e.running_on);
}

bool is_tried_out(const EngineView& e) {
  return e.state == EngineView::State::kOpen && e.tried >= 0;
}

bool has_progress(const EngineView& e) {
  return e.state == EngineView::State::kLoading || is_tried_out(e);
}

std::string trial_text(const EngineView& e) {
  if (!is_tried_out(e)) return {};
  std::string text = tr("It is being tried out, once, behind what you do: later answers begin sooner.");
  if (e.trial_seconds_left >= 0) text += " " + filled(tr("About {0} are left."), seconds_text(e.trial_seconds_left));
  return " " + text;
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
  const std::string title = filled(tr("Answers are written by {0}"), file_name(e.model));
  switch (e.state) {
    case EngineView::State::kClosed: return {title, tr("It is opened by the next question, or now.")};
    case EngineView::State::kLoading: return {title, tr("Reading its file…")};
    case EngineView::State::kOpen: return {title, running_text(e) + trial_text(e)};
    case EngineView::State::kFailed:
      return {filled(tr("{0} cannot be used"), file_name(e.model)), as_sentence(e.error)};
    case EngineView::State::kNone: break;
  }
  return {tr("No language model is used"),
          tr("Answers quote the best sentences of your documents, with their sources. Click a model to have them "
             "written.")};
}

constexpr float kLeastTitle = 160.0f;  // before the buttons go below it

// The widest of those that stand there by turns, so that none moves.
float engine_buttons_width(const PanelContext& c) {
  float width = 0.0f;
  for (const char* first : {tr("Try again"), tr("Load"), tr("Unload")})
    width = std::max(width, width_of_buttons({first, tr("Use none")}));
  return width + c.px(12);
}

bool has_buttons_beside(const PanelContext& c, float width) {
  return width - 2 * ImGui::GetStyle().WindowPadding.x >= engine_buttons_width(c) + c.px(kLeastTitle);
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
        ImGui::GetContentRegionAvail().x - (beside ? engine_buttons_width(c) : 0.0f));
  if (!none) engine_buttons(c, e.state, beside);
  copyable("detail", text.detail, c.fonts.small, failed ? c.theme.danger : c.theme.muted);
  if (has_progress(e)) progress_bar(is_tried_out(e) ? e.tried : e.progress, c.theme, c.scale);
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

std::string device_text(const std::string& device) {
  if (device == "auto") return tr("Device: automatic");
  return device == "cpu" ? tr("Device: processor") : tr("Device: NVIDIA GPU");
}

void device_choice(ModelDraft& draft, PanelContext& c) {
  const std::string all[] = {device_text("auto"), device_text("cpu"), device_text("cuda")};
  const float width = choice_width(all, c.px(190), c.scale);
  if (!begin_choice("##device", device_text(draft.device), width, c.theme, c.scale)) return;
  if (choice_row(tr("Automatic"), draft.device == "auto")) draft.device = "auto";
  if (choice_row(tr("Processor"), draft.device == "cpu")) draft.device = "cpu";
  if (choice_row(tr("NVIDIA GPU"), draft.device == "cuda")) draft.device = "cuda";
  ImGui::EndCombo();
}

float context_width(const ModelRow& row, const PanelContext& c) {
  const std::string widest[] = {filled(tr("Context: {0}"), context_name(0, row.context_length))};
  return choice_width(widest, c.px(240), c.scale);
}

void context_choice(ModelDraft& draft, const ModelRow& row, PanelContext& c) {
  const std::string shown = filled(tr("Context: {0}"), context_name(draft.context_tokens, row.context_length));
  if (!begin_choice("##context", shown, context_width(row, c), c.theme, c.scale)) return;
  for (const int tokens : kContexts) {
    if (tokens > row.context_length) continue;
    if (choice_row(context_name(tokens, row.context_length).c_str(), draft.context_tokens == tokens))
      draft.context_tokens = tokens;
  }
  ImGui::EndCombo();
}

// What it would need, before it is loaded.
void draw_need(PanelContext& c, const ModelRow& row, const ModelDraft& draft) {
  const uint64_t need = need_of(row, draft.context_tokens);
  const int tokens = draft.context_tokens > 0 ? draft.context_tokens : row.context_length;
  const uint64_t kv = static_cast<uint64_t>(tokens) * static_cast<uint64_t>(row.kv_bytes_per_token);
  const uint64_t available = c.snapshot.engine.available_bytes;
  const bool too_much = available > 0 && need > available;
  const char* const needs =
      available > 0 ? tr("Needs about {0} of memory: {1} weights, {2} keys and values of {3} tokens; {4} are free.")
                    : tr("Needs about {0} of memory: {1} weights, {2} keys and values of {3} tokens.");
  std::string text =
      filled(needs, bytes_text(static_cast<double>(need)), bytes_text(static_cast<double>(row.weights_bytes)),
             bytes_text(static_cast<double>(kv)), number_text(tokens), bytes_text(static_cast<double>(available)));
  if (too_much) text += std::string(" ") + tr("It would not fit: choose a shorter context or a smaller model.");
  wrapped(text, c.fonts.small, too_much ? c.theme.danger : c.theme.muted);
}

void draw_details(PanelContext& c, const ModelRow& row) {
  ModelDraft& draft = c.window.model_draft;
  ImGui::Indent(c.px(34));
  copyable("details",
           filled(tr("{0}, {1}, {2} layers, trained for {3} tokens, {4}, {5} of keys and values per token"),
                  row.architecture, millions(row.parameters), std::to_string(row.n_layers),
                  number_text(row.context_length), row.types, bytes_text(static_cast<double>(row.kv_bytes_per_token))),
           c.fonts.small, c.theme.text);
  copyable("path", row.path, c.fonts.small, c.theme.muted);
  if (row.kind == "language") {
    device_choice(draft, c);
    same_line_if_room(context_width(row, c));
    context_choice(draft, row, c);
    same_line_if_room(c.px(60));
    const EngineView& e = c.snapshot.engine;
    const bool same = row.in_use && e.device == draft.device && e.context_tokens == draft.context_tokens;
    ImGui::BeginDisabled(same || e.state == EngineView::State::kLoading);
    if (primary_button(row.in_use ? tr("Apply") : tr("Use"), c.theme))
      c.post(UseModel{row.name, draft.device, draft.context_tokens});
    ImGui::EndDisabled();
    draw_need(c, row, draft);
  }
  if (row.kind == "embedder") {
    ImGui::BeginDisabled(row.chosen);
    if (primary_button(tr("Use"), c.theme)) c.post(UseEmbedder{row.name});
    ImGui::EndDisabled();
    wrapped(row.chosen && row.in_use ? tr("Passages are found by it.")
            : row.chosen             ? tr("Passages are found by it from the next start of mneme on.")
                         : tr("Another embedder is used from the next start of mneme on, when all passages are "
                              "embedded anew."),
            c.fonts.small, c.theme.muted);
  } else if (row.kind == "reranker") {
    copyable(
        "how",
        filled(tr("`mneme search` and `mneme ask` use it with --rerank-by {0}; the window does not yet."), row.name),
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
  std::string aside = row.in_use   ? (finds ? tr("finds passages") : tr("in use"))
                      : row.chosen ? tr("from the next start on")
                                   : "";
  if (row.shipped) aside = listed(aside, tr("came with mneme"));
  if (!row.error.empty()) aside = tr("cannot be used");
  const float right = row.shipped ? 0.0f : c.px(40);
  ImGui::BeginChild("row", ImVec2(ImGui::GetContentRegionAvail().x - right - c.px(8), c.px(36)));
  std::string name = file_name(row.name);
  if (row.size_bytes > 0) name += "   " + bytes_text(static_cast<double>(row.size_bytes));
  if (list_row("model", row.error.empty() ? Icon::kChip : Icon::kWarning, name, open || row.in_use, c.theme, c.scale,
               aside))
    draft = open ? ModelDraft{}
                 : ModelDraft{row.name, c.snapshot.settings.device, row.in_use ? c.snapshot.engine.context_tokens : 0};
  ImGui::EndChild();
  if (!row.shipped) {
    ImGui::SameLine();
    if (icon_button(Icon::kTrash, tr("Take it off this list; the file stays"), c.theme, c.scale, !row.in_use))
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
  if (!any) label(tr("None yet."), c.fonts.regular, c.theme.muted);
  ImGui::Dummy(ImVec2(0, c.px(8)));
}

}  // namespace

void draw_models(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("models", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  take_scroll(c.window.scroll_page);
  label(tr("Models"), c.fonts.title, c.theme.text);
  wrapped(tr("A language model writes the answers; an embedder finds the passages. Both run on this machine."),
          c.fonts.regular, c.theme.muted);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  draw_engine(c);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  draw_kind(c, tr("Language models"), {"language", ""});  // "": a file that cannot be read
  draw_kind(c, tr("Embedders"), {"embedder"});
  if (has_kind(c, "reranker")) draw_kind(c, tr("Rerankers"), {"reranker"});
  draw_found_models(c);
  if (plain_button(tr("Add a GGUF file…"))) c.hooks.choose_model();
  wrapped(tr("Llama, Mistral, Qwen, Phi, Gemma, gpt-oss and other families work. The file stays where it is."),
          c.fonts.small, c.theme.muted);
  ImGui::EndChild();
}

}  // namespace mneme::ui
