// The page of a PDF in its panel: its words are selected and quoted where they stand.
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <imgui_internal.h>

#include "tests/unit/ui/null_renderer.h"
#include "tests/unit/ui/window_fixture.h"

namespace mneme::ui {
namespace {

// A page with words in two lines, open beside the answer.
class PageTest : public WindowTest {
 protected:
  PageTest() {
    auto image = std::make_shared<PageImage>();
    image->width = 1000;
    image->height = 1400;
    image->dpi = 130;
    image->rgb.resize(size_t{1000} * 1400 * 3);
    image->words = {{{0.1f, 0.10f, 0.3f, 0.12f}, "The"},
                    {{0.4f, 0.10f, 0.6f, 0.12f}, "lease"},
                    {{0.1f, 0.14f, 0.3f, 0.16f}, "ends"}};
    image_ = image;
    DocumentTextView view;
    view.source = snapshot_->conversation.messages[1]->sources[0];
    view.text = std::make_shared<const std::string>("The lease ends");
    view.page_image = image;
    view.page = view.pages = 1;
    snapshot_->document = view;
    hooks_.texture = [](const std::shared_ptr<const PageImage>&) { return kPage; };
    for (int i = 0; i < 5; ++i) frame();
    name_atlas_texture();
  }
  // The middle of a word, as it was drawn last.
  ImVec2 word(size_t i) const {
    const ImDrawData& drawn = *ImGui::GetDrawData();
    for (int n = 0; n < drawn.CmdListsCount; ++n) {
      const ImDrawList& list = *drawn.CmdLists[n];
      for (const ImDrawCmd& cmd : list.CmdBuffer) {
        if (cmd.ElemCount < 6 || cmd.GetTexID() != kPage) continue;
        const auto corner = [&](unsigned k) {
          return list.VtxBuffer[static_cast<int>(cmd.VtxOffset + list.IdxBuffer[static_cast<int>(cmd.IdxOffset + k)])]
              .pos;
        };
        const ImVec2 min = corner(0);
        const ImVec2 max = corner(2);
        const PageImage::Box& box = image_->words[i].box;
        return {min.x + (max.x - min.x) * (box.x_min + box.x_max) / 2,
                min.y + (max.y - min.y) * (box.y_min + box.y_max) / 2};
      }
    }
    ADD_FAILURE() << "no page is drawn";
    return {};
  }
  void drag(ImVec2 from, ImVec2 to) {
    move_mouse(from);
    frame();
    hold_button(0, true);
    frame();
    move_mouse(to);
    frame();
    frame();
    hold_button(0, false);
    frame();
  }
  static std::string copied() {
    const char* text = ImGui::GetClipboardText();
    return text == nullptr ? "" : text;
  }

  static inline const auto kPage = ImTextureID(77);
  std::shared_ptr<const PageImage> image_;
};

TEST_F(PageTest, WordsAreSelectedAndCopiedWhereTheyStand) {
  drag(word(1), word(2));
  press(ImGuiKey_C, true);
  EXPECT_EQ(copied(), "lease\nends");
  ImGui::SetClipboardText("");
  click(word(0).x, word(0).y);
  press(ImGuiKey_C, true);
  EXPECT_EQ(copied(), "") << "a click selects nothing";
  press(ImGuiKey_A, true);
  press(ImGuiKey_C, true);
  EXPECT_EQ(copied(), "The lease\nends");
}

TEST_F(PageTest, WordsAreQuotedWithTheirPage) {
  DocumentTextView view = *snapshot_->document;
  view.source.document = "/docs/lease.pdf";
  view.page = 4;
  snapshot_->document = view;
  drag(word(1), word(2));
  press_shifted('C');
  EXPECT_EQ(copied(), "“lease ends”\n— Handbook (/docs/lease.pdf, page 4)\n") << "the line's end is the page's";
}

TEST_F(PageTest, ShownLargerThanItWasDrawnItIsDrawnAnew) {
  EXPECT_EQ(posted<ShowPage>(), nullptr);
  drawer_.window().document.zoom = 3.0f;
  for (int i = 0; i < 5; ++i) frame();
  ASSERT_NE(posted<ShowPage>(), nullptr);
  EXPECT_EQ(posted<ShowPage>()->page, 1);
  EXPECT_GT(posted<ShowPage>()->dpi, 130);
  EXPECT_LE(posted<ShowPage>()->dpi, 300) << "not more of a picture than memory is worth";
  posted_.clear();
  for (int i = 0; i < 5; ++i) frame();
  EXPECT_EQ(posted<ShowPage>(), nullptr) << "once";
}

// The panel of a text is narrower than that of a page, and narrows a frame later.
TEST_F(PageTest, ThePassageIsInSightWhenItsPageIsShownAsText) {
  DocumentTextView view = *snapshot_->document;
  std::string before;
  for (int i = 0; i < 60; ++i)
    before += "The lease has many clauses, which go on for longer than a line of a panel is wide.\n\n";
  view.text = std::make_shared<const std::string>(before + "three years\n\n" + before);
  view.begin = before.size();
  view.end = before.size() + 11;
  snapshot_->document = view;
  for (int i = 0; i < 3; ++i) frame();
  drawer_.window().document.show_text = true;
  drawer_.window().document.scroll_to_passage = true;
  for (int i = 0; i < 6; ++i) frame();
  const DocumentBox& box = drawer_.window().document;
  const ImGuiWindow* panel = nullptr;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (window->Active && std::string_view(window->Name).find("/text_") != std::string_view::npos) panel = window;
  }
  ASSERT_NE(panel, nullptr);
  const float y = box.before.layout.layout().height - panel->Scroll.y;
  EXPECT_GT(y, 0.0f);
  EXPECT_LT(y, panel->Size.y);
}

}  // namespace
}  // namespace mneme::ui
