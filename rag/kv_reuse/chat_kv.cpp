#include "rag/kv_reuse/chat_kv.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/trace.h"
#include "engine/engine_queue.h"
#include "engine/kv/memory_source.h"
#include "engine/language_model.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/prompt/prompt_builder.h"
#include "rag/prompt/turn.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::rag {
namespace {

using engine::TokenId;

// Changes whenever what the pieces hold changes.
constexpr uint64_t kChatKeyVersion = 2;

// With a turn, since the model may be computing passages behind the answer: a backend takes one thread at a time.
Result<engine::ChunkKv> read_rows(engine::LanguageModel& model, engine::Sequence& sequence, int first, int n_tokens) {
  const engine::EngineQueue::Turn turn = model.queue().enter(engine::Priority::kInteractive);
  const engine::ModelConfig& config = model.config();
  engine::ChunkKv kv{.n_tokens = n_tokens, .keys = {}, .values = {}};
  for (int layer = 0; layer < config.n_kv_layers(); ++layer) {
    const size_t n_elements = static_cast<size_t>(n_tokens) * static_cast<size_t>(config.heads(layer).kv_dim());
    std::vector<f16>& keys = kv.keys.emplace_back(n_elements);
    std::vector<f16>& values = kv.values.emplace_back(n_elements);
    MNEME_RETURN_IF_ERROR(sequence.kv().read(layer, first, n_tokens, /*unrotated=*/true, keys, values));
  }
  return kv;
}

// Rows [first, end) of a piece.
engine::ChunkKv rows_from(const engine::ChunkKv& kv, size_t first) {
  engine::ChunkKv rest{.n_tokens = kv.n_tokens - static_cast<int>(first), .keys = {}, .values = {}};
  for (size_t layer = 0; layer < kv.keys.size(); ++layer) {
    const size_t width = kv.keys[layer].size() / static_cast<size_t>(kv.n_tokens);
    const auto from = static_cast<std::ptrdiff_t>(first * width);
    rest.keys.emplace_back(kv.keys[layer].begin() + from, kv.keys[layer].end());
    rest.values.emplace_back(kv.values[layer].begin() + from, kv.values[layer].end());
  }
  return rest;
}

Result<engine::ChunkKv> decode_all(const storage::StoredChunk& chunk, const engine::KvCodec& codec) {
  const int n_tokens = static_cast<int>(chunk.info().token_ids.size());
  engine::ChunkKv kv{.n_tokens = n_tokens, .keys = {}, .values = {}};
  std::vector<std::byte> payload;
  for (int layer = 0; layer < chunk.n_layers(); ++layer) {
    MNEME_RETURN_IF_ERROR(chunk.read_layer(layer, payload));
    const size_t n_elements = static_cast<size_t>(n_tokens) * static_cast<size_t>(codec.shape().kv_dim(layer));
    std::vector<f16>& keys = kv.keys.emplace_back(n_elements);
    std::vector<f16>& values = kv.values.emplace_back(n_elements);
    MNEME_RETURN_IF_ERROR(codec.decode_layer(layer, n_tokens, payload, keys, values));
  }
  return kv;
}

}  // namespace

Hash128 ChatKv::text_hash(int64_t chat_id) {
  return xxh3_128(as_bytes("mneme chat " + std::to_string(chat_id)));
}

Result<Hash128> ChatKv::key(KvLibrary& library, Kind kind, std::span<const TokenId> ids, engine::KvLevel level) const {
  MNEME_ASSIGN_OR_RETURN(const Hash128 as_chunk, library.key_of({{ids.begin(), ids.end()}, {}}, level));
  Hasher128 hasher;
  hasher.add("chat");
  hasher.add(kChatKeyVersion);
  hasher.add(static_cast<uint64_t>(chat_id_));
  hasher.add(static_cast<uint64_t>(kind));
  hasher.add(as_chunk.hex());
  Hash128 key = hasher.finish();
  key.high = text_hash(chat_id_).high;
  return key;
}

Result<std::shared_ptr<const storage::StoredChunk>> ChatKv::find(KvLibrary& library, Kind kind,
                                                                 std::span<const TokenId> ids, engine::KvLevel level) {
  if (chat_id_ == 0) return not_found("the chat is not saved");
  MNEME_ASSIGN_OR_RETURN(const Hash128 wanted, key(library, kind, ids, level));
  return library.find(wanted, ids);
}

Status ChatKv::store(KvLibrary& library, Kind kind, const engine::ChunkKv& kv, std::span<const TokenId> ids,
                     engine::KvLevel level) {
  MNEME_ASSIGN_OR_RETURN(const engine::KvCodec* const codec, library.codec(level));
  MNEME_ASSIGN_OR_RETURN(const engine::EncodedKv encoded, engine::encode_kv(kv, *codec));
  storage::ChunkFileInfo info;
  MNEME_ASSIGN_OR_RETURN(info.key, key(library, kind, ids, level));
  info.text_hash = text_hash(chat_id_);
  info.model_id = library.model().identity();
  info.codec = codec->id();
  info.calibration_id = library.calibration(level).low;
  info.token_ids.assign(ids.begin(), ids.end());
  const std::vector<ByteSpan> payloads(encoded.layers.begin(), encoded.layers.end());
  return library.put(info, payloads);
}

