// The page of a PDF as a picture, as wide as its text fits into the panel, with the passage and what was found marked.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "ui/panels/page_words.h"
#include "ui/panels/panel.h"
#include "ui/panels/quoting.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kMargin = 0.03f;    // left beside the text, as a share of the page
constexpr float kLeastZoom = 0.5f;  // of a page whose text fills the panel
constexpr float kMostZoom = 4.0f;
constexpr float kZoomStep = 1.25f;
constexpr float kBlurred = 1.1f;  // times as large as it was drawn: it is drawn anew
constexpr float kDpiStep = 65.0f;
constexpr float kMostPixels = 8.0e6f;  // of a picture: some 290 dpi of a letter
constexpr float kWidestText = 0.95f;   // wider than that, margins are not worth cutting

// Which part of a page's width is to fill the panel: its text, and a little beside it.
struct Part {
  float left = 0.0f;
  float width = 1.0f;
};
Part text_part(const PageImage& image) {
  const float left = std::max(0.0f, image.text_left - kMargin);
  const float right = std::min(1.0f, image.text_right + kMargin);
  return right - left < 0.4f || right - left > kWidestText ? Part() : Part{left, right - left};
}

void zoom_by(DocumentBox& box, float factor) {
  box.zoom = std::clamp(box.zoom * factor, kLeastZoom, kMostZoom);
}

// Turning pages, where the passage is, and how large the letters are.
void draw_bar(PanelContext& c, const DocumentTextView& view) {
  if (icon_button(Icon::kPrevious, tr("Page before"), c.theme, c.scale, view.page > 1)) c.post(ShowPage{view.page - 1});
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const std::string page = std::to_string(view.page);
  const std::string text =
      view.pages > 0 ? filled(tr("Page {0} of {1}"), page, std::to_string(view.pages)) : filled(tr("Page {0}"), page);
  label(text, c.fonts.regular, c.theme.text, c.px(140));
  ImGui::SameLine();
  if (icon_button(Icon::kNext, tr("Next page"), c.theme, c.scale, view.pages == 0 || view.page < view.pages))
    c.post(ShowPage{view.page + 1});
  if (view.source.page > 0 && view.source.page != view.page) {
    ImGui::SameLine();
    if (plain_button(tr("To the passage"))) c.post(ShowPage{view.source.page});
  }
  same_line_if_room(c.px(76));
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetWindowContentRegionMax().x - c.px(68)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(2), ImGui::GetStyle().ItemSpacing.y));
  DocumentBox& box = c.window.document;
  if (icon_button(Icon::kMinus, tr("Smaller (Ctrl+wheel)"), c.theme, c.scale, box.zoom > kLeastZoom))
    zoom_by(box, 1.0f / kZoomStep);
  ImGui::SameLine();
  if (icon_button(Icon::kPlus, tr("Larger (Ctrl+wheel)"), c.theme, c.scale, box.zoom < kMostZoom))
    zoom_by(box, kZoomStep);
  ImGui::PopStyleVar();
}

// Over the letters of the picture, so thinly that they stay black; a line below tells more than a tint could.
struct Marker {
  ImU32 tint = 0;
  ImU32 line = 0;  // 0: none
};
// The page stays white in the dark theme, so these hold in both.
constexpr Marker kPassageMarker = {IM_COL32(255, 214, 70, 56)};
constexpr Marker kSaidMarker = {IM_COL32(255, 196, 0, 72), IM_COL32(214, 140, 0, 255)};
constexpr Marker kFoundMarker = {IM_COL32(64, 160, 255, 64)};
constexpr Marker kShownMarker = {IM_COL32(255, 120, 0, 72), IM_COL32(214, 84, 0, 255)};

void mark(const PanelContext& c, const std::vector<PageImage::Box>& boxes, ImVec2 at, ImVec2 size,
          const Marker& marker) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const PageImage::Box& box : boxes) {
    const ImVec2 min(at.x + box.x_min * size.x - c.px(1), at.y + box.y_min * size.y);
    const ImVec2 max(at.x + box.x_max * size.x + c.px(1), at.y + box.y_max * size.y);
    list.AddRectFilled(min, max, marker.tint, c.px(2));
    if (marker.line == 0) continue;
    const float height = std::max(c.px(1.5f), (max.y - min.y) * 0.08f);
    list.AddRectFilled(ImVec2(min.x, max.y - height), max, marker.line);
  }
}

// The place that is shown, among those of its page; null where the page has none.
const std::vector<PageImage::Box>* shown_place(PanelContext& c, const DocumentTextView& view) {
  const FoundInDocument::Place* place = found_place(c, view);
  if (place == nullptr || view.found_on_page.empty()) return nullptr;
  if (c.window.document.find.turned && view.page == place->page + 1) return &view.found_on_page.front();
  if (view.page != place->page) return nullptr;  // it is being turned to
  const auto& places = view.found->places;
  const auto first = std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.page == place->page; });
  const auto nth = static_cast<size_t>(place - &*first);
  return &view.found_on_page[std::min(nth, view.found_on_page.size() - 1)];
}

// A passage's page is the one that it begins on, so that what is sought may stand on the next.
void turn_to_found(PanelContext& c, const DocumentTextView& view) {
  DocumentFind& find = c.window.document.find;
  const FoundInDocument::Place* place = found_place(c, view);
  if (place == nullptr || !find.scroll || !view.found_on_page.empty() || place->page != view.page) return;
  if (!std::exchange(find.turned, true) && view.page < view.pages) c.post(ShowPage{view.page + 1});
}

