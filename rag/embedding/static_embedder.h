// A trained embedder without a network: a vector per token, summed with weight 1 + ln(count) and normalised. GGUF files
// of architecture "mneme-static"; assets/models/README.md states the format.
// Ownership: keeps the file mapped. Threads: immutable after open.
#pragma once

#include "engine/gguf/gguf_file.h"
#include "rag/embedding/embedder.h"
#include "rag/embedding/static_tokenizer.h"

namespace mneme::rag {

class StaticEmbedder final : public Embedder {
 public:
  static constexpr std::string_view kArchitecture = "mneme-static";

  // kCorruption, kUnsupported name the file.
  static Result<std::unique_ptr<Embedder>> open(gguf::GgufFile file);

  const std::string& identity() const override { return identity_; }
  int dim() const override { return dim_; }
  double hybrid_weight() const override { return 1.0; }
  bool knows_word(std::string_view folded) const override;
  Status embed(std::span<const std::string_view> texts, EmbedKind kind, std::span<float> out) const override;

 private:
  StaticEmbedder(gguf::GgufFile file, StaticTokenizer tokenizer);
  void embed_one(std::string_view text, std::span<float> out) const;

  gguf::GgufFile file_;
  StaticTokenizer tokenizer_;
  const gguf::TensorInfo* table_ = nullptr;
  size_t row_bytes_ = 0;
  int dim_ = 0;
  int32_t n_buckets_ = 0;  // ids that stand for no piece
  std::string identity_;
};

}  // namespace mneme::rag
