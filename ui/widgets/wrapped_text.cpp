// Text broken into lines of a width.
#include <algorithm>
#include <cmath>

#include <imgui.h>

#include "base/utf8.h"
#include "ui/language/tr.h"
#include "ui/text/imgui_fonts.h"
#include "ui/text/line_breaks.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/printable.h"
#include "ui/widgets/rich_text.h"

namespace mneme::ui {

namespace {

bool may_break_after(char32_t c) {
  constexpr char32_t kFirstIdeograph = 0x2e80;  // scripts without spaces
  return c == '-' || c == '/' || c >= kFirstIdeograph;
}

// Where the line that begins at `begin` ends: at a space, behind a hyphen or slash, or where the width does. Dear
// ImGui's own breaks behind every full stop, so that of a long path each dot gets a line.
const char* line_end(const char* begin, const char* end, ImFont* font, float width) {
  const std::string_view text(begin, static_cast<size_t>(end - begin));
  size_t last_break = 0;
  size_t break_before = 0;  // the one before the last
  float x = 0.0f;
  for (size_t at = 0; at < text.size();) {
    size_t next = at;
    const char32_t c = utf8::next(text, next);
    if (last_break == at && begins_no_line(c)) last_break = break_before;
    if (c == ' ') last_break = at;
    x += advance_of(font, c < 0x10000 ? static_cast<ImWchar>(c) : ImWchar(0xfffd));
    if (x > width && c != ' ') return begin + (last_break > 0 ? last_break : at > 0 ? at : next);
    if (may_break_after(c) && !ends_no_line(c)) {
      break_before = last_break;
      last_break = next;
    }
    at = next;
  }
  return end;
}

// Calls `line` with each line of a text broken at a width.
template <typename Line>
void for_each_line(const std::string& text, ImFont* font, float width, const Line& line) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    const char* const hard = std::find(at, end, '\n');
    const char* const stop = line_end(at, hard, font, width);
    line(at, stop);
    at = stop;
    if (at == hard) {
      ++at;
    } else {
      while (at < hard && *at == ' ') ++at;
    }
  }
}

float line_height(const ImFont* font) {
  return std::round(font_size(font) * 1.3f);
}

// Text that is drawn as it is; its height.
float draw_plain(const std::string& text, ImVec2 at, ImFont* font, ImU32 colour, float width) {
  const float top = at.y;
  for_each_line(text, font, width, [&](const char* begin, const char* end) {
    if (begin < end) ImGui::GetWindowDrawList()->AddText(font, font_size(font), at, colour, begin, end);
    at.y += line_height(font);
  });
  return at.y - top;
}

// A line of a text, broken in reading order before what it breaks into is put in the order it is seen; its height.
float draw_shaped(const std::string& line, ImVec2 at, ImFont* font, ImU32 colour, float width) {
  Fonts fonts = current_fonts().fonts();
  fonts.regular = font;
  MarkdownBlock paragraph;
  paragraph.inlines.emplace_back().text = line;
  const RichTextLayout layout = lay_out({paragraph}, width, 1.0f, fonts);
  for (const TextPiece& piece : layout.pieces) {
    const std::string& shown = piece.shown.empty() ? piece.text : piece.shown;
    ImGui::GetWindowDrawList()->AddText(font, font_size(font), ImVec2(at.x + piece.position.x, at.y + piece.position.y),
                                        colour, shown.c_str());
  }
  return layout.height;
}

}  // namespace

float wrapped_height(const std::string& text, ImFont* font, float width) {
  const std::string clean = printable(text);
  static_cast<void>(current_fonts().prepare(clean, font));
  int lines = 0;
  for_each_line(clean, font, width, [&](const char*, const char*) { ++lines; });
  return static_cast<float>(lines) * line_height(font);
}

void wrapped(const std::string& text, ImFont* font, ImU32 colour, float width) {
  const std::string clean = printable(text);
  if (width <= 0.0f) width = ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(font);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float height = 0.0f;
  if (current_fonts().prepare(clean, font)) {
    height = draw_plain(clean, at, font, colour, width);
  } else {
    // Each line reads in its own direction.
    for (size_t begin = 0; begin < clean.size();) {
      const size_t end = std::min(clean.find('\n', begin), clean.size());
      const std::string line = clean.substr(begin, end - begin);
      const ImVec2 place(at.x, at.y + height);
      height += current_fonts().prepare(line, font) ? draw_plain(line + "\n", place, font, colour, width)
                                                    : draw_shaped(line, place, font, colour, width);
      begin = end + 1;
    }
  }
  ImGui::Dummy(ImVec2(width, height));
  ImGui::PopFont();
}

void copyable(const char* id, const std::string& text, ImFont* font, ImU32 colour, float width) {
  ImGui::BeginGroup();
  wrapped(text, font, colour, width);
  ImGui::EndGroup();
  if (!begin_menu(id)) return;
  if (menu_item(tr("Copy"))) ImGui::SetClipboardText(text.c_str());
  end_menu();
}

}  // namespace mneme::ui