void scroll_to(PanelContext& c, const std::vector<PageImage::Box>& boxes, float page_top, float height) {
  c.window.document.scrolled_at = c.window.frame;
  float first = 1.0f;
  for (const PageImage::Box& box : boxes) first = std::min(first, box.y_min);
  ImGui::SetScrollFromPosY(page_top + first * height - ImGui::GetWindowPos().y, 0.2f);
}

// A page that has just come into sight: its text at the left border, and nothing of it selected.
void place(PanelContext& c, float left) {
  c.window.document.scrolled_at = c.window.frame;
  ImGui::SetScrollX(left);
  if (c.window.selection.owner == &c.window.document) c.window.selection = {};
}

// Drawn anew where it is shown larger than it was drawn: in steps, so that growing draws it a few times, not at each
// click of the wheel.
void sharpen(PanelContext& c, const DocumentTextView& view, float shown_width) {
  const PageImage& image = *view.page_image;
  const auto pixels = static_cast<float>(image.width) * static_cast<float>(image.height);
  if (image.dpi <= 0 || shown_width <= static_cast<float>(image.width) * kBlurred) return;
  const auto dpi = static_cast<float>(image.dpi);
  const float step = std::ceil(dpi * shown_width / static_cast<float>(image.width) / kDpiStep) * kDpiStep;
  const int wanted = static_cast<int>(std::min(step, dpi * std::sqrt(kMostPixels / std::max(1.0f, pixels))));
  DocumentBox& box = c.window.document;
  if (wanted <= image.dpi || (box.sharpened_page == view.page && box.sharpened_dpi >= wanted)) return;
  box.sharpened_page = view.page;
  box.sharpened_dpi = wanted;
  c.post(ShowPage{view.page, wanted});
}

// Where the hand is while the wheel makes it larger, the page stays.
void take_wheel(DocumentBox& box, ImVec2 page, ImVec2 size) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl || io.MouseWheel == 0.0f || !ImGui::IsWindowHovered()) return;
  const float before = box.zoom;
  zoom_by(box, std::pow(kZoomStep, io.MouseWheel));
  const float grown = box.zoom / before - 1.0f;
  const ImVec2 share((io.MousePos.x - page.x) / size.x, (io.MousePos.y - page.y) / size.y);
  ImGui::SetScrollX(std::max(0.0f, ImGui::GetScrollX() + share.x * size.x * grown));
  ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() + share.y * size.y * grown));
}

void page_menu(PanelContext& c, const DocumentTextView& view) {
  const PageImage& image = *view.page_image;
  if (image.words.empty() || !begin_menu("page menu")) return;
  const std::string selected = selected_text(image, &c.window.document, c.window.selection);
  if (menu_item(tr("Copy"), "Ctrl+C", false, !selected.empty())) copy_text(c, selected);
  if (menu_item(tr("Copy with its source"), "Ctrl+Shift+C")) copy_quotation(c, view);
  if (menu_item(tr("Copy the page's text"))) copy_text(c, text_on_page(image, 0, image.words.size()));
  end_menu();
}

}  // namespace

void draw_document_page(PanelContext& c, const DocumentTextView& view) {
  DocumentBox& box = c.window.document;
  const PageImage& image = *view.page_image;
  draw_bar(c, view);
  turn_to_found(c, view);
  ImGui::BeginChild(("page " + std::to_string(view.page)).c_str(), ImVec2(0, 0), false,
                    ImGuiWindowFlags_HorizontalScrollbar);
  if (!std::exchange(box.begun, true)) begin_at_top(c);
  take_scroll(c.window.scroll_document);
  const Part part = text_part(image);
  const float width = ImGui::GetContentRegionAvail().x / part.width * box.zoom;
  const ImVec2 size(width, width * static_cast<float>(image.height) / static_cast<float>(std::max(1, image.width)));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  ImGui::GetWindowDrawList()->AddImage(c.hooks.texture(view.page_image), at, end);
  ImGui::GetWindowDrawList()->AddRect(at, end, c.theme.border);
  mark(c, image.passage, at, size, kPassageMarker);
  mark(c, image.said, at, size, kSaidMarker);
  const std::vector<PageImage::Box>* shown = shown_place(c, view);
  for (const auto& found : view.found_on_page) mark(c, found, at, size, &found == shown ? kShownMarker : kFoundMarker);
  ImGui::Dummy(size);
  select_on_page(image, &box, at, size, c.window.selection);
  page_menu(c, view);
  take_wheel(box, at, size);
  sharpen(c, view, size.x);
  if (std::exchange(box.placed, view.page) != view.page) place(c, part.left * size.x);
  if (shown != nullptr && std::exchange(box.find.scroll, false)) {
    scroll_to(c, *shown, at.y, size.y);
    box.scroll_to_passage = false;
  }
  const std::vector<PageImage::Box>& sought = image.said.empty() ? image.passage : image.said;
  if (std::exchange(box.scroll_to_passage, false) && !sought.empty()) scroll_to(c, sought, at.y, size.y);
  ImGui::EndChild();
}

}  // namespace mneme::ui
