// The document behind a passage: its text with the passage marked, or the page of a PDF (panel_page.cpp).
#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "ui/panels/panel.h"
#include "ui/panels/quoting.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

void draw_header(PanelContext& c, const DocumentTextView& view) {
  const float buttons = c.px(view.page_image ? 196 : 156);
  label(view.source.title.empty() ? file_name(view.source.document) : view.source.title, c.fonts.heading, c.theme.text,
        ImGui::GetContentRegionAvail().x - buttons);
  beside_heading(c, buttons + c.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(4), 0));
  if (icon_button(Icon::kSearch, tr("Find in this document (Ctrl+F)"), c.theme, c.scale)) begin_find(c);
  ImGui::SameLine();
  if (view.page_image) {
    bool& show_text = c.window.document.show_text;
    if (icon_button(Icon::kBook, show_text ? tr("Show the page") : tr("Show the text"), c.theme, c.scale)) {
      show_text = !show_text;
      c.window.document.scroll_to_passage = true;
    }
    ImGui::SameLine();
  }
  if (icon_button(Icon::kQuote, tr("Copy the quotation with its source (Ctrl+Shift+C)"), c.theme, c.scale,
                  !view.source.text.empty() || c.window.selection.owner != nullptr))
    copy_quotation(c, view);
  ImGui::SameLine();
  if (icon_button(Icon::kFolder, tr("Open in its own program"), c.theme, c.scale))
    c.hooks.open_path(view.source.document);
  ImGui::SameLine();
  if (icon_button(Icon::kClose, tr("Back to the sources (Esc)"), c.theme, c.scale)) c.post(CloseDocument{});
  ImGui::PopStyleVar();
  const bool on_page = view.page_image && !c.window.document.show_text;  // whose number stands above it
  if (const std::string place = place_of(view.source); !on_page && !place.empty())
    label(place, c.fonts.small, c.theme.muted);
  // Its end says more than its begin.
  const std::string path = one_line(view.source.document);
  const std::string shown = end_within(path, c.fonts.small, ImGui::GetContentRegionAvail().x);
  label(shown, c.fonts.small, c.theme.muted);
  if (shown.size() != path.size() && ImGui::IsItemHovered()) tooltip(path);
  if (begin_menu("path menu")) {
    if (menu_item(tr("Copy its path"))) copy_text(c, view.source.document);
    end_menu();
  }
  if (!view.error.empty()) copyable("error", view.error, c.fonts.small, c.theme.danger);
}

void text_menu(PanelContext& c, const DocumentTextView& view, const DocumentPart& part) {
  ImGui::PushID(&part);
  if (begin_menu("text menu")) {
    const bool here = c.window.selection.owner == &part;
    const std::string selected = here ? selected_text(part.layout.layout(), c.window.selection) : "";
    if (menu_item(tr("Copy"), "Ctrl+C", false, !selected.empty())) copy_text(c, selected);
    if (menu_item(tr("Copy with its source"), "Ctrl+Shift+C")) copy_quotation(c, view);
    end_menu();
  }
  ImGui::PopID();
}

RichTextActions links_of(PanelContext& c) {
  RichTextActions actions;
  actions.link_clicked = [&c](const std::string& link) { follow_link(c, link); };
  return actions;
}

// What the text is scrolled to: the passage, or the lines around the place that was found.
struct Focus {
  size_t begin = 0;
  size_t end = 0;
  const FoundInDocument::Place* found = nullptr;
};

// Of what was found, its paragraph; of tables and logs without end some lines.
Focus focus_of(PanelContext& c, const DocumentTextView& view) {
  const FoundInDocument::Place* place = found_place(c, view);
  if (place == nullptr) return {view.begin, view.end, nullptr};
  constexpr size_t kLongest = 2000;
  const std::string_view text = *view.text;
  const size_t from = place->begin > kLongest ? utf8::floor_boundary(text, place->begin - kLongest) : 0;
  const size_t to = utf8::floor_boundary(text, std::min(text.size(), place->end + kLongest));
  const size_t before = text.substr(from, place->begin - from).rfind("\n\n");
  const size_t behind = text.substr(place->end, to - place->end).find("\n\n");
  Focus focus{before == text.npos ? from : from + before + 2, behind == text.npos ? to : place->end + behind, place};
  // A piece out of the middle begins and ends with a line.
  if (before == text.npos && from > 0) {
    const size_t line = text.find('\n', from);
    if (line < place->begin) focus.begin = line + 1;
  }
  if (behind == text.npos && to < text.size()) {
    const size_t line = text.rfind('\n', to);
    if (line != text.npos && line >= place->end) focus.end = line;
  }
  return focus;
}

// Frames behind the one that scrolls in which the panel may get another width, and its text other lines.
constexpr uint64_t kSettling = 4;

