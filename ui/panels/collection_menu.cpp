#include "ui/panels/collection_menu.h"

#include <imgui.h>

#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {

void collection_menu(PanelContext& c, const CollectionRow& row) {
  if (!begin_menu("collection menu")) return;
  if (menu_item(tr("Ask about it"))) {
    c.change_settings([&](SettingsView& s) { s.collection = row.name; });
    go_to(c, Page::kChat);
  }
  if (menu_item(tr("Show its documents"))) {
    c.post(ShowCollection{row.name});
    go_to(c, Page::kLibrary);
  }
  if (menu_item(tr("Look for changes now"), nullptr, false, !row.roots.empty())) c.post(Reindex{row.name});
  if (menu_item(tr("Watch for changes"), nullptr, row.watched, !row.roots.empty()))
    c.post(WatchCollection{row.name, !row.watched});
  ImGui::Separator();
  if (menu_item(tr("Remove…"))) begin_removing(c, row);
  end_menu();
}

void begin_removing(PanelContext& c, const CollectionRow& row) {
  go_to(c, Page::kLibrary);
  c.window.collection_to_remove = row.name;
}

void removing_popup(PanelContext& c, const CollectionRow& row, bool asked) {
  if (asked) {
    const ImVec2 below(ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + c.px(4));
    ImGui::SetNextWindowPos(below, ImGuiCond_Always, ImVec2(1.0f, 0.0f));
    ImGui::OpenPopup("remove");
  }
  if (!ImGui::BeginPopup("remove")) return;
  const IndexingView& indexing = c.snapshot.indexing;
  const bool is_read = (indexing.running || indexing.paused) && indexing.collection == row.name;
  label(filled(tr("Remove {0} from mneme?"), row.name), c.fonts.regular, c.theme.text, c.px(400));
  label(
      is_read ? tr("Your files stay where they are; they are read no further.") : tr("Your files stay where they are."),
      c.fonts.small, c.theme.muted);
  if (plain_button(tr("Remove"))) {
    c.post(DeleteCollection{row.name});
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (plain_button(tr("Keep"))) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace mneme::ui
