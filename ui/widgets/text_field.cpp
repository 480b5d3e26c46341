#include "ui/widgets/text_field.h"

#include <utility>

namespace mneme::ui {
namespace {

constexpr size_t kLongest = 4000;

}  // namespace

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
  list.AddRect(at, end, outcome.active ? theme.accent : theme.outline, rounding);
  text = editor_.text();
  return outcome;
}

}  // namespace mneme::ui
