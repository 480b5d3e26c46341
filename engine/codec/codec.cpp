#include "engine/codec/codec.h"

#include <array>
#include <utility>

namespace mneme::engine {
namespace {

constexpr std::array<std::pair<KvLevel, std::string_view>, 4> kLevelNames{
    {{KvLevel::kExact, "exact"}, {KvLevel::kHigh, "high"}, {KvLevel::kMedium, "medium"}, {KvLevel::kLow, "low"}}};

}  // namespace

std::optional<KvLevel> kv_level_from_name(std::string_view name) {
  for (const auto& [level, text] : kLevelNames) {
    if (text == name) return level;
  }
  return std::nullopt;
}

std::string_view kv_level_name(KvLevel level) {
  for (const auto& [known, text] : kLevelNames) {
    if (known == level) return text;
  }
  return "unknown";
}

Status out_of_range() {
  return unsupported("a key or value is too far from those that the level was calibrated with to be said in it");
}

}  // namespace mneme::engine
