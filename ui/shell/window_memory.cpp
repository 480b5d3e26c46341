#include "ui/shell/window_memory.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/hash.h"
#include "storage/env/file_env.h"
#include "ui/language/tr.h"
#include "ui/view_model/json_fields.h"

namespace mneme::ui {
namespace {

constexpr uint64_t kLargestFile = 4 << 20;
constexpr const char* kChecksum = "checksum";

// Of the values, whatever the blanks between them.
std::string checksum_of(const nlohmann::json& values) {
  return xxh3_128(as_bytes(values.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))).hex();
}

}  // namespace

std::string memory_to_json(const WindowMemory& m) {
  nlohmann::json json = {{"width", m.width},
                         {"height", m.height},
                         {"maximized", m.maximized},
                         {"scale", m.scale},
                         {"language", m.language},
                         {"page", static_cast<int>(m.page)},
                         {"sidebar_width", m.sidebar_width},
                         {"sources_width", m.sources_width},
                         {"page_width", m.page_width},
                         {"chat", m.chat},
                         {"draft", m.draft},
                         {"new_collection", m.new_collection}};
  if (m.dark) json["dark"] = *m.dark;
  json[kChecksum] = checksum_of(json);
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<WindowMemory> memory_from_json(const std::string& text) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return corruption(tr("is damaged"));
  if (const auto sum = json.find(kChecksum); sum != json.end()) {
    const nlohmann::json written = std::move(*sum);
    json.erase(sum);
    if (written != checksum_of(json)) return corruption(tr("does not match its checksum"));
  }
  WindowMemory m;
  const auto read = [&](const char* key, auto& value) { read_field(json, key, value); };
  int page = 0;
  read("width", m.width);
  read("height", m.height);
  read("maximized", m.maximized);
  read("scale", m.scale);
  read("language", m.language);
  read("page", page);
  read("sidebar_width", m.sidebar_width);
  read("sources_width", m.sources_width);
  read("page_width", m.page_width);
  read("chat", m.chat);
  read("draft", m.draft);
  read("new_collection", m.new_collection);
  if (const auto dark = json.find("dark"); dark != json.end() && dark->is_boolean()) m.dark = dark->get<bool>();
  m.scale = std::clamp(m.scale, 0.75f, 2.5f);
  m.width = std::clamp(m.width, 320, 16384);
  m.height = std::clamp(m.height, 200, 16384);
  m.page = static_cast<Page>(std::clamp(page, 0, static_cast<int>(Page::kSettings)));
  m.sidebar_width = std::clamp(m.sidebar_width, kSidebarWidths.low, kSidebarWidths.high);
  m.sources_width = std::clamp(m.sources_width, kSourcesWidths.low, kSourcesWidths.high);
  m.page_width = std::clamp(m.page_width, kPageWidths.low, kPageWidths.high);
  return m;
}

std::string memory_path(const std::string& home) {
  return home + "/window.json";
}

Result<WindowMemory> read_memory(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(const auto bytes, storage::read_whole(storage::FileEnv::posix(), path, kLargestFile));
  Result<WindowMemory> memory = memory_from_json(std::string(as_text(bytes)));
  if (memory.ok()) return memory;
  return corruption(filled(tr("{0} {1}: the window starts with its usual size, and a question that was being typed is "
                              "lost; nothing else lies in that file."),
                           path, memory.status().message()));
}

Status write_memory(const std::string& path, const WindowMemory& memory) {
  return storage::write_atomically(storage::FileEnv::posix(), path, as_bytes(memory_to_json(memory)));
}

}  // namespace mneme::ui
