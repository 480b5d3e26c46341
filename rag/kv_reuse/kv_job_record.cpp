#include "rag/kv_reuse/kv_job_record.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "engine/language_model.h"
#include "rag/kv_reuse/kv_background.h"

namespace mneme::rag {
namespace {

using nlohmann::json;

std::optional<Hash128> hash_from_hex(const std::string& hex) {
  Hash128 hash;
  if (hex.size() != 32) return std::nullopt;
  const char* middle = hex.data() + 16;
  const char* end = hex.data() + 32;
  const auto [at_middle, high_error] = std::from_chars(hex.data(), middle, hash.high, 16);
  const auto [at_end, low_error] = std::from_chars(middle, end, hash.low, 16);
  const bool whole = high_error == std::errc{} && low_error == std::errc{} && at_middle == middle && at_end == end;
  return whole ? std::optional(hash) : std::nullopt;
}

std::string text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Result<storage::JobRecord> kv_job_record(KvLibrary& library, const ChunkTokens& chunk, engine::KvLevel level) {
  storage::JobRecord job;
  MNEME_ASSIGN_OR_RETURN(const Hash128 key, library.key_of(chunk, level));
  job.kind = KvBackground::kJobKind;
  job.key = key.hex();
  job.payload_json = json{
      {"model", library.model().identity().hex()},
      {"level", engine::kv_level_name(level)},
      {"text_hash", chunk.text_hash.hex()},
      {"tokens",
       chunk.ids}}.dump();
  return job;
}

Result<KvJobRequest> parse_kv_job(KvLibrary& library, const storage::JobRecord& job) {
  const json payload = json::parse(job.payload_json, nullptr, false);
  if (!payload.is_object()) return corruption("a saved job for the KV store cannot be read");
  if (text(payload, "model") != library.model().identity().hex()) {
    return unsupported("a saved job for the KV store is of another model");
  }
  KvJobRequest request;
  const auto level = engine::kv_level_from_name(text(payload, "level"));
  const auto text_hash = hash_from_hex(text(payload, "text_hash"));
  const auto tokens = payload.find("tokens");
  if (!level || !text_hash || tokens == payload.end() || !tokens->is_array()) {
    return corruption("a saved job for the KV store cannot be read");
  }
  request.level = *level;
  request.chunk.text_hash = *text_hash;
  const int vocab_size = library.model().config().vocab_size;
  for (const json& token : *tokens) {
    const int64_t id = token.is_number_integer() ? token.get<int64_t>() : -1;
    if (id < 0 || id >= vocab_size) return corruption("a saved job for the KV store names no token");
    request.chunk.ids.push_back(static_cast<engine::TokenId>(id));
  }
  if (request.chunk.ids.empty()) return corruption("a saved job for the KV store has no tokens");
  return request;
}

}  // namespace mneme::rag
