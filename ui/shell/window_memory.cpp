#include "ui/shell/window_memory.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "storage/env/file_env.h"

#include "ui/view_model/json_fields.h"

namespace mneme::ui {
namespace {

constexpr uint64_t kLargestFile = 4 << 20;

}  // namespace

std::string memory_to_json(const WindowMemory& m) {
  const nlohmann::json json = {{"width", m.width},
                               {"height", m.height},
                               {"maximized", m.maximized},
                               {"page", static_cast<int>(m.page)},
                               {"sidebar_width", m.sidebar_width},
                               {"sources_width", m.sources_width},
                               {"chat", m.chat},
                               {"draft", m.draft},
                               {"new_collection", m.new_collection}};
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

WindowMemory memory_from_json(const std::string& text) {
  WindowMemory m;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return m;
  const auto read = [&](const char* key, auto& value) { read_field(json, key, value); };
  int page = 0;
  read("width", m.width);
  read("height", m.height);
  read("maximized", m.maximized);
  read("page", page);
  read("sidebar_width", m.sidebar_width);
  read("sources_width", m.sources_width);
  read("chat", m.chat);
  read("draft", m.draft);
  read("new_collection", m.new_collection);
  m.width = std::clamp(m.width, 320, 16384);
  m.height = std::clamp(m.height, 200, 16384);
  m.page = static_cast<Page>(std::clamp(page, 0, static_cast<int>(Page::kSettings)));
  m.sidebar_width = std::clamp(m.sidebar_width, 180.0f, 480.0f);
  m.sources_width = std::clamp(m.sources_width, 260.0f, 720.0f);
  return m;
}

std::string memory_path(const std::string& home) {
  return home + "/window.json";
}

WindowMemory read_memory(const std::string& path) {
  const auto bytes = storage::read_whole(storage::FileEnv::posix(), path, kLargestFile);
  return bytes.ok() ? memory_from_json(std::string(as_text(*bytes))) : WindowMemory{};
}

Status write_memory(const std::string& path, const WindowMemory& memory) {
  return storage::write_atomically(storage::FileEnv::posix(), path, as_bytes(memory_to_json(memory)));
}

}  // namespace mneme::ui
