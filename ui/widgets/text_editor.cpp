// How a TextEditor is drawn and scrolled, takes the keyboard and follows the mouse.
#include "ui/widgets/text_editor.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string_view>
#include <utility>

#include <imgui_internal.h>

#include "base/utf8.h"
#include "ui/text/bidi.h"
#include "ui/text/fonts.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/composition.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/key_focus.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/labels.h"

namespace mneme::ui {
namespace {

constexpr double kBlink_s = 0.53;
constexpr double kBlinkFor_s = 5.0;  // then the caret rests, so that an idle window sleeps
constexpr float kRowSpacing = 1.35f;

}  // namespace

void TextEditor::take_mouse(ImVec2 origin, ImFont* font, bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  const bool begins = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (begins && !hovered) return;
  const float row_height = font_size(font) * kRowSpacing;
  const float y = io.MousePos.y - origin.y + scroll_;
  const auto last = static_cast<float>(rows_.size() - 1);
  const auto row = static_cast<size_t>(std::clamp(std::floor(y / row_height), 0.0f, last));
  const size_t byte = byte_at(row, io.MousePos.x - origin.x, font);
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    anchor_ = word_before(after(byte));
    cursor_ = word_after(byte);
    return;
  }
  if (begins && ImGui::GetMouseClickedCount(ImGuiMouseButton_Left) == 3) return select_line(byte);
  if (begins || io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f) move(byte, !begins || io.KeyShift);
  wanted_x_ = -1.0f;
}

std::vector<std::pair<float, float>> TextEditor::stretches(const Row& row, size_t begin, size_t end, float line_end,
                                                           ImFont* font) const {
  const bool ends_line = row.end < text_.size() && text_[row.end] == '\n';
  begin = std::max(begin, row.begin);
  const bool with_end = ends_line && begin <= row.end && end > row.end;
  end = std::min(end, row.end);
  std::vector<std::pair<float, float>> places;
  if (begin < end && row.plain) {
    places.emplace_back(x_in(row, begin, font), x_in(row, end, font));
  } else if (begin < end) {
    for (const auto& [left, right] : shaped(row, font).stretches(begin - row.begin, end - row.begin))
      places.emplace_back(left, right);
  }
  if (with_end && row.plain) {
    const float width = drawn_row_width(row, font);
    places.emplace_back(width, width + line_end);
  }
  return places;
}

// What of it lies in a row whose upper left corner is given.
void TextEditor::paint_selection(const Row& row, ImVec2 at, ImFont* font, const Theme& theme, float scale) const {
  const auto [begin, end] = std::minmax(cursor_, anchor_);
  if (begin == end) return;
  const float bottom = at.y + font_size(font) * kRowSpacing;
  for (const auto& [left, right] : stretches(row, begin, end, 6.0f * scale, font)) {
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + left, at.y), ImVec2(at.x + right, bottom), theme.selection);
  }
}

// A line below what is not written yet.
void TextEditor::paint_composed(const Composed& composed, const Row& row, ImVec2 at, ImFont* font, const Theme& theme,
                                float scale) const {
  if (composed.empty()) return;
  const float bottom = at.y + font_size(font) * kRowSpacing - scale;
  const float thickness = std::max(1.0f, std::floor(scale));
  for (const auto& [left, right] : stretches(row, composed.begin(), composed.end(), 0.0f, font)) {
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + left, bottom - thickness), ImVec2(at.x + right, bottom),
                                              theme.accent);
  }
}

void TextEditor::paint_text(const Row& row, ImVec2 at, ImFont* font, const Theme& theme) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!row.plain) return shaped(row, font).draw(list, at, theme.text);
  const std::string_view text = std::string_view(text_).substr(row.begin, row.end - row.begin);
  list.AddText(font, font_size(font), at, theme.text, text.data(), text.data() + text.size());
}

