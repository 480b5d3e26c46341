// An embedding model the user brings as GGUF, run by the engine, with the prefixes its family was trained with.
// Ownership: owns the opened model. Threads: embed() from any thread; the engine runs one call at a time.
#pragma once

#include <memory>

#include "engine/encoder.h"
#include "rag/embedding/embedder.h"

namespace mneme::rag {

// What a family of models wants before a text, as its publishers say.
struct EncoderPrefixes {
  std::string_view query;
  std::string_view passage;
};
// `name`: general.name or the file's name; `architecture`: general.architecture. No prefix for unknown families.
EncoderPrefixes encoder_prefixes(std::string_view name, std::string_view architecture);

class EncoderEmbedder final : public Embedder {
 public:
  // kNotFound, kCorruption, kUnsupported, kResource name the file.
  static Result<std::unique_ptr<Embedder>> open(const std::string& path, std::string_view name, int n_threads,
                                                const std::string& device);

  const std::string& identity() const override { return identity_; }
  int dim() const override { return encoder_->dim(); }
  double hybrid_weight() const override { return 1.0; }
  double similarity_floor() const override { return floor_; }
  bool is_quick() const override { return false; }
  Status embed(std::span<const std::string_view> texts, EmbedKind kind, std::span<float> out) const override;

 private:
  EncoderEmbedder(std::unique_ptr<engine::Encoder> encoder, EncoderPrefixes prefixes);
  Status measure_floor();

  std::unique_ptr<engine::Encoder> encoder_;
  EncoderPrefixes prefixes_;
  std::string identity_;
  double floor_ = 0.0;
};

}  // namespace mneme::rag
