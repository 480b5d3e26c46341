// What the window remembers of itself, and when.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "ui/shell/shell.h"

namespace mneme::ui {
namespace {

constexpr std::chrono::seconds kRememberEvery{2};

}  // namespace

// The chat that was open last, once the chats are known.
void Shell::restore(const Snapshot& snapshot) {
  if (restored_ || !snapshot.ready) return;
  restored_ = true;
  const auto& chats = *snapshot.chats;
  const bool there =
      std::any_of(chats.begin(), chats.end(), [&](const ChatRow& row) { return row.id == memory_.chat; });
  if (there) controller_->post(OpenChat{memory_.chat});
}

void Shell::remember(const Snapshot& snapshot, bool now) {
  if (!restored_ || (!now && Clock::now() - remembered_at_ < kRememberEvery)) return;
  remembered_at_ = Clock::now();
  WindowMemory memory = drawer_->memory(snapshot);
  memory.scale = snapshot.settings.scale;
  memory.dark = dark(snapshot);
  memory.language = snapshot.settings.language;
  memory.maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
  memory.width = memory_.width;
  memory.height = memory_.height;
  if (!memory.maximized) {
    // At scale 1: GLFW makes a new window larger by the display's.
    memory.width = static_cast<int>(std::lround(static_cast<float>(extent_.width) / extent_.scale));
    memory.height = static_cast<int>(std::lround(static_cast<float>(extent_.height) / extent_.scale));
  }
  // The file is read before an encrypted home is open, so it holds none of the user's words then.
  if (options_.unlock != nullptr) memory.draft = memory.new_collection = "";
  if (memory == memory_ && !memory_damaged_) return;
  memory_ = memory;
  memory_damaged_ = false;
  const std::string path = memory_path(options_.workspace.home);
  // A disk that is full costs the memory, nothing else: the settings say so when they cannot be saved.
  if (now) {
    static_cast<void>(write_memory(path, memory));
  } else {
    desktop_.post([path, memory] { static_cast<void>(write_memory(path, memory)); });
  }
}

}  // namespace mneme::ui