// It blinks, but for while something is composed; input methods are told where it is.
void TextEditor::paint_caret(ImVec2 origin, ImFont* font, const Theme& theme, float scale) const {
  const float row_height = font_size(font) * kRowSpacing;
  const float x = origin.x + x_of(cursor_, font);
  const float y = origin.y + static_cast<float>(row_of(cursor_)) * row_height - scroll_;
  Composing& composing = current_composing();
  composing.caret = ImVec2(x, y + row_height);
  const double since = ImGui::GetTime() - touched_;
  const bool seen = since > kBlinkFor_s || std::fmod(since, 2 * kBlink_s) < kBlink_s || !composing.composition.empty();
  if (!seen) return;
  const ImVec2 end(x + std::max(1.0f, 1.5f * scale), y + row_height - 2 * scale);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, y + 2 * scale), end, theme.accent);
}

void TextEditor::paint(const Composed& composed, ImVec2 origin, ImVec2 size, ImFont* font, const Theme& theme,
                       float scale, bool active) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float row_height = font_size(font) * kRowSpacing;
  list.PushClipRect(ImVec2(origin.x - scale, origin.y), ImVec2(origin.x + size.x + scale, origin.y + size.y), true);
  origin.x -= scroll_x_;
  const auto first = static_cast<size_t>(std::max(0.0f, scroll_ / row_height));
  for (size_t i = first; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const float y = origin.y + static_cast<float>(i) * row_height - scroll_;
    if (y > origin.y + size.y) break;
    paint_selection(row, ImVec2(origin.x, y), font, theme, scale);
    paint_text(row, ImVec2(origin.x, y + (row_height - font_size(font)) * 0.5f), font, theme);
    paint_composed(composed, row, ImVec2(origin.x, y), font, theme, scale);
  }
  if (active) paint_caret(origin, font, theme, scale);
  list.PopClipRect();
}

// Behind the caret, not under it.
void TextEditor::paint_hint(const char* hint, ImVec2 origin, ImVec2 size, ImFont* font, const Theme& theme,
                            float scale) const {
  const ImVec4 clip(origin.x, origin.y, origin.x + size.x, origin.y + size.y);
  const ImVec2 at(origin.x + 3.0f * scale, origin.y + (kRowSpacing - 1.0f) * 0.5f * font_size(font));
  ImGui::GetWindowDrawList()->AddText(font, font_size(font), at, theme.muted,
                                      drawable(cut_to_width(hint, font, size.x - 3.0f * scale), font).c_str(), nullptr,
                                      0.0f, &clip);
}

TextEditor::Composed::Composed(TextEditor& editor, bool active)
    : editor_(editor), cursor_(editor.cursor_), anchor_(editor.anchor_) {
  const Composition& composition = current_composing().composition;
  if (!active || composition.empty()) return;
  size_ = composition.text().size();
  editor.text_.insert(cursor_, composition.text());
  editor.cursor_ = editor.anchor_ = cursor_ + composition.caret();
  editor.follow_cursor_ = true;
  ++editor.version_;
}

TextEditor::Composed::~Composed() {
  if (size_ == 0) return;
  editor_.text_.erase(cursor_, size_);
  editor_.cursor_ = cursor_;
  editor_.anchor_ = anchor_;
  ++editor_.version_;
}

float TextEditor::height(float width, ImFont* font, float scale, int max_rows) {
  const Composed composed(*this, was_active_);
  wrap(width - 24.0f * scale, font);
  const auto rows = static_cast<float>(std::clamp<size_t>(rows_.size(), 1, static_cast<size_t>(max_rows)));
  return rows * font_size(font) * kRowSpacing + 16.0f * scale;
}

// Takes the keyboard when it is asked to, clicked or reached by keys; gives it away at a click elsewhere.
void TextEditor::take_focus(unsigned id, bool hovered) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  const bool reached = g.NavActivateId == id && g.ActiveId == 0;
  if ((std::exchange(wants_focus_, false) || (hovered && clicked) || reached) && g.ActiveId != id) {
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    ImGui::SetActiveID(id, window);
    ImGui::SetFocusID(id, window);
    ImGui::FocusWindow(window);
    touched_ = ImGui::GetTime();
  }
  const bool menu_asked = ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  if (g.ActiveId == id && !hovered && (clicked || menu_asked)) ImGui::ClearActiveID();
}

