// The beginning of a passage: in its card, and where a citation of it is pointed at. Code keeps its lines.
#include <algorithm>

#include "ui/language/figures.h"
#include "ui/panels/panel.h"
#include "ui/view_model/flowing_text.h"
#include "ui/widgets/excerpt.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr size_t kExcerptBytes = 320;
constexpr size_t kExcerptLines = 7;  // of code, and of lines that their writer broke
constexpr float kTooltipWidth = 400.0f;

void draw_code(PanelContext& c, std::string_view code, float width) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, c.px(2)));
  ImGui::BeginGroup();
  for (const std::string& line : code_excerpt(code, kExcerptLines))
    label(line.empty() ? " " : line, line == "…" ? c.fonts.small : c.fonts.small_mono, c.theme.text, width);
  ImGui::EndGroup();
  ImGui::PopStyleVar();
}

// Short lines would make a tall card of few words.
std::string few_lines(std::string text) {
  size_t end = 0;
  for (size_t n = 0; n < kExcerptLines && end != text.npos; ++n) end = text.find('\n', end + (n > 0 ? 1 : 0));
  if (end == text.npos) return text;
  text.resize(end);
  return text + "\n…";
}

std::string lines_of(const SourceView& s) {
  return lines_text(s.page, s.line_begin, s.line_end);
}

}  // namespace

std::string place_of(const SourceView& s) {
  std::string place = s.file;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) place += (place.empty() ? "" : "  ·  ") + part;
  };
  add(lines_of(s));
  if (s.heading.starts_with(s.title + " > ")) {
    add(s.heading.substr(s.title.size() + 3));  // the title stands above
  } else if (s.heading != s.title) {
    add(s.heading);
  }
  return place;
}

void draw_excerpt(PanelContext& c, const SourceView& source, float width) {
  const std::string_view shown =
      std::string_view(source.text).substr(std::min(source.excerpt_from, source.text.size()));
  if (source.is_code) return draw_code(c, shown, width);
  std::string excerpt =
      source.is_plain
          ? few_lines(plain_excerpt(flowing_markdown(std::string(shown.substr(0, 4 * kExcerptBytes))), kExcerptBytes))
          : plain_excerpt(shown, kExcerptBytes);
  // A document's title stands above already.
  if (excerpt.starts_with(source.title + "\n")) excerpt.erase(0, source.title.size() + 1);
  wrapped(excerpt, c.fonts.small, c.theme.text, width);
}

void source_tooltip(PanelContext& c, const SourceView& source) {
  if (c.window.sources_shown) return tooltip(source.title);  // more would cover what is shown there
  const float width = std::min(c.px(kTooltipWidth), ImGui::GetIO().DisplaySize.x * 0.8f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(12), c.px(10)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(8), c.px(4)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, c.px(8));
  ImGui::BeginTooltip();
  label(source.title, c.fonts.bold, c.theme.text, width);
  if (const std::string place = place_of(source); !place.empty()) label(place, c.fonts.small, c.theme.muted, width);
  draw_excerpt(c, source, width);
  ImGui::EndTooltip();
  ImGui::PopStyleVar(3);
}

}  // namespace mneme::ui
