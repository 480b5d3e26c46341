#include "rag/embedding/embedder.h"

#include "rag/embedding/hashed_embedder.h"

namespace mneme::rag {

std::string passage_to_embed(std::string_view heading_path, std::string_view text) {
  std::string joined;
  joined.reserve(heading_path.size() + 1 + text.size());
  joined.append(heading_path);
  if (!heading_path.empty()) joined.push_back('\n');
  return joined.append(text);
}

Result<std::unique_ptr<Embedder>> open_embedder(const std::string& spec, int /*n_threads*/) {
  if (spec.empty() || spec == "hashed") return std::unique_ptr<Embedder>(std::make_unique<HashedEmbedder>());
  return unsupported("cannot open the embedder " + spec + ": trained embedders are not read yet; use `hashed`");
}

}  // namespace mneme::rag
