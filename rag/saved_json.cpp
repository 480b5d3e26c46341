#include "rag/saved_json.h"

namespace mneme::rag {

nlohmann::json parse_saved_json(std::string_view text) {
  using nlohmann::json;
  const auto keep = [](int depth, json::parse_event_t event, json&) {
    const bool opens = event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    return !opens || depth < kDeepestSavedJson;
  };
  return json::parse(text, keep, false);
}

}  // namespace mneme::rag
