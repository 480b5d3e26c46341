#include "ui/widgets/text_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mneme::ui {
namespace {

constexpr size_t kLongest = 4000;

}  // namespace

void draw_field_border(ImVec2 at, ImVec2 end, float rounding, bool active, const Theme& theme, float scale) {
  const float width = std::max(1.0f, std::floor(active ? 2.0f * scale - 0.5f : 0.8f * scale));
  // Within the field: what stood out of it would be cut off where the field begins at a panel's border.
  const float inset = (width - 1.0f) * 0.5f;
  ImGui::GetWindowDrawList()->AddRect(ImVec2(std::floor(at.x) + inset, std::floor(at.y) + inset),
                                      ImVec2(std::floor(end.x) - inset, std::floor(end.y) - inset),
                                      active ? theme.accent : theme.outline, rounding, 0, width);
}

void TextField::focus(bool select_all) {
  editor_.focus();
  select_all_ = select_all;
}

TextEditor::Outcome TextField::draw(const char* id, std::string& text, float width, const char* hint,
                                    const Theme& theme, float scale) {
  if (editor_.text() != text) editor_.set_text(text);
  if (std::exchange(select_all_, false)) editor_.select_all();
  if (width <= 0.0f) width = ImGui::GetContentRegionAvail().x;
  const ImVec2 size(width, ImGui::GetFrameHeight());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  const float rounding = ImGui::GetStyle().FrameRounding;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, end, theme.raised, rounding);
  const TextEditor::Outcome outcome = editor_.draw(id, size, hint, kLongest, theme, scale);
  draw_field_border(at, end, rounding, outcome.active, theme, scale);
  text = editor_.text();
  return outcome;
}

}  // namespace mneme::ui
