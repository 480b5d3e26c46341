// Library: folders, what is being indexed, what failed and why; below, every document (panel_documents.cpp).
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "ui/language/figures.h"
#include "ui/panels/collection_menu.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr const char* kLevels[] = {"", "exact", "high", "medium", "low"};
constexpr float kCollectionField = 180.0f;
constexpr float kCollectionRow = 36.0f;
constexpr float kUnderName = 34.0f;         // where names begin in a row
constexpr float kLeastCollection = 280.0f;  // of a name and how many documents, before what stands behind goes below

void draw_header(PanelContext& c) {
  label(tr("Library"), c.fonts.title, c.theme.text);
  wrapped(tr("Folders that mneme reads. Nothing leaves this machine."), c.fonts.regular, c.theme.muted);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  if (primary_button(tr("Add a folder…"), c.theme)) c.hooks.choose_folder();
  const char* const into = tr("into the collection");
  const float into_width = text_width(drawable(into, c.fonts.regular), c.fonts.regular);
  same_line_if_room(into_width + c.px(kCollectionField + 12));
  ImGui::AlignTextToFramePadding();
  label(into, c.fonts.regular, c.theme.muted);
  ImGui::SameLine();
  const float field = std::min(c.px(kCollectionField), ImGui::GetContentRegionAvail().x - c.px(4));
  c.window.collection_field.draw("##collection", c.window.new_collection, field, tr("named after it"), c.theme,
                                 c.scale);
  if (ImGui::IsItemHovered())
    tooltip(tr("The collection that new folders go into; left empty, each gets one of its own name"));
  const char* const drop = tr("or drop folders here");
  same_line_if_room(std::min(c.px(110), text_width(drawable(drop, c.fonts.small), c.fonts.small)));
  ImGui::AlignTextToFramePadding();
  label(drop, c.fonts.small, c.theme.muted);
}

std::string progress_text(const IndexingView& v) {
  if (v.waits) return tr("Waiting for another program that is writing to the library; it goes on by itself.");
  if (v.counting && v.chunks == 0) return tr("Looking for files…");
  const auto chunks = static_cast<int64_t>(v.chunks);
  const auto failed = static_cast<int64_t>(v.failed);
  std::string text = listed(filled(tr("{0}/s"), bytes_text(v.bytes_per_s)),
                            filled(tr_n("{0} passage", "{0} passages", chunks), number_text(chunks)));
  if (v.eta_s >= 0.5) text = listed(text, filled(tr("{0} left"), seconds_text(v.eta_s)));
  if (v.failed > 0) text = listed(text, filled(tr_n("{0} failed", "{0} failed", failed), number_text(failed)));
  if (v.waiting > 0)
    text = listed(text, filled(tr_n("{0} more waiting", "{0} more waiting", v.waiting), number_text(v.waiting)));
  if (!v.current_file.empty()) text += "  ·  " + v.current_file;
  return text;
}

// Runs of other programs are theirs to stop.
void draw_indexing_buttons(PanelContext& c, bool others) {
  const IndexingView& v = c.snapshot.indexing;
  const char* second = v.paused ? tr("Resume") : tr("Pause");
  if (others) {
    align_right({second});
  } else {
    align_right({tr("Stop"), second});
    if (plain_button(tr("Stop"))) c.post(GiveUpIndexing{});
    if (ImGui::IsItemHovered()) tooltip(tr("Read no further; what was read stays"));
    ImGui::SameLine();
  }
  if (v.paused) {
    if (primary_button(tr("Resume"), c.theme)) c.post(ResumeIndexing{});
  } else {
    ImGui::BeginDisabled(v.pausing);
    if (plain_button(tr("Pause"))) c.post(PauseIndexing{});
    ImGui::EndDisabled();
  }
}

std::string indexing_title(const IndexingView& v, bool others) {
  if (others) return v.paused ? tr("Another mneme waits to index") : tr("Another mneme is indexing");
  const char* const state = v.paused    ? tr("Paused: {0}")
                            : v.pausing ? tr("Pausing after the documents in work: {0}")
                                        : tr("Indexing into {0}");
  const auto total = static_cast<int64_t>(v.total);
  std::string title = filled(state, v.collection);
  if (v.total == 0) return title;
  return listed(title, filled(tr_n("{1} of {0} files", "{1} of {0} files", total),
                              number_text(total) + (v.counting ? "+" : ""), number_text(static_cast<int64_t>(v.done))));
}