// The passage on its ground, with a bar beside it, and the answer's words in it marked; scrolled to when it is new.
void draw_passage(PanelContext& c, const DocumentTextView& view, const RichTextLayout& layout) {
  DocumentBox& box = c.window.document;
  const bool anew = std::exchange(box.marked_width, layout.width) != layout.width;
  if (anew) box.marks = marks_of(layout, view.said);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 min(at.x - c.px(6), at.y - c.px(4));
  const ImVec2 max(at.x + layout.width + c.px(6), at.y + layout.height + c.px(4));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, max, c.theme.passage, c.px(4));
  list.AddRectFilled(min, ImVec2(min.x + c.px(3), max.y), c.theme.highlight, c.px(2));
  draw_marks(layout, box.marks, at, c.theme.highlight, c.scale);
  const bool asked = std::exchange(box.scroll_to_passage, false);
  if (asked) box.scrolled_at = c.window.frame;
  if (asked || (anew && c.window.frame < box.scrolled_at + kSettling)) {
    const float marked = box.marks.empty() ? 0.0f : layout.pieces[box.marks.front().piece].position.y;
    ImGui::SetScrollFromPosY(at.y + marked - ImGui::GetWindowPos().y, marked > 0.0f ? 0.3f : 0.15f);
  }
}

// What is sought, in a part of the text; `shown` is the place of it that is scrolled to.
void draw_found(PanelContext& c, const DocumentTextView& view, const RichTextLayout& layout, size_t shown) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto places = places_in(layout, view.found->sought);
  for (size_t i = 0; i < places.size(); ++i)
    draw_marks(layout, places[i], at, i == shown ? c.theme.highlight : c.theme.accent_soft, c.scale);
  if (shown >= places.size() || places[shown].empty() || !std::exchange(c.window.document.find.scroll, false)) return;
  const float y = layout.pieces[places[shown].front().piece].position.y;
  ImGui::SetScrollFromPosY(at.y + y - ImGui::GetWindowPos().y, 0.3f);
  c.window.document.scrolled_at = c.window.frame;
}

// How many places there are between the begin of what is scrolled to and the one that is meant.
size_t nth_of(const DocumentTextView& view, const Focus& focus) {
  const auto& places = view.found->places;
  const auto first = std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.begin >= focus.begin; });
  return static_cast<size_t>(focus.found - &*first);
}

TextForm form_of(const DocumentTextView& view) {
  if (view.source.is_code) return TextForm::kCode;
  const bool markdown = view.format == "markdown" || view.source.document.ends_with(".md");
  return markdown ? TextForm::kMarkdownFile : TextForm::kPlainFile;
}

// The text around the passage, or around what was found in it; each part is laid out once.
void draw_text(PanelContext& c, const DocumentTextView& view) {
  constexpr size_t kNone = static_cast<size_t>(-1);
  DocumentBox& box = c.window.document;
  const std::string_view text = *view.text;
  ImGui::BeginChild("text");
  if (!std::exchange(box.begun, true)) begin_at_top(c);
  take_scroll(c.window.scroll_document);
  ImGui::Indent(c.px(10));  // the marker reaches beyond the text
  const float width = ImGui::GetContentRegionAvail().x - c.px(18);
  const TextForm form = form_of(view);
  const Focus focus = focus_of(c, view);
  size_t begin = 0;
  if (focus.begin > box.around) {
    begin = text.find('\n', focus.begin - box.around);
    if (begin == text.npos || begin > focus.begin) begin = focus.begin;
  }
  const size_t end = utf8::floor_boundary(text, std::min(text.size(), focus.end + box.around));
  const auto show = [&](DocumentPart& part, size_t from, size_t to) {
    part.begin = from;
    part.end = std::max(from, to);
    if (from >= to) return;
    const RichTextLayout& layout = part.layout.update(text.substr(from, to - from), form, width, c.scale, c.fonts);
    const bool is_focus = &part == &box.passage;
    if (is_focus && focus.found == nullptr) draw_passage(c, view, layout);
    if (focus.found != nullptr) draw_found(c, view, layout, is_focus ? nth_of(view, focus) : kNone);
    draw(layout, &part, c.theme, c.scale, c.window.selection, links_of(c));
    text_menu(c, view, part);
  };
  show(box.before, begin, focus.begin);
  show(box.passage, focus.begin, focus.end);
  show(box.after, focus.end, end);
  if (end < text.size() && plain_button(tr("Show more"))) box.around *= 2;
  ImGui::Unindent(c.px(10));
  ImGui::EndChild();
}

}  // namespace

void draw_document(PanelContext& c) {
  const DocumentTextView& view = *c.snapshot.document;
  DocumentBox& box = c.window.document;
  if (box.text != view.text.get()) {
    box = DocumentBox();
    box.text = view.text.get();
  }
  draw_header(c, view);
  draw_find_bar(c, view);
  if (view.page_image && !box.show_text) {
    draw_document_page(c, view);
  } else if (view.loading) {
    label(tr("Drawing the page…"), c.fonts.regular, c.theme.muted);
  } else {
    draw_text(c, view);
  }
  // A frame shows what the one before it has scrolled to, and a document that comes by itself brings no further ones.
  if (c.window.frame < box.scrolled_at + kSettling) c.window.wants_frame = true;
}

}  // namespace mneme::ui
