#include "ui/widgets/focus_order.h"

#include <algorithm>
#include <utility>

#include <imgui_internal.h>

#include "ui/text/context_data.h"
#include "ui/widgets/key_focus.h"
#include "ui/widgets/keys.h"

namespace mneme::ui {
namespace {

constexpr float kMargin = 1.5f;  // letters around what is scrolled into sight

// As if arrows had gone there.
void give_keyboard(ImGuiID id, ImGuiWindow* window, const ImRect& box) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGui::FocusWindow(window);
  ImGui::SetFocusID(id, window);
  window->NavRectRel[g.NavLayer] = ImGui::WindowRectAbsToRel(window, box);
  show_ring(g, true);
  choose_by_keys(g);
}

void scroll_into_sight(ImGuiWindow* window, ImRect box) {
  box.Expand(ImVec2(0.0f, kMargin * ImGui::GetFontSize()));
  for (; window != nullptr; window = window->ParentWindow) {
    if (window->ScrollMax.y > 0.0f) ImGui::ScrollToRect(window, box, ImGuiScrollFlags_KeepVisibleEdgeY);
    if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0) return;
  }
}

bool has_focus(ImGuiID id, const ImGuiWindow* window) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  // What Dear ImGui has chosen in a popup that the mouse opened is not seen to be: Tab begins with it.
  const bool in_popup = (window->RootWindow->Flags & ImGuiWindowFlags_Popup) != 0;
  if (in_popup && !ring_shown(g) && g.ActiveId == 0) return false;
  return g.ActiveId == id || (g.ActiveId == 0 && g.NavId == id && g.NavWindow == window);
}

}  // namespace

FocusOrder& current_focus_order() {
  return *static_cast<const ContextData*>(ImGui::GetIO().UserData)->focus_order;
}

void FocusOrder::begin_frame() {
  stops_.clear();
  places_.clear();
}

bool FocusOrder::add(ImGuiID id, ImVec2 min, ImVec2 max, Kind kind, bool preferred) {
  ImGuiWindow* const window = ImGui::GetCurrentWindow();
  places_.push_back({window, min, max, window->InnerRect.Min, window->InnerRect.Max});
  const bool focused = has_focus(id, window);
  const bool joins =
      kind == Kind::kRow && !stops_.empty() && stops_.back().kind == Kind::kRow && stops_.back().window == window;
  if (!joins) {
    stops_.push_back({id, window, kind, preferred, focused});
  } else if (Stop& list = stops_.back(); (focused || preferred) && !list.has_focus) {
    list = {id, window, kind, preferred, focused};
  }
  if (wanted_ != id) return false;
  wanted_ = 0;
  scroll_into_sight(window, ImRect(min, max));
  if (kind == Kind::kField) return true;
  give_keyboard(id, window, ImRect(min, max));
  return false;
}

// An open popup has the keyboard for itself.
void FocusOrder::leave_out_covered() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (g.OpenPopupStack.empty()) return;
  const ImGuiWindow* const popup = g.OpenPopupStack.back().Window;
  std::erase_if(stops_, [&](const Stop& stop) { return stop.window->RootWindow != popup; });
}

bool FocusOrder::end_frame(bool held) {
  wanted_ = 0;  // what it was meant for is gone
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (held || g.IO.KeyCtrl || g.IO.KeyAlt || !key_pressed(ImGuiKey_Tab)) return false;
  leave_out_covered();
  if (stops_.empty()) return false;
  const auto now = std::find_if(stops_.begin(), stops_.end(), [](const Stop& s) { return s.has_focus; });
  const auto n = static_cast<std::ptrdiff_t>(stops_.size());
  const bool back = g.IO.KeyShift;
  std::ptrdiff_t next = back ? n - 1 : 0;
  if (now != stops_.end()) next = (now - stops_.begin() + (back ? n - 1 : 1)) % n;
  wanted_ = stops_[static_cast<size_t>(next)].id;
  if (g.ActiveId != 0) ImGui::ClearActiveID();
  want_text(g, false);
  return true;
}

void add_focus_stop(FocusOrder::Kind kind, bool preferred) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (last_item_disabled(g) || g.LastItemData.ID == 0) return;
  current_focus_order().add(g.LastItemData.ID, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), kind, preferred);
}

}  // namespace mneme::ui