void draw_indexing(PanelContext& c) {
  const IndexingView& v = c.snapshot.indexing;
  if (!v.running && !v.paused && !v.elsewhere) return;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, c.theme.surface);
  ImGui::BeginChild("indexing", ImVec2(-c.px(8), c.px(102)), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
  const bool others = v.elsewhere && !v.running;
  const char* second = v.paused ? tr("Resume") : tr("Pause");
  const float buttons = others ? width_of_buttons({second}) : width_of_buttons({tr("Stop"), second});
  ImGui::AlignTextToFramePadding();
  label(indexing_title(v, others), c.fonts.bold, c.theme.text, ImGui::GetContentRegionAvail().x - buttons - c.px(16));
  draw_indexing_buttons(c, others);
  progress_bar(v.total == 0 || v.counting ? -1.0f : static_cast<float>(v.done) / static_cast<float>(v.total), c.theme,
               c.scale);
  label(v.paused ? tr("What is finished is kept; it goes on where it stopped.")
        : others ? tr("It was started in a terminal or another window, and shares this library.")
                 : progress_text(v),
        c.fonts.small, c.theme.muted);
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

// What models have read is kept for them: who has passages quoted, and never had anything else, need not hear of it.
bool models_read(const PanelContext& c) {
  return c.snapshot.engine.state != EngineView::State::kNone || c.snapshot.library.kv_chunks > 0;
}

std::string stored_text(const std::string& level) {
  return level.empty() ? tr("Stored: default") : filled(tr("Stored: {0}"), level_name(level));
}

float level_width(const PanelContext& c) {
  std::vector<std::string> shown;
  for (const char* level : kLevels) shown.push_back(stored_text(level));
  return choice_width(shown, c.px(150), c.scale);
}

void level_choice(PanelContext& c, const CollectionRow& row) {
  if (!begin_choice("##level", stored_text(row.kv_level), level_width(c), c.theme, c.scale)) {
    if (ImGui::IsItemHovered())
      tooltip(tr("How exactly what a model has read of this collection is stored (KV caches): exact needs most space"));
    return;
  }
  for (const char* level : kLevels) {
    const std::string name = *level == '\0' ? tr("As in the settings") : level_name(level);
    if (choice_row(name.c_str(), row.kv_level == level)) c.post(SetCollectionLevel{row.name, level});
  }
  ImGui::EndCombo();
}

// Where there is no room for all, the documents say most, and what is missing among them.
std::string summary_of(const CollectionRow& row, bool all) {
  std::string text = filled(tr_n("{0} document", "{0} documents", row.documents), number_text(row.documents));
  if (row.failed > 0)
    text = listed(text, filled(tr_n("{0} not read", "{0} not read", row.failed), number_text(row.failed)));
  if (!all) return text;
  text = listed(text, filled(tr_n("{0} passage", "{0} passages", row.chunks), number_text(row.chunks)));
  return listed(text, bytes_text(static_cast<double>(row.text_bytes)));
}

// What stands behind a collection's name, or below it where it would leave no room for the name: a choice and three
// buttons.
float width_behind(const PanelContext& c) {
  return c.px(122) + (models_read(c) ? level_width(c) + c.px(8) : 0.0f);
}

bool has_two_lines(const PanelContext& c) {
  return ImGui::GetContentRegionAvail().x < width_behind(c) + c.px(kLeastCollection);
}

void draw_collection(PanelContext& c, const CollectionRow& row) {
  ImGui::PushID(row.name.c_str());
  const bool shown = row.name == c.snapshot.library.shown;
  const bool has_level = models_read(c);
  const float right = width_behind(c);
  const float available = ImGui::GetContentRegionAvail().x;
  const float width = has_two_lines(c) ? available : available - right;
  const std::string aside = summary_of(row, width > c.px(460));
  ImGui::BeginChild("row", ImVec2(width, c.px(kCollectionRow)));
  if (list_row("show", Icon::kFolder, row.name, shown, c.theme, c.scale, aside)) c.post(ShowCollection{row.name});
  if (ImGui::IsItemHovered() && !row.roots.empty()) {
    std::string roots;
    for (const std::string& root : row.roots) roots += (roots.empty() ? "" : "\n") + root;
    tooltip(roots);
  }
  collection_menu(c, row);
  ImGui::EndChild();
  if (width < available) {
    ImGui::SameLine();
  } else {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + c.px(kUnderName));
  }
  if (has_level) {
    level_choice(c, row);
    ImGui::SameLine();
  }
  if (icon_button(Icon::kEye, row.watched ? tr("Watched for changes; click to stop") : tr("Watch for changes"), c.theme,
                  c.scale, !row.roots.empty()))
    c.post(WatchCollection{row.name, !row.watched});
  if (row.watched) {
    const ImVec2 max = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(max.x - c.px(6), max.y - c.px(6)), c.px(3.5f), c.theme.success);
  }
  ImGui::SameLine();
  if (icon_button(Icon::kRetry, tr("Look for changes now"), c.theme, c.scale, !row.roots.empty()))
    c.post(Reindex{row.name});
  ImGui::SameLine();
  bool asked = icon_button(Icon::kTrash, tr("Remove this collection…"), c.theme, c.scale);
  if (c.window.collection_to_remove == row.name) {
    c.window.collection_to_remove.clear();
    asked = true;
  }
  removing_popup(c, row, asked);
  ImGui::PopID();
}

