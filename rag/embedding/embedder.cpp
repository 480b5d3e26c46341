#include "rag/embedding/embedder.h"

#include "engine/gguf/gguf_file.h"
#include "rag/embedding/encoder_embedder.h"
#include "rag/embedding/hashed_embedder.h"
#include "rag/embedding/static_embedder.h"

namespace mneme::rag {

std::string passage_to_embed(std::string_view heading_path, std::string_view text) {
  std::string joined;
  joined.reserve(heading_path.size() + 1 + text.size());
  joined.append(heading_path);
  if (!heading_path.empty()) joined.push_back('\n');
  return joined.append(text);
}

Result<std::unique_ptr<Embedder>> open_embedder(const std::string& spec, int n_threads, const std::string& device) {
  if (spec.empty() || spec == "hashed") return std::unique_ptr<Embedder>(std::make_unique<HashedEmbedder>());
  MNEME_ASSIGN_OR_RETURN(gguf::GgufFile file, gguf::GgufFile::open(spec));
  const std::string architecture(file.text("general.architecture").value_or(""));
  if (architecture == StaticEmbedder::kArchitecture) return StaticEmbedder::open(std::move(file));
  const std::string name(file.text("general.name").value_or(""));
  return EncoderEmbedder::open(spec, name + " " + spec.substr(spec.rfind('/') + 1), n_threads, device);
}

}  // namespace mneme::rag
