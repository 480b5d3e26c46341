#include "app/eval/perplexity_records.h"

#include <nlohmann/json.hpp>

namespace mneme::app {
namespace {

using nlohmann::json;

bool has_numbers(const json& record, std::initializer_list<const char*> keys) {
  if (!record.is_object()) return false;
  for (const char* key : keys) {
    if (!record.contains(key) || !record[key].is_number()) return false;
  }
  return true;
}

// The list of a record, if it has so many entries with these numbers each.
const json* list_of(const json& record, const char* key, size_t n, std::initializer_list<const char*> keys) {
  if (!record.contains(key) || !record[key].is_array() || record[key].size() != n) return nullptr;
  for (const json& entry : record[key]) {
    if (!has_numbers(entry, keys)) return nullptr;
  }
  return &record[key];
}

}  // namespace

json window_json(const PlainWindow& window) {
  return {{"tokens", window.tokens}, {"nll", window.nll}};
}

json window_json(const LevelWindow& window) {
  json codecs = json::array();
  for (const LevelWindow::Coded& coded : window.codecs) {
    codecs.push_back({{"nll", coded.nll}, {"bytes", coded.encoded_bytes}, {"elements", coded.elements}});
  }
  return {{"tokens", window.tokens}, {"nll", window.exact_nll}, {"codecs", std::move(codecs)}};
}

json window_json(const RetrievalWindow& window) {
  json lanes = json::array();
  for (const RetrievalScore& lane : window.lanes) {
    lanes.push_back({{"nll", lane.nll},
                     {"kl", lane.kl},
                     {"steps", lane.steps},
                     {"recall", lane.recall},
                     {"mass", lane.mass},
                     {"attended", lane.attended}});
  }
  return {{"tokens", window.tokens}, {"nll", window.full_nll}, {"lanes", std::move(lanes)}};
}

std::optional<PlainWindow> plain_window(const json& record) {
  if (!has_numbers(record, {"tokens", "nll"})) return std::nullopt;
  return PlainWindow{.tokens = record["tokens"].get<int64_t>(), .nll = record["nll"].get<double>()};
}

std::optional<LevelWindow> level_window(const json& record, size_t n_codecs) {
  if (!has_numbers(record, {"tokens", "nll"})) return std::nullopt;
  const json* const codecs = list_of(record, "codecs", n_codecs, {"nll", "bytes", "elements"});
  if (codecs == nullptr) return std::nullopt;
  LevelWindow window{.tokens = record["tokens"].get<int64_t>(), .exact_nll = record["nll"].get<double>(), .codecs = {}};
  for (const json& coded : *codecs) {
    window.codecs.push_back({.nll = coded["nll"].get<double>(),
                             .encoded_bytes = coded["bytes"].get<uint64_t>(),
                             .elements = coded["elements"].get<uint64_t>()});
  }
  return window;
}

std::optional<RetrievalWindow> retrieval_window(const json& record, size_t n_lanes) {
  if (!has_numbers(record, {"tokens", "nll"})) return std::nullopt;
  const json* const lanes = list_of(record, "lanes", n_lanes, {"nll", "kl", "steps", "recall", "mass", "attended"});
  if (lanes == nullptr) return std::nullopt;
  RetrievalWindow window{
      .tokens = record["tokens"].get<int64_t>(), .full_nll = record["nll"].get<double>(), .lanes = {}};
  for (const json& lane : *lanes) {
    window.lanes.push_back({.nll = lane["nll"].get<double>(),
                            .kl = lane["kl"].get<double>(),
                            .steps = lane["steps"].get<int64_t>(),
                            .recall = lane["recall"].get<double>(),
                            .mass = lane["mass"].get<double>(),
                            .attended = lane["attended"].get<double>()});
  }
  return window;
}

}  // namespace mneme::app
