// The table of a collection's documents: filtered and ordered by the controller, drawn where visible, so that 100,000
// rows cost as much as twenty.
#include <algorithm>

#include <imgui.h>

#include "ui/language/figures.h"
#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kNarrowTable = 500.0f;
constexpr float kLeastName = 240.0f;   // before the time of day is left out
constexpr float kPlaceShare = 0.5f;    // of the column, where name and place have no room both
constexpr float kLeastTable = 160.0f;  // that scrolls by itself

// The name of a document and, behind it, where it lies, if others are named alike. Whether it was clicked or chosen.
bool draw_name(PanelContext& c, const DocumentRow& row) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImFont* const regular = ImGui::GetFont();
  ImFont* const small = c.fonts.small;
  const std::string all_of_name = one_line(std::string(row.name()));
  std::string name = drawable(cut_to_width(all_of_name, regular, width), regular);
  std::string place;
  if (!row.place.empty()) {
    const float gap = c.px(10);
    const float room = std::max(width - gap - text_width(name, regular), width * kPlaceShare);
    place = drawable(cut_to_width(one_line(std::string(row.place)), small, room), small);
    name = drawable(cut_to_width(all_of_name, regular, width - gap - text_width(place, small)), regular);
    // Small letters stand on the same line as the name's.
    const ImVec2 behind(at.x + text_width(name, regular) + gap, at.y + (font_size(regular) - font_size(small)) * 0.7f);
    ImGui::GetWindowDrawList()->AddText(small, font_size(small), behind, c.theme.muted, place.c_str());
  }
  const bool shown = shows_document(c) && c.snapshot.document->source.document == row.path;
  return ImGui::Selectable(name.c_str(), shown,
                           ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick);
}

// The day alone where there is no room for the time.
std::string time_within(int64_t when_ms, ImFont* font, float width) {
  const std::string text = day_and_time_text(when_ms);
  return text_width(drawable(text, font), font) > width ? day_text(when_ms) : text;
}

// In the next column, cut where it is too narrow.
void draw_cell(PanelContext& c, const std::string& text) {
  ImGui::TableNextColumn();
  const std::string shown = cut_to_width(text, c.fonts.regular, ImGui::GetContentRegionAvail().x);
  ImGui::TextUnformatted(drawable(shown, c.fonts.regular).c_str());
  if (shown != text && ImGui::IsItemHovered()) tooltip(text);
}

void draw_row(PanelContext& c, const DocumentRow& row) {
  const std::string path(row.path);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(row.id));
  if (draw_name(c, row)) {
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      c.hooks.open_path(path);
    } else {
      open_listed(c, row);
    }
  }
  add_focus_stop(FocusOrder::Kind::kRow);
  if (ImGui::IsItemHovered()) tooltip(one_line(path));
  if (begin_menu("document")) {
    if (menu_item(tr("Show it here"))) open_listed(c, row);
    if (menu_item(tr("Open in its own program"), tr("Double click"))) c.hooks.open_path(path);
    if (menu_item(tr("Copy its path"))) copy_text(c, path);
    if (menu_item(tr("Read it again"))) c.post(ReadAgain{path, false});
    if (menu_item(tr("Read it with text recognition (OCR)"))) c.post(ReadAgain{path, true});
    if (menu_item(tr("Remove from mneme"))) c.post(RemoveDocument{path});
    end_menu();
  }
  ImGui::PopID();
  draw_cell(c, std::string(row.format));
  draw_cell(c, bytes_text(static_cast<double>(row.size_bytes)));
  draw_cell(c, number_text(row.n_chunks));
  ImGui::TableNextColumn();
  const std::string when = time_within(row.indexed_ms, c.fonts.regular, ImGui::GetContentRegionAvail().x);
  ImGui::TextUnformatted(drawable(when, c.fonts.regular).c_str());
}

// As ImGui::TableHeadersRow(), and Tab reaches them.
void draw_headers() {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < ImGui::TableGetColumnCount(); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    ImGui::TableHeader(ImGui::TableGetColumnName(i));
    add_focus_stop();
  }
}

