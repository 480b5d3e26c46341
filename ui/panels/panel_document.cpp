// The document behind a passage: the page of a PDF, or the text, with the passage marked.
#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "ui/panels/panel.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr size_t kAround = 8000;  // bytes of text before and after the passage: what one scrolls through

void draw_header(PanelContext& c, const DocumentTextView& view) {
  const float buttons = c.px(view.page_image ? 124 : 84);
  label(view.source.title.empty() ? file_name(view.source.document) : view.source.title, c.fonts.heading, c.theme.text,
        ImGui::GetContentRegionAvail().x - buttons);
  beside_heading(c, buttons + c.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(4), 0));
  if (view.page_image) {
    bool& show_text = c.window.document.show_text;
    if (icon_button(Icon::kBook, show_text ? "Show the page" : "Show the text", c.theme, c.scale)) {
      show_text = !show_text;
      c.window.document.scroll_to_passage = true;
    }
    ImGui::SameLine();
  }
  if (icon_button(Icon::kFolder, "Open in its own program", c.theme, c.scale)) c.hooks.open_path(view.source.document);
  ImGui::SameLine();
  if (icon_button(Icon::kClose, "Back to the sources (Esc)", c.theme, c.scale)) c.post(CloseDocument{});
  ImGui::PopStyleVar();
  label(view.source.document, c.fonts.small, c.theme.muted);
  if (begin_menu("path menu")) {
    if (ImGui::MenuItem("Copy its path")) ImGui::SetClipboardText(view.source.document.c_str());
    end_menu();
  }
  if (!view.error.empty()) copyable("error", view.error, c.fonts.small, c.theme.danger);
}

// Turning pages, and where the passage is.
void draw_page_bar(PanelContext& c, const DocumentTextView& view) {
  if (icon_button(Icon::kPrevious, "Page before", c.theme, c.scale, view.page > 1)) c.post(ShowPage{view.page - 1});
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  std::string text = "Page " + std::to_string(view.page);
  if (view.pages > 0) text += " of " + std::to_string(view.pages);
  label(text, c.fonts.regular, c.theme.text, c.px(140));
  ImGui::SameLine();
  if (icon_button(Icon::kNext, "Next page", c.theme, c.scale, view.pages == 0 || view.page < view.pages))
    c.post(ShowPage{view.page + 1});
  if (view.source.page > 0 && view.source.page != view.page) {
    ImGui::SameLine();
    if (plain_button("To the passage")) c.post(ShowPage{view.source.page});
  }
}

void draw_page(PanelContext& c, const DocumentTextView& view) {
  const PageImage& image = *view.page_image;
  draw_page_bar(c, view);
  ImGui::BeginChild(("page " + std::to_string(view.page)).c_str());
  take_scroll(c.window.scroll_document);
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = width * static_cast<float>(image.height) / static_cast<float>(std::max(1, image.width));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + width, at.y + height);
  list.AddImage(c.hooks.texture(view.page_image), at, end);
  list.AddRect(at, end, c.theme.border);
  // The page stays white in the dark theme, so the markers are the light ones.
  const auto mark = [&](const std::vector<PageImage::Box>& boxes, ImU32 colour) {
    for (const PageImage::Box& box : boxes) {
      const ImVec2 min(at.x + box.x_min * width - c.px(1), at.y + box.y_min * height);
      const ImVec2 max(at.x + box.x_max * width + c.px(1), at.y + box.y_max * height);
      list.AddRectFilled(min, max, colour, c.px(2));
    }
  };
  mark(image.passage, IM_COL32(255, 214, 70, 56));
  mark(image.said, IM_COL32(255, 196, 0, 120));
  ImGui::Dummy(ImVec2(width, height));
  const std::vector<PageImage::Box>& sought = image.said.empty() ? image.passage : image.said;
  if (std::exchange(c.window.document.scroll_to_passage, false) && !sought.empty()) {
    float first = 1.0f;
    for (const PageImage::Box& box : sought) first = std::min(first, box.y_min);
    ImGui::SetScrollFromPosY(at.y + first * height - ImGui::GetWindowPos().y, 0.2f);
  }
  ImGui::EndChild();
}

