#include "ui/widgets/labels.h"

#include <algorithm>
#include <cfloat>

#include <imgui.h>

#include "base/utf8.h"
#include "ui/language/tr.h"
#include "ui/text/fonts.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/printable.h"
#include "ui/widgets/tooltip_rest.h"

namespace mneme::ui {

void tooltip(const std::string& text) {
  if (!current_tooltip_rest().is_over()) return;
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

std::string drawable(const std::string& text, ImFont* font) {
  return current_fonts().visual(printable(text), font);
}

std::string named_item(const char* name) {
  return drawable(name, ImGui::GetFont()) + "###" + english_of(name);
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

namespace {

// Of text that is shaped: characters measured one by one would not add up to what is drawn. A guess by the share that
// has room is right but for a letter or two.
std::string cut_shaped(const std::string& text, ImFont* font, float width) {
  float drawn = text_width(drawable(text, font), font);
  if (drawn <= width) return text;
  size_t bytes = text.size();
  while (bytes > 0 && drawn > width) {
    const auto share = static_cast<size_t>(static_cast<float>(bytes) * std::max(0.0f, width) / drawn);
    bytes = utf8::floor_boundary(text, std::min(share, bytes - 1));
    drawn = text_width(drawable(text.substr(0, bytes) + "…", font), font);
  }
  return text.substr(0, bytes) + "…";
}

}  // namespace

std::string cut_to_width(const std::string& text, ImFont* font, float width) {
  if (!current_fonts().prepare(text, font)) return cut_shaped(text, font, width);
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
