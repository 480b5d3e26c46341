#include <algorithm>
#include <utility>

#include <imgui_internal.h>

#include "base/utf8.h"
#include "ui/language/tr.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/key_focus.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/line_order.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {

// Of shaped text the first bytes are shaped alone: their last letter is then as wide as it is at a word's end.
float prefix_width(const TextPiece& piece, size_t bytes) {
  bytes = std::min(bytes, piece.text.size());  // a selection may be older than the text
  if (!piece.shown.empty()) {
    const std::string_view first = std::string_view(piece.text).substr(0, bytes);
    const float width = bytes == piece.text.size()
                            ? piece.width
                            : drawn_width(piece.font, current_fonts().shaped(first, piece.right_to_left, piece.font));
    return piece.right_to_left ? piece.width - std::min(width, piece.width) : std::min(width, piece.width);
  }
  const char* begin = piece.text.data();
  return piece.font->CalcTextSizeA(font_size(piece.font), FLT_MAX, 0.0f, begin, begin + bytes).x;
}

namespace {

struct Place {
  size_t piece = 0;
  size_t byte = 0;
  auto operator<=>(const Place&) const = default;
};

std::pair<Place, Place> normalised(const TextSelection& s) {
  const Place a{s.anchor_piece, s.anchor_byte};
  const Place b{s.head_piece, s.head_byte};
  return a < b ? std::pair(a, b) : std::pair(b, a);
}

// The place in the text nearest to a point (relative to the layout).
Place place_at(const RichTextLayout& layout, ImVec2 point) {
  size_t best = 0;
  float best_distance = FLT_MAX;
  for (size_t i = 0; i < layout.pieces.size(); ++i) {
    const TextPiece& p = layout.pieces[i];
    const float dy = std::max({p.position.y - point.y, point.y - (p.position.y + p.height), 0.0f});
    const float dx = std::max({p.position.x - point.x, point.x - (p.position.x + p.width), 0.0f});
    const float distance = dy * 1000.0f + dx;  // the line first
    if (distance < best_distance) {
      best_distance = distance;
      best = i;
    }
  }
  const TextPiece& piece = layout.pieces[best];
  const float x = point.x - piece.position.x;
  size_t byte = 0;
  while (byte < piece.text.size()) {
    size_t next = byte;
    utf8::next(piece.text, next);
    const float middle = (prefix_width(piece, byte) + prefix_width(piece, next)) * 0.5f;
    if (piece.right_to_left ? x > middle : x < middle) break;
    byte = next;
  }
  return {best, byte};
}

void select_all(const RichTextLayout& layout, const void* owner, TextSelection& selection) {
  selection = {owner, 0, 0, layout.pieces.size() - 1, layout.pieces.back().text.size(), false};
}

// The word at the head, within its piece.
void select_word(const RichTextLayout& layout, TextSelection& selection) {
  if (selection.head_piece >= layout.pieces.size()) return;
  const std::string& text = layout.pieces[selection.head_piece].text;
  const auto is_border = [](char c) { return c == ' ' || c == ',' || c == '.' || c == '(' || c == ')' || c == ';'; };
  size_t begin = std::min(selection.head_byte, text.size());
  size_t end = begin;
  while (begin > 0 && !is_border(text[begin - 1])) --begin;
  while (end < text.size() && !is_border(text[end])) ++end;
  selection.anchor_piece = selection.head_piece;
  selection.anchor_byte = begin;
  selection.head_byte = end;
  selection.dragging = false;
}

// All that stands in the paragraph, item, cell or line of code at the head.
void select_paragraph(const RichTextLayout& layout, TextSelection& selection) {
  if (selection.head_piece >= layout.pieces.size()) return;
  const auto begins = [&](size_t piece) {
    return layout.pieces[piece].before.find_first_of("\n\t") != std::string::npos;
  };
  size_t first = selection.head_piece;
  size_t last = first;
  while (first > 0 && !begins(first)) --first;
  while (last + 1 < layout.pieces.size() && !begins(last + 1)) ++last;
  selection = {selection.owner, first, 0, last, layout.pieces[last].text.size(), false};
}

void handle_selection(const RichTextLayout& layout, const void* owner, ImVec2 origin, bool hovered,
                      TextSelection& selection) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ImVec2 point(mouse.x - origin.x, mouse.y - origin.y);
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const Place place = place_at(layout, point);
    selection = {owner, place.piece, place.byte, place.piece, place.byte, true};
  }
  if (selection.owner != owner) return;
  if (selection.dragging) {
    const Place place = place_at(layout, point);
    selection.head_piece = place.piece;
    selection.head_byte = place.byte;
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) selection.dragging = false;
  }
  const ImGuiIO& io = ImGui::GetIO();
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) select_word(layout, selection);
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
      ImGui::GetMouseClickedCount(ImGuiMouseButton_Left) == 3)
    select_paragraph(layout, selection);
  if (io.KeyCtrl && key_pressed(ImGuiKey_A) && !io.WantTextInput) select_all(layout, owner, selection);
  if (io.KeyCtrl && !io.KeyShift && key_pressed(ImGuiKey_C) && !io.WantTextInput) {
    const std::string text = selected_text(layout, selection);
    if (!text.empty()) ImGui::SetClipboardText(text.c_str());
  }
}

