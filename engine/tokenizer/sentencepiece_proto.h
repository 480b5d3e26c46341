// A SentencePiece ModelProto in protobuf wire format, from a vocabulary. Pure function.
#pragma once

#include <string>

#include "engine/tokenizer/vocabulary.h"

namespace mneme::engine {

struct SentencePieceProto {
  std::string bytes;
  // Pieces beyond the vocabulary that the library insists on (an unknown token): ids from vocabulary.size() on.
  int n_extra_pieces = 0;
};

// Markers become control pieces, so that the library never finds them in text. Duplicate and empty pieces, which the
// library refuses, become unused ones with names of their own. No space is put before texts: the caller does.
SentencePieceProto write_sentencepiece_proto(const Vocabulary& vocabulary);

}  // namespace mneme::engine
