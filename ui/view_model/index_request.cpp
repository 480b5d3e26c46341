#include "ui/view_model/index_request.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "ui/view_model/json_fields.h"

namespace mneme::ui {
namespace {

using nlohmann::json;

// Appends the request that `value` holds, when it names something to index.
void read_request(const json& value, std::deque<IndexRequest>& requests) {
  if (!value.is_object() || !value.contains("paths") || !value["paths"].is_array()) return;
  IndexRequest request;
  for (const json& path : value["paths"]) {
    if (path.is_string()) request.paths.push_back(path.get<std::string>());
  }
  request.collection = "default";
  read_field(value, "collection", request.collection);
  read_field(value, "recognise", request.recognise);
  read_field(value, "remember_roots", request.remember_roots);
  if (!request.paths.empty()) requests.push_back(std::move(request));
}

}  // namespace

std::string requests_to_json(const std::deque<IndexRequest>& requests) {
  json list = json::array();
  for (const IndexRequest& request : requests) {
    list.push_back({{"collection", request.collection},
                    {"paths", request.paths},
                    {"recognise", request.recognise},
                    {"remember_roots", request.remember_roots}});
  }
  return list.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::deque<IndexRequest> requests_from_json(const std::string& text) {
  std::deque<IndexRequest> requests;
  const json saved = json::parse(text, nullptr, false);
  if (saved.is_object()) read_request(saved, requests);
  if (saved.is_array()) {
    for (const json& value : saved) read_request(value, requests);
  }
  return requests;
}

}  // namespace mneme::ui
