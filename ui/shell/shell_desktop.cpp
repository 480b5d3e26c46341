// The window and the desktop around it: what panels ask of it, its colours, its dialogs, its notices.
#include <GLFW/glfw3.h>

#include <optional>
#include <utility>

#include "ui/shell/desktop.h"
#include "ui/shell/shell.h"

namespace mneme::ui {

WindowHooks Shell::make_hooks() {
  WindowHooks hooks;
  hooks.post = [this](Command command) { controller_->post(std::move(command)); };
  hooks.choose_folder = [this] { ask_desktop(false); };
  hooks.choose_model = [this] { ask_desktop(true); };
  hooks.open_path = [this](const std::string& path) { desktop_.post([path] { open_in_desktop(path); }); };
  hooks.texture = [this](const std::shared_ptr<const PageImage>& image) { return page_texture_.of(image); };
  return hooks;
}

// The desktop's light or dark, which may have changed while the window was not looked at.
void Shell::look_at_theme() {
  desktop_.post([this] {
    const bool is_dark = prefers_dark();
    if (system_dark_.exchange(is_dark) == is_dark) return;
    stir();
    glfwPostEmptyEvent();
  });
}

// One dialog at a time; what else the desktop is asked for goes on meanwhile.
void Shell::ask_desktop(bool for_model) {
  if (dialog_open_.exchange(true)) return;
  dialogs_.post([this, for_model] {
    bool available = false;
    const std::optional<std::string> chosen =
        for_model ? choose_model_file(available, closing_) : choose_folder(available, closing_);
    {
      MutexLock lock(mutex_);
      dialog_ = {chosen.value_or(""), !available, for_model};
    }
    dialog_open_ = false;
    stir();
    glfwPostEmptyEvent();
  });
}

void Shell::take_chosen() {
  Dialog dialog;
  {
    MutexLock lock(mutex_);
    dialog = std::exchange(dialog_, Dialog{});
  }
  WindowState& state = drawer_->window();
  if (dialog.missing) {
    state.browser_open = true;
    state.browser_for_model = dialog.for_model;
  }
  if (dialog.chosen.empty()) return;
  if (dialog.for_model) {
    controller_->post(AddModel{dialog.chosen});
  } else {
    state.page = Page::kLibrary;
    controller_->post(AddFolder{dialog.chosen, state.new_collection});
  }
}

// Tells the desktop when long work has ended and nobody looks.
void Shell::notify(const Snapshot& snapshot) {
  for (const Notice& notice : snapshot.notices) {
    if (notice.id <= last_notice_) continue;
    last_notice_ = notice.id;
    if (!notice.long_work || !snapshot.settings.notify || glfwGetWindowAttrib(window_, GLFW_FOCUSED) != 0) continue;
    glfwRequestWindowAttention(window_);
    desktop_.post([text = notice.text] { notify_desktop(text); });
  }
}

}  // namespace mneme::ui
