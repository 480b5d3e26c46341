// Models: what is registered, what is in use, and how to add one.
#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

void draw_row(PanelContext& c, const ModelRow& row) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  label(row.name, row.in_use ? c.fonts.bold : c.fonts.regular, c.theme.text);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(row.path).c_str());
  ImGui::TableNextColumn();
  label(row.kind == "embedder" ? "finds passages" : "writes answers", c.fonts.regular, c.theme.muted);
  ImGui::TableNextColumn();
  label(human_bytes(static_cast<double>(row.size_bytes)), c.fonts.regular, c.theme.muted);
  ImGui::TableNextColumn();
  if (row.in_use) label("in use", c.fonts.regular, c.theme.accent);
}

}  // namespace

void draw_models(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("models", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  label("Models", c.fonts.title, c.theme.text);
  const std::string& in_use = c.snapshot.settings.model;
  wrapped(in_use.empty() || in_use == "none"
              ? "No language model is in use: answers quote the best sentences of your documents."
              : "Answers are written by " + file_name(in_use) + ".",
          c.fonts.regular, c.theme.muted);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  if (!c.snapshot.models.empty() && ImGui::BeginTable("models", 4, ImGuiTableFlags_BordersInnerH)) {
    for (const ModelRow& row : c.snapshot.models) draw_row(c, row);
    ImGui::EndTable();
  }
  ImGui::Dummy(ImVec2(0, c.px(8)));
  wrapped(
      "Any GGUF file of the Llama, Mistral, Qwen, Phi or Gemma families works. Register one in a terminal and start "
      "the "
      "window with it:",
      c.fonts.regular, c.theme.muted);
  label("mneme model add FILE --name NAME", c.fonts.mono, c.theme.text);
  label("mneme --model NAME gui", c.fonts.mono, c.theme.text);
  ImGui::EndChild();
}

}  // namespace mneme::ui