RichTextActions links_of(PanelContext& c) {
  RichTextActions actions;
  actions.link_clicked = [&c](const std::string& link) { follow_link(c, link); };
  return actions;
}

// The passage on its ground, with a bar beside it, and the answer's words in it marked; scrolled to when it is new.
void draw_passage(PanelContext& c, const DocumentTextView& view, const RichTextLayout& layout) {
  DocumentBox& box = c.window.document;
  if (std::exchange(box.marked_width, layout.width) != layout.width) box.marks = marks_of(layout, view.said);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 min(at.x - c.px(6), at.y - c.px(4));
  const ImVec2 max(at.x + layout.width + c.px(6), at.y + layout.height + c.px(4));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, max, c.theme.passage, c.px(4));
  list.AddRectFilled(min, ImVec2(min.x + c.px(3), max.y), c.theme.highlight, c.px(2));
  draw_marks(layout, box.marks, at, c.theme.highlight, c.scale);
  if (std::exchange(box.scroll_to_passage, false)) {
    const float marked = box.marks.empty() ? 0.0f : layout.pieces[box.marks.front().piece].position.y;
    ImGui::SetScrollFromPosY(at.y + marked - ImGui::GetWindowPos().y, marked > 0.0f ? 0.3f : 0.15f);
  }
  draw(layout, &box.passage, c.theme, c.scale, c.window.selection, links_of(c));
}

TextForm form_of(const DocumentTextView& view) {
  if (view.source.is_code) return TextForm::kCode;
  const bool markdown = view.format == "markdown" || view.source.document.ends_with(".md");
  return markdown ? TextForm::kMarkdown : TextForm::kPlain;
}

// The text around the passage, laid out once.
void draw_text(PanelContext& c, const DocumentTextView& view) {
  DocumentBox& box = c.window.document;
  const std::string_view text = *view.text;
  ImGui::BeginChild("text");
  take_scroll(c.window.scroll_document);
  ImGui::Indent(c.px(10));  // the marker reaches beyond the text
  const float width = ImGui::GetContentRegionAvail().x - c.px(18);
  const TextForm form = form_of(view);
  size_t begin = 0;
  if (view.begin > kAround) {
    begin = text.find('\n', view.begin - kAround);
    if (begin == text.npos || begin > view.begin) begin = view.begin;
  }
  const size_t end = utf8::floor_boundary(text, std::min(text.size(), view.end + kAround));
  const auto part = [&](GrowingLayout& layout, size_t from, size_t to) -> const RichTextLayout& {
    return layout.update(text.substr(from, to - from), form, width, c.scale, c.fonts);
  };
  const auto show = [&](GrowingLayout& layout, size_t from, size_t to) {
    if (from < to) draw(part(layout, from, to), &layout, c.theme, c.scale, c.window.selection, links_of(c));
  };
  show(box.before, begin, view.begin);
  draw_passage(c, view, part(box.passage, view.begin, view.end));
  show(box.after, view.end, end);
  if (end < text.size()) label("The document goes on.", c.fonts.small, c.theme.muted);
  ImGui::Unindent(c.px(10));
  ImGui::EndChild();
}

}  // namespace

void draw_document(PanelContext& c) {
  const DocumentTextView& view = *c.snapshot.document;
  DocumentBox& box = c.window.document;
  if (box.text != view.text.get()) {
    box = DocumentBox();
    box.text = view.text.get();
  }
  draw_header(c, view);
  if (view.page_image && !box.show_text) {
    draw_page(c, view);
  } else if (view.loading) {
    label("Drawing the page…", c.fonts.regular, c.theme.muted);
  } else {
    draw_text(c, view);
  }
}

}  // namespace mneme::ui