// The one that has come to be shown, or is to be removed, may be far down the list.
void scroll_to_chosen(PanelContext& c, float height) {
  const std::string& shown = c.snapshot.library.shown;
  const bool is_new = c.window.seen_collection != shown;
  const std::string& sought = is_new ? shown : c.window.collection_to_remove;
  if (sought.empty()) return;
  const auto& rows = c.snapshot.library.collections;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const CollectionRow& r) { return r.name == sought; });
  if (row == rows.end()) return;
  if (is_new) c.window.seen_collection = shown;
  scroll_row_into_sight(c, static_cast<float>(row - rows.begin()) * height, height);
}

// Many scroll by themselves, so that the documents of the one that is chosen stay in sight below, and only those in
// sight are drawn.
void draw_collections(PanelContext& c) {
  constexpr size_t kMostInSight = 6;
  const auto& rows = c.snapshot.library.collections;
  if (rows.size() <= kMostInSight) {
    for (const CollectionRow& collection : rows) draw_collection(c, collection);
    return;
  }
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  const float row = c.px(kCollectionRow) + spacing;
  ImGui::BeginChild("collections", ImVec2(0, (static_cast<float>(kMostInSight) - 0.5f) * row));
  const float below = std::max(ImGui::GetFrameHeight(), c.px(32)) + spacing;
  const float height = has_two_lines(c) ? row + below : row;
  scroll_to_chosen(c, height);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()), height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_collection(c, rows[static_cast<size_t>(i)]);
  }
  ImGui::EndChild();
}

