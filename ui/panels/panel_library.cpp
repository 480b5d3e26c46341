// Library: folders, what is being indexed, what failed and why, and every document.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

void draw_header(PanelContext& c) {
  label("Library", c.fonts.title, c.theme.text);
  wrapped("Folders that mneme reads. Nothing leaves this machine.", c.fonts.regular, c.theme.muted);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  if (primary_button("Add a folder…", c.theme)) c.choose_folder();
  ImGui::SameLine();
  ImGui::SetNextItemWidth(c.px(180));
  ImGui::InputTextWithHint("##collection", "into collection", &c.window.new_collection);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  label("or drop folders here", c.fonts.small, c.theme.muted);
}

void draw_indexing(PanelContext& c) {
  const IndexingView& v = c.snapshot.indexing;
  if (!v.running) return;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, c.theme.surface);
  ImGui::BeginChild("indexing", ImVec2(0, c.px(104)), false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  const std::string done = human_count(static_cast<int64_t>(v.done)) + " of " +
                           human_count(static_cast<int64_t>(v.total)) + (v.counting ? "+" : "") + " files";
  label((v.pausing ? "Pausing after the documents in work: " : "Indexing into " + v.collection + ": ") + done,
        c.fonts.bold, c.theme.text, ImGui::GetContentRegionAvail().x - c.px(110));
  if (!v.pausing) {
    ImGui::SameLine(ImGui::GetWindowWidth() - c.px(110));
    if (ImGui::SmallButton("Pause")) c.post(PauseIndexing{});
  }
  progress_bar(v.total == 0 || v.counting ? -1.0f : static_cast<float>(v.done) / static_cast<float>(v.total), c.theme,
               c.scale);
  std::string rate = human_bytes(v.bytes_per_s) + "/s, " + human_count(static_cast<int64_t>(v.chunks)) + " passages";
  if (v.eta_s >= 0.0) rate += ", " + human_seconds(v.eta_s) + " left";
  label(rate + "  ·  " + v.current_file, c.fonts.small, c.theme.muted);
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

void draw_collections(PanelContext& c) {
  for (const CollectionRow& row : c.snapshot.library.collections) {
    ImGui::PushID(row.name.c_str());
    const bool shown = row.name == c.snapshot.library.shown;
    const std::string text = row.name + "  —  " + human_count(row.documents) + " documents, " +
                             human_count(row.chunks) + " passages, " + human_bytes(static_cast<double>(row.text_bytes));
    const float right = c.px(200);
    ImGui::BeginChild("row", ImVec2(ImGui::GetContentRegionAvail().x - right, c.px(36)));
    if (list_row("show", Icon::kFolder, text, shown, c.theme, c.scale)) c.post(ShowCollection{row.name});
    ImGui::EndChild();
    ImGui::SameLine();
    const bool busy = c.snapshot.indexing.running;
    if (icon_button(Icon::kRetry, "Look for changes", c.theme, c.scale, !busy && !row.roots.empty()))
      c.post(Reindex{row.name});
    ImGui::SameLine();
    if (icon_button(Icon::kClose, "Remove this collection…", c.theme, c.scale, !busy)) ImGui::OpenPopup("remove");
    if (ImGui::BeginPopup("remove")) {
      label("Remove " + row.name + " from mneme? Your files stay.", c.fonts.regular, c.theme.text, c.px(400));
      if (ImGui::Button("Remove")) {
        c.post(DeleteCollection{row.name});
        ImGui::CloseCurrentPopup();
      }
      ImGui::EndPopup();
    }
    ImGui::PopID();
  }
}

void draw_meters(PanelContext& c) {
  const LibraryView& v = c.snapshot.library;
  std::string text = "Catalogue " + human_bytes(static_cast<double>(v.catalogue_bytes));
  if (v.kv_quota_bytes > 0) {
    text += "  ·  KV store " + human_bytes(static_cast<double>(v.kv_bytes)) + " of " +
            human_bytes(static_cast<double>(v.kv_quota_bytes));
  }
  label(text, c.fonts.small, c.theme.muted);
}

bool matches(const std::string& text, const std::string& filter) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), filter.begin(), filter.end(), same) != text.end();
}

bool comes_before(const DocumentRow& a, const DocumentRow& b, const ImGuiTableColumnSortSpecs& by) {
  int order = 0;
  if (by.ColumnIndex == 0) order = a.title.compare(b.title);
  if (by.ColumnIndex == 1) order = a.format.compare(b.format);
  if (by.ColumnIndex == 2) order = a.size_bytes < b.size_bytes ? -1 : a.size_bytes > b.size_bytes;
  if (by.ColumnIndex == 3) order = a.n_chunks < b.n_chunks ? -1 : a.n_chunks > b.n_chunks;
  if (order == 0) order = a.path.compare(b.path);
  return by.SortDirection == ImGuiSortDirection_Descending ? order > 0 : order < 0;
}

