// The library of an encrypted home, before its passphrase is known.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

void submit(PanelContext& c) {
  std::array<char, kPassphraseRoom>& typed = c.window.passphrase;
  const size_t size = ::strnlen(typed.data(), typed.size());
  if (size > 0) c.post(Unlock{std::make_shared<storage::Secret>(std::string_view(typed.data(), size))});
  ::explicit_bzero(typed.data(), typed.size());
}

}  // namespace

// Dear ImGui's own field: ours would keep what was typed for undoing, and hand it to the clipboard. (Dear ImGui keeps
// what the field held until another is typed into.)
void draw_unlock(PanelContext& c, float width) {
  const LockView& lock = *c.snapshot.locked;
  wrapped(tr("Your library is encrypted. Its passphrase opens it."), c.fonts.regular, c.theme.muted, width);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  if (lock.opening) {
    c.window.passphrase_waits = 3;
    label(tr("Opening your library…"), c.fonts.regular, c.theme.muted);
    return;
  }
  const float button = width_of_buttons({tr("Open")}) + c.px(8);
  ImGui::SetNextItemWidth(std::max(c.px(80), width - button));
  if (ImGui::IsAnyItemActive()) c.window.passphrase_waits = 0;
  if (c.window.passphrase_waits > 0) {
    --c.window.passphrase_waits;
    ImGui::SetWindowFocus();  // 1.90.1 looks for the field only in the scope that has the focus, still the parent's
    ImGui::SetKeyboardFocusHere();
    c.window.wants_frame = true;  // or the first letter would be lost
  }
  const bool entered = ImGui::InputText(
      "##passphrase", c.window.passphrase.data(), c.window.passphrase.size(),
      ImGuiInputTextFlags_Password | ImGuiInputTextFlags_NoUndoRedo | ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine(0.0f, c.px(8));
  if (primary_button(tr("Open"), c.theme) || entered) submit(c);
  if (lock.error.empty()) return;
  ImGui::Dummy(ImVec2(0, c.px(8)));
  copyable("error", filled(tr("The library stays closed: {0}"), lock.error), c.fonts.regular, c.theme.danger, width);
  wrapped(tr("Nothing else opens it. Your documents themselves are untouched."), c.fonts.small, c.theme.muted, width);
}

}  // namespace mneme::ui
