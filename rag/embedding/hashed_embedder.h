// The embedder that needs no file: words and their character n-grams are hashed to signs on a few coordinates each, a
// random projection that never has to be stored. Texts that share words, or parts of words, come out near each other;
// meaning beyond spelling is left to trained embedders.
#pragma once

#include "rag/embedding/embedder.h"

namespace mneme::rag {

class HashedEmbedder final : public Embedder {
 public:
  explicit HashedEmbedder(int dim = 256);

  const std::string& identity() const override { return identity_; }
  int dim() const override { return dim_; }
  double hybrid_weight() const override { return 0.3; }
  Status embed(std::span<const std::string_view> texts, EmbedKind kind, std::span<float> out) const override;

 private:
  void embed_one(std::string_view text, EmbedKind kind, std::span<float> out) const;

  int dim_;
  std::string identity_;
};

}  // namespace mneme::rag
