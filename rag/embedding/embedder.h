// Text to vectors. Vectors are unit length; the similarity of two texts is their dot product. The identity names
// everything that shapes a vector (method, version, width, weights): vectors of different identities never meet.
// Ownership: texts are borrowed for the call. Threads: immutable after open; embed() may run concurrently.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::rag {

enum class EmbedKind { kPassage, kQuery };

class Embedder {
 public:
  virtual ~Embedder() = default;

  virtual const std::string& identity() const = 0;  // "hashed-1-256"
  virtual int dim() const = 0;                      // elements of a vector

  // How much this embedder's similarity counts beside the lexical score, as measured (rag/retrieval/passage_scorer.h).
  virtual double hybrid_weight() const = 0;

  // The similarity of texts that have nothing in common: what counts as none beside the lexical score.
  virtual double similarity_floor() const { return 0.0; }

  // Whether a text costs microseconds, so that single sentences may be embedded while someone waits.
  virtual bool is_quick() const { return true; }

  // Whether a folded word is one that it was trained with, and so none that is misspelt. False where it cannot tell.
  virtual bool knows_word(std::string_view /*folded*/) const { return false; }

  // out (texts.size(), dim()) row-major, f32, each row of unit length (all zero for a text without words).
  virtual Status embed(std::span<const std::string_view> texts, EmbedKind kind, std::span<float> out) const = 0;
};

// What of a passage is embedded: its headings, which say what it is about, and its text.
std::string passage_to_embed(std::string_view heading_path, std::string_view text);

// "" or "hashed": the built-in embedder, which needs no file. Otherwise a GGUF file: architecture "mneme-static"
// (trained token vectors) or an encoder the engine runs (bert, nomic-bert), on `device`. kNotFound, kCorruption,
// kUnsupported name the file.
Result<std::unique_ptr<Embedder>> open_embedder(const std::string& spec, int n_threads,
                                                const std::string& device = "auto");

}  // namespace mneme::rag