// What mouse and keys do to the text while it has the keyboard.
void TextEditor::edit(ImVec2 origin, ImVec2 size, size_t limit_bytes, bool hovered, Outcome& outcome) {
  ImFont* font = ImGui::GetFont();
  const ImGuiIO& io = ImGui::GetIO();
  if (current_composing().composition.empty()) take_mouse(ImVec2(origin.x - scroll_x_, origin.y), font, hovered);
  const size_t version = version_;
  if (io.KeyCtrl && !io.KeyAlt) take_clipboard_keys(limit_bytes, outcome);
  outcome.changed |= take_characters(limit_bytes, outcome);
  if (version != version_) wrap(size.x, font);  // moving needs rows of the text as it is now
  take_moves(font, outcome);
  take_enter(limit_bytes, outcome);
  outcome.cancelled = key_pressed(ImGuiKey_Escape, false);
  if (version == version_) return;
  follow_cursor_ = true;
  wanted_x_ = -1.0f;
  touched_ = ImGui::GetTime();
  wrap(size.x, font);
}

// By the wheel, and to where the caret has gone.
void TextEditor::scroll(ImVec2 size, ImFont* font, float scale, bool hovered) {
  const float row_height = font_size(font) * kRowSpacing;
  const float content = static_cast<float>(rows_.size()) * row_height;
  if (hovered && !one_line() && ImGui::GetIO().MouseWheel != 0.0f) {
    scroll_ -= ImGui::GetIO().MouseWheel * row_height * 3.0f;
    follow_cursor_ = false;
  }
  if (std::exchange(follow_cursor_, false)) {
    const float y = static_cast<float>(row_of(cursor_)) * row_height;
    scroll_ = std::min(y, std::max(scroll_, y + row_height - size.y));
    const float x = x_of(cursor_, font);
    if (one_line()) scroll_x_ = std::min(x, std::max(scroll_x_, x + 2.0f * scale - size.x));
  }
  scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, content - size.y));
  if (one_line())
    scroll_x_ = std::clamp(scroll_x_, 0.0f, std::max(0.0f, drawn_row_width(rows_[0], font) + 2.0f * scale - size.x));
}

TextEditor::Outcome TextEditor::draw(const char* name, ImVec2 size, const char* hint, size_t limit_bytes,
                                     const Theme& theme, float scale) {
  Outcome outcome;
  ImFont* font = ImGui::GetFont();
  const ImGuiID id = ImGui::GetCurrentWindow()->GetID(name);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImRect box(at, ImVec2(at.x + size.x, at.y + size.y));
  const float row_height = font_size(font) * kRowSpacing;
  const float margin = one_line() ? (size.y - row_height) * 0.5f : 8.0f * scale;
  const ImVec2 origin(at.x + 12.0f * scale, at.y + margin);
  const ImVec2 inner(size.x - 24.0f * scale, size.y - 2.0f * margin);
  if (current_focus_order().add(id, box.Min, box.Max, FocusOrder::Kind::kField)) wants_focus_ = true;
  ImGui::ItemSize(box);
  if (!ImGui::ItemAdd(box, id)) return outcome;
  wrap(inner.x, font);
#if IMGUI_VERSION_NUM >= 18970
  const bool hovered = ImGui::ItemHoverable(box, id, 0);
#else
  const bool hovered = ImGui::ItemHoverable(box, id);
#endif
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  take_focus(id, hovered);
  ImGui::PushID(name);
  const size_t version = version_;
  take_menu(limit_bytes, outcome);
  if (version != version_) wrap(inner.x, font);
  ImGui::PopID();
  ImGuiContext& g = *ImGui::GetCurrentContext();
  outcome.active = g.ActiveId == id;
  outcome.left = was_active_ && !outcome.active && !menu_open_;
  was_active_ = outcome.active || menu_open_;
  if (outcome.active) {
    want_text(g, true);
    g.ActiveIdAllowOverlap = !ImGui::GetIO().MouseDown[0];  // a click elsewhere reaches what it is on
    ImGui::KeepAliveID(id);
    edit(origin, inner, limit_bytes, hovered, outcome);
  }
  const Composed composed(*this, outcome.active);
  wrap(inner.x, font);
  scroll(inner, font, scale, hovered);
  paint(composed, origin, inner, font, theme, scale, outcome.active);
  if (text_.empty()) paint_hint(hint, origin, inner, font, theme, scale);
  return outcome;
}

}  // namespace mneme::ui
