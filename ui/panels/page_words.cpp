#include "ui/panels/page_words.h"

#include <algorithm>
#include <cfloat>

#include "ui/widgets/keys.h"

namespace mneme::ui {
namespace {

constexpr ImU32 kSelected = IM_COL32(38, 110, 255, 80);  // pages are white in the dark theme too

bool same_line(const PageImage::Box& a, const PageImage::Box& b) {
  return b.y_min < a.y_max && a.y_min < b.y_max && b.x_min >= a.x_min;
}

// The word nearest to a point, given as shares of the page: the line first.
size_t word_at(const PageImage& page, ImVec2 point) {
  size_t best = 0;
  float best_distance = FLT_MAX;
  for (size_t i = 0; i < page.words.size(); ++i) {
    const PageImage::Box& box = page.words[i].box;
    const float dy = std::max({box.y_min - point.y, point.y - box.y_max, 0.0f});
    const float dx = std::max({box.x_min - point.x, point.x - box.x_max, 0.0f});
    const float distance = dy * 1000.0f + dx;
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = i;
  }
  return best;
}

void take_mouse(const PageImage& page, const void* owner, ImVec2 at, ImVec2 size, bool hovered,
                TextSelection& selection) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 point((io.MousePos.x - at.x) / size.x, (io.MousePos.y - at.y) / size.y);
  const bool pressed = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (!pressed && (selection.owner != owner || !selection.dragging)) return;
  const size_t word = word_at(page, point);
  if (pressed) selection = {owner, word, 0, word, 0, true};
  selection.head_piece = word;
  const bool double_click = hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (double_click || ImGui::IsMouseDragging(ImGuiMouseButton_Left)) selection.anchor_byte = selection.head_byte = 1;
  if (double_click || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) selection.dragging = false;
}

// The words between both ends of a selection; none where nothing is taken.
struct Selected {
  size_t first = 0;
  size_t end = 0;
  bool empty() const { return first >= end; }
};
Selected selected_on(const PageImage& page, const void* owner, const TextSelection& selection) {
  if (selection.owner != owner || selection.head_byte == 0) return {};
  const auto [first, last] = std::minmax(selection.anchor_piece, selection.head_piece);
  return {first, std::min(last + 1, page.words.size())};
}

void mark_selected(const PageImage& page, Selected words, ImVec2 at, ImVec2 size) {
  for (size_t i = words.first; i < words.end; ++i) {
    const PageImage::Box& box = page.words[i].box;
    const bool joined = i + 1 < words.end && same_line(box, page.words[i + 1].box);
    const float x_max = joined ? page.words[i + 1].box.x_min : box.x_max;
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + box.x_min * size.x, at.y + box.y_min * size.y),
                                              ImVec2(at.x + x_max * size.x, at.y + box.y_max * size.y), kSelected);
  }
}

}  // namespace

std::string text_on_page(const PageImage& page, size_t first, size_t end) {
  std::string text;
  for (size_t i = first; i < std::min(end, page.words.size()); ++i) {
    if (i > first) text += same_line(page.words[i - 1].box, page.words[i].box) ? ' ' : '\n';
    text += page.words[i].text;
  }
  return text;
}

std::string selected_text(const PageImage& page, const void* owner, const TextSelection& selection) {
  const Selected words = selected_on(page, owner, selection);
  return words.empty() ? "" : text_on_page(page, words.first, words.end);
}

void select_on_page(const PageImage& page, const void* owner, ImVec2 at, ImVec2 size, TextSelection& selection) {
  if (page.words.empty()) return;
  const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, ImVec2(at.x + size.x, at.y + size.y));
  take_mouse(page, owner, at, size, hovered, selection);
  const ImGuiIO& io = ImGui::GetIO();
  const bool keys = io.KeyCtrl && !io.WantTextInput && selection.owner == owner;
  if (keys && key_pressed(ImGuiKey_A)) selection = {owner, 0, 1, page.words.size() - 1, 1, false};
  const Selected words = selected_on(page, owner, selection);
  if (keys && !io.KeyShift && key_pressed(ImGuiKey_C) && !words.empty())
    ImGui::SetClipboardText(text_on_page(page, words.first, words.end).c_str());
  mark_selected(page, words, at, size);
  if (hovered && ImGui::GetMouseCursor() == ImGuiMouseCursor_Arrow) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
}

}  // namespace mneme::ui