// Which rows are shown and in what order; worked out anew only when the list, filter or order changes.
struct ShownRows {
  const void* list = nullptr;
  std::string filter;
  std::vector<int> order;
};

void draw_document_row(PanelContext& c, const DocumentRow& row) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(row.id));
  ImGui::Selectable(printable(row.title).c_str(), false, ImGuiSelectableFlags_SpanAllColumns);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(row.path).c_str());
  if (ImGui::BeginPopupContextItem("document")) {
    if (ImGui::MenuItem("Open")) c.open_path(row.path);
    if (ImGui::MenuItem("Copy its path")) ImGui::SetClipboardText(row.path.c_str());
    if (ImGui::MenuItem("Remove from mneme")) c.post(RemoveDocument{row.path});
    ImGui::EndPopup();
  }
  ImGui::PopID();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(row.format.c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(human_bytes(static_cast<double>(row.size_bytes)).c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(human_count(row.n_chunks).c_str());
}

void draw_documents(PanelContext& c) {
  const auto& documents = c.snapshot.library.documents;
  if (!documents) return;
  static ShownRows shown;  // of the one window
  ImGui::SetNextItemWidth(c.px(280));
  ImGui::InputTextWithHint("##documents", "Filter documents", &c.window.document_filter);
  const ImGuiTableFlags flags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable |
                                ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("documents", 4, flags, ImVec2(0, -1))) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Document", ImGuiTableColumnFlags_DefaultSort, 6.0f);
  ImGui::TableSetupColumn("Type", 0, 1.2f);
  ImGui::TableSetupColumn("Size", 0, 1.0f);
  ImGui::TableSetupColumn("Passages", 0, 1.0f);
  ImGui::TableHeadersRow();
  ImGuiTableSortSpecs* sort = ImGui::TableGetSortSpecs();
  if (shown.list != documents.get() || shown.filter != c.window.document_filter ||
      (sort != nullptr && sort->SpecsDirty)) {
    shown = {documents.get(), c.window.document_filter, {}};
    for (size_t i = 0; i < documents->size(); ++i) {
      const DocumentRow& row = (*documents)[i];
      if (matches(row.title, shown.filter) || matches(row.path, shown.filter))
        shown.order.push_back(static_cast<int>(i));
    }
    if (sort != nullptr && sort->SpecsCount > 0) {
      std::sort(shown.order.begin(), shown.order.end(), [&](int a, int b) {
        return comes_before((*documents)[static_cast<size_t>(a)], (*documents)[static_cast<size_t>(b)], sort->Specs[0]);
      });
      sort->SpecsDirty = false;
    }
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown.order.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      draw_document_row(c, (*documents)[static_cast<size_t>(shown.order[static_cast<size_t>(i)])]);
    }
  }
  ImGui::EndTable();
}

void draw_failed(PanelContext& c) {
  const auto& failed = c.snapshot.library.failed;
  if (!failed || failed->empty()) return;
  const std::string title = human_count(static_cast<int64_t>(failed->size())) + " files could not be read";
  if (!ImGui::CollapsingHeader(title.c_str())) return;
  if (ImGui::SmallButton("Try them again")) c.post(Reindex{c.snapshot.library.shown});
  ImGui::BeginChild("failed", ImVec2(0, c.px(160)));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(failed->size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const FailedRow& row = (*failed)[static_cast<size_t>(i)];
      label(file_name(row.path) + ": " + row.error, c.fonts.small, c.theme.text);
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(row.path).c_str());
    }
  }
  ImGui::EndChild();
}

void take_dropped_folders(PanelContext& c) {
  for (const std::string& path : c.window.dropped_paths) c.post(AddFolder{path, c.window.new_collection});
  c.window.dropped_paths.clear();
}

}  // namespace

void draw_library(PanelContext& c) {
  take_dropped_folders(c);
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("library", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  draw_header(c);
  draw_indexing(c);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  if (c.snapshot.library.collections.empty() && !c.snapshot.indexing.running) {
    wrapped("Nothing is indexed yet. Add a folder, and its documents appear here while they are read.", c.fonts.regular,
            c.theme.muted);
  }
  draw_collections(c);
  draw_meters(c);
  draw_failed(c);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  draw_documents(c);
  ImGui::EndChild();
}

}  // namespace mneme::ui
