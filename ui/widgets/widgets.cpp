#include "ui/widgets/widgets.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include <imgui_internal.h>

#include "base/utf8.h"
#include "ui/text/imgui_fonts.h"
#include "ui/text/line_breaks.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/key_focus.h"
#include "ui/widgets/markdown.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/rich_text.h"

namespace mneme::ui {

bool icon_button(Icon icon, const char* name, const Theme& theme, float scale, bool enabled) {
  const float size = 32.0f * scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::InvisibleButton(name, ImVec2(size, size));
  ImGui::EndDisabled();
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (hovered && enabled) list.AddRectFilled(at, ImVec2(at.x + size, at.y + size), theme.hover, 8.0f * scale);
  draw_icon(list, icon, ImVec2(at.x + size * 0.5f, at.y + size * 0.5f), 16.0f * scale,
            enabled ? theme.text : theme.border);
  focus_ring(theme, scale);
  add_focus_stop();
  if (hovered) tooltip(name);
  return clicked && enabled;
}

namespace {

// Around a button, whose own colour may be that of the ring; of one at a panel's border too.
void ring_around_button(ImU32 colour) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImRect button(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (!ImGui::IsItemFocused() || !ring_shown(g) || !g.CurrentWindow->ClipRect.Contains(button)) return;
  const float rounding = ImGui::GetStyle().FrameRounding;  // 8 at scale 1
  const float thickness = std::max(1.0f, rounding * 0.25f);
  ImRect ring = button;
  ring.Expand(rounding * 0.375f);
  ImRect seen = ring;
  seen.Expand(thickness);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(seen.Min, seen.Max);
  list.AddRect(ring.Min, ring.Max, colour, rounding * 1.375f, 0, thickness);
  list.PopClipRect();
}

}  // namespace

bool plain_button(const char* label) {
  const ImU32 ring = ImGui::GetColorU32(ImGuiCol_NavHighlight);
  ImGui::PushStyleColor(ImGuiCol_NavHighlight, IM_COL32(0, 0, 0, 0));  // Dear ImGui's is as thin at every size
  const bool clicked = ImGui::Button(label);
  ImGui::PopStyleColor();
  ring_around_button(ring);
  add_focus_stop();
  return clicked;
}

bool primary_button(const char* label, const Theme& theme) {
  ImGui::PushStyleColor(ImGuiCol_Button, theme.accent);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, theme.accent);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, theme.accent);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.accent_text);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  const bool clicked = plain_button(label);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(4);
  return clicked;
}

bool small_button(const char* label, ImU32 colour, float scale) {
  ImGui::PushFont(current_fonts().fonts().small);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(8.0f * scale, 4.0f * scale));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  const bool clicked = plain_button(label);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor(2);
  ImGui::PopFont();
  return clicked;
}

bool disclosure(const char* id, const std::string& text, bool open, ImU32 colour, const Theme& theme, float scale) {
  ImFont* font = current_fonts().fonts().small;
  const float tip = 14.0f * scale;  // of the arrow, with the space before the text
  const float height = font_size(font) + 8.0f * scale;
  const float width = tip + text_width(text, font) + 8.0f * scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, ImVec2(width, height));
  add_focus_stop();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), theme.hover, 6.0f * scale);
  focus_ring(theme, scale);
  const ImVec2 middle(at.x + 6.0f * scale, at.y + height * 0.5f);
  const float r = 3.5f * scale;
  const ImVec2 down[] = {
      {middle.x - r, middle.y - r * 0.5f}, {middle.x, middle.y + r * 0.6f}, {middle.x + r, middle.y - r * 0.5f}};
  const ImVec2 right[] = {
      {middle.x - r * 0.5f, middle.y - r}, {middle.x + r * 0.6f, middle.y}, {middle.x - r * 0.5f, middle.y + r}};
  list.AddPolyline(open ? down : right, 3, colour, 0, std::max(1.0f, 1.5f * scale));
  list.AddText(font, font_size(font), ImVec2(at.x + tip, at.y + 4.0f * scale), colour, text.c_str());
  return clicked;
}

