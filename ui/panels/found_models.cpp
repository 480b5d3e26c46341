#include "ui/panels/found_models.h"

#include <algorithm>
#include <string>
#include <vector>

#include "ui/language/figures.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {

namespace {

bool is_listed(const PanelContext& c, const FoundModelRow& found) {
  return std::any_of(c.snapshot.models.begin(), c.snapshot.models.end(),
                     [&](const ModelRow& row) { return row.path == found.path; });
}

void draw_found(PanelContext& c, const FoundModelRow& row) {
  ImGui::PushID(row.path.c_str());
  const bool usable = row.error.empty();
  const float right = usable ? width_of_buttons({tr("Add")}) + c.px(16) : 0.0f;
  ImGui::BeginChild("row", ImVec2(ImGui::GetContentRegionAvail().x - right - c.px(8), c.px(36)));
  const std::string name = row.name + "   " + bytes_text(static_cast<double>(row.size_bytes));
  const bool clicked = list_row("found", usable ? Icon::kChip : Icon::kWarning, name, false, c.theme, c.scale,
                                usable ? row.program : listed(row.program, tr("cannot be used")));
  ImGui::EndChild();
  if (usable) {
    ImGui::SameLine();
    if (plain_button(tr("Add")) || clicked) c.post(AddModel{row.path, row.name});
  } else {
    ImGui::Indent(c.px(34));
    copyable("error", as_sentence(row.error), c.fonts.small, c.theme.muted);
    ImGui::Unindent(c.px(34));
  }
  ImGui::PopID();
}

}  // namespace

void draw_found_models(PanelContext& c) {
  if (!c.window.looked_for_models) c.post(FindModels{});
  c.window.looked_for_models = true;
  if (c.snapshot.found_models == nullptr) return;
  const std::vector<FoundModelRow>& found = *c.snapshot.found_models;
  if (std::all_of(found.begin(), found.end(), [&](const FoundModelRow& row) { return is_listed(c, row); })) return;
  label(tr("Found on this computer"), c.fonts.heading, c.theme.text);
  wrapped(tr("Other programs have put these here. They are used where they lie; nothing is copied."), c.fonts.small,
          c.theme.muted);
  for (const FoundModelRow& row : found) {
    if (!is_listed(c, row)) draw_found(c, row);
  }
  ImGui::Dummy(ImVec2(0, c.px(8)));
}

}  // namespace mneme::ui
