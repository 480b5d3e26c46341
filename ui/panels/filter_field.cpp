// A field that filters a list, and the way back to all of it.
#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {

TextEditor::Outcome draw_filter(PanelContext& c, TextField& field, const char* id, std::string& text, float width,
                                const char* hint) {
  if (width <= 0.0f) width = ImGui::GetContentRegionAvail().x;
  const bool filled = !text.empty();
  const TextEditor::Outcome outcome = field.draw(id, text, filled ? width - c.px(36) : width, hint, c.theme, c.scale);
  if (outcome.active) c.window.filter_typed = &text;
  if (!filled) return outcome;
  ImGui::SameLine(0, c.px(4));
  ImGui::PushID(id);
  if (icon_button(Icon::kClose, tr("Show all (Esc)"), c.theme, c.scale)) text.clear();
  ImGui::PopID();
  return outcome;
}

}  // namespace mneme::ui
