// Right: the passages behind the selected answer, and a passage within its document.
#include <algorithm>

#include "base/utf8.h"
#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

std::string place_of(const SourceView& s) {
  if (s.page > 0) return "page " + std::to_string(s.page);
  if (s.line_begin > 0 && s.line_end > s.line_begin) {
    return "lines " + std::to_string(s.line_begin) + "–" + std::to_string(s.line_end);
  }
  if (s.line_begin > 0) return "line " + std::to_string(s.line_begin);
  return "";
}

void draw_card(PanelContext& c, const SourceView& source) {
  const bool selected = source.n == c.window.selected_source;
  const bool hovered_chip = source.n == c.window.hovered_source;
  ImGui::PushID(source.n);
  if (selected && c.window.scroll_to_source) {
    ImGui::SetScrollHereY(0.1f);
    c.window.scroll_to_source = false;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorScreenPos(ImVec2(at.x + c.px(12), at.y + c.px(10)));
  ImGui::BeginGroup();
  label("[" + std::to_string(source.n) + "]  " + source.title, c.fonts.bold, c.theme.text, width - c.px(24));
  std::string place = place_of(source);
  if (!source.heading.empty()) place += (place.empty() ? "" : "  ·  ") + source.heading;
  if (!place.empty()) label(place, c.fonts.small, c.theme.muted, width - c.px(24));
  std::string excerpt = source.text.substr(0, utf8::floor_boundary(source.text, 320));
  if (excerpt.size() < source.text.size()) excerpt += "…";
  wrapped(excerpt, c.fonts.small, c.theme.text, width - c.px(24));
  if (source.cited && source.quoted)
    label("its words stand in the answer", c.fonts.small, c.theme.success, width - c.px(24));
  ImGui::EndGroup();
  const ImVec2 end(at.x + width, ImGui::GetItemRectMax().y + c.px(10));
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("card", ImVec2(width, end.y - at.y))) {
    c.window.selected_source = source.n;
    c.post(ShowDocument{source});
  }
  if (ImGui::BeginPopupContextItem("card menu")) {
    if (ImGui::MenuItem("Open the document")) c.open_path(source.document);
    if (ImGui::MenuItem("Copy the passage")) ImGui::SetClipboardText(source.text.c_str());
    if (ImGui::MenuItem("Copy its path")) ImGui::SetClipboardText(source.document.c_str());
    ImGui::EndPopup();
  }
  const bool hot = ImGui::IsItemHovered() || hovered_chip;
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(at, end, hot ? c.theme.hover : c.theme.raised, c.px(10));
  list.AddRect(at, end, selected || source.cited ? c.theme.accent : c.theme.border, c.px(10), 0,
               selected ? c.px(2) : 1.0f);
  list.ChannelsMerge();
  ImGui::Dummy(ImVec2(0, c.px(8)));
  ImGui::PopID();
}

void draw_cards(PanelContext& c) {
  const MessageView* answer = selected_answer(c);
  label("Sources", c.fonts.heading, c.theme.text);
  if (answer == nullptr || answer->sources.empty()) {
    wrapped("The passages an answer rests on appear here.", c.fonts.small, c.theme.muted);
    return;
  }
  // Cited ones first, each group in the order of the prompt.
  std::vector<const SourceView*> ordered;
  for (const SourceView& source : answer->sources) ordered.push_back(&source);
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) { return a->cited && !b->cited; });
  for (const SourceView* source : ordered) draw_card(c, *source);
}

// The lines around the passage; the rest of a long document is drawn only where it is visible.
void draw_text_with_passage(PanelContext& c, const DocumentTextView& view) {
  const std::string& text = *view.text;
  const auto part = [&](size_t begin, size_t end, ImU32 colour) {
    if (begin < end) wrapped(text.substr(begin, end - begin), c.fonts.regular, colour);
  };
  constexpr size_t kAround = 6000;  // bytes before and after: what one scrolls through
  const size_t begin = view.begin > kAround ? text.find('\n', view.begin - kAround) : 0;
  const size_t end = std::min(text.size(), view.end + kAround);
  part(begin == std::string::npos ? 0 : begin, view.begin, c.theme.muted);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  if (ImGui::IsWindowAppearing()) ImGui::SetScrollHereY(0.2f);
  part(view.begin, view.end, c.theme.text);
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(ImVec2(top.x - c.px(6), top.y - c.px(4)),
                     ImVec2(top.x + ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y), c.theme.highlight,
                     c.px(6));
  list.ChannelsMerge();
  part(view.end, end, c.theme.muted);
}

void draw_document(PanelContext& c, const DocumentTextView& view) {
  label(view.title, c.fonts.heading, c.theme.text, ImGui::GetContentRegionAvail().x - c.px(80));
  ImGui::SameLine(ImGui::GetWindowWidth() - c.px(84));
  if (icon_button(Icon::kFolder, "Open in its own program", c.theme, c.scale)) c.open_path(view.path);
  ImGui::SameLine();
  if (icon_button(Icon::kClose, "Back to the sources (Esc)", c.theme, c.scale)) c.post(CloseDocument{});
  label(view.path, c.fonts.small, c.theme.muted);
  if (!view.error.empty()) wrapped(view.error, c.fonts.small, c.theme.danger);
  ImGui::BeginChild(("text " + view.path + std::to_string(view.begin)).c_str());
  draw_text_with_passage(c, view);
  ImGui::EndChild();
}

}  // namespace

void draw_sources(PanelContext& c) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, c.theme.surface);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(16), c.px(16)));
  ImGui::BeginChild("sources", ImVec2(0, -1), false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32(0, 0, 0, 0));
  if (c.snapshot.document && c.snapshot.document->text) {
    draw_document(c, *c.snapshot.document);
  } else {
    draw_cards(c);
  }
  ImGui::PopStyleColor();
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  c.window.hovered_source = 0;
}

}  // namespace mneme::ui