void draw_selection(const RichTextLayout& layout, const TextSelection& selection, ImVec2 origin, const Theme& theme) {
  const auto [begin, end] = normalised(selection);
  if (begin == end || end.piece >= layout.pieces.size()) return;
  for (size_t i = begin.piece; i <= end.piece; ++i) {
    const TextPiece& p = layout.pieces[i];
    float from = i == begin.piece ? prefix_width(p, begin.byte) : p.right_to_left ? p.width : 0.0f;
    float to = i == end.piece ? prefix_width(p, end.byte) : p.right_to_left ? 0.0f : p.width;
    if (from > to) std::swap(from, to);
    const ImVec2 min(origin.x + p.position.x + from, origin.y + p.position.y - 2);
    ImGui::GetWindowDrawList()->AddRectFilled(min, ImVec2(origin.x + p.position.x + to, min.y + font_size(p.font) + 4),
                                              theme.selection);
  }
}

void draw_boxes(const RichTextLayout& layout, ImVec2 origin, const Theme& theme, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  int id = 0;
  for (const BackgroundBox& box : layout.boxes) {
    const ImVec2 min(origin.x + box.min.x, origin.y + box.min.y);
    const ImVec2 max(origin.x + box.max.x, origin.y + box.max.y);
    if (!ImGui::IsRectVisible(min, max)) continue;
    if (box.kind != BackgroundBox::Kind::kCode) {
      list.AddRectFilled(min, max, box.kind == BackgroundBox::Kind::kLine ? theme.border : theme.accent);
      continue;
    }
    list.AddRectFilled(min, max, theme.surface, 8.0f * scale);
    list.AddRect(min, max, theme.border, 8.0f * scale);
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(ImVec2(max.x - kCopyButtonRoom * scale, min.y + 4.0f * scale));
    ImGui::PushID(id++);
    if (icon_button(Icon::kCopy, tr("Copy the code"), theme, scale)) ImGui::SetClipboardText(box.copy_text.c_str());
    ImGui::PopID();
    ImGui::SetCursorScreenPos(cursor);
  }
}

void draw_chip(const TextPiece& piece, ImVec2 at, const Theme& theme, float scale, bool hovered) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min(at.x - 1 * scale, at.y - 2 * scale);
  const ImVec2 max(at.x + piece.width - 1 * scale, at.y + font_size(piece.font) + 2 * scale);
  list.AddRectFilled(min, max, hovered ? theme.accent : theme.accent_soft, 4.0f * scale);
  const std::string number = piece.text.substr(1, piece.text.size() - 2);
  const float text_width = piece.font->CalcTextSizeA(font_size(piece.font), FLT_MAX, 0.0f, number.c_str()).x;
  list.AddText(piece.font, font_size(piece.font), ImVec2((min.x + max.x - text_width) * 0.5f, at.y),
               hovered ? theme.accent_text : theme.accent, number.c_str());
}

// Whether something is to be done about a piece.
bool acts(const TextPiece& piece, const RichTextActions& actions) {
  return piece.citation > 0 ? actions.citation_clicked != nullptr : !piece.link.empty() && actions.link_clicked;
}

// Draws one piece, `lit` where the keyboard is on it; true when the mouse is over it.
bool draw_piece(const TextPiece& piece, ImVec2 at, bool acts, bool lit, const Theme& theme, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 max(at.x + piece.width, at.y + font_size(piece.font));
  const bool by_keys = chosen_by_keys(*ImGui::GetCurrentContext());
  const bool hovered = acts && !by_keys && ImGui::IsMouseHoveringRect(at, max) && ImGui::IsWindowHovered();
  if (piece.citation > 0) {
    draw_chip(piece, at, theme, scale, hovered || lit);
    return hovered;
  }
  if (piece.code) {
    list.AddRectFilled(ImVec2(at.x - 2 * scale, at.y - 1 * scale), ImVec2(max.x + 2 * scale, max.y + 2 * scale),
                       theme.hover, 4.0f * scale);
  }
  const ImU32 colour = !piece.link.empty() ? theme.accent : piece.muted ? theme.muted : theme.text;
  const std::string& shown = piece.shown.empty() ? piece.text : piece.shown;
  list.AddText(piece.font, font_size(piece.font), at, colour, shown.data(), shown.data() + shown.size());
  if (piece.strike) {
    const float middle = at.y + font_size(piece.font) * 0.55f;
    list.AddLine(ImVec2(at.x, middle), ImVec2(max.x, middle), colour);
  }
  if (hovered || lit) list.AddLine(ImVec2(at.x, max.y), max, colour);
  if (lit) {
    list.AddRect(ImVec2(at.x - 2.0f * scale, at.y - 3.0f * scale), ImVec2(max.x + 2.0f * scale, max.y + 3.0f * scale),
                 theme.accent, 4.0f * scale, 0, std::max(1.0f, 2.0f * scale));
  }
  return hovered;
}