void draw_quota(PanelContext& c) {
  const LibraryView& v = c.snapshot.library;
  if (!ImGui::BeginPopup("quota")) return;
  double& gb = c.window.quota_gb;
  label(tr("Space for stored passages, GB"), c.fonts.regular, c.theme.text, c.px(300));
  ImGui::SetNextItemWidth(c.px(160));
  ImGui::InputDouble("##gb", &gb, 1.0, 10.0, "%.1f");
  const bool entered = ImGui::IsItemDeactivated() && key_pressed(ImGuiKey_Enter, false);
  gb = std::clamp(gb, 0.1, 100000.0);
  if (gb * 1e9 < static_cast<double>(v.kv_bytes))
    wrapped(tr("The least recently used will be removed."), c.fonts.small, c.theme.muted, c.px(300));
  if (primary_button(tr("Set"), c.theme) || entered) {
    c.post(SetQuota{static_cast<uint64_t>(gb * 1e9)});
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (plain_button(tr("Default"))) {
    c.post(SetQuota{0});
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

// How full the KV store is, and what it has been good for.
void draw_meter(PanelContext& c) {
  const LibraryView& v = c.snapshot.library;
  if (v.kv_quota_bytes <= 0 || !models_read(c)) return;
  std::string text = listed(filled(tr("Stored passages {0} of {1}"), bytes_text(static_cast<double>(v.kv_bytes)),
                                   bytes_text(static_cast<double>(v.kv_quota_bytes))),
                            filled(tr_n("{0} passage", "{0} passages", v.kv_chunks), number_text(v.kv_chunks)));
  if (v.kv_hits + v.kv_misses > 0) {
    const int64_t found = 100 * v.kv_hits / (v.kv_hits + v.kv_misses);
    text += "  ·  " + filled(tr("{0} found"), percent_text(static_cast<double>(found)));
    if (v.kv_evictions > 0)
      text = listed(text, filled(tr_n("{0} removed for space", "{0} removed for space", v.kv_evictions),
                                 number_text(v.kv_evictions)));
  }
  text += "  ·  " + filled(tr("library {0}"), bytes_text(static_cast<double>(v.catalogue_bytes)));
  ImGui::Dummy(ImVec2(0, c.px(2)));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + c.px(4));
  const float quota = text_width(drawable(tr("Quota…"), c.fonts.small), c.fonts.small) + c.px(28);
  label(text, c.fonts.small, c.theme.muted, ImGui::GetContentRegionAvail().x - quota);
  if (ImGui::IsItemHovered())
    tooltip(tr(
        "What a model computed when it read a passage (its keys and values), kept so that it need not read it again"));
  ImGui::SameLine();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - c.px(4));
  if (small_button(tr("Quota…"), c.theme.accent, c.scale)) {
    c.window.quota_gb = static_cast<double>(v.kv_quota_bytes) / 1e9;
    ImGui::OpenPopup("quota");
  }
  draw_quota(c);
  progress_bar(static_cast<float>(static_cast<double>(v.kv_bytes) / static_cast<double>(v.kv_quota_bytes)), c.theme,
               c.scale);
}

void draw_failed(PanelContext& c) {
  const auto& failed = c.snapshot.library.failed;
  if (!failed || failed->empty()) return;
  const auto n_failed = static_cast<int64_t>(failed->size());
  const std::string title =
      filled(tr_n("{0} file could not be read", "{0} files could not be read", n_failed), number_text(n_failed));
  if (disclosure("failed", title, c.window.failed_open, c.theme.danger, c.theme, c.scale))
    c.window.failed_open = !c.window.failed_open;
  ImGui::SameLine();
  if (small_button(failed->size() == 1 ? tr("Try it again") : tr("Try them again"), c.theme.accent, c.scale))
    c.post(RetryFailed{c.snapshot.library.shown, false});
  ImGui::SameLine();
  if (small_button(tr("Try with text recognition"), c.theme.accent, c.scale))
    c.post(RetryFailed{c.snapshot.library.shown, true});
  if (ImGui::IsItemHovered())
    tooltip(tr("Reads scans and photographed pages by OCR; needs tesseract-ocr, and takes longer"));
  if (!c.window.failed_open) return;
  const float rows = static_cast<float>(std::min<size_t>(failed->size(), 6));
  ImGui::BeginChild("failed", ImVec2(0, rows * (font_size(c.fonts.small) + ImGui::GetStyle().ItemSpacing.y)));
  ImGui::PushFont(c.fonts.small);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(failed->size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const FailedRow& row = (*failed)[static_cast<size_t>(i)];
      ImGui::PushID(i);
      const bool names_itself = row.error.find(file_name(row.path)) != std::string::npos;
      const std::string reason = one_line(names_itself ? row.error : file_name(row.path) + ": " + row.error);
      const std::string shown = cut_to_width(reason, ImGui::GetFont(), ImGui::GetContentRegionAvail().x);
      ImGui::Selectable((drawable(shown, ImGui::GetFont()) + "##failed").c_str());
      add_focus_stop(FocusOrder::Kind::kRow);
      if (shown.size() != reason.size() && ImGui::IsItemHovered()) tooltip(reason);
      if (begin_menu("failed menu")) {
        if (menu_item(tr("Open"))) c.hooks.open_path(row.path);
        if (menu_item(tr("Try it again"))) c.post(ReadAgain{row.path, false});
        if (menu_item(tr("Try it with text recognition (OCR)"))) c.post(ReadAgain{row.path, true});
        if (menu_item(tr("Copy the reason"))) copy_text(c, row.path + ": " + row.error);
        end_menu();
      }
      ImGui::PopID();
    }
  }
  ImGui::PopFont();
  ImGui::EndChild();
}

// Folders and documents are read; a model is added to the models.
void take_dropped(PanelContext& c) {
  for (const std::string& path : c.window.dropped_paths) {
    if (path.ends_with(".gguf")) {
      c.post(AddModel{path});
      go_to(c, Page::kModels);
    } else {
      c.post(AddFolder{path, c.window.new_collection});
    }
  }
  c.window.dropped_paths.clear();
}

}  // namespace

void draw_library(PanelContext& c) {
  take_dropped(c);
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("library", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  take_scroll(c.window.scroll_page);
  draw_header(c);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  draw_indexing(c);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  if (!c.snapshot.library.loaded) {
    label(tr("Reading the catalogue…"), c.fonts.regular, c.theme.muted);
  } else if (c.snapshot.library.collections.empty() && !c.snapshot.indexing.running) {
    wrapped(tr("Nothing is indexed yet. Add a folder, and its documents appear here while they are read."),
            c.fonts.regular, c.theme.muted);
    if (!c.snapshot.samples_folder.empty() && plain_button(tr("Try the sample documents")))
      c.post(AddFolder{c.snapshot.samples_folder, "samples"});
  }
  draw_collections(c);
  draw_meter(c);
  draw_failed(c);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  draw_documents(c);
  ImGui::EndChild();
}

}  // namespace mneme::ui