void same_line_if_room(float width) {
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right) ImGui::SameLine();
}

void align_right(std::initializer_list<const char*> buttons) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float width = 0.0f;
  for (const char* button : buttons) {
    if (width > 0.0f) width += style.ItemSpacing.x;
    width += ImGui::CalcTextSize(button, nullptr, true).x + 2.0f * style.FramePadding.x;
  }
  ImGui::SameLine(std::max(0.0f, ImGui::GetWindowContentRegionMax().x - width));
}

std::string as_sentence(const std::string& message) {
  std::string text = message;
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto word_end = std::find(text.begin(), text.end(), ' ');
  if (std::all_of(text.begin(), word_end, lower) && !text.empty()) text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (!text.empty() && (std::isalnum(static_cast<unsigned char>(text.back())) != 0 || text.back() == ')')) text += '.';
  return text;
}

bool begin_choice(const char* id, const std::string& shown, float width, const Theme& theme, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 tip(at.x + width - 18.0f * scale, at.y + ImGui::GetFrameHeight() * 0.5f + 2.5f * scale);
  const float room = width - ImGui::GetStyle().FramePadding.x - 30.0f * scale;
  const std::string line = drawable(cut_to_width(one_line(shown), ImGui::GetFont(), room), ImGui::GetFont());
  ImGui::SetNextItemWidth(width);
  // Before it is drawn: once it is open, the current window is its list.
  current_focus_order().add(ImGui::GetID(id), at, ImVec2(at.x + width, at.y + ImGui::GetFrameHeight()),
                            FocusOrder::Kind::kAlone);
  const bool open = ImGui::BeginCombo(id, line.c_str(), ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLarge);
  const ImVec2 points[] = {ImVec2(tip.x - 5.0f * scale, tip.y - 5.0f * scale), tip,
                           ImVec2(tip.x + 5.0f * scale, tip.y - 5.0f * scale)};
  list.AddPolyline(points, 3, theme.muted, 0, std::max(1.0f, 1.6f * scale));
  return open;
}

bool list_row(const char* id, Icon icon, const std::string& text, bool selected, const Theme& theme, float scale,
              const std::string& aside) {
  const float height = 34.0f * scale;
  const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, ImVec2(width, height));
  add_focus_stop(FocusOrder::Kind::kRow, selected);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!ImGui::IsItemVisible()) return clicked;
  const bool hovered = ImGui::IsItemHovered();
  if (selected || hovered) {
    list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), selected ? theme.accent_soft : theme.hover,
                       8.0f * scale);
  }
  // Told by more than its colour.
  if (selected)
    list.AddRectFilled(ImVec2(at.x, at.y + height * 0.25f), ImVec2(at.x + 3.0f * scale, at.y + height * 0.75f),
                       theme.accent, 1.5f * scale);
  focus_ring(theme, scale);
  draw_icon(list, icon, ImVec2(at.x + 18.0f * scale, at.y + height * 0.5f), 15.0f * scale,
            selected ? theme.accent : theme.muted);
  float room = width - 44.0f * scale;
  const float y = at.y + (height - ImGui::GetFontSize()) * 0.5f;
  const std::string line = one_line(text);
  if (!aside.empty()) {
    // The name comes first: what stands aside is cut where both have no room.
    const float name_width = std::min(ImGui::CalcTextSize(line.c_str()).x, room * 0.6f);
    const std::string cut = cut_to_width(aside, ImGui::GetFont(), std::max(0.0f, room - name_width - 8.0f * scale));
    const float aside_width = ImGui::CalcTextSize(cut.c_str()).x;
    room -= aside_width + 8.0f * scale;
    list.AddText(ImVec2(at.x + width - aside_width - 10.0f * scale, y), theme.muted, cut.c_str());
  }
  const std::string shown = cut_to_width(line, ImGui::GetFont(), room);
  list.AddText(ImVec2(at.x + 34.0f * scale, y), theme.text, drawable(shown, ImGui::GetFont()).c_str());
  if (hovered && shown.size() != line.size()) tooltip(line);
  return clicked;
}

