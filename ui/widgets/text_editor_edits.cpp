// What keys, clipboard and menu do to the text of a TextEditor.
#include "ui/language/tr.h"
#include "ui/widgets/text_editor.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/printable.h"

namespace mneme::ui {
namespace {

constexpr size_t kMostUndo = 200;
constexpr size_t kMostUndoBytes = size_t{8} << 20;
constexpr double kTypingPause_s = 1.0;  // typing without a pause is undone at once

// What was typed between frames, without control characters. Characters beyond 16 bits come in two halves, as UTF-16
// writes them: Dear ImGui's own are 16 bits wide.
std::string typed_text(const ImVector<ImWchar>& characters) {
  std::string text;
  char32_t high = 0;
  for (const ImWchar half : characters) {
    char32_t c = half;
    if (c >= 0xd800 && c < 0xdc00) {
      high = c;
      continue;
    }
    if (c >= 0xdc00 && c < 0xe000) c = high == 0 ? 0 : 0x10000 + ((high - 0xd800) << 10) + (c - 0xdc00);
    high = 0;
    if (c >= 0x20 && c != 0x7f) utf8::append(text, c);
  }
  return text;
}

bool is_word_border(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '.' || c == ',' || c == ';' || c == ':' || c == '/' || c == '(' ||
         c == ')';
}

}  // namespace

void TextEditor::set_text(std::string text) {
  keep_for_undo(Edit::kOther);
  text_ = std::move(text);
  cursor_ = anchor_ = text_.size();
  follow_cursor_ = true;
  ++version_;
}

void TextEditor::reset(std::string text) {
  set_text(std::move(text));
  undo_.clear();
}

void TextEditor::select_all() {
  anchor_ = 0;
  cursor_ = text_.size();
}

size_t TextEditor::before(size_t byte) const {
  return byte == 0 ? 0 : utf8::floor_boundary(text_, byte - 1);
}
size_t TextEditor::after(size_t byte) const {
  if (byte < text_.size()) utf8::next(text_, byte);
  return byte;
}
void TextEditor::select_line(size_t byte) {
  const size_t before = byte == 0 ? text_.npos : text_.rfind('\n', byte - 1);
  anchor_ = before == text_.npos ? 0 : before + 1;
  cursor_ = std::min(text_.find('\n', byte), text_.size());
}

size_t TextEditor::word_before(size_t byte) const {
  while (byte > 0 && is_word_border(text_[byte - 1])) --byte;
  while (byte > 0 && !is_word_border(text_[byte - 1])) --byte;
  return byte;
}
size_t TextEditor::word_after(size_t byte) const {
  while (byte < text_.size() && !is_word_border(text_[byte])) ++byte;
  while (byte < text_.size() && is_word_border(text_[byte])) ++byte;
  return byte;
}

void TextEditor::keep_for_undo(Edit edit) {
  const double now = ImGui::GetTime();
  const bool continues =
      edit != Edit::kOther && edit == last_edit_ && now - last_edit_time_ < kTypingPause_s && !undo_.empty();
  last_edit_ = edit;
  last_edit_time_ = now;
  redo_.clear();
  if (continues) return;
  undo_.push_back({text_, cursor_});
  size_t bytes = 0;
  for (const State& state : undo_) bytes += state.text.size();
  while (undo_.size() > 1 && (undo_.size() > kMostUndo || bytes > kMostUndoBytes)) {
    bytes -= undo_.front().text.size();
    undo_.erase(undo_.begin());
  }
}

bool TextEditor::undo(std::vector<State>& from, std::vector<State>& to) {
  if (from.empty()) return false;
  to.push_back({text_, cursor_});
  text_ = std::move(from.back().text);
  cursor_ = anchor_ = from.back().cursor;
  from.pop_back();
  last_edit_ = Edit::kOther;
  ++version_;
  return true;
}

bool TextEditor::erase_selection() {
  if (cursor_ == anchor_) return false;
  const auto [begin, end] = std::minmax(cursor_, anchor_);
  text_.erase(begin, end - begin);
  cursor_ = anchor_ = begin;
  ++version_;
  return true;
}

bool TextEditor::insert(const std::string& text, size_t limit_bytes) {
  erase_selection();
  const size_t room = limit_bytes > text_.size() ? limit_bytes - text_.size() : 0;
  const size_t taken = text.size() <= room ? text.size() : utf8::floor_boundary(text, room);
  text_.insert(cursor_, text, 0, taken);
  if (one_line()) std::replace(text_.begin(), text_.end(), '\n', ' ');
  cursor_ = anchor_ = cursor_ + taken;
  ++version_;
  return taken < text.size();
}

void TextEditor::move(size_t to, bool selecting) {
  cursor_ = to;
  if (!selecting) anchor_ = to;
  follow_cursor_ = true;
  touched_ = ImGui::GetTime();
}

bool TextEditor::take_characters(size_t limit_bytes, Outcome& outcome) {
  ImGuiIO& io = ImGui::GetIO();
  const std::string typed = typed_text(io.InputQueueCharacters);
  io.InputQueueCharacters.resize(0);
  if (typed.empty() || (io.KeyCtrl && !io.KeyAlt)) return false;
  keep_for_undo(Edit::kTyping);
  outcome.too_long = insert(typed, limit_bytes);
  return true;
}

void TextEditor::copy(bool cut, Outcome& outcome) {
  const auto [begin, end] = std::minmax(cursor_, anchor_);
  if (begin == end) return;
  ImGui::SetClipboardText(text_.substr(begin, end - begin).c_str());
  if (!cut) return;
  keep_for_undo(Edit::kOther);
  outcome.changed |= erase_selection();
}

void TextEditor::paste(size_t limit_bytes, Outcome& outcome) {
  const char* pasted = ImGui::GetClipboardText();
  if (pasted == nullptr || *pasted == '\0') return;
  keep_for_undo(Edit::kOther);
  // Only what can be taken is looked at: a clipboard of megabytes must not stop the window.
  const std::string_view all(pasted);
  const std::string_view head = all.substr(0, utf8::floor_boundary(all, std::min(all.size(), limit_bytes)));
  const bool cut_off = insert(printable(head), limit_bytes);
  outcome.too_long = cut_off || head.size() < all.size();
  outcome.changed = true;
}

void TextEditor::take_clipboard_keys(size_t limit_bytes, Outcome& outcome) {
  if (letter_pressed('A', false)) {
    anchor_ = 0;
    move(text_.size(), true);
  }
  const bool cut = letter_pressed('X', false);
  if (cut || letter_pressed('C', false)) copy(cut, outcome);
  if (letter_pressed('V')) paste(limit_bytes, outcome);
  const bool shift = ImGui::GetIO().KeyShift;
  if (letter_pressed('Z')) outcome.changed |= shift ? undo(redo_, undo_) : undo(undo_, redo_);
  if (letter_pressed('Y')) outcome.changed |= undo(redo_, undo_);
}

// What the keys do, for the mouse. While it is open the text has no keyboard; it has it back behind a choice.
void TextEditor::take_menu(size_t limit_bytes, Outcome& outcome) {
  const bool was_open = std::exchange(menu_open_, begin_menu("edit"));
  if (!menu_open_) {
    wants_focus_ = wants_focus_ || was_open;
    return;
  }
  const bool some = cursor_ != anchor_;
  if (menu_item(tr("Undo"), "Ctrl+Z", false, !undo_.empty())) outcome.changed |= undo(undo_, redo_);
  if (menu_item(tr("Redo"), "Ctrl+Y", false, !redo_.empty())) outcome.changed |= undo(redo_, undo_);
  ImGui::Separator();
  if (menu_item(tr("Cut"), "Ctrl+X", false, some)) copy(/*cut=*/true, outcome);
  if (menu_item(tr("Copy"), "Ctrl+C", false, some)) copy(/*cut=*/false, outcome);
  if (menu_item(tr("Paste"), "Ctrl+V")) paste(limit_bytes, outcome);
  ImGui::Separator();
  if (menu_item(tr("Select all"), "Ctrl+A", false, !text_.empty())) select_all();
  end_menu();
}

bool TextEditor::reads_left_at_cursor(ImFont* font) const {
  const Row& row = rows_[row_of(cursor_)];
  return shaped(row, font).reads_left_at(cursor_ - row.begin);
}

void TextEditor::take_moves(ImFont* font, Outcome& outcome) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool selecting = io.KeyShift;
  const size_t row = row_of(cursor_);
  const bool up = key_pressed(ImGuiKey_UpArrow);
  const bool down = key_pressed(ImGuiKey_DownArrow);
  if (up || down) {
    if (wanted_x_ < 0.0f) wanted_x_ = x_of(cursor_, font);
    if (up && row > 0) move(byte_at(row - 1, wanted_x_, font), selecting);
    if (down && row + 1 < rows_.size()) move(byte_at(row + 1, wanted_x_, font), selecting);
    outcome.up_at_top = up && row == 0;
    outcome.down_at_bottom = down && row + 1 == rows_.size();
    return;
  }
  const size_t old = cursor_;
  const auto [begin, end] = std::minmax(cursor_, anchor_);
  const bool collapse = begin < end && !selecting;
  const bool from_right = reads_left_at_cursor(font);
  if (key_pressed(from_right ? ImGuiKey_RightArrow : ImGuiKey_LeftArrow))
    move(io.KeyCtrl ? word_before(cursor_) : collapse ? begin : before(cursor_), selecting);
  if (key_pressed(from_right ? ImGuiKey_LeftArrow : ImGuiKey_RightArrow))
    move(io.KeyCtrl ? word_after(cursor_) : collapse ? end : after(cursor_), selecting);
  if (key_pressed(ImGuiKey_Home)) move(io.KeyCtrl ? 0 : rows_[row].begin, selecting);
  if (key_pressed(ImGuiKey_End)) move(io.KeyCtrl ? text_.size() : last_of(row), selecting);
  if (cursor_ != old) wanted_x_ = -1.0f;
  const bool back = key_pressed(ImGuiKey_Backspace);
  const bool forward = key_pressed(ImGuiKey_Delete);
  if (!back && !forward) return;
  keep_for_undo(Edit::kErasing);
  if (!erase_selection()) {
    if (back) anchor_ = io.KeyCtrl ? word_before(cursor_) : before(cursor_);
    if (forward) anchor_ = io.KeyCtrl ? word_after(cursor_) : after(cursor_);
    erase_selection();
  }
  outcome.changed = true;
}

void TextEditor::take_enter(size_t limit_bytes, Outcome& outcome) {
  if (!enter_pressed()) return;
  if (one_line() || (lines_ == Lines::kMany && !ImGui::GetIO().KeyShift)) {
    outcome.submitted = true;
    return;
  }
  keep_for_undo(Edit::kOther);
  outcome.too_long |= insert("\n", limit_bytes);
  outcome.changed = true;
}

}  // namespace mneme::ui