// A selection that ends here was no click.
bool was_clicked() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool dragged = io.MouseDragMaxDistanceSqr[0] >= io.MouseDragThreshold * io.MouseDragThreshold;
  return ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !dragged;
}

// What a piece tells while mouse or keyboard is on it, and does when it is pressed.
void act(const TextPiece& piece, bool clicked, const RichTextActions& actions) {
  if (piece.citation > 0) {
    if (actions.citation_hovered) actions.citation_hovered(piece.citation);
    if (clicked) actions.citation_clicked(piece.citation);
  } else {
    tooltip(opens_in_browser(piece.link) ? piece.link : piece.link + "\n" + tr("A click or Enter copies it."));
    if (clicked) actions.link_clicked(piece.link);
  }
}

// What Tab reaches: a chip, or a link in as many pieces as it is drawn in.
struct Reached {
  bool focused = false;
  bool pressed = false;
};

bool continues_link(const RichTextLayout& layout, size_t piece) {
  const std::string& link = layout.pieces[piece].link;
  return piece > 0 && !link.empty() && layout.pieces[piece].citation == 0 && layout.pieces[piece - 1].link == link;
}

// Out of sight too, so that it is scrolled to. No button: a press of the mouse here may begin a selection.
Reached reach(const TextPiece& piece, size_t index, ImVec2 at) {
  const ImGuiID id = ImGui::GetCurrentWindow()->GetID(static_cast<int>(index));
  ImGui::ItemAdd(ImRect(at, ImVec2(at.x + piece.width, at.y + font_size(piece.font))), id);
  add_focus_stop();
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return {ImGui::IsItemFocused() && ring_shown(g), g.NavActivateId == id};
}

void draw_pieces(const RichTextLayout& layout, ImVec2 origin, const Theme& theme, float scale,
                 const RichTextActions& actions) {
  Reached keys;
  for (size_t i = 0; i < layout.pieces.size(); ++i) {
    const TextPiece& piece = layout.pieces[i];
    const ImVec2 at(origin.x + piece.position.x, origin.y + piece.position.y);
    const bool acting = acts(piece, actions);
    if (!acting) {
      keys = {};
    } else if (!continues_link(layout, i)) {
      keys = reach(piece, i, at);
      if (keys.focused) act(piece, keys.pressed, actions);
    }
    if (!ImGui::IsRectVisible(at, ImVec2(at.x + piece.width, at.y + piece.height))) continue;
    if (!draw_piece(piece, at, acting, keys.focused, theme, scale)) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    act(piece, was_clicked(), actions);
  }
}

}  // namespace

bool opens_in_browser(const std::string& link) {
  return link.starts_with("https://") || link.starts_with("http://");
}

std::string selected_text(const RichTextLayout& layout, const TextSelection& selection) {
  const auto [begin, end] = normalised(selection);
  std::string text;
  for (size_t i = begin.piece; i <= end.piece && i < layout.pieces.size(); ++i) {
    const TextPiece& piece = layout.pieces[i];
    const size_t from = i == begin.piece ? std::min(begin.byte, piece.text.size()) : 0;
    const size_t to = i == end.piece ? std::min(end.byte, piece.text.size()) : piece.text.size();
    if (i > begin.piece) text += piece.before;
    if (to > from) text += piece.text.substr(from, to - from);
  }
  return text;
}

void draw(const RichTextLayout& layout, const void* owner, const Theme& theme, float scale, TextSelection& selection,
          const RichTextActions& actions) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 size(layout.width, std::max(layout.height, 1.0f));
  if (!ImGui::IsRectVisible(origin, ImVec2(origin.x + size.x, origin.y + size.y))) {
    ImGui::Dummy(size);
    return;
  }
  draw_boxes(layout, origin, theme, scale);
  const bool hovered =
      ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(origin, ImVec2(origin.x + size.x, origin.y + size.y));
  if (!layout.pieces.empty()) handle_selection(layout, owner, origin, hovered, selection);
  if (selection.owner == owner) draw_selection(layout, selection, origin, theme);
  ImGui::PushID(owner);
  draw_pieces(layout, origin, theme, scale, actions);
  ImGui::PopID();
  if (hovered && ImGui::GetMouseCursor() == ImGuiMouseCursor_Arrow) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  ImGui::Dummy(size);
}

}  // namespace mneme::ui