void tooltip(const std::string& text) {
  const float letter = ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.7f * letter, 0.45f * letter));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.45f * letter);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 32.0f);
  ImGui::TextUnformatted(drawable(text, ImGui::GetFont()).c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar(2);
}

void focus_ring(const Theme& theme, float scale) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!ImGui::IsItemFocused() || !ring_shown(g)) return;
  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 max = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddRect(min, max, theme.accent, 8.0f * scale, 0, std::max(1.0f, 2.0f * scale));
}

std::string drawable(const std::string& text, ImFont* font) {
  return current_fonts().visual(printable(text), font);
}

void label(const std::string& text, ImFont* font, ImU32 colour, float width) {
  if (width <= 0.0f) width = ImGui::GetContentRegionAvail().x;
  const std::string line = one_line(text);
  const std::string shown = cut_to_width(line, font, width);
  ImGui::PushFont(font);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::TextUnformatted(drawable(shown, font).c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (shown.size() != line.size() && ImGui::IsItemHovered()) tooltip(line);
}

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
  if (ImGui::MenuItem("Copy")) ImGui::SetClipboardText(text.c_str());
  end_menu();
}

void progress_bar(float fraction, const Theme& theme, float scale) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = 6.0f * scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), theme.border, height * 0.5f);
  const float filled = width * std::clamp(fraction, 0.0f, 1.0f);
  if (fraction > 0.0f) {
    list.AddRectFilled(at, ImVec2(at.x + std::max(filled, height), at.y + height), theme.accent, height * 0.5f);
  }
  ImGui::Dummy(ImVec2(width, height));
}

bool contains_folded(const std::string& text, const std::string& part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

std::string human_seconds(double seconds) {
  const int64_t whole = std::llround(std::max(0.0, seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

std::string human_milliseconds(double ms) {
  char text[32];
  if (ms > 0.0 && ms < 0.05) return "< 0.1 ms";
  if (ms < 1000.0) {
    std::snprintf(text, sizeof(text), ms > 0.0 && ms < 10.0 ? "%.1f ms" : "%.0f ms", ms);
  } else {
    std::snprintf(text, sizeof(text), "%.1f s", ms / 1000.0);
  }
  return text;
}

std::string file_name(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

float text_width(const std::string& drawn, ImFont* font) {
  return font->CalcTextSizeA(font_size(font), FLT_MAX, 0.0f, drawn.data(), drawn.data() + drawn.size()).x;
}

std::string end_within(const std::string& text, ImFont* font, float width) {
  static_cast<void>(current_fonts().prepare(text + "…", font));
  if (text_width(text, font) <= width) return text;
  const float room = width - text_width("…", font);
  size_t begin = 0;
  while (begin < text.size() && text_width(text.substr(begin), font) > room) {
    const size_t slash = text.find('/', begin + 1);
    // The last name is cut within, if need be.
    if (slash == std::string::npos) return cut_to_width("…" + text.substr(begin), font, width);
    begin = slash;
  }
  return "…" + text.substr(begin);
}

std::string cut_to_width(const std::string& text, ImFont* font, float width) {
  // Characters are measured one by one: exact but for scripts whose letters are narrower where they join.
  if (!current_fonts().prepare(text, font) && text_width(drawable(text, font), font) <= width) return text;
  const auto advance = [&](char32_t c) {
    return advance_of(font, c < 0x10000 ? static_cast<ImWchar>(c) : ImWchar(0xfffd));
  };
  const float ellipsis = advance(0x2026);
  float x = 0.0f;
  size_t fits = 0;  // what fits with an ellipsis behind it
  for (size_t offset = 0; offset < text.size();) {
    x += advance(utf8::next(text, offset));
    if (x > width) return text.substr(0, fits) + "…";
    if (x + ellipsis <= width) fits = offset;
  }
  return text;
}

}  // namespace mneme::ui
