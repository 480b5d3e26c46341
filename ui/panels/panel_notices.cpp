// Notices, at the lower right. Those that only tell go by themselves; while the mouse is over one, it stays.
#include <algorithm>

#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr size_t kMostShown = 3;  // older ones wait
constexpr double kTelling_s = 6.0;
constexpr double kOffering_s = 10.0;  // with something to press
constexpr double kFailing_s = 20.0;

double time_of(const Notice& notice) {
  if (notice.is_error) return kFailing_s;
  return notice.action == NoticeAction::kNone ? kTelling_s : kOffering_s;
}

}  // namespace

const char* notice_action_name(NoticeAction action) {
  switch (action) {
    case NoticeAction::kNone: return nullptr;
    case NoticeAction::kUndoDelete:
    case NoticeAction::kReadAgain: return tr("Undo");
    case NoticeAction::kShowFailed: return tr("Show them");
    case NoticeAction::kShowModels: return tr("Models");
    case NoticeAction::kResumeIndexing: return tr("Resume");
    case NoticeAction::kOpenFile: return tr("Open it");
    case NoticeAction::kOpenChat: return tr("Show it");
  }
  return nullptr;
}

void act_on_notice(PanelContext& c, const Notice& notice) {
  switch (notice.action) {
    case NoticeAction::kNone: break;
    case NoticeAction::kUndoDelete: c.post(UndoDeleteChat{notice.chat}); return;  // takes the notice away itself
    case NoticeAction::kReadAgain: c.post(ReadAgain{notice.file, false, notice.collection}); break;
    case NoticeAction::kShowFailed:
      go_to(c, Page::kLibrary);
      c.window.failed_open = true;
      break;
    case NoticeAction::kShowModels: go_to(c, Page::kModels); break;
    case NoticeAction::kResumeIndexing: c.post(ResumeIndexing{}); break;
    case NoticeAction::kOpenFile: c.hooks.open_path(notice.file); break;
    case NoticeAction::kOpenChat: open_chat(c, notice.chat); break;
  }
  c.post(DismissNotice{notice.id});
}

namespace {

// Draws one with its lower border at `bottom`; the height it took.
float draw_notice(PanelContext& c, const Notice& notice, float bottom) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(c.px(420), display.x - c.px(32));
  const std::string sentence = as_sentence(notice.text);
  const float text = wrapped_height(sentence, c.fonts.regular, width - c.px(72));
  const char* action = notice_action_name(notice.action);
  const float height = text + c.px(action != nullptr ? 68 : 30);
  // In the lowest windows it covers the question rather than being cut off itself.
  ImGui::SetNextWindowPos(ImVec2(display.x - width - c.px(24), std::max(c.px(8), bottom - height)));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, c.theme.raised);
  ImGui::PushStyleColor(ImGuiCol_Border, notice.is_error ? c.theme.danger : c.theme.border);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, c.px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(16), c.px(14)));
  ImGui::Begin(("notice " + std::to_string(notice.id)).c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  wrapped(sentence, c.fonts.regular, notice.is_error ? c.theme.danger : c.theme.text, width - c.px(72));
  if (action != nullptr && plain_button(action)) act_on_notice(c, notice);
  ImGui::SetCursorPos(ImVec2(width - c.px(40), c.px(6)));
  if (icon_button(Icon::kClose, tr("Dismiss"), c.theme, c.scale)) c.post(DismissNotice{notice.id});
  if (begin_window_menu("notice menu")) {
    if (menu_item(tr("Copy"))) copy_text(c, notice.text);
    end_menu();
  }
  double& since = c.window.notice_since.try_emplace(notice.id, ImGui::GetTime()).first->second;
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByPopup))
    since = ImGui::GetTime();
  if (ImGui::GetTime() - since > time_of(notice)) c.post(DismissNotice{notice.id});
  ImGui::End();
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor(2);
  return height;
}

// For a moment, where notices stand.
void draw_copied(PanelContext& c, float bottom) {
  constexpr double kSaid_s = 1.5;
  if (c.window.copied_since < 0.0) return;
  if (ImGui::GetTime() - c.window.copied_since > kSaid_s) {
    c.window.copied_since = -1.0;
    return;
  }
  const std::string text = drawable(tr("Copied"), c.fonts.regular);
  const ImVec2 size(text_width(text, c.fonts.regular) + c.px(32), c.px(36));
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const ImVec2 min(display.x - size.x - c.px(24), bottom - size.y);
  const ImVec2 max(min.x + size.x, min.y + size.y);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(min, max, c.theme.text, c.px(10));
  list.AddText(c.fonts.regular, font_size(c.fonts.regular),
               ImVec2(min.x + c.px(16), min.y + (size.y - font_size(c.fonts.regular)) * 0.5f), c.theme.background,
               text.c_str());
}

}  // namespace

void draw_notices(PanelContext& c) {
  const std::vector<Notice>& notices = c.snapshot.notices;
  std::erase_if(c.window.notice_since, [&](const auto& entry) {
    return std::none_of(notices.begin(), notices.end(), [&](const Notice& n) { return n.id == entry.first; });
  });
  // Whoever is asking goes on typing and finds the button where it was.
  float bottom = ImGui::GetIO().DisplaySize.y - c.px(24);
  if (c.window.page == Page::kChat && c.window.question_top > 0.0f)
    bottom = std::min(bottom, c.window.question_top - c.px(10));
  const size_t first = notices.size() > kMostShown ? notices.size() - kMostShown : 0;
  for (size_t i = notices.size(); i-- > first;) bottom -= draw_notice(c, notices[i], bottom) + c.px(8);
  draw_copied(c, bottom);
}

}  // namespace mneme::ui
