#include "ui/view_model/settings_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "ui/view_model/json_fields.h"

namespace mneme::ui {

std::string settings_to_json(const SettingsView& s) {
  const nlohmann::json json = {{"language", s.language},
                               {"theme", static_cast<int>(s.theme)},
                               {"scale", s.scale},
                               {"collection", s.collection},
                               {"instructions", s.instructions},
                               {"top_k", s.top_k},
                               {"temperature", s.temperature},
                               {"top_p", s.top_p},
                               {"max_tokens", s.max_tokens},
                               {"mode", s.mode},
                               {"kv_level", s.kv_level},
                               {"show_sources", s.show_sources},
                               {"show_sidebar", s.show_sidebar},
                               {"notify", s.notify},
                               {"long_work_s", s.long_work_s},
                               {"model", s.model},
                               {"device", s.device},
                               {"context_tokens", s.context_tokens}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

SettingsView settings_from_json(const std::string& text) {
  SettingsView s;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return s;
  const auto read = [&](const char* key, auto& value) { read_field(json, key, value); };
  int theme = 0;
  read("theme", theme);
  s.theme = static_cast<ThemeChoice>(std::clamp(theme, 0, 2));
  read("language", s.language);
  read("scale", s.scale);
  read("collection", s.collection);
  read("instructions", s.instructions);
  read("top_k", s.top_k);
  read("temperature", s.temperature);
  read("top_p", s.top_p);
  read("max_tokens", s.max_tokens);
  read("mode", s.mode);
  read("kv_level", s.kv_level);
  read("show_sources", s.show_sources);
  read("show_sidebar", s.show_sidebar);
  read("notify", s.notify);
  read("long_work_s", s.long_work_s);
  read("model", s.model);
  read("device", s.device);
  read("context_tokens", s.context_tokens);
  s.scale = std::clamp(s.scale, 0.75f, 2.5f);
  s.long_work_s = std::clamp(s.long_work_s, 0, 86400);
  s.top_k = std::clamp(s.top_k, 1, 64);
  s.temperature = std::clamp(s.temperature, 0.0f, 2.0f);
  s.top_p = std::clamp(s.top_p, 0.05f, 1.0f);
  s.max_tokens = std::clamp(s.max_tokens, 16, 131072);
  s.context_tokens = std::clamp(s.context_tokens, 0, 1 << 20);
  return s;
}

}  // namespace mneme::ui
