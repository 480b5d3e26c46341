#include "rag/embedding/static_embedder.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/hash.h"
#include "engine/gguf/dequantize.h"

namespace mneme::rag {

namespace {

constexpr int64_t kFormatVersion = 1;
constexpr int64_t kMaxDim = 2048;

}  // namespace

StaticEmbedder::StaticEmbedder(gguf::GgufFile file, StaticTokenizer tokenizer)
    : file_(std::move(file)), tokenizer_(std::move(tokenizer)) {}

Result<std::unique_ptr<Embedder>> StaticEmbedder::open(gguf::GgufFile file) {
  const std::string name = file.name();
  const auto damaged = [&](std::string_view what) {
    return corruption("the embedder " + name + " is damaged: " + std::string(what));
  };
  if (file.integer("mneme-static.version").value_or(0) != kFormatVersion) {
    return unsupported("the embedder " + name + " is of a version this program does not read");
  }
  const std::vector<std::string>* tokens = file.strings("tokenizer.ggml.tokens");
  const gguf::TensorInfo* table = file.find_tensor("token_embd.weight");
  if (tokens == nullptr || table == nullptr) return damaged("it lacks its vocabulary or its vectors");
  const int64_t dim = file.integer("mneme-static.embedding_length").value_or(0);
  const int64_t n_buckets = file.integer("mneme-static.bucket_count").value_or(0);
  const int64_t max_piece = file.integer("mneme-static.max_piece_length").value_or(0);
  if (dim < 1 || dim > kMaxDim || table->dims.size() != 2 || table->dims[0] != static_cast<uint64_t>(dim)) {
    return damaged("its vectors have an impossible width");
  }
  if (table->dims[1] != tokens->size() || n_buckets < 1 || n_buckets > static_cast<int64_t>(tokens->size())) {
    return damaged("its vocabulary and its vectors do not belong together");
  }
  const int64_t row_bytes = gguf::row_bytes(table->type, dim);
  if (row_bytes <= 0) return unsupported("the embedder " + name + " stores its vectors in a type that is not read");
  Result<StaticTokenizer> tokenizer =
      StaticTokenizer::make(std::span(*tokens).subspan(static_cast<size_t>(n_buckets)), static_cast<int>(n_buckets),
                            static_cast<int>(std::min<int64_t>(max_piece, 1 << 20)));
  if (!tokenizer.ok()) return tokenizer.status().with_context("the embedder " + name);
  std::unique_ptr<StaticEmbedder> embedder(new StaticEmbedder(std::move(file), *std::move(tokenizer)));
  embedder->table_ = embedder->file_.find_tensor("token_embd.weight");
  embedder->row_bytes_ = static_cast<size_t>(row_bytes);
  embedder->dim_ = static_cast<int>(dim);
  embedder->n_buckets_ = static_cast<int32_t>(n_buckets);
  embedder->identity_ = "static-" + xxh3_128(embedder->file_.bytes()).hex();
  return std::unique_ptr<Embedder>(std::move(embedder));
}

// In one piece: what is cut into several is put together from parts of other words.
bool StaticEmbedder::knows_word(std::string_view folded) const {
  std::vector<int32_t> ids;
  tokenizer_.encode(folded, ids);
  return ids.size() == 1 && ids.front() >= n_buckets_;
}

Status StaticEmbedder::embed(std::span<const std::string_view> texts, EmbedKind /*kind*/, std::span<float> out) const {
  assert(out.size() == texts.size() * static_cast<size_t>(dim_));
  for (size_t i = 0; i < texts.size(); ++i) embed_one(texts[i], out.subspan(i * dim_, dim_));
  return {};
}

void StaticEmbedder::embed_one(std::string_view text, std::span<float> out) const {
  thread_local std::vector<int32_t> ids;
  ids.clear();
  tokenizer_.encode(text, ids);
  std::sort(ids.begin(), ids.end());
  std::fill(out.begin(), out.end(), 0.0f);
  std::vector<float> row(out.size());
  for (size_t i = 0; i < ids.size();) {
    size_t end = i;
    while (end < ids.size() && ids[end] == ids[i]) ++end;
    const float weight = 1.0f + std::log(static_cast<float>(end - i));
    gguf::dequantize_row(table_->type, table_->bytes.data() + static_cast<size_t>(ids[i]) * row_bytes_, dim_,
                         row.data());
    for (size_t d = 0; d < out.size(); ++d) out[d] += weight * row[d];
    i = end;
  }
  double norm = 0.0;
  for (const float x : out) norm += double{x} * x;
  if (!(norm > 1e-24)) return;
  const float scale = static_cast<float>(1.0 / std::sqrt(norm));
  for (float& x : out) x *= scale;
}

}  // namespace mneme::rag