// As wide as what they say, whatever the letters and the window; names have the rest. Where there is no room for all,
// what says least goes.
void set_up_columns(PanelContext& c) {
  const float room = ImGui::GetContentRegionAvail().x;
  const auto drawn = [&](const std::string& text) {
    return text_width(drawable(text, c.fonts.regular), c.fonts.regular);
  };
  const auto width = [&](const std::string& longest, const char* header) {
    const float arrow = font_size(c.fonts.regular);  // of the order
    return std::max(drawn(longest), drawn(header) + arrow) + c.px(2);
  };
  constexpr int64_t kWideDay_ms = 1851065288000;  // in August 2028
  const float type = width("markdown", tr("Type"));
  const float size = width(filled(tr("{0} MB"), decimal_text(888.8, 1)), tr("Size"));
  const float passages = width(number_text(88888), tr("Passages"));
  const float time = width(day_and_time_text(kWideDay_ms), tr("Indexed"));
  const float day = width(day_text(kWideDay_ms), tr("Indexed"));
  const float gaps = 10.0f * ImGui::GetStyle().CellPadding.x;
  const bool with_time = room - gaps - type - size - passages - time >= c.px(kLeastName);
  const ImGuiTableColumnFlags fixed = ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoResize;
  const ImGuiTableColumnFlags least = fixed | (room < c.px(kNarrowTable) ? ImGuiTableColumnFlags_Disabled : 0);
  table_column(tr("Document"), ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_WidthStretch);
  table_column(tr("Type"), least, type);
  table_column(tr("Size"), fixed, size);
  table_column(tr("Passages"), least, passages);
  table_column(tr("Indexed"), least, with_time ? time : day);
}

// Asks for another order when a header was clicked or the filter changed.
void follow_order(PanelContext& c) {
  DocumentOrder order = c.snapshot.library.order;
  order.filter = c.window.document_filter;
  if (ImGuiTableSortSpecs* sort = ImGui::TableGetSortSpecs(); sort != nullptr && sort->SpecsCount > 0) {
    order.column = static_cast<DocumentColumn>(sort->Specs[0].ColumnIndex);
    order.descending = sort->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    sort->SpecsDirty = false;
  }
  if (order == c.snapshot.library.order || order == c.window.asked_order) return;
  c.window.asked_order = order;
  c.post(OrderDocuments{order});
}

bool is_read_now(const PanelContext& c) {
  return c.snapshot.indexing.running && c.snapshot.indexing.collection == c.snapshot.library.shown;
}

// In place of an empty table.
void draw_nothing_read(PanelContext& c) {
  const bool reading = is_read_now(c);
  const bool failed = c.snapshot.library.failed && !c.snapshot.library.failed->empty();
  wrapped(reading  ? tr("Its documents appear here while they are read.")
          : failed ? tr("None of its files could be read. The reasons stand above, and what can be done about them.")
                   : tr("Nothing was found here that mneme reads: PDF, Word and other office files, web pages, mail, "
                        "Markdown, plain text and source code."),
          c.fonts.regular, c.theme.muted);
}

}  // namespace

void draw_documents(PanelContext& c) {
  const LibraryView& v = c.snapshot.library;
  const bool listed = v.documents && v.shown_rows;
  if (listed ? v.documents->empty() : is_read_now(c)) return draw_nothing_read(c);
  if (!listed) return;
  draw_filter(c, c.window.document_filter_field, "##documents", c.window.document_filter, c.px(280),
              tr("Filter documents (Ctrl+F)"));
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const auto shown = static_cast<int64_t>(v.shown_rows->size());
  const auto all = static_cast<int64_t>(v.documents->size());
  label(shown == all ? filled(tr_n("{0} document in {1}", "{0} documents in {1}", all), number_text(all), v.shown)
                     : filled(tr_n("{1} of {0} document in {2}", "{1} of {0} documents in {2}", all), number_text(all),
                              number_text(shown), v.shown),
        c.fonts.small, c.theme.muted);
  // Where what stands above leaves no room, rows go with the page: of two scroll bars side by side one is wrong.
  const float room = ImGui::GetContentRegionAvail().y - 1.0f;
  const bool scrolls = shown > 0 && room >= c.px(kLeastTable);
  const ImGuiTableFlags flags = (scrolls ? ImGuiTableFlags_ScrollY : 0) | ImGuiTableFlags_Sortable |
                                ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoBordersInBody;
  if (!ImGui::BeginTable("documents", 5, flags, ImVec2(0, scrolls ? room : 0))) return;
  if (scrolls) ImGui::TableSetupScrollFreeze(0, 1);
  set_up_columns(c);
  draw_headers();
  follow_order(c);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(v.shown_rows->size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_row(c, (*v.documents)[(*v.shown_rows)[static_cast<size_t>(i)]]);
  }
  ImGui::EndTable();
  if (shown == 0) label(tr("No document is called that."), c.fonts.regular, c.theme.muted);
}

}  // namespace mneme::ui