void ChatKv::load_history(KvLibrary& library, std::span<const TokenId> ids, engine::KvLevel level) {
  const auto stored = find(library, Kind::kHistory, ids, level);
  if (!stored.ok()) return;
  const Result<const engine::KvCodec*> codec = library.codec(level);
  if (!codec.ok()) return;
  Result<engine::ChunkKv> kv = decode_all(**stored, **codec);
  if (!kv.ok()) {
    library.store().discard(**stored);
    return;
  }
  history_ = std::move(kv).value();
  history_ids_.assign(ids.begin(), ids.end());
  turn_starts_ = {0};
  history_key_ = (*stored)->info().key;
}

std::optional<engine::ChunkKv> ChatKv::history(KvLibrary& library, std::span<const TokenId> ids,
                                               engine::KvLevel level) {
  if (ids.empty()) return std::nullopt;
  if (history_ids_.empty()) load_history(library, ids, level);
  // Earlier turns may have been left out of the prompt since; then what is kept begins before it.
  for (const size_t start : turn_starts_) {
    const size_t n = history_ids_.size() - start;
    if (n > 0 && n <= ids.size() &&
        std::equal(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(n),
                   history_ids_.begin() + static_cast<std::ptrdiff_t>(start))) {
      return start == 0 ? history_ : rows_from(history_, start);
    }
  }
  return std::nullopt;
}

std::shared_ptr<const storage::StoredChunk> ChatKv::context(KvLibrary& library, std::span<const TokenId> ids,
                                                            engine::KvLevel level) {
  auto stored = find(library, Kind::kContext, ids, level);
  return stored.ok() ? std::move(stored).value() : nullptr;
}

Status ChatKv::remember(KvLibrary& library, engine::Sequence& sequence, const Prompt& prompt,
                        std::span<const TokenId> turn, engine::KvLevel level) {
  const trace::Span span("remember turn", "kv");
  const int begin = prompt.n_before_history();
  std::vector<TokenId> ids;
  if (prompt.history_segment >= 0) ids = prompt.plan.segments[static_cast<size_t>(prompt.history_segment)].ids;
  // Where the prompt's own earlier turns begin is not known to it; what was kept of them is.
  std::vector<size_t> starts{0};
  if (ids.size() >= history_ids_.size() && std::equal(history_ids_.begin(), history_ids_.end(), ids.begin())) {
    for (const size_t start : turn_starts_) {
      if (start > 0) starts.push_back(start);
    }
  }
  if (!ids.empty()) starts.push_back(ids.size());
  sequence.truncate(begin + static_cast<int>(ids.size()));
  MNEME_RETURN_IF_ERROR(sequence.append(turn));
  ids.insert(ids.end(), turn.begin(), turn.end());
  MNEME_ASSIGN_OR_RETURN(history_, read_rows(library.model(), sequence, begin, static_cast<int>(ids.size())));
  history_ids_ = std::move(ids);
  turn_starts_ = std::move(starts);
  context_begin_ = static_cast<int>(prompt.prefix.size());
  context_end_ = begin;
  // The file of the turn before is of no more use.
  if (history_key_) static_cast<void>(library.store().remove(*history_key_));
  history_key_.reset();
  return chat_id_ == 0 ? Status() : store_history(library, level);
}

Status ChatKv::store_history(KvLibrary& library, engine::KvLevel level) {
  MNEME_RETURN_IF_ERROR(store(library, Kind::kHistory, history_, history_ids_, level));
  MNEME_ASSIGN_OR_RETURN(history_key_, key(library, Kind::kHistory, history_ids_, level));
  return {};
}

Status ChatKv::store_all(KvLibrary& library, engine::Sequence& sequence, engine::KvLevel level) {
  if (chat_id_ != 0 && !history_key_ && !history_ids_.empty()) {
    MNEME_RETURN_IF_ERROR(store_history(library, level));
  }
  if (chat_id_ == 0 || context_end_ <= context_begin_ || sequence.n_tokens() < context_end_) return {};
  const trace::Span span("store chat", "kv");
  const auto n = static_cast<size_t>(context_end_ - context_begin_);
  const std::span<const TokenId> ids = sequence.tokens().subspan(static_cast<size_t>(context_begin_), n);
  MNEME_ASSIGN_OR_RETURN(const engine::ChunkKv kv,
                         read_rows(library.model(), sequence, context_begin_, static_cast<int>(n)));
  return store(library, Kind::kContext, kv, ids, level);
}

}  // namespace mneme::rag
