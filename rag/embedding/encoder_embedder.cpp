#include "rag/embedding/encoder_embedder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/hash.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr int kMaxDim = 2048;  // what a vector index holds
constexpr int kFormatVersion = 1;
constexpr double kHighestFloor = 0.95;

// Texts that have nothing to do with each other: how alike the model finds them is its zero.
constexpr std::array<std::string_view, 8> kUnrelated = {
    "The ferry to the island leaves at noon.",
    "Fry the onions in butter until they are golden.",
    "A mutex protects data that several threads share.",
    "The parliament adopted the budget after a long debate.",
    "Photosynthesis turns light into chemical energy.",
    "She won the final in straight sets.",
    "The tenant pays the rent on the first of each month.",
    "Das Museum zeigt Gemälde aus dem siebzehnten Jahrhundert.",
};

// The first elements of a vector of length 1; fewer than all are made one again.
void keep_first(std::span<const float> whole, std::span<float> out) {
  std::copy_n(whole.begin(), out.size(), out.begin());
  if (out.size() == whole.size()) return;
  double squares = 0.0;
  for (const float value : out) squares += double{value} * value;
  const double scale = squares > 0.0 ? 1.0 / std::sqrt(squares) : 0.0;
  for (float& value : out) value = static_cast<float>(value * scale);
}

}  // namespace

EncoderPrefixes encoder_prefixes(std::string_view name, std::string_view architecture) {
  const std::string folded = " " + folded_text(name) + " ";  // "bge small en v1 5"
  const auto has = [&](std::string_view word) { return folded.find(word) != std::string::npos; };
  constexpr std::string_view kInstruction = "Represent this sentence for searching relevant passages: ";
  const bool nomic = has(" nomic ") || has(" modernbert embed ") || architecture.starts_with("nomic-bert");
  if (nomic) return {"search_query: ", "search_document: "};
  // Models made of language models, and their cards' words for searching.
  constexpr std::string_view kTask =
      "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ";
  if (has(" qwen3 ") && has(" embedding ")) return {kTask.substr(0, kTask.size() - 1), ""};  // no space at its end
  if (has(" e5 ") && (has(" instruct ") || has(" mistral "))) return {kTask, ""};
  if (has(" gte ") && has(" qwen2 ")) return {kTask, ""};
  if (architecture == "gemma-embedding") return {"task: search result | query: ", "title: none | text: "};
  if (has(" e5 ")) return {"query: ", "passage: "};
  if (has(" bge ") && has(" zh ")) return {"为这个句子生成表示以用于检索相关文章：", ""};
  if (has(" bge ") && has(" m3 ")) return {"", ""};
  if (has(" arctic ") && has(" v2 ")) return {"query: ", ""};
  if (has(" bge ") || has(" arctic ") || has(" mxbai ")) return {kInstruction, ""};
  return {"", ""};
}

int kept_elements(std::string_view name, int n) {
  if (n <= kMaxDim) return n;
  const std::string folded = " " + folded_text(name) + " ";
  const bool nested = folded.find(" qwen3 embedding ") != std::string::npos;
  return nested ? kMaxDim : 0;
}

EncoderEmbedder::EncoderEmbedder(std::unique_ptr<engine::Encoder> encoder, EncoderPrefixes prefixes, int dim)
    : encoder_(std::move(encoder)), prefixes_(prefixes), dim_(dim) {
  // The prefixes shape the vectors as much as the weights do.
  const std::string shape = std::string(prefixes_.query) + "\n" + std::string(prefixes_.passage);
  identity_ = "encoder-" + std::to_string(kFormatVersion) + "-" + encoder_->identity().hex() + "-" +
              xxh3_128(as_bytes(shape)).hex().substr(0, 8);
}

Result<std::unique_ptr<Embedder>> EncoderEmbedder::open(const std::string& path, std::string_view name, int n_threads,
                                                        const std::string& device) {
  engine::ModelOptions options;
  options.device.device = device;
  options.device.n_threads = n_threads;
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Encoder> encoder, engine::Encoder::open(path, options));
  if (encoder->is_ranker()) {
    return unsupported("cannot embed with " + path +
                       ": it is a cross-encoder, which ranks; give it to `mneme search --rerank-by`");
  }
  const int kept = kept_elements(name, encoder->dim());
  if (kept == 0) {
    return unsupported("cannot embed with " + path + ": its vectors have " + std::to_string(encoder->dim()) +
                       " elements; up to " + std::to_string(kMaxDim) + " are supported, so choose a smaller model");
  }
  const EncoderPrefixes prefixes = encoder_prefixes(name, encoder->config().architecture);
  std::unique_ptr<EncoderEmbedder> embedder(new EncoderEmbedder(std::move(encoder), prefixes, kept));
  MNEME_RETURN_IF_ERROR(embedder->measure_floor());
  return std::unique_ptr<Embedder>(std::move(embedder));
}

// Encoders find any two texts alike: cosines of 0.7 between strangers are common. Their mean counts as none.
Status EncoderEmbedder::measure_floor() {
  const size_t width = static_cast<size_t>(dim());
  std::vector<float> vectors(kUnrelated.size() * width);
  MNEME_RETURN_IF_ERROR(embed(kUnrelated, EmbedKind::kPassage, vectors));
  double sum = 0.0;
  int pairs = 0;
  for (size_t a = 0; a < kUnrelated.size(); ++a) {
    for (size_t b = 0; b < a; ++b, ++pairs) {
      for (size_t d = 0; d < width; ++d) sum += double{vectors[a * width + d]} * vectors[b * width + d];
    }
  }
  floor_ = std::clamp(sum / pairs, 0.0, kHighestFloor);
  return {};
}

Status EncoderEmbedder::embed(std::span<const std::string_view> texts, EmbedKind kind, std::span<float> out) const {
  assert(out.size() == texts.size() * static_cast<size_t>(dim()));
  const std::string_view prefix = kind == EmbedKind::kQuery ? prefixes_.query : prefixes_.passage;
  std::vector<std::string> prefixed;
  std::vector<std::string_view> views(texts.begin(), texts.end());
  if (!prefix.empty()) {
    prefixed.reserve(texts.size());
    for (const std::string_view text : texts) prefixed.push_back(std::string(prefix).append(text));
    views.assign(prefixed.begin(), prefixed.end());
  }
  MNEME_ASSIGN_OR_RETURN(const std::vector<float> vectors, encoder_->embed(views));
  const auto whole = static_cast<size_t>(encoder_->dim());
  const auto kept = static_cast<size_t>(dim_);
  for (size_t i = 0; i < texts.size(); ++i)
    keep_first(std::span(vectors).subspan(i * whole, whole), out.subspan(i * kept, kept));
  return {};
}

}  // namespace mneme::rag
