// Finding words in the document that is looked at: a field, how many places there are, and the ways between them. The
// controller searches; here is which place is shown.
#include <algorithm>
#include <string>

#include "ui/language/figures.h"
#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kLeastCount = 84.0f;  // room for "123 of 456"
constexpr float kButtons = 112.0f;    // back, on, close

// The page that a place begins on is drawn; the text is scrolled.
void show_place(PanelContext& c, const DocumentTextView& view) {
  DocumentFind& find = c.window.document.find;
  find.scroll = true;
  find.turned = false;
  const int page = view.found->places[find.at].page;
  if (view.page_image && !c.window.document.show_text && page > 0 && page != view.page) c.post(ShowPage{page});
}

void step(PanelContext& c, const DocumentTextView& view, bool back) {
  if (!view.found || view.found->places.empty()) return;
  DocumentFind& find = c.window.document.find;
  const size_t n = view.found->places.size();
  find.at = (find.at + (back ? n - 1 : 1)) % n;
  show_place(c, view);
}

// What was found is new: the first place is the one at the passage that is read, or behind it.
void follow_found(PanelContext& c, const DocumentTextView& view) {
  DocumentFind& find = c.window.document.find;
  if (find.seen == view.found.get()) return;
  find.seen = view.found.get();
  find.at = 0;
  if (!view.found || view.found->places.empty()) return;
  const auto& places = view.found->places;
  const auto near = std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.begin >= view.begin; });
  if (near != places.end()) find.at = static_cast<size_t>(near - places.begin());
  show_place(c, view);
}

std::string count_text(const DocumentFind& find, const DocumentTextView& view) {
  if (find.text.empty() || !view.found || view.found->sought != find.text) return "";
  const size_t n = view.found->places.size();
  if (n == 0) return tr("Not found");
  return filled(tr("{0} of {1}"), number_text(static_cast<int64_t>(find.at + 1)),
                number_text(static_cast<int64_t>(n)) + (view.found->more ? "+" : ""));
}

float count_width(const PanelContext& c) {
  const float not_found = text_width(drawable(tr("Not found"), c.fonts.small), c.fonts.small);
  return std::max(c.px(kLeastCount), not_found + c.px(14));
}

}  // namespace

const FoundInDocument::Place* found_place(const PanelContext& c, const DocumentTextView& view) {
  const DocumentFind& find = c.window.document.find;
  if (!find.open || !view.found || find.seen != view.found.get() || find.at >= view.found->places.size())
    return nullptr;
  return &view.found->places[find.at];
}

void close_find(PanelContext& c) {
  c.window.document.find = DocumentFind();
  c.window.document.scroll_to_passage = true;
  c.post(FindInDocument{});
}

void draw_find_bar(PanelContext& c, const DocumentTextView& view) {
  DocumentFind& find = c.window.document.find;
  if (!find.open) return;
  const std::string before = find.text;
  const float beside = count_width(c);
  const float width = std::max(c.px(60), ImGui::GetContentRegionAvail().x - beside - c.px(kButtons));
  const TextEditor::Outcome outcome =
      find.field.draw("##find", find.text, width, tr("Find in this document"), c.theme, c.scale);
  if (find.text != before) c.post(FindInDocument{find.text});
  follow_found(c, view);
  const bool down = outcome.submitted && !ImGui::GetIO().KeyShift;
  if (down || outcome.down_at_bottom) step(c, view, false);
  if ((outcome.submitted && !down) || outcome.up_at_top) step(c, view, true);
  // In the middle of what the field leaves, at the field's height.
  const std::string count = count_text(find, view);
  const bool none = view.found && view.found->places.empty();
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const float count_at = ImGui::GetCursorPosX();
  label(count, c.fonts.small, none ? c.theme.danger : c.theme.muted, beside - c.px(8));
  ImGui::SameLine(count_at + beside - c.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(2), c.px(6)));
  const bool any = view.found && !view.found->places.empty();
  if (icon_button(Icon::kPrevious, tr("Place before (Shift+Enter)"), c.theme, c.scale, any)) step(c, view, true);
  ImGui::SameLine();
  if (icon_button(Icon::kNext, tr("Next place (Enter)"), c.theme, c.scale, any)) step(c, view, false);
  ImGui::SameLine();
  const bool close = icon_button(Icon::kClose, tr("Stop finding (Esc)"), c.theme, c.scale);
  ImGui::PopStyleVar();
  if (close) close_find(c);
}

}  // namespace mneme::ui
