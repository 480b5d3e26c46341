// What the window remembers from one start to the next, in a small file of its own beside the catalogue, so that it is
// there before anything else is opened: size, colours, panels, page, the chat that was open and the question being
// typed. Threads: pure functions and one atomic write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "ui/panels/panel.h"

namespace mneme::ui {

struct WindowMemory {
  int width = 1280;
  int height = 800;
  bool maximized = false;
  float scale = 1.0f;        // as in the settings, which are known later
  std::optional<bool> dark;  // as the window was last
  std::string language;      // as in the settings, which are known later
  Page page = Page::kChat;
  float sidebar_width = kSidebarWidths.usual;
  float sources_width = kSourcesWidths.usual;
  float page_width = kPageWidths.usual;
  int64_t chat = 0;
  std::string draft;  // of the question
  std::string new_collection;
  bool operator==(const WindowMemory&) const = default;
};

std::string memory_to_json(const WindowMemory& memory);
// What is missing or out of range takes its default; kCorruption for what is no JSON or not what its checksum says. A
// file of an earlier version has no checksum and is taken as it is.
Result<WindowMemory> memory_from_json(const std::string& text);

std::string memory_path(const std::string& home);
Result<WindowMemory> read_memory(const std::string& path);  // kNotFound before the first time
Status write_memory(const std::string& path, const WindowMemory& memory);

}  // namespace mneme::ui
